/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vfio-user server: one client (a VMM) over a UNIX stream socket.
 *
 * Speaks the protocol; knows no GPU. What a message asks for is done by the
 * device's hooks. Source of the protocol: QEMU's docs/interop/vfio-user.rst.
 */
#ifndef GM_VFU_SERVER_H
#define GM_VFU_SERVER_H

#include <linux/types.h>

struct gm_dma;
struct gm_stats;

#define GM_VFU_MAX_REGIONS 9

/**
 * struct gm_vfu_region - A VFIO PCI region
 * @size: bytes; 0: not there
 * @mmap_offset: where in the region the part starts that the VMM may map
 * @mmap_size: bytes of that part, 0: none
 * @mmap_fd: file behind that part (at offset 0), -1: none; stays the device's
 * @access: a read or write by message that lies wholly inside the region;
 *	false: answered with an error
 */
struct gm_vfu_region {
	u64 size;
	u64 mmap_offset;
	u64 mmap_size;
	int mmap_fd;
	bool (*access)(void *opaque, u64 offset, void *buf, size_t len, bool write);
};

/**
 * struct gm_vfu_device - The device behind the server
 * @region: by VFIO region index (BAR0 = 0 .. BAR5 = 5, ROM = 6, config = 7)
 * @reset: VFIO_USER_DEVICE_RESET
 * @dma: told of map and unmap
 * @stats: statistics
 * @opaque: passed to the hooks
 */
struct gm_vfu_device {
	struct gm_vfu_region region[GM_VFU_MAX_REGIONS];
	void (*reset)(void *opaque);
	struct gm_dma *dma;
	struct gm_stats *stats;
	void *opaque;
};

struct gm_vfu_server;
struct gm_vfu_request;
struct gm_vfu_reply;

/**
 * gm_vfu_server_create() - Make a server for a device
 * @device: kept, not copied
 *
 * Return: the server, NULL when memory is short.
 */
struct gm_vfu_server *gm_vfu_server_create(const struct gm_vfu_device *device);
void gm_vfu_server_destroy(struct gm_vfu_server *server);

/**
 * gm_vfu_server_run() - Serve one connected client until it leaves
 * @server: the server
 * @fd: connected socket; stays the caller's
 *
 * Return: 0 when the client left or gm_vfu_server_stop() was called, -EPROTO when
 * the client broke the protocol so that framing is lost or speaks another major
 * version, -ETIMEDOUT when it stopped in the middle of a message, or another
 * error. Eventfds and maps are given back on return.
 */
int gm_vfu_server_run(struct gm_vfu_server *server, int fd);

/**
 * gm_vfu_server_stop() - Make gm_vfu_server_run() return; any thread or a signal handler
 * @server: the server
 *
 * For good: a later gm_vfu_server_run() returns at once.
 */
void gm_vfu_server_stop(struct gm_vfu_server *server);

/**
 * gm_vfu_server_interrupt() - Send the device's interrupt; any thread
 * @server: the server
 * @level: for INTx: whether the line is asserted; MSI is sent on true only
 */
void gm_vfu_server_interrupt(struct gm_vfu_server *server, bool level);

/**
 * gm_vfu_server_handle() - Do what one message asks for
 * @server: the server
 * @request: the message, see vfu_message.h; what is left of its file
 *	descriptors stays the caller's
 * @reply: the answer; its payload points to GM_VFU_MAX_PAYLOAD bytes
 *
 * gm_vfu_server_run() without the socket, for the fuzzer; not while that runs.
 *
 * Return: 0, or -EPROTO when the connection is to be closed after the answer.
 */
int gm_vfu_server_handle(struct gm_vfu_server *server, struct gm_vfu_request *request,
			 struct gm_vfu_reply *reply);

/* Give back what a client left, as after gm_vfu_server_run(). */
void gm_vfu_server_disconnect(struct gm_vfu_server *server);

#endif
