// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks of a guest's pages that are mapped for DMA as one.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "guest.h"
#include "guest_internal.h"

/**
 * struct guest_block - Pages that are mapped as one
 * @page: the first one in the host
 * @dma: bus address
 * @refs: users
 */
struct guest_block {
	struct page *page;
	dma_addr_t dma;
	u32 refs;
};

/* Blocks are aligned, so the order fits below the gfn. */
static unsigned long block_key(u64 gfn, unsigned int order)
{
	return gfn | order;
}

static void put_pages_locked(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		gvirt_guest_put_page_locked(guest, gfn + i);
}

static bool continues(struct page *first, struct page *page, unsigned int i, unsigned int order)
{
	return IS_ALIGNED(page_to_pfn(first), BIT(order)) &&
	       page_to_pfn(page) == page_to_pfn(first) + i;
}

/* All pages of a block, or none; most that do not continue are not aligned either. */
static int get_pages_locked(struct gvirt_guest *guest, u64 gfn, unsigned int order,
			    struct page **first)
{
	struct guest_page *page;
	unsigned int i;

	for (i = 0; i < BIT(order); i++) {
		if (i == 1)
			gvirt_guest_pin_ahead_locked(guest, gfn + 1, BIT(order) - 1);
		page = gvirt_guest_get_page_locked(guest, gfn + i);
		if (IS_ERR(page)) {
			put_pages_locked(guest, gfn, i);
			return PTR_ERR(page);
		}
		if (!i)
			*first = page->page;
		if (!continues(*first, page->page, i, order)) {
			put_pages_locked(guest, gfn, i + 1);
			return -ERANGE;
		}
	}
	return 0;
}

static int map_block(struct gvirt_guest *guest, struct guest_block *block, unsigned int order)
{
	int err = gvirt_guest_dma_map(guest, block->page, order, &block->dma);

	if (err)
		return err;
	if (IS_ALIGNED(block->dma, PAGE_SIZE << order))
		return 0;
	gvirt_guest_dma_unmap(guest, block->dma, order);
	return -ERANGE;
}

static struct guest_block *add_block_locked(struct gvirt_guest *guest, u64 gfn, unsigned int order)
{
	struct guest_block *block = kzalloc(sizeof(*block), GFP_KERNEL_ACCOUNT);
	int err;

	if (!block)
		return ERR_PTR(-ENOMEM);
	err = get_pages_locked(guest, gfn, order, &block->page);
	if (err)
		goto err_ahead;
	err = map_block(guest, block, order);
	if (err)
		goto err_put;
	err = xa_err(xa_store(&guest->blocks, block_key(gfn, order), block, GFP_KERNEL_ACCOUNT));
	if (err)
		goto err_unmap;
	return block;

err_unmap:
	gvirt_guest_dma_unmap(guest, block->dma, order);
err_put:
	put_pages_locked(guest, gfn, BIT(order));
err_ahead:
	gvirt_guest_end_ahead_locked(guest, gfn, BIT(order));
	kfree(block);
	return ERR_PTR(err);
}

int gvirt_guest_pin_block(struct gvirt_guest *guest, u64 gfn, unsigned int order, dma_addr_t *dma)
{
	struct guest_block *block;

	if (!IS_ALIGNED(gfn, BIT(order)) || gfn >= GVIRT_GUEST_GFN_LIMIT)
		return -EFAULT;
	guard(mutex)(&guest->lock);
	block = xa_load(&guest->blocks, block_key(gfn, order));
	if (!block)
		block = add_block_locked(guest, gfn, order);
	if (IS_ERR(block))
		return PTR_ERR(block);
	block->refs++;
	*dma = block->dma;
	return 0;
}

void gvirt_guest_remove_block_locked(struct gvirt_guest *guest, unsigned long key,
				     struct guest_block *block)
{
	unsigned int order = key & (BIT(GVIRT_GUEST_ORDER_64K) - 1);

	lockdep_assert_held(&guest->lock);
	xa_erase(&guest->blocks, key);
	gvirt_guest_dma_unmap(guest, block->dma, order);
	put_pages_locked(guest, key - order, BIT(order));
	kfree(block);
}

void gvirt_guest_unpin_block(struct gvirt_guest *guest, u64 gfn, unsigned int order)
{
	struct guest_block *block;

	guard(mutex)(&guest->lock);
	block = xa_load(&guest->blocks, block_key(gfn, order));
	if (WARN_ON_ONCE(!block))
		return;
	if (!--block->refs)
		gvirt_guest_remove_block_locked(guest, block_key(gfn, order), block);
}
