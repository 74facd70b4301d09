// SPDX-License-Identifier: GPL-2.0-only
/*
 * The execlist unit: scripted submissions against the events and status that
 * the manual and the driver expect. Expected values are written as numbers, as
 * a driver's log shows them, not through the names that the unit uses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <linux/array_size.h>
#include "execlist.h"
#include <cmocka.h>

/* Legacy 48-bit contexts with a PPGTT: valid, mode 3, bit 8. */
#define DESC(id, lrca)	((u64)(id) << 32 | (lrca) | 0x119)
#define FORCE		0x4ull
#define A		DESC(0x11, 0x00100000)
#define B		DESC(0x22, 0x00200000)
#define C		DESC(0x33, 0x00300000)
#define D		DESC(0x44, 0x00400000)

enum op {
	END,
	SUBMIT,		/* [first, second]; expects the result */
	TAKE,		/* expects step, status and id of the event */
	LEAVE,		/* [reason]; expects status and id of the event */
	RUNS,		/* expects what runs */
	STEP,		/* expects the step */
};

struct line {
	enum op op;
	u64 a;
	u64 b;
	u32 expect;
	u32 id;
};

#define SUBMITS(first, second, result) \
	{ .op = SUBMIT, .a = (first), .b = (second), .expect = GM_SUBMIT_##result }
#define TAKES(status, context)	{ .op = TAKE, .expect = (status), .id = (context) }
#define ENDS(status, context)	{ .op = LEAVE, .a = 0x10, .expect = (status), .id = (context) }
#define WAITS(reason, status, context) \
	{ .op = LEAVE, .a = (reason), .expect = (status), .id = (context) }
#define RUNNING(desc)		{ .op = RUNS, .a = (desc) }
#define NEXT(step)		{ .op = STEP, .expect = GM_STEP_##step }
#define LAST			{ .op = END }

static enum gm_execlist_submit submit(struct gm_execlist *el, u64 first, u64 second)
{
	assert_int_equal(gm_execlist_write(el, second >> 32), GM_SUBMIT_MORE);
	assert_int_equal(gm_execlist_write(el, (u32)second), GM_SUBMIT_MORE);
	assert_int_equal(gm_execlist_write(el, first >> 32), GM_SUBMIT_MORE);
	return gm_execlist_write(el, (u32)first);
}

static void expect_event(struct gm_csb_event event, const struct line *line)
{
	assert_int_equal(event.status, line->expect);
	assert_int_equal(event.context_id, line->id);
}

static void play(struct gm_execlist *el, const struct line *line)
{
	for (; line->op != END; line++) {
		switch (line->op) {
		case SUBMIT:
			assert_int_equal(submit(el, line->a, line->b), line->expect);
			break;
		case TAKE:
			expect_event(gm_execlist_take(el), line);
			break;
		case LEAVE:
			expect_event(gm_execlist_leave(el, line->a), line);
			break;
		case RUNS:
			assert_true(gm_execlist_running(el) == line->a);
			break;
		case STEP:
			assert_int_equal(gm_execlist_next(el), line->expect);
			break;
		default:
			fail();
		}
	}
}

static void play_script(const struct line *script)
{
	struct gm_execlist el;

	gm_execlist_reset(&el);
	play(&el, script);
}

static void single_element_test(void **state)
{
	static const struct line script[] = {
		NEXT(NONE),
		RUNNING(0),
		SUBMITS(A, 0, OK),
		NEXT(START),
		RUNNING(A),
		TAKES(0x1, 0),
		NEXT(NONE),
		RUNNING(A),
		ENDS(0x18, 0x11),
		RUNNING(0),
		NEXT(NONE),
		LAST,
	};

	(void)state;
	play_script(script);
}

static void two_elements_test(void **state)
{
	static const struct line script[] = {
		SUBMITS(A, B, OK),
		TAKES(0x1, 0),
		ENDS(0x14, 0x11),
		RUNNING(B),
		ENDS(0x18, 0x22),
		RUNNING(0),
		LAST,
	};

	(void)state;
	play_script(script);
}

/* A context that would have to wait makes room as one that ended, and says why. */
static void leave_to_wait_test(void **state)
{
	static const struct line script[] = {
		SUBMITS(A, B, OK),
		TAKES(0x1, 0),
		WAITS(0x880, 0x884, 0x11),
		RUNNING(B),
		WAITS(0x40, 0x48, 0x22),
		RUNNING(0),
		NEXT(NONE),
		SUBMITS(A, 0, OK),
		TAKES(0x1, 0),
		SUBMITS(B, 0, OK),
		WAITS(0x100, 0x102, 0x11),
		RUNNING(B),
		ENDS(0x18, 0x22),
		LAST,
	};

	(void)state;
	play_script(script);
}

static void preemption_test(void **state)
{
	static const struct line script[] = {
		SUBMITS(A, B, OK),
		TAKES(0x1, 0),
		SUBMITS(C, A, OK),
		NEXT(PREEMPT),
		RUNNING(A),
		TAKES(0x2, 0x11),
		RUNNING(C),
		ENDS(0x14, 0x33),
		RUNNING(A),
		ENDS(0x18, 0x11),
		RUNNING(0),
		LAST,
	};

	(void)state;
	play_script(script);
}

static void lite_restore_test(void **state)
{
	static const struct line script[] = {
		SUBMITS(A, 0, OK),
		TAKES(0x1, 0),
		SUBMITS(A, B, OK),
		NEXT(LITE),
		TAKES(0x8002, 0x11),
		RUNNING(A),
		ENDS(0x14, 0x11),
		/* The second element of a list can be resubmitted as well. */
		SUBMITS(B, C, OK),
		NEXT(LITE),
		TAKES(0x8002, 0x22),
		ENDS(0x14, 0x22),
		ENDS(0x18, 0x33),
		LAST,
	};

	(void)state;
	play_script(script);
}

static void not_lite_test(void **state)
{
	static const struct line script[] = {
		SUBMITS(A, 0, OK),
		TAKES(0x1, 0),
		/* Forced: it leaves and comes back. */
		SUBMITS(A | FORCE, 0, OK),
		NEXT(PREEMPT),
		TAKES(0x2, 0x11),
		RUNNING(A | FORCE),
		/* Same place, other id: another submission of it. */
		SUBMITS(DESC(0x99, 0x00100000), 0, OK),
		NEXT(PREEMPT),
		TAKES(0x2, 0x11),
		ENDS(0x18, 0x99),
		LAST,
	};

	(void)state;
	play_script(script);
}

static void completion_with_list_waiting_test(void **state)
{
	static const struct line script[] = {
		SUBMITS(A, B, OK),
		TAKES(0x1, 0),
		SUBMITS(C, 0, OK),
		/* A ends first: the new list comes, B does not run. */
		ENDS(0x12, 0x11),
		RUNNING(C),
		NEXT(NONE),
		/* C ends, and has new work in the list that waits. */
		SUBMITS(C, D, OK),
		ENDS(0x8002, 0x33),
		RUNNING(C),
		ENDS(0x14, 0x33),
		ENDS(0x18, 0x44),
		LAST,
	};

	(void)state;
	play_script(script);
}

static void two_lists_before_start_test(void **state)
{
	static const struct line script[] = {
		SUBMITS(A, 0, OK),
		/* The engine has not got to A yet, but its list runs. */
		SUBMITS(B, 0, OK),
		SUBMITS(C, 0, FULL),
		NEXT(START),
		TAKES(0x1, 0),
		NEXT(PREEMPT),
		TAKES(0x2, 0x11),
		SUBMITS(C, 0, OK),
		ENDS(0x12, 0x22),
		ENDS(0x18, 0x33),
		LAST,
	};

	(void)state;
	play_script(script);
}

static void misuse_test(void **state)
{
	static const struct line script[] = {
		SUBMITS(0, 0, INVALID),
		SUBMITS(0, A, INVALID),
		SUBMITS(A & ~1ull, B, INVALID),
		/* Reserved bits and address modes that the chip does not run. */
		SUBMITS(A | 0x800, 0, INVALID),
		SUBMITS(A & ~0x18ull, 0, INVALID),
		SUBMITS((A & ~0x18ull) | 0x10, 0, INVALID),
		SUBMITS(A, B | 0x800, INVALID),
		RUNNING(0),
		/* One context in both elements: runs once. */
		SUBMITS(A, A, TWICE),
		TAKES(0x1, 0),
		ENDS(0x18, 0x11),
		/* An invalid second element is none. */
		SUBMITS(A, B & ~1ull, OK),
		TAKES(0x1, 0),
		ENDS(0x18, 0x11),
		LAST,
	};

	(void)state;
	play_script(script);
}

static void reset_test(void **state)
{
	static const struct line before[] = {
		SUBMITS(A, B, OK),
		TAKES(0x1, 0),
		SUBMITS(C, 0, OK),
		LAST,
	};
	static const struct line after[] = {
		RUNNING(0),
		NEXT(NONE),
		SUBMITS(D, 0, OK),
		TAKES(0x1, 0),
		ENDS(0x18, 0x44),
		LAST,
	};
	struct gm_execlist el;

	(void)state;
	gm_execlist_reset(&el);
	play(&el, before);
	/* In the middle of a submission, too. */
	gm_execlist_write(&el, 0x12345678);
	gm_execlist_reset(&el);
	play(&el, after);
}

/* Which list is current alternates; the bits of both lists follow. */
static void status_test(void **state)
{
	struct gm_execlist el;
	u64 status;

	(void)state;
	gm_execlist_reset(&el);
	assert_int_equal(gm_execlist_status(&el) & 0x7c01c, 0);

	submit(&el, A, B);
	gm_execlist_take(&el);
	status = gm_execlist_status(&el);
	assert_int_equal(status >> 32, 0x11);
	assert_int_equal(status & 0x5, 0x1);		/* list 1 is current, not full */
	assert_int_equal(status & 0x60018, 0x20008);	/* list 1 active and valid */
	assert_int_equal(status & 0xc000, 0x4000);	/* its first element */
	assert_int_equal((status >> 5) & 0x1ff, 0x1);	/* last switch */

	submit(&el, C, 0);
	status = gm_execlist_status(&el);
	assert_int_equal(status >> 32, 0x11);
	assert_int_equal(status & 0x5, 0x5);
	assert_int_equal(status & 0x60018, 0x20018);

	gm_execlist_take(&el);
	status = gm_execlist_status(&el);
	assert_int_equal(status >> 32, 0x33);
	assert_int_equal(status & 0x7, 0x2);		/* list 0 is current, the next is 1 */
	assert_int_equal(status & 0x60018, 0x40010);

	gm_execlist_leave(&el, GEN9_CSB_COMPLETE);
	status = gm_execlist_status(&el);
	assert_int_equal(status >> 32, 0);
	assert_int_equal(status & 0x6c01c, 0);
}

static void store(struct gm_csb *csb, u32 status, u32 id)
{
	unsigned int index = gm_csb_next(csb);

	gm_csb_store(csb, index, (struct gm_csb_event) { .status = status, .context_id = id });
	gm_csb_advance(csb, index);
}

static void csb_wrap_test(void **state)
{
	struct gm_csb csb;
	unsigned int i;

	(void)state;
	gm_csb_reset(&csb);
	assert_int_equal(gm_csb_pointer(&csb) & 7, 5);
	for (i = 0; i < 20; i++) {
		assert_int_equal(gm_csb_next(&csb), i % 6);
		store(&csb, 0x18, 100 + i);
		assert_int_equal(gm_csb_pointer(&csb) & 7, i % 6);
		assert_true(csb.entry[i % 6] == ((u64)(100 + i) << 32 | 0x18));
	}
	/* Pointers 6 and 7 are no entries. */
	gm_csb_set_pointer(&csb, 0x707);
	assert_int_equal(gm_csb_next(&csb), 0);
	gm_csb_set_pointer(&csb, 0x606);
	assert_int_equal(gm_csb_next(&csb), 0);
}

static void csb_read_pointer_test(void **state)
{
	struct gm_csb csb;
	unsigned int i;

	(void)state;
	gm_csb_reset(&csb);
	for (i = 0; i < 4; i++)
		store(&csb, 0x18, i);
	/* Software has read entries 0 to 2. */
	gm_csb_set_pointer(&csb, 0x203);
	assert_int_equal(gm_csb_pointer(&csb), 0x203);
	assert_false(csb.unread[0]);
	assert_false(csb.unread[2]);
	assert_true(csb.unread[3]);
	for (i = 4; i < 7; i++)
		store(&csb, 0x18, i);
	gm_csb_set_pointer(&csb, 0x000);
	for (i = 0; i < 6; i++)
		assert_false(csb.unread[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_element_test),
		cmocka_unit_test(two_elements_test),
		cmocka_unit_test(leave_to_wait_test),
		cmocka_unit_test(preemption_test),
		cmocka_unit_test(lite_restore_test),
		cmocka_unit_test(not_lite_test),
		cmocka_unit_test(completion_with_list_waiting_test),
		cmocka_unit_test(two_lists_before_start_test),
		cmocka_unit_test(misuse_test),
		cmocka_unit_test(reset_test),
		cmocka_unit_test(status_test),
		cmocka_unit_test(csb_wrap_test),
		cmocka_unit_test(csb_read_pointer_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
