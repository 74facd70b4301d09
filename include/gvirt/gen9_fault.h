/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9 page-fault registers: the first fault of all engines.
 *
 * GEN9_RING_FAULT keeps the first fault until its valid bit is cleared by the
 * driver; the address stands in the two data registers. In the fault mode that
 * drivers use, the engine does not continue after a fault.
 *
 * Sources: Linux i915, gt/intel_gt_regs.h (layout) and gt/intel_gt.c (which bits
 * of the address stand where; one register for all engines from Gen8 on); IGT,
 * tools/intel_error_decode.c (names of fault types and engine numbers).
 */
#ifndef GVIRT_GEN9_FAULT_H
#define GVIRT_GEN9_FAULT_H

#include <linux/bits.h>
#include <linux/types.h>

#define GEN9_RING_FAULT			0x4094
#define   GEN9_FAULT_VALID		BIT(0)
/* Level of the invalid entry: 0 PTE, 1 PDE, 2 PDPE, 3 PML4E. */
#define   GEN9_FAULT_TYPE_SHIFT		1
#define   GEN9_FAULT_TYPE_MASK		GENMASK(2, 1)
#define   GEN9_FAULT_SRCID_SHIFT	3
#define   GEN9_FAULT_SRCID_MASK		GENMASK(10, 3)
#define   GEN9_FAULT_ENGINE_SHIFT	12
#define   GEN9_FAULT_ENGINE_MASK	GENMASK(16, 12)

/* Engine numbers in GEN9_RING_FAULT. */
#define GEN9_FAULT_ENGINE_RCS		0
#define GEN9_FAULT_ENGINE_VCS		1
#define GEN9_FAULT_ENGINE_VCS2		2
#define GEN9_FAULT_ENGINE_VECS		3
#define GEN9_FAULT_ENGINE_BCS		4

#define GEN9_FAULT_TLB_DATA0		0x4b10		/* address, bits 43:12 */
#define   GEN9_FAULT_DATA0_VA_SHIFT	12
#define GEN9_FAULT_TLB_DATA1		0x4b14
#define   GEN9_FAULT_DATA1_VA_SHIFT	44
#define   GEN9_FAULT_DATA1_VA_MASK	GENMASK(3, 0)	/* address, bits 47:44 */
#define   GEN9_FAULT_DATA1_GGTT		BIT(4)		/* else PPGTT */

#endif
