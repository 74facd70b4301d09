/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who gets an engine next, and for how long: the policies of the scheduler.
 *
 * Pure: an engine's queue and its entities go in, a decision comes out. An
 * entity stands for one vGPU on one engine; nothing here knows more of it.
 *
 * Data model. Each entity has a virtual time that grows with the time it ran,
 * divided by its weight; the one with the least virtual time is next, which
 * gives shares in proportion to weights. One that comes back from sleep is moved
 * up to the others, less a bonus of half a slice, so sleep earns a quick start but no
 * credit for hours. A limit (a cap, or a fixed share) is a bucket of run time that
 * fills at that rate: who has emptied it waits, even if the engine idles. It holds
 * what its rate gives in little more than the longest slice, so sleep earns hardly
 * anything, and twice that for one who waits for others, so their slices cost nothing.
 *
 * Who is runnable shares the longest slice in proportion to weights: that is a round.
 *
 * Invariants: virtual times are compared by their difference, so they may wrap.
 * All products fit into 64 bits for runs of up to GVIRT_SCHED_RUN_MAX_NS.
 */
#ifndef GVIRT_LIB_SCHED_POLICY_H
#define GVIRT_LIB_SCHED_POLICY_H

#include <linux/types.h>

#define GVIRT_SCHED_WEIGHT_MIN		1u
#define GVIRT_SCHED_WEIGHT_DEFAULT	100u
#define GVIRT_SCHED_WEIGHT_MAX		1000u
#define GVIRT_SCHED_CAP_NONE		100u

#define GVIRT_SCHED_SLICE_MIN_NS	500000ull
#define GVIRT_SCHED_SLICE_DEFAULT_NS	20000000ull
#define GVIRT_SCHED_SLICE_MAX_NS	100000000ull
/* However little its weight, who waits for this long (caps apart) is next. */
#define GVIRT_SCHED_WAIT_MAX_NS		10000000000ull
/* A longer run is charged as one of this length. */
#define GVIRT_SCHED_RUN_MAX_NS		100000000000ull

/**
 * enum gvirt_sched_policy - Policies
 * @GVIRT_SCHED_WEIGHTED: time in proportion to weights among those that have work
 * @GVIRT_SCHED_ROUND_ROBIN: equal slices in turn; weights do not count
 * @GVIRT_SCHED_FIXED: time in proportion to weights among all, whether they have
 *	work or not: the share of who has none stays unused
 *
 * Caps hold under each of them.
 */
enum gvirt_sched_policy {
	GVIRT_SCHED_WEIGHTED,
	GVIRT_SCHED_ROUND_ROBIN,
	GVIRT_SCHED_FIXED,
};

/**
 * struct gvirt_sched_entity - One vGPU on one engine
 * @weight: GVIRT_SCHED_WEIGHT_MIN to _MAX; values outside count as the nearest one
 * @cap: percent of the engine's time that it may use at most; 0 and from 100 on:
 *	no cap
 * @runnable: has work for the engine; the caller's to set
 * @ran_ns: time it ran, as accounted
 * @vruntime: virtual time; wraps
 * @credit: run time left in its bucket, in 1/65536 ns; negative: in debt
 * @filled_ns: when the bucket was filled last
 * @waits_since_ns: since when it could have run without running; 0: it could not
 * @awake: it was runnable at the last decision
 * @turn: number of the last turn it had; wraps
 */
struct gvirt_sched_entity {
	u32 weight;
	u32 cap;
	bool runnable;
	u64 ran_ns;
	u64 vruntime;
	s64 credit;
	u64 filled_ns;
	u64 waits_since_ns;
	bool awake;
	u64 turn;
};

/**
 * struct gvirt_sched_queue - One engine
 * @policy: enum gvirt_sched_policy
 * @slice_ns: longest slice: GVIRT_SCHED_SLICE_MIN_NS to _MAX_NS; values outside count
 *	as the nearest one, 0 as GVIRT_SCHED_SLICE_DEFAULT_NS
 * @vruntime: virtual time that the engine has reached; wraps
 * @turn: number of the last turn; wraps
 */
struct gvirt_sched_queue {
	enum gvirt_sched_policy policy;
	u64 slice_ns;
	u64 vruntime;
	u64 turn;
};

/**
 * struct gvirt_sched_decision - Who is next
 * @index: its place in the array; -1: nobody may run now
 * @slice_ns: for how long it may run before the next decision
 * @wake_ns: with @index -1: when to decide again because a bucket has filled; 0:
 *	nothing to wait for, nobody has work
 */
struct gvirt_sched_decision {
	int index;
	u64 slice_ns;
	u64 wake_ns;
};

/**
 * struct gvirt_sched_yield - By when an engine is to be let go of, or taken
 * @by_ns: by then; 0: whenever
 * @last_ns: by then at last, however often more time is granted
 */
struct gvirt_sched_yield {
	u64 by_ns;
	u64 last_ns;
};

/**
 * gvirt_sched_overdue() - Has an engine not been let go of, and is somebody to blame for it?
 * @yield: by when; gets a later time where that is granted
 * @late: the chip is behind with its own part: who has the engine may not have begun to run
 * @grant_ns: how much is granted then
 * @now_ns: the time
 *
 * Time alone blames whoever is next for what the chip did not do. That the engine moves would say
 * nothing: so does a batch that loops for ever.
 *
 * Return: true if so.
 */
bool gvirt_sched_overdue(struct gvirt_sched_yield *yield, bool late, u64 grant_ns, u64 now_ns);

/**
 * gvirt_sched_init() - Start values of an entity that joins a queue
 * @entity: entity; @weight, @cap and @runnable are left alone
 * @queue: queue it joins
 * @now_ns: the time
 *
 * It starts where the others are, with an empty bucket.
 */
void gvirt_sched_init(struct gvirt_sched_entity *entity, const struct gvirt_sched_queue *queue,
		      u64 now_ns);

/**
 * gvirt_sched_reshare() - Change an entity's weight and cap while it competes
 * @entity: entity, charged up to now if it has the engine
 * @queue: its queue
 * @weight: GVIRT_SCHED_WEIGHT_MIN to _MAX; values outside count as the nearest one
 * @cap: as in struct gvirt_sched_entity
 * @now_ns: the time
 *
 * Run time that it is behind the others, or ahead of them, stays what it is. With another
 * cap its bucket starts empty: what it had without one is no debt.
 */
void gvirt_sched_reshare(struct gvirt_sched_entity *entity,
			 const struct gvirt_sched_queue *queue, u32 weight, u32 cap, u64 now_ns);

/**
 * gvirt_sched_switch() - Change the policy of a queue whose entities compete
 * @queue: the engine
 * @policy: the new one
 * @entities: all entities of the engine
 * @count: how many there are
 * @now_ns: the time
 *
 * All start anew: what one got under another policy is no debt under this one.
 */
void gvirt_sched_switch(struct gvirt_sched_queue *queue, enum gvirt_sched_policy policy,
			struct gvirt_sched_entity *const *entities, unsigned int count,
			u64 now_ns);

/**
 * gvirt_sched_slice() - The longest slice that is in force
 * @queue: the engine
 *
 * Return: nanoseconds.
 */
u64 gvirt_sched_slice(const struct gvirt_sched_queue *queue);

/**
 * gvirt_sched_pick() - Decide who gets the engine
 * @queue: the engine
 * @entities: all entities of the engine
 * @count: how many there are; one pass over them each
 * @now_ns: the time; must not run backwards
 *
 * Return: who runs and for how long, or when to decide again.
 */
struct gvirt_sched_decision gvirt_sched_pick(struct gvirt_sched_queue *queue,
					     struct gvirt_sched_entity *const *entities,
					     unsigned int count, u64 now_ns);

/**
 * gvirt_sched_account() - An entity has left the engine
 * @entity: entity
 * @ran_ns: how long it had the engine
 * @now_ns: the time
 */
void gvirt_sched_account(struct gvirt_sched_entity *entity, u64 ran_ns, u64 now_ns);

#endif
