// SPDX-License-Identifier: GPL-2.0-only
/*
 * gvirtctl set, gvirtctl info: the attributes of a vGPU or a GPU.
 *
 * What can be set is what sysfs lets be written, so a newer module's settings work without
 * a newer gvirtctl; it only knows what to say when a value is refused.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>
#include "attributes.h"
#include "commands.h"
#include "files.h"
#include "text.h"
#include "tree.h"
#include "users.h"

static const struct {
	const char *key;
	const char *values;
} known[] = {
	{ "weight", "1 to 1000" },
	{ "cap", "percent, 1 to 99; 0 or 100 for none" },
	{ "policy", "weighted, round-robin or fixed" },
	{ "slice_us", "500 to 100000" },
};

/* Whose attributes: the directory of a vGPU or a GPU; NULL: there is neither. */
static const char *device_of(const struct tree *tree, const char *name)
{
	const struct vgpu *vgpu = tree_vgpu(tree, name);
	const struct gpu *gpu = vgpu ? NULL : tree_gpu(tree, name);

	if (vgpu)
		return vgpu->path;
	return gpu ? gpu->path : NULL;
}

/* set */

struct set {
	const char *device;
	struct strings keys;
	struct strings values;
};

static bool is_key(const char *key, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (!islower((unsigned char)key[i]) && !isdigit((unsigned char)key[i]) &&
		    key[i] != '_')
			return false;
	return length;
}

static error_t parse_set(int key, char *arg, struct argp_state *state)
{
	struct set *set = state->input;
	const char *equals;

	switch (key) {
	case ARGP_KEY_ARG:
		if (!state->arg_num) {
			set->device = arg;
			return 0;
		}
		equals = strchr(arg, '=');
		if (!equals || !is_key(arg, equals - arg))
			argp_error(state, "'%s' is not KEY=VALUE", arg);
		strings_add(&set->keys, text_slice(arg, equals - arg));
		strings_add(&set->values, text_copy(equals + 1));
		return 0;
	case ARGP_KEY_END:
		if (!set->keys.count)
			argp_error(state, "what is to be set? e.g. weight=200; 'gvirtctl info' shows what there is");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Names of what can be set, in words. */
static char *settable(const char *dir)
{
	struct strings names = { };
	char *text = text_copy("nothing"), *more;
	bool some = false;
	size_t i;

	files_list(dir, &names);
	for (i = 0; i < names.count; i++) {
		if (!files_settable(dir, names.item[i]))
			continue;
		more = text_format("%s%s%s", some ? text : "", some ? ", " : "", names.item[i]);
		free(text);
		text = more;
		some = true;
	}
	strings_free(&names);
	return text;
}

static enum status check_key(const struct set *set, const char *dir, const char *key)
{
	char *others;

	if (files_settable(dir, key))
		return STATUS_OK;
	others = settable(dir);
	if (files_is_file(dir, key))
		say(STATUS_MISSING, "%s of %s can be read only. What can be set there: %s", key,
		    set->device, others);
	else
		say(STATUS_MISSING, "%s has no %s. What can be set there: %s", set->device, key,
		    others);
	free(others);
	return STATUS_MISSING;
}

static enum status say_not_set(const char *device, const char *key, const char *value, int err)
{
	char *what = text_format("cannot set %s of %s to '%s'", key, device, value);
	enum status status;
	size_t i;

	for (i = 0; err == -EINVAL && i < ARRAY_SIZE(known); i++) {
		if (strcmp(known[i].key, key))
			continue;
		status = say(STATUS_REFUSED, "%s: it takes %s", what, known[i].values);
		free(what);
		return status;
	}
	status = say_error(err, what);
	free(what);
	return status;
}

/* All keys are looked at before one is set. */
static enum status set_all(const struct set *set, const char *dir)
{
	enum status status;
	size_t i;
	int err;

	for (i = 0; i < set->keys.count; i++) {
		status = check_key(set, dir, set->keys.item[i]);
		if (status)
			return status;
	}
	for (i = 0; i < set->keys.count; i++) {
		err = files_write(dir, set->keys.item[i], set->values.item[i]);
		if (err)
			return say_not_set(set->device, set->keys.item[i], set->values.item[i],
					   err);
	}
	return STATUS_OK;
}

enum status run_set(int argc, char **argv)
{
	const struct argp argp = {
		.parser = parse_set,
		.args_doc = "UUID|GPU KEY=VALUE...",
		.doc = "Changes settings of a vGPU or a GPU, which may be in use.\v"
		       "Of a vGPU: weight (1 to 1000, 100), cap (percent of an engine's time, 0: "
		       "none). Of a GPU: policy (weighted, round-robin, fixed), slice_us (500 to "
		       "100000). What the module has that can be set can be set.",
	};
	struct set set = { };
	enum status status;
	const char *device;
	struct tree tree;
	char *dir;

	argp_parse(&argp, argc, argv, 0, NULL, &set);
	tree_read(&tree);
	device = device_of(&tree, set.device);
	if (device) {
		dir = text_format("%s/gvirt", device);
		status = set_all(&set, dir);
		free(dir);
	} else {
		status = say_no_device(&tree, set.device);
	}
	tree_free(&tree);
	strings_free(&set.keys);
	strings_free(&set.values);
	return status;
}

/* info */

static void add_string(struct json_object *object, const char *key, const char *value)
{
	json_object_object_add(object, key, value ? json_object_new_string(value) : NULL);
}

static struct json_object *vgpu_info(const struct vgpu *vgpu)
{
	struct json_object *object = json_object_new_object();
	const struct user *user;
	struct users users;
	char *device;

	users_read(&users);
	user = users_of(&users, vgpu);
	add_string(object, "uuid", vgpu->uuid);
	add_string(object, "gpu", vgpu->gpu);
	add_string(object, "type", vgpu->type);
	add_string(object, "state", users_state(&users, vgpu));
	add_string(object, "user_pid", user ? user->pid : NULL);
	add_string(object, "user_command", user ? user->command : NULL);
	device = vgpu->group ? text_format("/dev/vfio/%s", vgpu->group) : NULL;
	add_string(object, "vfio_group", device);
	json_object_object_add(object, "attributes", attributes_of(vgpu->path));
	free(device);
	users_free(&users);
	return object;
}

static struct json_object *gpu_info(const struct tree *tree, const struct gpu *gpu)
{
	struct json_object *object = json_object_new_object();
	struct json_object *types = json_object_new_array(), *vgpus = json_object_new_array();
	size_t i;

	add_string(object, "gpu", gpu->address);
	for (i = 0; i < tree->type_count; i++)
		if (!strcmp(tree->types[i].gpu, gpu->address))
			json_object_array_add(types, json_object_new_string(tree->types[i].id));
	for (i = 0; i < tree->vgpu_count; i++)
		if (!strcmp(tree->vgpus[i].gpu, gpu->address))
			json_object_array_add(vgpus, json_object_new_string(tree->vgpus[i].uuid));
	json_object_object_add(object, "types", types);
	json_object_object_add(object, "vgpus", vgpus);
	json_object_object_add(object, "attributes", attributes_of(gpu->path));
	return object;
}

static void print_array(const char *key, struct json_object *array)
{
	size_t i;

	for (i = 0; i < json_object_array_length(array); i++)
		printf("%-20s %s\n", i ? "" : key,
		       json_object_get_string(json_object_array_get_idx(array, i)));
}

static void print_attributes(struct json_object *attributes)
{
	char *text;

	json_object_object_foreach(attributes, key, value) {
		(void)value;
		text = attributes_text(attributes, key);
		printf("%-20s %s\n", key, text);
		free(text);
	}
}

static void print_info(struct json_object *object)
{
	json_object_object_foreach(object, key, value) {
		if (json_object_is_type(value, json_type_array))
			print_array(key, value);
		else if (json_object_is_type(value, json_type_object))
			print_attributes(value);
		else if (value)
			printf("%-20s %s\n", key, json_object_get_string(value));
	}
	json_object_put(object);
}

enum status run_info(int argc, char **argv)
{
	const struct argp_child children[] = { { .argp = &common_argp }, { } };
	const struct argp argp = {
		.parser = parse_one_device,
		.args_doc = "UUID|GPU",
		.doc = "Shows all that sysfs has of a vGPU or a GPU: settings, counters, who has it.",
		.children = children,
	};
	enum status status = STATUS_OK;
	struct json_object *object = NULL;
	struct one_device info = { };
	struct tree tree;

	argp_parse(&argp, argc, argv, 0, NULL, &info);
	tree_read(&tree);
	if (tree_vgpu(&tree, info.device))
		object = vgpu_info(tree_vgpu(&tree, info.device));
	else if (tree_gpu(&tree, info.device))
		object = gpu_info(&tree, tree_gpu(&tree, info.device));
	else
		status = say_no_device(&tree, info.device);
	if (object && info.common.json)
		print_json(object);
	else if (object)
		print_info(object);
	tree_free(&tree);
	return status;
}
