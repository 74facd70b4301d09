/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A vfio-user client for tests, and a server with a device of plain memory.
 *
 * The server runs in a thread on one end of a socket pair. The client sends raw
 * bytes, so that it can also send wrong ones; each wait has a bound.
 */
#ifndef SELFTESTS_MODEL_VFU_CLIENT_H
#define SELFTESTS_MODEL_VFU_CLIENT_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include <linux/array_size.h>

#include "dma.h"
#include "stats.h"
#include "vfu_message.h"
#include "vfu_server.h"

#define MIB 0x100000ULL
#define WAIT_MS 10000
#define MAX_FDS 12

/* Flags of DEVICE_SET_IRQS, short. */
#define NONE VFU_IRQ_DATA_NONE
#define BOOL VFU_IRQ_DATA_BOOL
#define EVENT VFU_IRQ_DATA_EVENTFD
#define MASK VFU_IRQ_ACTION_MASK
#define UNMASK VFU_IRQ_ACTION_UNMASK
#define TRIGGER VFU_IRQ_ACTION_TRIGGER

/**
 * struct fixture - A server with a device of plain memory, and a client
 * @stats: the device's statistics
 * @device: a BAR of 16 MiB whose upper half can be mapped, a BAR of 4 KiB that
 *	can be mapped as a whole, and a configuration space
 * @ggtt_fd: file behind the upper half
 * @small_fd: file behind the small BAR
 * @config: what stands in configuration space; an access at 0xf00 fails
 * @bar0: start of the BAR
 * @writes: how many writes the device saw
 * @resets: how many resets
 * @server: the server
 * @thread: runs it
 * @running: @thread has to be joined
 * @server_fd: its end
 * @fd: the client's end, -1 when closed
 * @result: what gm_vfu_server_run() returned
 * @id: of the last message
 */
struct fixture {
	struct gm_stats stats;
	struct gm_vfu_device device;
	int ggtt_fd;
	int small_fd;
	u8 config[4096];
	u8 bar0[4096];
	unsigned int writes;
	unsigned int resets;
	struct gm_vfu_server *server;
	pthread_t thread;
	bool running;
	int server_fd;
	int fd;
	int result;
	u16 id;
};

/**
 * struct answer - A reply
 * @header: its header
 * @payload: what follows; room for the largest
 * @len: bytes of that
 * @fd: file descriptor that came along, -1: none
 */
struct answer {
	struct vfu_header header;
	u8 *payload;
	size_t len;
	int fd;
};

static inline bool access_memory(struct fixture *f, u8 *memory, u64 size, u64 offset, void *buf,
				 size_t len, bool write)
{
	u64 at = offset % size;

	if (write)
		f->writes++;
	if (len > size - at)
		return true;
	if (write)
		memcpy(memory + at, buf, len);
	else
		memcpy(buf, memory + at, len);
	return true;
}

static inline bool access_bar0(void *opaque, u64 offset, void *buf, size_t len, bool write)
{
	struct fixture *f = opaque;

	assert_true(offset + len <= 16 * MIB);
	return access_memory(f, f->bar0, sizeof(f->bar0), offset, buf, len, write);
}

static inline bool access_config(void *opaque, u64 offset, void *buf, size_t len, bool write)
{
	struct fixture *f = opaque;

	assert_true(offset + len <= sizeof(f->config));
	if (offset == 0xf00)
		return false;
	return access_memory(f, f->config, sizeof(f->config), offset, buf, len, write);
}

static inline void reset(void *opaque)
{
	struct fixture *f = opaque;

	f->resets++;
}

static inline void *server_thread(void *arg)
{
	struct fixture *f = arg;

	f->result = gm_vfu_server_run(f->server, f->server_fd);
	/* So that a client that waits for an answer sees the end. */
	shutdown(f->server_fd, SHUT_RDWR);
	return NULL;
}

static inline void connect_client(struct fixture *f)
{
	int fds[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	f->server_fd = fds[0];
	f->fd = fds[1];
	assert_int_equal(pthread_create(&f->thread, NULL, server_thread, f), 0);
	f->running = true;
}

/* Ends the connection; returns what the server made of it. */
static inline int disconnect_client(struct fixture *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	if (f->running) {
		pthread_join(f->thread, NULL);
		close(f->server_fd);
	}
	f->running = false;
	return f->result;
}

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->ggtt_fd = memfd_create("ggtt", MFD_CLOEXEC);
	assert_int_equal(ftruncate(f->ggtt_fd, 8 * MIB), 0);
	f->small_fd = memfd_create("small", MFD_CLOEXEC);
	assert_int_equal(ftruncate(f->small_fd, 4096), 0);
	f->device.region[0] = (struct gm_vfu_region){
		.size = 16 * MIB,
		.mmap_offset = 8 * MIB,
		.mmap_size = 8 * MIB,
		.mmap_fd = f->ggtt_fd,
		.access = access_bar0,
	};
	f->device.region[2] = (struct gm_vfu_region){
		.size = 4096,
		.mmap_size = 4096,
		.mmap_fd = f->small_fd,
	};
	f->device.region[VFU_REGION_CONFIG] = (struct gm_vfu_region){
		.size = sizeof(f->config),
		.mmap_fd = -1,
		.access = access_config,
	};
	f->device.reset = reset;
	f->device.dma = gm_dma_create(&f->stats);
	f->device.stats = &f->stats;
	f->device.opaque = f;
	f->server = gm_vfu_server_create(&f->device);
	assert_non_null(f->server);
	connect_client(f);
	*state = f;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	disconnect_client(f);
	gm_vfu_server_destroy(f->server);
	gm_dma_destroy(f->device.dma);
	close(f->ggtt_fd);
	close(f->small_fd);
	free(f);
	return 0;
}

/* Whether @fd is readable within @ms. */
static inline bool readable(int fd, int ms)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	return poll(&pfd, 1, ms) == 1;
}

static inline void send_raw(struct fixture *f, const void *data, size_t len, const int *fds,
			    int nfds)
{
	char control[CMSG_SPACE(sizeof(int) * MAX_FDS)] __attribute__((aligned(8))) = { 0 };
	struct iovec iov = { .iov_base = (void *)data, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;

	if (nfds) {
		msg.msg_control = control;
		msg.msg_controllen = CMSG_SPACE(sizeof(int) * nfds);
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(int) * nfds);
		memcpy(CMSG_DATA(cmsg), fds, sizeof(int) * nfds);
	}
	assert_int_equal(sendmsg(f->fd, &msg, MSG_NOSIGNAL), len);
}

/* A whole message; @flags on top of "command". */
static inline void send_message(struct fixture *f, u16 command, u32 flags, const void *payload,
				size_t len, const int *fds, int nfds)
{
	size_t size = sizeof(struct vfu_header) + len;
	struct vfu_header *header = malloc(size);

	*header = (struct vfu_header){
		.id = ++f->id,
		.command = command,
		.size = size,
		.flags = flags,
	};
	if (len)
		memcpy(header + 1, payload, len);
	send_raw(f, header, size, fds, nfds);
	free(header);
}

static inline void receive_bytes(struct fixture *f, void *buf, size_t len, int *fd)
{
	char control[CMSG_SPACE(sizeof(int) * MAX_FDS)] __attribute__((aligned(8)));
	struct iovec iov = { .iov_base = buf, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;
	ssize_t got;

	while (iov.iov_len) {
		msg.msg_control = control;
		msg.msg_controllen = sizeof(control);
		assert_true(readable(f->fd, WAIT_MS));
		got = recvmsg(f->fd, &msg, 0);
		assert_true(got > 0);
		cmsg = CMSG_FIRSTHDR(&msg);
		if (cmsg) {
			assert_int_equal(*fd, -1);
			assert_int_equal(cmsg->cmsg_len, CMSG_LEN(sizeof(int)));
			memcpy(fd, CMSG_DATA(cmsg), sizeof(int));
		}
		iov.iov_base = (u8 *)iov.iov_base + got;
		iov.iov_len -= got;
	}
}

/* The next reply. Its payload lives until the next call. */
static inline struct answer receive(struct fixture *f)
{
	static u8 payload[GM_VFU_MAX_PAYLOAD];
	struct answer answer = { .payload = payload, .fd = -1 };

	receive_bytes(f, &answer.header, sizeof(answer.header), &answer.fd);
	assert_true(answer.header.size >= sizeof(answer.header));
	answer.len = answer.header.size - sizeof(answer.header);
	assert_true(answer.len <= sizeof(payload));
	receive_bytes(f, payload, answer.len, &answer.fd);
	return answer;
}

/* Sends a message and checks that its reply is well-formed, and good or @error. */
static inline struct answer ask_with(struct fixture *f, u16 command, const void *payload,
				     size_t len, const int *fds, int nfds, u32 error)
{
	struct answer answer;

	send_message(f, command, 0, payload, len, fds, nfds);
	answer = receive(f);
	assert_int_equal(answer.header.id, f->id);
	assert_int_equal(answer.header.command, command);
	assert_int_equal(answer.header.error, error);
	if (error) {
		assert_int_equal(answer.header.flags, VFU_FLAG_TYPE_REPLY | VFU_FLAG_ERROR);
		assert_int_equal(answer.len, 0);
		assert_int_equal(answer.fd, -1);
	} else {
		assert_int_equal(answer.header.flags, VFU_FLAG_TYPE_REPLY);
	}
	return answer;
}

static inline struct answer ask(struct fixture *f, u16 command, const void *payload, size_t len,
				u32 error)
{
	return ask_with(f, command, payload, len, NULL, 0, error);
}

static const char qemu_version[] __attribute__((unused)) =
	"\0\0\0\0{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":1048576,"
	"\"pgsizes\":4096,\"max_dma_maps\":65535,\"write_multiple\":true}}";

static inline void negotiate(struct fixture *f)
{
	ask(f, VFU_VERSION, qemu_version, sizeof(qemu_version), 0);
}

static inline struct answer region_info(struct fixture *f, u32 index, u32 argsz, u32 error)
{
	const struct vfu_region_info info = { .argsz = argsz, .index = index };

	return ask(f, VFU_DEVICE_GET_REGION_INFO, &info, sizeof(info), error);
}

static inline void set_irqs_with(struct fixture *f, u32 index, u32 flags, u32 start, u32 count,
				 const int *fds, int nfds, u32 error)
{
	const struct vfu_irq_set set = {
		.argsz = sizeof(set),
		.flags = flags,
		.index = index,
		.start = start,
		.count = count,
	};

	ask_with(f, VFU_DEVICE_SET_IRQS, &set, sizeof(set), fds, nfds, error);
}

static inline void set_irqs(struct fixture *f, u32 index, u32 flags, u32 count, int fd)
{
	set_irqs_with(f, index, flags, 0, count, &fd, fd >= 0, 0);
}

static inline void set_irqs_bool(struct fixture *f, u32 index, u32 action, u8 value)
{
	u8 payload[sizeof(struct vfu_irq_set) + 1];
	const struct vfu_irq_set set = {
		.argsz = sizeof(payload), .flags = BOOL | action, .index = index, .count = 1,
	};

	memcpy(payload, &set, sizeof(set));
	payload[sizeof(set)] = value;
	ask(f, VFU_DEVICE_SET_IRQS, payload, sizeof(payload), 0);
}

static inline void dma_map(struct fixture *f, u64 iova, u64 size, u32 flags, int fd, u32 error)
{
	const struct vfu_dma_map map = {
		.argsz = sizeof(map), .flags = flags, .iova = iova, .size = size,
	};

	ask_with(f, VFU_DMA_MAP, &map, sizeof(map), &fd, fd >= 0, error);
}

static inline void dma_unmap(struct fixture *f, u32 flags, u64 iova, u64 size, u32 error)
{
	const struct vfu_dma_unmap unmap = {
		.argsz = sizeof(unmap), .flags = flags, .iova = iova, .size = size,
	};
	struct answer answer;

	answer = ask(f, VFU_DMA_UNMAP, &unmap, sizeof(unmap), error);
	if (!error) {
		assert_int_equal(answer.len, sizeof(unmap));
		assert_memory_equal(answer.payload, &unmap, sizeof(unmap));
	}
}

static inline void region_read(struct fixture *f, u32 region, u64 offset, void *buf, u32 count,
			       u32 error)
{
	const struct vfu_region_access access = {
		.offset = offset, .region = region, .count = count,
	};
	struct answer answer;

	answer = ask(f, VFU_REGION_READ, &access, sizeof(access), error);
	if (error)
		return;
	assert_int_equal(answer.len, sizeof(access) + count);
	assert_memory_equal(answer.payload, &access, sizeof(access));
	memcpy(buf, answer.payload + sizeof(access), count);
}

static inline void region_write(struct fixture *f, u32 region, u64 offset, const void *buf,
				u32 count, u32 error)
{
	const struct vfu_region_access access = {
		.offset = offset, .region = region, .count = count,
	};
	u8 *payload = malloc(sizeof(access) + count);
	struct answer answer;

	memcpy(payload, &access, sizeof(access));
	memcpy(payload + sizeof(access), buf, count);
	answer = ask(f, VFU_REGION_WRITE, payload, sizeof(access) + count, error);
	free(payload);
	if (!error) {
		assert_int_equal(answer.len, sizeof(access));
		assert_memory_equal(answer.payload, &access, sizeof(access));
	}
}

/* How often an eventfd was signalled since the last look. */
static inline u64 events(int fd)
{
	u64 count = 0;

	if (read(fd, &count, sizeof(count)) < 0)
		assert_int_equal(errno, EAGAIN);
	return count;
}

static inline int new_eventfd(void)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	assert_true(fd >= 0);
	return fd;
}

static inline int open_fds(void)
{
	int fd, count = 0;

	for (fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

#define VFU_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
