// SPDX-License-Identifier: GPL-2.0-only
/*
 * The streamer's arithmetic: MI_MATH on the general purpose registers, and the
 * predicate that MI_PREDICATE computes and other commands look at.
 *
 * Sources: Linux i915, gt/intel_gpu_commands.h (opcodes); Mesa,
 * src/intel/genxml/gen9.xml (MI_PREDICATE), src/intel/common/mi_builder.h and its
 * test, which runs on the chip: flags are stored as all ones or all zeroes, LOAD1
 * loads all ones, the carry of a SUB is its borrow. Also in PRM Skylake, volume 2a,
 * MI_MATH and MI_PREDICATE.
 */
#include <gvirt/gen9_gt.h>
#include "cs_internal.h"

/**
 * struct alu - State of the ALU, lost with the end of the command
 * @a: SRCA
 * @b: SRCB
 * @accu: ACCU
 * @zf: ZF
 * @cf: CF
 */
struct alu {
	u64 a;
	u64 b;
	u64 accu;
	bool zf;
	bool cf;
};

static u64 read64(const struct gm_cs *cs, u32 offset)
{
	return (u64)gm_cs_reg(cs, offset + 4) << 32 | gm_cs_reg(cs, offset);
}

static void write64(struct gm_cs *cs, u32 offset, u64 value)
{
	gm_cs_set(cs, offset, (u32)value);
	gm_cs_set(cs, offset + 4, value >> 32);
}

/* An operand that names nothing reads 0. */
static u64 read_operand(const struct gm_cs *cs, const struct alu *alu, u32 operand)
{
	if (operand < GEN9_CS_GPR_COUNT)
		return read64(cs, GEN9_RING_CS_GPR(operand));
	switch (operand) {
	case GEN9_ALU_REG_SRCA:
		return alu->a;
	case GEN9_ALU_REG_SRCB:
		return alu->b;
	case GEN9_ALU_REG_ACCU:
		return alu->accu;
	case GEN9_ALU_REG_ZF:
		return alu->zf ? ~0ull : 0;
	case GEN9_ALU_REG_CF:
		return alu->cf ? ~0ull : 0;
	default:
		return 0;
	}
}

static void write_operand(struct gm_cs *cs, struct alu *alu, u32 operand, u64 value)
{
	if (operand < GEN9_CS_GPR_COUNT)
		write64(cs, GEN9_RING_CS_GPR(operand), value);
	else if (operand == GEN9_ALU_REG_SRCA)
		alu->a = value;
	else if (operand == GEN9_ALU_REG_SRCB)
		alu->b = value;
}

static void compute(struct alu *alu, u32 opcode)
{
	alu->cf = false;
	switch (opcode) {
	case GEN9_ALU_ADD:
		alu->cf = __builtin_add_overflow(alu->a, alu->b, &alu->accu);
		break;
	case GEN9_ALU_SUB:
		alu->cf = __builtin_sub_overflow(alu->a, alu->b, &alu->accu);
		break;
	case GEN9_ALU_AND:
		alu->accu = alu->a & alu->b;
		break;
	case GEN9_ALU_OR:
		alu->accu = alu->a | alu->b;
		break;
	case GEN9_ALU_XOR:
		alu->accu = alu->a ^ alu->b;
		break;
	}
	alu->zf = !alu->accu;
}

/* False when it is no instruction. */
static bool alu_instruction(struct gm_cs *cs, struct alu *alu, u32 dw)
{
	u32 to = dw >> GEN9_ALU_OPERAND1_SHIFT & GEN9_ALU_OPERAND_MASK;
	u32 from = dw & GEN9_ALU_OPERAND_MASK;
	u32 opcode = dw >> GEN9_ALU_OPCODE_SHIFT;

	switch (opcode) {
	case GEN9_ALU_NOOP:
		return true;
	case GEN9_ALU_LOAD:
	case GEN9_ALU_STORE:
		write_operand(cs, alu, to, read_operand(cs, alu, from));
		return true;
	case GEN9_ALU_LOADINV:
	case GEN9_ALU_STOREINV:
		write_operand(cs, alu, to, ~read_operand(cs, alu, from));
		return true;
	case GEN9_ALU_LOAD0:
		write_operand(cs, alu, to, 0);
		return true;
	case GEN9_ALU_LOAD1:
		write_operand(cs, alu, to, ~0ull);
		return true;
	case GEN9_ALU_ADD:
	case GEN9_ALU_SUB:
	case GEN9_ALU_AND:
	case GEN9_ALU_OR:
	case GEN9_ALU_XOR:
		compute(alu, opcode);
		return true;
	default:
		return false;
	}
}

enum gm_cs_status gm_cs_math(struct gm_cs_op *op)
{
	struct alu alu = { 0 };
	unsigned int n;

	for (n = 1; n < op->dwords; n++)
		if (!alu_instruction(op->cs, &alu, gm_cs_dw(op, n)))
			return gm_cs_hang(op, "reserved instruction in MI_MATH");
	return GM_CS_RUN;
}

static bool compare(const struct gm_cs *cs, u32 header)
{
	u64 src0 = read64(cs, GEN9_MI_PREDICATE_SRC0), src1 = read64(cs, GEN9_MI_PREDICATE_SRC1);

	switch (header & GEN9_MI_PREDICATE_COMPARE_MASK) {
	case GEN9_MI_PREDICATE_SRCS_EQUAL:
		return src0 == src1;
	case GEN9_MI_PREDICATE_DELTAS_EQUAL:
		return src0 - src1 == read64(cs, GEN9_MI_PREDICATE_DATA);
	default:
		return !(header & GEN9_MI_PREDICATE_COMPARE_MASK);	/* 0 is true, 1 false */
	}
}

static bool combine(u32 header, bool state, bool compared)
{
	switch ((header & GEN9_MI_PREDICATE_COMBINE_MASK) >> GEN9_MI_PREDICATE_COMBINE_SHIFT) {
	case GEN9_MI_PREDICATE_COMBINE_AND:
		return state && compared;
	case GEN9_MI_PREDICATE_COMBINE_OR:
		return state || compared;
	case GEN9_MI_PREDICATE_COMBINE_XOR:
		return state != compared;
	default:
		return compared;
	}
}

enum gm_cs_status gm_cs_predicate(struct gm_cs_op *op)
{
	u32 load = (op->dw[0] & GEN9_MI_PREDICATE_LOAD_MASK) >> GEN9_MI_PREDICATE_LOAD_SHIFT;
	bool state = gm_cs_reg(op->cs, GEN9_MI_PREDICATE_RESULT) & 1;
	bool result = combine(op->dw[0], state, compare(op->cs, op->dw[0]));

	if (load == GEN9_MI_PREDICATE_LOAD_LOAD)
		gm_cs_set(op->cs, GEN9_MI_PREDICATE_RESULT, result);
	else if (load == GEN9_MI_PREDICATE_LOAD_LOADINV)
		gm_cs_set(op->cs, GEN9_MI_PREDICATE_RESULT, !result);
	return GM_CS_RUN;
}

enum gm_cs_status gm_cs_set_predicate(struct gm_cs_op *op)
{
	gm_cs_update(op->cs, GEN9_RING_MI_MODE, GEN9_MI_MODE_PREDICATE_MASK,
		     op->dw[0] & GEN9_MI_SET_PREDICATE_MASK);
	return GM_CS_RUN;
}

static unsigned int slices(const struct gm_cs *cs)
{
	u32 fuse = cs->services.reg_read(cs->services.opaque, GEN9_FUSE2);

	return !!(fuse & GEN9_FUSE2_SLICE_ENABLE(0)) + !!(fuse & GEN9_FUSE2_SLICE_ENABLE(1)) +
	       !!(fuse & GEN9_FUSE2_SLICE_ENABLE(2));
}

bool gm_cs_predicated(const struct gm_cs *cs, u32 mode)
{
	switch (mode) {
	case GEN9_MI_PREDICATE_RESULT2_CLEAR:
		return !(gm_cs_reg(cs, GEN9_MI_PREDICATE_RESULT_2) & 1);
	case GEN9_MI_PREDICATE_RESULT2_SET:
		return gm_cs_reg(cs, GEN9_MI_PREDICATE_RESULT_2) & 1;
	case GEN9_MI_PREDICATE_RESULT_CLEAR:
		return !(gm_cs_reg(cs, GEN9_MI_PREDICATE_RESULT) & 1);
	case GEN9_MI_PREDICATE_RESULT_SET:
		return gm_cs_reg(cs, GEN9_MI_PREDICATE_RESULT) & 1;
	case GEN9_MI_PREDICATE_ONE_SLICE:
	case GEN9_MI_PREDICATE_TWO_SLICES:
	case GEN9_MI_PREDICATE_THREE_SLICES:
		return slices(cs) != mode - GEN9_MI_PREDICATE_ONE_SLICE + 1;
	case GEN9_MI_PREDICATE_ALWAYS:
		return true;
	default:
		return false;
	}
}
