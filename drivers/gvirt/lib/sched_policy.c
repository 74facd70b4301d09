// SPDX-License-Identifier: GPL-2.0-only
/*
 * Policies of the scheduler (see sched_policy.h).
 */
#include <linux/build_bug.h>

#include "sched_policy.h"

/* Virtual time of an entity with the greatest weight runs as the clock does. */
#define VTIME_SCALE	GVIRT_SCHED_WEIGHT_MAX
/* The time in which a bucket is filled, in percent of a slice: in sleep, and of one who waits. */
#define SLEEP_PERCENT	125
#define WAIT_PERCENT	250
/* Likewise, so much has to be in it before its owner runs again. */
#define PAUSE_PERCENT	25
#define CREDIT_SHIFT	16
/* Longer waits fill any bucket that has no debt of minutes. */
#define FILL_MAX_NS	GVIRT_SCHED_RUN_MAX_NS
/* How far one entity's virtual time may be from another's, for changes of weights. */
#define DISTANCE_MAX	(GVIRT_SCHED_RUN_MAX_NS * VTIME_SCALE)

static_assert(GVIRT_SCHED_RUN_MAX_NS <= (~0ull >> CREDIT_SHIFT) / GVIRT_SCHED_WEIGHT_MAX / 2);
static_assert(GVIRT_SCHED_RUN_MAX_NS * VTIME_SCALE <= (~0ull >> 1) / GVIRT_SCHED_WEIGHT_MAX);
static_assert(GVIRT_SCHED_SLICE_MIN_NS <= GVIRT_SCHED_SLICE_DEFAULT_NS);
static_assert(GVIRT_SCHED_SLICE_DEFAULT_NS <= GVIRT_SCHED_SLICE_MAX_NS);
static_assert(GVIRT_SCHED_SLICE_MAX_NS * WAIT_PERCENT / 100 <= FILL_MAX_NS);
static_assert(GVIRT_SCHED_CAP_NONE <= GVIRT_SCHED_WEIGHT_MAX);

/**
 * struct rate - Part of the engine's time that an entity may use
 * @num: numerator, 1 to GVIRT_SCHED_WEIGHT_MAX
 * @den: denominator; not below @num
 */
struct rate {
	u64 num;
	u64 den;
};

/**
 * struct census - What one pass over the entities has found
 * @weights: sum over all entities
 * @ready_weights: sum over those that may run now
 * @ready: how many may run now
 * @lowest: least virtual time among them
 */
struct census {
	u64 weights;
	u64 ready_weights;
	unsigned int ready;
	u64 lowest;
};

static u64 between(u64 value, u64 least, u64 most)
{
	if (value < least)
		return least;
	return value > most ? most : value;
}

static u32 weight_of(const struct gvirt_sched_entity *entity)
{
	return between(entity->weight, GVIRT_SCHED_WEIGHT_MIN, GVIRT_SCHED_WEIGHT_MAX);
}

static bool before(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

static u64 at_most(u64 value, u64 most)
{
	return value > most ? most : value;
}

static u64 vtime(const struct gvirt_sched_entity *entity, u64 ns)
{
	return ns * VTIME_SCALE / weight_of(entity);
}

static struct rate rate_of(const struct gvirt_sched_queue *queue,
			   const struct gvirt_sched_entity *entity, u64 weights)
{
	struct rate rate = { 1, 1 };

	if (queue->policy == GVIRT_SCHED_FIXED)
		rate = (struct rate){ weight_of(entity), weights };
	if (entity->cap && entity->cap < GVIRT_SCHED_CAP_NONE &&
	    entity->cap * rate.den < rate.num * GVIRT_SCHED_CAP_NONE)
		rate = (struct rate){ entity->cap, GVIRT_SCHED_CAP_NONE };
	return rate;
}

static bool limited(const struct rate *rate)
{
	return rate->num < rate->den;
}

/* Run time that a rate gives in a time of at most FILL_MAX_NS. */
static s64 earned(const struct rate *rate, u64 ns)
{
	return (ns << CREDIT_SHIFT) * rate->num / rate->den;
}

/* All that a bucket can hold. */
static s64 capacity(const struct gvirt_sched_queue *queue, const struct rate *rate,
		    unsigned int percent)
{
	return earned(rate, gvirt_sched_slice(queue) * percent / 100);
}

static void fill(const struct gvirt_sched_queue *queue, struct gvirt_sched_entity *entity,
		 const struct rate *rate, u64 now_ns)
{
	u64 elapsed = before(now_ns, entity->filled_ns) ? 0 : now_ns - entity->filled_ns;
	unsigned int percent = entity->awake ? WAIT_PERCENT : SLEEP_PERCENT;
	s64 full = capacity(queue, rate, percent);

	entity->filled_ns = now_ns;
	entity->awake = entity->runnable;
	entity->credit += earned(rate, at_most(elapsed, FILL_MAX_NS));
	if (entity->credit > full)
		entity->credit = full;
	if (!limited(rate))
		entity->credit = 0;
}

/*
 * A bucket needs a quarter of what its rate gives in a slice, but enough for the shortest
 * one, or all that it can hold in sleep: less would be all switches, more long pauses.
 */
static s64 enough(const struct gvirt_sched_queue *queue, const struct rate *rate)
{
	s64 full = capacity(queue, rate, SLEEP_PERCENT);
	s64 least = GVIRT_SCHED_SLICE_MIN_NS << CREDIT_SHIFT;
	s64 some = capacity(queue, rate, PAUSE_PERCENT);

	if (some < least)
		some = least;
	return full < some ? full : some;
}

static bool may_run(const struct gvirt_sched_queue *queue,
		    const struct gvirt_sched_entity *entity, const struct rate *rate)
{
	return !limited(rate) || entity->credit >= enough(queue, rate);
}

/* Time until a bucket holds enough, rounded up. */
static u64 filled_in(const struct gvirt_sched_queue *queue,
		     const struct gvirt_sched_entity *entity, const struct rate *rate)
{
	u64 missing = enough(queue, rate) - entity->credit;

	return ((missing >> CREDIT_SHIFT) + 1) * rate->den / rate->num + 1;
}

/* Sleep must not be saved up: nobody lags behind by more than the bonus. */
static void catch_up(const struct gvirt_sched_queue *queue, struct gvirt_sched_entity *entity)
{
	u64 floor = queue->vruntime - vtime(entity, gvirt_sched_slice(queue) / 2);

	if (before(entity->vruntime, floor))
		entity->vruntime = floor;
}

static void count_ready(const struct gvirt_sched_queue *queue, struct gvirt_sched_entity *entity,
			struct census *census, u64 now_ns)
{
	catch_up(queue, entity);
	if (!entity->waits_since_ns)
		entity->waits_since_ns = now_ns ? now_ns : 1;
	if (!census->ready || before(entity->vruntime, census->lowest))
		census->lowest = entity->vruntime;
	census->ready++;
	census->ready_weights += weight_of(entity);
}

static struct census take_census(const struct gvirt_sched_queue *queue,
				 struct gvirt_sched_entity *const *entities, unsigned int count,
				 u64 now_ns, u64 *wake_ns)
{
	struct census census = {};
	struct rate rate;
	unsigned int i;
	u64 wake;

	for (i = 0; i < count; i++)
		census.weights += weight_of(entities[i]);
	for (i = 0; i < count; i++) {
		rate = rate_of(queue, entities[i], census.weights);
		fill(queue, entities[i], &rate, now_ns);
		if (entities[i]->runnable && may_run(queue, entities[i], &rate)) {
			count_ready(queue, entities[i], &census, now_ns);
			continue;
		}
		entities[i]->waits_since_ns = 0;
		if (!entities[i]->runnable)
			continue;
		wake = now_ns + filled_in(queue, entities[i], &rate);
		if (!*wake_ns || before(wake, *wake_ns))
			*wake_ns = wake;
	}
	return census;
}

static bool waited_too_long(const struct gvirt_sched_entity *entity, u64 now_ns)
{
	return now_ns - entity->waits_since_ns >= GVIRT_SCHED_WAIT_MAX_NS &&
	       !before(now_ns, entity->waits_since_ns);
}

/* Is @a to run rather than @b? Both may run. */
static bool goes_first(const struct gvirt_sched_queue *queue, const struct gvirt_sched_entity *a,
		       const struct gvirt_sched_entity *b, u64 now_ns)
{
	if (queue->policy == GVIRT_SCHED_ROUND_ROBIN)
		return before(a->turn, b->turn);
	if (waited_too_long(a, now_ns) || waited_too_long(b, now_ns))
		return before(a->waits_since_ns, b->waits_since_ns);
	return before(a->vruntime, b->vruntime);
}

static int find_first(const struct gvirt_sched_queue *queue,
		      struct gvirt_sched_entity *const *entities, unsigned int count, u64 now_ns)
{
	unsigned int i;
	int first = -1;

	for (i = 0; i < count; i++) {
		/* The census has left a mark on those that may run. */
		if (!entities[i]->waits_since_ns)
			continue;
		if (first < 0 || goes_first(queue, entities[i], entities[first], now_ns))
			first = i;
	}
	return first;
}

static u64 slice_of(const struct gvirt_sched_queue *queue,
		    const struct gvirt_sched_entity *entity, const struct census *census)
{
	struct rate rate = rate_of(queue, entity, census->weights);
	u64 slice;

	if (queue->policy == GVIRT_SCHED_ROUND_ROBIN)
		slice = gvirt_sched_slice(queue) / census->ready;
	else
		slice = gvirt_sched_slice(queue) * weight_of(entity) / census->ready_weights;
	if (limited(&rate))
		slice = at_most(slice, (u64)entity->credit >> CREDIT_SHIFT);
	return slice < GVIRT_SCHED_SLICE_MIN_NS ? GVIRT_SCHED_SLICE_MIN_NS : slice;
}

u64 gvirt_sched_slice(const struct gvirt_sched_queue *queue)
{
	if (!queue->slice_ns)
		return GVIRT_SCHED_SLICE_DEFAULT_NS;
	return between(queue->slice_ns, GVIRT_SCHED_SLICE_MIN_NS, GVIRT_SCHED_SLICE_MAX_NS);
}

/* Starts where the others are. */
static void join(struct gvirt_sched_entity *entity, const struct gvirt_sched_queue *queue,
		 u64 now_ns)
{
	entity->vruntime = queue->vruntime;
	entity->credit = 0;
	entity->filled_ns = now_ns;
	entity->turn = queue->turn;
}

void gvirt_sched_init(struct gvirt_sched_entity *entity, const struct gvirt_sched_queue *queue,
		      u64 now_ns)
{
	entity->ran_ns = 0;
	entity->waits_since_ns = 0;
	entity->awake = false;
	join(entity, queue, now_ns);
}

static void reweigh(struct gvirt_sched_entity *entity, const struct gvirt_sched_queue *queue,
		    u32 weight)
{
	bool behind = before(entity->vruntime, queue->vruntime);
	u64 distance = behind ? queue->vruntime - entity->vruntime :
				entity->vruntime - queue->vruntime;
	u32 old = weight_of(entity);

	entity->weight = weight;
	distance = at_most(distance, DISTANCE_MAX) * old / weight_of(entity);
	distance = at_most(distance, DISTANCE_MAX);
	entity->vruntime = behind ? queue->vruntime - distance : queue->vruntime + distance;
}

void gvirt_sched_reshare(struct gvirt_sched_entity *entity,
			 const struct gvirt_sched_queue *queue, u32 weight, u32 cap, u64 now_ns)
{
	reweigh(entity, queue, weight);
	if (entity->cap == cap)
		return;
	entity->cap = cap;
	entity->credit = 0;
	entity->filled_ns = now_ns;
}

void gvirt_sched_switch(struct gvirt_sched_queue *queue, enum gvirt_sched_policy policy,
			struct gvirt_sched_entity *const *entities, unsigned int count,
			u64 now_ns)
{
	unsigned int i;

	queue->policy = policy;
	for (i = 0; i < count; i++)
		join(entities[i], queue, now_ns);
}

struct gvirt_sched_decision gvirt_sched_pick(struct gvirt_sched_queue *queue,
					     struct gvirt_sched_entity *const *entities,
					     unsigned int count, u64 now_ns)
{
	struct gvirt_sched_decision decision = { .index = -1 };
	struct gvirt_sched_entity *entity;
	struct census census;

	census = take_census(queue, entities, count, now_ns, &decision.wake_ns);
	if (!census.ready)
		return decision;
	if (before(queue->vruntime, census.lowest))
		queue->vruntime = census.lowest;
	decision.wake_ns = 0;
	decision.index = find_first(queue, entities, count, now_ns);
	entity = entities[decision.index];
	decision.slice_ns = slice_of(queue, entity, &census);
	entity->waits_since_ns = 0;
	entity->turn = ++queue->turn;
	return decision;
}

void gvirt_sched_account(struct gvirt_sched_entity *entity, u64 ran_ns, u64 now_ns)
{
	u64 charged = at_most(ran_ns, GVIRT_SCHED_RUN_MAX_NS);
	s64 debt_max = -(s64)(GVIRT_SCHED_RUN_MAX_NS << CREDIT_SHIFT);

	entity->ran_ns += ran_ns;
	entity->vruntime += vtime(entity, charged);
	entity->credit -= charged << CREDIT_SHIFT;
	if (entity->credit < debt_max)
		entity->credit = debt_max;
	/* It waits from now on, if it has more work. */
	entity->waits_since_ns = entity->runnable ? (now_ns ? now_ns : 1) : 0;
}

bool gvirt_sched_overdue(struct gvirt_sched_yield *yield, bool late, u64 grant_ns, u64 now_ns)
{
	if (!yield->by_ns || now_ns < yield->by_ns)
		return false;
	if (!late || now_ns >= yield->last_ns)
		return true;
	yield->by_ns = now_ns + grant_ns < yield->last_ns ? now_ns + grant_ns : yield->last_ns;
	return false;
}
