// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an engine is doing: see state.h.
 *
 * An engine that runs moves on while its registers are read. What belongs together is
 * read until it stood still, a few times at most; one that hangs stands still.
 *
 * Sources: Linux i915, i915_gpu_error.c (what is of use after a hang), gt/intel_gt.c
 * (which fault is whose; how it is cleared).
 */
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_fault.h>
#include "context.h"
#include "mmio.h"
#include "state.h"

#define TRIES	3

/**
 * struct place - Where the streamer is
 * @first: batch that the ring started
 * @second: batch that @first called
 * @acthd: address of the current command
 */
struct place {
	struct gvirt_engine_batch first;
	struct gvirt_engine_batch second;
	u64 acthd;
};

static u64 read64(struct gvirt_mmio *mmio, u32 low, u32 high)
{
	return (u64)gvirt_mmio_read_raw(mmio, high) << 32 | gvirt_mmio_read_raw(mmio, low);
}

static void read_place(struct gvirt_mmio *mmio, u32 base, struct place *place)
{
	*place = (struct place) {
		.first = {
			.address = read64(mmio, base + GEN9_RING_BB_ADDR,
					  base + GEN9_RING_BB_ADDR_UDW),
			.state = gvirt_mmio_read_raw(mmio, base + GEN9_RING_BB_STATE),
		},
		.second = {
			.address = read64(mmio, base + GEN9_RING_SBB_ADDR,
					  base + GEN9_RING_SBB_ADDR_UDW),
			.state = gvirt_mmio_read_raw(mmio, base + GEN9_RING_SBB_STATE),
		},
		.acthd = read64(mmio, base + GEN9_RING_ACTHD, base + GEN9_RING_ACTHD_UDW),
	};
}

static bool same_batch(const struct gvirt_engine_batch *a, const struct gvirt_engine_batch *b)
{
	return a->address == b->address && a->state == b->state;
}

static bool same_place(const struct place *a, const struct place *b)
{
	return same_batch(&a->first, &b->first) && same_batch(&a->second, &b->second) &&
	       a->acthd == b->acthd;
}

static void read_once(struct gvirt_mmio *mmio, u32 base, struct gvirt_engine_dump *state)
{
	struct place before, after;

	read_place(mmio, base, &before);
	state->first_start = read64(mmio, base + GEN9_RING_BB_START_ADDR,
				    base + GEN9_RING_BB_START_ADDR_UDW);
	state->fetch = read64(mmio, base + GEN9_RING_DMA_FADD, base + GEN9_RING_DMA_FADD_UDW);
	state->head = gvirt_mmio_read_raw(mmio, base + GEN9_RING_HEAD);
	state->tail = gvirt_mmio_read_raw(mmio, base + GEN9_RING_TAIL);
	state->ipeir = gvirt_mmio_read_raw(mmio, base + GEN9_RING_IPEIR);
	state->ipehr = gvirt_mmio_read_raw(mmio, base + GEN9_RING_IPEHR);
	state->instdone = gvirt_mmio_read_raw(mmio, base + GEN9_RING_INSTDONE);
	state->instps = gvirt_mmio_read_raw(mmio, base + GEN9_RING_INSTPS);
	state->timestamp = gvirt_mmio_read_raw(mmio, base + GEN9_RING_CTX_TIMESTAMP);
	state->eir = gvirt_mmio_read_raw(mmio, base + GEN9_RING_EIR);
	state->context = gvirt_mmio_read_raw(mmio, base + GEN9_RING_EXECLIST_STATUS_HI);
	read_place(mmio, base, &after);
	state->first = after.first;
	state->second = after.second;
	state->acthd = after.acthd;
	state->steady = same_place(&before, &after);
}

static u32 fault_engine(enum gvirt_engine_id engine)
{
	static const u32 number[GVIRT_ENGINES] = {
		[GVIRT_RCS] = GEN9_FAULT_ENGINE_RCS,
		[GVIRT_BCS] = GEN9_FAULT_ENGINE_BCS,
		[GVIRT_VCS] = GEN9_FAULT_ENGINE_VCS,
		[GVIRT_VECS] = GEN9_FAULT_ENGINE_VECS,
	};

	return number[engine];
}

static void take_fault(struct gvirt_mmio *mmio, enum gvirt_engine_id engine,
		       struct gvirt_engine_fault *fault)
{
	u32 reg = gvirt_mmio_read(mmio, GEN9_RING_FAULT);

	if (!(reg & GEN9_FAULT_VALID) ||
	    (reg & GEN9_FAULT_ENGINE_MASK) >> GEN9_FAULT_ENGINE_SHIFT != fault_engine(engine))
		return;
	fault->reg = reg;
	fault->data[0] = gvirt_mmio_read(mmio, GEN9_FAULT_TLB_DATA0);
	fault->data[1] = gvirt_mmio_read(mmio, GEN9_FAULT_TLB_DATA1);
	gvirt_mmio_write(mmio, GEN9_RING_FAULT, reg & ~GEN9_FAULT_VALID);
}

void gvirt_engine_dump_read(struct gvirt_mmio *mmio, enum gvirt_engine_id engine,
			    struct gvirt_engine_dump *state)
{
	u32 base = gvirt_engine_base(engine);
	u32 wells = gvirt_mmio_wells(base);
	unsigned int try;

	*state = (struct gvirt_engine_dump) { };
	if (!gvirt_mmio_get(mmio, wells)) {
		for (try = 0; try < TRIES && !state->steady; try++)
			read_once(mmio, base, state);
		take_fault(mmio, engine, &state->fault);
	}
	gvirt_mmio_put(mmio, wells);
}
