/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stores by index to the status page of a context.
 *
 * The chip makes them in the image that it runs, so in the shadow's. Only commands
 * with privilege can ask for one (in other batches it is dropped), and those are
 * audited: it is known which dwords of the page they may change. These dwords are
 * brought over from the guest's page before the commands run, and what has changed
 * in them is given back when the context leaves the engine. What the chip itself
 * writes to the page stays in the shadow.
 */
#ifndef GVIRT_MODEL_STATUS_H
#define GVIRT_MODEL_STATUS_H

#include <linux/bitmap.h>
#include <linux/types.h>
#include <gvirt/gen9_pte.h>

#define GVIRT_STATUS_DWORDS	(GEN9_TABLE_SIZE / sizeof(u32))

/**
 * struct gvirt_status_page - Stores to the status page of one context
 * @before: by dword: value that was brought over, or given back last; NULL: no memory yet
 * @stored: bit n: commands that may run store to dword n
 * @known: bit n: the shadow has the guest's dword n
 */
struct gvirt_status_page {
	u32 *before;
	DECLARE_BITMAP(stored, GVIRT_STATUS_DWORDS);
	DECLARE_BITMAP(known, GVIRT_STATUS_DWORDS);
};

/**
 * struct gvirt_status_place - Where both pages are
 * @read: copy guest memory, by the guest's GGTT: @bytes do not cross a page
 * @write: likewise, to it
 * @data: for these
 * @address: the guest's page in its GGTT
 * @shadow: the shadow's page
 */
struct gvirt_status_place {
	int (*read)(void *data, u32 address, void *to, u32 bytes);
	int (*write)(void *data, u32 address, const void *from, u32 bytes);
	void *data;
	u32 address;
	u32 *shadow;
};

/**
 * gvirt_status_page_mark() - A command that is to run stores to the page
 * @page: which
 * @offset: byte offset, a multiple of 4
 * @bytes: up to the end of the page at most
 */
void gvirt_status_page_mark(struct gvirt_status_page *page, u32 offset, u32 bytes);

/**
 * gvirt_status_page_bring() - Bring over dwords that were marked and are not known
 * @page: which
 * @place: where
 *
 * Before the commands are submitted. Where it cannot be done (no page in the guest's
 * memory, none left in the host's) what is stored stays in the shadow.
 */
void gvirt_status_page_bring(struct gvirt_status_page *page,
			     const struct gvirt_status_place *place);

/**
 * gvirt_status_page_give() - Give back what has changed
 * @page: which
 * @place: where; the context is not on the engine any more
 */
void gvirt_status_page_give(struct gvirt_status_page *page,
			    const struct gvirt_status_place *place);

/**
 * gvirt_status_page_renew() - The guest may have changed its page
 * @page: which
 *
 * What is marked is brought over once more.
 */
void gvirt_status_page_renew(struct gvirt_status_page *page);

/**
 * gvirt_status_page_forget() - No command that was marked will run
 * @page: which
 */
void gvirt_status_page_forget(struct gvirt_status_page *page);

/**
 * gvirt_status_page_fini() - Free what it has
 * @page: which; zeroed, or used before
 */
void gvirt_status_page_fini(struct gvirt_status_page *page);

#endif
