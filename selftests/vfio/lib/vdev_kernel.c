// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device through the kernel's VFIO, by group and container: a vGPU or a PCI device.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../ktap.h"
#include "container.h"
#include "vdev_kernel.h"

/* PCI configuration space: the command register and its bits, as in <linux/pci_regs.h>. */
#define PCI_COMMAND		0x04
#define PCI_COMMAND_MEMORY	0x2
#define PCI_COMMAND_MASTER	0x4

/* Last part of a path. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int open_group(const char *name)
{
	char path[512], target[512];
	ssize_t len;
	int fd;

	if (name[0] == '/')
		snprintf(path, sizeof(path), "%.400s/iommu_group", name);
	else
		snprintf(path, sizeof(path), "/sys/bus/pci/devices/%.400s/iommu_group", name);
	len = readlink(path, target, sizeof(target) - 1);
	if (len < 0)
		test_fail("%s: %s; is there an IOMMU, is it an mdev?", path, strerror(errno));
	target[len] = '\0';
	snprintf(path, sizeof(path), "/dev/vfio/%.64s", base_name(target));
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		test_fail("%s: %s; is the device bound to vfio-pci, is it in use?", path,
			  strerror(errno));
	return fd;
}

static void find_regions(struct vdev *dev)
{
	u32 i;

	for (i = 0; i < VFIO_PCI_NUM_REGIONS; i++) {
		struct vfio_region_info info = { .argsz = sizeof(info), .index = i };

		/* A device without VGA has no VGA region. */
		if (!ioctl(dev->fd, VFIO_DEVICE_GET_REGION_INFO, &info))
			dev->offset[i] = info.offset;
	}
}

int vdev_kernel_read(struct vdev *dev, u32 region, u64 offset, void *data, size_t bytes)
{
	ssize_t len = pread(dev->fd, data, bytes, dev->offset[region] + offset);

	return len == (ssize_t)bytes ? 0 : len < 0 ? -errno : -EIO;
}

int vdev_kernel_write(struct vdev *dev, u32 region, u64 offset, const void *data, size_t bytes)
{
	ssize_t len = pwrite(dev->fd, data, bytes, dev->offset[region] + offset);

	return len == (ssize_t)bytes ? 0 : len < 0 ? -errno : -EIO;
}

/* As a guest's firmware and driver do: decode memory, be a bus master. */
static void enable(struct vdev *dev)
{
	u16 command = 0;

	EXPECT_EQ(vdev_kernel_read(dev, VFIO_PCI_CONFIG_REGION_INDEX, PCI_COMMAND, &command,
				   sizeof(command)), 0);
	command |= PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
	EXPECT_EQ(vdev_kernel_write(dev, VFIO_PCI_CONFIG_REGION_INDEX, PCI_COMMAND, &command,
				    sizeof(command)), 0);
}

void vdev_kernel_open_group(struct vdev *dev, const char *name)
{
	dev->container = container_open();
	dev->group = open_group(name);
	EXPECT_EQ(ioctl(dev->group, VFIO_GROUP_SET_CONTAINER, &dev->container), 0);
	EXPECT_EQ(ioctl(dev->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU), 0);
}

void vdev_kernel_open_device(struct vdev *dev, const char *name)
{
	dev->fd = ioctl(dev->group, VFIO_GROUP_GET_DEVICE_FD, base_name(name));
	if (dev->fd < 0)
		test_fail("cannot open %s: %s", name, strerror(errno));
	find_regions(dev);
	enable(dev);
}

static void kernel_open(struct vdev *dev, const char *name)
{
	vdev_kernel_open_group(dev, name);
	vdev_kernel_open_device(dev, name);
}

int vdev_kernel_map(struct vdev *dev, u64 gpa, u64 size, void *cpu, int fd, u64 fd_offset)
{
	struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.vaddr = (unsigned long)cpu,
		.iova = gpa,
		.size = size,
	};

	(void)fd;
	(void)fd_offset;
	return ioctl(dev->container, VFIO_IOMMU_MAP_DMA, &map) ? -errno : 0;
}

int vdev_kernel_unmap(struct vdev *dev, u64 gpa, u64 size)
{
	struct vfio_iommu_type1_dma_unmap unmap = {
		.argsz = sizeof(unmap),
		.iova = gpa,
		.size = size,
	};

	return ioctl(dev->container, VFIO_IOMMU_UNMAP_DMA, &unmap) ? -errno : 0;
}

/* Without an eventfd the device's MSI is switched off. */
int vdev_kernel_irq(struct vdev *dev, int eventfd)
{
	u32 data = eventfd < 0 ? VFIO_IRQ_SET_DATA_NONE : VFIO_IRQ_SET_DATA_EVENTFD;
	struct {
		struct vfio_irq_set hdr;
		int fd;
	} set = {
		.hdr = {
			.argsz = sizeof(set),
			.flags = data | VFIO_IRQ_SET_ACTION_TRIGGER,
			.index = VFIO_PCI_MSI_IRQ_INDEX,
			.count = eventfd >= 0,
		},
		.fd = eventfd,
	};

	return ioctl(dev->fd, VFIO_DEVICE_SET_IRQS, &set) ? -errno : 0;
}

int vdev_kernel_reset(struct vdev *dev)
{
	return ioctl(dev->fd, VFIO_DEVICE_RESET) ? -errno : 0;
}

void vdev_kernel_close(struct vdev *dev)
{
	close(dev->fd);
	close(dev->group);
	close(dev->container);
}

const struct vdev_ops vdev_kernel_ops = {
	.open = kernel_open,
	.read = vdev_kernel_read,
	.write = vdev_kernel_write,
	.map = vdev_kernel_map,
	.unmap = vdev_kernel_unmap,
	.irq = vdev_kernel_irq,
	.reset = vdev_kernel_reset,
	.close = vdev_kernel_close,
};
