/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What went wrong last in a vGPU's work, for its operator: a request that was refused, a
 * context that the engine was reset under.
 *
 * All is copied when it happens, and bounded, so that looking at it touches neither the
 * guest nor the chip.
 */
#ifndef GVIRT_MODEL_FAULT_H
#define GVIRT_MODEL_FAULT_H

#include <linux/types.h>
#include "hw/engine.h"
#include "lib/excerpt.h"
#include "scan.h"

struct gvirt_context;

/**
 * struct gvirt_fault_refused - A request that was refused
 * @time: when, in seconds since 1970; 0: there was none
 * @engine: for which engine
 * @refusal: why
 * @excerpt: commands around the bad one, as they were copied; none for other reasons
 */
struct gvirt_fault_refused {
	s64 time;
	enum gvirt_engine_id engine;
	struct gvirt_refusal refusal;
	struct gvirt_excerpt excerpt;
};

/**
 * struct gvirt_fault_lost - A context that the engine was reset under
 * @time: when, in seconds since 1970; 0: there was none
 * @engine: which engine
 * @lrca: GGTT address of the guest's image
 * @known: @state is that of this reset
 * @state: where the engine stood
 * @excerpt: commands of the ring around the place where it stood
 * @batch: likewise of the guest's batch, if it stood in one without privilege
 * @batch_at: graphics address of the first dword in @batch
 */
struct gvirt_fault_lost {
	s64 time;
	enum gvirt_engine_id engine;
	u32 lrca;
	bool known;
	struct gvirt_engine_dump state;
	struct gvirt_excerpt excerpt;
	struct gvirt_excerpt batch;
	u64 batch_at;
};

/**
 * struct gvirt_faults - The last ones of a vGPU, since it was made
 * @refused: refused, for whatever reason
 * @command: refused because of its commands
 * @lost: lost
 *
 * Covered by the vGPU's lock.
 */
struct gvirt_faults {
	struct gvirt_fault_refused refused;
	struct gvirt_fault_refused command;
	struct gvirt_fault_lost lost;
};

/**
 * gvirt_fault_refuse() - Note a request that was refused
 * @faults: where
 * @engine: for which engine
 * @refusal: why
 * @excerpt: commands around the bad one, if any
 */
void gvirt_fault_refuse(struct gvirt_faults *faults, enum gvirt_engine_id engine,
			const struct gvirt_refusal *refusal, const struct gvirt_excerpt *excerpt);

/**
 * gvirt_fault_lose() - Note a context that the engine was reset under
 * @lost: gets it
 * @engine: that was reset, just now
 * @context: which the engine does not have any more
 * @head: where in its ring it was to begin: a command begins there
 * @lrca: GGTT address of the guest's image
 */
void gvirt_fault_lose(struct gvirt_fault_lost *lost, const struct gvirt_engine *engine,
		      const struct gvirt_context *context, u32 head, u32 lrca);

#endif
