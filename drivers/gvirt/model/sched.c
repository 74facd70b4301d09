// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scheduler of an engine: what its users say, and what they are told.
 *
 * A slot has two lists: the one in force, and the one that was submitted last
 * (@next). With the engine, @next goes to the port and is in force when the chip has
 * taken it, as it is for a driver that has the chip for itself. Without the
 * engine, nothing of the slot runs, so @next is in force at once, and what it
 * displaces is reported as preempted. Losing a turn is no event for a slot: its
 * contexts stay in its list.
 *
 * Ops are called by one at a time: by the engine's worker, which also makes the
 * decisions that a submission could not make at once (service()), or, while the
 * engine is halted, by who recovers it. State is changed under the lock first, the
 * call comes after it, with @calling keeping the slot from being removed.
 *
 * Locks: see Documentation/locking.rst.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "hw/gpu.h"
#include "sched_private.h"

/* A user interrupt that is reported late may be of somebody who had the engine until then. */
#define USER_GRACE_NS	(10 * NSEC_PER_MSEC)
/* More than all that a cancel waits for takes: yield, engine reset, full reset. */
#define CANCEL_MS	5000

/* Calls. */

void gvirt_sched_call_begin_locked(struct gvirt_sched *sched, struct gvirt_sched_slot *slot)
{
	lockdep_assert_held(&sched->lock);
	WARN_ON_ONCE(sched->calling);
	sched->calling = slot;
}

void gvirt_sched_call_end(struct gvirt_sched *sched)
{
	scoped_guard(spinlock_irqsave, &sched->lock)
		sched->calling = NULL;
	wake_up_all(&sched->wake);
}

static void tell_left(struct gvirt_sched *sched, struct gvirt_sched_slot *slot,
		      struct gvirt_context *context, enum gvirt_left why)
{
	if (slot->ops->left)
		slot->ops->left(slot->data, context, why);
	gvirt_sched_call_end(sched);
}

static void tell_taken(struct gvirt_sched *sched, struct gvirt_sched_slot *slot)
{
	if (slot->ops->taken)
		slot->ops->taken(slot->data);
	gvirt_sched_call_end(sched);
}

/* Lists. */

static bool list_has(const struct gvirt_engine_list *list, const struct gvirt_context *context)
{
	return list->context[0] == context || list->context[1] == context;
}

static void list_remove(struct gvirt_engine_list *list, const struct gvirt_context *context)
{
	if (list->context[0] == context) {
		list->context[0] = list->context[1];
		list->tail[0] = list->tail[1];
		list->context[1] = NULL;
	} else if (list->context[1] == context) {
		list->context[1] = NULL;
	}
}

static void take_next_locked(struct gvirt_sched_slot *slot)
{
	slot->list = slot->next;
	slot->next = (struct gvirt_engine_list) { };
	slot->has_next = false;
}

void gvirt_sched_drop_work_locked(struct gvirt_sched_slot *slot)
{
	slot->list = (struct gvirt_engine_list) { };
	slot->next = (struct gvirt_engine_list) { };
	slot->has_next = false;
	slot->waits_ns = 0;
}

/* What the engine reports. */

static void note_event_locked(struct gvirt_sched *sched, u64 now_ns)
{
	gvirt_sched_poll_later_locked(sched, now_ns);
	sched->asked = false;
}

static void lose_turn_locked(struct gvirt_sched *sched, u64 now_ns)
{
	struct gvirt_sched_slot *slot = sched->running;

	if (!slot)
		return;
	gvirt_sched_charge_locked(sched, now_ns);
	slot->left_ns = now_ns;
	slot->waits_ns = slot->list.context[0] || slot->has_next ? now_ns : 0;
	sched->stale |= slot->has_next;
	sched->running = NULL;
}

static void get_turn_locked(struct gvirt_sched *sched, struct gvirt_sched_slot *slot, u64 now_ns)
{
	sched->running = slot;
	sched->since_ns = now_ns;
	sched->slice_end_ns = now_ns + sched->slice_ns;
	slot->ran = true;
	slot->stats.turns++;
	if (slot->waits_ns)
		slot->stats.waited_ns += now_ns - slot->waits_ns;
	slot->waits_ns = 0;
}

/* Is it for the slot to know? If so, a call has begun. */
static struct gvirt_sched_slot *apply_left(struct gvirt_sched *sched,
					   struct gvirt_context *context, enum gvirt_left why)
{
	struct gvirt_sched_slot *slot;
	u64 now_ns = ktime_get_ns();
	bool own;

	guard(spinlock_irqsave)(&sched->lock);
	slot = sched->running;
	note_event_locked(sched, now_ns);
	if (!slot)
		return NULL;
	own = why == GVIRT_LEFT_COMPLETE || sched->pending == slot;
	if (own)
		list_remove(&slot->list, context);
	else if (context == slot->list.context[0])
		slot->stats.preemptions++;
	if (!slot->list.context[0] && !sched->pending) {
		lose_turn_locked(sched, now_ns);
		sched->yield = (struct gvirt_sched_yield) { };
	}
	if (!own)
		return NULL;
	gvirt_sched_call_begin_locked(sched, slot);
	return slot;
}

static void on_left(void *owner, struct gvirt_context *context, enum gvirt_left why)
{
	struct gvirt_sched *sched = owner;
	struct gvirt_sched_slot *slot;

	/* Who resets the engine sorts out itself what is lost. */
	if (why == GVIRT_LEFT_LOST)
		return;
	slot = apply_left(sched, context, why);
	if (slot)
		tell_left(sched, slot, context, why);
}

/* The pending list runs. Returns its slot if that has to know; a call has begun then. */
static struct gvirt_sched_slot *apply_ready(struct gvirt_sched *sched)
{
	struct gvirt_sched_slot *slot;
	u64 now_ns = ktime_get_ns();
	bool taken;

	guard(spinlock_irqsave)(&sched->lock);
	slot = sched->pending;
	note_event_locked(sched, now_ns);
	if (!slot)
		return NULL;
	taken = sched->pending_next;
	if (taken)
		take_next_locked(slot);
	sched->pending = NULL;
	sched->failures = 0;
	if (sched->running != slot) {
		lose_turn_locked(sched, now_ns);
		get_turn_locked(sched, slot, now_ns);
	}
	sched->yield = (struct gvirt_sched_yield) { };
	if (slot == &sched->host)
		gvirt_sched_bound_locked(sched, now_ns);
	if (!taken)
		return NULL;
	gvirt_sched_call_begin_locked(sched, slot);
	return slot;
}

static void on_ready(void *owner)
{
	struct gvirt_sched *sched = owner;
	struct gvirt_sched_slot *slot = apply_ready(sched);

	if (slot)
		tell_taken(sched, slot);
	else
		wake_up_all(&sched->wake);
}

/*
 * A user interrupt does not say whose it is, and can come long after who asked for it has
 * left. One too many does no harm, one too few does.
 */
static bool may_have_interrupted(const struct gvirt_sched *sched,
				 const struct gvirt_sched_slot *slot, u64 now_ns)
{
	return slot == sched->running || slot->ran || sched->missed ||
	       (slot->left_ns && now_ns - slot->left_ns < USER_GRACE_NS);
}

static void on_user(void *owner, u32 events)
{
	struct gvirt_sched *sched = owner;
	u64 now_ns = ktime_get_ns();
	struct gvirt_sched_slot *slot;
	unsigned int i;

	guard(spinlock_irqsave)(&sched->lock);
	for (i = 0; i < sched->count; i++) {
		slot = sched->slots[i];
		if (may_have_interrupted(sched, slot, now_ns))
			slot->user_due |= events;
		slot->ran = slot == sched->running;
	}
	sched->missed = false;
}

static struct gvirt_sched_slot *begin_error(struct gvirt_sched *sched)
{
	guard(spinlock_irqsave)(&sched->lock);
	if (!sched->running || sched->recovering)
		return NULL;
	gvirt_sched_call_begin_locked(sched, sched->running);
	return sched->running;
}

static void on_error(void *owner, u32 eir)
{
	struct gvirt_sched *sched = owner;
	struct gvirt_sched_slot *slot = begin_error(sched);

	if (!slot)
		return;
	if (slot->ops->error)
		slot->ops->error(slot->data, eir);
	gvirt_sched_call_end(sched);
}

/* What the worker does after events. */

static struct gvirt_sched_slot *begin_user(struct gvirt_sched *sched, u32 *events)
{
	unsigned int i;

	guard(spinlock_irqsave)(&sched->lock);
	for (i = 0; i < sched->count && !sched->recovering; i++) {
		if (!sched->slots[i]->user_due)
			continue;
		*events = sched->slots[i]->user_due;
		sched->slots[i]->user_due = 0;
		gvirt_sched_call_begin_locked(sched, sched->slots[i]);
		return sched->slots[i];
	}
	return NULL;
}

static void tell_users(struct gvirt_sched *sched)
{
	struct gvirt_sched_slot *slot;
	u32 events;

	while ((slot = begin_user(sched, &events))) {
		if (slot->ops->user)
			slot->ops->user(slot->data, events);
		gvirt_sched_call_end(sched);
	}
}

static struct gvirt_sched_slot *find_stale_locked(struct gvirt_sched *sched)
{
	unsigned int i;

	if (!sched->stale || sched->recovering)
		return NULL;
	for (i = 0; i < sched->count; i++) {
		struct gvirt_sched_slot *slot = sched->slots[i];

		if (slot->has_next && !slot->cancelled && slot != sched->running &&
		    slot != sched->pending)
			return slot;
	}
	sched->stale = false;
	return NULL;
}

/* First who is not in the new list, then the new list. */
static struct gvirt_sched_slot *begin_stale(struct gvirt_sched *sched,
					    struct gvirt_context **displaced)
{
	struct gvirt_sched_slot *slot;
	unsigned int i;

	*displaced = NULL;
	guard(spinlock_irqsave)(&sched->lock);
	slot = find_stale_locked(sched);
	if (!slot)
		return NULL;
	for (i = 0; i < GVIRT_ENGINE_ELEMENTS && !*displaced; i++)
		if (!list_has(&slot->next, slot->list.context[i]))
			*displaced = slot->list.context[i];
	if (*displaced)
		list_remove(&slot->list, *displaced);
	else
		take_next_locked(slot);
	gvirt_sched_call_begin_locked(sched, slot);
	return slot;
}

static void tell_stale(struct gvirt_sched *sched)
{
	struct gvirt_context *displaced;
	struct gvirt_sched_slot *slot;

	while ((slot = begin_stale(sched, &displaced))) {
		if (displaced)
			tell_left(sched, slot, displaced, GVIRT_LEFT_PREEMPTED);
		else
			tell_taken(sched, slot);
	}
}

/*
 * A message of the chip that got lost would never be repeated. Also when its events
 * have been found by now and the engine is idle: it may have told of more.
 */
static void poll_engine(struct gvirt_sched *sched)
{
	if (!READ_ONCE(sched->silent))
		return;
	WRITE_ONCE(sched->silent, false);
	scoped_guard(spinlock_irqsave, &sched->lock) {
		note_event_locked(sched, ktime_get_ns());
		sched->asked = true;
	}
	if (gvirt_irq_kick(sched->engine->irq)) {
		guard(spinlock_irqsave)(&sched->lock);
		sched->missed = true;
	} else if (gvirt_engine_look(sched->engine) == GVIRT_LOOKED_GONE) {
		guard(spinlock_irqsave)(&sched->lock);
		sched->gone = true;
		queue_work(sched->engine->queue, &sched->recovery);
	}
}

static struct gvirt_sched_slot *begin_load(struct gvirt_sched *sched)
{
	guard(spinlock_irqsave)(&sched->lock);
	gvirt_sched_decide_locked(sched);
	if (!gvirt_sched_load_due_locked(sched))
		return NULL;
	sched->loading = true;
	gvirt_sched_call_begin_locked(sched, sched->chosen);
	return sched->chosen;
}

static void end_load(struct gvirt_sched *sched, struct gvirt_sched_slot *slot)
{
	guard(spinlock_irqsave)(&sched->lock);
	sched->loading = false;
	sched->loaded = slot;
}

static void decide(struct gvirt_sched *sched)
{
	struct gvirt_sched_slot *slot;

	while ((slot = begin_load(sched))) {
		if (slot->ops->load)
			slot->ops->load(slot->data);
		end_load(sched, slot);
		gvirt_sched_call_end(sched);
	}
}

static void service(void *owner)
{
	struct gvirt_sched *sched = owner;

	poll_engine(sched);
	tell_stale(sched);
	decide(sched);
	tell_users(sched);
}

static const struct gvirt_engine_ops engine_ops = {
	.left = on_left,
	.ready = on_ready,
	.user = on_user,
	.error = on_error,
	.service = service,
};

static enum hrtimer_restart on_timer(struct hrtimer *timer)
{
	struct gvirt_sched *sched = container_of(timer, struct gvirt_sched, timer);

	if (ktime_get_ns() >= READ_ONCE(sched->poll_ns))
		WRITE_ONCE(sched->silent, true);
	gvirt_engine_kick(sched->engine);
	return HRTIMER_NORESTART;
}

/* What users say. */

int gvirt_sched_submit(struct gvirt_sched_slot *slot, struct gvirt_context *first,
		       struct gvirt_context *second)
{
	struct gvirt_sched *sched = slot->sched;

	if (first == second)
		return -EINVAL;
	guard(spinlock_irqsave)(&sched->lock);
	if (sched->stopped)
		return -EIO;
	if (slot->has_next || slot->cancelled)
		return -EBUSY;
	slot->next = (struct gvirt_engine_list) {
		.context = { first, second },
		.tail = { first->tail, second ? second->tail : 0 },
	};
	slot->has_next = true;
	if (slot != sched->running && !slot->waits_ns)
		slot->waits_ns = ktime_get_ns();
	gvirt_sched_decide_locked(sched);
	if (slot != sched->pending && slot != sched->running) {
		sched->stale = true;
		gvirt_engine_kick(sched->engine);
	}
	return 0;
}

static bool is_off(struct gvirt_sched *sched, const struct gvirt_sched_slot *slot)
{
	guard(spinlock_irqsave)(&sched->lock);
	return sched->running != slot && sched->pending != slot && sched->calling != slot;
}

static u64 cancel_begin(struct gvirt_sched *sched, struct gvirt_sched_slot *slot,
			unsigned int yield_ms)
{
	u64 bound = ktime_get_ns() + yield_ms * NSEC_PER_MSEC;

	guard(spinlock_irqsave)(&sched->lock);
	slot->cancelled = true;
	slot->yield_ms = yield_ms;
	if (sched->chosen == slot && !sched->loading)
		sched->chosen = NULL;
	/* It may have been asked to go already, with more patience. */
	if (sched->running == slot && sched->yield.by_ns > bound)
		sched->yield.by_ns = bound;
	gvirt_sched_decide_locked(sched);
	return slot->stats.lost;
}

/* A user interrupt that is due stays due: it is of what was complete before. */
static bool cancel_end(struct gvirt_sched *sched, struct gvirt_sched_slot *slot, u64 lost)
{
	guard(spinlock_irqsave)(&sched->lock);
	gvirt_sched_drop_work_locked(slot);
	slot->cancelled = false;
	if (sched->chosen == slot)
		sched->chosen = NULL;
	return slot->stats.lost == lost;
}

int gvirt_sched_cancel(struct gvirt_sched_slot *slot, unsigned int yield_ms)
{
	struct gvirt_sched *sched = slot->sched;
	u64 lost;

	lost = cancel_begin(sched, slot, min(yield_ms, GVIRT_SCHED_YIELD_MS));
	if (!wait_event_timeout(sched->wake, is_off(sched, slot), msecs_to_jiffies(CANCEL_MS)))
		gvirt_scheds_give_up(sched->all);
	return cancel_end(sched, slot, lost) ? 0 : -EIO;
}

int gvirt_sched_add(struct gvirt_sched *sched, struct gvirt_sched_slot *slot,
		    const struct gvirt_sched_ops *ops, void *data)
{
	*slot = (struct gvirt_sched_slot) {
		.ops = ops,
		.data = data,
		.entity.weight = GVIRT_SCHED_WEIGHT_DEFAULT,
	};
	guard(spinlock_irqsave)(&sched->lock);
	if (sched->count == GVIRT_SCHED_SLOTS)
		return -ENOSPC;
	gvirt_sched_init(&slot->entity, &sched->queue, ktime_get_ns());
	slot->sched = sched;
	sched->slots[sched->count] = slot;
	sched->entities[sched->count++] = &slot->entity;
	return 0;
}

void gvirt_sched_remove(struct gvirt_sched_slot *slot)
{
	struct gvirt_sched *sched = slot->sched;
	unsigned int i = 0;

	if (!sched)
		return;
	gvirt_sched_cancel(slot, GVIRT_SCHED_YIELD_MS);
	guard(spinlock_irqsave)(&sched->lock);
	while (sched->slots[i] != slot)
		i++;
	sched->slots[i] = sched->slots[--sched->count];
	sched->entities[i] = &sched->slots[i]->entity;
	if (sched->loaded == slot)
		sched->loaded = NULL;
	slot->sched = NULL;
}

bool gvirt_sched_running(const struct gvirt_sched_slot *slot)
{
	return READ_ONCE(slot->sched->running) == slot;
}

/* Life. */

struct gvirt_sched *gvirt_scheds_engine(struct gvirt_scheds *scheds, enum gvirt_engine_id engine)
{
	return scheds->sched[engine].engine ? &scheds->sched[engine] : NULL;
}

static const struct gvirt_sched_ops no_ops;

static int start(struct gvirt_scheds *scheds, enum gvirt_engine_id id)
{
	struct gvirt_sched *sched = &scheds->sched[id];
	struct gvirt_gpu *gpu = scheds->gpu;
	int err;

	err = gvirt_context_init(&sched->idle, id, &gpu->ggtt, &gpu->scratch, PAGE_SIZE);
	if (err)
		return err;
	sched->all = scheds;
	sched->engine = gpu->engine[id];
	sched->host.sched = sched;
	sched->host.ops = &no_ops;
	spin_lock_init(&sched->lock);
	gvirt_compat_hrtimer_setup(&sched->timer, on_timer);
	INIT_WORK(&sched->recovery, gvirt_sched_recover);
	init_waitqueue_head(&sched->wake);
	gvirt_engine_attach(sched->engine, &engine_ops, sched);
	return 0;
}

static void stop(struct gvirt_sched *sched)
{
	scoped_guard(spinlock_irqsave, &sched->lock)
		sched->stopped = true;
	hrtimer_cancel(&sched->timer);
	cancel_work_sync(&sched->recovery);
}

void gvirt_scheds_stop(struct gvirt_scheds *scheds)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (scheds->sched[i].engine)
			stop(&scheds->sched[i]);
}

unsigned int gvirt_scheds_users(struct gvirt_scheds *scheds)
{
	unsigned int users = 0, count, i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		count = READ_ONCE(scheds->sched[i].count);
		if (count > users)
			users = count;
	}
	return users;
}

void gvirt_scheds_rest(struct gvirt_scheds *scheds)
{
	struct gvirt_sched *sched;

	for (sched = scheds->sched; sched < scheds->sched + GVIRT_ENGINES; sched++) {
		if (!sched->engine)
			continue;
		gvirt_engine_wait_idle(sched->engine, GVIRT_SCHED_YIELD_MS);
		gvirt_engine_halt(sched->engine);
		hrtimer_cancel(&sched->timer);
		cancel_work_sync(&sched->recovery);
		gvirt_context_reset(&sched->idle);
	}
}

/* Whoever tried the engines had them for himself. */
void gvirt_scheds_wake(struct gvirt_scheds *scheds)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (scheds->sched[i].engine)
			gvirt_engine_attach(scheds->sched[i].engine, &engine_ops,
					    &scheds->sched[i]);
}

/* The host's own context may be on its way out still. */
static void release(struct gvirt_scheds *scheds, struct gvirt_sched *sched)
{
	if (gvirt_engine_wait_idle(sched->engine, GVIRT_SCHED_YIELD_MS) &&
	    gvirt_reset_engine(&scheds->gpu->reset, sched->engine))
		gvirt_gpu_give_up(scheds->gpu);
	gvirt_engine_attach(sched->engine, NULL, NULL);
	gvirt_context_fini(&sched->idle);
}

void gvirt_scheds_destroy(struct gvirt_scheds *scheds)
{
	unsigned int i;

	gvirt_scheds_stop(scheds);
	for (i = 0; i < GVIRT_ENGINES; i++)
		if (scheds->sched[i].engine)
			release(scheds, &scheds->sched[i]);
	mutex_destroy(&scheds->tuning);
	mutex_destroy(&scheds->lock);
	kvfree(scheds);
}

struct gvirt_scheds *gvirt_scheds_create(struct gvirt_gpu *gpu)
{
	struct gvirt_scheds *scheds = kvzalloc(sizeof(*scheds), GFP_KERNEL);
	unsigned int i;
	int err = 0;

	if (!scheds)
		return ERR_PTR(-ENOMEM);
	scheds->gpu = gpu;
	scheds->slice_ns = GVIRT_SCHED_SLICE_DEFAULT_NS;
	mutex_init(&scheds->lock);
	mutex_init(&scheds->tuning);
	for (i = 0; i < GVIRT_ENGINES && !err; i++)
		if (gpu->engine[i])
			err = start(scheds, i);
	if (!err)
		return scheds;
	gvirt_scheds_destroy(scheds);
	return ERR_PTR(err);
}
