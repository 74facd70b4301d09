/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The global GTT: its table, and the part of its addresses that the host owns.
 */
#ifndef GVIRT_HW_GGTT_H
#define GVIRT_HW_GGTT_H

#include <linux/compiler_types.h>
#include <linux/types.h>

struct device;
struct gen_pool;
struct gvirt_mmio;
struct gvirt_pci;

/*
 * What the host puts before the GPU lives here, below the guard page at the table's end. It has
 * room for all that 256 vGPUs may have at once, 7 MiB each.
 */
#define GVIRT_GGTT_HOST_SIZE	(2048u << 20)

/**
 * struct gvirt_ggtt - The global GTT of one GPU
 * @dev: for DMA and messages
 * @mmio: registers
 * @gsm: the table, write-combined
 * @entries: how many entries it has
 * @host_first: first entry of the host's part; guests' content lives below
 * @kept: entries that the firmware's framebuffer needs, from entry 0 on
 * @host: free addresses of the host's part; has its own lock
 * @scratch: page that every entry without a purpose maps
 * @scratch_dma: its bus address
 * @scratch_pte: the entry that maps it
 * @saved: the entries of the firmware's and of the host's part, while the machine sleeps
 *
 * Entries have no lock: whoever has allocated a range owns its entries.
 */
struct gvirt_ggtt {
	struct device *dev;
	struct gvirt_mmio *mmio;
	u64 __iomem *gsm;
	u32 entries;
	u32 host_first;
	u32 kept;
	struct gen_pool *host;
	void *scratch;
	dma_addr_t scratch_dma;
	u64 scratch_pte;
	u64 *saved;
};

/**
 * gvirt_ggtt_init() - Take over the table
 * @ggtt: to be initialised
 * @mmio: registers
 * @pci: mapping of the table, stolen memory
 *
 * Every entry maps the scratch page afterwards, but for those of the boot
 * framebuffer.
 *
 * Return: 0, or -ENOMEM.
 */
int gvirt_ggtt_init(struct gvirt_ggtt *ggtt, struct gvirt_mmio *mmio, const struct gvirt_pci *pci);

/**
 * gvirt_ggtt_fini() - Make all entries invalid and free the scratch page
 * @ggtt: of gvirt_ggtt_init(); all ranges are free, and the engines do not run
 */
void gvirt_ggtt_fini(struct gvirt_ggtt *ggtt);

/**
 * gvirt_ggtt_save() - Copy the table, before the machine sleeps
 * @ggtt: the GTT, in which no guest has anything
 *
 * Return: 0, or -ENOMEM.
 */
int gvirt_ggtt_save(struct gvirt_ggtt *ggtt);

/**
 * gvirt_ggtt_restore() - Write the table anew, after that
 * @ggtt: of gvirt_ggtt_save()
 */
void gvirt_ggtt_restore(struct gvirt_ggtt *ggtt);

/**
 * gvirt_ggtt_alloc() - Get a range of the host's addresses
 * @ggtt: the GTT
 * @pages: length in pages
 *
 * The entries map scratch. The range never moves.
 *
 * Return: GGTT address of its start, 0 when the host's part is full.
 */
u32 gvirt_ggtt_alloc(struct gvirt_ggtt *ggtt, u32 pages);

/**
 * gvirt_ggtt_used() - How much of the host's addresses is given out
 * @ggtt: the GTT
 *
 * Return: pages.
 */
u32 gvirt_ggtt_used(const struct gvirt_ggtt *ggtt);

/**
 * gvirt_ggtt_free() - Give a range back; its entries map scratch again
 * @ggtt: the GTT
 * @address: of gvirt_ggtt_alloc()
 * @pages: what was given to it
 */
void gvirt_ggtt_free(struct gvirt_ggtt *ggtt, u32 address, u32 pages);

/**
 * gvirt_ggtt_map() - Let consecutive entries map consecutive pages
 * @ggtt: the GTT
 * @address: GGTT address of the first
 * @dma: bus address of the first page
 * @pages: how many
 *
 * To be followed by gvirt_ggtt_flush() before the GPU may use them.
 */
void gvirt_ggtt_map(struct gvirt_ggtt *ggtt, u32 address, dma_addr_t dma, u32 pages);

/**
 * gvirt_ggtt_unmap() - Let consecutive entries map scratch
 * @ggtt: the GTT
 * @address: GGTT address of the first
 * @pages: how many
 *
 * To be followed by gvirt_ggtt_flush_wait() before what they mapped may be freed.
 */
void gvirt_ggtt_unmap(struct gvirt_ggtt *ggtt, u32 address, u32 pages);

/**
 * gvirt_ggtt_read() - An entry as it stands in the hardware's table
 * @ggtt: the GTT
 * @index: which entry
 *
 * Return: the entry; slow, for checks.
 */
u64 gvirt_ggtt_read(struct gvirt_ggtt *ggtt, u32 index);

/**
 * gvirt_ggtt_flush() - Let the GPU see changed entries
 * @ggtt: the GTT
 *
 * One register write; it pushes out write-combined entries and drops what the
 * GPU has cached of the table. Any context.
 */
void gvirt_ggtt_flush(struct gvirt_ggtt *ggtt);

/**
 * gvirt_ggtt_flush_wait() - Let go of what changed entries mapped
 * @ggtt: the GTT
 *
 * Like gvirt_ggtt_flush(), and it has arrived on return: the GPU does not reach what the
 * entries mapped before. One register write and one read.
 */
void gvirt_ggtt_flush_wait(struct gvirt_ggtt *ggtt);

#endif
