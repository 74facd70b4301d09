// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the window into the GGTT: what slots map, when they go, and what is given back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <gvirt/gen9_pte.h>
#include <linux/array_size.h>
#include "host/guest.h"
#include "hw/ggtt.h"
#include "model/ggtt.h"
#include "model/window.h"
#include "fake.h"

#define HOST_PAGES	1500u
#define GGTT_PAGES	BIT(20)
#define GPA(gfn)	((u64)(gfn) << PAGE_SHIFT)
#define GMA(page)	((u32)(page) << PAGE_SHIFT)

static struct gvirt_ggtt ggtt;
static struct gvirt_vggtt vggtt;
static struct gvirt_guest guest;
static struct gvirt_window window;

/* The guest's table, and the host's part of the real one; page 0 is not of the latter. */
static u64 guest_entry[GGTT_PAGES];
static u64 host_entry[HOST_PAGES];
static bool host_used[HOST_PAGES];
static unsigned int flushes;

u64 gvirt_vggtt_entry(struct gvirt_vggtt *table, u32 index)
{
	assert_ptr_equal(table, &vggtt);
	assert_true(index < GGTT_PAGES);
	return guest_entry[index];
}

/* Page of the guest's memory that an entry of the host maps; FAKE_PAGES: the scratch page. */
static u32 mapped(u32 page)
{
	u64 pfn = host_entry[page] >> PAGE_SHIFT;

	assert_true(host_used[page]);
	if (host_entry[page] == window.scratch_dma)
		return FAKE_PAGES;
	assert_in_range(pfn, FAKE_HOST_PFN, FAKE_HOST_PFN + FAKE_PAGES - 1);
	assert_true(fake.pins[fake.guest[pfn - FAKE_HOST_PFN]]);
	return fake.guest[pfn - FAKE_HOST_PFN];
}

/* The chip knows what is mapped, and nothing else. */
void gvirt_ggtt_flush_wait(struct gvirt_ggtt *table)
{
	u32 i, gfn;

	(void)table;
	flushes++;
	memset(fake.known, 0, sizeof(fake.known));
	for (i = 0; i < HOST_PAGES; i++) {
		gfn = host_used[i] ? mapped(i) : FAKE_PAGES;
		if (gfn < FAKE_PAGES)
			fake.known[gfn] = true;
	}
}

void gvirt_ggtt_flush(struct gvirt_ggtt *table)
{
	gvirt_ggtt_flush_wait(table);
}

static bool is_free(u32 first, u32 pages)
{
	u32 i;

	for (i = 0; i < pages; i++)
		if (host_used[first + i])
			return false;
	return true;
}

u32 gvirt_ggtt_alloc(struct gvirt_ggtt *table, u32 pages)
{
	u32 first, i;

	(void)table;
	for (first = 1; first + pages <= HOST_PAGES; first++) {
		if (!is_free(first, pages))
			continue;
		for (i = 0; i < pages; i++) {
			host_used[first + i] = true;
			host_entry[first + i] = window.scratch_dma;
		}
		return GMA(first);
	}
	return 0;
}

void gvirt_ggtt_free(struct gvirt_ggtt *table, u32 address, u32 pages)
{
	u32 i;

	for (i = 0; i < pages; i++) {
		assert_true(host_used[(address >> PAGE_SHIFT) + i]);
		host_used[(address >> PAGE_SHIFT) + i] = false;
	}
	gvirt_ggtt_flush_wait(table);
}

void gvirt_ggtt_map(struct gvirt_ggtt *table, u32 address, dma_addr_t dma, u32 pages)
{
	u32 i;

	(void)table;
	for (i = 0; i < pages; i++) {
		assert_true(host_used[(address >> PAGE_SHIFT) + i]);
		host_entry[(address >> PAGE_SHIFT) + i] = dma + GPA(i);
	}
}

static int setup(void **state)
{
	(void)state;
	fake_init();
	fake_seed(7);
	memset(guest_entry, 0, sizeof(guest_entry));
	memset(host_used, 0, sizeof(host_used));
	assert_int_equal(gvirt_window_init(&window, &ggtt, &vggtt, &guest), 0);
	flushes = 0;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	gvirt_window_reset(&window);
	assert_int_equal(gvirt_window_pages(&window), 0);
	assert_true(is_free(0, HOST_PAGES));
	gvirt_window_fini(&window);
	fake_fini();
	return 0;
}

static void map_guest(u32 page, u32 gfn)
{
	guest_entry[page] = GPA(gfn) | GEN9_GGTT_PRESENT;
}

static u32 map(const struct gvirt_window_use *use, u32 address, u32 size)
{
	u32 host = 0;

	assert_int_equal(gvirt_window_map(&window, use, address, size, &host), 0);
	assert_int_equal(host % PAGE_SIZE, address % PAGE_SIZE);
	return host;
}

/* What the guest's entries say, is there. Workloads outlive a test that fails: they are static. */
static void maps(void **state)
{
	static struct gvirt_window_use use;
	size_t bytes;
	u32 host;

	(void)state;
	assert_int_equal(gvirt_window_bytes(&window), 0);
	map_guest(10, 7);
	map_guest(11, 3);
	gvirt_window_begin(&window, &use, GVIRT_BCS);
	host = map(&use, GMA(10) + 0xff8, 8) >> PAGE_SHIFT;
	assert_int_equal(mapped(host), 7);
	assert_int_equal(gvirt_window_pages(&window), 1);
	bytes = gvirt_window_bytes(&window);
	assert_true(bytes > 0);
	host = map(&use, GMA(10) + 0xffc, 8) >> PAGE_SHIFT;
	assert_int_equal(mapped(host), 7);
	assert_int_equal(mapped(host + 1), 3);
	assert_int_equal(gvirt_window_pages(&window), 3);
	assert_true(gvirt_window_bytes(&window) > 2 * bytes);
	gvirt_window_end(&window, &use);
}

static void unchanged_costs_nothing(void **state)
{
	static struct gvirt_window_use use;
	unsigned int before;
	u64 attempts;
	u32 host;

	(void)state;
	map_guest(10, 7);
	gvirt_window_begin(&window, &use, GVIRT_RCS);
	host = map(&use, GMA(10), 4);
	before = flushes;
	attempts = fake.attempts;
	assert_int_equal(map(&use, GMA(10), 8), host);
	assert_int_equal(flushes, before);
	assert_int_equal(fake.attempts, attempts);
	gvirt_window_end(&window, &use);
}

static void follows_changes(void **state)
{
	static struct gvirt_window_use use;
	u32 host;

	(void)state;
	map_guest(10, 7);
	gvirt_window_begin(&window, &use, GVIRT_RCS);
	host = map(&use, GMA(10), 4);
	map_guest(10, 8);
	assert_int_equal(map(&use, GMA(10), 4), host);
	assert_int_equal(mapped(host >> PAGE_SHIFT), 8);
	assert_int_equal(fake.pins[7], 0);
	guest_entry[10] = 0;
	assert_int_equal(map(&use, GMA(10), 4), host);
	assert_int_equal(mapped(host >> PAGE_SHIFT), FAKE_PAGES);
	assert_int_equal(fake.pinned, 0);
	gvirt_window_end(&window, &use);
}

/* No memory: scratch; as soon as there is memory, that. */
static void without_memory(void **state)
{
	static struct gvirt_window_use use;
	u32 host;

	(void)state;
	fake.ram[7] = false;
	map_guest(10, 7);
	map_guest(11, FAKE_PAGES + 3);
	guest_entry[12] = GPA(5) | GEN9_GGTT_PRESENT | GEN9_PTE_ADDR_RESERVED;
	gvirt_window_begin(&window, &use, GVIRT_RCS);
	host = map(&use, GMA(10), 3 * PAGE_SIZE) >> PAGE_SHIFT;
	assert_int_equal(mapped(host), FAKE_PAGES);
	assert_int_equal(mapped(host + 1), FAKE_PAGES);
	assert_int_equal(mapped(host + 2), FAKE_PAGES);
	fake.ram[7] = true;
	map(&use, GMA(10), 3 * PAGE_SIZE);
	assert_int_equal(mapped(host), 7);
	gvirt_window_revoke(&window, 6, 7);
	assert_int_equal(fake.pins[7], 0);
	assert_int_equal(mapped(host), FAKE_PAGES);
	map(&use, GMA(10), 3 * PAGE_SIZE);
	assert_int_equal(mapped(host), 7);
	gvirt_window_end(&window, &use);
}

static void refuses(void **state)
{
	static struct gvirt_window_use use;
	u32 host;

	(void)state;
	gvirt_window_begin(&window, &use, GVIRT_RCS);
	assert_int_equal(gvirt_window_map(&window, &use, GMA(10), 0, &host), -EINVAL);
	assert_int_equal(gvirt_window_map(&window, &use, 0xfffffffc, 8, &host), -EINVAL);
	assert_int_equal(gvirt_window_map(&window, &use, 4, GMA(GVIRT_WINDOW_PAGES), &host),
			 -E2BIG);
	map(&use, 0xfffffffc, 4);
	fake.limit = 0;
	map_guest(10, 7);
	assert_int_equal(gvirt_window_map(&window, &use, GMA(10), 4, &host), -ENOMEM);
	gvirt_window_end(&window, &use);
}

/* What a workload was given stays as long as it does, whatever order they begin, map, end in. */
static void keeps_what_is_used(void **state)
{
	static struct gvirt_window_use older, younger, third;
	u32 shared, host, n;

	(void)state;
	map_guest(10, 7);
	gvirt_window_begin(&window, &older, GVIRT_RCS);
	gvirt_window_begin(&window, &younger, GVIRT_RCS);
	shared = map(&younger, GMA(10), 4);
	assert_int_equal(map(&older, GMA(10), 4), shared);
	gvirt_window_end(&window, &older);
	gvirt_window_begin(&window, &third, GVIRT_VCS);
	for (n = 0; n < GVIRT_WINDOW_PAGES - 1; n++)
		map(&third, GMA(100 + n), 4);
	assert_int_equal(gvirt_window_map(&window, &third, GMA(50), 4, &host), -ENOSPC);
	gvirt_window_end(&window, &younger);
	map(&third, GMA(50), 4);
	assert_int_equal(window.stats.evictions, 1);
	assert_int_equal(fake.pins[7], 0);
	gvirt_window_end(&window, &third);
}

static void evicts_least_recently_used(void **state)
{
	static struct gvirt_window_use use;
	u32 first, n;

	(void)state;
	gvirt_window_begin(&window, &use, GVIRT_RCS);
	first = map(&use, GMA(10), 4);
	for (n = 0; n < GVIRT_WINDOW_PAGES - 1; n++)
		map(&use, GMA(100 + n), 4);
	gvirt_window_end(&window, &use);
	gvirt_window_begin(&window, &use, GVIRT_RCS);
	assert_int_equal(map(&use, GMA(10), 4), first);
	map(&use, GMA(20), 4);
	assert_int_equal(window.stats.evictions, 1);
	assert_int_equal(map(&use, GMA(10), 4), first);
	assert_int_equal(window.stats.misses, GVIRT_WINDOW_PAGES + 1);
	gvirt_window_end(&window, &use);
}

/* A workload that ends after the reset that forgot it. */
static void reset_forgets_uses(void **state)
{
	static struct gvirt_window_use use;

	(void)state;
	gvirt_window_begin(&window, &use, GVIRT_RCS);
	map(&use, GMA(10), 4);
	gvirt_window_reset(&window);
	gvirt_window_end(&window, &use);
	assert_int_equal(gvirt_window_pages(&window), 0);
	assert_int_equal(gvirt_window_bytes(&window), 0);
}

/* Everything at random, with failures. */

#define USES		8u
#define MAPPINGS	64u

struct mapping {
	u32 use;
	u32 host;
	u32 pages;
};

static struct gvirt_window_use uses[USES];
static struct mapping mappings[MAPPINGS];

static void begin_again(u32 n, bool first)
{
	u32 i;

	if (!first)
		gvirt_window_end(&window, &uses[n]);
	gvirt_window_begin(&window, &uses[n], fake_random(GVIRT_ENGINES));
	for (i = 0; i < MAPPINGS; i++)
		if (mappings[i].use == n)
			mappings[i].pages = 0;
}

static void check_mappings(void)
{
	u32 i, n;

	for (i = 0; i < MAPPINGS; i++)
		for (n = 0; n < mappings[i].pages; n++)
			assert_true(mapped(mappings[i].host + n) <= FAKE_PAGES);
}

static void map_some(u32 n)
{
	u32 first = fake_random(1500);
	u32 pages = fake_random(8) ? 1 : 1 + fake_random(200);
	u32 host, i, gfn;
	int err;

	err = gvirt_window_map(&window, &uses[n], GMA(first), GMA(pages), &host);
	assert_true(!err || err == -ENOMEM || err == -ENOSPC);
	if (err)
		return;
	mappings[fake_random(MAPPINGS)] = (struct mapping) { n, host >> PAGE_SHIFT, pages };
	for (i = 0; i < pages; i++) {
		gfn = guest_entry[first + i] >> PAGE_SHIFT;
		if (!guest_entry[first + i] || gfn >= FAKE_PAGES || !fake.ram[gfn])
			gfn = FAKE_PAGES;
		assert_int_equal(mapped((host >> PAGE_SHIFT) + i), gfn);
	}
}

static void revoke_some(void)
{
	u32 first = fake_random(FAKE_PAGES - 64);
	u32 i;

	for (i = 0; i < 64; i++)
		fake.ram[first + i] = false;
	gvirt_window_revoke(&window, first, first + 63);
	for (i = 0; i < 64; i++) {
		assert_int_equal(fake.pins[first + i], 0);
		fake.ram[first + i] = fake_random(2);
	}
}

static void chaos(void **state)
{
	u32 round, n;

	(void)state;
	for (n = 0; n < USES; n++)
		begin_again(n, true);
	fake.limit = 300;
	for (round = 0; round < 5000; round++) {
		n = fake_random(USES);
		fake.fail_every = 0;
		if (!fake_random(4))
			begin_again(n, false);
		if (!fake_random(3))
			map_guest(fake_random(1700), fake_random(FAKE_PAGES + 50));
		if (!fake_random(100))
			revoke_some();
		fake.fail_every = 200;
		map_some(n);
		check_mappings();
	}
	fake.fail_every = 0;
	assert_true(window.stats.evictions > 100);
}

#define RULE(test)	cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RULE(maps),
		RULE(unchanged_costs_nothing),
		RULE(follows_changes),
		RULE(without_memory),
		RULE(refuses),
		RULE(keeps_what_is_used),
		RULE(evicts_least_recently_used),
		RULE(reset_forgets_uses),
		RULE(chaos),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
