/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address translation of one engine: GGTT, 3- and 4-level PPGTT, and its TLB.
 *
 * The TLB keeps what it has seen until it is invalidated, also when the entry
 * in memory has changed since. One thread uses a gm_mmu (its engine's);
 * only what says so may be called from others.
 */
#ifndef GM_MMU_H
#define GM_MMU_H

#include <linux/types.h>

struct gm_dma;
struct gm_ggtt;
struct gm_stats;

/**
 * enum gm_space - Address spaces of an engine
 * @GM_SPACE_GGTT: the global one, 32 bits
 * @GM_SPACE_PPGTT: that of the context, 32 or 48 bits
 */
enum gm_space {
	GM_SPACE_GGTT,
	GM_SPACE_PPGTT,
};

/**
 * struct gm_fault - The first fault since gm_mmu_take_fault()
 * @valid: there was one
 * @space: in which address space
 * @write: the access was a write
 * @va: address of the access, in bytes
 * @level: of the entry that was invalid: 0 PTE, 1 PDE, 2 PDPE, 3 PML4E; the GGTT has 0
 */
struct gm_fault {
	bool valid;
	enum gm_space space;
	bool write;
	u64 va;
	unsigned int level;
};

struct gm_mmu;

/**
 * gm_mmu_create() - Make the MMU of an engine
 * @engine: number of the engine, below GM_ENGINE_COUNT
 * @dma: guest memory
 * @ggtt: the global GTT
 * @stats: statistics
 *
 * Return: the MMU, NULL when memory is short.
 */
struct gm_mmu *gm_mmu_create(unsigned int engine, struct gm_dma *dma, struct gm_ggtt *ggtt,
			     struct gm_stats *stats);
void gm_mmu_destroy(struct gm_mmu *mmu);

/**
 * gm_mmu_set_ppgtt() - Load page-directory pointers, as a context restore does
 * @mmu: the engine's MMU
 * @four_level: pdp[0] is the PML4's address; else pdp[0..3] are four page directories'
 * @pdp: physical addresses
 *
 * Does not invalidate by itself: the caller decides (a lite restore does not).
 */
void gm_mmu_set_ppgtt(struct gm_mmu *mmu, bool four_level, const u64 pdp[4]);

/* Drop all TLB entries; any thread; takes effect before the next access. */
void gm_mmu_invalidate(struct gm_mmu *mmu);
/* Drop those of the GGTT only, as GFX_FLSH_CNTL does; any thread. */
void gm_mmu_invalidate_ggtt(struct gm_mmu *mmu);
/* Drop those of the PPGTT only, as a context restore does; any thread. */
void gm_mmu_invalidate_ppgtt(struct gm_mmu *mmu);

/* Every how many TLB uses the entry in memory is compared, unless set otherwise. */
#define GM_MMU_STALE_PERIOD 16

/**
 * gm_mmu_set_stale_check() - How often GM_MISUSE_STALE_TLB is looked for; any thread
 * @mmu: the engine's MMU
 * @period: compare at every @period-th access that used a cached entry; 1: all, 0: none
 */
void gm_mmu_set_stale_check(struct gm_mmu *mmu, unsigned int period);

/**
 * gm_mmu_set_64k() - Whether GEN9_PDE_IPS_64K counts; any thread
 * @mmu: the engine's MMU
 * @enable: it does, as after gm_mmu_create(); follows GEN9_GAMW_IPS_64K
 *
 * Does not invalidate by itself.
 */
void gm_mmu_set_64k(struct gm_mmu *mmu, bool enable);

/**
 * gm_mmu_read() - Read graphics memory; may cross pages
 * @mmu: the engine's MMU
 * @space: the address space
 * @va: address in it
 * @buf: out
 * @len: bytes
 *
 * An entry that points outside guest memory is no fault: what it leads to reads
 * as all ones.
 *
 * Return: false on a fault: what could not be read is zero, the fault is kept
 * for gm_mmu_take_fault(), GM_COUNT_PAGE_FAULT and GM_MISUSE_UNSCRATCHED_PTE are
 * counted.
 */
bool gm_mmu_read(struct gm_mmu *mmu, enum gm_space space, u64 va, void *buf, size_t len);

/**
 * gm_mmu_write() - Write graphics memory; may cross pages
 * @mmu: the engine's MMU
 * @space: the address space
 * @va: address in it
 * @buf: the bytes
 * @len: how many
 *
 * A read-only page of a PPGTT is no fault: the write is dropped, as from Gen8
 * on. What an entry outside guest memory leads to is dropped as well.
 *
 * Return: false on a fault, as gm_mmu_read(); all that can be reached is written.
 */
bool gm_mmu_write(struct gm_mmu *mmu, enum gm_space space, u64 va, const void *buf, size_t len);

/*
 * Where gm_mmu_translate() sends writes to a read-only page: drop them. It is page
 * aligned up to the offset in the page, and never guest memory.
 */
#define GM_MMU_DISCARD 0xfffffffffffff000ull

/* Whether @iova is where dropped writes go. */
static inline bool gm_mmu_discards(u64 iova)
{
	return iova >= GM_MMU_DISCARD;
}

/**
 * gm_mmu_translate() - Where graphics memory is
 * @mmu: the engine's MMU
 * @space: the address space
 * @va: address in it
 * @write: a write is wanted; matters on read-only pages
 * @iova: out: bus address, or one that gm_mmu_discards()
 * @contig: out: bytes from there that are contiguous in the same page (up to 4K/64K/2M/1G)
 *
 * Return: false on a fault, as gm_mmu_read(). The caller uses gm_dma_ptr() or
 * gm_dma_read() on the result.
 */
bool gm_mmu_translate(struct gm_mmu *mmu, enum gm_space space, u64 va, bool write,
		      u64 *iova, u64 *contig);

/**
 * gm_mmu_take_fault() - Take the first fault, and forget it
 * @mmu: the engine's MMU
 *
 * Return: the first fault since the last call; not @valid when there was none.
 */
struct gm_fault gm_mmu_take_fault(struct gm_mmu *mmu);

#endif
