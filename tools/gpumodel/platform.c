// SPDX-License-Identifier: GPL-2.0-only
/*
 * Personalities of the model.
 *
 * Sources: device ids and revisions: Linux include/drm/intel/pciids.h and
 * i915's intel_step.c; timestamp frequency: its gt/intel_gt_clock_utils.c (a
 * crystal of 24 MHz, halved).
 */
#include <string.h>
#include <linux/array_size.h>
#include <gvirt/gen9_engine.h>
#include "platform.h"

static const struct gm_platform platforms[] = {
	{
		.name = "skl-gt2",
		.device_id = 0x1912,
		.revision = 0x06,
		.engine_mask = BIT(GM_RCS) | BIT(GM_BCS) | BIT(GM_VCS) | BIT(GM_VECS),
		.ggtt_size = 8u << 20,
		.aperture_size = 256u << 20,
		.timestamp_hz = 12000000,
	},
};

static const struct {
	const char *name;
	u32 base;
} engines[] = {
	[GM_RCS]	= { "rcs0", GEN9_RCS_BASE },
	[GM_BCS]	= { "bcs0", GEN9_BCS_BASE },
	[GM_VCS]	= { "vcs0", GEN9_VCS_BASE },
	[GM_VECS]	= { "vecs0", GEN9_VECS_BASE },
};

const struct gm_platform *gm_platform_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (!strcmp(platforms[i].name, name))
			return &platforms[i];
	return NULL;
}

const char *gm_engine_name(unsigned int engine)
{
	return engines[engine].name;
}

u32 gm_engine_base(unsigned int engine)
{
	return engines[engine].base;
}
