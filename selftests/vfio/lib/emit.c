// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands. Sources: those of <gvirt/gen9_cmds.h> and <gvirt/gen9_blt.h>; for the operands of
 * 2D commands, Linux i915, gem/selftests/i915_gem_client_blt.c and gt/intel_gpu_commands.h.
 */
#include <gvirt/gen9_blt.h>
#include <gvirt/gen9_cmds.h>

#include "../ktap.h"
#include "emit.h"

#define LENGTH(dwords)	((dwords) - GEN9_CMD_LENGTH_BIAS)
#define ALU(op, a, b)	((u32)(op) << GEN9_ALU_OPCODE_SHIFT | \
			 (u32)(a) << GEN9_ALU_OPERAND1_SHIFT | (b))

void emit_dword(struct cmds *cmds, u32 value)
{
	if (cmds->count >= CMDS_MAX)
		test_fail("too many commands: a bug of the test");
	cmds->dw[cmds->count++] = value;
}

static void emit_address(struct cmds *cmds, u64 address)
{
	emit_dword(cmds, (u32)address);
	emit_dword(cmds, address >> 32);
}

void emit_noops(struct cmds *cmds, unsigned int count)
{
	while (count--)
		emit_dword(cmds, GEN9_MI_NOOP);
}

void emit_end(struct cmds *cmds)
{
	emit_dword(cmds, GEN9_MI_BATCH_BUFFER_END);
}

void emit_user_interrupt(struct cmds *cmds)
{
	emit_dword(cmds, GEN9_MI_USER_INTERRUPT);
}

void emit_arb_check(struct cmds *cmds)
{
	emit_dword(cmds, GEN9_MI_ARB_CHECK);
}

void emit_arb(struct cmds *cmds, bool on)
{
	emit_dword(cmds, GEN9_MI_ARB_ON_OFF | (on ? GEN9_MI_ARB_ENABLE : 0));
}

void emit_store(struct cmds *cmds, enum space space, u64 address, u32 value)
{
	emit_dword(cmds, GEN9_MI_STORE_DATA_IMM | (space == GGTT ? GEN9_MI_STORE_GGTT : 0) |
			 LENGTH(4));
	emit_address(cmds, address);
	emit_dword(cmds, value);
}

void emit_store64(struct cmds *cmds, enum space space, u64 address, u64 value)
{
	emit_dword(cmds, GEN9_MI_STORE_DATA_IMM | GEN9_MI_STORE_QWORD |
			 (space == GGTT ? GEN9_MI_STORE_GGTT : 0) | LENGTH(5));
	emit_address(cmds, address);
	emit_address(cmds, value);
}

void emit_store_index(struct cmds *cmds, bool own, u32 offset, u32 value)
{
	emit_dword(cmds, GEN9_MI_STORE_DATA_INDEX | (own ? GEN9_MI_STORE_INDEX_PPHWSP : 0) |
			 LENGTH(3));
	emit_dword(cmds, offset);
	emit_dword(cmds, value);
}

static void flush(struct cmds *cmds, u32 flags, enum space space, u64 address, u32 value)
{
	emit_dword(cmds, GEN9_MI_FLUSH_DW | flags | LENGTH(5) |
			 GEN9_POST_SYNC_IMMEDIATE << GEN9_MI_FLUSH_DW_POST_SHIFT);
	emit_address(cmds, address | (space == GGTT ? GEN9_MI_FLUSH_DW_ADDR_GGTT : 0));
	emit_address(cmds, value);
}

void emit_flush(struct cmds *cmds, enum space space, u64 address, u32 value)
{
	flush(cmds, 0, space, address, value);
}

void emit_flush_tlb(struct cmds *cmds, u32 address)
{
	flush(cmds, GEN9_MI_FLUSH_DW_TLB, GGTT, address, 0);
}

void emit_pipe_control(struct cmds *cmds, u32 flags, enum space space, u64 address, u32 value)
{
	emit_dword(cmds, GEN9_PIPE_CONTROL | LENGTH(GEN9_PIPE_CONTROL_DWORDS));
	emit_dword(cmds, flags | GEN9_PC_CS_STALL | GEN9_PC_FLUSH_ENABLE |
			 GEN9_POST_SYNC_IMMEDIATE << GEN9_PC_POST_SHIFT |
			 (space == GGTT ? GEN9_PC_GGTT : 0));
	emit_address(cmds, address);
	emit_address(cmds, value);
}

void emit_end_by_index(struct cmds *cmds, bool render, u32 offset, u32 value)
{
	if (render)
		emit_pipe_control(cmds, GEN9_PC_STORE_INDEX, GGTT, offset, value);
	else
		flush(cmds, GEN9_MI_FLUSH_DW_INDEX, GGTT, offset, value);
}

void emit_batch(struct cmds *cmds, enum space space, u64 address)
{
	emit_dword(cmds, GEN9_MI_BATCH_BUFFER_START | (space == PPGTT ? GEN9_MI_BBS_PPGTT : 0) |
			 LENGTH(3));
	emit_address(cmds, address);
}

void emit_wait_equal(struct cmds *cmds, enum space space, u64 address, u32 value)
{
	emit_dword(cmds, GEN9_MI_SEMAPHORE_WAIT | GEN9_MI_SEMAPHORE_POLL |
			 GEN9_MI_SEMAPHORE_SAD_EQ_SDD << GEN9_MI_SEMAPHORE_COMPARE_SHIFT |
			 (space == GGTT ? GEN9_MI_SEMAPHORE_GGTT : 0) | LENGTH(4));
	emit_dword(cmds, value);
	emit_address(cmds, address);
}

void emit_lri(struct cmds *cmds, u32 reg, u32 value)
{
	emit_dword(cmds, GEN9_MI_LOAD_REGISTER_IMM | LENGTH(3));
	emit_dword(cmds, reg);
	emit_dword(cmds, value);
}

void emit_srm(struct cmds *cmds, enum space space, u32 reg, u64 address)
{
	emit_dword(cmds, GEN9_MI_STORE_REGISTER_MEM | (space == GGTT ? GEN9_MI_SRM_GGTT : 0) |
			 LENGTH(4));
	emit_dword(cmds, reg);
	emit_address(cmds, address);
}

void emit_lrm(struct cmds *cmds, enum space space, u32 reg, u64 address)
{
	emit_dword(cmds, GEN9_MI_LOAD_REGISTER_MEM | (space == GGTT ? GEN9_MI_LRM_GGTT : 0) |
			 LENGTH(4));
	emit_dword(cmds, reg);
	emit_address(cmds, address);
}

void emit_copy_dword(struct cmds *cmds, enum space space, u64 to, u64 from)
{
	emit_dword(cmds, GEN9_MI_COPY_MEM_MEM | LENGTH(5) |
			 (space == GGTT ? GEN9_MI_COPY_SRC_GGTT | GEN9_MI_COPY_DST_GGTT : 0));
	emit_address(cmds, to);
	emit_address(cmds, from);
}

void emit_increment(struct cmds *cmds, enum space space, u64 address)
{
	emit_dword(cmds, GEN9_MI_ATOMIC | GEN9_ATOMIC_INC << GEN9_MI_ATOMIC_OP_SHIFT |
			 (space == GGTT ? GEN9_MI_ATOMIC_GGTT : 0) | LENGTH(3));
	emit_address(cmds, address);
}

void emit_add(struct cmds *cmds, unsigned int to, unsigned int a, unsigned int b)
{
	const u32 program[] = {
		ALU(GEN9_ALU_LOAD, GEN9_ALU_REG_SRCA, a),
		ALU(GEN9_ALU_LOAD, GEN9_ALU_REG_SRCB, b),
		ALU(GEN9_ALU_ADD, 0, 0),
		ALU(GEN9_ALU_STORE, to, GEN9_ALU_REG_ACCU),
	};
	unsigned int i;

	emit_dword(cmds, GEN9_MI_MATH | LENGTH(1 + ARRAY_SIZE(program)));
	for (i = 0; i < ARRAY_SIZE(program); i++)
		emit_dword(cmds, program[i]);
}

/* Of the surface that is written: raster operation, depth and pitch, corners, address. */
static void emit_target(struct cmds *cmds, const struct rect *to, u32 rop)
{
	emit_dword(cmds, GEN9_BLT_DEPTH_32 << GEN9_BLT_DEPTH_SHIFT | rop << GEN9_BLT_ROP_SHIFT |
			 to->pitch);
	emit_dword(cmds, (u32)to->y << 16 | to->x);
	emit_dword(cmds, (u32)(to->y + to->height) << 16 | (to->x + to->width));
	emit_address(cmds, to->address);
}

void emit_fill(struct cmds *cmds, const struct rect *to, u32 color)
{
	emit_dword(cmds, GEN9_XY_COLOR_BLT | GEN9_BLT_WRITE_ALPHA | GEN9_BLT_WRITE_RGB |
			 LENGTH(7));
	emit_target(cmds, to, GEN9_ROP_PATTERN);
	emit_dword(cmds, color);
}

void emit_copy(struct cmds *cmds, const struct rect *to, const struct rect *from)
{
	emit_dword(cmds, GEN9_XY_SRC_COPY_BLT | GEN9_BLT_WRITE_ALPHA | GEN9_BLT_WRITE_RGB |
			 LENGTH(10));
	emit_target(cmds, to, GEN9_ROP_SOURCE);
	emit_dword(cmds, (u32)from->y << 16 | from->x);
	emit_dword(cmds, from->pitch);
	emit_address(cmds, from->address);
}
