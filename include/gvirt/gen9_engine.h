/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9 engines: their register windows and the registers that every window has.
 *
 * Each command streamer has a 4 KiB window of registers; an offset below is
 * relative to the window's base unless it says otherwise.
 *
 * Sources: Linux i915, gt/intel_engine_regs.h (registers), i915_reg.h (bases) and
 * gvt/execlist.c (execlist status); IGT, lib/intel_reg.h (bits of the error
 * registers). Also in PRM Skylake, volume 2c, by the name of the register.
 */
#ifndef GVIRT_GEN9_ENGINE_H
#define GVIRT_GEN9_ENGINE_H

#include <linux/bits.h>
#include <linux/types.h>

/* Bases of the windows. */
#define GEN9_RCS_BASE			0x02000
#define GEN9_VCS_BASE			0x12000
#define GEN9_VECS_BASE			0x1a000
#define GEN9_BCS_BASE			0x22000
#define GEN9_ENGINE_WINDOW_SIZE		0x1000

/* Ring buffer. */
#define GEN9_RING_TAIL			0x030
#define   GEN9_RING_TAIL_MASK		0x001ffff8
#define GEN9_RING_HEAD			0x034
#define   GEN9_RING_HEAD_MASK		0x001ffffc
#define   GEN9_RING_HEAD_WRAP_ONE	0x00200000
#define GEN9_RING_START			0x038
#define GEN9_RING_CTL			0x03c
#define   GEN9_RING_CTL_VALID		BIT(0)
#define   GEN9_RING_CTL_PAGES_MASK	0x001ff000	/* (size - 4096) in bytes */
#define   GEN9_RING_CTL_WAIT		BIT(11)
#define   GEN9_RING_CTL_WAIT_SEMAPHORE	BIT(10)

/* What the streamer is doing. */
#define GEN9_RING_EXCC			0x028
#define GEN9_RING_PSMI_CTL		0x050		/* masked */
#define GEN9_RING_MAX_IDLE		0x054
#define GEN9_RING_ACTHD_UDW		0x05c
#define GEN9_RING_DMA_FADD_UDW		0x060
#define GEN9_RING_IPEIR			0x064
#define   GEN9_IPEIR_BATCH		BIT(3)		/* the bad command stood in a batch */
#define GEN9_RING_IPEHR			0x068
#define GEN9_RING_INSTDONE		0x06c
#define   GEN9_INSTDONE_RING		BIT(0)		/* clear: commands are left */
#define GEN9_RING_INSTPS		0x070
#define GEN9_RING_ACTHD			0x074
#define GEN9_RING_DMA_FADD		0x078
#define GEN9_RING_HWS_PGA		0x080
#define GEN9_RING_NOPID			0x094
#define GEN9_RING_HWSTAM		0x098
#define GEN9_RING_MI_MODE		0x09c		/* masked */
#define   GEN9_MI_MODE_PREDICATE_MASK	GENMASK(3, 0)	/* set by MI_SET_PREDICATE */
#define   GEN9_MI_MODE_STOP_RING	BIT(8)
#define   GEN9_MI_MODE_IDLE		BIT(9)
#define GEN9_RING_IMR			0x0a8
#define GEN9_RING_EIR			0x0b0
#define GEN9_RING_EMR			0x0b4
#define GEN9_RING_ESR			0x0b8
#define   GEN9_ERROR_INSTRUCTION	BIT(0)		/* of EIR, EMR and ESR */
#define   GEN9_ERROR_PRIVILEGE		BIT(2)		/* refused in a non-privileged batch */
#define GEN9_RING_INSTPM		0x0c0		/* masked */
#define GEN9_RING_R_PWR_CLK_STATE	0x0c8		/* render engine only */
#define GEN9_RING_RESET_CTL		0x0d0		/* masked */
#define   GEN9_RESET_CTL_REQUEST	BIT(0)
#define   GEN9_RESET_CTL_READY		BIT(1)
#define GEN9_RING_CSFE_CHICKEN1		0x0d4		/* masked */

/* Batch buffers. */
#define GEN9_RING_BB_STATE		0x110
#define   GEN9_BB_STATE_PPGTT		BIT(5)
#define GEN9_RING_SBB_ADDR		0x114
#define   GEN9_BB_ADDR_VALID		BIT(0)
#define GEN9_RING_SBB_STATE		0x118
#define GEN9_RING_SBB_ADDR_UDW		0x11c
#define GEN9_RING_BB_ADDR		0x140
#define GEN9_RING_BB_START_ADDR		0x150
#define GEN9_RING_BB_ADDR_DIFF		0x154
#define GEN9_RING_BB_OFFSET		0x158
#define GEN9_RING_BB_ADDR_UDW		0x168
#define GEN9_RING_BB_START_ADDR_UDW	0x170
#define GEN9_RING_PR_CTR_CTL		0x178		/* watchdog */
#define GEN9_RING_PR_CTR_THRSH		0x17c
#define GEN9_RING_CCID			0x180
#define GEN9_RING_BB_PER_CTX_PTR	0x1c0
#define GEN9_RING_INDIRECT_CTX		0x1c4
#define GEN9_RING_INDIRECT_CTX_OFFSET	0x1c8
#define GEN9_RING_ECOSKPD		0x1d0		/* masked */

/* Execlists. */
#define GEN9_BCS_SWCTRL			0x200		/* blitter only; masked */
#define   GEN9_SWCTRL_SRC_Y		BIT(0)
#define   GEN9_SWCTRL_DST_Y		BIT(1)
#define GEN9_RING_PP_DIR_DCLV		0x220		/* page directory without execlists */
#define GEN9_RING_PP_DIR_BASE		0x228
#define GEN9_RING_ELSP			0x230
#define GEN9_RING_EXECLIST_STATUS_LO	0x234
#define GEN9_RING_EXECLIST_STATUS_HI	0x238
#define GEN9_RING_CONTEXT_CONTROL	0x244		/* masked */
#define   GEN9_CTX_CTRL_RESTORE_INHIBIT	BIT(0)
#define   GEN9_CTX_CTRL_RS_ENABLE	BIT(1)
#define   GEN9_CTX_CTRL_SAVE_INHIBIT	BIT(2)
#define   GEN9_CTX_CTRL_INHIBIT_SYN_SWITCH BIT(3)
#define GEN9_RING_SEMA_WAIT_POLL	0x24c
#define GEN9_RING_PDP_LDW(n)		(0x270 + (n) * 8)
#define GEN9_RING_PDP_UDW(n)		(0x274 + (n) * 8)
#define GEN9_RING_GFX_MODE		0x29c		/* masked */
#define   GEN9_GFX_RUN_LIST_ENABLE	BIT(15)
#define   GEN9_GFX_PPGTT_ENABLE		BIT(9)
#define   GEN9_GFX_PPGTT_48B		BIT(7)
#define GEN9_RCS_PS_DEPTH_COUNT		0x350		/* 64 bits */
#define GEN9_RING_TIMESTAMP		0x358
#define GEN9_RING_TIMESTAMP_UDW		0x35c
#define GEN9_RING_CSB_BUF(n)		(0x370 + (n) * 8)
#define GEN9_RING_CONTEXT_STATUS_PTR	0x3a0		/* masked */
#define GEN9_RING_CTX_TIMESTAMP		0x3a8
#define GEN9_MI_PREDICATE_RESULT_2	0x3bc
#define GEN9_MI_PREDICATE_SRC0		0x400
#define GEN9_MI_PREDICATE_SRC1		0x408
#define GEN9_MI_PREDICATE_DATA		0x410
#define GEN9_MI_PREDICATE_RESULT	0x418
#define GEN9_MI_PREDICATE_RESULT_1	0x41c
#define GEN9_RING_FORCE_TO_NONPRIV(n)	(0x4d0 + (n) * 4)
#define   GEN9_FORCE_TO_NONPRIV_SLOTS	12
#define   GEN9_FORCE_TO_NONPRIV_MASK	0x03fffffc
/* Coffee Lake and later: how many registers, and which direction. */
#define   GEN9_FORCE_TO_NONPRIV_RANGE_MASK GENMASK(1, 0)
#define   GEN9_FORCE_TO_NONPRIV_ACCESS_MASK GENMASK(29, 28)
#define   GEN9_FORCE_TO_NONPRIV_DENY	BIT(30)
#define GEN9_RING_CS_GPR(n)		(0x600 + (n) * 8)
#define   GEN9_CS_GPR_COUNT		16

/**
 * gen9_masked_write() - What a masked register holds after a write
 * @old: its value before
 * @write: the value written; its upper half says which bits of the lower change
 *
 * Return: the new value; its upper half is that of @old.
 */
static inline u32 gen9_masked_write(u32 old, u32 write)
{
	u32 mask = write >> 16;

	return (old & ~mask) | (write & mask);
}

#endif
