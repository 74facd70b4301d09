/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files in sysfs about the sharing of engines, for the groups "gvirt" of vGPUs and GPUs.
 */
#ifndef GVIRT_VFIO_ATTRS_SHARE_H
#define GVIRT_VFIO_ATTRS_SHARE_H

#include <linux/device.h>

/* Of a vGPU; its driver data is its struct gvirt_vfio_device. */
extern struct device_attribute gvirt_attr_weight;
extern struct device_attribute gvirt_attr_cap;
extern struct device_attribute gvirt_attr_busy_ns;
extern struct device_attribute gvirt_attr_waited_ns;
extern struct device_attribute gvirt_attr_turns;
extern struct device_attribute gvirt_attr_preemptions;

/** gvirt_gpu_groups - Of a GPU; its driver data is its struct gvirt_vgpu_host */
extern const struct attribute_group *gvirt_gpu_groups[];

#endif
