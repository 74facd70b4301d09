/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shadow page tables of a vGPU: its guest's address spaces as the chip may see them.
 *
 * An address space is named by its root pointers. It is brought up to date right
 * before a submission (gvirt_ppgtt_sync()): every guest table that can be reached and is
 * out of sync is copied once and compared with what was seen last, and what changed is
 * built anew. Others are protected from writes, so they have not changed; which are, is
 * a matter of the mode (lib/shadow_policy.h). What the guest writes in between has no
 * effect on the chip, but to tables that are protected strictly.
 *
 * Locking: all functions but the counters are called under one mutex of the owner's,
 * one per vGPU, which gvirt_guest_services.revoke takes before it calls
 * gvirt_vppgtt_revoke(). They sleep, and pin guest memory: no lock may be held around
 * them that the VMM's page faults or the guest's register accesses need. The
 * @invalidate service is called under that mutex.
 */
#ifndef GVIRT_MODEL_PPGTT_H
#define GVIRT_MODEL_PPGTT_H

#include <linux/list.h>
#include <linux/types.h>
#include <gvirt/gen9_pte.h>
#include "ppgtt_pool.h"

/* Address spaces of a vGPU that are kept though no context has them. */
#define GVIRT_PPGTT_IDLE	256u
/* And for so long. */
#define GVIRT_PPGTT_IDLE_MS	10000u

/**
 * struct gvirt_vppgtt - All address spaces of a vGPU
 * @pool: their tables
 * @spaces: address spaces in use, most recently used first
 * @idle: those that no context has, most recently used first
 * @idle_count: how many
 * @epoch: number of the sync that is under way, or was last
 * @ips_64k: the guest has enabled 64K pages
 * @syncs: calls of gvirt_ppgtt_sync()
 */
struct gvirt_vppgtt {
	struct gvirt_shadow_pool pool;
	struct list_head spaces;
	struct list_head idle;
	unsigned int idle_count;
	u64 epoch;
	bool ips_64k;
	u64 syncs;
};

/**
 * struct gvirt_ppgtt - An address space
 * @vppgtt: of which vGPU
 * @node: in its list
 * @refs: contexts that have it
 * @levels: 3 or 4
 * @ips_64k: 64K pages were enabled
 * @pdp: the guest's root pointers; with 4 levels only the first counts
 * @root: shadow tables; NULL: a scratch table
 * @queue: tables that are out of sync, of those that no other address space has
 * @used: when a context had it last, in jiffies
 */
struct gvirt_ppgtt {
	struct gvirt_vppgtt *vppgtt;
	struct list_head node;
	unsigned int refs;
	unsigned int levels;
	bool ips_64k;
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	struct gvirt_shadow *root[GEN9_PPGTT_3LVL_PDPS];
	struct gvirt_source_queue queue;
	unsigned long used;
};

/**
 * gvirt_vppgtt_init() - Prepare, without address spaces
 * @vppgtt: to be initialised
 * @guest: the guest's memory
 * @services: what it needs
 * @data: for @services
 *
 * Return: 0 or -ENOMEM.
 */
int gvirt_vppgtt_init(struct gvirt_vppgtt *vppgtt, struct gvirt_guest *guest,
		      const struct gvirt_shadow_services *services, void *data);

/**
 * gvirt_vppgtt_fini() - The end of gvirt_vppgtt_init()
 * @vppgtt: one that was reset; or zeroed
 */
void gvirt_vppgtt_fini(struct gvirt_vppgtt *vppgtt);

/**
 * gvirt_vppgtt_reset() - Give all tables back and unpin what they map
 * @vppgtt: which; all address spaces were put, and none of their contexts is with an
 *	engine
 */
void gvirt_vppgtt_reset(struct gvirt_vppgtt *vppgtt);

/**
 * gvirt_vppgtt_set_64k() - The guest enables or disables 64K pages
 * @vppgtt: which
 * @enabled: all of GEN9_GAMW_IPS_64K is set
 *
 * Holds for address spaces that are got from now on.
 */
void gvirt_vppgtt_set_64k(struct gvirt_vppgtt *vppgtt, bool enabled);

/**
 * gvirt_vppgtt_revoke() - Guest memory goes away
 * @vppgtt: which
 * @first_gfn: from here
 * @last_gfn: to here, inclusive
 *
 * No shadow table, TLB or list has a reference into the range on return. Contexts that run
 * find scratch there. The next sync builds what is there by then.
 */
void gvirt_vppgtt_revoke(struct gvirt_vppgtt *vppgtt, u64 first_gfn, u64 last_gfn);

/**
 * gvirt_vppgtt_trim() - Unpin what is not mapped any more
 * @vppgtt: which
 *
 * Done as needed anyway, in batches; this is for when the vGPU becomes idle. Costs a TLB
 * invalidation when there is anything to unpin, and nothing otherwise.
 */
void gvirt_vppgtt_trim(struct gvirt_vppgtt *vppgtt);

/**
 * gvirt_vppgtt_set_mode() - Choose how the guest's tables are followed
 * @vppgtt: which
 * @mode: from now on
 */
void gvirt_vppgtt_set_mode(struct gvirt_vppgtt *vppgtt, enum gvirt_shadow_mode mode);

/**
 * gvirt_vppgtt_mirror() - The guest stored in a table that stays protected
 * @vppgtt: which
 * @gfn: guest page
 * @offset: in it
 * @bytes: how many were stored; not beyond the page
 */
void gvirt_vppgtt_mirror(struct gvirt_vppgtt *vppgtt, u64 gfn, u32 offset, unsigned int bytes);

/**
 * gvirt_vppgtt_age() - Let address spaces go that no context has had for a while
 * @vppgtt: which
 */
void gvirt_vppgtt_age(struct gvirt_vppgtt *vppgtt);

/**
 * gvirt_vppgtt_reclaim() - Let address spaces go that no context has, and free their tables
 * @vppgtt: which
 * @tables: at least so many; the least recently used go first
 *
 * Return: tables that were freed.
 */
unsigned int gvirt_vppgtt_reclaim(struct gvirt_vppgtt *vppgtt, unsigned int tables);

/**
 * gvirt_vppgtt_pages() - How many tables the shadow has
 * @vppgtt: which
 *
 * Return: tables, without a lock. Each takes 8 KiB of memory, or 12.
 */
unsigned int gvirt_vppgtt_pages(const struct gvirt_vppgtt *vppgtt);

/**
 * gvirt_ppgtt_get() - Find or make an address space
 * @vppgtt: of which vGPU
 * @levels: 3 or 4
 * @pdp: the guest's root pointers; with 4 levels only the first counts
 *
 * It has to be synced before each submission of a context that has it.
 *
 * Return: the address space, for gvirt_ppgtt_put(); ERR_PTR(-EINVAL) for other numbers of
 * levels; ERR_PTR(-ENOMEM).
 */
struct gvirt_ppgtt *gvirt_ppgtt_get(struct gvirt_vppgtt *vppgtt, unsigned int levels,
				    const u64 pdp[GEN9_PPGTT_3LVL_PDPS]);

/**
 * gvirt_ppgtt_put() - A context does not have it any more
 * @ppgtt: of gvirt_ppgtt_get(), which no engine uses for that context
 */
void gvirt_ppgtt_put(struct gvirt_ppgtt *ppgtt);

/**
 * gvirt_ppgtt_sync() - Bring the shadow up to date
 * @ppgtt: which
 *
 * Sleeps. Costs a copy and a comparison of each table that is out of sync, nothing for
 * those that are protected, and no register access if nothing changed.
 *
 * Return: 0. -ENOSPC when the guest has more tables than GVIRT_SHADOW_TABLES, -E2BIG when more
 * entries than GVIRT_SHADOW_ABSENT lead to no memory, -ENOMEM when there is no memory or the
 * limit of pinned memory was reached, another error of gvirt_guest_pin(). The workload must
 * not be submitted then. What had been there stays whole, and contexts that run are not
 * affected.
 */
int gvirt_ppgtt_sync(struct gvirt_ppgtt *ppgtt);

/**
 * gvirt_ppgtt_root() - Root pointers for the shadow context
 * @ppgtt: one that was synced
 * @pdp: gets four bus addresses: with 3 levels those of the page directories, with 4
 *	that of the top table and zeros
 *
 * To be read again after each sync.
 */
void gvirt_ppgtt_root(const struct gvirt_ppgtt *ppgtt, u64 pdp[GEN9_PPGTT_3LVL_PDPS]);

#endif
