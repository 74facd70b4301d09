// SPDX-License-Identifier: GPL-2.0-only
/*
 * What VFIO's calls say, and what they say to bad arguments.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <gvirt/gen9_pci.h>

#include "groups.h"
#include "vgpu.h"

#define BAD_ADDRESS	((void *)16)
#define TRIGGER		VFIO_IRQ_SET_ACTION_TRIGGER
#define MASK		VFIO_IRQ_SET_ACTION_MASK
#define NONE		VFIO_IRQ_SET_DATA_NONE
#define BOOL		VFIO_IRQ_SET_DATA_BOOL
#define EVENTFD		VFIO_IRQ_SET_DATA_EVENTFD

static void device_info(void)
{
	struct vfio_device_info info = { .argsz = sizeof(info) };
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_INFO, &info), 0);
	EXPECT_EQ(info.flags, VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET);
	EXPECT_EQ(info.num_regions, VFIO_PCI_NUM_REGIONS);
	EXPECT_EQ(info.num_irqs, VFIO_PCI_NUM_IRQS);
	info.argsz = 8;
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_INFO, &info), -EINVAL);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_INFO, BAD_ADDRESS), -EFAULT);
	vgpu_stop(&vgpu);
}

#define READ_WRITE (VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE)

static void region_info(void)
{
	static const u64 size[VFIO_PCI_NUM_REGIONS] = {
		[VFIO_PCI_BAR0_REGION_INDEX] = GEN9_GTTMMADR_SIZE,
		[VFIO_PCI_BAR2_REGION_INDEX] = 0x10000000,
		[VFIO_PCI_CONFIG_REGION_INDEX] = 4096,
	};
	struct vfio_region_info info = { .argsz = sizeof(info) };
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	for (info.index = 0; info.index < VFIO_PCI_NUM_REGIONS; info.index++) {
		info.argsz = sizeof(info);
		EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_REGION_INFO, &info), 0);
		EXPECT_EQ(info.size, size[info.index]);
		EXPECT_EQ(info.flags & READ_WRITE, info.size ? READ_WRITE : 0);
		/* What of the BARs can be mapped is map_test.c's affair. */
		if (info.index > VFIO_PCI_BAR2_REGION_INDEX)
			EXPECT_EQ(info.flags & ~READ_WRITE, 0);
	}
	info.argsz = sizeof(info);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_REGION_INFO, &info), -EINVAL);
	info.index = ~0u;
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_REGION_INFO, &info), -EINVAL);
	info = (struct vfio_region_info) { .argsz = 16 };
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_REGION_INFO, &info), -EINVAL);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_REGION_INFO, BAD_ADDRESS), -EFAULT);
	vgpu_stop(&vgpu);
}

static void irq_info(void)
{
	static const u32 count[VFIO_PCI_NUM_IRQS] = {
		[VFIO_PCI_INTX_IRQ_INDEX] = 1,
		[VFIO_PCI_MSI_IRQ_INDEX] = 1,
		[VFIO_PCI_REQ_IRQ_INDEX] = 1,
	};
	struct vfio_irq_info info = { .argsz = sizeof(info) };
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	for (info.index = 0; info.index < VFIO_PCI_NUM_IRQS; info.index++) {
		EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_IRQ_INFO, &info), 0);
		EXPECT_EQ(info.count, count[info.index]);
		EXPECT_EQ(info.flags & VFIO_IRQ_INFO_EVENTFD, info.count);
	}
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_IRQ_INFO, &info), -EINVAL);
	info = (struct vfio_irq_info) { .argsz = 8 };
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_IRQ_INFO, &info), -EINVAL);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_IRQ_INFO, BAD_ADDRESS), -EFAULT);
	vgpu_stop(&vgpu);
}

static void set_irqs_bad(void)
{
	static const struct {
		u32 index;
		u32 flags;
		u32 count;
		int value;
		int err;
	} bad[] = {
		{ VFIO_PCI_NUM_IRQS, NONE | TRIGGER, 1, 0, -EINVAL },
		{ ~0u, NONE | TRIGGER, 1, 0, -EINVAL },
		{ VFIO_PCI_MSIX_IRQ_INDEX, EVENTFD | TRIGGER, 1, -1, -EINVAL },
		{ VFIO_PCI_ERR_IRQ_INDEX, EVENTFD | TRIGGER, 1, -1, -EINVAL },
		{ VFIO_PCI_MSI_IRQ_INDEX, EVENTFD | TRIGGER, 2, -1, -EINVAL },
		{ VFIO_PCI_MSI_IRQ_INDEX, EVENTFD | TRIGGER, 0, -1, -EINVAL },
		{ VFIO_PCI_MSI_IRQ_INDEX, BOOL | TRIGGER, 0, 0, -EINVAL },
		{ VFIO_PCI_MSI_IRQ_INDEX, EVENTFD | TRIGGER, ~0u, -1, -EINVAL },
		{ VFIO_PCI_MSI_IRQ_INDEX, EVENTFD | TRIGGER, 1, 9999, -EBADF },
		{ VFIO_PCI_MSI_IRQ_INDEX, EVENTFD | TRIGGER, 1, -2, -EBADF },
		/* Standard output is no eventfd. */
		{ VFIO_PCI_MSI_IRQ_INDEX, EVENTFD | TRIGGER, 1, 1, -EINVAL },
		{ VFIO_PCI_MSI_IRQ_INDEX, EVENTFD | NONE | TRIGGER, 1, -1, -EINVAL },
		{ VFIO_PCI_MSI_IRQ_INDEX, TRIGGER, 1, 0, -EINVAL },
		{ VFIO_PCI_MSI_IRQ_INDEX, NONE, 1, 0, -EINVAL },
		{ VFIO_PCI_MSI_IRQ_INDEX, NONE | TRIGGER | MASK, 1, 0, -EINVAL },
		{ VFIO_PCI_MSI_IRQ_INDEX, NONE | MASK, 1, 0, -EINVAL },
		{ VFIO_PCI_REQ_IRQ_INDEX, NONE | VFIO_IRQ_SET_ACTION_UNMASK, 1, 0, -EINVAL },
		{ VFIO_PCI_INTX_IRQ_INDEX, NONE | MASK, 0, 0, -EINVAL },
		{ VFIO_PCI_INTX_IRQ_INDEX, EVENTFD | VFIO_IRQ_SET_ACTION_UNMASK, 1, -1, -EINVAL },
		{ VFIO_PCI_INTX_IRQ_INDEX, 0xffffffff, 1, 0, -EINVAL },
	};
	struct vfio_irq_set small = {
		.argsz = sizeof(small), .flags = EVENTFD | TRIGGER,
		.index = VFIO_PCI_MSI_IRQ_INDEX, .count = 1,
	};
	struct vgpu vgpu;
	size_t i;
	int err;

	vgpu_start(&vgpu);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		err = vgpu_set_irq(&vgpu, bad[i].index, bad[i].flags, bad[i].count, bad[i].value);
		if (err != bad[i].err)
			test_fail("row %zu gives %d, expected %d", i, err, bad[i].err);
	}
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_SET_IRQS, &small), -EINVAL);
	small.argsz = 4;
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_SET_IRQS, &small), -EINVAL);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_SET_IRQS, BAD_ADDRESS), -EFAULT);
	vgpu_stop(&vgpu);
}

/* Sizes and places that no CPU's access has, and places where there is nothing. */
static void accesses_bad(void)
{
	static const struct {
		u32 region;
		u64 offset;
		size_t bytes;
	} bad[] = {
		{ VFIO_PCI_BAR0_REGION_INDEX, 0x2034, 3 },
		{ VFIO_PCI_BAR0_REGION_INDEX, 0x2034, 5 },
		{ VFIO_PCI_BAR0_REGION_INDEX, 0x2030, 16 },
		{ VFIO_PCI_BAR0_REGION_INDEX, 0x2031, 2 },
		{ VFIO_PCI_BAR0_REGION_INDEX, 0x2032, 4 },
		{ VFIO_PCI_BAR0_REGION_INDEX, 0x2034, 8 },
		{ VFIO_PCI_BAR0_REGION_INDEX, 0x800004, 8 },
		{ VFIO_PCI_BAR0_REGION_INDEX, 0xffffff, 2 },
		{ VFIO_PCI_BAR0_REGION_INDEX, 0x1000000, 4 },
		{ VFIO_PCI_BAR0_REGION_INDEX, 0xfffffffffcull, 4 },
		{ VFIO_PCI_BAR1_REGION_INDEX, 0, 4 },
		{ VFIO_PCI_BAR2_REGION_INDEX, 0x10000000, 4 },
		{ VFIO_PCI_BAR2_REGION_INDEX, 0xffffffe, 4 },
		{ VFIO_PCI_BAR4_REGION_INDEX, 0, 4 },
		{ VFIO_PCI_ROM_REGION_INDEX, 0, 4 },
		{ VFIO_PCI_CONFIG_REGION_INDEX, 4096, 1 },
		{ VFIO_PCI_CONFIG_REGION_INDEX, 4094, 4 },
		{ VFIO_PCI_VGA_REGION_INDEX, 0xa0000, 4 },
		{ VFIO_PCI_VGA_REGION_INDEX, 1ull << 44, 4 },
	};
	struct vgpu vgpu;
	u8 data[16] = { 0 };
	size_t i;

	vgpu_start(&vgpu);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		ssize_t r = vgpu_pread(&vgpu, bad[i].region, bad[i].offset, data, bad[i].bytes);
		ssize_t w = vgpu_pwrite(&vgpu, bad[i].region, bad[i].offset, data, bad[i].bytes);

		if (r != -EINVAL || w != -EINVAL)
			test_fail("row %zu gives %zd and %zd, expected -EINVAL", i, r, w);
	}
	EXPECT_EQ(vgpu_pread(&vgpu, VFIO_PCI_BAR0_REGION_INDEX, 0x2034, BAD_ADDRESS, 4), -EFAULT);
	EXPECT_EQ(vgpu_pwrite(&vgpu, VFIO_PCI_BAR0_REGION_INDEX, 0x2034, BAD_ADDRESS, 4), -EFAULT);
	EXPECT_EQ(vgpu_pread(&vgpu, VFIO_PCI_CONFIG_REGION_INDEX, 0, BAD_ADDRESS, 4), -EFAULT);
	EXPECT_EQ(vgpu_pread(&vgpu, VFIO_PCI_BAR0_REGION_INDEX, 0x2034, data, 0), 0);
	vgpu_stop(&vgpu);
}

/* Nothing can be mapped yet, and calls that are not offered are refused as such. */
static void others(void)
{
	struct vfio_device_feature feature = {
		.argsz = sizeof(feature),
		.flags = VFIO_DEVICE_FEATURE_GET | VFIO_DEVICE_FEATURE_MIGRATION,
	};
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	EXPECT(mmap(NULL, 4096, PROT_READ, MAP_SHARED, vgpu.fd, 0) == MAP_FAILED);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_GET_PCI_HOT_RESET_INFO, BAD_ADDRESS), -ENOTTY);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_QUERY_GFX_PLANE, BAD_ADDRESS), -ENOTTY);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_FEATURE, &feature), -ENOTTY);
	EXPECT_EQ(vgpu_ioctl(&vgpu, _IO('x', 1), NULL), -ENOTTY);
	vgpu_stop(&vgpu);
}

static const struct testcase tests[] = {
	{ "calls-device-info", device_info },
	{ "calls-region-info", region_info },
	{ "calls-irq-info", irq_info },
	{ "calls-set-irqs-bad", set_irqs_bad },
	{ "calls-accesses-bad", accesses_bad },
	{ "calls-others", others },
};

const struct testgroup calls_tests = { tests, ARRAY_SIZE(tests) };
