/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A VM with one CPU, which stores 8 bytes at a time wherever it is told to: what a guest's
 * driver does with page tables, as KVM sees it.
 */
#ifndef VFIO_LIB_VCPU_H
#define VFIO_LIB_VCPU_H

#include <linux/types.h>
#include <stddef.h>

#include "vdev.h"

#define VCPU_SLOTS	8u

/**
 * struct vcpu - The VM
 * @vm: file of the VM
 * @vfio: file of what KVM knows of VFIO
 * @cpu: file of the CPU
 * @run: what KVM says of it
 * @own: its own memory: code, stores to do, page tables
 * @slot: guest-physical address of each memory slot; 0: free
 */
struct vcpu {
	int vm;
	int vfio;
	int cpu;
	void *run;
	void *own;
	u64 slot[VCPU_SLOTS];
};

/**
 * vcpu_start() - Make the VM; skips the test where there is no KVM
 * @vcpu: gets it
 * @group: VFIO group of its device, which is not open yet
 */
void vcpu_start(struct vcpu *vcpu, int group);

/**
 * vcpu_stop() - End it
 * @vcpu: of vcpu_start()
 */
void vcpu_stop(struct vcpu *vcpu);

/**
 * vcpu_plug() - Give the guest memory of this process
 * @vcpu: whose
 * @gpa: where; not where @vcpu has its own, the first 128 KiB; below 16 GiB
 * @memory: the memory
 * @size: bytes
 */
void vcpu_plug(struct vcpu *vcpu, u64 gpa, void *memory, u64 size);

/**
 * vcpu_unplug() - Take memory away
 * @vcpu: whose
 * @gpa: of vcpu_plug(); nothing happens if there is none
 */
void vcpu_unplug(struct vcpu *vcpu, u64 gpa);

/**
 * vcpu_store() - Let the CPU store, one after the other
 * @vcpu: which
 * @stores: what; where there is no memory, a store is lost
 * @count: how many
 */
void vcpu_store(struct vcpu *vcpu, const struct vdev_store *stores, size_t count);

#endif
