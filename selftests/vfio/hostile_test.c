// SPDX-License-Identifier: GPL-2.0-only
/*
 * Submissions of a hostile guest. None does harm: the neighbour's work goes on, nothing that is
 * the host's or the neighbour's changes, and after a reset by its own driver the vGPU works again.
 * What becomes of the hostile context itself is its own affair, as long as it is bounded.
 *
 * On the chip most of it is misuse, so it runs on vGPUs only.
 */
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_reset.h>

#include "hostile.h"
#include "lib/program.h"

#define SECRET	0x5ec4e7u

struct work vandal, neighbour;

void hostile_submit(const struct cmds *cmds)
{
	ctx_request(&vandal.ctx, cmds);
	engine_submit(vandal.engine, &vandal.ctx, NULL);
}

void hostile_batch(struct cmds *cmds, enum space space)
{
	struct page page = guest_batch(&vandal.guest, &vandal.pp, vandal.batch_va, cmds);
	struct cmds ring = { };

	vandal.batch_va += HOSTILE_PAGE;
	emit_batch(&ring, space, space == GGTT ? page.ggtt : page.va);
	hostile_submit(&ring);
}

/* Registers that belong to the host. */
void hostile_loads(struct cmds *cmds)
{
	u32 base = vandal.engine->base;

	emit_lri(cmds, base + GEN9_RING_HWS_PGA, 0x1000);
	emit_lri(cmds, base + GEN9_RING_GFX_MODE, vdev_clear_bits(GEN9_GFX_RUN_LIST_ENABLE));
	emit_lri(cmds, base + GEN9_RING_MI_MODE, vdev_set_bits(GEN9_MI_MODE_STOP_RING));
	emit_lri(cmds, base + GEN9_RING_IMR, ~0u);
	emit_lri(cmds, base + GEN9_RING_PDP_LDW(0), 0x1000);
	emit_lri(cmds, base + GEN9_RING_RESET_CTL, vdev_set_bits(GEN9_RESET_CTL_REQUEST));
	emit_lri(cmds, base + GEN9_RING_FORCE_TO_NONPRIV(0), GEN9_GDRST);
	emit_lri(cmds, GEN9_GDRST, GEN9_GDRST_FULL);
	emit_lri(cmds, GEN9_MASTER_IRQ, 0);
	emit_lri(cmds, GEN9_FENCE_LO(0), 1);
	emit_lri(cmds, GEN9_FORCEWAKE_RENDER, vdev_clear_bits(0xffff));
}

void hostile_set(unsigned int place, u32 value)
{
	ram_write(&vandal.guest.ram, ctx_reg(&vandal.ctx, place), value);
}

void hostile_go(void)
{
	engine_submit_raw(vandal.engine, ctx_descriptor(&vandal.ctx), 0);
}

void hostile_image(unsigned int place, u32 value)
{
	struct cmds cmds = { };

	emit_store(&cmds, GGTT, vandal.target.ggtt, 1);
	ctx_request(&vandal.ctx, &cmds);
	ctx_publish(&vandal.ctx);
	hostile_set(place, value);
	hostile_go();
}

static void begin(enum engine_id id)
{
	u64 secret;

	target(1);
	work_start(&vandal, target(0), id, 4);
	work_start(&neighbour, target(1), id, 4);
	work_prove(&vandal);
	work_prove(&neighbour);
	/* Where the vandal has nothing, the neighbour has something. */
	secret = ram_page(&neighbour.guest.ram);
	ram_write(&neighbour.guest.ram, secret, SECRET);
	ggtt_map(&neighbour.guest.ggtt, HOSTILE_GGTT, secret, 1);
	ppgtt_map(&neighbour.pp, HOSTILE_VA, secret, GEN9_PAGE_SHIFT_4K);
}

static void expect_untouched(void)
{
	u64 entry = *ppgtt_entry(&neighbour.pp, HOSTILE_VA, GEN9_PAGE_SHIFT_4K);

	guest_expect(&neighbour.guest, entry & GEN9_PTE_ADDR_MASK, SECRET,
		     "the neighbour's memory");
}

/* The neighbour works at once; the vandal after a reset of the engine, or of the device. */
static void aftermath(void)
{
	work_prove(&neighbour);
	engine_drain(vandal.engine, HOSTILE_MS);
	work_prove(&neighbour);
	engine_reset(vandal.engine);
	ppgtt_init(&vandal.pp, &vandal.guest.ram, 4, PPGTT_SPARSE);
	ppgtt_map(&vandal.pp, vandal.target_va, vandal.target.gpa, GEN9_PAGE_SHIFT_4K);
	ctx_init(&vandal.ctx, vandal.engine, &vandal.pp);
	work_prove(&vandal);
	work_prove(&neighbour);
	expect_untouched();
}

static void run_on(void (*hostile)(void), enum engine_id id)
{
	begin(id);
	hostile();
	aftermath();
	work_stop(&vandal);
	work_prove(&neighbour);
	work_stop(&neighbour);
}

void hostile_run(void (*hostile)(void), unsigned int number)
{
	if (!target_virtual())
		test_skip("on the chip this is misuse");
	run_on(hostile, RCS);
	run_on(hostile, BCS + number % (ENGINES - BCS));
}

int main(int argc, char **argv)
{
	static const struct testgroup *const groups[] = {
		&hostile_command_tests, &hostile_image_tests, &hostile_table_tests,
		&hostile_port_tests, &hostile_race_tests,
	};

	return program_groups(argc, argv, groups, ARRAY_SIZE(groups));
}
