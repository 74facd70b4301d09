/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9: registers that a driver sets once, because the chip's reset value is
 * wrong or slow. The comment gives the name of the workaround, by which i915
 * and PRM Skylake, volume 16, know what it is needed for.
 *
 * Sources: Linux i915, gt/intel_gt_regs.h (offsets, bits), gt/intel_workarounds.c
 * (names, which chips),
 * gt/intel_mocs.c and gt/intel_gtt.c (fields of the cache tables).
 */
#ifndef GVIRT_GEN9_TUNING_H
#define GVIRT_GEN9_TUNING_H

#include <linux/bits.h>

/* Bits of GEN9_GAM_ECOCHK. */
#define GEN9_ECOCHK_DISABLE_TLB		BIT(8)		/* WaDisableKillLogic */
#define GEN9_ECOCHK_NO_HDC_INVALIDATION	BIT(25)		/* WaDisableHDCInvalidation */
/* A bit of GEN9_GAMT_ECO_REG_RW_IA. */
#define GEN9_GAMT_IN_PLACE_DECOMPRESS	BIT(18)		/* WaInPlaceDecompressionHang */
/* Bits of GEN9_MMCD_MISC_CTRL: WaCompressedResourceSamplerPbeMediaNewHashMode. */
#define GEN9_MMCD_HOTSPOT_ENABLE	BIT(27)
#define GEN9_MMCD_PCLA			BIT(31)
#define GEN9_UCGCTL4			0x0940c
#define   GEN9_EU_GAUNIT_CLOCK_GATE_DISABLE BIT(14)	/* WaDisableGafsUnitClkGating */
/* A bit of GEN9_SCRATCH_LNCF1: atomics in L3, which hang. */
#define GEN9_LNCF_NONIA_ATOMICS		BIT(0)
/* Bits of GEN9_SCRATCH1. */
#define GEN9_LBS_SLA_RETRY_DECREMENT	BIT(2)		/* WaEnableLbsSlaRetryTimerDecrement */
#define GEN9_EVICTION_PERF_FIX		BIT(8)		/* hangs together with those atomics */
/* Bits of GEN9_L3SQCREG4. */
#define GEN9_LQSC_FLUSH_COHERENT	BIT(21)		/* WaOCLCoherentLineFlush */
#define GEN9_LQSQ_NONIA_ATOMICS		BIT(22)		/* the same atomics */
/* A bit of the render engine's GEN9_RING_CSFE_CHICKEN1. */
#define GEN9_CSFE_NO_PREEMPT_SYNC	BIT(2)	/* WaContextSwitchWithConcurrentTLBInvalidate */

/* Bits of GEN9_MCR_SELECTOR: the slice and subslice that a read goes to. */
#define GEN9_MCR_SUBSLICE(n)		((n) << 24)
#define GEN9_MCR_SLICE(n)		((n) << 26)
#define GEN9_MCR_MASK			GENMASK(27, 24)

/* Memory object control: caching in LLC and eLLC. */
#define GEN9_MOCS_LE_PAGETABLE		0x0
#define GEN9_MOCS_LE_UC			0x1
#define GEN9_MOCS_LE_WB			0x3
#define GEN9_MOCS_TARGET_LLC		(0x1 << 2)
#define GEN9_MOCS_TARGET_LLC_ELLC	(0x2 << 2)
#define GEN9_MOCS_LRU_YOUNGEST		(0x3 << 4)
/* And in L3; two entries share a register of GEN9_LNCFCMOCS(). */
#define GEN9_MOCS_L3_UC			(0x1 << 4)
#define GEN9_MOCS_L3_WB			(0x3 << 4)

/* Private PAT: one byte per index. */
#define GEN9_PAT_UC			0x0
#define GEN9_PAT_WC			0x1
#define GEN9_PAT_WB			0x3
#define GEN9_PAT_ELLC_OVERRIDE		(0x0 << 2)
#define GEN9_PAT_LLC			(0x1 << 2)
#define GEN9_PAT_LLC_ELLC		(0x2 << 2)
#define GEN9_PAT_AGE(n)			((n) << 4)

#endif
