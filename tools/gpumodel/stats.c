// SPDX-License-Identifier: GPL-2.0-only
/*
 * Statistics of the model: names and the log of misuse.
 */
#include <stdarg.h>
#include <string.h>
#include "stats.h"

/* Lines of each kind of misuse that reach the log; the rest is counted only. */
#define MISUSE_LOG_MAX 20

static const char *const counter_names[GM_COUNTER_COUNT] = {
	[GM_COUNT_MMIO_READ]		= "mmio_read",
	[GM_COUNT_MMIO_WRITE]		= "mmio_write",
	[GM_COUNT_MMIO_UNKNOWN_READ]	= "mmio_unknown_read",
	[GM_COUNT_MMIO_UNKNOWN_WRITE]	= "mmio_unknown_write",
	[GM_COUNT_GGTT_ACCESS]		= "ggtt_access",
	[GM_COUNT_APERTURE_ACCESS]	= "aperture_access",
	[GM_COUNT_CONFIG_ACCESS]	= "config_access",
	[GM_COUNT_DMA_MAP]		= "dma_map",
	[GM_COUNT_DMA_UNMAP]		= "dma_unmap",
	[GM_COUNT_IRQ_RAISED]		= "irq_raised",
	[GM_COUNT_TLB_HIT]		= "tlb_hit",
	[GM_COUNT_TLB_MISS]		= "tlb_miss",
	[GM_COUNT_TLB_INVALIDATE]	= "tlb_invalidate",
	[GM_COUNT_PAGE_FAULT]		= "page_fault",
	[GM_COUNT_BLIT]			= "blit",
	[GM_COUNT_BLIT_BYTES]		= "blit_bytes",
	[GM_COUNT_SKIPPED_COMMAND]	= "skipped_command",
	[GM_COUNT_RESET_FULL]		= "reset_full",
	[GM_COUNT_RESET_ENGINE]		= "reset_engine",
};

static const char *const engine_counter_names[GM_ENGINE_COUNTER_COUNT] = {
	[GM_ENGINE_COMMANDS]		= "commands",
	[GM_ENGINE_SUBMITS]		= "submits",
	[GM_ENGINE_CTX_SWITCHES]	= "context_switches",
	[GM_ENGINE_PREEMPTIONS]		= "preemptions",
	[GM_ENGINE_LITE_RESTORES]	= "lite_restores",
	[GM_ENGINE_HANGS]		= "hangs",
	[GM_ENGINE_BUSY_NS]		= "busy_ns",
};

static const char *const misuse_names[GM_MISUSE_COUNT] = {
	[GM_MISUSE_FORCEWAKE]		= "forcewake",
	[GM_MISUSE_ELSP_FULL]		= "elsp_full",
	[GM_MISUSE_ELSP_CONTEXT_TWICE]	= "elsp_context_twice",
	[GM_MISUSE_ELSP_INVALID]	= "elsp_invalid",
	[GM_MISUSE_CONTEXT_IMAGE]	= "context_image",
	[GM_MISUSE_CSB_OVERRUN]		= "csb_overrun",
	[GM_MISUSE_UNSCRATCHED_PTE]	= "unscratched_pte",
	[GM_MISUSE_DMA_FAULT]		= "dma_fault",
	[GM_MISUSE_STALE_TLB]		= "stale_tlb",
	[GM_MISUSE_RESET_NOT_READY]	= "reset_not_ready",
	[GM_MISUSE_RING]		= "ring",
	[GM_MISUSE_REG_ACCESS]		= "reg_access",
	[GM_MISUSE_UNKNOWN_COMMAND]	= "unknown_command",
	[GM_MISUSE_IRQ]			= "irq",
};

void gm_misuse(struct gm_stats *stats, enum gm_misuse kind, const char *fmt, ...)
{
	char text[256];
	u64 seen;
	va_list args;

	seen = atomic_fetch_add_explicit(&stats->misuse[kind], 1, memory_order_relaxed);
	if (seen >= MISUSE_LOG_MAX)
		return;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fprintf(stderr, "gpumodel: misuse: %s: %s%s\n", misuse_names[kind], text,
		seen == MISUSE_LOG_MAX - 1 ? " (more of this kind are only counted)" : "");
}

u64 gm_stats_misuse_total(const struct gm_stats *stats)
{
	u64 total = 0;
	int kind;

	for (kind = 0; kind < GM_MISUSE_COUNT; kind++)
		total += stats->misuse[kind];
	return total;
}

void gm_stats_clear(struct gm_stats *stats)
{
	int i, j;

	for (i = 0; i < GM_COUNTER_COUNT; i++)
		stats->counter[i] = 0;
	for (i = 0; i < GM_MISUSE_COUNT; i++)
		stats->misuse[i] = 0;
	for (i = 0; i < GM_ENGINE_COUNT; i++)
		for (j = 0; j < GM_ENGINE_COUNTER_COUNT; j++)
			stats->engine[i][j] = 0;
}

const char *gm_counter_name(enum gm_counter counter)
{
	return counter_names[counter];
}

const char *gm_engine_counter_name(enum gm_engine_counter counter)
{
	return engine_counter_names[counter];
}

const char *gm_misuse_name(enum gm_misuse kind)
{
	return misuse_names[kind];
}
