// SPDX-License-Identifier: GPL-2.0-only
/*
 * The audit of registers that commands read and write.
 *
 * Who may access what is in the register table. On top of that:
 *
 * - A register that is saved with the context and has no further meaning is the
 *   guest's own affair. Every other write is reported, with its value. Where the
 *   value decides (a GGTT address, a register with a handler, one with bits that
 *   a guest must not set) it must be in the command, whole.
 * - A register whose value on the chip is not the vGPU's is read by no command: the
 *   vGPU's value is put into the command, or the command is refused.
 */
#include <linux/bits.h>
#include <linux/types.h>
#include <gvirt/gen9_cmds.h>
#include "audit_walk.h"
#include "reg.h"

/* Bits 31:23 and 1:0 of an offset are reserved. */
static enum gvirt_audit_reason find_reg(const struct gvirt_audit_walk *walk,
					const struct gvirt_cmd_operand *op, u32 dword,
					struct gvirt_reg_ref *ref)
{
	u32 offset = walk->dwords[dword];

	if (offset & ~op->bits)
		return GVIRT_AUDIT_OPERAND;
	*ref = gvirt_reg_find(walk->request->regs, offset);
	return ref->row ? GVIRT_AUDIT_OK : GVIRT_AUDIT_REG_UNKNOWN;
}

enum gvirt_audit_reason gvirt_audit_reg_read(struct gvirt_audit_walk *walk,
					     const struct gvirt_cmd_operand *op, u32 dword)
{
	enum gvirt_audit_reason reason;
	struct gvirt_reg_ref ref;
	struct gvirt_patch patch;

	reason = find_reg(walk, op, dword, &ref);
	if (reason)
		return reason;
	if (gvirt_reg_cmd_allowed(&ref, walk->request->engine, GVIRT_REG_CMD_READ))
		return GVIRT_AUDIT_OK;
	if (!op->aux)
		return GVIRT_AUDIT_REG_READ;
	patch = gvirt_audit_patch(walk, GVIRT_PATCH_REG_VALUE, dword);
	patch.reg = walk->dwords[dword];
	return gvirt_audit_report(walk, &patch);
}

static enum gvirt_audit_reason may_write(const struct gvirt_audit_walk *walk,
					 const struct gvirt_reg_ref *ref)
{
	if (ref->row->class == GVIRT_REG_DENY || ref->row->class == GVIRT_REG_HW_READ ||
	    !(ref->row->flags & GVIRT_REG_CMD_WRITE))
		return GVIRT_AUDIT_REG_WRITE;
	return gvirt_reg_cmd_allowed(ref, walk->request->engine, GVIRT_REG_CMD_WRITE) ?
	       GVIRT_AUDIT_OK : GVIRT_AUDIT_REG_ENGINE;
}

/* Whether the value decides if the write is good. */
static bool value_counts(const struct gvirt_reg *row)
{
	return row->class == GVIRT_REG_TRAP || (row->flags & GVIRT_REG_GGTT) || row->ro;
}

/* MI_LOAD_REGISTER_IMM can leave bytes out. */
static bool value_is_known(const struct gvirt_audit_walk *walk,
			   const struct gvirt_cmd_operand *op)
{
	if (!op->aux)
		return false;
	return walk->cmd->value != GEN9_MI_LOAD_REGISTER_IMM ||
	       !(walk->dwords[0] & GEN9_MI_LRI_BYTE_DISABLE_MASK);
}

static enum gvirt_audit_reason report_write(struct gvirt_audit_walk *walk,
					    const struct gvirt_cmd_operand *op, u32 dword,
					    const struct gvirt_reg *row)
{
	struct gvirt_patch patch = gvirt_audit_patch(walk, GVIRT_PATCH_REG_WRITE, dword);

	patch.reg = walk->dwords[dword];
	if (value_is_known(walk, op)) {
		patch.flags = GVIRT_PATCH_VALUE;
		patch.low = gvirt_reg_cmd_value(row, walk->dwords[dword + op->aux]);
		patch.value_dword = walk->index + dword + op->aux;
	} else if (value_counts(row)) {
		return GVIRT_AUDIT_REG_VALUE;
	}
	return gvirt_audit_report(walk, &patch);
}

enum gvirt_audit_reason gvirt_audit_reg_write(struct gvirt_audit_walk *walk,
					      const struct gvirt_cmd_operand *op, u32 dword)
{
	enum gvirt_audit_reason reason;
	struct gvirt_reg_ref ref;

	reason = find_reg(walk, op, dword, &ref);
	if (!reason)
		reason = may_write(walk, &ref);
	if (reason)
		return reason;
	if ((ref.row->flags & GVIRT_REG_CONTEXT) && !value_counts(ref.row))
		return GVIRT_AUDIT_OK;
	return report_write(walk, op, dword, ref.row);
}

static bool is_gpr(u32 operand)
{
	return operand < 16;
}

static bool is_source(u32 operand)
{
	return operand == GEN9_ALU_REG_SRCA || operand == GEN9_ALU_REG_SRCB;
}

static bool is_result(u32 operand)
{
	return operand == GEN9_ALU_REG_ACCU || operand == GEN9_ALU_REG_ZF ||
	       operand == GEN9_ALU_REG_CF;
}

static bool alu_is_good(u32 opcode, u32 first, u32 second)
{
	switch (opcode) {
	case GEN9_ALU_NOOP:
	case GEN9_ALU_ADD:
	case GEN9_ALU_SUB:
	case GEN9_ALU_AND:
	case GEN9_ALU_OR:
	case GEN9_ALU_XOR:
		return true;
	case GEN9_ALU_LOAD0:
	case GEN9_ALU_LOAD1:
		return is_source(first);
	case GEN9_ALU_LOAD:
	case GEN9_ALU_LOADINV:
		return is_source(first) && is_gpr(second);
	case GEN9_ALU_STORE:
	case GEN9_ALU_STOREINV:
		return is_gpr(first) && is_result(second);
	default:
		return false;
	}
}

enum gvirt_audit_reason gvirt_audit_alu(u32 instruction)
{
	u32 opcode = instruction >> GEN9_ALU_OPCODE_SHIFT;
	u32 first = (instruction >> GEN9_ALU_OPERAND1_SHIFT) & GEN9_ALU_OPERAND_MASK;
	u32 second = instruction & GEN9_ALU_OPERAND_MASK;

	return alu_is_good(opcode, first, second) ? GVIRT_AUDIT_OK : GVIRT_AUDIT_MATH;
}
