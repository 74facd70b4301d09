// SPDX-License-Identifier: GPL-2.0-only
/*
 * What there is: see tree.h.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "files.h"
#include "text.h"
#include "tree.h"

#define PREFIX	"gvirt-"

static void add_types(struct tree *tree, const struct gpu *gpu)
{
	char *dir = text_format("%s/mdev_supported_types", gpu->path);
	struct strings names = { };
	struct type *type;
	size_t i;

	files_list(dir, &names);
	for (i = 0; i < names.count; i++) {
		if (strncmp(names.item[i], PREFIX, strlen(PREFIX)))
			continue;
		tree->types = text_grow(tree->types, tree->type_count, sizeof(*type));
		type = &tree->types[tree->type_count++];
		type->gpu = text_copy(gpu->address);
		type->id = text_copy(names.item[i]);
		type->path = text_format("%s/%s", dir, names.item[i]);
	}
	strings_free(&names);
	free(dir);
}

/* Besides GPUs a driver's directory has its controls, which have no colon. */
static void read_gpus(struct tree *tree)
{
	char *dir = files_path("sys/bus/pci/drivers/gvirt");
	struct strings names = { };
	struct gpu *gpu;
	size_t i;

	files_list(dir, &names);
	for (i = 0; i < names.count; i++) {
		if (!strchr(names.item[i], ':'))
			continue;
		tree->gpus = text_grow(tree->gpus, tree->gpu_count, sizeof(*gpu));
		gpu = &tree->gpus[tree->gpu_count++];
		gpu->address = text_copy(names.item[i]);
		gpu->path = text_format("%s/%s", dir, names.item[i]);
		add_types(tree, gpu);
	}
	strings_free(&names);
	free(dir);
}

/* The last part of what a link leads to; NULL: nothing. */
static char *target_name(const char *dir, const char *name)
{
	char *target = files_target(dir, name), *last = NULL;

	if (target)
		last = text_copy(text_last(target));
	free(target);
	return last;
}

static char *parent_name(const char *path)
{
	char *target = files_target(path, "."), *name = NULL, *slash;

	slash = target ? strrchr(target, '/') : NULL;
	if (slash) {
		*slash = '\0';
		name = text_copy(text_last(target));
	}
	free(target);
	return name;
}

static char *first_name(const char *dir, const char *name)
{
	char *path = text_format("%s/%s", dir, name), *first = NULL;
	struct strings names = { };

	files_list(path, &names);
	if (names.count)
		first = text_copy(names.item[0]);
	strings_free(&names);
	free(path);
	return first;
}

static void free_vgpu(struct vgpu *vgpu)
{
	free(vgpu->uuid);
	free(vgpu->gpu);
	free(vgpu->type);
	free(vgpu->path);
	free(vgpu->group);
	free(vgpu->cdev);
}

static void add_vgpu(struct tree *tree, const char *dir, const char *name)
{
	struct vgpu vgpu = { .path = text_format("%s/%s", dir, name) };

	vgpu.type = target_name(vgpu.path, "mdev_type");
	vgpu.gpu = parent_name(vgpu.path);
	if (!vgpu.type || !vgpu.gpu || strncmp(vgpu.type, PREFIX, strlen(PREFIX))) {
		free_vgpu(&vgpu);
		return;
	}
	vgpu.uuid = text_copy(name);
	vgpu.group = target_name(vgpu.path, "iommu_group");
	vgpu.cdev = first_name(vgpu.path, "vfio-dev");
	tree->vgpus = text_grow(tree->vgpus, tree->vgpu_count, sizeof(vgpu));
	tree->vgpus[tree->vgpu_count++] = vgpu;
}

static void read_vgpus(struct tree *tree)
{
	char *dir = files_path("sys/bus/mdev/devices");
	struct strings names = { };
	size_t i;

	files_list(dir, &names);
	for (i = 0; i < names.count; i++)
		add_vgpu(tree, dir, names.item[i]);
	strings_free(&names);
	free(dir);
}

void tree_read(struct tree *tree)
{
	*tree = (struct tree) { };
	read_gpus(tree);
	read_vgpus(tree);
}

void tree_free(struct tree *tree)
{
	size_t i;

	for (i = 0; i < tree->gpu_count; i++) {
		free(tree->gpus[i].address);
		free(tree->gpus[i].path);
	}
	for (i = 0; i < tree->type_count; i++) {
		free(tree->types[i].gpu);
		free(tree->types[i].id);
		free(tree->types[i].path);
	}
	for (i = 0; i < tree->vgpu_count; i++)
		free_vgpu(&tree->vgpus[i]);
	free(tree->gpus);
	free(tree->types);
	free(tree->vgpus);
	*tree = (struct tree) { };
}

const struct vgpu *tree_vgpu(const struct tree *tree, const char *uuid)
{
	size_t i;

	for (i = 0; i < tree->vgpu_count; i++)
		if (!strcasecmp(tree->vgpus[i].uuid, uuid))
			return &tree->vgpus[i];
	return NULL;
}

const struct gpu *tree_gpu(const struct tree *tree, const char *address)
{
	const char *full;
	size_t i;

	for (i = 0; i < tree->gpu_count; i++) {
		full = tree->gpus[i].address;
		if (!strcasecmp(full, address))
			return &tree->gpus[i];
		if (!strncmp(full, "0000:", 5) && !strcasecmp(full + 5, address))
			return &tree->gpus[i];
	}
	return NULL;
}

bool tree_type_is(const struct type *type, const char *name)
{
	return !strcmp(type->id, name) || !strcmp(type->id + strlen(PREFIX), name);
}
