/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Forcewake: which well a register stands in and whether the CPU woke it.
 */
#ifndef GM_FORCEWAKE_H
#define GM_FORCEWAKE_H

#include <linux/types.h>

struct gm_forcewake;
struct gm_mmio;
struct gm_stats;

struct gm_forcewake *gm_forcewake_create(struct gm_mmio *mmio, struct gm_stats *stats);
void gm_forcewake_destroy(struct gm_forcewake *fw);
void gm_forcewake_reset(struct gm_forcewake *fw);

/**
 * gm_forcewake_check() - May the CPU access @offset now?
 *
 * Called by gm_mmio for each access from the CPU. Return: false when its well sleeps
 * (counted as GM_MISUSE_FORCEWAKE): the read gives 0 and the write is lost, as on the chip
 * (shadowed registers may be written without). A busy engine (one whose MI_MODE does
 * not say idle) keeps its wells awake by itself: an access without a request then
 * works, but is counted all the same. No lock of an engine may be held.
 */
bool gm_forcewake_check(struct gm_forcewake *fw, u32 offset, bool write);

/** gm_forcewake_awake_ns() - For how long the driver has held any well awake, in ns */
u64 gm_forcewake_awake_ns(struct gm_forcewake *fw);

#endif
