// SPDX-License-Identifier: GPL-2.0-only
/*
 * vfio-user messages over a UNIX stream socket, see vfu_channel.h.
 *
 * A message is received in two pieces, header and payload, and never a byte
 * more than that: file descriptors stick to the bytes that they were sent with,
 * so those that arrive belong to the message that is being read.
 *
 * The socket is tried before it is waited for: a VMM sends its next access
 * soon, and a needless poll() for each would be noticed.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "vfu_channel.h"

/* For the rest of a message, or to take a reply; a VMM that is well needs far less. */
#define PEER_TIMEOUT_MS 30000

/* What recvmsg() can put file descriptors into. */
union fd_control {
	struct cmsghdr align;
	char buf[CMSG_SPACE(sizeof(int) * GM_VFU_MAX_FDS)];
};

void gm_vfu_request_close_fds(struct gm_vfu_request *request)
{
	unsigned int i;

	for (i = 0; i < request->nfds; i++)
		if (request->fds[i] >= 0)
			close(request->fds[i]);
	request->nfds = 0;
}

static void take_fd(struct gm_vfu_request *request, int fd)
{
	if (request->nfds < GM_VFU_MAX_FDS) {
		request->fds[request->nfds++] = fd;
		return;
	}
	request->fds_lost = true;
	close(fd);
}

static void take_control(struct gm_vfu_request *request, struct msghdr *msg)
{
	struct cmsghdr *cmsg;
	size_t i, count;
	int fd;

	if (msg->msg_flags & MSG_CTRUNC)
		request->fds_lost = true;
	for (cmsg = CMSG_FIRSTHDR(msg); cmsg; cmsg = CMSG_NXTHDR(msg, cmsg)) {
		if (cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS)
			continue;
		count = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(fd);
		for (i = 0; i < count; i++) {
			memcpy(&fd, CMSG_DATA(cmsg) + i * sizeof(fd), sizeof(fd));
			take_fd(request, fd);
		}
	}
}

/* Some of the bytes that are wanted: how many, 0 at the end, or -errno. */
static ssize_t receive_some(struct gm_vfu_channel *channel, struct gm_vfu_request *request,
			    void *buf, size_t len)
{
	union fd_control control;
	struct iovec iov = { .iov_base = buf, .iov_len = len };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t ret;

	ret = recvmsg(channel->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (ret < 0)
		return -errno;
	take_control(request, &msg);
	return ret;
}

/* Waits until the socket is ready: 0, -ECANCELED or -ETIMEDOUT. */
static int wait_socket(struct gm_vfu_channel *channel, short events, int timeout_ms)
{
	struct pollfd fds[] = {
		{ .fd = channel->fd, .events = events },
		{ .fd = channel->stop_fd, .events = POLLIN },
		{ .fd = timeout_ms < 0 ? channel->idle_fd : -1, .events = POLLIN },
	};
	int ret;

	ret = poll(fds, 3, timeout_ms);
	if (ret < 0)
		return errno == EINTR ? 0 : -errno;
	if (!ret)
		return -ETIMEDOUT;
	if (fds[1].revents)
		return -ECANCELED;
	if (fds[2].revents)
		channel->idle(channel);
	return 0;
}

/* All of @len bytes: 1, 0 when the stream ended before the first, or -errno. */
static int receive_all(struct gm_vfu_channel *channel, struct gm_vfu_request *request,
		       void *buf, size_t len, bool begun)
{
	size_t done = 0;
	ssize_t ret;

	while (done < len) {
		ret = receive_some(channel, request, (u8 *)buf + done, len - done);
		if (ret == -EAGAIN || ret == -EINTR)
			ret = wait_socket(channel, POLLIN, begun ? PEER_TIMEOUT_MS : -1);
		else if (!ret || ret == -ECONNRESET)
			return begun ? -EPROTO : 0;
		if (ret < 0)
			return ret;
		done += ret;
		begun = begun || done;
	}
	return 1;
}

int gm_vfu_channel_receive(struct gm_vfu_channel *channel, struct gm_vfu_request *request)
{
	int ret;

	request->nfds = 0;
	request->fds_lost = false;
	request->payload = channel->buffer;
	ret = receive_all(channel, request, &request->header, sizeof(request->header), false);
	if (ret <= 0)
		return ret;
	ret = gm_vfu_header_payload(&request->header);
	if (ret < 0)
		return ret;
	request->len = ret;
	return receive_all(channel, request, channel->buffer, request->len, true);
}

static void put_fd(struct msghdr *msg, union fd_control *control, int fd)
{
	struct cmsghdr *cmsg;

	msg->msg_control = control;
	msg->msg_controllen = CMSG_SPACE(sizeof(fd));
	cmsg = CMSG_FIRSTHDR(msg);
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
}

/* Steps over @done bytes that have been sent. */
static void advance(struct iovec *iov, size_t done)
{
	size_t step;
	int i;

	for (i = 0; i < 2; i++) {
		step = done < iov[i].iov_len ? done : iov[i].iov_len;
		iov[i].iov_base = (u8 *)iov[i].iov_base + step;
		iov[i].iov_len -= step;
		done -= step;
	}
}

int gm_vfu_channel_send(struct gm_vfu_channel *channel, const struct gm_vfu_reply *reply)
{
	struct vfu_header header = reply->header;
	struct iovec iov[2] = {
		{ .iov_base = &header, .iov_len = sizeof(header) },
		{ .iov_base = reply->payload, .iov_len = reply->len },
	};
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };
	union fd_control control = {};
	ssize_t ret;

	if (reply->fd >= 0)
		put_fd(&msg, &control, reply->fd);
	while (iov[0].iov_len + iov[1].iov_len) {
		ret = sendmsg(channel->fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
		if (ret >= 0) {
			advance(iov, ret);
			/* File descriptors go with the first byte. */
			msg.msg_control = NULL;
			msg.msg_controllen = 0;
			continue;
		}
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		ret = wait_socket(channel, POLLOUT, PEER_TIMEOUT_MS);
		if (ret < 0)
			return ret;
	}
	return 0;
}
