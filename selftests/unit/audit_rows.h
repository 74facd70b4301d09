/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands made of the rows of the command tables, for tests that go through all of them.
 */
#ifndef GVIRT_SELFTESTS_AUDIT_ROWS_H
#define GVIRT_SELFTESTS_AUDIT_ROWS_H

#include <string.h>
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/types.h>
#include "audit_check.h"
#include "cmd.h"
#include "engine.h"

#define ROW_DWORDS	1100u		/* more than any command has that is tested */
#define ROW_END		0x05000000u
#define ROW_ALU_ADD	0x10000000u

static const struct gvirt_cmd_set *const row_sets[] = {
	&gvirt_cmds_gen9_mi, &gvirt_cmds_gen9_blt, &gvirt_cmds_gen9_gfx,
};

/**
 * struct made - A command, and what audits it
 * @row: its row
 * @engine: that would run it
 * @kind: of the buffer
 * @length: its dwords
 * @count: dwords of the buffer
 * @dw: the buffer
 */
struct made {
	const struct gvirt_cmd *row;
	unsigned int engine;
	enum gvirt_audit_kind kind;
	u32 length;
	u32 count;
	u32 dw[ROW_DWORDS];
};

static bool row_is_address(const struct gvirt_cmd_operand *op)
{
	return op->kind == GVIRT_OP_READ || op->kind == GVIRT_OP_WRITE ||
	       op->kind == GVIRT_OP_READ_WRITE || op->kind == GVIRT_OP_BATCH;
}

static bool row_is_register(const struct gvirt_cmd_operand *op)
{
	return op->kind == GVIRT_OP_REG_READ || op->kind == GVIRT_OP_REG_WRITE;
}

/* Makes a condition true. */
static void row_satisfy(struct made *made, const struct gvirt_cmd_when *when)
{
	made->dw[when->dword] = (made->dw[when->dword] & ~when->mask) | (when->value & when->mask);
}

/* Makes it false, if any bit counts. */
static void row_violate(struct made *made, const struct gvirt_cmd_when *when)
{
	row_satisfy(made, when);
	made->dw[when->dword] ^= when->mask & -when->mask;
}

static void row_set_length(struct made *made, u32 length)
{
	made->length = length;
	if (made->row->length_mask)
		made->dw[0] = (made->dw[0] & ~made->row->length_mask) |
			      ((length - 2) & made->row->length_mask);
}

/* The shortest length from the row's least on that its own rules for lengths allow. */
static void row_fix_length(struct made *made)
{
	const struct gvirt_cmd_operand *op;

	for (op = made->row->operands; op && op->kind; op++) {
		if (!gvirt_cmd_when(&op->when, made->dw))
			continue;
		if (op->kind == GVIRT_OP_LENGTH && op->aux)
			row_set_length(made, op->aux);
		while (op->step && (made->length - op->dword) % op->step)
			row_set_length(made, made->length + 1);
	}
}

static u32 row_gpr(const struct made *made)
{
	return audit_bases[made->engine] + R_GPR;
}

/* Registers that everybody may use, instructions that are good. */
static void row_fill(struct made *made, const struct gvirt_cmd_operand *op)
{
	u32 dword = op->dword, value = op->kind == GVIRT_OP_ALU ? ROW_ALU_ADD : row_gpr(made);

	if (!row_is_register(op) && op->kind != GVIRT_OP_ALU)
		return;
	if (!gvirt_cmd_when(&op->when, made->dw))
		return;
	do {
		made->dw[dword] = value;
		dword += op->step;
	} while (op->step && dword < made->length);
}

static void row_put_end(struct made *made)
{
	made->count = made->length;
	if (made->kind == GVIRT_AUDIT_BATCH && made->row->role != GVIRT_ROLE_END)
		made->dw[made->count++] = ROW_END;
}

/* After bits were changed: what else the command needs to be a good one. */
static void row_finish(struct made *made)
{
	const struct gvirt_cmd_operand *op;

	row_fix_length(made);
	for (op = made->row->operands; op && op->kind; op++)
		row_fill(made, op);
	row_put_end(made);
}

/* The plainest command of a row: all addresses in the PPGTT, conditions as they fall. */
static void row_make(struct made *made, const struct gvirt_cmd *row, unsigned int engine)
{
	const struct gvirt_cmd_operand *op;

	memset(made, 0, sizeof(*made));
	made->row = row;
	made->engine = engine;
	made->kind = row->role == GVIRT_ROLE_END || row->role == GVIRT_ROLE_COND_END ?
		     GVIRT_AUDIT_BATCH : GVIRT_AUDIT_RING;
	made->dw[0] = row->value;
	row_set_length(made, row->min);
	for (op = row->operands; op && op->kind; op++)
		if (row_is_address(op))
			row_violate(made, &op->ggtt);
	row_finish(made);
}

static struct gvirt_audit_request row_request(const struct made *made)
{
	return (struct gvirt_audit_request) {
		.dwords = made->dw, .count = made->count, .kind = made->kind,
		.engine = made->engine, .ppgtt = true, .max_commands = ~0u, .max_dwords = ~0u,
		.max_patches = 16, .cmds = &gvirt_cmds_gen9, .regs = &audit_regs,
	};
}

/* The verdict; @patch gets the patch of the operand at @dword, or one without a length. */
static enum gvirt_audit_reason row_audit(const struct gvirt_audit_request *request, u32 dword,
					 struct gvirt_patch *patch)
{
	struct gvirt_patch *patches;
	struct gvirt_audit_result result = audit_checked(request, &patches);
	u32 i;

	memset(patch, 0, sizeof(*patch));
	for (i = 0; i < result.patch_count; i++)
		if (patches[i].dword == dword)
			*patch = patches[i];
	free(patches);
	return result.reason;
}

static enum gvirt_audit_reason row_verdict(const struct made *made)
{
	struct gvirt_audit_request request = row_request(made);
	struct gvirt_patch patch;

	return row_audit(&request, ~0u, &patch);
}

#endif
