/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gen9: PCI configuration space of the graphics device (bus 0, device 2).
 *
 * Registers of the PCI standard have their names from <linux/pci_regs.h>; here
 * is what the device has beyond that, and where its capabilities stand.
 *
 * Sources: 6th and 7th Generation Intel Processor Families, Datasheet,
 * Volume 2 of 2, chapter "Processor Graphics Registers"; Linux,
 * include/drm/intel/i915_drm.h and pci_config.h for what i915 reads.
 */
#ifndef GVIRT_GEN9_PCI_H
#define GVIRT_GEN9_PCI_H

#include <linux/bits.h>
#include <linux/types.h>

#define GEN9_PCI_VENDOR			0x8086
#define GEN9_PCI_CLASS_VGA		0x030000
#define GEN9_PCI_CLASS_NO_VGA		0x038000	/* with GEN9_MGGC_VGA_DISABLE */

/* BARs, by the number of their first register. */
#define GEN9_BAR_GTTMMADR		0	/* 64-bit memory: registers and GGTT */
#define GEN9_BAR_GMADR			2	/* 64-bit prefetchable memory: the aperture */
#define GEN9_BAR_IO			4	/* I/O ports: index and data of a register */
#define GEN9_GTTMMADR_SIZE		0x1000000
#define GEN9_GTTMMADR_GGTT		0x800000	/* where the GGTT starts in it */
#define GEN9_IOBAR_SIZE			64

/* The chain of capabilities, in its order. */
#define GEN9_PCI_CAPID0			0x40	/* vendor-specific: fuses */
#define   GEN9_CAPID0_LENGTH		0x0c
#define   GEN9_CAPID0_VERSION		1
#define GEN9_PCI_MSI			0xac	/* one vector, 32-bit address, no mask bits */
#define GEN9_PCI_PM			0xd0
#define   GEN9_PM_CAPABILITIES		0x0022	/* version 2, needs initialisation, no PME */

/* Read-only mirror of the host bridge's graphics control. */
#define GEN9_PCI_MGGC			0x50	/* 16 bits */
#define   GEN9_MGGC_LOCK		BIT(0)
#define   GEN9_MGGC_VGA_DISABLE		BIT(1)
#define   GEN9_MGGC_GGMS_SHIFT		6	/* 0: no GGTT, else its table has 1 << n MiB */
#define   GEN9_MGGC_GGMS_MASK		0x3
#define   GEN9_MGGC_GMS_SHIFT		8	/* stolen memory in units of 32 MiB */
#define   GEN9_MGGC_GMS_MASK		0xff

/* Read-only mirror of the host bridge's device enables. */
#define GEN9_PCI_DEVEN			0x54
#define   GEN9_DEVEN_D0			BIT(0)
#define   GEN9_DEVEN_D2			BIT(4)

#define GEN9_PCI_BDSM			0x5c	/* base of stolen memory; bit 0 locks */

#define GEN9_PCI_MSAC			0x62	/* 8 bits */
#define   GEN9_MSAC_APSZ_MASK		0x1f	/* aperture in units of 128 MiB, minus 1 */
#define   GEN9_MSAC_UNIT		0x8000000

/* Scratch shared by system firmware and driver. */
#define GEN9_PCI_ASLE			0xe4
#define GEN9_PCI_SWSCI			0xe8	/* 16 bits */
#define GEN9_PCI_ASLS			0xfc	/* address of the OpRegion; 0: there is none */

#endif
