/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands of the GPU in words: decoded by the module's own tables.
 */
#ifndef GVIRTCTL_DECODE_H
#define GVIRTCTL_DECODE_H

#include <stdint.h>
#include <stddef.h>
#include <json-c/json.h>

/**
 * decode_engine() - The number of an engine
 * @name: e.g. "rcs0"
 *
 * Return: it, or -1.
 */
int decode_engine(const char *name);

/**
 * decode_commands() - Take commands apart
 * @engine: of decode_engine()
 * @dwords: the commands
 * @count: how many dwords
 * @bad: number of the dword in question; no command is taken to reach over it
 *
 * Return: an array of objects: "dword" (number of the first), "dwords" (in hexadecimal),
 * "name" (null: no command of that engine), "bad" (the one in question), "cut" (its
 * end is not there).
 */
struct json_object *decode_commands(int engine, const uint32_t *dwords, size_t count, size_t bad);

#endif
