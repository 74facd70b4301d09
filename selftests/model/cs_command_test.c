// SPDX-License-Identifier: GPL-2.0-only
/*
 * What each command that does not wait does to memory and registers when it has all
 * privileges.
 */
#include <linux/array_size.h>
#include <pthread.h>
#include "cs_fixture.h"

#define USER	GEN9_MI_BBS_PPGTT

/* Stores, loads, copies. */

static void store_data_imm_forms(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_STORE_DATA_IMM | GEN9_MI_STORE_GGTT | LEN(6), DATA, 0, 1, 2, 3,
	     GEN9_MI_STORE_DATA_IMM | GEN9_MI_STORE_GGTT | GEN9_MI_STORE_QWORD | LEN(7), DATA + 16,
	     0, 4, 5, 6, 7, GEN9_MI_NOOP);
	run_all(f);
	assert_memory_equal(global(f, DATA), ((u32[]){ 1, 2, 3, 0, 4, 5, 6, 7, 0 }), 36);
}

static void longest_store(void **state)
{
	u32 batch[1026] = { GEN9_MI_STORE_DATA_IMM | 0x3ff, DATA, 0 };
	struct fixture *f = *state;
	unsigned int i;

	for (i = 3; i < 1025; i++)
		batch[i] = i;
	batch[1025] = GEN9_MI_BATCH_BUFFER_END;
	memcpy(local(f, BATCH), batch, sizeof(batch));
	run_batch(f, USER);
	assert_memory_equal(local(f, DATA), &batch[3], 1022 * 4);
}

static void store_data_index_pages(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_STORE_DATA_INDEX | LEN(3), 0x40, 1,
	     GEN9_MI_STORE_DATA_INDEX | GEN9_MI_STORE_INDEX_PPHWSP | LEN(4), 0x48, 2, 3);
	run_all(f);
	assert_int_equal(*global(f, HWSP + 0x40), 1);
	assert_int_equal(qword(global(f, LRCA + 0x48)), 0x300000002);
}

static void load_register_imm_forms(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_LOAD_REGISTER_IMM | LEN(5), OTHER_REG, 0x11223344, OTHER_REG + 4, 2,
	     GEN9_MI_LOAD_REGISTER_IMM | 0x600 | LEN(3), OTHER_REG, 0xaabbccdd,
	     GEN9_MI_LOAD_REGISTER_IMM | 0xf00 | LEN(3), OTHER_REG + 4, 9);
	run_all(f);
	assert_int_equal(f->registers[OTHER_REG / 4], 0xaa2233dd);
	assert_int_equal(f->registers[OTHER_REG / 4 + 1], 2);
	assert_int_equal(f->register_writes, 3);
}

static void register_and_memory(void **state)
{
	struct fixture *f = *state;

	*global(f, DATA) = 0x1234;
	EMIT(f, GEN9_MI_LOAD_REGISTER_MEM | GEN9_MI_LRM_GGTT | LEN(4), OTHER_REG, DATA, 0,
	     GEN9_MI_LOAD_REGISTER_REG | LEN(3), OTHER_REG, OTHER_REG + 8,
	     GEN9_MI_STORE_REGISTER_MEM | LEN(4), OTHER_REG + 8, DATA + 4, 0);
	run_all(f);
	assert_int_equal(f->registers[OTHER_REG / 4], 0x1234);
	assert_int_equal(f->registers[OTHER_REG / 4 + 2], 0x1234);
	assert_int_equal(*local(f, DATA + 4), 0x1234);
}

static void copy_mem_mem_spaces(void **state)
{
	struct fixture *f = *state;

	*global(f, DATA) = 1;
	*local(f, DATA) = 2;
	EMIT(f, GEN9_MI_COPY_MEM_MEM | GEN9_MI_COPY_SRC_GGTT | LEN(5), DATA + 4, 0, DATA, 0,
	     GEN9_MI_COPY_MEM_MEM | GEN9_MI_COPY_DST_GGTT | LEN(5), DATA + 4, 0, DATA, 0);
	run_all(f);
	assert_int_equal(*local(f, DATA + 4), 1);
	assert_int_equal(*global(f, DATA + 4), 2);
}

static void update_gtt_sets_entries(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_UPDATE_GTT | LEN(6), (u32)UNMAPPED, 0x5001, 1, 0x6001, 2);
	run_all(f);
	assert_int_equal(gm_ggtt_entry(f->memory.ggtt, UNMAPPED >> 12), 0x100005001);
	assert_int_equal(gm_ggtt_entry(f->memory.ggtt, (UNMAPPED >> 12) + 1), 0x200006001);
}

static void report_head_writes_status_page(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_NOOP, GEN9_MI_NOOP, GEN9_MI_REPORT_HEAD);
	run_all(f);
	assert_int_equal(*global(f, LRCA + 16), 8);
}

static void report_perf_count_writes_report(void **state)
{
	struct fixture *f = *state;

	memset(local(f, DATA), 0xff, 512);
	gm_cs_set(f->cs, GEN9_RING_EXECLIST_STATUS_HI, 0x77);
	EMIT(f, GEN9_MI_REPORT_PERF_COUNT | LEN(4), DATA, 0, 0xabcd);
	run_all(f);
	assert_int_equal(*local(f, DATA), 0xabcd);
	assert_int_equal(*local(f, DATA + 4), (u32)TIMESTAMP);
	assert_int_equal(*local(f, DATA + 8), 0x77);
	assert_int_equal(*local(f, DATA + 252), 0);
	assert_int_equal(*local(f, DATA + 256), 0xffffffff);
}

static void user_interrupt_is_raised(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_USER_INTERRUPT);
	run_all(f);
	assert_int_equal(f->interrupts, GM_IRQ_USER);
}

static void commands_without_effect_are_counted(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_SUSPEND_FLUSH, GEN9_MI_TOPOLOGY_FILTER, GEN9_MI_RS_CONTROL,
	     GEN9_MI_LOAD_SCAN_LINES_INCL | LEN(2), 0, GEN9_MI_DISPLAY_FLIP | LEN(3), 0, 0);
	run_all(f);
	assert_int_equal(f->stats.counter[GM_COUNT_SKIPPED_COMMAND], 5);
	assert_int_equal(f->register_writes, 0);
}

/* MI_ATOMIC. */

static const struct {
	u32 operation;
	u64 old, a, b, result;	/* for 64 bits; the lower halves for 32 */
} atomics[] = {
	{ GEN9_ATOMIC_AND, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0, 0xf000f000f000f000 },
	{ GEN9_ATOMIC_OR, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0, 0xfff0fff0fff0fff0 },
	{ GEN9_ATOMIC_XOR, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0, 0x0ff00ff00ff00ff0 },
	{ GEN9_ATOMIC_MOVE, 1, 0x300000002, 0, 0x300000002 },
	{ GEN9_ATOMIC_INC, 0xffffffffffffffff, 0, 0, 0 },
	{ GEN9_ATOMIC_DEC, 0, 0, 0, 0xffffffffffffffff },
	{ GEN9_ATOMIC_ADD, 0x200000003, 0x400000005, 0, 0x600000008 },
	{ GEN9_ATOMIC_SUB, 0x600000009, 0x400000005, 0, 0x200000004 },
	{ GEN9_ATOMIC_RSUB, 0x200000003, 0x600000008, 0, 0x400000005 },
	{ GEN9_ATOMIC_IMAX, 0xffffffffffffffff, 0x100000001, 0, 0x100000001 },
	{ GEN9_ATOMIC_IMAX, 0x500000005, 0x100000001, 0, 0x500000005 },
	{ GEN9_ATOMIC_IMIN, 0xffffffffffffffff, 0x100000001, 0, 0xffffffffffffffff },
	{ GEN9_ATOMIC_IMIN, 0x500000005, 0x100000001, 0, 0x100000001 },
	{ GEN9_ATOMIC_UMAX, 0xffffffffffffffff, 0x100000001, 0, 0xffffffffffffffff },
	{ GEN9_ATOMIC_UMAX, 0x100000001, 0x500000005, 0, 0x500000005 },
	{ GEN9_ATOMIC_UMIN, 0xffffffffffffffff, 0x100000001, 0, 0x100000001 },
	{ GEN9_ATOMIC_UMIN, 0x100000001, 0x500000005, 0, 0x100000001 },
	{ GEN9_ATOMIC_CMPWR, 0x100000001, 0x100000001, 0x900000009, 0x900000009 },
	{ GEN9_ATOMIC_CMPWR, 0x100000001, 0x200000002, 0x900000009, 0x100000001 },
};

static void atomic_inline(struct fixture *f, unsigned int i, bool wide)
{
	u32 size = wide ? 1u << GEN9_MI_ATOMIC_SIZE_SHIFT : 0;
	u32 opcode = atomics[i].operation | (wide ? 0x20 : 0);

	memcpy(global(f, DATA), &atomics[i].old, 8);
	EMIT(f, GEN9_MI_ATOMIC | size | GEN9_MI_ATOMIC_GGTT | GEN9_MI_ATOMIC_INLINE |
	     GEN9_MI_ATOMIC_RETURN | opcode << GEN9_MI_ATOMIC_OP_SHIFT | LEN(11), DATA, 0,
	     (u32)atomics[i].a, (u32)atomics[i].b, atomics[i].a >> 32, atomics[i].b >> 32,
	     0, 0, 0, 0);
	set_gpr(f, 4, 0x5555555566666666);
	run_all(f);
}

static void atomic_operations_64(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(atomics); i++) {
		atomic_inline(f, i, true);
		assert_int_equal(qword(global(f, DATA)), atomics[i].result);
		assert_int_equal(gpr(f, 4), atomics[i].old);
	}
}

static void atomic_operations_32(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(atomics); i++) {
		atomic_inline(f, i, false);
		assert_int_equal(*global(f, DATA), (u32)atomics[i].result);
		assert_int_equal(*global(f, DATA + 4), (u32)(atomics[i].old >> 32));
		assert_int_equal(gpr(f, 4), 0x5555555500000000 | (u32)atomics[i].old);
	}
}

static void atomic_operands_from_gprs(void **state)
{
	struct fixture *f = *state;

	set_gpr(f, 0, 0x11);
	set_gpr(f, 2, 0x22);
	*global(f, DATA) = 0x11;
	EMIT(f, GEN9_MI_ATOMIC | GEN9_MI_ATOMIC_GGTT |
	     GEN9_ATOMIC_CMPWR << GEN9_MI_ATOMIC_OP_SHIFT | LEN(3), DATA, 0);
	run_all(f);
	assert_int_equal(*global(f, DATA), 0x22);
	assert_int_equal(gpr(f, 4), 0);
}

#define ATOMIC_16	(GEN9_MI_ATOMIC | GEN9_MI_ATOMIC_GGTT | GEN9_MI_ATOMIC_RETURN | \
			 2u << GEN9_MI_ATOMIC_SIZE_SHIFT | 0x4eu << GEN9_MI_ATOMIC_OP_SHIFT)

static const u32 octword_old[4] = { 0x11, 0x12, 0x13, 0x14 };
static const u32 octword_new[4] = { 0x21, 0x22, 0x23, 0x24 };

/* What memory held is in GPRs 4 and 5 in any case. */
static void expect_octword(struct fixture *f, u32 va, const u32 *memory)
{
	assert_memory_equal(global(f, va), memory, 16);
	assert_int_equal(gpr(f, 4), 0x1200000011);
	assert_int_equal(gpr(f, 5), 0x1400000013);
	assert_int_equal(gpr(f, 6), 0);
	set_gpr(f, 4, 0);
	set_gpr(f, 5, 0);
}

static void atomic_of_16_bytes(void **state)
{
	struct fixture *f = *state;

	memcpy(global(f, DATA), octword_old, 16);
	EMIT(f, ATOMIC_16 | GEN9_MI_ATOMIC_INLINE | LEN(11), DATA, 0,
	     0x11, 0x21, 0x12, 0x22, 0x13, 0x23, 0x14, 0x24);
	run_all(f);
	expect_octword(f, DATA, octword_new);

	/* One bit of the upper half differs: nothing is written. */
	memcpy(global(f, DATA), octword_old, 16);
	EMIT(f, ATOMIC_16 | GEN9_MI_ATOMIC_INLINE | LEN(11), DATA, 0,
	     0x11, 0x21, 0x12, 0x22, 0x13, 0x23, 0x80000014, 0x24);
	run_all(f);
	expect_octword(f, DATA, octword_old);

	set_gpr(f, 0, 0x1200000011);
	set_gpr(f, 1, 0x1400000013);
	set_gpr(f, 2, 0x2200000021);
	set_gpr(f, 3, 0x2400000023);
	EMIT(f, ATOMIC_16 | LEN(3), DATA, 0);
	run_all(f);
	expect_octword(f, DATA, octword_new);
	assert_int_equal(*global(f, DATA + 16), 0);
}

/* The size field and the opcode disagree, or there is no such operation of the size. */
static void atomic_sizes_must_agree(void **state)
{
	static const struct {
		u32 size, opcode;
	} bad[] = {
		{ 0, 0x25 }, { 0, 0x45 }, { 1, 0x05 }, { 1, 0x45 }, { 2, 0x0e }, { 2, 0x2e },
		{ 2, 0x45 }, { 2, 0x4f }, { 3, 0x6e }, { 0, 0x00 }, { 1, 0x2f },
	};
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		fixture_start(f);
		EMIT(f, GEN9_MI_ATOMIC | bad[i].size << GEN9_MI_ATOMIC_SIZE_SHIFT |
		     bad[i].opcode << GEN9_MI_ATOMIC_OP_SHIFT | LEN(3), DATA, 0);
		assert_int_equal(run(f), GM_CS_HANG);
		assert_int_equal(*local(f, DATA), 0);
	}
	assert_int_equal(misuse(f, GM_MISUSE_UNKNOWN_COMMAND), ARRAY_SIZE(bad));
}

#define ROUNDS	20000u

static void *increment(void *counter)
{
	unsigned int i;

	for (i = 0; i < ROUNDS; i++)
		__atomic_fetch_add((u32 *)counter, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* The streamer and a processor count in the same place: no increment is lost. */
static void atomic_with_the_cpu(void **state)
{
	struct fixture *f = *state;
	pthread_t thread;
	unsigned int i;

	PUT(global(f, BATCH), GEN9_MI_ATOMIC | GEN9_MI_ATOMIC_GGTT |
	    GEN9_ATOMIC_INC << GEN9_MI_ATOMIC_OP_SHIFT | LEN(3), DATA, 0, BATCH_START(0, BATCH));
	EMIT(f, BATCH_START(0, BATCH));
	gm_cs_step(f->cs);
	assert_int_equal(pthread_create(&thread, NULL, increment, global(f, DATA)), 0);
	for (i = 0; i < ROUNDS; i++) {
		assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
		assert_int_equal(gm_cs_step(f->cs), GM_CS_JUMP_BACK);
	}
	pthread_join(thread, NULL);
	assert_int_equal(*global(f, DATA), 2 * ROUNDS);
}

static void read_only_pages_keep_what_they_hold(void **state)
{
	struct fixture *f = *state;
	u64 *pde = (u64 *)(f->ram + TABLES + 0x2000);

	pde[1] &= ~GEN9_PTE_RW;
	gm_mmu_invalidate(f->cs->mmu);
	EMIT(f, STORE(0, 0x200000, 1),
	     GEN9_MI_ATOMIC | GEN9_ATOMIC_INC << GEN9_MI_ATOMIC_OP_SHIFT | LEN(3), 0x200000, 0);
	run_all(f);
	assert_int_equal(*local(f, 0x200000), 0);
	assert_int_equal(gm_stats_misuse_total(&f->stats), 0);
}

/* PIPE_CONTROL and MI_FLUSH_DW. */

#define POST(kind)	((u32)(kind) << GEN9_PC_POST_SHIFT)

static void pipe_control_post_sync(void **state)
{
	struct fixture *f = *state;

	gm_cs_set(f->cs, GEN9_RCS_PS_DEPTH_COUNT, 0x11);
	gm_cs_set(f->cs, GEN9_RCS_PS_DEPTH_COUNT + 4, 0x22);
	EMIT(f, PIPE(GEN9_PC_GGTT | POST(GEN9_POST_SYNC_IMMEDIATE), DATA, 1, 2),
	     PIPE(POST(GEN9_POST_SYNC_IMMEDIATE), DATA, 3, 4),
	     PIPE(GEN9_PC_GGTT | POST(GEN9_POST_SYNC_DEPTH_COUNT), DATA + 8, 9, 9),
	     PIPE(GEN9_PC_GGTT | POST(GEN9_POST_SYNC_TIMESTAMP), DATA + 16, 9, 9),
	     PIPE(GEN9_PC_GGTT, DATA + 24, 9, 9));
	run_all(f);
	assert_int_equal(qword(global(f, DATA)), 0x200000001);
	assert_int_equal(qword(local(f, DATA)), 0x400000003);
	assert_int_equal(qword(global(f, DATA + 8)), 0x2200000011);
	assert_int_equal(qword(global(f, DATA + 16)), TIMESTAMP);
	assert_int_equal(qword(global(f, DATA + 24)), 0);
	assert_int_equal(f->interrupts, 0);
	assert_int_equal(f->tlb_invalidations, 0);
}

static void pipe_control_other_effects(void **state)
{
	struct fixture *f = *state;

	EMIT(f, PIPE(GEN9_PC_STORE_INDEX | POST(GEN9_POST_SYNC_IMMEDIATE), 0xd0, 5, 6),
	     PIPE(GEN9_PC_STORE_INDEX | GEN9_PC_GGTT | POST(GEN9_POST_SYNC_IMMEDIATE), 0xd0, 7, 8),
	     PIPE(GEN9_PC_MMIO_WRITE, OTHER_REG, 0x88, 0),
	     PIPE(GEN9_PC_NOTIFY | GEN9_PC_TLB_INVALIDATE | GEN9_PC_CS_STALL, 0, 0, 0));
	run_all(f);
	assert_int_equal(qword(global(f, LRCA + 0xd0)), 0x600000005);
	assert_int_equal(qword(global(f, HWSP + 0xd0)), 0x800000007);
	assert_int_equal(f->registers[OTHER_REG / 4], 0x88);
	assert_int_equal(f->interrupts, GM_IRQ_FLUSH_NOTIFY);
	assert_int_equal(f->tlb_invalidations, 1);
}

static void index_without_execlists_is_in_the_global_page(void **state)
{
	struct fixture *f = *state;

	gm_cs_set(f->cs, GEN9_RING_GFX_MODE, 0);
	EMIT(f, PIPE(GEN9_PC_STORE_INDEX | POST(GEN9_POST_SYNC_IMMEDIATE), 0xd0, 5, 6));
	run_all(f);
	assert_int_equal(qword(global(f, HWSP + 0xd0)), 0x600000005);
	assert_int_equal(qword(global(f, LRCA + 0xd0)), 0);
}

#define FLUSH_POST(kind)	((u32)(kind) << GEN9_MI_FLUSH_DW_POST_SHIFT)

static void flush_dw_post_sync(void **state)
{
	const u32 imm = GEN9_MI_FLUSH_DW | FLUSH_POST(GEN9_POST_SYNC_IMMEDIATE);
	struct fixture *f = *state;

	memset(global(f, DATA), 0xee, 32);
	EMIT(f, imm | LEN(4), DATA | GEN9_MI_FLUSH_DW_ADDR_GGTT, 0, 1,
	     imm | LEN(5), (DATA + 8) | GEN9_MI_FLUSH_DW_ADDR_GGTT, 0, 2, 3,
	     GEN9_MI_FLUSH_DW | FLUSH_POST(GEN9_POST_SYNC_TIMESTAMP) | LEN(5),
	     (DATA + 16) | GEN9_MI_FLUSH_DW_ADDR_GGTT, 0, 0, 0,
	     imm | LEN(4), DATA, 0, 4,
	     imm | GEN9_MI_FLUSH_DW_INDEX | LEN(4), 0xd0, 0, 5,
	     imm | GEN9_MI_FLUSH_DW_INDEX | LEN(4), 0xd8 | GEN9_MI_FLUSH_DW_ADDR_GGTT, 0, 7,
	     GEN9_MI_FLUSH_DW | LEN(4), (DATA + 24) | GEN9_MI_FLUSH_DW_ADDR_GGTT, 0, 6);
	run_all(f);
	assert_int_equal(qword(global(f, DATA)), 0xeeeeeeee00000001);
	assert_int_equal(qword(global(f, DATA + 8)), 0x300000002);
	assert_int_equal(qword(global(f, DATA + 16)), TIMESTAMP);
	assert_int_equal(*local(f, DATA), 4);
	assert_int_equal(*global(f, LRCA + 0xd0), 5);
	assert_int_equal(*global(f, HWSP + 0xd8), 7);
	assert_int_equal(*global(f, DATA + 24), 0xeeeeeeee);
}

static void flush_dw_notifies_and_invalidates(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_FLUSH_DW | GEN9_MI_FLUSH_DW_TLB | LEN(4), 0, 0, 0);
	run_all(f);
	assert_int_equal(f->tlb_invalidations, 0);
	EMIT(f, GEN9_MI_FLUSH_DW | GEN9_MI_FLUSH_DW_TLB | GEN9_MI_FLUSH_DW_NOTIFY |
	     FLUSH_POST(GEN9_POST_SYNC_IMMEDIATE) | LEN(4), DATA, 0, 0);
	run_all(f);
	assert_int_equal(f->tlb_invalidations, 1);
	assert_int_equal(f->interrupts, GM_IRQ_FLUSH_NOTIFY);
}

/* 2D. */

#define FILL(va) \
	DWORDS(GEN9_XY_COLOR_BLT | 3u << 20 | LEN(7), 0x03f00010u, 0u, 1u << 16 | 4u, (u32)(va), \
	       0u, 0x12345678u)

static void color_fill_goes_to_the_ppgtt(void **state)
{
	struct fixture *f = *state;

	EMIT(f, FILL(DATA), GEN9_MI_NOOP);
	run_all(f);
	assert_int_equal(qword(local(f, DATA)), 0x1234567812345678);
	assert_int_equal(qword(local(f, DATA + 8)), 0x1234567812345678);
	assert_int_equal(*local(f, DATA + 16), 0);
	assert_int_equal(*global(f, DATA), 0);
}

static void color_fill_faults(void **state)
{
	struct fixture *f = *state;

	EMIT(f, FILL(UNMAPPED), GEN9_MI_NOOP);
	assert_int_equal(run(f), GM_CS_FAULT);
	assert_true(f->cs->hung);
}

static void render_has_no_2d(void **state)
{
	struct fixture *f = *state;

	EMIT(f, FILL(DATA), GEN9_MI_NOOP);
	assert_int_equal(run(f), GM_CS_HANG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RCS_TEST(store_data_imm_forms),
		RCS_TEST(longest_store),
		RCS_TEST(store_data_index_pages),
		RCS_TEST(load_register_imm_forms),
		RCS_TEST(register_and_memory),
		RCS_TEST(copy_mem_mem_spaces),
		RCS_TEST(update_gtt_sets_entries),
		RCS_TEST(report_head_writes_status_page),
		RCS_TEST(report_perf_count_writes_report),
		RCS_TEST(user_interrupt_is_raised),
		RCS_TEST(commands_without_effect_are_counted),
		RCS_TEST(atomic_operations_64),
		RCS_TEST(atomic_operations_32),
		RCS_TEST(atomic_operands_from_gprs),
		RCS_TEST(atomic_of_16_bytes),
		RCS_TEST(atomic_sizes_must_agree),
		RCS_TEST(atomic_with_the_cpu),
		RCS_TEST(read_only_pages_keep_what_they_hold),
		RCS_TEST(pipe_control_post_sync),
		RCS_TEST(pipe_control_other_effects),
		RCS_TEST(index_without_execlists_is_in_the_global_page),
		BCS_TEST(flush_dw_post_sync),
		BCS_TEST(flush_dw_notifies_and_invalidates),
		BCS_TEST(color_fill_goes_to_the_ppgtt),
		BCS_TEST(color_fill_faults),
		RCS_TEST(render_has_no_2d),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
