// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the global GTT's table: entries, accesses by message, the shared file.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include <gvirt/gen9_pte.h>
#include "ggtt.h"

#define ENTRIES (GEN9_GGTT_TABLE_SIZE / GEN9_PTE_SIZE)

static int setup(void **state)
{
	*state = gm_ggtt_create(GEN9_GGTT_TABLE_SIZE);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	gm_ggtt_destroy(*state);
	return 0;
}

static void starts_empty(void **state)
{
	u64 i;

	assert_int_equal(gm_ggtt_size(*state), GEN9_GGTT_TABLE_SIZE);
	for (i = 0; i < ENTRIES; i += 511)
		assert_int_equal(gm_ggtt_entry(*state, i), 0);
}

static void covers_the_address_space(void **state)
{
	(void)state;
	assert_int_equal((u64)ENTRIES << GEN9_PAGE_SHIFT_4K, 1ull << GEN9_GGTT_BITS);
}

static void refuses_odd_sizes(void **state)
{
	(void)state;
	assert_null(gm_ggtt_create(0));
	assert_null(gm_ggtt_create(4095));
	assert_null(gm_ggtt_create(4097));
	gm_ggtt_destroy(NULL);
}

static void index_is_bounded(void **state)
{
	u64 ones = ~0ull;

	assert_true(gm_ggtt_access(*state, (ENTRIES - 1) * 8, &ones, 8, true));
	assert_int_equal(gm_ggtt_entry(*state, ENTRIES - 1), ~0ull);
	assert_int_equal(gm_ggtt_entry(*state, ENTRIES), 0);
	assert_int_equal(gm_ggtt_entry(*state, 1ull << 61), 0);
	assert_int_equal(gm_ggtt_entry(*state, ~0ull), 0);
}

/* Tables side by side in memory: the entry after the last one is a neighbour's first. */
static void neighbours_are_not_seen(void **state)
{
	struct gm_ggtt *table[8];
	u64 ones = ~0ull;
	int i;

	(void)state;
	for (i = 0; i < 8; i++) {
		table[i] = gm_ggtt_create(4096);
		assert_true(gm_ggtt_access(table[i], 0, &ones, 8, true));
	}
	for (i = 0; i < 8; i++) {
		assert_int_equal(gm_ggtt_entry(table[i], 512), 0);
		assert_false(gm_ggtt_access(table[i], 4096, &ones, 8, false));
	}
	for (i = 0; i < 8; i++)
		gm_ggtt_destroy(table[i]);
}

static void halves_and_wholes(void **state)
{
	u64 value = 0x1122334455667788;
	u32 half = 0xaabbccdd;

	assert_true(gm_ggtt_access(*state, 0x100, &value, 8, true));
	assert_true(gm_ggtt_access(*state, 0x104, &half, 4, true));
	assert_int_equal(gm_ggtt_entry(*state, 0x20), 0xaabbccdd55667788);
	assert_true(gm_ggtt_access(*state, 0x100, &half, 4, false));
	assert_int_equal(half, 0x55667788);
	assert_true(gm_ggtt_access(*state, 0x100, &value, 8, false));
	assert_int_equal(value, 0xaabbccdd55667788);
	assert_int_equal(gm_ggtt_entry(*state, 0x1f), 0);
	assert_int_equal(gm_ggtt_entry(*state, 0x21), 0);
}

static void refuses_odd_accesses(void **state)
{
	static const struct {
		u64 offset;
		size_t len;
	} bad[] = {
		{ 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 5 }, { 0, 16 }, { 4, 8 }, { 2, 4 },
		{ 1, 8 }, { GEN9_GGTT_TABLE_SIZE, 4 }, { GEN9_GGTT_TABLE_SIZE, 8 },
		{ GEN9_GGTT_TABLE_SIZE - 4, 8 }, { ~0ull, 4 }, { ~7ull, 8 }, { ~3ull, 4 },
	};
	u8 buf[16];
	size_t i;

	memset(buf, 0xff, sizeof(buf));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_false(gm_ggtt_access(*state, bad[i].offset, buf, bad[i].len, false));
		assert_false(gm_ggtt_access(*state, bad[i].offset, buf, bad[i].len, true));
	}
	for (i = 0; i < ENTRIES; i++)
		assert_int_equal(gm_ggtt_entry(*state, i), 0);
}

/* The VMM maps the file: what the guest stores there is what the GPU walks. */
static void file_is_the_table(void **state)
{
	int fd = gm_ggtt_fd(*state);
	u64 value = 0x123456789abc0001;
	u64 *map;

	map = mmap(NULL, GEN9_GGTT_TABLE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(map, MAP_FAILED);
	map[77] = 0xfeed1;
	assert_int_equal(gm_ggtt_entry(*state, 77), 0xfeed1);
	assert_true(gm_ggtt_access(*state, 78 * 8, &value, 8, true));
	assert_int_equal(map[78], value);
	assert_int_equal(munmap(map, GEN9_GGTT_TABLE_SIZE), 0);
}

static void file_cannot_be_cut(void **state)
{
	int fd = gm_ggtt_fd(*state);

	assert_int_equal(ftruncate(fd, 4096), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(ftruncate(fd, GEN9_GGTT_TABLE_SIZE * 2), -1);
	assert_int_equal(gm_ggtt_entry(*state, ENTRIES - 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(starts_empty, setup, teardown),
		cmocka_unit_test(covers_the_address_space),
		cmocka_unit_test(refuses_odd_sizes),
		cmocka_unit_test_setup_teardown(index_is_bounded, setup, teardown),
		cmocka_unit_test(neighbours_are_not_seen),
		cmocka_unit_test_setup_teardown(halves_and_wholes, setup, teardown),
		cmocka_unit_test_setup_teardown(refuses_odd_accesses, setup, teardown),
		cmocka_unit_test_setup_teardown(file_is_the_table, setup, teardown),
		cmocka_unit_test_setup_teardown(file_cannot_be_cut, setup, teardown),
	};

	return cmocka_run_group_tests_name("ggtt", tests, NULL, NULL);
}
