/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GPU's interrupt: from the eventfd to an engine's bits.
 */
#ifndef VFIO_LIB_IRQ_H
#define VFIO_LIB_IRQ_H

#include <linux/types.h>

#include "vdev.h"

#define IRQ_SOURCES		4
/* Bits of one engine. */
#define IRQ_USER		0x001u
#define IRQ_CONTEXT_SWITCH	0x100u

/**
 * struct irq - The interrupt
 * @dev: whose
 * @eventfd: signalled when it comes
 * @seen: for each engine, bits that came and that nobody asked for yet
 * @count: how often the eventfd was signalled
 */
struct irq {
	struct vdev *dev;
	int eventfd;
	u32 seen[IRQ_SOURCES];
	u64 count;
};

/**
 * irq_init() - Set the interrupt up, with all engines' bits on
 * @irq: gets it
 * @dev: whose
 */
void irq_init(struct irq *irq, struct vdev *dev);

/**
 * irq_fini() - Switch it off
 * @irq: of irq_init()
 */
void irq_fini(struct irq *irq);

/**
 * irq_wait() - Wait for an engine's interrupt
 * @irq: which
 * @engine: number of the engine, 0 to 3
 * @bits: one of them is enough; they are taken out of what was seen
 * @ms: bound
 *
 * Return: whether it came.
 */
bool irq_wait(struct irq *irq, unsigned int engine, u32 bits, unsigned int ms);

/**
 * irq_forget() - Wait until no more interrupts come; forget what was seen
 * @irq: which
 */
void irq_forget(struct irq *irq);

#endif
