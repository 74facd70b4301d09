// SPDX-License-Identifier: GPL-2.0-only
/*
 * The smallest VM that can touch a vGPU.
 *
 * vCPUs run flat 32-bit code without paging. Before each access the registers are set and
 * the vCPU starts at the code for it, which ends with HLT.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ktap.h"
#include "lib/container.h"
#include "lib/kvm.h"
#include "tinyvm.h"

#define CODE_BASE	0x1000
#define PAGE		0x1000

static const struct {
	enum tinyvm_op op;
	u8 code[12];
} programs[] = {
	{ TINYVM_READ, { 0x8b, 0x03, 0xf4 } },			/* mov eax, [ebx]; hlt */
	{ TINYVM_WRITE, { 0x89, 0x03, 0xf4 } },			/* mov [ebx], eax; hlt */
	{ TINYVM_WRITE16, { 0x66, 0x89, 0x03, 0xf4 } },		/* mov [ebx], ax; hlt */
	{ TINYVM_WRITE8, { 0x88, 0x03, 0xf4 } },		/* mov [ebx], al; hlt */
	{ TINYVM_OR, { 0x09, 0x03, 0xf4 } },			/* or [ebx], eax; hlt */
	{ TINYVM_CMPXCHG8B,		/* mov esi, ebx; mov ebx, eax; xor eax, eax; */
	  { 0x89, 0xde, 0x89, 0xc3, 0x31, 0xc0, 0x0f, 0xc7, 0x0e, 0xf4 } },
	{ TINYVM_READS, { 0x8b, 0x03, 0x49, 0x75, 0xfb, 0xf4 } },	/* dec ecx; jnz */
	{ TINYVM_WRITES, { 0x89, 0x03, 0x49, 0x75, 0xfb, 0xf4 } },
	{ TINYVM_FILL,			/* mov [ebx], eax; add ebx, 4; dec ecx; jnz */
	  { 0x89, 0x03, 0x83, 0xc3, 0x04, 0x49, 0x75, 0xf8, 0xf4 } },
};

static void set_segment(struct kvm_segment *segment, u8 type)
{
	*segment = (struct kvm_segment) {
		.limit = 0xffffffff, .selector = 8, .type = type, .present = 1, .db = 1, .s = 1,
		.g = 1,
	};
}

static void flatten(int cpu)
{
	struct kvm_sregs sregs;

	kvm_call(cpu, KVM_GET_SREGS, &sregs, "KVM_GET_SREGS");
	set_segment(&sregs.cs, 11);
	set_segment(&sregs.ds, 3);
	set_segment(&sregs.es, 3);
	set_segment(&sregs.ss, 3);
	sregs.cr0 |= 1;
	kvm_call(cpu, KVM_SET_SREGS, &sregs, "KVM_SET_SREGS");
}

static void add_cpus(struct tinyvm *vm, int kvm)
{
	int size = kvm_call(kvm, KVM_GET_VCPU_MMAP_SIZE, NULL, "KVM_GET_VCPU_MMAP_SIZE");
	unsigned long i;

	for (i = 0; i < TINYVM_CPUS; i++) {
		vm->cpu[i] = kvm_call(vm->vm, KVM_CREATE_VCPU, (void *)i, "KVM_CREATE_VCPU");
		vm->run[i] = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, vm->cpu[i], 0);
		EXPECT(vm->run[i] != MAP_FAILED);
		flatten(vm->cpu[i]);
	}
}

static void add_code(struct tinyvm *vm)
{
	u8 *code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t i;

	EXPECT(code != MAP_FAILED);
	for (i = 0; i < ARRAY_SIZE(programs); i++)
		memcpy(code + programs[i].op, programs[i].code, sizeof(programs[i].code));
	tinyvm_slot(vm, 0, CODE_BASE, code, PAGE);
}

static void open_vgpu(struct tinyvm *vm, unsigned int id)
{
	struct vgpu *vgpu = &vm->vgpu;
	char uuid[64];
	u32 i;

	vgpu->id = id;
	vgpu->container = container_open();
	vgpu->group = vgpu_open_group(id);
	EXPECT(vgpu->group >= 0);
	kvm_call(vgpu->group, VFIO_GROUP_SET_CONTAINER, &vgpu->container,
		 "VFIO_GROUP_SET_CONTAINER");
	EXPECT_EQ(ioctl(vgpu->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU), 0);
	vm->vfio = kvm_join_group(vm->vm, vgpu->group);
	snprintf(uuid, sizeof(uuid), VGPU_UUID, id);
	vgpu->fd = kvm_call(vgpu->group, VFIO_GROUP_GET_DEVICE_FD, uuid, "opening the vGPU");
	for (i = 0; i < VFIO_PCI_NUM_REGIONS; i++) {
		struct vfio_region_info info = { .argsz = sizeof(info), .index = i };

		EXPECT_EQ(vgpu_ioctl(vgpu, VFIO_DEVICE_GET_REGION_INFO, &info), 0);
		vgpu->offset[i] = info.offset;
	}
}

void tinyvm_start(struct tinyvm *vm, unsigned int id)
{
	int kvm = open("/dev/kvm", O_RDWR);

	if (kvm < 0)
		test_skip("no /dev/kvm: %s", strerror(errno));
	memset(vm, 0, sizeof(*vm));
	vm->vm = kvm_call(kvm, KVM_CREATE_VM, NULL, "KVM_CREATE_VM");
	add_code(vm);
	add_cpus(vm, kvm);
	close(kvm);
	vgpu_remove(id);
	EXPECT_EQ(vgpu_create(id), 0);
	open_vgpu(vm, id);
}

void tinyvm_stop(struct tinyvm *vm)
{
	unsigned int i;

	vgpu_stop(&vm->vgpu);
	for (i = 0; i < TINYVM_CPUS; i++)
		close(vm->cpu[i]);
	close(vm->vfio);
	close(vm->vm);
}

void tinyvm_slot(struct tinyvm *vm, u32 slot, u64 gpa, void *memory, u64 bytes)
{
	struct kvm_userspace_memory_region region = {
		.slot = slot,
		.guest_phys_addr = gpa,
		.memory_size = memory ? bytes : 0,
		.userspace_addr = (uintptr_t)memory,
	};

	kvm_call(vm->vm, KVM_SET_USER_MEMORY_REGION, &region, "KVM_SET_USER_MEMORY_REGION");
}

/* An access that no slot serves. */
static void serve(struct tinyvm *vm, struct kvm_run *run)
{
	u32 region = VFIO_PCI_BAR0_REGION_INDEX;
	u64 offset = run->mmio.phys_addr - TINYVM_BAR0;
	ssize_t len;

	if (run->mmio.phys_addr < TINYVM_BAR0) {
		region = VFIO_PCI_BAR2_REGION_INDEX;
		offset = run->mmio.phys_addr - TINYVM_BAR2;
	}
	if (run->mmio.is_write)
		len = vgpu_pwrite(&vm->vgpu, region, offset, run->mmio.data, run->mmio.len);
	else
		len = vgpu_pread(&vm->vgpu, region, offset, run->mmio.data, run->mmio.len);
	EXPECT_EQ(len, run->mmio.len);
}

u32 tinyvm_do(struct tinyvm *vm, unsigned int cpu, enum tinyvm_op op, u32 gpa, u32 value,
	      u32 count)
{
	struct kvm_run *run = vm->run[cpu];
	struct kvm_regs regs = {
		.rip = CODE_BASE + op, .rflags = 2, .rax = value, .rbx = gpa, .rcx = count,
	};

	if (op == TINYVM_CMPXCHG8B)
		regs.rcx = value;
	kvm_call(vm->cpu[cpu], KVM_SET_REGS, &regs, "KVM_SET_REGS");
	for (;;) {
		kvm_call(vm->cpu[cpu], KVM_RUN, NULL, "KVM_RUN");
		if (run->exit_reason == KVM_EXIT_HLT)
			break;
		if (run->exit_reason != KVM_EXIT_MMIO)
			test_fail("the vCPU ends with exit reason %u", run->exit_reason);
		vm->exits[cpu]++;
		serve(vm, run);
	}
	kvm_call(vm->cpu[cpu], KVM_GET_REGS, &regs, "KVM_GET_REGS");
	return regs.rax;
}
