// SPDX-License-Identifier: GPL-2.0-only
/*
 * Getting an engine back from one that does not let it go.
 *
 * Who is to blame: the one that the chip has running when it has been stopped and
 * all its events have been read. If that shows that the engine was let go at the
 * last moment, it just goes on. What was pending was never taken, so its images are
 * as its last save left them, and it is submitted again: nothing is lost, nothing
 * runs twice. The one to blame has no image that is worth anything: all that it has
 * with the engine is lost, also what was to run after it, as on a chip of its own,
 * which stands still until its driver resets it.
 *
 * It does not come to that before GVIRT_SCHED_CHIP_MS while the chip owes an event: nobody
 * knows then whether the one that is said to run has begun.
 *
 * An engine that refuses its reset takes a reset of the whole GT. The other engines
 * are asked to let go first, so that what they run is saved; only who does not do so
 * within GVIRT_SCHED_YIELD_MS, all together, is lost. If the chip refuses that as well, it loses
 * its access to memory, all is lost, and no list is taken any more.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include "hw/gpu.h"
#include "sched_private.h"

/* An engine that takes no list after so many resets in a row will never take one. */
#define FAILURES_MAX	3

/**
 * struct losses - What a slot lost
 * @slot: whose; NULL: nobody's
 * @context: in the order in which they would have run
 * @count: how many
 */
struct losses {
	struct gvirt_sched_slot *slot;
	struct gvirt_context *context[GVIRT_SCHED_CONTEXTS];
	unsigned int count;
};

static void lose(struct losses *losses, struct gvirt_context *context)
{
	unsigned int i;

	for (i = 0; i < losses->count; i++)
		if (losses->context[i] == context)
			return;
	if (context)
		losses->context[losses->count++] = context;
}

/* A call begins. */
static void lose_all_locked(struct gvirt_sched *sched, struct gvirt_sched_slot *slot,
			    struct losses *losses)
{
	unsigned int i;

	losses->slot = slot;
	for (i = 0; i < GVIRT_ENGINE_ELEMENTS; i++)
		lose(losses, slot->list.context[i]);
	for (i = 0; i < GVIRT_ENGINE_ELEMENTS; i++)
		lose(losses, slot->next.context[i]);
	gvirt_sched_drop_work_locked(slot);
	slot->stats.lost += losses->count;
	gvirt_sched_call_begin_locked(sched, slot);
}

static void tell_losses(struct gvirt_sched *sched, const struct losses *losses)
{
	const struct gvirt_sched_slot *slot = losses->slot;
	unsigned int i;

	if (!slot)
		return;
	for (i = 0; i < losses->count && slot->ops->left; i++)
		slot->ops->left(slot->data, losses->context[i], GVIRT_LEFT_LOST);
	gvirt_sched_call_end(sched);
}

static void blame(struct gvirt_sched *sched, struct losses *losses)
{
	struct gvirt_sched_slot *guilty;

	guard(spinlock_irqsave)(&sched->lock);
	/* An engine that does not even start a list is taken to fail because of it. */
	guilty = sched->running ?: sched->pending;
	gvirt_sched_charge_locked(sched, ktime_get_ns());
	if (sched->running)
		sched->running->left_ns = ktime_get_ns();
	sched->running = NULL;
	sched->pending = NULL;
	sched->loaded = NULL;
	sched->chosen = NULL;
	sched->yield = (struct gvirt_sched_yield) { };
	if (!guilty || guilty == &sched->host)
		return;
	guilty->stats.resets++;
	lose_all_locked(sched, guilty, losses);
}

/* After a reset: the engine has nothing. */
static void settle(struct gvirt_sched *sched)
{
	struct losses losses = { };

	blame(sched, &losses);
	tell_losses(sched, &losses);
	gvirt_context_reset(&sched->idle);
	wake_up_all(&sched->wake);
}

static void resume(struct gvirt_sched *sched)
{
	scoped_guard(spinlock_irqsave, &sched->lock) {
		sched->recovering = false;
		sched->parked = false;
		sched->stale = true;
		sched->refused = false;
		gvirt_sched_decide_locked(sched);
	}
	gvirt_engine_kick(sched->engine);
}

/* All slots', one at a time. */
static bool lose_next(struct gvirt_sched *sched, struct losses *losses)
{
	unsigned int i;

	guard(spinlock_irqsave)(&sched->lock);
	for (i = 0; i < sched->count; i++) {
		struct gvirt_sched_slot *slot = sched->slots[i];

		if (!slot->list.context[0] && !slot->has_next)
			continue;
		lose_all_locked(sched, slot, losses);
		return true;
	}
	return false;
}

static void abandon(struct gvirt_sched *sched)
{
	struct losses losses = { };

	scoped_guard(spinlock_irqsave, &sched->lock)
		sched->stopped = true;
	while (lose_next(sched, &losses)) {
		tell_losses(sched, &losses);
		losses = (struct losses) { };
	}
}

static void for_each(struct gvirt_scheds *scheds, void (*fn)(struct gvirt_sched *sched))
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (scheds->sched[i].engine)
			fn(&scheds->sched[i]);
}

static void park(struct gvirt_sched *sched)
{
	guard(spinlock_irqsave)(&sched->lock);
	sched->parked = true;
	gvirt_sched_decide_locked(sched);
}

static bool is_idle(struct gvirt_sched *sched)
{
	guard(spinlock_irqsave)(&sched->lock);
	return sched->recovering || (!sched->running && !sched->pending);
}

/* One bound for all of them: who cancels waits for the whole recovery. */
static void wait_parked(struct gvirt_scheds *scheds)
{
	u64 end_ns = ktime_get_ns() + GVIRT_SCHED_YIELD_MS * NSEC_PER_MSEC;
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		struct gvirt_sched *sched = &scheds->sched[i];
		u64 now_ns = ktime_get_ns();

		if (sched->engine && now_ns < end_ns)
			wait_event_timeout(sched->wake, is_idle(sched),
					   nsecs_to_jiffies(end_ns - now_ns) + 1);
	}
}

/* From here on nobody else submits to the engine or calls ops. */
static void seize(struct gvirt_sched *sched)
{
	scoped_guard(spinlock_irqsave, &sched->lock)
		sched->recovering = true;
	gvirt_engine_halt(sched->engine);
}

static void give_up_locked(struct gvirt_scheds *scheds)
{
	lockdep_assert_held(&scheds->lock);
	for_each(scheds, seize);
	gvirt_gpu_give_up(scheds->gpu);
	for_each(scheds, settle);
	for_each(scheds, abandon);
	for_each(scheds, resume);
}

void gvirt_scheds_give_up(struct gvirt_scheds *scheds)
{
	guard(mutex)(&scheds->lock);
	give_up_locked(scheds);
}

static void restart_all_locked(struct gvirt_scheds *scheds)
{
	lockdep_assert_held(&scheds->lock);
	for_each(scheds, park);
	wait_parked(scheds);
	for_each(scheds, seize);
	if (gvirt_gpu_restart(scheds->gpu)) {
		give_up_locked(scheds);
		return;
	}
	for_each(scheds, settle);
	for_each(scheds, resume);
}

bool gvirt_scheds_wedged(const struct gvirt_scheds *scheds)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (READ_ONCE(scheds->sched[i].stopped))
			return true;
	return false;
}

/* Is the chip to be given up? Counts the times that it comes to this. */
static bool hopeless(struct gvirt_sched *sched)
{
	guard(spinlock_irqsave)(&sched->lock);
	return sched->gone || (sched->refused && ++sched->failures > FAILURES_MAX);
}

static bool is_overdue(struct gvirt_sched *sched)
{
	guard(spinlock_irqsave)(&sched->lock);
	return !sched->stopped && gvirt_sched_overdue_locked(sched);
}

void gvirt_sched_recover(struct work_struct *work)
{
	struct gvirt_sched *sched = container_of(work, struct gvirt_sched, recovery);
	struct gvirt_engine *engine = sched->engine;
	struct gvirt_gpu *gpu = sched->all->gpu;

	guard(mutex)(&sched->all->lock);
	if (!is_overdue(sched))
		return;
	seize(sched);
	if (!is_overdue(sched)) {
		gvirt_engine_resume(engine);
		resume(sched);
		return;
	}
	if (hopeless(sched)) {
		give_up_locked(sched->all);
		return;
	}
	dev_notice_ratelimited(gpu->mmio.dev, "%s does not let go of its work and is reset\n",
			       engine->name);
	if (!gvirt_reset_engine(&gpu->reset, engine)) {
		settle(sched);
		resume(sched);
		return;
	}
	dev_warn_ratelimited(gpu->mmio.dev, "%s refuses its reset; resetting the whole GPU\n",
			     engine->name);
	restart_all_locked(sched->all);
}
