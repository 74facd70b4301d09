// SPDX-License-Identifier: GPL-2.0-only
/* Submission through DRM_IOCTL_I915_GEM_EXECBUFFER2_WR. */
#include <string.h>

#include "exec.h"
#include "test.h"

void exec_init(struct exec *e, struct gpu *gpu, u32 ctx, const struct engine *engine)
{
	memset(e, 0, sizeof(*e));
	e->gpu = gpu;
	e->ctx = ctx;
	e->engine = engine;
	e->fence_in = -1;
	e->fence_out = -1;
}

void exec_raw_object(struct drm_i915_gem_exec_object2 *obj, const struct bo *bo, u64 flags)
{
	memset(obj, 0, sizeof(*obj));
	obj->handle = bo->handle;
	obj->offset = bo->addr;
	obj->flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | flags;
}

void exec_add(struct exec *e, const struct bo *bo, u64 flags)
{
	if (e->nobj >= EXEC_MAX_OBJECTS - 1)
		test_fail("too many objects in a submission: a bug of the test");
	exec_raw_object(&e->obj[e->nobj++], bo, flags);
}

int exec_try(struct exec *e, const struct batch *b)
{
	struct drm_i915_gem_execbuffer2 eb = {
		.buffers_ptr = (uintptr_t)e->obj,
		.buffer_count = e->nobj + 1,
		.batch_len = (b->n * 4 + 7) & ~7u,
		.num_cliprects = e->nfences,
		.cliprects_ptr = (uintptr_t)e->fences,
		.flags = e->engine->exec | I915_EXEC_NO_RELOC | e->flags,
		.rsvd1 = e->ctx,
		.rsvd2 = e->flags & I915_EXEC_FENCE_IN ? (u32)e->fence_in : 0,
	};
	int err;

	exec_raw_object(&e->obj[e->nobj], &b->bo, 0);
	err = gpu_ioctl(e->gpu->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &eb);
	if (!err && (e->flags & I915_EXEC_FENCE_OUT))
		e->fence_out = (int)(eb.rsvd2 >> 32);
	return err;
}

void exec_submit(struct exec *e, const struct batch *b)
{
	int err = exec_try(e, b);

	if (err)
		test_fail("submission to %s in context %u: %s", e->engine->name, e->ctx,
			  strerror(-err));
}

void exec_one(struct gpu *gpu, u32 ctx, const struct engine *engine, const struct batch *b,
	      const struct bo *target)
{
	struct exec e;

	exec_init(&e, gpu, ctx, engine);
	exec_add(&e, target, EXEC_OBJECT_WRITE);
	exec_submit(&e, b);
}
