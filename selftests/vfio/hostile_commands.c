// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands that no guest may execute, in rings and batches; batches that are not there.
 */
#include <stdlib.h>
#include <string.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "hostile.h"
#include "lib/reg.h"

/* How long a request is waited for that does not end. */
#define SAMPLE_MS	20

static void ring_garbage(void)
{
	struct cmds cmds = { };

	emit_dword(&cmds, 0xffffffff);
	emit_noops(&cmds, 7);
	hostile_submit(&cmds);
}

static void ring_random(void)
{
	struct cmds cmds = { };
	unsigned int i;

	srandom(vandal.engine->id + 1);
	for (i = 0; i < 200; i++)
		emit_dword(&cmds, (u32)random() * 2654435761u);
	hostile_submit(&cmds);
}

/* A command whose length goes beyond the tail. */
static void ring_too_long(void)
{
	struct cmds cmds = { };

	emit_dword(&cmds, GEN9_MI_STORE_DATA_IMM | GEN9_CMD_LENGTH_10);
	emit_noops(&cmds, 3);
	hostile_submit(&cmds);
}

static void ring_update_gtt(void)
{
	struct cmds cmds = { };

	emit_dword(&cmds, GEN9_MI_UPDATE_GTT | 1);
	emit_dword(&cmds, 0);
	emit_dword(&cmds, 1);
	hostile_submit(&cmds);
}

static void ring_privileged_loads(void)
{
	struct cmds cmds = { };

	hostile_loads(&cmds);
	hostile_submit(&cmds);
}

static void ggtt_batch_privileged_loads(void)
{
	struct cmds cmds = { };

	hostile_loads(&cmds);
	hostile_batch(&cmds, GGTT);
}

static void own_batch_privileged_loads(void)
{
	struct cmds cmds = { };

	hostile_loads(&cmds);
	hostile_batch(&cmds, PPGTT);
}

/* One register a time, so that a refusal of the first does not save the others. */
static void each_privileged_load(void)
{
	static const u32 regs[] = {
		GEN9_RING_HWS_PGA, GEN9_RING_GFX_MODE, GEN9_RING_MI_MODE, GEN9_RING_ELSP,
		GEN9_RING_CONTEXT_STATUS_PTR, GEN9_RING_TAIL, GEN9_RING_START, GEN9_RING_CTL,
		GEN9_RING_CONTEXT_CONTROL, GEN9_RING_CCID, GEN9_RING_PSMI_CTL,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		struct cmds cmds = { };

		emit_lri(&cmds, vandal.engine->base + regs[i], 0xffff0000);
		hostile_submit(&cmds);
		if (!engine_drain(vandal.engine, HOSTILE_MS))
			engine_reset(vandal.engine);
		ctx_reset(&vandal.ctx);
		work_prove(&neighbour);
	}
	work_prove(&vandal);
}

/*
 * Registers of the module's own table that commands may not write, from all of it: the unit tests
 * have each of them, here is a sample on the way through the whole module.
 */
static bool may_not_write(const struct gvirt_reg *row)
{
	return !(row->flags & GVIRT_REG_CMD_WRITE);
}

static void load_sample(const struct gvirt_reg_rows *rows, u32 base, unsigned int step)
{
	unsigned int i;

	for (i = vandal.engine->id; i < rows->count; i += step) {
		struct cmds cmds = { };

		if (!may_not_write(&rows->row[i]))
			continue;
		emit_lri(&cmds, base + rows->row[i].first, ~0u);
		hostile_submit(&cmds);
		if (engine_drain(vandal.engine, SAMPLE_MS))
			test_fail("a ring wrote %s", rows->row[i].name);
		engine_reset(vandal.engine);
		ctx_reset(&vandal.ctx);
	}
	work_prove(&neighbour);
}

static void denied_registers(void)
{
	load_sample(gvirt_regs_gen9.engine, vandal.engine->base, 5);
	load_sample(gvirt_regs_gen9.global, 0, 13);
	load_sample(gvirt_regs_gen9.display, 0, 37);
}

/* Batches. */

static void batch_nowhere(void)
{
	struct cmds cmds = { };

	emit_batch(&cmds, PPGTT, 0x123456789000ull);
	hostile_submit(&cmds);
}

static void ggtt_batch_nowhere(void)
{
	struct cmds cmds = { };

	emit_batch(&cmds, GGTT, HOSTILE_GGTT);
	hostile_submit(&cmds);
}

static void ggtt_batch_no_end(void)
{
	struct cmds cmds = { };
	u32 address = ggtt_bind(&vandal.guest.ggtt, ram_page(&vandal.guest.ram), 1);

	emit_batch(&cmds, GGTT, address);
	hostile_submit(&cmds);
}

/* A privileged batch that starts itself. */
static void ggtt_batch_loop(void)
{
	struct page page = guest_page(&vandal.guest, NULL, 0);
	struct cmds loop = { }, cmds = { };

	emit_batch(&loop, GGTT, page.ggtt);
	memcpy(ram_cpu(&vandal.guest.ram, page.gpa), loop.dw, 4 * loop.count);
	emit_batch(&cmds, GGTT, page.ggtt);
	hostile_submit(&cmds);
}

static void own_batch_garbage(void)
{
	struct cmds cmds = { };

	emit_dword(&cmds, 0xffffffff);
	emit_noops(&cmds, 20);
	hostile_batch(&cmds, PPGTT);
}

/* A store to where the context has no memory: a page fault. */
static void store_nowhere(void)
{
	struct cmds cmds = { };

	emit_store(&cmds, PPGTT, 0x00007654fff00000ull, 0xbad);
	hostile_batch(&cmds, PPGTT);
}

static void wait_forever(void)
{
	struct cmds cmds = { };

	emit_wait_equal(&cmds, GGTT, HOSTILE_GGTT, 0x12345);
	hostile_submit(&cmds);
}

HOSTILE(ring_garbage)
HOSTILE(ring_random)
HOSTILE(ring_too_long)
HOSTILE(ring_update_gtt)
HOSTILE(ring_privileged_loads)
HOSTILE(ggtt_batch_privileged_loads)
HOSTILE(own_batch_privileged_loads)
HOSTILE(each_privileged_load)
HOSTILE(denied_registers)
HOSTILE(batch_nowhere)
HOSTILE(ggtt_batch_nowhere)
HOSTILE(ggtt_batch_no_end)
HOSTILE(ggtt_batch_loop)
HOSTILE(own_batch_garbage)
HOSTILE(store_nowhere)
HOSTILE(wait_forever)

static const struct testcase tests[] = {
	{ "hostile-ring-garbage", test_ring_garbage },
	{ "hostile-ring-random", test_ring_random },
	{ "hostile-ring-too-long", test_ring_too_long },
	{ "hostile-ring-update-gtt", test_ring_update_gtt },
	{ "hostile-ring-privileged-loads", test_ring_privileged_loads },
	{ "hostile-ggtt-batch-privileged-loads", test_ggtt_batch_privileged_loads },
	{ "hostile-own-batch-privileged-loads", test_own_batch_privileged_loads },
	{ "hostile-each-privileged-load", test_each_privileged_load },
	{ "hostile-denied-registers", test_denied_registers },
	{ "hostile-batch-nowhere", test_batch_nowhere },
	{ "hostile-ggtt-batch-nowhere", test_ggtt_batch_nowhere },
	{ "hostile-ggtt-batch-no-end", test_ggtt_batch_no_end },
	{ "hostile-ggtt-batch-loop", test_ggtt_batch_loop },
	{ "hostile-own-batch-garbage", test_own_batch_garbage },
	{ "hostile-store-nowhere", test_store_nowhere },
	{ "hostile-wait-forever", test_wait_forever },
};

const struct testgroup hostile_command_tests = { tests, ARRAY_SIZE(tests) };
