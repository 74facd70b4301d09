// SPDX-License-Identifier: GPL-2.0-only
/*
 * A chip that fails for good under three vGPUs: it refuses its resets for ever, or leaves the
 * bus without a word. Their guests live, see errors as a chip's driver would, and can reset,
 * close and open in bounded time.
 *
 *	vfio_dead_test refuse|gone --device NAME --device NAME --device NAME --control DIR
 *
 * Afterwards the GPU is of no use until gvirt gets it anew.
 */
#include <stdio.h>
#include <string.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "lib/model.h"
#include "lib/program.h"
#include "lib/spin.h"
#include "lib/work.h"

#define GUESTS		3
/* Bound of a call, also on a kernel full of checks. */
#define BOUND_MS	20000

static bool gone;
static struct work guests[GUESTS];

static void expect_error(struct work *work)
{
	if (!vdev_wait(&work->guest.dev, work->engine->base + GEN9_RING_EIR,
		       GEN9_ERROR_INSTRUCTION, GEN9_ERROR_INSTRUCTION, PATIENCE_MS)) {
		engine_describe(work->engine);
		test_fail("%s: its guest sees no error", work->engine->name);
	}
}

/* Once it resets its engine, its next list hangs again. */
static void expect_hangs(struct work *work)
{
	struct cmds cmds = { };
	u32 seqno;

	engine_reset(work->engine);
	ctx_reset(&work->ctx);
	emit_store(&cmds, PPGTT, work->target_va, 0xbad);
	seqno = ctx_request(&work->ctx, &cmds);
	engine_submit(work->engine, &work->ctx, NULL);
	expect_error(work);
	EXPECT(ctx_seqno(&work->ctx) != seqno);
	work_expect(work, 0, 0);
}

static void expect_bounded(u64 start, const char *what)
{
	u64 ms = vdev_now_ms() - start;

	if (ms > BOUND_MS)
		test_fail("%s took %llu ms", what, (unsigned long long)ms);
}

static void live_on(struct work *work, const char *name)
{
	u64 start = vdev_now_ms();

	expect_hangs(work);
	vdev_reset(&work->guest.dev);
	work_renew(work);
	expect_hangs(work);
	work_stop(work);
	work_start(work, name, RCS, 4);
	expect_hangs(work);
	engine_reset_all(work->guest.engine);
	expect_bounded(start, "a guest's way from error to error");
}

/* One that hangs on the first engine, one that waits for that, one that works on another. */
static void dead(void)
{
	unsigned int n;

	control();
	for (n = 0; n < GUESTS; n++)
		work_start(&guests[n], target(n), n == 2 ? BCS : RCS, 4);
	spin_start(&guests[2], SPIN_LOOP);
	spin_start(&guests[0], gone ? SPIN_LOOP : SPIN_HOG);
	model_inject(gone ? "what=gone" : "what=refuse-reset engine=rcs0 value=0");
	spin_request(&guests[1], &guests[1].ctx, SPIN_LOOP);
	engine_submit(guests[1].engine, &guests[1].ctx, NULL);
	for (n = 0; n < GUESTS; n++)
		expect_error(&guests[n]);
	for (n = 0; n < GUESTS; n++)
		live_on(&guests[n], target(n));
	for (n = 0; n < GUESTS; n++)
		work_stop(&guests[n]);
}

static const struct testcase tests[] = {
	{ "dead", dead },
};

int main(int argc, char **argv)
{
	if (argc < 2 || (strcmp(argv[1], "gone") && strcmp(argv[1], "refuse"))) {
		fprintf(stderr, "usage: %s refuse|gone --device NAME...\n", argv[0]);
		return 64;
	}
	gone = !strcmp(argv[1], "gone");
	return program_main(argc - 1, argv + 1, tests, ARRAY_SIZE(tests));
}
