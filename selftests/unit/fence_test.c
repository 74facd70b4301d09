// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of fences: literal registers, a reference of the tiles that works byte by byte, and
 * what must hold for whatever a guest writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include "fence.h"

#define ROUNDS		100000
#define PAGE		4096u

static u64 random_state = 0x9e3779b97f4a7c15;

static u64 rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* A register as a driver fills it in: bytes, all multiples of what they must be. */
static u64 reg(u64 start, u64 size, u32 pitch, bool y)
{
	return (start + size - PAGE) << 32 | (u64)(pitch / 128 - 1) << 32 | start | y << 1 | 1;
}

/* Decoding. */

static void good_fences(void **state)
{
	struct gvirt_fence f = gvirt_fence_decode(0x0023f00300200001);

	(void)state;
	assert_int_equal(f.first, 0x200);
	assert_int_equal(f.last, 0x23f);
	assert_int_equal(f.pitch, 512);
	assert_false(f.y);
	f = gvirt_fence_decode(0xfffff7ff00000003);
	assert_int_equal(f.first, 0);
	assert_int_equal(f.last, 0xfffff);
	assert_int_equal(f.pitch, 2048 * 128);
	assert_true(f.y);
	/* A single page, and the smallest pitch of Y tiles. */
	f = gvirt_fence_decode(0x0000100000001003);
	assert_int_equal(f.first, 1);
	assert_int_equal(f.last, 1);
	assert_int_equal(f.pitch, 128);
	/* Bits that mean nothing. */
	f = gvirt_fence_decode(0x0000180000001fff);
	assert_int_equal(f.first, 1);
	assert_int_equal(f.last, 1);
	assert_int_equal(f.pitch, 128);
	assert_true(f.y);
}

static void no_fences(void **state)
{
	static const u64 none[] = {
		0,
		0x0023f00300200000,	/* not valid */
		0x001ff00300200001,	/* ends before it begins */
		0x0023f00000200001,	/* X with 128 bytes, */
		0x0023f00600200001,	/* with 896 */
		0x0023f7fe00200001,	/* with 128 less than the most */
		0x00000003fffff001,
	};
	struct gvirt_fence f;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(none); i++) {
		f = gvirt_fence_decode(none[i]);
		assert_int_equal(f.pitch, 0);
		assert_false(gvirt_fence_covers(&f, 0x200));
	}
}

static void encodes_what_it_decodes(void **state)
{
	struct gvirt_fence f, again;
	unsigned int i, fences = 0;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		f = gvirt_fence_decode(rnd());
		if (!f.pitch)
			continue;
		fences++;
		again = gvirt_fence_decode(gvirt_fence_encode(&f));
		assert_true(gvirt_fence_equal(&f, &again));
		again.y = !f.y;
		assert_false(gvirt_fence_equal(&f, &again));
	}
	assert_true(fences > ROUNDS / 100);
	assert_int_equal(gvirt_fence_encode(&(struct gvirt_fence){ 0x200, 0x23f, 1024, true }),
			 0x0023f00700200003);
}

/* Which one counts. */
static void first_one_counts(void **state)
{
	const struct gvirt_fence f[] = {
		{ .first = 5, .last = 9, .pitch = 0 },
		{ .first = 10, .last = 20, .pitch = 512 },
		{ .first = 15, .last = 30, .pitch = 1024 },
	};

	(void)state;
	assert_int_equal(gvirt_fence_find(f, 3, 9), -1);
	assert_int_equal(gvirt_fence_find(f, 3, 10), 1);
	assert_int_equal(gvirt_fence_find(f, 3, 15), 1);
	assert_int_equal(gvirt_fence_find(f, 3, 20), 1);
	assert_int_equal(gvirt_fence_find(f, 3, 21), 2);
	assert_int_equal(gvirt_fence_find(f, 3, 30), 2);
	assert_int_equal(gvirt_fence_find(f, 3, 31), -1);
	assert_int_equal(gvirt_fence_find(f, 0, 15), -1);
}

/* Detiling. */

/* X tiles are 8 rows of 512 bytes; Y tiles 8 columns of 32 rows of 16 bytes. */
static u64 reference(u32 pitch, bool y_tiles, u64 linear)
{
	u64 x = linear % pitch, y = linear / pitch;

	if (y_tiles)
		return (y / 32 * (pitch / 128) + x / 128) * PAGE + x % 128 / 16 * 512 +
		       y % 32 * 16 + x % 16;
	return (y / 8 * (pitch / 512) + x / 512) * PAGE + y % 8 * 512 + x % 512;
}

static void check_detiling(u32 pitch, bool y, u64 start, u64 linear)
{
	u64 size = (u64)pitch * 64;
	struct gvirt_fence f = gvirt_fence_decode(reg(start, size, pitch, y));
	u64 at;
	u32 run, i;

	assert_int_equal(f.pitch, pitch);
	at = gvirt_fence_detile(&f, start + linear, &run);
	assert_int_equal(at, start + reference(pitch, y, linear));
	assert_in_range(run, 1, 512);
	for (i = 0; i < run; i++)
		assert_int_equal(start + reference(pitch, y, linear + i), at + i);
	/* And no further: the next byte is elsewhere. */
	assert_int_equal((at + run) % (y ? 16 : 512), 0);
}

static void detiles(void **state)
{
	static const u32 pitch[] = { 512, 1024, 1536, 4096, 7680, 8192, 0x40000 };
	unsigned int i, n;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		n = rnd() % ARRAY_SIZE(pitch);
		check_detiling(pitch[n], rnd() & 1, rnd() % 1000 * PAGE, rnd() % (pitch[n] * 64));
	}
	check_detiling(128, true, PAGE, 4000);
	check_detiling(384, true, 0, 384 * 63 + 5);
}

/* What is seen of a chunk is the chunk, each byte once: others' pages are not reached. */
static void chunks_stand_for_themselves(void **state)
{
	const struct gvirt_fence f[] = {
		{ 3, 300, 512, false }, { 3, 300, 1536, false }, { 7, 300, 384, true },
		{ 0, 99, 7680, true },
	};
	struct gvirt_fence_chunk chunk;
	unsigned int n;
	u64 at, i, from;
	u8 *seen;
	u32 run;

	(void)state;
	for (n = 0; n < ARRAY_SIZE(f); n++) {
		chunk = gvirt_fence_chunk_of(&f[n], 50);
		from = (u64)chunk.first * PAGE;
		seen = calloc(chunk.pages, PAGE);
		assert_non_null(seen);
		for (i = 0; i < (u64)chunk.pages * PAGE; i++) {
			at = gvirt_fence_detile(&f[n], from + i, &run) - from;
			assert_true(at < (u64)chunk.pages * PAGE);
			assert_int_equal(seen[at], 0);
			seen[at] = 1;
		}
		free(seen);
	}
}

/* Chunks. */

static u32 pages_of_row(const struct gvirt_fence *f)
{
	return f->pitch / (f->y ? 128 : 512);
}

static void check_chunk(const struct gvirt_fence *f, u32 page)
{
	struct gvirt_fence_chunk chunk = gvirt_fence_chunk_of(f, page), other;
	u32 row = pages_of_row(f), last = chunk.first + chunk.pages - 1, run;
	u64 at;

	assert_in_range(chunk.pages, 1, GVIRT_FENCE_MOST_PAGES);
	assert_true(chunk.pages <= GVIRT_FENCE_CHUNK_PAGES || chunk.pages == row);
	assert_int_equal(chunk.pages % row, 0);
	assert_int_equal((chunk.first - f->first) % row, 0);
	assert_in_range(page, chunk.first, last);
	assert_in_range(chunk.first, f->first, f->last);
	/* Not more rows than the fence has. */
	assert_true(last < f->last + row);
	at = gvirt_fence_detile(f, (u64)page * PAGE + rnd() % PAGE, &run);
	assert_in_range(at / PAGE, chunk.first, last);
	/* Each page of it says the same, and the next one says otherwise. */
	other = gvirt_fence_chunk_of(f, chunk.first);
	assert_memory_equal(&chunk, &other, sizeof(chunk));
	if (last >= f->last)
		return;
	other = gvirt_fence_chunk_of(f, last);
	assert_memory_equal(&chunk, &other, sizeof(chunk));
	other = gvirt_fence_chunk_of(f, last + 1);
	assert_int_equal(other.first, last + 1);
}

static void chunks_are_whole_rows(void **state)
{
	struct gvirt_fence f;
	unsigned int i, found = 0;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		f = gvirt_fence_decode(rnd() | 1);
		if (!f.pitch)
			continue;
		found++;
		check_chunk(&f, f.first + rnd() % (f.last - f.first + 1));
		check_chunk(&f, f.first);
		check_chunk(&f, f.last);
	}
	assert_true(found > ROUNDS / 10);
	f = (struct gvirt_fence){ 0, 0, 2048 * 128, true };
	check_chunk(&f, 0);
	assert_int_equal(gvirt_fence_chunk_of(&f, 0).pages, 2048);
	f = (struct gvirt_fence){ 100, 131, 2048, false };
	assert_int_equal(gvirt_fence_chunk_of(&f, 131).pages, 32);
}

/* Who loses one. */
static void free_ones_first(void **state)
{
	struct gvirt_fence_claim claim[4] = { { "a", 1 }, { "b", 2 }, { NULL, 9 }, { "a", 3 } };

	(void)state;
	assert_int_equal(gvirt_fence_victim(claim, 4, "c"), 2);
	claim[2] = (struct gvirt_fence_claim){ claim[0].owner, 4 };
	/* Whoever has most: the oldest of its own. */
	assert_int_equal(gvirt_fence_victim(claim, 4, "c"), 0);
	assert_int_equal(gvirt_fence_victim(claim, 4, claim[1].owner), 0);
	assert_int_equal(gvirt_fence_victim(claim, 4, claim[0].owner), 0);
	claim[0].used = 8;
	assert_int_equal(gvirt_fence_victim(claim, 4, claim[0].owner), 3);
}

/* However one takes, the others keep their share. */
static void greedy_one_gets_its_share(void **state)
{
	static const char owner[8];
	struct gvirt_fence_claim claim[32] = { { NULL, 0 } };
	unsigned int count[8] = { 0 };
	unsigned int i, n;
	u64 clock = 0;

	(void)state;
	for (i = 0; i < 10000; i++) {
		/* Owner 0 takes 15 of 16 times. */
		unsigned int who = i % 16 ? 0 : 1 + i / 16 % 7;

		n = gvirt_fence_victim(claim, 32, &owner[who]);
		assert_in_range(n, 0, 31);
		claim[n] = (struct gvirt_fence_claim){ &owner[who], ++clock };
	}
	for (i = 0; i < 32; i++)
		count[(const char *)claim[i].owner - owner]++;
	for (i = 0; i < 8; i++)
		assert_int_equal(count[i], 4);
}

/* More owners than fences: each gets one in turn, and nobody two. */
static void many_owners(void **state)
{
	static const char owner[64];
	struct gvirt_fence_claim claim[32] = { { NULL, 0 } };
	unsigned int i, k, n;

	(void)state;
	for (i = 0; i < 640; i++) {
		n = gvirt_fence_victim(claim, 32, &owner[i % 64]);
		claim[n] = (struct gvirt_fence_claim){ &owner[i % 64], i + 1 };
		for (k = 0; k < 32; k++)
			assert_true(k == n || claim[k].owner != claim[n].owner);
	}
	/* The last 32 have them. */
	for (i = 0; i < 32; i++)
		assert_true(claim[i].used > 640 - 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_fences),
		cmocka_unit_test(no_fences),
		cmocka_unit_test(encodes_what_it_decodes),
		cmocka_unit_test(first_one_counts),
		cmocka_unit_test(detiles),
		cmocka_unit_test(chunks_stand_for_themselves),
		cmocka_unit_test(chunks_are_whole_rows),
		cmocka_unit_test(free_ones_first),
		cmocka_unit_test(greedy_one_gets_its_share),
		cmocka_unit_test(many_owners),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
