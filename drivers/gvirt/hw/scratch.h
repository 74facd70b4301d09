/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PPGTT in which every address maps the scratch page.
 */
#ifndef GVIRT_HW_SCRATCH_H
#define GVIRT_HW_SCRATCH_H

#include <linux/types.h>

struct device;
struct gvirt_ggtt;

#define GVIRT_SCRATCH_LEVELS	4

/**
 * struct gvirt_scratch - Tables of four levels, one page each
 * @dev: for DMA
 * @table: by level: 0 is the page table, 3 the root (PML4)
 * @dma: their bus addresses
 *
 * All entries of a level are the same. Constant after init.
 */
struct gvirt_scratch {
	struct device *dev;
	u64 *table[GVIRT_SCRATCH_LEVELS];
	dma_addr_t dma[GVIRT_SCRATCH_LEVELS];
};

/**
 * gvirt_scratch_init() - Build the tables
 * @scratch: to be filled
 * @ggtt: whose scratch page they map
 *
 * Return: 0, or -ENOMEM.
 */
int gvirt_scratch_init(struct gvirt_scratch *scratch, const struct gvirt_ggtt *ggtt);

/**
 * gvirt_scratch_fini() - Free the tables
 * @scratch: of gvirt_scratch_init(); the GPU does not use it any more
 */
void gvirt_scratch_fini(struct gvirt_scratch *scratch);

#endif
