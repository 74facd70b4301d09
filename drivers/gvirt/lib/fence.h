/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fences: what a guest's fence registers mean, where a byte of a tiled range really is,
 * and how a range is cut into chunks that a fence of the chip can stand for.
 *
 * A tile is a page, in which X tiles have 8 rows of 512 bytes and Y tiles 8 columns of 32
 * rows of 16 bytes; tiles stand row by row. So a row of tiles has as many pages as tiles, and
 * it has the same pages before and after detiling: a chunk of whole rows of tiles
 * stands for itself.
 *
 * Where fences overlap, which must not be, the one of the lowest number counts here.
 */
#ifndef GVIRT_LIB_FENCE_H
#define GVIRT_LIB_FENCE_H

#include <linux/types.h>

#include <gvirt/gen9_fence.h>

/* Pages of a chunk, if a row of tiles does not have more. */
#define GVIRT_FENCE_CHUNK_PAGES	512u
/* Pages of the longest row of tiles, and so of a chunk at most. */
#define GVIRT_FENCE_MOST_PAGES	\
	((GEN9_FENCE_PITCH_MASK + 1) * GEN9_FENCE_PITCH_UNIT / GEN9_FENCE_Y_TILE_WIDTH)

/**
 * struct gvirt_fence - A range of the GGTT's addresses that is tiled
 * @first: number of its first page
 * @last: number of its last page, inclusive
 * @pitch: bytes between rows of pixels, a multiple of the tile's width; 0: there is no fence
 * @y: Y tiles, else X
 */
struct gvirt_fence {
	u32 first;
	u32 last;
	u32 pitch;
	bool y;
};

/**
 * struct gvirt_fence_chunk - Whole rows of tiles of a fence
 * @first: number of the first page
 * @pages: how many, 1 to GVIRT_FENCE_MOST_PAGES; the last ones may lie behind the fence
 */
struct gvirt_fence_chunk {
	u32 first;
	u32 pages;
};

/**
 * struct gvirt_fence_claim - Who has a fence of the chip
 * @owner: who; NULL: it is free
 * @used: when it was used last; greater is later
 */
struct gvirt_fence_claim {
	const void *owner;
	u64 used;
};

/**
 * gvirt_fence_decode() - What a fence register means
 * @value: its 64 bits
 *
 * What is not valid, ends before it begins, or has a pitch that is no multiple of its tile's
 * width, is no fence.
 *
 * Return: the fence.
 */
struct gvirt_fence gvirt_fence_decode(u64 value);

/**
 * gvirt_fence_encode() - Bits of a fence register
 * @fence: there is one
 *
 * Return: its 64 bits.
 */
u64 gvirt_fence_encode(const struct gvirt_fence *fence);

/**
 * gvirt_fence_equal() - Whether two fences are the same
 * @a: one
 * @b: another one
 *
 * Return: true also when neither is a fence.
 */
bool gvirt_fence_equal(const struct gvirt_fence *a, const struct gvirt_fence *b);

/**
 * gvirt_fence_covers() - Whether a page is in a fence
 * @fence: of gvirt_fence_decode()
 * @page: number of the page
 */
static inline bool gvirt_fence_covers(const struct gvirt_fence *fence, u32 page)
{
	return fence->pitch && page >= fence->first && page <= fence->last;
}

/**
 * gvirt_fence_find() - The fence that counts for a page
 * @fence: all
 * @count: how many
 * @page: number of the page
 *
 * Return: its number, or -1.
 */
int gvirt_fence_find(const struct gvirt_fence *fence, unsigned int count, u32 page);

/**
 * gvirt_fence_detile() - Where a byte of a tiled range really is
 * @fence: a fence that covers it
 * @address: GGTT address as the CPU sees it
 * @run: gets how many bytes from there on are together
 *
 * Return: the GGTT address whose entry leads to it; perhaps in the row of tiles behind the
 * fence's end.
 */
u64 gvirt_fence_detile(const struct gvirt_fence *fence, u64 address, u32 *run);

/**
 * gvirt_fence_chunk_of() - The chunk that a page is in
 * @fence: a fence that covers it
 * @page: number of the page
 *
 * Return: the chunk, the same for all of its pages.
 */
struct gvirt_fence_chunk gvirt_fence_chunk_of(const struct gvirt_fence *fence, u32 page);

/**
 * gvirt_fence_victim() - Which fence of the chip to give to somebody else
 * @claim: all
 * @count: how many, not 0
 * @owner: who wants one
 *
 * A free one, if there is. Else whoever has most gives the one that it has used least
 * recently; if that is the one who wants it, nobody else loses anything.
 *
 * Return: its number.
 */
unsigned int gvirt_fence_victim(const struct gvirt_fence_claim *claim, unsigned int count,
				const void *owner);

#endif
