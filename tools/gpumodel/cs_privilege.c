// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a non-privileged batch may not do.
 *
 * A batch in the PPGTT is non-privileged. The chip turns into a NOOP what such
 * a batch must not do and goes on with the next command; it reports that as a
 * privilege violation (so says Intel's media-driver of several of these commands,
 * agnostic/gen9/hw/mhw_mi_hwcmd_g9_X.h; also in PRM Skylake, volume 2a, MI_BATCH_BUFFER_START,
 * "User Mode Privileged Commands").
 *
 *   MI_UPDATE_GTT, MI_STORE_DATA_INDEX, MI_ARB_ON_OFF, MI_DISPLAY_FLIP,
 *   MI_SET_CONTEXT		NOOP
 *   MI_STORE_DATA_IMM, MI_LOAD_REGISTER_MEM, MI_REPORT_PERF_COUNT, MI_ATOMIC,
 *   MI_COPY_MEM_MEM, MI_SEMAPHORE_WAIT, MI_CLFLUSH, MI_CONDITIONAL_BATCH_BUFFER_END
 *				NOOP when they ask for the global GTT
 *   MI_STORE_REGISTER_MEM	the store is dropped when it asks for the global GTT
 *   MI_SEMAPHORE_WAIT		NOOP when it polls a register
 *   PIPE_CONTROL, MI_FLUSH_DW	flush, but no post-sync operation when that is by
 *				index or in the global GTT
 *   MI_LOAD_REGISTER_{IMM,MEM,REG}, PIPE_CONTROL with a register
 *				writes go to the registers below only
 *   MI_BATCH_BUFFER_START	what it starts is non-privileged as well
 *
 * The registers are the manual's "User Mode Non-Privileged Registers" of each
 * engine, as IGT writes them from user batches and expects to read them back
 * (tests/i915/gem_ctx_isolation.c; the blitter's also stand in i915_cmd_parser.c),
 * and those in the engine's FORCE_TO_NONPRIV slots.
 */
#include <linux/array_size.h>
#include "cs_internal.h"

/**
 * struct range - Registers that a non-privileged batch may write
 * @first: absolute offset
 * @count: registers
 */
struct range {
	u32 first;
	u32 count;
};

static const struct range render_registers[] = {
	{ 0x02094,  1 },	/* NOPID */
	{ 0x020c0,  1 },	/* INSTPM */
	{ 0x02158,  1 },	/* BB_OFFSET */
	{ 0x02290,  2 },	/* GPGPU_THREADS_DISPATCHED */
	{ 0x022c8,  2 },	/* PS_INVOCATION_COUNT_0 */
	{ 0x022d8,  2 },	/* PS_DEPTH_COUNT_0 */
	{ 0x022f0,  2 },	/* PS_INVOCATION_COUNT_1 */
	{ 0x022f8,  2 },	/* PS_DEPTH_COUNT_1 */
	{ 0x02300, 18 },	/* HS, DS, IA, VS, GS and CL counters */
	{ 0x02360,  2 },	/* OA_CTX_CONTROL, OACTXID */
	{ 0x023bc,  1 },	/* MI_PREDICATE_RESULT_2 */
	{ 0x02400,  8 },	/* MI_PREDICATE_SRC0, SRC1, DATA, RESULT, RESULT_1 */
	{ 0x02420,  1 },	/* 3DPRIM_END_OFFSET */
	{ 0x02430,  5 },	/* 3DPRIM_START_VERTEX to BASE_VERTEX */
	{ 0x02448,  4 },	/* PS_INVOCATION_COUNT_2, PS_DEPTH_COUNT_2 */
	{ 0x02500,  3 },	/* GPGPU_DISPATCHDIM{X,Y,Z} */
	{ 0x02600, 32 },	/* GPRs */
	{ 0x02b00,  1 },	/* OA_CONTROL */
	{ 0x05200,  8 },	/* SO_NUM_PRIMS_WRITTEN0 to 3 */
	{ 0x05240,  8 },	/* SO_PRIM_STORAGE_NEEDED0 to 3 */
	{ 0x05280,  4 },	/* SO_WRITE_OFFSET0 to 3 */
	{ 0x07000,  3 },	/* CACHE_MODE_0, CACHE_MODE_1, GT_MODE */
	{ 0x07034,  1 },	/* L3CNTLREG */
	{ 0x091b8,  4 },	/* PERF_CNT_1, PERF_CNT_2 */
	{ 0x0e400,  2 },	/* TD_CTL, TD_CTL2 */
};

static const struct range blitter_registers[] = {
	{ 0x22200,  1 },	/* BCS_SWCTRL */
	{ 0x22600, 32 },	/* GPRs */
};

static const struct range video_registers[] = {
	{ 0x12600, 32 },	/* GPRs */
	{ 0x12800, 64 },	/* MFC status */
};

static const struct range vebox_registers[] = {
	{ 0x1a600, 32 },	/* GPRs */
};

static const struct {
	const struct range *range;
	unsigned int count;
} tables[] = {
	[GM_RCS] = { render_registers, ARRAY_SIZE(render_registers) },
	[GM_BCS] = { blitter_registers, ARRAY_SIZE(blitter_registers) },
	[GM_VCS] = { video_registers, ARRAY_SIZE(video_registers) },
	[GM_VECS] = { vebox_registers, ARRAY_SIZE(vebox_registers) },
};

static bool is_forced_nonpriv(const struct gm_cs *cs, u32 offset)
{
	unsigned int i;

	for (i = 0; i < GEN9_FORCE_TO_NONPRIV_SLOTS; i++)
		if ((gm_cs_reg(cs, GEN9_RING_FORCE_TO_NONPRIV(i)) &
		     GEN9_FORCE_TO_NONPRIV_MASK) == offset)
			return true;
	return false;
}

static bool is_nonpriv(const struct gm_cs *cs, u32 offset)
{
	const struct range *range = tables[cs->engine].range;
	unsigned int i;

	for (i = 0; i < tables[cs->engine].count; i++)
		if (offset >= range[i].first && offset - range[i].first < 4 * range[i].count)
			return true;
	return is_forced_nonpriv(cs, offset);
}

bool gm_cs_refused(const struct gm_cs_op *op, bool asks)
{
	if (op->privileged || !asks)
		return false;
	gm_cs_error(op->cs, GEN9_ERROR_PRIVILEGE);
	return true;
}

bool gm_cs_may_write(const struct gm_cs_op *op, u32 offset)
{
	return op->privileged || !gm_cs_refused(op, !is_nonpriv(op->cs, offset));
}
