// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address translation of one engine.
 *
 * A walk reads entries from guest memory (PPGTT) or from the table in BAR0
 * (GGTT), starting below the deepest upper-level entry that is cached. What
 * it finds valid is cached; invalid entries are not: whether the chip keeps
 * them is not documented, and a driver must not depend on either.
 *
 * The caches know nothing of contexts: after gm_mmu_set_ppgtt() old entries
 * go on to be used until someone invalidates, as on the chip. To catch a
 * driver that forgot to, a sample of the accesses that used a cached entry is
 * compared with a walk that uses none.
 *
 * What drops what: a restore of page directory pointers the PPGTT's entries of
 * its engine, GFX_FLSH_CNTL the GGTT's of all engines, a flush command with its
 * TLB bit or an engine's TLB register both of that engine. That a context switch
 * would drop entries of the GGTT is said nowhere, and i915 as well as GVT-g
 * write GFX_FLSH_CNTL after each change of the GGTT: so it does not here.
 *
 * Sources: Linux i915, gt/gen8_ppgtt.c (64K and 2M pages; read-only pages from
 * Gen8 on), gt/intel_gtt.c (64K and 1G pages), gt/intel_ggtt.c, gt/intel_tlb.c and
 * gvt/gtt.c (invalidation), gem/selftests/i915_gem_context.c,
 * igt_ctx_readonly (a write to a read-only page is dropped and does not stop
 * the engine). That an upper entry without GEN9_PTE_RW makes all below it
 * read-only is taken from IA-32e paging, whose format this is.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <gvirt/gen9_pte.h>
#include "dma.h"
#include "ggtt.h"
#include "mmu.h"
#include "stats.h"
#include "tlb.h"

/* TLB hits go to the statistics in lots: an atomic addition each costs more than the hit. */
#define HITS_PER_LOT 256

struct gm_mmu {
	unsigned int engine;
	struct gm_dma *dma;
	struct gm_ggtt *ggtt;
	struct gm_stats *stats;
	bool four_level;
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	_Atomic bool pages_64k;
	_Atomic unsigned int stale_period;
	unsigned int stale_skipped;
	unsigned int hits;
	_Atomic u64 generation[GM_SPACES];
	struct gm_fault fault;
	struct gm_tlb tlb;
};

/**
 * struct walk - State and result of one walk
 * @va: address to translate
 * @generation: of the address space at the start; what is cached carries it
 * @use_cache: use and fill the caches, and count misuse
 * @cached: an upper-level entry came from the cache
 * @level: of the entry that is looked at
 * @table: bus address of the table that holds it
 * @writable: all entries so far allow writes
 * @pages_64k: the page table holds 64K pages
 * @iova: result: bus address of the page
 * @shift: result: log2 of the page's size
 */
struct walk {
	u64 va;
	u64 generation;
	bool use_cache;
	bool cached;
	unsigned int level;
	u64 table;
	bool writable;
	bool pages_64k;
	u64 iova;
	unsigned int shift;
};

static const char *space_name(enum gm_space space)
{
	return space == GM_SPACE_GGTT ? "GGTT" : "PPGTT";
}

struct gm_mmu *gm_mmu_create(unsigned int engine, struct gm_dma *dma, struct gm_ggtt *ggtt,
			     struct gm_stats *stats)
{
	struct gm_mmu *mmu = calloc(1, sizeof(*mmu));

	if (!mmu)
		return NULL;
	mmu->engine = engine;
	mmu->dma = dma;
	mmu->ggtt = ggtt;
	mmu->stats = stats;
	atomic_init(&mmu->pages_64k, true);
	atomic_init(&mmu->stale_period, GM_MMU_STALE_PERIOD);
	atomic_init(&mmu->generation[GM_SPACE_GGTT], 1);
	atomic_init(&mmu->generation[GM_SPACE_PPGTT], 1);
	return mmu;
}

static void flush_hits(struct gm_mmu *mmu)
{
	if (mmu->hits)
		gm_count(mmu->stats, GM_COUNT_TLB_HIT, mmu->hits);
	mmu->hits = 0;
}

void gm_mmu_destroy(struct gm_mmu *mmu)
{
	if (!mmu)
		return;
	flush_hits(mmu);
	free(mmu);
}

void gm_mmu_set_ppgtt(struct gm_mmu *mmu, bool four_level, const u64 pdp[4])
{
	unsigned int i;

	mmu->four_level = four_level;
	for (i = 0; i < GEN9_PPGTT_3LVL_PDPS; i++)
		mmu->pdp[i] = pdp[i] & GEN9_PDP_ADDR_MASK;
}

static void invalidate_space(struct gm_mmu *mmu, enum gm_space space)
{
	atomic_fetch_add(&mmu->generation[space], 1);
	gm_count(mmu->stats, GM_COUNT_TLB_INVALIDATE, 1);
}

void gm_mmu_invalidate_ggtt(struct gm_mmu *mmu)
{
	invalidate_space(mmu, GM_SPACE_GGTT);
}

void gm_mmu_invalidate_ppgtt(struct gm_mmu *mmu)
{
	invalidate_space(mmu, GM_SPACE_PPGTT);
}

void gm_mmu_invalidate(struct gm_mmu *mmu)
{
	atomic_fetch_add(&mmu->generation[GM_SPACE_PPGTT], 1);
	invalidate_space(mmu, GM_SPACE_GGTT);
}

void gm_mmu_set_stale_check(struct gm_mmu *mmu, unsigned int period)
{
	atomic_store_explicit(&mmu->stale_period, period, memory_order_relaxed);
}

void gm_mmu_set_64k(struct gm_mmu *mmu, bool enable)
{
	atomic_store_explicit(&mmu->pages_64k, enable, memory_order_relaxed);
}

/* The chip has no wires for these bits: it would go to another page than the driver meant. */
static void check_entry(const struct gm_mmu *mmu, const struct walk *walk, u64 entry, u64 low_bits)
{
	if (!walk->use_cache || !(entry & (GEN9_PTE_ADDR_RESERVED | low_bits)))
		return;
	gm_misuse(mmu->stats, GM_MISUSE_DMA_FAULT,
		  "engine %u: address %#llx: level %u entry %#llx has reserved address bits set",
		  mmu->engine, (unsigned long long)walk->va, walk->level,
		  (unsigned long long)entry);
}

static bool walk_ggtt(const struct gm_mmu *mmu, struct walk *walk)
{
	u64 entry = gm_ggtt_entry(mmu->ggtt, walk->va >> GEN9_PAGE_SHIFT_4K);

	if (!(entry & GEN9_GGTT_PRESENT))
		return false;
	check_entry(mmu, walk, entry, 0);
	walk->iova = entry & GEN9_GGTT_ADDR_MASK;
	walk->shift = GEN9_PAGE_SHIFT_4K;
	walk->writable = true;
	return true;
}

/* Where a walk starts: the roots, or below the deepest cached entry. */
static void walk_start(const struct gm_mmu *mmu, struct walk *walk)
{
	unsigned int top = mmu->four_level ? 3 : 1;
	const struct gm_tlb_table *cached;
	unsigned int level;

	walk->writable = true;
	walk->level = top;
	walk->table = mmu->pdp[mmu->four_level ? 0 : walk->va >> GEN9_PDPE_INDEX_SHIFT];
	for (level = 1; walk->use_cache && level <= top; level++) {
		cached = gm_tlb_table_lookup(&mmu->tlb, level, walk->va, walk->generation);
		if (!cached)
			continue;
		walk->cached = true;
		walk->level = level - 1;
		walk->table = cached->table;
		walk->writable = cached->writable;
		walk->pages_64k = cached->pages_64k;
		return;
	}
}

static bool read_entry(const struct gm_mmu *mmu, const struct walk *walk, u64 *entry)
{
	unsigned int shift = GEN9_PTE_INDEX_SHIFT + 9 * walk->level;
	u64 index = walk->va >> shift & (GEN9_TABLE_ENTRIES - 1);

	if (walk->level == 0 && walk->pages_64k)
		index &= ~0xfull;
	return gm_dma_read(mmu->dma, walk->table + index * GEN9_PTE_SIZE, entry, sizeof(*entry)) &&
	       *entry & GEN9_PTE_PRESENT;
}

static bool is_leaf(const struct walk *walk, u64 entry)
{
	if (walk->level == 0)
		return true;
	return walk->level < 3 && entry & GEN9_PDE_PS;
}

static void walk_leaf(const struct gm_mmu *mmu, struct walk *walk, u64 entry)
{
	u64 below;

	walk->shift = GEN9_PTE_INDEX_SHIFT + 9 * walk->level;
	if (walk->level == 0 && walk->pages_64k)
		walk->shift = GEN9_PAGE_SHIFT_64K;
	below = (1ull << walk->shift) - 1;
	check_entry(mmu, walk, entry, below & GEN9_PTE_ADDR_MASK);
	walk->iova = entry & GEN9_PTE_ADDR_MASK & ~below;
}

static void walk_down(struct gm_mmu *mmu, struct walk *walk, u64 entry)
{
	struct gm_tlb_table fill = {
		.table = entry & GEN9_PTE_ADDR_MASK,
		.generation = walk->generation,
		.writable = walk->writable,
	};

	check_entry(mmu, walk, entry, 0);
	if (walk->level == 1)
		fill.pages_64k = entry & GEN9_PDE_IPS_64K &&
			atomic_load_explicit(&mmu->pages_64k, memory_order_relaxed);
	if (walk->use_cache)
		gm_tlb_table_fill(&mmu->tlb, walk->level, walk->va, &fill);
	walk->pages_64k = fill.pages_64k;
	walk->table = fill.table;
	walk->level--;
}

/* Ends after four entries at the most: each goes one level down. */
static bool walk_ppgtt(struct gm_mmu *mmu, struct walk *walk)
{
	u64 entry;

	for (walk_start(mmu, walk); read_entry(mmu, walk, &entry); walk_down(mmu, walk, entry)) {
		walk->writable = walk->writable && entry & GEN9_PTE_RW;
		if (is_leaf(walk, entry)) {
			walk_leaf(mmu, walk, entry);
			return true;
		}
	}
	return false;
}

static bool walk_tables(struct gm_mmu *mmu, enum gm_space space, struct walk *walk)
{
	return space == GM_SPACE_GGTT ? walk_ggtt(mmu, walk) : walk_ppgtt(mmu, walk);
}

/* Compare an access that used a cached entry with what the tables say now. */
static void check_stale(struct gm_mmu *mmu, enum gm_space space, u64 va,
			const struct gm_tlb_entry *used)
{
	unsigned int period = atomic_load_explicit(&mmu->stale_period, memory_order_relaxed);
	struct walk walk = { .va = va };
	u64 iova = used->iova + (va & ((1ull << used->shift) - 1));

	if (!period || ++mmu->stale_skipped < period)
		return;
	mmu->stale_skipped = 0;
	if (walk_tables(mmu, space, &walk) && walk.writable == used->writable &&
	    walk.iova + (va & ((1ull << walk.shift) - 1)) == iova)
		return;
	/* An invalidation during the comparison makes the entry legally old. */
	if (atomic_load(&mmu->generation[space]) != used->generation)
		return;
	gm_misuse(mmu->stats, GM_MISUSE_STALE_TLB,
		  "engine %u: %s address %#llx went to %#llx by an entry that has changed: invalidate the TLB between the change and the use",
		  mmu->engine, space_name(space), (unsigned long long)va,
		  (unsigned long long)iova);
}

static void raise_fault(struct gm_mmu *mmu, enum gm_space space, u64 va, bool write,
			unsigned int level)
{
	gm_count(mmu->stats, GM_COUNT_PAGE_FAULT, 1);
	gm_misuse(mmu->stats, GM_MISUSE_UNSCRATCHED_PTE,
		  "engine %u: %s of %s address %#llx: invalid entry at level %u", mmu->engine,
		  write ? "write" : "read", space_name(space), (unsigned long long)va, level);
	if (mmu->fault.valid)
		return;
	mmu->fault = (struct gm_fault){
		.valid = true,
		.space = space,
		.write = write,
		.va = va,
		.level = level,
	};
}

static const struct gm_tlb_entry *miss(struct gm_mmu *mmu, enum gm_space space, u64 va, bool write,
				       u64 generation)
{
	struct walk walk = { .va = va, .generation = generation, .use_cache = true };
	const struct gm_tlb_entry *entry;
	struct gm_tlb_entry fill;

	flush_hits(mmu);
	gm_count(mmu->stats, GM_COUNT_TLB_MISS, 1);
	if (!walk_tables(mmu, space, &walk)) {
		raise_fault(mmu, space, va, write, walk.level);
		return NULL;
	}
	fill = (struct gm_tlb_entry){
		.iova = walk.iova,
		.generation = generation,
		.shift = walk.shift,
		.writable = walk.writable,
	};
	entry = gm_tlb_fill(&mmu->tlb, space, va, &fill);
	if (walk.cached)
		check_stale(mmu, space, va, entry);
	return entry;
}

/* Bring @va into its space; false when it has bits that the space does not. */
static bool normalize(const struct gm_mmu *mmu, enum gm_space space, u64 *va, unsigned int *level)
{
	if (space == GM_SPACE_PPGTT && mmu->four_level) {
		*va &= (1ull << GEN9_PPGTT_4LVL_BITS) - 1;
		return true;
	}
	*level = space == GM_SPACE_PPGTT ? 2 : 0;
	return !(*va >> GEN9_GGTT_BITS);
}

static const struct gm_tlb_entry *find(struct gm_mmu *mmu, enum gm_space space, u64 *va, bool write)
{
	const struct gm_tlb_entry *entry;
	unsigned int level;
	u64 generation;

	if (!normalize(mmu, space, va, &level)) {
		raise_fault(mmu, space, *va, write, level);
		return NULL;
	}
	generation = atomic_load_explicit(&mmu->generation[space], memory_order_acquire);
	entry = gm_tlb_lookup(&mmu->tlb, space, *va, generation);
	if (!entry)
		return miss(mmu, space, *va, write, generation);
	if (++mmu->hits >= HITS_PER_LOT)
		flush_hits(mmu);
	check_stale(mmu, space, *va, entry);
	return entry;
}

bool gm_mmu_translate(struct gm_mmu *mmu, enum gm_space space, u64 va, bool write,
		      u64 *iova, u64 *contig)
{
	const struct gm_tlb_entry *entry = find(mmu, space, &va, write);
	u64 offset;

	if (!entry)
		return false;
	if (write && !entry->writable) {
		offset = va & (GEN9_TABLE_SIZE - 1);
		*iova = GM_MMU_DISCARD + offset;
		*contig = GEN9_TABLE_SIZE - offset;
		return true;
	}
	offset = va & ((1ull << entry->shift) - 1);
	*iova = entry->iova + offset;
	*contig = (1ull << entry->shift) - offset;
	return true;
}

/* How far an access may go without another translation; a fault ends at its 4K page. */
static size_t chunk_of(u64 va, size_t len, bool valid, u64 contig)
{
	u64 chunk = valid ? contig : GEN9_TABLE_SIZE - va % GEN9_TABLE_SIZE;

	return chunk < len ? chunk : len;
}

bool gm_mmu_read(struct gm_mmu *mmu, enum gm_space space, u64 va, void *buf, size_t len)
{
	bool all = true;
	u64 iova, contig = 0;
	size_t chunk;
	bool valid;

	for (; len; len -= chunk, va += chunk, buf = (u8 *)buf + chunk) {
		valid = gm_mmu_translate(mmu, space, va, false, &iova, &contig);
		chunk = chunk_of(va, len, valid, contig);
		if (valid)
			gm_dma_read(mmu->dma, iova, buf, chunk);
		else
			memset(buf, 0, chunk);
		all = all && valid;
	}
	return all;
}

bool gm_mmu_write(struct gm_mmu *mmu, enum gm_space space, u64 va, const void *buf, size_t len)
{
	bool all = true;
	u64 iova, contig = 0;
	size_t chunk;
	bool valid;

	for (; len; len -= chunk, va += chunk, buf = (const u8 *)buf + chunk) {
		valid = gm_mmu_translate(mmu, space, va, true, &iova, &contig);
		chunk = chunk_of(va, len, valid, contig);
		if (valid && !gm_mmu_discards(iova))
			gm_dma_write(mmu->dma, iova, buf, chunk);
		all = all && valid;
	}
	return all;
}

struct gm_fault gm_mmu_take_fault(struct gm_mmu *mmu)
{
	struct gm_fault fault = mmu->fault;

	flush_hits(mmu);
	mmu->fault = (struct gm_fault){ 0 };
	return fault;
}
