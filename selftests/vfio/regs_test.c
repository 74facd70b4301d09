// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every row of the register table by its rule: at its first, last and one middle register,
 * in each engine that it is for.
 */
#include <linux/bits.h>
#include <gvirt/gen9_gt.h>
#include "lib/engine.h"
#include "lib/reg.h"
#include "lib/reg_handler.h"

#include "groups.h"
#include "vgpu.h"

#define GGTT 0x800000u

static const u32 patterns[] = { ~0u, 0, 0xa5a55a5a, 0x0000ffff, 0xffff0000, 0x12345678 };

/* What a test does with one register. */
typedef void (*reg_fn)(const struct vgpu *vgpu, const struct gvirt_reg *row, u32 offset);

static void for_register(const struct vgpu *vgpu, const struct gvirt_reg *row, u32 base, reg_fn fn)
{
	u32 middle = (row->last - row->first) / 8 * 4;

	fn(vgpu, row, base + row->first);
	if (row->last == row->first)
		return;
	if (middle)
		fn(vgpu, row, base + row->first + middle);
	fn(vgpu, row, base + row->last);
}

static void for_rows(const struct vgpu *vgpu, const struct gvirt_reg_rows *rows, u32 base,
		     u32 engines, reg_fn fn)
{
	unsigned int i;

	for (i = 0; i < rows->count; i++)
		if (!engines || rows->row[i].engines & engines)
			for_register(vgpu, &rows->row[i], base, fn);
}

static void for_all(const struct vgpu *vgpu, reg_fn fn)
{
	const struct gvirt_reg_table *table = &gvirt_regs_gen9;
	unsigned int engine;

	for_rows(vgpu, table->global, 0, 0, fn);
	for_rows(vgpu, table->display, 0, 0, fn);
	for (engine = 0; engine < table->engines; engine++)
		for_rows(vgpu, table->engine, table->base[engine], BIT(engine), fn);
}

static void check_value(const struct vgpu *vgpu, const struct gvirt_reg *row, u32 offset,
			u32 expected)
{
	u32 value = vgpu_read(vgpu, offset);

	if (value != expected)
		test_fail("%s (%#x) is %#x, expected %#x", row->name, offset, value, expected);
}

static void check_reset(const struct vgpu *vgpu, const struct gvirt_reg *row, u32 offset)
{
	if (row->class != GVIRT_REG_HW_READ && !gvirt_reg_handler_reads(row->handler))
		check_value(vgpu, row, offset, row->reset);
}

/* Trapped registers that keep what is written, by the row's masks. */
static bool keeps(u8 handler)
{
	switch (handler) {
	case GVIRT_HANDLER_HWS_PGA:
	case GVIRT_HANDLER_RING:
	case GVIRT_HANDLER_MI_MODE:
	case GVIRT_HANDLER_GFX_MODE:
	case GVIRT_HANDLER_RING_IMR:
	case GVIRT_HANDLER_IRQ_IMR:
	case GVIRT_HANDLER_IRQ_IER:
	case GVIRT_HANDLER_FENCE:
	case GVIRT_HANDLER_RPS:
	case GVIRT_HANDLER_RC6:
		return true;
	default:
		return false;
	}
}

static void check_stored(const struct vgpu *vgpu, const struct gvirt_reg *row, u32 offset)
{
	u32 expected;
	size_t i;

	if (row->class != GVIRT_REG_RAM && !keeps(row->handler))
		return;
	expected = vgpu_read(vgpu, offset);
	for (i = 0; i < ARRAY_SIZE(patterns); i++) {
		expected = gvirt_reg_apply(row, expected, patterns[i]);
		vgpu_write(vgpu, offset, patterns[i]);
		check_value(vgpu, row, offset, expected);
	}
}

/* The chip's, denied ones, and what a guest reads only. */
static void check_constant(const struct vgpu *vgpu, const struct gvirt_reg *row, u32 offset)
{
	u32 before;
	size_t i;

	if (gvirt_reg_handler_reads(row->handler) ||
	    (row->class != GVIRT_REG_HW_READ && row->class != GVIRT_REG_DENY && row->ro != ~0u))
		return;
	before = vgpu_read(vgpu, offset);
	for (i = 0; i < ARRAY_SIZE(patterns); i++) {
		vgpu_write(vgpu, offset, patterns[i]);
		check_value(vgpu, row, offset, before);
	}
}

static void write_something(const struct vgpu *vgpu, const struct gvirt_reg *row, u32 offset)
{
	(void)row;
	vgpu_write(vgpu, offset, ~0u);
	vgpu_write(vgpu, offset, 0x5a5aa5a5);
	vgpu_read(vgpu, offset);
}

static void run(reg_fn fn)
{
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	for_all(&vgpu, fn);
	vgpu_stop(&vgpu);
}

static void reset_values(void)
{
	run(check_reset);
}

static void stored(void)
{
	run(check_stored);
}

static void constants(void)
{
	run(check_constant);
}

/* Every row is written, then all is as at first. */
static void device_reset(void)
{
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	for_all(&vgpu, write_something);
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_RESET, NULL), 0);
	for_all(&vgpu, check_reset);
	vgpu_stop(&vgpu);
}

/* The next user finds nothing of the one before. */
static void close_scrubs(void)
{
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	for_all(&vgpu, write_something);
	vgpu_close(&vgpu);
	vgpu_open(&vgpu, 0);
	for_all(&vgpu, check_reset);
	vgpu_stop(&vgpu);
}

/* A second vGPU does not see what the first one writes. */
static void side_by_side(void)
{
	struct vgpu one, two;

	vgpu_start(&one);
	vgpu_remove(1);
	EXPECT_EQ(vgpu_create(1), 0);
	vgpu_open(&two, 1);
	for_all(&one, write_something);
	for_all(&two, check_reset);
	vgpu_stop(&two);
	vgpu_stop(&one);
}

/* Fuses come from the chip, which the model has. */
static void chip_values(void)
{
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	EXPECT(vgpu_read(&vgpu, GEN9_FUSE2) & GEN9_FUSE2_SLICE_ENABLE(0));
	EXPECT(vgpu_read(&vgpu, GEN9_RP_STATE_CAP) != 0);
	vgpu_stop(&vgpu);
}

/* What has no row reads zero and is dropped; both is counted, and nothing is printed. */
static void unknown(void)
{
	struct vgpu vgpu;
	u64 before, expected = 0;
	u32 offset;

	vgpu_start(&vgpu);
	before = vgpu_counter(0, "unknown_accesses");
	for (offset = 0; offset < GGTT; offset += 0x4ac) {
		if (gvirt_reg_find(&gvirt_regs_gen9, offset).row)
			continue;
		EXPECT_EQ(vgpu_read(&vgpu, offset), 0);
		vgpu_write(&vgpu, offset, ~0u);
		EXPECT_EQ(vgpu_read(&vgpu, offset), 0);
		expected += 3;
	}
	EXPECT(expected > 3000);
	EXPECT_EQ(vgpu_counter(0, "unknown_accesses") - before, expected);
	vgpu_stop(&vgpu);
}

static unsigned int denied_registers;

static void check_denied(const struct vgpu *vgpu, const struct gvirt_reg *row, u32 offset)
{
	u64 before;

	if (row->class != GVIRT_REG_DENY)
		return;
	before = vgpu_counter(0, "denied_writes");
	vgpu_write(vgpu, offset, ~0u);
	check_value(vgpu, row, offset, row->reset);
	EXPECT_EQ(vgpu_counter(0, "denied_writes") - before, 1);
	denied_registers++;
}

static void denied(void)
{
	denied_registers = 0;
	run(check_denied);
	EXPECT(denied_registers > 20);
}

/* Bytes and words of a register, and two registers at once. */
static void widths(void)
{
	const u32 bar0 = VFIO_PCI_BAR0_REGION_INDEX;
	const u32 ram = GEN9_PCODE_DATA0;
	u64 wide = 0x1122334455667788ull;
	struct vgpu vgpu;
	u16 word = 0xbeef;
	u8 byte = 0x42;

	vgpu_start(&vgpu);
	EXPECT_EQ(vgpu_pwrite(&vgpu, bar0, ram, &wide, 8), 8);
	EXPECT_EQ(vgpu_read(&vgpu, ram), 0x55667788);
	EXPECT_EQ(vgpu_read(&vgpu, ram + 4), 0x11223344);
	EXPECT_EQ(vgpu_pwrite(&vgpu, bar0, ram + 1, &byte, 1), 1);
	EXPECT_EQ(vgpu_pwrite(&vgpu, bar0, ram + 2, &word, 2), 2);
	EXPECT_EQ(vgpu_read(&vgpu, ram), 0xbeef4288);
	EXPECT_EQ(vgpu_pread(&vgpu, bar0, ram + 3, &byte, 1), 1);
	EXPECT_EQ(byte, 0xbe);
	EXPECT_EQ(vgpu_pread(&vgpu, bar0, ram, &wide, 8), 8);
	EXPECT_EQ(wide, 0x11223344beef4288ull);
	vgpu_stop(&vgpu);
}

static const struct testcase tests[] = {
	{ "regs-reset-values", reset_values },
	{ "regs-stored", stored },
	{ "regs-constants", constants },
	{ "regs-device-reset", device_reset },
	{ "regs-close-scrubs", close_scrubs },
	{ "regs-side-by-side", side_by_side },
	{ "regs-chip-values", chip_values },
	{ "regs-unknown", unknown },
	{ "regs-denied", denied },
	{ "regs-widths", widths },
};

const struct testgroup regs_tests = { tests, ARRAY_SIZE(tests) };
