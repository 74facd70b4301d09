// SPDX-License-Identifier: GPL-2.0-only
/*
 * The display engine's core: fuses, power wells, clocks, display buffer.
 *
 * Everything is done at once: a well, a PLL or the buffer that is asked for is
 * there at the next read. State lives in the register file alone, so a reset
 * of the registers resets the display.
 *
 * With the display fused off its registers are plain storage that leads nowhere.
 *
 * Sources: Linux i915, below display/: intel_display_power.c and
 * intel_display_power_well.c (wells, display buffer), intel_cdclk.c and
 * intel_dpll_mgr.c (clocks), intel_display_device.c (fuses).
 */
#include <linux/array_size.h>
#include <gvirt/gen9_display.h>
#include <gvirt/gen9_gt.h>
#include "mmio.h"
#include "power.h"

static u32 fused_off_read(void *opaque, u32 offset)
{
	(void)opaque;
	(void)offset;
	return GEN9_DFSM_PIPE_A_DISABLE | GEN9_DFSM_PIPE_B_DISABLE | GEN9_DFSM_PIPE_C_DISABLE |
	       GEN9_DFSM_PM_DISABLE | GEN9_DFSM_HDCP_DISABLE;
}

static void ignore_write(void *opaque, u32 offset, u32 value)
{
	(void)opaque;
	(void)offset;
	(void)value;
}

/* A board with connectors at ports B, C and D. */
static u32 strap_read(void *opaque, u32 offset)
{
	(void)opaque;
	(void)offset;
	return GEN9_SFUSE_DDI_B | GEN9_SFUSE_DDI_C | GEN9_SFUSE_DDI_D;
}

/* State bits of the wells: on while any of the four requesters asks. */
static u32 well_states(const struct gm_mmio *mmio)
{
	u32 requests = gm_mmio_peek(mmio, GEN9_PWR_WELL_BIOS) |
		       gm_mmio_peek(mmio, GEN9_PWR_WELL_DRIVER) |
		       gm_mmio_peek(mmio, GEN9_PWR_WELL_KVMR) |
		       gm_mmio_peek(mmio, GEN9_PWR_WELL_DEBUG);

	return requests >> 1 & GEN9_PWR_WELL_STATES;
}

static u32 well_read(void *opaque, u32 offset)
{
	const struct gm_mmio *mmio = opaque;

	return (gm_mmio_peek(mmio, offset) & ~GEN9_PWR_WELL_STATES) | well_states(mmio);
}

/* A power gate's fuses are distributed when its well is on; gate 0 always is. */
static u32 fuse_status_read(void *opaque, u32 offset)
{
	u32 states = well_states(opaque);
	u32 value = GEN9_FUSE_DOWNLOADED | GEN9_FUSE_PG_READY(0);

	(void)offset;
	if (states & GEN9_PWR_WELL_STATE(GEN9_PWR_WELL_1))
		value |= GEN9_FUSE_PG_READY(1);
	if (states & GEN9_PWR_WELL_STATE(GEN9_PWR_WELL_2))
		value |= GEN9_FUSE_PG_READY(2);
	return value;
}

static u32 dbuf_read(void *opaque, u32 offset)
{
	u32 value = gm_mmio_peek(opaque, offset) & ~GEN9_DBUF_POWER_STATE;

	return value & GEN9_DBUF_POWER_REQUEST ? value | GEN9_DBUF_POWER_STATE : value;
}

static u32 lcpll_read(void *opaque, u32 offset)
{
	u32 value = gm_mmio_peek(opaque, offset) & ~GEN9_LCPLL_LOCK;

	return value & GEN9_PLL_ENABLE ? value | GEN9_LCPLL_LOCK : value;
}

static u32 dpll_status_read(void *opaque, u32 offset)
{
	static const u32 control[] = {
		GEN9_LCPLL1_CTL, GEN9_LCPLL2_CTL, GEN9_WRPLL1_CTL, GEN9_WRPLL2_CTL,
	};
	u32 value = 0;

	(void)offset;
	for (unsigned int i = 0; i < ARRAY_SIZE(control); i++)
		if (gm_mmio_peek(opaque, control[i]) & GEN9_PLL_ENABLE)
			value |= GEN9_DPLL_LOCK(i);
	return value;
}

/* Registers of which every bit is cleared by writing 1. */
static void clear_write(void *opaque, u32 offset, u32 value)
{
	gm_mmio_update(opaque, offset, value, 0);
}

static int add_core(struct gm_mmio *mmio)
{
	const struct gm_mmio_range ranges[] = {
		{ GEN9_FUSE_STATUS, GEN9_FUSE_STATUS, fuse_status_read, ignore_write, 0, mmio },
		{ GEN9_SFUSE_STRAP, GEN9_SFUSE_STRAP, strap_read, ignore_write, 0, mmio },
		{ GEN9_PWR_WELL_BIOS, GEN9_PWR_WELL_DEBUG, well_read, NULL, 0, mmio },
		{ GEN9_DBUF_CTL, GEN9_DBUF_CTL, dbuf_read, NULL, 0, mmio },
		{ GEN9_LCPLL1_CTL, GEN9_LCPLL1_CTL, lcpll_read, NULL, 0, mmio },
		{ GEN9_DPLL_STATUS, GEN9_DPLL_STATUS, dpll_status_read, ignore_write, 0, mmio },
		{ GEN9_PSR_IIR, GEN9_PSR_IIR, NULL, clear_write, 0, mmio },
	};
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(ranges) && !err; i++)
		err = gm_mmio_add(mmio, &ranges[i]);
	return err;
}

int gm_display_add(struct gm_mmio *mmio, bool present)
{
	const struct gm_mmio_range unclaimed = {
		.first = GEN9_FPGA_DBG,
		.last = GEN9_FPGA_DBG,
		.write = clear_write,
		.opaque = mmio,
	};
	const struct gm_mmio_range fused_off = {
		.first = GEN9_DFSM,
		.last = GEN9_DFSM,
		.read = fused_off_read,
		.write = ignore_write,
	};
	int err = gm_mmio_add(mmio, &unclaimed);

	if (err)
		return err;
	if (!present)
		return gm_mmio_add(mmio, &fused_off);
	err = add_core(mmio);
	if (!err)
		err = gm_display_add_ports(mmio);
	if (!err)
		err = gm_display_add_pipes(mmio);
	return err;
}
