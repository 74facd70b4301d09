// SPDX-License-Identifier: GPL-2.0-only
/*
 * Order between engines. A chain of batches hops from engine to engine; each
 * one copies the dword that its predecessor wrote and counts it up. The head of
 * the chain is held back by a spinner until all are queued, so a batch that does
 * not wait for its predecessor copies a zero.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <libdrm/drm.h>

#include "cmds.h"
#include "exec.h"
#include "spin.h"
#include "sync.h"
#include "test.h"

#define HOPS 24u
#define SEED 0x1000u

/**
 * struct chain - the batches of a chain
 * @gpu: device
 * @spin: holds the first engine
 * @bo: dword i * 16 is written by hop i - 1 and read by hop i
 * @batch: one for each hop
 */
struct chain {
	struct gpu *gpu;
	struct spin spin;
	struct bo bo;
	struct batch batch[HOPS];
};

static const struct engine *hop_engine(const struct chain *c, unsigned int hop)
{
	return c->gpu->engine[hop % c->gpu->nengines];
}

static void emit_hop(struct chain *c, unsigned int hop)
{
	struct batch *b = &c->batch[hop];
	u32 base = hop_engine(c, hop)->mmio;

	emit_lrm(b, base + RING_GPR(0), c->bo.addr + hop * 64);
	emit_lri(b, base + RING_GPR(0) + 4, 0);
	emit_lri(b, base + RING_GPR(1), 1);
	emit_lri(b, base + RING_GPR(1) + 4, 0);
	emit_add(b, 0, 0, 1);
	emit_srm(b, base + RING_GPR(0), c->bo.addr + (hop + 1) * 64);
	batch_end(b);
}

/*
 * The spinner and the first hop are in the same context and on the same engine,
 * where the ring keeps their order.
 */
static void chain_create(struct chain *c, struct gpu *gpu)
{
	memset(c, 0, sizeof(*c));
	c->gpu = gpu;
	if (gpu->nengines < 2)
		test_skip("only one engine");
	bo_create(&c->bo, gpu, PAGE_SIZE);
	bo_set_dword(&c->bo, 0, SEED);
	for (unsigned int i = 0; i < HOPS; i++) {
		batch_create(&c->batch[i], gpu, PAGE_SIZE);
		emit_hop(c, i);
	}
	spin_start(&c->spin, gpu, 0, hop_engine(c, 0), SPIN_WAIT);
	spin_wait_running(&c->spin);
}

static void chain_check(struct chain *c)
{
	for (unsigned int i = 1; i <= HOPS; i++)
		if (bo_dword(&c->bo, i * 16))
			test_fail("hop %u ran before the head of the chain was released", i - 1);
	spin_stop(&c->spin);
	for (unsigned int i = 0; i < HOPS; i++)
		bo_finish(&c->batch[i].bo, hop_engine(c, i)->name);
	bo_to_cpu(&c->bo);
	for (unsigned int i = 1; i <= HOPS; i++)
		bo_expect(&c->bo, i * 16, SEED + i, "a hop of the chain");
}

/* The driver orders batches that write the same object. */
static void test_implicit(struct gpu *gpu, const struct testcase *tc)
{
	struct chain c;

	(void)tc;
	chain_create(&c, gpu);
	for (unsigned int i = 0; i < HOPS; i++)
		exec_one(gpu, 0, hop_engine(&c, i), &c.batch[i], &c.bo);
	test_sleep_ms(20);
	chain_check(&c);
}

/* A hop that the driver does not order by itself. */
static void hop_init(struct exec *e, struct chain *c, unsigned int hop)
{
	exec_init(e, c->gpu, 0, hop_engine(c, hop));
	exec_add(e, &c->bo, EXEC_OBJECT_ASYNC);
}

static void test_sync_file(struct gpu *gpu, const struct testcase *tc)
{
	struct chain c;
	int fence = -1;

	(void)tc;
	if (gpu_param(gpu, I915_PARAM_HAS_EXEC_FENCE) <= 0)
		test_skip("no sync files");
	chain_create(&c, gpu);
	for (unsigned int i = 0; i < HOPS; i++) {
		struct exec e;

		hop_init(&e, &c, i);
		e.flags = I915_EXEC_FENCE_OUT | (fence >= 0 ? I915_EXEC_FENCE_IN : 0);
		e.fence_in = fence;
		exec_submit(&e, &c.batch[i]);
		if (fence >= 0)
			close(fence);
		fence = e.fence_out;
	}
	if (sync_file_wait(fence, 20))
		test_fail("the last fence signaled before the chain was released");
	chain_check(&c);
	if (!sync_file_wait(fence, 5000))
		test_fail("expected the last fence to signal within 5 s");
	close(fence);
}

static void test_syncobj(struct gpu *gpu, const struct testcase *tc)
{
	struct drm_i915_gem_exec_fence fences[2] = { { 0 } };
	struct chain c;
	int err;

	(void)tc;
	if (gpu_param(gpu, I915_PARAM_HAS_EXEC_FENCE_ARRAY) <= 0)
		test_skip("no fence arrays");
	chain_create(&c, gpu);
	for (unsigned int i = 0; i < HOPS; i++) {
		struct exec e;

		fences[1] = fences[0];
		fences[1].flags = I915_EXEC_FENCE_WAIT;
		fences[0].handle = syncobj_create(gpu);
		fences[0].flags = I915_EXEC_FENCE_SIGNAL;
		hop_init(&e, &c, i);
		e.flags = I915_EXEC_FENCE_ARRAY;
		e.fences = fences;
		e.nfences = i ? 2 : 1;
		exec_submit(&e, &c.batch[i]);
	}
	err = syncobj_wait(gpu, fences[0].handle, 20);
	if (err != -ETIME)
		test_fail("waiting for the held chain: expected a timeout, got %d", err);
	chain_check(&c);
	err = syncobj_wait(gpu, fences[0].handle, 5000);
	if (err)
		test_fail("waiting for the last sync object: %s", strerror(-err));
}

static void timeline_submit(struct chain *c, unsigned int hop, u32 handle)
{
	struct drm_i915_gem_exec_fence fences[2] = {
		{ .handle = handle, .flags = I915_EXEC_FENCE_SIGNAL },
		{ .handle = handle, .flags = I915_EXEC_FENCE_WAIT },
	};
	u64 points[2] = { hop + 1, hop };
	struct drm_i915_gem_execbuffer_ext_timeline_fences ext = {
		.base.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES,
		.fence_count = hop ? 2 : 1,
		.handles_ptr = (uintptr_t)fences,
		.values_ptr = (uintptr_t)points,
	};
	struct exec e;

	hop_init(&e, c, hop);
	e.flags = I915_EXEC_USE_EXTENSIONS;
	e.fences = &ext;
	exec_submit(&e, &c->batch[hop]);
}

static void test_timeline(struct gpu *gpu, const struct testcase *tc)
{
	u64 point;
	struct chain c;
	u32 handle;
	int err;

	(void)tc;
	if (gpu_param(gpu, I915_PARAM_HAS_EXEC_TIMELINE_FENCES) <= 0)
		test_skip("no timeline fences");
	chain_create(&c, gpu);
	handle = syncobj_create(gpu);
	for (unsigned int i = 0; i < HOPS; i++)
		timeline_submit(&c, i, handle);
	point = syncobj_point(gpu, handle);
	if (point)
		test_fail("a held timeline: expected point 0, saw %llu", (unsigned long long)point);
	chain_check(&c);
	err = syncobj_wait_point(gpu, handle, HOPS, 5000);
	if (err)
		test_fail("waiting for point %u: %s", HOPS, strerror(-err));
	point = syncobj_point(gpu, handle);
	if (point != HOPS)
		test_fail("a finished timeline: expected point %u, saw %llu", HOPS,
			  (unsigned long long)point);
}

/* One engine waits in a semaphore for what another one stores. */
static void check_semaphore(struct gpu *gpu, const struct engine *waiter,
			    const struct engine *poster)
{
	struct batch wait, post;
	struct bo state;
	struct exec e;

	bo_create(&state, gpu, PAGE_SIZE);
	batch_create(&wait, gpu, PAGE_SIZE);
	batch_create(&post, gpu, PAGE_SIZE);
	emit_store(&wait, state.addr, 1);
	emit_wait_equal(&wait, state.addr + 64, 0x600d);
	emit_store(&wait, state.addr + 128, 2);
	batch_end(&wait);
	emit_store(&post, state.addr + 64, 0x600d);
	batch_end(&post);

	exec_init(&e, gpu, 0, waiter);
	exec_add(&e, &state, EXEC_OBJECT_ASYNC);
	exec_submit(&e, &wait);
	if (bo_wait(&wait.bo, 20) != -ETIME || bo_dword(&state, 32))
		test_fail("%s did not wait in its semaphore", waiter->name);
	e.engine = poster;
	e.nobj = 1;
	exec_submit(&e, &post);
	bo_finish(&post.bo, poster->name);
	bo_finish(&wait.bo, waiter->name);
	bo_expect(&state, 0, 1, "before the semaphore");
	bo_expect(&state, 32, 2, "after the semaphore");
	bo_destroy(&wait.bo);
	bo_destroy(&post.bo);
	bo_destroy(&state);
}

static void test_semaphore(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	if (gpu->nengines < 2)
		test_skip("only one engine");
	for (unsigned int w = 0; w < gpu->nengines; w++)
		for (unsigned int p = 0; p < gpu->nengines; p++)
			if (w != p)
				check_semaphore(gpu, gpu->engine[w], gpu->engine[p]);
}

static const struct testcase tests[] = {
	{ "sync-implicit", test_implicit, 0, 30 },
	{ "sync-file", test_sync_file, 0, 30 },
	{ "sync-syncobj", test_syncobj, 0, 30 },
	{ "sync-timeline", test_timeline, 0, 30 },
	{ "sync-semaphore", test_semaphore, 0, 30 },
};

const struct testgroup sync_tests = { tests, ARRAY_SIZE(tests) };
