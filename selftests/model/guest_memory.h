/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guest memory and a global GTT, for the tests of what translates and accesses it;
 * and numbers for random cases, the same in each run.
 */
#ifndef GUEST_MEMORY_H
#define GUEST_MEMORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>
#include <gvirt/gen9_pte.h>
#include "dma.h"
#include "ggtt.h"
#include "stats.h"

/* One file at bus address 0, and an empty table. */
struct guest_memory {
	struct gm_dma *dma;
	struct gm_ggtt *ggtt;
	int fd;
	u64 size;
	u8 *bytes;
};

static inline void guest_memory_create(struct guest_memory *memory, u64 size,
				       struct gm_stats *stats)
{
	memory->size = size;
	memory->fd = memfd_create("guest_memory", MFD_CLOEXEC);
	assert_int_equal(ftruncate(memory->fd, size), 0);
	memory->bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->fd, 0);
	assert_ptr_not_equal(memory->bytes, MAP_FAILED);
	memory->dma = gm_dma_create(stats);
	assert_int_equal(gm_dma_map(memory->dma, 0, size, memory->fd, 0,
				    GM_DMA_READ | GM_DMA_WRITE), 0);
	memory->ggtt = gm_ggtt_create(GEN9_GGTT_TABLE_SIZE);
	assert_non_null(memory->ggtt);
}

static inline void guest_memory_destroy(struct guest_memory *memory)
{
	gm_ggtt_destroy(memory->ggtt);
	gm_dma_destroy(memory->dma);
	munmap(memory->bytes, memory->size);
	close(memory->fd);
}

static inline void guest_memory_set_entry(struct guest_memory *memory, u64 index, u64 entry)
{
	assert_true(gm_ggtt_access(memory->ggtt, index * sizeof(entry), &entry, sizeof(entry),
				   true));
}

/* The first @bytes have the same address in the GGTT. */
static inline void guest_memory_map_one_to_one(struct guest_memory *memory, u64 bytes)
{
	u64 page;

	for (page = 0; page < bytes; page += 4096)
		guest_memory_set_entry(memory, page / 4096, page | GEN9_GGTT_PRESENT);
}

/* @state is any number but 0 at first. */
static inline u64 next_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#endif
