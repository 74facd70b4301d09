// SPDX-License-Identifier: GPL-2.0-only
/*
 * Flushes and what they do when they are done: PIPE_CONTROL and MI_FLUSH_DW.
 *
 * The model has no caches but the TLB, so a flush is done at once.
 *
 * Which status page a store by index goes to: Linux i915, gt/gen8_engine_cs.c (scratch in
 * the context's page, without the global flag), selftests/i915_perf.c and
 * gvt/cmd_parser.c (the engine's page, with it).
 */
#include <gvirt/gen9_lrc.h>
#include "cs_internal.h"
#include "irq.h"

u64 gm_cs_status_page(const struct gm_cs *cs, bool per_context)
{
	if (per_context && gm_cs_reg(cs, GEN9_RING_GFX_MODE) & GEN9_GFX_RUN_LIST_ENABLE)
		return gm_cs_reg(cs, GEN9_RING_CCID) & GEN9_CTX_DESC_LRCA_MASK;
	return gm_cs_reg(cs, GEN9_RING_HWS_PGA) & ~0xfffu;
}

static void invalidate_tlb(struct gm_cs *cs)
{
	gm_cs_drop_line(cs);
	cs->services.tlb_invalidate(cs->services.opaque);
}

static u64 timestamp(const struct gm_cs *cs)
{
	return cs->services.timestamp(cs->services.opaque);
}

/**
 * struct post_sync - What is written when a flush is done
 * @index: @address is an offset in a status page: the engine's with @ggtt, else the context's
 * @ggtt: @address is in the global GTT
 * @address: where to
 * @value: what
 * @bytes: 4 or 8
 */
struct post_sync {
	bool index;
	bool ggtt;
	u64 address;
	u64 value;
	unsigned int bytes;
};

static enum gm_cs_status write_post_sync(struct gm_cs_op *op, const struct post_sync *post)
{
	u64 va = post->address & ~(u64)(post->bytes - 1);

	if (gm_cs_refused(op, post->index || post->ggtt))
		return GM_CS_RUN;
	if (post->index)
		return gm_cs_store(op, GM_SPACE_GGTT,
				   gm_cs_status_page(op->cs, !post->ggtt) + (va & 0xfff),
				   post->value, post->bytes);
	return gm_cs_store(op, gm_cs_space(op, post->ggtt), va, post->value, post->bytes);
}

static enum gm_cs_status pipe_control_post_sync(struct gm_cs_op *op, u32 flags)
{
	u64 data = (u64)gm_cs_dw(op, 5) << 32 | gm_cs_dw(op, 4);
	u32 offset = gm_cs_dw(op, 2) & GEN9_MI_REGISTER_MASK;
	struct gm_cs_services *services = &op->cs->services;
	struct post_sync post = {
		.index = flags & GEN9_PC_STORE_INDEX,
		.ggtt = flags & GEN9_PC_GGTT,
		.address = gm_cs_address(op, 2, 4),
		.bytes = 8,
	};

	if (flags & GEN9_PC_MMIO_WRITE) {
		if (gm_cs_may_write(op, offset))
			services->reg_write(services->opaque, offset, (u32)data);
		return GM_CS_RUN;
	}
	switch ((flags & GEN9_PC_POST_MASK) >> GEN9_PC_POST_SHIFT) {
	case GEN9_POST_SYNC_IMMEDIATE:
		post.value = data;
		break;
	case GEN9_POST_SYNC_DEPTH_COUNT:
		post.value = (u64)gm_cs_reg(op->cs, GEN9_RCS_PS_DEPTH_COUNT + 4) << 32 |
			     gm_cs_reg(op->cs, GEN9_RCS_PS_DEPTH_COUNT);
		break;
	case GEN9_POST_SYNC_TIMESTAMP:
		post.value = timestamp(op->cs);
		break;
	default:
		return GM_CS_RUN;
	}
	return write_post_sync(op, &post);
}

enum gm_cs_status gm_cs_pipe_control(struct gm_cs_op *op)
{
	u32 flags = gm_cs_dw(op, 1);
	enum gm_cs_status status;

	if (flags & GEN9_PC_TLB_INVALIDATE)
		invalidate_tlb(op->cs);
	status = pipe_control_post_sync(op, flags);
	if (status == GM_CS_RUN && flags & GEN9_PC_NOTIFY)
		op->cs->services.interrupt(op->cs->services.opaque, GM_IRQ_FLUSH_NOTIFY);
	return status;
}

/* The immediate data are a qword when the command has five dwords. */
static enum gm_cs_status flush_dw_post_sync(struct gm_cs_op *op, u32 kind)
{
	struct post_sync post = {
		.index = op->dw[0] & GEN9_MI_FLUSH_DW_INDEX,
		.ggtt = gm_cs_dw(op, 1) & GEN9_MI_FLUSH_DW_ADDR_GGTT,
		.address = gm_cs_address(op, 1, 8),
		.value = (u64)gm_cs_dw(op, 4) << 32 | gm_cs_dw(op, 3),
		.bytes = op->dwords > 4 ? 8 : 4,
	};

	if (kind == GEN9_POST_SYNC_TIMESTAMP) {
		post.value = timestamp(op->cs);
		post.bytes = 8;
	}
	return write_post_sync(op, &post);
}

enum gm_cs_status gm_cs_flush_dw(struct gm_cs_op *op)
{
	u32 kind = (op->dw[0] & GEN9_MI_FLUSH_DW_POST_MASK) >> GEN9_MI_FLUSH_DW_POST_SHIFT;
	bool posts = kind == GEN9_POST_SYNC_IMMEDIATE || kind == GEN9_POST_SYNC_TIMESTAMP;
	enum gm_cs_status status = GM_CS_RUN;

	/* The flag counts only together with a post-sync operation (i915, gt/gen6_engine_cs.c). */
	if (posts && op->dw[0] & GEN9_MI_FLUSH_DW_TLB)
		invalidate_tlb(op->cs);
	if (posts)
		status = flush_dw_post_sync(op, kind);
	if (status == GM_CS_RUN && op->dw[0] & GEN9_MI_FLUSH_DW_NOTIFY)
		op->cs->services.interrupt(op->cs->services.opaque, GM_IRQ_FLUSH_NOTIFY);
	return status;
}
