/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sysfs says of how engines are shared, see Documentation/sysfs-abi.rst. Whatever does
 * not work that must work fails the running test.
 */
#ifndef VFIO_LIB_SHARE_H
#define VFIO_LIB_SHARE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

/* What happens by itself has happened by then, on a slow machine as well. */
#define SHARE_PATIENCE_MS	30000

/**
 * share_gpu() - The GPU of a vGPU
 * @path: gets its directory
 * @size: of @path
 * @mdev: directory of the vGPU
 */
void share_gpu(char *path, size_t size, const char *mdev);

/**
 * share_read() - Read a file below gvirt/
 * @device: directory of a vGPU or a GPU
 * @file: name
 * @text: gets its contents, without the line's end
 * @size: of @text
 */
void share_read(const char *device, const char *file, char *text, size_t size);

/**
 * share_write() - Write one
 * @device: directory of a vGPU or a GPU
 * @file: name
 * @text: what
 *
 * Return: 0 or a negative errno.
 */
int share_write(const char *device, const char *file, const char *text);

/**
 * share_set() - Write a number that must be taken
 * @device: directory of a vGPU or a GPU
 * @file: name
 * @value: number
 */
void share_set(const char *device, const char *file, unsigned int value);

/**
 * share_number() - Read a file that has one number
 * @device: directory of a vGPU or a GPU
 * @file: name
 *
 * Return: the number.
 */
u64 share_number(const char *device, const char *file);

/**
 * share_await() - Wait for such a number
 * @device: directory of a vGPU or a GPU
 * @file: name
 * @least: it is enough
 * @most: likewise, inclusive
 *
 * Return: false if it was none in SHARE_PATIENCE_MS.
 */
bool share_await(const char *device, const char *file, u64 least, u64 most);

/**
 * share_count() - Read the number of an engine from a file with a line for each
 * @device: directory of a vGPU or a GPU
 * @file: name
 * @engine: e.g. "rcs0"
 *
 * Return: the number.
 */
u64 share_count(const char *device, const char *file, const char *engine);

#endif
