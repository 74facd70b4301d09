// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a batch in the PPGTT must not do: every command that could reach more
 * than its own address space, from the inside and with privilege for comparison.
 */
#include <linux/array_size.h>
#include "cs_fixture.h"

#define USER	GEN9_MI_BBS_PPGTT
#define GLOBAL	0xeeeeeeeeu	/* what is in the global GTT before */

#define IMMEDIATE	((u32)GEN9_POST_SYNC_IMMEDIATE << GEN9_PC_POST_SHIFT)
#define FLUSH_IMMEDIATE	((u32)GEN9_POST_SYNC_IMMEDIATE << GEN9_MI_FLUSH_DW_POST_SHIFT)

/* Run @dw and an end as a batch; reports whether the privilege was violated. */
static bool run_dwords(struct fixture *f, u32 flags, const u32 *dw, size_t bytes)
{
	u32 *at = flags & USER ? local(f, BATCH) : global(f, BATCH);

	memcpy(at, dw, bytes);
	at[bytes / 4] = GEN9_MI_BATCH_BUFFER_END;
	gm_cs_set(f->cs, GEN9_RING_ESR, 0);
	run_batch(f, flags);
	return gm_cs_reg(f->cs, GEN9_RING_ESR) & GEN9_ERROR_PRIVILEGE;
}

#define RUN(f, flags, ...) \
	run_dwords(f, flags, (const u32[]){ __VA_ARGS__ }, sizeof((const u32[]){ __VA_ARGS__ }))

/* Commands that would write to DATA of the global GTT. */
static const struct {
	const char *name;
	u32 dw[8];
	unsigned int count;
	u32 result;
} global_writes[] = {
	{ "store", { STORE(GEN9_MI_STORE_GGTT, DATA, 1) }, 4, 1 },
	{ "store register", { GEN9_MI_STORE_REGISTER_MEM | GEN9_MI_SRM_GGTT | LEN(4), OTHER_REG,
			      DATA, 0 }, 4, 0x77 },
	{ "copy", { GEN9_MI_COPY_MEM_MEM | GEN9_MI_COPY_DST_GGTT | LEN(5), DATA, 0, DATA + 4, 0 },
	  5, 0x55 },
	{ "atomic", { GEN9_MI_ATOMIC | GEN9_MI_ATOMIC_GGTT |
		      GEN9_ATOMIC_INC << GEN9_MI_ATOMIC_OP_SHIFT | LEN(3), DATA, 0 }, 3,
	  GLOBAL + 1 },
	{ "report", { GEN9_MI_REPORT_PERF_COUNT | LEN(4), DATA | GEN9_MI_REPORT_PERF_GGTT, 0, 7 },
	  4, 7 },
	{ "pipe control", { PIPE(GEN9_PC_GGTT | IMMEDIATE, DATA, 3, 4) }, 6, 3 },
};

static void global_writes_are_refused(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	f->registers[OTHER_REG / 4] = 0x77;
	*local(f, DATA + 4) = 0x55;
	for (i = 0; i < ARRAY_SIZE(global_writes); i++) {
		size_t bytes = 4 * global_writes[i].count;

		*global(f, DATA) = GLOBAL;
		*local(f, DATA) = 0;
		if (!run_dwords(f, USER, global_writes[i].dw, bytes) ||
		    *global(f, DATA) != GLOBAL || *local(f, DATA))
			fail_msg("%s was not refused", global_writes[i].name);
		if (run_dwords(f, 0, global_writes[i].dw, bytes) ||
		    *global(f, DATA) != global_writes[i].result)
			fail_msg("%s does not work with privilege", global_writes[i].name);
	}
	assert_int_equal(gm_stats_misuse_total(&f->stats), 0);
}

static void global_flush_is_refused(void **state)
{
	const u32 imm = GEN9_MI_FLUSH_DW | FLUSH_IMMEDIATE | GEN9_MI_FLUSH_DW_NOTIFY | LEN(4);
	struct fixture *f = *state;

	*global(f, DATA) = GLOBAL;
	assert_true(RUN(f, USER, imm, DATA | GEN9_MI_FLUSH_DW_ADDR_GGTT, 0, 1));
	assert_int_equal(*global(f, DATA), GLOBAL);
	/* The flush itself is done. */
	assert_int_equal(f->interrupts, GM_IRQ_FLUSH_NOTIFY);
	assert_true(RUN(f, USER, imm | GEN9_MI_FLUSH_DW_INDEX, 0xd0, 0, 1));
	assert_int_equal(*global(f, LRCA + 0xd0), 0);
	assert_false(RUN(f, USER, imm, DATA, 0, 1));
	assert_int_equal(*local(f, DATA), 1);
}

static void global_reads_are_refused(void **state)
{
	struct fixture *f = *state;

	*global(f, DATA) = 0x1234;
	set_gpr(f, 0, 0);
	assert_true(RUN(f, USER, GEN9_MI_LOAD_REGISTER_MEM | GEN9_MI_LRM_GGTT | LEN(4),
			GEN9_RCS_BASE + GEN9_RING_CS_GPR(0), DATA, 0));
	assert_int_equal(gpr(f, 0), 0);
	assert_true(RUN(f, USER, GEN9_MI_COPY_MEM_MEM | GEN9_MI_COPY_SRC_GGTT | LEN(5), DATA + 8, 0,
			DATA, 0));
	assert_int_equal(*local(f, DATA + 8), 0);
	/* A semaphore in the global GTT does not hold up the batch, nor does a register. */
	assert_true(RUN(f, USER, SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT |
					   COMPARE(GEN9_MI_SEMAPHORE_SAD_EQ_SDD), DATA, 5)));
	assert_true(RUN(f, USER, SEMAPHORE(GEN9_MI_SEMAPHORE_REGISTER |
					   COMPARE(GEN9_MI_SEMAPHORE_SAD_EQ_SDD), NOPID, 5)));
	/* Nor does a condition there end it. */
	*global(f, DATA) = 0;
	assert_true(RUN(f, USER, GEN9_MI_CONDITIONAL_BATCH_BUFFER_END | GEN9_MI_CBBE_COMPARE |
			GEN9_MI_CBBE_GGTT | LEN(4), 1, DATA, 0, STORE(0, DATA, 9)));
	assert_int_equal(*local(f, DATA), 9);
}

static void status_pages_are_refused(void **state)
{
	struct fixture *f = *state;

	assert_true(RUN(f, USER, GEN9_MI_STORE_DATA_INDEX | LEN(3), 0x40, 1));
	assert_true(RUN(f, USER, GEN9_MI_STORE_DATA_INDEX | GEN9_MI_STORE_INDEX_PPHWSP | LEN(3),
			0x40, 1));
	assert_true(RUN(f, USER, PIPE(GEN9_PC_STORE_INDEX | IMMEDIATE, 0x40, 1, 2)));
	assert_int_equal(*global(f, HWSP + 0x40), 0);
	assert_int_equal(*global(f, LRCA + 0x40), 0);
}

static void privileged_commands_are_noops(void **state)
{
	struct fixture *f = *state;

	assert_true(RUN(f, USER, GEN9_MI_ARB_ON_OFF));
	assert_true(f->cs->arbitration);
	assert_true(RUN(f, USER, GEN9_MI_UPDATE_GTT | LEN(4), (u32)UNMAPPED, 0x5001, 0));
	assert_int_equal(gm_ggtt_entry(f->memory.ggtt, UNMAPPED >> 12), 0);
	assert_true(RUN(f, USER, GEN9_MI_DISPLAY_FLIP | LEN(3), 0, 0));
	assert_int_equal(f->stats.counter[GM_COUNT_SKIPPED_COMMAND], 0);
	assert_false(RUN(f, 0, GEN9_MI_DISPLAY_FLIP | LEN(3), 0, 0));
	assert_int_equal(f->stats.counter[GM_COUNT_SKIPPED_COMMAND], 1);
}

static void harmless_commands_work(void **state)
{
	struct fixture *f = *state;

	assert_false(RUN(f, USER, GEN9_MI_ARB_CHECK, GEN9_MI_USER_INTERRUPT, STORE(0, DATA, 1),
			 GEN9_MI_SEMAPHORE_SIGNAL | LEN(2), 0,
			 PIPE(GEN9_PC_TLB_INVALIDATE | IMMEDIATE, DATA + 8, 2, 0),
			 GEN9_MI_STORE_REGISTER_MEM | LEN(4), OTHER_REG, DATA + 16, 0));
	assert_int_equal(*local(f, DATA), 1);
	assert_int_equal(*local(f, DATA + 8), 2);
	assert_int_equal(f->interrupts, GM_IRQ_USER);
	assert_int_equal(f->signals, 1);
	assert_int_equal(f->tlb_invalidations, 1);
}

/* Registers. */

static bool user_can_write(struct fixture *f, u32 reg)
{
	unsigned int before = f->register_writes;
	bool violated = RUN(f, USER, LRI(reg, 1));

	assert_int_equal(violated, f->register_writes == before);
	return !violated;
}

static void render_registers(void **state)
{
	static const u32 writable[] = {
		0x2094, 0x20c0, 0x2158, 0x2290, 0x2294, 0x2300, 0x2344, 0x23bc, 0x2400, 0x2418,
		0x241c, 0x2420, 0x2430, 0x2440, 0x2500, 0x2508, 0x2600, 0x267c, 0x5200, 0x521c,
		0x5240, 0x5280, 0x528c, 0x7000, 0x7004, 0x7008, 0x7034, 0xe400, 0xe404,
	};
	static const u32 refused[] = {
		0x2030, 0x2034, 0x203c, 0x2080, 0x209c, 0x20a8, 0x2140, 0x2110, 0x2230, 0x2244,
		0x2248, 0x229c, 0x2270, 0x2358, 0x24d0, 0x2580, 0x25fc, 0x2680, 0x2690, 0x4260,
		0x5220, 0x700c, 0x7014, 0x7304, 0x941c, 0xb118, 0xe408, 0x12600, 0x22200, 0x22600,
		0x44200, 0x0, 0x7ffffc,
	};
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(writable); i++)
		if (!user_can_write(f, writable[i]))
			fail_msg("register %#x is refused", writable[i]);
	for (i = 0; i < ARRAY_SIZE(refused); i++)
		if (user_can_write(f, refused[i]))
			fail_msg("register %#x can be written", refused[i]);
}

static void blitter_registers(void **state)
{
	struct fixture *f = *state;

	assert_true(user_can_write(f, 0x22200));
	assert_true(user_can_write(f, 0x22600));
	assert_true(user_can_write(f, 0x2267c));
	assert_false(user_can_write(f, 0x22204));
	assert_false(user_can_write(f, 0x22680));
	assert_false(user_can_write(f, 0x22030));
	assert_false(user_can_write(f, 0x2600));
	assert_false(user_can_write(f, 0x7000));
}

static void all_ways_to_write_a_register(void **state)
{
	struct fixture *f = *state;

	*local(f, DATA) = 5;
	f->registers[OTHER_REG / 4] = 0x99;
	assert_true(RUN(f, USER, GEN9_MI_LOAD_REGISTER_MEM | LEN(4), OTHER_REG, DATA, 0));
	assert_true(RUN(f, USER, GEN9_MI_LOAD_REGISTER_REG | LEN(3), NOPID, OTHER_REG));
	assert_true(RUN(f, USER, PIPE(GEN9_PC_MMIO_WRITE, OTHER_REG, 5, 0)));
	assert_int_equal(f->register_writes, 0);
	assert_int_equal(f->registers[OTHER_REG / 4], 0x99);
	assert_false(RUN(f, USER, GEN9_MI_LOAD_REGISTER_MEM | LEN(4), NOPID, DATA, 0));
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_NOPID), 5);
	assert_false(RUN(f, USER, GEN9_MI_LOAD_REGISTER_REG | LEN(3), OTHER_REG, NOPID));
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_NOPID), 0x99);
	assert_false(RUN(f, USER, PIPE(GEN9_PC_MMIO_WRITE, NOPID, 6, 0)));
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_NOPID), 6);
}

/* Of several pairs the allowed ones are written. */
static void pairs_are_judged_one_by_one(void **state)
{
	struct fixture *f = *state;

	assert_true(RUN(f, USER, GEN9_MI_LOAD_REGISTER_IMM | LEN(7), NOPID, 1, OTHER_REG, 2,
			GEN9_RCS_BASE + GEN9_RING_CS_GPR(0), 3));
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_NOPID), 1);
	assert_int_equal(f->registers[OTHER_REG / 4], 0);
	assert_int_equal(gpr(f, 0), 3);
}

static void force_to_nonpriv_opens_registers(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < GEN9_FORCE_TO_NONPRIV_SLOTS; i++) {
		assert_false(user_can_write(f, OTHER_REG));
		gm_cs_set(f->cs, GEN9_RING_FORCE_TO_NONPRIV(i), OTHER_REG);
		assert_true(user_can_write(f, OTHER_REG));
		gm_cs_set(f->cs, GEN9_RING_FORCE_TO_NONPRIV(i), NOPID);
	}
}

/* Levels. */

static void user_batch_cannot_get_privilege(void **state)
{
	struct fixture *f = *state;
	u32 flags;

	/* Chained or second level, "in the GGTT": fetched from the PPGTT, without privilege. */
	for (flags = 0; flags <= GEN9_MI_BBS_SECOND_LEVEL; flags += GEN9_MI_BBS_SECOND_LEVEL) {
		f->registers[OTHER_REG / 4] = 0;
		PUT(local(f, BATCH2), LRI(OTHER_REG, 1), STORE(0, DATA, 2),
		    GEN9_MI_BATCH_BUFFER_END);
		PUT(global(f, BATCH2), LRI(OTHER_REG, 3), GEN9_MI_BATCH_BUFFER_END);
		*local(f, DATA) = 0;
		assert_true(RUN(f, USER, BATCH_START(flags, BATCH2)));
		assert_int_equal(f->registers[OTHER_REG / 4], 0);
		assert_int_equal(*local(f, DATA), 2);
	}
}

static void privileged_batch_can_start_a_user_batch(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH2), LRI(OTHER_REG, 1), GEN9_MI_BATCH_BUFFER_END);
	assert_true(RUN(f, 0, BATCH_START(USER | GEN9_MI_BBS_SECOND_LEVEL, BATCH2),
			LRI(OTHER_REG + 4, 2)));
	assert_int_equal(f->registers[OTHER_REG / 4], 0);
	/* And has its privilege back behind it. */
	assert_int_equal(f->registers[OTHER_REG / 4 + 1], 2);
}

static void second_level_keeps_privilege(void **state)
{
	struct fixture *f = *state;

	PUT(global(f, BATCH2), LRI(OTHER_REG, 4), GEN9_MI_BATCH_BUFFER_END);
	assert_false(RUN(f, 0, BATCH_START(GEN9_MI_BBS_SECOND_LEVEL, BATCH2)));
	assert_int_equal(f->registers[OTHER_REG / 4], 4);
}

/* A batch "in the PPGTT" is not privileged where there is no PPGTT either. */
static void privilege_is_by_flag_without_ppgtt(void **state)
{
	struct fixture *f = *state;

	f->cs->ppgtt = false;
	PUT(global(f, BATCH), LRI(OTHER_REG, 4), GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, USER);
	assert_int_equal(f->registers[OTHER_REG / 4], 0);
}

static void violations_are_reported_when_unmasked(void **state)
{
	struct fixture *f = *state;

	gm_cs_set(f->cs, GEN9_RING_EMR, ~(GEN9_ERROR_PRIVILEGE | GEN9_ERROR_INSTRUCTION));
	assert_true(RUN(f, USER, LRI(OTHER_REG, 1)));
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_EIR), GEN9_ERROR_PRIVILEGE);
	assert_int_equal(f->interrupts, GM_IRQ_CS_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RCS_TEST(global_writes_are_refused),
		BCS_TEST(global_flush_is_refused),
		RCS_TEST(global_reads_are_refused),
		RCS_TEST(status_pages_are_refused),
		RCS_TEST(privileged_commands_are_noops),
		RCS_TEST(harmless_commands_work),
		RCS_TEST(render_registers),
		BCS_TEST(blitter_registers),
		RCS_TEST(all_ways_to_write_a_register),
		RCS_TEST(pairs_are_judged_one_by_one),
		RCS_TEST(force_to_nonpriv_opens_registers),
		RCS_TEST(user_batch_cannot_get_privilege),
		RCS_TEST(privileged_batch_can_start_a_user_batch),
		RCS_TEST(second_level_keeps_privilege),
		RCS_TEST(privilege_is_by_flag_without_ppgtt),
		RCS_TEST(violations_are_reported_when_unmasked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
