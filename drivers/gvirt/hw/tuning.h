/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers that are set once and after resets: workarounds, cache tables,
 * power and frequency.
 */
#ifndef GVIRT_HW_TUNING_H
#define GVIRT_HW_TUNING_H

#include "platform.h"

struct gvirt_mmio;

/**
 * gvirt_tuning_apply() - Set what belongs to the whole GT
 * @mmio: registers
 * @platform: which chip
 *
 * To be called at bring-up and after each full reset.
 */
void gvirt_tuning_apply(struct gvirt_mmio *mmio, const struct gvirt_platform *platform);

/**
 * gvirt_tuning_apply_engine() - Set what a reset of an engine loses
 * @mmio: registers
 * @platform: which chip
 * @engine: which engine
 */
void gvirt_tuning_apply_engine(struct gvirt_mmio *mmio, const struct gvirt_platform *platform,
			       enum gvirt_engine_id engine);

/**
 * gvirt_tuning_set_power() - RC6 off, the highest frequency
 * @mmio: registers
 */
void gvirt_tuning_set_power(struct gvirt_mmio *mmio);

/**
 * gvirt_tuning_restore_power() - The lowest frequency, for when nobody drives the GPU
 * @mmio: registers
 */
void gvirt_tuning_restore_power(struct gvirt_mmio *mmio);

#endif
