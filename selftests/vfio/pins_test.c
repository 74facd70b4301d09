// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of a guest that stay pinned for a moment after their last use: for how long, and who
 * gets them back before. For vGPUs.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/memlock.h"
#include "lib/program.h"
#include "lib/share.h"
#include "lib/work.h"

#define PAGE		4096ull
#define VA		0x0000004567000000ull
#define PAGES		256u
/* What a submission pins for itself, with a lot to spare. */
#define OTHER_PINS	32u
/* What is kept is not kept long; on a slow machine it may be gone when it is looked at. */
#define TRIES		8u

static u64 number(const char *name)
{
	return share_number(target(0), name);
}

/* Maps pages in a row, and has the chip store to the last one. */
static void map_and_use(struct work *work, u64 memory, u32 value)
{
	ppgtt_map_range(&work->pp, VA, memory, PAGES);
	work_store(work, VA + (PAGES - 1) * PAGE, value);
	guest_expect(&work->guest, memory + (PAGES - 1) * PAGE, value, "the last page of many");
}

/* The next submission gives them up, and they are unpinned when the vGPU is idle. */
static void unmap(struct work *work)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		ppgtt_unmap(&work->pp, VA + i * PAGE, GEN9_PAGE_SHIFT_4K);
	work_prove(work);
}

/* Until what was unmapped is not in use any more: kept, on a slow machine perhaps no longer. */
static bool await_unused(void)
{
	return share_await(target(0), "pinned_pages", 0, PAGES - 1);
}

/* And until it is not kept either. */
static bool await_unpinned(void)
{
	return await_unused() && share_await(target(0), "kept_pages", 0, 0);
}

/* Memory that is mapped again soon is not pinned again; later, it is. */
static void kept(void)
{
	static struct work work;
	unsigned int i;
	u64 memory, pins;

	work_start(&work, target(0), BCS, 4);
	memory = ram_alloc(&work.guest.ram, RAM_LOW, PAGES * PAGE, PAGE);
	map_and_use(&work, memory, 1);
	EXPECT(number("pinned_pages") >= PAGES);
	for (i = 0; i < TRIES; i++) {
		unmap(&work);
		EXPECT(await_unused());
		pins = number("pins");
		map_and_use(&work, memory, 2 + i);
		if (number("pins") - pins < OTHER_PINS)
			break;
	}
	EXPECT(i < TRIES);
	unmap(&work);
	EXPECT(await_unpinned());
	pins = number("pins");
	map_and_use(&work, memory, 100);
	EXPECT(number("pins") - pins >= PAGES);
	work_stop(&work);
	EXPECT_EQ(number("kept_pages"), 0);
	EXPECT_EQ(number("pinned_pages"), 0);
}

/* The VMM gets back what it takes away, and what it puts there instead is found. */
static void taken_away(void)
{
	static struct work work;
	struct vdev *dev = &work.guest.dev;
	u8 *old, *new;
	u64 memory;

	work_start(&work, target(0), BCS, 4);
	memory = ram_alloc(&work.guest.ram, RAM_HIGH, PAGES * PAGE, PAGE);
	map_and_use(&work, memory, 1);
	unmap(&work);
	EXPECT(await_unused());
	EXPECT_EQ(dev->ops->unmap(dev, RAM_HIGH_GPA, RAM_HIGH_SIZE), 0);
	EXPECT(number("kept_pages") < PAGES);
	old = work.guest.ram.cpu[RAM_HIGH];
	new = mmap(NULL, RAM_HIGH_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(new != MAP_FAILED);
	memcpy(new, old, RAM_HIGH_SIZE);
	work.guest.ram.cpu[RAM_HIGH] = new;
	EXPECT_EQ(dev->ops->map(dev, RAM_HIGH_GPA, RAM_HIGH_SIZE, new, -1, 0), 0);
	map_and_use(&work, memory, 2);
	EXPECT_EQ(*(u32 *)(old + (memory - RAM_HIGH_GPA) + (PAGES - 1) * PAGE), 1);
	EXPECT_EQ(munmap(old, RAM_HIGH_SIZE), 0);
	work_stop(&work);
}

/* iommufd counts by user, which nobody can read. */
static u64 locked_bytes(void)
{
	return memlock_used() ?: number("pinned_pages") * PAGE;
}

/* What is kept makes room before the limit of locked memory refuses anything. */
static void limit(void)
{
	static struct work work;
	u64 memory, other, refused, used;
	unsigned int i = 0;

	memlock_ignore(false);
	memlock_limit(RLIM_INFINITY);
	work_start(&work, target(0), BCS, 4);
	memory = ram_alloc(&work.guest.ram, RAM_LOW, PAGES * PAGE, PAGE);
	other = ram_alloc(&work.guest.ram, RAM_LOW, PAGES * PAGE, PAGE);
	do {
		EXPECT(i++ < TRIES);
		map_and_use(&work, memory, i);
		unmap(&work);
		EXPECT(await_unused());
		used = locked_bytes();
	} while (number("kept_pages") < PAGES);
	memlock_limit(used + OTHER_PINS * PAGE);
	refused = number("refused_requests");
	map_and_use(&work, other, 1);
	EXPECT_EQ(number("refused_requests"), refused);
	EXPECT_EQ(number("kept_pages"), 0);
	memlock_limit(RLIM_INFINITY);
	work_stop(&work);
	memlock_ignore(true);
}

static const struct testcase tests[] = {
	{ "pins-kept", kept },
	{ "pins-taken-away", taken_away },
	{ "pins-limit", limit },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
