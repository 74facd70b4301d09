// SPDX-License-Identifier: GPL-2.0-only
/*
 * A VM with one CPU that stores.
 *
 * The CPU runs in long mode, with pages of 2 MiB that map the first 16 GiB to themselves. For
 * each run the registers are set, and it goes through a list of stores up to HLT.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../ktap.h"
#include "kvm.h"
#include "vcpu.h"

#define PAGE		0x1000u
#define OWN_GPA		0x1000u
#define OWN_SIZE	(31 * PAGE)
#define LIST		(PAGE)		/* in its own memory, from here on */
#define LIST_ENTRIES	(4 * PAGE / sizeof(struct vdev_store))
#define PML4		(8 * PAGE)
#define PDPT		(9 * PAGE)
#define PD		(10 * PAGE)	/* 16 of them */
#define PDS		16u
#define OWN_SLOT	VCPU_SLOTS	/* the others are for vcpu_plug() */

#define PTE_PRESENT_RW	0x3ull
#define PTE_LARGE	0x80ull
#define CR0_PE_PG	0x80000001ull
#define CR4_PAE		0x20ull
#define EFER_LME_LMA	0x500ull
#define MOST_CPUID	256u

/* mov rdi, [rsi]; mov rax, [rsi + 8]; mov [rdi], rax; add rsi, 16; dec rcx; jnz; hlt */
static const u8 program[] = {
	0x48, 0x8b, 0x3e, 0x48, 0x8b, 0x46, 0x08, 0x48, 0x89, 0x07,
	0x48, 0x83, 0xc6, 0x10, 0x48, 0xff, 0xc9, 0x75, 0xed, 0xf4,
};

static void set_slot(struct vcpu *vcpu, u32 slot, u64 gpa, void *memory, u64 size)
{
	struct kvm_userspace_memory_region region = {
		.slot = slot,
		.guest_phys_addr = gpa,
		.memory_size = size,
		.userspace_addr = (uintptr_t)memory,
	};

	kvm_call(vcpu->vm, KVM_SET_USER_MEMORY_REGION, &region, "KVM_SET_USER_MEMORY_REGION");
}

static void add_own_memory(struct vcpu *vcpu)
{
	u8 *own = mmap(NULL, OWN_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u64 *pml4 = (u64 *)(own + PML4), *pdpt = (u64 *)(own + PDPT), *pd = (u64 *)(own + PD);
	u64 i;

	EXPECT(own != MAP_FAILED);
	memcpy(own, program, sizeof(program));
	pml4[0] = (OWN_GPA + PDPT) | PTE_PRESENT_RW;
	for (i = 0; i < PDS; i++)
		pdpt[i] = (OWN_GPA + PD + i * PAGE) | PTE_PRESENT_RW;
	for (i = 0; i < PDS * PAGE / sizeof(u64); i++)
		pd[i] = i << 21 | PTE_PRESENT_RW | PTE_LARGE;
	vcpu->own = own;
	set_slot(vcpu, OWN_SLOT, OWN_GPA, own, OWN_SIZE);
}

/* Long mode has to be there before it can be entered. */
static void set_cpuid(int kvm, int cpu)
{
	struct {
		struct kvm_cpuid2 head;
		struct kvm_cpuid_entry2 entry[MOST_CPUID];
	} cpuid = { .head.nent = MOST_CPUID };

	kvm_call(kvm, KVM_GET_SUPPORTED_CPUID, &cpuid, "KVM_GET_SUPPORTED_CPUID");
	kvm_call(cpu, KVM_SET_CPUID2, &cpuid, "KVM_SET_CPUID2");
}

static void set_segment(struct kvm_segment *segment, u8 type, bool code)
{
	*segment = (struct kvm_segment) {
		.limit = 0xffffffff, .selector = 8, .type = type, .present = 1, .db = !code,
		.s = 1, .l = code, .g = 1,
	};
}

static void enter_long_mode(int cpu)
{
	struct kvm_sregs sregs;

	kvm_call(cpu, KVM_GET_SREGS, &sregs, "KVM_GET_SREGS");
	set_segment(&sregs.cs, 11, true);
	set_segment(&sregs.ds, 3, false);
	set_segment(&sregs.es, 3, false);
	set_segment(&sregs.ss, 3, false);
	sregs.cr3 = OWN_GPA + PML4;
	sregs.cr4 |= CR4_PAE;
	sregs.efer |= EFER_LME_LMA;
	sregs.cr0 |= CR0_PE_PG;
	kvm_call(cpu, KVM_SET_SREGS, &sregs, "KVM_SET_SREGS");
}

static void add_cpu(struct vcpu *vcpu, int kvm)
{
	int size = kvm_call(kvm, KVM_GET_VCPU_MMAP_SIZE, NULL, "KVM_GET_VCPU_MMAP_SIZE");

	vcpu->cpu = kvm_call(vcpu->vm, KVM_CREATE_VCPU, NULL, "KVM_CREATE_VCPU");
	vcpu->run = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, vcpu->cpu, 0);
	EXPECT(vcpu->run != MAP_FAILED);
	set_cpuid(kvm, vcpu->cpu);
	enter_long_mode(vcpu->cpu);
}

void vcpu_start(struct vcpu *vcpu, int group)
{
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);

	if (kvm < 0)
		test_skip("no /dev/kvm: %s", strerror(errno));
	memset(vcpu, 0, sizeof(*vcpu));
	vcpu->vm = kvm_call(kvm, KVM_CREATE_VM, NULL, "KVM_CREATE_VM");
	add_own_memory(vcpu);
	add_cpu(vcpu, kvm);
	close(kvm);
	vcpu->vfio = kvm_join_group(vcpu->vm, group);
}

void vcpu_stop(struct vcpu *vcpu)
{
	close(vcpu->cpu);
	close(vcpu->vfio);
	close(vcpu->vm);
}

void vcpu_plug(struct vcpu *vcpu, u64 gpa, void *memory, u64 size)
{
	u32 slot;

	for (slot = 0; slot < VCPU_SLOTS && vcpu->slot[slot]; slot++)
		;
	EXPECT(slot < VCPU_SLOTS);
	vcpu->slot[slot] = gpa;
	set_slot(vcpu, slot, gpa, memory, size);
}

void vcpu_unplug(struct vcpu *vcpu, u64 gpa)
{
	u32 slot;

	for (slot = 0; slot < VCPU_SLOTS; slot++) {
		if (vcpu->slot[slot] != gpa)
			continue;
		set_slot(vcpu, slot, gpa, NULL, 0);
		vcpu->slot[slot] = 0;
	}
}

static void run(struct vcpu *vcpu, size_t count)
{
	const struct kvm_run *state = vcpu->run;
	struct kvm_regs regs = {
		.rip = OWN_GPA, .rflags = 2, .rsi = OWN_GPA + LIST, .rcx = count,
	};

	kvm_call(vcpu->cpu, KVM_SET_REGS, &regs, "KVM_SET_REGS");
	/* Where there is no memory it comes out of KVM, and goes nowhere. */
	do {
		kvm_call(vcpu->cpu, KVM_RUN, NULL, "KVM_RUN");
	} while (state->exit_reason == KVM_EXIT_MMIO);
	if (state->exit_reason != KVM_EXIT_HLT)
		test_fail("the CPU ends with exit reason %u", state->exit_reason);
}

void vcpu_store(struct vcpu *vcpu, const struct vdev_store *stores, size_t count)
{
	size_t some;

	for (; count; count -= some, stores += some) {
		some = count < LIST_ENTRIES ? count : LIST_ENTRIES;
		memcpy((u8 *)vcpu->own + LIST, stores, some * sizeof(*stores));
		run(vcpu, some);
	}
}
