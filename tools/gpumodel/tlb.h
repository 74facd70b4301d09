/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cached translations of one client of the MMU: a TLB, and a cache of upper table entries.
 *
 * Both keep what they have until the caller's generation number of the
 * address space changes: an invalidation is one addition, whatever is cached.
 * Neither knows page tables. One thread uses a gm_tlb.
 */
#ifndef GM_TLB_H
#define GM_TLB_H

#include <linux/types.h>
#include "mmu.h"

#define GM_TLB_SETS		128
#define GM_TLB_WAYS		4
#define GM_TLB_TABLE_LEVELS	3
#define GM_TLB_TABLES		16
#define GM_SPACES		2

/**
 * struct gm_tlb_entry - One translation
 * @tag: first address of the page, plus its shift and address space in the low bits; 0 is empty
 * @iova: bus address of the page
 * @generation: of its address space when it was filled
 * @shift: log2 of the page's size, 12..30
 * @writable: writes reach the page
 */
struct gm_tlb_entry {
	u64 tag;
	u64 iova;
	u64 generation;
	u8 shift;
	bool writable;
};

/**
 * struct gm_tlb_table - One upper-level entry of a PPGTT
 * @prefix: address bits that lead to it
 * @table: bus address of the table below
 * @generation: of the PPGTT when it was filled; 0 is empty
 * @writable: it and all above it allow writes
 * @pages_64k: the table below holds 64K pages
 */
struct gm_tlb_table {
	u64 prefix;
	u64 table;
	u64 generation;
	bool writable;
	bool pages_64k;
};

/**
 * struct gm_tlb - The caches; all zero is empty
 * @entry: sets of the TLB
 * @table: upper-level entries; [0] holds PDEs, [1] PDPEs, [2] PML4Es
 * @victim: way of each set that is replaced next
 * @last: the entry that was hit last, per address space
 * @sizes: page sizes that may be cached, per address space: bits number the table in tlb.c
 * @generation: what @sizes and @last are about, per address space
 */
struct gm_tlb {
	struct gm_tlb_entry entry[GM_TLB_SETS][GM_TLB_WAYS];
	struct gm_tlb_table table[GM_TLB_TABLE_LEVELS][GM_TLB_TABLES];
	u8 victim[GM_TLB_SETS];
	const struct gm_tlb_entry *last[GM_SPACES];
	unsigned int sizes[GM_SPACES];
	u64 generation[GM_SPACES];
};

/**
 * gm_tlb_lookup() - The cached translation of an address
 * @tlb: the caches
 * @space: the address space
 * @va: address in it, below 2^48
 * @generation: of the address space now, above 0
 *
 * Return: the entry, valid until the next gm_tlb_fill(), or NULL.
 */
const struct gm_tlb_entry *gm_tlb_lookup(struct gm_tlb *tlb, enum gm_space space, u64 va,
					 u64 generation);

/**
 * gm_tlb_fill() - Cache a translation
 * @tlb: the caches
 * @space: the address space
 * @va: any address in the page
 * @fill: @iova, @shift (12, 16, 21 or 30), @writable and @generation; the tag is made here
 *
 * Return: the new entry.
 */
const struct gm_tlb_entry *gm_tlb_fill(struct gm_tlb *tlb, enum gm_space space, u64 va,
				       const struct gm_tlb_entry *fill);

/**
 * gm_tlb_table_lookup() - The cached upper-level entry for an address
 * @tlb: the caches
 * @level: 1 PDE, 2 PDPE, 3 PML4E
 * @va: address in the PPGTT
 * @generation: of the PPGTT now, above 0
 *
 * Return: the entry, valid until the next gm_tlb_table_fill(), or NULL.
 */
const struct gm_tlb_table *gm_tlb_table_lookup(const struct gm_tlb *tlb, unsigned int level, u64 va,
					       u64 generation);

/**
 * gm_tlb_table_fill() - Cache an upper-level entry
 * @tlb: the caches
 * @level: 1 PDE, 2 PDPE, 3 PML4E
 * @va: any address that it leads to
 * @fill: the entry; its prefix is made here
 */
void gm_tlb_table_fill(struct gm_tlb *tlb, unsigned int level, u64 va,
		       const struct gm_tlb_table *fill);

#endif
