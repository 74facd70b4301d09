// SPDX-License-Identifier: GPL-2.0-only
/* Contexts: thin wrappers around the driver's ioctls. */
#include <errno.h>
#include <string.h>

#include "ctx.h"
#include "test.h"

u32 ctx_create(const struct gpu *gpu)
{
	struct drm_i915_gem_context_create_ext create = { 0 };
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create);

	if (err)
		test_fail("GEM_CONTEXT_CREATE: %s", strerror(-err));
	return create.ctx_id;
}

u32 ctx_create_in_vm(const struct gpu *gpu, u32 vm)
{
	struct drm_i915_gem_context_create_ext_setparam set = {
		.base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
		.param = { .param = I915_CONTEXT_PARAM_VM, .value = vm },
	};
	struct drm_i915_gem_context_create_ext create = {
		.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
		.extensions = (uintptr_t)&set,
	};
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create);

	if (err)
		test_fail("GEM_CONTEXT_CREATE in address space %u: %s", vm, strerror(-err));
	return create.ctx_id;
}

void ctx_destroy(const struct gpu *gpu, u32 ctx)
{
	struct drm_i915_gem_context_destroy destroy = { .ctx_id = ctx };
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy);

	if (err)
		test_fail("GEM_CONTEXT_DESTROY: %s", strerror(-err));
}

int ctx_set(const struct gpu *gpu, u32 ctx, u64 param, u64 value)
{
	struct drm_i915_gem_context_param arg = {
		.ctx_id = ctx,
		.param = param,
		.value = value,
	};

	return gpu_ioctl(gpu->fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &arg);
}

u32 ctx_create_prio(const struct gpu *gpu, int prio)
{
	u32 ctx;
	int err;

	if (!gpu_has_scheduler(gpu, I915_SCHEDULER_CAP_PRIORITY))
		test_skip("the driver's scheduler has no priorities here");
	ctx = ctx_create(gpu);
	err = ctx_set(gpu, ctx, I915_CONTEXT_PARAM_PRIORITY, (u64)(s64)prio);
	if (err)
		test_fail("setting priority %d: %s", prio, strerror(-err));
	return ctx;
}

void ctx_reset_stats(const struct gpu *gpu, u32 ctx, struct drm_i915_reset_stats *stats)
{
	int err;

	memset(stats, 0, sizeof(*stats));
	stats->ctx_id = ctx;
	err = gpu_ioctl(gpu->fd, DRM_IOCTL_I915_GET_RESET_STATS, stats);
	if (err)
		test_fail("GET_RESET_STATS: %s", strerror(-err));
}

u32 vm_create(const struct gpu *gpu)
{
	struct drm_i915_gem_vm_control arg = { 0 };
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_I915_GEM_VM_CREATE, &arg);

	if (err)
		test_fail("GEM_VM_CREATE: %s", strerror(-err));
	return arg.vm_id;
}
