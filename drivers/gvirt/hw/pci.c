// SPDX-License-Identifier: GPL-2.0-only
/*
 * PCI side of the GPU.
 *
 * Sources: 6th Generation Intel Processor Families, Datasheet, Volume 2,
 * "Processor Graphics Registers"; Linux i915, i915_pci.c (39 bits of DMA).
 */
#include <linux/dma-mapping.h>
#include <linux/io.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>
#include "pci.h"

/* Stolen memory below this code is in units of 32 MiB, from it on in units of 4 MiB. */
#define GMS_FINE	0xf0

static void read_firmware_setup(struct gvirt_pci *pci)
{
	unsigned int ggms, gms;
	u16 mggc = 0;
	u32 bdsm = 0;

	pci_read_config_word(pci->pdev, GEN9_PCI_MGGC, &mggc);
	pci_read_config_dword(pci->pdev, GEN9_PCI_BDSM, &bdsm);
	ggms = mggc >> GEN9_MGGC_GGMS_SHIFT & GEN9_MGGC_GGMS_MASK;
	gms = mggc >> GEN9_MGGC_GMS_SHIFT & GEN9_MGGC_GMS_MASK;
	pci->gsm_size = ggms ? SZ_1M << ggms : 0;
	pci->stolen_base = bdsm & ~(SZ_1M - 1);
	if (pci->stolen_base && gms < GMS_FINE)
		pci->stolen_size = (u64)gms * SZ_32M;
	else if (pci->stolen_base)
		pci->stolen_size = (u64)(gms - GMS_FINE + 1) * SZ_4M;
}

static int check_device(struct gvirt_pci *pci)
{
	struct pci_dev *pdev = pci->pdev;

	if (pci_resource_len(pdev, GEN9_BAR_GTTMMADR) != GEN9_GTTMMADR_SIZE) {
		pci_err(pdev, "BAR0 has %llu bytes instead of 16 MiB: the firmware did not set this GPU up. Enable the integrated graphics in the firmware's setup\n",
			(u64)pci_resource_len(pdev, GEN9_BAR_GTTMMADR));
		return -ENODEV;
	}
	if (!pci->gsm_size) {
		pci_err(pdev, "the firmware gave this GPU no memory for its GTT. Raise \"GTT size\" in the firmware's setup\n");
		return -ENODEV;
	}
	return 0;
}

static int map_bar0(struct gvirt_pci *pci)
{
	resource_size_t start = pci_resource_start(pci->pdev, GEN9_BAR_GTTMMADR);

	pci->regs = ioremap(start, GEN9_GTTMMADR_GGTT);
	if (!pci->regs)
		return -ENOMEM;
	pci->gsm = ioremap_wc(start + GEN9_GTTMMADR_GGTT, pci->gsm_size);
	if (!pci->gsm) {
		iounmap(pci->regs);
		return -ENOMEM;
	}
	return 0;
}

static int take_interrupt(struct gvirt_pci *pci)
{
	int count = pci_alloc_irq_vectors(pci->pdev, 1, 1, PCI_IRQ_MSI);

	if (count < 0) {
		pci_err(pci->pdev, "no MSI vector (%d). gvirt does not use shared interrupt lines; boot without pci=nomsi\n",
			count);
		return count;
	}
	pci->irq = pci_irq_vector(pci->pdev, 0);
	return 0;
}

static int enable_device(struct pci_dev *pdev)
{
	int err = pci_enable_device_mem(pdev);

	if (err) {
		pci_err(pdev, "cannot enable the device: %d\n", err);
		return err;
	}
	err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(GEN9_PHYS_BITS));
	if (!err)
		err = pci_request_region(pdev, GEN9_BAR_GTTMMADR, KBUILD_MODNAME);
	if (err) {
		pci_err(pdev, "cannot take its registers or address its memory: %d\n", err);
		pci_disable_device(pdev);
	}
	return err;
}

int gvirt_pci_init(struct gvirt_pci *pci, struct pci_dev *pdev)
{
	int err;

	*pci = (struct gvirt_pci) {
		.pdev = pdev,
		.aperture = pci_resource_start(pdev, GEN9_BAR_GMADR),
		.aperture_size = pci_resource_len(pdev, GEN9_BAR_GMADR),
	};
	read_firmware_setup(pci);
	err = check_device(pci);
	if (err)
		return err;
	err = enable_device(pdev);
	if (err)
		return err;
	err = map_bar0(pci);
	if (err)
		goto err_disable;
	pci_set_master(pdev);
	err = take_interrupt(pci);
	if (err)
		goto err_unmap;
	return 0;

err_unmap:
	iounmap(pci->gsm);
	iounmap(pci->regs);
err_disable:
	pci_release_region(pdev, GEN9_BAR_GTTMMADR);
	pci_disable_device(pdev);
	return err;
}

void gvirt_pci_fini(struct gvirt_pci *pci)
{
	pci_free_irq_vectors(pci->pdev);
	iounmap(pci->gsm);
	iounmap(pci->regs);
	pci_release_region(pci->pdev, GEN9_BAR_GTTMMADR);
	pci_disable_device(pci->pdev);
}

void gvirt_pci_stop_dma(struct gvirt_pci *pci)
{
	pci_clear_master(pci->pdev);
}
