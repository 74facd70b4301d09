// SPDX-License-Identifier: GPL-2.0-only
/*
 * The vfio-user server's stream: messages that are cut, glued, mistyped, out of
 * order or never finished, file descriptors where none belong, and clients that
 * leave at a bad moment.
 */
#include <sys/resource.h>

#include "vfu_client.h"

static void version_first(void **state)
{
	struct fixture *f = *state;

	ask(f, VFU_DEVICE_RESET, NULL, 0, EINVAL);
	assert_int_equal(f->resets, 0);
	region_info(f, 0, 32, EINVAL);
	negotiate(f);
	ask(f, VFU_DEVICE_RESET, NULL, 0, 0);
	/* Not twice. */
	ask(f, VFU_VERSION, qemu_version, sizeof(qemu_version), EINVAL);
	ask(f, VFU_DEVICE_RESET, NULL, 0, 0);
	assert_int_equal(f->resets, 2);
}

static void version_refused(void **state)
{
	static const char *const texts[] = {
		"", "{", "[]", "null", "7", "{\"capabilities\":[]}",
		"{\"capabilities\":{\"max_msg_fds\":\"8\"}}",
		"{\"capabilities\":{\"max_msg_fds\":-1}}",
		"{\"capabilities\":{\"max_data_xfer_size\":1.5}}",
	};
	struct fixture *f = *state;
	char payload[128] = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		strcpy(payload + 4, texts[i]);
		ask(f, VFU_VERSION, payload, 4 + strlen(texts[i]) + 1, EINVAL);
	}
	strcpy(payload + 4, "{}");
	ask(f, VFU_VERSION, payload, 4 + 2, EINVAL);	/* no NUL */
	ask(f, VFU_VERSION, payload, 3, EINVAL);
	/* A higher minor is fine, the answer is lower; and so is no text at all. */
	payload[2] = 7;
	ask(f, VFU_VERSION, payload, 4, 0);
}

static void other_major_version(void **state)
{
	static const u8 version[4] = { 1 };
	struct fixture *f = *state;

	ask(f, VFU_VERSION, version, sizeof(version), ENOTSUP);
	/* Then the server closes. */
	assert_true(readable(f->fd, WAIT_MS));
	assert_int_equal(disconnect_client(f), -EPROTO);
}

static void unknown_commands(void **state)
{
	static const u16 commands[] = {
		0, VFU_DEVICE_GET_REGION_IO_FDS, VFU_DMA_READ, VFU_DMA_WRITE, 14,
		VFU_REGION_WRITE_MULTI, VFU_DEVICE_FEATURE, VFU_MIG_DATA_READ,
		VFU_MIG_DATA_WRITE, VFU_COMMAND_COUNT, 0x7fff, 0xffff,
	};
	static const u8 payload[64];
	struct fixture *f = *state;
	size_t i;

	negotiate(f);
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		ask(f, commands[i], NULL, 0, ENOTSUP);
		ask(f, commands[i], payload, sizeof(payload), ENOTSUP);
	}
}

/* Every command, cut at every length: refused, or harmless; and it goes on. */
static void truncated_payloads(void **state)
{
	static const struct {
		u16 command;
		size_t len;
	} commands[] = {
		{ VFU_DMA_MAP, sizeof(struct vfu_dma_map) },
		{ VFU_DMA_UNMAP, sizeof(struct vfu_dma_unmap) },
		{ VFU_DEVICE_GET_INFO, sizeof(struct vfu_device_info) },
		{ VFU_DEVICE_GET_REGION_INFO, sizeof(struct vfu_region_info) },
		{ VFU_DEVICE_GET_IRQ_INFO, sizeof(struct vfu_irq_info) },
		{ VFU_DEVICE_SET_IRQS, sizeof(struct vfu_irq_set) },
		{ VFU_REGION_READ, sizeof(struct vfu_region_access) },
		{ VFU_REGION_WRITE, sizeof(struct vfu_region_access) },
	};
	struct fixture *f = *state;
	u8 payload[64] = { [0] = 64 };
	size_t i, len;

	negotiate(f);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		for (len = 0; len < commands[i].len; len++)
			ask(f, commands[i].command, payload, len, EINVAL);
	ask(f, VFU_DEVICE_RESET, payload, 1, EINVAL);
	assert_int_equal(f->resets, 0);
	ask(f, VFU_DEVICE_RESET, NULL, 0, 0);
}

/* Structures with an argsz may grow; too small an argsz cannot be answered. */
static void argsz_rules(void **state)
{
	static const u16 commands[] = {
		VFU_DEVICE_GET_INFO, VFU_DEVICE_GET_REGION_INFO, VFU_DEVICE_GET_IRQ_INFO,
	};
	struct fixture *f = *state;
	u32 payload[16] = { 64 };
	size_t i;

	negotiate(f);
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		struct answer answer;

		payload[0] = 15;
		ask(f, commands[i], payload, sizeof(payload), EINVAL);
		payload[0] = 64;
		answer = ask(f, commands[i], payload, sizeof(payload), 0);
		if (answer.fd >= 0)
			close(answer.fd);
	}
	region_info(f, VFU_REGION_COUNT, 32, EINVAL);
	region_info(f, ~0u, 32, EINVAL);
}

/* One byte at a time, with the file descriptor on the first. */
static void dribbled_message(void **state)
{
	struct {
		struct vfu_header header;
		struct vfu_dma_map map;
	} message = {
		.header = { .id = 77, .command = VFU_DMA_MAP, .size = sizeof(message) },
		.map = { .argsz = 32, .flags = VFU_DMA_MAP_READ, .size = 4096 },
	};
	struct fixture *f = *state;
	struct answer answer;
	size_t i;
	u8 byte;

	negotiate(f);
	assert_int_equal(pwrite(f->small_fd, "x", 1, 9), 1);
	for (i = 0; i < sizeof(message); i++)
		send_raw(f, (u8 *)&message + i, 1, &f->small_fd, i == 0);
	answer = receive(f);
	assert_int_equal(answer.header.id, 77);
	assert_int_equal(answer.header.flags, VFU_FLAG_TYPE_REPLY);
	assert_true(gm_dma_read(f->device.dma, 9, &byte, 1));
	assert_int_equal(byte, 'x');
}

/* Many messages in one write, some of them without a reply: answered in order. */
static void pipelined_messages(void **state)
{
	struct vfu_header batch[10];
	struct fixture *f = *state;
	struct answer answer;
	int i;

	negotiate(f);
	for (i = 0; i < 10; i++)
		batch[i] = (struct vfu_header){
			.id = 5,	/* ids may repeat */
			.command = i % 5 == 3 ? 99 : VFU_DEVICE_RESET,
			.size = sizeof(batch[i]),
			.flags = i % 2 ? 0 : VFU_FLAG_NO_REPLY,
		};
	send_raw(f, batch, sizeof(batch), NULL, 0);
	for (i = 1; i < 10; i += 2) {
		answer = receive(f);
		assert_int_equal(answer.header.id, 5);
		assert_int_equal(answer.header.error, i % 5 == 3 ? ENOTSUP : 0);
	}
	assert_false(readable(f->fd, 20));
	assert_int_equal(f->resets, 8);
}

/* Files go with the message that they were sent with, also when two arrive at once. */
static void fds_stay_with_their_message(void **state)
{
	struct {
		struct vfu_header header;
		struct vfu_irq_set set;
	} __attribute__((packed)) message = {
		.header = { .command = VFU_DEVICE_SET_IRQS, .size = sizeof(message) },
		.set = { .argsz = 20, .flags = EVENT | TRIGGER, .count = 1 },
	};
	const struct vfu_header other = { .command = VFU_DEVICE_RESET, .size = sizeof(other) };
	struct fixture *f = *state;
	int intx = new_eventfd(), msi = new_eventfd();
	int i;

	negotiate(f);
	send_raw(f, &other, sizeof(other), NULL, 0);
	message.set.index = VFU_IRQ_INTX;
	send_raw(f, &message, sizeof(message), &intx, 1);
	message.set.index = VFU_IRQ_MSI;
	send_raw(f, &message, sizeof(message), &msi, 1);
	for (i = 0; i < 3; i++)
		assert_int_equal(receive(f).header.error, 0);
	set_irqs(f, VFU_IRQ_INTX, NONE | TRIGGER, 1, -1);
	assert_int_equal(events(intx), 1);
	assert_int_equal(events(msi), 0);
	close(intx);
	close(msi);
}

/* Files where none belong, too many, and more than can be received: all closed. */
static void surplus_fds(void **state)
{
	const struct vfu_device_info info = { .argsz = sizeof(info) };
	struct fixture *f = *state;
	int fds[MAX_FDS], before, i;

	negotiate(f);
	for (i = 0; i < MAX_FDS; i++)
		fds[i] = f->small_fd;
	before = open_fds();
	for (i = 1; i <= MAX_FDS; i++) {
		ask_with(f, VFU_DEVICE_GET_INFO, &info, sizeof(info), fds, i, EINVAL);
		ask_with(f, VFU_DEVICE_RESET, NULL, 0, fds, i, EINVAL);
		ask_with(f, 99, NULL, 0, fds, i, ENOTSUP);
	}
	ask(f, VFU_DEVICE_RESET, NULL, 0, 0);
	assert_int_equal(open_fds(), before);
	assert_int_equal(f->resets, 1);
}

/*
 * A file that came but could not be received, for this process may open no more:
 * the range must not be taken for one without a file.
 */
static void fd_that_got_lost(void **state)
{
	const struct vfu_dma_map map = {
		.argsz = sizeof(map), .flags = VFU_DMA_MAP_READ, .size = 4096,
	};
	struct fixture *f = *state;
	struct rlimit before, low;

	negotiate(f);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	low = (struct rlimit){ .rlim_cur = 3, .rlim_max = before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	send_message(f, VFU_DMA_MAP, 0, &map, sizeof(map), &f->small_fd, 1);
	/* Low, but enough for poll(), which counts what it waits for. */
	assert_true(readable(f->fd, WAIT_MS));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(receive(f).header.error, EINVAL);
	ask_with(f, VFU_DMA_MAP, &map, sizeof(map), &f->small_fd, 1, 0);
}

/* A reply answers nothing and is not answered; another type is refused. */
static void wrong_types(void **state)
{
	struct fixture *f = *state;

	negotiate(f);
	send_message(f, VFU_DEVICE_RESET, VFU_FLAG_TYPE_REPLY, NULL, 0, NULL, 0);
	send_message(f, VFU_DEVICE_RESET, VFU_FLAG_TYPE_REPLY | VFU_FLAG_ERROR, NULL, 0, NULL, 0);
	send_message(f, VFU_DEVICE_RESET, 7, NULL, 0, NULL, 0);
	assert_int_equal(receive(f).header.error, EINVAL);
	assert_int_equal(f->resets, 0);
	ask(f, VFU_DEVICE_RESET, NULL, 0, 0);
}

/* Sizes after which nobody knows where the next message starts. */
static void lost_framing(void **state)
{
	static const u32 sizes[] = { 0, 15, 16 + GM_VFU_MAX_PAYLOAD + 1, ~0u };
	struct vfu_header header = { .command = VFU_DEVICE_RESET };
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		negotiate(f);
		header.size = sizes[i];
		send_raw(f, &header, sizeof(header), &f->small_fd, 1);
		assert_true(readable(f->fd, WAIT_MS));
		assert_int_equal(disconnect_client(f), -EPROTO);
		connect_client(f);
	}
	assert_int_equal(f->resets, 0);
}

/* The client goes away inside a header, inside a payload, and before its answers. */
static void client_leaves(void **state)
{
	struct fixture *f = *state;
	struct vfu_header header = { .command = VFU_DMA_MAP, .size = 48 };
	const struct vfu_region_access access = { .count = 1 << 20 };
	int before = open_fds(), i;

	negotiate(f);
	send_raw(f, &header, 7, &f->small_fd, 1);
	assert_int_equal(disconnect_client(f), -EPROTO);
	connect_client(f);
	negotiate(f);
	send_raw(f, &header, 16, &f->small_fd, 1);
	assert_int_equal(disconnect_client(f), -EPROTO);
	connect_client(f);
	negotiate(f);
	for (i = 0; i < 8; i++)
		send_message(f, VFU_REGION_READ, 0, &access, sizeof(access), NULL, 0);
	assert_int_equal(disconnect_client(f), 0);
	connect_client(f);
	negotiate(f);
	send_message(f, VFU_DEVICE_RESET, 0, NULL, 0, NULL, 0);
	assert_true(readable(f->fd, WAIT_MS));
	assert_int_equal(disconnect_client(f), 0);
	connect_client(f);
	assert_int_equal(open_fds(), before);
	/* And the next client finds a server that works. */
	negotiate(f);
}

/* What a client had is gone for the next. */
static void next_client_starts_anew(void **state)
{
	struct fixture *f = *state;
	int fd = new_eventfd();
	u8 byte;

	negotiate(f);
	set_irqs(f, VFU_IRQ_MSI, EVENT | TRIGGER, 1, fd);
	dma_map(f, 0, 4096, VFU_DMA_MAP_READ, f->small_fd, 0);
	assert_true(gm_dma_read(f->device.dma, 0, &byte, 1));
	assert_int_equal(disconnect_client(f), 0);
	assert_false(gm_dma_read(f->device.dma, 0, &byte, 1));
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(fd), 0);
	connect_client(f);
	ask(f, VFU_DEVICE_RESET, NULL, 0, EINVAL);
	negotiate(f);
	close(fd);
}

static void stop_ends_the_wait(void **state)
{
	struct fixture *f = *state;

	negotiate(f);
	gm_vfu_server_stop(f->server);
	pthread_join(f->thread, NULL);
	f->running = false;
	assert_int_equal(f->result, 0);
	/* For good. */
	assert_int_equal(gm_vfu_server_run(f->server, f->server_fd), 0);
	close(f->server_fd);
}

/* A client that does not read its answers cannot hold up the end. */
static void stop_ends_a_blocked_send(void **state)
{
	const struct vfu_region_access access = { .count = 1 << 20 };
	struct fixture *f = *state;
	int i;

	negotiate(f);
	for (i = 0; i < 8; i++)
		send_message(f, VFU_REGION_READ, 0, &access, sizeof(access), NULL, 0);
	assert_true(readable(f->fd, WAIT_MS));
	usleep(20000);
	gm_vfu_server_stop(f->server);
	pthread_join(f->thread, NULL);
	f->running = false;
	assert_int_equal(f->result, 0);
	close(f->server_fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		VFU_TEST(version_first),
		VFU_TEST(version_refused),
		VFU_TEST(other_major_version),
		VFU_TEST(unknown_commands),
		VFU_TEST(truncated_payloads),
		VFU_TEST(argsz_rules),
		VFU_TEST(dribbled_message),
		VFU_TEST(pipelined_messages),
		VFU_TEST(fds_stay_with_their_message),
		VFU_TEST(surplus_fds),
		VFU_TEST(fd_that_got_lost),
		VFU_TEST(wrong_types),
		VFU_TEST(lost_framing),
		VFU_TEST(client_leaves),
		VFU_TEST(next_client_starts_anew),
		VFU_TEST(stop_ends_the_wait),
		VFU_TEST(stop_ends_a_blocked_send),
	};

	/* A test that hangs ends here. */
	alarm(120);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
