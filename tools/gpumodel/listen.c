// SPDX-License-Identifier: GPL-2.0-only
/*
 * Listening on UNIX sockets.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "listen.h"

/* A socket file whose server is dead refuses connections: it may be replaced. */
static void remove_stale(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) < 0 &&
	    errno == ECONNREFUSED)
		unlink(address->sun_path);
	close(fd);
}

int gm_listen(const char *path, struct sockaddr_un *address)
{
	int fd;

	if (strlen(path) >= sizeof(address->sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	*address = (struct sockaddr_un) { .sun_family = AF_UNIX };
	strcpy(address->sun_path, path);
	remove_stale(address);

	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)address, sizeof(*address)) || listen(fd, 4)) {
		close(fd);
		return -1;
	}
	return fd;
}
