/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vfio-user messages over a UNIX stream socket: framing and file descriptors.
 */
#ifndef GM_VFU_CHANNEL_H
#define GM_VFU_CHANNEL_H

#include "vfu_message.h"

/**
 * struct gm_vfu_channel - One connection
 * @fd: the socket; the caller's
 * @stop_fd: readable when waiting shall end
 * @idle_fd: an eventfd to wait for as well between messages, -1: none
 * @idle: called when @idle_fd is readable; may change it
 * @opaque: passed to @idle
 * @buffer: GM_VFU_MAX_PAYLOAD bytes, for the payload that is being received
 */
struct gm_vfu_channel {
	int fd;
	int stop_fd;
	int idle_fd;
	void (*idle)(struct gm_vfu_channel *channel);
	void *opaque;
	u8 *buffer;
};

/**
 * gm_vfu_channel_receive() - Wait for a message
 * @channel: the connection
 * @request: the message; its payload stands in the channel's buffer; whatever
 *	is returned, gm_vfu_request_close_fds() has to be called for it
 *
 * Once a message has begun, the client has some seconds to send the rest.
 *
 * Return: 1, 0 when the client closed between two messages, -ECANCELED when
 * stopped, -EPROTO when framing is lost, -ETIMEDOUT, or what recvmsg() said.
 */
int gm_vfu_channel_receive(struct gm_vfu_channel *channel, struct gm_vfu_request *request);

/**
 * gm_vfu_channel_send() - Send a reply
 * @channel: the connection
 * @reply: the reply
 *
 * Return: 0, -ECANCELED when stopped, -ETIMEDOUT when the client does not read,
 * or what sendmsg() said.
 */
int gm_vfu_channel_send(struct gm_vfu_channel *channel, const struct gm_vfu_reply *reply);

/* Close the file descriptors that nobody took over. */
void gm_vfu_request_close_fds(struct gm_vfu_request *request);

#endif
