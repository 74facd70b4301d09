// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shadow tables: memory, references, and their end.
 *
 * A table belongs to the vGPU, not to an address space: what the guest shares between
 * address spaces is shared in the shadow. It lives while an entry or a root points to it.
 *
 * The chip may remember what an entry said long after it has changed, and may walk a
 * table that nothing points to any more. So pages that were unmapped and tables that were
 * dropped are stale first: they stay pinned and allocated until all TLBs have been
 * invalidated, which is done for many at a time.
 */
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <gvirt/gen9_pte.h>
#include "host/guest.h"
#include "ppgtt_pool.h"

#define STALE_ORDER_SHIFT	56
#define STALE_GFN_MASK		GENMASK_ULL(STALE_ORDER_SHIFT - 1, 0)
#define PAGES_PER_64K		BIT(GVIRT_GUEST_ORDER_64K)

/* Entries. */

static bool has_64k_pages(const struct gvirt_shadow *table)
{
	return table->key.kind == GVIRT_SHADOW_TABLE_64K ||
	       table->key.kind == GVIRT_SHADOW_TABLE_SPLIT;
}

struct gvirt_pte gvirt_shadow_decode(const struct gvirt_shadow *table, unsigned int i, u64 entry)
{
	const struct gvirt_pte_rules rules = {
		.gpa_end = BIT_ULL(GEN9_PHYS_BITS),
		.ips_64k = table->key.ips_64k,
	};

	return gvirt_pte_decode(&rules, table->key.level, has_64k_pages(table), i, entry);
}

bool gvirt_shadow_is_scratch(const struct gvirt_shadow_pool *pool,
			     const struct gvirt_shadow *table, unsigned int i)
{
	u64 entry = table->entries[i];

	if (table->key.level == GVIRT_LEVEL_PTE)
		return (entry & GEN9_PTE_ADDR_MASK) == pool->scratch.page_dma;
	return entry && !(entry & GEN9_PDE_PS) && !table->child[i];
}

static unsigned int page_order(const struct gvirt_shadow *table)
{
	if (table->key.level == GVIRT_LEVEL_PDE)
		return GVIRT_GUEST_ORDER_2M;
	return table->key.kind == GVIRT_SHADOW_TABLE_64K ? GVIRT_GUEST_ORDER_64K : 0;
}

bool gvirt_shadow_page(const struct gvirt_shadow_pool *pool, const struct gvirt_shadow *table,
		       unsigned int i, struct gvirt_shadow_page *page)
{
	unsigned int from = i;
	struct gvirt_pte pte;

	if (!table->entries[i] || (table->child && table->child[i]) ||
	    gvirt_shadow_is_scratch(pool, table, i))
		return false;
	if (table->key.kind == GVIRT_SHADOW_TABLE_SPLIT)
		from = round_down(i, PAGES_PER_64K);
	pte = gvirt_shadow_decode(table, from, table->seen[from]);
	page->gfn = (pte.gpa >> GEN9_PAGE_SHIFT_4K) + (i - from);
	page->order = page_order(table);
	return true;
}

void gvirt_shadow_unpin(struct gvirt_shadow_pool *pool, const struct gvirt_shadow_page *page)
{
	if (page->order)
		gvirt_guest_unpin_block(pool->guest, page->gfn, page->order);
	else
		gvirt_guest_unpin(pool->guest, page->gfn);
}

/* Tables. */

static u64 hash_of(const struct gvirt_shadow_key *key)
{
	return key->source ^ (u64)key->kind << 56 ^ (u64)key->level << 58 ^ (u64)key->ips_64k << 61;
}

static bool is_same(const struct gvirt_shadow_key *a, const struct gvirt_shadow_key *b)
{
	return a->source == b->source && a->kind == b->kind && a->level == b->level &&
	       a->ips_64k == b->ips_64k;
}

struct gvirt_shadow *gvirt_shadow_find(struct gvirt_shadow_pool *pool,
				       const struct gvirt_shadow_key *key)
{
	struct gvirt_shadow *table;

	hash_for_each_possible(pool->tables, table, node, hash_of(key))
		if (is_same(&table->key, key))
			return table;
	return NULL;
}

static void free_table(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table)
{
	gvirt_source_leave(&pool->sources, &table->user);
	if (table->entries)
		dma_free_coherent(pool->guest->dev, GEN9_TABLE_SIZE, table->entries, table->dma);
	free_page((unsigned long)table->seen);
	pool->parents -= !!table->child;
	kfree(table->child);
	kfree(table);
}

static int add_buffers(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table)
{
	table->entries = dma_alloc_coherent(pool->guest->dev, GEN9_TABLE_SIZE, &table->dma,
					    GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	table->seen = (u64 *)get_zeroed_page(GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!table->entries || !table->seen)
		return -ENOMEM;
	if (table->key.level == GVIRT_LEVEL_PTE)
		return 0;
	table->child = kcalloc(GEN9_TABLE_ENTRIES, sizeof(*table->child), GFP_KERNEL_ACCOUNT);
	if (!table->child)
		return -ENOMEM;
	pool->parents++;
	return 0;
}

size_t gvirt_shadow_pool_bytes(const struct gvirt_shadow_pool *pool)
{
	const size_t table = sizeof(struct gvirt_shadow) + 2 * GEN9_TABLE_SIZE;
	const size_t children = GEN9_TABLE_ENTRIES * sizeof(struct gvirt_shadow *);

	return pool->count * table + pool->parents * children +
	       pool->sources.count * sizeof(struct gvirt_source) +
	       GVIRT_SHADOW_STALE * sizeof(*pool->stale) + GVIRT_PTE_LEVELS * GEN9_TABLE_SIZE;
}

/* First what fails most often: there may be no memory, in every sync. */
static struct gvirt_shadow *alloc_table(struct gvirt_shadow_pool *pool,
					const struct gvirt_shadow_key *key,
					struct gvirt_source_queue *queue)
{
	struct gvirt_shadow *table = kzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);
	int err = 0;

	if (!table)
		return ERR_PTR(-ENOMEM);
	table->key = *key;
	gvirt_source_user_init(&table->user, queue, key->level);
	if (key->kind != GVIRT_SHADOW_PAGE)
		err = gvirt_source_join(&pool->sources, &table->user, key->source);
	if (!err)
		err = add_buffers(pool, table);
	if (!err)
		return table;
	free_table(pool, table);
	return ERR_PTR(err);
}

struct gvirt_shadow *gvirt_shadow_create(struct gvirt_shadow_pool *pool,
					 const struct gvirt_shadow_key *key,
					 struct gvirt_source_queue *queue)
{
	struct gvirt_shadow *table;

	if (pool->count >= GVIRT_SHADOW_TABLES)
		gvirt_shadow_drain(pool);
	if (pool->count >= GVIRT_SHADOW_TABLES)
		return ERR_PTR(-ENOSPC);
	table = alloc_table(pool, key, queue);
	if (IS_ERR(table))
		return table;
	hash_add(pool->tables, &table->node, hash_of(key));
	WRITE_ONCE(pool->count, pool->count + 1);
	return table;
}

static void put_children(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table)
{
	unsigned int i;

	for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
		if (table->child[i])
			gvirt_shadow_put(pool, table->child[i]);
}

/*
 * All that leads to a table of one address space alone is that one's as well. So a table
 * that gets into another takes all below it along. Once in a table's life.
 */
void gvirt_shadow_share(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table,
			struct gvirt_source_queue *queue)
{
	struct gvirt_source_queue *shared = &pool->sources.shared;
	unsigned int i;

	if (table->user.queue == queue || table->user.queue == shared)
		return;
	gvirt_source_share(&pool->sources, &table->user);
	cond_resched();
	for (i = 0; table->child && i < GEN9_TABLE_ENTRIES; i++)
		if (table->child[i])
			gvirt_shadow_share(pool, table->child[i], shared);
}

/*
 * As deep as there are levels. The children stay where they are for the chip's sake; the
 * guest's table is of no use any more, and the guest may do with it what it wants.
 */
void gvirt_shadow_put(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table)
{
	if (--table->refs)
		return;
	hash_del(&table->node);
	gvirt_source_leave(&pool->sources, &table->user);
	hlist_add_head(&table->node, &pool->stale_tables);
	pool->stale_table_count++;
	if (table->child)
		put_children(pool, table);
}

/* The end. */

void gvirt_shadow_retire(struct gvirt_shadow_pool *pool, const struct gvirt_shadow_page *page)
{
	if (pool->stale_count == GVIRT_SHADOW_STALE)
		gvirt_shadow_drain(pool);
	pool->stale[pool->stale_count++] = (u64)page->order << STALE_ORDER_SHIFT | page->gfn;
}

static void unpin_stale(struct gvirt_shadow_pool *pool)
{
	struct gvirt_shadow_page page;
	unsigned int i;

	for (i = 0; i < pool->stale_count; i++) {
		page.gfn = pool->stale[i] & STALE_GFN_MASK;
		page.order = pool->stale[i] >> STALE_ORDER_SHIFT;
		gvirt_shadow_unpin(pool, &page);
	}
	pool->stale_count = 0;
}

static void unpin_all(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table)
{
	struct gvirt_shadow_page page;
	unsigned int i;

	for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
		if (gvirt_shadow_page(pool, table, i, &page))
			gvirt_shadow_unpin(pool, &page);
}

static void free_stale_tables(struct gvirt_shadow_pool *pool)
{
	struct gvirt_shadow *table;
	struct hlist_node *next;

	hlist_for_each_entry_safe(table, next, &pool->stale_tables, node) {
		unpin_all(pool, table);
		free_table(pool, table);
		cond_resched();
	}
	INIT_HLIST_HEAD(&pool->stale_tables);
	WRITE_ONCE(pool->count, pool->count - pool->stale_table_count);
	pool->stale_table_count = 0;
}

void gvirt_shadow_drain(struct gvirt_shadow_pool *pool)
{
	if (!pool->stale_count && !pool->stale_table_count)
		return;
	pool->services->invalidate(pool->data);
	pool->stats.invalidations++;
	unpin_stale(pool);
	free_stale_tables(pool);
}

void gvirt_shadow_tidy(struct gvirt_shadow_pool *pool)
{
	if (pool->stale_count >= GVIRT_SHADOW_STALE / 2 ||
	    pool->stale_table_count >= GVIRT_SHADOW_STALE_TABLES)
		gvirt_shadow_drain(pool);
}

/* Life. */

static bool keep_guarded(void *data, u64 gfn, u32 offset, unsigned int bytes)
{
	struct gvirt_shadow_pool *pool = data;

	return gvirt_temper_mirror(READ_ONCE(pool->sources.mode), offset, bytes);
}

static void stored(void *data, u64 gfn, u32 offset, unsigned int bytes)
{
	struct gvirt_shadow_pool *pool = data;

	pool->services->stored(pool->data, gfn, offset, bytes);
}

static const struct gvirt_watch_services watch_services = {
	.keep = keep_guarded,
	.stored = stored,
};

static int add_copies(struct gvirt_shadow_pool *pool)
{
	unsigned int level;

	for (level = GVIRT_LEVEL_PTE; level <= GVIRT_PTE_LEVELS; level++) {
		pool->copy[level] = (u64 *)__get_free_page(GFP_KERNEL_ACCOUNT);
		if (!pool->copy[level])
			return -ENOMEM;
	}
	return 0;
}

int gvirt_shadow_pool_init(struct gvirt_shadow_pool *pool, struct gvirt_guest *guest,
			   const struct gvirt_shadow_services *services, void *data)
{
	int err;

	memset(pool, 0, sizeof(*pool));
	pool->guest = guest;
	pool->services = services;
	pool->data = data;
	hash_init(pool->tables);
	gvirt_sources_init(&pool->sources, guest, &watch_services, pool);
	err = gvirt_scratch_init(&pool->scratch, guest->dev);
	if (err)
		goto err_all;
	err = -ENOMEM;
	pool->stale = kvmalloc_array(GVIRT_SHADOW_STALE, sizeof(*pool->stale), GFP_KERNEL_ACCOUNT);
	if (!pool->stale)
		goto err_all;
	err = add_copies(pool);
	if (err)
		goto err_all;
	return 0;

err_all:
	gvirt_shadow_pool_fini(pool);
	return err;
}

void gvirt_shadow_pool_fini(struct gvirt_shadow_pool *pool)
{
	unsigned int level;

	for (level = GVIRT_LEVEL_PTE; level <= GVIRT_PTE_LEVELS; level++)
		free_page((unsigned long)pool->copy[level]);
	kvfree(pool->stale);
	gvirt_scratch_fini(&pool->scratch);
	gvirt_sources_fini(&pool->sources);
	memset(pool, 0, sizeof(*pool));
}
