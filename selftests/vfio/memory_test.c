// SPDX-License-Identifier: GPL-2.0-only
/*
 * The GGTT as a table, and the aperture behind it.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>

#include "groups.h"
#include "vgpu.h"

#define ENTRIES		(GEN9_GGTT_TABLE_SIZE / GEN9_PTE_SIZE)
#define IOVA		0x10000000ull
#define BYTES		0x4000u

static u32 place(u32 index)
{
	return GEN9_GTTMMADR_GGTT + index * GEN9_PTE_SIZE;
}

static u64 pattern(u32 index)
{
	return 0x9e3779b97f4a7c15ull * (index + 1);
}

/* All over the table, whatever the bits, entries read back as they were written. */
static void entries(void)
{
	struct vgpu vgpu;
	u32 i;

	vgpu_start(&vgpu);
	for (i = 0; i < ENTRIES; i += 509)
		EXPECT_EQ(vgpu_read64(&vgpu, place(i)), 0);
	for (i = 0; i < ENTRIES; i += 509)
		vgpu_write64(&vgpu, place(i), pattern(i));
	vgpu_write64(&vgpu, place(ENTRIES - 1), pattern(ENTRIES - 1));
	for (i = 0; i < ENTRIES; i += 509)
		EXPECT_EQ(vgpu_read64(&vgpu, place(i)), pattern(i));
	EXPECT_EQ(vgpu_read64(&vgpu, place(ENTRIES - 1)), pattern(ENTRIES - 1));
	EXPECT_EQ(vgpu_read64(&vgpu, place(1)), 0);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_RESET, NULL), 0);
	for (i = 0; i < ENTRIES; i += 509)
		EXPECT_EQ(vgpu_read64(&vgpu, place(i)), 0);
	vgpu_stop(&vgpu);
}

/* Halves, words and bytes. */
static void parts(void)
{
	const u32 bar0 = VFIO_PCI_BAR0_REGION_INDEX;
	struct vgpu vgpu;
	u8 byte = 0xee;

	vgpu_start(&vgpu);
	vgpu_write(&vgpu, place(7) + 4, 0x11223344);
	vgpu_write(&vgpu, place(7), 0x55667788);
	EXPECT_EQ(vgpu_read64(&vgpu, place(7)), 0x1122334455667788ll);
	EXPECT_EQ(vgpu_pwrite(&vgpu, bar0, place(7) + 6, &byte, 1), 1);
	EXPECT_EQ(vgpu_read64(&vgpu, place(7)), 0x11ee334455667788ll);
	EXPECT_EQ(vgpu_read(&vgpu, place(7) + 4), 0x11ee3344);
	vgpu_stop(&vgpu);
}

/* Nobody else's table shows, before or after. */
static void private_tables(void)
{
	struct vgpu one, two;

	vgpu_start(&one);
	vgpu_remove(1);
	EXPECT_EQ(vgpu_create(1), 0);
	vgpu_open(&two, 1);
	vgpu_write64(&one, place(5), 0x5001);
	EXPECT_EQ(vgpu_read64(&two, place(5)), 0);
	vgpu_stop(&two);
	vgpu_close(&one);
	vgpu_open(&one, 0);
	EXPECT_EQ(vgpu_read64(&one, place(5)), 0);
	vgpu_stop(&one);
}

static u8 *map_memory(const struct vgpu *vgpu)
{
	u8 *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.vaddr = (uintptr_t)memory,
		.iova = IOVA,
		.size = BYTES,
	};

	EXPECT(memory != MAP_FAILED);
	EXPECT_EQ(ioctl(vgpu->container, VFIO_IOMMU_MAP_DMA, &map), 0);
	return memory;
}

/* Writes arrive where the entry points, reads come from there; pages may be anywhere. */
static void aperture(void)
{
	const u32 bar2 = VFIO_PCI_BAR2_REGION_INDEX;
	struct vgpu vgpu;
	char text[16];
	u8 *memory;

	vgpu_start(&vgpu);
	memory = map_memory(&vgpu);
	vgpu_write64(&vgpu, place(0), (IOVA + 0x2000) | GEN9_GGTT_PRESENT);
	vgpu_write64(&vgpu, place(1), IOVA | GEN9_GGTT_PRESENT);
	EXPECT_EQ(vgpu_pwrite(&vgpu, bar2, 0x10, "first page", 11), 11);
	EXPECT_EQ(vgpu_pwrite(&vgpu, bar2, 0x1020, "second", 7), 7);
	EXPECT_EQ(strcmp((char *)memory + 0x2010, "first page"), 0);
	EXPECT_EQ(strcmp((char *)memory + 0x20, "second"), 0);
	memcpy(memory + 0x80, "by memory", 10);
	EXPECT_EQ(vgpu_pread(&vgpu, bar2, 0x1080, text, 10), 10);
	EXPECT_EQ(strcmp(text, "by memory"), 0);
	vgpu_stop(&vgpu);
}

/* No entry, or one that points to no memory of the guest: nothing is there, nothing happens. */
static void aperture_unmapped(void)
{
	const u32 bar2 = VFIO_PCI_BAR2_REGION_INDEX;
	struct vgpu vgpu;
	u32 value = 0x12345678;

	vgpu_start(&vgpu);
	EXPECT_EQ(vgpu_pwrite(&vgpu, bar2, 0x3000, &value, 4), 4);
	EXPECT_EQ(vgpu_pread(&vgpu, bar2, 0x3000, &value, 4), 4);
	EXPECT_EQ(value, 0);
	vgpu_write64(&vgpu, place(3), 0x7fffff000ull | GEN9_GGTT_PRESENT);
	value = 0x12345678;
	EXPECT_EQ(vgpu_pwrite(&vgpu, bar2, 0x3000, &value, 4), 4);
	EXPECT_EQ(vgpu_pread(&vgpu, bar2, 0x3000, &value, 4), 4);
	EXPECT_EQ(value, 0);
	vgpu_stop(&vgpu);
}

static const struct testcase tests[] = {
	{ "ggtt-entries", entries },
	{ "ggtt-parts", parts },
	{ "ggtt-private", private_tables },
	{ "aperture", aperture },
	{ "aperture-unmapped", aperture_unmapped },
};

const struct testgroup memory_tests = { tests, ARRAY_SIZE(tests) };
