/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts, their parameters and address spaces. Context 0 is the file's own.
 */
#ifndef I915_TEST_CTX_H
#define I915_TEST_CTX_H

#include "gpu.h"

/**
 * ctx_create() - a new context with an address space of its own
 * @gpu: device
 *
 * Return: context id. Fails the test on error.
 */
u32 ctx_create(const struct gpu *gpu);

/**
 * ctx_create_in_vm() - a new context in a given address space
 * @gpu: device
 * @vm: from vm_create()
 *
 * Return: context id. Fails the test on error.
 */
u32 ctx_create_in_vm(const struct gpu *gpu, u32 vm);

/**
 * ctx_destroy() - destroy a context
 * @gpu: device
 * @ctx: context id
 */
void ctx_destroy(const struct gpu *gpu, u32 ctx);

/**
 * ctx_set() - set one I915_CONTEXT_PARAM_*
 * @gpu: device
 * @ctx: context id
 * @param: which
 * @value: new value
 *
 * Return: 0 or a negative errno.
 */
int ctx_set(const struct gpu *gpu, u32 ctx, u64 param, u64 value);

/**
 * ctx_create_prio() - a new context of a given priority
 * @gpu: device
 * @prio: -1023 to 1023; above 0 needs CAP_SYS_NICE
 *
 * Return: context id. Skips the test where the scheduler has no priorities.
 */
u32 ctx_create_prio(const struct gpu *gpu, int prio);

/**
 * ctx_reset_stats() - how many resets a context caused and suffered
 * @gpu: device
 * @ctx: context id
 * @stats: filled in
 */
void ctx_reset_stats(const struct gpu *gpu, u32 ctx, struct drm_i915_reset_stats *stats);

/**
 * vm_create() - a new address space
 * @gpu: device
 *
 * Return: its id. Fails the test on error.
 */
u32 vm_create(const struct gpu *gpu);

#endif
