/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The "RAM" of the guest that the tests play: two ranges of guest-physical addresses,
 * which differ from each other, from the addresses in this process and, on a vGPU, from
 * those that the chip sees.
 */
#ifndef VFIO_LIB_RAM_H
#define VFIO_LIB_RAM_H

#include <linux/types.h>

#include "vdev.h"

/* Where each range is for the device. The first can hold pages of 2 MiB. */
#define RAM_LOW_GPA	0x0000000004000000ull
#define RAM_LOW_SIZE	(16ull << 20)
#define RAM_HIGH_GPA	0x0000000240000000ull
#define RAM_HIGH_SIZE	(2ull << 20)
/* In a small machine's own memory the second one follows the first. */
#define RAM_OWN_HIGH_GPA	(RAM_LOW_GPA + RAM_LOW_SIZE)
/* Between both, and mapped by nobody. */
#define RAM_HOLE_GPA	0x00000001c0000000ull

/**
 * enum ram_range - Which range
 * @RAM_LOW: below 4 GiB, of large pages where the kernel has them
 * @RAM_HIGH: above 4 GiB, of small pages
 * @RAM_RANGES: how many
 */
enum ram_range {
	RAM_LOW,
	RAM_HIGH,
	RAM_RANGES
};

/**
 * struct ram - The memory
 * @dev: device that reaches it
 * @cpu: where each range is in this process
 * @gpa: where each range is for the device
 * @used: bytes of each range that are given away
 */
struct ram {
	struct vdev *dev;
	u8 *cpu[RAM_RANGES];
	u64 gpa[RAM_RANGES];
	u64 used[RAM_RANGES];
};

/**
 * ram_init() - Get memory and map it for a device
 * @ram: gets it
 * @dev: the device
 */
void ram_init(struct ram *ram, struct vdev *dev);

/**
 * ram_fini() - Give it back; the device is closed
 * @ram: of ram_init()
 */
void ram_fini(struct ram *ram);

/**
 * ram_alloc() - Get zeroed memory, until the end
 * @ram: from which
 * @range: of which range
 * @size: bytes; rounded up to pages
 * @align: a power of two, at least 4096
 *
 * Return: its guest-physical address.
 */
u64 ram_alloc(struct ram *ram, enum ram_range range, u64 size, u64 align);

/**
 * ram_page() - Get a zeroed page
 * @ram: from which
 *
 * Return: its guest-physical address; pages that follow each other are not neighbours.
 */
u64 ram_page(struct ram *ram);

/**
 * ram_cpu() - Where memory is in this process
 * @ram: which
 * @gpa: in it
 *
 * Return: pointer.
 */
void *ram_cpu(struct ram *ram, u64 gpa);

/**
 * ram_read() - Read a dword that the device may write at the same time
 * @ram: which
 * @gpa: multiple of 4
 *
 * Return: the value.
 */
u32 ram_read(struct ram *ram, u64 gpa);

/**
 * ram_write() - Write a dword that the device may read at the same time
 * @ram: which
 * @gpa: multiple of 4
 * @value: what
 */
void ram_write(struct ram *ram, u64 gpa, u32 value);

/**
 * ram_gpa() - Where memory of this process is for the guest
 * @ram: which
 * @cpu: pointer into it
 *
 * Return: its guest-physical address.
 */
u64 ram_gpa(struct ram *ram, const void *cpu);

/**
 * ram_store() - Store 8 bytes as the guest's CPU, if there is one
 * @ram: which
 * @where: multiple of 8
 * @value: what
 */
void ram_store(struct ram *ram, u64 *where, u64 value);

/**
 * ram_wait() - Wait until a dword has a value
 * @ram: which
 * @gpa: multiple of 4
 * @value: the value
 * @ms: bound
 *
 * Return: whether it got it.
 */
bool ram_wait(struct ram *ram, u64 gpa, u32 value, unsigned int ms);

#endif
