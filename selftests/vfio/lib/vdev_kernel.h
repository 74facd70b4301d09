/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kinds of devices have in common that are reached by the kernel's VFIO; see
 * struct vdev_ops.
 */
#ifndef VFIO_LIB_VDEV_KERNEL_H
#define VFIO_LIB_VDEV_KERNEL_H

#include "vdev.h"

/**
 * vdev_kernel_open_group() - Open a container with the device's group in it
 * @dev: gets them
 * @name: of the device, see vdev_open()
 */
void vdev_kernel_open_group(struct vdev *dev, const char *name);

/**
 * vdev_kernel_open_device() - Open the device
 * @dev: whose group is open
 * @name: of the device, see vdev_open()
 */
void vdev_kernel_open_device(struct vdev *dev, const char *name);

int vdev_kernel_read(struct vdev *dev, u32 region, u64 offset, void *data, size_t bytes);
int vdev_kernel_write(struct vdev *dev, u32 region, u64 offset, const void *data, size_t bytes);
int vdev_kernel_map(struct vdev *dev, u64 gpa, u64 size, void *cpu, int fd, u64 fd_offset);
int vdev_kernel_unmap(struct vdev *dev, u64 gpa, u64 size);
int vdev_kernel_irq(struct vdev *dev, int eventfd);
int vdev_kernel_reset(struct vdev *dev);
void vdev_kernel_close(struct vdev *dev);

#endif
