/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9 render registers: mode and chicken bits, pipeline statistics, indirect
 * draws, stream output, L3, observation architecture (OA).
 *
 * "Context" in a comment: the chip saves the register with the context.
 * "User": a non-privileged batch may write it (User Mode Non-Privileged
 * Registers).
 *
 * Sources: Linux i915, gt/intel_gt_regs.h, gt/intel_engine_regs.h,
 * gt/intel_workarounds.c (what drivers change, and the whitelist), i915_perf_oa_regs.h and
 * gvt/mmio_context.c (what the context holds, what it does not); IGT,
 * tests/i915/gem_ctx_isolation.c (user registers, and which are in the context).
 */
#ifndef GVIRT_GEN9_RENDER_H
#define GVIRT_GEN9_RENDER_H

#include <linux/bits.h>

/* In the render engine's window, relative to its base. */
#define GEN9_RCS_PGTBL_ER		0x024
#define GEN9_RCS_FF_SLICE_CHICKEN	0x088		/* masked */
#define   GEN9_FF_SLICE_CL_PROVOKING_VERTEX_FIX BIT(1)
#define GEN9_RCS_3D_CHICKEN3		0x090		/* masked */
#define   GEN9_3D_SF_PROVOKING_VERTEX_FIX BIT(12)
#define GEN9_RCS_FF_THREAD_MODE		0x0a0
#define GEN9_RCS_CS_DEBUG_MODE2		0x0d8		/* masked; context */
#define GEN9_RCS_FF_SLICE_CS_CHICKEN1	0x0e0		/* masked */
#define GEN9_RCS_FF_SLICE_CS_CHICKEN2	0x0e4		/* masked */
#define GEN9_RCS_CS_DEBUG_MODE1		0x0ec		/* masked */
#define GEN9_RCS_CTX_PREEMPT		0x248		/* user by the whitelist */
#define GEN9_RCS_THREADS_DISPATCHED	0x290		/* 64 bits; context, user */
#define GEN9_RCS_PS_INVOCATIONS_0	0x2c8		/* 64 bits each; context, user */
#define GEN9_RCS_PS_DEPTH_COUNT_0	0x2d8
#define GEN9_RCS_PS_INVOCATIONS_1	0x2f0
#define GEN9_RCS_PS_DEPTH_COUNT_1	0x2f8
#define GEN9_RCS_STATISTICS_FIRST	0x300		/* HS, DS, IA, VS, GS, CL; context, user */
#define GEN9_RCS_STATISTICS_LAST	0x344
#define GEN9_RCS_PS_INVOCATIONS		0x348		/* sum of all slices, read only for users */
#define GEN9_RCS_OACTXCONTROL		0x360		/* context, user */
#define GEN9_RCS_OACTXID		0x364		/* context, user */
#define GEN9_RCS_3DPRIM_END_OFFSET	0x420		/* context, user */
#define GEN9_RCS_3DPRIM_START_VERTEX	0x430		/* five registers; context, user */
#define GEN9_RCS_3DPRIM_BASE_VERTEX	0x440
#define GEN9_RCS_PS_INVOCATIONS_2	0x448		/* 64 bits; context, user */
#define GEN9_RCS_PS_DEPTH_COUNT_2	0x450		/* 64 bits; context, user */
#define GEN9_RCS_DISPATCHDIM_X		0x500		/* three registers; context, user */
#define GEN9_RCS_DISPATCHDIM_Z		0x508
#define GEN9_RCS_CS_CHICKEN1		0x580		/* masked; context, user by the whitelist */
#define GEN9_RCS_OA_TRIGGER_FIRST	0x710		/* start, report and counter conditions */
#define GEN9_RCS_OA_TRIGGER_LAST	0x7ac
#define GEN9_RCS_OACONTROL		0xb00		/* user */
#define GEN9_RCS_OA_DEBUG		0xb04
#define GEN9_RCS_OABUFFER		0xb14

/* In the video engine's window: what the last decode or encode reported; user. */
#define GEN9_VCS_MFC_STATUS_FIRST	0x800
#define GEN9_VCS_MFC_STATUS_LAST	0x8fc

/* Absolute from here on. */

/* Tiled resources (TR-TT): translation tables that a context names; context. */
#define GEN9_TRTT_FIRST			0x04de0
#define GEN9_TRTT_LAST			0x04dfc

/* Stream output; context, user. */
#define GEN9_SO_NUM_PRIMS_WRITTEN(n)	(0x05200 + (n) * 8)
#define GEN9_SO_PRIM_STORAGE_NEEDED(n)	(0x05240 + (n) * 8)
#define GEN9_SO_WRITE_OFFSET(n)		(0x05280 + (n) * 4)
#define GEN9_SO_STREAMS			4

/* Fixed functions and slices; all masked but L3CNTLREG. */
#define GEN9_WM_CHICKEN3		0x05588
#define GEN9_CACHE_MODE_0		0x07000		/* context, user */
#define GEN9_CACHE_MODE_1		0x07004		/* context, user */
#define GEN9_GT_MODE			0x07008		/* context, user */
#define GEN9_COMMON_SLICE_CHICKEN1	0x07010		/* context */
#define GEN9_COMMON_SLICE_CHICKEN2	0x07014		/* context, user by the whitelist */
#define GEN9_HIZ_CHICKEN		0x07018
#define GEN9_L3CNTLREG			0x07034		/* context, user */
#define GEN9_SC_INSTDONE		0x07100
#define GEN9_HDC_CHICKEN0		0x07300		/* context */
#define GEN9_HDC_CHICKEN1		0x07304		/* context, user by the whitelist */
#define GEN9_SLICE_ECO_CHICKEN1		0x0731c
#define GEN9_VF_GUARDBAND		0x083a4		/* context */

/* Subslices and EUs. */
#define GEN9_HALF_SLICE_CHICKEN1	0x0e100		/* masked; context */
#define GEN9_SAMPLER_INSTDONE		0x0e160
#define GEN9_ROW_INSTDONE		0x0e164
#define GEN9_HALF_SLICE_CHICKEN2	0x0e180		/* masked; context */
#define GEN9_HALF_SLICE_CHICKEN3	0x0e184		/* masked; context */
#define GEN9_HALF_SLICE_CHICKEN5	0x0e188		/* masked; context */
#define GEN9_HALF_SLICE_CHICKEN7	0x0e194		/* masked; context */
#define GEN9_TD_CTL			0x0e400		/* thread debugging; context, user */
#define GEN9_TD_CTL2			0x0e404
#define GEN9_EU_PERF_CNTL0		0x0e458		/* pairs 0x100 apart; context */
#define GEN9_EU_PERF_CNTL1		0x0e558
#define GEN9_EU_PERF_CNTL2		0x0e658
#define GEN9_EU_PERF_CNTL3		0x0e758
#define GEN9_EU_PERF_CNTL4		0x0e45c
#define GEN9_EU_PERF_CNTL5		0x0e55c
#define GEN9_EU_PERF_CNTL6		0x0e65c
#define GEN9_ROW_CHICKEN		0x0e4f0		/* masked; context */
#define GEN9_ROW_CHICKEN2		0x0e4f4		/* masked */

/* L3 and what stands before it. */
#define GEN9_GARBCNTL			0x0b004
#define GEN9_SCRATCH_LNCF1		0x0b008
#define GEN9_SCRATCH1			0x0b11c

/* Counters that the OA unit reports, and its network; users may write PERF_CNT. */
#define GEN9_PERF_CNT_1			0x091b8		/* 64 bits */
#define GEN9_PERF_CNT_2			0x091c0		/* 64 bits */
#define GEN9_NOA_FIRST			0x09800
#define GEN9_NOA_LAST			0x098fc

#endif
