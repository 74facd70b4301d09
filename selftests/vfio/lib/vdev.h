/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A GPU as a driver in user space gets it, whatever stands behind: a vGPU, the chip
 * itself through vfio-pci, or the silicon model without any VM. Whatever does not work
 * that must work fails the running test.
 */
#ifndef VFIO_LIB_VDEV_H
#define VFIO_LIB_VDEV_H

#include <linux/types.h>
#include <linux/vfio.h>
#include <stdbool.h>
#include <stddef.h>

struct vcpu;
struct vdev;

/**
 * struct vdev_store - A store of 8 bytes
 * @gpa: to where
 * @value: what
 */
struct vdev_store {
	u64 gpa;
	u64 value;
};

/**
 * struct vdev_ops - How a kind of device is reached
 * @open: opens @name; fails the test when it cannot
 * @read: reads from a region; 0 or a negative errno
 * @write: writes to a region; 0 or a negative errno
 * @map: lets the device reach memory; 0 or a negative errno
 * @unmap: takes it away; 0 or a negative errno
 * @store: lets a CPU of the guest store; NULL: there is none but this process
 * @irq: sets the eventfd of the MSI, -1: none; 0 or a negative errno
 * @reset: the device's own reset; 0 or a negative errno
 * @close: gives everything back
 */
struct vdev_ops {
	void (*open)(struct vdev *dev, const char *name);
	int (*read)(struct vdev *dev, u32 region, u64 offset, void *data, size_t bytes);
	int (*write)(struct vdev *dev, u32 region, u64 offset, const void *data, size_t bytes);
	int (*map)(struct vdev *dev, u64 gpa, u64 size, void *cpu, int fd, u64 fd_offset);
	int (*unmap)(struct vdev *dev, u64 gpa, u64 size);
	void (*store)(struct vdev *dev, const struct vdev_store *stores, size_t count);
	int (*irq)(struct vdev *dev, int eventfd);
	int (*reset)(struct vdev *dev);
	void (*close)(struct vdev *dev);
};

/**
 * struct vdev - An open GPU
 * @ops: how it is reached
 * @name: path of the mdev, address of the PCI device, or path of the model's socket
 * @virtual: it is a vGPU
 * @fd: device or socket
 * @group: VFIO group; memory of this machine
 * @container: VFIO container
 * @offset: of each region in @fd
 * @bar: BAR0, of the GPU of this very machine
 * @vcpu: the guest's CPU; NULL: none
 */
struct vdev {
	const struct vdev_ops *ops;
	const char *name;
	bool virtual;
	int fd;
	int group;
	int container;
	u64 offset[VFIO_PCI_NUM_REGIONS];
	u8 *bar;
	struct vcpu *vcpu;
};

extern const struct vdev_ops vdev_kernel_ops;
extern const struct vdev_ops vdev_kvm_ops;
extern const struct vdev_ops vdev_model_ops;
extern const struct vdev_ops vdev_bar_ops;

/* In front of a PCI address: the GPU of this very machine, by its BAR. */
#define VDEV_BAR	"bar:"

/**
 * vdev_open() - Open a GPU
 * @dev: gets everything
 * @name: "0000:00:02.0" (bound to vfio-pci), "/sys/bus/mdev/devices/UUID", or the path of
 *	the silicon model's socket; with "kvm:" in front of an mdev's path, the vGPU belongs
 *	to a VM with a CPU; "bar:0000:00:02.0" for a PCI device without a driver
 */
void vdev_open(struct vdev *dev, const char *name);

/**
 * vdev_close() - Close it
 * @dev: of vdev_open()
 */
void vdev_close(struct vdev *dev);

/**
 * vdev_reset() - VFIO_DEVICE_RESET
 * @dev: which
 */
void vdev_reset(struct vdev *dev);

/**
 * vdev_read() - Read a register
 * @dev: which
 * @reg: offset in BAR0
 *
 * Return: the value.
 */
u32 vdev_read(struct vdev *dev, u32 reg);

/**
 * vdev_write() - Write a register
 * @dev: which
 * @reg: offset in BAR0
 * @value: what
 */
void vdev_write(struct vdev *dev, u32 reg, u32 value);

/**
 * vdev_write64() - Write an entry of the GGTT
 * @dev: which
 * @offset: in BAR0
 * @value: what
 */
void vdev_write64(struct vdev *dev, u32 offset, u64 value);

/**
 * vdev_wait() - Wait until some bits of a register have a value
 * @dev: which
 * @reg: offset in BAR0
 * @mask: the bits
 * @value: their value
 * @ms: bound
 *
 * Return: whether they got it.
 */
bool vdev_wait(struct vdev *dev, u32 reg, u32 mask, u32 value, unsigned int ms);

/** vdev_now_ms() - Return: a clock that only goes on, in ms */
u64 vdev_now_ms(void);

/**
 * vdev_set_bits() - Value that sets bits of a masked register
 * @bits: the bits, in its lower half
 *
 * Return: what to write.
 */
static inline u32 vdev_set_bits(u32 bits)
{
	return bits << 16 | bits;
}

/**
 * vdev_clear_bits() - Value that clears bits of a masked register
 * @bits: the bits, in its lower half
 *
 * Return: what to write.
 */
static inline u32 vdev_clear_bits(u32 bits)
{
	return bits << 16;
}

#endif
