// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the register tables of Gen9 let a guest do, against lists that are written
 * here by absolute offset, independently of the tables.
 *
 * Offsets: Intel PRM Skylake, volume 2c; IGT, tests/i915/gem_ctx_isolation.c (user
 * registers); Linux i915, gt/intel_workarounds.c and gt/intel_lrc.c (what its rings
 * write), gvt/handlers.c (what is dangerous). golden/i915-registers.txt has what stock
 * i915 touches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include "engine.h"
#include "reg.h"
#include "reg_handler.h"

#define BAR_REGISTERS	0x800000u
#define READ		GVIRT_REG_CMD_READ
#define WRITE		GVIRT_REG_CMD_WRITE
#define RANDOM_ROUNDS	100000

/* Registers first, first + 4, ... last. */
struct range {
	u32 first;
	u32 last;
};

static const struct gvirt_reg_table *table = &gvirt_regs_gen9;
static const u32 bases[GVIRT_ENGINES] = { 0x02000, 0x22000, 0x12000, 0x1a000 };
static u64 random_state = 0x9e3779b97f4a7c15;

static u32 rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (u32)(random_state >> 16);
}

static bool allowed(u32 offset, unsigned int engine, u8 access)
{
	struct gvirt_reg_ref ref = gvirt_reg_find(table, offset);

	return gvirt_reg_cmd_allowed(&ref, engine, access);
}

static const struct gvirt_reg *row_of(u32 offset)
{
	return gvirt_reg_find(table, offset).row;
}

static void test_windows(void **state)
{
	unsigned int engine;

	(void)state;
	assert_int_equal(table->engines, GVIRT_ENGINES);
	for (engine = 0; engine < GVIRT_ENGINES; engine++)
		assert_int_equal(table->base[engine], bases[engine]);
}

/* Offsets in each engine's window. */
static const struct range never_in_window[] = {
	{ 0x028, 0x084 },	/* wait conditions, ring, power, addresses, status page */
	{ 0x098, 0x0bc },	/* status mask, MI_MODE, interrupts, errors */
	{ 0x0c4, 0x0fc },	/* power state, reset control, chicken bits */
	{ 0x110, 0x1fc },	/* batch addresses, BB_OFFSET, watchdog, CCID, workaround batches */
	{ 0x204, 0x244 },	/* page directories, submit port, context control */
	{ 0x24c, 0x28c },	/* semaphore polling, page directory pointers */
	{ 0x298, 0x2c4 },	/* GFX_MODE */
	{ 0x348, 0x35c },	/* totals of all slices, TIMESTAMP */
	{ 0x368, 0x3b8 },	/* context status buffer and its pointer, context timestamp */
	{ 0x458, 0x4fc },	/* FORCE_TO_NONPRIV */
	{ 0x50c, 0x57c },
	{ 0x584, 0x5fc },
	{ 0x680, 0xffc },	/* observation architecture */
};

static const struct range never_global[] = {
	{ 0x00000, 0x01ffc },	/* forcewake, multicast selectors */
	{ 0x03000, 0x051fc },	/* GAM: faults, PAT, TLBs, tiled resources */
	{ 0x05290, 0x06ffc },
	{ 0x0700c, 0x0700c },
	{ 0x07018, 0x07030 },
	{ 0x07038, 0x072fc },
	{ 0x07308, 0x0b114 },	/* fuses, clock gates, GDRST, RPS, RC6, L3 configuration */
	{ 0x0b11c, 0x0e0fc },	/* GuC, MOCS */
	{ 0x0e104, 0x0e17c },
	{ 0x0e18c, 0x0e190 },
	{ 0x0e198, 0x0e454 },	/* TD_CTL */
	{ 0x0e4f4, 0x0e554 },
	{ 0x0e75c, 0x11ffc },
	{ 0x13000, 0x19ffc },
	{ 0x1b000, 0x21ffc },
	{ 0x23000, 0x7ffffc },	/* interrupts, display, fences, pcode, MCHBAR */
};

static void check_never(const struct range *range, u32 base)
{
	unsigned int engine;
	u32 offset;

	for (offset = base + range->first; offset <= base + range->last; offset += 4)
		for (engine = 0; engine < GVIRT_ENGINES; engine++)
			if (allowed(offset, engine, WRITE))
				fail_msg("commands of engine %u may write 0x%x", engine, offset);
}

static void test_what_commands_never_write(void **state)
{
	unsigned int i, engine;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(never_global); i++)
		check_never(&never_global[i], 0);
	for (engine = 0; engine < GVIRT_ENGINES; engine++)
		for (i = 0; i < ARRAY_SIZE(never_in_window); i++)
			check_never(&never_in_window[i], bases[engine]);
}

/* Saved with the context and open to users; or changed by i915's contexts, then noted. */
static const struct range render_writes[] = {
	{ 0x02088, 0x02088 },	/* FF_SLICE_CHICKEN: i915's indirect context batch */
	{ 0x02090, 0x02090 },	/* 3D_CHICKEN3: likewise */
	{ 0x02094, 0x02094 },	/* NOPID */
	{ 0x020c0, 0x020c0 },	/* INSTPM */
	{ 0x02248, 0x02248 },	/* CTX_PREEMPT: i915's whitelist */
	{ 0x02290, 0x02294 }, { 0x022c8, 0x022cc }, { 0x022d8, 0x022dc },
	{ 0x022f0, 0x02344 }, { 0x02360, 0x02364 }, { 0x023bc, 0x023bc },
	{ 0x02400, 0x02420 }, { 0x02430, 0x02440 }, { 0x02448, 0x02454 },
	{ 0x02500, 0x02508 },
	{ 0x02580, 0x02580 },	/* CS_CHICKEN1: i915's workarounds, whitelist */
	{ 0x02600, 0x0267c },
	{ 0x05200, 0x0521c }, { 0x05240, 0x0525c }, { 0x05280, 0x0528c },
	{ 0x07000, 0x07008 }, { 0x07034, 0x07034 },
	{ 0x07014, 0x07014 },	/* COMMON_SLICE_CHICKEN2: i915's workarounds, whitelist */
	{ 0x07300, 0x07304 },	/* HDC_CHICKEN: likewise */
	{ 0x0b118, 0x0b118 },	/* L3SQCREG4: i915's indirect context batch, whitelist */
	{ 0x0e100, 0x0e100 },	/* HALF_SLICE_CHICKEN1: i915's workarounds (Kaby Lake) */
	{ 0x0e180, 0x0e188 }, { 0x0e194, 0x0e194 }, { 0x0e4f0, 0x0e4f0 },	/* its others */
	{ 0x0e458, 0x0e45c }, { 0x0e558, 0x0e55c }, { 0x0e658, 0x0e65c },
	{ 0x0e758, 0x0e758 },	/* EU_PERF_CNTL: i915_perf */
};

static const struct range blitter_writes[] = {
	{ 0x22094, 0x22094 }, { 0x22200, 0x22200 }, { 0x22600, 0x2267c },
};

static const struct range video_writes[] = {
	{ 0x12094, 0x12094 }, { 0x12600, 0x1267c },
};

static const struct range vebox_writes[] = {
	{ 0x1a094, 0x1a094 }, { 0x1a600, 0x1a67c },
};

static const struct {
	const struct range *range;
	unsigned int count;
} writes[GVIRT_ENGINES] = {
	[GVIRT_RCS] = { render_writes, ARRAY_SIZE(render_writes) },
	[GVIRT_BCS] = { blitter_writes, ARRAY_SIZE(blitter_writes) },
	[GVIRT_VCS] = { video_writes, ARRAY_SIZE(video_writes) },
	[GVIRT_VECS] = { vebox_writes, ARRAY_SIZE(vebox_writes) },
};

static bool is_listed(u32 offset, unsigned int engine)
{
	unsigned int i;

	for (i = 0; i < writes[engine].count; i++)
		if (offset >= writes[engine].range[i].first &&
		    offset <= writes[engine].range[i].last)
			return true;
	return false;
}

/* Both ways: nothing more, and nothing that drivers need is missing. */
static void test_what_commands_write(void **state)
{
	unsigned int engine;
	u32 offset;

	(void)state;
	for (engine = 0; engine < GVIRT_ENGINES; engine++)
		for (offset = 0; offset < BAR_REGISTERS; offset += 4)
			if (allowed(offset, engine, WRITE) != is_listed(offset, engine))
				fail_msg("engine %u, register 0x%x: %s", engine, offset,
					 is_listed(offset, engine) ? "refused" : "allowed");
}

/* Not in the context image: argued one by one in the tables' comments. */
static void test_what_outlives_a_context_is_switched(void **state)
{
	static const u32 argued[] = {
		0x02088, 0x02090, 0x02094, 0x12094, 0x1a094, 0x22094, 0x02248, 0x023bc, 0x0b118,
	};
	unsigned int engine, i;
	u32 offset;

	(void)state;
	for (offset = 0; offset < BAR_REGISTERS; offset += 4) {
		const struct gvirt_reg *row = row_of(offset);

		for (engine = 0; engine < GVIRT_ENGINES; engine++) {
			if (!allowed(offset, engine, WRITE) || row->flags & GVIRT_REG_CONTEXT)
				continue;
			assert_true(row->flags & GVIRT_REG_SWITCH);
			for (i = 0; i < ARRAY_SIZE(argued) && argued[i] != offset; i++)
				;
			if (i == ARRAY_SIZE(argued))
				fail_msg("0x%x is not in the context, nor argued", offset);
		}
	}
}

/*
 * The chip lets non-privileged batches write these, and no context image has
 * them: what one vGPU leaves there must not be the next one's.
 */
static void test_user_registers_without_context_are_switched(void **state)
{
	static const struct range ranges[] = {
		{ 0x02094, 0x02094 }, { 0x023bc, 0x023bc }, { 0x02248, 0x02248 },
		{ 0x02b00, 0x02b00 }, { 0x091b8, 0x091c4 }, { 0x0b118, 0x0b118 },
		{ 0x12800, 0x128fc },
	};
	unsigned int i;
	u32 offset;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ranges); i++)
		for (offset = ranges[i].first; offset <= ranges[i].last; offset += 4) {
			assert_non_null(row_of(offset));
			assert_true(row_of(offset)->flags & GVIRT_REG_SWITCH);
			assert_true(row_of(offset)->engines);
		}
}

/* Reading them shows another vGPU's work or the host's addresses. */
static void test_what_commands_never_read(void **state)
{
	static const struct range ranges[] = {
		{ 0x02030, 0x02080 }, { 0x02110, 0x02154 }, { 0x02180, 0x021c8 },
		{ 0x02230, 0x02244 }, { 0x02270, 0x0228c }, { 0x02370, 0x023a0 },
		{ 0x02b00, 0x02b28 }, { 0x00d48, 0x00d48 }, { 0x04094, 0x04094 },
		{ 0x04b10, 0x04b14 }, { 0x091b8, 0x091c4 }, { 0x0c000, 0x0c7fc },
		{ 0x44200, 0x4433c }, { 0x78000, 0x78ffc }, { 0x100000, 0x1000fc },
		{ 0x138104, 0x138110 }, { 0x145948, 0x145948 },
	};
	unsigned int i, engine;
	u32 offset;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ranges); i++)
		for (offset = ranges[i].first; offset <= ranges[i].last; offset += 4)
			for (engine = 0; engine < GVIRT_ENGINES; engine++)
				if (allowed(offset, engine, READ))
					fail_msg("commands may read 0x%x", offset);
}

static void test_commands_stay_with_their_engine(void **state)
{
	unsigned int engine, other;

	(void)state;
	for (engine = 0; engine < GVIRT_ENGINES; engine++)
		for (other = 0; other < GVIRT_ENGINES; other++) {
			assert_int_equal(allowed(bases[engine] + 0x600, other, WRITE),
					 engine == other);
			assert_int_equal(allowed(bases[engine] + 0x358, other, READ),
					 engine == other);
		}
	assert_true(allowed(0x07014, GVIRT_RCS, WRITE));
	assert_false(allowed(0x07014, GVIRT_BCS, WRITE));
	assert_false(allowed(0x07014, GVIRT_VCS, WRITE));
}

/* Modes that decide who is confined, and how: each has its handler, in all windows. */
static void test_mode_registers_are_trapped(void **state)
{
	static const struct {
		u32 offset;
		u8 handler;
	} modes[] = {
		{ 0x030, GVIRT_HANDLER_RING }, { 0x038, GVIRT_HANDLER_RING },
		{ 0x03c, GVIRT_HANDLER_RING }, { 0x080, GVIRT_HANDLER_HWS_PGA },
		{ 0x09c, GVIRT_HANDLER_MI_MODE }, { 0x0a8, GVIRT_HANDLER_RING_IMR },
		{ 0x0d0, GVIRT_HANDLER_RESET_CTL }, { 0x230, GVIRT_HANDLER_ELSP },
		{ 0x29c, GVIRT_HANDLER_GFX_MODE }, { 0x370, GVIRT_HANDLER_CSB },
		{ 0x39c, GVIRT_HANDLER_CSB }, { 0x3a0, GVIRT_HANDLER_CSB_PTR },
		{ 0x4d0, GVIRT_HANDLER_FORCE_TO_NONPRIV },
		{ 0x4fc, GVIRT_HANDLER_FORCE_TO_NONPRIV },
		{ 0x358, GVIRT_HANDLER_TIMESTAMP }, { 0x35c, GVIRT_HANDLER_TIMESTAMP },
		{ 0x06c, GVIRT_HANDLER_ENGINE_STATE }, { 0x074, GVIRT_HANDLER_ENGINE_STATE },
	};
	unsigned int i, engine;

	(void)state;
	for (engine = 0; engine < GVIRT_ENGINES; engine++)
		for (i = 0; i < ARRAY_SIZE(modes); i++) {
			const struct gvirt_reg *row = row_of(bases[engine] + modes[i].offset);

			assert_non_null(row);
			assert_int_equal(row->class, GVIRT_REG_TRAP);
			assert_int_equal(row->handler, modes[i].handler);
			assert_false(row->flags & WRITE);
		}
}

/* Physical addresses, others' activity, firmware: not even in the vGPU's memory. */
static void test_what_is_denied(void **state)
{
	static const u32 offsets[] = {
		0x00d48, 0x02220, 0x02228, 0x1a228, 0x02b00, 0x02b14, 0x02710, 0x04de0, 0x04df4,
		0x04dfc, 0x091b8, 0x09888, 0x0c004, 0x0c050, 0x0c314, 0x0c340, 0x0c4c8,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(offsets); i++) {
		assert_non_null(row_of(offsets[i]));
		assert_int_equal(row_of(offsets[i])->class, GVIRT_REG_DENY);
		assert_int_equal(row_of(offsets[i])->reset, 0);
	}
}

static void test_reset_values_that_drivers_wait_for(void **state)
{
	static const struct {
		u32 offset;
		u32 value;
	} resets[] = {
		{ 0x0209c, 0x00000200 },	/* the ring is idle */
		{ 0x2209c, 0x00000200 },
		{ 0x0206c, 0xffffffff },	/* all units are done */
		{ 0x07100, 0xffffffff },
		{ 0x020a8, 0xffffffff },	/* interrupts are masked */
		{ 0x44304, 0xffffffff },
		{ 0x023a0, 0x00000505 },	/* the last of six entries */
		{ 0x08504, 0x00000001 },	/* RC6 kept its context */
		{ 0x0c000, 0x00000001 },	/* the GuC is in reset */
		{ 0x51000, 0x50200000 },	/* no pipe */
		{ 0x42000, 0x8e000000 },	/* fuses are distributed */
		{ 0x42300, 0x00000000 },	/* no access was unclaimed */
		{ 0x00d84, 0x00000000 },	/* no well is awake */
		{ 0x0941c, 0x00000000 },
		{ 0x120010, 0x00000000 },	/* no eDRAM */
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(resets); i++) {
		assert_non_null(row_of(resets[i].offset));
		assert_int_equal(row_of(resets[i].offset)->reset, resets[i].value);
	}
}

static u32 nopid(unsigned int engine)
{
	return bases[engine] + 0x94;
}

static void test_nonpriv_takes_the_whitelists_of_i915(void **state)
{
	/* Skylake and Kaby Lake; Coffee Lake's reads of counters; Comet Lake's of time. */
	static const u32 render[] = {
		0x2248, 0x2580, 0x7014, 0x7304, 0xb118, 0x2094, 0x10002349,
	};
	unsigned int i, engine;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(render); i++)
		assert_int_equal(gvirt_reg_nonpriv_value(table, GVIRT_RCS, render[i]), render[i]);
	for (engine = GVIRT_BCS; engine < GVIRT_ENGINES; engine++) {
		u32 value = bases[engine] + 0x3a8 + 0x10000000;

		assert_int_equal(gvirt_reg_nonpriv_value(table, engine, value), value);
		assert_int_equal(gvirt_reg_nonpriv_value(table, engine, nopid(engine)),
				 nopid(engine));
	}
}

static void test_nonpriv_takes_nothing_else(void **state)
{
	static const u32 bad[] = {
		0x00000000, 0x0000229c, 0x00002080, 0x00002230, 0x00002270, 0x000024d0,
		0x00004094, 0x00004de0, 0x0000209c, 0x0000941c, 0x00044200, 0x00100000,
		0x00022600,	/* another engine's */
		0x00002088,	/* one bit only: batches are not audited */
		0x00002581,	/* a range of four, for writing */
		0x40002580,	/* deny */
		0x30002580,	/* no such access */
		0x10002271,	/* to read page directories */
		0x1000234b,	/* a range that reaches beyond the counters */
		0x13fffffc, 0xffffffff, 0x03fffffc,
	};
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (gvirt_reg_nonpriv_value(table, GVIRT_RCS, bad[i]) != 0x2094)
			fail_msg("a slot took %08x", bad[i]);
	assert_int_equal(gvirt_reg_nonpriv_value(table, GVIRT_BCS, 0x7014), 0x22094);
}

/* Whatever is taken for writing is one register that commands may write. */
static void test_nonpriv_random(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < RANDOM_ROUNDS; i++) {
		unsigned int engine = rnd() % GVIRT_ENGINES;
		u32 value = rnd() & (i % 2 ? 0xf000ffff : 0x0003ffff);
		u32 taken = gvirt_reg_nonpriv_value(table, engine, value);
		u32 offset = taken & 0x03fffffc;

		if (taken == nopid(engine))
			continue;
		assert_int_equal(taken, value);
		if ((taken & 0x70000000) == 0x10000000) {
			assert_true(allowed(offset, engine, READ));
		} else {
			assert_true(allowed(offset, engine, WRITE));
			assert_int_equal(taken & 0xd0000003, 0);
		}
	}
}

/* One line of the golden list: every register is known, no stock access is refused. */
static void check_golden(u32 offset, const char *access)
{
	const struct gvirt_reg *row = row_of(offset);

	if (!row)
		fail_msg("stock i915 touches 0x%06x, which has no row", offset);
	if (strchr(access, 'w') && (row->class == GVIRT_REG_DENY ||
				    row->class == GVIRT_REG_HW_READ))
		fail_msg("stock i915 writes 0x%06x (%s), which takes no writes", offset,
			 row->name);
	if (strchr(access, 'R') && !allowed(offset, GVIRT_RCS, READ))
		fail_msg("stock i915's commands read 0x%06x (%s)", offset, row->name);
	if (strchr(access, 'W') && !allowed(offset, GVIRT_RCS, WRITE))
		fail_msg("stock i915's commands write 0x%06x (%s)", offset, row->name);
}

static void test_stock_i915_meets_known_registers_only(void **state)
{
	FILE *golden = fopen(GOLDEN_DIR "/i915-registers.txt", "r");
	unsigned int lines = 0;
	char line[256];
	char *access;
	u32 offset;

	(void)state;
	if (!golden)
		fail_msg("cannot open " GOLDEN_DIR "/i915-registers.txt");
	while (fgets(line, sizeof(line), golden)) {
		if (line[0] == '#')
			continue;
		offset = (u32)strtoul(line, &access, 16);
		access[strcspn(access, "d\n")] = '\0';	/* "display" is for readers */
		assert_true(strpbrk(access, "rwRW"));
		check_golden(offset, access);
		lines++;
	}
	fclose(golden);
	/* The list was not lost: a probe alone touches some 550 registers. */
	assert_true(lines > 550);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_what_commands_never_write),
		cmocka_unit_test(test_what_commands_write),
		cmocka_unit_test(test_what_outlives_a_context_is_switched),
		cmocka_unit_test(test_user_registers_without_context_are_switched),
		cmocka_unit_test(test_what_commands_never_read),
		cmocka_unit_test(test_commands_stay_with_their_engine),
		cmocka_unit_test(test_mode_registers_are_trapped),
		cmocka_unit_test(test_what_is_denied),
		cmocka_unit_test(test_reset_values_that_drivers_wait_for),
		cmocka_unit_test(test_nonpriv_takes_the_whitelists_of_i915),
		cmocka_unit_test(test_nonpriv_takes_nothing_else),
		cmocka_unit_test(test_nonpriv_random),
		cmocka_unit_test(test_stock_i915_meets_known_registers_only),
	};

	return cmocka_run_group_tests_name("reg_policy", tests, NULL, NULL);
}
