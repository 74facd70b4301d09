/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of a vGPU need from each other, as functions of the vGPU.
 */
#ifndef GVIRT_VGPU_SERVICES_H
#define GVIRT_VGPU_SERVICES_H

#include "host/guest.h"
#include "model/ppgtt.h"
#include "model/submit.h"

/** gvirt_services_guest - For gvirt_guest_init(); its data is the vGPU */
extern const struct gvirt_guest_services gvirt_services_guest;

/** gvirt_services_shadow - For gvirt_vppgtt_init(); its data is the vGPU */
extern const struct gvirt_shadow_services gvirt_services_shadow;

/** gvirt_services_submit - For gvirt_submit_init(); its data is the vGPU */
extern const struct gvirt_submit_services gvirt_services_submit;

#endif
