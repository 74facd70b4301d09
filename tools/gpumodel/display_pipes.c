// SPDX-License-Identifier: GPL-2.0-only
/*
 * Display pipes: whether they run, where their beam is, and their vertical
 * blank interrupt. No picture is made.
 *
 * All pipes run from one clock that never stops: a frame takes 1/60 s whatever
 * the mode, and the frame counter steps where a vertical blank begins, as the
 * chip's does. Scanlines follow from the mode's vertical timings. So nothing
 * has to run while nobody looks, except for the interrupt's thread, which
 * sleeps until a pipe runs whose interrupt gets through.
 *
 * Sources: Linux i915, display/intel_vblank.c (frame counter and scanline, and how
 * they follow from the timings) and display/intel_display_regs.h; xf86-video-intel,
 * src/sna/sna_display.c (events for the command streamers).
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <linux/array_size.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_display.h>
#include <gvirt/gen9_gt.h>
#include "irq.h"
#include "mmio.h"
#include "power.h"

#define FRAME_NS (1000000000u / 60)
#define IDLE_POLL_NS 100000000u	/* a pipe may be enabled after its interrupt */

struct gm_vblank {
	struct gm_mmio *mmio;
	struct gm_irq *irq;
	pthread_t thread;
	pthread_mutex_t lock;		/* of the two below */
	pthread_cond_t wake;
	bool changed;
	bool stop;
};

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

static u32 pipe_of(u32 offset)
{
	return (offset - GEN9_PIPE_DSL(0)) / 0x1000;
}

static bool pipe_runs(const struct gm_mmio *mmio, u32 pipe)
{
	return gm_mmio_peek(mmio, GEN9_PIPE_CONF(pipe)) & GEN9_PIPE_ENABLE;
}

static u32 conf_read(void *opaque, u32 offset)
{
	u32 value = gm_mmio_peek(opaque, offset) & ~GEN9_PIPE_STATE;

	return value & GEN9_PIPE_ENABLE ? value | GEN9_PIPE_STATE : value;
}

/* Lines count from the first active one; a frame of the clock begins with its blank. */
static u32 scanline_read(void *opaque, u32 offset)
{
	u32 pipe = pipe_of(offset);
	u32 total = (gm_mmio_peek(opaque, GEN9_TRANS_VTOTAL(pipe)) >> GEN9_TIMING_HIGH_SHIFT &
		     GEN9_TIMING_LOW_MASK) + 1;
	u32 blank = gm_mmio_peek(opaque, GEN9_TRANS_VBLANK(pipe)) & GEN9_TIMING_LOW_MASK;

	if (!pipe_runs(opaque, pipe))
		return 0;
	return (blank + (u32)(now_ns() % FRAME_NS * total / FRAME_NS)) % total;
}

static bool beam_inside(struct gm_mmio *mmio, u32 pipe)
{
	u32 window = gm_mmio_peek(mmio, GEN9_PIPE_SCAN_LINES(pipe));
	u32 line = scanline_read(mmio, GEN9_PIPE_DSL(pipe));

	return line >= (window >> GEN9_SCAN_LINES_FIRST_SHIFT & GEN9_SCAN_LINES_MASK) &&
	       line <= (window & GEN9_SCAN_LINES_MASK);
}

static bool scan_line_holds(struct gm_mmio *mmio, u32 pipe)
{
	bool inclusive = gm_mmio_peek(mmio, GEN9_PIPE_SCAN_LINES(pipe)) &
			 GEN9_SCAN_LINES_INCLUSIVE;

	return beam_inside(mmio, pipe) != inclusive;
}

u32 gm_display_events(struct gm_mmio *mmio, u32 wanted, u64 *since)
{
	static const struct {
		u32 vblank;
		u32 scan_line;
	} bits[GEN9_PIPE_COUNT] = {
		{ GEN9_MI_WAIT_VBLANK_A, GEN9_MI_WAIT_SCAN_LINE_A },
		{ GEN9_MI_WAIT_VBLANK_B, GEN9_MI_WAIT_SCAN_LINE_B },
		{ GEN9_MI_WAIT_VBLANK_C, GEN9_MI_WAIT_SCAN_LINE_C },
	};
	u64 now = now_ns();
	u32 events = 0;

	if (!*since)
		*since = now;
	for (u32 pipe = 0; pipe < GEN9_PIPE_COUNT; pipe++) {
		if (!pipe_runs(mmio, pipe))
			continue;
		if (now / FRAME_NS != *since / FRAME_NS)
			events |= bits[pipe].vblank;
		if (scan_line_holds(mmio, pipe))
			events |= bits[pipe].scan_line;
	}
	return events & wanted & ~gm_mmio_peek(mmio, GEN9_DERRMR);
}

static u32 frame_count_read(void *opaque, u32 offset)
{
	return pipe_runs(opaque, pipe_of(offset)) ? (u32)(now_ns() / FRAME_NS) : 0;
}

/* When the last blank began, in us of the microsecond clock. */
static u32 frame_time_read(void *opaque, u32 offset)
{
	(void)opaque;
	(void)offset;
	return (u32)(now_ns() / FRAME_NS * FRAME_NS / 1000);
}

/* A flip is live at once; it counts and reports as done. */
static void surface_write(void *opaque, u32 offset, u32 value)
{
	struct gm_mmio *mmio = opaque;
	u32 pipe = pipe_of(offset);
	u32 plane = (offset - GEN9_PLANE_SURF(pipe, 0)) / 0x100;
	u32 flips = gm_mmio_peek(mmio, GEN9_PIPE_FLIP_COUNT(pipe));

	gm_mmio_poke(mmio, offset, value);
	gm_mmio_poke(mmio, GEN9_PLANE_SURF_LIVE(pipe, plane), value);
	gm_mmio_poke(mmio, GEN9_PIPE_FLIP_COUNT(pipe), flips + 1);
	if (gm_mmio_irq(mmio) && pipe_runs(mmio, pipe))
		gm_irq_raise_display(gm_mmio_irq(mmio), GEN9_DE_PIPE_IRQ(pipe),
				     GEN9_PIPE_IRQ_FLIP_DONE(plane));
}

static void ignore_write(void *opaque, u32 offset, u32 value)
{
	(void)opaque;
	(void)offset;
	(void)value;
}

static int add_planes(struct gm_mmio *mmio, u32 pipe)
{
	struct gm_mmio_range range = { .opaque = mmio };
	int err = 0;

	for (u32 plane = 0; plane < GEN9_PLANE_COUNT && !err; plane++) {
		range.first = GEN9_PLANE_SURF(pipe, plane);
		range.last = range.first;
		range.write = surface_write;
		err = gm_mmio_add(mmio, &range);
		range.first = GEN9_PLANE_SURF_LIVE(pipe, plane);
		range.last = range.first;
		range.write = ignore_write;
		if (!err)
			err = gm_mmio_add(mmio, &range);
	}
	return err;
}

static int add_pipe(struct gm_mmio *mmio, u32 pipe)
{
	const u32 dsl = GEN9_PIPE_DSL(pipe);
	const u32 conf = GEN9_PIPE_CONF(pipe);
	const u32 frame = GEN9_PIPE_FRAME_COUNT(pipe);
	const u32 stamp = GEN9_PIPE_FRAME_TIME(pipe);
	const struct gm_mmio_range ranges[] = {
		{ dsl, dsl, scanline_read, ignore_write, 0, mmio },
		{ conf, conf, conf_read, NULL, 0, mmio },
		{ frame, frame, frame_count_read, ignore_write, 0, mmio },
		{ stamp, stamp, frame_time_read, ignore_write, 0, mmio },
	};
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(ranges) && !err; i++)
		err = gm_mmio_add(mmio, &ranges[i]);
	return err ? err : add_planes(mmio, pipe);
}

int gm_display_add_pipes(struct gm_mmio *mmio)
{
	const struct gm_mmio_range edp = {
		.first = GEN9_PIPE_CONF_EDP,
		.last = GEN9_PIPE_CONF_EDP,
		.read = conf_read,
		.opaque = mmio,
	};
	int err = gm_mmio_add(mmio, &edp);

	for (u32 pipe = 0; pipe < GEN9_PIPE_COUNT && !err; pipe++)
		err = add_pipe(mmio, pipe);
	return err;
}

/* Pipes that run and whose blank interrupt gets through. */
static u32 wanted_pipes(struct gm_vblank *vblank)
{
	u32 pipes = 0;

	for (u32 pipe = 0; pipe < GEN9_PIPE_COUNT; pipe++)
		if (pipe_runs(vblank->mmio, pipe) &&
		    gm_irq_unmasked(vblank->irq, GEN9_DE_PIPE_IRQ(pipe)) & GEN9_PIPE_IRQ_VBLANK)
			pipes |= BIT(pipe);
	return pipes;
}

/* Sleeps until @until_ns, an absolute time, or a change. */
static void vblank_sleep_locked(struct gm_vblank *vblank, u64 until_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(until_ns / 1000000000u),
		.tv_nsec = (long)(until_ns % 1000000000u),
	};

	while (!vblank->stop && !vblank->changed)
		if (pthread_cond_timedwait(&vblank->wake, &vblank->lock, &until) == ETIMEDOUT)
			return;
	vblank->changed = false;
}

static void raise_vblank(struct gm_vblank *vblank, u32 pipes)
{
	for (u32 pipe = 0; pipe < GEN9_PIPE_COUNT; pipe++)
		if (pipes & BIT(pipe))
			gm_irq_raise_display(vblank->irq, GEN9_DE_PIPE_IRQ(pipe),
					     GEN9_PIPE_IRQ_VBLANK);
}

static void *vblank_thread(void *opaque)
{
	struct gm_vblank *vblank = opaque;
	u64 frame = 0;
	u32 armed = 0;	/* pipes whose next blank is waited for, that of frame + 1 */

	pthread_mutex_lock(&vblank->lock);
	while (!vblank->stop) {
		u64 now = now_ns();
		u32 due = now / FRAME_NS > frame ? armed : 0;

		pthread_mutex_unlock(&vblank->lock);
		armed = wanted_pipes(vblank);
		raise_vblank(vblank, armed & due);
		pthread_mutex_lock(&vblank->lock);
		frame = now / FRAME_NS;
		vblank_sleep_locked(vblank, armed ? (frame + 1) * FRAME_NS : now + IDLE_POLL_NS);
	}
	pthread_mutex_unlock(&vblank->lock);
	return NULL;
}

static void vblank_wake(void *opaque)
{
	struct gm_vblank *vblank = opaque;

	pthread_mutex_lock(&vblank->lock);
	vblank->changed = true;
	pthread_cond_signal(&vblank->wake);
	pthread_mutex_unlock(&vblank->lock);
}

struct gm_vblank *gm_vblank_create(struct gm_mmio *mmio, struct gm_irq *irq)
{
	struct gm_vblank *vblank = calloc(1, sizeof(*vblank));
	pthread_condattr_t attr;

	if (!vblank)
		return NULL;
	vblank->mmio = mmio;
	vblank->irq = irq;
	pthread_mutex_init(&vblank->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&vblank->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (pthread_create(&vblank->thread, NULL, vblank_thread, vblank)) {
		pthread_cond_destroy(&vblank->wake);
		pthread_mutex_destroy(&vblank->lock);
		free(vblank);
		return NULL;
	}
	gm_irq_watch(irq, vblank_wake, vblank);
	return vblank;
}

void gm_vblank_destroy(struct gm_vblank *vblank)
{
	if (!vblank)
		return;
	gm_irq_watch(vblank->irq, NULL, NULL);
	pthread_mutex_lock(&vblank->lock);
	vblank->stop = true;
	pthread_cond_signal(&vblank->wake);
	pthread_mutex_unlock(&vblank->lock);
	pthread_join(vblank->thread, NULL);
	pthread_cond_destroy(&vblank->wake);
	pthread_mutex_destroy(&vblank->lock);
	free(vblank);
}
