// SPDX-License-Identifier: GPL-2.0-only
/*
 * The GPU of this very machine, by its BAR and no driver: for a program that plays a guest's
 * driver inside the guest. Memory is what the kernel was told not to use (memmap=SIZE$ADDRESS).
 * The kernel has to be booted with iomem=relaxed, and the device must have no driver.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <gvirt/gen9_pci.h>

#include "../ktap.h"
#include "vdev.h"

/* PCI configuration space: the command register and its bits, as in <linux/pci_regs.h>. */
#define PCI_COMMAND		0x04
#define PCI_COMMAND_MEMORY	0x2
#define PCI_COMMAND_MASTER	0x4
#define SYSFS			"/sys/bus/pci/devices/"

static int open_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		test_fail("%s: %s", path, strerror(errno));
	return fd;
}

static int open_of_device(const char *address, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), SYSFS "%.32s/%s", address, file);
	return open_file(path);
}

static void enable(const char *address)
{
	int fd = open_of_device(address, "config");
	u16 command;

	EXPECT_EQ(pread(fd, &command, sizeof(command), PCI_COMMAND), sizeof(command));
	command |= PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
	EXPECT_EQ(pwrite(fd, &command, sizeof(command), PCI_COMMAND), sizeof(command));
	close(fd);
}

static void bar_open(struct vdev *dev, const char *name)
{
	const char *address = name + strlen(VDEV_BAR);

	enable(address);
	dev->fd = open_of_device(address, "resource0");
	dev->bar = mmap(NULL, GEN9_GTTMMADR_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, dev->fd, 0);
	if (dev->bar == MAP_FAILED)
		test_fail("%s: %s; is iomem=relaxed on the command line?", name, strerror(errno));
	dev->group = open_file("/dev/mem");
}

static int bar_read(struct vdev *dev, u32 region, u64 offset, void *data, size_t bytes)
{
	if (region != VFIO_PCI_BAR0_REGION_INDEX || bytes != sizeof(u32))
		return -EINVAL;
	*(u32 *)data = *(volatile u32 *)(dev->bar + offset);
	return 0;
}

static int bar_write(struct vdev *dev, u32 region, u64 offset, const void *data, size_t bytes)
{
	if (region != VFIO_PCI_BAR0_REGION_INDEX)
		return -EINVAL;
	if (bytes == sizeof(u64))
		*(volatile u64 *)(dev->bar + offset) = *(const u64 *)data;
	else if (bytes == sizeof(u32))
		*(volatile u32 *)(dev->bar + offset) = *(const u32 *)data;
	else
		return -EINVAL;
	return 0;
}

/* The device reaches it anyway; it is for this process to reach it. */
static int bar_map(struct vdev *dev, u64 gpa, u64 size, void *cpu, int fd, u64 fd_offset)
{
	(void)fd;
	(void)fd_offset;
	return mmap(cpu, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, dev->group,
		    gpa) == cpu ? 0 : -errno;
}

static int bar_unmap(struct vdev *dev, u64 gpa, u64 size)
{
	(void)dev;
	(void)gpa;
	(void)size;
	return -EINVAL;
}

/* Interrupts go nowhere: events are read from memory. */
static int bar_irq(struct vdev *dev, int eventfd)
{
	(void)dev;
	(void)eventfd;
	return 0;
}

static int bar_reset(struct vdev *dev)
{
	(void)dev;
	return -EINVAL;
}

static void bar_close(struct vdev *dev)
{
	munmap((void *)dev->bar, GEN9_GTTMMADR_SIZE);
	close(dev->fd);
	close(dev->group);
}

const struct vdev_ops vdev_bar_ops = {
	.open = bar_open,
	.read = bar_read,
	.write = bar_write,
	.map = bar_map,
	.unmap = bar_unmap,
	.irq = bar_irq,
	.reset = bar_reset,
	.close = bar_close,
};
