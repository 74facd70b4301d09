/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The audit's parts among themselves: the walk, operands, registers.
 */
#ifndef GVIRT_LIB_AUDIT_WALK_H
#define GVIRT_LIB_AUDIT_WALK_H

#include <linux/types.h>
#include "audit.h"
#include "cmd.h"

/**
 * struct gvirt_audit_walk - Where a walk is
 * @request: what is audited
 * @cmd: the command's row
 * @dwords: the command; @length of them may be read
 * @index: where it starts in the buffer
 * @length: its dwords
 * @patch_count: patches so far
 * @arb_off: command that turned arbitration off, valid with @arb_is_off
 * @arb_is_off: arbitration was turned off by this buffer
 * @predicated: predication was turned on by this buffer
 * @ended: the buffer ends with this command
 */
struct gvirt_audit_walk {
	const struct gvirt_audit_request *request;
	const struct gvirt_cmd *cmd;
	const u32 *dwords;
	u32 index;
	u32 length;
	u32 patch_count;
	u32 arb_off;
	bool arb_is_off;
	bool predicated;
	bool ended;
};

/**
 * gvirt_audit_patch() - A patch of the command that is looked at, to be filled in
 * @walk: the walk
 * @kind: enum gvirt_patch_kind
 * @dword: the operand's place in the command
 */
static inline struct gvirt_patch gvirt_audit_patch(const struct gvirt_audit_walk *walk,
						   enum gvirt_patch_kind kind, u32 dword)
{
	return (struct gvirt_patch) {
		.command = walk->index,
		.dword = walk->index + dword,
		.length = walk->length,
		.kind = kind,
		.engine = walk->request->engine,
	};
}

/**
 * gvirt_audit_report() - Append to the list of patches
 * @walk: the walk
 * @patch: what to append
 *
 * Return: GVIRT_AUDIT_PATCHES: there is no room.
 */
enum gvirt_audit_reason gvirt_audit_report(struct gvirt_audit_walk *walk,
					   const struct gvirt_patch *patch);

/**
 * gvirt_audit_operands() - Judge the operands of a command
 * @walk: the walk, at the command
 */
enum gvirt_audit_reason gvirt_audit_operands(struct gvirt_audit_walk *walk);

/**
 * gvirt_audit_reg_read() - Judge a register that a command reads
 * @walk: the walk, at the command
 * @op: the operand
 * @dword: its place in the command
 */
enum gvirt_audit_reason gvirt_audit_reg_read(struct gvirt_audit_walk *walk,
					     const struct gvirt_cmd_operand *op, u32 dword);

/**
 * gvirt_audit_reg_write() - Judge a register that a command writes
 * @walk: the walk, at the command
 * @op: the operand
 * @dword: its place in the command
 */
enum gvirt_audit_reason gvirt_audit_reg_write(struct gvirt_audit_walk *walk,
					      const struct gvirt_cmd_operand *op, u32 dword);

/**
 * gvirt_audit_alu() - Judge an instruction of MI_MATH
 * @instruction: the instruction
 *
 * It may store to general-purpose registers of its context only.
 */
enum gvirt_audit_reason gvirt_audit_alu(u32 instruction);

#endif
