// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who has a vGPU: see users.h.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "files.h"
#include "text.h"
#include "users.h"

#define VFIO_DIR	"/dev/vfio/"
/* Longer ones are none of /dev/vfio. */
#define LINK_LENGTH	128

static bool is_vfio(const char *dir, const char *name, char link[LINK_LENGTH])
{
	char *path = text_format("%s/%s", dir, name);
	ssize_t length = readlink(path, link, LINK_LENGTH - 1);

	free(path);
	if (length < 0)
		return false;
	link[length] = '\0';
	/* The container is everybody's. */
	return !strncmp(link, VFIO_DIR, strlen(VFIO_DIR)) && strcmp(link, VFIO_DIR "vfio");
}

static char *command_of(const char *process)
{
	char *name = files_read(process, "comm"), *plain;

	plain = text_plain(name ? name : "?");
	free(name);
	return plain;
}

static void add(struct users *users, const char *process, const char *link)
{
	struct user *user;

	users->user = text_grow(users->user, users->count, sizeof(*user));
	user = &users->user[users->count++];
	user->file = text_copy(link + strlen(VFIO_DIR));
	user->pid = text_copy(text_last(process));
	user->command = command_of(process);
}

static void look_into(struct users *users, const char *process)
{
	char *dir = text_format("%s/fd", process), link[LINK_LENGTH];
	struct strings names = { };
	size_t i;
	int err;

	err = files_list(dir, &names);
	if (err == -EACCES || err == -EPERM)
		users->partial = true;
	for (i = 0; i < names.count; i++)
		if (is_vfio(dir, names.item[i], link))
			add(users, process, link);
	strings_free(&names);
	free(dir);
}

void users_read(struct users *users)
{
	char *dir = files_path("proc"), *process;
	struct strings names = { };
	size_t i;

	*users = (struct users) { };
	if (files_list(dir, &names))
		users->partial = true;
	for (i = 0; i < names.count; i++) {
		if (!isdigit((unsigned char)names.item[i][0]))
			continue;
		process = text_format("%s/%s", dir, names.item[i]);
		look_into(users, process);
		free(process);
	}
	strings_free(&names);
	free(dir);
}

void users_free(struct users *users)
{
	size_t i;

	for (i = 0; i < users->count; i++) {
		free(users->user[i].file);
		free(users->user[i].pid);
		free(users->user[i].command);
	}
	free(users->user);
	*users = (struct users) { };
}

static bool is_file_of(const char *file, const struct vgpu *vgpu)
{
	static const char devices[] = "devices/";

	if (vgpu->group && !strcmp(file, vgpu->group))
		return true;
	return vgpu->cdev && !strncmp(file, devices, strlen(devices)) &&
	       !strcmp(file + strlen(devices), vgpu->cdev);
}

const struct user *users_of(const struct users *users, const struct vgpu *vgpu)
{
	size_t i;

	for (i = 0; i < users->count; i++)
		if (is_file_of(users->user[i].file, vgpu))
			return &users->user[i];
	return NULL;
}

/* Whose pages are pinned has a user, even if that may not be seen. */
static bool works(const struct vgpu *vgpu)
{
	char *text = files_read(vgpu->path, "gvirt/pinned_pages");
	unsigned long long pages = 0;
	bool some = text_number(text, &pages) && pages;

	free(text);
	return some;
}

const char *users_state(const struct users *users, const struct vgpu *vgpu)
{
	if (users_of(users, vgpu) || works(vgpu))
		return "in use";
	return users->partial ? "unknown" : "idle";
}
