// SPDX-License-Identifier: GPL-2.0-only
/*
 * The GGTT as memory of the guest's: what a burst costs, and that the aperture follows.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>

#include "map.h"
#include "tinyvm.h"

#define ENTRIES		GEN9_TABLE_ENTRIES
#define GGTT		GEN9_GTTMMADR_GGTT

/**
 * struct rig - A VM that has the GGTT and the aperture as memory
 * @vm: the VM
 * @ggtt: the table, mapped
 * @aperture: BAR2, mapped; NULL: not
 * @memory: the guest's
 */
struct rig {
	struct tinyvm vm;
	volatile u64 *ggtt;
	volatile u32 *aperture;
	u8 *memory;
};

static void *need_ggtt(const struct vgpu *vgpu)
{
	void *map = map_region(vgpu, BAR0, GGTT, GEN9_GGTT_TABLE_SIZE);

	if (!map)
		test_skip("the module was told not to map the GGTT");
	return map;
}

static void start(struct rig *rig)
{
	*rig = (struct rig) { };
	tinyvm_start(&rig->vm, 0);
	rig->ggtt = need_ggtt(&rig->vm.vgpu);
	rig->memory = map_memory(&rig->vm.vgpu);
	tinyvm_slot(&rig->vm, 1, TINYVM_BAR0 + GGTT, (void *)rig->ggtt, GEN9_GGTT_TABLE_SIZE);
}

static void start_with_aperture(struct rig *rig)
{
	start(rig);
	rig->aperture = map_aperture(&rig->vm.vgpu);
	tinyvm_slot(&rig->vm, 2, TINYVM_BAR2, (void *)rig->aperture, APERTURE);
}

static void stop(struct rig *rig)
{
	EXPECT_EQ(rig->vm.exits[0], 0);
	EXPECT_EQ(rig->vm.exits[1], 0);
	tinyvm_slot(&rig->vm, 1, TINYVM_BAR0 + GGTT, NULL, 0);
	munmap((void *)rig->ggtt, GEN9_GGTT_TABLE_SIZE);
	if (rig->aperture) {
		tinyvm_slot(&rig->vm, 2, TINYVM_BAR2, NULL, 0);
		munmap((void *)rig->aperture, APERTURE);
	}
	tinyvm_stop(&rig->vm);
}

static u64 faults(const struct rig *rig)
{
	return vgpu_counter(rig->vm.vgpu.id, "ggtt_faults");
}

static u64 place(u32 index)
{
	return GGTT + (u64)index * GEN9_PTE_SIZE;
}

/* An entry that maps a page of the guest's memory, by its lower half; the upper one is 0. */
static void set_entry(struct rig *rig, u32 index, u32 page)
{
	tinyvm_write(&rig->vm, place(index), (MAP_IOVA + page * PAGE) | GEN9_GGTT_PRESENT);
}

static void fill(struct rig *rig, u32 first, u32 value)
{
	tinyvm_do(&rig->vm, 0, TINYVM_FILL, TINYVM_BAR0 + place(first), value, 2 * ENTRIES);
}

/* 512 entries cost one exit, and more of them none; a call reads what was stored, and stores. */
static void burst(void)
{
	u64 before, calls;
	struct rig rig;
	u32 i;

	start(&rig);
	before = faults(&rig);
	calls = vgpu_counter(0, "trapped_writes");
	fill(&rig, 7 * ENTRIES, 0xabcd0001);
	EXPECT_EQ(faults(&rig), before + 1);
	fill(&rig, 7 * ENTRIES, 0xabcd0003);
	EXPECT_EQ(faults(&rig), before + 1);
	EXPECT_EQ(vgpu_counter(0, "trapped_writes"), calls);
	for (i = 0; i < ENTRIES; i++)
		EXPECT_EQ(vgpu_read64(&rig.vm.vgpu, place(7 * ENTRIES + i)), 0xabcd0003abcd0003ull);
	EXPECT_EQ(vgpu_read64(&rig.vm.vgpu, place(8 * ENTRIES)), 0);
	vgpu_write64(&rig.vm.vgpu, place(7 * ENTRIES + 5), 0x1234567890abcdefull);
	EXPECT_EQ(tinyvm_read(&rig.vm, place(7 * ENTRIES + 5)), 0x90abcdef);
	EXPECT_EQ(rig.ggtt[7 * ENTRIES + 5], 0x1234567890abcdefull);
	stop(&rig);
}

/* What the guest stores, its aperture shows; and what had been mapped is unpinned. */
static void aperture_follows(void)
{
	const u32 at = TINYVM_BAR2 + 3 * PAGE;
	struct rig rig;
	u32 n;

	start_with_aperture(&rig);
	for (n = 0; n < 8; n++) {
		set_entry(&rig, 3, n);
		tinyvm_do(&rig.vm, 0, TINYVM_WRITE, at, 0x400 + n, 1);
		EXPECT_EQ(*(u32 *)(rig.memory + n * PAGE), 0x400 + n);
		EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 1);
	}
	/* A call as well, and the VMM by its own mapping. */
	vgpu_write64(&rig.vm.vgpu, place(3), MAP_IOVA | GEN9_GGTT_PRESENT);
	EXPECT_EQ(tinyvm_do(&rig.vm, 0, TINYVM_READ, at, 0, 1), 0x400);
	rig.ggtt[3] = (MAP_IOVA + PAGE) | GEN9_GGTT_PRESENT;
	EXPECT_EQ(tinyvm_do(&rig.vm, 0, TINYVM_READ, at, 0, 1), 0x401);
	rig.ggtt[3] = 0;
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	EXPECT_EQ(tinyvm_do(&rig.vm, 0, TINYVM_READ, at, 0, 1), 0);
	stop(&rig);
}

/* Entries that are in use cost one exit more, once for all of a page of the table. */
static void burst_in_use(void)
{
	struct rig rig;
	u64 before;
	u32 n;

	start_with_aperture(&rig);
	for (n = 0; n < 8; n++)
		set_entry(&rig, n, n);
	for (n = 0; n < 8; n++)
		tinyvm_do(&rig.vm, 0, TINYVM_WRITE, TINYVM_BAR2 + n * PAGE, n, 1);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 8);
	before = faults(&rig);
	/* Another page of the table, whose entries nobody uses. */
	fill(&rig, ENTRIES, 0);
	EXPECT_EQ(faults(&rig), before + 1);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 8);
	fill(&rig, 0, 0);
	EXPECT_EQ(faults(&rig), before + 2);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	stop(&rig);
}

/* All is zero after a reset, in the mapping as well; and for the next user. */
static void reset(void)
{
	struct rig rig;

	start_with_aperture(&rig);
	set_entry(&rig, 0, 1);
	tinyvm_do(&rig.vm, 0, TINYVM_WRITE, TINYVM_BAR2, 1, 1);
	fill(&rig, ENTRIES, 0x55);
	EXPECT_EQ(vgpu_ioctl(&rig.vm.vgpu, VFIO_DEVICE_RESET, NULL), 0);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	EXPECT_EQ(tinyvm_read(&rig.vm, place(0)), 0);
	EXPECT_EQ(tinyvm_read(&rig.vm, place(ENTRIES)), 0);
	EXPECT_EQ(rig.ggtt[2 * ENTRIES - 1], 0);
	set_entry(&rig, 0, 2);
	tinyvm_do(&rig.vm, 0, TINYVM_WRITE, TINYVM_BAR2, 0x22, 1);
	EXPECT_EQ(*(u32 *)(rig.memory + 2 * PAGE), 0x22);
	stop(&rig);
}

static void next_user(void)
{
	volatile u64 *ggtt;
	struct vgpu vgpu;
	u32 i;

	vgpu_start(&vgpu);
	ggtt = need_ggtt(&vgpu);
	for (i = 0; i < GEN9_GGTT_TABLE_SIZE / GEN9_PTE_SIZE; i += ENTRIES)
		ggtt[i] = ~0ull;
	munmap((void *)ggtt, GEN9_GGTT_TABLE_SIZE);
	vgpu_close(&vgpu);
	vgpu_open(&vgpu, 0);
	ggtt = need_ggtt(&vgpu);
	for (i = 0; i < GEN9_GGTT_TABLE_SIZE / GEN9_PTE_SIZE; i += ENTRIES)
		EXPECT_EQ(ggtt[i], 0);
	munmap((void *)ggtt, GEN9_GGTT_TABLE_SIZE);
	vgpu_stop(&vgpu);
}

/* Entries that point to the table itself: it is no memory that could be pinned. */
static void of_itself(void)
{
	volatile u32 *aperture;
	volatile u64 *ggtt;
	struct vgpu vgpu;
	u32 value = 1;

	vgpu_start(&vgpu);
	ggtt = need_ggtt(&vgpu);
	aperture = map_aperture(&vgpu);
	map_dma(&vgpu, (void *)ggtt, MAP_IOVA, GEN9_GGTT_TABLE_SIZE);
	ggtt[0] = MAP_IOVA | GEN9_GGTT_PRESENT;
	ggtt[1] = (MAP_IOVA + PAGE) | GEN9_GGTT_PRESENT;
	aperture[0] = 0x31;
	aperture[1024] = 0x32;
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	EXPECT_EQ(ggtt[0], MAP_IOVA | GEN9_GGTT_PRESENT);
	EXPECT_EQ(ggtt[ENTRIES], 0);
	/* A call copies, with or without success, and comes back. */
	vgpu_pread(&vgpu, BAR2, 0, &value, 4);
	vgpu_pwrite(&vgpu, BAR2, PAGE, &value, 4);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_RESET, NULL), 0);
	munmap((void *)aperture, APERTURE);
	munmap((void *)ggtt, GEN9_GGTT_TABLE_SIZE);
	vgpu_stop(&vgpu);
}

/**
 * struct reader - A vCPU that reads one page of the aperture
 * @rig: its VM
 * @stop: set when it is enough
 * @bad: values that are of none of the pages behind it
 */
struct reader {
	struct rig *rig;
	volatile bool stop;
	u32 bad;
};

static void *read_aperture(void *data)
{
	struct reader *r = data;
	u32 value;

	while (!r->stop) {
		value = tinyvm_do(&r->rig->vm, 1, TINYVM_READ, TINYVM_BAR2 + 3 * PAGE, 0, 1);
		r->bad += value < 0x300 || value > 0x307;
	}
	return NULL;
}

/* One vCPU stores entries, another one uses them: the VM never ends of it. */
static void races(void)
{
	struct reader r = { };
	struct rig rig;
	pthread_t thread;
	u32 n;

	start_with_aperture(&rig);
	for (n = 0; n < 8; n++)
		*(u32 *)(rig.memory + n * PAGE) = 0x300 + n;
	set_entry(&rig, 3, 0);
	r.rig = &rig;
	EXPECT_EQ(pthread_create(&thread, NULL, read_aperture, &r), 0);
	for (n = 0; n < 500; n++)
		set_entry(&rig, 3, n % 8);
	r.stop = true;
	EXPECT_EQ(pthread_join(thread, NULL), 0);
	EXPECT_EQ(r.bad, 0);
	EXPECT_EQ(tinyvm_do(&rig.vm, 0, TINYVM_READ, TINYVM_BAR2 + 3 * PAGE, 0, 1),
		  0x300 + (n - 1) % 8);
	stop(&rig);
}

/* Both change entries, and use what both of them map. */
static void hammered(void)
{
	struct rig rig;

	start_with_aperture(&rig);
	map_hammer(&rig.vm, rig.memory);
	stop(&rig);
}

static const struct testcase tests[] = {
	{ "ggtt-burst", burst },
	{ "ggtt-aperture-follows", aperture_follows },
	{ "ggtt-burst-in-use", burst_in_use },
	{ "ggtt-reset", reset },
	{ "ggtt-next-user", next_user },
	{ "ggtt-of-itself", of_itself },
	{ "ggtt-races", races },
	{ "ggtt-hammered", hammered },
};

const struct testgroup map_ggtt_tests = { tests, ARRAY_SIZE(tests) };
