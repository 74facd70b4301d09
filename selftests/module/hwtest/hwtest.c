// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the hardware layer and of the scheduler, in the kernel: the module's own
 * drivers/gvirt/hw and model/sched, with these tests in the place of what would use
 * them. Takes the GPU as gvirt does, runs all tests, logs their results as KTAP, and
 * gives the GPU back. The load fails when a test does.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/device.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include "compat.h"
#include "hw/gpu.h"
#include "hw/platform.h"
#include "hwtest.h"

#define MAX_EVENTS	16
#define ASK_MS		20000

/**
 * struct watcher - Owner of an engine that writes down what it is told
 * @engine: which
 * @wake: woken by each event
 * @who: contexts that left, in order
 * @why: why they left
 * @events: how many
 * @ready: how often the port became free
 * @user: how often an MI_USER_INTERRUPT was reported
 */
struct watcher {
	struct gvirt_engine *engine;
	wait_queue_head_t wake;
	struct gvirt_context *who[MAX_EVENTS];
	enum gvirt_left why[MAX_EVENTS];
	atomic_t events;
	atomic_t ready;
	atomic_t user;
};

/* One test runs at a time; its first wrong expectation makes it fail, and it goes on. */
static bool failed;

void hwtest_expect(bool holds, const char *what, const char *test, int line)
{
	if (holds)
		return;
	pr_info("# %s:%d: expected %s\n", test, line, what);
	failed = true;
}

static bool ask;
module_param(ask, bool, 0400);
MODULE_PARM_DESC(ask, "Somebody reads the log and injects the faults that are asked for");

static bool done;
module_param(done, bool, 0600);
MODULE_PARM_DESC(done, "The fault that was asked for has been injected");

bool hwtest_may_ask(void)
{
	return ask;
}

bool hwtest_ask(const char *what)
{
	unsigned int i;

	WRITE_ONCE(done, false);
	pr_info("# please inject %s\n", what);
	for (i = 0; i < ASK_MS / 20 && !READ_ONCE(done); i++)
		msleep(20);
	return READ_ONCE(done);
}

static void on_left(void *owner, struct gvirt_context *context, enum gvirt_left why)
{
	struct watcher *watcher = owner;
	unsigned int n = atomic_read(&watcher->events);

	if (n < MAX_EVENTS) {
		watcher->who[n] = context;
		watcher->why[n] = why;
	}
	atomic_inc_return_release(&watcher->events);
	wake_up_all(&watcher->wake);
}

static void on_ready(void *owner)
{
	struct watcher *watcher = owner;

	atomic_inc(&watcher->ready);
	wake_up_all(&watcher->wake);
}

static void on_user(void *owner, u32 events)
{
	struct watcher *watcher = owner;

	atomic_inc(&watcher->user);
	wake_up_all(&watcher->wake);
}

static const struct gvirt_engine_ops watch_ops = {
	.left = on_left,
	.ready = on_ready,
	.user = on_user,
};

static void watch(struct watcher *watcher, struct gvirt_engine *engine)
{
	*watcher = (struct watcher) { .engine = engine };
	init_waitqueue_head(&watcher->wake);
	gvirt_engine_attach(engine, &watch_ops, watcher);
}

static bool wait_for(struct watcher *watcher, const atomic_t *counter, int value)
{
	return wait_event_timeout(watcher->wake, atomic_read_acquire(counter) >= value,
				  msecs_to_jiffies(WAIT_MS));
}

static bool left(const struct watcher *watcher, unsigned int n, const struct job *job,
		 enum gvirt_left why)
{
	return n < atomic_read(&watcher->events) && watcher->who[n] == &job->context &&
	       watcher->why[n] == why;
}

/* Who was reset is told where it stood: at the wait of @job. */
static bool stood_in(const struct gvirt_engine *engine, const struct job *job)
{
	const struct gvirt_engine_dump *dump = &engine->dump;

	return dump->steady && dump->context == gvirt_context_id(&job->context) &&
	       (dump->ipehr & GEN9_MI_OPCODE_MASK) == GEN9_MI_SEMAPHORE_WAIT &&
	       (dump->tail & GEN9_RING_TAIL_MASK) == job->context.tail && !dump->eir;
}

/**
 * struct pair - Two jobs and a watcher for one engine
 * @a: a job
 * @b: another one
 * @watcher: owner of the engine
 */
struct pair {
	struct job a;
	struct job b;
	struct watcher watcher;
};

static int make_pair(struct pair *pair, struct gvirt_gpu *gpu, enum gvirt_engine_id engine)
{
	int err = job_init(&pair->a, gpu, engine);

	if (err)
		return err;
	err = job_init(&pair->b, gpu, engine);
	if (err)
		job_fini(&pair->a);
	else
		watch(&pair->watcher, gpu->engine[engine]);
	return err;
}

/* A test that failed may have left its jobs with the engine. */
static void free_pair(struct pair *pair, struct gvirt_gpu *gpu)
{
	struct gvirt_engine *engine = pair->watcher.engine;

	if (gvirt_engine_wait_idle(engine, 1))
		gvirt_reset_engine(&gpu->reset, engine);
	gvirt_engine_attach(engine, NULL, NULL);
	job_fini(&pair->a);
	job_fini(&pair->b);
}

/* Tests on one engine. */

static void two_elements(struct gvirt_gpu *gpu, struct pair *p)
{
	EXPECT(!job_emit_store(&p->a, job_address(&p->a, RESULT), 1));
	EXPECT(!job_emit_store(&p->b, job_address(&p->b, RESULT), 2));
	EXPECT(!gvirt_engine_submit(p->watcher.engine, &p->a.context, &p->b.context));
	EXPECT(wait_for(&p->watcher, &p->watcher.events, 2));
	EXPECT(left(&p->watcher, 0, &p->a, GVIRT_LEFT_COMPLETE));
	EXPECT(left(&p->watcher, 1, &p->b, GVIRT_LEFT_COMPLETE));
	EXPECT(job_result(&p->a) == 1 && job_result(&p->b) == 2);
	EXPECT(wait_for(&p->watcher, &p->watcher.user, 1));
	EXPECT(!gvirt_engine_wait_idle(p->watcher.engine, WAIT_MS));
}

static void preempt(struct gvirt_gpu *gpu, struct pair *p)
{
	EXPECT(!job_emit_wait(&p->a));
	EXPECT(!job_emit_store(&p->a, job_address(&p->a, RESULT), 1));
	EXPECT(!job_emit_store(&p->b, job_address(&p->b, RESULT), 2));
	EXPECT(!gvirt_engine_submit(p->watcher.engine, &p->a.context, NULL));
	EXPECT(wait_for(&p->watcher, &p->watcher.ready, 1));
	EXPECT(gvirt_engine_wait_idle(p->watcher.engine, 20) == -ETIMEDOUT);

	EXPECT(!gvirt_engine_submit(p->watcher.engine, &p->b.context, NULL));
	EXPECT(wait_for(&p->watcher, &p->watcher.events, 2));
	EXPECT(left(&p->watcher, 0, &p->a, GVIRT_LEFT_PREEMPTED));
	EXPECT(left(&p->watcher, 1, &p->b, GVIRT_LEFT_COMPLETE));
	EXPECT(job_result(&p->a) == 0 && job_result(&p->b) == 2);

	/* From where it was. */
	job_release(&p->a);
	EXPECT(!gvirt_engine_submit(p->watcher.engine, &p->a.context, NULL));
	EXPECT(wait_for(&p->watcher, &p->watcher.events, 3));
	EXPECT(left(&p->watcher, 2, &p->a, GVIRT_LEFT_COMPLETE));
	EXPECT(job_result(&p->a) == 1);
}

/* The preempted one is in the new list: it has not left. */
static void preempt_and_queue(struct gvirt_gpu *gpu, struct pair *p)
{
	EXPECT(!job_emit_wait(&p->a));
	EXPECT(!job_emit_store(&p->a, job_address(&p->a, RESULT), 1));
	EXPECT(!job_emit_store(&p->b, job_address(&p->b, RESULT), 2));
	EXPECT(!gvirt_engine_submit(p->watcher.engine, &p->a.context, NULL));
	EXPECT(wait_for(&p->watcher, &p->watcher.ready, 1));
	EXPECT(!gvirt_engine_submit(p->watcher.engine, &p->b.context, &p->a.context));
	EXPECT(wait_for(&p->watcher, &p->watcher.events, 1));
	EXPECT(left(&p->watcher, 0, &p->b, GVIRT_LEFT_COMPLETE));
	job_release(&p->a);
	EXPECT(wait_for(&p->watcher, &p->watcher.events, 2));
	EXPECT(left(&p->watcher, 1, &p->a, GVIRT_LEFT_COMPLETE));
	EXPECT(job_result(&p->a) == 1 && job_result(&p->b) == 2);
}

/* More work for the context that runs: it goes on, and leaves once. */
static void lite_restore(struct gvirt_gpu *gpu, struct pair *p)
{
	EXPECT(!job_emit_wait(&p->a));
	EXPECT(!gvirt_engine_submit(p->watcher.engine, &p->a.context, NULL));
	EXPECT(wait_for(&p->watcher, &p->watcher.ready, 1));
	EXPECT(!job_emit_store(&p->a, job_address(&p->a, RESULT), 1));
	EXPECT(!gvirt_engine_submit(p->watcher.engine, &p->a.context, NULL));
	EXPECT(wait_for(&p->watcher, &p->watcher.ready, 2));
	EXPECT(atomic_read(&p->watcher.events) == 0);
	job_release(&p->a);
	EXPECT(wait_for(&p->watcher, &p->watcher.events, 1));
	EXPECT(left(&p->watcher, 0, &p->a, GVIRT_LEFT_COMPLETE));
	EXPECT(job_result(&p->a) == 1);
	EXPECT(!gvirt_engine_wait_idle(p->watcher.engine, WAIT_MS));
}

static void refusals(struct gvirt_gpu *gpu, struct pair *p)
{
	struct gvirt_engine *engine = p->watcher.engine;

	EXPECT(gvirt_engine_submit(engine, &p->a.context, &p->a.context) == -EINVAL);
	EXPECT(job_emit_store(&p->a, 0, 0) == 0);
	while (!job_emit_store(&p->a, 0, 0))
		;
	EXPECT(job_emit_store(&p->a, 0, 0) == -ENOSPC);
	gvirt_engine_halt(engine);
	EXPECT(gvirt_engine_submit(engine, &p->b.context, NULL) == -EIO);
	EXPECT(!gvirt_reset_engine(&gpu->reset, engine));
}

static void reset_busy(struct gvirt_gpu *gpu, struct pair *p)
{
	struct gvirt_engine *engine = p->watcher.engine;

	EXPECT(!job_emit_wait(&p->a));
	EXPECT(!gvirt_engine_submit(engine, &p->a.context, &p->b.context));
	EXPECT(wait_for(&p->watcher, &p->watcher.ready, 1));
	EXPECT(!gvirt_reset_engine(&gpu->reset, engine));
	EXPECT(atomic_read(&p->watcher.events) == 2);
	EXPECT(left(&p->watcher, 0, &p->a, GVIRT_LEFT_LOST));
	EXPECT(left(&p->watcher, 1, &p->b, GVIRT_LEFT_LOST));
	EXPECT(stood_in(engine, &p->a));
	/* And works again. */
	gvirt_context_reset(&p->b.context);
	EXPECT(!job_emit_store(&p->b, job_address(&p->b, RESULT), 3));
	EXPECT(!gvirt_engine_submit(engine, &p->b.context, NULL));
	EXPECT(wait_for(&p->watcher, &p->watcher.events, 3));
	EXPECT(left(&p->watcher, 2, &p->b, GVIRT_LEFT_COMPLETE));
	EXPECT(job_result(&p->b) == 3);
}

/* A GGTT address that means another page now: the engine writes to that one. */
static void remap(struct gvirt_gpu *gpu, struct pair *p)
{
	struct gvirt_ggtt *ggtt = &gpu->ggtt;
	u32 window = gvirt_ggtt_alloc(ggtt, 1);
	unsigned int i;
	int err = 0;

	EXPECT(window);
	if (!window)
		return;
	for (i = 0; i < 8 && !err; i++) {
		struct job *target = i % 2 ? &p->b : &p->a;

		gvirt_ggtt_map(ggtt, window, target->context.state.dma, 1);
		gvirt_ggtt_flush(ggtt);
		gvirt_context_reset(&p->a.context);
		err = job_emit_store(&p->a, window + RESULT * sizeof(u32), 100 + i);
		err = err ?: gvirt_engine_submit(p->watcher.engine, &p->a.context, NULL);
		if (err || !wait_for(&p->watcher, &p->watcher.events, i + 1) ||
		    job_result(target) != 100 + i)
			err = -EINVAL;
	}
	gvirt_ggtt_free(ggtt, window, 1);
	EXPECT(!err);
	EXPECT(job_result(&p->a) == 106 && job_result(&p->b) == 107);
	EXPECT(!gvirt_engine_invalidate_tlb(p->watcher.engine));
}

/* What a submission costs in register accesses, when the engine is kept awake. */
static void cost(struct gvirt_gpu *gpu, struct pair *p)
{
	struct gvirt_mmio_stats *stats = &gpu->mmio.stats;
	const unsigned int rounds = 50;
	u64 reads, writes;
	unsigned int i;

	gvirt_mmio_get(&gpu->mmio, GVIRT_WELLS_ALL);
	reads = atomic64_read(&stats->reads);
	writes = atomic64_read(&stats->writes);
	for (i = 0; i < rounds; i++) {
		gvirt_context_reset(&p->a.context);
		if (job_emit_store(&p->a, job_address(&p->a, RESULT), i) ||
		    gvirt_engine_submit(p->watcher.engine, &p->a.context, NULL) ||
		    !wait_for(&p->watcher, &p->watcher.events, i + 1))
			break;
	}
	reads = atomic64_read(&stats->reads) - reads;
	writes = atomic64_read(&stats->writes) - writes;
	gvirt_mmio_put(&gpu->mmio, GVIRT_WELLS_ALL);
	EXPECT(i == rounds);
	pr_info("# %u submissions: %llu reads, %llu writes\n", rounds, reads, writes);
	/* Four for the port, and at most three interrupts (start, user, end) of five. */
	EXPECT(reads <= rounds * 3 * 2 + 2);
	EXPECT(writes <= rounds * (4 + 3 * 3) + 3);
}

/* Tests of the whole GPU. */

static void ggtt_full(struct gvirt_gpu *gpu)
{
	const u32 chunk = 1024, most = GVIRT_GGTT_HOST_SIZE / PAGE_SIZE / chunk;
	u32 *address = kcalloc(most + 1, sizeof(*address), GFP_KERNEL);
	unsigned int n = 0, i;
	bool good = true;

	EXPECT(address);
	if (!address)
		return;
	while (n <= most && (address[n] = gvirt_ggtt_alloc(&gpu->ggtt, chunk)))
		n++;
	for (i = 0; i < n; i++) {
		u32 first = address[i] >> PAGE_SHIFT;

		good &= first >= gpu->ggtt.host_first &&
			first + chunk < gpu->ggtt.entries &&
			gvirt_ggtt_read(&gpu->ggtt, first) == gpu->ggtt.scratch_pte;
		gvirt_ggtt_free(&gpu->ggtt, address[i], chunk);
	}
	kfree(address);
	EXPECT(n >= most / 2 && n <= most);
	EXPECT(good);
}

static void wells(struct gvirt_gpu *gpu)
{
	u64 before = atomic64_read(&gpu->mmio.stats.wakes);
	unsigned int i;

	/* They sleep, once nobody has used them for a while. */
	msleep(100);
	EXPECT(!READ_ONCE(gpu->mmio.awake));
	EXPECT(!gvirt_mmio_get(&gpu->mmio, GVIRT_WELLS_ALL));
	for (i = 0; i < 10; i++)
		gvirt_mmio_read(&gpu->mmio, 0x2000);
	EXPECT(atomic64_read(&gpu->mmio.stats.wakes) == before + GVIRT_WELLS);
	gvirt_mmio_put(&gpu->mmio, GVIRT_WELLS_ALL);
	EXPECT(gvirt_mmio_wells(0x2030) == GVIRT_WELL_RENDER);
	EXPECT(gvirt_mmio_wells(0x9400) == (GVIRT_WELL_RENDER | GVIRT_WELL_MEDIA));
	EXPECT(gvirt_mmio_wells(0x0b00) == 0 && gvirt_mmio_wells(0x0aff) == GVIRT_WELL_GT);
	EXPECT(gvirt_mmio_wells(0x3ffff) == GVIRT_WELL_MEDIA && gvirt_mmio_wells(0x40000) == 0);
}

/* All engines hold a job that does not end; the whole GT is reset. */
static void run_reset_all(struct gvirt_gpu *gpu, struct pair *pairs)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		EXPECT(!job_emit_wait(&pairs[i].a));
		EXPECT(!gvirt_engine_submit(gpu->engine[i], &pairs[i].a.context, NULL));
	}
	for (i = 0; i < GVIRT_ENGINES; i++)
		EXPECT(wait_for(&pairs[i].watcher, &pairs[i].watcher.ready, 1));
	EXPECT(!gvirt_reset_all(&gpu->reset, gpu->engine));
	for (i = 0; i < GVIRT_ENGINES; i++) {
		EXPECT(left(&pairs[i].watcher, 0, &pairs[i].a, GVIRT_LEFT_LOST));
		EXPECT(stood_in(gpu->engine[i], &pairs[i].a));
		gvirt_engine_attach(gpu->engine[i], NULL, NULL);
	}
	EXPECT(!gvirt_gpu_recover(gpu));
}

static void reset_all(struct gvirt_gpu *gpu)
{
	struct pair *pairs = kcalloc(GVIRT_ENGINES, sizeof(*pairs), GFP_KERNEL);
	unsigned int made = 0;

	EXPECT(pairs);
	if (!pairs)
		return;
	while (made < GVIRT_ENGINES && !make_pair(&pairs[made], gpu, made))
		made++;
	EXPECT(made == GVIRT_ENGINES);
	if (made == GVIRT_ENGINES)
		run_reset_all(gpu, pairs);
	while (made--)
		free_pair(&pairs[made], gpu);
	kfree(pairs);
}

static const struct {
	const char *name;
	void (*run)(struct gvirt_gpu *gpu, struct pair *pair);
} engine_tests[] = {
	{ "two-elements", two_elements },
	{ "preempt", preempt },
	{ "preempt-and-queue", preempt_and_queue },
	{ "lite-restore", lite_restore },
	{ "refusals", refusals },
	{ "reset-busy", reset_busy },
	{ "remap", remap },
	{ "cost", cost },
};

static const struct {
	const char *name;
	void (*run)(struct gvirt_gpu *gpu);
} gpu_tests[] = {
	{ "ggtt-full", ggtt_full },
	{ "wells", wells },
	{ "fences", hwtest_fences },
	{ "reset-all", reset_all },
};

static unsigned int number;
static unsigned int failures;

void hwtest_report(const char *name, const char *where)
{
	pr_info("%sok %u %s%s\n", failed ? "not " : "", ++number, name, where);
	failures += failed;
	failed = false;
}

static void run_engine_test(struct gvirt_gpu *gpu, unsigned int test)
{
	struct pair *pair = kzalloc(sizeof(*pair), GFP_KERNEL);
	char where[16];
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		bool made = pair && !make_pair(pair, gpu, i);

		EXPECT(made);
		if (made) {
			engine_tests[test].run(gpu, pair);
			free_pair(pair, gpu);
		}
		snprintf(where, sizeof(where), "-%s", gpu->engine[i]->name);
		hwtest_report(engine_tests[test].name, where);
	}
	kfree(pair);
}

static int hwtest_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct gvirt_gpu *gpu = gvirt_gpu_create(pdev, gvirt_platform_get(id));
	unsigned int i;

	if (IS_ERR(gpu))
		return PTR_ERR(gpu);
	pci_set_drvdata(pdev, gpu);
	for (i = 0; i < ARRAY_SIZE(engine_tests); i++)
		run_engine_test(gpu, i);
	for (i = 0; i < ARRAY_SIZE(gpu_tests); i++) {
		gpu_tests[i].run(gpu);
		hwtest_report(gpu_tests[i].name, "");
	}
	hwtest_sched(gpu);
	return 0;
}

static void hwtest_remove(struct pci_dev *pdev)
{
	gvirt_gpu_destroy(pci_get_drvdata(pdev));
}

static struct pci_driver hwtest_driver = {
	.name = KBUILD_MODNAME,
	.id_table = gvirt_platform_ids,
	.probe = hwtest_probe,
	.remove = hwtest_remove,
	.driver.probe_type = PROBE_FORCE_SYNCHRONOUS,
};

static int __init hwtest_init(void)
{
	int err = pci_register_driver(&hwtest_driver);

	if (err)
		return err;
	pci_unregister_driver(&hwtest_driver);
	pr_info("1..%u\n", number);
	return number && !failures ? 0 : -EIO;
}
module_init(hwtest_init);

static void __exit hwtest_exit(void)
{
}
module_exit(hwtest_exit);

MODULE_DESCRIPTION("Tests of gvirt's hardware layer and scheduler");
MODULE_LICENSE("GPL");
