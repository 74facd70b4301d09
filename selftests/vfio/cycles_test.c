// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many lives of vGPUs: what is given out is given back, by what the kernel and the type say.
 * vm/vfio loads the module, and no vGPU exists when this starts.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_pte.h>

#include "ktap.h"
#include "lib/kmem.h"
#include "lib/share.h"
#include "lib/spin.h"
#include "lib/work.h"
#include "vgpu.h"

#define CYCLES		500
#define WORK_CYCLES	40
/* Of a guest that is rebooted, and of a VMM that is killed. */
#define GUEST_CYCLES	100
/* The kernel's caches fill up first. */
#define WARM_UP		50
#define WORK_WARM_UP	8
/* One page that is lost each time is a leak; what is less may be the kernel's own. */
#define SLACK_KB(cycles) (4 * (cycles))
/* Some is freed by workers, in their own time. */
#define TRIES		10
/* A vGPU that does nothing: it has memory for its registers, and not much else. */
#define REGISTERS_BYTES	(64 << 10)
#define IDLE_BYTES	(1024 << 10)
/* Entries that are stored to, each in a page of its own. */
#define FIRST_TOUCHED	0x40000000u
#define TOUCHED		16u
#define PATH		"/sys/bus/mdev/devices/" VGPU_UUID

static void expect_nothing_lost(long before, long count, int available, const char *what)
{
	unsigned int tries = 0;
	long after;

	do
		after = kmem_kb();
	while (after - before >= SLACK_KB(count) && ++tries < TRIES);
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
	before = kmem_kb();
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
	before = kmem_kb();
	for (i = 0; i < WORK_CYCLES; i++)
		live(i);
	expect_nothing_lost(before, WORK_CYCLES, available, "create, work, destroy");
}

/**
 * struct held - What a vGPU holds, and what the GPU has given out
 * @pinned: pages of the guest's
 * @shadow: pages of shadow page tables
 * @window: pages of the GGTT for the guest's own use
 * @ggtt: pages of the GGTT that the host has given out
 * @fences: that somebody has
 * @memory: bytes of the host's that the vGPU says it takes
 */
struct held {
	u64 pinned;
	u64 shadow;
	u64 window;
	u64 ggtt;
	u64 fences;
	u64 memory;
};

/* A line of the GPU's state in debugfs. */
static u64 gpu_state(const char *key)
{
	char gpu[PATH_MAX], path[PATH_MAX], line[256];
	unsigned long long value = 0;
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), PATH, 0u);
	share_gpu(gpu, sizeof(gpu), path);
	snprintf(path, sizeof(path), "/sys/kernel/debug/gvirt/%.64s/state", strrchr(gpu, '/') + 1);
	file = fopen(path, "r");
	EXPECT(file);
	while (!found && fgets(line, sizeof(line), file))
		found = !strncmp(line, key, strlen(key)) && line[strlen(key)] == ':' &&
			sscanf(line + strlen(key) + 1, "%llu", &value) == 1;
	fclose(file);
	EXPECT(found);
	return value;
}

/* What is pinned for a moment after its last use takes memory as well. */
static void await_unkept(const char *vgpu)
{
	EXPECT(share_await(vgpu, "kept_pages", 0, 0));
}

static struct held read_held(const char *vgpu)
{
	await_unkept(vgpu);
	return (struct held) {
		.pinned = share_number(vgpu, "pinned_pages"),
		.shadow = share_number(vgpu, "shadow_pages"),
		.window = share_number(vgpu, "window_pages"),
		.ggtt = gpu_state("ggtt_pages"),
		.fences = gpu_state("fences"),
		.memory = share_number(vgpu, "host_memory"),
	};
}

static void expect_held(const char *vgpu, const struct held *before)
{
	struct held after = read_held(vgpu);

	EXPECT_EQ(after.pinned, before->pinned);
	EXPECT_EQ(after.shadow, before->shadow);
	EXPECT_EQ(after.window, before->window);
	EXPECT_EQ(after.ggtt, before->ggtt);
	EXPECT_EQ(after.fences, before->fences);
	EXPECT_EQ(after.memory, before->memory);
}

/**
 * struct cycle - A vGPU of many lives
 * @path: it
 * @available: how many there could have been
 * @memory_kb: what the kernel had when the lives that count began
 * @held: what it held then
 */
struct cycle {
	char path[128];
	int available;
	long memory_kb;
	struct held held;
};

static void cycle_start(struct cycle *cycle)
{
	cycle->available = vgpu_available();
	snprintf(cycle->path, sizeof(cycle->path), PATH, 0u);
	EXPECT_EQ(vgpu_create(0), 0);
}

/* It has warmed up. */
static void cycle_begin(struct cycle *cycle)
{
	cycle->held = read_held(cycle->path);
	cycle->memory_kb = kmem_kb();
}

static void cycle_expect(const struct cycle *cycle, long count, const char *what)
{
	expect_held(cycle->path, &cycle->held);
	expect_nothing_lost(cycle->memory_kb, count, cycle->available - 1, what);
}

static void cycle_stop(const struct cycle *cycle)
{
	EXPECT_EQ(vgpu_remove(0), 0);
	EXPECT_EQ(vgpu_available(), cycle->available);
}

/* One vGPU that is opened many times. */
static void open_cycles(void)
{
	static struct work work;
	struct cycle cycle;
	unsigned int i;

	test_takes_long();
	cycle_start(&cycle);
	for (i = 0; i < WORK_WARM_UP + WORK_CYCLES; i++) {
		if (i == WORK_WARM_UP)
			cycle_begin(&cycle);
		work_start(&work, cycle.path, i % ENGINES, 4);
		work_prove(&work);
		spin_start(&work, i % SPIN_KINDS);
		work_stop(&work);
	}
	cycle_expect(&cycle, WORK_CYCLES, "open, work, close");
	cycle_stop(&cycle);
}

/* What is known exactly: a page of entries for each 2 MiB of the GGTT that are touched. */
static void host_memory(void)
{
	u64 made, open, entries, busy;
	static struct work work;
	struct cycle cycle;
	const char *path = cycle.path;
	unsigned int i;

	cycle_start(&cycle);
	made = share_number(path, "host_memory");
	EXPECT(made > REGISTERS_BYTES && made < IDLE_BYTES);
	work_start(&work, path, RCS, 4);
	open = share_number(path, "host_memory");
	EXPECT(open >= made);
	for (i = 0; i < TOUCHED; i++)
		ggtt_map(&work.guest.ggtt, FIRST_TOUCHED + (i << 21), work.target.gpa, 1);
	entries = share_number(path, "host_memory");
	EXPECT_EQ(entries, open + TOUCHED * GEN9_TABLE_SIZE);
	work_prove(&work);
	busy = share_number(path, "host_memory");
	EXPECT(busy > entries + GEN9_CTX_RCS_SIZE);
	vdev_reset(&work.guest.dev);
	await_unkept(path);
	EXPECT(share_number(path, "host_memory") < open);
	work_stop(&work);
	cycle_stop(&cycle);
}

/* The guest's driver starts over, in whatever state the device is, or when the VMM has reset it. */
static void start_over(struct work *work, unsigned int i, bool reset)
{
	spin_start(work, i % SPIN_KINDS);
	if (reset)
		vdev_reset(&work->guest.dev);
	work_renew(work);
	work_prove(work);
}

static void start_over_often(unsigned int count, bool reset, const char *what)
{
	static struct work work;
	struct cycle cycle;
	unsigned int i;

	test_takes_long();
	cycle_start(&cycle);
	work_start(&work, cycle.path, RCS, 4);
	for (i = 0; i < WORK_WARM_UP + count; i++) {
		if (i == WORK_WARM_UP) {
			vdev_reset(&work.guest.dev);
			cycle_begin(&cycle);
			work_renew(&work);
		}
		start_over(&work, i, reset);
	}
	vdev_reset(&work.guest.dev);
	cycle_expect(&cycle, count, what);
	work_stop(&work);
	cycle_stop(&cycle);
}

static void reboots(void)
{
	start_over_often(GUEST_CYCLES, true, "reboots");
}

/* One kernel starts the next one, and nobody resets the device in between. */
static void kexecs(void)
{
	start_over_often(WORK_CYCLES, false, "kexecs");
}

static void kill_one(const char *path, unsigned int i)
{
	static struct work work;
	pid_t pid = fork();
	int status;

	if (!pid) {
		work_start(&work, path, i % ENGINES, i & 1 ? 4 : 3);
		spin_start(&work, i % SPIN_KINDS);
		kill(getpid(), SIGKILL);
	}
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* As QEMU is killed. */
static void kills(void)
{
	static struct work work;
	struct cycle cycle;
	unsigned int i;

	test_takes_long();
	cycle_start(&cycle);
	for (i = 0; i < WORK_WARM_UP + GUEST_CYCLES; i++) {
		if (i == WORK_WARM_UP)
			cycle_begin(&cycle);
		kill_one(cycle.path, i);
	}
	cycle_expect(&cycle, GUEST_CYCLES, "kills");
	/* And the next one may come at once. */
	work_start(&work, cycle.path, RCS, 4);
	work_prove(&work);
	work_stop(&work);
	cycle_stop(&cycle);
}

static const struct testcase tests[] = {
	{ "cycles-create-destroy", cycles },
	{ "cycles-work", work_cycles },
	{ "cycles-open", open_cycles },
	{ "cycles-reboots", reboots },
	{ "cycles-kexecs", kexecs },
	{ "cycles-kills", kills },
	{ "host-memory", host_memory },
};

static const struct testgroup cycle_tests = { tests, ARRAY_SIZE(tests) };

int main(void)
{
	const struct testgroup *const groups[] = { &cycle_tests };

	return test_run_groups(groups, ARRAY_SIZE(groups)) != 0;
}
