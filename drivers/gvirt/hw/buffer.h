/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Host memory that the GPU sees at a GGTT address.
 */
#ifndef GVIRT_HW_BUFFER_H
#define GVIRT_HW_BUFFER_H

#include <linux/types.h>

struct gvirt_ggtt;

/**
 * struct gvirt_buffer - Memory for the GPU, mapped in the host's part of the GGTT
 * @ggtt: where it is mapped
 * @pages: its length in pages; 0: there is no memory
 * @address: GGTT address
 * @dma: bus address
 * @data: for the CPU; coherent with the GPU
 */
struct gvirt_buffer {
	struct gvirt_ggtt *ggtt;
	u32 pages;
	u32 address;
	dma_addr_t dma;
	void *data;
};

/**
 * gvirt_buffer_init() - Get zeroed memory and map it
 * @buffer: to be filled
 * @ggtt: where to map it
 * @size: bytes, rounded up to pages
 *
 * Return: 0, -ENOMEM, or -ENOSPC when the host's part of the GGTT is full.
 */
int gvirt_buffer_init(struct gvirt_buffer *buffer, struct gvirt_ggtt *ggtt, size_t size);

/**
 * gvirt_buffer_fini() - Unmap and free it
 * @buffer: one that the GPU does not use any more; an all-zero one is fine
 */
void gvirt_buffer_fini(struct gvirt_buffer *buffer);

#endif
