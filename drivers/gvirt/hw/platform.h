/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which chips gvirt drives, and what differs between them.
 */
#ifndef GVIRT_HW_PLATFORM_H
#define GVIRT_HW_PLATFORM_H

#include <linux/bits.h>
#include <linux/pci.h>
#include <linux/types.h>
#include "lib/engine.h"

/* Families, as bits: workarounds name the families that need them. */
#define GVIRT_FAMILY_SKL	BIT(0)	/* Skylake */
#define GVIRT_FAMILY_KBL	BIT(1)	/* Kaby Lake, Amber Lake */
#define GVIRT_FAMILY_CFL	BIT(2)	/* Coffee Lake, Whiskey Lake */
#define GVIRT_FAMILY_CML	BIT(3)	/* Comet Lake */
#define GVIRT_FAMILY_ANY	(~0u)

/**
 * struct gvirt_platform - A row of the platform table
 * @name: marketing-free name, e.g. "Skylake GT2"
 * @family: one of GVIRT_FAMILY_*
 * @engine_mask: BIT(enum gvirt_engine_id) of each engine that gvirt drives
 */
struct gvirt_platform {
	const char *name;
	u32 family;
	u32 engine_mask;
};

/*
 * PCI ids of all known chips; driver_data is the platform's number.
 *
 * Ends with an empty row. Not a MODULE_DEVICE_TABLE: i915 matches the same
 * ids, and a desktop must not lose its display to a module that udev loaded.
 */
extern const struct pci_device_id gvirt_platform_ids[];

/**
 * gvirt_platform_get() - The row that a PCI id belongs to
 * @id: an entry of gvirt_platform_ids
 *
 * Return: the row; never NULL.
 */
const struct gvirt_platform *gvirt_platform_get(const struct pci_device_id *id);

#endif
