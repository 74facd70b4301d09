/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guest memory that is watched for stores of the guest's, by page, many pages at a time.
 *
 * KVM write-protects a watched page, emulates each store to it, and tells. That is the
 * guest's CPUs only: what devices, the GPU or the VMM store is not seen. Where there is no
 * KVM, or it cannot track, gvirt_watch_start() says so, and nothing can be watched.
 */
#ifndef GVIRT_HOST_WATCH_H
#define GVIRT_HOST_WATCH_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/xarray.h>
#include <asm/kvm_page_track.h>

struct kvm;

/* Ranges that once had no memory which are told apart. */
#define GVIRT_WATCH_GAPS	16u

/**
 * struct gvirt_watch_services - What the owner does
 * @keep: the guest has stored @bytes at @offset of page @gfn: does it stay watched? May not
 *	sleep. If not, the page is not watched any more.
 * @stored: it did, and stays watched. Called on the vCPU's thread, without locks of this
 *	object; sleeps, but must not take &struct kvm's slots_lock, nor wait for a vCPU.
 */
struct gvirt_watch_services {
	bool (*keep)(void *data, u64 gfn, u32 offset, unsigned int bytes);
	void (*stored)(void *data, u64 gfn, u32 offset, unsigned int bytes);
};

/**
 * struct gvirt_watch_gap - Guest memory that was not there for a while
 * @first: gfn
 * @last: gfn, inclusive
 */
struct gvirt_watch_gap {
	u64 first;
	u64 last;
};

/**
 * struct gvirt_watch - Watched pages of a device
 * @kvm: the VM; NULL: nothing can be watched
 * @node: at KVM
 * @services: of the owner
 * @data: for @services
 * @lock: of @pages and @gap; taken inside KVM's slots_lock, takes KVM's SRCU and mmu_lock
 * @pages: by gfn: whether it is watched, and what happened to it
 * @pending: something happened to some of them
 * @gap: where memory slots were taken away since the start
 * @gaps: how many; above GVIRT_WATCH_GAPS: anywhere
 * @exits: stores that KVM told of
 */
struct gvirt_watch {
	struct kvm *kvm;
	struct kvm_page_track_notifier_node node;
	const struct gvirt_watch_services *services;
	void *data;
	struct mutex lock; /* pages, gaps */
	struct xarray pages;
	bool pending;
	struct gvirt_watch_gap gap[GVIRT_WATCH_GAPS];
	unsigned int gaps;
	atomic64_t exits;
};

/**
 * struct gvirt_watch_event - What happened to a page
 * @gfn: which
 * @watched: it still is
 * @gone: its memory was taken away, so it is not
 */
struct gvirt_watch_event {
	u64 gfn;
	bool watched;
	bool gone;
};

/**
 * gvirt_watch_init() - Prepare, with nothing watched
 * @watch: to be initialised
 * @services: of the owner
 * @data: for @services
 */
void gvirt_watch_init(struct gvirt_watch *watch, const struct gvirt_watch_services *services,
		      void *data);

/**
 * gvirt_watch_start() - From now on pages can be watched
 * @watch: one that is not started
 * @kvm: the VM of the device's user, NULL: none
 *
 * Called by the user itself: KVM wants its address space.
 *
 * Return: 0; -EOPNOTSUPP when there is no KVM or it cannot track; -ESRCH when the VM is
 * another process's; -ENOMEM.
 */
int gvirt_watch_start(struct gvirt_watch *watch, struct kvm *kvm);

/**
 * gvirt_watch_stop() - Forget all pages; no service is called any more on return
 * @watch: also one that is not started
 *
 * Waits for services that run: not with a lock that they take.
 */
void gvirt_watch_stop(struct gvirt_watch *watch);

/**
 * gvirt_watch_active() - Can pages be watched?
 * @watch: which
 *
 * Return: true between start and stop, if the start was successful.
 */
static inline bool gvirt_watch_active(const struct gvirt_watch *watch)
{
	return READ_ONCE(watch->kvm);
}

/**
 * gvirt_watch_add() - Watch a page
 * @watch: which
 * @gfn: guest frame number
 * @page: the page's content, where it is pinned; it must be what KVM has there
 *
 * Stores before the return may have been missed: look at the page after that.
 *
 * Return: 0, also if it is watched already; -EOPNOTSUPP; -EINVAL when the guest has
 * other memory there, or none that it can write to; -ENOMEM.
 */
int gvirt_watch_add(struct gvirt_watch *watch, u64 gfn, const void *page);

/**
 * gvirt_watch_remove() - Do not watch a page any more
 * @watch: which
 * @gfn: any page; what happened to it is forgotten
 */
void gvirt_watch_remove(struct gvirt_watch *watch, u64 gfn);

/**
 * gvirt_watch_had_gap() - Was a page's memory ever taken away?
 * @watch: which
 * @gfn: the page
 *
 * The guest may have touched the page while there was none. Then KVM may let it store
 * there unseen until it has stored once (register-pages.rst, "The hole").
 *
 * Return: true if that may be so.
 */
bool gvirt_watch_had_gap(struct gvirt_watch *watch, u64 gfn);

/**
 * gvirt_watch_next() - What happened since the last call?
 * @watch: which
 * @event: gets the next thing that happened, once for any number of stores
 *
 * Return: false when nothing did.
 */
bool gvirt_watch_next(struct gvirt_watch *watch, struct gvirt_watch_event *event);

#endif
