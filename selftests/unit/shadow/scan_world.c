// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the scan of commands stands on: see scan_world.h.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <gvirt/gen9_pte.h>
#include "hw/buffer.h"
#include "scan_world.h"

struct scan_world world;
struct gvirt_window scan_world_window;
const struct gvirt_window_use scan_world_use;

static void must(bool condition)
{
	if (!condition)
		abort();
}

void scan_world_reset(void)
{
	u32 buffers = world.buffers;

	memset(&world, 0, sizeof(world));
	world.limit = SCAN_BYTES;
	world.next_address = 0x10000000;
	world.room = 4096;
	world.buffers = buffers;
}

static void note(enum scan_effect effect, u32 a, u32 b)
{
	world.effects[effect]++;
	if (world.on_effect)
		world.on_effect(effect, a, b);
}

void *shadow_alloc(size_t bytes)
{
	return calloc(1, bytes);
}

int gvirt_buffer_init(struct gvirt_buffer *buffer, struct gvirt_ggtt *ggtt, size_t size)
{
	u32 pages = (u32)(size / PAGE_SIZE);

	(void)ggtt;
	if (pages > world.room)
		return -ENOSPC;
	world.room -= pages;
	world.buffers++;
	buffer->pages = pages;
	buffer->address = world.next_address;
	buffer->data = calloc(1, size);
	world.next_address += (u32)size;
	return 0;
}

void gvirt_buffer_fini(struct gvirt_buffer *buffer)
{
	if (!buffer->pages)
		return;
	world.room += buffer->pages;
	world.buffers--;
	free(buffer->data);
	*buffer = (struct gvirt_buffer) { };
}

int gvirt_window_map(struct gvirt_window *window, const struct gvirt_window_use *use, u32 address,
		     u32 bytes, u32 *host)
{
	must(window == &scan_world_window && use == &scan_world_use && bytes);
	must((u64)address + bytes <= BIT_ULL(GEN9_GGTT_BITS));
	if (world.bad_page && world.bad_page >= address >> 12 &&
	    world.bad_page <= (address + bytes - 1) >> 12)
		return -EINVAL;
	note(SCAN_MAP, address, bytes);
	*host = SCAN_HOST + world.moved + address;
	return 0;
}

void gvirt_status_page_mark(struct gvirt_status_page *page, u32 offset, u32 bytes)
{
	(void)page;
	must(offset + bytes <= PAGE_SIZE);
	note(SCAN_MARK, offset, bytes);
}

static int read_memory(void *data, u32 address, void *to, u32 bytes)
{
	(void)data;
	must(bytes && bytes <= PAGE_SIZE - address % PAGE_SIZE);
	if ((u64)address + bytes > world.limit)
		return -EFAULT;
	memcpy(to, (const char *)world.memory + address, bytes);
	if (world.on_read)
		world.on_read(address);
	return 0;
}

static u32 read_register(void *data, u32 offset)
{
	(void)data;
	return offset + 1;
}

static void write_register(void *data, u32 offset, u32 value)
{
	(void)data;
	note(SCAN_REGISTER, offset, value);
}

const struct gvirt_scan_services scan_world_services = {
	.read = read_memory,
	.reg_read = read_register,
	.reg_write = write_register,
};
