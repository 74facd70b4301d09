/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-process page tables of three and of four levels, in guest memory.
 */
#ifndef VFIO_LIB_PPGTT_H
#define VFIO_LIB_PPGTT_H

#include <linux/types.h>
#include <gvirt/gen9_pte.h>

#include "ram.h"

/**
 * enum ppgtt_empty - What entries hold that map nothing
 * @PPGTT_SPARSE: zero: the entry is not valid
 * @PPGTT_SCRATCH: they lead to a scratch page, through scratch tables, as i915's do
 */
enum ppgtt_empty {
	PPGTT_SPARSE,
	PPGTT_SCRATCH,
};

/**
 * struct ppgtt - An address space
 * @ram: where the tables are
 * @levels: 3 or 4
 * @pdp: the page-directory pointers of three levels; of four, the first is the root
 * @scratch: for each level what an entry of it holds that maps nothing; 0: page table
 */
struct ppgtt {
	struct ram *ram;
	unsigned int levels;
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	u64 scratch[4];
};

/**
 * ppgtt_init() - Make an empty address space
 * @pp: gets it
 * @ram: for the tables
 * @levels: 3 or 4
 * @empty: what entries hold that map nothing
 */
void ppgtt_init(struct ppgtt *pp, struct ram *ram, unsigned int levels, enum ppgtt_empty empty);

/**
 * ppgtt_entry() - The entry that maps an address
 * @pp: which
 * @va: the address
 * @shift: size of the page: 12, 16, 21, as a power of two
 *
 * Makes the tables down to there.
 *
 * Return: pointer to it.
 */
u64 *ppgtt_entry(struct ppgtt *pp, u64 va, unsigned int shift);

/**
 * ppgtt_table() - The table that maps an address
 * @pp: which
 * @va: the address
 * @shift: of what an entry of the table covers: 12, 21, 30, 39
 *
 * Return: pointer to its first entry.
 */
u64 *ppgtt_table(struct ppgtt *pp, u64 va, unsigned int shift);

/**
 * ppgtt_set() - Store an entry, as the guest's CPU if there is one
 * @pp: which
 * @entry: of ppgtt_entry() or ppgtt_table()
 * @value: what
 */
void ppgtt_set(struct ppgtt *pp, u64 *entry, u64 value);

/**
 * ppgtt_map() - Map a page
 * @pp: which
 * @va: address, a multiple of the page's size
 * @gpa: memory, a multiple of the page's size
 * @shift: size of the page: 12, 16, 21, as a power of two
 */
void ppgtt_map(struct ppgtt *pp, u64 va, u64 gpa, unsigned int shift);

/**
 * ppgtt_map_range() - Map pages of 4 KiB
 * @pp: which
 * @va: first address
 * @gpa: memory
 * @pages: how many
 */
void ppgtt_map_range(struct ppgtt *pp, u64 va, u64 gpa, unsigned int pages);

/**
 * ppgtt_unmap() - Unmap a page
 * @pp: which
 * @va: address, a multiple of the page's size
 * @shift: size of the page: 12, 16, 21, as a power of two
 */
void ppgtt_unmap(struct ppgtt *pp, u64 va, unsigned int shift);

/**
 * ppgtt_enable_64k() - Switch the chip's pages of 64 KiB on, as i915 does
 * @dev: the device
 */
void ppgtt_enable_64k(struct vdev *dev);

#endif
