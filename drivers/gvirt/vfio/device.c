// SPDX-License-Identifier: GPL-2.0-only
/*
 * A vGPU as a VFIO device: regions, information, opening and closing.
 *
 * What is not mapped (map.c) is reached by calls. Accesses to BAR0 are those that a CPU
 * can do, 1, 2, 4 or 8 bytes at a multiple of their size. The aperture goes
 * wherever the guest's GGTT and fences point, to guest memory. Calls are detiled here and need
 * no fence of the chip, so nobody can take one away from them.
 */
#include <linux/device.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/uaccess.h>
#include <linux/vfio.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>
#include "compat.h"
#include "debugfs.h"
#include "device.h"
#include "region.h"

/* Bytes that are copied at a time. */
#define CHUNK		64u

struct access {
	struct gvirt_vfio_device *device;
	char __user *buf;
	size_t count;
	u64 offset;
	bool write;
};

static struct gvirt_vfio_device *to_device(struct vfio_device *vdev)
{
	return container_of(vdev, struct gvirt_vfio_device, vdev);
}

static u64 region_size(u32 index)
{
	switch (index) {
	case VFIO_PCI_BAR0_REGION_INDEX:
		return GEN9_GTTMMADR_SIZE;
	case VFIO_PCI_BAR2_REGION_INDEX:
		return GVIRT_VGPU_APERTURE_SIZE;
	case VFIO_PCI_CONFIG_REGION_INDEX:
		return GVIRT_VCFG_EXTENDED;
	default:
		return 0;
	}
}

/* Accesses. */

static ssize_t access_bar0(const struct access *a)
{
	u64 value = 0;
	int err;

	if (a->count > 8 || !is_power_of_2(a->count) || a->offset & (a->count - 1))
		return -EINVAL;
	if (a->write) {
		if (copy_from_user(&value, a->buf, a->count))
			return -EFAULT;
		err = gvirt_vgpu_write_bar0(&a->device->vgpu, a->offset, a->count, value);
		gvirt_map_written(&a->device->map, a->offset, a->count);
		return err ? err : a->count;
	}
	gvirt_map_read(&a->device->map);
	value = gvirt_vgpu_read_bar0(&a->device->vgpu, a->offset, a->count);
	return copy_to_user(a->buf, &value, a->count) ? -EFAULT : a->count;
}

static void access_cfg_chunk(struct gvirt_vgpu *vgpu, u64 offset, u8 *data, u32 len, bool write)
{
	if (write)
		gvirt_vgpu_write_cfg(vgpu, offset, data, len);
	else
		gvirt_vgpu_read_cfg(vgpu, offset, data, len);
}

static int access_guest(struct gvirt_guest *guest, u64 gpa, u8 *data, u32 len, bool write)
{
	if (write)
		return gvirt_guest_write(guest, gpa, data, len);
	return gvirt_guest_read(guest, gpa, data, len);
}

/* As with the chip's scratch page, nothing is lost or found where nothing is mapped. */
static void access_aperture_chunk(struct gvirt_vfio_device *device, u64 offset, u8 *data,
				  u32 len, bool write)
{
	u32 done, part, run;
	u64 gpa;

	for (done = 0; done < len; done += part) {
		bool ok = gvirt_vgpu_aperture_gpa(&device->vgpu, offset + done, &gpa, &run);

		part = min(len - done, run);
		ok = ok && !access_guest(&device->vgpu.guest, gpa, data + done, part, write);
		if (!ok && !write)
			memset(data + done, 0, part);
	}
}

static void access_chunk(const struct access *a, u32 index, u64 offset, u8 *data, u32 len)
{
	if (index == VFIO_PCI_CONFIG_REGION_INDEX)
		access_cfg_chunk(&a->device->vgpu, offset, data, len, a->write);
	else
		access_aperture_chunk(a->device, offset, data, len, a->write);
}

/* At most to the end of the page: the caller comes again for the rest. */
static ssize_t access_bytes(const struct access *a, u32 index)
{
	size_t count = min(a->count, GEN9_TABLE_SIZE - (a->offset & (GEN9_TABLE_SIZE - 1)));
	u8 data[CHUNK];
	size_t done, len;

	for (done = 0; done < count; done += len) {
		len = min_t(size_t, count - done, CHUNK);
		if (a->write && copy_from_user(data, a->buf + done, len))
			return -EFAULT;
		access_chunk(a, index, a->offset + done, data, len);
		if (!a->write && copy_to_user(a->buf + done, data, len))
			return -EFAULT;
	}
	return done;
}

static ssize_t do_access(struct vfio_device *vdev, char __user *buf, size_t count, loff_t *ppos,
			 bool write)
{
	u32 index = *ppos >> GVIRT_REGION_SHIFT;
	const struct access a = {
		.device = to_device(vdev),
		.buf = buf,
		.count = count,
		.offset = *ppos & GVIRT_REGION_MASK,
		.write = write,
	};
	u64 size = region_size(index);
	ssize_t done;

	if (!count)
		return 0;
	if (a.offset >= size || count > size - a.offset)
		return -EINVAL;
	if (index == VFIO_PCI_BAR0_REGION_INDEX)
		done = access_bar0(&a);
	else
		done = access_bytes(&a, index);
	if (done > 0)
		*ppos += done;
	return done;
}

static ssize_t device_read(struct vfio_device *vdev, char __user *buf, size_t count, loff_t *ppos)
{
	return do_access(vdev, buf, count, ppos, false);
}

static ssize_t device_write(struct vfio_device *vdev, const char __user *buf, size_t count,
			    loff_t *ppos)
{
	return do_access(vdev, (char __user *)buf, count, ppos, true);
}

/* Calls. */

static long get_info(void __user *arg)
{
	const size_t size = offsetofend(struct vfio_device_info, num_irqs);
	struct vfio_device_info info;

	if (copy_from_user(&info, arg, size))
		return -EFAULT;
	if (info.argsz < size)
		return -EINVAL;
	info.flags = VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET;
	info.num_regions = VFIO_PCI_NUM_REGIONS;
	info.num_irqs = VFIO_PCI_NUM_IRQS;
	return copy_to_user(arg, &info, size) ? -EFAULT : 0;
}

static int get_region_info(struct vfio_device *vdev, struct vfio_region_info *info,
			   struct vfio_info_cap *caps)
{
	if (info->index >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	info->offset = GVIRT_REGION_START(info->index);
	info->size = region_size(info->index);
	info->flags = info->size ? VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE : 0;
	return gvirt_map_info(&to_device(vdev)->map, info, caps);
}

static long get_irq_info(void __user *arg)
{
	const size_t size = offsetofend(struct vfio_irq_info, count);
	struct vfio_irq_info info;
	int err;

	if (copy_from_user(&info, arg, size))
		return -EFAULT;
	if (info.argsz < size)
		return -EINVAL;
	err = gvirt_vfio_irq_info(&info);
	if (err)
		return err;
	return copy_to_user(arg, &info, size) ? -EFAULT : 0;
}

static long set_irqs(struct gvirt_vfio_device *device, void __user *arg)
{
	const size_t size = offsetofend(struct vfio_irq_set, count);
	struct vfio_irq_set hdr;

	if (copy_from_user(&hdr, arg, size))
		return -EFAULT;
	return gvirt_vfio_irq_set(&device->irq, &hdr, arg + size);
}

static long device_ioctl(struct vfio_device *vdev, unsigned int cmd, unsigned long arg)
{
	struct gvirt_vfio_device *device = to_device(vdev);
	void __user *uarg = (void __user *)arg;

	switch (cmd) {
	case VFIO_DEVICE_GET_INFO:
		return get_info(uarg);
	case VFIO_DEVICE_GET_REGION_INFO:
		return gvirt_compat_region_info(vdev, uarg, get_region_info);
	case VFIO_DEVICE_GET_IRQ_INFO:
		return get_irq_info(uarg);
	case VFIO_DEVICE_SET_IRQS:
		return set_irqs(device, uarg);
	case VFIO_DEVICE_RESET:
		gvirt_vgpu_reset(&device->vgpu);
		gvirt_map_reset(&device->map);
		return 0;
	default:
		return -ENOTTY;
	}
}

static int device_mmap(struct vfio_device *vdev, struct vm_area_struct *vma)
{
	return gvirt_map_mmap(&to_device(vdev)->map, vma);
}

/* Life. */

static int device_open(struct vfio_device *vdev)
{
	struct gvirt_vfio_device *device = to_device(vdev);
	int err = gvirt_vgpu_open(&device->vgpu);

	if (!err)
		gvirt_map_open(&device->map);
	return err;
}

/* Nothing of this user is left for the next one. */
static void device_close(struct vfio_device *vdev)
{
	struct gvirt_vfio_device *device = to_device(vdev);

	gvirt_map_close(&device->map);
	gvirt_vfio_irq_release(&device->irq);
	gvirt_vgpu_close(&device->vgpu);
}

static void device_dma_unmap(struct vfio_device *vdev, u64 iova, u64 length)
{
	gvirt_guest_unmap(&to_device(vdev)->vgpu.guest, iova, length);
}

static void device_request(struct vfio_device *vdev, unsigned int count)
{
	if (!gvirt_vfio_irq_request(&to_device(vdev)->irq) && count == 0)
		dev_notice_ratelimited(vdev->dev, "to be removed, but in use by a program that does not listen; removal goes on when that closes it\n");
}

static void device_release(struct vfio_device *vdev)
{
	gvirt_vgpu_fini(&to_device(vdev)->vgpu);
}

static const struct vfio_device_ops device_ops = {
	.name = KBUILD_MODNAME,
	.release = device_release,
	.bind_iommufd = vfio_iommufd_emulated_bind,
	.unbind_iommufd = vfio_iommufd_emulated_unbind,
	.attach_ioas = vfio_iommufd_emulated_attach_ioas,
	.detach_ioas = vfio_iommufd_emulated_detach_ioas,
	.open_device = device_open,
	.close_device = device_close,
	.dma_unmap = device_dma_unmap,
	.read = device_read,
	.write = device_write,
	.ioctl = device_ioctl,
	.mmap = device_mmap,
	.request = device_request,
	GVIRT_COMPAT_REGION_INFO_OP(get_region_info)
};

static void interrupt(void *data, bool level)
{
	struct gvirt_vfio_device *device = data;

	gvirt_vfio_irq_line(&device->irq, level);
}

static void revoke(void *data, u64 first_gfn, u64 last_gfn)
{
	struct gvirt_vfio_device *device = data;

	gvirt_map_revoke(&device->map, first_gfn, last_gfn);
}

static int init_vgpu(struct gvirt_vfio_device *device, const struct gvirt_vgpu_host *host)
{
	const struct gvirt_vgpu_services services = {
		.host = host,
		.vdev = &device->vdev,
		.interrupt = interrupt,
		.revoke = revoke,
		.data = device,
	};

	return gvirt_vgpu_init(&device->vgpu, &services);
}

struct gvirt_vfio_device *gvirt_vfio_device_create(struct device *dev,
						   const struct gvirt_vgpu_host *host)
{
	struct gvirt_vfio_device *device;
	int err;

	device = vfio_alloc_device(gvirt_vfio_device, vdev, dev, &device_ops);
	if (IS_ERR(device))
		return device;
	gvirt_vfio_irq_init(&device->irq);
	gvirt_map_init(&device->map, &device->vdev, &device->vgpu);
	err = init_vgpu(device, host);
	if (!err)
		err = vfio_register_emulated_iommu_dev(&device->vdev);
	if (err) {
		vfio_put_device(&device->vdev);
		return ERR_PTR(err);
	}
	device->debug = gvirt_debugfs_add_vgpu(&device->vgpu);
	return device;
}

void gvirt_vfio_device_destroy(struct gvirt_vfio_device *device)
{
	vfio_unregister_group_dev(&device->vdev);
	gvirt_debugfs_remove(device->debug);
	/* The chip is there now, but perhaps not when the last reference goes. */
	gvirt_vgpu_fini(&device->vgpu);
	vfio_put_device(&device->vdev);
}
