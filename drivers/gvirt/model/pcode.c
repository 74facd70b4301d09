// SPDX-License-Identifier: GPL-2.0-only
/*
 * The power controller of a vGPU: see pcode.h.
 *
 * What i915 asks of it on Gen9: the least frequencies of CPU and ring for each of the
 * GT's (stored, and read again in debugfs); the efficient frequency; with a display its
 * core's clock, memory latencies and SAGV. A vGPU has none, so these get the answers of
 * one that is off.
 *
 * Sources: Linux i915, intel_pcode.c (protocol), gt/intel_llc.c and gt/selftest_llc.c
 * (table of frequencies), gt/intel_rps.c (efficient frequency, RP_STATE_CAP),
 * display/intel_cdclk.c, display/skl_watermark.c.
 */
#include <linux/string.h>
#include <gvirt/gen9_gt.h>
#include "pcode.h"

static void store_min_freq(struct gvirt_vpcode *pcode, u32 data)
{
	pcode->min_freq[data % GVIRT_PCODE_RATIOS] = data >> GEN9_PCODE_IA_RATIO_SHIFT & 0xffff;
}

u32 gvirt_vpcode_run(struct gvirt_vpcode *pcode, u32 command, u32 state_cap, u32 *data)
{
	switch (command) {
	case GEN9_PCODE_WRITE_MIN_FREQ:
		store_min_freq(pcode, *data);
		return GEN9_PCODE_SUCCESS;
	case GEN9_PCODE_READ_MIN_FREQ:
		*data = pcode->min_freq[*data % GVIRT_PCODE_RATIOS];
		return GEN9_PCODE_SUCCESS;
	case GEN9_PCODE_DUTY_CYCLE:
		/* RP1 stands where the efficient frequency does. */
		*data = state_cap & GEN9_PCODE_EFFICIENT_MASK;
		return GEN9_PCODE_SUCCESS;
	case GEN9_PCODE_CDCLK_CONTROL:
		*data = GEN9_CDCLK_READY;
		return GEN9_PCODE_SUCCESS;
	case GEN9_PCODE_SAGV_CONTROL:
		*data = GEN9_SAGV_IS_DISABLED;
		return GEN9_PCODE_SUCCESS;
	case GEN9_PCODE_READ_MEM_LATENCY:
	case GEN9_PCODE_READ_OC_PARAMS:
		*data = 0;
		return GEN9_PCODE_SUCCESS;
	case GEN9_PCODE_DE_FREQ_REQUEST:
	case GEN9_PCODE_DISPLAY_FREQ:
		return GEN9_PCODE_SUCCESS;
	default:
		return GEN9_PCODE_ILLEGAL_COMMAND;
	}
}

void gvirt_vpcode_reset(struct gvirt_vpcode *pcode)
{
	memset(pcode, 0, sizeof(*pcode));
}
