/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What gvirtctl says when something is wrong, and its exit statuses.
 */
#ifndef GVIRTCTL_SAY_H
#define GVIRTCTL_SAY_H

#include "tree.h"

/**
 * enum status - Exit statuses
 * @STATUS_OK: done
 * @STATUS_REFUSED: the kernel did not do it
 * @STATUS_NO_GVIRT: gvirt is not loaded, or drives no GPU
 * @STATUS_MISSING: there is no such vGPU, GPU, type, key or file
 * @STATUS_DENIED: not allowed to this user
 * @STATUS_USAGE: wrong arguments
 */
enum status {
	STATUS_OK = 0,
	STATUS_REFUSED = 1,
	STATUS_NO_GVIRT = 2,
	STATUS_MISSING = 3,
	STATUS_DENIED = 4,
	STATUS_USAGE = 64,
};

/**
 * say() - A complaint, on standard error
 * @status: what to return
 * @format: as for printf(), without newline
 *
 * Return: @status.
 */
enum status say(enum status status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * say_no_gvirt() - Why there is no GPU of gvirt's, and what to do
 *
 * Return: STATUS_NO_GVIRT.
 */
enum status say_no_gvirt(void);

/**
 * say_no_vgpu() - There is no such vGPU
 * @tree: where it was looked for
 * @uuid: what was looked for
 *
 * Return: the status.
 */
enum status say_no_vgpu(const struct tree *tree, const char *uuid);

/**
 * say_no_device() - There is neither such a vGPU nor such a GPU
 * @tree: where it was looked for
 * @name: what was looked for
 *
 * Return: the status.
 */
enum status say_no_device(const struct tree *tree, const char *name);

/**
 * say_error() - An error of the kernel's that means the same everywhere
 * @err: negative errno
 * @what: what was tried, e.g. "cannot create a vGPU"
 *
 * Return: the status.
 */
enum status say_error(int err, const char *what);

#endif
