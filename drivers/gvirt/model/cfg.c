// SPDX-License-Identifier: GPL-2.0-only
/*
 * Configuration space of a vGPU: bytes, and for each the bits that a guest can
 * change.
 *
 * A BAR is sized by the bits of its address that cannot be changed. The space
 * above 256 bytes is zero, which ends the walk over extended capabilities; all ones
 * would send QEMU around in it for ever. There is no stolen memory, no OpRegion
 * and no I/O BAR.
 *
 * VGA is disabled, so the class is that of a display controller without VGA, as the
 * chip has it. QEMU takes an mdev of Intel's with VGA for one of in-tree GVT-g, and
 * crashes when it brings no OpRegion (hw/vfio/igd.c, QEMU 11.1).
 *
 * Source: see include/gvirt/gen9_pci.h.
 */
#include <linux/array_size.h>
#include <linux/log2.h>
#include <linux/pci_regs.h>
#include <linux/string.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>
#include "cfg.h"

#define BAR(n)			(PCI_BASE_ADDRESS_0 + 4 * (n))
#define CAPABILITY(id, next)	((id) | (next) << 8)
#define D3HOT			3

/* What is the same in all vGPUs. */
static const struct cfg_register {
	u8 offset;
	u8 bytes;
	u32 value;
	u32 writable;
} registers[] = {
	{ PCI_VENDOR_ID, 2, GEN9_PCI_VENDOR, 0 },
	{ PCI_COMMAND, 2, 0,
	  PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_INTX_DISABLE },
	{ PCI_STATUS, 2, PCI_STATUS_CAP_LIST, 0 },
	{ PCI_CACHE_LINE_SIZE, 1, 0, 0xff },
	{ BAR(GEN9_BAR_GTTMMADR), 4, PCI_BASE_ADDRESS_MEM_TYPE_64, (u32)-GEN9_GTTMMADR_SIZE },
	{ BAR(GEN9_BAR_GTTMMADR + 1), 4, 0, ~0u },
	{ PCI_CAPABILITY_LIST, 1, GEN9_PCI_CAPID0, 0 },
	{ PCI_INTERRUPT_LINE, 1, 0, 0xff },
	{ PCI_INTERRUPT_PIN, 1, 1, 0 },
	{ GEN9_PCI_CAPID0, 4,
	  CAPABILITY(PCI_CAP_ID_VNDR, GEN9_PCI_MSI) | GEN9_CAPID0_LENGTH << 16 |
	  GEN9_CAPID0_VERSION << 24, 0 },
	{ GEN9_PCI_DEVEN, 4, GEN9_DEVEN_D0 | GEN9_DEVEN_D2, 0 },
	{ GEN9_PCI_MSI, 2, CAPABILITY(PCI_CAP_ID_MSI, GEN9_PCI_PM), 0 },
	{ GEN9_PCI_MSI + PCI_MSI_FLAGS, 2, 0, PCI_MSI_FLAGS_ENABLE | PCI_MSI_FLAGS_QSIZE },
	{ GEN9_PCI_MSI + PCI_MSI_ADDRESS_LO, 4, 0, ~3u },
	{ GEN9_PCI_MSI + PCI_MSI_DATA_32, 2, 0, 0xffff },
	{ GEN9_PCI_PM, 4, CAPABILITY(PCI_CAP_ID_PM, 0) | GEN9_PM_CAPABILITIES << 16, 0 },
	{ GEN9_PCI_PM + PCI_PM_CTRL, 2, 0, PCI_PM_CTRL_STATE_MASK },
	{ GEN9_PCI_ASLE, 4, 0, ~0u },
	{ GEN9_PCI_SWSCI, 2, 0, 0xffff },
	{ GEN9_PCI_ASLS, 4, 0, ~0u },
};

static void set_register(struct gvirt_vcfg *cfg, const struct cfg_register *reg)
{
	unsigned int i;

	for (i = 0; i < reg->bytes; i++) {
		cfg->value[reg->offset + i] = reg->value >> (8 * i);
		cfg->writable[reg->offset + i] = reg->writable >> (8 * i);
	}
}

/* What the vGPU's type and the chip decide. The GGTT's table is always a full one. */
static void set_identity(struct gvirt_vcfg *cfg)
{
	const struct gvirt_vcfg_identity *id = &cfg->identity;
	const u64 aperture_mask = -id->aperture_size;
	const struct cfg_register own[] = {
		{ PCI_DEVICE_ID, 2, id->device, 0 },
		{ PCI_CLASS_REVISION, 4, GEN9_PCI_CLASS_NO_VGA << 8 | id->revision, 0 },
		{ PCI_SUBSYSTEM_VENDOR_ID, 2, id->subsystem_vendor, 0 },
		{ PCI_SUBSYSTEM_ID, 2, id->subsystem_device, 0 },
		{ BAR(GEN9_BAR_GMADR), 4,
		  PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH,
		  (u32)aperture_mask },
		{ BAR(GEN9_BAR_GMADR + 1), 4, 0, aperture_mask >> 32 },
		{ GEN9_PCI_MGGC, 2,
		  GEN9_MGGC_LOCK | GEN9_MGGC_VGA_DISABLE |
		  ilog2(GEN9_GGTT_TABLE_SIZE >> 20) << GEN9_MGGC_GGMS_SHIFT, 0 },
		{ GEN9_PCI_MSAC, 1, id->aperture_size / GEN9_MSAC_UNIT - 1, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(own); i++)
		set_register(cfg, &own[i]);
}

void gvirt_vcfg_reset(struct gvirt_vcfg *cfg)
{
	unsigned int i;

	memset(cfg->value, 0, sizeof(cfg->value));
	memset(cfg->writable, 0, sizeof(cfg->writable));
	for (i = 0; i < ARRAY_SIZE(registers); i++)
		set_register(cfg, &registers[i]);
	set_identity(cfg);
}

void gvirt_vcfg_init(struct gvirt_vcfg *cfg, const struct gvirt_vcfg_identity *identity)
{
	cfg->identity = *identity;
	gvirt_vcfg_reset(cfg);
}

void gvirt_vcfg_read(const struct gvirt_vcfg *cfg, u32 offset, u8 *data, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		data[i] = offset + i < GVIRT_VCFG_SIZE ? cfg->value[offset + i] : 0;
}

/* D1 and D2 are not there: the datasheet has such a write discarded. */
static bool is_power_state(u8 value)
{
	u8 state = value & PCI_PM_CTRL_STATE_MASK;

	return state == 0 || state == D3HOT;
}

static void write_byte(struct gvirt_vcfg *cfg, u32 offset, u8 value)
{
	u8 writable;

	if (offset >= GVIRT_VCFG_SIZE)
		return;
	if (offset == GEN9_PCI_PM + PCI_PM_CTRL && !is_power_state(value))
		return;
	writable = cfg->writable[offset];
	cfg->value[offset] = (cfg->value[offset] & ~writable) | (value & writable);
}

void gvirt_vcfg_write(struct gvirt_vcfg *cfg, u32 offset, const u8 *data, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		write_byte(cfg, offset + i, data[i]);
}
