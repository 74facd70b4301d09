// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands. Addresses are written as they are: objects carry canonical ones,
 * as the driver wants them for pinned objects.
 */
#include "cmds.h"
#include "emit.h"
#include "test.h"

void batch_create(struct batch *b, struct gpu *gpu, u64 size)
{
	bo_create(&b->bo, gpu, size);
	b->n = 0;
}

u64 batch_here(const struct batch *b)
{
	return b->bo.addr + b->n * 4ull;
}

void batch_dword(struct batch *b, u32 value)
{
	if (b->n >= b->bo.size / 4)
		test_fail("a batch of %llu bytes is full: a bug of the test",
			  (unsigned long long)b->bo.size);
	((u32 *)b->bo.cpu)[b->n++] = value;
}

static void batch_addr(struct batch *b, u64 addr)
{
	batch_dword(b, (u32)addr);
	batch_dword(b, (u32)(addr >> 32));
}

void batch_end(struct batch *b)
{
	batch_dword(b, MI_BATCH_BUFFER_END);
}

void emit_store(struct batch *b, u64 addr, u32 value)
{
	batch_dword(b, MI_STORE_DATA_IMM);
	batch_addr(b, addr);
	batch_dword(b, value);
}

void emit_lri(struct batch *b, u32 reg, u32 value)
{
	batch_dword(b, MI_LOAD_REGISTER_IMM);
	batch_dword(b, reg);
	batch_dword(b, value);
}

void emit_lrm(struct batch *b, u32 reg, u64 addr)
{
	batch_dword(b, MI_LOAD_REGISTER_MEM);
	batch_dword(b, reg);
	batch_addr(b, addr);
}

void emit_srm(struct batch *b, u32 reg, u64 addr)
{
	batch_dword(b, MI_STORE_REGISTER_MEM);
	batch_dword(b, reg);
	batch_addr(b, addr);
}

void emit_inc(struct batch *b, u64 addr)
{
	batch_dword(b, MI_ATOMIC | MI_ATOMIC_INC4);
	batch_addr(b, addr);
}

void emit_add(struct batch *b, u32 dst, u32 a, u32 c)
{
	batch_dword(b, MI_MATH(4));
	batch_dword(b, ALU(ALU_LOAD, ALU_SRCA, a));
	batch_dword(b, ALU(ALU_LOAD, ALU_SRCB, c));
	batch_dword(b, ALU(ALU_ADD, 0, 0));
	batch_dword(b, ALU(ALU_STORE, dst, ALU_ACCU));
}

void emit_wait_equal(struct batch *b, u64 addr, u32 value)
{
	batch_dword(b, MI_SEMAPHORE_WAIT | MI_SEMAPHORE_POLL | MI_SEMAPHORE_EQUAL);
	batch_dword(b, value);
	batch_addr(b, addr);
}

void emit_jump(struct batch *b, u64 addr)
{
	batch_dword(b, MI_BATCH_BUFFER_START | MI_BATCH_PPGTT);
	batch_addr(b, addr);
}

void emit_flush_store(struct batch *b, u64 addr, u32 value)
{
	batch_dword(b, MI_FLUSH_DW | MI_FLUSH_DW_STORE);
	batch_addr(b, addr);
	batch_dword(b, value);
	batch_dword(b, 0);
}

void emit_pipe_control(struct batch *b, u32 op, u64 addr, u32 value)
{
	batch_dword(b, PIPE_CONTROL);
	batch_dword(b, PIPE_CONTROL_CS_STALL | op);
	batch_addr(b, addr);
	batch_dword(b, value);
	batch_dword(b, 0);
}

/* Blits count the pitch of tiled surfaces in dwords, that of linear ones in bytes. */
static u32 blt_pitch(const struct surface *s)
{
	return s->tiling == I915_TILING_NONE ? s->stride : s->stride / 4;
}

static void blt_target(struct batch *b, const struct surface *dst, const struct rect *r)
{
	batch_dword(b, r->y << 16 | r->x);
	batch_dword(b, (r->y + r->h) << 16 | (r->x + r->w));
	batch_addr(b, dst->bo->addr);
}

static void blt_source(struct batch *b, const struct surface *src, u32 sx, u32 sy)
{
	batch_dword(b, sy << 16 | sx);
	batch_dword(b, blt_pitch(src));
	batch_addr(b, src->bo->addr);
}

void emit_fill(struct batch *b, const struct surface *dst, const struct rect *r, u32 color)
{
	u32 tiled = dst->tiling == I915_TILING_NONE ? 0 : BLT_DST_TILED;

	batch_dword(b, XY_COLOR_BLT | BLT_WRITE_ARGB | tiled);
	batch_dword(b, BLT_DEPTH_32 | BLT_ROP_PATTERN | blt_pitch(dst));
	blt_target(b, dst, r);
	batch_dword(b, color);
}

/* The blitter must be idle when the meaning of its tiling bits changes. */
static void emit_swctrl(struct batch *b, u32 bits)
{
	batch_dword(b, MI_FLUSH_DW);
	for (int i = 0; i < 4; i++)
		batch_dword(b, 0);
	emit_lri(b, BCS_SWCTRL, (BCS_SWCTRL_SRC_Y | BCS_SWCTRL_DST_Y) << 16 | bits);
}

void emit_copy(struct batch *b, const struct surface *dst, const struct rect *r,
	       const struct surface *src, u32 sx, u32 sy)
{
	u32 cmd = XY_SRC_COPY_BLT | BLT_WRITE_ARGB, swctrl = 0;

	if (src->tiling != I915_TILING_NONE)
		cmd |= BLT_SRC_TILED;
	if (dst->tiling != I915_TILING_NONE)
		cmd |= BLT_DST_TILED;
	if (src->tiling == I915_TILING_Y)
		swctrl |= BCS_SWCTRL_SRC_Y;
	if (dst->tiling == I915_TILING_Y)
		swctrl |= BCS_SWCTRL_DST_Y;

	if (swctrl)
		emit_swctrl(b, swctrl);
	batch_dword(b, cmd);
	batch_dword(b, BLT_DEPTH_32 | BLT_ROP_COPY | blt_pitch(dst));
	blt_target(b, dst, r);
	blt_source(b, src, sx, sy);
	if (swctrl)
		emit_swctrl(b, 0);
}

void emit_fast_copy(struct batch *b, const struct surface *dst, const struct rect *r,
		    const struct surface *src, u32 sx, u32 sy)
{
	/* I915_TILING_* happen to be the numbers of this command's tile modes. */
	batch_dword(b, XY_FAST_COPY_BLT | FAST_COPY_SRC_TILE(src->tiling) |
		       FAST_COPY_DST_TILE(dst->tiling));
	batch_dword(b, BLT_DEPTH_32 | blt_pitch(dst));
	blt_target(b, dst, r);
	blt_source(b, src, sx, sy);
}
