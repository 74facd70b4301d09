/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of a vGPU's registers that its guest reads without an exit, and whose writes KVM
 * catches in the kernel.
 */
#ifndef GVIRT_VFIO_REGPAGES_H
#define GVIRT_VFIO_REGPAGES_H

#include <linux/atomic.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include "host/track.h"

struct gvirt_vgpu;
struct vfio_device;
struct vm_fault;

/* Registers of a page that are not stored, at most; an engine's window has 26. */
#define GVIRT_REGPAGE_COMPUTED	32u

/**
 * struct gvirt_regpage - A page that the guest can have
 * @number: in BAR0
 * @exact: what it shows is current; else computed registers are as of the last look
 * @shown: the page
 * @computed: offsets of registers that are computed when they are read
 * @computed_count: how many
 * @mapped: the VMM's page table may have it
 * @writable: and may allow writes
 * @settled: KVM cannot have a stale entry for it any more, see regpages.c
 * @seen: a read of the guest's has mapped it since it was taken from the page table
 * @reader: the thread that did, NULL: several have mapped it; to compare with only
 * @epoch: moment of the last such fault, for gvirt_track_passed()
 * @suspect: it was seen to hold @suspect_value at @suspect_offset, which is not the register's
 * @suspect_offset: absolute
 * @suspect_value: what it holds
 */
struct gvirt_regpage {
	u32 number;
	bool exact;
	u32 *shown;
	u32 computed[GVIRT_REGPAGE_COMPUTED];
	u32 computed_count;
	bool mapped;
	bool writable;
	bool settled;
	bool seen;
	const void *reader;
	unsigned long epoch;
	bool suspect;
	u32 suspect_offset;
	u32 suspect_value;
};

/**
 * struct gvirt_regpages - Register pages of a vGPU
 * @vdev: its VFIO device
 * @vgpu: the vGPU
 * @track: catches writes
 * @lock: of what is mapped; taken inside mmap_lock and KVM's slots_lock
 * @active: the pages are offered; changes while nothing is mapped
 * @count: how many pages
 * @page: the pages, by slot of @track
 * @watch: looks for lost writes
 * @tracked_writes: writes that KVM caught
 * @lost_writes: writes that it did not, and that were carried out later
 * @zaps: how often a page was taken from the page table because of a write
 */
struct gvirt_regpages {
	struct vfio_device *vdev;
	struct gvirt_vgpu *vgpu;
	struct gvirt_track track;
	struct mutex lock; /* what is mapped */
	bool active;
	unsigned int count;
	struct gvirt_regpage page[GVIRT_TRACK_PAGES];
	struct delayed_work watch;
	atomic64_t tracked_writes;
	atomic64_t lost_writes;
	atomic64_t zaps;
};

/**
 * gvirt_regpages_init() - Nothing is offered
 * @pages: to be initialised; zeroed
 * @vdev: the VFIO device
 * @vgpu: the vGPU
 */
void gvirt_regpages_init(struct gvirt_regpages *pages, struct vfio_device *vdev,
			 struct gvirt_vgpu *vgpu);

/**
 * gvirt_regpages_open() - Offer pages, when KVM can track them and the parameter says so
 * @pages: of gvirt_regpages_init(); called by the VMM, after the vGPU is open
 */
void gvirt_regpages_open(struct gvirt_regpages *pages);

/**
 * gvirt_regpages_close() - The VMM goes; it has no mappings any more
 * @pages: which
 */
void gvirt_regpages_close(struct gvirt_regpages *pages);

/**
 * gvirt_regpages_has() - Whether a page is offered
 * @pages: which
 * @number: of the page in BAR0
 *
 * Return: true when it is.
 */
bool gvirt_regpages_has(const struct gvirt_regpages *pages, u64 number);

/**
 * gvirt_regpages_written() - A register was written otherwise than through its page
 * @pages: which
 * @number: of its page in BAR0
 */
void gvirt_regpages_written(struct gvirt_regpages *pages, u64 number);

/**
 * gvirt_regpages_fault() - A page is to be mapped
 * @pages: which
 * @number: of the page in BAR0
 * @vmf: the fault
 *
 * Return: what a fault handler returns.
 */
vm_fault_t gvirt_regpages_fault(struct gvirt_regpages *pages, u64 number, struct vm_fault *vmf);

/**
 * gvirt_regpages_mkwrite() - A mapped page is to be written to
 * @pages: which
 * @number: of the page in BAR0
 * @vmf: the fault
 */
void gvirt_regpages_mkwrite(struct gvirt_regpages *pages, u64 number, struct vm_fault *vmf);

#endif
