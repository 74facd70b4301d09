/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9 fence registers: ranges of the global GTT that look linear through the
 * aperture although the surface in memory is tiled.
 *
 * Each register has 64 bits, written as two halves. Fences are lost in a full
 * reset. There is no bit-6 swizzling from Gen8 on.
 *
 * Sources: Linux i915, gt/intel_ggtt_fencing.c and i915_reg.h.
 */
#ifndef GVIRT_GEN9_FENCE_H
#define GVIRT_GEN9_FENCE_H

#include <linux/bits.h>
#include <linux/types.h>

#define GEN9_FENCE_COUNT		32
#define GEN9_FENCE_LO(n)		(0x100000 + (n) * 8)
#define   GEN9_FENCE_VALID		BIT(0)
#define   GEN9_FENCE_TILING_Y		BIT(1)		/* else X */
#define   GEN9_FENCE_START_MASK		GENMASK(31, 12)
#define GEN9_FENCE_HI(n)		(0x100004 + (n) * 8)
/* Pitch in units of GEN9_FENCE_PITCH_UNIT bytes, minus one. */
#define   GEN9_FENCE_PITCH_MASK		GENMASK(10, 0)
/* Address of the last page that belongs to the fence. */
#define   GEN9_FENCE_END_MASK		GENMASK(31, 12)
#define GEN9_FENCE_PITCH_UNIT		128

/* Widths of a tile in bytes: what a pitch has to be a multiple of. */
#define GEN9_FENCE_X_TILE_WIDTH		512
#define GEN9_FENCE_Y_TILE_WIDTH		128

#endif
