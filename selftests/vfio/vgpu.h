/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A vGPU as a program sees it that drives it through VFIO. Whatever does not work that
 * must work fails the running test.
 */
#ifndef VFIO_VGPU_H
#define VFIO_VGPU_H

#include <linux/types.h>
#include <linux/vfio.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define VGPU_TYPE	"gvirt-headless-256"
/* Ids of vGPUs differ in their last digits. */
#define VGPU_UUID	"6ef1b3c0-5c21-4d0e-9d6c-%012x"

/**
 * struct vgpu - An open vGPU
 * @id: number of its mdev
 * @container: container, with type 1 IOMMU
 * @group: its group
 * @fd: the device
 * @offset: of each region in @fd
 */
struct vgpu {
	unsigned int id;
	int container;
	int group;
	int fd;
	u64 offset[VFIO_PCI_NUM_REGIONS];
};

/**
 * vgpu_write_file() - Write to a file of sysfs
 * @path: path
 * @text: what
 *
 * Return: 0 or a negative errno.
 */
int vgpu_write_file(const char *path, const char *text);

/**
 * vgpu_type_read() - Read a file of the mdev type
 * @name: of the file
 * @text: gets it, without the line's end
 * @size: of @text
 */
void vgpu_type_read(const char *name, char *text, size_t size);

/** vgpu_available() - Return: how many more vGPUs the type says can be made */
int vgpu_available(void);

/**
 * vgpu_create() - Make an mdev
 * @id: number of it
 *
 * Return: 0 or a negative errno.
 */
int vgpu_create(unsigned int id);

/**
 * vgpu_remove() - Remove an mdev
 * @id: number of it
 *
 * Return: 0 or a negative errno.
 */
int vgpu_remove(unsigned int id);

/**
 * vgpu_create_all() - Make mdevs; says so when one cannot be made
 * @first: number of the first
 * @count: how many, numbered on from @first
 *
 * Return: whether all are there; else those that were made are removed again.
 */
bool vgpu_create_all(unsigned int first, unsigned int count);

/**
 * vgpu_remove_all() - Remove mdevs
 * @first: number of the first
 * @count: how many
 */
void vgpu_remove_all(unsigned int first, unsigned int count);

/**
 * vgpu_counter() - Read a counter of an mdev
 * @id: number of it
 * @name: of the file in the directory gvirt
 *
 * Return: the value.
 */
u64 vgpu_counter(unsigned int id, const char *name);

/**
 * vgpu_open_group() - Open the VFIO group of an mdev
 * @id: number of it
 *
 * Return: the file, or a negative errno.
 */
int vgpu_open_group(unsigned int id);

/**
 * vgpu_open() - Open an mdev
 * @vgpu: gets everything
 * @id: number of it
 */
void vgpu_open(struct vgpu *vgpu, unsigned int id);

/**
 * vgpu_close() - Close it
 * @vgpu: of vgpu_open()
 */
void vgpu_close(struct vgpu *vgpu);

/**
 * vgpu_start() - Make an mdev and open it
 * @vgpu: gets everything; its number is 0
 */
void vgpu_start(struct vgpu *vgpu);

/**
 * vgpu_stop() - Close it and remove the mdev
 * @vgpu: of vgpu_start()
 */
void vgpu_stop(struct vgpu *vgpu);

/**
 * vgpu_pread() - Read from a region
 * @vgpu: which
 * @region: number of the region
 * @offset: in it
 * @data: gets the bytes
 * @bytes: how many
 *
 * Return: how many, or a negative errno.
 */
ssize_t vgpu_pread(const struct vgpu *vgpu, u32 region, u64 offset, void *data, size_t bytes);

/**
 * vgpu_pwrite() - Write to a region
 * @vgpu: which
 * @region: number of the region
 * @offset: in it
 * @data: the bytes
 * @bytes: how many
 *
 * Return: how many, or a negative errno.
 */
ssize_t vgpu_pwrite(const struct vgpu *vgpu, u32 region, u64 offset, const void *data,
		    size_t bytes);

/**
 * vgpu_read() - Read a register
 * @vgpu: which
 * @offset: in BAR0
 *
 * Return: the value.
 */
u32 vgpu_read(const struct vgpu *vgpu, u32 offset);

/**
 * vgpu_write() - Write a register
 * @vgpu: which
 * @offset: in BAR0
 * @value: what
 */
void vgpu_write(const struct vgpu *vgpu, u32 offset, u32 value);

/**
 * vgpu_read64() - Read an entry of the GGTT
 * @vgpu: which
 * @offset: in BAR0
 *
 * Return: the value.
 */
u64 vgpu_read64(const struct vgpu *vgpu, u32 offset);

/**
 * vgpu_write64() - Write an entry of the GGTT
 * @vgpu: which
 * @offset: in BAR0
 * @value: what
 */
void vgpu_write64(const struct vgpu *vgpu, u32 offset, u64 value);

/**
 * vgpu_cfg() - Read configuration space
 * @vgpu: which
 * @offset: in it
 * @bytes: 1, 2 or 4
 *
 * Return: the value.
 */
u32 vgpu_cfg(const struct vgpu *vgpu, u32 offset, unsigned int bytes);

/**
 * vgpu_cfg_write() - Write configuration space
 * @vgpu: which
 * @offset: in it
 * @bytes: 1, 2 or 4
 * @value: what
 */
void vgpu_cfg_write(const struct vgpu *vgpu, u32 offset, unsigned int bytes, u32 value);

/**
 * vgpu_ioctl() - A call to the device
 * @vgpu: which
 * @cmd: number of the call
 * @arg: its argument
 *
 * Return: 0 or more, or a negative errno.
 */
int vgpu_ioctl(const struct vgpu *vgpu, unsigned long cmd, void *arg);

/**
 * vgpu_set_irq() - VFIO_DEVICE_SET_IRQS with one element of data
 * @vgpu: which
 * @index: of the interrupt
 * @flags: VFIO_IRQ_SET_*
 * @count: elements that it is said to have
 * @value: eventfd, or flag
 *
 * Return: 0 or a negative errno.
 */
int vgpu_set_irq(const struct vgpu *vgpu, u32 index, u32 flags, u32 count, int value);

/**
 * vgpu_arm() - Give an interrupt a new eventfd
 * @vgpu: which
 * @index: of the interrupt
 *
 * Return: the eventfd.
 */
int vgpu_arm(const struct vgpu *vgpu, u32 index);

/**
 * vgpu_heard() - How often an eventfd was signalled since the last call
 * @eventfd: of vgpu_arm()
 *
 * Return: the number; does not wait.
 */
u64 vgpu_heard(int eventfd);

#endif
