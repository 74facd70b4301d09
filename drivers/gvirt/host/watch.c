// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guest memory that is watched for stores of the guest's.
 *
 * Invariant: a page has WATCHED only while KVM counts this device at its gfn; see kvm.c
 * for how that is known.
 *
 * The VMM may have given VFIO other memory at an address than KVM, with a virtual IOMMU for
 * example. KVM's tracking would be that of another page then. So before a page is
 * watched, the VMM's page table is asked which one KVM has there.
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/kvm_host.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/srcu.h>
#include "kvm.h"
#include "watch.h"

/* Of each page; what happened has a mark in addition, so that it is found. */
#define WATCHED		BIT(0)
#define HAPPENED	BIT(1)
#define GONE		BIT(2)
#define MARK		XA_MARK_0

static unsigned long flags_of(struct gvirt_watch *watch, u64 gfn)
{
	void *value = xa_load(&watch->pages, gfn);

	return value ? xa_to_value(value) : 0;
}

void gvirt_watch_init(struct gvirt_watch *watch, const struct gvirt_watch_services *services,
		      void *data)
{
	*watch = (struct gvirt_watch) { .services = services, .data = data };
	mutex_init(&watch->lock);
	xa_init(&watch->pages);
}

#ifdef CONFIG_KVM_EXTERNAL_WRITE_TRACKING

/* Replaces what is there, which needs no memory. */
static void note_locked(struct gvirt_watch *watch, u64 gfn, unsigned long flags)
{
	lockdep_assert_held(&watch->lock);
	xa_store(&watch->pages, gfn, xa_mk_value(flags | HAPPENED), GFP_KERNEL);
	xa_set_mark(&watch->pages, gfn, MARK);
	WRITE_ONCE(watch->pending, true);
}

static void release_locked(struct gvirt_watch *watch, u64 gfn)
{
	struct kvm *kvm = watch->kvm;

	lockdep_assert_held(&watch->lock);
	guard(srcu)(&kvm->srcu);
	if (gvirt_kvm_is_steady(__gfn_to_memslot(kvm_memslots(kvm), gfn)))
		gvirt_kvm_remove(kvm, gfn);
}

/* Returns whether the page stays watched. */
static bool happened(struct gvirt_watch *watch, u64 gfn, u32 offset, unsigned int bytes)
{
	bool keep;

	guard(mutex)(&watch->lock);
	if (!(flags_of(watch, gfn) & WATCHED))
		return false;
	atomic64_inc(&watch->exits);
	keep = watch->services->keep(watch->data, gfn, offset, bytes);
	if (!keep)
		release_locked(watch, gfn);
	note_locked(watch, gfn, keep ? WATCHED : 0);
	return keep;
}

/* Called for every write that KVM emulates in the VM. */
static void track_write(gpa_t gpa, const u8 *data, int count,
			struct kvm_page_track_notifier_node *node)
{
	struct gvirt_watch *watch = container_of(node, struct gvirt_watch, node);
	u64 gfn = gpa_to_gfn(gpa);
	u32 offset = offset_in_page(gpa);
	unsigned int bytes;

	if (count <= 0 || !xa_load(&watch->pages, gfn))
		return;
	bytes = min_t(unsigned int, count, PAGE_SIZE - offset);
	if (happened(watch, gfn, offset, bytes))
		watch->services->stored(watch->data, gfn, offset, bytes);
}

/* Of two gaps more than can be told apart, all is one. */
static void add_gap_locked(struct gvirt_watch *watch, u64 first, u64 last)
{
	struct gvirt_watch_gap *gap;
	unsigned int i;

	lockdep_assert_held(&watch->lock);
	for (i = 0; i < min(watch->gaps, GVIRT_WATCH_GAPS); i++) {
		gap = &watch->gap[i];
		if (first > gap->last + 1 || last + 1 < gap->first)
			continue;
		gap->first = min(first, gap->first);
		gap->last = max(last, gap->last);
		return;
	}
	if (watch->gaps < GVIRT_WATCH_GAPS)
		watch->gap[watch->gaps] = (struct gvirt_watch_gap) { first, last };
	if (watch->gaps <= GVIRT_WATCH_GAPS)
		watch->gaps++;
}

static void track_remove_region(gfn_t gfn, unsigned long pages,
				struct kvm_page_track_notifier_node *node)
{
	struct gvirt_watch *watch = container_of(node, struct gvirt_watch, node);
	unsigned long last = gfn + pages - 1;
	unsigned long i;
	void *value;

	guard(mutex)(&watch->lock);
	add_gap_locked(watch, gfn, last);
	xa_for_each_range(&watch->pages, i, value, gfn, last)
		note_locked(watch, i, GONE);
}

/* Which page KVM has. */

static unsigned long hva_of(struct kvm *kvm, u64 gfn)
{
	const struct kvm_memory_slot *memslot;

	guard(srcu)(&kvm->srcu);
	memslot = __gfn_to_memslot(kvm_memslots(kvm), gfn);
	if (!gvirt_kvm_is_steady(memslot))
		return 0;
	return memslot->userspace_addr + ((gfn - memslot->base_gfn) << PAGE_SHIFT);
}

static bool maps(struct mm_struct *mm, unsigned long hva, const void *content)
{
	struct page *page;
	bool same;
	long n;

	mmap_read_lock(mm);
	n = get_user_pages_remote(mm, hva, 1, 0, &page, NULL);
	mmap_read_unlock(mm);
	if (n != 1)
		return false;
	same = page == virt_to_page(content);
	put_page(page);
	return same;
}

static bool has_page(struct kvm *kvm, u64 gfn, const void *content, unsigned long *hva)
{
	struct mm_struct *mm = kvm->mm;
	bool same;

	*hva = hva_of(kvm, gfn);
	if (!*hva || !mmget_not_zero(mm))
		return false;
	same = maps(mm, *hva, content);
	mmput(mm);
	return same;
}

static int add_locked(struct gvirt_watch *watch, u64 gfn, unsigned long hva)
{
	struct kvm *kvm = watch->kvm;
	int err;

	lockdep_assert_held(&watch->lock);
	guard(srcu)(&kvm->srcu);
	if (hva_of(kvm, gfn) != hva)
		return -EINVAL;
	err = gvirt_kvm_add(kvm, gfn);
	if (err)
		return err;
	/* There is a place for it, so this needs no memory. */
	xa_store(&watch->pages, gfn, xa_mk_value(flags_of(watch, gfn) | WATCHED), GFP_KERNEL);
	return 0;
}

int gvirt_watch_add(struct gvirt_watch *watch, u64 gfn, const void *page)
{
	unsigned long hva;
	int err;

	if (!gvirt_watch_active(watch))
		return -EOPNOTSUPP;
	if (!has_page(watch->kvm, gfn, page, &hva))
		return -EINVAL;
	guard(mutex)(&watch->lock);
	if (flags_of(watch, gfn) & WATCHED)
		return 0;
	err = xa_err(xa_store(&watch->pages, gfn, xa_mk_value(flags_of(watch, gfn)), GFP_KERNEL));
	if (err)
		return err;
	err = add_locked(watch, gfn, hva);
	if (err && !flags_of(watch, gfn))
		xa_erase(&watch->pages, gfn);
	return err;
}

void gvirt_watch_remove(struct gvirt_watch *watch, u64 gfn)
{
	guard(mutex)(&watch->lock);
	if (flags_of(watch, gfn) & WATCHED)
		release_locked(watch, gfn);
	xa_erase(&watch->pages, gfn);
}

int gvirt_watch_start(struct gvirt_watch *watch, struct kvm *kvm)
{
	int err;

	if (!kvm)
		return -EOPNOTSUPP;
	watch->node = (struct kvm_page_track_notifier_node) {
		.track_write = track_write,
		.track_remove_region = track_remove_region,
	};
	watch->gaps = 0;
	/* Before its functions are called. */
	WRITE_ONCE(watch->kvm, kvm);
	err = gvirt_kvm_register(kvm, &watch->node);
	if (err)
		WRITE_ONCE(watch->kvm, NULL);
	return err;
}

static void remove_all(struct gvirt_watch *watch)
{
	unsigned long gfn;
	void *value;

	xa_for_each(&watch->pages, gfn, value)
		gvirt_watch_remove(watch, gfn);
	WRITE_ONCE(watch->pending, false);
}

void gvirt_watch_stop(struct gvirt_watch *watch)
{
	if (!gvirt_watch_active(watch))
		return;
	remove_all(watch);
	gvirt_kvm_unregister(watch->kvm, &watch->node);
	WRITE_ONCE(watch->kvm, NULL);
}

#else /* CONFIG_KVM_EXTERNAL_WRITE_TRACKING */

int gvirt_watch_start(struct gvirt_watch *watch, struct kvm *kvm)
{
	return -EOPNOTSUPP;
}

void gvirt_watch_stop(struct gvirt_watch *watch)
{
}

int gvirt_watch_add(struct gvirt_watch *watch, u64 gfn, const void *page)
{
	return -EOPNOTSUPP;
}

void gvirt_watch_remove(struct gvirt_watch *watch, u64 gfn)
{
}

#endif /* CONFIG_KVM_EXTERNAL_WRITE_TRACKING */

bool gvirt_watch_had_gap(struct gvirt_watch *watch, u64 gfn)
{
	unsigned int i;

	guard(mutex)(&watch->lock);
	for (i = 0; i < min(watch->gaps, GVIRT_WATCH_GAPS); i++)
		if (gfn >= watch->gap[i].first && gfn <= watch->gap[i].last)
			return true;
	return watch->gaps > GVIRT_WATCH_GAPS;
}

static bool next_locked(struct gvirt_watch *watch, struct gvirt_watch_event *event)
{
	unsigned long gfn = 0;
	unsigned long flags;

	lockdep_assert_held(&watch->lock);
	if (!xa_find(&watch->pages, &gfn, ULONG_MAX, MARK))
		return false;
	flags = flags_of(watch, gfn);
	*event = (struct gvirt_watch_event) {
		.gfn = gfn,
		.watched = flags & WATCHED,
		.gone = flags & GONE,
	};
	xa_clear_mark(&watch->pages, gfn, MARK);
	if (flags & WATCHED)
		xa_store(&watch->pages, gfn, xa_mk_value(WATCHED), GFP_KERNEL);
	else
		xa_erase(&watch->pages, gfn);
	return true;
}

bool gvirt_watch_next(struct gvirt_watch *watch, struct gvirt_watch_event *event)
{
	if (!READ_ONCE(watch->pending))
		return false;
	guard(mutex)(&watch->lock);
	/* Before the search, so that what happens during it is found by the next one. */
	WRITE_ONCE(watch->pending, false);
	if (!next_locked(watch, event))
		return false;
	WRITE_ONCE(watch->pending, true);
	return true;
}
