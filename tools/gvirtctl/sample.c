// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: see sample.h.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "attributes.h"
#include "sample.h"
#include "text.h"
#include "tree.h"

#define NS_PER_S	1000000000ull
#define BUSY		"busy_ns"

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static void add(struct sample_device **devices, size_t *count, const char *name, const char *gpu,
		const char *path)
{
	struct sample_device *device;

	*devices = text_grow(*devices, *count, sizeof(*device));
	device = &(*devices)[(*count)++];
	device->name = text_copy(name);
	device->gpu = text_copy(gpu);
	device->attributes = attributes_of(path);
}

void sample_take(struct sample *sample)
{
	struct tree tree;
	size_t i;

	*sample = (struct sample) { };
	tree_read(&tree);
	sample->time_ns = now_ns();
	for (i = 0; i < tree.gpu_count; i++)
		add(&sample->gpus, &sample->gpu_count, tree.gpus[i].address, tree.gpus[i].address,
		    tree.gpus[i].path);
	for (i = 0; i < tree.vgpu_count; i++)
		add(&sample->vgpus, &sample->vgpu_count, tree.vgpus[i].uuid, tree.vgpus[i].gpu,
		    tree.vgpus[i].path);
	tree_free(&tree);
}

static void free_devices(struct sample_device *devices, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		free(devices[i].name);
		free(devices[i].gpu);
		json_object_put(devices[i].attributes);
	}
	free(devices);
}

void sample_free(struct sample *sample)
{
	free_devices(sample->gpus, sample->gpu_count);
	free_devices(sample->vgpus, sample->vgpu_count);
	*sample = (struct sample) { };
}

static const struct sample_device *find(const struct sample_device *devices, size_t count,
					const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(devices[i].name, name))
			return &devices[i];
	return NULL;
}

const struct sample_device *sample_before(const struct sample *earlier,
					  const struct sample_device *device)
{
	const struct sample_device *found;

	found = find(earlier->vgpus, earlier->vgpu_count, device->name);
	return found ? found : find(earlier->gpus, earlier->gpu_count, device->name);
}

static bool ran_ns(const struct sample_device *device, const char *engine, uint64_t *ns)
{
	struct json_object *busy, *value;

	if (!json_object_object_get_ex(device->attributes, BUSY, &busy) ||
	    !json_object_is_type(busy, json_type_object))
		return false;
	*ns = 0;
	if (engine) {
		if (!json_object_object_get_ex(busy, engine, &value))
			return false;
		*ns = json_object_get_uint64(value);
		return true;
	}
	json_object_object_foreach(busy, name, each) {
		(void)name;
		*ns += json_object_get_uint64(each);
	}
	return true;
}

/* A counter that went back is another device's of the same name, made meanwhile. */
static double growth(uint64_t now, uint64_t before, double per)
{
	return now < before || per <= 0 ? -1 : (now - before) / per;
}

double sample_busy(const struct sample_device *now, const struct sample_device *before,
		   uint64_t ns, const char *engine)
{
	uint64_t late, early;

	if (!before || !ran_ns(now, engine, &late) || !ran_ns(before, engine, &early))
		return -1;
	return growth(late, early, ns);
}

double sample_rate(const struct sample_device *now, const struct sample_device *before,
		   uint64_t ns, const char *counter)
{
	unsigned long long late, early;

	if (!before || !attributes_number(now->attributes, counter, &late) ||
	    !attributes_number(before->attributes, counter, &early))
		return -1;
	return growth(late, early, (double)ns / NS_PER_S);
}
