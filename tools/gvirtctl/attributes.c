// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes: see attributes.h.
 */
#include <stdlib.h>
#include <string.h>
#include "attributes.h"
#include "files.h"
#include "text.h"

#define GROUP	"gvirt"

/* One line of "ENGINE NUMBER", which is taken apart. */
static bool add_engine(struct json_object *object, char *line)
{
	char *space = strchr(line, ' ');
	unsigned long long value;

	if (!space || space == line || !text_number(space + 1, &value))
		return false;
	*space = '\0';
	json_object_object_add(object, line, json_object_new_uint64(value));
	return true;
}

/* Lines of that; NULL: they are something else. */
static struct json_object *by_engine(const char *text)
{
	struct json_object *object = json_object_new_object();
	char *copy = text_copy(text), *rest = NULL, *line;
	bool good = *copy;

	for (line = strtok_r(copy, "\n", &rest); line && good; line = strtok_r(NULL, "\n", &rest))
		good = add_engine(object, line);
	free(copy);
	if (good)
		return object;
	json_object_put(object);
	return NULL;
}

static struct json_object *value_of(const char *text)
{
	struct json_object *object;
	unsigned long long value;

	if (text_number(text, &value))
		return json_object_new_uint64(value);
	object = by_engine(text);
	return object ? object : json_object_new_string(text);
}

struct json_object *attributes_of(const char *device)
{
	struct json_object *object = json_object_new_object();
	char *dir = text_format("%s/" GROUP, device), *text;
	struct strings names = { };
	size_t i;

	files_list(dir, &names);
	for (i = 0; i < names.count; i++) {
		if (!files_is_file(dir, names.item[i]))
			continue;
		text = files_read(dir, names.item[i]);
		if (text)
			json_object_object_add(object, names.item[i], value_of(text));
		free(text);
	}
	strings_free(&names);
	free(dir);
	return object;
}

bool attributes_number(struct json_object *attributes, const char *name, unsigned long long *value)
{
	struct json_object *found;

	if (!json_object_object_get_ex(attributes, name, &found) ||
	    !json_object_is_type(found, json_type_int))
		return false;
	*value = json_object_get_uint64(found);
	return true;
}

char *attributes_text(struct json_object *attributes, const char *name)
{
	struct json_object *found;
	char *text = NULL, *longer;

	if (!json_object_object_get_ex(attributes, name, &found))
		return text_copy("-");
	if (!json_object_is_type(found, json_type_object))
		return text_plain(json_object_get_string(found));
	json_object_object_foreach(found, engine, value) {
		longer = text_format("%s%s%s %s", text ? text : "", text ? ", " : "", engine,
				     json_object_get_string(value));
		free(text);
		text = longer;
	}
	return text ? text : text_copy("-");
}
