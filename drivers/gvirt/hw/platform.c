// SPDX-License-Identifier: GPL-2.0-only
/*
 * The platform table: chips by PCI id.
 *
 * Chips of GT3 and GT4 (a second video engine, embedded DRAM) are not in it:
 * nothing drives their second video engine, and nobody could test it.
 *
 * Source: Linux, include/drm/intel/pciids.h.
 */
#include <linux/module.h>
#include <gvirt/gen9_pci.h>
#include "platform.h"

#define ENGINES_OF_GT2 \
	(BIT(GVIRT_RCS) | BIT(GVIRT_BCS) | BIT(GVIRT_VCS) | BIT(GVIRT_VECS))

enum platform_id {
	SKL_GT1,
	SKL_GT2,
	KBL_GT1,
	KBL_GT2,
	CFL_GT1,
	CFL_GT2,
	CML_GT1,
	CML_GT2,
};

static const struct gvirt_platform platforms[] = {
	[SKL_GT1] = { "Skylake GT1", GVIRT_FAMILY_SKL, ENGINES_OF_GT2 },
	[SKL_GT2] = { "Skylake GT2", GVIRT_FAMILY_SKL, ENGINES_OF_GT2 },
	[KBL_GT1] = { "Kaby Lake GT1", GVIRT_FAMILY_KBL, ENGINES_OF_GT2 },
	[KBL_GT2] = { "Kaby Lake GT2", GVIRT_FAMILY_KBL, ENGINES_OF_GT2 },
	[CFL_GT1] = { "Coffee Lake GT1", GVIRT_FAMILY_CFL, ENGINES_OF_GT2 },
	[CFL_GT2] = { "Coffee Lake GT2", GVIRT_FAMILY_CFL, ENGINES_OF_GT2 },
	[CML_GT1] = { "Comet Lake GT1", GVIRT_FAMILY_CML, ENGINES_OF_GT2 },
	[CML_GT2] = { "Comet Lake GT2", GVIRT_FAMILY_CML, ENGINES_OF_GT2 },
};

#define CHIP(device, platform) { PCI_DEVICE(GEN9_PCI_VENDOR, device), .driver_data = platform }

const struct pci_device_id gvirt_platform_ids[] = {
	/* Skylake: desktop, server, halo, mobile. */
	CHIP(0x1902, SKL_GT1),
	CHIP(0x1906, SKL_GT1),
	CHIP(0x190a, SKL_GT1),
	CHIP(0x190b, SKL_GT1),
	CHIP(0x190e, SKL_GT1),
	CHIP(0x1912, SKL_GT2),
	CHIP(0x1916, SKL_GT2),
	CHIP(0x191a, SKL_GT2),
	CHIP(0x191b, SKL_GT2),
	CHIP(0x191d, SKL_GT2),
	CHIP(0x191e, SKL_GT2),
	CHIP(0x1921, SKL_GT2),
	/* Kaby Lake, and Amber Lake with its core. */
	CHIP(0x5902, KBL_GT1),
	CHIP(0x5906, KBL_GT1),
	CHIP(0x5908, KBL_GT1),
	CHIP(0x590a, KBL_GT1),
	CHIP(0x590b, KBL_GT1),
	CHIP(0x590e, KBL_GT1),
	CHIP(0x5912, KBL_GT2),
	CHIP(0x5916, KBL_GT2),
	CHIP(0x5917, KBL_GT2),
	CHIP(0x591a, KBL_GT2),
	CHIP(0x591b, KBL_GT2),
	CHIP(0x591c, KBL_GT2),
	CHIP(0x591d, KBL_GT2),
	CHIP(0x591e, KBL_GT2),
	CHIP(0x5921, KBL_GT2),
	CHIP(0x87c0, KBL_GT2),
	/* Coffee Lake, Whiskey Lake, and Amber Lake with their core. */
	CHIP(0x3e90, CFL_GT1),
	CHIP(0x3e93, CFL_GT1),
	CHIP(0x3e99, CFL_GT1),
	CHIP(0x3e9c, CFL_GT1),
	CHIP(0x3ea1, CFL_GT1),
	CHIP(0x3ea4, CFL_GT1),
	CHIP(0x3e91, CFL_GT2),
	CHIP(0x3e92, CFL_GT2),
	CHIP(0x3e94, CFL_GT2),
	CHIP(0x3e96, CFL_GT2),
	CHIP(0x3e98, CFL_GT2),
	CHIP(0x3e9a, CFL_GT2),
	CHIP(0x3e9b, CFL_GT2),
	CHIP(0x3ea0, CFL_GT2),
	CHIP(0x3ea3, CFL_GT2),
	CHIP(0x3ea9, CFL_GT2),
	CHIP(0x87ca, CFL_GT2),
	/* Comet Lake. */
	CHIP(0x9b21, CML_GT1),
	CHIP(0x9ba2, CML_GT1),
	CHIP(0x9ba4, CML_GT1),
	CHIP(0x9ba5, CML_GT1),
	CHIP(0x9ba8, CML_GT1),
	CHIP(0x9baa, CML_GT1),
	CHIP(0x9bac, CML_GT1),
	CHIP(0x9b41, CML_GT2),
	CHIP(0x9bc2, CML_GT2),
	CHIP(0x9bc4, CML_GT2),
	CHIP(0x9bc5, CML_GT2),
	CHIP(0x9bc6, CML_GT2),
	CHIP(0x9bc8, CML_GT2),
	CHIP(0x9bca, CML_GT2),
	CHIP(0x9bcc, CML_GT2),
	CHIP(0x9be6, CML_GT2),
	CHIP(0x9bf6, CML_GT2),
	{ }
};

const struct gvirt_platform *gvirt_platform_get(const struct pci_device_id *id)
{
	return &platforms[id->driver_data];
}
