// SPDX-License-Identifier: GPL-2.0-only
/*
 * A context's own address space: mapping, unmapping, remapping, large pages, three and four
 * levels, tables that are shared, replaced and used again.
 */
#include <string.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "lib/program.h"
#include "lib/work.h"

#define PAGE		4096ull
#define SIZE_64K	BIT_ULL(GEN9_PAGE_SHIFT_64K)
#define SIZE_2M		BIT_ULL(GEN9_PAGE_SHIFT_2M)
#define TABLE_COVERS	SIZE_2M
#define VA		0x0000004567000000ull
#define VA_32		0x0000000056000000ull
#define PAGES		64
#define SECRET		0x5ec4e7

/* An invalidation in the ring, as drivers put it before a request after a change. */
static void emit_invalidate(struct work *work, struct cmds *cmds)
{
	u32 scratch = work->target.ggtt + 4088;

	if (work->engine->id == RCS)
		emit_pipe_control(cmds, GEN9_PC_TLB_INVALIDATE, GGTT, scratch, 0);
	else
		emit_flush_tlb(cmds, scratch);
}

static void store(struct work *work, u64 va, u32 value)
{
	struct cmds cmds = { };

	emit_invalidate(work, &cmds);
	emit_store(&cmds, PPGTT, va, value);
	ctx_run(&work->ctx, &cmds);
}

static u32 load(struct work *work, u64 va)
{
	u32 gpr = work->engine->base + GEN9_RING_CS_GPR(0);
	struct cmds cmds = { };

	emit_invalidate(work, &cmds);
	emit_lrm(&cmds, PPGTT, gpr, va);
	emit_srm(&cmds, GGTT, gpr, work->target.ggtt + 256);
	ctx_run(&work->ctx, &cmds);
	return ram_read(&work->guest.ram, work_dword(work, 64));
}

static u64 new_page(struct work *work)
{
	return ram_page(&work->guest.ram);
}

static void expect(struct work *work, u64 gpa, u32 value, const char *what)
{
	guest_expect(&work->guest, gpa, value, what);
}

/* Addresses in all corners of the space. */
static void check_corners(struct work *work, const u64 *va, unsigned int count)
{
	struct cmds cmds = { };
	u64 page[16];
	unsigned int i;

	for (i = 0; i < count; i++) {
		page[i] = new_page(work);
		ppgtt_map(&work->pp, va[i], page[i], GEN9_PAGE_SHIFT_4K);
		emit_store(&cmds, PPGTT, va[i] + 4 * i, 0xc0 + i);
	}
	work_run_batch(work, &cmds);
	for (i = 0; i < count; i++)
		expect(work, page[i] + 4 * i, 0xc0 + i, "a page in a corner");
}

static void corners_4(struct work *work)
{
	static const u64 va[] = {
		0, 0x1000, 0x1ff000, 0x200000, 0x3ffff000, 0x40000000, 0xfffff000, 0x100000000,
		0x7fffffe000, 0x8000000000, 0x7ffffffff000, 0xffff800000000000,
		0xfffffffffffff000,
	};

	check_corners(work, va, ARRAY_SIZE(va));
}

static void corners(void)
{
	work_on_each_engine(corners_4);
}

static void corners_3(struct work *work)
{
	static const u64 va[] = {
		0, 0x1000, 0x1ff000, 0x200000, 0x3ffff000, 0x40000000, 0x7ffff000, 0x80000000,
		0xbfe00000, 0xc0000000, 0xfffff000,
	};

	check_corners(work, va, ARRAY_SIZE(va));
}

static void three_levels(void)
{
	work_on_each_engine_32(corners_3);
}

static u64 some_va(const struct work *work)
{
	return work->pp.levels == 4 ? VA : VA_32;
}

static void check_remap(struct work *work)
{
	u64 first = new_page(work), second = new_page(work), va = some_va(work);

	ppgtt_map(&work->pp, va, first, GEN9_PAGE_SHIFT_4K);
	store(work, va + 4, 1);
	ppgtt_map(&work->pp, va, second, GEN9_PAGE_SHIFT_4K);
	store(work, va + 4, 2);
	expect(work, first + 4, 1, "the first page");
	expect(work, second + 4, 2, "the second page");
	EXPECT_EQ(load(work, va + 4), 2);
	ppgtt_map(&work->pp, va, first, GEN9_PAGE_SHIFT_4K);
	EXPECT_EQ(load(work, va + 4), 1);
}

static void remap(void)
{
	work_on_each_engine(check_remap);
}

static void remap_3(void)
{
	work_on_each_engine_32(check_remap);
}

/* Page-directory pointers change in the image between two runs. */
static void check_pdp_changes(struct work *work)
{
	struct ppgtt other;
	u64 first = new_page(work), second = new_page(work);
	unsigned int i;

	ppgtt_map(&work->pp, VA_32, first, GEN9_PAGE_SHIFT_4K);
	store(work, VA_32, 1);
	ppgtt_init(&other, &work->guest.ram, 3, PPGTT_SPARSE);
	ppgtt_map(&other, VA_32, second, GEN9_PAGE_SHIFT_4K);
	for (i = 0; i < GEN9_PPGTT_3LVL_PDPS; i++) {
		ram_write(&work->guest.ram, ctx_reg(&work->ctx, GEN9_CTX_PDP_UDW(i)),
			  other.pdp[i] >> 32);
		ram_write(&work->guest.ram, ctx_reg(&work->ctx, GEN9_CTX_PDP_LDW(i)),
			  (u32)other.pdp[i]);
	}
	store(work, VA_32, 2);
	expect(work, first, 1, "the page of the first tables");
	expect(work, second, 2, "the page of the second tables");
}

static void pdp_changes(void)
{
	work_on_each_engine_32(check_pdp_changes);
}

/* With scratch tables, as i915 has them: what is not mapped reads and writes the scratch page. */
static void check_scratch(struct work *work, unsigned int levels)
{
	u64 page = new_page(work), scratch, va;
	static struct ctx ctx;
	struct ppgtt pp;
	struct cmds cmds = { };

	ppgtt_init(&pp, &work->guest.ram, levels, PPGTT_SCRATCH);
	scratch = pp.scratch[0] & GEN9_PTE_ADDR_MASK;
	ctx_init(&ctx, work->engine, &pp);
	va = levels == 4 ? VA : VA_32;
	ppgtt_map(&pp, va, page, GEN9_PAGE_SHIFT_4K);
	emit_store(&cmds, PPGTT, va, 1);
	emit_store(&cmds, PPGTT, va + PAGE + 4, 2);
	emit_store(&cmds, PPGTT, va + SIZE_2M + 8, 3);
	emit_store(&cmds, PPGTT, va + (1 << 30) + 12, 4);
	ctx_run(&ctx, &cmds);
	expect(work, page, 1, "the mapped page");
	expect(work, scratch + 4, 2, "the scratch page by the table");
	expect(work, scratch + 8, 3, "the scratch page by the directory");
	expect(work, scratch + 12, 4, "the scratch page by the pointer");

	ppgtt_unmap(&pp, va, GEN9_PAGE_SHIFT_4K);
	ctx_run(&ctx, &cmds);
	expect(work, scratch, 1, "the scratch page after an unmap");
}

static void scratch_4(struct work *work)
{
	check_scratch(work, 4);
}

static void scratch_3(struct work *work)
{
	check_scratch(work, 3);
}

static void scratch(void)
{
	work_on_each_engine(scratch_4);
}

static void scratch_three_levels(void)
{
	work_on_each_engine(scratch_3);
}

static void store_to_all(struct work *work, u64 step, u32 value)
{
	struct cmds cmds = { };
	unsigned int i;

	emit_invalidate(work, &cmds);
	for (i = 0; i < PAGES; i++)
		emit_store(&cmds, PPGTT, VA + i * step, value + i);
	ctx_run(&work->ctx, &cmds);
}

static void expect_all(struct work *work, u64 pages, bool reversed, u32 value)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		expect(work, pages + PAGE * (reversed ? PAGES - 1 - i : i), value + i,
		       "a page of many");
}

static void map_all(struct work *work, u64 pages, u64 step, bool reversed)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		ppgtt_map(&work->pp, VA + i * step, pages + PAGE * (reversed ? PAGES - 1 - i : i),
			  GEN9_PAGE_SHIFT_4K);
}

/* One page in each of many tables, which all change at once. */
static void check_sparse(struct work *work)
{
	u64 pages = ram_alloc(&work->guest.ram, RAM_LOW, PAGES * PAGE, PAGE);

	map_all(work, pages, TABLE_COVERS + PAGE, false);
	store_to_all(work, TABLE_COVERS + PAGE, 0x100);
	expect_all(work, pages, false, 0x100);
	map_all(work, pages, TABLE_COVERS + PAGE, true);
	store_to_all(work, TABLE_COVERS + PAGE, 0x200);
	expect_all(work, pages, true, 0x200);
}

static void sparse(void)
{
	work_on_each_engine(check_sparse);
}

/* Many pages of one table, which all change at once, several times. */
static void check_burst(struct work *work)
{
	u64 pages = ram_alloc(&work->guest.ram, RAM_HIGH, PAGES * PAGE, PAGE);
	unsigned int i;

	for (i = 0; i < 6; i++) {
		map_all(work, pages, PAGE, i & 1);
		store_to_all(work, PAGE, 0x1000 * i);
		expect_all(work, pages, i & 1, 0x1000 * i);
	}
}

static void burst(void)
{
	work_on_each_engine(check_burst);
}

static void expect_ends(struct work *work, u64 va, u64 gpa, u64 size, u32 value)
{
	store(work, va, value);
	store(work, va + size / 2 + 8, value + 1);
	store(work, va + size - 4, value + 2);
	expect(work, gpa, value, "start of a large page");
	expect(work, gpa + size / 2 + 8, value + 1, "middle of a large page");
	expect(work, gpa + size - 4, value + 2, "end of a large page");
}

static void check_2m(struct work *work)
{
	u64 large = ram_alloc(&work->guest.ram, RAM_LOW, SIZE_2M, SIZE_2M);
	u64 other = ram_alloc(&work->guest.ram, RAM_LOW, SIZE_2M, SIZE_2M);

	ppgtt_map(&work->pp, VA, large, GEN9_PAGE_SHIFT_2M);
	expect_ends(work, VA, large, SIZE_2M, 0x210);
	ppgtt_map(&work->pp, VA, other, GEN9_PAGE_SHIFT_2M);
	expect_ends(work, VA, other, SIZE_2M, 0x220);
	expect(work, large, 0x210, "the first large page");
}

static void page_2m(void)
{
	work_on_each_engine(check_2m);
}

/* An address has a page of 2 MiB, then a table of small pages, then the large page again. */
static void check_split(struct work *work)
{
	u64 large = ram_alloc(&work->guest.ram, RAM_LOW, SIZE_2M, SIZE_2M), page = new_page(work);

	ppgtt_map(&work->pp, VA, large, GEN9_PAGE_SHIFT_2M);
	store(work, VA + PAGE, 1);
	ppgtt_set(&work->pp, ppgtt_entry(&work->pp, VA, GEN9_PAGE_SHIFT_2M), 0);
	ppgtt_map(&work->pp, VA + PAGE, page, GEN9_PAGE_SHIFT_4K);
	store(work, VA + PAGE, 2);
	expect(work, large + PAGE, 1, "the large page");
	expect(work, page, 2, "the small page");
	ppgtt_map(&work->pp, VA, large, GEN9_PAGE_SHIFT_2M);
	store(work, VA + PAGE, 3);
	expect(work, large + PAGE, 3, "the large page");
	expect(work, page, 2, "the small page");
}

static void split(void)
{
	work_on_each_engine(check_split);
}

static void check_64k(struct work *work)
{
	u64 first = ram_alloc(&work->guest.ram, RAM_LOW, SIZE_64K, SIZE_64K);
	u64 second = ram_alloc(&work->guest.ram, RAM_HIGH, SIZE_64K, SIZE_64K);

	ppgtt_enable_64k(&work->guest.dev);
	ppgtt_map(&work->pp, VA, first, GEN9_PAGE_SHIFT_64K);
	ppgtt_map(&work->pp, VA + 31 * SIZE_64K, second, GEN9_PAGE_SHIFT_64K);
	expect_ends(work, VA, first, SIZE_64K, 0x640);
	expect_ends(work, VA + 31 * SIZE_64K, second, SIZE_64K, 0x650);
}

static void page_64k(void)
{
	work_on_each_engine(check_64k);
}

/* A page that may only be read: stores are dropped, and the context goes on. */
static void check_read_only(struct work *work)
{
	u64 page = new_page(work), *entry;

	ram_write(&work->guest.ram, page + 8, SECRET);
	ppgtt_map(&work->pp, VA, page, GEN9_PAGE_SHIFT_4K);
	entry = ppgtt_entry(&work->pp, VA, GEN9_PAGE_SHIFT_4K);
	ppgtt_set(&work->pp, entry, *entry & ~GEN9_PTE_RW);
	store(work, VA + 8, 0xbad);
	expect(work, page + 8, SECRET, "a page that may only be read");
	EXPECT_EQ(load(work, VA + 8), SECRET);
	ppgtt_set(&work->pp, entry, *entry | GEN9_PTE_RW);
	store(work, VA + 8, 0x90);
	expect(work, page + 8, 0x90, "a page that may be written again");
}

static void read_only(void)
{
	work_on_each_engine(check_read_only);
}

/* Two page tables are exchanged by their directory entries. */
static void check_tables_swap(struct work *work)
{
	u64 first = new_page(work), second = new_page(work), *a, *b, swap;

	ppgtt_map(&work->pp, VA, first, GEN9_PAGE_SHIFT_4K);
	ppgtt_map(&work->pp, VA + SIZE_2M, second, GEN9_PAGE_SHIFT_4K);
	store(work, VA, 1);
	store(work, VA + SIZE_2M, 2);
	a = ppgtt_entry(&work->pp, VA, GEN9_PAGE_SHIFT_2M);
	b = ppgtt_entry(&work->pp, VA + SIZE_2M, GEN9_PAGE_SHIFT_2M);
	swap = *a;
	ppgtt_set(&work->pp, a, *b);
	ppgtt_set(&work->pp, b, swap);
	store(work, VA, 3);
	store(work, VA + SIZE_2M, 4);
	expect(work, second, 3, "the page of the second table");
	expect(work, first, 4, "the page of the first table");
}

static void tables_swap(void)
{
	work_on_each_engine(check_tables_swap);
}

/* A table is used as data when nothing leads to it any more, and then as a table again. */
static void check_table_as_data(struct work *work)
{
	u64 first = new_page(work), second = new_page(work), table, *entry;

	ppgtt_map(&work->pp, VA, first, GEN9_PAGE_SHIFT_4K);
	store(work, VA, 1);
	entry = ppgtt_entry(&work->pp, VA, GEN9_PAGE_SHIFT_2M);
	table = *entry & GEN9_PTE_ADDR_MASK;
	ppgtt_set(&work->pp, entry, 0);
	ppgtt_map(&work->pp, VA, table, GEN9_PAGE_SHIFT_4K);
	store(work, VA, (u32)second | GEN9_PTE_PRESENT | GEN9_PTE_RW);
	store(work, VA + 4, second >> 32);
	store(work, VA + 8, 0xdeadbeef);
	expect(work, table + 8, 0xdeadbeef, "a table that is data");
	/* What the engine stored is a table now; its second entry is garbage that nobody uses. */
	ppgtt_set(&work->pp, entry, table | GEN9_PTE_PRESENT | GEN9_PTE_RW);
	store(work, VA + 16, 5);
	expect(work, second + 16, 5, "a page by a table that an engine wrote");
}

static void table_as_data(void)
{
	work_on_each_engine(check_table_as_data);
}

/* One directory in two address spaces: a change is seen in both. */
static void check_shared_tables(struct work *work)
{
	u64 first = new_page(work), second = new_page(work);
	static struct ctx ctx;
	struct ppgtt pp;
	struct cmds cmds = { };

	ppgtt_map(&work->pp, VA, first, GEN9_PAGE_SHIFT_4K);
	ppgtt_init(&pp, &work->guest.ram, 4, PPGTT_SPARSE);
	ppgtt_set(&pp, ppgtt_table(&pp, 0, GEN9_PML4E_INDEX_SHIFT),
		  *ppgtt_table(&work->pp, 0, GEN9_PML4E_INDEX_SHIFT));
	ctx_init(&ctx, work->engine, &pp);
	emit_store(&cmds, PPGTT, VA, 1);
	ctx_run(&ctx, &cmds);
	expect(work, first, 1, "a page in two spaces");
	ppgtt_map(&work->pp, VA, second, GEN9_PAGE_SHIFT_4K);
	store(work, VA, 2);
	cmds.dw[3] = 3;
	ctx_run(&ctx, &cmds);
	expect(work, first, 1, "the page before the change");
	expect(work, second, 3, "the page after the change");
}

static void shared_tables(void)
{
	work_on_each_engine(check_shared_tables);
}

/* One address space on all engines, changed while each of them has seen it. */
static void all_engines(void)
{
	static struct work work;
	static struct ctx ctx[ENGINES];
	unsigned int id, round;

	work_start(&work, target(0), RCS, 4);
	for (id = 0; id < ENGINES; id++)
		ctx_init(&ctx[id], &work.guest.engine[id], &work.pp);
	for (round = 0; round < 5; round++) {
		u64 page = new_page(&work);

		ppgtt_map(&work.pp, VA, page, GEN9_PAGE_SHIFT_4K);
		for (id = 0; id < ENGINES; id++) {
			struct cmds cmds = { };

			emit_store(&cmds, PPGTT, VA + 4 * id, 0x10 * round + id);
			ctx_run(&ctx[id], &cmds);
			expect(&work, page + 4 * id, 0x10 * round + id, work.guest.engine[id].name);
		}
	}
	work_stop(&work);
}

/* Two contexts of different spaces have different memory at the same address. */
static void check_two_spaces(struct work *work)
{
	u64 first = new_page(work), second = new_page(work);
	static struct ctx ctx;
	struct ppgtt pp;
	struct cmds cmds = { };
	unsigned int i;

	ppgtt_init(&pp, &work->guest.ram, 4, PPGTT_SPARSE);
	ctx_init(&ctx, work->engine, &pp);
	ppgtt_map(&work->pp, VA, first, GEN9_PAGE_SHIFT_4K);
	ppgtt_map(&pp, VA, second, GEN9_PAGE_SHIFT_4K);
	emit_increment(&cmds, PPGTT, VA);
	for (i = 0; i < 5; i++) {
		ctx_run(&work->ctx, &cmds);
		ctx_run(&ctx, &cmds);
		ctx_run(&ctx, &cmds);
	}
	expect(work, first, 5, "the first space's page");
	expect(work, second, 10, "the second space's page");
}

static void two_spaces(void)
{
	work_on_each_engine(check_two_spaces);
}

/* A change while the context runs, made known by a lite restore. */
static void check_change_while_running(struct work *work)
{
	u64 first = new_page(work), second = new_page(work);
	struct cmds wait = { }, more = { };
	u32 seqno;

	ppgtt_map(&work->pp, VA, first, GEN9_PAGE_SHIFT_4K);
	emit_store(&wait, PPGTT, VA, 1);
	emit_wait_equal(&wait, GGTT, work->target.ggtt, 1);
	ctx_request(&work->ctx, &wait);
	engine_submit(work->engine, &work->ctx, NULL);
	EXPECT(ram_wait(&work->guest.ram, first, 1, PATIENCE_MS));

	ppgtt_map(&work->pp, VA, second, GEN9_PAGE_SHIFT_4K);
	emit_invalidate(work, &more);
	emit_store(&more, PPGTT, VA, 2);
	seqno = ctx_request(&work->ctx, &more);
	engine_submit(work->engine, &work->ctx, NULL);
	ram_write(&work->guest.ram, work_dword(work, 0), 1);
	ctx_wait(&work->ctx, seqno);
	EXPECT(engine_drain(work->engine, PATIENCE_MS));
	expect(work, first, 1, "the page before the change");
	expect(work, second, 2, "the page after the change");
}

static void change_while_running(void)
{
	work_on_each_engine(check_change_while_running);
}

/* Entries that lead nowhere do no harm as long as nobody uses them. */
static void check_unused_garbage(struct work *work)
{
	u64 page = new_page(work);

	ppgtt_map(&work->pp, VA, page, GEN9_PAGE_SHIFT_4K);
	ppgtt_set(&work->pp, ppgtt_entry(&work->pp, VA + PAGE, GEN9_PAGE_SHIFT_4K),
		  RAM_HOLE_GPA | 3);
	ppgtt_set(&work->pp, ppgtt_entry(&work->pp, VA + SIZE_2M, GEN9_PAGE_SHIFT_2M),
		  RAM_HOLE_GPA | 3);
	ppgtt_set(&work->pp, ppgtt_entry(&work->pp, VA + 2 * SIZE_2M, GEN9_PAGE_SHIFT_2M), ~0ull);
	store(work, VA, 7);
	expect(work, page, 7, "a page beside garbage");
}

static void unused_garbage(void)
{
	work_on_each_engine(check_unused_garbage);
}

static const struct testcase tests[] = {
	{ "ppgtt-corners", corners },
	{ "ppgtt-three-levels", three_levels },
	{ "ppgtt-remap", remap },
	{ "ppgtt-remap-three-levels", remap_3 },
	{ "ppgtt-pointers-change", pdp_changes },
	{ "ppgtt-scratch", scratch },
	{ "ppgtt-scratch-three-levels", scratch_three_levels },
	{ "ppgtt-sparse", sparse },
	{ "ppgtt-burst", burst },
	{ "ppgtt-2m", page_2m },
	{ "ppgtt-split", split },
	{ "ppgtt-64k", page_64k },
	{ "ppgtt-read-only", read_only },
	{ "ppgtt-tables-swap", tables_swap },
	{ "ppgtt-table-as-data", table_as_data },
	{ "ppgtt-shared-tables", shared_tables },
	{ "ppgtt-all-engines", all_engines },
	{ "ppgtt-two-spaces", two_spaces },
	{ "ppgtt-change-while-running", change_while_running },
	{ "ppgtt-unused-garbage", unused_garbage },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
