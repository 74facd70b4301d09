/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a byte of a tiled surface is in memory, computed by the CPU. Gen9 does
 * no address bit 6 swizzling.
 */
#ifndef I915_TEST_TILE_H
#define I915_TEST_TILE_H

#include <linux/types.h>

/**
 * tile_offset() - offset of one byte
 * @tiling: I915_TILING_*
 * @stride: bytes of one row, a multiple of the tile's width
 * @x: byte in the row
 * @y: row
 *
 * Return: offset from the start of the surface.
 */
u64 tile_offset(u32 tiling, u32 stride, u32 x, u32 y);

#endif
