/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of all GPUs and vGPUs at one time, and what happened between two such times.
 */
#ifndef GVIRTCTL_SAMPLE_H
#define GVIRTCTL_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <json-c/json.h>

/**
 * struct sample_device - Attributes of a GPU or vGPU
 * @name: address or UUID
 * @gpu: address of its GPU
 * @attributes: of attributes_of()
 */
struct sample_device {
	char *name;
	char *gpu;
	struct json_object *attributes;
};

/**
 * struct sample - All of them
 * @time_ns: when, of CLOCK_MONOTONIC
 * @gpus: GPUs
 * @gpu_count: how many
 * @vgpus: vGPUs
 * @vgpu_count: how many
 */
struct sample {
	uint64_t time_ns;
	struct sample_device *gpus;
	size_t gpu_count;
	struct sample_device *vgpus;
	size_t vgpu_count;
};

/**
 * sample_take() - Read all counters
 * @sample: gets them
 */
void sample_take(struct sample *sample);

/**
 * sample_free() - Free it
 * @sample: of sample_take(), or zeroed
 */
void sample_free(struct sample *sample);

/**
 * sample_before() - The same device in an earlier sample
 * @earlier: that sample
 * @device: of a later one
 *
 * Return: it, or NULL when it was not there.
 */
const struct sample_device *sample_before(const struct sample *earlier,
					  const struct sample_device *device);

/**
 * sample_busy() - For which part of the time an engine worked for a device
 * @now: the device
 * @before: the same device in an earlier sample; NULL: it was not there
 * @ns: how long ago that was
 * @engine: its name; NULL: all engines together, up to 4
 *
 * Return: 0 to 1 for an engine; negative: unknown.
 */
double sample_busy(const struct sample_device *now, const struct sample_device *before,
		   uint64_t ns, const char *engine);

/**
 * sample_rate() - How fast a counter grows
 * @now: the device
 * @before: the same device in an earlier sample; NULL: it was not there
 * @ns: how long ago that was
 * @counter: its name
 *
 * Return: per second; negative: unknown.
 */
double sample_rate(const struct sample_device *now, const struct sample_device *before,
		   uint64_t ns, const char *counter);

#endif
