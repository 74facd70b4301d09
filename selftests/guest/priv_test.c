// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a batch of a user may not do, and what the chip makes of it; and the
 * registers that a user may read.
 */
#include <errno.h>
#include <string.h>

#include "cmds.h"
#include "exec.h"
#include "test.h"

/*
 * The status page mask register belongs to the driver. A write of it from a
 * user's batch becomes a no-op, the rest of the batch is executed.
 */
static void check_register(struct gpu *gpu, const struct engine *engine)
{
	u32 reg = engine->mmio + RING_HWSTAM;
	struct bo out;
	struct batch b;

	bo_create(&out, gpu, PAGE_SIZE);
	batch_create(&b, gpu, PAGE_SIZE);
	emit_srm(&b, reg, out.addr);
	emit_lri(&b, reg, 0x12345678);
	emit_srm(&b, reg, out.addr + 4);
	emit_lri(&b, engine->mmio + RING_GPR(5), 0x600d);
	emit_srm(&b, engine->mmio + RING_GPR(5), out.addr + 8);
	batch_end(&b);
	exec_one(gpu, 0, engine, &b, &out);
	bo_to_cpu(&out);
	if (bo_dword(&out, 1) == 0x12345678)
		test_fail("%s: a user's batch changed register %#x", engine->name, reg);
	bo_expect(&out, 1, bo_dword(&out, 0), engine->name);
	bo_expect(&out, 2, 0x600d, engine->name);
	bo_destroy(&b.bo);
	bo_destroy(&out);
}

static void check_refused(struct gpu *gpu, const struct engine *engine)
{
	struct batch b;
	struct exec e;
	int err;

	batch_create(&b, gpu, PAGE_SIZE);
	emit_lri(&b, engine->mmio + RING_HWSTAM, 0x12345678);
	batch_end(&b);
	exec_init(&e, gpu, 0, engine);
	err = exec_try(&e, &b);
	if (err != -EACCES)
		test_fail("%s: expected the driver to refuse the batch (%d), got %d",
			  engine->name, -EACCES, err);
	bo_destroy(&b.bo);
}

static void test_register(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	for (unsigned int e = 0; e < gpu->nengines; e++)
		if (gpu->engine[e]->parsed)
			check_refused(gpu, gpu->engine[e]);
		else
			check_register(gpu, gpu->engine[e]);
}

/*
 * A store through the global table is a privileged command: in a user's batch it
 * becomes a no-op (Skylake PRM, volume 2a, MI_BATCH_BUFFER_START), and what
 * stands behind it is executed.
 */
static void test_ggtt_store(struct gpu *gpu, const struct testcase *tc)
{
	(void)tc;
	for (unsigned int e = 0; e < gpu->nengines; e++) {
		struct bo target;
		struct batch b;

		bo_create(&target, gpu, PAGE_SIZE);
		batch_create(&b, gpu, PAGE_SIZE);
		batch_dword(&b, MI_STORE_DATA_IMM | MI_USE_GGTT);
		batch_dword(&b, (u32)target.addr);
		batch_dword(&b, (u32)(target.addr >> 32));
		batch_dword(&b, 0xbad);
		emit_store(&b, target.addr + 64, 0x99700);
		batch_end(&b);
		exec_one(gpu, 0, gpu->engine[e], &b, &target);
		bo_to_cpu(&target);
		bo_expect(&target, 0, 0, gpu->engine[e]->name);
		bo_expect(&target, 16, 0x99700, gpu->engine[e]->name);
		bo_destroy(&b.bo);
		bo_destroy(&target);
	}
}

static u64 read_timestamp(struct gpu *gpu)
{
	struct drm_i915_reg_read arg = { .offset = (0x2000 + RING_TIMESTAMP) |
						   I915_REG_READ_8B_WA };
	int err = gpu_ioctl(gpu->fd, DRM_IOCTL_I915_REG_READ, &arg);

	if (err)
		test_fail("REG_READ of the timestamp: %s", strerror(-err));
	return arg.val;
}

/* It never goes back, and counts at the rate that the driver reports. */
static void test_timestamp(struct gpu *gpu, const struct testcase *tc)
{
	int hz = gpu_param(gpu, I915_PARAM_CS_TIMESTAMP_FREQUENCY);
	u64 last = read_timestamp(gpu), first;
	long long start, ms, counted;

	(void)tc;
	if (hz <= 0)
		test_fail("expected a timestamp frequency, got %d", hz);
	for (int i = 0; i < 100; i++) {
		u64 now = read_timestamp(gpu);

		if (now < last)
			test_fail("the timestamp went back from %#llx to %#llx",
				  (unsigned long long)last, (unsigned long long)now);
		last = now;
	}
	start = test_now_ms();
	first = read_timestamp(gpu);
	test_sleep_ms(300);
	last = read_timestamp(gpu);
	ms = test_now_ms() - start;
	counted = (long long)((last - first) * 1000 / hz);
	if (counted < ms * 7 / 10 || counted > ms * 13 / 10)
		test_fail("in %lld ms the timestamp counted %lld ms at %d Hz", ms, counted, hz);
}

/* Timestamps taken by batches lie in order, on all engines, and between the CPU's. */
static void test_timestamp_batch(struct gpu *gpu, const struct testcase *tc)
{
	u32 last = (u32)read_timestamp(gpu), now;
	struct bo out;

	(void)tc;
	bo_create(&out, gpu, PAGE_SIZE);
	for (unsigned int i = 0; i < 4 * gpu->nengines; i++) {
		const struct engine *engine = gpu->engine[i % gpu->nengines];
		struct batch b;

		batch_create(&b, gpu, PAGE_SIZE);
		emit_srm(&b, engine->mmio + RING_TIMESTAMP, out.addr + i * 4);
		batch_end(&b);
		exec_one(gpu, 0, engine, &b, &out);
		bo_finish(&b.bo, engine->name);
		bo_destroy(&b.bo);
	}
	bo_to_cpu(&out);
	for (unsigned int i = 0; i < 4 * gpu->nengines; i++) {
		now = bo_dword(&out, i);
		if ((s32)(now - last) <= 0)
			test_fail("timestamp %u: expected more than %#x, saw %#x", i, last, now);
		last = now;
	}
	now = (u32)read_timestamp(gpu);
	if ((s32)(now - last) < 0)
		test_fail("the CPU reads %#x, less than the last batch's %#x", now, last);
}

static const struct testcase tests[] = {
	{ "priv-register", test_register, 0, 20 },
	{ "priv-ggtt-store", test_ggtt_store, 0, 20 },
	{ "priv-timestamp", test_timestamp, 0, 20 },
	{ "priv-timestamp-batch", test_timestamp_batch, 0, 20 },
};

const struct testgroup priv_tests = { tests, ARRAY_SIZE(tests) };
