// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page faults: see fault.h.
 */
#include <gvirt/gen9_fault.h>

#include "../ktap.h"
#include "fault.h"

static u32 fault_engine(const struct work *work)
{
	static const u32 number[ENGINES] = {
		[RCS] = GEN9_FAULT_ENGINE_RCS,
		[BCS] = GEN9_FAULT_ENGINE_BCS,
		[VCS] = GEN9_FAULT_ENGINE_VCS,
		[VECS] = GEN9_FAULT_ENGINE_VECS,
	};

	return number[work->engine->id];
}

void fault_start(struct work *work, u64 va)
{
	struct cmds batch = { }, ring = { };

	*ppgtt_entry(&work->pp, va, 12) = 0;
	emit_store(&batch, PPGTT, work->target_va, 1);
	emit_store(&batch, PPGTT, va, 2);
	work_batch(work, &ring, &batch);
	ram_write(&work->guest.ram, work_dword(work, 0), 0);
	ctx_request(&work->ctx, &ring);
	engine_submit(work->engine, &work->ctx, NULL);
	EXPECT(ram_wait(&work->guest.ram, work_dword(work, 0), 1, PATIENCE_MS));
}

void fault_expect(struct work *work, u64 va)
{
	struct vdev *dev = &work->guest.dev;
	u32 fault = vdev_read(dev, GEN9_RING_FAULT), data1 = vdev_read(dev, GEN9_FAULT_TLB_DATA1);

	EXPECT(fault & GEN9_FAULT_VALID);
	EXPECT_EQ((fault & GEN9_FAULT_ENGINE_MASK) >> GEN9_FAULT_ENGINE_SHIFT, fault_engine(work));
	EXPECT_EQ(vdev_read(dev, GEN9_FAULT_TLB_DATA0), (u32)(va >> GEN9_FAULT_DATA0_VA_SHIFT));
	EXPECT_EQ(data1, (u32)(va >> GEN9_FAULT_DATA1_VA_SHIFT));
	vdev_write(dev, GEN9_RING_FAULT, 0);
	EXPECT_EQ(vdev_read(dev, GEN9_RING_FAULT), 0);
}
