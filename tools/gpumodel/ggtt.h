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

/** gm_ggtt_create() - A table of @size bytes (8 MiB: 4 GiB of address space); all entries zero */
struct gm_ggtt *gm_ggtt_create(size_t size);
void gm_ggtt_destroy(struct gm_ggtt *ggtt);

/** gm_ggtt_fd() - The memfd that holds the table; stays the GGTT's */
int gm_ggtt_fd(const struct gm_ggtt *ggtt);
size_t gm_ggtt_size(const struct gm_ggtt *ggtt);

/** gm_ggtt_entry() - Entry @index, 0 when beyond the table; any thread */
u64 gm_ggtt_entry(const struct gm_ggtt *ggtt, u64 index);

/** gm_ggtt_access() - Access to the table by message: 4 or 8 bytes, aligned, else false */
bool gm_ggtt_access(struct gm_ggtt *ggtt, u64 offset, void *buf, size_t len, bool write);

#endif
