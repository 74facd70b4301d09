/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PCI configuration space of the GPU: 4096 bytes, zeros from 0x100 on.
 */
#ifndef GM_PCI_CONFIG_H
#define GM_PCI_CONFIG_H

#include <linux/types.h>

#define GM_PCI_CONFIG_SIZE 4096

struct gm_pci_config;
struct gm_platform;

/**
 * gm_pci_config_create() - Make a configuration space, as after a reset
 * @platform: which chip; kept, not copied
 *
 * Return: the space, NULL when memory is short.
 */
struct gm_pci_config *gm_pci_config_create(const struct gm_platform *platform);
void gm_pci_config_destroy(struct gm_pci_config *config);

/**
 * gm_pci_config_access() - Read or write configuration space
 * @config: the space
 * @offset: where
 * @buf: what to write, or where to read to
 * @len: bytes
 * @write: write, else read
 *
 * Bits that are read-only hold; nothing that is read changes by reading.
 *
 * Return: false, and nothing done, beyond the end.
 */
bool gm_pci_config_access(struct gm_pci_config *config, u64 offset, void *buf, size_t len,
			  bool write);

/* Values after a reset. */
void gm_pci_config_reset(struct gm_pci_config *config);

#endif
