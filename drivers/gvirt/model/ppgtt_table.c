// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shadow tables brought up to date with the guest's.
 *
 * A guest's table that is out of sync is copied once, and the copy is compared with the
 * entries that the shadow was built from. For an entry that changed, all that the new one needs is
 * made first (pages pinned, tables below complete), then the shadow's entry is
 * replaced by one store, and then what the old one had is given up. So the chip sees
 * the old state or the new one, and a failure leaves the old one.
 *
 * A guest's page may be used as a table of more than one level, and of itself: a
 * shadow stands for a page at a level, and points to shadows of the level below only, so
 * no walk is deeper than there are levels, and the pool bounds how many there are.
 *
 * What an entry of the guest becomes:
 *
 * - not present, or with reserved bits: not present; the chip faults in both cases;
 * - a page or table outside of the guest's memory: scratch, and it is tried again in later
 *   syncs, since memory can come and go without a change of the entry;
 * - a page of 64K or 2M that is contiguous in the host: the same; otherwise a table of
 *   smaller pages. A table cannot have pages of 4K and 64K, so a single one of 64K that is
 *   not contiguous makes another shadow of all of it (GVIRT_SHADOW_TABLE_SPLIT).
 *   Pages of 1G are always split.
 */
#include <linux/err.h>
#include <linux/math.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <gvirt/gen9_pte.h>
#include "host/guest.h"
#include "lib/pte.h"
#include "ppgtt_pool.h"
#include "ppgtt_table.h"

#define PAGES_PER_64K	BIT(GVIRT_GUEST_ORDER_64K)

/**
 * struct built - An entry of the shadow that is complete
 * @entry: for the chip
 * @child: the table that it points to, with a reference; NULL: none
 * @retry: it maps scratch because there is no guest memory
 */
struct built {
	u64 entry;
	struct gvirt_shadow *child;
	bool retry;
};

/* Building an entry. */

/* Each is a question to VFIO, and a guest's few entries can be many. */
static int count_absent(struct gvirt_shadow_pool *pool)
{
	if (!pool->absent)
		return -E2BIG;
	pool->absent--;
	return 0;
}

static void build_scratch_page(const struct gvirt_shadow_pool *pool, const struct gvirt_pte *pte,
			       struct built *built)
{
	built->entry = gvirt_pte_shadow_page(pte, GEN9_PAGE_SHIFT_4K, pool->scratch.page_dma);
	built->retry = true;
}

static void build_scratch_table(const struct gvirt_shadow_pool *pool, unsigned int level,
				const struct gvirt_pte *pte, struct built *built)
{
	/* Scratch tables are counted from 0, and this one is a level below. */
	built->entry = gvirt_pte_shadow_table(pte, pool->scratch.dma[level - 2], false);
	built->retry = true;
}

/* An address that no entry can hold, beyond the GPU's DMA mask: the DMA API's mistake. */
static int check_entry(struct gvirt_shadow_pool *pool, const struct gvirt_shadow_page *page,
		       const struct built *built)
{
	if (built->entry)
		return 0;
	gvirt_shadow_unpin(pool, page);
	return -EIO;
}

static int build_4k(struct gvirt_shadow_pool *pool, const struct gvirt_pte *pte,
		    unsigned int offset, struct built *built)
{
	const struct gvirt_shadow_page page = {
		.gfn = (pte->gpa >> GEN9_PAGE_SHIFT_4K) + offset,
	};
	dma_addr_t dma;
	int err = gvirt_guest_pin(pool->guest, page.gfn, &dma);

	if (err == -EFAULT) {
		build_scratch_page(pool, pte, built);
		return count_absent(pool);
	}
	if (err)
		return err;
	built->entry = gvirt_pte_shadow_page(pte, GEN9_PAGE_SHIFT_4K, dma);
	return check_entry(pool, &page, built);
}

static int build_block(struct gvirt_shadow_pool *pool, const struct gvirt_pte *pte,
		       unsigned int order, struct built *built)
{
	const struct gvirt_shadow_page page = {
		.gfn = pte->gpa >> GEN9_PAGE_SHIFT_4K,
		.order = order,
	};
	dma_addr_t dma;
	int err = gvirt_guest_pin_block(pool->guest, page.gfn, order, &dma);

	/* With smaller pages it will show which part is not there. */
	if (err == -EFAULT)
		return -ERANGE;
	if (err)
		return err;
	built->entry = gvirt_pte_shadow_page(pte, GEN9_PAGE_SHIFT_4K + order, dma);
	return check_entry(pool, &page, built);
}

static int build_split(struct gvirt_shadow_pool *pool, const struct gvirt_shadow *table,
		       const struct gvirt_pte *pte, u64 epoch, struct built *built)
{
	const struct gvirt_shadow_key key = {
		/* Without what the guest keeps in ignored bits. */
		.source = gvirt_pte_shadow_page(pte, pte->shift, pte->gpa),
		.kind = GVIRT_SHADOW_PAGE,
		.level = table->key.level - 1,
		.ips_64k = table->key.ips_64k,
	};
	struct gvirt_shadow *child = gvirt_shadow_get(pool, &key, table->user.queue, epoch);

	if (IS_ERR(child))
		return PTR_ERR(child);
	pool->stats.splits++;
	built->child = child;
	built->entry = gvirt_pte_shadow_table(pte, child->dma, false);
	return 0;
}

static int build_page(struct gvirt_shadow_pool *pool, const struct gvirt_shadow *table,
		      const struct gvirt_pte *pte, u64 epoch, struct built *built)
{
	int err = -ERANGE;

	if (pte->shift == GEN9_PAGE_SHIFT_4K)
		return build_4k(pool, pte, 0, built);
	if (pte->shift == GEN9_PAGE_SHIFT_64K)
		return build_block(pool, pte, GVIRT_GUEST_ORDER_64K, built);
	if (pte->shift == GEN9_PAGE_SHIFT_2M)
		err = build_block(pool, pte, GVIRT_GUEST_ORDER_2M, built);
	if (err == -ERANGE)
		err = build_split(pool, table, pte, epoch, built);
	return err;
}

static int build_table(struct gvirt_shadow_pool *pool, const struct gvirt_shadow *table,
		       const struct gvirt_pte *pte, u64 epoch, struct built *built)
{
	struct gvirt_shadow_key key = {
		.source = pte->gpa >> GEN9_PAGE_SHIFT_4K,
		.kind = pte->table_64k ? GVIRT_SHADOW_TABLE_64K : GVIRT_SHADOW_TABLE,
		.level = table->key.level - 1,
		.ips_64k = table->key.ips_64k,
	};
	struct gvirt_shadow *child = gvirt_shadow_get(pool, &key, table->user.queue, epoch);

	if (child == ERR_PTR(-ERANGE) && key.kind == GVIRT_SHADOW_TABLE_64K) {
		pool->stats.splits++;
		key.kind = GVIRT_SHADOW_TABLE_SPLIT;
		child = gvirt_shadow_get(pool, &key, table->user.queue, epoch);
	}
	if (child == ERR_PTR(-EFAULT)) {
		build_scratch_table(pool, table->key.level, pte, built);
		return count_absent(pool);
	}
	if (IS_ERR(child))
		return PTR_ERR(child);
	built->child = child;
	built->entry = gvirt_pte_shadow_table(pte, child->dma,
					      key.kind == GVIRT_SHADOW_TABLE_64K);
	return 0;
}

static int build_entry(struct gvirt_shadow_pool *pool, const struct gvirt_shadow *table,
		       const struct gvirt_pte *pte, u64 epoch, struct built *built)
{
	*built = (struct built) { };
	if (pte->kind == GVIRT_PTE_NONE || pte->fault)
		return 0;
	if (pte->kind == GVIRT_PTE_PAGE)
		return build_page(pool, table, pte, epoch, built);
	return build_table(pool, table, pte, epoch, built);
}

/* Replacing entries. */

static void replace_entry(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table,
			  unsigned int i, const struct built *built)
{
	struct gvirt_shadow *old_child = table->child ? table->child[i] : NULL;
	struct gvirt_shadow_page old;
	bool had_page = gvirt_shadow_page(pool, table, i, &old);

	WRITE_ONCE(table->entries[i], built->entry);
	if (table->child)
		table->child[i] = built->child;
	if (built->retry)
		table->retry = true;
	if (had_page)
		gvirt_shadow_retire(pool, &old);
	if (old_child)
		gvirt_shadow_put(pool, old_child);
}

static int change_one(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, unsigned int i,
		      u64 value, u64 epoch)
{
	const struct gvirt_pte pte = gvirt_shadow_decode(table, i, value);
	struct built built;
	int err = build_entry(pool, table, &pte, epoch, &built);

	if (err)
		return err;
	if (pte.fault || built.retry)
		pool->stats.faults++;
	replace_entry(pool, table, i, &built);
	table->seen[i] = value;
	return 0;
}

static void unbuild(struct gvirt_shadow_pool *pool, const struct gvirt_pte *pte,
		    const struct built *built, unsigned int count)
{
	struct gvirt_shadow_page page = { };
	unsigned int i;

	for (i = 0; i < count; i++) {
		page.gfn = (pte->gpa >> GEN9_PAGE_SHIFT_4K) + i;
		if (built[i].entry && !built[i].retry)
			gvirt_shadow_unpin(pool, &page);
	}
}

/* An entry of 64K that becomes 16 of 4K: all of them, or none. */
static int change_split(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table,
			unsigned int i, u64 value)
{
	const struct gvirt_pte pte = gvirt_shadow_decode(table, i, value);
	struct built built[PAGES_PER_64K] = { };
	bool present = pte.kind == GVIRT_PTE_PAGE && !pte.fault;
	unsigned int n;
	int err;

	for (n = 0; present && n < PAGES_PER_64K; n++) {
		err = build_4k(pool, &pte, n, &built[n]);
		if (err) {
			unbuild(pool, &pte, built, n);
			return err;
		}
	}
	for (n = 0; n < PAGES_PER_64K; n++)
		replace_entry(pool, table, i + n, &built[n]);
	table->seen[i] = value;
	return 0;
}

static int change(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, unsigned int i,
		  u64 value, u64 epoch)
{
	if (table->key.kind == GVIRT_SHADOW_TABLE_SPLIT)
		return change_split(pool, table, round_down(i, PAGES_PER_64K), value);
	return change_one(pool, table, i, value, epoch);
}

/* The guest's table. */

/* The table that a large page would be, in the guest's format. */
static void split_source(const struct gvirt_shadow *table, u64 *copy)
{
	struct gvirt_shadow parent = { .key = table->key };
	unsigned int shift = gvirt_pte_shift(table->key.level);
	struct gvirt_pte pte;
	unsigned int i;

	parent.key.level++;
	pte = gvirt_shadow_decode(&parent, 0, table->key.source);
	for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
		copy[i] = gvirt_pte_shadow_page(&pte, shift, pte.gpa + ((u64)i << shift));
}

static int copy_source(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, u64 *copy)
{
	int err = gvirt_source_begin(&pool->sources, &table->user);

	if (err)
		return err;
	if (table->key.kind == GVIRT_SHADOW_PAGE)
		split_source(table, copy);
	else
		memcpy(copy, table->user.source->guest, GEN9_TABLE_SIZE);
	return 0;
}

static bool is_64k(const struct gvirt_shadow *table)
{
	return table->key.kind == GVIRT_SHADOW_TABLE_64K ||
	       table->key.kind == GVIRT_SHADOW_TABLE_SPLIT;
}

/* Syncing. */

static bool compare(const struct gvirt_shadow *table, const u64 *copy,
		    struct gvirt_pte_diff *diff)
{
	if (!gvirt_pte_compare(copy, table->seen, diff))
		return false;
	if (is_64k(table))
		gvirt_pte_diff_keep_64k(diff);
	return gvirt_pte_diff_next(diff, 0) < GEN9_TABLE_ENTRIES;
}

/* Calls @each for pages in a row that changed entries are to map one by one. */
static void go_through_runs(struct gvirt_shadow_pool *pool, const struct gvirt_shadow *table,
			    const u64 *copy, const struct gvirt_pte_diff *diff,
			    void (*each)(struct gvirt_guest *guest, u64 gfn, unsigned int count))
{
	unsigned int count = 0;
	struct gvirt_pte pte;
	unsigned int i;
	u64 gfn = 0;

	if (table->key.level != GVIRT_LEVEL_PTE || table->key.kind == GVIRT_SHADOW_TABLE_64K)
		return;
	for (i = gvirt_pte_diff_next(diff, 0); i < GEN9_TABLE_ENTRIES;
	     i = gvirt_pte_diff_next(diff, i + 1)) {
		pte = gvirt_shadow_decode(table, i, copy[i]);
		if (pte.kind != GVIRT_PTE_PAGE || pte.fault)
			continue;
		if (pte.gpa >> GEN9_PAGE_SHIFT_4K != gfn + count) {
			if (count > 1)
				each(pool->guest, gfn, count);
			gfn = pte.gpa >> GEN9_PAGE_SHIFT_4K;
			count = 0;
		}
		count += BIT(pte.shift - GEN9_PAGE_SHIFT_4K);
	}
	if (count > 1)
		each(pool->guest, gfn, count);
}

static int change_each(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table,
		       const u64 *copy, const struct gvirt_pte_diff *diff, u64 epoch)
{
	unsigned int i;
	int err;

	for (i = gvirt_pte_diff_next(diff, 0); i < GEN9_TABLE_ENTRIES;
	     i = gvirt_pte_diff_next(diff, i + 1)) {
		err = change(pool, table, i, copy[i], epoch);
		if (err)
			return err;
		pool->stats.changes++;
	}
	return 0;
}

static int change_all(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table,
		      const u64 *copy, const struct gvirt_pte_diff *diff, u64 epoch)
{
	int err;

	go_through_runs(pool, table, copy, diff, gvirt_guest_pin_ahead);
	err = change_each(pool, table, copy, diff, epoch);
	go_through_runs(pool, table, copy, diff, gvirt_guest_end_ahead);
	return err;
}

static int sync_changes(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table,
			const u64 *copy, u64 epoch, bool *changed)
{
	struct gvirt_pte_diff diff;

	pool->stats.compares++;
	pool->stats.entries += GEN9_TABLE_ENTRIES;
	*changed = compare(table, copy, &diff);
	return *changed ? change_all(pool, table, copy, &diff, epoch) : 0;
}

/* Memory may be there by now. Where it is not costs of the budget; the rest has to wait then. */
static int retry_entry(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, unsigned int i,
		       u64 epoch)
{
	unsigned int from = is_64k(table) ? round_down(i, PAGES_PER_64K) : i;
	int err = change(pool, table, i, table->seen[from], epoch);

	if (!err && gvirt_shadow_is_scratch(pool, table, i))
		pool->retries--;
	return err;
}

static int retry(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, u64 epoch)
{
	unsigned int i;
	int err = 0;

	table->retry = false;
	for (i = 0; i < GEN9_TABLE_ENTRIES && pool->retries && !err; i++)
		if (gvirt_shadow_is_scratch(pool, table, i))
			err = retry_entry(pool, table, i, epoch);
	if (err || i < GEN9_TABLE_ENTRIES)
		table->retry = true;
	return err;
}

/* A table below that is not there any more, or that needs another kind of shadow. */
static bool needs_rebuild(int err)
{
	return err == -EFAULT || err == -ERANGE;
}

static int sync_children(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, u64 epoch)
{
	unsigned int i;
	int err;

	for (i = 0; i < GEN9_TABLE_ENTRIES; i++) {
		if (!table->child[i])
			continue;
		err = gvirt_shadow_sync(pool, table->child[i], epoch);
		if (needs_rebuild(err))
			err = change_one(pool, table, i, table->seen[i], epoch);
		if (err)
			return err;
	}
	return 0;
}

/* The table's own entries. Tables below that are new are complete then. */
static int sync_entries(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, u64 epoch)
{
	u64 *copy = pool->copy[table->key.level];
	bool changed = false;
	int err = copy_source(pool, table, copy);

	if (err)
		return err;
	/* First what is missing already, so that it is not tried twice. */
	if (table->retry)
		err = retry(pool, table, epoch);
	if (!err)
		err = sync_changes(pool, table, copy, epoch, &changed);
	if (!err)
		gvirt_source_end(&pool->sources, &table->user, changed, table->retry);
	return err;
}

int gvirt_shadow_update(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, u64 epoch)
{
	int err;

	if (table->epoch == epoch || (table->epoch && !gvirt_source_is_due(&table->user)))
		return 0;
	cond_resched();
	err = sync_entries(pool, table, epoch);
	if (err)
		gvirt_source_due(&table->user);
	return err;
}

/* What it finds to be there already has to be as good as what is new. */
int gvirt_shadow_sync(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, u64 epoch)
{
	bool walk = pool->walk;
	int err;

	if (table->epoch == epoch)
		return 0;
	pool->walk = true;
	err = gvirt_shadow_update(pool, table, epoch);
	if (!err && table->child)
		err = sync_children(pool, table, epoch);
	if (!err)
		table->epoch = epoch;
	pool->walk = walk;
	return err;
}

/* What is out of sync below a table that is known has its place in a queue already. */
static int complete_table(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, u64 epoch)
{
	if (table->epoch && !pool->walk)
		return 0;
	return gvirt_shadow_sync(pool, table, epoch);
}

struct gvirt_shadow *gvirt_shadow_get(struct gvirt_shadow_pool *pool,
				      const struct gvirt_shadow_key *key,
				      struct gvirt_source_queue *queue, u64 epoch)
{
	struct gvirt_shadow *table = gvirt_shadow_find(pool, key);
	int err;

	if (table)
		gvirt_shadow_share(pool, table, queue);
	else
		table = gvirt_shadow_create(pool, key, queue);
	if (IS_ERR(table))
		return table;
	table->refs++;
	err = complete_table(pool, table, epoch);
	if (!err)
		return table;
	gvirt_shadow_put(pool, table);
	return ERR_PTR(err);
}

/* Stores that were caught. */

/* Entries of a guest's table that may have changed, in place of a copy of all. */
static bool look_at_some(const struct gvirt_shadow *table, unsigned int first, unsigned int last,
			 u64 *copy, struct gvirt_pte_diff *diff)
{
	const u64 *guest = table->user.source->guest;
	unsigned int step = is_64k(table) ? PAGES_PER_64K : 1;
	bool any = false;
	unsigned int i;

	*diff = (struct gvirt_pte_diff) { };
	for (i = round_up(first, step); i <= last; i += step) {
		copy[i] = READ_ONCE(guest[i]);
		if (copy[i] == table->seen[i])
			continue;
		diff->bits[i / 64] |= BIT_ULL(i % 64);
		any = true;
	}
	return any;
}

static void mirror(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table,
		   unsigned int first, unsigned int last, u64 epoch)
{
	u64 *copy = pool->copy[table->key.level];
	struct gvirt_pte_diff diff;
	int err = 0;

	pool->stats.mirrored += last - first + 1;
	if (look_at_some(table, first, last, copy, &diff))
		err = change_all(pool, table, copy, &diff, epoch);
	/* What did not work is tried again before the next submission. */
	if (err || table->retry)
		gvirt_source_due(&table->user);
}

void gvirt_shadow_mirror(struct gvirt_shadow_pool *pool, u64 gfn, unsigned int first,
			 unsigned int last, u64 epoch)
{
	struct gvirt_source *source = gvirt_sources_find(&pool->sources, gfn);
	struct gvirt_shadow *table;
	LIST_HEAD(users);

	if (!source || !source->guest)
		return;
	/* A table that points to itself may lose some of its shadows by this. */
	list_splice_init(&source->users, &users);
	while (!list_empty(&users)) {
		table = list_first_entry(&users, struct gvirt_shadow, user.node);
		list_move_tail(&table->user.node, &source->users);
		mirror(pool, table, first, last, epoch);
	}
}

bool gvirt_shadow_differs(const struct gvirt_source_user *user)
{
	const struct gvirt_shadow *table = container_of(user, struct gvirt_shadow, user);
	struct gvirt_pte_diff diff;

	return compare(table, user->source->guest, &diff);
}

/* Guest memory that goes away. */

static bool overlaps(const struct gvirt_shadow_page *page, u64 first, u64 last)
{
	return page->gfn <= last && page->gfn + BIT_ULL(page->order) > first;
}

/* Until the next sync. Scratch is a page of 4K and cannot stand for one of 64K. */
static void scratch_entry(struct gvirt_shadow_pool *pool, const struct gvirt_shadow *table,
			  const struct gvirt_pte *pte, struct built *built)
{
	*built = (struct built) { };
	if (table->key.level != GVIRT_LEVEL_PTE)
		build_scratch_table(pool, table->key.level, pte, built);
	else if (table->key.kind != GVIRT_SHADOW_TABLE_64K)
		build_scratch_page(pool, pte, built);
	else
		built->retry = true;
}

static void revoke_entry(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table,
			 unsigned int i)
{
	unsigned int from = is_64k(table) ? round_down(i, PAGES_PER_64K) : i;
	const struct gvirt_pte pte = gvirt_shadow_decode(table, from, table->seen[from]);
	struct built built;

	scratch_entry(pool, table, &pte, &built);
	replace_entry(pool, table, i, &built);
	/* No scratch says that it is to be built again: it shall look changed. */
	if (table->key.kind == GVIRT_SHADOW_TABLE_64K)
		table->seen[i] = 0;
}

static void revoke_table(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table,
			 u64 first, u64 last)
{
	struct gvirt_shadow_page page;
	unsigned int i;

	for (i = 0; i < GEN9_TABLE_ENTRIES; i++) {
		if (!gvirt_shadow_page(pool, table, i, &page) || !overlaps(&page, first, last))
			continue;
		revoke_entry(pool, table, i);
		gvirt_source_due(&table->user);
	}
}

void gvirt_shadow_revoke(struct gvirt_shadow_pool *pool, u64 first, u64 last)
{
	struct gvirt_shadow *table;
	unsigned int bucket;

	hash_for_each(pool->tables, bucket, table, node) {
		revoke_table(pool, table, first, last);
		cond_resched();
	}
	/* The chip does not look at these. */
	gvirt_sources_revoke(&pool->sources, first, last);
	gvirt_shadow_drain(pool);
}
