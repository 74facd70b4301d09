/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9 GT registers outside the engines' windows: forcewake, interrupts, power,
 * frequency, fuses, the pcode mailbox. All offsets are absolute in BAR0.
 *
 * Sources, of which the registers are also in PRM Skylake, volume 2c, by their
 * names: Linux i915, gt/intel_gt_regs.h, i915_reg.h, gt/intel_gt_clock_utils.c,
 * intel_uncore.c, gt/intel_rc6.c, gt/intel_rps.c, gt/intel_gtt.c (64K pages),
 * include/drm/intel/intel_pcode_regs.h and mchbar_regs.h.
 */
#ifndef GVIRT_GEN9_GT_H
#define GVIRT_GEN9_GT_H

#include <linux/bits.h>
#include <linux/types.h>

/*
 * Forcewake: one request (masked write) and one acknowledge register per well.
 * Each of the 16 bits is a requester of its own.
 */
#define GEN9_FORCEWAKE_RENDER		0x0a278
#define GEN9_FORCEWAKE_GT		0x0a188
#define GEN9_FORCEWAKE_MEDIA		0x0a270
#define GEN9_FORCEWAKE_ACK_RENDER	0x00d84
#define GEN9_FORCEWAKE_ACK_GT		0x130044
#define GEN9_FORCEWAKE_ACK_MEDIA	0x00d88
#define   GEN9_FORCEWAKE_KERNEL		BIT(0)
#define   GEN9_FORCEWAKE_USER		BIT(1)
#define   GEN9_FORCEWAKE_KERNEL_FALLBACK BIT(15)
#define GEN9_GT_THREAD_STATUS		0x13805c
#define   GEN9_GT_THREAD_CORE_MASK	0x7		/* non-zero: the core sleeps */
#define GEN9_GT_CORE_STATUS		0x138060
#define   GEN9_GT_CORE_RCN_MASK		0x7		/* render C-state: 0 on, 3 RC6 */
#define   GEN9_GT_CORE_RC6		0x3
#define GEN9_PWRGT_DOMAIN_STATUS	0x0a2a0
#define   GEN9_PWRGT_MEDIA_AWAKE	BIT(0)
#define   GEN9_PWRGT_RENDER_AWAKE	BIT(1)
#define GEN9_PM_UNIT_FIRST		0x0a000		/* RC6 and frequency control */
#define GEN9_PM_UNIT_LAST		0x0a0fc
#define GEN9_FORCEWAKE_LAST		0x3ffff		/* no register above needs a well */

/* Interrupts: four registers per bank. */
#define GEN9_MASTER_IRQ			0x44200
#define   GEN9_MASTER_IRQ_ENABLE	BIT(31)
#define   GEN9_MASTER_PCU		BIT(30)
#define   GEN9_MASTER_DE_PCH		BIT(23)
#define   GEN9_MASTER_DE_MISC		BIT(22)
#define   GEN9_MASTER_DE_PORT		BIT(20)
#define   GEN9_MASTER_DE_PIPE(n)	BIT(16 + (n))
#define   GEN9_MASTER_GT_VECS		BIT(6)
#define   GEN9_MASTER_GT_GUC		BIT(5)
#define   GEN9_MASTER_GT_PM		BIT(4)
#define   GEN9_MASTER_GT_VCS		BIT(2)
#define   GEN9_MASTER_GT_BCS		BIT(1)
#define   GEN9_MASTER_GT_RCS		BIT(0)
#define GEN9_GT_IRQ(n)			(0x44300 + (n) * 0x10)
#define GEN9_DE_PIPE_IRQ(n)		(0x44400 + (n) * 0x10)
#define GEN9_DE_PORT_IRQ		0x44440
#define GEN9_DE_MISC_IRQ		0x44460
#define GEN9_PCU_IRQ			0x444e0
#define GEN9_SDE_IRQ			0xc4000
#define   GEN9_IRQ_ISR			0x0
#define   GEN9_IRQ_IMR			0x4
#define   GEN9_IRQ_IIR			0x8
#define   GEN9_IRQ_IER			0xc
/* Each GT bank has two sources of 16 bits. */
#define GEN9_GT_IRQ_RCS_SHIFT		0		/* bank 0 */
#define GEN9_GT_IRQ_BCS_SHIFT		16		/* bank 0 */
#define GEN9_GT_IRQ_VCS_SHIFT		0		/* bank 1 */
#define GEN9_GT_IRQ_PM_MASK		0x0000ffffu	/* bank 2 */
#define GEN9_GT_IRQ_GUC_MASK		0xffff0000u	/* bank 2 */
#define GEN9_GT_IRQ_VECS_SHIFT		0		/* bank 3 */

/* GT frequency. A ratio counts 16.67 MHz, the capability register 50 MHz. */
#define GEN9_RPNSWREQ			0x0a008
#define GEN9_RC_VIDEO_FREQ		0x0a00c
#define GEN9_RP_DOWN_TIMEOUT		0x0a010
#define GEN9_RP_INTERRUPT_LIMITS	0x0a014
#define GEN9_RPSTAT1			0x0a01c
#define   GEN9_FREQUENCY_SHIFT		23
#define   GEN9_FREQUENCY_MASK		GENMASK(31, 23)
#define GEN9_RP_CONTROL			0x0a024
#define   GEN9_RP_ENABLE		BIT(7)
#define GEN9_RP_UP_THRESHOLD		0x0a02c
#define GEN9_RP_DOWN_THRESHOLD		0x0a030
#define GEN9_RP_CUR_UP_EI		0x0a050		/* 16 timestamp ticks each */
#define GEN9_RP_CUR_DOWN_EI		0x0a05c
#define GEN9_RP_UP_EI			0x0a068
#define GEN9_RP_DOWN_EI			0x0a06c
#define GEN9_RP_IDLE_HYSTERESIS		0x0a070
#define   GEN9_RP_EI_MASK		GENMASK(23, 0)
#define GEN9_PMINTRMSK			0x0a168
#define GEN9_RP_STATE_CAP		0x145998	/* in the MCHBAR mirror */
#define GEN9_GT_PERF_STATUS		0x145948
#define GEN9_FREQ_SCALER		3

/* RC6. */
#define GEN9_RC_CONTROL			0x0a090
#define   GEN9_RC_CTL_RC6_ENABLE	BIT(18)
#define   GEN9_RC_CTL_HW_ENABLE		BIT(31)
#define GEN9_RC_STATE			0x0a094
#define   GEN9_RC_SW_TARGET_SHIFT	16
#define   GEN9_RC_SW_TARGET_MASK	GENMASK(18, 16)
#define   GEN9_RC_SW_TARGET_RC6		4
#define GEN9_RC1_WAKE_RATE_LIMIT	0x0a098		/* and what follows, up to: */
#define GEN9_RENDER_PG_IDLE_HYSTERESIS	0x0a0c8
#define GEN9_PG_ENABLE			0x0a210
#define GEN9_PUSHBUS_CONTROL		0x0a248
#define GEN9_GFX_RC6_LOCKED		0x138104
#define GEN9_GFX_RC6			0x138108	/* residency in 1.28 us */
#define GEN9_GFX_RC6P			0x13810c
#define GEN9_GFX_RC6PP			0x138110
#define GEN9_RC6_TICK_NS		1280
#define GEN9_RC6_LOCATION		0x00d40
#define   GEN9_RC6_CTX_IN_DRAM		BIT(0)
#define GEN9_RC6_CTX_BASE		0x00d48
#define GEN9_RC6_CTX_INFO		0x08504		/* zero: the RC6 context is lost */

/* The crystal clock and the command streamers' timestamp. */
#define GEN9_RPM_CONFIG0		0x00d00
#define   GEN9_RPM_CONFIG0_24MHZ	BIT(3)
#define GEN9_TIMESTAMP_OVERRIDE		0x44074
#define GEN9_CTC_MODE			0x0a26c
#define   GEN9_CTC_SOURCE_DIVIDE	BIT(0)
#define   GEN9_CTC_SHIFT_SHIFT		1		/* crystal >> (3 - this) */

/* Slices, subslices, EUs: fuses and steering. */
#define GEN9_FUSE2			0x09120
#define   GEN9_FUSE2_SLICE_ENABLE(n)	BIT(25 + (n))
#define   GEN9_FUSE2_SUBSLICE_DISABLE(n) BIT(20 + (n))
#define GEN9_EU_DISABLE(slice)		(0x09134 + (slice) * 4)
#define GEN9_MCR_SELECTOR		0x00fdc
#define GEN9_SLICE_PGCTL_ACK(n)		(0x0804c + (n) * 4)
#define   GEN9_PGCTL_SLICE_ACK		BIT(0)
#define   GEN9_PGCTL_SUBSLICE_ACK(n)	BIT(2 + (n) * 2)
#define GEN9_SS01_EU_PGCTL_ACK(n)	(0x0805c + (n) * 8)
#define GEN9_SS23_EU_PGCTL_ACK(n)	(0x08060 + (n) * 8)

/* Memory arbitration and translation (GAM). */
#define GEN9_GTT_CACHE_EN		0x04024
#define GEN9_ARB_MODE			0x04030		/* masked */
#define GEN9_GAMW_ECO_DEV_RW_IA		0x04080
#define GEN9_GAM_ECOCHK			0x04090
#define GEN9_GAM_ERROR			0x040a0
#define GEN9_GAM_DONE			0x040b0
#define GEN9_GAMT_ECO_REG_RW_IA		0x04ab0
#define GEN9_GAMT_CHKN			0x04ab8
#define GEN9_L3_LRA_1_GPGPU		0x04dd4
#define GEN9_MMCD_MISC_CTRL		0x04ddc

/* Clock gating and memory bus, GT side. */
#define GEN9_FBC_LLC_READ_CTRL		0x09044
#define GEN9_MBCTL			0x0907c
#define GEN9_UCGCTL1			0x09400
#define GEN9_RCGCTL1			0x09410
#define GEN9_MISCCPCTL			0x09424
#define GEN9_UCGCTL6			0x09430

/* eDRAM behind the LLC; the memory controller's mirror. */
#define GEN9_STOLEN_RESERVED		0x1082c0
#define GEN9_EDRAM_CAP			0x120010
#define GEN9_MCHBAR_CHANNELS		0x145000	/* DRAM: order of the channels */
#define GEN9_MCHBAR_DIMM_CH0		0x14500c
#define GEN9_MCHBAR_DIMM_CH1		0x145010
#define GEN9_MCHBAR_BIOS_DATA		0x145e04	/* DRAM clock */

/*
 * The page by which a host tells a guest's driver of its ranges; no register of
 * the chip (Linux i915, i915_pvinfo.h).
 */
#define GEN9_PVINFO_FIRST		0x78000
#define GEN9_PVINFO_LAST		0x78ffc

/* GuC. */
#define GEN9_GUC_STATUS			0x0c000
#define   GEN9_GUC_MIA_IN_RESET		BIT(0)
#define GEN9_GUC_MAX_IDLE_COUNT		0x0c3e4
#define GEN9_GUC_LAST			0x0c7fc

/* Memory object control: one table per class of client, and L3's. */
#define GEN9_GFX_MOCS(n)		(0x0c800 + (n) * 4)
#define GEN9_MFX0_MOCS(n)		(0x0c900 + (n) * 4)
#define GEN9_MFX1_MOCS(n)		(0x0ca00 + (n) * 4)
#define GEN9_VEBOX_MOCS(n)		(0x0cb00 + (n) * 4)
#define GEN9_BLT_MOCS(n)		(0x0cc00 + (n) * 4)
#define GEN9_MOCS_COUNT			64
#define GEN9_LNCFCMOCS(n)		(0x0b020 + (n) * 4)
#define GEN9_LNCFCMOCS_COUNT		32
#define GEN9_L3SQCREG1			0x0b100
#define GEN9_L3SQCREG4			0x0b118

/* Private PAT. */
#define GEN9_PRIVATE_PAT_LO		0x040e0
#define GEN9_PRIVATE_PAT_HI		0x040e4

/* An access that no unit claimed; display engine. */
#define GEN9_FPGA_DBG			0x42300
#define   GEN9_FPGA_DBG_UNCLAIMED	BIT(31)

/* The pcode mailbox. */
#define GEN9_PCODE_MAILBOX		0x138124
#define   GEN9_PCODE_READY		BIT(31)		/* set by the driver, cleared when done */
#define   GEN9_PCODE_COMMAND_MASK	0xff
#define   GEN9_PCODE_PARAM_MASK		0x00ffff00
#define   GEN9_PCODE_SUCCESS		0x00
#define   GEN9_PCODE_ILLEGAL_COMMAND	0x01
#define   GEN9_PCODE_ILLEGAL_DATA	0x03
#define   GEN9_PCODE_RATIO_RANGE	0x10
#define GEN9_PCODE_DATA0		0x138128
#define GEN9_PCODE_DATA1		0x13812c
#define   GEN9_PCODE_LOAD_HDCP_KEYS	0x05
#define   GEN9_PCODE_READ_MEM_LATENCY	0x06
#define   GEN9_PCODE_CDCLK_CONTROL	0x07
#define     GEN9_CDCLK_PREPARE		0x3
#define     GEN9_CDCLK_READY		0x1
#define   GEN9_PCODE_WRITE_MIN_FREQ	0x08
#define   GEN9_PCODE_READ_MIN_FREQ	0x09
#define     GEN9_PCODE_IA_RATIO_SHIFT	8
#define     GEN9_PCODE_RING_RATIO_SHIFT	16
#define   GEN9_PCODE_READ_OC_PARAMS	0x0c
#define   GEN9_PCODE_DE_FREQ_REQUEST	0x17
#define   GEN9_PCODE_DISPLAY_FREQ	0x18
#define   GEN9_PCODE_DUTY_CYCLE		0x1a
#define     GEN9_PCODE_EFFICIENT_MASK	GENMASK(15, 8)	/* ratio in 50 MHz */
#define   GEN9_PCODE_SAGV_CONTROL	0x21
#define     GEN9_SAGV_DISABLE		0x0
#define     GEN9_SAGV_IS_DISABLED	0x1
#define     GEN9_SAGV_ENABLE		0x3

#endif
