// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hangs on purpose. The driver resets the engine; the guilty context is told so
 * and, when it asked for that, banned; everybody else gets right results, and
 * batches on the other engines are not even disturbed.
 *
 * Each test uses open files of its own, because the driver also keeps a score of
 * hangs per file.
 */
#include <errno.h>
#include <string.h>

#include "cmds.h"
#include "ctx.h"
#include "exec.h"
#include "spin.h"
#include "test.h"

#define RESET_TIMEOUT_MS 60000

static unsigned int need_engine(const struct gpu *gpu, int class)
{
	for (unsigned int e = 0; e < gpu->nengines; e++)
		if (gpu->engine[e]->class == (unsigned int)class)
			return e;
	test_skip("no such engine");
}

static void need_reset(const struct gpu *gpu)
{
	/* 2 stands for a reset of single engines. */
	if (gpu_param(gpu, I915_PARAM_HAS_GPU_RESET) < 2)
		test_skip("the driver does not reset single engines");
}

/*
 * A context that is going to hang. Dumping the state of the chip at a hang takes
 * seconds, so only some tests have the driver do it.
 */
static u32 guilty_create(const struct gpu *bad, int prio, bool dump)
{
	u32 ctx = ctx_create_prio(bad, prio);
	int err = ctx_set(bad, ctx, I915_CONTEXT_PARAM_NO_ERROR_CAPTURE, !dump);

	if (err)
		test_fail("setting whether a hang is dumped: %s", strerror(-err));
	return ctx;
}

static void expect_guilty(const struct gpu *gpu, u32 ctx, const char *name)
{
	struct drm_i915_reset_stats stats;

	ctx_reset_stats(gpu, ctx, &stats);
	if (stats.batch_active != 1)
		test_fail("%s: expected 1 guilty batch of the hanging context, saw %u", name,
			  stats.batch_active);
}

static void expect_innocent(const struct gpu *gpu, u32 ctx, const char *name)
{
	struct drm_i915_reset_stats stats;

	ctx_reset_stats(gpu, ctx, &stats);
	if (stats.batch_active)
		test_fail("%s: an innocent context has %u guilty batches", name,
			  stats.batch_active);
}

static void wait_reset(const struct bo *bo, const char *name)
{
	int err = bo_wait(bo, RESET_TIMEOUT_MS);

	if (err)
		test_fail("%s: expected a reset within %u ms: %s", name, RESET_TIMEOUT_MS,
			  strerror(-err));
}

/* The context may be used on: its next batch gives the right result. */
static void expect_store(struct gpu *gpu, u32 ctx, const struct engine *engine,
			 u32 value)
{
	struct bo target;
	struct batch b;

	bo_create(&target, gpu, PAGE_SIZE);
	batch_create(&b, gpu, PAGE_SIZE);
	emit_store(&b, target.addr, value);
	batch_end(&b);
	exec_one(gpu, ctx, engine, &b, &target);
	bo_to_cpu(&target);
	bo_expect(&target, 0, value, engine->name);
	bo_destroy(&b.bo);
	bo_destroy(&target);
}

static void expect_banned(struct gpu *gpu, u32 ctx, const struct engine *engine)
{
	struct batch b;
	struct exec e;
	int err;

	batch_create(&b, gpu, PAGE_SIZE);
	batch_end(&b);
	exec_init(&e, gpu, ctx, engine);
	err = exec_try(&e, &b);
	if (err != -EIO)
		test_fail("%s: expected %d for a banned context, got %d", engine->name, -EIO, err);
	bo_destroy(&b.bo);
}

static void innocents_start(struct gpu *gpu, unsigned int hung, struct spin *spin)
{
	for (unsigned int e = 0; e < gpu->nengines; e++)
		if (e != hung) {
			spin_start(&spin[e], gpu, 0, gpu->engine[e], SPIN_WAIT);
			spin_wait_running(&spin[e]);
		}
}

static void innocents_stop(struct gpu *gpu, unsigned int hung, struct spin *spin)
{
	for (unsigned int e = 0; e < gpu->nengines; e++)
		if (e != hung) {
			if (!bo_is_busy(&spin[e].batch.bo))
				test_fail("the reset of %s ended a batch on %s",
					  gpu->engine[hung]->name, gpu->engine[e]->name);
			spin_stop(&spin[e]);
		}
}

/* A batch that cannot be preempted is in the way of one of higher priority. */
static void test_preempt(struct gpu *gpu, const struct testcase *tc)
{
	unsigned int hung = need_engine(gpu, tc->arg);
	const struct engine *engine = gpu->engine[hung];
	struct spin spins[GPU_MAX_ENGINES], hog;
	struct gpu bad;
	u32 guilty, high;
	int err;

	need_reset(gpu);
	gpu_reopen(&bad, gpu);
	guilty = guilty_create(&bad, -512, false);
	high = ctx_create_prio(gpu, 512);
	err = ctx_set(&bad, guilty, I915_CONTEXT_PARAM_RECOVERABLE, 0);
	if (err)
		test_fail("making a context not recoverable: %s", strerror(-err));

	innocents_start(gpu, hung, spins);
	spin_start(&hog, &bad, guilty, engine, SPIN_HOG);
	spin_wait_running(&hog);
	expect_store(gpu, high, engine, 0x1770);
	wait_reset(&hog.batch.bo, engine->name);
	innocents_stop(gpu, hung, spins);

	expect_guilty(&bad, guilty, engine->name);
	expect_innocent(gpu, high, engine->name);
	expect_innocent(gpu, 0, engine->name);
	expect_banned(&bad, guilty, engine);
	for (unsigned int e = 0; e < gpu->nengines; e++)
		expect_store(gpu, 0, gpu->engine[e], 0x1771 + e);
}

/* Nobody needs the engine: the driver's heartbeat finds the hang. */
static void test_heartbeat(struct gpu *gpu, const struct testcase *tc)
{
	const struct engine *engine = gpu->engine[need_engine(gpu, tc->arg)];
	struct gpu bad;
	struct spin hog;
	u32 ctx;

	need_reset(gpu);
	gpu_reopen(&bad, gpu);
	ctx = guilty_create(&bad, 0, engine->class == I915_ENGINE_CLASS_COPY);
	spin_start(&hog, &bad, ctx, engine, SPIN_HOG);
	spin_wait_running(&hog);
	wait_reset(&hog.batch.bo, engine->name);
	expect_guilty(&bad, ctx, engine->name);
	expect_store(&bad, ctx, engine, 0x1772);
	expect_store(gpu, 0, engine, 0x1773);
}

/*
 * A command that the streamer cannot decode: what stands before it is done, what
 * stands behind it is not, and work that is queued behind runs after the reset.
 */
static void test_undecodable(struct gpu *gpu, const struct testcase *tc)
{
	const struct engine *engine = gpu->engine[need_engine(gpu, tc->arg)];
	struct bo target;
	struct batch b;
	struct gpu bad;
	u32 ctx;

	need_reset(gpu);
	gpu_reopen(&bad, gpu);
	ctx = guilty_create(&bad, 0, engine->class == I915_ENGINE_CLASS_VIDEO);
	bo_create(&target, &bad, PAGE_SIZE);
	batch_create(&b, &bad, PAGE_SIZE);
	emit_store(&b, target.addr, 1);
	batch_dword(&b, CMD_UNDECODABLE);
	emit_store(&b, target.addr + 64, 2);
	batch_end(&b);
	exec_one(&bad, ctx, engine, &b, &target);
	expect_store(gpu, 0, engine, 0x1774);
	wait_reset(&b.bo, engine->name);
	bo_expect(&target, 0, 1, "before an undecodable command");
	bo_expect(&target, 16, 0, "behind an undecodable command");
	expect_guilty(&bad, ctx, engine->name);
	expect_innocent(gpu, 0, engine->name);
	expect_store(&bad, ctx, engine, 0x1775);
}

/*
 * With resets of single engines switched off, the whole chip is reset. The driver
 * then blames what runs on each engine, so only the hang runs; a batch that is
 * queued behind it is done afterwards, and so is new work on all engines.
 */
static void test_full_reset(struct gpu *gpu, const struct testcase *tc)
{
	const struct engine *engine = gpu->engine[need_engine(gpu, tc->arg)];
	struct gpu bad;
	struct spin hog;
	u32 ctx;

	if (gpu_param(gpu, I915_PARAM_HAS_GPU_RESET) != 1)
		test_skip("the driver resets single engines: write 1 to debugfs i915_params/reset");
	gpu_reopen(&bad, gpu);
	ctx = guilty_create(&bad, 0, false);
	spin_start(&hog, &bad, ctx, engine, SPIN_HOG);
	spin_wait_running(&hog);
	expect_store(gpu, 0, engine, 0x1778);
	wait_reset(&hog.batch.bo, engine->name);
	expect_guilty(&bad, ctx, engine->name);
	expect_innocent(gpu, 0, engine->name);
	for (unsigned int e = 0; e < gpu->nengines; e++)
		expect_store(gpu, 0, gpu->engine[e], 0x1779 + e);
}

/* A context that hangs again and again is banned even though it is recoverable. */
static void test_repeated(struct gpu *gpu, const struct testcase *tc)
{
	const struct engine *engine = gpu->engine[need_engine(gpu, tc->arg)];
	struct gpu bad;
	u32 ctx;

	need_reset(gpu);
	gpu_reopen(&bad, gpu);
	ctx = guilty_create(&bad, 0, false);
	for (unsigned int i = 0; i < 8; i++) {
		struct batch b;
		struct exec e;
		int err;

		batch_create(&b, &bad, PAGE_SIZE);
		batch_dword(&b, CMD_UNDECODABLE);
		batch_end(&b);
		exec_init(&e, &bad, ctx, engine);
		err = exec_try(&e, &b);
		if (err == -EIO && i >= 1) {
			expect_store(gpu, 0, engine, 0x1776);
			return;
		}
		if (err)
			test_fail("submission %u of a hanging batch: %s", i, strerror(-err));
		wait_reset(&b.bo, engine->name);
	}
	test_fail("expected a ban of the context (%d) after 8 hangs in a row", -EIO);
}

#define RCS I915_ENGINE_CLASS_RENDER
#define BCS I915_ENGINE_CLASS_COPY
#define VCS I915_ENGINE_CLASS_VIDEO
#define VECS I915_ENGINE_CLASS_VIDEO_ENHANCE

static const struct testcase tests[] = {
	{ "hang-preempt-rcs0", test_preempt, RCS, 60 },
	{ "hang-preempt-bcs0", test_preempt, BCS, 60 },
	{ "hang-preempt-vcs0", test_preempt, VCS, 60 },
	{ "hang-preempt-vecs0", test_preempt, VECS, 60 },
	{ "hang-heartbeat-rcs0", test_heartbeat, RCS, 120 },
	{ "hang-heartbeat-bcs0", test_heartbeat, BCS, 120 },
	{ "hang-undecodable-rcs0", test_undecodable, RCS, 120 },
	{ "hang-undecodable-vcs0", test_undecodable, VCS, 120 },
	{ "hang-undecodable-vecs0", test_undecodable, VECS, 120 },
	{ "hang-full-reset", test_full_reset, RCS, 60 },
	{ "hang-repeated", test_repeated, VCS, 90 },
};

const struct testgroup hang_tests = { tests, ARRAY_SIZE(tests) };
