// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stores by index: see status.h.
 *
 * The work of one call is bounded by the page: 512 accesses to guest memory, when every
 * second dword is stored to. A stock i915 makes all its stores to one qword.
 */
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/string.h>
#include "status.h"

void gvirt_status_page_mark(struct gvirt_status_page *page, u32 offset, u32 bytes)
{
	bitmap_set(page->stored, offset / sizeof(u32), bytes / sizeof(u32));
}

static bool has_room(struct gvirt_status_page *page)
{
	if (!page->before)
		page->before = (u32 *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	return page->before;
}

static void bring_run(struct gvirt_status_page *page, const struct gvirt_status_place *place,
		      unsigned int first, unsigned int count)
{
	u32 bytes = count * sizeof(u32);

	if (!has_room(page) ||
	    place->read(place->data, place->address + first * sizeof(u32), page->before + first,
			bytes)) {
		bitmap_clear(page->stored, first, count);
		return;
	}
	memcpy(place->shadow + first, page->before + first, bytes);
	bitmap_set(page->known, first, count);
}

void gvirt_status_page_bring(struct gvirt_status_page *page,
			     const struct gvirt_status_place *place)
{
	DECLARE_BITMAP(fresh, GVIRT_STATUS_DWORDS);
	unsigned int first, end;

	if (!bitmap_andnot(fresh, page->stored, page->known, GVIRT_STATUS_DWORDS))
		return;
	for_each_set_bitrange(first, end, fresh, GVIRT_STATUS_DWORDS)
		bring_run(page, place, first, end - first);
}

/* Gives whether there are any. */
static bool find_changes(struct gvirt_status_page *page, const u32 *shadow, unsigned long *changed)
{
	unsigned int n;
	bool any = false;
	u32 now;

	bitmap_zero(changed, GVIRT_STATUS_DWORDS);
	for_each_set_bit(n, page->known, GVIRT_STATUS_DWORDS) {
		now = READ_ONCE(shadow[n]);
		if (now == page->before[n])
			continue;
		page->before[n] = now;
		__set_bit(n, changed);
		any = true;
	}
	return any;
}

void gvirt_status_page_give(struct gvirt_status_page *page,
			    const struct gvirt_status_place *place)
{
	DECLARE_BITMAP(changed, GVIRT_STATUS_DWORDS);
	unsigned int first, end;

	if (!find_changes(page, place->shadow, changed))
		return;
	for_each_set_bitrange(first, end, changed, GVIRT_STATUS_DWORDS)
		place->write(place->data, place->address + first * sizeof(u32),
			     page->before + first, (end - first) * sizeof(u32));
}

void gvirt_status_page_renew(struct gvirt_status_page *page)
{
	bitmap_zero(page->known, GVIRT_STATUS_DWORDS);
}

void gvirt_status_page_forget(struct gvirt_status_page *page)
{
	bitmap_zero(page->stored, GVIRT_STATUS_DWORDS);
	bitmap_zero(page->known, GVIRT_STATUS_DWORDS);
}

void gvirt_status_page_fini(struct gvirt_status_page *page)
{
	free_page((unsigned long)page->before);
	page->before = NULL;
}
