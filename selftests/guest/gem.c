// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffer objects. Skylake has a last level cache that CPU and GPU share, so a
 * write-back mapping is coherent, and the tests may poll memory that a running
 * batch writes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <libdrm/drm.h>

#include "gem.h"
#include "test.h"

#define FINISH_TIMEOUT_MS 20000

static void fail_errno(const char *what, int err)
{
	test_fail("%s: %s", what, strerror(-err));
}

static void *map_cpu(const struct bo *bo)
{
	struct drm_i915_gem_mmap map = { .handle = bo->handle, .size = bo->size };
	int err = gpu_ioctl(bo->gpu->fd, DRM_IOCTL_I915_GEM_MMAP, &map);

	if (err)
		fail_errno("GEM_MMAP", err);
	return (void *)(uintptr_t)map.addr_ptr;
}

void bo_create(struct bo *bo, struct gpu *gpu, u64 size)
{
	struct drm_i915_gem_create create = {
		.size = (size + PAGE_SIZE - 1) & ~(u64)(PAGE_SIZE - 1),
	};
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_I915_GEM_CREATE, &create);

	if (err)
		fail_errno("GEM_CREATE", err);
	bo->gpu = gpu;
	bo->handle = create.handle;
	bo->size = create.size;
	bo->addr = gpu_addr_alloc(gpu, bo->size, 65536);
	bo->cpu = map_cpu(bo);
}

int bo_create_userptr(struct bo *bo, struct gpu *gpu, void *mem, u64 size, u32 flags)
{
	struct drm_i915_gem_userptr arg = {
		.user_ptr = (uintptr_t)mem,
		.user_size = size,
		.flags = flags,
	};
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_I915_GEM_USERPTR, &arg);

	if (err)
		return err;
	bo->gpu = gpu;
	bo->handle = arg.handle;
	bo->size = size;
	bo->addr = gpu_addr_alloc(gpu, size, 65536);
	bo->cpu = mem;
	return 0;
}

void bo_destroy(struct bo *bo)
{
	struct drm_gem_close close_arg = { .handle = bo->handle };
	int err;

	munmap(bo->cpu, bo->size);
	err = gpu_ioctl(bo->gpu->fd, DRM_IOCTL_GEM_CLOSE, &close_arg);
	if (err)
		fail_errno("GEM_CLOSE", err);
	memset(bo, 0, sizeof(*bo));
}

int bo_wait(const struct bo *bo, unsigned int timeout_ms)
{
	struct drm_i915_gem_wait wait = {
		.bo_handle = bo->handle,
		.timeout_ns = timeout_ms * 1000000LL,
	};

	return gpu_ioctl(bo->gpu->fd, DRM_IOCTL_I915_GEM_WAIT, &wait);
}

void bo_finish(const struct bo *bo, const char *what)
{
	int err = bo_wait(bo, FINISH_TIMEOUT_MS);

	if (err)
		test_fail("%s: expected to finish within %u ms: %s", what, FINISH_TIMEOUT_MS,
			  strerror(-err));
}

bool bo_is_busy(const struct bo *bo)
{
	struct drm_i915_gem_busy busy = { .handle = bo->handle };
	int err = gpu_ioctl(bo->gpu->fd, DRM_IOCTL_I915_GEM_BUSY, &busy);

	if (err)
		fail_errno("GEM_BUSY", err);
	return busy.busy != 0;
}

u32 bo_set_tiling(const struct bo *bo, u32 mode, u32 stride)
{
	struct drm_i915_gem_set_tiling arg = {
		.handle = bo->handle,
		.tiling_mode = mode,
		.stride = mode == I915_TILING_NONE ? 0 : stride,
	};
	int err = gpu_ioctl(bo->gpu->fd, DRM_IOCTL_I915_GEM_SET_TILING, &arg);

	if (err)
		fail_errno("GEM_SET_TILING", err);
	if (arg.tiling_mode != mode)
		test_fail("GEM_SET_TILING: asked for mode %u, got %u", mode, arg.tiling_mode);
	return arg.swizzle_mode;
}

void *bo_map_aperture(const struct bo *bo)
{
	struct drm_i915_gem_mmap_gtt arg = { .handle = bo->handle };
	int err = gpu_ioctl(bo->gpu->fd, DRM_IOCTL_I915_GEM_MMAP_GTT, &arg);
	void *ptr;

	if (err == -ENODEV)
		test_skip("the driver has no mappable aperture");
	if (err)
		fail_errno("GEM_MMAP_GTT", err);
	ptr = mmap(NULL, bo->size, PROT_READ | PROT_WRITE, MAP_SHARED, bo->gpu->fd,
		   (off_t)arg.offset);
	if (ptr == MAP_FAILED)
		fail_errno("mmap of the aperture", -errno);
	return ptr;
}

void bo_to_cpu(const struct bo *bo)
{
	struct drm_i915_gem_set_domain arg = {
		.handle = bo->handle,
		.read_domains = I915_GEM_DOMAIN_CPU,
	};
	int err;

	bo_finish(bo, "access by the CPU");
	err = gpu_ioctl(bo->gpu->fd, DRM_IOCTL_I915_GEM_SET_DOMAIN, &arg);
	if (err)
		fail_errno("GEM_SET_DOMAIN", err);
}

void bo_expect(const struct bo *bo, u64 index, u32 value, const char *what)
{
	u32 seen = bo_dword(bo, index);

	if (seen != value)
		test_fail("%s: expected %#x in dword %llu at GPU address %#llx, saw %#x", what,
			  value, (unsigned long long)index,
			  (unsigned long long)(bo->addr + index * 4), seen);
}
