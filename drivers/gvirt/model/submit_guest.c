// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a guest finds of its submissions: registers, status page, interrupts.
 *
 * What an event tells is in the guest's memory before its interrupt: first the image,
 * then the entry, then the pointer.
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_lrc.h>
#include "hw/gpu.h"
#include "submit_private.h"
#include "trace.h"

/* Where an engine's bits are in the interrupt banks. */
static const struct {
	u32 bank;
	u8 shift;
} irqs[GVIRT_ENGINES] = {
	[GVIRT_RCS] = { GEN9_GT_IRQ(0), 0 },
	[GVIRT_BCS] = { GEN9_GT_IRQ(0), 16 },
	[GVIRT_VCS] = { GEN9_GT_IRQ(1), 0 },
	[GVIRT_VECS] = { GEN9_GT_IRQ(3), 0 },
};

static u32 reg_of(const struct gvirt_port *port, u32 reg)
{
	return gvirt_engine_base(port->engine) + reg;
}

static void set_reg(struct gvirt_port *port, u32 reg, u32 value)
{
	gvirt_vmmio_set(port->submit->parts.vmmio, reg_of(port, reg), value);
}

static u32 get_reg(const struct gvirt_port *port, u32 reg)
{
	return gvirt_vmmio_get(port->submit->parts.vmmio, reg_of(port, reg));
}

/* What the guest finds. */

static void show_csb_locked(struct gvirt_port *port)
{
	const struct gvirt_csb *csb = &port->csb;
	u64 status = gvirt_csb_status(csb);
	unsigned int n;

	lockdep_assert_held(port->submit->parts.lock);
	for (n = 0; n < GEN9_CSB_ENTRIES; n++) {
		set_reg(port, GEN9_RING_CSB_BUF(n), lower_32_bits(csb->entry[n]));
		set_reg(port, GEN9_RING_CSB_BUF(n) + 4, upper_32_bits(csb->entry[n]));
	}
	set_reg(port, GEN9_RING_CONTEXT_STATUS_PTR, gvirt_csb_pointer(csb));
	set_reg(port, GEN9_RING_EXECLIST_STATUS_LO, lower_32_bits(status));
	set_reg(port, GEN9_RING_EXECLIST_STATUS_HI, upper_32_bits(status));
}

/* The ring registers are those of the context that has the engine. */
void gvirt_port_show_ring_locked(struct gvirt_port *port, const struct gvirt_vcontext *context)
{
	const u32 *regs = context->regs;

	lockdep_assert_held(port->submit->parts.lock);
	set_reg(port, GEN9_RING_START, regs[GEN9_CTX_RING_START + 1]);
	set_reg(port, GEN9_RING_CTL, regs[GEN9_CTX_RING_CTL + 1]);
	set_reg(port, GEN9_RING_HEAD, gvirt_vcontext_head(context));
	set_reg(port, GEN9_RING_TAIL, context->hw.tail);
}

void gvirt_port_interrupt(struct gvirt_port *port, u32 events)
{
	const struct gvirt_submit_parts *parts = &port->submit->parts;
	u32 bits = events << irqs[port->engine].shift;

	guard(mutex)(parts->lock);
	bits &= ~get_reg(port, GEN9_RING_IMR);
	if (bits)
		gvirt_virq_raise(parts->virq, irqs[port->engine].bank, bits);
}

static void write_status(struct gvirt_port *port, u32 page, u32 dword, const void *from, u32 bytes)
{
	struct gvirt_submit *submit = port->submit;

	/* A guest without a status page where it says so has no use for it. */
	submit->services->contexts.write(submit->data, page + dword * sizeof(u32), from, bytes);
}

/* Entry and pointer to where the guest looks for them, then the interrupt. */
void gvirt_port_publish(struct gvirt_port *port, const struct gvirt_csb_out *out, u32 more)
{
	u64 entry[GVIRT_CSB_EVENTS_MAX];
	u32 page, pointer, n;

	if (out->action == GVIRT_CSB_NONSENSE)
		port->stats.oddities++;
	if (!out->count)
		return;
	scoped_guard(mutex, port->submit->parts.lock) {
		for (n = 0; n < out->count; n++)
			entry[n] = port->csb.entry[out->slot[n]];
		pointer = port->csb.write;
		page = get_reg(port, GEN9_RING_HWS_PGA);
		show_csb_locked(port);
	}
	for (n = 0; n < out->count; n++) {
		trace_gvirt_told(port->submit->parts.name, port->engine, entry[n]);
		write_status(port, page, GEN9_HWSP_CSB_DW + 2 * out->slot[n], &entry[n],
			     sizeof(entry[n]));
	}
	/* Who sees the pointer has to see the entries. */
	smp_wmb();
	write_status(port, page, GEN9_HWSP_CSB_WRITE_DW, &pointer, sizeof(pointer));
	port->stats.switches += out->count;
	gvirt_port_interrupt(port, GVIRT_IRQ_CONTEXT_SWITCH | more);
}

/* Which errors interrupt is the guest's choice; the engine stands in any case. */
void gvirt_port_show_error(struct gvirt_port *port, u32 eir)
{
	u32 unmasked;

	scoped_guard(mutex, port->submit->parts.lock) {
		set_reg(port, GEN9_RING_EIR, get_reg(port, GEN9_RING_EIR) | eir);
		unmasked = eir & ~get_reg(port, GEN9_RING_EMR);
	}
	if (unmasked)
		gvirt_port_interrupt(port, GVIRT_IRQ_ERROR);
}

/* The guest's accesses. */

static u64 desc_of(const struct gvirt_desc_list *list, unsigned int n)
{
	return (u64)list->element[n].hi << 32 | list->element[n].lo;
}

void gvirt_port_write(struct gvirt_port *port, u32 value)
{
	struct gvirt_desc_list list;
	struct gvirt_csb_out out;

	lockdep_assert_held(port->submit->parts.lock);
	if (!gvirt_elsp_write(&port->elsp, value, &list))
		return;
	trace_gvirt_submit(port->submit->parts.name, port->engine, desc_of(&list, 0),
			   desc_of(&list, 1));
	port->stats.submissions++;
	out = gvirt_csb_submit(&port->csb, &list);
	if (out.action == GVIRT_CSB_FULL)
		port->stats.overruns++;
	show_csb_locked(port);
	queue_work(port->submit->parts.gpu->queue, &port->work);
}

void gvirt_port_write_pointer(struct gvirt_port *port, u32 value)
{
	lockdep_assert_held(port->submit->parts.lock);
	gvirt_csb_write_pointer(&port->csb, 0xffff0000u | value);
	show_csb_locked(port);
}
