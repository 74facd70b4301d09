/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The register state of a context in memory: restoring and saving it.
 */
#ifndef GM_CTXIMG_H
#define GM_CTXIMG_H

#include <linux/types.h>
#include <gvirt/gen9_lrc.h>

struct gm_mmu;
struct gm_stats;

/**
 * enum gm_ctximg_status - How access to an image went
 * @GM_CTXIMG_OK: as it should
 * @GM_CTXIMG_FAULT: its page is not mapped; the MMU keeps the fault
 * @GM_CTXIMG_MALFORMED: the page holds something else than register loads
 */
enum gm_ctximg_status {
	GM_CTXIMG_OK,
	GM_CTXIMG_FAULT,
	GM_CTXIMG_MALFORMED,
};

/**
 * struct gm_ctximg - What images of one engine look like, and whose registers they hold
 * @base: offset of the engine's register window
 * @mmu: the engine's MMU; images are reached through the GGTT
 * @stats: counts GM_MISUSE_CONTEXT_IMAGE
 * @load: a restore brings @value to the register at the absolute offset
 * @store: what a save writes for that register
 * @opaque: passed to both
 * @layout: the page as a save writes it, values zero
 * @is_reg: the dword of @layout is a register's offset
 * @dwords: how much of the page a save writes, including the end command
 */
struct gm_ctximg {
	u32 base;
	struct gm_mmu *mmu;
	struct gm_stats *stats;
	void (*load)(void *opaque, u32 offset, u32 value);
	u32 (*store)(void *opaque, u32 offset);
	void *opaque;
	u32 layout[GEN9_CTX_REGS_DWORDS];
	bool is_reg[GEN9_CTX_REGS_DWORDS];
	unsigned int dwords;
};

/**
 * gm_ctximg_init() - Fill in the layout for an engine
 * @img: zeroed; the services are set by the caller
 * @base: offset of the engine's register window
 * @render: it is the render engine, whose images hold more
 */
void gm_ctximg_init(struct gm_ctximg *img, u32 base, bool render);

/**
 * gm_ctximg_restore() - Load the registers of a context
 * @img: the layout and services
 * @lrca: GGTT address of the context
 *
 * Carries out the register loads in the image one after the other. Behind the
 * ring's and the page directories' registers it stops when the context control
 * register it has just loaded inhibits the rest.
 *
 * Return: how it went.
 */
enum gm_ctximg_status gm_ctximg_restore(const struct gm_ctximg *img, u32 lrca);

/**
 * gm_ctximg_restore_lite() - Load what changes while a context runs
 * @img: the layout and services
 * @lrca: GGTT address of the context
 * @pdps: the page directory pointers as well as the tail
 *
 * Return: how it went.
 */
enum gm_ctximg_status gm_ctximg_restore_lite(const struct gm_ctximg *img, u32 lrca, bool pdps);

/**
 * gm_ctximg_save() - Write the registers of a context
 * @img: the layout and services
 * @lrca: GGTT address of the context
 *
 * The whole page is written anew but for the value of the tail, which belongs
 * to software: it may have been moved on while the context ran.
 *
 * Return: GM_CTXIMG_OK or GM_CTXIMG_FAULT.
 */
enum gm_ctximg_status gm_ctximg_save(const struct gm_ctximg *img, u32 lrca);

#endif
