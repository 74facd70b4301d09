// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guest memory as the device reaches it, see dma.h.
 *
 * The ranges are a sorted array without overlaps, looked up by bisection. An
 * access holds the lock shared for as long as it touches guest memory, so once
 * the lock is held exclusively nobody does and a range may be unmapped. The lock
 * prefers writers: engines that poll memory must not starve an unmap.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "dma.h"
#include "stats.h"

#define PAGE_BYTES 4096u

/**
 * struct dma_range - A mapped range
 * @iova: first byte
 * @last: last byte, so that a range may end with the address space
 * @ptr: where it is mapped here, NULL: cannot be reached
 * @prot: GM_DMA_READ, GM_DMA_WRITE
 */
struct dma_range {
	u64 iova;
	u64 last;
	u8 *ptr;
	unsigned int prot;
};

/**
 * struct gm_dma - The map
 * @lock: exclusive to change the ranges, shared to use them
 * @count: how many ranges there are
 * @ranges: sorted by address
 * @stats: statistics
 */
struct gm_dma {
	pthread_rwlock_t lock;
	size_t count;
	struct dma_range ranges[GM_DMA_MAX_RANGES];
	struct gm_stats *stats;
};

struct gm_dma *gm_dma_create(struct gm_stats *stats)
{
	struct gm_dma *dma = calloc(1, sizeof(*dma));
	pthread_rwlockattr_t attr;

	if (!dma)
		return NULL;
	dma->stats = stats;
	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&dma->lock, &attr);
	pthread_rwlockattr_destroy(&attr);
	return dma;
}

void gm_dma_destroy(struct gm_dma *dma)
{
	if (!dma)
		return;
	gm_dma_unmap_all(dma);
	pthread_rwlock_destroy(&dma->lock);
	free(dma);
}

/* Index of the first range that ends at or behind @iova. */
static size_t find_locked(const struct gm_dma *dma, u64 iova)
{
	size_t low = 0, high = dma->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (dma->ranges[middle].last < iova)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool range_valid(u64 iova, u64 size)
{
	return size && !((iova | size) % PAGE_BYTES) && iova <= ~0ULL - (size - 1);
}

static bool file_covers(int fd, u64 offset, u64 size)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	return offset <= (u64)st.st_size && size <= (u64)st.st_size - offset;
}

static int map_file(struct dma_range *range, int fd, u64 offset)
{
	u64 size = range->last - range->iova + 1;
	int prot = 0;
	void *ptr;

	if (!file_covers(fd, offset, size))
		return -EINVAL;
	if (range->prot & GM_DMA_READ)
		prot |= PROT_READ;
	if (range->prot & GM_DMA_WRITE)
		prot |= PROT_WRITE;
	ptr = mmap(NULL, size, prot, MAP_SHARED, fd, offset);
	if (ptr == MAP_FAILED)
		return -errno;
	range->ptr = ptr;
	return 0;
}

static int insert_locked(struct gm_dma *dma, struct dma_range *range, int fd, u64 offset)
{
	size_t at = find_locked(dma, range->iova);
	int err;

	if (at < dma->count && dma->ranges[at].iova <= range->last)
		return -EEXIST;
	if (dma->count == GM_DMA_MAX_RANGES)
		return -ENOSPC;
	if (fd >= 0) {
		err = map_file(range, fd, offset);
		if (err)
			return err;
	}
	memmove(&dma->ranges[at + 1], &dma->ranges[at], (dma->count - at) * sizeof(*range));
	dma->ranges[at] = *range;
	dma->count++;
	return 0;
}

int gm_dma_map(struct gm_dma *dma, u64 iova, u64 size, int fd, u64 offset, unsigned int prot)
{
	struct dma_range range = { .iova = iova, .prot = prot };
	int err;

	if (!range_valid(iova, size) || !prot || prot & ~(GM_DMA_READ | GM_DMA_WRITE))
		return -EINVAL;
	range.last = iova + (size - 1);
	pthread_rwlock_wrlock(&dma->lock);
	err = insert_locked(dma, &range, fd, offset);
	pthread_rwlock_unlock(&dma->lock);
	if (!err)
		gm_count(dma->stats, GM_COUNT_DMA_MAP, 1);
	return err;
}

/* Takes away the ranges [first, end) by index. */
static void remove_locked(struct gm_dma *dma, size_t first, size_t end)
{
	size_t i;

	for (i = first; i < end; i++)
		if (dma->ranges[i].ptr)
			munmap(dma->ranges[i].ptr, dma->ranges[i].last - dma->ranges[i].iova + 1);
	memmove(&dma->ranges[first], &dma->ranges[end],
		(dma->count - end) * sizeof(dma->ranges[0]));
	dma->count -= end - first;
	gm_count(dma->stats, GM_COUNT_DMA_UNMAP, end - first);
}

static int unmap_locked(struct gm_dma *dma, u64 iova, u64 last)
{
	size_t first = find_locked(dma, iova);
	size_t end = first;

	while (end < dma->count && dma->ranges[end].iova <= last)
		end++;
	if (end == first)
		return -ENOENT;
	if (dma->ranges[first].iova < iova || dma->ranges[end - 1].last > last)
		return -EINVAL;
	remove_locked(dma, first, end);
	return 0;
}

int gm_dma_unmap(struct gm_dma *dma, u64 iova, u64 size)
{
	int err;

	if (!range_valid(iova, size))
		return -EINVAL;
	pthread_rwlock_wrlock(&dma->lock);
	err = unmap_locked(dma, iova, iova + (size - 1));
	pthread_rwlock_unlock(&dma->lock);
	return err;
}

void gm_dma_unmap_all(struct gm_dma *dma)
{
	pthread_rwlock_wrlock(&dma->lock);
	remove_locked(dma, 0, dma->count);
	pthread_rwlock_unlock(&dma->lock);
}

void gm_dma_lock(struct gm_dma *dma)
{
	pthread_rwlock_rdlock(&dma->lock);
}

void gm_dma_unlock(struct gm_dma *dma)
{
	pthread_rwlock_unlock(&dma->lock);
}

/*
 * Where @iova is, and in *@chunk how many of @len bytes the range has from there;
 * NULL when it is not mapped, not reachable or does not allow @prot.
 */
static u8 *find_chunk_locked(const struct gm_dma *dma, u64 iova, size_t len, unsigned int prot,
			     size_t *chunk)
{
	size_t at = find_locked(dma, iova);
	const struct dma_range *range = &dma->ranges[at];

	if (at == dma->count || range->iova > iova || !range->ptr || (range->prot & prot) != prot)
		return NULL;
	*chunk = len - 1 > range->last - iova ? range->last - iova + 1 : len;
	return range->ptr + (iova - range->iova);
}

static bool span_reachable_locked(const struct gm_dma *dma, u64 iova, size_t len,
				  unsigned int prot)
{
	size_t chunk;

	if (len && len - 1 > ~0ULL - iova)
		return false;
	for (; len; iova += chunk, len -= chunk)
		if (!find_chunk_locked(dma, iova, len, prot, &chunk))
			return false;
	return true;
}

/*
 * Guest memory is shared with the guest's CPUs and other engines: an aligned
 * dword or qword goes as one, so that nobody sees half of a semaphore or PTE.
 */
static void copy_from_guest(void *to, const u8 *from, size_t len)
{
	u64 qword;
	u32 dword;

	if (len == sizeof(dword) && !((uintptr_t)from % sizeof(dword))) {
		dword = __atomic_load_n((const u32 *)from, __ATOMIC_ACQUIRE);
		memcpy(to, &dword, sizeof(dword));
	} else if (len == sizeof(qword) && !((uintptr_t)from % sizeof(qword))) {
		qword = __atomic_load_n((const u64 *)from, __ATOMIC_ACQUIRE);
		memcpy(to, &qword, sizeof(qword));
	} else {
		memcpy(to, from, len);
	}
}

static void copy_to_guest(u8 *to, const void *from, size_t len)
{
	u64 qword;
	u32 dword;

	if (len == sizeof(dword) && !((uintptr_t)to % sizeof(dword))) {
		memcpy(&dword, from, sizeof(dword));
		__atomic_store_n((u32 *)to, dword, __ATOMIC_RELEASE);
	} else if (len == sizeof(qword) && !((uintptr_t)to % sizeof(qword))) {
		memcpy(&qword, from, sizeof(qword));
		__atomic_store_n((u64 *)to, qword, __ATOMIC_RELEASE);
	} else {
		memcpy(to, from, len);
	}
}

static void report_fault(struct gm_dma *dma, const char *what, u64 iova, size_t len)
{
	gm_misuse(dma->stats, GM_MISUSE_DMA_FAULT,
		  "%s %zu bytes at %#llx, which the VMM has not mapped so", what, len,
		  (unsigned long long)iova);
}

bool gm_dma_read(struct gm_dma *dma, u64 iova, void *buf, size_t len)
{
	size_t done, chunk;
	bool good;

	gm_dma_lock(dma);
	good = span_reachable_locked(dma, iova, len, GM_DMA_READ);
	for (done = 0; good && done < len; done += chunk) {
		const u8 *from = find_chunk_locked(dma, iova + done, len - done, GM_DMA_READ,
						   &chunk);

		copy_from_guest((u8 *)buf + done, from, chunk);
	}
	gm_dma_unlock(dma);
	if (!good) {
		memset(buf, 0xff, len);
		report_fault(dma, "read of", iova, len);
	}
	return good;
}

bool gm_dma_write(struct gm_dma *dma, u64 iova, const void *buf, size_t len)
{
	size_t done, chunk;
	bool good;

	gm_dma_lock(dma);
	good = span_reachable_locked(dma, iova, len, GM_DMA_WRITE);
	for (done = 0; good && done < len; done += chunk) {
		u8 *to = find_chunk_locked(dma, iova + done, len - done, GM_DMA_WRITE, &chunk);

		copy_to_guest(to, (const u8 *)buf + done, chunk);
	}
	gm_dma_unlock(dma);
	if (!good)
		report_fault(dma, "write of", iova, len);
	return good;
}

void *gm_dma_ptr(struct gm_dma *dma, u64 iova, size_t len, unsigned int prot)
{
	size_t chunk;
	u8 *ptr;

	ptr = len ? find_chunk_locked(dma, iova, len, prot, &chunk) : NULL;
	if (ptr && chunk == len)
		return ptr;
	report_fault(dma, "direct use of", iova, len);
	return NULL;
}
