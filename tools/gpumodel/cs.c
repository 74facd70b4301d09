// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command streamer: fetch, decode, dispatch, and how it stops.
 *
 * A step finds out which of the three levels executes (ring, batch, second-level
 * batch), looks at the header there, copies the command, carries it out and only
 * then advances. What a command reads of itself is the copy, so that a guest
 * cannot change it under the checks.
 *
 * Errors. A command that is no command is an instruction error: bit 0 of ESR, of
 * EIR where EMR lets it through, then an interrupt; parsing stops with IPEHR at
 * the header and ACTHD at its address. What a non-privileged batch must not do
 * is turned into a NOOP and reported as bit 2 (IGT, lib/intel_reg.h, GT_ERROR_CPE;
 * also in PRM Skylake, volume 2c, EIR). i915's gt/selftest_execlists.c,
 * live_error_interrupt, expects the first.
 *
 * Idle. INSTDONE is all ones when the ring is empty or stopped; its ring bit is
 * clear while there is something to do, also when that hangs. MI_MODE's idle
 * bit is the engine's, which knows what is submitted.
 *
 * Where a context may be switched (gm_cs.preempt_point), only while arbitration
 * is on: after MI_ARB_CHECK, in the ring and in batches; at a semaphore in memory
 * or an event that is waited for; after 3DPRIMITIVE and GPGPU_WALKER. Starting
 * and ending a batch is no such point on Gen9: i915 ends each request with a
 * MI_ARB_CHECK so that there is one (gt/gen8_engine_cs.c, gen8_emit_wa_tail), and
 * its live_preempt_timeout relies on a batch that jumps without one not being
 * preempted. 3DPRIMITIVE and GPGPU_WALKER: GEN8_CS_CHICKEN1 in gt/intel_gt_regs.h, whose
 * coarsest setting is the command boundary.
 */
#include <linux/array_size.h>
#include <gvirt/gen9_gfx_cmds.h>
#include "blt.h"
#include "cmd.h"
#include "cs_internal.h"
#include "irq.h"
#include "record.h"

/* Commands that a workaround buffer may have before it counts as endless. */
#define BUFFER_COMMANDS 1024

/* gm_cs.bad_tail when no tail has been counted. */
#define NO_TAIL 0xffffffffu

struct level_regs {
	u16 addr;
	u16 udw;
	u16 state;
};

static const struct level_regs level_regs[] = {
	[GM_CS_FIRST] = { GEN9_RING_BB_ADDR, GEN9_RING_BB_ADDR_UDW, GEN9_RING_BB_STATE },
	[GM_CS_SECOND] = { GEN9_RING_SBB_ADDR, GEN9_RING_SBB_ADDR_UDW, GEN9_RING_SBB_STATE },
};

void gm_cs_set_batch(struct gm_cs *cs, enum gm_cs_level level, u64 address)
{
	const struct level_regs *regs = &level_regs[level];

	gm_cs_set(cs, regs->udw, (address & GM_CS_ADDRESS_MASK) >> 32);
	gm_cs_set(cs, regs->addr, (u32)address | GEN9_BB_ADDR_VALID);
}

void gm_cs_set_batch_space(struct gm_cs *cs, enum gm_cs_level level, bool ppgtt)
{
	gm_cs_set(cs, level_regs[level].state, ppgtt ? GEN9_BB_STATE_PPGTT : 0);
}

void gm_cs_end_batch(struct gm_cs *cs, enum gm_cs_level level)
{
	u32 addr = gm_cs_reg(cs, level_regs[level].addr);

	gm_cs_set(cs, level_regs[level].addr, addr & ~GEN9_BB_ADDR_VALID);
}

void gm_cs_update(struct gm_cs *cs, u32 offset, u32 clear, u32 set)
{
	_Atomic u32 *reg = &cs->reg[offset / 4];
	u32 old = atomic_load_explicit(reg, memory_order_relaxed);

	while (!atomic_compare_exchange_weak(reg, &old, (old & ~clear) | set))
		;
}

void gm_cs_error(struct gm_cs *cs, u32 error)
{
	u32 unmasked = error & ~gm_cs_reg(cs, GEN9_RING_EMR);

	gm_cs_update(cs, GEN9_RING_ESR, 0, error);
	if (!unmasked)
		return;
	gm_cs_update(cs, GEN9_RING_EIR, 0, unmasked);
	cs->services.interrupt(cs->services.opaque, GM_IRQ_CS_ERROR);
}

static void stop_for_ever(struct gm_cs *cs)
{
	cs->hung = true;
	cs->preempt_point = false;
	gm_cs_drop_line(cs);
	gm_count_engine(cs->stats, cs->engine, GM_ENGINE_HANGS, 1);
}

enum gm_cs_status gm_cs_hang(struct gm_cs_op *op, const char *why)
{
	struct gm_cs *cs = op->cs;

	stop_for_ever(cs);
	gm_cs_set(cs, GEN9_RING_IPEIR, op->level == GM_CS_RING ? 0 : GEN9_IPEIR_BATCH);
	if (op->privileged)
		gm_misuse(cs->stats, GM_MISUSE_UNKNOWN_COMMAND,
			  "%s: command %#010x at %#llx: %s", gm_engine_name(cs->engine),
			  gm_cs_reg(cs, GEN9_RING_IPEHR), (unsigned long long)op->at, why);
	gm_cs_error(cs, GEN9_ERROR_INSTRUCTION);
	return GM_CS_HANG;
}

/* The MMU keeps the fault and has counted it. */
enum gm_cs_status gm_cs_fault(struct gm_cs_op *op)
{
	stop_for_ever(op->cs);
	return GM_CS_FAULT;
}

/* A ring that no driver should have: reported once for each tail. */
static void bad_ring(struct gm_cs *cs, u32 tail, const char *why)
{
	if (cs->bad_tail == tail)
		return;
	cs->bad_tail = tail;
	gm_misuse(cs->stats, GM_MISUSE_RING, "%s: head %#x, tail %#x, control %#x: %s",
		  gm_engine_name(cs->engine), gm_cs_reg(cs, GEN9_RING_HEAD), tail,
		  gm_cs_reg(cs, GEN9_RING_CTL), why);
}

static bool locate_ring(struct gm_cs *cs, struct gm_cs_op *op)
{
	u32 head = gm_cs_reg(cs, GEN9_RING_HEAD) & GEN9_RING_HEAD_MASK;
	u32 tail = gm_cs_reg(cs, GEN9_RING_TAIL) & GEN9_RING_TAIL_MASK;
	u32 ctl = gm_cs_reg(cs, GEN9_RING_CTL);
	u32 size = (ctl & GEN9_RING_CTL_PAGES_MASK) + 4096;

	if (head == tail)
		return false;
	if (!(ctl & GEN9_RING_CTL_VALID)) {
		bad_ring(cs, tail, "the ring is not enabled");
		return false;
	}
	if (tail >= size || head >= size)
		bad_ring(cs, tail, "head or tail lies beyond the ring, which never gets empty");
	head %= size;
	op->level = GM_CS_RING;
	op->space = GM_SPACE_GGTT;
	op->privileged = true;
	op->ring = gm_cs_reg(cs, GEN9_RING_START) & ~0xfffu;
	op->ring_end = op->ring + size;
	op->at = op->ring + head;
	op->end = tail > head && tail < size ? op->ring + tail : op->ring_end;
	op->left = tail >= size ? size : (tail + size - head) % size;
	return true;
}

static void locate_batch(struct gm_cs *cs, struct gm_cs_op *op, enum gm_cs_level level)
{
	const struct level_regs *regs = &level_regs[level];
	bool ppgtt = gm_cs_reg(cs, regs->state) & GEN9_BB_STATE_PPGTT;

	op->level = level;
	op->space = ppgtt && cs->ppgtt ? GM_SPACE_PPGTT : GM_SPACE_GGTT;
	op->privileged = !ppgtt;
	op->at = ((u64)gm_cs_reg(cs, regs->udw) << 32 | (gm_cs_reg(cs, regs->addr) & ~3u)) &
		 GM_CS_ADDRESS_MASK;
	op->end = 0;
}

/* Where the next command is; false when there is none. */
static bool locate(struct gm_cs *cs, struct gm_cs_op *op)
{
	op->cs = cs;
	if (gm_cs_reg(cs, GEN9_RING_SBB_ADDR) & GEN9_BB_ADDR_VALID)
		locate_batch(cs, op, GM_CS_SECOND);
	else if (gm_cs_reg(cs, GEN9_RING_BB_ADDR) & GEN9_BB_ADDR_VALID)
		locate_batch(cs, op, GM_CS_FIRST);
	else
		return locate_ring(cs, op);
	return true;
}

static void advance_ring(struct gm_cs_op *op)
{
	u32 head = gm_cs_reg(op->cs, GEN9_RING_HEAD) & ~GEN9_RING_HEAD_MASK;
	u64 next = op->at + 4ull * op->dwords;

	if (next >= op->ring_end) {
		next -= op->ring_end - op->ring;
		head += GEN9_RING_HEAD_WRAP_ONE;
	}
	gm_cs_set(op->cs, GEN9_RING_HEAD, head | (u32)(next - op->ring));
}

static void advance(struct gm_cs_op *op)
{
	if (op->level == GM_CS_RING)
		advance_ring(op);
	else if (op->level == GM_CS_BUFFER)
		op->at += 4ull * op->dwords;
	else
		gm_cs_set_batch(op->cs, op->level, op->at + 4ull * op->dwords);
}

static bool fill_line(struct gm_cs_op *op)
{
	struct gm_cs_line *line = &op->cs->line;
	u64 end = (op->at | (4 * GM_CS_LINE_DWORDS - 1)) + 1;

	if (op->end && end > op->end)
		end = op->end;
	line->space = op->space;
	line->first = op->at;
	line->end = op->at;
	if (!gm_mmu_read(op->cs->mmu, op->space, op->at, line->dword, end - op->at))
		return false;
	line->end = end;
	return true;
}

/* The header, and as many dwords behind it as its line has; false on a fault. */
static bool fetch_header(struct gm_cs_op *op)
{
	struct gm_cs_line *line = &op->cs->line;

	if ((op->at < line->first || op->at >= line->end || op->space != line->space) &&
	    !fill_line(op))
		return false;
	op->dw = &line->dword[(op->at - line->first) / 4];
	op->copied = (line->end - op->at) / 4;
	return true;
}

/* The whole of a command that does not lie in one line; in the ring it may wrap. */
static bool fetch_body(struct gm_cs_op *op)
{
	size_t bytes = 4ul * op->dwords, first = bytes;
	struct gm_cs *cs = op->cs;

	if (op->level == GM_CS_RING && op->at + bytes > op->ring_end)
		first = op->ring_end - op->at;
	if (!gm_mmu_read(cs->mmu, op->space, op->at, cs->body, first))
		return false;
	if (first < bytes && !gm_mmu_read(cs->mmu, op->space, op->ring,
					  (u8 *)cs->body + first, bytes - first))
		return false;
	op->dw = cs->body;
	op->copied = op->dwords;
	return true;
}

static void note_header(struct gm_cs_op *op)
{
	struct gm_cs *cs = op->cs;

	gm_cs_set(cs, GEN9_RING_INSTDONE, ~GEN9_INSTDONE_RING);
	gm_cs_set(cs, GEN9_RING_IPEHR, op->dw[0]);
	gm_cs_set(cs, GEN9_RING_ACTHD, (u32)op->at);
	gm_cs_set(cs, GEN9_RING_ACTHD_UDW, op->at >> 32);
	gm_cs_set(cs, GEN9_RING_DMA_FADD, (u32)op->at);
	gm_cs_set(cs, GEN9_RING_DMA_FADD_UDW, op->at >> 32);
}

static enum gm_cs_status run_2d(struct gm_cs_op *op)
{
	struct gm_cs *cs = op->cs;
	u32 swctrl;

	if (!cs->blt)
		return gm_cs_hang(op, "this engine has no 2D commands");
	swctrl = cs->services.reg_read(cs->services.opaque, cs->base + GEN9_BCS_SWCTRL);
	gm_cs_drop_line(cs);
	switch (gm_blt_execute(cs->blt, gm_cs_space(op, false), swctrl, op->dw, op->dwords)) {
	case GM_BLT_DONE:
		return GM_CS_RUN;
	case GM_BLT_FAULT:
		return gm_cs_fault(op);
	default:
		return gm_cs_hang(op, "reserved encoding of a 2D command");
	}
}

static enum gm_cs_status run_skipped(struct gm_cs_op *op)
{
	u32 opcode = op->dw[0] & GEN9_GFX_OPCODE_MASK;

	gm_count(op->cs->stats, GM_COUNT_SKIPPED_COMMAND, 1);
	if (opcode == GEN9_3DPRIMITIVE || opcode == GEN9_GPGPU_WALKER)
		op->cs->preempt_point = op->cs->arbitration;
	return GM_CS_RUN;
}

static enum gm_cs_status dispatch(struct gm_cs_op *op, enum gm_cmd_kind kind)
{
	u32 mode = gm_cs_reg(op->cs, GEN9_RING_MI_MODE) & GEN9_MI_MODE_PREDICATE_MASK;

	if (mode && op->cs->engine == GM_RCS && gm_cs_predicated(op->cs, mode) &&
	    (op->dw[0] & GEN9_MI_OPCODE_MASK) != GEN9_MI_SET_PREDICATE)
		return GM_CS_RUN;
	switch (kind) {
	case GM_CMD_MI:
		return gm_cs_mi(op);
	case GM_CMD_2D:
		return run_2d(op);
	case GM_CMD_PIPE_CONTROL:
		return gm_cs_pipe_control(op);
	default:
		return run_skipped(op);
	}
}

/* Whether the ring's tail cuts the command off: the chip waits for the rest. */
static bool is_cut_off(struct gm_cs_op *op)
{
	if (op->level != GM_CS_RING || 4ull * op->dwords <= op->left)
		return false;
	bad_ring(op->cs, gm_cs_reg(op->cs, GEN9_RING_TAIL) & GEN9_RING_TAIL_MASK,
		 "the tail stands in the middle of a command");
	return true;
}

static enum gm_cs_status decode_and_run(struct gm_cs_op *op)
{
	struct gm_cmd cmd = gm_cmd_decode(op->cs->engine, op->dw[0]);

	op->dwords = cmd.dwords;
	op->jumped = false;
	if (cmd.kind == GM_CMD_UNDEFINED || !cmd.dwords)
		return gm_cs_hang(op, "not a command of this engine");
	if (is_cut_off(op))
		return GM_CS_WAIT;
	if (op->copied >= op->dwords || cmd.kind == GM_CMD_SKIP) {
		op->copied = op->copied < op->dwords ? op->copied : op->dwords;
	} else {
		if (op->dwords > GM_CS_BODY_DWORDS)
			return gm_cs_hang(op, "longer than any command that has an effect");
		if (!fetch_body(op))
			return gm_cs_fault(op);
	}
	return dispatch(op, cmd.kind);
}

static enum gm_record_kind record_kind(const struct gm_cs_op *op)
{
	switch (op->level) {
	case GM_CS_RING:
		return GM_RECORD_RING;
	case GM_CS_FIRST:
		return GM_RECORD_BATCH;
	case GM_CS_SECOND:
		return GM_RECORD_SECOND;
	default:
		return op->end ? GM_RECORD_INDIRECT : GM_RECORD_PER_CONTEXT;
	}
}

/* Of commands that are skipped, there is no whole copy yet. */
static void record_command(struct gm_cs_op *op)
{
	struct gm_record *record = op->cs->record;
	unsigned int engine = op->cs->engine;
	u32 opcode = op->dw[0] & GEN9_MI_OPCODE_MASK;

	if (op->copied < op->dwords && (op->dwords > GM_CS_BODY_DWORDS || !fetch_body(op)))
		return;
	gm_record_command(record, engine, record_kind(op), op->level == GM_CS_RING ? op->ring : 0,
			  op->dw, op->dwords);
	if (op->level != GM_CS_RING && opcode == GEN9_MI_BATCH_BUFFER_END)
		gm_record_end(record, engine, record_kind(op));
}

static enum gm_cs_status execute(struct gm_cs_op *op)
{
	struct gm_cs *cs = op->cs;
	enum gm_cs_status status;

	if (!fetch_header(op))
		return gm_cs_fault(op);
	note_header(op);
	status = decode_and_run(op);
	cs->waiting = status == GM_CS_WAIT;
	if (cs->waiting || cs->preempt_point || status == GM_CS_LEAVE)
		gm_cs_drop_line(cs);
	if (status == GM_CS_RUN || status == GM_CS_JUMP_BACK) {
		if (cs->record && op->privileged)
			record_command(op);
		gm_count_engine(cs->stats, cs->engine, GM_ENGINE_COMMANDS, 1);
		if (!op->jumped)
			advance(op);
	}
	return status;
}

/* The parser stands still, because nothing is left to do or because it was told to. */
static enum gm_cs_status go_idle(struct gm_cs *cs, enum gm_cs_status status)
{
	gm_cs_drop_line(cs);
	gm_cs_set(cs, GEN9_RING_INSTDONE, ~0u);
	if (cs->record && status == GM_CS_IDLE)
		gm_record_end(cs->record, cs->engine, GM_RECORD_RING);
	return status;
}

enum gm_cs_status gm_cs_step(struct gm_cs *cs)
{
	struct gm_cs_op op;

	cs->preempt_point = false;
	if (cs->hung)
		return GM_CS_HANG;
	if (!locate(cs, &op))
		return go_idle(cs, GM_CS_IDLE);
	if (gm_cs_reg(cs, GEN9_RING_MI_MODE) & GEN9_MI_MODE_STOP_RING)
		return go_idle(cs, GM_CS_WAIT);
	return execute(&op);
}

enum gm_cs_status gm_cs_run_buffer(struct gm_cs *cs, u64 address, u32 bytes)
{
	struct gm_cs_op op = {
		.cs = cs,
		.level = GM_CS_BUFFER,
		.space = GM_SPACE_GGTT,
		.privileged = true,
		.at = address & GM_CS_ADDRESS_MASK & ~3ull,
	};
	enum gm_cs_status status = cs->hung ? GM_CS_HANG : GM_CS_RUN;
	unsigned int i;

	op.end = bytes ? op.at + (bytes & ~3u) : 0;
	gm_cs_drop_line(cs);
	for (i = 0; i < BUFFER_COMMANDS && status != GM_CS_HANG && status != GM_CS_FAULT; i++) {
		if (op.end && op.at >= op.end)
			break;
		status = execute(&op);
		if (op.jumped)
			break;
	}
	if (i == BUFFER_COMMANDS)
		status = gm_cs_hang(&op, "the workaround buffer does not end");
	if (cs->record)
		gm_record_end(cs->record, cs->engine, record_kind(&op));
	gm_cs_drop_line(cs);
	cs->preempt_point = false;
	return status == GM_CS_HANG || status == GM_CS_FAULT ? status : GM_CS_RUN;
}

void gm_cs_init(struct gm_cs *cs)
{
	unsigned int i;

	for (i = 0; i < GM_CS_REGS; i++)
		atomic_init(&cs->reg[i], 0);
	gm_cs_set(cs, GEN9_RING_EMR, ~0u);
	gm_cs_set(cs, GEN9_RING_IMR, ~0u);
	/* NOPID, with which i915 fills slots that it does not use (intel_workarounds.c). */
	for (i = 0; i < GEN9_FORCE_TO_NONPRIV_SLOTS; i++)
		gm_cs_set(cs, GEN9_RING_FORCE_TO_NONPRIV(i), cs->base + GEN9_RING_NOPID);
	gm_cs_reset(cs);
}

void gm_cs_reset(struct gm_cs *cs)
{
	static const u16 cleared[] = {
		GEN9_RING_TAIL, GEN9_RING_HEAD, GEN9_RING_START, GEN9_RING_CTL,
		GEN9_RING_BB_ADDR, GEN9_RING_BB_ADDR_UDW, GEN9_RING_BB_STATE,
		GEN9_RING_SBB_ADDR, GEN9_RING_SBB_ADDR_UDW, GEN9_RING_SBB_STATE,
		GEN9_RING_ACTHD, GEN9_RING_ACTHD_UDW, GEN9_RING_DMA_FADD, GEN9_RING_DMA_FADD_UDW,
		GEN9_RING_IPEHR, GEN9_RING_IPEIR, GEN9_RING_EIR, GEN9_RING_ESR,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cleared); i++)
		gm_cs_set(cs, cleared[i], 0);
	gm_cs_set(cs, GEN9_RING_INSTDONE, ~0u);
	gm_cs_set(cs, GEN9_RING_MI_MODE, 0);
	cs->arbitration = true;
	cs->preempt_point = false;
	cs->hung = false;
	atomic_store(&cs->signalled, false);
	cs->waiting = false;
	cs->event_since = 0;
	cs->bad_tail = NO_TAIL;
	gm_cs_drop_line(cs);
}
