// SPDX-License-Identifier: GPL-2.0-only
/*
 * MI commands: the table of them, and those about control flow, waiting and signalling.
 *
 * Commands that only matter to parts that the model does not have (URB, resource
 * streamer, display) are counted as skipped. MI_WAIT_FOR_EVENT waits for events of
 * a display engine that reports none to the streamer, as a chip whose DERRMR masks
 * them all (its reset value, which Gen9 drivers leave): it waits for ever.
 */
#include "cs_internal.h"
#include "irq.h"

/* Events in the header of MI_WAIT_FOR_EVENT. */
#define WAIT_EVENTS (GEN9_MI_WAIT_SCAN_LINE_A | GEN9_MI_WAIT_SCAN_LINE_B | \
		     GEN9_MI_WAIT_SCAN_LINE_C | GEN9_MI_WAIT_VBLANK_A | GEN9_MI_WAIT_VBLANK_B | \
		     GEN9_MI_WAIT_VBLANK_C | GEN9_MI_WAIT_FLIP_PLANE_1 | \
		     GEN9_MI_WAIT_FLIP_PLANE_2 | GEN9_MI_WAIT_FLIP_PLANE_3 | \
		     GEN9_MI_WAIT_FLIP_PLANE_4 | GEN9_MI_WAIT_FLIP_PLANE_5 | \
		     GEN9_MI_WAIT_FLIP_PLANE_6 | GEN9_MI_WAIT_FLIP_PLANE_7 | \
		     GEN9_MI_WAIT_FLIP_PLANE_8 | GEN9_MI_WAIT_FLIP_PLANE_9 | \
		     GEN9_MI_WAIT_FLIP_PLANE_10 | GEN9_MI_WAIT_FLIP_PLANE_11 | \
		     GEN9_MI_WAIT_FLIP_PLANE_12)

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

static bool has_waited(const struct gm_cs_op *op)
{
	const struct gm_cs *cs = op->cs;

	return cs->waiting && cs->wait_at == op->at &&
	       cs->wait_ring == gm_cs_reg(cs, GEN9_RING_START);
}

/* @flag of RING_CTL says what is waited for; @interrupt is raised once for each wait. */
static enum gm_cs_status wait(struct gm_cs_op *op, u32 flag, u32 interrupt)
{
	struct gm_cs *cs = op->cs;

	if (has_waited(op))
		return GM_CS_WAIT;
	cs->wait_at = op->at;
	cs->wait_ring = gm_cs_reg(cs, GEN9_RING_START);
	gm_cs_update(cs, GEN9_RING_CTL, 0, flag);
	if (interrupt)
		cs->services.interrupt(cs->services.opaque, interrupt);
	return GM_CS_WAIT;
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
 * In signal mode the chip looks again when MI_SEMAPHORE_SIGNAL comes, in polling mode
 * at intervals. The caller steps again in either case, and looking too often is no error.
 */
static enum gm_cs_status semaphore_wait(struct gm_cs_op *op)
{
	bool ggtt = op->dw[0] & GEN9_MI_SEMAPHORE_GGTT;
	enum gm_cs_status status;
	u32 value;

	if (op->dw[0] & GEN9_MI_SEMAPHORE_REGISTER)
		return wait_for_register(op);
	if (gm_cs_refused(op, ggtt))
		return GM_CS_RUN;
	status = gm_cs_load(op, gm_cs_space(op, ggtt), gm_cs_address(op, 2, 4), &value);
	if (status != GM_CS_RUN)
		return status;
	if (semaphore_holds(op->dw[0], value, gm_cs_dw(op, 1)))
		return semaphore_goes_on(op);
	op->cs->preempt_point = op->cs->arbitration;
	return wait(op, GEN9_RING_CTL_WAIT_SEMAPHORE, GM_IRQ_WAIT_SEMAPHORE);
}

static enum gm_cs_status semaphore_signal(struct gm_cs_op *op)
{
	op->cs->services.semaphore_signal(op->cs->services.opaque);
	return GM_CS_RUN;
}

static enum gm_cs_status wait_for_event(struct gm_cs_op *op)
{
	if (!(op->dw[0] & WAIT_EVENTS))
		return GM_CS_RUN;
	op->cs->preempt_point = op->cs->arbitration;
	return wait(op, GEN9_RING_CTL_WAIT, 0);
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
	[OPCODE(GEN9_MI_LOAD_SCAN_LINES_INCL)] = nothing,
	[OPCODE(GEN9_MI_LOAD_SCAN_LINES_EXCL)] = nothing,
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
