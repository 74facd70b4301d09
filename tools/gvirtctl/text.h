/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strings of any length, and lists of them. Where there is no memory, the program ends.
 */
#ifndef GVIRTCTL_TEXT_H
#define GVIRTCTL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct strings - A list of strings
 * @item: they, each allocated
 * @count: how many
 */
struct strings {
	char **item;
	size_t count;
};

/**
 * text_format() - printf() into a new string
 * @format: as for printf()
 *
 * Return: the string, to be freed.
 */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * text_copy() - A copy of a string
 * @text: which
 *
 * Return: the copy, to be freed.
 */
char *text_copy(const char *text);

/**
 * text_slice() - A copy of a part of a string
 * @text: which
 * @length: bytes of it
 *
 * Return: the copy, to be freed.
 */
char *text_slice(const char *text, size_t length);

/**
 * text_grow() - An array with room for one element more
 * @array: array of @count elements, NULL: none
 * @count: how many it has
 * @size: bytes of one
 *
 * Return: the array, in the place of @array; the new element is zero.
 */
void *text_grow(void *array, size_t count, size_t size);

/**
 * text_number() - A decimal number, and nothing else
 * @text: NULL is no number
 * @value: gets it
 *
 * Return: false when it is none, or too large.
 */
bool text_number(const char *text, unsigned long long *value);

/**
 * text_plain() - A copy that does no harm to a terminal
 * @text: which
 *
 * Return: the copy, in which control characters are question marks; to be freed.
 */
char *text_plain(const char *text);

/**
 * text_last() - The last part of a path
 * @path: which
 *
 * Return: within @path.
 */
const char *text_last(const char *path);

/**
 * strings_add() - Add a string
 * @strings: to this list
 * @item: allocated; the list's from now on
 */
void strings_add(struct strings *strings, char *item);

/**
 * strings_sort() - Sort by the strings' bytes
 * @strings: which
 */
void strings_sort(struct strings *strings);

/**
 * strings_free() - Free all
 * @strings: empty afterwards
 */
void strings_free(struct strings *strings);

#endif
