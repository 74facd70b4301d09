// SPDX-License-Identifier: GPL-2.0-only
/*
 * How engines are shared, as operators see it: what they choose, and what came of it.
 *
 * Everything can be changed while engines run: a change is made under the scheduler's
 * lock, between two decisions, and the next one goes by it. What has the engine keeps it
 * until its slice ends.
 */
#include <linux/cleanup.h>
#include <linux/ktime.h>
#include "sched_private.h"

void gvirt_sched_set_share(struct gvirt_sched_slot *slot, u32 weight, u32 cap)
{
	struct gvirt_sched *sched = slot->sched;
	u64 now_ns;

	guard(spinlock_irqsave)(&sched->lock);
	now_ns = ktime_get_ns();
	gvirt_sched_charge_locked(sched, now_ns);
	gvirt_sched_reshare(&slot->entity, &sched->queue, weight, cap, now_ns);
	gvirt_sched_decide_locked(sched);
}

void gvirt_sched_set_policy(struct gvirt_sched *sched, enum gvirt_sched_policy policy)
{
	u64 now_ns;

	guard(spinlock_irqsave)(&sched->lock);
	if (sched->queue.policy == policy)
		return;
	now_ns = ktime_get_ns();
	gvirt_sched_charge_locked(sched, now_ns);
	gvirt_sched_switch(&sched->queue, policy, sched->entities, sched->count, now_ns);
	gvirt_sched_decide_locked(sched);
}

static void set_slice(struct gvirt_sched *sched, u64 slice_ns)
{
	guard(spinlock_irqsave)(&sched->lock);
	sched->queue.slice_ns = slice_ns;
	gvirt_sched_decide_locked(sched);
}

/* Time that who has the engine has not been charged for yet. */
static u64 since_locked(const struct gvirt_sched *sched)
{
	lockdep_assert_held(&sched->lock);
	if (!sched->running || sched->running == &sched->host)
		return 0;
	return ktime_get_ns() - sched->since_ns;
}

void gvirt_sched_read_stats(struct gvirt_sched_slot *slot, struct gvirt_sched_stats *stats)
{
	struct gvirt_sched *sched = slot->sched;

	guard(spinlock_irqsave)(&sched->lock);
	*stats = slot->stats;
	stats->ran_ns = slot->entity.ran_ns;
	if (sched->running == slot)
		stats->ran_ns += since_locked(sched);
	if (slot->waits_ns)
		stats->waited_ns += ktime_get_ns() - slot->waits_ns;
}

u64 gvirt_sched_busy_ns(struct gvirt_sched *sched)
{
	guard(spinlock_irqsave)(&sched->lock);
	return sched->busy_ns + since_locked(sched);
}

/* All engines of a GPU. */

void gvirt_scheds_set_policy(struct gvirt_scheds *scheds, enum gvirt_sched_policy policy)
{
	unsigned int i;

	guard(mutex)(&scheds->tuning);
	scheds->policy = policy;
	for (i = 0; i < GVIRT_ENGINES; i++)
		if (scheds->sched[i].engine)
			gvirt_sched_set_policy(&scheds->sched[i], policy);
}

enum gvirt_sched_policy gvirt_scheds_policy(struct gvirt_scheds *scheds)
{
	guard(mutex)(&scheds->tuning);
	return scheds->policy;
}

void gvirt_scheds_set_slice(struct gvirt_scheds *scheds, u64 slice_ns)
{
	unsigned int i;

	guard(mutex)(&scheds->tuning);
	for (i = 0; i < GVIRT_ENGINES; i++)
		if (scheds->sched[i].engine)
			set_slice(&scheds->sched[i], slice_ns);
	scheds->slice_ns = slice_ns;
}

u64 gvirt_scheds_slice(struct gvirt_scheds *scheds)
{
	guard(mutex)(&scheds->tuning);
	return scheds->slice_ns;
}
