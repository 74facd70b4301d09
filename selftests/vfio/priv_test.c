// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a batch in a context's own address space must not do: everything that only a ring may.
 * The chip confines such batches, nobody audits them; what a guest can set to loosen that
 * (FORCE_TO_NONPRIV, mode registers) is under audit.
 *
 * Source of the rules: see tools/gpumodel/cs_privilege.c.
 */
#include <string.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_reset.h>

#include "lib/program.h"
#include "lib/reg.h"
#include "lib/work.h"

#define LENGTH(dwords)	((dwords) - GEN9_CMD_LENGTH_BIAS)
#define PATTERN		0x5a5a5a5au
#define PER_BATCH	80u		/* registers */

/* Commands that only a ring may use, with the address of a dword that they would change. */

static void emit_at(struct cmds *cmds, u32 header, unsigned int dwords, u32 address)
{
	emit_dword(cmds, header | LENGTH(dwords));
	emit_dword(cmds, address);
	emit_noops(cmds, dwords - 2);
}

static void store(struct cmds *cmds, const struct work *work)
{
	emit_store(cmds, GGTT, work->target.ggtt, 0xbad);
}

static void store_register(struct cmds *cmds, const struct work *work)
{
	emit_srm(cmds, GGTT, work->engine->base + GEN9_RING_CS_GPR(0), work->target.ggtt);
}

static void copy(struct cmds *cmds, const struct work *work)
{
	emit_copy_dword(cmds, GGTT, work->target.ggtt, work->target.ggtt + 64);
}

static void increment(struct cmds *cmds, const struct work *work)
{
	emit_increment(cmds, GGTT, work->target.ggtt);
}

static void flush(struct cmds *cmds, const struct work *work)
{
	if (work->engine->id == RCS)
		emit_pipe_control(cmds, 0, GGTT, work->target.ggtt, 0xbad);
	else
		emit_flush(cmds, GGTT, work->target.ggtt, 0xbad);
}

static void flush_by_index(struct cmds *cmds, const struct work *work)
{
	emit_end_by_index(cmds, work->engine->id == RCS, 0x800, 0xbad);
}

static void store_by_index(struct cmds *cmds, const struct work *work)
{
	(void)work;
	emit_store_index(cmds, false, 0x800, 0xbad);
	emit_store_index(cmds, true, 0x800, 0xbad);
}

static void report(struct cmds *cmds, const struct work *work)
{
	if (work->engine->id == RCS)
		emit_at(cmds, GEN9_MI_REPORT_PERF_COUNT, 4,
			work->target.ggtt | GEN9_MI_REPORT_PERF_GGTT);
}

/* Entries of all pages that the guest or its host could have. */
static void update_ggtt(struct cmds *cmds, const struct work *work)
{
	u32 page;

	for (page = 0; page < 64; page++)
		emit_at(cmds, GEN9_MI_UPDATE_GTT, 3, page * 4096);
	emit_at(cmds, GEN9_MI_UPDATE_GTT, 3, work->target.ggtt);
}

/* It would wait for ever. */
static void wait(struct cmds *cmds, const struct work *work)
{
	emit_wait_equal(cmds, GGTT, work->target.ggtt, 0x12345);
}

static void arbitration(struct cmds *cmds, const struct work *work)
{
	(void)work;
	emit_arb(cmds, false);
}

static const struct {
	const char *name;
	void (*emit)(struct cmds *cmds, const struct work *work);
} privileged[] = {
	{ "a store", store },
	{ "a store of a register", store_register },
	{ "a copy", copy },
	{ "an increment", increment },
	{ "a flush", flush },
	{ "a flush by index", flush_by_index },
	{ "a store by index", store_by_index },
	{ "a report", report },
	{ "an update of the table", update_ggtt },
	{ "a wait", wait },
	{ "no arbitration", arbitration },
};

/* The rest of the batch is executed. */
static void check_commands(struct work *work)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(privileged); i++) {
		struct cmds cmds = { };

		memset(ram_cpu(&work->guest.ram, work->target.gpa), 0x11, 128);
		privileged[i].emit(&cmds, work);
		emit_store(&cmds, PPGTT, work->target_va + 256, i);
		work_run_batch(work, &cmds);
		guest_expect(&work->guest, work_dword(work, 0), 0x11111111, privileged[i].name);
		work_expect(work, 64, i);
		guest_expect(&work->guest, work->engine->status_gpa + 0x800, 0, "the status page");
	}
	work_prove(work);
}

static void commands(void)
{
	work_on_each_engine(check_commands);
}

/* A batch in the global GTT that it starts: there is something else at that address of its own. */
static void check_batch(struct work *work)
{
	struct cmds there = { }, here = { }, cmds = { };
	struct page page;
	u32 reg = work->engine->base + GEN9_RING_HWSTAM;

	emit_lri(&there, reg, PATTERN);
	emit_store(&there, GGTT, work->target.ggtt, 0xbad);
	page = guest_batch(&work->guest, NULL, 0, &there);
	emit_lri(&here, reg, PATTERN);
	emit_store(&here, PPGTT, work->target_va + 4, 0x600d);
	guest_batch(&work->guest, &work->pp, page.ggtt, &here);
	emit_batch(&cmds, GGTT, page.ggtt);
	emit_noops(&cmds, 1);
	ram_write(&work->guest.ram, work_dword(work, 0), 0);
	work_run_batch(work, &cmds);
	work_expect(work, 0, 0);
	work_expect(work, 1, 0x600d);
	EXPECT(engine_read(work->engine, GEN9_RING_HWSTAM) != PATTERN);
}

static void batch(void)
{
	work_on_each_engine(check_batch);
}

/* Registers. */

static void add_register(struct cmds *cmds, struct work *work, u32 reg, unsigned int n)
{
	emit_lri(cmds, reg, PATTERN);
	emit_srm(cmds, PPGTT, reg, work->target_va + 4 * n);
}

/*
 * What a batch can change outlives it only in its own context, or is switched between vGPUs.
 */
static bool is_private(u32 reg)
{
	struct gvirt_reg_ref ref = gvirt_reg_find(&gvirt_regs_gen9, reg);

	return ref.row->flags & (GVIRT_REG_CONTEXT | GVIRT_REG_SWITCH);
}

static void check_some(struct work *work, struct cmds *cmds, const u32 *regs, unsigned int count)
{
	unsigned int i;
	u32 seen;

	work->batch_va = BATCH_VA;
	work_run_batch(work, cmds);
	for (i = 0; i < count; i++) {
		seen = ram_read(&work->guest.ram, work_dword(work, i));
		if ((seen == PATTERN || seen == (PATTERN & 0xffff)) && !is_private(regs[i]))
			test_fail("%s: a batch wrote register %#x", work->engine->name, regs[i]);
	}
	cmds->count = 0;
}

struct sweep {
	struct work *work;
	struct cmds cmds;
	u32 regs[PER_BATCH];
	unsigned int count;
	unsigned int total;
};

static void sweep_register(struct sweep *sweep, u32 reg)
{
	add_register(&sweep->cmds, sweep->work, reg, sweep->count);
	sweep->regs[sweep->count++] = reg;
	sweep->total++;
	if (sweep->count < PER_BATCH)
		return;
	check_some(sweep->work, &sweep->cmds, sweep->regs, sweep->count);
	sweep->count = 0;
}

/* The first and the last register of each row, in each window. */
static void sweep_rows(struct sweep *sweep, const struct gvirt_reg_rows *rows)
{
	const struct gvirt_reg_table *table = &gvirt_regs_gen9;
	unsigned int i, engine;

	for (i = 0; i < rows->count; i++)
		for (engine = 0; engine < table->engines; engine++) {
			const struct gvirt_reg *row = &rows->row[i];
			bool windows = row->flags & GVIRT_REG_ENGINE;
			u32 base = windows ? table->base[engine] : 0;

			if (windows ? !(row->engines & 1u << engine) : engine)
				continue;
			sweep_register(sweep, base + row->first);
			if (row->last != row->first)
				sweep_register(sweep, base + row->last);
		}
}

static void check_registers(struct work *work)
{
	static struct sweep sweep;

	sweep = (struct sweep) { .work = work };
	sweep_rows(&sweep, gvirt_regs_gen9.engine);
	sweep_rows(&sweep, gvirt_regs_gen9.global);
	sweep_rows(&sweep, gvirt_regs_gen9.display);
	check_some(work, &sweep.cmds, sweep.regs, sweep.count);
	EXPECT(sweep.total > 300);
	work_prove(work);
}

static void registers(void)
{
	if (!target_virtual())
		test_skip("the chip's display is not there for commands");
	work_on_each_engine(check_registers);
}

/*
 * A ring may read what its vGPU has, and gets that: not the chip's, in which the host's
 * addresses and masks are.
 */
static void check_reads(struct work *work)
{
	static const u32 regs[] = {
		GEN9_RING_HWS_PGA, GEN9_RING_IMR, GEN9_RING_HWSTAM, GEN9_RING_FORCE_TO_NONPRIV(11),
		GEN9_RING_GFX_MODE,
	};
	struct cmds cmds = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++)
		emit_srm(&cmds, i % 2 ? PPGTT : GGTT, work->engine->base + regs[i],
			 (i % 2 ? work->target_va : work->target.ggtt) + 4 * i);
	memset(ram_cpu(&work->guest.ram, work->target.gpa), 0x11, 4 * ARRAY_SIZE(regs));
	ctx_run(&work->ctx, &cmds);
	for (i = 0; i < ARRAY_SIZE(regs); i++)
		work_expect(work, i, engine_read(work->engine, regs[i]));
}

static void reads(void)
{
	work_on_each_engine(check_reads);
}

/* Whatever the guest puts into the slots, and into the modes of its engine. */
static void check_nonpriv(struct work *work)
{
	const u32 base = work->engine->base;
	const u32 wanted[] = {
		GEN9_GDRST, GEN9_MASTER_IRQ, GEN9_FORCEWAKE_RENDER, base + GEN9_RING_HWS_PGA,
		base + GEN9_RING_GFX_MODE, base + GEN9_RING_MI_MODE, base + GEN9_RING_HWSTAM,
		base + GEN9_RING_IMR, base + GEN9_RING_PDP_LDW(0), base + GEN9_RING_ELSP,
		base + GEN9_RING_FORCE_TO_NONPRIV(0), GEN9_RCS_BASE + GEN9_RING_HWSTAM,
	};
	struct cmds cmds = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wanted); i++)
		engine_write(work->engine, GEN9_RING_FORCE_TO_NONPRIV(i), wanted[i]);
	for (i = 0; i < ARRAY_SIZE(wanted); i++)
		add_register(&cmds, work, wanted[i], i);
	check_some(work, &cmds, wanted, ARRAY_SIZE(wanted));
	work_prove(work);
}

static void nonpriv(void)
{
	if (!target_virtual())
		test_skip("the chip takes what its driver writes");
	work_on_each_engine(check_nonpriv);
}

static void check_modes(struct work *work)
{
	static const u32 modes[] = { 0xffff0000, 0x7fff7fff, 0x02000000, 0x02800280, 0xffffffff };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		engine_write(work->engine, GEN9_RING_GFX_MODE, modes[i]);
		engine_write(work->engine, GEN9_RING_GFX_MODE,
			     vdev_set_bits(GEN9_GFX_RUN_LIST_ENABLE));
		check_commands(work);
	}
}

static void mode_registers(void)
{
	if (!target_virtual())
		test_skip("the chip takes what its driver writes");
	work_on_each_engine(check_modes);
}

static const struct testcase tests[] = {
	{ "priv-commands", commands },
	{ "priv-batch", batch },
	{ "priv-registers", registers },
	{ "priv-reads", reads },
	{ "priv-nonpriv", nonpriv },
	{ "priv-modes", mode_registers },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
