/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Listening on UNIX sockets.
 */
#ifndef GM_LISTEN_H
#define GM_LISTEN_H

#include <sys/un.h>

/**
 * gm_listen() - A listening stream socket at @path
 * @path: file name; a socket that a dead process left there is replaced
 * @address: out: the address, whose sun_path the caller unlinks in the end
 *
 * Return: the socket, or -1 with errno set (EADDRINUSE: somebody listens there).
 */
int gm_listen(const char *path, struct sockaddr_un *address);

#endif
