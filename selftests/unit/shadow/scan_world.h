/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the scan of commands stands on, made up: a guest's memory, the window, buffers in the host's
 * part of the GGTT. For the unit test and the fuzzer; what must not happen aborts.
 */
#ifndef SHADOW_SCAN_WORLD_H
#define SHADOW_SCAN_WORLD_H

#include <linux/types.h>
#include "model/scan.h"
#include "model/window.h"

#define SCAN_BYTES	0x100000u	/* of the guest's GGTT map memory */
#define SCAN_HOST	0x40000000u	/* the window is there; an address keeps its offset */

/**
 * enum scan_effect - What the scan does to the rest of the vGPU
 * @SCAN_MAP: a range was mapped: address, bytes
 * @SCAN_MARK: a part of the context's status page was marked: offset, bytes
 * @SCAN_REGISTER: the vGPU's copy of a register was written: offset, value
 * @SCAN_EFFECTS: how many there are
 */
enum scan_effect {
	SCAN_MAP,
	SCAN_MARK,
	SCAN_REGISTER,
	SCAN_EFFECTS,
};

/**
 * struct scan_world - All of it
 * @memory: the guest's
 * @limit: bytes of it that there are
 * @moved: added to addresses in the window
 * @bad_page: number of the page that the window refuses; 0: none
 * @next_address: of the next buffer
 * @buffers: how many there are
 * @room: pages that are left for buffers
 * @effects: how often
 * @on_read: the guest, at the same time; or NULL
 * @on_effect: told of each; or NULL
 */
struct scan_world {
	u32 memory[SCAN_BYTES / 4];
	u32 limit;
	u32 moved;
	u32 bad_page;
	u32 next_address;
	u32 buffers;
	u32 room;
	unsigned int effects[SCAN_EFFECTS];
	void (*on_read)(u32 address);
	void (*on_effect)(enum scan_effect effect, u32 a, u32 b);
};

extern struct scan_world world;
extern struct gvirt_window scan_world_window;
extern const struct gvirt_window_use scan_world_use;
extern const struct gvirt_scan_services scan_world_services;

/**
 * scan_world_reset() - As at first, but for buffers that somebody still has
 */
void scan_world_reset(void);

#endif
