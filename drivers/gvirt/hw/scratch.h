/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PPGTT in which every address maps the scratch page.
 */
#ifndef GVIRT_HW_SCRATCH_H
#define GVIRT_HW_SCRATCH_H

#include <linux/types.h>

struct device;

#define GVIRT_SCRATCH_LEVELS	4

/**
 * struct gvirt_scratch - A page that stands for absent memory, and four levels of tables
 * @dev: for DMA
 * @page: what all addresses map; zeroed at first
 * @page_dma: its bus address
 * @table: by level: 0 is the page table, 3 the root (PML4)
 * @dma: their bus addresses
 *
 * All entries of a level are the same. Constant after init.
 */
struct gvirt_scratch {
	struct device *dev;
	void *page;
	dma_addr_t page_dma;
	u64 *table[GVIRT_SCRATCH_LEVELS];
	dma_addr_t dma[GVIRT_SCRATCH_LEVELS];
};

/**
 * gvirt_scratch_init() - Get the page and build the tables
 * @scratch: to be filled
 * @dev: the GPU
 *
 * Who can write to it can read what others wrote: each user gets its own.
 *
 * Return: 0, or -ENOMEM.
 */
int gvirt_scratch_init(struct gvirt_scratch *scratch, struct device *dev);

/**
 * gvirt_scratch_fini() - Free page and tables
 * @scratch: of gvirt_scratch_init(), or zeroed; the GPU does not use it any more
 */
void gvirt_scratch_fini(struct gvirt_scratch *scratch);

#endif
