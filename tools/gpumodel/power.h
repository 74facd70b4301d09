/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Register behaviour outside the engines and interrupts. Each function adds its
 * ranges to the register file and sets reset values. Files: forcewake.c (wells
 * and their requests), pcode.c (mailbox), gt_power.c (RC6, frequency, fuses,
 * GuC in reset), display_regs.c (fused off or present, wells, PLLs),
 * display_ports.c (DDI, AUX, GMBUS), display_pipes.c (pipes, vertical blank).
 */
#ifndef GM_POWER_H
#define GM_POWER_H

#include <linux/types.h>

struct gm_irq;
struct gm_mmio;
struct gm_vblank;

/* Add the registers of a part; each returns 0, -ENOMEM or what gm_mmio_add() does. */
int gm_pcode_add(struct gm_mmio *mmio);
int gm_gt_power_add(struct gm_mmio *mmio);

/**
 * gm_display_add() - Add the display's registers
 * @mmio: the register file
 * @present: the display engine is there; else it is fused off
 *
 * Return: 0, -ENOMEM or what gm_mmio_add() does.
 */
int gm_display_add(struct gm_mmio *mmio, bool present);

/* Parts of gm_display_add(): DDI, AUX, GMBUS, hotplug, panel power. */
int gm_display_add_ports(struct gm_mmio *mmio);
/* Pipes, their scanline and frame counter. */
int gm_display_add_pipes(struct gm_mmio *mmio);

/**
 * gm_display_events() - What a command streamer that waits for the display waits for
 * @mmio: the register file, with gm_display_add() done
 * @wanted: GEN9_MI_WAIT_VBLANK_* and GEN9_MI_WAIT_SCAN_LINE_* bits
 * @since: time of the monotonic clock in ns, set to now where it is 0
 *
 * Return: bits of @wanted: vertical blanks that began since then, and scan lines whose condition
 * holds now; of pipes that run, and not masked by GEN9_DERRMR.
 */
u32 gm_display_events(struct gm_mmio *mmio, u32 wanted, u64 *since);

/**
 * gm_vblank_create() - A thread that raises the vertical blank interrupt of running pipes
 * @mmio: the register file, with gm_display_add() done
 * @irq: its interrupt logic; destroy the thread first
 *
 * Return: the thread's object, NULL when resources are short.
 */
struct gm_vblank *gm_vblank_create(struct gm_mmio *mmio, struct gm_irq *irq);

/* Stop the thread; NULL is fine. */
void gm_vblank_destroy(struct gm_vblank *vblank);

#endif
