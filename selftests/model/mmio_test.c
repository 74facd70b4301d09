// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register file: storage, hooks, masked registers, access sizes, unknown
 * registers, and the table of known ones itself.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include <gvirt/gen9_gt.h>
#include "mmio.h"
#include "stats.h"

#define PLAIN	GEN9_PRIVATE_PAT_LO	/* storage */
#define MASKED	0x7004u			/* CACHE_MODE_1 */
#define FUSE	GEN9_FUSE2		/* read-only */
#define NOWHERE	0x30000u		/* no register there */

struct hook_log {
	unsigned int reads;
	unsigned int writes;
	u32 offset;
	u32 value;
};

struct fixture {
	struct gm_stats stats;
	struct gm_mmio *mmio;
	struct hook_log log;
};

static u32 log_read(void *opaque, u32 offset)
{
	struct hook_log *log = opaque;

	log->reads++;
	log->offset = offset;
	return 0x11223344;
}

static void log_write(void *opaque, u32 offset, u32 value)
{
	struct hook_log *log = opaque;

	log->writes++;
	log->offset = offset;
	log->value = value;
}

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));

	f->mmio = gm_mmio_create(&f->stats);
	assert_non_null(f->mmio);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	gm_mmio_destroy(f->mmio);
	test_free(f);
	return 0;
}

static u64 counted(struct fixture *f, enum gm_counter counter)
{
	return atomic_load(&f->stats.counter[counter]);
}

static void add_hook(struct fixture *f, u32 first, u32 last, bool masked)
{
	const struct gm_mmio_range range = {
		.first = first,
		.last = last,
		.read = masked ? NULL : log_read,
		.write = log_write,
		.masked = masked,
		.opaque = &f->log,
	};

	assert_int_equal(gm_mmio_add(f->mmio, &range), 0);
}

static void table_is_sorted_and_does_not_overlap(void **state)
{
	(void)state;
	assert_true(gm_mmio_known_count > 0);
	for (size_t i = 0; i < gm_mmio_known_count; i++) {
		const struct gm_mmio_known *row = &gm_mmio_known[i];

		assert_int_equal(row->first % 4, 0);
		assert_int_equal(row->last % 4, 0);
		assert_true(row->first <= row->last);
		assert_true(row->last < GM_MMIO_SIZE);
		assert_non_null(row->name);
		assert_int_equal(row->flags & ~(GM_KNOWN_MASKED | GM_KNOWN_RO), 0);
		if (row->flags & GM_KNOWN_MASKED)
			assert_int_equal(row->reset >> 16, 0);
		if (i)
			assert_true(row[-1].last < row->first);
	}
}

static void storage_holds_what_is_written(void **state)
{
	struct fixture *f = *state;

	gm_mmio_write(f->mmio, GM_FROM_CPU, PLAIN, 0xdeadbeef);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, PLAIN), 0xdeadbeef);
	assert_int_equal(gm_mmio_peek(f->mmio, PLAIN), 0xdeadbeef);
	assert_int_equal(gm_mmio_update(f->mmio, PLAIN, 0xff, 0x12), 0xdeadbe12);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_COMMAND, PLAIN), 0xdeadbe12);
	assert_int_equal(counted(f, GM_COUNT_MMIO_READ), 1);
	assert_int_equal(counted(f, GM_COUNT_MMIO_WRITE), 1);
}

static void masked_register_changes_selected_bits(void **state)
{
	struct fixture *f = *state;

	gm_mmio_write(f->mmio, GM_FROM_CPU, MASKED, 0x00ff00a5);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, MASKED), 0x00a5);
	gm_mmio_write(f->mmio, GM_FROM_CPU, MASKED, 0x00010000);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, MASKED), 0x00a4);
	gm_mmio_write(f->mmio, GM_FROM_CPU, MASKED, 0x0000ffff);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, MASKED), 0x00a4);
}

static void read_only_register_ignores_writes(void **state)
{
	struct fixture *f = *state;
	u32 before = gm_mmio_read(f->mmio, GM_FROM_CPU, FUSE);

	assert_int_not_equal(before, 0);
	gm_mmio_write(f->mmio, GM_FROM_CPU, FUSE, ~before);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, FUSE), before);
}

static void unknown_register_reads_zero_and_is_counted(void **state)
{
	struct fixture *f = *state;

	gm_mmio_write(f->mmio, GM_FROM_CPU, NOWHERE, 0xffffffff);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, NOWHERE), 0);
	assert_int_equal(gm_mmio_peek(f->mmio, NOWHERE), 0);
	assert_int_equal(counted(f, GM_COUNT_MMIO_UNKNOWN_READ), 1);
	assert_int_equal(counted(f, GM_COUNT_MMIO_UNKNOWN_WRITE), 1);
	assert_int_equal(gm_mmio_next_unknown(f->mmio, 0), NOWHERE);
	assert_int_equal(gm_mmio_next_unknown(f->mmio, NOWHERE + 4), GM_MMIO_SIZE);
}

static void beyond_the_end_reads_zero(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_COMMAND, GM_MMIO_SIZE), 0);
	gm_mmio_write(f->mmio, GM_FROM_COMMAND, 0xfffffffc, 1);
	assert_int_equal(counted(f, GM_COUNT_MMIO_UNKNOWN_READ), 1);
	assert_int_equal(counted(f, GM_COUNT_MMIO_UNKNOWN_WRITE), 1);
}

static void hooks_get_offset_and_value(void **state)
{
	struct fixture *f = *state;

	add_hook(f, NOWHERE, NOWHERE + 8, false);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, NOWHERE + 4), 0x11223344);
	assert_int_equal(f->log.offset, NOWHERE + 4);
	gm_mmio_write(f->mmio, GM_FROM_COMMAND, NOWHERE + 8, 0x55);
	assert_int_equal(f->log.offset, NOWHERE + 8);
	assert_int_equal(f->log.value, 0x55);
	assert_int_equal(gm_mmio_peek(f->mmio, NOWHERE + 8), 0);
	assert_int_equal(counted(f, GM_COUNT_MMIO_UNKNOWN_READ), 0);
}

static void masked_hook_gets_the_result(void **state)
{
	struct fixture *f = *state;

	add_hook(f, NOWHERE, NOWHERE, true);
	gm_mmio_poke(f->mmio, NOWHERE, 0x00f0);
	gm_mmio_write(f->mmio, GM_FROM_CPU, NOWHERE, 0x0011ff0f);
	assert_int_equal(f->log.value, 0x00e1);
	assert_int_equal(gm_mmio_peek(f->mmio, NOWHERE), 0x00e1);
}

static void ranges_must_not_overlap(void **state)
{
	struct fixture *f = *state;
	struct gm_mmio_range range = { .first = NOWHERE + 8, .last = NOWHERE + 12 };

	add_hook(f, NOWHERE, NOWHERE + 8, false);
	assert_int_equal(gm_mmio_add(f->mmio, &range), -EEXIST);
	range.first = NOWHERE + 12;
	assert_int_equal(gm_mmio_add(f->mmio, &range), 0);
	range.first = 2;
	assert_int_equal(gm_mmio_add(f->mmio, &range), -EINVAL);
	range.first = NOWHERE + 0x100;
	assert_int_equal(gm_mmio_add(f->mmio, &range), -EINVAL);
	range.last = GM_MMIO_SIZE;
	assert_int_equal(gm_mmio_add(f->mmio, &range), -EINVAL);
}

static void ranges_are_bounded(void **state)
{
	struct fixture *f = *state;
	struct gm_mmio_range range = { 0 };
	int err = 0;

	for (u32 i = 0; i < 100000 && !err; i++) {
		range.first = i * 4;
		range.last = i * 4;
		err = gm_mmio_add(f->mmio, &range);
	}
	assert_int_equal(err, -ENOSPC);
}

static void parts_of_a_register(void **state)
{
	struct fixture *f = *state;
	u8 byte = 0x99;
	u16 half = 0x7788;

	gm_mmio_poke(f->mmio, PLAIN, 0x44332211);
	assert_true(gm_mmio_access(f->mmio, PLAIN + 1, &byte, 1, true));
	assert_int_equal(gm_mmio_peek(f->mmio, PLAIN), 0x44339911);
	assert_true(gm_mmio_access(f->mmio, PLAIN + 2, &half, 2, true));
	assert_int_equal(gm_mmio_peek(f->mmio, PLAIN), 0x77889911);
	assert_true(gm_mmio_access(f->mmio, PLAIN + 3, &byte, 1, false));
	assert_int_equal(byte, 0x77);
	assert_true(gm_mmio_access(f->mmio, PLAIN, &half, 2, false));
	assert_int_equal(half, 0x9911);
}

static void eight_bytes_are_two_registers(void **state)
{
	struct fixture *f = *state;
	u64 value = 0x0123456789abcdefULL;

	assert_true(gm_mmio_access(f->mmio, PLAIN, &value, 8, true));
	assert_int_equal(gm_mmio_peek(f->mmio, PLAIN), 0x89abcdef);
	assert_int_equal(gm_mmio_peek(f->mmio, PLAIN + 4), 0x01234567);
	value = 0;
	assert_true(gm_mmio_access(f->mmio, PLAIN, &value, 8, false));
	assert_true(value == 0x0123456789abcdefULL);
}

static void odd_accesses_are_refused(void **state)
{
	static const struct {
		u32 offset;
		size_t len;
	} odd[] = {
		{ PLAIN + 1, 2 }, { PLAIN + 2, 4 }, { PLAIN + 4, 8 }, { PLAIN, 3 }, { PLAIN, 0 },
		{ PLAIN, 16 }, { GM_MMIO_SIZE, 4 }, { 0xfffffffc, 4 }, { 0xfffffff8, 8 },
	};
	struct fixture *f = *state;
	u8 buf[16];

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		memset(buf, 0x5a, sizeof(buf));
		assert_false(gm_mmio_access(f->mmio, odd[i].offset, buf, odd[i].len, false));
		for (size_t n = 0; n < odd[i].len; n++)
			assert_int_equal(buf[n], 0xff);
		assert_false(gm_mmio_access(f->mmio, odd[i].offset, buf, odd[i].len, true));
	}
	assert_int_equal(atomic_load(&f->stats.misuse[GM_MISUSE_REG_ACCESS]),
			 2 * ARRAY_SIZE(odd));
	assert_int_equal(gm_mmio_peek(f->mmio, PLAIN), 0);
}

static void reset_brings_reset_values_back(void **state)
{
	struct fixture *f = *state;

	gm_mmio_poke(f->mmio, PLAIN, 1);
	gm_mmio_poke(f->mmio, FUSE, 1);
	gm_mmio_poke(f->mmio, MASKED, 1);
	gm_mmio_reset(f->mmio, PLAIN, FUSE);
	assert_int_equal(gm_mmio_peek(f->mmio, PLAIN), 0);
	assert_int_equal(gm_mmio_peek(f->mmio, FUSE),
			 GEN9_FUSE2_SLICE_ENABLE(0) | GEN9_FUSE2_SUBSLICE_DISABLE(3));
	assert_int_equal(gm_mmio_peek(f->mmio, MASKED), 0);

	gm_mmio_poke(f->mmio, MASKED, 1);
	gm_mmio_reset(f->mmio, 0, MASKED - 4);
	assert_int_equal(gm_mmio_peek(f->mmio, MASKED), 1);
	gm_mmio_reset(f->mmio, 0, 0xffffffff);
	assert_int_equal(gm_mmio_peek(f->mmio, MASKED), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_is_sorted_and_does_not_overlap),
		cmocka_unit_test_setup_teardown(storage_holds_what_is_written, setup, teardown),
		cmocka_unit_test_setup_teardown(masked_register_changes_selected_bits, setup,
						teardown),
		cmocka_unit_test_setup_teardown(read_only_register_ignores_writes, setup, teardown),
		cmocka_unit_test_setup_teardown(unknown_register_reads_zero_and_is_counted, setup,
						teardown),
		cmocka_unit_test_setup_teardown(beyond_the_end_reads_zero, setup, teardown),
		cmocka_unit_test_setup_teardown(hooks_get_offset_and_value, setup, teardown),
		cmocka_unit_test_setup_teardown(masked_hook_gets_the_result, setup, teardown),
		cmocka_unit_test_setup_teardown(ranges_must_not_overlap, setup, teardown),
		cmocka_unit_test_setup_teardown(ranges_are_bounded, setup, teardown),
		cmocka_unit_test_setup_teardown(parts_of_a_register, setup, teardown),
		cmocka_unit_test_setup_teardown(eight_bytes_are_two_registers, setup, teardown),
		cmocka_unit_test_setup_teardown(odd_accesses_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(reset_brings_reset_values_back, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
