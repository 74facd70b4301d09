// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control socket: clients, lines and the thread that serves them.
 *
 * Answers are small, and a client that does not read them is dropped rather
 * than waited for.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <json-c/json.h>
#include "ctl.h"
#include "listen.h"

/**
 * struct client - One connection
 * @fd: its socket, -1: free
 * @used: bytes in @line
 * @line: what came of the current request
 */
struct client {
	int fd;
	size_t used;
	char line[GM_CTL_MAX_LINE];
};

struct gm_ctl {
	struct gm_device *device;
	int listen_fd;
	int stop_fd;
	pthread_t thread;
	struct client client[GM_CTL_MAX_CLIENTS];
	struct sockaddr_un address;
};

static void drop_client(struct client *client)
{
	close(client->fd);
	client->fd = -1;
}

static bool send_answer(struct client *client, struct json_object *answer)
{
	const char *text = json_object_to_json_string_ext(answer, JSON_C_TO_STRING_PLAIN);
	size_t len = strlen(text);

	return send(client->fd, text, len, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)len &&
	       send(client->fd, "\n", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
}

/* Carry out the first complete line; false when there is none or the client is gone. */
static bool execute_line(struct gm_ctl *ctl, struct client *client)
{
	char *end = memchr(client->line, '\n', client->used);
	struct json_object *answer;
	bool sent;

	if (!end)
		return false;
	*end = '\0';
	answer = gm_ctl_execute(ctl->device, client->line);
	sent = send_answer(client, answer);
	json_object_put(answer);
	if (!sent) {
		drop_client(client);
		return false;
	}
	client->used -= end + 1 - client->line;
	memmove(client->line, end + 1, client->used);
	return true;
}

static void serve_client(struct gm_ctl *ctl, struct client *client)
{
	ssize_t got = recv(client->fd, client->line + client->used,
			   sizeof(client->line) - client->used, MSG_DONTWAIT);

	if (got <= 0) {
		if (got < 0 && errno == EAGAIN)
			return;
		drop_client(client);
		return;
	}
	client->used += got;
	while (execute_line(ctl, client))
		;
	/* A full buffer without a newline is no request. */
	if (client->fd >= 0 && client->used == sizeof(client->line))
		drop_client(client);
}

static void accept_client(struct gm_ctl *ctl)
{
	int fd = accept4(ctl->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	int i;

	if (fd < 0)
		return;
	for (i = 0; i < GM_CTL_MAX_CLIENTS; i++) {
		if (ctl->client[i].fd >= 0)
			continue;
		ctl->client[i].fd = fd;
		ctl->client[i].used = 0;
		return;
	}
	close(fd);
}

static void *serve(void *opaque)
{
	struct gm_ctl *ctl = opaque;
	struct pollfd fds[GM_CTL_MAX_CLIENTS + 2];
	int i;

	for (;;) {
		fds[0] = (struct pollfd) { .fd = ctl->stop_fd, .events = POLLIN };
		fds[1] = (struct pollfd) { .fd = ctl->listen_fd, .events = POLLIN };
		for (i = 0; i < GM_CTL_MAX_CLIENTS; i++)
			fds[i + 2] = (struct pollfd) { .fd = ctl->client[i].fd, .events = POLLIN };

		if (poll(fds, GM_CTL_MAX_CLIENTS + 2, -1) < 0 && errno != EINTR)
			return NULL;
		if (fds[0].revents)
			return NULL;
		for (i = 0; i < GM_CTL_MAX_CLIENTS; i++)
			if (ctl->client[i].fd >= 0 && fds[i + 2].revents)
				serve_client(ctl, &ctl->client[i]);
		if (fds[1].revents)
			accept_client(ctl);
	}
}

struct gm_ctl *gm_ctl_create(const char *path, struct gm_device *device)
{
	struct gm_ctl *ctl = calloc(1, sizeof(*ctl));
	int i;

	if (!ctl)
		return NULL;
	ctl->device = device;
	for (i = 0; i < GM_CTL_MAX_CLIENTS; i++)
		ctl->client[i].fd = -1;

	ctl->listen_fd = gm_listen(path, &ctl->address);
	if (ctl->listen_fd < 0)
		goto free_ctl;
	ctl->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (ctl->stop_fd < 0)
		goto close_listen;
	if (pthread_create(&ctl->thread, NULL, serve, ctl))
		goto close_stop;
	return ctl;

close_stop:
	close(ctl->stop_fd);
close_listen:
	close(ctl->listen_fd);
	unlink(ctl->address.sun_path);
free_ctl:
	free(ctl);
	return NULL;
}

void gm_ctl_destroy(struct gm_ctl *ctl)
{
	int i;

	eventfd_write(ctl->stop_fd, 1);
	pthread_join(ctl->thread, NULL);
	for (i = 0; i < GM_CTL_MAX_CLIENTS; i++)
		if (ctl->client[i].fd >= 0)
			close(ctl->client[i].fd);
	close(ctl->stop_fd);
	close(ctl->listen_fd);
	unlink(ctl->address.sun_path);
	free(ctl);
}
