// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands in words: see decode.h.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <linux/types.h>
#include "lib/cmd.h"
#include "lib/engine.h"
#include "decode.h"

static const char * const engines[GVIRT_ENGINES] = {
	[GVIRT_RCS] = "rcs0",
	[GVIRT_BCS] = "bcs0",
	[GVIRT_VCS] = "vcs0",
	[GVIRT_VECS] = "vecs0",
};

int decode_engine(const char *name)
{
	int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (!strcmp(engines[i], name))
			return i;
	return -1;
}

static struct json_object *in_hex(const uint32_t *dwords, size_t count)
{
	struct json_object *array = json_object_new_array();
	char text[9];
	size_t i;

	for (i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%08x", dwords[i]);
		json_object_array_add(array, json_object_new_string(text));
	}
	return array;
}

/* What has no length that it can have is looked at dword by dword. */
static size_t length_of(const struct gvirt_cmd *cmd, uint32_t header)
{
	size_t length = cmd ? gvirt_cmd_length(cmd, header) : 0;

	return length ? length : 1;
}

struct json_object *decode_commands(int engine, const uint32_t *dwords, size_t count, size_t bad)
{
	struct json_object *array = json_object_new_array(), *object;
	const struct gvirt_cmd *cmd;
	size_t i, length, end;
	bool cut;

	for (i = 0; i < count; i += length) {
		cmd = gvirt_cmd_find(&gvirt_cmds_gen9, engine, dwords[i]);
		length = length_of(cmd, dwords[i]);
		end = i < bad && bad < count ? bad : count;
		cut = length > end - i;
		if (cut)
			length = end - i;
		object = json_object_new_object();
		json_object_object_add(object, "dword", json_object_new_uint64(i));
		json_object_object_add(object, "dwords", in_hex(dwords + i, length));
		json_object_object_add(object, "name",
				       cmd ? json_object_new_string(cmd->name) : NULL);
		json_object_object_add(object, "bad", json_object_new_boolean(i == bad));
		json_object_object_add(object, "cut", json_object_new_boolean(cut));
		json_object_array_add(array, object);
	}
	return array;
}
