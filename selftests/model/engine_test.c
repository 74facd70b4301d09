// SPDX-License-Identifier: GPL-2.0-only
/*
 * Submission, preemption and context switches of an engine: events in the
 * status page, what ran, and what is in the images afterwards.
 */
#include <linux/array_size.h>
#include "engine_fixture.h"

static void one_context_test(void **state)
{
	struct fixture *f = *state;

	emit_store(f, 0, DATA(0), 0x600d);
	EMIT(f, 0, USER_INTERRUPT, NOOP);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(0)), 0x600d);
	wait_idle(f);
	assert_int_equal(rd(f, HEAD) & 0x1ffffc, rd(f, TAIL));
	assert_int_equal(image(f, 0, IMAGE_HEAD), f->tail[0]);
	assert_int_equal(rd(f, STATUS_HI), 0);
	assert_int_equal(rd(f, STATUS_LO) & 0x60018, 0);

	/* The registers say the same as the status page. */
	assert_int_equal(rd(f, CSB_PTR) & 7, 1);
	assert_int_equal(rd(f, CSB(0)), 0x1);
	assert_int_equal(rd(f, CSB(1)), 0x18);
	assert_int_equal(rd(f, CSB(1) + 4), 0x100);

	assert_true(atomic_load(&f->interrupts) > 0);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, 0x44308) & 0x101, 0x101);
	assert_int_equal(counted(f, GM_ENGINE_SUBMITS), 1);
	assert_int_equal(counted(f, GM_ENGINE_CTX_SWITCHES), 1);
	assert_true(counted(f, GM_ENGINE_BUSY_NS) > 0);
	assert_no_misuse(f);
}

static void two_contexts_test(void **state)
{
	struct fixture *f = *state;

	emit_store(f, 0, DATA(0), 1);
	emit_store(f, 1, DATA(1), 2);
	submit(f, desc(0), desc(1));
	expect_event(f, 0x1, 0);
	expect_event(f, 0x14, 0x100);
	assert_int_equal(load(f, DATA(0)), 1);
	expect_event(f, 0x18, 0x101);
	assert_int_equal(load(f, DATA(1)), 2);
	expect_no_event(f);
	assert_no_misuse(f);
}

static void start_spin(struct fixture *f, unsigned int n, u32 arb)
{
	make_spin(f, n, arb);
	emit_store(f, n, DATA(n), 1);
	emit_batch(f, n, BATCH(n));
	emit_store(f, n, DATA(n), 2);
	submit(f, desc(n), 0);
	expect_event(f, 0x1, 0);
	wait_until(load(f, DATA(n)) == 1);
}

static void preempt_batch_test(void **state)
{
	struct fixture *f = *state;

	start_spin(f, 0, ARB_CHECK);
	wait_until(rd(f, ACTHD) >= BATCH(0) && rd(f, ACTHD) < BATCH(1));
	assert_int_equal(rd(f, STATUS_HI), 0x100);
	assert_false(rd(f, MI_MODE) & 0x200);

	emit_store(f, 1, DATA(1), 7);
	submit(f, desc(1), desc(0));
	expect_event(f, 0x2, 0x100);
	/* It left in the middle of its batch, and its image says so. */
	assert_int_equal(image(f, 0, 0x0f) & ~0xfffu, BATCH(0));
	assert_int_equal(image(f, 0, 0x0f) & 1, 1);
	expect_event(f, 0x14, 0x101);
	assert_int_equal(load(f, DATA(1)), 7);
	assert_int_equal(load(f, DATA(0)), 1);

	stop_batch(f, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(0)), 2);
	assert_int_equal(counted(f, GM_ENGINE_PREEMPTIONS), 1);
	assert_no_misuse(f);
}

/* Without an arbitration point what runs stays, and the list waits. */
static void no_preemption_point_test(void **state)
{
	struct fixture *f = *state;

	start_spin(f, 0, NOOP);
	emit_store(f, 1, DATA(1), 7);
	submit(f, desc(1), 0);
	usleep(20000);
	expect_no_event(f);
	assert_int_equal(rd(f, STATUS_LO) & 0x4, 0x4);
	assert_int_equal(load(f, DATA(1)), 0);

	stop_batch(f, 0);
	expect_event(f, 0x12, 0x100);
	expect_event(f, 0x18, 0x101);
	assert_int_equal(load(f, DATA(0)), 2);
	assert_int_equal(load(f, DATA(1)), 7);
	assert_no_misuse(f);
}

static void arbitration_off_test(void **state)
{
	struct fixture *f = *state;

	make_spin(f, 0, ARB_CHECK);
	EMIT(f, 0, ARB_OFF, NOOP);
	emit_batch(f, 0, BATCH(0));
	EMIT(f, 0, ARB_ON, ARB_CHECK);
	emit_store(f, 0, DATA(0), 2);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(!(rd(f, STATUS_LO) & 0x10000));
	submit(f, desc(1), desc(0));
	usleep(20000);
	expect_no_event(f);
	stop_batch(f, 0);
	expect_event(f, 0x2, 0x100);
	expect_event(f, 0x14, 0x101);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(0)), 2);
	assert_no_misuse(f);
}

static void lite_restore_test(void **state)
{
	struct fixture *f = *state;

	emit_wait(f, 0, DATA(0));
	emit_store(f, 0, DATA(1), 1);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(rd(f, CTL) & 0x400);
	emit_store(f, 0, DATA(2), 2);
	submit(f, desc(0), desc(1));
	expect_event(f, 0x8002, 0x100);
	assert_int_equal(rd(f, TAIL), f->tail[0]);
	store(f, DATA(0), 1);
	expect_event(f, 0x14, 0x100);
	assert_int_equal(load(f, DATA(1)), 1);
	assert_int_equal(load(f, DATA(2)), 2);
	expect_event(f, 0x18, 0x101);
	assert_int_equal(counted(f, GM_ENGINE_LITE_RESTORES), 1);
	assert_no_misuse(f);
}

/* More work than a lite restore can be seen for: each submission's commands run once, in order. */
static void many_lite_restores_test(void **state)
{
	struct fixture *f = *state;
	unsigned int i;
	u32 status = 0, id = 0;

	make_spin(f, 0, ARB_CHECK);
	emit_batch(f, 0, BATCH(0));
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	for (i = 0; i < 50; i++) {
		emit_store(f, 0, DATA(i), i + 1);
		submit(f, desc(0), 0);
		expect_event(f, 0x8002, 0x100);
	}
	stop_batch(f, 0);
	wait_until(next_event(f, &status, &id));
	assert_int_equal(status, 0x18);
	for (i = 0; i < 50; i++)
		assert_int_equal(load(f, DATA(i)), i + 1);
	assert_no_misuse(f);
}

/* What a driver appends while the context runs must not be lost by the save. */
static void save_keeps_tail_test(void **state)
{
	struct fixture *f = *state;

	start_spin(f, 0, ARB_CHECK);
	emit_store(f, 0, DATA(2), 3);
	submit(f, desc(1), desc(0));
	expect_event(f, 0x2, 0x100);
	assert_int_equal(image(f, 0, IMAGE_TAIL), f->tail[0]);
	stop_batch(f, 0);
	expect_event(f, 0x14, 0x101);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(2)), 3);
	assert_no_misuse(f);
}

static void semaphore_preempt_test(void **state)
{
	struct fixture *f = *state;

	emit_wait(f, 0, DATA(0));
	emit_store(f, 0, DATA(1), 1);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(rd(f, CTL) & 0x400);
	assert_true(gm_mmio_read(f->mmio, GM_FROM_CPU, 0x44308) & 0x800);
	assert_false(rd(f, MI_MODE) & 0x200);

	emit_store(f, 1, DATA(0), 1);
	submit(f, desc(1), desc(0));
	expect_event(f, 0x2, 0x100);
	expect_event(f, 0x14, 0x101);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(1)), 1);
	assert_int_equal(rd(f, CTL) & 0x400, 0);
	assert_no_misuse(f);
}

/*
 * A full restore of the context that waits: RING_CTL says again that it does, on an engine without
 * workaround buffers as well.
 */
static void restore_keeps_waiting_test(void **state)
{
	struct fixture *f = *state;

	emit_wait(f, 0, DATA(0));
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(rd(f, CTL) & 0x400);
	submit(f, desc(0) | 0x4, 0);
	expect_event(f, 0x2, 0x100);
	wait_until(rd(f, CTL) & 0x400);
	store(f, DATA(0), 1);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(rd(f, CTL) & 0x400, 0);
	assert_no_misuse(f);
}

/* In signal mode what memory holds counts when a signal comes for the context that waits. */
static void semaphore_signal_test(void **state)
{
	struct fixture *f = *state;

	EMIT(f, 0, 0x0e405002, 0, DATA(0), 0);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(rd(f, CTL) & 0x400);
	store(f, DATA(0), 1);
	gm_engine_signal(f->engine, 0x101);
	usleep(5000);
	expect_no_event(f);
	assert_true(rd(f, CTL) & 0x400);
	gm_engine_signal(f->engine, 0x100);
	expect_event(f, 0x18, 0x100);
	assert_no_misuse(f);
}

/* A context whose image allows synchronous switches: it leaves its place to the next one. */
static void synchronous_switch_test(void **state)
{
	struct fixture *f = *state;
	u32 head;

	set_image(f, 0, IMAGE_CONTROL, 0x00090000);
	EMIT(f, 0, NOOP, NOOP);
	emit_wait(f, 0, DATA(0));
	emit_store(f, 0, DATA(1), 1);
	emit_store(f, 1, DATA(2), 1);
	submit(f, desc(0), desc(1));
	expect_event(f, 0x1, 0);
	expect_event(f, 0x884, 0x100);
	expect_event(f, 0x18, 0x101);
	assert_int_equal(load(f, DATA(2)), 1);
	head = image(f, 0, IMAGE_HEAD);
	assert_int_equal(head, 8);
	assert_false(gm_mmio_read(f->mmio, GM_FROM_CPU, 0x44308) & 0x800);

	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x888, 0x100);
	assert_true(rd(f, MI_MODE) & 0x200);
	assert_int_equal(rd(f, CTL) & 0x400, 0);
	assert_int_equal(image(f, 0, IMAGE_HEAD), head);

	store(f, DATA(0), 1);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(1)), 1);
	assert_no_misuse(f);
}

#define WAIT_FOR_EVENT	0x01800000u
#define SCAN_LINE_A	0x1u
#define VBLANK_A	0x8u
#define DERRMR		0x44050
#define FRAME_US	16667

static void set_display(struct fixture *f, u32 reg, u32 value)
{
	gm_mmio_write(f->mmio, GM_FROM_CPU, reg, value);
}

/* Pipe A runs; nothing reaches the engine until DERRMR lets it. */
static void display_event_test(void **state)
{
	struct fixture *f = *state;

	set_display(f, 0x70008, 0x80000000);
	EMIT(f, 0, WAIT_FOR_EVENT | VBLANK_A, NOOP);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(rd(f, CTL) & 0x800);
	usleep(2 * FRAME_US);
	expect_no_event(f);
	set_display(f, DERRMR, ~VBLANK_A);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(rd(f, CTL) & 0x800, 0);

	/* The beam never is in these lines. */
	set_display(f, DERRMR, ~SCAN_LINE_A);
	EMIT(f, 0, 0x09000000, 0x1f001f01, WAIT_FOR_EVENT | SCAN_LINE_A, NOOP);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(gm_mmio_peek(f->mmio, 0x70068), 0x9f001f01);
	assert_no_misuse(f);
}

/* A context that leaves instead of waiting finds the blank that came meanwhile. */
static void display_event_switch_test(void **state)
{
	struct fixture *f = *state;

	set_display(f, 0x70008, 0x80000000);
	set_display(f, DERRMR, ~VBLANK_A);
	set_image(f, 0, IMAGE_CONTROL, 0x00090000);
	EMIT(f, 0, WAIT_FOR_EVENT | VBLANK_A, NOOP);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x48, 0x100);
	usleep(FRAME_US + 1000);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_no_misuse(f);
}

/*
 * An entry of the GGTT comes to point to another page. What a context writes there still goes to
 * the old one, also after a context switch, until GFX_FLSH_CNTL's way drops the translation.
 */
static void switch_keeps_ggtt_tlb_test(void **state)
{
	const u32 from = 0x3a0000, to = 0x3a1000;
	struct fixture *f = *state;

	emit_store(f, 0, from, 1);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	guest_memory_set_entry(&f->memory, from / 4096, to | 1);
	emit_store(f, 1, from, 2);
	submit(f, desc(1), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x101);
	assert_int_equal(load(f, from), 2);
	assert_int_equal(load(f, to), 0);

	gm_engine_invalidate_ggtt(f->engine);
	emit_store(f, 0, from, 3);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, from), 2);
	assert_int_equal(load(f, to), 3);
}

static void wait_for_value(struct fixture *f, u32 address, u32 value)
{
	u64 until = now_ns() + WAIT_NS;

	while (load(f, address) != value)
		if (now_ns() >= until)
			fail_msg("0x%x did not become %u", address, value);
}

/* Timestamp ticks from the end of a short wait, behind a long one, until the engine notices it. */
static u32 wait_latency(struct fixture *f)
{
	u64 until;
	u32 ended;

	make_context(f, 0);
	memset(f->ram + DATA(0), 0, 32);
	emit_store(f, 0, DATA(0), 1);
	emit_wait(f, 0, DATA(1));
	emit_store(f, 0, DATA(0), 2);
	emit_wait(f, 0, DATA(2));
	emit_store_reg(f, 0, f->base + TIMESTAMP, DATA(3));
	submit(f, desc(0), 0);
	wait_for_value(f, DATA(0), 1);
	usleep(2000);
	store(f, DATA(1), 1);
	wait_for_value(f, DATA(0), 2);
	for (until = now_ns() + 100000; now_ns() < until;)
		;
	ended = rd(f, TIMESTAMP);
	store(f, DATA(2), 1);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	return load(f, DATA(3)) - ended;
}

/* The chip polls all the time. A busy machine delays most looks, but not each in three seconds. */
static void semaphore_latency_test(void **state)
{
	const u64 until = now_ns() + 3000000000ull;
	struct fixture *f = *state;
	u32 best = UINT32_MAX;

	while (best > 20 * 12 && now_ns() < until) {
		u32 ticks = wait_latency(f);

		best = ticks < best ? ticks : best;
	}
	assert_in_range(best, 0, 20 * 12);
}

static void force_restore_test(void **state)
{
	struct fixture *f = *state;

	start_spin(f, 0, ARB_CHECK);
	submit(f, desc(0) | 0x4, 0);
	expect_event(f, 0x2, 0x100);
	stop_batch(f, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(0)), 2);
	assert_int_equal(counted(f, GM_ENGINE_CTX_SWITCHES), 2);
	assert_int_equal(counted(f, GM_ENGINE_LITE_RESTORES), 0);
	assert_no_misuse(f);
}

/* Registers of one context are not seen by another, and come back. */
static void isolation_test(void **state)
{
	struct fixture *f = *state;

	emit_load_imm(f, 0, f->base + GPR(5), 0xabcd1234);
	emit_load_imm(f, 0, 0x7004, 0x00400040);
	emit_load_imm(f, 0, 0x2580, 0x00010001);
	emit_store_reg(f, 1, f->base + GPR(5), DATA(0));
	emit_store_reg(f, 1, 0x7004, DATA(1));
	emit_store_reg(f, 1, 0x2580, DATA(2));
	store(f, DATA(0), ~0u);
	store(f, DATA(1), ~0u);
	store(f, DATA(2), ~0u);
	/* A context that has been saved once holds all of them. */
	submit(f, desc(1) | 0x4, 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x101);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);

	emit_store_reg(f, 1, f->base + GPR(5), DATA(0));
	emit_store_reg(f, 1, 0x7004, DATA(1));
	emit_store_reg(f, 1, 0x2580, DATA(2));
	emit_store_reg(f, 0, f->base + GPR(5), DATA(3));
	emit_store_reg(f, 0, 0x7004, DATA(4));
	emit_store_reg(f, 0, 0x2580, DATA(5));
	submit(f, desc(1), desc(0));
	expect_event(f, 0x1, 0);
	expect_event(f, 0x14, 0x101);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(0)), 0);
	assert_int_equal(load(f, DATA(1)), 0);
	assert_int_equal(load(f, DATA(2)), 0);
	assert_int_equal(load(f, DATA(3)), 0xabcd1234);
	assert_int_equal(load(f, DATA(4)), 0x40);
	assert_int_equal(load(f, DATA(5)), 0x1);
	assert_int_equal(image(f, 0, IMAGE_GPR0 + 2 * 5), 0xabcd1234);
	assert_no_misuse(f);
}

static void restore_inhibit_test(void **state)
{
	struct fixture *f = *state;

	set_image(f, 0, IMAGE_GPR0, 0x1111);
	set_image(f, 0, IMAGE_CONTROL, 0x00090009);
	emit_store_reg(f, 0, f->base + GPR(0), DATA(0));
	store(f, DATA(0), ~0u);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(0)), 0);
	/* It holds for one restore. */
	assert_int_equal(image(f, 0, IMAGE_CONTROL) & 0xf, 0x8);
	assert_no_misuse(f);
}

static void workaround_buffers_test(void **state)
{
	struct fixture *f = *state;
	/* Each stores the ring's start, which is loaded by then; one is a cache line long. */
	const u32 indirect[16] = {
		0x12400002, f->base + START, DATA(0), 0,
		0x10400002, DATA(2), 0, 5,
	};
	const u32 per_ctx[] = { 0x12400002, f->base + START, DATA(1), 0, BATCH_END };

	memcpy(f->ram + BATCH(4), indirect, sizeof(indirect));
	memcpy(f->ram + BATCH(5), per_ctx, sizeof(per_ctx));
	set_image(f, 0, IMAGE_INDIRECT, BATCH(4) | 1);
	set_image(f, 0, IMAGE_PER_CTX, BATCH(5) | 1);
	emit_wait(f, 0, DATA(7));
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(rd(f, CTL) & 0x400);
	assert_int_equal(load(f, DATA(0)), RING(0));
	assert_int_equal(load(f, DATA(1)), RING(0));
	assert_int_equal(load(f, DATA(2)), 5);

	/* A lite restore runs neither. */
	store(f, DATA(0), 0);
	store(f, DATA(1), 0);
	emit_store(f, 0, DATA(3), 1);
	submit(f, desc(0), 0);
	expect_event(f, 0x8002, 0x100);
	store(f, DATA(7), 1);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(3)), 1);
	assert_int_equal(load(f, DATA(0)), 0);
	assert_int_equal(load(f, DATA(1)), 0);
	assert_no_misuse(f);
}

static void many_contexts_test(void **state)
{
	struct fixture *f = *state;
	unsigned int round, n;

	for (round = 1; round <= 25; round++) {
		for (n = 0; n < 8; n += 2) {
			emit_store(f, n, DATA(n), round);
			emit_store(f, n + 1, DATA(n + 1), round);
			submit(f, desc(n), desc(n + 1));
			expect_event(f, 0x1, 0);
			expect_event(f, 0x14, 0x100 + n);
			expect_event(f, 0x18, 0x101 + n);
		}
		for (n = 0; n < 8; n++)
			assert_int_equal(load(f, DATA(n)), round);
	}
	assert_int_equal(rd(f, CSB_PTR) & 7, f->csb);
	assert_no_misuse(f);
}

/* Rings wrap; a context goes on where it was. */
static void ring_wrap_test(void **state)
{
	static const u32 noops[16];
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < 300; i++) {
		emit_store(f, 0, DATA(0), i);
		emit(f, 0, noops, ARRAY_SIZE(noops));
		submit(f, desc(0), 0);
		expect_event(f, 0x1, 0);
		expect_event(f, 0x18, 0x100);
		assert_int_equal(load(f, DATA(0)), i);
	}
	assert_no_misuse(f);
}

static void blitter_test(void **state)
{
	struct fixture *f = *state;

	emit_store(f, 0, DATA(0), 1);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(0)), 1);
	/* Its half of the shared interrupt register is the upper one. */
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, 0x44308), 0x01000000);
	assert_no_misuse(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_context_test),
		TEST(two_contexts_test),
		TEST(preempt_batch_test),
		TEST(no_preemption_point_test),
		TEST(arbitration_off_test),
		TEST(lite_restore_test),
		TEST(many_lite_restores_test),
		TEST(save_keeps_tail_test),
		TEST(semaphore_preempt_test),
		TEST(semaphore_latency_test),
		TEST(restore_keeps_waiting_test),
		BLITTER_TEST(restore_keeps_waiting_test),
		TEST(semaphore_signal_test),
		TEST(synchronous_switch_test),
		TEST(display_event_test),
		BLITTER_TEST(display_event_test),
		TEST(display_event_switch_test),
		TEST(switch_keeps_ggtt_tlb_test),
		TEST(force_restore_test),
		TEST(isolation_test),
		TEST(restore_inhibit_test),
		TEST(workaround_buffers_test),
		TEST(many_contexts_test),
		TEST(ring_wrap_test),
		BLITTER_TEST(blitter_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
