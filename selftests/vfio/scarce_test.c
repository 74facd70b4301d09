// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a vGPU gives back, and whom it refuses, when the host or its VMM is short of memory. For
 * vGPUs.
 */
#include <unistd.h>

#include "lib/kmem.h"
#include "lib/memlock.h"
#include "lib/program.h"
#include "lib/share.h"
#include "lib/work.h"

#define PAGE		4096ull
#define VA		0x0000004567000000ull
#define TABLES		128u
#define PAGES		32u
/* What a request may pin for itself, less than PAGES. */
#define SPARE		8u

static u64 number(const char *name)
{
	return share_number(target(0), name);
}

/* The context has another address space from now on, and has the chip store there. */
static void store_in(struct work *work, struct ppgtt *pp, u32 value, u64 page)
{
	struct cmds cmds = { };

	work->ctx.ppgtt = pp;
	ctx_reset(&work->ctx);
	emit_flush_tlb(&cmds, work->target.ggtt + 4088);
	emit_store(&cmds, PPGTT, VA, value);
	ctx_run(&work->ctx, &cmds);
	guest_expect(&work->guest, page, value, "a page of an address space");
}

/* The kernel's shrinkers are asked: tables of an address space that no context has go. */
static void reclaim(void)
{
	static struct work work;
	struct ppgtt large, small;
	u64 page, reclaims;
	unsigned int i;

	work_start(&work, target(0), BCS, 4);
	page = ram_page(&work.guest.ram);
	ppgtt_init(&large, &work.guest.ram, 4, PPGTT_SPARSE);
	ppgtt_init(&small, &work.guest.ram, 4, PPGTT_SPARSE);
	for (i = 0; i < TABLES; i++)
		ppgtt_map(&large, VA + ((u64)i << GEN9_PAGE_SHIFT_2M), page, GEN9_PAGE_SHIFT_4K);
	ppgtt_map(&small, VA, page, GEN9_PAGE_SHIFT_4K);
	store_in(&work, &large, 1, page);
	EXPECT(number("shadow_pages") > TABLES);
	kmem_reclaim();
	store_in(&work, &large, 2, page);
	EXPECT(number("shadow_pages") > TABLES);
	store_in(&work, &small, 3, page);
	reclaims = number("shadow_reclaims");
	kmem_reclaim();
	EXPECT(share_await(target(0), "shadow_reclaims", reclaims + 1, ~0ull));
	EXPECT(share_await(target(0), "shadow_pages", 0, TABLES - 1));
	store_in(&work, &large, 4, page);
	work_stop(&work);
}

/* Commands that name more of the GGTT than the VMM may pin are refused, and have done nothing. */
static void ggtt_limit(void)
{
	static struct work work;
	struct cmds cmds = { };
	u64 memory, refused;
	unsigned int i;
	u32 ggtt;

	memlock_ignore(false);
	memlock_limit(RLIM_INFINITY);
	work_start(&work, target(0), BCS, 4);
	memory = ram_alloc(&work.guest.ram, RAM_LOW, PAGES * PAGE, PAGE);
	ggtt = ggtt_bind(&work.guest.ggtt, memory, PAGES);
	work_prove(&work);
	for (i = 0; i < PAGES; i++)
		emit_store(&cmds, GGTT, ggtt + i * PAGE, i + 1);
	refused = number("refused_requests");
	memlock_limit(memlock_used() + SPARE * PAGE);
	ctx_request(&work.ctx, &cmds);
	engine_submit(work.engine, &work.ctx, NULL);
	EXPECT(share_await(target(0), "refused_requests", refused + 1, ~0ull));
	for (i = 0; i < PAGES; i++)
		guest_expect(&work.guest, memory + i * PAGE, 0, "memory of a refused request");
	memlock_limit(RLIM_INFINITY);
	engine_reset(work.engine);
	ctx_reset(&work.ctx);
	ctx_run(&work.ctx, &cmds);
	for (i = 0; i < PAGES; i++)
		guest_expect(&work.guest, memory + i * PAGE, i + 1, "memory without a limit");
	EXPECT_EQ(number("refused_requests"), refused + 1);
	work_stop(&work);
	EXPECT_EQ(number("pinned_pages"), 0);
	memlock_ignore(true);
}

static const struct testcase tests[] = {
	{ "scarce-reclaim", reclaim },
	{ "scarce-ggtt-limit", ggtt_limit },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
