// SPDX-License-Identifier: GPL-2.0-only
/*
 * How engines are shared, measured (make bench-sched): 2 to 16 vGPUs whose work never ends,
 * caps, a light one beside hogs, idle ones, and what a switch costs. Prints ratios; a share
 * or a cap that is off by more than 3 % of the engine's time fails.
 *
 * Shares are judged by the time that gvirt accounts, since that is what it can keep to. What a
 * loop does with it says nothing: the model slows down those that only spin.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/program.h"
#include "lib/share.h"
#include "lib/sort.h"
#include "lib/spin.h"
#include "lib/work.h"
#include "vgpu.h"

#define VGPUS		17u
/* Apart from those of other programs. */
#define FIRST_ID	0x500u
#define PATH		"/sys/bus/mdev/devices/" VGPU_UUID
#define SECOND		1000000000ull
#define WARM_UP_US	300000
#define TOLERANCE	0.03
#define SAMPLES		60u
#define LIGHT_US	20000
#define SLICE_US	20000u
#define TRIES		3u
#define MS		1e6

static const char * const engines[ENGINES] = { "rcs0", "bcs0", "vcs0", "vecs0" };

static char paths[VGPUS][128];
static char gpu[PATH_MAX];
static struct work works[VGPUS];

/**
 * struct sample - What sysfs says at a time
 * @busy: time of each vGPU with the engine, in ns
 * @turns: of all
 * @wall_ms: the clock
 */
struct sample {
	u64 busy[VGPUS];
	u64 turns;
	u64 wall_ms;
};

/**
 * struct outcome - What happened between two samples
 * @busy: time of each vGPU, in ns
 * @sum: of @busy
 * @turns: of all
 * @wall_ms: how long it took
 * @longest: time that one had in one go, in ns, as far as it is more than a share
 */
struct outcome {
	double busy[VGPUS];
	double sum;
	double turns;
	double wall_ms;
	double longest;
};

static void prepare(unsigned int count, enum engine_id id)
{
	unsigned int n;

	share_gpu(gpu, sizeof(gpu), paths[0]);
	for (n = 0; n < count; n++) {
		share_set(paths[n], "weight", 100);
		share_set(paths[n], "cap", 0);
		work_start(&works[n], paths[n], id, 4);
	}
	share_set(gpu, "slice_us", SLICE_US);
	EXPECT_EQ(share_write(gpu, "policy", "weighted\n"), 0);
}

static void take_sample(struct sample *sample, unsigned int count, enum engine_id id)
{
	unsigned int n;

	*sample = (struct sample) { .wall_ms = vdev_now_ms() };
	for (n = 0; n < count; n++) {
		sample->busy[n] = share_count(paths[n], "busy_ns", engines[id]);
		sample->turns += share_count(paths[n], "turns", engines[id]);
	}
}

static struct outcome between(const struct sample *before, const struct sample *after,
			      unsigned int count)
{
	struct outcome outcome = { .turns = after->turns - before->turns,
				   .wall_ms = after->wall_ms - before->wall_ms };
	unsigned int n;

	for (n = 0; n < count; n++) {
		outcome.busy[n] = after->busy[n] - before->busy[n];
		outcome.sum += outcome.busy[n];
	}
	/* No weight is twice the others'. */
	for (n = 0; n < count; n++)
		if (outcome.busy[n] - 2 * outcome.sum / count > outcome.longest)
			outcome.longest = outcome.busy[n] - 2 * outcome.sum / count;
	return outcome;
}

/* Until the first @count vGPUs had @ns of the engine, or twice that time and a second went by. */
static struct outcome measure(unsigned int count, enum engine_id id, u64 ns)
{
	struct sample before, last, now;
	struct outcome outcome, piece;
	double longest = 0;

	usleep(WARM_UP_US);
	take_sample(&before, count, id);
	last = before;
	do {
		usleep(20000);
		take_sample(&now, count, id);
		piece = between(&last, &now, count);
		longest = piece.longest > longest ? piece.longest : longest;
		outcome = between(&before, &now, count);
		last = now;
	} while (outcome.sum < ns && outcome.wall_ms < 2 * ns / 1e6 + 1000);
	outcome.longest = longest;
	return outcome;
}

static void start_hogs(unsigned int count)
{
	unsigned int n;

	for (n = 0; n < count; n++)
		spin_start(&works[n], SPIN_LOOP);
}

/* Returns the part of the engine's time by which a share is off. */
static double judge_shares(const struct outcome *outcome, unsigned int count, enum engine_id id)
{
	double weights = 0, due, off, worst = 0, least = 1e9, most = 0;
	unsigned int n;

	for (n = 0; n < count; n++)
		weights += 100 * (1 + n % 4);
	for (n = 0; n < count; n++) {
		due = 100 * (1 + n % 4) / weights;
		off = outcome->busy[n] / outcome->sum - due;
		worst = off > worst ? off : -off > worst ? -off : worst;
		least = outcome->busy[n] / outcome->sum / due < least ?
			outcome->busy[n] / outcome->sum / due : least;
		most = outcome->busy[n] / outcome->sum / due > most ?
		       outcome->busy[n] / outcome->sum / due : most;
	}
	printf("# shares: %2u vGPUs on %s: %.2f to %.2f of what is due, at most %.2f %% of the engine off; %.0f turns in %.2f s of the engine\n",
	       count, engines[id], least, most, 100 * worst, outcome->turns, outcome->sum / 1e9);
	return worst;
}

/*
 * Who has the engine while the machine stands still pays for it, but takes longer than a second to
 * pay all back: such a second is measured again.
 */
static void measure_shares(unsigned int count, enum engine_id id)
{
	struct outcome outcome;
	unsigned int tries, n;
	double worst;

	prepare(count, id);
	for (n = 0; n < count; n++)
		share_set(paths[n], "weight", 100 * (1 + n % 4));
	start_hogs(count);
	for (tries = 1; ; tries++) {
		outcome = measure(count, id, SECOND);
		worst = judge_shares(&outcome, count, id);
		if (worst <= TOLERANCE)
			return;
		if (outcome.longest < SLICE_US * 1e3 || tries == TRIES)
			test_fail("a share is off by %.2f %% of the engine's time", 100 * worst);
		printf("# one had the engine for %.0f ms more than a share of it: once more\n",
		       outcome.longest / MS);
	}
}

static void bench_shares(void)
{
	measure_shares(2, BCS);
}

static void bench_shares_4(void)
{
	measure_shares(4, RCS);
}

static void bench_shares_8(void)
{
	measure_shares(8, VECS);
}

static void bench_shares_16(void)
{
	measure_shares(16, BCS);
}

/* Alone the cap is of the time that goes by; beside a hog also of what both had. */
static void bench_cap(void)
{
	struct outcome outcome;
	double got;

	prepare(2, BCS);
	share_set(paths[0], "cap", 30);
	spin_start(&works[0], SPIN_LOOP);
	outcome = measure(1, BCS, SECOND / 2);
	got = outcome.busy[0] / 1e6 / outcome.wall_ms;
	printf("# cap: 30 %%, alone: %.1f %%\n", 100 * got);
	EXPECT(got < 0.30 + TOLERANCE);
	spin_start(&works[1], SPIN_LOOP);
	outcome = measure(2, BCS, SECOND);
	got = outcome.busy[0] / outcome.sum;
	printf("# cap: 30 %%, beside a hog: %.1f %%\n", 100 * got);
	EXPECT(got < 0.30 + TOLERANCE && got > 0.30 - TOLERANCE);
}

static void print_latency(const char *what, double *ms)
{
	sort_figures(ms, SAMPLES);
	printf("# latency, %s: half within %.1f ms, 95 %% within %.1f ms, all within %.1f ms\n",
	       what, ms[SAMPLES / 2], ms[SAMPLES * 95 / 100], ms[SAMPLES - 1]);
}

/*
 * A request that does next to nothing: when it starts, by what gvirt says that it waited, and when
 * the guest sees its end, which is the machine's matter as well.
 */
static void measure_latency(unsigned int hogs)
{
	double waited[SAMPLES], took[SAMPLES];
	u64 before, waits;
	unsigned int i;

	prepare(hogs + 1, BCS);
	for (i = 1; i <= hogs; i++)
		spin_start(&works[i], SPIN_LOOP);
	for (i = 0; i < SAMPLES; i++) {
		usleep(LIGHT_US);
		waits = share_count(paths[0], "waited_ns", engines[BCS]);
		before = vdev_now_ms();
		work_prove(&works[0]);
		took[i] = vdev_now_ms() - before;
		waited[i] = (share_count(paths[0], "waited_ns", engines[BCS]) - waits) / MS;
	}
	printf("# latency: a light vGPU beside %u hogs, slice %.1f ms\n", hogs, SLICE_US / 1e3);
	print_latency("to its start", waited);
	print_latency("until its guest sees the end", took);
	/* The emulated machine may stand still at any time, for whatever it likes. */
	EXPECT(waited[SAMPLES * 95 / 100] < 2 * SLICE_US / 1e3);
}

static void bench_latency(void)
{
	measure_latency(0);
}

static void bench_latency_hogs(void)
{
	measure_latency(3);
}

/* Nothing is ever switched for those that have no work. */
static void bench_idle(void)
{
	struct outcome outcome;

	prepare(16, BCS);
	start_hogs(1);
	outcome = measure(1, BCS, SECOND);
	printf("# idle: beside 15 idle vGPUs, %.0f switches in %.2f s of the engine\n",
	       outcome.turns, outcome.sum / 1e9);
	EXPECT_EQ(outcome.turns, 0);
}

static void switches(enum engine_id id, unsigned int slice_us)
{
	struct outcome outcome;

	prepare(2, id);
	share_set(gpu, "slice_us", slice_us);
	start_hogs(2);
	outcome = measure(2, id, SECOND);
	printf("# switch: %s, slice %u us: %.0f turns in %.2f s of the engine, %.2f s of the clock\n",
	       engines[id], slice_us, outcome.turns, outcome.sum / 1e9, outcome.wall_ms / 1e3);
}

static void bench_switch_bcs(void)
{
	switches(BCS, 20000);
}

static void bench_switch_bcs_short(void)
{
	switches(BCS, 2000);
}

static void bench_switch_rcs(void)
{
	switches(RCS, 20000);
}

static void bench_switch_rcs_short(void)
{
	switches(RCS, 2000);
}

static const struct testcase benches[] = {
	{ "sched-shares-2", bench_shares },
	{ "sched-shares-4", bench_shares_4 },
	{ "sched-shares-8", bench_shares_8 },
	{ "sched-shares-16", bench_shares_16 },
	{ "sched-cap", bench_cap },
	{ "sched-latency-alone", bench_latency },
	{ "sched-latency-hogs", bench_latency_hogs },
	{ "sched-idle", bench_idle },
	{ "sched-switch-bcs", bench_switch_bcs },
	{ "sched-switch-bcs-short", bench_switch_bcs_short },
	{ "sched-switch-rcs", bench_switch_rcs },
	{ "sched-switch-rcs-short", bench_switch_rcs_short },
};

static const struct testgroup group = { benches, ARRAY_SIZE(benches) };

int main(void)
{
	const struct testgroup *const groups[] = { &group };
	unsigned int n;
	int failed;

	for (n = 0; n < VGPUS; n++)
		snprintf(paths[n], sizeof(paths[n]), PATH, FIRST_ID + n);
	if (!vgpu_create_all(FIRST_ID, VGPUS))
		return EXIT_FAILURE;
	failed = test_run_groups(groups, ARRAY_SIZE(groups));
	vgpu_remove_all(FIRST_ID, VGPUS);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
