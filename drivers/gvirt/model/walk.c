// SPDX-License-Identifier: GPL-2.0-only
/*
 * A look through a guest's page tables: see walk.h.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <gvirt/gen9_pte.h>
#include "host/guest.h"
#include "lib/pte.h"
#include "walk.h"

/* Entries of a page table that one page of 64 KiB takes. */
#define ENTRIES_64K	16u

static const struct gvirt_pte_rules rules = {
	.gpa_end = BIT_ULL(GEN9_PHYS_BITS),
	.ips_64k = true,
};

static struct gvirt_pte root_of(const struct gvirt_walk *walk, u64 va)
{
	unsigned int n = walk->levels == 4 ? 0 : gvirt_pte_index(GVIRT_LEVEL_PDPE, va);

	if (!gvirt_pte_canonical(walk->levels, va))
		return (struct gvirt_pte) { };
	return gvirt_pte_decode_root(&rules, walk->pdp[n]);
}

static int step(const struct gvirt_walk *walk, unsigned int level, u64 va, struct gvirt_pte *pte)
{
	unsigned int index = gvirt_pte_index(level, va);
	bool in_64k = level == GVIRT_LEVEL_PTE && pte->table_64k;
	u64 entry;
	int err;

	if (in_64k)
		index -= index % ENTRIES_64K;
	err = gvirt_guest_read(walk->guest, pte->gpa + index * sizeof(entry), &entry,
			       sizeof(entry));
	if (!err)
		*pte = gvirt_pte_decode(&rules, level, in_64k, index, entry);
	return err;
}

/* To the page of the address. */
static int find(const struct gvirt_walk *walk, u64 va, struct gvirt_pte *pte)
{
	unsigned int level = walk->levels == 4 ? GVIRT_LEVEL_PML4E : GVIRT_LEVEL_PDE;
	int err = 0;

	for (*pte = root_of(walk, va); !err && level && pte->kind == GVIRT_PTE_TABLE; level--)
		err = pte->fault ? -EFAULT : step(walk, level, va, pte);
	if (err || pte->fault || pte->kind != GVIRT_PTE_PAGE)
		return -EFAULT;
	return 0;
}

int gvirt_walk_read(const struct gvirt_walk *walk, u64 va, void *buf, size_t len)
{
	struct gvirt_pte pte;
	u64 offset;
	size_t part;

	for (; len; len -= part, va += part, buf += part) {
		if (find(walk, va, &pte))
			return -EFAULT;
		offset = va & (BIT_ULL(pte.shift) - 1);
		part = min_t(u64, len, BIT_ULL(pte.shift) - offset);
		if (gvirt_guest_read(walk->guest, pte.gpa + offset, buf, part))
			return -EFAULT;
	}
	return 0;
}
