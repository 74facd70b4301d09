// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of shadow page tables: each rule on its own, and each allocation failing once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <gvirt/gen9_pte.h>
#include <linux/array_size.h>
#include "host/guest.h"
#include "model/ppgtt.h"
#include "model/ppgtt_table.h"
#include "ppgtt_fixture.h"

/* Rules, one by one. */

static void maps_and_unmaps(void **state)
{
	(void)state;
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA);
	ppgtt_expect(GPA(6), FAKE_FAULT, 0);
	ppgtt_table(PT)[5] = GPA(DATA + 9) | GEN9_PTE_PRESENT;
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA + 9);
	assert_false(fake_shadow_walk(pp, GPA(5)).writable);
	ppgtt_table(PT)[5] = 0;
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_FAULT, 0);
}

/* What is not mapped any more stays pinned until the TLBs were invalidated, and not longer. */
static void unpins_when_trimmed(void **state)
{
	(void)state;
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	ppgtt_table(PT)[5] = 0;
	ppgtt_sync();
	assert_int_equal(fake.pins[DATA], 1);
	assert_int_equal(fake.invalidations, 0);
	gvirt_vppgtt_trim(&vppgtt);
	assert_int_equal(fake.pins[DATA], 0);
	assert_int_equal(fake.invalidations, 1);
	gvirt_vppgtt_trim(&vppgtt);
	assert_int_equal(fake.invalidations, 1);
}

static void unchanged_costs_nothing(void **state)
{
	u64 attempts, changes;

	(void)state;
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	attempts = fake.attempts;
	changes = vppgtt.pool.stats.changes;
	ppgtt_sync();
	assert_int_equal(fake.attempts, attempts);
	assert_int_equal(vppgtt.pool.stats.changes, changes);
	assert_int_equal(fake.invalidations, 0);
}

/* Calls of VFIO for a table of which entries at @step have memory in a row, from @page on. */
static u64 cost_of_table(u32 step, u32 page)
{
	u64 before = fake.pin_calls;
	u32 i;

	for (i = 0; i < GEN9_TABLE_ENTRIES; i += step)
		ppgtt_table(PT)[i] = GPA(page + i) | RW;
	ppgtt_sync();
	for (i = 0; i < GEN9_TABLE_ENTRIES; i += step)
		ppgtt_expect(GPA(i), FAKE_PAGE, page + i);
	return fake.pin_calls - before;
}

static void pins_in_runs(void **state)
{
	(void)state;
	ppgtt_sync();
	assert_int_equal(cost_of_table(1, DATA), 1);
	/* Half of it is pinned. */
	assert_int_equal(cost_of_table(1, DATA + 256), 1);
	assert_int_equal(cost_of_table(2, DATA + 1024), GEN9_TABLE_ENTRIES / 2);
}

/* Pages ahead of their users do not stay when these do not come. */
static void lets_go_of_runs(void **state)
{
	u32 i;

	(void)state;
	ppgtt_sync();
	fake.limit = fake.pinned + 100;
	for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
		ppgtt_table(PT)[i] = GPA(DATA + i) | RW;
	assert_int_equal(gvirt_ppgtt_sync(pp), -ENOMEM);
	assert_int_equal(fake.pinned_ahead, 0);
	fake.limit = FAKE_PAGES;
	ppgtt_sync();
	ppgtt_expect(GPA(511), FAKE_PAGE, DATA + 511);
}

static void keeps_large_pages(void **state)
{
	(void)state;
	ppgtt_table(PD)[1] = GPA(DATA) | PAGE_2M;
	ppgtt_sync();
	ppgtt_expect(2 << 20, FAKE_PAGE, DATA);
	ppgtt_expect((2 << 20) + GPA(511), FAKE_PAGE, DATA + 511);
	assert_int_equal(vppgtt.pool.stats.splits, 0);
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 4);
}

static void splits_large_pages(void **state)
{
	(void)state;
	fake_swap(DATA + 3, DATA + 700);
	ppgtt_table(PD)[1] = GPA(DATA) | PAGE_2M | GEN9_PTE_PCD;
	ppgtt_sync();
	ppgtt_expect((2 << 20) + GPA(3), FAKE_PAGE, DATA + 3);
	ppgtt_expect((2 << 20) + GPA(511), FAKE_PAGE, DATA + 511);
	assert_int_equal(fake_shadow_walk(pp, 2 << 20).pat, 2);
	assert_int_equal(vppgtt.pool.stats.splits, 1);
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 5);
}

static void splits_1g(void **state)
{
	(void)state;
	fake_swap(700, 701);
	ppgtt_table(PDP)[1] = PAGE_2M;
	ppgtt_sync();
	ppgtt_expect(1 << 30, FAKE_PAGE, 0);
	ppgtt_expect((1 << 30) + GPA(700), FAKE_PAGE, 700);
	ppgtt_expect((1 << 30) + GPA(FAKE_PAGES), FAKE_SCRATCH, 0);
}

static void open_64k(u32 entry)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PML4) };

	gvirt_ppgtt_put(pp);
	gvirt_vppgtt_set_64k(&vppgtt, true);
	ppgtt_open(4, pdp);
	ppgtt_table(PD)[0] |= GEN9_PDE_IPS_64K;
	ppgtt_table(PT)[entry] = GPA(DATA) | RW;
	/* Not looked at. */
	ppgtt_table(PT)[entry + 1] = GPA(DATA + 64) | RW;
}

static void keeps_64k(void **state)
{
	(void)state;
	open_64k(16);
	ppgtt_sync();
	ppgtt_expect(GPA(16 + 15), FAKE_PAGE, DATA + 15);
	assert_int_equal(vppgtt.pool.stats.splits, 0);
}

/* One that is not contiguous makes all of its table one of 4K pages, whenever it comes. */
static void splits_64k(void **state)
{
	(void)state;
	open_64k(16);
	ppgtt_sync();
	fake_swap(DATA + 33, DATA + 700);
	ppgtt_table(PT)[48] = GPA(DATA + 32) | RW;
	ppgtt_sync();
	ppgtt_expect(GPA(16 + 15), FAKE_PAGE, DATA + 15);
	ppgtt_expect(GPA(48 + 1), FAKE_PAGE, DATA + 33);
	assert_int_equal(vppgtt.pool.stats.splits, 1);
	ppgtt_table(PT)[48] = 0;
	ppgtt_sync();
	ppgtt_expect(GPA(16 + 15), FAKE_PAGE, DATA + 15);
	ppgtt_expect(GPA(48 + 1), FAKE_FAULT, 0);
}

static void ignores_64k_if_disabled(void **state)
{
	(void)state;
	ppgtt_table(PD)[0] |= GEN9_PDE_IPS_64K;
	ppgtt_table(PT)[16] = GPA(DATA) | RW;
	ppgtt_table(PT)[17] = GPA(DATA + 64) | RW;
	ppgtt_sync();
	ppgtt_expect(GPA(17), FAKE_PAGE, DATA + 64);
}

/* Present entries without memory lead to scratch on each level, others fault. */
static void outside_is_scratch(void **state)
{
	(void)state;
	ppgtt_table(PT)[5] = OUTSIDE | RW;
	ppgtt_table(PD)[1] = OUTSIDE | RW;
	ppgtt_table(PDP)[1] = OUTSIDE | RW;
	ppgtt_table(PML4)[1] = OUTSIDE | RW;
	ppgtt_table(PT)[6] = GPA(DATA) | RW | GEN9_PTE_ADDR_RESERVED;
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_SCRATCH, 0);
	ppgtt_expect(2 << 20, FAKE_SCRATCH, 0);
	ppgtt_expect(1 << 30, FAKE_SCRATCH, 0);
	ppgtt_expect(1ull << 39, FAKE_SCRATCH, 0);
	ppgtt_expect(GPA(6), FAKE_FAULT, 0);
}

static void outside_roots_are_scratch(void **state)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PD), 0, OUTSIDE, GPA(PD) };

	(void)state;
	gvirt_ppgtt_put(pp);
	ppgtt_open(3, pdp);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA);
	ppgtt_expect(1 << 30, FAKE_SCRATCH, 0);
	ppgtt_expect(2u << 30, FAKE_SCRATCH, 0);
	ppgtt_expect((3u << 30) + GPA(5), FAKE_PAGE, DATA);
	/* The page directory is there twice, its shadow is not. */
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 2);
}

/* A table of itself on all levels. */
static void self_reference(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < FAKE_ENTRIES; i++)
		ppgtt_table(PML4)[i] = GPA(PML4) | RW;
	ppgtt_sync();
	ppgtt_expect(fake_address(pp), FAKE_PAGE, PML4);
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 4);
}

/* Address spaces share what the guest shares; those without contexts go at some time. */
static void shares_and_forgets(void **state)
{
	struct gvirt_ppgtt *other;
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	u32 i;

	(void)state;
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	for (i = 0; i < 2 * GVIRT_PPGTT_IDLE; i++) {
		ppgtt_table(PML4 + 100 + i)[0] = ppgtt_table(PML4)[0];
		pdp[0] = GPA(PML4 + 100 + i);
		other = gvirt_ppgtt_get(&vppgtt, 4, pdp);
		assert_int_equal(gvirt_ppgtt_sync(other), 0);
		assert_ptr_equal(gvirt_ppgtt_get(&vppgtt, 4, pdp), other);
		gvirt_ppgtt_put(other);
		gvirt_ppgtt_put(other);
	}
	gvirt_vppgtt_trim(&vppgtt);
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 4 + GVIRT_PPGTT_IDLE);
}

static void refuses_levels(void **state)
{
	(void)state;
	assert_int_equal(PTR_ERR(gvirt_ppgtt_get(&vppgtt, 2, pp->pdp)), -EINVAL);
	assert_int_equal(PTR_ERR(gvirt_ppgtt_get(&vppgtt, 5, pp->pdp)), -EINVAL);
}

/* Address spaces that no context has, of one table each. */
static void make_idle(unsigned int count)
{
	u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { };
	struct gvirt_ppgtt *idle;
	unsigned int i;

	for (i = 0; i < count; i++) {
		pdp[0] = GPA(DATA + i);
		idle = gvirt_ppgtt_get(&vppgtt, 4, pdp);
		assert_false(IS_ERR(idle));
		assert_int_equal(gvirt_ppgtt_sync(idle), 0);
		gvirt_ppgtt_put(idle);
	}
}

/* All of the guest's pages are tables of two levels: half as many as there may be. */
static void make_thicket(u32 first)
{
	const u32 pages = FAKE_PAGES / FAKE_ENTRIES;
	u32 n, i;

	for (n = 0; n < pages; n++)
		for (i = 0; i < FAKE_ENTRIES; i++)
			ppgtt_table(first + n)[i] = GPA(n * FAKE_ENTRIES + i) | RW;
	for (i = 1; i < FAKE_ENTRIES; i++)
		ppgtt_table(PML4)[i] = GPA(first + i - 1) | RW;
}

/*
 * More tables than there may be: this fails, after they were built twice at most. What was
 * there stays, and comes back to work.
 */
static void too_many_tables(void **state)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PML4) };
	struct gvirt_ppgtt *more;
	unsigned int i;
	u64 compares;

	(void)state;
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	make_thicket(DATA);
	ppgtt_sync();
	make_idle(64);
	/* Of all that there is, another shadow. */
	gvirt_vppgtt_set_64k(&vppgtt, true);
	more = gvirt_ppgtt_get(&vppgtt, 4, pdp);
	assert_false(IS_ERR(more));
	compares = vppgtt.pool.stats.compares;
	assert_int_equal(gvirt_ppgtt_sync(more), -ENOSPC);
	assert_true(vppgtt.pool.stats.compares - compares <= 2 * GVIRT_SHADOW_TABLES);
	assert_int_equal(vppgtt.pool.stats.reclaims, 64);
	assert_true(gvirt_vppgtt_pages(&vppgtt) <= GVIRT_SHADOW_TABLES);
	fake_walk_all();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA);
	for (i = 1; i < FAKE_ENTRIES; i++)
		ppgtt_table(PML4)[i] = 0;
	ppgtt_sync();
	assert_int_equal(gvirt_ppgtt_sync(more), 0);
	gvirt_ppgtt_put(more);
	gvirt_vppgtt_reclaim(&vppgtt, ~0u);
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 4);
}

/* A few entries that lead to hundreds of GiB of no memory: each page would be asked for. */
static void too_much_absent(void **state)
{
	unsigned int i;

	(void)state;
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	for (i = 1; i < FAKE_ENTRIES; i++)
		ppgtt_table(PDP)[i] = ((u64)i << 30) | PAGE_2M;
	assert_int_equal(gvirt_ppgtt_sync(pp), -E2BIG);
	/* Large pages are asked for as a whole first. */
	assert_true(fake.absent <= GVIRT_SHADOW_ABSENT + GVIRT_SHADOW_ABSENT / 256);
	fake_walk_all();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA);
	for (i = 1; i < FAKE_ENTRIES; i++)
		ppgtt_table(PDP)[i] = 0;
	ppgtt_sync();
	gvirt_vppgtt_trim(&vppgtt);
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 4);
}

/* F2: the limit of pinned memory. */
static void pin_limit(void **state)
{
	unsigned int i;

	(void)state;
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	fake.limit = fake.pinned + 8;
	for (i = 0; i < 32; i++)
		ppgtt_table(PT)[i] = GPA(DATA + 64 + i) | RW;
	assert_int_equal(gvirt_ppgtt_sync(pp), -ENOMEM);
	fake_walk_all();
	ppgtt_expect(GPA(31), FAKE_FAULT, 0);
	fake.limit = ~0u;
	ppgtt_sync();
	ppgtt_expect(GPA(31), FAKE_PAGE, DATA + 64 + 31);
}

/* Pages that are only stale are given up before a sync fails. */
static void pin_limit_drains(void **state)
{
	(void)state;
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	fake.limit = fake.pinned;
	ppgtt_table(PT)[5] = 0;
	ppgtt_sync();
	ppgtt_table(PT)[5] = GPA(DATA + 1) | RW;
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA + 1);
	assert_int_equal(fake.pins[DATA], 0);
}

/* Memory goes away. */

static void revokes_pages(void **state)
{
	(void)state;
	ppgtt_table(PT)[5] = GPA(DATA + 600) | RW;
	ppgtt_table(PT)[6] = GPA(DATA + 601) | RW;
	ppgtt_table(PD)[1] = GPA(DATA) | PAGE_2M;
	ppgtt_sync();
	ppgtt_take_away(DATA + 100, DATA + 600);
	ppgtt_expect(GPA(5), FAKE_SCRATCH, 0);
	ppgtt_expect(GPA(6), FAKE_PAGE, DATA + 601);
	ppgtt_expect(2 << 20, FAKE_SCRATCH, 0);
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_SCRATCH, 0);
	ppgtt_expect(2 << 20, FAKE_PAGE, DATA);
	ppgtt_expect((2 << 20) + GPA(100), FAKE_SCRATCH, 0);
	ppgtt_give_back(DATA + 100, DATA + 600);
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA + 600);
	ppgtt_expect((2 << 20) + GPA(100), FAKE_PAGE, DATA + 100);
}

static void revokes_64k(void **state)
{
	(void)state;
	open_64k(16);
	ppgtt_sync();
	ppgtt_take_away(DATA + 3, DATA + 3);
	ppgtt_expect(GPA(16), FAKE_FAULT, 0);
	ppgtt_sync();
	ppgtt_expect(GPA(16), FAKE_PAGE, DATA);
	ppgtt_expect(GPA(16 + 3), FAKE_SCRATCH, 0);
	ppgtt_give_back(DATA + 3, DATA + 3);
	ppgtt_sync();
	ppgtt_expect(GPA(16 + 3), FAKE_PAGE, DATA + 3);
}

static void revokes_tables(void **state)
{
	(void)state;
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	ppgtt_take_away(PT, PT);
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_SCRATCH, 0);
	ppgtt_take_away(PML4, PML4);
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_SCRATCH, 0);
	ppgtt_give_back(PML4, PT);
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA);
}

/* Failures: each allocation and each pin fails once (F4). */

static void build_all_kinds(void)
{
	unsigned int i;

	gvirt_vppgtt_set_64k(&vppgtt, true);
	fake_swap(DATA + 3, DATA + 1700);
	fake_swap(DATA + 520, DATA + 1701);
	for (i = 0; i < 64; i++)
		ppgtt_table(PT)[i] = GPA(DATA + 512 + i) | RW;
	ppgtt_table(PD)[0] = GPA(PT) | RW;
	ppgtt_table(PD)[1] = GPA(DATA) | PAGE_2M;
	ppgtt_table(PD)[2] = GPA(DATA + 1024) | PAGE_2M;
	ppgtt_table(PD)[3] = GPA(PT) | RW | GEN9_PDE_IPS_64K;
	ppgtt_table(PD)[4] = GPA(PT + 1) | RW | GEN9_PDE_IPS_64K;
	ppgtt_table(PT + 1)[32] = GPA(DATA + 2048) | RW;
	ppgtt_table(PDP)[0] = GPA(PD) | RW;
	ppgtt_table(PML4)[0] = GPA(PDP) | RW;
}

static void reopen(void)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PML4) };

	gvirt_ppgtt_put(pp);
	fake.ppgtt[0] = NULL;
	gvirt_vppgtt_reset(&vppgtt);
	gvirt_vppgtt_set_64k(&vppgtt, true);
	ppgtt_open(4, pdp);
}

static void each_failure(void **state)
{
	unsigned int n;
	u64 at;
	int err;

	(void)state;
	build_all_kinds();
	for (n = 1, at = 0; fake.attempts >= at; n += 17) {
		reopen();
		at = fake.attempts + n;
		fake.fail_at = at;
		err = gvirt_ppgtt_sync(pp);
		fake.fail_at = 0;
		assert_true(!err || err == -ENOMEM);
		fake_walk_all();
		/* What follows adds attempts, and is not what was to fail. */
		if (fake.attempts < at)
			break;
		ppgtt_sync();
		ppgtt_expect((2 << 20) + GPA(3), FAKE_PAGE, DATA + 3);
		ppgtt_expect(GPA(63), FAKE_PAGE, DATA + 512 + 63);
		ppgtt_expect((8 << 20) + GPA(33), FAKE_PAGE, DATA + 2048 + 1);
	}
	assert_true(n > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(maps_and_unmaps),
		RULE(unpins_when_trimmed),
		RULE(unchanged_costs_nothing),
		RULE(pins_in_runs),
		RULE(lets_go_of_runs),
		RULE(keeps_large_pages),
		RULE(splits_large_pages),
		RULE(splits_1g),
		RULE(keeps_64k),
		RULE(splits_64k),
		RULE(ignores_64k_if_disabled),
		RULE(outside_is_scratch),
		RULE(outside_roots_are_scratch),
		RULE(self_reference),
		RULE(shares_and_forgets),
		RULE(refuses_levels),
		RULE(too_many_tables),
		RULE(too_much_absent),
		RULE(pin_limit),
		RULE(pin_limit_drains),
		RULE(revokes_pages),
		RULE(revokes_64k),
		RULE(revokes_tables),
		RULE(each_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
