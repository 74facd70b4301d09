// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether a guest's page table is protected from writes, or out of sync.
 */
#include "shadow_policy.h"

static const char *const names[GVIRT_SHADOW_MODES] = {
	[GVIRT_SHADOW_STRICT] = "strict",
	[GVIRT_SHADOW_ASYNC] = "async",
	[GVIRT_SHADOW_ADAPTIVE] = "adaptive",
};

const char *gvirt_shadow_mode_name(enum gvirt_shadow_mode mode)
{
	return (unsigned int)mode < GVIRT_SHADOW_MODES ? names[mode] : "?";
}

unsigned int gvirt_temper_patience(const struct gvirt_temper *temper)
{
	return GVIRT_TEMPER_PATIENCE_MIN << temper->doublings;
}

void gvirt_temper_compared(struct gvirt_temper *temper, bool changed)
{
	if (changed)
		temper->clean = 0;
	else if (temper->clean < GVIRT_TEMPER_PATIENCE_MAX)
		temper->clean++;
}

void gvirt_temper_written(struct gvirt_temper *temper, u64 submissions)
{
	unsigned int patience = gvirt_temper_patience(temper);

	temper->clean = 0;
	if (submissions >= GVIRT_TEMPER_WORTH * patience)
		temper->doublings = 0;
	else if (patience < GVIRT_TEMPER_PATIENCE_MAX)
		temper->doublings++;
}

bool gvirt_temper_protect(const struct gvirt_temper *temper, enum gvirt_shadow_mode mode)
{
	switch (mode) {
	case GVIRT_SHADOW_STRICT:
		return true;
	case GVIRT_SHADOW_ADAPTIVE:
		return temper->clean >= gvirt_temper_patience(temper);
	default:
		return false;
	}
}

bool gvirt_temper_mirror(enum gvirt_shadow_mode mode, u32 offset, unsigned int bytes)
{
	return mode == GVIRT_SHADOW_STRICT && (bytes == 4 || bytes == 8) && !(offset % bytes);
}
