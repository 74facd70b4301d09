/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9 graphics reset and TLB invalidation by register.
 *
 * Sources: Linux i915, gt/intel_gt_regs.h, gt/intel_reset.c (domains),
 * gt/intel_engine_cs.c (which TLB register serves which engine) and
 * gt/intel_ggtt.c. Also in PRM Skylake, volume 2c, GDRST.
 */
#ifndef GVIRT_GEN9_RESET_H
#define GVIRT_GEN9_RESET_H

#include <linux/bits.h>

/* Graphics device reset: a set bit resets its domain and clears itself when done. */
#define GEN9_GDRST			0x941c
#define   GEN9_GDRST_FULL		BIT(0)
#define   GEN9_GDRST_RENDER		BIT(1)
#define   GEN9_GDRST_MEDIA		BIT(2)
#define   GEN9_GDRST_BLT		BIT(3)
#define   GEN9_GDRST_VECS		BIT(4)
#define   GEN9_GDRST_GUC		BIT(5)

/* TLB invalidation: bit 0 requests, and clears itself when done. */
#define GEN9_TLB_RENDER			0x4260
#define GEN9_TLB_VIDEO			0x4264
#define GEN9_TLB_VIDEO2			0x4268
#define GEN9_TLB_BLT			0x426c
#define GEN9_TLB_VEBOX			0x4270
#define GEN9_TLB_GUC			0x4274
#define   GEN9_TLB_INVALIDATE		BIT(0)

/* Any write drops what is cached of the GGTT. */
#define GEN9_GFX_FLSH_CNTL		0x101008
#define   GEN9_GFX_FLSH_CNTL_EN		BIT(0)

#endif
