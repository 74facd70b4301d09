/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guest memory as the device reaches it: IOVA ranges that the VMM mapped.
 *
 * The transport thread maps and unmaps; engine threads read and write at the
 * same time. An unmap returns only when no access is under way any more.
 */
#ifndef GM_DMA_H
#define GM_DMA_H

#include <linux/types.h>

struct gm_stats;
struct gm_dma;

#define GM_DMA_READ	1u
#define GM_DMA_WRITE	2u

/* How many ranges there may be at a time: some dozens, or with an IOMMU one for each mapping. */
#define GM_DMA_MAX_RANGES 16384

/**
 * gm_dma_create() - An empty map
 * @stats: statistics, kept
 *
 * Return: the map, NULL when memory is short.
 */
struct gm_dma *gm_dma_create(struct gm_stats *stats);
/* Unmap everything and free the map; NULL is fine. */
void gm_dma_destroy(struct gm_dma *dma);

/**
 * gm_dma_map() - Make a range of IOVA space reachable
 * @dma: the map
 * @iova: start, 4 KiB aligned
 * @size: bytes, a multiple of 4 KiB, above 0; must not wrap
 * @fd: regular file (a memfd is one) that backs the range, -1 for a range that
 *	exists but cannot be reached (the VMM gave no file); stays the caller's
 * @offset: where in @fd the range starts
 * @prot: GM_DMA_READ and/or GM_DMA_WRITE
 *
 * Return: 0, -EINVAL (alignment, wrap, @prot, no regular file, file too short),
 * -EEXIST (overlap), -ENOSPC (too many ranges) or what mmap said.
 */
int gm_dma_map(struct gm_dma *dma, u64 iova, u64 size, int fd, u64 offset, unsigned int prot);

/**
 * gm_dma_unmap() - Take ranges away that lie wholly inside [iova, iova + size)
 * @dma: the map
 * @iova: start, 4 KiB aligned
 * @size: bytes, a multiple of 4 KiB, above 0; must not wrap
 *
 * Return: 0, -ENOENT when there is none, -EINVAL when a range lies partly inside.
 */
int gm_dma_unmap(struct gm_dma *dma, u64 iova, u64 size);

/* Take every range away. */
void gm_dma_unmap_all(struct gm_dma *dma);

/**
 * gm_dma_read() - Copy from guest memory; may cross ranges
 * @dma: the map
 * @iova: start
 * @buf: where to
 * @len: bytes; an aligned dword or qword is read as one
 *
 * Return: true when all was read. Else @buf is all ones as a master abort would
 * give, and GM_MISUSE_DMA_FAULT is counted.
 */
bool gm_dma_read(struct gm_dma *dma, u64 iova, void *buf, size_t len);

/**
 * gm_dma_write() - Copy to guest memory; may cross ranges
 * @dma: the map
 * @iova: start
 * @buf: the bytes
 * @len: how many; an aligned dword or qword is written as one
 *
 * Return: true when all was written. Else GM_MISUSE_DMA_FAULT is counted, and
 * what cannot be reached is dropped.
 */
bool gm_dma_write(struct gm_dma *dma, u64 iova, const void *buf, size_t len);

/**
 * gm_dma_lock() - Hold the map as it is, for gm_dma_ptr()
 * @dma: the map
 *
 * Shared: any number of threads may hold it. Not recursive. Hold it for one
 * command at the most, since an unmap waits for it.
 */
void gm_dma_lock(struct gm_dma *dma);
void gm_dma_unlock(struct gm_dma *dma);

/**
 * gm_dma_ptr() - Where a piece of guest memory is
 * @dma: the map, held by gm_dma_lock()
 * @iova: start
 * @len: bytes; must lie inside one range
 * @prot: what the caller will do
 *
 * Return: a pointer valid until gm_dma_unlock(), or NULL (counts a DMA fault).
 */
void *gm_dma_ptr(struct gm_dma *dma, u64 iova, size_t len, unsigned int prot);

#endif
