// SPDX-License-Identifier: GPL-2.0-only
/*
 * A guest with a context.
 */
#include <stdio.h>

#include "../ktap.h"
#include "program.h"
#include "work.h"

static void make(struct work *work, enum engine_id id, unsigned int levels)
{
	work->engine = &work->guest.engine[id];
	work->target_va = levels == 4 ? TARGET_VA : TARGET_VA_32;
	work->batch_va = levels == 4 ? BATCH_VA : BATCH_VA_32;
	ppgtt_init(&work->pp, &work->guest.ram, levels, PPGTT_SPARSE);
	ctx_init(&work->ctx, work->engine, &work->pp);
	work->target = guest_page(&work->guest, &work->pp, work->target_va);
}

void work_begin(struct work *work, enum engine_id id, unsigned int levels)
{
	guest_begin(&work->guest);
	make(work, id, levels);
}

void work_start(struct work *work, const char *name, enum engine_id id, unsigned int levels)
{
	vdev_open(&work->guest.dev, name);
	work_begin(work, id, levels);
}

static void renew(struct work *work, enum engine_id id)
{
	irq_fini(&work->guest.irq);
	guest_start(&work->guest);
	make(work, id, work->pp.levels);
}

void work_renew(struct work *work)
{
	renew(work, work->engine->id);
}

void work_stop(struct work *work)
{
	guest_close(&work->guest);
}

void work_batch(struct work *work, struct cmds *ring, struct cmds *cmds)
{
	struct page batch = guest_batch(&work->guest, &work->pp, work->batch_va, cmds);

	emit_batch(ring, PPGTT, batch.va);
	work->batch_va += 4096;
}

void work_run_batch(struct work *work, struct cmds *cmds)
{
	struct cmds ring = { };

	work_batch(work, &ring, cmds);
	ctx_run(&work->ctx, &ring);
}

u64 work_dword(const struct work *work, unsigned int dword)
{
	return work->target.gpa + 4 * dword;
}

void work_expect(struct work *work, unsigned int dword, u32 value)
{
	char what[64];

	snprintf(what, sizeof(what), "%s: dword %u of the target", work->engine->name, dword);
	guest_expect(&work->guest, work_dword(work, dword), value, what);
}

void work_store(struct work *work, u64 va, u32 value)
{
	struct cmds cmds = { };

	emit_flush_tlb(&cmds, work->target.ggtt + 4088);
	emit_store(&cmds, PPGTT, va, value);
	ctx_run(&work->ctx, &cmds);
}

void work_prove(struct work *work)
{
	struct cmds cmds = { };
	u32 value = 0x600d0000 | work->ctx.seqno;

	ram_write(&work->guest.ram, work_dword(work, 1000), 0);
	emit_store(&cmds, PPGTT, work->target_va + 4000, value);
	ctx_run(&work->ctx, &cmds);
	work_expect(work, 1000, value);
}

static void on_each_engine(void (*test)(struct work *work), unsigned int levels)
{
	static struct work work;
	unsigned int id;

	work_start(&work, target(0), RCS, levels);
	for (id = 0; id < ENGINES; id++) {
		if (id != RCS)
			renew(&work, id);
		test(&work);
	}
	work_stop(&work);
}

void work_on_each_engine(void (*test)(struct work *work))
{
	on_each_engine(test, 4);
}

void work_on_each_engine_32(void (*test)(struct work *work))
{
	on_each_engine(test, 3);
}
