// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers: status pages, rings, context images.
 *
 * The GPU snoops the CPU's caches on all chips of the platform table, so that
 * coherent memory is cached memory and nothing has to be flushed.
 */
#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include "buffer.h"
#include "ggtt.h"

int gvirt_buffer_init(struct gvirt_buffer *buffer, struct gvirt_ggtt *ggtt, size_t size)
{
	size_t length = PAGE_ALIGN(size);

	buffer->ggtt = ggtt;
	buffer->pages = length >> PAGE_SHIFT;
	buffer->data = dma_alloc_coherent(ggtt->dev, length, &buffer->dma,
					  GFP_KERNEL | __GFP_NOWARN);
	if (!buffer->data) {
		buffer->pages = 0;
		return -ENOMEM;
	}
	buffer->address = gvirt_ggtt_alloc(ggtt, buffer->pages);
	if (!buffer->address) {
		dma_free_coherent(ggtt->dev, length, buffer->data, buffer->dma);
		buffer->pages = 0;
		return -ENOSPC;
	}
	gvirt_ggtt_map(ggtt, buffer->address, buffer->dma, buffer->pages);
	gvirt_ggtt_flush(ggtt);
	return 0;
}

void gvirt_buffer_fini(struct gvirt_buffer *buffer)
{
	if (!buffer->pages)
		return;
	gvirt_ggtt_free(buffer->ggtt, buffer->address, buffer->pages);
	dma_free_coherent(buffer->ggtt->dev, (size_t)buffer->pages << PAGE_SHIFT, buffer->data,
			  buffer->dma);
	*buffer = (struct gvirt_buffer) { };
}
