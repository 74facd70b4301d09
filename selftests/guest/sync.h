/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Explicit fences: sync files and sync objects.
 */
#ifndef I915_TEST_SYNC_H
#define I915_TEST_SYNC_H

#include <stdbool.h>

#include "gpu.h"

/**
 * sync_file_wait() - wait for a sync file
 * @fd: sync file
 * @timeout_ms: bound
 *
 * Return: true when it is signaled.
 */
bool sync_file_wait(int fd, int timeout_ms);

/**
 * syncobj_create() - a sync object without a fence
 * @gpu: device
 *
 * Return: handle. Fails the test on error.
 */
u32 syncobj_create(const struct gpu *gpu);

/**
 * syncobj_wait() - wait for a sync object's fence
 * @gpu: device
 * @handle: sync object
 * @timeout_ms: bound
 *
 * Return: 0, -ETIME, or another negative errno.
 */
int syncobj_wait(const struct gpu *gpu, u32 handle, unsigned int timeout_ms);

/**
 * syncobj_wait_point() - wait for a point of a timeline
 * @gpu: device
 * @handle: sync object
 * @point: from 1 on
 * @timeout_ms: bound
 *
 * Return: 0, -ETIME, or another negative errno.
 */
int syncobj_wait_point(const struct gpu *gpu, u32 handle, u64 point,
		       unsigned int timeout_ms);

/**
 * syncobj_point() - last signaled point of a timeline
 * @gpu: device
 * @handle: sync object
 *
 * Return: point. Fails the test on error.
 */
u64 syncobj_point(const struct gpu *gpu, u32 handle);

#endif
