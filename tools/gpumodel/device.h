/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device: all parts of one GPU put together.
 */
#ifndef GM_DEVICE_H
#define GM_DEVICE_H

#include <linux/types.h>
#include "irq.h"
#include "engine.h"
#include "platform.h"
#include "stats.h"

struct gm_device;
struct gm_vfu_device;

/**
 * struct gm_device_config - What a device is made of
 * @platform: which chip
 * @display: has a display engine; else it is fused off
 * @interrupt: carries the device's interrupt to the VMM, see gm_irq_create(); any thread
 * @opaque: passed to @interrupt
 */
struct gm_device_config {
	const struct gm_platform *platform;
	bool display;
	void (*interrupt)(void *opaque, bool level);
	void *opaque;
};

/** gm_device_create() - A device in its state after power-on; NULL when resources are short */
struct gm_device *gm_device_create(const struct gm_device_config *config);
void gm_device_destroy(struct gm_device *device);

/** gm_device_describe() - Fill in regions and hooks for the vfio-user server */
void gm_device_describe(struct gm_device *device, struct gm_vfu_device *vfu);

/** gm_device_stats() - Its statistics */
struct gm_stats *gm_device_stats(struct gm_device *device);
/** gm_device_engine() - Engine number @engine, NULL where the platform has none */
struct gm_engine *gm_device_engine(struct gm_device *device, unsigned int engine);
struct gm_irq *gm_device_irq(struct gm_device *device);

/** gm_device_peek() - Stored value of the register at @offset, 0 beyond register space */
u32 gm_device_peek(struct gm_device *device, u32 offset);

/**
 * gm_device_next_unknown() - First register at or after @offset that was accessed though it is none
 *
 * Return: its offset, UINT32_MAX when there is none.
 */
u32 gm_device_next_unknown(struct gm_device *device, u32 offset);

#endif
