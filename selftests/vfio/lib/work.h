/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What most tests start from: a guest, a context on one engine, a page to write to.
 */
#ifndef VFIO_LIB_WORK_H
#define VFIO_LIB_WORK_H

#include "guest.h"

#define TARGET_VA	0x0000123400000000ull
#define BATCH_VA	0x0000007f00010000ull
/* The same, for address spaces of three levels. */
#define TARGET_VA_32	0x00000000c3400000ull
#define BATCH_VA_32	0x000000007f010000ull

/**
 * struct work - The things
 * @guest: the guest
 * @engine: one of its engines
 * @pp: an address space
 * @ctx: a context of it
 * @target: page that commands write to, at @target_va and in the GGTT
 * @target_va: TARGET_VA or TARGET_VA_32
 * @batch_va: where work_batch() puts the next batch
 */
struct work {
	struct guest guest;
	struct engine *engine;
	struct ppgtt pp;
	struct ctx ctx;
	struct page target;
	u64 target_va;
	u64 batch_va;
};

/**
 * work_start() - Open a GPU and make everything
 * @work: gets it
 * @name: of the device, see vdev_open()
 * @id: engine
 * @levels: of the address space, 3 or 4
 */
void work_start(struct work *work, const char *name, enum engine_id id, unsigned int levels);

/**
 * work_begin() - What work_start() does with a GPU that is open
 * @work: whose guest's device is open
 * @id: engine
 * @levels: of the address space, 3 or 4
 */
void work_begin(struct work *work, enum engine_id id, unsigned int levels);

/**
 * work_renew() - Make everything anew, e.g. after VFIO_DEVICE_RESET
 * @work: of work_start()
 */
void work_renew(struct work *work);

/**
 * work_stop() - Close the GPU
 * @work: of work_start()
 */
void work_stop(struct work *work);

/**
 * work_batch() - Put commands in a batch, and the start of it in a ring's commands
 * @work: whose address space
 * @ring: gets the start, without privilege
 * @cmds: the batch; its end is appended
 */
void work_batch(struct work *work, struct cmds *ring, struct cmds *cmds);

/**
 * work_run_batch() - Run commands as a batch without privilege
 * @work: whose context, on an idle engine
 * @cmds: the batch; its end is appended
 */
void work_run_batch(struct work *work, struct cmds *cmds);

/**
 * work_expect() - Expect the value of a dword of the target
 * @work: whose
 * @dword: which
 * @value: the value
 */
void work_expect(struct work *work, unsigned int dword, u32 value);

/**
 * work_dword() - A dword of the target
 * @work: whose
 * @dword: which
 *
 * Return: its guest-physical address.
 */
u64 work_dword(const struct work *work, unsigned int dword);

/**
 * work_store() - Have the chip store to an address, after it has forgotten its translations
 * @work: of work_start()
 * @va: in the address space
 * @value: what
 */
void work_store(struct work *work, u64 va, u32 value);

/**
 * work_prove() - Expect that the context's engine works
 * @work: whose, with an idle engine
 */
void work_prove(struct work *work);

/**
 * work_on_each_engine() - Run a test on each engine of the first device
 * @test: the test; each time memory, table and engines are as new
 */
void work_on_each_engine(void (*test)(struct work *work));

/**
 * work_on_each_engine_32() - The same with address spaces of three levels
 * @test: the test
 */
void work_on_each_engine_32(void (*test)(struct work *work));

#endif
