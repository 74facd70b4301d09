/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device: its node, what it can do, its engines, and the driver's knobs.
 */
#ifndef I915_TEST_GPU_H
#define I915_TEST_GPU_H

#include <stdbool.h>
#include <linux/types.h>
#include <libdrm/i915_drm.h>

#define GPU_MAX_ENGINES 4

/**
 * struct engine - one command streamer
 * @name: name in messages and in sysfs
 * @class: I915_ENGINE_CLASS_*
 * @exec: its value in the ring bits of execbuffer's flags
 * @mmio: offset of its registers in the register BAR
 * @parsed: the driver copies and scans its batches, which limits what they may contain
 */
struct engine {
	const char *name;
	unsigned int class;
	u64 exec;
	u32 mmio;
	bool parsed;
};

/**
 * struct gpu - an open node
 * @fd: file
 * @minor: number of the primary node, for sysfs
 * @engine: engines that are there
 * @nengines: number of them
 * @next_addr: next free GPU address that gpu_addr_alloc() gives out
 * @quick: fewer repetitions
 */
struct gpu {
	int fd;
	int minor;
	const struct engine *engine[GPU_MAX_ENGINES];
	unsigned int nengines;
	u64 next_addr;
	bool quick;
};

/**
 * struct gpu_timeouts - values of the driver's knobs, in ms; -1 where there is no such knob
 * @preempt: preempt_timeout_ms of each engine
 * @heartbeat: heartbeat_interval_ms of each engine
 */
struct gpu_timeouts {
	long preempt[GPU_MAX_ENGINES];
	long heartbeat[GPU_MAX_ENGINES];
};

/**
 * gpu_open() - open a node of i915 and look for its engines
 * @gpu: filled in
 * @path: node, or NULL for the first that belongs to i915
 *
 * Return: 0, or a negative errno: -ENODEV when no node belongs to i915.
 */
int gpu_open(struct gpu *gpu, const char *path);

/**
 * gpu_close() - close the node
 * @gpu: from gpu_open()
 */
void gpu_close(struct gpu *gpu);

/**
 * gpu_reopen() - another open file of the same device
 * @other: filled in
 * @gpu: from gpu_open()
 *
 * The driver keeps a ban score per file; a test that hangs the GPU in one file
 * checks in another one that nobody else suffers. Fails the test on error.
 */
void gpu_reopen(struct gpu *other, const struct gpu *gpu);

/**
 * gpu_ioctl() - ioctl that is repeated when a signal or the driver asks for it
 * @fd: node
 * @request: ioctl number
 * @arg: its argument
 *
 * Return: 0 or a negative errno.
 */
int gpu_ioctl(int fd, unsigned long request, void *arg);

/**
 * gpu_param() - read one I915_PARAM_*
 * @gpu: device
 * @param: which
 *
 * Return: its value, or a negative errno.
 */
int gpu_param(const struct gpu *gpu, int param);

/**
 * gpu_has_scheduler() - does the driver's scheduler have a capability
 * @gpu: device
 * @cap: I915_SCHEDULER_CAP_*
 *
 * Return: true when it has.
 */
bool gpu_has_scheduler(const struct gpu *gpu, unsigned int cap);

/**
 * gpu_addr_alloc() - a range of GPU addresses that no other caller gets
 * @gpu: device
 * @size: bytes
 * @align: power of two, in bytes
 *
 * Return: start.
 */
u64 gpu_addr_alloc(struct gpu *gpu, u64 size, u64 align);

/**
 * gpu_repeat() - number of repetitions in this run
 * @gpu: device
 * @n: number of a full run
 *
 * Return: @n, or a tenth of it, at least 1.
 */
unsigned int gpu_repeat(const struct gpu *gpu, unsigned int n);

/**
 * gpu_timeouts_shorten() - let the driver find a hang soon
 * @gpu: device
 * @saved: the old values
 */
void gpu_timeouts_shorten(const struct gpu *gpu, struct gpu_timeouts *saved);

/**
 * gpu_timeouts_restore() - undo gpu_timeouts_shorten()
 * @gpu: device
 * @saved: the old values
 */
void gpu_timeouts_restore(const struct gpu *gpu, const struct gpu_timeouts *saved);

#endif
