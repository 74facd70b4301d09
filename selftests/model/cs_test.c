// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command streamer: ring, batch levels, preemption points, how it stops,
 * and workaround buffers.
 */
#include <linux/array_size.h>
#include "cs_fixture.h"

#define USER	GEN9_MI_BBS_PPGTT

/* Ring. */

static void ring_is_idle_at_first(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(gm_cs_step(f->cs), GM_CS_IDLE);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_INSTDONE), ~0u);
}

static void ring_advances_by_length(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_NOOP, LRI(OTHER_REG, 5));
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD), 4);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_INSTDONE), ~GEN9_INSTDONE_RING);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD), 16);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_IPEHR), GEN9_MI_LOAD_REGISTER_IMM | 1);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_ACTHD), RING + 4);
	assert_int_equal(f->registers[OTHER_REG / 4], 5);
	run_all(f);
	assert_int_equal(f->stats.engine[GM_RCS][GM_ENGINE_COMMANDS], 2);
	assert_int_equal(gm_stats_misuse_total(&f->stats), 0);
}

static void emit_noops(struct fixture *f, unsigned int count)
{
	u32 noops[RING_SIZE / 4] = { GEN9_MI_NOOP };

	emit(f, noops, count);
}

static void ring_wraps_between_commands(void **state)
{
	struct fixture *f = *state;
	unsigned int round;

	for (round = 0; round < 3; round++) {
		emit_noops(f, RING_SIZE / 4 - 2);
		run_all(f);
		emit_noops(f, 2);
		run_all(f);
		assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD),
				 (round + 1) * GEN9_RING_HEAD_WRAP_ONE);
	}
}

static void ring_wraps_within_a_command(void **state)
{
	const u32 dw[] = { 0, 0, 0, STORE(GEN9_MI_STORE_GGTT, DATA, 0x1234) };
	struct fixture *f = *state;
	unsigned int lead;

	for (lead = 1; lead < 4; lead++) {
		fixture_start(f);
		*global(f, DATA) = 0;
		emit_noops(f, RING_SIZE / 4 - 4);
		run_all(f);
		emit(f, dw + lead - 1, 8 - lead);
		run_all(f);
		assert_int_equal(*global(f, DATA), 0x1234);
		assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD),
				 GEN9_RING_HEAD_WRAP_ONE | ((5 - lead) & ~1u) * 4);
	}
}

static void new_commands_are_seen_in_a_fetched_line(void **state)
{
	struct fixture *f = *state;

	*global(f, RING + 8) = 0xdeadbeef;
	EMIT(f, GEN9_MI_NOOP);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	EMIT(f, LRI(OTHER_REG, 9));
	run_all(f);
	assert_int_equal(f->registers[OTHER_REG / 4], 9);
}

static void stored_commands_are_seen(void **state)
{
	struct fixture *f = *state;

	/* The store changes the second dword of the command behind it. */
	PUT(global(f, BATCH), STORE(GEN9_MI_STORE_GGTT, BATCH + 24, 77), LRI(OTHER_REG, 1),
	    GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, 0);
	assert_int_equal(f->registers[OTHER_REG / 4], 77);
}

static void ring_without_enable_is_misuse(void **state)
{
	struct fixture *f = *state;

	gm_cs_set(f->cs, GEN9_RING_CTL, 0);
	EMIT(f, GEN9_MI_NOOP);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_IDLE);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_IDLE);
	assert_int_equal(misuse(f, GM_MISUSE_RING), 1);
}

static void tail_beyond_the_ring_is_misuse(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	gm_cs_set(f->cs, GEN9_RING_TAIL, RING_SIZE + 8);
	for (i = 0; i < RING_SIZE / 2; i++)
		assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	assert_int_equal(misuse(f, GM_MISUSE_RING), 1);
	assert_true((gm_cs_reg(f->cs, GEN9_RING_HEAD) & GEN9_RING_HEAD_MASK) < RING_SIZE);
}

static void command_cut_off_by_tail_waits(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_LOAD_REGISTER_IMM | LEN(3), OTHER_REG);
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_int_equal(run(f), GM_CS_WAIT);
	assert_false(f->cs->preempt_point);
	assert_int_equal(misuse(f, GM_MISUSE_RING), 1);
	EMIT(f, 3);
	run_all(f);
	assert_int_equal(f->registers[OTHER_REG / 4], 3);
}

static void stop_ring_holds_the_parser(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_NOOP);
	gm_cs_set(f->cs, GEN9_RING_MI_MODE, GEN9_MI_MODE_STOP_RING);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_WAIT);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD), 0);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_INSTDONE), ~0u);
	gm_cs_set(f->cs, GEN9_RING_MI_MODE, 0);
	run_all(f);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD), 8);
}

static void noop_writes_its_id(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_NOOP | GEN9_MI_NOOP_WRITE_ID | 0x12345);
	run_all(f);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_NOPID), 0x12345);
	EMIT(f, GEN9_MI_NOOP | 0x54321);
	run_all(f);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_NOPID), 0x12345);
}

/* Batches. */

static void user_batch_runs_in_the_ppgtt(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), STORE(0, DATA, 42), GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, USER);
	assert_int_equal(*local(f, DATA), 42);
	assert_int_equal(*global(f, DATA), 0);
	assert_false(gm_cs_reg(f->cs, GEN9_RING_BB_ADDR) & GEN9_BB_ADDR_VALID);
}

static void global_batch_reaches_both_spaces(void **state)
{
	struct fixture *f = *state;

	PUT(global(f, BATCH), STORE(0, DATA, 1), STORE(GEN9_MI_STORE_GGTT, DATA, 2),
	    GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, 0);
	assert_int_equal(*local(f, DATA), 1);
	assert_int_equal(*global(f, DATA), 2);
}

static void without_ppgtt_all_is_global(void **state)
{
	struct fixture *f = *state;

	f->cs->ppgtt = false;
	PUT(global(f, BATCH), STORE(0, DATA, 7), GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, USER);
	assert_int_equal(*global(f, DATA), 7);
	assert_int_equal(*local(f, DATA), 0);
}

static void batch_registers_follow(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), GEN9_MI_NOOP, GEN9_MI_NOOP, GEN9_MI_BATCH_BUFFER_END);
	EMIT(f, BATCH_START(USER, BATCH));
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD), 12);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_BB_ADDR), BATCH | GEN9_BB_ADDR_VALID);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_BB_STATE), GEN9_BB_STATE_PPGTT);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_BB_ADDR), (BATCH + 4) | GEN9_BB_ADDR_VALID);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_ACTHD), BATCH);
	run_all(f);
}

/* What a preemption does: the registers go away and come back. */
static void batch_goes_on_from_its_registers(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), GEN9_MI_ARB_CHECK, STORE(0, DATA, 5), GEN9_MI_BATCH_BUFFER_END);
	EMIT(f, GEN9_MI_NOOP);
	run_all(f);
	gm_cs_set(f->cs, GEN9_RING_BB_ADDR, (BATCH + 4) | GEN9_BB_ADDR_VALID);
	gm_cs_set(f->cs, GEN9_RING_BB_ADDR_UDW, 0);
	gm_cs_set(f->cs, GEN9_RING_BB_STATE, GEN9_BB_STATE_PPGTT);
	run_all(f);
	assert_int_equal(*local(f, DATA), 5);
}

static void upper_address_bits_count(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_BATCH_BUFFER_START | USER | LEN(3), BATCH, 0xffff0010);
	assert_int_equal(run(f), GM_CS_FAULT);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_BB_ADDR_UDW), 0x10);
	assert_int_equal(gm_mmu_take_fault(f->cs->mmu).va, 0x1000000000ull | BATCH);
}

static void chained_batch_does_not_return(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), BATCH_START(USER, BATCH2), STORE(0, DATA, 1));
	PUT(local(f, BATCH2), STORE(0, DATA + 4, 2), GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, USER);
	assert_int_equal(*local(f, DATA), 0);
	assert_int_equal(*local(f, DATA + 4), 2);
}

static void second_level_returns(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), BATCH_START(USER | GEN9_MI_BBS_SECOND_LEVEL, BATCH2),
	    STORE(0, DATA, 1), GEN9_MI_BATCH_BUFFER_END);
	PUT(local(f, BATCH2), STORE(0, DATA + 4, 2), GEN9_MI_BATCH_BUFFER_END);
	EMIT(f, BATCH_START(USER, BATCH), LRI(OTHER_REG, 3));
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_SBB_ADDR), BATCH2 | GEN9_BB_ADDR_VALID);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_BB_ADDR), (BATCH + 12) | GEN9_BB_ADDR_VALID);
	run_all(f);
	assert_int_equal(*local(f, DATA), 1);
	assert_int_equal(*local(f, DATA + 4), 2);
	assert_int_equal(f->registers[OTHER_REG / 4], 3);
}

static void second_level_from_the_ring_returns_to_it(void **state)
{
	struct fixture *f = *state;

	PUT(global(f, BATCH), STORE(GEN9_MI_STORE_GGTT, DATA, 1), GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, GEN9_MI_BBS_SECOND_LEVEL);
	assert_int_equal(*global(f, DATA), 1);
}

static void second_level_chains_to_itself(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), BATCH_START(USER | GEN9_MI_BBS_SECOND_LEVEL, BATCH2),
	    STORE(0, DATA, 1), GEN9_MI_BATCH_BUFFER_END);
	PUT(local(f, BATCH2), BATCH_START(USER | GEN9_MI_BBS_SECOND_LEVEL, BATCH2 + 0x100));
	PUT(local(f, BATCH2 + 0x100), STORE(0, DATA + 4, 2), GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, USER);
	assert_int_equal(*local(f, DATA), 1);
	assert_int_equal(*local(f, DATA + 4), 2);
}

static void first_level_start_ends_the_second(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), BATCH_START(USER | GEN9_MI_BBS_SECOND_LEVEL, BATCH2),
	    STORE(0, DATA, 1), GEN9_MI_BATCH_BUFFER_END);
	PUT(local(f, BATCH2), BATCH_START(USER, BATCH2 + 0x100));
	PUT(local(f, BATCH2 + 0x100), STORE(0, DATA + 4, 2), GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, USER);
	assert_int_equal(*local(f, DATA), 0);
	assert_int_equal(*local(f, DATA + 4), 2);
	assert_false(gm_cs_reg(f->cs, GEN9_RING_SBB_ADDR) & GEN9_BB_ADDR_VALID);
}

static void batch_start_adds_offset(void **state)
{
	struct fixture *f = *state;

	gm_cs_set(f->cs, GEN9_RING_BB_OFFSET, BATCH2 - BATCH);
	PUT(local(f, BATCH2), STORE(0, DATA, 6), GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, USER | GEN9_MI_BBS_ADD_OFFSET);
	assert_int_equal(*local(f, DATA), 6);
}

static void batch_start_can_be_predicated(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), STORE(0, DATA, 6), GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, USER | GEN9_MI_BBS_PREDICATE);
	assert_int_equal(*local(f, DATA), 0);
	gm_cs_set(f->cs, GEN9_MI_PREDICATE_RESULT_1, 1);
	run_batch(f, USER | GEN9_MI_BBS_PREDICATE);
	assert_int_equal(*local(f, DATA), 6);
}

static void jump_back_is_told(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), GEN9_MI_NOOP, BATCH_START(USER, BATCH));
	EMIT(f, BATCH_START(USER, BATCH));
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_JUMP_BACK);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	/* The CPU ends a spinning batch by overwriting it. */
	*local(f, BATCH) = GEN9_MI_BATCH_BUFFER_END;
	run_all(f);
}

static void conditional_end(void **state)
{
	static const struct {
		u32 flags;
		u32 memory[2];
		u32 data;
		bool ends;
	} cases[] = {
		{ GEN9_MI_CBBE_COMPARE, { 5, 0 }, 4, false },
		{ GEN9_MI_CBBE_COMPARE, { 5, 0 }, 5, true },
		{ GEN9_MI_CBBE_COMPARE, { 5, 0 }, 6, true },
		{ 0, { 5, 0 }, 6, false },
		{ GEN9_MI_CBBE_COMPARE | GEN9_MI_CBBE_MASK_MODE, { 0xf0, 0x77 }, 0x6f, false },
		{ GEN9_MI_CBBE_COMPARE | GEN9_MI_CBBE_MASK_MODE, { 0xf0, 0x77 }, 0x70, true },
	};
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		PUT(local(f, DATA + 64), cases[i].memory[0], cases[i].memory[1]);
		*local(f, DATA) = 0;
		PUT(local(f, BATCH), GEN9_MI_CONDITIONAL_BATCH_BUFFER_END | cases[i].flags | LEN(4),
		    cases[i].data, DATA + 64, 0, STORE(0, DATA, 1), GEN9_MI_BATCH_BUFFER_END);
		run_batch(f, USER);
		assert_int_equal(*local(f, DATA), !cases[i].ends);
	}
}

static void conditional_end_ends_both_levels(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), BATCH_START(USER | GEN9_MI_BBS_SECOND_LEVEL, BATCH2),
	    STORE(0, DATA, 1), GEN9_MI_BATCH_BUFFER_END);
	PUT(local(f, BATCH2),
	    GEN9_MI_CONDITIONAL_BATCH_BUFFER_END | GEN9_MI_CBBE_COMPARE | LEN(4), 9, DATA, 0,
	    STORE(0, DATA, 2), GEN9_MI_BATCH_BUFFER_END);
	run_batch(f, USER);
	assert_int_equal(*local(f, DATA), 0);
}

/* Preemption points. */

static void arb_check_is_a_preemption_point(void **state)
{
	struct fixture *f = *state;

	EMIT(f, GEN9_MI_ARB_CHECK, GEN9_MI_NOOP, GEN9_MI_ARB_ON_OFF, GEN9_MI_ARB_CHECK,
	     GEN9_MI_ARB_ON_OFF | GEN9_MI_ARB_ENABLE, GEN9_MI_ARB_CHECK);
	gm_cs_step(f->cs);
	assert_true(f->cs->preempt_point);
	gm_cs_step(f->cs);
	assert_false(f->cs->preempt_point);
	gm_cs_step(f->cs);
	assert_false(f->cs->arbitration);
	gm_cs_step(f->cs);
	assert_false(f->cs->preempt_point);
	gm_cs_step(f->cs);
	assert_true(f->cs->arbitration);
	gm_cs_step(f->cs);
	assert_true(f->cs->preempt_point);
}

static void batch_boundaries_are_none(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), BATCH_START(USER, BATCH2));
	PUT(local(f, BATCH2), GEN9_MI_BATCH_BUFFER_END);
	EMIT(f, BATCH_START(USER, BATCH));
	while (gm_cs_step(f->cs) != GM_CS_IDLE)
		assert_false(f->cs->preempt_point);
}

static void draws_are_preemption_points(void **state)
{
	struct fixture *f = *state;

	EMIT(f, 0x7b000005, 0, 0, 0, 0, 0, 0, GEN9_MI_NOOP);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_RUN);
	assert_true(f->cs->preempt_point);
	run_all(f);
	assert_int_equal(f->stats.counter[GM_COUNT_SKIPPED_COMMAND], 1);
}

/* Hangs and faults. */

static void unknown_command_in_the_ring_hangs(void **state)
{
	struct fixture *f = *state;

	gm_cs_set(f->cs, GEN9_RING_EMR, ~GEN9_ERROR_INSTRUCTION);
	EMIT(f, GEN9_MI_NOOP, 0xdeadbeef, GEN9_MI_NOOP);
	assert_int_equal(run(f), GM_CS_HANG);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_HANG);
	assert_true(f->cs->hung);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_IPEHR), 0xdeadbeef);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_ACTHD), RING + 4);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD), 4);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_INSTDONE), ~GEN9_INSTDONE_RING);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_EIR), GEN9_ERROR_INSTRUCTION);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_IPEIR), 0);
	assert_int_equal(f->interrupts, GM_IRQ_CS_ERROR);
	assert_int_equal(misuse(f, GM_MISUSE_UNKNOWN_COMMAND), 1);
	assert_int_equal(f->stats.engine[GM_RCS][GM_ENGINE_HANGS], 1);
}

static void masked_error_is_silent(void **state)
{
	struct fixture *f = *state;

	EMIT(f, 0xdeadbeef, GEN9_MI_NOOP);
	assert_int_equal(run(f), GM_CS_HANG);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_ESR), GEN9_ERROR_INSTRUCTION);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_EIR), 0);
	assert_int_equal(f->interrupts, 0);
}

static void unknown_command_of_a_user_is_no_misuse(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), GEN9_MI_NOOP, 0xdeadbeef);
	EMIT(f, BATCH_START(USER, BATCH));
	assert_int_equal(run(f), GM_CS_HANG);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_ACTHD), BATCH + 4);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_IPEIR), GEN9_IPEIR_BATCH);
	assert_int_equal(gm_stats_misuse_total(&f->stats), 0);
}

static void unknown_command_of_a_global_batch_is_misuse(void **state)
{
	struct fixture *f = *state;

	PUT(global(f, BATCH), 0xdeadbeef);
	EMIT(f, BATCH_START(0, BATCH));
	assert_int_equal(run(f), GM_CS_HANG);
	assert_int_equal(misuse(f, GM_MISUSE_UNKNOWN_COMMAND), 1);
}

static void fetch_fault_stops(void **state)
{
	struct fixture *f = *state;
	struct gm_fault fault;

	EMIT(f, BATCH_START(USER, UNMAPPED));
	assert_int_equal(run(f), GM_CS_FAULT);
	assert_true(f->cs->hung);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_HANG);
	fault = gm_mmu_take_fault(f->cs->mmu);
	assert_true(fault.valid);
	assert_int_equal(fault.space, GM_SPACE_PPGTT);
	assert_int_equal(fault.va, UNMAPPED);
}

/* A body that reaches into a page that is not there. */
static void body_fault_stops(void **state)
{
	struct fixture *f = *state;

	*local(f, HALF - 4) = GEN9_MI_LOAD_REGISTER_IMM | LEN(3);
	EMIT(f, BATCH_START(USER, HALF - 4));
	assert_int_equal(run(f), GM_CS_FAULT);
	assert_int_equal(gm_mmu_take_fault(f->cs->mmu).va, HALF);
}

static void store_fault_stops(void **state)
{
	struct fixture *f = *state;

	EMIT(f, STORE(0, UNMAPPED, 1));
	assert_int_equal(run(f), GM_CS_FAULT);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD), 0);
	assert_true(gm_mmu_take_fault(f->cs->mmu).write);
}

static void reset_brings_it_back(void **state)
{
	struct fixture *f = *state;

	PUT(local(f, BATCH), 0xdeadbeef);
	set_gpr(f, 3, 0x1234);
	EMIT(f, GEN9_MI_ARB_ON_OFF, BATCH_START(USER, BATCH));
	assert_int_equal(run(f), GM_CS_HANG);
	gm_cs_reset(f->cs);
	assert_false(f->cs->hung);
	assert_true(f->cs->arbitration);
	assert_int_equal(gm_cs_step(f->cs), GM_CS_IDLE);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_INSTDONE), ~0u);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_EIR), 0);
	assert_int_equal(gpr(f, 3), 0x1234);
	fixture_start(f);
	EMIT(f, LRI(OTHER_REG, 4));
	run_all(f);
	assert_int_equal(f->registers[OTHER_REG / 4], 4);
}

/* Workaround buffers. */

static void buffer_runs_to_its_end(void **state)
{
	struct fixture *f = *state;

	PUT(global(f, BATCH), GEN9_MI_ARB_CHECK, LRI(OTHER_REG, 1), GEN9_MI_BATCH_BUFFER_END,
	    LRI(OTHER_REG, 2));
	assert_int_equal(gm_cs_run_buffer(f->cs, BATCH, 0), GM_CS_RUN);
	assert_int_equal(f->registers[OTHER_REG / 4], 1);
	assert_false(f->cs->preempt_point);
	assert_int_equal(gm_cs_reg(f->cs, GEN9_RING_HEAD), 0);
	assert_false(gm_cs_reg(f->cs, GEN9_RING_BB_ADDR) & GEN9_BB_ADDR_VALID);
}

static void buffer_ends_at_its_size(void **state)
{
	struct fixture *f = *state;

	PUT(global(f, BATCH), LRI(OTHER_REG, 1), GEN9_MI_NOOP, LRI(OTHER_REG, 2));
	assert_int_equal(gm_cs_run_buffer(f->cs, BATCH, 16), GM_CS_RUN);
	assert_int_equal(f->registers[OTHER_REG / 4], 1);
}

static void buffer_is_bounded(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(gm_cs_run_buffer(f->cs, BATCH, 0), GM_CS_HANG);
	assert_int_equal(misuse(f, GM_MISUSE_UNKNOWN_COMMAND), 1);
}

static void buffer_cannot_jump_or_fault(void **state)
{
	struct fixture *f = *state;

	PUT(global(f, BATCH), BATCH_START(0, BATCH2));
	assert_int_equal(gm_cs_run_buffer(f->cs, BATCH, 0), GM_CS_HANG);
	assert_int_equal(gm_cs_run_buffer(f->cs, BATCH, 0), GM_CS_HANG);
	fixture_start(f);
	assert_int_equal(gm_cs_run_buffer(f->cs, UNMAPPED, 0), GM_CS_FAULT);
	fixture_start(f);
	PUT(global(f, BATCH), SEMAPHORE(GEN9_MI_SEMAPHORE_GGTT, DATA, 1));
	assert_int_equal(gm_cs_run_buffer(f->cs, BATCH, 0), GM_CS_HANG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RCS_TEST(ring_is_idle_at_first),
		RCS_TEST(ring_advances_by_length),
		RCS_TEST(ring_wraps_between_commands),
		RCS_TEST(ring_wraps_within_a_command),
		RCS_TEST(new_commands_are_seen_in_a_fetched_line),
		RCS_TEST(stored_commands_are_seen),
		RCS_TEST(ring_without_enable_is_misuse),
		RCS_TEST(tail_beyond_the_ring_is_misuse),
		RCS_TEST(command_cut_off_by_tail_waits),
		RCS_TEST(stop_ring_holds_the_parser),
		RCS_TEST(noop_writes_its_id),
		RCS_TEST(user_batch_runs_in_the_ppgtt),
		RCS_TEST(global_batch_reaches_both_spaces),
		RCS_TEST(without_ppgtt_all_is_global),
		RCS_TEST(batch_registers_follow),
		RCS_TEST(batch_goes_on_from_its_registers),
		RCS_TEST(upper_address_bits_count),
		RCS_TEST(chained_batch_does_not_return),
		RCS_TEST(second_level_returns),
		RCS_TEST(second_level_from_the_ring_returns_to_it),
		RCS_TEST(second_level_chains_to_itself),
		RCS_TEST(first_level_start_ends_the_second),
		RCS_TEST(batch_start_adds_offset),
		RCS_TEST(batch_start_can_be_predicated),
		RCS_TEST(jump_back_is_told),
		RCS_TEST(conditional_end),
		RCS_TEST(conditional_end_ends_both_levels),
		RCS_TEST(arb_check_is_a_preemption_point),
		RCS_TEST(batch_boundaries_are_none),
		RCS_TEST(draws_are_preemption_points),
		RCS_TEST(unknown_command_in_the_ring_hangs),
		RCS_TEST(masked_error_is_silent),
		RCS_TEST(unknown_command_of_a_user_is_no_misuse),
		RCS_TEST(unknown_command_of_a_global_batch_is_misuse),
		RCS_TEST(fetch_fault_stops),
		RCS_TEST(body_fault_stops),
		RCS_TEST(store_fault_stops),
		RCS_TEST(reset_brings_it_back),
		RCS_TEST(buffer_runs_to_its_end),
		RCS_TEST(buffer_ends_at_its_size),
		RCS_TEST(buffer_is_bounded),
		RCS_TEST(buffer_cannot_jump_or_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
