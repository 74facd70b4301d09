// SPDX-License-Identifier: GPL-2.0-only
/*
 * The display: fused off, wells, clocks, ports without a monitor, pipes and
 * their vertical blank interrupt.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_display.h>
#include <gvirt/gen9_gt.h>
#include "irq.h"
#include "mmio.h"
#include "power.h"
#include "stats.h"

struct fixture {
	struct gm_stats stats;
	struct gm_mmio *mmio;
	struct gm_irq *irq;
	struct gm_vblank *vblank;
	_Atomic unsigned int messages;
};

static void trigger(void *opaque, bool level)
{
	struct fixture *f = opaque;

	if (level)
		f->messages++;
}

static struct fixture *fixture_create(bool present)
{
	struct fixture *f = test_calloc(1, sizeof(*f));

	f->mmio = gm_mmio_create(&f->stats);
	assert_non_null(f->mmio);
	f->irq = gm_irq_create(f->mmio, &f->stats, trigger, f);
	assert_non_null(f->irq);
	assert_int_equal(gm_display_add(f->mmio, present), 0);
	if (present) {
		f->vblank = gm_vblank_create(f->mmio, f->irq);
		assert_non_null(f->vblank);
	}
	return f;
}

static int setup(void **state)
{
	*state = fixture_create(true);
	return 0;
}

static int setup_off(void **state)
{
	*state = fixture_create(false);
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	gm_vblank_destroy(f->vblank);
	gm_irq_destroy(f->irq);
	gm_mmio_destroy(f->mmio);
	test_free(f);
	return 0;
}

static u32 rd(struct fixture *f, u32 offset)
{
	return gm_mmio_read(f->mmio, GM_FROM_CPU, offset);
}

static void wr(struct fixture *f, u32 offset, u32 value)
{
	gm_mmio_write(f->mmio, GM_FROM_CPU, offset, value);
}

static void enable_bank(struct fixture *f, u32 base, u32 bits)
{
	wr(f, base + GEN9_IRQ_IER, bits);
	wr(f, base + GEN9_IRQ_IMR, ~bits);
	wr(f, GEN9_MASTER_IRQ, GEN9_MASTER_IRQ_ENABLE);
}

static void pause_ms(unsigned int ms)
{
	const struct timespec t = { .tv_nsec = (long)ms * 1000000 };

	nanosleep(&t, NULL);
}

static void fused_off_has_no_pipes(void **state)
{
	const u32 pipes = GEN9_DFSM_PIPE_A_DISABLE | GEN9_DFSM_PIPE_B_DISABLE |
			  GEN9_DFSM_PIPE_C_DISABLE;
	struct fixture *f = *state;

	assert_int_equal(rd(f, GEN9_DFSM) & pipes, pipes);
	wr(f, GEN9_DFSM, 0);
	assert_int_equal(rd(f, GEN9_DFSM) & pipes, pipes);
	gm_mmio_reset(f->mmio, 0, GM_MMIO_SIZE - 4);
	assert_int_equal(rd(f, GEN9_DFSM) & pipes, pipes);
	assert_int_equal(rd(f, GEN9_FUSE_STATUS), 0);
	wr(f, GEN9_PWR_WELL_DRIVER, GEN9_PWR_WELL_REQUEST(0));
	assert_int_equal(rd(f, GEN9_PWR_WELL_DRIVER), GEN9_PWR_WELL_REQUEST(0));
}

static void present_has_all_pipes(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(rd(f, GEN9_DFSM), 0);
	assert_int_not_equal(rd(f, GEN9_SFUSE_STRAP), 0);
	assert_int_equal(rd(f, GEN9_VGA_CONTROL), GEN9_VGA_DISABLE);
}

static void wells_follow_any_requester(void **state)
{
	struct fixture *f = *state;
	const u32 request = GEN9_PWR_WELL_REQUEST(GEN9_PWR_WELL_2);
	const u32 well = GEN9_PWR_WELL_STATE(GEN9_PWR_WELL_2);

	wr(f, GEN9_PWR_WELL_DRIVER, request);
	assert_int_equal(rd(f, GEN9_PWR_WELL_DRIVER), request | well);
	assert_int_equal(rd(f, GEN9_PWR_WELL_BIOS), well);
	wr(f, GEN9_PWR_WELL_DEBUG, request);
	wr(f, GEN9_PWR_WELL_DRIVER, well);
	assert_int_equal(rd(f, GEN9_PWR_WELL_DRIVER), well);
	wr(f, GEN9_PWR_WELL_DEBUG, 0);
	assert_int_equal(rd(f, GEN9_PWR_WELL_DRIVER), 0);
}

static void fuses_follow_wells(void **state)
{
	struct fixture *f = *state;
	const u32 base = GEN9_FUSE_DOWNLOADED | GEN9_FUSE_PG_READY(0);

	assert_int_equal(rd(f, GEN9_FUSE_STATUS), base);
	wr(f, GEN9_PWR_WELL_DRIVER, GEN9_PWR_WELL_REQUEST(GEN9_PWR_WELL_1));
	assert_int_equal(rd(f, GEN9_FUSE_STATUS), base | GEN9_FUSE_PG_READY(1));
	wr(f, GEN9_PWR_WELL_DRIVER, GEN9_PWR_WELL_REQUEST(GEN9_PWR_WELL_1) |
	   GEN9_PWR_WELL_REQUEST(GEN9_PWR_WELL_2));
	assert_int_equal(rd(f, GEN9_FUSE_STATUS),
			 base | GEN9_FUSE_PG_READY(1) | GEN9_FUSE_PG_READY(2));
}

static void buffer_and_plls_answer(void **state)
{
	static const u32 control[] = {
		GEN9_LCPLL1_CTL, GEN9_LCPLL2_CTL, GEN9_WRPLL1_CTL, GEN9_WRPLL2_CTL,
	};
	struct fixture *f = *state;
	u32 locked = 0;

	wr(f, GEN9_DBUF_CTL, GEN9_DBUF_POWER_REQUEST);
	assert_int_equal(rd(f, GEN9_DBUF_CTL), GEN9_DBUF_POWER_REQUEST | GEN9_DBUF_POWER_STATE);
	wr(f, GEN9_DBUF_CTL, GEN9_DBUF_POWER_STATE);
	assert_int_equal(rd(f, GEN9_DBUF_CTL), 0);

	assert_int_equal(rd(f, GEN9_DPLL_STATUS), 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(control); i++) {
		wr(f, control[i], GEN9_PLL_ENABLE);
		locked |= GEN9_DPLL_LOCK(i);
		assert_int_equal(rd(f, GEN9_DPLL_STATUS), locked);
	}
	assert_int_equal(rd(f, GEN9_LCPLL1_CTL), GEN9_PLL_ENABLE | GEN9_LCPLL_LOCK);
	wr(f, GEN9_LCPLL1_CTL, 0);
	assert_int_equal(rd(f, GEN9_LCPLL1_CTL), 0);
	assert_int_equal(rd(f, GEN9_DPLL_STATUS), locked & ~GEN9_DPLL_LOCK(0));
}

static void ddi_buffer_is_idle_unless_enabled(void **state)
{
	struct fixture *f = *state;

	for (u32 n = 0; n < GEN9_DDI_COUNT; n++) {
		assert_int_equal(rd(f, GEN9_DDI_BUF_CTL(n)), GEN9_DDI_BUF_IDLE);
		wr(f, GEN9_DDI_BUF_CTL(n), GEN9_DDI_BUF_ENABLE);
		assert_int_equal(rd(f, GEN9_DDI_BUF_CTL(n)), GEN9_DDI_BUF_ENABLE);
	}
}

static void idle_pattern_is_sent(void **state)
{
	struct fixture *f = *state;

	wr(f, GEN9_DP_TP_CTL(1), GEN9_DP_TP_ENABLE);
	assert_int_equal(rd(f, GEN9_DP_TP_STATUS(1)), 0);
	wr(f, GEN9_DP_TP_CTL(1), GEN9_DP_TP_ENABLE | GEN9_DP_TP_TRAIN_IDLE);
	assert_int_equal(rd(f, GEN9_DP_TP_STATUS(1)), GEN9_DP_TP_IDLE_DONE);
}

static void aux_times_out(void **state)
{
	static const u32 interrupt[GEN9_AUX_COUNT] = { BIT(0), BIT(25), BIT(26), BIT(27) };
	const u32 end = GEN9_AUX_DONE | GEN9_AUX_TIMEOUT;
	struct fixture *f = *state;

	enable_bank(f, GEN9_DE_PORT_IRQ, 0xffffffff);
	for (u32 n = 0; n < GEN9_AUX_COUNT; n++) {
		const u32 reg = GEN9_AUX_CTL(n);

		wr(f, reg, GEN9_AUX_SEND_BUSY | 0x44);
		assert_int_equal(rd(f, reg), end | 0x44);
		assert_int_equal(rd(f, GEN9_DE_PORT_IRQ + GEN9_IRQ_IIR), 0);
		wr(f, reg, end | 0x44);
		assert_int_equal(rd(f, reg), 0x44);

		wr(f, reg, GEN9_AUX_SEND_BUSY | GEN9_AUX_INTERRUPT);
		assert_int_equal(rd(f, GEN9_DE_PORT_IRQ + GEN9_IRQ_IIR), interrupt[n]);
		wr(f, GEN9_DE_PORT_IRQ + GEN9_IRQ_IIR, interrupt[n]);
		wr(f, reg, GEN9_AUX_DONE);
		assert_int_equal(rd(f, reg), GEN9_AUX_TIMEOUT);
	}
	assert_int_equal(f->messages, GEN9_AUX_COUNT);
}

static void nobody_answers_on_gmbus(void **state)
{
	struct fixture *f = *state;

	enable_bank(f, GEN9_SDE_IRQ, GEN9_SDE_GMBUS);
	wr(f, GEN9_GMBUS0, 5);
	wr(f, GEN9_GMBUS1, GEN9_GMBUS_READY | GEN9_GMBUS_CYCLE_WAIT);
	assert_int_equal(rd(f, GEN9_GMBUS2), GEN9_GMBUS_NAK);
	assert_int_equal(f->messages, 0);
	wr(f, GEN9_GMBUS1, GEN9_GMBUS_CLEAR_INT);
	assert_int_equal(rd(f, GEN9_GMBUS2), 0);
	wr(f, GEN9_GMBUS1, GEN9_GMBUS_READY | GEN9_GMBUS_CYCLE_STOP);
	assert_int_equal(rd(f, GEN9_GMBUS2), 0);
	wr(f, GEN9_GMBUS4, GEN9_GMBUS4_NAK);
	wr(f, GEN9_GMBUS1, GEN9_GMBUS_READY | GEN9_GMBUS_CYCLE_INDEX);
	assert_int_equal(f->messages, 1);
}

static void gpio_lines_are_pulled_up(void **state)
{
	const u32 line = GEN9_GPIO_DIR_MASK | GEN9_GPIO_VALUE_MASK;
	struct fixture *f = *state;
	const u32 high = GEN9_GPIO_VALUE_IN | GEN9_GPIO_VALUE_IN << GEN9_GPIO_DATA_SHIFT;

	assert_int_equal(rd(f, GEN9_GPIO_FIRST) & high, high);
	wr(f, GEN9_GPIO_FIRST, line | GEN9_GPIO_DIR_OUT);
	assert_int_equal(rd(f, GEN9_GPIO_FIRST) & high,
			 GEN9_GPIO_VALUE_IN << GEN9_GPIO_DATA_SHIFT);
	wr(f, GEN9_GPIO_FIRST, (line | GEN9_GPIO_DIR_OUT) << GEN9_GPIO_DATA_SHIFT);
	assert_int_equal(rd(f, GEN9_GPIO_FIRST) & high, 0);
	wr(f, GEN9_GPIO_FIRST, line | GEN9_GPIO_DIR_OUT | GEN9_GPIO_VALUE_OUT);
	assert_int_equal(rd(f, GEN9_GPIO_FIRST) & high, GEN9_GPIO_VALUE_IN);
	wr(f, GEN9_GPIO_FIRST, line << GEN9_GPIO_DATA_SHIFT);
	assert_int_equal(rd(f, GEN9_GPIO_FIRST) & high, high);
}

static void hotplug_status_is_cleared_by_one(void **state)
{
	struct fixture *f = *state;

	gm_mmio_poke(f->mmio, GEN9_SHOTPLUG_CTL, 0x00030302);
	wr(f, GEN9_SHOTPLUG_CTL, 0x10000202);
	assert_int_equal(rd(f, GEN9_SHOTPLUG_CTL), 0x10030100);
	gm_mmio_poke(f->mmio, GEN9_SHOTPLUG_CTL2, 3);
	wr(f, GEN9_SHOTPLUG_CTL2, 0x13);
	assert_int_equal(rd(f, GEN9_SHOTPLUG_CTL2), 0x10);
	assert_int_equal(rd(f, GEN9_SDE_IRQ), 0);
}

static void panel_power_follows_target(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(rd(f, GEN9_PP_STATUS), 0);
	wr(f, GEN9_PP_CONTROL, GEN9_PP_TARGET_ON);
	assert_int_equal(rd(f, GEN9_PP_STATUS), GEN9_PP_ON);
}

static void status_registers_clear_by_one(void **state)
{
	struct fixture *f = *state;

	gm_mmio_poke(f->mmio, GEN9_FPGA_DBG, GEN9_FPGA_DBG_UNCLAIMED);
	wr(f, GEN9_FPGA_DBG, GEN9_FPGA_DBG_UNCLAIMED);
	assert_int_equal(rd(f, GEN9_FPGA_DBG), 0);
	gm_mmio_poke(f->mmio, GEN9_PSR_IIR, 6);
	wr(f, GEN9_PSR_IIR, 2);
	assert_int_equal(rd(f, GEN9_PSR_IIR), 4);
}

/* 1080 lines of 1125; the blank starts after the last active one. */
static void start_pipe(struct fixture *f, u32 pipe)
{
	wr(f, GEN9_TRANS_VTOTAL(pipe), 1124u << GEN9_TIMING_HIGH_SHIFT | 1079);
	wr(f, GEN9_TRANS_VBLANK(pipe), 1124u << GEN9_TIMING_HIGH_SHIFT | 1079);
	wr(f, GEN9_PIPE_CONF(pipe), GEN9_PIPE_ENABLE);
}

static void pipe_state_follows_enable(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(rd(f, GEN9_PIPE_CONF(0)), 0);
	start_pipe(f, 0);
	assert_int_equal(rd(f, GEN9_PIPE_CONF(0)), GEN9_PIPE_ENABLE | GEN9_PIPE_STATE);
	wr(f, GEN9_PIPE_CONF(0), GEN9_PIPE_STATE);
	assert_int_equal(rd(f, GEN9_PIPE_CONF(0)), 0);
	wr(f, GEN9_PIPE_CONF_EDP, GEN9_PIPE_ENABLE);
	assert_int_equal(rd(f, GEN9_PIPE_CONF_EDP), GEN9_PIPE_ENABLE | GEN9_PIPE_STATE);
}

static void frames_and_lines_advance(void **state)
{
	struct fixture *f = *state;
	u32 frame, line, moved = 0;

	assert_int_equal(rd(f, GEN9_PIPE_DSL(1)), 0);
	assert_int_equal(rd(f, GEN9_PIPE_FRAME_COUNT(1)), 0);
	start_pipe(f, 1);
	frame = rd(f, GEN9_PIPE_FRAME_COUNT(1));
	line = rd(f, GEN9_PIPE_DSL(1));
	for (int i = 0; i < 20; i++) {
		u32 now;

		pause_ms(2);
		now = rd(f, GEN9_PIPE_DSL(1));
		assert_true(now < 1125);
		if (now != line)
			moved++;
		line = now;
	}
	assert_true(moved > 10);
	assert_true(rd(f, GEN9_PIPE_FRAME_COUNT(1)) - frame >= 2);
}

static void any_timing_is_survived(void **state)
{
	static const u32 odd[] = { 0, 0xffffffff, 0x00001fff, 0x1fff0000 };
	struct fixture *f = *state;

	wr(f, GEN9_PIPE_CONF(2), GEN9_PIPE_ENABLE);
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		wr(f, GEN9_TRANS_VTOTAL(2), odd[i]);
		for (size_t j = 0; j < ARRAY_SIZE(odd); j++) {
			wr(f, GEN9_TRANS_VBLANK(2), odd[j]);
			assert_true(rd(f, GEN9_PIPE_DSL(2)) <= GEN9_TIMING_LOW_MASK);
		}
	}
}

static void flips_are_live_at_once(void **state)
{
	struct fixture *f = *state;

	enable_bank(f, GEN9_DE_PIPE_IRQ(1), GEN9_PIPE_IRQ_FLIP_DONE(2));
	wr(f, GEN9_PLANE_SURF(1, 2), 0x1000);
	assert_int_equal(f->messages, 0);
	start_pipe(f, 1);
	wr(f, GEN9_PLANE_SURF(1, 2), 0x2000);
	assert_int_equal(rd(f, GEN9_PLANE_SURF_LIVE(1, 2)), 0x2000);
	assert_int_equal(rd(f, GEN9_PIPE_FLIP_COUNT(1)), 2);
	assert_int_equal(f->messages, 1);
	assert_int_equal(rd(f, GEN9_DE_PIPE_IRQ(1) + GEN9_IRQ_IIR), GEN9_PIPE_IRQ_FLIP_DONE(2));
}

/* Takes interrupts for @ms; returns how many vertical blanks there were. */
/* Events for the command streamers. */

static u32 events(struct fixture *f, u32 wanted)
{
	u64 since = 0;

	return gm_display_events(f->mmio, wanted, &since);
}

static void vblanks_reach_the_streamers(void **state)
{
	const u32 a = GEN9_MI_WAIT_VBLANK_A, b = GEN9_MI_WAIT_VBLANK_B, c = GEN9_MI_WAIT_VBLANK_C;
	struct fixture *f = *state;
	u64 since = 0, later;

	/* DERRMR masks all of them until somebody wants one. */
	start_pipe(f, 0);
	start_pipe(f, 1);
	assert_int_equal(rd(f, GEN9_DERRMR), 0xffffffff);
	gm_display_events(f->mmio, a | b | c, &since);
	assert_true(since);
	later = since;
	pause_ms(18);
	assert_int_equal(gm_display_events(f->mmio, a | b | c, &since), 0);
	wr(f, GEN9_DERRMR, ~a);
	assert_int_equal(gm_display_events(f->mmio, a | b | c, &since), a);
	wr(f, GEN9_DERRMR, 0);
	assert_int_equal(gm_display_events(f->mmio, b | c, &since), b);
	assert_true(since == later);
	wr(f, GEN9_PIPE_CONF(1), 0);
	assert_int_equal(gm_display_events(f->mmio, b | c, &since), 0);
}

/* Of 1125 lines the beam is in a window of all of them, or of none. */
static void scan_lines_reach_the_streamers(void **state)
{
	const u32 a = GEN9_MI_WAIT_SCAN_LINE_A, c = GEN9_MI_WAIT_SCAN_LINE_C;
	const u32 all = 1124, none = 2000u << 16 | 2001;
	struct fixture *f = *state;

	start_pipe(f, 2);
	wr(f, GEN9_DERRMR, 0);
	wr(f, GEN9_PIPE_SCAN_LINES(2), GEN9_SCAN_LINES_INCLUSIVE | all);
	assert_int_equal(events(f, c), 0);
	wr(f, GEN9_PIPE_SCAN_LINES(2), GEN9_SCAN_LINES_INCLUSIVE | none);
	assert_int_equal(events(f, a | c), c);
	wr(f, GEN9_PIPE_SCAN_LINES(2), all);
	assert_int_equal(events(f, a | c), c);
	wr(f, GEN9_PIPE_SCAN_LINES(2), none);
	assert_int_equal(events(f, c), 0);
	wr(f, GEN9_PIPE_SCAN_LINES(2), all);
	wr(f, GEN9_DERRMR, c);
	assert_int_equal(events(f, c), 0);
}

static unsigned int count_vblanks(struct fixture *f, u32 pipe, unsigned int ms)
{
	const u32 iir = GEN9_DE_PIPE_IRQ(pipe) + GEN9_IRQ_IIR;
	unsigned int blanks = 0;

	for (unsigned int i = 0; i < ms; i += 2) {
		u32 bits = rd(f, iir);

		if (bits & GEN9_PIPE_IRQ_VBLANK)
			blanks++;
		wr(f, iir, bits);
		pause_ms(2);
	}
	return blanks;
}

static void vblank_comes_while_unmasked_and_running(void **state)
{
	struct fixture *f = *state;
	u32 frame;
	unsigned int blanks;

	start_pipe(f, 2);
	assert_int_equal(count_vblanks(f, 2, 50), 0);
	enable_bank(f, GEN9_DE_PIPE_IRQ(2), GEN9_PIPE_IRQ_VBLANK);
	frame = rd(f, GEN9_PIPE_FRAME_COUNT(2));
	blanks = count_vblanks(f, 2, 200);
	frame = rd(f, GEN9_PIPE_FRAME_COUNT(2)) - frame;
	assert_true(blanks >= 3);
	assert_true(blanks <= frame + 1);
	wr(f, GEN9_PIPE_CONF(2), 0);
	count_vblanks(f, 2, 40);
	assert_int_equal(count_vblanks(f, 2, 50), 0);
}

/* Its first interrupt comes within two frames, and not before a blank begins. */
static void vblank_starts_when_unmasked(void **state)
{
	struct fixture *f = *state;
	u32 frame;
	unsigned int waited = 0;

	start_pipe(f, 0);
	pause_ms(30);
	frame = rd(f, GEN9_PIPE_FRAME_COUNT(0));
	enable_bank(f, GEN9_DE_PIPE_IRQ(0), GEN9_PIPE_IRQ_VBLANK);
	while (!f->messages && waited++ < 1000)
		pause_ms(1);
	assert_int_equal(f->messages, 1);
	assert_true(rd(f, GEN9_PIPE_FRAME_COUNT(0)) > frame);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(fused_off_has_no_pipes, setup_off, teardown),
		T(present_has_all_pipes),
		T(wells_follow_any_requester),
		T(fuses_follow_wells),
		T(buffer_and_plls_answer),
		T(ddi_buffer_is_idle_unless_enabled),
		T(idle_pattern_is_sent),
		T(aux_times_out),
		T(nobody_answers_on_gmbus),
		T(gpio_lines_are_pulled_up),
		T(hotplug_status_is_cleared_by_one),
		T(panel_power_follows_target),
		T(status_registers_clear_by_one),
		T(pipe_state_follows_enable),
		T(frames_and_lines_advance),
		T(any_timing_is_survived),
		T(flips_are_live_at_once),
		T(vblanks_reach_the_streamers),
		T(scan_lines_reach_the_streamers),
		T(vblank_comes_while_unmasked_and_running),
		T(vblank_starts_when_unmasked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
