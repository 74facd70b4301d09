// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the register tables as data, and of lookup and write rules. What the
 * tables allow is judged in reg_policy_test.c.
 *
 * Lookups are compared with a map of all registers that is filled row by row;
 * writes with a reference that decides bit by bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "engine.h"
#include "reg.h"
#include "reg_handler.h"

#define BAR_REGISTERS	0x800000u	/* the GGTT's table is above */
#define WINDOW		0x1000u
#define RANDOM_ROUNDS	200
#define CMD_FLAGS	(GVIRT_REG_CMD_WRITE | GVIRT_REG_CMD_READ)

static const struct gvirt_reg_table *table = &gvirt_regs_gen9;
static u64 random_state = 0x9e3779b97f4a7c15;

static u32 rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (u32)(random_state >> 16);
}

/* Names the row that a check failed for. */
#define check(row, condition)	check_that(row, condition, #condition)

static void check_that(const struct gvirt_reg *row, bool holds, const char *condition)
{
	if (!holds)
		fail_msg("%s (0x%x): not so: %s", row->name, row->first, condition);
}

typedef void (*row_check)(const struct gvirt_reg *row, bool engine);

static void for_rows(const struct gvirt_reg_rows *rows, bool engine, row_check function)
{
	unsigned int i;

	for (i = 0; i < rows->count; i++)
		function(&rows->row[i], engine);
}

static void for_all_rows(row_check function)
{
	for_rows(table->global, false, function);
	for_rows(table->display, false, function);
	for_rows(table->engine, true, function);
}

static bool in_window(u32 offset)
{
	unsigned int engine;

	for (engine = 0; engine < table->engines; engine++)
		if (offset >= table->base[engine] && offset < table->base[engine] + WINDOW)
			return true;
	return false;
}

static void check_place(const struct gvirt_reg *row, bool engine)
{
	u32 offset;

	check(row, row->first % 4 == 0 && row->last % 4 == 0);
	check(row, row->first <= row->last);
	check(row, row->last < (engine ? WINDOW : BAR_REGISTERS));
	if (engine)
		return;
	for (offset = row->first; offset <= row->last; offset += 4)
		check(row, !in_window(offset));
}

static void test_places(void **state)
{
	(void)state;
	for_all_rows(check_place);
}

/* Two rows may share their place if they share it wholly, and no engine. */
static void check_order(const struct gvirt_reg *row, const struct gvirt_reg *next)
{
	if (next->first > row->last)
		return;
	check(next, next->first == row->first && next->last == row->last);
	check(next, (row->flags & next->flags & GVIRT_REG_ENGINE));
}

static void check_sorted(const struct gvirt_reg_rows *rows)
{
	unsigned int i;

	assert_true(rows->count > 10);
	for (i = 1; i < rows->count; i++)
		check_order(&rows->row[i - 1], &rows->row[i]);
}

static void test_sorted_without_overlap(void **state)
{
	const struct gvirt_reg_rows *rows = table->engine;
	unsigned int i, j;

	(void)state;
	check_sorted(table->global);
	check_sorted(table->display);
	check_sorted(rows);
	for (i = 0; i < rows->count; i++)
		for (j = i + 1; j < rows->count && rows->row[j].first <= rows->row[i].last; j++)
			check(&rows->row[j], !(rows->row[i].engines & rows->row[j].engines));
	for (i = 0; i < table->global->count; i++)
		for (j = 0; j < table->display->count; j++)
			check(&table->display->row[j],
			      table->display->row[j].last < table->global->row[i].first ||
			      table->display->row[j].first > table->global->row[i].last);
}

static void check_class(const struct gvirt_reg *row, bool engine)
{
	(void)engine;
	check(row, row->class <= GVIRT_REG_DENY);
	check(row, (row->class == GVIRT_REG_TRAP) == (row->handler != GVIRT_HANDLER_NONE));
	check(row, row->handler < GVIRT_HANDLERS);
	if (row->class == GVIRT_REG_RAM && row->ro != ~0u)
		check(row, row->flags & GVIRT_REG_MIGRATED);
	if (row->class == GVIRT_REG_DENY)
		check(row, !(row->flags & (CMD_FLAGS | GVIRT_REG_MIGRATED)));
	if (row->class == GVIRT_REG_HW_READ)
		check(row, !row->flags && !row->ro && !row->w1c && !row->reset);
}

static void check_flags(const struct gvirt_reg *row, bool engine)
{
	const u8 owned = GVIRT_REG_CONTEXT | GVIRT_REG_SWITCH | CMD_FLAGS;

	check(row, !!(row->flags & GVIRT_REG_ENGINE) == engine);
	check(row, row->engines < 1u << table->engines);
	if (engine)
		check(row, row->engines);
	else
		check(row, !!row->engines == !!(row->flags & owned));
	/* What is in the context is not switched besides. */
	check(row, !(row->flags & GVIRT_REG_CONTEXT) || !(row->flags & GVIRT_REG_SWITCH));
	if (row->flags & GVIRT_REG_CMD_WRITE) {
		check(row, row->class == GVIRT_REG_RAM);
		check(row, row->flags & GVIRT_REG_CMD_READ);
		check(row, row->flags & (GVIRT_REG_CONTEXT | GVIRT_REG_SWITCH));
		check(row, !(row->flags & GVIRT_REG_GGTT));
	}
}

static void check_masks(const struct gvirt_reg *row, bool engine)
{
	(void)engine;
	check(row, !(row->ro & row->w1c));
	check(row, !(row->reset & row->w1c));
	if (row->flags & GVIRT_REG_MASKED)
		check(row, !((row->ro | row->w1c | row->reset) & 0xffff0000u));
	if (row->flags & GVIRT_REG_GGTT)
		check(row, !(row->reset & 0xfffff000u));
}

static void test_rows_are_consistent(void **state)
{
	(void)state;
	for_all_rows(check_class);
	for_all_rows(check_flags);
	for_all_rows(check_masks);
}

static unsigned int name_count;
static const char *names[1000];

static void collect_name(const struct gvirt_reg *row, bool engine)
{
	(void)engine;
	assert_non_null(row->name);
	assert_true(strlen(row->name) > 0);
	assert_true(name_count < 1000);
	names[name_count++] = row->name;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void test_names_are_unique(void **state)
{
	unsigned int i;

	(void)state;
	name_count = 0;
	for_all_rows(collect_name);
	qsort(names, name_count, sizeof(names[0]), compare_names);
	for (i = 1; i < name_count; i++)
		assert_string_not_equal(names[i - 1], names[i]);
}

static bool used[GVIRT_HANDLERS];

static void use_handler(const struct gvirt_reg *row, bool engine)
{
	(void)engine;
	used[row->handler] = true;
}

static void test_every_handler_is_used(void **state)
{
	unsigned int i;

	(void)state;
	memset(used, 0, sizeof(used));
	for_all_rows(use_handler);
	for (i = 0; i < GVIRT_HANDLERS; i++)
		if (!used[i])
			fail_msg("no row has handler %u", i);
	assert_false(gvirt_reg_handler_reads(GVIRT_HANDLER_PLANE));
	assert_true(gvirt_reg_handler_reads(GVIRT_HANDLER_TIMESTAMP));
}

/* One pointer per register of the BAR. */
static const struct gvirt_reg **map;

static void map_row(const struct gvirt_reg *row, u32 base)
{
	u32 offset;

	for (offset = row->first; offset <= row->last; offset += 4) {
		assert_null(map[(base + offset) / 4]);
		map[(base + offset) / 4] = row;
	}
}

static void map_global(const struct gvirt_reg *row, bool engine)
{
	unsigned int i;

	if (!engine)
		map_row(row, 0);
	for (i = 0; engine && i < table->engines; i++)
		if (row->engines & 1u << i)
			map_row(row, table->base[i]);
}

static void check_ref(u32 offset, const struct gvirt_reg_ref *ref)
{
	u32 base = 0;

	assert_true(ref->engine >= -1 && ref->engine < (int)table->engines);
	if (ref->engine >= 0)
		base = table->base[ref->engine];
	assert_int_equal(ref->engine >= 0, in_window(offset));
	assert_int_equal(ref->offset + base, offset & ~3u);
	if (ref->row)
		assert_true(ref->offset >= ref->row->first && ref->offset <= ref->row->last);
}

static void test_lookup_finds_every_register_and_no_other(void **state)
{
	struct gvirt_reg_ref ref;
	u32 offset;

	(void)state;
	map = calloc(BAR_REGISTERS / 4, sizeof(*map));
	assert_non_null(map);
	for_all_rows(map_global);
	for (offset = 0; offset < BAR_REGISTERS; offset += 4) {
		ref = gvirt_reg_find(table, offset | (offset >> 2 & 3));
		assert_ptr_equal(ref.row, map[offset / 4]);
		check_ref(offset, &ref);
	}
	free(map);
}

static void test_lookup_beyond_the_bar(void **state)
{
	static const u32 offsets[] = { BAR_REGISTERS, 0xfffffffc, 0xffffffff, 0x80000000 };
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++)
		assert_null(gvirt_reg_find(table, offsets[i]).row);
}

/* The same rules, one bit at a time. */
static u32 reference_apply(const struct gvirt_reg *row, u32 old, u32 value)
{
	u32 result = 0;
	unsigned int n;

	for (n = 0; n < 32; n++) {
		bool was = old >> n & 1;
		bool one = value >> n & 1;
		bool takes = true;

		if (row->flags & GVIRT_REG_MASKED)
			takes = n < 16 && (value >> (n + 16) & 1);
		if (row->ro >> n & 1 || row->class == GVIRT_REG_HW_READ ||
		    row->class == GVIRT_REG_DENY)
			takes = false;
		if (takes && (row->w1c >> n & 1))
			was = was && !one;
		else if (takes)
			was = one;
		result |= (u32)was << n;
	}
	return result;
}

static void check_apply(const struct gvirt_reg *row, bool engine)
{
	unsigned int i;

	(void)engine;
	for (i = 0; i < RANDOM_ROUNDS; i++) {
		u32 old = i % 8 ? rnd() : row->reset;
		u32 value = i % 5 ? rnd() : i % 2 ? ~0u : 0;

		if (gvirt_reg_apply(row, old, value) != reference_apply(row, old, value))
			fail_msg("%s: old %08x, written %08x: got %08x, expected %08x", row->name,
				 old, value, gvirt_reg_apply(row, old, value),
				 reference_apply(row, old, value));
	}
}

static void test_apply_follows_the_reference(void **state)
{
	struct gvirt_reg row = { .name = "random" };
	unsigned int i;

	(void)state;
	for_all_rows(check_apply);
	for (i = 0; i < 2000; i++) {
		row.class = rnd() % 4;
		row.flags = rnd() & GVIRT_REG_MASKED;
		row.ro = rnd() & rnd();
		row.w1c = rnd() & rnd() & ~row.ro;
		if (row.flags) {
			row.ro &= 0xffff;
			row.w1c &= 0xffff;
		}
		check_apply(&row, false);
	}
}

static void test_apply_by_hand(void **state)
{
	const struct gvirt_reg iir = { .class = GVIRT_REG_TRAP, .w1c = ~0u };
	const struct gvirt_reg masked = { .flags = GVIRT_REG_MASKED, .ro = 0x0200 };
	const struct gvirt_reg deny = { .class = GVIRT_REG_DENY };

	(void)state;
	assert_int_equal(gvirt_reg_apply(&iir, 0x0101, 0x0001), 0x0100);
	assert_int_equal(gvirt_reg_apply(&iir, 0, ~0u), 0);
	assert_int_equal(gvirt_reg_apply(&masked, 0x0001, 0x01000100), 0x0101);
	assert_int_equal(gvirt_reg_apply(&masked, 0x0101, 0x01000000), 0x0001);
	assert_int_equal(gvirt_reg_apply(&masked, 0x0200, 0x03000100), 0x0300);
	assert_int_equal(gvirt_reg_apply(&masked, 0x0001, 0x0000ffff), 0x0001);
	assert_int_equal(gvirt_reg_apply(&deny, 7, 8), 7);
}

/* What a command may write changes nothing that a write over MMIO could not. */
static void check_cmd_value(const struct gvirt_reg *row, bool engine)
{
	unsigned int i;

	(void)engine;
	for (i = 0; (row->flags & GVIRT_REG_CMD_WRITE) && i < RANDOM_ROUNDS; i++) {
		struct gvirt_reg bare = *row;
		u32 old = row->reset;
		u32 value = rnd();

		/* As the chip has it: all bits can be written. */
		bare.ro = 0;
		check(row, gvirt_reg_apply(&bare, old, gvirt_reg_cmd_value(row, value)) ==
			   gvirt_reg_apply(row, old, value));
	}
}

static void test_command_values(void **state)
{
	(void)state;
	for_all_rows(check_cmd_value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_sorted_without_overlap),
		cmocka_unit_test(test_rows_are_consistent),
		cmocka_unit_test(test_names_are_unique),
		cmocka_unit_test(test_every_handler_is_used),
		cmocka_unit_test(test_lookup_finds_every_register_and_no_other),
		cmocka_unit_test(test_lookup_beyond_the_bar),
		cmocka_unit_test(test_apply_follows_the_reference),
		cmocka_unit_test(test_apply_by_hand),
		cmocka_unit_test(test_command_values),
	};

	return cmocka_run_group_tests_name("reg", tests, NULL, NULL);
}
