/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A vGPU's shares of all engines, and what it had of them, for as long as it lives: its
 * slots come with each user of the vGPU and go with him.
 */
#ifndef GVIRT_MODEL_SHARES_H
#define GVIRT_MODEL_SHARES_H

#include <linux/mutex.h>
#include <linux/types.h>
#include "sched.h"

/**
 * struct gvirt_shares - Shares of a vGPU
 * @lock: covers what follows, and keeps a slot with its engine meanwhile. Taken inside the
 *	vGPU's @exec; nothing is waited for with it but the scheduler's lock
 * @weight: GVIRT_SCHED_WEIGHT_MIN to GVIRT_SCHED_WEIGHT_MAX, on each engine
 * @cap: percent of each engine's time, 0 to GVIRT_SCHED_CAP_NONE; these two: no cap
 * @slot: by engine; NULL: it is not a user of that one now
 * @past: by engine: what earlier users of the vGPU had
 */
struct gvirt_shares {
	struct mutex lock; /* shares, and which slots are with an engine */
	u32 weight;
	u32 cap;
	struct gvirt_sched_slot *slot[GVIRT_ENGINES];
	struct gvirt_sched_stats past[GVIRT_ENGINES];
};

/**
 * gvirt_shares_init() - The share of a new vGPU
 * @shares: to be initialised; zeroed
 */
void gvirt_shares_init(struct gvirt_shares *shares);

/**
 * gvirt_shares_fini() - The end of gvirt_shares_init()
 * @shares: with no slots
 */
void gvirt_shares_fini(struct gvirt_shares *shares);

/**
 * gvirt_shares_add() - Become a user of an engine, with the vGPU's share
 * @shares: of the vGPU
 * @engine: which
 * @sched: its scheduler
 * @slot: as for gvirt_sched_add()
 * @ops: likewise
 * @data: likewise
 *
 * Return: 0, or -ENOSPC when the engine has too many users.
 */
int gvirt_shares_add(struct gvirt_shares *shares, enum gvirt_engine_id engine,
		     struct gvirt_sched *sched, struct gvirt_sched_slot *slot,
		     const struct gvirt_sched_ops *ops, void *data);

/**
 * gvirt_shares_remove() - Leave an engine
 * @shares: of the vGPU
 * @engine: which; it need not be a user
 *
 * As gvirt_sched_remove(). Nobody submits any more.
 */
void gvirt_shares_remove(struct gvirt_shares *shares, enum gvirt_engine_id engine);

/**
 * gvirt_shares_set() - Change the share; at any time, with all that is running
 * @shares: of the vGPU
 * @weight: NULL: stays
 * @cap: NULL: stays
 *
 * Ranges are those of struct gvirt_shares.
 */
void gvirt_shares_set(struct gvirt_shares *shares, const u32 *weight, const u32 *cap);

/**
 * gvirt_shares_read() - What the vGPU had of an engine
 * @shares: of the vGPU
 * @engine: which
 * @stats: to be filled: since gvirt_shares_init()
 */
void gvirt_shares_read(struct gvirt_shares *shares, enum gvirt_engine_id engine,
		       struct gvirt_sched_stats *stats);

#endif
