// SPDX-License-Identifier: GPL-2.0-only
/*
 * What following a guest's page tables costs in each mode, side by side. A guest with a CPU
 * (see selftests/vfio/lib/vcpu.h) stores to its tables and submits; time, exits and compared
 * tables of each round are those of stores and submission together.
 *
 * Modes take turns within a run, several times, and the fastest turn of each counts: what the
 * machine does besides only ever adds. What is printed are ratios to async.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vfio/lib/program.h"
#include "vfio/lib/vcpu.h"
#include "vfio/lib/work.h"

#define PAGE		4096ull
#define SIZE_2M		BIT_ULL(GEN9_PAGE_SHIFT_2M)
#define VA		0x0000004567000000ull
#define ENTRIES		512u
#define MOST_CONTEXTS	16u
#define TURNS		3u
#define WARM_UP		24u

enum mode {
	STRICT,
	ASYNC,
	ADAPTIVE,
	MODES
};

static const char *const mode_names[MODES] = { "strict", "async", "adaptive" };

/**
 * struct load - What a guest does
 * @name: of it
 * @contexts: address spaces, each with a context, used in turn
 * @tables: page tables of each
 * @changed: how many of them are stored to in a round
 * @entries: that are stored to in each of these
 * @rounds: that are measured
 */
struct load {
	const char *name;
	unsigned int contexts;
	unsigned int tables;
	unsigned int changed;
	unsigned int entries;
	unsigned int rounds;
};

/**
 * struct cost - What it cost, per round
 * @us: time
 * @exits: stores to protected tables
 * @compares: tables that were compared
 */
struct cost {
	double us;
	double exits;
	double compares;
};

static struct work work;
static struct ppgtt space[MOST_CONTEXTS];
static struct ctx ctx[MOST_CONTEXTS];
static u64 pages[2];

static void attribute_path(char *path, size_t size, const char *name)
{
	if (strncmp(target(0), "kvm:", 4))
		test_skip("this takes a vGPU with a VM");
	snprintf(path, size, "%.400s/gvirt/%.64s", target(0) + 4, name);
}

static u64 counter(const char *name)
{
	unsigned long long value;
	char path[512];
	FILE *file;

	attribute_path(path, sizeof(path), name);
	file = fopen(path, "r");
	EXPECT(file && fscanf(file, "%llu", &value) == 1);
	fclose(file);
	return value;
}

static void set_mode(enum mode mode)
{
	char path[512];
	FILE *file;

	attribute_path(path, sizeof(path), "shadow_mode");
	file = fopen(path, "w");
	EXPECT(file && fputs(mode_names[mode], file) >= 0);
	EXPECT_EQ(fclose(file), 0);
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

/* All tables that a round may change lie next to each other in the address space. */
static void make_space(const struct load *load, unsigned int n)
{
	unsigned int i;

	ppgtt_init(&space[n], &work.guest.ram, 4, PPGTT_SPARSE);
	for (i = 0; i < load->tables; i++)
		ppgtt_map(&space[n], VA + i * SIZE_2M, pages[0], GEN9_PAGE_SHIFT_4K);
	ctx_init(&ctx[n], work.engine, &space[n]);
}

static void change(const struct load *load, unsigned int round)
{
	struct ppgtt *pp = &space[round % load->contexts];
	struct vdev_store stores[ENTRIES];
	unsigned int i, n, table;
	u64 first;

	for (n = 0; n < load->changed; n++) {
		table = (round * load->changed + n) * 7 % load->tables;
		first = ram_gpa(&work.guest.ram,
				ppgtt_entry(pp, VA + table * SIZE_2M, GEN9_PAGE_SHIFT_4K));
		for (i = 0; i < load->entries; i++)
			stores[i] = (struct vdev_store) {
				.gpa = first + i * sizeof(u64),
				.value = pages[round & 1] | GEN9_PTE_PRESENT | GEN9_PTE_RW,
			};
		work.guest.dev.ops->store(&work.guest.dev, stores, load->entries);
	}
}

static void submit(const struct load *load, unsigned int round)
{
	struct cmds cmds = { };

	emit_flush_tlb(&cmds, work.target.ggtt + 4088);
	emit_store(&cmds, GGTT, work.target.ggtt, round);
	ctx_run(&ctx[round % load->contexts], &cmds);
}

static void run_turn(const struct load *load, enum mode mode, struct cost *best)
{
	u64 exits, compares;
	unsigned int round;
	double us;

	set_mode(mode);
	for (round = 0; round < WARM_UP * load->contexts; round++) {
		change(load, round);
		submit(load, round);
	}
	exits = counter("shadow_exits");
	compares = counter("shadow_compares");
	us = now_us();
	for (round = 0; round < load->rounds; round++) {
		change(load, round);
		submit(load, round);
	}
	us = (now_us() - us) / load->rounds;
	if (best->us && us >= best->us)
		return;
	best->us = us;
	best->exits = (double)(counter("shadow_exits") - exits) / load->rounds;
	best->compares = (double)(counter("shadow_compares") - compares) / load->rounds;
}

static void run_load(const struct load *load)
{
	struct cost cost[MODES] = { };
	unsigned int n, turn;
	enum mode mode;

	work_start(&work, target(0), BCS, 4);
	pages[0] = ram_page(&work.guest.ram);
	pages[1] = ram_page(&work.guest.ram);
	for (n = 0; n < load->contexts; n++)
		make_space(load, n);
	for (turn = 0; turn < TURNS; turn++)
		for (mode = 0; mode < MODES; mode++)
			run_turn(load, mode, &cost[mode]);
	for (mode = 0; mode < MODES; mode++)
		printf("# %-16s %-8s time %5.2f of async, exits %8.2f, tables compared %8.2f per round\n",
		       load->name, mode_names[mode], cost[mode].us / cost[ASYNC].us,
		       cost[mode].exits, cost[mode].compares);
	EXPECT_EQ(counter("shadow_lost"), 0);
	work_stop(&work);
	set_mode(ADAPTIVE);
	/* What does not depend on the machine. */
	EXPECT(cost[ADAPTIVE].exits <= 2 * load->changed);
	EXPECT(load->changed || cost[ADAPTIVE].compares == 0);
	EXPECT(load->changed || cost[STRICT].compares == 0);
}

#define LOAD(name, ...)						\
static void name(void)						\
{								\
	static const struct load load = { #name, __VA_ARGS__ };	\
								\
	run_load(&load);					\
}

/* Contexts, tables of each, changed in a round, entries of each, rounds. */
LOAD(steady_4gib, 1, 2048, 0, 0, 40)
LOAD(steady_contexts, 16, 64, 0, 0, 64)
LOAD(sparse_change, 1, 2048, 1, 1, 40)
LOAD(dense_burst, 1, 4, 4, 512, 12)
LOAD(bulk_in_large, 1, 512, 4, 512, 12)
LOAD(hot_entry, 1, 1, 1, 1, 60)
LOAD(many_contexts, 16, 64, 1, 8, 64)

static const struct testcase tests[] = {
	{ "steady-4gib", steady_4gib },
	{ "steady-contexts", steady_contexts },
	{ "sparse-change", sparse_change },
	{ "dense-burst", dense_burst },
	{ "bulk-in-large", bulk_in_large },
	{ "hot-entry", hot_entry },
	{ "many-contexts", many_contexts },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
