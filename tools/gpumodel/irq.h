/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interrupts: GT and display interrupt registers, the master control, MSI.
 *
 * Engines raise their bits; what their ring IMR and the GT's IMR/IER let
 * through appears in the IIR and, by the master, as a pulse of the MSI.
 */
#ifndef GM_IRQ_H
#define GM_IRQ_H

#include <linux/types.h>

struct gm_irq;
struct gm_mmio;
struct gm_stats;

/* Bits of one engine's 16-bit half of a GT interrupt register (i915: gt/intel_gt_regs.h). */
#define GM_IRQ_USER		0x0001u
#define GM_IRQ_CS_ERROR		0x0008u
#define GM_IRQ_FLUSH_NOTIFY	0x0010u
#define GM_IRQ_CONTEXT_SWITCH	0x0100u
#define GM_IRQ_WAIT_SEMAPHORE	0x0800u

/**
 * gm_irq_create() - Make the interrupt logic
 * @mmio: register file that its registers are added to
 * @stats: statistics
 * @trigger: send one MSI on true (or, for INTx: follow the line's level); called
 *	from any thread; must not call back into gm_irq
 * @opaque: passed to @trigger
 *
 * Return: the interrupt logic, NULL when resources are short.
 */
struct gm_irq *gm_irq_create(struct gm_mmio *mmio, struct gm_stats *stats,
			     void (*trigger)(void *opaque, bool level), void *opaque);
void gm_irq_destroy(struct gm_irq *irq);

/**
 * gm_irq_raise_gt() - An engine raises interrupt conditions
 * @irq: the interrupt logic
 * @engine: number of the engine (enum gm_engine_id)
 * @bits: GM_IRQ_* bits
 * @imr: the engine's RING_IMR, whose bits stand at the engine's place in the
 *	shared GT interrupt register: a set bit masks
 *
 * Any thread, with any lock of an engine held.
 */
void gm_irq_raise_gt(struct gm_irq *irq, unsigned int engine, u32 bits, u32 imr);

/**
 * gm_irq_raise_display() - An event of a pipe or port
 * @irq: the interrupt logic
 * @isr: offset of the ISR of the bank
 * @bits: bits of the bank's IIR
 *
 * Any thread.
 */
void gm_irq_raise_display(struct gm_irq *irq, u32 isr, u32 bits);

/**
 * gm_irq_set_level() - A condition that lasts, such as hotplug's live state
 * @irq: the interrupt logic
 * @isr: offset of the ISR that shows it
 * @bits: its bits in the bank
 * @level: whether it holds; only its beginning is an event
 *
 * Any thread.
 */
void gm_irq_set_level(struct gm_irq *irq, u32 isr, u32 bits, bool level);

/**
 * gm_irq_unmasked() - Which events of a bank interrupt
 * @irq: the interrupt logic
 * @isr: offset of the ISR of the bank
 *
 * Return: bits that IMR and IER let through to the master.
 */
u32 gm_irq_unmasked(struct gm_irq *irq, u32 isr);

/**
 * gm_irq_watch() - Be told of each write of an IMR or IER
 * @irq: the interrupt logic
 * @changed: called after the write, from any thread; must not call
 *	gm_irq_watch(); NULL: stop, and it does not run any more on return
 * @opaque: passed to @changed
 *
 * There is one watcher.
 */
void gm_irq_watch(struct gm_irq *irq, void (*changed)(void *opaque), void *opaque);

/**
 * gm_irq_inject() - For the control socket: lose or repeat MSIs
 * @irq: the interrupt logic
 * @lose: lose them; else send each twice
 * @count: how many, from the next on; 0 ends what was armed
 */
void gm_irq_inject(struct gm_irq *irq, bool lose, unsigned int count);

void gm_irq_reset(struct gm_irq *irq);

#endif
