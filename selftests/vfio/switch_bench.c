// SPDX-License-Identifier: GPL-2.0-only
/*
 * What bringing a vGPU's GGTT entries before an engine costs, measured (make bench-switch): two
 * vGPUs take turns on an engine with commands that name the same addresses; before each
 * submission, some of the entries behind these have changed. Prints ratios. The entries that were
 * written to the chip's table have to be those that changed; what is brought in while another vGPU
 * has the engine must not cost when that lets go of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <gvirt/gen9_cmds.h>

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
/* Dword of the target. */
#define HELD		910
/* What is left to do when the entries are written; with them in less than the chip's patience. */
#define PREPARE_US	20000

/**
 * struct tenant - A vGPU and its guest
 * @path: of the mdev
 * @work: the guest
 * @page: two pages for each address, which take turns behind it
 * @which: by address: the one that is there
 * @loop: a batch that keeps the engine
 */
struct tenant {
	char path[128];
	struct work work;
	u64 page[PAGES][2];
	bool which[PAGES];
	struct page loop;
};

static struct tenant tenants[VGPUS];

/* A batch that starts itself until it is told to end. */
static void make_loop(struct tenant *tenant)
{
	struct work *work = &tenant->work;
	struct cmds loop = { };

	emit_noops(&loop, 1);
	emit_increment(&loop, PPGTT, work->target_va + 4 * HELD);
	emit_batch(&loop, PPGTT, work->batch_va);
	tenant->loop = guest_batch(&work->guest, &work->pp, work->batch_va, &loop);
}

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
	make_loop(tenant);
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

/* A store to each of the first @pages addresses. */
static void request(struct tenant *tenant, unsigned int pages, u32 value)
{
	struct cmds cmds = { };
	unsigned int i;

	for (i = 0; i < pages; i++)
		emit_store(&cmds, GGTT, FIRST + i * GEN9_TABLE_SIZE, value);
	ctx_request(&tenant->work.ctx, &cmds);
}

static void check(struct tenant *tenant, unsigned int pages, u32 value)
{
	unsigned int i;

	EXPECT(engine_drain(tenant->work.engine, PATIENCE_MS));
	for (i = 0; i < pages; i++)
		guest_expect(&tenant->work.guest, tenant->page[i][tenant->which[i]], value,
			     "the page behind an address");
}

/* Returns the time to the end of the stores, in us. */
static double submit(struct tenant *tenant, unsigned int pages, u32 value)
{
	struct work *work = &tenant->work;
	double start;

	request(tenant, pages, value);
	start = now_us();
	engine_submit(work->engine, &work->ctx, NULL);
	ctx_wait(&work->ctx, work->ctx.seqno);
	start = now_us() - start;
	check(tenant, pages, value);
	return start;
}

static u64 written_for(const struct tenant *tenant)
{
	return share_number(tenant->path, "window_remaps");
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
		before[n] = written_for(&tenants[n]);
	}
	for (i = 0; i < ROUNDS * vgpus; i++) {
		change(&tenants[i % vgpus], changed);
		us[i] = submit(&tenants[i % vgpus], pages, 2 + i);
	}
	for (n = 0; n < vgpus; n++) {
		written = written_for(&tenants[n]) - before[n];
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

/* The vGPU has the engine, and cannot be made to leave it. */
static void hold(struct tenant *tenant)
{
	struct work *work = &tenant->work;
	u64 held = work_dword(work, HELD), end = vdev_now_ms() + PATIENCE_MS;
	struct cmds cmds = { };

	ram_write(&work->guest.ram, held, 0);
	ram_write(&work->guest.ram, tenant->loop.gpa, GEN9_MI_NOOP);
	emit_arb(&cmds, false);
	emit_batch(&cmds, PPGTT, tenant->loop.va);
	emit_arb(&cmds, true);
	ctx_request(&work->ctx, &cmds);
	engine_submit(work->engine, &work->ctx, NULL);
	while (!ram_read(&work->guest.ram, held))
		EXPECT(vdev_now_ms() < end);
}

static void let_go(struct tenant *tenant)
{
	ram_write(&tenant->work.guest.ram, tenant->loop.gpa, GEN9_MI_BATCH_BUFFER_END);
}

/* Time from the one's letting go to the end of the other's stores. */
static double take_over(struct tenant *from, struct tenant *to, unsigned int changed, u32 value)
{
	u64 before = written_for(to), end = vdev_now_ms() + PATIENCE_MS;
	double start;

	request(to, PAGES, value);
	change(to, changed);
	hold(from);
	engine_submit(to->work.engine, &to->work.ctx, NULL);
	while (written_for(to) < before + changed)
		EXPECT(vdev_now_ms() < end);
	usleep(PREPARE_US);
	EXPECT(ctx_seqno(&to->work.ctx) != to->work.ctx.seqno);
	start = now_us();
	let_go(from);
	ctx_wait(&to->work.ctx, to->work.ctx.seqno);
	start = now_us() - start;
	EXPECT_EQ(written_for(to), before + changed);
	ctx_wait(&from->work.ctx, from->work.ctx.seqno);
	EXPECT(engine_drain(from->work.engine, PATIENCE_MS));
	check(to, PAGES, value);
	return start;
}

static double measure_ahead(unsigned int changed)
{
	double us[ROUNDS];
	unsigned int i;

	for (i = 0; i < ROUNDS; i++)
		us[i] = take_over(&tenants[i % 2], &tenants[(i + 1) % 2], changed, 2 + i);
	return sort_figures(us, ROUNDS);
}

/* What has changed is brought in with a submission: while another has the engine, or not. */
static void bench_ahead(void)
{
	static const unsigned int changed[] = { 0, 16, PAGES };
	double ahead[ARRAY_SIZE(changed)], then[ARRAY_SIZE(changed)];
	const unsigned int last = ARRAY_SIZE(changed) - 1;
	unsigned int i;

	move_all_in();
	for (i = 0; i < ARRAY_SIZE(changed); i++) {
		ahead[i] = measure_ahead(changed[i]);
		then[i] = measure(VGPUS, PAGES, changed[i]);
		printf("# ahead: %3u of %u entries: from one vGPU to the next in %.0f us; if they are brought in only then, %.0f us\n",
		       changed[i], PAGES, ahead[i], then[i]);
	}
	EXPECT(ahead[last] - ahead[0] < (then[last] - then[0]) / 2);
}

static const struct testcase benches[] = {
	{ "switch-difference", bench_difference },
	{ "switch-range", bench_range },
	{ "switch-table", bench_table },
	{ "switch-alone", bench_alone },
	{ "switch-ahead", bench_ahead },
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
