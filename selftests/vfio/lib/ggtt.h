/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The global GTT, as a driver fills it.
 */
#ifndef VFIO_LIB_GGTT_H
#define VFIO_LIB_GGTT_H

#include <linux/types.h>

#include "ram.h"

/* Addresses are given out from here on; what is below is for tests that choose their own. */
#define GGTT_FIRST	0x00200000u

/**
 * struct ggtt - The table
 * @ram: what it maps
 * @next: first address that is not given out
 * @scratch: page that unmapped addresses lead to
 */
struct ggtt {
	struct ram *ram;
	u32 next;
	u64 scratch;
};

/**
 * ggtt_init() - Begin with an empty table
 * @ggtt: which
 * @ram: what it maps
 */
void ggtt_init(struct ggtt *ggtt, struct ram *ram);

/**
 * ggtt_write() - Write an entry
 * @ggtt: which
 * @address: that it is for
 * @entry: as the chip takes it
 */
void ggtt_write(struct ggtt *ggtt, u32 address, u64 entry);

/**
 * ggtt_map() - Map memory at an address
 * @ggtt: which
 * @address: multiple of 4096
 * @gpa: memory, multiple of 4096
 * @pages: how many pages
 */
void ggtt_map(struct ggtt *ggtt, u32 address, u64 gpa, u32 pages);

/**
 * ggtt_unmap() - Let addresses lead to the scratch page
 * @ggtt: which
 * @address: multiple of 4096
 * @pages: how many pages
 */
void ggtt_unmap(struct ggtt *ggtt, u32 address, u32 pages);

/**
 * ggtt_flush() - Let the chip forget what it knows of the table
 * @ggtt: which
 */
void ggtt_flush(struct ggtt *ggtt);

/**
 * ggtt_bind() - Map memory somewhere
 * @ggtt: which
 * @gpa: memory, multiple of 4096
 * @pages: how many pages
 *
 * A page to both sides leads to the scratch page: engines fetch ahead.
 *
 * Return: its address.
 */
u32 ggtt_bind(struct ggtt *ggtt, u64 gpa, u32 pages);

#endif
