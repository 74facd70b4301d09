/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A 2D engine with memory, for its tests.
 *
 * Memory is 2 MiB of the GGTT from address 0 on; its pages are shuffled, so
 * that a run that goes across a page without translating it shows.
 */
#ifndef BLT_FIXTURE_H
#define BLT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <time.h>
#include <cmocka.h>
#include <gvirt/gen9_pte.h>
#include <linux/array_size.h>
#include "blt.h"
#include "blt_reference.h"
#include "guest_memory.h"
#include "mmu.h"
#include "stats.h"

#define SIZE	(2u << 20)
#define PAGES	(SIZE / 4096)

struct fixture {
	struct gm_stats stats;
	struct guest_memory memory;
	struct gm_mmu *mmu;
	struct gm_blt blt;
	atomic_bool abort;
	u8 *ram;
	u8 *expect;
	u8 *before;
	u64 random;
};

static inline u32 rnd(struct fixture *f, u32 below)
{
	return (next_random(&f->random) >> 16) % below;
}

static inline u32 page_of(u32 page)
{
	return page * 2654435761u % PAGES;
}

static inline void set_entry(struct fixture *f, u32 page, bool present)
{
	guest_memory_set_entry(&f->memory, page, (u64)page_of(page) << 12 |
						 (present ? GEN9_GGTT_PRESENT : 0));
	gm_mmu_invalidate(f->mmu);
}

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	u32 i;

	f->random = 0x9e3779b97f4a7c15;
	guest_memory_create(&f->memory, SIZE, &f->stats);
	f->ram = f->memory.bytes;
	f->expect = malloc(SIZE);
	f->before = malloc(SIZE);
	f->mmu = gm_mmu_create(1, f->memory.dma, f->memory.ggtt, &f->stats);
	for (i = 0; i < PAGES; i++)
		set_entry(f, i, true);
	f->blt.mmu = f->mmu;
	f->blt.dma = f->memory.dma;
	f->blt.stats = &f->stats;
	f->blt.abort = &f->abort;
	*state = f;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	gm_mmu_destroy(f->mmu);
	guest_memory_destroy(&f->memory);
	free(f->expect);
	free(f->before);
	free(f);
	return 0;
}

static inline u8 *page_at(struct fixture *f, u32 page)
{
	return f->ram + page_of(page) * 4096ull;
}

/* Fill memory with noise, and keep it as what is expected and what was before. */
static inline void fill(struct fixture *f)
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
static inline void poke(struct fixture *f, u64 va, const void *bytes, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		page_at(f, (va + i) / 4096)[(va + i) % 4096] = ((const u8 *)bytes)[i];
	memcpy(f->expect + va, bytes, len);
	memcpy(f->before + va, bytes, len);
}

static inline void check(struct fixture *f)
{
	u32 i;

	for (i = 0; i < PAGES; i++)
		assert_memory_equal(page_at(f, i), f->expect + i * 4096, 4096);
	memcpy(f->before, f->expect, SIZE);
}

/* The command stands in memory of exactly its size: a read beyond it is caught. */
static inline enum gm_blt_status run(struct fixture *f, const struct encoder *e, u32 swctrl)
{
	u32 *cmd = malloc(e->count * 4);
	enum gm_blt_status status;

	memcpy(cmd, e->dw, e->count * 4);
	status = gm_blt_execute(&f->blt, GM_SPACE_GGTT, swctrl, cmd, e->count);
	free(cmd);
	return status;
}

/* Give the operation a monochrome source; small enough for a command when it is immediate. */
static inline u32 random_mono(struct fixture *f, struct ref_op *op, u8 *bits)
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

/**
 * struct kind - A command that has a rectangle and a destination
 * @opcode: bits 28:22
 * @source: its source
 * @pattern: its pattern
 * @key: it has a chroma key
 */
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
