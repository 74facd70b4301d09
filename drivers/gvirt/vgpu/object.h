/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The vGPU as one object, for the files that compose it. Others use vgpu.h.
 */
#ifndef GVIRT_VGPU_OBJECT_H
#define GVIRT_VGPU_OBJECT_H

#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "host/guest.h"
#include "hw/gpu.h"
#include "model/cfg.h"
#include "model/ggtt.h"
#include "model/irq.h"
#include "model/mmio.h"
#include "model/pcode.h"
#include "model/ppgtt.h"
#include "model/shadow_keeper.h"
#include "model/submit.h"
#include "model/window.h"

/**
 * struct gvirt_vgpu - A virtual GPU
 * @gpu: the chip that it is on; NULL before gvirt_vgpu_init()
 * @dev: for messages
 * @revoke: the owner's, called when the VMM takes guest memory away
 * @revoke_data: for @revoke
 * @exec: covers all that prepares, finishes or drops work: @vppgtt, @window and @submit,
 *	where these say so. Guest memory is accessed with it. Taken before @lock
 * @lock: covers what the guest's accesses need: @cfg, @mmio, @irq, @pcode, @ggtt,
 *	the ports' state, and what follows. Never held while guest memory is accessed
 * @guest: guest memory
 * @vppgtt: page tables
 * @keeper: of the page tables
 * @window: GGTT ranges that commands name
 * @submit: submission
 * @cfg: configuration space
 * @mmio: registers
 * @irq: interrupt registers
 * @pcode: what is behind its mailbox to the power controller
 * @ggtt: global GTT; written with @lock, emptied with @exec as well
 * @reset_due: bit n: the guest wants engine n to be reset; done without @lock
 * @full_reset_due: likewise, the whole GT
 * @sync_due: the guest wants translations to be forgotten; done without @lock
 * @idle_since: when the vGPU was reset, for its RC6 residency
 * @ran_before_ns: for how long it had run by then
 */
struct gvirt_vgpu {
	struct gvirt_gpu *gpu;
	struct device *dev;
	void (*revoke)(void *data, u64 first_gfn, u64 last_gfn);
	void *revoke_data;
	struct mutex exec; /* work */
	struct mutex lock; /* what the guest's accesses need */
	struct gvirt_guest guest;
	struct gvirt_vppgtt vppgtt;
	struct gvirt_shadow_keeper keeper;
	struct gvirt_window window;
	struct gvirt_submit submit;
	struct gvirt_vcfg cfg;
	struct gvirt_vmmio mmio;
	struct gvirt_virq irq;
	struct gvirt_vpcode pcode;
	struct gvirt_vggtt ggtt;
	u32 reset_due;
	bool full_reset_due;
	bool sync_due;
	ktime_t idle_since;
	u64 ran_before_ns;
};

#endif
