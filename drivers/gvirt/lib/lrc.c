// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register state of a context image (see lrc.h).
 *
 * Two rules per register: where the shadow's value comes from, and what happens
 * to the guest's after a run. The order and the offsets are those that i915's
 * gt/intel_lrc.c describes for Gen9.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>

#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "lrc.h"

/**
 * enum lrc_in - Where the shadow's value comes from
 * @IN_HOST: struct gvirt_lrc_host
 * @IN_GUEST: the guest's, the row's allowed bits of it
 * @IN_MASKED: likewise, of a register whose upper half selects bits
 * @IN_IMAGE: the host's image, 0 without one
 * @IN_BATCH: the guest's if it is a batch in its PPGTT, the image's to resume it
 */
enum lrc_in {
	IN_HOST,
	IN_GUEST,
	IN_MASKED,
	IN_IMAGE,
	IN_BATCH,
};

/**
 * enum lrc_out - What happens to the guest's value after a run
 * @OUT_KEEP: it stays
 * @OUT_CHIP: it becomes what the chip saved
 * @OUT_HEAD: it becomes the head in the guest's ring
 * @OUT_CONTROL: it stays, but "no restore" goes if the chip has saved a state
 * @OUT_BATCH: it becomes what the chip saved if that is a batch in the PPGTT
 */
enum lrc_out {
	OUT_KEEP,
	OUT_CHIP,
	OUT_HEAD,
	OUT_CONTROL,
	OUT_BATCH,
};

/**
 * struct lrc_row - A register of the image
 * @dw: dword that holds its offset; the value is in the next one
 * @reg: offset in the engine's window
 * @kinds: bit n: the row holds for enum gvirt_lrc_kind n
 * @in: enum lrc_in
 * @out: enum lrc_out
 * @allowed: bits that a guest decides about
 * @owned: of IN_MASKED: bits that are always written, allowed or not
 */
struct lrc_row {
	u16 dw;
	u16 reg;
	u8 kinds;
	u8 in;
	u8 out;
	u32 allowed;
	u16 owned;
};

#define RENDER		BIT(GVIRT_LRC_RENDER)
#define BLIT		BIT(GVIRT_LRC_BLIT)
#define MEDIA		BIT(GVIRT_LRC_MEDIA)
#define ALL		(RENDER | BLIT | MEDIA)

#define HOST(d, r)		{ .dw = (d), .reg = (r), .kinds = ALL, .in = IN_HOST }
#define IMAGE(d, r)		{ .dw = (d), .reg = (r), .kinds = ALL, .in = IN_IMAGE, \
				  .out = OUT_CHIP }
#define GUEST(d, r, bits)	{ .dw = (d), .reg = (r), .kinds = ALL, .in = IN_GUEST, \
				  .out = OUT_CHIP, .allowed = (bits) }
#define BATCH(d, r)		{ .dw = (d), .reg = (r), .kinds = ALL, .in = IN_BATCH, \
				  .out = OUT_BATCH }

#define CTX_CONTROL_BITS	(GEN9_CTX_CTRL_RESTORE_INHIBIT | GEN9_CTX_CTRL_RS_ENABLE | \
				 GEN9_CTX_CTRL_SAVE_INHIBIT | GEN9_CTX_CTRL_INHIBIT_SYN_SWITCH)
#define RPCS_BITS		(GEN9_RPCS_EU_MIN_MASK | GEN9_RPCS_EU_MAX_MASK | \
				 GEN9_RPCS_SUBSLICES_MASK | GEN9_RPCS_SUBSLICES_ENABLE | \
				 GEN9_RPCS_SLICES_MASK | GEN9_RPCS_SLICES_ENABLE | \
				 GEN9_RPCS_ENABLE)
#define SWCTRL_BITS		(GEN9_SWCTRL_SRC_Y | GEN9_SWCTRL_DST_Y)

static const struct lrc_row rows[] = {
	/* Ring context. */
	{ .dw = GEN9_CTX_CONTEXT_CONTROL, .reg = GEN9_RING_CONTEXT_CONTROL, .kinds = ALL,
	  .in = IN_HOST, .out = OUT_CONTROL },
	{ .dw = GEN9_CTX_RING_HEAD, .reg = GEN9_RING_HEAD, .kinds = ALL,
	  .in = IN_HOST, .out = OUT_HEAD },
	HOST(GEN9_CTX_RING_TAIL, GEN9_RING_TAIL),
	HOST(GEN9_CTX_RING_START, GEN9_RING_START),
	HOST(GEN9_CTX_RING_CTL, GEN9_RING_CTL),
	BATCH(GEN9_CTX_BB_ADDR_UDW, GEN9_RING_BB_ADDR_UDW),
	BATCH(GEN9_CTX_BB_ADDR, GEN9_RING_BB_ADDR),
	BATCH(GEN9_CTX_BB_STATE, GEN9_RING_BB_STATE),
	BATCH(GEN9_CTX_SBB_ADDR_UDW, GEN9_RING_SBB_ADDR_UDW),
	BATCH(GEN9_CTX_SBB_ADDR, GEN9_RING_SBB_ADDR),
	BATCH(GEN9_CTX_SBB_STATE, GEN9_RING_SBB_STATE),
	HOST(GEN9_CTX_BB_PER_CTX_PTR, GEN9_RING_BB_PER_CTX_PTR),
	HOST(GEN9_CTX_INDIRECT_CTX, GEN9_RING_INDIRECT_CTX),
	{ .dw = GEN9_CTX_INDIRECT_CTX_OFFSET, .reg = GEN9_RING_INDIRECT_CTX_OFFSET, .kinds = ALL,
	  .in = IN_GUEST, .out = OUT_KEEP, .allowed = GEN9_INDIRECT_CTX_OFFSET_MASK },

	/* Page tables. */
	GUEST(GEN9_CTX_TIMESTAMP, GEN9_RING_CTX_TIMESTAMP, ~0u),
	HOST(GEN9_CTX_PDP_UDW(3), GEN9_RING_PDP_UDW(3)),
	HOST(GEN9_CTX_PDP_LDW(3), GEN9_RING_PDP_LDW(3)),
	HOST(GEN9_CTX_PDP_UDW(2), GEN9_RING_PDP_UDW(2)),
	HOST(GEN9_CTX_PDP_LDW(2), GEN9_RING_PDP_LDW(2)),
	HOST(GEN9_CTX_PDP_UDW(1), GEN9_RING_PDP_UDW(1)),
	HOST(GEN9_CTX_PDP_LDW(1), GEN9_RING_PDP_LDW(1)),
	HOST(GEN9_CTX_PDP_UDW(0), GEN9_RING_PDP_UDW(0)),
	HOST(GEN9_CTX_PDP_LDW(0), GEN9_RING_PDP_LDW(0)),

	/* One register that depends on the engine. */
	{ .dw = GEN9_CTX_R_PWR_CLK_STATE, .reg = GEN9_RING_R_PWR_CLK_STATE, .kinds = RENDER,
	  .in = IN_GUEST, .out = OUT_CHIP, .allowed = RPCS_BITS },
	{ .dw = GEN9_CTX_R_PWR_CLK_STATE, .reg = GEN9_BCS_SWCTRL, .kinds = BLIT,
	  .in = IN_MASKED, .out = OUT_CHIP, .allowed = SWCTRL_BITS, .owned = SWCTRL_BITS },
	{ .dw = GEN9_CTX_R_PWR_CLK_STATE, .reg = GEN9_BCS_SWCTRL, .kinds = MEDIA,
	  .in = IN_IMAGE, .out = OUT_CHIP },

	/* Command streamer; i915 gives bare offsets for those without a name. */
	IMAGE(GEN9_CTX_STATE_LRI + 0x01, GEN9_RING_EXCC),
	{ .dw = GEN9_CTX_MI_MODE, .reg = GEN9_RING_MI_MODE, .kinds = ALL,
	  .in = IN_MASKED, .out = OUT_CHIP, .allowed = GEN9_MI_MODE_PREDICATE_MASK,
	  .owned = GEN9_MI_MODE_PREDICATE_MASK | GEN9_MI_MODE_STOP_RING },
	IMAGE(GEN9_CTX_STATE_LRI + 0x05, GEN9_RING_INSTPM),
	IMAGE(GEN9_CTX_STATE_LRI + 0x07, 0x178),
	IMAGE(GEN9_CTX_STATE_LRI + 0x09, 0x17c),
	IMAGE(GEN9_CTX_STATE_LRI + 0x0b, GEN9_RING_TIMESTAMP),
	IMAGE(GEN9_CTX_STATE_LRI + 0x0d, 0x170),
	IMAGE(GEN9_CTX_STATE_LRI + 0x0f, 0x150),
	IMAGE(GEN9_CTX_STATE_LRI + 0x11, 0x154),
	BATCH(GEN9_CTX_BB_OFFSET, GEN9_RING_BB_OFFSET),
	GUEST(GEN9_CTX_STATE_LRI + 0x15, GEN9_MI_PREDICATE_RESULT_1, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x00, GEN9_RING_CS_GPR(0), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x02, GEN9_RING_CS_GPR(0) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x04, GEN9_RING_CS_GPR(1), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x06, GEN9_RING_CS_GPR(1) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x08, GEN9_RING_CS_GPR(2), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x0a, GEN9_RING_CS_GPR(2) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x0c, GEN9_RING_CS_GPR(3), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x0e, GEN9_RING_CS_GPR(3) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x10, GEN9_RING_CS_GPR(4), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x12, GEN9_RING_CS_GPR(4) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x14, GEN9_RING_CS_GPR(5), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x16, GEN9_RING_CS_GPR(5) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x18, GEN9_RING_CS_GPR(6), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x1a, GEN9_RING_CS_GPR(6) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x1c, GEN9_RING_CS_GPR(7), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x1e, GEN9_RING_CS_GPR(7) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x20, GEN9_RING_CS_GPR(8), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x22, GEN9_RING_CS_GPR(8) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x24, GEN9_RING_CS_GPR(9), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x26, GEN9_RING_CS_GPR(9) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x28, GEN9_RING_CS_GPR(10), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x2a, GEN9_RING_CS_GPR(10) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x2c, GEN9_RING_CS_GPR(11), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x2e, GEN9_RING_CS_GPR(11) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x30, GEN9_RING_CS_GPR(12), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x32, GEN9_RING_CS_GPR(12) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x34, GEN9_RING_CS_GPR(13), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x36, GEN9_RING_CS_GPR(13) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x38, GEN9_RING_CS_GPR(14), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x3a, GEN9_RING_CS_GPR(14) + 4, ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x3c, GEN9_RING_CS_GPR(15), ~0u),
	GUEST(GEN9_CTX_CS_GPR0 + 0x3e, GEN9_RING_CS_GPR(15) + 4, ~0u),
	IMAGE(GEN9_CTX_XCS_END - 2, GEN9_RING_IPEHR),
};

/**
 * struct lrc_header - A MI_LOAD_REGISTER_IMM of the image
 * @dw: its dword
 * @count: registers that it loads
 * @posted: kinds of engines whose layout has the "posted" flag here
 * @engine_state: belongs to what is not restored if the context says so
 */
struct lrc_header {
	u16 dw;
	u8 count;
	u8 posted;
	bool engine_state;
};

static const struct lrc_header headers[] = {
	{ .dw = GEN9_CTX_RING_LRI, .count = GEN9_CTX_RING_LRI_COUNT, .posted = ALL },
	{ .dw = GEN9_CTX_PPGTT_LRI, .count = GEN9_CTX_PPGTT_LRI_COUNT, .posted = ALL },
	{ .dw = GEN9_CTX_ENGINE_LRI, .count = GEN9_CTX_ENGINE_LRI_COUNT, .posted = BLIT | MEDIA,
	  .engine_state = true },
	{ .dw = GEN9_CTX_STATE_LRI, .count = GEN9_CTX_STATE_LRI_COUNT, .posted = ALL,
	  .engine_state = true },
};

/* One row per register, and two more for the register that depends on the engine. */
static_assert(ARRAY_SIZE(rows) == GEN9_CTX_RING_LRI_COUNT + GEN9_CTX_PPGTT_LRI_COUNT +
	      3 * GEN9_CTX_ENGINE_LRI_COUNT + GEN9_CTX_STATE_LRI_COUNT);
static_assert(GEN9_CTX_STATE_LRI + 1 + 2 * GEN9_CTX_STATE_LRI_COUNT == GEN9_CTX_XCS_END);
static_assert(GEN9_CTX_CS_GPR0 + 4 * GEN9_CS_GPR_COUNT == GEN9_CTX_XCS_END - 2);
static_assert(GEN9_CTX_XCS_END < GEN9_CTX_REGS_DWORDS);

static bool row_holds(const struct lrc_row *row, enum gvirt_lrc_kind kind)
{
	return row->kinds & BIT(kind);
}

static u32 load_command(unsigned int count)
{
	return GEN9_MI_LOAD_REGISTER_IMM | (2 * count - 1);
}

static u32 header_command(const struct lrc_header *header, enum gvirt_lrc_kind kind)
{
	return load_command(header->count) |
	       (header->posted & BIT(kind) ? GEN9_MI_LRI_FORCE_POSTED : 0);
}

/* Whether writes are posted is the host's choice in the shadow. */
static bool same_command(u32 a, u32 b)
{
	return !((a ^ b) & ~GEN9_MI_LRI_FORCE_POSTED);
}

/* A new context may come without the registers of the workaround buffers. */
static bool short_ring(enum gvirt_lrc_kind kind, const u32 *regs)
{
	u32 command = load_command(GEN9_CTX_RING_LRI_COUNT_SHORT);

	return kind != GVIRT_LRC_RENDER && same_command(regs[GEN9_CTX_RING_LRI], command);
}

static bool workaround_register(unsigned int dw)
{
	return dw >= GEN9_CTX_BB_PER_CTX_PTR && dw <= GEN9_CTX_INDIRECT_CTX_OFFSET;
}

/* Bits of a masked register that a value sets; the chip saves without a mask. */
static u32 masked_bits(u32 value)
{
	u32 mask = value >> 16;

	return value & (mask ? mask : 0xffff);
}

static bool restore_inhibited(const u32 *regs)
{
	return masked_bits(regs[GEN9_CTX_CONTEXT_CONTROL + 1]) & GEN9_CTX_CTRL_RESTORE_INHIBIT;
}

u32 gvirt_lrc_image_size(enum gvirt_lrc_kind kind)
{
	return kind == GVIRT_LRC_RENDER ? GEN9_CTX_RCS_SIZE : GEN9_CTX_XCS_SIZE;
}

static bool in_ggtt(u32 start, u32 size, u64 ggtt_size)
{
	return size <= ggtt_size && start <= ggtt_size - size;
}

static enum gvirt_lrc_fault fail(struct gvirt_lrc_state *state, enum gvirt_lrc_fault fault,
				 unsigned int dw)
{
	*state = (struct gvirt_lrc_state){ .fault = fault, .fault_dw = dw };
	return fault;
}

static enum gvirt_lrc_fault check_headers(const struct gvirt_lrc_engine *engine, const u32 *regs,
					  unsigned int end, struct gvirt_lrc_state *state)
{
	unsigned int i = short_ring(engine->kind, regs) ? 1 : 0;

	for (; i < ARRAY_SIZE(headers) && headers[i].dw < end; i++) {
		if (!same_command(regs[headers[i].dw], load_command(headers[i].count)))
			return fail(state, GVIRT_LRC_LAYOUT, headers[i].dw);
	}
	return GVIRT_LRC_OK;
}

static enum gvirt_lrc_fault check_layout(const struct gvirt_lrc_engine *engine, const u32 *regs,
					 struct gvirt_lrc_state *state)
{
	unsigned int end = restore_inhibited(regs) ? GEN9_CTX_ENGINE_LRI : GEN9_CTX_XCS_END;
	bool no_workarounds = short_ring(engine->kind, regs);
	unsigned int i;

	if (check_headers(engine, regs, end, state))
		return state->fault;
	for (i = 0; i < ARRAY_SIZE(rows) && rows[i].dw < end; i++) {
		if (!row_holds(&rows[i], engine->kind) ||
		    (no_workarounds && workaround_register(rows[i].dw)))
			continue;
		if (regs[rows[i].dw] != engine->base + rows[i].reg)
			return fail(state, GVIRT_LRC_LAYOUT, rows[i].dw);
	}
	return GVIRT_LRC_OK;
}

static u64 read_pdp(const u32 *regs, unsigned int n)
{
	return (u64)regs[GEN9_CTX_PDP_UDW(n) + 1] << 32 | regs[GEN9_CTX_PDP_LDW(n) + 1];
}

static void extract(const struct gvirt_lrc_engine *engine, const u32 *regs,
		    struct gvirt_lrc_state *state)
{
	bool workarounds = !short_ring(engine->kind, regs);
	u32 indirect = workarounds ? regs[GEN9_CTX_INDIRECT_CTX + 1] : 0;
	u32 per_ctx = workarounds ? regs[GEN9_CTX_BB_PER_CTX_PTR + 1] : 0;
	unsigned int i;

	*state = (struct gvirt_lrc_state){
		.ring_start = regs[GEN9_CTX_RING_START + 1],
		.ring_size = (regs[GEN9_CTX_RING_CTL + 1] & GEN9_RING_CTL_PAGES_MASK) + 4096,
		.ring_head = regs[GEN9_CTX_RING_HEAD + 1] & GEN9_RING_HEAD_MASK,
		.ring_tail = regs[GEN9_CTX_RING_TAIL + 1] & GEN9_RING_TAIL_MASK,
		.restore_inhibit = restore_inhibited(regs),
		.mid_batch = regs[GEN9_CTX_BB_ADDR + 1] & GEN9_BB_ADDR_VALID,
		.indirect_start = indirect & GEN9_INDIRECT_CTX_ADDR_MASK,
		.indirect_size = (indirect & GEN9_INDIRECT_CTX_LINES_MASK) * 64,
		.per_ctx_start = per_ctx & GEN9_BB_PER_CTX_ADDR_MASK,
		.per_ctx_valid = per_ctx & GEN9_BB_PER_CTX_VALID,
		.timestamp = regs[GEN9_CTX_TIMESTAMP + 1],
	};
	for (i = 0; i < GEN9_PPGTT_3LVL_PDPS; i++)
		state->pdp[i] = read_pdp(regs, i);
}

static enum gvirt_lrc_fault check_ring(const struct gvirt_lrc_engine *engine, const u32 *regs,
				       struct gvirt_lrc_state *state)
{
	if (!(regs[GEN9_CTX_RING_CTL + 1] & GEN9_RING_CTL_VALID))
		return fail(state, GVIRT_LRC_RING_OFF, GEN9_CTX_RING_CTL);
	if (state->ring_start % 4096 ||
	    !in_ggtt(state->ring_start, state->ring_size, engine->ggtt_size))
		return fail(state, GVIRT_LRC_RING_RANGE, GEN9_CTX_RING_START);
	if (state->ring_head >= state->ring_size)
		return fail(state, GVIRT_LRC_RING_HEAD, GEN9_CTX_RING_HEAD);
	if (state->ring_tail >= state->ring_size)
		return fail(state, GVIRT_LRC_RING_HEAD, GEN9_CTX_RING_TAIL);
	return GVIRT_LRC_OK;
}

static enum gvirt_lrc_fault check_buffers(const struct gvirt_lrc_engine *engine,
					  struct gvirt_lrc_state *state)
{
	if (state->indirect_size &&
	    !in_ggtt(state->indirect_start, state->indirect_size, engine->ggtt_size))
		return fail(state, GVIRT_LRC_INDIRECT_RANGE, GEN9_CTX_INDIRECT_CTX);
	if (state->per_ctx_valid && !in_ggtt(state->per_ctx_start, 4096, engine->ggtt_size))
		return fail(state, GVIRT_LRC_PER_CTX_RANGE, GEN9_CTX_BB_PER_CTX_PTR);
	return GVIRT_LRC_OK;
}

enum gvirt_lrc_fault gvirt_lrc_read(const struct gvirt_lrc_engine *engine, const u32 *regs,
				    struct gvirt_lrc_state *state)
{
	enum gvirt_lrc_fault fault = check_layout(engine, regs, state);

	if (fault)
		return fault;
	extract(engine, regs, state);
	fault = check_ring(engine, regs, state);
	return fault ? fault : check_buffers(engine, state);
}

/**
 * struct lrc_build - What one shadow page is made from
 * @regs: the guest's page
 * @host: the host's values
 * @inhibit: the chip is not to restore the engine's state
 * @from_image: the engine's state comes from the image as a whole
 * @batch: page that the batch state comes from; NULL: there is none
 */
struct lrc_build {
	const u32 *regs;
	const struct gvirt_lrc_host *host;
	bool inhibit;
	bool from_image;
	const u32 *batch;
};

/* A batch in the PPGTT has no privilege, so a guest may name any address there. */
static bool guest_batch(const u32 *regs, unsigned int addr_dw, unsigned int state_dw)
{
	return (regs[addr_dw + 1] & GEN9_BB_ADDR_VALID) &&
	       (regs[state_dw + 1] & GEN9_BB_STATE_PPGTT);
}

static const u32 *batch_source(const u32 *regs, const struct gvirt_lrc_host *host)
{
	if (host->resume)
		return host->image;
	if (!guest_batch(regs, GEN9_CTX_BB_ADDR, GEN9_CTX_BB_STATE))
		return NULL;
	/* Left within a second-level batch, both levels have to be unprivileged. */
	if ((regs[GEN9_CTX_SBB_ADDR + 1] & GEN9_BB_ADDR_VALID) &&
	    !guest_batch(regs, GEN9_CTX_SBB_ADDR, GEN9_CTX_SBB_STATE))
		return NULL;
	return regs;
}

static u32 batch_value(const struct lrc_build *build, unsigned int dw)
{
	u32 value;

	if (!build->batch)
		return 0;
	value = build->batch[dw + 1];
	if (build->batch != build->regs)
		return value;
	if (dw == GEN9_CTX_BB_STATE || dw == GEN9_CTX_SBB_STATE)
		return value & GEN9_BB_STATE_PPGTT;
	/* An offset that the audit did not know would move audited batches. */
	return dw == GEN9_CTX_BB_OFFSET ? 0 : value;
}

static u32 image_value(const struct lrc_build *build, unsigned int dw)
{
	return build->host->image ? build->host->image[dw + 1] : 0;
}

/* A semaphore wait must not switch contexts by itself: the host schedules. */
static u32 control_value(const struct lrc_build *build)
{
	return CTX_CONTROL_BITS << 16 | GEN9_CTX_CTRL_INHIBIT_SYN_SWITCH |
	       (build->inhibit ? GEN9_CTX_CTRL_RESTORE_INHIBIT : 0);
}

static u32 pdp_value(const struct gvirt_lrc_host *host, unsigned int dw)
{
	unsigned int n = (GEN9_CTX_PDP_LDW(0) - dw) / 4;
	u64 pdp = host->pdp[n % GEN9_PPGTT_3LVL_PDPS];

	return dw == GEN9_CTX_PDP_LDW(n) ? (u32)pdp : (u32)(pdp >> 32);
}

static u32 host_value(const struct lrc_build *build, unsigned int dw)
{
	switch (dw) {
	case GEN9_CTX_CONTEXT_CONTROL:
		return control_value(build);
	case GEN9_CTX_RING_HEAD:
		return build->host->ring_head;
	case GEN9_CTX_RING_TAIL:
		return build->host->ring_tail;
	case GEN9_CTX_RING_START:
		return build->host->ring_start;
	case GEN9_CTX_RING_CTL:
		return build->host->ring_ctl;
	case GEN9_CTX_BB_PER_CTX_PTR:
		return build->host->bb_per_ctx;
	case GEN9_CTX_INDIRECT_CTX:
		return build->host->indirect_ctx;
	default:
		return pdp_value(build->host, dw);
	}
}

/* Bits that no guest decides about stay as the image has them, if there is one. */
static u32 masked_value(const struct lrc_build *build, const struct lrc_row *row)
{
	u32 bits = masked_bits(build->regs[row->dw + 1]) & row->allowed;

	if (!build->host->image)
		return (u32)row->owned << 16 | bits;
	return 0xffff0000u | (masked_bits(image_value(build, row->dw)) & ~row->owned) | bits;
}

static u32 row_value(const struct lrc_build *build, const struct lrc_row *row)
{
	bool engine_state = row->dw > GEN9_CTX_ENGINE_LRI;

	if (row->in == IN_BATCH)
		return batch_value(build, row->dw);
	if (engine_state && build->from_image)
		return image_value(build, row->dw);
	if (engine_state && build->inhibit)
		return 0;
	switch (row->in) {
	case IN_HOST:
		return host_value(build, row->dw);
	case IN_GUEST:
		return build->regs[row->dw + 1] & row->allowed;
	case IN_MASKED:
		return masked_value(build, row);
	default:
		return image_value(build, row->dw);
	}
}

static void put_commands(const struct gvirt_lrc_engine *engine, u32 *page)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(headers); i++)
		page[headers[i].dw] = header_command(&headers[i], engine->kind);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (row_holds(&rows[i], engine->kind))
			page[rows[i].dw] = engine->base + rows[i].reg;
	}
}

static void copy_dwords(u32 *to, const u32 *from, unsigned int first, unsigned int end)
{
	unsigned int i;

	for (i = first; i < end; i++)
		to[i] = from[i];
}

void gvirt_lrc_build(const struct gvirt_lrc_engine *engine, const u32 *regs,
		     const struct gvirt_lrc_host *host, u32 *shadow)
{
	bool inhibited = restore_inhibited(regs);
	struct lrc_build build = {
		.regs = regs,
		.host = host,
		.inhibit = inhibited && !(host->restore && host->image),
		.from_image = inhibited && host->restore && host->image,
		.batch = batch_source(regs, host),
	};
	u32 page[GEN9_CTX_XCS_END] = {};
	unsigned int i;

	/* The image may be the shadow itself: nothing is written before all is read. */
	put_commands(engine, page);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (row_holds(&rows[i], engine->kind))
			page[rows[i].dw + 1] = row_value(&build, &rows[i]);
	}
	copy_dwords(shadow, page, 0, GEN9_CTX_XCS_END);
	if (engine->kind == GVIRT_LRC_RENDER && host->image && !build.inhibit)
		copy_dwords(shadow, host->image, GEN9_CTX_XCS_END, GEN9_CTX_REGS_DWORDS);
	else
		shadow[GEN9_CTX_XCS_END] = GEN9_MI_BATCH_BUFFER_END;
}

/* A privileged batch lies where only the host knows: the guest sees none. */
static u32 batch_out(const u32 *image, unsigned int dw)
{
	if (!guest_batch(image, GEN9_CTX_BB_ADDR, GEN9_CTX_BB_STATE))
		return 0;
	if ((image[GEN9_CTX_SBB_ADDR + 1] & GEN9_BB_ADDR_VALID) &&
	    !guest_batch(image, GEN9_CTX_SBB_ADDR, GEN9_CTX_SBB_STATE))
		return 0;
	return image[dw + 1];
}

static u32 control_out(const u32 *image, u32 guest)
{
	if (masked_bits(image[GEN9_CTX_CONTEXT_CONTROL + 1]) & GEN9_CTX_CTRL_RESTORE_INHIBIT)
		return guest;
	return guest & ~GEN9_CTX_CTRL_RESTORE_INHIBIT;
}

static u32 out_value(const struct lrc_row *row, const u32 *shadow, u32 ring_head, u32 guest)
{
	switch (row->out) {
	case OUT_CHIP:
		return shadow[row->dw + 1];
	case OUT_HEAD:
		return ring_head;
	case OUT_CONTROL:
		return control_out(shadow, guest);
	case OUT_BATCH:
		return batch_out(shadow, row->dw);
	default:
		return guest;
	}
}

static void run_extend(struct gvirt_lrc_runs *runs, unsigned int dw)
{
	struct gvirt_lrc_run *last = runs->count ? &runs->run[runs->count - 1] : NULL;

	if (last && last->first + last->count == dw)
		last->count++;
	else if (runs->count < GVIRT_LRC_RUNS_MAX)
		runs->run[runs->count++] = (struct gvirt_lrc_run){ .first = dw, .count = 1 };
}

void gvirt_lrc_write_back(const struct gvirt_lrc_engine *engine, const u32 *shadow, u32 ring_head,
			  u32 *regs, struct gvirt_lrc_runs *runs)
{
	unsigned int end = engine->kind == GVIRT_LRC_RENDER ? GEN9_CTX_REGS_DWORDS :
							      GEN9_CTX_XCS_END;
	bool keep[GEN9_CTX_XCS_END] = {};
	unsigned int i;

	put_commands(engine, regs);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!row_holds(&rows[i], engine->kind))
			continue;
		keep[rows[i].dw + 1] = rows[i].out == OUT_KEEP;
		regs[rows[i].dw + 1] = out_value(&rows[i], shadow, ring_head,
						 regs[rows[i].dw + 1]);
	}
	copy_dwords(regs, shadow, GEN9_CTX_XCS_END, end);
	*runs = (struct gvirt_lrc_runs){};
	for (i = GEN9_CTX_RING_LRI; i < end; i++) {
		if (i >= GEN9_CTX_XCS_END || !keep[i])
			run_extend(runs, i);
	}
}

bool gvirt_lrc_batch_unchanged(const u32 *regs, const u32 *image)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].out == OUT_BATCH &&
		    regs[rows[i].dw + 1] != batch_out(image, rows[i].dw))
			return false;
	}
	return true;
}

u32 gvirt_lrc_ring_bytes(u32 head, u32 tail, u32 size)
{
	if (head >= size || tail >= size)
		return 0;
	return tail >= head ? tail - head : size - head + tail;
}
