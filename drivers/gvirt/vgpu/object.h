/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The vGPU as one object, for the files that compose it. Others use vgpu.h.
 */
#ifndef GVIRT_VGPU_OBJECT_H
#define GVIRT_VGPU_OBJECT_H

#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "hw/gpu.h"
#include "lib/elsp.h"
#include "lib/engine.h"
#include "model/cfg.h"
#include "model/ggtt.h"
#include "model/irq.h"
#include "model/mmio.h"

/**
 * struct gvirt_vgpu - A virtual GPU
 * @gpu: the chip that it is on; NULL before gvirt_vgpu_init()
 * @lock: covers everything below
 * @cfg: configuration space
 * @mmio: registers
 * @irq: interrupt registers
 * @ggtt: global GTT
 * @elsp: submissions that are not complete yet, by engine
 * @submissions: complete ones, none of which has run: that is not there yet
 * @clock_base: the chip's timestamp when the vGPU was reset, in ticks
 * @idle_since: when the vGPU was reset, for its RC6 residency
 */
struct gvirt_vgpu {
	struct gvirt_gpu *gpu;
	struct mutex lock; /* all of the vGPU */
	struct gvirt_vcfg cfg;
	struct gvirt_vmmio mmio;
	struct gvirt_virq irq;
	struct gvirt_vggtt ggtt;
	struct gvirt_elsp elsp[GVIRT_ENGINES];
	u64 submissions;
	u64 clock_base;
	ktime_t idle_since;
};

#endif
