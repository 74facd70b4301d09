// SPDX-License-Identifier: GPL-2.0-only
/*
 * The global GTT.
 *
 * Data model: the table in the chip is the only copy. Its last entries but one
 * are the host's, for rings, context images and status pages; what guests need
 * is brought in below. The very last entry stays scratch: command streamers
 * fetch ahead of what they execute.
 *
 * Invariant: from init to fini every entry is valid, so that nothing that the
 * GPU ever does with a GGTT address reaches memory that is not ours. The one
 * exception is the boot framebuffer: entries from 0 on that map stolen memory
 * are the firmware's, a console may be looking at them, and they stay.
 *
 * Addresses come from the kernel's genalloc, a bitmap with a lock of its own;
 * DRM's allocator would make gvirt depend on drm.ko for nothing else.
 *
 * Sources: Intel PRM Skylake, volume 5 (Memory Views, "Global GTT"); Linux
 * i915, gt/intel_ggtt.c (write-combined mapping, flush, guard page).
 */
#include <linux/dma-mapping.h>
#include <linux/genalloc.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <gvirt/gen9_pte.h>
#include <gvirt/gen9_reset.h>
#include "ggtt.h"
#include "mmio.h"
#include "pci.h"

#define GUARD_PAGES	1
#define PAGES(bytes)	((bytes) >> GEN9_PAGE_SHIFT_4K)

static void write_entries(struct gvirt_ggtt *ggtt, u32 first, u32 count, u64 pte, u64 step)
{
	u32 i;

	for (i = first; i < first + count; i++, pte += step)
		writeq(pte, ggtt->gsm + i);
}

static u32 index_of(u32 address)
{
	return PAGES(address);
}

u64 gvirt_ggtt_read(struct gvirt_ggtt *ggtt, u32 index)
{
	return readq(ggtt->gsm + index);
}

void gvirt_ggtt_flush(struct gvirt_ggtt *ggtt)
{
	/* The mapping is write-combined: the entries have to leave before the flush does. */
	wmb();
	gvirt_mmio_write_raw(ggtt->mmio, GEN9_GFX_FLSH_CNTL, GEN9_GFX_FLSH_CNTL_EN);
}

void gvirt_ggtt_map(struct gvirt_ggtt *ggtt, u32 address, dma_addr_t dma, u32 pages)
{
	write_entries(ggtt, index_of(address), pages,
		      (dma & GEN9_GGTT_ADDR_MASK) | GEN9_GGTT_PRESENT, PAGE_SIZE);
}

void gvirt_ggtt_unmap(struct gvirt_ggtt *ggtt, u32 address, u32 pages)
{
	write_entries(ggtt, index_of(address), pages, ggtt->scratch_pte, 0);
}

void gvirt_ggtt_flush_wait(struct gvirt_ggtt *ggtt)
{
	gvirt_ggtt_flush(ggtt);
	gvirt_mmio_read_raw(ggtt->mmio, GEN9_GFX_FLSH_CNTL);
}

u32 gvirt_ggtt_alloc(struct gvirt_ggtt *ggtt, u32 pages)
{
	return gen_pool_alloc(ggtt->host, (size_t)pages << GEN9_PAGE_SHIFT_4K);
}

u32 gvirt_ggtt_used(const struct gvirt_ggtt *ggtt)
{
	return PAGES(gen_pool_size(ggtt->host) - gen_pool_avail(ggtt->host));
}

void gvirt_ggtt_free(struct gvirt_ggtt *ggtt, u32 address, u32 pages)
{
	gvirt_ggtt_unmap(ggtt, address, pages);
	gvirt_ggtt_flush_wait(ggtt);
	gen_pool_free(ggtt->host, address, (size_t)pages << GEN9_PAGE_SHIFT_4K);
}

static bool maps_stolen(const struct gvirt_pci *pci, u64 pte)
{
	u64 address = pte & GEN9_GGTT_ADDR_MASK;

	return pte & GEN9_GGTT_PRESENT && address >= pci->stolen_base &&
	       address - pci->stolen_base < pci->stolen_size;
}

/* The firmware's framebuffer: a run of entries that starts with entry 0, within the aperture. */
static u32 count_kept(struct gvirt_ggtt *ggtt, const struct gvirt_pci *pci)
{
	u32 limit = min_t(u64, PAGES((u64)pci->aperture_size), ggtt->host_first);
	u32 kept = 0;

	while (kept < limit && maps_stolen(pci, gvirt_ggtt_read(ggtt, kept)))
		kept++;
	return kept;
}

static int init_host_part(struct gvirt_ggtt *ggtt)
{
	u32 pages = min_t(u32, PAGES(GVIRT_GGTT_HOST_SIZE), ggtt->entries / 2);
	int err;

	ggtt->host_first = ggtt->entries - GUARD_PAGES - pages;
	ggtt->host = gen_pool_create(GEN9_PAGE_SHIFT_4K, dev_to_node(ggtt->dev));
	if (!ggtt->host)
		return -ENOMEM;
	err = gen_pool_add(ggtt->host, (unsigned long)ggtt->host_first << GEN9_PAGE_SHIFT_4K,
			   (size_t)pages << GEN9_PAGE_SHIFT_4K, dev_to_node(ggtt->dev));
	if (err)
		gen_pool_destroy(ggtt->host);
	return err;
}

int gvirt_ggtt_init(struct gvirt_ggtt *ggtt, struct gvirt_mmio *mmio, const struct gvirt_pci *pci)
{
	int err;

	*ggtt = (struct gvirt_ggtt) {
		.dev = &pci->pdev->dev,
		.mmio = mmio,
		.gsm = pci->gsm,
		.entries = pci->gsm_size / GEN9_PTE_SIZE,
	};
	ggtt->scratch = dma_alloc_coherent(ggtt->dev, PAGE_SIZE, &ggtt->scratch_dma, GFP_KERNEL);
	if (!ggtt->scratch)
		return -ENOMEM;
	err = init_host_part(ggtt);
	if (err) {
		dma_free_coherent(ggtt->dev, PAGE_SIZE, ggtt->scratch, ggtt->scratch_dma);
		return err;
	}
	ggtt->scratch_pte = ggtt->scratch_dma | GEN9_GGTT_PRESENT;
	ggtt->kept = count_kept(ggtt, pci);
	write_entries(ggtt, ggtt->kept, ggtt->entries - ggtt->kept, ggtt->scratch_pte, 0);
	gvirt_ggtt_flush(ggtt);
	return 0;
}

/* Below the host's part everything is scratch but for what the firmware keeps. */
int gvirt_ggtt_save(struct gvirt_ggtt *ggtt)
{
	u32 host = ggtt->entries - ggtt->host_first, i;

	ggtt->saved = kvmalloc_array(ggtt->kept + host, sizeof(u64), GFP_KERNEL);
	if (!ggtt->saved)
		return -ENOMEM;
	for (i = 0; i < ggtt->kept; i++)
		ggtt->saved[i] = gvirt_ggtt_read(ggtt, i);
	for (i = 0; i < host; i++)
		ggtt->saved[ggtt->kept + i] = gvirt_ggtt_read(ggtt, ggtt->host_first + i);
	return 0;
}

void gvirt_ggtt_restore(struct gvirt_ggtt *ggtt)
{
	u32 host = ggtt->entries - ggtt->host_first, i;

	for (i = 0; i < ggtt->kept; i++)
		writeq(ggtt->saved[i], ggtt->gsm + i);
	write_entries(ggtt, ggtt->kept, ggtt->host_first - ggtt->kept, ggtt->scratch_pte, 0);
	for (i = 0; i < host; i++)
		writeq(ggtt->saved[ggtt->kept + i], ggtt->gsm + ggtt->host_first + i);
	gvirt_ggtt_flush(ggtt);
	kvfree(ggtt->saved);
	ggtt->saved = NULL;
}

/* The pool's own check for ranges that are left is a BUG(): better leak it than die. */
static void destroy_pool(struct gen_pool *pool)
{
	if (WARN_ON(gen_pool_avail(pool) != gen_pool_size(pool)))
		return;
	gen_pool_destroy(pool);
}

void gvirt_ggtt_fini(struct gvirt_ggtt *ggtt)
{
	write_entries(ggtt, ggtt->kept, ggtt->entries - ggtt->kept, 0, 0);
	gvirt_ggtt_flush_wait(ggtt);
	destroy_pool(ggtt->host);
	dma_free_coherent(ggtt->dev, PAGE_SIZE, ggtt->scratch, ggtt->scratch_dma);
}
