// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preemption: a context of high priority gets the engine while one of low
 * priority still spins on it, and the low one goes on where it was.
 */
#include "cmds.h"
#include "ctx.h"
#include "exec.h"
#include "spin.h"
#include "test.h"

#define LOW -512
#define HIGH 512

static void need_preemption(struct gpu *gpu)
{
	if (!gpu_has_scheduler(gpu, I915_SCHEDULER_CAP_PREEMPTION))
		test_skip("the driver does not preempt here");
}

/* A store of high priority that has to finish while the spinner goes on. */
static void store_over(struct gpu *gpu, const struct engine *engine, u32 high,
		       const struct spin *spin)
{
	struct bo target;
	struct batch b;

	bo_create(&target, gpu, PAGE_SIZE);
	batch_create(&b, gpu, PAGE_SIZE);
	emit_store(&b, target.addr, 0xfa57);
	batch_end(&b);
	exec_one(gpu, high, engine, &b, &target);
	bo_finish(&b.bo, "a batch of high priority");
	if (!bo_is_busy(&spin->batch.bo))
		test_fail("%s: expected the spinner to be still running", engine->name);
	bo_expect(&target, 0, 0xfa57, engine->name);
	bo_destroy(&b.bo);
	bo_destroy(&target);
}

static void check_spinner(struct gpu *gpu, const struct engine *engine, enum spin_kind kind)
{
	u32 low = ctx_create_prio(gpu, LOW), high = ctx_create_prio(gpu, HIGH);
	struct spin spin;

	spin_start(&spin, gpu, low, engine, kind);
	spin_wait_running(&spin);
	for (int i = 0; i < 5; i++)
		store_over(gpu, engine, high, &spin);
	spin_stop(&spin);
	ctx_destroy(gpu, low);
	ctx_destroy(gpu, high);
}

static void test_arb(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	need_preemption(gpu);
	for (unsigned int e = 0; e < gpu->nengines; e++)
		if (!gpu->engine[e]->parsed)
			check_spinner(gpu, gpu->engine[e], SPIN_ARB);
}

static void test_wait(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	need_preemption(gpu);
	for (unsigned int e = 0; e < gpu->nengines; e++)
		check_spinner(gpu, gpu->engine[e], SPIN_WAIT);
}

static void high_overwrites(struct gpu *gpu, const struct engine *engine, u32 high)
{
	struct batch b;
	struct exec e;

	batch_create(&b, gpu, PAGE_SIZE);
	for (unsigned int g = 0; g < 16; g++)
		emit_lri(&b, engine->mmio + RING_GPR(g), 0xbad0 + g);
	batch_end(&b);
	exec_init(&e, gpu, high, engine);
	exec_submit(&e, &b);
	bo_finish(&b.bo, "a batch of high priority");
	bo_destroy(&b.bo);
}

/* The preempted batch has values in registers, which come back with it. */
static void check_resume(struct gpu *gpu, const struct engine *engine)
{
	u32 low = ctx_create_prio(gpu, LOW), high = ctx_create_prio(gpu, HIGH);
	struct bo state;
	struct batch b;
	long long end;

	bo_create(&state, gpu, PAGE_SIZE);
	batch_create(&b, gpu, PAGE_SIZE);
	for (unsigned int g = 0; g < 16; g++)
		emit_lri(&b, engine->mmio + RING_GPR(g), 0x900d00 + g);
	emit_store(&b, state.addr, 1);
	emit_wait_equal(&b, state.addr + 64, 1);
	for (unsigned int g = 0; g < 16; g++)
		emit_srm(&b, engine->mmio + RING_GPR(g), state.addr + 128 + g * 4);
	batch_end(&b);
	exec_one(gpu, low, engine, &b, &state);
	for (end = test_now_ms() + 10000; bo_dword(&state, 0) != 1; test_sleep_ms(1))
		if (test_now_ms() > end)
			test_fail("%s: expected the batch to start within 10 s", engine->name);

	high_overwrites(gpu, engine, high);
	bo_set_dword(&state, 16, 1);
	bo_finish(&b.bo, "a preempted batch");
	for (unsigned int g = 0; g < 16; g++)
		bo_expect(&state, 32 + g, 0x900d00 + g, engine->name);
	bo_destroy(&b.bo);
	bo_destroy(&state);
	ctx_destroy(gpu, low);
	ctx_destroy(gpu, high);
}

static void test_resume(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	need_preemption(gpu);
	for (unsigned int e = 0; e < gpu->nengines; e++)
		check_resume(gpu, gpu->engine[e]);
}

/* Two spinners of one priority on one engine: time slices let both begin. */
static void test_timeslice(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	need_preemption(gpu);
	for (unsigned int e = 0; e < gpu->nengines; e++) {
		struct spin a, b;

		spin_start(&a, gpu, ctx_create(gpu), gpu->engine[e], SPIN_WAIT);
		spin_wait_running(&a);
		spin_start(&b, gpu, ctx_create(gpu), gpu->engine[e], SPIN_WAIT);
		spin_wait_running(&b);
		spin_stop(&b);
		if (!bo_is_busy(&a.batch.bo))
			test_fail("%s: expected the first spinner to be still running",
				  gpu->engine[e]->name);
		spin_stop(&a);
	}
}

static const struct testcase tests[] = {
	{ "preempt-arb-check", test_arb, 0, 40 },
	{ "preempt-semaphore", test_wait, 0, 40 },
	{ "preempt-resume", test_resume, 0, 40 },
	{ "preempt-timeslice", test_timeslice, 0, 40 },
};

const struct testgroup preempt_tests = { tests, ARRAY_SIZE(tests) };
