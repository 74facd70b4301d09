/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Personalities of the model: which chip it is. A platform is one row.
 */
#ifndef GM_PLATFORM_H
#define GM_PLATFORM_H

#include <linux/types.h>

/**
 * enum gm_engine_id - Engines of Gen9; also their number in all interfaces of the model
 * @GM_RCS: render
 * @GM_BCS: blitter
 * @GM_VCS: video decode
 * @GM_VECS: video enhancement
 */
enum gm_engine_id {
	GM_RCS,
	GM_BCS,
	GM_VCS,
	GM_VECS,
};

/**
 * struct gm_platform - What differs between chips
 * @name: on the command line
 * @device_id: PCI device id
 * @revision: PCI revision id
 * @engine_mask: bit n: engine n is there
 * @ggtt_size: bytes of the GGTT's table
 * @aperture_size: bytes of BAR2
 * @timestamp_hz: frequency of the command streamers' timestamp
 */
struct gm_platform {
	const char *name;
	u16 device_id;
	u8 revision;
	u32 engine_mask;
	u32 ggtt_size;
	u32 aperture_size;
	u32 timestamp_hz;
};

/* The row of that name, or NULL. */
const struct gm_platform *gm_platform_find(const char *name);

/* "rcs0", "bcs0", "vcs0" or "vecs0"; @engine is in range. */
const char *gm_engine_name(unsigned int engine);
/* Offset of the engine's register window in BAR0. */
u32 gm_engine_base(unsigned int engine);

#endif
