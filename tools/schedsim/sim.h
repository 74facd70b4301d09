/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An engine that is nothing but time, shared by drivers/gvirt/lib/sched_policy.c as the
 * module has it: entities with work that arrives at given times go in, and what each got and
 * how long it waited comes out. No clock, no chance: the same trace gives the same result.
 */
#ifndef SCHEDSIM_SIM_H
#define SCHEDSIM_SIM_H

#include <linux/types.h>

#include "sched_policy.h"

#define SIM_ENTITIES	256u
#define SIM_NAME	32u
/* Work that does not end. */
#define SIM_FOREVER	(~0ull)

/**
 * enum sim_kind - What an event does
 * @SIM_WORK: work arrives for an entity
 * @SIM_SHARE: its weight and cap change
 * @SIM_POLICY: the engine's policy changes
 * @SIM_SLICE: its slice changes
 */
enum sim_kind {
	SIM_WORK,
	SIM_SHARE,
	SIM_POLICY,
	SIM_SLICE,
};

/**
 * struct sim_event - Something that happens at a time
 * @at_ns: when
 * @kind: what
 * @entity: whose, for SIM_WORK and SIM_SHARE
 * @length_ns: of the work, or of the slice; SIM_FOREVER: work without an end
 * @weight: for SIM_SHARE
 * @cap: for SIM_SHARE
 * @policy: for SIM_POLICY
 * @order: events of one time happen in this order
 */
struct sim_event {
	u64 at_ns;
	enum sim_kind kind;
	unsigned int entity;
	u64 length_ns;
	u32 weight;
	u32 cap;
	enum gvirt_sched_policy policy;
	unsigned int order;
};

/**
 * struct sim_entity - One that wants the engine
 * @name: as the trace calls it
 * @weight: at the start
 * @cap: at the start
 */
struct sim_entity {
	char name[SIM_NAME];
	u32 weight;
	u32 cap;
};

/**
 * struct sim_trace - What is simulated
 * @policy: at the start
 * @slice_ns: at the start
 * @switch_ns: time that a change of hands costs; charged to who leaves
 * @warmup_ns: what happens before that is not in the result
 * @duration_ns: of the simulation, after the warm-up
 * @entity: all of them
 * @entities: how many
 * @event: by time and order, once sim_trace_sort() was called
 * @events: how many
 * @room: for how many there is memory
 */
struct sim_trace {
	enum gvirt_sched_policy policy;
	u64 slice_ns;
	u64 switch_ns;
	u64 warmup_ns;
	u64 duration_ns;
	struct sim_entity entity[SIM_ENTITIES];
	unsigned int entities;
	struct sim_event *event;
	unsigned int events;
	unsigned int room;
};

/**
 * struct sim_latency - How long pieces of work waited for their start
 * @count: how many started
 * @p50_ns: half of them waited for at most so long
 * @p95_ns: 95 % did
 * @max_ns: all did
 */
struct sim_latency {
	unsigned int count;
	u64 p50_ns;
	u64 p95_ns;
	u64 max_ns;
};

/**
 * struct sim_share - What an entity got
 * @ran_ns: time with the engine, as it was charged
 * @turns: how often it got the engine after somebody else
 * @arrived: pieces of work
 * @completed: those that ended
 * @start: of those that started
 */
struct sim_share {
	u64 ran_ns;
	unsigned int turns;
	unsigned int arrived;
	unsigned int completed;
	struct sim_latency start;
};

/**
 * struct sim_result - What came of it
 * @ns: time that was simulated, without the warm-up
 * @idle_ns: of that, time that nobody had the engine
 * @switches: changes of hands
 * @share: by entity
 */
struct sim_result {
	u64 ns;
	u64 idle_ns;
	unsigned int switches;
	struct sim_share share[SIM_ENTITIES];
};

/**
 * sim_trace_init() - An empty trace, with defaults
 * @trace: to be initialised
 */
void sim_trace_init(struct sim_trace *trace);

/**
 * sim_trace_fini() - Give its memory back
 * @trace: of sim_trace_init()
 */
void sim_trace_fini(struct sim_trace *trace);

/**
 * sim_trace_add() - Add an event
 * @trace: to which
 * @event: its @order is set here
 */
void sim_trace_add(struct sim_trace *trace, const struct sim_event *event);

/**
 * sim_trace_sort() - All events are there
 * @trace: whose
 */
void sim_trace_sort(struct sim_trace *trace);

/**
 * sim_run() - Simulate
 * @trace: what; sorted
 * @result: gets what came of it
 */
void sim_run(const struct sim_trace *trace, struct sim_result *result);

#endif
