// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a guest's privileged commands address in its GGTT.
 *
 * Data model: a slot has consecutive pages of the host's part of the GGTT, and for each
 * the guest's entry that it was mapped by. The entry is looked at again whenever
 * the slot is asked for, so nothing has to be noticed when the guest writes it.
 *
 * Invariant: every entry of a slot maps a page that the slot has pinned, or the
 * vGPU's scratch page. A page is unpinned only after the chip has seen the entry change.
 */
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <gvirt/gen9_pte.h>
#include "host/guest.h"
#include "hw/ggtt.h"
#include "ggtt.h"
#include "window.h"

#define PAGES_OF(bytes)	((bytes) >> GEN9_PAGE_SHIFT_4K)
#define NO_PAGE		(~0ull)

/**
 * struct slot_page - A page of a slot
 * @entry: the guest's entry that it was mapped by
 * @gfn: the page that is pinned for it, or NO_PAGE: it maps scratch
 * @old: what it mapped before, until the chip has forgotten that; or NO_PAGE
 */
struct slot_page {
	u64 entry;
	u64 gfn;
	u64 old;
};

/**
 * struct window_slot - A range of the guest's GGTT
 * @lru: in the window's list
 * @first: first page in the guest's GGTT
 * @count: pages
 * @address: in the real GGTT
 * @used: by engine: latest ticket of the workloads that it was mapped for; 0: none
 * @page: its pages
 */
struct window_slot {
	struct list_head lru;
	u32 first;
	u32 count;
	u32 address;
	u64 used[GVIRT_ENGINES];
	struct slot_page page[] __counted_by(count);
};

static unsigned long key_of(u32 first, u32 count)
{
	return (u64)first * (GVIRT_WINDOW_PAGES + 1) + count;
}

/* Pages of a slot. */

static void point(struct gvirt_window *window, struct window_slot *slot, u32 i, dma_addr_t dma)
{
	gvirt_ggtt_map(window->ggtt, slot->address + i * GEN9_TABLE_SIZE, dma, 1);
}

static void point_to_scratch(struct gvirt_window *window, struct window_slot *slot, u32 i)
{
	point(window, slot, i, window->scratch_dma);
	slot->page[i].gfn = NO_PAGE;
}

/* The chip sees what changed; what had been there goes. */
static void settle(struct gvirt_window *window, struct window_slot *slot)
{
	u32 i;

	gvirt_ggtt_flush_wait(window->ggtt);
	for (i = 0; i < slot->count; i++) {
		if (slot->page[i].old == NO_PAGE)
			continue;
		gvirt_guest_unpin(window->guest, slot->page[i].old);
		slot->page[i].old = NO_PAGE;
	}
}

static int map_page(struct gvirt_window *window, struct window_slot *slot, u32 i, u64 entry,
		    const struct gvirt_pte *pte)
{
	struct slot_page *page = &slot->page[i];
	u64 gfn = PAGES_OF(pte->gpa);
	dma_addr_t dma;
	int err = -EFAULT;

	if (pte->kind == GVIRT_PTE_PAGE && !pte->fault)
		err = gvirt_guest_pin(window->guest, gfn, &dma);
	if (err && err != -EFAULT)
		return err;
	page->old = page->gfn;
	page->entry = entry;
	if (err) {
		point_to_scratch(window, slot, i);
		window->stats.scratched++;
		return 0;
	}
	point(window, slot, i, dma);
	page->gfn = gfn;
	return 0;
}

/* There may be memory by now where there was none. */
static bool is_current(const struct slot_page *page, u64 entry, const struct gvirt_pte *pte)
{
	return page->entry == entry &&
	       (page->gfn != NO_PAGE || pte->kind != GVIRT_PTE_PAGE || pte->fault);
}

static int update_slot(struct gvirt_window *window, struct window_slot *slot)
{
	bool changed = false;
	struct gvirt_pte pte;
	int err = 0;
	u64 entry;
	u32 i;

	for (i = 0; i < slot->count && !err; i++) {
		entry = gvirt_vggtt_entry(window->vggtt, slot->first + i);
		pte = gvirt_pte_decode_ggtt(&window->rules, entry);
		if (is_current(&slot->page[i], entry, &pte))
			continue;
		window->stats.remaps++;
		err = map_page(window, slot, i, entry, &pte);
		changed = true;
	}
	if (changed)
		settle(window, slot);
	return err;
}

/* Slots. */

static bool is_used(struct gvirt_window *window, const struct window_slot *slot)
{
	const struct gvirt_window_use *oldest;
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		oldest = list_first_entry_or_null(&window->uses[i], struct gvirt_window_use, node);
		if (oldest && slot->used[i] >= oldest->ticket)
			return true;
	}
	return false;
}

static void remove_slot(struct gvirt_window *window, struct window_slot *slot)
{
	u32 i;

	xa_erase(&window->slots, key_of(slot->first, slot->count));
	list_del(&slot->lru);
	WRITE_ONCE(window->pages, window->pages - slot->count);
	WRITE_ONCE(window->bytes, window->bytes - struct_size(slot, page, slot->count));
	gvirt_ggtt_free(window->ggtt, slot->address, slot->count);
	for (i = 0; i < slot->count; i++)
		if (slot->page[i].gfn != NO_PAGE)
			gvirt_guest_unpin(window->guest, slot->page[i].gfn);
	kvfree(slot);
}

static bool evict(struct gvirt_window *window)
{
	struct window_slot *slot;

	list_for_each_entry(slot, &window->lru, lru) {
		if (is_used(window, slot))
			continue;
		remove_slot(window, slot);
		window->stats.evictions++;
		return true;
	}
	return false;
}

/* Address in the real GGTT; 0: there is no room. */
static u32 make_room(struct gvirt_window *window, u32 count)
{
	u32 address = 0;

	do {
		if (window->pages + count <= GVIRT_WINDOW_PAGES)
			address = gvirt_ggtt_alloc(window->ggtt, count);
	} while (!address && evict(window));
	return address;
}

static void clear_slot(struct gvirt_window *window, struct window_slot *slot)
{
	u32 i;

	for (i = 0; i < slot->count; i++) {
		slot->page[i].old = NO_PAGE;
		point_to_scratch(window, slot, i);
	}
}

static struct window_slot *add_slot(struct gvirt_window *window, u32 first, u32 count)
{
	struct window_slot *slot = kvzalloc(struct_size(slot, page, count), GFP_KERNEL_ACCOUNT);
	int err = -ENOSPC;

	if (!slot)
		return ERR_PTR(-ENOMEM);
	slot->first = first;
	slot->count = count;
	slot->address = make_room(window, count);
	if (!slot->address)
		goto err_free;
	err = xa_err(xa_store(&window->slots, key_of(first, count), slot, GFP_KERNEL_ACCOUNT));
	if (err)
		goto err_room;
	clear_slot(window, slot);
	gvirt_ggtt_flush(window->ggtt);
	list_add_tail(&slot->lru, &window->lru);
	WRITE_ONCE(window->pages, window->pages + count);
	WRITE_ONCE(window->bytes, window->bytes + struct_size(slot, page, count));
	window->stats.misses++;
	return slot;

err_room:
	gvirt_ggtt_free(window->ggtt, slot->address, count);
err_free:
	kvfree(slot);
	return ERR_PTR(err);
}

/* Workloads. */

void gvirt_window_begin(struct gvirt_window *window, struct gvirt_window_use *use,
			enum gvirt_engine_id engine)
{
	use->engine = engine;
	use->ticket = ++window->ticket;
	list_add_tail(&use->node, &window->uses[engine]);
}

void gvirt_window_end(struct gvirt_window *window, struct gvirt_window_use *use)
{
	list_del_init(&use->node);
}

int gvirt_window_map(struct gvirt_window *window, const struct gvirt_window_use *use,
		     u32 address, u32 size, u32 *host)
{
	u32 offset = address & (GEN9_TABLE_SIZE - 1);
	u32 first = PAGES_OF(address);
	struct window_slot *slot;
	u32 count;
	int err;

	if (!size || (u64)address + size > SZ_4G)
		return -EINVAL;
	count = PAGES_OF((u64)offset + size - 1) + 1;
	if (count > GVIRT_WINDOW_PAGES)
		return -E2BIG;
	window->stats.maps++;
	slot = xa_load(&window->slots, key_of(first, count));
	if (!slot)
		slot = add_slot(window, first, count);
	if (IS_ERR(slot))
		return PTR_ERR(slot);
	slot->used[use->engine] = max(slot->used[use->engine], use->ticket);
	list_move_tail(&slot->lru, &window->lru);
	err = update_slot(window, slot);
	if (!err)
		*host = slot->address + offset;
	return err;
}

static void revoke_from(struct gvirt_window *window, struct window_slot *slot, u64 first, u64 last)
{
	bool changed = false;
	u64 gfn;
	u32 i;

	for (i = 0; i < slot->count; i++) {
		gfn = slot->page[i].gfn;
		if (gfn == NO_PAGE || gfn < first || gfn > last)
			continue;
		slot->page[i].old = gfn;
		point_to_scratch(window, slot, i);
		changed = true;
	}
	if (changed)
		settle(window, slot);
}

void gvirt_window_revoke(struct gvirt_window *window, u64 first_gfn, u64 last_gfn)
{
	struct window_slot *slot;

	list_for_each_entry(slot, &window->lru, lru)
		revoke_from(window, slot, first_gfn, last_gfn);
}

u32 gvirt_window_pages(const struct gvirt_window *window)
{
	return READ_ONCE(window->pages);
}

size_t gvirt_window_bytes(const struct gvirt_window *window)
{
	return READ_ONCE(window->bytes);
}

/* Life. */

int gvirt_window_init(struct gvirt_window *window, struct gvirt_ggtt *ggtt,
		      struct gvirt_vggtt *vggtt, struct gvirt_guest *guest)
{
	unsigned int i;

	*window = (struct gvirt_window) {
		.ggtt = ggtt,
		.vggtt = vggtt,
		.guest = guest,
		.rules.gpa_end = BIT_ULL(GEN9_PHYS_BITS),
	};
	window->scratch = dma_alloc_coherent(ggtt->dev, GEN9_TABLE_SIZE, &window->scratch_dma,
					     GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!window->scratch)
		return -ENOMEM;
	xa_init(&window->slots);
	INIT_LIST_HEAD(&window->lru);
	for (i = 0; i < GVIRT_ENGINES; i++)
		INIT_LIST_HEAD(&window->uses[i]);
	return 0;
}

void gvirt_window_fini(struct gvirt_window *window)
{
	if (!window->scratch)
		return;
	xa_destroy(&window->slots);
	dma_free_coherent(window->ggtt->dev, GEN9_TABLE_SIZE, window->scratch,
			  window->scratch_dma);
	*window = (struct gvirt_window) { };
}

static void forget_uses(struct list_head *uses)
{
	struct gvirt_window_use *use, *next;

	list_for_each_entry_safe(use, next, uses, node)
		list_del_init(&use->node);
}

void gvirt_window_reset(struct gvirt_window *window)
{
	struct window_slot *slot, *next;
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		forget_uses(&window->uses[i]);
	list_for_each_entry_safe(slot, next, &window->lru, lru)
		remove_slot(window, slot);
	/* Nothing of this user is left for the next one. */
	memset(window->scratch, 0, GEN9_TABLE_SIZE);
}
