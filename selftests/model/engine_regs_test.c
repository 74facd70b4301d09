// SPDX-License-Identifier: GPL-2.0-only
/*
 * An engine's registers as software sees them, its clocks, page directories,
 * the ring without execlists, what waiting costs, and many threads at once.
 */
#include <pthread.h>
#include <linux/array_size.h>
#include "engine_fixture.h"

static void masked_write_test(void **state)
{
	static const u32 masked[] = { 0x028, 0x050, 0x0c0, 0x244, 0x090, 0x580 };
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(masked); i++) {
		wr(f, masked[i], 0x00f000a0);
		assert_int_equal(rd(f, masked[i]), 0xa0);
		wr(f, masked[i], 0x00200000);
		assert_int_equal(rd(f, masked[i]), 0x80);
		wr(f, masked[i], 0x0000ffff);
		assert_int_equal(rd(f, masked[i]), 0x80);
	}
	/* Not masked: storage. */
	wr(f, 0x098, 0x12345678);
	assert_int_equal(rd(f, 0x098), 0x12345678);
	wr(f, GPR(3), 0xdeadbeef);
	assert_int_equal(rd(f, GPR(3)), 0xdeadbeef);
	wr(f, IMR, 0xfffffeff);
	assert_int_equal(rd(f, IMR), 0xfffffeff);
}

static void read_only_test(void **state)
{
	static const u32 read_only[] = {
		0x05c, 0x064, 0x068, 0x06c, 0x074, 0x078, 0x0b8, 0x110, 0x140, 0x168, 0x234, 0x238,
		0x370, 0x39c,
	};
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(read_only); i++) {
		u32 before = rd(f, read_only[i]);

		wr(f, read_only[i], 0xffffffff);
		assert_int_equal(rd(f, read_only[i]), before);
	}
	/* The idle bit reports; the submit port reads as nothing. */
	wr(f, MI_MODE, 0x02000000);
	assert_int_equal(rd(f, MI_MODE), 0x200);
	assert_int_equal(rd(f, ELSP), 0);
}

static u64 timestamp(struct fixture *f)
{
	u64 high = rd(f, TIMESTAMP_UDW);
	u32 low = rd(f, TIMESTAMP);

	if (rd(f, TIMESTAMP_UDW) != high)
		return timestamp(f);
	return high << 32 | low;
}

static void timestamp_test(void **state)
{
	struct fixture *f = *state;
	u64 outer = now_ns(), first = timestamp(f), inner = now_ns();
	u64 ticks;

	usleep(50000);
	inner = now_ns() - inner;
	ticks = timestamp(f) - first;
	outer = now_ns() - outer;
	assert_in_range(ticks, inner * 12 / 1000 - 1, outer * 12 / 1000 + 1);
	assert_int_equal(timestamp(f) >> 36, 0);

	/* Neither a write nor a reset turns it back. */
	wr(f, TIMESTAMP, 0);
	gm_engine_reset(f->engine);
	assert_true(timestamp(f) > first + ticks);
}

static void context_timestamp_test(void **state)
{
	static const u32 starts[] = { 0, 0x7fffffff, 0x80000000, 0xffffffff, 12345 };
	struct fixture *f = *state;
	unsigned int i;
	u32 saved;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		set_image(f, 0, IMAGE_TIMESTAMP, starts[i]);
		store(f, DATA(0), 0);
		emit_wait(f, 0, DATA(0));
		emit_store_reg(f, 0, f->base + CTX_TIMESTAMP, DATA(1));
		submit(f, desc(0), 0);
		expect_event(f, 0x1, 0);
		wait_until(rd(f, CTL) & 0x400);
		usleep(1000);
		store(f, DATA(0), 1);
		expect_event(f, 0x18, 0x100);
		/* It went on from the image, ran for a millisecond at least, and was saved. */
		saved = image(f, 0, IMAGE_TIMESTAMP);
		assert_true((s32)(load(f, DATA(1)) - starts[i]) >= 12000);
		assert_true((s32)(saved - load(f, DATA(1))) >= 0);
		assert_true(saved - starts[i] < 12000u * 10000);
	}
	/* Now it stands still. */
	saved = rd(f, CTX_TIMESTAMP);
	usleep(1000);
	assert_int_equal(rd(f, CTX_TIMESTAMP), saved);
	assert_no_misuse(f);
}

/* One page at @va by a 4-level table whose pages start at @table; returns the PML4. */
static u32 make_ppgtt(struct fixture *f, u32 table, u64 va, u32 page, unsigned int levels)
{
	unsigned int level;

	for (level = levels; level > 0; level--) {
		u32 at = table + (levels - level) * 4096;
		u32 next = level > 1 ? at + 4096 : page;
		u32 entry = at + 8 * (u32)(va >> (12 + 9 * (level - 1)) & 511);

		memset(f->ram + at, 0, 4096);
		store(f, entry, next | 3);
	}
	return table;
}

static void four_level_ppgtt_test(void **state)
{
	struct fixture *f = *state;
	const u64 va = 0x123456789000;

	make_context(f, 0);
	set_image(f, 0, 0x33, make_ppgtt(f, 0x390000, va, BATCH(3), 4));
	/* A non-privileged batch in the PPGTT that stores behind itself. */
	memcpy(f->ram + BATCH(3), (const u32[]) {
		0x10000002, (u32)va + 0x800, va >> 32, 0x44, BATCH_END
	}, 20);
	EMIT(f, 0, 0x18800101, (u32)va, va >> 32, NOOP);
	submit(f, desc(0) | 0x100, 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, BATCH(3) + 0x800), 0x44);
	assert_no_misuse(f);
}

/* One address, two contexts, two pages: what one has cached is not the other's. */
static void two_address_spaces_test(void **state)
{
	struct fixture *f = *state;
	const u32 va = 0x7654000;
	u32 n, round;

	for (n = 0; n < 2; n++)
		set_image(f, n, 0x33, make_ppgtt(f, 0x390000 + n * 0x8000, va, BATCH(n), 4));
	for (round = 0; round < 3; round++) {
		for (n = 0; n < 2; n++)
			EMIT(f, n, 0x10000002, va + 4 * round, 0, 0x100 * n + round + 1);
		submit(f, desc(0) | 0x100, desc(1) | 0x100);
		expect_event(f, 0x1, 0);
		expect_event(f, 0x14, 0x100);
		expect_event(f, 0x18, 0x101);
		for (n = 0; n < 2; n++)
			assert_int_equal(load(f, BATCH(n) + 4 * round), 0x100 * n + round + 1);
	}
	assert_no_misuse(f);
}

/* As i915 does for 3-level contexts: the directories come by commands. */
static void pdps_by_command_test(void **state)
{
	struct fixture *f = *state;
	const u32 va = 0x40203000;
	const u64 three_level = (desc(0) & ~0x18ull) | 0x108;

	make_context(f, 0);
	make_ppgtt(f, 0x390000, va, BATCH(3), 2);
	memcpy(f->ram + BATCH(3), (const u32[]) {
		0x10000002, va + 0x800, 0, 0x33, BATCH_END
	}, 20);
	/* Page directory 1 covers the second GiB. */
	EMIT(f, 0, 0x11001003, f->base + 0x27c, 0, f->base + 0x278, 0x390000);
	/* PIPE_CONTROL with TLB invalidation, as a driver has to. */
	EMIT(f, 0, 0x7a000004, 0x00140000, 0, 0, 0, 0);
	EMIT(f, 0, 0x18800101, va, 0);
	submit(f, three_level, 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, BATCH(3) + 0x800), 0x33);
	assert_int_equal(image(f, 0, 0x2f), 0x390000);
	assert_no_misuse(f);
}

static void legacy_ring_test(void **state)
{
	struct fixture *f = *state;

	wr(f, GFX_MODE, 0x80000000);
	emit_store(f, 0, DATA(0), 9);
	emit_store(f, 0, DATA(1), 8);
	wr(f, START, RING(0));
	wr(f, HEAD, 0);
	wr(f, TAIL, 0);
	wr(f, CTL, (RING_BYTES - 0x1000) | 1);
	wait_idle(f);
	wr(f, TAIL, 16);
	wait_until(rd(f, HEAD) == 16);
	assert_int_equal(load(f, DATA(0)), 9);
	assert_int_equal(load(f, DATA(1)), 0);
	wr(f, TAIL, 32);
	wait_until(rd(f, HEAD) == 32);
	assert_int_equal(load(f, DATA(1)), 8);
	wait_idle(f);
	expect_no_event(f);
	assert_no_misuse(f);
}

static u64 cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (u64)ts.tv_sec * 1000000000ull + (u64)ts.tv_nsec;
}

/* A spinning batch and a semaphore that is waited for leave the processor to others. */
static void waiting_is_cheap_test(void **state)
{
	struct fixture *f = *state;
	u64 start, busy;
	unsigned int i;

	make_spin(f, 0, ARB_CHECK);
	for (i = 0; i < 2; i++) {
		store(f, DATA(0), 0);
		if (i)
			emit_wait(f, 0, DATA(0));
		else
			emit_batch(f, 0, BATCH(0));
		submit(f, desc(0), 0);
		expect_event(f, 0x1, 0);
		usleep(20000);
		start = cpu_ns();
		busy = counted(f, GM_ENGINE_BUSY_NS);
		usleep(200000);
		assert_true(cpu_ns() - start < 100000000);
		/* Busy it is all the same. */
		assert_true(counted(f, GM_ENGINE_BUSY_NS) - busy > 100000000);
		stop_batch(f, 0);
		store(f, DATA(0), 1);
		expect_event(f, 0x18, 0x100);
	}
	/* Idle is not busy. */
	wait_idle(f);
	usleep(20000);
	busy = counted(f, GM_ENGINE_BUSY_NS);
	usleep(20000);
	assert_int_equal(counted(f, GM_ENGINE_BUSY_NS), busy);
	assert_no_misuse(f);
}

static void speed_test(void **state)
{
	static const u32 noops[500];
	struct fixture *f = *state;
	u64 start;

	gm_engine_set_speed(f->engine, 100000);
	emit(f, 0, noops, 500);
	start = now_ns();
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_true(now_ns() - start >= 500 * 100000 * 8ull / 10);
	gm_engine_set_speed(f->engine, 0);
	assert_no_misuse(f);
}

static void state_line_test(void **state)
{
	struct fixture *f = *state;
	char line[200], shorter[10];

	gm_engine_state(f->engine, line, sizeof(line));
	assert_non_null(strstr(line, "idle"));
	make_spin(f, 0, NOOP);
	emit_batch(f, 0, BATCH(0));
	submit(f, desc(0), 0);
	submit(f, desc(1), 0);
	gm_engine_state(f->engine, line, sizeof(line));
	assert_non_null(strstr(line, "busy context 00000100:00010019 +pending"));
	gm_engine_state(f->engine, shorter, sizeof(shorter));
	assert_int_equal(strlen(shorter), 9);
}

/* Threads that do whatever software may do at any time. */
struct storm {
	_Atomic bool stop;
	_Atomic u64 rounds;
	struct fixture *f;
};

static void *storm_registers(void *arg)
{
	struct storm *storm = arg;
	struct fixture *f = storm->f;
	u32 reg = 0, sum = 0;

	while (!atomic_load(&storm->stop)) {
		reg = (reg + 4) & 0xffc;
		sum += rd(f, reg);
		gm_engine_signal(f->engine, 0x100);
		if (!(reg & 0x3c))
			gm_engine_invalidate_tlb(f->engine);
		atomic_fetch_add(&storm->rounds, 1);
	}
	return (void *)(uintptr_t)sum;
}

static void *storm_control(void *arg)
{
	struct storm *storm = arg;
	struct fixture *f = storm->f;
	unsigned int i = 0;

	while (!atomic_load(&storm->stop)) {
		wr(f, MI_MODE, 0x01000100);
		wr(f, EIR, 0xffffffff);
		wr(f, MI_MODE, 0x01000000);
		wr(f, RESET_CTL, 0x00010001);
		if (++i % 8 == 0)
			gm_engine_reset(f->engine);
		wr(f, RESET_CTL, 0x00010000);
		wr(f, GFX_MODE, 0x80008000);
		wr(f, HWS_PGA, HWSP);
		usleep(300);
	}
	return NULL;
}

static void storm_test(void **state)
{
	struct fixture *f = *state;
	struct storm storm = { .f = f };
	u64 until = now_ns() + 400000000;
	pthread_t thread[3];
	unsigned int i, n;

	for (n = 0; n < 8; n++) {
		make_spin(f, n, ARB_CHECK);
		emit_store(f, n, DATA(n), n);
		EMIT(f, n, ARB_CHECK, NOOP);
		emit_batch(f, n, BATCH(n));
	}
	assert_int_equal(pthread_create(&thread[0], NULL, storm_registers, &storm), 0);
	assert_int_equal(pthread_create(&thread[1], NULL, storm_registers, &storm), 0);
	assert_int_equal(pthread_create(&thread[2], NULL, storm_control, &storm), 0);
	for (i = 0; now_ns() < until; i++) {
		submit(f, desc(i % 8), desc((i + 1 + i % 3) % 8));
		usleep(100);
	}
	atomic_store(&storm.stop, true);
	for (i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	assert_true(atomic_load(&storm.rounds) > 100);

	/* And it still works. */
	gm_engine_reset(f->engine);
	enable(f);
	make_context(f, 0);
	emit_store(f, 0, DATA(0), 0x77);
	submit(f, desc(0), 0);
	expect_event(f, 0x1, 0);
	expect_event(f, 0x18, 0x100);
	assert_int_equal(load(f, DATA(0)), 0x77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(masked_write_test),
		TEST(read_only_test),
		TEST(timestamp_test),
		TEST(context_timestamp_test),
		TEST(four_level_ppgtt_test),
		TEST(two_address_spaces_test),
		TEST(pdps_by_command_test),
		TEST(legacy_ring_test),
		TEST(waiting_is_cheap_test),
		TEST(speed_test),
		TEST(state_line_test),
		TEST(storm_test),
		BLITTER_TEST(storm_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
