// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of how shadow page tables follow the guest's when KVM can watch them: what each mode
 * costs, and what has to hold in all of them.
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

/* Following the guest's tables. */

#define FIRST_PT	1800u	/* tables of the large address space */
#define GIB		512u	/* tables for one */

static void start_with_kvm(enum gvirt_shadow_mode mode)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PML4) };

	ppgtt_stop();
	fake.kvm = true;
	ppgtt_start();
	gvirt_vppgtt_set_mode(&vppgtt, mode);
	ppgtt_open(4, pdp);
}

static u64 compares(void)
{
	return vppgtt.pool.stats.compares;
}

static u32 guarded(void)
{
	return vppgtt.pool.sources.guarded;
}

static void sync_often(void)
{
	unsigned int n;

	for (n = 0; n < 2 * GVIRT_TEMPER_PATIENCE_MIN; n++)
		ppgtt_sync();
}

/* Whatever is stored, the chip sees at once. */
static void strict_mirrors(void **state)
{
	u64 before;

	(void)state;
	start_with_kvm(GVIRT_SHADOW_STRICT);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	assert_int_equal(guarded(), 4);
	before = compares();
	fake_store(PT, 6, GPA(DATA + 1) | RW);
	ppgtt_expect(GPA(6), FAKE_PAGE, DATA + 1);
	fake_store(PT, 5, 0);
	ppgtt_expect(GPA(5), FAKE_FAULT, 0);
	ppgtt_table(PT + 1)[5] = GPA(DATA + 2) | RW;
	fake_store(PD, 1, GPA(PT + 1) | RW);
	ppgtt_expect((2 << 20) + GPA(5), FAKE_PAGE, DATA + 2);
	assert_int_equal(guarded(), 5);
	fake_store(PD, 1, 0);
	assert_int_equal(guarded(), 4);
	assert_int_equal(fake.exits, 4);
	before = compares();
	ppgtt_sync();
	/* What was stored to is looked at once more. */
	assert_true(compares() - before <= 2);
	before = compares();
	ppgtt_sync();
	assert_int_equal(compares(), before);
}

/* F6: one exit for a burst; then the page is compared until it is quiet again. */
static void adaptive_bursts(void **state)
{
	unsigned int i;
	u64 before;

	(void)state;
	start_with_kvm(GVIRT_SHADOW_ADAPTIVE);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	sync_often();
	assert_int_equal(guarded(), 4);
	before = compares();
	ppgtt_sync();
	assert_int_equal(compares(), before);
	for (i = 0; i < FAKE_ENTRIES; i++)
		fake_store(PT, i, GPA(DATA + i) | RW);
	assert_int_equal(fake.exits, 1);
	ppgtt_sync();
	assert_int_equal(compares(), before + 1);
	assert_int_equal(guarded(), 3);
	ppgtt_expect(GPA(511), FAKE_PAGE, DATA + 511);
	for (i = 0; i < 4 * GVIRT_TEMPER_PATIENCE_MIN; i++)
		ppgtt_sync();
	assert_int_equal(guarded(), 4);
	before = compares();
	ppgtt_sync();
	assert_int_equal(compares(), before);
}

/* A page that changes all the time costs no exits in the end. */
static void adaptive_learns(void **state)
{
	unsigned int n;
	u64 before = 0;

	(void)state;
	start_with_kvm(GVIRT_SHADOW_ADAPTIVE);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	sync_often();
	for (n = 0; n < 2000; n++) {
		if (n == 1000)
			before = fake.exits;
		if (!(n % 4))
			fake_store(PT, 6, GPA(DATA + n % 64) | RW);
		assert_int_equal(gvirt_ppgtt_sync(pp), 0);
	}
	assert_true(fake.exits < 12);
	assert_int_equal(fake.exits, before);
}

static void map_gib(u32 pd)
{
	u32 pt = FIRST_PT + pd * GIB;
	unsigned int i;

	ppgtt_table(PDP)[pd] = GPA(PD + pd) | RW;
	for (i = 0; i < GIB; i++) {
		ppgtt_table(PD + pd)[i] = GPA(pt + i) | RW;
		ppgtt_table(pt + i)[i] = GPA(DATA + i) | RW;
	}
}

/* An unchanged address space of 4 GiB costs no comparison; one table that changes, one. */
static void unchanged_is_free(enum gvirt_shadow_mode mode)
{
	u64 before;
	u32 pd;

	start_with_kvm(mode);
	for (pd = 0; pd < 4; pd++)
		map_gib(pd);
	sync_often();
	assert_int_equal(guarded(), 2 + 4 + 4 * GIB);
	before = compares();
	assert_int_equal(gvirt_ppgtt_sync(pp), 0);
	assert_int_equal(compares(), before);
	fake_store(FIRST_PT + 700, 3, GPA(DATA + 600) | RW);
	ppgtt_sync();
	assert_int_equal(compares(), before + 1);
	ppgtt_expect((700ull << 21) + GPA(3), FAKE_PAGE, DATA + 600);
	assert_int_equal(vppgtt.pool.stats.walks, 0);
}

static void adaptive_unchanged(void **state)
{
	(void)state;
	unchanged_is_free(GVIRT_SHADOW_ADAPTIVE);
}

static void strict_unchanged(void **state)
{
	(void)state;
	unchanged_is_free(GVIRT_SHADOW_STRICT);
}

static void async_compares(void **state)
{
	u64 before;

	(void)state;
	start_with_kvm(GVIRT_SHADOW_ASYNC);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	sync_often();
	assert_int_equal(guarded(), 0);
	before = compares();
	ppgtt_sync();
	assert_int_equal(compares(), before + 4);
}

static void mode_switches(void **state)
{
	static const enum gvirt_shadow_mode modes[] = {
		GVIRT_SHADOW_STRICT, GVIRT_SHADOW_ASYNC, GVIRT_SHADOW_ADAPTIVE,
		GVIRT_SHADOW_ASYNC, GVIRT_SHADOW_STRICT, GVIRT_SHADOW_ADAPTIVE,
		GVIRT_SHADOW_STRICT,
	};
	unsigned int i;

	(void)state;
	start_with_kvm(GVIRT_SHADOW_ADAPTIVE);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	sync_often();
	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		fake_store(PT, 7, GPA(DATA + i) | RW);
		gvirt_vppgtt_set_mode(&vppgtt, modes[i]);
		fake_store(PT, 8, GPA(DATA + 32 + i) | RW);
		ppgtt_sync();
		ppgtt_expect(GPA(7), FAKE_PAGE, DATA + i);
		ppgtt_expect(GPA(8), FAKE_PAGE, DATA + 32 + i);
		if (modes[i] == GVIRT_SHADOW_ASYNC)
			assert_int_equal(guarded(), 0);
	}
	assert_int_equal(guarded(), 4);
}

/* Two address spaces with one page table: each sees what changed, whoever comes first. */
static void sharing_is_followed(void **state)
{
	const u64 pdp[GEN9_PPGTT_3LVL_PDPS] = { GPA(PML4 + 100) };
	struct gvirt_ppgtt *other;

	(void)state;
	start_with_kvm(GVIRT_SHADOW_ADAPTIVE);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	sync_often();
	ppgtt_table(PML4 + 100)[3] = GPA(PDP + 100) | RW;
	ppgtt_table(PDP + 100)[0] = GPA(PD) | RW;
	other = gvirt_ppgtt_get(&vppgtt, 4, pdp);
	fake.ppgtt[1] = other;
	assert_int_equal(gvirt_ppgtt_sync(other), 0);
	fake_store(PT, 5, GPA(DATA + 1) | RW);
	assert_int_equal(gvirt_ppgtt_sync(other), 0);
	fake_walk_all();
	assert_int_equal(fake_shadow_walk(other, (3ull << 39) + GPA(5)).gfn, DATA + 1);
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA + 1);
	/* The first one goes; the table is the other's, and is still followed. */
	gvirt_ppgtt_put(pp);
	fake.ppgtt[0] = NULL;
	pp = NULL;
	gvirt_vppgtt_reclaim(&vppgtt, ~0u);
	fake_store(PT, 5, GPA(DATA + 2) | RW);
	assert_int_equal(gvirt_ppgtt_sync(other), 0);
	assert_int_equal(fake_shadow_walk(other, (3ull << 39) + GPA(5)).gfn, DATA + 2);
	fake.ppgtt[1] = NULL;
	gvirt_ppgtt_put(other);
}

/* A page that was a table: nobody cares what is stored there, nor pays for it. */
static void ends_as_table(void **state)
{
	unsigned int i;

	(void)state;
	start_with_kvm(GVIRT_SHADOW_STRICT);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	/* Before it is taken out of its directory: what is no entry shows it. */
	fake_store(PT, 5, 0);
	assert_true(fake.watched[PT]);
	assert_false(gvirt_temper_mirror(GVIRT_SHADOW_STRICT, 3, 1));
	fake_store(PD, 0, 0);
	assert_false(fake.watched[PT]);
	assert_int_equal(fake.tables[PT], 0);
	i = fake.exits;
	fake_store(PT, 9, ~0ull);
	assert_int_equal(fake.exits, i);
	ppgtt_sync();
	/* As data, then as a table again. */
	ppgtt_table(PD)[1] = GPA(PT + 1) | RW;
	fake_store(PT + 1, 0, GPA(PT) | RW);
	fake_store(PD, 1, GPA(PT + 1) | RW);
	ppgtt_sync();
	ppgtt_expect(2 << 20, FAKE_PAGE, PT);
	fake_store(PT, 9, GPA(DATA + 9) | RW);
	fake_store(PD, 0, GPA(PT) | RW);
	ppgtt_sync();
	ppgtt_expect(GPA(9), FAKE_PAGE, DATA + 9);
	/* The chip can store to it, so it is compared. */
	assert_false(fake.watched[PT]);
	ppgtt_table(PT)[10] = GPA(DATA + 10) | RW;
	ppgtt_sync();
	ppgtt_expect(GPA(10), FAKE_PAGE, DATA + 10);
	fake_store(PT + 1, 0, 0);
	ppgtt_sync();
	gvirt_vppgtt_trim(&vppgtt);
	ppgtt_sync();
	assert_true(fake.watched[PT]);
}

/* Somebody else gets at a table that is protected. */
static void others_are_noticed(void **state)
{
	dma_addr_t dma;
	u64 before;

	(void)state;
	start_with_kvm(GVIRT_SHADOW_ADAPTIVE);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	sync_often();
	assert_true(fake.watched[PT]);
	assert_int_equal(gvirt_guest_pin(&guest, PT, &dma), 0);
	ppgtt_table(PT)[5] = GPA(DATA + 1) | RW;
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA + 1);
	assert_false(fake.watched[PT]);
	gvirt_guest_unpin(&guest, PT);
	sync_often();
	assert_true(fake.watched[PT]);
	/* The module itself has stored there. */
	ppgtt_table(PT)[5] = GPA(DATA + 2) | RW;
	fake.disturbed[PT] = true;
	atomic_inc(&guest.disturbances);
	before = compares();
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA + 2);
	assert_int_equal(compares(), before + 1);
	assert_true(fake.watched[PT]);
}

/* Memory that was away: only what is seen to change may be protected. */
static void memory_comes_back(void **state)
{
	(void)state;
	start_with_kvm(GVIRT_SHADOW_STRICT);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
	fake_unplug(PT, PT);
	sync_often();
	assert_false(fake.watched[PT]);
	assert_int_equal(guarded(), 3);
	fake_store(PT, 5, GPA(DATA + 1) | RW);
	ppgtt_sync();
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA + 1);
	assert_true(fake.watched[PT]);
	/* A table that comes later, in a place that was away. */
	fake_unplug(PT + 1, PT + 1);
	ppgtt_table(PT + 1)[5] = GPA(DATA + 1) | RW;
	fake_store(PD, 1, GPA(PT + 1) | RW);
	sync_often();
	assert_false(fake.watched[PT + 1]);
	fake_store(PT + 1, 6, GPA(DATA + 1) | RW);
	sync_often();
	assert_true(fake.watched[PT + 1]);
}

static void expect_not_guarded(void)
{
	sync_often();
	assert_false(fake.watched[PT]);
	fake_store(PT, 5, GPA(DATA + 3) | RW);
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA + 3);
	sync_often();
	assert_true(fake.watched[PT]);
}

static void start_unplugged(void)
{
	start_with_kvm(GVIRT_SHADOW_STRICT);
	fake_unplug(PT, PT);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	ppgtt_sync();
}

/* What differs is no store of the guest's CPUs: it came with the memory. */
static void other_memory_proves_nothing(void **state)
{
	(void)state;
	start_unplugged();
	ppgtt_take_away(PT, PT);
	ppgtt_table(PT)[5] = GPA(DATA + 1) | RW;
	ppgtt_give_back(PT, PT);
	expect_not_guarded();
}

/* It is new to another shadow of the same page, which is a table on two levels. */
static void other_shadows_prove_nothing(void **state)
{
	(void)state;
	start_unplugged();
	fake_store(PDP, 1, GPA(PT) | RW);
	expect_not_guarded();
}

/* The chip has stored it, or something else that has the page. */
static void other_users_prove_nothing(void **state)
{
	dma_addr_t dma;

	(void)state;
	start_unplugged();
	assert_int_equal(gvirt_guest_pin(&guest, PT, &dma), 0);
	ppgtt_sync();
	ppgtt_table(PT)[5] = GPA(DATA + 1) | RW;
	ppgtt_sync();
	ppgtt_table(PT)[5] = GPA(DATA + 2) | RW;
	gvirt_guest_unpin(&guest, PT);
	expect_not_guarded();
}

static void lost_stores_are_found(void **state)
{
	struct gvirt_sources *sources = &vppgtt.pool.sources;

	(void)state;
	start_with_kvm(GVIRT_SHADOW_ADAPTIVE);
	ppgtt_table(PT)[5] = GPA(DATA) | RW;
	sync_often();
	assert_int_equal(gvirt_sources_look(sources, 64, gvirt_shadow_differs), 0);
	/* Stored, and not told yet. */
	ppgtt_table(PT)[5] = GPA(DATA + 1) | RW;
	assert_int_equal(gvirt_sources_look(sources, 64, gvirt_shadow_differs), 0);
	fake_store(PT, 5, GPA(DATA + 1) | RW);
	assert_int_equal(gvirt_sources_look(sources, 64, gvirt_shadow_differs), 0);
	sync_often();
	sync_often();
	assert_true(fake.watched[PT]);
	/* Never told. */
	ppgtt_table(PT)[5] = GPA(DATA + 2) | RW;
	assert_int_equal(gvirt_sources_look(sources, 64, gvirt_shadow_differs), 0);
	assert_int_equal(gvirt_sources_look(sources, 64, gvirt_shadow_differs), 1);
	assert_int_equal(sources->lost, 1);
	ppgtt_sync();
	ppgtt_expect(GPA(5), FAKE_PAGE, DATA + 2);
	sync_often();
	assert_false(fake.watched[PT]);
}

/* Address spaces that no context has go after a while, the oldest first. */
static void unused_ones_go(void **state)
{
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	struct gvirt_ppgtt *other;
	u32 i;

	(void)state;
	start_with_kvm(GVIRT_SHADOW_STRICT);
	for (i = 0; i < 8; i++) {
		ppgtt_table(PML4 + 100 + i)[0] = 0;
		ppgtt_table(PML4 + 100 + i)[7] = 1 << 9;
		pdp[0] = GPA(PML4 + 100 + i);
		other = gvirt_ppgtt_get(&vppgtt, 4, pdp);
		assert_int_equal(gvirt_ppgtt_sync(other), 0);
		gvirt_ppgtt_put(other);
		jiffies += GVIRT_PPGTT_IDLE_MS / 4;
	}
	assert_int_equal(guarded(), 8);
	gvirt_vppgtt_age(&vppgtt);
	assert_int_equal(vppgtt.idle_count, 3);
	assert_false(fake.watched[PML4 + 100]);
	assert_true(fake.watched[PML4 + 107]);
	assert_int_equal(gvirt_vppgtt_reclaim(&vppgtt, 8), 8);
	assert_int_equal(vppgtt.idle_count, 0);
	assert_int_equal(guarded(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(strict_mirrors),
		RULE(adaptive_bursts),
		RULE(adaptive_learns),
		RULE(adaptive_unchanged),
		RULE(strict_unchanged),
		RULE(async_compares),
		RULE(mode_switches),
		RULE(sharing_is_followed),
		RULE(ends_as_table),
		RULE(others_are_noticed),
		RULE(memory_comes_back),
		RULE(other_memory_proves_nothing),
		RULE(other_shadows_prove_nothing),
		RULE(other_users_prove_nothing),
		RULE(lost_stores_are_found),
		RULE(unused_ones_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
