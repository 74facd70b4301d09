/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command streamer of one engine: fetches, decodes and executes.
 *
 * Its registers are the engine's 4 KiB register window (gm_cs.reg), the one
 * place where ring pointers, batch addresses, GPRs and predicate live; the
 * execlist unit loads and saves them as context. One thread steps a streamer;
 * other threads may read and set single registers.
 */
#ifndef GM_CS_H
#define GM_CS_H

#include <stdatomic.h>
#include <linux/types.h>
#include <gvirt/gen9_engine.h>
#include "mmu.h"

struct gm_blt;
struct gm_dma;
struct gm_record;
struct gm_stats;

#define GM_CS_REGS (GEN9_ENGINE_WINDOW_SIZE / 4)

/**
 * struct gm_cs_services - What a streamer needs from the rest of the device
 * @reg_read: value of any register by its absolute offset (SRM, LRR, ...)
 * @reg_write: write any register by its absolute offset (LRI, LRM, ...); the
 *	streamer has checked the privilege before
 * @interrupt: raise GM_IRQ_* conditions of this engine
 * @timestamp: the 64-bit (36 used) timestamp in ticks
 * @tlb_invalidate: a command asked for a TLB invalidation of this engine
 * @semaphore_signal: MI_SEMAPHORE_SIGNAL to a context of the engine GEN9_MI_SEMAPHORE_TARGET_*:
 *	its gm_cs.signalled is set if that context runs
 * @ggtt_write: MI_UPDATE_GTT: set an entry of the GGTT; NULL: the command has no effect
 * @display_events: those of some GEN9_MI_WAIT_* events of the display that have come since a
 *	time, which is set to now where it is 0; NULL: there is no display
 * @scan_lines: set what GEN9_PIPE_SCAN_LINES of a pipe holds; with @display_events
 * @opaque: passed to each
 */
struct gm_cs_services {
	u32 (*reg_read)(void *opaque, u32 offset);
	void (*reg_write)(void *opaque, u32 offset, u32 value);
	void (*interrupt)(void *opaque, u32 bits);
	u64 (*timestamp)(void *opaque);
	void (*tlb_invalidate)(void *opaque);
	void (*semaphore_signal)(void *opaque, u32 target, u32 context_id);
	void (*ggtt_write)(void *opaque, u64 index, u64 entry);
	u32 (*display_events)(void *opaque, u32 wanted, u64 *since);
	void (*scan_lines)(void *opaque, u32 pipe, u32 window);
	void *opaque;
};

/**
 * enum gm_cs_status - What gm_cs_step() did
 * @GM_CS_RUN: one command executed, there may be more
 * @GM_CS_JUMP_BACK: executed a batch start that goes backwards: the batch may
 *	spin, the caller may slow it down
 * @GM_CS_IDLE: ring empty (head == tail), nothing executed
 * @GM_CS_WAIT: a semaphore's or event's condition does not hold, or the driver
 *	stopped the ring (GEN9_MI_MODE_STOP_RING) with commands left; nothing
 *	advanced, step again later
 * @GM_CS_LEAVE: the same of a semaphore or event, but its context does not wait: it
 *	leaves the engine, and gm_cs.leave_reason says why
 * @GM_CS_HANG: an undecodable command: IPEHR, ACTHD and INSTDONE say which;
 *	nothing advances until gm_cs_reset()
 * @GM_CS_FAULT: a page fault in fetch or execution: hangs like GM_CS_HANG, the MMU keeps the fault
 */
enum gm_cs_status {
	GM_CS_RUN,
	GM_CS_JUMP_BACK,
	GM_CS_IDLE,
	GM_CS_WAIT,
	GM_CS_LEAVE,
	GM_CS_HANG,
	GM_CS_FAULT,
};

/* Dwords of a line that is fetched at once: a cache line, as the chip fetches. */
#define GM_CS_LINE_DWORDS 16
/* Longest command that is carried out (a STORE_DATA_IMM with a full 10-bit length field). */
#define GM_CS_BODY_DWORDS 1026

/**
 * struct gm_cs_line - Commands that were fetched and not executed yet
 * @space: address space they came from
 * @first: address of the first dword
 * @end: address behind the last one; @first when there is nothing
 * @dword: the commands
 *
 * It never outlives a point where the context may change or where somebody may
 * legally write to the commands that follow (jump, wait, idle, preemption
 * point, a store by this streamer), so that it cannot be seen.
 */
struct gm_cs_line {
	enum gm_space space;
	u64 first;
	u64 end;
	u32 dword[GM_CS_LINE_DWORDS];
};

/**
 * struct gm_cs - A command streamer
 * @reg: the register window, one entry per dword
 * @engine: number of the engine
 * @base: offset of its register window
 * @mmu: its MMU
 * @dma: guest memory
 * @blt: the 2D engine; NULL where the engine has none
 * @stats: statistics
 * @record: gets what runs with privilege; NULL: nobody wants to know
 * @services: hooks
 * @ppgtt: the context that is loaded has a PPGTT (else everything is GGTT)
 * @arbitration: MI_ARB_ON_OFF state; on at context start
 * @preempt_point: the last step ended at a point where arbitration may switch
 * @hung: GM_CS_HANG or GM_CS_FAULT was returned
 * @signalled: MI_SEMAPHORE_SIGNAL came for the context that runs; set by other threads
 * @waiting: the last command executed was a wait whose condition did not hold
 * @wait_at: its address
 * @wait_ring: RING_START of its context
 * @event_since: since when the events of that wait count, 0: it waits for none
 * @leave_reason: GEN9_CSB_WAIT_*, of GM_CS_LEAVE
 * @bad_tail: tail that has been counted as a misuse already, all ones: none
 * @line: commands fetched ahead
 * @body: copy of a command that does not lie in one line
 *
 * Batch levels and addresses stand in reg[] (BB_ADDR, BB_STATE, SBB_*), so
 * that they are saved and restored with the context: a valid bit in SBB_ADDR says
 * that the second level executes, else one in BB_ADDR that the first does, else the
 * ring. RING_CCID must hold the descriptor of the context that is loaded (its
 * status page is where PIPE_CONTROL and MI_FLUSH_DW store by index while
 * GEN9_GFX_RUN_LIST_ENABLE is set; RING_HWS_PGA otherwise).
 * What follows @signalled is the streamer's own.
 */
struct gm_cs {
	_Atomic u32 reg[GM_CS_REGS];
	unsigned int engine;
	u32 base;
	struct gm_mmu *mmu;
	struct gm_dma *dma;
	struct gm_blt *blt;
	struct gm_stats *stats;
	struct gm_record *record;
	struct gm_cs_services services;
	bool ppgtt;
	bool arbitration;
	bool preempt_point;
	bool hung;
	_Atomic bool signalled;
	bool waiting;
	u64 wait_at;
	u32 wait_ring;
	u64 event_since;
	u32 leave_reason;
	u32 bad_tail;
	struct gm_cs_line line;
	u32 body[GM_CS_BODY_DWORDS];
};

/* Register at @offset of the window; below GEN9_ENGINE_WINDOW_SIZE. */
static inline u32 gm_cs_reg(const struct gm_cs *cs, u32 offset)
{
	return atomic_load_explicit(&cs->reg[offset / 4], memory_order_relaxed);
}

/* Store a register of the window, without side effects. */
static inline void gm_cs_set(struct gm_cs *cs, u32 offset, u32 value)
{
	atomic_store_explicit(&cs->reg[offset / 4], value, memory_order_relaxed);
}

/* Reset values; @cs is zeroed, and the services are filled in, by the caller. */
void gm_cs_init(struct gm_cs *cs);

/**
 * gm_cs_reset() - What an engine reset does to the streamer's own state
 * @cs: the streamer
 *
 * It is idle afterwards, its ring and batch registers are at reset values;
 * context registers such as GPRs keep what they hold.
 */
void gm_cs_reset(struct gm_cs *cs);

/**
 * gm_cs_step() - Execute at most one command of the ring or the batch it is in
 * @cs: the streamer
 *
 * A hang or fault is counted as GM_ENGINE_HANGS here, once.
 *
 * Return: what it did.
 */
enum gm_cs_status gm_cs_step(struct gm_cs *cs);

/**
 * gm_cs_run_buffer() - Run a workaround batch to its MI_BATCH_BUFFER_END
 * @cs: the streamer
 * @address: GGTT address, from RING_INDIRECT_CTX or BB_PER_CTX_PTR
 * @bytes: length for an indirect context buffer (which has no end command), 0: until BB_END
 *
 * Bounded by 1024 commands.
 *
 * Return: GM_CS_RUN when it ended, else GM_CS_HANG or GM_CS_FAULT.
 */
enum gm_cs_status gm_cs_run_buffer(struct gm_cs *cs, u64 address, u32 bytes);

#endif
