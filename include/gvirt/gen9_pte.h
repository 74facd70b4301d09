/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9 page tables: the global GTT and the per-process tables (PPGTT).
 *
 * All entries have 64 bits. A PPGTT looks like IA-32e paging: four levels over
 * 48 bits, or three levels over 32 bits whose four page-directory pointers
 * stand in registers (and need no present bit there). A table has 512 entries.
 *
 * Sources: Linux i915, gt/intel_gtt.h and gt/gen8_ppgtt.c (levels, bits, 64K
 * and 2M pages, read-only pages), gt/intel_ggtt.c (GGTT entries), gt/intel_gtt.c
 * (64K pages must be enabled; 1G pages exist), i915_pci.c (39 address bits),
 * gvt/gtt.c (the page-size bit is known at the PDE and at the PDPE level; root
 * pointers work without a present bit).
 */
#ifndef GVIRT_GEN9_PTE_H
#define GVIRT_GEN9_PTE_H

#include <linux/bits.h>
#include <linux/types.h>

#define GEN9_PTE_SIZE			8
#define GEN9_TABLE_ENTRIES		512
#define GEN9_TABLE_SIZE			4096

/* Sizes of pages, as shifts. The global GTT has 4K pages only. */
#define GEN9_PAGE_SHIFT_4K		12
#define GEN9_PAGE_SHIFT_64K		16
#define GEN9_PAGE_SHIFT_2M		21
#define GEN9_PAGE_SHIFT_1G		30

/* Where the index into a table stands in an address; each has 9 bits. */
#define GEN9_PTE_INDEX_SHIFT		12
#define GEN9_PDE_INDEX_SHIFT		21
#define GEN9_PDPE_INDEX_SHIFT		30
#define GEN9_PML4E_INDEX_SHIFT		39

/* Address spaces. Above bit 47 an address of four levels is canonical; those bits are not used. */
#define GEN9_PPGTT_3LVL_BITS		32
#define GEN9_PPGTT_4LVL_BITS		48
#define GEN9_PPGTT_3LVL_PDPS		4
#define GEN9_GGTT_BITS			32
#define GEN9_GGTT_TABLE_SIZE		(8u << 20)

/* Bits of an entry of any PPGTT level. */
#define GEN9_PTE_PRESENT		BIT_ULL(0)
/* Clear: writes to the page are dropped without a fault. */
#define GEN9_PTE_RW			BIT_ULL(1)
#define GEN9_PTE_PWT			BIT_ULL(3)	/* PAT index, bit 0 */
#define GEN9_PTE_PCD			BIT_ULL(4)	/* PAT index, bit 1 */
#define GEN9_PTE_PAT			BIT_ULL(7)	/* PAT index, bit 2; PTEs only */
/* The entry maps a page itself: 2M in a PDE, 1G in a PDPE. */
#define GEN9_PDE_PS			BIT_ULL(7)
/* PAT index, bit 2, of an entry that maps 2M or 1G (gvt/gtt.c, splitting 2M pages). */
#define GEN9_PDE_PAT_LARGE		BIT_ULL(12)
/*
 * The page table below holds 64K pages: only every 16th entry is looked at.
 * Ignored unless all of GEN9_GAMW_IPS_64K is set.
 */
#define GEN9_PDE_IPS_64K		BIT_ULL(11)

/*
 * A client GT has 39 physical address bits; those above, up to 51, are reserved. Bits 62:52 are
 * ignored: in-tree GVT-g keeps flags of its own there (gvt/gtt.c).
 */
#define GEN9_PHYS_BITS			39
#define GEN9_PTE_ADDR_MASK		GENMASK_ULL(GEN9_PHYS_BITS - 1, 12)
#define GEN9_PTE_ADDR_RESERVED		GENMASK_ULL(51, GEN9_PHYS_BITS)
#define GEN9_PDP_ADDR_MASK		GEN9_PTE_ADDR_MASK

/* Entry of the global GTT: there is no read-only page and no cache control. */
#define GEN9_GGTT_PRESENT		BIT_ULL(0)
#define GEN9_GGTT_ADDR_MASK		GEN9_PTE_ADDR_MASK

/* In GEN9_GAMW_ECO_DEV_RW_IA: 64K pages; one bit per group of clients, all or none are set. */
#define   GEN9_GAMW_IPS_64K		0xf

#endif
