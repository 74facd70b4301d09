// SPDX-License-Identifier: GPL-2.0-only
/*
 * MI_MATH, MI_PREDICATE, MI_SET_PREDICATE and what they predicate.
 */
#include <linux/array_size.h>
#include <gvirt/gen9_gt.h>
#include "cs_fixture.h"

#define ALU(op, a, b) \
	((u32)GEN9_ALU_##op << GEN9_ALU_OPCODE_SHIFT | (u32)(a) << GEN9_ALU_OPERAND1_SHIFT | (b))
#define SRCA	GEN9_ALU_REG_SRCA
#define SRCB	GEN9_ALU_REG_SRCB
#define ACCU	GEN9_ALU_REG_ACCU
#define ZF	GEN9_ALU_REG_ZF
#define CF	GEN9_ALU_REG_CF

/* R2, R3, R4 = ACCU, ZF, CF of @instruction on R0 and R1. */
static void run_alu(struct fixture *f, u64 a, u64 b, u32 instruction)
{
	set_gpr(f, 0, a);
	set_gpr(f, 1, b);
	EMIT(f, GEN9_MI_MATH | LEN(7), ALU(LOAD, SRCA, 0), ALU(LOAD, SRCB, 1), instruction,
	     ALU(STORE, 2, ACCU), ALU(STORE, 3, ZF), ALU(STORE, 4, CF));
	run_all(f);
}

static const struct {
	u32 instruction;
	u64 a, b, accu;
	bool zf, cf;
} operations[] = {
	{ ALU(ADD, 0, 0), 1, 2, 3, false, false },
	{ ALU(ADD, 0, 0), ~0ull, 1, 0, true, true },
	{ ALU(ADD, 0, 0), ~0ull, ~0ull, ~0ull - 1, false, true },
	{ ALU(ADD, 0, 0), 0xffffffff, 1, 0x100000000, false, false },
	{ ALU(ADD, 0, 0), 0, 0, 0, true, false },
	{ ALU(SUB, 0, 0), 5, 3, 2, false, false },
	{ ALU(SUB, 0, 0), 3, 5, ~0ull - 1, false, true },
	{ ALU(SUB, 0, 0), 7, 7, 0, true, false },
	{ ALU(SUB, 0, 0), 0x100000000, 1, 0xffffffff, false, false },
	{ ALU(AND, 0, 0), 0xff00ff00, 0x0ff00ff000000000, 0, true, false },
	{ ALU(AND, 0, 0), 0xff000000ff00ff00, 0x0f0000000ff00ff0, 0x0f0000000f000f00, false,
	  false },
	{ ALU(AND, 0, 0), 0xf0, 0x0f, 0, true, false },
	{ ALU(OR, 0, 0), 0xf000000000000000, 1, 0xf000000000000001, false, false },
	{ ALU(OR, 0, 0), 0, 0, 0, true, false },
	{ ALU(XOR, 0, 0), 0xffff0000ffff0000, 0xff00ff00ff00ff00, 0x00ffff0000ffff00, false,
	  false },
	{ ALU(XOR, 0, 0), 0x1234, 0x1234, 0, true, false },
};

static void alu_computes(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(operations); i++) {
		run_alu(f, operations[i].a, operations[i].b, operations[i].instruction);
		assert_int_equal(gpr(f, 2), operations[i].accu);
		assert_int_equal(gpr(f, 3), operations[i].zf ? ~0ull : 0);
		assert_int_equal(gpr(f, 4), operations[i].cf ? ~0ull : 0);
	}
}

static void all_registers_are_operands(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < GEN9_CS_GPR_COUNT; i++)
		set_gpr(f, i, (i + 1) * 0x100000001ull);
	for (i = 0; i < GEN9_CS_GPR_COUNT; i++) {
		unsigned int other = (i + 5) % GEN9_CS_GPR_COUNT;
		u64 sum = gpr(f, i) + gpr(f, other);

		EMIT(f, GEN9_MI_MATH | LEN(5), ALU(LOAD, SRCA, i), ALU(LOAD, SRCB, other),
		     ALU(ADD, 0, 0), ALU(STORE, i, ACCU));
		run_all(f);
		assert_int_equal(gpr(f, i), sum);
	}
}

static void loads_and_stores_invert(void **state)
{
	struct fixture *f = *state;

	set_gpr(f, 0, 0x123456789abcdef0);
	EMIT(f, GEN9_MI_MATH | LEN(12),
	     ALU(LOADINV, SRCA, 0), ALU(LOAD0, SRCB, 0), ALU(OR, 0, 0), ALU(STORE, 1, ACCU),
	     ALU(LOAD, SRCA, 0), ALU(LOAD1, SRCB, 0), ALU(AND, 0, 0), ALU(STORE, 2, ACCU),
	     ALU(STOREINV, 3, ACCU), ALU(STOREINV, 4, ZF), ALU(NOOP, 0, 0));
	run_all(f);
	assert_int_equal(gpr(f, 1), ~0x123456789abcdef0ull);
	assert_int_equal(gpr(f, 2), 0x123456789abcdef0);
	assert_int_equal(gpr(f, 3), ~0x123456789abcdef0ull);
	assert_int_equal(gpr(f, 4), ~0ull);
}

/* Nothing of the ALU is left for the next command, and odd operands do no harm. */
static void alu_has_no_memory(void **state)
{
	struct fixture *f = *state;

	run_alu(f, 5, 6, ALU(ADD, 0, 0));
	EMIT(f, GEN9_MI_MATH | LEN(4), ALU(STORE, 2, ACCU), ALU(LOAD, 0x3ff, 0),
	     ALU(STORE, 3, 0x1f));
	run_all(f);
	assert_int_equal(gpr(f, 2), 0);
	assert_int_equal(gpr(f, 3), 0);
	assert_int_equal(gpr(f, 0), 5);
}

static void reserved_instruction_hangs(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_MATH | LEN(2), 0x10500000);
	assert_int_equal(run(f), GM_CS_HANG);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_IPEHR), GEN9_MI_MATH | LEN(2));
}

/* MI_PREDICATE. */

static void set64(struct fixture *f, u32 reg, u64 value)
{
	gm_cs_set(f->cs, reg, (u32)value);
	gm_cs_set(f->cs, reg + 4, value >> 32);
}

static u32 predicate(struct fixture *f, u32 load, u32 op, u32 cmp, u32 before)
{
	gm_cs_set(f->cs, GEN9_MI_PREDICATE_RESULT, before);
	EMIT(f, GEN9_MI_PREDICATE | load << GEN9_MI_PREDICATE_LOAD_SHIFT |
	     op << GEN9_MI_PREDICATE_COMBINE_SHIFT | cmp);
	run_all(f);
	return gm_cs_reg(f->cs, GEN9_MI_PREDICATE_RESULT);
}

static void predicate_compares(void **state)
{
	const u32 load = GEN9_MI_PREDICATE_LOAD_LOAD;
	struct fixture *f = *state;

	assert_int_equal(predicate(f, load, 0, 0, 0), 1);
	assert_int_equal(predicate(f, load, 0, 1, 1), 0);
	set64(f, GEN9_MI_PREDICATE_SRC0, 0x500000001);
	set64(f, GEN9_MI_PREDICATE_SRC1, 0x400000001);
	assert_int_equal(predicate(f, load, 0, GEN9_MI_PREDICATE_SRCS_EQUAL, 1), 0);
	assert_int_equal(predicate(f, load, 0, GEN9_MI_PREDICATE_DELTAS_EQUAL, 1), 0);
	set64(f, GEN9_MI_PREDICATE_DATA, 0x100000000);
	assert_int_equal(predicate(f, load, 0, GEN9_MI_PREDICATE_DELTAS_EQUAL, 0), 1);
	set64(f, GEN9_MI_PREDICATE_SRC1, 0x500000001);
	assert_int_equal(predicate(f, load, 0, GEN9_MI_PREDICATE_SRCS_EQUAL, 0), 1);
}

static void predicate_combines(void **state)
{
	static const struct {
		u32 op;
		u32 expected[2][2];	/* by state before, by comparison */
	} cases[] = {
		{ GEN9_MI_PREDICATE_COMBINE_SET, { { 0, 1 }, { 0, 1 } } },
		{ GEN9_MI_PREDICATE_COMBINE_AND, { { 0, 0 }, { 0, 1 } } },
		{ GEN9_MI_PREDICATE_COMBINE_OR, { { 0, 1 }, { 1, 1 } } },
		{ GEN9_MI_PREDICATE_COMBINE_XOR, { { 0, 1 }, { 1, 0 } } },
	};
	struct fixture *f = *state;
	unsigned int i, before, true_;

	for (i = 0; i < 16; i++) {
		before = i >> 1 & 1;
		true_ = i & 1;
		assert_int_equal(predicate(f, GEN9_MI_PREDICATE_LOAD_LOAD, cases[i >> 2].op, !true_,
					   before), cases[i >> 2].expected[before][true_]);
		assert_int_equal(predicate(f, GEN9_MI_PREDICATE_LOAD_LOADINV, cases[i >> 2].op,
					   !true_, before),
				 !cases[i >> 2].expected[before][true_]);
		assert_int_equal(predicate(f, GEN9_MI_PREDICATE_LOAD_KEEP, cases[i >> 2].op, !true_,
					   before), before);
	}
}

static void predicated_register_store(void **state)
{
	const u32 srm = GEN9_MI_STORE_REGISTER_MEM | GEN9_MI_SRM_GGTT | GEN9_MI_SRM_PREDICATE;
	struct fixture *f = *state;

	f->registers[OTHER_REG / 4] = 5;
	EMIT(f, srm | LEN(4), OTHER_REG, DATA, 0);
	run_all(f);
	assert_int_equal(*global(f, DATA), 0);
	gm_cs_set(f->cs, GEN9_MI_PREDICATE_RESULT, 1);
	EMIT(f, srm | LEN(4), OTHER_REG, DATA, 0);
	run_all(f);
	assert_int_equal(*global(f, DATA), 5);
}

/* MI_SET_PREDICATE. */

static bool executes(struct fixture *f, u32 mode)
{
	f->registers[OTHER_REG / 4] = 0;
	EMIT(f, GEN9_MI_SET_PREDICATE | mode, LRI(OTHER_REG, 1), GEN9_MI_SET_PREDICATE);
	run_all(f);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_MI_MODE) & GEN9_MI_MODE_PREDICATE_MASK, 0);
	return f->registers[OTHER_REG / 4];
}

static void set_predicate_by_result(void **state)
{
	struct fixture *f = *state;

	assert_true(executes(f, GEN9_MI_PREDICATE_NEVER));
	assert_false(executes(f, GEN9_MI_PREDICATE_ALWAYS));
	assert_false(executes(f, GEN9_MI_PREDICATE_RESULT_CLEAR));
	assert_true(executes(f, GEN9_MI_PREDICATE_RESULT_SET));
	assert_false(executes(f, GEN9_MI_PREDICATE_RESULT2_CLEAR));
	assert_true(executes(f, GEN9_MI_PREDICATE_RESULT2_SET));
	gm_cs_set(f->cs, GEN9_MI_PREDICATE_RESULT, 1);
	assert_true(executes(f, GEN9_MI_PREDICATE_RESULT_CLEAR));
	assert_false(executes(f, GEN9_MI_PREDICATE_RESULT_SET));
	gm_cs_set(f->cs, GEN9_MI_PREDICATE_RESULT_2, 1);
	assert_true(executes(f, GEN9_MI_PREDICATE_RESULT2_CLEAR));
	assert_false(executes(f, GEN9_MI_PREDICATE_RESULT2_SET));
}

static void set_predicate_by_slices(void **state)
{
	struct fixture *f = *state;
	unsigned int slices, mode;

	for (slices = 1; slices <= 3; slices++) {
		f->registers[GEN9_FUSE2 / 4] |= GEN9_FUSE2_SLICE_ENABLE(slices - 1);
		for (mode = 1; mode <= 3; mode++)
			assert_int_equal(executes(f, GEN9_MI_PREDICATE_ONE_SLICE + mode - 1),
					 mode == slices);
	}
}

/* Only the render engine looks at it. */
static void set_predicate_elsewhere_has_no_effect(void **state)
{
	assert_true(executes(*state, GEN9_MI_PREDICATE_ALWAYS));
}

static void set_predicate_keeps_other_mode_bits(void **state)
{
	struct fixture *f = *state;

	gm_cs_set(f->cs, GEN9_RING_MI_MODE, BIT(6));
	EMIT(f, GEN9_MI_SET_PREDICATE | GEN9_MI_PREDICATE_ALWAYS, GEN9_MI_NOOP);
	run_all(f);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_MI_MODE), BIT(6) | GEN9_MI_PREDICATE_ALWAYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RCS_TEST(alu_computes),
		BCS_TEST(all_registers_are_operands),
		RCS_TEST(loads_and_stores_invert),
		RCS_TEST(alu_has_no_memory),
		RCS_TEST(reserved_instruction_hangs),
		RCS_TEST(predicate_compares),
		RCS_TEST(predicate_combines),
		RCS_TEST(predicated_register_store),
		RCS_TEST(set_predicate_by_result),
		RCS_TEST(set_predicate_by_slices),
		BCS_TEST(set_predicate_elsewhere_has_no_effect),
		RCS_TEST(set_predicate_keeps_other_mode_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
