// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gen9's MI and 2D commands as data.
 *
 * Sources: Intel PRM Skylake, volume 2a (Command Reference: Instructions); Intel
 * media-driver, agnostic/gen9/hw/mhw_mi_hwcmd_g9_X.h; Mesa, src/intel/genxml/gen9.xml;
 * Linux i915, gt/intel_gpu_commands.h, i915_cmd_parser.c and gvt/cmd_parser.c (which
 * engines, which lengths).
 *
 * Policies that are not obvious, for buffers that run with privilege:
 *
 * - What waits for the display or steers it (MI_WAIT_FOR_EVENT, MI_LOAD_SCAN_LINES_*)
 *   would wait for the host's display, or for ever: it becomes NOOPs. A flip is
 *   for the vGPU's own display.
 * - MI_SUSPEND_FLUSH and MI_FORCE_WAKEUP change what all vGPUs share (the streamer's
 *   flushes, the power wells), and MI_REPORT_HEAD and a NOOP with an id write to a
 *   status page or register of the host's; a guest loses nothing without them.
 * - MI_ARB_ON_OFF is judged by the walk: arbitration may be off only for a stretch
 *   that ends by itself, or nobody could preempt the guest.
 * - MI_UPDATE_GTT writes page-table entries, MI_SET_CONTEXT does not exist with
 *   execlists, MI_SET_APPID and a flag of MI_FLUSH_DW belong to protected sessions, of
 *   which the chip has one set for all: refused.
 */
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/types.h>
#include <gvirt/gen9_cmds.h>
#include "cmd.h"
#include "engine.h"

#define RCS	BIT(GVIRT_RCS)
#define BCS	BIT(GVIRT_BCS)
#define VCS	BIT(GVIRT_VCS)
#define VECS	BIT(GVIRT_VECS)
#define ALL	(RCS | BCS | VCS | VECS)

#define SET(dw, bits_set)	{ .dword = (dw), .mask = (bits_set), .value = ~0u }
#define CLEAR(dw, bits_clear)	{ .dword = (dw), .mask = (bits_clear) }
#define EQUAL(dw, field, is)	{ .dword = (dw), .mask = (field), .value = (is) }

static const struct gvirt_cmd_operand noop[] = {
	{ .kind = GVIRT_OP_NEUTRAL, .when = SET(0, GEN9_MI_NOOP_WRITE_ID) },
	{ }
};

static const struct gvirt_cmd_operand neutral[] = {
	{ .kind = GVIRT_OP_NEUTRAL },
	{ }
};

static const struct gvirt_cmd_operand interrupt[] = {
	{ .kind = GVIRT_OP_INTERRUPT },
	{ }
};

static const struct gvirt_cmd_operand flip[] = {
	{ .kind = GVIRT_OP_FLIP, .dword = 1 },
	{ }
};

static const struct gvirt_cmd_operand math[] = {
	{ .kind = GVIRT_OP_ALU, .dword = 1, .step = 1 },
	{ }
};

static const struct gvirt_cmd_operand semaphore_signal[] = {
	{ .kind = GVIRT_OP_SIGNAL, .dword = 1 },
	{ }
};

static const struct gvirt_cmd_operand semaphore_wait[] = {
	/* Nothing preempts a wait for a register. */
	{ .kind = GVIRT_OP_INVALID, .when = SET(0, GEN9_MI_SEMAPHORE_REGISTER) },
	{ .kind = GVIRT_OP_READ, .dword = 2, .size = 4, .bits = GENMASK(31, 2),
	  .ggtt = SET(0, GEN9_MI_SEMAPHORE_GGTT) },
	{ .kind = GVIRT_OP_WAIT },
	{ }
};

static const struct gvirt_cmd_operand store_data_imm[] = {
	{ .kind = GVIRT_OP_LENGTH, .dword = 3, .step = 2, .when = SET(0, GEN9_MI_STORE_QWORD) },
	{ .kind = GVIRT_OP_WRITE, .dword = 1, .bits = GEN9_MI_STORE_ADDR_MASK,
	  .ggtt = SET(0, GEN9_MI_STORE_GGTT) },
	{ }
};

static const struct gvirt_cmd_operand store_data_index[] = {
	{ .kind = GVIRT_OP_STATUS, .dword = 1, .bits = GEN9_MI_STORE_INDEX_MASK,
	  .ggtt = CLEAR(0, GEN9_MI_STORE_INDEX_PPHWSP) },
	{ }
};

static const struct gvirt_cmd_operand load_register_imm[] = {
	{ .kind = GVIRT_OP_REG_WRITE, .dword = 1, .step = 2, .aux = 1,
	  .bits = GEN9_MI_REGISTER_MASK },
	{ }
};

static const struct gvirt_cmd_operand store_register_mem[] = {
	{ .kind = GVIRT_OP_WRITE, .dword = 2, .size = 4, .bits = GENMASK(31, 2),
	  .ggtt = SET(0, GEN9_MI_SRM_GGTT) },
	{ .kind = GVIRT_OP_REG_READ, .dword = 1, .aux = 1, .bits = GEN9_MI_REGISTER_MASK,
	  .when = CLEAR(0, GEN9_MI_SRM_PREDICATE) },
	/* A store of our value would not be predicated. */
	{ .kind = GVIRT_OP_REG_READ, .dword = 1, .bits = GEN9_MI_REGISTER_MASK,
	  .when = SET(0, GEN9_MI_SRM_PREDICATE) },
	{ }
};

/* Its post-sync operation: nothing, a write to memory, or to a status page. */
#define FLUSH_WHAT	(GEN9_MI_FLUSH_DW_POST_MASK | GEN9_MI_FLUSH_DW_INDEX)
#define FLUSH_POST(op)	((u32)GEN9_POST_SYNC_##op << GEN9_MI_FLUSH_DW_POST_SHIFT)

static const struct gvirt_cmd_operand flush_dw[] = {
	{ .kind = GVIRT_OP_INVALID, .when = SET(0, GEN9_MI_FLUSH_DW_PROTECTED) },
	{ .kind = GVIRT_OP_INVALID,
	  .when = EQUAL(0, GEN9_MI_FLUSH_DW_POST_MASK, FLUSH_POST(DEPTH_COUNT)) },
	{ .kind = GVIRT_OP_WRITE, .dword = 1, .size = 8, .bits = GEN9_MI_FLUSH_DW_ADDR_MASK,
	  .when = EQUAL(0, FLUSH_WHAT, FLUSH_POST(IMMEDIATE)),
	  .ggtt = SET(1, GEN9_MI_FLUSH_DW_ADDR_GGTT) },
	{ .kind = GVIRT_OP_WRITE, .dword = 1, .size = 8, .bits = GEN9_MI_FLUSH_DW_ADDR_MASK,
	  .when = EQUAL(0, FLUSH_WHAT, FLUSH_POST(TIMESTAMP)),
	  .ggtt = SET(1, GEN9_MI_FLUSH_DW_ADDR_GGTT) },
	{ .kind = GVIRT_OP_STATUS, .dword = 1, .size = 8, .bits = GENMASK(11, 3),
	  .when = EQUAL(0, FLUSH_WHAT, FLUSH_POST(IMMEDIATE) | GEN9_MI_FLUSH_DW_INDEX),
	  .ggtt = SET(1, GEN9_MI_FLUSH_DW_ADDR_GGTT) },
	{ .kind = GVIRT_OP_STATUS, .dword = 1, .size = 8, .bits = GENMASK(11, 3),
	  .when = EQUAL(0, FLUSH_WHAT, FLUSH_POST(TIMESTAMP) | GEN9_MI_FLUSH_DW_INDEX),
	  .ggtt = SET(1, GEN9_MI_FLUSH_DW_ADDR_GGTT) },
	{ .kind = GVIRT_OP_INTERRUPT, .when = SET(0, GEN9_MI_FLUSH_DW_NOTIFY) },
	{ }
};

static const struct gvirt_cmd_operand clflush[] = {
	{ .kind = GVIRT_OP_INVALID, .when = SET(0, GEN9_MI_CLFLUSH_GGTT) },
	{ }
};

/* A report is 256 bytes in the longest format. */
static const struct gvirt_cmd_operand report_perf_count[] = {
	{ .kind = GVIRT_OP_WRITE, .dword = 1, .size = 256, .bits = GEN9_MI_REPORT_PERF_ADDR_MASK,
	  .ggtt = SET(1, GEN9_MI_REPORT_PERF_GGTT) },
	{ }
};

static const struct gvirt_cmd_operand load_register_mem[] = {
	{ .kind = GVIRT_OP_READ, .dword = 2, .size = 4, .bits = GENMASK(31, 2),
	  .ggtt = SET(0, GEN9_MI_LRM_GGTT) },
	{ .kind = GVIRT_OP_REG_WRITE, .dword = 1, .bits = GEN9_MI_REGISTER_MASK },
	{ }
};

static const struct gvirt_cmd_operand load_register_reg[] = {
	{ .kind = GVIRT_OP_REG_WRITE, .dword = 2, .bits = GEN9_MI_REGISTER_MASK },
	{ .kind = GVIRT_OP_REG_READ, .dword = 1, .aux = 1, .bits = GEN9_MI_REGISTER_MASK },
	{ }
};

static const struct gvirt_cmd_operand copy_mem_mem[] = {
	{ .kind = GVIRT_OP_WRITE, .dword = 1, .size = 4, .bits = GENMASK(31, 2),
	  .ggtt = SET(0, GEN9_MI_COPY_DST_GGTT) },
	{ .kind = GVIRT_OP_READ, .dword = 3, .size = 4, .bits = GENMASK(31, 2),
	  .ggtt = SET(0, GEN9_MI_COPY_SRC_GGTT) },
	{ }
};

#define ATOMIC_SIZE(n)	EQUAL(0, GEN9_MI_ATOMIC_SIZE_MASK, (u32)(n) << GEN9_MI_ATOMIC_SIZE_SHIFT)

static const struct gvirt_cmd_operand atomic[] = {
	{ .kind = GVIRT_OP_LENGTH, .aux = 3, .when = CLEAR(0, GEN9_MI_ATOMIC_INLINE) },
	{ .kind = GVIRT_OP_LENGTH, .aux = 11, .when = SET(0, GEN9_MI_ATOMIC_INLINE) },
	{ .kind = GVIRT_OP_INVALID, .when = ATOMIC_SIZE(3) },
	{ .kind = GVIRT_OP_READ_WRITE, .dword = 1, .size = 4, .bits = GENMASK(31, 2),
	  .when = ATOMIC_SIZE(0), .ggtt = SET(0, GEN9_MI_ATOMIC_GGTT) },
	{ .kind = GVIRT_OP_READ_WRITE, .dword = 1, .size = 8, .bits = GENMASK(31, 2),
	  .when = ATOMIC_SIZE(1), .ggtt = SET(0, GEN9_MI_ATOMIC_GGTT) },
	{ .kind = GVIRT_OP_READ_WRITE, .dword = 1, .size = 16, .bits = GENMASK(31, 2),
	  .when = ATOMIC_SIZE(2), .ggtt = SET(0, GEN9_MI_ATOMIC_GGTT) },
	{ }
};

static const struct gvirt_cmd_operand batch_start[] = {
	/* With an offset from a register added, the address is not known. */
	{ .kind = GVIRT_OP_INVALID,
	  .when = EQUAL(0, GEN9_MI_BBS_PPGTT | GEN9_MI_BBS_ADD_OFFSET, GEN9_MI_BBS_ADD_OFFSET) },
	{ .kind = GVIRT_OP_BATCH, .dword = 1, .size = 4, .bits = GEN9_MI_BBS_ADDR_MASK,
	  .ggtt = CLEAR(0, GEN9_MI_BBS_PPGTT) },
	{ }
};

static const struct gvirt_cmd_operand conditional_end[] = {
	{ .kind = GVIRT_OP_READ, .dword = 2, .size = 4, .bits = GENMASK(31, 2),
	  .when = CLEAR(0, GEN9_MI_CBBE_MASK_MODE), .ggtt = SET(0, GEN9_MI_CBBE_GGTT) },
	{ .kind = GVIRT_OP_READ, .dword = 2, .size = 8, .bits = GENMASK(31, 2),
	  .when = SET(0, GEN9_MI_CBBE_MASK_MODE), .ggtt = SET(0, GEN9_MI_CBBE_GGTT) },
	{ }
};

#define AUDIT(array)		.policy = GVIRT_CMD_AUDIT, .operands = (array)
#define PATCH(array)		.policy = GVIRT_CMD_PATCH, .operands = (array)
#define ALLOW			.policy = GVIRT_CMD_ALLOW
#define REJECT			.policy = GVIRT_CMD_REJECT

/* One dword, no length field. */
#define MI1(cmd, on, ...) \
	{ .value = GEN9_MI_##cmd, .mask = GEN9_MI_OPCODE_MASK, .min = 1, .max = 1, \
	  .engines = (on), .name = "MI_" #cmd, __VA_ARGS__ }
/* With a length field of that many bits, and the lengths that are right. */
#define MIN(cmd, on, field, shortest, longest, ...) \
	{ .value = GEN9_MI_##cmd, .mask = GEN9_MI_OPCODE_MASK, .min = (shortest), \
	  .max = (longest), .length_mask = GEN9_CMD_LENGTH_##field, .engines = (on), \
	  .name = "MI_" #cmd, __VA_ARGS__ }

static const struct gvirt_cmd mi[] = {
	MI1(NOOP, ALL, AUDIT(noop)),
	MI1(SET_PREDICATE, ALL, ALLOW, .role = GVIRT_ROLE_PREDICATE),
	MI1(USER_INTERRUPT, ALL, AUDIT(interrupt)),
	MI1(WAIT_FOR_EVENT, RCS | BCS, PATCH(neutral)),
	MI1(FLUSH, ALL, ALLOW),
	MI1(ARB_CHECK, ALL, ALLOW),
	MI1(RS_CONTROL, RCS, ALLOW),
	MI1(REPORT_HEAD, ALL, PATCH(neutral)),
	MI1(ARB_ON_OFF, ALL, ALLOW, .role = GVIRT_ROLE_ARBITRATION),
	MI1(URB_ATOMIC_ALLOC, RCS, ALLOW),
	MI1(BATCH_BUFFER_END, ALL, ALLOW, .role = GVIRT_ROLE_END),
	MI1(SUSPEND_FLUSH, ALL, PATCH(neutral)),
	MI1(PREDICATE, RCS, ALLOW),
	MI1(TOPOLOGY_FILTER, RCS, ALLOW),
	MI1(SET_APPID, ALL, REJECT),
	MI1(RS_CONTEXT, RCS, ALLOW),
	MIN(LOAD_SCAN_LINES_INCL, RCS | BCS, 6, 2, 2, PATCH(neutral)),
	MIN(LOAD_SCAN_LINES_EXCL, RCS | BCS, 6, 2, 2, PATCH(neutral)),
	MIN(DISPLAY_FLIP, RCS | BCS, 8, 3, 4, PATCH(flip)),
	MIN(SET_CONTEXT, RCS, 8, 2, 2, REJECT),
	MIN(URB_CLEAR, RCS, 8, 2, 2, ALLOW),
	MIN(MATH, ALL, 8, 2, 257, AUDIT(math)),
	MIN(SEMAPHORE_SIGNAL, ALL, 8, 2, 2, PATCH(semaphore_signal)),
	MIN(SEMAPHORE_WAIT, ALL, 8, 4, 4, AUDIT(semaphore_wait), .role = GVIRT_ROLE_LONG),
	MIN(FORCE_WAKEUP, ALL, 8, 2, 2, PATCH(neutral)),
	MIN(STORE_DATA_IMM, ALL, 10, 4, 1025, AUDIT(store_data_imm)),
	MIN(STORE_DATA_INDEX, ALL, 8, 3, 4, AUDIT(store_data_index)),
	MIN(LOAD_REGISTER_IMM, ALL, 8, 3, 257, AUDIT(load_register_imm)),
	MIN(UPDATE_GTT, ALL, 10, 3, 1025, REJECT),
	MIN(STORE_REGISTER_MEM, ALL, 8, 4, 4, AUDIT(store_register_mem)),
	MIN(FLUSH_DW, BCS | VCS | VECS, 6, 4, 5, AUDIT(flush_dw)),
	MIN(CLFLUSH, RCS, 10, 3, 1025, AUDIT(clflush), .flags = GVIRT_CMD_PPGTT),
	MIN(REPORT_PERF_COUNT, RCS, 6, 4, 4, AUDIT(report_perf_count)),
	MIN(LOAD_REGISTER_MEM, ALL, 8, 4, 4, AUDIT(load_register_mem)),
	MIN(LOAD_REGISTER_REG, ALL, 8, 3, 3, AUDIT(load_register_reg)),
	MIN(RS_STORE_DATA_IMM, RCS, 8, 4, 4, ALLOW, .flags = GVIRT_CMD_PPGTT),
	MIN(LOAD_URB_MEM, RCS, 8, 4, 4, ALLOW, .flags = GVIRT_CMD_PPGTT),
	MIN(STORE_URB_MEM, RCS, 8, 4, 4, ALLOW, .flags = GVIRT_CMD_PPGTT),
	MIN(COPY_MEM_MEM, ALL, 8, 5, 5, AUDIT(copy_mem_mem)),
	MIN(ATOMIC, ALL, 8, 3, 11, AUDIT(atomic)),
	MIN(BATCH_BUFFER_START, ALL, 8, 3, 3, AUDIT(batch_start), .role = GVIRT_ROLE_START),
	MIN(CONDITIONAL_BATCH_BUFFER_END, ALL, 8, 4, 4, AUDIT(conditional_end),
	    .role = GVIRT_ROLE_COND_END),
};

const struct gvirt_cmd_set gvirt_cmds_gen9_mi = {
	.rows = mi,
	.count = ARRAY_SIZE(mi),
	.mask = GEN9_MI_OPCODE_MASK,
};

/* Surfaces of all of them are in the PPGTT. At most 257 dwords, with data in it. */
#define BLT(cmd, shortest, longest) \
	{ .value = GEN9_##cmd, .mask = GEN9_2D_OPCODE_MASK, .min = (shortest), \
	  .max = (longest), .length_mask = GEN9_CMD_LENGTH_8, .engines = BCS, \
	  .policy = GVIRT_CMD_ALLOW, .role = GVIRT_ROLE_LONG, .flags = GVIRT_CMD_PPGTT, \
	  .name = #cmd }

static const struct gvirt_cmd blt[] = {
	BLT(XY_SETUP_BLT, 10, 10),
	BLT(XY_SETUP_CLIP_BLT, 3, 3),
	BLT(XY_SETUP_MONO_PATTERN_SL_BLT, 10, 10),
	BLT(XY_PIXEL_BLT, 2, 2),
	BLT(XY_SCANLINES_BLT, 3, 3),
	BLT(XY_TEXT_BLT, 5, 5),
	BLT(XY_TEXT_IMMEDIATE_BLT, 4, 257),
	BLT(COLOR_BLT, 6, 6),
	BLT(XY_FAST_COPY_BLT, 10, 10),
	BLT(SRC_COPY_BLT, 8, 8),
	BLT(XY_COLOR_BLT, 7, 7),
	BLT(XY_PAT_BLT, 8, 8),
	BLT(XY_MONO_PAT_BLT, 10, 10),
	BLT(XY_SRC_COPY_BLT, 10, 10),
	BLT(XY_MONO_SRC_COPY_BLT, 10, 10),
	BLT(XY_FULL_BLT, 12, 12),
	BLT(XY_FULL_MONO_SRC_BLT, 12, 12),
	BLT(XY_FULL_MONO_PATTERN_BLT, 14, 14),
	BLT(XY_FULL_MONO_PATTERN_MONO_SRC_BLT, 14, 14),
	BLT(XY_MONO_PAT_FIXED_BLT, 8, 8),
	BLT(XY_MONO_SRC_COPY_IMMEDIATE_BLT, 9, 257),
	BLT(XY_PAT_BLT_IMMEDIATE, 7, 257),
	BLT(XY_SRC_COPY_CHROMA_BLT, 12, 12),
	BLT(XY_FULL_IMMEDIATE_PATTERN_BLT, 11, 257),
	BLT(XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT, 11, 257),
	BLT(XY_PAT_CHROMA_BLT, 10, 10),
	BLT(XY_PAT_CHROMA_BLT_IMMEDIATE, 9, 257),
};

const struct gvirt_cmd_set gvirt_cmds_gen9_blt = {
	.rows = blt,
	.count = ARRAY_SIZE(blt),
	.mask = GEN9_2D_OPCODE_MASK,
};

const struct gvirt_cmd_table gvirt_cmds_gen9 = {
	.mi = &gvirt_cmds_gen9_mi,
	.blt = &gvirt_cmds_gen9_blt,
	.gfx = &gvirt_cmds_gen9_gfx,
};
