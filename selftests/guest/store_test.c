// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes of single dwords: by every engine, with every command that can do it,
 * all over the 48-bit address space.
 */
#include <stdio.h>
#include <linux/bits.h>

#include "cmds.h"
#include "ctx.h"
#include "exec.h"
#include "test.h"

#define GIB BIT_ULL(30)
#define MIB BIT_ULL(20)

static void store_on(struct gpu *gpu, const struct engine *engine, struct bo *target,
		     u32 index, u32 value)
{
	struct batch b;

	batch_create(&b, gpu, PAGE_SIZE);
	emit_store(&b, target->addr + index * 4ull, value);
	batch_end(&b);
	exec_one(gpu, 0, engine, &b, target);
	bo_finish(&b.bo, engine->name);
	bo_destroy(&b.bo);
}

/* Each engine writes its own dword, and no neighbour of it. */
static void test_engines(struct gpu *gpu, const struct testcase *tc)
{
	struct bo target;

	(void)tc;
	bo_create(&target, gpu, PAGE_SIZE);
	for (u32 i = 0; i < PAGE_SIZE / 4; i++)
		bo_set_dword(&target, i, 0xdead0000 + i);
	for (unsigned int e = 0; e < gpu->nengines; e++)
		store_on(gpu, gpu->engine[e], &target, 100 + e * 16, 0xc0de0000 + e);
	bo_to_cpu(&target);
	for (u32 i = 0; i < PAGE_SIZE / 4; i++) {
		u32 e = (i - 100) / 16, want = 0xdead0000 + i;

		if (i >= 100 && i % 16 == 100 % 16 && e < gpu->nengines)
			want = 0xc0de0000 + e;
		bo_expect(&target, i, want, "store by each engine");
	}
}

/* Canonical addresses near every edge that the tables have. */
static const u64 edges[] = {
	MIB,
	2 * MIB - PAGE_SIZE,
	GIB - PAGE_SIZE,
	4 * GIB - PAGE_SIZE,
	4 * GIB,
	512 * GIB - PAGE_SIZE,
	512 * GIB,
	0x0000123456789000ull,
	0x00007ffffffff000ull,
	0xffff800000000000ull,
	0xffffedcba9876000ull,
	0xffffffffff000000ull,
};

static void test_addresses(struct gpu *gpu, const struct testcase *tc)
{
	char what[64];

	(void)tc;
	for (unsigned int i = 0; i < ARRAY_SIZE(edges); i++) {
		struct bo target;

		bo_create(&target, gpu, PAGE_SIZE);
		target.addr = edges[i];
		for (unsigned int e = 0; e < gpu->nengines; e++)
			store_on(gpu, gpu->engine[e], &target, e, i << 8 | (e + 1));
		bo_to_cpu(&target);
		snprintf(what, sizeof(what), "store to %#llx", (unsigned long long)edges[i]);
		for (unsigned int e = 0; e < gpu->nengines; e++)
			bo_expect(&target, e, i << 8 | (e + 1), what);
		bo_destroy(&target);
	}
}

/* Objects whose two pages have their entries in different tables. */
static void test_straddle(struct gpu *gpu, const struct testcase *tc)
{
	static const u64 borders[] = { 6 * MIB, 3 * GIB, 1024 * GIB };

	(void)tc;
	for (unsigned int i = 0; i < ARRAY_SIZE(borders); i++) {
		struct bo target;

		bo_create(&target, gpu, 2 * PAGE_SIZE);
		target.addr = borders[i] - PAGE_SIZE;
		for (unsigned int e = 0; e < gpu->nengines; e++) {
			u32 last = PAGE_SIZE / 4 - 1 - e, first = PAGE_SIZE / 4 + e;

			store_on(gpu, gpu->engine[e], &target, last, 0xaa00 + e);
			store_on(gpu, gpu->engine[e], &target, first, 0xbb00 + e);
			bo_expect(&target, last, 0xaa00 + e, "last dword before a border");
			bo_expect(&target, first, 0xbb00 + e, "first dword after a border");
		}
		bo_destroy(&target);
	}
}

/* The post-sync writes of the flush commands. */
static void test_flush(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	for (unsigned int e = 0; e < gpu->nengines; e++) {
		const struct engine *engine = gpu->engine[e];
		struct bo target;
		struct batch b;

		bo_create(&target, gpu, PAGE_SIZE);
		batch_create(&b, gpu, PAGE_SIZE);
		if (engine->class == I915_ENGINE_CLASS_RENDER)
			emit_pipe_control(&b, PIPE_CONTROL_WRITE_IMM, target.addr + 64, 0x5eed);
		else
			emit_flush_store(&b, target.addr + 64, 0x5eed);
		batch_end(&b);
		exec_one(gpu, 0, engine, &b, &target);
		bo_to_cpu(&target);
		bo_expect(&target, 16, 0x5eed, engine->name);
		bo_expect(&target, 15, 0, engine->name);
		bo_expect(&target, 18, 0, engine->name);
		bo_destroy(&b.bo);
		bo_destroy(&target);
	}
}

/* 0xffffffff + 2, so that the carry into the upper half is seen as well. */
static void emit_sum(struct batch *b, const struct engine *engine, u64 addr)
{
	u32 base = engine->mmio;

	emit_lri(b, base + RING_GPR(1), 0xffffffff);
	emit_lri(b, base + RING_GPR(1) + 4, 0x10);
	emit_lri(b, base + RING_GPR(2), 2);
	emit_lri(b, base + RING_GPR(2) + 4, 0x20);
	emit_add(b, 3, 1, 2);
	emit_srm(b, base + RING_GPR(3), addr);
	emit_srm(b, base + RING_GPR(3) + 4, addr + 4);
	batch_end(b);
}

static void test_math(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	for (unsigned int e = 0; e < gpu->nengines; e++) {
		struct bo target;
		struct batch b;

		bo_create(&target, gpu, PAGE_SIZE);
		batch_create(&b, gpu, PAGE_SIZE);
		emit_sum(&b, gpu->engine[e], target.addr);
		exec_one(gpu, 0, gpu->engine[e], &b, &target);
		bo_to_cpu(&target);
		bo_expect(&target, 0, 1, gpu->engine[e]->name);
		bo_expect(&target, 1, 0x31, gpu->engine[e]->name);
		bo_destroy(&b.bo);
		bo_destroy(&target);
	}
}

/*
 * One address, again and again a new object behind it: a translation that
 * outlives its entry writes into the old object or into scratch.
 */
static void test_rebind(struct gpu *gpu, const struct testcase *tc)
{
	u64 addr = gpu_addr_alloc(gpu, PAGE_SIZE, PAGE_SIZE);
	unsigned int rounds = gpu_repeat(gpu, 16);

	(void)tc;
	for (unsigned int i = 0; i < rounds; i++)
		for (unsigned int e = 0; e < gpu->nengines; e++) {
			struct bo target;

			bo_create(&target, gpu, PAGE_SIZE);
			target.addr = addr;
			store_on(gpu, gpu->engine[e], &target, 7, i << 4 | e | 0x8000);
			bo_to_cpu(&target);
			bo_expect(&target, 7, i << 4 | e | 0x8000, "store to a rebound address");
			bo_destroy(&target);
		}
}

/* Two contexts in one address space see the same object, whatever the engine. */
static void test_shared_vm(struct gpu *gpu, const struct testcase *tc)
{
	u32 vm = vm_create(gpu);
	u32 ctx[2] = { ctx_create_in_vm(gpu, vm), ctx_create_in_vm(gpu, vm) };
	struct bo target;

	(void)tc;
	bo_create(&target, gpu, PAGE_SIZE);
	for (unsigned int i = 0; i < 4 * gpu->nengines; i++) {
		struct batch b;

		batch_create(&b, gpu, PAGE_SIZE);
		emit_inc(&b, target.addr);
		batch_end(&b);
		exec_one(gpu, ctx[i % 2], gpu->engine[i / 4], &b, &target);
		bo_finish(&b.bo, "increment in a shared address space");
		bo_destroy(&b.bo);
	}
	bo_to_cpu(&target);
	bo_expect(&target, 0, 4 * gpu->nengines, "increments by two contexts");
}

static const struct testcase tests[] = {
	{ "store-engines", test_engines, 0, 20 },
	{ "store-addresses", test_addresses, 0, 30 },
	{ "store-straddle", test_straddle, 0, 20 },
	{ "store-flush", test_flush, 0, 20 },
	{ "store-math", test_math, 0, 20 },
	{ "store-rebind", test_rebind, 0, 30 },
	{ "store-shared-vm", test_shared_vm, 0, 20 },
};

const struct testgroup store_tests = { tests, ARRAY_SIZE(tests) };
