// SPDX-License-Identifier: GPL-2.0-only
/*
 * MI commands: the table of them, and those about control flow, waiting and signalling.
 *
 * Commands that only matter to parts that the model does not have (URB, resource
 * streamer, flips by the streamer) are counted as skipped.
 *
 * A semaphore in memory or an event that is waited for makes the context leave the
 * engine, unless it runs without execlists, has arbitration off or has INHIBIT_SYN_SWITCH
 * set, as drivers do: then the engine waits, and only then a semaphore interrupts.
 *
 * MI_WAIT_FOR_EVENT: a vertical blank is waited for that begins after the command was
 * met, a scan line until the beam has left the window (or entered it, when that is
 * exclusive), a flip while one is pending, which never is the case here. An event of a
 * pipe that does not run never comes: what waits for it hangs, as i915 says. That a
 * display that is fused off behaves as one whose pipes are off is taken from there.
 *
 * Sources: Intel media-driver, agnostic/gen9/hw/mhw_mi_hwcmd_g9_X.h, MI_SEMAPHORE_WAIT;
 * Linux i915, display/intel_plane.c (a wait for a pipe that is off); xf86-video-intel,
 * src/sna/sna_display.c (scan lines, DERRMR).
 */
#include <gvirt/gen9_display.h>
#include <gvirt/gen9_lrc.h>
#include "cs_internal.h"
#include "irq.h"

#define WAIT_SCAN_LINES	(GEN9_MI_WAIT_SCAN_LINE_A | GEN9_MI_WAIT_SCAN_LINE_B | \
			 GEN9_MI_WAIT_SCAN_LINE_C)
#define WAIT_VBLANKS	(GEN9_MI_WAIT_VBLANK_A | GEN9_MI_WAIT_VBLANK_B | GEN9_MI_WAIT_VBLANK_C)

static enum gm_cs_status noop(struct gm_cs_op *op)
{
	if (op->dw[0] & GEN9_MI_NOOP_WRITE_ID)
		gm_cs_set(op->cs, GEN9_RING_NOPID, op->dw[0] & GEN9_MI_NOOP_ID_MASK);
	return GM_CS_RUN;
}

/* A command without effect in the model. */
static enum gm_cs_status nothing(struct gm_cs_op *op)
{
	gm_count(op->cs->stats, GM_COUNT_SKIPPED_COMMAND, 1);
	return GM_CS_RUN;
}

/* The same for one that needs privilege. */
static enum gm_cs_status privileged_nothing(struct gm_cs_op *op)
{
	return gm_cs_refused(op, true) ? GM_CS_RUN : nothing(op);
}

static enum gm_cs_status clflush(struct gm_cs_op *op)
{
	gm_cs_refused(op, op->dw[0] & GEN9_MI_CLFLUSH_GGTT);
	return GM_CS_RUN;
}

static enum gm_cs_status user_interrupt(struct gm_cs_op *op)
{
	op->cs->services.interrupt(op->cs->services.opaque, GM_IRQ_USER);
	return GM_CS_RUN;
}

static enum gm_cs_status arb_check(struct gm_cs_op *op)
{
	op->cs->preempt_point = op->cs->arbitration;
	return GM_CS_RUN;
}

static enum gm_cs_status arb_on_off(struct gm_cs_op *op)
{
	if (!gm_cs_refused(op, true))
		op->cs->arbitration = op->dw[0] & GEN9_MI_ARB_ENABLE;
	return GM_CS_RUN;
}

/* The level that a batch start in @op fills: a second level stays below the first. */
static enum gm_cs_level started_level(const struct gm_cs_op *op)
{
	return op->dw[0] & GEN9_MI_BBS_SECOND_LEVEL ? GM_CS_SECOND : GM_CS_FIRST;
}

static bool start_is_predicated_off(const struct gm_cs_op *op)
{
	return op->dw[0] & GEN9_MI_BBS_PREDICATE && op->cs->engine == GM_RCS &&
	       !(gm_cs_reg(op->cs, GEN9_MI_PREDICATE_RESULT_1) & 1);
}

/* Where the level that @op stands in goes on when the batch it starts has ended. */
static void set_return(struct gm_cs_op *op)
{
	u64 next = op->at + 4ull * op->dwords;

	if (op->level == GM_CS_FIRST)
		gm_cs_set_batch(op->cs, GM_CS_FIRST, next);
	else if (op->level == GM_CS_SECOND)
		gm_cs_end_batch(op->cs, GM_CS_SECOND);
}

/*
 * There is no stack: a batch started at the level that executes takes its place,
 * and one started at the first level from the second ends the second.
 */
static enum gm_cs_status batch_buffer_start(struct gm_cs_op *op)
{
	enum gm_cs_level level = started_level(op);
	u64 address = gm_cs_address(op, 1, 4);
	bool ppgtt = op->dw[0] & GEN9_MI_BBS_PPGTT || !op->privileged;

	if (op->level == GM_CS_BUFFER)
		return gm_cs_hang(op, "a workaround buffer cannot start a batch");
	if (start_is_predicated_off(op))
		return GM_CS_RUN;
	if (op->dw[0] & GEN9_MI_BBS_ADD_OFFSET)
		address += gm_cs_reg(op->cs, GEN9_RING_BB_OFFSET) & ~3u;
	set_return(op);
	gm_cs_set_batch(op->cs, level, address);
	gm_cs_set_batch_space(op->cs, level, ppgtt);
	gm_cs_drop_line(op->cs);
	if (op->level == GM_CS_RING)
		return GM_CS_RUN;
	op->jumped = true;
	return level == op->level && address <= op->at ? GM_CS_JUMP_BACK : GM_CS_RUN;
}

static enum gm_cs_status batch_buffer_end(struct gm_cs_op *op)
{
	if (op->level == GM_CS_RING)
		return GM_CS_RUN;
	if (op->level != GM_CS_BUFFER)
		gm_cs_end_batch(op->cs, op->level);
	gm_cs_drop_line(op->cs);
	op->jumped = true;
	return GM_CS_RUN;
}

/* Ends the first level together with the second. */
static enum gm_cs_status end_all_batches(struct gm_cs_op *op)
{
	if (op->level == GM_CS_SECOND)
		gm_cs_end_batch(op->cs, GM_CS_FIRST);
	return batch_buffer_end(op);
}

static enum gm_cs_status conditional_batch_buffer_end(struct gm_cs_op *op)
{
	bool masked = op->dw[0] & GEN9_MI_CBBE_MASK_MODE, ggtt = op->dw[0] & GEN9_MI_CBBE_GGTT;
	enum gm_space space = gm_cs_space(op, ggtt);
	u64 va = gm_cs_address(op, 2, 8);
	enum gm_cs_status status;
	u32 memory, data = ~0u;

	if (gm_cs_refused(op, ggtt) || !(op->dw[0] & GEN9_MI_CBBE_COMPARE))
		return GM_CS_RUN;
	status = gm_cs_load(op, space, va, &memory);
	if (status == GM_CS_RUN && masked)
		status = gm_cs_load(op, space, va + 4, &data);
	if (status != GM_CS_RUN)
		return status;
	return (memory & data) > gm_cs_dw(op, 1) ? GM_CS_RUN : end_all_batches(op);
}

/* @memory is the manual's SAD, @data its SDD; reserved comparisons never hold. */
static bool semaphore_holds(u32 header, u32 memory, u32 data)
{
	switch ((header & GEN9_MI_SEMAPHORE_COMPARE_MASK) >> GEN9_MI_SEMAPHORE_COMPARE_SHIFT) {
	case GEN9_MI_SEMAPHORE_SAD_GT_SDD:
		return memory > data;
	case GEN9_MI_SEMAPHORE_SAD_GTE_SDD:
		return memory >= data;
	case GEN9_MI_SEMAPHORE_SAD_LT_SDD:
		return memory < data;
	case GEN9_MI_SEMAPHORE_SAD_LTE_SDD:
		return memory <= data;
	case GEN9_MI_SEMAPHORE_SAD_EQ_SDD:
		return memory == data;
	case GEN9_MI_SEMAPHORE_SAD_NEQ_SDD:
		return memory != data;
	default:
		return false;
	}
}

/* The last wait that was met was this one; it may have ended since. */
static bool is_last_wait(const struct gm_cs_op *op)
{
	return op->cs->wait_at == op->at &&
	       op->cs->wait_ring == gm_cs_reg(op->cs, GEN9_RING_START);
}

static void note_wait(struct gm_cs_op *op)
{
	op->cs->wait_at = op->at;
	op->cs->wait_ring = gm_cs_reg(op->cs, GEN9_RING_START);
}

/* @flag of RING_CTL says what is waited for; @interrupt is raised once for each wait. */
static enum gm_cs_status wait(struct gm_cs_op *op, u32 flag, u32 interrupt)
{
	struct gm_cs *cs = op->cs;

	if (cs->waiting && is_last_wait(op))
		return GM_CS_WAIT;
	note_wait(op);
	gm_cs_update(cs, GEN9_RING_CTL, 0, flag);
	if (interrupt)
		cs->services.interrupt(cs->services.opaque, interrupt);
	return GM_CS_WAIT;
}

static bool switches_synchronously(const struct gm_cs_op *op)
{
	const struct gm_cs *cs = op->cs;

	return cs->arbitration && op->level != GM_CS_BUFFER &&
	       gm_cs_reg(cs, GEN9_RING_GFX_MODE) & GEN9_GFX_RUN_LIST_ENABLE &&
	       !(gm_cs_reg(cs, GEN9_RING_CONTEXT_CONTROL) & GEN9_CTX_CTRL_INHIBIT_SYN_SWITCH);
}

/* The same where contexts can be switched; @reason is for those that leave. */
static enum gm_cs_status wait_or_leave(struct gm_cs_op *op, u32 flag, u32 interrupt, u32 reason)
{
	op->cs->preempt_point = op->cs->arbitration;
	if (!switches_synchronously(op))
		return wait(op, flag, interrupt);
	note_wait(op);
	op->cs->leave_reason = reason;
	return GM_CS_LEAVE;
}

static enum gm_cs_status semaphore_goes_on(struct gm_cs_op *op)
{
	if (gm_cs_reg(op->cs, GEN9_RING_CTL) & GEN9_RING_CTL_WAIT_SEMAPHORE)
		gm_cs_update(op->cs, GEN9_RING_CTL, GEN9_RING_CTL_WAIT_SEMAPHORE, 0);
	return GM_CS_RUN;
}

/* Polling a register needs privilege, has no interrupt and cannot be preempted. */
static enum gm_cs_status wait_for_register(struct gm_cs_op *op)
{
	const struct gm_cs_services *services = &op->cs->services;
	u32 value;

	if (gm_cs_refused(op, true))
		return GM_CS_RUN;
	value = services->reg_read(services->opaque, gm_cs_dw(op, 2) & GEN9_MI_REGISTER_MASK);
	if (semaphore_holds(op->dw[0], value, gm_cs_dw(op, 1)))
		return semaphore_goes_on(op);
	return wait(op, GEN9_RING_CTL_WAIT_SEMAPHORE, 0);
}

/*
 * Whether memory is looked at: the first time, then at intervals (the caller steps again), or in
 * signal mode when MI_SEMAPHORE_SIGNAL has come since the last look.
 */
static bool semaphore_looks(struct gm_cs_op *op)
{
	bool signalled = atomic_exchange(&op->cs->signalled, false);

	return op->dw[0] & GEN9_MI_SEMAPHORE_POLL || signalled || !op->cs->waiting ||
	       !is_last_wait(op);
}

static enum gm_cs_status semaphore_wait(struct gm_cs_op *op)
{
	bool ggtt = op->dw[0] & GEN9_MI_SEMAPHORE_GGTT;
	enum gm_cs_status status;
	u32 value;

	if (op->dw[0] & GEN9_MI_SEMAPHORE_REGISTER)
		return wait_for_register(op);
	if (gm_cs_refused(op, ggtt))
		return GM_CS_RUN;
	if (!semaphore_looks(op)) {
		op->cs->preempt_point = op->cs->arbitration;
		return GM_CS_WAIT;
	}
	status = gm_cs_load(op, gm_cs_space(op, ggtt), gm_cs_address(op, 2, 4), &value);
	if (status != GM_CS_RUN)
		return status;
	if (semaphore_holds(op->dw[0], value, gm_cs_dw(op, 1)))
		return semaphore_goes_on(op);
	return wait_or_leave(op, GEN9_RING_CTL_WAIT_SEMAPHORE, GM_IRQ_WAIT_SEMAPHORE,
			     GEN9_CSB_WAIT_SEMAPHORE |
			     (op->dw[0] & GEN9_MI_SEMAPHORE_POLL ? GEN9_CSB_SEMAPHORE_POLL : 0));
}

static enum gm_cs_status semaphore_signal(struct gm_cs_op *op)
{
	u32 target = (op->dw[0] & GEN9_MI_SEMAPHORE_TARGET_MASK) >> GEN9_MI_SEMAPHORE_TARGET_SHIFT;

	op->cs->services.semaphore_signal(op->cs->services.opaque, target, gm_cs_dw(op, 1));
	return GM_CS_RUN;
}

static bool event_came(struct gm_cs_op *op, u32 events)
{
	const struct gm_cs_services *services = &op->cs->services;

	/* A context that left meanwhile goes on with the same wait. */
	if (!is_last_wait(op))
		op->cs->event_since = 0;
	return services->display_events &&
	       services->display_events(services->opaque, events, &op->cs->event_since);
}

static enum gm_cs_status wait_for_event(struct gm_cs_op *op)
{
	u32 events = op->dw[0] & (WAIT_SCAN_LINES | WAIT_VBLANKS);

	if (events && !event_came(op, events))
		return wait_or_leave(op, GEN9_RING_CTL_WAIT, 0,
				     events & WAIT_VBLANKS ? GEN9_CSB_WAIT_VBLANK :
							     GEN9_CSB_WAIT_SCAN_LINE);
	op->cs->event_since = 0;
	if (gm_cs_reg(op->cs, GEN9_RING_CTL) & GEN9_RING_CTL_WAIT)
		gm_cs_update(op->cs, GEN9_RING_CTL, GEN9_RING_CTL_WAIT, 0);
	return GM_CS_RUN;
}

static int scan_line_pipe(u32 header)
{
	switch ((header & GEN9_MI_SCAN_LINES_PIPE_MASK) >> GEN9_MI_SCAN_LINES_PIPE_SHIFT) {
	case GEN9_MI_SCAN_LINES_PIPE_A:
		return 0;
	case GEN9_MI_SCAN_LINES_PIPE_B:
		return 1;
	case GEN9_MI_SCAN_LINES_PIPE_C:
		return 2;
	default:
		return -1;
	}
}

static enum gm_cs_status load_scan_lines(struct gm_cs_op *op)
{
	int pipe = scan_line_pipe(op->dw[0]);
	bool inclusive = (op->dw[0] & GEN9_MI_OPCODE_MASK) == GEN9_MI_LOAD_SCAN_LINES_INCL;
	const struct gm_cs_services *services = &op->cs->services;
	u32 window = gm_cs_dw(op, 1) & (GEN9_SCAN_LINES_MASK << GEN9_SCAN_LINES_FIRST_SHIFT |
					GEN9_SCAN_LINES_MASK);

	if (!services->scan_lines || pipe < 0)
		return nothing(op);
	services->scan_lines(services->opaque, pipe,
			     window | (inclusive ? GEN9_SCAN_LINES_INCLUSIVE : 0));
	return GM_CS_RUN;
}

#define OPCODE(header) ((header) >> GEN9_MI_OPCODE_SHIFT)

static enum gm_cs_status (*const handlers[64])(struct gm_cs_op *op) = {
	[OPCODE(GEN9_MI_NOOP)] = noop,
	[OPCODE(GEN9_MI_SET_PREDICATE)] = gm_cs_set_predicate,
	[OPCODE(GEN9_MI_USER_INTERRUPT)] = user_interrupt,
	[OPCODE(GEN9_MI_WAIT_FOR_EVENT)] = wait_for_event,
	[OPCODE(GEN9_MI_FLUSH)] = nothing,
	[OPCODE(GEN9_MI_ARB_CHECK)] = arb_check,
	[OPCODE(GEN9_MI_RS_CONTROL)] = nothing,
	[OPCODE(GEN9_MI_REPORT_HEAD)] = gm_cs_report_head,
	[OPCODE(GEN9_MI_ARB_ON_OFF)] = arb_on_off,
	[OPCODE(GEN9_MI_URB_ATOMIC_ALLOC)] = nothing,
	[OPCODE(GEN9_MI_BATCH_BUFFER_END)] = batch_buffer_end,
	[OPCODE(GEN9_MI_SUSPEND_FLUSH)] = nothing,
	[OPCODE(GEN9_MI_PREDICATE)] = gm_cs_predicate,
	[OPCODE(GEN9_MI_TOPOLOGY_FILTER)] = nothing,
	[OPCODE(GEN9_MI_SET_APPID)] = nothing,
	[OPCODE(GEN9_MI_RS_CONTEXT)] = nothing,
	[OPCODE(GEN9_MI_LOAD_SCAN_LINES_INCL)] = load_scan_lines,
	[OPCODE(GEN9_MI_LOAD_SCAN_LINES_EXCL)] = load_scan_lines,
	[OPCODE(GEN9_MI_DISPLAY_FLIP)] = privileged_nothing,
	[OPCODE(GEN9_MI_SET_CONTEXT)] = privileged_nothing,
	[OPCODE(GEN9_MI_URB_CLEAR)] = nothing,
	[OPCODE(GEN9_MI_MATH)] = gm_cs_math,
	[OPCODE(GEN9_MI_SEMAPHORE_SIGNAL)] = semaphore_signal,
	[OPCODE(GEN9_MI_SEMAPHORE_WAIT)] = semaphore_wait,
	[OPCODE(GEN9_MI_FORCE_WAKEUP)] = nothing,
	[OPCODE(GEN9_MI_STORE_DATA_IMM)] = gm_cs_store_data_imm,
	[OPCODE(GEN9_MI_STORE_DATA_INDEX)] = gm_cs_store_data_index,
	[OPCODE(GEN9_MI_LOAD_REGISTER_IMM)] = gm_cs_load_register_imm,
	[OPCODE(GEN9_MI_UPDATE_GTT)] = gm_cs_update_gtt,
	[OPCODE(GEN9_MI_STORE_REGISTER_MEM)] = gm_cs_store_register_mem,
	[OPCODE(GEN9_MI_FLUSH_DW)] = gm_cs_flush_dw,
	[OPCODE(GEN9_MI_CLFLUSH)] = clflush,
	[OPCODE(GEN9_MI_REPORT_PERF_COUNT)] = gm_cs_report_perf_count,
	[OPCODE(GEN9_MI_LOAD_REGISTER_MEM)] = gm_cs_load_register_mem,
	[OPCODE(GEN9_MI_LOAD_REGISTER_REG)] = gm_cs_load_register_reg,
	[OPCODE(GEN9_MI_RS_STORE_DATA_IMM)] = nothing,
	[OPCODE(GEN9_MI_LOAD_URB_MEM)] = nothing,
	[OPCODE(GEN9_MI_STORE_URB_MEM)] = nothing,
	[OPCODE(GEN9_MI_COPY_MEM_MEM)] = gm_cs_copy_mem_mem,
	[OPCODE(GEN9_MI_ATOMIC)] = gm_cs_atomic,
	[OPCODE(GEN9_MI_BATCH_BUFFER_START)] = batch_buffer_start,
	[OPCODE(GEN9_MI_CONDITIONAL_BATCH_BUFFER_END)] = conditional_batch_buffer_end,
};

enum gm_cs_status gm_cs_mi(struct gm_cs_op *op)
{
	u32 opcode = OPCODE(op->dw[0]);

	if (opcode >= 64 || !handlers[opcode])
		return gm_cs_hang(op, "an MI command that is not modelled");
	return handlers[opcode](op);
}
