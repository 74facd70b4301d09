/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Batches that run until the CPU ends them.
 */
#ifndef I915_TEST_SPIN_H
#define I915_TEST_SPIN_H

#include "emit.h"

/**
 * enum spin_kind - how a spinner spins
 * @SPIN_ARB: jumps to itself over MI_ARB_CHECK, which lets it be preempted
 * @SPIN_WAIT: waits in MI_SEMAPHORE_WAIT, which lets it be preempted
 * @SPIN_HOG: jumps to itself without a place to be preempted at: a hang
 */
enum spin_kind { SPIN_ARB, SPIN_WAIT, SPIN_HOG };

/**
 * struct spin - a running spinner
 * @batch: its batch
 * @state: dword 0 becomes 1 when it runs, dword 16 releases SPIN_WAIT,
 *         dword 32 becomes 1 when SPIN_WAIT goes on
 * @kind: how it spins
 * @loop: dword of the batch where the loop begins
 */
struct spin {
	struct batch batch;
	struct bo state;
	enum spin_kind kind;
	u32 loop;
};

/**
 * spin_start() - submit a spinner
 * @s: filled in
 * @gpu: device
 * @ctx: context id
 * @engine: where; one with parsed batches cannot be ended as SPIN_ARB or SPIN_HOG
 * @kind: how it spins
 */
void spin_start(struct spin *s, struct gpu *gpu, u32 ctx, const struct engine *engine,
		enum spin_kind kind);

/**
 * spin_wait_running() - wait until the GPU runs it; fails the test otherwise
 * @s: spinner
 */
void spin_wait_running(const struct spin *s);

/**
 * spin_release() - let it end
 * @s: spinner
 */
void spin_release(struct spin *s);

/**
 * spin_stop() - let it end, wait for the end and destroy it
 * @s: spinner
 */
void spin_stop(struct spin *s);

#endif
