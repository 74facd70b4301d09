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
 * enum gm_counter - What is counted
 * @GM_COUNT_MMIO_READ: reads of registers by the CPU
 * @GM_COUNT_MMIO_WRITE: writes of registers by the CPU
 * @GM_COUNT_MMIO_UNKNOWN_READ: reads of registers that the chip has not
 * @GM_COUNT_MMIO_UNKNOWN_WRITE: writes of such registers
 * @GM_COUNT_GGTT_ACCESS: accesses to the GGTT that came as messages
 * @GM_COUNT_APERTURE_ACCESS: accesses to the aperture
 * @GM_COUNT_CONFIG_ACCESS: accesses to PCI configuration space
 * @GM_COUNT_DMA_MAP: ranges of guest memory that came
 * @GM_COUNT_DMA_UNMAP: ranges that went
 * @GM_COUNT_IRQ_RAISED: times that the master raised the device's interrupt
 * @GM_COUNT_TLB_HIT: translations that the TLB had
 * @GM_COUNT_TLB_MISS: translations that had to be walked for
 * @GM_COUNT_TLB_INVALIDATE: invalidations of a TLB
 * @GM_COUNT_PAGE_FAULT: accesses to graphics memory through no valid entry
 * @GM_COUNT_BLIT: commands of the 2D engine that drew
 * @GM_COUNT_BLIT_BYTES: bytes of their destinations
 * @GM_COUNT_SKIPPED_COMMAND: 3D and media commands, of which only the length is decoded
 * @GM_COUNT_RESET_FULL: resets of the whole GT
 * @GM_COUNT_RESET_ENGINE: resets of one engine
 * @GM_COUNTER_COUNT: how many there are
 *
 * Their names in the control protocol are in stats.c.
 */
enum gm_counter {
	GM_COUNT_MMIO_READ,
	GM_COUNT_MMIO_WRITE,
	GM_COUNT_MMIO_UNKNOWN_READ,
	GM_COUNT_MMIO_UNKNOWN_WRITE,
	GM_COUNT_GGTT_ACCESS,
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
	GM_COUNT_SKIPPED_COMMAND,
	GM_COUNT_RESET_FULL,
	GM_COUNT_RESET_ENGINE,
	GM_COUNTER_COUNT
};

/**
 * enum gm_engine_counter - What is counted per engine
 * @GM_ENGINE_COMMANDS: commands executed
 * @GM_ENGINE_SUBMITS: execlists loaded
 * @GM_ENGINE_CTX_SWITCHES: contexts restored from memory
 * @GM_ENGINE_PREEMPTIONS: contexts that had to leave for another list
 * @GM_ENGINE_LITE_RESTORES: lists whose first context was running already
 * @GM_ENGINE_HANGS: times that the streamer stopped for good
 * @GM_ENGINE_BUSY_NS: ns with work
 * @GM_ENGINE_COUNTER_COUNT: how many there are
 */
enum gm_engine_counter {
	GM_ENGINE_COMMANDS,
	GM_ENGINE_SUBMITS,
	GM_ENGINE_CTX_SWITCHES,
	GM_ENGINE_PREEMPTIONS,
	GM_ENGINE_LITE_RESTORES,
	GM_ENGINE_HANGS,
	GM_ENGINE_BUSY_NS,
	GM_ENGINE_COUNTER_COUNT
};

/**
 * enum gm_misuse - What a driver did that real silicon would punish
 * @GM_MISUSE_FORCEWAKE: register access without its well awake
 * @GM_MISUSE_ELSP_FULL: submit while both execlists are taken
 * @GM_MISUSE_ELSP_CONTEXT_TWICE: one context in both ports of a list
 * @GM_MISUSE_ELSP_INVALID: element 0 invalid, bad descriptor
 * @GM_MISUSE_CONTEXT_IMAGE: misaligned, unmapped or malformed image
 * @GM_MISUSE_CSB_OVERRUN: an entry not read yet was overwritten
 * @GM_MISUSE_UNSCRATCHED_PTE: the GPU reached an invalid entry
 * @GM_MISUSE_DMA_FAULT: an entry points outside mapped memory
 * @GM_MISUSE_STALE_TLB: an access used a translation whose entry has changed since
 * @GM_MISUSE_RESET_NOT_READY: engine reset without RESET_CTL's handshake
 * @GM_MISUSE_RING: tail beyond the ring, ring not enabled
 * @GM_MISUSE_REG_ACCESS: unaligned or odd-sized register access
 * @GM_MISUSE_UNKNOWN_COMMAND: undecodable command
 * @GM_MISUSE_IRQ: interrupt lost by a wrong sequence
 * @GM_MISUSE_COUNT: how many kinds there are
 */
enum gm_misuse {
	GM_MISUSE_FORCEWAKE,
	GM_MISUSE_ELSP_FULL,
	GM_MISUSE_ELSP_CONTEXT_TWICE,
	GM_MISUSE_ELSP_INVALID,
	GM_MISUSE_CONTEXT_IMAGE,
	GM_MISUSE_CSB_OVERRUN,
	GM_MISUSE_UNSCRATCHED_PTE,
	GM_MISUSE_DMA_FAULT,
	GM_MISUSE_STALE_TLB,
	GM_MISUSE_RESET_NOT_READY,
	GM_MISUSE_RING,
	GM_MISUSE_REG_ACCESS,
	GM_MISUSE_UNKNOWN_COMMAND,
	GM_MISUSE_IRQ,
	GM_MISUSE_COUNT
};

/**
 * struct gm_stats - Statistics of one device; all zero at the start
 * @counter: by enum gm_counter
 * @engine: by number of the engine and enum gm_engine_counter
 * @misuse: by enum gm_misuse
 */
struct gm_stats {
	_Atomic u64 counter[GM_COUNTER_COUNT];
	_Atomic u64 engine[GM_ENGINE_COUNT][GM_ENGINE_COUNTER_COUNT];
	_Atomic u64 misuse[GM_MISUSE_COUNT];
};

/* Add @n to a counter; any thread. */
static inline void gm_count(struct gm_stats *stats, enum gm_counter counter, u64 n)
{
	atomic_fetch_add_explicit(&stats->counter[counter], n, memory_order_relaxed);
}

/* Add @n to a counter of engine number @engine; any thread. */
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
 * @...: its arguments
 *
 * The first 20 of each kind are written to stderr, the rest only counted.
 * Any thread may call this.
 */
void gm_misuse(struct gm_stats *stats, enum gm_misuse kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Sum of all kinds of misuse. */
u64 gm_stats_misuse_total(const struct gm_stats *stats);

/* Set everything to zero. */
void gm_stats_clear(struct gm_stats *stats);

/* Names in the control protocol; @counter and @kind are in range. */
const char *gm_counter_name(enum gm_counter counter);
const char *gm_engine_counter_name(enum gm_engine_counter counter);
const char *gm_misuse_name(enum gm_misuse kind);

#endif
