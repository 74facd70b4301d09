/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shadow tables brought up to date with the guest's.
 */
#ifndef GVIRT_MODEL_PPGTT_TABLE_H
#define GVIRT_MODEL_PPGTT_TABLE_H

#include <linux/types.h>

struct gvirt_shadow;
struct gvirt_source_queue;
struct gvirt_source_user;
struct gvirt_shadow_key;
struct gvirt_shadow_pool;

/* Entries that are tried again in one sync, and still have no memory. */
#define GVIRT_SHADOW_RETRIES	1024u
/* Entries without memory that one sync, or one store that is mirrored, takes: a page of 1 GiB. */
#define GVIRT_SHADOW_ABSENT	262144u

/**
 * gvirt_shadow_update() - Bring a table up to date, if it is out of sync
 * @pool: where
 * @table: which
 * @epoch: number of the sync; what has it already is up to date
 *
 * What is below it has to be updated as well, unless it is new.
 *
 * Return: as of gvirt_shadow_sync().
 */
int gvirt_shadow_update(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, u64 epoch);

/**
 * gvirt_shadow_sync() - Bring a table and all below it up to date
 * @pool: where
 * @table: which
 * @epoch: number of the sync; what has it already is up to date
 *
 * Return: 0; -EFAULT when the guest's table is not in its memory; -ERANGE when a page of a
 * table of 64K pages is not contiguous in the host; -ENOMEM, -ENOSPC, -E2BIG after
 * GVIRT_SHADOW_ABSENT, another error of gvirt_guest_pin(). What the chip sees is whole in any case.
 */
int gvirt_shadow_sync(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, u64 epoch);

/**
 * gvirt_shadow_get() - Find or make a table, and bring it up to date
 * @pool: where
 * @key: which
 * @queue: of the address space that is to have it
 * @epoch: number of the sync
 *
 * A table that was known, and what is below it, may be out of sync, and is in a queue then;
 * not so while &struct gvirt_shadow_pool.walk is set.
 *
 * Return: the table with a reference more, for gvirt_shadow_put(); or an ERR_PTR, as of
 * gvirt_shadow_sync().
 */
struct gvirt_shadow *gvirt_shadow_get(struct gvirt_shadow_pool *pool,
				      const struct gvirt_shadow_key *key,
				      struct gvirt_source_queue *queue, u64 epoch);

/**
 * gvirt_shadow_mirror() - Bring some entries of a guest's table up to date
 * @pool: where
 * @gfn: the guest's page
 * @first: entry, 0 to 511
 * @last: entry, inclusive
 * @epoch: number of the last sync
 */
void gvirt_shadow_mirror(struct gvirt_shadow_pool *pool, u64 gfn, unsigned int first,
			 unsigned int last, u64 epoch);

/**
 * gvirt_shadow_differs() - Is a shadow not that of the guest's table?
 * @user: of a shadow, whose guest's table is pinned
 *
 * Return: true if they differ.
 */
bool gvirt_shadow_differs(const struct gvirt_source_user *user);

/**
 * gvirt_shadow_revoke() - Let go of all guest pages of a range
 * @pool: where
 * @first: from this gfn
 * @last: to this one, inclusive
 */
void gvirt_shadow_revoke(struct gvirt_shadow_pool *pool, u64 first, u64 last);

#endif
