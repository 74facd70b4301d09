// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the scheduler: users that share engines, and engines that are taken
 * away from them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/array_size.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/iopoll.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_lrc.h>
#include "hw/gpu.h"
#include "hwtest.h"
#include "model/sched.h"

#define USERS		4
#define MAX_LEFT	16
/* What a job that is done has counted. */
#define DONE		2

/**
 * struct client - A slot that writes down what it is told
 * @slot: it
 * @engine: on which engine
 * @wake: woken by each call
 * @a: a job
 * @b: another one
 * @who: contexts that left, in order
 * @why: why they left
 * @lefts: how many
 * @taken: calls of taken()
 * @interrupts: calls of user()
 * @loads: calls of load()
 * @busy_loads: those that found the engine busy
 * @own: its registers differ from everybody else's
 */
struct client {
	struct gvirt_sched_slot slot;
	struct gvirt_engine *engine;
	wait_queue_head_t wake;
	struct job a;
	struct job b;
	struct gvirt_context *who[MAX_LEFT];
	enum gvirt_left why[MAX_LEFT];
	atomic_t lefts;
	atomic_t taken;
	atomic_t interrupts;
	atomic_t loads;
	atomic_t busy_loads;
	bool own;
};

/**
 * struct bench - What a test has
 * @gpu: the chip
 * @scheds: its schedulers
 * @engine: the engine that the test is about
 * @user: users; those of tests on one engine are on @engine
 */
struct bench {
	struct gvirt_gpu *gpu;
	struct gvirt_scheds *scheds;
	enum gvirt_engine_id engine;
	struct client user[USERS];
};

static void on_taken(void *data)
{
	struct client *user = data;

	atomic_inc(&user->taken);
	wake_up_all(&user->wake);
}

static void on_left(void *data, struct gvirt_context *context, enum gvirt_left why)
{
	struct client *user = data;
	unsigned int n = atomic_read(&user->lefts);

	if (n < MAX_LEFT) {
		user->who[n] = context;
		user->why[n] = why;
	}
	atomic_inc_return_release(&user->lefts);
	wake_up_all(&user->wake);
}

static void on_user(void *data, u32 events)
{
	struct client *user = data;

	atomic_inc(&user->interrupts);
	wake_up_all(&user->wake);
}

static bool differs(void *data, void *from)
{
	struct client *user = data, *other = from;

	return user->own || (other && other->own);
}

static void load(void *data)
{
	struct client *user = data;

	atomic_inc(&user->loads);
	if (gvirt_engine_wait_idle(user->engine, 0))
		atomic_inc(&user->busy_loads);
}

static const struct gvirt_sched_ops user_ops = {
	.taken = on_taken,
	.left = on_left,
	.user = on_user,
	.differs = differs,
	.load = load,
};

static bool wait_for(struct client *user, const atomic_t *counter, int value)
{
	return wait_event_timeout(user->wake, atomic_read_acquire(counter) >= value,
				  msecs_to_jiffies(WAIT_MS));
}

/* A call that must not come has had its time. */
static bool stays(const atomic_t *counter, int value)
{
	msleep(20);
	return atomic_read(counter) == value;
}

static bool left(const struct client *user, unsigned int n, const struct job *job,
		 enum gvirt_left why)
{
	return n < atomic_read(&user->lefts) && user->who[n] == &job->context &&
	       user->why[n] == why;
}

/* It is not told of this. */
static bool runs(struct client *user)
{
	bool running;

	return !read_poll_timeout(gvirt_sched_running, running, running, 1000,
				  WAIT_MS * USEC_PER_MSEC, false, &user->slot);
}

static int submit(struct client *user, struct job *first, struct job *second)
{
	return gvirt_sched_submit(&user->slot, &first->context, second ? &second->context : NULL);
}

/* Counts, waits for its release, counts again. */
static int emit_counted(struct job *job)
{
	return job_emit_count(job) ?: job_emit_wait(job) ?: job_emit_count(job);
}

/* The same, but cannot be preempted. */
static int emit_stuck(struct job *job)
{
	return job_emit_arbitration(job, false) ?: emit_counted(job);
}

static struct gvirt_sched_stats stats(struct client *user)
{
	struct gvirt_sched_stats stats;

	gvirt_sched_read_stats(&user->slot, &stats);
	return stats;
}

static u64 resets(const struct client *user)
{
	return atomic64_read(&user->engine->stats.resets);
}

static int user_init(struct client *user, struct bench *bench, enum gvirt_engine_id engine)
{
	int err;

	*user = (struct client) { .engine = bench->gpu->engine[engine] };
	init_waitqueue_head(&user->wake);
	err = job_init(&user->a, bench->gpu, engine);
	err = err ?: job_init(&user->b, bench->gpu, engine);
	return err ?: gvirt_sched_add(gvirt_scheds_engine(bench->scheds, engine), &user->slot,
				      &user_ops, user);
}

static void user_fini(struct client *user)
{
	gvirt_sched_remove(&user->slot);
	job_fini(&user->b);
	job_fini(&user->a);
}

/* Tests on one engine. */

static void alone(struct bench *bench)
{
	struct client *user = &bench->user[0];
	unsigned int i;

	EXPECT(!job_emit_store(&user->a, job_address(&user->a, RESULT), 1));
	EXPECT(!job_emit_store(&user->b, job_address(&user->b, RESULT), 2));
	EXPECT(!submit(user, &user->a, &user->b));
	EXPECT(wait_for(user, &user->lefts, 2));
	EXPECT(left(user, 0, &user->a, GVIRT_LEFT_COMPLETE));
	EXPECT(left(user, 1, &user->b, GVIRT_LEFT_COMPLETE));
	EXPECT(atomic_read(&user->taken) == 1);
	EXPECT(job_result(&user->a) == 1 && job_result(&user->b) == 2);
	EXPECT(wait_for(user, &user->interrupts, 1));
	EXPECT(submit(user, &user->a, &user->a) == -EINVAL);
	/* Nobody else heard of it. */
	for (i = 1; i < USERS; i++)
		EXPECT(!atomic_read(&bench->user[i].lefts) && !atomic_read(&bench->user[i].taken));
}

/* A newer list of the same user: another context displaces, the same one goes on. */
static void replace(struct bench *bench)
{
	struct client *user = &bench->user[0];

	EXPECT(!emit_counted(&user->a));
	EXPECT(!submit(user, &user->a, NULL));
	EXPECT(wait_for(user, &user->taken, 1));
	EXPECT(!job_emit_store(&user->b, job_address(&user->b, RESULT), 5));
	EXPECT(!submit(user, &user->b, NULL));
	EXPECT(wait_for(user, &user->lefts, 2));
	EXPECT(left(user, 0, &user->a, GVIRT_LEFT_PREEMPTED));
	EXPECT(left(user, 1, &user->b, GVIRT_LEFT_COMPLETE));
	EXPECT(atomic_read(&user->taken) == 2 && job_result(&user->b) == 5);

	EXPECT(!submit(user, &user->a, NULL));
	EXPECT(wait_for(user, &user->taken, 3));
	EXPECT(!job_emit_count(&user->a));
	EXPECT(!submit(user, &user->a, NULL));
	EXPECT(wait_for(user, &user->taken, 4));
	EXPECT(stays(&user->lefts, 2));
	job_release(&user->a);
	EXPECT(wait_for(user, &user->lefts, 3));
	EXPECT(left(user, 2, &user->a, GVIRT_LEFT_COMPLETE));
	EXPECT(stays(&user->lefts, 3));
	EXPECT(job_result(&user->a) == DONE + 1);
}

/*
 * The same while somebody else has the engine for most of the time: what a turn takes on a machine
 * that stands still, the other gets twenty times over, and all of it is waited for.
 */
static void replace_waiting(struct bench *bench)
{
	struct client *hog = &bench->user[0], *user = &bench->user[1];

	gvirt_sched_set_share(&hog->slot, GVIRT_SCHED_WEIGHT_MAX, 0);
	gvirt_sched_set_share(&user->slot, GVIRT_SCHED_WEIGHT_MAX / 20, 0);
	EXPECT(!emit_counted(&hog->a) && !submit(hog, &hog->a, NULL) && runs(hog));
	EXPECT(!emit_counted(&user->a) && !submit(user, &user->a, NULL));
	EXPECT(wait_for(user, &user->taken, 1));
	job_release(&user->b);
	EXPECT(!emit_counted(&user->b) && !submit(user, &user->b, NULL));
	EXPECT(wait_for(user, &user->lefts, 2));
	EXPECT(left(user, 0, &user->a, GVIRT_LEFT_PREEMPTED));
	EXPECT(left(user, 1, &user->b, GVIRT_LEFT_COMPLETE));
	EXPECT(atomic_read(&user->taken) == 2 && job_result(&user->b) == DONE);
	job_release(&hog->a);
	EXPECT(wait_for(hog, &hog->lefts, 1));
	EXPECT(left(hog, 0, &hog->a, GVIRT_LEFT_COMPLETE) && job_result(&hog->a) == DONE);
}

/* How long the chip says that a context ran, in its ticks; of one that has left. */
static u32 ticks(const struct job *job)
{
	return gvirt_context_registers(&job->context)[GEN9_CTX_TIMESTAMP + 1];
}

static u64 percent_of(u64 a, u64 b)
{
	return a + b ? a * 100 / (a + b) : 0;
}

/**
 * struct parts - The first user's part of two users' time, in percent
 * @host: as the scheduler accounts it; this is what it can keep to
 * @chip: as the chip counted it: also what a busy machine kept one waiting for
 */
struct parts {
	u64 host;
	u64 chip;
};

static struct parts measure(struct bench *bench, u32 weight0, u32 weight1)
{
	struct client *user = bench->user;
	struct parts parts;
	u64 ran[2];
	unsigned int i;

	gvirt_sched_set_share(&user[0].slot, weight0, 0);
	gvirt_sched_set_share(&user[1].slot, weight1, 0);
	for (i = 0; i < 2; i++)
		EXPECT(!emit_counted(&user[i].a) && !submit(&user[i], &user[i].a, NULL));
	msleep(1500);
	for (i = 0; i < 2; i++)
		EXPECT(!gvirt_sched_cancel(&user[i].slot, GVIRT_SCHED_YIELD_MS));
	for (i = 0; i < 2; i++) {
		ran[i] = ticks(&user[i].a);
		EXPECT(ran[i] && atomic_read(&user[i].lefts) == 0);
		EXPECT(stats(&user[i]).turns > 2 && stats(&user[i]).preemptions > 2);
	}
	pr_info("# weights %u:%u, %llu and %llu ticks, %llu and %llu us, %llu turns\n", weight0,
		weight1, ran[0], ran[1], stats(&user[0]).ran_ns / NSEC_PER_USEC,
		stats(&user[1]).ran_ns / NSEC_PER_USEC, stats(&user[0]).turns);
	parts.host = percent_of(stats(&user[0]).ran_ns, stats(&user[1]).ran_ns);
	parts.chip = percent_of(ran[0], ran[1]);
	return parts;
}

static void share(struct bench *bench)
{
	struct parts parts = measure(bench, 300, 100);

	EXPECT(parts.host >= 65 && parts.host <= 85);
	EXPECT(parts.chip >= 55);
}

static void share_equal(struct bench *bench)
{
	struct parts parts = measure(bench, 100, 100);

	EXPECT(parts.host >= 40 && parts.host <= 60);
	EXPECT(parts.chip >= 25 && parts.chip <= 75);
}

/* A cap holds also for one that has the engine to itself. */
static void cap(struct bench *bench)
{
	struct client *user = &bench->user[0];
	u64 began_ns = ktime_get_ns(), percent;

	gvirt_sched_set_share(&user->slot, GVIRT_SCHED_WEIGHT_DEFAULT, 30);
	EXPECT(!emit_counted(&user->a) && !submit(user, &user->a, NULL));
	msleep(1000);
	percent = stats(user).ran_ns * 100 / (ktime_get_ns() - began_ns);
	pr_info("# 30%% at most: %llu%%, %llu turns\n", percent, stats(user).turns);
	EXPECT(percent > 0 && percent <= 40);
	job_release(&user->a);
	EXPECT(wait_for(user, &user->lefts, 1));
	EXPECT(left(user, 0, &user->a, GVIRT_LEFT_COMPLETE) && job_result(&user->a) == DONE);
}

/* Short lists of all users in turn: each is told of each, in order. */
static void many(struct bench *bench)
{
	const unsigned int rounds = 250;
	unsigned int round, i;
	bool good = true;

	for (round = 1; round <= rounds && good; round++) {
		for (i = 0; i < USERS; i++) {
			struct client *user = &bench->user[i];
			struct job *job = round % 2 ? &user->a : &user->b;

			gvirt_context_reset(&job->context);
			good &= !job_emit_store(job, job_address(job, RESULT), round) &&
				!submit(user, job, NULL);
		}
		for (i = 0; i < USERS; i++) {
			struct client *user = &bench->user[i];
			struct job *job = round % 2 ? &user->a : &user->b;

			good &= wait_for(user, &user->lefts, round) &&
				job_result(job) == round && atomic_read(&user->taken) == round;
			if (round <= MAX_LEFT)
				good &= left(user, round - 1, job, GVIRT_LEFT_COMPLETE);
		}
	}
	EXPECT(good && round == rounds + 1);
	for (i = 0; i < USERS; i++)
		EXPECT(atomic_read(&bench->user[i].lefts) == rounds);
	EXPECT(!stats(&bench->user[0]).resets);
}

static void cancel(struct bench *bench)
{
	struct client *user = &bench->user[0];
	u64 before = resets(user);

	EXPECT(!emit_counted(&user->a) && !submit(user, &user->a, &user->b) && runs(user));
	EXPECT(!gvirt_sched_cancel(&user->slot, GVIRT_SCHED_YIELD_MS));
	EXPECT(!gvirt_sched_running(&user->slot));
	EXPECT(stays(&user->lefts, 0) && resets(user) == before);
	/* With nothing to cancel. */
	EXPECT(!gvirt_sched_cancel(&user->slot, 0));
	/* It has been saved: it goes on from where it was. */
	job_release(&user->a);
	EXPECT(!submit(user, &user->a, NULL));
	EXPECT(wait_for(user, &user->lefts, 1));
	EXPECT(left(user, 0, &user->a, GVIRT_LEFT_COMPLETE) && job_result(&user->a) == DONE);
}

/* It does not let go, and others have work: what they had counted stays counted, once. */
static void cancel_stuck(struct bench *bench)
{
	struct client *bad = &bench->user[0], *good = &bench->user[1];
	u64 before = resets(bad);

	EXPECT(!emit_counted(&good->a) && !submit(good, &good->a, NULL) && runs(good));
	EXPECT(!emit_stuck(&bad->a) && !submit(bad, &bad->a, &bad->b) && runs(bad));
	EXPECT(gvirt_sched_cancel(&bad->slot, 20) == -EIO);
	EXPECT(!gvirt_sched_running(&bad->slot) && resets(bad) == before + 1);
	EXPECT(left(bad, 0, &bad->a, GVIRT_LEFT_LOST) && left(bad, 1, &bad->b, GVIRT_LEFT_LOST));
	EXPECT(atomic_read(&bad->lefts) == 2 && stats(bad).lost == 2);
	EXPECT(runs(good));
	job_release(&good->a);
	EXPECT(wait_for(good, &good->lefts, 1));
	EXPECT(left(good, 0, &good->a, GVIRT_LEFT_COMPLETE) && job_result(&good->a) == DONE);
	/* And the guilty one may work again. */
	gvirt_context_reset(&bad->b.context);
	EXPECT(!job_emit_count(&bad->b) && !submit(bad, &bad->b, NULL));
	EXPECT(wait_for(bad, &bad->lefts, 3));
	EXPECT(left(bad, 2, &bad->b, GVIRT_LEFT_COMPLETE) && job_result(&bad->b) == 1);
}

/* Alone it may be stuck as long as it likes, but not when somebody else wants to run. */
static void guilty(struct bench *bench)
{
	struct client *bad = &bench->user[0], *good = &bench->user[1], *late = &bench->user[2];
	u64 before = resets(bad);

	EXPECT(!emit_stuck(&bad->a) && !submit(bad, &bad->a, NULL) && runs(bad));
	msleep(3 * GVIRT_SCHED_YIELD_MS);
	EXPECT(gvirt_sched_running(&bad->slot) && atomic_read(&bad->lefts) == 0);

	job_release(&good->a);
	EXPECT(!emit_counted(&good->a) && !submit(good, &good->a, &good->b));
	EXPECT(!job_emit_count(&late->a) && !submit(late, &late->a, NULL));
	EXPECT(wait_for(bad, &bad->lefts, 1));
	EXPECT(left(bad, 0, &bad->a, GVIRT_LEFT_LOST) && stats(bad).resets == 1);
	EXPECT(wait_for(good, &good->lefts, 2) && wait_for(late, &late->lefts, 1));
	EXPECT(left(good, 0, &good->a, GVIRT_LEFT_COMPLETE));
	EXPECT(left(good, 1, &good->b, GVIRT_LEFT_COMPLETE));
	EXPECT(job_result(&good->a) == DONE && job_result(&late->a) == 1);
	EXPECT(resets(bad) == before + 1);
	EXPECT(!stats(good).resets && !stats(good).lost && !stats(late).lost);
}

/* A message that got lost, as if the chip had not sent it. */
static void lost_interrupt(struct bench *bench)
{
	struct client *user = &bench->user[0];
	unsigned int i;

	for (i = 1; i <= 5; i++) {
		gvirt_context_reset(&user->a.context);
		EXPECT(!job_emit_store(&user->a, job_address(&user->a, RESULT), i));
		gvirt_mmio_write_raw(&bench->gpu->mmio, GEN9_MASTER_IRQ, 0);
		EXPECT(!submit(user, &user->a, NULL));
		EXPECT(wait_for(user, &user->lefts, i));
		EXPECT(wait_for(user, &user->interrupts, i));
		EXPECT(job_result(&user->a) == i);
	}
	EXPECT(!stats(user).resets);
}

/* Registers of users differ: they are loaded for each turn, with the engine idle. */
static void loading(struct bench *bench)
{
	struct client *user = bench->user;
	unsigned int i;

	user[0].own = true;
	for (i = 0; i < 3; i++)
		EXPECT(!emit_counted(&user[i].a) && !submit(&user[i], &user[i].a, NULL));
	msleep(300);
	for (i = 0; i < 3; i++)
		job_release(&user[i].a);
	for (i = 0; i < 3; i++) {
		EXPECT(wait_for(&user[i], &user[i].lefts, 1));
		EXPECT(left(&user[i], 0, &user[i].a, GVIRT_LEFT_COMPLETE));
		EXPECT(job_result(&user[i].a) == DONE);
		EXPECT(!atomic_read(&user[i].busy_loads));
	}
	EXPECT(atomic_read(&user[0].loads) == stats(&user[0]).turns);
	EXPECT(atomic_read(&user[0].loads) > 1);
	EXPECT(atomic_read(&user[1].loads) && atomic_read(&user[1].loads) <= stats(&user[1]).turns);
}

/* Users come and go while others work. */
static void come_and_go(struct bench *bench)
{
	struct client *user = bench->user;
	unsigned int round, i;
	int err = 0;

	EXPECT(!emit_counted(&user[0].a) && !submit(&user[0], &user[0].a, NULL));
	for (round = 0; round < 20 && !err; round++) {
		for (i = 1; i < USERS; i++) {
			gvirt_context_reset(&user[i].a.context);
			err = err ?: emit_counted(&user[i].a) ?: submit(&user[i], &user[i].a, NULL);
		}
		for (i = 1; i < USERS && !err; i++) {
			gvirt_sched_remove(&user[i].slot);
			err = gvirt_sched_add(gvirt_scheds_engine(bench->scheds, bench->engine),
					      &user[i].slot, &user_ops, &user[i]);
		}
	}
	EXPECT(!err);
	job_release(&user[0].a);
	EXPECT(wait_for(&user[0], &user[0].lefts, 1));
	EXPECT(left(&user[0], 0, &user[0].a, GVIRT_LEFT_COMPLETE));
	EXPECT(job_result(&user[0].a) == DONE && !stats(&user[0]).resets);
}

/* Tests on all engines. */

static void parallel(struct bench *bench)
{
	struct client *user = bench->user;
	unsigned int i;

	for (i = 0; i < USERS; i++)
		EXPECT(!emit_counted(&user[i].a) && !submit(&user[i], &user[i].a, NULL));
	for (i = 0; i < USERS; i++)
		EXPECT(wait_for(&user[i], &user[i].taken, 1));
	for (i = 0; i < USERS; i++)
		EXPECT(gvirt_sched_running(&user[i].slot) && job_result(&user[i].a) == 1);
	for (i = 0; i < USERS; i++)
		job_release(&user[i].a);
	for (i = 0; i < USERS; i++) {
		EXPECT(wait_for(&user[i], &user[i].lefts, 1));
		EXPECT(job_result(&user[i].a) == DONE);
	}
}

/* Each user on an engine of its own: the first one's is stuck, the others' can let go. */
static void occupy(struct client *user)
{
	unsigned int i;

	for (i = 1; i < USERS; i++)
		EXPECT(!emit_counted(&user[i].a) && !submit(&user[i], &user[i].a, NULL) &&
		       runs(&user[i]));
	EXPECT(!emit_stuck(&user[0].a) && !submit(&user[0], &user[0].a, NULL) && runs(&user[0]));
}

/* An engine that refuses its reset: the others let go first, and lose nothing. */
static void reset_refused(struct bench *bench)
{
	struct client *user = bench->user;
	unsigned int i;

	occupy(user);
	EXPECT(hwtest_ask("what=refuse-reset engine=rcs0 value=3"));
	EXPECT(gvirt_sched_cancel(&user[0].slot, 0) == -EIO);
	EXPECT(left(&user[0], 0, &user[0].a, GVIRT_LEFT_LOST));
	EXPECT(!gvirt_scheds_wedged(bench->scheds));
	for (i = 1; i < USERS; i++) {
		EXPECT(runs(&user[i]));
		job_release(&user[i].a);
		EXPECT(wait_for(&user[i], &user[i].lefts, 1));
		EXPECT(left(&user[i], 0, &user[i].a, GVIRT_LEFT_COMPLETE));
		EXPECT(job_result(&user[i].a) == DONE && !stats(&user[i]).lost);
	}
}

/* It refuses for ever: nothing runs any more, and everybody is told. */
static void wedged(struct bench *bench)
{
	struct client *user = bench->user;
	unsigned int i;

	occupy(user);
	EXPECT(hwtest_ask("what=refuse-reset engine=rcs0 value=0"));
	EXPECT(gvirt_sched_cancel(&user[0].slot, 0) == -EIO);
	EXPECT(gvirt_scheds_wedged(bench->scheds));
	/* Each is told by the one who gives up, after its engine takes nothing any more. */
	for (i = 0; i < USERS; i++) {
		EXPECT(wait_for(&user[i], &user[i].lefts, 1));
		EXPECT(left(&user[i], 0, &user[i].a, GVIRT_LEFT_LOST));
		EXPECT(submit(&user[i], &user[i].b, NULL) == -EIO);
		EXPECT(!gvirt_sched_cancel(&user[i].slot, GVIRT_SCHED_YIELD_MS));
	}
	EXPECT(hwtest_ask("what=none engine=rcs0"));
}

/**
 * struct sched_test - A test
 * @name: its name
 * @run: does it
 * @all: users are on one engine each; otherwise on one, which changes by test
 */
struct sched_test {
	const char *name;
	void (*run)(struct bench *bench);
	bool all;
};

static const struct sched_test tests[] = {
	{ "sched-alone", alone },
	{ "sched-replace", replace },
	{ "sched-replace-waiting", replace_waiting },
	{ "sched-share", share },
	{ "sched-share-equal", share_equal },
	{ "sched-cap", cap },
	{ "sched-many", many },
	{ "sched-cancel", cancel },
	{ "sched-cancel-stuck", cancel_stuck },
	{ "sched-guilty", guilty },
	{ "sched-lost-interrupt", lost_interrupt },
	{ "sched-loading", loading },
	{ "sched-come-and-go", come_and_go },
	{ "sched-parallel", parallel, .all = true },
};

/* With somebody who injects faults; the last one leaves a GPU that needs a new start. */
static const struct sched_test asking_tests[] = {
	{ "sched-reset-refused", reset_refused, .all = true },
	{ "sched-wedged", wedged, .all = true },
};

static void run_test(struct bench *bench, const struct sched_test *test)
{
	unsigned int i;
	int err = 0;

	memset(bench->user, 0, sizeof(bench->user));
	for (i = 0; i < USERS; i++)
		err = err ?: user_init(&bench->user[i], bench, test->all ? i : bench->engine);
	EXPECT(!err);
	if (!err)
		test->run(bench);
	for (i = 0; i < USERS; i++)
		user_fini(&bench->user[i]);
	hwtest_report(test->name, "");
	bench->engine = (bench->engine + 1) % GVIRT_ENGINES;
}

static void run_tests(struct bench *bench)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tests); i++)
		run_test(bench, &tests[i]);
	for (i = 0; i < ARRAY_SIZE(asking_tests) && hwtest_may_ask(); i++)
		run_test(bench, &asking_tests[i]);
}

void hwtest_sched(struct gvirt_gpu *gpu)
{
	struct bench *bench = kvzalloc(sizeof(*bench), GFP_KERNEL);

	EXPECT(bench);
	if (bench) {
		bench->gpu = gpu;
		bench->scheds = gvirt_scheds_create(gpu);
		EXPECT(!IS_ERR(bench->scheds));
		if (!IS_ERR(bench->scheds)) {
			run_tests(bench);
			gvirt_scheds_destroy(bench->scheds);
		}
	}
	hwtest_report("sched-all", "");
	kvfree(bench);
}
