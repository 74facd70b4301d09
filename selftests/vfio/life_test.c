// SPDX-License-Identifier: GPL-2.0-only
/*
 * Life of a vGPU: types, creation up to the limit, opening, removal, and that everything
 * is given back. vm/vfio loads the module with the limit below.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "groups.h"
#include "vgpu.h"

#define LIMIT		4
#define CYCLES		50
#define OPEN_CYCLES	10

static void type(void)
{
	char text[4096];

	vgpu_type_read("device_api", text, sizeof(text));
	EXPECT_EQ(strcmp(text, VFIO_DEVICE_API_PCI_STRING), 0);
	vgpu_type_read("name", text, sizeof(text));
	EXPECT_EQ(strcmp(text, "Skylake GT2, 256 MiB aperture, no display"), 0);
	EXPECT_EQ(vgpu_available(), LIMIT);
}

/* Every line is "key: value". */
static void description(void)
{
	char text[4096], *line, *save = NULL;
	int lines = 0;

	vgpu_type_read("description", text, sizeof(text));
	EXPECT(strstr(text, "engines: rcs0 bcs0 vcs0 vecs0\n"));
	EXPECT(strstr(text, "aperture: 256\n"));
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *colon = strstr(line, ": ");

		EXPECT(colon && colon > line && colon[2]);
		lines++;
	}
	EXPECT(lines >= 5);
}

/* As many as the type says, then a refusal, then as many again. */
static void limit(void)
{
	unsigned int i;

	for (i = 0; i < LIMIT; i++) {
		EXPECT_EQ(vgpu_available(), LIMIT - i);
		EXPECT_EQ(vgpu_create(i), 0);
	}
	EXPECT_EQ(vgpu_available(), 0);
	EXPECT_EQ(vgpu_create(LIMIT), -EUSERS);
	EXPECT_EQ(vgpu_create(0), -EEXIST);
	for (i = 0; i < LIMIT; i++)
		EXPECT_EQ(vgpu_remove(i), 0);
	EXPECT_EQ(vgpu_available(), LIMIT);
}

static int references(void)
{
	FILE *file = fopen("/sys/module/gvirt/refcnt", "r");
	int count = -1;

	EXPECT(file && fscanf(file, "%d", &count) == 1);
	fclose(file);
	return count;
}

static void cycles(void)
{
	int before = references();
	unsigned int i;

	for (i = 0; i < CYCLES; i++) {
		EXPECT_EQ(vgpu_create(0), 0);
		EXPECT_EQ(vgpu_remove(0), 0);
	}
	EXPECT_EQ(vgpu_available(), LIMIT);
	EXPECT_EQ(references(), before);
}

/* With memory in use at the time of the close. */
static void open_cycles(void)
{
	int before = references();
	struct vgpu vgpu;
	unsigned int i;
	u32 entry;

	for (i = 0; i < OPEN_CYCLES; i++) {
		vgpu_start(&vgpu);
		for (entry = 0; entry < 0x100000; entry += 0x1000)
			vgpu_write64(&vgpu, 0x800000 + 8 * entry, entry | 1);
		vgpu_arm(&vgpu, VFIO_PCI_MSI_IRQ_INDEX);
		EXPECT(references() > before);
		vgpu_stop(&vgpu);
	}
	EXPECT_EQ(vgpu_available(), LIMIT);
	EXPECT_EQ(references(), before);
}

/* One user at a time, and the next one as soon as that is gone. */
static void one_user(void)
{
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	EXPECT_EQ(vgpu_open_group(0), -EBUSY);
	vgpu_close(&vgpu);
	vgpu_open(&vgpu, 0);
	vgpu_stop(&vgpu);
}

/* A process is killed with the vGPU open and interrupts armed; the next one finds it new. */
static void killed(void)
{
	struct vgpu vgpu;
	int status;
	pid_t pid;

	vgpu_remove(0);
	EXPECT_EQ(vgpu_create(0), 0);
	pid = fork();
	if (!pid) {
		vgpu_open(&vgpu, 0);
		vgpu_arm(&vgpu, VFIO_PCI_MSI_IRQ_INDEX);
		vgpu_write64(&vgpu, 0x800000, 0x1234567);
		abort();
	}
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT(WIFSIGNALED(status));
	vgpu_open(&vgpu, 0);
	EXPECT_EQ(vgpu_read64(&vgpu, 0x800000), 0);
	vgpu_stop(&vgpu);
}

/* Removal of a vGPU in use asks its user to let go, and completes when that has. */
static void removed_in_use(void)
{
	struct vgpu vgpu;
	struct pollfd poll_fd = { .events = POLLIN };
	int status;
	pid_t pid;

	vgpu_start(&vgpu);
	poll_fd.fd = vgpu_arm(&vgpu, VFIO_PCI_REQ_IRQ_INDEX);
	pid = fork();
	if (!pid) {
		vgpu_close(&vgpu);
		_exit(vgpu_remove(0) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	EXPECT_EQ(poll(&poll_fd, 1, 20000), 1);
	EXPECT(vgpu_heard(poll_fd.fd) >= 1);
	EXPECT_EQ(waitpid(pid, &status, WNOHANG), 0);
	/* It works to the end. */
	vgpu_write64(&vgpu, 0x800000, 0x77);
	EXPECT_EQ(vgpu_read64(&vgpu, 0x800000), 0x77);
	vgpu_close(&vgpu);
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT_EQ(status, 0);
	EXPECT_EQ(vgpu_available(), LIMIT);
}

static void wait_gone(const char *path)
{
	unsigned int i;

	for (i = 0; i < 1000 && !access(path, F_OK); i++)
		usleep(10000);
	EXPECT(access(path, F_OK));
}

/* Who begins to listen after that is asked at once: VFIO asks again after 10 s only. */
static void asked_late(void)
{
	struct pollfd poll_fd = { .events = POLLIN };
	struct vgpu vgpu;
	char path[128];
	int status;
	pid_t pid;

	vgpu_start(&vgpu);
	pid = fork();
	if (!pid) {
		vgpu_close(&vgpu);
		_exit(vgpu_remove(0) ? EXIT_FAILURE : EXIT_SUCCESS);
	}
	snprintf(path, sizeof(path), "/sys/bus/mdev/devices/" VGPU_UUID "/remove", 0u);
	wait_gone(path);
	/* The file goes first. */
	usleep(500000);
	poll_fd.fd = vgpu_arm(&vgpu, VFIO_PCI_REQ_IRQ_INDEX);
	EXPECT_EQ(poll(&poll_fd, 1, 5000), 1);
	vgpu_close(&vgpu);
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT_EQ(status, 0);
}

static const struct testcase tests[] = {
	{ "life-type", type },
	{ "life-description", description },
	{ "life-limit", limit },
	{ "life-cycles", cycles },
	{ "life-open-cycles", open_cycles },
	{ "life-one-user", one_user },
	{ "life-killed", killed },
	{ "life-removed-in-use", removed_in_use },
	{ "life-asked-late", asked_late },
};

const struct testgroup life_tests = { tests, ARRAY_SIZE(tests) };
