// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fences, see fence.h.
 *
 * Sources: Linux i915, gt/intel_ggtt_fencing.c (registers) and
 * gem/selftests/i915_gem_mman.c (tiles).
 */
#include <linux/bits.h>
#include <gvirt/gen9_pte.h>
#include "fence.h"

/**
 * struct shape - What tiles look like
 * @width: bytes of a row
 * @height: rows
 * @column: bytes of a row that are together
 */
struct shape {
	u32 width;
	u32 height;
	u32 column;
};

static const struct shape x_tile = { GEN9_FENCE_X_TILE_WIDTH, 8, GEN9_FENCE_X_TILE_WIDTH };
static const struct shape y_tile = { GEN9_FENCE_Y_TILE_WIDTH, 32, 16 };

static const struct shape *shape_of(const struct gvirt_fence *fence)
{
	return fence->y ? &y_tile : &x_tile;
}

struct gvirt_fence gvirt_fence_decode(u64 value)
{
	const struct gvirt_fence none = { .pitch = 0 };
	u32 lo = value, hi = value >> 32;
	const struct gvirt_fence fence = {
		.first = (lo & GEN9_FENCE_START_MASK) >> GEN9_PAGE_SHIFT_4K,
		.last = (hi & GEN9_FENCE_END_MASK) >> GEN9_PAGE_SHIFT_4K,
		.pitch = ((hi & GEN9_FENCE_PITCH_MASK) + 1) * GEN9_FENCE_PITCH_UNIT,
		.y = lo & GEN9_FENCE_TILING_Y,
	};

	if (!(lo & GEN9_FENCE_VALID) || fence.first > fence.last)
		return none;
	return fence.pitch % shape_of(&fence)->width ? none : fence;
}

u64 gvirt_fence_encode(const struct gvirt_fence *fence)
{
	u32 hi = (fence->last << GEN9_PAGE_SHIFT_4K) | (fence->pitch / GEN9_FENCE_PITCH_UNIT - 1);
	u32 lo = (fence->first << GEN9_PAGE_SHIFT_4K) | GEN9_FENCE_VALID;

	if (fence->y)
		lo |= GEN9_FENCE_TILING_Y;
	return (u64)hi << 32 | lo;
}

bool gvirt_fence_equal(const struct gvirt_fence *a, const struct gvirt_fence *b)
{
	return a->pitch == b->pitch && a->first == b->first && a->last == b->last && a->y == b->y;
}

int gvirt_fence_find(const struct gvirt_fence *fence, unsigned int count, u32 page)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (gvirt_fence_covers(&fence[i], page))
			return i;
	return -1;
}

u64 gvirt_fence_detile(const struct gvirt_fence *fence, u64 address, u32 *run)
{
	const struct shape *tile = shape_of(fence);
	u64 start = (u64)fence->first << GEN9_PAGE_SHIFT_4K;
	u32 linear = address - start;
	u32 x = linear % fence->pitch, y = linear / fence->pitch;
	u32 number = y / tile->height * (fence->pitch / tile->width) + x / tile->width;
	u32 column = x % tile->width / tile->column;
	u32 at = x % tile->column;

	*run = tile->column - at;
	return start + ((u64)number << GEN9_PAGE_SHIFT_4K) +
	       (column * tile->height + y % tile->height) * tile->column + at;
}

struct gvirt_fence_chunk gvirt_fence_chunk_of(const struct gvirt_fence *fence, u32 page)
{
	u32 row = fence->pitch / shape_of(fence)->width;
	u32 most = row < GVIRT_FENCE_CHUNK_PAGES ? GVIRT_FENCE_CHUNK_PAGES / row * row : row;
	u32 first = page - (page - fence->first) % most;
	u32 left = fence->last + 1 - first;
	u32 pages = (left + row - 1) / row * row;

	return (struct gvirt_fence_chunk){ first, pages < most ? pages : most };
}

static unsigned int holdings(const struct gvirt_fence_claim *claim, unsigned int count,
			     const void *owner)
{
	unsigned int i, n = 0;

	for (i = 0; i < count; i++)
		n += claim[i].owner == owner;
	return n;
}

unsigned int gvirt_fence_victim(const struct gvirt_fence_claim *claim, unsigned int count,
				const void *owner)
{
	unsigned int i, n, most = 0, best = 0;

	for (i = 0; i < count; i++) {
		if (!claim[i].owner)
			return i;
		/* At a draw one's own goes. */
		n = 2 * holdings(claim, count, claim[i].owner) + (claim[i].owner == owner);
		if (n < most || (n == most && claim[i].used > claim[best].used))
			continue;
		most = n;
		best = i;
	}
	return best;
}
