// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the TLB by itself: what it may answer, what it must keep, what it must forget.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tlb.h"

static u64 random_state;

static u64 rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static int setup(void **state)
{
	random_state = 0x9e3779b97f4a7c15;
	*state = calloc(1, sizeof(struct gm_tlb));
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static void fill(struct gm_tlb *tlb, enum gm_space space, u64 va, unsigned int shift, u64 iova,
		 u64 generation)
{
	const struct gm_tlb_entry entry = {
		.iova = iova,
		.generation = generation,
		.shift = shift,
		.writable = true,
	};
	const struct gm_tlb_entry *made = gm_tlb_fill(tlb, space, va, &entry);

	assert_non_null(made);
	assert_int_equal(made->iova, iova);
}

static void empty_has_nothing(void **state)
{
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		assert_null(gm_tlb_lookup(*state, i & 1, rnd() >> 16, 1));
		assert_null(gm_tlb_table_lookup(*state, 1 + i % 3, rnd() >> 16, 1));
	}
	assert_null(gm_tlb_lookup(*state, GM_SPACE_GGTT, 0, 1));
	assert_null(gm_tlb_table_lookup(*state, 1, 0, 1));
}

static void page_is_hit_as_a_whole(void **state)
{
	static const unsigned int shifts[] = { 12, 16, 21, 30 };
	const u64 base = 0x123440000000;
	unsigned int i, k;

	for (i = 0; i < 4; i++) {
		u64 size = 1ull << shifts[i];
		u64 va = base + i * (1ull << 31);

		fill(*state, GM_SPACE_PPGTT, va + rnd() % size, shifts[i], 0x1000 + i, 1);
		for (k = 0; k < 100; k++) {
			u64 at = va + rnd() % size;

			assert_non_null(gm_tlb_lookup(*state, GM_SPACE_PPGTT, at, 1));
			assert_int_equal(gm_tlb_lookup(*state, GM_SPACE_PPGTT, at, 1)->iova,
					 0x1000 + i);
			assert_null(gm_tlb_lookup(*state, GM_SPACE_GGTT, at, 1));
		}
		assert_null(gm_tlb_lookup(*state, GM_SPACE_PPGTT, va - 1, 1));
		assert_null(gm_tlb_lookup(*state, GM_SPACE_PPGTT, va + size, 1));
	}
}

static void generation_forgets_one_space(void **state)
{
	fill(*state, GM_SPACE_PPGTT, 0x5000, 12, 0xa000, 1);
	fill(*state, GM_SPACE_GGTT, 0x5000, 12, 0xb000, 1);
	assert_null(gm_tlb_lookup(*state, GM_SPACE_PPGTT, 0x5000, 2));
	assert_int_equal(gm_tlb_lookup(*state, GM_SPACE_GGTT, 0x5000, 1)->iova, 0xb000);
	fill(*state, GM_SPACE_PPGTT, 0x5000, 12, 0xc000, 2);
	assert_int_equal(gm_tlb_lookup(*state, GM_SPACE_PPGTT, 0x5fff, 2)->iova, 0xc000);
}

/* Pages that are 128 * 128 * 128 pages apart fall into one set whatever the bits are mixed to. */
static u64 same_set(unsigned int i)
{
	return (u64)i << (12 + 21);
}

static void set_replaces_the_oldest(void **state)
{
	unsigned int i;

	for (i = 0; i < GM_TLB_WAYS; i++)
		fill(*state, GM_SPACE_PPGTT, same_set(i), 12, i << 12, 1);
	for (i = 0; i < GM_TLB_WAYS; i++)
		assert_non_null(gm_tlb_lookup(*state, GM_SPACE_PPGTT, same_set(i), 1));
	fill(*state, GM_SPACE_PPGTT, same_set(GM_TLB_WAYS), 12, 0, 1);
	assert_null(gm_tlb_lookup(*state, GM_SPACE_PPGTT, same_set(0), 1));
	for (i = 1; i <= GM_TLB_WAYS; i++)
		assert_non_null(gm_tlb_lookup(*state, GM_SPACE_PPGTT, same_set(i), 1));
}

/* The entry that was hit last in one space is replaced by the other: its shortcut must go too. */
static void victim_is_not_the_last_hit(void **state)
{
	unsigned int i;

	fill(*state, GM_SPACE_GGTT, same_set(0), 12, 0x1000, 1);
	assert_non_null(gm_tlb_lookup(*state, GM_SPACE_GGTT, same_set(0), 1));
	for (i = 0; i < GM_TLB_WAYS; i++)
		fill(*state, GM_SPACE_PPGTT, same_set(i), 12, 0x2000, 1);
	assert_null(gm_tlb_lookup(*state, GM_SPACE_GGTT, same_set(0), 1));
}

static void run_of_pages_fits(void **state)
{
	unsigned int i;

	for (i = 0; i < GM_TLB_SETS * GM_TLB_WAYS; i++)
		fill(*state, GM_SPACE_PPGTT, 0x7f0000000000 + (u64)i * 4096, 12, i * 4096, 1);
	for (i = 0; i < GM_TLB_SETS * GM_TLB_WAYS; i++)
		assert_int_equal(gm_tlb_lookup(*state, GM_SPACE_PPGTT,
					       0x7f0000000000 + (u64)i * 4096, 1)->iova, i * 4096);
}

#define PAGES 4096

/* Whatever is replaced: an answer is always what was filled last, of this generation. */
static void random_answers_are_true(void **state)
{
	static u64 filled[GM_SPACES][PAGES];
	u64 generation[GM_SPACES] = { 1, 1 };
	unsigned int i, hits = 0;

	memset(filled, 0, sizeof(filled));
	for (i = 0; i < 200000; i++) {
		enum gm_space space = rnd() & 1;
		unsigned int page = rnd() % PAGES;
		const struct gm_tlb_entry *entry;
		u64 va = (u64)page << 12 | (rnd() & 0xfff);

		if (rnd() % 2000 == 0) {
			generation[space]++;
			memset(filled[space], 0, sizeof(filled[space]));
		}
		entry = gm_tlb_lookup(*state, space, va, generation[space]);
		if (entry) {
			hits++;
			assert_int_equal(entry->iova, filled[space][page]);
			assert_int_equal(entry->generation, generation[space]);
		} else {
			filled[space][page] = (rnd() | 1) << 12;
			fill(*state, space, va, 12, filled[space][page], generation[space]);
		}
	}
	assert_true(hits > 1000);
}

static void tables_are_kept_by_level(void **state)
{
	const u64 va = 0x123456789abc;
	unsigned int level;

	for (level = 1; level <= 3; level++) {
		const struct gm_tlb_table fill = {
			.table = level << 12,
			.generation = 7,
			.writable = level & 1,
			.pages_64k = level == 1,
		};

		gm_tlb_table_fill(*state, level, va, &fill);
	}
	for (level = 1; level <= 3; level++) {
		u64 span = 1ull << (12 + 9 * level);
		const struct gm_tlb_table *table;

		table = gm_tlb_table_lookup(*state, level, va ^ (span - 1), 7);
		assert_non_null(table);
		assert_int_equal(table->table, level << 12);
		assert_int_equal(table->writable, level & 1);
		assert_int_equal(table->pages_64k, level == 1);
		assert_null(gm_tlb_table_lookup(*state, level, va ^ span, 7));
		assert_null(gm_tlb_table_lookup(*state, level, va + GM_TLB_TABLES * span, 7));
		assert_null(gm_tlb_table_lookup(*state, level, va, 8));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(empty_has_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(page_is_hit_as_a_whole, setup, teardown),
		cmocka_unit_test_setup_teardown(generation_forgets_one_space, setup, teardown),
		cmocka_unit_test_setup_teardown(set_replaces_the_oldest, setup, teardown),
		cmocka_unit_test_setup_teardown(victim_is_not_the_last_hit, setup, teardown),
		cmocka_unit_test_setup_teardown(run_of_pages_fits, setup, teardown),
		cmocka_unit_test_setup_teardown(random_answers_are_true, setup, teardown),
		cmocka_unit_test_setup_teardown(tables_are_kept_by_level, setup, teardown),
	};

	return cmocka_run_group_tests_name("tlb", tests, NULL, NULL);
}
