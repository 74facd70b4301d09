// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tilings, from the Skylake PRM, volume 5 (memory views): an X tile is 512
 * bytes wide and 8 rows high, row after row; a Y tile is 128 bytes wide and 32
 * rows high, made of columns of 16 bytes. Both fill one page.
 */
#include <libdrm/i915_drm.h>

#include "tile.h"

u64 tile_offset(u32 tiling, u32 stride, u32 x, u32 y)
{
	u64 tile;

	switch (tiling) {
	case I915_TILING_X:
		tile = (u64)(y / 8) * (stride / 512) + x / 512;
		return tile * 4096 + y % 8 * 512 + x % 512;
	case I915_TILING_Y:
		tile = (u64)(y / 32) * (stride / 128) + x / 128;
		return tile * 4096 + x % 128 / 16 * 512 + y % 32 * 16 + x % 16;
	default:
		return (u64)y * stride + x;
	}
}
