// SPDX-License-Identifier: GPL-2.0-only
/*
 * A chip with faults under three vGPUs: engines that hang in every phase of one guest's work,
 * messages and status events that are lost, late, repeated or damaged, a reset that is refused
 * once. Two innocent guests compute beside all the time (lib/beside): each of their results
 * is right, nothing of theirs is lost, nothing is carried out twice.
 */
#include <unistd.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "lib/beside.h"
#include "lib/fault.h"
#include "lib/model.h"
#include "lib/program.h"
#include "lib/share.h"
#include "lib/spin.h"
#include "lib/work.h"

/* Of MI_NOOP, see the model's inject command. */
#define MARK		0x2a57u
/* Handshakes that gvirt tries before it gives an engine's reset up. */
#define HANDSHAKES	3
#define POLL_US		2000
/* gvirt finds out what it was not told within 200 ms. */
#define FOUND_US	400000
/* Who has an engine may keep it for 640 ms; a chip that is late, for 3 s. */
#define YIELDS_MS	2000u

static struct work work;

static const char *engine_name(void)
{
	return work.engine->name;
}

static u64 lost_of(unsigned int n)
{
	return share_number(target(n), "lost_contexts");
}

/* Innocent or not: nothing of theirs was lost, and nothing happened that makes no sense. */
static void expect_no_losses(unsigned int first, const u64 *lost)
{
	unsigned int n;

	for (n = first; n < 3; n++) {
		if (lost_of(n) != lost[n])
			test_fail("vGPU %u lost contexts", n);
	}
}

static void note_losses(u64 *lost)
{
	unsigned int n;

	for (n = 0; n < 3; n++)
		lost[n] = lost_of(n);
}

/* A batch with the mark, after which the ring goes on. */
static void emit_mark(struct cmds *ring)
{
	struct cmds batch = { };

	emit_dword(&batch, GEN9_MI_NOOP | GEN9_MI_NOOP_WRITE_ID | MARK);
	emit_noops(&batch, 8);
	work_batch(&work, ring, &batch);
}

static void submit_marked_once(void)
{
	struct cmds ring = { };

	emit_mark(&ring);
	ctx_request(&work.ctx, &ring);
	engine_submit(work.engine, &work.ctx, NULL);
}

/* Others preempt it, and it gets the engine back, again and again. */
static void submit_marked_loop(void)
{
	struct cmds ring = { };

	emit_mark(&ring);
	ctx_emit(&work.ctx, &ring);
	spin_request(&work, &work.ctx, SPIN_LOOP);
	engine_submit(work.engine, &work.ctx, NULL);
}

/* The context is known from one request on; the next ones are to start on an idle engine. */
static void submit_marked_again(u64 lost)
{
	struct cmds ring = { };
	u64 end = vdev_now_ms() + PATIENCE_MS;
	struct event event;

	submit_marked_once();
	while (lost_of(0) == lost) {
		if (vdev_now_ms() > end)
			test_fail("%s: no list starts on an idle engine", engine_name());
		if (!engine_event(work.engine, &event, 10) ||
		    !(event.status & GEN9_CSB_ACTIVE_TO_IDLE))
			continue;
		work.ctx.free = work.ctx.ring_size / 2;
		ctx_request(&work.ctx, &ring);
		engine_submit(work.engine, &work.ctx, NULL);
	}
}

static void wait_lost(u64 lost)
{
	u64 end = vdev_now_ms() + PATIENCE_MS;

	while (lost_of(0) == lost) {
		if (vdev_now_ms() > end)
			test_fail("%s: the context that hangs is not lost", engine_name());
		usleep(POLL_US);
	}
	/* The guest is told as the chip does. */
	if (!vdev_wait(&work.guest.dev, work.engine->base + GEN9_RING_EIR, GEN9_ERROR_INSTRUCTION,
		       GEN9_ERROR_INSTRUCTION, PATIENCE_MS))
		test_fail("%s: the guest does not see the error", engine_name());
}

static void recover(void)
{
	engine_reset(work.engine);
	ctx_reset(&work.ctx);
	work_prove(&work);
	work_prove(&work);
}

static void start_on(unsigned int first, unsigned int second, void (*test)(void))
{
	unsigned int ids[] = { first, second }, i;

	control();
	beside_start(1, 2);
	for (i = 0; i < 2; i++) {
		work_start(&work, target(0), ids[i], 4);
		test();
		work_stop(&work);
	}
	beside_stop();
}

static void hang_in(const char *phase, void (*submit)(void))
{
	u64 lost[3];

	note_losses(lost);
	model_inject("what=hang engine=%s phase=%s mark=%u", engine_name(), phase, MARK);
	submit();
	wait_lost(lost[0]);
	recover();
	beside_check();
	expect_no_losses(1, lost);
}

static void check_batch(void)
{
	hang_in("batch", submit_marked_once);
}

static void check_ring(void)
{
	hang_in("ring", submit_marked_once);
}

static void check_preempt(void)
{
	hang_in("preempt", submit_marked_loop);
}

static void check_save(void)
{
	hang_in("save", submit_marked_loop);
}

static void check_load(void)
{
	hang_in("load", submit_marked_loop);
}

static void start_again(void)
{
	submit_marked_again(lost_of(0));
}

static void check_start(void)
{
	hang_in("start", start_again);
}

static void hang_batch(void)
{
	start_on(RCS, VECS, check_batch);
}

static void hang_ring(void)
{
	start_on(BCS, VCS, check_ring);
}

static void hang_preempt(void)
{
	start_on(RCS, BCS, check_preempt);
}

static void hang_save(void)
{
	start_on(VCS, BCS, check_save);
}

static void hang_load(void)
{
	start_on(RCS, VECS, check_load);
}

static void hang_start(void)
{
	start_on(RCS, BCS, check_start);
}

/* Faults that are nobody's: all go on, and nobody loses anything. */
static void expect_unharmed(void (*inject)(void))
{
	unsigned int i;
	u64 lost[3];

	note_losses(lost);
	inject();
	for (i = 0; i < 4; i++)
		work_prove(&work);
	beside_check();
	expect_no_losses(0, lost);
}

static void lose_interrupts(void)
{
	model_inject("what=lose-interrupt value=10");
}

static void repeat_interrupts(void)
{
	model_inject("what=repeat-interrupt value=50");
}

static void delay_event(void)
{
	model_inject("what=csb-delay engine=%s value=40000", engine_name());
}

static void delay_event_long(void)
{
	model_inject("what=csb-delay engine=%s value=2500000", engine_name());
}

static void wrong_name(void)
{
	model_inject("what=csb-corrupt engine=%s value=0", engine_name());
}

static void no_status(void)
{
	model_inject("what=csb-corrupt engine=%s value=1", engine_name());
}

static void lose_event(void)
{
	model_inject("what=csb-corrupt engine=%s value=2", engine_name());
}

static void check_interrupts(void)
{
	expect_unharmed(lose_interrupts);
	expect_unharmed(repeat_interrupts);
}

static void interrupts(void)
{
	start_on(RCS, BCS, check_interrupts);
}

static void check_events(void)
{
	unsigned int i;

	expect_unharmed(delay_event);
	expect_unharmed(wrong_name);
	/* Which kind of event it is depends on the moment. */
	for (i = 0; i < 4; i++) {
		expect_unharmed(no_status);
		expect_unharmed(lose_event);
	}
}

static void events(void)
{
	start_on(RCS, BCS, check_events);
}

static void events_media(void)
{
	start_on(VCS, VECS, check_events);
}

/* Longer than anybody has to let go of an engine: yet nobody is to blame. */
static void check_late(void)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		expect_unharmed(delay_event_long);
}

static void late(void)
{
	test_takes_long();
	start_on(RCS, BCS, check_late);
}

/* The event of its start is lost: who does not let go after that is found in the same time. */
static void check_lost_hog(void)
{
	static struct work other;
	u64 start, ms;

	work_start(&other, target(1), work.engine->id, 4);
	lose_event();
	spin_start(&work, SPIN_HOG);
	usleep(FOUND_US);
	start = vdev_now_ms();
	work_prove(&other);
	ms = vdev_now_ms() - start;
	if (ms > YIELDS_MS * test_slow())
		test_fail("%s: a hog whose start nobody told of keeps it for %llu ms",
			  engine_name(), (unsigned long long)ms);
	recover();
	work_stop(&other);
}

static void lost_hog(void)
{
	unsigned int id;

	control();
	for (id = 0; id < ENGINES; id++) {
		work_start(&work, target(0), id, 4);
		check_lost_hog();
		work_stop(&work);
	}
}

/* Events of somebody who has the engine to himself: he hears of them all the same. */
static void check_lost_alone(void)
{
	u32 seqno;

	lose_event();
	seqno = spin_start(&work, SPIN_WAIT);
	engine_expect(work.engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	lose_event();
	spin_release(&work);
	ctx_wait(&work.ctx, seqno);
	engine_expect(work.engine, GEN9_CSB_ACTIVE_TO_IDLE | GEN9_CSB_COMPLETE, &work.ctx);
	work_prove(&work);
}

static void lost_alone(void)
{
	unsigned int id;

	control();
	for (id = 0; id < ENGINES; id++) {
		work_start(&work, target(0), id, 4);
		check_lost_alone();
		work_stop(&work);
	}
}

/* With one refused handshake the engine is reset with the next; with all, everything is. */
static void check_refused(void)
{
	u64 lost[3];
	u32 value;

	for (value = 1; value <= HANDSHAKES; value += HANDSHAKES - 1) {
		note_losses(lost);
		model_inject("what=refuse-reset engine=%s value=%u", engine_name(), value);
		spin_start(&work, SPIN_HOG);
		wait_lost(lost[0]);
		recover();
		beside_check();
		expect_no_losses(1, lost);
	}
}

/*
 * The fault is in the registers of its guest also when it took two resets to get there, and the
 * next one is not taken for it.
 */
static void check_refused_fault(void)
{
	u64 lost[3], va = TARGET_VA + 0x7000;
	unsigned int i;

	note_losses(lost);
	model_inject("what=refuse-reset engine=%s value=%u", engine_name(), HANDSHAKES);
	for (i = 0; i < 2; i++) {
		fault_start(&work, va + i * 0x1000);
		wait_lost(lost[0] + i);
		fault_expect(&work, va + i * 0x1000);
		recover();
	}
	beside_check();
	expect_no_losses(1, lost);
}

static void refused_fault(void)
{
	start_on(RCS, VECS, check_refused_fault);
}

static void refused_once(void)
{
	start_on(RCS, BCS, check_refused);
}

static const struct testcase tests[] = {
	{ "inject-hang-batch", hang_batch },
	{ "inject-hang-ring", hang_ring },
	{ "inject-hang-preempt", hang_preempt },
	{ "inject-hang-save", hang_save },
	{ "inject-hang-load", hang_load },
	{ "inject-hang-start", hang_start },
	{ "inject-interrupts", interrupts },
	{ "inject-events", events },
	{ "inject-events-media", events_media },
	{ "inject-late", late },
	{ "inject-lost-alone", lost_alone },
	{ "inject-lost-hog", lost_hog },
	{ "inject-refused-once", refused_once },
	{ "inject-refused-fault", refused_fault },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
