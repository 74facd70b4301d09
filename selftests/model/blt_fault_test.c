// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the 2D engine where something is wrong: faults, commands that are
 * cut off or make no sense, and a reset in the middle.
 */
#include "blt_fixture.h"

static struct ref_op page_rows(u32 rows)
{
	return (struct ref_op){
		.depth = 3, .cpp = 4, .alpha = true, .rgb = true, .rop = 0xf0,
		.dst = { LINEAR, 64 << 10, 4096 }, .x2 = 1024, .y2 = (int)rows,
		.pattern = SOLID, .solid = 0x12345678,
	};
}

/* A row is a page; one page is not there. What is before it is drawn, and nothing behind. */
static void test_write_fault(void **state)
{
	struct fixture *f = *state;
	struct ref_op op = page_rows(10);
	struct gm_fault fault;
	struct encoder e;

	fill(f);
	set_entry(f, 16 + 5, false);
	ref_encode(&e, &op, 0x50, 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_FAULT);
	op.y2 = 5;
	ref_draw(&op, f->expect, f->before);
	check(f);
	fault = gm_mmu_take_fault(f->mmu);
	assert_true(fault.valid);
	assert_true(fault.write);
	assert_int_equal(fault.space, GM_SPACE_GGTT);
	assert_int_equal(fault.va, (64 << 10) + 5 * 4096);
	assert_int_equal(atomic_load(&f->stats.counter[GM_COUNT_BLIT_BYTES]), 5 * 4096);
}

/* In the middle of a row: a read fault is found before that part of the row is written. */
static void test_read_fault(void **state)
{
	struct fixture *f = *state;
	struct ref_op op = page_rows(3);
	struct gm_fault fault;
	struct encoder e;

	fill(f);
	op.rop = 0xcc;
	op.source = COLOR_SOURCE;
	op.pattern = NO_PATTERN;
	op.src = (struct ref_surface){ LINEAR, (1 << 20) + 2048, 4096 };
	set_entry(f, 256 + 2, false);
	ref_encode(&e, &op, 0x53, 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_FAULT);
	op.y2 = 1;
	ref_draw(&op, f->expect, f->before);
	check(f);
	fault = gm_mmu_take_fault(f->mmu);
	assert_true(fault.valid);
	assert_false(fault.write);
	assert_int_equal(fault.va, (1 << 20) + 2 * 4096);
}

/* Pages that are outside guest memory: no fault, ones are read and writes are dropped. */
static void test_outside_memory(void **state)
{
	struct fixture *f = *state;
	struct ref_op op = page_rows(2);
	u64 entry = (u64)SIZE | GEN9_GGTT_PRESENT;
	struct encoder e;

	fill(f);
	assert_true(gm_ggtt_access(f->memory.ggtt, 1000 * 8, &entry, 8, true));
	op.rop = 0xcc;
	op.source = COLOR_SOURCE;
	op.pattern = NO_PATTERN;
	op.src = (struct ref_surface){ LINEAR, 1000 << 12, 0 };
	ref_encode(&e, &op, 0x53, 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_DONE);
	memset(f->expect + (64 << 10), 0xff, 2 * 4096);
	check(f);
	assert_true(atomic_load(&f->stats.misuse[GM_MISUSE_DMA_FAULT]) > 0);
}

/* The surfaces are looked up in the space that the streamer names. */
static void test_space(void **state)
{
	struct fixture *f = *state;
	static const u8 empty_table[4096];
	static const u64 pdp[4];
	struct ref_op op = page_rows(1);
	struct encoder e;

	fill(f);
	poke(f, 0, empty_table, sizeof(empty_table));
	gm_mmu_set_ppgtt(f->mmu, true, pdp);
	ref_encode(&e, &op, 0x50, 0);
	assert_int_equal(gm_blt_execute(&f->blt, GM_SPACE_PPGTT, 0, e.dw, e.count), GM_BLT_FAULT);
	assert_int_equal(gm_mmu_take_fault(f->mmu).space, GM_SPACE_PPGTT);
	check(f);
}

/* Every command, cut off anywhere, is undefined and draws nothing. */
static void test_short_commands(void **state)
{
	struct fixture *f = *state;
	static u8 bits[8192];
	u32 i, full;

	fill(f);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct ref_op op = page_rows(4);
		struct encoder e;
		u32 bytes = 0;

		op.x2 = 20;
		op.source = kinds[i].source;
		op.pattern = kinds[i].pattern;
		if (op.source == MONO_SOURCE || op.source == MONO_SOURCE_IMM)
			bytes = random_mono(f, &op, bits);
		op.x2 = op.source == MONO_SOURCE_IMM ? op.x2 + 1 : op.x2;
		op.y2 = op.source == MONO_SOURCE_IMM ? op.y2 + 1 : op.y2;
		op.key = kinds[i].key;
		ref_encode(&e, &op, kinds[i].opcode, bytes);
		full = op.source == MONO_SOURCE_IMM ? 8 : e.count;
		for (e.count = 1; e.count < full; e.count++)
			assert_int_equal(run(f, &e, 0), GM_BLT_UNDEFINED);
		check(f);
	}
}

static void test_undefined_commands(void **state)
{
	static const u32 opcodes[] = { 0x00, 0x02, 0x10, 0x41, 0x44, 0x48, 0x59, 0x5a, 0x70, 0x78 };
	struct fixture *f = *state;
	struct ref_op op = page_rows(4);
	struct encoder e;
	u32 i;

	fill(f);
	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		ref_encode(&e, &op, opcodes[i], 0);
		assert_int_equal(run(f, &e, 0), GM_BLT_UNDEFINED);
	}
	/* Rows and text without a setup; tiles above or left of the first. */
	e = (struct encoder){ .dw = { 0x49400001 }, .count = 3 };
	assert_int_equal(run(f, &e, 0), GM_BLT_UNDEFINED);
	op.dst.layout = TILE_X;
	op.y1 = -1;
	ref_encode(&e, &op, 0x50, 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_UNDEFINED);
	check(f);
}

/* A dword that is a small coordinate, an address in memory, a flag, nothing, or anything. */
static u32 noise(struct fixture *f)
{
	static const u32 masks[] = { 0x003f003f, 0x001fffff, 0xff00ffff, 0, 0, 0xffffffff };
	u32 mask = masks[rnd(f, ARRAY_SIZE(masks))];

	return (f->random >> 8) & mask;
}

/* Corners that may be anywhere, but not far away from each other both ways: time is short. */
static u32 noisy_corner(struct fixture *f)
{
	static const u32 masks[] = { 0x003f003f, 0x001f803f, 0x803f001f };

	rnd(f, 1);
	return (f->random >> 8) & masks[f->random % 3];
}

/* Noise as commands: any answer will do, as long as it comes and nothing else is touched. */
static void test_noise(void **state)
{
	struct fixture *f = *state;
	u32 status[3] = { 0 };
	struct encoder e;
	u32 round, i;

	fill(f);
	for (round = 0; round < 20000; round++) {
		e.count = 1 + rnd(f, round & 1 ? 16 : 200);
		for (i = 0; i < e.count; i++)
			e.dw[i] = i == 2 || i == 3 ? noisy_corner(f) : noise(f);
		e.dw[0] = 2u << 29 | (round % 128) << 22 | (e.dw[0] & 0x3fffff);
		status[run(f, &e, rnd(f, 4))]++;
		gm_mmu_take_fault(f->mmu);
	}
	assert_true(status[GM_BLT_DONE] && status[GM_BLT_UNDEFINED] && status[GM_BLT_FAULT]);
}

/* Wait, ten seconds at the most, until something is drawn; then stop it. */
static void *abort_when_drawing(void *arg)
{
	const struct timespec delay = { .tv_nsec = 1000 * 1000 };
	struct fixture *f = arg;
	u32 *first = (u32 *)page_at(f, 16);
	u32 i;

	for (i = 0; i < 10000 && !__atomic_load_n(first, __ATOMIC_RELAXED); i++)
		nanosleep(&delay, NULL);
	atomic_store(&f->abort, true);
	return NULL;
}

/* The largest rectangle there is, all rows on one: gigabytes, until it is told to stop. */
static void test_abort(void **state)
{
	struct fixture *f = *state;
	struct ref_op op = page_rows(32767);
	struct encoder e;
	pthread_t thread;
	u64 bytes;

	op.dst.pitch = 0;
	op.x2 = 32767;
	op.rop = 0xfa;
	ref_encode(&e, &op, 0x50, 0);
	assert_int_equal(pthread_create(&thread, NULL, abort_when_drawing, f), 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_DONE);
	pthread_join(thread, NULL);
	bytes = atomic_load(&f->stats.counter[GM_COUNT_BLIT_BYTES]);
	assert_true(bytes > 0 && bytes < 32767ull * 32767 * 4);
}

/* Told to stop before it begins. */
static void test_aborted_before(void **state)
{
	struct fixture *f = *state;
	struct ref_op op = page_rows(4);
	struct encoder e;

	fill(f);
	atomic_store(&f->abort, true);
	ref_encode(&e, &op, 0x50, 0);
	assert_int_equal(run(f, &e, 0), GM_BLT_DONE);
	check(f);
}

/*
 * The whole opcode map of the engine (PRM Tiger Lake, volume 10, "2D Command Map", without what
 * Gen12 added): all is carried out but XY_MONO_PAT_FIXED_BLT, 0x59.
 */
static void test_opcode_map(void **state)
{
	static const u8 opcodes[] = {
		0x01, 0x03, 0x11, 0x24, 0x25, 0x26, 0x31, 0x40, 0x42, 0x43, 0x50, 0x51, 0x52, 0x53,
		0x54, 0x55, 0x56, 0x57, 0x58, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77,
	};
	struct fixture *f = *state;
	enum gm_blt_status expected;
	u32 cmd[64] = { 0 };
	unsigned int opcode;

	for (opcode = 0; opcode < 0x80; opcode++) {
		cmd[0] = 0x40000000 | opcode << 22 | (ARRAY_SIZE(cmd) - 2);
		expected = memchr(opcodes, opcode, sizeof(opcodes)) ? GM_BLT_DONE :
								      GM_BLT_UNDEFINED;
		assert_int_equal(gm_blt_execute(&f->blt, GM_SPACE_GGTT, 0, cmd, ARRAY_SIZE(cmd)),
				 expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_write_fault),
		TEST(test_read_fault),
		TEST(test_outside_memory),
		TEST(test_space),
		TEST(test_short_commands),
		TEST(test_undefined_commands),
		TEST(test_opcode_map),
		TEST(test_noise),
		TEST(test_abort),
		TEST(test_aborted_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
