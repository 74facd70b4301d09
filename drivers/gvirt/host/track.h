/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes of a guest to single pages, caught by KVM.
 *
 * KVM write-protects a page, emulates each store to it, and tells about it in the
 * kernel, without a trip to the VMM. Not every kernel can, and not every VMM
 * uses KVM; then gvirt_track_start() says so and nothing else may be called.
 */
#ifndef GVIRT_HOST_TRACK_H
#define GVIRT_HOST_TRACK_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <asm/kvm_page_track.h>

struct kvm;
struct mm_struct;

/* Pages that can be tracked for one device. */
#define GVIRT_TRACK_PAGES	16u
/* A slot without a page. */
#define GVIRT_TRACK_NONE	(~0ull)

/**
 * struct gvirt_track_services - What the owner does
 * @write: the guest has stored @count bytes at @offset of @slot's page; they are in the
 *	page by now. @count is 1 to what is left of the page. Called on the vCPU's thread;
 *	may sleep, must not take &struct kvm's slots_lock.
 * @gone: @slot's page is not the guest's any more, and not tracked. Called with KVM's
 *	slots_lock; must not wait for any vCPU.
 */
struct gvirt_track_services {
	void (*write)(void *data, unsigned int slot, u32 offset, const u8 *bytes,
		      unsigned int count);
	void (*gone)(void *data, unsigned int slot);
};

/**
 * struct gvirt_track - Tracked pages of a device
 * @kvm: the VM; NULL: not started
 * @node: at KVM
 * @services: of the owner
 * @data: for @services
 * @lock: of changes of @gfn; taken inside KVM's slots_lock
 * @gfn: what each slot tracks; read without @lock
 */
struct gvirt_track {
	struct kvm *kvm;
	struct kvm_page_track_notifier_node node;
	const struct gvirt_track_services *services;
	void *data;
	struct mutex lock; /* changes of gfn */
	u64 gfn[GVIRT_TRACK_PAGES];
};

/**
 * gvirt_track_start() - Begin, with no page tracked
 * @track: to be initialised
 * @kvm: the VM of the device's user, NULL: none
 * @services: of the owner
 * @data: for @services
 *
 * Called by the user itself: KVM wants its address space.
 *
 * Return: 0; -EOPNOTSUPP when there is no KVM or it cannot track; -ESRCH when the VM is
 * another process's; -ENOMEM.
 */
int gvirt_track_start(struct gvirt_track *track, struct kvm *kvm,
		      const struct gvirt_track_services *services, void *data);

/**
 * gvirt_track_stop() - Forget all pages; no service is called any more on return
 * @track: of gvirt_track_start(), or one for which that failed
 *
 * Waits for services that run: not with a lock that they take.
 */
void gvirt_track_stop(struct gvirt_track *track);

/**
 * gvirt_track_add() - Track a page
 * @track: a started one
 * @slot: below GVIRT_TRACK_PAGES; without a page
 * @hva: where the VMM has it; the guest has it where KVM's memory slots say
 *
 * Return: 0, or -EINVAL when the guest does not have the page (now), or cannot write to it.
 */
int gvirt_track_add(struct gvirt_track *track, unsigned int slot, unsigned long hva);

/**
 * gvirt_track_remove() - Do not track a page any more
 * @track: a started one
 * @slot: of gvirt_track_add(); nothing happens when its page is gone
 */
void gvirt_track_remove(struct gvirt_track *track, unsigned int slot);

/**
 * gvirt_track_has() - Whether a page is tracked
 * @track: a started one
 * @slot: below GVIRT_TRACK_PAGES
 */
static inline bool gvirt_track_has(const struct gvirt_track *track, unsigned int slot)
{
	return READ_ONCE(track->gfn[slot]) != GVIRT_TRACK_NONE;
}

/**
 * gvirt_track_steady() - Whether the VM's memory slots are not about to change
 * @track: a started one
 *
 * While they do, a vCPU may still act on what was before.
 *
 * Return: true when no change is under way.
 */
bool gvirt_track_steady(struct gvirt_track *track);

/**
 * gvirt_track_epoch() - A moment, for gvirt_track_passed()
 * @track: a started one
 *
 * Return: a cookie.
 */
unsigned long gvirt_track_epoch(struct gvirt_track *track);

/**
 * gvirt_track_passed() - Whether all exits that vCPUs handled at a moment are over
 * @track: a started one
 * @epoch: of gvirt_track_epoch()
 *
 * Does not wait.
 *
 * Return: true: each vCPU has since been ready to run its guest.
 */
bool gvirt_track_passed(struct gvirt_track *track, unsigned long epoch);

/**
 * gvirt_track_hold() - Keep KVM from looking at the VMM's page table
 * @kvm: the VM; NULL: none
 *
 * KVM lets a page fault happen, and looks then; when nothing is there, it ends the VM.
 * So what takes pages from a page table that KVM uses does it under this, which takes
 * the VMM's mmap_lock.
 *
 * Return: for gvirt_track_release(); NULL: there is nobody to keep from it.
 */
struct mm_struct *gvirt_track_hold(struct kvm *kvm);

/**
 * gvirt_track_release() - Let KVM go on
 * @mm: of gvirt_track_hold(), also NULL
 */
void gvirt_track_release(struct mm_struct *mm);

#endif
