// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupt registers of Gen9: banks of ISR, IMR, IIR and IER below one master
 * control, and the message that leaves the chip.
 *
 * A condition that the IMR lets through sets its IIR bit. While the bit is set,
 * one more event of the kind is remembered and shows when the bit is cleared.
 * A bank reports to the master while IIR & IER is not zero. A message goes
 * out when "master enabled and any bank reports" becomes true; a driver that
 * turns the master off, works, and turns it on again loses nothing.
 *
 * Sources: Linux i915, i915_irq.c (the master, and that an IIR keeps two events),
 * gt/intel_gt_irq.c (which engine has which half of which bank) and
 * display/intel_display_irq.c (the display's banks). Also in PRM Skylake, volume
 * 2c, MASTER_INT_CTL.
 */
#include <pthread.h>
#include <stdlib.h>
#include <linux/array_size.h>
#include <gvirt/gen9_gt.h>
#include "irq.h"
#include "mmio.h"
#include "platform.h"
#include "stats.h"

#define BANK_SIZE 0x10

/* One source: which bits of a bank light which bit of the master. */
static const struct source {
	u32 base;
	u32 mask;
	u32 master;
} sources[] = {
	{ GEN9_GT_IRQ(0), 0x0000ffff, GEN9_MASTER_GT_RCS },
	{ GEN9_GT_IRQ(0), 0xffff0000, GEN9_MASTER_GT_BCS },
	{ GEN9_GT_IRQ(1), 0x0000ffff, GEN9_MASTER_GT_VCS },
	{ GEN9_GT_IRQ(2), GEN9_GT_IRQ_PM_MASK, GEN9_MASTER_GT_PM },
	{ GEN9_GT_IRQ(2), GEN9_GT_IRQ_GUC_MASK, GEN9_MASTER_GT_GUC },
	{ GEN9_GT_IRQ(3), 0x0000ffff, GEN9_MASTER_GT_VECS },
	{ GEN9_DE_PIPE_IRQ(0), 0xffffffff, GEN9_MASTER_DE_PIPE(0) },
	{ GEN9_DE_PIPE_IRQ(1), 0xffffffff, GEN9_MASTER_DE_PIPE(1) },
	{ GEN9_DE_PIPE_IRQ(2), 0xffffffff, GEN9_MASTER_DE_PIPE(2) },
	{ GEN9_DE_PORT_IRQ, 0xffffffff, GEN9_MASTER_DE_PORT },
	{ GEN9_DE_MISC_IRQ, 0xffffffff, GEN9_MASTER_DE_MISC },
	{ GEN9_PCU_IRQ, 0xffffffff, GEN9_MASTER_PCU },
	{ GEN9_SDE_IRQ, 0xffffffff, GEN9_MASTER_DE_PCH },
};

static const struct {
	u32 base;
	unsigned int shift;
} engine_bank[GM_ENGINE_COUNT] = {
	[GM_RCS] = { GEN9_GT_IRQ(0), GEN9_GT_IRQ_RCS_SHIFT },
	[GM_BCS] = { GEN9_GT_IRQ(0), GEN9_GT_IRQ_BCS_SHIFT },
	[GM_VCS] = { GEN9_GT_IRQ(1), GEN9_GT_IRQ_VCS_SHIFT },
	[GM_VECS] = { GEN9_GT_IRQ(3), GEN9_GT_IRQ_VECS_SHIFT },
};

/**
 * struct bank - Four registers
 * @base: offset of its ISR
 * @isr: conditions that last: hotplug's live state
 * @imr: a set bit keeps events out of the IIR
 * @iir: events to be handled; a written one clears the bit
 * @ier: bits of the IIR that interrupt
 * @queued: IIR bits of which a second event waits
 * @seen: IIR bits that a read has shown since they were set
 */
struct bank {
	u32 base;
	u32 isr;
	u32 imr;
	u32 iir;
	u32 ier;
	u32 queued;
	u32 seen;
};

struct gm_irq {
	struct gm_stats *stats;
	void (*trigger)(void *opaque, bool level);
	void *opaque;
	pthread_mutex_t lock;		/* of all below; held when @trigger is called */
	struct bank bank[ARRAY_SIZE(sources)];
	unsigned int banks;
	bool enabled;			/* the master's bit 31 */
	bool line;			/* what the device signals */
	unsigned int lose;
	unsigned int repeat;
	pthread_mutex_t watch_lock;	/* of the two below; held when @changed is called */
	void (*changed)(void *opaque);
	void *watch_opaque;
};

static struct bank *bank_at(struct gm_irq *irq, u32 offset)
{
	u32 base = offset & ~(u32)(BANK_SIZE - 1);

	for (unsigned int i = 0; i < irq->banks; i++)
		if (irq->bank[i].base == base)
			return &irq->bank[i];
	return NULL;
}

static u32 master_summary(struct gm_irq *irq)
{
	u32 summary = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		const struct bank *bank = bank_at(irq, sources[i].base);

		if (bank->iir & bank->ier & sources[i].mask)
			summary |= sources[i].master;
	}
	return summary;
}

static void irq_send(struct gm_irq *irq)
{
	if (irq->lose) {
		irq->lose--;
		return;
	}
	gm_count(irq->stats, GM_COUNT_IRQ_RAISED, 1);
	irq->trigger(irq->opaque, true);
	if (irq->repeat) {
		irq->repeat--;
		irq->trigger(irq->opaque, true);
	}
}

static void irq_update_locked(struct gm_irq *irq)
{
	bool line = irq->enabled && master_summary(irq);

	if (line == irq->line)
		return;
	irq->line = line;
	if (line)
		irq_send(irq);
	else
		irq->trigger(irq->opaque, false);
}

static void bank_event(struct bank *bank, u32 bits)
{
	bits &= ~bank->imr;
	bank->queued |= bits & bank->iir;
	bank->seen &= ~(bits & ~bank->iir);
	bank->iir |= bits;
}

/* Clears @bits; a queued event lets the line drop for a moment and rise again. */
static void bank_clear(struct gm_irq *irq, struct bank *bank, u32 bits)
{
	u32 unseen = bits & bank->iir & ~bank->seen & bank->ier & ~bank->imr;
	u32 again = bits & bank->queued;

	if (unseen)
		gm_misuse(irq->stats, GM_MISUSE_IRQ,
			  "IIR 0x%x: bits 0x%08x cleared before they were read",
			  bank->base + GEN9_IRQ_IIR, unseen);
	bank->iir &= ~bits;
	bank->seen &= ~bits;
	irq_update_locked(irq);
	bank->iir |= again;
	bank->queued &= ~again;
}

static u32 bank_read(void *opaque, u32 offset)
{
	struct gm_irq *irq = opaque;
	struct bank *bank = bank_at(irq, offset);
	u32 value = 0;

	pthread_mutex_lock(&irq->lock);
	switch (offset & (BANK_SIZE - 1)) {
	case GEN9_IRQ_ISR:
		value = bank->isr;
		break;
	case GEN9_IRQ_IMR:
		value = bank->imr;
		break;
	case GEN9_IRQ_IIR:
		value = bank->iir;
		bank->seen |= value;
		break;
	case GEN9_IRQ_IER:
		value = bank->ier;
		break;
	}
	pthread_mutex_unlock(&irq->lock);
	return value;
}

static void tell_watcher(struct gm_irq *irq)
{
	pthread_mutex_lock(&irq->watch_lock);
	if (irq->changed)
		irq->changed(irq->watch_opaque);
	pthread_mutex_unlock(&irq->watch_lock);
}

static void bank_write(void *opaque, u32 offset, u32 value)
{
	struct gm_irq *irq = opaque;
	struct bank *bank = bank_at(irq, offset);

	pthread_mutex_lock(&irq->lock);
	switch (offset & (BANK_SIZE - 1)) {
	case GEN9_IRQ_IMR:
		bank->imr = value;
		break;
	case GEN9_IRQ_IIR:
		bank_clear(irq, bank, value);
		break;
	case GEN9_IRQ_IER:
		bank->ier = value;
		break;
	}
	irq_update_locked(irq);
	pthread_mutex_unlock(&irq->lock);
	if ((offset & (BANK_SIZE - 1)) != GEN9_IRQ_IIR)
		tell_watcher(irq);
}

static u32 master_read(void *opaque, u32 offset)
{
	struct gm_irq *irq = opaque;
	u32 value;

	(void)offset;
	pthread_mutex_lock(&irq->lock);
	value = master_summary(irq) | (irq->enabled ? GEN9_MASTER_IRQ_ENABLE : 0);
	pthread_mutex_unlock(&irq->lock);
	return value;
}

static void master_write(void *opaque, u32 offset, u32 value)
{
	struct gm_irq *irq = opaque;

	(void)offset;
	pthread_mutex_lock(&irq->lock);
	irq->enabled = value & GEN9_MASTER_IRQ_ENABLE;
	irq_update_locked(irq);
	pthread_mutex_unlock(&irq->lock);
}

static int add_ranges(struct gm_irq *irq, struct gm_mmio *mmio)
{
	struct gm_mmio_range range = {
		.first = GEN9_MASTER_IRQ,
		.last = GEN9_MASTER_IRQ,
		.read = master_read,
		.write = master_write,
		.opaque = irq,
	};
	int err = gm_mmio_add(mmio, &range);

	range.read = bank_read;
	range.write = bank_write;
	for (size_t i = 0; i < ARRAY_SIZE(sources) && !err; i++) {
		if (bank_at(irq, sources[i].base))
			continue;
		irq->bank[irq->banks++].base = sources[i].base;
		range.first = sources[i].base;
		range.last = range.first + GEN9_IRQ_IER;
		err = gm_mmio_add(mmio, &range);
	}
	return err;
}

static void irq_reset_locked(struct gm_irq *irq)
{
	for (unsigned int i = 0; i < irq->banks; i++)
		irq->bank[i] = (struct bank){ .base = irq->bank[i].base, .imr = 0xffffffff };
	irq->enabled = false;
	irq_update_locked(irq);
}

struct gm_irq *gm_irq_create(struct gm_mmio *mmio, struct gm_stats *stats,
			     void (*trigger)(void *opaque, bool level), void *opaque)
{
	struct gm_irq *irq = calloc(1, sizeof(*irq));

	if (!irq)
		return NULL;
	irq->stats = stats;
	irq->trigger = trigger;
	irq->opaque = opaque;
	pthread_mutex_init(&irq->lock, NULL);
	pthread_mutex_init(&irq->watch_lock, NULL);
	if (add_ranges(irq, mmio)) {
		gm_irq_destroy(irq);
		return NULL;
	}
	irq_reset_locked(irq);
	gm_mmio_set_irq(mmio, irq);
	return irq;
}

/* Free the interrupt logic; NULL is fine. */
void gm_irq_destroy(struct gm_irq *irq)
{
	if (!irq)
		return;
	pthread_mutex_destroy(&irq->watch_lock);
	pthread_mutex_destroy(&irq->lock);
	free(irq);
}

/* All masked, nothing pending, master off. */
void gm_irq_reset(struct gm_irq *irq)
{
	pthread_mutex_lock(&irq->lock);
	irq_reset_locked(irq);
	pthread_mutex_unlock(&irq->lock);
}

void gm_irq_raise_gt(struct gm_irq *irq, unsigned int engine, u32 bits, u32 imr)
{
	u32 shared;

	if (engine >= GM_ENGINE_COUNT)
		return;
	shared = (bits & 0xffff) << engine_bank[engine].shift & ~imr;
	gm_irq_raise_display(irq, engine_bank[engine].base, shared);
}

void gm_irq_raise_display(struct gm_irq *irq, u32 isr, u32 bits)
{
	struct bank *bank = bank_at(irq, isr);

	if (!bank || !bits)
		return;
	pthread_mutex_lock(&irq->lock);
	bank_event(bank, bits);
	irq_update_locked(irq);
	pthread_mutex_unlock(&irq->lock);
}

void gm_irq_set_level(struct gm_irq *irq, u32 isr, u32 bits, bool level)
{
	struct bank *bank = bank_at(irq, isr);

	if (!bank)
		return;
	pthread_mutex_lock(&irq->lock);
	if (level)
		bank_event(bank, bits & ~bank->isr);
	bank->isr = level ? bank->isr | bits : bank->isr & ~bits;
	irq_update_locked(irq);
	pthread_mutex_unlock(&irq->lock);
}

u32 gm_irq_unmasked(struct gm_irq *irq, u32 isr)
{
	struct bank *bank = bank_at(irq, isr);
	u32 bits = 0;

	if (!bank)
		return 0;
	pthread_mutex_lock(&irq->lock);
	bits = bank->ier & ~bank->imr;
	pthread_mutex_unlock(&irq->lock);
	return bits;
}

void gm_irq_watch(struct gm_irq *irq, void (*changed)(void *opaque), void *opaque)
{
	pthread_mutex_lock(&irq->watch_lock);
	irq->changed = changed;
	irq->watch_opaque = opaque;
	pthread_mutex_unlock(&irq->watch_lock);
}

void gm_irq_inject(struct gm_irq *irq, bool lose, unsigned int count)
{
	pthread_mutex_lock(&irq->lock);
	if (lose)
		irq->lose = count;
	else
		irq->repeat = count;
	pthread_mutex_unlock(&irq->lock);
}
