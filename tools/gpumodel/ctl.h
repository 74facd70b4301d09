/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control socket: statistics and fault injection, as JSON lines.
 *
 * A client sends one JSON object a line and gets one back for each. A thread
 * of its own serves up to GM_CTL_MAX_CLIENTS clients, so that the model
 * answers also while the VMM does not.
 */
#ifndef GM_CTL_H
#define GM_CTL_H

#include <linux/types.h>

struct gm_ctl;
struct gm_device;
struct json_object;

#define GM_CTL_MAX_CLIENTS 8
/* Longest line of a request, with its newline. */
#define GM_CTL_MAX_LINE 4096

/**
 * gm_ctl_create() - Start to serve the control socket of a device
 * @path: of the UNIX socket; a file left over by a dead process is replaced
 * @device: what it tells about; has to outlive the socket
 *
 * Return: NULL when it cannot listen; errno says why.
 */
struct gm_ctl *gm_ctl_create(const char *path, struct gm_device *device);
void gm_ctl_destroy(struct gm_ctl *ctl);

/**
 * gm_ctl_execute() - Carry out one request (ctl_command.c)
 * @device: the device
 * @line: the request, one JSON object
 *
 * Return: the answer; the caller puts it. Never NULL: an error is an answer
 * with "error" in it.
 */
struct json_object *gm_ctl_execute(struct gm_device *device, const char *line);

/**
 * gm_ctl_stats() - Statistics as JSON
 * @device: the device
 *
 * Return: an object that the caller puts.
 */
struct json_object *gm_ctl_stats(struct gm_device *device);

#endif
