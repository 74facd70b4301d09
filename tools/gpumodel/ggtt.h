/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The global GTT: a table of 64-bit entries in the upper half of BAR0.
 *
 * It is a memfd so that the VMM can map it into the guest: entry writes then
 * reach the table without a message, as they reach the chip's own memory.
 */
#ifndef GM_GGTT_H
#define GM_GGTT_H

#include <linux/types.h>

struct gm_ggtt;

/**
 * gm_ggtt_create() - Make a table whose entries are all zero
 * @size: bytes, a multiple of 4 KiB; 8 MiB are 4 GiB of address space
 *
 * Return: the table, NULL when resources are short.
 */
struct gm_ggtt *gm_ggtt_create(size_t size);
void gm_ggtt_destroy(struct gm_ggtt *ggtt);

/* The memfd that holds the table; stays the GGTT's. */
int gm_ggtt_fd(const struct gm_ggtt *ggtt);
size_t gm_ggtt_size(const struct gm_ggtt *ggtt);

/* Entry @index, 0 when beyond the table; any thread. */
u64 gm_ggtt_entry(const struct gm_ggtt *ggtt, u64 index);

/**
 * gm_ggtt_access() - Access to the table by message
 * @ggtt: the table
 * @offset: bytes from its start, a multiple of @len
 * @buf: what is written, or where to what is read goes
 * @len: 4 or 8 bytes
 * @write: a write, else a read
 *
 * Return: false, and nothing done, when @offset or @len is not that, or beyond
 * the end.
 */
bool gm_ggtt_access(struct gm_ggtt *ggtt, u64 offset, void *buf, size_t len, bool write);

#endif
