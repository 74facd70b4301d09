/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of a vGPU's shadow page tables, and what is to be freed once the
 * chip's TLBs have forgotten it.
 */
#ifndef GVIRT_MODEL_PPGTT_POOL_H
#define GVIRT_MODEL_PPGTT_POOL_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/types.h>
#include "hw/scratch.h"
#include "lib/pte.h"
#include "ppgtt_source.h"

struct gvirt_guest;

/* Tables of a vGPU, at most; enough for 32 GiB in pages of 4K. */
#define GVIRT_SHADOW_TABLES	16640u
/* Pages, and tables, that are not used any more until a TLB invalidation is worth it. */
#define GVIRT_SHADOW_STALE	2048u
#define GVIRT_SHADOW_STALE_TABLES	64u
#define GVIRT_SHADOW_HASH_BITS	10

/**
 * struct gvirt_shadow_services - What shadow tables need
 * @invalidate: let all engines forget all translations. It cannot fail: where the chip does
 *	not answer, it resets it or keeps it from memory before it returns. Called
 *	under the owner's mutex, sleeps.
 * @stored: the guest stored @bytes at @offset of page @gfn, which is a protected table:
 *	call gvirt_vppgtt_mirror() under the owner's mutex. Called without it, on the
 *	vCPU's thread.
 */
struct gvirt_shadow_services {
	void (*invalidate)(void *data);
	void (*stored)(void *data, u64 gfn, u32 offset, unsigned int bytes);
};

/**
 * enum gvirt_shadow_kind - What a table is the shadow of
 * @GVIRT_SHADOW_TABLE: of a guest's table
 * @GVIRT_SHADOW_TABLE_64K: of a guest's table of 64K pages, all of which are
 *	contiguous in the host
 * @GVIRT_SHADOW_TABLE_SPLIT: of a guest's table of 64K pages, built from 4K pages
 * @GVIRT_SHADOW_PAGE: of a guest's large page, which is not contiguous in the host
 */
enum gvirt_shadow_kind {
	GVIRT_SHADOW_TABLE,
	GVIRT_SHADOW_TABLE_64K,
	GVIRT_SHADOW_TABLE_SPLIT,
	GVIRT_SHADOW_PAGE,
};

/**
 * struct gvirt_shadow_key - What makes a table the same
 * @source: gfn of the guest's table; for GVIRT_SHADOW_PAGE the guest's entry
 * @kind: enum gvirt_shadow_kind
 * @level: enum gvirt_pte_level
 * @ips_64k: the guest had enabled 64K pages
 */
struct gvirt_shadow_key {
	u64 source;
	u8 kind;
	u8 level;
	bool ips_64k;
};

/**
 * struct gvirt_shadow - A shadow table
 * @node: in the pool's hash table; among the stale ones when nothing points to it
 * @key: what it is the shadow of
 * @refs: entries and address spaces that point to it
 * @epoch: sync in which it was brought up to date last; 0: it never was, all of it
 * @retry: some entries map scratch because there was no guest memory
 * @user: of the guest's table; it has none for GVIRT_SHADOW_PAGE, and none when it is stale
 * @entries: what the chip sees
 * @dma: bus address of @entries
 * @seen: entries of the guest that @entries were built from
 * @child: tables that @entries point to; NULL at level 1
 */
struct gvirt_shadow {
	struct hlist_node node;
	struct gvirt_shadow_key key;
	u32 refs;
	u64 epoch;
	bool retry;
	struct gvirt_source_user user;
	u64 *entries;
	dma_addr_t dma;
	u64 *seen;
	struct gvirt_shadow **child;
};

/**
 * struct gvirt_shadow_stats - What was done
 * @compares: guest tables copied and compared
 * @entries: entries compared
 * @changes: entries that had changed
 * @mirrored: entries that were looked at since a store was caught
 * @walks: syncs that went through all of an address space
 * @reclaims: address spaces dropped since memory or tables were short
 * @splits: large pages that were split
 * @faults: entries that no shadow can have, or that point to no memory
 * @invalidations: of the chip's TLBs
 */
struct gvirt_shadow_stats {
	u64 compares;
	u64 entries;
	u64 changes;
	u64 mirrored;
	u64 walks;
	u64 reclaims;
	u64 splits;
	u64 faults;
	u64 invalidations;
};

/**
 * struct gvirt_shadow_pool - Tables of a vGPU
 * @guest: the guest's memory
 * @services: what it needs
 * @data: for @services
 * @scratch: tables and a page of this vGPU's that stand where there is no guest memory
 * @sources: the guest's tables
 * @tables: those that are pointed to
 * @count: how many there are, with the stale ones
 * @parents: of those, the ones above level 1
 * @stale_tables: those that nothing points to, whose pages are still pinned
 * @stale_table_count: how many
 * @stale: pages that nothing maps: gfn, and the order in bits 63:56
 * @stale_count: how many
 * @copy: by level: room for a copy of a guest's table
 * @retries: how many entries may still be tried in vain in this sync
 * @absent: how many entries without memory it may still build
 * @walk: what is known already is to be gone through again
 * @stats: counters
 */
struct gvirt_shadow_pool {
	struct gvirt_guest *guest;
	const struct gvirt_shadow_services *services;
	void *data;
	struct gvirt_scratch scratch;
	struct gvirt_sources sources;
	DECLARE_HASHTABLE(tables, GVIRT_SHADOW_HASH_BITS);
	unsigned int count;
	unsigned int parents;
	struct hlist_head stale_tables;
	unsigned int stale_table_count;
	u64 *stale;
	unsigned int stale_count;
	u64 *copy[GVIRT_PTE_LEVELS + 1];
	unsigned int retries;
	unsigned int absent;
	bool walk;
	struct gvirt_shadow_stats stats;
};

/**
 * gvirt_shadow_pool_init() - Prepare, without tables
 * @pool: to be initialised
 * @guest: the guest's memory
 * @services: what it needs
 * @data: for @services
 *
 * Return: 0 or -ENOMEM.
 */
int gvirt_shadow_pool_init(struct gvirt_shadow_pool *pool, struct gvirt_guest *guest,
			   const struct gvirt_shadow_services *services, void *data);

/**
 * gvirt_shadow_pool_fini() - The end of gvirt_shadow_pool_init()
 * @pool: one without tables; or zeroed
 */
void gvirt_shadow_pool_fini(struct gvirt_shadow_pool *pool);

/**
 * gvirt_shadow_pool_bytes() - Memory that it takes
 * @pool: where nothing changes meanwhile
 *
 * Return: bytes: tables, what is known of the guest's, room for work.
 */
size_t gvirt_shadow_pool_bytes(const struct gvirt_shadow_pool *pool);

/**
 * gvirt_shadow_find() - Look for a table
 * @pool: where
 * @key: which
 *
 * Return: the table, or NULL.
 */
struct gvirt_shadow *gvirt_shadow_find(struct gvirt_shadow_pool *pool,
				       const struct gvirt_shadow_key *key);

/**
 * gvirt_shadow_create() - Make a table, without entries and references
 * @pool: where
 * @key: what it is the shadow of; there is none of it yet
 * @queue: of the address space that it is for
 *
 * The guest's table is pinned.
 *
 * Return: the table; ERR_PTR(-ENOMEM); ERR_PTR(-ENOSPC) when there are too many; an error of
 * gvirt_guest_pin_table().
 */
struct gvirt_shadow *gvirt_shadow_create(struct gvirt_shadow_pool *pool,
					 const struct gvirt_shadow_key *key,
					 struct gvirt_source_queue *queue);

/**
 * gvirt_shadow_share() - A table gets into an address space
 * @pool: where
 * @table: which
 * @queue: of the address space; if the table was another's alone, it and all below it
 *	are those of several now
 */
void gvirt_shadow_share(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table,
			struct gvirt_source_queue *queue);

/**
 * gvirt_shadow_put() - Drop a reference
 * @pool: where
 * @table: which
 *
 * A table without references becomes stale, and drops those to its children.
 */
void gvirt_shadow_put(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table);

/**
 * gvirt_shadow_decode() - What an entry of the guest means in a table
 * @table: the shadow
 * @i: which entry, 0 to 511
 * @entry: its value
 *
 * Return: the decoded entry.
 */
struct gvirt_pte gvirt_shadow_decode(const struct gvirt_shadow *table, unsigned int i, u64 entry);

/**
 * gvirt_shadow_is_scratch() - Does an entry stand for absent memory?
 * @pool: where
 * @table: the shadow
 * @i: which entry, 0 to 511
 *
 * Return: true if it maps the pool's scratch page or one of its tables.
 */
bool gvirt_shadow_is_scratch(const struct gvirt_shadow_pool *pool,
			     const struct gvirt_shadow *table, unsigned int i);

/**
 * struct gvirt_shadow_page - Guest memory that an entry has pinned
 * @gfn: the first page
 * @order: pages, as an order; a block if not 0
 */
struct gvirt_shadow_page {
	u64 gfn;
	unsigned int order;
};

/**
 * gvirt_shadow_page() - What has an entry pinned?
 * @pool: where
 * @table: the shadow
 * @i: which entry, 0 to 511
 * @page: gets the page
 *
 * Return: false if it has nothing pinned.
 */
bool gvirt_shadow_page(const struct gvirt_shadow_pool *pool, const struct gvirt_shadow *table,
		       unsigned int i, struct gvirt_shadow_page *page);

/**
 * gvirt_shadow_unpin() - Unpin a page that the chip cannot know
 * @pool: where
 * @page: which
 */
void gvirt_shadow_unpin(struct gvirt_shadow_pool *pool, const struct gvirt_shadow_page *page);

/**
 * gvirt_shadow_retire() - Unpin a page once the chip has forgotten it
 * @pool: where
 * @page: one that no entry maps any more by the reference that is given up
 */
void gvirt_shadow_retire(struct gvirt_shadow_pool *pool, const struct gvirt_shadow_page *page);

/**
 * gvirt_shadow_drain() - Let the chip forget what is stale, unpin and free it
 * @pool: where
 *
 * One TLB invalidation, or nothing at all when nothing is stale.
 */
void gvirt_shadow_drain(struct gvirt_shadow_pool *pool);

/**
 * gvirt_shadow_tidy() - gvirt_shadow_drain(), if that is worth it
 * @pool: where
 */
void gvirt_shadow_tidy(struct gvirt_shadow_pool *pool);

#endif
