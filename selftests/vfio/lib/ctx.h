/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts: image, ring, status page.
 */
#ifndef VFIO_LIB_CTX_H
#define VFIO_LIB_CTX_H

#include <linux/types.h>

#include "emit.h"
#include "engine.h"
#include "ppgtt.h"

/* What ctx_init() takes; the chip takes 4 KiB to 2 MiB. */
#define CTX_RING_SIZE	8192u

/**
 * struct ctx - A context
 * @engine: that runs it
 * @ppgtt: its address space; NULL: it has none
 * @id: as events call it
 * @image: its status page; the register state follows
 * @lrca: GGTT address of that
 * @ring: its ring
 * @ring_size: bytes of that
 * @ring_ggtt: GGTT address of that
 * @tail: where the next command goes, in bytes
 * @free: bytes that may be written before something has to end
 * @seqno: of the last request
 * @flags: of the descriptor, in addition
 */
struct ctx {
	struct engine *engine;
	struct ppgtt *ppgtt;
	u32 id;
	u64 image;
	u32 lrca;
	u64 ring;
	u32 ring_size;
	u32 ring_ggtt;
	u32 tail;
	u32 free;
	u32 seqno;
	u32 flags;
};

/**
 * ctx_init() - Make a context with an empty ring
 * @ctx: gets it
 * @engine: that is to run it
 * @ppgtt: its address space; NULL: none
 */
void ctx_init(struct ctx *ctx, struct engine *engine, struct ppgtt *ppgtt);

/**
 * ctx_init_ring() - The same, with a ring of another size
 * @ctx: gets it
 * @engine: that is to run it
 * @ppgtt: its address space; NULL: none
 * @ring_size: bytes; multiple of 4096
 */
void ctx_init_ring(struct ctx *ctx, struct engine *engine, struct ppgtt *ppgtt, u32 ring_size);

/**
 * ctx_rebind() - Map the context's image at another GGTT address, as a driver may do with
 * an idle context
 * @ctx: one that no engine has
 *
 * At the old address is the scratch page then.
 */
void ctx_rebind(struct ctx *ctx);

/**
 * ctx_reset() - Fresh image and empty ring, e.g. after the engine was reset
 * @ctx: one that no engine has
 */
void ctx_reset(struct ctx *ctx);

/**
 * ctx_reg() - The value of a register in the image
 * @ctx: whose
 * @place: GEN9_CTX_*: where the register's offset stands
 *
 * Return: its address in guest memory.
 */
u64 ctx_reg(const struct ctx *ctx, unsigned int place);

/**
 * ctx_emit() - Append commands to the ring
 * @ctx: whose
 * @cmds: the commands
 */
void ctx_emit(struct ctx *ctx, const struct cmds *cmds);

/**
 * ctx_request() - Append commands, then a seqno write and a user interrupt
 * @ctx: to whose ring
 * @cmds: the commands
 *
 * Return: the request's seqno.
 */
u32 ctx_request(struct ctx *ctx, const struct cmds *cmds);

/**
 * ctx_publish() - Write the ring's tail to the image
 * @ctx: whose
 */
void ctx_publish(struct ctx *ctx);

/**
 * ctx_descriptor() - What the submit port takes
 * @ctx: of which
 *
 * Return: the descriptor.
 */
u64 ctx_descriptor(const struct ctx *ctx);

/**
 * ctx_seqno() - The last seqno that the engine wrote
 * @ctx: of which
 *
 * Return: it.
 */
u32 ctx_seqno(const struct ctx *ctx);

/**
 * ctx_wait() - Expect that a request ends; what fails tells where the engine stands
 * @ctx: whose
 * @seqno: of ctx_request()
 */
void ctx_wait(struct ctx *ctx, u32 seqno);

/**
 * ctx_run() - Carry out commands, alone, and expect the two events of that
 * @ctx: of an idle engine
 * @cmds: the commands
 */
void ctx_run(struct ctx *ctx, const struct cmds *cmds);

#endif
