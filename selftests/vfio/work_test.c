// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work on each engine: stores, registers, arithmetic, blits.
 */
#include <string.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "lib/program.h"
#include "lib/work.h"

#define SURFACE_VA	0x0000000080000000ull
#define SURFACE_PAGES	16
#define PITCH		1024
#define ROWS		(SURFACE_PAGES * 4096 / PITCH)

static void check_ring_ppgtt(struct work *work)
{
	struct cmds cmds = { };

	emit_store(&cmds, PPGTT, TARGET_VA + 8, 0x11223344);
	emit_store64(&cmds, PPGTT, TARGET_VA + 16, 0x5566778899aabbccull);
	ctx_run(&work->ctx, &cmds);
	work_expect(work, 2, 0x11223344);
	work_expect(work, 4, 0x99aabbcc);
	work_expect(work, 5, 0x55667788);
	work_expect(work, 3, 0);
}

static void ring_ppgtt(void)
{
	work_on_each_engine(check_ring_ppgtt);
}

static void check_ring_ggtt(struct work *work)
{
	struct cmds cmds = { };

	emit_store(&cmds, GGTT, work->target.ggtt + 12, 0xc0ffee);
	emit_store64(&cmds, GGTT, work->target.ggtt + 24, 0x0102030405060708ull);
	ctx_run(&work->ctx, &cmds);
	work_expect(work, 3, 0xc0ffee);
	work_expect(work, 6, 0x05060708);
	work_expect(work, 7, 0x01020304);
}

static void ring_ggtt(void)
{
	work_on_each_engine(check_ring_ggtt);
}

static void check_batch(struct work *work)
{
	struct cmds cmds = { };

	emit_store(&cmds, PPGTT, TARGET_VA, 0xba7c4);
	emit_increment(&cmds, PPGTT, TARGET_VA);
	emit_copy_dword(&cmds, PPGTT, TARGET_VA + 4, TARGET_VA);
	work_run_batch(work, &cmds);
	work_expect(work, 0, 0xba7c5);
	/* Only the render engine's command streamer copies. */
	if (work->engine->id == RCS)
		work_expect(work, 1, 0xba7c5);
}

static void batch(void)
{
	work_on_each_engine(check_batch);
}

/* A batch that starts another one, and that comes back. */
static void check_chain(struct work *work)
{
	struct cmds second = { }, first = { };

	emit_store(&second, PPGTT, TARGET_VA + 4, 2);
	emit_store(&first, PPGTT, TARGET_VA, 1);
	work_batch(work, &first, &second);
	emit_store(&first, PPGTT, TARGET_VA + 8, 3);
	work_run_batch(work, &first);
	work_expect(work, 0, 1);
	work_expect(work, 1, 2);
	/* Chained, not called. */
	work_expect(work, 2, 0);
}

static void chain(void)
{
	work_on_each_engine(check_chain);
}

static u32 gpr(const struct work *work, unsigned int n)
{
	return work->engine->base + GEN9_RING_CS_GPR(n);
}

static void check_math(struct work *work)
{
	struct cmds cmds = { };

	emit_lri(&cmds, gpr(work, 1), 0xfffffff0);
	emit_lri(&cmds, gpr(work, 1) + 4, 0);
	emit_lri(&cmds, gpr(work, 2), 0x20);
	emit_lri(&cmds, gpr(work, 2) + 4, 0x7);
	emit_add(&cmds, 3, 1, 2);
	emit_srm(&cmds, PPGTT, gpr(work, 3), TARGET_VA);
	emit_srm(&cmds, PPGTT, gpr(work, 3) + 4, TARGET_VA + 4);
	work_run_batch(work, &cmds);
	work_expect(work, 0, 0x10);
	work_expect(work, 1, 0x8);
}

static void math(void)
{
	work_on_each_engine(check_math);
}

/* Registers of a context are its own, and come back with it. */
static void check_registers(struct work *work)
{
	static struct ctx other;
	struct cmds set = { }, disturb = { }, get = { };
	unsigned int i;

	ctx_init(&other, work->engine, &work->pp);
	for (i = 0; i < 16; i++)
		emit_lri(&set, gpr(work, i), 0x600d0000 + i);
	ctx_run(&work->ctx, &set);
	for (i = 0; i < 16; i++)
		emit_lri(&disturb, gpr(work, i), 0xbad);
	ctx_run(&other, &disturb);
	for (i = 0; i < 16; i++)
		emit_srm(&get, PPGTT, gpr(work, i), TARGET_VA + 4 * i);
	ctx_run(&work->ctx, &get);
	for (i = 0; i < 16; i++)
		work_expect(work, i, 0x600d0000 + i);
}

static void registers(void)
{
	work_on_each_engine(check_registers);
}

static void check_reload(struct work *work)
{
	struct cmds cmds = { };

	ram_write(&work->guest.ram, work->target.gpa, 0x4e61d);
	emit_lrm(&cmds, PPGTT, gpr(work, 7), TARGET_VA);
	emit_srm(&cmds, PPGTT, gpr(work, 7), TARGET_VA + 64);
	work_run_batch(work, &cmds);
	work_expect(work, 16, 0x4e61d);
}

static void reload(void)
{
	work_on_each_engine(check_reload);
}

/* The end of a request by PIPE_CONTROL or MI_FLUSH_DW in the context's own space. */
static void check_flush(struct work *work)
{
	struct cmds cmds = { };

	if (work->engine->id == RCS)
		emit_pipe_control(&cmds, GEN9_PC_DC_FLUSH, PPGTT, TARGET_VA + 32, 0xf1005);
	else
		emit_flush(&cmds, PPGTT, TARGET_VA + 32, 0xf1005);
	work_run_batch(work, &cmds);
	work_expect(work, 8, 0xf1005);
}

static void flush(void)
{
	work_on_each_engine(check_flush);
}

/* Stores by index: to the context's status page, and to the engine's. */
#define OWN(dword)	(0x800u + 4 * (dword))

static void set_own(struct work *work, unsigned int dword, u32 value)
{
	ram_write(&work->guest.ram, work->ctx.image + OWN(dword), value);
}

static void expect_own(struct work *work, unsigned int dword, u32 value)
{
	guest_expect(&work->guest, work->ctx.image + OWN(dword), value,
		     "the context's status page");
}

static void check_index(struct work *work)
{
	struct cmds cmds = { };

	emit_store_index(&cmds, true, OWN(1), 0x0e1);
	emit_end_by_index(&cmds, work->engine->id == RCS, 0x808, 0x1de);
	set_own(work, 0, 0x11);
	set_own(work, 2, 0x22);
	ctx_run(&work->ctx, &cmds);
	guest_expect(&work->guest, work->engine->status_gpa + 0x808, 0x1de,
		     "the engine's status page");
	expect_own(work, 0, 0x11);
	expect_own(work, 1, 0x0e1);
	expect_own(work, 2, 0x22);
}

static void index_stores(void)
{
	work_on_each_engine(check_index);
}

/* What the processor writes to the page between runs stays, until it is stored to once more. */
static void check_index_again(struct work *work)
{
	struct cmds store = { }, nothing = { };
	unsigned int i;

	emit_store_index(&store, true, OWN(1), 0x0e2);
	for (i = 0; i < 3; i++) {
		set_own(work, 1, i);
		ctx_run(&work->ctx, &nothing);
		expect_own(work, 1, i);
		ctx_run(&work->ctx, &store);
		expect_own(work, 1, 0x0e2);
	}
}

static void index_again(void)
{
	work_on_each_engine(check_index_again);
}

/* A context that is preempted before it stores has not stored. */
static void check_index_later(struct work *work)
{
	struct cmds cmds = { };
	static struct ctx other;
	u32 seqno;

	ctx_init(&other, work->engine, &work->pp);
	emit_store_index(&cmds, true, OWN(0), 0x0e3);
	emit_store(&cmds, PPGTT, TARGET_VA, 1);
	emit_wait_equal(&cmds, PPGTT, TARGET_VA + 64, 1);
	emit_store_index(&cmds, true, OWN(1), 0x0e4);
	set_own(work, 1, 0x1);
	seqno = ctx_request(&work->ctx, &cmds);
	engine_submit(work->engine, &work->ctx, NULL);
	engine_expect(work->engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	EXPECT(ram_wait(&work->guest.ram, work_dword(work, 0), 1, PATIENCE_MS));
	set_own(work, 1, 0x2);
	cmds = (struct cmds) { };
	ctx_request(&other, &cmds);
	engine_submit(work->engine, &other, NULL);
	engine_expect(work->engine, GEN9_CSB_PREEMPTED, &work->ctx);
	EXPECT(engine_drain(work->engine, PATIENCE_MS));
	expect_own(work, 0, 0x0e3);
	expect_own(work, 1, 0x2);
	ram_write(&work->guest.ram, work_dword(work, 16), 1);
	engine_submit(work->engine, &work->ctx, NULL);
	ctx_wait(&work->ctx, seqno);
	EXPECT(engine_drain(work->engine, PATIENCE_MS));
	expect_own(work, 1, 0x0e4);
}

static void index_later(void)
{
	work_on_each_engine(check_index_later);
}

/* The buffers that the render engine runs at each restore of a context. */
static void workarounds(void)
{
	static struct work work;
	struct cmds indirect = { }, per_ctx = { }, noop = { };
	struct page page;
	unsigned int i;

	work_start(&work, target(0), RCS, 4);
	emit_store(&indirect, GGTT, work.target.ggtt, 0x1d1);
	emit_lri(&indirect, gpr(&work, 2), 0x6e6);
	emit_noops(&indirect, 16 - indirect.count);
	page = guest_page(&work.guest, NULL, 0);
	memcpy(ram_cpu(&work.guest.ram, page.gpa), indirect.dw, 64);
	ram_write(&work.guest.ram, ctx_reg(&work.ctx, GEN9_CTX_INDIRECT_CTX), page.ggtt | 1);
	ram_write(&work.guest.ram, ctx_reg(&work.ctx, GEN9_CTX_INDIRECT_CTX_OFFSET), 0x26 << 6);

	emit_store(&per_ctx, GGTT, work.target.ggtt + 4, 0x9e1);
	emit_srm(&per_ctx, GGTT, gpr(&work, 2), work.target.ggtt + 8);
	page = guest_batch(&work.guest, NULL, 0, &per_ctx);
	ram_write(&work.guest.ram, ctx_reg(&work.ctx, GEN9_CTX_BB_PER_CTX_PTR), page.ggtt | 1);
	for (i = 0; i < 3; i++) {
		memset(ram_cpu(&work.guest.ram, work.target.gpa), 0, 16);
		ctx_run(&work.ctx, &noop);
		work_expect(&work, 0, 0x1d1);
		work_expect(&work, 1, 0x9e1);
		work_expect(&work, 2, 0x6e6);
	}
	work_stop(&work);
}

static u64 map_surface(struct work *work)
{
	u64 gpa = ram_alloc(&work->guest.ram, RAM_HIGH, SURFACE_PAGES * 4096, 4096);

	ppgtt_map_range(&work->pp, SURFACE_VA, gpa, SURFACE_PAGES);
	return gpa;
}

static u32 pixel(struct work *work, u64 gpa, unsigned int x, unsigned int y)
{
	return ram_read(&work->guest.ram, gpa + y * PITCH + 4 * x);
}

/* A rectangle is filled, another one gets a copy of it; what is around stays. */
static void blit(void)
{
	const struct rect fill = { SURFACE_VA, PITCH, 3, 2, 100, 20 };
	const struct rect to = { SURFACE_VA, PITCH, 120, 30, 50, 10 };
	const struct rect from = { SURFACE_VA, PITCH, 10, 5, 50, 10 };
	static struct work work;
	struct cmds cmds = { };
	u64 gpa;

	work_start(&work, target(0), BCS, 4);
	gpa = map_surface(&work);
	emit_fill(&cmds, &fill, 0xaabbccdd);
	emit_copy(&cmds, &to, &from);
	work_run_batch(&work, &cmds);
	EXPECT_EQ(pixel(&work, gpa, 3, 2), 0xaabbccdd);
	EXPECT_EQ(pixel(&work, gpa, 102, 21), 0xaabbccdd);
	EXPECT_EQ(pixel(&work, gpa, 2, 2), 0);
	EXPECT_EQ(pixel(&work, gpa, 103, 21), 0);
	EXPECT_EQ(pixel(&work, gpa, 120, 30), 0xaabbccdd);
	EXPECT_EQ(pixel(&work, gpa, 169, 39), 0xaabbccdd);
	EXPECT_EQ(pixel(&work, gpa, 170, 39), 0);
	EXPECT_EQ(pixel(&work, gpa, 119, 30), 0);
	work_stop(&work);
}

/* The whole surface, pixel by pixel. */
static void blit_pattern(void)
{
	static struct work work;
	struct cmds cmds = { };
	unsigned int y, x;
	u64 gpa;

	work_start(&work, target(0), BCS, 4);
	gpa = map_surface(&work);
	for (y = 0; y < ROWS; y++) {
		const struct rect row = { SURFACE_VA, PITCH, 0, y, PITCH / 4, 1 };

		emit_fill(&cmds, &row, 0x1000 + y);
	}
	work_run_batch(&work, &cmds);
	for (y = 0; y < ROWS; y++)
		for (x = 0; x < PITCH / 4; x++)
			EXPECT_EQ(pixel(&work, gpa, x, y), 0x1000 + y);
	work_stop(&work);
}

/* A ring that wraps many times, in one context. */
static void check_wrap(struct work *work)
{
	unsigned int i;

	for (i = 0; i < 40; i++) {
		struct cmds cmds = { };

		emit_noops(&cmds, 101 + i);
		emit_store(&cmds, PPGTT, TARGET_VA + 4 * i, i + 1);
		emit_noops(&cmds, 100);
		ctx_run(&work->ctx, &cmds);
	}
	for (i = 0; i < 40; i++)
		work_expect(work, i, i + 1);
}

static void wrap(void)
{
	work_on_each_engine(check_wrap);
}

/* All engines at once, from one address space. */
static void all_engines(void)
{
	static struct work work;
	static struct ctx ctx[ENGINES];
	u32 seqno[ENGINES];
	unsigned int id;

	work_start(&work, target(0), RCS, 4);
	for (id = 0; id < ENGINES; id++) {
		struct cmds cmds = { };

		ctx_init(&ctx[id], &work.guest.engine[id], &work.pp);
		emit_store(&cmds, PPGTT, TARGET_VA + 4 * id, 0xe0 + id);
		seqno[id] = ctx_request(&ctx[id], &cmds);
	}
	for (id = 0; id < ENGINES; id++)
		engine_submit(&work.guest.engine[id], &ctx[id], NULL);
	for (id = 0; id < ENGINES; id++) {
		ctx_wait(&ctx[id], seqno[id]);
		EXPECT(engine_drain(&work.guest.engine[id], PATIENCE_MS));
		work_expect(&work, id, 0xe0 + id);
	}
	work_stop(&work);
}

static const struct testcase tests[] = {
	{ "work-ring-ppgtt", ring_ppgtt },
	{ "work-ring-ggtt", ring_ggtt },
	{ "work-batch", batch },
	{ "work-chain", chain },
	{ "work-math", math },
	{ "work-registers", registers },
	{ "work-reload", reload },
	{ "work-flush", flush },
	{ "work-index", index_stores },
	{ "work-index-again", index_again },
	{ "work-index-later", index_later },
	{ "work-workarounds", workarounds },
	{ "work-blit", blit },
	{ "work-blit-pattern", blit_pattern },
	{ "work-ring-wrap", wrap },
	{ "work-all-engines", all_engines },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
