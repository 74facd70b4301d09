// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the 2D engine against a plain reference, over random operations.
 *
 * Memory is 2 MiB of the GGTT from address 0 on; its pages are shuffled, so
 * that a run that goes across a page without translating it shows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include <gvirt/gen9_pte.h>
#include <linux/array_size.h>
#include "blt.h"
#include "blt_reference.h"
#include "dma.h"
#include "ggtt.h"
#include "mmu.h"
#include "stats.h"

#define SIZE	(2u << 20)
#define PAGES	(SIZE / 4096)

struct fixture {
	struct gm_stats stats;
	struct gm_dma *dma;
	struct gm_ggtt *ggtt;
	struct gm_mmu *mmu;
	struct gm_blt blt;
	atomic_bool abort;
	int fd;
	u8 *ram;
	u8 *expect;
	u8 *before;
	u64 random;
};

static u32 rnd(struct fixture *f, u32 below)
{
	f->random ^= f->random << 13;
	f->random ^= f->random >> 7;
	f->random ^= f->random << 17;
	return (f->random >> 16) % below;
}

static u32 page_of(u32 page)
{
	return page * 2654435761u % PAGES;
}

static void set_entry(struct fixture *f, u32 page, bool present)
{
	u64 entry = (u64)page_of(page) << 12 | (present ? GEN9_GGTT_PRESENT : 0);

	assert_true(gm_ggtt_access(f->ggtt, page * 8ull, &entry, 8, true));
	gm_mmu_invalidate(f->mmu);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	u32 i;

	f->random = 0x9e3779b97f4a7c15;
	f->fd = memfd_create("blt_test", MFD_CLOEXEC);
	assert_int_equal(ftruncate(f->fd, SIZE), 0);
	f->ram = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
	assert_ptr_not_equal(f->ram, MAP_FAILED);
	f->expect = malloc(SIZE);
	f->before = malloc(SIZE);
	f->dma = gm_dma_create(&f->stats);
	assert_int_equal(gm_dma_map(f->dma, 0, SIZE, f->fd, 0, GM_DMA_READ | GM_DMA_WRITE), 0);
	f->ggtt = gm_ggtt_create(GEN9_GGTT_TABLE_SIZE);
	f->mmu = gm_mmu_create(1, f->dma, f->ggtt, &f->stats);
	for (i = 0; i < PAGES; i++)
		set_entry(f, i, true);
	f->blt.mmu = f->mmu;
	f->blt.dma = f->dma;
	f->blt.stats = &f->stats;
	f->blt.abort = &f->abort;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	gm_mmu_destroy(f->mmu);
	gm_ggtt_destroy(f->ggtt);
	gm_dma_destroy(f->dma);
	munmap(f->ram, SIZE);
	close(f->fd);
	free(f->expect);
	free(f->before);
	free(f);
	return 0;
}

static u8 *page_at(struct fixture *f, u32 page)
{
	return f->ram + page_of(page) * 4096ull;
}

/* Fill memory with noise, and keep it as what is expected and what was before. */
static void fill(struct fixture *f)
{
	u32 i;

	for (i = 0; i < SIZE; i += 8) {
		rnd(f, 1);
		memcpy(f->expect + i, &f->random, 8);
	}
	for (i = 0; i < PAGES; i++)
		memcpy(page_at(f, i), f->expect + i * 4096, 4096);
	memcpy(f->before, f->expect, SIZE);
}

/* Put bytes at @va, in memory and in what is expected. */
static void poke(struct fixture *f, u64 va, const void *bytes, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		page_at(f, (va + i) / 4096)[(va + i) % 4096] = ((const u8 *)bytes)[i];
	memcpy(f->expect + va, bytes, len);
	memcpy(f->before + va, bytes, len);
}

static void check(struct fixture *f)
{
	u32 i;

	for (i = 0; i < PAGES; i++)
		assert_memory_equal(page_at(f, i), f->expect + i * 4096, 4096);
	memcpy(f->before, f->expect, SIZE);
}

/* The command stands in memory of exactly its size: a read beyond it is caught. */
static enum gm_blt_status run(struct fixture *f, const struct encoder *e, u32 swctrl)
{
	u32 *cmd = malloc(e->count * 4);
	enum gm_blt_status status;

	memcpy(cmd, e->dw, e->count * 4);
	status = gm_blt_execute(&f->blt, GM_SPACE_GGTT, swctrl, cmd, e->count);
	free(cmd);
	return status;
}

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

/* Give the operation a monochrome source; small enough for a command when it is immediate. */
static u32 random_mono(struct fixture *f, struct ref_op *op, u8 *bits)
{
	u32 i, bytes;

	op->bits = bits;
	op->bits_at = (1536u << 10) + rnd(f, 4096);
	op->first_bit = rnd(f, 8);
	op->src_transparent = rnd(f, 2);
	if (op->source == MONO_SOURCE_IMM) {
		op->x2 = op->x1 + (int)rnd(f, 60);
		op->y2 = op->y1 + (int)rnd(f, 20);
	}
	op->row_bits = (op->first_bit + (u32)(op->x2 - op->x1) + 15) / 16 * 16;
	bytes = op->row_bits / 8 * (u32)(op->y2 - op->y1);
	for (i = 0; i < bytes; i++)
		bits[i] = rnd(f, 256);
	if (op->source == MONO_SOURCE)
		poke(f, op->bits_at, bits, bytes);
	return bytes;
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

struct kind {
	u32 opcode;
	enum ref_source source;
	enum ref_pattern pattern;
	bool key;
};

static const struct kind kinds[] = {
	{ 0x50, NO_SOURCE, SOLID, false },
	{ 0x51, NO_SOURCE, COLOR_PATTERN, false },
	{ 0x52, NO_SOURCE, MONO_PATTERN, false },
	{ 0x53, COLOR_SOURCE, NO_PATTERN, false },
	{ 0x54, MONO_SOURCE, NO_PATTERN, false },
	{ 0x55, COLOR_SOURCE, COLOR_PATTERN, false },
	{ 0x56, MONO_SOURCE, COLOR_PATTERN, false },
	{ 0x57, COLOR_SOURCE, MONO_PATTERN, false },
	{ 0x58, MONO_SOURCE, MONO_PATTERN, false },
	{ 0x71, MONO_SOURCE_IMM, NO_PATTERN, false },
	{ 0x72, NO_SOURCE, COLOR_PATTERN_IMM, false },
	{ 0x73, COLOR_SOURCE, NO_PATTERN, true },
	{ 0x74, COLOR_SOURCE, COLOR_PATTERN_IMM, false },
	{ 0x75, MONO_SOURCE, COLOR_PATTERN_IMM, false },
	{ 0x76, NO_SOURCE, COLOR_PATTERN, true },
	{ 0x77, NO_SOURCE, COLOR_PATTERN_IMM, true },
};

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

static struct ref_op page_rows(u32 rows)
{
	return (struct ref_op){
		.depth = 3, .cpp = 4, .alpha = true, .rgb = true, .rop = 0xf0,
		.dst = { LINEAR, 64 << 10, 4096 }, .x2 = 1024, .y2 = (int)rows,
		.pattern = SOLID, .solid = 0x12345678,
	};
}

/* A row is a page; one page is not there. What is before it is drawn, and nothing behind. */
static void test_write_fault(void **state)
{
	struct fixture *f = *state;
	struct ref_op op = page_rows(10);
	struct gm_fault fault;
	struct encoder e;

	fill(f);
	set_entry(f, 16 + 5, false);
	ref_encode(&e, &op, 0x50, 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_FAULT);
	op.y2 = 5;
	ref_draw(&op, f->expect, f->before);
	check(f);
	fault = gm_mmu_take_fault(f->mmu);
	assert_true(fault.valid);
	assert_true(fault.write);
	assert_int_equal(fault.space, GM_SPACE_GGTT);
	assert_int_equal(fault.va, (64 << 10) + 5 * 4096);
	assert_int_equal(atomic_load(&f->stats.counter[GM_COUNT_BLIT_BYTES]), 5 * 4096);
}

/* In the middle of a row: a read fault is found before that part of the row is written. */
static void test_read_fault(void **state)
{
	struct fixture *f = *state;
	struct ref_op op = page_rows(3);
	struct gm_fault fault;
	struct encoder e;

	fill(f);
	op.rop = 0xcc;
	op.source = COLOR_SOURCE;
	op.pattern = NO_PATTERN;
	op.src = (struct ref_surface){ LINEAR, (1 << 20) + 2048, 4096 };
	set_entry(f, 256 + 2, false);
	ref_encode(&e, &op, 0x53, 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_FAULT);
	op.y2 = 1;
	ref_draw(&op, f->expect, f->before);
	check(f);
	fault = gm_mmu_take_fault(f->mmu);
	assert_true(fault.valid);
	assert_false(fault.write);
	assert_int_equal(fault.va, (1 << 20) + 2 * 4096);
}

/* Pages that are outside guest memory: no fault, ones are read and writes are dropped. */
static void test_outside_memory(void **state)
{
	struct fixture *f = *state;
	struct ref_op op = page_rows(2);
	u64 entry = (u64)SIZE | GEN9_GGTT_PRESENT;
	struct encoder e;

	fill(f);
	assert_true(gm_ggtt_access(f->ggtt, 1000 * 8, &entry, 8, true));
	op.rop = 0xcc;
	op.source = COLOR_SOURCE;
	op.pattern = NO_PATTERN;
	op.src = (struct ref_surface){ LINEAR, 1000 << 12, 0 };
	ref_encode(&e, &op, 0x53, 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_DONE);
	memset(f->expect + (64 << 10), 0xff, 2 * 4096);
	check(f);
	assert_true(atomic_load(&f->stats.misuse[GM_MISUSE_DMA_FAULT]) > 0);
}

/* The surfaces are looked up in the space that the streamer names. */
static void test_space(void **state)
{
	struct fixture *f = *state;
	static const u8 empty_table[4096];
	static const u64 pdp[4];
	struct ref_op op = page_rows(1);
	struct encoder e;

	fill(f);
	poke(f, 0, empty_table, sizeof(empty_table));
	gm_mmu_set_ppgtt(f->mmu, true, pdp);
	ref_encode(&e, &op, 0x50, 0);
	assert_int_equal(gm_blt_execute(&f->blt, GM_SPACE_PPGTT, 0, e.dw, e.count), GM_BLT_FAULT);
	assert_int_equal(gm_mmu_take_fault(f->mmu).space, GM_SPACE_PPGTT);
	check(f);
}

/* Every command, cut off anywhere, is undefined and draws nothing. */
static void test_short_commands(void **state)
{
	struct fixture *f = *state;
	static u8 bits[8192];
	u32 i, full;

	fill(f);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct ref_op op = page_rows(4);
		struct encoder e;
		u32 bytes = 0;

		op.x2 = 20;
		op.source = kinds[i].source;
		op.pattern = kinds[i].pattern;
		if (op.source == MONO_SOURCE || op.source == MONO_SOURCE_IMM)
			bytes = random_mono(f, &op, bits);
		op.x2 = op.source == MONO_SOURCE_IMM ? op.x2 + 1 : op.x2;
		op.y2 = op.source == MONO_SOURCE_IMM ? op.y2 + 1 : op.y2;
		op.key = kinds[i].key;
		ref_encode(&e, &op, kinds[i].opcode, bytes);
		full = op.source == MONO_SOURCE_IMM ? 8 : e.count;
		for (e.count = 1; e.count < full; e.count++)
			assert_int_equal(run(f, &e, 0), GM_BLT_UNDEFINED);
		check(f);
	}
}

static void test_undefined_commands(void **state)
{
	static const u32 opcodes[] = { 0x00, 0x02, 0x10, 0x41, 0x44, 0x48, 0x59, 0x5a, 0x70, 0x78 };
	struct fixture *f = *state;
	struct ref_op op = page_rows(4);
	struct encoder e;
	u32 i;

	fill(f);
	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		ref_encode(&e, &op, opcodes[i], 0);
		assert_int_equal(run(f, &e, 0), GM_BLT_UNDEFINED);
	}
	/* Rows and text without a setup; tiles above or left of the first. */
	e = (struct encoder){ .dw = { 0x49400001 }, .count = 3 };
	assert_int_equal(run(f, &e, 0), GM_BLT_UNDEFINED);
	op.dst.layout = TILE_X;
	op.y1 = -1;
	ref_encode(&e, &op, 0x50, 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_UNDEFINED);
	check(f);
}

/* A dword that is a small coordinate, an address in memory, a flag, nothing, or anything. */
static u32 noise(struct fixture *f)
{
	static const u32 masks[] = { 0x003f003f, 0x001fffff, 0xff00ffff, 0, 0, 0xffffffff };
	u32 mask = masks[rnd(f, ARRAY_SIZE(masks))];

	return (f->random >> 8) & mask;
}

/* Noise as commands: any answer will do, as long as it comes and nothing else is touched. */
static void test_noise(void **state)
{
	struct fixture *f = *state;
	u32 status[3] = { 0 };
	struct encoder e;
	u32 round, i;

	fill(f);
	for (round = 0; round < 3000; round++) {
		e.count = 1 + rnd(f, round & 1 ? 16 : 200);
		for (i = 0; i < e.count; i++)
			e.dw[i] = noise(f);
		e.dw[0] = 2u << 29 | (round % 128) << 22 | (e.dw[0] & 0x3fffff);
		status[run(f, &e, rnd(f, 4))]++;
		gm_mmu_take_fault(f->mmu);
	}
	assert_true(status[GM_BLT_DONE] && status[GM_BLT_UNDEFINED] && status[GM_BLT_FAULT]);
}

/* Wait, ten seconds at the most, until something is drawn; then stop it. */
static void *abort_when_drawing(void *arg)
{
	const struct timespec delay = { .tv_nsec = 1000 * 1000 };
	struct fixture *f = arg;
	u32 *first = (u32 *)page_at(f, 16);
	u32 i;

	for (i = 0; i < 10000 && !__atomic_load_n(first, __ATOMIC_RELAXED); i++)
		nanosleep(&delay, NULL);
	atomic_store(&f->abort, true);
	return NULL;
}

/* The largest rectangle there is, all rows on one: gigabytes, until it is told to stop. */
static void test_abort(void **state)
{
	struct fixture *f = *state;
	struct ref_op op = page_rows(32767);
	struct encoder e;
	pthread_t thread;
	u64 bytes;

	op.dst.pitch = 0;
	op.x2 = 32767;
	op.rop = 0xfa;
	ref_encode(&e, &op, 0x50, 0);
	assert_int_equal(pthread_create(&thread, NULL, abort_when_drawing, f), 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_DONE);
	pthread_join(thread, NULL);
	bytes = atomic_load(&f->stats.counter[GM_COUNT_BLIT_BYTES]);
	assert_true(bytes > 0 && bytes < 32767ull * 32767 * 4);
}

/* Told to stop before it begins. */
static void test_aborted_before(void **state)
{
	struct fixture *f = *state;
	struct ref_op op = page_rows(4);
	struct encoder e;

	fill(f);
	atomic_store(&f->abort, true);
	ref_encode(&e, &op, 0x50, 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_DONE);
	check(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_random_operations),
		TEST(test_every_rop),
		TEST(test_overlapping_copies),
		TEST(test_negative_pitch),
		TEST(test_fast_copy),
		TEST(test_scanlines_and_pixels),
		TEST(test_text),
		TEST(test_plain_commands),
		TEST(test_write_fault),
		TEST(test_read_fault),
		TEST(test_outside_memory),
		TEST(test_space),
		TEST(test_short_commands),
		TEST(test_undefined_commands),
		TEST(test_noise),
		TEST(test_abort),
		TEST(test_aborted_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
