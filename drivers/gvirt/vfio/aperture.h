/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A vGPU's aperture, mapped page by page to its guest's own memory.
 */
#ifndef GVIRT_VFIO_APERTURE_H
#define GVIRT_VFIO_APERTURE_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>
#include "lib/fence.h"
#include "ggtt_pages.h"

struct gvirt_vgpu;
struct vfio_device;
struct vm_fault;

/**
 * struct gvirt_aperture - What of the aperture is mapped
 * @vdev: the VFIO device
 * @vgpu: the vGPU
 * @entries: the guest's GGTT as memory
 * @pin_lock: one page is pinned, or let go of, at a time; never taken inside mmap_lock
 * @lock: of @pages; taken inside mmap_lock and @pin_lock
 * @pages: struct of each page that can be mapped, by number in the aperture
 * @chunks: parts of the guest's fences that can be mapped; with @lock and @pin_lock
 * @bytes: memory of @pages and @chunks; written with @pin_lock
 * @chunk_count: how many there are or are being made; written with @pin_lock
 * @fence: the guest's, as far as they count for what is mapped; likewise
 * @gone_first: from this page on nothing may be mapped,
 * @gone_last: to this one, inclusive; both ~0: all may
 * @pinning: number of the page that is being pinned; ~0: none
 * @scratch: stands where the guest's GGTT maps no memory; NULL: the aperture is not offered
 * @faults: pages that were mapped
 * @scratched: of those, the ones that map @scratch
 * @fenced: likewise, the ones through a fence of the chip
 * @fence_losses: chunks that somebody else took the fence of the chip from
 * @zaps: how often pages were taken from the VMM's page table
 */
struct gvirt_aperture {
	struct vfio_device *vdev;
	struct gvirt_vgpu *vgpu;
	struct gvirt_ggtt_pages *entries;
	struct mutex pin_lock; /* pins */
	struct mutex lock; /* pages */
	struct xarray pages;
	struct list_head chunks;
	size_t bytes;
	unsigned int chunk_count;
	struct gvirt_fence fence[GEN9_FENCE_COUNT];
	u64 gone_first;
	u64 gone_last;
	u64 pinning;
	struct page *scratch;
	atomic64_t faults;
	atomic64_t scratched;
	atomic64_t fenced;
	atomic64_t fence_losses;
	atomic64_t zaps;
};

/**
 * gvirt_aperture_init() - Nothing is mapped
 * @aperture: to be initialised; zeroed
 * @vdev: the VFIO device
 * @vgpu: the vGPU
 * @entries: the guest's GGTT as memory
 */
void gvirt_aperture_init(struct gvirt_aperture *aperture, struct vfio_device *vdev,
			 struct gvirt_vgpu *vgpu, struct gvirt_ggtt_pages *entries);

/**
 * gvirt_aperture_open() - From now on the aperture can be mapped
 * @aperture: of gvirt_aperture_init()
 *
 * It is not offered when the parameter forbids it, when KVM cannot map it, or for want of memory.
 */
void gvirt_aperture_open(struct gvirt_aperture *aperture);

/**
 * gvirt_aperture_close() - The VMM goes; it has no mappings any more
 * @aperture: which
 */
void gvirt_aperture_close(struct gvirt_aperture *aperture);

/**
 * gvirt_aperture_reset() - Unmap and unpin all of it
 * @aperture: which
 */
void gvirt_aperture_reset(struct gvirt_aperture *aperture);

/**
 * gvirt_aperture_changed() - Entries of the guest's GGTT were written
 * @aperture: which
 * @first: number of the page that the first one maps
 * @last: number of the page that the last one maps
 *
 * The next access to these pages goes where the entries point then.
 */
void gvirt_aperture_changed(struct gvirt_aperture *aperture, u64 first, u64 last);

/**
 * gvirt_aperture_fences() - Fence registers of the guest were perhaps written
 * @aperture: which
 *
 * The next access to where a fence was or is goes as the registers say then.
 */
void gvirt_aperture_fences(struct gvirt_aperture *aperture);

/**
 * gvirt_aperture_revoke() - Guest memory goes away
 * @aperture: which
 * @first_gfn: from here
 * @last_gfn: to here, inclusive
 */
void gvirt_aperture_revoke(struct gvirt_aperture *aperture, u64 first_gfn, u64 last_gfn);

/**
 * gvirt_aperture_bytes() - Memory that what is known of it takes
 * @aperture: which
 *
 * Return: bytes, without a lock.
 */
size_t gvirt_aperture_bytes(const struct gvirt_aperture *aperture);

/**
 * gvirt_aperture_fault() - A page is to be mapped
 * @aperture: which
 * @number: of the page in the aperture
 * @vmf: the fault
 *
 * Return: what a fault handler returns.
 */
vm_fault_t gvirt_aperture_fault(struct gvirt_aperture *aperture, u64 number,
				struct vm_fault *vmf);

/**
 * gvirt_aperture_release() - A page of the GGTT that is synced is to be mapped
 * @aperture: which
 * @number: of the page in the table
 * @vmf: the fault, of that page
 *
 * Nothing is mapped by its entries on return, and the fault comes again.
 *
 * Return: what a fault handler returns.
 */
vm_fault_t gvirt_aperture_release(struct gvirt_aperture *aperture, u64 number,
				  struct vm_fault *vmf);

#endif
