// SPDX-License-Identifier: GPL-2.0-only
/*
 * The GPU is taken away from gvirt, and gvirt from the kernel, while its vGPUs are made, removed,
 * looked at, opened, at work, reset and closed, each by processes of its own:
 *
 *	vfio_unbind_test MODULE
 *
 * As long as somebody has a vGPU open, the module stays. Who has one open is asked to let go of
 * it, until then it works, and then the GPU is free in bounded time. Afterwards gvirt takes it
 * again, from MODULE if need be. vm/vfio loads the module, and no vGPU exists when this starts.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "crowd.h"
#include "ktap.h"
#include "lib/spin.h"
#include "vgpu.h"

#define UNBINDERS	2u
#define UNLOADERS	1u
#define TAKERS		(UNBINDERS + UNLOADERS)
#define ROUNDS		6u
/* vGPUs that none of the crowd has. */
#define SPARE		CROWD_VGPUS
/* For what users have under way when asked, and their close. VFIO asks again after 10 s. */
#define UNBIND_MS	9000u
#define DRIVER		"/sys/bus/pci/drivers/gvirt"
/* As vm/vfio loads it. */
#define PARAMETERS	"max_vgpus=4"

/**
 * struct shared - What all processes see
 * @stop: no more
 * @taken: this round's takers are to end
 * @lives: per vGPU, users that came and that went: odd while somebody has it open
 * @opened: times that one was opened
 * @asked: times that a user was asked to let go
 * @proved: times that one worked
 * @looks: files that were read
 * @unbound: times that the GPU was taken away
 * @unloaded: times that the module was
 * @refused: times that it was not, with a vGPU open all the time
 * @longest_ms: that taking the GPU away took
 */
struct shared {
	atomic_bool stop;
	atomic_bool taken;
	atomic_uint lives[CROWD_VGPUS];
	atomic_uint opened;
	atomic_uint asked;
	atomic_uint proved;
	atomic_uint looks;
	atomic_uint unbound;
	atomic_uint unloaded;
	atomic_uint refused;
	atomic_uint longest_ms;
};

static struct shared *shared;
static const char *module_path;
static char gpu[64];

/* The crowd: anything may be refused at any time. */

static void be_maker(void)
{
	while (!shared->stop) {
		if (crowd_below(4))
			vgpu_create(crowd_below(CROWD_VGPUS));
		else
			vgpu_remove(crowd_below(CROWD_VGPUS));
		usleep(crowd_below(20000));
	}
}

static void look(const char *path)
{
	bool share = strstr(path, "/weight");
	int fd = open(path, (share ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	char text[8192];

	if (fd < 0)
		return;
	if (share && write(fd, "200", 3) == 3)
		shared->looks++;
	if (read(fd, text, sizeof(text)) > 0)
		shared->looks++;
	close(fd);
}

static void be_reader(void)
{
	static const char *const patterns[] = {
		"/sys/bus/mdev/devices/*/gvirt/*", DRIVER "/*:*/gvirt/*",
		DRIVER "/*:*/mdev_supported_types/*/[adn]*", "/sys/kernel/debug/gvirt/*/*",
	};
	unsigned int n;
	glob_t found;
	size_t i;

	for (n = 0; !shared->stop; n = (n + 1) % ARRAY_SIZE(patterns)) {
		if (glob(patterns[n], GLOB_NOSORT, NULL, &found))
			continue;
		for (i = 0; i < found.gl_pathc && !shared->stop; i++)
			look(found.gl_pathv[i]);
		globfree(&found);
	}
}

static atomic_bool asked;

static void *listener(void *arg)
{
	struct pollfd request = { .fd = *(int *)arg, .events = POLLIN };

	if (poll(&request, 1, -1) != 1)
		return NULL;
	shared->asked++;
	asked = true;
	return NULL;
}

static void listen_to(const struct vdev *dev)
{
	const struct vgpu vgpu = { .fd = dev->fd };
	static int request;
	pthread_t thread;

	request = vgpu_arm(&vgpu, VFIO_PCI_REQ_IRQ_INDEX);
	EXPECT_EQ(pthread_create(&thread, NULL, listener, &request), 0);
}

/* Works until it is asked to go, or has enough. */
static void use(unsigned int id, atomic_bool *opened)
{
	static struct work work;

	crowd_open(&work.guest.dev, id);
	*opened = true;
	listen_to(&work.guest.dev);
	shared->lives[id]++;
	shared->opened++;
	work_begin(&work, crowd_below(ENGINES), 4);
	do {
		work_prove(&work);
		shared->proved++;
		if (!crowd_below(4))
			crowd_disturb(&work);
	} while (!asked && crowd_below(32));
	if (!asked && crowd_below(2))
		spin_start(&work, crowd_below(SPIN_KINDS));
	shared->lives[id]++;
	if (!crowd_below(3))
		kill(getpid(), SIGKILL);
	if (crowd_below(2))
		work_stop(&work);
}

static void be_user(void)
{
	crowd_visits(use, &shared->stop);
}

static void (*const crowd[])(void) = {
	be_user, be_user, be_user, be_user, be_maker, be_maker, be_reader, be_reader,
};

/* Takers. */

/* The other one may have done it. */
static void be_unbinder(void)
{
	u64 start = vdev_now_ms();
	int err = vgpu_write_file(DRIVER "/unbind", gpu);
	unsigned int ms = vdev_now_ms() - start;

	if (err && err != -ENODEV && err != -ENOENT)
		test_fail("unbind: %d", err);
	if (!err)
		shared->unbound++;
	if (ms > shared->longest_ms)
		shared->longest_ms = ms;
	shared->taken = true;
}

static bool was_open(const unsigned int *lives)
{
	unsigned int id;

	for (id = 0; id < CROWD_VGPUS; id++)
		if (lives[id] % 2 && shared->lives[id] == lives[id])
			return true;
	return false;
}

static int unload(void)
{
	unsigned int lives[CROWD_VGPUS], id;
	int err;

	for (id = 0; id < CROWD_VGPUS; id++)
		lives[id] = shared->lives[id];
	err = syscall(SYS_delete_module, "gvirt", O_NONBLOCK) ? -errno : 0;
	if (!was_open(lives))
		return err;
	if (err != -EAGAIN && err != -EBUSY)
		test_fail("the module is unloaded with a vGPU open: %d", err);
	shared->refused++;
	return err;
}

static void be_unloader(void)
{
	do {
		if (!unload()) {
			shared->unloaded++;
			return;
		}
		usleep(crowd_below(20000));
	} while (!shared->taken && !shared->stop);
}

static void (*const takers[])(void) = { be_unbinder, be_unbinder, be_unloader };

/* Rounds. */

static bool find_gpu(void)
{
	struct dirent *entry = NULL;
	DIR *dir = opendir(DRIVER);

	while (dir && (entry = readdir(dir)) && !strchr(entry->d_name, ':'))
		;
	if (entry)
		snprintf(gpu, sizeof(gpu), "%.60s", entry->d_name);
	if (dir)
		closedir(dir);
	return entry;
}

static void wait_open(void)
{
	u64 end = vdev_now_ms() + CROWD_END_MS * test_slow();
	unsigned int id = 0;

	for (id = 0; shared->lives[id] % 2 == 0; id = (id + 1) % CROWD_VGPUS) {
		if (vdev_now_ms() > end)
			test_fail("nobody gets a vGPU");
		usleep(2000);
	}
}

static void load(void)
{
	int fd = open(module_path, O_RDONLY | O_CLOEXEC);

	EXPECT(fd >= 0);
	if (syscall(SYS_finit_module, fd, PARAMETERS, 0))
		test_fail("%s cannot be loaded again: %s", module_path, strerror(errno));
	close(fd);
}

/* By whatever it takes; and it works. */
static void give_back(void)
{
	int err;

	if (access(DRIVER, F_OK))
		load();
	if (find_gpu())
		return;
	err = vgpu_write_file(DRIVER "/bind", gpu);
	if (err)
		test_fail("gvirt does not take the GPU again: %d", err);
}

static void take_away(unsigned int round)
{
	/* By unbinding alone, by unloading alone, by both. */
	unsigned int first = round % 3 == 1 ? UNBINDERS : 0;
	unsigned int count = round % 3 ? TAKERS - first : UNBINDERS;
	pid_t pids[TAKERS];
	unsigned int i;

	shared->taken = false;
	wait_open();
	for (i = 0; i < count; i++)
		pids[i] = crowd_start(takers[first + i], 100 + TAKERS * round + i);
	if (first) {
		usleep(500000);
		shared->taken = true;
	}
	crowd_wait(pids, count, "who takes the GPU away");
	give_back();
	crowd_prove_new(SPARE);
}

static void unbind(void)
{
	pid_t pids[ARRAY_SIZE(crowd)];
	unsigned int i;

	test_takes_long();
	EXPECT(find_gpu());
	shared = crowd_share(sizeof(*shared));
	for (i = 0; i < ARRAY_SIZE(crowd); i++)
		pids[i] = crowd_start(crowd[i], i + 1);
	for (i = 0; i < ROUNDS; i++)
		take_away(i);
	shared->stop = true;
	crowd_wait(pids, ARRAY_SIZE(crowd), "the crowd");
	printf("# %u opened, %u asked to let go, %u worked, %u files read\n", shared->opened,
	       shared->asked, shared->proved, shared->looks);
	printf("# %u unbound, %u ms at most, %u unloaded, %u times not for its users\n",
	       shared->unbound, shared->longest_ms, shared->unloaded, shared->refused);
	EXPECT(shared->unbound >= 2 && shared->asked && shared->refused && shared->looks);
	if (shared->longest_ms > UNBIND_MS * test_slow())
		test_fail("taking the GPU away took %u ms", shared->longest_ms);
	/* All vGPUs go along, and nothing holds the module any more. */
	EXPECT_EQ(unload(), 0);
	give_back();
	crowd_prove_new(0);
	EXPECT_EQ(vgpu_available(), CROWD_VGPUS + 1);
}

static const struct testcase tests[] = {
	{ "unbind", unbind },
};

static const struct testgroup unbind_tests = { tests, ARRAY_SIZE(tests) };

int main(int argc, char **argv)
{
	const struct testgroup *const groups[] = { &unbind_tests };

	if (argc != 2) {
		fprintf(stderr, "usage: %s MODULE\n", argv[0]);
		return 64;
	}
	module_path = argv[1];
	return test_run_groups(groups, ARRAY_SIZE(groups)) != 0;
}
