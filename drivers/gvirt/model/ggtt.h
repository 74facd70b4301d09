/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Global GTT of a vGPU: a full table of its own, sparse in host memory.
 */
#ifndef GVIRT_MODEL_GGTT_H
#define GVIRT_MODEL_GGTT_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/xarray.h>

/**
 * struct gvirt_vggtt - The table
 * @lock: of all entries and pages
 * @pages: pages of entries as the guest wrote them; where there is none, entries are zero
 *
 * Entries can be looked up from anywhere. Calls that write, and resets, are one at a time: the
 * vGPU's lock sees to that.
 */
struct gvirt_vggtt {
	spinlock_t lock; /* entries and pages */
	struct xarray pages;
};

/**
 * gvirt_vggtt_init() - Make an empty table
 * @vggtt: to be initialised
 */
void gvirt_vggtt_init(struct gvirt_vggtt *vggtt);

/**
 * gvirt_vggtt_reset() - All entries to zero; gives all memory back that nobody may have mapped
 * @vggtt: of gvirt_vggtt_init()
 */
void gvirt_vggtt_reset(struct gvirt_vggtt *vggtt);

/**
 * gvirt_vggtt_map() - A page of the table is to be mapped
 * @vggtt: the table
 * @number: of the page, below 2048
 *
 * Like a write, see struct gvirt_vggtt. The page is charged to whoever calls. Until
 * gvirt_vggtt_unmap_all() a reset clears it and keeps its memory.
 *
 * Return: the page; NULL when there is no memory.
 */
void *gvirt_vggtt_map(struct gvirt_vggtt *vggtt, u32 number);

/**
 * gvirt_vggtt_unmap_all() - Nobody has a page mapped any more
 * @vggtt: the table; nobody writes it meanwhile
 */
void gvirt_vggtt_unmap_all(struct gvirt_vggtt *vggtt);

/**
 * gvirt_vggtt_entry() - An entry as the guest wrote it
 * @vggtt: the table
 * @index: number of the page that it maps, below 1 << 20
 *
 * Return: the entry.
 */
u64 gvirt_vggtt_entry(struct gvirt_vggtt *vggtt, u32 index);

/**
 * gvirt_vggtt_read() - A guest's read of the table
 * @vggtt: the table
 * @offset: in the table, which has 8 MiB; a multiple of @bytes
 * @bytes: 1, 2, 4 or 8
 *
 * Return: the value.
 */
u64 gvirt_vggtt_read(struct gvirt_vggtt *vggtt, u32 offset, unsigned int bytes);

/**
 * gvirt_vggtt_write() - A guest's write to the table
 * @vggtt: the table
 * @offset: in the table, which has 8 MiB; a multiple of @bytes
 * @bytes: 1, 2, 4 or 8
 * @value: what is written
 *
 * A table takes 8 MiB at most, charged to whoever writes.
 *
 * Return: 0, or -ENOMEM.
 */
int gvirt_vggtt_write(struct gvirt_vggtt *vggtt, u32 offset, unsigned int bytes, u64 value);

/**
 * gvirt_vggtt_bytes() - Memory that the table takes
 * @vggtt: the table; nobody writes it meanwhile
 *
 * Return: bytes.
 */
size_t gvirt_vggtt_bytes(struct gvirt_vggtt *vggtt);

#endif
