// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast the silicon model itself is.
 *
 * Every figure is a ratio of two runs made side by side, interleaved, since
 * the machines are noisy: the median of ROUNDS ratios, with the smallest and
 * the largest. The absolute medians are printed beside it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/array_size.h>
#include <gvirt/gen9_blt.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_pte.h>
#include "blt.h"
#include "cs.h"
#include "device.h"
#include "dma.h"
#include "ggtt.h"
#include "mmu.h"
#include "stats.h"
#include "vfu_protocol.h"
#include "vfu_server.h"

#define ROUNDS		11
#define RAM_SIZE	(64u << 20)
#define RAM_IOVA	0x100000000ull

/* Layout of the RAM: page tables, ring, batch, then two surfaces. */
#define PML4_AT		0x0000u
#define PDP_AT		0x1000u
#define PD_AT		0x2000u
#define PT_AT		0x3000u		/* 16 tables: 32 MiB in 4K pages */
#define RING_AT		0x20000u
#define RING_SIZE	0x10000u
#define SURFACE_AT	(16u << 20)
#define SURFACE_SIZE	(4u << 20)
#define MAPPED_SIZE	(32u << 20)

struct bench {
	struct gm_stats stats;
	struct gm_dma *dma;
	struct gm_ggtt *ggtt;
	struct gm_mmu *mmu;
	u8 *ram;
	int fd;
};

/* One side of a comparison: does @count operations; returns how long it took, ns. */
typedef double (*run_fn)(struct bench *bench, unsigned int count);

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare_doubles);
	return values[ROUNDS / 2];
}

/* Run both sides in turns and print how many times as long @a takes as @b, per operation. */
static void compare(struct bench *bench, const char *what, const char *name_a, run_fn a,
		    unsigned int count_a, const char *name_b, run_fn b, unsigned int count_b)
{
	double ns_a[ROUNDS], ns_b[ROUNDS], ratio[ROUNDS], middle;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		ns_a[i] = a(bench, count_a) / count_a;
		ns_b[i] = b(bench, count_b) / count_b;
		ratio[i] = ns_a[i] / ns_b[i];
	}
	middle = median(ratio);
	printf("%-24s %s / %s = %.3g  (%.3g to %.3g; medians %.4g ns, %.4g ns)\n", what, name_a,
	       name_b, middle, ratio[0], ratio[ROUNDS - 1], median(ns_a), median(ns_b));
}

static void put_entry(struct bench *bench, u32 table, unsigned int index, u64 target)
{
	u64 entry = target | GEN9_PTE_PRESENT | GEN9_PTE_RW;

	memcpy(bench->ram + table + index * 8, &entry, sizeof(entry));
}

/* PPGTT address = offset in RAM, for the first MAPPED_SIZE bytes; the GGTT likewise. */
static void map_memory(struct bench *bench)
{
	const u64 pdp[4] = { RAM_IOVA + PML4_AT };
	u32 page;

	put_entry(bench, PML4_AT, 0, RAM_IOVA + PDP_AT);
	put_entry(bench, PDP_AT, 0, RAM_IOVA + PD_AT);
	for (page = 0; page < MAPPED_SIZE >> 12; page++) {
		u32 table = PT_AT + (page >> 9) * 4096;
		u64 entry = (RAM_IOVA + page * 4096ull) | GEN9_GGTT_PRESENT;

		put_entry(bench, PD_AT, page >> 9, RAM_IOVA + table);
		put_entry(bench, table, page & 511, RAM_IOVA + page * 4096ull);
		gm_ggtt_access(bench->ggtt, page * 8ull, &entry, sizeof(entry), true);
	}
	gm_mmu_set_ppgtt(bench->mmu, true, pdp);
	gm_mmu_invalidate(bench->mmu);
}

static bool setup(struct bench *bench)
{
	bench->fd = memfd_create("bench-ram", MFD_CLOEXEC);
	if (bench->fd < 0 || ftruncate(bench->fd, RAM_SIZE))
		return false;
	bench->ram = mmap(NULL, RAM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, bench->fd, 0);
	bench->dma = gm_dma_create(&bench->stats);
	bench->ggtt = gm_ggtt_create(GEN9_GGTT_TABLE_SIZE);
	if (bench->ram == MAP_FAILED || !bench->dma || !bench->ggtt)
		return false;
	if (gm_dma_map(bench->dma, RAM_IOVA, RAM_SIZE, bench->fd, 0, GM_DMA_READ | GM_DMA_WRITE))
		return false;
	bench->mmu = gm_mmu_create(GM_BCS, bench->dma, bench->ggtt, &bench->stats);
	if (!bench->mmu)
		return false;
	map_memory(bench);
	return true;
}

/* Address translation. */

static double run_tlb_hit(struct bench *bench, unsigned int count)
{
	double start = now_ns();
	u64 iova, contig;
	unsigned int i;

	for (i = 0; i < count; i++)
		gm_mmu_translate(bench->mmu, GM_SPACE_PPGTT, SURFACE_AT + (i & 7) * 4096, false,
				 &iova, &contig);
	return now_ns() - start;
}

static double run_walk(struct bench *bench, unsigned int count)
{
	double start = now_ns();
	u64 iova, contig;
	unsigned int i;

	for (i = 0; i < count; i++) {
		gm_mmu_invalidate(bench->mmu);
		gm_mmu_translate(bench->mmu, GM_SPACE_PPGTT, SURFACE_AT + (i & 7) * 4096, false,
				 &iova, &contig);
	}
	return now_ns() - start;
}

/* Blits, count of 4 MiB surfaces. */

static double run_memcpy(struct bench *bench, unsigned int count)
{
	double start = now_ns();
	unsigned int i;

	for (i = 0; i < count; i++)
		memcpy(bench->ram + SURFACE_AT + SURFACE_SIZE, bench->ram + SURFACE_AT,
		       SURFACE_SIZE);
	return now_ns() - start;
}

/* A copy of 1024 x 1024 pixels of 32 bits. A tiled pitch is in dwords. */
static double run_copy(struct bench *bench, unsigned int count, u32 tiling)
{
	const u32 pitch = tiling == GEN9_FAST_COPY_LINEAR ? 4096 : 4096 / 4;
	const u32 cmd[10] = {
		GEN9_XY_FAST_COPY_BLT | (10 - GEN9_CMD_LENGTH_BIAS) |
			tiling << GEN9_FAST_COPY_SRC_SHIFT | tiling << GEN9_FAST_COPY_DST_SHIFT,
		GEN9_FAST_COPY_DEPTH_32 << GEN9_FAST_COPY_DEPTH_SHIFT | pitch,
		0, 1024 << 16 | 1024,
		SURFACE_AT + SURFACE_SIZE, 0,
		0, pitch,
		SURFACE_AT, 0,
	};
	struct gm_blt blt = { .mmu = bench->mmu, .dma = bench->dma, .stats = &bench->stats };
	double start = now_ns();
	unsigned int i;

	for (i = 0; i < count; i++)
		if (gm_blt_execute(&blt, GM_SPACE_PPGTT, 0, cmd, ARRAY_SIZE(cmd)) != GM_BLT_DONE)
			abort();
	return now_ns() - start;
}

static double run_linear_copy(struct bench *bench, unsigned int count)
{
	return run_copy(bench, count, GEN9_FAST_COPY_LINEAR);
}

static double run_x_copy(struct bench *bench, unsigned int count)
{
	return run_copy(bench, count, GEN9_FAST_COPY_X);
}

static double run_y_copy(struct bench *bench, unsigned int count)
{
	return run_copy(bench, count, GEN9_FAST_COPY_Y);
}

/* Commands, from a ring that is filled with copies of one. */

static u32 no_read(void *opaque, u32 offset)
{
	(void)opaque;
	(void)offset;
	return 0;
}

static void no_write(void *opaque, u32 offset, u32 value)
{
	(void)opaque;
	(void)offset;
	(void)value;
}

static double run_ring(struct bench *bench, unsigned int count, const u32 *cmd, u32 dwords)
{
	struct gm_cs *cs = calloc(1, sizeof(*cs));
	u32 *ring = (u32 *)(bench->ram + RING_AT);
	u32 used = RING_SIZE / 8;	/* dwords: half of the ring, whole commands */
	double start;
	u32 i;

	if (!cs)
		abort();
	for (i = 0; i < used; i++)
		ring[i] = cmd[i % dwords];
	cs->engine = GM_BCS;
	cs->base = GEN9_BCS_BASE;
	cs->mmu = bench->mmu;
	cs->dma = bench->dma;
	cs->stats = &bench->stats;
	cs->services.reg_read = no_read;
	cs->services.reg_write = no_write;
	gm_cs_init(cs);
	cs->ppgtt = true;
	gm_cs_set(cs, GEN9_RING_START, RING_AT);
	gm_cs_set(cs, GEN9_RING_CTL, (RING_SIZE - 4096) | GEN9_RING_CTL_VALID);

	start = now_ns();
	for (i = 0; i < count; i++) {
		if (i % (used / dwords) == 0) {
			gm_cs_set(cs, GEN9_RING_HEAD, 0);
			gm_cs_set(cs, GEN9_RING_TAIL, used * 4);
		}
		if (gm_cs_step(cs) > GM_CS_IDLE)
			abort();
	}
	start = now_ns() - start;
	free(cs);
	return start;
}

static double run_noops(struct bench *bench, unsigned int count)
{
	const u32 cmd[] = { GEN9_MI_NOOP };

	return run_ring(bench, count, cmd, ARRAY_SIZE(cmd));
}

static double run_stores(struct bench *bench, unsigned int count)
{
	const u32 cmd[] = {
		GEN9_MI_STORE_DATA_IMM | (4 - GEN9_CMD_LENGTH_BIAS), SURFACE_AT, 0, 0x12345678,
	};

	return run_ring(bench, count, cmd, ARRAY_SIZE(cmd));
}

/* Register accesses. */

static void no_interrupt(void *opaque, bool level)
{
	(void)opaque;
	(void)level;
}

/**
 * struct served - A device behind a socket, served by a thread
 * @device: the device
 * @vfu: its description
 * @server: the server
 * @client: the client's end
 * @thread: runs serve()
 * @fd: the server's end
 */
struct served {
	struct gm_device *device;
	struct gm_vfu_device vfu;
	struct gm_vfu_server *server;
	int client;
	pthread_t thread;
	int fd;
};

static void *serve(void *opaque)
{
	struct served *served = opaque;

	gm_vfu_server_run(served->server, served->fd);
	return NULL;
}

/* What a round trip costs without the server: a thread that sends back what it gets. */
static void *echo(void *opaque)
{
	struct served *served = opaque;
	char buf[64];
	ssize_t got;

	while ((got = recv(served->fd, buf, sizeof(buf), 0)) > 0)
		if (send(served->fd, buf, got, MSG_NOSIGNAL) != got)
			break;
	return NULL;
}

static void start_thread(struct served *served, void *(*body)(void *))
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		abort();
	served->client = fds[0];
	served->fd = fds[1];
	if (pthread_create(&served->thread, NULL, body, served))
		abort();
}

static void stop_thread(struct served *served)
{
	close(served->client);
	pthread_join(served->thread, NULL);
	close(served->fd);
}

/* Send @size bytes and wait for @answer bytes. */
static void exchange(int fd, const void *request, size_t size, size_t answer)
{
	char buf[256];

	if (send(fd, request, size, MSG_NOSIGNAL) != (ssize_t)size ||
	    recv(fd, buf, answer, MSG_WAITALL) != (ssize_t)answer)
		abort();
}

static void negotiate(int fd)
{
	struct {
		struct vfu_header header;
		struct vfu_version version;
	} request = { .header = { .command = VFU_VERSION } };
	struct vfu_header reply;
	char rest[4096];

	request.header.size = sizeof(request.header) + sizeof(request.version);
	if (send(fd, &request, request.header.size, MSG_NOSIGNAL) < 0 ||
	    recv(fd, &reply, sizeof(reply), MSG_WAITALL) != sizeof(reply) ||
	    recv(fd, rest, reply.size - sizeof(reply), MSG_WAITALL) < 0)
		abort();
}

/* A read of @region_offset of BAR0, which is a register, by message. */
static double read_registers(int fd, unsigned int count)
{
	struct {
		struct vfu_header header;
		struct vfu_region_access access;
	} __attribute__((packed)) request = {
		.header = { .command = VFU_REGION_READ, .size = sizeof(request) },
		.access = { .offset = GEN9_FENCE_LO(0), .count = 4 },
	};
	double start = now_ns();
	unsigned int i;

	for (i = 0; i < count; i++)
		exchange(fd, &request, sizeof(request), sizeof(request) + 4);
	return now_ns() - start;
}

static double run_message_read(struct bench *bench, unsigned int count)
{
	const struct gm_device_config config = {
		.platform = gm_platform_find("skl-gt2"),
		.interrupt = no_interrupt,
	};
	struct served served = { .device = gm_device_create(&config) };
	double took;

	(void)bench;
	if (!served.device)
		abort();
	gm_device_describe(served.device, &served.vfu);
	served.server = gm_vfu_server_create(&served.vfu);
	start_thread(&served, serve);
	negotiate(served.client);
	took = read_registers(served.client, count);
	stop_thread(&served);
	gm_vfu_server_destroy(served.server);
	gm_device_destroy(served.device);
	return took;
}

static double run_echo(struct bench *bench, unsigned int count)
{
	struct served served = { 0 };
	char message[32] = { 0 };
	double start;
	unsigned int i;

	(void)bench;
	start_thread(&served, echo);
	start = now_ns();
	for (i = 0; i < count; i++)
		exchange(served.client, message, sizeof(message), sizeof(message));
	start = now_ns() - start;
	stop_thread(&served);
	return start;
}

int main(void)
{
	static struct bench bench;

	if (!setup(&bench)) {
		fprintf(stderr, "model_bench: not enough memory: 64 MiB of shared memory are needed\n");
		return EXIT_FAILURE;
	}
	printf("Time per operation, as ratios of runs in turns: median of %d (least to most; medians).\n",
	       ROUNDS);
	compare(&bench, "register read", "message", run_message_read, 2000, "bare socket", run_echo,
		2000);
	compare(&bench, "command", "store dword", run_stores, 200000, "no-op", run_noops, 200000);
	compare(&bench, "address", "4-level walk", run_walk, 100000, "TLB hit", run_tlb_hit,
		100000);
	compare(&bench, "4 MiB linear blit", "fast copy", run_linear_copy, 8, "memcpy", run_memcpy,
		8);
	compare(&bench, "4 MiB X-tiled blit", "fast copy", run_x_copy, 8, "memcpy", run_memcpy, 8);
	compare(&bench, "4 MiB Y-tiled blit", "fast copy", run_y_copy, 8, "memcpy", run_memcpy, 8);
	if (gm_stats_misuse_total(&bench.stats)) {
		fprintf(stderr, "model_bench: the benchmark misused the model: its figures are void\n");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
