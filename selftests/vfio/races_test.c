// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lives of vGPUs that cross each other: several processes make and remove the same few vGPUs,
 * open them, work, reset, close or die, each whenever it likes, for RACE_SECONDS (4) altogether.
 * Most of what they try is refused; what was begun works, and at the end all is given back.
 * vm/vfio loads the module, and no vGPU exists when this starts.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <gvirt/gen9_reset.h>

#include "ktap.h"
#include "lib/spin.h"
#include "lib/work.h"
#include "vgpu.h"

#define VGPUS		3u
#define MAKERS		2u
#define USERS		4u
#define SECONDS		4u
/* Bound of whatever is under way at the end. */
#define END_MS		20000u
#define PATH		"/sys/bus/mdev/devices/" VGPU_UUID

/**
 * struct shared - What all processes see
 * @stop: no more
 * @there: vGPUs that can be removed
 * @made: vGPUs that were made
 * @removed: and removed
 * @opened: times that one was opened
 * @proved: times that one worked, to the end
 */
struct shared {
	atomic_bool stop;
	atomic_bool there[VGPUS];
	atomic_uint made;
	atomic_uint removed;
	atomic_uint opened;
	atomic_uint proved;
};

static struct shared *shared;
static u32 random_state;

/* Memory that is shared with children. */
static void *share(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	EXPECT(memory != MAP_FAILED);
	return memory;
}

static u32 below(u32 limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 8) % limit;
}

/* Makers. */

/* One with this UUID may be there, also one that is just being removed. */
static void make(unsigned int id)
{
	int err = vgpu_create(id);

	if (err && err != -EEXIST && err != -EUSERS)
		test_fail("create: %d", err);
	if (err)
		return;
	shared->made++;
	shared->there[id] = true;
}

/*
 * It waits for who has it open, and that one ends. Who tries it before create has returned gets
 * EAGAIN from the mdev core, which then has no file for a removal any more (7.3, mdev_sysfs.c).
 */
static void unmake(unsigned int id)
{
	if (!atomic_exchange(&shared->there[id], false))
		return;
	EXPECT_EQ(vgpu_remove(id), 0);
	shared->removed++;
}

static void be_maker(void)
{
	while (!shared->stop) {
		if (below(3))
			make(below(VGPUS));
		else
			unmake(below(VGPUS));
		usleep(below(20000));
	}
}

/* Users. */

/* Who comes too late or is not alone gets nothing, which is no fault: says nothing of it. */
static void open_quietly(struct vdev *dev, const char *path)
{
	int out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	EXPECT(out >= 0 && null >= 0);
	fflush(stdout);
	dup2(null, STDOUT_FILENO);
	vdev_open(dev, path);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	close(null);
}

static atomic_bool disturb;

static void *disturber(void *arg)
{
	struct work *work = arg;
	unsigned int i;

	for (i = 0; disturb; i++) {
		if (i % 8 == 0)
			vdev_reset(&work->guest.dev);
		else
			vdev_write(&work->guest.dev, GEN9_GDRST, 1u << i % 6);
	}
	return NULL;
}

/* Two threads of the VMM reset it while a third one has it work, or try to. */
static void work_disturbed(struct work *work)
{
	pthread_t thread[2];
	unsigned int i;

	disturb = true;
	for (i = 0; i < 2; i++)
		EXPECT_EQ(pthread_create(&thread[i], NULL, disturber, work), 0);
	spin_request(work, &work->ctx, SPIN_LOOP);
	for (i = 0; i < 20; i++)
		engine_submit(work->engine, &work->ctx, NULL);
	disturb = false;
	for (i = 0; i < 2; i++)
		EXPECT_EQ(pthread_join(thread[i], NULL), 0);
	vdev_reset(&work->guest.dev);
	work_renew(work);
}

static void __noreturn use(unsigned int id, unsigned int seed, atomic_bool *opened)
{
	static struct work work;
	char path[128];

	random_state = seed;
	alarm(END_MS / 1000 * 3);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(path, sizeof(path), PATH, id);
	open_quietly(&work.guest.dev, path);
	*opened = true;
	shared->opened++;
	work_begin(&work, below(ENGINES), 4);
	if (below(3))
		work_prove(&work);
	if (!below(3))
		work_disturbed(&work);
	if (below(2))
		work_prove(&work);
	shared->proved++;
	if (below(2))
		spin_start(&work, below(SPIN_KINDS));
	if (!below(3))
		kill(getpid(), SIGKILL);
	if (below(2))
		work_stop(&work);
	_exit(EXIT_SUCCESS);
}

static void be_user(void)
{
	atomic_bool *opened = share(sizeof(*opened));
	unsigned int seed, id;
	int status;
	pid_t pid;

	while (!shared->stop) {
		*opened = false;
		id = below(VGPUS);
		seed = below(1u << 20);
		fflush(stdout);
		pid = fork();
		if (!pid)
			use(id, seed, opened);
		EXPECT_EQ(waitpid(pid, &status, 0), pid);
		/* Else nothing happened, and times may get better. */
		if (!*opened)
			usleep(5000);
		else if (status && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
			test_fail("a user ended with status %#x", status);
	}
}

/* Everybody. */

static unsigned int seconds(void)
{
	const char *text = getenv("RACE_SECONDS");

	return text && atoi(text) > 0 ? (unsigned int)atoi(text) : SECONDS;
}

static pid_t start(void (*be)(void), unsigned int seed)
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

/* So long, and longer on a machine on which nothing has come of it yet. */
static void wait_enough(void)
{
	u64 end = vdev_now_ms() + 1000 * seconds(), last = end + 2 * END_MS;

	while (vdev_now_ms() < end ||
	       (vdev_now_ms() < last && !(shared->removed && shared->proved)))
		usleep(100000);
}

static void races(void)
{
	int available = vgpu_available(), status;
	pid_t pid[MAKERS + USERS];
	static struct work work;
	char path[128];
	unsigned int i;
	u64 end;

	test_takes_long();
	shared = share(sizeof(*shared));
	for (i = 0; i < MAKERS + USERS; i++)
		pid[i] = start(i < MAKERS ? be_maker : be_user, i + 1);
	wait_enough();
	shared->stop = true;
	end = vdev_now_ms() + END_MS;
	for (i = 0; i < MAKERS + USERS; i++) {
		EXPECT_EQ(waitpid(pid[i], &status, 0), pid[i]);
		if (status)
			test_fail("%s: status %#x", i < MAKERS ? "a maker" : "a user", status);
	}
	if (vdev_now_ms() > end)
		test_fail("what was under way did not end in time");
	printf("# %u made, %u removed, %u opened, %u worked\n", shared->made, shared->removed,
	       shared->opened, shared->proved);
	for (i = 0; i < VGPUS; i++)
		unmake(i);
	EXPECT_EQ(shared->made, shared->removed);
	EXPECT_EQ(vgpu_available(), available);
	EXPECT(shared->made && shared->opened && shared->proved);
	EXPECT_EQ(vgpu_create(0), 0);
	snprintf(path, sizeof(path), PATH, 0u);
	work_start(&work, path, RCS, 4);
	work_prove(&work);
	work_stop(&work);
	EXPECT_EQ(vgpu_remove(0), 0);
}

static const struct testcase tests[] = {
	{ "races", races },
};

static const struct testgroup race_tests = { tests, ARRAY_SIZE(tests) };

int main(void)
{
	const struct testgroup *const groups[] = { &race_tests };

	return test_run_groups(groups, ARRAY_SIZE(groups)) != 0;
}
