/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What there is of gvirt on the machine: GPUs, types of vGPUs, vGPUs.
 *
 * Read from sysfs each time; Documentation/sysfs-abi.rst says what is there. What is
 * missing (an older module, a device that goes away at this moment) is left out.
 */
#ifndef GVIRTCTL_TREE_H
#define GVIRTCTL_TREE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct gpu - A GPU that gvirt drives
 * @address: e.g. "0000:00:02.0"
 * @path: its directory
 */
struct gpu {
	char *address;
	char *path;
};

/**
 * struct type - A type of vGPUs on a GPU
 * @gpu: address of the GPU
 * @id: e.g. "gvirt-headless-256"
 * @path: its directory
 */
struct type {
	char *gpu;
	char *id;
	char *path;
};

/**
 * struct vgpu - A vGPU
 * @uuid: its name
 * @gpu: address of its GPU
 * @type: id of its type
 * @path: its directory
 * @group: number of its VFIO group, NULL: unknown
 * @cdev: name of its VFIO device file, e.g. "vfio0"; NULL: none
 */
struct vgpu {
	char *uuid;
	char *gpu;
	char *type;
	char *path;
	char *group;
	char *cdev;
};

/**
 * struct tree - All of that, sorted by name
 * @gpus: GPUs
 * @gpu_count: how many
 * @types: types
 * @type_count: how many
 * @vgpus: vGPUs
 * @vgpu_count: how many
 */
struct tree {
	struct gpu *gpus;
	size_t gpu_count;
	struct type *types;
	size_t type_count;
	struct vgpu *vgpus;
	size_t vgpu_count;
};

/**
 * tree_read() - Find out what there is
 * @tree: gets it
 */
void tree_read(struct tree *tree);

/**
 * tree_free() - Free it
 * @tree: of tree_read()
 */
void tree_free(struct tree *tree);

/**
 * tree_vgpu() - Find a vGPU
 * @tree: where
 * @uuid: its name, upper or lower case
 *
 * Return: it, or NULL.
 */
const struct vgpu *tree_vgpu(const struct tree *tree, const char *uuid);

/**
 * tree_gpu() - Find a GPU
 * @tree: where
 * @address: with or without domain ("00:02.0")
 *
 * Return: it, or NULL.
 */
const struct gpu *tree_gpu(const struct tree *tree, const char *address);

/**
 * tree_type_is() - Is that what somebody calls the type?
 * @type: the type
 * @name: its id, with or without "gvirt-"
 */
bool tree_type_is(const struct type *type, const char *name);

#endif
