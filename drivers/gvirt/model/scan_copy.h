/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Audited copies of buffers that run with privilege, which stay for the next time.
 *
 * A driver's contexts come with the same workaround buffers again and again. So a copy keeps
 * what the guest had there when it was audited, and the patches that came out. When the
 * guest's buffer is copied anew and has not changed, the verdict holds and nothing is walked;
 * the patches are applied to the new copy all the same, since what they depend on (the guest's
 * GGTT, its registers) may have changed. Only when that gives what the kept buffer has, the
 * kept buffer runs. Nothing has to be noticed when the guest writes its memory or its table.
 */
#ifndef GVIRT_MODEL_SCAN_COPY_H
#define GVIRT_MODEL_SCAN_COPY_H

#include <linux/list.h>
#include <linux/types.h>
#include "hw/buffer.h"
#include "lib/audit.h"
#include "lib/engine.h"

struct gvirt_ggtt;

/* Pages of all copies of a vGPU: a share of the host's part of the GGTT. */
#define GVIRT_SCAN_PAGES	256u
/* Copies that stay although no context has them. */
#define GVIRT_SCAN_IDLE		8u
/* One with more patches does not stay. */
#define GVIRT_SCAN_PATCHES_KEPT	512u

/**
 * struct gvirt_scan_key - What tells copies apart
 * @engine: that runs it
 * @kind: enum gvirt_audit_kind
 * @address: where it is in the guest's GGTT
 */
struct gvirt_scan_key {
	enum gvirt_engine_id engine;
	u8 kind;
	u32 address;
};

/**
 * struct gvirt_scan_copy - A copy
 * @link: in the pool, most recently used first
 * @key: what it is a copy of
 * @users: how often a context has it: while any, the chip may run it
 * @bytes: that were judged; 0: what the guest had was not kept
 * @raw: what the guest had
 * @patches: what came out of the audit
 * @patch_count: how many
 * @buffer: what runs
 */
struct gvirt_scan_copy {
	struct list_head link;
	struct gvirt_scan_key key;
	u32 users;
	u32 bytes;
	u32 *raw;
	struct gvirt_patch *patches;
	u32 patch_count;
	struct gvirt_buffer buffer;
};

/**
 * struct gvirt_scan_pool - The copies of a vGPU
 * @ggtt: where they are mapped
 * @list: copies, most recently used first
 * @pages: of all of them
 * @kept: bytes that were kept of what guest and audit had
 * @idle: how many have no users
 */
struct gvirt_scan_pool {
	struct gvirt_ggtt *ggtt;
	struct list_head list;
	u32 pages;
	u32 kept;
	u32 idle;
};

/**
 * gvirt_scan_pool_init() - Make an empty pool
 * @pool: to be initialised
 * @ggtt: where copies are mapped
 */
void gvirt_scan_pool_init(struct gvirt_scan_pool *pool, struct gvirt_ggtt *ggtt);

/**
 * gvirt_scan_pool_forget() - Free what no context has
 * @pool: which; or zeroed
 */
void gvirt_scan_pool_forget(struct gvirt_scan_pool *pool);

/**
 * gvirt_scan_copy_find() - The copy that was used last of a buffer
 * @pool: which
 * @key: of what
 *
 * Return: one whose @bytes is not 0, or NULL.
 */
struct gvirt_scan_copy *gvirt_scan_copy_find(struct gvirt_scan_pool *pool,
					     const struct gvirt_scan_key *key);

/**
 * gvirt_scan_copy_make() - Make a copy, with one user
 * @pool: which
 * @key: of what
 * @raw: what was audited
 * @bytes: how much of it was judged good
 * @patches: what came out
 * @patch_count: how many
 *
 * The buffer gets what was audited, to be patched by the caller. Others that nobody has go
 * when room is needed. Sleeps.
 *
 * Return: the copy; NULL: there is no room, or no memory.
 */
struct gvirt_scan_copy *gvirt_scan_copy_make(struct gvirt_scan_pool *pool,
					     const struct gvirt_scan_key *key, const u32 *raw,
					     u32 bytes, const struct gvirt_patch *patches,
					     u32 patch_count);

/**
 * gvirt_scan_copy_get() - One more context has it
 * @pool: which
 * @copy: of gvirt_scan_copy_find()
 */
void gvirt_scan_copy_get(struct gvirt_scan_pool *pool, struct gvirt_scan_copy *copy);

/**
 * gvirt_scan_copy_put() - A context that no engine has lets go of it
 * @pool: which
 * @copy: the place where the context has it, which is cleared; or of NULL
 */
void gvirt_scan_copy_put(struct gvirt_scan_pool *pool, struct gvirt_scan_copy **copy);

#endif
