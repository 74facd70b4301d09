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

/* A copy of 1024 x 1024 pixels of 32 bits; X tiling when asked for. */
static double run_copy(struct bench *bench, unsigned int count, bool tiled)
{
	const u32 header = GEN9_XY_FAST_COPY_BLT | (10 - GEN9_CMD_LENGTH_BIAS) |
			   (tiled ? GEN9_FAST_COPY_SRC_X | GEN9_FAST_COPY_DST_X : 0);
	const u32 pitch = tiled ? 4096 / 4 : 4096;
	const u32 cmd[10] = {
		header,
		GEN9_FAST_COPY_DEPTH_32 | pitch,
		0, (1024u << 16) | 1024,
		SURFACE_AT + SURFACE_SIZE, 0,
		0, pitch,
		SURFACE_AT, 0,
	};
	const struct gm_blt blt = { .mmu = bench->mmu, .dma = bench->dma, .stats = &bench->stats };
	struct gm_blt *state = calloc(1, sizeof(*state));
	double start;
	unsigned int i;

	*state = blt;
	start = now_ns();
	for (i = 0; i < count; i++)
		if (gm_blt_execute(state, GM_SPACE_PPGTT, 0, cmd, ARRAY_SIZE(cmd)) != GM_BLT_DONE)
			abort();
	start = now_ns() - start;
	free(state);
	return start;
}

static double run_linear_copy(struct bench *bench, unsigned int count)
{
	return run_copy(bench, count, false);
}

static double run_tiled_copy(struct bench *bench, unsigned int count)
{
	return run_copy(bench, count, true);
}
