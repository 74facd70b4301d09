/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The 2D engine's pixel work: one rectangle, three operands, a raster operation.
 */
#ifndef GM_BLT_RASTER_H
#define GM_BLT_RASTER_H

#include <stdatomic.h>
#include <linux/types.h>
#include <gvirt/gen9_blt.h>
#include "blt_surface.h"

/**
 * enum gm_blt_source - Where the source operand comes from
 * @GM_BLT_SOURCE_NONE: there is none, it counts as 0
 * @GM_BLT_SOURCE_COLOR: pixels of a surface, of the destination's depth
 * @GM_BLT_SOURCE_MONO: a bit per pixel, expanded to two colors
 */
enum gm_blt_source {
	GM_BLT_SOURCE_NONE,
	GM_BLT_SOURCE_COLOR,
	GM_BLT_SOURCE_MONO,
};

/**
 * enum gm_blt_key - Which pixels are written (chroma key)
 * @GM_BLT_KEY_NONE: all
 * @GM_BLT_KEY_SOURCE: those whose source is outside the range
 * @GM_BLT_KEY_DESTINATION: those whose destination is inside the range
 */
enum gm_blt_key {
	GM_BLT_KEY_NONE,
	GM_BLT_KEY_SOURCE,
	GM_BLT_KEY_DESTINATION,
};

/**
 * struct gm_blt_mono - A monochrome source
 * @data: bits in the command; NULL: they are in memory
 * @va: address of the bits in memory
 * @first_bit: number of the bit of pixel (0, 0); bit 0 is the highest of byte 0
 * @row_bits: bits from one row to the next
 * @foreground: color of a one
 * @background: color of a zero
 * @transparent: pixels of zeros stay as they are
 */
struct gm_blt_mono {
	const u8 *data;
	u64 va;
	u32 first_bit;
	u32 row_bits;
	u32 foreground;
	u32 background;
	bool transparent;
};

/**
 * struct gm_blt_pattern - The pattern operand, for every kind of pattern
 * @pixel: by row and column
 * @keep: per row, bit n: pixels at column n stay as they are
 * @x: added to a pixel's x to get its column, modulo 8
 * @y: added to a pixel's y to get its row, modulo 8
 */
struct gm_blt_pattern {
	u32 pixel[GEN9_BLT_PATTERN_SIZE][GEN9_BLT_PATTERN_SIZE];
	u8 keep[GEN9_BLT_PATTERN_SIZE];
	u32 x;
	u32 y;
};

#define GM_BLT_COMPONENTS 4

/**
 * struct gm_blt_job - A rectangle to draw
 * @dst: destination
 * @x1: left, in pixels
 * @y1: top
 * @x2: right, exclusive
 * @y2: bottom, exclusive
 * @rop: raster operation, see GEN9_ROP_*
 * @write_mask: bits of a pixel that are written
 * @source: kind of source
 * @src: the source when it is a surface
 * @src_x: source column of @x1
 * @src_y: source row of @y1
 * @mono: the source when it is monochrome
 * @pattern: the pattern; all zero when there is none
 * @key: kind of chroma key
 * @key_low: lower end of its range, inclusive
 * @key_high: upper end, inclusive
 * @key_mask: bits of each component that is compared; 0: no such component
 * @right_to_left: order of the pixels in a row
 * @bottom_up: order of the rows
 * @abort: polled; NULL or when it turns true the rest is not drawn
 */
struct gm_blt_job {
	struct gm_blt_surface dst;
	s32 x1;
	s32 y1;
	s32 x2;
	s32 y2;
	u8 rop;
	u32 write_mask;
	enum gm_blt_source source;
	struct gm_blt_surface src;
	s32 src_x;
	s32 src_y;
	struct gm_blt_mono mono;
	struct gm_blt_pattern pattern;
	enum gm_blt_key key;
	u32 key_low;
	u32 key_high;
	u32 key_mask[GM_BLT_COMPONENTS];
	bool right_to_left;
	bool bottom_up;
	const atomic_bool *abort;
};

/* Whether the result of a raster operation depends on the source. */
static inline bool gm_blt_rop_uses_source(u8 rop)
{
	return (rop >> 2 ^ rop) & 0x33;
}

/* Whether it depends on the pattern. */
static inline bool gm_blt_rop_uses_pattern(u8 rop)
{
	return (rop >> 4 ^ rop) & 0x0f;
}

/* Whether it depends on the destination. */
static inline bool gm_blt_rop_uses_destination(u8 rop)
{
	return (rop >> 1 ^ rop) & 0x55;
}

/**
 * gm_blt_job_clip() - Cut a job down to a rectangle, its source with it
 * @job: the job
 * @x1: left
 * @y1: top
 * @x2: right, exclusive
 * @y2: bottom, exclusive
 */
void gm_blt_job_clip(struct gm_blt_job *job, s32 x1, s32 y1, s32 x2, s32 y2);

/**
 * gm_blt_job_draw() - Draw a rectangle
 * @memory: how to reach it
 * @job: what to draw; nothing when it is empty
 * @bytes: out: bytes of the destination that were drawn
 *
 * Return: false on a page fault, which the MMU keeps; what came before is drawn.
 */
bool gm_blt_job_draw(const struct gm_blt_memory *memory, const struct gm_blt_job *job, u64 *bytes);

#endif
