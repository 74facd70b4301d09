// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command tables against Mesa's description of Gen9's commands: that all of them are
 * there, that their lengths agree, and that each part of a command that can name a
 * global address or a register is judged, or the command refused.
 *
 * golden/gen9-commands.txt explains its own format; golden/list-commands made it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/types.h>
#include "cmd.h"
#include "engine.h"

#define MARKS	32

/* One line of the list. */
struct described {
	char name[64];
	u32 value;
	u32 mask;
	u32 width;
	u32 dwords;
	char engine[8];
	char mark[MARKS][8];
	unsigned int marks;
};

static bool parse(const char *line, struct described *cmd)
{
	char marks[256] = "", *mark;

	if (line[0] == '#')
		return false;
	memset(cmd, 0, sizeof(*cmd));
	if (sscanf(line, "%63s %x %x %u %u %7s %255[^\n]", cmd->name, &cmd->value, &cmd->mask,
		   &cmd->width, &cmd->dwords, cmd->engine, marks) < 6)
		fail_msg("bad line: %s", line);
	for (mark = strtok(marks, " "); mark; mark = strtok(NULL, " ")) {
		assert_true(cmd->marks < MARKS);
		snprintf(cmd->mark[cmd->marks++], sizeof(cmd->mark[0]), "%s", mark);
	}
	return true;
}

static unsigned int each_command(void (*check)(const struct described *cmd))
{
	FILE *list = fopen(GOLDEN_DIR "/gen9-commands.txt", "r");
	struct described cmd;
	unsigned int count = 0;
	char line[512];

	if (!list)
		fail_msg("cannot open " GOLDEN_DIR "/gen9-commands.txt");
	for (; fgets(line, sizeof(line), list); count++)
		if (parse(line, &cmd))
			check(&cmd);
	fclose(list);
	return count;
}

/* Of what all engines may have, the render engine has everything. */
static const struct gvirt_cmd *row_of(const struct described *cmd, char engine)
{
	unsigned int id = engine == 'b' ? GVIRT_BCS : engine == 'v' ? GVIRT_VCS : GVIRT_RCS;

	return gvirt_cmd_find(&gvirt_cmds_gen9, id, cmd->value);
}

static void each_row(const struct described *cmd,
		     void (*check)(const struct described *cmd, const struct gvirt_cmd *row))
{
	const struct gvirt_cmd *row;
	const char *engine;

	for (engine = cmd->engine; *engine; engine++) {
		row = row_of(cmd, *engine);
		if (!row)
			fail_msg("%s (%c) is in no table", cmd->name, *engine);
		check(cmd, row);
	}
}

static void check_length(const struct described *cmd, const struct gvirt_cmd *row)
{
	u32 field = cmd->width ? BIT(cmd->width) - 1 : 0;

	if (row->length_mask)
		assert_int_equal(row->length_mask, field);
	else
		assert_int_equal(cmd->dwords, 1);
	if (cmd->dwords && (cmd->dwords < row->min || cmd->dwords > row->max))
		fail_msg("%s has %u dwords, not %u to %u", cmd->name, cmd->dwords, row->min,
			 row->max);
	/* No two commands of the table share what is one command there. */
	assert_int_equal(row->value & cmd->mask, cmd->value);
}

static void check_lengths(const struct described *cmd)
{
	each_row(cmd, check_length);
}

static void test_all_are_there_with_their_lengths(void **state)
{
	(void)state;
	assert_true(each_command(check_lengths) > 220);
}

static bool is_address(const struct gvirt_cmd_operand *op)
{
	return op->kind == GVIRT_OP_READ || op->kind == GVIRT_OP_WRITE ||
	       op->kind == GVIRT_OP_READ_WRITE || op->kind == GVIRT_OP_BATCH;
}

/* It never reaches the chip as it is. */
static bool is_kept_away(const struct gvirt_cmd *row)
{
	const struct gvirt_cmd_operand *op = row->operands;

	if (row->policy == GVIRT_CMD_REJECT)
		return true;
	return row->policy == GVIRT_CMD_PATCH &&
	       (op->kind == GVIRT_OP_NEUTRAL || op->kind == GVIRT_OP_FLIP) && !op->when.mask;
}

static bool any_operand(const struct gvirt_cmd *row, u32 dword, u32 bit,
			bool (*matches)(const struct gvirt_cmd_operand *op, u32 dword, u32 bit))
{
	const struct gvirt_cmd_operand *op;

	for (op = row->operands; op && op->kind; op++)
		if (matches(op, dword, bit))
			return true;
	return false;
}

static bool has_address(const struct gvirt_cmd_operand *op, u32 dword, u32 bit)
{
	(void)bit;
	return is_address(op) && op->dword == dword;
}

static bool has_register(const struct gvirt_cmd_operand *op, u32 dword, u32 bit)
{
	(void)bit;
	return (op->kind == GVIRT_OP_REG_READ || op->kind == GVIRT_OP_REG_WRITE) &&
	       op->dword == dword;
}

/* The bit decides where the address is; or the command must not have it. */
static bool has_choice(const struct gvirt_cmd_operand *op, u32 dword, u32 bit)
{
	if (op->kind == GVIRT_OP_INVALID)
		return op->when.dword == dword && op->when.mask == BIT(bit);
	return is_address(op) && op->ggtt.dword == dword && op->ggtt.mask == BIT(bit);
}

static bool has_index(const struct gvirt_cmd_operand *op, u32 dword, u32 bit)
{
	return op->kind == GVIRT_OP_STATUS && op->when.dword == dword &&
	       op->when.mask & op->when.value & BIT(bit);
}

static bool is_judged(const struct gvirt_cmd *row, char what, u32 dword, u32 bit)
{
	switch (what) {
	case 'a':
		return row->flags & GVIRT_CMD_PPGTT || any_operand(row, dword, bit, has_address);
	case 'r':
		return any_operand(row, dword, bit, has_register);
	case 'g':
		return any_operand(row, dword, bit, has_choice);
	case 'i':
		return any_operand(row, dword, bit, has_index);
	default:
		return false;
	}
}

static void check_mark(const struct described *cmd, const struct gvirt_cmd *row)
{
	unsigned int i;
	u32 dword, bit;
	char what;

	for (i = 0; i < cmd->marks && !is_kept_away(row); i++) {
		bit = 0;
		assert_true(sscanf(cmd->mark[i], "%c%u.%u", &what, &dword, &bit) >= 2);
		if (!is_judged(row, what, dword, bit))
			fail_msg("%s: nobody judges %s", cmd->name, cmd->mark[i]);
	}
}

static void check_marks(const struct described *cmd)
{
	each_row(cmd, check_mark);
}

static void test_addresses_and_registers_are_judged(void **state)
{
	(void)state;
	assert_true(each_command(check_marks) > 220);
}

/*
 * Whatever lets a command choose the global GTT has a row that knows it: of commands that go
 * by the PPGTT, the list has no such choice but in a bit that is refused.
 */
static void check_no_choice(const struct described *cmd, const struct gvirt_cmd *row)
{
	unsigned int i;

	for (i = 0; i < cmd->marks && row->flags & GVIRT_CMD_PPGTT; i++)
		if (cmd->mark[i][0] == 'g')
			assert_int_equal(row->operands[0].kind, GVIRT_OP_INVALID);
}

static void check_pipelines(const struct described *cmd)
{
	each_row(cmd, check_no_choice);
}

static void test_what_uses_the_ppgtt_has_no_choice(void **state)
{
	(void)state;
	each_command(check_pipelines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_are_there_with_their_lengths),
		cmocka_unit_test(test_addresses_and_registers_are_judged),
		cmocka_unit_test(test_what_uses_the_ppgtt_has_no_choice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
