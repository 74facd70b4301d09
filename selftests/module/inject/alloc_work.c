// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation fails once while a guest opens its vGPU, works, and goes, whoever it is
 * that allocates: most of it is done by the kernel's workers. A guest whose request is
 * refused is no failure. What comes after it is: the vGPU does not work for the next one, or
 * something of the first one is left.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alloc.h"
#include "fail_nth.h"
#include "lib/work.h"
#include "memory.h"
#include "vgpu.h"

#define PATH		"/sys/bus/mdev/devices/" VGPU_UUID
/* A life ends sooner, unless it is stuck in the kernel. */
#define LIFE_S		180
/* How often it is looked whether a request was refused. */
#define LOOK_MS		50
/* Allocations that it takes at least. */
#define FEWEST		10
#define NOISE_KIB	2048
/* Dwords of the target. */
#define RING		1
#define BATCH		2
#define COPY		3
#define VALUE		0x600d

/* Commands in the ring, a batch, and one with privilege, which gvirt copies. */
static void emit_all(struct work *work, struct cmds *ring)
{
	struct cmds batch = { }, privileged = { };
	struct page page;

	emit_store(&privileged, PPGTT, work->target_va + 4 * COPY, VALUE);
	page = guest_batch(&work->guest, NULL, 0, &privileged);
	emit_store(&batch, PPGTT, work->target_va + 4 * BATCH, VALUE);
	emit_store(ring, PPGTT, work->target_va + 4 * RING, VALUE);
	work_batch(work, ring, &batch);
	emit_batch(ring, GGTT, page.ggtt);
}

/* Until the work is done, or refused. */
static bool wait_done(struct work *work)
{
	u64 refused = vgpu_counter(0, "refused_requests"), end = vdev_now_ms() + PATIENCE_MS;

	engine_submit(work->engine, &work->ctx, NULL);
	do {
		if (ram_wait(&work->guest.ram, work_dword(work, COPY), VALUE, LOOK_MS))
			return true;
	} while (vgpu_counter(0, "refused_requests") == refused && vdev_now_ms() < end);
	return false;
}

/* Returns whether all was done; ends the process when even opening failed. */
static bool live(void)
{
	static struct work work;
	struct cmds ring = { };
	char path[128];
	bool done;

	snprintf(path, sizeof(path), PATH, 0u);
	work_start(&work, path, RCS, 4);
	emit_all(&work, &ring);
	ctx_request(&work.ctx, &ring);
	done = wait_done(&work) &&
	       ram_read(&work.guest.ram, work_dword(&work, RING)) == VALUE &&
	       ram_read(&work.guest.ram, work_dword(&work, BATCH)) == VALUE;
	if (!done)
		engine_describe(work.engine);
	work_stop(&work);
	return done;
}

static void be_quiet(void)
{
	int fd = open("/dev/null", O_WRONLY);

	if (fd >= 0)
		dup2(fd, STDOUT_FILENO);
}

/* A guest in a process of its own, which ends whatever happens. */
static bool live_once(bool may_fail)
{
	int status = 0;
	bool done;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		alarm(LIFE_S);
		if (may_fail)
			be_quiet();
		done = live();
		fflush(stdout);
		_exit(done ? EXIT_SUCCESS : EXIT_FAILURE);
	}
	EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid);
	if (WIFSIGNALED(status))
		test_fail("a guest died of signal %d", WTERMSIG(status));
	return WEXITSTATUS(status) == EXIT_SUCCESS;
}

/* Returns whether allocation @nth was reached. */
static bool live_without(struct fail_any *any, unsigned int nth)
{
	bool done, failed;

	fail_any_nth(any, nth);
	done = live_once(true);
	failed = fail_any_end(any);
	if (!done && !failed)
		test_fail("no allocation failed, but the guest's work was not done");
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	if (!live_once(false))
		test_fail("the vGPU does not work after allocation %u failed", nth);
	EXPECT_EQ(vgpu_counter(0, "pinned_pages"), 0);
	return failed;
}

static void sweep(const char *injector)
{
	struct fail_any any = { .injector = injector };
	unsigned int nth = alloc_first;
	long before, lost;

	alarm(ALLOC_TIMEOUT_S);
	alloc_load_anew();
	fail_setup();
	EXPECT_EQ(vgpu_create(0), 0);
	EXPECT(live_once(false));
	before = memory_unaccounted();
	for (; nth < ALLOC_MOST && live_without(&any, nth); nth++)
		alloc_progress(nth);
	lost = memory_unaccounted() - before;
	printf("# %u allocations, %+ld KiB\n", nth - 1, lost);
	EXPECT(nth > FEWEST && nth < ALLOC_MOST);
	EXPECT(lost < NOISE_KIB);
	EXPECT_EQ(vgpu_remove(0), 0);
	EXPECT_EQ(vgpu_available(), ALLOC_LIMIT);
	alloc_unload();
}

static void work_slab(void)
{
	sweep("failslab");
}

static void work_pages(void)
{
	sweep("fail_page_alloc");
}

static const struct testcase tests[] = {
	{ "alloc-work-slab", work_slab },
	{ "alloc-work-pages", work_pages },
};

const struct testgroup alloc_work_tests = { tests, ARRAY_SIZE(tests) };
