// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a driver dumps of an engine that does not go on: where it stands in ring and batches,
 * the command, page faults. Addresses are the guest's own.
 */
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_fault.h>
#include <gvirt/gen9_lrc.h>

#include "lib/fault.h"
#include "lib/program.h"
#include "lib/work.h"

/* No client 7 exists: the streamer cannot decode this. */
#define UNDECODABLE	0xffffffffu
/* Dwords of the target. */
#define RUNS		0
#define GATE		16
/* Bytes of the store that stands before what an engine stops at. */
#define STORE_BYTES	16

static u64 read64(struct work *work, u32 low, u32 high)
{
	u64 value = engine_read(work->engine, low);

	return value | (u64)engine_read(work->engine, high) << 32;
}

static u64 acthd(struct work *work)
{
	return read64(work, GEN9_RING_ACTHD, GEN9_RING_ACTHD_UDW);
}

/* The engine comes to a command and stays there. */
static void wait_at(struct work *work, u64 address)
{
	u64 end = vdev_now_ms() + PATIENCE_MS;

	while (acthd(work) != address)
		if (vdev_now_ms() > end) {
			engine_describe(work->engine);
			test_fail("%s: stands at %#llx, expected %#llx", work->engine->name,
				  (unsigned long long)acthd(work), (unsigned long long)address);
		}
}

static void expect_batch(struct work *work, u64 page, bool ppgtt)
{
	u64 address = read64(work, GEN9_RING_BB_ADDR, GEN9_RING_BB_ADDR_UDW);

	EXPECT(address & GEN9_BB_ADDR_VALID);
	EXPECT_EQ(address & ~4095ull, page);
	EXPECT_EQ(!!(engine_read(work->engine, GEN9_RING_BB_STATE) & GEN9_BB_STATE_PPGTT), ppgtt);
}

static void emit_stand(struct cmds *cmds)
{
	emit_store(cmds, PPGTT, TARGET_VA + 4 * RUNS, 1);
	emit_wait_equal(cmds, PPGTT, TARGET_VA + 4 * GATE, 1);
}

static u32 start(struct work *work, struct cmds *ring)
{
	u32 seqno = ctx_request(&work->ctx, ring);

	ram_write(&work->guest.ram, work_dword(work, RUNS), 0);
	ram_write(&work->guest.ram, work_dword(work, GATE), 0);
	engine_submit(work->engine, &work->ctx, NULL);
	EXPECT(ram_wait(&work->guest.ram, work_dword(work, RUNS), 1, PATIENCE_MS));
	return seqno;
}

static void finish(struct work *work, u32 seqno)
{
	ram_write(&work->guest.ram, work_dword(work, GATE), 1);
	ctx_wait(&work->ctx, seqno);
	EXPECT(engine_drain(work->engine, PATIENCE_MS));
}

static void check_ring(struct work *work)
{
	u64 begin = work->ctx.ring_ggtt + work->ctx.tail;
	struct cmds cmds = { };
	u32 seqno;

	emit_stand(&cmds);
	seqno = start(work, &cmds);
	wait_at(work, begin + STORE_BYTES);
	EXPECT_EQ(engine_read(work->engine, GEN9_RING_IPEHR), cmds.dw[STORE_BYTES / 4]);
	EXPECT(!(engine_read(work->engine, GEN9_RING_BB_ADDR) & GEN9_BB_ADDR_VALID));
	finish(work, seqno);
}

static void in_ring(void)
{
	work_on_each_engine(check_ring);
}

static void check_batch(struct work *work)
{
	struct cmds batch = { }, ring = { };
	u64 va = work->batch_va;
	u32 seqno;

	emit_stand(&batch);
	work_batch(work, &ring, &batch);
	seqno = start(work, &ring);
	wait_at(work, va + STORE_BYTES);
	EXPECT_EQ(engine_read(work->engine, GEN9_RING_IPEHR), batch.dw[STORE_BYTES / 4]);
	expect_batch(work, va, true);
	finish(work, seqno);
}

static void in_batch(void)
{
	work_on_each_engine(check_batch);
}

/* A batch with privilege: gvirt runs a copy of it. */
static void check_privileged(struct work *work)
{
	struct cmds batch = { }, ring = { };
	struct page page;
	u32 seqno;

	emit_stand(&batch);
	page = guest_batch(&work->guest, NULL, 0, &batch);
	emit_batch(&ring, GGTT, page.ggtt);
	seqno = start(work, &ring);
	wait_at(work, page.ggtt + STORE_BYTES);
	expect_batch(work, page.ggtt, false);
	finish(work, seqno);
}

static void in_privileged(void)
{
	work_on_each_engine(check_privileged);
}

/*
 * The neighbour wants the engine, which does not let go: gvirt resets it. The neighbour sees
 * nothing of what was going on.
 */
static void wait_lost(struct work *work)
{
	static struct work neighbour;

	engine_write(work->engine, GEN9_RING_EIR, ~0u);
	EXPECT_EQ(engine_read(work->engine, GEN9_RING_EIR) & GEN9_ERROR_INSTRUCTION, 0);
	work_start(&neighbour, target(1), work->engine->id, 4);
	work_prove(&neighbour);
	EXPECT(vdev_wait(&work->guest.dev, work->engine->base + GEN9_RING_EIR,
			 GEN9_ERROR_INSTRUCTION, GEN9_ERROR_INSTRUCTION, PATIENCE_MS));
	EXPECT_EQ(read64(&neighbour, GEN9_RING_BB_ADDR, GEN9_RING_BB_ADDR_UDW) &
		  GEN9_BB_ADDR_VALID, 0);
	EXPECT_EQ(vdev_read(&neighbour.guest.dev, GEN9_RING_FAULT), 0);
	work_stop(&neighbour);
}

static void wait_error(struct work *work)
{
	if (target_virtual())
		EXPECT(vdev_wait(&work->guest.dev, work->engine->base + GEN9_RING_EIR,
				 GEN9_ERROR_INSTRUCTION, GEN9_ERROR_INSTRUCTION, PATIENCE_MS));
}

static void recover(struct work *work)
{
	engine_reset(work->engine);
	ctx_reset(&work->ctx);
	work_prove(work);
}

/* A command that cannot be decoded: where, and what; also when the host has reset the engine. */
static void check_undecodable(struct work *work)
{
	struct cmds batch = { }, ring = { };
	u64 va = work->batch_va;

	emit_store(&batch, PPGTT, TARGET_VA + 4 * RUNS, 1);
	emit_dword(&batch, UNDECODABLE);
	work_batch(work, &ring, &batch);
	start(work, &ring);
	wait_at(work, va + STORE_BYTES);
	wait_error(work);
	if (target_virtual())
		wait_lost(work);
	EXPECT_EQ(acthd(work), va + STORE_BYTES);
	EXPECT_EQ(engine_read(work->engine, GEN9_RING_IPEHR), UNDECODABLE);
	EXPECT(engine_read(work->engine, GEN9_RING_IPEIR) & GEN9_IPEIR_BATCH);
	expect_batch(work, va, true);
	recover(work);
}

static void undecodable(void)
{
	work_on_each_engine(check_undecodable);
}

/* Seen while the engine stands there, and when it was reset before the guest looked. */
static void check_fault(struct work *work)
{
	u64 va = TARGET_VA + 0x7000;

	fault_start(work, va);
	wait_at(work, work->batch_va - 4096 + STORE_BYTES);
	fault_expect(work, va);
	recover(work);
	fault_start(work, va + 0x1000);
	wait_lost(work);
	fault_expect(work, va + 0x1000);
	EXPECT_EQ(acthd(work), work->batch_va - 4096 + STORE_BYTES);
	recover(work);
}

static void fault(void)
{
	if (!target_virtual())
		test_skip("the chip's driver has no invalid entries: the model counts them as misuse");
	work_on_each_engine(check_fault);
}

static const struct testcase tests[] = {
	{ "dump-ring", in_ring },
	{ "dump-batch", in_batch },
	{ "dump-privileged", in_privileged },
	{ "dump-undecodable", undecodable },
	{ "dump-fault", fault },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
