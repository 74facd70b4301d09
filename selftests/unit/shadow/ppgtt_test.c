// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of shadow page tables: each rule on its own, each allocation failing once, and
 * hostile tables at random against a walk of the guest's.
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
#include "fake.h"

#define RW		(GEN9_PTE_PRESENT | GEN9_PTE_RW)
#define PAGE_2M		(RW | GEN9_PDE_PS)
#define GPA(gfn)	((u64)(gfn) << PAGE_SHIFT)

/* Pages of the guest: tables, by their place from the top, and memory that they map. */
#define PML4		16u
#define PDP		17u
#define PD		18u
#define PT		19u
#define DATA		1024u	/* a multiple of 512 */
#define OUTSIDE		GPA(FAKE_PAGES + 7)

static struct gvirt_vppgtt vppgtt;
static struct gvirt_guest guest;
static struct gvirt_ppgtt *pp;

static void invalidate(void *data)
{
	assert_ptr_equal(data, &vppgtt);
	fake_forget();
}

static const struct gvirt_shadow_services services = { .invalidate = invalidate };

static u64 *table(u32 gfn)
{
	return fake.memory[gfn];
}

static void start(void)
{
	assert_int_equal(gvirt_vppgtt_init(&vppgtt, &guest, &services, &vppgtt), 0);
	fake.scratch = vppgtt.pool.scratch.page_dma;
}

static void open_space(unsigned int levels, const u64 *pdp)
{
	pp = gvirt_ppgtt_get(&vppgtt, levels, pdp);
	assert_false(IS_ERR(pp));
	fake.ppgtt[0] = pp;
}

/* Four levels, of which one path leads to an empty page table. */
static int setup(void **state)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PML4) };

	(void)state;
	fake_init();
	fake_seed(1);
	start();
	table(PML4)[0] = GPA(PDP) | RW;
	table(PDP)[0] = GPA(PD) | RW;
	table(PD)[0] = GPA(PT) | RW;
	open_space(4, pdp);
	return 0;
}

static void stop(void)
{
	if (pp)
		gvirt_ppgtt_put(pp);
	pp = NULL;
	fake.ppgtt[0] = NULL;
	gvirt_vppgtt_reset(&vppgtt);
	assert_int_equal(fake.pinned, 0);
	gvirt_vppgtt_fini(&vppgtt);
}

static int teardown(void **state)
{
	(void)state;
	stop();
	fake_fini();
	return 0;
}

static void sync(void)
{
	assert_int_equal(gvirt_ppgtt_sync(pp), 0);
	fake_walk_all();
}

static void expect(u64 va, enum fake_kind kind, u32 gfn)
{
	const struct fake_target to = fake_shadow_walk(pp, va);

	assert_int_equal(to.kind, kind);
	if (kind == FAKE_PAGE)
		assert_int_equal(to.gfn, gfn);
}

/* Rules, one by one. */

static void maps_and_unmaps(void **state)
{
	(void)state;
	table(PT)[5] = GPA(DATA) | RW;
	sync();
	expect(GPA(5), FAKE_PAGE, DATA);
	expect(GPA(6), FAKE_FAULT, 0);
	table(PT)[5] = GPA(DATA + 9) | GEN9_PTE_PRESENT;
	sync();
	expect(GPA(5), FAKE_PAGE, DATA + 9);
	assert_false(fake_shadow_walk(pp, GPA(5)).writable);
	table(PT)[5] = 0;
	sync();
	expect(GPA(5), FAKE_FAULT, 0);
}

/* What is not mapped any more stays pinned until the TLBs were invalidated, and not longer. */
static void unpins_when_trimmed(void **state)
{
	(void)state;
	table(PT)[5] = GPA(DATA) | RW;
	sync();
	table(PT)[5] = 0;
	sync();
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
	table(PT)[5] = GPA(DATA) | RW;
	sync();
	attempts = fake.attempts;
	changes = vppgtt.pool.stats.changes;
	sync();
	assert_int_equal(fake.attempts, attempts);
	assert_int_equal(vppgtt.pool.stats.changes, changes);
	assert_int_equal(fake.invalidations, 0);
}

static void keeps_large_pages(void **state)
{
	(void)state;
	table(PD)[1] = GPA(DATA) | PAGE_2M;
	sync();
	expect(2 << 20, FAKE_PAGE, DATA);
	expect((2 << 20) + GPA(511), FAKE_PAGE, DATA + 511);
	assert_int_equal(vppgtt.pool.stats.splits, 0);
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 4);
}

static void splits_large_pages(void **state)
{
	(void)state;
	fake_swap(DATA + 3, DATA + 700);
	table(PD)[1] = GPA(DATA) | PAGE_2M | GEN9_PTE_PCD;
	sync();
	expect((2 << 20) + GPA(3), FAKE_PAGE, DATA + 3);
	expect((2 << 20) + GPA(511), FAKE_PAGE, DATA + 511);
	assert_int_equal(fake_shadow_walk(pp, 2 << 20).pat, 2);
	assert_int_equal(vppgtt.pool.stats.splits, 1);
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 5);
}

static void splits_1g(void **state)
{
	(void)state;
	fake_swap(700, 701);
	table(PDP)[1] = PAGE_2M;
	sync();
	expect(1 << 30, FAKE_PAGE, 0);
	expect((1 << 30) + GPA(700), FAKE_PAGE, 700);
	expect((1 << 30) + GPA(FAKE_PAGES), FAKE_SCRATCH, 0);
}

static void open_64k(u32 entry)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PML4) };

	gvirt_ppgtt_put(pp);
	gvirt_vppgtt_set_64k(&vppgtt, true);
	open_space(4, pdp);
	table(PD)[0] |= GEN9_PDE_IPS_64K;
	table(PT)[entry] = GPA(DATA) | RW;
	/* Not looked at. */
	table(PT)[entry + 1] = GPA(DATA + 64) | RW;
}

static void keeps_64k(void **state)
{
	(void)state;
	open_64k(16);
	sync();
	expect(GPA(16 + 15), FAKE_PAGE, DATA + 15);
	assert_int_equal(vppgtt.pool.stats.splits, 0);
}

/* One that is not contiguous makes all of its table one of 4K pages, whenever it comes. */
static void splits_64k(void **state)
{
	(void)state;
	open_64k(16);
	sync();
	fake_swap(DATA + 33, DATA + 700);
	table(PT)[48] = GPA(DATA + 32) | RW;
	sync();
	expect(GPA(16 + 15), FAKE_PAGE, DATA + 15);
	expect(GPA(48 + 1), FAKE_PAGE, DATA + 33);
	assert_int_equal(vppgtt.pool.stats.splits, 1);
	table(PT)[48] = 0;
	sync();
	expect(GPA(16 + 15), FAKE_PAGE, DATA + 15);
	expect(GPA(48 + 1), FAKE_FAULT, 0);
}

static void ignores_64k_if_disabled(void **state)
{
	(void)state;
	table(PD)[0] |= GEN9_PDE_IPS_64K;
	table(PT)[16] = GPA(DATA) | RW;
	table(PT)[17] = GPA(DATA + 64) | RW;
	sync();
	expect(GPA(17), FAKE_PAGE, DATA + 64);
}

/* Present entries without memory lead to scratch on each level, others fault. */
static void outside_is_scratch(void **state)
{
	(void)state;
	table(PT)[5] = OUTSIDE | RW;
	table(PD)[1] = OUTSIDE | RW;
	table(PDP)[1] = OUTSIDE | RW;
	table(PML4)[1] = OUTSIDE | RW;
	table(PT)[6] = GPA(DATA) | RW | GEN9_PTE_ADDR_RESERVED;
	sync();
	expect(GPA(5), FAKE_SCRATCH, 0);
	expect(2 << 20, FAKE_SCRATCH, 0);
	expect(1 << 30, FAKE_SCRATCH, 0);
	expect(1ull << 39, FAKE_SCRATCH, 0);
	expect(GPA(6), FAKE_FAULT, 0);
}

static void outside_roots_are_scratch(void **state)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PD), 0, OUTSIDE, GPA(PD) };

	(void)state;
	gvirt_ppgtt_put(pp);
	open_space(3, pdp);
	table(PT)[5] = GPA(DATA) | RW;
	sync();
	expect(GPA(5), FAKE_PAGE, DATA);
	expect(1 << 30, FAKE_SCRATCH, 0);
	expect(2u << 30, FAKE_SCRATCH, 0);
	expect((3u << 30) + GPA(5), FAKE_PAGE, DATA);
	/* The page directory is there twice, its shadow is not. */
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 2);
}

/* A table of itself on all levels. */
static void self_reference(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < FAKE_ENTRIES; i++)
		table(PML4)[i] = GPA(PML4) | RW;
	sync();
	expect(fake_address(pp), FAKE_PAGE, PML4);
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 4);
}

/* Address spaces share what the guest shares; those without contexts go at some time. */
static void shares_and_forgets(void **state)
{
	struct gvirt_ppgtt *other;
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	u32 i;

	(void)state;
	table(PT)[5] = GPA(DATA) | RW;
	sync();
	for (i = 0; i < 2 * GVIRT_PPGTT_IDLE; i++) {
		table(PML4 + 100 + i)[0] = table(PML4)[0];
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

/* More tables than there may be: this fails, what was there stays, and comes back to work. */
static void too_many_tables(void **state)
{
	unsigned int i;

	(void)state;
	table(PT)[5] = GPA(DATA) | RW;
	sync();
	for (i = 1; i < FAKE_ENTRIES; i++)
		table(PDP)[i] = ((u64)i << 30) | PAGE_2M;
	assert_int_equal(gvirt_ppgtt_sync(pp), -ENOSPC);
	fake_walk_all();
	assert_true(gvirt_vppgtt_pages(&vppgtt) <= GVIRT_SHADOW_TABLES);
	expect(GPA(5), FAKE_PAGE, DATA);
	for (i = 1; i < FAKE_ENTRIES; i++)
		table(PDP)[i] = 0;
	sync();
	gvirt_vppgtt_trim(&vppgtt);
	assert_int_equal(gvirt_vppgtt_pages(&vppgtt), 4);
}

/* F2: the limit of pinned memory. */
static void pin_limit(void **state)
{
	unsigned int i;

	(void)state;
	table(PT)[5] = GPA(DATA) | RW;
	sync();
	fake.limit = fake.pinned + 8;
	for (i = 0; i < 32; i++)
		table(PT)[i] = GPA(DATA + 64 + i) | RW;
	assert_int_equal(gvirt_ppgtt_sync(pp), -ENOMEM);
	fake_walk_all();
	expect(GPA(31), FAKE_FAULT, 0);
	fake.limit = ~0u;
	sync();
	expect(GPA(31), FAKE_PAGE, DATA + 64 + 31);
}

/* Pages that are only stale are given up before a sync fails. */
static void pin_limit_drains(void **state)
{
	(void)state;
	table(PT)[5] = GPA(DATA) | RW;
	sync();
	fake.limit = fake.pinned;
	table(PT)[5] = 0;
	sync();
	table(PT)[5] = GPA(DATA + 1) | RW;
	sync();
	expect(GPA(5), FAKE_PAGE, DATA + 1);
	assert_int_equal(fake.pins[DATA], 0);
}

/* Memory goes away. */

static void take_away(u32 first, u32 last)
{
	u32 i;

	for (i = first; i <= last; i++)
		fake.ram[i] = false;
	gvirt_vppgtt_revoke(&vppgtt, first, last);
	for (i = first; i <= last; i++)
		assert_int_equal(fake.pins[i], 0);
	fake_walk_all();
}

static void give_back(u32 first, u32 last)
{
	u32 i;

	for (i = first; i <= last; i++)
		fake.ram[i] = true;
}

static void revokes_pages(void **state)
{
	(void)state;
	table(PT)[5] = GPA(DATA + 600) | RW;
	table(PT)[6] = GPA(DATA + 601) | RW;
	table(PD)[1] = GPA(DATA) | PAGE_2M;
	sync();
	take_away(DATA + 100, DATA + 600);
	expect(GPA(5), FAKE_SCRATCH, 0);
	expect(GPA(6), FAKE_PAGE, DATA + 601);
	expect(2 << 20, FAKE_SCRATCH, 0);
	sync();
	expect(GPA(5), FAKE_SCRATCH, 0);
	expect(2 << 20, FAKE_PAGE, DATA);
	expect((2 << 20) + GPA(100), FAKE_SCRATCH, 0);
	give_back(DATA + 100, DATA + 600);
	sync();
	expect(GPA(5), FAKE_PAGE, DATA + 600);
	expect((2 << 20) + GPA(100), FAKE_PAGE, DATA + 100);
}

static void revokes_64k(void **state)
{
	(void)state;
	open_64k(16);
	sync();
	take_away(DATA + 3, DATA + 3);
	expect(GPA(16), FAKE_FAULT, 0);
	sync();
	expect(GPA(16), FAKE_PAGE, DATA);
	expect(GPA(16 + 3), FAKE_SCRATCH, 0);
	give_back(DATA + 3, DATA + 3);
	sync();
	expect(GPA(16 + 3), FAKE_PAGE, DATA + 3);
}

static void revokes_tables(void **state)
{
	(void)state;
	table(PT)[5] = GPA(DATA) | RW;
	sync();
	take_away(PT, PT);
	sync();
	expect(GPA(5), FAKE_SCRATCH, 0);
	take_away(PML4, PML4);
	sync();
	expect(GPA(5), FAKE_SCRATCH, 0);
	give_back(PML4, PT);
	sync();
	expect(GPA(5), FAKE_PAGE, DATA);
}

/* Failures: each allocation and each pin fails once (F4). */

static void build_all_kinds(void)
{
	unsigned int i;

	gvirt_vppgtt_set_64k(&vppgtt, true);
	fake_swap(DATA + 3, DATA + 1700);
	fake_swap(DATA + 520, DATA + 1701);
	for (i = 0; i < 64; i++)
		table(PT)[i] = GPA(DATA + 512 + i) | RW;
	table(PD)[0] = GPA(PT) | RW;
	table(PD)[1] = GPA(DATA) | PAGE_2M;
	table(PD)[2] = GPA(DATA + 1024) | PAGE_2M;
	table(PD)[3] = GPA(PT) | RW | GEN9_PDE_IPS_64K;
	table(PD)[4] = GPA(PT + 1) | RW | GEN9_PDE_IPS_64K;
	table(PT + 1)[32] = GPA(DATA + 2048) | RW;
	table(PDP)[0] = GPA(PD) | RW;
	table(PML4)[0] = GPA(PDP) | RW;
}

static void reopen(void)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PML4) };

	gvirt_ppgtt_put(pp);
	fake.ppgtt[0] = NULL;
	gvirt_vppgtt_reset(&vppgtt);
	gvirt_vppgtt_set_64k(&vppgtt, true);
	open_space(4, pdp);
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
		sync();
		expect((2 << 20) + GPA(3), FAKE_PAGE, DATA + 3);
		expect(GPA(63), FAKE_PAGE, DATA + 512 + 63);
		expect((8 << 20) + GPA(33), FAKE_PAGE, DATA + 2048 + 1);
	}
	assert_true(n > 1000);
}

/* Hostile tables, at random. */

#define SPACES		12u

/**
 * struct chaos - A kind of hostile guest
 * @seed: of its randomness
 * @tables: pages that are used as tables
 * @rounds: how long
 * @limit: of pinned pages; 0: none
 * @fail_every: one of so many attempts fails; 0: none
 */
struct chaos {
	unsigned int seed;
	u32 tables;
	u32 rounds;
	u32 limit;
	u32 fail_every;
};

static const struct chaos chaoses[] = {
	{ .seed = 1, .tables = 8, .rounds = 100 },
	{ .seed = 2, .tables = 8, .rounds = 100, .fail_every = 3000 },
	{ .seed = 3, .tables = 24, .rounds = 25, .limit = 1500 },
	{ .seed = 4, .tables = 40, .rounds = 10 },
	{ .seed = 5, .tables = 24, .rounds = 25, .limit = 2000, .fail_every = 2000 },
};

static u64 random_entry(const struct chaos *chaos)
{
	u64 entry = GPA(fake_random(2) ? fake_random(chaos->tables) : fake_random(FAKE_PAGES));

	if (!fake_random(4))
		return 0;
	if (!fake_random(20))
		entry = GPA(fake_random(8 * FAKE_PAGES));
	if (!fake_random(3))
		entry &= ~((1ull << (fake_random(2) ? 16 : 21)) - 1);
	entry |= fake_random(0x20) | GEN9_PTE_PRESENT;
	entry |= fake_random(40) ? 0 : GEN9_PDE_PS;
	entry |= fake_random(4) ? 0 : GEN9_PDE_IPS_64K;
	entry |= fake_random(30) ? 0 : GEN9_PDE_PAT_LARGE;
	entry |= fake_random(30) ? 0 : 1ull << (39 + fake_random(24));
	return entry;
}

static void change_tables(const struct chaos *chaos, u32 count)
{
	u32 first, n;
	u64 *where;

	while (count--) {
		where = table(fake_random(chaos->tables));
		first = fake_random(FAKE_ENTRIES);
		for (n = fake_random(8) ? 1 : 32; n; n--)
			where[(first + n) % FAKE_ENTRIES] = random_entry(chaos);
	}
}

static void change_spaces(const struct chaos *chaos, u32 n)
{
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	unsigned int i;

	if (fake.ppgtt[n] && fake_random(4))
		return;
	if (fake.ppgtt[n])
		gvirt_ppgtt_put(fake.ppgtt[n]);
	fake.ppgtt[n] = NULL;
	if (!fake_random(8))
		gvirt_vppgtt_set_64k(&vppgtt, fake_random(2));
	for (i = 0; i < ARRAY_SIZE(pdp); i++)
		pdp[i] = GPA(fake_random(fake_random(10) ? chaos->tables : 2 * FAKE_PAGES));
	fake.ppgtt[n] = gvirt_ppgtt_get(&vppgtt, 3 + fake_random(2), pdp);
	assert_false(IS_ERR(fake.ppgtt[n]));
}

static void compare(const struct gvirt_ppgtt *space)
{
	struct fake_target want, got;
	unsigned int n;
	u64 va;

	for (n = 0; n < 500; n++) {
		va = fake_address(space);
		want = fake_guest_walk(space, va);
		got = fake_shadow_walk(space, va);
		/* The sync has more to try than its budget allows. */
		if (got.kind == FAKE_SCRATCH && !vppgtt.pool.retries)
			continue;
		assert_int_equal(got.kind, want.kind);
		if (want.kind != FAKE_PAGE)
			continue;
		assert_int_equal(got.gfn, want.gfn);
		assert_int_equal(got.writable, want.writable);
		assert_int_equal(got.pat, want.pat);
	}
}

static void change_memory(void)
{
	u32 first = fake_random(FAKE_PAGES);
	u32 last = first + fake_random(fake_random(2) ? 16 : 2048);

	if (last >= FAKE_PAGES)
		last = FAKE_PAGES - 1;
	take_away(first, last);
	if (fake_random(2))
		give_back(first, last);
	if (!fake_random(4))
		give_back(0, FAKE_PAGES - 1);
}

static void change_and_sync(const struct chaos *chaos)
{
	u32 n = fake_random(SPACES);
	int err;

	change_tables(chaos, fake_random(4) ? fake_random(4) : fake_random(200));
	fake.fail_every = 0;
	change_spaces(chaos, n);
	fake.fail_every = chaos->fail_every;
	err = gvirt_ppgtt_sync(fake.ppgtt[n]);
	assert_true(!err || err == -ENOMEM || err == -ENOSPC);
	fake_walk_all();
	if (!err)
		compare(fake.ppgtt[n]);
	if (!fake_random(10))
		change_memory();
}

static void shuffle_host(void)
{
	u32 n, block;

	for (n = 0; n < 60; n++) {
		block = fake_random(FAKE_PAGES / 1024) * 1024;
		fake_swap(block + fake_random(512), block + fake_random(512));
	}
}

static void run_chaos(const struct chaos *chaos)
{
	u32 n;

	fake_init();
	fake_seed(chaos->seed);
	shuffle_host();
	start();
	change_tables(chaos, 50 * chaos->tables);
	if (chaos->limit)
		fake.limit = chaos->limit;
	for (n = 0; n < chaos->rounds; n++)
		change_and_sync(chaos);
	fake.fail_every = 0;
	for (n = 0; n < SPACES; n++)
		if (fake.ppgtt[n])
			gvirt_ppgtt_put(fake.ppgtt[n]);
	memset(fake.ppgtt, 0, sizeof(fake.ppgtt));
	stop();
	fake_fini();
}

static void hostile_tables(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(chaoses); i++)
		run_chaos(&chaoses[i]);
}

#define RULE(test)	cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(maps_and_unmaps),
		RULE(unpins_when_trimmed),
		RULE(unchanged_costs_nothing),
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
		RULE(pin_limit),
		RULE(pin_limit_drains),
		RULE(revokes_pages),
		RULE(revokes_64k),
		RULE(revokes_tables),
		RULE(each_failure),
		cmocka_unit_test(hostile_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
