// SPDX-License-Identifier: GPL-2.0-only
/*
 * vfio-user messages as pure functions: every length, every combination of
 * flags, and replies that keep to the room that was given.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>

#include "vfu_message.h"
#include "vfu_server.h"

/* A request around a payload in a block of just its size, so that ASan guards the end. */
static struct gm_vfu_request request_of(u16 command, const void *payload, size_t len)
{
	struct gm_vfu_request request = {
		.header = {
			.id = 0x1234,
			.command = command,
			.size = sizeof(struct vfu_header) + len,
		},
		.payload = malloc(len),
		.len = len,
	};

	if (len)
		memcpy(request.payload, payload, len);
	return request;
}

static void header_sizes(void **state)
{
	static const struct {
		u32 size;
		int payload;
	} sizes[] = {
		{ 0, -EPROTO }, { 15, -EPROTO }, { 16, 0 }, { 17, 1 }, { 0x100020, 0x100010 },
		{ 0x100021, -EPROTO }, { 0x80000000, -EPROTO }, { 0xffffffff, -EPROTO },
	};
	struct vfu_header header = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		header.size = sizes[i].size;
		assert_int_equal(gm_vfu_header_payload(&header), sizes[i].payload);
	}
}

static void version_capabilities(void **state)
{
	static const struct {
		const char *text;
		u32 fds;
		u32 xfer;
	} versions[] = {
		{ "{}", 1, 0x100000 },
		{ "{\"capabilities\":{}}", 1, 0x100000 },
		{ "{\"capabilities\":{\"max_msg_fds\":4,\"max_data_xfer_size\":512}}", 4, 512 },
		{ "{\"capabilities\":{\"max_msg_fds\":1000,\"max_data_xfer_size\":1e0}}", 0, 0 },
		{ "{\"capabilities\":{\"max_msg_fds\":99999999999999999999}}", 8, 0x100000 },
		{ "{\"capabilities\":{\"max_data_xfer_size\":1073741824}}", 1, 0x100000 },
	};
	struct gm_vfu_version version;
	char payload[128] = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(versions); i++) {
		struct gm_vfu_request request;
		int err;

		strcpy(payload + 4, versions[i].text);
		request = request_of(VFU_VERSION, payload, 4 + strlen(versions[i].text) + 1);
		err = gm_vfu_parse_version(&request, &version);
		free(request.payload);
		/* A number has to be whole. */
		assert_int_equal(err, versions[i].xfer ? 0 : -EINVAL);
		if (err)
			continue;
		assert_int_equal(version.max_msg_fds, versions[i].fds);
		assert_int_equal(version.max_xfer, versions[i].xfer);
	}
}

/* Nesting that would overrun a stack is refused by the JSON parser's own limit. */
static void version_nested(void **state)
{
	struct gm_vfu_version version;
	struct gm_vfu_request request;
	char *payload = calloc(1, 100001);

	(void)state;
	memset(payload + 4, '[', 99996);
	request = request_of(VFU_VERSION, payload, 100001);
	assert_int_equal(gm_vfu_parse_version(&request, &version), -EINVAL);
	free(request.payload);
	free(payload);
}

/* What may be set, written down a second time and differently. */
static bool irq_set_allowed(const struct vfu_irq_set *set, unsigned int nfds, size_t data)
{
	u32 counts[] = { 1, 1, 0, 0, 0 };

	if (set->index >= ARRAY_SIZE(counts))
		return false;
	if (!set->count)
		return !set->start && !nfds && set->flags == 0x21;
	if (set->start || set->count != 1 || !counts[set->index])
		return false;
	switch (set->flags) {
	case 0x21:	/* trigger now */
		return !nfds;
	case 0x22:
		return !nfds && data;
	case 0x24:	/* set or take away the event */
		return nfds < 2;
	case 0x09:	/* mask */
	case 0x11:	/* unmask */
		return !nfds && !set->index;
	case 0x0a:
	case 0x12:
		return !nfds && data && !set->index;
	case 0x14:	/* event that unmasks */
		return nfds < 2 && !set->index;
	default:
		return false;
	}
}

static void check_irq_set(const struct vfu_irq_set *set, unsigned int nfds, size_t data)
{
	u8 payload[sizeof(*set) + 2] = { 0 };
	struct gm_vfu_request request;
	struct gm_vfu_irq_set out;
	int err;

	memcpy(payload, set, sizeof(*set));
	request = request_of(VFU_DEVICE_SET_IRQS, payload, sizeof(*set) + data);
	request.nfds = nfds;
	err = gm_vfu_parse_irq_set(&request, &out);
	assert_int_equal(!err, irq_set_allowed(set, nfds, data));
	if (!err) {
		assert_memory_equal(&out.set, set, sizeof(*set));
		if (set->flags & VFU_IRQ_DATA_BOOL)
			assert_ptr_equal(out.bools, request.payload + sizeof(*set));
		else
			assert_null(out.bools);
	}
	free(request.payload);
}

/* The range and what comes along, each in every way, for flags and index. */
static void check_irq_sets(u32 flags, u32 index)
{
	static const u32 bounds[] = { 0, 1, 2, 0x7fffffff, 0xffffffff };
	const size_t n = ARRAY_SIZE(bounds);
	struct vfu_irq_set set = { .argsz = sizeof(set), .flags = flags, .index = index };
	size_t i;

	for (i = 0; i < n * n * 3 * 3; i++) {
		set.start = bounds[i % n];
		set.count = bounds[i / n % n];
		check_irq_set(&set, i / n / n % 3, i / n / n / 3);
	}
}

static void all_irq_sets(void **state)
{
	u32 flags, index;

	(void)state;
	for (flags = 0; flags < 0x80; flags++)
		for (index = 0; index < 7; index++)
			check_irq_sets(flags, index);
}

/* Random bytes of every length into every parser: what is let through is sane. */
static void random_payloads(void **state)
{
	u8 bytes[64];
	int round;

	(void)state;
	srand(1);
	for (round = 0; round < 200000; round++) {
		union {
			struct vfu_dma_map map;
			struct vfu_dma_unmap unmap;
			struct vfu_device_info device;
			struct vfu_region_info region;
			struct vfu_irq_info irq;
			struct vfu_region_access access;
		} out;
		size_t len = rand() % sizeof(bytes), i;
		struct gm_vfu_request request;
		u16 command = rand() % 2 ? VFU_REGION_READ : VFU_REGION_WRITE;

		/* Mostly small values, or nothing would pass. */
		for (i = 0; i < len; i++)
			bytes[i] = rand() % 4 ? 0 : rand() % 64;
		request = request_of(command, bytes, len);
		request.nfds = rand() % 8 ? 0 : rand() % 3;

		if (!gm_vfu_parse_dma_map(&request, &out.map))
			assert_true(len == 32 && request.nfds < 2 && out.map.flags - 1 < 3);
		if (!gm_vfu_parse_dma_unmap(&request, &out.unmap))
			assert_true(len >= 24 && !request.nfds && !(out.unmap.flags & ~2u));
		if (!gm_vfu_parse_device_info(&request, &out.device))
			assert_true(len >= 16 && !request.nfds && out.device.argsz >= 16);
		if (!gm_vfu_parse_region_info(&request, &out.region))
			assert_true(len >= 32 && out.region.argsz >= 32 && out.region.index < 9);
		if (!gm_vfu_parse_irq_info(&request, &out.irq))
			assert_true(len >= 16 && out.irq.argsz >= 16 && out.irq.index < 5);
		if (!gm_vfu_parse_region_access(&request, &out.access))
			assert_int_equal(len, 16 + (command == VFU_REGION_WRITE ?
						    out.access.count : 0));
		free(request.payload);
	}
}

static void largest_access(void **state)
{
	struct vfu_region_access access = { .count = GM_VFU_MAX_XFER }, out;
	struct gm_vfu_request request;

	(void)state;
	request = request_of(VFU_REGION_READ, &access, sizeof(access));
	assert_int_equal(gm_vfu_parse_region_access(&request, &out), 0);
	access.count++;
	memcpy(request.payload, &access, sizeof(access));
	assert_int_equal(gm_vfu_parse_region_access(&request, &out), -EINVAL);
	free(request.payload);
}

static void reply_header(void **state)
{
	struct gm_vfu_request request = {
		.header = { .id = 7, .command = 9, .flags = 0xff0, .error = 3 },
	};
	u8 payload[GM_VFU_MAX_PAYLOAD];
	struct gm_vfu_reply reply = { .payload = payload };
	const struct vfu_header good = { .id = 7, .command = 9, .size = 20, .flags = 1 };
	const struct vfu_header bad = {
		.id = 7, .command = 9, .size = 16, .flags = 0x21, .error = EINVAL,
	};

	(void)state;
	gm_vfu_reply_init(&reply, &request);
	assert_true(gm_vfu_reply_put(&reply, "abcd", 4));
	gm_vfu_reply_finish(&reply, 0);
	assert_memory_equal(&reply.header, &good, sizeof(good));

	reply.fd = 5;
	gm_vfu_reply_finish(&reply, -EINVAL);
	assert_memory_equal(&reply.header, &bad, sizeof(bad));
	assert_int_equal(reply.len, 0);
	assert_int_equal(reply.fd, -1);
}

static void reply_room(void **state)
{
	struct gm_vfu_request request = { 0 };
	struct gm_vfu_reply reply = { .payload = malloc(GM_VFU_MAX_PAYLOAD) };
	u8 *data = calloc(1, GM_VFU_MAX_PAYLOAD + 1);

	(void)state;
	gm_vfu_reply_init(&reply, &request);
	assert_false(gm_vfu_reply_put(&reply, data, GM_VFU_MAX_PAYLOAD + 1));
	assert_int_equal(reply.len, 0);
	assert_true(gm_vfu_reply_put(&reply, data, 10));
	assert_false(gm_vfu_reply_put(&reply, data, GM_VFU_MAX_PAYLOAD - 9));
	assert_false(gm_vfu_reply_put(&reply, data, SIZE_MAX));
	assert_true(gm_vfu_reply_put(&reply, data, GM_VFU_MAX_PAYLOAD - 10));
	assert_false(gm_vfu_reply_put(&reply, data, 1));
	free(reply.payload);
	free(data);
}

/* The answer never exceeds the room asked for, and the file goes with the whole only. */
static void region_info_room(void **state)
{
	const struct gm_vfu_region region = {
		.size = 0x10000, .mmap_offset = 0x4000, .mmap_size = 0x2000, .mmap_fd = 3,
	};
	u8 payload[GM_VFU_MAX_PAYLOAD];
	struct gm_vfu_reply reply = { .payload = payload };
	struct gm_vfu_request request = { 0 };
	struct vfu_region_info info = { .index = 1 };
	u32 argsz;

	(void)state;
	for (argsz = 32; argsz < 80; argsz++) {
		info.argsz = argsz;
		gm_vfu_reply_init(&reply, &request);
		gm_vfu_reply_region_info(&reply, &region, &info, true);
		assert_int_equal(reply.len, argsz < 64 ? 32 : 64);
		assert_int_equal(reply.fd, argsz < 64 ? -1 : 3);
		info = *(struct vfu_region_info *)payload;
		assert_int_equal(info.argsz, 64);
		assert_int_equal(info.offset + region.mmap_offset, 0);
	}
}

/* A region that is not there has nothing to read or map. */
static void region_info_absent(void **state)
{
	const struct gm_vfu_region region = { .mmap_fd = -1 };
	const struct vfu_region_info expected = { .argsz = 32, .index = 5 };
	const struct vfu_region_info asked = { .argsz = 64, .index = 5 };
	u8 payload[GM_VFU_MAX_PAYLOAD];
	struct gm_vfu_reply reply = { .payload = payload };
	struct gm_vfu_request request = { 0 };

	(void)state;
	gm_vfu_reply_init(&reply, &request);
	gm_vfu_reply_region_info(&reply, &region, &asked, true);
	assert_int_equal(reply.len, sizeof(expected));
	assert_memory_equal(payload, &expected, sizeof(expected));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_sizes),
		cmocka_unit_test(version_capabilities),
		cmocka_unit_test(version_nested),
		cmocka_unit_test(all_irq_sets),
		cmocka_unit_test(random_payloads),
		cmocka_unit_test(largest_access),
		cmocka_unit_test(reply_header),
		cmocka_unit_test(reply_room),
		cmocka_unit_test(region_info_room),
		cmocka_unit_test(region_info_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
