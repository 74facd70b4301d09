/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command headers and registers of Gen9 that the tests use. They are kept apart
 * from include/gvirt on purpose: a wrong value there must not agree with
 * itself here. Sources: Intel's Skylake PRM, volume 2a (commands) and 2c
 * (registers); the lengths are those of its "DWord Length" fields.
 */
#ifndef I915_TEST_CMDS_H
#define I915_TEST_CMDS_H

#include <linux/bits.h>
#include <linux/types.h>

/* Memory interface commands: client 0 in bits 31:29, opcode in 28:23. */
#define MI(op) ((u32)(op) << 23)

#define MI_NOOP MI(0x00)
#define MI_ARB_CHECK MI(0x05)
#define MI_BATCH_BUFFER_END MI(0x0a)
#define MI_MATH(n) (MI(0x1a) | ((n) - 1))
#define MI_SEMAPHORE_WAIT (MI(0x1c) | 2)
#define MI_SEMAPHORE_POLL BIT(15)
#define MI_SEMAPHORE_EQUAL (4u << 12)
#define MI_STORE_DATA_IMM (MI(0x20) | 2)
#define MI_LOAD_REGISTER_IMM (MI(0x22) | 1)
#define MI_STORE_REGISTER_MEM (MI(0x24) | 2)
#define MI_FLUSH_DW (MI(0x26) | 3)
#define MI_FLUSH_DW_STORE BIT(14)
#define MI_LOAD_REGISTER_MEM (MI(0x29) | 2)
#define MI_ATOMIC (MI(0x2f) | 1)
#define MI_ATOMIC_INC4 (0x05u << 8)
#define MI_BATCH_BUFFER_START (MI(0x31) | 1)
#define MI_BATCH_PPGTT BIT(8)
/* Memory is addressed through the global table: only for privileged batches. */
#define MI_USE_GGTT BIT(22)

/* MI_MATH's ALU: opcode in 31:20, operands in 19:10 and 9:0. */
#define ALU(op, a, b) (((u32)(op) << 20) | ((a) << 10) | (b))
#define ALU_LOAD 0x080
#define ALU_ADD 0x100
#define ALU_STORE 0x180
#define ALU_SRCA 0x20
#define ALU_SRCB 0x21
#define ALU_ACCU 0x31

/* No client 7 exists: the streamer cannot decode this. */
#define CMD_UNDECODABLE 0xffffffffu

#define PIPE_CONTROL (0x7a000000u | 4)
#define PIPE_CONTROL_CS_STALL BIT(20)
#define PIPE_CONTROL_WRITE_IMM BIT(14)
#define PIPE_CONTROL_WRITE_TIMESTAMP (3u << 14)

/* Blitter: client 2, opcode in 28:22. */
#define BLT(op) ((2u << 29) | ((u32)(op) << 22))

#define XY_COLOR_BLT (BLT(0x50) | 5)
#define XY_SRC_COPY_BLT (BLT(0x53) | 8)
#define XY_FAST_COPY_BLT (BLT(0x42) | 8)
#define BLT_WRITE_ARGB (3u << 20)
#define BLT_SRC_TILED BIT(15)
#define BLT_DST_TILED BIT(11)
#define BLT_DEPTH_32 (3u << 24)
#define BLT_ROP_COPY (0xccu << 16)
#define BLT_ROP_PATTERN (0xf0u << 16)
#define FAST_COPY_SRC_TILE(mode) ((u32)(mode) << 20)
#define FAST_COPY_DST_TILE(mode) ((u32)(mode) << 13)

/* Registers, relative to the engine's base. */
#define RING_HWSTAM 0x098
#define RING_TIMESTAMP 0x358
#define RING_GPR(n) (0x600 + (n) * 8)

/* Y tiling of the XY commands; masked write: the high half enables bits. */
#define BCS_SWCTRL 0x22200
#define BCS_SWCTRL_SRC_Y BIT(0)
#define BCS_SWCTRL_DST_Y BIT(1)

#endif
