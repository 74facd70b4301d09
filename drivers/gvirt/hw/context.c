// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host-owned contexts.
 *
 * A fresh image has the ring and the page-table roots only, and says "restore
 * inhibit", so that the engine starts everything else from its reset state; the
 * first save writes the rest of the image.
 *
 * What i915 found out about the tail (WaIdleLiteRestore, and that the chip ignores a
 * tail that went back): the same or an earlier tail than the last one takes a full
 * restore, which gvirt_context_arm() asks for.
 *
 * A context's id is the page number of its image: nothing else has it while the
 * context is there, and nobody has to hand ids out.
 *
 * Source: Intel PRM Skylake, volume 7, "Logical Ring Context Format"; Linux
 * i915, gt/intel_lrc.c (layout, initial values), gt/intel_execlists_submission.c
 * (tails).
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_pte.h>
#include "context.h"
#include "mmio.h"
#include "scratch.h"

/* MI_LOAD_REGISTER_IMM, "force posted": as the chip itself writes images. */
#define LRI_POSTED	BIT(12)
#define LRI(pairs)	(GEN9_MI_LOAD_REGISTER_IMM | LRI_POSTED | (2 * (pairs) - 1))

static const u32 bases[GVIRT_ENGINES] = {
	[GVIRT_RCS] = GEN9_RCS_BASE,
	[GVIRT_BCS] = GEN9_BCS_BASE,
	[GVIRT_VCS] = GEN9_VCS_BASE,
	[GVIRT_VECS] = GEN9_VECS_BASE,
};

/* Registers of the two blocks that every image has, in their order. */
static const u16 ring_block[] = {
	GEN9_RING_CONTEXT_CONTROL, GEN9_RING_HEAD, GEN9_RING_TAIL, GEN9_RING_START,
	GEN9_RING_CTL, GEN9_RING_BB_ADDR_UDW, GEN9_RING_BB_ADDR, GEN9_RING_BB_STATE,
	GEN9_RING_SBB_ADDR_UDW, GEN9_RING_SBB_ADDR, GEN9_RING_SBB_STATE,
	GEN9_RING_BB_PER_CTX_PTR, GEN9_RING_INDIRECT_CTX, GEN9_RING_INDIRECT_CTX_OFFSET,
};

static const u16 ppgtt_block[] = {
	GEN9_RING_CTX_TIMESTAMP,
	GEN9_RING_PDP_UDW(3), GEN9_RING_PDP_LDW(3), GEN9_RING_PDP_UDW(2), GEN9_RING_PDP_LDW(2),
	GEN9_RING_PDP_UDW(1), GEN9_RING_PDP_LDW(1), GEN9_RING_PDP_UDW(0), GEN9_RING_PDP_LDW(0),
};

u32 gvirt_engine_base(enum gvirt_engine_id engine)
{
	return bases[engine];
}

u32 gvirt_context_id(const struct gvirt_context *context)
{
	return context->state.address >> GEN9_PAGE_SHIFT_4K;
}

u64 gvirt_context_descriptor(const struct gvirt_context *context)
{
	u32 low = context->state.address | GEN9_CTX_DESC_VALID | GEN9_CTX_DESC_PRIVILEGE |
		  context->addressing << GEN9_CTX_DESC_ADDRESSING_SHIFT;

	return (u64)gvirt_context_id(context) << 32 | low;
}

u32 *gvirt_context_registers(const struct gvirt_context *context)
{
	return context->state.data + GEN9_CTX_REGS_OFFSET;
}

/* A block of register loads with values of zero. */
static void put_block(u32 *regs, unsigned int at, u32 base, const u16 *offsets, unsigned int count)
{
	unsigned int i;

	regs[at++] = LRI(count);
	for (i = 0; i < count; i++, at += 2)
		regs[at] = base + offsets[i];
}

/* A register's value stands behind its offset. */
static void put_value(u32 *regs, unsigned int at, u32 value)
{
	regs[at + 1] = value;
}

u64 gvirt_context_arm(struct gvirt_context *context, u32 tail)
{
	u64 descriptor = gvirt_context_descriptor(context);

	if (context->reload || tail <= context->told_tail)
		descriptor |= GEN9_CTX_DESC_FORCE_RESTORE;
	context->reload = false;
	context->told_tail = tail;
	put_value(gvirt_context_registers(context), GEN9_CTX_RING_TAIL, tail);
	return descriptor;
}

void gvirt_context_reset(struct gvirt_context *context)
{
	u32 base = gvirt_engine_base(context->engine);
	u32 *regs = gvirt_context_registers(context);

	context->tail = 0;
	context->reload = true;
	memset(regs, 0, GEN9_CTX_REGS_DWORDS * sizeof(u32));
	put_block(regs, GEN9_CTX_RING_LRI, base, ring_block, ARRAY_SIZE(ring_block));
	put_block(regs, GEN9_CTX_PPGTT_LRI, base, ppgtt_block, ARRAY_SIZE(ppgtt_block));
	regs[GEN9_CTX_ENGINE_LRI] = GEN9_MI_BATCH_BUFFER_END;

	put_value(regs, GEN9_CTX_CONTEXT_CONTROL,
		  gvirt_masked_set(GEN9_CTX_CTRL_INHIBIT_SYN_SWITCH |
				   GEN9_CTX_CTRL_RESTORE_INHIBIT) |
		  gvirt_masked_clear(GEN9_CTX_CTRL_SAVE_INHIBIT | GEN9_CTX_CTRL_RS_ENABLE));
	put_value(regs, GEN9_CTX_RING_START, context->ring.address);
	put_value(regs, GEN9_CTX_RING_CTL,
		  ((context->ring.pages - 1) << GEN9_PAGE_SHIFT_4K) | GEN9_RING_CTL_VALID);
	put_value(regs, GEN9_CTX_PDP_UDW(0), upper_32_bits(context->root));
	put_value(regs, GEN9_CTX_PDP_LDW(0), lower_32_bits(context->root));
}

int gvirt_context_emit(struct gvirt_context *context, const u32 *dwords, unsigned int count)
{
	u32 tail = context->tail / sizeof(u32);
	/* The tail counts in units of eight bytes. */
	u32 padded = ALIGN(count, 2);
	u32 *ring = context->ring.data;

	/* A full ring would look empty. */
	if (tail + padded >= (context->ring.pages << GEN9_PAGE_SHIFT_4K) / sizeof(u32))
		return -ENOSPC;
	memcpy(ring + tail, dwords, count * sizeof(u32));
	if (padded > count)
		ring[tail + count] = GEN9_MI_NOOP;
	context->tail = (tail + padded) * sizeof(u32);
	return 0;
}

int gvirt_context_init(struct gvirt_context *context, enum gvirt_engine_id engine,
		       struct gvirt_ggtt *ggtt, const struct gvirt_scratch *scratch,
		       u32 ring_size)
{
	size_t size = engine == GVIRT_RCS ? GEN9_CTX_RCS_SIZE : GEN9_CTX_XCS_SIZE;
	int err;

	*context = (struct gvirt_context) {
		.engine = engine,
		.root = scratch->dma[GVIRT_SCRATCH_LEVELS - 1],
		.addressing = GEN9_CTX_ADDRESSING_48B,
	};
	err = gvirt_buffer_init(&context->state, ggtt, size);
	if (err)
		return err;
	err = gvirt_buffer_init(&context->ring, ggtt, ring_size);
	if (err) {
		gvirt_buffer_fini(&context->state);
		return err;
	}
	gvirt_context_reset(context);
	return 0;
}

void gvirt_context_fini(struct gvirt_context *context)
{
	gvirt_buffer_fini(&context->ring);
	gvirt_buffer_fini(&context->state);
}
