// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the scheduling policies by simulation: an engine without a clock of
 * its own runs 2 to 16 entities. Shares are judged by a water-filling reference
 * in floating point that knows nothing of virtual times or buckets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "sched_policy.h"

#define ENTITIES_MAX	16
#define ROUNDS		40
#define SECOND		1000000000ull
#define TOLERANCE	0.03

struct sim {
	struct gvirt_sched_queue queue;
	struct gvirt_sched_entity entity[ENTITIES_MAX];
	struct gvirt_sched_entity *list[ENTITIES_MAX];
	unsigned int count;
	u64 now;
	u64 idle;
	u64 waits_max[ENTITIES_MAX];
	u64 ready_since[ENTITIES_MAX];
};

static u64 random_state;

static u64 rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static void sim_init(struct sim *sim, enum gvirt_sched_policy policy, unsigned int count)
{
	unsigned int i;

	*sim = (struct sim){ .count = count, .now = rnd() >> 1, .queue.policy = policy };
	sim->queue.vruntime = rnd();
	sim->queue.turn = -3ull;
	for (i = 0; i < count; i++) {
		sim->entity[i].weight = 100;
		sim->entity[i].runnable = true;
		sim->list[i] = &sim->entity[i];
		sim->ready_since[i] = sim->now;
		gvirt_sched_init(&sim->entity[i], &sim->queue, sim->now);
	}
}

static void note_wait(struct sim *sim, unsigned int i)
{
	u64 waited = sim->now - sim->ready_since[i];

	if (waited > sim->waits_max[i])
		sim->waits_max[i] = waited;
}

/* One decision; @overrun is the most that a run may exceed its slice. Returns who ran. */
static int sim_step(struct sim *sim, u64 overrun)
{
	struct gvirt_sched_decision next;
	u64 ran;

	next = gvirt_sched_pick(&sim->queue, sim->list, sim->count, sim->now);
	if (next.index < 0) {
		assert_true(next.wake_ns > sim->now);
		sim->idle += next.wake_ns - sim->now;
		sim->now = next.wake_ns;
		return -1;
	}
	assert_true(next.index < (int)sim->count);
	assert_true(sim->entity[next.index].runnable);
	assert_in_range(next.slice_ns, GVIRT_SCHED_SLICE_MIN_NS, GVIRT_SCHED_SLICE_DEFAULT_NS);
	note_wait(sim, next.index);
	ran = next.slice_ns + (overrun ? rnd() % overrun : 0);
	sim->now += ran;
	gvirt_sched_account(&sim->entity[next.index], ran, sim->now);
	sim->ready_since[next.index] = sim->now;
	return next.index;
}

static void sim_run(struct sim *sim, u64 ns, u64 overrun)
{
	u64 end = sim->now + ns;

	while (sim->now < end)
		sim_step(sim, overrun);
}

static double limit_of(const struct gvirt_sched_entity *entity)
{
	return entity->cap && entity->cap < 100 ? entity->cap / 100.0 : 1.0;
}

/* Water filling: who reaches its cap is fixed there, the rest is shared anew. */
static void reference_shares(const struct sim *sim, double *share)
{
	bool fixed[ENTITIES_MAX] = {};
	double left = 1.0;
	bool again = true;
	double weights;
	unsigned int i;

	while (again) {
		again = false;
		weights = 0;
		for (i = 0; i < sim->count; i++)
			weights += fixed[i] ? 0 : sim->entity[i].weight;
		for (i = 0; i < sim->count; i++) {
			if (!fixed[i])
				share[i] = left * sim->entity[i].weight / weights;
		}
		for (i = 0; i < sim->count && !again; i++) {
			if (fixed[i] || share[i] <= limit_of(&sim->entity[i]))
				continue;
			share[i] = limit_of(&sim->entity[i]);
			left -= share[i];
			fixed[i] = true;
			again = true;
		}
	}
}

static void check_shares(const struct sim *sim, const double *want, u64 ns)
{
	double got;
	unsigned int i;

	for (i = 0; i < sim->count; i++) {
		got = (double)sim->entity[i].ran_ns / ns;
		/* 3 % of the engine, and for small shares 10 % of the share and a slice. */
		if (got > want[i] + TOLERANCE || got < want[i] - TOLERANCE)
			fail_msg("entity %u of %u (weight %u, cap %u): %f instead of %f", i,
				 sim->count, sim->entity[i].weight, sim->entity[i].cap, got,
				 want[i]);
		if (got < want[i] * 0.9 - 0.001)
			fail_msg("entity %u of %u (weight %u, cap %u): only %f of %f", i,
				 sim->count, sim->entity[i].weight, sim->entity[i].cap, got,
				 want[i]);
	}
}

static int setup(void **state)
{
	random_state = 0x9e3779b97f4a7c15;
	*state = calloc(1, sizeof(struct sim));
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static void random_weights(struct sim *sim, bool caps)
{
	unsigned int i;

	for (i = 0; i < sim->count; i++) {
		sim->entity[i].weight = 1 + rnd() % (rnd() % 2 ? 1000 : 50);
		if (caps && rnd() % 2)
			sim->entity[i].cap = 1 + rnd() % 60;
	}
}

static void shares_follow_weights(struct sim *sim, bool caps, u64 overrun)
{
	double want[ENTITIES_MAX];
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		sim_init(sim, GVIRT_SCHED_WEIGHTED, 2 + rnd() % (ENTITIES_MAX - 1));
		random_weights(sim, caps);
		reference_shares(sim, want);
		sim_run(sim, 60 * SECOND, overrun);
		check_shares(sim, want, 60 * SECOND);
	}
}

static void test_weights(void **state)
{
	shares_follow_weights(*state, false, 0);
}

static void test_weights_with_caps(void **state)
{
	shares_follow_weights(*state, true, 0);
}

static void test_weights_with_overruns(void **state)
{
	shares_follow_weights(*state, true, 10000000);
}

static void test_caps_are_never_exceeded(void **state)
{
	struct sim *sim = *state;
	unsigned int round;
	unsigned int i;

	for (round = 0; round < ROUNDS; round++) {
		sim_init(sim, rnd() % 3, 2 + rnd() % 4);
		for (i = 0; i < sim->count; i++)
			sim->entity[i].cap = 1 + rnd() % 30;
		sim_run(sim, 20 * SECOND, 0);
		for (i = 0; i < sim->count; i++)
			assert_true(sim->entity[i].ran_ns <= 20 * SECOND / 100 *
				    sim->entity[i].cap + GVIRT_SCHED_SLICE_DEFAULT_NS);
	}
}

static void test_one_with_a_cap_alone(void **state)
{
	struct sim *sim = *state;

	sim_init(sim, GVIRT_SCHED_WEIGHTED, 1);
	sim->entity[0].cap = 25;
	sim_run(sim, 10 * SECOND, 0);
	assert_in_range(sim->entity[0].ran_ns, 2450000000, 2510000000);
	assert_in_range(sim->idle, 7400000000, 7600000000);
}

/* However long it slept, a bucket holds no more than 5/4 slices' worth. */
static void test_a_bucket_is_bounded(void **state)
{
	struct sim *sim = *state;
	u64 slept;

	for (slept = SECOND; slept <= 10000 * SECOND; slept *= 10) {
		sim_init(sim, GVIRT_SCHED_WEIGHTED, 1);
		sim->entity[0].cap = 10;
		sim->entity[0].runnable = false;
		gvirt_sched_pick(&sim->queue, sim->list, 1, sim->now);
		sim->now += slept;
		sim->entity[0].runnable = true;
		sim_run(sim, SECOND, 0);
		assert_in_range(sim->entity[0].ran_ns, 100000000,
				100000000 + GVIRT_SCHED_SLICE_DEFAULT_NS / 8 + 1000000);
	}
}

/* A slice does not run a bucket into debt by more than the shortest slice. */
static void test_slices_end_with_the_bucket(void **state)
{
	struct sim *sim = *state;
	unsigned int i;

	sim_init(sim, GVIRT_SCHED_WEIGHTED, 1);
	sim->entity[0].cap = 3;
	for (i = 0; i < 1000; i++) {
		sim_step(sim, 0);
		assert_true(sim->entity[0].credit >= -((s64)GVIRT_SCHED_SLICE_MIN_NS << 16));
	}
	assert_true(sim->entity[0].ran_ns > 0);
}

static void test_round_robin(void **state)
{
	struct sim *sim = *state;
	double want[ENTITIES_MAX];
	unsigned int i;

	sim_init(sim, GVIRT_SCHED_ROUND_ROBIN, 7);
	random_weights(sim, false);
	for (i = 0; i < sim->count; i++)
		want[i] = 1.0 / sim->count;
	sim_run(sim, 10 * SECOND, 0);
	check_shares(sim, want, 10 * SECOND);
	for (i = 0; i < sim->count; i++)
		assert_true(sim->waits_max[i] <= GVIRT_SCHED_SLICE_DEFAULT_NS);
}

static void test_fixed_shares_do_not_grow(void **state)
{
	struct sim *sim = *state;
	double want[ENTITIES_MAX];
	u64 weights;
	unsigned int round;
	unsigned int i;

	for (round = 0; round < ROUNDS; round++) {
		sim_init(sim, GVIRT_SCHED_FIXED, 2 + rnd() % (ENTITIES_MAX - 1));
		random_weights(sim, false);
		weights = 0;
		for (i = 0; i < sim->count; i++) {
			weights += sim->entity[i].weight;
			sim->entity[i].runnable = i == 0 || rnd() % 2;
		}
		for (i = 0; i < sim->count; i++)
			want[i] = sim->entity[i].runnable ?
				(double)sim->entity[i].weight / weights : 0;
		sim_run(sim, 60 * SECOND, 0);
		check_shares(sim, want, 60 * SECOND);
	}
}

static void test_nobody_starves(void **state)
{
	struct sim *sim = *state;
	unsigned int round;
	unsigned int i;

	for (round = 0; round < ROUNDS; round++) {
		sim_init(sim, GVIRT_SCHED_WEIGHTED, ENTITIES_MAX);
		for (i = 0; i < sim->count; i++)
			sim->entity[i].weight = i ? 1000 : 1;
		/* Long runs that nothing can stop put the light one far behind. */
		sim_run(sim, 60 * SECOND, rnd() % 2 ? 500000000 : 0);
		for (i = 0; i < sim->count; i++)
			assert_true(sim->waits_max[i] <= GVIRT_SCHED_WAIT_MAX_NS + SECOND *
				    ENTITIES_MAX);
		assert_true(sim->entity[0].ran_ns > 0);
	}
}

/* Without the bound on waiting the one that overran would wait for 20,000 s. */
static void test_overrun_does_not_starve(void **state)
{
	struct sim *sim = *state;
	unsigned int steps = 0;
	u64 start;

	sim_init(sim, GVIRT_SCHED_WEIGHTED, 2);
	sim->entity[0].weight = 1;
	sim->entity[1].weight = 1000;
	gvirt_sched_account(&sim->entity[0], 20 * SECOND, sim->now);
	start = sim->now;
	while (sim_step(sim, 0) != 0 && steps < 100000)
		steps++;
	assert_true(sim->now - start <= GVIRT_SCHED_WAIT_MAX_NS + 2 * GVIRT_SCHED_SLICE_DEFAULT_NS);
	assert_true(sim->now - start >= GVIRT_SCHED_WAIT_MAX_NS / 2);
}

/* One that slept is next, whatever its weight, when the running slice ends. */
static void test_who_wakes_is_next(void **state)
{
	struct sim *sim = *state;
	unsigned int round;
	u64 woken;

	for (round = 0; round < ROUNDS; round++) {
		sim_init(sim, GVIRT_SCHED_WEIGHTED, 2 + rnd() % (ENTITIES_MAX - 1));
		random_weights(sim, false);
		sim->entity[0].runnable = false;
		sim_run(sim, (1 + rnd() % 5) * SECOND, 0);
		assert_int_equal(sim->entity[0].ran_ns, 0);
		woken = sim->now - rnd() % GVIRT_SCHED_SLICE_MIN_NS;
		sim->entity[0].runnable = true;
		assert_int_equal(sim_step(sim, 0), 0);
		assert_true(sim->now - woken <= 2 * GVIRT_SCHED_SLICE_DEFAULT_NS);
	}
}

static void test_sleep_earns_no_hoard(void **state)
{
	struct sim *sim = *state;

	sim_init(sim, GVIRT_SCHED_WEIGHTED, 2);
	sim->entity[0].runnable = false;
	sim_run(sim, 1000 * SECOND, 0);
	sim->entity[0].runnable = true;
	sim->entity[1].ran_ns = 0;
	sim_run(sim, 2 * SECOND, 0);
	assert_in_range(sim->entity[0].ran_ns, 950000000, 1050000000);
	assert_in_range(sim->entity[1].ran_ns, 950000000, 1050000000);
}

/* A sleeper that wakes for short runs gets its latency without more than its share. */
static void test_sleeper_and_hogs(void **state)
{
	struct sim *sim = *state;
	u64 next_wake;
	u64 worst = 0;
	u64 end;

	sim_init(sim, GVIRT_SCHED_WEIGHTED, 4);
	sim->entity[0].runnable = false;
	next_wake = sim->now + 16000000;
	end = sim->now + 20 * SECOND;
	while (sim->now < end) {
		if (!sim->entity[0].runnable && sim->now >= next_wake) {
			sim->entity[0].runnable = true;
			next_wake += 50000000;
			sim->ready_since[0] = sim->now;
			sim->waits_max[0] = 0;
		}
		if (sim_step(sim, 0) == 0) {
			sim->entity[0].runnable = false;
			worst = sim->waits_max[0] > worst ? sim->waits_max[0] : worst;
		}
	}
	assert_true(worst <= GVIRT_SCHED_SLICE_DEFAULT_NS);
	assert_in_range(sim->entity[0].ran_ns, SECOND, 5 * SECOND);
}

static void test_nothing_to_do(void **state)
{
	struct sim *sim = *state;
	struct gvirt_sched_decision next;

	sim_init(sim, GVIRT_SCHED_WEIGHTED, 2);
	sim->entity[0].runnable = false;
	sim->entity[1].runnable = false;
	next = gvirt_sched_pick(&sim->queue, sim->list, 2, sim->now);
	assert_int_equal(next.index, -1);
	assert_int_equal(next.wake_ns, 0);
	next = gvirt_sched_pick(&sim->queue, sim->list, 0, sim->now);
	assert_int_equal(next.index, -1);
}

static void test_odd_values(void **state)
{
	struct sim *sim = *state;
	unsigned int i;

	sim_init(sim, GVIRT_SCHED_WEIGHTED, 3);
	sim->entity[0].weight = 0;
	sim->entity[1].weight = ~0u;
	sim->entity[2].cap = ~0u;
	for (i = 0; i < sim->count; i++)
		gvirt_sched_account(&sim->entity[i], ~0ull, sim->now);
	for (i = 0; i < 1000; i++)
		sim_step(sim, ~0ull >> 20);
	for (i = 0; i < sim->count; i++)
		assert_true(sim->entity[i].turn != 0);
}

/* Who is late is to blame at the bound; while the chip is late, at the last one only. */
static void test_overdue(void **state)
{
	struct gvirt_sched_yield yield = { };
	u64 now, granted;

	(void)state;
	assert_false(gvirt_sched_overdue(&yield, false, 10, ~0ull));
	yield = (struct gvirt_sched_yield) { .by_ns = 100, .last_ns = 125 };
	assert_false(gvirt_sched_overdue(&yield, false, 10, 99));
	assert_true(gvirt_sched_overdue(&yield, false, 10, 100));
	assert_int_equal(yield.by_ns, 100);
	for (granted = 110, now = 100; now < 125; now++) {
		assert_false(gvirt_sched_overdue(&yield, true, 10, now));
		if (now == granted)
			granted = now + 10 < 125 ? now + 10 : 125;
		assert_int_equal(yield.by_ns, granted);
	}
	assert_true(gvirt_sched_overdue(&yield, true, 10, 125));
	/* It has caught up: what was granted still holds. */
	yield.by_ns = 110;
	assert_false(gvirt_sched_overdue(&yield, true, 10, 105));
	assert_false(gvirt_sched_overdue(&yield, false, 10, 109));
	assert_true(gvirt_sched_overdue(&yield, false, 10, 110));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_weights, setup, teardown),
		cmocka_unit_test_setup_teardown(test_weights_with_caps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_weights_with_overruns, setup, teardown),
		cmocka_unit_test_setup_teardown(test_caps_are_never_exceeded, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_with_a_cap_alone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_bucket_is_bounded, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slices_end_with_the_bucket, setup, teardown),
		cmocka_unit_test_setup_teardown(test_round_robin, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fixed_shares_do_not_grow, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nobody_starves, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overrun_does_not_starve, setup, teardown),
		cmocka_unit_test_setup_teardown(test_who_wakes_is_next, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sleep_earns_no_hoard, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sleeper_and_hogs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_to_do, setup, teardown),
		cmocka_unit_test_setup_teardown(test_odd_values, setup, teardown),
		cmocka_unit_test(test_overdue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
