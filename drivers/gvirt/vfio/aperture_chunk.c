// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chunks of a vGPU's fences.
 *
 * All pages are pinned when a chunk is made, and until the guest changes the fence or an
 * entry, whoever has fences of the chip meanwhile. So who takes one away does not have to
 * wait for this guest's memory, and the chunk gets one again without pinning.
 *
 * Fences of a guest can overlap, so chunks can, too. There are not more chunks than fit
 * into the aperture, and two for each fence: see gvirt_fence_chunk_of().
 */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include "host/guest.h"
#include "vgpu/vgpu.h"
#include "aperture_chunk.h"

#define NO_GFN	(~0ull)

/* What is no memory, or cannot be pinned, is the scratch page, until the entry is written. */
static void pin_page(struct gvirt_chunk *chunk, struct gvirt_vgpu *vgpu, u32 i)
{
	u64 address = (u64)(chunk->place.first + i) << PAGE_SHIFT;
	int err = -EFAULT;
	u64 gpa;

	if (gvirt_vgpu_ggtt_gpa(vgpu, address, &gpa))
		err = gvirt_guest_pin(&vgpu->guest, gpa >> PAGE_SHIFT, &chunk->dma[i]);
	if (!err) {
		chunk->gfn[i] = gpa >> PAGE_SHIFT;
		return;
	}
	chunk->gfn[i] = NO_GFN;
	chunk->dma[i] = vgpu->window.scratch_dma;
	if (err == -ENOMEM)
		dev_notice_ratelimited(vgpu->dev, "aperture: cannot pin guest memory, what the guest stores there is lost. Raise the VMM's limit of locked memory (RLIMIT_MEMLOCK)\n");
}

struct gvirt_chunk *gvirt_chunk_create(struct gvirt_vgpu *vgpu, unsigned int number,
				       const struct gvirt_fence *fence, u32 page)
{
	struct gvirt_fence_chunk place = gvirt_fence_chunk_of(fence, page);
	struct gvirt_chunk *chunk;
	u32 i;

	chunk = kvzalloc(struct_size(chunk, dma, place.pages), GFP_KERNEL_ACCOUNT);
	if (!chunk)
		return NULL;
	chunk->gfn = kvcalloc(place.pages, sizeof(*chunk->gfn), GFP_KERNEL_ACCOUNT);
	if (!chunk->gfn) {
		kvfree(chunk);
		return NULL;
	}
	chunk->hold.slot = GVIRT_FENCE_NONE;
	chunk->number = number;
	chunk->fence = *fence;
	chunk->place = place;
	for (i = 0; i < place.pages; i++)
		pin_page(chunk, vgpu, i);
	return chunk;
}

void gvirt_chunk_destroy(struct gvirt_chunk *chunk, struct gvirt_vgpu *vgpu)
{
	u32 i;

	for (i = 0; i < chunk->place.pages; i++)
		if (chunk->gfn[i] != NO_GFN)
			gvirt_guest_unpin(&vgpu->guest, chunk->gfn[i]);
	kvfree(chunk->gfn);
	kvfree(chunk);
}

size_t gvirt_chunk_bytes(const struct gvirt_chunk *chunk)
{
	return struct_size(chunk, dma, chunk->place.pages) +
	       chunk->place.pages * sizeof(*chunk->gfn);
}

struct gvirt_chunk *gvirt_chunk_find(const struct list_head *chunks, unsigned int number, u32 page)
{
	struct gvirt_chunk *chunk;

	list_for_each_entry(chunk, chunks, node)
		if (chunk->number == number && page >= chunk->place.first &&
		    page <= gvirt_chunk_last(chunk))
			return chunk;
	return NULL;
}

bool gvirt_chunk_has_gfn(const struct gvirt_chunk *chunk, u64 first, u64 last)
{
	u32 i;

	for (i = 0; i < chunk->place.pages; i++)
		if (chunk->gfn[i] != NO_GFN && chunk->gfn[i] >= first && chunk->gfn[i] <= last)
			return true;
	return false;
}
