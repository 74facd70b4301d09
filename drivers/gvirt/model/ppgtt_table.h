/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shadow tables brought up to date with the guest's.
 */
#ifndef GVIRT_MODEL_PPGTT_TABLE_H
#define GVIRT_MODEL_PPGTT_TABLE_H

#include <linux/types.h>

struct gvirt_shadow;
struct gvirt_shadow_key;
struct gvirt_shadow_pool;

/* Entries that are tried again in one sync, and still have no memory. */
#define GVIRT_SHADOW_RETRIES	1024u

/**
 * gvirt_shadow_sync() - Bring a table and all below it up to date
 * @pool: where
 * @table: which
 * @epoch: number of the sync; what has it already is up to date
 *
 * Return: 0; -EFAULT when the guest's table is not in its memory; -ERANGE when a page of a
 * table of 64K pages is not contiguous in the host; -ENOMEM, -ENOSPC, another error of
 * gvirt_guest_pin(). What the chip sees is whole in any case.
 */
int gvirt_shadow_sync(struct gvirt_shadow_pool *pool, struct gvirt_shadow *table, u64 epoch);

/**
 * gvirt_shadow_get() - Find or make a table, and bring it up to date
 * @pool: where
 * @key: which
 * @epoch: number of the sync
 *
 * Return: the table with a reference more, for gvirt_shadow_put(); or an ERR_PTR, as of
 * gvirt_shadow_sync().
 */
struct gvirt_shadow *gvirt_shadow_get(struct gvirt_shadow_pool *pool,
				      const struct gvirt_shadow_key *key, u64 epoch);

/**
 * gvirt_shadow_revoke() - Let go of all guest pages of a range
 * @pool: where
 * @first: from this gfn
 * @last: to this one, inclusive
 */
void gvirt_shadow_revoke(struct gvirt_shadow_pool *pool, u64 first, u64 last);

#endif
