// SPDX-License-Identifier: GPL-2.0-only
/*
 * What all kinds of devices have in common.
 */
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../ktap.h"
#include "vdev.h"

#define POLL_US 20

static bool is_socket(const char *name)
{
	struct stat st;

	return !stat(name, &st) && S_ISSOCK(st.st_mode);
}

static const struct vdev_ops *ops_for(const char *name)
{
	if (!strncmp(name, "kvm:", 4))
		return &vdev_kvm_ops;
	if (!strncmp(name, VDEV_BAR, strlen(VDEV_BAR)))
		return &vdev_bar_ops;
	return is_socket(name) ? &vdev_model_ops : &vdev_kernel_ops;
}

void vdev_open(struct vdev *dev, const char *name)
{
	*dev = (struct vdev) {
		.ops = ops_for(name),
		.name = name,
		.virtual = strstr(name, "/mdev/"),
		.fd = -1,
		.group = -1,
		.container = -1,
	};
	dev->ops->open(dev, name);
}

void vdev_close(struct vdev *dev)
{
	dev->ops->close(dev);
}

void vdev_reset(struct vdev *dev)
{
	EXPECT_EQ(dev->ops->reset(dev), 0);
}

u32 vdev_read(struct vdev *dev, u32 reg)
{
	u32 value = 0;
	int err = dev->ops->read(dev, VFIO_PCI_BAR0_REGION_INDEX, reg, &value, sizeof(value));

	if (err)
		test_fail("%s: reading register %#x gives %d", dev->name, reg, err);
	return value;
}

void vdev_write(struct vdev *dev, u32 reg, u32 value)
{
	int err = dev->ops->write(dev, VFIO_PCI_BAR0_REGION_INDEX, reg, &value, sizeof(value));

	if (err)
		test_fail("%s: writing register %#x gives %d", dev->name, reg, err);
}

void vdev_write64(struct vdev *dev, u32 offset, u64 value)
{
	int err = dev->ops->write(dev, VFIO_PCI_BAR0_REGION_INDEX, offset, &value,
				  sizeof(value));

	if (err)
		test_fail("%s: writing 8 bytes at %#x gives %d", dev->name, offset, err);
}

u64 vdev_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

bool vdev_wait(struct vdev *dev, u32 reg, u32 mask, u32 value, unsigned int ms)
{
	u64 end = vdev_now_ms() + ms;
	bool last;

	/* The condition is looked at once more after the bound: this process may have slept. */
	do {
		last = vdev_now_ms() > end;
		if ((vdev_read(dev, reg) & mask) == value)
			return true;
		usleep(POLL_US);
	} while (!last);
	return false;
}
