// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the virtual port. Sequences are judged by literal CSB entries and by
 * a driver that keeps track of its two ports from CSB entries alone, the way
 * i915 does: one lost, repeated or wrong entry makes it lose count.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "csb.h"

#define IDLE_TO_ACTIVE	0x0001
#define PREEMPTED	0x0002
#define LITE_RESTORE	0x8002
#define ELEMENT_SWITCH	0x0014
#define TO_IDLE		0x0018
#define RANDOM_ROUNDS	200000

static u64 random_state;

static u64 rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static int setup(void **state)
{
	random_state = 0x9e3779b97f4a7c15;
	*state = calloc(1, sizeof(struct gvirt_csb));
	if (!*state)
		return -1;
	memset(*state, 0xa5, sizeof(struct gvirt_csb));
	gvirt_csb_reset(*state);
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

/* A context by its number; 0 is "none". Valid, 48 bits, with a PPGTT. */
static struct gvirt_desc context(unsigned int n)
{
	if (!n)
		return (struct gvirt_desc){};
	return (struct gvirt_desc){ .lo = n << 16 | 0x119, .hi = 0x1000 + n };
}

static struct gvirt_desc_list list_of(unsigned int first, unsigned int second)
{
	return (struct gvirt_desc_list){ .element = { context(first), context(second) } };
}

static enum gvirt_csb_action submit(struct gvirt_csb *csb, unsigned int first, unsigned int second)
{
	struct gvirt_desc_list list = list_of(first, second);
	struct gvirt_csb_out out = gvirt_csb_submit(csb, &list);

	assert_int_equal(out.count, 0);
	return out.action;
}

/* Exactly one entry, of context @n (0: id 0), in the slot after the last. */
static enum gvirt_csb_action entry(struct gvirt_csb *csb, struct gvirt_csb_out out,
				   unsigned int slot, u32 events, unsigned int n)
{
	u64 want = (u64)(n ? 0x1000 + n : 0) << 32 | events;

	assert_int_equal(out.count, 1);
	assert_int_equal(out.slot[0], slot);
	assert_int_equal(csb->write, slot);
	assert_int_equal(csb->entry[slot], want);
	return out.action;
}

static void test_one_context(void **state)
{
	struct gvirt_csb *csb = *state;

	assert_int_equal(submit(csb, 1, 0), GVIRT_CSB_START);
	assert_int_equal(entry(csb, gvirt_csb_started(csb), 0, IDLE_TO_ACTIVE, 0),
			 GVIRT_CSB_NONE);
	assert_int_equal(entry(csb, gvirt_csb_completed(csb), 1, TO_IDLE, 1), GVIRT_CSB_NONE);
	assert_null(gvirt_csb_current(csb));
}

static void test_two_elements(void **state)
{
	struct gvirt_csb *csb = *state;

	submit(csb, 1, 2);
	entry(csb, gvirt_csb_started(csb), 0, IDLE_TO_ACTIVE, 0);
	assert_int_equal(entry(csb, gvirt_csb_completed(csb), 1, ELEMENT_SWITCH, 1),
			 GVIRT_CSB_CONTINUE);
	assert_int_equal(gvirt_csb_current(csb)->hi, 0x1002);
	assert_int_equal(entry(csb, gvirt_csb_completed(csb), 2, TO_IDLE, 2), GVIRT_CSB_NONE);
}

static void test_lite_restore(void **state)
{
	struct gvirt_csb *csb = *state;

	submit(csb, 1, 2);
	entry(csb, gvirt_csb_started(csb), 0, IDLE_TO_ACTIVE, 0);
	assert_int_equal(submit(csb, 1, 3), GVIRT_CSB_LITE_RESTORE);
	assert_int_equal(entry(csb, gvirt_csb_preempted(csb), 1, LITE_RESTORE, 1),
			 GVIRT_CSB_NONE);
	assert_int_equal(entry(csb, gvirt_csb_completed(csb), 2, ELEMENT_SWITCH, 1),
			 GVIRT_CSB_CONTINUE);
	assert_int_equal(gvirt_csb_current(csb)->hi, 0x1003);
}

static void test_lite_restore_of_second_element(void **state)
{
	struct gvirt_csb *csb = *state;

	submit(csb, 1, 2);
	entry(csb, gvirt_csb_started(csb), 0, IDLE_TO_ACTIVE, 0);
	entry(csb, gvirt_csb_completed(csb), 1, ELEMENT_SWITCH, 1);
	assert_int_equal(submit(csb, 2, 0), GVIRT_CSB_LITE_RESTORE);
	entry(csb, gvirt_csb_preempted(csb), 2, LITE_RESTORE, 2);
}

static void test_forced_restore_is_no_lite_restore(void **state)
{
	struct gvirt_csb *csb = *state;
	struct gvirt_desc_list list = list_of(1, 0);

	submit(csb, 1, 0);
	entry(csb, gvirt_csb_started(csb), 0, IDLE_TO_ACTIVE, 0);
	list.element[0].lo |= 4;
	assert_int_equal(gvirt_csb_submit(csb, &list).action, GVIRT_CSB_PREEMPT);
	entry(csb, gvirt_csb_preempted(csb), 1, PREEMPTED, 1);
}

static void test_preemption(void **state)
{
	struct gvirt_csb *csb = *state;

	submit(csb, 1, 2);
	entry(csb, gvirt_csb_started(csb), 0, IDLE_TO_ACTIVE, 0);
	assert_int_equal(submit(csb, 3, 1), GVIRT_CSB_PREEMPT);
	assert_int_equal(gvirt_csb_waiting(csb)->element[0].hi, 0x1003);
	entry(csb, gvirt_csb_preempted(csb), 1, PREEMPTED, 1);
	assert_null(gvirt_csb_waiting(csb));
	assert_int_equal(gvirt_csb_current(csb)->hi, 0x1003);
}

/* The running one ends before it could be preempted. */
static void test_completion_wins_the_race(void **state)
{
	struct gvirt_csb *csb = *state;

	submit(csb, 1, 2);
	entry(csb, gvirt_csb_started(csb), 0, IDLE_TO_ACTIVE, 0);
	submit(csb, 2, 0);
	assert_int_equal(entry(csb, gvirt_csb_completed(csb), 1, ELEMENT_SWITCH, 1),
			 GVIRT_CSB_LITE_RESTORE);
	assert_int_equal(entry(csb, gvirt_csb_completed(csb), 2, TO_IDLE, 2), GVIRT_CSB_START);
	assert_int_equal(gvirt_csb_current(csb)->hi, 0x1002);
	entry(csb, gvirt_csb_started(csb), 3, IDLE_TO_ACTIVE, 0);
	entry(csb, gvirt_csb_completed(csb), 4, TO_IDLE, 2);
}

/* The chip has room for two lists; a driver may use it before it sees an event. */
static void test_two_lists_before_the_first_event(void **state)
{
	struct gvirt_csb *csb = *state;

	assert_int_equal(submit(csb, 1, 0), GVIRT_CSB_START);
	assert_int_equal(submit(csb, 2, 0), GVIRT_CSB_NONE);
	assert_int_equal(submit(csb, 3, 0), GVIRT_CSB_FULL);
	assert_int_equal(entry(csb, gvirt_csb_started(csb), 0, IDLE_TO_ACTIVE, 0),
			 GVIRT_CSB_PREEMPT);
	entry(csb, gvirt_csb_preempted(csb), 1, PREEMPTED, 1);
	assert_int_equal(gvirt_csb_current(csb)->hi, 0x1002);
}

static void test_wrap_after_six(void **state)
{
	struct gvirt_csb *csb = *state;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		submit(csb, 1, 0);
		entry(csb, gvirt_csb_started(csb), 2 * i % 6, IDLE_TO_ACTIVE, 0);
		entry(csb, gvirt_csb_completed(csb), (2 * i + 1) % 6, TO_IDLE, 1);
	}
}

static void test_nonsense_changes_nothing(void **state)
{
	struct gvirt_csb *csb = *state;
	struct gvirt_csb before = *csb;

	assert_int_equal(gvirt_csb_started(csb).action, GVIRT_CSB_NONSENSE);
	assert_int_equal(gvirt_csb_completed(csb).action, GVIRT_CSB_NONSENSE);
	assert_int_equal(gvirt_csb_preempted(csb).action, GVIRT_CSB_NONSENSE);
	assert_int_equal(submit(csb, 0, 1), GVIRT_CSB_EMPTY);
	assert_memory_equal(&before, csb, sizeof(before));
	submit(csb, 1, 0);
	assert_int_equal(gvirt_csb_completed(csb).action, GVIRT_CSB_NONSENSE);
	entry(csb, gvirt_csb_started(csb), 0, IDLE_TO_ACTIVE, 0);
	assert_int_equal(gvirt_csb_started(csb).action, GVIRT_CSB_NONSENSE);
	assert_int_equal(gvirt_csb_preempted(csb).action, GVIRT_CSB_NONSENSE);
}

static void test_status_register(void **state)
{
	struct gvirt_csb *csb = *state;

	/* Idle: arbitration on, list 1 is written next. */
	assert_int_equal(gvirt_csb_status(csb), 0x10002);
	submit(csb, 1, 2);
	/* List 1 is valid and current, not active yet. */
	assert_int_equal(gvirt_csb_status(csb), 0x10009);
	entry(csb, gvirt_csb_started(csb), 0, IDLE_TO_ACTIVE, 0);
	/* Active, first element, reason 1. */
	assert_int_equal(gvirt_csb_status(csb), 0x100100034029);
	submit(csb, 3, 0);
	assert_int_equal(gvirt_csb_status(csb), 0x10010003403d);
	entry(csb, gvirt_csb_completed(csb), 1, ELEMENT_SWITCH, 1);
	assert_int_equal(gvirt_csb_status(csb), 0x10020003829d);
	entry(csb, gvirt_csb_preempted(csb), 2, PREEMPTED, 2);
	assert_int_equal(gvirt_csb_status(csb), 0x100300054052);
}

static void test_pointer_register(void **state)
{
	struct gvirt_csb *csb = *state;

	assert_int_equal(gvirt_csb_pointer(csb), 0x505);
	gvirt_csb_write_pointer(csb, 0x07000300);
	assert_int_equal(gvirt_csb_pointer(csb), 0x305);
	gvirt_csb_write_pointer(csb, 0x00000000);
	assert_int_equal(gvirt_csb_pointer(csb), 0x305);
	gvirt_csb_write_pointer(csb, 0xffff0202);
	assert_int_equal(gvirt_csb_pointer(csb), 0x202);
	submit(csb, 1, 0);
	entry(csb, gvirt_csb_started(csb), 3, IDLE_TO_ACTIVE, 0);
	gvirt_csb_write_pointer(csb, 0xffffffff);
	entry(csb, gvirt_csb_completed(csb), 0, TO_IDLE, 1);
}

/* A state with one byte of its struct changed, by the byte's offset. */
static bool sane_with(const struct gvirt_csb *csb, size_t offset, u8 value)
{
	struct gvirt_csb changed = *csb;

	memcpy((u8 *)&changed + offset, &value, 1);
	return gvirt_csb_sane(&changed);
}

static void test_sane(void **state)
{
	struct gvirt_csb *csb = *state;
	struct gvirt_csb bad;

	assert_true(gvirt_csb_sane(csb));
	submit(csb, 1, 0);
	submit(csb, 2, 0);
	assert_true(gvirt_csb_sane(csb));
	assert_true(sane_with(csb, offsetof(struct gvirt_csb, write), 5));
	assert_false(sane_with(csb, offsetof(struct gvirt_csb, write), 6));
	assert_false(sane_with(csb, offsetof(struct gvirt_csb, element), 2));
	assert_false(sane_with(csb, offsetof(struct gvirt_csb, element), 3));
	assert_false(sane_with(csb, offsetof(struct gvirt_csb, element), 0));
	assert_false(sane_with(csb, offsetof(struct gvirt_csb, current_list), 2));
	assert_false(sane_with(csb, offsetof(struct gvirt_csb, read), 8));
	assert_false(sane_with(csb, offsetof(struct gvirt_csb, reason) + 1, 2));
	bad = *csb;
	bad.list[!bad.current_list].element[0].lo = 0;
	assert_false(gvirt_csb_sane(&bad));
}

/* A driver in the manner of i915: ids of what runs, and of what it submitted after. */
struct driver {
	u32 active[3];
	u32 pending[3];
	unsigned int head;
};

static void driver_read(struct driver *driver, const struct gvirt_csb *csb)
{
	u64 event;

	while (driver->head != (gvirt_csb_pointer(csb) & 7)) {
		driver->head = driver->head == 5 ? 0 : driver->head + 1;
		event = csb->entry[driver->head];
		if (event & 3) {
			assert_int_not_equal(driver->pending[0], 0);
			memcpy(driver->active, driver->pending, sizeof(driver->active));
			memset(driver->pending, 0, sizeof(driver->pending));
		} else {
			assert_int_not_equal(driver->active[0], 0);
			assert_int_equal(event >> 32, driver->active[0]);
			driver->active[0] = driver->active[1];
			driver->active[1] = 0;
		}
	}
}

static void driver_submit(struct driver *driver, struct gvirt_csb *csb)
{
	unsigned int first = 1 + rnd() % 4;
	unsigned int second = rnd() % 5;

	if (driver->pending[0])
		return;
	second = second == first ? 0 : second;
	driver->pending[0] = 0x1000 + first;
	driver->pending[1] = second ? 0x1000 + second : 0;
	assert_int_not_equal(submit(csb, first, second), GVIRT_CSB_FULL);
}

static struct gvirt_csb_out random_event(struct gvirt_csb *csb)
{
	switch (rnd() % 3) {
	case 0:
		return gvirt_csb_started(csb);
	case 1:
		return gvirt_csb_completed(csb);
	default:
		return gvirt_csb_preempted(csb);
	}
}

static void test_driver_never_loses_count(void **state)
{
	struct gvirt_csb *csb = *state;
	struct driver driver = { .head = 5 };
	unsigned int events = 0;
	unsigned int i;

	for (i = 0; i < RANDOM_ROUNDS; i++) {
		if (rnd() % 2)
			driver_submit(&driver, csb);
		events += random_event(csb).count;
		assert_true(gvirt_csb_sane(csb));
		/* Late, but before the buffer is overrun. */
		if (rnd() % 4 == 0 || events >= 4) {
			driver_read(&driver, csb);
			events = 0;
			if (csb->started)
				assert_int_equal(driver.active[0], gvirt_csb_current(csb)->hi);
			else
				assert_int_equal(driver.active[0], 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_context, setup, teardown),
		cmocka_unit_test_setup_teardown(test_two_elements, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lite_restore, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lite_restore_of_second_element, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_forced_restore_is_no_lite_restore, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_preemption, setup, teardown),
		cmocka_unit_test_setup_teardown(test_completion_wins_the_race, setup, teardown),
		cmocka_unit_test_setup_teardown(test_two_lists_before_the_first_event, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_wrap_after_six, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nonsense_changes_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_status_register, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pointer_register, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sane, setup, teardown),
		cmocka_unit_test_setup_teardown(test_driver_never_loses_count, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
