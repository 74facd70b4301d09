// SPDX-License-Identifier: GPL-2.0-only
/*
 * The submit port, the status page, resets: used as nobody should.
 */
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_reset.h>

#include "hostile.h"
#include "lib/spin.h"

static void not_valid(void)
{
	engine_submit_raw(vandal.engine, 0, ctx_descriptor(&vandal.ctx));
	engine_submit_raw(vandal.engine, 0, 0);
}

static void same_twice(void)
{
	ctx_publish(&vandal.ctx);
	engine_submit_raw(vandal.engine, ctx_descriptor(&vandal.ctx),
			  ctx_descriptor(&vandal.ctx));
}

static void odd_modes(void)
{
	engine_submit_raw(vandal.engine, ctx_descriptor(&vandal.ctx) & ~0x18ull, 0);
	engine_submit_raw(vandal.engine, ctx_descriptor(&vandal.ctx) | 0xfffull, 0);
}

/* Without an address space of its own, but with commands that use it. */
static void no_space(void)
{
	struct cmds cmds = { };

	emit_store(&cmds, PPGTT, HOSTILE_VA, 0xbad);
	ctx_request(&vandal.ctx, &cmds);
	ctx_publish(&vandal.ctx);
	engine_submit_raw(vandal.engine,
			  ctx_descriptor(&vandal.ctx) & ~(u64)GEN9_CTX_DESC_PRIVILEGE, 0);
}

static void port_flood(void)
{
	unsigned int i;

	spin_request(&vandal, &vandal.ctx, SPIN_LOOP);
	ctx_publish(&vandal.ctx);
	for (i = 0; i < 300; i++)
		engine_submit_raw(vandal.engine, ctx_descriptor(&vandal.ctx) + ((u64)i << 32), 0);
}

static void half_port(void)
{
	engine_write(vandal.engine, GEN9_RING_ELSP, ~0u);
	engine_write(vandal.engine, GEN9_RING_ELSP, ~0u);
	engine_write(vandal.engine, GEN9_RING_ELSP, ~0u);
}

static void status_page_nowhere(void)
{
	struct cmds cmds = { };

	engine_write(vandal.engine, GEN9_RING_HWS_PGA, HOSTILE_GGTT);
	emit_store(&cmds, GGTT, vandal.target.ggtt, 1);
	hostile_submit(&cmds);
}

static void status_page_in_hole(void)
{
	struct cmds cmds = { };

	ggtt_map(&vandal.guest.ggtt, HOSTILE_GGTT, RAM_HOLE_GPA, 1);
	engine_write(vandal.engine, GEN9_RING_HWS_PGA, HOSTILE_GGTT);
	emit_store(&cmds, GGTT, vandal.target.ggtt, 1);
	hostile_submit(&cmds);
}

static void event_pointer_garbage(void)
{
	struct cmds cmds = { };

	engine_write(vandal.engine, GEN9_RING_CONTEXT_STATUS_PTR, 0xffffffff);
	emit_store(&cmds, GGTT, vandal.target.ggtt, 1);
	hostile_submit(&cmds);
}

static void reset_storm(void)
{
	unsigned int i;

	spin_start(&vandal, SPIN_HOG);
	for (i = 0; i < 50; i++)
		vdev_write(&vandal.guest.dev, GEN9_GDRST, i % 2 ? 0xffffffff : GEN9_GDRST_FULL);
}

/* Memory goes while the submission is on its way. */
static void memory_goes(void)
{
	struct vdev *dev = &vandal.guest.dev;

	if (!dev->ops->unmap)
		test_skip("the memory of this machine does not go");
	spin_request(&vandal, &vandal.ctx, SPIN_LOOP);
	engine_submit(vandal.engine, &vandal.ctx, NULL);
	EXPECT_EQ(dev->ops->unmap(dev, RAM_HIGH_GPA, RAM_HIGH_SIZE), 0);
	EXPECT_EQ(dev->ops->map(dev, RAM_HIGH_GPA, RAM_HIGH_SIZE,
				vandal.guest.ram.cpu[RAM_HIGH], -1, 0), 0);
}

/* One request that is refused is kicked, and nothing else (F9). */

static void request_garbage(struct ctx *bad)
{
	struct cmds cmds = { };

	ctx_init(bad, vandal.engine, &vandal.pp);
	emit_dword(&cmds, 0xffffffff);
	emit_noops(&cmds, 7);
	ctx_request(bad, &cmds);
}

static u32 request_store(struct ctx *ctx, u32 value)
{
	struct cmds cmds = { };

	emit_store(&cmds, GGTT, vandal.target.ggtt, value);
	return ctx_request(ctx, &cmds);
}

static void expect_store(u32 value)
{
	guest_expect(&vandal.guest, vandal.target.gpa, value, "what a good request stores");
}

static void other_engine_works(u32 value)
{
	enum engine_id id = vandal.engine->id == RCS ? BCS : RCS;
	static struct ctx other;
	u32 seqno;

	ctx_init(&other, &vandal.guest.engine[id], &vandal.pp);
	seqno = request_store(&other, value);
	engine_submit(other.engine, &other, NULL);
	ctx_wait(&other, seqno);
	EXPECT(engine_drain(other.engine, PATIENCE_MS));
	expect_store(value);
}

static void bad_behind_good(void)
{
	static struct ctx bad;
	u32 seqno;

	request_garbage(&bad);
	seqno = request_store(&vandal.ctx, 1);
	engine_submit(vandal.engine, &vandal.ctx, &bad);
	ctx_wait(&vandal.ctx, seqno);
	expect_store(1);
	engine_expect(vandal.engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	engine_expect(vandal.engine, GEN9_CSB_ELEMENT_SWITCH | GEN9_CSB_COMPLETE,
		      &vandal.ctx);
	other_engine_works(2);
}

/* The good one waits behind it; its driver resets the engine and submits it anew. */
static void bad_before_good(void)
{
	static struct ctx bad;
	u32 seqno;

	request_garbage(&bad);
	seqno = request_store(&vandal.ctx, 1);
	engine_submit(vandal.engine, &bad, &vandal.ctx);
	other_engine_works(2);
	EXPECT(!engine_drain(vandal.engine, HOSTILE_MS));
	expect_store(2);
	engine_reset(vandal.engine);
	engine_submit(vandal.engine, &vandal.ctx, NULL);
	ctx_wait(&vandal.ctx, seqno);
	expect_store(1);
	engine_expect(vandal.engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	EXPECT(engine_drain(vandal.engine, PATIENCE_MS));
}

HOSTILE(not_valid)
HOSTILE(same_twice)
HOSTILE(odd_modes)
HOSTILE(no_space)
HOSTILE(port_flood)
HOSTILE(half_port)
HOSTILE(status_page_nowhere)
HOSTILE(status_page_in_hole)
HOSTILE(event_pointer_garbage)
HOSTILE(reset_storm)
HOSTILE(memory_goes)
HOSTILE(bad_behind_good)
HOSTILE(bad_before_good)

static const struct testcase tests[] = {
	{ "hostile-not-valid", test_not_valid },
	{ "hostile-same-twice", test_same_twice },
	{ "hostile-odd-modes", test_odd_modes },
	{ "hostile-no-space", test_no_space },
	{ "hostile-port-flood", test_port_flood },
	{ "hostile-half-port", test_half_port },
	{ "hostile-status-page-nowhere", test_status_page_nowhere },
	{ "hostile-status-page-in-hole", test_status_page_in_hole },
	{ "hostile-event-pointer-garbage", test_event_pointer_garbage },
	{ "hostile-reset-storm", test_reset_storm },
	{ "hostile-memory-goes", test_memory_goes },
	{ "hostile-bad-behind-good", test_bad_behind_good },
	{ "hostile-bad-before-good", test_bad_before_good },
};

const struct testgroup hostile_port_tests = { tests, ARRAY_SIZE(tests) };
