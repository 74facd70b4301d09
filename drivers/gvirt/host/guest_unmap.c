// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of a guest that goes away.
 *
 * When the VMM takes memory away, VFIO calls gvirt_guest_unmap(), and expects that all
 * of it is unpinned on return. Three things are to be known about that call:
 *
 * - Type1 makes it under its list of devices' lock, and unpinning takes its main lock,
 *   which it also takes in the other order: two unmaps at a time would wait for each other
 *   for ever. So pages are let go of by a work item, without any lock of VFIO's, and the
 *   call waits for that, but not for ever: once it has returned the other one goes on.
 * - A page that is pinned again before the call's caller has looked makes it call again;
 *   type1 stops the kernel after ten times. So the range stays quiet for a while, longer
 *   each time.
 * - It can come after the device was closed. Then there is nothing to be done.
 *
 * Source: Linux, drivers/vfio/vfio_iommu_type1.c (vfio_notify_dma_unmap).
 */
#include <linux/cleanup.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include "guest.h"
#include "guest_internal.h"

#define QUIET_MS	10
#define QUIET_DOUBLINGS	7
#define REPEAT_WITHIN	(2 * HZ)
#define ANSWER_WITHIN	HZ
/* So often the wait for an answer is bounded. Type1 gives up after ten calls. */
#define BOUNDED_WAITS	8

/* Jiffies to wait until pages may be pinned, of which some went away. */
unsigned long gvirt_guest_quiet_time(struct gvirt_guest *guest, u64 first, u64 last)
{
	struct gvirt_guest_unmap *unmap = &guest->unmap;

	guard(spinlock)(&unmap->lock);
	if (last < unmap->quiet_first || first > unmap->quiet_last ||
	    time_after_eq(jiffies, unmap->quiet_until))
		return 0;
	return unmap->quiet_until - jiffies;
}

static void keep_quiet_locked(struct gvirt_guest_unmap *unmap, u64 first, u64 last)
{
	unsigned int doublings = min(unmap->repeats, QUIET_DOUBLINGS);
	bool is_quiet = time_before(jiffies, unmap->quiet_until);

	lockdep_assert_held(&unmap->lock);
	unmap->quiet_first = is_quiet ? min(first, unmap->quiet_first) : first;
	unmap->quiet_last = is_quiet ? max(last, unmap->quiet_last) : last;
	unmap->quiet_until = jiffies + msecs_to_jiffies(QUIET_MS << doublings);
}

static bool is_repeated_locked(const struct gvirt_guest_unmap *unmap, u64 first, u64 last)
{
	return first >= unmap->quiet_first && last <= unmap->quiet_last && unmap->asked &&
	       time_before(jiffies, unmap->quiet_until + REPEAT_WITHIN);
}

/* Returns the number of the request. */
static u64 ask(struct gvirt_guest_unmap *unmap, u64 first, u64 last, bool *bounded)
{
	guard(spinlock)(&unmap->lock);
	unmap->repeats = is_repeated_locked(unmap, first, last) ? unmap->repeats + 1 : 0;
	*bounded = unmap->repeats < BOUNDED_WAITS;
	unmap->first = unmap->pending ? min(first, unmap->first) : first;
	unmap->last = unmap->pending ? max(last, unmap->last) : last;
	unmap->pending = true;
	keep_quiet_locked(unmap, unmap->first, unmap->last);
	return ++unmap->asked;
}

static u64 take_request(struct gvirt_guest_unmap *unmap, u64 *first, u64 *last)
{
	guard(spinlock)(&unmap->lock);
	*first = unmap->first;
	*last = unmap->last;
	unmap->pending = false;
	return unmap->asked;
}

static void answer(struct gvirt_guest_unmap *unmap, u64 number, u64 first, u64 last)
{
	scoped_guard(spinlock, &unmap->lock) {
		unmap->answered = number;
		keep_quiet_locked(unmap, first, last);
	}
	wake_up_all(&unmap->done);
}

static bool has_pages(struct gvirt_guest *guest, u64 first, u64 last)
{
	unsigned long index = first;

	guard(mutex)(&guest->lock);
	return xa_find(&guest->pages, &index, last, XA_PRESENT);
}

static void drop_kept(struct gvirt_guest *guest, u64 first, u64 last)
{
	guard(mutex)(&guest->lock);
	gvirt_guest_drop_kept_locked(guest, first, last);
}

static void let_go(struct work_struct *work)
{
	struct gvirt_guest *guest = container_of(work, struct gvirt_guest, unmap.work);
	u64 first, last;
	u64 number = take_request(&guest->unmap, &first, &last);

	drop_kept(guest, first, last);
	if (has_pages(guest, first, last)) {
		guest->services->revoke(guest->data, first, last);
		drop_kept(guest, first, last);
	}
	answer(&guest->unmap, number, first, last);
}

static bool is_answered(struct gvirt_guest_unmap *unmap, u64 number)
{
	guard(spinlock)(&unmap->lock);
	return unmap->answered >= number;
}

void gvirt_guest_unmap(struct gvirt_guest *guest, u64 iova, u64 length)
{
	struct gvirt_guest_unmap *unmap = &guest->unmap;
	bool bounded;
	u64 number, last;

	if (!length)
		return;
	if (check_add_overflow(iova, length - 1, &last))
		last = ~0ull;
	number = ask(unmap, iova >> PAGE_SHIFT, last >> PAGE_SHIFT, &bounded);
	queue_work(system_long_wq, &unmap->work);
	if (bounded)
		wait_event_timeout(unmap->done, is_answered(unmap, number), ANSWER_WITHIN);
	else
		wait_event(unmap->done, is_answered(unmap, number));
}

void gvirt_guest_init_unmap(struct gvirt_guest *guest)
{
	spin_lock_init(&guest->unmap.lock);
	INIT_WORK(&guest->unmap.work, let_go);
	init_waitqueue_head(&guest->unmap.done);
}
