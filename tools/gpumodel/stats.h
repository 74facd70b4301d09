/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics of the model: what was done, and what a driver did wrong.
 *
 * Every part gets a pointer to one struct gm_stats when it is made and counts
 * into it from any thread. A misuse is something that real silicon would
 * punish or that its documentation forbids; tests fail on a total above zero.
 */
#ifndef GM_STATS_H
#define GM_STATS_H

#include <stdatomic.h>
#include <stdio.h>
#include <linux/types.h>

#define GM_ENGINE_COUNT 4

/**
 * enum gm_counter - What is counted, see gm_counter_names in stats.c
 */
enum gm_counter {
	GM_COUNT_MMIO_READ,
	GM_COUNT_MMIO_WRITE,
	GM_COUNT_MMIO_UNKNOWN_READ,
	GM_COUNT_MMIO_UNKNOWN_WRITE,
	GM_COUNT_GGTT_ACCESS,		/* entry accesses that came as messages */
	GM_COUNT_APERTURE_ACCESS,
	GM_COUNT_CONFIG_ACCESS,
	GM_COUNT_DMA_MAP,
	GM_COUNT_DMA_UNMAP,
	GM_COUNT_IRQ_RAISED,
	GM_COUNT_TLB_HIT,
	GM_COUNT_TLB_MISS,
	GM_COUNT_TLB_INVALIDATE,
	GM_COUNT_PAGE_FAULT,
	GM_COUNT_BLIT,
	GM_COUNT_BLIT_BYTES,
	GM_COUNT_SKIPPED_COMMAND,	/* 3D and media: length-decoded only */
	GM_COUNT_RESET_FULL,
	GM_COUNT_RESET_ENGINE,
	GM_COUNTER_COUNT
};

/**
 * enum gm_engine_counter - What is counted per engine
 */
enum gm_engine_counter {
	GM_ENGINE_COMMANDS,
	GM_ENGINE_SUBMITS,		/* execlists loaded */
	GM_ENGINE_CTX_SWITCHES,
	GM_ENGINE_PREEMPTIONS,
	GM_ENGINE_LITE_RESTORES,
	GM_ENGINE_HANGS,
	GM_ENGINE_BUSY_NS,
	GM_ENGINE_COUNTER_COUNT
};

/**
 * enum gm_misuse - What a driver did that real silicon would punish
 */
enum gm_misuse {
	GM_MISUSE_FORCEWAKE,		/* register access without its well awake */
	GM_MISUSE_ELSP_FULL,		/* submit while both execlists are taken */
	GM_MISUSE_ELSP_CONTEXT_TWICE,	/* one context in both ports of a list */
	GM_MISUSE_ELSP_INVALID,		/* element 0 invalid, bad descriptor */
	GM_MISUSE_CONTEXT_IMAGE,	/* misaligned, unmapped or malformed image */
	GM_MISUSE_CSB_OVERRUN,		/* six entries not read yet, overwritten */
	GM_MISUSE_UNSCRATCHED_PTE,	/* the GPU reached an invalid entry */
	GM_MISUSE_DMA_FAULT,		/* an entry points outside mapped memory */
	GM_MISUSE_STALE_TLB,		/* an access used an entry changed since */
	GM_MISUSE_RESET_NOT_READY,	/* engine reset without RESET_CTL handshake */
	GM_MISUSE_RING,			/* tail beyond the ring, ring not enabled */
	GM_MISUSE_REG_ACCESS,		/* unaligned or odd-sized register access */
	GM_MISUSE_UNKNOWN_COMMAND,	/* undecodable command in a ring */
	GM_MISUSE_IRQ,			/* interrupt lost by a wrong sequence */
	GM_MISUSE_COUNT
};

struct gm_stats {
	_Atomic u64 counter[GM_COUNTER_COUNT];
	_Atomic u64 engine[GM_ENGINE_COUNT][GM_ENGINE_COUNTER_COUNT];
	_Atomic u64 misuse[GM_MISUSE_COUNT];
};

static inline void gm_count(struct gm_stats *stats, enum gm_counter counter, u64 n)
{
	atomic_fetch_add_explicit(&stats->counter[counter], n, memory_order_relaxed);
}

static inline void gm_count_engine(struct gm_stats *stats, unsigned int engine,
				   enum gm_engine_counter counter, u64 n)
{
	atomic_fetch_add_explicit(&stats->engine[engine][counter], n, memory_order_relaxed);
}

/**
 * gm_misuse() - Count one misuse and log it
 * @stats: the model's statistics
 * @kind: what kind of misuse
 * @fmt: printf format of what exactly happened, without a newline
 *
 * The first 20 of each kind are written to stderr, the rest only counted.
 * Any thread may call this.
 */
void gm_misuse(struct gm_stats *stats, enum gm_misuse kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** gm_stats_misuse_total() - Sum of all kinds of misuse */
u64 gm_stats_misuse_total(const struct gm_stats *stats);

/** gm_stats_clear() - Set everything to zero */
void gm_stats_clear(struct gm_stats *stats);

/** gm_counter_name() - Name of a counter in the control protocol */
const char *gm_counter_name(enum gm_counter counter);
/** gm_engine_counter_name() - Name of a per-engine counter */
const char *gm_engine_counter_name(enum gm_engine_counter counter);
/** gm_misuse_name() - Name of a kind of misuse */
const char *gm_misuse_name(enum gm_misuse kind);

#endif
