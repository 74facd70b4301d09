// SPDX-License-Identifier: GPL-2.0-only
/*
 * Global GTT of a vGPU.
 *
 * Entries are kept as the guest wrote them, so that it reads back what it wrote;
 * what they mean is decided when they are used. A page of entries is there from
 * the first one in it that is not zero, or from when somebody maps it, until the vGPU is
 * reset; pages that may be mapped are cleared then, and stay until they are not. The guest
 * stores to these at any time: each entry is read once.
 */
#include <linux/align.h>
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <gvirt/gen9_pte.h>
#include "ggtt.h"

/* Of a page that somebody may have mapped. */
#define MAPPED	XA_MARK_0

void gvirt_vggtt_init(struct gvirt_vggtt *vggtt)
{
	spin_lock_init(&vggtt->lock);
	xa_init_flags(&vggtt->pages, XA_FLAGS_ACCOUNT);
}

static void remove_page(struct gvirt_vggtt *vggtt, unsigned long number, u64 *page)
{
	scoped_guard(spinlock, &vggtt->lock)
		xa_erase(&vggtt->pages, number);
	free_page((unsigned long)page);
}

void gvirt_vggtt_reset(struct gvirt_vggtt *vggtt)
{
	unsigned long i;
	u64 *page;

	xa_for_each(&vggtt->pages, i, page) {
		if (xa_get_mark(&vggtt->pages, i, MAPPED))
			clear_page(page);
		else
			remove_page(vggtt, i, page);
	}
}

u64 gvirt_vggtt_entry(struct gvirt_vggtt *vggtt, u32 index)
{
	const u64 *page;

	guard(spinlock)(&vggtt->lock);
	page = xa_load(&vggtt->pages, index / GEN9_TABLE_ENTRIES);
	return page ? READ_ONCE(page[index % GEN9_TABLE_ENTRIES]) : 0;
}

u64 gvirt_vggtt_read(struct gvirt_vggtt *vggtt, u32 offset, unsigned int bytes)
{
	u64 entry = gvirt_vggtt_entry(vggtt, offset / GEN9_PTE_SIZE);

	return entry >> (8 * (offset % GEN9_PTE_SIZE)) & (~0ull >> (64 - 8 * bytes));
}

static u64 *add_page(struct gvirt_vggtt *vggtt, u32 number)
{
	u64 *page = (u64 *)get_zeroed_page(GFP_KERNEL_ACCOUNT);

	if (!page)
		return NULL;
	if (xa_err(xa_store(&vggtt->pages, number, page, GFP_KERNEL))) {
		free_page((unsigned long)page);
		return NULL;
	}
	return page;
}

/* Nobody else adds or removes pages: see struct gvirt_vggtt. */
static u64 *need_page(struct gvirt_vggtt *vggtt, u32 number)
{
	u64 *page = xa_load(&vggtt->pages, number);

	return page ? page : add_page(vggtt, number);
}

void *gvirt_vggtt_map(struct gvirt_vggtt *vggtt, u32 number)
{
	u64 *page = need_page(vggtt, number);

	if (page)
		xa_set_mark(&vggtt->pages, number, MAPPED);
	return page;
}

void gvirt_vggtt_unmap_all(struct gvirt_vggtt *vggtt)
{
	unsigned long i;
	u64 *page;

	xa_for_each_marked(&vggtt->pages, i, page, MAPPED)
		xa_clear_mark(&vggtt->pages, i, MAPPED);
}

static int set_entry(struct gvirt_vggtt *vggtt, u32 index, u64 entry)
{
	u64 *page;

	if (!entry && !xa_load(&vggtt->pages, index / GEN9_TABLE_ENTRIES))
		return 0;
	page = need_page(vggtt, index / GEN9_TABLE_ENTRIES);
	if (!page)
		return -ENOMEM;
	guard(spinlock)(&vggtt->lock);
	WRITE_ONCE(page[index % GEN9_TABLE_ENTRIES], entry);
	return 0;
}

int gvirt_vggtt_write(struct gvirt_vggtt *vggtt, u32 offset, unsigned int bytes, u64 value)
{
	u32 index = offset / GEN9_PTE_SIZE;
	u32 shift = 8 * (offset % GEN9_PTE_SIZE);
	u64 mask = (~0ull >> (64 - 8 * bytes)) << shift;
	u64 entry = gvirt_vggtt_entry(vggtt, index);

	return set_entry(vggtt, index, (entry & ~mask) | (value << shift & mask));
}

size_t gvirt_vggtt_bytes(struct gvirt_vggtt *vggtt)
{
	unsigned long i;
	size_t bytes = 0;
	u64 *page;

	xa_for_each(&vggtt->pages, i, page)
		bytes += PAGE_SIZE;
	return bytes;
}
