// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fences of a GPU, shared by all its vGPUs.
 *
 * Each fence has a place of the same size in the aperture, so that space never runs out
 * before fences do: one for the longest row of tiles that there can be, which is
 * 8 MiB. An aperture of 256 MiB has room for all 32, less what the boot framebuffer has.
 *
 * Invariant: an entry of a place maps a page of the hold that has the fence, or scratch.
 * When the holder changes, the CPU loses its way there first (let_go()), then the fence is
 * cleared, then the entries map scratch and the chip has seen it; only then the
 * next one's pages come. A page is unpinned after gvirt_fences_release() only.
 *
 * Sources: Linux i915, gt/intel_ggtt_fencing.c (order of the two halves, restoring after
 * a reset), gt/intel_reset.c (mappings are revoked before a full reset).
 */
#include <linux/cleanup.h>
#include <linux/io.h>
#include <linux/minmax.h>
#include <linux/pci.h>
#include <gvirt/gen9_pte.h>
#include "fence.h"
#include "ggtt.h"
#include "mmio.h"
#include "pci.h"

#define PLACE_SIZE	((u64)GVIRT_FENCE_MOST_PAGES << GEN9_PAGE_SHIFT_4K)

/* Registers. */

/* A fence that is half written is none. */
static void write_fence_locked(struct gvirt_fences *fences, unsigned int n)
{
	u64 value = fences->slot[n].value;

	lockdep_assert_held(&fences->regs);
	gvirt_mmio_write(fences->mmio, GEN9_FENCE_LO(n), 0);
	gvirt_mmio_read(fences->mmio, GEN9_FENCE_LO(n));
	if (!value)
		return;
	gvirt_mmio_write(fences->mmio, GEN9_FENCE_HI(n), upper_32_bits(value));
	gvirt_mmio_write(fences->mmio, GEN9_FENCE_LO(n), lower_32_bits(value));
	gvirt_mmio_read(fences->mmio, GEN9_FENCE_LO(n));
}

static void set_fence(struct gvirt_fences *fences, unsigned int n, u64 value)
{
	guard(spinlock)(&fences->regs);
	fences->slot[n].value = value;
	write_fence_locked(fences, n);
}

static void write_all(struct gvirt_fences *fences)
{
	unsigned int n;

	guard(spinlock)(&fences->regs);
	for (n = 0; n < GEN9_FENCE_COUNT; n++)
		write_fence_locked(fences, n);
}

/* Places. */

static u32 first_page(const struct gvirt_fences *fences, unsigned int n)
{
	return fences->first + n * GVIRT_FENCE_MOST_PAGES;
}

static void fill_place(struct gvirt_fences *fences, unsigned int n,
		       const struct gvirt_fence_content *content)
{
	u32 first = first_page(fences, n);
	struct gvirt_fence fence = *content->fence;
	u32 i;

	for (i = 0; i < content->pages; i++)
		gvirt_ggtt_map(fences->ggtt, (first + i) << GEN9_PAGE_SHIFT_4K, content->dma[i], 1);
	gvirt_ggtt_flush(fences->ggtt);
	fence.first = first;
	fence.last = first + content->pages - 1;
	set_fence(fences, n, gvirt_fence_encode(&fence));
	fences->slot[n].pages = content->pages;
}

static void empty_place_locked(struct gvirt_fences *fences, unsigned int n)
{
	struct gvirt_fence_slot *slot = &fences->slot[n];

	lockdep_assert_held(&fences->lock);
	set_fence(fences, n, 0);
	gvirt_ggtt_unmap(fences->ggtt, first_page(fences, n) << GEN9_PAGE_SHIFT_4K, slot->pages);
	gvirt_ggtt_flush_wait(fences->ggtt);
	slot->hold = NULL;
	slot->pages = 0;
}

static void let_go_locked(struct gvirt_fences *fences, unsigned int n)
{
	struct gvirt_fence_hold *hold = fences->slot[n].hold;

	lockdep_assert_held(&fences->lock);
	if (!hold)
		return;
	hold->let_go(hold);
	empty_place_locked(fences, n);
}

static unsigned int find_locked(struct gvirt_fences *fences, const void *owner)
{
	struct gvirt_fence_claim claim[GEN9_FENCE_COUNT];
	unsigned int i;

	lockdep_assert_held(&fences->lock);
	for (i = 0; i < fences->count; i++) {
		claim[i].owner = fences->slot[i].hold ? fences->slot[i].hold->owner : NULL;
		claim[i].used = atomic64_read(&fences->slot[i].used);
	}
	return gvirt_fence_victim(claim, fences->count, owner);
}

int gvirt_fences_take(struct gvirt_fences *fences, struct gvirt_fence_hold *hold,
		      const struct gvirt_fence_content *content)
{
	unsigned int n;

	guard(mutex)(&fences->lock);
	if (hold->slot != GVIRT_FENCE_NONE)
		return 0;
	if (fences->resetting)
		return -EAGAIN;
	n = find_locked(fences, hold->owner);
	let_go_locked(fences, n);
	fill_place(fences, n, content);
	fences->slot[n].hold = hold;
	atomic64_set(&fences->slot[n].used, atomic64_inc_return(&fences->clock));
	/* From here on it can be mapped. */
	smp_store_release(&hold->slot, n);
	return 0;
}

void gvirt_fences_release(struct gvirt_fences *fences, struct gvirt_fence_hold *hold)
{
	guard(mutex)(&fences->lock);
	if (hold->slot == GVIRT_FENCE_NONE)
		return;
	empty_place_locked(fences, hold->slot);
	hold->slot = GVIRT_FENCE_NONE;
}

unsigned long gvirt_fences_pfn(struct gvirt_fences *fences, int slot, u32 page)
{
	atomic64_set(&fences->slot[slot].used, atomic64_inc_return(&fences->clock));
	return ((fences->aperture + slot * PLACE_SIZE) >> PAGE_SHIFT) + page;
}

/* Resets. */

unsigned int gvirt_fences_held(struct gvirt_fences *fences)
{
	unsigned int held = 0, n;

	guard(mutex)(&fences->lock);
	for (n = 0; n < fences->count; n++)
		held += !!fences->slot[n].hold;
	return held;
}

void gvirt_fences_suspend(struct gvirt_fences *fences)
{
	unsigned int n;

	guard(mutex)(&fences->lock);
	fences->resetting = true;
	for (n = 0; n < fences->count; n++)
		let_go_locked(fences, n);
}

void gvirt_fences_restore(struct gvirt_fences *fences)
{
	guard(mutex)(&fences->lock);
	write_all(fences);
	fences->resetting = false;
}

/* Life. */

/* Places are aligned to their size, and end where the aperture or the guests' part does. */
void gvirt_fences_init(struct gvirt_fences *fences, struct gvirt_ggtt *ggtt,
		       struct gvirt_mmio *mmio, const struct gvirt_pci *pci)
{
	u32 end = min_t(u64, pci->aperture_size >> GEN9_PAGE_SHIFT_4K, ggtt->host_first);

	*fences = (struct gvirt_fences) {
		.ggtt = ggtt,
		.mmio = mmio,
		.first = round_up(ggtt->kept, GVIRT_FENCE_MOST_PAGES),
	};
	mutex_init(&fences->lock);
	spin_lock_init(&fences->regs);
	fences->aperture = pci->aperture + ((u64)fences->first << GEN9_PAGE_SHIFT_4K);
	if (end > fences->first)
		fences->count = min_t(u32, (end - fences->first) / GVIRT_FENCE_MOST_PAGES,
				      GEN9_FENCE_COUNT);
	if (!fences->count)
		pci_notice(pci->pdev, "no room in the aperture: guests see tiled memory as it is. Enlarge the aperture in the firmware's setup\n");
	/* Without it mappings of BAR2 are uncached, and otherwise as good. */
	fences->wc = fences->count &&
		     !arch_io_reserve_memtype_wc(fences->aperture, fences->count * PLACE_SIZE);
}

void gvirt_fences_fini(struct gvirt_fences *fences)
{
	if (fences->wc)
		arch_io_free_memtype_wc(fences->aperture, fences->count * PLACE_SIZE);
	mutex_destroy(&fences->lock);
}
