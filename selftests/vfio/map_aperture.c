// SPDX-License-Identifier: GPL-2.0-only
/*
 * The aperture, mapped to guest memory.
 */
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>

#include "map.h"
#include "tinyvm.h"

#define COUNTED	64u

static void set_entry(const struct vgpu *vgpu, u32 index, u64 entry)
{
	vgpu_write64(vgpu, GEN9_GTTMMADR_GGTT + index * GEN9_PTE_SIZE, entry);
}

void map_dma(const struct vgpu *vgpu, void *memory, u64 iova, u64 bytes)
{
	struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.vaddr = (uintptr_t)memory,
		.iova = iova,
		.size = bytes,
	};

	EXPECT_EQ(ioctl(vgpu->container, VFIO_IOMMU_MAP_DMA, &map), 0);
}

static void unmap_dma(const struct vgpu *vgpu, u64 iova, u64 bytes)
{
	struct vfio_iommu_type1_dma_unmap unmap = {
		.argsz = sizeof(unmap), .iova = iova, .size = bytes,
	};

	EXPECT_EQ(ioctl(vgpu->container, VFIO_IOMMU_UNMAP_DMA, &unmap), 0);
}

u8 *map_memory(const struct vgpu *vgpu)
{
	u8 *memory = mmap(NULL, MAP_MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			  0);

	EXPECT(memory != MAP_FAILED);
	map_dma(vgpu, memory, MAP_IOVA, MAP_MEMORY);
	return memory;
}

volatile u32 *map_aperture(const struct vgpu *vgpu)
{
	void *map = map_region(vgpu, BAR2, 0, APERTURE);

	if (!map)
		test_skip("the aperture cannot be mapped: a parameter, or KVM before 6.13");
	return map;
}

/* Stores arrive in the guest's memory, which is seen through the aperture as it is. */
static void aperture_reaches(void)
{
	volatile u32 *aperture;
	struct areas areas;
	struct vgpu vgpu;
	u32 value;
	u8 *memory;

	vgpu_start(&vgpu);
	aperture = map_aperture(&vgpu);
	EXPECT(map_areas(&vgpu, BAR2, &areas));
	EXPECT_EQ(areas.count, 0);
	memory = map_memory(&vgpu);
	set_entry(&vgpu, 0, (MAP_IOVA + 2 * PAGE) | GEN9_GGTT_PRESENT);
	set_entry(&vgpu, 1, MAP_IOVA | GEN9_GGTT_PRESENT);
	set_entry(&vgpu, 65535, (MAP_IOVA + PAGE) | GEN9_GGTT_PRESENT);
	aperture[1] = 0x1111;
	aperture[1024] = 0x2222;
	aperture[65535 * 1024] = 0x3333;
	EXPECT_EQ(*(u32 *)(memory + 2 * PAGE + 4), 0x1111);
	EXPECT_EQ(*(u32 *)memory, 0x2222);
	EXPECT_EQ(*(u32 *)(memory + PAGE), 0x3333);
	*(u32 *)(memory + 8) = 0x4444;
	EXPECT_EQ(aperture[1024 + 2], 0x4444);
	EXPECT_EQ(vgpu_pread(&vgpu, BAR2, PAGE + 8, &value, 4), 4);
	EXPECT_EQ(value, 0x4444);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 3);
	munmap((void *)aperture, APERTURE);
	vgpu_close(&vgpu);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	EXPECT_EQ(vgpu_remove(0), 0);
}

/* What is known of each page is host memory, here of pages that are not the guest's. */
static void aperture_counted(void)
{
	volatile u32 *aperture;
	u64 before, after;
	struct vgpu vgpu;
	u32 n;

	vgpu_start(&vgpu);
	aperture = map_aperture(&vgpu);
	aperture[COUNTED * 1024] = 0;
	before = vgpu_counter(0, "host_memory");
	for (n = 0; n < COUNTED; n++)
		aperture[n * 1024] = n;
	after = vgpu_counter(0, "host_memory");
	EXPECT(after > before && (after - before) % COUNTED == 0);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_RESET, NULL), 0);
	EXPECT(vgpu_counter(0, "host_memory") < before);
	munmap((void *)aperture, APERTURE);
	vgpu_close(&vgpu);
	EXPECT_EQ(vgpu_remove(0), 0);
}

/* An entry that changes moves the page, and the old one is let go of. */
static void aperture_moves(void)
{
	volatile u32 *aperture;
	struct vgpu vgpu;
	u8 *memory;
	u32 n;

	vgpu_start(&vgpu);
	aperture = map_aperture(&vgpu);
	memory = map_memory(&vgpu);
	for (n = 0; n < 8; n++) {
		set_entry(&vgpu, 5, (MAP_IOVA + n * PAGE) | GEN9_GGTT_PRESENT);
		aperture[5 * 1024] = 0x100 + n;
		EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 1);
	}
	for (n = 0; n < 8; n++)
		EXPECT_EQ(*(u32 *)(memory + n * PAGE), 0x100 + n);
	/* One half of the entry. */
	vgpu_write(&vgpu, GEN9_GTTMMADR_GGTT + 5 * GEN9_PTE_SIZE, MAP_IOVA | GEN9_GGTT_PRESENT);
	EXPECT_EQ(aperture[5 * 1024], 0x100);
	munmap((void *)aperture, APERTURE);
	vgpu_stop(&vgpu);
}

/* Without an entry, or with one that points nowhere: no signal, nobody's memory. */
static void aperture_nowhere(void)
{
	volatile u32 *aperture;
	struct vgpu vgpu;
	u8 *memory;

	vgpu_start(&vgpu);
	aperture = map_aperture(&vgpu);
	memory = map_memory(&vgpu);
	EXPECT_EQ(aperture[0], 0);
	aperture[0] = 0x99;
	set_entry(&vgpu, 1, 0x7fffff000ull | GEN9_GGTT_PRESENT);
	aperture[1024] = 0x98;
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	set_entry(&vgpu, 0, MAP_IOVA | GEN9_GGTT_PRESENT);
	EXPECT_EQ(aperture[0], 0);
	EXPECT_EQ(*(u32 *)memory, 0);
	/* After a reset all is zero, and no page is left. */
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_RESET, NULL), 0);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	*(u32 *)memory = 0x77;
	EXPECT_EQ(aperture[0], 0);
	EXPECT_EQ(aperture[1024], 0);
	munmap((void *)aperture, APERTURE);
	vgpu_stop(&vgpu);
}

/* Memory that the VMM takes away is not reached any more. */
static void aperture_revoked(void)
{
	volatile u32 *aperture;
	struct vgpu vgpu;
	u8 *memory;

	vgpu_start(&vgpu);
	aperture = map_aperture(&vgpu);
	memory = map_memory(&vgpu);
	set_entry(&vgpu, 0, MAP_IOVA | GEN9_GGTT_PRESENT);
	set_entry(&vgpu, 1, (MAP_IOVA + PAGE) | GEN9_GGTT_PRESENT);
	aperture[0] = 0x66;
	aperture[1024] = 0x67;
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 2);
	unmap_dma(&vgpu, MAP_IOVA, MAP_MEMORY);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	aperture[0] = 0x55;
	EXPECT_EQ(*(u32 *)memory, 0x66);
	map_dma(&vgpu, memory, MAP_IOVA, MAP_MEMORY);
	set_entry(&vgpu, 0, MAP_IOVA | GEN9_GGTT_PRESENT);
	EXPECT_EQ(aperture[0], 0x66);
	munmap((void *)aperture, APERTURE);
	vgpu_stop(&vgpu);
}

/* Entries that point into the aperture itself: nothing is there, and nobody waits for himself. */
static void aperture_of_itself(void)
{
	volatile u32 *aperture;
	struct vgpu vgpu;
	u32 value = 1;

	vgpu_start(&vgpu);
	aperture = map_aperture(&vgpu);
	map_dma(&vgpu, (void *)aperture, MAP_IOVA, APERTURE);
	set_entry(&vgpu, 0, (MAP_IOVA + PAGE) | GEN9_GGTT_PRESENT);
	set_entry(&vgpu, 1, (MAP_IOVA + PAGE) | GEN9_GGTT_PRESENT);
	EXPECT_EQ(vgpu_pread(&vgpu, BAR2, 0, &value, 4), 4);
	EXPECT_EQ(value, 0);
	aperture[0] = 0x31;
	aperture[1024] = 0x32;
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	unmap_dma(&vgpu, MAP_IOVA, APERTURE);
	munmap((void *)aperture, APERTURE);
	vgpu_stop(&vgpu);
}

/* The guest's accesses go to its memory without the VMM. */
static void aperture_in_guest(void)
{
	struct tinyvm vm;
	void *aperture;
	u8 *memory;
	u32 n;

	tinyvm_start(&vm, 0);
	aperture = (void *)map_aperture(&vm.vgpu);
	memory = map_memory(&vm.vgpu);
	tinyvm_slot(&vm, 1, TINYVM_BAR2, aperture, APERTURE);
	for (n = 0; n < 8; n++) {
		set_entry(&vm.vgpu, 3, (MAP_IOVA + n * PAGE) | GEN9_GGTT_PRESENT);
		tinyvm_do(&vm, 0, TINYVM_WRITE, TINYVM_BAR2 + 3 * PAGE, 0x200 + n, 1);
		EXPECT_EQ(*(u32 *)(memory + n * PAGE), 0x200 + n);
		*(u32 *)(memory + n * PAGE + 4) = n;
		EXPECT_EQ(tinyvm_do(&vm, 0, TINYVM_READ, TINYVM_BAR2 + 3 * PAGE + 4, 0, 1), n);
	}
	tinyvm_do(&vm, 0, TINYVM_WRITE, TINYVM_BAR2 + 9 * PAGE, 1, 1);
	EXPECT_EQ(vm.exits[0], 0);
	tinyvm_slot(&vm, 1, TINYVM_BAR2, NULL, 0);
	munmap(aperture, APERTURE);
	tinyvm_stop(&vm);
}

/**
 * struct reader - A vCPU that reads one page of the aperture
 * @vm: the VM
 * @stop: set when it is enough
 * @bad: values that are of none of the pages behind it
 */
struct reader {
	struct tinyvm *vm;
	volatile bool stop;
	u32 bad;
};

static void *reader(void *data)
{
	struct reader *r = data;
	u32 value;

	while (!r->stop) {
		value = tinyvm_do(r->vm, 1, TINYVM_READ, TINYVM_BAR2 + 3 * PAGE, 0, 1);
		r->bad += value < 0x300 || value > 0x307;
	}
	return NULL;
}

/* A page that goes while a vCPU gets it comes again: the VM never ends of it. */
static void aperture_races(void)
{
	struct tinyvm vm;
	struct reader r = { .vm = &vm };
	pthread_t thread;
	void *aperture;
	u8 *memory;
	u32 n;

	tinyvm_start(&vm, 0);
	aperture = (void *)map_aperture(&vm.vgpu);
	memory = map_memory(&vm.vgpu);
	for (n = 0; n < 8; n++)
		*(u32 *)(memory + n * PAGE) = 0x300 + n;
	set_entry(&vm.vgpu, 3, MAP_IOVA | GEN9_GGTT_PRESENT);
	tinyvm_slot(&vm, 1, TINYVM_BAR2, aperture, APERTURE);
	EXPECT_EQ(pthread_create(&thread, NULL, reader, &r), 0);
	for (n = 0; n < 1000; n++)
		set_entry(&vm.vgpu, 3, (MAP_IOVA + n % 8 * PAGE) | GEN9_GGTT_PRESENT);
	r.stop = true;
	EXPECT_EQ(pthread_join(thread, NULL), 0);
	EXPECT_EQ(r.bad, 0);
	EXPECT_EQ(vm.exits[1], 0);
	tinyvm_slot(&vm, 1, TINYVM_BAR2, NULL, 0);
	munmap(aperture, APERTURE);
	tinyvm_stop(&vm);
}

/* Two vCPUs change entries, each by an exit, and use what both of them map. */
static void aperture_hammered(void)
{
	struct tinyvm vm;
	void *aperture;

	tinyvm_start(&vm, 0);
	aperture = (void *)map_aperture(&vm.vgpu);
	tinyvm_slot(&vm, 1, TINYVM_BAR2, aperture, APERTURE);
	map_hammer(&vm, map_memory(&vm.vgpu));
	EXPECT(vgpu_counter(0, "aperture_faults") >= MAP_HAMMER_ROUNDS);
	tinyvm_slot(&vm, 1, TINYVM_BAR2, NULL, 0);
	munmap(aperture, APERTURE);
	tinyvm_stop(&vm);
}

static const struct testcase tests[] = {
	{ "aperture-reaches", aperture_reaches },
	{ "aperture-counted", aperture_counted },
	{ "aperture-moves", aperture_moves },
	{ "aperture-nowhere", aperture_nowhere },
	{ "aperture-revoked", aperture_revoked },
	{ "aperture-of-itself", aperture_of_itself },
	{ "aperture-in-guest", aperture_in_guest },
	{ "aperture-races", aperture_races },
	{ "aperture-hammered", aperture_hammered },
};

const struct testgroup map_aperture_tests = { tests, ARRAY_SIZE(tests) };
