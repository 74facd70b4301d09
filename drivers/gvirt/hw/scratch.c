// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scratch PPGTT: what a context has that is not to reach any memory, and
 * what shadow tables have where there is nothing to map.
 */
#include <linux/dma-mapping.h>
#include <gvirt/gen9_pte.h>
#include "ggtt.h"
#include "scratch.h"

int gvirt_scratch_init(struct gvirt_scratch *scratch, const struct gvirt_ggtt *ggtt)
{
	dma_addr_t below = ggtt->scratch_dma;
	unsigned int level, i;

	*scratch = (struct gvirt_scratch) { .dev = ggtt->dev };
	for (level = 0; level < GVIRT_SCRATCH_LEVELS; level++) {
		scratch->table[level] = dma_alloc_coherent(scratch->dev, GEN9_TABLE_SIZE,
							   &scratch->dma[level], GFP_KERNEL);
		if (!scratch->table[level]) {
			gvirt_scratch_fini(scratch);
			return -ENOMEM;
		}
		for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
			scratch->table[level][i] = below | GEN9_PTE_PRESENT | GEN9_PTE_RW;
		below = scratch->dma[level];
	}
	return 0;
}

void gvirt_scratch_fini(struct gvirt_scratch *scratch)
{
	unsigned int level;

	for (level = 0; level < GVIRT_SCRATCH_LEVELS; level++)
		if (scratch->table[level])
			dma_free_coherent(scratch->dev, GEN9_TABLE_SIZE, scratch->table[level],
					  scratch->dma[level]);
	*scratch = (struct gvirt_scratch) { };
}
