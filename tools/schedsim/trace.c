// SPDX-License-Identifier: GPL-2.0-only
/*
 * Traces as text: see trace.h.
 */
#include <linux/array_size.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

#define WORDS		16
#define LINE		256
#define EVENTS_MAX	1000000u
#define US		1000.0
#define MS		1000000.0
#define HOUR_NS		3600e9

/**
 * struct line - A line of a trace, and where one is in it
 * @trace: that it belongs to
 * @word: its words
 * @words: how many
 * @at: the next one
 * @problem: what is wrong with it; NULL: nothing
 */
struct line {
	struct sim_trace *trace;
	char *word[WORDS];
	unsigned int words;
	unsigned int at;
	const char *problem;
};

static const char * const policies[] = {
	[GVIRT_SCHED_WEIGHTED] = "weighted",
	[GVIRT_SCHED_ROUND_ROBIN] = "round-robin",
	[GVIRT_SCHED_FIXED] = "fixed",
};

int trace_policy(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(policies); i++)
		if (!strcmp(policies[i], name))
			return i;
	return -1;
}

const char *trace_policy_name(enum gvirt_sched_policy policy)
{
	return policies[policy];
}

/* Words. */

static void complain(struct line *line, const char *problem)
{
	if (!line->problem)
		line->problem = problem;
}

static const char *next_word(struct line *line)
{
	if (line->at < line->words)
		return line->word[line->at++];
	complain(line, "something is missing at its end");
	return "";
}

/* Is the next word this one? If so, it is taken. */
static bool take_word(struct line *line, const char *word)
{
	if (line->at == line->words || strcmp(line->word[line->at], word))
		return false;
	line->at++;
	return true;
}

static u64 take_time(struct line *line, double unit)
{
	const char *word = next_word(line);
	char *end;
	double value = strtod(word, &end) * unit;

	if (*end || end == word || !(value >= 0 && value <= HOUR_NS)) {
		complain(line, "not a time of at most an hour");
		return 0;
	}
	return value + 0.5;
}

static u32 take_number(struct line *line, u32 least, u32 most)
{
	const char *word = next_word(line);
	char *end;
	unsigned long value = strtoul(word, &end, 10);

	if (*end || end == word || *word == '-' || value < least || value > most) {
		complain(line, "a number that is not in its range");
		return least;
	}
	return value;
}

static enum gvirt_sched_policy take_policy(struct line *line)
{
	int policy = trace_policy(next_word(line));

	if (policy >= 0)
		return policy;
	complain(line, "a policy is weighted, round-robin or fixed");
	return GVIRT_SCHED_WEIGHTED;
}

static u64 take_slice(struct line *line)
{
	u64 slice_ns = take_time(line, US);

	if (slice_ns < GVIRT_SCHED_SLICE_MIN_NS || slice_ns > GVIRT_SCHED_SLICE_MAX_NS)
		complain(line, "a slice has 500 to 100000 us");
	return slice_ns;
}

/* Entities. */

static bool is_called(const struct sim_entity *entity, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(entity->name, name, length) &&
	       (!entity->name[length] || entity->name[length] == '.');
}

static bool exists(const struct sim_trace *trace, const char *name)
{
	unsigned int i;

	for (i = 0; i < trace->entities; i++)
		if (is_called(&trace->entity[i], name))
			return true;
	return false;
}

static void add_entity(struct line *line, const char *name, u32 weight, u32 cap)
{
	struct sim_trace *trace = line->trace;

	if (trace->entities == SIM_ENTITIES) {
		complain(line, "too many entities");
		return;
	}
	trace->entity[trace->entities] = (struct sim_entity) { .weight = weight, .cap = cap };
	snprintf(trace->entity[trace->entities++].name, SIM_NAME, "%s", name);
}

static void parse_entity(struct line *line)
{
	const char *name = next_word(line);
	u32 weight = GVIRT_SCHED_WEIGHT_DEFAULT, cap = 0, count = 0, i;
	char numbered[LINE];

	while (!line->problem && line->at < line->words) {
		if (take_word(line, "weight"))
			weight = take_number(line, GVIRT_SCHED_WEIGHT_MIN, GVIRT_SCHED_WEIGHT_MAX);
		else if (take_word(line, "cap"))
			cap = take_number(line, 0, GVIRT_SCHED_CAP_NONE);
		else if (take_word(line, "count"))
			count = take_number(line, 1, SIM_ENTITIES);
		else
			complain(line, "an entity has a weight, a cap and a count");
	}
	if (strlen(name) + sizeof(".256") > SIM_NAME)
		complain(line, "a name that is too long");
	else if (exists(line->trace, name))
		complain(line, "this entity is there already");
	if (!count)
		add_entity(line, name, weight, cap);
	for (i = 1; i <= count && !line->problem; i++) {
		snprintf(numbered, sizeof(numbered), "%s.%u", name, i);
		add_entity(line, numbered, weight, cap);
	}
}

/* Events. */

/* One of these for each entity of the name. */
static void add_events(struct line *line, const char *name, struct sim_event event)
{
	struct sim_trace *trace = line->trace;
	unsigned int i;

	if (!exists(trace, name))
		complain(line, "there is no entity of this name");
	for (i = 0; i < trace->entities && !line->problem; i++) {
		if (!is_called(&trace->entity[i], name))
			continue;
		if (trace->events >= EVENTS_MAX)
			complain(line, "this makes too many events");
		event.entity = i;
		sim_trace_add(trace, &event);
	}
}

static void parse_work(struct line *line)
{
	const char *name = next_word(line);
	u64 until_ns = line->trace->warmup_ns + line->trace->duration_ns, every_ns = 0;
	struct sim_event event = { .kind = SIM_WORK, .length_ns = SIM_FOREVER };
	bool ever = take_word(line, "ever");

	while (!line->problem && line->at < line->words) {
		if (take_word(line, "from"))
			event.at_ns = take_time(line, MS);
		else if (!ever && take_word(line, "for"))
			event.length_ns = take_time(line, MS);
		else if (!ever && take_word(line, "every"))
			every_ns = take_time(line, MS);
		else if (!ever && take_word(line, "until"))
			until_ns = take_time(line, MS);
		else
			complain(line, "work is 'ever', or 'for' a time, 'every', 'from', 'until'");
	}
	if (!event.length_ns || (!ever && event.length_ns == SIM_FOREVER))
		complain(line, "work has a length");
	do {
		add_events(line, name, event);
		event.at_ns += every_ns;
	} while (every_ns && event.at_ns < until_ns && !line->problem);
}

static void parse_share(struct line *line, struct sim_event event)
{
	const char *name = next_word(line);

	event.kind = SIM_SHARE;
	if (!take_word(line, "weight"))
		complain(line, "a share has a weight");
	event.weight = take_number(line, GVIRT_SCHED_WEIGHT_MIN, GVIRT_SCHED_WEIGHT_MAX);
	if (take_word(line, "cap"))
		event.cap = take_number(line, 0, GVIRT_SCHED_CAP_NONE);
	add_events(line, name, event);
}

static void parse_at(struct line *line)
{
	struct sim_event event = { .at_ns = take_time(line, MS) };

	if (take_word(line, "share")) {
		parse_share(line, event);
		return;
	}
	if (take_word(line, "policy")) {
		event.kind = SIM_POLICY;
		event.policy = take_policy(line);
	} else if (take_word(line, "slice_us")) {
		event.kind = SIM_SLICE;
		event.length_ns = take_slice(line);
	} else {
		complain(line, "what can change is a share, policy, slice_us");
	}
	sim_trace_add(line->trace, &event);
}

static void parse_line(struct line *line)
{
	struct sim_trace *trace = line->trace;

	if (take_word(line, "entity"))
		parse_entity(line);
	else if (take_word(line, "work"))
		parse_work(line);
	else if (take_word(line, "at"))
		parse_at(line);
	else if (take_word(line, "policy"))
		trace->policy = take_policy(line);
	else if (take_word(line, "slice_us"))
		trace->slice_ns = take_slice(line);
	else if (take_word(line, "switch_us"))
		trace->switch_ns = take_time(line, US);
	else if (take_word(line, "warmup_ms"))
		trace->warmup_ns = take_time(line, MS);
	else if (take_word(line, "duration_ms"))
		trace->duration_ns = take_time(line, MS);
	else
		complain(line, "no such word to begin with");
	if (line->at < line->words)
		complain(line, "too much at its end");
}

static void split(struct line *line, char *text)
{
	char *save = NULL, *word;

	text[strcspn(text, "#\n")] = '\0';
	for (word = strtok_r(text, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		if (line->words == WORDS) {
			complain(line, "too many words");
			return;
		}
		line->word[line->words++] = word;
	}
}

bool trace_parse(struct sim_trace *trace, const char *text, char *problem, size_t size)
{
	unsigned int number = 1;
	char buffer[LINE];

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n', number++) {
		struct line line = { .trace = trace };

		snprintf(buffer, sizeof(buffer), "%.*s", (int)strcspn(text, "\n"), text);
		split(&line, buffer);
		if (line.words && !line.problem)
			parse_line(&line);
		if (!line.problem)
			continue;
		snprintf(problem, size, "line %u: %s", number, line.problem);
		return false;
	}
	sim_trace_sort(trace);
	return true;
}
