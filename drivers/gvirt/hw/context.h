/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts that the host owns: an image and a ring in host memory.
 *
 * Two ways to use one. The host's own requests: gvirt_context_reset(), then
 * gvirt_context_emit(). Or the owner writes registers and ring by himself, and sets
 * @tail and @reload.
 */
#ifndef GVIRT_HW_CONTEXT_H
#define GVIRT_HW_CONTEXT_H

#include <linux/types.h>
#include "buffer.h"
#include "platform.h"

struct gvirt_scratch;

/**
 * struct gvirt_context - Something that an engine can run
 * @engine: whose image it is
 * @state: status page of the context, then the image
 * @ring: commands
 * @root: bus address of the root of its PPGTT, four levels; what
 *	gvirt_context_reset() puts into the image
 * @addressing: GEN9_CTX_ADDRESSING_32B (the image has the roots of three levels) or
 *	GEN9_CTX_ADDRESSING_48B, which gvirt_context_init() sets; changed only while no
 *	engine has the context
 * @tail: byte offset in the ring up to which the next submission runs, a multiple
 *	of 8. A submission writes it to the image, since the chip's last save may have
 *	written an older one there; the image's own is never to be set
 * @reload: somebody but the chip wrote to the image, so that the next submission has
 *	to load it even if the engine ran this context last
 * @told_tail: tail of the last submission; under the engine's lock
 * @owner: for the owner's use
 *
 * While an engine has the context, the image belongs to the GPU; the ring beyond
 * the tail that was submitted, and @tail, stay the owner's.
 */
struct gvirt_context {
	enum gvirt_engine_id engine;
	struct gvirt_buffer state;
	struct gvirt_buffer ring;
	dma_addr_t root;
	u32 addressing;
	u32 tail;
	bool reload;
	u32 told_tail;
	void *owner;
};

/**
 * gvirt_context_init() - Make a context with an empty ring
 * @context: to be filled
 * @engine: which engine it is for
 * @ggtt: where to map it
 * @scratch: its PPGTT, in which no address reaches any memory
 * @ring_size: bytes, a multiple of 4096, at most 2 MiB
 *
 * Return: 0, -ENOMEM or -ENOSPC.
 */
int gvirt_context_init(struct gvirt_context *context, enum gvirt_engine_id engine,
		       struct gvirt_ggtt *ggtt, const struct gvirt_scratch *scratch,
		       u32 ring_size);

/**
 * gvirt_context_fini() - Free it
 * @context: one that no engine has
 */
void gvirt_context_fini(struct gvirt_context *context);

/**
 * gvirt_context_reset() - Fresh register state, empty ring
 * @context: one that no engine has
 */
void gvirt_context_reset(struct gvirt_context *context);

/**
 * gvirt_context_emit() - Append commands to the ring
 * @context: one that no engine has
 * @dwords: the commands
 * @count: how many dwords
 *
 * The ring is filled from its start and does not wrap: gvirt_context_reset()
 * empties it.
 *
 * Return: 0, or -ENOSPC.
 */
int gvirt_context_emit(struct gvirt_context *context, const u32 *dwords, unsigned int count);

/**
 * gvirt_context_id() - What status events call the context
 * @context: which
 *
 * Return: a number that no other context of the GPU has.
 */
u32 gvirt_context_id(const struct gvirt_context *context);

/**
 * gvirt_context_descriptor() - What is written to the submit port
 * @context: which
 *
 * Return: the descriptor, with the id in its upper half.
 */
u64 gvirt_context_descriptor(const struct gvirt_context *context);

/**
 * gvirt_context_arm() - Make the context ready for a submission that comes now
 * @context: which; under the lock of its engine
 * @tail: up to where it is to run
 *
 * Writes the tail to the image.
 *
 * Return: the descriptor; one that makes the engine load the image anew when that
 * was rewritten, or when the tail does not advance: a lite restore would then find
 * an empty ring or an older tail, which confuses the chip.
 */
u64 gvirt_context_arm(struct gvirt_context *context, u32 tail);

/**
 * gvirt_context_registers() - The register state of the image
 * @context: one that no engine has, if it is to be written
 *
 * Return: its page, GEN9_CTX_REGS_DWORDS dwords.
 */
u32 *gvirt_context_registers(const struct gvirt_context *context);

/**
 * gvirt_engine_base() - Where an engine's registers are
 * @engine: which
 *
 * Return: offset of its window in BAR0.
 */
u32 gvirt_engine_base(enum gvirt_engine_id engine);

#endif
