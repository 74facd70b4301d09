/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory layouts of surfaces: where byte (x, y) of a tiled surface stands.
 *
 * Used by the 2D engine and by the fences of the aperture. No bit-6 swizzling.
 * Sources: see tiling.c.
 */
#ifndef GM_TILING_H
#define GM_TILING_H

#include <linux/types.h>

/**
 * enum gm_tiling - Layouts of surfaces
 * @GM_TILING_LINEAR: row by row
 * @GM_TILING_X: tiles of 512 bytes by 8 rows, row by row
 * @GM_TILING_Y: tiles of 128 bytes by 32 rows, in columns of 16 bytes
 * @GM_TILING_YF: tiles of 4 KiB whose shape depends on the size of a pixel
 * @GM_TILING_YS: the same with 64 KiB
 */
enum gm_tiling {
	GM_TILING_LINEAR,
	GM_TILING_X,
	GM_TILING_Y,
	GM_TILING_YF,
	GM_TILING_YS,
};

/**
 * gm_tiling_offset() - Byte offset of (x, y) in a surface
 * @tiling: its layout
 * @x: in bytes
 * @y: in rows
 * @pitch: bytes between rows; of a tiled surface a multiple of its tile's width
 * @cpp: bytes per pixel: 1, 2, 4, 8 or 16; matters to Yf and Ys only
 *
 * Return: bytes from the surface's base.
 */
u64 gm_tiling_offset(enum gm_tiling tiling, u32 x, u32 y, u32 pitch, u32 cpp);

/* Bytes that a row of one tile has; 1 for a linear surface. */
u32 gm_tiling_width(enum gm_tiling tiling, u32 cpp);

/* What gm_tiling_span() says of a linear surface. */
#define GM_TILING_SPAN_ALL 0xffffffffu

/* How many bytes from @x (in bytes) on are contiguous in memory. */
u32 gm_tiling_span(enum gm_tiling tiling, u32 x, u32 cpp);

/**
 * struct gm_tiling_walk - A place in a row of a tiled surface that moves right
 * @tile: offset of the tile
 * @x_bits: what x gives to the offset in the tile
 * @y_bits: what y gives to it
 * @x_mask: bits of the offset that x gives
 * @size: bytes of a tile
 * @span: bytes that are contiguous at the most
 */
struct gm_tiling_walk {
	u64 tile;
	u32 x_bits;
	u32 y_bits;
	u32 x_mask;
	u32 size;
	u32 span;
};

/* Start at (@x, @y); arguments as for gm_tiling_offset(), but not linear. */
struct gm_tiling_walk gm_tiling_walk_start(enum gm_tiling tiling, u32 x, u32 y, u32 pitch, u32 cpp);

/* Byte offset of the place. */
static inline u64 gm_tiling_walk_offset(const struct gm_tiling_walk *walk)
{
	return walk->tile + (walk->x_bits | walk->y_bits);
}

/* Bytes that are contiguous from here on. */
static inline u32 gm_tiling_walk_left(const struct gm_tiling_walk *walk)
{
	return walk->span - (walk->x_bits & (walk->span - 1));
}

/**
 * gm_tiling_walk_move() - Go to the right
 * @walk: the place
 * @bytes: how far, gm_tiling_walk_left() at the most
 *
 * The bits that are not x's are set for the addition, so that a carry goes
 * through them from one of x's bits to the next.
 */
static inline void gm_tiling_walk_move(struct gm_tiling_walk *walk, u32 bytes)
{
	walk->x_bits = ((walk->x_bits | ~walk->x_mask) + bytes) & walk->x_mask;
	if (!walk->x_bits)
		walk->tile += walk->size;
}

#endif
