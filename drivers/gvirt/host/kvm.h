/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KVM's write tracking, called without depending on KVM's module: its functions are taken
 * while they are used, as VFIO does. The module stays loaded as long as there is a VM.
 *
 * Only with CONFIG_KVM_EXTERNAL_WRITE_TRACKING.
 */
#ifndef GVIRT_HOST_KVM_H
#define GVIRT_HOST_KVM_H

#include <linux/types.h>

struct kvm;
struct kvm_memory_slot;
struct kvm_page_track_notifier_node;

/**
 * gvirt_kvm_is_steady() - Is what is added to a memory slot told of when it goes?
 * @memslot: found under KVM's SRCU, which is still held; NULL: none
 *
 * Return: true if the guest can write to it, and nothing is about to take it away.
 */
bool gvirt_kvm_is_steady(const struct kvm_memory_slot *memslot);

/**
 * gvirt_kvm_add() - Track writes to a page
 * @kvm: the VM
 * @gfn: in a memory slot that gvirt_kvm_is_steady()
 *
 * Return: 0; -EOPNOTSUPP; -EINVAL without a memory slot.
 */
int gvirt_kvm_add(struct kvm *kvm, u64 gfn);

/**
 * gvirt_kvm_remove() - Do not track writes to a page any more
 * @kvm: the VM
 * @gfn: of gvirt_kvm_add(), in a memory slot that gvirt_kvm_is_steady()
 */
void gvirt_kvm_remove(struct kvm *kvm, u64 gfn);

/**
 * gvirt_kvm_register() - Be told of writes
 * @kvm: the VM, of the current process
 * @node: with functions
 *
 * Return: 0; -EOPNOTSUPP; -ESRCH when the VM is another process's; -ENOMEM.
 */
int gvirt_kvm_register(struct kvm *kvm, struct kvm_page_track_notifier_node *node);

/**
 * gvirt_kvm_unregister() - Not be told any more
 * @kvm: the VM
 * @node: of gvirt_kvm_register()
 *
 * Waits for functions of @node that run.
 */
void gvirt_kvm_unregister(struct kvm *kvm, struct kvm_page_track_notifier_node *node);

#endif
