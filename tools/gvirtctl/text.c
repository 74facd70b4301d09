// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strings: see text.h.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "text.h"

static void *there(void *memory)
{
	if (memory)
		return memory;
	fputs("gvirtctl: out of memory\n", stderr);
	exit(EXIT_FAILURE);
}

char *text_format(const char *format, ...)
{
	char *text = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	return there(length < 0 ? NULL : text);
}

char *text_copy(const char *text)
{
	return there(strdup(text));
}

char *text_slice(const char *text, size_t length)
{
	return there(strndup(text, length));
}

void *text_grow(void *array, size_t count, size_t size)
{
	char *grown = there(reallocarray(array, count + 1, size));

	memset(grown + count * size, 0, size);
	return grown;
}

bool text_number(const char *text, unsigned long long *value)
{
	char *end;

	if (!text || !isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !errno && !*end;
}

char *text_plain(const char *text)
{
	char *copy = text_copy(text), *c;

	for (c = copy; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	return copy;
}

const char *text_last(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void strings_add(struct strings *strings, char *item)
{
	strings->item = text_grow(strings->item, strings->count, sizeof(*strings->item));
	strings->item[strings->count++] = item;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strings_sort(struct strings *strings)
{
	if (strings->count)
		qsort(strings->item, strings->count, sizeof(*strings->item), compare);
}

void strings_free(struct strings *strings)
{
	size_t i;

	for (i = 0; i < strings->count; i++)
		free(strings->item[i]);
	free(strings->item);
	*strings = (struct strings) { };
}
