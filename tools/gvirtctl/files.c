// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files: see files.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "files.h"

/* No file of gvirt's comes near it; somebody else's tree may have anything in it. */
#define LONGEST		(4u << 20)
#define CHUNK		4096u

static const char *root = "";

void files_set_root(const char *new_root)
{
	root = new_root;
}

char *files_path(const char *format, ...)
{
	char *rest = NULL, *path;
	va_list args;

	va_start(args, format);
	if (vasprintf(&rest, format, args) < 0)
		rest = NULL;
	va_end(args);
	path = text_format("%s/%s", root, rest ? rest : "");
	free(rest);
	return path;
}

static int open_file(const char *dir, const char *name, int flags)
{
	char *path = text_format("%s/%s", dir, name);
	int fd = open(path, flags | O_CLOEXEC);

	free(path);
	return fd;
}

static char *read_all(int fd)
{
	size_t length = 0;
	char *text = NULL;
	ssize_t got = 1;

	while (got > 0 && length < LONGEST) {
		text = realloc(text, length + CHUNK + 1);
		if (!text) {
			errno = ENOMEM;
			return NULL;
		}
		got = read(fd, text + length, CHUNK);
		if (got > 0)
			length += got;
	}
	if (got < 0) {
		free(text);
		return NULL;
	}
	if (length && text[length - 1] == '\n')
		length--;
	text[length] = '\0';
	return text;
}

char *files_read(const char *dir, const char *name)
{
	int fd = open_file(dir, name, O_RDONLY), err;
	char *text;

	if (fd < 0)
		return NULL;
	text = read_all(fd);
	err = errno;
	close(fd);
	errno = err;
	return text;
}

int files_write(const char *dir, const char *name, const char *text)
{
	int fd = open_file(dir, name, O_WRONLY | O_TRUNC), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

int files_list(const char *dir, struct strings *names)
{
	const struct dirent *entry;
	DIR *stream = opendir(dir);

	if (!stream)
		return -errno;
	while ((entry = readdir(stream)))
		if (entry->d_name[0] != '.')
			strings_add(names, text_copy(entry->d_name));
	closedir(stream);
	strings_sort(names);
	return 0;
}

char *files_target(const char *dir, const char *name)
{
	char *path = text_format("%s/%s", dir, name);
	char *target = realpath(path, NULL);

	free(path);
	return target;
}

static bool get_mode(const char *dir, const char *name, mode_t *mode)
{
	char *path = text_format("%s/%s", dir, name);
	struct stat st;
	bool there = !stat(path, &st);

	free(path);
	*mode = there ? st.st_mode : 0;
	return there;
}

bool files_there(const char *dir, const char *name)
{
	mode_t mode;

	return get_mode(dir, name, &mode);
}

bool files_is_file(const char *dir, const char *name)
{
	mode_t mode;

	return get_mode(dir, name, &mode) && S_ISREG(mode);
}

bool files_settable(const char *dir, const char *name)
{
	mode_t mode;

	return get_mode(dir, name, &mode) && S_ISREG(mode) && (mode & 0222) && (mode & 0444);
}
