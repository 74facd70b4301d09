// SPDX-License-Identifier: GPL-2.0-only
/* Fences: thin wrappers around poll() and DRM's sync object ioctls. */
#include <poll.h>
#include <string.h>
#include <time.h>
#include <libdrm/drm.h>

#include "sync.h"
#include "test.h"

bool sync_file_wait(int fd, int timeout_ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, timeout_ms) == 1 && (pfd.revents & POLLIN);
}

u32 syncobj_create(const struct gpu *gpu)
{
	struct drm_syncobj_create arg = { 0 };
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_SYNCOBJ_CREATE, &arg);

	if (err)
		test_fail("SYNCOBJ_CREATE: %s", strerror(-err));
	return arg.handle;
}

/* Sync objects take absolute times. */
static s64 deadline_ns(unsigned int timeout_ms)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec + timeout_ms * 1000000LL;
}

int syncobj_wait(const struct gpu *gpu, u32 handle, unsigned int timeout_ms)
{
	struct drm_syncobj_wait arg = {
		.handles = (uintptr_t)&handle,
		.timeout_nsec = deadline_ns(timeout_ms),
		.count_handles = 1,
	};

	return gpu_ioctl(gpu->fd, DRM_IOCTL_SYNCOBJ_WAIT, &arg);
}

int syncobj_wait_point(const struct gpu *gpu, u32 handle, u64 point,
		       unsigned int timeout_ms)
{
	struct drm_syncobj_timeline_wait arg = {
		.handles = (uintptr_t)&handle,
		.points = (uintptr_t)&point,
		.timeout_nsec = deadline_ns(timeout_ms),
		.count_handles = 1,
	};

	return gpu_ioctl(gpu->fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &arg);
}

u64 syncobj_point(const struct gpu *gpu, u32 handle)
{
	u64 point = 0;
	struct drm_syncobj_timeline_array arg = {
		.handles = (uintptr_t)&handle,
		.points = (uintptr_t)&point,
		.count_handles = 1,
	};
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_SYNCOBJ_QUERY, &arg);

	if (err)
		test_fail("SYNCOBJ_QUERY: %s", strerror(-err));
	return point;
}
