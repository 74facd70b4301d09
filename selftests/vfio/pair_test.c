// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two vGPUs side by side. Both guests use the same addresses for everything, with different
 * memory behind them.
 */
#include <unistd.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "lib/program.h"
#include "lib/share.h"
#include "lib/spin.h"
#include "lib/work.h"

#define FREE	0x00081000u
#define ROUNDS	20
#define SECRET	0x5ec4e700u
#define FAIR_MS	1000

/* Side @n has its values. */
static u32 value_of(unsigned int n, unsigned int round)
{
	return (n + 1) << 16 | round;
}

static struct work side[2];

static void start(enum engine_id first, enum engine_id second)
{
	target(1);
	work_start(&side[0], target(0), first, 4);
	work_start(&side[1], target(1), second, 4);
	EXPECT_EQ(side[0].target.ggtt, side[1].target.ggtt);
	EXPECT_EQ(side[0].target.gpa, side[1].target.gpa);
}

static void stop(void)
{
	work_stop(&side[1]);
	work_stop(&side[0]);
}

/* Every pair of engines, also the same one twice. */
static void on_pairs(void (*test)(void))
{
	unsigned int a, b;

	for (a = 0; a < ENGINES; a++)
		for (b = 0; b < ENGINES; b++) {
			start(a, b);
			test();
			stop();
		}
}

static void on_same(void (*test)(void))
{
	unsigned int id;

	for (id = 0; id < ENGINES; id++) {
		start(id, id);
		test();
		stop();
	}
}

/* A request that uses all spaces: own, global, by the ring and by a privileged batch. */
static u32 request(struct work *work, u32 value)
{
	struct cmds own = { }, global = { }, ring = { };
	struct page page;

	emit_store(&own, PPGTT, TARGET_VA, value);
	work_batch(work, &ring, &own);
	emit_store(&global, GGTT, work->target.ggtt + 4, value);
	page = guest_batch(&work->guest, NULL, 0, &global);
	emit_batch(&ring, GGTT, page.ggtt);
	emit_store(&ring, GGTT, work->target.ggtt + 8, value);
	emit_store(&ring, PPGTT, TARGET_VA + 12, value);
	return ctx_request(&work->ctx, &ring);
}

static void expect_values(struct work *work, u32 value)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		work_expect(work, i, value);
}

static void finish(struct work *work, u32 seqno)
{
	ctx_wait(&work->ctx, seqno);
	engine_expect(work->engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	engine_expect(work->engine, GEN9_CSB_ACTIVE_TO_IDLE | GEN9_CSB_COMPLETE, &work->ctx);
}

static void check_together(void)
{
	unsigned int round, n;
	u32 seqno[2];

	for (round = 0; round < ROUNDS; round++) {
		for (n = 0; n < 2; n++)
			seqno[n] = request(&side[n], value_of(n, round));
		for (n = 0; n < 2; n++)
			engine_submit(side[n].engine, &side[n].ctx, NULL);
		for (n = 0; n < 2; n++)
			finish(&side[n], seqno[n]);
		for (n = 0; n < 2; n++)
			expect_values(&side[n], value_of(n, round));
	}
}

static void together(void)
{
	on_pairs(check_together);
}

/* The first one's entry is invalid where the second one's is valid. */
static void check_no_peeking(void)
{
	u32 gpr = side[0].engine->base + GEN9_RING_CS_GPR(0);
	u64 secret = ram_page(&side[1].guest.ram);
	struct cmds cmds = { };

	ram_write(&side[1].guest.ram, secret, SECRET);
	ggtt_map(&side[1].guest.ggtt, FREE, secret, 1);
	emit_increment(&cmds, GGTT, FREE);
	ctx_run(&side[1].ctx, &cmds);
	guest_expect(&side[1].guest, secret, SECRET + 1, "the second vGPU's page");
	cmds.count = 0;
	emit_lrm(&cmds, GGTT, gpr, FREE);
	emit_srm(&cmds, GGTT, gpr, side[0].target.ggtt);
	emit_store(&cmds, GGTT, FREE, 0xbad);
	ctx_run(&side[0].ctx, &cmds);
	work_expect(&side[0], 0, 0);
	guest_expect(&side[1].guest, secret, SECRET + 1, "the second vGPU's page");
}

static void no_peeking(void)
{
	on_same(check_no_peeking);
}

/* Registers of the context that ran before, of another vGPU. */
static void check_registers(void)
{
	u32 base = side[0].engine->base;
	struct cmds set = { }, get = { };
	unsigned int i;

	for (i = 0; i < GEN9_CS_GPR_COUNT; i++)
		emit_lri(&set, base + GEN9_RING_CS_GPR(i), SECRET + i);
	/* Only the render engine has predicates. */
	if (side[0].engine->id == RCS)
		emit_lri(&set, base + GEN9_MI_PREDICATE_SRC0, SECRET);
	ctx_run(&side[1].ctx, &set);
	for (i = 0; i < GEN9_CS_GPR_COUNT; i++)
		emit_srm(&get, PPGTT, base + GEN9_RING_CS_GPR(i), TARGET_VA + 4 * i);
	if (side[0].engine->id == RCS)
		emit_srm(&get, PPGTT, base + GEN9_MI_PREDICATE_SRC0, TARGET_VA + 4 * i);
	ctx_run(&side[0].ctx, &get);
	for (i = 0; i <= GEN9_CS_GPR_COUNT; i++)
		if (ram_read(&side[0].guest.ram, work_dword(&side[0], i)) >> 8 == SECRET >> 8)
			test_fail("%s: value %u is the other vGPU's", side[0].engine->name, i);
}

static void registers(void)
{
	on_same(check_registers);
}

/* Both wait at the same time; each is released by its own memory. */
static void check_both_wait(void)
{
	u32 seqno[2];

	seqno[0] = spin_start(&side[0], SPIN_WAIT);
	seqno[1] = spin_start(&side[1], SPIN_WAIT);
	spin_release(&side[1]);
	ctx_wait(&side[1].ctx, seqno[1]);
	EXPECT(ctx_seqno(&side[0].ctx) != seqno[0]);
	spin_release(&side[0]);
	ctx_wait(&side[0].ctx, seqno[0]);
	EXPECT(engine_drain(side[0].engine, PATIENCE_MS));
	EXPECT(engine_drain(side[1].engine, PATIENCE_MS));
}

static void both_wait(void)
{
	on_pairs(check_both_wait);
}

/* One loops for ever, where it can be preempted; the other one's work goes on. */
static void check_beside_loop(void)
{
	unsigned int i;

	spin_start(&side[0], SPIN_LOOP);
	for (i = 0; i < 5; i++)
		work_prove(&side[1]);
	engine_reset(side[0].engine);
	ctx_reset(&side[0].ctx);
	work_prove(&side[0]);
	work_prove(&side[1]);
}

static void beside_loop(void)
{
	on_same(check_beside_loop);
}

/* The same, but it cannot be preempted: it costs the one that does it, in bounded time. */
static void check_beside_hog(void)
{
	spin_start(&side[0], SPIN_HOG);
	work_prove(&side[1]);
	work_prove(&side[1]);
	engine_reset(side[0].engine);
	ctx_reset(&side[0].ctx);
	work_prove(&side[0]);
	work_prove(&side[1]);
}

static void beside_hog(void)
{
	on_same(check_beside_hog);
}

static void expect_spinning(struct work *work)
{
	u64 end = vdev_now_ms() + PATIENCE_MS;
	u32 count = spin_count(work);

	while (spin_count(work) == count)
		if (vdev_now_ms() > end)
			test_fail("%s stands still", work->engine->name);
}

/* On another engine it costs nobody anything: that one runs at the same time. */
static void check_other_engine(void)
{
	u64 lost = share_number(target(0), "lost_contexts");
	unsigned int i;

	spin_start(&side[0], SPIN_HOG);
	for (i = 0; i < 3; i++) {
		work_prove(&side[1]);
		expect_spinning(&side[0]);
	}
	EXPECT_EQ(share_number(target(0), "lost_contexts"), lost);
}

static void other_engine(void)
{
	unsigned int id;

	for (id = 0; id < ENGINES; id++) {
		start(id, (id + 1) % ENGINES);
		check_other_engine();
		stop();
	}
}

/* A list that waits for one that does not let go is lost with it, and known to be. */
static void check_lost_list(void)
{
	u64 lost = share_number(target(0), "lost_contexts");
	u64 odd = share_number(target(0), "oddities");
	u64 end = vdev_now_ms() + PATIENCE_MS;
	struct cmds nothing = { };
	struct ctx second;

	ctx_init(&second, side[0].engine, &side[0].pp);
	spin_start(&side[0], SPIN_HOG);
	ctx_request(&second, &nothing);
	engine_submit(side[0].engine, &second, NULL);
	/* It is not for the neighbour to wait for this, but he gets the engine. */
	work_prove(&side[1]);
	while (share_number(target(0), "lost_contexts") < lost + 2)
		if (vdev_now_ms() > end)
			test_fail("%s: not both contexts are lost", side[0].engine->name);
	EXPECT_EQ(share_number(target(0), "oddities"), odd);
	engine_reset(side[0].engine);
	ctx_reset(&side[0].ctx);
	work_prove(&side[0]);
	work_prove(&side[1]);
}

static void lost_list(void)
{
	on_same(check_lost_list);
}

/* Both want all of an engine: each gets a share of it. */
static void check_fair(void)
{
	u32 first, second;

	spin_start(&side[0], SPIN_LOOP);
	spin_start(&side[1], SPIN_LOOP);
	first = spin_count(&side[0]);
	second = spin_count(&side[1]);
	usleep(FAIR_MS * 1000);
	first = spin_count(&side[0]) - first;
	second = spin_count(&side[1]) - second;
	if (first < second / 4 || second < first / 4)
		test_fail("%s: one had %u rounds, the other one %u", side[0].engine->name, first,
			  second);
}

static void fair(void)
{
	on_same(check_fair);
}

/* Interrupts go to the one whose work it was. */
static void check_interrupts(void)
{
	unsigned int id = side[0].engine->id;

	irq_forget(&side[0].guest.irq);
	irq_forget(&side[1].guest.irq);
	work_prove(&side[0]);
	EXPECT(irq_wait(&side[0].guest.irq, id, IRQ_USER, PATIENCE_MS));
	/*
	 * A user interrupt does not say whose it is: gvirt may give one too many, which drivers
	 * take. Of a context switch it knows.
	 */
	EXPECT(!irq_wait(&side[1].guest.irq, id, IRQ_CONTEXT_SWITCH, NEVER_MS));
	work_prove(&side[1]);
	EXPECT(irq_wait(&side[1].guest.irq, id, IRQ_USER, PATIENCE_MS));
}

static void interrupts(void)
{
	on_same(check_interrupts);
}

/* One is reset, by all means that there are, while the other one's context waits. */
static void check_beside_reset(void)
{
	u32 seqno = spin_start(&side[1], SPIN_WAIT);

	work_prove(&side[0]);
	engine_reset(side[0].engine);
	ctx_reset(&side[0].ctx);
	work_prove(&side[0]);
	engine_reset_all(side[0].guest.engine);
	ctx_reset(&side[0].ctx);
	work_prove(&side[0]);
	vdev_reset(&side[0].guest.dev);
	work_renew(&side[0]);
	work_prove(&side[0]);
	spin_release(&side[1]);
	ctx_wait(&side[1].ctx, seqno);
	engine_expect(side[1].engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	engine_expect(side[1].engine, GEN9_CSB_ACTIVE_TO_IDLE | GEN9_CSB_COMPLETE, &side[1].ctx);
}

static void beside_reset(void)
{
	on_same(check_beside_reset);
}

/* One is closed while it spins and opened again, several times. */
static void check_beside_close(void)
{
	enum engine_id id = side[0].engine->id;
	unsigned int kind;

	for (kind = 0; kind < SPIN_KINDS; kind++) {
		spin_start(&side[0], kind);
		work_stop(&side[0]);
		work_prove(&side[1]);
		work_start(&side[0], target(0), id, 4);
		work_prove(&side[0]);
		work_prove(&side[1]);
	}
}

static void beside_close(void)
{
	on_same(check_beside_close);
}

/* The modes that one sets are not the other one's. */
static void check_modes(void)
{
	struct work *odd = &side[0];

	engine_write(odd->engine, GEN9_RING_GFX_MODE, vdev_clear_bits(GEN9_GFX_RUN_LIST_ENABLE));
	engine_write(odd->engine, GEN9_RING_HWS_PGA, 0);
	engine_write(odd->engine, GEN9_RING_MI_MODE, vdev_set_bits(GEN9_MI_MODE_STOP_RING));
	engine_write(odd->engine, GEN9_RING_IMR, ~0u);
	work_prove(&side[1]);
	EXPECT(engine_read(side[1].engine, GEN9_RING_GFX_MODE) & GEN9_GFX_RUN_LIST_ENABLE);
	engine_reset(odd->engine);
	work_prove(odd);
}

static void modes(void)
{
	on_same(check_modes);
}

/* A large program: both with many contexts, on all engines, at once. */
static void crowd(void)
{
	static struct ctx ctx[2][ENGINES];
	unsigned int n, id, round;

	start(RCS, RCS);
	for (n = 0; n < 2; n++)
		for (id = 0; id < ENGINES; id++)
			ctx_init(&ctx[n][id], &side[n].guest.engine[id], &side[n].pp);
	for (round = 0; round < ROUNDS; round++) {
		for (id = 0; id < ENGINES; id++)
			for (n = 0; n < 2; n++) {
				struct cmds cmds = { };

				emit_increment(&cmds, PPGTT, TARGET_VA + 4 * id);
				emit_increment(&cmds, GGTT, side[n].target.ggtt + 64 + 4 * id);
				ctx_request(&ctx[n][id], &cmds);
				engine_submit(&side[n].guest.engine[id], &ctx[n][id], NULL);
			}
		for (id = 0; id < ENGINES; id++)
			for (n = 0; n < 2; n++) {
				ctx_wait(&ctx[n][id], ctx[n][id].seqno);
				EXPECT(engine_drain(&side[n].guest.engine[id], PATIENCE_MS));
			}
	}
	for (id = 0; id < ENGINES; id++)
		for (n = 0; n < 2; n++) {
			work_expect(&side[n], id, ROUNDS);
			work_expect(&side[n], 16 + id, ROUNDS);
		}
	stop();
}

static const struct testcase tests[] = {
	{ "pair-together", together },
	{ "pair-no-peeking", no_peeking },
	{ "pair-registers", registers },
	{ "pair-both-wait", both_wait },
	{ "pair-beside-loop", beside_loop },
	{ "pair-beside-hog", beside_hog },
	{ "pair-other-engine", other_engine },
	{ "pair-lost-list", lost_list },
	{ "pair-fair", fair },
	{ "pair-interrupts", interrupts },
	{ "pair-beside-reset", beside_reset },
	{ "pair-beside-close", beside_close },
	{ "pair-modes", modes },
	{ "pair-crowd", crowd },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
