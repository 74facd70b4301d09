/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One engine: execlist submission, context switches, its thread and its reset.
 */
#ifndef GM_ENGINE_H
#define GM_ENGINE_H

#include <linux/types.h>

struct gm_engine;
struct gm_dma;
struct gm_ggtt;
struct gm_irq;
struct gm_mmio;
struct gm_record;
struct gm_stats;

/**
 * struct gm_engine_config - What an engine is made of
 * @engine: its number (enum gm_engine_id)
 * @timestamp_hz: ticks of its timestamp per second
 * @dma: guest memory
 * @ggtt: the global GTT
 * @mmio: register file that its window is added to
 * @irq: where its interrupts go
 * @stats: statistics
 * @record: gets what runs with privilege, or NULL
 * @signal: called by MI_SEMAPHORE_SIGNAL: calls gm_engine_signal() of the target, which is
 *	GEN9_MI_SEMAPHORE_TARGET_*
 * @opaque: passed to @signal
 * @display_events: gm_display_events(); NULL: there is no display
 */
struct gm_engine_config {
	unsigned int engine;
	u32 timestamp_hz;
	struct gm_dma *dma;
	struct gm_ggtt *ggtt;
	struct gm_mmio *mmio;
	struct gm_irq *irq;
	struct gm_stats *stats;
	struct gm_record *record;
	void (*signal)(void *opaque, u32 target, u32 context_id);
	void *opaque;
	u32 (*display_events)(struct gm_mmio *mmio, u32 wanted, u64 *since);
};

/**
 * gm_engine_create() - Make an engine: adds its register window and starts its thread
 * @config: what it is made of, copied
 *
 * Return: the engine, NULL when resources are short.
 */
struct gm_engine *gm_engine_create(const struct gm_engine_config *config);
void gm_engine_destroy(struct gm_engine *engine);

/* The context with this id looks again at its semaphore, if it runs; any thread. */
void gm_engine_signal(struct gm_engine *engine, u32 context_id);

/* From the TLB invalidation registers: drop all translations; any thread. */
void gm_engine_invalidate_tlb(struct gm_engine *engine);
/* From GFX_FLSH_CNTL: drop those of the global GTT only; any thread. */
void gm_engine_invalidate_ggtt(struct gm_engine *engine);

/**
 * gm_engine_ready_for_reset() - Whether a driver may reset the engine now
 * @engine: the engine
 *
 * Return: true when RESET_CTL's handshake has been done, or there is nothing
 * to interrupt.
 */
bool gm_engine_ready_for_reset(struct gm_engine *engine);
/**
 * gm_engine_reset() - What a GDRST of this engine does
 * @engine: the engine
 *
 * It stops at once and forgets execlists and registers. Waits until its thread
 * stands still, but on the thread of an engine: then the reset is done at the
 * next command boundary.
 */
void gm_engine_reset(struct gm_engine *engine);

/**
 * enum gm_engine_injection - Faults the control socket can inject
 * @GM_INJECT_NONE: clears all that is armed
 * @GM_INJECT_CSB_CORRUPT: the next CSB entry is not what it should be: enum gm_engine_csb_fault
 * @GM_INJECT_CSB_DELAY: the next CSB entry comes late, by the value in us
 * @GM_INJECT_REFUSE_RESET: RESET_CTL does not get ready, as often as the value
 *	says; 0: for ever
 */
enum gm_engine_injection {
	GM_INJECT_NONE,
	GM_INJECT_CSB_CORRUPT,
	GM_INJECT_CSB_DELAY,
	GM_INJECT_REFUSE_RESET,
};

/**
 * gm_engine_inject() - Arm an injection
 * @engine: the engine
 * @what: the fault
 * @value: for those that have one
 */
void gm_engine_inject(struct gm_engine *engine, enum gm_engine_injection what, u32 value);

/**
 * enum gm_engine_csb_fault - How a CSB entry is corrupted
 * @GM_CSB_WRONG_ID: it names a context that nobody knows
 * @GM_CSB_NO_STATUS: it does not say what happened
 * @GM_CSB_LOST: it is not there at all, nor is its interrupt
 */
enum gm_engine_csb_fault {
	GM_CSB_WRONG_ID,
	GM_CSB_NO_STATUS,
	GM_CSB_LOST,
};

/**
 * enum gm_engine_phase - Where an engine hangs
 * @GM_PHASE_ANY: whatever comes next
 * @GM_PHASE_START: an idle engine is about to take a list; no event tells of it
 * @GM_PHASE_RING: before a command in the ring
 * @GM_PHASE_BATCH: before a command in a batch
 * @GM_PHASE_PREEMPT: at the point where the context would make way for a list that waits
 * @GM_PHASE_SAVE: the context leaves: its image is not written, no event tells of it
 * @GM_PHASE_LOAD: the event has been written, and the context is about to be restored
 */
enum gm_engine_phase {
	GM_PHASE_ANY,
	GM_PHASE_START,
	GM_PHASE_RING,
	GM_PHASE_BATCH,
	GM_PHASE_PREEMPT,
	GM_PHASE_SAVE,
	GM_PHASE_LOAD,
};

/**
 * gm_engine_inject_hang() - Arm a hang
 * @engine: the engine
 * @phase: where
 * @mark: only with a context that executes MI_NOOP with this number from now on; 0: with any
 */
void gm_engine_inject_hang(struct gm_engine *engine, enum gm_engine_phase phase, u32 mark);

/* Least time per command in ns; 0: as fast as it can. */
void gm_engine_set_speed(struct gm_engine *engine, u32 ns_per_command);

/**
 * gm_engine_state() - Where it stands, for the control socket
 * @engine: the engine
 * @buf: out: one line of text without a newline, cut off where it is too long
 * @len: bytes of @buf
 */
void gm_engine_state(struct gm_engine *engine, char *buf, size_t len);

#endif
