// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of a guest that were in use a moment ago.
 *
 * Drivers map and unmap the same memory again and again. It is not pinned, mapped for DMA,
 * unmapped and unpinned each time: a page whose last user goes stays so for one to
 * two seconds. No entry of the chip's tables leads there meanwhile. It is the guest's own
 * page, but counts against its VMM's limit of locked memory: so there is a bound, and what
 * is kept is given back before that limit refuses anything.
 *
 * There is no list: a page is marked as kept, and at the next look of a work item as old;
 * at the one after that it goes.
 */
#include <linux/cleanup.h>
#include <linux/jiffies.h>
#include <linux/workqueue.h>
#include "guest.h"
#include "guest_internal.h"

#define KEPT	XA_MARK_1
#define OLD	XA_MARK_2

/* 32 MiB. */
#define KEPT_MOST	8192

#define LOOK_AFTER	HZ
/* Locked memory was scarce: nothing is kept for so long. */
#define SCARCE_WHILE	(60 * HZ)
/* So many are unpinned before others get the lock. */
#define DROPPED_AT_ONCE	256

bool gvirt_guest_is_kept_locked(struct gvirt_guest *guest, u64 gfn)
{
	lockdep_assert_held(&guest->lock);
	return xa_get_mark(&guest->pages, gfn, KEPT);
}

bool gvirt_guest_keep_page_locked(struct gvirt_guest *guest, u64 gfn)
{
	lockdep_assert_held(&guest->lock);
	if (gvirt_guest_kept(guest) >= KEPT_MOST || time_before(jiffies, guest->scarce_until))
		return false;
	xa_set_mark(&guest->pages, gfn, KEPT);
	atomic_long_inc(&guest->kept);
	atomic_long_dec(&guest->pinned);
	queue_delayed_work(system_long_wq, &guest->keep_work, LOOK_AFTER);
	return true;
}

void gvirt_guest_end_keep_locked(struct gvirt_guest *guest, u64 gfn)
{
	if (!gvirt_guest_is_kept_locked(guest, gfn))
		return;
	xa_clear_mark(&guest->pages, gfn, KEPT);
	xa_clear_mark(&guest->pages, gfn, OLD);
	atomic_long_dec(&guest->kept);
	atomic_long_inc(&guest->pinned);
}

/* Returns how many went. */
static unsigned long drop_locked(struct gvirt_guest *guest, unsigned long first, unsigned long last,
				 xa_mark_t mark, unsigned long most)
{
	unsigned long gfn = first, dropped = 0;
	struct guest_page *page;

	lockdep_assert_held(&guest->lock);
	while (dropped < most && (page = xa_find(&guest->pages, &gfn, last, mark))) {
		gvirt_guest_remove_page_locked(guest, gfn, page);
		dropped++;
	}
	return dropped;
}

void gvirt_guest_drop_kept_locked(struct gvirt_guest *guest, u64 first, u64 last)
{
	drop_locked(guest, first, last, KEPT, ULONG_MAX);
}

bool gvirt_guest_give_kept_locked(struct gvirt_guest *guest)
{
	guest->scarce_until = jiffies + SCARCE_WHILE;
	return drop_locked(guest, 0, ULONG_MAX, KEPT, ULONG_MAX);
}

/* Returns whether there may be more. */
static bool drop_some_old(struct gvirt_guest *guest)
{
	guard(mutex)(&guest->lock);
	return drop_locked(guest, 0, ULONG_MAX, OLD, DROPPED_AT_ONCE) == DROPPED_AT_ONCE;
}

static void age(struct gvirt_guest *guest)
{
	struct guest_page *page;
	unsigned long gfn;

	guard(mutex)(&guest->lock);
	xa_for_each_marked(&guest->pages, gfn, page, KEPT)
		xa_set_mark(&guest->pages, gfn, OLD);
	if (gvirt_guest_kept(guest))
		queue_delayed_work(system_long_wq, &guest->keep_work, LOOK_AFTER);
}

static void look(struct work_struct *work)
{
	struct gvirt_guest *guest = container_of(to_delayed_work(work), struct gvirt_guest,
						 keep_work);

	while (drop_some_old(guest))
		cond_resched();
	age(guest);
}

void gvirt_guest_init_keep(struct gvirt_guest *guest)
{
	INIT_DELAYED_WORK(&guest->keep_work, look);
	guest->scarce_until = jiffies;
}

void gvirt_guest_release_keep(struct gvirt_guest *guest)
{
	cancel_delayed_work_sync(&guest->keep_work);
	guard(mutex)(&guest->lock);
	gvirt_guest_drop_kept_locked(guest, 0, ULONG_MAX);
	/* The next VMM has a limit of its own. */
	guest->scarce_until = jiffies;
}
