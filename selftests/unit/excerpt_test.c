// SPDX-License-Identifier: GPL-2.0-only
/*
 * Excerpts of command buffers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/types.h>
#include "cmd.h"
#include "engine.h"
#include "excerpt.h"

#define SIZE	256u
/* MI_LOAD_REGISTER_IMM of one register: three dwords. */
#define LRI	0x11000001u

static u32 buffer[SIZE];

static struct gvirt_excerpt take(u32 first, u32 count, u32 bad)
{
	const struct gvirt_excerpt_source source = {
		.engine = GVIRT_RCS,
		.dwords = buffer,
		.size = SIZE,
		.first = first,
		.count = count,
		.bad = bad,
	};
	struct gvirt_excerpt excerpt;

	memset(&excerpt, 0xff, sizeof(excerpt));
	gvirt_excerpt_take(&excerpt, &source);
	return excerpt;
}

/* Commands of three dwords each, from a dword on. */
static void fill(u32 first)
{
	u32 n;

	for (n = 0; n < SIZE; n++)
		buffer[(first + n) % SIZE] = n % 3 ? 0x1000 + n : LRI;
}

static void near_the_start(void **state)
{
	struct gvirt_excerpt excerpt;

	(void)state;
	fill(0);
	excerpt = take(0, SIZE, 6);
	assert_int_equal(excerpt.bad, 6);
	assert_int_equal(excerpt.count, GVIRT_EXCERPT_DWORDS);
	assert_memory_equal(excerpt.dword, buffer, sizeof(excerpt.dword));
}

static void begins_with_a_command(void **state)
{
	struct gvirt_excerpt excerpt;
	u32 bad;

	(void)state;
	fill(0);
	for (bad = 0; bad < 240; bad += 3) {
		excerpt = take(0, SIZE, bad);
		assert_true(excerpt.bad <= GVIRT_EXCERPT_BEFORE);
		assert_int_equal(excerpt.dword[0], LRI);
		assert_int_equal(excerpt.dword[excerpt.bad], buffer[bad]);
	}
}

static void wraps(void **state)
{
	struct gvirt_excerpt excerpt;

	(void)state;
	fill(200);
	excerpt = take(200, 110, 90);
	assert_int_equal(excerpt.dword[0], LRI);
	assert_int_equal(excerpt.dword[excerpt.bad], buffer[(200 + 90) % SIZE]);
	assert_int_equal(excerpt.count, 110 - (90 - excerpt.bad));
}

static void ends_with_the_buffer(void **state)
{
	struct gvirt_excerpt excerpt;

	(void)state;
	fill(0);
	excerpt = take(0, 60, 60);
	assert_int_equal(excerpt.count, excerpt.bad);
	excerpt = take(0, 0, 0);
	assert_int_equal(excerpt.count, 0);
}

static void noise(void **state)
{
	struct gvirt_excerpt excerpt;

	(void)state;
	memset(buffer, 0xff, sizeof(buffer));
	excerpt = take(0, SIZE, 200);
	assert_int_equal(excerpt.bad, GVIRT_EXCERPT_BEFORE);
	/* A command that reaches over the one in question. */
	fill(0);
	excerpt = take(0, SIZE, 100);
	assert_int_equal(excerpt.dword[excerpt.bad], buffer[100]);
}

static void nonsense(void **state)
{
	(void)state;
	fill(0);
	assert_int_equal(take(SIZE, 1, 0).count, 0);
	assert_int_equal(take(0, SIZE + 1, 0).count, 0);
	assert_int_equal(take(0, 8, 9).count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(near_the_start),
		cmocka_unit_test(begins_with_a_command),
		cmocka_unit_test(wraps),
		cmocka_unit_test(ends_with_the_buffer),
		cmocka_unit_test(noise),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
