// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power of the GT: RC6 residency, frequency, fuses and clocks as a driver reads
 * them, and the pcode mailbox.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>
#include <gvirt/gen9_gt.h>
#include "forcewake.h"
#include "mmio.h"
#include "platform.h"
#include "power.h"
#include "stats.h"

#define MS 1000000u
#define RC6_ON (GEN9_RC_CTL_HW_ENABLE | GEN9_RC_CTL_RC6_ENABLE)

struct fixture {
	struct gm_stats stats;
	struct gm_mmio *mmio;
	struct gm_forcewake *fw;
};

static u32 rd(struct fixture *f, u32 offset)
{
	return gm_mmio_read(f->mmio, GM_FROM_CPU, offset);
}

static void wr(struct fixture *f, u32 offset, u32 value)
{
	gm_mmio_write(f->mmio, GM_FROM_CPU, offset, value);
}

static void wake(struct fixture *f, bool on)
{
	wr(f, GEN9_FORCEWAKE_GT, on ? 0x00010001 : 0x00010000);
}

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));

	f->mmio = gm_mmio_create(&f->stats);
	assert_non_null(f->mmio);
	f->fw = gm_forcewake_create(f->mmio, &f->stats);
	assert_non_null(f->fw);
	gm_mmio_set_forcewake(f->mmio, f->fw);
	assert_int_equal(gm_gt_power_add(f->mmio), 0);
	assert_int_equal(gm_pcode_add(f->mmio), 0);
	wake(f, true);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(gm_stats_misuse_total(&f->stats), 0);
	gm_forcewake_destroy(f->fw);
	gm_mmio_destroy(f->mmio);
	test_free(f);
	return 0;
}

static u64 rc6_ns(struct fixture *f)
{
	return (u64)rd(f, GEN9_GFX_RC6) * GEN9_RC6_TICK_NS;
}

static void pause_ms(unsigned int ms)
{
	const struct timespec t = { .tv_nsec = (long)ms * MS };

	nanosleep(&t, NULL);
}

static void rc6_counts_while_asleep(void **state)
{
	struct fixture *f = *state;
	u64 before;

	wr(f, GEN9_RC_CONTROL, RC6_ON);
	wake(f, false);
	before = rc6_ns(f);
	pause_ms(10);
	assert_true(rc6_ns(f) - before >= 9 * MS);
	assert_int_equal(rd(f, GEN9_GFX_RC6P), 0);
	assert_int_equal(rd(f, GEN9_GFX_RC6PP), 0);
}

static void rc6_stands_still_while_disabled_or_awake(void **state)
{
	struct fixture *f = *state;
	u64 before;

	wake(f, false);
	pause_ms(5);
	assert_int_equal(rc6_ns(f), 0);

	wake(f, true);
	wr(f, GEN9_RC_CONTROL, RC6_ON);
	before = rc6_ns(f);
	pause_ms(10);
	assert_true(rc6_ns(f) - before < 5 * MS);
	wr(f, GEN9_RC_CONTROL, 0);
	wake(f, false);
	before = rc6_ns(f);
	pause_ms(5);
	assert_true(rc6_ns(f) == before);
}

/* The driver parks: hardware control off, software asks for RC6. */
static void rc6_by_software_target(void **state)
{
	struct fixture *f = *state;
	u64 before;

	wr(f, GEN9_RC_CONTROL, GEN9_RC_CTL_RC6_ENABLE);
	wr(f, GEN9_RC_STATE, GEN9_RC_SW_TARGET_RC6 << GEN9_RC_SW_TARGET_SHIFT);
	wake(f, false);
	before = rc6_ns(f);
	pause_ms(5);
	assert_true(rc6_ns(f) - before >= 4 * MS);
	wake(f, true);
	wr(f, GEN9_RC_STATE, 0);
	before = rc6_ns(f);
	wake(f, false);
	pause_ms(5);
	assert_true(rc6_ns(f) == before);
}

static void busy_engine_is_not_in_rc6(void **state)
{
	struct fixture *f = *state;
	u64 before;

	wr(f, GEN9_RC_CONTROL, RC6_ON);
	wake(f, false);
	before = rc6_ns(f);
	pause_ms(5);
	gm_count_engine(&f->stats, GM_RCS, GM_ENGINE_BUSY_NS, 3600ull * 1000 * MS);
	assert_true(rc6_ns(f) == before);
}

static void residency_is_read_only(void **state)
{
	struct fixture *f = *state;

	wr(f, GEN9_GFX_RC6, 12345678);
	assert_int_equal(rd(f, GEN9_GFX_RC6), 0);
}

static u32 ratio(struct fixture *f)
{
	return (rd(f, GEN9_RPSTAT1) & GEN9_FREQUENCY_MASK) >> GEN9_FREQUENCY_SHIFT;
}

static void frequency_follows_request_inside_limits(void **state)
{
	struct fixture *f = *state;
	u32 caps = rd(f, GEN9_RP_STATE_CAP);
	u32 highest = (caps & 0xff) * GEN9_FREQ_SCALER;
	u32 lowest = (caps >> 16 & 0xff) * GEN9_FREQ_SCALER;

	assert_true(lowest > 0 && lowest < highest);
	assert_int_equal(ratio(f), lowest);
	wr(f, GEN9_RPNSWREQ, (lowest + 3) << GEN9_FREQUENCY_SHIFT);
	assert_int_equal(ratio(f), lowest + 3);
	assert_int_equal(rd(f, GEN9_GT_PERF_STATUS) >> 8, lowest + 3);
	wr(f, GEN9_RPNSWREQ, 511u << GEN9_FREQUENCY_SHIFT);
	assert_int_equal(ratio(f), highest);
	wr(f, GEN9_RPSTAT1, 0);
	assert_int_equal(ratio(f), highest);
}

/* In 16 ticks of 12 MHz, within a generous margin; wraps at its length. */
static void evaluation_interval_ticks(void **state)
{
	struct fixture *f = *state;
	u32 ticks;

	wr(f, GEN9_RP_UP_EI, GEN9_RP_EI_MASK);
	wr(f, GEN9_RP_DOWN_EI, 99);
	pause_ms(2);
	assert_int_equal(rd(f, GEN9_RP_CUR_UP_EI), 0);
	wr(f, GEN9_RP_CONTROL, GEN9_RP_ENABLE);
	pause_ms(8);
	ticks = rd(f, GEN9_RP_CUR_UP_EI);
	assert_true(ticks >= 6000 && ticks < 600000);
	assert_true(rd(f, GEN9_RP_CUR_DOWN_EI) < 100);
	wr(f, GEN9_RP_CUR_UP_EI, 0);
	assert_true(rd(f, GEN9_RP_CUR_UP_EI) < ticks);
}

/* 24 MHz crystal divided by two, as i915's gen9_read_clock_frequency() takes it. */
static void timestamp_runs_at_12_mhz(void **state)
{
	struct fixture *f = *state;
	u32 mode = rd(f, GEN9_CTC_MODE);
	u32 shift = mode >> GEN9_CTC_SHIFT_SHIFT & 3;

	assert_int_equal(mode & GEN9_CTC_SOURCE_DIVIDE, 0);
	assert_int_equal(24000000 >> (3 - shift), gm_platform_find("skl-gt2")->timestamp_hz);
}

static void fuses_say_gt2(void **state)
{
	struct fixture *f = *state;
	u32 fuse = rd(f, GEN9_FUSE2);
	unsigned int subslices = 0;

	assert_int_equal(fuse >> 25 & 7, 1);
	for (unsigned int i = 0; i < 4; i++)
		if (!(fuse & GEN9_FUSE2_SUBSLICE_DISABLE(i)))
			subslices++;
	assert_int_equal(subslices, 3);
	assert_int_equal(rd(f, GEN9_EU_DISABLE(0)), 0);
	assert_int_not_equal(rd(f, GEN9_RC6_CTX_INFO), 0);
	assert_int_equal(rd(f, GEN9_GUC_STATUS) & GEN9_GUC_MIA_IN_RESET, 1);
}

/* Runs a command; returns the status, and the data in @data. */
static u32 pcode(struct fixture *f, u32 command, u32 *data)
{
	u32 mailbox;

	assert_int_equal(rd(f, GEN9_PCODE_MAILBOX) & GEN9_PCODE_READY, 0);
	wr(f, GEN9_PCODE_DATA0, *data);
	wr(f, GEN9_PCODE_DATA1, 0);
	wr(f, GEN9_PCODE_MAILBOX, GEN9_PCODE_READY | command);
	mailbox = rd(f, GEN9_PCODE_MAILBOX);
	assert_int_equal(mailbox & GEN9_PCODE_READY, 0);
	*data = rd(f, GEN9_PCODE_DATA0);
	return mailbox & GEN9_PCODE_COMMAND_MASK;
}

static void pcode_memory_latency_rises(void **state)
{
	struct fixture *f = *state;
	u32 last = 0;

	for (u32 set = 0; set < 2; set++) {
		u32 data = set;

		assert_int_equal(pcode(f, GEN9_PCODE_READ_MEM_LATENCY, &data), 0);
		for (int level = 0; level < 4; level++, data >>= 8) {
			assert_true((data & 0xff) > last);
			last = data & 0xff;
		}
	}
	last = 2;
	assert_int_equal(pcode(f, GEN9_PCODE_READ_MEM_LATENCY, &last), GEN9_PCODE_ILLEGAL_DATA);
}

static void pcode_cdclk_handshake(void **state)
{
	struct fixture *f = *state;
	u32 data = GEN9_CDCLK_PREPARE;

	assert_int_equal(pcode(f, GEN9_PCODE_CDCLK_CONTROL, &data), 0);
	assert_int_equal(data & GEN9_CDCLK_READY, GEN9_CDCLK_READY);
	data = 0;
	assert_int_equal(pcode(f, GEN9_PCODE_CDCLK_CONTROL, &data), 0);
}

static void pcode_sagv(void **state)
{
	struct fixture *f = *state;
	u32 data = GEN9_SAGV_DISABLE;

	assert_int_equal(pcode(f, GEN9_PCODE_SAGV_CONTROL, &data), 0);
	assert_int_equal(data & GEN9_SAGV_IS_DISABLED, GEN9_SAGV_IS_DISABLED);
	data = GEN9_SAGV_ENABLE;
	assert_int_equal(pcode(f, GEN9_PCODE_SAGV_CONTROL, &data), 0);
	assert_int_equal(data & GEN9_SAGV_IS_DISABLED, 0);
	data = 7;
	assert_int_equal(pcode(f, GEN9_PCODE_SAGV_CONTROL, &data), GEN9_PCODE_ILLEGAL_DATA);
	assert_int_equal(data, 7);
}

/* Written: GT, CPU and ring ratio; read back by GT ratio: CPU and ring. */
static void pcode_frequency_table_is_kept(void **state)
{
	struct fixture *f = *state;
	u32 data = 9u << GEN9_PCODE_RING_RATIO_SHIFT | 8u << GEN9_PCODE_IA_RATIO_SHIFT | 7;

	assert_int_equal(pcode(f, GEN9_PCODE_WRITE_MIN_FREQ, &data), 0);
	data = 6;
	assert_int_equal(pcode(f, GEN9_PCODE_READ_MIN_FREQ, &data), 0);
	assert_int_equal(data, 0);
	data = 7;
	assert_int_equal(pcode(f, GEN9_PCODE_READ_MIN_FREQ, &data), 0);
	assert_int_equal(data, 9u << 8 | 8);
}

static void pcode_efficient_frequency_is_in_range(void **state)
{
	struct fixture *f = *state;
	u32 caps = rd(f, GEN9_RP_STATE_CAP);
	u32 data = 0;

	assert_int_equal(pcode(f, GEN9_PCODE_DUTY_CYCLE, &data), 0);
	data = data >> 8 & 0xff;
	assert_true(data >= (caps >> 16 & 0xff) && data <= (caps & 0xff));
}

static void pcode_refuses_unknown_commands(void **state)
{
	struct fixture *f = *state;
	u32 data = 0x1234;

	assert_int_equal(pcode(f, 0x7e, &data), GEN9_PCODE_ILLEGAL_COMMAND);
	assert_int_equal(data, 0x1234);
	for (u32 command = 0; command < 256; command++) {
		data = 0xffffffff;
		pcode(f, command | 0x00ffff00, &data);
	}
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(rc6_counts_while_asleep),
		T(rc6_stands_still_while_disabled_or_awake),
		T(rc6_by_software_target),
		T(busy_engine_is_not_in_rc6),
		T(residency_is_read_only),
		T(frequency_follows_request_inside_limits),
		T(evaluation_interval_ticks),
		T(timestamp_runs_at_12_mhz),
		T(fuses_say_gt2),
		T(pcode_memory_latency_rises),
		T(pcode_cdclk_handshake),
		T(pcode_sagv),
		T(pcode_frequency_table_is_kept),
		T(pcode_efficient_frequency_is_in_range),
		T(pcode_refuses_unknown_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
