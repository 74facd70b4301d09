/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mdev types of a GPU.
 */
#ifndef GVIRT_VFIO_MDEV_H
#define GVIRT_VFIO_MDEV_H

struct gvirt_mdev;
struct gvirt_vgpu_host;

/**
 * gvirt_mdev_init() - Register with the mdev core, once for the module
 *
 * Return: 0, or what the core says.
 */
int gvirt_mdev_init(void);

/** gvirt_mdev_exit() - Undo gvirt_mdev_init(); no GPU has types any more */
void gvirt_mdev_exit(void);

/**
 * gvirt_mdev_create() - Show the types of a GPU
 * @host: a GPU that works; stays until gvirt_mdev_destroy()
 *
 * From now on vGPUs can be made on it.
 *
 * Return: for gvirt_mdev_destroy(), or an ERR_PTR, which is reported.
 */
struct gvirt_mdev *gvirt_mdev_create(const struct gvirt_vgpu_host *host);

/**
 * gvirt_mdev_destroy() - Take types and vGPUs away
 * @mdev: of gvirt_mdev_create()
 *
 * Waits for users of the vGPUs, who are asked to let go.
 */
void gvirt_mdev_destroy(struct gvirt_mdev *mdev);

#endif
