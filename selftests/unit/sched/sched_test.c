// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the scheduler (drivers/gvirt/model/sched*) on a chip that is nothing but
 * time. Each user checks what it is told against what it submitted, so the
 * random runs judge every single event; time is simulated, so shares are exact.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "chip.h"
#include "model/sched.h"

#define USERS		6
#define JOBS		3
#define MS		1000000ull
#define SECOND		1000000000ull
#define RANDOM_RUNS	300
#define RANDOM_ACTIONS	2000

/**
 * struct client - A user of an engine, and what it has to expect
 * @slot: its place
 * @engine: where
 * @job: its contexts
 * @force: what is in force, and has not left
 * @next: what it has submitted since
 * @busy: there is a @next
 * @eager: submits again from within calls
 * @own: its registers differ from others'
 * @taken: calls of taken()
 * @left: calls of left(), by reason
 * @loads: calls of load()
 * @interrupts: calls of user()
 */
struct client {
	struct gvirt_sched_slot slot;
	enum gvirt_engine_id engine;
	struct chip_job job[JOBS];
	struct gvirt_context *force[GVIRT_ENGINE_ELEMENTS];
	struct gvirt_context *next[GVIRT_ENGINE_ELEMENTS];
	bool busy;
	bool eager;
	bool own;
	unsigned int taken;
	unsigned int left[GVIRT_LEFT_LOST + 1];
	unsigned int loads;
	unsigned int interrupts;
};

static struct gvirt_gpu gpu;
static struct gvirt_scheds *scheds;
static struct client clients[USERS];
/* Over all users of all tests. */
static unsigned int left_total[GVIRT_LEFT_LOST + 1];

static bool list_has(struct gvirt_context *const *list, const struct gvirt_context *context)
{
	return list[0] == context || list[1] == context;
}

static void list_remove(struct gvirt_context **list, const struct gvirt_context *context)
{
	if (list[0] == context) {
		list[0] = list[1];
		list[1] = NULL;
	} else if (list[1] == context) {
		list[1] = NULL;
	}
}

static int submit(struct client *client, unsigned int first, int second)
{
	struct gvirt_context *a = &client->job[first].hw;
	struct gvirt_context *b = second < 0 ? NULL : &client->job[second].hw;
	int err;

	a->tail += 8;
	err = gvirt_sched_submit(&client->slot, a, b);
	if (err)
		return err;
	/* Nothing may have been told yet. */
	client->next[0] = a;
	client->next[1] = b;
	client->busy = true;
	return 0;
}

static void submit_again(struct client *client)
{
	unsigned int n = chip_random() % JOBS;

	if (!client->eager || client->busy || chip_random() % 3)
		return;
	if (!chip_has(&client->job[n].hw))
		client->job[n].left_ns = chip_random() % MS;
	submit(client, n, -1);
}

static void on_taken(void *data)
{
	struct client *client = data;
	unsigned int i;

	assert_true(client->busy);
	for (i = 0; i < GVIRT_ENGINE_ELEMENTS; i++)
		assert_true(list_has(client->next, client->force[i]) || !client->force[i]);
	memcpy(client->force, client->next, sizeof(client->force));
	memset(client->next, 0, sizeof(client->next));
	client->busy = false;
	client->taken++;
	submit_again(client);
}

static void on_left(void *data, struct gvirt_context *context, enum gvirt_left why)
{
	struct client *client = data;

	client->left[why]++;
	left_total[why]++;
	switch (why) {
	case GVIRT_LEFT_COMPLETE:
		assert_ptr_equal(client->force[0], context);
		break;
	case GVIRT_LEFT_PREEMPTED:
		assert_true(client->busy && list_has(client->force, context));
		assert_false(list_has(client->next, context));
		break;
	case GVIRT_LEFT_LOST:
		assert_false(chip_has(context));
		assert_true(list_has(client->force, context) || list_has(client->next, context));
		list_remove(client->next, context);
		client->busy = false;
		break;
	}
	list_remove(client->force, context);
	if (why == GVIRT_LEFT_COMPLETE)
		submit_again(client);
}

static void on_user(void *data, u32 events)
{
	struct client *client = data;

	assert_int_equal(events, GVIRT_IRQ_USER);
	client->interrupts++;
}

static bool differs(void *data, void *from)
{
	const struct client *client = data, *other = from;

	return client->own || (other && other->own);
}

static void load(void *data)
{
	struct client *client = data;

	client->loads++;
	assert_true(chip_idle(client->engine));
}

static const struct gvirt_sched_ops ops = {
	.taken = on_taken,
	.left = on_left,
	.user = on_user,
	.differs = differs,
	.load = load,
};

static void join(struct client *client, enum gvirt_engine_id engine)
{
	unsigned int i;

	*client = (struct client) { .engine = engine };
	for (i = 0; i < JOBS; i++)
		client->job[i].hw.owner = &client->job[i];
	assert_int_equal(gvirt_sched_add(gvirt_scheds_engine(scheds, engine), &client->slot, &ops,
					 client), 0);
}

static void assert_off(const struct client *client)
{
	unsigned int i;

	for (i = 0; i < JOBS; i++)
		assert_false(chip_has(&client->job[i].hw));
}

static void leave(struct client *client)
{
	gvirt_sched_remove(&client->slot);
	assert_off(client);
}

static int cancel(struct client *client, unsigned int yield_ms)
{
	int err = gvirt_sched_cancel(&client->slot, yield_ms);

	assert_off(client);
	memset(client->force, 0, sizeof(client->force));
	memset(client->next, 0, sizeof(client->next));
	client->busy = false;
	return err;
}

static void hog(struct client *client, bool stuck)
{
	client->job[0].left_ns = CHIP_FOREVER;
	client->job[0].stuck = stuck;
	assert_int_equal(submit(client, 0, -1), 0);
}

static int setup(void **state)
{
	(void)state;
	chip_seed(1);
	chip_init(&gpu);
	scheds = gvirt_scheds_create(&gpu);
	chip_schedule(scheds);
	memset(clients, 0, sizeof(clients));
	return 0;
}

static int teardown(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < USERS; i++)
		leave(&clients[i]);
	gvirt_scheds_destroy(scheds);
	chip_schedule(NULL);
	return 0;
}

static double percent(const struct client *client, u64 of_ns)
{
	return 100.0 * client->job[0].ran_ns / of_ns;
}

static void assert_near(double value, double expected, double tolerance)
{
	if (value < expected - tolerance || value > expected + tolerance)
		fail_msg("%.2f is not within %.2f of %.2f", value, tolerance, expected);
}

static void test_weights(void **state)
{
	static const u32 weights[USERS] = { 10, 20, 30, 40, 100, 200 };
	unsigned int i;

	(void)state;
	for (i = 0; i < USERS; i++) {
		join(&clients[i], GVIRT_RCS);
		gvirt_sched_set_share(&clients[i].slot, weights[i], 0);
		hog(&clients[i], false);
	}
	chip_run(SECOND);
	for (i = 0; i < USERS; i++)
		assert_near(percent(&clients[i], SECOND), weights[i] / 4.0, 1.5);
}

/* Also one that has the engine to itself. */
static void test_cap(void **state)
{
	(void)state;
	join(&clients[0], GVIRT_BCS);
	gvirt_sched_set_share(&clients[0].slot, 100, 30);
	hog(&clients[0], false);
	chip_run(2 * SECOND);
	assert_near(percent(&clients[0], 2 * SECOND), 30, 1);
	join(&clients[1], GVIRT_BCS);
	hog(&clients[1], false);
	chip_run(2 * SECOND);
	assert_near(percent(&clients[1], 2 * SECOND), 70, 2);
	assert_int_equal(chip_resets(GVIRT_BCS), 0);
	assert_int_equal(clients[0].left[GVIRT_LEFT_PREEMPTED], 0);
}

/* Who comes new beside hogs does not wait for long. */
static void test_latency(void **state)
{
	unsigned int i, round;

	(void)state;
	for (i = 0; i < 3; i++)
		join(&clients[i], GVIRT_RCS);
	hog(&clients[0], false);
	hog(&clients[1], false);
	for (round = 1; round <= 20; round++) {
		chip_run(50 * MS + chip_random() % MS);
		clients[2].job[0].left_ns = MS / 10;
		assert_int_equal(submit(&clients[2], 0, -1), 0);
		chip_run(2 * GVIRT_SCHED_SLICE_DEFAULT_NS);
		assert_int_equal(clients[2].left[GVIRT_LEFT_COMPLETE], round);
	}
}

/* An idle engine is asked once whether a message was lost, and then left alone. */
static void test_idle(void **state)
{
	(void)state;
	join(&clients[0], GVIRT_RCS);
	clients[0].job[0].left_ns = MS;
	assert_int_equal(submit(&clients[0], 0, -1), 0);
	chip_run(10 * MS);
	assert_int_equal(clients[0].left[GVIRT_LEFT_COMPLETE], 1);
	assert_int_not_equal(scheds->sched[GVIRT_RCS].timer.at, 0);
	chip_run(200 * MS);
	assert_int_equal(scheds->sched[GVIRT_RCS].timer.at, 0);
	assert_false(gvirt_sched_running(&clients[0].slot));
}

static void test_guilty(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 3; i++)
		join(&clients[i], GVIRT_VCS);
	hog(&clients[0], true);
	chip_run(SECOND);
	assert_true(gvirt_sched_running(&clients[0].slot));
	for (i = 1; i < 3; i++) {
		clients[i].job[0].left_ns = 5 * MS;
		assert_int_equal(submit(&clients[i], 0, -1), 0);
	}
	chip_run((GVIRT_SCHED_YIELD_MS + 100) * MS);
	assert_int_equal(chip_resets(GVIRT_VCS), 1);
	assert_int_equal(clients[0].left[GVIRT_LEFT_LOST], 1);
	assert_int_equal(clients[0].slot.stats.resets, 1);
	for (i = 1; i < 3; i++) {
		assert_int_equal(clients[i].left[GVIRT_LEFT_COMPLETE], 1);
		assert_int_equal(clients[i].job[0].ran_ns, 5 * MS);
	}
}

static void test_cancel(void **state)
{
	(void)state;
	join(&clients[0], GVIRT_RCS);
	join(&clients[1], GVIRT_RCS);
	hog(&clients[0], false);
	chip_run(MS);
	assert_int_equal(cancel(&clients[0], GVIRT_SCHED_YIELD_MS), 0);
	hog(&clients[0], true);
	hog(&clients[1], false);
	chip_run(MS);
	assert_int_equal(cancel(&clients[0], 20), -EIO);
	assert_int_equal(clients[0].left[GVIRT_LEFT_LOST], 1);
	chip_run(MS);
	assert_true(gvirt_sched_running(&clients[1].slot));
	assert_int_equal(chip_resets(GVIRT_RCS), 1);
	assert_int_equal(clients[1].left[GVIRT_LEFT_LOST], 0);
}

/* An interrupt that came before is not forgotten: somebody in the guest waits for it. */
static void test_cancel_keeps_interrupts(void **state)
{
	(void)state;
	join(&clients[0], GVIRT_BCS);
	join(&clients[1], GVIRT_BCS);
	/* Noted by the engine's worker, which has not come to telling it. */
	clients[0].slot.user_due = 1;
	assert_int_equal(cancel(&clients[0], GVIRT_SCHED_YIELD_MS), 0);
	hog(&clients[1], false);
	chip_run(MS);
	assert_int_equal(clients[0].interrupts, 1);
	assert_int_equal(clients[1].interrupts, 0);
}

/* What engines have worked is what their users had, also in the middle of a turn. */
static void test_busy(void **state)
{
	struct gvirt_sched_stats stats;
	unsigned int i;
	u64 sum = 0;

	(void)state;
	for (i = 0; i < 3; i++) {
		join(&clients[i], GVIRT_RCS);
		hog(&clients[i], false);
	}
	chip_run(33 * MS + 1);
	for (i = 0; i < 3; i++) {
		gvirt_sched_read_stats(&clients[i].slot, &stats);
		sum += stats.ran_ns;
	}
	assert_int_equal(gvirt_sched_busy_ns(&scheds->sched[GVIRT_RCS]), sum);
	assert_in_range(sum, 32 * MS, 34 * MS);
	assert_int_equal(gvirt_sched_busy_ns(&scheds->sched[GVIRT_BCS]), 0);
}

static u64 waited_ns(struct client *client)
{
	struct gvirt_sched_stats stats;

	gvirt_sched_read_stats(&client->slot, &stats);
	return stats.waited_ns;
}

/* Who has work runs or waits, up to now; who has none does neither. */
static void test_waited(void **state)
{
	struct gvirt_sched_stats stats;
	unsigned int i;
	u64 before;

	(void)state;
	for (i = 0; i < 3; i++) {
		join(&clients[i], GVIRT_BCS);
		clients[i].own = i == 2;
		hog(&clients[i], false);
	}
	for (i = 0; i < 30; i++)
		chip_run(7 * MS + chip_random() % MS);
	before = ktime_get_ns();
	for (i = 0; i < 3; i++) {
		gvirt_sched_read_stats(&clients[i].slot, &stats);
		assert_in_range(stats.waited_ns, 50 * MS, 250 * MS);
		clients[i].job[1].ran_ns = stats.ran_ns + stats.waited_ns;
	}
	chip_run(100 * MS);
	for (i = 0; i < 3; i++) {
		gvirt_sched_read_stats(&clients[i].slot, &stats);
		assert_int_equal(stats.ran_ns + stats.waited_ns - clients[i].job[1].ran_ns,
				 ktime_get_ns() - before);
	}
	cancel(&clients[0], GVIRT_SCHED_YIELD_MS);
	before = waited_ns(&clients[0]);
	chip_run(100 * MS);
	assert_int_equal(waited_ns(&clients[0]), before);
}

/* From one policy to the next while all have work: nobody pays for the old rules. */
static void test_change_policy(void **state)
{
	u64 before[2];
	unsigned int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		join(&clients[i], GVIRT_RCS);
		gvirt_sched_set_share(&clients[i].slot, i ? 300 : 100, 0);
	}
	gvirt_scheds_set_policy(scheds, GVIRT_SCHED_ROUND_ROBIN);
	gvirt_scheds_set_slice(scheds, 4 * MS);
	assert_int_equal(gvirt_scheds_policy(scheds), GVIRT_SCHED_ROUND_ROBIN);
	assert_int_equal(gvirt_scheds_slice(scheds), 4 * MS);
	for (i = 0; i < 2; i++)
		hog(&clients[i], false);
	chip_run(2 * SECOND);
	for (i = 0; i < 2; i++) {
		assert_near(percent(&clients[i], 2 * SECOND), 50, 1);
		before[i] = clients[i].job[0].ran_ns;
	}
	gvirt_scheds_set_policy(scheds, GVIRT_SCHED_WEIGHTED);
	chip_run(SECOND);
	assert_near((clients[0].job[0].ran_ns - before[0]) * 100.0 / SECOND, 25, 1);
	assert_near((clients[1].job[0].ran_ns - before[1]) * 100.0 / SECOND, 75, 1);
	/* Slices of 4 ms: a round of two is 4 ms. */
	assert_in_range(clients[0].slot.stats.turns, 500 + 230, 500 + 270);
}

/* Registers that differ cost an idle engine, and everybody still has his share. */
static void test_load(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		join(&clients[i], GVIRT_VECS);
		clients[i].own = i < 2;
		hog(&clients[i], false);
	}
	chip_run(SECOND);
	for (i = 0; i < 4; i++)
		assert_near(percent(&clients[i], SECOND), 25, 1.5);
	for (i = 0; i < 2; i++)
		assert_int_equal(clients[i].loads, clients[i].slot.stats.turns);
	assert_true(clients[3].loads < clients[3].slot.stats.turns);
	assert_int_equal(chip_resets(GVIRT_VECS), 0);
}

/* Nobody else's work is lost in a full reset, until that is refused as well. */
static void test_full_reset(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < GVIRT_ENGINES; i++) {
		join(&clients[i], i);
		hog(&clients[i], i == 0);
	}
	chip_run(MS);
	chip_refuse(GVIRT_RCS, false);
	assert_int_equal(cancel(&clients[0], 0), -EIO);
	chip_run(MS);
	for (i = 1; i < GVIRT_ENGINES; i++) {
		assert_true(gvirt_sched_running(&clients[i].slot));
		assert_int_equal(clients[i].left[GVIRT_LEFT_LOST], 0);
		assert_int_equal(chip_resets(i), 1);
	}
	hog(&clients[0], true);
	chip_run(MS);
	chip_refuse(GVIRT_RCS, true);
	assert_int_equal(cancel(&clients[0], 0), -EIO);
	assert_true(gvirt_scheds_wedged(scheds));
	for (i = 0; i < GVIRT_ENGINES; i++) {
		assert_int_equal(clients[i].left[GVIRT_LEFT_LOST], i ? 1 : 2);
		assert_int_equal(submit(&clients[i], 1, -1), -EIO);
	}
}

/* Hogs on all engines have one bound together: who cancels does not wait for each. */
static void test_full_reset_bound(void **state)
{
	u64 before;
	unsigned int i;

	(void)state;
	for (i = 0; i < GVIRT_ENGINES; i++) {
		join(&clients[i], i);
		hog(&clients[i], true);
	}
	chip_run(MS);
	chip_refuse(GVIRT_RCS, false);
	before = ktime_get_ns();
	assert_int_equal(cancel(&clients[0], 0), -EIO);
	assert_in_range(ktime_get_ns() - before, GVIRT_SCHED_YIELD_MS * MS,
			(GVIRT_SCHED_YIELD_MS + 20) * MS);
	for (i = 0; i < GVIRT_ENGINES; i++) {
		assert_int_equal(clients[i].left[GVIRT_LEFT_LOST], 1);
		assert_int_equal(chip_resets(i), 1);
	}
}

static void test_lost_message(void **state)
{
	unsigned int i;

	(void)state;
	join(&clients[0], GVIRT_RCS);
	for (i = 1; i <= 3; i++) {
		clients[0].job[0].left_ns = MS;
		chip_lose(GVIRT_RCS);
		assert_int_equal(submit(&clients[0], 0, -1), 0);
		chip_run(MS / 2);
		chip_interrupt(GVIRT_RCS);
		chip_run(2 * GVIRT_SCHED_POLL_MS * MS);
		assert_int_equal(clients[0].left[GVIRT_LEFT_COMPLETE], i);
		assert_int_equal(clients[0].interrupts, i);
	}
	assert_int_equal(chip_resets(GVIRT_RCS), 0);
}

static void stall(u64 ns)
{
	unsigned int i;

	for (i = 0; i < 3; i++) {
		clients[i].job[0].left_ns = 50 * MS;
		assert_int_equal(submit(&clients[i], 0, -1), 0);
	}
	chip_stall(GVIRT_RCS, ns);
	chip_run(ns + SECOND);
}

/* What the chip does not do in time, nobody is to blame for; but a dead one is reset. */
static void test_late_chip(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++)
		join(&clients[i], GVIRT_RCS);
	/* At the start, and in a switch. */
	stall((GVIRT_SCHED_CHIP_MS - 100) * MS);
	hog(&clients[3], false);
	stall((GVIRT_SCHED_CHIP_MS - 100) * MS);
	assert_int_equal(chip_resets(GVIRT_RCS), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(clients[i].left[GVIRT_LEFT_COMPLETE], 2);
	stall(2 * GVIRT_SCHED_CHIP_MS * MS);
	assert_int_equal(chip_resets(GVIRT_RCS), 1);
	for (i = 0; i < 3; i++)
		assert_int_equal(clients[i].left[GVIRT_LEFT_COMPLETE] +
				 clients[i].left[GVIRT_LEFT_LOST], 3);
}

/* Who lets itself be taken off does not wait for a chip that is late. */
static void test_cancel_late_chip(void **state)
{
	u64 before;

	(void)state;
	join(&clients[0], GVIRT_RCS);
	join(&clients[1], GVIRT_RCS);
	hog(&clients[0], false);
	chip_run(MS);
	hog(&clients[1], false);
	chip_stall(GVIRT_RCS, 2 * SECOND);
	chip_run(100 * MS);
	before = ktime_get_ns();
	assert_int_equal(cancel(gvirt_sched_running(&clients[0].slot) ? &clients[0] : &clients[1],
				20), -EIO);
	assert_in_range(ktime_get_ns() - before, 20 * MS, 30 * MS);
}

/* Random runs. */

static void random_submit(struct client *client)
{
	unsigned int first = chip_random() % JOBS;
	int second = chip_random() % JOBS, err;

	if ((unsigned int)second == first || chip_random() % 2)
		second = -1;
	/* What the chip has goes on with what it was doing. */
	if (!client->busy && !chip_has(&client->job[first].hw)) {
		client->job[first].left_ns =
			chip_random() % 8 ? chip_random() % (3 * MS) : CHIP_FOREVER;
		client->job[first].stuck = chip_random() % 40 == 0;
	}
	err = submit(client, first, second);
	assert_true(!err || (err == -EBUSY && client->busy));
}

static void random_action(struct client *client)
{
	struct gvirt_sched *sched = gvirt_scheds_engine(scheds, client->engine);

	switch (chip_random() % 20) {
	case 0:
		cancel(client, chip_random() % GVIRT_SCHED_YIELD_MS);
		break;
	case 1:
		gvirt_sched_set_share(&client->slot, 1 + chip_random() % 1000,
				      chip_random() % 3 ? 0 : 10 + chip_random() % 90);
		break;
	case 2:
		gvirt_sched_set_policy(sched, chip_random() % 3);
		break;
	case 3:
		leave(client);
		join(client, chip_random() % 2);
		client->own = chip_random() % 3 == 0;
		client->eager = chip_random() % 2;
		break;
	case 4:
		if (chip_random() % 10 == 0)
			chip_refuse(client->engine, false);
		break;
	case 5:
		chip_lose(client->engine);
		if (chip_random() % 10 == 0)
			chip_stall(client->engine, chip_random() % (2 * SECOND));
		break;
	case 6:
		chip_interrupt(client->engine);
		break;
	case 7 ... 12:
		chip_run(chip_random() % (chip_random() % 2 ? 4 * MS : MS / 10));
		break;
	default:
		random_submit(client);
		break;
	}
}

/* All that is left ends by itself, and then nothing is left. */
static void come_to_rest(unsigned int seed)
{
	unsigned int i, n;

	for (i = 0; i < USERS; i++) {
		gvirt_sched_set_share(&clients[i].slot, 100, 0);
		clients[i].eager = false;
		for (n = 0; n < JOBS; n++) {
			clients[i].job[n].stuck = false;
			clients[i].job[n].left_ns = 1;
		}
	}
	for (i = 0; i < GVIRT_ENGINES; i++) {
		gvirt_sched_set_policy(&scheds->sched[i], GVIRT_SCHED_WEIGHTED);
		chip_stall(i, 0);
	}
	chip_run(3 * SECOND);
	for (i = 0; i < USERS; i++)
		if (clients[i].busy || clients[i].force[0])
			fail_msg("seed %u: user %u waits for ever", seed, i);
	for (i = 0; i < GVIRT_ENGINES; i++) {
		assert_true(chip_idle(i));
		assert_int_equal(scheds->sched[i].timer.at, 0);
	}
	assert_false(gvirt_scheds_wedged(scheds));
}

static void test_random(void **state)
{
	unsigned int seed, i;

	memset(left_total, 0, sizeof(left_total));
	for (seed = 1; seed <= RANDOM_RUNS; seed++) {
		setup(state);
		chip_seed(seed);
		for (i = 0; i < USERS; i++)
			join(&clients[i], chip_random() % 2);
		for (i = 0; i < RANDOM_ACTIONS; i++)
			random_action(&clients[chip_random() % USERS]);
		come_to_rest(seed);
		teardown(state);
	}
	/* All that may happen did. */
	for (i = 0; i <= GVIRT_LEFT_LOST; i++)
		assert_true(left_total[i] > RANDOM_RUNS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_weights, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_latency, setup, teardown),
		cmocka_unit_test_setup_teardown(test_idle, setup, teardown),
		cmocka_unit_test_setup_teardown(test_guilty, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cancel, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cancel_keeps_interrupts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_busy, setup, teardown),
		cmocka_unit_test_setup_teardown(test_waited, setup, teardown),
		cmocka_unit_test_setup_teardown(test_change_policy, setup, teardown),
		cmocka_unit_test_setup_teardown(test_load, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_reset, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_reset_bound, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lost_message, setup, teardown),
		cmocka_unit_test_setup_teardown(test_late_chip, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cancel_late_chip, setup, teardown),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
