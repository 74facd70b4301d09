// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scratch PPGTT: what a context has that is not to reach any memory, and
 * what shadow tables have where there is nothing to map.
 */
#include <linux/dma-mapping.h>
#include <gvirt/gen9_pte.h>
#include "scratch.h"

static void *alloc_one(struct gvirt_scratch *scratch, dma_addr_t *dma)
{
	return dma_alloc_coherent(scratch->dev, GEN9_TABLE_SIZE, dma, GFP_KERNEL | __GFP_NOWARN);
}

static void free_one(struct gvirt_scratch *scratch, void *page, dma_addr_t dma)
{
	if (page)
		dma_free_coherent(scratch->dev, GEN9_TABLE_SIZE, page, dma);
}

static int add_tables(struct gvirt_scratch *scratch)
{
	dma_addr_t below = scratch->page_dma;
	unsigned int level, i;

	for (level = 0; level < GVIRT_SCRATCH_LEVELS; level++) {
		scratch->table[level] = alloc_one(scratch, &scratch->dma[level]);
		if (!scratch->table[level])
			return -ENOMEM;
		for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
			scratch->table[level][i] = below | GEN9_PTE_PRESENT | GEN9_PTE_RW;
		below = scratch->dma[level];
	}
	return 0;
}

int gvirt_scratch_init(struct gvirt_scratch *scratch, struct device *dev)
{
	int err = -ENOMEM;

	*scratch = (struct gvirt_scratch) { .dev = dev };
	scratch->page = alloc_one(scratch, &scratch->page_dma);
	if (scratch->page)
		err = add_tables(scratch);
	if (err)
		gvirt_scratch_fini(scratch);
	return err;
}

void gvirt_scratch_fini(struct gvirt_scratch *scratch)
{
	unsigned int level;

	for (level = 0; level < GVIRT_SCRATCH_LEVELS; level++)
		free_one(scratch, scratch->table[level], scratch->dma[level]);
	free_one(scratch, scratch->page, scratch->page_dma);
	*scratch = (struct gvirt_scratch) { };
}
