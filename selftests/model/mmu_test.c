// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of an engine's MMU: walks against a plain reference, and faults.
 */
#include "mmu_fixture.h"

/* The reference: what the manual says, one level after the other, nothing cached. */
struct expected {
	bool valid;
	bool writable;
	unsigned int level;
	u64 pa;
	u64 left;
};

static bool reference_entry(struct fixture *f, u64 table, u64 index, u64 *entry)
{
	table &= 0x7ffffff000;
	if (table >= RAM_HIGH)
		table -= RAM_HIGH;
	if (table >= RAM_SIZE)
		return false;
	*entry = *entry_at(f, table, index);
	return *entry & 1;
}

static struct expected reference_page(u64 va, u64 entry, u64 size, bool writable)
{
	return (struct expected){
		.valid = true,
		.writable = writable,
		.pa = (entry & 0x7ffffff000 & -size) + va % size,
		.left = size - va % size,
	};
}

static struct expected reference(struct fixture *f, u64 va)
{
	u64 pml4e, pdpe, pde, pte, index, pd;
	bool writable = true;

	if (f->four_level) {
		if (!reference_entry(f, f->pdp[0], va >> 39 & 511, &pml4e))
			return (struct expected){ .level = 3 };
		if (!reference_entry(f, pml4e, va >> 30 & 511, &pdpe))
			return (struct expected){ .level = 2 };
		writable = pml4e & pdpe & 2;
		if (pdpe & 0x80)
			return reference_page(va, pdpe, 1 << 30, writable);
		pd = pdpe;
	} else {
		if (va >> 32)
			return (struct expected){ .level = 2 };
		pd = f->pdp[va >> 30];
	}
	if (!reference_entry(f, pd, va >> 21 & 511, &pde))
		return (struct expected){ .level = 1 };
	writable = writable && pde & 2;
	if (pde & 0x80)
		return reference_page(va, pde, 2 << 20, writable);
	index = va >> 12 & 511;
	if (pde & 0x800)
		index -= index % 16;
	if (!reference_entry(f, pde, index, &pte))
		return (struct expected){ .level = 0 };
	writable = writable && pte & 2;
	return reference_page(va, pte, pde & 0x800 ? 65536 : 4096, writable);
}

/* 64 pages of entries that point to each other, to data, and sometimes to nowhere. */
#define WILD_TABLES 64

static u64 wild_entry(struct fixture *f)
{
	u64 r = rnd(f);
	u64 page = r >> 32 & 1 ? r % WILD_TABLES : r % (RAM_SIZE / 4096);
	u64 entry = page << 12 | RW | (rnd(f) & 0x018);

	if (r >> 33 & 1)
		entry |= RAM_HIGH;
	if (!(r >> 40 & 15))
		entry &= ~GEN9_PTE_PRESENT;
	if (!(r >> 44 & 7))
		entry &= ~GEN9_PTE_RW;
	if (!(r >> 47 & 7))
		entry |= GEN9_PDE_PS;
	if (!(r >> 50 & 3))
		entry |= GEN9_PDE_IPS_64K;
	if (!(r >> 52 & 63))
		entry |= OUTSIDE;
	return entry;
}

static void make_wild_tables(struct fixture *f, bool four_level)
{
	int i;

	for (i = 0; i < WILD_TABLES * 512; i++)
		*entry_at(f, 0, i) = wild_entry(f);
	f->four_level = four_level;
	for (i = 0; i < 4; i++)
		f->pdp[i] = rnd(f) % WILD_TABLES << 12;
	gm_mmu_set_ppgtt(f->mmu, four_level, f->pdp);
	gm_mmu_invalidate(f->mmu);
}

static void compare_translation(struct fixture *f, u64 va, bool write)
{
	struct expected e = reference(f, va & (f->four_level ? 0xffffffffffff : ~0ull));
	u64 iova = 1, contig = 2;
	bool valid = gm_mmu_translate(f->mmu, GM_SPACE_PPGTT, va, write, &iova, &contig);
	struct gm_fault fault = gm_mmu_take_fault(f->mmu);

	assert_int_equal(valid, e.valid);
	assert_int_equal(fault.valid, !valid);
	if (!valid) {
		assert_int_equal(fault.level, e.level);
		assert_int_equal(fault.write, write);
		return;
	}
	assert_int_equal(gm_mmu_discards(iova), write && !e.writable);
	if (gm_mmu_discards(iova)) {
		assert_int_equal(contig, 4096 - va % 4096);
		return;
	}
	assert_int_equal(iova, e.pa);
	assert_int_equal(contig, e.left);
}

/* Half of the addresses are near each other, so that all caches are hit and replaced. */
static u64 wild_address(struct fixture *f)
{
	u64 va = rnd(f) & (f->four_level ? 0xffffffffffff : 0xffffffff);

	if (rnd(f) & 1)
		va &= 0x0080c07fffff;
	if (f->four_level && va >> 47)
		va |= 0xffff000000000000;
	return va;
}

static void run_wild(struct fixture *f, bool four_level)
{
	int round, i;

	for (round = 0; round < 8; round++) {
		make_wild_tables(f, four_level);
		for (i = 0; i < 20000; i++)
			compare_translation(f, wild_address(f), rnd(f) & 1);
	}
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
	assert_true(counter(f, GM_COUNT_TLB_HIT) > 1000);
	assert_true(counter(f, GM_COUNT_TLB_MISS) > 1000);
}

static void wild_tables_of_four_levels(void **state)
{
	run_wild(*state, true);
}

static void wild_tables_of_three_levels(void **state)
{
	run_wild(*state, false);
}

static void wild_reads(void **state)
{
	struct fixture *f = *state;
	static u8 got[20000];
	int i;

	make_wild_tables(f, true);
	for (i = 0; i < 200; i++) {
		u64 va = wild_address(f);
		size_t len = rnd(f) % sizeof(got), k;
		bool all = true;

		memset(got, 0x11, sizeof(got));
		for (k = 0; k < len; k++)
			all = all && reference(f, (va + k) & 0xffffffffffff).valid;
		assert_int_equal(gm_mmu_read(f->mmu, GM_SPACE_PPGTT, va, got, len), all);
		for (k = 0; k < len; k++) {
			struct expected e = reference(f, (va + k) & 0xffffffffffff);
			u64 pa = e.pa >= RAM_HIGH ? e.pa - RAM_HIGH : e.pa;

			assert_int_equal(got[k], !e.valid ? 0 : pa < RAM_SIZE ? f->ram[pa] : 0xff);
		}
		if (len < sizeof(got))
			assert_int_equal(got[len], 0x11);
	}
}

/* 16 pieces of 2M: one page, 64K pages, 4K pages, or nothing; some read-only. */
static void map_mixture(struct fixture *f, u64 va)
{
	u64 piece, page, pa;

	for (piece = 0; piece < 16; piece++, va += 2 << 20) {
		u64 kind = rnd(f) % 4;
		u64 size = kind == 1 ? 65536 : 4096;

		if (kind == 0)
			*entry_of(f, va, 1) = (DATA + (rnd(f) % 4 << 21)) | RW | GEN9_PDE_PS;
		for (page = 0; (kind == 1 || kind == 2) && page < (2 << 20) / size; page++) {
			pa = DATA + rnd(f) % (DATA / size) * size;
			*entry_of(f, va + page * size, 0) = pa | (rnd(f) % 4 ? RW : RO);
		}
		if (kind == 1)
			*entry_of(f, va, 1) |= GEN9_PDE_IPS_64K;
	}
}

static void random_writes(struct fixture *f, u64 base)
{
	static u8 data[70000];
	int i;

	memcpy(f->shadow, f->ram, RAM_SIZE);
	for (i = 0; i < 150; i++) {
		u64 va = base + rnd(f) % (31 << 20);
		size_t len = rnd(f) % (rnd(f) & 1 ? sizeof(data) : 64), k;
		bool all = true;

		for (k = 0; k < len; k++) {
			struct expected e = reference(f, va + k);

			data[k] = rnd(f);
			all = all && e.valid;
			if (e.valid && e.writable)
				f->shadow[e.pa] = data[k];
		}
		assert_int_equal(gm_mmu_write(f->mmu, GM_SPACE_PPGTT, va, data, len), all);
		if (i % 10 == 0)
			assert_memory_equal(f->ram, f->shadow, RAM_SIZE);
	}
	assert_memory_equal(f->ram, f->shadow, RAM_SIZE);
}

static void writes_of_four_levels(void **state)
{
	struct fixture *f = *state;

	map_mixture(f, 0x7ffff0000000);
	random_writes(f, 0x7ffff0000000);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 0);
}

static void writes_of_three_levels(void **state)
{
	struct fixture *f = *state;

	use_ppgtt(f, false);
	map_mixture(f, 0xbff00000 & ~0x1fffffull);	/* over the end of a page directory */
	random_writes(f, 0xbff00000 & ~0x1fffffull);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 0);
}

static void ggtt_walks(void **state)
{
	struct fixture *f = *state;
	const u64 last = (1ull << 20) - 1;
	int i;

	for (i = 0; i < 2000; i++) {
		u64 index = rnd(f) % (last + 1);
		u64 pa = rnd(f) % (RAM_SIZE / 4096) << 12;
		u64 at = rnd(f) % 4096;
		u64 iova, contig;

		/* Bit 1 means nothing: the GGTT has no read-only page. */
		set_ggtt(f, index, pa | RAM_HIGH | GEN9_GGTT_PRESENT | (rnd(f) & 2));
		gm_mmu_invalidate_ggtt(f->mmu);
		assert_true(gm_mmu_translate(f->mmu, GM_SPACE_GGTT, index << 12 | at, i & 1,
					     &iova, &contig));
		assert_int_equal(iova, RAM_HIGH + pa + at);
		assert_int_equal(contig, 4096 - at);
	}
	set_ggtt(f, last, DATA | GEN9_GGTT_PRESENT);
	set_ggtt(f, 0, DATA | GEN9_GGTT_PRESENT);
	gm_mmu_invalidate(f->mmu);
	*(u32 *)(f->ram + DATA + 4092) = 0x11223344;
	assert_int_equal(read32(f, GM_SPACE_GGTT, 0xfffffffc), 0x11223344);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
	expect_fault(f, GM_SPACE_GGTT, 1ull << 32, false, 0);
	expect_fault(f, GM_SPACE_GGTT, ~0ull - 3, true, 0);
	expect_fault(f, GM_SPACE_GGTT, 1ull << 62, false, 0);
}

static void small_ggtt_is_bounded(void **state)
{
	struct fixture *f = *state;
	struct gm_ggtt *small = gm_ggtt_create(4096);
	struct gm_mmu *mmu = gm_mmu_create(1, f->memory.dma, small, &f->stats);
	u64 entry = DATA | GEN9_GGTT_PRESENT;
	u32 value;

	assert_true(gm_ggtt_access(small, 511 * 8, &entry, 8, true));
	assert_true(gm_mmu_read(mmu, GM_SPACE_GGTT, 0x1ffffc, &value, 4));
	assert_false(gm_mmu_read(mmu, GM_SPACE_GGTT, 0x200000, &value, 4));
	assert_false(gm_mmu_read(mmu, GM_SPACE_GGTT, 0xfffff000, &value, 4));
	gm_mmu_destroy(mmu);
	gm_ggtt_destroy(small);
}

static void faults_name_the_level(void **state)
{
	struct fixture *f = *state;
	const u64 va = 0x123456789000;
	unsigned int level;

	for (level = 3; level < 4; level--) {
		expect_fault(f, GM_SPACE_PPGTT, va, level & 1, level);
		if (level)
			*entry_of(f, va, level) = new_table(f) | RW;
	}
	*entry_of(f, va, 0) = DATA | RW;
	*(u32 *)(f->ram + DATA) = 0xcafe;
	/* Invalid entries are not cached: no invalidation is needed. */
	assert_int_equal(read32(f, GM_SPACE_PPGTT, va), 0xcafe);
	expect_fault(f, GM_SPACE_GGTT, 0x5000, true, 0);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
}

static void first_fault_is_kept(void **state)
{
	struct fixture *f = *state;
	u8 buf[3 * 4096];

	assert_false(gm_mmu_read(f->mmu, GM_SPACE_GGTT, 0x10ff0, buf, sizeof(buf)));
	assert_false(gm_mmu_write(f->mmu, GM_SPACE_PPGTT, 0x9000, buf, 1));
	assert_int_equal(counter(f, GM_COUNT_PAGE_FAULT), 5);
	assert_int_equal(gm_mmu_take_fault(f->mmu).va, 0x10ff0);
	assert_false(gm_mmu_take_fault(f->mmu).valid);
}

static void three_levels_end_at_4g(void **state)
{
	struct fixture *f = *state;
	u64 both[2];

	use_ppgtt(f, false);
	*entry_of(f, 0xfffff000, 0) = DATA | RW;
	*(u64 *)(f->ram + DATA + 4088) = 0x1122334455667788;
	expect_fault(f, GM_SPACE_PPGTT, 1ull << 32, false, 2);
	expect_fault(f, GM_SPACE_PPGTT, 0xffff800000000000, true, 2);
	assert_false(gm_mmu_read(f->mmu, GM_SPACE_PPGTT, 0xfffffff8, both, 16));
	assert_int_equal(both[0], 0x1122334455667788);
	assert_int_equal(both[1], 0);
}

static void four_levels_ignore_the_upper_bits(void **state)
{
	struct fixture *f = *state;
	u64 value;

	*entry_of(f, 0xfffffffff000, 0) = DATA | RW;
	*entry_of(f, 0, 0) = (DATA + 4096) | RW;
	*(u32 *)(f->ram + DATA + 4092) = 0x1234;
	*(u32 *)(f->ram + DATA + 4096) = 0x5678;
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0xfffffffffffffffc), 0x1234);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x0000fffffffffffc), 0x1234);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0xdead000000000000), 0x5678);
	assert_true(gm_mmu_read(f->mmu, GM_SPACE_PPGTT, 0xfffffffffffffffc, &value, 8));
	assert_int_equal(value, 0x0000567800001234);
	/* All forms of an address are one to the TLB, and to the fault registers. */
	gm_mmu_take_fault(f->mmu);
	assert_int_equal(counter(f, GM_COUNT_TLB_MISS), 2);
	assert_false(gm_mmu_read(f->mmu, GM_SPACE_PPGTT, 0xffffff0000000010, &value, 8));
	assert_int_equal(gm_mmu_take_fault(f->mmu).va, 0x0000ff0000000010);
}

static void table_may_map_itself(void **state)
{
	struct fixture *f = *state;
	const u64 self = 0x1ff;
	u64 va = self << 39 | self << 30 | self << 21 | self << 12;
	u64 value;

	*entry_at(f, f->pdp[0], self) = f->pdp[0] | RW;
	assert_true(gm_mmu_read(f->mmu, GM_SPACE_PPGTT, va | self * 8, &value, 8));
	assert_int_equal(value, f->pdp[0] | RW);
	value = DATA | RW;
	assert_true(gm_mmu_write(f->mmu, GM_SPACE_PPGTT, va | 5 * 8, &value, 8));
	assert_int_equal(*entry_at(f, f->pdp[0], 5), DATA | RW);
	*(u32 *)(f->ram + DATA + 16) = 0xabc;
	va = self << 39 | self << 30 | self << 21 | 5ull << 12;
	assert_int_equal(read32(f, GM_SPACE_PPGTT, va + 16), 0xabc);
}

static void memory_that_is_not_there(void **state)
{
	struct fixture *f = *state;
	u32 value = 1;

	*entry_of(f, 0x1000, 0) = OUTSIDE | RW;
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x1000), 0xffffffff);
	assert_true(gm_mmu_write(f->mmu, GM_SPACE_PPGTT, 0x1000, &value, 4));
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 2);
	assert_int_equal(misuse(f, GM_MISUSE_UNSCRATCHED_PTE), 0);
	*entry_of(f, 2 << 20, 1) = OUTSIDE | RW;
	expect_fault(f, GM_SPACE_PPGTT, 2 << 20, false, 0);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 3);
}

static void read_only_at_any_level(void **state)
{
	struct fixture *f = *state;
	unsigned int level;

	for (level = 0; level < 4; level++) {
		u64 va = (u64)(level + 1) << 40;
		u64 iova, contig;
		u32 value = 0x77;

		*entry_of(f, va, 0) = DATA | RW;
		*entry_of(f, va, level) &= ~GEN9_PTE_RW;
		*(u32 *)(f->ram + DATA) = 0x66;
		assert_true(gm_mmu_write(f->mmu, GM_SPACE_PPGTT, va, &value, 4));
		assert_int_equal(read32(f, GM_SPACE_PPGTT, va), 0x66);
		assert_true(gm_mmu_translate(f->mmu, GM_SPACE_PPGTT, va + 8, true, &iova, &contig));
		assert_int_equal(iova, GM_MMU_DISCARD + 8);
		assert_int_equal(contig, 4096 - 8);
		assert_true(gm_mmu_discards(iova));
		assert_true(gm_mmu_translate(f->mmu, GM_SPACE_PPGTT, va, false, &iova, &contig));
		assert_int_equal(iova, DATA);
	}
	assert_false(gm_mmu_take_fault(f->mmu).valid);
	assert_int_equal(gm_stats_misuse_total(&f->stats), 0);
}

/* Only entries 0, 16, ... count; the others hold what must not be used. */
static void pages_of_64k_use_every_16th_entry(void **state)
{
	struct fixture *f = *state;
	unsigned int i;
	u64 iova, contig;

	for (i = 0; i < 512; i++)
		*entry_of(f, i << 12, 0) = i % 16 ? 0 : (DATA + (i << 12)) | RW;
	*entry_of(f, 0, 1) |= GEN9_PDE_IPS_64K;
	for (i = 0; i < 512; i++) {
		u64 va = (i << 12) + 4 * i;

		assert_true(gm_mmu_translate(f->mmu, GM_SPACE_PPGTT, va, true, &iova, &contig));
		assert_int_equal(iova, DATA + va);
		assert_int_equal(contig, 65536 - va % 65536);
	}
	gm_mmu_set_64k(f->mmu, false);
	gm_mmu_invalidate(f->mmu);
	assert_true(gm_mmu_translate(f->mmu, GM_SPACE_PPGTT, 0xffc, true, &iova, &contig));
	assert_int_equal(contig, 4);
	expect_fault(f, GM_SPACE_PPGTT, 0x1000, false, 0);
}

static void reserved_address_bits_are_misuse(void **state)
{
	struct fixture *f = *state;

	*(u32 *)(f->ram + DATA) = 0x99;
	set_ggtt(f, 1, 1ull << 39 | DATA | GEN9_GGTT_PRESENT);
	*entry_of(f, 0x1000, 0) = 1ull << 45 | DATA | RW;
	*entry_of(f, 2 << 20, 1) = DATA | 0x1000 | RW | GEN9_PDE_PS;
	assert_int_equal(read32(f, GM_SPACE_GGTT, 0x1000), 0x99);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 1);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x1000), 0x99);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 2);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 2 << 20), 0x99);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 3);
	/* Counted when the entry is fetched, not at each use. */
	assert_int_equal(read32(f, GM_SPACE_GGTT, 0x1000), 0x99);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 3);
}

/* GVT-g keeps flags in bits 62:52 of its shadow entries: the chip ignores them. */
static void software_bits_are_ignored(void **state)
{
	const u64 flags = 0x7ffull << 52;
	struct fixture *f = *state;

	*(u32 *)(f->ram + DATA) = 0x99;
	set_ggtt(f, 1, flags | DATA | GEN9_GGTT_PRESENT);
	*entry_of(f, 0x1000, 0) = flags | DATA | RW;
	*entry_of(f, 0x1000, 1) |= flags;
	assert_int_equal(read32(f, GM_SPACE_GGTT, 0x1000), 0x99);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x1000), 0x99);
	assert_int_equal(misuse(f, GM_MISUSE_DMA_FAULT), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(wild_tables_of_four_levels),
		TEST(wild_tables_of_three_levels),
		TEST(wild_reads),
		TEST(writes_of_four_levels),
		TEST(writes_of_three_levels),
		TEST(ggtt_walks),
		TEST(small_ggtt_is_bounded),
		TEST(faults_name_the_level),
		TEST(first_fault_is_kept),
		TEST(three_levels_end_at_4g),
		TEST(four_levels_ignore_the_upper_bits),
		TEST(table_may_map_itself),
		TEST(memory_that_is_not_there),
		TEST(read_only_at_any_level),
		TEST(pages_of_64k_use_every_16th_entry),
		TEST(reserved_address_bits_are_misuse),
		TEST(software_bits_are_ignored),
	};

	return cmocka_run_group_tests_name("mmu", tests, NULL, NULL);
}
