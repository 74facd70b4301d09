/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The 2D engine as the manual describes it, pixel by pixel and bit by bit, and
 * an encoder of its commands. Slow, plain, and independent of the model.
 */
#ifndef BLT_REFERENCE_H
#define BLT_REFERENCE_H

#include <stdlib.h>
#include <string.h>
#include <linux/types.h>

enum ref_layout { LINEAR, TILE_X, TILE_Y, TILE_YF, TILE_YS };
enum ref_source { NO_SOURCE, COLOR_SOURCE, MONO_SOURCE, MONO_SOURCE_IMM };
enum ref_pattern { NO_PATTERN, SOLID, COLOR_PATTERN, COLOR_PATTERN_IMM, MONO_PATTERN };

/**
 * struct ref_surface - A surface
 * @layout: of its tiles
 * @base: address
 * @pitch: bytes
 */
struct ref_surface {
	enum ref_layout layout;
	u64 base;
	int pitch;
};

/**
 * struct ref_op - Everything that a 2D operation can be told
 * @depth: 0: 8, 1: 565, 2: 1555, 3: 32 bits per pixel; fast copies: their own code
 * @cpp: bytes per pixel
 * @alpha: the alpha byte is written, and @rgb the others (32 bits per pixel)
 * @clip: @cx1 and so on count
 * @bits: monochrome source: copy of the bits, @bits_at: their address
 * @first_bit: of each row
 * @row_bits: from row to row
 * @colors: 8x8 pixels of a color pattern, @colors_at: their address
 * @pattern_bits: 8x8 bits, byte n is row n
 * @key: chroma key mode, bits 0 on, 1 alpha, 2 destination
 */
struct ref_op {
	int depth;
	u32 cpp;
	bool alpha;
	bool rgb;
	u8 rop;
	struct ref_surface dst;
	int x1, y1, x2, y2;
	bool clip;
	int cx1, cy1, cx2, cy2;

	enum ref_source source;
	struct ref_surface src;
	int sx, sy;
	const u8 *bits;
	u64 bits_at;
	u32 first_bit;
	u32 row_bits;
	bool src_transparent;
	u32 src_back, src_fore;

	enum ref_pattern pattern;
	u32 solid;
	u32 colors[8][8];
	u64 colors_at;
	u8 pattern_bits[8];
	bool pattern_transparent;
	u32 pattern_back, pattern_fore;
	u32 seed_x, seed_y;

	u32 key;
	u32 key_low, key_high;
};

static inline u64 ref_tiled(const char *bits, u64 x, u64 y, u64 pitch)
{
	u64 width = 1, height = 1, offset = 0, number;
	size_t n = strlen(bits), i;

	for (i = 0; i < n; i++) {
		if (bits[i] == 'x')
			width *= 2;
		else
			height *= 2;
	}
	number = y / height * (pitch / width) + x / width;
	for (i = 0; i < n; i++) {
		u64 *from = bits[n - 1 - i] == 'x' ? &x : &y;

		offset |= (*from & 1) << i;
		*from >>= 1;
	}
	return (number << n) + offset;
}

/* Address of byte @byte of pixel (@x, @y). */
static inline u64 ref_at(const struct ref_surface *s, u32 cpp, int x, int y, u32 byte)
{
	static const char * const yf[] = { "xyxyyyyyxxxx", "xyxyxyyyxxxx", "xyxyxxyyxxxx" };
	s64 at = (s64)x * cpp + byte;
	int class = cpp == 1 ? 0 : cpp <= 4 ? 1 : 2;
	char ys[32] = "xyxy";

	switch (s->layout) {
	case LINEAR:
		return s->base + y * (s64)s->pitch + at;
	case TILE_X:
		return s->base + ref_tiled("yyyxxxxxxxxx", at, y, s->pitch);
	case TILE_Y:
		return s->base + ref_tiled("xxxyyyyyxxxx", at, y, s->pitch);
	case TILE_YF:
		return s->base + ref_tiled(yf[class], at, y, s->pitch);
	default:
		strcat(ys, yf[class]);
		return s->base + ref_tiled(ys, at, y, s->pitch);
	}
}

static inline u64 ref_pixel(const u8 *memory, const struct ref_surface *s, u32 cpp, int x, int y)
{
	u64 pixel = 0;
	u32 i;

	for (i = 0; i < cpp; i++)
		pixel |= (u64)memory[ref_at(s, cpp, x, y, i)] << (8 * i);
	return pixel;
}

static inline bool ref_in_range(const struct ref_op *op, u32 pixel)
{
	/* Places of red, green, blue and alpha, by depth. */
	static const struct { int at, width; } fields[4][4] = {
		{ { 0, 8 } },
		{ { 11, 5 }, { 5, 6 }, { 0, 5 } },
		{ { 10, 5 }, { 5, 5 }, { 0, 5 }, { 15, 1 } },
		{ { 16, 8 }, { 8, 8 }, { 0, 8 }, { 24, 8 } },
	};
	int i, n = op->key & 2 ? 4 : 3;

	for (i = 0; i < n && fields[op->depth][i].width; i++) {
		int at = fields[op->depth][i].at;
		u32 mask = (1u << fields[op->depth][i].width) - 1;
		u32 value = pixel >> at & mask;

		if (value < (op->key_low >> at & mask) || value > (op->key_high >> at & mask))
			return false;
	}
	return true;
}

/* The source operand of a pixel; false: the pixel stays. */
static inline bool ref_source_of(const struct ref_op *op, const u8 *before, int x, int y, u32 *s)
{
	u64 bit;

	*s = 0;
	if (op->source == COLOR_SOURCE)
		*s = ref_pixel(before, &op->src, op->cpp, op->sx + x - op->x1, op->sy + y - op->y1);
	if (op->source != MONO_SOURCE && op->source != MONO_SOURCE_IMM)
		return true;
	bit = op->first_bit + (u64)(y - op->y1) * op->row_bits + (x - op->x1);
	*s = op->bits[bit / 8] & (0x80 >> bit % 8) ? op->src_fore : op->src_back;
	return op->bits[bit / 8] & (0x80 >> bit % 8) || !op->src_transparent;
}

static inline bool ref_pattern_of(const struct ref_op *op, int x, int y, u32 *p)
{
	u32 column = (x + op->seed_x) & 7, row = (y + op->seed_y) & 7;
	bool one = op->pattern_bits[row] & (0x80 >> column);

	*p = 0;
	if (op->pattern == SOLID)
		*p = op->solid;
	if (op->pattern == COLOR_PATTERN || op->pattern == COLOR_PATTERN_IMM)
		*p = op->colors[row][column];
	if (op->pattern == MONO_PATTERN)
		*p = one ? op->pattern_fore : op->pattern_back;
	return op->pattern != MONO_PATTERN || one || !op->pattern_transparent;
}

static inline void ref_draw_pixel(const struct ref_op *op, u8 *memory, const u8 *before, int x,
				  int y)
{
	u32 d = ref_pixel(before, &op->dst, op->cpp, x, y), s, p;
	u32 bit;

	if (!ref_source_of(op, before, x, y, &s) || !ref_pattern_of(op, x, y, &p))
		return;
	if ((op->key & 1) && ((op->key & 4) ? !ref_in_range(op, d) : ref_in_range(op, s)))
		return;
	for (bit = 0; bit < 8 * op->cpp; bit++) {
		u32 index = (p >> bit & 1) * 4 + (s >> bit & 1) * 2 + (d >> bit & 1);
		u8 *byte = &memory[ref_at(&op->dst, op->cpp, x, y, bit / 8)];

		if (op->cpp == 4 && !(bit >= 24 ? op->alpha : op->rgb))
			continue;
		*byte &= ~(1u << bit % 8);
		*byte |= (op->rop >> index & 1) << bit % 8;
	}
}

/* Draw into @memory; @before is a copy of it, which the operands are read from. */
static inline void ref_draw(const struct ref_op *op, u8 *memory, const u8 *before)
{
	int x, y;

	for (y = op->y1; y < op->y2; y++)
		for (x = op->x1; x < op->x2; x++)
			if (!op->clip || (x >= op->cx1 && x < op->cx2 &&
					  y >= op->cy1 && y < op->cy2))
				ref_draw_pixel(op, memory, before, x, y);
}

/**
 * struct encoder - A command as it is written down
 * @dw: its dwords
 * @count: how many
 */
struct encoder {
	u32 dw[300];
	u32 count;
};

static inline void put(struct encoder *e, u32 dword)
{
	e->dw[e->count++] = dword;
}

static inline void put_address(struct encoder *e, u64 address)
{
	put(e, address);
	put(e, address >> 32);
}

static inline u32 ref_corner(int x, int y)
{
	return (u32)y << 16 | (x & 0xffff);
}

static inline u32 ref_pitch(const struct ref_surface *s)
{
	return (s->layout == LINEAR ? s->pitch : s->pitch / 4) & 0xffff;
}

/* Dword 1. */
static inline u32 ref_mode(const struct ref_op *op)
{
	return ref_pitch(&op->dst) | (u32)op->rop << 16 | (u32)op->depth << 24 |
	       (u32)op->pattern_transparent << 28 | (u32)op->src_transparent << 29 |
	       (u32)op->clip << 30;
}

static inline u32 ref_masks(const struct ref_op *op)
{
	return (u32)op->alpha << 21 | (u32)op->rgb << 20;
}

static inline u32 ref_tiled_flags(const struct ref_op *op)
{
	return (op->dst.layout != LINEAR ? 1u << 11 : 0) |
	       (op->source == COLOR_SOURCE && op->src.layout != LINEAR ? 1u << 15 : 0);
}

/* BCS_SWCTRL. */
static inline u32 ref_swctrl(const struct ref_op *op)
{
	return (op->src.layout == TILE_Y) | (op->dst.layout == TILE_Y) << 1;
}

static inline void put_colors(struct encoder *e, const struct ref_op *op)
{
	u8 raw[256];
	u32 i;

	for (i = 0; i < 64; i++)
		memcpy(raw + i * op->cpp, &op->colors[i / 8][i % 8], op->cpp);
	memcpy(e->dw + e->count, raw, 64 * op->cpp);
	e->count += 16 * op->cpp;
}

static inline void put_bits(struct encoder *e, const struct ref_op *op, u32 bytes)
{
	u32 dwords = (bytes + 7) / 8 * 2;

	memcpy(e->dw + e->count, op->bits, bytes);
	e->count += dwords;
}

static inline void put_source(struct encoder *e, const struct ref_op *op)
{
	if (op->source == COLOR_SOURCE) {
		put(e, ref_corner(op->sx, op->sy));
		put(e, ref_pitch(&op->src));
		put_address(e, op->src.base);
	}
	if (op->source == MONO_SOURCE)
		put_address(e, op->bits_at);
	if (op->source == MONO_SOURCE || op->source == MONO_SOURCE_IMM) {
		put(e, op->src_back);
		put(e, op->src_fore);
	}
}

static inline void put_pattern_bits(struct encoder *e, const struct ref_op *op)
{
	memcpy(e->dw + e->count, op->pattern_bits, 8);
	e->count += 2;
}

static inline void put_pattern(struct encoder *e, const struct ref_op *op)
{
	if (op->pattern == SOLID)
		put(e, op->solid);
	if (op->pattern == COLOR_PATTERN)
		put_address(e, op->colors_at);
	if (op->pattern == MONO_PATTERN) {
		put(e, op->pattern_back);
		put(e, op->pattern_fore);
		put_pattern_bits(e, op);
	}
}

static inline void put_length(struct encoder *e)
{
	e->dw[0] |= e->count - 2;
}

/**
 * ref_encode() - Write down an XY command that has a rectangle and a destination
 * @e: out
 * @op: what it is to do
 * @opcode: bits 28:22
 * @mono_bytes: bytes of an immediate monochrome source
 */
static inline void ref_encode(struct encoder *e, const struct ref_op *op, u32 opcode,
			      u32 mono_bytes)
{
	memset(e, 0, sizeof(*e));
	put(e, 2u << 29 | opcode << 22 | ref_masks(op) | ref_tiled_flags(op) |
	       op->seed_x << 12 | op->seed_y << 8 | op->first_bit << 17 | op->key << 17);
	put(e, ref_mode(op));
	put(e, ref_corner(op->x1, op->y1));
	put(e, ref_corner(op->x2, op->y2));
	put_address(e, op->dst.base);
	put_source(e, op);
	put_pattern(e, op);
	if (op->key) {
		put(e, op->key_low);
		put(e, op->key_high);
	}
	if (op->pattern == COLOR_PATTERN_IMM)
		put_colors(e, op);
	if (op->source == MONO_SOURCE_IMM)
		put_bits(e, op, mono_bytes);
	put_length(e);
}

#endif
