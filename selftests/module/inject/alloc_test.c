// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation fails once: of loading gvirt.ko, of making a vGPU, of opening it, of its
 * GGTT, and of work (see alloc_work.c). What is begun then either fails, and says that there
 * is no memory, or does without; nothing of it stays, and the next try works.
 *
 *   alloc_test GVIRT.KO [FIRST]	runs all tests, prints KTAP
 *
 * The modules of mdev and VFIO are loaded, gvirt is not. FIRST is the allocation to begin
 * with, to go on where an earlier run ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "alloc.h"
#include "fail_nth.h"
#include "memory.h"
#include "vgpu.h"
#include "ktap.h"

#define PARAMETERS	"max_vgpus=4"
#define LIMIT		ALLOC_LIMIT
#define MOST		ALLOC_MOST
#define TIMEOUT_S	ALLOC_TIMEOUT_S
#define PROGRESS	50
/*
 * What the unaccounted memory varies by, when nothing leaks. Modules come and go with
 * KASAN's shadow of them, which the kernel gives back late: 20 loads without a failure
 * took 6564 KiB.
 */
#define NOISE_KIB	1024
#define NOISE_LOAD_KIB	16384
#define GGTT		0x800000
/* Bytes of GGTT entries that a page holds. */
#define GGTT_PAGE	4096

static const char *module;
unsigned int alloc_first = 1;

/**
 * struct subject - What is begun, again and again
 * @attempt: begins it; returns 0 or a negative errno
 * @undo: ends it after success
 * @settled: fails the test unless nothing of it is left
 * @refusals: errors that may be the answer besides -ENOMEM
 * @fewest: allocations that it does at least
 * @noise_kib: memory that may be missing afterwards; 0: NOISE_KIB
 */
struct subject {
	int (*attempt)(void);
	void (*undo)(void);
	void (*settled)(void);
	int refusals[2];
	unsigned int fewest;
	long noise_kib;
};

static bool is_refusal(const struct subject *subject, int err)
{
	return err == -ENOMEM || err == subject->refusals[0] || err == subject->refusals[1];
}

/* Returns whether allocation @nth was reached. */
static bool try_once(const struct subject *subject, unsigned int nth)
{
	unsigned int left;
	int err;

	fail_nth(nth);
	err = subject->attempt();
	left = fail_left();
	if (err && left)
		test_fail("error %d, but allocation %u had not been reached", err, nth);
	if (err && !is_refusal(subject, err))
		test_fail("error %d when allocation %u failed", err, nth);
	if (!err)
		subject->undo();
	subject->settled();
	return !left;
}

void alloc_progress(unsigned int nth)
{
	if (nth % PROGRESS)
		return;
	printf("# allocation %u\n", nth);
	fflush(stdout);
}

static void sweep(const struct subject *subject)
{
	unsigned int nth = alloc_first;
	long before;

	alarm(TIMEOUT_S);
	fail_setup();
	/* Once without a failure: what is allocated for good is there then. */
	EXPECT_EQ(subject->attempt(), 0);
	subject->undo();
	before = memory_unaccounted();
	for (; nth < MOST && try_once(subject, nth); nth++)
		alloc_progress(nth);
	printf("# %u allocations, %+ld KiB\n", nth - 1, memory_unaccounted() - before);
	EXPECT(nth > subject->fewest && nth < MOST);
	EXPECT(memory_unaccounted() - before < (subject->noise_kib ?: NOISE_KIB));
}

/* Loading. */

static int load(void)
{
	int fd = open(module, O_RDONLY | O_CLOEXEC);
	int err = 0;

	if (fd < 0)
		test_fail("cannot open %s: %m", module);
	if (syscall(SYS_finit_module, fd, PARAMETERS, 0))
		err = -errno;
	close(fd);
	return err;
}

void alloc_unload(void)
{
	if (syscall(SYS_delete_module, "gvirt", O_NONBLOCK))
		test_fail("cannot unload gvirt: %m");
}

/* A test that failed before may have left it. */
void alloc_load_anew(void)
{
	syscall(SYS_delete_module, "gvirt", O_NONBLOCK);
	EXPECT_EQ(load(), 0);
}

static void is_unloaded(void)
{
	EXPECT(access("/sys/module/gvirt", F_OK));
	EXPECT(access("/sys/bus/pci/drivers/gvirt", F_OK));
}

static void alloc_load(void)
{
	/*
	 * When its only GPU cannot be taken, the module says that there is none. The driver
	 * core's answer is -EINVAL when it cannot make the directory "drivers" of a module
	 * (module_add_driver(), 7.3).
	 */
	static const struct subject subject = {
		.attempt = load, .undo = alloc_unload, .settled = is_unloaded,
		.refusals = { -ENODEV, -EINVAL }, .fewest = 50, .noise_kib = NOISE_LOAD_KIB,
	};

	alloc_load_anew();
	alloc_unload();
	sweep(&subject);
}

/* Making. */

static int create(void)
{
	return vgpu_create(0);
}

static void remove_vgpu(void)
{
	EXPECT_EQ(vgpu_remove(0), 0);
}

/*
 * The mdev core does not give an instance back when the allocation of its own struct
 * mdev_device fails (mdev_device_create(), 7.3): one allocation of all.
 */
static void all_available(void)
{
	int lost = LIMIT - vgpu_available();

	if (lost != 0 && lost != 1)
		test_fail("%d instances are not available any more", lost);
}

static void alloc_create(void)
{
	static const struct subject subject = {
		.attempt = create, .undo = remove_vgpu, .settled = all_available, .fewest = 50,
	};

	alloc_load_anew();
	sweep(&subject);
	alloc_unload();
}

/* Opening. */

static struct vgpu vgpu;

static void close_files(void)
{
	close(vgpu.fd);
	close(vgpu.group);
	close(vgpu.container);
}

static int open_files(void)
{
	char uuid[64];

	vgpu.fd = -1;
	vgpu.group = -1;
	vgpu.container = open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC);
	if (vgpu.container < 0)
		return -errno;
	vgpu.group = vgpu_open_group(0);
	if (vgpu.group < 0)
		return vgpu.group;
	if (ioctl(vgpu.group, VFIO_GROUP_SET_CONTAINER, &vgpu.container))
		return -errno;
	if (ioctl(vgpu.container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		return -errno;
	snprintf(uuid, sizeof(uuid), VGPU_UUID, 0);
	vgpu.fd = ioctl(vgpu.group, VFIO_GROUP_GET_DEVICE_FD, uuid);
	return vgpu.fd < 0 ? -errno : 0;
}

static int open_vgpu(void)
{
	int err = open_files();

	if (err)
		close_files();
	return err;
}

static void nothing(void)
{
}

static void alloc_open(void)
{
	static const struct subject subject = {
		.attempt = open_vgpu, .undo = close_files, .settled = nothing, .fewest = 5,
	};

	alloc_load_anew();
	EXPECT_EQ(create(), 0);
	sweep(&subject);
	remove_vgpu();
	EXPECT_EQ(vgpu_available(), LIMIT);
	alloc_unload();
}

/* The GGTT, of which pages come with the first entry that is not zero. */

static int write_ggtt(void)
{
	u64 entry = 0x1001;
	ssize_t done;

	done = vgpu_pwrite(&vgpu, VFIO_PCI_BAR0_REGION_INDEX, GGTT + 7 * GGTT_PAGE, &entry,
			   sizeof(entry));
	return done == sizeof(entry) ? 0 : done;
}

static void reset(void)
{
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_RESET, NULL), 0);
}

static void ggtt_is_empty(void)
{
	EXPECT_EQ(vgpu_read64(&vgpu, GGTT + 7 * GGTT_PAGE), 0);
}

static void alloc_ggtt(void)
{
	static const struct subject subject = {
		.attempt = write_ggtt, .undo = reset, .settled = ggtt_is_empty, .fewest = 1,
	};

	alloc_load_anew();
	EXPECT_EQ(create(), 0);
	vgpu_open(&vgpu, 0);
	sweep(&subject);
	vgpu_close(&vgpu);
	remove_vgpu();
	EXPECT_EQ(vgpu_available(), LIMIT);
	alloc_unload();
}

static const struct testcase tests[] = {
	{ "alloc-load", alloc_load },
	{ "alloc-create", alloc_create },
	{ "alloc-open", alloc_open },
	{ "alloc-ggtt", alloc_ggtt },
};

int main(int argc, char **argv)
{
	static const struct testgroup group = { tests, ARRAY_SIZE(tests) };
	static const struct testgroup *const groups[] = { &group, &alloc_work_tests };

	if (argc == 3)
		alloc_first = strtoul(argv[2], NULL, 10);
	if (argc < 2 || argc > 3 || !alloc_first) {
		fprintf(stderr, "usage: alloc_test GVIRT.KO [FIRST]\n");
		return EXIT_FAILURE;
	}
	module = argv[1];
	return test_run_groups(groups, ARRAY_SIZE(groups)) != 0;
}
