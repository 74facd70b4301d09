// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resets.
 *
 * An engine is told to stop at its next command, then asked through its
 * RESET_CTL to make itself ready, then reset by a bit of GDRST, which clears
 * itself when the reset is done. An engine that does not get ready is not
 * reset: on some chips that takes the whole machine down (i915 notes "possible
 * system hang"). It stays halted, and whoever wanted the reset decides: a full
 * reset, or giving the GPU up.
 *
 * Sources: Intel PRM Skylake, volume 2c (RESET_CTL, GDRST); Linux i915,
 * gt/intel_reset.c (order, bounds).
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_reset.h>
#include "engine.h"
#include "mmio.h"
#include "reset.h"
#include "trace.h"
#include "tuning.h"

#define READY_TRIES		3
#define READY_TIMEOUT_US	10000
#define GDRST_TIMEOUT_US	50000

static const u32 domains[GVIRT_ENGINES] = {
	[GVIRT_RCS] = GEN9_GDRST_RENDER,
	[GVIRT_BCS] = GEN9_GDRST_BLT,
	[GVIRT_VCS] = GEN9_GDRST_MEDIA,
	[GVIRT_VECS] = GEN9_GDRST_VECS,
};

static u32 ctl(const struct gvirt_engine *engine)
{
	return engine->base + GEN9_RING_RESET_CTL;
}

static void cancel(struct gvirt_reset *reset, struct gvirt_engine *engine)
{
	gvirt_mmio_write(reset->mmio, ctl(engine), gvirt_masked_clear(GEN9_RESET_CTL_REQUEST));
}

static int make_ready(struct gvirt_reset *reset, struct gvirt_engine *engine)
{
	unsigned int try;

	for (try = 0; try < READY_TRIES; try++) {
		gvirt_mmio_write(reset->mmio, ctl(engine),
				 gvirt_masked_set(GEN9_RESET_CTL_REQUEST));
		if (!gvirt_mmio_wait(reset->mmio, ctl(engine), GEN9_RESET_CTL_READY,
				     GEN9_RESET_CTL_READY, READY_TIMEOUT_US))
			return 0;
		cancel(reset, engine);
	}
	dev_err_ratelimited(reset->mmio->dev, "%s refuses to be reset, %u times\n", engine->name,
			    READY_TRIES);
	return -ETIMEDOUT;
}

static int pull(struct gvirt_reset *reset, u32 bits)
{
	int err;

	gvirt_mmio_write(reset->mmio, GEN9_GDRST, bits);
	err = gvirt_mmio_wait(reset->mmio, GEN9_GDRST, bits, 0, GDRST_TIMEOUT_US);
	if (err)
		dev_err_ratelimited(reset->mmio->dev, "reset (GDRST 0x%x) did not end\n", bits);
	return err;
}

/*
 * What the reset wipes out: for the operator, and for the guest that is to blame for it. An
 * engine that has refused its own reset stands where it stood, but its page fault has been taken
 * out of the chip: the first look counts until it is started again.
 */
static int look_at_one(struct gvirt_reset *reset, struct gvirt_engine *engine)
{
	if (!engine->dumped)
		gvirt_engine_dump_read(reset->mmio, engine->id, &engine->dump);
	engine->dumped = true;
	return 0;
}

int gvirt_reset_engine(struct gvirt_reset *reset, struct gvirt_engine *engine)
{
	int err;

	guard(mutex)(&reset->lock);
	gvirt_engine_halt(engine);
	gvirt_mmio_get(reset->mmio, GVIRT_WELLS_ALL);
	look_at_one(reset, engine);
	err = make_ready(reset, engine);
	if (!err) {
		err = pull(reset, domains[engine->id]);
		cancel(reset, engine);
	}
	gvirt_mmio_put(reset->mmio, GVIRT_WELLS_ALL);
	trace_gvirt_engine_reset(reset->mmio->dev, engine->name, err);
	if (err)
		return err;
	atomic64_inc(&engine->stats.resets);
	gvirt_engine_drop(engine);
	gvirt_engine_start(engine);
	return 0;
}

/* Calls @fn for every engine; the first error, but all are called. */
static int for_all(struct gvirt_reset *reset, struct gvirt_engine *const *engines,
		   int (*fn)(struct gvirt_reset *reset, struct gvirt_engine *engine))
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		int failed = engines[i] ? fn(reset, engines[i]) : 0;

		err = err ?: failed;
	}
	return err;
}

static int halt_one(struct gvirt_reset *reset, struct gvirt_engine *engine)
{
	gvirt_engine_halt(engine);
	return 0;
}

static int cancel_one(struct gvirt_reset *reset, struct gvirt_engine *engine)
{
	cancel(reset, engine);
	return 0;
}

static int drop_one(struct gvirt_reset *reset, struct gvirt_engine *engine)
{
	gvirt_engine_drop(engine);
	return 0;
}

int gvirt_reset_all(struct gvirt_reset *reset, struct gvirt_engine *const *engines)
{
	int err;

	guard(mutex)(&reset->lock);
	for_all(reset, engines, halt_one);
	gvirt_mmio_get(reset->mmio, GVIRT_WELLS_ALL);
	for_all(reset, engines, look_at_one);
	err = for_all(reset, engines, make_ready);
	if (!err)
		err = pull(reset, GEN9_GDRST_FULL);
	for_all(reset, engines, cancel_one);
	if (!err)
		gvirt_tuning_apply(reset->mmio, reset->platform);
	gvirt_mmio_put(reset->mmio, GVIRT_WELLS_ALL);
	trace_gvirt_engine_reset(reset->mmio->dev, "all", err);
	if (err)
		return err;
	for_all(reset, engines, drop_one);
	return 0;
}

void gvirt_reset_init(struct gvirt_reset *reset, struct gvirt_mmio *mmio,
		      const struct gvirt_platform *platform)
{
	reset->mmio = mmio;
	reset->platform = platform;
	mutex_init(&reset->lock);
}

void gvirt_reset_fini(struct gvirt_reset *reset)
{
	mutex_destroy(&reset->lock);
}
