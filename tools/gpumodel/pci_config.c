// SPDX-License-Identifier: GPL-2.0-only
/*
 * PCI configuration space of the GPU, see pci_config.h.
 *
 * A register is a row with its value after reset and the bits that can be
 * written; everything else is zero and stays so. The status register has no
 * bit that a write clears: the chip never reports what those bits stand for, so
 * they are hardwired to zero. What the VMM emulates itself (BARs, MSI) works
 * here all the same, since it forwards or reads back some of it.
 *
 * Source: see include/gvirt/gen9_pci.h.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>
#include <linux/pci_regs.h>
#include <gvirt/gen9_pci.h>

#include "pci_config.h"
#include "platform.h"

/**
 * struct pci_register - A row
 * @offset: where it stands
 * @width: bytes: 1, 2 or 4
 * @value: after reset
 * @writable: bits that keep what is written
 */
struct pci_register {
	u16 offset;
	u8 width;
	u32 value;
	u32 writable;
};

/**
 * struct gm_pci_config - The space
 * @platform: the chip
 * @value: bytes as they are read
 * @writable: bits of them that keep what is written
 */
struct gm_pci_config {
	const struct gm_platform *platform;
	u8 value[GM_PCI_CONFIG_SIZE];
	u8 writable[GM_PCI_CONFIG_SIZE];
};

/* Values of PCI_PM_CTRL_STATE_MASK. */
#define POWER_D0 0
#define POWER_D3HOT 3

#define BAR(n) (PCI_BASE_ADDRESS_0 + 4 * (n))
#define CAPABILITY(id, next) ((id) | (next) << 8)

static const struct pci_register registers[] = {
	/* Header. */
	{ PCI_VENDOR_ID,	2, GEN9_PCI_VENDOR, 0 },
	{ PCI_COMMAND,		2, 0, PCI_COMMAND_IO | PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
				      PCI_COMMAND_INTX_DISABLE },
	{ PCI_STATUS,		2, PCI_STATUS_CAP_LIST, 0 },
	{ PCI_CACHE_LINE_SIZE,	1, 0, 0xff },
	{ BAR(GEN9_BAR_GTTMMADR), 4, PCI_BASE_ADDRESS_MEM_TYPE_64, ~(GEN9_GTTMMADR_SIZE - 1u) },
	{ BAR(GEN9_BAR_GTTMMADR + 1), 4, 0, ~0u },
	{ BAR(GEN9_BAR_GMADR + 1), 4, 0, ~0u },
	{ BAR(GEN9_BAR_IO),	4, PCI_BASE_ADDRESS_SPACE_IO, 0xffff & ~(GEN9_IOBAR_SIZE - 1u) },
	{ PCI_SUBSYSTEM_VENDOR_ID, 2, GEN9_PCI_VENDOR, 0 },
	{ PCI_CAPABILITY_LIST,	1, GEN9_PCI_CAPID0, 0 },
	{ PCI_INTERRUPT_LINE,	1, 0, 0xff },
	{ PCI_INTERRUPT_PIN,	1, 1, 0 },

	/* Capabilities. No fuse of the vendor-specific one is blown. */
	{ GEN9_PCI_CAPID0,	2, CAPABILITY(PCI_CAP_ID_VNDR, GEN9_PCI_MSI), 0 },
	{ GEN9_PCI_CAPID0 + 2,	2, GEN9_CAPID0_LENGTH | GEN9_CAPID0_VERSION << 8, 0 },
	{ GEN9_PCI_MSI,		2, CAPABILITY(PCI_CAP_ID_MSI, GEN9_PCI_PM), 0 },
	{ GEN9_PCI_MSI + PCI_MSI_FLAGS, 2, 0, PCI_MSI_FLAGS_ENABLE | PCI_MSI_FLAGS_QSIZE },
	{ GEN9_PCI_MSI + PCI_MSI_ADDRESS_LO, 4, 0, ~3u },
	{ GEN9_PCI_MSI + PCI_MSI_DATA_32, 2, 0, 0xffff },
	{ GEN9_PCI_PM,		2, CAPABILITY(PCI_CAP_ID_PM, 0), 0 },
	{ GEN9_PCI_PM + PCI_PM_PMC, 2, GEN9_PM_CAPABILITIES, 0 },
	{ GEN9_PCI_PM + PCI_PM_CTRL, 2, 0, PCI_PM_CTRL_STATE_MASK },

	/* The device's own: no stolen memory, no OpRegion. */
	{ GEN9_PCI_DEVEN,	4, GEN9_DEVEN_D0 | GEN9_DEVEN_D2, 0 },
	{ GEN9_PCI_BDSM,	4, 0, 0 },
	{ GEN9_PCI_ASLE,	4, 0, ~0u },
	{ GEN9_PCI_SWSCI,	2, 0, 0xffff },
	{ GEN9_PCI_ASLS,	4, 0, ~0u },
};

static void set_bytes(u8 *bytes, u32 value, unsigned int width)
{
	unsigned int i;

	for (i = 0; i < width; i++)
		bytes[i] = value >> (8 * i);
}

static void set_register(struct gm_pci_config *config, const struct pci_register *reg)
{
	set_bytes(&config->value[reg->offset], reg->value, reg->width);
	set_bytes(&config->writable[reg->offset], reg->writable, reg->width);
}

/* GGMS for a GGTT table of @size bytes, which has 1 << GGMS MiB. */
static u32 encode_ggms(u32 size)
{
	return __builtin_ctz(size >> 20) << GEN9_MGGC_GGMS_SHIFT;
}

static void set_platform_registers(struct gm_pci_config *config)
{
	const struct gm_platform *platform = config->platform;
	const struct pci_register rows[] = {
		{ PCI_DEVICE_ID, 2, platform->device_id, 0 },
		{ PCI_SUBSYSTEM_ID, 2, platform->device_id, 0 },
		{ PCI_CLASS_REVISION, 4, platform->revision | GEN9_PCI_CLASS_VGA << 8, 0 },
		{ BAR(GEN9_BAR_GMADR), 4,
		  PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH,
		  ~(platform->aperture_size - 1) },
		{ GEN9_PCI_MGGC, 2, GEN9_MGGC_LOCK | encode_ggms(platform->ggtt_size), 0 },
		{ GEN9_PCI_MSAC, 1, platform->aperture_size / GEN9_MSAC_UNIT - 1, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		set_register(config, &rows[i]);
}

void gm_pci_config_reset(struct gm_pci_config *config)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(registers); i++)
		set_register(config, &registers[i]);
	set_platform_registers(config);
}

struct gm_pci_config *gm_pci_config_create(const struct gm_platform *platform)
{
	struct gm_pci_config *config = calloc(1, sizeof(*config));

	if (!config)
		return NULL;
	config->platform = platform;
	gm_pci_config_reset(config);
	return config;
}

void gm_pci_config_destroy(struct gm_pci_config *config)
{
	free(config);
}

/* D1 and D2 are not there: the datasheet has such a write discarded. */
static bool power_state_exists(u8 value)
{
	u8 state = value & PCI_PM_CTRL_STATE_MASK;

	return state == POWER_D0 || state == POWER_D3HOT;
}

static void write_byte(struct gm_pci_config *config, u64 offset, u8 data)
{
	u8 mask = config->writable[offset];

	if (offset == GEN9_PCI_PM + PCI_PM_CTRL && !power_state_exists(data))
		return;
	config->value[offset] = (config->value[offset] & ~mask) | (data & mask);
}

bool gm_pci_config_access(struct gm_pci_config *config, u64 offset, void *buf, size_t len,
			  bool write)
{
	const u8 *data = buf;
	size_t i;

	if (offset > GM_PCI_CONFIG_SIZE || len > GM_PCI_CONFIG_SIZE - offset)
		return false;
	if (!write) {
		memcpy(buf, &config->value[offset], len);
		return true;
	}
	for (i = 0; i < len; i++)
		write_byte(config, offset + i, data[i]);
	return true;
}
