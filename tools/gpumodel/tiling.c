// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory layouts of surfaces.
 *
 * A tile is a power of two of bytes. Its offset bits are shared out between
 * the bits of x (in bytes) and the bits of y (in rows), in order; a layout is
 * those two masks, and everything else follows from them.
 *
 * Sources: Linux i915, gem/selftests/i915_gem_mman.c, tiled_offset() (X and Y); Intel
 * gmmlib, Utility/CpuSwizzleBlt/CpuSwizzleBlt.c (the bits of Yf and Ys by pixel size).
 */
#include <gvirt/gen9_blt.h>
#include "tiling.h"

/**
 * struct layout - Which offset bits of a tile come from where
 * @x_mask: bits that hold x
 * @y_mask: bits that hold y
 */
struct layout {
	u16 x_mask;
	u16 y_mask;
};

static struct layout layout_of(enum gm_tiling tiling, u32 cpp)
{
	static const struct layout yf[] = {
		{ GEN9_TILE_YF_8_X, GEN9_TILE_YF_8_Y },
		{ GEN9_TILE_YF_32_X, GEN9_TILE_YF_32_Y },
		{ GEN9_TILE_YF_128_X, GEN9_TILE_YF_128_Y },
	};
	struct layout layout;

	if (tiling == GM_TILING_X)
		return (struct layout){ GEN9_TILE_X_X, GEN9_TILE_X_Y };
	if (tiling == GM_TILING_Y)
		return (struct layout){ GEN9_TILE_Y_X, GEN9_TILE_Y_Y };

	layout = yf[cpp < 2 ? 0 : cpp < 8 ? 1 : 2];
	if (tiling == GM_TILING_YS) {
		layout.x_mask |= GEN9_TILE_YS_X;
		layout.y_mask |= GEN9_TILE_YS_Y;
	}
	return layout;
}

/* Spread the low bits of @value over the bits of @mask. */
static u32 deposit(u32 value, u32 mask)
{
	u32 result = 0;

	for (; mask; mask &= mask - 1, value >>= 1)
		if (value & 1)
			result |= mask & -mask;
	return result;
}

u32 gm_tiling_width(enum gm_tiling tiling, u32 cpp)
{
	if (tiling == GM_TILING_LINEAR)
		return 1;
	return 1u << __builtin_popcount(layout_of(tiling, cpp).x_mask);
}

/* Low x bits that are together at the bottom of the offset. */
static u32 span_of(u32 x_mask)
{
	u32 above = x_mask + 1;

	return above & -above;
}

struct gm_tiling_walk gm_tiling_walk_start(enum gm_tiling tiling, u32 x, u32 y, u32 pitch, u32 cpp)
{
	struct layout layout = layout_of(tiling, cpp);
	unsigned int x_bits = __builtin_popcount(layout.x_mask);
	unsigned int y_bits = __builtin_popcount(layout.y_mask);

	return (struct gm_tiling_walk){
		.tile = ((u64)(y >> y_bits) * pitch << y_bits) +
			((u64)(x >> x_bits) << (x_bits + y_bits)),
		.x_bits = deposit(x, layout.x_mask),
		.y_bits = deposit(y, layout.y_mask),
		.x_mask = layout.x_mask,
		.size = 1u << (x_bits + y_bits),
		.span = span_of(layout.x_mask),
	};
}

u64 gm_tiling_offset(enum gm_tiling tiling, u32 x, u32 y, u32 pitch, u32 cpp)
{
	struct gm_tiling_walk walk;

	if (tiling == GM_TILING_LINEAR)
		return (u64)y * pitch + x;
	walk = gm_tiling_walk_start(tiling, x, y, pitch, cpp);
	return gm_tiling_walk_offset(&walk);
}

u32 gm_tiling_span(enum gm_tiling tiling, u32 x, u32 cpp)
{
	u32 span;

	if (tiling == GM_TILING_LINEAR)
		return GM_TILING_SPAN_ALL;
	span = span_of(layout_of(tiling, cpp).x_mask);
	return span - (x & (span - 1));
}
