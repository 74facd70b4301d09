/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interrupts of the GT: banks, master, the MSI handler, and who gets what.
 */
#ifndef GVIRT_HW_IRQ_H
#define GVIRT_HW_IRQ_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "platform.h"

struct gvirt_mmio;

/*
 * What an engine reports, as bits of its half of a bank (i915_reg.h,
 * GT_RENDER_USER_INTERRUPT and what follows; gvt/interrupt.c for each engine).
 */
#define GVIRT_IRQ_USER			BIT(0)	/* MI_USER_INTERRUPT */
#define GVIRT_IRQ_ERROR			BIT(3)	/* see the engine's EIR */
#define GVIRT_IRQ_NOTIFY		BIT(4)	/* PIPE_CONTROL, MI_FLUSH_DW: on request */
#define GVIRT_IRQ_CONTEXT_SWITCH	BIT(8)	/* an entry in the context status buffer */
/* What commands ask for. */
#define GVIRT_IRQ_COMMANDS		(GVIRT_IRQ_USER | GVIRT_IRQ_NOTIFY)
#define GVIRT_IRQ_ENGINE \
	(GVIRT_IRQ_COMMANDS | GVIRT_IRQ_ERROR | GVIRT_IRQ_CONTEXT_SWITCH)

/**
 * struct gvirt_irq_stats - What came
 * @interrupts: messages from the device
 * @spurious: messages with nothing to report
 * @foreign: reports of units that gvirt does not use, which were switched off
 * @kicks: reports found without a message, by gvirt_irq_kick()
 */
struct gvirt_irq_stats {
	atomic64_t interrupts;
	atomic64_t spurious;
	atomic64_t foreign;
	atomic64_t kicks;
};

/**
 * struct gvirt_irq_user - Who hears of an engine
 * @handle: gets the GVIRT_IRQ_* bits that came; called in hard interrupt context
 *	with the lock held; must not sleep
 * @opaque: for @handle
 */
struct gvirt_irq_user {
	void (*handle)(void *opaque, u32 bits);
	void *opaque;
};

/**
 * struct gvirt_irq - Interrupts of one GPU
 * @mmio: registers
 * @line: Linux number of the MSI vector
 * @lock: serialises handler and gvirt_irq_kick(), guards @user
 * @user: by enum gvirt_engine_id; under @lock
 * @stats: counters
 */
struct gvirt_irq {
	struct gvirt_mmio *mmio;
	int line;
	spinlock_t lock; /* one round of service at a time */
	struct gvirt_irq_user user[GVIRT_ENGINES];
	struct gvirt_irq_stats stats;
};

/**
 * gvirt_irq_init() - Mask everything and take the vector
 * @irq: to be initialised
 * @mmio: registers
 * @line: Linux number of the MSI vector
 *
 * Return: 0, or what request_irq() says.
 */
int gvirt_irq_init(struct gvirt_irq *irq, struct gvirt_mmio *mmio, int line);

/**
 * gvirt_irq_fini() - Mask everything and free the vector
 * @irq: of gvirt_irq_init()
 */
void gvirt_irq_fini(struct gvirt_irq *irq);

/**
 * gvirt_irq_attach() - Set who hears of an engine
 * @irq: interrupts of the GPU
 * @engine: whose reports
 * @handle: see struct gvirt_irq_user; NULL for nobody, then no call is under way on return
 * @opaque: for @handle
 */
void gvirt_irq_attach(struct gvirt_irq *irq, enum gvirt_engine_id engine,
		      void (*handle)(void *opaque, u32 bits), void *opaque);

/**
 * gvirt_irq_enable() - Let reports of all engines through
 * @irq: interrupts of the GPU
 */
void gvirt_irq_enable(struct gvirt_irq *irq);

/**
 * gvirt_irq_disable() - Mask everything; the handler does not run any more on return
 * @irq: interrupts of the GPU
 */
void gvirt_irq_disable(struct gvirt_irq *irq);

/**
 * gvirt_irq_kick() - Look for reports whose message was lost
 * @irq: interrupts of the GPU
 *
 * For a wait that took too long: a lost message is never repeated while its
 * report stands.
 *
 * Return: true when there was a report.
 */
bool gvirt_irq_kick(struct gvirt_irq *irq);

/**
 * gvirt_irq_mask() - The value of an engine's RING_IMR
 * @engine: which
 *
 * The mask has the engine's bits where the shared bank has them.
 *
 * Return: a mask that lets GVIRT_IRQ_ENGINE through.
 */
u32 gvirt_irq_mask(enum gvirt_engine_id engine);

#endif
