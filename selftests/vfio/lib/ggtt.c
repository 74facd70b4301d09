// SPDX-License-Identifier: GPL-2.0-only
/*
 * The global GTT.
 *
 * Sources: Linux i915, gt/intel_ggtt.c (entries, scratch, flush).
 */
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>
#include <gvirt/gen9_reset.h>

#include "ggtt.h"

#define PAGE 4096u

void ggtt_init(struct ggtt *ggtt, struct ram *ram)
{
	*ggtt = (struct ggtt) {
		.ram = ram,
		.next = GGTT_FIRST,
		.scratch = ram_page(ram),
	};
}

void ggtt_write(struct ggtt *ggtt, u32 address, u64 entry)
{
	vdev_write64(ggtt->ram->dev, GEN9_GTTMMADR_GGTT + address / PAGE * GEN9_PTE_SIZE, entry);
}

void ggtt_map(struct ggtt *ggtt, u32 address, u64 gpa, u32 pages)
{
	u32 i;

	for (i = 0; i < pages; i++)
		ggtt_write(ggtt, address + i * PAGE, (gpa + i * PAGE) | GEN9_GGTT_PRESENT);
	ggtt_flush(ggtt);
}

void ggtt_unmap(struct ggtt *ggtt, u32 address, u32 pages)
{
	u32 i;

	for (i = 0; i < pages; i++)
		ggtt_write(ggtt, address + i * PAGE, ggtt->scratch | GEN9_GGTT_PRESENT);
	ggtt_flush(ggtt);
}

void ggtt_flush(struct ggtt *ggtt)
{
	vdev_write(ggtt->ram->dev, GEN9_GFX_FLSH_CNTL, GEN9_GFX_FLSH_CNTL_EN);
}

u32 ggtt_bind(struct ggtt *ggtt, u64 gpa, u32 pages)
{
	u32 address = ggtt->next + PAGE;

	ggtt_unmap(ggtt, ggtt->next, 1);
	ggtt_unmap(ggtt, address + pages * PAGE, 1);
	ggtt_map(ggtt, address, gpa, pages);
	ggtt->next = address + (pages + 1) * PAGE;
	return address;
}
