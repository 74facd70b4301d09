// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many vGPUs on one GPU (make check-scale): all of them compute on all engines at once, with
 * the same addresses and different memory behind them; GGTT entries change all the time, also
 * at the top of the range, and also while commands that name them run; some vGPUs come and go
 * meanwhile; all have as much of the chip's GGTT as they may. What one more costs has bounds.
 *
 *   SCALE_VGPUS=N vfio_scale_test	(64)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <gvirt/gen9_pte.h>

#include "lib/kmem.h"
#include "lib/program.h"
#include "lib/share.h"
#include "lib/sort.h"
#include "tenant.h"
#include "vgpu.h"

#define MOST		256u
#define PATH		"/sys/bus/mdev/devices/" VGPU_UUID
/* Apart from those of other programs. */
#define FIRST_ID	0x800u
#define ROUNDS		4u
#define STEPS		48u
#define NEIGHBOURS	8u
#define COST_REPEATS	5u
/* What one of many may cost, compared with one of two. */
#define RATIO_MOST	1.3
/* Memory of a vGPU that computes like this, in KiB; checkers of a debug kernel take more. */
#define MEMORY_MOST_KB	2048
#define KMEMLEAK	"/sys/kernel/debug/kmemleak"
/* Pages that fill a vGPU's share of the chip's GGTT but for a few, and how many at once. */
#define FULL_FIRST	0x40000000u
#define FULL_PAGES	960u
#define FULL_STORES	240u

static struct tenant tenants[MOST];
static unsigned int count = 64;
/* What making all of them took. */
static long made_kb;

static void move_some_in(unsigned int first, unsigned int vgpus)
{
	unsigned int n;

	for (n = first; n < vgpus; n++)
		tenant_move_in(&tenants[n]);
}

static void move_all_in(void)
{
	move_some_in(0, count);
}

/* One round of all: entries of each change while those before it compute. */
static void round_of(unsigned int vgpus)
{
	unsigned int n;

	for (n = 0; n < vgpus; n++) {
		tenant_churn(&tenants[n]);
		tenant_submit(&tenants[n]);
	}
	for (n = 0; n < vgpus; n++)
		tenant_finish(&tenants[n]);
	for (n = 0; n < vgpus; n++)
		tenant_check(&tenants[n]);
}

static void expect_number(unsigned int n, const char *file, u64 value)
{
	u64 is = share_number(tenants[n].path, file);

	if (is != value)
		test_fail("vGPU %u: %s is %llu instead of %llu", n, file, (unsigned long long)is,
			  (unsigned long long)value);
}

/* Nothing was refused to anybody, or lost. */
static void expect_all_well(void)
{
	unsigned int n;

	for (n = 0; n < count; n++) {
		expect_number(n, "refused_requests", 0);
		expect_number(n, "lost_contexts", 0);
		expect_number(n, "oddities", 0);
	}
}

/* Who came last takes no more than who came first. */
static void expect_flat_memory(void)
{
	u64 least = ~0ull, most = 0, bytes;
	unsigned int n;

	for (n = 0; n < count; n++) {
		bytes = share_number(tenants[n].path, "host_memory");
		least = bytes < least ? bytes : least;
		most = bytes > most ? bytes : most;
	}
	printf("# host memory of each, as it says: %llu to %llu KiB\n",
	       (unsigned long long)least >> 10, (unsigned long long)most >> 10);
	EXPECT(most <= RATIO_MOST * least);
	EXPECT(most >> 10 <= MEMORY_MOST_KB);
}

static void together(void)
{
	long before = kmem_all_kb(), idle, busy;
	struct churner churner;
	unsigned int round;

	move_all_in();
	idle = kmem_all_kb();
	churner_start(&churner, tenants, count);
	for (round = 0; round < ROUNDS; round++)
		round_of(count);
	churner_stop(&churner);
	busy = kmem_all_kb();
	printf("# %u vGPUs, %u contexts, %u rounds\n", count, count * ENGINES, ROUNDS);
	printf("# kernel memory of one more: made %ld KiB, open %ld KiB more, busy %ld KiB more\n",
	       made_kb / count, (idle - before) / count, (busy - idle) / count);
	if (access(KMEMLEAK, F_OK))
		EXPECT((made_kb + busy - before) / count <= MEMORY_MOST_KB);
	expect_flat_memory();
	expect_all_well();
}

static void change_one(unsigned int n, bool here)
{
	if (here) {
		tenant_submit(&tenants[n]);
		work_stop(&tenants[n].work);
		EXPECT_EQ(vgpu_remove(FIRST_ID + n), 0);
	} else {
		EXPECT_EQ(vgpu_create(FIRST_ID + n), 0);
		tenant_move_in(&tenants[n]);
		work_prove(&tenants[n].work);
	}
}

/* The upper half moves out and in, at random but the same each time, while some compute. */
static void come_and_go(void)
{
	struct churner churner;
	unsigned int step, n, i;
	bool here[MOST];

	move_all_in();
	memset(here, true, sizeof(here));
	srand(1);
	churner_start(&churner, tenants, count / 2);
	for (step = 0; step < STEPS; step++) {
		n = count / 2 + (unsigned int)rand() % (count - count / 2);
		for (i = 0; i < NEIGHBOURS; i++) {
			tenant_churn(&tenants[(n + i) % (count / 2)]);
			tenant_submit(&tenants[(n + i) % (count / 2)]);
		}
		change_one(n, here[n]);
		here[n] = !here[n];
		for (i = 0; i < NEIGHBOURS; i++) {
			tenant_finish(&tenants[(n + i) % (count / 2)]);
			tenant_check(&tenants[(n + i) % (count / 2)]);
		}
	}
	churner_stop(&churner);
	for (n = 0; n < count; n++)
		if (!here[n])
			EXPECT_EQ(vgpu_create(FIRST_ID + n), 0);
	expect_all_well();
}

static void fill_some(struct tenant *tenant, u32 first)
{
	struct work *work = &tenant->work;
	struct ctx *ctx = &tenant->ctx[BCS];
	struct cmds cmds = { };
	u32 i;

	for (i = first; i < first + FULL_STORES; i++)
		emit_store(&cmds, GGTT, FULL_FIRST + i * (GEN9_TABLE_SIZE + 4),
			   tenant_value(tenant) + i);
	ctx_request(ctx, &cmds);
	engine_submit(&work->guest.engine[BCS], ctx, NULL);
}

/* Each names as many pages as it may at once; none has to give way to another. */
static void full(void)
{
	u64 page[MOST];
	unsigned int n;
	u32 i;

	move_all_in();
	for (n = 0; n < count; n++) {
		struct guest *guest = &tenants[n].work.guest;

		page[n] = ram_page(&guest->ram);
		for (i = 0; i < FULL_PAGES; i++)
			ggtt_write(&guest->ggtt, FULL_FIRST + i * GEN9_TABLE_SIZE,
				   page[n] | GEN9_GGTT_PRESENT);
		ggtt_flush(&guest->ggtt);
	}
	for (i = 0; i < FULL_PAGES; i += FULL_STORES) {
		for (n = 0; n < count; n++)
			fill_some(&tenants[n], i);
		for (n = 0; n < count; n++)
			tenant_finish_on(&tenants[n], BCS);
	}
	for (n = 0; n < count; n++) {
		for (i = 0; i < FULL_PAGES; i++)
			guest_expect(&tenants[n].work.guest, page[n] + 4 * i,
				     tenant_value(&tenants[n]) + i, "the page behind all entries");
		EXPECT(share_number(tenants[n].path, "window_pages") >= FULL_PAGES);
	}
	round_of(count);
	expect_all_well();
}

/**
 * struct cost - What a submission costs
 * @us: of time
 * @cpu_us: of all processors' time
 */
struct cost {
	double us;
	double cpu_us;
};

/* Time that processors were not idle, in ticks of 10 ms. */
static u64 busy_ticks(void)
{
	unsigned long long user, nice, system, idle, iowait, irq, softirq;
	FILE *file = fopen("/proc/stat", "r");

	EXPECT(file);
	EXPECT_EQ(fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system,
			 &idle, &iowait, &irq, &softirq), 7);
	fclose(file);
	return user + nice + system + irq + softirq;
}

/* Rounds of the first @vgpus vGPUs, as many submissions as all make in one. */
static struct cost measure(unsigned int vgpus)
{
	u64 start = vdev_now_ms(), ticks = busy_ticks();
	unsigned int n, work = count * ENGINES;

	for (n = 0; n < count / vgpus; n++)
		round_of(vgpus);
	return (struct cost) {
		.us = (vdev_now_ms() - start) * 1e3 / work,
		.cpu_us = (busy_ticks() - ticks) * 1e4 / work,
	};
}

static struct cost median(const struct cost *cost, unsigned int repeats)
{
	double us[COST_REPEATS], cpu_us[COST_REPEATS];
	unsigned int i;

	for (i = 0; i < repeats; i++) {
		us[i] = cost[i].us;
		cpu_us[i] = cost[i].cpu_us;
	}
	return (struct cost) { sort_figures(us, repeats), sort_figures(cpu_us, repeats) };
}

static bool is_flat(const char *what, struct cost much, struct cost little)
{
	printf("# cost of a submission, %s: %.2f (%.0f us, %.0f us); of processors' time: %.2f (%.0f us, %.0f us)\n",
	       what, much.us / little.us, much.us, little.us, much.cpu_us / little.cpu_us,
	       much.cpu_us, little.cpu_us);
	return much.us <= RATIO_MOST * little.us && much.cpu_us <= RATIO_MOST * little.cpu_us;
}

static struct cost measure_two(void)
{
	struct cost cost[COST_REPEATS];
	unsigned int i;

	for (i = 0; i < COST_REPEATS; i++)
		cost[i] = measure(2);
	return median(cost, COST_REPEATS);
}

/* By all and by two of them, in turns; what two of them cost. */
static bool all_is_flat(struct cost *two)
{
	struct cost few[COST_REPEATS], all[COST_REPEATS];
	unsigned int i;

	for (i = 0; i < COST_REPEATS; i++) {
		few[i] = measure(2);
		all[i] = measure(count);
	}
	*two = median(few, COST_REPEATS);
	return is_flat("all to two of them", median(all, COST_REPEATS), *two);
}

/* The same work by two alone, by two among many that are idle, and by all. */
static bool costs_are_flat(void)
{
	struct cost before, after, two;
	unsigned int n;
	bool flat;

	before = measure_two();
	move_some_in(2, count);
	round_of(count);
	flat = all_is_flat(&two);
	for (n = 2; n < count; n++)
		work_stop(&tenants[n].work);
	after = measure_two();
	/* The machine may have had less to do for others at one of both times. */
	return is_flat("two among idle ones to two alone", two,
		       before.us > after.us ? before : after) && flat;
}

static void costs(void)
{
	unsigned int tries;

	move_some_in(0, 2);
	round_of(2);
	for (tries = 0; tries < 3; tries++)
		if (costs_are_flat())
			return;
	test_fail("that is more than %.1f", RATIO_MOST);
}

static const struct testcase tests[] = {
	{ "scale-together", together },
	{ "scale-come-and-go", come_and_go },
	{ "scale-full", full },
	{ "scale-cost", costs },
};

static const struct testgroup group = { tests, ARRAY_SIZE(tests) };

int main(void)
{
	const struct testgroup *const groups[] = { &group };
	const char *vgpus = getenv("SCALE_VGPUS");
	int failed, available = vgpu_available();
	unsigned int n;

	if (vgpus)
		count = strtoul(vgpus, NULL, 0);
	if (count < 2 * NEIGHBOURS || count > MOST || count % 2) {
		fprintf(stderr, "SCALE_VGPUS is an even number of %u to %u\n", 2 * NEIGHBOURS,
			MOST);
		return EXIT_FAILURE;
	}
	for (n = 0; n < count; n++) {
		tenants[n].number = n;
		snprintf(tenants[n].path, sizeof(tenants[n].path), PATH, FIRST_ID + n);
	}
	made_kb = kmem_all_kb();
	if (!vgpu_create_all(FIRST_ID, count))
		return EXIT_FAILURE;
	made_kb = kmem_all_kb() - made_kb;
	failed = test_run_groups(groups, ARRAY_SIZE(groups));
	vgpu_remove_all(FIRST_ID, count);
	if (vgpu_available() != available) {
		printf("not all is given back: %d vGPUs can be made, %d before\n",
		       vgpu_available(), available);
		failed++;
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
