// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes of a guest to single pages, caught by KVM.
 *
 * Invariant: a slot has a gfn only while KVM counts this device at that gfn; see kvm.c for
 * how that is known.
 *
 * Source: Linux, virt/kvm/kvm_main.c (hva_to_pfn_remapped()).
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/interval_tree.h>
#include <linux/kvm_host.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/srcu.h>
#include <linux/string.h>
#include "kvm.h"
#include "track.h"

#ifdef CONFIG_KVM_EXTERNAL_WRITE_TRACKING

/* Slots. */

static unsigned int find(const struct gvirt_track *track, u64 gfn)
{
	unsigned int slot;

	for (slot = 0; slot < GVIRT_TRACK_PAGES; slot++)
		if (READ_ONCE(track->gfn[slot]) == gfn)
			break;
	return slot;
}

/* Called for every write that KVM emulates in the VM. */
static void track_write(gpa_t gpa, const u8 *bytes, int count,
			struct kvm_page_track_notifier_node *node)
{
	struct gvirt_track *track = container_of(node, struct gvirt_track, node);
	unsigned int slot = find(track, gpa_to_gfn(gpa));
	u32 offset = offset_in_page(gpa);

	if (slot == GVIRT_TRACK_PAGES || count <= 0)
		return;
	track->services->write(track->data, slot, offset, bytes,
			       min_t(unsigned int, count, PAGE_SIZE - offset));
}

static void forget(struct gvirt_track *track, unsigned int slot, u64 first, u64 pages)
{
	scoped_guard(mutex, &track->lock) {
		if (!gvirt_track_has(track, slot) || track->gfn[slot] - first >= pages)
			return;
		WRITE_ONCE(track->gfn[slot], GVIRT_TRACK_NONE);
	}
	track->services->gone(track->data, slot);
}

static void track_remove_region(gfn_t gfn, unsigned long pages,
				struct kvm_page_track_notifier_node *node)
{
	struct gvirt_track *track = container_of(node, struct gvirt_track, node);
	unsigned int slot;

	for (slot = 0; slot < GVIRT_TRACK_PAGES; slot++)
		forget(track, slot, gfn, pages);
}

/* Where the guest has what the VMM has at an address. */
static u64 gfn_of(struct kvm *kvm, unsigned long hva)
{
	struct kvm_memslots *memslots = kvm_memslots(kvm);
	const struct kvm_memory_slot *memslot;
	struct interval_tree_node *node;

	node = interval_tree_iter_first(&memslots->hva_tree, hva, hva);
	if (!node)
		return GVIRT_TRACK_NONE;
	memslot = container_of(node, struct kvm_memory_slot, hva_node[memslots->node_idx]);
	if (!gvirt_kvm_is_steady(memslot))
		return GVIRT_TRACK_NONE;
	return memslot->base_gfn + ((hva - memslot->userspace_addr) >> PAGE_SHIFT);
}

/* Life. */

int gvirt_track_start(struct gvirt_track *track, struct kvm *kvm,
		      const struct gvirt_track_services *services, void *data)
{
	int err;

	*track = (struct gvirt_track) {
		.node = {
			.track_write = track_write,
			.track_remove_region = track_remove_region,
		},
		.services = services,
		.data = data,
	};
	mutex_init(&track->lock);
	memset64(track->gfn, GVIRT_TRACK_NONE, GVIRT_TRACK_PAGES);
	if (!kvm)
		return -EOPNOTSUPP;
	err = gvirt_kvm_register(kvm, &track->node);
	if (!err)
		track->kvm = kvm;
	return err;
}

void gvirt_track_stop(struct gvirt_track *track)
{
	unsigned int slot;

	if (!track->kvm)
		return;
	for (slot = 0; slot < GVIRT_TRACK_PAGES; slot++)
		gvirt_track_remove(track, slot);
	gvirt_kvm_unregister(track->kvm, &track->node);
	track->kvm = NULL;
}

int gvirt_track_add(struct gvirt_track *track, unsigned int slot, unsigned long hva)
{
	struct kvm *kvm = track->kvm;
	u64 gfn;
	int err;

	guard(mutex)(&track->lock);
	guard(srcu)(&kvm->srcu);
	gfn = gfn_of(kvm, hva);
	if (gvirt_track_has(track, slot) || gfn == GVIRT_TRACK_NONE ||
	    find(track, gfn) != GVIRT_TRACK_PAGES)
		return -EINVAL;
	err = gvirt_kvm_add(kvm, gfn);
	if (!err)
		WRITE_ONCE(track->gfn[slot], gfn);
	return err;
}

void gvirt_track_remove(struct gvirt_track *track, unsigned int slot)
{
	struct kvm *kvm = track->kvm;
	u64 gfn;

	guard(mutex)(&track->lock);
	if (!gvirt_track_has(track, slot))
		return;
	guard(srcu)(&kvm->srcu);
	gfn = track->gfn[slot];
	WRITE_ONCE(track->gfn[slot], GVIRT_TRACK_NONE);
	if (gvirt_kvm_is_steady(__gfn_to_memslot(kvm_memslots(kvm), gfn)))
		gvirt_kvm_remove(kvm, gfn);
}

bool gvirt_track_steady(struct gvirt_track *track)
{
	struct kvm *kvm = track->kvm;

	guard(srcu)(&kvm->srcu);
	return !(kvm_memslots(kvm)->generation & KVM_MEMSLOT_GEN_UPDATE_IN_PROGRESS);
}

unsigned long gvirt_track_epoch(struct gvirt_track *track)
{
	return start_poll_synchronize_srcu(&track->kvm->srcu);
}

bool gvirt_track_passed(struct gvirt_track *track, unsigned long epoch)
{
	return poll_state_synchronize_srcu(&track->kvm->srcu, epoch);
}

#else /* CONFIG_KVM_EXTERNAL_WRITE_TRACKING */

int gvirt_track_start(struct gvirt_track *track, struct kvm *kvm,
		      const struct gvirt_track_services *services, void *data)
{
	*track = (struct gvirt_track) { .services = services, .data = data };
	mutex_init(&track->lock);
	memset64(track->gfn, GVIRT_TRACK_NONE, GVIRT_TRACK_PAGES);
	return -EOPNOTSUPP;
}

void gvirt_track_stop(struct gvirt_track *track)
{
}

int gvirt_track_add(struct gvirt_track *track, unsigned int slot, unsigned long hva)
{
	return -EOPNOTSUPP;
}

void gvirt_track_remove(struct gvirt_track *track, unsigned int slot)
{
}

bool gvirt_track_steady(struct gvirt_track *track)
{
	return false;
}

unsigned long gvirt_track_epoch(struct gvirt_track *track)
{
	return 0;
}

bool gvirt_track_passed(struct gvirt_track *track, unsigned long epoch)
{
	return false;
}

#endif /* CONFIG_KVM_EXTERNAL_WRITE_TRACKING */

/* KVM's view of the VMM's page table. */

#if IS_ENABLED(CONFIG_KVM)

struct mm_struct *gvirt_track_hold(struct kvm *kvm)
{
	struct mm_struct *mm = kvm ? kvm->mm : NULL;

	if (!mm || !mmget_not_zero(mm))
		return NULL;
	mmap_write_lock(mm);
	return mm;
}

#else

struct mm_struct *gvirt_track_hold(struct kvm *kvm)
{
	return NULL;
}

#endif

void gvirt_track_release(struct mm_struct *mm)
{
	if (!mm)
		return;
	mmap_write_unlock(mm);
	mmput(mm);
}
