// SPDX-License-Identifier: GPL-2.0-only
/*
 * The vfio-user server, seen by a client: first what QEMU 11.1.3 was seen to do,
 * then what each command does and refuses. Framing is vfu_stream_test.c's.
 */
#include "vfu_client.h"

/* --- What QEMU 11.1.3 does, in its order. --- */

static void qemu_probes_device(struct fixture *f)
{
	const struct vfu_device_info ask_info = { .argsz = sizeof(ask_info) };
	struct vfu_device_info info;
	struct answer answer;
	const char *text;

	answer = ask(f, VFU_VERSION, qemu_version, sizeof(qemu_version), 0);
	assert_memory_equal(answer.payload, "\0\0\0\0", 4);
	text = (char *)answer.payload + 4;
	assert_int_equal(text[answer.len - 5], '\0');
	assert_string_equal(text, "{\"capabilities\":{\"max_msg_fds\":8,"
			    "\"max_data_xfer_size\":1048576}}");

	answer = ask(f, VFU_DEVICE_GET_INFO, &ask_info, sizeof(ask_info), 0);
	assert_int_equal(answer.len, sizeof(info));
	memcpy(&info, answer.payload, sizeof(info));
	assert_int_equal(info.argsz, sizeof(info));
	assert_int_equal(info.flags, VFU_DEVICE_FLAG_RESET | VFU_DEVICE_FLAG_PCI);
	assert_int_equal(info.num_regions, 9);
	assert_int_equal(info.num_irqs, 5);
}

/* Memory: RAM with a file, ROM and the device's own BAR without. */
static void qemu_maps_memory(struct fixture *f, int ram)
{
	u32 value = 0x600df00d, got;

	dma_map(f, 0, 0xa0000, VFU_DMA_MAP_READ | VFU_DMA_MAP_WRITE, ram, 0);
	dma_map(f, 0xc0000, 0x20000, VFU_DMA_MAP_READ, -1, 0);
	dma_map(f, 0x100000, 0x100000, VFU_DMA_MAP_READ | VFU_DMA_MAP_WRITE, ram, 0);
	dma_unmap(f, 0, 0xc0000, 0x20000, 0);
	dma_map(f, 0xc0000, 0x20000, VFU_DMA_MAP_READ, ram, 0);
	dma_map(f, 0xfe800000, 0x800000, VFU_DMA_MAP_READ | VFU_DMA_MAP_WRITE, -1, 0);

	assert_true(gm_dma_write(f->device.dma, 0x1000, &value, sizeof(value)));
	assert_true(gm_dma_read(f->device.dma, 0x101000, &got, sizeof(got)));
	assert_int_equal(got, value);
	assert_false(gm_dma_write(f->device.dma, 0xc0000, &value, sizeof(value)));
	assert_false(gm_dma_read(f->device.dma, 0xfe800000, &got, sizeof(got)));
}

static void qemu_asks_regions(struct fixture *f)
{
	static const u32 asked[] = { 0, 1, 2, 3, 4, 5, 7 };
	struct vfu_region_info info;
	struct answer answer;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(asked); i++) {
		answer = region_info(f, asked[i], sizeof(info), 0);
		assert_int_equal(answer.len, sizeof(info));
		memcpy(&info, answer.payload, sizeof(info));
		assert_int_equal(info.index, asked[i]);
		assert_int_equal(info.size, f->device.region[asked[i]].size);
		if (answer.fd >= 0)
			close(answer.fd);
	}
}

/* The short answer names the capability, the full one has it, and the file. */
static void qemu_maps_ggtt(struct fixture *f)
{
	struct vfu_region_sparse sparse;
	struct vfu_region_info info;
	struct answer answer;
	u64 *table;

	answer = region_info(f, 0, sizeof(info), 0);
	memcpy(&info, answer.payload, sizeof(info));
	assert_int_equal(answer.fd, -1);
	assert_int_equal(info.argsz, sizeof(info) + sizeof(sparse));
	assert_int_equal(info.cap_offset, sizeof(info));
	assert_int_equal(info.flags, VFU_REGION_FLAG_READ | VFU_REGION_FLAG_WRITE |
				     VFU_REGION_FLAG_MMAP | VFU_REGION_FLAG_CAPS);

	answer = region_info(f, 0, info.argsz, 0);
	assert_int_equal(answer.len, info.argsz);
	assert_true(answer.fd >= 0);
	memcpy(&sparse, answer.payload + info.cap_offset, sizeof(sparse));
	assert_int_equal(sparse.id, VFU_REGION_CAP_SPARSE_MMAP);
	assert_int_equal(sparse.version, 1);
	assert_int_equal(sparse.next, 0);
	assert_int_equal(sparse.nr_areas, 1);
	assert_int_equal(sparse.area_offset, 8 * MIB);
	assert_int_equal(sparse.area_size, 8 * MIB);

	table = mmap(NULL, sparse.area_size, PROT_READ | PROT_WRITE, MAP_SHARED, answer.fd,
		     info.offset + sparse.area_offset);
	assert_ptr_not_equal(table, MAP_FAILED);
	close(answer.fd);
	table[3] = 0x1122334455667788;
	assert_int_equal(pread(f->ggtt_fd, table, 8, 24), 8);
	assert_int_equal(table[0], 0x1122334455667788);
	munmap(table, sparse.area_size);
}

static void qemu_asks_irqs(struct fixture *f)
{
	static const struct {
		u32 flags;
		u32 count;
		u32 error;
	} expected[] = {
		{ VFU_IRQ_INFO_EVENTFD | VFU_IRQ_INFO_MASKABLE | VFU_IRQ_INFO_AUTOMASKED, 1, 0 },
		{ VFU_IRQ_INFO_EVENTFD | VFU_IRQ_INFO_NORESIZE, 1, 0 },
		{ VFU_IRQ_INFO_EVENTFD | VFU_IRQ_INFO_NORESIZE, 0, 0 },
		{ 0, 0, EINVAL },	/* ERR: QEMU would warn of a count of 0 */
		{ VFU_IRQ_INFO_EVENTFD | VFU_IRQ_INFO_NORESIZE, 0, 0 },
	};
	struct vfu_irq_info info;
	struct answer answer;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(expected); i++) {
		info = (struct vfu_irq_info){ .argsz = sizeof(info), .index = i };
		answer = ask(f, VFU_DEVICE_GET_IRQ_INFO, &info, sizeof(info), expected[i].error);
		if (expected[i].error)
			continue;
		assert_int_equal(answer.len, sizeof(info));
		memcpy(&info, answer.payload, sizeof(info));
		assert_int_equal(info.index, i);
		assert_int_equal(info.flags, expected[i].flags);
		assert_int_equal(info.count, expected[i].count);
	}
}

/* INTx first; off, reset and on again at the machine's reset; then MSI instead. */
static void qemu_sets_interrupts(struct fixture *f)
{
	int intx = new_eventfd(), msi = new_eventfd();

	set_irqs(f, VFU_IRQ_INTX, EVENT | TRIGGER, 1, intx);
	set_irqs(f, VFU_IRQ_INTX, NONE | TRIGGER, 0, -1);
	ask(f, VFU_DEVICE_RESET, NULL, 0, 0);
	assert_int_equal(f->resets, 1);
	set_irqs(f, VFU_IRQ_INTX, EVENT | TRIGGER, 1, intx);
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(intx), 1);
	gm_vfu_server_interrupt(f->server, false);

	set_irqs(f, VFU_IRQ_INTX, NONE | TRIGGER, 0, -1);
	set_irqs(f, VFU_IRQ_MSI, EVENT | TRIGGER, 1, msi);
	gm_vfu_server_interrupt(f->server, true);
	gm_vfu_server_interrupt(f->server, false);
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(msi), 2);
	assert_int_equal(events(intx), 0);
	close(intx);
	close(msi);
}

static void qemu_accesses_regions(struct fixture *f)
{
	u32 value = 0xcafe0001, got = 0;
	u16 word = 0;

	f->config[0] = 0x86;
	f->config[1] = 0x80;
	region_read(f, VFU_REGION_CONFIG, 0, &word, sizeof(word), 0);
	assert_int_equal(word, 0x8086);
	region_write(f, 0, 0x230, &value, sizeof(value), 0);
	region_read(f, 0, 0x230, &got, sizeof(got), 0);
	assert_int_equal(got, value);
}

static void qemu_sequence(void **state)
{
	struct fixture *f = *state;
	int ram = memfd_create("ram", MFD_CLOEXEC);

	assert_int_equal(ftruncate(ram, 0x100000), 0);
	qemu_probes_device(f);
	qemu_maps_memory(f, ram);
	qemu_asks_regions(f);
	qemu_maps_ggtt(f);
	qemu_asks_irqs(f);
	qemu_sets_interrupts(f);
	qemu_accesses_regions(f);
	assert_int_equal(disconnect_client(f), 0);
	close(ram);

	/* The guest's memory has gone with the client. */
	assert_int_equal(f->stats.counter[GM_COUNT_DMA_MAP], 5);
	assert_int_equal(f->stats.counter[GM_COUNT_DMA_UNMAP], 5);
}

/* --- Regions. --- */

static void region_mapped_as_a_whole(void **state)
{
	struct fixture *f = *state;
	struct vfu_region_info info;
	struct answer answer;

	negotiate(f);
	answer = region_info(f, 2, sizeof(info), 0);
	memcpy(&info, answer.payload, sizeof(info));
	assert_int_equal(info.argsz, sizeof(info));
	assert_int_equal(info.flags, VFU_REGION_FLAG_READ | VFU_REGION_FLAG_WRITE |
				     VFU_REGION_FLAG_MMAP);
	assert_int_equal(info.offset, 0);
	assert_true(answer.fd >= 0);
	close(answer.fd);
}

/* A client that cannot take a file descriptor gets none, and is not told to map. */
static void client_without_fds(void **state)
{
	static const char version[] = "\0\0\0\0{\"capabilities\":{\"max_msg_fds\":0}}";
	struct fixture *f = *state;
	struct vfu_region_info info;
	struct answer answer;

	ask(f, VFU_VERSION, version, sizeof(version), 0);
	answer = region_info(f, 0, 4096, 0);
	memcpy(&info, answer.payload, sizeof(info));
	assert_int_equal(answer.fd, -1);
	assert_int_equal(answer.len, sizeof(info));
	assert_int_equal(info.flags, VFU_REGION_FLAG_READ | VFU_REGION_FLAG_WRITE);
}

static void region_access_bounds(void **state)
{
	static const struct {
		u32 region;
		u64 offset;
		u32 count;
		u32 error;
	} accesses[] = {
		{ 0, 0, 0, 0 },
		{ 0, 16 * MIB, 0, 0 },
		{ 0, 16 * MIB - 4, 4, 0 },
		{ 0, 16 * MIB - 3, 4, EINVAL },
		{ 0, 16 * MIB + 1, 0, EINVAL },
		{ 0, ~0ULL, 4, EINVAL },
		{ 0, ~0ULL - 3, 4, EINVAL },
		{ 0, 0, 1 << 20, 0 },
		{ 1, 0, 4, EINVAL },
		{ 2, 0, 4, EINVAL },		/* by mapping only */
		{ VFU_REGION_CONFIG, 4092, 4, 0 },
		{ VFU_REGION_CONFIG, 4093, 4, EINVAL },
		{ VFU_REGION_CONFIG, 0xf00, 4, EIO },
		{ 9, 0, 4, EINVAL },
		{ ~0u, 0, 4, EINVAL },
	};
	struct fixture *f = *state;
	u8 *buf = calloc(1, 1 << 20);
	unsigned int writes = 0;
	size_t i;

	negotiate(f);
	for (i = 0; i < ARRAY_SIZE(accesses); i++) {
		region_read(f, accesses[i].region, accesses[i].offset, buf, accesses[i].count,
			    accesses[i].error);
		region_write(f, accesses[i].region, accesses[i].offset, buf, accesses[i].count,
			     accesses[i].error);
		writes += !accesses[i].error && accesses[i].count;
		assert_int_equal(f->writes, writes);
	}
	free(buf);
}

/* A count that is larger than the message, than all messages, or than the data. */
static void region_access_lies(void **state)
{
	struct vfu_region_access access = { .region = 0, .count = (1 << 20) + 1 };
	struct fixture *f = *state;
	u8 payload[sizeof(access) + 8] = { 0 };

	negotiate(f);
	ask(f, VFU_REGION_READ, &access, sizeof(access), EINVAL);
	access.count = ~0u;
	ask(f, VFU_REGION_READ, &access, sizeof(access), EINVAL);
	ask(f, VFU_REGION_WRITE, &access, sizeof(access), EINVAL);
	access.count = 16;
	memcpy(payload, &access, sizeof(access));
	ask(f, VFU_REGION_WRITE, payload, sizeof(payload), EINVAL);
	access.count = 4;
	memcpy(payload, &access, sizeof(access));
	ask(f, VFU_REGION_WRITE, payload, sizeof(payload), EINVAL);
	ask(f, VFU_REGION_READ, payload, sizeof(payload), EINVAL);
	assert_int_equal(f->writes, 0);
}

/* The client's own limit on the data of one message holds as well. */
static void client_limits_transfer(void **state)
{
	static const char version[] = "\0\0\0\0{\"capabilities\":{\"max_data_xfer_size\":64}}";
	struct fixture *f = *state;
	u8 buf[64];

	ask(f, VFU_VERSION, version, sizeof(version), 0);
	region_read(f, 0, 0, buf, 64, 0);
	region_read(f, 0, 0, buf, 65, EINVAL);
}

/* --- Interrupts. --- */

static void intx_is_a_level(void **state)
{
	struct fixture *f = *state;
	int fd = new_eventfd();

	negotiate(f);
	set_irqs(f, VFU_IRQ_INTX, EVENT | TRIGGER, 1, fd);
	gm_vfu_server_interrupt(f->server, true);
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(fd), 1);

	/* Still asserted: told again after each unmask. */
	set_irqs(f, VFU_IRQ_INTX, NONE | UNMASK, 1, -1);
	assert_int_equal(events(fd), 1);
	set_irqs_bool(f, VFU_IRQ_INTX, UNMASK, 0);
	assert_int_equal(events(fd), 0);
	set_irqs_bool(f, VFU_IRQ_INTX, UNMASK, 1);
	assert_int_equal(events(fd), 1);

	/* Deasserted while masked: nothing; then a new assertion. */
	gm_vfu_server_interrupt(f->server, false);
	set_irqs(f, VFU_IRQ_INTX, NONE | UNMASK, 1, -1);
	assert_int_equal(events(fd), 0);
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(fd), 1);
	close(fd);
}

static void intx_masked_by_client(void **state)
{
	struct fixture *f = *state;
	int fd = new_eventfd();

	negotiate(f);
	set_irqs(f, VFU_IRQ_INTX, EVENT | TRIGGER, 1, fd);
	set_irqs_bool(f, VFU_IRQ_INTX, MASK, 0);
	set_irqs(f, VFU_IRQ_INTX, NONE | MASK, 1, -1);
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(fd), 0);
	set_irqs(f, VFU_IRQ_INTX, NONE | UNMASK, 1, -1);
	assert_int_equal(events(fd), 1);
	close(fd);
}

/* The event by which a VMM unmasks without a message, as KVM's resampling does. */
static void intx_unmask_event(void **state)
{
	struct fixture *f = *state;
	int fd = new_eventfd(), unmask = new_eventfd();
	const u64 one = 1;

	negotiate(f);
	set_irqs(f, VFU_IRQ_INTX, EVENT | TRIGGER, 1, fd);
	set_irqs(f, VFU_IRQ_INTX, EVENT | UNMASK, 1, unmask);
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(fd), 1);
	assert_int_equal(write(unmask, &one, sizeof(one)), sizeof(one));
	assert_true(readable(fd, WAIT_MS));
	assert_int_equal(events(fd), 1);

	/* Taken away again, it does nothing. */
	set_irqs(f, VFU_IRQ_INTX, EVENT | UNMASK, 1, -1);
	assert_int_equal(write(unmask, &one, sizeof(one)), sizeof(one));
	assert_false(readable(fd, 50));
	assert_int_equal(events(unmask), 1);

	/* And so it does once INTx has been off. */
	set_irqs(f, VFU_IRQ_INTX, EVENT | UNMASK, 1, unmask);
	set_irqs(f, VFU_IRQ_INTX, NONE | TRIGGER, 0, -1);
	set_irqs(f, VFU_IRQ_INTX, EVENT | TRIGGER, 1, fd);
	assert_int_equal(events(fd), 1);
	assert_int_equal(write(unmask, &one, sizeof(one)), sizeof(one));
	assert_false(readable(fd, 50));
	close(fd);
	close(unmask);
}

/* Set again and again, taken away, or left behind: the server keeps none. */
static void eventfds_are_closed(void **state)
{
	struct fixture *f = *state;
	int fd = new_eventfd(), before, i;

	negotiate(f);
	before = open_fds();
	for (i = 0; i < 3; i++) {
		set_irqs(f, VFU_IRQ_INTX, EVENT | TRIGGER, 1, fd);
		set_irqs(f, VFU_IRQ_INTX, EVENT | UNMASK, 1, fd);
		set_irqs(f, VFU_IRQ_MSI, EVENT | TRIGGER, 1, fd);
	}
	assert_int_equal(open_fds(), before + 3);
	set_irqs(f, VFU_IRQ_INTX, NONE | TRIGGER, 0, -1);
	assert_int_equal(open_fds(), before + 1);
	assert_int_equal(disconnect_client(f), 0);
	/* Both ends of the connection are gone as well. */
	assert_int_equal(open_fds(), before - 2);
	close(fd);
}

static void intx_enabled_while_asserted(void **state)
{
	struct fixture *f = *state;
	int fd = new_eventfd();

	negotiate(f);
	gm_vfu_server_interrupt(f->server, true);
	set_irqs(f, VFU_IRQ_INTX, EVENT | TRIGGER, 1, fd);
	assert_int_equal(events(fd), 1);
	close(fd);
}

/* MSI hides the line; when it is switched off, the line shows again. */
static void msi_before_intx(void **state)
{
	struct fixture *f = *state;
	int intx = new_eventfd(), msi = new_eventfd();

	negotiate(f);
	set_irqs(f, VFU_IRQ_INTX, EVENT | TRIGGER, 1, intx);
	set_irqs(f, VFU_IRQ_MSI, EVENT | TRIGGER, 1, msi);
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(msi), 1);
	assert_int_equal(events(intx), 0);
	set_irqs(f, VFU_IRQ_MSI, EVENT | TRIGGER, 1, -1);
	assert_int_equal(events(intx), 1);
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(msi), 0);
	close(intx);
	close(msi);
}

static void client_triggers(void **state)
{
	struct fixture *f = *state;
	int fd = new_eventfd();

	negotiate(f);
	set_irqs(f, VFU_IRQ_MSI, NONE | TRIGGER, 1, -1);
	set_irqs(f, VFU_IRQ_MSI, EVENT | TRIGGER, 1, fd);
	assert_int_equal(events(fd), 0);
	set_irqs(f, VFU_IRQ_MSI, NONE | TRIGGER, 1, -1);
	assert_int_equal(events(fd), 1);
	set_irqs_bool(f, VFU_IRQ_MSI, TRIGGER, 0);
	assert_int_equal(events(fd), 0);
	set_irqs_bool(f, VFU_IRQ_MSI, TRIGGER, 1);
	assert_int_equal(events(fd), 1);
	set_irqs(f, VFU_IRQ_MSI, NONE | TRIGGER, 0, -1);
	set_irqs(f, VFU_IRQ_MSI, NONE | TRIGGER, 1, -1);
	assert_int_equal(events(fd), 0);
	close(fd);
}

static void set_irqs_refused(void **state)
{
	static const struct {
		u32 index;
		u32 flags;
		u32 start;
		u32 count;
		int nfds;
		u32 error;
	} sets[] = {
		{ VFU_IRQ_INTX, EVENT | TRIGGER, 0, 1, 2, EINVAL },
		{ VFU_IRQ_INTX, EVENT | TRIGGER, 0, 2, 2, EINVAL },
		{ VFU_IRQ_INTX, EVENT | TRIGGER, 1, 1, 1, EINVAL },
		{ VFU_IRQ_INTX, EVENT | TRIGGER, ~0u, 2, 2, EINVAL },
		{ VFU_IRQ_INTX, EVENT | TRIGGER, 0, ~0u, 1, EINVAL },
		{ VFU_IRQ_INTX, EVENT | TRIGGER, 0, 0, 0, EINVAL },
		{ VFU_IRQ_INTX, EVENT | MASK, 0, 1, 1, ENOTSUP },
		{ VFU_IRQ_INTX, NONE | TRIGGER, 0, 1, 1, EINVAL },
		{ VFU_IRQ_INTX, NONE | TRIGGER, 1, 0, 0, EINVAL },
		{ VFU_IRQ_INTX, NONE | MASK, 0, 0, 0, EINVAL },
		{ VFU_IRQ_INTX, BOOL | TRIGGER, 0, 1, 0, EINVAL },	/* no data */
		{ VFU_IRQ_INTX, BOOL | TRIGGER, 0, 1, 1, EINVAL },
		{ VFU_IRQ_INTX, NONE, 0, 1, 0, EINVAL },
		{ VFU_IRQ_INTX, TRIGGER, 0, 1, 0, EINVAL },
		{ VFU_IRQ_INTX, NONE | BOOL | TRIGGER, 0, 1, 0, EINVAL },
		{ VFU_IRQ_INTX, NONE | MASK | UNMASK, 0, 1, 0, EINVAL },
		{ VFU_IRQ_INTX, NONE | TRIGGER | BIT(6), 0, 1, 0, EINVAL },
		{ VFU_IRQ_MSI, NONE | MASK, 0, 1, 0, EINVAL },
		{ VFU_IRQ_MSI, NONE | UNMASK, 0, 1, 0, EINVAL },
		{ VFU_IRQ_MSI, EVENT | UNMASK, 0, 1, 1, EINVAL },
		{ VFU_IRQ_MSIX, EVENT | TRIGGER, 0, 1, 1, EINVAL },
		{ VFU_IRQ_ERR, EVENT | TRIGGER, 0, 1, 1, EINVAL },
		{ VFU_IRQ_REQ, EVENT | TRIGGER, 0, 1, 1, EINVAL },
		{ VFU_IRQ_MSIX, NONE | TRIGGER, 0, 0, 0, 0 },
		{ VFU_IRQ_COUNT, NONE | TRIGGER, 0, 0, 0, EINVAL },
		{ ~0u, NONE | TRIGGER, 0, 0, 0, EINVAL },
	};
	struct fixture *f = *state;
	int fds[2] = { new_eventfd(), new_eventfd() };
	int before;
	size_t i;

	negotiate(f);
	before = open_fds();
	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		set_irqs_with(f, sets[i].index, sets[i].flags, sets[i].start, sets[i].count, fds,
			      sets[i].nfds, sets[i].error);
		/* The answer to the next message comes after this one's files are closed. */
		ask(f, VFU_DEVICE_RESET, NULL, 0, 0);
		assert_int_equal(open_fds(), before);
	}
	close(fds[0]);
	close(fds[1]);
}

/* What could block, or raise SIGPIPE, is not taken for an eventfd. */
static void only_eventfds(void **state)
{
	struct fixture *f = *state;
	int fds[2], file = memfd_create("file", MFD_CLOEXEC);
	int before = open_fds();

	negotiate(f);
	assert_int_equal(pipe(fds), 0);
	set_irqs_with(f, VFU_IRQ_MSI, EVENT | TRIGGER, 0, 1, &fds[1], 1, EINVAL);
	set_irqs_with(f, VFU_IRQ_MSI, EVENT | TRIGGER, 0, 1, &file, 1, EINVAL);
	close(fds[0]);
	close(fds[1]);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	set_irqs_with(f, VFU_IRQ_INTX, EVENT | UNMASK, 0, 1, &fds[0], 1, EINVAL);
	close(fds[0]);
	close(fds[1]);
	assert_int_equal(open_fds(), before);
	close(file);
	gm_vfu_server_interrupt(f->server, true);
}

/* An eventfd that is full, and was opened to block, does not block an engine. */
static void full_eventfd(void **state)
{
	struct fixture *f = *state;
	int fd = eventfd(0, EFD_CLOEXEC);
	const u64 full = ~0ULL - 1;

	negotiate(f);
	set_irqs(f, VFU_IRQ_MSI, EVENT | TRIGGER, 1, fd);
	assert_int_equal(write(fd, &full, sizeof(full)), sizeof(full));
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(fd), full);
	close(fd);
}

static void *raise_forever(void *arg)
{
	struct fixture *f = arg;
	int i;

	for (i = 0; i < 20000; i++)
		gm_vfu_server_interrupt(f->server, i & 1);
	return NULL;
}

/* Engines raise while the VMM changes eventfds. */
static void interrupts_from_threads(void **state)
{
	struct fixture *f = *state;
	pthread_t threads[2];
	int fd, i;

	negotiate(f);
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, raise_forever, f), 0);
	for (i = 0; i < 200; i++) {
		fd = new_eventfd();
		set_irqs(f, i % 2, EVENT | TRIGGER, 1, fd);
		close(fd);
		set_irqs(f, i % 2, NONE | TRIGGER, 0, -1);
	}
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	fd = new_eventfd();
	set_irqs(f, VFU_IRQ_MSI, EVENT | TRIGGER, 1, fd);
	gm_vfu_server_interrupt(f->server, true);
	assert_int_equal(events(fd), 1);
	close(fd);
}

/* --- Guest memory. --- */

static void dma_refused(void **state)
{
	const struct vfu_dma_map short_argsz = {
		.argsz = 31, .flags = VFU_DMA_MAP_READ, .size = 4096,
	};
	struct fixture *f = *state;
	int fds[2] = { f->small_fd, f->small_fd };
	struct vfu_dma_map map = {
		.argsz = sizeof(map), .flags = VFU_DMA_MAP_READ, .size = 4096,
	};

	negotiate(f);
	ask(f, VFU_DMA_MAP, &short_argsz, sizeof(short_argsz), EINVAL);
	ask_with(f, VFU_DMA_MAP, &map, sizeof(map), fds, 2, EINVAL);
	ask(f, VFU_DMA_MAP, &map, sizeof(map) - 1, EINVAL);
	dma_map(f, 0, 4096, 0, -1, EINVAL);
	dma_map(f, 0, 4096, BIT(2) | VFU_DMA_MAP_READ, -1, EINVAL);
	dma_map(f, 0, 8192, VFU_DMA_MAP_READ, f->small_fd, EINVAL);
	dma_map(f, 1, 4096, VFU_DMA_MAP_READ, f->small_fd, EINVAL);
	dma_map(f, 0, 4096, VFU_DMA_MAP_READ, f->small_fd, 0);
	dma_map(f, 0, 4096, VFU_DMA_MAP_READ, f->small_fd, EEXIST);

	dma_unmap(f, 0, 4096, 4096, ENOENT);
	dma_unmap(f, VFU_DMA_UNMAP_GET_DIRTY, 0, 4096, ENOTSUP);
	dma_unmap(f, BIT(2), 0, 4096, EINVAL);
	dma_unmap(f, VFU_DMA_UNMAP_ALL, 0, 4096, EINVAL);
	dma_map(f, 0x10000, 4096, VFU_DMA_MAP_READ, -1, 0);
	dma_unmap(f, VFU_DMA_UNMAP_ALL, 0, 0, 0);
	dma_unmap(f, VFU_DMA_UNMAP_ALL, 0, 0, 0);
	dma_unmap(f, 0, 0, 4096, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		VFU_TEST(qemu_sequence),
		VFU_TEST(region_mapped_as_a_whole),
		VFU_TEST(client_without_fds),
		VFU_TEST(region_access_bounds),
		VFU_TEST(region_access_lies),
		VFU_TEST(client_limits_transfer),
		VFU_TEST(intx_is_a_level),
		VFU_TEST(intx_masked_by_client),
		VFU_TEST(intx_unmask_event),
		VFU_TEST(eventfds_are_closed),
		VFU_TEST(intx_enabled_while_asserted),
		VFU_TEST(msi_before_intx),
		VFU_TEST(client_triggers),
		VFU_TEST(set_irqs_refused),
		VFU_TEST(only_eventfds),
		VFU_TEST(full_eventfd),
		VFU_TEST(interrupts_from_threads),
		VFU_TEST(dma_refused),
	};

	/* A test that hangs ends here. */
	alarm(120);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
