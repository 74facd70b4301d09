// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the 2D engine against a plain reference, over random operations.
 */
#include "blt_fixture.h"

static void random_surface(struct fixture *f, struct ref_surface *s, u32 cpp, u32 layouts,
			   u64 base)
{
	static const u32 widths[] = { 1, 512, 128, 256, 256 };

	s->layout = rnd(f, layouts);
	s->base = base;
	if (s->layout == LINEAR) {
		s->base += (u64)rnd(f, 64) * cpp;
		s->pitch = (int)((200 + rnd(f, 300)) * cpp);
	} else if (s->layout == TILE_YS) {
		s->pitch = (int)(1024u * (1 + rnd(f, 2)) * (cpp > 4 ? 2 : 1));
	} else {
		s->pitch = (int)(widths[s->layout] * (1024 / widths[s->layout]));
		s->pitch += (int)(rnd(f, 3) * widths[s->layout]);
		if (cpp > 4)
			s->pitch *= 4;
	}
}

static void random_clip(struct fixture *f, struct ref_op *op)
{
	struct encoder e = { .dw = { 0x40c00001 }, .count = 1 };

	op->clip = rnd(f, 2);
	op->cx1 = (int)rnd(f, 120) - 10;
	op->cy1 = (int)rnd(f, 60) - 10;
	op->cx2 = op->cx1 + (int)rnd(f, 120);
	op->cy2 = op->cy1 + (int)rnd(f, 60);
	put(&e, ref_corner(op->cx1, op->cy1));
	put(&e, ref_corner(op->cx2, op->cy2));
	assert_int_equal(run(f, &e, 0), GM_BLT_DONE);
}

/* Destination at 64 KiB, source at 1 MiB: neither reaches the other, or what is beside them. */
static struct ref_op random_op(struct fixture *f)
{
	static const u8 rops[] = { 0x00, 0xff, 0xcc, 0xf0, 0xaa, 0x5a, 0x66, 0xb8, 0xe2 };
	struct ref_op op = { .depth = (int)rnd(f, 4) };
	u32 i;

	op.cpp = op.depth == 0 ? 1 : op.depth == 3 ? 4 : 2;
	op.rop = rnd(f, 2) ? rops[rnd(f, ARRAY_SIZE(rops))] : rnd(f, 256);
	op.alpha = rnd(f, 4);
	op.rgb = rnd(f, 4);
	random_surface(f, &op.dst, op.cpp, 3, 64 << 10);
	op.x1 = (int)rnd(f, 100);
	op.y1 = (int)rnd(f, 60);
	op.x2 = op.x1 + (int)rnd(f, 100);
	op.y2 = op.y1 + (int)rnd(f, 40);
	random_clip(f, &op);
	random_surface(f, &op.src, op.cpp, 3, 1 << 20);
	op.sx = (int)rnd(f, 100);
	op.sy = (int)rnd(f, 60);
	op.src_back = f->random;
	op.pattern_back = f->random >> 20;
	op.src_fore = f->random >> 32;
	rnd(f, 1);
	op.solid = f->random;
	op.pattern_fore = f->random >> 32;
	for (i = 0; i < 64; i++) {
		rnd(f, 1);
		memcpy(&op.colors[i / 8][i % 8], &f->random, op.cpp);
		op.pattern_bits[i / 8] = f->random >> 40;
	}
	return op;
}

static void random_pattern(struct fixture *f, struct ref_op *op)
{
	u8 raw[256];
	u32 i;

	op->seed_x = rnd(f, 8);
	op->seed_y = rnd(f, 8);
	if (op->pattern == MONO_PATTERN)
		op->pattern_transparent = rnd(f, 2);
	if (op->pattern != COLOR_PATTERN)
		return;
	op->colors_at = (1800u << 10) + 64 * rnd(f, 1000);
	for (i = 0; i < 64; i++)
		memcpy(raw + i * op->cpp, &op->colors[i / 8][i % 8], op->cpp);
	poke(f, op->colors_at, raw, 64 * op->cpp);
}

/* Two colors around a pixel that is really there, so that some match. */
static void random_key(struct fixture *f, struct ref_op *op)
{
	static const u8 modes[] = { 1, 3, 5, 7 };

	op->key = modes[rnd(f, 4)];
	op->key_low = f->random & 0x30303030 & (u32)(f->random >> 32);
	op->key_high = op->key_low | 0x9f9f9f9f;
}

static void draw_random(struct fixture *f, const struct kind *kind)
{
	static u8 bits[8192];
	struct ref_op op = random_op(f);
	struct encoder e;
	u32 mono_bytes = 0;

	op.source = kind->source;
	op.pattern = kind->pattern;
	if (kind->source == MONO_SOURCE || kind->source == MONO_SOURCE_IMM)
		mono_bytes = random_mono(f, &op, bits);
	if (kind->pattern != NO_PATTERN)
		random_pattern(f, &op);
	if (kind->key)
		random_key(f, &op);
	ref_encode(&e, &op, kind->opcode, mono_bytes);
	assert_int_equal(run(f, &e, ref_swctrl(&op)), GM_BLT_DONE);
	ref_draw(&op, f->expect, f->before);
	check(f);
}

static void test_random_operations(void **state)
{
	struct fixture *f = *state;
	u32 i, round;

	fill(f);
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		for (round = 0; round < 60; round++)
			draw_random(f, &kinds[i]);
	assert_int_equal(gm_stats_misuse_total(&f->stats), 0);
}

/* All 256 raster operations with all three operands. */
static void test_every_rop(void **state)
{
	struct fixture *f = *state;
	struct encoder e;
	u32 rop;

	fill(f);
	for (rop = 0; rop < 256; rop++) {
		struct ref_op op = random_op(f);

		op.rop = rop;
		op.clip = false;
		op.x2 = op.x1 + 30;
		op.y2 = op.y1 + 3;
		op.source = COLOR_SOURCE;
		op.pattern = COLOR_PATTERN_IMM;
		ref_encode(&e, &op, 0x74, 0);
		assert_int_equal(run(f, &e, ref_swctrl(&op)), GM_BLT_DONE);
		ref_draw(&op, f->expect, f->before);
		check(f);
	}
}

/* One surface onto itself, at any distance: what is read is what was there before. */
static void test_overlapping_copies(void **state)
{
	struct fixture *f = *state;
	struct encoder e;
	u32 round;

	fill(f);
	for (round = 0; round < 200; round++) {
		struct ref_op op = random_op(f);

		op.rop = round % 4 ? 0xcc : 0x66;
		op.source = COLOR_SOURCE;
		op.src = op.dst;
		op.x2 = op.x1 + 100 + (int)rnd(f, 20);
		op.y2 = op.y1 + 40;
		op.sx = op.x1 + (int)rnd(f, 21) - 10;
		op.sy = op.y1 + (int)rnd(f, 21) - 10;
		if (op.dst.layout != LINEAR && (op.sx < 0 || op.sy < 0))
			continue;
		ref_encode(&e, &op, 0x53, 0);
		assert_int_equal(run(f, &e, ref_swctrl(&op)), GM_BLT_DONE);
		ref_draw(&op, f->expect, f->before);
		check(f);
	}
}

/* Rows longer than what the model moves at a time, over themselves, to both sides. */
static void test_overlapping_rows(void **state)
{
	struct fixture *f = *state;
	struct encoder e;
	u32 round;

	fill(f);
	for (round = 0; round < 40; round++) {
		struct ref_op op = random_op(f);

		op.clip = false;
		op.rop = round % 4 ? 0xcc : 0x66;
		op.source = COLOR_SOURCE;
		op.dst = (struct ref_surface){ LINEAR, 64 << 10, 32000 };
		op.src = op.dst;
		op.x2 = op.x1 + 7000;
		op.y2 = op.y1 + 1;
		op.sx = op.x1 + (int)rnd(f, 2000) - 1000;
		op.sy = op.y1;
		ref_encode(&e, &op, 0x53, 0);
		assert_int_equal(run(f, &e, 0), GM_BLT_DONE);
		ref_draw(&op, f->expect, f->before);
		check(f);
	}
}

/* Rows of linear surfaces that go upwards, and coordinates below zero. */
static void test_negative_pitch(void **state)
{
	struct fixture *f = *state;
	struct encoder e;
	u32 round;

	fill(f);
	for (round = 0; round < 60; round++) {
		struct ref_op op = random_op(f);

		op.source = COLOR_SOURCE;
		op.dst = (struct ref_surface){ LINEAR, 512 << 10, -2048 };
		op.src = (struct ref_surface){ LINEAR, 1500 << 10, round & 1 ? -1000 : 1000 };
		op.x1 -= 50;
		op.x2 -= 50;
		op.y1 -= 30;
		op.y2 -= 30;
		op.sx -= 40;
		op.sy -= 20;
		ref_encode(&e, &op, 0x53, 0);
		assert_int_equal(run(f, &e, 0), GM_BLT_DONE);
		ref_draw(&op, f->expect, f->before);
		check(f);
	}
}

static u32 fast_code(enum ref_layout layout)
{
	static const u32 codes[] = { 0, 1, 2, 2, 3 };

	return codes[layout];
}

static void encode_fast_copy(struct encoder *e, const struct ref_op *op)
{
	memset(e, 0, sizeof(*e));
	put(e, 0x50800000 | fast_code(op->src.layout) << 20 | fast_code(op->dst.layout) << 13);
	put(e, ref_pitch(&op->dst) | (u32)op->depth << 24 |
	       (u32)(op->src.layout == TILE_YF) << 31 | (u32)(op->dst.layout == TILE_YF) << 30);
	put(e, ref_corner(op->x1, op->y1));
	put(e, ref_corner(op->x2, op->y2));
	put_address(e, op->dst.base);
	put(e, ref_corner(op->sx, op->sy));
	put(e, ref_pitch(&op->src));
	put_address(e, op->src.base);
	put_length(e);
}

static void expect_copy(struct fixture *f, const struct ref_op *op)
{
	u32 i;
	int x, y;

	for (y = op->y1; y < op->y2; y++)
		for (x = op->x1; x < op->x2; x++)
			for (i = 0; i < op->cpp; i++)
				f->expect[ref_at(&op->dst, op->cpp, x, y, i)] =
					f->before[ref_at(&op->src, op->cpp, op->sx + x - op->x1,
							 op->sy + y - op->y1, i)];
}

static void test_fast_copy(void **state)
{
	static const struct { int depth; u32 cpp; } depths[] = {
		{ 0, 1 }, { 1, 2 }, { 3, 4 }, { 4, 8 }, { 5, 16 },
	};
	struct fixture *f = *state;
	struct encoder e;
	u32 round;

	fill(f);
	for (round = 0; round < 500; round++) {
		struct ref_op op = random_op(f);

		op.depth = depths[round % 5].depth;
		op.cpp = depths[round % 5].cpp;
		random_surface(f, &op.dst, op.cpp, 5, 64 << 10);
		random_surface(f, &op.src, op.cpp, 5, 1 << 20);
		encode_fast_copy(&e, &op);
		/* BCS_SWCTRL has no say in it. */
		assert_int_equal(run(f, &e, rnd(f, 4)), GM_BLT_DONE);
		expect_copy(f, &op);
		check(f);
	}
}

static void put_setup(struct fixture *f, const struct ref_op *op, u32 opcode)
{
	struct encoder e = { .count = 0 };

	put(&e, 2u << 29 | opcode << 22 | ref_masks(op));
	put(&e, ref_mode(op) | (op->pattern == SOLID ? 1u << 31 : 0));
	put(&e, ref_corner(op->cx1, op->cy1));
	put(&e, ref_corner(op->cx2, op->cy2));
	put_address(&e, op->dst.base);
	put(&e, op->source == NO_SOURCE ? op->pattern_back : op->src_back);
	put(&e, op->source == NO_SOURCE ? op->pattern_fore : op->src_fore);
	if (opcode == 0x01)
		put_address(&e, op->colors_at);
	else
		put_pattern_bits(&e, op);
	put_length(&e);
	assert_int_equal(run(f, &e, 0), GM_BLT_DONE);
}

static void run_after_setup(struct fixture *f, struct ref_op *op, u32 header)
{
	struct encoder e = { .count = 0 };

	put(&e, header | ref_tiled_flags(op) | op->seed_x << 12 | op->seed_y << 8);
	put(&e, ref_corner(op->x1, op->y1));
	if (header != 0x49000000)
		put(&e, ref_corner(op->x2, op->y2));
	if (op->source == MONO_SOURCE)
		put_address(&e, op->bits_at);
	if (op->source == MONO_SOURCE_IMM)
		put_bits(&e, op, (op->row_bits * (u32)(op->y2 - op->y1) + 7) / 8);
	put_length(&e);
	assert_int_equal(run(f, &e, ref_swctrl(op)), GM_BLT_DONE);
	ref_draw(op, f->expect, f->before);
	check(f);
}

/* A setup, then rows or single pixels in its pattern: solid, monochrome, color. */
static void test_scanlines_and_pixels(void **state)
{
	static const enum ref_pattern patterns[] = { SOLID, MONO_PATTERN, COLOR_PATTERN };
	struct fixture *f = *state;
	u32 round;

	fill(f);
	for (round = 0; round < 90; round++) {
		struct ref_op op = random_op(f);

		op.pattern = patterns[round % 3];
		op.solid = op.pattern_fore;
		random_pattern(f, &op);
		put_setup(f, &op, op.pattern == COLOR_PATTERN ? 0x01 : 0x11);
		run_after_setup(f, &op, 0x49400000);
		op.seed_x = 0;
		op.seed_y = 0;
		op.x2 = op.x1 + 1;
		op.y2 = op.y1 + 1;
		run_after_setup(f, &op, 0x49000000);
	}
}

/* Text: bits that follow each other without a gap, or rows that start at bytes. */
static void test_text(void **state)
{
	struct fixture *f = *state;
	static u8 bits[8192];
	u32 round;

	fill(f);
	for (round = 0; round < 120; round++) {
		struct ref_op op = random_op(f);
		u32 packed = round & 1 ? 1u << 16 : 0;

		op.source = round & 2 ? MONO_SOURCE : MONO_SOURCE_IMM;
		random_mono(f, &op, bits);
		op.first_bit = 0;
		op.row_bits = (u32)(op.x2 - op.x1);
		if (packed)
			op.row_bits = (op.row_bits + 7) / 8 * 8;
		put_setup(f, &op, 0x01);
		run_after_setup(f, &op, packed | (round & 2 ? 0x49800000 : 0x4c400000));
	}
}

/* The commands without XY: sizes in bytes, and a direction. */
static void test_plain_commands(void **state)
{
	struct fixture *f = *state;
	u32 round;

	fill(f);
	for (round = 0; round < 80; round++) {
		struct ref_op op = random_op(f);
		struct encoder e = { .count = 0 };
		bool copy = round & 1, backwards = copy && round & 2;
		u64 last;

		op.clip = false;
		op.x2 -= op.x1;
		op.y2 -= op.y1;
		op.x1 = 0;
		op.y1 = 0;
		op.sx = 0;
		op.sy = 0;
		op.dst.layout = LINEAR;
		op.src.layout = LINEAR;
		op.source = copy ? COLOR_SOURCE : NO_SOURCE;
		op.pattern = copy ? NO_PATTERN : SOLID;
		last = backwards ? (u64)op.x2 * op.cpp - 1 : 0;
		put(&e, (copy ? 0x50c00000 : 0x50000000) | ref_masks(&op));
		put(&e, ref_mode(&op) | (u32)backwards << 30);
		put(&e, (u32)op.y2 << 16 | (u32)op.x2 * op.cpp);
		put_address(&e, op.dst.base + last);
		put(&e, copy ? ref_pitch(&op.src) : op.solid);
		if (copy)
			put_address(&e, op.src.base + last);
		put_length(&e);
		assert_int_equal(run(f, &e, 3), GM_BLT_DONE);
		ref_draw(&op, f->expect, f->before);
		check(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_random_operations),
		TEST(test_every_rop),
		TEST(test_overlapping_copies),
		TEST(test_overlapping_rows),
		TEST(test_negative_pitch),
		TEST(test_fast_copy),
		TEST(test_scanlines_and_pixels),
		TEST(test_text),
		TEST(test_plain_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
