/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What engine.c (its thread), engine_switch.c (contexts) and engine_regs.c share.
 */
#ifndef GM_ENGINE_INTERNAL_H
#define GM_ENGINE_INTERNAL_H

#include <pthread.h>
#include "blt.h"
#include "cs.h"
#include "ctximg.h"
#include "engine.h"
#include "execlist.h"

/**
 * struct gm_engine_timer - CTX_TIMESTAMP
 * @running: it counts; else the register holds the value
 * @offset: value minus the engine's timestamp while it counts
 */
struct gm_engine_timer {
	_Atomic bool running;
	_Atomic u32 offset;
};

/**
 * struct gm_engine_spin - A batch that may be waiting for memory to change
 * @target: address that it jumps back to
 * @since: when it began to, with few commands in between, see gm_engine_now()
 * @commands: commands since the last jump
 */
struct gm_engine_spin {
	u64 target;
	u64 since;
	unsigned int commands;
};

/**
 * struct gm_engine_inject - Faults that are armed; under the engine's lock
 * @hang: the engine stops for good, in @phase
 * @phase: in which
 * @mark: only with a context that executed MI_NOOP with this number; 0: with any
 * @marked: that context, 0: nobody executed it yet
 * @csb_corrupt: the next CSB entry is not what it should be
 * @csb_how: in this way
 * @csb_delay_us: the next CSB entry comes late
 * @refuse_reset: RESET_CTL does not get ready this many times, UINT32_MAX: ever
 */
struct gm_engine_inject {
	bool hang;
	enum gm_engine_phase phase;
	u32 mark;
	u64 marked;
	bool csb_corrupt;
	enum gm_engine_csb_fault csb_how;
	u32 csb_delay_us;
	u32 refuse_reset;
};

/**
 * struct gm_engine - One engine
 * @config: as given
 * @base: offset of its register window
 * @mmu: used by the engine's thread only, but for invalidation
 * @blt: the 2D engine, for the blitter
 * @cs: the command streamer; its registers may be read by any thread
 * @image: layout of context images and access to them
 * @timer: CTX_TIMESTAMP
 * @attention: the thread shall come back to the lock after this command
 * @abort_blit: a reset or the end is wanted: drop what is left of a blit
 * @pdps_written: page directory pointers were written: load them into the MMU
 * @ns_per_command: least time per command
 * @thread: runs engine_thread()
 * @lock: protects what follows; never held while a command executes, and
 *	before the interrupt logic's lock
 * @wake: the thread waits here
 * @still: signalled when @in_flight becomes false
 * @quit: the thread shall end
 * @in_flight: the thread works without the lock
 * @reset_wanted: the engine's own command, or another engine's, asked for a
 *	reset that its thread does at the next command boundary
 * @holders: threads in gm_engine_reset()
 * @reset_requested: RESET_CTL's handshake: the streamer shall stand still
 * @refused: the request that is on is one that an injection refuses
 * @hung: the streamer stopped for good; only a reset helps
 * @waiting: the streamer waits for a semaphore
 * @arbitration: the streamer's arbitration state after its last command
 * @execlist: the execlist unit
 * @csb: the context status buffer
 * @four_level: the page directory pointers are those of a 4-level PPGTT
 * @not_before: the next command comes no earlier, in ns of the monotonic clock
 * @accounted: until when busy time has been counted
 * @wait_since: when the wait that goes on began, in ns of gm_engine_now()
 * @spin: used by the thread only
 * @inject: armed faults
 */
struct gm_engine {
	struct gm_engine_config config;
	u32 base;
	struct gm_mmu *mmu;
	struct gm_blt blt;
	struct gm_cs cs;
	struct gm_ctximg image;
	struct gm_engine_timer timer;
	_Atomic bool attention;
	atomic_bool abort_blit;
	_Atomic bool pdps_written;
	_Atomic u32 ns_per_command;
	pthread_t thread;

	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_cond_t still;
	bool quit;
	bool in_flight;
	bool reset_wanted;
	unsigned int holders;
	bool reset_requested;
	bool refused;
	bool hung;
	bool waiting;
	bool arbitration;
	struct gm_execlist execlist;
	struct gm_csb csb;
	bool four_level;
	u64 not_before;
	u64 accounted;
	u64 wait_since;
	struct gm_engine_spin spin;
	struct gm_engine_inject inject;
};

/* The monotonic clock in ns. */
u64 gm_engine_now(void);

/**
 * gm_engine_wait_locked() - Wait for a condition variable, for some time
 * @engine: the engine, whose lock is held
 * @cond: the condition variable
 * @until: time by gm_engine_now() at which to give up
 *
 * Return: false when that time has come.
 */
bool gm_engine_wait_locked(struct gm_engine *engine, pthread_cond_t *cond, u64 until);

/* The 36-bit timestamp in ticks. */
u64 gm_engine_timestamp(const struct gm_engine *engine);

/* Something changed: the thread shall look, at once. */
void gm_engine_wake_locked(struct gm_engine *engine);
/* Whether MI_MODE holds the streamer. */
bool gm_engine_stopped(const struct gm_engine *engine);
/* Whether execlists are off and the ring is enabled. */
bool gm_engine_legacy(const struct gm_engine *engine);
/* Whether a list runs, or the legacy ring is not empty; under the lock. */
bool gm_engine_has_work(const struct gm_engine *engine);
/* RESET_CTL's ready bit follows the handshake. */
void gm_engine_set_ready_locked(struct gm_engine *engine);
/* Whether the caller is the thread of any engine: it must not wait for one. */
bool gm_engine_on_engine_thread(void);

/* Set ESR bits, and EIR with its interrupt where EMR lets them. */
void gm_engine_error(struct gm_engine *engine, u32 bits);

/* The MMU takes over the page directory pointer registers. */
void gm_engine_load_pdps(struct gm_engine *engine);

/**
 * gm_engine_load_context() - Restore a context and run its workaround buffers
 * @engine: the engine, on its thread
 * @desc: descriptor of the context
 *
 * Return: GM_CS_RUN, or how it failed: GM_CS_HANG or GM_CS_FAULT.
 */
enum gm_cs_status gm_engine_load_context(struct gm_engine *engine, u64 desc);

/**
 * gm_engine_refresh_context() - Lite restore of the context that runs
 * @engine: the engine, on its thread
 * @desc: descriptor of the context, as submitted anew
 *
 * Return: GM_CS_RUN, or how it failed: GM_CS_HANG or GM_CS_FAULT.
 */
enum gm_cs_status gm_engine_refresh_context(struct gm_engine *engine, u64 desc);

/* Write the registers of the context that leaves to its image. */
void gm_engine_save_context(struct gm_engine *engine, u64 desc);
/* Write an event to the CSB and the status page, and interrupt. */
void gm_engine_post_event(struct gm_engine *engine, struct gm_csb_event event);
/* Does an injected hang strike in this phase of the context's work? If so, it has. */
bool gm_engine_hangs_locked(struct gm_engine *engine, enum gm_engine_phase phase, u64 desc);
/* Whether a mark is waited for. */
bool gm_engine_marking(const struct gm_engine *engine);
/* A command was executed: has it set the mark that is waited for? */
void gm_engine_mark_locked(struct gm_engine *engine);
/* Phase of the next command: GM_PHASE_RING or GM_PHASE_BATCH. */
enum gm_engine_phase gm_engine_command_phase(const struct gm_engine *engine);
/* Injections into an event; a delay ends early when the engine is to stand still. False: lost. */
bool gm_engine_distort_locked(struct gm_engine *engine, struct gm_csb_event *event);

/* Bring the MMU's fault, if there is one, to the fault registers. */
void gm_engine_report_fault(struct gm_engine *engine);

/* Add the window to the register file; returns what gm_mmio_add() does. */
int gm_engine_add_registers(struct gm_engine *engine);
/* Reset values for the whole window. */
void gm_engine_reset_registers(struct gm_engine *engine);

/* A restore brings a value to the register at @offset in BAR0. */
void gm_engine_load_register(void *opaque, u32 offset, u32 value);
/* What a context save writes for the register at @offset in BAR0. */
u32 gm_engine_store_register(void *opaque, u32 offset);

/* CTX_TIMESTAMP goes on from the register's value. */
void gm_engine_start_timer(struct gm_engine *engine);
/* CTX_TIMESTAMP stands still; the register holds it. */
void gm_engine_stop_timer(struct gm_engine *engine);

#endif
