// SPDX-License-Identifier: GPL-2.0-only
/*
 * Spinners.
 */
#include <unistd.h>

#include "../ktap.h"
#include "spin.h"

/* Dwords of the target. */
#define COUNT	900
#define GATE	901

static void emit_loop(struct work *work, struct cmds *ring, bool arbitrate)
{
	struct cmds loop = { };

	if (arbitrate)
		emit_arb_check(&loop);
	emit_increment(&loop, PPGTT, work->target_va + 4 * COUNT);
	emit_batch(&loop, PPGTT, work->batch_va);
	work_batch(work, ring, &loop);
}

u32 spin_request(struct work *work, struct ctx *ctx, enum spin_kind kind)
{
	struct cmds ring = { };

	ram_write(&work->guest.ram, work_dword(work, COUNT), 0);
	ram_write(&work->guest.ram, work_dword(work, GATE), 0);
	emit_arb(&ring, kind != SPIN_HOG);
	if (kind == SPIN_WAIT) {
		emit_increment(&ring, PPGTT, work->target_va + 4 * COUNT);
		emit_wait_equal(&ring, PPGTT, work->target_va + 4 * GATE, 1);
	} else {
		emit_loop(work, &ring, kind == SPIN_LOOP);
	}
	return ctx_request(ctx, &ring);
}

u32 spin_start(struct work *work, enum spin_kind kind)
{
	u32 seqno = spin_request(work, &work->ctx, kind);
	u64 end = vdev_now_ms() + PATIENCE_MS;

	engine_submit(work->engine, &work->ctx, NULL);
	while (!spin_count(work))
		if (vdev_now_ms() > end) {
			engine_describe(work->engine);
			test_fail("%s: a spinner does not start", work->engine->name);
		}
	return seqno;
}

void spin_release(struct work *work)
{
	ram_write(&work->guest.ram, work_dword(work, GATE), 1);
}

u32 spin_count(struct work *work)
{
	return ram_read(&work->guest.ram, work_dword(work, COUNT));
}

void spin_expect_stopped(struct work *work)
{
	u32 count = spin_count(work);

	usleep(NEVER_MS * 1000);
	EXPECT_EQ(spin_count(work), count);
}
