/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Surfaces of the 2D engine: runs of bytes of one row, whatever the layout.
 */
#ifndef GM_BLT_SURFACE_H
#define GM_BLT_SURFACE_H

#include <linux/types.h>
#include "mmu.h"
#include "tiling.h"

struct gm_dma;

/**
 * struct gm_blt_memory - How a command reaches memory
 * @mmu: of the blitter engine
 * @dma: guest memory
 * @space: address space of all surfaces of the command
 */
struct gm_blt_memory {
	struct gm_mmu *mmu;
	struct gm_dma *dma;
	enum gm_space space;
};

/**
 * struct gm_blt_surface - Pixels in memory
 * @tiling: their layout
 * @base: address of pixel (0, 0)
 * @pitch: bytes between rows; below 0 only when linear
 * @cpp: bytes per pixel: 1, 2, 4, 8 or 16
 */
struct gm_blt_surface {
	enum gm_tiling tiling;
	u64 base;
	s32 pitch;
	u32 cpp;
};

/**
 * gm_blt_surface_read() - Read bytes of one row
 * @memory: how to reach it
 * @surface: where from
 * @x: first byte in the row; below 0 only when linear
 * @y: row; below 0 only when linear
 * @buf: out
 * @len: bytes
 *
 * Return: false on a page fault, which the MMU keeps. What lies outside guest
 * memory is read as all ones, and counted as a DMA fault.
 */
bool gm_blt_surface_read(const struct gm_blt_memory *memory, const struct gm_blt_surface *surface,
			 s32 x, s32 y, void *buf, u32 len);

/**
 * gm_blt_surface_write() - Write bytes of one row
 * @memory: how to reach it
 * @surface: where to
 * @x: first byte in the row; below 0 only when linear
 * @y: row; below 0 only when linear
 * @buf: the bytes
 * @len: how many
 *
 * What lies outside guest memory or on a read-only page is dropped.
 *
 * Return: false on a page fault, which the MMU keeps; the bytes before it have
 * been written.
 */
bool gm_blt_surface_write(const struct gm_blt_memory *memory, const struct gm_blt_surface *surface,
			  s32 x, s32 y, const void *buf, u32 len);

#endif
