// SPDX-License-Identifier: GPL-2.0-only
/*
 * gvirtctl list, gvirtctl types: what there is, and what can be made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>
#include "attributes.h"
#include "commands.h"
#include "files.h"
#include "table.h"
#include "tree.h"
#include "users.h"

#define PAGES_PER_MIB	256

static error_t parse_none(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key == ARGP_KEY_INIT) {
		state->child_inputs[0] = state->input;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static void parse(const char *doc, int argc, char **argv, struct common *common)
{
	const struct argp_child children[] = { { .argp = &common_argp }, { } };
	const struct argp argp = { .parser = parse_none, .doc = doc, .children = children };

	argp_parse(&argp, argc, argv, 0, NULL, common);
}

/* vGPUs. */

static struct json_object *user_json(const struct user *user)
{
	struct json_object *object;

	if (!user)
		return NULL;
	object = json_object_new_object();
	json_object_object_add(object, "pid", json_object_new_int64(strtoll(user->pid, NULL, 10)));
	json_object_object_add(object, "command", json_object_new_string(user->command));
	return object;
}

static struct json_object *vgpu_json(const struct vgpu *vgpu, const struct users *users)
{
	struct json_object *object = json_object_new_object();
	const char *state = users_state(users, vgpu);

	json_object_object_add(object, "uuid", json_object_new_string(vgpu->uuid));
	json_object_object_add(object, "gpu", json_object_new_string(vgpu->gpu));
	json_object_object_add(object, "type", json_object_new_string(vgpu->type));
	json_object_object_add(object, "state", json_object_new_string(state));
	json_object_object_add(object, "user", user_json(users_of(users, vgpu)));
	json_object_object_add(object, "attributes", attributes_of(vgpu->path));
	return object;
}

static void list_json(const struct tree *tree, const struct users *users)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < tree->vgpu_count; i++)
		json_object_array_add(array, vgpu_json(&tree->vgpus[i], users));
	print_json(array);
}

static void add_mebibytes(struct table *table, struct json_object *attributes, const char *name)
{
	unsigned long long pages;

	if (attributes_number(attributes, name, &pages))
		table_add(table, "%.1f", (double)pages / PAGES_PER_MIB);
	else
		table_add(table, "-");
}

static void add_host_mebibytes(struct table *table, struct json_object *attributes)
{
	unsigned long long bytes;

	if (attributes_number(attributes, "host_memory", &bytes))
		table_add(table, "%.1f", (double)bytes / (1 << 20));
	else
		table_add(table, "-");
}

static void add_attribute(struct table *table, struct json_object *attributes, const char *name)
{
	char *text = attributes_text(attributes, name);

	table_add(table, "%s", text);
	free(text);
}

static void add_row(struct table *table, const struct vgpu *vgpu, const struct users *users)
{
	struct json_object *attributes = attributes_of(vgpu->path);
	const struct user *user = users_of(users, vgpu);

	table_add(table, "%s", vgpu->uuid);
	table_add(table, "%s", vgpu->gpu);
	table_add(table, "%s", vgpu->type);
	add_mebibytes(table, attributes, "pinned_pages");
	add_host_mebibytes(table, attributes);
	add_attribute(table, attributes, "submissions");
	add_attribute(table, attributes, "refused_requests");
	add_attribute(table, attributes, "lost_contexts");
	if (user)
		table_add(table, "%s (%s)", user->pid, user->command);
	else
		table_add(table, "%s", users_state(users, vgpu));
	json_object_put(attributes);
}

static void list_table(const struct tree *tree, const struct users *users)
{
	static const char * const titles[] = {
		"UUID", "GPU", "TYPE", "PINNED MiB", "HOST MiB", "SUBMISSIONS", "REFUSED", "LOST", "USER",
	};
	struct table table = { .columns = ARRAY_SIZE(titles) };
	size_t i;

	for (i = 0; i < table.columns; i++)
		table_add(&table, "%s", titles[i]);
	for (i = 0; i < tree->vgpu_count; i++)
		add_row(&table, &tree->vgpus[i], users);
	table_print(&table, 0);
	table_free(&table);
}

enum status run_list(int argc, char **argv)
{
	struct common common = { };
	enum status status = STATUS_OK;
	struct users users;
	struct tree tree;

	parse("Shows vGPUs: GPU and type, guest memory that is pinned now, host memory that it takes, lists of contexts that "
	      "the guest submitted, contexts that were refused or lost in a reset, and the process "
	      "that has the vGPU.", argc, argv, &common);
	tree_read(&tree);
	users_read(&users);
	if (!tree.gpu_count && !tree.vgpu_count)
		status = say_no_gvirt();
	else if (common.json)
		list_json(&tree, &users);
	else
		list_table(&tree, &users);
	users_free(&users);
	tree_free(&tree);
	return status;
}

/* Types. */

static struct json_object *available(const struct type *type)
{
	char *text = files_read(type->path, "available_instances");
	struct json_object *number = NULL;
	unsigned long long value;

	if (text_number(text, &value))
		number = json_object_new_uint64(value);
	free(text);
	return number;
}

static void add_text(struct json_object *object, const struct type *type, const char *name)
{
	char *text = files_read(type->path, name);

	json_object_object_add(object, name, text ? json_object_new_string(text) : NULL);
	free(text);
}

/* Lines of "key: value". */
static struct json_object *description(const struct type *type)
{
	char *text = files_read(type->path, "description"), *rest = NULL, *line, *colon;
	struct json_object *object = json_object_new_object();
	unsigned long long number;

	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest)) {
		colon = strstr(line, ": ");
		if (!colon)
			continue;
		*colon = '\0';
		json_object_object_add(object, line, text_number(colon + 2, &number) ?
				       json_object_new_uint64(number) :
				       json_object_new_string(colon + 2));
	}
	free(text);
	return object;
}

static void types_json(const struct tree *tree)
{
	struct json_object *array = json_object_new_array(), *object;
	const struct type *type;
	size_t i;

	for (i = 0; i < tree->type_count; i++) {
		type = &tree->types[i];
		object = json_object_new_object();
		json_object_object_add(object, "gpu", json_object_new_string(type->gpu));
		json_object_object_add(object, "type", json_object_new_string(type->id));
		json_object_object_add(object, "available_instances", available(type));
		add_text(object, type, "name");
		add_text(object, type, "device_api");
		json_object_object_add(object, "description", description(type));
		json_object_array_add(array, object);
	}
	print_json(array);
}

static void add_file(struct table *table, const struct type *type, const char *name)
{
	char *text = files_read(type->path, name), *plain = text_plain(text ? text : "-");

	table_add(table, "%s", plain);
	free(plain);
	free(text);
}

static void types_table(const struct tree *tree)
{
	static const char * const titles[] = { "GPU", "TYPE", "AVAILABLE", "ENGINES", "NAME" };
	struct table table = { .columns = ARRAY_SIZE(titles) };
	struct json_object *keys, *engines;
	size_t i;

	for (i = 0; i < table.columns; i++)
		table_add(&table, "%s", titles[i]);
	for (i = 0; i < tree->type_count; i++) {
		keys = description(&tree->types[i]);
		table_add(&table, "%s", tree->types[i].gpu);
		table_add(&table, "%s", tree->types[i].id);
		add_file(&table, &tree->types[i], "available_instances");
		table_add(&table, "%s", json_object_object_get_ex(keys, "engines", &engines) ?
			  json_object_get_string(engines) : "-");
		add_file(&table, &tree->types[i], "name");
		json_object_put(keys);
	}
	table_print(&table, 0);
	table_free(&table);
}

enum status run_types(int argc, char **argv)
{
	struct common common = { };
	enum status status = STATUS_OK;
	struct tree tree;

	parse("Shows the types of vGPUs that each GPU offers, and how many more of a type can be "
	      "made now.", argc, argv, &common);
	tree_read(&tree);
	if (!tree.gpu_count)
		status = say_no_gvirt();
	else if (common.json)
		types_json(&tree);
	else
		types_table(&tree);
	tree_free(&tree);
	return status;
}
