// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hostile guest from inside: runs in a guest whose stock driver has let go of the vGPU, and plays
 * a driver that wants out. Nothing here may work out, the engine works after a reset, and the stock
 * driver has the vGPU back afterwards. What it costs the neighbour and the host, they have to tell.
 */
#include <string.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>
#include <gvirt/gen9_reset.h>

#include "ktap.h"
#include "lib/program.h"
#include "lib/reg.h"
#include "lib/work.h"

#define HOSTILE_MS	100
#define HOSTILE_VA	0x0000004567000000ull
#define HOSTILE_GGTT	0x00081000u
/* Beyond the memory of any guest of these tests, but not of the machine's addresses. */
#define BEYOND		0x0000004000000000ull

static struct work work;

static void submit(const struct cmds *cmds)
{
	ctx_request(&work.ctx, cmds);
	engine_submit(work.engine, &work.ctx, NULL);
}

static void run_on(void (*hostile)(void), enum engine_id id)
{
	work_start(&work, target(0), id, 4);
	work_prove(&work);
	hostile();
	engine_drain(work.engine, HOSTILE_MS);
	engine_reset_all(work.guest.engine);
	ppgtt_init(&work.pp, &work.guest.ram, 4, PPGTT_SPARSE);
	ppgtt_map(&work.pp, work.target_va, work.target.gpa, GEN9_PAGE_SHIFT_4K);
	ctx_init(&work.ctx, work.engine, &work.pp);
	work_prove(&work);
	work_stop(&work);
}

static void run(void (*hostile)(void))
{
	run_on(hostile, RCS);
	run_on(hostile, BCS);
}

#define HOSTILE(name)			\
static void test_##name(void)		\
{					\
	run(name);			\
}

/* Registers. */

static void write_denied(const struct gvirt_reg_rows *rows, u32 base)
{
	unsigned int i;
	u32 offset;

	for (i = 0; i < rows->count; i++) {
		const struct gvirt_reg *row = &rows->row[i];

		if (row->class != GVIRT_REG_DENY)
			continue;
		offset = base + row->first;
		vdev_write(&work.guest.dev, offset, ~0u);
		if (vdev_read(&work.guest.dev, offset) != row->reset)
			test_fail("register %#x, which is denied, took a value", offset);
	}
}

static void denied_registers(void)
{
	write_denied(gvirt_regs_gen9.global, 0);
	write_denied(gvirt_regs_gen9.display, 0);
	write_denied(gvirt_regs_gen9.engine, work.engine->base);
}

/* Nothing is known there. */
static void unknown_registers(void)
{
	u32 offset;

	for (offset = 0; offset < GEN9_GTTMMADR_GGTT; offset += 0x2004)
		if (!gvirt_reg_find(&gvirt_regs_gen9, offset).row)
			vdev_write(&work.guest.dev, offset, 0xbad);
}

static void ring_loads(void)
{
	const u32 base = work.engine->base;
	struct cmds cmds = { };

	emit_lri(&cmds, base + GEN9_RING_HWS_PGA, 0x1000);
	emit_lri(&cmds, base + GEN9_RING_PDP_LDW(0), 0x1000);
	emit_lri(&cmds, base + GEN9_RING_FORCE_TO_NONPRIV(0), GEN9_GDRST);
	emit_lri(&cmds, GEN9_GDRST, GEN9_GDRST_FULL);
	emit_lri(&cmds, GEN9_MASTER_IRQ, 0);
	emit_lri(&cmds, GEN9_FENCE_LO(0), 1);
	submit(&cmds);
}

/* Tables. */

static void ggtt_beyond(void)
{
	struct cmds cmds = { };
	unsigned int i;

	for (i = 0; i < 64; i++)
		ggtt_write(&work.guest.ggtt, HOSTILE_GGTT + i * 4096,
			   (BEYOND + ((u64)i << 24)) | GEN9_GGTT_PRESENT);
	ggtt_flush(&work.guest.ggtt);
	for (i = 0; i < 64; i++)
		emit_store(&cmds, GGTT, HOSTILE_GGTT + i * 4096, 0xbad);
	submit(&cmds);
}

static void ring_beyond(void)
{
	ggtt_map(&work.guest.ggtt, work.ctx.ring_ggtt, BEYOND, 1);
	engine_submit_raw(work.engine, ctx_descriptor(&work.ctx), 0);
}

static void store_to(u64 va)
{
	struct cmds cmds = { };

	emit_store(&cmds, PPGTT, va, 0xbad);
	submit(&cmds);
}

static void tables_of_themselves(void)
{
	u64 *root = ppgtt_table(&work.pp, 0, GEN9_PML4E_INDEX_SHIFT);
	unsigned int i;

	for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
		root[i] = work.pp.pdp[0] | GEN9_PTE_PRESENT | GEN9_PTE_RW;
	store_to(HOSTILE_VA);
}

static void pages_beyond(void)
{
	*ppgtt_entry(&work.pp, HOSTILE_VA, GEN9_PAGE_SHIFT_4K) = BEYOND | 3;
	*ppgtt_entry(&work.pp, 2 * HOSTILE_VA, GEN9_PAGE_SHIFT_2M) = BEYOND | 3 | GEN9_PDE_PS;
	store_to(HOSTILE_VA);
	store_to(2 * HOSTILE_VA);
}

/* Batches that start each other for ever: until the guest or the host resets the engine. */
static void batch_loop(enum space space)
{
	struct cmds ring = { }, batch = { };
	struct page page[2];
	unsigned int i;

	for (i = 0; i < 2; i++)
		page[i] = guest_page(&work.guest, &work.pp, work.batch_va + i * 4096);
	for (i = 0; i < 2; i++) {
		batch.count = 0;
		emit_batch(&batch, space, space == GGTT ? page[!i].ggtt : page[!i].va);
		memcpy(ram_cpu(&work.guest.ram, page[i].gpa), batch.dw, batch.count * sizeof(u32));
	}
	emit_batch(&ring, space, space == GGTT ? page[0].ggtt : page[0].va);
	submit(&ring);
}

static void own_batches_loop(void)
{
	batch_loop(PPGTT);
}

static void ggtt_batches_loop(void)
{
	batch_loop(GGTT);
}

HOSTILE(denied_registers)
HOSTILE(unknown_registers)
HOSTILE(ring_loads)
HOSTILE(ggtt_beyond)
HOSTILE(ring_beyond)
HOSTILE(tables_of_themselves)
HOSTILE(pages_beyond)
HOSTILE(own_batches_loop)
HOSTILE(ggtt_batches_loop)

int main(int argc, char **argv)
{
	static const struct testcase tests[] = {
		{ "inside-denied-registers", test_denied_registers },
		{ "inside-unknown-registers", test_unknown_registers },
		{ "inside-ring-loads", test_ring_loads },
		{ "inside-ggtt-beyond", test_ggtt_beyond },
		{ "inside-ring-beyond", test_ring_beyond },
		{ "inside-tables-of-themselves", test_tables_of_themselves },
		{ "inside-pages-beyond", test_pages_beyond },
		{ "inside-own-batches-loop", test_own_batches_loop },
		{ "inside-ggtt-batches-loop", test_ggtt_batches_loop },
	};

	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
