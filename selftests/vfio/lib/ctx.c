// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts.
 *
 * Sources: Linux i915, gt/intel_lrc.c (layout of the image, first values, descriptor) and
 * gt/gen8_engine_cs.c (end of a request).
 */
#include <string.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "../ktap.h"
#include "ctx.h"

#define PAGE		4096u
/* A dword of the context's status page that the chip does not use. */
#define SEQNO		0x400u
#define IMAGE_PAGES	(GEN9_CTX_RCS_SIZE / PAGE)
/* A ring whose head meets its tail is empty, so that much stays free. */
#define GAP		64u

static u32 *image_regs(const struct ctx *ctx)
{
	return ram_cpu(ctx->engine->ram, ctx->image + GEN9_CTX_REGS_OFFSET);
}

u64 ctx_reg(const struct ctx *ctx, unsigned int place)
{
	return ctx->image + GEN9_CTX_REGS_OFFSET + 4 * (place + 1);
}

static void set(const struct ctx *ctx, unsigned int place, u32 value)
{
	ram_write(ctx->engine->ram, ctx_reg(ctx, place), value);
}

/* The blocks of the image that every restore reads; the rest is written by the first save. */
static void write_offsets(const struct ctx *ctx)
{
	static const u16 ring[GEN9_CTX_RING_LRI_COUNT] = {
		GEN9_RING_CONTEXT_CONTROL, GEN9_RING_HEAD, GEN9_RING_TAIL, GEN9_RING_START,
		GEN9_RING_CTL, GEN9_RING_BB_ADDR_UDW, GEN9_RING_BB_ADDR, GEN9_RING_BB_STATE,
		GEN9_RING_SBB_ADDR_UDW, GEN9_RING_SBB_ADDR, GEN9_RING_SBB_STATE,
		GEN9_RING_BB_PER_CTX_PTR, GEN9_RING_INDIRECT_CTX, GEN9_RING_INDIRECT_CTX_OFFSET,
	};
	static const u16 spaces[GEN9_CTX_PPGTT_LRI_COUNT] = {
		GEN9_RING_CTX_TIMESTAMP, GEN9_RING_PDP_UDW(3), GEN9_RING_PDP_LDW(3),
		GEN9_RING_PDP_UDW(2), GEN9_RING_PDP_LDW(2), GEN9_RING_PDP_UDW(1),
		GEN9_RING_PDP_LDW(1), GEN9_RING_PDP_UDW(0), GEN9_RING_PDP_LDW(0),
	};
	const u32 load = GEN9_MI_LOAD_REGISTER_IMM | GEN9_MI_LRI_FORCE_POSTED;
	u32 *regs = image_regs(ctx);
	unsigned int i;

	regs[GEN9_CTX_RING_LRI] = load | (2 * ARRAY_SIZE(ring) - 1);
	for (i = 0; i < ARRAY_SIZE(ring); i++)
		regs[GEN9_CTX_RING_LRI + 1 + 2 * i] = ctx->engine->base + ring[i];
	regs[GEN9_CTX_PPGTT_LRI] = load | (2 * ARRAY_SIZE(spaces) - 1);
	for (i = 0; i < ARRAY_SIZE(spaces); i++)
		regs[GEN9_CTX_PPGTT_LRI + 1 + 2 * i] = ctx->engine->base + spaces[i];
	regs[GEN9_CTX_ENGINE_LRI] = GEN9_MI_BATCH_BUFFER_END;
}

static void write_values(const struct ctx *ctx)
{
	unsigned int i;

	set(ctx, GEN9_CTX_CONTEXT_CONTROL,
	    vdev_set_bits(GEN9_CTX_CTRL_INHIBIT_SYN_SWITCH | GEN9_CTX_CTRL_RESTORE_INHIBIT) |
	    vdev_clear_bits(GEN9_CTX_CTRL_SAVE_INHIBIT | GEN9_CTX_CTRL_RS_ENABLE));
	set(ctx, GEN9_CTX_RING_START, ctx->ring_ggtt);
	set(ctx, GEN9_CTX_RING_CTL, (ctx->ring_size - PAGE) | GEN9_RING_CTL_VALID);
	for (i = 0; ctx->ppgtt && i < GEN9_PPGTT_3LVL_PDPS; i++) {
		set(ctx, GEN9_CTX_PDP_UDW(i), ctx->ppgtt->pdp[i] >> 32);
		set(ctx, GEN9_CTX_PDP_LDW(i), (u32)ctx->ppgtt->pdp[i]);
	}
}

void ctx_reset(struct ctx *ctx)
{
	memset(image_regs(ctx), 0, GEN9_CTX_REGS_DWORDS * sizeof(u32));
	write_offsets(ctx);
	write_values(ctx);
	ctx->tail = 0;
	ctx->free = ctx->ring_size - GAP;
}

void ctx_init_ring(struct ctx *ctx, struct engine *engine, struct ppgtt *ppgtt, u32 ring_size)
{
	*ctx = (struct ctx) {
		.engine = engine,
		.ppgtt = ppgtt,
		/* More than most engines use: so an address does not depend on the engine. */
		.image = ram_alloc(engine->ram, RAM_LOW, GEN9_CTX_RCS_SIZE, PAGE),
		.ring = ram_alloc(engine->ram, RAM_LOW, ring_size, PAGE),
		.ring_size = ring_size,
	};
	ctx->lrca = ggtt_bind(engine->ggtt, ctx->image, IMAGE_PAGES);
	ctx->ring_ggtt = ggtt_bind(engine->ggtt, ctx->ring, ring_size / PAGE);
	/* No other context has that image, so no other has this id. */
	ctx->id = ctx->lrca / PAGE;
	ctx_reset(ctx);
}

void ctx_init(struct ctx *ctx, struct engine *engine, struct ppgtt *ppgtt)
{
	ctx_init_ring(ctx, engine, ppgtt, CTX_RING_SIZE);
}

void ctx_rebind(struct ctx *ctx)
{
	u32 old = ctx->lrca;

	ctx->lrca = ggtt_bind(ctx->engine->ggtt, ctx->image, IMAGE_PAGES);
	ggtt_unmap(ctx->engine->ggtt, old, IMAGE_PAGES);
}

static void put(struct ctx *ctx, u32 dword)
{
	ram_write(ctx->engine->ram, ctx->ring + ctx->tail, dword);
	ctx->tail = (ctx->tail + 4) % ctx->ring_size;
	ctx->free -= 4;
}

/* A command must not be cut by the ring's end. */
static void reserve(struct ctx *ctx, u32 bytes)
{
	u32 rest = ctx->ring_size - ctx->tail;
	u32 skip = bytes > rest ? rest : 0;

	if (bytes + skip > ctx->free)
		test_fail("%s: a ring is full: a bug of the test", ctx->engine->name);
	for (; skip; skip -= 4)
		put(ctx, GEN9_MI_NOOP);
}

void ctx_emit(struct ctx *ctx, const struct cmds *cmds)
{
	unsigned int i;

	reserve(ctx, 4 * (cmds->count + 1));
	for (i = 0; i < cmds->count; i++)
		put(ctx, cmds->dw[i]);
	/* The tail counts in units of eight bytes. */
	if (ctx->tail % 8)
		put(ctx, GEN9_MI_NOOP);
}

u32 ctx_request(struct ctx *ctx, const struct cmds *cmds)
{
	struct cmds end = { };

	ctx->seqno++;
	if (ctx->engine->id == RCS)
		emit_pipe_control(&end, 0, GGTT, ctx->lrca + SEQNO, ctx->seqno);
	else
		emit_flush(&end, GGTT, ctx->lrca + SEQNO, ctx->seqno);
	emit_user_interrupt(&end);
	ctx_emit(ctx, cmds);
	ctx_emit(ctx, &end);
	return ctx->seqno;
}

void ctx_publish(struct ctx *ctx)
{
	set(ctx, GEN9_CTX_RING_TAIL, ctx->tail);
}

u64 ctx_descriptor(const struct ctx *ctx)
{
	u32 mode = ctx->ppgtt && ctx->ppgtt->levels == 3 ? GEN9_CTX_ADDRESSING_32B :
							   GEN9_CTX_ADDRESSING_48B;
	u32 low = ctx->lrca | mode << GEN9_CTX_DESC_ADDRESSING_SHIFT | GEN9_CTX_DESC_VALID |
		  ctx->flags | (ctx->ppgtt ? GEN9_CTX_DESC_PRIVILEGE : 0);

	return (u64)ctx->id << 32 | low;
}

u32 ctx_seqno(const struct ctx *ctx)
{
	return ram_read(ctx->engine->ram, ctx->image + SEQNO);
}

void ctx_wait(struct ctx *ctx, u32 seqno)
{
	if (!ram_wait(ctx->engine->ram, ctx->image + SEQNO, seqno, PATIENCE_MS)) {
		engine_describe(ctx->engine);
		test_fail("%s: request %u does not end; the last one was %u", ctx->engine->name,
			  seqno, ctx_seqno(ctx));
	}
	if (seqno == ctx->seqno)
		ctx->free = ctx->ring_size - GAP;
}

void ctx_run(struct ctx *ctx, const struct cmds *cmds)
{
	u32 seqno = ctx_request(ctx, cmds);

	engine_submit(ctx->engine, ctx, NULL);
	ctx_wait(ctx, seqno);
	engine_expect(ctx->engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	engine_expect(ctx->engine, GEN9_CSB_ACTIVE_TO_IDLE | GEN9_CSB_COMPLETE, ctx);
}
