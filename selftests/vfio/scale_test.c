// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many vGPUs on one GPU (make check-scale): all of them compute on all engines at once, with
 * the same addresses and different memory behind them; GGTT entries change all the time, also
 * at the top of the range; some vGPUs come and go meanwhile. Prints what one more costs.
 *
 *   SCALE_VGPUS=N vfio_scale_test	(64)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/kmem.h"
#include "lib/program.h"
#include "lib/share.h"
#include "lib/sort.h"
#include "lib/work.h"
#include "vgpu.h"

#define MOST		256u
#define PATH		"/sys/bus/mdev/devices/" VGPU_UUID
/* Apart from those of other programs. */
#define FIRST_ID	0x800u
#define ROUNDS		4u
#define STEPS		48u
#define NEIGHBOURS	3u
/* Entries that change each round: next to the low end, and the last ones of 4 GiB. */
#define CHURN_LOW	0x00081000u
#define CHURN_HIGH	0xffffe000u
#define COST_REPEATS	5u

/**
 * struct tenant - A vGPU and its guest
 * @path: of the mdev
 * @work: the guest, with an address space
 * @ctx: a context for each engine, all in that address space
 * @churn: pages that the changing entries lead to
 * @rounds: that it has done
 */
struct tenant {
	char path[128];
	struct work work;
	struct ctx ctx[ENGINES];
	u64 churn[2];
	u32 rounds;
};

static struct tenant tenants[MOST];
static unsigned int count = 64;
/* What making all of them took. */
static long made_kb;

static const u32 churned[] = { CHURN_LOW, CHURN_HIGH };

static void move_in(struct tenant *tenant)
{
	struct work *work = &tenant->work;
	unsigned int i;

	work_start(work, tenant->path, RCS, 4);
	for (i = 0; i < ENGINES; i++)
		ctx_init(&tenant->ctx[i], &work->guest.engine[i], &work->pp);
	tenant->rounds = 0;
}

static void move_all_in(unsigned int vgpus)
{
	unsigned int n;

	for (n = 0; n < vgpus; n++)
		move_in(&tenants[n]);
}

static u32 value_of(const struct tenant *tenant)
{
	return (u32)(tenant - tenants) << 16 | tenant->rounds;
}

/* Other pages behind the same addresses, as every tenant does it. */
static void churn(struct tenant *tenant)
{
	struct guest *guest = &tenant->work.guest;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(churned); i++) {
		tenant->churn[i] = ram_page(&guest->ram);
		ggtt_map(&guest->ggtt, churned[i], tenant->churn[i], 1);
	}
	ggtt_flush(&guest->ggtt);
}

/* On each engine: counts up by both spaces, and writes by the entries that have just changed. */
static void submit(struct tenant *tenant)
{
	struct work *work = &tenant->work;
	unsigned int id, i;

	for (id = 0; id < ENGINES; id++) {
		struct cmds cmds = { };

		emit_increment(&cmds, PPGTT, work->target_va + 4 * id);
		emit_increment(&cmds, GGTT, work->target.ggtt + 64 + 4 * id);
		for (i = 0; i < ARRAY_SIZE(churned); i++)
			emit_store(&cmds, GGTT, churned[i] + 4 * id, value_of(tenant));
		ctx_request(&tenant->ctx[id], &cmds);
		engine_submit(&work->guest.engine[id], &tenant->ctx[id], NULL);
	}
}

static void finish(struct tenant *tenant)
{
	unsigned int id;

	for (id = 0; id < ENGINES; id++) {
		ctx_wait(&tenant->ctx[id], tenant->ctx[id].seqno);
		EXPECT(engine_drain(&tenant->work.guest.engine[id], PATIENCE_MS));
	}
}

static void check(struct tenant *tenant)
{
	struct work *work = &tenant->work;
	unsigned int id, i;

	for (id = 0; id < ENGINES; id++) {
		work_expect(work, id, tenant->rounds + 1);
		work_expect(work, 16 + id, tenant->rounds + 1);
		for (i = 0; i < ARRAY_SIZE(churned); i++)
			guest_expect(&work->guest, tenant->churn[i] + 4 * id, value_of(tenant),
				     "the page behind a changed entry");
	}
	tenant->rounds++;
}

/* One round of all. */
static void round_of(unsigned int vgpus)
{
	unsigned int n;

	for (n = 0; n < vgpus; n++)
		churn(&tenants[n]);
	for (n = 0; n < vgpus; n++)
		submit(&tenants[n]);
	for (n = 0; n < vgpus; n++)
		finish(&tenants[n]);
	for (n = 0; n < vgpus; n++)
		check(&tenants[n]);
}

static void together(void)
{
	long before = kmem_all_kb(), idle, busy;
	unsigned int round;

	move_all_in(count);
	idle = kmem_all_kb();
	for (round = 0; round < ROUNDS; round++)
		round_of(count);
	busy = kmem_all_kb();
	printf("# %u vGPUs, %u contexts, %u rounds\n", count, count * ENGINES, ROUNDS);
	printf("# host memory of the last one, as it says: %llu KiB\n",
	       (unsigned long long)share_number(tenants[count - 1].path, "host_memory") >> 10);
	printf("# kernel memory of one more: made %ld KiB, open %ld KiB more, busy %ld KiB more\n",
	       made_kb / count, (idle - before) / count, (busy - idle) / count);
}

/* The upper half moves out and in, at random but the same each time, while some compute. */
static void come_and_go(void)
{
	bool here[MOST];
	unsigned int step, n, i;

	move_all_in(count);
	memset(here, true, sizeof(here));
	srand(1);
	for (step = 0; step < STEPS; step++) {
		n = count / 2 + (unsigned int)rand() % (count - count / 2);
		for (i = 0; i < NEIGHBOURS; i++) {
			churn(&tenants[(n + i) % (count / 2)]);
			submit(&tenants[(n + i) % (count / 2)]);
		}
		if (here[n]) {
			submit(&tenants[n]);
			work_stop(&tenants[n].work);
			EXPECT_EQ(vgpu_remove(FIRST_ID + n), 0);
		} else {
			EXPECT_EQ(vgpu_create(FIRST_ID + n), 0);
			move_in(&tenants[n]);
			work_prove(&tenants[n].work);
		}
		here[n] = !here[n];
		for (i = 0; i < NEIGHBOURS; i++) {
			finish(&tenants[(n + i) % (count / 2)]);
			check(&tenants[(n + i) % (count / 2)]);
		}
	}
	for (n = 0; n < count; n++)
		if (!here[n])
			EXPECT_EQ(vgpu_create(FIRST_ID + n), 0);
}

static double cost_us(unsigned int vgpus, unsigned int rounds)
{
	u64 before = vdev_now_ms();
	unsigned int i;

	for (i = 0; i < rounds; i++)
		round_of(vgpus);
	return (vdev_now_ms() - before) * 1e3 / (rounds * vgpus * ENGINES);
}

/* The same work by few and by all, in turns. */
static void costs(void)
{
	double few[COST_REPEATS], all[COST_REPEATS], cost_few, cost_all;
	unsigned int i;

	move_all_in(count);
	round_of(count);
	for (i = 0; i < COST_REPEATS; i++) {
		few[i] = cost_us(2, count / 2);
		all[i] = cost_us(count, 1);
	}
	cost_few = sort_figures(few, COST_REPEATS);
	cost_all = sort_figures(all, COST_REPEATS);
	printf("# cost of a submission at %u vGPUs and at 2: %.2f (%.0f us, %.0f us)\n", count,
	       cost_all / cost_few, cost_all, cost_few);
}

static const struct testcase tests[] = {
	{ "scale-together", together },
	{ "scale-come-and-go", come_and_go },
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
	if (count < 8 || count > MOST || count % 2) {
		fprintf(stderr, "SCALE_VGPUS is an even number of 8 to %u\n", MOST);
		return EXIT_FAILURE;
	}
	for (n = 0; n < count; n++)
		snprintf(tenants[n].path, sizeof(tenants[n].path), PATH, FIRST_ID + n);
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
