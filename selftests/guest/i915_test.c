// SPDX-License-Identifier: GPL-2.0-only
/*
 * i915_test - checks on i915's uAPI that the four engines of a Gen9 GT2 do what
 * they should, by what is in memory afterwards. Runs on the stock driver: on the
 * chip, on the silicon model, and in the guest of a mediated GPU.
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "busy.h"
#include "test.h"

#define RUN_HELP \
	"Run the tests that match a name or glob; may be repeated. " \
	"Without it, all tests run that do not hang the GPU"
#define QUICK_HELP \
	"For slow guests: a tenth of the repetitions, three times the time"
#define BENCH_HELP \
	"Run no test, but measure SAMPLES times how long loads take (those that match --run)"
#define PORT_HELP \
	"With --bench: file of which a line is read whenever the host is to take its counters"
#define DOC \
	"Tests of a Gen9 GPU on i915's uAPI, with KTAP output.\v" \
	"Exit status: 0 when all tests passed or were skipped, 1 when one failed, " \
	"2 when there is no device."

static const struct argp_option options[] = {
	{ "list", 'l', NULL, 0, "Print the names of the tests", 0 },
	{ "run", 'r', "PATTERN", 0, RUN_HELP, 0 },
	{ "device", 'd', "NODE", 0, "DRM node; default is i915's first", 0 },
	{ "quick", 'q', NULL, 0, QUICK_HELP, 0 },
	{ "busy", 'b', "SECONDS", 0, "Run no test, keep all engines busy", 0 },
	{ "bench", 'B', "SAMPLES", 0, BENCH_HELP, 0 },
	{ "port", 'p', "FILE", 0, PORT_HELP, 0 },
	{ 0 },
};

/**
 * struct args - the parsed command line
 * @test: for test_run_all()
 * @busy: seconds of load, 0 for none
 * @bench: repetitions of the benchmark, 0 for none
 * @port: for bench_run()
 * @list: print the names only
 */
struct args {
	struct test_options test;
	unsigned int busy;
	unsigned int bench;
	const char *port;
	bool list;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct args *args = state->input;
	char *end;

	switch (key) {
	case 'l':
		args->list = true;
		return 0;
	case 'r':
		if (args->test.npatterns == ARRAY_SIZE(args->test.patterns))
			argp_error(state, "at most %zu patterns", ARRAY_SIZE(args->test.patterns));
		args->test.patterns[args->test.npatterns++] = arg;
		return 0;
	case 'd':
		args->test.device = arg;
		return 0;
	case 'q':
		args->test.quick = true;
		return 0;
	case 'b':
		args->busy = strtoul(arg, &end, 10);
		if (!args->busy || args->busy > 3600 || *end)
			argp_error(state, "--busy takes 1 to 3600 seconds, not '%s'", arg);
		return 0;
	case 'B':
		args->bench = strtoul(arg, &end, 10);
		if (!args->bench || args->bench > 1000 || *end)
			argp_error(state, "--bench takes 1 to 1000 samples, not '%s'", arg);
		return 0;
	case 'p':
		args->port = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.doc = DOC,
};

int main(int argc, char **argv)
{
	struct args args = { 0 };
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	if (args.list) {
		test_list();
		return 0;
	}
	if (args.bench)
		ret = bench_run(args.test.device, args.port, args.bench, args.test.patterns[0]);
	else if (args.busy)
		ret = busy_run(args.test.device, args.busy);
	else
		ret = test_run_all(&args.test);
	if (ret < 0) {
		fprintf(stderr, "i915_test: %s: %s; is i915 loaded, and is this its node?\n",
			args.test.device ? args.test.device : "no i915 device", strerror(-ret));
		return 2;
	}
	return ret > 0;
}
