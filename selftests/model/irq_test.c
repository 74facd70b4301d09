// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts: places of the engines in the banks, masks, write-1-to-clear with
 * a queued second event, the master control, and when a message goes out.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include <gvirt/gen9_gt.h>
#include "irq.h"
#include "mmio.h"
#include "platform.h"
#include "stats.h"

#define IMR(base) ((base) + GEN9_IRQ_IMR)
#define IIR(base) ((base) + GEN9_IRQ_IIR)
#define IER(base) ((base) + GEN9_IRQ_IER)

struct fixture {
	struct gm_stats stats;
	struct gm_mmio *mmio;
	struct gm_irq *irq;
	_Atomic unsigned int messages;	/* level true */
	_Atomic bool level;
	unsigned int changes;
};

static void trigger(void *opaque, bool level)
{
	struct fixture *f = opaque;

	f->level = level;
	if (level)
		f->messages++;
}

static int setup(void **state)
{
	struct fixture *f = test_calloc(1, sizeof(*f));

	f->mmio = gm_mmio_create(&f->stats);
	assert_non_null(f->mmio);
	f->irq = gm_irq_create(f->mmio, &f->stats, trigger, f);
	assert_non_null(f->irq);
	assert_ptr_equal(gm_mmio_irq(f->mmio), f->irq);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

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

static void enable_bank(struct fixture *f, u32 base)
{
	wr(f, IER(base), 0xffffffff);
	wr(f, IMR(base), 0);
}

static void enable_master(struct fixture *f)
{
	wr(f, GEN9_MASTER_IRQ, GEN9_MASTER_IRQ_ENABLE);
}

static u64 misuse(struct fixture *f)
{
	return atomic_load(&f->stats.misuse[GM_MISUSE_IRQ]);
}

static void starts_masked(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(rd(f, IMR(GEN9_GT_IRQ(0))), 0xffffffff);
	assert_int_equal(rd(f, IER(GEN9_GT_IRQ(0))), 0);
	assert_int_equal(rd(f, GEN9_MASTER_IRQ), 0);
	enable_master(f);
	wr(f, IER(GEN9_GT_IRQ(0)), 0xffffffff);
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	assert_int_equal(rd(f, IIR(GEN9_GT_IRQ(0))), 0);
	assert_int_equal(f->messages, 0);
}

static const struct {
	unsigned int engine;
	u32 base;
	unsigned int shift;
	u32 master;
} places[] = {
	{ GM_RCS, GEN9_GT_IRQ(0), 0, GEN9_MASTER_GT_RCS },
	{ GM_BCS, GEN9_GT_IRQ(0), 16, GEN9_MASTER_GT_BCS },
	{ GM_VCS, GEN9_GT_IRQ(1), 0, GEN9_MASTER_GT_VCS },
	{ GM_VECS, GEN9_GT_IRQ(3), 0, GEN9_MASTER_GT_VECS },
};

static void engines_have_their_places(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		const u32 bits = (GM_IRQ_USER | GM_IRQ_CONTEXT_SWITCH) << places[i].shift;

		enable_bank(f, places[i].base);
		gm_irq_raise_gt(f->irq, places[i].engine, GM_IRQ_USER | GM_IRQ_CONTEXT_SWITCH, 0);
		assert_int_equal(rd(f, GEN9_MASTER_IRQ), places[i].master);
		assert_int_equal(rd(f, IIR(places[i].base)), bits);
		wr(f, IIR(places[i].base), bits);
		assert_int_equal(rd(f, IIR(places[i].base)), 0);
		assert_int_equal(rd(f, GEN9_MASTER_IRQ), 0);
	}
	gm_irq_raise_gt(f->irq, GM_ENGINE_COUNT, GM_IRQ_USER, 0);
	assert_int_equal(rd(f, GEN9_MASTER_IRQ), 0);
}

static void ring_mask_stands_at_the_engines_place(void **state)
{
	struct fixture *f = *state;
	const u32 base = GEN9_GT_IRQ(0);

	enable_bank(f, base);
	gm_irq_raise_gt(f->irq, GM_BCS, GM_IRQ_USER, GM_IRQ_USER << 16);
	assert_int_equal(rd(f, IIR(base)), 0);
	gm_irq_raise_gt(f->irq, GM_BCS, GM_IRQ_USER, GM_IRQ_USER);
	assert_int_equal(rd(f, IIR(base)), GM_IRQ_USER << 16);
}

static void enable_decides_what_the_master_sees(void **state)
{
	struct fixture *f = *state;
	const u32 base = GEN9_GT_IRQ(1);

	enable_master(f);
	wr(f, IMR(base), 0);
	gm_irq_raise_gt(f->irq, GM_VCS, GM_IRQ_USER, 0);
	assert_int_equal(rd(f, IIR(base)), GM_IRQ_USER);
	assert_int_equal(rd(f, GEN9_MASTER_IRQ), GEN9_MASTER_IRQ_ENABLE);
	assert_int_equal(f->messages, 0);
	wr(f, IER(base), GM_IRQ_USER);
	assert_int_equal(rd(f, GEN9_MASTER_IRQ), GEN9_MASTER_IRQ_ENABLE | GEN9_MASTER_GT_VCS);
	assert_int_equal(f->messages, 1);
}

static void display_banks_reach_the_master(void **state)
{
	static const struct {
		u32 base;
		u32 master;
	} banks[] = {
		{ GEN9_DE_PIPE_IRQ(0), BIT(16) }, { GEN9_DE_PIPE_IRQ(1), BIT(17) },
		{ GEN9_DE_PIPE_IRQ(2), BIT(18) }, { GEN9_DE_PORT_IRQ, BIT(20) },
		{ GEN9_DE_MISC_IRQ, BIT(22) }, { GEN9_SDE_IRQ, BIT(23) },
		{ GEN9_PCU_IRQ, BIT(30) },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_SIZE(banks); i++) {
		enable_bank(f, banks[i].base);
		gm_irq_raise_display(f->irq, banks[i].base, 2);
		assert_int_equal(rd(f, GEN9_MASTER_IRQ), banks[i].master);
		assert_int_equal(rd(f, IIR(banks[i].base)), 2);
		wr(f, IIR(banks[i].base), 2);
	}
	gm_irq_raise_display(f->irq, 0x44480, 2);
	assert_int_equal(rd(f, GEN9_MASTER_IRQ), 0);
}

static void pm_and_guc_share_a_bank(void **state)
{
	struct fixture *f = *state;

	enable_bank(f, GEN9_GT_IRQ(2));
	gm_irq_raise_display(f->irq, GEN9_GT_IRQ(2), 0x00010000);
	assert_int_equal(rd(f, GEN9_MASTER_IRQ), GEN9_MASTER_GT_GUC);
	gm_irq_raise_display(f->irq, GEN9_GT_IRQ(2), 0x00000010);
	assert_int_equal(rd(f, GEN9_MASTER_IRQ), GEN9_MASTER_GT_GUC | GEN9_MASTER_GT_PM);
}

static void one_more_event_is_queued(void **state)
{
	struct fixture *f = *state;
	const u32 base = GEN9_GT_IRQ(0);

	enable_bank(f, base);
	for (int i = 0; i < 5; i++)
		gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	assert_int_equal(rd(f, IIR(base)), GM_IRQ_USER);
	wr(f, IIR(base), GM_IRQ_USER);
	assert_int_equal(rd(f, IIR(base)), GM_IRQ_USER);
	wr(f, IIR(base), GM_IRQ_USER);
	assert_int_equal(rd(f, IIR(base)), 0);
	assert_int_equal(misuse(f), 0);
}

static void clear_touches_written_bits_only(void **state)
{
	struct fixture *f = *state;
	const u32 base = GEN9_GT_IRQ(0);

	enable_bank(f, base);
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER | GM_IRQ_CONTEXT_SWITCH, 0);
	assert_int_equal(rd(f, IIR(base)), GM_IRQ_USER | GM_IRQ_CONTEXT_SWITCH);
	wr(f, IIR(base), GM_IRQ_USER);
	assert_int_equal(rd(f, IIR(base)), GM_IRQ_CONTEXT_SWITCH);
}

/* i915's way: master off, read and clear, master on. */
static void event_during_the_handler_is_not_lost(void **state)
{
	struct fixture *f = *state;
	const u32 base = GEN9_GT_IRQ(0);
	u32 iir;

	enable_bank(f, base);
	enable_master(f);
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	assert_int_equal(f->messages, 1);
	gm_irq_raise_gt(f->irq, GM_BCS, GM_IRQ_USER, 0);
	assert_int_equal(f->messages, 1);

	wr(f, GEN9_MASTER_IRQ, 0);
	assert_false(f->level);
	assert_int_equal(rd(f, GEN9_MASTER_IRQ), GEN9_MASTER_GT_RCS | GEN9_MASTER_GT_BCS);
	iir = rd(f, IIR(base));
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_CONTEXT_SWITCH, 0);
	wr(f, IIR(base), iir);
	assert_int_equal(f->messages, 1);
	enable_master(f);
	assert_int_equal(f->messages, 2);
	assert_int_equal(misuse(f), 0);
}

/* With the master on, a queued event makes a new edge. */
static void queued_event_sends_again(void **state)
{
	struct fixture *f = *state;
	const u32 base = GEN9_GT_IRQ(0);

	enable_bank(f, base);
	enable_master(f);
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	assert_int_equal(f->messages, 1);
	wr(f, IIR(base), rd(f, IIR(base)));
	assert_int_equal(f->messages, 2);
	wr(f, IIR(base), rd(f, IIR(base)));
	assert_int_equal(f->messages, 2);
	assert_false(f->level);
}

static void clearing_what_was_not_read_is_misuse(void **state)
{
	struct fixture *f = *state;
	const u32 base = GEN9_GT_IRQ(0);

	enable_bank(f, base);
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	wr(f, IIR(base), 0xffffffff);
	assert_int_equal(misuse(f), 1);

	/* The way to initialise: masked and disabled, then clear blindly. */
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	wr(f, IMR(base), 0xffffffff);
	wr(f, IER(base), 0);
	wr(f, IIR(base), 0xffffffff);
	wr(f, IIR(base), 0xffffffff);
	assert_int_equal(misuse(f), 1);
	assert_int_equal(rd(f, IIR(base)), 0);
}

static void master_summary_is_read_only(void **state)
{
	struct fixture *f = *state;

	wr(f, GEN9_MASTER_IRQ, 0xffffffff);
	assert_int_equal(rd(f, GEN9_MASTER_IRQ), GEN9_MASTER_IRQ_ENABLE);
	assert_int_equal(f->messages, 0);
}

static void isr_is_read_only_and_shows_levels(void **state)
{
	struct fixture *f = *state;

	enable_bank(f, GEN9_SDE_IRQ);
	wr(f, GEN9_SDE_IRQ, 0xffffffff);
	assert_int_equal(rd(f, GEN9_SDE_IRQ), 0);
	gm_irq_set_level(f->irq, GEN9_SDE_IRQ, 4, true);
	gm_irq_set_level(f->irq, GEN9_SDE_IRQ, 4, true);
	assert_int_equal(rd(f, GEN9_SDE_IRQ), 4);
	wr(f, IIR(GEN9_SDE_IRQ), rd(f, IIR(GEN9_SDE_IRQ)));
	assert_int_equal(rd(f, IIR(GEN9_SDE_IRQ)), 0);
	gm_irq_set_level(f->irq, GEN9_SDE_IRQ, 4, false);
	assert_int_equal(rd(f, GEN9_SDE_IRQ), 0);
	assert_int_equal(rd(f, IIR(GEN9_SDE_IRQ)), 0);
}

static void fire(struct fixture *f)
{
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	wr(f, IIR(GEN9_GT_IRQ(0)), rd(f, IIR(GEN9_GT_IRQ(0))));
}

static void injections_lose_and_repeat(void **state)
{
	struct fixture *f = *state;

	enable_bank(f, GEN9_GT_IRQ(0));
	enable_master(f);
	gm_irq_inject(f->irq, true, 2);
	fire(f);
	fire(f);
	assert_int_equal(f->messages, 0);
	fire(f);
	assert_int_equal(f->messages, 1);
	gm_irq_inject(f->irq, false, 1);
	fire(f);
	assert_int_equal(f->messages, 3);
	fire(f);
	assert_int_equal(f->messages, 4);
	assert_int_equal(atomic_load(&f->stats.counter[GM_COUNT_IRQ_RAISED]), 3);
}

static void reset_drops_everything(void **state)
{
	struct fixture *f = *state;

	enable_bank(f, GEN9_GT_IRQ(0));
	enable_master(f);
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	gm_irq_reset(f->irq);
	assert_false(f->level);
	assert_int_equal(rd(f, IIR(GEN9_GT_IRQ(0))), 0);
	assert_int_equal(rd(f, IMR(GEN9_GT_IRQ(0))), 0xffffffff);
	assert_int_equal(rd(f, IER(GEN9_GT_IRQ(0))), 0);
	assert_int_equal(rd(f, GEN9_MASTER_IRQ), 0);
}

static void count_change(void *opaque)
{
	struct fixture *f = opaque;

	f->changes++;
}

static void watcher_hears_of_masks(void **state)
{
	struct fixture *f = *state;

	gm_irq_watch(f->irq, count_change, f);
	assert_int_equal(gm_irq_unmasked(f->irq, GEN9_DE_PIPE_IRQ(1)), 0);
	enable_bank(f, GEN9_DE_PIPE_IRQ(1));
	assert_int_equal(f->changes, 2);
	assert_int_equal(gm_irq_unmasked(f->irq, GEN9_DE_PIPE_IRQ(1)), 0xffffffff);
	wr(f, IIR(GEN9_DE_PIPE_IRQ(1)), 0xffffffff);
	assert_int_equal(f->changes, 2);
	gm_irq_watch(f->irq, NULL, NULL);
	wr(f, IMR(GEN9_DE_PIPE_IRQ(1)), 0xf);
	assert_int_equal(f->changes, 2);
	assert_int_equal(gm_irq_unmasked(f->irq, GEN9_DE_PIPE_IRQ(1)), 0xfffffff0);
}

#define RAISES 20000

static void *raise_many(void *opaque)
{
	struct fixture *f = opaque;

	for (int i = 0; i < RAISES; i++)
		gm_irq_raise_gt(f->irq, GM_RCS, GM_IRQ_USER, 0);
	return NULL;
}

/* Whatever the interleaving, the line is down when the last event was handled. */
static void handler_against_engine(void **state)
{
	struct fixture *f = *state;
	pthread_t thread;

	enable_bank(f, GEN9_GT_IRQ(0));
	enable_master(f);
	assert_int_equal(pthread_create(&thread, NULL, raise_many, f), 0);
	for (int i = 0; i < RAISES; i++) {
		wr(f, GEN9_MASTER_IRQ, 0);
		wr(f, IIR(GEN9_GT_IRQ(0)), rd(f, IIR(GEN9_GT_IRQ(0))));
		enable_master(f);
	}
	pthread_join(thread, NULL);
	for (int i = 0; i < 2 && f->level; i++)
		wr(f, IIR(GEN9_GT_IRQ(0)), rd(f, IIR(GEN9_GT_IRQ(0))));
	assert_false(f->level);
	assert_true(f->messages > 0);
	assert_int_equal(misuse(f), 0);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(starts_masked),
		T(engines_have_their_places),
		T(ring_mask_stands_at_the_engines_place),
		T(enable_decides_what_the_master_sees),
		T(display_banks_reach_the_master),
		T(pm_and_guc_share_a_bank),
		T(one_more_event_is_queued),
		T(clear_touches_written_bits_only),
		T(event_during_the_handler_is_not_lost),
		T(queued_event_sends_again),
		T(clearing_what_was_not_read_is_misuse),
		T(master_summary_is_read_only),
		T(isr_is_read_only_and_shows_levels),
		T(injections_lose_and_repeat),
		T(reset_drops_everything),
		T(watcher_hears_of_masks),
		T(handler_against_engine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
