// SPDX-License-Identifier: GPL-2.0-only
/*
 * schedsim - what the scheduler's policies make of a trace.
 *
 *	schedsim [--json] [--policy NAME] [--slice US] [TRACE]
 *
 * Reads the trace (trace.h) from the file, or from standard input, and prints who got what
 * of the engine, and how long work waited for its start.
 */
#include <argp.h>
#include <err.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

#define US	1000.0

/**
 * struct options - Of the command line
 * @json: print JSON
 * @policy: instead of the trace's; -1: as there
 * @slice_us: likewise; 0: as there
 * @file: NULL: standard input
 */
struct options {
	bool json;
	int policy;
	unsigned long slice_us;
	const char *file;
};

static void set_slice(struct options *options, const char *text, struct argp_state *state)
{
	char *end;

	options->slice_us = strtoul(text, &end, 10);
	if (*end || options->slice_us * 1000 < GVIRT_SCHED_SLICE_MIN_NS ||
	    options->slice_us * 1000 > GVIRT_SCHED_SLICE_MAX_NS)
		argp_error(state, "a slice has 500 to 100000 us");
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'p':
		options->policy = trace_policy(text);
		if (options->policy < 0)
			argp_error(state, "a policy is weighted, round-robin or fixed");
		return 0;
	case 's':
		set_slice(options, text, state);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num)
			return ARGP_ERR_UNKNOWN;
		options->file = text;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* All of a file, for the caller to free. */
static char *read_all(FILE *in)
{
	size_t room = 65536, count = 0, got;
	char *text = malloc(room + 1);

	while (text && (got = fread(text + count, 1, room - count, in))) {
		count += got;
		if (count < room)
			continue;
		room *= 2;
		text = realloc(text, room + 1);
	}
	if (!text || ferror(in))
		err(EXIT_FAILURE, "cannot read the trace");
	text[count] = '\0';
	return text;
}

static void load(struct sim_trace *trace, const struct options *options)
{
	FILE *in = options->file ? fopen(options->file, "r") : stdin;
	char problem[256], *text;

	if (!in)
		err(EXIT_FAILURE, "%s", options->file);
	text = read_all(in);
	if (!trace_parse(trace, text, problem, sizeof(problem)))
		errx(EXIT_FAILURE, "%s: %s", options->file ?: "standard input", problem);
	free(text);
	if (options->file)
		fclose(in);
	if (options->policy >= 0)
		trace->policy = options->policy;
	if (options->slice_us)
		trace->slice_ns = options->slice_us * 1000;
}

static double share(const struct sim_result *result, u64 ns)
{
	return result->ns ? 100.0 * ns / result->ns : 0;
}

static void print_text(const struct sim_trace *trace, const struct sim_result *result)
{
	const struct sim_share *got;
	unsigned int i;

	printf("policy %s, slice %.0f us, %.3f s, idle %.2f %%, %u switches\n",
	       trace_policy_name(trace->policy), trace->slice_ns / US, result->ns / 1e9,
	       share(result, result->idle_ns), result->switches);
	printf("%-16s %6s %4s %8s %7s %8s %10s %10s %10s\n", "entity", "weight", "cap", "share %",
	       "turns", "started", "p50 us", "p95 us", "max us");
	for (i = 0; i < trace->entities; i++) {
		got = &result->share[i];
		printf("%-16s %6u %4u %8.2f %7u %8u %10.0f %10.0f %10.0f\n", trace->entity[i].name,
		       trace->entity[i].weight, trace->entity[i].cap, share(result, got->ran_ns),
		       got->turns, got->start.count, got->start.p50_ns / US,
		       got->start.p95_ns / US, got->start.max_ns / US);
	}
}

static void add_number(struct json_object *object, const char *key, u64 value)
{
	json_object_object_add(object, key, json_object_new_int64(value));
}

static struct json_object *entity_object(const struct sim_entity *entity,
					 const struct sim_share *got)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "name", json_object_new_string(entity->name));
	add_number(object, "weight", entity->weight);
	add_number(object, "cap", entity->cap);
	add_number(object, "ran_ns", got->ran_ns);
	add_number(object, "turns", got->turns);
	add_number(object, "arrived", got->arrived);
	add_number(object, "completed", got->completed);
	add_number(object, "started", got->start.count);
	add_number(object, "start_p50_ns", got->start.p50_ns);
	add_number(object, "start_p95_ns", got->start.p95_ns);
	add_number(object, "start_max_ns", got->start.max_ns);
	return object;
}

static void print_json(const struct sim_trace *trace, const struct sim_result *result)
{
	struct json_object *all = json_object_new_object();
	struct json_object *entities = json_object_new_array();
	unsigned int i;

	json_object_object_add(all, "policy",
			       json_object_new_string(trace_policy_name(trace->policy)));
	add_number(all, "slice_ns", trace->slice_ns);
	add_number(all, "duration_ns", result->ns);
	add_number(all, "idle_ns", result->idle_ns);
	add_number(all, "switches", result->switches);
	for (i = 0; i < trace->entities; i++)
		json_object_array_add(entities, entity_object(&trace->entity[i],
							      &result->share[i]));
	json_object_object_add(all, "entities", entities);
	puts(json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY));
	json_object_put(all);
}

int main(int argc, char **argv)
{
	static const struct argp_option option_table[] = {
		{ "json", 'j', NULL, 0, "Print JSON", 0 },
		{ "policy", 'p', "NAME", 0, "Start with this policy, not the trace's", 0 },
		{ "slice", 's', "US", 0, "Start with this longest slice", 0 },
		{ }
	};
	static const struct argp parser = {
		option_table, parse_option, "[TRACE]",
		"What the policies of gvirt's scheduler make of a trace", NULL, NULL, NULL
	};
	struct options options = { .policy = -1 };
	static struct sim_result result;
	static struct sim_trace trace;

	argp_parse(&parser, argc, argv, 0, NULL, &options);
	sim_trace_init(&trace);
	load(&trace, &options);
	sim_run(&trace, &result);
	if (options.json)
		print_json(&trace, &result);
	else
		print_text(&trace, &result);
	sim_trace_fini(&trace);
	return 0;
}
