// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose turn it is on an engine.
 *
 * Data model: the chip has a list that runs and one that waits. @running and
 * @pending say whose these are; they follow what the engine reports, in its order,
 * so a slot that is neither has nothing with the chip. All decisions are made
 * here, anew after each event, from the state as it is: nothing has to be undone
 * when an event overtakes a decision.
 *
 * A turn ends by submitting the next one's list over the running one. What the
 * chip takes off then is saved in its image, stays in its slot's list, and is
 * submitted again at the slot's next turn. There is no empty submission; where
 * nobody is next (caps, a cancel), or registers have to be loaded while the
 * engine is idle, a context of the host takes the engine and completes at once.
 *
 * Whoever has the engine and is to go has a bound for it (@yield). One that
 * has the engine to itself has none. While the chip itself is late, which the engine
 * knows when it found out what it was not told, nobody is to blame, and the bound moves.
 */
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include "sched_private.h"

static bool wants(const struct gvirt_sched_slot *slot)
{
	return !slot->cancelled && (slot->list.context[0] || slot->has_next);
}

static bool is_host(const struct gvirt_sched *sched, const struct gvirt_sched_slot *slot)
{
	return slot == &sched->host;
}

void gvirt_sched_charge_locked(struct gvirt_sched *sched, u64 now_ns)
{
	struct gvirt_sched_slot *slot = sched->running;

	lockdep_assert_held(&sched->lock);
	if (!slot || is_host(sched, slot))
		return;
	slot->entity.runnable = wants(slot);
	gvirt_sched_account(&slot->entity, now_ns - sched->since_ns, now_ns);
	sched->busy_ns += now_ns - sched->since_ns;
	sched->since_ns = now_ns;
}

static struct gvirt_sched_slot *pick_locked(struct gvirt_sched *sched, u64 now_ns)
{
	struct gvirt_sched_decision decision;
	unsigned int i;

	sched->wake_ns = 0;
	if (sched->parked)
		return NULL;
	for (i = 0; i < sched->count; i++)
		sched->entities[i]->runnable = wants(sched->slots[i]);
	decision = gvirt_sched_pick(&sched->queue, sched->entities, sched->count, now_ns);
	sched->wake_ns = decision.wake_ns;
	sched->slice_ns = decision.slice_ns;
	return decision.index < 0 ? NULL : sched->slots[decision.index];
}

static u64 yield_ms(const struct gvirt_sched_slot *slot)
{
	if (!slot)
		return GVIRT_SCHED_CHIP_MS;
	return slot->cancelled ? slot->yield_ms : GVIRT_SCHED_YIELD_MS;
}

void gvirt_sched_bound_locked(struct gvirt_sched *sched, u64 now_ns)
{
	lockdep_assert_held(&sched->lock);
	sched->yield = (struct gvirt_sched_yield) {
		.by_ns = now_ns + yield_ms(sched->running) * NSEC_PER_MSEC,
		.last_ns = now_ns + GVIRT_SCHED_CHIP_MS * NSEC_PER_MSEC,
	};
}

void gvirt_sched_poll_later_locked(struct gvirt_sched *sched, u64 now_ns)
{
	lockdep_assert_held(&sched->lock);
	sched->poll_ns = now_ns + GVIRT_SCHED_POLL_MS * NSEC_PER_MSEC;
}

/* The port is free, or the engine is not what we take it for. */
static bool submit_locked(struct gvirt_sched *sched, struct gvirt_sched_slot *slot, bool next)
{
	if (gvirt_engine_submit_list(sched->engine, next ? &slot->next : &slot->list)) {
		sched->refused = true;
		queue_work(sched->engine->queue, &sched->recovery);
		return false;
	}
	sched->pending = slot;
	sched->pending_next = next;
	gvirt_sched_poll_later_locked(sched, ktime_get_ns());
	return true;
}

/* Another slot than the running one gets the engine. */
static void give_locked(struct gvirt_sched *sched, struct gvirt_sched_slot *slot, u64 now_ns)
{
	/* A list that is in force was reported as such: it goes first. */
	if (!submit_locked(sched, slot, !slot->list.context[0]))
		return;
	if (!is_host(sched, slot))
		sched->loaded = slot;
	gvirt_sched_bound_locked(sched, now_ns);
}

/* A ring that is empty but for two MI_NOOP, which are zeros. */
static void clear_locked(struct gvirt_sched *sched, u64 now_ns)
{
	struct gvirt_context *idle = &sched->idle;

	idle->tail = (idle->tail + 2 * sizeof(u32)) % (idle->ring.pages << PAGE_SHIFT);
	sched->host.list = (struct gvirt_engine_list) {
		.context = { idle },
		.tail = { idle->tail },
	};
	give_locked(sched, &sched->host, now_ns);
}

static bool needs_load(const struct gvirt_sched *sched, const struct gvirt_sched_slot *slot)
{
	const struct gvirt_sched_slot *from = sched->loaded;

	return slot != from && slot->ops->differs &&
	       slot->ops->differs(slot->data, from ? from->data : NULL);
}

bool gvirt_sched_load_due_locked(const struct gvirt_sched *sched)
{
	lockdep_assert_held(&sched->lock);
	return sched->chosen && !sched->running && !sched->pending && !sched->recovering &&
	       !sched->stopped && !sched->loading;
}

/* Within its slice it may replace its list. */
static void go_on_locked(struct gvirt_sched *sched)
{
	if (sched->running->has_next)
		submit_locked(sched, sched->running, true);
}

static bool may_go_on(const struct gvirt_sched *sched, u64 now_ns)
{
	const struct gvirt_sched_slot *slot = sched->running;

	if (!slot)
		return false;
	/* It is gone in no time. */
	if (is_host(sched, slot))
		return true;
	return !sched->parked && !slot->cancelled && now_ns < sched->slice_end_ns;
}

/* The choice stands while its registers wait to be loaded: it has been counted as a turn. */
static struct gvirt_sched_slot *choose_locked(struct gvirt_sched *sched, u64 now_ns)
{
	struct gvirt_sched_slot *chosen = sched->chosen;

	sched->chosen = NULL;
	if (chosen && wants(chosen) && !sched->parked)
		return chosen;
	return pick_locked(sched, now_ns);
}

static void turn_locked(struct gvirt_sched *sched, u64 now_ns)
{
	struct gvirt_sched_slot *slot;

	gvirt_sched_charge_locked(sched, now_ns);
	slot = choose_locked(sched, now_ns);
	if (slot && slot == sched->running) {
		sched->slice_end_ns = now_ns + sched->slice_ns;
		go_on_locked(sched);
	} else if (slot && !needs_load(sched, slot)) {
		give_locked(sched, slot, now_ns);
	} else {
		sched->chosen = slot;
		if (sched->running)
			clear_locked(sched, now_ns);
		else if (slot)
			gvirt_engine_kick(sched->engine);
	}
}

static bool others_want(const struct gvirt_sched *sched)
{
	unsigned int i;

	for (i = 0; i < sched->count; i++)
		if (sched->slots[i] != sched->running && wants(sched->slots[i]))
			return true;
	return false;
}

/* Who is cancelled loses nothing by a reset that it would keep otherwise. */
static bool is_chip_late(const struct gvirt_sched *sched)
{
	return !(sched->running && sched->running->cancelled) &&
	       gvirt_engine_late(sched->engine);
}

bool gvirt_sched_overdue_locked(struct gvirt_sched *sched)
{
	lockdep_assert_held(&sched->lock);
	return sched->refused || sched->gone ||
	       gvirt_sched_overdue(&sched->yield, is_chip_late(sched),
				   GVIRT_SCHED_YIELD_MS * NSEC_PER_MSEC, ktime_get_ns());
}

/* The port is full: see to it that it gets free, when somebody else waits for it. */
static void watch_locked(struct gvirt_sched *sched, u64 now_ns)
{
	struct gvirt_sched_slot *slot = sched->running;

	if (slot == sched->pending && !sched->yield.by_ns && !may_go_on(sched, now_ns)) {
		if (sched->parked || slot->cancelled || others_want(sched))
			gvirt_sched_bound_locked(sched, now_ns);
		else
			sched->slice_end_ns = now_ns + gvirt_sched_slice(&sched->queue);
	}
}

static u64 earlier(u64 a, u64 b)
{
	return a && a < b ? a : b;
}

/*
 * An idle engine is asked once more: its last event may have been found before the
 * message came, and when that was lost, a user interrupt is still to be told of.
 */
static void arm_locked(struct gvirt_sched *sched, u64 now_ns)
{
	bool busy = sched->running || sched->pending;
	u64 at = busy || !sched->asked ? sched->poll_ns : 0;

	if (!busy)
		at = at ? earlier(sched->wake_ns, at) : sched->wake_ns;
	if (sched->running && !is_host(sched, sched->running) &&
	    (!sched->pending || sched->pending == sched->running) && !sched->yield.by_ns)
		at = earlier(at, sched->slice_end_ns);
	if (sched->yield.by_ns > now_ns)
		at = earlier(at, sched->yield.by_ns);
	if (at)
		hrtimer_start(&sched->timer, ns_to_ktime(at), HRTIMER_MODE_ABS);
	else
		hrtimer_try_to_cancel(&sched->timer);
}

void gvirt_sched_decide_locked(struct gvirt_sched *sched)
{
	u64 now_ns = ktime_get_ns();

	lockdep_assert_held(&sched->lock);
	if (sched->recovering || sched->stopped || sched->loading || sched->refused)
		return;
	if (sched->pending || is_host(sched, sched->running))
		watch_locked(sched, now_ns);
	else if (may_go_on(sched, now_ns))
		go_on_locked(sched);
	else
		turn_locked(sched, now_ns);
	if (gvirt_sched_overdue_locked(sched))
		queue_work(sched->engine->queue, &sched->recovery);
	arm_locked(sched, now_ns);
}
