// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rings and context images that make no sense.
 */
#include <stdlib.h>
#include <string.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_reset.h>

#include "hostile.h"

static void ring_start_unmapped(void)
{
	hostile_image(GEN9_CTX_RING_START, HOSTILE_GGTT);
}

static void ring_start_at_end(void)
{
	hostile_image(GEN9_CTX_RING_START, 0xfffff000);
}

static void ring_start_odd(void)
{
	hostile_image(GEN9_CTX_RING_START, vandal.ctx.ring_ggtt + 0x123);
}

static void ring_too_large(void)
{
	hostile_image(GEN9_CTX_RING_CTL, ~0u);
}

static void ring_not_valid(void)
{
	hostile_image(GEN9_CTX_RING_CTL, 0);
}

static void tail_beyond(void)
{
	hostile_image(GEN9_CTX_RING_TAIL, 0x001ffff8);
}

static void tail_odd(void)
{
	hostile_image(GEN9_CTX_RING_TAIL, 0xffffffff);
}

static void head_beyond(void)
{
	hostile_image(GEN9_CTX_RING_HEAD, 0x001ffffc);
}

static void head_odd(void)
{
	hostile_image(GEN9_CTX_RING_HEAD, 0xffffffff);
}

/* The whole ring is "new", of zeros and what was there. */
static void tail_before_head(void)
{
	hostile_set(GEN9_CTX_RING_HEAD, 64);
	hostile_set(GEN9_CTX_RING_TAIL, 8);
	hostile_go();
}

static void indirect_garbage(void)
{
	hostile_image(GEN9_CTX_INDIRECT_CTX, HOSTILE_GGTT | 0x3f);
}

static void per_context_garbage(void)
{
	hostile_image(GEN9_CTX_BB_PER_CTX_PTR, HOSTILE_GGTT | 1);
}

static void per_context_privileged(void)
{
	struct cmds cmds = { };
	struct page page;

	hostile_loads(&cmds);
	page = guest_batch(&vandal.guest, NULL, 0, &cmds);
	hostile_image(GEN9_CTX_BB_PER_CTX_PTR, page.ggtt | 1);
}

static void control_garbage(void)
{
	hostile_image(GEN9_CTX_CONTEXT_CONTROL, ~0u);
}

/* Images. */

static void submit_lrca(u32 lrca)
{
	u64 descriptor = ctx_descriptor(&vandal.ctx) & ~(u64)GEN9_CTX_DESC_LRCA_MASK;

	engine_submit_raw(vandal.engine, descriptor | lrca, 0);
}

static void image_unmapped(void)
{
	submit_lrca(HOSTILE_GGTT);
}

static void image_at_end(void)
{
	submit_lrca(0xfffff000);
}

static void image_in_hole(void)
{
	ggtt_map(&vandal.guest.ggtt, HOSTILE_GGTT, RAM_HOLE_GPA, 22);
	submit_lrca(HOSTILE_GGTT);
}

static void image_zero(void)
{
	memset(ram_cpu(&vandal.guest.ram, vandal.ctx.image), 0, 2 * HOSTILE_PAGE);
	hostile_go();
}

static void image_random(void)
{
	u32 *image = ram_cpu(&vandal.guest.ram, vandal.ctx.image + HOSTILE_PAGE);
	unsigned int i;

	srandom(vandal.engine->id + 1);
	for (i = 0; i < 1024; i++)
		image[i] = (u32)random() * 2654435761u;
	hostile_go();
}

/* The image loads registers that are not its own. */
static void image_foreign_registers(void)
{
	u32 *regs = ram_cpu(&vandal.guest.ram, vandal.ctx.image + HOSTILE_PAGE);

	ctx_publish(&vandal.ctx);
	regs[GEN9_CTX_CONTEXT_CONTROL] = GEN9_GDRST;
	regs[GEN9_CTX_CONTEXT_CONTROL + 1] = GEN9_GDRST_FULL;
	regs[GEN9_CTX_BB_STATE] = vandal.engine->base + GEN9_RING_HWS_PGA;
	hostile_go();
}

HOSTILE(ring_start_unmapped)
HOSTILE(ring_start_at_end)
HOSTILE(ring_start_odd)
HOSTILE(ring_too_large)
HOSTILE(ring_not_valid)
HOSTILE(tail_beyond)
HOSTILE(tail_odd)
HOSTILE(head_beyond)
HOSTILE(head_odd)
HOSTILE(tail_before_head)
HOSTILE(indirect_garbage)
HOSTILE(per_context_garbage)
HOSTILE(per_context_privileged)
HOSTILE(control_garbage)
HOSTILE(image_unmapped)
HOSTILE(image_at_end)
HOSTILE(image_in_hole)
HOSTILE(image_zero)
HOSTILE(image_random)
HOSTILE(image_foreign_registers)

static const struct testcase tests[] = {
	{ "hostile-ring-start-unmapped", test_ring_start_unmapped },
	{ "hostile-ring-start-at-end", test_ring_start_at_end },
	{ "hostile-ring-start-odd", test_ring_start_odd },
	{ "hostile-ring-too-large", test_ring_too_large },
	{ "hostile-ring-not-valid", test_ring_not_valid },
	{ "hostile-tail-beyond", test_tail_beyond },
	{ "hostile-tail-odd", test_tail_odd },
	{ "hostile-head-beyond", test_head_beyond },
	{ "hostile-head-odd", test_head_odd },
	{ "hostile-tail-before-head", test_tail_before_head },
	{ "hostile-indirect-garbage", test_indirect_garbage },
	{ "hostile-per-context-garbage", test_per_context_garbage },
	{ "hostile-per-context-privileged", test_per_context_privileged },
	{ "hostile-control-garbage", test_control_garbage },
	{ "hostile-image-unmapped", test_image_unmapped },
	{ "hostile-image-at-end", test_image_at_end },
	{ "hostile-image-in-hole", test_image_in_hole },
	{ "hostile-image-zero", test_image_zero },
	{ "hostile-image-random", test_image_random },
	{ "hostile-image-foreign-registers", test_image_foreign_registers },
};

const struct testgroup hostile_image_tests = { tests, ARRAY_SIZE(tests) };
