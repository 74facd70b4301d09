// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shadow page tables of a vGPU: address spaces.
 *
 * An address space that no context has is kept for a while, since its tables are
 * dear and contexts come and go faster than address spaces. Those used least recently
 * go first, and all of them when memory or tables are short.
 */
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <gvirt/gen9_pte.h>
#include "lib/pte.h"
#include "ppgtt.h"
#include "ppgtt_table.h"
#include "shadow_trace.h"

/* Address spaces. */

static unsigned int root_count(unsigned int levels)
{
	return levels == 3 ? GEN9_PPGTT_3LVL_PDPS : 1;
}

static unsigned int root_level(unsigned int levels)
{
	return levels == 3 ? GVIRT_LEVEL_PDE : GVIRT_LEVEL_PML4E;
}

static void put_root(struct gvirt_ppgtt *ppgtt, unsigned int i)
{
	if (ppgtt->root[i])
		gvirt_shadow_put(&ppgtt->vppgtt->pool, ppgtt->root[i]);
	ppgtt->root[i] = NULL;
}

static void free_space(struct gvirt_ppgtt *ppgtt)
{
	unsigned int i;

	for (i = 0; i < root_count(ppgtt->levels); i++)
		put_root(ppgtt, i);
	list_del(&ppgtt->node);
	kfree(ppgtt);
}

/* The longest unused one. */
static void drop_idle(struct gvirt_vppgtt *vppgtt)
{
	free_space(list_last_entry(&vppgtt->idle, struct gvirt_ppgtt, node));
	vppgtt->idle_count--;
}

/* Leaves at most @most idle ones. */
static void trim_idle(struct gvirt_vppgtt *vppgtt, unsigned int most)
{
	while (vppgtt->idle_count > most)
		drop_idle(vppgtt);
}

static bool is_space(const struct gvirt_ppgtt *ppgtt, unsigned int levels, const u64 *pdp)
{
	return ppgtt->levels == levels && ppgtt->ips_64k == ppgtt->vppgtt->ips_64k &&
	       !memcmp(ppgtt->pdp, pdp, root_count(levels) * sizeof(*pdp));
}

static struct gvirt_ppgtt *find_space(struct list_head *list, unsigned int levels, const u64 *pdp)
{
	struct gvirt_ppgtt *ppgtt;

	list_for_each_entry(ppgtt, list, node)
		if (is_space(ppgtt, levels, pdp))
			return ppgtt;
	return NULL;
}

static struct gvirt_ppgtt *find_or_wake(struct gvirt_vppgtt *vppgtt, unsigned int levels,
					const u64 *pdp)
{
	struct gvirt_ppgtt *ppgtt = find_space(&vppgtt->spaces, levels, pdp);

	if (ppgtt)
		return ppgtt;
	ppgtt = find_space(&vppgtt->idle, levels, pdp);
	if (ppgtt)
		vppgtt->idle_count--;
	return ppgtt;
}

static struct gvirt_ppgtt *new_space(struct gvirt_vppgtt *vppgtt, unsigned int levels,
				     const u64 *pdp)
{
	struct gvirt_ppgtt *ppgtt = kzalloc(sizeof(*ppgtt), GFP_KERNEL_ACCOUNT);

	if (!ppgtt)
		return NULL;
	ppgtt->vppgtt = vppgtt;
	ppgtt->levels = levels;
	ppgtt->ips_64k = vppgtt->ips_64k;
	memcpy(ppgtt->pdp, pdp, root_count(levels) * sizeof(*pdp));
	INIT_LIST_HEAD(&ppgtt->node);
	gvirt_source_queue_init(&ppgtt->queue);
	return ppgtt;
}

struct gvirt_ppgtt *gvirt_ppgtt_get(struct gvirt_vppgtt *vppgtt, unsigned int levels,
				    const u64 pdp[GEN9_PPGTT_3LVL_PDPS])
{
	struct gvirt_ppgtt *ppgtt;

	if (levels != 3 && levels != 4)
		return ERR_PTR(-EINVAL);
	ppgtt = find_or_wake(vppgtt, levels, pdp);
	if (!ppgtt)
		ppgtt = new_space(vppgtt, levels, pdp);
	if (!ppgtt)
		return ERR_PTR(-ENOMEM);
	ppgtt->refs++;
	list_move(&ppgtt->node, &vppgtt->spaces);
	return ppgtt;
}

void gvirt_ppgtt_put(struct gvirt_ppgtt *ppgtt)
{
	struct gvirt_vppgtt *vppgtt = ppgtt->vppgtt;

	if (--ppgtt->refs)
		return;
	list_move(&ppgtt->node, &vppgtt->idle);
	ppgtt->used = jiffies;
	vppgtt->idle_count++;
	trim_idle(vppgtt, GVIRT_PPGTT_IDLE);
	gvirt_shadow_tidy(&vppgtt->pool);
}

/* Syncing. */

static int get_root(struct gvirt_ppgtt *ppgtt, unsigned int i, const struct gvirt_pte *pte)
{
	struct gvirt_vppgtt *vppgtt = ppgtt->vppgtt;
	const struct gvirt_shadow_key key = {
		.source = pte->gpa >> GEN9_PAGE_SHIFT_4K,
		.kind = GVIRT_SHADOW_TABLE,
		.level = root_level(ppgtt->levels),
		.ips_64k = ppgtt->ips_64k,
	};
	struct gvirt_shadow *root = gvirt_shadow_get(&vppgtt->pool, &key, &ppgtt->queue,
						     vppgtt->epoch);

	if (IS_ERR(root))
		return PTR_ERR(root);
	ppgtt->root[i] = root;
	return 0;
}

static bool decode_root(const struct gvirt_ppgtt *ppgtt, unsigned int i, struct gvirt_pte *pte)
{
	const struct gvirt_pte_rules rules = { .gpa_end = BIT_ULL(GEN9_PHYS_BITS) };

	*pte = gvirt_pte_decode_root(&rules, ppgtt->pdp[i]);
	return pte->kind == GVIRT_PTE_TABLE && !pte->fault;
}

/* A root that is not in the guest's memory is a scratch table for now. */
static int sync_root(struct gvirt_ppgtt *ppgtt, unsigned int i)
{
	struct gvirt_vppgtt *vppgtt = ppgtt->vppgtt;
	struct gvirt_pte pte;
	int err;

	if (!decode_root(ppgtt, i, &pte))
		return 0;
	if (ppgtt->root[i])
		err = gvirt_shadow_sync(&vppgtt->pool, ppgtt->root[i], vppgtt->epoch);
	else
		err = get_root(ppgtt, i, &pte);
	if (err != -EFAULT)
		return err;
	put_root(ppgtt, i);
	return 0;
}

/* All of it, from the roots down. */
static int walk_space(struct gvirt_ppgtt *ppgtt)
{
	struct gvirt_shadow_pool *pool = &ppgtt->vppgtt->pool;
	unsigned int i;
	int err = 0;

	pool->stats.walks++;
	pool->absent = GVIRT_SHADOW_ABSENT;
	pool->walk = true;
	for (i = 0; i < root_count(ppgtt->levels) && !err; i++)
		err = sync_root(ppgtt, i);
	pool->walk = false;
	return err;
}

/* Whatever stays out of sync stays in the queue, for the next time. */
static int sync_queue(struct gvirt_vppgtt *vppgtt, struct list_head *queue)
{
	struct gvirt_shadow *table;
	LIST_HEAD(due);
	int err = 0;

	list_splice_init(queue, &due);
	while (!list_empty(&due) && !err) {
		table = list_first_entry(&due, struct gvirt_shadow, user.due);
		list_move_tail(&table->user.due, queue);
		err = gvirt_shadow_update(&vppgtt->pool, table, vppgtt->epoch);
	}
	list_splice(&due, queue);
	return err;
}

/*
 * What is out of sync only. From the top down: what a table does not point to any more is
 * gone by the time that it would be its turn. Gives also whether the address space itself failed.
 */
static int sync_queues(struct gvirt_ppgtt *ppgtt, bool *own)
{
	struct gvirt_source_queue *shared = &ppgtt->vppgtt->pool.sources.shared;
	unsigned int level;
	int err;

	for (level = GVIRT_PTE_LEVELS; level; level--) {
		err = sync_queue(ppgtt->vppgtt, &ppgtt->queue.level[level]);
		*own = err;
		if (!err)
			err = sync_queue(ppgtt->vppgtt, &shared->level[level]);
		if (err)
			return err;
	}
	return 0;
}

static int get_missing_roots(struct gvirt_ppgtt *ppgtt)
{
	struct gvirt_pte pte;
	unsigned int i;
	int err;

	for (i = 0; i < root_count(ppgtt->levels); i++) {
		if (ppgtt->root[i] || !decode_root(ppgtt, i, &pte))
			continue;
		err = get_root(ppgtt, i, &pte);
		if (err && err != -EFAULT)
			return err;
	}
	return 0;
}

/* Whether there is not enough of something, which a walk does not change. */
static bool is_short(int err)
{
	return err == -ENOMEM || err == -ENOSPC || err == -E2BIG;
}

/*
 * A table that cannot be updated by itself may be no table any more, or need a shadow of
 * another kind. What points to it has to know: the walk finds out. It finds as well what
 * only another address space is short of.
 */
static int sync_space(struct gvirt_ppgtt *ppgtt)
{
	struct gvirt_vppgtt *vppgtt = ppgtt->vppgtt;
	bool own = true;
	int err;

	vppgtt->epoch++;
	vppgtt->pool.retries = GVIRT_SHADOW_RETRIES;
	vppgtt->pool.absent = GVIRT_SHADOW_ABSENT;
	gvirt_sources_collect(&vppgtt->pool.sources);
	/* A root may be another's already, and bring tables that are due. */
	err = get_missing_roots(ppgtt);
	if (!err)
		err = sync_queues(ppgtt, &own);
	if (!err || (own && is_short(err)))
		return err;
	return walk_space(ppgtt);
}

/* All that is not in use goes: memory may be short for others as well. */
static void make_room(struct gvirt_vppgtt *vppgtt)
{
	vppgtt->pool.stats.reclaims += vppgtt->idle_count;
	trim_idle(vppgtt, 0);
	gvirt_shadow_drain(&vppgtt->pool);
}

/*
 * What is idle, or only stale, is given up before it fails. Once: what a guest wants too
 * much of takes seconds to find out.
 */
static int sync_with_room(struct gvirt_ppgtt *ppgtt)
{
	int err = sync_space(ppgtt);

	if (err != -ENOMEM && err != -ENOSPC)
		return err;
	make_room(ppgtt->vppgtt);
	return sync_space(ppgtt);
}

int gvirt_ppgtt_sync(struct gvirt_ppgtt *ppgtt)
{
	struct gvirt_vppgtt *vppgtt = ppgtt->vppgtt;
	const struct gvirt_shadow_stats before = vppgtt->pool.stats;
	int err;

	vppgtt->syncs++;
	vppgtt->pool.sources.submissions++;
	list_move(&ppgtt->node, &vppgtt->spaces);
	err = sync_with_room(ppgtt);
	trace_gvirt_shadow_sync(vppgtt->pool.guest, ppgtt->pdp[0],
				vppgtt->pool.stats.compares - before.compares,
				vppgtt->pool.stats.changes - before.changes, err);
	gvirt_shadow_tidy(&vppgtt->pool);
	return err;
}

void gvirt_ppgtt_root(const struct gvirt_ppgtt *ppgtt, u64 pdp[GEN9_PPGTT_3LVL_PDPS])
{
	const struct gvirt_scratch *scratch = &ppgtt->vppgtt->pool.scratch;
	dma_addr_t none = scratch->dma[root_level(ppgtt->levels) - 1];
	unsigned int i;

	for (i = 0; i < GEN9_PPGTT_3LVL_PDPS; i++) {
		if (i >= root_count(ppgtt->levels))
			pdp[i] = 0;
		else
			pdp[i] = ppgtt->root[i] ? ppgtt->root[i]->dma : none;
	}
}

/* All of a vGPU. */

void gvirt_vppgtt_set_64k(struct gvirt_vppgtt *vppgtt, bool enabled)
{
	vppgtt->ips_64k = enabled;
}

void gvirt_vppgtt_revoke(struct gvirt_vppgtt *vppgtt, u64 first_gfn, u64 last_gfn)
{
	gvirt_shadow_revoke(&vppgtt->pool, first_gfn, last_gfn);
}

void gvirt_vppgtt_set_mode(struct gvirt_vppgtt *vppgtt, enum gvirt_shadow_mode mode)
{
	gvirt_sources_set_mode(&vppgtt->pool.sources, mode);
}

void gvirt_vppgtt_mirror(struct gvirt_vppgtt *vppgtt, u64 gfn, u32 offset, unsigned int bytes)
{
	struct gvirt_shadow_pool *pool = &vppgtt->pool;

	pool->absent = GVIRT_SHADOW_ABSENT;
	gvirt_shadow_mirror(pool, gfn, offset / GEN9_PTE_SIZE,
			    (offset + bytes - 1) / GEN9_PTE_SIZE, vppgtt->epoch);
	gvirt_shadow_tidy(pool);
}

void gvirt_vppgtt_age(struct gvirt_vppgtt *vppgtt)
{
	const unsigned long most = msecs_to_jiffies(GVIRT_PPGTT_IDLE_MS);
	const struct gvirt_ppgtt *oldest;

	while (vppgtt->idle_count) {
		oldest = list_last_entry(&vppgtt->idle, struct gvirt_ppgtt, node);
		if (time_before(jiffies, oldest->used + most))
			break;
		drop_idle(vppgtt);
	}
	gvirt_shadow_tidy(&vppgtt->pool);
}

unsigned int gvirt_vppgtt_reclaim(struct gvirt_vppgtt *vppgtt, unsigned int tables)
{
	struct gvirt_shadow_pool *pool = &vppgtt->pool;
	unsigned int before = pool->count;

	while (vppgtt->idle_count && pool->stale_table_count < tables) {
		drop_idle(vppgtt);
		pool->stats.reclaims++;
	}
	gvirt_shadow_drain(pool);
	return before - pool->count;
}

void gvirt_vppgtt_trim(struct gvirt_vppgtt *vppgtt)
{
	gvirt_shadow_drain(&vppgtt->pool);
}

unsigned int gvirt_vppgtt_pages(const struct gvirt_vppgtt *vppgtt)
{
	return READ_ONCE(vppgtt->pool.count);
}

int gvirt_vppgtt_init(struct gvirt_vppgtt *vppgtt, struct gvirt_guest *guest,
		      const struct gvirt_shadow_services *services, void *data)
{
	INIT_LIST_HEAD(&vppgtt->spaces);
	INIT_LIST_HEAD(&vppgtt->idle);
	vppgtt->idle_count = 0;
	vppgtt->epoch = 0;
	vppgtt->ips_64k = false;
	vppgtt->syncs = 0;
	return gvirt_shadow_pool_init(&vppgtt->pool, guest, services, data);
}

void gvirt_vppgtt_fini(struct gvirt_vppgtt *vppgtt)
{
	if (vppgtt->pool.guest)
		gvirt_shadow_pool_fini(&vppgtt->pool);
}

void gvirt_vppgtt_reset(struct gvirt_vppgtt *vppgtt)
{
	trim_idle(vppgtt, 0);
	gvirt_shadow_drain(&vppgtt->pool);
	/* The scratch tables were never dropped, but the chip may know them. */
	if (vppgtt->epoch)
		vppgtt->pool.services->invalidate(vppgtt->pool.data);
	vppgtt->epoch = 0;
	WARN_ON_ONCE(!list_empty(&vppgtt->spaces) || vppgtt->pool.count);
	vppgtt->ips_64k = false;
	/* Nothing of this user is left for the next one. */
	memset(vppgtt->pool.scratch.page, 0, GEN9_TABLE_SIZE);
}
