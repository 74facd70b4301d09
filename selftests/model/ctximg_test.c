// SPDX-License-Identifier: GPL-2.0-only
/*
 * Context images: the layout that drivers know, written out here a second
 * time; restoring and saving against plain arrays of registers; images that
 * no driver should write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>
#include "ctximg.h"
#include "guest_memory.h"
#include "mmu.h"
#include "stats.h"

#define RCS_BASE	0x2000u
#define BCS_BASE	0x22000u
#define RAM_SIZE	0x8000u
#define LRCA		0x2000u
#define UNMAPPED_LRCA	0x100000u
#define BATCH_END	0x05000000u

struct fixture {
	struct gm_stats stats;
	struct guest_memory memory;
	struct gm_mmu *mmu;
	struct gm_ctximg img;
	u8 *ram;
	u32 *page;		/* the register page of the context at LRCA */
	u32 reg[0x10000];	/* by absolute offset / 4 */
	unsigned int loads;
	u64 random;
};

static u64 rnd(struct fixture *f)
{
	return next_random(&f->random);
}

static void load_reg(void *opaque, u32 offset, u32 value)
{
	struct fixture *f = opaque;

	assert_true(offset / 4 < ARRAY_SIZE(f->reg));
	f->reg[offset / 4] = value;
	f->loads++;
}

static u32 store_reg(void *opaque, u32 offset)
{
	struct fixture *f = opaque;

	assert_true(offset / 4 < ARRAY_SIZE(f->reg));
	return f->reg[offset / 4];
}

static int setup_base(void **state, u32 base)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->random = 0x9e3779b97f4a7c15;
	guest_memory_create(&f->memory, RAM_SIZE, &f->stats);
	guest_memory_map_one_to_one(&f->memory, RAM_SIZE);
	f->ram = f->memory.bytes;
	f->mmu = gm_mmu_create(0, f->memory.dma, f->memory.ggtt, &f->stats);
	f->img.mmu = f->mmu;
	f->img.stats = &f->stats;
	f->img.load = load_reg;
	f->img.store = store_reg;
	f->img.opaque = f;
	gm_ctximg_init(&f->img, base, base == RCS_BASE);
	f->page = (u32 *)(f->ram + LRCA + 4096);
	*state = f;
	return 0;
}

static int setup_render(void **state)
{
	return setup_base(state, RCS_BASE);
}

static int setup_blitter(void **state)
{
	return setup_base(state, BCS_BASE);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	gm_mmu_destroy(f->mmu);
	guest_memory_destroy(&f->memory);
	free(f);
	return 0;
}

static u64 image_misuse(struct fixture *f)
{
	return atomic_load(&f->stats.misuse[GM_MISUSE_CONTEXT_IMAGE]);
}

/* What every driver expects of the first 0xaa dwords. */
static const struct {
	unsigned int dw;
	u32 header;
	u32 reg;
} common_layout[] = {
	{ 0x01, 0x1100101b, 0 },
	{ 0x02, 0, 0x244 }, { 0x04, 0, 0x034 }, { 0x06, 0, 0x030 }, { 0x08, 0, 0x038 },
	{ 0x0a, 0, 0x03c }, { 0x0c, 0, 0x168 }, { 0x0e, 0, 0x140 }, { 0x10, 0, 0x110 },
	{ 0x12, 0, 0x11c }, { 0x14, 0, 0x114 }, { 0x16, 0, 0x118 }, { 0x18, 0, 0x1c0 },
	{ 0x1a, 0, 0x1c4 }, { 0x1c, 0, 0x1c8 },
	{ 0x21, 0x11001011, 0 },
	{ 0x22, 0, 0x3a8 }, { 0x24, 0, 0x28c }, { 0x26, 0, 0x288 }, { 0x28, 0, 0x284 },
	{ 0x2a, 0, 0x280 }, { 0x2c, 0, 0x27c }, { 0x2e, 0, 0x278 }, { 0x30, 0, 0x274 },
	{ 0x32, 0, 0x270 },
	{ 0x51, 0x11001057, 0 },
	{ 0x52, 0, 0x028 }, { 0x54, 0, 0x09c }, { 0x56, 0, 0x0c0 }, { 0x58, 0, 0x178 },
	{ 0x5a, 0, 0x17c }, { 0x5c, 0, 0x358 }, { 0x5e, 0, 0x170 }, { 0x60, 0, 0x150 },
	{ 0x62, 0, 0x154 }, { 0x64, 0, 0x158 }, { 0x66, 0, 0x41c }, { 0x68, 0, 0x600 },
	{ 0x6a, 0, 0x604 }, { 0xa6, 0, 0x67c }, { 0xa8, 0, 0x068 },
};

static void check_common(struct fixture *f, u32 base)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(common_layout); i++) {
		u32 expect = common_layout[i].header;

		if (!expect)
			expect = base + common_layout[i].reg;
		assert_int_equal(f->page[common_layout[i].dw], expect);
	}
	assert_int_equal(f->page[0x00], 0);
	assert_int_equal(f->page[0x1e], 0);
	assert_int_equal(f->page[0x20], 0);
	assert_int_equal(f->page[0x34], 0);
	assert_int_equal(f->page[0x40], 0);
	assert_int_equal(f->page[0x44], 0);
	assert_int_equal(f->page[0x50], 0);
}

static void render_layout_test(void **state)
{
	struct fixture *f = *state;
	unsigned int i;
	static const u32 eu_perf[] = { 0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c };

	assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
	check_common(f, RCS_BASE);
	assert_int_equal(f->page[0x41], 0x11000001);
	assert_int_equal(f->page[0x42], 0x20c8);
	/* Where i915's OA support patches values. */
	assert_int_equal(f->page[0x128], 0x2360);
	for (i = 0; i < ARRAY_SIZE(eu_perf); i++)
		assert_int_equal(f->page[0x3de + 2 * i], eu_perf[i]);
	assert_int_equal(f->page[0x3ec], BATCH_END);
	/* One page, and not a dword beyond. */
	for (i = 4096; i < LRCA; i++)
		assert_int_equal(f->ram[i], 0);
	for (i = LRCA + 8192; i < RAM_SIZE; i++)
		assert_int_equal(f->ram[i], 0);
}

static void blitter_layout_test(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
	check_common(f, BCS_BASE);
	assert_int_equal(f->page[0x41], 0x11001001);
	assert_int_equal(f->page[0x42], 0x22200);
	assert_int_equal(f->page[0xaa], BATCH_END);
	assert_int_equal(f->page[0xab], 0);
}

/* The page as a list of commands: headers that fit, no register twice, an end. */
static void well_formed_test(void **state)
{
	struct fixture *f = *state;
	static u8 seen[0x10000];
	unsigned int dw = 0, end;

	memset(seen, 0, sizeof(seen));
	assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
	while (f->page[dw] != BATCH_END) {
		if (!f->page[dw]) {
			dw++;
			continue;
		}
		assert_int_equal(f->page[dw] & 0xffffef00, 0x11000000);
		end = dw + 2 + (f->page[dw] & 0xff);
		for (dw++; dw < end; dw += 2) {
			assert_int_equal(f->page[dw] & 3, 0);
			assert_int_equal(seen[f->page[dw] / 4]++, 0);
		}
		assert_true(dw < 1024);
	}
}

static void fill_random(struct fixture *f)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(f->reg); i++)
		f->reg[i] = (u32)rnd(f);
	f->reg[(f->img.base + 0x244) / 4] = 0x8;
}

static void roundtrip_test(void **state)
{
	struct fixture *f = *state;
	static u32 before[0x10000];
	unsigned int dw, registers = 0;

	fill_random(f);
	memcpy(before, f->reg, sizeof(before));
	f->page[7] = before[(f->img.base + 0x30) / 4];
	assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
	fill_random(f);
	assert_int_equal(gm_ctximg_restore(&f->img, LRCA), GM_CTXIMG_OK);
	for (dw = 0; dw < 1024; dw++) {
		if (!f->img.is_reg[dw])
			continue;
		assert_int_equal(f->reg[f->img.layout[dw] / 4], before[f->img.layout[dw] / 4]);
		registers++;
	}
	assert_true(registers >= 14 + 9 + 1 + 44);
	assert_int_equal(f->loads, registers);
	assert_int_equal(image_misuse(f), 0);
}

static void tail_is_softwares_test(void **state)
{
	struct fixture *f = *state;

	f->reg[(f->img.base + 0x30) / 4] = 0x100;
	f->page[7] = 0x200;
	assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
	assert_int_equal(f->page[7], 0x200);

	/* A lite restore loads it, and nothing else. */
	f->page[5] = 0x40;
	assert_int_equal(gm_ctximg_restore_lite(&f->img, LRCA, false), GM_CTXIMG_OK);
	assert_int_equal(f->loads, 1);
	assert_int_equal(f->reg[(f->img.base + 0x30) / 4], 0x200);
	f->page[0x33] = 0x7000;
	f->page[0x25] = 0x12;
	assert_int_equal(gm_ctximg_restore_lite(&f->img, LRCA, true), GM_CTXIMG_OK);
	assert_int_equal(f->loads, 10);
	assert_int_equal(f->reg[(f->img.base + 0x270) / 4], 0x7000);
	assert_int_equal(f->reg[(f->img.base + 0x28c) / 4], 0x12);
}

static void inhibit_test(void **state)
{
	struct fixture *f = *state;
	u32 *control = &f->reg[(f->img.base + 0x244) / 4];
	u32 *gpr = &f->reg[(f->img.base + 0x600) / 4];

	assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
	f->page[0x69] = 0x1234;
	f->page[0x09] = 0x5000;
	f->page[0x03] = 0x9;
	*gpr = 0x77;
	assert_int_equal(gm_ctximg_restore(&f->img, LRCA), GM_CTXIMG_OK);
	assert_int_equal(*gpr, 0x77);
	assert_int_equal(f->reg[(f->img.base + 0x38) / 4], 0x5000);
	assert_int_equal(*control, 0x9);

	/* The save takes the bit back; with the other bit it saves the ring only. */
	assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
	assert_int_equal(f->page[0x03], 0x8);
	assert_int_equal(f->page[0x69], 0x77);
	*control = 0x4;
	*gpr = 0x88;
	f->reg[(f->img.base + 0x34) / 4] = 0x40;
	assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
	assert_int_equal(f->page[0x69], 0x77);
	assert_int_equal(f->page[0x05], 0x40);
}

static void unmapped_test(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(gm_ctximg_restore(&f->img, UNMAPPED_LRCA), GM_CTXIMG_FAULT);
	assert_int_equal(gm_ctximg_restore_lite(&f->img, UNMAPPED_LRCA, true), GM_CTXIMG_FAULT);
	assert_int_equal(gm_ctximg_save(&f->img, UNMAPPED_LRCA), GM_CTXIMG_FAULT);
	assert_int_equal(f->loads, 0);
	/* At the very end of the GGTT. */
	assert_int_equal(gm_ctximg_restore(&f->img, 0xfffff000), GM_CTXIMG_FAULT);
}

static void malformed_test(void **state)
{
	struct fixture *f = *state;
	static const struct {
		unsigned int dw;
		u32 value;
	} bad[] = {
		{ 0x01, 0 },		/* no ring */
		{ 0x01, 0x12000002 },	/* another command */
		{ 0x20, 0xdeadbeef },
		{ 0x51, 0x11001056 },	/* half a pair */
		{ 0xaa, 0x7a000004 },	/* a 3D command */
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
		f->page[bad[i].dw] = bad[i].value;
		assert_int_equal(gm_ctximg_restore(&f->img, LRCA), GM_CTXIMG_MALFORMED);
		assert_int_equal(image_misuse(f), i + 1);
		memset(f->page, 0, 4096);
	}
	/* The last header of the page reaches beyond it. */
	assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
	f->page[0xaa] = 0;
	memset(f->page + 0xab, 0, 4096 - 4 * 0xab);
	f->page[1023] = 0x11000001;
	assert_int_equal(gm_ctximg_restore(&f->img, LRCA), GM_CTXIMG_MALFORMED);
}

/* Registers that are no part of a context cannot be reached through an image. */
static void foreign_register_test(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(gm_ctximg_save(&f->img, LRCA), GM_CTXIMG_OK);
	f->page[0x56] = 0x941c;
	f->page[0x57] = 0xffffffff;
	f->page[0x58] = 0xfffffffc;
	f->page[0x5a] = f->img.base + 0x230;
	f->page[0x5b] = 0xffffffff;
	assert_int_equal(gm_ctximg_restore(&f->img, LRCA), GM_CTXIMG_OK);
	assert_int_equal(image_misuse(f), 3);
	assert_int_equal(f->reg[0x941c / 4], 0);
	assert_int_equal(f->reg[(f->img.base + 0x230) / 4], 0);
}

/* Other places are as good, as for the hardware: a short list in another order. */
static void other_order_test(void **state)
{
	struct fixture *f = *state;
	const u32 page[] = {
		0, 0x11000003, f->img.base + 0x38, 0x3000, f->img.base + 0x34, 0x18,
		0, 0, 0x11000001, f->img.base + 0x608, 0x99, BATCH_END,
	};

	memcpy(f->page, page, sizeof(page));
	assert_int_equal(gm_ctximg_restore(&f->img, LRCA), GM_CTXIMG_OK);
	assert_int_equal(f->loads, 3);
	assert_int_equal(f->reg[(f->img.base + 0x38) / 4], 0x3000);
	assert_int_equal(f->reg[(f->img.base + 0x608) / 4], 0x99);
	assert_int_equal(image_misuse(f), 0);
}

/* Whatever the page holds, a restore ends and touches context registers only. */
static void random_pages_test(void **state)
{
	struct fixture *f = *state;
	unsigned int round, i;

	for (round = 0; round < 300; round++) {
		for (i = 0; i < 1024; i++) {
			u32 value = (u32)rnd(f);

			/* Mostly what passes the first look. */
			if (value & 1)
				value = 0x11000001 | (value & 0xff0);
			else if (value & 2)
				value = f->img.layout[value >> 22];
			f->page[i] = value;
		}
		f->page[0] = 0;
		f->page[1] = 0x11000001;
		f->loads = 0;
		gm_ctximg_restore(&f->img, LRCA);
		assert_true(f->loads <= 512);
	}
}

#define RENDER_TEST(name) cmocka_unit_test_setup_teardown(name, setup_render, teardown)
#define BLITTER_TEST(name) cmocka_unit_test_setup_teardown(name, setup_blitter, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RENDER_TEST(render_layout_test),
		BLITTER_TEST(blitter_layout_test),
		RENDER_TEST(well_formed_test),
		BLITTER_TEST(well_formed_test),
		RENDER_TEST(roundtrip_test),
		BLITTER_TEST(roundtrip_test),
		RENDER_TEST(tail_is_softwares_test),
		BLITTER_TEST(inhibit_test),
		RENDER_TEST(inhibit_test),
		RENDER_TEST(unmapped_test),
		BLITTER_TEST(malformed_test),
		RENDER_TEST(foreign_register_test),
		RENDER_TEST(other_order_test),
		RENDER_TEST(random_pages_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
