/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing commands into a batch.
 */
#ifndef I915_TEST_EMIT_H
#define I915_TEST_EMIT_H

#include <linux/types.h>

#include "gem.h"

/**
 * struct batch - a batch buffer under construction
 * @bo: where it is
 * @n: dwords written
 */
struct batch {
	struct bo bo;
	u32 n;
};

/**
 * struct surface - what a blit reads or writes; 32 bits a pixel
 * @bo: object that holds it from its start
 * @stride: bytes of one row
 * @tiling: I915_TILING_*
 */
struct surface {
	const struct bo *bo;
	u32 stride;
	u32 tiling;
};

/**
 * struct rect - pixels from (@x, @y) on
 * @x: first column
 * @y: first row
 * @w: columns
 * @h: rows
 */
struct rect {
	u32 x, y, w, h;
};

/**
 * batch_create() - an empty batch
 * @b: filled in
 * @gpu: device
 * @size: bytes
 */
void batch_create(struct batch *b, struct gpu *gpu, u64 size);

/**
 * batch_here() - GPU address of the next command
 * @b: batch
 *
 * Return: address.
 */
u64 batch_here(const struct batch *b);

/**
 * batch_dword() - append one dword
 * @b: batch; the test fails when it is full
 * @value: dword
 */
void batch_dword(struct batch *b, u32 value);

/**
 * batch_end() - append MI_BATCH_BUFFER_END
 * @b: batch
 */
void batch_end(struct batch *b);

/**
 * emit_store() - MI_STORE_DATA_IMM of one dword
 * @b: batch
 * @addr: GPU address
 * @value: dword
 */
void emit_store(struct batch *b, u64 addr, u32 value);

/**
 * emit_lri() - MI_LOAD_REGISTER_IMM of one register
 * @b: batch
 * @reg: offset in the register BAR
 * @value: dword
 */
void emit_lri(struct batch *b, u32 reg, u32 value);

/**
 * emit_lrm() - MI_LOAD_REGISTER_MEM
 * @b: batch
 * @reg: offset in the register BAR
 * @addr: GPU address
 */
void emit_lrm(struct batch *b, u32 reg, u64 addr);

/**
 * emit_srm() - MI_STORE_REGISTER_MEM
 * @b: batch
 * @reg: offset in the register BAR
 * @addr: GPU address
 */
void emit_srm(struct batch *b, u32 reg, u64 addr);

/**
 * emit_inc() - MI_ATOMIC that adds one to a dword
 * @b: batch
 * @addr: GPU address
 */
void emit_inc(struct batch *b, u64 addr);

/**
 * emit_add() - add two 64-bit general purpose registers with MI_MATH
 * @b: batch
 * @dst: register that gets the sum
 * @a: first register
 * @c: second register
 */
void emit_add(struct batch *b, u32 dst, u32 a, u32 c);

/**
 * emit_wait_equal() - MI_SEMAPHORE_WAIT that polls until a dword has a value
 * @b: batch
 * @addr: GPU address
 * @value: awaited
 */
void emit_wait_equal(struct batch *b, u64 addr, u32 value);

/**
 * emit_jump() - MI_BATCH_BUFFER_START that does not return
 * @b: batch
 * @addr: GPU address of the next command
 */
void emit_jump(struct batch *b, u64 addr);

/**
 * emit_flush_store() - MI_FLUSH_DW with a dword written after the flush
 * @b: batch for any engine but render
 * @addr: GPU address, 8-byte aligned
 * @value: dword
 */
void emit_flush_store(struct batch *b, u64 addr, u32 value);

/**
 * emit_pipe_control() - PIPE_CONTROL with a stall and a post-sync operation
 * @b: batch for render
 * @op: PIPE_CONTROL_WRITE_*
 * @addr: GPU address, 8-byte aligned
 * @value: the low dword that PIPE_CONTROL_WRITE_IMM writes
 */
void emit_pipe_control(struct batch *b, u32 op, u64 addr, u32 value);

/**
 * emit_fill() - XY_COLOR_BLT
 * @b: batch for the blitter
 * @dst: linear or X tiled
 * @r: pixels
 * @color: 32-bit pixel
 */
void emit_fill(struct batch *b, const struct surface *dst, const struct rect *r, u32 color);

/**
 * emit_copy() - XY_SRC_COPY_BLT, with BCS_SWCTRL set up for Y tiling around it
 * @b: batch for the blitter
 * @dst: destination
 * @r: its pixels
 * @src: source
 * @sx: first column in the source
 * @sy: first row in the source
 */
void emit_copy(struct batch *b, const struct surface *dst, const struct rect *r,
	       const struct surface *src, u32 sx, u32 sy);

/**
 * emit_fast_copy() - XY_FAST_COPY_BLT
 * @b: batch for the blitter
 * @dst: destination
 * @r: its pixels
 * @src: source
 * @sx: first column in the source
 * @sy: first row in the source
 */
void emit_fast_copy(struct batch *b, const struct surface *dst, const struct rect *r,
		    const struct surface *src, u32 sx, u32 sy);

#endif
