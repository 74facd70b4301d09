/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fences of a GPU, shared by all its vGPUs: each with a place in the aperture.
 *
 * A place is a range of the real GGTT that BAR2 reaches. Whoever holds one has its pages
 * there, tiled as the fence says, and may map BAR2 to its guest. When all are held, the
 * one that gvirt_fence_victim() names goes to who wants it. Entries of a place that map
 * nobody's pages map the GGTT's scratch page.
 */
#ifndef GVIRT_HW_FENCE_H
#define GVIRT_HW_FENCE_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "lib/fence.h"

struct gvirt_ggtt;
struct gvirt_mmio;
struct gvirt_pci;

#define GVIRT_FENCE_NONE	(-1)

/**
 * struct gvirt_fence_hold - Who can hold a fence
 * @owner: of all holds of one vGPU
 * @let_go: takes what this hold is mapped to from page tables, for another one is to get it,
 *	and sets @slot to GVIRT_FENCE_NONE under the lock with which it is read for
 *	mapping. Called with the pool's lock; must not wait for a guest or its VMM
 * @slot: which fence; GVIRT_FENCE_NONE: none. Set with the pool's lock
 */
struct gvirt_fence_hold {
	void *owner;
	void (*let_go)(struct gvirt_fence_hold *hold);
	int slot;
};

/**
 * struct gvirt_fence_content - What a fence shall show
 * @fence: pitch and tiling; where it is does not matter
 * @dma: bus addresses of its pages
 * @pages: how many, 1 to GVIRT_FENCE_MOST_PAGES; whole rows of tiles
 */
struct gvirt_fence_content {
	const struct gvirt_fence *fence;
	const dma_addr_t *dma;
	u32 pages;
};

/**
 * struct gvirt_fence_slot - A fence of the chip
 * @hold: who has it; NULL: nobody
 * @used: when it was used last, by the pool's clock
 * @pages: entries of its place that map @hold's pages
 * @value: what is in the register
 */
struct gvirt_fence_slot {
	struct gvirt_fence_hold *hold;
	atomic64_t used;
	u32 pages;
	u64 value;
};

/**
 * struct gvirt_fences - The fences of a GPU
 * @ggtt: its GGTT
 * @mmio: registers
 * @aperture: bus address of the first place in BAR2
 * @first: number of the first place's first page in the GGTT
 * @count: fences that can be used; 0: the aperture has no room
 * @wc: the places are known to be for write-combined mappings
 * @lock: who has which fence, and the entries of their places
 * @resetting: nobody gets one now; under @lock
 * @regs: values of the registers
 * @clock: counts uses
 * @slot: the fences
 */
struct gvirt_fences {
	struct gvirt_ggtt *ggtt;
	struct gvirt_mmio *mmio;
	resource_size_t aperture;
	u32 first;
	unsigned int count;
	bool wc;
	struct mutex lock; /* who has which */
	bool resetting;
	spinlock_t regs; /* registers */
	atomic64_t clock;
	struct gvirt_fence_slot slot[GEN9_FENCE_COUNT];
};

/**
 * gvirt_fences_init() - Find room in the aperture
 * @fences: to be initialised
 * @ggtt: of the GPU
 * @mmio: of the GPU
 * @pci: of the GPU
 *
 * The boot framebuffer keeps its part. The registers are set by gvirt_fences_restore().
 */
void gvirt_fences_init(struct gvirt_fences *fences, struct gvirt_ggtt *ggtt,
		       struct gvirt_mmio *mmio, const struct gvirt_pci *pci);

/**
 * gvirt_fences_fini() - The opposite of gvirt_fences_init()
 * @fences: of gvirt_fences_init(); nobody holds one
 */
void gvirt_fences_fini(struct gvirt_fences *fences);

/**
 * gvirt_fences_held() - How many fences somebody has
 * @fences: of the GPU
 *
 * Return: the number. Sleeps.
 */
unsigned int gvirt_fences_held(struct gvirt_fences *fences);

/**
 * gvirt_fences_suspend() - The GT is about to be reset: nobody uses a fence
 * @fences: which
 *
 * Who holds one loses it. Nobody gets one until gvirt_fences_restore(). Sleeps.
 */
void gvirt_fences_suspend(struct gvirt_fences *fences);

/**
 * gvirt_fences_restore() - A full reset has cleared the registers: set them again
 * @fences: which
 *
 * Sleeps.
 */
void gvirt_fences_restore(struct gvirt_fences *fences);

/**
 * gvirt_fences_take() - Get a fence, from somebody else if need be
 * @fences: which
 * @hold: gets it; has perhaps one already, and nothing happens then
 * @content: what it shall show; no longer needed on return
 *
 * Sleeps. The pages must stay pinned until gvirt_fences_release().
 *
 * Return: 0; -EAGAIN during a reset: try again a little later.
 */
int gvirt_fences_take(struct gvirt_fences *fences, struct gvirt_fence_hold *hold,
		      const struct gvirt_fence_content *content);

/**
 * gvirt_fences_release() - Give a fence back; no page table leads to it any more
 * @fences: which
 * @hold: has perhaps lost it already
 *
 * On return let_go() is not called any more, and the chip does not reach the pages. Sleeps.
 */
void gvirt_fences_release(struct gvirt_fences *fences, struct gvirt_fence_hold *hold);

/**
 * gvirt_fences_pfn() - What to map
 * @fences: which
 * @slot: a fence that is held, and stays so
 * @page: number in the place
 *
 * Counts as a use of the fence. Any context.
 *
 * Return: frame number in BAR2.
 */
unsigned long gvirt_fences_pfn(struct gvirt_fences *fences, int slot, u32 page);

#endif
