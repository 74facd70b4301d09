// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a guest finds of its engines' state: what a driver dumps after a hang.
 *
 * It is read from the chip while the engine runs the vGPU's work, and by whoever resets
 * the engine under it. Addresses are shown as the guest knows them:
 *
 *	in a batch without privilege	the guest's PPGTT is shadowed at the same addresses
 *	in a ring, or in the copy of	commands stand there where they stand in the guest's
 *	a batch or of a buffer of
 *	workarounds
 *	anywhere else			zero: it is the host's
 *
 * Which of the two address spaces it is, the registers say only of an engine that
 * stands still while they are read.
 */
#include <linux/cleanup.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_fault.h>
#include <gvirt/gen9_lrc.h>
#include "hw/gpu.h"
#include "submit_private.h"
#include "walk.h"

/* Bytes of a batch that are looked through for where commands begin, and quoted from there on. */
#define QUOTE_BEFORE	2048u
#define QUOTE_BYTES	(QUOTE_BEFORE + GVIRT_EXCERPT_DWORDS * sizeof(u32))

static_assert(GVIRT_PORT_RANGES >= 2 * GVIRT_ELSP_ELEMENTS * (3 + GVIRT_SCAN_BATCHES));

/* Addresses. */

static void note_range(struct gvirt_port *port, u32 host, u32 guest, size_t bytes)
{
	if (bytes)
		port->range[port->ranges++] = (struct gvirt_port_range) {
			.host = host,
			.guest = guest,
			.bytes = bytes,
		};
}

static void note_buffer(struct gvirt_port *port, const struct gvirt_buffer *buffer, u32 guest)
{
	note_range(port, buffer->address, guest, (size_t)buffer->pages * PAGE_SIZE);
}

static void note_copy(struct gvirt_port *port, const struct gvirt_scan_copy *copy)
{
	if (copy)
		note_buffer(port, &copy->buffer, copy->key.address);
}

static void note_context(struct gvirt_port *port, const struct gvirt_vcontext *context)
{
	u32 i;

	note_buffer(port, &context->hw.ring, context->ring_start);
	note_copy(port, context->indirect);
	note_copy(port, context->per_ctx);
	for (i = 0; i < context->copies.count; i++)
		note_copy(port, context->copies.batch[i].copy);
}

void gvirt_port_note_ranges(struct gvirt_port *port)
{
	unsigned int n;

	lockdep_assert_held(port->submit->parts.exec);
	guard(mutex)(port->submit->parts.lock);
	port->ranges = 0;
	for (n = 0; n < GVIRT_ELSP_ELEMENTS; n++) {
		if (port->force.context[n])
			note_context(port, port->force.context[n]);
		if (port->next.context[n])
			note_context(port, port->next.context[n]);
	}
}

static u64 guest_address(const struct gvirt_port *port, u64 host)
{
	const struct gvirt_port_range *range;
	unsigned int i;

	for (i = 0; i < port->ranges; i++) {
		range = &port->range[i];
		if (host >= range->host && host - range->host < range->bytes)
			return range->guest + (host - range->host);
	}
	return 0;
}

static u64 shown_address(const struct gvirt_port *port, u64 address, bool ppgtt)
{
	return ppgtt ? address : guest_address(port, address);
}

/* The flags beside the address stay. */
static u64 shown_batch(const struct gvirt_port *port, u64 address, bool ppgtt)
{
	u64 flags = address & (sizeof(u32) - 1);

	return shown_address(port, address - flags, ppgtt) | flags;
}

/* Registers. */

static void set_reg(struct gvirt_port *port, u32 reg, u32 value)
{
	gvirt_vmmio_set(port->submit->parts.vmmio, gvirt_engine_base(port->engine) + reg, value);
}

static void set_reg64(struct gvirt_port *port, u32 low, u32 high, u64 value)
{
	set_reg(port, low, lower_32_bits(value));
	set_reg(port, high, upper_32_bits(value));
}

static bool in_ppgtt(const struct gvirt_engine_dump *state,
		     const struct gvirt_engine_batch *batch)
{
	return state->steady && batch->state & GEN9_BB_STATE_PPGTT;
}

/* What the streamer executes stands in the innermost batch, or in the ring. */
static bool executes_ppgtt(const struct gvirt_engine_dump *state)
{
	if (state->second.address & GEN9_BB_ADDR_VALID)
		return in_ppgtt(state, &state->second);
	return state->first.address & GEN9_BB_ADDR_VALID && in_ppgtt(state, &state->first);
}

static void show_places_locked(struct gvirt_port *port, const struct gvirt_engine_dump *state)
{
	bool executes = executes_ppgtt(state), first = in_ppgtt(state, &state->first);

	set_reg64(port, GEN9_RING_ACTHD, GEN9_RING_ACTHD_UDW,
		  shown_address(port, state->acthd, executes));
	set_reg64(port, GEN9_RING_DMA_FADD, GEN9_RING_DMA_FADD_UDW,
		  shown_address(port, state->fetch, executes));
	set_reg64(port, GEN9_RING_BB_ADDR, GEN9_RING_BB_ADDR_UDW,
		  shown_batch(port, state->first.address, first));
	set_reg64(port, GEN9_RING_BB_START_ADDR, GEN9_RING_BB_START_ADDR_UDW,
		  shown_batch(port, state->first_start, first));
	set_reg64(port, GEN9_RING_SBB_ADDR, GEN9_RING_SBB_ADDR_UDW,
		  shown_batch(port, state->second.address, in_ppgtt(state, &state->second)));
	set_reg(port, GEN9_RING_BB_STATE, state->first.state);
	set_reg(port, GEN9_RING_SBB_STATE, state->second.state);
}

/* As the chip has it: the first one stays until the driver has cleared it. */
static void show_fault_locked(struct gvirt_port *port, const struct gvirt_engine_fault *fault)
{
	struct gvirt_vmmio *vmmio = port->submit->parts.vmmio;
	bool ggtt = fault->data[1] & GEN9_FAULT_DATA1_GGTT;
	u64 address;

	if (!fault->reg || gvirt_vmmio_get(vmmio, GEN9_RING_FAULT) & GEN9_FAULT_VALID)
		return;
	address = (u64)fault->data[0] << GEN9_FAULT_DATA0_VA_SHIFT;
	if (ggtt)
		address = guest_address(port, address);
	gvirt_vmmio_set(vmmio, GEN9_FAULT_TLB_DATA0, address >> GEN9_FAULT_DATA0_VA_SHIFT);
	gvirt_vmmio_set(vmmio, GEN9_FAULT_TLB_DATA1, fault->data[1]);
	gvirt_vmmio_set(vmmio, GEN9_RING_FAULT, fault->reg);
}

static void show_locked(struct gvirt_port *port, const struct gvirt_engine_dump *state)
{
	lockdep_assert_held(port->submit->parts.lock);
	show_places_locked(port, state);
	set_reg(port, GEN9_RING_IPEIR, state->ipeir);
	set_reg(port, GEN9_RING_IPEHR, state->ipehr);
	set_reg(port, GEN9_RING_INSTDONE, state->instdone);
	set_reg(port, GEN9_RING_INSTPS, state->instps);
	set_reg(port, GEN9_RING_CTX_TIMESTAMP, state->timestamp);
	show_fault_locked(port, &state->fault);
}

/* Registers that are read one after the other show the same moment. */
void gvirt_port_look(struct gvirt_port *port)
{
	struct gvirt_mmio *mmio = &port->submit->parts.gpu->mmio;
	struct gvirt_engine_dump state;

	lockdep_assert_held(port->submit->parts.lock);
	if (!port->added || !gvirt_sched_running(&port->slot))
		return;
	if (port->looked && !time_after(jiffies, port->looked_at))
		return;
	gvirt_engine_dump_read(mmio, port->engine, &state);
	/* Somebody else's, perhaps. */
	if (!gvirt_sched_running(&port->slot))
		return;
	show_locked(port, &state);
	port->looked = true;
	port->looked_at = jiffies;
}

/* An engine that was reset for another reason did not run this context. */
void gvirt_port_keep_state(struct gvirt_port *port, const struct gvirt_context *context)
{
	const struct gvirt_engine *engine = port->submit->parts.gpu->engine[port->engine];

	if (engine->dump.context != gvirt_context_id(context))
		return;
	guard(spinlock)(&port->events_lock);
	port->lost_state = engine->dump;
	port->lost = true;
}

/* What is read ends where nothing is mapped. */
static size_t read_batch(const struct gvirt_vcontext *context, u64 from, u32 *dwords, u64 at)
{
	const struct gvirt_walk walk = {
		.guest = context->ppgtt->vppgtt->pool.guest,
		.levels = context->ppgtt->levels,
		.pdp = context->ppgtt->pdp,
	};
	size_t before = at - from, after = PAGE_SIZE - (at & ~PAGE_MASK);

	after = min(after, QUOTE_BYTES - before);
	if (gvirt_walk_read(&walk, from, dwords, before + after))
		return 0;
	return (before + after) / sizeof(u32);
}

static bool get_lost_state(struct gvirt_port *port, struct gvirt_engine_dump *state)
{
	guard(spinlock)(&port->events_lock);
	*state = port->lost_state;
	return port->lost;
}

u64 gvirt_port_quote_batch(struct gvirt_port *port, const struct gvirt_vcontext *context,
			   struct gvirt_excerpt *excerpt)
{
	struct gvirt_excerpt_source source = { .engine = port->engine };
	struct gvirt_engine_dump state;
	u64 at, from;
	u32 *dwords;

	*excerpt = (struct gvirt_excerpt) { };
	if (!get_lost_state(port, &state) || !context->ppgtt || !executes_ppgtt(&state))
		return 0;
	at = round_down(state.acthd, sizeof(u32));
	from = round_down(state.first_start, sizeof(u32));
	if (from > at || at - from > QUOTE_BEFORE)
		from = at;
	dwords = kmalloc(QUOTE_BYTES, GFP_KERNEL_ACCOUNT);
	if (!dwords)
		return 0;
	source.dwords = dwords;
	source.size = QUOTE_BYTES / sizeof(u32);
	source.bad = (at - from) / sizeof(u32);
	source.count = read_batch(context, from, dwords, at);
	if (source.count)
		gvirt_excerpt_take(excerpt, &source);
	kfree(dwords);
	return at - excerpt->bad * sizeof(u32);
}

void gvirt_port_show_lost(struct gvirt_port *port)
{
	struct gvirt_engine_dump state;

	scoped_guard(spinlock, &port->events_lock) {
		if (!port->lost)
			return;
		port->lost = false;
		state = port->lost_state;
	}
	guard(mutex)(port->submit->parts.lock);
	show_locked(port, &state);
}
