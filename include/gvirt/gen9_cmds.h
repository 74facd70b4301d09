/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9 commands: headers, length fields, and the operands of the commands that
 * a command streamer carries out itself (MI_* and PIPE_CONTROL).
 *
 * A command's first dword has its type in bits 31:29. The lower bits of most
 * commands hold a length field, whose width differs from command to command;
 * it counts the dwords beyond the first two (GEN9_CMD_LENGTH_BIAS).
 *
 * The opcodes of 3D and media commands are in gen9_gfx_cmds.h, the operands of
 * 2D commands in gen9_blt.h.
 *
 * Sources: Mesa, src/intel/genxml/gen9.xml; Linux i915, gt/intel_gpu_commands.h,
 * i915_cmd_parser.c (length fields of Gen9) and gvt/cmd_parser.c (opcodes, places of
 * addresses); Intel media-driver, agnostic/gen9/hw/mhw_mi_hwcmd_g9_X.h, which carries
 * the manual's description of most MI commands; xf86-video-intel, src/sna/sna_display.c
 * (scan lines). All are also in PRM Skylake, volume 2a, by the name of the command.
 */
#ifndef GVIRT_GEN9_CMDS_H
#define GVIRT_GEN9_CMDS_H

#include <linux/bits.h>
#include <linux/types.h>

/* Any command. */
#define GEN9_CMD_TYPE_SHIFT		29
#define GEN9_CMD_TYPE(header)		((header) >> GEN9_CMD_TYPE_SHIFT)
#define   GEN9_CMD_TYPE_MI		0u
#define   GEN9_CMD_TYPE_2D		2u
#define   GEN9_CMD_TYPE_GFX		3u
#define GEN9_CMD_LENGTH_BIAS		2

/* Length fields by width. */
#define GEN9_CMD_LENGTH_6		0x3fu
#define GEN9_CMD_LENGTH_8		0xffu
#define GEN9_CMD_LENGTH_9		0x1ffu
#define GEN9_CMD_LENGTH_10		0x3ffu
#define GEN9_CMD_LENGTH_11		0x7ffu
#define GEN9_CMD_LENGTH_12		0xfffu
#define GEN9_CMD_LENGTH_16		0xffffu

/* MI commands: opcode in bits 28:23. */
#define GEN9_MI_OPCODE_SHIFT		23
#define GEN9_MI_OPCODE_MASK		GENMASK(31, 23)	/* together with the type */
#define GEN9_MI_CMD(opcode)		((u32)(opcode) << GEN9_MI_OPCODE_SHIFT)

/* Without a length field: one dword. */
#define GEN9_MI_NOOP			GEN9_MI_CMD(0x00)
#define   GEN9_MI_NOOP_WRITE_ID		BIT(22)		/* to RING_NOPID */
#define   GEN9_MI_NOOP_ID_MASK		GENMASK(21, 0)
#define GEN9_MI_SET_PREDICATE		GEN9_MI_CMD(0x01)
#define   GEN9_MI_SET_PREDICATE_MASK	GENMASK(3, 0)
#define   GEN9_MI_PREDICATE_NEVER	0		/* NOOP nothing */
#define   GEN9_MI_PREDICATE_RESULT2_CLEAR 1		/* NOOP when the result is clear */
#define   GEN9_MI_PREDICATE_RESULT2_SET	2
#define   GEN9_MI_PREDICATE_RESULT_CLEAR 3
#define   GEN9_MI_PREDICATE_RESULT_SET	4
#define   GEN9_MI_PREDICATE_ONE_SLICE	5		/* execute when so many are on */
#define   GEN9_MI_PREDICATE_TWO_SLICES	6
#define   GEN9_MI_PREDICATE_THREE_SLICES 7
#define   GEN9_MI_PREDICATE_ALWAYS	15		/* NOOP everything */
#define GEN9_MI_USER_INTERRUPT		GEN9_MI_CMD(0x02)
#define GEN9_MI_WAIT_FOR_EVENT		GEN9_MI_CMD(0x03)
#define   GEN9_MI_WAIT_SCAN_LINE_A	BIT(0)
#define   GEN9_MI_WAIT_FLIP_PLANE_1	BIT(1)
#define   GEN9_MI_WAIT_FLIP_PLANE_4	BIT(2)
#define   GEN9_MI_WAIT_VBLANK_A		BIT(3)
#define   GEN9_MI_WAIT_FLIP_PLANE_7	BIT(6)
#define   GEN9_MI_WAIT_FLIP_PLANE_8	BIT(7)
#define   GEN9_MI_WAIT_SCAN_LINE_B	BIT(8)
#define   GEN9_MI_WAIT_FLIP_PLANE_2	BIT(9)
#define   GEN9_MI_WAIT_FLIP_PLANE_5	BIT(10)
#define   GEN9_MI_WAIT_VBLANK_B		BIT(11)
#define   GEN9_MI_WAIT_SCAN_LINE_C	BIT(14)
#define   GEN9_MI_WAIT_FLIP_PLANE_3	BIT(15)
#define   GEN9_MI_WAIT_FLIP_PLANE_9	BIT(16)
#define   GEN9_MI_WAIT_FLIP_PLANE_10	BIT(17)
#define   GEN9_MI_WAIT_FLIP_PLANE_11	BIT(18)
#define   GEN9_MI_WAIT_FLIP_PLANE_12	BIT(19)
#define   GEN9_MI_WAIT_FLIP_PLANE_6	BIT(20)
#define   GEN9_MI_WAIT_VBLANK_C		BIT(21)
#define GEN9_MI_FLUSH			GEN9_MI_CMD(0x04)
#define GEN9_MI_ARB_CHECK		GEN9_MI_CMD(0x05)
#define GEN9_MI_RS_CONTROL		GEN9_MI_CMD(0x06)
#define   GEN9_MI_RS_CONTROL_START	BIT(0)
#define GEN9_MI_REPORT_HEAD		GEN9_MI_CMD(0x07)
#define GEN9_MI_ARB_ON_OFF		GEN9_MI_CMD(0x08)
#define   GEN9_MI_ARB_ENABLE		BIT(0)
#define GEN9_MI_URB_ATOMIC_ALLOC	GEN9_MI_CMD(0x09)
#define GEN9_MI_BATCH_BUFFER_END	GEN9_MI_CMD(0x0a)
#define GEN9_MI_SUSPEND_FLUSH		GEN9_MI_CMD(0x0b)
#define   GEN9_MI_SUSPEND_FLUSH_ENABLE	BIT(0)
#define GEN9_MI_PREDICATE		GEN9_MI_CMD(0x0c)
#define   GEN9_MI_PREDICATE_COMPARE_MASK GENMASK(1, 0)
#define   GEN9_MI_PREDICATE_SRCS_EQUAL	2
#define   GEN9_MI_PREDICATE_DELTAS_EQUAL 3
#define   GEN9_MI_PREDICATE_COMBINE_SHIFT 3
#define   GEN9_MI_PREDICATE_COMBINE_MASK GENMASK(4, 3)
#define   GEN9_MI_PREDICATE_COMBINE_SET	0
#define   GEN9_MI_PREDICATE_COMBINE_AND	1
#define   GEN9_MI_PREDICATE_COMBINE_OR	2
#define   GEN9_MI_PREDICATE_COMBINE_XOR	3
#define   GEN9_MI_PREDICATE_LOAD_SHIFT	6
#define   GEN9_MI_PREDICATE_LOAD_MASK	GENMASK(7, 6)
#define   GEN9_MI_PREDICATE_LOAD_KEEP	0
#define   GEN9_MI_PREDICATE_LOAD_LOAD	2
#define   GEN9_MI_PREDICATE_LOAD_LOADINV 3
#define GEN9_MI_TOPOLOGY_FILTER		GEN9_MI_CMD(0x0d)
#define GEN9_MI_SET_APPID		GEN9_MI_CMD(0x0e)
#define GEN9_MI_RS_CONTEXT		GEN9_MI_CMD(0x0f)
#define   GEN9_MI_RS_CONTEXT_SAVE	BIT(0)

/* With a 6-bit length field. */
#define GEN9_MI_LOAD_SCAN_LINES_INCL	GEN9_MI_CMD(0x12)
#define GEN9_MI_LOAD_SCAN_LINES_EXCL	GEN9_MI_CMD(0x13)
#define   GEN9_MI_SCAN_LINES_PIPE_SHIFT	19
#define   GEN9_MI_SCAN_LINES_PIPE_MASK	GENMASK(21, 19)
#define   GEN9_MI_SCAN_LINES_PIPE_A	0
#define   GEN9_MI_SCAN_LINES_PIPE_B	1
#define   GEN9_MI_SCAN_LINES_PIPE_C	4		/* dword 1: as GEN9_PIPE_SCAN_LINES */
#define GEN9_MI_FLUSH_DW		GEN9_MI_CMD(0x26)
#define   GEN9_MI_FLUSH_DW_VIDEO_INVALIDATE BIT(7)	/* video engine only */
#define   GEN9_MI_FLUSH_DW_NOTIFY	BIT(8)
#define   GEN9_MI_FLUSH_DW_FLUSH_LLC	BIT(9)
#define   GEN9_MI_FLUSH_DW_POST_SHIFT	14
#define   GEN9_MI_FLUSH_DW_POST_MASK	GENMASK(15, 14)	/* GEN9_POST_SYNC_* */
#define   GEN9_MI_FLUSH_DW_TLB		BIT(18)
#define   GEN9_MI_FLUSH_DW_INDEX	BIT(21)		/* offset in the status page */
#define   GEN9_MI_FLUSH_DW_PROTECTED	BIT(22)		/* protected content */
#define   GEN9_MI_FLUSH_DW_ADDR_GGTT	BIT(2)		/* in dword 1 */
#define   GEN9_MI_FLUSH_DW_ADDR_MASK	GENMASK(31, 3)	/* dword 1; dword 2: 47:32 */
#define GEN9_MI_REPORT_PERF_COUNT	GEN9_MI_CMD(0x28)
#define   GEN9_MI_REPORT_PERF_GGTT	BIT(0)		/* in dword 1 */
#define   GEN9_MI_REPORT_PERF_ADDR_MASK	GENMASK(31, 6)	/* in dword 1 */

/* With an 8-bit length field. */
#define GEN9_MI_DISPLAY_FLIP		GEN9_MI_CMD(0x14)
#define   GEN9_MI_DISPLAY_FLIP_ASYNC	BIT(22)
#define   GEN9_MI_DISPLAY_FLIP_PLANE_SHIFT 8
#define   GEN9_MI_DISPLAY_FLIP_PLANE_MASK GENMASK(12, 8)
#define GEN9_MI_SET_CONTEXT		GEN9_MI_CMD(0x18)
#define GEN9_MI_URB_CLEAR		GEN9_MI_CMD(0x19)
#define GEN9_MI_MATH			GEN9_MI_CMD(0x1a)
#define GEN9_MI_SEMAPHORE_SIGNAL	GEN9_MI_CMD(0x1b)
#define   GEN9_MI_SEMAPHORE_TARGET_SHIFT 15
#define   GEN9_MI_SEMAPHORE_TARGET_MASK	GENMASK(17, 15)
#define   GEN9_MI_SEMAPHORE_TARGET_RCS	0
#define   GEN9_MI_SEMAPHORE_TARGET_VCS	1
#define   GEN9_MI_SEMAPHORE_TARGET_BCS	2
#define   GEN9_MI_SEMAPHORE_TARGET_VECS	3		/* dword 1: id of the context */
#define   GEN9_MI_SEMAPHORE_POST_SYNC	BIT(21)
#define GEN9_MI_SEMAPHORE_WAIT		GEN9_MI_CMD(0x1c)
#define   GEN9_MI_SEMAPHORE_COMPARE_SHIFT 12
#define   GEN9_MI_SEMAPHORE_COMPARE_MASK GENMASK(14, 12) /* memory (SAD) : data (SDD) */
#define   GEN9_MI_SEMAPHORE_SAD_GT_SDD	0
#define   GEN9_MI_SEMAPHORE_SAD_GTE_SDD	1
#define   GEN9_MI_SEMAPHORE_SAD_LT_SDD	2
#define   GEN9_MI_SEMAPHORE_SAD_LTE_SDD	3
#define   GEN9_MI_SEMAPHORE_SAD_EQ_SDD	4
#define   GEN9_MI_SEMAPHORE_SAD_NEQ_SDD	5
#define   GEN9_MI_SEMAPHORE_POLL	BIT(15)		/* else it waits for a signal */
#define   GEN9_MI_SEMAPHORE_REGISTER	BIT(16)
#define   GEN9_MI_SEMAPHORE_GGTT	BIT(22)
#define GEN9_MI_FORCE_WAKEUP		GEN9_MI_CMD(0x1d)
#define   GEN9_MI_FORCE_WAKEUP_MEDIA	BIT(0)		/* in dword 1, mask in its upper half */
#define   GEN9_MI_FORCE_WAKEUP_RENDER	BIT(1)
#define GEN9_MI_STORE_DATA_INDEX	GEN9_MI_CMD(0x21)
#define   GEN9_MI_STORE_INDEX_PPHWSP	BIT(21)
#define   GEN9_MI_STORE_INDEX_MASK	GENMASK(11, 2)	/* in dword 1 */
#define GEN9_MI_LOAD_REGISTER_IMM	GEN9_MI_CMD(0x22)
#define   GEN9_MI_LRI_BYTE_DISABLE_SHIFT 8
#define   GEN9_MI_LRI_BYTE_DISABLE_MASK	GENMASK(11, 8)	/* bit n: byte n is not written */
#define   GEN9_MI_LRI_FORCE_POSTED	BIT(12)
#define   GEN9_MI_REGISTER_MASK		GENMASK(22, 2)	/* register offset in an operand */
#define GEN9_MI_STORE_REGISTER_MEM	GEN9_MI_CMD(0x24)
#define   GEN9_MI_SRM_PREDICATE		BIT(21)
#define   GEN9_MI_SRM_GGTT		BIT(22)
#define GEN9_MI_LOAD_REGISTER_MEM	GEN9_MI_CMD(0x29)
#define   GEN9_MI_LRM_ASYNC		BIT(21)
#define   GEN9_MI_LRM_GGTT		BIT(22)
#define GEN9_MI_LOAD_REGISTER_REG	GEN9_MI_CMD(0x2a)
#define GEN9_MI_RS_STORE_DATA_IMM	GEN9_MI_CMD(0x2b)
#define GEN9_MI_LOAD_URB_MEM		GEN9_MI_CMD(0x2c)
#define GEN9_MI_STORE_URB_MEM		GEN9_MI_CMD(0x2d)
#define GEN9_MI_COPY_MEM_MEM		GEN9_MI_CMD(0x2e)
#define   GEN9_MI_COPY_DST_GGTT		BIT(21)
#define   GEN9_MI_COPY_SRC_GGTT		BIT(22)
#define GEN9_MI_ATOMIC			GEN9_MI_CMD(0x2f)
#define   GEN9_MI_ATOMIC_OP_SHIFT	8
#define   GEN9_MI_ATOMIC_OP_MASK	GENMASK(15, 8)	/* GEN9_ATOMIC_*, and the size again */
#define   GEN9_MI_ATOMIC_RETURN		BIT(16)		/* old value to GPR 4 (16 bytes: and 5) */
#define   GEN9_MI_ATOMIC_CS_STALL	BIT(17)
#define   GEN9_MI_ATOMIC_INLINE		BIT(18)		/* operands in the command */
#define   GEN9_MI_ATOMIC_SIZE_SHIFT	19
#define   GEN9_MI_ATOMIC_SIZE_MASK	GENMASK(20, 19)
#define   GEN9_MI_ATOMIC_DWORD		0
#define   GEN9_MI_ATOMIC_QWORD		1
#define   GEN9_MI_ATOMIC_OCTWORD	2		/* GEN9_ATOMIC_CMPWR only */
#define   GEN9_MI_ATOMIC_POST_SYNC	BIT(21)
#define   GEN9_MI_ATOMIC_GGTT		BIT(22)
#define GEN9_MI_BATCH_BUFFER_START	GEN9_MI_CMD(0x31)
#define   GEN9_MI_BBS_PPGTT		BIT(8)		/* and non-privileged; else GGTT */
#define   GEN9_MI_BBS_RESOURCE_STREAMER	BIT(10)
#define   GEN9_MI_BBS_PREDICATE		BIT(15)
#define   GEN9_MI_BBS_ADD_OFFSET	BIT(16)		/* adds RING_BB_OFFSET */
#define   GEN9_MI_BBS_SECOND_LEVEL	BIT(22)
#define   GEN9_MI_BBS_ADDR_MASK		GENMASK(31, 2)	/* dword 1; dword 2: 47:32 */
#define GEN9_MI_CONDITIONAL_BATCH_BUFFER_END GEN9_MI_CMD(0x36)
#define   GEN9_MI_CBBE_MASK_MODE	BIT(19)		/* memory holds mask, then data */
#define   GEN9_MI_CBBE_COMPARE		BIT(21)		/* goes on when memory > data */
#define   GEN9_MI_CBBE_GGTT		BIT(22)

/* With a 10-bit length field. */
#define GEN9_MI_STORE_DATA_IMM		GEN9_MI_CMD(0x20)
#define   GEN9_MI_STORE_QWORD		BIT(21)
#define   GEN9_MI_STORE_GGTT		BIT(22)
#define   GEN9_MI_STORE_ADDR_MASK	GENMASK(31, 2)	/* dword 1; dword 2: 47:32 */
#define GEN9_MI_UPDATE_GTT		GEN9_MI_CMD(0x23)
#define   GEN9_MI_UPDATE_GTT_ADDR_MASK	GENMASK(31, 12)	/* dword 1: address the entry maps */
#define GEN9_MI_CLFLUSH			GEN9_MI_CMD(0x27)
#define   GEN9_MI_CLFLUSH_GGTT		BIT(22)

/* What a MI_FLUSH_DW or PIPE_CONTROL writes when it is done. */
#define GEN9_POST_SYNC_NONE		0
#define GEN9_POST_SYNC_IMMEDIATE	1
#define GEN9_POST_SYNC_DEPTH_COUNT	2		/* PIPE_CONTROL only */
#define GEN9_POST_SYNC_TIMESTAMP	3

/* Operations of MI_ATOMIC: low nibble of its opcode field; the upper one follows the size. */
#define GEN9_ATOMIC_SIZE_STEP		0x20		/* times GEN9_MI_ATOMIC_{DWORD,...} */
#define GEN9_ATOMIC_AND			0x1
#define GEN9_ATOMIC_OR			0x2
#define GEN9_ATOMIC_XOR			0x3
#define GEN9_ATOMIC_MOVE		0x4
#define GEN9_ATOMIC_INC			0x5
#define GEN9_ATOMIC_DEC			0x6
#define GEN9_ATOMIC_ADD			0x7
#define GEN9_ATOMIC_SUB			0x8
#define GEN9_ATOMIC_RSUB		0x9
#define GEN9_ATOMIC_IMAX		0xa
#define GEN9_ATOMIC_IMIN		0xb
#define GEN9_ATOMIC_UMAX		0xc
#define GEN9_ATOMIC_UMIN		0xd
#define GEN9_ATOMIC_CMPWR		0xe

/* Instructions of MI_MATH: opcode 31:20, operands 19:10 and 9:0. */
#define GEN9_ALU_OPCODE_SHIFT		20
#define GEN9_ALU_OPERAND1_SHIFT		10
#define GEN9_ALU_OPERAND_MASK		0x3ffu
#define GEN9_ALU_NOOP			0x000
#define GEN9_ALU_LOAD			0x080
#define GEN9_ALU_LOAD0			0x081
#define GEN9_ALU_ADD			0x100
#define GEN9_ALU_SUB			0x101
#define GEN9_ALU_AND			0x102
#define GEN9_ALU_OR			0x103
#define GEN9_ALU_XOR			0x104
#define GEN9_ALU_STORE			0x180
#define GEN9_ALU_LOADINV		0x480
#define GEN9_ALU_LOAD1			0x481
#define GEN9_ALU_STOREINV		0x580
#define GEN9_ALU_REG_SRCA		0x20		/* 0x00 to 0x0f: GPRs */
#define GEN9_ALU_REG_SRCB		0x21
#define GEN9_ALU_REG_ACCU		0x31
#define GEN9_ALU_REG_ZF			0x32
#define GEN9_ALU_REG_CF			0x33

/* PIPE_CONTROL: dwords 2 and 3 are the address, 4 and 5 the immediate data. */
#define GEN9_PIPE_CONTROL		0x7a000000u	/* 8-bit length field */
#define GEN9_PIPE_CONTROL_DWORDS	6
/* Its dword 1: */
#define   GEN9_PC_DEPTH_CACHE_FLUSH	BIT(0)
#define   GEN9_PC_STALL_AT_SCOREBOARD	BIT(1)
#define   GEN9_PC_STATE_INVALIDATE	BIT(2)
#define   GEN9_PC_CONST_INVALIDATE	BIT(3)
#define   GEN9_PC_VF_INVALIDATE		BIT(4)
#define   GEN9_PC_DC_FLUSH		BIT(5)
#define   GEN9_PC_FLUSH_ENABLE		BIT(7)
#define   GEN9_PC_NOTIFY		BIT(8)
#define   GEN9_PC_INDIRECT_STATE_DISABLE BIT(9)
#define   GEN9_PC_TEXTURE_INVALIDATE	BIT(10)
#define   GEN9_PC_INSTRUCTION_INVALIDATE BIT(11)
#define   GEN9_PC_RENDER_TARGET_FLUSH	BIT(12)
#define   GEN9_PC_DEPTH_STALL		BIT(13)
#define   GEN9_PC_POST_SHIFT		14
#define   GEN9_PC_POST_MASK		GENMASK(15, 14)	/* GEN9_POST_SYNC_* */
#define   GEN9_PC_MEDIA_STATE_CLEAR	BIT(16)
#define   GEN9_PC_TLB_INVALIDATE	BIT(18)
#define   GEN9_PC_SNAPSHOT_RESET	BIT(19)
#define   GEN9_PC_CS_STALL		BIT(20)
#define   GEN9_PC_STORE_INDEX		BIT(21)		/* offset in the status page */
#define   GEN9_PC_MMIO_WRITE		BIT(23)		/* the address is a register's */
#define   GEN9_PC_GGTT			BIT(24)
#define   GEN9_PC_FLUSH_LLC		BIT(26)
#define   GEN9_PC_ADDR_MASK		GENMASK(31, 2)	/* in dword 2 */

/* 2D commands: opcode in bits 28:22, an 8-bit length field in all of them. */
#define GEN9_2D_OPCODE_SHIFT		22
#define GEN9_2D_OPCODE_MASK		GENMASK(31, 22)	/* together with the type */
#define GEN9_2D_CMD(opcode) \
	((GEN9_CMD_TYPE_2D << GEN9_CMD_TYPE_SHIFT) | ((u32)(opcode) << GEN9_2D_OPCODE_SHIFT))

#define GEN9_XY_SETUP_BLT		GEN9_2D_CMD(0x01)
#define GEN9_XY_SETUP_CLIP_BLT		GEN9_2D_CMD(0x03)
#define GEN9_XY_SETUP_MONO_PATTERN_SL_BLT GEN9_2D_CMD(0x11)
#define GEN9_XY_PIXEL_BLT		GEN9_2D_CMD(0x24)
#define GEN9_XY_SCANLINES_BLT		GEN9_2D_CMD(0x25)
#define GEN9_XY_TEXT_BLT		GEN9_2D_CMD(0x26)
#define GEN9_XY_TEXT_IMMEDIATE_BLT	GEN9_2D_CMD(0x31)
#define GEN9_COLOR_BLT			GEN9_2D_CMD(0x40)
#define GEN9_XY_FAST_COPY_BLT		GEN9_2D_CMD(0x42)
#define GEN9_SRC_COPY_BLT		GEN9_2D_CMD(0x43)
#define GEN9_XY_COLOR_BLT		GEN9_2D_CMD(0x50)
#define GEN9_XY_PAT_BLT			GEN9_2D_CMD(0x51)
#define GEN9_XY_MONO_PAT_BLT		GEN9_2D_CMD(0x52)
#define GEN9_XY_SRC_COPY_BLT		GEN9_2D_CMD(0x53)
#define GEN9_XY_MONO_SRC_COPY_BLT	GEN9_2D_CMD(0x54)
#define GEN9_XY_FULL_BLT		GEN9_2D_CMD(0x55)
#define GEN9_XY_FULL_MONO_SRC_BLT	GEN9_2D_CMD(0x56)
#define GEN9_XY_FULL_MONO_PATTERN_BLT	GEN9_2D_CMD(0x57)
#define GEN9_XY_FULL_MONO_PATTERN_MONO_SRC_BLT GEN9_2D_CMD(0x58)
#define GEN9_XY_MONO_PAT_FIXED_BLT	GEN9_2D_CMD(0x59)
#define GEN9_XY_MONO_SRC_COPY_IMMEDIATE_BLT GEN9_2D_CMD(0x71)
#define GEN9_XY_PAT_BLT_IMMEDIATE	GEN9_2D_CMD(0x72)
#define GEN9_XY_SRC_COPY_CHROMA_BLT	GEN9_2D_CMD(0x73)
#define GEN9_XY_FULL_IMMEDIATE_PATTERN_BLT GEN9_2D_CMD(0x74)
#define GEN9_XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT GEN9_2D_CMD(0x75)
#define GEN9_XY_PAT_CHROMA_BLT		GEN9_2D_CMD(0x76)
#define GEN9_XY_PAT_CHROMA_BLT_IMMEDIATE GEN9_2D_CMD(0x77)

#endif
