/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An MMU with guest memory and tables, for the tests of walks and of staleness.
 *
 * Guest memory is one file of 16 MiB, mapped at bus address 0 and once more
 * high up. Tables and data live in it and are written directly.
 */
#ifndef MMU_FIXTURE_H
#define MMU_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <gvirt/gen9_pte.h>
#include "guest_memory.h"
#include "mmu.h"
#include "stats.h"

#define RAM_SIZE	(16ull << 20)
#define RAM_HIGH	BIT_ULL(38)
#define DATA		(8ull << 20)	/* tables below, data from here on */
#define OUTSIDE		BIT_ULL(32)	/* a bus address where nothing is */
#define RW		(GEN9_PTE_PRESENT | GEN9_PTE_RW)
#define RO		GEN9_PTE_PRESENT

struct fixture {
	struct gm_stats stats;
	struct guest_memory memory;
	struct gm_mmu *mmu;
	u8 *ram;
	u8 *shadow;
	bool four_level;
	u64 pdp[4];
	u64 next_table;
	u64 random;
};

static inline u64 rnd(struct fixture *f)
{
	return next_random(&f->random);
}

static inline u64 *entry_at(struct fixture *f, u64 table, u64 index)
{
	return (u64 *)(f->ram + table) + index;
}

static inline u64 new_table(struct fixture *f)
{
	u64 table = f->next_table;

	assert_true(table < DATA);
	f->next_table += 4096;
	memset(f->ram + table, 0, 4096);
	return table;
}

static inline void use_ppgtt(struct fixture *f, bool four_level)
{
	int i;

	f->four_level = four_level;
	f->next_table = 0x10000;
	for (i = 0; i < 4; i++)
		f->pdp[i] = four_level && i ? 0 : new_table(f);
	gm_mmu_set_ppgtt(f->mmu, four_level, f->pdp);
	gm_mmu_invalidate(f->mmu);
}

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->random = 0x853c49e6748fea9b;
	guest_memory_create(&f->memory, RAM_SIZE, &f->stats);
	assert_int_equal(gm_dma_map(f->memory.dma, RAM_HIGH, RAM_SIZE, f->memory.fd, 0,
				    GM_DMA_READ | GM_DMA_WRITE), 0);
	f->ram = f->memory.bytes;
	f->shadow = malloc(RAM_SIZE);
	f->mmu = gm_mmu_create(0, f->memory.dma, f->memory.ggtt, &f->stats);
	gm_mmu_set_stale_check(f->mmu, 1);
	use_ppgtt(f, true);
	*state = f;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	gm_mmu_destroy(f->mmu);
	guest_memory_destroy(&f->memory);
	free(f->shadow);
	free(f);
	return 0;
}

static inline u64 misuse(struct fixture *f, enum gm_misuse kind)
{
	return atomic_load(&f->stats.misuse[kind]);
}

static inline u64 counter(struct fixture *f, enum gm_counter which)
{
	return atomic_load(&f->stats.counter[which]);
}

/* The entry of @level (0 PTE) that translates @va; tables above it are made as needed. */
static inline u64 *entry_of(struct fixture *f, u64 va, unsigned int level)
{
	unsigned int at = f->four_level ? 3 : 1;
	u64 table = f->pdp[f->four_level ? 0 : va >> 30];
	u64 *entry;

	for (;; at--) {
		entry = entry_at(f, table, va >> (12 + 9 * at) & 511);
		if (at == level)
			return entry;
		if (!*entry)
			*entry = new_table(f) | RW;
		table = *entry & GEN9_PTE_ADDR_MASK;
	}
}

static inline void set_ggtt(struct fixture *f, u64 index, u64 entry)
{
	guest_memory_set_entry(&f->memory, index, entry);
}

static inline u32 read32(struct fixture *f, enum gm_space space, u64 va)
{
	u32 value = 0x5a5a5a5a;

	assert_true(gm_mmu_read(f->mmu, space, va, &value, 4));
	return value;
}

static inline void expect_fault(struct fixture *f, enum gm_space space, u64 va, bool write,
				unsigned int level)
{
	u64 before = misuse(f, GM_MISUSE_UNSCRATCHED_PTE);
	u64 faults = counter(f, GM_COUNT_PAGE_FAULT);
	struct gm_fault fault;
	u32 value = 0x5a5a5a5a;

	if (write)
		assert_false(gm_mmu_write(f->mmu, space, va, &value, 4));
	else
		assert_false(gm_mmu_read(f->mmu, space, va, &value, 4));
	assert_int_equal(value, write ? 0x5a5a5a5a : 0);
	fault = gm_mmu_take_fault(f->mmu);
	assert_true(fault.valid);
	assert_int_equal(fault.space, space);
	assert_int_equal(fault.write, write);
	assert_int_equal(fault.va, va);
	assert_int_equal(fault.level, level);
	assert_false(gm_mmu_take_fault(f->mmu).valid);
	assert_int_equal(misuse(f, GM_MISUSE_UNSCRATCHED_PTE), before + 1);
	assert_int_equal(counter(f, GM_COUNT_PAGE_FAULT), faults + 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
