/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page-table entries of Gen9: what a guest's entry means, what it must hold,
 * and the entry that stands for it in a shadow table.
 *
 * A shadow entry is never an edited copy of the guest's. It is built from what
 * was decoded (size, writable, PAT index) and a DMA address of the host, so a
 * bit that this file does not know cannot reach the chip.
 *
 * Levels are numbered from the leaf: an entry of level 1 maps a 4K or 64K page,
 * one of level 4 stands in a PML4. In an address space of three levels the
 * four level-3 entries stand in the context image (the root pointers).
 */
#ifndef GVIRT_LIB_PTE_H
#define GVIRT_LIB_PTE_H

#include <linux/types.h>

#include <gvirt/gen9_pte.h>

#define GVIRT_PTE_LEVELS	4

/**
 * enum gvirt_pte_level - Tables of a PPGTT by what their entries are called
 * @GVIRT_LEVEL_PTE: 4K or 64K pages
 * @GVIRT_LEVEL_PDE: page tables, or 2M pages
 * @GVIRT_LEVEL_PDPE: page directories, or 1G pages
 * @GVIRT_LEVEL_PML4E: tables of page-directory pointers
 */
enum gvirt_pte_level {
	GVIRT_LEVEL_PTE = 1,
	GVIRT_LEVEL_PDE,
	GVIRT_LEVEL_PDPE,
	GVIRT_LEVEL_PML4E,
};

/**
 * enum gvirt_pte_kind - What an entry is
 * @GVIRT_PTE_NONE: not present, or not looked at (inside a 64K page)
 * @GVIRT_PTE_TABLE: points to the table of the next lower level
 * @GVIRT_PTE_PAGE: maps a page
 */
enum gvirt_pte_kind {
	GVIRT_PTE_NONE,
	GVIRT_PTE_TABLE,
	GVIRT_PTE_PAGE,
};

/**
 * enum gvirt_pte_fault - Why a guest's entry must not be shadowed
 * @GVIRT_PTE_OK: it may be
 * @GVIRT_PTE_RESERVED: an address bit above the chip's physical bits is set
 * @GVIRT_PTE_MISALIGNED: an address bit below the page's size is set
 * @GVIRT_PTE_RANGE: the page or table is not inside the guest's memory
 * @GVIRT_PTE_NO_LEVEL: no such level (the caller's mistake)
 */
enum gvirt_pte_fault {
	GVIRT_PTE_OK,
	GVIRT_PTE_RESERVED,
	GVIRT_PTE_MISALIGNED,
	GVIRT_PTE_RANGE,
	GVIRT_PTE_NO_LEVEL,
};

/**
 * struct gvirt_pte_rules - What the entries of one vGPU are judged by
 * @gpa_end: end of the guest's physical addresses in bytes, exclusive
 * @ips_64k: the guest has enabled 64K pages (all of GEN9_GAMW_IPS_64K); else
 *	the 64K flag of a PDE is ignored, as the chip does
 */
struct gvirt_pte_rules {
	u64 gpa_end;
	bool ips_64k;
};

/**
 * struct gvirt_pte - A decoded entry
 * @kind: what it is; nothing else holds for GVIRT_PTE_NONE
 * @fault: GVIRT_PTE_OK, or why it must not be shadowed
 * @shift: size of the page or of the table, as a shift (12, 16, 21, 30)
 * @pat: PAT index, 0 to 7; of a table 0 to 3 (how the walk itself is cached)
 * @writable: clear: writes are dropped
 * @table_64k: the table that a PDE points to holds 64K pages
 * @gpa: guest-physical address of the page or table
 */
struct gvirt_pte {
	enum gvirt_pte_kind kind;
	enum gvirt_pte_fault fault;
	u8 shift;
	u8 pat;
	bool writable;
	bool table_64k;
	u64 gpa;
};

/**
 * struct gvirt_pte_diff - Entries of a table that changed
 * @bits: bit n % 64 of word n / 64 stands for entry n
 */
struct gvirt_pte_diff {
	u64 bits[GEN9_TABLE_ENTRIES / 64];
};

/**
 * gvirt_pte_decode() - Classify and judge an entry of a guest's table
 * @rules: the guest's
 * @level: enum gvirt_pte_level of the table
 * @in_64k: the table was reached through a PDE with @table_64k set (level 1 only)
 * @index: the entry's place in its table, 0 to 511
 * @entry: its value
 *
 * Inside a table of 64K pages only every 16th entry exists; the others give
 * GVIRT_PTE_NONE whatever they hold.
 *
 * Return: the decoded entry; @kind GVIRT_PTE_NONE for no such level.
 */
struct gvirt_pte gvirt_pte_decode(const struct gvirt_pte_rules *rules, unsigned int level,
				  bool in_64k, unsigned int index, u64 entry);

/**
 * gvirt_pte_decode_root() - Classify and judge a root pointer of a context image
 * @rules: the guest's
 * @pointer: the PDP register's value; there the present bit does not count, and
 *	zero means that there is no table (i915 sets no present bit)
 *
 * Return: GVIRT_PTE_TABLE or GVIRT_PTE_NONE.
 */
struct gvirt_pte gvirt_pte_decode_root(const struct gvirt_pte_rules *rules, u64 pointer);

/**
 * gvirt_pte_decode_ggtt() - Classify and judge an entry of the guest's global GTT
 * @rules: the guest's
 * @entry: its value
 *
 * Return: GVIRT_PTE_PAGE, of 4K and writable, or GVIRT_PTE_NONE.
 */
struct gvirt_pte gvirt_pte_decode_ggtt(const struct gvirt_pte_rules *rules, u64 entry);

/**
 * gvirt_pte_shadow_page() - Entry that maps a host page the way a guest's entry asks
 * @guest: the decoded entry of a PPGTT, kind GVIRT_PTE_PAGE
 * @shift: size of the host's page: 12, 16, 21 or 30, at most @guest->shift; smaller
 *	when the guest's page had to be split. A page of 64K is valid only in a table
 *	that was entered with @ips_64k.
 * @dma: its DMA address, aligned to its size
 *
 * Return: the entry; 0 (not present) when the arguments do not fit together or
 * @dma is beyond the chip's physical address bits.
 */
u64 gvirt_pte_shadow_page(const struct gvirt_pte *guest, unsigned int shift, u64 dma);

/**
 * gvirt_pte_shadow_table() - Entry that points to a shadow table
 * @guest: the decoded entry; of a page, if the page was split into a table
 * @dma: the shadow table's DMA address, a multiple of 4096
 * @ips_64k: the shadow table, one of level 1, holds 64K pages
 *
 * Return: the entry; 0 (not present) when @dma is misaligned or out of range.
 */
u64 gvirt_pte_shadow_table(const struct gvirt_pte *guest, u64 dma, bool ips_64k);

/**
 * gvirt_pte_shadow_ggtt() - Entry of the global GTT for a host page
 * @dma: its DMA address, a multiple of 4096
 *
 * Return: the entry; 0 (not present) when @dma is misaligned or out of range.
 */
u64 gvirt_pte_shadow_ggtt(u64 dma);

/**
 * gvirt_pte_shift() - Bytes that an entry of a level spans, as a shift
 * @level: enum gvirt_pte_level
 *
 * Return: 12, 21, 30 or 39; 0 for no such level.
 */
unsigned int gvirt_pte_shift(unsigned int level);

/**
 * gvirt_pte_index() - Place of an address in a table
 * @level: enum gvirt_pte_level of the table
 * @addr: graphics address
 *
 * Return: 0 to 511; 0 for no such level.
 */
unsigned int gvirt_pte_index(unsigned int level, u64 addr);

/**
 * gvirt_pte_canonical() - Can an address exist in an address space?
 * @levels: 3 or 4
 * @addr: graphics address
 *
 * Return: with 3 levels, whether it is below 4G; with 4, whether bits 63:48 equal
 * bit 47; false for other numbers of levels.
 */
bool gvirt_pte_canonical(unsigned int levels, u64 addr);

/**
 * gvirt_pte_compare() - Find what changed in a table
 * @table: copy of the guest's table, 512 entries
 * @seen: the copy that the shadow was built from
 * @diff: gets a bit for each entry that differs
 *
 * Return: how many differ, 0 to 512.
 */
unsigned int gvirt_pte_compare(const u64 *table, const u64 *seen, struct gvirt_pte_diff *diff);

/**
 * gvirt_pte_diff_keep_64k() - Drop what does not count in a table of 64K pages
 * @diff: changed entries; those that are no multiple of 16 are cleared
 */
void gvirt_pte_diff_keep_64k(struct gvirt_pte_diff *diff);

/**
 * gvirt_pte_diff_next() - Next changed entry
 * @diff: changed entries
 * @from: first index that may be returned
 *
 * Return: its index; 512 when there is none. At most eight words are looked at.
 */
unsigned int gvirt_pte_diff_next(const struct gvirt_pte_diff *diff, unsigned int from);

#endif
