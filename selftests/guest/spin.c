// SPDX-License-Identifier: GPL-2.0-only
/*
 * Spinners. On engines whose batches the driver copies (the Gen9 blitter), a
 * write to the batch does not reach what runs, so only SPIN_WAIT can be ended
 * there, through memory.
 */
#include "cmds.h"
#include "exec.h"
#include "spin.h"
#include "test.h"

#define RUNNING_TIMEOUT_MS 10000

enum { STATE_RUNNING = 0, STATE_RELEASE = 16, STATE_DONE = 32 };

static void emit_loop(struct spin *s)
{
	u64 loop = batch_here(&s->batch);

	s->loop = s->batch.n;
	switch (s->kind) {
	case SPIN_WAIT:
		emit_wait_equal(&s->batch, s->state.addr + STATE_RELEASE * 4, 1);
		emit_store(&s->batch, s->state.addr + STATE_DONE * 4, 1);
		batch_end(&s->batch);
		return;
	case SPIN_ARB:
		batch_dword(&s->batch, MI_ARB_CHECK);
		break;
	case SPIN_HOG:
		batch_dword(&s->batch, MI_NOOP);
		break;
	}
	for (int i = 0; i < 16; i++)
		batch_dword(&s->batch, MI_NOOP);
	emit_jump(&s->batch, loop);
}

void spin_start(struct spin *s, struct gpu *gpu, u32 ctx, const struct engine *engine,
		enum spin_kind kind)
{
	struct exec e;

	s->kind = kind;
	batch_create(&s->batch, gpu, PAGE_SIZE);
	bo_create(&s->state, gpu, PAGE_SIZE);
	emit_store(&s->batch, s->state.addr + STATE_RUNNING * 4, 1);
	emit_loop(s);

	/* Nothing waits for it implicitly: tests order their work by themselves. */
	exec_init(&e, gpu, ctx, engine);
	exec_add(&e, &s->state, EXEC_OBJECT_ASYNC);
	exec_submit(&e, &s->batch);
}

void spin_wait_running(const struct spin *s)
{
	long long end = test_now_ms() + RUNNING_TIMEOUT_MS;

	while (bo_dword(&s->state, STATE_RUNNING) != 1) {
		if (test_now_ms() > end)
			test_fail("expected a spinning batch to start within %u ms",
				  RUNNING_TIMEOUT_MS);
		test_sleep_ms(1);
	}
}

void spin_release(struct spin *s)
{
	if (s->kind == SPIN_WAIT)
		bo_set_dword(&s->state, STATE_RELEASE, 1);
	else
		bo_set_dword(&s->batch.bo, s->loop, MI_BATCH_BUFFER_END);
	__sync_synchronize();
}

void spin_stop(struct spin *s)
{
	spin_release(s);
	bo_finish(&s->batch.bo, "a released spinning batch");
	if (s->kind == SPIN_WAIT)
		bo_expect(&s->state, STATE_DONE, 1, "after the semaphore wait");
	bo_destroy(&s->batch.bo);
	bo_destroy(&s->state);
}
