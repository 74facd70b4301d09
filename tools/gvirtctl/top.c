// SPDX-License-Identifier: GPL-2.0-only
/*
 * gvirtctl top: engines and vGPUs at work, the busiest first, again and again.
 *
 * On a terminal each picture takes the place of the one before, as far as it fits. In
 * a pipe they follow each other; with --json, a line each.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include <linux/array_size.h>
#include "attributes.h"
#include "commands.h"
#include "sample.h"
#include "table.h"
#include "text.h"

#define DELAY_MIN_S	0.1
#define DELAY_MAX_S	3600.0
/* Up to the cursor's home, and away with what is there. */
#define CLEAR		"\033[H\033[J"

static const char * const engines[] = { "rcs0", "bcs0", "vcs0", "vecs0" };

#define ENGINES	(ARRAY_SIZE(engines))

struct top {
	struct common common;
	unsigned long long iterations;
	double delay_s;
};

static const struct argp_option options[] = {
	{ .name = "delay", .key = 'd', .arg = "SECONDS",
	  .doc = "Time that a picture shows, and until the next one: 0.1 to 3600 (2)" },
	{ .name = "iterations", .key = 'n', .arg = "N", .doc = "End after N pictures" },
	{ .name = "once", .key = '1', .doc = "One picture" },
	{ }
};

static double parse_delay(const char *arg, struct argp_state *state)
{
	char *end;
	double delay = strtod(arg, &end);

	if (end == arg || *end || !(delay >= DELAY_MIN_S && delay <= DELAY_MAX_S))
		argp_error(state, "--delay takes seconds, 0.1 to 3600, not '%s'", arg);
	return delay;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct top *top = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &top->common;
		return 0;
	case 'd':
		top->delay_s = parse_delay(arg, state);
		return 0;
	case 'n':
		if (!text_number(arg, &top->iterations) || !top->iterations)
			argp_error(state, "--iterations takes a number from 1 on, not '%s'", arg);
		return 0;
	case '1':
		top->iterations = 1;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void wait_for(double seconds)
{
	struct timespec left = { .tv_sec = seconds };

	left.tv_nsec = (seconds - left.tv_sec) * 1e9;
	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* vGPUs by how busy they were. */

/**
 * struct row - A vGPU in the picture
 * @now: it
 * @before: it, in the sample before; NULL: it was not there
 * @busy: of all engines; negative: unknown
 */
struct row {
	const struct sample_device *now;
	const struct sample_device *before;
	double busy;
};

static int compare(const void *a, const void *b)
{
	const struct row *one = a, *other = b;

	if (one->busy != other->busy)
		return one->busy < other->busy ? 1 : -1;
	return strcmp(one->now->name, other->now->name);
}

static struct row *sorted(const struct sample *now, const struct sample *before, uint64_t ns)
{
	struct row *rows = NULL;
	size_t i;

	for (i = 0; i < now->vgpu_count; i++) {
		rows = text_grow(rows, i, sizeof(*rows));
		rows[i].now = &now->vgpus[i];
		rows[i].before = sample_before(before, rows[i].now);
		rows[i].busy = sample_busy(rows[i].now, rows[i].before, ns, NULL);
	}
	if (rows)
		qsort(rows, now->vgpu_count, sizeof(*rows), compare);
	return rows;
}

/* For people. */

static void add_share(struct table *table, double share)
{
	if (share < 0)
		table_add(table, "-");
	else
		table_add(table, "%.1f%%", 100 * share);
}

static void add_rate(struct table *table, double rate)
{
	if (rate < 0)
		table_add(table, "-");
	else
		table_add(table, "%.1f", rate);
}

static void add_titles(struct table *table, const char *const *titles)
{
	for (table->columns = 0; titles[table->columns]; table->columns++)
		table_add(table, "%s", titles[table->columns]);
}

static size_t show_gpus(const struct sample *now, const struct sample *before, uint64_t ns)
{
	static const char * const titles[] = { "GPU", "rcs0", "bcs0", "vcs0", "vecs0", NULL };
	const struct sample_device *gpu, *early;
	struct table table = { };
	size_t i, e;

	add_titles(&table, titles);
	for (i = 0; i < now->gpu_count; i++) {
		gpu = &now->gpus[i];
		early = sample_before(before, gpu);
		table_add(&table, "%s", gpu->name);
		for (e = 0; e < ENGINES; e++)
			add_share(&table, sample_busy(gpu, early, ns, engines[e]));
	}
	table_print(&table, 0);
	table_free(&table);
	return now->gpu_count + 1;
}

static void add_vgpu(struct table *table, const struct row *row, uint64_t ns)
{
	char *weight = attributes_text(row->now->attributes, "weight");
	size_t e;

	table_add(table, "%s", row->now->name);
	table_add(table, "%s", row->now->gpu);
	add_share(table, row->busy);
	for (e = 0; e < ENGINES; e++)
		add_share(table, sample_busy(row->now, row->before, ns, engines[e]));
	table_add(table, "%s", weight);
	add_rate(table, sample_rate(row->now, row->before, ns, "submissions"));
	add_rate(table, sample_rate(row->now, row->before, ns, "refused_requests"));
	free(weight);
}

static void show_vgpus(const struct sample *now, const struct sample *before, uint64_t ns,
		       size_t rows_max)
{
	static const char * const titles[] = {
		"UUID", "GPU", "BUSY", "rcs0", "bcs0", "vcs0", "vecs0", "WEIGHT", "SUBMIT/s",
		"REFUSE/s", NULL,
	};
	struct row *rows = sorted(now, before, ns);
	struct table table = { };
	size_t i;

	add_titles(&table, titles);
	for (i = 0; i < now->vgpu_count; i++)
		add_vgpu(&table, &rows[i], ns);
	table_print(&table, rows_max);
	table_free(&table);
	free(rows);
}

/* Lines of the terminal; 0: it is none. */
static size_t terminal_lines(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row)
		return 24;
	return size.ws_row;
}

static void show(const struct sample *now, const struct sample *before, uint64_t ns)
{
	size_t lines = terminal_lines(), used;

	if (lines)
		fputs(CLEAR, stdout);
	used = show_gpus(now, before, ns) + 1;
	putchar('\n');
	/* The cursor wants a line as well. */
	show_vgpus(now, before, ns, lines ? (lines > used + 2 ? lines - used - 1 : 1) : 0);
	if (!lines)
		putchar('\n');
}

/* For programs. */

static struct json_object *share_json(double share)
{
	return share < 0 ? NULL : json_object_new_double(share);
}

static struct json_object *engines_json(const struct sample_device *now,
					const struct sample_device *before, uint64_t ns)
{
	struct json_object *object = json_object_new_object();
	double share;
	size_t e;

	for (e = 0; e < ENGINES; e++) {
		share = sample_busy(now, before, ns, engines[e]);
		if (share >= 0)
			json_object_object_add(object, engines[e], share_json(share));
	}
	return object;
}

static struct json_object *gpu_json(const struct sample_device *gpu, const struct sample *before,
				    uint64_t ns)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "gpu", json_object_new_string(gpu->name));
	json_object_object_add(object, "engines",
			       engines_json(gpu, sample_before(before, gpu), ns));
	return object;
}

static struct json_object *vgpu_json(const struct row *row, uint64_t ns)
{
	static const char * const rates[] = { "submissions", "contexts", "refused_requests" };
	struct json_object *object = json_object_new_object(), *per_s = json_object_new_object();
	double rate;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		rate = sample_rate(row->now, row->before, ns, rates[i]);
		json_object_object_add(per_s, rates[i], share_json(rate));
	}
	json_object_object_add(object, "uuid", json_object_new_string(row->now->name));
	json_object_object_add(object, "gpu", json_object_new_string(row->now->gpu));
	json_object_object_add(object, "busy", share_json(row->busy));
	json_object_object_add(object, "engines", engines_json(row->now, row->before, ns));
	json_object_object_add(object, "per_second", per_s);
	return object;
}

static void show_json(const struct sample *now, const struct sample *before, uint64_t ns)
{
	struct json_object *object = json_object_new_object();
	struct json_object *gpus = json_object_new_array(), *vgpus = json_object_new_array();
	struct row *rows = sorted(now, before, ns);
	size_t i;

	for (i = 0; i < now->gpu_count; i++)
		json_object_array_add(gpus, gpu_json(&now->gpus[i], before, ns));
	for (i = 0; i < now->vgpu_count; i++)
		json_object_array_add(vgpus, vgpu_json(&rows[i], ns));
	json_object_object_add(object, "interval_ns", json_object_new_uint64(ns));
	json_object_object_add(object, "gpus", gpus);
	json_object_object_add(object, "vgpus", vgpus);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	json_object_put(object);
	free(rows);
}

static enum status watch(const struct top *top)
{
	struct sample before, now;
	unsigned long long n;

	sample_take(&before);
	if (!before.gpu_count) {
		sample_free(&before);
		return say_no_gvirt();
	}
	for (n = 0; !top->iterations || n < top->iterations; n++) {
		wait_for(top->delay_s);
		sample_take(&now);
		if (top->common.json)
			show_json(&now, &before, now.time_ns - before.time_ns);
		else
			show(&now, &before, now.time_ns - before.time_ns);
		sample_free(&before);
		before = now;
		/* Whoever reads it may have gone. */
		if (fflush(stdout))
			break;
	}
	sample_free(&before);
	return STATUS_OK;
}

enum status run_top(int argc, char **argv)
{
	const struct argp_child children[] = { { .argp = &common_argp }, { } };
	const struct argp argp = {
		.options = options,
		.parser = parse_option,
		.doc = "Shows how busy the engines of each GPU are and which vGPUs make them so, the "
		       "busiest first. BUSY adds up a vGPU's engines. With --json, a line for each "
		       "picture.",
		.children = children,
	};
	struct top top = { .delay_s = 2 };

	argp_parse(&argp, argc, argv, 0, NULL, &top);
	return watch(&top);
}
