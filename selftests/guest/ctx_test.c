// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts: their address spaces are apart, and their registers are saved and
 * restored.
 */
#include <stdio.h>

#include "cmds.h"
#include "ctx.h"
#include "exec.h"
#include "test.h"

#define CONTEXTS 64u
#define ROUNDS 4u
#define GPRS 16u

/**
 * struct space - a context with an object and batches at addresses that all contexts share
 * @ctx: context id
 * @target: what its batches write
 * @batch: one per round
 */
struct space {
	u32 ctx;
	struct bo target;
	struct batch batch[ROUNDS];
};

static u32 space_value(unsigned int ctx, unsigned int round)
{
	return 0x40000000 | ctx << 8 | round;
}

static void space_create(struct space *s, struct gpu *gpu, unsigned int i, const u64 *addr)
{
	s->ctx = ctx_create(gpu);
	bo_create(&s->target, gpu, PAGE_SIZE);
	s->target.addr = addr[0];
	for (unsigned int r = 0; r < ROUNDS; r++) {
		batch_create(&s->batch[r], gpu, PAGE_SIZE);
		s->batch[r].bo.addr = addr[1 + r];
		emit_store(&s->batch[r], s->target.addr + r * 64, space_value(i, r));
		batch_end(&s->batch[r]);
	}
}

static void test_isolation(struct gpu *gpu, const struct testcase *tc)
{
	static struct space spaces[CONTEXTS];
	unsigned int contexts = gpu->quick ? CONTEXTS / 4 : CONTEXTS;
	u64 addr[1 + ROUNDS];
	char what[32];

	(void)tc;
	for (unsigned int i = 0; i < ARRAY_SIZE(addr); i++)
		addr[i] = gpu_addr_alloc(gpu, PAGE_SIZE, PAGE_SIZE);
	for (unsigned int i = 0; i < contexts; i++)
		space_create(&spaces[i], gpu, i, addr);
	for (unsigned int r = 0; r < ROUNDS; r++)
		for (unsigned int i = 0; i < contexts; i++)
			exec_one(gpu, spaces[i].ctx, gpu->engine[(i + r) % gpu->nengines],
				 &spaces[i].batch[r], &spaces[i].target);
	for (unsigned int i = 0; i < contexts; i++) {
		snprintf(what, sizeof(what), "context %u of %u", i, contexts);
		bo_to_cpu(&spaces[i].target);
		for (unsigned int r = 0; r < ROUNDS; r++)
			bo_expect(&spaces[i].target, r * 16, space_value(i, r), what);
		bo_expect(&spaces[i].target, ROUNDS * 16, 0, what);
	}
}

static u32 gpr_value(unsigned int ctx, unsigned int gpr, unsigned int half)
{
	return 0xa0000000 | ctx << 16 | gpr << 4 | half;
}

static void load_gprs(struct gpu *gpu, const struct engine *engine, u32 ctx, unsigned int n)
{
	struct batch b;
	struct exec e;

	batch_create(&b, gpu, PAGE_SIZE);
	for (unsigned int g = 0; g < GPRS; g++)
		for (unsigned int h = 0; h < 2; h++)
			emit_lri(&b, engine->mmio + RING_GPR(g) + h * 4, gpr_value(n, g, h));
	batch_end(&b);
	exec_init(&e, gpu, ctx, engine);
	exec_submit(&e, &b);
	bo_finish(&b.bo, "loading registers");
	bo_destroy(&b.bo);
}

static void check_gprs(struct gpu *gpu, const struct engine *engine, u32 ctx, unsigned int n)
{
	struct bo out;
	struct batch b;

	bo_create(&out, gpu, PAGE_SIZE);
	batch_create(&b, gpu, PAGE_SIZE);
	for (unsigned int g = 0; g < GPRS * 2; g++)
		emit_srm(&b, engine->mmio + RING_GPR(0) + g * 4, out.addr + g * 4);
	batch_end(&b);
	exec_one(gpu, ctx, engine, &b, &out);
	bo_to_cpu(&out);
	for (unsigned int g = 0; g < GPRS; g++)
		for (unsigned int h = 0; h < 2; h++)
			bo_expect(&out, g * 2 + h, gpr_value(n, g, h), engine->name);
	bo_destroy(&out);
	bo_destroy(&b.bo);
}

static void test_registers(struct gpu *gpu, const struct testcase *tc)
{
	u32 ctx[4];

	(void)tc;
	for (unsigned int i = 0; i < ARRAY_SIZE(ctx); i++)
		ctx[i] = ctx_create(gpu);
	for (unsigned int e = 0; e < gpu->nengines; e++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(ctx); i++)
			load_gprs(gpu, gpu->engine[e], ctx[i], i);
		for (unsigned int i = 0; i < ARRAY_SIZE(ctx); i++)
			check_gprs(gpu, gpu->engine[e], ctx[i], i);
	}
}

/* A new context does not see what others left in the registers. */
static void test_fresh(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	for (unsigned int e = 0; e < gpu->nengines; e++) {
		const struct engine *engine = gpu->engine[e];
		u32 old = ctx_create(gpu), fresh = ctx_create(gpu);
		struct bo out;
		struct batch b;

		load_gprs(gpu, engine, old, 9);
		bo_create(&out, gpu, PAGE_SIZE);
		batch_create(&b, gpu, PAGE_SIZE);
		for (unsigned int g = 0; g < GPRS; g++)
			emit_srm(&b, engine->mmio + RING_GPR(g), out.addr + g * 4);
		batch_end(&b);
		exec_one(gpu, fresh, engine, &b, &out);
		bo_to_cpu(&out);
		for (unsigned int g = 0; g < GPRS; g++)
			if (bo_dword(&out, g) == gpr_value(9, g, 0))
				test_fail("%s: a new context sees register %u of another one: %#x",
					  engine->name, g, bo_dword(&out, g));
		bo_destroy(&out);
		bo_destroy(&b.bo);
	}
}

/* Contexts come and go; their ids and images are used again. */
static void test_churn(struct gpu *gpu, const struct testcase *tc)
{
	unsigned int rounds = gpu_repeat(gpu, 40);

	(void)tc;
	for (unsigned int i = 0; i < rounds; i++) {
		const struct engine *engine = gpu->engine[i % gpu->nengines];
		u32 ctx = ctx_create(gpu);
		struct bo target;
		struct batch b;

		bo_create(&target, gpu, PAGE_SIZE);
		batch_create(&b, gpu, PAGE_SIZE);
		emit_store(&b, target.addr, i + 1);
		batch_end(&b);
		exec_one(gpu, ctx, engine, &b, &target);
		ctx_destroy(gpu, ctx);
		bo_to_cpu(&target);
		bo_expect(&target, 0, i + 1, "store in a destroyed context");
		bo_destroy(&target);
		bo_destroy(&b.bo);
	}
}

static const struct testcase tests[] = {
	{ "ctx-isolation", test_isolation, 0, 40 },
	{ "ctx-registers", test_registers, 0, 30 },
	{ "ctx-fresh", test_fresh, 0, 20 },
	{ "ctx-churn", test_churn, 0, 30 },
};

const struct testgroup ctx_tests = { tests, ARRAY_SIZE(tests) };
