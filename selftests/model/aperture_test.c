// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the aperture: pages, fences and tiles against a byte-by-byte reference.
 *
 * Guest memory is 16 MiB at bus address 0. Page n of the GGTT points to a
 * page of it by a fixed permutation, so that a wrong page shows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_pte.h>
#include "aperture.h"
#include "guest_memory.h"
#include "mmio.h"
#include "stats.h"

#define RAM_SIZE	(16ull << 20)
#define RAM_PAGES	(RAM_SIZE / 4096)
#define APERTURE_SIZE	(32ull << 20)	/* the upper half has no valid entries */

struct fixture {
	struct gm_stats stats;
	struct guest_memory memory;
	struct gm_mmio *mmio;
	struct gm_aperture *aperture;
	u8 *ram;
	u8 *shadow;
	u64 random;
};

/* A fence as the reference sees it. */
struct surface {
	u64 start;
	u64 size;
	u32 pitch;
	bool y;
};

static u64 rnd(struct fixture *f)
{
	return next_random(&f->random);
}

static u64 page_of(u64 index)
{
	return index * 2654435761u % RAM_PAGES;
}

static void set_entry(struct fixture *f, u64 index, u64 entry)
{
	guest_memory_set_entry(&f->memory, index, entry);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	u64 i;

	assert_non_null(f);
	f->random = 0xda3e39cb94b95bdb;
	guest_memory_create(&f->memory, RAM_SIZE, &f->stats);
	f->ram = f->memory.bytes;
	f->shadow = malloc(RAM_SIZE);
	for (i = 0; i < RAM_SIZE / 8; i++)
		((u64 *)f->ram)[i] = rnd(f);
	memcpy(f->shadow, f->ram, RAM_SIZE);
	for (i = 0; i < RAM_PAGES; i++)
		set_entry(f, i, page_of(i) << 12 | GEN9_GGTT_PRESENT);
	f->mmio = gm_mmio_create(&f->stats);
	f->aperture = gm_aperture_create(APERTURE_SIZE, f->memory.dma, f->memory.ggtt, f->mmio,
					 &f->stats);
	assert_non_null(f->aperture);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	gm_aperture_destroy(f->aperture);
	gm_mmio_destroy(f->mmio);
	guest_memory_destroy(&f->memory);
	free(f->shadow);
	free(f);
	return 0;
}

static u64 misuse(struct fixture *f, enum gm_misuse kind)
{
	return atomic_load(&f->stats.misuse[kind]);
}

/* As a driver does: off, upper half, lower half with the valid bit. */
static void set_fence(struct fixture *f, unsigned int n, const struct surface *s)
{
	u32 hi = (u32)(s->start + s->size - 4096) | (s->pitch / 128 - 1);
	u32 lo = (u32)s->start | (s->y ? 2 : 0) | 1;

	gm_mmio_write(f->mmio, GM_FROM_CPU, 0x100000 + n * 8, 0);
	gm_mmio_write(f->mmio, GM_FROM_CPU, 0x100004 + n * 8, hi);
	gm_mmio_write(f->mmio, GM_FROM_CPU, 0x100000 + n * 8, lo);
}

/*
 * The reference: a tile is a page; X tiles are 8 rows of 512 bytes, Y tiles 8
 * columns of 32 rows of 16 bytes; tiles stand row by row.
 */
static u64 tiled(const struct surface *s, u64 linear)
{
	u64 x = linear % s->pitch, y = linear / s->pitch;
	u64 width = s->y ? 128 : 512, height = s->y ? 32 : 8;
	u64 tile = y / height * (s->pitch / width) + x / width;

	x %= width;
	y %= height;
	return tile * 4096 + (s->y ? x / 16 * 512 + y * 16 + x % 16 : y * 512 + x);
}

/* Where in guest memory the byte at @offset is; RAM_SIZE for nowhere. */
static u64 reference(const struct surface *s, unsigned int count, u64 offset)
{
	u64 gma = offset;
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (offset >= s[i].start && offset < s[i].start + s[i].size) {
			gma = s[i].start + tiled(&s[i], offset - s[i].start);
			break;
		}
	}
	if (gma >> 12 >= RAM_PAGES)
		return RAM_SIZE;
	return page_of(gma >> 12) << 12 | gma % 4096;
}

static void compare_read(struct fixture *f, const struct surface *s, unsigned int count,
			 u64 offset, size_t len)
{
	u8 *got = malloc(len + 1);
	size_t i;

	got[len] = 0x7e;
	assert_true(gm_aperture_access(f->aperture, offset, got, len, false));
	for (i = 0; i < len; i++) {
		u64 pa = reference(s, count, offset + i);

		assert_int_equal(got[i], pa == RAM_SIZE ? 0xff : f->ram[pa]);
	}
	assert_int_equal(got[len], 0x7e);
	free(got);
}

static void random_write(struct fixture *f, const struct surface *s, unsigned int count,
			 u64 offset, size_t len)
{
	u8 *data = malloc(len + 1);
	size_t i;

	for (i = 0; i < len; i++) {
		u64 pa = reference(s, count, offset + i);

		data[i] = rnd(f);
		if (pa < RAM_SIZE)
			f->shadow[pa] = data[i];
	}
	assert_true(gm_aperture_access(f->aperture, offset, data, len, true));
	free(data);
}

static void run_random(struct fixture *f, const struct surface *s, unsigned int count, int rounds)
{
	int i;

	for (i = 0; i < rounds; i++) {
		size_t len = rnd(f) & 1 ? 1u << rnd(f) % 7 : rnd(f) % 20000;
		u64 offset = rnd(f) % (RAM_SIZE + 0x10000);

		if (rnd(f) & 1)
			compare_read(f, s, count, offset, len);
		else
			random_write(f, s, count, offset, len);
	}
	assert_memory_equal(f->ram, f->shadow, RAM_SIZE);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 0);
	assert_int_equal(misuse(f, GM_MISUSE_REG_ACCESS), 0);
}

static void linear_accesses(void **state)
{
	run_random(*state, NULL, 0, 1000);
}

/* 32 surfaces of any pitch side by side, with gaps of a page or none. */
static unsigned int make_surfaces(struct fixture *f, struct surface *s)
{
	u64 at = rnd(f) % 16 * 4096;
	unsigned int i;

	for (i = 0; i < GEN9_FENCE_COUNT; i++) {
		bool y = rnd(f) & 1;
		u32 pitch = (1 + rnd(f) % 12) * (y ? 128 : 512);
		u64 rows = (1 + rnd(f) % 4) * (y ? 32 : 8);

		s[i] = (struct surface){ .start = at, .pitch = pitch, .y = y };
		s[i].size = pitch * rows;
		at += s[i].size + rnd(f) % 2 * 4096;
		set_fence(f, i, &s[i]);
	}
	assert_true(at < RAM_SIZE);
	return i;
}

static void fenced_accesses(void **state)
{
	struct surface s[GEN9_FENCE_COUNT];
	struct fixture *f = *state;
	unsigned int count, i;

	count = make_surfaces(f, s);
	run_random(f, s, count, 500);
	for (i = 0; i < 500; i++) {
		const struct surface *one = &s[rnd(f) % count];
		u64 offset = one->start + rnd(f) % one->size;
		size_t len = rnd(f) % 3000;

		if (i & 1)
			compare_read(f, s, count, offset, len);
		else
			random_write(f, s, count, offset, len);
	}
	assert_memory_equal(f->ram, f->shadow, RAM_SIZE);
}

static void widest_pitch(void **state)
{
	const struct surface s[] = {
		{ .start = 1 << 20, .size = 4 << 20, .pitch = 2048 * 128 },
		{ .start = 8 << 20, .size = 8 << 20, .pitch = 2048 * 128, .y = true },
	};
	struct fixture *f = *state;

	set_fence(f, 30, &s[0]);
	set_fence(f, 31, &s[1]);
	run_random(f, s, 2, 300);
}

/* A fence ends at a page, which may be in the middle of a row. */
static void fence_ends_in_a_row(void **state)
{
	const struct surface s[] = {
		{ .start = 0x10000, .size = 0x1000, .pitch = 1024 },
		{ .start = 0x11000, .size = 0x1000, .pitch = 384, .y = true },
	};
	struct fixture *f = *state;
	u64 offset;

	set_fence(f, 3, &s[0]);
	set_fence(f, 2, &s[1]);
	compare_read(f, s, 2, 0xf000, 0x4000);
	for (offset = 0x10ff0; offset < 0x11010; offset++) {
		compare_read(f, s, 2, offset - 0x1000, 1);
		compare_read(f, s, 2, offset, 1);
		compare_read(f, s, 2, offset + 0x1000, 1);
	}
}

static void fence_counts_at_once(void **state)
{
	struct surface s = { .start = 0x10000, .size = 0x10000, .pitch = 512, .y = true };
	struct fixture *f = *state;

	compare_read(f, NULL, 0, 0, 0x30000);
	set_fence(f, 7, &s);
	compare_read(f, &s, 1, 0, 0x30000);
	s.y = false;
	s.pitch = 1024;
	set_fence(f, 7, &s);
	compare_read(f, &s, 1, 0, 0x30000);
	gm_mmio_write(f->mmio, GM_FROM_CPU, GEN9_FENCE_LO(7), (u32)s.start);
	compare_read(f, NULL, 0, 0, 0x30000);
}

static void reset_clears_fences(void **state)
{
	const struct surface s = { .start = 0x10000, .size = 0x10000, .pitch = 512, .y = true };
	struct fixture *f = *state;

	set_fence(f, 0, &s);
	assert_int_not_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, GEN9_FENCE_LO(0)), 0);
	gm_mmio_reset(f->mmio, GEN9_FENCE_LO(0), GEN9_FENCE_HI(GEN9_FENCE_COUNT - 1));
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, GEN9_FENCE_LO(0)), 0);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, GEN9_FENCE_HI(0)), 0);
	compare_read(f, NULL, 0, 0, 0x30000);
}

static void fence_registers_keep_their_bits(void **state)
{
	struct fixture *f = *state;
	u32 i;

	for (i = 0; i < GEN9_FENCE_COUNT; i++) {
		gm_mmio_write(f->mmio, GM_FROM_CPU, GEN9_FENCE_HI(i), 0xfff00000 + i);
		gm_mmio_write(f->mmio, GM_FROM_CPU, GEN9_FENCE_LO(i), 0xabc00000 + (i << 12));
	}
	for (i = 0; i < GEN9_FENCE_COUNT; i++) {
		assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, 0x100004 + 8 * i),
				 0xfff00000 + i);
		assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, 0x100000 + 8 * i),
				 0xabc00000 + (i << 12));
	}
}

/* An X pitch that is no multiple of the tile's width: a misuse, and nothing is tiled. */
static void impossible_pitch(void **state)
{
	const struct surface s = { .start = 0x10000, .size = 0x10000, .pitch = 640 };
	struct fixture *f = *state;

	set_fence(f, 0, &s);
	compare_read(f, NULL, 0, 0, 0x30000);
	assert_true(misuse(f, GM_MISUSE_REG_ACCESS) > 0);
}

/* Ends before start, covers all, crosses the end of the address space: bounded all the same. */
static void hostile_fences(void **state)
{
	struct fixture *f = *state;
	u8 buf[5000];
	int i;

	for (i = 0; i < 3000; i++) {
		u32 n = rnd(f) % GEN9_FENCE_COUNT;
		u64 offset = rnd(f) % APERTURE_SIZE;

		gm_mmio_write(f->mmio, GM_FROM_CPU, GEN9_FENCE_HI(n), rnd(f));
		gm_mmio_write(f->mmio, GM_FROM_CPU, GEN9_FENCE_LO(n),
			      rnd(f) & (rnd(f) & 1 ? 0xffffffff : 0x00ffffff));
		if (offset + sizeof(buf) <= APERTURE_SIZE)
			assert_true(gm_aperture_access(f->aperture, offset, buf, sizeof(buf),
						       i & 1));
	}
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 0);
}

static void bounds(void **state)
{
	struct fixture *f = *state;
	u8 buf[16] = { 0 };

	assert_true(gm_aperture_access(f->aperture, APERTURE_SIZE - 16, buf, 16, false));
	assert_int_equal(buf[0], 0xff);
	assert_true(gm_aperture_access(f->aperture, APERTURE_SIZE, buf, 0, false));
	assert_false(gm_aperture_access(f->aperture, APERTURE_SIZE - 15, buf, 16, false));
	assert_false(gm_aperture_access(f->aperture, APERTURE_SIZE - 15, buf, 16, true));
	assert_false(gm_aperture_access(f->aperture, APERTURE_SIZE, buf, 1, false));
	assert_false(gm_aperture_access(f->aperture, ~0ull, buf, 16, false));
	assert_false(gm_aperture_access(f->aperture, 8, buf, SIZE_MAX, false));
}

static void invalid_entries(void **state)
{
	struct fixture *f = *state;
	u8 buf[4096];

	memset(buf, 0, sizeof(buf));
	assert_true(gm_aperture_access(f->aperture, RAM_SIZE - 2048, buf, 4096, false));
	assert_memory_equal(buf, f->ram + (page_of(RAM_PAGES - 1) << 12) + 2048, 2048);
	assert_int_equal(buf[2048], 0xff);
	assert_int_equal(buf[4095], 0xff);
	assert_int_equal(misuse(f, GM_MISUSE_UNSCRATCHED_PTE), 1);
	assert_true(gm_aperture_access(f->aperture, RAM_SIZE, buf, 8, true));
	assert_int_equal(misuse(f, GM_MISUSE_UNSCRATCHED_PTE), 2);
	assert_int_equal(atomic_load(&f->stats.counter[GM_COUNT_PAGE_FAULT]), 2);
	assert_memory_equal(f->ram, f->shadow, RAM_SIZE);
}

static void entries_to_nowhere(void **state)
{
	struct fixture *f = *state;
	u32 value = 0;

	set_entry(f, 5, 1ull << 33 | GEN9_GGTT_PRESENT);
	assert_true(gm_aperture_access(f->aperture, 0x5000, &value, 4, false));
	assert_int_equal(value, 0xffffffff);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 1);
	set_entry(f, 6, 1ull << 50 | GEN9_GGTT_PRESENT);
	assert_true(gm_aperture_access(f->aperture, 0x6000, &value, 4, false));
	assert_memory_equal(&value, f->ram, 4);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 2);
}

static void stale_until_invalidated(void **state)
{
	struct fixture *f = *state;
	u64 old, new, value;

	memcpy(&old, f->ram + (page_of(3) << 12), 8);
	memcpy(&new, f->ram + (page_of(4) << 12), 8);
	assert_true(gm_aperture_access(f->aperture, 0x3000, &value, 8, false));
	assert_int_equal(value, old);
	set_entry(f, 3, page_of(4) << 12 | GEN9_GGTT_PRESENT);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
	assert_true(gm_aperture_access(f->aperture, 0x3000, &value, 8, false));
	assert_int_equal(value, old);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
	gm_aperture_invalidate(f->aperture);
	assert_true(gm_aperture_access(f->aperture, 0x3000, &value, 8, false));
	assert_int_equal(value, new);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(linear_accesses),
		TEST(fenced_accesses),
		TEST(widest_pitch),
		TEST(fence_ends_in_a_row),
		TEST(fence_counts_at_once),
		TEST(reset_clears_fences),
		TEST(fence_registers_keep_their_bits),
		TEST(impossible_pitch),
		TEST(hostile_fences),
		TEST(bounds),
		TEST(invalid_entries),
		TEST(entries_to_nowhere),
		TEST(stale_until_invalidated),
	};

	return cmocka_run_group_tests_name("aperture", tests, NULL, NULL);
}
