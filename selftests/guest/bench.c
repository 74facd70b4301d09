// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads for "make bench", and the time that they take. Nothing is checked here but that the
 * driver takes the work and the GPU ends it: that it computes what it should is what the tests
 * are for.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <linux/array_size.h>

#include "bench.h"
#include "ctx.h"
#include "exec.h"
#include "test.h"

#define MAX_CONTEXTS 64
#define MAX_OBJECTS 4
#define STRIDE 4096u

/**
 * struct load - what a measure works with
 * @gpu: device
 * @ops: operations in one run
 * @arg: of the measure
 * @ctx: contexts
 * @nctx: number of them, at least 1
 * @engine: engines that are used
 * @nengines: number of them
 * @batch: a batch for each engine
 * @bo: objects
 * @map: the first one, through the aperture
 */
struct load {
	struct gpu *gpu;
	unsigned int ops;
	u32 arg;
	u32 ctx[MAX_CONTEXTS];
	unsigned int nctx;
	const struct engine *engine[GPU_MAX_ENGINES];
	unsigned int nengines;
	struct batch batch[GPU_MAX_ENGINES];
	struct bo bo[MAX_OBJECTS];
	u32 *map;
};

/**
 * struct measure - one row of the result
 * @name: name
 * @setup: makes contexts, batches, objects
 * @run: does @ops operations, and waits for them
 * @ops: number of operations
 * @arg: size in bytes, number of contexts
 */
struct measure {
	const char *name;
	void (*setup)(struct load *l);
	void (*run)(struct load *l);
	unsigned int ops;
	u32 arg;
};

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static void use_engine(struct load *l, unsigned int class)
{
	for (unsigned int e = 0; e < l->gpu->nengines; e++) {
		if (l->gpu->engine[e]->class != class)
			continue;
		l->engine[l->nengines] = l->gpu->engine[e];
		batch_create(&l->batch[l->nengines++], l->gpu, 2 * PAGE_SIZE);
		return;
	}
	test_fail("there is no engine of class %u", class);
}

static void use_contexts(struct load *l, unsigned int n)
{
	l->nctx = n;
	for (unsigned int i = 0; i < n; i++)
		l->ctx[i] = n > 1 ? ctx_create(l->gpu) : 0;
}

static void submit(struct load *l, unsigned int engine, unsigned int ctx, const struct bo *bo)
{
	struct exec e;

	exec_init(&e, l->gpu, l->ctx[ctx % l->nctx], l->engine[engine]);
	if (bo)
		exec_add(&e, bo, EXEC_OBJECT_WRITE);
	exec_submit(&e, &l->batch[engine]);
}

static void finish(struct load *l)
{
	for (unsigned int e = 0; e < l->nengines; e++)
		bo_finish(&l->batch[e].bo, l->engine[e]->name);
}

/* Empty batches on the render engine, in @arg contexts. */
static void setup_one_engine(struct load *l)
{
	use_engine(l, I915_ENGINE_CLASS_RENDER);
	use_contexts(l, l->arg);
	batch_end(&l->batch[0]);
}

static void setup_all_engines(struct load *l)
{
	use_engine(l, I915_ENGINE_CLASS_RENDER);
	use_engine(l, I915_ENGINE_CLASS_COPY);
	use_engine(l, I915_ENGINE_CLASS_VIDEO);
	use_engine(l, I915_ENGINE_CLASS_VIDEO_ENHANCE);
	use_contexts(l, l->arg);
	for (unsigned int e = 0; e < l->nengines; e++)
		batch_end(&l->batch[e]);
}

static void run_one_by_one(struct load *l)
{
	for (unsigned int i = 0; i < l->ops; i++) {
		submit(l, 0, i, NULL);
		finish(l);
	}
}

static void run_queued(struct load *l)
{
	for (unsigned int i = 0; i < l->ops; i++)
		submit(l, i % l->nengines, i, NULL);
	finish(l);
}

/* A copy of @arg bytes. */
static void setup_blit(struct load *l)
{
	struct rect r = { .w = STRIDE / 4, .h = l->arg / STRIDE };
	struct surface s[2];

	use_engine(l, I915_ENGINE_CLASS_COPY);
	use_contexts(l, 1);
	for (unsigned int i = 0; i < 2; i++) {
		bo_create(&l->bo[i], l->gpu, l->arg);
		s[i] = (struct surface){ .bo = &l->bo[i], .stride = STRIDE };
	}
	emit_copy(&l->batch[0], &s[1], &r, &s[0], 0, 0);
	batch_end(&l->batch[0]);
}

static void run_blit(struct load *l)
{
	for (unsigned int i = 0; i < l->ops; i++) {
		struct exec e;

		exec_init(&e, l->gpu, 0, l->engine[0]);
		exec_add(&e, &l->bo[0], 0);
		exec_add(&e, &l->bo[1], EXEC_OBJECT_WRITE);
		exec_submit(&e, &l->batch[0]);
		finish(l);
	}
}

/*
 * Objects of @arg bytes at the same address, used in turn: before each submission the driver
 * unmaps one and maps the other, and both keep their memory.
 */
static void setup_remap(struct load *l)
{
	use_engine(l, I915_ENGINE_CLASS_COPY);
	use_contexts(l, 1);
	for (unsigned int i = 0; i < 2; i++)
		bo_create(&l->bo[i], l->gpu, l->arg);
	l->bo[1].addr = l->bo[0].addr;
	batch_end(&l->batch[0]);
}

static void run_remap(struct load *l)
{
	for (unsigned int i = 0; i < l->ops; i++) {
		submit(l, 0, 0, &l->bo[i % 2]);
		finish(l);
	}
}

/* Dwords through the aperture, stored and read in turn over @arg bytes. */
static void setup_aperture(struct load *l)
{
	bo_create(&l->bo[0], l->gpu, l->arg);
	l->map = bo_map_aperture(&l->bo[0]);
}

static void run_aperture(struct load *l)
{
	for (unsigned int i = 0; i < l->ops; i += 2) {
		u32 *at = &l->map[i * 32 % (l->arg / 4)];

		mem_write32(at, i);
		if (mem_read32(at) != i)
			test_fail("the aperture does not keep what is stored");
	}
}

/*
 * A desktop: three programs draw a frame each on the render engine, in pieces; a compositor
 * copies 256 KiB of each, and a new buffer comes in place of an old one. An operation is a frame.
 */
static void setup_desktop(struct load *l)
{
	struct rect r = { .w = STRIDE / 4, .h = 64 };
	struct surface s[2];

	use_engine(l, I915_ENGINE_CLASS_RENDER);
	use_engine(l, I915_ENGINE_CLASS_COPY);
	use_contexts(l, 3);
	for (unsigned int i = 0; i < 4; i++)
		bo_create(&l->bo[i], l->gpu, 64 * STRIDE);
	l->bo[3].addr = l->bo[2].addr;
	for (unsigned int i = 0; i < 2; i++)
		s[i] = (struct surface){ .bo = &l->bo[i], .stride = STRIDE };
	emit_store(&l->batch[0], l->bo[2].addr, 1);
	batch_end(&l->batch[0]);
	emit_copy(&l->batch[1], &s[1], &r, &s[0], 0, 0);
	batch_end(&l->batch[1]);
}

static void run_desktop(struct load *l)
{
	for (unsigned int i = 0; i < l->ops; i++) {
		struct exec e;

		for (unsigned int k = 0; k < 6; k++)
			submit(l, 0, k, &l->bo[2 + i % 2]);
		exec_init(&e, l->gpu, l->ctx[0], l->engine[1]);
		exec_add(&e, &l->bo[0], 0);
		exec_add(&e, &l->bo[1], EXEC_OBJECT_WRITE);
		exec_submit(&e, &l->batch[1]);
		finish(l);
	}
}

/*
 * A transcoder: small batches on the video and the render engine, one after the other for each
 * picture, whose buffer of @arg bytes is mapped for it. An operation is a picture.
 */
static void setup_transcode(struct load *l)
{
	use_engine(l, I915_ENGINE_CLASS_VIDEO);
	use_engine(l, I915_ENGINE_CLASS_RENDER);
	use_contexts(l, 1);
	for (unsigned int i = 0; i < 4; i++) {
		bo_create(&l->bo[i], l->gpu, l->arg);
		l->bo[i].addr = l->bo[0].addr;
	}
	for (unsigned int e = 0; e < 2; e++) {
		emit_store(&l->batch[e], l->bo[0].addr + 64 * e, e);
		batch_end(&l->batch[e]);
	}
}

static void run_transcode(struct load *l)
{
	for (unsigned int i = 0; i < l->ops; i++) {
		for (unsigned int k = 0; k < 4; k++)
			submit(l, k % 2, 0, &l->bo[i % 4]);
		finish(l);
	}
}

static const struct measure measures[] = {
	{ "latency", setup_one_engine, run_one_by_one, 20, 1 },
	{ "queue-1-engine", setup_one_engine, run_queued, 64, 1 },
	{ "queue-4-engines", setup_all_engines, run_queued, 64, 1 },
	{ "queue-8-contexts", setup_one_engine, run_queued, 64, 8 },
	{ "queue-64-contexts", setup_one_engine, run_queued, 128, 64 },
	{ "blit-4K", setup_blit, run_blit, 20, 4096 },
	{ "blit-256K", setup_blit, run_blit, 10, 256 << 10 },
	{ "blit-4M", setup_blit, run_blit, 5, 4 << 20 },
	{ "remap-4M", setup_remap, run_remap, 10, 4 << 20 },
	{ "aperture", setup_aperture, run_aperture, 4096, 256 << 10 },
	{ "desktop", setup_desktop, run_desktop, 5, 0 },
	{ "transcode", setup_transcode, run_transcode, 5, 1 << 20 },
};

static void tear_down(struct load *l)
{
	for (unsigned int i = 0; i < l->nengines; i++)
		bo_destroy(&l->batch[i].bo);
	for (unsigned int i = 0; i < MAX_OBJECTS; i++)
		if (l->bo[i].handle)
			bo_destroy(&l->bo[i]);
	for (unsigned int i = 0; l->nctx > 1 && i < l->nctx; i++)
		ctx_destroy(l->gpu, l->ctx[i]);
}

/* Tells the host, and waits until it has taken its counters. */
static void tell_host(FILE *host)
{
	char line[16];

	fflush(stdout);
	if (!fgets(line, sizeof(line), host))
		test_fail("the host does not answer");
}

static void let_host_count(const struct measure *m, struct load *l, FILE *host)
{
	printf("count %s %u\n", m->name, m->ops);
	tell_host(host);
	m->run(l);
	printf("counted %s\n", m->name);
	tell_host(host);
}

/* The first run, in which memory is mapped, is not timed. */
static void take(const struct measure *m, struct gpu *gpu, unsigned int samples, FILE *host)
{
	struct load l = { .gpu = gpu, .ops = m->ops, .arg = m->arg };

	m->setup(&l);
	m->run(&l);
	for (unsigned int i = 0; i < samples; i++) {
		u64 start = now_ns();

		m->run(&l);
		printf("sample %s %llu\n", m->name, (now_ns() - start) / m->ops);
		fflush(stdout);
	}
	if (host)
		let_host_count(m, &l, host);
	tear_down(&l);
}

int bench_run(const char *device, const char *port, unsigned int samples, const char *pattern)
{
	FILE *host = NULL;
	struct gpu gpu;
	int err;

	if (port) {
		host = fopen(port, "r");
		if (!host)
			return -errno;
	}
	err = gpu_open(&gpu, device);
	for (unsigned int i = 0; !err && i < ARRAY_SIZE(measures); i++)
		if (!pattern || !fnmatch(pattern, measures[i].name, 0))
			take(&measures[i], &gpu, samples, host);
	if (!err)
		gpu_close(&gpu);
	if (host)
		fclose(host);
	return err;
}
