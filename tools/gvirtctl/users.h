/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which processes have vGPUs open: whoever has a VFIO file open, by /proc.
 */
#ifndef GVIRTCTL_USERS_H
#define GVIRTCTL_USERS_H

#include <stdbool.h>
#include <stddef.h>
#include "tree.h"

/**
 * struct user - A process with a VFIO file
 * @file: e.g. "12" or "devices/vfio0": what follows /dev/vfio/
 * @pid: the process
 * @command: its name, fit for a terminal
 */
struct user {
	char *file;
	char *pid;
	char *command;
};

/**
 * struct users - All that could be found
 * @user: they
 * @count: how many
 * @partial: there are processes that may not be looked into
 */
struct users {
	struct user *user;
	size_t count;
	bool partial;
};

/**
 * users_read() - Look through all processes
 * @users: gets them
 */
void users_read(struct users *users);

/**
 * users_free() - Free it
 * @users: of users_read()
 */
void users_free(struct users *users);

/**
 * users_of() - Who has a vGPU
 * @users: of users_read()
 * @vgpu: which
 *
 * Return: one of those who have it; NULL: nobody that could be found.
 */
const struct user *users_of(const struct users *users, const struct vgpu *vgpu);

/**
 * users_state() - The same in a word, for people and programs
 * @users: of users_read()
 * @vgpu: which
 *
 * Return: "in use", "idle" or "unknown".
 */
const char *users_state(const struct users *users, const struct vgpu *vgpu);

#endif
