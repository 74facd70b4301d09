/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The 2D engine: carries out XY_* commands on memory reached through an MMU.
 *
 * The caller decodes lengths and copies the command. One thread uses a gm_blt.
 */
#ifndef GM_BLT_H
#define GM_BLT_H

#include <stdatomic.h>
#include <linux/types.h>
#include "mmu.h"

struct gm_dma;
struct gm_stats;

/**
 * enum gm_blt_status - How a 2D command went
 * @GM_BLT_DONE: it is carried out
 * @GM_BLT_UNDEFINED: not a command of this engine, or a reserved encoding
 * @GM_BLT_FAULT: a page fault, which the MMU keeps; what came before is written
 */
enum gm_blt_status {
	GM_BLT_DONE,
	GM_BLT_UNDEFINED,
	GM_BLT_FAULT,
};

/**
 * struct gm_blt_setup - What XY_SETUP_* commands leave behind
 * @header: dword 0 of the last XY_SETUP_BLT or XY_SETUP_MONO_PATTERN_SL_BLT; 0: none yet
 * @mode: its dword 1: pitch, raster operation, depth, clipping
 * @clip: top left and bottom right (exclusive) of the clip rectangle, as in the command
 * @dst: address of the destination
 * @background: color of zero bits
 * @foreground: color of one bits
 * @pattern: address of a color pattern, or the bits of a monochrome one
 *
 * All zero after a reset.
 */
struct gm_blt_setup {
	u32 header;
	u32 mode;
	u32 clip[2];
	u64 dst;
	u32 background;
	u32 foreground;
	u64 pattern;
};

/**
 * struct gm_blt - The 2D engine
 * @mmu: of the blitter engine
 * @dma: guest memory, for direct access to whole runs of pixels
 * @stats: statistics
 * @abort: polled while drawing: when it turns true, what is left of the command is
 *	dropped, so that a reset need not wait for a blit of gigabytes; may be NULL
 * @setup: state between commands
 */
struct gm_blt {
	struct gm_mmu *mmu;
	struct gm_dma *dma;
	struct gm_stats *stats;
	const atomic_bool *abort;
	struct gm_blt_setup setup;
};

/**
 * gm_blt_execute() - Carry out one 2D command
 * @blt: the engine
 * @space: address space of the surfaces
 * @swctrl: BCS_SWCTRL (0x22200), whose bits turn the tiled flags of source
 *	(bit 0) and destination (bit 1) from X into Y tiling
 * @cmd: the command, copied
 * @dwords: its length, as its own header says
 *
 * Return: how it went. XY_MONO_PAT_FIXED_BLT is GM_BLT_UNDEFINED: no public
 * source has its patterns. An aborted command is GM_BLT_DONE.
 */
enum gm_blt_status gm_blt_execute(struct gm_blt *blt, enum gm_space space, u32 swctrl,
				  const u32 *cmd, unsigned int dwords);

#endif
