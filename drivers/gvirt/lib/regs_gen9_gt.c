// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of Gen9's GT outside the engines' windows, by offset.
 *
 * Modes, workarounds and power settings are the host's: a guest writes them into
 * its own memory and reads back what it wrote. Open to commands, of the render
 * engine only, is what the chip saves with the context and
 *
 *  - lists as a User Mode Non-Privileged Register: stream output, CACHE_MODE_0 and 1,
 *    GT_MODE, L3CNTLREG;
 *  - or i915's context workarounds or its whitelist change: COMMON_SLICE_CHICKEN2,
 *    HDC_CHICKEN, HALF_SLICE_CHICKEN, ROW_CHICKEN. They say how 3D work is done, and a
 *    bad value hangs the context that set it;
 *  - or selects events of the context's own counters: EU_PERF_CNTL.
 *
 * L3SQCREG4 is the exception: not in the context, but i915's indirect context
 * batch flushes the L3 through it (read, changed, loaded back from memory), and its
 * whitelist opens it to every batch. It is switched.
 *
 * TD_CTL is the chip's user register too, but it redirects threads to a debugger:
 * saved with the context, not for commands. Tiled resources (TR-TT) may
 * name tables by physical address: denied, in images as well.
 *
 * Memory object control (MOCS) chooses caches, never addresses; drivers differ in
 * what index means what, so the tables are switched.
 *
 * Sources: those of gen9_gt.h, gen9_render.h, gen9_reset.h, gen9_fault.h and
 * gen9_fence.h; Linux i915, gt/intel_workarounds.c, gt/intel_mocs.c, gt/intel_rc6.c,
 * gt/intel_rps.c, gt/intel_sseu.c, gt/intel_gtt.c (what is written, and why),
 * gvt/handlers.c and gvt/mmio_context.c (what is dangerous, what is switched).
 */
#include <linux/array_size.h>
#include <gvirt/gen9_fault.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_render.h>
#include <gvirt/gen9_reset.h>
#include "regs_gen9.h"

/* In the render engine's context, open to its commands. */
#define RENDER(f)		REG_RAM(CONTEXT | COMMAND | (f)), .engines = RCS
/* In the render engine's context. */
#define RENDER_STATE(f)		REG_RAM(CONTEXT | (f)), .engines = RCS
#define MOCS(mask)		REG_RAM(SWITCH), .engines = (mask)
#define MOCS_LAST		(GEN9_MOCS_COUNT - 1)

static const struct gvirt_reg rows[] = {
	/* Clocks, RC6 context, forcewake. */
	{ REG_AT(GEN9_RPM_CONFIG0), REG_HW_READ, .name = "RPM_CONFIG0" },
	{ REG_AT(GEN9_RC6_LOCATION), REG_CONSTANT(GEN9_RC6_CTX_IN_DRAM), .name = "RC6_LOCATION" },
	{ REG_AT(GEN9_RC6_CTX_BASE), REG_DENY(0), .name = "RC6_CTX_BASE" },
	{ REG_RANGE(GEN9_FORCEWAKE_ACK_RENDER, GEN9_FORCEWAKE_ACK_MEDIA),
	  REG_TRAP(FORCEWAKE, SAVED), .ro = ~0u, .name = "FORCEWAKE_ACK_RENDER, MEDIA" },
	/* Steers the host's reads of slices: the guest's has no effect. */
	{ REG_AT(GEN9_MCR_SELECTOR), REG_RAM(0), .name = "MCR_SELECTOR" },

	/* Memory arbitration and translation. */
	{ REG_AT(GEN9_GTT_CACHE_EN), REG_RAM(0), .name = "GTT_CACHE_EN" },
	{ REG_AT(GEN9_ARB_MODE), REG_RAM(MASKED), .name = "ARB_MODE" },
	{ REG_AT(GEN9_GAMW_ECO_DEV_RW_IA), REG_RAM(0), .name = "GAMW_ECO_DEV_RW_IA" },
	{ REG_AT(GEN9_GAM_ECOCHK), REG_RAM(0), .name = "GAM_ECOCHK" },
	{ REG_AT(GEN9_RING_FAULT), REG_TRAP(FAULT, SAVED), .name = "RING_FAULT" },
	{ REG_AT(GEN9_GAM_ERROR), REG_CONSTANT(0), .name = "GAM_ERROR" },
	{ REG_AT(GEN9_GAM_DONE), REG_CONSTANT(0), .name = "GAM_DONE" },
	/* What a guest's PTEs select is the host's table, which is i915's. */
	{ REG_RANGE(GEN9_PRIVATE_PAT_LO, GEN9_PRIVATE_PAT_HI), REG_RAM(0), .name = "PRIVATE_PAT" },
	{ REG_RANGE(GEN9_TLB_RENDER, GEN9_TLB_GUC), REG_TRAP(TLB_INVALIDATE, 0),
	  .name = "TLB_INVALIDATE" },
	{ REG_AT(GEN9_GAMT_ECO_REG_RW_IA), REG_RAM(0), .name = "GAMT_ECO_REG_RW_IA" },
	{ REG_AT(GEN9_GAMT_CHKN), REG_RAM(0), .name = "GAMT_CHKN" },
	{ REG_RANGE(GEN9_FAULT_TLB_DATA0, GEN9_FAULT_TLB_DATA1), REG_TRAP(FAULT, SAVED),
	  .ro = ~0u, .name = "FAULT_TLB_DATA" },
	{ REG_AT(GEN9_L3_LRA_1_GPGPU), REG_RAM(0), .name = "L3_LRA_1_GPGPU" },
	{ REG_AT(GEN9_MMCD_MISC_CTRL), REG_RAM(0), .name = "MMCD_MISC_CTRL" },
	{ REG_RANGE(GEN9_TRTT_FIRST, GEN9_TRTT_LAST), REG_DENY(CONTEXT), .engines = RCS,
	  .name = "TR-TT" },

	/* Render: fixed functions and slices. */
	{ REG_RANGE(GEN9_SO_NUM_PRIMS_WRITTEN(0), GEN9_SO_NUM_PRIMS_WRITTEN(GEN9_SO_STREAMS) - 4),
	  RENDER(0), .name = "SO_NUM_PRIMS_WRITTEN" },
	{ REG_RANGE(GEN9_SO_PRIM_STORAGE_NEEDED(0),
		    GEN9_SO_PRIM_STORAGE_NEEDED(GEN9_SO_STREAMS) - 4),
	  RENDER(0), .name = "SO_PRIM_STORAGE_NEEDED" },
	{ REG_RANGE(GEN9_SO_WRITE_OFFSET(0), GEN9_SO_WRITE_OFFSET(GEN9_SO_STREAMS - 1)),
	  RENDER(0), .ro = GENMASK(1, 0), .name = "SO_WRITE_OFFSET" },
	{ REG_AT(GEN9_WM_CHICKEN3), REG_RAM(MASKED), .name = "WM_CHICKEN3" },
	{ REG_RANGE(GEN9_CACHE_MODE_0, GEN9_CACHE_MODE_1), RENDER(MASKED), .name = "CACHE_MODE" },
	{ REG_AT(GEN9_GT_MODE), RENDER(MASKED), .name = "GT_MODE" },
	{ REG_AT(GEN9_COMMON_SLICE_CHICKEN1), RENDER_STATE(MASKED),
	  .name = "COMMON_SLICE_CHICKEN1" },
	{ REG_AT(GEN9_COMMON_SLICE_CHICKEN2), RENDER(MASKED), .name = "COMMON_SLICE_CHICKEN2" },
	{ REG_AT(GEN9_HIZ_CHICKEN), REG_RAM(MASKED), .name = "HIZ_CHICKEN" },
	{ REG_AT(GEN9_L3CNTLREG), RENDER(0), .name = "L3CNTLREG" },
	{ REG_AT(GEN9_SC_INSTDONE), REG_CONSTANT(~0u), .name = "SC_INSTDONE" },
	{ REG_RANGE(GEN9_HDC_CHICKEN0, GEN9_HDC_CHICKEN1), RENDER(MASKED), .name = "HDC_CHICKEN" },
	{ REG_AT(GEN9_SLICE_ECO_CHICKEN1), REG_RAM(MASKED), .name = "SLICE_COMMON_ECO_CHICKEN1" },

	/* Power gates, fuses, clock gates, reset. */
	{ REG_RANGE(GEN9_SLICE_PGCTL_ACK(0), GEN9_SLICE_PGCTL_ACK(2)), REG_HW_READ,
	  .name = "SLICE_PGCTL_ACK" },
	{ REG_RANGE(GEN9_SS01_EU_PGCTL_ACK(0), GEN9_SS23_EU_PGCTL_ACK(2)), REG_HW_READ,
	  .name = "EU_PGCTL_ACK" },
	{ REG_AT(GEN9_VF_GUARDBAND), RENDER_STATE(MASKED), .name = "VF_GUARDBAND" },
	/* Not zero: the context survived. */
	{ REG_AT(GEN9_RC6_CTX_INFO), REG_CONSTANT(1), .name = "RC6_CTX_INFO" },
	{ REG_AT(GEN9_FBC_LLC_READ_CTRL), REG_RAM(0), .name = "FBC_LLC_READ_CTRL" },
	{ REG_AT(GEN9_MBCTL), REG_RAM(0), .name = "MBCTL" },
	{ REG_AT(GEN9_FUSE2), REG_HW_READ, .name = "FUSE2" },
	{ REG_RANGE(GEN9_EU_DISABLE(0), GEN9_EU_DISABLE(2)), REG_HW_READ, .name = "EU_DISABLE" },
	/* The chip lets any batch of the render engine write them. */
	{ REG_RANGE(GEN9_PERF_CNT_1, GEN9_PERF_CNT_2 + 4), REG_DENY(SWITCH), .engines = RCS,
	  .name = "PERF_CNT" },
	{ REG_RANGE(GEN9_UCGCTL1, GEN9_RCGCTL1), REG_RAM(0), .name = "UCGCTL1 to RCGCTL1" },
	{ REG_AT(GEN9_GDRST), REG_TRAP(GDRST, 0), .name = "GDRST" },
	{ REG_AT(GEN9_MISCCPCTL), REG_RAM(0), .name = "MISCCPCTL" },
	{ REG_AT(GEN9_UCGCTL6), REG_RAM(0), .name = "UCGCTL6" },
	/* Routes what the OA unit counts: see regs_gen9_engine.c. */
	{ REG_RANGE(GEN9_NOA_FIRST, GEN9_NOA_LAST), REG_DENY(0), .name = "NOA" },

	/* Frequency and RC6. */
	{ REG_AT(GEN9_RPNSWREQ), REG_TRAP(RPS, SAVED), .name = "RPNSWREQ" },
	{ REG_RANGE(GEN9_RC_VIDEO_FREQ, GEN9_RP_INTERRUPT_LIMITS), REG_RAM(0),
	  .name = "RC_VIDEO_FREQ to RP_INTERRUPT_LIMITS" },
	{ REG_AT(GEN9_RPSTAT1), REG_TRAP(RPSTAT, 0), .ro = ~0u, .name = "RPSTAT1" },
	{ REG_RANGE(GEN9_RP_CONTROL, GEN9_RP_DOWN_THRESHOLD), REG_RAM(0),
	  .name = "RP_CONTROL to DOWN_THRESHOLD" },
	/* How busy the whole GT is. */
	{ REG_RANGE(GEN9_RP_CUR_UP_EI, GEN9_RP_UP_EI - 4), REG_CONSTANT(0),
	  .name = "RP_CUR_UP_EI to PREV_DOWN" },
	{ REG_RANGE(GEN9_RP_UP_EI, GEN9_RP_IDLE_HYSTERESIS), REG_RAM(0),
	  .name = "RP_UP_EI to IDLE_HYSTERESIS" },
	{ REG_RANGE(GEN9_RC_CONTROL, GEN9_RC_STATE), REG_TRAP(RC6, SAVED), .name = "RC_CONTROL" },
	{ REG_RANGE(GEN9_RC1_WAKE_RATE_LIMIT, GEN9_RENDER_PG_IDLE_HYSTERESIS), REG_RAM(0),
	  .name = "RC limits, thresholds and hystereses" },
	{ REG_AT(GEN9_PMINTRMSK), REG_RAM(0), .name = "PMINTRMSK" },
	{ REG_AT(GEN9_FORCEWAKE_GT), REG_TRAP(FORCEWAKE, SAVED | MASKED), .name = "FORCEWAKE_GT" },
	{ REG_AT(GEN9_PG_ENABLE), REG_RAM(0), .name = "PG_ENABLE" },
	{ REG_AT(GEN9_PUSHBUS_CONTROL), REG_RAM(0), .name = "PUSHBUS_CONTROL" },
	{ REG_AT(GEN9_CTC_MODE), REG_HW_READ, .name = "CTC_MODE" },
	{ REG_AT(GEN9_FORCEWAKE_MEDIA), REG_TRAP(FORCEWAKE, SAVED | MASKED),
	  .name = "FORCEWAKE_MEDIA" },
	{ REG_AT(GEN9_FORCEWAKE_RENDER), REG_TRAP(FORCEWAKE, SAVED | MASKED),
	  .name = "FORCEWAKE_RENDER" },
	{ REG_AT(GEN9_PWRGT_DOMAIN_STATUS),
	  REG_CONSTANT(GEN9_PWRGT_MEDIA_AWAKE | GEN9_PWRGT_RENDER_AWAKE),
	  .name = "PWRGT_DOMAIN_STATUS" },

	/* L3. */
	{ REG_AT(GEN9_GARBCNTL), REG_RAM(0), .name = "GARBCNTL" },
	{ REG_AT(GEN9_SCRATCH_LNCF1), REG_RAM(0), .name = "SCRATCH_LNCF1" },
	{ REG_RANGE(GEN9_LNCFCMOCS(0), GEN9_LNCFCMOCS(GEN9_LNCFCMOCS_COUNT - 1)), MOCS(RCS),
	  .name = "LNCFCMOCS" },
	{ REG_AT(GEN9_L3SQCREG1), REG_RAM(0), .name = "L3SQCREG1" },
	{ REG_AT(GEN9_L3SQCREG4), REG_RAM(COMMAND | SWITCH), .engines = RCS,
	  .name = "L3SQCREG4" },
	{ REG_AT(GEN9_SCRATCH1), REG_RAM(0), .name = "SCRATCH1" },

	/* GuC: runs firmware that sees all contexts. A guest's is for ever in reset. */
	{ REG_AT(GEN9_GUC_STATUS), REG_CONSTANT(GEN9_GUC_MIA_IN_RESET), .name = "GUC_STATUS" },
	{ REG_RANGE(GEN9_GUC_STATUS + 4, GEN9_GUC_MAX_IDLE_COUNT - 4), REG_DENY(0),
	  .name = "GuC" },
	/* i915 sets it with RC6, GuC or not. */
	{ REG_AT(GEN9_GUC_MAX_IDLE_COUNT), REG_RAM(0), .name = "GUC_MAX_IDLE_COUNT" },
	{ REG_RANGE(GEN9_GUC_MAX_IDLE_COUNT + 4, GEN9_GUC_LAST), REG_DENY(0),
	  .name = "GuC (upper part)" },

	/* Memory object control. */
	{ REG_RANGE(GEN9_GFX_MOCS(0), GEN9_GFX_MOCS(MOCS_LAST)), MOCS(RCS), .name = "GFX_MOCS" },
	{ REG_RANGE(GEN9_MFX0_MOCS(0), GEN9_MFX0_MOCS(MOCS_LAST)), MOCS(VCS), .name = "MFX0_MOCS" },
	/* Of a second video engine. */
	{ REG_RANGE(GEN9_MFX1_MOCS(0), GEN9_MFX1_MOCS(MOCS_LAST)), REG_RAM(0),
	  .name = "MFX1_MOCS" },
	{ REG_RANGE(GEN9_VEBOX_MOCS(0), GEN9_VEBOX_MOCS(MOCS_LAST)), MOCS(VECS),
	  .name = "VEBOX_MOCS" },
	{ REG_RANGE(GEN9_BLT_MOCS(0), GEN9_BLT_MOCS(MOCS_LAST)), MOCS(BCS), .name = "BLT_MOCS" },

	/* Render: subslices and EUs. */
	{ REG_AT(GEN9_HALF_SLICE_CHICKEN1), RENDER(MASKED), .name = "HALF_SLICE_CHICKEN1" },
	{ REG_RANGE(GEN9_SAMPLER_INSTDONE, GEN9_ROW_INSTDONE), REG_CONSTANT(~0u),
	  .name = "SAMPLER_INSTDONE, ROW_INSTDONE" },
	{ REG_RANGE(GEN9_HALF_SLICE_CHICKEN2, GEN9_HALF_SLICE_CHICKEN5), RENDER(MASKED),
	  .name = "HALF_SLICE_CHICKEN2, 3, 5" },
	{ REG_AT(GEN9_HALF_SLICE_CHICKEN7), RENDER(MASKED), .name = "HALF_SLICE_CHICKEN7" },
	{ REG_RANGE(GEN9_TD_CTL, GEN9_TD_CTL2), RENDER_STATE(0), .name = "TD_CTL" },
	{ REG_AT(GEN9_EU_PERF_CNTL0), RENDER(0), .name = "EU_PERF_CNTL0" },
	{ REG_AT(GEN9_EU_PERF_CNTL4), RENDER(0), .name = "EU_PERF_CNTL4" },
	{ REG_AT(GEN9_ROW_CHICKEN), RENDER(MASKED), .name = "ROW_CHICKEN" },
	{ REG_AT(GEN9_ROW_CHICKEN2), REG_RAM(MASKED), .name = "ROW_CHICKEN2" },
	{ REG_AT(GEN9_EU_PERF_CNTL1), RENDER(0), .name = "EU_PERF_CNTL1" },
	{ REG_AT(GEN9_EU_PERF_CNTL5), RENDER(0), .name = "EU_PERF_CNTL5" },
	{ REG_AT(GEN9_EU_PERF_CNTL2), RENDER(0), .name = "EU_PERF_CNTL2" },
	{ REG_AT(GEN9_EU_PERF_CNTL6), RENDER(0), .name = "EU_PERF_CNTL6" },
	{ REG_AT(GEN9_EU_PERF_CNTL3), RENDER(0), .name = "EU_PERF_CNTL3" },

	/* Interrupts: the master, and the GT's banks. */
	{ REG_AT(GEN9_TIMESTAMP_OVERRIDE), REG_HW_READ, .name = "TIMESTAMP_OVERRIDE" },
	{ REG_AT(GEN9_MASTER_IRQ), REG_TRAP(IRQ_MASTER, SAVED), .ro = ~(u32)GEN9_MASTER_IRQ_ENABLE,
	  .name = "MASTER_INTERRUPT" },
	{ REG_AT(GEN9_GT_IRQ(0) + GEN9_IRQ_ISR), REG_ISR, .name = "GT_INTERRUPT 0 ISR" },
	{ REG_AT(GEN9_GT_IRQ(0) + GEN9_IRQ_IMR), REG_IMR, .name = "GT_INTERRUPT 0 IMR" },
	{ REG_AT(GEN9_GT_IRQ(0) + GEN9_IRQ_IIR), REG_IIR, .name = "GT_INTERRUPT 0 IIR" },
	{ REG_AT(GEN9_GT_IRQ(0) + GEN9_IRQ_IER), REG_IER, .name = "GT_INTERRUPT 0 IER" },
	{ REG_AT(GEN9_GT_IRQ(1) + GEN9_IRQ_ISR), REG_ISR, .name = "GT_INTERRUPT 1 ISR" },
	{ REG_AT(GEN9_GT_IRQ(1) + GEN9_IRQ_IMR), REG_IMR, .name = "GT_INTERRUPT 1 IMR" },
	{ REG_AT(GEN9_GT_IRQ(1) + GEN9_IRQ_IIR), REG_IIR, .name = "GT_INTERRUPT 1 IIR" },
	{ REG_AT(GEN9_GT_IRQ(1) + GEN9_IRQ_IER), REG_IER, .name = "GT_INTERRUPT 1 IER" },
	{ REG_AT(GEN9_GT_IRQ(2) + GEN9_IRQ_ISR), REG_ISR, .name = "GT_INTERRUPT 2 ISR" },
	{ REG_AT(GEN9_GT_IRQ(2) + GEN9_IRQ_IMR), REG_IMR, .name = "GT_INTERRUPT 2 IMR" },
	{ REG_AT(GEN9_GT_IRQ(2) + GEN9_IRQ_IIR), REG_IIR, .name = "GT_INTERRUPT 2 IIR" },
	{ REG_AT(GEN9_GT_IRQ(2) + GEN9_IRQ_IER), REG_IER, .name = "GT_INTERRUPT 2 IER" },
	{ REG_AT(GEN9_GT_IRQ(3) + GEN9_IRQ_ISR), REG_ISR, .name = "GT_INTERRUPT 3 ISR" },
	{ REG_AT(GEN9_GT_IRQ(3) + GEN9_IRQ_IMR), REG_IMR, .name = "GT_INTERRUPT 3 IMR" },
	{ REG_AT(GEN9_GT_IRQ(3) + GEN9_IRQ_IIR), REG_IIR, .name = "GT_INTERRUPT 3 IIR" },
	{ REG_AT(GEN9_GT_IRQ(3) + GEN9_IRQ_IER), REG_IER, .name = "GT_INTERRUPT 3 IER" },

	/* No register of the chip: what gvirt tells drivers that ask. */
	{ REG_RANGE(GEN9_PVINFO_FIRST, GEN9_PVINFO_LAST), REG_TRAP(PVINFO, SAVED),
	  .name = "PVINFO" },

	/* Aperture, GGTT, memory, power status, mailbox, memory controller. */
	{ REG_RANGE(GEN9_FENCE_LO(0), GEN9_FENCE_HI(GEN9_FENCE_COUNT - 1)),
	  REG_TRAP(FENCE, SAVED), .name = "FENCE" },
	{ REG_AT(GEN9_GFX_FLSH_CNTL), REG_TRAP(GGTT_FLUSH, 0), .name = "GFX_FLSH_CNTL" },
	{ REG_AT(GEN9_STOLEN_RESERVED), REG_CONSTANT(0), .name = "STOLEN_RESERVED" },
	/* Its caching is not the guest's to plan with. */
	{ REG_AT(GEN9_EDRAM_CAP), REG_CONSTANT(0), .name = "EDRAM_CAP" },
	{ REG_AT(GEN9_FORCEWAKE_ACK_GT), REG_TRAP(FORCEWAKE, SAVED), .ro = ~0u,
	  .name = "FORCEWAKE_ACK_GT" },
	/* Zero: awake, not in RC6. */
	{ REG_RANGE(GEN9_GT_THREAD_STATUS, GEN9_GT_CORE_STATUS), REG_CONSTANT(0),
	  .name = "GT_THREAD_STATUS, GT_CORE_STATUS" },
	{ REG_RANGE(GEN9_GFX_RC6_LOCKED, GEN9_GFX_RC6PP), REG_TRAP(RC6_RESIDENCY, 0), .ro = ~0u,
	  .name = "RC6 residency" },
	{ REG_AT(GEN9_PCODE_MAILBOX), REG_TRAP(PCODE, SAVED), .name = "PCODE_MAILBOX" },
	{ REG_RANGE(GEN9_PCODE_DATA0, GEN9_PCODE_DATA1), REG_RAM(0), .name = "PCODE_DATA" },
	{ REG_AT(GEN9_MCHBAR_CHANNELS), REG_HW_READ, .name = "MAD_INTER_CHANNEL" },
	{ REG_RANGE(GEN9_MCHBAR_DIMM_CH0, GEN9_MCHBAR_DIMM_CH1), REG_HW_READ,
	  .name = "MAD_DIMM" },
	/* Follows what all vGPUs together do. */
	{ REG_AT(GEN9_GT_PERF_STATUS), REG_CONSTANT(0), .name = "GT_PERF_STATUS" },
	{ REG_AT(GEN9_RP_STATE_CAP), REG_HW_READ, .name = "RP_STATE_CAP" },
	{ REG_AT(GEN9_MCHBAR_BIOS_DATA), REG_HW_READ, .name = "MC_BIOS_DATA" },
};

const struct gvirt_reg_rows gvirt_regs_gen9_gt = { rows, ARRAY_SIZE(rows) };
