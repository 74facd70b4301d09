// SPDX-License-Identifier: GPL-2.0-only
/*
 * PCI configuration space: what a driver and a VMM find there, how BARs are
 * sized, and that nothing else can be changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include <linux/pci_regs.h>
#include <gvirt/gen9_pci.h>

#include "pci_config.h"
#include "platform.h"

static const struct gm_platform platform = {
	.name = "test",
	.device_id = 0x1912,
	.revision = 0x06,
	.ggtt_size = 8u << 20,
	.aperture_size = 256u << 20,
};

static u32 get(struct gm_pci_config *config, u32 offset, size_t len)
{
	u32 value = 0;

	assert_true(gm_pci_config_access(config, offset, &value, len, false));
	return value;
}

static void set(struct gm_pci_config *config, u32 offset, size_t len, u32 value)
{
	assert_true(gm_pci_config_access(config, offset, &value, len, true));
}

static int setup(void **state)
{
	*state = gm_pci_config_create(&platform);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	gm_pci_config_destroy(*state);
	return 0;
}

static void identity(void **state)
{
	struct gm_pci_config *config = *state;

	assert_int_equal(get(config, PCI_VENDOR_ID, 4), 0x19128086);
	assert_int_equal(get(config, PCI_CLASS_REVISION, 4), 0x03000006);
	assert_int_equal(get(config, PCI_HEADER_TYPE, 1), PCI_HEADER_TYPE_NORMAL);
	assert_int_equal(get(config, PCI_SUBSYSTEM_VENDOR_ID, 2), 0x8086);
	assert_int_equal(get(config, PCI_INTERRUPT_PIN, 1), 1);
	assert_int_equal(get(config, PCI_ROM_ADDRESS, 4), 0);
}

static void i915_registers(void **state)
{
	struct gm_pci_config *config = *state;

	assert_int_equal(get(config, GEN9_PCI_MGGC, 2), 0x00c1);
	assert_int_equal(get(config, GEN9_PCI_BDSM, 4), 0);
	assert_int_equal(get(config, GEN9_PCI_MSAC, 1), 1);
	assert_int_equal(get(config, GEN9_PCI_ASLS, 4), 0);
	assert_int_equal(get(config, GEN9_PCI_SWSCI, 2), 0);
}

/* What a walk over the list finds, in order; it must end. */
static void capability_chain(void **state)
{
	static const u8 expected[][2] = {
		{ 0x40, PCI_CAP_ID_VNDR }, { 0xac, PCI_CAP_ID_MSI }, { 0xd0, PCI_CAP_ID_PM },
	};
	struct gm_pci_config *config = *state;
	u32 at = get(config, PCI_CAPABILITY_LIST, 1);
	size_t i;

	assert_true(get(config, PCI_STATUS, 2) & PCI_STATUS_CAP_LIST);
	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_int_equal(at, expected[i][0]);
		assert_int_equal(get(config, at, 1), expected[i][1]);
		at = get(config, at + 1, 1);
	}
	assert_int_equal(at, 0);
}

static void bar_sizing(void **state)
{
	static const struct {
		u32 offset;
		u32 ones;
		u32 zeros;
	} bars[] = {
		{ PCI_BASE_ADDRESS_0, 0xff000004, 0x4 },	/* 16 MiB, 64-bit */
		{ PCI_BASE_ADDRESS_1, 0xffffffff, 0x0 },
		{ PCI_BASE_ADDRESS_2, 0xf000000c, 0xc },	/* 256 MiB, 64-bit, prefetchable */
		{ PCI_BASE_ADDRESS_3, 0xffffffff, 0x0 },
		{ PCI_BASE_ADDRESS_4, 0x0000ffc1, 0x1 },	/* 64 ports */
		{ PCI_BASE_ADDRESS_5, 0x00000000, 0x0 },
		{ PCI_ROM_ADDRESS, 0x00000000, 0x0 },
	};
	struct gm_pci_config *config = *state;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bars); i++) {
		set(config, bars[i].offset, 4, 0xffffffff);
		assert_int_equal(get(config, bars[i].offset, 4), bars[i].ones);
		set(config, bars[i].offset, 4, 0);
		assert_int_equal(get(config, bars[i].offset, 4), bars[i].zeros);
	}
}

/* All ones everywhere: only what is known to be writable may have changed. */
static void read_only_holds(void **state)
{
	static const struct {
		u32 offset;
		u32 mask;
	} writable[] = {
		{ 0x04, 0x00000407 }, { 0x0c, 0x000000ff }, { 0x10, 0xff000000 },
		{ 0x14, 0xffffffff }, { 0x18, 0xf0000000 }, { 0x1c, 0xffffffff },
		{ 0x20, 0x0000ffc0 }, { 0x3c, 0x000000ff }, { 0xac, 0x00710000 },
		{ 0xb0, 0xfffffffc }, { 0xb4, 0x0000ffff }, { 0xd4, 0x00000003 },
		{ 0xe4, 0xffffffff }, { 0xe8, 0x0000ffff }, { 0xfc, 0xffffffff },
	};
	struct gm_pci_config *config = *state;
	u32 offset, before, mask;
	size_t i;

	for (offset = 0; offset < GM_PCI_CONFIG_SIZE; offset += 4) {
		mask = 0;
		for (i = 0; i < ARRAY_SIZE(writable); i++)
			if (writable[i].offset == offset)
				mask = writable[i].mask;
		before = get(config, offset, 4);
		set(config, offset, 4, 0xffffffff);
		assert_int_equal(get(config, offset, 4), before | mask);
		set(config, offset, 4, 0);
		assert_int_equal(get(config, offset, 4), before & ~mask);
	}
}

static void extended_space_is_zero(void **state)
{
	struct gm_pci_config *config = *state;
	u32 offset;

	for (offset = PCI_CFG_SPACE_SIZE; offset < GM_PCI_CONFIG_SIZE; offset += 4)
		assert_int_equal(get(config, offset, 4), 0);
}

static void bounds(void **state)
{
	static const struct {
		u64 offset;
		size_t len;
		bool good;
	} accesses[] = {
		{ 4095, 1, true }, { 4096, 0, true }, { 4096, 1, false }, { 4093, 4, false },
		{ ~0ULL, 4, false }, { ~0ULL - 3, 4, false }, { 0, 8, true },
	};
	struct gm_pci_config *config = *state;
	u8 buf[8] = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(accesses); i++) {
		assert_int_equal(gm_pci_config_access(config, accesses[i].offset, buf,
						      accesses[i].len, false), accesses[i].good);
		assert_int_equal(gm_pci_config_access(config, accesses[i].offset, buf,
						      accesses[i].len, true), accesses[i].good);
	}
}

static void power_states(void **state)
{
	struct gm_pci_config *config = *state;

	set(config, GEN9_PCI_PM + PCI_PM_CTRL, 2, 3);
	assert_int_equal(get(config, GEN9_PCI_PM + PCI_PM_CTRL, 2), 3);
	/* D1 and D2 do not exist. */
	set(config, GEN9_PCI_PM + PCI_PM_CTRL, 2, 1);
	set(config, GEN9_PCI_PM + PCI_PM_CTRL, 1, 2);
	assert_int_equal(get(config, GEN9_PCI_PM + PCI_PM_CTRL, 2), 3);
	set(config, GEN9_PCI_PM + PCI_PM_CTRL, 2, 0);
	assert_int_equal(get(config, GEN9_PCI_PM + PCI_PM_CTRL, 2), 0);
}

static void partial_writes(void **state)
{
	struct gm_pci_config *config = *state;

	set(config, GEN9_PCI_ASLS, 4, 0x11223344);
	set(config, GEN9_PCI_ASLS + 2, 1, 0xaa);
	assert_int_equal(get(config, GEN9_PCI_ASLS, 4), 0x11aa3344);
	assert_int_equal(get(config, GEN9_PCI_ASLS + 1, 2), 0xaa33);
}

static void reset_brings_back(void **state)
{
	struct gm_pci_config *config = *state;
	u8 before[256], after[256], ones[256];

	memset(ones, 0xff, sizeof(ones));
	assert_true(gm_pci_config_access(config, 0, before, sizeof(before), false));
	assert_true(gm_pci_config_access(config, 0, ones, sizeof(ones), true));
	assert_true(gm_pci_config_access(config, 0, after, sizeof(after), false));
	assert_memory_not_equal(before, after, sizeof(before));
	gm_pci_config_reset(config);
	assert_true(gm_pci_config_access(config, 0, after, sizeof(after), false));
	assert_memory_equal(before, after, sizeof(before));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(identity, setup, teardown),
		cmocka_unit_test_setup_teardown(i915_registers, setup, teardown),
		cmocka_unit_test_setup_teardown(capability_chain, setup, teardown),
		cmocka_unit_test_setup_teardown(bar_sizing, setup, teardown),
		cmocka_unit_test_setup_teardown(read_only_holds, setup, teardown),
		cmocka_unit_test_setup_teardown(extended_space_is_zero, setup, teardown),
		cmocka_unit_test_setup_teardown(bounds, setup, teardown),
		cmocka_unit_test_setup_teardown(power_states, setup, teardown),
		cmocka_unit_test_setup_teardown(partial_writes, setup, teardown),
		cmocka_unit_test_setup_teardown(reset_brings_back, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
