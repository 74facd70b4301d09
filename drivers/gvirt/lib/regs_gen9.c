// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register table of Gen9: Skylake to Comet Lake.
 */
#include <linux/array_size.h>
#include <gvirt/gen9_engine.h>
#include "regs_gen9.h"

static const u32 bases[GVIRT_ENGINES] = {
	[GVIRT_RCS] = GEN9_RCS_BASE,
	[GVIRT_BCS] = GEN9_BCS_BASE,
	[GVIRT_VCS] = GEN9_VCS_BASE,
	[GVIRT_VECS] = GEN9_VECS_BASE,
};

const struct gvirt_reg_table gvirt_regs_gen9 = {
	.global = &gvirt_regs_gen9_gt,
	.display = &gvirt_regs_gen9_display,
	.engine = &gvirt_regs_gen9_engine,
	.base = bases,
	.engines = ARRAY_SIZE(bases),
};
