// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opening an i915 node. Gen9 has one fixed address per engine; the driver's
 * engine query says which of them exist.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <libdrm/drm.h>
#include <linux/bits.h>

#include "gpu.h"
#include "test.h"

#define MIB BIT_ULL(20)
/* Long enough for a batch under emulation, short against a test's bound. */
#define SHORT_PREEMPT_MS 250
#define SHORT_HEARTBEAT_MS 500

static const struct engine gen9_engines[GPU_MAX_ENGINES] = {
	{ "rcs0", I915_ENGINE_CLASS_RENDER, I915_EXEC_RENDER, 0x2000, false },
	{ "bcs0", I915_ENGINE_CLASS_COPY, I915_EXEC_BLT, 0x22000, true },
	{ "vcs0", I915_ENGINE_CLASS_VIDEO, I915_EXEC_BSD, 0x12000, false },
	{ "vecs0", I915_ENGINE_CLASS_VIDEO_ENHANCE, I915_EXEC_VEBOX, 0x1a000, false },
};

int gpu_ioctl(int fd, unsigned long request, void *arg)
{
	int ret;

	do
		ret = ioctl(fd, request, arg);
	while (ret && (errno == EINTR || errno == EAGAIN));
	return ret ? -errno : 0;
}

static bool is_i915(int fd)
{
	char name[16] = "";
	struct drm_version version = { .name_len = sizeof(name) - 1, .name = name };

	return !gpu_ioctl(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, "i915");
}

static int open_node(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (is_i915(fd))
		return fd;
	close(fd);
	return -ENODEV;
}

static int open_first(void)
{
	char path[32];

	for (int minor = 0; minor < 64; minor++) {
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/renderD%d", 128 + minor);
		fd = open_node(path);
		if (fd >= 0)
			return fd;
	}
	for (int minor = 0; minor < 64; minor++) {
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/card%d", minor);
		fd = open_node(path);
		if (fd >= 0)
			return fd;
	}
	return -ENODEV;
}

/* The card's directory in sysfs is found through the device of the open node. */
static int find_minor(int fd)
{
	char path[96];
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	for (int minor = 0; minor < 64; minor++) {
		snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/drm/card%d",
			 major(st.st_rdev), minor(st.st_rdev), minor);
		if (!access(path, F_OK))
			return minor;
	}
	return -1;
}

static int query_engines(int fd, void *buf, int size)
{
	struct drm_i915_query_item item = {
		.query_id = DRM_I915_QUERY_ENGINE_INFO,
		.length = size,
		.data_ptr = (uintptr_t)buf,
	};
	struct drm_i915_query query = { .num_items = 1, .items_ptr = (uintptr_t)&item };
	int err = gpu_ioctl(fd, DRM_IOCTL_I915_QUERY, &query);

	return err ? err : item.length;
}

static int find_engines(struct gpu *gpu)
{
	struct drm_i915_query_engine_info *info = calloc(1, 16384);
	int len;

	if (!info)
		return -ENOMEM;
	len = query_engines(gpu->fd, info, 16384);
	if (len < 0) {
		free(info);
		return len;
	}
	gpu->nengines = 0;
	for (unsigned int k = 0; k < GPU_MAX_ENGINES; k++)
		for (unsigned int i = 0; i < info->num_engines; i++) {
			struct i915_engine_class_instance *e = &info->engines[i].engine;

			if (e->engine_class == gen9_engines[k].class && !e->engine_instance)
				gpu->engine[gpu->nengines++] = &gen9_engines[k];
		}
	free(info);
	return gpu->nengines ? 0 : -ENODEV;
}

static int setup(struct gpu *gpu, int fd)
{
	memset(gpu, 0, sizeof(*gpu));
	gpu->fd = fd;
	gpu->minor = find_minor(fd);
	gpu->next_addr = 16 * MIB;
	return find_engines(gpu);
}

int gpu_open(struct gpu *gpu, const char *path)
{
	int fd = path ? open_node(path) : open_first();
	int err;

	if (fd < 0)
		return fd;
	err = setup(gpu, fd);
	if (err)
		close(fd);
	return err;
}

void gpu_close(struct gpu *gpu)
{
	close(gpu->fd);
	gpu->fd = -1;
}

void gpu_reopen(struct gpu *other, const struct gpu *gpu)
{
	char path[64];
	int err;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", gpu->fd);
	err = gpu_open(other, path);
	if (err)
		test_fail("the node cannot be opened a second time: %s", strerror(-err));
	other->quick = gpu->quick;
}

int gpu_param(const struct gpu *gpu, int param)
{
	int value = 0;
	struct drm_i915_getparam gp = { .param = param, .value = &value };
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_I915_GETPARAM, &gp);

	return err ? err : value;
}

bool gpu_has_scheduler(const struct gpu *gpu, unsigned int cap)
{
	int caps = gpu_param(gpu, I915_PARAM_HAS_SCHEDULER);

	return caps > 0 && (caps & (int)cap);
}

u64 gpu_addr_alloc(struct gpu *gpu, u64 size, u64 align)
{
	u64 addr = (gpu->next_addr + align - 1) & ~(align - 1);

	gpu->next_addr = addr + size;
	return addr;
}

unsigned int gpu_repeat(const struct gpu *gpu, unsigned int n)
{
	if (!gpu->quick)
		return n;
	return n >= 10 ? n / 10 : 1;
}

static void knob_path(const struct gpu *gpu, unsigned int e, const char *knob, char path[128])
{
	snprintf(path, 128, "/sys/class/drm/card%d/engine/%s/%s", gpu->minor,
		 gpu->engine[e]->name, knob);
}

static long knob_read(const struct gpu *gpu, unsigned int e, const char *knob)
{
	char path[128];
	long value = -1;
	FILE *f;

	knob_path(gpu, e, knob, path);
	f = fopen(path, "re");
	if (!f)
		return -1;
	if (fscanf(f, "%ld", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}

static void knob_write(const struct gpu *gpu, unsigned int e, const char *knob, long value)
{
	char path[128];
	FILE *f;

	if (value < 0)
		return;
	knob_path(gpu, e, knob, path);
	f = fopen(path, "we");
	if (!f || fprintf(f, "%ld", value) < 0 || fflush(f))
		test_note("cannot set %s: %s", path, strerror(errno));
	if (f)
		fclose(f);
}

void gpu_timeouts_shorten(const struct gpu *gpu, struct gpu_timeouts *saved)
{
	for (unsigned int e = 0; e < gpu->nengines; e++) {
		saved->preempt[e] = knob_read(gpu, e, "preempt_timeout_ms");
		saved->heartbeat[e] = knob_read(gpu, e, "heartbeat_interval_ms");
		if (saved->preempt[e] > 0)
			knob_write(gpu, e, "preempt_timeout_ms", SHORT_PREEMPT_MS);
		if (saved->heartbeat[e] > 0)
			knob_write(gpu, e, "heartbeat_interval_ms", SHORT_HEARTBEAT_MS);
	}
}

void gpu_timeouts_restore(const struct gpu *gpu, const struct gpu_timeouts *saved)
{
	for (unsigned int e = 0; e < gpu->nengines; e++) {
		knob_write(gpu, e, "preempt_timeout_ms", saved->preempt[e]);
		knob_write(gpu, e, "heartbeat_interval_ms", saved->heartbeat[e]);
	}
}
