// SPDX-License-Identifier: GPL-2.0-only
/*
 * A vGPU through VFIO, by group and container.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ktap.h"
#include "lib/container.h"
#include "vgpu.h"

#define PARENTS "/sys/class/mdev_bus"

/* False: no GPU offers vGPUs. */
static bool type_path(char *path, size_t size, const char *file)
{
	struct dirent *entry;
	DIR *dir = opendir(PARENTS);

	if (!dir)
		test_fail("there is no %s: is gvirt loaded?", PARENTS);
	do {
		entry = readdir(dir);
	} while (entry && entry->d_name[0] == '.');
	if (entry)
		snprintf(path, size, PARENTS "/%s/mdev_supported_types/" VGPU_TYPE "/%s",
			 entry->d_name, file);
	closedir(dir);
	return entry;
}

static void read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY);
	ssize_t len = fd < 0 ? -1 : read(fd, text, size - 1);

	if (len < 0)
		test_fail("cannot read %s: %s", path, strerror(errno));
	close(fd);
	while (len && text[len - 1] == '\n')
		len--;
	text[len] = '\0';
}

int vgpu_write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

void vgpu_type_read(const char *name, char *text, size_t size)
{
	char path[512];

	if (!type_path(path, sizeof(path), name))
		test_fail("no GPU offers vGPUs");
	read_text(path, text, size);
}

int vgpu_available(void)
{
	char text[32];

	vgpu_type_read("available_instances", text, sizeof(text));
	return atoi(text);
}

int vgpu_create(unsigned int id)
{
	char path[512], uuid[64];

	if (!type_path(path, sizeof(path), "create"))
		return -ENODEV;
	snprintf(uuid, sizeof(uuid), VGPU_UUID, id);
	return vgpu_write_file(path, uuid);
}

static void device_path(char *path, size_t size, unsigned int id, const char *file)
{
	char uuid[64];

	snprintf(uuid, sizeof(uuid), VGPU_UUID, id);
	snprintf(path, size, "/sys/bus/mdev/devices/%s/%s", uuid, file);
}

int vgpu_remove(unsigned int id)
{
	char path[512];

	device_path(path, sizeof(path), id, "remove");
	return vgpu_write_file(path, "1");
}

bool vgpu_create_all(unsigned int first, unsigned int count)
{
	unsigned int n;

	for (n = 0; n < count; n++) {
		if (!vgpu_create(first + n))
			continue;
		fprintf(stderr, "cannot make vGPU %u of %u\n", n, count);
		vgpu_remove_all(first, n);
		return false;
	}
	return true;
}

void vgpu_remove_all(unsigned int first, unsigned int count)
{
	unsigned int n;

	for (n = 0; n < count; n++)
		vgpu_remove(first + n);
}

u64 vgpu_counter(unsigned int id, const char *name)
{
	char path[512], file[64], text[32];

	snprintf(file, sizeof(file), "gvirt/%s", name);
	device_path(path, sizeof(path), id, file);
	read_text(path, text, sizeof(text));
	return strtoull(text, NULL, 10);
}

int vgpu_open_group(unsigned int id)
{
	char path[512], target[512];
	ssize_t len;
	int group;

	device_path(path, sizeof(path), id, "iommu_group");
	len = readlink(path, target, sizeof(target) - 1);
	if (len < 0)
		test_fail("%s: %s", path, strerror(errno));
	target[len] = '\0';
	snprintf(path, sizeof(path), "/dev/vfio/%.64s", strrchr(target, '/') + 1);
	group = open(path, O_RDWR);
	return group < 0 ? -errno : group;
}

static void find_regions(struct vgpu *vgpu)
{
	u32 i;

	for (i = 0; i < VFIO_PCI_NUM_REGIONS; i++) {
		struct vfio_region_info info = { .argsz = sizeof(info), .index = i };

		EXPECT_EQ(vgpu_ioctl(vgpu, VFIO_DEVICE_GET_REGION_INFO, &info), 0);
		vgpu->offset[i] = info.offset;
	}
}

void vgpu_open(struct vgpu *vgpu, unsigned int id)
{
	char uuid[64];

	vgpu->id = id;
	vgpu->container = container_open();
	vgpu->group = vgpu_open_group(id);
	if (vgpu->group < 0)
		test_fail("cannot open the group: %s", strerror(-vgpu->group));
	EXPECT_EQ(ioctl(vgpu->group, VFIO_GROUP_SET_CONTAINER, &vgpu->container), 0);
	EXPECT_EQ(ioctl(vgpu->container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU), 0);
	snprintf(uuid, sizeof(uuid), VGPU_UUID, id);
	vgpu->fd = ioctl(vgpu->group, VFIO_GROUP_GET_DEVICE_FD, uuid);
	if (vgpu->fd < 0)
		test_fail("cannot open the vGPU: %s", strerror(errno));
	find_regions(vgpu);
}

void vgpu_close(struct vgpu *vgpu)
{
	close(vgpu->fd);
	close(vgpu->group);
	close(vgpu->container);
}

void vgpu_start(struct vgpu *vgpu)
{
	/* A test that failed before may have left it. */
	vgpu_remove(0);
	EXPECT_EQ(vgpu_create(0), 0);
	vgpu_open(vgpu, 0);
}

void vgpu_stop(struct vgpu *vgpu)
{
	vgpu_close(vgpu);
	EXPECT_EQ(vgpu_remove(vgpu->id), 0);
}

ssize_t vgpu_pread(const struct vgpu *vgpu, u32 region, u64 offset, void *data, size_t bytes)
{
	ssize_t len = pread(vgpu->fd, data, bytes, vgpu->offset[region] + offset);

	return len < 0 ? -errno : len;
}

ssize_t vgpu_pwrite(const struct vgpu *vgpu, u32 region, u64 offset, const void *data,
		    size_t bytes)
{
	ssize_t len = pwrite(vgpu->fd, data, bytes, vgpu->offset[region] + offset);

	return len < 0 ? -errno : len;
}

/* What must work, to the last byte. */
static u64 read_bytes(const struct vgpu *vgpu, u32 region, u32 offset, unsigned int bytes)
{
	u64 value = 0;
	ssize_t len = vgpu_pread(vgpu, region, offset, &value, bytes);

	if (len != bytes)
		test_fail("reading %u bytes at %#x of region %u gives %zd", bytes, offset, region,
			  len);
	return value;
}

static void write_bytes(const struct vgpu *vgpu, u32 region, u32 offset, unsigned int bytes,
			u64 value)
{
	ssize_t len = vgpu_pwrite(vgpu, region, offset, &value, bytes);

	if (len != bytes)
		test_fail("writing %u bytes at %#x of region %u gives %zd", bytes, offset, region,
			  len);
}

u32 vgpu_read(const struct vgpu *vgpu, u32 offset)
{
	return read_bytes(vgpu, VFIO_PCI_BAR0_REGION_INDEX, offset, 4);
}

void vgpu_write(const struct vgpu *vgpu, u32 offset, u32 value)
{
	write_bytes(vgpu, VFIO_PCI_BAR0_REGION_INDEX, offset, 4, value);
}

u64 vgpu_read64(const struct vgpu *vgpu, u32 offset)
{
	return read_bytes(vgpu, VFIO_PCI_BAR0_REGION_INDEX, offset, 8);
}

void vgpu_write64(const struct vgpu *vgpu, u32 offset, u64 value)
{
	write_bytes(vgpu, VFIO_PCI_BAR0_REGION_INDEX, offset, 8, value);
}

u32 vgpu_cfg(const struct vgpu *vgpu, u32 offset, unsigned int bytes)
{
	return read_bytes(vgpu, VFIO_PCI_CONFIG_REGION_INDEX, offset, bytes);
}

void vgpu_cfg_write(const struct vgpu *vgpu, u32 offset, unsigned int bytes, u32 value)
{
	write_bytes(vgpu, VFIO_PCI_CONFIG_REGION_INDEX, offset, bytes, value);
}

int vgpu_ioctl(const struct vgpu *vgpu, unsigned long cmd, void *arg)
{
	int ret = ioctl(vgpu->fd, cmd, arg);

	return ret < 0 ? -errno : ret;
}

int vgpu_set_irq(const struct vgpu *vgpu, u32 index, u32 flags, u32 count, int value)
{
	struct {
		struct vfio_irq_set hdr;
		int value;
	} set = {
		.hdr = { .argsz = sizeof(set), .flags = flags, .index = index, .count = count },
		.value = value,
	};

	return vgpu_ioctl(vgpu, VFIO_DEVICE_SET_IRQS, &set);
}

int vgpu_arm(const struct vgpu *vgpu, u32 index)
{
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	EXPECT(fd >= 0);
	EXPECT_EQ(vgpu_set_irq(vgpu, index,
			       VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER, 1, fd), 0);
	return fd;
}

u64 vgpu_heard(int eventfd)
{
	u64 count = 0;

	return read(eventfd, &count, sizeof(count)) == sizeof(count) ? count : 0;
}
