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
 * @record: gets what runs with privilege, see record.h; or NULL
 * @interrupt: carries the device's interrupt to the VMM, see gm_irq_create(); any thread
 * @opaque: passed to @interrupt
 */
struct gm_device_config {
	const struct gm_platform *platform;
	bool display;
	struct gm_record *record;
	void (*interrupt)(void *opaque, bool level);
	void *opaque;
};

/**
 * gm_device_create() - Make a device in its state after power-on
 * @config: what it is made of, copied
 *
 * Return: the device, NULL when resources are short.
 */
struct gm_device *gm_device_create(const struct gm_device_config *config);
void gm_device_destroy(struct gm_device *device);

/**
 * gm_device_describe() - Tell the vfio-user server about the device
 * @device: the device
 * @vfu: out: its regions and hooks, valid as long as the device is
 */
void gm_device_describe(struct gm_device *device, struct gm_vfu_device *vfu);

/* The statistics that all its parts count into. */
struct gm_stats *gm_device_stats(struct gm_device *device);

/**
 * gm_device_engine() - One of its engines
 * @device: the device
 * @engine: number of the engine (enum gm_engine_id), any value
 *
 * Return: the engine, NULL where the platform has none.
 */
struct gm_engine *gm_device_engine(struct gm_device *device, unsigned int engine);

/* Its interrupt logic. */
struct gm_irq *gm_device_irq(struct gm_device *device);

/**
 * gm_device_set_gone() - Take the device off the bus, or put it back
 * @device: the device
 * @gone: it is gone: all reads are ones, writes are dropped, nothing happens any more. Its
 *	GGTT is memory that the VMM maps: that stays.
 *
 * When it comes back it is as after power on, but for its GGTT.
 */
void gm_device_set_gone(struct gm_device *device, bool gone);

/**
 * gm_device_peek() - Stored value of a register, without side effects
 * @device: the device
 * @offset: in BAR0
 *
 * Return: the value, 0 beyond register space.
 */
u32 gm_device_peek(struct gm_device *device, u32 offset);

/**
 * gm_device_next_unknown() - Which registers were accessed that the chip has not
 * @device: the device
 * @offset: where to start looking
 *
 * Return: offset of the first one at or above @offset, UINT32_MAX: none.
 */
u32 gm_device_next_unknown(struct gm_device *device, u32 offset);

#endif
