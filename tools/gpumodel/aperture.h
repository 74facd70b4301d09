/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BAR2, the aperture: the CPU's view of graphics memory through the GGTT, and
 * the 32 fence registers that make tiled surfaces look linear in it.
 */
#ifndef GM_APERTURE_H
#define GM_APERTURE_H

#include <linux/types.h>

struct gm_aperture;
struct gm_dma;
struct gm_ggtt;
struct gm_mmio;
struct gm_stats;

/**
 * gm_aperture_create() - Make an aperture
 * @size: bytes of BAR2, a multiple of 4 KiB
 * @dma: guest memory
 * @ggtt: the table that translates its addresses
 * @mmio: register file that the fence registers are added to
 * @stats: statistics
 *
 * Its GGTT TLB is its own: what a write to GFX_FLSH_CNTL does to it is
 * gm_aperture_invalidate().
 *
 * Return: the aperture, NULL when resources are short.
 */
struct gm_aperture *gm_aperture_create(u64 size, struct gm_dma *dma, struct gm_ggtt *ggtt,
				       struct gm_mmio *mmio, struct gm_stats *stats);
void gm_aperture_destroy(struct gm_aperture *aperture);

/**
 * gm_aperture_access() - CPU access; may cross pages, fences and tiles
 * @aperture: the aperture
 * @offset: bytes from its start
 * @buf: what is written, or where to what is read goes
 * @len: bytes
 * @write: a write, else a read
 *
 * What no valid entry leads to reads as all ones, and writes to it are lost;
 * GM_COUNT_PAGE_FAULT and GM_MISUSE_UNSCRATCHED_PTE are counted. Any thread.
 *
 * Return: false beyond the end, where nothing is done.
 */
bool gm_aperture_access(struct gm_aperture *aperture, u64 offset, void *buf, size_t len,
			bool write);

/**
 * gm_aperture_invalidate() - Drop its TLB
 * @aperture: the aperture
 *
 * Any thread; takes effect before the next access.
 */
void gm_aperture_invalidate(struct gm_aperture *aperture);

#endif
