/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers that differ between vGPUs and that no context image holds: they are loaded
 * when an engine goes from one vGPU to another.
 */
#ifndef GVIRT_MODEL_SWITCH_H
#define GVIRT_MODEL_SWITCH_H

#include <linux/types.h>
#include "lib/engine.h"

struct gvirt_gpu;
struct gvirt_switch;
struct gvirt_vmmio;

/**
 * gvirt_switch_create() - Note what the host has in these registers
 * @gpu: engines are set up and idle
 *
 * Return: for gvirt_switch_destroy(), or an ERR_PTR.
 */
struct gvirt_switch *gvirt_switch_create(struct gvirt_gpu *gpu);

/**
 * gvirt_switch_destroy() - The opposite
 * @sw: of gvirt_switch_create()
 */
void gvirt_switch_destroy(struct gvirt_switch *sw);

/**
 * gvirt_switch_forget() - The engine was reset, or who had it is gone
 * @sw: of the GPU
 * @engine: which
 *
 * This and the functions below are called by the engine's scheduler, one at a time.
 */
void gvirt_switch_forget(struct gvirt_switch *sw, enum gvirt_engine_id engine);

/**
 * gvirt_switch_differs() - Has anything to be loaded?
 * @sw: of the GPU
 * @engine: which
 * @vmmio: registers of the vGPU that gets the engine after another one
 *
 * Any context; takes time in proportion to the engine's registers, some 200.
 *
 * Return: true if so.
 */
bool gvirt_switch_differs(const struct gvirt_switch *sw, enum gvirt_engine_id engine,
			  const struct gvirt_vmmio *vmmio);

/**
 * gvirt_switch_load() - Load the registers of a vGPU
 * @sw: of the GPU
 * @engine: which, idle
 * @vmmio: the vGPU's registers
 */
void gvirt_switch_load(struct gvirt_switch *sw, enum gvirt_engine_id engine,
		       const struct gvirt_vmmio *vmmio);

#endif
