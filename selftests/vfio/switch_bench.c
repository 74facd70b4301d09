// SPDX-License-Identifier: GPL-2.0-only
/*
 * What bringing a vGPU's GGTT entries before an engine costs, measured (make bench-switch): two
 * vGPUs take turns on an engine with commands that name the same addresses; before each
 * submission, some of the entries behind these have changed. Prints ratios, and counts of
 * entries that were written to the chip's table, which have to be those that changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lib/program.h"
#include "lib/share.h"
#include "lib/sort.h"
#include "lib/work.h"
#include "vgpu.h"

#define VGPUS		2u
/* Apart from those of other programs. */
#define FIRST_ID	0x700u
#define PATH		"/sys/bus/mdev/devices/" VGPU_UUID
#define ROUNDS		15u
/* Pages that a submission names at most, each by a store; 2 MiB apart from all else. */
#define PAGES		128u
#define FIRST		0x40000000u
/* Entries that no command ever names. */
#define OTHERS		0x80000000u
#define OTHERS_PAGES	16384u

/**
 * struct tenant - A vGPU and its guest
 * @path: of the mdev
 * @work: the guest
 * @page: two pages for each address, which take turns behind it
 * @which: by address: the one that is there
 */
struct tenant {
	char path[128];
	struct work work;
	u64 page[PAGES][2];
	bool which[PAGES];
};

static struct tenant tenants[VGPUS];

static void move_in(struct tenant *tenant)
{
	struct guest *guest = &tenant->work.guest;
	unsigned int i;

	work_start(&tenant->work, tenant->path, BCS, 4);
	for (i = 0; i < PAGES; i++) {
		tenant->page[i][0] = ram_page(&guest->ram);
		tenant->page[i][1] = ram_page(&guest->ram);
		tenant->which[i] = false;
		ggtt_map(&guest->ggtt, FIRST + i * GEN9_TABLE_SIZE, tenant->page[i][0], 1);
	}
	ggtt_flush(&guest->ggtt);
}

/* Other pages behind the first @count addresses. */
static void change(struct tenant *tenant, unsigned int count)
{
	struct guest *guest = &tenant->work.guest;
	unsigned int i;

	for (i = 0; i < count; i++) {
		tenant->which[i] = !tenant->which[i];
		ggtt_map(&guest->ggtt, FIRST + i * GEN9_TABLE_SIZE,
			 tenant->page[i][tenant->which[i]], 1);
	}
	ggtt_flush(&guest->ggtt);
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

/* A store to each of the first @pages addresses. Returns the time to its end, in us. */
static double submit(struct tenant *tenant, unsigned int pages, u32 value)
{
	struct work *work = &tenant->work;
	struct cmds cmds = { };
	unsigned int i;
	double start;

	for (i = 0; i < pages; i++)
		emit_store(&cmds, GGTT, FIRST + i * GEN9_TABLE_SIZE, value);
	ctx_request(&work->ctx, &cmds);
	start = now_us();
	engine_submit(work->engine, &work->ctx, NULL);
	ctx_wait(&work->ctx, work->ctx.seqno);
	start = now_us() - start;
	EXPECT(engine_drain(work->engine, PATIENCE_MS));
	for (i = 0; i < pages; i++)
		guest_expect(&work->guest, tenant->page[i][tenant->which[i]], value,
			     "the page behind an address");
	return start;
}

/* Median of submissions of the first @vgpus vGPUs in turn, with @changed entries each time. */
static double measure(unsigned int vgpus, unsigned int pages, unsigned int changed)
{
	u64 before[VGPUS], written;
	double us[ROUNDS * VGPUS];
	unsigned int i, n;

	for (n = 0; n < vgpus; n++) {
		change(&tenants[n], 0);
		submit(&tenants[n], pages, 1);
		before[n] = share_number(tenants[n].path, "window_remaps");
	}
	for (i = 0; i < ROUNDS * vgpus; i++) {
		change(&tenants[i % vgpus], changed);
		us[i] = submit(&tenants[i % vgpus], pages, 2 + i);
	}
	for (n = 0; n < vgpus; n++) {
		written = share_number(tenants[n].path, "window_remaps") - before[n];
		EXPECT_EQ(written, ROUNDS * changed);
	}
	return sort_figures(us, ROUNDS * vgpus);
}

static void move_all_in(void)
{
	unsigned int n;

	for (n = 0; n < VGPUS; n++)
		move_in(&tenants[n]);
	measure(VGPUS, PAGES, PAGES);
}

static void bench_difference(void)
{
	static const unsigned int changed[] = { 0, 1, 4, 16, 64, PAGES };
	double us[ARRAY_SIZE(changed)], all;
	unsigned int i;

	move_all_in();
	for (i = 0; i < ARRAY_SIZE(changed); i++)
		us[i] = measure(VGPUS, PAGES, changed[i]);
	all = us[ARRAY_SIZE(changed) - 1] - us[0];
	for (i = 0; i < ARRAY_SIZE(changed); i++)
		printf("# difference: %3u of %u entries: %.0f us; %.2f of what all of them cost\n",
		       changed[i], PAGES, us[i], (us[i] - us[0]) / all);
}

/* The same difference, in ranges of several lengths. */
static void bench_range(void)
{
	static const unsigned int pages[] = { 16, 32, 64, PAGES };
	unsigned int i;
	double none;

	move_all_in();
	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		none = measure(VGPUS, pages[i], 0);
		printf("# range: 16 entries of %3u: %.0f us, with none %.0f us\n", pages[i],
		       measure(VGPUS, pages[i], 16), none);
	}
}

/* A table that is full of what no command names costs nothing. */
static void bench_table(void)
{
	double empty, full;
	unsigned int n;

	move_all_in();
	empty = measure(VGPUS, PAGES, 16);
	for (n = 0; n < VGPUS; n++)
		ggtt_map(&tenants[n].work.guest.ggtt, OTHERS, tenants[n].page[0][0], OTHERS_PAGES);
	full = measure(VGPUS, PAGES, 16);
	printf("# table: 16 entries, with %u others that are mapped: %.2f of what they cost without\n",
	       OTHERS_PAGES, full / empty);
}

static void bench_alone(void)
{
	double alone, turns;

	move_all_in();
	alone = measure(1, PAGES, 0);
	turns = measure(VGPUS, PAGES, 0);
	printf("# switch: a submission of two vGPUs in turn costs %.2f of one vGPU's alone (%.0f us, %.0f us)\n",
	       turns / alone, turns, alone);
}

static const struct testcase benches[] = {
	{ "switch-difference", bench_difference },
	{ "switch-range", bench_range },
	{ "switch-table", bench_table },
	{ "switch-alone", bench_alone },
};

static const struct testgroup group = { benches, ARRAY_SIZE(benches) };

int main(void)
{
	const struct testgroup *const groups[] = { &group };
	unsigned int n;
	int failed;

	for (n = 0; n < VGPUS; n++)
		snprintf(tenants[n].path, sizeof(tenants[n].path), PATH, FIRST_ID + n);
	if (!vgpu_create_all(FIRST_ID, VGPUS))
		return EXIT_FAILURE;
	failed = test_run_groups(groups, ARRAY_SIZE(groups));
	vgpu_remove_all(FIRST_ID, VGPUS);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
