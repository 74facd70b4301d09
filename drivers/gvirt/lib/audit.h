/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The audit of what the chip executes with privilege.
 *
 * A ring, a batch buffer in the GGTT and the workaround buffers of a context can
 * reach any GGTT address and nearly any register. gvirt therefore never lets the
 * chip fetch such a buffer from a guest's memory: it copies the buffer first, and
 * this audit walks the copy, command by command. Each one is let through, or
 * reported in a list of patches (with all that the caller must check, translate
 * or replace), or the whole buffer is refused. The verdict holds for the copy and
 * nothing else; after the patches are applied (audit_patch.h) the copy may run.
 *
 * What the walk relies on:
 *
 * - A batch buffer that is fetched through the PPGTT is confined by the chip, with
 *   all that it goes on to: it is not walked. A ring starts one, or a batch with
 *   privilege goes on in one and has no more privilege then (PRM Skylake, volume 2a,
 *   MI_BATCH_BUFFER_START). It does not call one: the chip may still hold the privilege
 *   of the second-level batch before (SBB_STATE), which drivers have to reset.
 * - Memory operands that are not in the GGTT go through the context's PPGTT, whose
 *   tables are the host's own. A context without one has no such operands.
 * - Only the dwords up to the result's end were judged. A caller copies no more
 *   than these into what the chip gets.
 *
 * Threat model: every dword is the guest's choice. A walk is bounded by the
 * request's budgets, reads no dword beyond the count, and gives the same result
 * for the same input; it has no state of its own.
 */
#ifndef GVIRT_LIB_AUDIT_H
#define GVIRT_LIB_AUDIT_H

#include <linux/types.h>
#include "cmd.h"
#include "reg.h"

/**
 * enum gvirt_audit_kind - What a buffer is, and so how it ends
 * @GVIRT_AUDIT_RING: a ring from head to tail: ends with its last dword; has no
 *	end command
 * @GVIRT_AUDIT_BATCH: first-level batch buffer in the GGTT: ends with
 *	MI_BATCH_BUFFER_END, or with a jump to another one
 * @GVIRT_AUDIT_BATCH_SECOND: second-level batch buffer in the GGTT: ends with
 *	MI_BATCH_BUFFER_END; starts no other
 * @GVIRT_AUDIT_INDIRECT_CTX: indirect context buffer: its length is in a register
 *	(in lines of 64 bytes), so it ends with its last dword; starts no other
 * @GVIRT_AUDIT_PER_CTX: per-context buffer: ends with MI_BATCH_BUFFER_END;
 *	starts no other
 * @GVIRT_AUDIT_KINDS: how many there are
 */
enum gvirt_audit_kind {
	GVIRT_AUDIT_RING,
	GVIRT_AUDIT_BATCH,
	GVIRT_AUDIT_BATCH_SECOND,
	GVIRT_AUDIT_INDIRECT_CTX,
	GVIRT_AUDIT_PER_CTX,
	GVIRT_AUDIT_KINDS,
};

/**
 * enum gvirt_audit_reason - The verdict
 * @GVIRT_AUDIT_OK: may run once patched
 * @GVIRT_AUDIT_UNKNOWN: no command of this engine
 * @GVIRT_AUDIT_REJECTED: a command that is never let through
 * @GVIRT_AUDIT_LENGTH: a command with a length that it cannot have
 * @GVIRT_AUDIT_TRUNCATED: a command reaches beyond the buffer
 * @GVIRT_AUDIT_UNTERMINATED: the buffer has no end where it must have one
 * @GVIRT_AUDIT_MISPLACED: a command that does not belong into such a buffer
 * @GVIRT_AUDIT_OPERAND: a combination of operands that means nothing
 * @GVIRT_AUDIT_ADDRESS: no GGTT address, or none in a status page
 * @GVIRT_AUDIT_NO_PPGTT: reaches memory through a PPGTT that is not there
 * @GVIRT_AUDIT_REG_UNKNOWN: a register without a row
 * @GVIRT_AUDIT_REG_READ: a register that commands may not read
 * @GVIRT_AUDIT_REG_WRITE: a register that commands may not write
 * @GVIRT_AUDIT_REG_ENGINE: a register that goes with another engine
 * @GVIRT_AUDIT_REG_VALUE: a value that must be judged is not in the command
 * @GVIRT_AUDIT_MATH: an instruction of MI_MATH that is unknown or not for registers
 *	of the context
 * @GVIRT_AUDIT_PREDICATE: the buffer, or a batch that it starts, could be skipped by
 *	predication that was left on
 * @GVIRT_AUDIT_BUDGET: more commands or dwords than the request grants
 * @GVIRT_AUDIT_PATCHES: more patches than the list holds
 * @GVIRT_AUDIT_REASONS: how many there are
 */
enum gvirt_audit_reason {
	GVIRT_AUDIT_OK,
	GVIRT_AUDIT_UNKNOWN,
	GVIRT_AUDIT_REJECTED,
	GVIRT_AUDIT_LENGTH,
	GVIRT_AUDIT_TRUNCATED,
	GVIRT_AUDIT_UNTERMINATED,
	GVIRT_AUDIT_MISPLACED,
	GVIRT_AUDIT_OPERAND,
	GVIRT_AUDIT_ADDRESS,
	GVIRT_AUDIT_NO_PPGTT,
	GVIRT_AUDIT_REG_UNKNOWN,
	GVIRT_AUDIT_REG_READ,
	GVIRT_AUDIT_REG_WRITE,
	GVIRT_AUDIT_REG_ENGINE,
	GVIRT_AUDIT_REG_VALUE,
	GVIRT_AUDIT_MATH,
	GVIRT_AUDIT_PREDICATE,
	GVIRT_AUDIT_BUDGET,
	GVIRT_AUDIT_PATCHES,
	GVIRT_AUDIT_REASONS,
};

/**
 * enum gvirt_patch_kind - What the caller has to do with a command
 * @GVIRT_PATCH_READ: a GGTT range is read: check it, put the address in that the
 *	chip shall use (gvirt_patch_address())
 * @GVIRT_PATCH_WRITE: likewise, a range is written
 * @GVIRT_PATCH_READ_WRITE: likewise, read and written
 * @GVIRT_PATCH_STATUS: a status page is written at offset @low; it can be turned
 *	into a write to a GGTT address (gvirt_patch_status()); with
 *	GVIRT_PATCH_OWN_PAGE it is the context's own page and can stay
 * @GVIRT_PATCH_BATCH: a batch buffer is started; unless GVIRT_PATCH_PPGTT is set it
 *	has to be copied and audited as well, and its copy's address put in
 * @GVIRT_PATCH_REG_WRITE: @reg is written and is not the context's alone: it holds a
 *	GGTT address, has a handler, has bits that a guest must not set, or the
 *	vGPU's copy of it must follow. With GVIRT_PATCH_VALUE, @low is the value
 *	without such bits: put it (or what the GGTT or the handler make of it) into
 *	the command (gvirt_patch_value()). Without, the value is known only to the chip
 * @GVIRT_PATCH_REG_VALUE: @reg is read, but the chip's value is not the vGPU's:
 *	put the vGPU's value in (gvirt_patch_reg_value())
 * @GVIRT_PATCH_INTERRUPT: the engine's interrupt is raised here
 * @GVIRT_PATCH_WAIT: the streamer may wait here; nothing to be changed
 * @GVIRT_PATCH_SIGNAL: the context with id @low is woken: put in the id that it has
 *	on the chip, or make it NOOPs
 * @GVIRT_PATCH_FLIP: a display flip: carry it out on the vGPU's display, make the
 *	command NOOPs (gvirt_patch_noop())
 * @GVIRT_PATCH_NOOP: make the command NOOPs (gvirt_patch_noop())
 */
enum gvirt_patch_kind {
	GVIRT_PATCH_READ,
	GVIRT_PATCH_WRITE,
	GVIRT_PATCH_READ_WRITE,
	GVIRT_PATCH_STATUS,
	GVIRT_PATCH_BATCH,
	GVIRT_PATCH_REG_WRITE,
	GVIRT_PATCH_REG_VALUE,
	GVIRT_PATCH_INTERRUPT,
	GVIRT_PATCH_WAIT,
	GVIRT_PATCH_SIGNAL,
	GVIRT_PATCH_FLIP,
	GVIRT_PATCH_NOOP,
};

/* Flags of a patch. */
#define GVIRT_PATCH_PPGTT	0x01u	/* batch: in the PPGTT, needs no patch */
#define GVIRT_PATCH_SECOND	0x02u	/* batch: second level: returns behind the command */
#define GVIRT_PATCH_CHAIN	0x04u	/* batch: the buffer goes on there, and ends here */
#define GVIRT_PATCH_OWN_PAGE	0x08u	/* status: the context's own page */
#define GVIRT_PATCH_VALUE	0x10u	/* register: the value is known */

/**
 * struct gvirt_patch - Something that the caller has to look at
 * @command: index of the command's header in the buffer, in dwords
 * @dword: index of the operand's first dword; of the header, where there is none
 * @reg: absolute offset of a register, else 0
 * @low: address 31:0 (with the flag bits of its dword cleared), offset, id or value
 * @high: address 47:32; 0 in the GGTT
 * @size: bytes of memory, else 0
 * @value_dword: index of a register's value, with GVIRT_PATCH_VALUE, else 0
 * @length: dwords of the command
 * @kind: enum gvirt_patch_kind
 * @flags: GVIRT_PATCH_*
 * @engine: enum gvirt_engine_id of the audited buffer
 *
 * The list is in the order of the commands, but for a GVIRT_PATCH_NOOP of a
 * MI_ARB_ON_OFF, which comes when it turned out to be one too many. Patches of one
 * command are to be applied in the list's order.
 */
struct gvirt_patch {
	u32 command;
	u32 dword;
	u32 reg;
	u32 low;
	u32 high;
	u32 size;
	u32 value_dword;
	u32 length;
	u8 kind;
	u8 flags;
	u8 engine;
};

/**
 * struct gvirt_audit_request - What is to be audited
 * @dwords: the copied buffer
 * @count: dwords in it
 * @kind: enum gvirt_audit_kind
 * @engine: enum gvirt_engine_id that will execute it
 * @ppgtt: the context has a PPGTT
 * @max_commands: budget: how many commands are looked at
 * @max_dwords: budget: how many dwords they may have together
 * @max_patches: room in @patches
 * @patches: filled in
 * @cmds: the platform's commands
 * @regs: the platform's registers
 */
struct gvirt_audit_request {
	const u32 *dwords;
	u32 count;
	u8 kind;
	u8 engine;
	bool ppgtt;
	u32 max_commands;
	u32 max_dwords;
	u32 max_patches;
	struct gvirt_patch *patches;
	const struct gvirt_cmd_table *cmds;
	const struct gvirt_reg_table *regs;
};

/**
 * struct gvirt_audit_result - What came out
 * @reason: the verdict
 * @header: first dword of the refused command, else 0
 * @commands: how many were looked at
 * @end: dwords that were judged good, from the start; a refused command is there
 * @patch_count: patches in the request's list; of no use when refused
 */
struct gvirt_audit_result {
	enum gvirt_audit_reason reason;
	u32 header;
	u32 commands;
	u32 end;
	u32 patch_count;
};

/**
 * gvirt_audit() - Walk a copied buffer and judge it
 * @request: the buffer, budgets and tables
 *
 * Takes time in proportion to the dwords walked; writes to the list of patches only.
 *
 * Return: the verdict, and how far the walk came.
 */
struct gvirt_audit_result gvirt_audit(const struct gvirt_audit_request *request);

/**
 * gvirt_audit_reason_name() - A verdict in words, for logs
 * @reason: the verdict
 */
const char *gvirt_audit_reason_name(enum gvirt_audit_reason reason);

#endif
