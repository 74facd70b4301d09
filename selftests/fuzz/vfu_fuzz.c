// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzes the vfio-user server, in two ways by the input's first byte: messages
 * straight into the dispatcher, which is fast and starts past VERSION, and raw
 * bytes through a socket pair, which reaches framing and file descriptors.
 *
 * Beyond what the sanitizers see it is an error when a reply is malformed, when
 * the device is asked for what it does not have, or when a file descriptor is
 * left open.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/array_size.h>

#include "dma.h"
#include "stats.h"
#include "vfu_message.h"
#include "vfu_server.h"

#define RAM_BYTES 0x100000
#define MODE_STREAM BIT(0)
#define MODE_SKIP_VERSION BIT(1)
#define MODE_PATCH BIT(2)

/**
 * struct input - What is left of the fuzzer's bytes
 * @data: the bytes
 * @len: how many
 */
struct input {
	const u8 *data;
	size_t len;
};

static struct gm_stats stats;
static struct gm_vfu_device device;
static struct gm_vfu_server *server;
static u8 reply_payload[GM_VFU_MAX_PAYLOAD];

/* What a client may send along: RAM, an eventfd, and something useless. */
static int fd_kinds[3];

static void require(bool good)
{
	if (!good)
		abort();
}

static bool access_region(void *opaque, u64 offset, void *buf, size_t len, bool write)
{
	u8 *bytes = buf;
	u64 size = *(u64 *)opaque;

	require(len && len <= size && offset <= size - len);
	if (!write) {
		bytes[0] = offset;
		bytes[len - 1] = len;
	}
	return !(offset & bytes[0] & 1);
}

static void reset(void *opaque)
{
	(void)opaque;
}

static u64 region_size = 16 << 20;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int pipe_fds[2];

	(void)argc;
	(void)argv;
	fd_kinds[0] = memfd_create("ram", MFD_CLOEXEC);
	fd_kinds[1] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	require(!ftruncate(fd_kinds[0], RAM_BYTES) && !pipe(pipe_fds));
	close(pipe_fds[0]);
	fd_kinds[2] = pipe_fds[1];

	device.region[0] = (struct gm_vfu_region){
		.size = region_size,
		.mmap_offset = 8 << 20,
		.mmap_size = 8 << 20,
		.mmap_fd = fd_kinds[0],
		.access = access_region,
	};
	device.region[2] = (struct gm_vfu_region){
		.size = 4096, .mmap_size = 4096, .mmap_fd = fd_kinds[0],
	};
	device.region[VFU_REGION_CONFIG] = (struct gm_vfu_region){
		.size = 4096, .mmap_fd = -1, .access = access_region,
	};
	device.reset = reset;
	device.dma = gm_dma_create(&stats);
	device.stats = &stats;
	device.opaque = &region_size;
	server = gm_vfu_server_create(&device);
	require(device.dma && server);
	/* A guest's faults are part of the game here; say so once only. */
	stats.misuse[GM_MISUSE_DMA_FAULT] = 1000;
	return 0;
}

static u8 take_byte(struct input *input)
{
	if (!input->len)
		return 0;
	input->len--;
	return *input->data++;
}

/* Up to @len bytes: how many there are. */
static size_t take_bytes(struct input *input, size_t len, const u8 **data)
{
	if (len > input->len)
		len = input->len;
	*data = input->data;
	input->data += len;
	input->len -= len;
	return len;
}

static int kind_of_fd(u8 choice)
{
	return fd_kinds[choice % 3];
}

static void check_reply(const struct gm_vfu_request *request, const struct gm_vfu_reply *reply)
{
	const struct vfu_header *header = &reply->header;

	require(header->id == request->header.id && header->command == request->header.command);
	require(header->size == sizeof(*header) + reply->len && reply->len <= GM_VFU_MAX_PAYLOAD);
	require((header->flags & VFU_FLAG_TYPE_MASK) == VFU_FLAG_TYPE_REPLY);
	if (header->flags & VFU_FLAG_ERROR)
		require(header->error && !reply->len && reply->fd < 0);
	else
		require(!header->error);
}

/* What engines do meanwhile. */
static void use_device(u64 iova)
{
	u8 buf[64];

	gm_dma_read(device.dma, iova, buf, sizeof(buf));
	gm_dma_read(device.dma, iova, buf, 8);
	gm_dma_write(device.dma, iova, buf, 4);
	gm_dma_write(device.dma, iova + 4090, buf, sizeof(buf));
	gm_vfu_server_interrupt(server, iova & 0x1000);
}

static void handle(struct gm_vfu_request *request)
{
	struct gm_vfu_reply reply = { .payload = reply_payload };
	unsigned int i;

	gm_vfu_server_handle(server, request, &reply);
	check_reply(request, &reply);
	for (i = 0; i < request->nfds; i++)
		if (request->fds[i] >= 0)
			close(request->fds[i]);
}

static void send_version(void)
{
	u8 payload[4] = { 0 };
	struct gm_vfu_request request = {
		.header = { .command = VFU_VERSION, .size = 20 },
		.payload = payload,
		.len = sizeof(payload),
	};

	handle(&request);
}

/* Good messages: by chance alone, few would get as far as doing something. */
static const u32 good_payloads[][12] = {
	[VFU_DMA_MAP] = { 32, 3, 0, 0, 0x1000, 0, 0x1000, 0 },
	[VFU_DMA_UNMAP] = { 24, 0, 0x1000, 0, 0x1000, 0 },
	[VFU_DEVICE_GET_INFO] = { 16 },
	[VFU_DEVICE_GET_REGION_INFO] = { 64 },
	[VFU_DEVICE_GET_IRQ_INFO] = { 16 },
	[VFU_DEVICE_SET_IRQS] = { 20, 0x24, 0, 0, 1, 1 },
	[VFU_REGION_READ] = { 0, 0, 0, 4 },
	[VFU_REGION_WRITE] = { 0, 0, 0, 4 },
};

static const u8 good_len[ARRAY_SIZE(good_payloads)] = {
	[VFU_DMA_MAP] = 32,
	[VFU_DMA_UNMAP] = 24,
	[VFU_DEVICE_GET_INFO] = 16,
	[VFU_DEVICE_GET_REGION_INFO] = 32,
	[VFU_DEVICE_GET_IRQ_INFO] = 16,
	[VFU_DEVICE_SET_IRQS] = 21,	/* and one boolean */
	[VFU_REGION_READ] = 16,
	[VFU_REGION_WRITE] = 20,
};

/* Of 128 combinations of flags, these few are good for something. */
static void pick_irq_flags(u8 *payload, struct input *input)
{
	static const u8 flags[] = { 0x21, 0x22, 0x24, 0x09, 0x0a, 0x11, 0x12, 0x14 };

	payload[offsetof(struct vfu_irq_set, flags)] = flags[take_byte(input) % sizeof(flags)];
	payload[offsetof(struct vfu_irq_set, index)] = take_byte(input) % VFU_IRQ_COUNT;
	payload[offsetof(struct vfu_irq_set, count)] = take_byte(input) % 3;
}

/* A good payload with up to three bytes changed; the caller frees. */
static void patch_payload(struct gm_vfu_request *request, struct input *input)
{
	u16 command = request->header.command;
	u8 patches = take_byte(input) % 4;
	size_t at;

	request->len = command < ARRAY_SIZE(good_len) ? good_len[command] : 0;
	request->payload = malloc(request->len);
	if (!request->len)
		return;
	memcpy(request->payload, good_payloads[command], request->len);
	if (command == VFU_DEVICE_SET_IRQS)
		pick_irq_flags(request->payload, input);
	while (patches--) {
		at = take_byte(input) % request->len;
		request->payload[at] = take_byte(input);
	}
}

/* Any payload, in a block of just its size; the caller frees. */
static void take_payload(struct gm_vfu_request *request, struct input *input)
{
	const u8 *data;

	request->len = take_byte(input);
	request->len = take_bytes(input, request->len, &data);
	request->payload = malloc(request->len);
	if (request->len)
		memcpy(request->payload, data, request->len);
}

/* Files that come along: some, of some kinds; a good message mostly gets the right one. */
static void take_fds(struct gm_vfu_request *request, struct input *input, bool patch)
{
	u8 choice = take_byte(input);
	int kind;

	if (patch && choice < 0xf0) {
		kind = request->header.command == VFU_DMA_MAP ? 0 : 1;
		if (choice & 1)
			request->fds[request->nfds++] = dup(fd_kinds[kind]);
		return;
	}
	request->fds_lost = choice == 0xff;
	for (; request->nfds < choice % (GM_VFU_MAX_FDS + 1); request->nfds++)
		request->fds[request->nfds] = dup(kind_of_fd(choice / 16 + request->nfds));
}

/* One message: command, flags, files, payload. */
static void fuzz_message(struct input *input, bool patch)
{
	struct gm_vfu_request request = { 0 };

	request.header.id = input->len;
	request.header.command = take_byte(input) % (VFU_COMMAND_COUNT + 2);
	request.header.flags = take_byte(input) & (patch ? VFU_FLAG_NO_REPLY : 0xff);
	take_fds(&request, input, patch);
	if (patch)
		patch_payload(&request, input);
	else
		take_payload(&request, input);
	request.header.size = sizeof(request.header) + request.len;
	handle(&request);
	free(request.payload);
}

static void fuzz_messages(struct input *input, bool patch)
{
	while (input->len) {
		fuzz_message(input, patch);
		use_device((u64)take_byte(input) << 12);
	}
	gm_vfu_server_disconnect(server);
}

/* False when the socket's buffer, which has an end, takes no more. */
static bool send_chunk(int fd, const u8 *data, size_t len, u8 fds)
{
	char control[CMSG_SPACE(sizeof(int) * 16)] __attribute__((aligned(8))) = { 0 };
	struct iovec iov = { .iov_base = (void *)data, .iov_len = len };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	unsigned int count = fds % 16, i;
	struct cmsghdr *cmsg;
	int kind;

	if (count) {
		msg.msg_control = control;
		msg.msg_controllen = CMSG_SPACE(sizeof(int) * count);
		cmsg = CMSG_FIRSTHDR(&msg);
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(sizeof(int) * count);
		for (i = 0; i < count; i++) {
			kind = kind_of_fd(fds / 16 + i);
			memcpy(CMSG_DATA(cmsg) + i * sizeof(kind), &kind, sizeof(kind));
		}
	}
	return sendmsg(fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)len;
}

/* Reads answers, so that the server never waits for its client. */
static void *drain(void *arg)
{
	static u8 buf[1 << 16];
	int fd = *(int *)arg;

	while (read(fd, buf, sizeof(buf)) > 0)
		;
	return NULL;
}

static void fuzz_stream(struct input *input)
{
	pthread_t thread;
	const u8 *data;
	size_t len;
	int fds[2];
	u8 flags;

	require(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
	while (input->len) {
		flags = take_byte(input);
		len = take_byte(input);
		len = take_bytes(input, len, &data);
		if (len && !send_chunk(fds[1], data, len, flags))
			break;
	}
	shutdown(fds[1], SHUT_WR);
	require(!pthread_create(&thread, NULL, drain, &fds[1]));
	gm_vfu_server_run(server, fds[0]);
	close(fds[0]);
	pthread_join(thread, NULL);
	close(fds[1]);
}

/* The number that the next file will get: it grows when one is left open. */
static int next_fd(void)
{
	int fd = dup(fd_kinds[0]);

	close(fd);
	return fd;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	struct input input = { .data = data, .len = len };
	int before = next_fd();
	u8 mode = take_byte(&input);
	u64 drained;

	if (mode & MODE_STREAM) {
		fuzz_stream(&input);
	} else {
		if (!(mode & MODE_SKIP_VERSION))
			send_version();
		fuzz_messages(&input, mode & MODE_PATCH);
	}
	require(next_fd() == before);
	while (read(fd_kinds[1], &drained, sizeof(drained)) > 0)
		;
	return 0;
}
