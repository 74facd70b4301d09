// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the chip's fences: what they show, who loses one, and a full reset.
 */
#include <linux/dma-mapping.h>
#include <linux/io.h>
#include <linux/slab.h>
#include <gvirt/gen9_pte.h>
#include "hw/gpu.h"
#include "hwtest.h"

#define PITCH	1024u
#define ROWS	16u
#define PAGES	(PITCH * ROWS / PAGE_SIZE)

/**
 * struct holder - One who holds a fence
 * @hold: the hold
 * @lost: how often it was taken away
 */
struct holder {
	struct gvirt_fence_hold hold;
	unsigned int lost;
};

/* Pages that the fences of a test show. */
struct surface {
	u8 *memory;
	dma_addr_t dma[PAGES];
};

static const struct gvirt_fence x_tiles = { .pitch = PITCH };

static void let_go(struct gvirt_fence_hold *hold)
{
	container_of(hold, struct holder, hold)->lost++;
	hold->slot = GVIRT_FENCE_NONE;
}

static void init_holder(struct holder *holder, void *owner)
{
	holder->hold = (struct gvirt_fence_hold) {
		.owner = owner, .let_go = let_go, .slot = GVIRT_FENCE_NONE,
	};
	holder->lost = 0;
}

static int take(struct gvirt_gpu *gpu, struct holder *holder, const struct surface *s)
{
	const struct gvirt_fence_content content = {
		.fence = &x_tiles, .dma = s->dma, .pages = PAGES,
	};

	return gvirt_fences_take(&gpu->fences, &holder->hold, &content);
}

static u64 read_fence(struct gvirt_gpu *gpu, int slot)
{
	return gvirt_mmio_read(&gpu->mmio, GEN9_FENCE_LO(slot)) |
	       (u64)gvirt_mmio_read(&gpu->mmio, GEN9_FENCE_HI(slot)) << 32;
}

static u32 first_page(struct gvirt_gpu *gpu, int slot)
{
	return gpu->fences.first + slot * GVIRT_FENCE_MOST_PAGES;
}

static void expect_scratch(struct gvirt_gpu *gpu, int slot)
{
	u32 i;

	EXPECT(!(read_fence(gpu, slot) & GEN9_FENCE_VALID));
	for (i = 0; i < PAGES; i++)
		EXPECT(gvirt_ggtt_read(&gpu->ggtt, first_page(gpu, slot) + i) ==
		       gpu->ggtt.scratch_pte);
}

/* The CPU's row 9, byte 600, is in the last tile: its row 1, byte 88. */
static void shows_tiles(struct gvirt_gpu *gpu, const struct surface *s)
{
	u8 __iomem *bar;
	struct holder holder;
	int slot;

	init_holder(&holder, gpu);
	EXPECT(!take(gpu, &holder, s));
	slot = holder.hold.slot;
	EXPECT(gvirt_ggtt_read(&gpu->ggtt, first_page(gpu, slot) + 1) ==
	       (s->dma[1] | GEN9_GGTT_PRESENT));
	bar = ioremap_wc((resource_size_t)gvirt_fences_pfn(&gpu->fences, slot, 0) << PAGE_SHIFT,
			 PAGES * PAGE_SIZE);
	EXPECT(bar);
	if (bar) {
		writel(0x12345678, bar + 9 * PITCH + 600);
		EXPECT(readl(bar + 9 * PITCH + 600) == 0x12345678);
		EXPECT(*(u32 *)(s->memory + 3 * PAGE_SIZE + 512 + 88) == 0x12345678);
		iounmap(bar);
	}
	gvirt_fences_release(&gpu->fences, &holder.hold);
	EXPECT(holder.hold.slot == GVIRT_FENCE_NONE && !holder.lost);
	expect_scratch(gpu, slot);
}

/* One has all, and another one takes half. */
static void shares(struct gvirt_gpu *gpu, struct holder *holders, const struct surface *s)
{
	unsigned int i, count = gpu->fences.count, have = 0;

	for (i = 0; i < 3 * count; i++) {
		init_holder(&holders[i], i < count ? (void *)gpu : &gpu->fences);
		EXPECT(!take(gpu, &holders[i], s));
		EXPECT(!take(gpu, &holders[i], s));
	}
	for (i = 0; i < count; i++)
		have += holders[i].hold.slot != GVIRT_FENCE_NONE;
	EXPECT(have == count / 2);
	/* The oldest ones went. */
	EXPECT(holders[0].lost == 1 && !holders[count - 1].lost);
	EXPECT(holders[count].lost == 1 && !holders[3 * count - 1].lost);
	for (i = 0; i < 3 * count; i++)
		gvirt_fences_release(&gpu->fences, &holders[i].hold);
	for (i = 0; i < count; i++)
		expect_scratch(gpu, i);
}

static void survives_reset(struct gvirt_gpu *gpu, const struct surface *s)
{
	struct holder holder;
	u64 value;

	init_holder(&holder, gpu);
	EXPECT(!take(gpu, &holder, s));
	value = read_fence(gpu, holder.hold.slot);
	EXPECT(value & GEN9_FENCE_VALID);
	EXPECT(!gvirt_gpu_restart(gpu));
	EXPECT(holder.lost == 1 && holder.hold.slot == GVIRT_FENCE_NONE);
	expect_scratch(gpu, 0);
	EXPECT(!take(gpu, &holder, s));
	EXPECT(read_fence(gpu, holder.hold.slot) == value);
	/* During one nobody gets any. */
	gvirt_fences_suspend(&gpu->fences);
	EXPECT(holder.lost == 2);
	EXPECT(take(gpu, &holder, s) == -EAGAIN);
	gvirt_fences_restore(&gpu->fences);
	EXPECT(!take(gpu, &holder, s));
	gvirt_fences_release(&gpu->fences, &holder.hold);
}

void hwtest_fences(struct gvirt_gpu *gpu)
{
	struct holder *holders = kcalloc(3 * GEN9_FENCE_COUNT, sizeof(*holders), GFP_KERNEL);
	struct surface s;
	unsigned int i;

	s.memory = dma_alloc_coherent(gpu->ggtt.dev, PAGES * PAGE_SIZE, &s.dma[0], GFP_KERNEL);
	EXPECT(holders && s.memory);
	EXPECT(gpu->fences.count);
	if (holders && s.memory && gpu->fences.count) {
		for (i = 1; i < PAGES; i++)
			s.dma[i] = s.dma[0] + i * PAGE_SIZE;
		shows_tiles(gpu, &s);
		shares(gpu, holders, &s);
		survives_reset(gpu, &s);
	}
	if (s.memory)
		dma_free_coherent(gpu->ggtt.dev, PAGES * PAGE_SIZE, s.memory, s.dma[0]);
	kfree(holders);
}
