// SPDX-License-Identifier: GPL-2.0-only
/*
 * One engine: its thread, context switches and reset.
 *
 * Data model: the thread alternates between deciding, with the lock held, and
 * working, without it: a burst of commands, or a whole context switch with its
 * saves, events and loads. in_flight is set while it works. Who changes what
 * the thread decides on does so under the lock and wakes it; a thread at work
 * sees the attention flag after each command.
 *
 * Invariants: the streamer, the MMU and the image belong to the thread while
 * in_flight, to the holder of the lock otherwise. So a reset first waits for
 * the thread to stand still. A thread of an engine never waits for another
 * one: a reset that a command asks for is done later, by the thread concerned.
 *
 * A list that waits is looked at after every command. When it is taken, what
 * software may rely on comes first: the old context is in memory before the
 * event that says so, and the event before the new context runs.
 *
 * Sources: Linux i915, gt/intel_execlists_submission.c, gt/intel_lrc.c and
 * gt/intel_reset.c, for what a driver relies on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <gvirt/gen9_display.h>
#include "engine_internal.h"
#include "ggtt.h"
#include "irq.h"
#include "mmio.h"
#include "platform.h"
#include "stats.h"
#include "thread.h"

/* Commands between two looks at the lock. */
#define BURST			256u
/* With a speed set, commands that are made up for by one pause. */
#define PAUSE_NS		100000u
/*
 * A loop of so few commands that jumps to the same place is taken for a wait, and
 * slowed down by an eighth of the time that it has gone on. IGT's spinning batches
 * have a thousand NOOPs; a loop that works hard loses little.
 */
#define SPIN_COMMANDS		2048u
#define SPIN_SHARE		8u
#define SPIN_MIN_NS		5000u
#define SPIN_MAX_NS		200000u
/*
 * What is waited for is looked at all the time at first, as drivers measure with short waits, then
 * after another eighth of the time that it has gone on.
 */
#define POLL_EAGER_NS		200000u
#define POLL_SHARE		8u
#define POLL_MAX_NS		500000u
/* A hung engine is busy: this often that is counted. */
#define ACCOUNT_NS		100000000u

static _Thread_local bool on_engine_thread;

bool gm_engine_on_engine_thread(void)
{
	return on_engine_thread;
}

static void count(struct gm_engine *engine, enum gm_engine_counter counter, u64 n)
{
	gm_count_engine(engine->config.stats, engine->config.engine, counter, n);
}

void gm_engine_wake_locked(struct gm_engine *engine)
{
	engine->not_before = 0;
	atomic_store(&engine->attention, true);
	pthread_cond_signal(&engine->wake);
}

/* What the thread does for the execlist unit: called with the lock held, which is dropped. */

static void hang_locked(struct gm_engine *engine, enum gm_cs_status status)
{
	engine->hung = true;
	if (status == GM_CS_FAULT)
		gm_engine_report_fault(engine);
}

/* A context came, or did not: the lock is held again. */
static void loaded_locked(struct gm_engine *engine, enum gm_cs_status status)
{
	engine->arbitration = engine->cs.arbitration;
	engine->waiting = false;
	memset(&engine->spin, 0, sizeof(engine->spin));
	if (status != GM_CS_RUN)
		hang_locked(engine, status);
}

static void start_list(struct gm_engine *engine)
{
	struct gm_csb_event event = gm_execlist_take(&engine->execlist);
	u64 desc = gm_execlist_running(&engine->execlist);
	bool hangs = gm_engine_hangs_locked(engine, GM_PHASE_LOAD, desc);
	enum gm_cs_status status = GM_CS_RUN;

	pthread_mutex_unlock(&engine->lock);
	gm_engine_post_event(engine, event);
	if (!hangs)
		status = gm_engine_load_context(engine, desc);
	pthread_mutex_lock(&engine->lock);
	loaded_locked(engine, status);
}

static void lite_restore(struct gm_engine *engine)
{
	u64 desc = gm_execlist_pending_first(&engine->execlist);
	struct gm_csb_event event = gm_execlist_take(&engine->execlist);
	enum gm_cs_status status;

	pthread_mutex_unlock(&engine->lock);
	status = gm_engine_refresh_context(engine, desc);
	gm_engine_post_event(engine, event);
	pthread_mutex_lock(&engine->lock);
	if (status != GM_CS_RUN)
		hang_locked(engine, status);
}

/*
 * The running context leaves: by itself, with the reason as in an event, or 0: because a list
 * waits. The next one that there is comes.
 */
static void leave(struct gm_engine *engine, u32 reason)
{
	u64 old = gm_execlist_running(&engine->execlist);
	enum gm_cs_status status = GM_CS_RUN;
	struct gm_csb_event event;
	bool hangs;
	u64 desc;

	if (gm_engine_hangs_locked(engine, GM_PHASE_SAVE, old))
		return;
	pthread_mutex_unlock(&engine->lock);
	gm_engine_save_context(engine, old);
	pthread_mutex_lock(&engine->lock);

	event = reason ? gm_execlist_leave(&engine->execlist, reason) :
			 gm_execlist_take(&engine->execlist);
	desc = gm_execlist_running(&engine->execlist);
	if (event.status & GEN9_CSB_PREEMPTED)
		count(engine, GM_ENGINE_PREEMPTIONS, 1);
	hangs = desc && gm_engine_hangs_locked(engine, GM_PHASE_LOAD, desc);

	pthread_mutex_unlock(&engine->lock);
	gm_engine_post_event(engine, event);
	if (desc && !hangs)
		status = gm_engine_load_context(engine, desc);
	pthread_mutex_lock(&engine->lock);
	loaded_locked(engine, status);
}

static void complete(struct gm_engine *engine)
{
	if (!engine->execlist.active)
		return;
	if (gm_execlist_next(&engine->execlist) == GM_STEP_LITE)
		lite_restore(engine);
	else
		leave(engine, GEN9_CSB_COMPLETE);
}

static bool may_switch(const struct gm_engine *engine)
{
	return engine->cs.arbitration && engine->cs.preempt_point;
}

static bool hangs_before_switch(struct gm_engine *engine, enum gm_engine_phase phase)
{
	return gm_engine_hangs_locked(engine, phase, gm_execlist_running(&engine->execlist));
}

/* Does what a submission needs; false when there is nothing that can be done now. */
static bool serve_submission(struct gm_engine *engine)
{
	switch (gm_execlist_next(&engine->execlist)) {
	case GM_STEP_START:
		if (!hangs_before_switch(engine, GM_PHASE_START))
			start_list(engine);
		return true;
	case GM_STEP_LITE:
		if (!may_switch(engine))
			return false;
		lite_restore(engine);
		return true;
	case GM_STEP_PREEMPT:
		if (!may_switch(engine))
			return false;
		if (!hangs_before_switch(engine, GM_PHASE_PREEMPT))
			leave(engine, 0);
		return true;
	default:
		return false;
	}
}

/* Running commands. */

static void pause_locked(struct gm_engine *engine, u64 ns)
{
	/* Somebody called while the commands ran: look again at once. */
	if (atomic_load(&engine->attention))
		return;
	engine->not_before = gm_engine_now() + ns;
}

static void note_jump(struct gm_engine *engine, unsigned int commands)
{
	struct gm_engine_spin *spin = &engine->spin;
	u64 target = (u64)gm_cs_reg(&engine->cs, GEN9_RING_BB_ADDR_UDW) << 32 |
		     gm_cs_reg(&engine->cs, GEN9_RING_BB_ADDR);
	u64 now = gm_engine_now();
	u64 ns;

	if (target != spin->target || spin->commands + commands > SPIN_COMMANDS)
		spin->since = now;
	spin->target = target;
	spin->commands = 0;
	ns = (now - spin->since) / SPIN_SHARE;
	if (ns > SPIN_MIN_NS)
		pause_locked(engine, ns < SPIN_MAX_NS ? ns : SPIN_MAX_NS);
}

/* The chip polls all the time; here a wait that goes on is looked at less and less often. */
static void poll_later(struct gm_engine *engine)
{
	u64 now = gm_engine_now();
	u64 waited;

	if (!engine->waiting)
		engine->wait_since = now;
	engine->waiting = true;
	waited = now - engine->wait_since;
	if (waited < POLL_EAGER_NS || (engine->execlist.pending && may_switch(engine)))
		return;
	waited /= POLL_SHARE;
	pause_locked(engine, waited < POLL_MAX_NS ? waited : POLL_MAX_NS);
}

static void settle(struct gm_engine *engine, enum gm_cs_status status, unsigned int commands)
{
	u32 ns = atomic_load(&engine->ns_per_command);

	engine->arbitration = engine->cs.arbitration;
	/* Commands before the wait: it is another one than before. */
	if (status != GM_CS_WAIT || commands > 1)
		engine->waiting = false;
	if (ns)
		engine->not_before = gm_engine_now() + (u64)commands * ns;

	switch (status) {
	case GM_CS_RUN:
		engine->spin.commands += commands;
		break;
	case GM_CS_JUMP_BACK:
		note_jump(engine, commands);
		break;
	case GM_CS_IDLE:
		complete(engine);
		break;
	case GM_CS_LEAVE:
		/* Else the list that waits is taken next. */
		if (!engine->execlist.pending)
			leave(engine, engine->cs.leave_reason);
		break;
	case GM_CS_WAIT:
		poll_later(engine);
		break;
	case GM_CS_HANG:
	case GM_CS_FAULT:
		hang_locked(engine, status);
		break;
	}
}

static unsigned int burst_locked(const struct gm_engine *engine)
{
	u32 ns = atomic_load(&engine->ns_per_command);
	unsigned int limit = BURST;

	/* Every command may end at a point where the list that waits can be taken. */
	if (engine->execlist.pending || gm_engine_marking(engine))
		return 1;
	if (ns && PAUSE_NS / ns < limit)
		limit = PAUSE_NS / ns;
	return limit ? limit : 1;
}

static void prepare_legacy(struct gm_engine *engine)
{
	u32 mode = gm_cs_reg(&engine->cs, GEN9_RING_GFX_MODE);

	engine->cs.ppgtt = mode & GEN9_GFX_PPGTT_ENABLE;
	engine->four_level = mode & GEN9_GFX_PPGTT_48B;
	engine->cs.arbitration = true;
}

static void run_commands(struct gm_engine *engine)
{
	unsigned int limit = burst_locked(engine);
	enum gm_cs_status status;
	unsigned int commands = 0;

	if (!engine->execlist.active)
		prepare_legacy(engine);
	if (gm_engine_hangs_locked(engine, gm_engine_command_phase(engine),
				   gm_execlist_running(&engine->execlist)))
		return;
	pthread_mutex_unlock(&engine->lock);
	if (atomic_exchange(&engine->pdps_written, false))
		gm_engine_load_pdps(engine);
	do {
		status = gm_cs_step(&engine->cs);
		commands++;
	} while (status == GM_CS_RUN && commands < limit &&
		 !atomic_load_explicit(&engine->attention, memory_order_relaxed));
	pthread_mutex_lock(&engine->lock);
	gm_engine_mark_locked(engine);
	settle(engine, status, commands);
}

static void work(struct gm_engine *engine)
{
	atomic_store(&engine->attention, false);
	engine->in_flight = true;
	/* At whatever comes next, or where it is said to be. */
	if (!hangs_before_switch(engine, GM_PHASE_ANY) && !serve_submission(engine))
		run_commands(engine);
	engine->in_flight = false;
	gm_engine_set_ready_locked(engine);
	pthread_cond_broadcast(&engine->still);
}

/* The thread and its masters. */

static bool may_work(const struct gm_engine *engine)
{
	if (engine->holders || engine->hung || gm_engine_stopped(engine))
		return false;
	if (engine->reset_requested && !engine->refused)
		return false;
	return gm_engine_has_work(engine);
}

static void account(struct gm_engine *engine)
{
	u64 now = gm_engine_now();

	if (engine->accounted)
		count(engine, GM_ENGINE_BUSY_NS, now - engine->accounted);
	engine->accounted = gm_engine_has_work(engine) ? now : 0;
}

static void reset_locked(struct gm_engine *engine)
{
	gm_execlist_reset(&engine->execlist);
	gm_csb_reset(&engine->csb);
	gm_engine_reset_registers(engine);
	gm_mmu_invalidate(engine->mmu);
	gm_mmu_take_fault(engine->mmu);
	memset(&engine->spin, 0, sizeof(engine->spin));
	memset(&engine->blt.setup, 0, sizeof(engine->blt.setup));
	atomic_store(&engine->pdps_written, false);
	engine->cs.ppgtt = false;
	engine->reset_wanted = false;
	engine->reset_requested = false;
	engine->refused = false;
	engine->hung = false;
	engine->waiting = false;
	engine->arbitration = false;
	engine->not_before = 0;
}

static void *engine_thread(void *arg)
{
	struct gm_engine *engine = arg;

	on_engine_thread = true;
	gm_thread_hurry();
	pthread_mutex_lock(&engine->lock);
	while (!engine->quit) {
		account(engine);
		if (engine->reset_wanted)
			reset_locked(engine);
		else if (may_work(engine) && gm_engine_now() >= engine->not_before)
			work(engine);
		else if (may_work(engine))
			gm_engine_wait_locked(engine, &engine->wake, engine->not_before);
		else if (engine->accounted)
			gm_engine_wait_locked(engine, &engine->wake, gm_engine_now() + ACCOUNT_NS);
		else
			pthread_cond_wait(&engine->wake, &engine->lock);
	}
	pthread_mutex_unlock(&engine->lock);
	return NULL;
}

void gm_engine_reset(struct gm_engine *engine)
{
	pthread_mutex_lock(&engine->lock);
	if (on_engine_thread) {
		engine->reset_wanted = true;
		gm_engine_wake_locked(engine);
		pthread_mutex_unlock(&engine->lock);
		return;
	}
	engine->holders++;
	gm_engine_wake_locked(engine);
	atomic_store(&engine->abort_blit, true);
	while (engine->in_flight)
		pthread_cond_wait(&engine->still, &engine->lock);
	atomic_store(&engine->abort_blit, false);
	reset_locked(engine);
	engine->holders--;
	gm_engine_wake_locked(engine);
	pthread_mutex_unlock(&engine->lock);
}

/* Without execlists, contexts have no ids: each signal is for what runs. */
void gm_engine_signal(struct gm_engine *engine, u32 context_id)
{
	pthread_mutex_lock(&engine->lock);
	if (!engine->execlist.active ||
	    gm_execlist_running(&engine->execlist) >> 32 == context_id) {
		atomic_store(&engine->cs.signalled, true);
		if (engine->waiting || engine->in_flight)
			gm_engine_wake_locked(engine);
	}
	pthread_mutex_unlock(&engine->lock);
}

void gm_engine_invalidate_tlb(struct gm_engine *engine)
{
	gm_mmu_invalidate(engine->mmu);
}

void gm_engine_invalidate_ggtt(struct gm_engine *engine)
{
	gm_mmu_invalidate_ggtt(engine->mmu);
}

bool gm_engine_ready_for_reset(struct gm_engine *engine)
{
	bool idle;

	pthread_mutex_lock(&engine->lock);
	idle = !engine->execlist.active;
	pthread_mutex_unlock(&engine->lock);
	return idle || gm_cs_reg(&engine->cs, GEN9_RING_RESET_CTL) & GEN9_RESET_CTL_READY;
}

void gm_engine_set_speed(struct gm_engine *engine, u32 ns_per_command)
{
	atomic_store(&engine->ns_per_command, ns_per_command);
}

void gm_engine_state(struct gm_engine *engine, char *buf, size_t len)
{
	const struct gm_cs *cs = &engine->cs;

	pthread_mutex_lock(&engine->lock);
	snprintf(buf, len,
		 "%s context %08x:%08x%s%s%s head %05x tail %05x acthd %08x%08x ipehr %08x",
		 engine->hung ? "hung" : gm_engine_has_work(engine) ? "busy" : "idle",
		 (u32)(gm_execlist_running(&engine->execlist) >> 32),
		 (u32)gm_execlist_running(&engine->execlist),
		 engine->execlist.pending ? " +pending" : "", engine->waiting ? " waiting" : "",
		 gm_engine_stopped(engine) ? " stopped" : "",
		 gm_cs_reg(cs, GEN9_RING_HEAD) & GEN9_RING_HEAD_MASK,
		 gm_cs_reg(cs, GEN9_RING_TAIL) & GEN9_RING_TAIL_MASK,
		 gm_cs_reg(cs, GEN9_RING_ACTHD_UDW), gm_cs_reg(cs, GEN9_RING_ACTHD),
		 gm_cs_reg(cs, GEN9_RING_IPEHR));
	pthread_mutex_unlock(&engine->lock);
}

/* Services for the streamer. */

static u32 service_read(void *opaque, u32 offset)
{
	struct gm_engine *engine = opaque;

	return gm_mmio_read(engine->config.mmio, GM_FROM_COMMAND, offset);
}

static void service_write(void *opaque, u32 offset, u32 value)
{
	struct gm_engine *engine = opaque;

	gm_mmio_write(engine->config.mmio, GM_FROM_COMMAND, offset, value);
}

static void service_interrupt(void *opaque, u32 bits)
{
	struct gm_engine *engine = opaque;

	gm_irq_raise_gt(engine->config.irq, engine->config.engine, bits,
			gm_cs_reg(&engine->cs, GEN9_RING_IMR));
}

static u64 service_timestamp(void *opaque)
{
	return gm_engine_timestamp(opaque);
}

static void service_tlb_invalidate(void *opaque)
{
	gm_engine_invalidate_tlb(opaque);
}

static void service_signal(void *opaque, u32 target, u32 context_id)
{
	struct gm_engine *engine = opaque;

	engine->config.signal(engine->config.opaque, target, context_id);
}

static void service_ggtt_write(void *opaque, u64 index, u64 entry)
{
	struct gm_engine *engine = opaque;

	gm_ggtt_access(engine->config.ggtt, index * sizeof(entry), &entry, sizeof(entry), true);
}

static u32 service_display_events(void *opaque, u32 wanted, u64 *since)
{
	struct gm_engine *engine = opaque;

	return engine->config.display_events(engine->config.mmio, wanted, since);
}

static void service_scan_lines(void *opaque, u32 pipe, u32 window)
{
	struct gm_engine *engine = opaque;

	gm_mmio_poke(engine->config.mmio, GEN9_PIPE_SCAN_LINES(pipe), window);
}

static void init_parts(struct gm_engine *engine)
{
	const struct gm_engine_config *config = &engine->config;

	engine->blt = (struct gm_blt) {
		.mmu = engine->mmu,
		.dma = config->dma,
		.stats = config->stats,
		.abort = &engine->abort_blit,
	};
	engine->cs = (struct gm_cs) {
		.engine = config->engine,
		.base = engine->base,
		.mmu = engine->mmu,
		.dma = config->dma,
		.blt = config->engine == GM_BCS ? &engine->blt : NULL,
		.stats = config->stats,
		.record = config->record,
		.services = {
			.reg_read = service_read,
			.reg_write = service_write,
			.interrupt = service_interrupt,
			.timestamp = service_timestamp,
			.tlb_invalidate = service_tlb_invalidate,
			.semaphore_signal = service_signal,
			.ggtt_write = service_ggtt_write,
			.opaque = engine,
		},
	};
	if (config->display_events) {
		engine->cs.services.display_events = service_display_events;
		engine->cs.services.scan_lines = service_scan_lines;
	}
	engine->image = (struct gm_ctximg) {
		.mmu = engine->mmu,
		.stats = config->stats,
		.load = gm_engine_load_register,
		.store = gm_engine_store_register,
		.opaque = engine,
	};
	gm_ctximg_init(&engine->image, engine->base, config->engine == GM_RCS);
	gm_cs_init(&engine->cs);
	reset_locked(engine);
}

static void init_locks(struct gm_engine *engine)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&engine->wake, &attr);
	pthread_cond_init(&engine->still, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&engine->lock, NULL);
}

static void free_engine(struct gm_engine *engine)
{
	pthread_mutex_destroy(&engine->lock);
	pthread_cond_destroy(&engine->still);
	pthread_cond_destroy(&engine->wake);
	if (engine->mmu)
		gm_mmu_destroy(engine->mmu);
	free(engine);
}

struct gm_engine *gm_engine_create(const struct gm_engine_config *config)
{
	struct gm_engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return NULL;
	engine->config = *config;
	engine->base = gm_engine_base(config->engine);
	init_locks(engine);
	engine->mmu = gm_mmu_create(config->engine, config->dma, config->ggtt, config->stats);
	if (!engine->mmu) {
		free_engine(engine);
		return NULL;
	}
	init_parts(engine);
	if (gm_engine_add_registers(engine) ||
	    pthread_create(&engine->thread, NULL, engine_thread, engine)) {
		free_engine(engine);
		return NULL;
	}
	return engine;
}

void gm_engine_destroy(struct gm_engine *engine)
{
	pthread_mutex_lock(&engine->lock);
	engine->quit = true;
	atomic_store(&engine->abort_blit, true);
	gm_engine_wake_locked(engine);
	pthread_mutex_unlock(&engine->lock);
	pthread_join(engine->thread, NULL);
	free_engine(engine);
}
