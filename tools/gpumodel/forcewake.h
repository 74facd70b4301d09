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
 * gm_forcewake_check() - Whether the CPU may access a register now
 * @fw: the forcewake logic
 * @offset: of the register in BAR0
 * @write: a write; shadowed registers may be written without forcewake
 *
 * Called by gm_mmio for each access from the CPU. A busy engine (one whose
 * MI_MODE does not say idle) keeps its wells awake by itself: an access without
 * a request then works, but is counted as GM_MISUSE_FORCEWAKE all the same.
 * No lock of an engine may be held.
 *
 * Return: false when its well sleeps (counted as well): the read gives 0 and
 * the write is lost, as on the chip.
 */
bool gm_forcewake_check(struct gm_forcewake *fw, u32 offset, bool write);

/**
 * gm_forcewake_awake_ns() - For how long the driver has held any well awake
 * @fw: the forcewake logic
 *
 * Return: ns since it was made.
 */
u64 gm_forcewake_awake_ns(struct gm_forcewake *fw);

#endif
