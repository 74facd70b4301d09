// SPDX-License-Identifier: GPL-2.0-only
/*
 * The simulated engine: see sim.h. It does what model/sched_turn.c does with a chip that
 * takes a list and lets one go at once: a decision when a slice ends, when who has the engine
 * has no more work, and when an idle engine gets some; no decision within a slice.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

/**
 * struct job - A piece of work
 * @next: that arrived after it
 * @arrived_ns: when it did
 * @left_ns: what is left of it; SIM_FOREVER: it does not end
 * @started: it has had the engine
 */
struct job {
	struct job *next;
	u64 arrived_ns;
	u64 left_ns;
	bool started;
};

/**
 * struct waits - How long those waited that started
 * @ns: each one's
 * @count: how many
 * @room: for how many there is memory
 */
struct waits {
	u64 *ns;
	unsigned int count;
	unsigned int room;
};

/**
 * struct engine - The state of a simulation
 * @trace: what is simulated
 * @result: what comes of it
 * @now_ns: the time
 * @since_ns: who has the engine has been charged up to here
 * @queue: for the policy
 * @entity: for the policy
 * @list: pointers to these
 * @first: oldest work of each entity
 * @last: newest
 * @waits: of each entity
 * @event: next event
 * @has: who has the engine; -1: nobody
 */
struct engine {
	const struct sim_trace *trace;
	struct sim_result *result;
	u64 now_ns;
	u64 since_ns;
	struct gvirt_sched_queue queue;
	struct gvirt_sched_entity entity[SIM_ENTITIES];
	struct gvirt_sched_entity *list[SIM_ENTITIES];
	struct job *first[SIM_ENTITIES];
	struct job *last[SIM_ENTITIES];
	struct waits waits[SIM_ENTITIES];
	unsigned int event;
	int has;
};

static void *grow(void *memory, unsigned int count, unsigned int *room, size_t size)
{
	if (count < *room)
		return memory;
	*room = *room ? 2 * *room : 64;
	memory = reallocarray(memory, *room, size);
	if (!memory)
		err(EXIT_FAILURE, "schedsim");
	return memory;
}

/* Traces. */

void sim_trace_init(struct sim_trace *trace)
{
	*trace = (struct sim_trace) {
		.slice_ns = GVIRT_SCHED_SLICE_DEFAULT_NS,
		.duration_ns = 1000000000,
	};
}

void sim_trace_fini(struct sim_trace *trace)
{
	free(trace->event);
	trace->event = NULL;
}

void sim_trace_add(struct sim_trace *trace, const struct sim_event *event)
{
	trace->event = grow(trace->event, trace->events, &trace->room, sizeof(*event));
	trace->event[trace->events] = *event;
	trace->event[trace->events].order = trace->events;
	trace->events++;
}

static int compare_events(const void *a, const void *b)
{
	const struct sim_event *first = a, *second = b;

	if (first->at_ns != second->at_ns)
		return first->at_ns < second->at_ns ? -1 : 1;
	return first->order < second->order ? -1 : 1;
}

void sim_trace_sort(struct sim_trace *trace)
{
	if (trace->events)
		qsort(trace->event, trace->events, sizeof(*trace->event), compare_events);
}

/* Work. */

static bool counts(const struct engine *engine)
{
	return engine->now_ns >= engine->trace->warmup_ns;
}

static void arrive(struct engine *engine, const struct sim_event *event)
{
	struct job *job = calloc(1, sizeof(*job));
	unsigned int n = event->entity;

	if (!job)
		err(EXIT_FAILURE, "schedsim");
	*job = (struct job) { .arrived_ns = event->at_ns, .left_ns = event->length_ns };
	if (engine->first[n])
		engine->last[n]->next = job;
	else
		engine->first[n] = job;
	engine->last[n] = job;
	engine->entity[n].runnable = true;
	if (counts(engine))
		engine->result->share[n].arrived++;
}

static void drop_first(struct engine *engine, unsigned int n)
{
	struct job *job = engine->first[n];

	engine->first[n] = job->next;
	free(job);
}

static void note_start(struct engine *engine, unsigned int n)
{
	struct waits *waits = &engine->waits[n];
	struct job *job = engine->first[n];

	if (job->started)
		return;
	job->started = true;
	if (!counts(engine))
		return;
	waits->ns = grow(waits->ns, waits->count, &waits->room, sizeof(*waits->ns));
	waits->ns[waits->count++] = engine->now_ns - job->arrived_ns;
}

/* Who has the engine is charged up to now. */
static void charge(struct engine *engine)
{
	u64 from_ns = engine->since_ns, warm_ns = engine->trace->warmup_ns, counted_ns = 0;

	engine->since_ns = engine->now_ns;
	if (engine->now_ns > warm_ns)
		counted_ns = engine->now_ns - (from_ns > warm_ns ? from_ns : warm_ns);
	if (engine->has < 0) {
		engine->result->idle_ns += counted_ns;
		return;
	}
	engine->result->share[engine->has].ran_ns += counted_ns;
	gvirt_sched_account(&engine->entity[engine->has], engine->now_ns - from_ns,
			    engine->now_ns);
}

/* Events. */

static void happen(struct engine *engine, const struct sim_event *event)
{
	struct gvirt_sched_entity *entity = &engine->entity[event->entity];

	switch (event->kind) {
	case SIM_WORK:
		arrive(engine, event);
		break;
	case SIM_SHARE:
		charge(engine);
		gvirt_sched_reshare(entity, &engine->queue, event->weight, event->cap,
				    engine->now_ns);
		break;
	case SIM_POLICY:
		charge(engine);
		gvirt_sched_switch(&engine->queue, event->policy, engine->list,
				   engine->trace->entities, engine->now_ns);
		break;
	case SIM_SLICE:
		engine->queue.slice_ns = event->length_ns;
		break;
	}
}

static u64 next_event_ns(const struct engine *engine)
{
	const struct sim_trace *trace = engine->trace;

	return engine->event < trace->events ? trace->event[engine->event].at_ns : SIM_FOREVER;
}

static u64 end_ns(const struct engine *engine)
{
	return engine->trace->warmup_ns + engine->trace->duration_ns;
}

static u64 least(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* Time goes on, and what happens meanwhile happens. */
static void advance(struct engine *engine, u64 to_ns)
{
	u64 at_ns;

	to_ns = least(to_ns, end_ns(engine));
	while ((at_ns = next_event_ns(engine)) <= to_ns) {
		if (at_ns > engine->now_ns)
			engine->now_ns = at_ns;
		happen(engine, &engine->trace->event[engine->event++]);
	}
	if (to_ns > engine->now_ns)
		engine->now_ns = to_ns;
}

/* Nobody may run until @wake_ns (0: until there is work), or until something happens. */
static void idle(struct engine *engine, u64 wake_ns)
{
	u64 to_ns = next_event_ns(engine);

	engine->has = -1;
	if (wake_ns)
		to_ns = least(to_ns, wake_ns);
	advance(engine, to_ns);
	charge(engine);
}

static void change_hands(struct engine *engine, int next)
{
	if (engine->has == next)
		return;
	advance(engine, engine->now_ns + engine->trace->switch_ns);
	charge(engine);
	engine->has = next;
	if (!counts(engine))
		return;
	engine->result->switches++;
	engine->result->share[next].turns++;
}

/* Until its slice ends, or it has nothing left. */
static void use(struct engine *engine, u64 slice_ns)
{
	unsigned int n = engine->has;
	u64 slice_end_ns = engine->now_ns + slice_ns, ran_ns;
	struct job *job;

	while ((job = engine->first[n]) && engine->now_ns < least(slice_end_ns, end_ns(engine))) {
		note_start(engine, n);
		ran_ns = least(job->left_ns, slice_end_ns - engine->now_ns);
		ran_ns = least(ran_ns, end_ns(engine) - engine->now_ns);
		advance(engine, engine->now_ns + ran_ns);
		if (job->left_ns == SIM_FOREVER)
			continue;
		job->left_ns -= ran_ns;
		if (job->left_ns)
			continue;
		drop_first(engine, n);
		if (counts(engine))
			engine->result->share[n].completed++;
	}
	engine->entity[n].runnable = engine->first[n];
	charge(engine);
}

static void step(struct engine *engine)
{
	struct gvirt_sched_decision next;

	next = gvirt_sched_pick(&engine->queue, engine->list, engine->trace->entities,
				engine->now_ns);
	if (next.index < 0) {
		idle(engine, next.wake_ns);
		return;
	}
	change_hands(engine, next.index);
	use(engine, next.slice_ns);
}

/* Results. */

static int compare_waits(const void *a, const void *b)
{
	const u64 *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

/* Of @count sorted values, the first one that @percent of them do not exceed. */
static unsigned int rank(unsigned int count, unsigned int percent)
{
	return ((u64)count * percent + 99) / 100 - 1;
}

static void sum_up(const struct waits *waits, struct sim_latency *latency)
{
	latency->count = waits->count;
	if (!waits->count)
		return;
	qsort(waits->ns, waits->count, sizeof(*waits->ns), compare_waits);
	latency->p50_ns = waits->ns[rank(waits->count, 50)];
	latency->p95_ns = waits->ns[rank(waits->count, 95)];
	latency->max_ns = waits->ns[waits->count - 1];
}

static void begin(struct engine *engine, const struct sim_trace *trace,
		  struct sim_result *result)
{
	unsigned int i;

	*result = (struct sim_result) { .ns = trace->duration_ns };
	*engine = (struct engine) { .trace = trace, .result = result, .has = -1 };
	engine->queue.policy = trace->policy;
	engine->queue.slice_ns = trace->slice_ns;
	for (i = 0; i < trace->entities; i++) {
		engine->entity[i].weight = trace->entity[i].weight;
		engine->entity[i].cap = trace->entity[i].cap;
		engine->list[i] = &engine->entity[i];
		gvirt_sched_init(&engine->entity[i], &engine->queue, 0);
	}
}

static void finish(struct engine *engine)
{
	unsigned int i;

	for (i = 0; i < engine->trace->entities; i++) {
		sum_up(&engine->waits[i], &engine->result->share[i].start);
		free(engine->waits[i].ns);
		while (engine->first[i])
			drop_first(engine, i);
	}
}

void sim_run(const struct sim_trace *trace, struct sim_result *result)
{
	struct engine *engine = malloc(sizeof(*engine));

	if (!engine)
		err(EXIT_FAILURE, "schedsim");
	begin(engine, trace, result);
	advance(engine, 0);
	while (engine->now_ns < end_ns(engine))
		step(engine);
	finish(engine);
	free(engine);
}
