// SPDX-License-Identifier: GPL-2.0-only
/*
 * gvirtctl dump: what the module has in debugfs of a vGPU, or of a GPU, with the commands
 * of what was refused or lost decoded.
 *
 * The files have lines of "key: value" (Documentation/observing.rst). Parts of a key with
 * points between become objects within objects.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <linux/array_size.h>
#include "commands.h"
#include "decode.h"
#include "files.h"
#include "text.h"
#include "tree.h"

/* No excerpt is longer; somebody else's tree may have anything in it. */
#define DWORDS_MAX	4096
/* Dwords of a command in a line, for people. */
#define PER_LINE	6

/* From a file to an object. */

static struct json_object *value_of(const char *text)
{
	unsigned long long number;

	if (!strcmp(text, "yes") || !strcmp(text, "no"))
		return json_object_new_boolean(*text == 'y');
	/* With a zero before it, it is hexadecimal: an address, a register. */
	if (text_number(text, &number) && (text[0] != '0' || !text[1]))
		return json_object_new_uint64(number);
	return json_object_new_string(text);
}

static void add_line(struct json_object *object, char *line)
{
	char *colon = strstr(line, ":"), *point;
	struct json_object *inner;

	if (!colon)
		return;
	*colon = '\0';
	for (; (point = strchr(line, '.')); line = point + 1) {
		*point = '\0';
		if (!json_object_object_get_ex(object, line, &inner) ||
		    !json_object_is_type(inner, json_type_object)) {
			inner = json_object_new_object();
			json_object_object_add(object, line, inner);
		}
		object = inner;
	}
	json_object_object_add(object, line, value_of(colon + 1 + strspn(colon + 1, " ")));
}

/* Hexadecimal dwords with spaces between; returns how many. */
static size_t parse_dwords(const char *text, uint32_t *dwords)
{
	size_t count = 0;
	char *end;

	for (; count < DWORDS_MAX; text = end) {
		dwords[count] = strtoul(text, &end, 16);
		if (end == text)
			break;
		count++;
	}
	return count;
}

/* Puts commands in the place of dwords. */
static void decode(struct json_object *object)
{
	struct json_object *text, *engine, *bad;
	uint32_t dwords[DWORDS_MAX];
	size_t count;
	int id;

	if (!json_object_object_get_ex(object, "dwords", &text) ||
	    !json_object_object_get_ex(object, "engine", &engine) ||
	    !json_object_object_get_ex(object, "bad", &bad))
		return;
	id = decode_engine(json_object_get_string(engine));
	if (id < 0)
		return;
	count = parse_dwords(json_object_get_string(text), dwords);
	json_object_object_add(object, "commands",
			       decode_commands(id, dwords, count, json_object_get_uint64(bad)));
	json_object_object_del(object, "dwords");
}

static struct json_object *parse(char *text)
{
	struct json_object *object = json_object_new_object();
	char *rest = NULL, *line;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		add_line(object, line);
	json_object_object_foreach(object, key, value) {
		(void)key;
		if (json_object_is_type(value, json_type_object))
			decode(value);
	}
	return object;
}

/* For people. */

static void print_command(struct json_object *command)
{
	const char *name = json_object_get_string(json_object_object_get(command, "name"));
	struct json_object *dwords = json_object_object_get(command, "dwords");
	size_t count = json_object_array_length(dwords), i;

	printf("    %s%4llu ", json_object_get_boolean(json_object_object_get(command, "bad")) ?
	       ">" : " ", (unsigned long long)
	       json_object_get_uint64(json_object_object_get(command, "dword")));
	for (i = 0; i < count; i++) {
		if (i && i % PER_LINE == 0)
			printf("\n          ");
		printf(" %s", json_object_get_string(json_object_array_get_idx(dwords, i)));
	}
	printf("  %s%s\n", name ? name : "(no command of this engine)",
	       json_object_get_boolean(json_object_object_get(command, "cut")) ? " ..." : "");
}

static void print_time(int64_t seconds)
{
	time_t time = seconds;
	struct tm tm;
	char text[64];

	if (localtime_r(&time, &tm) && strftime(text, sizeof(text), "%F %T %z", &tm))
		printf("  time: %s\n", text);
}

static void print_object(struct json_object *object, unsigned int depth)
{
	size_t i;

	json_object_object_foreach(object, key, value) {
		if (json_object_is_type(value, json_type_object)) {
			printf("%*s%s:\n", 2 * depth, "", key);
			print_object(value, depth + 1);
		} else if (json_object_is_type(value, json_type_array)) {
			printf("%*s%s:\n", 2 * depth, "", key);
			for (i = 0; i < json_object_array_length(value); i++)
				print_command(json_object_array_get_idx(value, i));
		} else if (!strcmp(key, "time")) {
			print_time(json_object_get_int64(value));
		} else {
			printf("%*s%s: %s\n", 2 * depth, "", key, json_object_get_string(value));
		}
	}
}

static void print_dump(struct json_object *dump)
{
	json_object_object_foreach(dump, file, object) {
		printf("== %s\n", file);
		if (json_object_object_length(object))
			print_object(object, 0);
		else
			puts("nothing");
	}
}

/* Files. */

static enum status say_no_file(const char *device, int err)
{
	char *debug = files_path("sys/kernel/debug"), *gvirt = files_path("sys/kernel/debug/gvirt");
	enum status status;

	if (err == EACCES || err == EPERM)
		status = say(STATUS_DENIED, "debugfs is for root only. Be root, e.g. by sudo (and not under lockdown)");
	else if (files_there(gvirt, "."))
		status = say(STATUS_MISSING, "debugfs has nothing of %s: it has gone away meanwhile",
			     device);
	else
		status = say(STATUS_MISSING, "there is no %s. 'mount -t debugfs none %s' mounts debugfs; if it is mounted, the kernel or the module is too old for it",
			     gvirt, debug);
	free(debug);
	free(gvirt);
	return status;
}

static enum status add_file(struct json_object *dump, const char *dir, const char *name)
{
	char *text = files_read(dir, name);

	if (!text)
		return STATUS_MISSING;
	json_object_object_add(dump, name, parse(text));
	free(text);
	return STATUS_OK;
}

static enum status dump_device(const struct one_device *dump, const char *device)
{
	static const char * const names[] = { "state", "refused", "lost" };
	char *dir = files_path("sys/kernel/debug/gvirt/%s", device);
	struct json_object *object = json_object_new_object();
	enum status status = STATUS_OK;
	size_t i;

	if (add_file(object, dir, names[0]))
		status = say_no_file(device, errno);
	for (i = 1; i < ARRAY_SIZE(names); i++)
		add_file(object, dir, names[i]);
	if (!status && !dump->common.json)
		print_dump(object);
	if (!status && dump->common.json)
		print_json(object);
	else
		json_object_put(object);
	free(dir);
	return status;
}

enum status run_dump(int argc, char **argv)
{
	const struct argp_child children[] = { { .argp = &common_argp }, { } };
	const struct argp argp = {
		.parser = parse_one_device,
		.args_doc = "UUID|GPU",
		.doc = "Shows what the module has of a vGPU or a GPU in debugfs: the state of its "
		       "engines and contexts; why requests were refused, and the last one; the last "
		       "context that was lost in a reset. Commands around the one in question (>) are "
		       "decoded.",
		.children = children,
	};
	struct one_device dump = { };
	enum status status;
	struct tree tree;

	argp_parse(&argp, argc, argv, 0, NULL, &dump);
	tree_read(&tree);
	if (tree_vgpu(&tree, dump.device))
		status = dump_device(&dump, tree_vgpu(&tree, dump.device)->uuid);
	else if (tree_gpu(&tree, dump.device))
		status = dump_device(&dump, tree_gpu(&tree, dump.device)->address);
	else
		status = say_no_device(&tree, dump.device);
	tree_free(&tree);
	return status;
}
