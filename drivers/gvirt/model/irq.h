/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interrupt registers of a vGPU: from an event to the interrupt that leaves it.
 */
#ifndef GVIRT_MODEL_IRQ_H
#define GVIRT_MODEL_IRQ_H

#include <linux/types.h>
#include "mmio.h"

/**
 * struct gvirt_virq - Interrupts of a vGPU
 * @vmmio: has the registers
 * @deliver: the interrupt line of the vGPU has changed; must not sleep
 * @data: for @deliver
 * @level: the line: the master is enabled, and something is pending
 *
 * Has no lock: the vGPU's covers all of it.
 */
struct gvirt_virq {
	struct gvirt_vmmio *vmmio;
	void (*deliver)(void *data, bool level);
	void *data;
	bool level;
};

/**
 * gvirt_virq_init() - Connect the interrupts
 * @virq: to be initialised
 * @vmmio: has the registers
 * @deliver: gets every change of the line; a message goes out when it rises
 * @data: for @deliver
 */
void gvirt_virq_init(struct gvirt_virq *virq, struct gvirt_vmmio *vmmio,
		     void (*deliver)(void *data, bool level), void *data);

/**
 * gvirt_virq_update() - Make master and line follow the banks
 * @virq: the interrupts
 *
 * After every change of a register of a bank or of the master.
 */
void gvirt_virq_update(struct gvirt_virq *virq);

/**
 * gvirt_virq_raise() - Events of a bank's sources
 * @virq: the interrupts
 * @bank: offset of the bank's first register
 * @events: bits of the bank; those that its IMR masks are lost, as on the chip
 */
void gvirt_virq_raise(struct gvirt_virq *virq, u32 bank, u32 events);

#endif
