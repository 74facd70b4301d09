/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands.
 */
#ifndef VFIO_LIB_EMIT_H
#define VFIO_LIB_EMIT_H

#include <linux/types.h>
#include <stdbool.h>

#define CMDS_MAX 1000

/**
 * struct cmds - Commands for a ring or a batch
 * @dw: the dwords
 * @count: how many
 */
struct cmds {
	u32 dw[CMDS_MAX];
	unsigned int count;
};

/**
 * enum space - Which addresses a command uses
 * @PPGTT: the context's own
 * @GGTT: the global ones; for privileged commands only
 */
enum space {
	PPGTT,
	GGTT,
};

/**
 * struct rect - Pixels of 32 bits, in a linear surface
 * @address: of the surface, in the context's own space
 * @pitch: bytes from row to row
 * @x: first column
 * @y: first row
 * @width: columns
 * @height: rows
 */
struct rect {
	u64 address;
	u32 pitch;
	u16 x, y, width, height;
};

/**
 * emit_dword() - Append any dword
 * @cmds: to what
 * @value: the dword
 */
void emit_dword(struct cmds *cmds, u32 value);

/**
 * emit_noops() - Append MI_NOOP
 * @cmds: to what
 * @count: how many
 */
void emit_noops(struct cmds *cmds, unsigned int count);

/**
 * emit_end() - End of a batch
 * @cmds: to what
 */
void emit_end(struct cmds *cmds);

/**
 * emit_user_interrupt() - MI_USER_INTERRUPT
 * @cmds: to what
 */
void emit_user_interrupt(struct cmds *cmds);

/**
 * emit_arb_check() - A point at which the context can be preempted
 * @cmds: to what
 */
void emit_arb_check(struct cmds *cmds);

/**
 * emit_arb() - MI_ARB_ON_OFF
 * @cmds: to what
 * @on: whether the context can be preempted
 */
void emit_arb(struct cmds *cmds, bool on);

/**
 * emit_store() - MI_STORE_DATA_IMM of a dword
 * @cmds: to what
 * @space: of @address
 * @address: multiple of 4
 * @value: what
 */
void emit_store(struct cmds *cmds, enum space space, u64 address, u32 value);

/**
 * emit_store64() - MI_STORE_DATA_IMM of a qword
 * @cmds: to what
 * @space: of @address
 * @address: multiple of 8
 * @value: what
 */
void emit_store64(struct cmds *cmds, enum space space, u64 address, u64 value);

/**
 * emit_store_index() - MI_STORE_DATA_INDEX
 * @cmds: to what
 * @own: in the context's status page, else in the engine's
 * @offset: in the page, multiple of 4
 * @value: what
 */
void emit_store_index(struct cmds *cmds, bool own, u32 offset, u32 value);

/**
 * emit_end_by_index() - PIPE_CONTROL or MI_FLUSH_DW with a store to the engine's status page
 * @cmds: to what
 * @render: for the render engine, else for any other
 * @offset: in the page, multiple of 8
 * @value: what
 */
void emit_end_by_index(struct cmds *cmds, bool render, u32 offset, u32 value);

/**
 * emit_flush() - MI_FLUSH_DW with a store behind it; not on the render engine
 * @cmds: to what
 * @space: of @address
 * @address: multiple of 8
 * @value: what
 */
void emit_flush(struct cmds *cmds, enum space space, u64 address, u32 value);

/**
 * emit_flush_tlb() - MI_FLUSH_DW that invalidates the TLB; not on the render engine
 * @cmds: to what
 * @address: GGTT, multiple of 8: gets 0, for the chip wants a store with it
 */
void emit_flush_tlb(struct cmds *cmds, u32 address);

/**
 * emit_pipe_control() - PIPE_CONTROL with a store behind it; render engine only
 * @cmds: to what
 * @flags: GEN9_PC_* in addition
 * @space: of @address
 * @address: multiple of 8
 * @value: what
 */
void emit_pipe_control(struct cmds *cmds, u32 flags, enum space space, u64 address, u32 value);

/**
 * emit_batch() - MI_BATCH_BUFFER_START
 * @cmds: to what
 * @space: of @address: PPGTT: without privilege; GGTT: with
 * @address: of the batch
 */
void emit_batch(struct cmds *cmds, enum space space, u64 address);

/**
 * emit_wait_equal() - MI_SEMAPHORE_WAIT, polling
 * @cmds: to what
 * @space: of @address
 * @address: multiple of 4
 * @value: goes on when memory has it
 */
void emit_wait_equal(struct cmds *cmds, enum space space, u64 address, u32 value);

/**
 * emit_lri() - MI_LOAD_REGISTER_IMM of one register
 * @cmds: to what
 * @reg: offset in BAR0
 * @value: what
 */
void emit_lri(struct cmds *cmds, u32 reg, u32 value);

/**
 * emit_srm() - MI_STORE_REGISTER_MEM
 * @cmds: to what
 * @space: of @address
 * @reg: offset in BAR0
 * @address: multiple of 4
 */
void emit_srm(struct cmds *cmds, enum space space, u32 reg, u64 address);

/**
 * emit_lrm() - MI_LOAD_REGISTER_MEM
 * @cmds: to what
 * @space: of @address
 * @reg: offset in BAR0
 * @address: multiple of 4
 */
void emit_lrm(struct cmds *cmds, enum space space, u32 reg, u64 address);

/**
 * emit_copy_dword() - MI_COPY_MEM_MEM
 * @cmds: to what
 * @space: of both addresses
 * @to: multiple of 4
 * @from: multiple of 4
 */
void emit_copy_dword(struct cmds *cmds, enum space space, u64 to, u64 from);

/**
 * emit_increment() - MI_ATOMIC that adds one to a dword
 * @cmds: to what
 * @space: of @address
 * @address: multiple of 4
 */
void emit_increment(struct cmds *cmds, enum space space, u64 address);

/**
 * emit_add() - MI_MATH: a general purpose register becomes the sum of two
 * @cmds: to what
 * @to: 0 to 15
 * @a: 0 to 15
 * @b: 0 to 15
 */
void emit_add(struct cmds *cmds, unsigned int to, unsigned int a, unsigned int b);

/**
 * emit_fill() - XY_COLOR_BLT
 * @cmds: to what
 * @to: what is filled
 * @color: with which value
 */
void emit_fill(struct cmds *cmds, const struct rect *to, u32 color);

/**
 * emit_copy() - XY_SRC_COPY_BLT
 * @cmds: to what
 * @to: what is written
 * @from: address, pitch and first pixel of the source
 */
void emit_copy(struct cmds *cmds, const struct rect *to, const struct rect *from);

#endif
