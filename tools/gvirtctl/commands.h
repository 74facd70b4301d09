/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The commands of gvirtctl, and the options that they share.
 */
#ifndef GVIRTCTL_COMMANDS_H
#define GVIRTCTL_COMMANDS_H

#include <argp.h>
#include <stdbool.h>
#include <json-c/json.h>
#include "say.h"

/**
 * struct common - Options of every command
 * @json: print JSON
 */
struct common {
	bool json;
};

/** common_argp - Parses them; a child of the commands' parsers, its input is a struct common */
extern const struct argp common_argp;

/**
 * struct one_device - The options of a command about one device
 * @common: options of every command
 * @device: which, as the user named it
 */
struct one_device {
	struct common common;
	const char *device;
};

/**
 * parse_one_device() - Parser of a command about one device
 * @key: as argp has it
 * @arg: likewise
 * @state: likewise; its input is a struct one_device, its first child is common_argp
 *
 * Return: 0 or ARGP_ERR_UNKNOWN.
 */
error_t parse_one_device(int key, char *arg, struct argp_state *state);

/**
 * print_json() - Print an object on standard output
 * @object: freed
 */
void print_json(struct json_object *object);

/**
 * run_list() - The command list
 * @argc: arguments, with its name
 * @argv: they
 *
 * Return: exit status. So do the following.
 */
enum status run_list(int argc, char **argv);

/**
 * run_types() - The command types
 * @argc: arguments, with its name
 * @argv: they
 */
enum status run_types(int argc, char **argv);

/**
 * run_create() - The command create
 * @argc: arguments, with its name
 * @argv: they
 */
enum status run_create(int argc, char **argv);

/**
 * run_remove() - The command remove
 * @argc: arguments, with its name
 * @argv: they
 */
enum status run_remove(int argc, char **argv);

/**
 * run_top() - The command top
 * @argc: arguments, with its name
 * @argv: they
 */
enum status run_top(int argc, char **argv);

/**
 * run_set() - The command set
 * @argc: arguments, with its name
 * @argv: they
 */
enum status run_set(int argc, char **argv);

/**
 * run_info() - The command info
 * @argc: arguments, with its name
 * @argv: they
 */
enum status run_info(int argc, char **argv);

/**
 * run_dump() - The command dump
 * @argc: arguments, with its name
 * @argv: they
 */
enum status run_dump(int argc, char **argv);

#endif
