// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resets by the guest's driver: of one engine, of all; idle, waiting, looping, in the middle
 * of a submission. What works on other engines goes on; everything works at once after it.
 */
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "lib/program.h"
#include "lib/spin.h"
#include "lib/work.h"

static void prove_twice(struct work *work)
{
	ctx_reset(&work->ctx);
	work_prove(work);
	work_prove(work);
}

static void check_idle(struct work *work)
{
	engine_reset(work->engine);
	prove_twice(work);
	engine_reset(work->engine);
	prove_twice(work);
}

static void idle(void)
{
	work_on_each_engine(check_idle);
}

static void check_spinning(struct work *work)
{
	unsigned int kind;

	for (kind = 0; kind < SPIN_KINDS; kind++) {
		u32 seqno = spin_start(work, kind);

		engine_reset(work->engine);
		spin_expect_stopped(work);
		EXPECT(ctx_seqno(&work->ctx) != seqno);
		prove_twice(work);
	}
}

static void spinning(void)
{
	work_on_each_engine(check_spinning);
}

/* Contexts that wait on the other engines do not notice. */
static void others_go_on(void)
{
	static struct work work;
	static struct ctx ctx[ENGINES];
	u32 seqno[ENGINES];
	unsigned int id;

	work_start(&work, target(0), VCS, 4);
	for (id = 0; id < ENGINES; id++)
		ctx_init(&ctx[id], &work.guest.engine[id], &work.pp);
	for (id = 0; id < ENGINES; id++) {
		if (id == VCS)
			continue;
		seqno[id] = spin_request(&work, &ctx[id], SPIN_WAIT);
		engine_submit(&work.guest.engine[id], &ctx[id], NULL);
		engine_expect(&work.guest.engine[id], GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	}
	spin_start(&work, SPIN_HOG);
	engine_reset(work.engine);
	prove_twice(&work);
	spin_release(&work);
	for (id = 0; id < ENGINES; id++) {
		if (id == VCS)
			continue;
		ctx_wait(&ctx[id], seqno[id]);
		engine_expect(&work.guest.engine[id],
			      GEN9_CSB_ACTIVE_TO_IDLE | GEN9_CSB_COMPLETE, &ctx[id]);
	}
	work_stop(&work);
}

/* With a context that runs, one behind it, and one that is to preempt them. */
static void check_full_queue(struct work *work)
{
	static struct ctx second, third;
	struct cmds cmds = { };

	ctx_init(&second, work->engine, &work->pp);
	ctx_init(&third, work->engine, &work->pp);
	emit_store(&cmds, PPGTT, TARGET_VA, 0xbad);
	ctx_request(&second, &cmds);
	ctx_request(&third, &cmds);
	spin_request(work, &work->ctx, SPIN_HOG);
	engine_submit(work->engine, &work->ctx, &second);
	engine_expect(work->engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	engine_submit(work->engine, &third, NULL);
	engine_reset(work->engine);
	engine_expect_quiet(work->engine);
	work_expect(work, 0, 0);
	prove_twice(work);
	ctx_reset(&second);
	ctx_run(&second, &cmds);
	work_expect(work, 0, 0xbad);
}

static void full_queue(void)
{
	work_on_each_engine(check_full_queue);
}

/* Two of the four dwords of a submission: the other two belong to nothing after the reset. */
static void check_half_submission(struct work *work)
{
	struct cmds cmds = { };

	emit_store(&cmds, PPGTT, TARGET_VA, 0xbad);
	ctx_request(&work->ctx, &cmds);
	ctx_publish(&work->ctx);
	engine_write(work->engine, GEN9_RING_ELSP, 0);
	engine_write(work->engine, GEN9_RING_ELSP, 0);
	engine_reset(work->engine);
	engine_expect_quiet(work->engine);
	work_expect(work, 0, 0);
	prove_twice(work);
}

static void half_submission(void)
{
	work_on_each_engine(check_half_submission);
}

/* Every engine spins, then all are reset together. */
static void all(void)
{
	static struct work work;
	static struct ctx ctx[ENGINES];
	unsigned int id, kind;

	work_start(&work, target(0), RCS, 4);
	for (id = 0; id < ENGINES; id++)
		ctx_init(&ctx[id], &work.guest.engine[id], &work.pp);
	for (kind = 0; kind < SPIN_KINDS; kind++) {
		for (id = 0; id < ENGINES; id++) {
			spin_request(&work, &ctx[id], kind);
			engine_submit(&work.guest.engine[id], &ctx[id], NULL);
			engine_expect(&work.guest.engine[id], GEN9_CSB_IDLE_TO_ACTIVE, NULL);
		}
		engine_reset_all(work.guest.engine);
		spin_expect_stopped(&work);
		for (id = 0; id < ENGINES; id++) {
			struct cmds cmds = { };

			ctx_reset(&ctx[id]);
			emit_store(&cmds, PPGTT, TARGET_VA + 4 * id, kind + 1);
			ctx_run(&ctx[id], &cmds);
			work_expect(&work, id, kind + 1);
		}
	}
	work_stop(&work);
}

/* Memory and global table stay over a reset of everything. */
static void check_memory_stays(struct work *work)
{
	struct cmds cmds = { };

	emit_store(&cmds, GGTT, work->target.ggtt, 0x57a7);
	ctx_run(&work->ctx, &cmds);
	engine_reset_all(work->guest.engine);
	work_expect(work, 0, 0x57a7);
	ctx_reset(&work->ctx);
	emit_increment(&cmds, GGTT, work->target.ggtt);
	ctx_run(&work->ctx, &cmds);
	work_expect(work, 0, 0x57a8);
}

static void memory_stays(void)
{
	work_on_each_engine(check_memory_stays);
}

/* Interrupts come after a reset as before. */
static void check_interrupts(struct work *work)
{
	engine_reset(work->engine);
	irq_forget(&work->guest.irq);
	prove_twice(work);
	EXPECT(irq_wait(&work->guest.irq, work->engine->id, IRQ_USER, PATIENCE_MS));
	engine_reset_all(work->guest.engine);
	irq_forget(&work->guest.irq);
	prove_twice(work);
	EXPECT(irq_wait(&work->guest.irq, work->engine->id, IRQ_CONTEXT_SWITCH, PATIENCE_MS));
}

static void interrupts(void)
{
	work_on_each_engine(check_interrupts);
}

static const struct testcase tests[] = {
	{ "reset-idle", idle },
	{ "reset-spinning", spinning },
	{ "reset-others-go-on", others_go_on },
	{ "reset-full-queue", full_queue },
	{ "reset-half-submission", half_submission },
	{ "reset-all", all },
	{ "reset-memory-stays", memory_stays },
	{ "reset-interrupts", interrupts },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
