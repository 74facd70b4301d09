// SPDX-License-Identifier: GPL-2.0-only
/*
 * Forcewake: requests and acknowledges, which well a register stands in,
 * shadowed registers, what an access to a sleeping well does, and the statistics.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_reset.h>
#include "forcewake.h"
#include "mmio.h"
#include "platform.h"
#include "stats.h"

/* Masked writes: the upper half says which bits of the lower change. */
static u32 set_bits(u32 bits)
{
	return bits << 16 | bits;
}

static u32 clear_bits(u32 bits)
{
	return bits << 16;
}

struct fixture {
	struct gm_stats stats;
	struct gm_mmio *mmio;
	struct gm_forcewake *fw;
	u32 busy_engines;
};

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));

	f->mmio = gm_mmio_create(&f->stats);
	assert_non_null(f->mmio);
	f->fw = gm_forcewake_create(f->mmio, &f->stats);
	assert_non_null(f->fw);
	gm_mmio_set_forcewake(f->mmio, f->fw);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	gm_forcewake_destroy(f->fw);
	gm_mmio_destroy(f->mmio);
	test_free(f);
	return 0;
}

static u64 misuse(struct fixture *f)
{
	return atomic_load(&f->stats.misuse[GM_MISUSE_FORCEWAKE]);
}

static u32 cpu_read(struct fixture *f, u32 offset)
{
	return gm_mmio_read(f->mmio, GM_FROM_CPU, offset);
}

static void cpu_write(struct fixture *f, u32 offset, u32 value)
{
	gm_mmio_write(f->mmio, GM_FROM_CPU, offset, value);
}

static const struct {
	u32 request;
	u32 ack;
} wells[] = {
	{ GEN9_FORCEWAKE_RENDER, GEN9_FORCEWAKE_ACK_RENDER },
	{ GEN9_FORCEWAKE_GT, GEN9_FORCEWAKE_ACK_GT },
	{ GEN9_FORCEWAKE_MEDIA, GEN9_FORCEWAKE_ACK_MEDIA },
};

static void acknowledge_follows_request(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(wells); i++) {
		cpu_write(f, wells[i].request, set_bits(GEN9_FORCEWAKE_KERNEL));
		assert_int_equal(cpu_read(f, wells[i].ack), GEN9_FORCEWAKE_KERNEL);
		for (size_t other = 0; other < ARRAY_SIZE(wells); other++)
			if (other > i)
				assert_int_equal(cpu_read(f, wells[other].ack), 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wells); i++) {
		cpu_write(f, wells[i].request, clear_bits(GEN9_FORCEWAKE_KERNEL));
		assert_int_equal(cpu_read(f, wells[i].ack), 0);
	}
	assert_int_equal(misuse(f), 0);
}

static void requesters_are_independent(void **state)
{
	struct fixture *f = *state;
	const u32 all = GEN9_FORCEWAKE_KERNEL | GEN9_FORCEWAKE_USER |
			GEN9_FORCEWAKE_KERNEL_FALLBACK;

	cpu_write(f, GEN9_FORCEWAKE_GT, set_bits(GEN9_FORCEWAKE_KERNEL));
	cpu_write(f, GEN9_FORCEWAKE_GT, set_bits(GEN9_FORCEWAKE_USER));
	cpu_write(f, GEN9_FORCEWAKE_GT, set_bits(GEN9_FORCEWAKE_KERNEL_FALLBACK));
	assert_int_equal(cpu_read(f, GEN9_FORCEWAKE_ACK_GT), all);
	cpu_write(f, GEN9_FORCEWAKE_GT, clear_bits(GEN9_FORCEWAKE_KERNEL));
	assert_int_equal(cpu_read(f, GEN9_FORCEWAKE_ACK_GT), all & ~GEN9_FORCEWAKE_KERNEL);
	assert_true(gm_forcewake_check(f->fw, GEN9_FUSE2, false));
	cpu_write(f, GEN9_FORCEWAKE_GT, clear_bits(0xffffu));
	assert_int_equal(cpu_read(f, GEN9_FORCEWAKE_ACK_GT), 0);
	assert_false(gm_forcewake_check(f->fw, GEN9_FUSE2, false));
}

static void acknowledge_is_read_only(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(wells); i++) {
		cpu_write(f, wells[i].ack, 0xffffffff);
		assert_int_equal(cpu_read(f, wells[i].ack), 0);
	}
}

/* One register of each well's ranges, at their edges. */
static void each_register_needs_its_well(void **state)
{
	static const struct {
		u32 offset;
		u32 request;	/* 0: none needed */
	} regs[] = {
		{ 0x00000, GEN9_FORCEWAKE_GT }, { 0x00afc, GEN9_FORCEWAKE_GT },
		{ 0x00b00, 0 }, { 0x01ffc, 0 },
		{ 0x02000, GEN9_FORCEWAKE_RENDER }, { 0x026fc, GEN9_FORCEWAKE_RENDER },
		{ 0x02700, GEN9_FORCEWAKE_GT }, { 0x03000, GEN9_FORCEWAKE_RENDER },
		{ 0x04094, GEN9_FORCEWAKE_GT }, { 0x051fc, GEN9_FORCEWAKE_GT },
		{ 0x05200, GEN9_FORCEWAKE_RENDER }, { 0x07004, GEN9_FORCEWAKE_RENDER },
		{ 0x08130, GEN9_FORCEWAKE_MEDIA }, { 0x08140, GEN9_FORCEWAKE_RENDER },
		{ 0x083fc, GEN9_FORCEWAKE_RENDER }, { 0x08504, GEN9_FORCEWAKE_GT },
		{ 0x08800, GEN9_FORCEWAKE_MEDIA }, { 0x08c00, GEN9_FORCEWAKE_RENDER },
		{ 0x09120, GEN9_FORCEWAKE_GT }, { 0x0a090, GEN9_FORCEWAKE_GT },
		{ 0x0b020, GEN9_FORCEWAKE_RENDER }, { 0x0b47c, GEN9_FORCEWAKE_RENDER },
		{ 0x0c800, GEN9_FORCEWAKE_GT }, { 0x0d000, GEN9_FORCEWAKE_MEDIA },
		{ 0x0e4f0, GEN9_FORCEWAKE_RENDER }, { 0x0e900, GEN9_FORCEWAKE_GT },
		{ 0x12034, GEN9_FORCEWAKE_MEDIA }, { 0x14000, GEN9_FORCEWAKE_GT },
		{ 0x1a034, GEN9_FORCEWAKE_MEDIA }, { 0x1e9fc, GEN9_FORCEWAKE_MEDIA },
		{ 0x22034, GEN9_FORCEWAKE_GT }, { 0x24400, GEN9_FORCEWAKE_RENDER },
		{ 0x24800, GEN9_FORCEWAKE_GT }, { 0x30000, GEN9_FORCEWAKE_MEDIA },
		{ 0x3fffc, GEN9_FORCEWAKE_MEDIA }, { 0x40000, 0 }, { 0x44200, 0 },
		{ 0x138108, 0 }, { 0x7ffffc, 0 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(regs); i++) {
		assert_int_equal(gm_forcewake_check(f->fw, regs[i].offset, false),
				 !regs[i].request);
		for (size_t well = 0; well < ARRAY_SIZE(wells); well++) {
			cpu_write(f, wells[well].request, set_bits(1u));
			assert_int_equal(gm_forcewake_check(f->fw, regs[i].offset, false),
					 !regs[i].request ||
					 regs[i].request == wells[well].request);
			cpu_write(f, wells[well].request, clear_bits(1u));
		}
	}
}

static void reset_registers_need_two_wells(void **state)
{
	struct fixture *f = *state;

	cpu_write(f, GEN9_FORCEWAKE_RENDER, set_bits(1u));
	assert_false(gm_forcewake_check(f->fw, GEN9_GDRST, true));
	cpu_write(f, GEN9_FORCEWAKE_MEDIA, set_bits(1u));
	assert_true(gm_forcewake_check(f->fw, GEN9_GDRST, true));
	cpu_write(f, GEN9_FORCEWAKE_RENDER, clear_bits(1u));
	assert_false(gm_forcewake_check(f->fw, GEN9_GDRST, true));
	assert_int_equal(misuse(f), 2);
}

static void sleeping_register_reads_zero_and_loses_writes(void **state)
{
	struct fixture *f = *state;

	gm_mmio_poke(f->mmio, GEN9_PRIVATE_PAT_LO, 0x1234);
	assert_int_equal(cpu_read(f, GEN9_PRIVATE_PAT_LO), 0);
	cpu_write(f, GEN9_PRIVATE_PAT_LO, 0x5678);
	assert_int_equal(misuse(f), 2);
	cpu_write(f, GEN9_FORCEWAKE_GT, set_bits(1u));
	assert_int_equal(cpu_read(f, GEN9_PRIVATE_PAT_LO), 0x1234);
	assert_int_equal(misuse(f), 2);
}

static void commands_need_no_forcewake(void **state)
{
	struct fixture *f = *state;

	gm_mmio_write(f->mmio, GM_FROM_COMMAND, GEN9_PRIVATE_PAT_LO, 0x5678);
	assert_int_equal(gm_mmio_read(f->mmio, GM_FROM_COMMAND, GEN9_PRIVATE_PAT_LO), 0x5678);
	assert_int_equal(misuse(f), 0);
}

static void shadowed_registers_take_writes_only(void **state)
{
	struct fixture *f = *state;

	for (unsigned int engine = 0; engine < GM_ENGINE_COUNT; engine++) {
		const u32 base = gm_engine_base(engine);

		assert_true(gm_forcewake_check(f->fw, base + GEN9_RING_TAIL, true));
		assert_true(gm_forcewake_check(f->fw, base + GEN9_RING_ELSP, true));
		assert_false(gm_forcewake_check(f->fw, base + GEN9_RING_HEAD, true));
	}
	assert_true(gm_forcewake_check(f->fw, GEN9_RPNSWREQ, true));
	assert_true(gm_forcewake_check(f->fw, GEN9_RC_VIDEO_FREQ, true));
	assert_int_equal(misuse(f), GM_ENGINE_COUNT);
	assert_false(gm_forcewake_check(f->fw, GEN9_RCS_BASE + GEN9_RING_TAIL, false));
	assert_false(gm_forcewake_check(f->fw, GEN9_RPNSWREQ, false));
	assert_int_equal(misuse(f), GM_ENGINE_COUNT + 2);
}

static void probes_read_zero_and_are_no_misuse(void **state)
{
	struct fixture *f = *state;

	assert_false(gm_forcewake_check(f->fw, GEN9_VCS_BASE + GEN9_RING_CTL, false));
	assert_false(gm_forcewake_check(f->fw, GEN9_BCS_BASE + GEN9_RING_MI_MODE, false));
	assert_false(gm_forcewake_check(f->fw, GEN9_RPSTAT1, false));
	assert_int_equal(misuse(f), 0);
	assert_false(gm_forcewake_check(f->fw, GEN9_VCS_BASE + GEN9_RING_CTL, true));
	assert_int_equal(misuse(f), 1);
}

/* Writes of its registers need no well (i915 relies on that); reads are not known to be so. */
static void power_management_unit_takes_writes_asleep(void **state)
{
	struct fixture *f = *state;

	cpu_write(f, GEN9_RC_STATE, 0x40000);
	cpu_write(f, GEN9_RP_CONTROL, GEN9_RP_ENABLE);
	assert_int_equal(gm_mmio_peek(f->mmio, GEN9_RC_STATE), 0x40000);
	assert_int_equal(gm_mmio_peek(f->mmio, GEN9_RP_CONTROL), GEN9_RP_ENABLE);
	assert_int_equal(misuse(f), 0);
	assert_int_equal(cpu_read(f, GEN9_RP_CONTROL), 0);
	assert_int_equal(misuse(f), 1);
	cpu_write(f, GEN9_PMINTRMSK, 1);
	assert_int_equal(misuse(f), 2);
}

static u32 mode_read(void *opaque, u32 offset)
{
	const struct fixture *f = opaque;

	for (unsigned int engine = 0; engine < GM_ENGINE_COUNT; engine++)
		if (offset == gm_engine_base(engine) + GEN9_RING_MI_MODE &&
		    f->busy_engines & BIT(engine))
			return 0;
	return GEN9_MI_MODE_IDLE;
}

static void add_engines(struct fixture *f)
{
	struct gm_mmio_range range = { .read = mode_read, .opaque = f };

	for (unsigned int engine = 0; engine < GM_ENGINE_COUNT; engine++) {
		range.first = gm_engine_base(engine) + GEN9_RING_MI_MODE;
		range.last = range.first;
		assert_int_equal(gm_mmio_add(f->mmio, &range), 0);
	}
}

/* What works by luck on silicon works, and is counted. */
static void busy_engine_keeps_its_wells_awake(void **state)
{
	struct fixture *f = *state;

	add_engines(f);
	f->busy_engines = BIT(GM_VCS);
	assert_true(gm_forcewake_check(f->fw, GEN9_VCS_BASE + GEN9_RING_ACTHD, false));
	assert_true(gm_forcewake_check(f->fw, GEN9_FUSE2, false));
	assert_false(gm_forcewake_check(f->fw, GEN9_RCS_BASE + GEN9_RING_ACTHD, false));
	assert_int_equal(misuse(f), 3);
	f->busy_engines = BIT(GM_BCS);
	assert_false(gm_forcewake_check(f->fw, GEN9_VCS_BASE + GEN9_RING_ACTHD, false));
	assert_true(gm_forcewake_check(f->fw, GEN9_BCS_BASE + GEN9_RING_CTL, false));
	assert_int_equal(misuse(f), 4);
}

static void status_registers_show_the_wells(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(cpu_read(f, GEN9_GT_THREAD_STATUS), GEN9_GT_THREAD_CORE_MASK);
	assert_int_equal(cpu_read(f, GEN9_GT_CORE_STATUS), GEN9_GT_CORE_RC6);
	cpu_write(f, GEN9_FORCEWAKE_GT, set_bits(1u));
	assert_int_equal(cpu_read(f, GEN9_PWRGT_DOMAIN_STATUS), 0);
	cpu_write(f, GEN9_FORCEWAKE_RENDER, set_bits(1u));
	assert_int_equal(cpu_read(f, GEN9_PWRGT_DOMAIN_STATUS), GEN9_PWRGT_RENDER_AWAKE);
	assert_int_equal(cpu_read(f, GEN9_GT_THREAD_STATUS), 0);
	assert_int_equal(cpu_read(f, GEN9_GT_CORE_STATUS), 0);
	cpu_write(f, GEN9_FORCEWAKE_MEDIA, set_bits(1u));
	assert_int_equal(cpu_read(f, GEN9_PWRGT_DOMAIN_STATUS),
			 GEN9_PWRGT_RENDER_AWAKE | GEN9_PWRGT_MEDIA_AWAKE);
	cpu_write(f, GEN9_GT_CORE_STATUS, 0xffffffff);
	assert_int_equal(cpu_read(f, GEN9_GT_CORE_STATUS), 0);
}

static void reset_forgets_requests(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(wells); i++)
		cpu_write(f, wells[i].request, set_bits(1u));
	gm_forcewake_reset(f->fw);
	for (size_t i = 0; i < ARRAY_SIZE(wells); i++) {
		assert_int_equal(cpu_read(f, wells[i].ack), 0);
		assert_int_equal(gm_mmio_peek(f->mmio, wells[i].request), 0);
	}
	assert_false(gm_forcewake_check(f->fw, GEN9_FUSE2, false));
}

static void time_awake_is_measured(void **state)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	struct fixture *f = *state;
	u64 ns;

	nanosleep(&pause, NULL);
	assert_int_equal(gm_forcewake_awake_ns(f->fw), 0);
	cpu_write(f, GEN9_FORCEWAKE_GT, set_bits(1u));
	nanosleep(&pause, NULL);
	assert_true(gm_forcewake_awake_ns(f->fw) >= 5000000);
	cpu_write(f, GEN9_FORCEWAKE_MEDIA, set_bits(1u));
	cpu_write(f, GEN9_FORCEWAKE_GT, clear_bits(1u));
	nanosleep(&pause, NULL);
	cpu_write(f, GEN9_FORCEWAKE_MEDIA, clear_bits(1u));
	ns = gm_forcewake_awake_ns(f->fw);
	assert_true(ns >= 10000000);
	nanosleep(&pause, NULL);
	assert_true(gm_forcewake_awake_ns(f->fw) == ns);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(acknowledge_follows_request),
		T(requesters_are_independent),
		T(acknowledge_is_read_only),
		T(each_register_needs_its_well),
		T(reset_registers_need_two_wells),
		T(sleeping_register_reads_zero_and_loses_writes),
		T(commands_need_no_forcewake),
		T(shadowed_registers_take_writes_only),
		T(probes_read_zero_and_are_no_misuse),
		T(power_management_unit_takes_writes_asleep),
		T(busy_engine_keeps_its_wells_awake),
		T(status_registers_show_the_wells),
		T(reset_forgets_requests),
		T(time_awake_is_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
