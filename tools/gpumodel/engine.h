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
 * @signal: called by MI_SEMAPHORE_SIGNAL: wakes the waiters of all engines (gm_engine_kick() on each)
 * @opaque: passed to @signal
 */
struct gm_engine_config {
	unsigned int engine;
	u32 timestamp_hz;
	struct gm_dma *dma;
	struct gm_ggtt *ggtt;
	struct gm_mmio *mmio;
	struct gm_irq *irq;
	struct gm_stats *stats;
	void (*signal)(void *opaque);
	void *opaque;
};

/** gm_engine_create() - Adds its register window to the mmio and starts its thread; NULL on failure */
struct gm_engine *gm_engine_create(const struct gm_engine_config *config);
void gm_engine_destroy(struct gm_engine *engine);

/** gm_engine_kick() - Look again at semaphores */
void gm_engine_kick(struct gm_engine *engine);

/** gm_engine_invalidate_tlb() - From the TLB invalidation registers */
void gm_engine_invalidate_tlb(struct gm_engine *engine);
/** gm_engine_invalidate_ggtt() - From GFX_FLSH_CNTL: the global GTT's entries only */
void gm_engine_invalidate_ggtt(struct gm_engine *engine);

/** gm_engine_ready_for_reset() - RESET_CTL's handshake has been done, or there is nothing to interrupt */
bool gm_engine_ready_for_reset(struct gm_engine *engine);
/** gm_engine_reset() - What a GDRST of this engine does: stops at once, forgets execlists and registers; waits until its thread stands still */
void gm_engine_reset(struct gm_engine *engine);

/** enum gm_engine_injection - Faults the control socket can inject */
enum gm_engine_injection {
	GM_INJECT_NONE,
	GM_INJECT_HANG,			/* the next command does not end */
	GM_INJECT_CSB_CORRUPT,		/* the next CSB entry has a wrong context id */
	GM_INJECT_CSB_DELAY,		/* the next CSB entry comes late by @value us */
	GM_INJECT_REFUSE_RESET,		/* RESET_CTL never gets ready, @value times (0: for ever) */
};

/** gm_engine_inject() - Arm an injection; GM_INJECT_NONE clears all */
void gm_engine_inject(struct gm_engine *engine, enum gm_engine_injection what, u32 value);

/** gm_engine_set_speed() - Least time per command in ns; 0: as fast as it can */
void gm_engine_set_speed(struct gm_engine *engine, u32 ns_per_command);

/** gm_engine_state() - One line of text about where it stands, for the control socket */
void gm_engine_state(struct gm_engine *engine, char *buf, size_t len);

#endif
