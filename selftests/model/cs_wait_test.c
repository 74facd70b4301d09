// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands that wait: semaphores, events of the display, and contexts that leave
 * instead of waiting.
 */
#include <linux/array_size.h>
#include "cs_fixture.h"

/* Semaphores. */

static void semaphore_compares(void **state)
{
	static const struct {
		u32 op;
		bool less, equal, greater;	/* memory against data */
	} cases[] = {
		{ GEN9_MI_SEMAPHORE_SAD_GT_SDD, false, false, true },
		{ GEN9_MI_SEMAPHORE_SAD_GTE_SDD, false, true, true },
		{ GEN9_MI_SEMAPHORE_SAD_LT_SDD, true, false, false },
		{ GEN9_MI_SEMAPHORE_SAD_LTE_SDD, true, true, false },
		{ GEN9_MI_SEMAPHORE_SAD_EQ_SDD, false, true, false },
		{ GEN9_MI_SEMAPHORE_SAD_NEQ_SDD, true, false, true },
		{ 6, false, false, false },
	};
	const u32 data = 0x80000000;
	struct fixture *f = *state;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		const bool expected[] = { cases[i].less, cases[i].equal, cases[i].greater };

		for (k = 0; k < 3; k++) {
			fixture_start(f);
			*global(f, DATA) = data - 1 + k;
			EMIT(f, SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT | GEN9_MI_SEMAPHORE_POLL |
					  COMPARE(cases[i].op), DATA, data));
			assert_int_equal(run(f), expected[k] ? GM_CS_IDLE : GM_CS_WAIT);
		}
	}
}

static void semaphore_waits_and_goes_on(void **state)
{
	struct fixture *f = *state;

	EMIT(f, SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT | GEN9_MI_SEMAPHORE_POLL |
			  COMPARE(GEN9_MI_SEMAPHORE_SAD_GTE_SDD), DATA, 1),
	     LRI(OTHER_REG, 8));
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_true(f->cs->preempt_point);
	assert_int_equal(f->interrupts, GM_IRQ_WAIT_SEMAPHORE);
	assert_true(gm_cs_reg(f->cs, GEN9_RING_CTL) & GEN9_RING_CTL_WAIT_SEMAPHORE);
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_int_equal(f->interrupt_count, 1);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD), 0);
	*global(f, DATA) = 1;
	run_all(f);
	assert_int_equal(f->registers[OTHER_REG / 4], 8);
	assert_false(gm_cs_reg(f->cs, GEN9_RING_CTL) & GEN9_RING_CTL_WAIT_SEMAPHORE);
}

static void each_wait_interrupts(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		EMIT(f, SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT | GEN9_MI_SEMAPHORE_POLL |
				  COMPARE(GEN9_MI_SEMAPHORE_SAD_EQ_SDD), DATA, i + 1));
		assert_int_equal(run(f), GM_CS_WAIT);
		assert_int_equal(f->interrupt_count, i + 1);
		*global(f, DATA) = i + 1;
	}
	run_all(f);
}

static void semaphore_without_arbitration_is_no_preemption_point(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_ARB_ON_OFF, SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT, DATA, 1));
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_false(f->cs->preempt_point);
}

static void commands_behind_a_wait_are_fetched_afterwards(void **state)
{
	struct fixture *f = *state;

	PUT(global(f, BATCH), SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT | GEN9_MI_SEMAPHORE_POLL, DATA, 1),
	    LRI(OTHER_REG, 1), GEN9_MI_BATCH_BUFFER_END);
	EMIT(f, BATCH_START(0, BATCH));
	assert_int_equal(run(f), GM_CS_WAIT);
	*global(f, BATCH + 24) = 2;
	*global(f, DATA) = 2;
	run_all(f);
	assert_int_equal(f->registers[OTHER_REG / 4], 2);
}

static void semaphore_polls_a_register(void **state)
{
	struct fixture *f = *state;

	EMIT(f, SEMAPHORE(GEN9_MI_SEMAPHORE_REGISTER | COMPARE(GEN9_MI_SEMAPHORE_SAD_EQ_SDD),
			  OTHER_REG, 7));
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_false(f->cs->preempt_point);
	assert_int_equal(f->interrupts, 0);
	f->registers[OTHER_REG / 4] = 7;
	run_all(f);
}

static void semaphore_signal_names_its_target(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_SEMAPHORE_SIGNAL | 3u << 15 | LEN(2), 0x12345678);
	run_all(f);
	assert_int_equal(f->signals, 1);
	assert_int_equal(f->signal_target, 3);
	assert_int_equal(f->signal_context, 0x12345678);
}

/* In signal mode memory is looked at when the wait begins, and then once for each signal. */
static void signal_mode_waits_for_signals(void **state)
{
	struct fixture *f = *state;

	EMIT(f, SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT | COMPARE(GEN9_MI_SEMAPHORE_SAD_EQ_SDD), DATA, 2),
	     LRI(OTHER_REG, 8));
	f->cs->signalled = true;	/* it came too early */
	assert_int_equal(run(f), GM_CS_WAIT);
	*global(f, DATA) = 1;
	f->cs->signalled = true;
	assert_int_equal(run(f), GM_CS_WAIT);
	*global(f, DATA) = 2;
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_true(f->cs->preempt_point);
	assert_int_equal(f->interrupt_count, 1);
	f->cs->signalled = true;
	run_all(f);
	assert_int_equal(f->registers[OTHER_REG / 4], 8);
	assert_false(gm_cs_reg(f->cs, GEN9_RING_CTL) & GEN9_RING_CTL_WAIT_SEMAPHORE);
}

/* Without a display; but no flip is pending, so nothing waits for one. */
static void event_never_comes(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_WAIT_FOR_EVENT,
	     GEN9_MI_WAIT_FOR_EVENT | GEN9_MI_WAIT_FLIP_PLANE_1 | GEN9_MI_WAIT_FLIP_PLANE_12);
	run_all(f);
	EMIT(f, GEN9_MI_WAIT_FOR_EVENT | GEN9_MI_WAIT_VBLANK_A);
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_true(f->cs->preempt_point);
	assert_true(gm_cs_reg(f->cs, GEN9_RING_CTL) & GEN9_RING_CTL_WAIT);
	assert_int_equal(f->interrupts, 0);
}

static void event_ends_its_wait(void **state)
{
	const u32 events = GEN9_MI_WAIT_VBLANK_B | GEN9_MI_WAIT_SCAN_LINE_C;
	struct fixture *f = *state;

	fixture_display(f);
	EMIT(f, GEN9_MI_WAIT_FOR_EVENT | events, LRI(OTHER_REG, 8));
	f->events = ~events;
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_int_equal(f->since, 0);
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_true(f->since == TIMESTAMP);
	assert_true(gm_cs_reg(f->cs, GEN9_RING_CTL) & GEN9_RING_CTL_WAIT);
	f->events = GEN9_MI_WAIT_SCAN_LINE_C;
	run_all(f);
	assert_int_equal(f->registers[OTHER_REG / 4], 8);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_CTL) & GEN9_RING_CTL_WAIT, 0);

	/* The next wait counts from its own beginning. */
	EMIT(f, GEN9_MI_WAIT_FOR_EVENT | GEN9_MI_WAIT_SCAN_LINE_C);
	run_all(f);
	assert_int_equal(f->since, 0);
}

static void scan_lines_are_loaded(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_LOAD_SCAN_LINES_INCL, 0x00100020);
	run_all(f);
	assert_int_equal(f->scan_lines[0], 0);

	fixture_display(f);
	EMIT(f, GEN9_MI_LOAD_SCAN_LINES_INCL, 0x00100020,
	     GEN9_MI_LOAD_SCAN_LINES_EXCL | 1u << 19, 0x01110222,
	     GEN9_MI_LOAD_SCAN_LINES_INCL | 4u << 19, 0xe333e444,
	     GEN9_MI_LOAD_SCAN_LINES_INCL | 2u << 19, 0x00050006,
	     GEN9_MI_LOAD_SCAN_LINES_INCL | 5u << 19, 0x00050006);
	run_all(f);
	assert_int_equal(f->scan_lines[0], 0x80100020);
	assert_int_equal(f->scan_lines[1], 0x01110222);
	assert_int_equal(f->scan_lines[2], 0x83330444);
	assert_int_equal(atomic_load(&f->stats.counter[GM_COUNT_SKIPPED_COMMAND]), 3);
}

/* Synchronous context switches, which drivers inhibit. */

static void allow_switches(struct fixture *f)
{
	fixture_start(f);
	gm_cs_set(f->cs, GEN9_RING_CONTEXT_CONTROL, 0);
	f->interrupts = 0;
}

static void wait_makes_context_leave(void **state)
{
	const u32 equal = COMPARE(GEN9_MI_SEMAPHORE_SAD_EQ_SDD);
	const struct {
		u32 cmd[4], reason;
	} cases[] = {
		{ { SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT | equal, DATA, 1) }, 0x080 },
		{ { SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT | GEN9_MI_SEMAPHORE_POLL | equal, DATA, 1) },
		  0x880 },
		{ { GEN9_MI_WAIT_FOR_EVENT | GEN9_MI_WAIT_VBLANK_C }, 0x040 },
		{ { GEN9_MI_WAIT_FOR_EVENT | GEN9_MI_WAIT_SCAN_LINE_A }, 0x100 },
	};
	struct fixture *f = *state;
	unsigned int i;

	fixture_display(f);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		allow_switches(f);
		f->events = 0;
		*global(f, DATA) = 0;
		emit(f, cases[i].cmd, 4);
		assert_int_equal(run(f), GM_CS_LEAVE);
		assert_int_equal(f->cs->leave_reason, cases[i].reason);
		assert_int_equal(f->interrupts, 0);
		assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_CTL) & 0xc00, 0);
		assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD), 0);
		/* The context is back, and finds the wait as it left it. */
		assert_int_equal(run(f), GM_CS_LEAVE);
		f->events = ~0u;
		*global(f, DATA) = 1;
		run_all(f);
		assert_true(!f->since || f->since == TIMESTAMP);
	}
	assert_true(f->since == TIMESTAMP);
}

static void wait_keeps_context(struct fixture *f)
{
	EMIT(f, SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT | COMPARE(GEN9_MI_SEMAPHORE_SAD_EQ_SDD), DATA, 1));
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_true(gm_cs_reg(f->cs, GEN9_RING_CTL) & GEN9_RING_CTL_WAIT_SEMAPHORE);
}

static void nothing_leaves_where_it_must_not(void **state)
{
	struct fixture *f = *state;

	allow_switches(f);
	gm_cs_set(f->cs, GEN9_RING_GFX_MODE, 0);
	wait_keeps_context(f);
	assert_int_equal(f->interrupts, GM_IRQ_WAIT_SEMAPHORE);

	allow_switches(f);
	EMIT(f, GEN9_MI_ARB_ON_OFF, GEN9_MI_NOOP);
	wait_keeps_context(f);

	/* Polling a register cannot be left. */
	allow_switches(f);
	EMIT(f, SEMAPHORE(GEN9_MI_SEMAPHORE_REGISTER | GEN9_MI_SEMAPHORE_POLL |
			  COMPARE(GEN9_MI_SEMAPHORE_SAD_EQ_SDD), OTHER_REG, 7));
	assert_int_equal(run(f), GM_CS_WAIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RCS_TEST(semaphore_compares),
		RCS_TEST(semaphore_waits_and_goes_on),
		RCS_TEST(each_wait_interrupts),
		RCS_TEST(semaphore_without_arbitration_is_no_preemption_point),
		RCS_TEST(commands_behind_a_wait_are_fetched_afterwards),
		RCS_TEST(semaphore_polls_a_register),
		RCS_TEST(semaphore_signal_names_its_target),
		RCS_TEST(signal_mode_waits_for_signals),
		RCS_TEST(event_never_comes),
		RCS_TEST(event_ends_its_wait),
		RCS_TEST(scan_lines_are_loaded),
		RCS_TEST(wait_makes_context_leave),
		RCS_TEST(nothing_leaves_where_it_must_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
