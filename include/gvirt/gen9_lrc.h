/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9 logical ring contexts: descriptor, context image, execlist status and
 * context status buffer (CSB).
 *
 * The image of a context starts with its status page; the page after it is
 * the register state: MI_LOAD_REGISTER_IMM commands that a restore carries
 * out and a save writes anew, closed by MI_BATCH_BUFFER_END.
 *
 * Sources: Linux i915, gt/intel_lrc.c and gt/intel_lrc_reg.h (descriptor, offsets in
 * the image), gt/intel_execlists_submission.c (events), gt/intel_engine.h (places
 * in the status page), gt/intel_engine_regs.h (power state), i915_perf.c (OA
 * registers in the image) and gvt/execlist.h (bit fields of the status
 * registers).
 */
#ifndef GVIRT_GEN9_LRC_H
#define GVIRT_GEN9_LRC_H

#include <linux/bits.h>
#include <linux/types.h>

/* Context descriptor, lower dword; the upper one is the context's id. */
#define GEN9_CTX_DESC_VALID		BIT(0)
#define GEN9_CTX_DESC_FORCE_PD_RESTORE	BIT(1)
#define GEN9_CTX_DESC_FORCE_RESTORE	BIT(2)
#define GEN9_CTX_DESC_ADDRESSING_SHIFT	3
#define GEN9_CTX_DESC_ADDRESSING_MASK	GENMASK(4, 3)
#define   GEN9_CTX_ADDRESSING_ADVANCED	0
#define   GEN9_CTX_ADDRESSING_32B	1	/* 3 levels, four page directories */
#define   GEN9_CTX_ADDRESSING_ADVANCED_AD 2
#define   GEN9_CTX_ADDRESSING_48B	3	/* 4 levels */
#define GEN9_CTX_DESC_L3LLC_COHERENT	BIT(5)
#define GEN9_CTX_DESC_FAULT_MASK	GENMASK(7, 6)
#define GEN9_CTX_DESC_PRIVILEGE		BIT(8)	/* the context has a PPGTT */
/* A priority on later chips, which i915 sets here as well: Gen9 ignores it. */
#define GEN9_CTX_DESC_IGNORED		GENMASK(10, 9)
#define GEN9_CTX_DESC_RESERVED		BIT(11)
#define GEN9_CTX_DESC_LRCA_MASK		GENMASK(31, 12)

/* EXECLIST_STATUS, lower dword; the upper one is the running context's id. */
#define GEN9_EL_STATUS_CURRENT_LIST	BIT(0)
#define GEN9_EL_STATUS_WRITE_LIST	BIT(1)
#define GEN9_EL_STATUS_QUEUE_FULL	BIT(2)
#define GEN9_EL_STATUS_LIST1_VALID	BIT(3)
#define GEN9_EL_STATUS_LIST0_VALID	BIT(4)
#define GEN9_EL_STATUS_REASON_SHIFT	5
#define GEN9_EL_STATUS_REASON_MASK	GENMASK(13, 5)
#define GEN9_EL_STATUS_ELEMENT_SHIFT	14
#define GEN9_EL_STATUS_ELEMENT_MASK	GENMASK(15, 14)	/* 0 none, 1 first, 2 second */
#define GEN9_EL_STATUS_ARBITRATION	BIT(16)
#define GEN9_EL_STATUS_LIST1_ACTIVE	BIT(17)
#define GEN9_EL_STATUS_LIST0_ACTIVE	BIT(18)

/* CSB entry, lower dword; the upper one is the id of the context that left. */
#define GEN9_CSB_IDLE_TO_ACTIVE		BIT(0)
#define GEN9_CSB_PREEMPTED		BIT(1)
#define GEN9_CSB_ELEMENT_SWITCH		BIT(2)
#define GEN9_CSB_ACTIVE_TO_IDLE		BIT(3)
#define GEN9_CSB_COMPLETE		BIT(4)
#define GEN9_CSB_WAIT_FLIP		BIT(5)		/* it left since it would have to wait */
#define GEN9_CSB_WAIT_VBLANK		BIT(6)
#define GEN9_CSB_WAIT_SEMAPHORE		BIT(7)
#define GEN9_CSB_WAIT_SCAN_LINE		BIT(8)
#define GEN9_CSB_SEMAPHORE_POLL		BIT(11)		/* with GEN9_CSB_WAIT_SEMAPHORE */
#define GEN9_CSB_LITE_RESTORE		BIT(15)

#define GEN9_CSB_ENTRIES		6
/* RING_CONTEXT_STATUS_PTR: the last entry written, and the last one read. */
#define GEN9_CSB_PTR_WRITE_MASK		GENMASK(2, 0)
#define GEN9_CSB_PTR_READ_SHIFT		8
#define GEN9_CSB_PTR_READ_MASK		GENMASK(10, 8)
#define GEN9_CSB_PTR_RESET		(GEN9_CSB_ENTRIES - 1)

/* Places in the engine's status page, in dwords. */
#define GEN9_HWSP_CSB_DW		0x10
#define GEN9_HWSP_CSB_WRITE_DW		0x1f

/* Context image: bytes, and where the register state is. */
#define GEN9_CTX_RCS_SIZE		(22 * 4096)
#define GEN9_CTX_XCS_SIZE		(2 * 4096)
#define GEN9_CTX_REGS_OFFSET		4096
#define GEN9_CTX_REGS_DWORDS		1024

/*
 * Register state, in dwords: the MI_LOAD_REGISTER_IMM headers. A register's
 * offset is in the dword that is named here, its value in the next one.
 */
#define GEN9_CTX_RING_LRI		0x01
#define GEN9_CTX_CONTEXT_CONTROL	0x02
#define GEN9_CTX_RING_HEAD		0x04
#define GEN9_CTX_RING_TAIL		0x06
#define GEN9_CTX_RING_START		0x08
#define GEN9_CTX_RING_CTL		0x0a
#define GEN9_CTX_BB_ADDR_UDW		0x0c
#define GEN9_CTX_BB_ADDR		0x0e
#define GEN9_CTX_BB_STATE		0x10
#define GEN9_CTX_SBB_ADDR_UDW		0x12
#define GEN9_CTX_SBB_ADDR		0x14
#define GEN9_CTX_SBB_STATE		0x16
#define GEN9_CTX_BB_PER_CTX_PTR		0x18
#define GEN9_CTX_INDIRECT_CTX		0x1a
#define GEN9_CTX_INDIRECT_CTX_OFFSET	0x1c
#define GEN9_CTX_PPGTT_LRI		0x21
#define GEN9_CTX_TIMESTAMP		0x22
#define GEN9_CTX_PDP_UDW(n)		(0x30 - (n) * 4)
#define GEN9_CTX_PDP_LDW(n)		(0x32 - (n) * 4)
/* What RESTORE_INHIBIT and SAVE_INHIBIT leave out starts here. */
#define GEN9_CTX_ENGINE_LRI		0x41
#define GEN9_CTX_R_PWR_CLK_STATE	0x42	/* render engine */
#define GEN9_CTX_STATE_LRI		0x51
#define GEN9_CTX_MI_MODE		0x54
#define GEN9_CTX_BB_OFFSET		0x64
#define GEN9_CTX_CS_GPR0		0x68
#define GEN9_CTX_XCS_END		0xaa
/* Render engine only, where i915_perf.c expects them. */
#define GEN9_CTX_OACTXCONTROL		0x128
#define GEN9_CTX_EU_PERF_CNTL0		0x3de

/* RING_BB_PER_CTX_PTR and RING_INDIRECT_CTX. */
#define GEN9_BB_PER_CTX_VALID		BIT(0)
#define GEN9_BB_PER_CTX_ADDR_MASK	GENMASK(31, 12)
#define GEN9_INDIRECT_CTX_LINES_MASK	GENMASK(5, 0)	/* length in 64-byte lines */
#define GEN9_INDIRECT_CTX_ADDR_MASK	GENMASK(31, 6)
#define GEN9_INDIRECT_CTX_OFFSET_MASK	GENMASK(15, 6)

/* Registers that each header of the register state loads. */
#define GEN9_CTX_RING_LRI_COUNT		14
/* Older i915, execlists_init_reg_state(): no workaround buffers but on the render engine. */
#define GEN9_CTX_RING_LRI_COUNT_SHORT	11
#define GEN9_CTX_PPGTT_LRI_COUNT	9
#define GEN9_CTX_ENGINE_LRI_COUNT	1
#define GEN9_CTX_STATE_LRI_COUNT	44

/* R_PWR_CLK_STATE: slices, subslices and execution units that a context asks for. */
#define GEN9_RPCS_EU_MIN_MASK		GENMASK(3, 0)
#define GEN9_RPCS_EU_MAX_MASK		GENMASK(7, 4)
#define GEN9_RPCS_SUBSLICES_MASK	GENMASK(10, 8)
#define GEN9_RPCS_SUBSLICES_ENABLE	BIT(11)
#define GEN9_RPCS_SLICES_MASK		GENMASK(17, 15)
#define GEN9_RPCS_SLICES_ENABLE		BIT(18)
#define GEN9_RPCS_ENABLE		BIT(31)

#endif
