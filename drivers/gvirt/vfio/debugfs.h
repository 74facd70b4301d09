/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * State for people who look for a fault: /sys/kernel/debug/gvirt.
 */
#ifndef GVIRT_VFIO_DEBUGFS_H
#define GVIRT_VFIO_DEBUGFS_H

#include "vgpu/vgpu.h"

struct dentry;

/**
 * gvirt_debugfs_init() - Make the directory
 *
 * Without debugfs this and all else here does nothing.
 */
void gvirt_debugfs_init(void);

/**
 * gvirt_debugfs_exit() - Remove it
 */
void gvirt_debugfs_exit(void);

/**
 * gvirt_debugfs_add_gpu() - Show a GPU
 * @host: what there is of it
 *
 * Return: for gvirt_debugfs_remove().
 */
struct dentry *gvirt_debugfs_add_gpu(const struct gvirt_vgpu_host *host);

/**
 * gvirt_debugfs_add_vgpu() - Show a vGPU
 * @vgpu: an initialised one
 *
 * Return: for gvirt_debugfs_remove().
 */
struct dentry *gvirt_debugfs_add_vgpu(struct gvirt_vgpu *vgpu);

/**
 * gvirt_debugfs_remove() - Show it no more
 * @dir: what the other functions gave
 *
 * Nobody reads any of its files on return.
 */
void gvirt_debugfs_remove(struct dentry *dir);

#endif
