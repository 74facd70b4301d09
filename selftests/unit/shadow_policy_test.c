// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of when a guest's page table is protected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include "shadow_policy.h"

static void names(void **state)
{
	(void)state;
	assert_string_equal(gvirt_shadow_mode_name(GVIRT_SHADOW_STRICT), "strict");
	assert_string_equal(gvirt_shadow_mode_name(GVIRT_SHADOW_ASYNC), "async");
	assert_string_equal(gvirt_shadow_mode_name(GVIRT_SHADOW_ADAPTIVE), "adaptive");
	assert_string_equal(gvirt_shadow_mode_name(GVIRT_SHADOW_MODES), "?");
}

static void modes_decide(void **state)
{
	struct gvirt_temper temper = { };
	unsigned int i;

	(void)state;
	assert_true(gvirt_temper_protect(&temper, GVIRT_SHADOW_STRICT));
	for (i = 0; i < 1000; i++) {
		assert_false(gvirt_temper_protect(&temper, GVIRT_SHADOW_ASYNC));
		assert_int_equal(gvirt_temper_protect(&temper, GVIRT_SHADOW_ADAPTIVE),
				 i >= GVIRT_TEMPER_PATIENCE_MIN);
		gvirt_temper_compared(&temper, false);
	}
	gvirt_temper_compared(&temper, true);
	assert_false(gvirt_temper_protect(&temper, GVIRT_SHADOW_ADAPTIVE));
	assert_true(gvirt_temper_protect(&temper, GVIRT_SHADOW_STRICT));
}

/* Comparisons until it is protected. */
static unsigned int wait_for(struct gvirt_temper *temper)
{
	unsigned int n;

	for (n = 0; !gvirt_temper_protect(temper, GVIRT_SHADOW_ADAPTIVE); n++) {
		assert_true(n <= GVIRT_TEMPER_PATIENCE_MAX);
		gvirt_temper_compared(temper, false);
	}
	return n;
}

/* Twice as long each time that protection was not worth it, up to a bound, and at once less. */
static void patience_grows(void **state)
{
	unsigned int expected = GVIRT_TEMPER_PATIENCE_MIN;
	struct gvirt_temper temper = { };
	unsigned int i;

	(void)state;
	for (i = 0; i < 300; i++) {
		assert_int_equal(gvirt_temper_patience(&temper), expected);
		assert_int_equal(wait_for(&temper), expected);
		gvirt_temper_written(&temper, GVIRT_TEMPER_WORTH * expected - 1);
		if (expected < GVIRT_TEMPER_PATIENCE_MAX)
			expected *= 2;
	}
	wait_for(&temper);
	gvirt_temper_written(&temper, GVIRT_TEMPER_WORTH * expected);
	assert_int_equal(wait_for(&temper), GVIRT_TEMPER_PATIENCE_MIN);
}

static void mirrors_entries_only(void **state)
{
	static const struct {
		u32 offset;
		unsigned int bytes;
		bool entry;
	} stores[] = {
		{ 0, 8, true }, { 4088, 8, true }, { 4, 4, true }, { 4092, 4, true },
		{ 4, 8, false }, { 2, 4, false }, { 0, 1, false }, { 0, 2, false },
		{ 0, 16, false }, { 0, 32, false }, { 0, 4096, false }, { 0, 0, false },
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(stores); i++) {
		assert_int_equal(gvirt_temper_mirror(GVIRT_SHADOW_STRICT, stores[i].offset,
						     stores[i].bytes), stores[i].entry);
		assert_false(gvirt_temper_mirror(GVIRT_SHADOW_ADAPTIVE, stores[i].offset,
						 stores[i].bytes));
		assert_false(gvirt_temper_mirror(GVIRT_SHADOW_ASYNC, stores[i].offset,
						 stores[i].bytes));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(modes_decide),
		cmocka_unit_test(patience_grows),
		cmocka_unit_test(mirrors_entries_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
