// SPDX-License-Identifier: GPL-2.0-only
/*
 * Audited copies that stay for the next time: see scan_copy.h.
 *
 * Those that a context has never go. Of the others a few stay, and all go when the pool's
 * share, or the host's part of the GGTT, has no room for a new one.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <gvirt/gen9_pte.h>
#include "scan_copy.h"

/* What is there of @raw and @patches. */
static u32 kept_bytes(const struct gvirt_scan_copy *copy)
{
	return copy->bytes + copy->patch_count * sizeof(*copy->patches);
}

static void free_copy(struct gvirt_scan_pool *pool, struct gvirt_scan_copy *copy)
{
	list_del(&copy->link);
	pool->pages -= copy->buffer.pages;
	pool->kept -= kept_bytes(copy);
	pool->idle -= !copy->users;
	gvirt_buffer_fini(&copy->buffer);
	kvfree(copy->raw);
	kvfree(copy->patches);
	kfree(copy);
}

/* The one that nobody has for the longest time. */
static bool free_idle(struct gvirt_scan_pool *pool)
{
	struct gvirt_scan_copy *copy;

	list_for_each_entry_reverse(copy, &pool->list, link) {
		if (copy->users)
			continue;
		free_copy(pool, copy);
		return true;
	}
	return false;
}

void gvirt_scan_pool_init(struct gvirt_scan_pool *pool, struct gvirt_ggtt *ggtt)
{
	*pool = (struct gvirt_scan_pool) { .ggtt = ggtt };
	INIT_LIST_HEAD(&pool->list);
}

void gvirt_scan_pool_forget(struct gvirt_scan_pool *pool)
{
	while (pool->idle && free_idle(pool))
		;
}

struct gvirt_scan_copy *gvirt_scan_copy_find(struct gvirt_scan_pool *pool,
					     const struct gvirt_scan_key *key)
{
	struct gvirt_scan_copy *copy;

	list_for_each_entry(copy, &pool->list, link)
		if (copy->bytes && copy->key.address == key->address &&
		    copy->key.kind == key->kind && copy->key.engine == key->engine)
			return copy;
	return NULL;
}

/* What runs is what was audited and nothing else; a page for what is fetched ahead. */
static int make_buffer(struct gvirt_scan_pool *pool, struct gvirt_buffer *buffer, const u32 *raw,
		       u32 bytes)
{
	u32 pages = DIV_ROUND_UP(bytes, GEN9_TABLE_SIZE) + 1;
	int err;

	do {
		err = -ENOSPC;
		if (pages <= GVIRT_SCAN_PAGES - pool->pages)
			err = gvirt_buffer_init(buffer, pool->ggtt,
						(size_t)pages * GEN9_TABLE_SIZE);
	} while (err && free_idle(pool));
	if (err)
		return err;
	pool->pages += buffer->pages;
	memcpy(buffer->data, raw, bytes);
	return 0;
}

/* Without memory for it the buffer is audited anew the next time. */
static void keep(struct gvirt_scan_copy *copy, const u32 *raw, u32 bytes,
		 const struct gvirt_patch *patches, u32 patch_count)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_NOWARN;

	if (patch_count > GVIRT_SCAN_PATCHES_KEPT)
		return;
	copy->raw = kvmalloc(bytes, gfp);
	copy->patches = kvmalloc_array(max(patch_count, 1u), sizeof(*patches), gfp);
	if (!copy->raw || !copy->patches)
		return;
	memcpy(copy->raw, raw, bytes);
	memcpy(copy->patches, patches, patch_count * sizeof(*patches));
	copy->patch_count = patch_count;
	copy->bytes = bytes;
}

struct gvirt_scan_copy *gvirt_scan_copy_make(struct gvirt_scan_pool *pool,
					     const struct gvirt_scan_key *key, const u32 *raw,
					     u32 bytes, const struct gvirt_patch *patches,
					     u32 patch_count)
{
	struct gvirt_scan_copy *copy = kzalloc(sizeof(*copy), GFP_KERNEL_ACCOUNT);

	if (!copy)
		return NULL;
	if (make_buffer(pool, &copy->buffer, raw, bytes)) {
		kfree(copy);
		return NULL;
	}
	copy->key = *key;
	copy->users = 1;
	keep(copy, raw, bytes, patches, patch_count);
	pool->kept += kept_bytes(copy);
	list_add(&copy->link, &pool->list);
	return copy;
}

void gvirt_scan_copy_get(struct gvirt_scan_pool *pool, struct gvirt_scan_copy *copy)
{
	pool->idle -= !copy->users;
	copy->users++;
	list_move(&copy->link, &pool->list);
}

/* Of two copies of one buffer the older one is of no use any more. */
static bool is_stale(struct gvirt_scan_pool *pool, const struct gvirt_scan_copy *copy)
{
	return gvirt_scan_copy_find(pool, &copy->key) != copy;
}

void gvirt_scan_copy_put(struct gvirt_scan_pool *pool, struct gvirt_scan_copy **place)
{
	struct gvirt_scan_copy *copy = *place;

	*place = NULL;
	if (!copy || --copy->users)
		return;
	pool->idle++;
	if (is_stale(pool, copy))
		free_copy(pool, copy);
	else if (pool->idle > GVIRT_SCAN_IDLE)
		free_idle(pool);
}
