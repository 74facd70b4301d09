// SPDX-License-Identifier: GPL-2.0-only
/*
 * GT interrupts.
 *
 * Each engine has 16 bits of one of four banks. A report sets its bit in the
 * bank's IIR, unless the engine's own RING_IMR or the bank's IMR masks it; an
 * IIR with a bit that the IER has lights a bit of the master, and the master,
 * while enabled, sends one message when the first bit lights. So the handler
 * turns the master off, reads and clears the banks, and turns it on again,
 * which sends a new message if something came in between.
 *
 * Units that gvirt does not use (display, power) are masked by us where we may
 * and by the firmware's setup elsewhere. Should one report all the same, it
 * would do so for ever; the handler turns it off at its bank.
 *
 * Sources: Intel PRM Skylake, volume 2c (master interrupt control, IIR, IMR,
 * IER); Linux i915, i915_irq.c and gt/intel_gt_irq.c.
 */
#include <linux/cleanup.h>
#include <linux/interrupt.h>
#include <gvirt/gen9_gt.h>
#include "irq.h"
#include "mmio.h"

#define GT_BANKS		4
#define BANK_OF_POWER		2

/* Where each engine stands. */
static const struct {
	u32 master;
	u8 bank;
	u8 shift;
} places[GVIRT_ENGINES] = {
	[GVIRT_RCS]  = { GEN9_MASTER_GT_RCS, 0, GEN9_GT_IRQ_RCS_SHIFT },
	[GVIRT_BCS]  = { GEN9_MASTER_GT_BCS, 0, GEN9_GT_IRQ_BCS_SHIFT },
	[GVIRT_VCS]  = { GEN9_MASTER_GT_VCS, 1, GEN9_GT_IRQ_VCS_SHIFT },
	[GVIRT_VECS] = { GEN9_MASTER_GT_VECS, 3, GEN9_GT_IRQ_VECS_SHIFT },
};

/* Units that are not ours, and the bank that turns them off. */
static const struct {
	u32 master;
	u32 bank;
} foreign[] = {
	{ GEN9_MASTER_PCU, GEN9_PCU_IRQ },
	{ GEN9_MASTER_DE_PCH, GEN9_SDE_IRQ },
	{ GEN9_MASTER_DE_MISC, GEN9_DE_MISC_IRQ },
	{ GEN9_MASTER_DE_PORT, GEN9_DE_PORT_IRQ },
	{ GEN9_MASTER_DE_PIPE(0), GEN9_DE_PIPE_IRQ(0) },
	{ GEN9_MASTER_DE_PIPE(1), GEN9_DE_PIPE_IRQ(1) },
	{ GEN9_MASTER_DE_PIPE(2), GEN9_DE_PIPE_IRQ(2) },
	{ GEN9_MASTER_GT_GUC | GEN9_MASTER_GT_PM, GEN9_GT_IRQ(BANK_OF_POWER) },
};

/* None of these registers stands in a well, so all accesses here are raw. */

static void master_off(struct gvirt_irq *irq)
{
	gvirt_mmio_write_raw(irq->mmio, GEN9_MASTER_IRQ, 0);
}

static void master_on(struct gvirt_irq *irq)
{
	gvirt_mmio_write_raw(irq->mmio, GEN9_MASTER_IRQ, GEN9_MASTER_IRQ_ENABLE);
}

/* Engines' bits of a bank. */
static u32 bank_bits(unsigned int bank)
{
	unsigned int i;
	u32 bits = 0;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (places[i].bank == bank)
			bits |= GVIRT_IRQ_ENGINE << places[i].shift;
	return bits;
}

static void bank_mask(struct gvirt_irq *irq, u32 bank)
{
	u32 iir;

	gvirt_mmio_write_raw(irq->mmio, bank + GEN9_IRQ_IMR, ~0u);
	gvirt_mmio_write_raw(irq->mmio, bank + GEN9_IRQ_IER, 0);
	/* A second report may wait behind the first one. */
	iir = gvirt_mmio_read_raw(irq->mmio, bank + GEN9_IRQ_IIR);
	if (!iir)
		return;
	gvirt_mmio_write_raw(irq->mmio, bank + GEN9_IRQ_IIR, iir);
	iir = gvirt_mmio_read_raw(irq->mmio, bank + GEN9_IRQ_IIR);
	gvirt_mmio_write_raw(irq->mmio, bank + GEN9_IRQ_IIR, iir);
}

static void mask_all(struct gvirt_irq *irq)
{
	unsigned int bank;

	master_off(irq);
	for (bank = 0; bank < GT_BANKS; bank++)
		bank_mask(irq, GEN9_GT_IRQ(bank));
}

u32 gvirt_irq_mask(enum gvirt_engine_id engine)
{
	return ~(GVIRT_IRQ_ENGINE << places[engine].shift);
}

static void dispatch_bank_locked(struct gvirt_irq *irq, unsigned int bank)
{
	u32 iir = gvirt_mmio_read_raw(irq->mmio, GEN9_GT_IRQ(bank) + GEN9_IRQ_IIR);
	unsigned int i;

	lockdep_assert_held(&irq->lock);
	if (!iir)
		return;
	/* Cleared before it is handled: what comes meanwhile reports again. */
	gvirt_mmio_write_raw(irq->mmio, GEN9_GT_IRQ(bank) + GEN9_IRQ_IIR, iir);
	for (i = 0; i < GVIRT_ENGINES; i++) {
		u32 bits = iir >> places[i].shift & GVIRT_IRQ_ENGINE;

		if (places[i].bank == bank && bits && irq->user[i].handle)
			irq->user[i].handle(irq->user[i].opaque, bits);
	}
}

static void silence_locked(struct gvirt_irq *irq, u32 master)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(foreign); i++) {
		if (!(master & foreign[i].master))
			continue;
		gvirt_mmio_write_raw(irq->mmio, foreign[i].bank + GEN9_IRQ_IER, 0);
		atomic64_inc(&irq->stats.foreign);
	}
}

/* One round over all that reports. Returns what the master had lit. */
static u32 serve_locked(struct gvirt_irq *irq)
{
	u32 master, banks = 0;
	unsigned int i;

	master_off(irq);
	master = gvirt_mmio_read_raw(irq->mmio, GEN9_MASTER_IRQ) & ~GEN9_MASTER_IRQ_ENABLE;
	for (i = 0; i < GVIRT_ENGINES; i++) {
		if (!(master & places[i].master) || banks & BIT(places[i].bank))
			continue;
		banks |= BIT(places[i].bank);
		dispatch_bank_locked(irq, places[i].bank);
	}
	silence_locked(irq, master);
	master_on(irq);
	return master;
}

static irqreturn_t handler(int line, void *opaque)
{
	struct gvirt_irq *irq = opaque;

	guard(spinlock_irqsave)(&irq->lock);
	atomic64_inc(&irq->stats.interrupts);
	if (!serve_locked(irq))
		atomic64_inc(&irq->stats.spurious);
	/* The vector is not shared: whatever it was, it was for us. */
	return IRQ_HANDLED;
}

bool gvirt_irq_kick(struct gvirt_irq *irq)
{
	guard(spinlock_irqsave)(&irq->lock);
	if (!serve_locked(irq))
		return false;
	atomic64_inc(&irq->stats.kicks);
	return true;
}

void gvirt_irq_attach(struct gvirt_irq *irq, enum gvirt_engine_id engine,
		      void (*handle)(void *opaque, u32 bits), void *opaque)
{
	guard(spinlock_irqsave)(&irq->lock);
	irq->user[engine] = (struct gvirt_irq_user) { .handle = handle, .opaque = opaque };
}

void gvirt_irq_enable(struct gvirt_irq *irq)
{
	unsigned int bank;

	for (bank = 0; bank < GT_BANKS; bank++) {
		u32 bits = bank_bits(bank);

		gvirt_mmio_write_raw(irq->mmio, GEN9_GT_IRQ(bank) + GEN9_IRQ_IER, bits);
		gvirt_mmio_write_raw(irq->mmio, GEN9_GT_IRQ(bank) + GEN9_IRQ_IMR, ~bits);
	}
	master_on(irq);
}

void gvirt_irq_disable(struct gvirt_irq *irq)
{
	mask_all(irq);
	synchronize_irq(irq->line);
	/* A handler that was under way has turned the master on again. */
	master_off(irq);
}

int gvirt_irq_init(struct gvirt_irq *irq, struct gvirt_mmio *mmio, int line)
{
	int err;

	irq->mmio = mmio;
	irq->line = line;
	spin_lock_init(&irq->lock);
	mask_all(irq);
	err = request_irq(line, handler, 0, "gvirt", irq);
	if (err)
		dev_err(mmio->dev, "cannot use interrupt %d: %d\n", line, err);
	return err;
}

void gvirt_irq_fini(struct gvirt_irq *irq)
{
	gvirt_irq_disable(irq);
	free_irq(irq->line, irq);
}
