/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The smallest VM that can touch a vGPU: KVM, a page of code, and vCPUs that are told
 * each single access. Memory slots are put wherever a test wants them; what has none
 * comes out of KVM as MMIO, and goes to the vGPU by a call, as in any VMM.
 */
#ifndef VFIO_TINYVM_H
#define VFIO_TINYVM_H

#include <linux/kvm.h>
#include <linux/types.h>
#include <stdbool.h>

#include "vgpu.h"

#define TINYVM_CPUS	2
/* Where the guest has BAR0 and BAR2. */
#define TINYVM_BAR0	0xe0000000u
#define TINYVM_BAR2	0xc0000000u

/**
 * enum tinyvm_op - What a vCPU does; each number is the place of its code
 * @TINYVM_READ: loads 4 bytes
 * @TINYVM_WRITE: stores 4 bytes
 * @TINYVM_WRITE16: stores 2 bytes
 * @TINYVM_WRITE8: stores 1 byte
 * @TINYVM_OR: reads, sets bits, stores, in one instruction
 * @TINYVM_CMPXCHG8B: stores 8 bytes, the value twice, where 8 bytes of zero are
 * @TINYVM_READS: loads many times
 * @TINYVM_WRITES: stores many times
 * @TINYVM_FILL: stores 4 bytes many times, each behind the last
 */
enum tinyvm_op {
	TINYVM_READ = 0x00,
	TINYVM_WRITE = 0x10,
	TINYVM_WRITE16 = 0x20,
	TINYVM_WRITE8 = 0x30,
	TINYVM_OR = 0x40,
	TINYVM_CMPXCHG8B = 0x50,
	TINYVM_READS = 0x60,
	TINYVM_WRITES = 0x70,
	TINYVM_FILL = 0x80,
};

/**
 * struct tinyvm - The VM
 * @vgpu: its vGPU
 * @vm: file of the VM
 * @vfio: file of what KVM knows of VFIO
 * @cpu: files of the vCPUs
 * @run: what KVM says of each vCPU
 * @exits: how often each came out of KVM as MMIO
 */
struct tinyvm {
	struct vgpu vgpu;
	int vm;
	int vfio;
	int cpu[TINYVM_CPUS];
	struct kvm_run *run[TINYVM_CPUS];
	unsigned long exits[TINYVM_CPUS];
};

/**
 * tinyvm_start() - Make a vGPU and a VM that has it
 * @vm: gets everything
 * @id: number of the mdev
 *
 * Skips the test where there is no KVM.
 */
void tinyvm_start(struct tinyvm *vm, unsigned int id);

/**
 * tinyvm_stop() - End it
 * @vm: of tinyvm_start(), without slots
 */
void tinyvm_stop(struct tinyvm *vm);

/**
 * tinyvm_slot() - Give the guest memory of this process
 * @vm: which
 * @slot: number, from 1 on
 * @gpa: where
 * @memory: the memory; NULL: take the slot away
 * @bytes: how much
 */
void tinyvm_slot(struct tinyvm *vm, u32 slot, u64 gpa, void *memory, u64 bytes);

/**
 * tinyvm_do() - Let a vCPU access memory
 * @vm: which
 * @cpu: number of the vCPU; each by one thread at a time
 * @op: what
 * @gpa: where
 * @value: to store
 * @count: how often, for TINYVM_READS, TINYVM_WRITES and TINYVM_FILL
 *
 * Return: what was loaded.
 */
u32 tinyvm_do(struct tinyvm *vm, unsigned int cpu, enum tinyvm_op op, u32 gpa, u32 value,
	      u32 count);

/** tinyvm_read() - Let vCPU 0 load from a register; Return: its value */
static inline u32 tinyvm_read(struct tinyvm *vm, u32 offset)
{
	return tinyvm_do(vm, 0, TINYVM_READ, TINYVM_BAR0 + offset, 0, 1);
}

/** tinyvm_write() - Let vCPU 0 store into a register */
static inline void tinyvm_write(struct tinyvm *vm, u32 offset, u32 value)
{
	tinyvm_do(vm, 0, TINYVM_WRITE, TINYVM_BAR0 + offset, value, 1);
}

#endif
