/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What trapped registers do: from the handler ids of the register table to
 * functions.
 */
#ifndef GVIRT_VGPU_MMIO_BIND_H
#define GVIRT_VGPU_MMIO_BIND_H

#include <linux/types.h>
#include "model/mmio.h"

struct gvirt_vgpu;

/** gvirt_mmio_bind - For gvirt_vmmio_init(); its data is the vGPU, whose lock is held */
extern const struct gvirt_vmmio_services gvirt_mmio_bind;

#endif
