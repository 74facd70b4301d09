// SPDX-License-Identifier: GPL-2.0-only
/*
 * How engines are shared: what sysfs says, what it takes and refuses, also while two vGPUs
 * want the same engine.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <gvirt/gen9_lrc.h>

#include "lib/program.h"
#include "lib/share.h"
#include "lib/spin.h"
#include "lib/work.h"

#define CHANGES		200
/* Of an engine's time, shares are judged by so much, or more. */
#define JUDGED_NS	600000000ull

/* As gvirt calls them. */
static const char * const engines[ENGINES] = { "rcs0", "bcs0", "vcs0", "vecs0" };

static char gpu[PATH_MAX];
static struct work side[2];

static void find_gpu(void)
{
	target(1);
	share_gpu(gpu, sizeof(gpu), target(0));
}

static void expect_text(const char *device, const char *file, const char *expected)
{
	char text[128];

	share_read(device, file, text, sizeof(text));
	if (strcmp(text, expected))
		test_fail("%s is '%s' instead of '%s'", file, text, expected);
}

/* The values in @bad are refused, and change nothing. */
static void expect_refused(const char *device, const char *file, const char *const *bad)
{
	char before[128];
	int err;

	share_read(device, file, before, sizeof(before));
	for (; *bad; bad++) {
		err = share_write(device, file, *bad);
		if (err != -EINVAL)
			test_fail("%s: '%s' is answered by %d", file, *bad, err);
		expect_text(device, file, before);
	}
}

static void set_and_see(const char *device, const char *file, const char *text)
{
	int err = share_write(device, file, text);

	if (err)
		test_fail("%s does not take '%s': %s", file, text, strerror(-err));
	expect_text(device, file, text);
}

static void defaults(void)
{
	unsigned int n;

	find_gpu();
	for (n = 0; n < 2; n++) {
		expect_text(target(n), "weight", "100");
		expect_text(target(n), "cap", "0");
	}
	expect_text(gpu, "policy", "[weighted] round-robin fixed");
	expect_text(gpu, "slice_us", "20000");
}

static void ranges(void)
{
	static const char * const numbers[] = {
		"\n", "x", "-1", "1 2", "1x", "0x10", "1.5", "4294967296", "1001", "99999999",
		NULL
	};
	static const char * const names[] = { "\n", "weigh", "weighted fixed", "1", NULL };
	static const char * const low_weight[] = { "0", NULL };
	static const char * const high_cap[] = { "101", NULL };
	static const char * const slices[] = { "0", "499", "100001", NULL };

	find_gpu();
	expect_refused(target(0), "weight", numbers);
	expect_refused(target(0), "weight", low_weight);
	expect_refused(target(0), "cap", numbers);
	expect_refused(target(0), "cap", high_cap);
	expect_refused(gpu, "slice_us", slices);
	expect_refused(gpu, "policy", names);
}

static void values(void)
{
	unsigned int n;

	find_gpu();
	for (n = 0; n < 2; n++) {
		set_and_see(target(n), "weight", "1");
		set_and_see(target(n), "weight", "1000");
		set_and_see(target(n), "cap", "1");
		set_and_see(target(n), "cap", "100");
	}
	expect_text(target(0), "weight", "1000");
	EXPECT_EQ(share_write(gpu, "policy", "fixed\n"), 0);
	expect_text(gpu, "policy", "weighted round-robin [fixed]");
	EXPECT_EQ(share_write(gpu, "policy", "round-robin"), 0);
	expect_text(gpu, "policy", "weighted [round-robin] fixed");
	set_and_see(gpu, "slice_us", "500");
	set_and_see(gpu, "slice_us", "100000");
}

static void reset_shares(void)
{
	unsigned int n;

	find_gpu();
	for (n = 0; n < 2; n++) {
		share_set(target(n), "weight", 100);
		share_set(target(n), "cap", 0);
	}
	EXPECT_EQ(share_write(gpu, "policy", "weighted\n"), 0);
	share_set(gpu, "slice_us", 20000);
}

static void start(enum engine_id id)
{
	find_gpu();
	work_start(&side[0], target(0), id, 4);
	work_start(&side[1], target(1), id, 4);
}

static void stop(void)
{
	work_stop(&side[1]);
	work_stop(&side[0]);
}

/* What two vGPUs had of an engine is what the GPU has worked for them. */
static void expect_sum(const char *engine, u64 before)
{
	u64 first = share_count(target(0), "busy_ns", engine);
	u64 second = share_count(target(1), "busy_ns", engine);

	EXPECT_EQ(share_count(gpu, "busy_ns", engine) - before, first + second);
}

/* Time of the engine that worked, of no other one; closing and resetting does not take it back. */
static void busy(void)
{
	u64 before[ENGINES], others[ENGINES], old;
	enum engine_id id;
	unsigned int i;

	find_gpu();
	for (i = 0; i < ENGINES; i++)
		others[i] = share_count(gpu, "busy_ns", engines[i]) -
			    share_count(target(0), "busy_ns", engines[i]) -
			    share_count(target(1), "busy_ns", engines[i]);
	for (id = 0; id < ENGINES; id++) {
		for (i = 0; i < ENGINES; i++)
			before[i] = share_count(target(0), "busy_ns", engines[i]);
		old = share_count(target(0), "turns", engines[id]);
		start(id);
		work_prove(&side[0]);
		work_prove(&side[1]);
		vdev_reset(&side[0].guest.dev);
		stop();
		for (i = 0; i < ENGINES; i++)
			EXPECT((share_count(target(0), "busy_ns", engines[i]) > before[i]) ==
			       (i == id));
		EXPECT(share_count(target(0), "turns", engines[id]) > old);
		expect_sum(engines[id], others[id]);
	}
}

static u32 number(u32 least, u32 most)
{
	static u32 state = 1;

	state = state * 1664525u + 1013904223u;
	return least + (state >> 8) % (most - least + 1);
}

static void change_something(void)
{
	static const char * const policies[] = { "weighted", "round-robin", "fixed" };

	switch (number(0, 3)) {
	case 0:
		share_set(target(number(0, 1)), "weight", number(1, 1000));
		break;
	case 1:
		share_set(target(number(0, 1)), "cap", number(0, 100));
		break;
	case 2:
		share_set(gpu, "slice_us", number(500, 5000));
		break;
	default:
		EXPECT_EQ(share_write(gpu, "policy", policies[number(0, 2)]), 0);
	}
}

/* Nothing is lost by changes in the middle of work, and both go on. */
static void check_changes(enum engine_id id)
{
	u32 seqno[2];
	unsigned int i, n;

	start(id);
	for (n = 0; n < 2; n++)
		seqno[n] = spin_start(&side[n], SPIN_WAIT);
	for (i = 0; i < CHANGES; i++)
		change_something();
	reset_shares();
	for (n = 0; n < 2; n++) {
		spin_release(&side[n]);
		ctx_wait(&side[n].ctx, seqno[n]);
		engine_expect(side[n].engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
		engine_expect(side[n].engine, GEN9_CSB_ACTIVE_TO_IDLE | GEN9_CSB_COMPLETE,
			      &side[n].ctx);
	}
	stop();
}

static void changes(void)
{
	unsigned int id;

	for (id = 0; id < ENGINES; id++)
		check_changes(id);
}

static void read_busy(u64 *busy)
{
	unsigned int n;

	for (n = 0; n < 2; n++)
		busy[n] = share_count(target(n), "busy_ns", engines[BCS]);
}

/*
 * Of what both have of the engine from now on, the first one has so much, in percent. A machine
 * that stands still in somebody's turn takes a while to be made up for.
 */
static void expect_share(unsigned int least, unsigned int most)
{
	u64 end = vdev_now_ms() + PATIENCE_MS, before[2], now[2], sum, share;

	read_busy(before);
	do {
		usleep(10000);
		read_busy(now);
		sum = now[0] - before[0] + now[1] - before[1];
		share = sum ? 100 * (now[0] - before[0]) / sum : 0;
		if (vdev_now_ms() > end)
			test_fail("the first one has %u %% of the engine, expected %u to %u",
				  (unsigned int)share, least, most);
	} while (sum < JUDGED_NS || share < least || share > most);
}

/* What is written while both work is in force from then on. How exactly, sched_bench.c judges. */
static void in_force(void)
{
	start(BCS);
	spin_start(&side[0], SPIN_LOOP);
	spin_start(&side[1], SPIN_LOOP);
	share_set(target(1), "weight", 300);
	expect_share(15, 35);
	share_set(target(0), "weight", 900);
	expect_share(65, 85);
	share_set(target(0), "cap", 20);
	expect_share(10, 30);
	EXPECT_EQ(share_write(gpu, "policy", "round-robin"), 0);
	share_set(target(0), "cap", 0);
	expect_share(40, 60);
	reset_shares();
	stop();
}

/* A turn of each that ended because of the other one is counted. */
static void preempted(void)
{
	u64 before = share_count(target(0), "preemptions", engines[BCS]);
	u64 end = vdev_now_ms() + PATIENCE_MS;

	start(BCS);
	spin_start(&side[0], SPIN_LOOP);
	spin_start(&side[1], SPIN_LOOP);
	while (share_count(target(0), "preemptions", engines[BCS]) == before)
		EXPECT(vdev_now_ms() < end);
	stop();
}

static const struct testcase tests[] = {
	{ "share-defaults", defaults },
	{ "share-ranges", ranges },
	{ "share-values", values },
	{ "share-reset", reset_shares },
	{ "share-busy", busy },
	{ "share-changes", changes },
	{ "share-in-force", in_force },
	{ "share-preempted", preempted },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
