// SPDX-License-Identifier: GPL-2.0-only
/*
 * Display ports: DDI buffers, DisplayPort AUX channels, the I2C buses of the
 * PCH, hotplug and panel power. Nothing is plugged in: an AUX transfer times out,
 * nobody acknowledges on GMBUS, the hotplug pins are low.
 *
 * Sources: Linux i915, below display/: intel_ddi.c, intel_dp_aux.c, intel_gmbus.c,
 * intel_hotplug_irq.c and intel_pps.c, for what a driver waits for, and their
 * headers of registers.
 */
#include <linux/array_size.h>
#include <gvirt/gen9_display.h>
#include <gvirt/gen9_gt.h>
#include "irq.h"
#include "mmio.h"
#include "power.h"

static void raise(struct gm_mmio *mmio, u32 isr, u32 bits)
{
	if (gm_mmio_irq(mmio))
		gm_irq_raise_display(gm_mmio_irq(mmio), isr, bits);
}

static void ignore_write(void *opaque, u32 offset, u32 value)
{
	(void)opaque;
	(void)offset;
	(void)value;
}

static u32 ddi_buf_read(void *opaque, u32 offset)
{
	u32 value = gm_mmio_peek(opaque, offset) & ~GEN9_DDI_BUF_IDLE;

	return value & GEN9_DDI_BUF_ENABLE ? value : value | GEN9_DDI_BUF_IDLE;
}

/* Idle patterns are sent as soon as they are asked for. */
static u32 tp_status_read(void *opaque, u32 offset)
{
	u32 control = gm_mmio_peek(opaque, offset - 4);
	u32 value = gm_mmio_peek(opaque, offset);

	if (control & GEN9_DP_TP_ENABLE &&
	    (control & GEN9_DP_TP_TRAIN_MASK) == GEN9_DP_TP_TRAIN_IDLE)
		value |= GEN9_DP_TP_IDLE_DONE;
	return value;
}

static void tp_status_write(void *opaque, u32 offset, u32 value)
{
	gm_mmio_update(opaque, offset, value & GEN9_DP_TP_ACT_SENT, 0);
}

/* A transfer ends at once with a timeout: there is no sink. */
static void aux_write(void *opaque, u32 offset, u32 value)
{
	static const u32 interrupt[GEN9_AUX_COUNT] = {
		GEN9_PORT_IRQ_AUX_A, GEN9_PORT_IRQ_AUX_B, GEN9_PORT_IRQ_AUX_C, GEN9_PORT_IRQ_AUX_D,
	};
	const u32 w1c = GEN9_AUX_DONE | GEN9_AUX_TIMEOUT | GEN9_AUX_RECEIVE_ERROR;
	u32 kept = gm_mmio_peek(opaque, offset) & w1c & ~value;

	gm_mmio_poke(opaque, offset, (value & ~w1c & ~GEN9_AUX_SEND_BUSY) | kept);
	if (!(value & GEN9_AUX_SEND_BUSY))
		return;
	gm_mmio_update(opaque, offset, 0, GEN9_AUX_DONE | GEN9_AUX_TIMEOUT);
	if (value & GEN9_AUX_INTERRUPT)
		raise(opaque, GEN9_DE_PORT_IRQ,
		      interrupt[(offset - GEN9_AUX_CTL(0)) / 0x100 % GEN9_AUX_COUNT]);
}

/* GMBUS1 starts a cycle: no slave answers. SW_CLR_INT brings the controller back. */
static void gmbus_command_write(void *opaque, u32 offset, u32 value)
{
	u32 enabled = gm_mmio_peek(opaque, GEN9_GMBUS4);

	gm_mmio_poke(opaque, offset, value);
	if (value & GEN9_GMBUS_CLEAR_INT) {
		gm_mmio_poke(opaque, GEN9_GMBUS2, 0);
		return;
	}
	if (!(value & GEN9_GMBUS_READY) ||
	    !(value & (GEN9_GMBUS_CYCLE_WAIT | GEN9_GMBUS_CYCLE_INDEX)))
		return;
	gm_mmio_poke(opaque, GEN9_GMBUS2, GEN9_GMBUS_NAK);
	if (enabled & (GEN9_GMBUS4_NAK | GEN9_GMBUS4_IDLE))
		raise(opaque, GEN9_SDE_IRQ, GEN9_SDE_GMBUS);
}

/* One of the pin's two lines: pulled up unless driven low. */
static u32 gpio_line(u32 line)
{
	bool low = line & GEN9_GPIO_DIR_OUT && !(line & GEN9_GPIO_VALUE_OUT);

	line &= GEN9_GPIO_DIR_OUT | GEN9_GPIO_VALUE_OUT;
	return low ? line : line | GEN9_GPIO_VALUE_IN;
}

static u32 gpio_read(void *opaque, u32 offset)
{
	u32 value = gm_mmio_peek(opaque, offset);

	return gpio_line(value & 0xff) |
	       gpio_line(value >> GEN9_GPIO_DATA_SHIFT & 0xff) << GEN9_GPIO_DATA_SHIFT;
}

/* Direction and value change only where their mask bits are set. */
static u32 gpio_line_write(u32 old, u32 line)
{
	if (line & GEN9_GPIO_DIR_MASK)
		old = (old & ~GEN9_GPIO_DIR_OUT) | (line & GEN9_GPIO_DIR_OUT);
	if (line & GEN9_GPIO_VALUE_MASK)
		old = (old & ~GEN9_GPIO_VALUE_OUT) | (line & GEN9_GPIO_VALUE_OUT);
	return old & 0xff;
}

static void gpio_write(void *opaque, u32 offset, u32 value)
{
	u32 old = gm_mmio_peek(opaque, offset);
	u32 data = gpio_line_write(old >> GEN9_GPIO_DATA_SHIFT, value >> GEN9_GPIO_DATA_SHIFT);

	gm_mmio_poke(opaque, offset,
		     gpio_line_write(old, value) | data << GEN9_GPIO_DATA_SHIFT);
}

/* Hotplug control keeps its enable bits; status bits are cleared by 1. */
static void hotplug_write(void *opaque, u32 offset, u32 value)
{
	u32 status = offset == GEN9_SHOTPLUG_CTL ? GEN9_SHOTPLUG_STATUS : GEN9_SHOTPLUG2_STATUS;
	u32 kept = gm_mmio_peek(opaque, offset) & status & ~value;

	gm_mmio_poke(opaque, offset, (value & ~status) | kept);
}

static u32 panel_status_read(void *opaque, u32 offset)
{
	(void)offset;
	return gm_mmio_peek(opaque, GEN9_PP_CONTROL) & GEN9_PP_TARGET_ON ? GEN9_PP_ON : 0;
}

static int add_ports(struct gm_mmio *mmio)
{
	struct gm_mmio_range range = { .opaque = mmio };
	int err = 0;

	for (u32 n = 0; n < GEN9_DDI_COUNT && !err; n++) {
		range.first = GEN9_DDI_BUF_CTL(n);
		range.last = range.first;
		range.read = ddi_buf_read;
		range.write = NULL;
		err = gm_mmio_add(mmio, &range);
		range.first = GEN9_DP_TP_STATUS(n);
		range.last = range.first;
		range.read = tp_status_read;
		range.write = tp_status_write;
		if (!err)
			err = gm_mmio_add(mmio, &range);
	}
	range.read = NULL;
	range.write = aux_write;
	for (u32 n = 0; n < GEN9_AUX_COUNT && !err; n++) {
		range.first = GEN9_AUX_CTL(n);
		range.last = range.first;
		err = gm_mmio_add(mmio, &range);
	}
	return err;
}

int gm_display_add_ports(struct gm_mmio *mmio)
{
	const struct gm_mmio_range ranges[] = {
		{ GEN9_GPIO_FIRST, GEN9_GPIO_LAST, gpio_read, gpio_write, 0, mmio },
		{ GEN9_GMBUS1, GEN9_GMBUS1, NULL, gmbus_command_write, 0, mmio },
		{ GEN9_GMBUS2, GEN9_GMBUS2, NULL, ignore_write, 0, mmio },
		{ GEN9_SHOTPLUG_CTL, GEN9_SHOTPLUG_CTL, NULL, hotplug_write, 0, mmio },
		{ GEN9_SHOTPLUG_CTL2, GEN9_SHOTPLUG_CTL2, NULL, hotplug_write, 0, mmio },
		{ GEN9_PP_STATUS, GEN9_PP_STATUS, panel_status_read, ignore_write, 0, mmio },
	};
	int err = add_ports(mmio);

	for (size_t i = 0; i < ARRAY_SIZE(ranges) && !err; i++)
		err = gm_mmio_add(mmio, &ranges[i]);
	return err;
}
