// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page tables that make no sense.
 */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_pte.h>

#include "hostile.h"
#include "lib/program.h"
#include "lib/share.h"

#define PFN_MASK	((1ull << 55) - 1)

static void run_through(u64 va)
{
	struct cmds cmds = { };

	emit_store(&cmds, PPGTT, va, 0xbad);
	hostile_submit(&cmds);
}

static void tables_cyclic(void)
{
	u64 *root = ppgtt_table(&vandal.pp, 0, GEN9_PML4E_INDEX_SHIFT);
	unsigned int i;

	for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
		root[i] = vandal.pp.pdp[0] | GEN9_PTE_PRESENT | GEN9_PTE_RW;
	run_through(HOSTILE_VA);
}

static void tables_in_hole(void)
{
	*ppgtt_entry(&vandal.pp, HOSTILE_VA, GEN9_PAGE_SHIFT_2M) = RAM_HOLE_GPA | 3;
	run_through(HOSTILE_VA);
}

static void page_in_hole(void)
{
	*ppgtt_entry(&vandal.pp, HOSTILE_VA, GEN9_PAGE_SHIFT_4K) = RAM_HOLE_GPA | 3;
	run_through(HOSTILE_VA);
}

static void large_page_in_hole(void)
{
	*ppgtt_entry(&vandal.pp, HOSTILE_VA, GEN9_PAGE_SHIFT_2M) = RAM_HOLE_GPA | 3 | GEN9_PDE_PS;
	run_through(HOSTILE_VA);
}

/* A large page that begins in memory and ends beyond it. */
static void large_page_beyond(void)
{
	u64 start = (RAM_HIGH_GPA + RAM_HIGH_SIZE - HOSTILE_PAGE) & ~0x1fffffull;

	ppgtt_map(&vandal.pp, HOSTILE_VA, start + 0x200000, GEN9_PAGE_SHIFT_2M);
	run_through(HOSTILE_VA + 0x1ff000);
}

static void entries_all_ones(void)
{
	u64 *table;
	unsigned int i;

	ppgtt_map(&vandal.pp, HOSTILE_VA, vandal.target.gpa, GEN9_PAGE_SHIFT_4K);
	table = ppgtt_table(&vandal.pp, HOSTILE_VA, GEN9_PTE_INDEX_SHIFT);
	for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
		table[i] = ~0ull;
	run_through(HOSTILE_VA);
}

static void reserved_bits(void)
{
	*ppgtt_entry(&vandal.pp, HOSTILE_VA, GEN9_PAGE_SHIFT_4K) =
		vandal.target.gpa | 3 | GEN9_PTE_ADDR_RESERVED;
	run_through(HOSTILE_VA);
}

static void pointers_garbage(void)
{
	unsigned int i;
	struct cmds cmds = { };

	emit_store(&cmds, PPGTT, HOSTILE_VA, 0xbad);
	ctx_request(&vandal.ctx, &cmds);
	ctx_publish(&vandal.ctx);
	for (i = 0; i < GEN9_PPGTT_3LVL_PDPS; i++) {
		hostile_set(GEN9_CTX_PDP_UDW(i), 0xffffffff);
		hostile_set(GEN9_CTX_PDP_LDW(i), 0xfffff123);
	}
	hostile_go();
}

static void root_in_hole(void)
{
	hostile_image(GEN9_CTX_PDP_UDW(0), RAM_HOLE_GPA >> 32);
}

/* All tables are one and the same page, at each level. */
static void tables_one_page(void)
{
	u64 page = ram_page(&vandal.guest.ram), *table = ram_cpu(&vandal.guest.ram, page);
	unsigned int i;

	for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
		table[i] = page | GEN9_PTE_PRESENT | GEN9_PTE_RW;
	*ppgtt_table(&vandal.pp, HOSTILE_VA, GEN9_PML4E_INDEX_SHIFT) = page | 3;
	run_through(HOSTILE_VA);
}

/* Where a page of this process is in the machine's memory; 0: the kernel does not tell. */
static u64 machine_address(const void *page)
{
	u64 entry = 0;
	FILE *map = fopen("/proc/self/pagemap", "r");

	if (!map)
		return 0;
	if (fseek(map, (long)((uintptr_t)page / HOSTILE_PAGE * sizeof(entry)), SEEK_SET) ||
	    fread(&entry, sizeof(entry), 1, map) != 1)
		entry = 0;
	fclose(map);
	return entry >> 63 ? (entry & PFN_MASK) * HOSTILE_PAGE : 0;
}

/* A vandal that knows where the neighbour's memory is in the machine, and says so in its tables. */
static void pages_of_the_neighbour(void)
{
	u64 entry = *ppgtt_entry(&neighbour.pp, HOSTILE_VA, GEN9_PAGE_SHIFT_4K);
	const u32 *secret = ram_cpu(&neighbour.guest.ram, entry & GEN9_PTE_ADDR_MASK);
	u64 there = machine_address(secret);
	struct cmds cmds = { };

	if (access("/proc/self/pagemap", F_OK))
		test_skip("the kernel does not tell (CONFIG_PROC_PAGE_MONITOR)");
	EXPECT(there);
	*ppgtt_entry(&vandal.pp, HOSTILE_VA, GEN9_PAGE_SHIFT_4K) = there | 3;
	ggtt_map(&vandal.guest.ggtt, HOSTILE_GGTT, there, 1);
	emit_store(&cmds, PPGTT, HOSTILE_VA, 0xbad);
	emit_store(&cmds, GGTT, HOSTILE_GGTT, 0xbad);
	emit_lrm(&cmds, PPGTT, vandal.engine->base + GEN9_RING_CS_GPR(0), HOSTILE_VA);
	emit_srm(&cmds, GGTT, vandal.engine->base + GEN9_RING_CS_GPR(0), vandal.target.ggtt);
	emit_lrm(&cmds, GGTT, vandal.engine->base + GEN9_RING_CS_GPR(1), HOSTILE_GGTT);
	emit_srm(&cmds, GGTT, vandal.engine->base + GEN9_RING_CS_GPR(1), vandal.target.ggtt + 4);
	hostile_submit(&cmds);
	engine_drain(vandal.engine, HOSTILE_MS);
	EXPECT(ram_read(&vandal.guest.ram, vandal.target.gpa) != *secret);
	EXPECT(ram_read(&vandal.guest.ram, vandal.target.gpa + 4) != *secret);
}

/* Many directories, each with tables in every entry: what a shadow of it all would cost. */
static void tables_huge(void)
{
	u64 pd = ram_page(&vandal.guest.ram), pdp = ram_page(&vandal.guest.ram);
	u64 pt = ram_page(&vandal.guest.ram);
	u64 *tables[] = {
		ram_cpu(&vandal.guest.ram, vandal.pp.pdp[0]), ram_cpu(&vandal.guest.ram, pdp),
		ram_cpu(&vandal.guest.ram, pd), ram_cpu(&vandal.guest.ram, pt),
	};
	const u64 next[] = { pdp, pd, pt, vandal.target.gpa };
	unsigned int level, i;

	for (level = 0; level < ARRAY_SIZE(tables); level++)
		for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
			tables[level][i] = next[level] | 3;
	run_through(HOSTILE_VA + 8);
}

/* A few entries that lead to hundreds of GiB where nothing is: each page would be asked for. */
static void tables_absent(void)
{
	u64 *directory = ppgtt_table(&vandal.pp, HOSTILE_VA, GEN9_PDPE_INDEX_SHIFT);
	u64 refused = share_number(target(0), "refused_requests");
	unsigned int i;

	for (i = 16; i < GEN9_TABLE_ENTRIES / 2; i++)
		directory[i] = (u64)i << GEN9_PDPE_INDEX_SHIFT | 3 | GEN9_PDE_PS;
	run_through(HOSTILE_VA + 8);
	EXPECT(share_await(target(0), "refused_requests", refused + 1, ~0ull));
}

HOSTILE(tables_cyclic)
HOSTILE(tables_in_hole)
HOSTILE(page_in_hole)
HOSTILE(large_page_in_hole)
HOSTILE(large_page_beyond)
HOSTILE(entries_all_ones)
HOSTILE(reserved_bits)
HOSTILE(pointers_garbage)
HOSTILE(root_in_hole)
HOSTILE(tables_one_page)
HOSTILE(tables_huge)
HOSTILE(tables_absent)
HOSTILE(pages_of_the_neighbour)

static const struct testcase tests[] = {
	{ "hostile-tables-cyclic", test_tables_cyclic },
	{ "hostile-tables-in-hole", test_tables_in_hole },
	{ "hostile-page-in-hole", test_page_in_hole },
	{ "hostile-large-page-in-hole", test_large_page_in_hole },
	{ "hostile-large-page-beyond", test_large_page_beyond },
	{ "hostile-entries-all-ones", test_entries_all_ones },
	{ "hostile-reserved-bits", test_reserved_bits },
	{ "hostile-pointers-garbage", test_pointers_garbage },
	{ "hostile-root-in-hole", test_root_in_hole },
	{ "hostile-tables-one-page", test_tables_one_page },
	{ "hostile-tables-huge", test_tables_huge },
	{ "hostile-tables-absent", test_tables_absent },
	{ "hostile-pages-of-the-neighbour", test_pages_of_the_neighbour },
};

const struct testgroup hostile_table_tests = { tests, ARRAY_SIZE(tests) };
