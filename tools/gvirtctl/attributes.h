/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files in the directory "gvirt" of a GPU or vGPU: counters, settings.
 */
#ifndef GVIRTCTL_ATTRIBUTES_H
#define GVIRTCTL_ATTRIBUTES_H

#include <stdbool.h>
#include <json-c/json.h>

/**
 * attributes_of() - All of a device's, by name
 * @device: its directory
 *
 * A number becomes a number, lines of "ENGINE NUMBER" an object, all else a string.
 *
 * Return: an object, empty where there are none.
 */
struct json_object *attributes_of(const char *device);

/**
 * attributes_number() - One that is a number
 * @attributes: of attributes_of()
 * @name: which
 * @value: gets it
 *
 * Return: false when there is none.
 */
bool attributes_number(struct json_object *attributes, const char *name, unsigned long long *value);

/**
 * attributes_text() - One in words
 * @attributes: of attributes_of()
 * @name: which
 *
 * Return: to be freed; "-" when there is none.
 */
char *attributes_text(struct json_object *attributes, const char *name);

#endif
