// SPDX-License-Identifier: GPL-2.0-only
/*
 * One of many guests.
 */
#include <stdio.h>
#include <gvirt/gen9_pte.h>

#include "ktap.h"
#include "tenant.h"

/*
 * Entries that change each round: next to the low end, and the last but one of 4 GiB; and
 * their neighbours, which change at any time.
 */
#define CHURN_LOW	0x00081000u
#define CHURN_HIGH	0xffffe000u
#define NEXT_TO(address)	((address) ^ GEN9_TABLE_SIZE)

static const u32 churned[] = { CHURN_LOW, CHURN_HIGH };

static void map_either(struct tenant *tenant, unsigned int i, unsigned int which)
{
	ggtt_map(&tenant->work.guest.ggtt, NEXT_TO(churned[i]), tenant->either[i][which], 1);
}

void tenant_move_in(struct tenant *tenant)
{
	struct work *work = &tenant->work;
	unsigned int i;

	work_start(work, tenant->path, RCS, 4);
	for (i = 0; i < ENGINES; i++)
		ctx_init(&tenant->ctx[i], &work->guest.engine[i], &work->pp);
	for (i = 0; i < 2 * ARRAY_SIZE(churned); i++) {
		tenant->churn[i / 2][i % 2] = ram_page(&work->guest.ram);
		tenant->either[i / 2][i % 2] = ram_page(&work->guest.ram);
	}
	for (i = 0; i < ARRAY_SIZE(churned); i++)
		map_either(tenant, i, 0);
	tenant->rounds = 0;
}

u32 tenant_value(const struct tenant *tenant)
{
	return tenant->number << 16 | tenant->rounds;
}

/* The page that an entry leads to in this round. */
static u64 churn_page(const struct tenant *tenant, unsigned int i)
{
	return tenant->churn[i][tenant->rounds % 2];
}

void tenant_churn(struct tenant *tenant)
{
	struct guest *guest = &tenant->work.guest;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(churned); i++)
		ggtt_map(&guest->ggtt, churned[i], churn_page(tenant, i), 1);
}

/* On each engine: counts up by both spaces, and writes by the entries that have just changed. */
void tenant_submit(struct tenant *tenant)
{
	struct work *work = &tenant->work;
	unsigned int id, i;

	for (id = 0; id < ENGINES; id++) {
		struct cmds cmds = { };

		emit_increment(&cmds, PPGTT, work->target_va + 4 * id);
		emit_increment(&cmds, GGTT, work->target.ggtt + 64 + 4 * id);
		for (i = 0; i < ARRAY_SIZE(churned); i++) {
			emit_store(&cmds, GGTT, churned[i] + 4 * id, tenant_value(tenant));
			emit_store(&cmds, GGTT, NEXT_TO(churned[i]) + 4 * id, tenant_value(tenant));
		}
		ctx_request(&tenant->ctx[id], &cmds);
		engine_submit(&work->guest.engine[id], &tenant->ctx[id], NULL);
	}
}

void tenant_finish_on(struct tenant *tenant, unsigned int id)
{
	ctx_wait(&tenant->ctx[id], tenant->ctx[id].seqno);
	EXPECT(engine_drain(&tenant->work.guest.engine[id], PATIENCE_MS));
}

void tenant_finish(struct tenant *tenant)
{
	unsigned int id;

	for (id = 0; id < ENGINES; id++)
		tenant_finish_on(tenant, id);
}

/* Whatever the entry was when the command was looked at, it led to one of the two. */
static void check_either(struct tenant *tenant, unsigned int i, unsigned int id)
{
	struct ram *ram = &tenant->work.guest.ram;
	u32 value = tenant_value(tenant);

	if (ram_read(ram, tenant->either[i][0] + 4 * id) != value &&
	    ram_read(ram, tenant->either[i][1] + 4 * id) != value)
		test_fail("vGPU %u: a store by an entry that changes went to neither page",
			  tenant->number);
}

void tenant_check(struct tenant *tenant)
{
	u32 value = tenant_value(tenant);
	struct work *work = &tenant->work;
	unsigned int id, i;

	for (id = 0; id < ENGINES; id++) {
		work_expect(work, id, tenant->rounds + 1);
		work_expect(work, 16 + id, tenant->rounds + 1);
		for (i = 0; i < ARRAY_SIZE(churned); i++) {
			guest_expect(&work->guest, churn_page(tenant, i) + 4 * id, value,
				     "the page behind a changed entry");
			check_either(tenant, i, id);
		}
	}
	tenant->rounds++;
}

static void *churn_on(void *data)
{
	struct churner *churner = data;
	unsigned int n, i, which;

	for (which = 1; !churner->stop; which = !which)
		for (n = 0; n < churner->vgpus && !churner->stop; n++)
			for (i = 0; i < ARRAY_SIZE(churned); i++, churner->changes++)
				map_either(&churner->tenants[n], i, which);
	return NULL;
}

void churner_start(struct churner *churner, struct tenant *tenants, unsigned int vgpus)
{
	*churner = (struct churner) { .tenants = tenants, .vgpus = vgpus };
	EXPECT_EQ(pthread_create(&churner->thread, NULL, churn_on, churner), 0);
}

void churner_stop(struct churner *churner)
{
	churner->stop = true;
	EXPECT_EQ(pthread_join(churner->thread, NULL), 0);
	EXPECT(churner->changes >= 2 * churner->vgpus);
	printf("# %lu entries changed while commands ran that named them\n", churner->changes);
}
