// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the audit costs: the module's own scan of commands (drivers/gvirt/model/scan.c), with
 * recorded streams of stock i915 (selftests/unit/golden), in one thread in userspace.
 *
 * Prints the speed of the walk alone, what a submission of a ring costs (copy, walk, patches)
 * beside a copy alone, and what a workaround buffer costs the first time and each further time
 * that it is the same.
 */
#include <time.h>
#include "model/scan.h"
#include "model/status.h"
#include "model/window.h"
#include "../unit/streams.h"

#define ROUND_NS	200000000ll
#define ROUNDS		5
#define BUFFER		0x100000u	/* where the guest has it */
#define MEMORY		0x200000u

static u32 memory[MEMORY / 4];
static u32 ring[STREAM_DWORDS * 4];
static struct gvirt_scan scan;
static struct gvirt_scan_copies copies;
static struct gvirt_window window;
static struct gvirt_window_use use;
static struct gvirt_patch patches[8192];
static u32 next_address = 0x10000000;

/* What the scan stands on. */

void *shadow_alloc(size_t bytes)
{
	return calloc(1, bytes);
}

int gvirt_buffer_init(struct gvirt_buffer *buffer, struct gvirt_ggtt *ggtt, size_t size)
{
	(void)ggtt;
	buffer->pages = size / PAGE_SIZE;
	buffer->address = next_address;
	buffer->data = calloc(1, size);
	next_address += size;
	return 0;
}

void gvirt_buffer_fini(struct gvirt_buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct gvirt_buffer) { };
}

int gvirt_window_map(struct gvirt_window *win, const struct gvirt_window_use *user, u32 address,
		     u32 size, u32 *host)
{
	(void)win;
	(void)user;
	(void)size;
	*host = 0x40000000 | (address & 0xfffffff);
	return 0;
}

void gvirt_status_page_mark(struct gvirt_status_page *page, u32 offset, u32 bytes)
{
	(void)page;
	(void)offset;
	(void)bytes;
}

static int read_memory(void *data, u32 address, void *to, u32 bytes)
{
	(void)data;
	if (address + bytes > MEMORY)
		memset(to, 0, bytes);
	else
		memcpy(to, (u8 *)memory + address, bytes);
	return 0;
}

static u32 read_register(void *data, u32 offset)
{
	(void)data;
	return offset;
}

static void write_register(void *data, u32 offset, u32 value)
{
	(void)data;
	(void)offset;
	(void)value;
}

static const struct gvirt_scan_services services = {
	.read = read_memory,
	.reg_read = read_register,
	.reg_write = write_register,
};

/* Measuring. */

static long long now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ll + time.tv_nsec;
}

/* Nanoseconds that a call takes: the best of some rounds, as others share the machine. */
static double measure(void (*call)(const struct stream *stream), const struct stream *stream)
{
	double best = 0, took;
	long long start, end;
	unsigned int round, calls;

	for (round = 0; round < ROUNDS; round++) {
		start = now_ns();
		for (calls = 0, end = start; end - start < ROUND_NS / ROUNDS; end = now_ns())
			for (unsigned int i = 0; i < 16; i++, calls++)
				call(stream);
		took = (double)(end - start) / calls;
		if (!round || took < best)
			best = took;
	}
	return best;
}

static void must(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "audit_bench: %s\n", what);
	exit(1);
}

static void walk(const struct stream *stream)
{
	const struct gvirt_audit_request request = {
		.dwords = stream->dw, .count = stream->count, .kind = stream->kind,
		.engine = stream->engine, .ppgtt = true, .max_commands = ~0u, .max_dwords = ~0u,
		.max_patches = ARRAY_SIZE(patches), .patches = patches,
		.cmds = &gvirt_cmds_gen9, .regs = &gvirt_regs_gen9,
	};

	must(!gvirt_audit(&request).reason, "a recorded stream is refused");
}

static struct gvirt_scan_job job_of(const struct stream *stream)
{
	return (struct gvirt_scan_job) {
		.engine = stream->engine, .status = 0x1000, .use = &use, .copies = &copies,
	};
}

/* A batch that a ring calls is not there: an end stands in its place. */
static void submit(const struct stream *stream)
{
	const struct gvirt_scan_job job = job_of(stream);
	struct gvirt_ring_span span;

	must(gvirt_ring_span(sizeof(ring), 0, stream->count * 4 & ~7u, &span), "no such ring");
	must(!gvirt_scan_ring(&scan, &job, BUFFER, &span, ring), "a recorded ring is refused");
	gvirt_scan_copies_put(&scan, &copies);
}

static void copy_only(const struct stream *stream)
{
	read_memory(NULL, BUFFER, scan.ring.dwords, stream->count * 4);
	memcpy(ring, scan.ring.dwords, stream->count * 4);
	__asm__ volatile("" : : : "memory");
}

static void take_again(const struct stream *stream)
{
	const struct gvirt_scan_job job = job_of(stream);
	struct gvirt_scan_copy *copy = NULL;

	must(!gvirt_scan_workaround(&scan, &job, stream->kind, BUFFER, stream->count * 4, &copy),
	     "a recorded buffer is refused");
	gvirt_scan_copy_put(&scan.pool, &copy);
}

static void take_anew(const struct stream *stream)
{
	gvirt_scan_pool_forget(&scan.pool);
	take_again(stream);
}

/* What is looked for in a file. */

/**
 * struct found - Streams that are measured
 * @ring: the longest ring segment without batches in the GGTT
 * @buffer: the longest indirect context buffer
 * @ns: of one walk through all streams
 * @dwords: of all
 */
struct found {
	struct stream ring;
	struct stream buffer;
	double ns;
	u64 dwords;
};

static bool calls_ggtt_batch(const struct stream *stream)
{
	u32 i;

	for (i = 0; i < stream->count; i++)
		if (stream->dw[i] == 0x18800001)
			return true;
	return false;
}

static void look(const struct stream *stream, void *data)
{
	struct found *found = data;

	found->ns += measure(walk, stream);
	found->dwords += stream->count;
	if (stream->kind == GVIRT_AUDIT_RING && stream->count > found->ring.count &&
	    stream->count < 1024 && !calls_ggtt_batch(stream))
		found->ring = *stream;
	if (stream->kind == GVIRT_AUDIT_INDIRECT_CTX && stream->count > found->buffer.count)
		found->buffer = *stream;
}

static void report(const char *path, const struct found *found)
{
	double submission, copy, first, again;

	memcpy(memory + BUFFER / 4, found->ring.dw, found->ring.count * 4);
	submission = measure(submit, &found->ring);
	copy = measure(copy_only, &found->ring);
	memcpy(memory + BUFFER / 4, found->buffer.dw, found->buffer.count * 4);
	first = measure(take_anew, &found->buffer);
	again = measure(take_again, &found->buffer);
	printf("%s\n", path);
	printf("  walk of all streams: %.1f million dwords/s (%llu dwords)\n",
	       found->dwords * 1000 / found->ns, (unsigned long long)found->dwords);
	printf("  ring segment of %u dwords: %.0f ns a submission, %.1f times a copy alone\n",
	       found->ring.count, submission, submission / copy);
	printf("  workaround buffer of %u dwords: %.0f ns at first, %.0f ns again, ratio %.1f\n",
	       found->buffer.count, first, again, first / again);
}

int main(int argc, char **argv)
{
	static struct found found;
	int i;

	must(argc > 1, "give it files of recorded streams");
	must(!gvirt_scan_init(&scan, NULL, &window, &services, NULL), "no memory");
	for (i = 1; i < argc; i++) {
		memset(&found, 0, sizeof(found));
		must(stream_each(argv[i], look, &found) > 0, "cannot read a file");
		must(found.ring.count && found.buffer.count, "a file without rings or buffers");
		report(argv[i], &found);
	}
	gvirt_scan_fini(&scan);
	return 0;
}
