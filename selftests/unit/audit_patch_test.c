// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of what is done with an audited copy: the patches make the commands that
 * they promise, written as numbers from the manual, and the sums of a ring's copy.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <linux/types.h>
#include "audit_patch.h"
#include "audit_ring.h"

#define R_OWN		0xa100
#define R_CONTEXT	0x7004
#define R_SWITCHED	0xb118
#define GPR_RCS		0x2600

static void test_patches_of_status_pages(void **state)
{
	u32 flush[] = { 0x13204002, 0x100, 0, 7 };
	u32 pipe[] = { 0, 0, 0x7a000004, 0x00204000, 0x200, 0xff, 7, 0 };
	u32 index[] = { 0x10800001, 0x40, 7 };
	const struct gvirt_patch of_flush = { .dword = 1, .low = 0x100 };
	const struct gvirt_patch of_pipe = { .command = 2, .dword = 4, .low = 0x200 };
	const struct gvirt_patch of_index = { .dword = 1, .low = 0x40 };

	(void)state;
	assert_true(gvirt_patch_status(flush, &of_flush, 0x5000));
	assert_int_equal(flush[0], 0x13004002);
	assert_int_equal(flush[1], 0x5104);
	assert_true(gvirt_patch_status(pipe, &of_pipe, 0x5000));
	assert_int_equal(pipe[3], 0x01004000);
	assert_int_equal(pipe[4], 0x5200);
	assert_int_equal(pipe[5], 0);
	assert_false(gvirt_patch_status(index, &of_index, 0x5000));
	assert_int_equal(index[1], 0x40);
}

static void test_patches_of_registers(void **state)
{
	static const u32 stored[] = { 0x10400002, 0x9000, 0, 0xabc };
	static const u32 loaded[] = { 0x11000001, GPR_RCS, 0xabc };
	u32 srm[] = { 0x12400002, R_OWN, 0x1000, 0 };
	u32 lrr[] = { 0x15000001, R_OWN, GPR_RCS };
	u32 lri[] = { 0x11000003, R_CONTEXT, 1, R_SWITCHED, 2 };
	const struct gvirt_patch address = { .dword = 2, .low = 0x1000 };
	const struct gvirt_patch own = { .dword = 1, .reg = R_OWN };
	const struct gvirt_patch switched = { .dword = 3, .reg = R_SWITCHED, .value_dword = 4 };

	(void)state;
	gvirt_patch_address(srm, &address, 0x9000);
	gvirt_patch_reg_value(srm, &own, 0xabc);
	assert_memory_equal(srm, stored, sizeof(srm));
	gvirt_patch_reg_value(lrr, &own, 0xabc);
	assert_memory_equal(lrr, loaded, sizeof(lrr));
	gvirt_patch_value(lri, &switched, 9);
	assert_int_equal(lri[2], 1);
	assert_int_equal(lri[4], 9);
}

static void test_patches_keep_flags_and_neighbours(void **state)
{
	u32 flush[] = { 7, 0x13004002, 0x1004, 0, 7, 9 };
	const struct gvirt_patch patch = { .command = 1, .dword = 2, .low = 0x1000, .length = 4 };
	u32 i;

	(void)state;
	gvirt_patch_address(flush, &patch, 0x9008);
	assert_int_equal(flush[2], 0x900c);
	gvirt_patch_noop(flush, &patch);
	for (i = 1; i < 5; i++)
		assert_int_equal(flush[i], 0);
	assert_int_equal(flush[0], 7);
	assert_int_equal(flush[5], 9);
}

static void test_ring_span(void **state)
{
	struct gvirt_ring_span span;

	(void)state;
	assert_true(gvirt_ring_span(0x4000, 0x100, 0x108, &span));
	assert_int_equal(span.first_bytes, 8);
	assert_int_equal(span.second_bytes, 0);
	assert_int_equal(gvirt_ring_offset(&span, 1), 0x104);

	assert_true(gvirt_ring_span(0x4000, 0x3ffc, 0x10, &span));
	assert_int_equal(span.first, 0x3ffc);
	assert_int_equal(span.first_bytes, 4);
	assert_int_equal(span.second_bytes, 0x10);
	assert_int_equal(gvirt_ring_bytes(&span), 0x14);
	assert_int_equal(gvirt_ring_padded(&span), 0x18);
	assert_int_equal(gvirt_ring_offset(&span, 0), 0x3ffc);
	assert_int_equal(gvirt_ring_offset(&span, 1), 0);
	assert_int_equal(gvirt_ring_offset(&span, 5), 0x10);

	assert_true(gvirt_ring_span(0x1000, 8, 0, &span));
	assert_int_equal(span.first_bytes, 0xff8);
	assert_int_equal(gvirt_ring_offset(&span, 0xff8 / 4), 0);

	assert_true(gvirt_ring_span(0x200000, 0, 0, &span));
	assert_int_equal(gvirt_ring_bytes(&span), 0);

	assert_false(gvirt_ring_span(0, 0, 0, &span));
	assert_false(gvirt_ring_span(0x800, 0, 0, &span));
	assert_false(gvirt_ring_span(0x1800, 0, 0, &span));
	assert_false(gvirt_ring_span(0x201000, 0, 0, &span));
	assert_false(gvirt_ring_span(0x1000, 0x1000, 0, &span));
	assert_false(gvirt_ring_span(0x1000, 0, 0x1000, &span));
	assert_false(gvirt_ring_span(0x1000, 2, 0, &span));
	assert_false(gvirt_ring_span(0x1000, 0, 4, &span));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patches_of_status_pages),
		cmocka_unit_test(test_patches_of_registers),
		cmocka_unit_test(test_patches_keep_flags_and_neighbours),
		cmocka_unit_test(test_ring_span),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
