/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A vGPU as a VFIO device.
 */
#ifndef GVIRT_VFIO_DEVICE_H
#define GVIRT_VFIO_DEVICE_H

#include <linux/vfio.h>
#include "vgpu/vgpu.h"
#include "irq.h"
#include "map.h"

/**
 * struct gvirt_vfio_device - A vGPU with its VFIO device
 * @vdev: for VFIO
 * @vgpu: the vGPU
 * @irq: its eventfds
 * @map: what of its regions is mapped
 * @debug: its directory in debugfs
 */
struct gvirt_vfio_device {
	struct vfio_device vdev;
	struct gvirt_vgpu vgpu;
	struct gvirt_vfio_irq irq;
	struct gvirt_map map;
	struct dentry *debug;
};

/**
 * gvirt_vfio_device_create() - Make a vGPU and show it to VFIO
 * @dev: its mdev
 * @host: of the GPU
 *
 * Return: the device, or an ERR_PTR.
 */
struct gvirt_vfio_device *gvirt_vfio_device_create(struct device *dev,
						   const struct gvirt_vgpu_host *host);

/**
 * gvirt_vfio_device_destroy() - Take it away
 * @device: of gvirt_vfio_device_create()
 *
 * Waits for its user, who is asked by the request interrupt to let go.
 */
void gvirt_vfio_device_destroy(struct gvirt_vfio_device *device);

#endif
