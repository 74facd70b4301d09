// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power and frequency of the GT: RC6 residency, the frequency that follows its
 * request, the evaluation intervals. Fuses and other constants are rows of
 * mmio_known.c.
 *
 * The GT is in RC6 while RC6 is enabled, no engine is busy and the driver holds
 * no well awake. Nothing runs for that: whenever somebody looks, the time
 * since the last look is split by how much of it was spent awake.
 *
 * Sources: Linux i915, gt/intel_rc6.c and gt/intel_rps.c.
 */
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <linux/array_size.h>
#include <gvirt/gen9_gt.h>
#include "forcewake.h"
#include "mmio.h"
#include "power.h"
#include "stats.h"

/**
 * struct gt_power - State behind the RC6 registers
 * @mmio: the register file they stand in
 * @lock: of all that follows
 * @enabled: what the control registers said since @last_ns
 * @last_ns: when the times below were brought up to date, monotonic clock
 * @rc6_ns: residency up to @last_ns
 * @awake_ns: what gm_forcewake_awake_ns() was at @last_ns
 * @busy_ns: sum of the engines' busy time at @last_ns
 * @up_start_ns: when the evaluation interval of the up direction was started
 * @down_start_ns: the same for the down direction
 */
struct gt_power {
	struct gm_mmio *mmio;
	pthread_mutex_t lock;
	bool enabled;
	u64 last_ns;
	u64 rc6_ns;
	u64 awake_ns;
	u64 busy_ns;
	u64 up_start_ns;
	u64 down_start_ns;
};

/* An evaluation interval counts in 16 ticks of 12 MHz. */
#define EI_TICKS(ns) ((ns) * 3 / 4000)

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

static bool rc6_is_enabled(const struct gm_mmio *mmio)
{
	u32 control = gm_mmio_peek(mmio, GEN9_RC_CONTROL);
	u32 target = gm_mmio_peek(mmio, GEN9_RC_STATE) & GEN9_RC_SW_TARGET_MASK;

	if (!(control & GEN9_RC_CTL_RC6_ENABLE))
		return false;
	return control & GEN9_RC_CTL_HW_ENABLE ||
	       target == GEN9_RC_SW_TARGET_RC6 << GEN9_RC_SW_TARGET_SHIFT;
}

static u64 engines_busy_ns(struct gm_mmio *mmio)
{
	struct gm_stats *stats = gm_mmio_stats(mmio);
	u64 ns = 0;

	for (unsigned int engine = 0; engine < GM_ENGINE_COUNT; engine++)
		ns += atomic_load_explicit(&stats->engine[engine][GM_ENGINE_BUSY_NS],
					   memory_order_relaxed);
	return ns;
}

static void rc6_account_locked(struct gt_power *power)
{
	struct gm_forcewake *fw = gm_mmio_forcewake(power->mmio);
	u64 now = now_ns();
	u64 awake = fw ? gm_forcewake_awake_ns(fw) : 0;
	u64 busy = engines_busy_ns(power->mmio);
	u64 elapsed = now - power->last_ns;
	u64 used = awake - power->awake_ns + busy - power->busy_ns;

	if (power->enabled && used < elapsed)
		power->rc6_ns += elapsed - used;
	power->last_ns = now;
	power->awake_ns = awake;
	power->busy_ns = busy;
	power->enabled = rc6_is_enabled(power->mmio);
}

static u32 residency_read(void *opaque, u32 offset)
{
	struct gt_power *power = opaque;
	u64 ticks;

	pthread_mutex_lock(&power->lock);
	rc6_account_locked(power);
	ticks = power->rc6_ns / GEN9_RC6_TICK_NS;
	pthread_mutex_unlock(&power->lock);

	/* Gen9 has RC6 but neither of its deeper kinds. */
	return offset == GEN9_GFX_RC6 ? (u32)ticks : 0;
}

static void rc_control_write(void *opaque, u32 offset, u32 value)
{
	struct gt_power *power = opaque;

	pthread_mutex_lock(&power->lock);
	rc6_account_locked(power);
	gm_mmio_poke(power->mmio, offset, value);
	power->enabled = rc6_is_enabled(power->mmio);
	pthread_mutex_unlock(&power->lock);
}

/* The ratio asked for, inside what the chip can do. */
static u32 actual_ratio(const struct gm_mmio *mmio)
{
	u32 request = gm_mmio_peek(mmio, GEN9_RPNSWREQ) >> GEN9_FREQUENCY_SHIFT;
	u32 caps = gm_mmio_peek(mmio, GEN9_RP_STATE_CAP);
	u32 highest = (caps & 0xff) * GEN9_FREQ_SCALER;
	u32 lowest = (caps >> 16 & 0xff) * GEN9_FREQ_SCALER;

	if (request < lowest)
		return lowest;
	return request > highest ? highest : request;
}

static u32 frequency_read(void *opaque, u32 offset)
{
	const struct gt_power *power = opaque;
	u32 ratio = actual_ratio(power->mmio);

	/* GT_PERF_STATUS: the ratio in bits 16:8 */
	return offset == GEN9_RPSTAT1 ? ratio << GEN9_FREQUENCY_SHIFT : ratio << 8;
}

/* Where the evaluation interval stands; it starts over when it is full. */
static u32 interval_read(void *opaque, u32 offset)
{
	struct gt_power *power = opaque;
	bool up = offset == GEN9_RP_CUR_UP_EI;
	u64 length = (gm_mmio_peek(power->mmio, up ? GEN9_RP_UP_EI : GEN9_RP_DOWN_EI) &
		      GEN9_RP_EI_MASK) + 1;
	u64 elapsed;

	if (!(gm_mmio_peek(power->mmio, GEN9_RP_CONTROL) & GEN9_RP_ENABLE))
		return 0;
	pthread_mutex_lock(&power->lock);
	elapsed = now_ns() - (up ? power->up_start_ns : power->down_start_ns);
	pthread_mutex_unlock(&power->lock);
	return (u32)(EI_TICKS(elapsed) % length);
}

/* A write of either counter starts its interval, one of the control both. */
static void interval_write(void *opaque, u32 offset, u32 value)
{
	struct gt_power *power = opaque;
	u64 now = now_ns();

	pthread_mutex_lock(&power->lock);
	if (offset != GEN9_RP_CUR_DOWN_EI)
		power->up_start_ns = now;
	if (offset != GEN9_RP_CUR_UP_EI)
		power->down_start_ns = now;
	pthread_mutex_unlock(&power->lock);
	gm_mmio_poke(power->mmio, offset, value);
}

static void ignore_write(void *opaque, u32 offset, u32 value)
{
	(void)opaque;
	(void)offset;
	(void)value;
}

/**
 * gm_gt_power_add() - Add RC6 and frequency registers
 * @mmio: the register file; its forcewake is asked for the time awake
 *
 * Return: 0, -ENOMEM, or what gm_mmio_add() said.
 */
int gm_gt_power_add(struct gm_mmio *mmio)
{
	struct gt_power *power = gm_mmio_alloc(mmio, sizeof(*power));
	const struct gm_mmio_range ranges[] = {
		{ GEN9_RC_CONTROL, GEN9_RC_STATE, NULL, rc_control_write, false, power },
		{ GEN9_GFX_RC6, GEN9_GFX_RC6PP, residency_read, ignore_write, false, power },
		{ GEN9_RPSTAT1, GEN9_RPSTAT1, frequency_read, ignore_write, false, power },
		{ GEN9_GT_PERF_STATUS, GEN9_GT_PERF_STATUS, frequency_read, ignore_write,
		  false, power },
		{ GEN9_RP_CONTROL, GEN9_RP_CONTROL, NULL, interval_write, false, power },
		{ GEN9_RP_CUR_UP_EI, GEN9_RP_CUR_UP_EI, interval_read, interval_write,
		  false, power },
		{ GEN9_RP_CUR_DOWN_EI, GEN9_RP_CUR_DOWN_EI, interval_read, interval_write,
		  false, power },
	};
	int err = 0;

	if (!power)
		return -ENOMEM;
	power->mmio = mmio;
	power->last_ns = now_ns();
	pthread_mutex_init(&power->lock, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(ranges) && !err; i++)
		err = gm_mmio_add(mmio, &ranges[i]);
	return err;
}
