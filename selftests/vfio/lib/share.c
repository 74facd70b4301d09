// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sharing in sysfs: see share.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../ktap.h"
#include "share.h"
#include "vdev.h"

void share_gpu(char *path, size_t size, const char *mdev)
{
	char real[PATH_MAX], *end;

	if (!realpath(mdev, real))
		test_fail("%s: %s", mdev, strerror(errno));
	end = strrchr(real, '/');
	EXPECT(end && (size_t)(end - real) < size);
	memcpy(path, real, end - real);
	path[end - real] = '\0';
}

static int open_file(const char *device, const char *file, int flags)
{
	char path[PATH_MAX];
	int fd;

	EXPECT(snprintf(path, sizeof(path), "%s/gvirt/%s", device, file) < (int)sizeof(path));
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		test_fail("%s: %s", path, strerror(errno));
	return fd;
}

void share_read(const char *device, const char *file, char *text, size_t size)
{
	int fd = open_file(device, file, O_RDONLY);
	ssize_t got = read(fd, text, size);

	close(fd);
	if (got <= 0 || (size_t)got >= size || text[got - 1] != '\n')
		test_fail("%s: no text that ends with a line", file);
	text[got - 1] = '\0';
}

int share_write(const char *device, const char *file, const char *text)
{
	int fd = open_file(device, file, O_WRONLY);
	ssize_t put = write(fd, text, strlen(text));
	int err = put < 0 ? -errno : 0;

	close(fd);
	return err;
}

void share_set(const char *device, const char *file, unsigned int value)
{
	char text[16];
	int err;

	snprintf(text, sizeof(text), "%u\n", value);
	err = share_write(device, file, text);
	if (err)
		test_fail("%s does not take %u: %s", file, value, strerror(-err));
}

u64 share_number(const char *device, const char *file)
{
	char text[32];

	share_read(device, file, text, sizeof(text));
	return strtoull(text, NULL, 10);
}

bool share_await(const char *device, const char *file, u64 least, u64 most)
{
	u64 end = vdev_now_ms() + SHARE_PATIENCE_MS, value;

	do {
		value = share_number(device, file);
		if (value >= least && value <= most)
			return true;
		usleep(10000);
	} while (vdev_now_ms() < end);
	return false;
}

u64 share_count(const char *device, const char *file, const char *engine)
{
	char text[256], name[16];
	const char *line = text;
	unsigned long long value;
	int length;

	share_read(device, file, text, sizeof(text));
	for (; sscanf(line, "%15s %llu%n", name, &value, &length) == 2; line += length)
		if (!strcmp(name, engine))
			return value;
	test_fail("%s: no line of %s in '%s'", file, engine, text);
}
