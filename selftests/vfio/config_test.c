// SPDX-License-Identifier: GPL-2.0-only
/*
 * Configuration space: identity, sizes of BARs, capabilities, what cannot be changed.
 */
#include <string.h>
#include <linux/pci_regs.h>
#include <gvirt/gen9_pci.h>

#include "groups.h"
#include "vgpu.h"

#define APERTURE_SIZE 0x10000000u

static void identity(void)
{
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	EXPECT_EQ(vgpu_cfg(&vgpu, PCI_VENDOR_ID, 2), GEN9_PCI_VENDOR);
	/* The lab's GPU is a Skylake GT2. */
	EXPECT_EQ(vgpu_cfg(&vgpu, PCI_DEVICE_ID, 2), 0x1912);
	EXPECT_EQ(vgpu_cfg(&vgpu, PCI_CLASS_REVISION, 4) >> 8, GEN9_PCI_CLASS_NO_VGA);
	EXPECT_EQ(vgpu_cfg(&vgpu, PCI_HEADER_TYPE, 1), 0);
	EXPECT_EQ(vgpu_cfg(&vgpu, PCI_INTERRUPT_PIN, 1), 1);
	/* A table of 8 MiB, no VGA, no stolen memory. */
	EXPECT_EQ(vgpu_cfg(&vgpu, GEN9_PCI_MGGC, 2), 0x00c3);
	EXPECT_EQ(vgpu_cfg(&vgpu, GEN9_PCI_MSAC, 1), 1);
	EXPECT_EQ(vgpu_cfg(&vgpu, GEN9_PCI_ASLS, 4), 0);
	vgpu_stop(&vgpu);
}

/* What a BAR reads after all ones were written, and the address that it takes. */
static void check_bar(const struct vgpu *vgpu, unsigned int n, u32 sized, u32 flags)
{
	u32 offset = PCI_BASE_ADDRESS_0 + 4 * n;

	EXPECT_EQ(vgpu_cfg(vgpu, offset, 4), flags);
	vgpu_cfg_write(vgpu, offset, 4, ~0u);
	EXPECT_EQ(vgpu_cfg(vgpu, offset, 4), sized);
	vgpu_cfg_write(vgpu, offset, 4, 0xc0000000);
	EXPECT_EQ(vgpu_cfg(vgpu, offset, 4), 0xc0000000 & sized ? 0xc0000000 | flags : flags);
}

static void bars(void)
{
	const u32 wide = PCI_BASE_ADDRESS_MEM_TYPE_64;
	const u32 prefetch = wide | PCI_BASE_ADDRESS_MEM_PREFETCH;
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	check_bar(&vgpu, 0, -GEN9_GTTMMADR_SIZE | wide, wide);
	check_bar(&vgpu, 1, ~0u, 0);
	check_bar(&vgpu, 2, -APERTURE_SIZE | prefetch, prefetch);
	check_bar(&vgpu, 3, ~0u, 0);
	check_bar(&vgpu, 4, 0, 0);
	check_bar(&vgpu, 5, 0, 0);
	vgpu_cfg_write(&vgpu, PCI_ROM_ADDRESS, 4, ~0u);
	EXPECT_EQ(vgpu_cfg(&vgpu, PCI_ROM_ADDRESS, 4), 0);
	/* Byte by byte as well. */
	vgpu_cfg_write(&vgpu, PCI_BASE_ADDRESS_0 + 3, 1, 0xfe);
	EXPECT_EQ(vgpu_cfg(&vgpu, PCI_BASE_ADDRESS_0, 4), 0xfe000000 | wide);
	vgpu_stop(&vgpu);
}

/* The chain ends, and has the three capabilities at their places. */
static void capabilities(void)
{
	static const struct {
		u32 place;
		u32 id;
	} chain[] = {
		{ GEN9_PCI_CAPID0, PCI_CAP_ID_VNDR },
		{ GEN9_PCI_MSI, PCI_CAP_ID_MSI },
		{ GEN9_PCI_PM, PCI_CAP_ID_PM },
	};
	struct vgpu vgpu;
	u32 at;
	size_t i;

	vgpu_start(&vgpu);
	EXPECT(vgpu_cfg(&vgpu, PCI_STATUS, 2) & PCI_STATUS_CAP_LIST);
	at = vgpu_cfg(&vgpu, PCI_CAPABILITY_LIST, 1);
	for (i = 0; i < ARRAY_SIZE(chain); i++) {
		EXPECT_EQ(at, chain[i].place);
		EXPECT_EQ(vgpu_cfg(&vgpu, at, 1), chain[i].id);
		at = vgpu_cfg(&vgpu, at + PCI_CAP_LIST_NEXT, 1);
	}
	EXPECT_EQ(at, 0);
	vgpu_stop(&vgpu);
}

static void msi_and_power(void)
{
	const u32 pm = GEN9_PCI_PM + PCI_PM_CTRL;
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	vgpu_cfg_write(&vgpu, GEN9_PCI_MSI + PCI_MSI_FLAGS, 2, 0xffff);
	EXPECT_EQ(vgpu_cfg(&vgpu, GEN9_PCI_MSI + PCI_MSI_FLAGS, 2),
		  PCI_MSI_FLAGS_ENABLE | PCI_MSI_FLAGS_QSIZE);
	vgpu_cfg_write(&vgpu, GEN9_PCI_MSI + PCI_MSI_ADDRESS_LO, 4, 0xfee00123);
	EXPECT_EQ(vgpu_cfg(&vgpu, GEN9_PCI_MSI + PCI_MSI_ADDRESS_LO, 4), 0xfee00120);
	/* D3hot is there, D1 is not. */
	vgpu_cfg_write(&vgpu, pm, 2, 3);
	EXPECT_EQ(vgpu_cfg(&vgpu, pm, 2), 3);
	vgpu_cfg_write(&vgpu, pm, 2, 1);
	EXPECT_EQ(vgpu_cfg(&vgpu, pm, 2), 3);
	vgpu_cfg_write(&vgpu, pm, 2, 0);
	EXPECT_EQ(vgpu_cfg(&vgpu, pm, 2), 0);
	vgpu_stop(&vgpu);
}

/* All ones above 256 bytes would keep QEMU walking for ever. */
static void extended_is_zero(void)
{
	static u8 space[4096];
	struct vgpu vgpu;
	size_t i;

	vgpu_start(&vgpu);
	memset(space, 0xff, sizeof(space));
	EXPECT_EQ(vgpu_pwrite(&vgpu, VFIO_PCI_CONFIG_REGION_INDEX, 256, space, 3840), 3840);
	EXPECT_EQ(vgpu_pread(&vgpu, VFIO_PCI_CONFIG_REGION_INDEX, 0, space, 4096), 4096);
	for (i = 256; i < sizeof(space); i++)
		EXPECT_EQ(space[i], 0);
	EXPECT_EQ(space[0] | space[1] << 8, GEN9_PCI_VENDOR);
	vgpu_stop(&vgpu);
}

/* Whatever is written, identity and capabilities stay. */
static void constants(void)
{
	static const u32 constant[] = {
		PCI_VENDOR_ID, PCI_CLASS_REVISION, PCI_SUBSYSTEM_VENDOR_ID, PCI_CAPABILITY_LIST,
		GEN9_PCI_CAPID0, GEN9_PCI_MGGC, GEN9_PCI_DEVEN, GEN9_PCI_BDSM, GEN9_PCI_PM,
	};
	struct vgpu vgpu;
	u32 before;
	size_t i;

	vgpu_start(&vgpu);
	for (i = 0; i < ARRAY_SIZE(constant); i++) {
		before = vgpu_cfg(&vgpu, constant[i], 4);
		vgpu_cfg_write(&vgpu, constant[i], 4, ~before);
		EXPECT_EQ(vgpu_cfg(&vgpu, constant[i], 4), before);
	}
	vgpu_stop(&vgpu);
}

static const struct testcase tests[] = {
	{ "config-identity", identity },
	{ "config-bars", bars },
	{ "config-capabilities", capabilities },
	{ "config-msi-and-power", msi_and_power },
	{ "config-extended-is-zero", extended_is_zero },
	{ "config-constants", constants },
};

const struct testgroup config_tests = { tests, ARRAY_SIZE(tests) };
