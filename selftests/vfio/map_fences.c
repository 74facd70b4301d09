// SPDX-License-Identifier: GPL-2.0-only
/*
 * The aperture through fences: what the CPU sees of tiled memory, by mappings and by calls,
 * against a reference that works byte by byte.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>
#include <gvirt/gen9_reset.h>

#include "map.h"
#include "tinyvm.h"

#define IOVA		0x40000000ull
#define MOST_PAGES	2048u

/**
 * struct rig - A vGPU whose GGTT maps all of its memory, in another order
 * @vgpu: the vGPU
 * @memory: the guest's
 * @pages: of @memory, and of the aperture from 0 on
 * @aperture: mapped; NULL: it cannot be
 */
struct rig {
	struct vgpu vgpu;
	u8 *memory;
	u32 pages;
	volatile u8 *aperture;
};

/**
 * struct surface - What a fence is set for
 * @start: in the GGTT
 * @size: bytes, whole pages
 * @pitch: bytes
 * @y: Y tiles, else X
 */
struct surface {
	u32 start;
	u32 size;
	u32 pitch;
	bool y;
};

/* A number that depends on its place. */
static u32 mark(u64 place, u32 salt)
{
	return (u32)((place + 1) * 2654435761u) ^ salt * 0x9e3779b9u;
}

/* X tiles are 8 rows of 512 bytes; Y tiles 8 columns of 32 rows of 16 bytes. */
static u32 tiled(const struct surface *s, u32 linear)
{
	u32 x = linear % s->pitch, y = linear / s->pitch;

	if (s->y)
		return (y / 32 * (s->pitch / 128) + x / 128) * PAGE + x % 128 / 16 * 512 +
		       y % 32 * 16 + x % 16;
	return (y / 8 * (s->pitch / 512) + x / 512) * PAGE + y % 8 * 512 + x % 512;
}

/* The page of memory that an entry maps. */
static u32 page_of(const struct rig *rig, u32 entry)
{
	return (entry * 7 + 3) % rig->pages;
}

static void set_entry(const struct vgpu *vgpu, u32 index, u64 page)
{
	vgpu_write64(vgpu, GEN9_GTTMMADR_GGTT + index * GEN9_PTE_SIZE,
		     (IOVA + page * PAGE) | GEN9_GGTT_PRESENT);
}

static u32 *at_ggtt(const struct rig *rig, u32 address)
{
	return (u32 *)(rig->memory + page_of(rig, address / PAGE) * PAGE + address % PAGE);
}

/* Where the dword at @linear of a surface is in memory. */
static u32 *at(const struct rig *rig, const struct surface *s, u32 linear)
{
	return at_ggtt(rig, s->start + (s->pitch ? tiled(s, linear) : linear));
}

/* As a driver does: off, upper half, lower half with the valid bit. */
static void set_fence(const struct vgpu *vgpu, unsigned int n, const struct surface *s)
{
	vgpu_write(vgpu, GEN9_FENCE_LO(n), 0);
	vgpu_write(vgpu, GEN9_FENCE_HI(n), (s->start + s->size - PAGE) | (s->pitch / 128 - 1));
	vgpu_write(vgpu, GEN9_FENCE_LO(n), s->start | s->y << 1 | 1);
}

static void clear_fence(const struct vgpu *vgpu, unsigned int n)
{
	vgpu_write(vgpu, GEN9_FENCE_LO(n), 0);
	vgpu_write(vgpu, GEN9_FENCE_HI(n), 0);
}

static void fill_rig(struct rig *rig, u32 pages)
{
	struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.iova = IOVA,
		.size = (u64)pages * PAGE,
	};
	u32 i;

	EXPECT(pages % 7);
	rig->pages = pages;
	rig->memory = mmap(NULL, map.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	EXPECT(rig->memory != MAP_FAILED);
	map.vaddr = (uintptr_t)rig->memory;
	EXPECT_EQ(ioctl(rig->vgpu.container, VFIO_IOMMU_MAP_DMA, &map), 0);
	for (i = 0; i < pages; i++)
		set_entry(&rig->vgpu, i, page_of(rig, i));
	rig->aperture = map_region(&rig->vgpu, BAR2, 0, APERTURE);
}

static void start(struct rig *rig, unsigned int id, u32 pages)
{
	vgpu_remove(id);
	EXPECT_EQ(vgpu_create(id), 0);
	vgpu_open(&rig->vgpu, id);
	fill_rig(rig, pages);
}

static void unmap(struct rig *rig)
{
	if (rig->aperture)
		munmap((void *)rig->aperture, APERTURE);
	rig->aperture = NULL;
}

static void stop(struct rig *rig)
{
	unmap(rig);
	vgpu_close(&rig->vgpu);
	EXPECT_EQ(vgpu_counter(rig->vgpu.id, "pinned_pages"), 0);
	EXPECT_EQ(vgpu_remove(rig->vgpu.id), 0);
	munmap(rig->memory, (size_t)rig->pages * PAGE);
}

static void start_mapped(struct rig *rig, unsigned int id, u32 pages)
{
	start(rig, id, pages);
	if (!rig->aperture)
		test_skip("the module was told not to map the aperture");
}

/* One access, by a mapping or a call. */
static u32 load(const struct rig *rig, u32 address)
{
	u32 value;

	if (rig->aperture)
		return *(volatile u32 *)(rig->aperture + address);
	EXPECT_EQ(vgpu_pread(&rig->vgpu, BAR2, address, &value, 4), 4);
	return value;
}

static void store(const struct rig *rig, u32 address, u32 value)
{
	if (rig->aperture)
		*(volatile u32 *)(rig->aperture + address) = value;
	else
		EXPECT_EQ(vgpu_pwrite(&rig->vgpu, BAR2, address, &value, 4), 4);
}

/* Different places of a surface, the same ones at each call; one in each page at least. */
static u32 place(const struct surface *s, u32 i)
{
	u32 pages = s->size / PAGE;

	return i % pages * PAGE + mark(i, 0) % (PAGE / 4) * 4;
}

static void store_all(const struct rig *rig, const struct surface *s, u32 count, u32 salt)
{
	u32 i;

	for (i = 0; i < count; i++)
		store(rig, s->start + place(s, i), mark(place(s, i), salt));
	/* Stores may be combined: a load waits for them. */
	load(rig, s->start + place(s, 0));
}

static void expect_memory(const struct rig *rig, const struct surface *s, u32 count, u32 salt)
{
	u32 i;

	for (i = 0; i < count; i++)
		EXPECT_EQ(*at(rig, s, place(s, i)), mark(place(s, i), salt));
}

static void expect_loads(const struct rig *rig, const struct surface *s, u32 count, u32 salt)
{
	u32 i;

	for (i = 0; i < count; i++)
		EXPECT_EQ(load(rig, s->start + place(s, i)), mark(place(s, i), salt));
}

static void fill_memory(const struct rig *rig, const struct surface *s, u32 count, u32 salt)
{
	u32 i;

	for (i = 0; i < count; i++)
		*at(rig, s, place(s, i)) = mark(place(s, i), salt);
}

static void check_surface(const struct rig *rig, const struct surface *s, u32 count, u32 salt)
{
	store_all(rig, s, count, salt);
	expect_memory(rig, s, count, salt);
	fill_memory(rig, s, count, salt + 1);
	expect_loads(rig, s, count, salt + 1);
}

/* All bytes by calls of odd sizes, which cross tiles and pages. */
static void check_calls(const struct rig *rig, const struct surface *s)
{
	u8 *data = malloc(s->size), *back = malloc(s->size);
	u32 done, len;

	EXPECT(data && back);
	for (done = 0; done < s->size; done++)
		data[done] = mark(done, 77);
	for (done = 0; done < s->size; done += len) {
		len = vgpu_pwrite(&rig->vgpu, BAR2, s->start + done, data + done,
				  done + 5001 < s->size ? 5001 : s->size - done);
		EXPECT(len && len <= PAGE);
	}
	for (done = 0; done < s->size; done++)
		EXPECT_EQ(((u8 *)at(rig, s, done & ~3u))[done & 3], data[done]);
	for (done = 0; done < s->size; done += len) {
		len = vgpu_pread(&rig->vgpu, BAR2, s->start + done, back + done,
				 done + 333 < s->size ? 333 : s->size - done);
		EXPECT(len && len <= PAGE);
	}
	EXPECT(!memcmp(data, back, s->size));
	free(data);
	free(back);
}

/* Tests. */

static void check_tiling(bool y)
{
	const struct surface s = { 3 * PAGE, 0x20000, 2048, y };
	struct rig rig;

	start(&rig, 0, 64);
	set_fence(&rig.vgpu, 5, &s);
	check_surface(&rig, &s, 100, 1);
	check_calls(&rig, &s);
	expect_loads(&rig, &s, 0, 0);
	if (rig.aperture)
		EXPECT(vgpu_counter(0, "aperture_fenced") >= s.size / PAGE);
	/* Next to it memory is as it is. */
	store(&rig, 2 * PAGE + 4, 0x5151);
	store(&rig, s.start + s.size, 0x5252);
	EXPECT_EQ(load(&rig, 2 * PAGE + 4), 0x5151);
	EXPECT_EQ(*at_ggtt(&rig, 2 * PAGE + 4), 0x5151);
	EXPECT_EQ(load(&rig, s.start + s.size), 0x5252);
	EXPECT_EQ(*at_ggtt(&rig, s.start + s.size), 0x5252);
	stop(&rig);
}

static void fence_x(void)
{
	check_tiling(false);
}

static void fence_y(void)
{
	check_tiling(true);
}

/* Another tiling, another pitch, none; a register that is half written is no fence. */
static void fence_changes(void)
{
	const struct surface s[] = {
		{ PAGE, 0x10000, 0, false },
		{ PAGE, 0x10000, 1024, false },
		{ PAGE, 0x10000, 1024, true },
		{ PAGE, 0x10000, 512, false },
		{ PAGE, 0x10000, 384, true },
	};
	struct rig rig;
	u32 i;

	start(&rig, 0, 32);
	for (i = 0; i < 10; i++) {
		if (i % 5)
			set_fence(&rig.vgpu, 31, &s[i % 5]);
		else
			clear_fence(&rig.vgpu, 31);
		check_surface(&rig, &s[i % 5], 32, 10 + i);
	}
	/* 8 bytes at once. */
	vgpu_write64(&rig.vgpu, GEN9_FENCE_LO(31), 0);
	check_surface(&rig, &s[0], 32, 20);
	vgpu_write64(&rig.vgpu, GEN9_FENCE_LO(31),
		     (u64)(s[1].start + s[1].size - PAGE + 7) << 32 | s[1].start | 1);
	check_surface(&rig, &s[1], 32, 30);
	/* X with a pitch for Y only. */
	vgpu_write(&rig.vgpu, GEN9_FENCE_HI(31), (s[1].start + s[1].size - PAGE) | 2);
	check_surface(&rig, &s[0], 32, 40);
	set_fence(&rig.vgpu, 31, &s[2]);
	check_surface(&rig, &s[2], 32, 50);
	/* A full reset by the guest clears fences, and the GGTT stays. */
	vgpu_write(&rig.vgpu, GEN9_GDRST, GEN9_GDRST_FULL);
	check_surface(&rig, &s[0], 32, 60);
	stop(&rig);
}

/* Entries of a chunk that change: the fence's next access goes where they point then. */
static void fence_entries(void)
{
	const struct surface s = { 0, 0x10000, 1024, false };
	struct rig rig;
	u32 i;

	start(&rig, 0, 32);
	set_fence(&rig.vgpu, 0, &s);
	check_surface(&rig, &s, 32, 1);
	for (i = 0; i < 16; i++) {
		/* The tile that the first dword of each eighth row is in. */
		set_entry(&rig.vgpu, i, 31 - i);
		store(&rig, i / 2 * 8 * 1024 + i % 2 * 512, 0x7000 + i);
		EXPECT_EQ(load(&rig, i / 2 * 8 * 1024 + i % 2 * 512), 0x7000 + i);
		EXPECT_EQ(*(u32 *)(rig.memory + (31 - i) * PAGE), 0x7000 + i);
	}
	/* None at all: nobody's memory, and no signal. */
	vgpu_write64(&rig.vgpu, GEN9_GTTMMADR_GGTT, 0);
	*(u32 *)(rig.memory + 31 * PAGE) = 0x99;
	store(&rig, 0, 0x98);
	EXPECT_EQ(*(u32 *)(rig.memory + 31 * PAGE), 0x99);
	EXPECT_EQ(load(&rig, 8 * 1024), 0x7002);
	stop(&rig);
}

/* The longest rows, which no entry maps but a few; a fence that ends within a row of tiles. */
static void fence_edges(void)
{
	const struct surface wide[] = {
		{ 0, 0x40000, 0x40000, true }, { 0, 0x40000, 0x40000, false },
	};
	const struct surface cut = { PAGE, 3 * PAGE, 4096, false };
	struct rig rig;
	u32 i, k;

	start(&rig, 0, 96);
	for (k = 0; k < 2; k++) {
		set_fence(&rig.vgpu, 3, &wide[k]);
		for (i = 0; i < 64; i++) {
			u32 linear = i * PAGE + 16;

			if (tiled(&wide[k], linear) >= rig.pages * PAGE)
				continue;
			store(&rig, linear, 0x300 + i);
			EXPECT_EQ(load(&rig, linear), 0x300 + i);
			EXPECT_EQ(*at(&rig, &wide[k], linear), 0x300 + i);
		}
	}
	set_fence(&rig.vgpu, 3, &cut);
	check_surface(&rig, &cut, 12, 5);
	store(&rig, 4 * PAGE + 8, 0x6161);
	EXPECT_EQ(load(&rig, 4 * PAGE + 8), 0x6161);
	EXPECT_EQ(*at_ggtt(&rig, 4 * PAGE + 8), 0x6161);
	/* The last page of the aperture, in a row of tiles that goes on behind it. */
	set_entry(&rig.vgpu, APERTURE / PAGE - 1, 7);
	vgpu_write(&rig.vgpu, GEN9_FENCE_LO(3), 0);
	vgpu_write(&rig.vgpu, GEN9_FENCE_HI(3), 0xfffff7ff);
	vgpu_write(&rig.vgpu, GEN9_FENCE_LO(3), (APERTURE - PAGE) | 3);
	store(&rig, APERTURE - PAGE + 8, 0x6262);
	EXPECT_EQ(load(&rig, APERTURE - PAGE + 8), 0x6262);
	EXPECT_EQ(*(u32 *)(rig.memory + 7 * PAGE + 8), 0x6262);
	stop(&rig);
}

/* Mappings and calls agree on the first one; without it the other one counts. */
static void fence_overlap(void)
{
	const struct surface a = { 0, 8 * PAGE, 1024, true };
	const struct surface b = { 0, 16 * PAGE, 512, false };
	struct rig rig;

	start(&rig, 0, 16);
	set_fence(&rig.vgpu, 9, &b);
	check_surface(&rig, &b, 40, 1);
	set_fence(&rig.vgpu, 2, &a);
	check_surface(&rig, &a, 40, 3);
	check_calls(&rig, &a);
	clear_fence(&rig.vgpu, 2);
	check_surface(&rig, &b, 40, 5);
	check_calls(&rig, &b);
	stop(&rig);
}

/* More fences in use than the chip has: they are taken from each other, and all hold. */
static void fence_many(void)
{
	struct rig rig[2];
	struct surface s;
	u32 k, n, lost = 0;

	for (k = 0; k < 2; k++)
		start_mapped(&rig[k], k, 8 * GEN9_FENCE_COUNT);
	for (n = 0; n < 4 * GEN9_FENCE_COUNT; n++) {
		k = n % 2;
		s = (struct surface){ n / 2 % 32 * 8 * PAGE, 8 * PAGE, n & 4 ? 1024 : 512, n & 8 };
		if (n < 2 * GEN9_FENCE_COUNT) {
			set_fence(&rig[k].vgpu, n / 2, &s);
			store_all(&rig[k], &s, 8, n);
		} else {
			expect_loads(&rig[k], &s, 8, n - 2 * GEN9_FENCE_COUNT);
			expect_memory(&rig[k], &s, 8, n - 2 * GEN9_FENCE_COUNT);
		}
	}
	for (k = 0; k < 2; k++)
		lost += vgpu_counter(k, "aperture_fence_losses");
	EXPECT(lost >= GEN9_FENCE_COUNT);
	for (k = 0; k < 2; k++)
		stop(&rig[k]);
}

/* Memory that goes away is not reached; a reset ends all. */
static void fence_goes(void)
{
	struct vfio_iommu_type1_dma_unmap gone = {
		.argsz = sizeof(gone), .iova = IOVA, .size = 32 * PAGE,
	};
	const struct surface s = { 0, 16 * PAGE, 1024, true };
	struct rig rig;

	start_mapped(&rig, 0, 32);
	set_fence(&rig.vgpu, 1, &s);
	store_all(&rig, &s, 16, 1);
	EXPECT(vgpu_counter(0, "pinned_pages") >= 16);
	EXPECT_EQ(ioctl(rig.vgpu.container, VFIO_IOMMU_UNMAP_DMA, &gone), 0);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	store_all(&rig, &s, 16, 2);
	expect_memory(&rig, &s, 16, 1);
	EXPECT_EQ(vgpu_ioctl(&rig.vgpu, VFIO_DEVICE_RESET, NULL), 0);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	EXPECT_EQ(load(&rig, 0), 0);
	EXPECT_EQ(load(&rig, 5 * PAGE), 0);
	stop(&rig);
}

/**
 * struct toucher - One that stores and loads all over the aperture
 * @rig: whose
 * @stop: set when it is enough
 */
struct toucher {
	const struct rig *rig;
	volatile bool stop;
};

static void *touch(void *data)
{
	struct toucher *t = data;
	u32 i;

	for (i = 0; !t->stop; i++) {
		store(t->rig, mark(i, 3) % t->rig->pages * PAGE + 64, i);
		load(t->rig, mark(i, 4) % t->rig->pages * PAGE + 128);
	}
	return NULL;
}

/* Any register values, and entries that change, while another thread is at it. */
static void fence_hostile(void)
{
	const struct surface linear = { 0, 64 * PAGE, 0, false };
	struct toucher t;
	struct rig rig;
	pthread_t thread;
	u32 i, n;

	start(&rig, 0, 64);
	t = (struct toucher){ .rig = &rig };
	EXPECT_EQ(pthread_create(&thread, NULL, touch, &t), 0);
	for (i = 0; i < 600; i++) {
		n = mark(i, 5) % GEN9_FENCE_COUNT;
		vgpu_write(&rig.vgpu, GEN9_FENCE_HI(n), mark(i, 6) >> (i % 3 * 6));
		vgpu_write(&rig.vgpu, GEN9_FENCE_LO(n), (mark(i, 7) % 80 << 12) | (i & 3));
		set_entry(&rig.vgpu, mark(i, 8) % 64, mark(i, 9) % 100);
	}
	t.stop = true;
	EXPECT_EQ(pthread_join(thread, NULL), 0);
	for (n = 0; n < GEN9_FENCE_COUNT; n++)
		clear_fence(&rig.vgpu, n);
	for (i = 0; i < rig.pages; i++)
		set_entry(&rig.vgpu, i, page_of(&rig, i));
	check_surface(&rig, &linear, 64, 9);
	EXPECT_EQ(vgpu_ioctl(&rig.vgpu, VFIO_DEVICE_RESET, NULL), 0);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	stop(&rig);
}

/**
 * struct reader - A vCPU that reads a tiled surface
 * @vm: the VM
 * @s: the surface
 * @stop: set when it is enough
 * @reads: how many
 * @bad: values that are not of the place
 */
struct reader {
	struct tinyvm *vm;
	const struct surface *s;
	volatile bool stop;
	u32 reads;
	u32 bad;
};

static void *read_surface(void *data)
{
	struct reader *r = data;
	u32 at, value;

	for (; !r->stop; r->reads++) {
		at = place(r->s, r->reads % 4096);
		value = tinyvm_do(r->vm, 1, TINYVM_READ, TINYVM_BAR2 + r->s->start + at, 0, 1);
		r->bad += value != mark(at, 4);
	}
	return NULL;
}

/* What a vCPU reads is right while another vGPU takes all fences: the VM never ends of it. */
static void fence_races(void)
{
	const struct surface s = { 0, 16 * PAGE, 1024, true };
	struct surface other = { 0, 8 * PAGE, 512, false };
	struct rig rig[2];
	struct tinyvm vm;
	struct reader r = { .vm = &vm, .s = &s };
	pthread_t thread;
	u32 n;

	tinyvm_start(&vm, 0);
	rig[0].vgpu = vm.vgpu;
	fill_rig(&rig[0], 32);
	if (!rig[0].aperture)
		test_skip("the aperture cannot be mapped: a parameter, or KVM before 6.13");
	start(&rig[1], 1, 8 * GEN9_FENCE_COUNT);
	set_fence(&vm.vgpu, 0, &s);
	fill_memory(&rig[0], &s, 4096, 4);
	tinyvm_slot(&vm, 1, TINYVM_BAR2, (void *)rig[0].aperture, APERTURE);
	EXPECT_EQ(pthread_create(&thread, NULL, read_surface, &r), 0);
	for (n = 0; n < 300; n++) {
		other.start = n % GEN9_FENCE_COUNT * 8 * PAGE;
		set_fence(&rig[1].vgpu, n % GEN9_FENCE_COUNT, &other);
		store_all(&rig[1], &other, 2, n);
		/* Another one of the vCPU's, over its own: that one still counts. */
		set_fence(&vm.vgpu, 1 + n % 31, &s);
		clear_fence(&vm.vgpu, 1 + n % 31);
	}
	r.stop = true;
	EXPECT_EQ(pthread_join(thread, NULL), 0);
	EXPECT_EQ(r.bad, 0);
	EXPECT(r.reads);
	EXPECT_EQ(vm.exits[1], 0);
	tinyvm_slot(&vm, 1, TINYVM_BAR2, NULL, 0);
	stop(&rig[1]);
	unmap(&rig[0]);
	tinyvm_stop(&vm);
}

static const struct testcase tests[] = {
	{ "fence-x", fence_x },
	{ "fence-y", fence_y },
	{ "fence-changes", fence_changes },
	{ "fence-entries", fence_entries },
	{ "fence-edges", fence_edges },
	{ "fence-overlap", fence_overlap },
	{ "fence-many", fence_many },
	{ "fence-goes", fence_goes },
	{ "fence-hostile", fence_hostile },
	{ "fence-races", fence_races },
};

const struct testgroup map_fences_tests = { tests, ARRAY_SIZE(tests) };
