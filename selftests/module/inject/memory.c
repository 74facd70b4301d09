// SPDX-License-Identifier: GPL-2.0-only
#include <linux/array_size.h>
#include <stdio.h>
#include <string.h>

#include "ktap.h"
#include "memory.h"

/* None of these holds pages of another one. */
static const char *const accounted[] = {
	"MemFree", "Buffers", "Cached", "SwapCached", "AnonPages", "Slab", "KernelStack",
	"PageTables", "SecPageTables", "VmallocUsed", "Percpu",
};

static long factor(const char *name)
{
	size_t i;

	if (!strcmp(name, "MemTotal"))
		return 1;
	for (i = 0; i < ARRAY_SIZE(accounted); i++)
		if (!strcmp(name, accounted[i]))
			return -1;
	return 0;
}

/*
 * Where the debug kernel keeps the stacks of who allocates and frees: each new way to
 * fail has new ones. Source of the size: Linux, DEPOT_POOL_ORDER in linux/stackdepot.h.
 */
static long stack_depot(void)
{
	FILE *file = fopen("/sys/kernel/debug/stackdepot/stats", "r");
	long pools = 0;

	if (!file)
		return 0;
	if (fscanf(file, "pools: %ld", &pools) != 1)
		test_fail("no pools in the statistics of the stack depot");
	fclose(file);
	return pools * 16;
}

/*
 * Free pages that each CPU keeps for itself: the kernel does not call them free, and they are
 * megabytes after a while.
 */
static long kept_by_cpus(void)
{
	FILE *file = fopen("/proc/zoneinfo", "r");
	long pages, sum = 0;
	char line[128];

	if (!file)
		test_fail("no /proc/zoneinfo");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, " count: %ld", &pages) == 1)
			sum += pages * 4;
	fclose(file);
	return sum;
}

long memory_unaccounted(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	long kib, sum = 0;
	char name[64];

	if (!file)
		test_fail("no /proc/meminfo");
	while (fscanf(file, " %63[^:]: %ld%*[^\n]", name, &kib) == 2)
		sum += factor(name) * kib;
	fclose(file);
	return sum - stack_depot() - kept_by_cpus();
}
