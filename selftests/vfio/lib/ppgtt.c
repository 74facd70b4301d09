// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page tables.
 *
 * Sources: Linux i915, gt/gen8_ppgtt.c (levels, entries, scratch tables, large pages),
 * gt/intel_gtt.c (GAMW_ECO_DEV_RW_IA).
 */
#include <gvirt/gen9_gt.h>

#include "../ktap.h"
#include "ppgtt.h"

#define VALID		(GEN9_PTE_PRESENT | GEN9_PTE_RW)
#define BITS_PER_LEVEL	9
#define LEVEL_SHIFT(l)	(GEN9_PTE_INDEX_SHIFT + BITS_PER_LEVEL * (l))

static u64 new_table(struct ppgtt *pp, unsigned int level)
{
	u64 gpa = ram_page(pp->ram), *table = ram_cpu(pp->ram, gpa);
	unsigned int i;

	for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
		table[i] = pp->scratch[level];
	return gpa;
}

void ppgtt_init(struct ppgtt *pp, struct ram *ram, unsigned int levels, enum ppgtt_empty empty)
{
	unsigned int i;

	*pp = (struct ppgtt) { .ram = ram, .levels = levels };
	if (empty == PPGTT_SCRATCH)
		for (i = 0; i < levels; i++)
			pp->scratch[i] = (i ? new_table(pp, i - 1) : ram_page(ram)) | VALID;
	if (levels == 4)
		pp->pdp[0] = new_table(pp, 3);
	else
		for (i = 0; i < GEN9_PPGTT_3LVL_PDPS; i++)
			pp->pdp[i] = new_table(pp, 1);
}

void ppgtt_set(struct ppgtt *pp, u64 *entry, u64 value)
{
	ram_store(pp->ram, entry, value);
}

static unsigned int index_of(u64 va, unsigned int level)
{
	return va >> LEVEL_SHIFT(level) & (GEN9_TABLE_ENTRIES - 1);
}

/* The table of @level; the root of three levels is in registers, without entries. */
static u64 *table_of(struct ppgtt *pp, u64 va, unsigned int level)
{
	u64 *entry;

	if (pp->levels == 4 && level == 3)
		return ram_cpu(pp->ram, pp->pdp[0]);
	if (pp->levels == 3 && level == 1)
		return ram_cpu(pp->ram, pp->pdp[va >> GEN9_PDPE_INDEX_SHIFT & 3]);
	entry = table_of(pp, va, level + 1) + index_of(va, level + 1);
	if (*entry == pp->scratch[level + 1])
		ppgtt_set(pp, entry, new_table(pp, level) | VALID);
	return ram_cpu(pp->ram, *entry & GEN9_PTE_ADDR_MASK);
}

static unsigned int level_of(unsigned int shift)
{
	EXPECT(shift == GEN9_PAGE_SHIFT_4K || shift == GEN9_PAGE_SHIFT_64K ||
	       shift == GEN9_PAGE_SHIFT_2M);
	return shift == GEN9_PAGE_SHIFT_2M ? 1 : 0;
}

u64 *ppgtt_table(struct ppgtt *pp, u64 va, unsigned int shift)
{
	return table_of(pp, va, (shift - GEN9_PTE_INDEX_SHIFT) / BITS_PER_LEVEL);
}

u64 *ppgtt_entry(struct ppgtt *pp, u64 va, unsigned int shift)
{
	unsigned int level = level_of(shift);

	return table_of(pp, va, level) + index_of(va, level);
}

void ppgtt_map(struct ppgtt *pp, u64 va, u64 gpa, unsigned int shift)
{
	u64 *entry = ppgtt_entry(pp, va, shift);

	EXPECT_EQ((va | gpa) & ((1ull << shift) - 1), 0);
	ppgtt_set(pp, entry, gpa | VALID | (shift == GEN9_PAGE_SHIFT_2M ? GEN9_PDE_PS : 0));
	/* What kind of pages a table has is said where the table is. */
	if (shift != GEN9_PAGE_SHIFT_64K)
		return;
	entry = ppgtt_entry(pp, va, GEN9_PAGE_SHIFT_2M);
	ppgtt_set(pp, entry, *entry | GEN9_PDE_IPS_64K);
}

void ppgtt_map_range(struct ppgtt *pp, u64 va, u64 gpa, unsigned int pages)
{
	unsigned int i;

	for (i = 0; i < pages; i++)
		ppgtt_map(pp, va + i * 4096ull, gpa + i * 4096ull, GEN9_PAGE_SHIFT_4K);
}

void ppgtt_unmap(struct ppgtt *pp, u64 va, unsigned int shift)
{
	ppgtt_set(pp, ppgtt_entry(pp, va, shift), pp->scratch[level_of(shift)]);
}

void ppgtt_enable_64k(struct vdev *dev)
{
	u32 old = vdev_read(dev, GEN9_GAMW_ECO_DEV_RW_IA);

	vdev_write(dev, GEN9_GAMW_ECO_DEV_RW_IA, old | GEN9_GAMW_IPS_64K);
}
