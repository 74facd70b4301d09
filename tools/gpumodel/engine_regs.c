// SPDX-License-Identifier: GPL-2.0-only
/*
 * An engine's register window as software and commands see it.
 *
 * Data model: values stand in the streamer's reg[]; a few registers are
 * computed when they are read (timestamps, idle bit, execlist status, CSB) or
 * do something when they are written (submit port, RESET_CTL, MI_MODE, ring
 * tail, page directories, error registers). Registers that report what the
 * streamer is doing ignore writes; a context restore still loads them.
 *
 * Sources: Linux i915, gt/intel_engine_regs.h,
 * gt/intel_reset.c (RESET_CTL), gt/intel_engine_cs.c (STOP_RING, idle) and
 * gvt/handlers.c (which registers carry a mask in their upper half).
 */
#include <time.h>
#include <linux/array_size.h>
#include "engine_internal.h"
#include "irq.h"
#include "mmio.h"
#include "platform.h"
#include "stats.h"

/* How long a reset request waits for a command to end before it returns. */
#define RESET_WAIT_NS		20000000
#define TIMESTAMP_BITS		36
#define NS_PER_S		1000000000ull

/* Registers whose upper half selects the bits of the lower half that a write changes. */
static const u32 masked_regs[] = {
	GEN9_RING_EXCC, GEN9_RING_PSMI_CTL, GEN9_RING_MI_MODE, GEN9_RING_INSTPM,
	GEN9_RING_RESET_CTL, GEN9_RING_CONTEXT_CONTROL, GEN9_RING_GFX_MODE,
	GEN9_RING_CONTEXT_STATUS_PTR,
	0x0d4,			/* CSFE_CHICKEN1 */
};

static const u32 masked_render_regs[] = {
	0x02088, 0x02090,	/* FF_SLICE_CHICKEN, 3D_CHICKEN3 */
	0x020d8, 0x020dc,
	0x020e0, 0x020e4,	/* FF_SLICE_CS_CHICKEN1 and 2 */
	0x020ec,		/* CS_DEBUG_MODE1 */
	0x02120, 0x02124,
	0x02470, 0x02580,	/* CS_CHICKEN1 */
	0x07000, 0x07004, 0x07008, 0x07010, 0x07014,
	0x07300, 0x07304, 0x083a4,
	0x0e100, 0x0e180, 0x0e184, 0x0e188, 0x0e194, 0x0e4f0,
};

/* What the streamer reports; writes are ignored. */
static const u32 read_only_regs[] = {
	GEN9_RING_ACTHD_UDW, GEN9_RING_DMA_FADD_UDW, GEN9_RING_IPEIR, GEN9_RING_IPEHR,
	GEN9_RING_INSTDONE, GEN9_RING_INSTPS, GEN9_RING_ACTHD, GEN9_RING_DMA_FADD,
	GEN9_RING_ESR, GEN9_RING_BB_STATE, GEN9_RING_SBB_ADDR, GEN9_RING_SBB_STATE,
	GEN9_RING_SBB_ADDR_UDW, GEN9_RING_BB_ADDR, GEN9_RING_BB_ADDR_UDW,
	GEN9_RING_EXECLIST_STATUS_LO, GEN9_RING_EXECLIST_STATUS_HI,
	GEN9_RING_TIMESTAMP, GEN9_RING_TIMESTAMP_UDW,
};

static bool contains(const u32 *list, size_t count, u32 value)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (list[i] == value)
			return true;
	return false;
}

static bool in_window(const struct gm_engine *engine, u32 offset)
{
	return offset >= engine->base && offset - engine->base < GEN9_ENGINE_WINDOW_SIZE;
}

static bool is_masked(const struct gm_engine *engine, u32 offset)
{
	if (in_window(engine, offset) &&
	    contains(masked_regs, ARRAY_SIZE(masked_regs), offset - engine->base))
		return true;
	if (engine->config.engine == GM_RCS)
		return contains(masked_render_regs, ARRAY_SIZE(masked_render_regs), offset);
	return engine->config.engine == GM_BCS && offset == engine->base + GEN9_BCS_SWCTRL;
}

u64 gm_engine_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * NS_PER_S + (u64)ts.tv_nsec;
}

bool gm_engine_wait_locked(struct gm_engine *engine, pthread_cond_t *cond, u64 until)
{
	const struct timespec ts = { .tv_sec = until / NS_PER_S, .tv_nsec = until % NS_PER_S };

	return !pthread_cond_timedwait(cond, &engine->lock, &ts);
}

u64 gm_engine_timestamp(const struct gm_engine *engine)
{
	u64 now = gm_engine_now();
	u64 hz = engine->config.timestamp_hz;
	u64 ticks = now / NS_PER_S * hz + now % NS_PER_S * hz / NS_PER_S;

	return ticks & GENMASK_ULL(TIMESTAMP_BITS - 1, 0);
}

static u32 context_timestamp(const struct gm_engine *engine)
{
	if (!atomic_load(&engine->timer.running))
		return gm_cs_reg(&engine->cs, GEN9_RING_CTX_TIMESTAMP);
	return (u32)gm_engine_timestamp(engine) + atomic_load(&engine->timer.offset);
}

static void set_context_timestamp(struct gm_engine *engine, u32 value)
{
	atomic_store(&engine->timer.offset, value - (u32)gm_engine_timestamp(engine));
	gm_cs_set(&engine->cs, GEN9_RING_CTX_TIMESTAMP, value);
}

void gm_engine_start_timer(struct gm_engine *engine)
{
	set_context_timestamp(engine, gm_cs_reg(&engine->cs, GEN9_RING_CTX_TIMESTAMP));
	atomic_store(&engine->timer.running, true);
}

void gm_engine_stop_timer(struct gm_engine *engine)
{
	gm_cs_set(&engine->cs, GEN9_RING_CTX_TIMESTAMP, context_timestamp(engine));
	atomic_store(&engine->timer.running, false);
}

bool gm_engine_stopped(const struct gm_engine *engine)
{
	return gm_cs_reg(&engine->cs, GEN9_RING_MI_MODE) & GEN9_MI_MODE_STOP_RING;
}

bool gm_engine_legacy(const struct gm_engine *engine)
{
	return !(gm_cs_reg(&engine->cs, GEN9_RING_GFX_MODE) & GEN9_GFX_RUN_LIST_ENABLE) &&
	       gm_cs_reg(&engine->cs, GEN9_RING_CTL) & GEN9_RING_CTL_VALID;
}

bool gm_engine_has_work(const struct gm_engine *engine)
{
	u32 head = gm_cs_reg(&engine->cs, GEN9_RING_HEAD) & GEN9_RING_HEAD_MASK;
	u32 tail = gm_cs_reg(&engine->cs, GEN9_RING_TAIL) & GEN9_RING_TAIL_MASK;

	return engine->execlist.active || (gm_engine_legacy(engine) && head != tail);
}

/* The idle bit: nothing to do, or held at a command boundary; a hung streamer is never idle. */
static bool is_idle_locked(const struct gm_engine *engine)
{
	if (engine->in_flight || engine->hung)
		return false;
	if (gm_engine_stopped(engine))
		return true;
	return !gm_engine_has_work(engine);
}

static u32 read_status_locked(const struct gm_engine *engine, u32 reg)
{
	u64 status = gm_execlist_status(&engine->execlist);

	if (engine->arbitration)
		status |= GEN9_EL_STATUS_ARBITRATION;
	return reg == GEN9_RING_EXECLIST_STATUS_LO ? (u32)status : status >> 32;
}

static bool is_csb_entry(u32 reg)
{
	return reg >= GEN9_RING_CSB_BUF(0) && reg < GEN9_RING_CSB_BUF(GEN9_CSB_ENTRIES);
}

static u32 read_csb_locked(struct gm_engine *engine, u32 reg)
{
	unsigned int index = (reg - GEN9_RING_CSB_BUF(0)) / 8;
	u64 entry = engine->csb.entry[index];

	engine->csb.unread[index] = false;
	return reg & 4 ? entry >> 32 : (u32)entry;
}

static u32 read_locked(struct gm_engine *engine, u32 reg)
{
	u32 value = gm_cs_reg(&engine->cs, reg);

	if (is_csb_entry(reg))
		return read_csb_locked(engine, reg);
	switch (reg) {
	case GEN9_RING_MI_MODE:
		return value | (is_idle_locked(engine) ? GEN9_MI_MODE_IDLE : 0);
	case GEN9_RING_EXECLIST_STATUS_LO:
	case GEN9_RING_EXECLIST_STATUS_HI:
		return read_status_locked(engine, reg);
	case GEN9_RING_CONTEXT_STATUS_PTR:
		return gm_csb_pointer(&engine->csb);
	default:
		return value;
	}
}

static bool reads_state(u32 reg)
{
	return is_csb_entry(reg) || reg == GEN9_RING_MI_MODE ||
	       reg == GEN9_RING_EXECLIST_STATUS_LO || reg == GEN9_RING_EXECLIST_STATUS_HI ||
	       reg == GEN9_RING_CONTEXT_STATUS_PTR;
}

static u32 read_register(void *opaque, u32 offset)
{
	struct gm_engine *engine = opaque;
	u32 reg = offset - engine->base;
	u32 value;

	switch (reg) {
	case GEN9_RING_ELSP:
		return 0;
	case GEN9_RING_TIMESTAMP:
		return gm_engine_timestamp(engine);
	case GEN9_RING_TIMESTAMP_UDW:
		return gm_engine_timestamp(engine) >> 32;
	case GEN9_RING_CTX_TIMESTAMP:
		return context_timestamp(engine);
	}
	/* Ring pointers and the like are read while the engine works, without its lock. */
	if (!reads_state(reg))
		return gm_cs_reg(&engine->cs, reg);

	pthread_mutex_lock(&engine->lock);
	value = read_locked(engine, reg);
	pthread_mutex_unlock(&engine->lock);
	return value;
}

static void report_submit(struct gm_engine *engine, enum gm_execlist_submit result)
{
	struct gm_stats *stats = engine->config.stats;
	const char *name = gm_engine_name(engine->config.engine);

	switch (result) {
	case GM_SUBMIT_FULL:
		gm_misuse(stats, GM_MISUSE_ELSP_FULL, "%s: submitted while a list waits", name);
		break;
	case GM_SUBMIT_INVALID:
		gm_misuse(stats, GM_MISUSE_ELSP_INVALID, "%s: submitted %08x:%08x %08x:%08x", name,
			  engine->execlist.port[2], engine->execlist.port[3],
			  engine->execlist.port[0], engine->execlist.port[1]);
		break;
	case GM_SUBMIT_TWICE:
		gm_misuse(stats, GM_MISUSE_ELSP_CONTEXT_TWICE, "%s: context %08x in both elements",
			  name, engine->execlist.port[3]);
		break;
	default:
		break;
	}
}

static void write_elsp_locked(struct gm_engine *engine, u32 value)
{
	enum gm_execlist_submit result;

	if (!(gm_cs_reg(&engine->cs, GEN9_RING_GFX_MODE) & GEN9_GFX_RUN_LIST_ENABLE)) {
		gm_misuse(engine->config.stats, GM_MISUSE_ELSP_INVALID,
			  "%s: submit port written without execlists enabled in GFX_MODE",
			  gm_engine_name(engine->config.engine));
		return;
	}
	result = gm_execlist_write(&engine->execlist, value);
	report_submit(engine, result);
	if (result != GM_SUBMIT_OK && result != GM_SUBMIT_TWICE)
		return;
	gm_count_engine(engine->config.stats, engine->config.engine, GM_ENGINE_SUBMITS, 1);
	gm_engine_wake_locked(engine);
}

void gm_engine_set_ready_locked(struct gm_engine *engine)
{
	u32 value = gm_cs_reg(&engine->cs, GEN9_RING_RESET_CTL) & ~GEN9_RESET_CTL_READY;

	if (engine->reset_requested && !engine->refused && !engine->in_flight)
		value |= GEN9_RESET_CTL_READY;
	gm_cs_set(&engine->cs, GEN9_RING_RESET_CTL, value);
}

static bool refuse_locked(struct gm_engine *engine)
{
	u32 *left = &engine->inject.refuse_reset;

	if (!*left)
		return false;
	if (*left != UINT32_MAX)
		(*left)--;
	return true;
}

/* Drivers give the handshake 700 us, less than the host may take to run our thread. */
static void wait_still_locked(struct gm_engine *engine)
{
	u64 until = gm_engine_now() + RESET_WAIT_NS;

	if (gm_engine_on_engine_thread())
		return;
	while (engine->in_flight && engine->reset_requested)
		if (!gm_engine_wait_locked(engine, &engine->still, until))
			return;
}

static void write_reset_ctl_locked(struct gm_engine *engine, u32 value)
{
	bool request = value & GEN9_RESET_CTL_REQUEST;

	if (request && !engine->reset_requested)
		engine->refused = refuse_locked(engine);
	gm_cs_set(&engine->cs, GEN9_RING_RESET_CTL, value & GEN9_RESET_CTL_REQUEST);
	engine->reset_requested = request;
	gm_engine_wake_locked(engine);
	if (request)
		wait_still_locked(engine);
	gm_engine_set_ready_locked(engine);
}

void gm_engine_error(struct gm_engine *engine, u32 bits)
{
	struct gm_cs *cs = &engine->cs;
	u32 enabled = bits & ~gm_cs_reg(cs, GEN9_RING_EMR);

	atomic_fetch_or(&cs->reg[GEN9_RING_ESR / 4], bits);
	if (!enabled)
		return;
	atomic_fetch_or(&cs->reg[GEN9_RING_EIR / 4], enabled);
	gm_irq_raise_gt(engine->config.irq, engine->config.engine, GM_IRQ_CS_ERROR,
			gm_cs_reg(cs, GEN9_RING_IMR));
}

static bool is_pdp(u32 reg)
{
	return reg >= GEN9_RING_PDP_LDW(0) && reg <= GEN9_RING_PDP_UDW(3);
}

static void write_locked(struct gm_engine *engine, u32 reg, u32 value)
{
	switch (reg) {
	case GEN9_RING_ELSP:
		write_elsp_locked(engine, value);
		return;
	case GEN9_RING_RESET_CTL:
		write_reset_ctl_locked(engine, value);
		return;
	case GEN9_RING_CONTEXT_STATUS_PTR:
		gm_csb_set_pointer(&engine->csb, value);
		return;
	case GEN9_RING_EIR:
		/* Written ones clear; what still holds stands in ESR. */
		atomic_fetch_and(&engine->cs.reg[reg / 4], ~value);
		return;
	case GEN9_RING_MI_MODE:
		value &= ~GEN9_MI_MODE_IDLE;
		break;
	}
	gm_cs_set(&engine->cs, reg, value);
	if (is_pdp(reg))
		atomic_store(&engine->pdps_written, true);
	if (reg == GEN9_RING_MI_MODE || reg == GEN9_RING_TAIL || reg == GEN9_RING_CTL ||
	    reg == GEN9_RING_GFX_MODE || is_pdp(reg))
		gm_engine_wake_locked(engine);
}

static void write_register(void *opaque, u32 offset, u32 value)
{
	struct gm_engine *engine = opaque;
	u32 reg = offset - engine->base;

	if (is_csb_entry(reg) || contains(read_only_regs, ARRAY_SIZE(read_only_regs), reg))
		return;
	if (reg == GEN9_RING_CTX_TIMESTAMP) {
		set_context_timestamp(engine, value);
		return;
	}
	pthread_mutex_lock(&engine->lock);
	if (is_masked(engine, offset))
		value = gen9_masked_write(read_locked(engine, reg), value);
	write_locked(engine, reg, value);
	pthread_mutex_unlock(&engine->lock);
}

int gm_engine_add_registers(struct gm_engine *engine)
{
	const struct gm_mmio_range range = {
		.first = engine->base,
		.last = engine->base + GEN9_ENGINE_WINDOW_SIZE - 4,
		.read = read_register,
		.write = write_register,
		.opaque = engine,
	};

	return gm_mmio_add(engine->config.mmio, &range);
}

/* The part of the render engine's context that stands outside its window. */
static void reset_outside_registers(struct gm_engine *engine)
{
	unsigned int dw;

	for (dw = 0; dw < engine->image.dwords; dw++) {
		u32 offset = engine->image.layout[dw];

		if (engine->image.is_reg[dw] && !in_window(engine, offset))
			gm_mmio_reset(engine->config.mmio, offset, offset);
	}
}

void gm_engine_reset_registers(struct gm_engine *engine)
{
	reset_outside_registers(engine);
	gm_cs_init(&engine->cs);
	gm_cs_set(&engine->cs, GEN9_RING_HWSTAM, ~0u);
	atomic_store(&engine->timer.running, false);
}

static void load_masked(struct gm_engine *engine, u32 reg, u32 value)
{
	/* The CPU may be setting other bits of it. */
	pthread_mutex_lock(&engine->lock);
	value = gen9_masked_write(gm_cs_reg(&engine->cs, reg), value);
	if (reg == GEN9_RING_MI_MODE)
		value &= ~GEN9_MI_MODE_IDLE;
	gm_cs_set(&engine->cs, reg, value);
	pthread_mutex_unlock(&engine->lock);
}

static void load_window_register(struct gm_engine *engine, u32 reg, u32 value)
{
	switch (reg) {
	case GEN9_RING_TIMESTAMP:
		/* It counts for all contexts. */
		return;
	case GEN9_RING_CTX_TIMESTAMP:
		set_context_timestamp(engine, value);
		return;
	case GEN9_RING_CTL:
		value &= ~(GEN9_RING_CTL_WAIT | GEN9_RING_CTL_WAIT_SEMAPHORE);
		break;
	}
	if (is_masked(engine, engine->base + reg))
		load_masked(engine, reg, value);
	else
		gm_cs_set(&engine->cs, reg, value);
}

void gm_engine_load_register(void *opaque, u32 offset, u32 value)
{
	struct gm_engine *engine = opaque;

	if (in_window(engine, offset))
		load_window_register(engine, offset - engine->base, value);
	else
		gm_mmio_write(engine->config.mmio, GM_FROM_COMMAND, offset, value);
}

u32 gm_engine_store_register(void *opaque, u32 offset)
{
	struct gm_engine *engine = opaque;
	u32 reg = offset - engine->base;
	u32 value;

	if (!in_window(engine, offset))
		value = gm_mmio_peek(engine->config.mmio, offset);
	else if (reg == GEN9_RING_TIMESTAMP)
		value = gm_engine_timestamp(engine);
	else if (reg == GEN9_RING_CTX_TIMESTAMP)
		value = context_timestamp(engine);
	else
		value = gm_cs_reg(&engine->cs, reg);
	/* With all mask bits set the value comes back whole. */
	return is_masked(engine, offset) ? value | 0xffff0000 : value;
}
