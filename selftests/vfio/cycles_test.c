// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many lives of vGPUs: what is given out is given back, by what the kernel and the type say.
 * vm/vfio loads the module, and no vGPU exists when this starts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ktap.h"
#include "lib/spin.h"
#include "lib/work.h"
#include "vgpu.h"

#define CYCLES		500
#define WORK_CYCLES	40
/* The kernel's caches fill up first. */
#define WARM_UP		50
#define WORK_WARM_UP	8
/* One page that is lost each time is a leak; what is less may be the kernel's own. */
#define SLACK_KB(cycles) (4 * (cycles))
#define PATH		"/sys/bus/mdev/devices/" VGPU_UUID

/* A line of /proc/meminfo, in KiB. */
static long read_meminfo(const char *name)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long value = -1;

	EXPECT(file);
	while (value < 0 && fgets(line, sizeof(line), file))
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			value = atol(line + strlen(name) + 1);
	fclose(file);
	EXPECT(value >= 0);
	return value;
}

/* Kernel memory that does not come back by itself; what can be reclaimed is dropped first. */
static long kernel_kb(void)
{
	FILE *file = fopen("/proc/sys/vm/drop_caches", "w");

	EXPECT(file);
	fputs("3\n", file);
	fclose(file);
	/* Freeing is deferred by grace periods and workers. */
	usleep(300000);
	return read_meminfo("SUnreclaim") + read_meminfo("Percpu") +
	       read_meminfo("PageTables") + read_meminfo("KernelStack") +
	       read_meminfo("VmallocUsed");
}

static void expect_nothing_lost(long before, long count, int available, const char *what)
{
	long after = kernel_kb();

	printf("# %s: kernel memory %ld KiB before, %ld after\n", what, before, after);
	EXPECT_EQ(vgpu_available(), available);
	if (after - before >= SLACK_KB(count))
		test_fail("%s: %ld KiB of the kernel's memory are gone", what, after - before);
}

static void create_and_destroy(unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		EXPECT_EQ(vgpu_create(i % 3), 0);
		EXPECT_EQ(vgpu_remove(i % 3), 0);
	}
}

static void cycles(void)
{
	int available = vgpu_available();
	long before;

	test_takes_long();
	create_and_destroy(WARM_UP);
	before = kernel_kb();
	create_and_destroy(CYCLES);
	expect_nothing_lost(before, CYCLES, available, "create, destroy");
}

/* With work done, and every third time not ended. */
static void live(unsigned int i)
{
	static struct work work;
	char path[128];

	snprintf(path, sizeof(path), PATH, 0u);
	EXPECT_EQ(vgpu_create(0), 0);
	work_start(&work, path, i % ENGINES, i & 1 ? 4 : 3);
	work_prove(&work);
	if (i % 3 == 0)
		spin_start(&work, i / 3 % SPIN_KINDS);
	work_stop(&work);
	EXPECT_EQ(vgpu_remove(0), 0);
}

static void work_cycles(void)
{
	int available = vgpu_available();
	unsigned int i;
	long before;

	test_takes_long();
	for (i = 0; i < WORK_WARM_UP; i++)
		live(i);
	before = kernel_kb();
	for (i = 0; i < WORK_CYCLES; i++)
		live(i);
	expect_nothing_lost(before, WORK_CYCLES, available, "create, work, destroy");
}

/* One vGPU that is opened many times. */
static void open_cycles(void)
{
	int available = vgpu_available();
	static struct work work;
	char path[128];
	long before = 0;
	unsigned int i;

	test_takes_long();
	snprintf(path, sizeof(path), PATH, 0u);
	EXPECT_EQ(vgpu_create(0), 0);
	for (i = 0; i < WORK_WARM_UP + WORK_CYCLES; i++) {
		if (i == WORK_WARM_UP)
			before = kernel_kb();
		work_start(&work, path, i % ENGINES, 4);
		work_prove(&work);
		spin_start(&work, i % SPIN_KINDS);
		work_stop(&work);
	}
	expect_nothing_lost(before, WORK_CYCLES, available - 1, "open, work, close");
	EXPECT_EQ(vgpu_remove(0), 0);
	EXPECT_EQ(vgpu_available(), available);
}

static const struct testcase tests[] = {
	{ "cycles-create-destroy", cycles },
	{ "cycles-work", work_cycles },
	{ "cycles-open", open_cycles },
};

static const struct testgroup cycle_tests = { tests, ARRAY_SIZE(tests) };

int main(void)
{
	const struct testgroup *const groups[] = { &cycle_tests };

	return test_run_groups(groups, ARRAY_SIZE(groups)) != 0;
}
