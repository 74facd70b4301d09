/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Display registers of Gen9 (Skylake): fuses, power wells, clocks, ports, pipes,
 * and the south display of a Sunrise Point PCH. All offsets are absolute in BAR0.
 *
 * Sources: Linux i915, below display/: intel_display_regs.h, intel_dp_aux_regs.h,
 * intel_gmbus_regs.h, intel_pps_regs.h, intel_psr_regs.h, intel_vga_regs.h and
 * skl_universal_plane_regs.h, and intel_gvt_mmio_table.c (how far blocks reach);
 * xf86-video-intel, src/sna/sna_display.c (what the command streamer can wait for).
 * Also in PRM Skylake, volume 2c, by the name of the register.
 */
#ifndef GVIRT_GEN9_DISPLAY_H
#define GVIRT_GEN9_DISPLAY_H

#include <linux/bits.h>
#include <linux/types.h>

#define GEN9_PIPE_COUNT			3
#define GEN9_DDI_COUNT			5	/* A to E */
#define GEN9_AUX_COUNT			4	/* A to D */

/* Fuses and straps. */
#define GEN9_DFSM			0x51000
#define   GEN9_DFSM_PIPE_A_DISABLE	BIT(30)
#define   GEN9_DFSM_PIPE_C_DISABLE	BIT(28)
#define   GEN9_DFSM_PM_DISABLE		BIT(27)		/* FBC among others */
#define   GEN9_DFSM_HDCP_DISABLE	BIT(25)
#define   GEN9_DFSM_PIPE_B_DISABLE	BIT(21)
#define GEN9_DSSM			0x51004
#define GEN9_SFUSE_STRAP		0xc2014
#define   GEN9_SFUSE_DDI_B		BIT(2)
#define   GEN9_SFUSE_DDI_C		BIT(1)
#define   GEN9_SFUSE_DDI_D		BIT(0)
#define GEN9_FUSE_STATUS		0x42000
#define   GEN9_FUSE_DOWNLOADED		BIT(31)
#define   GEN9_FUSE_PG_READY(n)		BIT(27 - (n))

#define GEN9_VGA_CONTROL		0x41000
#define   GEN9_VGA_DISABLE		BIT(31)

/* Power wells: four requesters; each register shows its own requests and the state. */
#define GEN9_PWR_WELL_BIOS		0x45400
#define GEN9_PWR_WELL_DRIVER		0x45404
#define GEN9_PWR_WELL_KVMR		0x45408
#define GEN9_PWR_WELL_DEBUG		0x4540c
#define   GEN9_PWR_WELL_REQUEST(n)	BIT((n) * 2 + 1)
#define   GEN9_PWR_WELL_STATE(n)	BIT((n) * 2)
#define   GEN9_PWR_WELL_STATES		0x55555555u
#define   GEN9_PWR_WELL_1		14
#define   GEN9_PWR_WELL_2		15
#define GEN9_DC_STATE_EN		0x45504

/* Display buffer. */
#define GEN9_DBUF_CTL			0x45008
#define   GEN9_DBUF_POWER_REQUEST	BIT(31)
#define   GEN9_DBUF_POWER_STATE		BIT(30)

/* Clocks: PLL n is enabled by bit 31 of its control register. */
#define GEN9_CDCLK_CTL			0x46000
#define GEN9_LCPLL1_CTL			0x46010		/* DPLL0 */
#define GEN9_LCPLL2_CTL			0x46014		/* DPLL1 */
#define GEN9_WRPLL1_CTL			0x46040		/* DPLL2 */
#define GEN9_WRPLL2_CTL			0x46060		/* DPLL3 */
#define   GEN9_PLL_ENABLE		BIT(31)
#define   GEN9_LCPLL_LOCK		BIT(30)
#define GEN9_DPLL_CTRL1			0x6c058
#define GEN9_DPLL_CTRL2			0x6c05c
#define GEN9_DPLL_STATUS		0x6c060
#define   GEN9_DPLL_LOCK(n)		BIT((n) * 8)

/* DDI ports. */
#define GEN9_DDI_BUF_CTL(n)		(0x64000 + (n) * 0x100)
#define   GEN9_DDI_BUF_ENABLE		BIT(31)
#define   GEN9_DDI_BUF_IDLE		BIT(7)
#define   GEN9_DDI_INIT_DETECTED	BIT(0)		/* a strap; DDI A only */
#define GEN9_DP_TP_CTL(n)		(0x64040 + (n) * 0x100)
#define   GEN9_DP_TP_ENABLE		BIT(31)
#define   GEN9_DP_TP_TRAIN_MASK		GENMASK(10, 8)
#define   GEN9_DP_TP_TRAIN_IDLE		(2u << 8)
#define GEN9_DP_TP_STATUS(n)		(0x64044 + (n) * 0x100)
#define   GEN9_DP_TP_IDLE_DONE		BIT(25)
#define   GEN9_DP_TP_ACT_SENT		BIT(24)

/* DisplayPort AUX channels. */
#define GEN9_AUX_CTL(n)			(0x64010 + (n) * 0x100)
#define   GEN9_AUX_SEND_BUSY		BIT(31)
#define   GEN9_AUX_DONE			BIT(30)		/* write 1 to clear */
#define   GEN9_AUX_INTERRUPT		BIT(29)
#define   GEN9_AUX_TIMEOUT		BIT(28)		/* write 1 to clear */
#define   GEN9_AUX_RECEIVE_ERROR	BIT(25)		/* write 1 to clear */
#define GEN9_AUX_DATA(n)		(0x64014 + (n) * 0x100)
#define   GEN9_AUX_DATA_COUNT		5
/* Bits of the port interrupt bank. */
#define GEN9_PORT_IRQ_AUX_A		BIT(0)
#define GEN9_PORT_IRQ_AUX_B		BIT(25)
#define GEN9_PORT_IRQ_AUX_C		BIT(26)
#define GEN9_PORT_IRQ_AUX_D		BIT(27)

/* Pipes and transcoders A to C; the transcoder of eDP stands apart. */
#define GEN9_TRANS_VTOTAL(n)		(0x6000c + (n) * 0x1000)
#define GEN9_TRANS_VBLANK(n)		(0x60010 + (n) * 0x1000)
#define   GEN9_TIMING_LOW_MASK		0x1fff		/* active or start, minus 1 */
#define   GEN9_TIMING_HIGH_SHIFT	16		/* total or end, minus 1 */
#define GEN9_PIPE_DSL(n)		(0x70000 + (n) * 0x1000)
#define GEN9_PIPE_CONF(n)		(0x70008 + (n) * 0x1000)
#define GEN9_PIPE_CONF_EDP		0x7f008
#define   GEN9_PIPE_ENABLE		BIT(31)
#define   GEN9_PIPE_STATE		BIT(30)
#define GEN9_PIPE_FRAME_COUNT(n)	(0x70040 + (n) * 0x1000)
#define GEN9_PIPE_FLIP_COUNT(n)		(0x70044 + (n) * 0x1000)
#define GEN9_PIPE_FRAME_TIME(n)		(0x70048 + (n) * 0x1000)
/* The window that a scan line wait of the command streamer is about; sna_display.c. */
#define GEN9_PIPE_SCAN_LINES(n)		(0x70068 + (n) * 0x1000)
#define   GEN9_SCAN_LINES_INCLUSIVE	BIT(31)		/* waits while inside, else while outside */
#define   GEN9_SCAN_LINES_FIRST_SHIFT	16
#define   GEN9_SCAN_LINES_MASK		0x1fff		/* at bit 0: the last line */
#define GEN9_PLANE_COUNT		3		/* universal planes of a pipe; C has 2 */
#define GEN9_PLANE_SURF(pipe, plane)	(0x7019c + (pipe) * 0x1000 + (plane) * 0x100)
#define GEN9_PLANE_SURF_LIVE(pipe, plane) (0x701ac + (pipe) * 0x1000 + (plane) * 0x100)
/* Bits of a pipe's interrupt bank. */
#define GEN9_PIPE_IRQ_VBLANK		BIT(0)
#define GEN9_PIPE_IRQ_FLIP_DONE(plane)	BIT(3 + (plane))

/* PSR of eDP. */
#define GEN9_PSR_IMR			0x64834
#define GEN9_PSR_IIR			0x64838

/* South display: hotplug. */
#define GEN9_SHOTPLUG_CTL		0xc4030
#define   GEN9_SHOTPLUG_STATUS		0x03030303u	/* A 25:24, D 17:16, C 9:8, B 1:0: w1c */
#define GEN9_SHOTPLUG_CTL2		0xc403c
#define   GEN9_SHOTPLUG2_STATUS		0x00000003u	/* E 1:0: w1c */
#define GEN9_SDE_HOTPLUG_B		BIT(21)
#define GEN9_SDE_HOTPLUG_C		BIT(22)
#define GEN9_SDE_HOTPLUG_D		BIT(23)
#define GEN9_SDE_GMBUS			BIT(17)

/* South display: GPIO pins (bit-banged I2C) and GMBUS. */
#define GEN9_GPIO_FIRST			0xc5010
#define GEN9_GPIO_LAST			0xc5024
#define   GEN9_GPIO_DIR_MASK		BIT(0)
#define   GEN9_GPIO_DIR_OUT		BIT(1)
#define   GEN9_GPIO_VALUE_MASK		BIT(2)
#define   GEN9_GPIO_VALUE_OUT		BIT(3)
#define   GEN9_GPIO_VALUE_IN		BIT(4)
#define   GEN9_GPIO_DATA_SHIFT		8		/* clock below, data here */
#define GEN9_GMBUS0			0xc5100
#define   GEN9_GMBUS_PIN_MASK		0x7
#define GEN9_GMBUS1			0xc5104
#define   GEN9_GMBUS_CLEAR_INT		BIT(31)
#define   GEN9_GMBUS_READY		BIT(30)
#define   GEN9_GMBUS_CYCLE_WAIT		BIT(25)
#define   GEN9_GMBUS_CYCLE_INDEX	BIT(26)
#define   GEN9_GMBUS_CYCLE_STOP		BIT(27)
#define GEN9_GMBUS2			0xc5108
#define   GEN9_GMBUS_INUSE		BIT(15)
#define   GEN9_GMBUS_HW_WAIT		BIT(14)
#define   GEN9_GMBUS_HW_READY		BIT(11)
#define   GEN9_GMBUS_NAK		BIT(10)
#define   GEN9_GMBUS_ACTIVE		BIT(9)
#define GEN9_GMBUS3			0xc510c
#define GEN9_GMBUS4			0xc5110
#define   GEN9_GMBUS4_NAK		BIT(3)
#define   GEN9_GMBUS4_IDLE		BIT(2)
#define GEN9_GMBUS5			0xc5120

/* South display: panel power. */
#define GEN9_PP_STATUS			0xc7200
#define   GEN9_PP_ON			BIT(31)
#define GEN9_PP_CONTROL			0xc7204
#define   GEN9_PP_TARGET_ON		BIT(0)

/*
 * Blocks without a behaviour that a driver relies on: they store what is written.
 * First and last register of each.
 */
#define GEN9_DE_CHICKEN_FIRST		0x42004		/* arbiter, clock gates, straps */
#define GEN9_DE_CHICKEN_LAST		0x42020
#define GEN9_CHICKEN_PAR_FIRST		0x42080
#define GEN9_CHICKEN_PAR_LAST		0x42090
#define GEN9_CHICKEN_PIPESL_FIRST	0x420b0
#define GEN9_CHICKEN_PIPESL_LAST	0x420bc
#define GEN9_FBC_FIRST			0x43200
#define GEN9_FBC_LAST			0x4327c
#define GEN9_IPS_CTL			0x43408
#define GEN9_PORT_HOTPLUG		0x44030		/* DDI A */
#define GEN9_DERRMR			0x44050		/* set: no such GEN9_MI_WAIT_* event */
#define GEN9_DISP_ARB_CTL		0x45000
#define GEN9_DISP_ARB_CTL2		0x45004
#define GEN9_WM_LINETIME_FIRST		0x45270
#define GEN9_WM_LINETIME_LAST		0x45278
#define GEN9_DC_STATE_DEBUG		0x45520
#define GEN9_SPLL_CTL			0x46020
#define GEN9_PORT_CLK_SEL_FIRST		0x46100
#define GEN9_PORT_CLK_SEL_LAST		0x46148
#define GEN9_NDE_RSTWRN_OPT		0x46408
#define GEN9_DCPR_CHICKEN		0x46430
#define GEN9_CLKGATE_DIS_FIRST		0x46520
#define GEN9_CLKGATE_DIS_LAST		0x4653c
#define GEN9_BACKLIGHT_FIRST		0x48250
#define GEN9_BACKLIGHT_LAST		0x48408
#define GEN9_CSC_FIRST			0x49010
#define GEN9_CSC_LAST			0x492fc
#define GEN9_PALETTE_FIRST		0x4a000
#define GEN9_PALETTE_LAST		0x4bffc
#define GEN9_SWF_FIRST			0x4f000
#define GEN9_SWF_LAST			0x4f0fc
/* A transcoder: timings, M/N; video DIP, DDI function; PSR. EDP is number 15. */
#define GEN9_TRANS_FIRST(n)		(0x60000 + (n) * 0x1000)
#define GEN9_TRANS_LAST(n)		(0x604fc + (n) * 0x1000)
#define GEN9_TRANS_PSR_FIRST(n)		(0x60800 + (n) * 0x1000)
#define GEN9_TRANS_PSR_LAST(n)		(0x608fc + (n) * 0x1000)
#define GEN9_TRANS_EDP			15
#define GEN9_PSR_FIRST			0x64800
#define GEN9_PSR_LAST			0x648fc
#define GEN9_DDI_BUF_TRANS_FIRST	0x64e00
#define GEN9_DDI_BUF_TRANS_LAST		0x64fcc
#define GEN9_AUDIO_FIRST		0x65000
#define GEN9_AUDIO_LAST			0x65ffc
#define GEN9_SCALER_FIRST(n)		(0x68100 + (n) * 0x800)
#define GEN9_SCALER_LAST(n)		(0x682fc + (n) * 0x800)
/* A pipe: what stands between the registers that are named above. */
#define GEN9_PIPE_MISC_FIRST(n)		(0x7000c + (n) * 0x1000)
#define GEN9_PIPE_MISC_LAST(n)		(0x7003c + (n) * 0x1000)
#define GEN9_CURSOR_CTL(n)		(0x70080 + (n) * 0x1000)
#define GEN9_CURSOR_BASE(n)		(0x70084 + (n) * 0x1000)
#define GEN9_CURSOR_POS(n)		(0x70088 + (n) * 0x1000)
#define GEN9_CURSOR_LAST(n)		(0x7017c + (n) * 0x1000)
#define GEN9_PLANE_FIRST(pipe, plane)	(0x70180 + (pipe) * 0x1000 + (plane) * 0x100)
#define GEN9_PLANE_LAST(pipe, plane)	(0x7027c + (pipe) * 0x1000 + (plane) * 0x100)
#define GEN9_DMC_FIRST			0x80000		/* microcontroller: program memory */
#define GEN9_DMC_LAST			0x82ffc
#define GEN9_DMC_CTL_FIRST		0x8f000
#define GEN9_DMC_CTL_LAST		0x8f0fc
#define GEN9_SOUTH_CHICKEN1		0xc2000
#define GEN9_SOUTH_CHICKEN2		0xc2004
#define GEN9_SOUTH_CLOCK_GATE		0xc2020
#define GEN9_SERR_INT			0xc4040
#define GEN9_RAWCLK_FREQ		0xc6204
#define GEN9_PP_DELAYS_FIRST		0xc7208
#define GEN9_PP_DELAYS_LAST		0xc7210
#define GEN9_SOUTH_BACKLIGHT_FIRST	0xc8250
#define GEN9_SOUTH_BACKLIGHT_LAST	0xc8258

#endif
