// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hostile tables at random, against a walk of the guest's.
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

#define SPACES		12u

/**
 * struct chaos - A kind of hostile guest
 * @seed: of its randomness
 * @tables: pages that are used as tables
 * @rounds: how long
 * @limit: of pinned pages; 0: none
 * @fail_every: one of so many attempts fails; 0: none
 * @kvm: pages can be watched, in any mode
 */
struct chaos {
	unsigned int seed;
	u32 tables;
	u32 rounds;
	u32 limit;
	u32 fail_every;
	bool kvm;
};

static const struct chaos chaoses[] = {
	{ .seed = 1, .tables = 8, .rounds = 50 },
	{ .seed = 2, .tables = 8, .rounds = 50, .fail_every = 3000 },
	{ .seed = 3, .tables = 24, .rounds = 12, .limit = 1500 },
	{ .seed = 4, .tables = 40, .rounds = 5 },
	{ .seed = 5, .tables = 24, .rounds = 12, .limit = 2000, .fail_every = 2000 },
	{ .seed = 6, .tables = 8, .rounds = 30, .kvm = true },
	{ .seed = 7, .tables = 20, .rounds = 4, .kvm = true },
	{ .seed = 8, .tables = 10, .rounds = 12, .kvm = true, .fail_every = 2000 },
	{ .seed = 9, .tables = 16, .rounds = 5, .kvm = true, .limit = 2000 },
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

/* By a CPU, or by the chip, if it knows the page. */
static void store_random(const struct chaos *chaos, u32 gfn, u32 i)
{
	if (fake.known[gfn] && fake_random(2))
		ppgtt_table(gfn)[i] = random_entry(chaos);
	else
		fake_store(gfn, i, random_entry(chaos));
}

static void change_tables(const struct chaos *chaos, u32 count)
{
	u32 first, gfn, n;

	while (count--) {
		gfn = fake_random(chaos->tables);
		first = fake_random(FAKE_ENTRIES);
		for (n = fake_random(8) ? 1 : 32; n; n--)
			store_random(chaos, gfn, (first + n) % FAKE_ENTRIES);
	}
}

static void change_mode(const struct chaos *chaos)
{
	u32 first = fake_random(chaos->tables);

	if (!fake_random(20))
		gvirt_vppgtt_set_mode(&vppgtt, fake_random(GVIRT_SHADOW_MODES));
	if (!fake_random(20))
		fake_unplug(first, first + fake_random(4));
	if (!fake_random(20))
		assert_int_equal(gvirt_sources_look(&vppgtt.pool.sources, 8,
						    gvirt_shadow_differs), 0);
	if (!fake_random(50))
		gvirt_vppgtt_reclaim(&vppgtt, fake_random(20));
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
	ppgtt_take_away(first, last);
	if (fake_random(2))
		ppgtt_give_back(first, last);
	if (!fake_random(4))
		ppgtt_give_back(0, FAKE_PAGES - 1);
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
	assert_true(!err || err == -ENOMEM || err == -ENOSPC || err == -E2BIG);
	fake_walk_all();
	if (!err)
		compare(fake.ppgtt[n]);
	if (!fake_random(10))
		change_memory();
	if (chaos->kvm)
		change_mode(chaos);
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
	fake.kvm = chaos->kvm;
	shuffle_host();
	ppgtt_start();
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
	ppgtt_stop();
	fake_fini();
}

static void hostile_tables(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(chaoses); i++)
		run_chaos(&chaoses[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostile_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
