/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of shadow contexts share. Others use context.h.
 */
#ifndef GVIRT_MODEL_CONTEXT_PRIVATE_H
#define GVIRT_MODEL_CONTEXT_PRIVATE_H

#include "context.h"

/**
 * gvirt_vcontext_image_size() - Bytes of an engine's images
 * @engine: which
 */
u32 gvirt_vcontext_image_size(enum gvirt_engine_id engine);

/**
 * gvirt_vcontext_within_copy() - Whether the chip left it in a batch with privilege
 * @context: which
 *
 * Return: true: its state belongs together with its copies of batches.
 */
bool gvirt_vcontext_within_copy(const struct gvirt_vcontext *context);

/**
 * gvirt_vcontext_put_away() - Keep the state of a shadow that has to go
 * @contexts: of the vGPU
 * @context: which
 *
 * Without memory the context starts from the default image the next time.
 */
void gvirt_vcontext_put_away(struct gvirt_vcontexts *contexts,
			     const struct gvirt_vcontext *context);

/**
 * gvirt_vcontext_fetch() - Find the state that belongs to the guest's image of a new shadow
 * @contexts: of the vGPU
 * @context: with memory for it
 */
void gvirt_vcontext_fetch(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context);

/**
 * gvirt_vcontext_sign() - Let the guest's image say whose state it stands for
 * @contexts: of the vGPU
 * @context: one whose state was just saved
 */
void gvirt_vcontext_sign(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context);

/**
 * gvirt_vcontexts_free_stashes() - Forget all states
 * @contexts: of the vGPU
 */
void gvirt_vcontexts_free_stashes(struct gvirt_vcontexts *contexts);

#endif
