// SPDX-License-Identifier: GPL-2.0-only
/*
 * The global GTT: the memory that holds its entries.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <gvirt/gen9_pte.h>
#include "ggtt.h"

struct gm_ggtt {
	int fd;
	size_t size;
	_Atomic u64 *entry;
};

/* The VMM gets the descriptor too: it must not be able to cut the file under the mapping. */
static int open_table(size_t size)
{
	int fd = memfd_create("gpumodel-ggtt", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (ftruncate(fd, size) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)) {
		close(fd);
		return -1;
	}
	return fd;
}

struct gm_ggtt *gm_ggtt_create(size_t size)
{
	struct gm_ggtt *ggtt;
	void *map;

	if (!size || size % GEN9_TABLE_SIZE)
		return NULL;
	ggtt = calloc(1, sizeof(*ggtt));
	if (!ggtt)
		return NULL;
	ggtt->size = size;
	ggtt->fd = open_table(size);
	if (ggtt->fd < 0)
		goto free;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ggtt->fd, 0);
	if (map == MAP_FAILED)
		goto close;
	ggtt->entry = map;
	return ggtt;

close:
	close(ggtt->fd);
free:
	free(ggtt);
	return NULL;
}

void gm_ggtt_destroy(struct gm_ggtt *ggtt)
{
	if (!ggtt)
		return;
	munmap((void *)ggtt->entry, ggtt->size);
	close(ggtt->fd);
	free(ggtt);
}

int gm_ggtt_fd(const struct gm_ggtt *ggtt)
{
	return ggtt->fd;
}

size_t gm_ggtt_size(const struct gm_ggtt *ggtt)
{
	return ggtt->size;
}

u64 gm_ggtt_entry(const struct gm_ggtt *ggtt, u64 index)
{
	if (index >= ggtt->size / GEN9_PTE_SIZE)
		return 0;
	return atomic_load_explicit(&ggtt->entry[index], memory_order_acquire);
}

static void access_entry(_Atomic u64 *entry, void *buf, bool write)
{
	u64 value;

	if (write) {
		memcpy(&value, buf, sizeof(value));
		atomic_store_explicit(entry, value, memory_order_release);
	} else {
		value = atomic_load_explicit(entry, memory_order_acquire);
		memcpy(buf, &value, sizeof(value));
	}
}

/* One half of an entry; a driver that uses halves lives with the moment between them. */
static void access_half(_Atomic u32 *half, void *buf, bool write)
{
	u32 value;

	if (write) {
		memcpy(&value, buf, sizeof(value));
		atomic_store_explicit(half, value, memory_order_release);
	} else {
		value = atomic_load_explicit(half, memory_order_acquire);
		memcpy(buf, &value, sizeof(value));
	}
}

bool gm_ggtt_access(struct gm_ggtt *ggtt, u64 offset, void *buf, size_t len, bool write)
{
	if ((len != 4 && len != 8) || offset % len || offset >= ggtt->size)
		return false;
	if (len == 8)
		access_entry(&ggtt->entry[offset / 8], buf, write);
	else
		access_half((_Atomic u32 *)ggtt->entry + offset / 4, buf, write);
	return true;
}
