// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hangs, faults, resets in every state, stopping the ring, misuse, injected faults.
 */
#include <linux/array_size.h>
#include "engine_fixture.h"

static void run_one(struct fixture *f, unsigned int n)
{
	emit_store(f, n, DATA(n), 0xa11);
	store(f, DATA(n), 0);
	submit(f, desc(n), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100 + n);
	assert_int_equal(load(f, DATA(n)), 0xa11);
}

/* The handshake and the reset as a driver does them; all is as after power-on then. */
static void reset(struct fixture *f)
{
	bool idle = !(rd(f, STATUS_LO) & 0x18);

	/* Without the handshake only an engine that has nothing to do is ready. */
	assert_int_equal(gm_engine_ready_for_reset(f->engine), idle);
	wr(f, RESET_CTL, 0x00010001);
	wait_until(rd(f, RESET_CTL) & 2);
	assert_true(gm_engine_ready_for_reset(f->engine));
	gm_engine_reset(f->engine);
	wr(f, RESET_CTL, 0x00010000);

	assert_int_equal(rd(f, RESET_CTL), 0);
	assert_int_equal(rd(f, STATUS_HI), 0);
	assert_int_equal(rd(f, STATUS_LO) & 0x7c01c, 0);
	assert_int_equal(rd(f, CSB_PTR), 0x505);
	assert_int_equal(rd(f, HEAD), 0);
	assert_int_equal(rd(f, TAIL), 0);
	assert_int_equal(rd(f, CTL), 0);
	assert_int_equal(rd(f, GFX_MODE), 0);
	assert_int_equal(rd(f, IMR), 0xffffffff);
	assert_int_equal(rd(f, ESR), 0);
	assert_int_equal(rd(f, MI_MODE), 0x200);
	enable(f);
	run_one(f, 7);
}

static void reset_idle_test(void **state)
{
	struct fixture *f = *state;

	reset(f);
	run_one(f, 0);
	reset(f);
	assert_no_misuse(f);
}

static void reset_spinning_test(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		make_context(f, 0);
		make_spin(f, 0, i & 1 ? ARB_CHECK : NOOP);
		emit_batch(f, 0, BATCH(0));
		submit(f, desc(0), 0);
		expect_event(f, 0x1, 0);
		if (i & 2)
			submit(f, desc(1), desc(2));
		usleep(100 * i);
		reset(f);
	}
	assert_no_misuse(f);
}

static void reset_waiting_test(void **state)
{
	struct fixture *f = *state;

	emit_wait(f, 0, DATA(0));
	submit(f, desc(0), desc(1));
	expect_event(f, 0x1, 0);
	wait_until(rd(f, CTL) & 0x400);
	reset(f);
	assert_no_misuse(f);
}

/* Without the handshake, at any moment of a switch. */
static void reset_any_time_test(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < 200; i++) {
		emit_store(f, 0, DATA(0), i);
		EMIT(f, 0, ARB_CHECK, NOOP);
		emit_store(f, 1, DATA(1), i);
		EMIT(f, 1, ARB_CHECK, NOOP);
		submit(f, desc(0), desc(1));
		submit(f, desc(1), desc(0));
		usleep(i);
		gm_engine_reset(f->engine);
		assert_int_equal(rd(f, STATUS_LO) & 0x7c01c, 0);
		assert_int_equal(rd(f, CSB_PTR), 0x505);
		make_context(f, 0);
		make_context(f, 1);
		enable(f);
	}
	run_one(f, 7);
}

/* A privileged command that resets its own engine: nobody waits for himself. */
static void reset_by_command_test(void **state)
{
	struct fixture *f = *state;

	emit_store(f, 0, DATA(0), 1);
	emit_load_imm(f, 0, 0x941c, 0x2);
	EMIT(f, 0, UNDEFINED);
	submit(f, desc(0), desc(1));
	wait_until(load(f, DATA(0)) == 1 && !(rd(f, STATUS_LO) & 0x18));
	assert_int_equal(counted(f, GM_ENGINE_HANGS), 0);
	assert_int_equal(rd(f, CSB_PTR), 0x505);
	enable(f);
	run_one(f, 7);
}

static void undecodable_test(void **state)
{
	struct fixture *f = *state;

	emit_store(f, 0, DATA(0), 1);
	EMIT(f, 0, UNDEFINED);
	emit_store(f, 0, DATA(1), 1);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(rd(f, EIR) & 1);
	assert_int_equal(rd(f, IPEHR), UNDEFINED);
	assert_int_equal(rd(f, ACTHD), RING(0) + 16);
	assert_int_equal(load(f, DATA(0)), 1);
	assert_int_equal(load(f, DATA(1)), 0);
	assert_false(rd(f, MI_MODE) & 0x200);
	assert_int_equal(rd(f, STATUS_HI), 0x100);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_CPU, 0x44308) & 0x8, 0x8);
	assert_int_equal(counted(f, GM_ENGINE_HANGS), 1);

	/* Written ones clear EIR; what is wrong stays in ESR. */
	wr(f, EIR, 1);
	assert_int_equal(rd(f, EIR), 0);
	assert_int_equal(rd(f, ESR) & 1, 1);

	/* It keeps the engine, whatever is submitted. */
	submit(f, desc(1), 0);
	usleep(10000);
	expect_no_event(f);
	reset(f);
}

static void fault_test(void **state)
{
	struct fixture *f = *state;

	emit_store(f, 0, UNMAPPED + 0x123000, 1);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(gm_mmio_peek(f->mmio, 0x4094) & 1);
	assert_int_equal(gm_mmio_peek(f->mmio, 0x4b10), (UNMAPPED + 0x123000) >> 12);
	assert_int_equal(gm_mmio_peek(f->mmio, 0x4b14), 0x10);
	assert_int_equal((gm_mmio_peek(f->mmio, 0x4094) >> 12) & 0x1f, 0);
	assert_int_equal(rd(f, STATUS_HI), 0x100);
	assert_int_equal(counted(f, GM_ENGINE_HANGS), 1);
	reset(f);
	/* It stays until the driver clears it. */
	assert_true(gm_mmio_peek(f->mmio, 0x4094) & 1);
}

static void stop_ring_test(void **state)
{
	struct fixture *f = *state;
	u32 head;

	make_spin(f, 0, NOOP);
	emit_batch(f, 0, BATCH(0));
	emit_store(f, 0, DATA(0), 1);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(rd(f, ACTHD) >= BATCH(0) && rd(f, ACTHD) < BATCH(1));
	assert_false(rd(f, MI_MODE) & 0x200);
	wr(f, MI_MODE, 0x01000100);
	wait_idle(f);
	head = rd(f, HEAD);
	stop_batch(f, 0);
	submit(f, desc(1), 0);
	usleep(10000);
	assert_int_equal(rd(f, HEAD), head);
	expect_no_event(f);
	assert_int_equal(load(f, DATA(0)), 0);

	wr(f, MI_MODE, 0x01000000);
	expect_event(f, 0x12, 0x100);
	expect_event(f, 0x18, 0x101);
	assert_int_equal(load(f, DATA(0)), 1);
	assert_no_misuse(f);
}

/* A request that is taken back lets the engine go on where it was. */
static void reset_request_cancelled_test(void **state)
{
	struct fixture *f = *state;

	make_spin(f, 0, ARB_CHECK);
	emit_batch(f, 0, BATCH(0));
	emit_store(f, 0, DATA(0), 1);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wr(f, RESET_CTL, 0x00010001);
	wait_until(rd(f, RESET_CTL) & 2);
	stop_batch(f, 0);
	usleep(5000);
	assert_int_equal(load(f, DATA(0)), 0);
	wr(f, RESET_CTL, 0x00010000);
	assert_int_equal(rd(f, RESET_CTL), 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(0)), 1);
	assert_no_misuse(f);
}

static void malformed_image_test(void **state)
{
	struct fixture *f = *state;

	set_image(f, 0, 0x51, 0xdeadbeef);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	wait_until(rd(f, EIR) & 1);
	assert_int_equal(misuse(f, GM_MISUSE_CONTEXT_IMAGE), 1);
	assert_int_equal(counted(f, GM_ENGINE_HANGS), 1);
	assert_int_equal(rd(f, STATUS_HI), 0x100);
	reset(f);
}

static void unmapped_image_test(void **state)
{
	struct fixture *f = *state;

	submit(f, 0x500ull << 32 | UNMAPPED | 0x19, 0);
	expect_event(f, 0x1, 0);
	wait_until(gm_mmio_peek(f->mmio, 0x4094) & 1);
	assert_int_equal(gm_mmio_peek(f->mmio, 0x4b10), UNMAPPED / 4096 + 1);
	assert_int_equal(misuse(f, GM_MISUSE_CONTEXT_IMAGE), 1);
	reset(f);
}

static void submit_misuse_test(void **state)
{
	struct fixture *f = *state;

	submit(f, 0, desc(0));
	assert_int_equal(misuse(f, GM_MISUSE_ELSP_INVALID), 1);
	submit(f, desc(0) | 0x800, 0);
	assert_int_equal(misuse(f, GM_MISUSE_ELSP_INVALID), 2);
	expect_no_event(f);

	make_spin(f, 0, NOOP);
	emit_batch(f, 0, BATCH(0));
	submit(f, desc(0), desc(0));
	assert_int_equal(misuse(f, GM_MISUSE_ELSP_CONTEXT_TWICE), 1);
	submit(f, desc(1), 0);
	submit(f, desc(2), 0);
	assert_int_equal(misuse(f, GM_MISUSE_ELSP_FULL), 1);
	stop_batch(f, 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x12, 0x100);
	expect_event(f, 0x18, 0x101);

	wr(f, GFX_MODE, 0x80000000);
	submit(f, desc(0), 0);
	assert_true(misuse(f, GM_MISUSE_ELSP_INVALID) > 2);
	expect_no_event(f);
}

static void run_unread(struct fixture *f, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		submit(f, desc(0) | 0x4, 0);
		wait_until(rd(f, CSB_PTR) % 8 == (2 * i + 1) % 6);
		wait_idle(f);
	}
}

static void csb_overrun_test(void **state)
{
	struct fixture *f = *state;

	run_unread(f, 3);
	assert_int_equal(misuse(f, GM_MISUSE_CSB_OVERRUN), 0);
	submit(f, desc(0) | 0x4, 0);
	wait_until(rd(f, CSB_PTR) % 8 == 1);
	wait_idle(f);
	assert_int_equal(misuse(f, GM_MISUSE_CSB_OVERRUN), 2);
}

/* Whoever moves the read pointer, or reads the registers, has read them as well. */
static void csb_read_by_register_test(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	run_unread(f, 3);
	wr(f, CSB_PTR, 0x07000500);
	run_unread(f, 3);
	for (i = 0; i < 6; i++)
		rd(f, CSB(i));
	run_unread(f, 3);
	assert_int_equal(misuse(f, GM_MISUSE_CSB_OVERRUN), 0);
}

static void inject_hang_test(void **state)
{
	struct fixture *f = *state;

	gm_engine_inject_hang(f->engine, GM_PHASE_ANY, 0);
	emit_store(f, 0, DATA(0), 1);
	submit(f, desc(0), 0);
	wait_until(counted(f, GM_ENGINE_HANGS) == 1);
	assert_int_equal(load(f, DATA(0)), 0);
	assert_false(rd(f, MI_MODE) & 0x200);
	/* Nothing is reported: the driver has to notice. */
	assert_int_equal(rd(f, EIR), 0);
	reset(f);
	assert_no_misuse(f);
}

#define MARK		0x77u
#define NOOP_MARK	(0x00400000u | MARK)

/* A mark in a batch, and how many commands with a store follow there and in the ring. */
static void emit_marked(struct fixture *f, unsigned int n, u32 mark)
{
	const u32 batch[] = { mark, 0x10400002, DATA(4), 0, 1, BATCH_END };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(batch); i++)
		store(f, BATCH(n) + 4 * i, batch[i]);
	/* Of the second level: it comes back. */
	EMIT(f, n, 0x18c00001, BATCH(n), 0);
	emit_store(f, n, DATA(5), 1);
}

static void hang_in(struct fixture *f, enum gm_engine_phase phase)
{
	store(f, DATA(4), 0);
	store(f, DATA(5), 0);
	gm_engine_inject_hang(f->engine, phase, MARK);
	/* Somebody else is left alone. */
	run_one(f, 1);
	emit_marked(f, 0, NOOP_MARK);
	submit(f, desc(0), 0);
	wait_until(counted(f, GM_ENGINE_HANGS) == 1);
	assert_int_equal(load(f, DATA(4)), phase != GM_PHASE_BATCH);
	assert_int_equal(load(f, DATA(5)), phase == GM_PHASE_SAVE);
	gm_stats_clear(&f->stats);
	reset(f);
	make_context(f, 0);
	run_one(f, 0);
}

static void inject_hang_phases_test(void **state)
{
	struct fixture *f = *state;

	hang_in(f, GM_PHASE_BATCH);
	hang_in(f, GM_PHASE_RING);
	hang_in(f, GM_PHASE_SAVE);
	assert_no_misuse(f);
}

/* A context with the mark: hangs when it is to start, or is restored. */
static void hang_next_time(struct fixture *f, enum gm_engine_phase phase, bool started)
{
	gm_engine_inject_hang(f->engine, phase, MARK);
	emit_marked(f, 0, NOOP_MARK);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	emit_store(f, 0, DATA(6), 1);
	submit(f, desc(0), 0);
	wait_until(counted(f, GM_ENGINE_HANGS) == 1);
	if (started)
		expect_event(f, 0x1, 0);
	assert_int_equal(load(f, DATA(6)), 0);
	gm_stats_clear(&f->stats);
	reset(f);
	make_context(f, 0);
	run_one(f, 0);
}

static void inject_hang_start_test(void **state)
{
	struct fixture *f = *state;

	hang_next_time(f, GM_PHASE_START, false);
	hang_next_time(f, GM_PHASE_LOAD, true);
	assert_no_misuse(f);
}

static void inject_csb_lost_test(void **state)
{
	struct fixture *f = *state;

	gm_engine_inject(f->engine, GM_INJECT_CSB_CORRUPT, GM_CSB_NO_STATUS);
	submit(f, desc(0) | 0x4, 0);
	expect_event(f, 0x0, 0);
	expect_event(f, 0x18, 0x100);
	gm_engine_inject(f->engine, GM_INJECT_CSB_CORRUPT, GM_CSB_LOST);
	submit(f, desc(0) | 0x4, 0);
	expect_event(f, 0x18, 0x100);
	assert_no_misuse(f);
}

static void inject_csb_test(void **state)
{
	struct fixture *f = *state;
	u64 start;

	gm_engine_inject(f->engine, GM_INJECT_CSB_CORRUPT, 0);
	submit(f, desc(0) | 0x4, 0);
	expect_event(f, 0x1, 0xffffffff);
	expect_event(f, 0x18, 0x100);

	start = now_ns();
	gm_engine_inject(f->engine, GM_INJECT_CSB_DELAY, 30000);
	submit(f, desc(0) | 0x4, 0);
	expect_event(f, 0x1, 0);
	assert_true(now_ns() - start >= 30000000);
	expect_event(f, 0x18, 0x100);

	/* A reset does not wait for a late entry. */
	gm_engine_inject(f->engine, GM_INJECT_CSB_DELAY, 30000000);
	submit(f, desc(0) | 0x4, 0);
	usleep(20000);
	start = now_ns();
	gm_engine_reset(f->engine);
	assert_true(now_ns() - start < 5000000000ull);
	enable(f);
	run_one(f, 7);
	assert_no_misuse(f);
}

static void inject_refuse_reset_test(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	gm_engine_inject(f->engine, GM_INJECT_REFUSE_RESET, 2);
	for (i = 0; i < 2; i++) {
		wr(f, RESET_CTL, 0x00010001);
		usleep(1000);
		assert_int_equal(rd(f, RESET_CTL) & 3, 1);
		wr(f, RESET_CTL, 0x00010000);
	}
	reset(f);
	gm_engine_inject(f->engine, GM_INJECT_REFUSE_RESET, 0);
	for (i = 0; i < 5; i++) {
		wr(f, RESET_CTL, 0x00010001);
		assert_int_equal(rd(f, RESET_CTL) & 3, 1);
		wr(f, RESET_CTL, 0x00010000);
	}
	gm_engine_inject(f->engine, GM_INJECT_NONE, 0);
	reset(f);
	assert_no_misuse(f);
}

/* A blit of 4 GB, each row one pixel below the last: a reset does not wait for its end. */
static void reset_blit_test(void **state)
{
	const u32 first = 0x340000, last = first + 4 * (32766 + 32766);
	struct fixture *f = *state;

	store(f, first, 0);
	store(f, last, 0);
	/* XY_COLOR_BLT, 32 bits, inverting: pitch, corners, address, color. */
	EMIT(f, 0, 0x54300005, 0x035a0004, 0, 0x7fff7fff, first, 0, 0x00c0ffee, NOOP);
	submit(f, desc(0), 0);
	wait_until(load(f, first));
	gm_engine_reset(f->engine);
	assert_int_equal(load(f, last), 0);
	make_context(f, 0);
	enable(f);
	run_one(f, 0);
	assert_no_misuse(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reset_idle_test),
		TEST(reset_spinning_test),
		TEST(reset_waiting_test),
		TEST(reset_any_time_test),
		TEST(reset_by_command_test),
		TEST(undecodable_test),
		TEST(fault_test),
		TEST(stop_ring_test),
		TEST(reset_request_cancelled_test),
		TEST(malformed_image_test),
		TEST(unmapped_image_test),
		TEST(submit_misuse_test),
		TEST(csb_overrun_test),
		TEST(csb_read_by_register_test),
		TEST(inject_hang_test),
		TEST(inject_hang_phases_test),
		TEST(inject_hang_start_test),
		TEST(inject_csb_test),
		TEST(inject_csb_lost_test),
		TEST(inject_refuse_reset_test),
		BLITTER_TEST(reset_spinning_test),
		BLITTER_TEST(reset_blit_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
