// SPDX-License-Identifier: GPL-2.0-only
/*
 * Surfaces of the 2D engine.
 *
 * A run of a row is cut into pieces that are contiguous in memory: at tile
 * spans and at pages. Translating may read page tables, which takes the lock
 * of the DMA map, so a batch of pieces is translated first and then moved
 * under one hold of the lock.
 */
#include <string.h>
#include "blt_surface.h"
#include "dma.h"

#define PAGE_SIZE	4096u
#define PAGE_MASK	(PAGE_SIZE - 1)

/* Contiguous bytes in a Y tile, and how many such pieces a run of 4 KiB has. */
#define Y_SPAN		16u
#define PIECES		256

/**
 * struct piece - Contiguous bytes in one page
 * @iova: bus address
 * @offset: in the caller's buffer
 * @len: bytes
 */
struct piece {
	u64 iova;
	u32 offset;
	u32 len;
};

/**
 * struct run - A run on its way
 * @memory: how to reach it
 * @write: to the surface, else from it
 * @page: address of the page that was translated last, plus one; 0: none
 * @page_iova: where that page is
 * @count: number of pieces
 * @piece: the pieces that are translated and not moved yet
 */
struct run {
	const struct gm_blt_memory *memory;
	bool write;
	u64 page;
	u64 page_iova;
	unsigned int count;
	struct piece piece[PIECES];
};

static bool translate(struct run *run, u64 va, u64 *iova)
{
	u64 page = va & ~(u64)PAGE_MASK;
	u64 contig;

	if (run->page != page + 1) {
		if (!gm_mmu_translate(run->memory->mmu, run->memory->space, va, run->write, iova,
				      &contig))
			return false;
		run->page = page + 1;
		run->page_iova = *iova & ~(u64)PAGE_MASK;
	}
	*iova = run->page_iova + (va & PAGE_MASK);
	return true;
}

static void move_bytes(u8 *to, const u8 *from, u32 len)
{
	if (len == Y_SPAN)
		memcpy(to, from, Y_SPAN);
	else
		memcpy(to, from, len);
}

static void move_piece(const struct run *run, const struct piece *piece, u8 *page, u8 *buf)
{
	u32 start = piece->iova & PAGE_MASK;

	if (run->write && page)
		move_bytes(page + start, buf + piece->offset, piece->len);
	else if (page)
		move_bytes(buf + piece->offset, page + start, piece->len);
	else if (!run->write)
		memset(buf + piece->offset, 0xff, piece->len);
}

/* Move what has been translated; a page is looked up once for all its pieces in a row. */
static void move_pieces(struct run *run, u8 *buf)
{
	struct gm_dma *dma = run->memory->dma;
	u8 *page = NULL;
	u64 last = 1;
	unsigned int i;

	gm_dma_lock(dma);
	for (i = 0; i < run->count; i++) {
		u64 iova = run->piece[i].iova & ~(u64)PAGE_MASK;

		if (iova != last)
			page = gm_mmu_discards(iova) ? NULL :
				gm_dma_ptr(dma, iova, PAGE_SIZE,
					   run->write ? GM_DMA_WRITE : GM_DMA_READ);
		last = iova;
		move_piece(run, &run->piece[i], page, buf);
	}
	gm_dma_unlock(dma);
	run->count = 0;
}

/* Add up to @len contiguous bytes at @va; 0 on a page fault, else how many. */
static u32 add_piece(struct run *run, u64 va, u8 *buf, u32 offset, u32 len)
{
	u32 page = PAGE_SIZE - (va & PAGE_MASK);
	u64 iova;

	if (!translate(run, va, &iova))
		return 0;
	if (len > page)
		len = page;
	run->piece[run->count++] = (struct piece){ iova, offset, len };
	if (run->count == PIECES)
		move_pieces(run, buf);
	return len;
}

static bool add_linear(struct run *run, const struct gm_blt_surface *surface, s32 x, s32 y,
		       u8 *buf, u32 len)
{
	u64 va = surface->base + (u64)((s64)y * surface->pitch + x);
	u32 done, step;

	for (done = 0; done < len; done += step) {
		step = add_piece(run, va + done, buf, done, len - done);
		if (!step)
			return false;
	}
	return true;
}

static bool add_tiled(struct run *run, const struct gm_blt_surface *surface, s32 x, s32 y,
		      u8 *buf, u32 len)
{
	struct gm_tiling_walk walk = gm_tiling_walk_start(surface->tiling, x, y, surface->pitch,
							  surface->cpp);
	u32 done, step;

	for (done = 0; done < len; done += step) {
		u32 left = gm_tiling_walk_left(&walk);

		if (left > len - done)
			left = len - done;
		step = add_piece(run, surface->base + gm_tiling_walk_offset(&walk), buf, done,
				 left);
		if (!step)
			return false;
		gm_tiling_walk_move(&walk, step);
	}
	return true;
}

static bool run_row(struct run *run, const struct gm_blt_surface *surface, s32 x, s32 y, u8 *buf,
		    u32 len)
{
	bool valid;

	if (surface->tiling == GM_TILING_LINEAR)
		valid = add_linear(run, surface, x, y, buf, len);
	else
		valid = add_tiled(run, surface, x, y, buf, len);
	if (run->count)
		move_pieces(run, buf);
	return valid;
}

bool gm_blt_surface_read(const struct gm_blt_memory *memory, const struct gm_blt_surface *surface,
			 s32 x, s32 y, void *buf, u32 len)
{
	struct run run;

	run.memory = memory;
	run.write = false;
	run.page = 0;
	run.count = 0;
	return run_row(&run, surface, x, y, buf, len);
}

bool gm_blt_surface_write(const struct gm_blt_memory *memory, const struct gm_blt_surface *surface,
			  s32 x, s32 y, const void *buf, u32 len)
{
	struct run run;

	run.memory = memory;
	run.write = true;
	run.page = 0;
	run.count = 0;
	return run_row(&run, surface, x, y, (u8 *)buf, len);
}
