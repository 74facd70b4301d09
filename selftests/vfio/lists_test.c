// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execution lists: many contexts, two elements, lite restore, preemption, and the events
 * that tell of all that.
 */
#include <stdlib.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_render.h>

#include "lib/program.h"
#include "lib/work.h"

#define CONTEXTS	12
#define ROUNDS		4
#define STATES		50
#define STARTED		GEN9_CSB_IDLE_TO_ACTIVE
#define ENDED		(GEN9_CSB_ACTIVE_TO_IDLE | GEN9_CSB_COMPLETE)
#define SWITCHED	(GEN9_CSB_ELEMENT_SWITCH | GEN9_CSB_COMPLETE)
#define LITE		(GEN9_CSB_PREEMPTED | GEN9_CSB_LITE_RESTORE)

/* Dwords of the target: what is released by the test, what commands write. */
#define GATE		0
#define STEP		1
#define OTHER		2

static void release(struct work *work)
{
	ram_write(&work->guest.ram, work_dword(work, GATE), 1);
}

/* Says that it runs, waits for release(), then says that it goes on. */
static u32 request_waiter(struct work *work, struct ctx *ctx)
{
	struct cmds cmds = { };

	ram_write(&work->guest.ram, work_dword(work, GATE), 0);
	emit_store(&cmds, PPGTT, TARGET_VA + 4 * STEP, 1);
	emit_wait_equal(&cmds, PPGTT, TARGET_VA + 4 * GATE, 1);
	emit_store(&cmds, PPGTT, TARGET_VA + 4 * STEP, 2);
	return ctx_request(ctx, &cmds);
}

static void wait_step(struct work *work, u32 step)
{
	if (!ram_wait(&work->guest.ram, work_dword(work, STEP), step, PATIENCE_MS)) {
		engine_describe(work->engine);
		test_fail("%s: a context does not come to step %u", work->engine->name, step);
	}
}

static u32 request_store(struct ctx *ctx, unsigned int dword, u32 value)
{
	struct cmds cmds = { };

	emit_store(&cmds, PPGTT, TARGET_VA + 4 * dword, value);
	return ctx_request(ctx, &cmds);
}

static void check_many_contexts(struct work *work)
{
	static struct ctx ctx[CONTEXTS];
	unsigned int i, round;

	for (i = 0; i < CONTEXTS; i++)
		ctx_init(&ctx[i], work->engine, &work->pp);
	for (round = 0; round < ROUNDS; round++)
		for (i = 0; i < CONTEXTS; i++) {
			struct cmds cmds = { };

			emit_increment(&cmds, PPGTT, TARGET_VA + 4 * i);
			ctx_run(&ctx[i], &cmds);
		}
	for (i = 0; i < CONTEXTS; i++)
		work_expect(work, i, ROUNDS);
}

static void many_contexts(void)
{
	work_on_each_engine(check_many_contexts);
}

/*
 * A register that contexts have, deep in the image where the engine has one with more than a
 * page. Its lowest bits are not stored.
 */
static u32 state_reg(const struct engine *engine)
{
	return engine->id == RCS ? GEN9_SO_WRITE_OFFSET(0) :
				   engine->base + GEN9_RING_CS_GPR(3);
}

static void set_state(struct ctx *ctx, u32 value)
{
	struct cmds cmds = { };

	emit_lri(&cmds, state_reg(ctx->engine), value);
	ctx_run(ctx, &cmds);
}

/* Each of many contexts finds its registers again, however long it did not run. */
static void check_many_states(struct work *work)
{
	static struct ctx ctx[STATES];
	unsigned int i;

	for (i = 0; i < STATES; i++) {
		ctx_init(&ctx[i], work->engine, &work->pp);
		set_state(&ctx[i], 0x57a70000 + 4 * i);
	}
	for (i = 0; i < STATES; i++) {
		struct cmds cmds = { };

		emit_srm(&cmds, PPGTT, state_reg(work->engine), TARGET_VA);
		ctx_run(&ctx[i], &cmds);
		work_expect(work, 0, 0x57a70000 + 4 * i);
	}
}

static void many_states(void)
{
	work_on_each_engine(check_many_states);
}

static void check_ring_size(struct work *work, u32 size)
{
	static struct ctx ctx;
	unsigned int i, runs = 3 * size / 1700;

	ram_write(&work->guest.ram, work_dword(work, OTHER), 0);
	ctx_init_ring(&ctx, work->engine, &work->pp, size);
	/* Three times round. */
	for (i = 0; i < runs; i++) {
		struct cmds cmds = { };

		emit_noops(&cmds, 400);
		emit_increment(&cmds, PPGTT, TARGET_VA + 4 * OTHER);
		ctx_run(&ctx, &cmds);
	}
	work_expect(work, OTHER, runs);
}

static void check_ring_sizes(struct work *work)
{
	check_ring_size(work, 4096);
	check_ring_size(work, 12288);
	check_ring_size(work, 65536);
}

static void ring_sizes(void)
{
	work_on_each_engine(check_ring_sizes);
}

/* Most of a ring in one submission. */
static void check_full_ring(struct work *work)
{
	static struct ctx ctx;
	u32 seqno = 0;
	unsigned int i;

	ctx_init_ring(&ctx, work->engine, &work->pp, 65536);
	for (i = 0; i < 15; i++) {
		struct cmds cmds = { };

		emit_noops(&cmds, 950);
		emit_increment(&cmds, PPGTT, TARGET_VA + 4 * OTHER);
		seqno = ctx_request(&ctx, &cmds);
	}
	engine_submit(work->engine, &ctx, NULL);
	ctx_wait(&ctx, seqno);
	EXPECT(engine_drain(work->engine, PATIENCE_MS));
	work_expect(work, OTHER, 15);
}

static void full_ring(void)
{
	work_on_each_engine(check_full_ring);
}

/* Each engine waits for what another one stores. */
static void across_engines(void)
{
	static struct work work;
	static struct ctx ctx[ENGINES];
	unsigned int id;

	work_start(&work, target(0), RCS, 4);
	for (id = 0; id < ENGINES; id++) {
		struct cmds cmds = { };

		ctx_init(&ctx[id], &work.guest.engine[id], &work.pp);
		emit_wait_equal(&cmds, id & 1 ? PPGTT : GGTT,
				(id & 1 ? TARGET_VA : work.target.ggtt) + 4 * id, 1);
		emit_store(&cmds, id & 1 ? GGTT : PPGTT,
			   (id & 1 ? work.target.ggtt : TARGET_VA) + 4 * (id + 1), 1);
		ctx_request(&ctx[id], &cmds);
	}
	/* The last one first: it has to wait for all others. */
	for (id = ENGINES; id-- > 0;) {
		engine_submit(&work.guest.engine[id], &ctx[id], NULL);
		engine_expect(&work.guest.engine[id], STARTED, NULL);
	}
	ram_write(&work.guest.ram, work_dword(&work, 0), 1);
	for (id = 0; id < ENGINES; id++) {
		ctx_wait(&ctx[id], ctx[id].seqno);
		engine_expect(&work.guest.engine[id], ENDED, &ctx[id]);
	}
	work_stop(&work);
}

/* Several requests in one submission. */
static void check_queue(struct work *work)
{
	u32 seqno = 0;
	unsigned int i;

	for (i = 0; i < 8; i++)
		seqno = request_store(&work->ctx, OTHER, i + 1);
	engine_submit(work->engine, &work->ctx, NULL);
	ctx_wait(&work->ctx, seqno);
	work_expect(work, OTHER, 8);
	engine_expect(work->engine, STARTED, NULL);
	engine_expect(work->engine, ENDED, &work->ctx);
	engine_expect_quiet(work->engine);
}

static void queue(void)
{
	work_on_each_engine(check_queue);
}

static void run_pair(struct work *work, struct ctx *a, struct ctx *b)
{
	u32 first = request_store(a, OTHER, 1), second = request_store(b, OTHER, 2);

	engine_submit(work->engine, a, b);
	ctx_wait(a, first);
	ctx_wait(b, second);
	work_expect(work, OTHER, 2);
	engine_expect(work->engine, STARTED, NULL);
	engine_expect(work->engine, SWITCHED, a);
	engine_expect(work->engine, ENDED, b);
}

static void check_two_elements(struct work *work)
{
	static struct ctx other;

	ctx_init(&other, work->engine, &work->pp);
	run_pair(work, &work->ctx, &other);
	engine_expect_quiet(work->engine);
	run_pair(work, &other, &work->ctx);
	engine_expect_quiet(work->engine);
}

/* A context has another id each time, as i915 has it; others had the same before. */
static void check_ids(struct work *work)
{
	static const u32 ids[] = { 1, 2, 0, 1, 0xffffffff, 0x80000001, 1, 7 };
	static struct ctx other;
	unsigned int i;

	ctx_init(&other, work->engine, &work->pp);
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		work->ctx.id = ids[i];
		other.id = ids[i] ^ 0x100;
		run_pair(work, &work->ctx, &other);
		work->ctx.id = ids[i] ^ 0x100;
		work_prove(work);
	}
}

static void ids(void)
{
	work_on_each_engine(check_ids);
}

static void two_elements(void)
{
	work_on_each_engine(check_two_elements);
}

/* A new tail for a context that runs. */
static void check_lite_restore(struct work *work)
{
	u32 seqno;

	request_waiter(work, &work->ctx);
	engine_submit(work->engine, &work->ctx, NULL);
	engine_expect(work->engine, STARTED, NULL);
	wait_step(work, 1);
	seqno = request_store(&work->ctx, OTHER, 0x117e);
	engine_submit(work->engine, &work->ctx, NULL);
	engine_expect(work->engine, LITE, &work->ctx);
	engine_expect_quiet(work->engine);
	work_expect(work, STEP, 1);
	release(work);
	ctx_wait(&work->ctx, seqno);
	work_expect(work, STEP, 2);
	work_expect(work, OTHER, 0x117e);
	engine_expect(work->engine, ENDED, &work->ctx);
}

static void lite_restore(void)
{
	work_on_each_engine(check_lite_restore);
}

/* The running context again, now with another one behind it. */
static void check_append(struct work *work)
{
	static struct ctx other;
	u32 seqno;

	ctx_init(&other, work->engine, &work->pp);
	request_waiter(work, &work->ctx);
	engine_submit(work->engine, &work->ctx, NULL);
	engine_expect(work->engine, STARTED, NULL);
	wait_step(work, 1);
	seqno = request_store(&other, OTHER, 5);
	engine_submit(work->engine, &work->ctx, &other);
	engine_expect(work->engine, LITE, &work->ctx);
	work_expect(work, OTHER, 0);
	release(work);
	ctx_wait(&other, seqno);
	engine_expect(work->engine, SWITCHED, &work->ctx);
	engine_expect(work->engine, ENDED, &other);
	work_expect(work, STEP, 2);
}

static void append(void)
{
	work_on_each_engine(check_append);
}

/* A waiting context is preempted by another one, then it comes again and goes on. */
static void expect_preempted(struct work *work, struct ctx *other, u32 low, u32 high)
{
	ctx_wait(other, high);
	engine_expect(work->engine, GEN9_CSB_PREEMPTED, &work->ctx);
	engine_expect(work->engine, ENDED, other);
	work_expect(work, STEP, 1);

	engine_submit(work->engine, &work->ctx, NULL);
	engine_expect(work->engine, STARTED, NULL);
	engine_expect_quiet(work->engine);
	work_expect(work, STEP, 1);
	release(work);
	ctx_wait(&work->ctx, low);
	engine_expect(work->engine, ENDED, &work->ctx);
	work_expect(work, STEP, 2);
}

static void check_preemption(struct work *work)
{
	static struct ctx other;
	u32 low, high;

	ctx_init(&other, work->engine, &work->pp);
	low = request_waiter(work, &work->ctx);
	engine_submit(work->engine, &work->ctx, NULL);
	engine_expect(work->engine, STARTED, NULL);
	wait_step(work, 1);
	high = request_store(&other, OTHER, 9);
	engine_submit(work->engine, &other, NULL);
	expect_preempted(work, &other, low, high);
}

static void preemption(void)
{
	work_on_each_engine(check_preemption);
}

/* A context in the middle of a batch, with values in registers that have to come back. */
static void check_preempted_batch(struct work *work)
{
	u32 gpr = work->engine->base + GEN9_RING_CS_GPR(4);
	struct cmds batch = { }, ring = { }, disturb = { };
	static struct ctx other;
	u32 low;

	ctx_init(&other, work->engine, &work->pp);
	emit_lri(&batch, gpr, 0x4e91);
	emit_store(&batch, PPGTT, TARGET_VA + 4 * STEP, 1);
	emit_wait_equal(&batch, PPGTT, TARGET_VA + 4 * GATE, 1);
	emit_srm(&batch, PPGTT, gpr, TARGET_VA + 4 * STEP);
	work_batch(work, &ring, &batch);
	low = ctx_request(&work->ctx, &ring);
	engine_submit(work->engine, &work->ctx, NULL);
	wait_step(work, 1);
	emit_lri(&disturb, gpr, 0xbad);
	ctx_request(&other, &disturb);
	engine_expect(work->engine, STARTED, NULL);
	/* The waiter is the second element: it goes on by itself. */
	engine_submit(work->engine, &other, &work->ctx);
	engine_expect(work->engine, GEN9_CSB_PREEMPTED, &work->ctx);
	engine_expect(work->engine, SWITCHED, &other);
	engine_expect_quiet(work->engine);
	release(work);
	ctx_wait(&work->ctx, low);
	engine_expect(work->engine, ENDED, &work->ctx);
	work_expect(work, STEP, 0x4e91);
}

static void preempted_batch(void)
{
	work_on_each_engine(check_preempted_batch);
}

/*
 * A context that forbids preemption keeps the engine until it ends: on the chip. gvirt lets no
 * guest keep an engine while it waits, see drivers/gvirt/lib/audit.c.
 */
static void check_no_arbitration(struct work *work)
{
	static struct ctx other;
	struct cmds off = { };
	u32 low, high;

	ctx_init(&other, work->engine, &work->pp);
	emit_arb(&off, false);
	ctx_emit(&work->ctx, &off);
	low = request_waiter(work, &work->ctx);
	engine_submit(work->engine, &work->ctx, NULL);
	engine_expect(work->engine, STARTED, NULL);
	wait_step(work, 1);
	high = request_store(&other, OTHER, 6);
	engine_submit(work->engine, &other, NULL);
	if (target_virtual()) {
		expect_preempted(work, &other, low, high);
		return;
	}
	engine_expect_quiet(work->engine);
	work_expect(work, OTHER, 0);
	release(work);
	ctx_wait(&work->ctx, low);
	ctx_wait(&other, high);
	engine_expect(work->engine, GEN9_CSB_PREEMPTED | GEN9_CSB_COMPLETE, &work->ctx);
	engine_expect(work->engine, ENDED, &other);
}

static void no_arbitration(void)
{
	work_on_each_engine(check_no_arbitration);
}

/* What a save leaves in the image: the head stands where the tail is. */
static void check_saved_image(struct work *work)
{
	struct ram *ram = &work->guest.ram;
	u32 head;

	work_prove(work);
	head = ram_read(ram, ctx_reg(&work->ctx, GEN9_CTX_RING_HEAD)) & GEN9_RING_HEAD_MASK;
	EXPECT_EQ(head, work->ctx.tail);
	EXPECT_EQ(ram_read(ram, ctx_reg(&work->ctx, GEN9_CTX_RING_TAIL)), work->ctx.tail);
	EXPECT_EQ(ram_read(ram, ctx_reg(&work->ctx, GEN9_CTX_RING_START)), work->ctx.ring_ggtt);
	EXPECT_EQ(ram_read(ram, ctx_reg(&work->ctx, GEN9_CTX_PDP_LDW(0))), (u32)work->pp.pdp[0]);
	EXPECT_EQ(ram_read(ram, ctx_reg(&work->ctx, GEN9_CTX_PDP_UDW(0))),
		  (u32)(work->pp.pdp[0] >> 32));
	/* It holds for one restore only. */
	EXPECT_EQ(ram_read(ram, ctx_reg(&work->ctx, GEN9_CTX_CONTEXT_CONTROL)) &
		  GEN9_CTX_CTRL_RESTORE_INHIBIT, 0);
}

static void saved_image(void)
{
	work_on_each_engine(check_saved_image);
}

/* The buffer of events goes round many times, with three and with two events a time. */
static void check_event_wrap(struct work *work)
{
	static struct ctx other;
	unsigned int i;

	ctx_init(&other, work->engine, &work->pp);
	for (i = 0; i < 20; i++) {
		run_pair(work, &work->ctx, &other);
		work_prove(work);
	}
	engine_expect_quiet(work->engine);
}

static void event_wrap(void)
{
	work_on_each_engine(check_event_wrap);
}

/* Status register of the lists, idle and running. */
static void check_status(struct work *work)
{
	const u32 active = GEN9_EL_STATUS_LIST0_ACTIVE | GEN9_EL_STATUS_LIST1_ACTIVE;

	EXPECT_EQ(engine_read(work->engine, GEN9_RING_EXECLIST_STATUS_LO) & active, 0);
	request_waiter(work, &work->ctx);
	engine_submit(work->engine, &work->ctx, NULL);
	engine_expect(work->engine, STARTED, NULL);
	wait_step(work, 1);
	EXPECT(engine_read(work->engine, GEN9_RING_EXECLIST_STATUS_LO) & active);
	EXPECT_EQ(engine_read(work->engine, GEN9_RING_EXECLIST_STATUS_HI), work->ctx.id);
	release(work);
	engine_expect(work->engine, ENDED, &work->ctx);
	EXPECT_EQ(engine_read(work->engine, GEN9_RING_EXECLIST_STATUS_LO) & active, 0);
}

static void status(void)
{
	work_on_each_engine(check_status);
}

/* The pointer register says what is in memory. */
static void check_pointer(struct work *work)
{
	unsigned int i;

	for (i = 0; i < GEN9_CSB_ENTRIES + 2; i++) {
		u32 pointer;

		work_prove(work);
		pointer = engine_read(work->engine, GEN9_RING_CONTEXT_STATUS_PTR);
		EXPECT_EQ(pointer & GEN9_CSB_PTR_WRITE_MASK, work->engine->csb_read);
	}
}

static void pointer(void)
{
	work_on_each_engine(check_pointer);
}

/* Pairs in changing order; each context counts its runs. */
static void check_stress(struct work *work)
{
	static struct ctx ctx[6];
	u32 runs[6] = { };
	unsigned int i, n;

	srandom(work->engine->id + 1);
	for (i = 0; i < ARRAY_SIZE(ctx); i++)
		ctx_init(&ctx[i], work->engine, &work->pp);
	for (n = 0; n < 40; n++) {
		unsigned int a = random() % 6, b = (a + 1 + random() % 5) % 6;
		struct cmds cmds = { };

		emit_increment(&cmds, PPGTT, TARGET_VA + 4 * a);
		ctx_request(&ctx[a], &cmds);
		cmds.count = 0;
		emit_increment(&cmds, PPGTT, TARGET_VA + 4 * b);
		ctx_request(&ctx[b], &cmds);
		runs[a]++;
		runs[b]++;
		engine_submit(work->engine, &ctx[a], &ctx[b]);
		engine_expect(work->engine, STARTED, NULL);
		engine_expect(work->engine, SWITCHED, &ctx[a]);
		engine_expect(work->engine, ENDED, &ctx[b]);
		ctx_wait(&ctx[a], ctx[a].seqno);
		ctx_wait(&ctx[b], ctx[b].seqno);
	}
	for (i = 0; i < ARRAY_SIZE(ctx); i++)
		work_expect(work, i, runs[i]);
}

static void stress(void)
{
	work_on_each_engine(check_stress);
}

static const struct testcase tests[] = {
	{ "lists-many-contexts", many_contexts },
	{ "lists-many-states", many_states },
	{ "lists-ring-sizes", ring_sizes },
	{ "lists-full-ring", full_ring },
	{ "lists-across-engines", across_engines },
	{ "lists-queue", queue },
	{ "lists-two-elements", two_elements },
	{ "lists-ids", ids },
	{ "lists-lite-restore", lite_restore },
	{ "lists-append", append },
	{ "lists-preemption", preemption },
	{ "lists-preempted-batch", preempted_batch },
	{ "lists-no-arbitration", no_arbitration },
	{ "lists-saved-image", saved_image },
	{ "lists-event-wrap", event_wrap },
	{ "lists-status", status },
	{ "lists-event-pointer", pointer },
	{ "lists-stress", stress },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
