/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers as data: what a vGPU may do with each, and how a write changes it.
 *
 * One sorted const table per platform says everything that the trap handlers,
 * the command audit, the context switch and migration need to know of a
 * register. What has no row does not exist for a guest: it reads zero, its
 * writes are dropped, and a command that names it is refused.
 */
#ifndef GVIRT_LIB_REG_H
#define GVIRT_LIB_REG_H

#include <linux/types.h>

/**
 * enum gvirt_reg_class - Where a register's value comes from and where a write goes
 * @GVIRT_REG_RAM: the vGPU's own memory; no effect beyond being read back
 * @GVIRT_REG_HW_READ: reads give the chip's value, writes are dropped
 * @GVIRT_REG_TRAP: a handler carries out reads, writes or both
 * @GVIRT_REG_DENY: exists on the chip, but not for a guest: reads give the reset
 *	value, writes are dropped and counted
 */
enum gvirt_reg_class {
	GVIRT_REG_RAM,
	GVIRT_REG_HW_READ,
	GVIRT_REG_TRAP,
	GVIRT_REG_DENY,
};

/* Flags of a row. */
#define GVIRT_REG_CONTEXT	0x01u	/* saved and restored with the context image */
#define GVIRT_REG_CMD_WRITE	0x02u	/* commands may write it (LRI, LRM, LRR, ...) */
#define GVIRT_REG_CMD_READ	0x04u	/* commands may read the chip's value (SRM, LRR) */
#define GVIRT_REG_MIGRATED	0x08u	/* part of the saved state of a vGPU */
#define GVIRT_REG_ENGINE	0x10u	/* offset is relative to each engine's window */
#define GVIRT_REG_MASKED	0x20u	/* upper half of a write selects the bits */
#define GVIRT_REG_GGTT		0x40u	/* holds a GGTT address in bits 31:12 */
/*
 * Differs between vGPUs and is not in the context image: gvirt loads it when an
 * engine goes from one vGPU to another, with the vGPU's own value or, of a
 * denied register, the reset value.
 */
#define GVIRT_REG_SWITCH	0x80u

/**
 * struct gvirt_reg - One row: the registers first..last, which behave alike
 * @first: offset of the first register, a multiple of 4; in the engine's window
 *	with GVIRT_REG_ENGINE
 * @last: offset of the last one, inclusive
 * @class: enum gvirt_reg_class
 * @flags: GVIRT_REG_*
 * @engines: bit n: with GVIRT_REG_ENGINE, the row holds for engine n; else the register
 *	goes with engine n's contexts, switches and commands, 0: with none's
 * @handler: id of the handler of a trapped register (enum gvirt_reg_handler); 0: none
 * @ro: bits that a write does not change: the chip has none there, or a guest must
 *	not change them. All of a RAM register: a constant, or another register's
 *	handler sets it
 * @w1c: bits that a one written clears, and that a write cannot set
 * @reset: value after reset
 * @name: in the manual's words
 */
struct gvirt_reg {
	u32 first;
	u32 last;
	u8 class;
	u8 flags;
	u8 engines;
	u8 handler;
	u32 ro;
	u32 w1c;
	u32 reset;
	const char *name;
};

/**
 * struct gvirt_reg_rows - Rows that are searched together
 * @row: the rows, sorted by @first
 * @count: how many
 */
struct gvirt_reg_rows {
	const struct gvirt_reg *row;
	unsigned int count;
};

/**
 * struct gvirt_reg_table - The registers of one platform
 * @global: rows of the GT with absolute offsets, without overlap
 * @display: rows of the display engine, likewise; none overlaps one of @global
 * @engine: rows with offsets in an engine's window; rows may overlap only when they
 *	are for different engines, and then they cover the same offsets
 * @base: offset of each engine's window; the windows do not overlap
 * @engines: how many engines there are (enum gvirt_engine_id)
 */
struct gvirt_reg_table {
	const struct gvirt_reg_rows *global;
	const struct gvirt_reg_rows *display;
	const struct gvirt_reg_rows *engine;
	const u32 *base;
	unsigned int engines;
};

/**
 * struct gvirt_reg_ref - A register that was looked up
 * @row: its row, NULL: there is none
 * @engine: number of the engine whose window it is in; -1: a global register
 * @offset: relative to that window, or absolute
 */
struct gvirt_reg_ref {
	const struct gvirt_reg *row;
	int engine;
	u32 offset;
};

/** gvirt_regs_gen9 - Skylake to Comet Lake */
extern const struct gvirt_reg_table gvirt_regs_gen9;

/**
 * gvirt_reg_find() - Look a register up
 * @table: the platform's registers
 * @offset: absolute offset; the two lowest bits do not count
 *
 * Binary search: at most 2 * log2(rows) steps.
 */
struct gvirt_reg_ref gvirt_reg_find(const struct gvirt_reg_table *table, u32 offset);

/**
 * gvirt_reg_apply() - What a register holds after a write
 * @row: its row
 * @old: its value before
 * @value: the value written
 *
 * Applies, in this order: the masked-write rule, write-one-to-clear bits,
 * read-only bits. The upper half of a masked register stays as it is.
 *
 * Return: the new value; @old for a register that does not take writes.
 */
u32 gvirt_reg_apply(const struct gvirt_reg *row, u32 old, u32 value);

/**
 * gvirt_reg_cmd_allowed() - Whether commands of an engine may access a register
 * @ref: the register
 * @engine: the engine that executes the command
 * @access: GVIRT_REG_CMD_WRITE or GVIRT_REG_CMD_READ
 *
 * Engines run work of different vGPUs at the same time, so commands get
 * to registers of their own engine only. A register with read-only bits takes
 * immediate values only (gvirt_reg_cmd_value()), as those of others are not known
 * beforehand; that is the caller's to check.
 */
bool gvirt_reg_cmd_allowed(const struct gvirt_reg_ref *ref, unsigned int engine, u8 access);

/**
 * gvirt_reg_cmd_value() - What a command may write of an immediate value
 * @row: its row, with GVIRT_REG_CMD_WRITE
 * @value: the value in the command
 *
 * Takes away the selection of read-only bits of a masked register, and the
 * read-only bits of another.
 */
u32 gvirt_reg_cmd_value(const struct gvirt_reg *row, u32 value);

/**
 * gvirt_reg_nonpriv_value() - What a FORCE_TO_NONPRIV slot may hold
 * @table: the platform's registers
 * @engine: the engine whose slot it is
 * @value: the value written
 *
 * A slot lets non-privileged batches, which nobody audits, write one more register: it
 * must be one that audited commands may write as well, without read-only bits.
 * Read access (Coffee Lake and later) is granted to registers that commands may
 * read.
 *
 * Return: @value, or the engine's NOPID, as in a slot that is not used.
 */
u32 gvirt_reg_nonpriv_value(const struct gvirt_reg_table *table, unsigned int engine, u32 value);

#endif
