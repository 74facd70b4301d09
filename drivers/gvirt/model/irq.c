// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupt registers of a vGPU.
 *
 * An event that the bank's IMR lets through sets its bit in IIR. A source shows in
 * the master control while its part of IIR & IER is not zero. A message leaves
 * when "master enabled, and a source shows" becomes true: a driver that turns
 * the master off, looks, and turns it on again loses nothing.
 *
 * Sources: Linux i915, i915_irq.c, gt/intel_gt_irq.c (which engine has which half of
 * which bank), display/intel_display_irq.c.
 */
#include <linux/array_size.h>
#include <gvirt/gen9_gt.h>
#include "irq.h"

#define LOW_HALF	0x0000ffffu
#define HIGH_HALF	0xffff0000u

static const struct {
	u32 bank;
	u32 bits;
	u32 master;
} sources[] = {
	{ GEN9_GT_IRQ(0), LOW_HALF, GEN9_MASTER_GT_RCS },
	{ GEN9_GT_IRQ(0), HIGH_HALF, GEN9_MASTER_GT_BCS },
	{ GEN9_GT_IRQ(1), LOW_HALF, GEN9_MASTER_GT_VCS },
	{ GEN9_GT_IRQ(2), GEN9_GT_IRQ_PM_MASK, GEN9_MASTER_GT_PM },
	{ GEN9_GT_IRQ(2), GEN9_GT_IRQ_GUC_MASK, GEN9_MASTER_GT_GUC },
	{ GEN9_GT_IRQ(3), LOW_HALF, GEN9_MASTER_GT_VECS },
	{ GEN9_DE_PIPE_IRQ(0), ~0u, GEN9_MASTER_DE_PIPE(0) },
	{ GEN9_DE_PIPE_IRQ(1), ~0u, GEN9_MASTER_DE_PIPE(1) },
	{ GEN9_DE_PIPE_IRQ(2), ~0u, GEN9_MASTER_DE_PIPE(2) },
	{ GEN9_DE_PORT_IRQ, ~0u, GEN9_MASTER_DE_PORT },
	{ GEN9_DE_MISC_IRQ, ~0u, GEN9_MASTER_DE_MISC },
	{ GEN9_SDE_IRQ, ~0u, GEN9_MASTER_DE_PCH },
	{ GEN9_PCU_IRQ, ~0u, GEN9_MASTER_PCU },
};

void gvirt_virq_init(struct gvirt_virq *virq, struct gvirt_vmmio *vmmio,
		     void (*deliver)(void *data, bool level), void *data)
{
	*virq = (struct gvirt_virq) { .vmmio = vmmio, .deliver = deliver, .data = data };
}

static u32 pending_sources(const struct gvirt_vmmio *vmmio)
{
	u32 pending = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		u32 iir = gvirt_vmmio_get(vmmio, sources[i].bank + GEN9_IRQ_IIR);
		u32 ier = gvirt_vmmio_get(vmmio, sources[i].bank + GEN9_IRQ_IER);

		if (iir & ier & sources[i].bits)
			pending |= sources[i].master;
	}
	return pending;
}

void gvirt_virq_update(struct gvirt_virq *virq)
{
	u32 enable = gvirt_vmmio_get(virq->vmmio, GEN9_MASTER_IRQ) & GEN9_MASTER_IRQ_ENABLE;
	u32 pending = pending_sources(virq->vmmio);
	bool level = enable && pending;

	gvirt_vmmio_set(virq->vmmio, GEN9_MASTER_IRQ, enable | pending);
	if (level == virq->level)
		return;
	virq->level = level;
	virq->deliver(virq->data, level);
}

void gvirt_virq_raise(struct gvirt_virq *virq, u32 bank, u32 events)
{
	u32 imr = gvirt_vmmio_get(virq->vmmio, bank + GEN9_IRQ_IMR);
	u32 iir = gvirt_vmmio_get(virq->vmmio, bank + GEN9_IRQ_IIR);

	gvirt_vmmio_set(virq->vmmio, bank + GEN9_IRQ_IIR, iir | (events & ~imr));
	gvirt_virq_update(virq);
}
