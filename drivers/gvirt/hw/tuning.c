// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a driver sets because the reset value will not do.
 *
 * Only registers that are not saved in context images are here: a guest's
 * driver sets those of the images by commands, in contexts of its own.
 *
 * Power: RC6 stays off. A GPU that serves several guests is rarely idle for
 * long, leaving RC6 costs each first submission tens of microseconds, and a
 * well that cannot sleep keeps context images out of the power unit's hands.
 * The frequency request is the chip's highest: the power unit lowers it by
 * itself when heat or current demand it. Both may become policy later.
 *
 * Sources: Linux i915, gt/intel_workarounds.c, gt/intel_mocs.c, gt/intel_gtt.c,
 * gt/intel_rps.c, as facts; Intel PRM Skylake, volumes 2c and 16.
 */
#include <linux/array_size.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_pte.h>
#include <gvirt/gen9_render.h>
#include <gvirt/gen9_tuning.h>
#include "mmio.h"
#include "tuning.h"

/**
 * struct tuning - A row: bits to clear, then bits to set
 * @reg: absolute offset
 * @clear: bits to clear
 * @set: bits to set
 * @families: GVIRT_FAMILY_* that need it
 */
struct tuning {
	u32 reg;
	u32 clear;
	u32 set;
	u32 families;
};

#define SKL_KBL	(GVIRT_FAMILY_SKL | GVIRT_FAMILY_KBL)

/* Kept by a reset of an engine, lost in a full one. */
static const struct tuning gt_rows[] = {
	{ GEN9_GAM_ECOCHK, 0, GEN9_ECOCHK_NO_HDC_INVALIDATION, GVIRT_FAMILY_ANY },
	{ GEN9_GAM_ECOCHK, 0, GEN9_ECOCHK_DISABLE_TLB, SKL_KBL },
	{ GEN9_MMCD_MISC_CTRL, 0, GEN9_MMCD_PCLA | GEN9_MMCD_HOTSPOT_ENABLE, GVIRT_FAMILY_ANY },
	{ GEN9_UCGCTL4, 0, GEN9_EU_GAUNIT_CLOCK_GATE_DISABLE, GVIRT_FAMILY_ANY },
	{ GEN9_GAMT_ECO_REG_RW_IA, 0, GEN9_GAMT_IN_PLACE_DECOMPRESS, GVIRT_FAMILY_ANY },
	{ GEN9_GAMW_ECO_DEV_RW_IA, 0, GEN9_GAMW_IPS_64K, GVIRT_FAMILY_ANY },
};

/* Lost when the render engine is reset. */
static const struct tuning render_rows[] = {
	{ GEN9_SCRATCH1, GEN9_EVICTION_PERF_FIX, GEN9_LBS_SLA_RETRY_DECREMENT,
	  GVIRT_FAMILY_ANY },
	{ GEN9_L3SQCREG4, GEN9_LQSQ_NONIA_ATOMICS, GEN9_LQSC_FLUSH_COHERENT, GVIRT_FAMILY_ANY },
	{ GEN9_SCRATCH_LNCF1, GEN9_LNCF_NONIA_ATOMICS, 0, GVIRT_FAMILY_ANY },
};

static void apply_rows(struct gvirt_mmio *mmio, const struct gvirt_platform *platform,
		       const struct tuning *rows, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (rows[i].families & platform->family)
			gvirt_mmio_update(mmio, rows[i].reg, rows[i].clear, rows[i].set);
}

/*
 * Reads of registers that each slice and subslice has go to one that exists
 * (WaProgramMgsrForCorrectSliceSpecificMmioReads).
 */
static void steer_reads(struct gvirt_mmio *mmio)
{
	u32 fuse = gvirt_mmio_read(mmio, GEN9_FUSE2);
	unsigned int slice = 0, subslice = 0;

	while (slice < 2 && !(fuse & GEN9_FUSE2_SLICE_ENABLE(slice)))
		slice++;
	while (subslice < 3 && fuse & GEN9_FUSE2_SUBSLICE_DISABLE(subslice))
		subslice++;
	gvirt_mmio_update(mmio, GEN9_MCR_SELECTOR, GEN9_MCR_MASK,
			  GEN9_MCR_SLICE(slice) | GEN9_MCR_SUBSLICE(subslice));
}

/*
 * The PAT that i915 sets, which is what guests' page tables count on: 0 is
 * ordinary write-back memory, 3 is uncached.
 */
static void set_pat(struct gvirt_mmio *mmio)
{
	static const u8 pat[8] = {
		GEN9_PAT_WB | GEN9_PAT_LLC,
		GEN9_PAT_WC | GEN9_PAT_LLC_ELLC,
		GEN9_PAT_WB | GEN9_PAT_ELLC_OVERRIDE,
		GEN9_PAT_UC,
		GEN9_PAT_WB | GEN9_PAT_LLC_ELLC | GEN9_PAT_AGE(0),
		GEN9_PAT_WB | GEN9_PAT_LLC_ELLC | GEN9_PAT_AGE(1),
		GEN9_PAT_WB | GEN9_PAT_LLC_ELLC | GEN9_PAT_AGE(2),
		GEN9_PAT_WB | GEN9_PAT_LLC_ELLC | GEN9_PAT_AGE(3),
	};
	u32 half[2] = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pat); i++)
		half[i / 4] |= (u32)pat[i] << (i % 4 * 8);
	gvirt_mmio_write(mmio, GEN9_PRIVATE_PAT_LO, half[0]);
	gvirt_mmio_write(mmio, GEN9_PRIVATE_PAT_HI, half[1]);
}

/*
 * Memory object control, the three entries that userspace knows (uncached, by
 * page table, cached) and the one that L3 itself uses; the rest are uncached.
 */
static u32 mocs(unsigned int index)
{
	switch (index) {
	case 1:
		return GEN9_MOCS_LE_PAGETABLE | GEN9_MOCS_LRU_YOUNGEST;
	case 2:
		return GEN9_MOCS_LE_WB | GEN9_MOCS_TARGET_LLC_ELLC | GEN9_MOCS_LRU_YOUNGEST;
	case GEN9_MOCS_COUNT - 1:
		return GEN9_MOCS_LE_WB | GEN9_MOCS_TARGET_LLC | GEN9_MOCS_LRU_YOUNGEST;
	default:
		return GEN9_MOCS_LE_UC | GEN9_MOCS_TARGET_LLC_ELLC;
	}
}

static u32 mocs_l3(unsigned int index)
{
	return index == 1 || index == 2 ? GEN9_MOCS_L3_WB : GEN9_MOCS_L3_UC;
}

static void set_mocs(struct gvirt_mmio *mmio, enum gvirt_engine_id engine)
{
	static const u32 first[GVIRT_ENGINES] = {
		[GVIRT_RCS] = GEN9_GFX_MOCS(0),
		[GVIRT_BCS] = GEN9_BLT_MOCS(0),
		[GVIRT_VCS] = GEN9_MFX0_MOCS(0),
		[GVIRT_VECS] = GEN9_VEBOX_MOCS(0),
	};
	unsigned int i;

	for (i = 0; i < GEN9_MOCS_COUNT; i++)
		gvirt_mmio_write(mmio, first[engine] + 4 * i, mocs(i));
	if (engine != GVIRT_RCS)
		return;
	for (i = 0; i < GEN9_LNCFCMOCS_COUNT; i++)
		gvirt_mmio_write(mmio, GEN9_LNCFCMOCS(i),
				 mocs_l3(2 * i) | mocs_l3(2 * i + 1) << 16);
}

void gvirt_tuning_apply(struct gvirt_mmio *mmio, const struct gvirt_platform *platform)
{
	gvirt_mmio_get(mmio, GVIRT_WELLS_ALL);
	steer_reads(mmio);
	apply_rows(mmio, platform, gt_rows, ARRAY_SIZE(gt_rows));
	set_pat(mmio);
	gvirt_mmio_put(mmio, GVIRT_WELLS_ALL);
}

void gvirt_tuning_apply_engine(struct gvirt_mmio *mmio, const struct gvirt_platform *platform,
			       enum gvirt_engine_id engine)
{
	gvirt_mmio_get(mmio, GVIRT_WELLS_ALL);
	set_mocs(mmio, engine);
	if (engine == GVIRT_RCS) {
		gvirt_mmio_write(mmio, GEN9_RCS_BASE + GEN9_RING_CSFE_CHICKEN1,
				 gvirt_masked_set(GEN9_CSFE_NO_PREEMPT_SYNC));
		apply_rows(mmio, platform, render_rows, ARRAY_SIZE(render_rows));
	}
	/* WaKBLVECSSemaphoreWaitPoll */
	if (engine == GVIRT_VECS && platform->family & GVIRT_FAMILY_KBL)
		gvirt_mmio_write(mmio, GEN9_VECS_BASE + GEN9_RING_SEMA_WAIT_POLL, 1);
	gvirt_mmio_put(mmio, GVIRT_WELLS_ALL);
}

/* Ratios in the capability register: highest in bits 7:0, lowest in bits 23:16. */
static void request_frequency(struct gvirt_mmio *mmio, unsigned int shift)
{
	u32 ratio = gvirt_mmio_read(mmio, GEN9_RP_STATE_CAP) >> shift & 0xff;

	if (ratio)
		gvirt_mmio_write(mmio, GEN9_RPNSWREQ,
				 (ratio * GEN9_FREQ_SCALER) << GEN9_FREQUENCY_SHIFT);
}

void gvirt_tuning_set_power(struct gvirt_mmio *mmio)
{
	gvirt_mmio_write(mmio, GEN9_RC_CONTROL, 0);
	request_frequency(mmio, 0);
}

void gvirt_tuning_restore_power(struct gvirt_mmio *mmio)
{
	request_frequency(mmio, 16);
}
