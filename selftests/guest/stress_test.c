// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many of something: batches, so that rings wrap; objects of one submission;
 * batches that chain to each other.
 */
#include <stdlib.h>
#include <string.h>

#include "cmds.h"
#include "ctx.h"
#include "exec.h"
#include "test.h"

/*
 * One batch per engine, submitted again and again, counts up a dword: the sum
 * shows a batch that was lost or run twice.
 */
static void test_batches(struct gpu *gpu, const struct testcase *tc)
{
	unsigned int rounds = (gpu->quick ? 400 : 10000) / gpu->nengines;
	struct exec e[GPU_MAX_ENGINES];
	struct batch b[GPU_MAX_ENGINES];
	struct bo target;

	(void)tc;
	bo_create(&target, gpu, PAGE_SIZE);
	for (unsigned int i = 0; i < gpu->nengines; i++) {
		batch_create(&b[i], gpu, PAGE_SIZE);
		emit_inc(&b[i], target.addr + i * 64);
		batch_end(&b[i]);
		exec_init(&e[i], gpu, 0, gpu->engine[i]);
		exec_add(&e[i], &target, EXEC_OBJECT_ASYNC);
	}
	for (unsigned int n = 0; n < rounds; n++)
		for (unsigned int i = 0; i < gpu->nengines; i++)
			exec_submit(&e[i], &b[i]);
	for (unsigned int i = 0; i < gpu->nengines; i++)
		bo_finish(&b[i].bo, gpu->engine[i]->name);
	bo_to_cpu(&target);
	for (unsigned int i = 0; i < gpu->nengines; i++)
		bo_expect(&target, i * 16, rounds, gpu->engine[i]->name);
}

static void submit_raw(struct gpu *gpu, struct drm_i915_gem_exec_object2 *obj, unsigned int n)
{
	struct drm_i915_gem_execbuffer2 eb = {
		.buffers_ptr = (uintptr_t)obj,
		.buffer_count = n,
		.flags = gpu->engine[0]->exec | I915_EXEC_NO_RELOC,
	};
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &eb);

	if (err)
		test_fail("submission of %u objects: %s", n, strerror(-err));
}

static void test_objects(struct gpu *gpu, const struct testcase *tc)
{
	unsigned int n = gpu_repeat(gpu, 1000);
	struct drm_i915_gem_exec_object2 *obj = calloc(n + 1, sizeof(*obj));
	struct bo *bo = calloc(n, sizeof(*bo));
	struct batch b;

	(void)tc;
	if (!obj || !bo)
		test_fail("out of memory");
	batch_create(&b, gpu, n * 16 + PAGE_SIZE);
	for (unsigned int i = 0; i < n; i++) {
		bo_create(&bo[i], gpu, PAGE_SIZE);
		exec_raw_object(&obj[i], &bo[i], EXEC_OBJECT_WRITE);
		emit_store(&b, bo[i].addr + i % 1024 * 4, i + 1);
	}
	batch_end(&b);
	exec_raw_object(&obj[n], &b.bo, 0);
	submit_raw(gpu, obj, n + 1);
	bo_finish(&b.bo, "a batch with many objects");
	for (unsigned int i = 0; i < n; i++) {
		bo_to_cpu(&bo[i]);
		bo_expect(&bo[i], i % 1024, i + 1, "one of many objects");
	}
	free(obj);
	free(bo);
}

/* Batches of one page, each of which jumps into the next. */
static void check_chain(struct gpu *gpu, const struct engine *engine)
{
	enum { LINKS = 12 };
	struct batch b[LINKS];
	struct bo target;
	struct exec e;

	bo_create(&target, gpu, PAGE_SIZE);
	exec_init(&e, gpu, 0, engine);
	exec_add(&e, &target, EXEC_OBJECT_WRITE);
	for (unsigned int i = 0; i < LINKS; i++)
		batch_create(&b[i], gpu, PAGE_SIZE);
	for (unsigned int i = 0; i < LINKS; i++) {
		while (b[i].n < PAGE_SIZE / 4 - 8)
			batch_dword(&b[i], MI_NOOP);
		emit_store(&b[i], target.addr + i * 4, 0xc4a10 + i);
		if (i + 1 < LINKS)
			emit_jump(&b[i], b[i + 1].bo.addr);
		else
			batch_end(&b[i]);
		if (i)
			exec_add(&e, &b[i].bo, 0);
	}
	exec_submit(&e, &b[0]);
	bo_to_cpu(&target);
	for (unsigned int i = 0; i < LINKS; i++)
		bo_expect(&target, i, 0xc4a10 + i, engine->name);
	for (unsigned int i = 0; i < LINKS; i++)
		bo_destroy(&b[i].bo);
	bo_destroy(&target);
}

static void test_chain(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	for (unsigned int e = 0; e < gpu->nengines; e++)
		if (!gpu->engine[e]->parsed)
			check_chain(gpu, gpu->engine[e]);
}

/* One large batch: 16384 stores over many pages of commands. */
static void test_long(struct gpu *gpu, const struct testcase *tc)
{
	unsigned int n = gpu_repeat(gpu, 16384);

	(void)tc;
	for (unsigned int k = 0; k < gpu->nengines; k++) {
		struct bo target;
		struct batch b;

		bo_create(&target, gpu, n * 4);
		batch_create(&b, gpu, n * 16 + PAGE_SIZE);
		for (unsigned int i = 0; i < n; i++)
			emit_store(&b, target.addr + i * 4, i ^ 0x5555);
		batch_end(&b);
		exec_one(gpu, 0, gpu->engine[k], &b, &target);
		bo_to_cpu(&target);
		for (unsigned int i = 0; i < n; i++)
			bo_expect(&target, i, i ^ 0x5555, gpu->engine[k]->name);
		bo_destroy(&b.bo);
		bo_destroy(&target);
	}
}

/* Contexts of several priorities that all have much to do, on all engines. */
static void test_mix(struct gpu *gpu, const struct testcase *tc)
{
	unsigned int rounds = gpu_repeat(gpu, 50);
	struct batch b[8][GPU_MAX_ENGINES];
	struct bo target[8];
	u32 ctx[8];

	(void)tc;
	for (unsigned int c = 0; c < 8; c++) {
		ctx[c] = ctx_create_prio(gpu, (int)c * 100 - 400);
		bo_create(&target[c], gpu, PAGE_SIZE);
		for (unsigned int e = 0; e < gpu->nengines; e++) {
			batch_create(&b[c][e], gpu, PAGE_SIZE);
			for (unsigned int i = 0; i < 10; i++) {
				emit_inc(&b[c][e], target[c].addr + e * 64);
				batch_dword(&b[c][e], MI_ARB_CHECK);
			}
			batch_end(&b[c][e]);
		}
	}
	for (unsigned int n = 0; n < rounds * 8 * gpu->nengines; n++) {
		unsigned int c = test_rand() % 8, k = n % gpu->nengines;
		struct exec e;

		exec_init(&e, gpu, ctx[c], gpu->engine[k]);
		exec_add(&e, &target[c], EXEC_OBJECT_ASYNC);
		exec_submit(&e, &b[c][k]);
		bo_set_dword(&target[c], 512 + k, bo_dword(&target[c], 512 + k) + 10);
	}
	for (unsigned int c = 0; c < 8; c++)
		for (unsigned int e = 0; e < gpu->nengines; e++) {
			bo_finish(&b[c][e].bo, gpu->engine[e]->name);
			bo_expect(&target[c], e * 16, bo_dword(&target[c], 512 + e),
				  gpu->engine[e]->name);
		}
}

static const struct testcase tests[] = {
	{ "stress-batches", test_batches, 0, 60 },
	{ "stress-objects", test_objects, 0, 30 },
	{ "stress-chain", test_chain, 0, 30 },
	{ "stress-long-batch", test_long, 0, 30 },
	{ "stress-priorities", test_mix, 0, 60 },
};

const struct testgroup stress_tests = { tests, ARRAY_SIZE(tests) };
