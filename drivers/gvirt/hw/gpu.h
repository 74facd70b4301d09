/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A GPU: all parts of the hardware layer together.
 */
#ifndef GVIRT_HW_GPU_H
#define GVIRT_HW_GPU_H

#include "check.h"
#include "engine.h"
#include "fence.h"
#include "ggtt.h"
#include "irq.h"
#include "mmio.h"
#include "pci.h"
#include "platform.h"
#include "reset.h"
#include "scratch.h"

/**
 * struct gvirt_gpu - One GPU
 * @platform: which chip
 * @pci: BARs, MSI
 * @mmio: registers
 * @ggtt: global GTT
 * @fences: tiled ranges of the aperture
 * @scratch: PPGTT without memory
 * @irq: interrupts
 * @reset: resets
 * @queue: runs the engines' workers
 * @storage: the engines that there are, in no other order than @engine
 * @engine: by enum gvirt_engine_id; NULL: the chip has none
 * @check: their check requests
 */
struct gvirt_gpu {
	const struct gvirt_platform *platform;
	struct gvirt_pci pci;
	struct gvirt_mmio mmio;
	struct gvirt_ggtt ggtt;
	struct gvirt_fences fences;
	struct gvirt_scratch scratch;
	struct gvirt_irq irq;
	struct gvirt_reset reset;
	struct workqueue_struct *queue;
	struct gvirt_engine storage[GVIRT_ENGINES];
	struct gvirt_engine *engine[GVIRT_ENGINES];
	struct gvirt_check check[GVIRT_ENGINES];
};

/**
 * gvirt_gpu_create() - Bring a GPU up, from whatever state it is in
 * @pdev: the device, which no other driver has
 * @platform: which chip
 *
 * GGTT, interrupts and engines are set up, and each engine has done a request of
 * its own. The boot framebuffer is left alone. Every refusal is reported with
 * its reason.
 *
 * Return: the GPU, or an ERR_PTR.
 */
struct gvirt_gpu *gvirt_gpu_create(struct pci_dev *pdev, const struct gvirt_platform *platform);

/**
 * gvirt_gpu_destroy() - Stop the GPU and give everything back
 * @gpu: of gvirt_gpu_create(); nobody uses it any more
 */
void gvirt_gpu_destroy(struct gvirt_gpu *gpu);

/**
 * gvirt_gpu_suspend() - Quiesce it before the machine sleeps
 * @gpu: which; no engine has work, nobody uses it until it is resumed
 *
 * Return: 0, or -ENOMEM, and nothing was done.
 */
int gvirt_gpu_suspend(struct gvirt_gpu *gpu);

/**
 * gvirt_gpu_resume() - Bring it up again
 * @gpu: of gvirt_gpu_suspend(), whose PCI side is back
 *
 * Return: 0 or a negative errno; the reason is in the log then.
 */
int gvirt_gpu_resume(struct gvirt_gpu *gpu);

/**
 * gvirt_gpu_quiesce() - Keep the GPU from memory and from interrupting
 * @gpu: which
 *
 * All contexts are lost, and no engine takes submissions any more. Never fails: a
 * GPU that does not stop loses its access to memory.
 */
void gvirt_gpu_quiesce(struct gvirt_gpu *gpu);

/**
 * gvirt_gpu_recover() - Reset the whole GT, start and check all engines
 * @gpu: which
 *
 * What follows when an engine refuses its reset. All contexts are lost.
 *
 * Return: 0, or a negative number when the GPU cannot be used any more, which is
 * reported: engines take no submissions then.
 */
int gvirt_gpu_recover(struct gvirt_gpu *gpu);

/**
 * gvirt_gpu_restart() - Reset the whole GT and start all engines again
 * @gpu: which
 *
 * All contexts are lost. Engines keep their owners and are not checked.
 *
 * Return: 0, or -ETIMEDOUT when the chip refuses: engines take no submissions then,
 * and gvirt_gpu_give_up() is all that is left.
 */
int gvirt_gpu_restart(struct gvirt_gpu *gpu);

/**
 * gvirt_gpu_give_up() - Take the GPU away from memory for good, and say so
 * @gpu: which; its engines are halted
 *
 * All contexts are lost.
 */
void gvirt_gpu_give_up(struct gvirt_gpu *gpu);

#endif
