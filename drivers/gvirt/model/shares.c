// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shares of a vGPU: see shares.h.
 */
#include <linux/cleanup.h>
#include "shares.h"

void gvirt_shares_init(struct gvirt_shares *shares)
{
	mutex_init(&shares->lock);
	shares->weight = GVIRT_SCHED_WEIGHT_DEFAULT;
}

void gvirt_shares_fini(struct gvirt_shares *shares)
{
	mutex_destroy(&shares->lock);
}

int gvirt_shares_add(struct gvirt_shares *shares, enum gvirt_engine_id engine,
		     struct gvirt_sched *sched, struct gvirt_sched_slot *slot,
		     const struct gvirt_sched_ops *ops, void *data)
{
	int err;

	guard(mutex)(&shares->lock);
	err = gvirt_sched_add(sched, slot, ops, data);
	if (err)
		return err;
	gvirt_sched_set_share(slot, shares->weight, shares->cap);
	shares->slot[engine] = slot;
	return 0;
}

static void add_stats(struct gvirt_sched_stats *sum, struct gvirt_sched_slot *slot)
{
	struct gvirt_sched_stats now;

	gvirt_sched_read_stats(slot, &now);
	sum->ran_ns += now.ran_ns;
	sum->waited_ns += now.waited_ns;
	sum->turns += now.turns;
	sum->preemptions += now.preemptions;
	sum->resets += now.resets;
	sum->lost += now.lost;
}

void gvirt_shares_remove(struct gvirt_shares *shares, enum gvirt_engine_id engine)
{
	struct gvirt_sched_slot *slot = shares->slot[engine];

	if (!slot)
		return;
	/* This is what takes time, and it is done without the lock. */
	gvirt_sched_cancel(slot, GVIRT_SCHED_YIELD_MS);
	guard(mutex)(&shares->lock);
	shares->slot[engine] = NULL;
	add_stats(&shares->past[engine], slot);
	gvirt_sched_remove(slot);
}

void gvirt_shares_set(struct gvirt_shares *shares, const u32 *weight, const u32 *cap)
{
	unsigned int i;

	guard(mutex)(&shares->lock);
	if (weight)
		shares->weight = *weight;
	if (cap)
		shares->cap = *cap;
	for (i = 0; i < GVIRT_ENGINES; i++)
		if (shares->slot[i])
			gvirt_sched_set_share(shares->slot[i], shares->weight, shares->cap);
}

void gvirt_shares_read(struct gvirt_shares *shares, enum gvirt_engine_id engine,
		       struct gvirt_sched_stats *stats)
{
	guard(mutex)(&shares->lock);
	*stats = shares->past[engine];
	if (shares->slot[engine])
		add_stats(stats, shares->slot[engine]);
}
