// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of Gen9 in the engines' windows, by offset.
 *
 * What commands may write, and why it is harmless. Nothing else of an engine is
 * open to commands: rings, page directories, modes, interrupts and what
 * reports the engine's state are set by gvirt alone, whatever a ring says.
 *
 *  - Registers that the chip saves with the context and that its own list of User
 *    Mode Non-Privileged Registers opens to every batch: statistics, indirect draws,
 *    predicates, GPRs, OACTXCONTROL, INSTPM. They are scratch memory of the context.
 *  - CS_CHICKEN1, the same by i915's whitelist: how fine preemption is.
 *  - CTX_PREEMPT, by i915's whitelist as well, not in the context: switched.
 *  - NOPID and MI_PREDICATE_RESULT_2: on the chip's list, not in the context: switched.
 *  - FF_SLICE_CHICKEN and 3D_CHICKEN3: one bit each, which i915's indirect context
 *    batch sets at each restore; switched, and all other bits are read only.
 *
 * MI_MODE (stops the ring), BB_OFFSET (moves the start of a later, privileged
 * batch), EXCC, the watchdog (PR_CTR) and CS_DEBUG_MODE2 are in the context but not
 * for commands: stock drivers' rings do not write them. What a guest put into its
 * image is checked there.
 *
 * Sources: those of gen9_engine.h and gen9_render.h; Linux i915, gt/intel_lrc.c
 * (indirect context batch; layout of the image), gt/intel_workarounds.c,
 * gt/intel_rc6.c, gt/intel_gpu_error.c and gt/intel_reset.c (what is read and
 * written over MMIO), gvt/handlers.c (bits that a guest must not set).
 */
#include <linux/array_size.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_render.h>
#include "regs_gen9.h"

#define LOW			0x0000ffffu	/* the bits that a masked register has */
#define RING_RAM(mask, f)	REG_RAM((f) | ENGINE), .engines = (mask)
#define RING_TRAP(id, mask, f)	REG_TRAP(id, (f) | ENGINE), .engines = (mask)
#define RING_DENY(mask, f)	REG_DENY((f) | ENGINE), .engines = (mask)
/* What the streamer reports: saved for the vGPU when it leaves the engine. */
#define RING_STATE(f)		RING_TRAP(ENGINE_STATE, ALL, (f) | SAVED), .ro = ~0u

static const struct gvirt_reg rows[] = {
	/* Ring buffer. */
	{ REG_AT(GEN9_RCS_PGTBL_ER), RING_RAM(RCS, 0), .w1c = ~0u, .name = "PGTBL_ER" },
	{ REG_AT(GEN9_RING_EXCC), RING_RAM(ALL, CONTEXT | MASKED), .name = "EXCC" },
	{ REG_AT(GEN9_RING_TAIL), RING_TRAP(RING, ALL, CONTEXT | SAVED),
	  .ro = (u32)~GEN9_RING_TAIL_MASK, .name = "RING_BUFFER_TAIL" },
	/* The wrap count is above the offset. */
	{ REG_AT(GEN9_RING_HEAD), RING_TRAP(RING, ALL, CONTEXT | SAVED), .ro = GENMASK(1, 0),
	  .name = "RING_BUFFER_HEAD" },
	{ REG_AT(GEN9_RING_START), RING_TRAP(RING, ALL, CONTEXT | SAVED | GGTT),
	  .ro = GENMASK(11, 0), .name = "RING_BUFFER_START" },
	{ REG_AT(GEN9_RING_CTL), RING_TRAP(RING, ALL, CONTEXT | SAVED),
	  .ro = (u32)~(GEN9_RING_CTL_PAGES_MASK | GEN9_RING_CTL_VALID), .name = "RING_BUFFER_CTL" },
	/* The guest's wishes for idle messages and power: the host has its own. */
	{ REG_AT(GEN9_RING_PSMI_CTL), RING_RAM(ALL, MASKED), .name = "PSMI_CTL" },
	{ REG_AT(GEN9_RING_MAX_IDLE), RING_RAM(ALL, 0), .name = "PWRCTX_MAXCNT" },

	/* What the streamer is doing. */
	{ REG_AT(GEN9_RING_ACTHD_UDW), RING_STATE(0), .name = "ACTHD_UDW" },
	{ REG_AT(GEN9_RING_DMA_FADD_UDW), RING_STATE(0), .name = "DMA_FADD_UDW" },
	{ REG_AT(GEN9_RING_IPEIR), RING_STATE(0), .name = "IPEIR" },
	{ REG_AT(GEN9_RING_IPEHR), RING_STATE(CONTEXT), .name = "IPEHR" },
	{ REG_AT(GEN9_RING_INSTDONE), RING_STATE(0), .reset = ~0u, .name = "INSTDONE" },
	{ REG_AT(GEN9_RING_INSTPS), RING_STATE(0), .name = "INSTPS" },
	{ REG_AT(GEN9_RING_ACTHD), RING_STATE(0), .name = "ACTHD" },
	{ REG_AT(GEN9_RING_DMA_FADD), RING_STATE(0), .name = "DMA_FADD" },
	{ REG_AT(GEN9_RING_HWS_PGA), RING_TRAP(HWS_PGA, ALL, SAVED | GGTT), .ro = GENMASK(11, 0),
	  .name = "HWS_PGA" },
	{ REG_AT(GEN9_RCS_FF_SLICE_CHICKEN), RING_RAM(RCS, COMMAND | SWITCH | MASKED),
	  .ro = LOW & ~GEN9_FF_SLICE_CL_PROVOKING_VERTEX_FIX, .name = "FF_SLICE_CHICKEN" },
	{ REG_AT(GEN9_RCS_3D_CHICKEN3), RING_RAM(RCS, COMMAND | SWITCH | MASKED),
	  .ro = LOW & ~GEN9_3D_SF_PROVOKING_VERTEX_FIX, .name = "3D_CHICKEN3" },
	{ REG_AT(GEN9_RING_NOPID), RING_RAM(ALL, COMMAND | SWITCH), .name = "NOPID" },
	/* Which events the engine writes into the status page: the guest's is gvirt's work. */
	{ REG_AT(GEN9_RING_HWSTAM), RING_RAM(ALL, 0), .reset = ~0u, .name = "HWSTAM" },
	{ REG_AT(GEN9_RING_MI_MODE), RING_TRAP(MI_MODE, ALL, CONTEXT | SAVED | MASKED),
	  .ro = GEN9_MI_MODE_IDLE, .reset = GEN9_MI_MODE_IDLE, .name = "MI_MODE" },
	{ REG_AT(GEN9_RCS_FF_THREAD_MODE), RING_RAM(RCS, 0), .name = "FF_THREAD_MODE" },
	{ REG_AT(GEN9_RING_IMR), RING_TRAP(RING_IMR, ALL, SAVED), .reset = ~0u, .name = "IMR" },
	{ REG_AT(GEN9_RING_EIR), RING_RAM(ALL, 0), .w1c = ~0u, .name = "EIR" },
	{ REG_AT(GEN9_RING_EMR), RING_RAM(ALL, 0), .reset = ~0u, .name = "EMR" },
	{ REG_AT(GEN9_RING_ESR), RING_RAM(ALL, 0), .ro = ~0u, .name = "ESR" },
	/* Bit 8 is a counter of the chip's. */
	{ REG_AT(GEN9_RING_INSTPM), RING_RAM(RCS, CONTEXT | COMMAND | MASKED), .ro = BIT(8),
	  .name = "INSTPM" },
	{ REG_AT(GEN9_RING_INSTPM), RING_RAM(XCS, CONTEXT | MASKED), .name = "INSTPM (media)" },
	{ REG_AT(GEN9_RING_R_PWR_CLK_STATE), RING_RAM(RCS, CONTEXT), .name = "R_PWR_CLK_STATE" },
	{ REG_AT(GEN9_RING_RESET_CTL), RING_TRAP(RESET_CTL, ALL, SAVED | MASKED),
	  .ro = LOW & ~GEN9_RESET_CTL_REQUEST, .name = "RESET_CTL" },
	/* Holds how the CSB is written (bits 3 and 4): the chip's stays the host's. */
	{ REG_AT(GEN9_RING_CSFE_CHICKEN1), RING_RAM(ALL, MASKED), .name = "CSFE_CHICKEN1" },
	{ REG_AT(GEN9_RCS_CS_DEBUG_MODE2), RING_RAM(RCS, CONTEXT | MASKED),
	  .name = "CS_DEBUG_MODE2" },
	{ REG_AT(GEN9_RCS_FF_SLICE_CS_CHICKEN1), RING_RAM(RCS, MASKED),
	  .name = "FF_SLICE_CS_CHICKEN1" },
	{ REG_AT(GEN9_RCS_FF_SLICE_CS_CHICKEN2), RING_RAM(RCS, MASKED),
	  .name = "FF_SLICE_CS_CHICKEN2" },
	{ REG_AT(GEN9_RCS_CS_DEBUG_MODE1), RING_RAM(RCS, MASKED), .name = "CS_DEBUG_MODE1" },

	/* Batch buffers. */
	{ REG_AT(GEN9_RING_BB_STATE), RING_STATE(CONTEXT), .name = "BB_STATE" },
	{ REG_AT(GEN9_RING_SBB_ADDR), RING_STATE(CONTEXT), .name = "SBB_ADDR" },
	{ REG_AT(GEN9_RING_SBB_STATE), RING_STATE(CONTEXT), .name = "SBB_STATE" },
	{ REG_AT(GEN9_RING_SBB_ADDR_UDW), RING_STATE(CONTEXT), .name = "SBB_ADDR_UDW" },
	{ REG_AT(GEN9_RING_BB_ADDR), RING_STATE(CONTEXT), .name = "BB_ADDR" },
	{ REG_AT(GEN9_RING_BB_START_ADDR), RING_STATE(CONTEXT), .name = "BB_START_ADDR" },
	{ REG_AT(GEN9_RING_BB_ADDR_DIFF), RING_STATE(CONTEXT), .name = "BB_ADDR_DIFF" },
	{ REG_AT(GEN9_RING_BB_OFFSET), RING_RAM(ALL, CONTEXT | READABLE), .name = "BB_OFFSET" },
	{ REG_AT(GEN9_RING_BB_ADDR_UDW), RING_STATE(CONTEXT), .name = "BB_ADDR_UDW" },
	{ REG_AT(GEN9_RING_BB_START_ADDR_UDW), RING_STATE(CONTEXT), .name = "BB_START_ADDR_UDW" },
	{ REG_RANGE(GEN9_RING_PR_CTR_CTL, GEN9_RING_PR_CTR_THRSH), RING_RAM(ALL, CONTEXT),
	  .name = "PR_CTR" },
	{ REG_AT(GEN9_RING_CCID), RING_STATE(GGTT), .name = "CCID" },
	{ REG_RANGE(GEN9_RING_BB_PER_CTX_PTR, GEN9_RING_INDIRECT_CTX),
	  RING_RAM(ALL, CONTEXT | GGTT), .name = "BB_PER_CTX_PTR, INDIRECT_CTX" },
	{ REG_AT(GEN9_RING_INDIRECT_CTX_OFFSET), RING_RAM(ALL, CONTEXT),
	  .name = "INDIRECT_CTX_OFFSET" },
	{ REG_AT(GEN9_RING_ECOSKPD), RING_RAM(ALL, MASKED), .name = "ECOSKPD" },

	/* Execlists. */
	{ REG_AT(GEN9_BCS_SWCTRL), RING_RAM(BCS, CONTEXT | COMMAND | MASKED),
	  .ro = LOW & ~(GEN9_SWCTRL_SRC_Y | GEN9_SWCTRL_DST_Y), .name = "BCS_SWCTRL" },
	/* The layout of the media engines' images has a place for it. */
	{ REG_AT(GEN9_BCS_SWCTRL), RING_RAM(VCS | VECS, CONTEXT), .ro = ~0u,
	  .name = "SWCTRL (media)" },
	/* Page directories without execlists: would walk tables that nobody shadows. */
	{ REG_AT(GEN9_RING_PP_DIR_DCLV), RING_DENY(ALL, 0), .name = "PP_DIR_DCLV" },
	{ REG_AT(GEN9_RING_PP_DIR_BASE), RING_DENY(ALL, 0), .name = "PP_DIR_BASE" },
	{ REG_AT(GEN9_RING_ELSP), RING_TRAP(ELSP, ALL, 0), .name = "EXECLIST_SUBMITPORT" },
	{ REG_RANGE(GEN9_RING_EXECLIST_STATUS_LO, GEN9_RING_EXECLIST_STATUS_HI),
	  RING_TRAP(EXECLIST_STATUS, ALL, SAVED), .ro = ~0u, .name = "EXECLIST_STATUS" },
	{ REG_AT(GEN9_RING_CONTEXT_CONTROL), RING_RAM(ALL, CONTEXT | MASKED),
	  .name = "CTX_SR_CTL" },
	{ REG_AT(GEN9_RCS_CTX_PREEMPT), RING_RAM(RCS, COMMAND | SWITCH), .name = "CTX_PREEMPT" },
	{ REG_AT(GEN9_RING_SEMA_WAIT_POLL), RING_RAM(ALL, 0), .name = "SEMA_WAIT_POLL" },
	/*
	 * The guest's own; the chip's hold the shadow's addresses, which are the
	 * host's, so commands cannot even read them.
	 */
	{ REG_RANGE(GEN9_RING_PDP_LDW(0), GEN9_RING_PDP_UDW(3)), RING_RAM(ALL, CONTEXT),
	  .name = "PDP" },
	{ REG_RANGE(GEN9_RCS_THREADS_DISPATCHED, GEN9_RCS_THREADS_DISPATCHED + 4),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "GPGPU_THREADS_DISPATCHED" },
	/* Address spaces, fault mode, interrupt steering: bits that decide who is confined. */
	{ REG_AT(GEN9_RING_GFX_MODE), RING_TRAP(GFX_MODE, ALL, SAVED | MASKED),
	  .name = "GFX_MODE" },

	/* Statistics and time. */
	{ REG_RANGE(GEN9_RCS_PS_INVOCATIONS_0, GEN9_RCS_PS_INVOCATIONS_0 + 4),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "PS_INVOCATION_COUNT_SLICE0" },
	{ REG_RANGE(GEN9_RCS_PS_DEPTH_COUNT_0, GEN9_RCS_PS_DEPTH_COUNT_0 + 4),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "PS_DEPTH_COUNT_SLICE0" },
	{ REG_RANGE(GEN9_RCS_PS_INVOCATIONS_1, GEN9_RCS_PS_INVOCATIONS_1 + 4),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "PS_INVOCATION_COUNT_SLICE1" },
	{ REG_RANGE(GEN9_RCS_PS_DEPTH_COUNT_1, GEN9_RCS_PS_DEPTH_COUNT_1 + 4),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "PS_DEPTH_COUNT_SLICE1" },
	{ REG_RANGE(GEN9_RCS_STATISTICS_FIRST, GEN9_RCS_STATISTICS_LAST),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "HS, DS, IA, VS, GS, CL counts" },
	{ REG_RANGE(GEN9_RCS_PS_INVOCATIONS, GEN9_RCS_PS_INVOCATIONS + 4),
	  RING_RAM(RCS, CONTEXT | READABLE), .name = "PS_INVOCATION_COUNT" },
	{ REG_RANGE(GEN9_RCS_PS_DEPTH_COUNT, GEN9_RCS_PS_DEPTH_COUNT + 4),
	  RING_RAM(RCS, CONTEXT | READABLE), .name = "PS_DEPTH_COUNT" },
	{ REG_AT(GEN9_RING_TIMESTAMP), RING_TRAP(TIMESTAMP, ALL, CONTEXT | READABLE), .ro = ~0u,
	  .name = "TIMESTAMP" },
	{ REG_AT(GEN9_RING_TIMESTAMP_UDW), RING_TRAP(TIMESTAMP, ALL, READABLE), .ro = ~0u,
	  .name = "TIMESTAMP_UDW" },
	{ REG_RANGE(GEN9_RCS_OACTXCONTROL, GEN9_RCS_OACTXID), RING_RAM(RCS, CONTEXT | COMMAND),
	  .name = "OACTXCONTROL, OACTXID" },

	/* Context status buffer. */
	{ REG_RANGE(GEN9_RING_CSB_BUF(0), GEN9_RING_CSB_BUF(GEN9_CSB_ENTRIES) - 4),
	  RING_TRAP(CSB, ALL, SAVED), .ro = ~0u, .name = "CONTEXT_STATUS_BUF" },
	{ REG_AT(GEN9_RING_CONTEXT_STATUS_PTR), RING_TRAP(CSB_PTR, ALL, SAVED | MASKED),
	  .ro = LOW & ~(GEN9_CSB_PTR_READ_MASK | GEN9_CSB_PTR_WRITE_MASK),
	  .reset = GEN9_CSB_PTR_RESET | GEN9_CSB_PTR_RESET << GEN9_CSB_PTR_READ_SHIFT,
	  .name = "CONTEXT_STATUS_PTR" },
	{ REG_AT(GEN9_RING_CTX_TIMESTAMP), RING_STATE(CONTEXT | READABLE),
	  .name = "CTX_TIMESTAMP" },

	/* Predicates, indirect draws, general purpose registers. */
	{ REG_AT(GEN9_MI_PREDICATE_RESULT_2), RING_RAM(RCS, COMMAND | SWITCH),
	  .name = "MI_PREDICATE_RESULT_2" },
	{ REG_RANGE(GEN9_MI_PREDICATE_SRC0, GEN9_MI_PREDICATE_RESULT),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "MI_PREDICATE" },
	{ REG_AT(GEN9_MI_PREDICATE_RESULT_1), RING_RAM(RCS, CONTEXT | COMMAND),
	  .name = "MI_PREDICATE_RESULT_1" },
	{ REG_AT(GEN9_MI_PREDICATE_RESULT_1), RING_RAM(XCS, CONTEXT),
	  .name = "MI_PREDICATE_RESULT_1 (media)" },
	{ REG_AT(GEN9_RCS_3DPRIM_END_OFFSET), RING_RAM(RCS, CONTEXT | COMMAND),
	  .name = "3DPRIM_END_OFFSET" },
	{ REG_RANGE(GEN9_RCS_3DPRIM_START_VERTEX, GEN9_RCS_3DPRIM_BASE_VERTEX),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "3DPRIM_START_VERTEX to BASE_VERTEX" },
	{ REG_RANGE(GEN9_RCS_PS_INVOCATIONS_2, GEN9_RCS_PS_INVOCATIONS_2 + 4),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "PS_INVOCATION_COUNT_SLICE2" },
	{ REG_RANGE(GEN9_RCS_PS_DEPTH_COUNT_2, GEN9_RCS_PS_DEPTH_COUNT_2 + 4),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "PS_DEPTH_COUNT_SLICE2" },
	{ REG_RANGE(GEN9_RING_FORCE_TO_NONPRIV(0),
		    GEN9_RING_FORCE_TO_NONPRIV(GEN9_FORCE_TO_NONPRIV_SLOTS - 1)),
	  RING_TRAP(FORCE_TO_NONPRIV, ALL, SAVED), .name = "FORCE_TO_NONPRIV" },
	{ REG_RANGE(GEN9_RCS_DISPATCHDIM_X, GEN9_RCS_DISPATCHDIM_Z),
	  RING_RAM(RCS, CONTEXT | COMMAND), .name = "GPGPU_DISPATCHDIM" },
	{ REG_AT(GEN9_RCS_CS_CHICKEN1), RING_RAM(RCS, CONTEXT | COMMAND | MASKED),
	  .name = "CS_CHICKEN1" },
	{ REG_RANGE(GEN9_RING_CS_GPR(0), GEN9_RING_CS_GPR(GEN9_CS_GPR_COUNT) - 4),
	  RING_RAM(ALL, CONTEXT | COMMAND), .name = "CS_GPR" },

	/*
	 * Observation architecture. One unit counts what all of the GT does and writes
	 * reports into one buffer, so it shows each vGPU what the others do. The chip lets
	 * any batch write OACONTROL: it is put back when the engine changes hands.
	 */
	{ REG_RANGE(GEN9_RCS_OA_TRIGGER_FIRST, GEN9_RCS_OA_TRIGGER_LAST), RING_DENY(RCS, 0),
	  .name = "OA triggers" },
	/* On the chip's list of user registers, not in the context. */
	{ REG_RANGE(GEN9_VCS_MFC_STATUS_FIRST, GEN9_VCS_MFC_STATUS_LAST),
	  RING_RAM(VCS, READABLE | SWITCH), .name = "MFC status" },
	{ REG_AT(GEN9_RCS_OACONTROL), RING_DENY(RCS, SWITCH), .name = "OACONTROL" },
	{ REG_RANGE(GEN9_RCS_OA_DEBUG, GEN9_RCS_OABUFFER), RING_DENY(RCS, 0),
	  .name = "OA_DEBUG to OABUFFER" },
};

const struct gvirt_reg_rows gvirt_regs_gen9_engine = { rows, ARRAY_SIZE(rows) };
