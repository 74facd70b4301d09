// SPDX-License-Identifier: GPL-2.0-only
/*
 * write() that fails as the kernel's would: preloaded by the tests of gvirtctl, whose sysfs
 * is made of ordinary files. FAIL_FILE is the end of the file's path, FAIL_ERRNO the error.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_file(int fd, const char *end)
{
	char name[64], path[4096];
	ssize_t length;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	length = readlink(name, path, sizeof(path) - 1);
	if (length < 0)
		return 0;
	path[length] = '\0';
	return (size_t)length >= strlen(end) && !strcmp(path + length - strlen(end), end);
}

ssize_t write(int fd, const void *data, size_t bytes)
{
	ssize_t (*next)(int fd, const void *data, size_t bytes) = dlsym(RTLD_NEXT, "write");
	const char *end = getenv("FAIL_FILE"), *number = getenv("FAIL_ERRNO");

	if (!end || !number || !is_file(fd, end))
		return next(fd, data, bytes);
	errno = atoi(number);
	return -1;
}
