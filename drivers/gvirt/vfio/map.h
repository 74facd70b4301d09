/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What of a vGPU's regions its user can map.
 */
#ifndef GVIRT_VFIO_MAP_H
#define GVIRT_VFIO_MAP_H

#include <linux/atomic.h>
#include <linux/types.h>
#include "aperture.h"
#include "ggtt_pages.h"
#include "regpages.h"

struct vfio_info_cap;
struct vfio_region_info;
struct vm_area_struct;

/**
 * struct gvirt_map - Mappings of a vGPU's regions
 * @regpages: pages of registers, in BAR0
 * @ggtt: the GGTT, in BAR0
 * @aperture: all of BAR2
 * @trapped_reads: reads of BAR0 that were calls
 * @trapped_writes: writes to BAR0 that were calls
 */
struct gvirt_map {
	struct gvirt_regpages regpages;
	struct gvirt_ggtt_pages ggtt;
	struct gvirt_aperture aperture;
	atomic64_t trapped_reads;
	atomic64_t trapped_writes;
};

/**
 * gvirt_map_init() - Nothing can be mapped
 * @map: to be initialised; zeroed
 * @vdev: the VFIO device
 * @vgpu: the vGPU
 */
void gvirt_map_init(struct gvirt_map *map, struct vfio_device *vdev, struct gvirt_vgpu *vgpu);

/**
 * gvirt_map_open() - A user comes; the vGPU is open
 * @map: of gvirt_map_init()
 *
 * What cannot be mapped is reached by calls.
 */
void gvirt_map_open(struct gvirt_map *map);

/**
 * gvirt_map_close() - The user goes; the vGPU is still open
 * @map: which
 */
void gvirt_map_close(struct gvirt_map *map);

/**
 * gvirt_map_reset() - The vGPU was reset
 * @map: which
 */
void gvirt_map_reset(struct gvirt_map *map);

/**
 * gvirt_map_revoke() - The VMM takes guest memory away
 * @map: which
 * @first_gfn: from here
 * @last_gfn: to here, inclusive
 */
void gvirt_map_revoke(struct gvirt_map *map, u64 first_gfn, u64 last_gfn);

/**
 * gvirt_map_read() - BAR0 was read by a call
 * @map: which
 */
static inline void gvirt_map_read(struct gvirt_map *map)
{
	atomic64_inc(&map->trapped_reads);
}

/**
 * gvirt_map_written() - BAR0 was written by a call
 * @map: which
 * @offset: in BAR0
 * @bytes: how many
 */
void gvirt_map_written(struct gvirt_map *map, u64 offset, u32 bytes);

/**
 * gvirt_map_info() - Say what of a region can be mapped
 * @map: which
 * @info: of the region; flags and capabilities are added
 * @caps: gets the list of areas
 *
 * Return: 0 or -ENOMEM.
 */
int gvirt_map_info(const struct gvirt_map *map, struct vfio_region_info *info,
		   struct vfio_info_cap *caps);

/**
 * gvirt_map_mmap() - Map a part of a region
 * @map: which
 * @vma: where, and what
 *
 * Return: 0; -EINVAL for what cannot be mapped, or not so.
 */
int gvirt_map_mmap(struct gvirt_map *map, struct vm_area_struct *vma);

#endif
