// SPDX-License-Identifier: GPL-2.0-only
/*
 * The crowd.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <gvirt/gen9_reset.h>

#include "crowd.h"
#include "ktap.h"
#include "lib/spin.h"
#include "vgpu.h"

#define PATH	"/sys/bus/mdev/devices/" VGPU_UUID

static u32 random_state;

void *crowd_share(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	EXPECT(memory != MAP_FAILED);
	return memory;
}

u32 crowd_below(u32 limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % limit;
}

/* Processes. */

pid_t crowd_start(void (*be)(void), unsigned int seed)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	EXPECT(pid >= 0);
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	random_state = seed;
	be();
	fflush(stdout);
	_exit(EXIT_SUCCESS);
}

void crowd_wait(const pid_t *pids, unsigned int count, const char *what)
{
	u64 end = vdev_now_ms() + CROWD_END_MS * test_slow();
	unsigned int i;
	int status;

	for (i = 0; i < count; i++) {
		EXPECT_EQ(waitpid(pids[i], &status, 0), pids[i]);
		if (status)
			test_fail("%s: %u ends with status %#x", what, i, status);
	}
	if (vdev_now_ms() > end)
		test_fail("%s: do not end in time", what);
}

static void __noreturn visit(void (*use)(unsigned int id, atomic_bool *opened), unsigned int id,
			     unsigned int seed, atomic_bool *opened)
{
	alarm(CROWD_END_MS / 1000 * 3 * test_slow());
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	random_state = seed;
	use(id, opened);
	fflush(stdout);
	_exit(EXIT_SUCCESS);
}

void crowd_visits(void (*use)(unsigned int id, atomic_bool *opened), const atomic_bool *stop)
{
	atomic_bool *opened = crowd_share(sizeof(*opened));
	unsigned int seed, id;
	int status;
	pid_t pid;

	while (!*stop) {
		*opened = false;
		id = crowd_below(CROWD_VGPUS);
		seed = crowd_below(1u << 20);
		fflush(stdout);
		pid = fork();
		EXPECT(pid >= 0);
		if (!pid)
			visit(use, id, seed, opened);
		EXPECT_EQ(waitpid(pid, &status, 0), pid);
		/* Else nothing happened, and times may get better. */
		if (!*opened)
			usleep(5000);
		else if (status && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
			test_fail("a user ended with status %#x", status);
	}
}

/* What they do with vGPUs. */

void crowd_open(struct vdev *dev, unsigned int id)
{
	int out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	static char path[128];

	EXPECT(out >= 0 && null >= 0);
	fflush(stdout);
	dup2(null, STDOUT_FILENO);
	snprintf(path, sizeof(path), PATH, id);
	vdev_open(dev, path);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	close(null);
}

static atomic_bool disturbing;

static void *disturber(void *arg)
{
	struct work *work = arg;
	unsigned int i;

	for (i = 0; disturbing; i++) {
		if (i % 8 == 0)
			vdev_reset(&work->guest.dev);
		else
			vdev_write(&work->guest.dev, GEN9_GDRST, 1u << i % 6);
	}
	return NULL;
}

void crowd_disturb(struct work *work)
{
	pthread_t thread[2];
	unsigned int i;

	disturbing = true;
	for (i = 0; i < 2; i++)
		EXPECT_EQ(pthread_create(&thread[i], NULL, disturber, work), 0);
	spin_request(work, &work->ctx, SPIN_LOOP);
	for (i = 0; i < 20; i++)
		engine_submit(work->engine, &work->ctx, NULL);
	disturbing = false;
	for (i = 0; i < 2; i++)
		EXPECT_EQ(pthread_join(thread[i], NULL), 0);
	vdev_reset(&work->guest.dev);
	work_renew(work);
}

void crowd_prove_new(unsigned int id)
{
	static struct work work;
	char path[128];

	EXPECT_EQ(vgpu_create(id), 0);
	snprintf(path, sizeof(path), PATH, id);
	work_start(&work, path, RCS, 4);
	work_prove(&work);
	work_stop(&work);
	EXPECT_EQ(vgpu_remove(id), 0);
}
