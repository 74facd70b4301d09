// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control protocol: what each request does.
 *
 * Requests are {"cmd": NAME, ...}; answers are {"ok": true, ...} or
 * {"ok": false, "error": TEXT}. Documentation/model.rst lists them.
 */
#include <stdarg.h>
#include <string.h>
#include <json-c/json.h>
#include <linux/array_size.h>
#include "ctl.h"
#include "device.h"

/* Offsets in one answer to "unknown"; "from" asks for more. */
#define UNKNOWN_MAX 256

static struct json_object *answer_ok(void)
{
	struct json_object *answer = json_object_new_object();

	json_object_object_add(answer, "ok", json_object_new_boolean(true));
	return answer;
}

__attribute__((format(printf, 1, 2)))
static struct json_object *answer_error(const char *fmt, ...)
{
	struct json_object *answer = json_object_new_object();
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	json_object_object_add(answer, "ok", json_object_new_boolean(false));
	json_object_object_add(answer, "error", json_object_new_string(text));
	return answer;
}

static const char *get_string(struct json_object *request, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(request, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return json_object_get_string(value);
}

/* A number of 0..UINT32_MAX; @fallback when it is missing or none. */
static u32 get_u32(struct json_object *request, const char *key, u32 fallback)
{
	struct json_object *value;
	int64_t number;

	if (!json_object_object_get_ex(request, key, &value) ||
	    !json_object_is_type(value, json_type_int))
		return fallback;
	number = json_object_get_int64(value);
	return number < 0 || number > UINT32_MAX ? fallback : number;
}

static struct gm_engine *get_engine(struct gm_device *device, struct json_object *request)
{
	const char *name = get_string(request, "engine");
	unsigned int i;

	for (i = 0; name && i < GM_ENGINE_COUNT; i++)
		if (!strcmp(gm_engine_name(i), name))
			return gm_device_engine(device, i);
	return NULL;
}

static void add_count(struct json_object *object, const char *name, u64 value)
{
	json_object_object_add(object, name, json_object_new_int64(value));
}

static struct json_object *misuse_stats(const struct gm_stats *stats)
{
	struct json_object *object = json_object_new_object();
	int i;

	add_count(object, "total", gm_stats_misuse_total(stats));
	for (i = 0; i < GM_MISUSE_COUNT; i++)
		add_count(object, gm_misuse_name(i), stats->misuse[i]);
	return object;
}

static struct json_object *engine_stats(const struct gm_stats *stats, unsigned int engine)
{
	struct json_object *object = json_object_new_object();
	int i;

	for (i = 0; i < GM_ENGINE_COUNTER_COUNT; i++)
		add_count(object, gm_engine_counter_name(i), stats->engine[engine][i]);
	return object;
}

struct json_object *gm_ctl_stats(struct gm_device *device)
{
	const struct gm_stats *stats = gm_device_stats(device);
	struct json_object *object = json_object_new_object();
	struct json_object *engines = json_object_new_object();
	unsigned int i;

	for (i = 0; i < GM_COUNTER_COUNT; i++)
		add_count(object, gm_counter_name(i), stats->counter[i]);
	for (i = 0; i < GM_ENGINE_COUNT; i++)
		if (gm_device_engine(device, i))
			json_object_object_add(engines, gm_engine_name(i), engine_stats(stats, i));
	json_object_object_add(object, "engines", engines);
	json_object_object_add(object, "misuse", misuse_stats(stats));
	return object;
}

static struct json_object *do_stats(struct gm_device *device, struct json_object *request)
{
	struct json_object *answer = answer_ok();

	(void)request;
	json_object_object_add(answer, "stats", gm_ctl_stats(device));
	return answer;
}

static struct json_object *do_clear(struct gm_device *device, struct json_object *request)
{
	(void)request;
	gm_stats_clear(gm_device_stats(device));
	return answer_ok();
}

static struct json_object *do_engines(struct gm_device *device, struct json_object *request)
{
	struct json_object *answer = answer_ok();
	struct json_object *engines = json_object_new_object();
	unsigned int i;

	(void)request;
	for (i = 0; i < GM_ENGINE_COUNT; i++) {
		struct gm_engine *engine = gm_device_engine(device, i);
		char text[512];

		if (!engine)
			continue;
		gm_engine_state(engine, text, sizeof(text));
		json_object_object_add(engines, gm_engine_name(i), json_object_new_string(text));
	}
	json_object_object_add(answer, "engines", engines);
	return answer;
}

static struct json_object *do_peek(struct gm_device *device, struct json_object *request)
{
	struct json_object *answer;
	u32 offset = get_u32(request, "offset", UINT32_MAX);

	if (offset == UINT32_MAX)
		return answer_error("peek needs \"offset\", a number: the register to read");
	answer = answer_ok();
	json_object_object_add(answer, "value",
			       json_object_new_int64(gm_device_peek(device, offset)));
	return answer;
}

/* Offsets of registers that were accessed although the chip has none there. */
static struct json_object *do_unknown(struct gm_device *device, struct json_object *request)
{
	struct json_object *answer = answer_ok();
	struct json_object *offsets = json_object_new_array();
	u32 offset = get_u32(request, "from", 0);
	int listed;

	for (listed = 0; listed < UNKNOWN_MAX; listed++) {
		offset = gm_device_next_unknown(device, offset);
		if (offset == UINT32_MAX)
			break;
		json_object_array_add(offsets, json_object_new_int64(offset));
		offset += 4;
	}
	json_object_object_add(answer, "offsets", offsets);
	return answer;
}

static struct json_object *do_speed(struct gm_device *device, struct json_object *request)
{
	struct gm_engine *engine = get_engine(device, request);

	if (!engine)
		return answer_error("speed needs \"engine\": rcs0, bcs0, vcs0 or vecs0");
	gm_engine_set_speed(engine, get_u32(request, "ns", 0));
	return answer_ok();
}

static const struct {
	const char *name;
	enum gm_engine_injection injection;
} injections[] = {
	{ "none",		GM_INJECT_NONE },
	{ "csb-corrupt",	GM_INJECT_CSB_CORRUPT },
	{ "csb-delay",		GM_INJECT_CSB_DELAY },
	{ "refuse-reset",	GM_INJECT_REFUSE_RESET },
};

static const char *const phases[] = {
	[GM_PHASE_ANY] = "any",
	[GM_PHASE_START] = "start",
	[GM_PHASE_RING] = "ring",
	[GM_PHASE_BATCH] = "batch",
	[GM_PHASE_PREEMPT] = "preempt",
	[GM_PHASE_SAVE] = "save",
	[GM_PHASE_LOAD] = "load",
};

static struct json_object *inject_hang(struct gm_engine *engine, struct json_object *request)
{
	const char *phase = get_string(request, "phase");
	size_t i;

	if (!engine)
		return answer_error("hang needs \"engine\": rcs0, bcs0, vcs0 or vecs0");
	for (i = 0; i < ARRAY_SIZE(phases); i++) {
		if (phase && strcmp(phases[i], phase))
			continue;
		gm_engine_inject_hang(engine, i, get_u32(request, "mark", 0));
		return answer_ok();
	}
	return answer_error("no phase \"%s\": any, start, ring, batch, preempt, save and load are known",
			    phase);
}

static struct json_object *inject_engine(struct gm_device *device, struct json_object *request,
					 const char *what)
{
	struct gm_engine *engine = get_engine(device, request);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(injections); i++) {
		if (strcmp(injections[i].name, what))
			continue;
		if (!engine)
			return answer_error("%s needs \"engine\": rcs0, bcs0, vcs0 or vecs0", what);
		gm_engine_inject(engine, injections[i].injection, get_u32(request, "value", 0));
		return answer_ok();
	}
	return answer_error("cannot inject \"%s\": hang, csb-corrupt, csb-delay, refuse-reset, none, lose-interrupt, repeat-interrupt and gone are known",
			    what);
}

static struct json_object *do_inject(struct gm_device *device, struct json_object *request)
{
	const char *what = get_string(request, "what");
	bool lose;

	if (!what)
		return answer_error("inject needs \"what\", a string");
	if (!strcmp(what, "hang"))
		return inject_hang(get_engine(device, request), request);
	if (!strcmp(what, "gone")) {
		gm_device_set_gone(device, get_u32(request, "value", 1));
		return answer_ok();
	}
	lose = !strcmp(what, "lose-interrupt");
	if (!lose && strcmp(what, "repeat-interrupt"))
		return inject_engine(device, request, what);
	gm_irq_inject(gm_device_irq(device), lose, get_u32(request, "value", 1));
	return answer_ok();
}

static const struct {
	const char *name;
	struct json_object *(*execute)(struct gm_device *device, struct json_object *request);
} commands[] = {
	{ "stats",	do_stats },
	{ "clear",	do_clear },
	{ "engines",	do_engines },
	{ "inject",	do_inject },
	{ "peek",	do_peek },
	{ "speed",	do_speed },
	{ "unknown",	do_unknown },
};

static struct json_object *execute_request(struct gm_device *device, struct json_object *request)
{
	const char *name = get_string(request, "cmd");
	size_t i;

	if (!name)
		return answer_error("a request needs \"cmd\", a string");
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			return commands[i].execute(device, request);
	return answer_error("unknown cmd \"%s\": stats, clear, engines, inject, peek, speed and unknown are known",
			    name);
}

struct json_object *gm_ctl_execute(struct gm_device *device, const char *line)
{
	struct json_object *request = json_tokener_parse(line);
	struct json_object *answer;

	if (json_object_is_type(request, json_type_object))
		answer = execute_request(device, request);
	else
		answer = answer_error("a request is one JSON object in one line");
	json_object_put(request);
	return answer;
}
