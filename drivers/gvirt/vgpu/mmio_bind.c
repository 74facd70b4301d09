// SPDX-License-Identifier: GPL-2.0-only
/*
 * The one place that gives each handler id of the register table a function.
 *
 * A function acts after the register memory has changed by the row's rule. What has
 * no function here keeps what was written, and that is all.
 *
 * Effects that need a display are not there yet: see Documentation/vgpu.rst. What
 * sleeps (resets) is only noted here, since the vGPU's lock is held.
 *
 * Sources: those of the register table; Linux i915, intel_pcode.c (mailbox),
 * display/intel_dp_aux.c (a channel that nobody answers on),
 * display/intel_gmbus.c, display/intel_display_power_well.c.
 */
#include <linux/array_size.h>
#include <linux/bug.h>
#include <linux/math64.h>
#include <gvirt/gen9_display.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_reset.h>
#include "lib/reg_handler.h"
#include "mmio_bind.h"
#include "object.h"

/* Forcewake, reset. */

/* Granted at once: the wells of a vGPU are always awake. */
static void write_forcewake(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	u32 held = trap->value & 0xffff;

	if (trap->offset == GEN9_FORCEWAKE_RENDER)
		gvirt_vmmio_set(&vgpu->mmio, GEN9_FORCEWAKE_ACK_RENDER, held);
	else if (trap->offset == GEN9_FORCEWAKE_GT)
		gvirt_vmmio_set(&vgpu->mmio, GEN9_FORCEWAKE_ACK_GT, held);
	else if (trap->offset == GEN9_FORCEWAKE_MEDIA)
		gvirt_vmmio_set(&vgpu->mmio, GEN9_FORCEWAKE_ACK_MEDIA, held);
}

/* Carried out when the lock is not held any more; the bits are set until then. */
static void write_gdrst(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	static const u32 domain[GVIRT_ENGINES] = {
		[GVIRT_RCS] = GEN9_GDRST_RENDER,
		[GVIRT_BCS] = GEN9_GDRST_BLT,
		[GVIRT_VCS] = GEN9_GDRST_MEDIA,
		[GVIRT_VECS] = GEN9_GDRST_VECS,
	};
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (trap->value & (domain[i] | GEN9_GDRST_FULL))
			vgpu->reset_due |= BIT(i);
	if (trap->value & GEN9_GDRST_FULL)
		vgpu->full_reset_due = true;
	if (!vgpu->reset_due)
		gvirt_vmmio_set(&vgpu->mmio, trap->offset, 0);
}

static void write_reset_ctl(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	u32 value = trap->value & ~GEN9_RESET_CTL_READY;

	if (value & GEN9_RESET_CTL_REQUEST)
		value |= GEN9_RESET_CTL_READY;
	gvirt_vmmio_set(&vgpu->mmio, trap->offset, value);
}

/* Carried out before the write ends: the register reads zero again. */
static void write_tlb_invalidate(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	vgpu->sync_due |= trap->value & GEN9_TLB_INVALIDATE;
	gvirt_vmmio_set(&vgpu->mmio, trap->offset, 0);
}

/* The register does not take what was written. */
static void write_nothing(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	gvirt_vmmio_set(&vgpu->mmio, trap->offset, trap->old);
}

static void write_stored(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
}

/* Engines. */

static void write_elsp(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	gvirt_vmmio_set(&vgpu->mmio, trap->offset, 0);
	gvirt_port_write(&vgpu->submit.port[trap->ref.engine], trap->value);
}

/* The write pointer is the chip's; a driver may put it to where a reset does. */
static void write_csb_ptr(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	u32 value = trap->value;

	if ((value & GEN9_CSB_PTR_WRITE_MASK) != GEN9_CSB_PTR_RESET)
		value = (value & ~GEN9_CSB_PTR_WRITE_MASK) |
			(trap->old & GEN9_CSB_PTR_WRITE_MASK);
	gvirt_port_write_pointer(&vgpu->submit.port[trap->ref.engine], value & 0xffff);
}

static void write_nonpriv(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	u32 value = gvirt_reg_nonpriv_value(vgpu->mmio.table, trap->ref.engine, trap->value);

	gvirt_vmmio_set(&vgpu->mmio, trap->offset, value);
}

static u32 read_engine_state(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	gvirt_port_look(&vgpu->submit.port[trap->ref.engine]);
	return gvirt_vmmio_get(&vgpu->mmio, trap->offset);
}

/* The chip's own, for a batch reads that whatever we do. */
static u32 read_timestamp(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	return gvirt_mmio_read(&vgpu->gpu->mmio, trap->offset);
}

/* Interrupts. */

static void write_irq(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	gvirt_virq_update(&vgpu->irq);
}

/* Power and frequency. */

/* What was asked for has been granted; the chip's own frequency is the host's business. */
static u32 read_rpstat(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	return gvirt_vmmio_get(&vgpu->mmio, GEN9_RPNSWREQ) & GEN9_FREQUENCY_MASK;
}

/* The time in which its busiest engine had nothing to do. */
static u32 read_rc6_residency(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	u64 ran_ns = gvirt_submit_ran_ns(&vgpu->submit) - vgpu->ran_before_ns;
	u64 ns = ktime_to_ns(ktime_sub(ktime_get(), vgpu->idle_since));

	ns -= min(ns, ran_ns);
	return trap->offset == GEN9_GFX_RC6 ? div_u64(ns, GEN9_RC6_TICK_NS) : 0;
}

/* The mailbox answers at once. What is not the command stays. */
static void write_pcode(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	u32 caps = gvirt_vmmio_read(&vgpu->mmio, GEN9_RP_STATE_CAP, sizeof(u32));
	u32 data = gvirt_vmmio_get(&vgpu->mmio, GEN9_PCODE_DATA0);
	u32 status;

	if (!(trap->value & GEN9_PCODE_READY))
		return;
	status = gvirt_vpcode_run(&vgpu->pcode, trap->value & GEN9_PCODE_COMMAND_MASK, caps,
				  &data);
	if (status == GEN9_PCODE_SUCCESS) {
		gvirt_vmmio_set(&vgpu->mmio, GEN9_PCODE_DATA0, data);
		gvirt_vmmio_set(&vgpu->mmio, GEN9_PCODE_DATA1, 0);
	}
	gvirt_vmmio_set(&vgpu->mmio, trap->offset,
			(trap->value & GEN9_PCODE_PARAM_MASK) | status);
}

/* Display: what a driver waits for. */

static void write_power_well(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	u32 requests = trap->value & ~GEN9_PWR_WELL_STATES;

	gvirt_vmmio_set(&vgpu->mmio, trap->offset, requests | requests >> 1);
}

static void write_dbuf(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	u32 value = trap->value & ~GEN9_DBUF_POWER_STATE;

	if (value & GEN9_DBUF_POWER_REQUEST)
		value |= GEN9_DBUF_POWER_STATE;
	gvirt_vmmio_set(&vgpu->mmio, trap->offset, value);
}

static u32 aux_event(unsigned int channel)
{
	static const u32 event[GEN9_AUX_COUNT] = {
		GEN9_PORT_IRQ_AUX_A, GEN9_PORT_IRQ_AUX_B, GEN9_PORT_IRQ_AUX_C,
		GEN9_PORT_IRQ_AUX_D,
	};

	return event[channel];
}

/* Nobody is at the other end: a transfer is over at once, with a timeout. */
static void write_aux_ctl(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap,
			  unsigned int channel)
{
	const u32 status = GEN9_AUX_DONE | GEN9_AUX_TIMEOUT | GEN9_AUX_RECEIVE_ERROR;
	u32 value = (trap->value & ~status) | (trap->old & ~trap->value & status);

	if (value & GEN9_AUX_SEND_BUSY)
		value = (value & ~GEN9_AUX_SEND_BUSY) | GEN9_AUX_DONE | GEN9_AUX_TIMEOUT;
	gvirt_vmmio_set(&vgpu->mmio, trap->offset, value);
	if (trap->value & GEN9_AUX_SEND_BUSY && value & GEN9_AUX_INTERRUPT)
		gvirt_virq_raise(&vgpu->irq, GEN9_DE_PORT_IRQ, aux_event(channel));
}

static void write_aux(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	unsigned int channel;

	for (channel = 0; channel < GEN9_AUX_COUNT; channel++)
		if (trap->offset == GEN9_AUX_CTL(channel))
			write_aux_ctl(vgpu, trap, channel);
}

/* Without a display nothing is counted. */
static u32 read_zero(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap)
{
	return 0;
}

typedef u32 (*read_fn)(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap);
typedef void (*write_fn)(struct gvirt_vgpu *vgpu, const struct gvirt_vmmio_trap *trap);

static const write_fn writes[GVIRT_HANDLERS] = {
	[GVIRT_HANDLER_FORCEWAKE]	= write_forcewake,
	[GVIRT_HANDLER_GDRST]		= write_gdrst,
	[GVIRT_HANDLER_RESET_CTL]	= write_reset_ctl,
	[GVIRT_HANDLER_ELSP]		= write_elsp,
	[GVIRT_HANDLER_EXECLIST_STATUS]	= write_nothing,
	[GVIRT_HANDLER_CSB]		= write_nothing,
	[GVIRT_HANDLER_CSB_PTR]		= write_csb_ptr,
	[GVIRT_HANDLER_HWS_PGA]		= write_stored,
	[GVIRT_HANDLER_RING]		= write_stored,
	[GVIRT_HANDLER_MI_MODE]		= write_stored,
	[GVIRT_HANDLER_GFX_MODE]	= write_stored,
	[GVIRT_HANDLER_FORCE_TO_NONPRIV] = write_nonpriv,
	[GVIRT_HANDLER_RING_IMR]	= write_stored,
	[GVIRT_HANDLER_IRQ_MASTER]	= write_irq,
	[GVIRT_HANDLER_IRQ_ISR]		= write_nothing,
	[GVIRT_HANDLER_IRQ_IMR]		= write_irq,
	[GVIRT_HANDLER_IRQ_IIR]		= write_irq,
	[GVIRT_HANDLER_IRQ_IER]		= write_irq,
	[GVIRT_HANDLER_FAULT]		= write_stored,
	[GVIRT_HANDLER_TLB_INVALIDATE]	= write_tlb_invalidate,
	[GVIRT_HANDLER_GGTT_FLUSH]	= write_stored,
	[GVIRT_HANDLER_FENCE]		= write_stored,
	[GVIRT_HANDLER_PVINFO]		= write_nothing,
	[GVIRT_HANDLER_RPS]		= write_stored,
	[GVIRT_HANDLER_RC6]		= write_stored,
	[GVIRT_HANDLER_PCODE]		= write_pcode,
	[GVIRT_HANDLER_POWER_WELL]	= write_power_well,
	[GVIRT_HANDLER_DBUF]		= write_dbuf,
	[GVIRT_HANDLER_CDCLK]		= write_stored,
	[GVIRT_HANDLER_DPLL]		= write_stored,
	[GVIRT_HANDLER_DDI_BUF]		= write_stored,
	[GVIRT_HANDLER_DP_TP]		= write_stored,
	[GVIRT_HANDLER_AUX]		= write_aux,
	[GVIRT_HANDLER_GMBUS]		= write_stored,
	[GVIRT_HANDLER_GPIO]		= write_stored,
	[GVIRT_HANDLER_HOTPLUG]		= write_stored,
	[GVIRT_HANDLER_PANEL_POWER]	= write_stored,
	[GVIRT_HANDLER_PIPE_CONF]	= write_stored,
	[GVIRT_HANDLER_PLANE]		= write_stored,
	[GVIRT_HANDLER_ENGINE_STATE]	= write_nothing,
	[GVIRT_HANDLER_TIMESTAMP]	= write_nothing,
	[GVIRT_HANDLER_RC6_RESIDENCY]	= write_nothing,
	[GVIRT_HANDLER_RPSTAT]		= write_nothing,
	[GVIRT_HANDLER_PIPE_COUNTER]	= write_nothing,
};

static const read_fn reads[GVIRT_HANDLERS] = {
	[GVIRT_HANDLER_ENGINE_STATE]	= read_engine_state,
	[GVIRT_HANDLER_TIMESTAMP]	= read_timestamp,
	[GVIRT_HANDLER_RC6_RESIDENCY]	= read_rc6_residency,
	[GVIRT_HANDLER_RPSTAT]		= read_rpstat,
	[GVIRT_HANDLER_PIPE_COUNTER]	= read_zero,
};

static u32 hw_read(void *data, u32 offset)
{
	struct gvirt_vgpu *vgpu = data;

	return gvirt_mmio_read(&vgpu->gpu->mmio, offset);
}

static u32 trap_read(void *data, const struct gvirt_vmmio_trap *trap)
{
	read_fn fn = reads[trap->ref.row->handler];

	return WARN_ON_ONCE(!fn) ? 0 : fn(data, trap);
}

static void trap_write(void *data, const struct gvirt_vmmio_trap *trap)
{
	write_fn fn = writes[trap->ref.row->handler];

	if (!WARN_ON_ONCE(!fn))
		fn(data, trap);
}

const struct gvirt_vmmio_services gvirt_mmio_bind = {
	.hw_read = hw_read,
	.trap_read = trap_read,
	.trap_write = trap_write,
};
