/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Submission of a batch. Every object is pinned at the address that its struct
 * bo names, so batches need no relocations.
 */
#ifndef I915_TEST_EXEC_H
#define I915_TEST_EXEC_H

#include "emit.h"
#include "gpu.h"

#define EXEC_MAX_OBJECTS 16

/**
 * struct exec - one submission
 * @gpu: device
 * @ctx: context id, 0 for the file's own
 * @engine: where
 * @obj: objects besides the batch
 * @nobj: number of them
 * @flags: more I915_EXEC_* flags
 * @fence_in: sync file fd to wait for, with I915_EXEC_FENCE_IN
 * @fence_out: sync file fd of this submission, with I915_EXEC_FENCE_OUT
 * @fences: passed on as cliprects_ptr, with the flag that says what it is
 * @nfences: passed on as num_cliprects
 */
struct exec {
	struct gpu *gpu;
	u32 ctx;
	const struct engine *engine;
	struct drm_i915_gem_exec_object2 obj[EXEC_MAX_OBJECTS];
	unsigned int nobj;
	u64 flags;
	int fence_in;
	int fence_out;
	const void *fences;
	u32 nfences;
};

/**
 * exec_init() - begin a submission
 * @e: filled in
 * @gpu: device
 * @ctx: context id
 * @engine: where
 */
void exec_init(struct exec *e, struct gpu *gpu, u32 ctx, const struct engine *engine);

/**
 * exec_add() - an object that the batch uses
 * @e: submission
 * @bo: object
 * @flags: EXEC_OBJECT_WRITE, EXEC_OBJECT_ASYNC
 */
void exec_add(struct exec *e, const struct bo *bo, u64 flags);

/**
 * exec_try() - submit
 * @e: submission
 * @b: finished batch
 *
 * Return: 0 or a negative errno.
 */
int exec_try(struct exec *e, const struct batch *b);

/**
 * exec_submit() - submit, and fail the test when the driver refuses
 * @e: submission
 * @b: finished batch
 */
void exec_submit(struct exec *e, const struct batch *b);

/**
 * exec_one() - submit a batch that writes one object
 * @gpu: device
 * @ctx: context id
 * @engine: where
 * @b: finished batch
 * @target: object
 */
void exec_one(struct gpu *gpu, u32 ctx, const struct engine *engine, const struct batch *b,
	      const struct bo *target);

/**
 * exec_raw_object() - fill in one object of a submission
 * @obj: filled in
 * @bo: object
 * @flags: EXEC_OBJECT_WRITE, EXEC_OBJECT_ASYNC
 */
void exec_raw_object(struct drm_i915_gem_exec_object2 *obj, const struct bo *bo, u64 flags);

#endif
