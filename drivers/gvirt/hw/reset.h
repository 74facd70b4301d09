/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reset of single engines and of the whole GT.
 */
#ifndef GVIRT_HW_RESET_H
#define GVIRT_HW_RESET_H

#include <linux/mutex.h>
#include <linux/types.h>
#include "platform.h"

struct gvirt_engine;
struct gvirt_mmio;

/**
 * struct gvirt_reset - Serialises resets of one GPU
 * @mmio: registers
 * @platform: which chip
 * @lock: one reset at a time
 */
struct gvirt_reset {
	struct gvirt_mmio *mmio;
	const struct gvirt_platform *platform;
	struct mutex lock; /* one reset at a time */
};

/**
 * gvirt_reset_init() - Prepare for resets
 * @reset: to be initialised
 * @mmio: registers
 * @platform: which chip
 */
void gvirt_reset_init(struct gvirt_reset *reset, struct gvirt_mmio *mmio,
		      const struct gvirt_platform *platform);

/**
 * gvirt_reset_fini() - The opposite of gvirt_reset_init()
 * @reset: of gvirt_reset_init()
 */
void gvirt_reset_fini(struct gvirt_reset *reset);

/**
 * gvirt_reset_engine() - Reset one engine and start it again
 * @reset: of the GPU
 * @engine: which; not from one of its callbacks
 *
 * Its contexts are reported as lost. Sleeps; bounded by 100 ms in the chip.
 *
 * Return: 0, or -ETIMEDOUT when the engine refuses: it stays halted with its
 * contexts, and gvirt_reset_all() is the next step.
 */
int gvirt_reset_engine(struct gvirt_reset *reset, struct gvirt_engine *engine);

/**
 * gvirt_reset_all() - Reset the whole GT; no engine runs afterwards
 * @reset: of the GPU
 * @engines: all engines, by enum gvirt_engine_id; NULL: there is none
 *
 * Contexts are reported as lost. Caches' tables and workarounds are set again, fences
 * are not; engines are left halted for gvirt_engine_start(). Sleeps; bounded by
 * 400 ms in the chip.
 *
 * Return: 0, or -ETIMEDOUT when an engine refuses or the reset does not end: all
 * engines stay halted, with their contexts.
 */
int gvirt_reset_all(struct gvirt_reset *reset, struct gvirt_engine *const *engines);

#endif
