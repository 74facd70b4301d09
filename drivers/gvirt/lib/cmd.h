/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands as data: how long each is, what its operands are, and what may be
 * done with it in a buffer that the chip executes with privilege.
 *
 * One sorted const table per command type and platform. What has no row for an
 * engine is not a command there, and a buffer that holds it is refused. A row
 * says everything that the audit has to know of a command, so that judging a
 * command is one loop over its operands, the same for all of them.
 *
 * Where a command reaches memory, there are two cases. Either it has operands for
 * that here, or (GVIRT_CMD_PPGTT) it goes through the context's PPGTT whatever
 * buffer it stands in: fixed-function units and the blitter have no other way in a
 * context that has a PPGTT (i915 relies on it when it blits from a ring,
 * gt/intel_migrate.c).
 */
#ifndef GVIRT_LIB_CMD_H
#define GVIRT_LIB_CMD_H

#include <linux/types.h>

/**
 * enum gvirt_cmd_policy - What is done with a command in a privileged buffer
 * @GVIRT_CMD_REJECT: the buffer is refused
 * @GVIRT_CMD_ALLOW: nothing: it can do no harm
 * @GVIRT_CMD_AUDIT: its operands are judged; they may be refused or reported
 * @GVIRT_CMD_PATCH: it is always reported: it cannot run as it is
 */
enum gvirt_cmd_policy {
	GVIRT_CMD_REJECT,
	GVIRT_CMD_ALLOW,
	GVIRT_CMD_AUDIT,
	GVIRT_CMD_PATCH,
};

/**
 * enum gvirt_cmd_role - What a command does to the walk through its buffer
 * @GVIRT_ROLE_NONE: nothing: the next command follows
 * @GVIRT_ROLE_END: MI_BATCH_BUFFER_END
 * @GVIRT_ROLE_COND_END: MI_CONDITIONAL_BATCH_BUFFER_END
 * @GVIRT_ROLE_START: MI_BATCH_BUFFER_START
 * @GVIRT_ROLE_ARBITRATION: MI_ARB_ON_OFF
 * @GVIRT_ROLE_PREDICATE: MI_SET_PREDICATE
 * @GVIRT_ROLE_LONG: may keep the engine busy for long: a wait, a draw, a blit, a picture
 */
enum gvirt_cmd_role {
	GVIRT_ROLE_NONE,
	GVIRT_ROLE_END,
	GVIRT_ROLE_COND_END,
	GVIRT_ROLE_START,
	GVIRT_ROLE_ARBITRATION,
	GVIRT_ROLE_PREDICATE,
	GVIRT_ROLE_LONG,
};

/**
 * enum gvirt_cmd_kind - What an operand is
 * @GVIRT_OP_NONE: end of a row's operands
 * @GVIRT_OP_READ: address of memory that is read: two dwords, low one first
 * @GVIRT_OP_WRITE: address of memory that is written
 * @GVIRT_OP_READ_WRITE: address of memory that is read and written
 * @GVIRT_OP_STATUS: offset in a status page, whose memory is written: the
 *	engine's where the operand's ggtt condition holds, else the context's own
 * @GVIRT_OP_BATCH: address of a batch buffer; two dwords
 * @GVIRT_OP_REG_READ: offset of a register that is read; aux 1: the command can
 *	be rewritten to give a value of ours instead
 * @GVIRT_OP_REG_WRITE: offset of a register that is written; aux: how many dwords
 *	further its value is, 0: the value is not in the command
 * @GVIRT_OP_ALU: the instructions of MI_MATH, up to the command's end
 * @GVIRT_OP_INTERRUPT: raises the engine's user or flush interrupt
 * @GVIRT_OP_WAIT: waits until memory has a value
 * @GVIRT_OP_SIGNAL: id of a context that is woken, on another engine
 * @GVIRT_OP_FLIP: flips a display plane
 * @GVIRT_OP_NEUTRAL: must not reach the chip, and a guest can do without it
 * @GVIRT_OP_LENGTH: no operand: the command has exactly aux dwords; 0: whole steps
 * @GVIRT_OP_INVALID: no operand: the command must not look like that
 */
enum gvirt_cmd_kind {
	GVIRT_OP_NONE,
	GVIRT_OP_READ,
	GVIRT_OP_WRITE,
	GVIRT_OP_READ_WRITE,
	GVIRT_OP_STATUS,
	GVIRT_OP_BATCH,
	GVIRT_OP_REG_READ,
	GVIRT_OP_REG_WRITE,
	GVIRT_OP_ALU,
	GVIRT_OP_INTERRUPT,
	GVIRT_OP_WAIT,
	GVIRT_OP_SIGNAL,
	GVIRT_OP_FLIP,
	GVIRT_OP_NEUTRAL,
	GVIRT_OP_LENGTH,
	GVIRT_OP_INVALID,
};

/**
 * struct gvirt_cmd_when - A condition on a command
 * @dword: which dword of the command
 * @mask: which of its bits; 0: the condition always holds
 * @value: what they are when it holds; its other bits do not count
 */
struct gvirt_cmd_when {
	u8 dword;
	u32 mask;
	u32 value;
};

/**
 * struct gvirt_cmd_operand - An operand of a command
 * @kind: enum gvirt_cmd_kind
 * @dword: where it is, counted from the header
 * @step: distance in dwords to the next one of the kind, up to the command's end;
 *	0: there is one only
 * @aux: depends on the kind
 * @size: bytes of memory that it names, 0: as many as follow it in the command
 * @bits: bits of the (low) dword that are the address or the offset
 * @when: the operand is there only when this holds
 * @ggtt: the address is in the GGTT only when this holds, else in the PPGTT; a
 *	mask of 0 (always the GGTT) stands in no row
 */
struct gvirt_cmd_operand {
	u8 kind;
	u8 dword;
	u8 step;
	u8 aux;
	u16 size;
	u32 bits;
	struct gvirt_cmd_when when;
	struct gvirt_cmd_when ggtt;
};

/* Flags of a command. */
#define GVIRT_CMD_PPGTT		0x01u	/* reaches memory by the PPGTT, without operands here */

/**
 * struct gvirt_cmd - One row: a command on some engines
 * @value: the header's bits that make it this command
 * @mask: which bits these are
 * @length_mask: the length field (dwords beyond the first two); 0: it has none
 * @min: fewest dwords it can have
 * @max: most dwords
 * @engines: bit n: it is a command of engine n (enum gvirt_engine_id)
 * @policy: enum gvirt_cmd_policy
 * @role: enum gvirt_cmd_role
 * @flags: GVIRT_CMD_*
 * @operands: what is judged of it, up to GVIRT_OP_NONE; an address comes before what
 *	else changes the command; NULL: nothing
 * @name: in the manual's words
 */
struct gvirt_cmd {
	u32 value;
	u32 mask;
	u32 length_mask;
	u32 min;
	u32 max;
	u8 engines;
	u8 policy;
	u8 role;
	u8 flags;
	const struct gvirt_cmd_operand *operands;
	const char *name;
};

/**
 * struct gvirt_cmd_set - The commands of one type
 * @rows: sorted by @value; rows of one value are for different engines
 * @count: how many
 * @mask: the mask of all rows
 */
struct gvirt_cmd_set {
	const struct gvirt_cmd *rows;
	u32 count;
	u32 mask;
};

/**
 * struct gvirt_cmd_table - The commands of one platform
 * @mi: type 0
 * @blt: type 2, the blitter's
 * @gfx: type 3: 3D, media and video
 */
struct gvirt_cmd_table {
	const struct gvirt_cmd_set *mi;
	const struct gvirt_cmd_set *blt;
	const struct gvirt_cmd_set *gfx;
};

/** gvirt_cmds_gen9_mi - Commands that a streamer carries out itself */
extern const struct gvirt_cmd_set gvirt_cmds_gen9_mi;
/** gvirt_cmds_gen9_blt - Commands of the blitter */
extern const struct gvirt_cmd_set gvirt_cmds_gen9_blt;
/** gvirt_cmds_gen9_gfx - Commands of the 3D, media and video pipelines */
extern const struct gvirt_cmd_set gvirt_cmds_gen9_gfx;
/** gvirt_cmds_gen9 - All commands of Skylake to Comet Lake */
extern const struct gvirt_cmd_table gvirt_cmds_gen9;

/**
 * gvirt_cmd_find() - Look a command up
 * @table: the platform's commands
 * @engine: enum gvirt_engine_id
 * @header: the command's first dword
 *
 * Binary search: at most 2 * log2(rows) steps.
 *
 * Return: its row; NULL: it is no command of that engine.
 */
const struct gvirt_cmd *gvirt_cmd_find(const struct gvirt_cmd_table *table, unsigned int engine,
				       u32 header);

/**
 * gvirt_cmd_length() - How many dwords a command has
 * @cmd: its row
 * @header: its first dword
 *
 * Return: dwords including the header; 0: its length field does not fit it.
 */
u32 gvirt_cmd_length(const struct gvirt_cmd *cmd, u32 header);

/**
 * gvirt_cmd_when() - Whether a condition holds
 * @when: the condition
 * @dwords: the command, at least its row's shortest length
 */
static inline bool gvirt_cmd_when(const struct gvirt_cmd_when *when, const u32 *dwords)
{
	return !((dwords[when->dword] ^ when->value) & when->mask);
}

#endif
