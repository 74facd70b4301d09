// SPDX-License-Identifier: GPL-2.0-only
/*
 * The chip of the scheduler's tests, and the loop in which everything happens.
 */
#include <stdio.h>
#include "chip.h"

#define EVENTS		64
/* An engine takes a list after 10 to 50 us. */
#define TAKE_MIN_NS	10000u
#define TAKE_SPREAD_NS	40000u
#define STEPS_MAX	50000000u

/**
 * struct event - What hw/engine makes of an entry of the context status buffer
 * @context: contexts that left
 * @why: why
 * @count: how many
 * @ready: the port became free
 */
struct event {
	struct gvirt_context *context[2 * GVIRT_ENGINE_ELEMENTS];
	enum gvirt_left why[2 * GVIRT_ENGINE_ELEMENTS];
	unsigned int count;
	bool ready;
};

/**
 * struct unit - An engine
 * @hw: what the scheduler sees; @hw.active and @hw.pending are the chip's lists here
 * @event: events, from @read to @written
 * @read: likewise
 * @written: likewise
 * @since_ns: what runs has been charged up to here
 * @take_ns: when the pending list may be taken
 * @stopped: by a halt
 * @kicked: the worker has to run
 * @user: a user interrupt was executed
 * @silent: messages do not arrive
 * @stall_ns: the next event stands still for so long
 * @stalled_ns: until then it does
 * @refuses: its reset
 * @resets: how many
 */
struct unit {
	struct gvirt_engine hw;
	struct event event[EVENTS];
	unsigned int read;
	unsigned int written;
	u64 since_ns;
	u64 take_ns;
	bool stopped;
	bool kicked;
	bool user;
	bool silent;
	u64 stall_ns;
	u64 stalled_ns;
	bool refuses;
	unsigned int resets;
};

static struct {
	u64 now_ns;
	u64 random;
	bool refuses;
	struct unit unit[GVIRT_ENGINES];
	struct workqueue_struct queue;
	struct gvirt_scheds *scheds;
} chip;

u64 ktime_get_ns(void)
{
	return chip.now_ns;
}

void shim_bug(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: %s\n", file, line, what);
	abort();
}

void chip_seed(u64 seed)
{
	chip.random = seed * 2654435761u + 88172645463325252ull;
}

u64 chip_random(void)
{
	chip.random ^= chip.random << 13;
	chip.random ^= chip.random >> 7;
	chip.random ^= chip.random << 17;
	return chip.random;
}

static struct unit *unit_of(struct gvirt_engine *engine)
{
	return container_of(engine, struct unit, hw);
}

static bool list_has(const struct gvirt_engine_list *list, const struct gvirt_context *context)
{
	return list->context[0] == context || list->context[1] == context;
}

/* What the engine does. */

static bool stands(const struct unit *unit)
{
	return unit->stopped || chip.now_ns < unit->stalled_ns;
}

static struct chip_job *running_job(struct unit *unit)
{
	const struct gvirt_context *context = unit->hw.active.context[0];

	return context ? context->owner : NULL;
}

static bool can_leave(struct unit *unit)
{
	const struct chip_job *job = running_job(unit);

	return !job || !job->stuck;
}

/* The host's own context has nothing to do. */
static u64 work_left(struct unit *unit)
{
	const struct chip_job *job = running_job(unit);

	return job ? job->left_ns : 0;
}

static void charge(struct unit *unit)
{
	struct chip_job *job = running_job(unit);
	u64 from_ns = unit->since_ns < unit->stalled_ns ? unit->stalled_ns : unit->since_ns;
	u64 ns = chip.now_ns - from_ns;

	unit->since_ns = chip.now_ns;
	if (!job || stands(unit))
		return;
	job->ran_ns += ns;
	if (job->left_ns != CHIP_FOREVER)
		job->left_ns -= min(ns, job->left_ns);
}

static void depart(struct event *event, struct gvirt_context *context, enum gvirt_left why)
{
	if (!context)
		return;
	event->context[event->count] = context;
	event->why[event->count++] = why;
}

static void report(struct unit *unit, const struct event *event)
{
	SHIM_FAULT_IF(unit->written - unit->read == EVENTS);
	unit->event[unit->written++ % EVENTS] = *event;
	if (unit->stall_ns)
		unit->stalled_ns = chip.now_ns + unit->stall_ns;
	unit->stall_ns = 0;
	if (!unit->silent)
		unit->kicked = true;
}

static void promote(struct unit *unit, struct event *event)
{
	unit->hw.active = unit->hw.pending;
	unit->hw.pending = (struct gvirt_engine_list) { };
	event->ready = true;
}

static void preempt(struct unit *unit, bool complete)
{
	struct gvirt_context **old = unit->hw.active.context;
	struct event event = { };

	if (complete)
		depart(&event, old[0], GVIRT_LEFT_COMPLETE);
	else if (!list_has(&unit->hw.pending, old[0]))
		depart(&event, old[0], GVIRT_LEFT_PREEMPTED);
	if (!list_has(&unit->hw.pending, old[1]))
		depart(&event, old[1], GVIRT_LEFT_PREEMPTED);
	promote(unit, &event);
	report(unit, &event);
}

static void complete(struct unit *unit)
{
	struct gvirt_engine_list *active = &unit->hw.active;
	struct event event = { };

	if (unit->hw.pending.context[0]) {
		preempt(unit, true);
		return;
	}
	depart(&event, active->context[0], GVIRT_LEFT_COMPLETE);
	active->context[0] = active->context[1];
	active->context[1] = NULL;
	report(unit, &event);
}

static bool step_unit(struct unit *unit)
{
	charge(unit);
	if (stands(unit))
		return false;
	if (unit->hw.active.context[0] && !work_left(unit) && can_leave(unit)) {
		complete(unit);
		return true;
	}
	if (unit->hw.pending.context[0] && chip.now_ns >= unit->take_ns && can_leave(unit)) {
		preempt(unit, false);
		return true;
	}
	return false;
}

static u64 next_of(struct unit *unit)
{
	u64 next_ns = CHIP_FOREVER;

	if (chip.now_ns < unit->stalled_ns && !unit->stopped)
		return unit->stalled_ns;
	if (unit->stopped || !can_leave(unit))
		return next_ns;
	if (unit->hw.active.context[0] && work_left(unit) != CHIP_FOREVER)
		next_ns = chip.now_ns + work_left(unit);
	if (unit->hw.pending.context[0])
		next_ns = min(next_ns, unit->take_ns);
	return next_ns;
}

/* The hardware layer. */

static void tell(struct unit *unit)
{
	const struct gvirt_engine_ops *ops = unit->hw.ops;
	unsigned int i;

	while (unit->read != unit->written) {
		struct event event = unit->event[unit->read++ % EVENTS];

		for (i = 0; i < event.count; i++)
			ops->left(unit->hw.owner, event.context[i], event.why[i]);
		if (event.ready)
			ops->ready(unit->hw.owner);
	}
}

static void work(struct unit *unit)
{
	/* Events are in memory, this one is in registers, which nobody reads without a message. */
	bool user = unit->user && !unit->silent;

	unit->kicked = false;
	if (!unit->hw.running || !unit->hw.ops)
		return;
	unit->user &= unit->silent;
	tell(unit);
	if (user)
		unit->hw.ops->user(unit->hw.owner, GVIRT_IRQ_USER);
	unit->hw.ops->service(unit->hw.owner);
}

int gvirt_engine_submit_list(struct gvirt_engine *engine, const struct gvirt_engine_list *list)
{
	struct unit *unit = unit_of(engine);
	unsigned int i;

	SHIM_FAULT_IF(!list->context[0] || list->context[0] == list->context[1]);
	if (!engine->running)
		return -EIO;
	/* The port is taken for full until it was read that it is not. */
	for (i = unit->read; i != unit->written; i++)
		SHIM_FAULT_IF(unit->event[i % EVENTS].ready);
	SHIM_FAULT_IF(engine->pending.context[0]);
	engine->pending = *list;
	unit->take_ns = chip.now_ns + TAKE_MIN_NS + chip_random() % TAKE_SPREAD_NS;
	return 0;
}

/* All that this chip does it says. */
enum gvirt_looked gvirt_engine_look(struct gvirt_engine *engine)
{
	(void)engine;
	return GVIRT_LOOKED_NOTHING;
}

bool gvirt_engine_late(struct gvirt_engine *engine)
{
	return chip.now_ns < unit_of(engine)->stalled_ns;
}

void gvirt_engine_kick(struct gvirt_engine *engine)
{
	unit_of(engine)->kicked = true;
}

void gvirt_engine_attach(struct gvirt_engine *engine, const struct gvirt_engine_ops *ops,
			 void *owner)
{
	engine->ops = ops;
	engine->owner = owner;
}

void gvirt_engine_halt(struct gvirt_engine *engine)
{
	struct unit *unit = unit_of(engine);

	engine->running = false;
	while (step_unit(unit))
		;
	unit->stopped = true;
	tell(unit);
}

static void start(struct unit *unit)
{
	unit->stopped = false;
	unit->since_ns = chip.now_ns;
	unit->hw.running = true;
}

void gvirt_engine_resume(struct gvirt_engine *engine)
{
	start(unit_of(engine));
	gvirt_engine_kick(engine);
}

int gvirt_engine_wait_idle(struct gvirt_engine *engine, unsigned int timeout_ms)
{
	u64 end_ns = chip.now_ns + timeout_ms * NSEC_PER_MSEC;

	while (!chip_idle(engine->id))
		if (!shim_step(end_ns))
			return -ETIMEDOUT;
	return 0;
}

bool gvirt_irq_kick(struct gvirt_irq *irq)
{
	bool lost = false;
	unsigned int i;

	(void)irq;
	for (i = 0; i < GVIRT_ENGINES; i++) {
		lost |= chip.unit[i].silent;
		chip.unit[i].kicked |= chip.unit[i].silent;
		chip.unit[i].silent = false;
	}
	return lost;
}

static void drop(struct unit *unit)
{
	struct gvirt_engine_list active = unit->hw.active, pending = unit->hw.pending;
	unsigned int i;

	unit->hw.active = (struct gvirt_engine_list) { };
	unit->hw.pending = (struct gvirt_engine_list) { };
	for (i = 0; i < GVIRT_ENGINE_ELEMENTS; i++)
		if (active.context[i])
			unit->hw.ops->left(unit->hw.owner, active.context[i], GVIRT_LEFT_LOST);
	for (i = 0; i < GVIRT_ENGINE_ELEMENTS; i++)
		if (pending.context[i] && !list_has(&active, pending.context[i]))
			unit->hw.ops->left(unit->hw.owner, pending.context[i], GVIRT_LEFT_LOST);
}

static void restart(struct unit *unit)
{
	unit->resets++;
	unit->refuses = false;
	unit->stalled_ns = 0;
	drop(unit);
	start(unit);
}

int gvirt_reset_engine(struct gvirt_reset *reset, struct gvirt_engine *engine)
{
	(void)reset;
	gvirt_engine_halt(engine);
	if (unit_of(engine)->refuses)
		return -ETIMEDOUT;
	restart(unit_of(engine));
	return 0;
}

int gvirt_gpu_restart(struct gvirt_gpu *gpu)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		gvirt_engine_halt(gpu->engine[i]);
	if (chip.refuses)
		return -ETIMEDOUT;
	for (i = 0; i < GVIRT_ENGINES; i++)
		restart(&chip.unit[i]);
	return 0;
}

void gvirt_gpu_give_up(struct gvirt_gpu *gpu)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		SHIM_FAULT_IF(gpu->engine[i]->running);
		drop(&chip.unit[i]);
	}
}

int gvirt_context_init(struct gvirt_context *context, enum gvirt_engine_id engine,
		       struct gvirt_ggtt *ggtt, const struct gvirt_scratch *scratch, u32 ring_size)
{
	(void)ggtt;
	(void)scratch;
	*context = (struct gvirt_context) {
		.engine = engine,
		.ring.pages = ring_size >> PAGE_SHIFT,
	};
	return 0;
}

void gvirt_context_fini(struct gvirt_context *context)
{
	SHIM_FAULT_IF(chip_has(context));
}

void gvirt_context_reset(struct gvirt_context *context)
{
	SHIM_FAULT_IF(chip_has(context));
	context->tail = 0;
}

/* What happens next. */

static bool work_off(void)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		if (!chip.unit[i].kicked)
			continue;
		work(&chip.unit[i]);
		return true;
	}
	for (i = 0; chip.scheds && i < GVIRT_ENGINES; i++) {
		struct work_struct *recovery = &chip.scheds->sched[i].recovery;

		/* Its mutex is held by who waits. */
		if (!recovery->queued || chip.scheds->lock.held)
			continue;
		recovery->queued = false;
		recovery->function(recovery);
		return true;
	}
	return false;
}

static void fire_timers(void)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		struct hrtimer *timer = &chip.scheds->sched[i].timer;

		if (!timer->at || timer->at > chip.now_ns)
			continue;
		timer->at = 0;
		timer->function(timer);
	}
}

static u64 next_event(u64 end_ns)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		end_ns = min(end_ns, next_of(&chip.unit[i]));
		if (chip.scheds && chip.scheds->sched[i].timer.at)
			end_ns = min(end_ns, chip.scheds->sched[i].timer.at);
	}
	return end_ns;
}

bool shim_step(u64 end_ns)
{
	unsigned int i;
	u64 next_ns;

	for (i = 0; i < GVIRT_ENGINES; i++)
		while (step_unit(&chip.unit[i]))
			;
	if (work_off())
		return true;
	next_ns = next_event(end_ns);
	if (next_ns > chip.now_ns)
		chip.now_ns = next_ns;
	if (chip.scheds)
		fire_timers();
	for (i = 0; i < GVIRT_ENGINES; i++)
		while (step_unit(&chip.unit[i]))
			;
	return chip.now_ns < end_ns;
}

void chip_run(u64 ns)
{
	u64 end_ns = chip.now_ns + ns;
	unsigned int steps = 0;

	while (shim_step(end_ns))
		SHIM_FAULT_IF(steps++ == STEPS_MAX);
}

/* For tests. */

bool chip_has(const struct gvirt_context *context)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (list_has(&chip.unit[i].hw.active, context) ||
		    list_has(&chip.unit[i].hw.pending, context))
			return true;
	return false;
}

bool chip_idle(enum gvirt_engine_id engine)
{
	const struct gvirt_engine *hw = &chip.unit[engine].hw;

	return !hw->active.context[0] && !hw->pending.context[0];
}

void chip_refuse(enum gvirt_engine_id engine, bool for_good)
{
	chip.unit[engine].refuses = true;
	chip.refuses = for_good;
}

void chip_lose(enum gvirt_engine_id engine)
{
	chip.unit[engine].silent = true;
}

void chip_stall(enum gvirt_engine_id engine, u64 ns)
{
	chip.unit[engine].stall_ns = ns;
}

void chip_interrupt(enum gvirt_engine_id engine)
{
	chip.unit[engine].user = true;
	if (!chip.unit[engine].silent)
		chip.unit[engine].kicked = true;
}

unsigned int chip_resets(enum gvirt_engine_id engine)
{
	return chip.unit[engine].resets;
}

void chip_schedule(struct gvirt_scheds *scheds)
{
	chip.scheds = scheds;
}

void chip_init(struct gvirt_gpu *gpu)
{
	unsigned int i;

	memset(chip.unit, 0, sizeof(chip.unit));
	chip.now_ns += NSEC_PER_MSEC;
	chip.refuses = false;
	*gpu = (struct gvirt_gpu) { };
	for (i = 0; i < GVIRT_ENGINES; i++) {
		struct unit *unit = &chip.unit[i];

		unit->hw.id = i;
		unit->hw.queue = &chip.queue;
		gpu->engine[i] = &unit->hw;
		start(unit);
	}
}
