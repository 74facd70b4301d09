// SPDX-License-Identifier: GPL-2.0-only
/*
 * vfio-user server, see vfu_server.h.
 *
 * One thread serves one client: messages are handled in the order in which they
 * come, each to its end, so replies leave in that order as well. A command is a
 * row in a table; a handler gets a request that is cut to size but otherwise
 * unchecked, and returns 0 or -errno, which makes the answer an error.
 *
 * What QEMU does, and in which order, stands in vfu_server_test.c.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <linux/array_size.h>

#include "dma.h"
#include "vfu_channel.h"
#include "vfu_irq.h"
#include "vfu_server.h"

/**
 * struct gm_vfu_server - The server
 * @device: what is served
 * @irq: the client's eventfds
 * @stop: set by gm_vfu_server_stop()
 * @stop_fd: eventfd that wakes gm_vfu_server_run() for @stop
 * @negotiated: the client has said VERSION; only the transport thread reads
 *	this and what follows
 * @client: what it said there
 * @in: payload of the request
 * @out: payload of the reply
 */
struct gm_vfu_server {
	const struct gm_vfu_device *device;
	struct gm_vfu_irq *irq;
	atomic_bool stop;
	int stop_fd;
	bool negotiated;
	struct gm_vfu_version client;
	u8 in[GM_VFU_MAX_PAYLOAD];
	u8 out[GM_VFU_MAX_PAYLOAD];
};

static int handle_version(struct gm_vfu_server *server, struct gm_vfu_request *request,
			  struct gm_vfu_reply *reply)
{
	int err;

	if (server->negotiated)
		return -EINVAL;
	err = gm_vfu_parse_version(request, &server->client);
	if (err)
		return err;
	server->negotiated = true;
	gm_vfu_reply_version(reply);
	return 0;
}

/* The file descriptor that came along, taken over; -1: none. */
static int take_fd(struct gm_vfu_request *request)
{
	int fd = request->nfds ? request->fds[0] : -1;

	request->fds[0] = -1;
	return fd;
}

static int handle_dma_map(struct gm_vfu_server *server, struct gm_vfu_request *request,
			  struct gm_vfu_reply *reply)
{
	struct vfu_dma_map map;
	unsigned int prot = 0;
	int err;

	(void)reply;
	err = gm_vfu_parse_dma_map(request, &map);
	if (err)
		return err;
	if (map.flags & VFU_DMA_MAP_READ)
		prot |= GM_DMA_READ;
	if (map.flags & VFU_DMA_MAP_WRITE)
		prot |= GM_DMA_WRITE;
	return gm_dma_map(server->device->dma, map.iova, map.size,
			  request->nfds ? request->fds[0] : -1, map.offset, prot);
}

static int handle_dma_unmap(struct gm_vfu_server *server, struct gm_vfu_request *request,
			    struct gm_vfu_reply *reply)
{
	struct vfu_dma_unmap unmap;
	int err;

	err = gm_vfu_parse_dma_unmap(request, &unmap);
	if (err)
		return err;
	if (unmap.flags & VFU_DMA_UNMAP_ALL)
		gm_dma_unmap_all(server->device->dma);
	else
		err = gm_dma_unmap(server->device->dma, unmap.iova, unmap.size);
	if (!err)
		gm_vfu_reply_put(reply, &unmap, sizeof(unmap));
	return err;
}

static int handle_device_info(struct gm_vfu_server *server, struct gm_vfu_request *request,
			      struct gm_vfu_reply *reply)
{
	struct vfu_device_info info;
	int err;

	(void)server;
	err = gm_vfu_parse_device_info(request, &info);
	if (err)
		return err;
	info = (struct vfu_device_info){
		.argsz = sizeof(info),
		.flags = VFU_DEVICE_FLAG_RESET | VFU_DEVICE_FLAG_PCI,
		.num_regions = VFU_REGION_COUNT,
		.num_irqs = VFU_IRQ_COUNT,
	};
	gm_vfu_reply_put(reply, &info, sizeof(info));
	return 0;
}

static int handle_region_info(struct gm_vfu_server *server, struct gm_vfu_request *request,
			      struct gm_vfu_reply *reply)
{
	struct vfu_region_info info;
	int err;

	err = gm_vfu_parse_region_info(request, &info);
	if (err)
		return err;
	gm_vfu_reply_region_info(reply, &server->device->region[info.index], &info,
				 server->client.max_msg_fds);
	return 0;
}

static int handle_irq_info(struct gm_vfu_server *server, struct gm_vfu_request *request,
			   struct gm_vfu_reply *reply)
{
	struct vfu_irq_info info;
	int err;

	(void)server;
	err = gm_vfu_parse_irq_info(request, &info);
	if (err)
		return err;
	gm_vfu_irq_info_fill(&info);
	gm_vfu_reply_put(reply, &info, sizeof(info));
	return 0;
}

static int handle_set_irqs(struct gm_vfu_server *server, struct gm_vfu_request *request,
			   struct gm_vfu_reply *reply)
{
	struct gm_vfu_irq_set set;
	int err, fd;

	(void)reply;
	err = gm_vfu_parse_irq_set(request, &set);
	if (err)
		return err;
	fd = take_fd(request);
	err = gm_vfu_irq_configure(server->irq, &set, fd);
	if (err && fd >= 0)
		close(fd);
	return err;
}

/* Access by message; @buf has room for, or holds, @access->count bytes. */
static int access_region(struct gm_vfu_server *server, const struct vfu_region_access *access,
			 void *buf, bool write)
{
	const struct gm_vfu_device *device = server->device;
	const struct gm_vfu_region *region;

	if (access->region >= VFU_REGION_COUNT)
		return -EINVAL;
	region = &device->region[access->region];
	if (access->offset > region->size || access->count > region->size - access->offset)
		return -EINVAL;
	if (!access->count)
		return 0;
	if (!region->access)
		return -EINVAL;
	return region->access(device->opaque, access->offset, buf, access->count, write) ? 0 : -EIO;
}

static int handle_region_read(struct gm_vfu_server *server, struct gm_vfu_request *request,
			      struct gm_vfu_reply *reply)
{
	struct vfu_region_access access;
	int err;

	err = gm_vfu_parse_region_access(request, &access);
	if (err)
		return err;
	if (access.count > server->client.max_xfer)
		return -EINVAL;
	gm_vfu_reply_put(reply, &access, sizeof(access));
	err = access_region(server, &access, reply->payload + reply->len, false);
	reply->len += access.count;
	return err;
}

static int handle_region_write(struct gm_vfu_server *server, struct gm_vfu_request *request,
			       struct gm_vfu_reply *reply)
{
	struct vfu_region_access access;
	int err;

	err = gm_vfu_parse_region_access(request, &access);
	if (err)
		return err;
	err = access_region(server, &access, request->payload + sizeof(access), true);
	gm_vfu_reply_put(reply, &access, sizeof(access));
	return err;
}

static int handle_reset(struct gm_vfu_server *server, struct gm_vfu_request *request,
			struct gm_vfu_reply *reply)
{
	(void)reply;
	if (request->len || request->nfds)
		return -EINVAL;
	server->device->reset(server->device->opaque);
	return 0;
}

/*
 * Not here, and so answered with ENOTSUP: REGION_IO_FDS and FEATURE (optional),
 * WRITE_MULTI (this side never offers it), the migration data, and DMA_READ and
 * DMA_WRITE, which only go the other way.
 */
static int (*const handlers[])(struct gm_vfu_server *server, struct gm_vfu_request *request,
			       struct gm_vfu_reply *reply) = {
	[VFU_VERSION] = handle_version,
	[VFU_DMA_MAP] = handle_dma_map,
	[VFU_DMA_UNMAP] = handle_dma_unmap,
	[VFU_DEVICE_GET_INFO] = handle_device_info,
	[VFU_DEVICE_GET_REGION_INFO] = handle_region_info,
	[VFU_DEVICE_GET_IRQ_INFO] = handle_irq_info,
	[VFU_DEVICE_SET_IRQS] = handle_set_irqs,
	[VFU_REGION_READ] = handle_region_read,
	[VFU_REGION_WRITE] = handle_region_write,
	[VFU_DEVICE_RESET] = handle_reset,
};

static int dispatch(struct gm_vfu_server *server, struct gm_vfu_request *request,
		    struct gm_vfu_reply *reply)
{
	u16 command = request->header.command;

	if ((request->header.flags & VFU_FLAG_TYPE_MASK) != VFU_FLAG_TYPE_COMMAND)
		return -EINVAL;
	if (command >= ARRAY_SIZE(handlers) || !handlers[command])
		return -ENOTSUP;
	if (!server->negotiated && command != VFU_VERSION)
		return -EINVAL;
	if (request->fds_lost)
		return -EINVAL;
	return handlers[command](server, request, reply);
}

int gm_vfu_server_handle(struct gm_vfu_server *server, struct gm_vfu_request *request,
			 struct gm_vfu_reply *reply)
{
	int err;

	gm_vfu_reply_init(reply, request);
	err = dispatch(server, request, reply);
	gm_vfu_reply_finish(reply, err);
	/* No common version: vfio-user.rst has the server close the connection. */
	return request->header.command == VFU_VERSION && err == -ENOTSUP ? -EPROTO : 0;
}

/* A reply answers nothing that was sent, and must not be answered itself. */
static bool wants_reply(const struct gm_vfu_request *request)
{
	u32 flags = request->header.flags;

	return (flags & VFU_FLAG_TYPE_MASK) != VFU_FLAG_TYPE_REPLY && !(flags & VFU_FLAG_NO_REPLY);
}

/* One message: 1, 0 when the client left, or -errno. */
static int serve_one(struct gm_vfu_server *server, struct gm_vfu_channel *channel)
{
	struct gm_vfu_reply reply = { .payload = server->out };
	struct gm_vfu_request request;
	int handled, ret;

	channel->idle_fd = gm_vfu_irq_unmask_fd(server->irq);
	ret = gm_vfu_channel_receive(channel, &request);
	if (ret == 1) {
		handled = gm_vfu_server_handle(server, &request, &reply);
		if (wants_reply(&request))
			ret = gm_vfu_channel_send(channel, &reply) ?: 1;
		if (ret == 1 && handled)
			ret = handled;
	}
	gm_vfu_request_close_fds(&request);
	return ret;
}

static void unmask_event(struct gm_vfu_channel *channel)
{
	struct gm_vfu_server *server = channel->opaque;

	gm_vfu_irq_unmask_event(server->irq);
	channel->idle_fd = gm_vfu_irq_unmask_fd(server->irq);
}

int gm_vfu_server_run(struct gm_vfu_server *server, int fd)
{
	struct gm_vfu_channel channel = {
		.fd = fd,
		.stop_fd = server->stop_fd,
		.idle_fd = -1,
		.idle = unmask_event,
		.opaque = server,
		.buffer = server->in,
	};
	int ret = 1;

	while (ret == 1 && !atomic_load(&server->stop))
		ret = serve_one(server, &channel);
	gm_vfu_server_disconnect(server);
	/* Whoever left without waiting for an answer has left all the same. */
	return ret == 1 || ret == -ECANCELED || ret == -EPIPE ? 0 : ret;
}

void gm_vfu_server_disconnect(struct gm_vfu_server *server)
{
	gm_vfu_irq_release(server->irq);
	gm_dma_unmap_all(server->device->dma);
	server->negotiated = false;
}

void gm_vfu_server_stop(struct gm_vfu_server *server)
{
	const u64 one = 1;
	ssize_t ret;

	atomic_store(&server->stop, true);
	/* Can only fail when the counter is full, and then run() wakes as well. */
	ret = write(server->stop_fd, &one, sizeof(one));
	(void)ret;
}

void gm_vfu_server_interrupt(struct gm_vfu_server *server, bool level)
{
	gm_vfu_irq_raise(server->irq, level);
}

struct gm_vfu_server *gm_vfu_server_create(const struct gm_vfu_device *device)
{
	struct gm_vfu_server *server = calloc(1, sizeof(*server));

	if (!server)
		return NULL;
	server->device = device;
	server->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	server->irq = gm_vfu_irq_create();
	if (server->stop_fd < 0 || !server->irq) {
		gm_vfu_server_destroy(server);
		return NULL;
	}
	return server;
}

void gm_vfu_server_destroy(struct gm_vfu_server *server)
{
	if (!server)
		return;
	gm_vfu_irq_destroy(server->irq);
	if (server->stop_fd >= 0)
		close(server->stop_fd);
	free(server);
}
