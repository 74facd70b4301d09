/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of a guest's memory (host/guest*.c) have in common: its pinned pages.
 * Nobody else includes this.
 */
#ifndef GVIRT_HOST_GUEST_INTERNAL_H
#define GVIRT_HOST_GUEST_INTERNAL_H

#include <linux/bits.h>
#include <linux/mm_types.h>
#include <linux/types.h>

struct gvirt_guest;
struct guest_block;

#define GVIRT_GUEST_GFN_LIMIT	BIT_ULL(52 - PAGE_SHIFT)

/**
 * struct guest_page - A pinned page
 * @page: in the host
 * @dma: its bus address, if @mapped
 * @refs: users; 0: it is pinned ahead of them, or kept after them
 * @tables: of those, the ones that follow the page as a table
 * @mapped: it is mapped for the GPU
 */
struct guest_page {
	struct page *page;
	dma_addr_t dma;
	u32 refs;
	u32 tables;
	bool mapped;
};

/* What VFIO's back ends answer where there is no memory, or none of that kind, is -EFAULT. */
int gvirt_guest_verdict(int err);

/* guest_page.c: pages of the host, mapped for DMA; the order is of 4K pages. */
int gvirt_guest_dma_map(struct gvirt_guest *guest, struct page *page, unsigned int order,
			dma_addr_t *dma);
void gvirt_guest_dma_unmap(struct gvirt_guest *guest, dma_addr_t dma, unsigned int order);

/* guest_page.c: one more user, or one less, of a page; an ERR_PTR as of gvirt_guest_pin(). */
struct guest_page *gvirt_guest_get_page_locked(struct gvirt_guest *guest, u64 gfn);
void gvirt_guest_put_page_locked(struct gvirt_guest *guest, u64 gfn);

/* guest_page.c: unpins a page without users. */
void gvirt_guest_remove_page_locked(struct gvirt_guest *guest, u64 gfn, struct guest_page *page);

/* guest_page.c: gvirt_guest_pin_ahead() and gvirt_guest_end_ahead(). */
void gvirt_guest_pin_ahead_locked(struct gvirt_guest *guest, u64 gfn, unsigned int count);
void gvirt_guest_end_ahead_locked(struct gvirt_guest *guest, u64 gfn, unsigned int count);

/* guest_page.c: this host has stored there, both gfns inclusive. */
void gvirt_guest_disturb(struct gvirt_guest *guest, u64 first, u64 last);

/* guest_keep.c: keeps a page whose last user has gone; false: it is to be removed. */
bool gvirt_guest_keep_page_locked(struct gvirt_guest *guest, u64 gfn);

/* guest_keep.c: a page that has a user again, if it was kept. */
void gvirt_guest_end_keep_locked(struct gvirt_guest *guest, u64 gfn);

/* guest_keep.c: whether a page without users is kept; else it is pinned ahead of them. */
bool gvirt_guest_is_kept_locked(struct gvirt_guest *guest, u64 gfn);

/* guest_keep.c: unpins what is kept between two gfns, inclusive. */
void gvirt_guest_drop_kept_locked(struct gvirt_guest *guest, u64 first, u64 last);

/* guest_keep.c: the limit of locked memory was hit: unpins all that is kept, if anything is. */
bool gvirt_guest_give_kept_locked(struct gvirt_guest *guest);

void gvirt_guest_init_keep(struct gvirt_guest *guest);
void gvirt_guest_release_keep(struct gvirt_guest *guest);

/* guest_block.c: unmaps a block, and lets go of its pages. */
void gvirt_guest_remove_block_locked(struct gvirt_guest *guest, unsigned long key,
				     struct guest_block *block);

/* guest_unmap.c: jiffies to wait until pages may be pinned, of which some went away. */
unsigned long gvirt_guest_quiet_time(struct gvirt_guest *guest, u64 first, u64 last);

void gvirt_guest_init_unmap(struct gvirt_guest *guest);

#endif
