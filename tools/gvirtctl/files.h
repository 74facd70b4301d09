/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files in sysfs, debugfs and /proc: those of this machine, or a tree that looks like it.
 */
#ifndef GVIRTCTL_FILES_H
#define GVIRTCTL_FILES_H

#include <stdbool.h>
#include "text.h"

/**
 * files_set_root() - Look for sys and proc elsewhere than in /
 * @root: a directory that has them; stays the caller's
 */
void files_set_root(const char *root);

/**
 * files_path() - A path below the root
 * @format: as for printf(); the path without the root, e.g. "sys/module"
 *
 * Return: the path, to be freed.
 */
char *files_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * files_read() - What is in a file
 * @dir: a directory
 * @name: file in it
 *
 * Return: its text without the last newline, to be freed; NULL: @errno says why.
 */
char *files_read(const char *dir, const char *name);

/**
 * files_write() - Write a file in one go
 * @dir: a directory
 * @name: file in it, which is there
 * @text: what to write
 *
 * Return: 0 or a negative errno.
 */
int files_write(const char *dir, const char *name, const char *text);

/**
 * files_list() - Names in a directory, sorted
 * @dir: the directory
 * @names: gets them, but for those that begin with a dot
 *
 * Return: 0 or a negative errno.
 */
int files_list(const char *dir, struct strings *names);

/**
 * files_target() - Where a link leads to
 * @dir: a directory
 * @name: link in it
 *
 * Return: absolute path without links, to be freed; NULL: it leads nowhere.
 */
char *files_target(const char *dir, const char *name);

/**
 * files_there() - Is there such a file?
 * @dir: a directory
 * @name: file in it
 */
bool files_there(const char *dir, const char *name);

/**
 * files_is_file() - Is there such a file, and is it no directory?
 * @dir: a directory
 * @name: file in it
 */
bool files_is_file(const char *dir, const char *name);

/**
 * files_settable() - Is it a file that can be written, by whom does not matter, and read?
 * @dir: a directory
 * @name: file in it
 */
bool files_settable(const char *dir, const char *name);

#endif
