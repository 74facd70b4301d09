/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All of a guest together: device, memory, table, interrupt, engines; and what tests of
 * work need beyond that.
 */
#ifndef VFIO_LIB_GUEST_H
#define VFIO_LIB_GUEST_H

#include <linux/types.h>

#include "ctx.h"
#include "engine.h"
#include "ggtt.h"
#include "irq.h"
#include "ppgtt.h"
#include "ram.h"
#include "vdev.h"

/**
 * struct guest - A guest's driver
 * @dev: its GPU
 * @ram: its memory
 * @ggtt: the table
 * @irq: the interrupt
 * @engine: the engines, running
 */
struct guest {
	struct vdev dev;
	struct ram ram;
	struct ggtt ggtt;
	struct irq irq;
	struct engine engine[ENGINES];
};

/**
 * struct page - A page that commands use
 * @gpa: guest-physical address
 * @va: in the context's own space, if it is mapped there
 * @ggtt: global address, if it is mapped there
 */
struct page {
	u64 gpa;
	u64 va;
	u32 ggtt;
};

/**
 * guest_wake() - Get all wells awake, until the device is closed
 * @dev: the GPU
 */
void guest_wake(struct vdev *dev);

/**
 * guest_open() - Open a GPU, reset it, set everything up
 * @guest: gets it
 * @name: as for vdev_open()
 */
void guest_open(struct guest *guest, const char *name);

/**
 * guest_begin() - What guest_open() does with a GPU that is open
 * @guest: whose device is open
 */
void guest_begin(struct guest *guest);

/**
 * guest_start() - Set the GPU up after VFIO_DEVICE_RESET
 * @guest: whose table is empty
 *
 * The memory is given out anew.
 */
void guest_start(struct guest *guest);

/**
 * guest_close() - Close the GPU, a vGPU in whatever state it is
 * @guest: of guest_open()
 */
void guest_close(struct guest *guest);

/**
 * guest_page() - Get a page in both spaces
 * @guest: whose
 * @pp: address space; NULL: GGTT only
 * @va: address in it
 *
 * Return: the page, filled with zeros.
 */
struct page guest_page(struct guest *guest, struct ppgtt *pp, u64 va);

/**
 * guest_batch() - Get a page with a batch in both spaces
 * @guest: whose
 * @pp: address space; NULL: GGTT only
 * @va: address in it
 * @cmds: the batch; its end is appended
 *
 * Return: the page.
 */
struct page guest_batch(struct guest *guest, struct ppgtt *pp, u64 va, struct cmds *cmds);

/**
 * guest_expect() - Expect the value of a dword in memory
 * @guest: whose
 * @gpa: where
 * @value: the value
 * @what: says what it should be
 */
void guest_expect(struct guest *guest, u64 gpa, u32 value, const char *what);

#endif
