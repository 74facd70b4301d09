// SPDX-License-Identifier: GPL-2.0-only
/*
 * A guest that changes a buffer while it is audited: what runs is what was audited, so that none of
 * the hostile versions of it gets to the chip, whenever the guest writes them.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "hostile.h"

#define ROUNDS		8
/* How long one round may take that is not refused. */
#define ROUND_MS	40

/**
 * struct racer - A thread that writes one of two versions of a buffer, in turn
 * @at: the buffer
 * @count: its dwords
 * @version: good and hostile
 * @stop: end it
 * @thread: the thread
 */
struct racer {
	u32 *at;
	unsigned int count;
	u32 version[2][CMDS_MAX];
	bool stop;
	pthread_t thread;
};

static struct racer racer;

static void *race(void *data)
{
	struct racer *r = data;
	unsigned int turn, i;

	for (turn = 0; !__atomic_load_n(&r->stop, __ATOMIC_ACQUIRE); turn++)
		for (i = 0; i < r->count; i++)
			__atomic_store_n(&r->at[i], r->version[turn & 1][i], __ATOMIC_RELAXED);
	return NULL;
}

/* Both versions have as many dwords, so that commands start at the same places or at others. */
static void start_race(u32 *at, const struct cmds *good, const struct cmds *hostile)
{
	racer.at = at;
	racer.count = good->count > hostile->count ? good->count : hostile->count;
	memset(racer.version, 0, sizeof(racer.version));
	memcpy(racer.version[0], good->dw, good->count * sizeof(u32));
	memcpy(racer.version[1], hostile->dw, hostile->count * sizeof(u32));
	racer.stop = false;
	EXPECT_EQ(pthread_create(&racer.thread, NULL, race, &racer), 0);
}

static void stop_race(void)
{
	__atomic_store_n(&racer.stop, true, __ATOMIC_RELEASE);
	EXPECT_EQ(pthread_join(racer.thread, NULL), 0);
}

/* A refused request hangs, as on the chip: its driver resets the engine. */
static void settle(void)
{
	if (!engine_drain(vandal.engine, ROUND_MS))
		engine_reset(vandal.engine);
	ctx_reset(&vandal.ctx);
}

/* Stores of the vandal's own, of the same length as the loads of what is the host's. */
static void make_versions(struct cmds *good, struct cmds *hostile)
{
	unsigned int i;

	hostile_loads(hostile);
	for (i = 0; i + 4 <= hostile->count; i += 4)
		emit_store(good, GGTT, vandal.target.ggtt + i, i);
	emit_noops(good, hostile->count - good->count);
}

static void race_rounds(void (*submit)(const struct page *page), bool ends)
{
	struct page page = guest_page(&vandal.guest, NULL, 0);
	u32 *at = ram_cpu(&vandal.guest.ram, page.gpa);
	struct cmds good = { }, hostile = { };
	unsigned int i;

	make_versions(&good, &hostile);
	if (ends)
		at[good.count] = GEN9_MI_BATCH_BUFFER_END;
	memcpy(at, good.dw, good.count * sizeof(u32));
	start_race(at, &good, &hostile);
	for (i = 0; i < ROUNDS; i++) {
		submit(&page);
		settle();
	}
	stop_race();
	work_prove(&neighbour);
}

static void submit_batch(const struct page *page)
{
	struct cmds cmds = { };

	emit_batch(&cmds, GGTT, page->ggtt);
	hostile_submit(&cmds);
}

static void batch_changes(void)
{
	race_rounds(submit_batch, true);
}

/* The context's ring is the page that changes; the guest says where its tail is. */
static void submit_ring(const struct page *page)
{
	ctx_publish(&vandal.ctx);
	hostile_set(GEN9_CTX_RING_START, page->ggtt);
	hostile_set(GEN9_CTX_RING_CTL, GEN9_RING_CTL_VALID);
	hostile_set(GEN9_CTX_RING_HEAD, 0);
	hostile_set(GEN9_CTX_RING_TAIL, 32);
	hostile_go();
}

static void ring_changes(void)
{
	race_rounds(submit_ring, false);
}

static void submit_per_context(const struct page *page)
{
	hostile_image(GEN9_CTX_BB_PER_CTX_PTR, page->ggtt | GEN9_BB_PER_CTX_VALID);
}

static void per_context_changes(void)
{
	race_rounds(submit_per_context, true);
}

static void submit_indirect(const struct page *page)
{
	hostile_image(GEN9_CTX_INDIRECT_CTX, page->ggtt | 2);
}

static void indirect_changes(void)
{
	race_rounds(submit_indirect, false);
}

/* The table's entry that leads to the batch changes between the good one and a hostile one. */
static void mapping_changes(void)
{
	struct cmds good = { }, hostile = { };
	struct page to_good, to_hostile;
	unsigned int i;

	make_versions(&good, &hostile);
	to_good = guest_batch(&vandal.guest, NULL, 0, &good);
	to_hostile = guest_batch(&vandal.guest, NULL, 0, &hostile);
	for (i = 0; i < ROUNDS; i++) {
		submit_batch(&to_good);
		ggtt_map(&vandal.guest.ggtt, to_good.ggtt, to_hostile.gpa, 1);
		ggtt_map(&vandal.guest.ggtt, to_good.ggtt, to_good.gpa, 1);
		settle();
	}
}

/* Good once, kept, and hostile the next time: also where only the last dword is another one. */
static void kept_batch_changes(void)
{
	struct page page = guest_page(&vandal.guest, NULL, 0);
	u32 *at = ram_cpu(&vandal.guest.ram, page.gpa);
	u32 denied = vandal.engine->base + GEN9_RING_HWS_PGA;
	struct cmds cmds = { };
	unsigned int i;

	emit_store(&cmds, GGTT, vandal.target.ggtt, 1);
	emit_lri(&cmds, vandal.engine->base + GEN9_RING_CS_GPR(0), 5);
	emit_end(&cmds);
	for (i = 0; i < 8; i++) {
		memcpy(at, cmds.dw, cmds.count * sizeof(u32));
		if (i % 2)
			at[5] = denied;
		submit_batch(&page);
		EXPECT_EQ(engine_drain(vandal.engine, i % 2 ? ROUND_MS : PATIENCE_MS), !(i % 2));
		if (i % 2)
			engine_reset(vandal.engine);
		ctx_reset(&vandal.ctx);
	}
}

/* Two batches that start each other, and one that calls itself. */
static void batches_loop(void)
{
	struct page a = guest_page(&vandal.guest, NULL, 0), b = guest_page(&vandal.guest, NULL, 0);
	struct cmds to_a = { }, to_b = { }, cmds = { };

	emit_batch(&to_a, GGTT, a.ggtt);
	emit_batch(&to_b, GGTT, b.ggtt);
	memcpy(ram_cpu(&vandal.guest.ram, a.gpa), to_b.dw, to_b.count * sizeof(u32));
	memcpy(ram_cpu(&vandal.guest.ram, b.gpa), to_a.dw, to_a.count * sizeof(u32));
	emit_batch(&cmds, GGTT, a.ggtt);
	hostile_submit(&cmds);
}

static void batch_calls_itself(void)
{
	struct page page = guest_page(&vandal.guest, NULL, 0);
	u32 *at = ram_cpu(&vandal.guest.ram, page.gpa);

	at[0] = GEN9_MI_BATCH_BUFFER_START | GEN9_MI_BBS_SECOND_LEVEL | 1;
	at[1] = page.ggtt;
	at[2] = 0;
	at[3] = GEN9_MI_BATCH_BUFFER_END;
	submit_batch(&page);
}

/* The last command of a page goes on where nothing is. */
static void batch_overruns(void)
{
	struct page page = guest_page(&vandal.guest, NULL, 0);
	u32 *at = ram_cpu(&vandal.guest.ram, page.gpa);

	at[1023] = GEN9_MI_STORE_DATA_IMM | GEN9_CMD_LENGTH_10;
	submit_batch(&page);
}

static void indirect_overruns(void)
{
	struct page page = guest_page(&vandal.guest, NULL, 0);
	u32 *at = ram_cpu(&vandal.guest.ram, page.gpa);

	at[15] = GEN9_MI_LOAD_REGISTER_IMM | 1;
	at[16] = vandal.engine->base + GEN9_RING_HWS_PGA;
	hostile_image(GEN9_CTX_INDIRECT_CTX, page.ggtt | 1);
}

HOSTILE(batch_changes)
HOSTILE(ring_changes)
HOSTILE(per_context_changes)
HOSTILE(indirect_changes)
HOSTILE(mapping_changes)
HOSTILE(kept_batch_changes)
HOSTILE(batches_loop)
HOSTILE(batch_calls_itself)
HOSTILE(batch_overruns)
HOSTILE(indirect_overruns)

static const struct testcase tests[] = {
	{ "hostile-batch-changes", test_batch_changes },
	{ "hostile-ring-changes", test_ring_changes },
	{ "hostile-per-context-changes", test_per_context_changes },
	{ "hostile-indirect-changes", test_indirect_changes },
	{ "hostile-mapping-changes", test_mapping_changes },
	{ "hostile-kept-batch-changes", test_kept_batch_changes },
	{ "hostile-batches-loop", test_batches_loop },
	{ "hostile-batch-calls-itself", test_batch_calls_itself },
	{ "hostile-batch-overruns", test_batch_overruns },
	{ "hostile-indirect-overruns", test_indirect_overruns },
};

const struct testgroup hostile_race_tests = { tests, ARRAY_SIZE(tests) };
