/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Configuration space of a vGPU.
 */
#ifndef GVIRT_MODEL_CFG_H
#define GVIRT_MODEL_CFG_H

#include <linux/types.h>

#define GVIRT_VCFG_SIZE		256	/* bytes that hold registers */
#define GVIRT_VCFG_EXTENDED	4096	/* bytes that can be accessed; the rest is zero */

/**
 * struct gvirt_vcfg_identity - What a vGPU has from the chip and from its type
 * @device: PCI device id
 * @revision: PCI revision
 * @subsystem_vendor: subsystem ids
 * @subsystem_device: subsystem ids
 * @aperture_size: bytes of BAR2, a power of two, 128 MiB to 4 GiB
 */
struct gvirt_vcfg_identity {
	u16 device;
	u8 revision;
	u16 subsystem_vendor;
	u16 subsystem_device;
	u64 aperture_size;
};

/**
 * struct gvirt_vcfg - The space
 * @identity: what it was made with
 * @value: bytes as they are read
 * @writable: bits of them that keep what is written
 */
struct gvirt_vcfg {
	struct gvirt_vcfg_identity identity;
	u8 value[GVIRT_VCFG_SIZE];
	u8 writable[GVIRT_VCFG_SIZE];
};

/**
 * gvirt_vcfg_init() - Make the space as it is after reset
 * @cfg: to be filled
 * @identity: of the vGPU
 */
void gvirt_vcfg_init(struct gvirt_vcfg *cfg, const struct gvirt_vcfg_identity *identity);

/**
 * gvirt_vcfg_reset() - Back to the values after reset
 * @cfg: of gvirt_vcfg_init()
 */
void gvirt_vcfg_reset(struct gvirt_vcfg *cfg);

/**
 * gvirt_vcfg_read() - Read bytes
 * @cfg: the space
 * @offset: first byte; what is not there reads as zero
 * @data: gets them
 * @len: how many
 */
void gvirt_vcfg_read(const struct gvirt_vcfg *cfg, u32 offset, u8 *data, u32 len);

/**
 * gvirt_vcfg_write() - Write bytes
 * @cfg: the space
 * @offset: first byte; what is not there drops them
 * @data: the bytes
 * @len: how many
 */
void gvirt_vcfg_write(struct gvirt_vcfg *cfg, u32 offset, const u8 *data, u32 len);

#endif
