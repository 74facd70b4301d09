/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GPU as a PCI device: BARs, DMA mask, MSI, and what its configuration
 * space tells about memory that the firmware set aside.
 */
#ifndef GVIRT_HW_PCI_H
#define GVIRT_HW_PCI_H

#include <linux/compiler_types.h>
#include <linux/types.h>

struct pci_dev;

/**
 * struct gvirt_pci - What was taken from the PCI core
 * @pdev: the device
 * @regs: registers, the first half of BAR0
 * @gsm: table of the global GTT, the second half of BAR0, write-combined
 * @gsm_size: bytes of the table that the firmware has enabled, 1 MiB to 8 MiB
 * @aperture: bus address of BAR2
 * @aperture_size: bytes of BAR2, 0 if there is none
 * @stolen_base: bus address of memory that the firmware set aside for graphics
 * @stolen_size: bytes of that, 0 if there is none
 * @irq: Linux number of the one MSI vector
 */
struct gvirt_pci {
	struct pci_dev *pdev;
	void __iomem *regs;
	u64 __iomem *gsm;
	u32 gsm_size;
	resource_size_t aperture;
	resource_size_t aperture_size;
	u64 stolen_base;
	u64 stolen_size;
	int irq;
};

/**
 * gvirt_pci_init() - Enable the device and map it
 * @pci: to be filled
 * @pdev: the device
 *
 * BAR2 is not claimed: the boot framebuffer stands in it and its driver has it.
 * Every refusal is reported with its reason.
 *
 * Return: 0, or -EBUSY, -EIO, -ENODEV, -ENOMEM and what the PCI core has to say.
 */
int gvirt_pci_init(struct gvirt_pci *pci, struct pci_dev *pdev);

/**
 * gvirt_pci_fini() - Give the device back
 * @pci: of gvirt_pci_init()
 */
void gvirt_pci_fini(struct gvirt_pci *pci);

/**
 * gvirt_pci_stop_dma() - Keep the device from memory
 * @pci: of gvirt_pci_init()
 *
 * For a GPU that cannot be stopped otherwise, before its memory is freed.
 */
void gvirt_pci_stop_dma(struct gvirt_pci *pci);

#endif
