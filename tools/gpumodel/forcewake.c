// SPDX-License-Identifier: GPL-2.0-only
/*
 * Forcewake of Gen9: three power wells (render, GT, media), each with a request
 * register of 16 requesters and an acknowledge register that follows it.
 *
 * A well is awake while any requester asks for it. The chip's own reasons to
 * be awake (a busy engine) make an access without a request work by luck; it is
 * counted all the same, because on silicon the well may go to sleep at any
 * moment.
 *
 * Source of which register stands in which well, and of the shadowed ones: Linux
 * i915, intel_uncore.c.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <linux/array_size.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include "forcewake.h"
#include "mmio.h"
#include "platform.h"
#include "stats.h"

#define RENDER	BIT(0)
#define GT	BIT(1)
#define MEDIA	BIT(2)
#define WELLS	3

struct gm_forcewake {
	struct gm_mmio *mmio;
	struct gm_stats *stats;
	_Atomic u32 awake;		/* wells with a requester */
	pthread_mutex_t lock;		/* of the times below and of changes of awake */
	u64 awake_since_ns;		/* valid while awake != 0 */
	u64 awake_ns;			/* before that */
};

static const struct {
	u32 request;
	u32 ack;
} well_regs[WELLS] = {
	{ GEN9_FORCEWAKE_RENDER, GEN9_FORCEWAKE_ACK_RENDER },
	{ GEN9_FORCEWAKE_GT, GEN9_FORCEWAKE_ACK_GT },
	{ GEN9_FORCEWAKE_MEDIA, GEN9_FORCEWAKE_ACK_MEDIA },
};

/* Each row reaches from the row before to @last, inclusive. */
static const struct {
	u32 last;
	u32 wells;
} well_map[] = {
	{ 0x00aff, GT },
	{ 0x01fff, 0 },
	{ 0x026ff, RENDER },
	{ 0x02fff, GT },
	{ 0x03fff, RENDER },
	{ 0x051ff, GT },
	{ 0x07fff, RENDER },
	{ 0x0812f, GT },
	{ 0x0813f, MEDIA },
	{ 0x0815f, RENDER },
	{ 0x082ff, GT },
	{ 0x084ff, RENDER },
	{ 0x087ff, GT },
	{ 0x089ff, MEDIA },
	{ 0x08bff, GT },
	{ 0x08cff, RENDER },
	{ 0x093ff, GT },
	{ 0x097ff, RENDER | MEDIA },
	{ 0x0afff, GT },
	{ 0x0b47f, RENDER },
	{ 0x0cfff, GT },
	{ 0x0d7ff, MEDIA },
	{ 0x0dfff, GT },
	{ 0x0e8ff, RENDER },
	{ 0x11fff, GT },
	{ 0x13fff, MEDIA },
	{ 0x19fff, GT },
	{ 0x1e9ff, MEDIA },
	{ 0x243ff, GT },
	{ 0x247ff, RENDER },
	{ 0x2ffff, GT },
	{ GEN9_FORCEWAKE_LAST, MEDIA },
};

/* Offsets of engine registers that a driver may read from a well that sleeps. */
static const u32 probe_regs[] = {
	GEN9_RING_CTL,		/* i915's PMU: 0 says that the engine sleeps */
	GEN9_RING_MI_MODE,	/* the same */
	GEN9_RING_IMR,		/* posting read after the write, value unused */
	GEN9_RING_CONTEXT_STATUS_PTR, /* the same */
	GEN9_RING_EXECLIST_STATUS_HI, /* i915 asks a busy engine which context runs */
};

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

static u32 wells_of(u32 offset)
{
	u32 i = 0;

	if (offset > GEN9_FORCEWAKE_LAST)
		return 0;
	while (offset > well_map[i].last)
		i++;
	return well_map[i].wells;
}

static bool is_request(u32 offset)
{
	return offset == GEN9_FORCEWAKE_RENDER || offset == GEN9_FORCEWAKE_GT ||
	       offset == GEN9_FORCEWAKE_MEDIA;
}

/*
 * The chip keeps writes to these in a shadow while the well sleeps: the ring
 * tail and the submit port, whose write wakes the engine (i915 writes both
 * without a request), and the power management unit's own registers, which
 * stand in no well although they are in the range of one (i915 sets RC6 and
 * frequency control there without a request, gt/intel_rc6.c and intel_rps.c).
 */
static bool is_shadowed(u32 offset)
{
	if (offset >= GEN9_PM_UNIT_FIRST && offset <= GEN9_PM_UNIT_LAST)
		return true;
	for (unsigned int engine = 0; engine < GM_ENGINE_COUNT; engine++)
		if (offset == gm_engine_base(engine) + GEN9_RING_TAIL ||
		    offset == gm_engine_base(engine) + GEN9_RING_ELSP)
			return true;
	return false;
}

static bool is_probe(u32 offset)
{
	u32 base = offset & ~(GEN9_ENGINE_WINDOW_SIZE - 1);

	if (offset == GEN9_RPSTAT1)
		return true;
	for (unsigned int engine = 0; engine < GM_ENGINE_COUNT; engine++) {
		if (base != gm_engine_base(engine))
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(probe_regs); i++)
			if (offset - base == probe_regs[i])
				return true;
	}
	return false;
}

/* Wells that busy engines keep awake; a busy engine needs the GT well as well. */
static u32 busy_wells(const struct gm_forcewake *fw)
{
	static const u32 engine_wells[GM_ENGINE_COUNT] = {
		[GM_RCS] = RENDER | GT,
		[GM_BCS] = GT,
		[GM_VCS] = MEDIA | GT,
		[GM_VECS] = MEDIA | GT,
	};
	u32 wells = 0;

	for (unsigned int engine = 0; engine < GM_ENGINE_COUNT; engine++) {
		u32 mode = gm_engine_base(engine) + GEN9_RING_MI_MODE;

		if (gm_mmio_has_range(fw->mmio, mode) &&
		    !(gm_mmio_read(fw->mmio, GM_FROM_COMMAND, mode) & GEN9_MI_MODE_IDLE))
			wells |= engine_wells[engine];
	}
	return wells;
}

static void fw_set_awake(struct gm_forcewake *fw, u32 awake)
{
	u32 before = atomic_load(&fw->awake);

	if (!before && awake)
		fw->awake_since_ns = now_ns();
	else if (before && !awake)
		fw->awake_ns += now_ns() - fw->awake_since_ns;
	atomic_store(&fw->awake, awake);
}

/* The request register has taken @value by the masked-write rule. */
static void request_write(void *opaque, u32 offset, u32 value)
{
	struct gm_forcewake *fw = opaque;
	u32 awake;

	pthread_mutex_lock(&fw->lock);
	awake = atomic_load(&fw->awake);
	for (unsigned int i = 0; i < WELLS; i++) {
		if (well_regs[i].request != offset)
			continue;
		gm_mmio_poke(fw->mmio, well_regs[i].ack, value);
		awake = value ? awake | BIT(i) : awake & ~BIT(i);
	}
	fw_set_awake(fw, awake);
	pthread_mutex_unlock(&fw->lock);
}

static void ignore_write(void *opaque, u32 offset, u32 value)
{
	(void)opaque;
	(void)offset;
	(void)value;
}

/* Of the driver's requests alone: a command may read it while its engine is locked. */
static u32 status_read(void *opaque, u32 offset)
{
	const struct gm_forcewake *fw = opaque;
	u32 awake = atomic_load(&fw->awake);

	if (offset == GEN9_GT_THREAD_STATUS)
		return awake & RENDER ? 0 : GEN9_GT_THREAD_CORE_MASK;
	if (offset == GEN9_GT_CORE_STATUS)
		return awake ? 0 : GEN9_GT_CORE_RC6;
	return (awake & MEDIA ? GEN9_PWRGT_MEDIA_AWAKE : 0) |
	       (awake & RENDER ? GEN9_PWRGT_RENDER_AWAKE : 0);
}

static int add_ranges(struct gm_forcewake *fw)
{
	static const u32 status[] = {
		GEN9_GT_THREAD_STATUS, GEN9_GT_CORE_STATUS, GEN9_PWRGT_DOMAIN_STATUS,
	};
	struct gm_mmio_range range = { .opaque = fw };
	int err = 0;

	for (unsigned int i = 0; i < WELLS && !err; i++) {
		range.first = well_regs[i].request;
		range.last = range.first;
		range.write = request_write;
		range.masked = true;
		err = gm_mmio_add(fw->mmio, &range);
		range.first = well_regs[i].ack;
		range.last = range.first;
		range.write = ignore_write;
		range.masked = false;
		if (!err)
			err = gm_mmio_add(fw->mmio, &range);
	}
	range.read = status_read;
	for (unsigned int i = 0; i < ARRAY_SIZE(status) && !err; i++) {
		range.first = status[i];
		range.last = range.first;
		err = gm_mmio_add(fw->mmio, &range);
	}
	return err;
}

/**
 * gm_forcewake_create() - The wells, all asleep; adds their registers to @mmio
 * @mmio: the register file
 * @stats: counts GM_MISUSE_FORCEWAKE
 *
 * Return: the wells, NULL when memory is short or the registers are taken.
 */
struct gm_forcewake *gm_forcewake_create(struct gm_mmio *mmio, struct gm_stats *stats)
{
	struct gm_forcewake *fw = calloc(1, sizeof(*fw));

	if (!fw)
		return NULL;
	fw->mmio = mmio;
	fw->stats = stats;
	pthread_mutex_init(&fw->lock, NULL);
	if (add_ranges(fw)) {
		gm_forcewake_destroy(fw);
		return NULL;
	}
	return fw;
}

/* Free the wells; NULL is fine. */
void gm_forcewake_destroy(struct gm_forcewake *fw)
{
	if (!fw)
		return;
	pthread_mutex_destroy(&fw->lock);
	free(fw);
}

/* Forget all requests. */
void gm_forcewake_reset(struct gm_forcewake *fw)
{
	pthread_mutex_lock(&fw->lock);
	for (unsigned int i = 0; i < WELLS; i++) {
		gm_mmio_poke(fw->mmio, well_regs[i].request, 0);
		gm_mmio_poke(fw->mmio, well_regs[i].ack, 0);
	}
	fw_set_awake(fw, 0);
	pthread_mutex_unlock(&fw->lock);
}

u64 gm_forcewake_awake_ns(struct gm_forcewake *fw)
{
	u64 ns;

	pthread_mutex_lock(&fw->lock);
	ns = fw->awake_ns;
	if (atomic_load(&fw->awake))
		ns += now_ns() - fw->awake_since_ns;
	pthread_mutex_unlock(&fw->lock);
	return ns;
}

bool gm_forcewake_check(struct gm_forcewake *fw, u32 offset, bool write)
{
	u32 asleep = wells_of(offset) & ~atomic_load_explicit(&fw->awake, memory_order_acquire);

	if (!asleep || is_request(offset))
		return true;
	if (write && is_shadowed(offset))
		return true;
	if (write || !is_probe(offset))
		gm_misuse(fw->stats, GM_MISUSE_FORCEWAKE, "%s of 0x%x while%s%s%s sleeps",
			  write ? "write" : "read", offset, asleep & RENDER ? " render" : "",
			  asleep & GT ? " GT" : "", asleep & MEDIA ? " media" : "");
	return !(asleep & ~busy_wells(fw));
}
