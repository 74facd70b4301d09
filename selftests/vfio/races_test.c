// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lives of vGPUs that cross each other: several processes make and remove the same few vGPUs,
 * open them, work, reset, close or die, each whenever it likes, for RACE_SECONDS (4) altogether.
 * Most of what they try is refused; what was begun works, and at the end all is given back.
 * vm/vfio loads the module, and no vGPU exists when this starts.
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "crowd.h"
#include "ktap.h"
#include "lib/spin.h"
#include "vgpu.h"

#define MAKERS		2u
#define USERS		4u
#define SECONDS		4u

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
	atomic_bool there[CROWD_VGPUS];
	atomic_uint made;
	atomic_uint removed;
	atomic_uint opened;
	atomic_uint proved;
};

static struct shared *shared;

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
		if (crowd_below(3))
			make(crowd_below(CROWD_VGPUS));
		else
			unmake(crowd_below(CROWD_VGPUS));
		usleep(crowd_below(20000));
	}
}

/* Users. */

static void use(unsigned int id, atomic_bool *opened)
{
	static struct work work;

	crowd_open(&work.guest.dev, id);
	*opened = true;
	shared->opened++;
	work_begin(&work, crowd_below(ENGINES), 4);
	if (crowd_below(3))
		work_prove(&work);
	if (!crowd_below(3))
		crowd_disturb(&work);
	if (crowd_below(2))
		work_prove(&work);
	shared->proved++;
	if (crowd_below(2))
		spin_start(&work, crowd_below(SPIN_KINDS));
	if (!crowd_below(3))
		kill(getpid(), SIGKILL);
	if (crowd_below(2))
		work_stop(&work);
}

static void be_user(void)
{
	crowd_visits(use, &shared->stop);
}

/* Everybody. */

static unsigned int seconds(void)
{
	const char *text = getenv("RACE_SECONDS");

	return text && atoi(text) > 0 ? (unsigned int)atoi(text) : SECONDS;
}

/* So long, and longer on a machine on which nothing has come of it yet. */
static void wait_enough(void)
{
	u64 end = vdev_now_ms() + 1000 * seconds(), last = end + 2 * CROWD_END_MS * test_slow();

	while (vdev_now_ms() < end ||
	       (vdev_now_ms() < last && !(shared->removed && shared->proved)))
		usleep(100000);
}

static void races(void)
{
	int available = vgpu_available();
	pid_t pids[MAKERS + USERS];
	unsigned int i;

	test_takes_long();
	shared = crowd_share(sizeof(*shared));
	for (i = 0; i < MAKERS + USERS; i++)
		pids[i] = crowd_start(i < MAKERS ? be_maker : be_user, i + 1);
	wait_enough();
	shared->stop = true;
	crowd_wait(pids, MAKERS + USERS, "makers and users");
	printf("# %u made, %u removed, %u opened, %u worked\n", shared->made, shared->removed,
	       shared->opened, shared->proved);
	for (i = 0; i < CROWD_VGPUS; i++)
		unmake(i);
	EXPECT_EQ(shared->made, shared->removed);
	EXPECT_EQ(vgpu_available(), available);
	EXPECT(shared->made && shared->opened && shared->proved);
	crowd_prove_new(0);
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
