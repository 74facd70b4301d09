// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the record of privileged commands: what is written, and what is left out since it looks
 * like something before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include "record.h"

#define RCS	0
#define BCS	1

struct fixture {
	char path[64];
	struct gm_record *record;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	int fd;

	assert_non_null(f);
	snprintf(f->path, sizeof(f->path), "/tmp/record-test.XXXXXX");
	fd = mkstemp(f->path);
	assert_true(fd >= 0);
	close(fd);
	f->record = gm_record_create(f->path);
	assert_non_null(f->record);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	free(f);
	return 0;
}

/* Closes the record; the file must be exactly that. */
static void expect(struct fixture *f, const char *text)
{
	char is[4096] = "";
	FILE *file;

	gm_record_destroy(f->record);
	file = fopen(f->path, "r");
	assert_non_null(file);
	is[fread(is, 1, sizeof(is) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(is, text);
}

#define COMMAND(f, engine, kind, origin, ...) \
	gm_record_command((f)->record, engine, GM_RECORD_##kind, origin, \
			  (const u32[]){ __VA_ARGS__ }, \
			  ARRAY_SIZE(((const u32[]){ __VA_ARGS__ })))

static void test_parts(void **state)
{
	struct fixture *f = *state;

	COMMAND(f, RCS, RING, 0x1000, 0x11000001, 0x2600, 5);
	COMMAND(f, BCS, RING, 0x1000, 0x01000000);
	COMMAND(f, RCS, RING, 0x1000, 0x7a000004, 1, 2, 3, 4, 5);
	gm_record_end(f->record, RCS, GM_RECORD_RING);
	COMMAND(f, RCS, PER_CONTEXT, 0, 0x05000000);
	gm_record_end(f->record, RCS, GM_RECORD_PER_CONTEXT);
	/* What is open is written at the end. */
	expect(f, "rcs0 ring\n 11000001 00002600 00000005 7a000004 00000001 00000002 00000003 00000004\n"
		  " 00000005\nrcs0 per-context\n 05000000\nbcs0 ring\n 01000000\n");
}

static void test_another_ring_is_another_part(void **state)
{
	struct fixture *f = *state;

	COMMAND(f, RCS, RING, 0x1000, 0x02800000);
	COMMAND(f, RCS, RING, 0x2000, 0x01000000);
	expect(f, "rcs0 ring\n 02800000\nrcs0 ring\n 01000000\n");
}

/* Addresses and values are no news, registers and flags are. */
static void test_what_looks_the_same_is_written_once(void **state)
{
	struct fixture *f = *state;
	u32 i;

	for (i = 0; i < 3; i++) {
		COMMAND(f, RCS, RING, 0, 0x10400002, 0x1000 * i, 0, i);
		gm_record_end(f->record, RCS, GM_RECORD_RING);
	}
	for (i = 0; i < 2; i++) {
		COMMAND(f, RCS, RING, 0, 0x11000001, 0x2600 + 4 * i, 7);
		gm_record_end(f->record, RCS, GM_RECORD_RING);
	}
	COMMAND(f, BCS, RING, 0, 0x10400002, 0x1000, 0, 1);
	expect(f, "rcs0 ring\n 10400002 00000000 00000000 00000000\n"
		  "rcs0 ring\n 11000001 00002600 00000007\nrcs0 ring\n 11000001 00002604 00000007\n"
		  "bcs0 ring\n 10400002 00001000 00000000 00000001\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_parts),
		TEST(test_another_ring_is_another_part),
		TEST(test_what_looks_the_same_is_written_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
