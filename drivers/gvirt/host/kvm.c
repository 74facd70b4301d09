// SPDX-License-Identifier: GPL-2.0-only
/*
 * KVM's write tracking.
 *
 * A memory slot that KVM deletes takes its counts of tracked pages along. KVM marks it as
 * invalid, waits for all readers, and tells before a new one can take its place. So
 * what is added under KVM's SRCU, to a memory slot without that mark, will be told; and
 * what has not been told is still counted, if there is a memory slot without it. To
 * remove a count that is not there would be a warning. (KVM refuses to move memory
 * slots of such a VM.)
 *
 * Sources: Linux, arch/x86/kvm/mmu/page_track.c, virt/kvm/kvm_main.c
 * (kvm_invalidate_memslot()).
 */
#include <linux/bug.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/kvm_host.h>
#include <linux/module.h>
#include <linux/srcu.h>
#include <asm/kvm_page_track.h>
#include "kvm.h"

#ifdef CONFIG_KVM_EXTERNAL_WRITE_TRACKING

bool gvirt_kvm_is_steady(const struct kvm_memory_slot *memslot)
{
	return memslot && !(memslot->flags & (KVM_MEMSLOT_INVALID | KVM_MEM_READONLY));
}

int gvirt_kvm_add(struct kvm *kvm, u64 gfn)
{
	int (*fn)(struct kvm *kvm, gfn_t gfn) = symbol_get(kvm_write_track_add_gfn);
	int err;

	if (!fn)
		return -EOPNOTSUPP;
	err = fn(kvm, gfn);
	symbol_put(kvm_write_track_add_gfn);
	return err;
}

void gvirt_kvm_remove(struct kvm *kvm, u64 gfn)
{
	int (*fn)(struct kvm *kvm, gfn_t gfn) = symbol_get(kvm_write_track_remove_gfn);

	if (WARN_ON_ONCE(!fn))
		return;
	fn(kvm, gfn);
	symbol_put(kvm_write_track_remove_gfn);
}

/* It looks at all memory slots, and leaves it to us that they stay. */
int gvirt_kvm_register(struct kvm *kvm, struct kvm_page_track_notifier_node *node)
{
	int (*fn)(struct kvm *kvm, struct kvm_page_track_notifier_node *node) =
		symbol_get(kvm_page_track_register_notifier);
	int err;

	if (!fn)
		return -EOPNOTSUPP;
	scoped_guard(srcu, &kvm->srcu)
		err = fn(kvm, node);
	symbol_put(kvm_page_track_register_notifier);
	return err;
}

void gvirt_kvm_unregister(struct kvm *kvm, struct kvm_page_track_notifier_node *node)
{
	void (*fn)(struct kvm *kvm, struct kvm_page_track_notifier_node *node) =
		symbol_get(kvm_page_track_unregister_notifier);

	if (WARN_ON_ONCE(!fn))
		return;
	fn(kvm, node);
	symbol_put(kvm_page_track_unregister_notifier);
}

#endif /* CONFIG_KVM_EXTERNAL_WRITE_TRACKING */
