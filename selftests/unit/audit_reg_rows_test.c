// SPDX-License-Identifier: GPL-2.0-only
/*
 * The audit, register by register: each register of the real table is read and written by
 * each command that can, on each engine, and comes out as its row says. What the rows should say
 * is the subject of reg_policy_test.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include <linux/bits.h>
#include "audit.h"
#include "engine.h"
#include "reg.h"

#define BAR_REGISTERS	0x800000u
#define PATCHES		4

/* How registers are accessed: a command with the register in one of its dwords. */
enum way {
	LRI,
	LRI_SOME_BYTES,
	LRM,
	LRR_TO,
	PIPE_CONTROL,
	SRM,
	SRM_PREDICATED,
	LRR_FROM,
	WAYS,
};

static const struct {
	const char *name;
	u8 reg, value, count;
	bool writes, render_only;
	u32 dw[6];
} ways[WAYS] = {
	[LRI] = { "LRI", 1, 2, 3, true, false, { 0x11000001 } },
	[LRI_SOME_BYTES] = { "LRI of two bytes", 1, 0, 3, true, false, { 0x11000301 } },
	[LRM] = { "LRM", 1, 0, 4, true, false, { 0x14800002, 0, 0x1000, 0 } },
	[LRR_TO] = { "LRR to it", 2, 0, 3, true, false, { 0x15000001 } },
	[PIPE_CONTROL] = { "PIPE_CONTROL", 2, 4, 6, true, true, { 0x7a000004, 0x00800000 } },
	[SRM] = { "SRM", 1, 0, 4, false, false, { 0x12000002, 0, 0x1000, 0 } },
	[SRM_PREDICATED] = { "SRM, predicated", 1, 0, 4, false, false,
			     { 0x12200002, 0, 0x1000, 0 } },
	[LRR_FROM] = { "LRR from it", 1, 0, 3, false, false, { 0x15000001 } },
};

/* An access, and what became of it. */
struct access {
	enum way way;
	unsigned int engine;
	u32 offset;
	u32 value;
	struct gvirt_audit_result result;
	struct gvirt_patch patch[PATCHES];
};

static const struct gvirt_reg_table *table = &gvirt_regs_gen9;

static void carry_out(struct access *access)
{
	u32 dw[6];
	struct gvirt_audit_request request = {
		.dwords = dw, .count = ways[access->way].count, .kind = GVIRT_AUDIT_RING,
		.engine = access->engine, .ppgtt = true, .max_commands = 1, .max_dwords = 8,
		.max_patches = PATCHES, .patches = access->patch,
		.cmds = &gvirt_cmds_gen9, .regs = table,
	};

	memcpy(dw, ways[access->way].dw, sizeof(dw));
	/* The other register of LRR is a general purpose one. */
	if (access->way == LRR_TO || access->way == LRR_FROM)
		dw[3 - ways[access->way].reg] = table->base[access->engine] + 0x600;
	dw[ways[access->way].reg] = access->offset;
	if (ways[access->way].value)
		dw[ways[access->way].value] = access->value;
	access->result = gvirt_audit(&request);
}

static bool is_of(const struct gvirt_reg_ref *ref, unsigned int engine)
{
	if (ref->row->flags & GVIRT_REG_ENGINE)
		return ref->engine == (int)engine;
	return ref->row->engines & BIT(engine);
}

/* The value decides. */
static bool is_delicate(const struct gvirt_reg *row)
{
	return row->class == GVIRT_REG_TRAP || row->ro || row->flags & GVIRT_REG_GGTT;
}

static enum gvirt_audit_reason expected_write(const struct gvirt_reg_ref *ref, enum way way,
					      unsigned int engine)
{
	const struct gvirt_reg *row = ref->row;

	if (!row)
		return GVIRT_AUDIT_REG_UNKNOWN;
	if (row->class == GVIRT_REG_DENY || row->class == GVIRT_REG_HW_READ)
		return GVIRT_AUDIT_REG_WRITE;
	if (!(row->flags & GVIRT_REG_CMD_WRITE))
		return GVIRT_AUDIT_REG_WRITE;
	if (!is_of(ref, engine))
		return GVIRT_AUDIT_REG_ENGINE;
	return is_delicate(row) && !ways[way].value ? GVIRT_AUDIT_REG_VALUE : GVIRT_AUDIT_OK;
}

/* Bits that a guest must not set do not reach the chip. */
static void check_value(const struct access *access, const struct gvirt_reg *row)
{
	const struct gvirt_patch *patch = &access->patch[0];
	u32 closed = row->flags & GVIRT_REG_MASKED ? row->ro << 16 : row->ro;

	if (!ways[access->way].value) {
		assert_int_equal(patch->flags & GVIRT_PATCH_VALUE, 0);
		return;
	}
	assert_true(patch->flags & GVIRT_PATCH_VALUE);
	assert_int_equal(patch->value_dword, ways[access->way].value);
	assert_int_equal(patch->low, access->value & ~closed);
}

static void check_write(struct access *access, const struct gvirt_reg_ref *ref)
{
	enum gvirt_audit_reason expected = expected_write(ref, access->way, access->engine);
	bool own;

	if (access->result.reason != expected)
		fail_msg("%s of %06x on engine %u: %s, expected %s", ways[access->way].name,
			 access->offset, access->engine,
			 gvirt_audit_reason_name(access->result.reason),
			 gvirt_audit_reason_name(expected));
	if (expected)
		return;
	own = ref->row->flags & GVIRT_REG_CONTEXT && !is_delicate(ref->row);
	assert_int_equal(access->result.patch_count, own ? 0 : 1);
	if (own)
		return;
	assert_int_equal(access->patch[0].kind, GVIRT_PATCH_REG_WRITE);
	assert_int_equal(access->patch[0].reg, access->offset);
	check_value(access, ref->row);
}

static void check_read(struct access *access, const struct gvirt_reg_ref *ref)
{
	bool open = ref->row && ref->row->flags & GVIRT_REG_CMD_READ &&
		    is_of(ref, access->engine);
	enum gvirt_audit_reason expected = GVIRT_AUDIT_OK;

	if (!ref->row)
		expected = GVIRT_AUDIT_REG_UNKNOWN;
	else if (!open && access->way == SRM_PREDICATED)
		expected = GVIRT_AUDIT_REG_READ;
	if (access->result.reason != expected)
		fail_msg("%s of %06x on engine %u: %s", ways[access->way].name, access->offset,
			 access->engine, gvirt_audit_reason_name(access->result.reason));
	if (expected)
		return;
	/* What the chip has is not the vGPU's: the vGPU's value is put in. */
	assert_int_equal(access->result.patch_count, open ? 0 : 1);
	if (!open) {
		assert_int_equal(access->patch[0].kind, GVIRT_PATCH_REG_VALUE);
		assert_int_equal(access->patch[0].reg, access->offset);
	}
}

static void check(u32 offset, unsigned int engine, enum way way, u32 value)
{
	struct access access = { .way = way, .engine = engine, .offset = offset, .value = value };
	struct gvirt_reg_ref ref = gvirt_reg_find(table, offset);

	if (ways[way].render_only && engine != GVIRT_RCS)
		return;
	carry_out(&access);
	if (ways[way].writes)
		check_write(&access, &ref);
	else
		check_read(&access, &ref);
}

static void check_register(u32 offset, unsigned int *rows)
{
	unsigned int engine, way;

	for (engine = 0; engine < GVIRT_ENGINES; engine++)
		for (way = 0; way < WAYS; way++) {
			check(offset, engine, way, ~0u);
			check(offset, engine, way, 0x0000ffff);
			check(offset, engine, way, 0);
		}
	(*rows)++;
}

/* All that have a row, in all windows. */
static void test_registers_with_a_row(void **state)
{
	unsigned int count = 0;
	u32 offset;

	(void)state;
	for (offset = 0; offset < BAR_REGISTERS; offset += 4)
		if (gvirt_reg_find(table, offset).row)
			check_register(offset, &count);
	assert_true(count > 1000);
}

/* The neighbours of all rows, and a comb through the rest: nothing is there. */
static void test_registers_without_a_row(void **state)
{
	unsigned int count = 0;
	u32 offset;

	(void)state;
	for (offset = 4; offset < BAR_REGISTERS; offset += 4) {
		if (gvirt_reg_find(table, offset).row)
			continue;
		if (gvirt_reg_find(table, offset - 4).row || offset % 0x1004 == 0)
			check_register(offset, &count);
	}
	assert_true(count > 100);
}

/* A wait for a register cannot be preempted: it is refused whatever the register. */
static void test_waits_for_registers(void **state)
{
	unsigned int engine;
	u32 offset;

	(void)state;
	for (engine = 0; engine < GVIRT_ENGINES; engine++)
		for (offset = 0; offset < BAR_REGISTERS; offset += 0x400) {
			u32 dw[] = { 0x0e01c002, 0, offset, 0 };
			struct gvirt_patch patches[PATCHES];
			struct gvirt_audit_request request = {
				.dwords = dw, .count = ARRAY_SIZE(dw), .engine = engine,
				.ppgtt = true, .max_commands = 1, .max_dwords = 8,
				.max_patches = PATCHES, .patches = patches,
				.cmds = &gvirt_cmds_gen9, .regs = table,
			};

			assert_int_equal(gvirt_audit(&request).reason, GVIRT_AUDIT_OPERAND);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers_with_a_row),
		cmocka_unit_test(test_registers_without_a_row),
		cmocka_unit_test(test_waits_for_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
