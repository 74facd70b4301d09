// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts of work: user interrupts, context switches; masked in the engine, in its bank,
 * not enabled, with the master off.
 */
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_lrc.h>

#include "lib/program.h"
#include "lib/work.h"

/* Bit of PIPE_CONTROL's and MI_FLUSH_DW's notifications (i915_reg.h, GT_RENDER_PIPECTL_NOTIFY). */
#define IRQ_NOTIFY	0x10u

static u32 shift_of(const struct work *work)
{
	return work->engine->id == BCS ? GEN9_GT_IRQ_BCS_SHIFT : 0;
}

static u32 bank_of(const struct work *work)
{
	static const unsigned int banks[ENGINES] = { 0, 0, 1, 3 };

	return GEN9_GT_IRQ(banks[work->engine->id]);
}

static bool wait(struct work *work, u32 bits, unsigned int ms)
{
	return irq_wait(&work->guest.irq, work->engine->id, bits, ms);
}

/* Work that has to end, whether or not its interrupts come. */
static void run(struct work *work)
{
	struct cmds cmds = { };

	emit_store(&cmds, PPGTT, TARGET_VA, 1);
	ctx_run(&work->ctx, &cmds);
}

static u32 identity(struct work *work)
{
	return vdev_read(&work->guest.dev, bank_of(work) + GEN9_IRQ_IIR) >> shift_of(work) & 0xffff;
}

static void check_both(struct work *work)
{
	unsigned int i;

	irq_forget(&work->guest.irq);
	for (i = 0; i < 5; i++) {
		run(work);
		EXPECT(wait(work, IRQ_USER, PATIENCE_MS));
		EXPECT(wait(work, IRQ_CONTEXT_SWITCH, PATIENCE_MS));
		EXPECT(work->guest.irq.count >= 1);
		irq_forget(&work->guest.irq);
	}
}

static void both(void)
{
	work_on_each_engine(check_both);
}

/* Nothing comes by itself, and nothing comes of one engine under the name of another. */
static void check_quiet(struct work *work)
{
	unsigned int i;

	irq_forget(&work->guest.irq);
	EXPECT(!wait(work, ~0u, NEVER_MS));
	run(work);
	EXPECT(wait(work, IRQ_USER, PATIENCE_MS));
	irq_wait(&work->guest.irq, work->engine->id, 0, NEVER_MS);
	for (i = 0; i < ENGINES; i++)
		if (i != work->engine->id)
			EXPECT_EQ(work->guest.irq.seen[i], 0);
}

static void quiet(void)
{
	work_on_each_engine(check_quiet);
}

/* User interrupts come while the context still runs. */
static void check_in_the_middle(struct work *work)
{
	struct cmds cmds = { };
	u32 seqno;

	irq_forget(&work->guest.irq);
	emit_user_interrupt(&cmds);
	emit_wait_equal(&cmds, PPGTT, TARGET_VA, 1);
	seqno = ctx_request(&work->ctx, &cmds);
	engine_submit(work->engine, &work->ctx, NULL);
	EXPECT(wait(work, IRQ_USER, PATIENCE_MS));
	EXPECT(ctx_seqno(&work->ctx) != seqno);
	ram_write(&work->guest.ram, work_dword(work, 0), 1);
	ctx_wait(&work->ctx, seqno);
	EXPECT(wait(work, IRQ_USER, PATIENCE_MS));
	EXPECT(engine_drain(work->engine, PATIENCE_MS));
}

static void in_the_middle(void)
{
	work_on_each_engine(check_in_the_middle);
}

/* What the engine masks does not even get to its bank. */
static void check_engine_mask(struct work *work)
{
	u32 old = engine_read(work->engine, GEN9_RING_IMR);

	irq_forget(&work->guest.irq);
	engine_write(work->engine, GEN9_RING_IMR, ~(IRQ_CONTEXT_SWITCH << shift_of(work)));
	run(work);
	EXPECT(wait(work, IRQ_CONTEXT_SWITCH, PATIENCE_MS));
	EXPECT(!wait(work, IRQ_USER, NEVER_MS));
	engine_write(work->engine, GEN9_RING_IMR, ~0u);
	irq_forget(&work->guest.irq);
	run(work);
	EXPECT(!wait(work, IRQ_USER | IRQ_CONTEXT_SWITCH, NEVER_MS));
	EXPECT_EQ(identity(work), 0);
	engine_write(work->engine, GEN9_RING_IMR, old);
	EXPECT(!wait(work, IRQ_USER | IRQ_CONTEXT_SWITCH, NEVER_MS));
	run(work);
	EXPECT(wait(work, IRQ_USER, PATIENCE_MS));
}

static void engine_mask(void)
{
	work_on_each_engine(check_engine_mask);
}

static void check_bank_mask(struct work *work)
{
	struct vdev *dev = &work->guest.dev;
	u32 mask = bank_of(work) + GEN9_IRQ_IMR, old = vdev_read(dev, mask);

	irq_forget(&work->guest.irq);
	vdev_write(dev, mask, ~0u);
	run(work);
	EXPECT(!wait(work, ~0u, NEVER_MS));
	EXPECT_EQ(identity(work), 0);
	vdev_write(dev, mask, old);
	EXPECT(!wait(work, ~0u, NEVER_MS));
	run(work);
	EXPECT(wait(work, IRQ_USER, PATIENCE_MS));
}

static void bank_mask(void)
{
	work_on_each_engine(check_bank_mask);
}

/* What is not enabled is in the identity register all the same, and comes when it is enabled. */
static void check_not_enabled(struct work *work)
{
	struct vdev *dev = &work->guest.dev;
	u32 enable = bank_of(work) + GEN9_IRQ_IER, old = vdev_read(dev, enable);

	irq_forget(&work->guest.irq);
	vdev_write(dev, enable, 0);
	run(work);
	EXPECT(!wait(work, ~0u, NEVER_MS));
	EXPECT_EQ(identity(work) & (IRQ_USER | IRQ_CONTEXT_SWITCH), IRQ_USER | IRQ_CONTEXT_SWITCH);
	vdev_write(dev, enable, old);
	EXPECT(wait(work, IRQ_USER, PATIENCE_MS));
}

static void not_enabled(void)
{
	work_on_each_engine(check_not_enabled);
}

/* With the master off nothing comes; switched on, it comes at once. */
static void check_master(struct work *work)
{
	struct vdev *dev = &work->guest.dev;

	irq_forget(&work->guest.irq);
	vdev_write(dev, GEN9_MASTER_IRQ, 0);
	vdev_read(dev, GEN9_MASTER_IRQ);
	run(work);
	EXPECT(!wait(work, ~0u, NEVER_MS));
	vdev_write(dev, GEN9_MASTER_IRQ, GEN9_MASTER_IRQ_ENABLE);
	EXPECT(wait(work, IRQ_USER, PATIENCE_MS));
	EXPECT(wait(work, IRQ_CONTEXT_SWITCH, PATIENCE_MS));
}

static void master(void)
{
	work_on_each_engine(check_master);
}

/* Nothing but the notification gets through. */
static void let_notify(struct work *work)
{
	struct vdev *dev = &work->guest.dev;
	u32 bit = IRQ_NOTIFY << shift_of(work), imr = bank_of(work) + GEN9_IRQ_IMR;
	u32 ier = bank_of(work) + GEN9_IRQ_IER;

	engine_write(work->engine, GEN9_RING_IMR, ~bit);
	vdev_write(dev, ier, vdev_read(dev, ier) | bit);
	vdev_write(dev, imr, vdev_read(dev, imr) & ~bit);
	irq_forget(&work->guest.irq);
}

static void emit_notify(struct work *work, struct cmds *cmds, u32 value)
{
	unsigned int first = cmds->count;

	if (work->engine->id == RCS)
		emit_pipe_control(cmds, GEN9_PC_NOTIFY, PPGTT, TARGET_VA, value);
	else
		emit_flush(cmds, PPGTT, TARGET_VA, value);
	cmds->dw[first] |= work->engine->id == RCS ? 0 : GEN9_MI_FLUSH_DW_NOTIFY;
}

/* The notification of PIPE_CONTROL and MI_FLUSH_DW is a bit of its own. */
static void check_notify(struct work *work)
{
	struct cmds cmds = { };

	let_notify(work);
	emit_notify(work, &cmds, 3);
	ctx_run(&work->ctx, &cmds);
	EXPECT(wait(work, IRQ_NOTIFY, PATIENCE_MS));
	work_expect(work, 0, 3);
	engine_write(work->engine, GEN9_RING_IMR, ~0u);
	irq_forget(&work->guest.irq);
	ctx_run(&work->ctx, &cmds);
	EXPECT(!wait(work, ~0u, NEVER_MS));
	EXPECT_EQ(identity(work), 0);
}

static void notify(void)
{
	work_on_each_engine(check_notify);
}

/* It comes from a batch without privilege as well, while that still runs. */
static void check_notify_batch(struct work *work)
{
	struct cmds ring = { }, batch = { };
	u32 seqno;

	let_notify(work);
	emit_notify(work, &batch, 4);
	emit_wait_equal(&batch, PPGTT, TARGET_VA + 64, 1);
	work_batch(work, &ring, &batch);
	seqno = ctx_request(&work->ctx, &ring);
	engine_submit(work->engine, &work->ctx, NULL);
	EXPECT(wait(work, IRQ_NOTIFY, PATIENCE_MS));
	work_expect(work, 0, 4);
	EXPECT(ctx_seqno(&work->ctx) != seqno);
	ram_write(&work->guest.ram, work_dword(work, 16), 1);
	ctx_wait(&work->ctx, seqno);
	EXPECT(engine_drain(work->engine, PATIENCE_MS));
}

static void notify_batch(void)
{
	work_on_each_engine(check_notify_batch);
}

/* Without an eventfd the work is done all the same, and the next eventfd works. */
static void check_disarmed(struct work *work)
{
	struct vdev *dev = &work->guest.dev;

	EXPECT_EQ(dev->ops->irq(dev, -1), 0);
	run(work);
	irq_fini(&work->guest.irq);
	irq_init(&work->guest.irq, dev);
	irq_forget(&work->guest.irq);
	run(work);
	EXPECT(wait(work, IRQ_USER, PATIENCE_MS));
}

static void disarmed(void)
{
	work_on_each_engine(check_disarmed);
}

/* A hundred requests, each waited for by its interrupt alone. */
static void check_each(struct work *work)
{
	unsigned int i;

	irq_forget(&work->guest.irq);
	for (i = 0; i < 100; i++) {
		struct cmds cmds = { };
		u32 seqno;

		emit_increment(&cmds, PPGTT, TARGET_VA);
		seqno = ctx_request(&work->ctx, &cmds);
		engine_submit(work->engine, &work->ctx, NULL);
		while (ctx_seqno(&work->ctx) != seqno)
			if (!wait(work, IRQ_USER, PATIENCE_MS))
				test_fail("%s: interrupt %u is lost", work->engine->name, i);
		ctx_wait(&work->ctx, seqno);
		EXPECT(engine_drain(work->engine, PATIENCE_MS));
	}
	work_expect(work, 0, 100);
}

static void each(void)
{
	work_on_each_engine(check_each);
}

static const struct testcase tests[] = {
	{ "notify-both", both },
	{ "notify-quiet", quiet },
	{ "notify-in-the-middle", in_the_middle },
	{ "notify-engine-mask", engine_mask },
	{ "notify-bank-mask", bank_mask },
	{ "notify-not-enabled", not_enabled },
	{ "notify-master", master },
	{ "notify-notification", notify },
	{ "notify-notification-batch", notify_batch },
	{ "notify-disarmed", disarmed },
	{ "notify-each", each },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
