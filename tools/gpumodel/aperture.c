// SPDX-License-Identifier: GPL-2.0-only
/*
 * BAR2, the aperture.
 *
 * An access is cut into pieces that are contiguous in graphics memory: to the
 * end of the page, and inside of a fence to the end of the tile's run. Each
 * piece goes through a GGTT TLB of its own, which a driver has to invalidate
 * like the engines'.
 *
 * The fences live in the register file alone: whatever changes them there, a
 * write or a reset, counts from the next piece on.
 *
 * Source: Linux i915, gt/intel_ggtt_fencing.c.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_pte.h>
#include "aperture.h"
#include "dma.h"
#include "ggtt.h"
#include "mmio.h"
#include "stats.h"
#include "tiling.h"
#include "tlb.h"

struct gm_aperture {
	u64 size;
	struct gm_dma *dma;
	struct gm_ggtt *ggtt;
	struct gm_mmio *mmio;
	struct gm_stats *stats;
	_Atomic u64 generation;
	pthread_mutex_t lock;	/* protects tlb */
	struct gm_tlb tlb;
};

/**
 * struct fence - A decoded fence register
 * @start: first address it covers
 * @last: last address it covers
 * @pitch: bytes between rows
 * @tiling: of the surface
 */
struct fence {
	u64 start;
	u64 last;
	u32 pitch;
	enum gm_tiling tiling;
};

/**
 * struct piece - Part of an access that is contiguous in graphics memory
 * @gma: where it starts in the GGTT's address space
 * @len: bytes
 */
struct piece {
	u64 gma;
	size_t len;
};

struct gm_aperture *gm_aperture_create(u64 size, struct gm_dma *dma, struct gm_ggtt *ggtt,
				       struct gm_mmio *mmio, struct gm_stats *stats)
{
	const struct gm_mmio_range fences = {
		.first = GEN9_FENCE_LO(0),
		.last = GEN9_FENCE_HI(GEN9_FENCE_COUNT - 1),
	};
	struct gm_aperture *aperture = calloc(1, sizeof(*aperture));

	if (!aperture)
		return NULL;
	aperture->size = size;
	aperture->dma = dma;
	aperture->ggtt = ggtt;
	aperture->mmio = mmio;
	aperture->stats = stats;
	atomic_init(&aperture->generation, 1);
	pthread_mutex_init(&aperture->lock, NULL);
	if (gm_mmio_add(mmio, &fences)) {
		gm_aperture_destroy(aperture);
		return NULL;
	}
	return aperture;
}

void gm_aperture_destroy(struct gm_aperture *aperture)
{
	if (!aperture)
		return;
	pthread_mutex_destroy(&aperture->lock);
	free(aperture);
}

void gm_aperture_invalidate(struct gm_aperture *aperture)
{
	atomic_fetch_add(&aperture->generation, 1);
}

static struct fence decode_fence(u32 lo, u32 hi)
{
	return (struct fence){
		.start = lo & GEN9_FENCE_START_MASK,
		.last = (hi & GEN9_FENCE_END_MASK) + 0xfffull,
		.pitch = ((hi & GEN9_FENCE_PITCH_MASK) + 1) * GEN9_FENCE_PITCH_UNIT,
		.tiling = lo & GEN9_FENCE_TILING_Y ? GM_TILING_Y : GM_TILING_X,
	};
}

/* Tiles of half a width do not exist; the manual forbids to program such a pitch. */
static bool pitch_fits(struct gm_aperture *aperture, unsigned int n, const struct fence *fence)
{
	u32 width = fence->tiling == GM_TILING_Y ? GEN9_FENCE_Y_TILE_WIDTH :
						   GEN9_FENCE_X_TILE_WIDTH;

	if (fence->pitch % width == 0)
		return true;
	gm_misuse(aperture->stats, GM_MISUSE_REG_ACCESS,
		  "fence %u: pitch %u is not a multiple of the tile's width, %u bytes", n,
		  fence->pitch, width);
	return false;
}

/* Fences must not overlap; where they do, the first one counts here. */
static bool find_fence(struct gm_aperture *aperture, u64 offset, struct fence *fence)
{
	unsigned int n;
	u32 lo;

	for (n = 0; n < GEN9_FENCE_COUNT; n++) {
		lo = gm_mmio_peek(aperture->mmio, GEN9_FENCE_LO(n));
		if (!(lo & GEN9_FENCE_VALID))
			continue;
		*fence = decode_fence(lo, gm_mmio_peek(aperture->mmio, GEN9_FENCE_HI(n)));
		if (offset >= fence->start && offset <= fence->last)
			return pitch_fits(aperture, n, fence);
	}
	return false;
}

static size_t min_len(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Where the byte at @offset is in graphics memory, and how much follows it there. */
static struct piece find_piece(struct gm_aperture *aperture, u64 offset, size_t len)
{
	struct piece piece = { .gma = offset, .len = len };
	struct fence fence;
	u64 linear;
	u32 x, y;

	if (find_fence(aperture, offset, &fence)) {
		linear = offset - fence.start;
		x = linear % fence.pitch;
		y = linear / fence.pitch;
		piece.gma = fence.start + gm_tiling_offset(fence.tiling, x, y, fence.pitch, 1);
		piece.len = min_len(len, gm_tiling_span(fence.tiling, x, 1));
	}
	/*
	 * A tile is a page, so a run of it never leaves one. Outside of fences
	 * this is the page itself, and since fences begin at pages, the way to
	 * the next fence as well.
	 */
	piece.len = min_len(piece.len, GEN9_TABLE_SIZE - offset % GEN9_TABLE_SIZE);
	return piece;
}

static void check_stale(struct gm_aperture *aperture, u64 gma, const struct gm_tlb_entry *used)
{
	u64 entry = gm_ggtt_entry(aperture->ggtt, gma >> GEN9_PAGE_SHIFT_4K);

	if (entry & GEN9_GGTT_PRESENT && (entry & GEN9_GGTT_ADDR_MASK) == used->iova)
		return;
	if (atomic_load(&aperture->generation) != used->generation)
		return;
	gm_misuse(aperture->stats, GM_MISUSE_STALE_TLB,
		  "aperture: GGTT address %#llx went to %#llx by an entry that has changed: write GFX_FLSH_CNTL between the change and the use",
		  (unsigned long long)gma, (unsigned long long)used->iova);
}

static bool walk(struct gm_aperture *aperture, u64 gma, struct gm_tlb_entry *fill)
{
	u64 entry = gm_ggtt_entry(aperture->ggtt, gma >> GEN9_PAGE_SHIFT_4K);

	if (!(entry & GEN9_GGTT_PRESENT)) {
		gm_count(aperture->stats, GM_COUNT_PAGE_FAULT, 1);
		gm_misuse(aperture->stats, GM_MISUSE_UNSCRATCHED_PTE,
			  "aperture: GGTT address %#llx: invalid entry", (unsigned long long)gma);
		return false;
	}
	if (entry & GEN9_PTE_ADDR_RESERVED)
		gm_misuse(aperture->stats, GM_MISUSE_DMA_FAULT,
			  "aperture: GGTT address %#llx: entry %#llx has reserved address bits set",
			  (unsigned long long)gma, (unsigned long long)entry);
	fill->iova = entry & GEN9_GGTT_ADDR_MASK;
	fill->shift = GEN9_PAGE_SHIFT_4K;
	fill->writable = true;
	return true;
}

static bool translate(struct gm_aperture *aperture, u64 gma, u64 *iova)
{
	struct gm_tlb_entry fill = { .generation = atomic_load(&aperture->generation) };
	const struct gm_tlb_entry *entry;

	entry = gm_tlb_lookup(&aperture->tlb, GM_SPACE_GGTT, gma, fill.generation);
	if (entry)
		check_stale(aperture, gma, entry);
	else if (walk(aperture, gma, &fill))
		entry = gm_tlb_fill(&aperture->tlb, GM_SPACE_GGTT, gma, &fill);
	else
		return false;
	*iova = entry->iova + gma % GEN9_TABLE_SIZE;
	return true;
}

/* The CPU gets all ones from where nothing answers, and does not learn of a lost write. */
static void access_piece(struct gm_aperture *aperture, const struct piece *piece, void *buf,
			 bool write)
{
	u64 iova;

	if (!translate(aperture, piece->gma, &iova)) {
		if (!write)
			memset(buf, 0xff, piece->len);
	} else if (write) {
		gm_dma_write(aperture->dma, iova, buf, piece->len);
	} else {
		gm_dma_read(aperture->dma, iova, buf, piece->len);
	}
}

bool gm_aperture_access(struct gm_aperture *aperture, u64 offset, void *buf, size_t len,
			bool write)
{
	struct piece piece;

	if (offset > aperture->size || len > aperture->size - offset)
		return false;
	pthread_mutex_lock(&aperture->lock);
	for (; len; len -= piece.len, offset += piece.len, buf = (u8 *)buf + piece.len) {
		piece = find_piece(aperture, offset, len);
		access_piece(aperture, &piece, buf, write);
	}
	pthread_mutex_unlock(&aperture->lock);
	return true;
}
