// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the command tables as data, and of decoding: what is a command on
 * which engine, and how long it is, was written down here from the manual.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/types.h>
#include "cmd.h"
#include "engine.h"

#define ALL	0xfu

static const struct gvirt_cmd_set *const sets[] = {
	&gvirt_cmds_gen9_mi, &gvirt_cmds_gen9_blt, &gvirt_cmds_gen9_gfx,
};

typedef void (*row_check)(const struct gvirt_cmd_set *set, u32 i);

static void each_row(row_check check)
{
	unsigned int s;
	u32 i;

	for (s = 0; s < ARRAY_SIZE(sets); s++) {
		assert_true(sets[s]->count > 20);
		for (i = 0; i < sets[s]->count; i++)
			check(sets[s], i);
	}
}

static void check_order(const struct gvirt_cmd_set *set, u32 i)
{
	const struct gvirt_cmd *row = &set->rows[i];

	assert_int_equal(row->mask, set->mask);
	assert_int_equal(row->value & ~row->mask, 0);
	assert_int_equal(row->value >> 29, set->rows[0].value >> 29);
	assert_true(row->engines && !(row->engines & ~ALL));
	assert_non_null(row->name);
	assert_true(strlen(row->name) > 4);
	for (; i && set->rows[i - 1].value == row->value; i--)
		assert_int_equal(set->rows[i - 1].engines & row->engines, 0);
	if (i)
		assert_true(set->rows[i - 1].value < row->value);
}

static void test_rows_are_sorted_without_overlap(void **state)
{
	(void)state;
	each_row(check_order);
}

static void check_length(const struct gvirt_cmd_set *set, u32 i)
{
	const struct gvirt_cmd *row = &set->rows[i];

	if (!row->length_mask) {
		assert_int_equal(row->min, 1);
		assert_int_equal(row->max, 1);
		return;
	}
	/* The field starts at bit 0, has no gaps, and does not reach into the opcode. */
	assert_int_equal(row->length_mask & (row->length_mask + 1), 0);
	assert_int_equal(row->length_mask & row->mask, 0);
	assert_true(row->min >= 2);
	assert_true(row->min <= row->max);
	assert_true(row->max <= row->length_mask + 2);
}

static void test_length_rules_fit_their_fields(void **state)
{
	(void)state;
	each_row(check_length);
}

static bool is_address(const struct gvirt_cmd_operand *op)
{
	return op->kind == GVIRT_OP_READ || op->kind == GVIRT_OP_WRITE ||
	       op->kind == GVIRT_OP_READ_WRITE || op->kind == GVIRT_OP_BATCH;
}

/* The last dword of the operand's first instance. */
static u32 last_dword(const struct gvirt_cmd_operand *op)
{
	if (is_address(op))
		return op->dword + 1;
	if (op->kind == GVIRT_OP_REG_WRITE)
		return op->dword + op->aux;
	return op->dword;
}

static void check_condition(const struct gvirt_cmd *row, const struct gvirt_cmd_when *when)
{
	assert_true(when->dword < row->min);
	if (when->value != ~0u)
		assert_int_equal(when->value & ~when->mask, 0);
	/* A condition on the bits that make the command says nothing. */
	if (when->dword == 0)
		assert_int_equal(when->mask & (row->mask | row->length_mask), 0);
}

static void check_operand(const struct gvirt_cmd *row, const struct gvirt_cmd_operand *op)
{
	assert_true(last_dword(op) < row->min);
	check_condition(row, &op->when);
	check_condition(row, &op->ggtt);
	if (is_address(op) || op->kind == GVIRT_OP_STATUS) {
		assert_true(op->bits);
		assert_true(op->ggtt.mask);
		if (op->ggtt.dword == op->dword)
			assert_int_equal(op->ggtt.mask & op->bits, 0);
	}
	if (op->kind == GVIRT_OP_REG_READ || op->kind == GVIRT_OP_REG_WRITE)
		assert_int_equal(op->bits, 0x007ffffc);
	if (op->kind == GVIRT_OP_LENGTH)
		assert_true(op->aux ? op->aux >= row->min && op->aux <= row->max : op->step > 1);
	if (op->kind == GVIRT_OP_INVALID)
		assert_true(op->when.mask);
}

static void check_operands(const struct gvirt_cmd_set *set, u32 i)
{
	const struct gvirt_cmd *row = &set->rows[i];
	const struct gvirt_cmd_operand *op;
	bool rewritten = false;

	for (op = row->operands; op && op->kind; op++) {
		assert_true(op->kind <= GVIRT_OP_INVALID);
		check_operand(row, op);
		/* Rewriting a command moves its operands: addresses come first. */
		assert_false(rewritten && is_address(op));
		rewritten |= op->kind == GVIRT_OP_REG_READ && op->aux;
	}
}

static void test_operands_are_inside_the_shortest_length(void **state)
{
	(void)state;
	each_row(check_operands);
}

static void check_policy(const struct gvirt_cmd_set *set, u32 i)
{
	const struct gvirt_cmd *row = &set->rows[i];

	switch (row->policy) {
	case GVIRT_CMD_REJECT:
	case GVIRT_CMD_ALLOW:
		assert_null(row->operands);
		break;
	case GVIRT_CMD_AUDIT:
		assert_non_null(row->operands);
		assert_true(row->operands[0].kind != GVIRT_OP_NONE);
		break;
	case GVIRT_CMD_PATCH:
		/* It is reported whatever it looks like. */
		assert_non_null(row->operands);
		assert_true(row->operands[0].kind != GVIRT_OP_NONE);
		assert_int_equal(row->operands[0].when.mask, 0);
		break;
	default:
		fail_msg("%s: policy %u", row->name, row->policy);
	}
	if (row->role == GVIRT_ROLE_END || row->role == GVIRT_ROLE_START ||
	    row->role == GVIRT_ROLE_COND_END)
		assert_int_equal(row->engines, ALL);
}

static void test_policies_are_consistent(void **state)
{
	(void)state;
	each_row(check_policy);
}

static void no_addresses(const struct gvirt_cmd *row)
{
	const struct gvirt_cmd_operand *op;

	for (op = row->operands; op && op->kind; op++)
		assert_int_equal(op->kind, GVIRT_OP_INVALID);
}

/* Pipelines have no operands that name a GGTT address: all they reach is the PPGTT. */
static void test_pipelines_use_the_ppgtt(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < gvirt_cmds_gen9_blt.count; i++) {
		assert_true(gvirt_cmds_gen9_blt.rows[i].flags & GVIRT_CMD_PPGTT);
		assert_int_equal(gvirt_cmds_gen9_blt.rows[i].engines, BIT(GVIRT_BCS));
	}
	for (i = 0; i < gvirt_cmds_gen9_gfx.count; i++) {
		const struct gvirt_cmd *row = &gvirt_cmds_gen9_gfx.rows[i];

		if (row->flags & GVIRT_CMD_PPGTT || row->value == 0x68000000)	/* MFX_WAIT */
			no_addresses(row);
		else
			assert_string_equal(row->name, "PIPE_CONTROL");
		assert_int_equal(row->engines & BIT(GVIRT_BCS), 0);
	}
}

/* Opcode, engines (R, B, V, E), shortest and longest length. */
static const struct {
	u8 opcode;
	const char *engines;
	u32 min;
	u32 max;
} manual[] = {
	{ 0x00, "RBVE", 1, 1 }, { 0x01, "RBVE", 1, 1 }, { 0x02, "RBVE", 1, 1 },
	{ 0x03, "RB", 1, 1 }, { 0x04, "RBVE", 1, 1 }, { 0x05, "RBVE", 1, 1 },
	{ 0x06, "R", 1, 1 }, { 0x07, "RBVE", 1, 1 }, { 0x08, "RBVE", 1, 1 },
	{ 0x09, "R", 1, 1 }, { 0x0a, "RBVE", 1, 1 }, { 0x0b, "RBVE", 1, 1 },
	{ 0x0c, "R", 1, 1 }, { 0x0d, "R", 1, 1 }, { 0x0e, "RBVE", 1, 1 },
	{ 0x0f, "R", 1, 1 }, { 0x12, "RB", 2, 2 }, { 0x13, "RB", 2, 2 },
	{ 0x14, "RB", 3, 4 }, { 0x18, "R", 2, 2 }, { 0x19, "R", 2, 2 },
	{ 0x1a, "RBVE", 2, 257 }, { 0x1b, "RBVE", 2, 2 }, { 0x1c, "RBVE", 4, 4 },
	{ 0x1d, "RBVE", 2, 2 }, { 0x20, "RBVE", 4, 1025 }, { 0x21, "RBVE", 3, 4 },
	{ 0x22, "RBVE", 3, 257 }, { 0x23, "RBVE", 3, 1025 }, { 0x24, "RBVE", 4, 4 },
	{ 0x26, "BVE", 4, 5 }, { 0x27, "R", 3, 1025 }, { 0x28, "R", 4, 4 },
	{ 0x29, "RBVE", 4, 4 }, { 0x2a, "RBVE", 3, 3 }, { 0x2b, "R", 4, 4 },
	{ 0x2c, "R", 4, 4 }, { 0x2d, "R", 4, 4 }, { 0x2e, "RBVE", 5, 5 },
	{ 0x2f, "RBVE", 3, 11 }, { 0x31, "RBVE", 3, 3 }, { 0x36, "RBVE", 4, 4 },
};

static void check_mi(u32 opcode, unsigned int engine, const char *engines, u32 min, u32 max)
{
	const struct gvirt_cmd *row = gvirt_cmd_find(&gvirt_cmds_gen9, engine, opcode << 23);

	if (!strchr(engines, "RBVE"[engine])) {
		assert_null(row);
		return;
	}
	assert_non_null(row);
	assert_int_equal(row->min, min);
	assert_int_equal(row->max, max);
}

static void test_mi_commands_are_the_manuals(void **state)
{
	unsigned int engine, i;
	u32 opcode;

	(void)state;
	for (opcode = 0; opcode < 0x40; opcode++) {
		for (i = 0; i < ARRAY_SIZE(manual) && manual[i].opcode != opcode; i++)
			;
		for (engine = 0; engine < GVIRT_ENGINES; engine++) {
			if (i == ARRAY_SIZE(manual))
				check_mi(opcode, engine, "", 0, 0);
			else
				check_mi(opcode, engine, manual[i].engines, manual[i].min,
					 manual[i].max);
		}
	}
}

/* All that the search can tell apart, against a plain loop over the rows. */
static void test_find_is_exact(void **state)
{
	unsigned int engine, s;
	u32 top, i;

	(void)state;
	for (top = 0; top < BIT(16); top++) {
		for (engine = 0; engine < GVIRT_ENGINES; engine++) {
			u32 header = top << 16 | 0x5a5a;
			const struct gvirt_cmd *found = NULL;

			for (s = 0; s < ARRAY_SIZE(sets); s++) {
				const struct gvirt_cmd_set *set = sets[s];

				if (header >> 29 != set->rows[0].value >> 29)
					continue;
				for (i = 0; i < set->count; i++)
					if ((header & set->rows[i].mask) == set->rows[i].value &&
					    (set->rows[i].engines & BIT(engine)))
						found = &set->rows[i];
			}
			assert_ptr_equal(gvirt_cmd_find(&gvirt_cmds_gen9, engine, header), found);
		}
	}
}

/* Headers as drivers write them; a length of 0 is one that cannot be. */
static const struct {
	u32 header;
	u32 engine;
	u32 length;
} headers[] = {
	{ 0x00000000, GVIRT_RCS, 1 },	/* MI_NOOP */
	{ 0x11000001, GVIRT_RCS, 3 },	/* MI_LOAD_REGISTER_IMM, 1 pair */
	{ 0x1100107d, GVIRT_RCS, 127 },	/* MI_LOAD_REGISTER_IMM, 63 pairs, posted */
	{ 0x110000ff, GVIRT_VCS, 257 },
	{ 0x11000000, GVIRT_RCS, 0 },
	{ 0x13244082, GVIRT_VCS, 4 },	/* MI_FLUSH_DW: bit 7 is no length */
	{ 0x13004003, GVIRT_BCS, 5 },
	{ 0x13004001, GVIRT_BCS, 0 },
	{ 0x10400002, GVIRT_BCS, 4 },	/* MI_STORE_DATA_IMM, GGTT */
	{ 0x10600003, GVIRT_BCS, 5 },	/* a qword */
	{ 0x10400001, GVIRT_BCS, 0 },
	{ 0x104003ff, GVIRT_BCS, 1025 },
	{ 0x18800101, GVIRT_RCS, 3 },	/* MI_BATCH_BUFFER_START, PPGTT */
	{ 0x18800000, GVIRT_RCS, 0 },	/* ... of older chips */
	{ 0x12400002, GVIRT_RCS, 4 },	/* MI_STORE_REGISTER_MEM */
	{ 0x12400001, GVIRT_RCS, 0 },
	{ 0x1780000d, GVIRT_RCS, 0 },
	{ 0x7a000004, GVIRT_RCS, 6 },	/* PIPE_CONTROL */
	{ 0x7a000003, GVIRT_RCS, 0 },
	{ 0x54000005, GVIRT_BCS, 7 },	/* XY_COLOR_BLT */
	{ 0x54c00008, GVIRT_BCS, 10 },	/* XY_SRC_COPY_BLT */
	{ 0x50800008, GVIRT_BCS, 10 },	/* XY_FAST_COPY_BLT */
	{ 0x54000004, GVIRT_BCS, 0 },
	{ 0x61010011, GVIRT_RCS, 19 },	/* STATE_BASE_ADDRESS */
	{ 0x69040300, GVIRT_RCS, 1 },	/* PIPELINE_SELECT */
	{ 0x70050004, GVIRT_RCS, 6 },	/* MEDIA_POOL_STATE */
	{ 0x7105000d, GVIRT_RCS, 15 },	/* GPGPU_WALKER */
	{ 0x7b000005, GVIRT_RCS, 7 },	/* 3DPRIMITIVE */
	{ 0x79170101, GVIRT_RCS, 0x103 }, /* 3DSTATE_SO_DECL_LIST: 9 bits */
	{ 0x70020042, GVIRT_VCS, 68 },	/* MFX_PIPE_BUF_ADDR_STATE: 12 bits */
	{ 0x68000000, GVIRT_VCS, 1 },	/* MFX_WAIT */
	{ 0x7402000e, GVIRT_VECS, 16 },	/* VEBOX_STATE */
};

static void test_lengths_of_known_headers(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(headers); i++) {
		const struct gvirt_cmd *row = gvirt_cmd_find(&gvirt_cmds_gen9, headers[i].engine,
							     headers[i].header);

		assert_non_null(row);
		assert_int_equal(gvirt_cmd_length(row, headers[i].header), headers[i].length);
	}
}

/* The same bits are different commands on different engines, or none. */
static void test_meaning_depends_on_the_engine(void **state)
{
	const struct gvirt_cmd_table *table = &gvirt_cmds_gen9;

	(void)state;
	assert_string_equal(gvirt_cmd_find(table, GVIRT_RCS, 0x70000007)->name, "MEDIA_VFE_STATE");
	assert_string_equal(gvirt_cmd_find(table, GVIRT_VCS, 0x70000007)->name,
			    "MFX_PIPE_MODE_SELECT");
	assert_string_equal(gvirt_cmd_find(table, GVIRT_VCS, 0x74000007)->name,
			    "MFX_VP8_PIC_STATE");
	assert_string_equal(gvirt_cmd_find(table, GVIRT_VECS, 0x74000007)->name,
			    "VEBOX_SURFACE_STATE");
	assert_null(gvirt_cmd_find(table, GVIRT_BCS, 0x70000007));
	assert_null(gvirt_cmd_find(table, GVIRT_RCS, 0x54000005));
	assert_null(gvirt_cmd_find(table, GVIRT_VECS, 0x7a000004));
	assert_null(gvirt_cmd_find(table, GVIRT_RCS, 0x20000000));
	assert_null(gvirt_cmd_find(table, GVIRT_RCS, 0xffffffff));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_sorted_without_overlap),
		cmocka_unit_test(test_length_rules_fit_their_fields),
		cmocka_unit_test(test_operands_are_inside_the_shortest_length),
		cmocka_unit_test(test_policies_are_consistent),
		cmocka_unit_test(test_pipelines_use_the_ppgtt),
		cmocka_unit_test(test_mi_commands_are_the_manuals),
		cmocka_unit_test(test_find_is_exact),
		cmocka_unit_test(test_lengths_of_known_headers),
		cmocka_unit_test(test_meaning_depends_on_the_engine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
