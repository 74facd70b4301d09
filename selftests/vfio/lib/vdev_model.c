// SPDX-License-Identifier: GPL-2.0-only
/*
 * The silicon model without a VM: this program is the client of its vfio-user socket.
 *
 * One command at a time, each with its reply. Sources: QEMU,
 * docs/interop/vfio-user.rst (messages); Linux, include/uapi/linux/vfio.h.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "../ktap.h"
#include "vdev.h"

#define TIMEOUT_S	20
#define TYPE_REPLY	0x1u
#define FLAG_ERROR	0x20u
#define DMA_READ_WRITE	0x3u
/* The longest is the JSON text of the first message. */
#define MAX_PAYLOAD	512

enum command {
	CMD_VERSION = 1,
	CMD_DMA_MAP = 2,
	CMD_DMA_UNMAP = 3,
	CMD_SET_IRQS = 8,
	CMD_REGION_READ = 9,
	CMD_REGION_WRITE = 10,
	CMD_DEVICE_RESET = 13,
};

struct message {
	u16 id;
	u16 command;
	u32 size;
	u32 flags;
	u32 error;
	u8 payload[MAX_PAYLOAD];
};

#define HEADER_BYTES	offsetof(struct message, payload)

struct access {
	u64 offset;
	u32 region;
	u32 count;
};

static const char capabilities[] =
	"{\"capabilities\":{\"max_msg_fds\":1,\"max_data_xfer_size\":4096}}";

static int send_message(struct vdev *dev, struct message *message, int fd)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { };
	struct iovec iov = { .iov_base = message, .iov_len = message->size };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *cmsg = &control.align;

		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(cmsg), &fd, sizeof(fd));
		msg.msg_control = control.buf;
		msg.msg_controllen = sizeof(control.buf);
	}
	return sendmsg(dev->fd, &msg, MSG_NOSIGNAL) == (ssize_t)message->size ? 0 : -EPIPE;
}

static bool receive(struct vdev *dev, void *data, size_t bytes)
{
	/* Asking for no byte would wait for one. */
	return !bytes || recv(dev->fd, data, bytes, MSG_WAITALL) == (ssize_t)bytes;
}

/* Sends a command with a payload that is in @message; the reply replaces it. */
static int call(struct vdev *dev, struct message *message, enum command command, size_t bytes,
		int fd)
{
	message->id = 1;
	message->command = command;
	message->size = HEADER_BYTES + bytes;
	message->flags = 0;
	message->error = 0;
	if (send_message(dev, message, fd) || !receive(dev, message, HEADER_BYTES))
		test_fail("%s: the silicon model does not answer", dev->name);
	if (message->size < HEADER_BYTES || message->size > sizeof(*message) ||
	    !(message->flags & TYPE_REPLY) || message->command != command)
		test_fail("%s: unexpected message of the silicon model", dev->name);
	if (!receive(dev, message->payload, message->size - HEADER_BYTES))
		test_fail("%s: the silicon model's answer is cut off", dev->name);
	return message->flags & FLAG_ERROR ? -(int)message->error : 0;
}

static int simple_call(struct vdev *dev, enum command command, const void *payload, size_t bytes,
		       int fd)
{
	struct message message;

	memcpy(message.payload, payload, bytes);
	return call(dev, &message, command, bytes, fd);
}

/* Version 0.0, which every server takes, then the text. */
static void negotiate(struct vdev *dev)
{
	u8 hello[4 + sizeof(capabilities)] = { };

	memcpy(hello + 4, capabilities, sizeof(capabilities));
	EXPECT_EQ(simple_call(dev, CMD_VERSION, hello, sizeof(hello), -1), 0);
}

static void model_open(struct vdev *dev, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval timeout = { .tv_sec = TIMEOUT_S };

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
	dev->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	EXPECT(dev->fd >= 0);
	EXPECT_EQ(setsockopt(dev->fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)), 0);
	if (connect(dev->fd, (struct sockaddr *)&address, sizeof(address)))
		test_fail("%s: %s; does the silicon model run, with --keep?", name,
			  strerror(errno));
	negotiate(dev);
	vdev_reset(dev);
}

static int model_read(struct vdev *dev, u32 region, u64 offset, void *data, size_t bytes)
{
	struct access access = { .offset = offset, .region = region, .count = bytes };
	struct message message;
	int err;

	memcpy(message.payload, &access, sizeof(access));
	err = call(dev, &message, CMD_REGION_READ, sizeof(access), -1);
	if (!err)
		memcpy(data, message.payload + sizeof(access), bytes);
	return err;
}

static int model_write(struct vdev *dev, u32 region, u64 offset, const void *data, size_t bytes)
{
	struct access access = { .offset = offset, .region = region, .count = bytes };
	struct message message;

	memcpy(message.payload, &access, sizeof(access));
	memcpy(message.payload + sizeof(access), data, bytes);
	return call(dev, &message, CMD_REGION_WRITE, sizeof(access) + bytes, -1);
}

static int model_map(struct vdev *dev, u64 gpa, u64 size, void *cpu, int fd, u64 fd_offset)
{
	struct {
		u32 argsz, flags;
		u64 offset, iova, size;
	} map = {
		.argsz = sizeof(map), .flags = DMA_READ_WRITE,
		.offset = fd_offset, .iova = gpa, .size = size,
	};

	(void)cpu;
	return simple_call(dev, CMD_DMA_MAP, &map, sizeof(map), fd);
}

static int model_unmap(struct vdev *dev, u64 gpa, u64 size)
{
	struct {
		u32 argsz, flags;
		u64 iova, size;
	} unmap = { .argsz = sizeof(unmap), .iova = gpa, .size = size };

	return simple_call(dev, CMD_DMA_UNMAP, &unmap, sizeof(unmap), -1);
}

static int model_irq(struct vdev *dev, int eventfd)
{
	u32 data = eventfd < 0 ? VFIO_IRQ_SET_DATA_NONE : VFIO_IRQ_SET_DATA_EVENTFD;
	struct vfio_irq_set set = {
		.argsz = sizeof(set),
		.flags = data | VFIO_IRQ_SET_ACTION_TRIGGER,
		.index = VFIO_PCI_MSI_IRQ_INDEX,
		.count = eventfd >= 0,
	};

	return simple_call(dev, CMD_SET_IRQS, &set, sizeof(set), eventfd);
}

static int model_reset(struct vdev *dev)
{
	return simple_call(dev, CMD_DEVICE_RESET, "", 0, -1);
}

static void model_close(struct vdev *dev)
{
	close(dev->fd);
}

const struct vdev_ops vdev_model_ops = {
	.open = model_open,
	.read = model_read,
	.write = model_write,
	.map = model_map,
	.unmap = model_unmap,
	.irq = model_irq,
	.reset = model_reset,
	.close = model_close,
};
