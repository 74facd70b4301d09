// SPDX-License-Identifier: GPL-2.0-only
/*
 * gvirtctl create, gvirtctl remove.
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include "commands.h"
#include "files.h"
#include "text.h"
#include "tree.h"
#include "users.h"

#define UUID_LENGTH	36

/* UUIDs. */

static bool is_dash(size_t position)
{
	return position == 8 || position == 13 || position == 18 || position == 23;
}

static bool is_uuid(const char *text)
{
	size_t i;

	if (strlen(text) != UUID_LENGTH)
		return false;
	for (i = 0; i < UUID_LENGTH; i++)
		if (is_dash(i) ? text[i] != '-' : !isxdigit((unsigned char)text[i]))
			return false;
	return true;
}

/* The kernel names devices in lower case. */
static char *lower_case(const char *uuid)
{
	char *copy = text_copy(uuid), *c;

	for (c = copy; *c; c++)
		*c = tolower((unsigned char)*c);
	return copy;
}

/* Random, of version 4 (RFC 4122, section 4.4). NULL: the kernel has no random bytes. */
static char *new_uuid(void)
{
	uint8_t b[16];

	if (getrandom(b, sizeof(b), 0) != sizeof(b))
		return NULL;
	b[6] = 0x40 | (b[6] & 0x0f);
	b[8] = 0x80 | (b[8] & 0x3f);
	return text_format("%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
			   b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10],
			   b[11], b[12], b[13], b[14], b[15]);
}

/* Creation. */

struct create {
	struct common common;
	const char *type;
	const char *gpu;
	const char *uuid;
};

static const struct argp_option create_options[] = {
	{ .name = "type", .key = 't', .arg = "TYPE",
	  .doc = "Type of the vGPU, e.g. headless-256; needed where there are several" },
	{ .name = "gpu", .key = 'g', .arg = "GPU",
	  .doc = "PCI address of the GPU; without, the one with the most room" },
	{ }
};

static error_t parse_create(int key, char *arg, struct argp_state *state)
{
	struct create *create = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &create->common;
		return 0;
	case 't':
		create->type = arg;
		return 0;
	case 'g':
		create->gpu = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (create->uuid)
			argp_error(state, "one vGPU at a time");
		if (!is_uuid(arg))
			argp_error(state, "'%s' is no UUID: 'uuidgen' makes one, and so does 'create' without one",
				   arg);
		create->uuid = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static long long room_of(const struct type *type)
{
	char *text = files_read(type->path, "available_instances");
	unsigned long long room;
	bool good = text_number(text, &room);

	free(text);
	return good ? (long long)room : -1;
}

static bool fits(const struct create *create, const struct gpu *gpu, const struct type *type)
{
	if (gpu && strcmp(gpu->address, type->gpu))
		return false;
	return !create->type || tree_type_is(type, create->type);
}

/* The type to be made; NULL: there is none, which has been said. */
static const struct type *choose(const struct create *create, const struct tree *tree,
				 const struct gpu *gpu)
{
	const struct type *best = NULL, *type;
	size_t i;

	for (i = 0; i < tree->type_count; i++) {
		type = &tree->types[i];
		if (!fits(create, gpu, type))
			continue;
		if (best && strcmp(best->id, type->id)) {
			say(STATUS_USAGE, "there are several types, say which by --type: 'gvirtctl types' shows them");
			return NULL;
		}
		if (!best || room_of(type) > room_of(best))
			best = type;
	}
	if (best)
		return best;
	say(STATUS_MISSING, "there is no such type%s%s%s%s. 'gvirtctl types' shows those that there are",
	    create->type ? " " : "", create->type ? create->type : "", gpu ? " on " : "",
	    gpu ? gpu->address : "");
	return NULL;
}

static enum status say_not_created(int err, const struct type *type, const char *uuid)
{
	char *what = text_format("cannot create %s on %s", type->id, type->gpu);
	enum status status;

	switch (-err) {
	case EUSERS:
		status = say(STATUS_REFUSED, "%s: all that there can be are there. Remove one, or load gvirt with a larger max_vgpus",
			     what);
		break;
	case EEXIST:
		status = say(STATUS_REFUSED, "%s: there is a device %s already, see /sys/bus/mdev/devices",
			     what, uuid);
		break;
	case ENOMEM:
		status = say(STATUS_REFUSED, "%s: the host is short of memory; a vGPU takes up to 10 MiB of the kernel's",
			     what);
		break;
	default:
		status = say_error(err, what);
		break;
	}
	free(what);
	return status;
}

static void print_created(const struct create *create, const struct type *type, const char *uuid)
{
	struct json_object *object;

	if (!create->common.json) {
		puts(uuid);
		return;
	}
	object = json_object_new_object();
	json_object_object_add(object, "uuid", json_object_new_string(uuid));
	json_object_object_add(object, "gpu", json_object_new_string(type->gpu));
	json_object_object_add(object, "type", json_object_new_string(type->id));
	print_json(object);
}

static enum status create_one(const struct create *create, const struct type *type)
{
	char *uuid = create->uuid ? lower_case(create->uuid) : new_uuid();
	enum status status = STATUS_OK;
	int err;

	if (!uuid)
		return say(STATUS_REFUSED, "the kernel has no random numbers for a UUID; name one");
	err = files_write(type->path, "create", uuid);
	if (err)
		status = say_not_created(err, type, uuid);
	else
		print_created(create, type, uuid);
	free(uuid);
	return status;
}

static enum status create_in(const struct create *create, const struct tree *tree)
{
	const struct gpu *gpu = NULL;
	const struct type *type;

	if (!tree->gpu_count)
		return say_no_gvirt();
	if (create->gpu) {
		gpu = tree_gpu(tree, create->gpu);
		if (!gpu)
			return say(STATUS_MISSING, "gvirt drives no GPU %s. 'gvirtctl types' shows those that it drives",
				   create->gpu);
	}
	type = choose(create, tree, gpu);
	return type ? create_one(create, type) : STATUS_MISSING;
}

enum status run_create(int argc, char **argv)
{
	const struct argp_child children[] = { { .argp = &common_argp }, { } };
	const struct argp argp = {
		.options = create_options,
		.parser = parse_create,
		.args_doc = "[UUID]",
		.doc = "Makes a vGPU and prints its UUID, which is a new one where none is given.\v"
		       "It lasts until it is removed, gvirt is unloaded or the host is booted; "
		       "'mdevctl define' makes vGPUs that come back.",
		.children = children,
	};
	struct create create = { };
	enum status status;
	struct tree tree;

	argp_parse(&argp, argc, argv, 0, NULL, &create);
	tree_read(&tree);
	status = create_in(&create, &tree);
	tree_free(&tree);
	return status;
}

/* Removal. */

struct removal {
	struct strings uuids;
	bool force;
};

static const struct argp_option remove_options[] = {
	{ .name = "force", .key = 'f',
	  .doc = "Also one that is in use: its user is asked to let go, and the command waits "
		 "until it has, or has ended (see the manual for QEMU)" },
	{ }
};

static error_t parse_remove(int key, char *arg, struct argp_state *state)
{
	struct removal *removal = state->input;

	switch (key) {
	case 'f':
		removal->force = true;
		return 0;
	case ARGP_KEY_ARG:
		strings_add(&removal->uuids, text_copy(arg));
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "which vGPU? 'gvirtctl list' shows them");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static enum status say_in_use(const struct vgpu *vgpu, const struct user *user)
{
	if (!user)
		return say(STATUS_REFUSED, "%s is in use. End its VM, or use --force", vgpu->uuid);
	return say(STATUS_REFUSED, "%s is in use by process %s (%s). End that, or use --force",
		   vgpu->uuid, user->pid, user->command);
}

static enum status remove_one(const struct removal *removal, const struct tree *tree,
			      const struct users *users, const char *uuid)
{
	const struct vgpu *vgpu = tree_vgpu(tree, uuid);
	enum status status;
	char *what;
	int err;

	if (!vgpu)
		return say_no_vgpu(tree, uuid);
	if (!removal->force && !strcmp(users_state(users, vgpu), "in use"))
		return say_in_use(vgpu, users_of(users, vgpu));
	err = files_write(vgpu->path, "remove", "1");
	if (!err)
		return STATUS_OK;
	what = text_format("cannot remove %s", vgpu->uuid);
	status = say_error(err, what);
	free(what);
	return status;
}

enum status run_remove(int argc, char **argv)
{
	const struct argp argp = {
		.options = remove_options,
		.parser = parse_remove,
		.args_doc = "UUID...",
		.doc = "Removes vGPUs that nobody uses.",
	};
	enum status status = STATUS_OK, one;
	struct removal removal = { };
	struct users users;
	struct tree tree;
	size_t i;

	argp_parse(&argp, argc, argv, 0, NULL, &removal);
	tree_read(&tree);
	users_read(&users);
	for (i = 0; i < removal.uuids.count; i++) {
		one = remove_one(&removal, &tree, &users, removal.uuids.item[i]);
		if (!status)
			status = one;
	}
	users_free(&users);
	tree_free(&tree);
	strings_free(&removal.uuids);
	return status;
}
