/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of a vGPU's GGTT as memory of its guest's.
 */
#ifndef GVIRT_VFIO_GGTT_PAGES_H
#define GVIRT_VFIO_GGTT_PAGES_H

#include <gvirt/gen9_pte.h>
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct gvirt_vgpu;
struct vfio_device;
struct vm_fault;

/* Pages of the table, each of which maps 2 MiB. */
#define GVIRT_GGTT_PAGES	(GEN9_GGTT_TABLE_SIZE / GEN9_TABLE_SIZE)

/**
 * struct gvirt_ggtt_pages - The table as memory
 * @vdev: the VFIO device
 * @vgpu: the vGPU
 * @active: the table can be mapped
 * @lock: of the bitmaps; taken inside mmap_lock
 * @shown: pages that the VMM's page table may have
 * @synced: pages that it must not get: what was made of their entries is in use
 * @faults: pages that were mapped
 * @zaps: pages that were taken away again
 */
struct gvirt_ggtt_pages {
	struct vfio_device *vdev;
	struct gvirt_vgpu *vgpu;
	bool active;
	struct mutex lock; /* bitmaps */
	DECLARE_BITMAP(shown, GVIRT_GGTT_PAGES);
	DECLARE_BITMAP(synced, GVIRT_GGTT_PAGES);
	atomic64_t faults;
	atomic64_t zaps;
};

/**
 * gvirt_ggtt_pages_init() - Nothing is mapped
 * @pages: to be initialised; zeroed
 * @vdev: the VFIO device
 * @vgpu: the vGPU
 */
void gvirt_ggtt_pages_init(struct gvirt_ggtt_pages *pages, struct vfio_device *vdev,
			   struct gvirt_vgpu *vgpu);

/**
 * gvirt_ggtt_pages_open() - From now on the table can be mapped
 * @pages: of gvirt_ggtt_pages_init()
 *
 * It is not offered when the parameter forbids it.
 */
void gvirt_ggtt_pages_open(struct gvirt_ggtt_pages *pages);

/**
 * gvirt_ggtt_pages_close() - The VMM goes; it has no mappings any more
 * @pages: which
 */
void gvirt_ggtt_pages_close(struct gvirt_ggtt_pages *pages);

/**
 * gvirt_ggtt_pages_has() - Can a part of the table be mapped?
 * @pages: which
 * @first: number of its first page
 * @count: how many
 *
 * Return: true if so.
 */
bool gvirt_ggtt_pages_has(const struct gvirt_ggtt_pages *pages, u64 first, u64 count);

/**
 * gvirt_ggtt_pages_fault() - A page of the table is to be mapped
 * @pages: which
 * @number: of the page in the table
 * @vmf: the fault
 *
 * Return: what a fault handler returns; 0 for a synced page, which has to be released first.
 */
vm_fault_t gvirt_ggtt_pages_fault(struct gvirt_ggtt_pages *pages, u64 number,
				  struct vm_fault *vmf);

/**
 * gvirt_ggtt_pages_sync() - Entries are about to be used for longer
 * @pages: which
 * @first: number of the page that the first one maps
 * @last: number of the page that the last one maps
 *
 * The guest does not change them any more, until it gets to gvirt_ggtt_pages_fault(). One call
 * at a time, of this or of gvirt_ggtt_pages_release(). Takes the VMM's mmap_lock.
 */
void gvirt_ggtt_pages_sync(struct gvirt_ggtt_pages *pages, u64 first, u64 last);

/**
 * gvirt_ggtt_pages_release() - Nobody has anything from a page of the table any more
 * @pages: which
 * @number: of the page in the table
 */
void gvirt_ggtt_pages_release(struct gvirt_ggtt_pages *pages, u64 number);

#endif
