// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the scheduler's policies make of traces (tools/schedsim): shares, caps and latencies
 * over one second of an engine's time, with 2 to 64 entities. And which traces are refused.
 */
#include <linux/array_size.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "trace.h"

#define MS		1000000ull
#define SECOND		1000000000ull
#define TEXT		4096
/* Of what is due; and in one second nobody can be nearer to it than by a slice. */
#define TOLERANCE	0.03

static struct sim_trace trace;
static struct sim_result result;

static void simulate(const char *text)
{
	char problem[256];

	sim_trace_init(&trace);
	if (!trace_parse(&trace, text, problem, sizeof(problem)))
		fail_msg("%s", problem);
	sim_run(&trace, &result);
	sim_trace_fini(&trace);
}

static void expect_near(unsigned int n, double due_ns, double extra_ns)
{
	double got_ns = result.share[n].ran_ns, tolerance = due_ns * TOLERANCE + extra_ns;

	if (got_ns < due_ns - tolerance || got_ns > due_ns + tolerance)
		fail_msg("%s: %.3f ms instead of %.3f", trace.entity[n].name, got_ns / MS,
			 due_ns / MS);
}

static double all_weights(void)
{
	double sum = 0;
	unsigned int i;

	for (i = 0; i < trace.entities; i++)
		sum += trace.entity[i].weight;
	return sum;
}

/* @count hogs of weights that go round from @least in steps of @step. */
static void hogs(char *text, unsigned int count, unsigned int least, unsigned int step)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		text += sprintf(text, "entity h%u weight %u\nwork h%u ever\n", i,
				least + i % 8 * step, i);
}

static void weights(const char *head, unsigned int count, unsigned int least, unsigned int step)
{
	char text[TEXT];
	double sum;
	unsigned int i;

	hogs(text + sprintf(text, "%s", head), count, least, step);
	simulate(text);
	sum = all_weights();
	for (i = 0; i < count; i++)
		expect_near(i, trace.entity[i].weight * SECOND / sum, GVIRT_SCHED_SLICE_MIN_NS);
	assert_int_equal(result.idle_ns, 0);
}

static void test_weights(void **state)
{
	unsigned int count;

	(void)state;
	for (count = 2; count <= 64; count++) {
		weights("warmup_ms 100\n", count, 100, 0);
		weights("warmup_ms 100\n", count, 100, 50);
		weights("", count, 20, 40);
	}
	weights("warmup_ms 100\nslice_us 500\n", 16, 100, 100);
	weights("warmup_ms 1000\nslice_us 2000\n", 16, 100, 100);
}

/* What a switch takes is paid by who leaves, so weights hold for what is accounted. */
static void test_switches_cost(void **state)
{
	(void)state;
	weights("warmup_ms 100\nswitch_us 100\n", 4, 100, 100);
	assert_in_range(result.switches, 150, 250);
}

static void caps(const char *others, unsigned int cap, unsigned int idle_percent)
{
	char text[TEXT];

	snprintf(text, sizeof(text), "warmup_ms 200\nentity capped cap %u\nwork capped ever\n%s\n",
		 cap, others);
	simulate(text);
	expect_near(0, cap * SECOND / 100, GVIRT_SCHED_SLICE_MIN_NS);
	if (idle_percent)
		assert_in_range(result.idle_ns, (idle_percent - 3) * SECOND / 100,
				(idle_percent + 3) * SECOND / 100);
}

static void test_caps(void **state)
{
	unsigned int cap;

	(void)state;
	for (cap = 1; cap < 50; cap++) {
		caps("", cap, 100 - cap);
		caps("entity hog\nwork hog ever", cap, 0);
		/* The rest is the hog's. */
		expect_near(1, (100 - cap) * SECOND / 100, GVIRT_SCHED_SLICE_MIN_NS);
	}
}

/* After a long sleep, a cap is exceeded by no more than the tolerance. */
static void test_cap_after_sleep(void **state)
{
	(void)state;
	simulate("warmup_ms 9000\nentity a cap 40\nwork a ever from 9000\n");
	expect_near(0, 0.4 * SECOND, GVIRT_SCHED_SLICE_MIN_NS);
	simulate("warmup_ms 9000\nslice_us 2000\nentity a cap 40\nwork a ever from 9000\n");
	expect_near(0, 0.4 * SECOND, GVIRT_SCHED_SLICE_MIN_NS);
}

/* The slices of who is idle stay unused. */
static void test_fixed(void **state)
{
	(void)state;
	simulate("policy fixed\nwarmup_ms 200\nentity a weight 300\nentity b weight 100\n"
		 "entity c weight 100\nwork a ever\nwork b ever\n");
	expect_near(0, 0.6 * SECOND, 0);
	expect_near(1, 0.2 * SECOND, 0);
	assert_in_range(result.idle_ns, 0.19 * SECOND, 0.21 * SECOND);
	/* Not in pieces of the shortest slice. */
	assert_in_range(result.switches, 100, 500);
	simulate("policy fixed\nwarmup_ms 200\nentity a count 8\nwork a.3 ever\n");
	expect_near(2, SECOND / 8, 0);
	/* The same, weighted. */
	simulate("policy weighted\nwarmup_ms 200\nentity a count 8\nwork a.3 ever\n");
	expect_near(2, SECOND, 0);
}

static void test_round_robin(void **state)
{
	unsigned int i;

	(void)state;
	simulate("policy round-robin\nentity a weight 1000\nentity b weight 1\n"
		 "entity c weight 50\nwork a ever\nwork b ever\nwork c ever\n");
	for (i = 0; i < 3; i++)
		expect_near(i, SECOND / 3.0, GVIRT_SCHED_SLICE_MIN_NS);
}

/* A light one beside hogs starts within two slices, of whatever length these are. */
static void latency(unsigned int count, unsigned int slice_us, const char *policy)
{
	u64 slice_ns = slice_us * 1000ull / (count + 1);
	char text[TEXT];

	if (slice_ns < GVIRT_SCHED_SLICE_MIN_NS)
		slice_ns = GVIRT_SCHED_SLICE_MIN_NS;
	snprintf(text, sizeof(text),
		 "policy %s\nslice_us %u\nwarmup_ms 334\nduration_ms 3000\nentity light\nentity hog count %u\n"
		 "work hog ever\nwork light for 0.2 every 16.7\n", policy, slice_us, count);
	simulate(text);
	assert_in_range(result.share[0].start.count, 178, 180);
	/* Alone with the others, a hog's slice is longer by what the light one's was. */
	if (result.share[0].start.max_ns > 2 * slice_ns * (count + 1) / count)
		fail_msg("%s, %u hogs, slice %u us: %.3f ms", policy, count, slice_us,
			 (double)result.share[0].start.max_ns / MS);
	assert_true(result.share[0].start.p50_ns <= result.share[0].start.p95_ns);
	assert_true(result.share[0].start.p95_ns <= result.share[0].start.max_ns);
}

static void test_latency(void **state)
{
	unsigned int count;

	(void)state;
	for (count = 1; count <= 15; count++) {
		latency(count, 20000, "weighted");
		latency(count, 2000, "weighted");
	}
	latency(63, 20000, "weighted");
}

/* However long it slept: it gets its due from then on, and half a slice for its start. */
static void test_sleep_earns_nothing(void **state)
{
	(void)state;
	simulate("warmup_ms 20000\nduration_ms 1000\nentity a count 3\nwork a.1 ever\n"
		 "work a.2 ever\nwork a.3 ever from 20000\n");
	expect_near(2, SECOND / 3.0, GVIRT_SCHED_SLICE_DEFAULT_NS / 2.0);
	expect_near(0, SECOND / 3.0, 0);
	/* Nor do many short sleeps: it has work for a quarter of the time, and gets that. */
	simulate("warmup_ms 1000\nentity a\nentity b\nwork a ever\nwork b for 5 every 20\n");
	expect_near(1, SECOND / 4.0, 0);
	/* It wants more than its due between sleeps, and is held to it. */
	simulate("warmup_ms 1000\nduration_ms 10000\nentity a weight 300\nentity b\n"
		 "work a ever\nwork b for 15 every 20\n");
	expect_near(1, 10 * SECOND / 4.0, 0);
}

/* What one got under other rules is no debt, and no credit, under these. */
static void test_changes(void **state)
{
	(void)state;
	simulate("policy round-robin\nwarmup_ms 10000\nentity a weight 1000\nentity b weight 100\n"
		 "work a ever\nwork b ever\nat 10000 policy weighted\n");
	expect_near(0, SECOND * 10 / 11.0, 0);
	expect_near(1, SECOND / 11.0, GVIRT_SCHED_SLICE_MIN_NS);
	simulate("warmup_ms 10000\nentity a weight 1\nentity b weight 1000\n"
		 "work a ever\nwork b ever\nat 10000 share a weight 1000\n");
	expect_near(0, SECOND / 2.0, GVIRT_SCHED_SLICE_DEFAULT_NS);
	simulate("warmup_ms 1000\nentity a\nentity b\nwork a ever\nwork b ever\n"
		 "at 1000 share a weight 100 cap 10\nat 1000 slice_us 1000\n");
	expect_near(0, SECOND / 10.0, GVIRT_SCHED_SLICE_MIN_NS);
}

/* All kinds of it, from 1 to 64 entities, with nothing lost: time is somebody's or nobody's. */
static void test_time_is_complete(void **state)
{
	unsigned int i;
	u64 sum;

	(void)state;
	simulate("switch_us 30\nwarmup_ms 77\nduration_ms 5000\nentity a count 20 weight 30\n"
		 "entity b count 20 cap 7\nentity c count 24 weight 500\nwork a for 1.5 every 33\n"
		 "work b for 0.3 every 7\nwork c for 2 every 250\nat 1000 policy fixed\n"
		 "at 2000 policy round-robin\nat 3000 slice_us 700\nat 4000 policy weighted\n");
	for (sum = result.idle_ns, i = 0; i < trace.entities; i++)
		sum += result.share[i].ran_ns;
	assert_int_equal(sum, 5 * SECOND);
	for (i = 0; i < trace.entities; i++)
		assert_true(result.share[i].completed > 0);
}

static void test_refused_traces(void **state)
{
	static const char * const bad[] = {
		"nonsense", "policy", "policy fair", "slice_us 499", "slice_us 100001",
		"slice_us x", "duration_ms -1", "duration_ms 1 2", "duration_ms nan",
		"entity a weight 0", "entity a weight 1001", "entity a cap 101",
		"entity a count 0", "entity a count 257", "entity a\nentity a",
		"entity a colour", "work a ever", "entity a\nwork a", "entity a\nwork a for 0",
		"entity a\nwork a for 1 every", "entity a\nwork a ever every 1",
		"entity a\nwork a for 1 every 0.000001", "at 1 weight 3", "at 1 share a",
		"entity a\nat 1 share a weight 5000", "at 1 policy x",
		"entity this-is-a-name-that-is-longer-than-a-name", "a b c d e f g h i j k l m n o p q",
	};
	char problem[256];
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		sim_trace_init(&trace);
		if (trace_parse(&trace, bad[i], problem, sizeof(problem)))
			fail_msg("taken: %s", bad[i]);
		assert_non_null(strstr(problem, strchr(bad[i], '\n') ? "line 2" : "line 1"));
		sim_trace_fini(&trace);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_switches_cost),
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_cap_after_sleep),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_round_robin),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_sleep_earns_nothing),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_time_is_complete),
		cmocka_unit_test(test_refused_traces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
