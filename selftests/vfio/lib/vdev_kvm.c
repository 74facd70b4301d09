// SPDX-License-Identifier: GPL-2.0-only
/*
 * A vGPU that belongs to a VM: the guest's driver is this process as ever, but it lets a CPU
 * of the VM store to page tables, so that KVM can be asked to watch them. One at a time.
 */
#include "../ktap.h"
#include "vcpu.h"
#include "vdev_kernel.h"

#define PREFIX	4	/* "kvm:" */

static void kvm_open(struct vdev *dev, const char *name)
{
	static struct vcpu vcpu;

	dev->vcpu = &vcpu;
	vdev_kernel_open_group(dev, name + PREFIX);
	vcpu_start(dev->vcpu, dev->group);
	vdev_kernel_open_device(dev, name + PREFIX);
}

static int kvm_map(struct vdev *dev, u64 gpa, u64 size, void *cpu, int fd, u64 fd_offset)
{
	int err = vdev_kernel_map(dev, gpa, size, cpu, fd, fd_offset);

	if (!err)
		vcpu_plug(dev->vcpu, gpa, cpu, size);
	return err;
}

static int kvm_unmap(struct vdev *dev, u64 gpa, u64 size)
{
	vcpu_unplug(dev->vcpu, gpa);
	return vdev_kernel_unmap(dev, gpa, size);
}

static void kvm_store(struct vdev *dev, const struct vdev_store *stores, size_t count)
{
	vcpu_store(dev->vcpu, stores, count);
}

static void kvm_close(struct vdev *dev)
{
	vdev_kernel_close(dev);
	vcpu_stop(dev->vcpu);
}

const struct vdev_ops vdev_kvm_ops = {
	.open = kvm_open,
	.read = vdev_kernel_read,
	.write = vdev_kernel_write,
	.map = kvm_map,
	.unmap = kvm_unmap,
	.store = kvm_store,
	.irq = vdev_kernel_irq,
	.reset = vdev_kernel_reset,
	.close = kvm_close,
};
