/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Chunks of a vGPU's fences: pages of its guest that a fence of the chip can show.
 */
#ifndef GVIRT_VFIO_APERTURE_CHUNK_H
#define GVIRT_VFIO_APERTURE_CHUNK_H

#include <linux/list.h>
#include <linux/types.h>
#include "hw/fence.h"

struct gvirt_vgpu;

/**
 * struct gvirt_chunk - A chunk, with all of its pages pinned
 * @hold: the fence of the chip, when it has one; this comes and goes
 * @node: in the aperture's list
 * @number: of the guest's fence
 * @fence: the guest's fence
 * @place: which pages of the guest's GGTT
 * @gfn: by page: what is pinned; ~0: nothing, a scratch page of the vGPU's stands in
 * @dma: by page: its bus address
 */
struct gvirt_chunk {
	struct gvirt_fence_hold hold;
	struct list_head node;
	unsigned int number;
	struct gvirt_fence fence;
	struct gvirt_fence_chunk place;
	u64 *gfn;
	dma_addr_t dma[];
};

/**
 * gvirt_chunk_create() - Pin the pages of a chunk
 * @vgpu: of the guest
 * @number: of the guest's fence
 * @fence: the guest's fence
 * @page: number of a page that is in it
 *
 * It is in no list, and has no fence of the chip. Sleeps.
 *
 * Return: the chunk, NULL: no memory.
 */
struct gvirt_chunk *gvirt_chunk_create(struct gvirt_vgpu *vgpu, unsigned int number,
				       const struct gvirt_fence *fence, u32 page);

/**
 * gvirt_chunk_destroy() - Unpin the pages of a chunk
 * @chunk: of gvirt_chunk_create(); in no list, without a fence of the chip
 * @vgpu: of the guest
 */
void gvirt_chunk_destroy(struct gvirt_chunk *chunk, struct gvirt_vgpu *vgpu);

/**
 * gvirt_chunk_bytes() - Memory that a chunk takes
 * @chunk: which
 *
 * Return: bytes.
 */
size_t gvirt_chunk_bytes(const struct gvirt_chunk *chunk);

/**
 * gvirt_chunk_last() - The last page of the guest's GGTT that is in a chunk
 * @chunk: which
 *
 * Return: its number.
 */
static inline u32 gvirt_chunk_last(const struct gvirt_chunk *chunk)
{
	return chunk->place.first + chunk->place.pages - 1;
}

/**
 * gvirt_chunk_find() - Look for the chunk that shows a page
 * @chunks: list of them
 * @number: of the guest's fence that counts for the page
 * @page: number of the page
 *
 * Return: the chunk, or NULL.
 */
struct gvirt_chunk *gvirt_chunk_find(const struct list_head *chunks, unsigned int number, u32 page);

/**
 * gvirt_chunk_has_gfn() - Whether a chunk has pinned a page of a range
 * @chunk: which
 * @first: gfn
 * @last: gfn, inclusive
 */
bool gvirt_chunk_has_gfn(const struct gvirt_chunk *chunk, u64 first, u64 last);

#endif
