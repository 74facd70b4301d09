// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of an engine's MMU: what its caches keep, how a driver that forgot to
 * invalidate them is caught, and invalidation from other threads.
 */
#include <pthread.h>
#include <sched.h>
#include "mmu_fixture.h"

/* Two pages with known content at DATA, one PTE that points to either. */
static u64 *stale_setup(struct fixture *f, u64 va)
{
	u64 *pte = entry_of(f, va, 0);

	*(u32 *)(f->ram + DATA) = 1;
	*(u32 *)(f->ram + DATA + 4096) = 2;
	*pte = DATA | RW;
	assert_int_equal(read32(f, GM_SPACE_PPGTT, va), 1);
	return pte;
}

static void stale_until_invalidated(void **state)
{
	struct fixture *f = *state;
	u64 *pte = stale_setup(f, 0x4000);

	*pte = (DATA + 4096) | RW;
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 1);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
	gm_mmu_invalidate_ggtt(f->mmu);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 1);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 2);
	gm_mmu_invalidate(f->mmu);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 2);
	*pte = 0;
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 2);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 3);
	gm_mmu_invalidate(f->mmu);
	expect_fault(f, GM_SPACE_PPGTT, 0x4000, false, 0);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 3);
}

static void stale_ggtt(void **state)
{
	struct fixture *f = *state;

	*(u32 *)(f->ram + DATA) = 1;
	*(u32 *)(f->ram + DATA + 4096) = 2;
	set_ggtt(f, 9, DATA | GEN9_GGTT_PRESENT);
	assert_int_equal(read32(f, GM_SPACE_GGTT, 0x9000), 1);
	set_ggtt(f, 9, (DATA + 4096) | GEN9_GGTT_PRESENT);
	assert_int_equal(read32(f, GM_SPACE_GGTT, 0x9000), 1);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
	gm_mmu_invalidate_ggtt(f->mmu);
	assert_int_equal(read32(f, GM_SPACE_GGTT, 0x9000), 2);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
	assert_int_equal(counter(f, GM_COUNT_TLB_INVALIDATE), 2);
}

/* Each of the two partial invalidations leaves the other address space alone. */
static void spaces_are_invalidated_apart(void **state)
{
	struct fixture *f = *state;
	u64 *pte = stale_setup(f, 0x4000);

	set_ggtt(f, 9, DATA | GEN9_GGTT_PRESENT);
	assert_int_equal(read32(f, GM_SPACE_GGTT, 0x9000), 1);
	*pte = (DATA + 4096) | RW;
	set_ggtt(f, 9, (DATA + 4096) | GEN9_GGTT_PRESENT);

	gm_mmu_invalidate_ppgtt(f->mmu);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 2);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
	assert_int_equal(read32(f, GM_SPACE_GGTT, 0x9000), 1);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
	*pte = DATA | RW;
	gm_mmu_invalidate_ggtt(f->mmu);
	assert_int_equal(read32(f, GM_SPACE_GGTT, 0x9000), 2);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 2);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 2);
	assert_int_equal(counter(f, GM_COUNT_TLB_INVALIDATE), 3);
}

static void read_only_can_be_stale(void **state)
{
	struct fixture *f = *state;
	u64 *pte = stale_setup(f, 0x4000);
	u32 value = 5;

	*pte &= ~GEN9_PTE_RW;
	assert_true(gm_mmu_write(f->mmu, GM_SPACE_PPGTT, 0x4000, &value, 4));
	assert_int_equal(*(u32 *)(f->ram + DATA), 5);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
}

/* A PDE stays cached as well: a page never used before is found through the old table. */
static void stale_directory(void **state)
{
	struct fixture *f = *state;
	u64 old = new_table(f), new = new_table(f);

	stale_setup(f, 0x4000);
	*entry_at(f, old, 4) = DATA | RW;
	*entry_at(f, old, 5) = DATA | RW;
	*entry_at(f, new, 5) = (DATA + 4096) | RW;
	*entry_of(f, 0, 1) = old | RW;
	gm_mmu_invalidate(f->mmu);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 1);
	*entry_of(f, 0, 1) = new | RW;
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x5000), 1);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
	gm_mmu_invalidate(f->mmu);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x5000), 2);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
}

static void unused_change_is_no_misuse(void **state)
{
	struct fixture *f = *state;
	u64 *pte = stale_setup(f, 0x4000);

	*pte = (DATA + 4096) | RW;
	assert_false(gm_mmu_read(f->mmu, GM_SPACE_PPGTT, 0x5000, &(u32){ 0 }, 4));
	*entry_of(f, 0x6000, 0) = DATA | RW;
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x6000), 1);
	*pte = DATA | RW;
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 1);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
}

static void other_page_size_is_no_misuse(void **state)
{
	struct fixture *f = *state;

	stale_setup(f, 0);
	*entry_of(f, 0, 1) = DATA | RW | GEN9_PDE_PS;
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0), 1);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 0);
}

static void new_tables_need_invalidation(void **state)
{
	struct fixture *f = *state;

	stale_setup(f, 0x4000);
	f->pdp[0] = new_table(f);
	gm_mmu_set_ppgtt(f->mmu, true, f->pdp);
	*entry_of(f, 0x4000, 0) = (DATA + 4096) | RW;
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 1);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 1);
	gm_mmu_invalidate(f->mmu);
	assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 2);
}

static void stale_check_is_sampled(void **state)
{
	struct fixture *f = *state;
	u64 *pte = stale_setup(f, 0x4000);
	int i;

	*pte = (DATA + 4096) | RW;
	gm_mmu_set_stale_check(f->mmu, GM_MMU_STALE_PERIOD);
	for (i = 0; i < 10 * GM_MMU_STALE_PERIOD; i++)
		assert_int_equal(read32(f, GM_SPACE_PPGTT, 0x4000), 1);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 10);
	gm_mmu_set_stale_check(f->mmu, 0);
	for (i = 0; i < 1000; i++)
		read32(f, GM_SPACE_PPGTT, 0x4000);
	assert_int_equal(misuse(f, GM_MISUSE_STALE_TLB), 10);
}

static void hits_and_misses_are_counted(void **state)
{
	struct fixture *f = *state;
	int i;

	stale_setup(f, 0x4000);
	for (i = 0; i < 1000; i++)
		read32(f, GM_SPACE_PPGTT, 0x4000);
	gm_mmu_take_fault(f->mmu);
	assert_int_equal(counter(f, GM_COUNT_TLB_MISS), 1);
	assert_int_equal(counter(f, GM_COUNT_TLB_HIT), 1000);
}

#define SWITCHES 2000

struct switcher {
	struct fixture *f;
	_Atomic u64 *pte;
	_Atomic u32 done;
	_Atomic u32 seen;
};

static void *switch_page(void *arg)
{
	struct switcher *s = arg;
	u32 i;

	for (i = 1; i <= SWITCHES; i++) {
		atomic_store(s->pte, (DATA + (i & 1) * 4096) | RW);
		gm_mmu_invalidate(s->f->mmu);
		atomic_store(&s->done, i);
		while (atomic_load(&s->seen) != i)
			sched_yield();
	}
	return NULL;
}

/* An invalidation that returned in another thread holds for the next access in this one. */
static void invalidation_from_another_thread(void **state)
{
	struct fixture *f = *state;
	struct switcher s = { .f = f };
	u32 done = 0, value;
	pthread_t thread;

	gm_mmu_set_stale_check(f->mmu, 0);
	s.pte = (_Atomic u64 *)stale_setup(f, 0x4000);
	assert_int_equal(pthread_create(&thread, NULL, switch_page, &s), 0);
	while (done < SWITCHES) {
		done = atomic_load(&s.done);
		value = read32(f, GM_SPACE_PPGTT, 0x4000);
		if (done && done != atomic_load(&s.seen))
			assert_int_equal(value, 1 + (done & 1));
		atomic_store(&s.seen, done);
	}
	pthread_join(thread, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(stale_until_invalidated),
		TEST(stale_ggtt),
		TEST(spaces_are_invalidated_apart),
		TEST(read_only_can_be_stale),
		TEST(stale_directory),
		TEST(unused_change_is_no_misuse),
		TEST(other_page_size_is_no_misuse),
		TEST(new_tables_need_invalidation),
		TEST(stale_check_is_sampled),
		TEST(hits_and_misses_are_counted),
		TEST(invalidation_from_another_thread),
	};

	return cmocka_run_group_tests_name("mmu_stale", tests, NULL, NULL);
}
