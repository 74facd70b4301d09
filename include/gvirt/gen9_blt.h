/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9 2D engine: operands of its commands, raster operations, tile layouts.
 *
 * Sources: Linux i915, gt/intel_gpu_commands.h (fill and copy), gt/intel_gt_regs.h
 * (BCS_SWCTRL), gem/selftests/i915_gem_client_blt.c (tiled copies) and
 * gem/selftests/i915_gem_mman.c (X and Y tiles); IGT, lib/intel_batchbuffer.c (fast
 * copy); Intel gmmlib, Utility/CpuSwizzleBlt/CpuSwizzleBlt.c (Yf and Ys tiles); the
 * programmer's reference manual of the Intel 815 chipset's graphics controller,
 * chapter 12 (raster operations, transparency, monochrome operands); Intel's EMGD
 * driver, igd_chroma_t (the kinds of chroma key). The bits of the chroma key's mode
 * are in none of them: see XY_SRC_COPY_CHROMA_BLT in PRM Skylake, volume 2a.
 */
#ifndef GVIRT_GEN9_BLT_H
#define GVIRT_GEN9_BLT_H

#include <linux/bits.h>
#include <linux/types.h>

/* Dword 0 of most XY commands (BR00). */
#define GEN9_BLT_WRITE_ALPHA		BIT(21)		/* 32 bpp: alpha byte is written */
#define GEN9_BLT_WRITE_RGB		BIT(20)		/* 32 bpp: the others are written */
#define GEN9_BLT_SRC_TILED		BIT(15)
#define GEN9_BLT_DST_TILED		BIT(11)
#define GEN9_BLT_PATTERN_X_SHIFT	12		/* seed: added to x modulo 8 */
#define GEN9_BLT_PATTERN_X_MASK		GENMASK(14, 12)
#define GEN9_BLT_PATTERN_Y_SHIFT	8		/* seed: added to y modulo 8 */
#define GEN9_BLT_PATTERN_Y_MASK		GENMASK(10, 8)
#define GEN9_BLT_MONO_BIT_SHIFT		17		/* monochrome source: first pixel's bit */
#define GEN9_BLT_MONO_BIT_MASK		GENMASK(19, 17)
#define GEN9_BLT_CHROMA_SHIFT		17		/* chroma key commands: mode */
#define GEN9_BLT_CHROMA_MASK		GENMASK(19, 17)
#define   GEN9_BLT_CHROMA_ON		BIT(0)
#define   GEN9_BLT_CHROMA_ALPHA		BIT(1)		/* alpha is compared, too */
#define   GEN9_BLT_CHROMA_DESTINATION	BIT(2)		/* else the source is compared */
#define GEN9_BLT_TEXT_BYTE_PACKED	BIT(16)		/* text: a row starts at a byte */

/* Dword 1 (BR13; BR01 in XY_SETUP_*). */
#define GEN9_BLT_PITCH_MASK		GENMASK(15, 0)	/* signed; bytes, or dwords if tiled */
#define GEN9_BLT_ROP_SHIFT		16
#define GEN9_BLT_ROP_MASK		GENMASK(23, 16)
#define GEN9_BLT_DEPTH_SHIFT		24
#define GEN9_BLT_DEPTH_MASK		GENMASK(25, 24)
#define   GEN9_BLT_DEPTH_8		0
#define   GEN9_BLT_DEPTH_565		1
#define   GEN9_BLT_DEPTH_1555		2
#define   GEN9_BLT_DEPTH_32		3
#define GEN9_BLT_MONO_PATTERN_TRANSPARENT BIT(28)	/* pixels whose bit is 0 stay */
#define GEN9_BLT_MONO_SRC_TRANSPARENT	BIT(29)
#define GEN9_BLT_CLIP			BIT(30)
#define GEN9_BLT_RIGHT_TO_LEFT		BIT(30)		/* SRC_COPY_BLT */
#define GEN9_BLT_SOLID_PATTERN		BIT(31)		/* XY_SETUP_MONO_PATTERN_SL_BLT */

/* Coordinates: y in the upper half, x in the lower, both signed. */
#define GEN9_BLT_X(dword)		((s16)((dword) & 0xffff))
#define GEN9_BLT_Y(dword)		((s16)((dword) >> 16))

/* Raster operations: bit number 4 * pattern + 2 * source + destination of a bit. */
#define GEN9_ROP_BLACKNESS		0x00
#define GEN9_ROP_DESTINATION		0xaa
#define GEN9_ROP_SOURCE			0xcc
#define GEN9_ROP_PATTERN		0xf0
#define GEN9_ROP_WHITENESS		0xff

#define GEN9_BLT_PATTERN_SIZE		8		/* pixels and rows */

/* XY_FAST_COPY_BLT. */
#define GEN9_FAST_COPY_SRC_SHIFT	20		/* dword 0: tiling */
#define GEN9_FAST_COPY_SRC_MASK		GENMASK(21, 20)
#define GEN9_FAST_COPY_DST_SHIFT	13
#define GEN9_FAST_COPY_DST_MASK		GENMASK(14, 13)
#define   GEN9_FAST_COPY_LINEAR		0
#define   GEN9_FAST_COPY_X		1
#define   GEN9_FAST_COPY_Y		2		/* Yf with the flag in dword 1 */
#define   GEN9_FAST_COPY_YS		3
#define GEN9_FAST_COPY_SRC_YF		BIT(31)		/* dword 1 */
#define GEN9_FAST_COPY_DST_YF		BIT(30)
#define GEN9_FAST_COPY_DEPTH_SHIFT	24
#define GEN9_FAST_COPY_DEPTH_MASK	GENMASK(26, 24)
#define   GEN9_FAST_COPY_DEPTH_8	0
#define   GEN9_FAST_COPY_DEPTH_16	1
#define   GEN9_FAST_COPY_DEPTH_32	3
#define   GEN9_FAST_COPY_DEPTH_64	4
#define   GEN9_FAST_COPY_DEPTH_128	5

/* GEN9_BCS_SWCTRL: tiled surfaces of commands other than the fast copy are Y, not X, tiled. */
#define   GEN9_BCS_SWCTRL_SRC_Y		BIT(0)
#define   GEN9_BCS_SWCTRL_DST_Y		BIT(1)

/* Which bits of the offset in a tile hold x (in bytes) and y (in rows), in order. */
#define GEN9_TILE_X_X			0x01ff		/* 512 bytes, 8 rows */
#define GEN9_TILE_X_Y			0x0e00
#define GEN9_TILE_Y_X			0x0e0f		/* 128 bytes, 32 rows */
#define GEN9_TILE_Y_Y			0x01f0
#define GEN9_TILE_YF_8_X		0x0a0f		/* 64 bytes, 64 rows: 8 bpp */
#define GEN9_TILE_YF_8_Y		0x05f0
#define GEN9_TILE_YF_32_X		0x0a8f		/* 128 bytes, 32 rows: 16, 32 bpp */
#define GEN9_TILE_YF_32_Y		0x0570
#define GEN9_TILE_YF_128_X		0x0acf		/* 256 bytes, 16 rows: 64, 128 bpp */
#define GEN9_TILE_YF_128_Y		0x0530
#define GEN9_TILE_YS_X			0xa000		/* Ys has these beyond Yf */
#define GEN9_TILE_YS_Y			0x5000

#endif
