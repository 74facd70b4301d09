/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a guest's privileged commands address in its GGTT, brought into the
 * host's part of the real one.
 *
 * A slot stands for a range of pages of the guest's GGTT and is consecutive in the
 * real one. Commands are patched to its address. Workloads that a slot was mapped
 * for keep it in place until they are over; the others go when room is needed,
 * least recently used first.
 *
 * All functions but gvirt_window_pages() and gvirt_window_bytes() are called under one
 * mutex of the owner's, the one that covers the vGPU's page tables as well; never under a
 * lock that the guest's register accesses need.
 */
#ifndef GVIRT_MODEL_WINDOW_H
#define GVIRT_MODEL_WINDOW_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/xarray.h>
#include "lib/engine.h"
#include "lib/pte.h"

struct gvirt_ggtt;
struct gvirt_guest;
struct gvirt_vggtt;

/* Pages of all slots of a vGPU, at most; also of one of them. */
#define GVIRT_WINDOW_PAGES	1024u

/**
 * struct gvirt_window_use - A workload that uses slots
 * @node: in the list of its engine's
 * @engine: enum gvirt_engine_id
 * @ticket: slots with this ticket or a later one of @engine's stay
 */
struct gvirt_window_use {
	struct list_head node;
	enum gvirt_engine_id engine;
	u64 ticket;
};

/**
 * struct gvirt_window_stats - What it did
 * @maps: ranges asked for
 * @misses: of those, the ones that got a new slot
 * @remaps: pages whose entry the guest had changed
 * @evictions: slots that made room
 * @scratched: pages that mapped no memory
 */
struct gvirt_window_stats {
	u64 maps;
	u64 misses;
	u64 remaps;
	u64 evictions;
	u64 scratched;
};

/**
 * struct gvirt_window - The slots of a vGPU
 * @ggtt: the real GGTT
 * @vggtt: the guest's
 * @guest: the guest's memory
 * @rules: the guest's, for its entries
 * @slots: by first page and length
 * @lru: slots, least recently used first
 * @uses: workloads that are not over, by engine, in the order in which they began
 * @ticket: of the workload that began last
 * @pages: pages of all slots
 * @bytes: memory of all slots
 * @scratch: page of this vGPU that stands where the guest maps nothing
 * @scratch_dma: its bus address
 * @stats: counters
 */
struct gvirt_window {
	struct gvirt_ggtt *ggtt;
	struct gvirt_vggtt *vggtt;
	struct gvirt_guest *guest;
	struct gvirt_pte_rules rules;
	struct xarray slots;
	struct list_head lru;
	struct list_head uses[GVIRT_ENGINES];
	u64 ticket;
	u32 pages;
	size_t bytes;
	void *scratch;
	dma_addr_t scratch_dma;
	struct gvirt_window_stats stats;
};

/**
 * gvirt_window_init() - Prepare, without slots
 * @window: to be initialised
 * @ggtt: the real GGTT
 * @vggtt: the guest's
 * @guest: the guest's memory
 *
 * Return: 0 or -ENOMEM.
 */
int gvirt_window_init(struct gvirt_window *window, struct gvirt_ggtt *ggtt,
		      struct gvirt_vggtt *vggtt, struct gvirt_guest *guest);

/**
 * gvirt_window_fini() - The end of gvirt_window_init()
 * @window: one that was reset; or zeroed
 */
void gvirt_window_fini(struct gvirt_window *window);

/**
 * gvirt_window_reset() - Give all slots back
 * @window: which; no workload of the vGPU is with an engine, and uses are forgotten
 */
void gvirt_window_reset(struct gvirt_window *window);

/**
 * gvirt_window_begin() - A workload is about to be prepared
 * @window: which
 * @use: to be initialised; belongs to the window until gvirt_window_end()
 * @engine: where it will run
 */
void gvirt_window_begin(struct gvirt_window *window, struct gvirt_window_use *use,
			enum gvirt_engine_id engine);

/**
 * gvirt_window_end() - A workload is over: it ran, or never will
 * @window: which
 * @use: of gvirt_window_begin()
 */
void gvirt_window_end(struct gvirt_window *window, struct gvirt_window_use *use);

/**
 * gvirt_window_map() - Make a range of the guest's GGTT reachable
 * @window: which
 * @use: the workload that is prepared
 * @address: the guest's GGTT address
 * @size: bytes from there on
 * @host: gets the GGTT address for the command, with the same offset in its page
 *
 * Pages that the guest maps to no memory map a scratch page of the vGPU's: writes have no
 * effect for others, as on the chip. What the guest has changed since the last time is
 * brought up to date. Sleeps; a range that is there and did not change costs no register
 * access and no allocation.
 *
 * Return: 0; -EINVAL when the range is empty or wraps around; -E2BIG when it is longer than
 * GVIRT_WINDOW_PAGES; -ENOSPC while all slots are in use or the host's part of the GGTT
 * is full; -ENOMEM as of gvirt_guest_pin(). Only this workload fails then.
 */
int gvirt_window_map(struct gvirt_window *window, const struct gvirt_window_use *use,
		     u32 address, u32 size, u32 *host);

/**
 * gvirt_window_revoke() - Guest memory goes away
 * @window: which
 * @first_gfn: from here
 * @last_gfn: to here, inclusive
 *
 * Slots stay, and map the scratch page there until they are mapped anew.
 */
void gvirt_window_revoke(struct gvirt_window *window, u64 first_gfn, u64 last_gfn);

/**
 * gvirt_window_pages() - How many pages the slots have
 * @window: which
 *
 * Return: pages, without a lock.
 */
u32 gvirt_window_pages(const struct gvirt_window *window);

/**
 * gvirt_window_bytes() - Memory that the slots take
 * @window: which
 *
 * Return: bytes, without a lock.
 */
size_t gvirt_window_bytes(const struct gvirt_window *window);

#endif
