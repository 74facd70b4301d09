// SPDX-License-Identifier: GPL-2.0-only
/*
 * The audit of a command's operands: memory, status pages, batches, and what is
 * reported without an address.
 */
#include <linux/bits.h>
#include <linux/types.h>
#include <gvirt/gen9_cmds.h>
#include "audit_walk.h"

#define GGTT_END		BIT_ULL(32)
#define STATUS_PAGE_SIZE	4096

/* Bytes that an operand of @dwords dwords names. */
static u32 size_of(const struct gvirt_audit_walk *walk, const struct gvirt_cmd_operand *op,
		   u32 dwords)
{
	return op->size ? op->size : (walk->length - op->dword - dwords) * (u32)sizeof(u32);
}

/* Bits of the operand's dword that are neither address nor the choice of the GGTT. */
static u32 stray_bits(const struct gvirt_audit_walk *walk, const struct gvirt_cmd_operand *op)
{
	u32 known = op->bits;

	if (op->ggtt.dword == op->dword)
		known |= op->ggtt.mask;
	return walk->dwords[op->dword] & ~known;
}

static enum gvirt_audit_reason check_ggtt(const struct gvirt_audit_walk *walk,
					  const struct gvirt_cmd_operand *op,
					  const struct gvirt_patch *patch)
{
	if (stray_bits(walk, op) || patch->high || (u64)patch->low + patch->size > GGTT_END)
		return GVIRT_AUDIT_ADDRESS;
	return GVIRT_AUDIT_OK;
}

static void fill_address(const struct gvirt_audit_walk *walk, const struct gvirt_cmd_operand *op,
			 struct gvirt_patch *patch)
{
	patch->low = walk->dwords[op->dword] & op->bits;
	patch->high = walk->dwords[op->dword + 1];
	patch->size = size_of(walk, op, 2);
}

static enum gvirt_audit_reason judge_memory(struct gvirt_audit_walk *walk,
					    const struct gvirt_cmd_operand *op,
					    enum gvirt_patch_kind kind)
{
	struct gvirt_patch patch = gvirt_audit_patch(walk, kind, op->dword);
	enum gvirt_audit_reason reason;

	if (!gvirt_cmd_when(&op->ggtt, walk->dwords))
		return walk->request->ppgtt ? GVIRT_AUDIT_OK : GVIRT_AUDIT_NO_PPGTT;
	fill_address(walk, op, &patch);
	reason = check_ggtt(walk, op, &patch);
	return reason ? reason : gvirt_audit_report(walk, &patch);
}

static enum gvirt_audit_reason judge_status(struct gvirt_audit_walk *walk,
					    const struct gvirt_cmd_operand *op)
{
	struct gvirt_patch patch = gvirt_audit_patch(walk, GVIRT_PATCH_STATUS, op->dword);

	patch.low = walk->dwords[op->dword] & op->bits;
	patch.size = size_of(walk, op, 1);
	if (stray_bits(walk, op) || patch.low + patch.size > STATUS_PAGE_SIZE)
		return GVIRT_AUDIT_ADDRESS;
	if (!gvirt_cmd_when(&op->ggtt, walk->dwords))
		patch.flags |= GVIRT_PATCH_OWN_PAGE;
	return gvirt_audit_report(walk, &patch);
}

static enum gvirt_audit_reason check_ppgtt_batch(const struct gvirt_audit_walk *walk)
{
	if (walk->dwords[0] & GEN9_MI_BBS_SECOND_LEVEL)
		return GVIRT_AUDIT_MISPLACED;
	return walk->request->ppgtt ? GVIRT_AUDIT_OK : GVIRT_AUDIT_NO_PPGTT;
}

/* Which levels a batch start connects was judged by the walk: see audit.c. */
static enum gvirt_audit_reason judge_batch(struct gvirt_audit_walk *walk,
					   const struct gvirt_cmd_operand *op)
{
	struct gvirt_patch patch = gvirt_audit_patch(walk, GVIRT_PATCH_BATCH, op->dword);
	enum gvirt_audit_reason reason;

	fill_address(walk, op, &patch);
	if (gvirt_cmd_when(&op->ggtt, walk->dwords)) {
		reason = check_ggtt(walk, op, &patch);
	} else {
		reason = check_ppgtt_batch(walk);
		patch.flags |= GVIRT_PATCH_PPGTT;
	}
	if (reason)
		return reason;
	if (walk->dwords[0] & GEN9_MI_BBS_SECOND_LEVEL)
		patch.flags |= GVIRT_PATCH_SECOND;
	if (walk->ended)
		patch.flags |= GVIRT_PATCH_CHAIN;
	return gvirt_audit_report(walk, &patch);
}

static enum gvirt_audit_reason report_command(struct gvirt_audit_walk *walk,
					      const struct gvirt_cmd_operand *op,
					      enum gvirt_patch_kind kind)
{
	struct gvirt_patch patch = gvirt_audit_patch(walk, kind, op->dword);

	if (op->dword)
		patch.low = walk->dwords[op->dword];
	return gvirt_audit_report(walk, &patch);
}

/* What there is one of, and what names memory. */
static enum gvirt_audit_reason judge_single(struct gvirt_audit_walk *walk,
					    const struct gvirt_cmd_operand *op)
{
	switch (op->kind) {
	case GVIRT_OP_READ:
		return judge_memory(walk, op, GVIRT_PATCH_READ);
	case GVIRT_OP_WRITE:
		return judge_memory(walk, op, GVIRT_PATCH_WRITE);
	case GVIRT_OP_READ_WRITE:
		return judge_memory(walk, op, GVIRT_PATCH_READ_WRITE);
	case GVIRT_OP_STATUS:
		return judge_status(walk, op);
	case GVIRT_OP_BATCH:
		return judge_batch(walk, op);
	case GVIRT_OP_INTERRUPT:
		return report_command(walk, op, GVIRT_PATCH_INTERRUPT);
	case GVIRT_OP_WAIT:
		return report_command(walk, op, GVIRT_PATCH_WAIT);
	case GVIRT_OP_SIGNAL:
		return report_command(walk, op, GVIRT_PATCH_SIGNAL);
	case GVIRT_OP_FLIP:
		return report_command(walk, op, GVIRT_PATCH_FLIP);
	case GVIRT_OP_NEUTRAL:
		return report_command(walk, op, GVIRT_PATCH_NOOP);
	case GVIRT_OP_LENGTH:
		return !op->aux || walk->length == op->aux ? GVIRT_AUDIT_OK : GVIRT_AUDIT_LENGTH;
	default:
		return GVIRT_AUDIT_OPERAND;
	}
}

static enum gvirt_audit_reason judge_at(struct gvirt_audit_walk *walk,
					const struct gvirt_cmd_operand *op, u32 dword)
{
	switch (op->kind) {
	case GVIRT_OP_REG_READ:
		return gvirt_audit_reg_read(walk, op, dword);
	case GVIRT_OP_REG_WRITE:
		return gvirt_audit_reg_write(walk, op, dword);
	case GVIRT_OP_ALU:
		return gvirt_audit_alu(walk->dwords[dword]);
	default:
		return judge_single(walk, op);
	}
}

static enum gvirt_audit_reason judge_all(struct gvirt_audit_walk *walk,
					 const struct gvirt_cmd_operand *op)
{
	enum gvirt_audit_reason reason = GVIRT_AUDIT_OK;
	u32 dword;

	if (!op->step)
		return judge_at(walk, op, op->dword);
	if ((walk->length - op->dword) % op->step)
		return GVIRT_AUDIT_LENGTH;
	for (dword = op->dword; dword < walk->length && !reason; dword += op->step)
		reason = judge_at(walk, op, dword);
	return reason;
}

enum gvirt_audit_reason gvirt_audit_operands(struct gvirt_audit_walk *walk)
{
	enum gvirt_audit_reason reason = GVIRT_AUDIT_OK;
	const struct gvirt_cmd_operand *op;

	if ((walk->cmd->flags & GVIRT_CMD_PPGTT) && !walk->request->ppgtt)
		return GVIRT_AUDIT_NO_PPGTT;
	for (op = walk->cmd->operands; op && op->kind && !reason; op++) {
		if (gvirt_cmd_when(&op->when, walk->dwords))
			reason = judge_all(walk, op);
	}
	return reason;
}
