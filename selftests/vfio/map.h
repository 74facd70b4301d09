/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of mappings have in common.
 */
#ifndef VFIO_MAP_H
#define VFIO_MAP_H

#include <linux/types.h>
#include <linux/vfio.h>
#include <stdbool.h>

#include "ktap.h"
#include "vgpu.h"

struct tinyvm;

#define PAGE		0x1000u
#define BAR0		VFIO_PCI_BAR0_REGION_INDEX
#define BAR2		VFIO_PCI_BAR2_REGION_INDEX
#define APERTURE	0x10000000u
#define MOST_AREAS	16

/* Where map_memory() lets the guest have memory, and how much. */
#define MAP_IOVA	0x10000000ull
#define MAP_MEMORY	0x8000u
/* How often each vCPU changes an entry in map_hammer(). */
#define MAP_HAMMER_ROUNDS	300u

/**
 * struct areas - Parts of a region that can be mapped
 * @ggtt: all of the GGTT can be
 * @count: how many others; each has one page
 * @offset: of each in the region
 */
struct areas {
	bool ggtt;
	u32 count;
	u32 offset[MOST_AREAS];
};

/**
 * map_areas() - Ask what of a region can be mapped
 * @vgpu: whose
 * @region: number of the region
 * @areas: gets a list that the answer has; empty when it has none
 *
 * Return: whether anything can be mapped; without a list, all of it.
 */
bool map_areas(const struct vgpu *vgpu, u32 region, struct areas *areas);

/**
 * map_region() - Map a part of a region
 * @vgpu: whose
 * @region: number of the region
 * @offset: in it
 * @bytes: how much
 *
 * Return: where; NULL, with errno, when it cannot be mapped.
 */
void *map_region(const struct vgpu *vgpu, u32 region, u64 offset, size_t bytes);

/**
 * map_dma() - Give the guest memory of this process
 * @vgpu: whose
 * @memory: the memory
 * @iova: where
 * @bytes: how much
 */
void map_dma(const struct vgpu *vgpu, void *memory, u64 iova, u64 bytes);

/** map_memory() - Give the guest MAP_MEMORY bytes at MAP_IOVA; Return: them */
u8 *map_memory(const struct vgpu *vgpu);

/** map_aperture() - Map all of BAR2; Return: where. Skips the test when that cannot be. */
volatile u32 *map_aperture(const struct vgpu *vgpu);

/**
 * map_hammer() - Two vCPUs change entries of the GGTT, and use the aperture behind both
 * @vm: the VM, with a slot for the aperture, and with or without one for the GGTT
 * @memory: of map_memory()
 *
 * Expects each store where the entry leads at that moment, and none where it has led before.
 */
void map_hammer(struct tinyvm *vm, u8 *memory);

/** map_need_pages() - Skip the test when the module was told to trap all registers */
void map_need_pages(void);

extern const struct testgroup map_regs_tests;
extern const struct testgroup map_aperture_tests;
extern const struct testgroup map_ggtt_tests;
extern const struct testgroup map_fences_tests;

#endif
