/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One engine on real parts, driven over its registers as a driver does, for its tests.
 *
 * Guest memory is 4 MiB at bus address 0; the GGTT maps it one to one, so that
 * an offset in ram is a GGTT address as well. Contexts have no PPGTT unless a test asks for it.
 * Images, commands and descriptors are written as numbers here, not through
 * the tables that the model uses.
 */
#ifndef ENGINE_FIXTURE_H
#define ENGINE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "engine.h"
#include "guest_memory.h"
#include "irq.h"
#include "mmio.h"
#include "platform.h"
#include "power.h"
#include "stats.h"

#define RAM_SIZE	(4u << 20)
#define HWSP		0x001000u
#define CONTEXT(n)	(0x010000u + (n) * 0x20000u)
#define RING(n)		(0x200000u + (n) * 0x4000u)
#define RING_BYTES	0x4000u
#define BATCH(n)	(0x300000u + (n) * 0x1000u)
#define DATA(n)		(0x380000u + (n) * 8u)
#define UNMAPPED	0x800000u

/* Commands. */
#define NOOP		0x00000000u
#define USER_INTERRUPT	0x01000000u
#define ARB_CHECK	0x02800000u
#define ARB_OFF		0x04000000u
#define ARB_ON		0x04000001u
#define BATCH_END	0x05000000u
#define UNDEFINED	0x80000000u

/* Registers, in the window. */
#define TAIL		0x030
#define HEAD		0x034
#define START		0x038
#define CTL		0x03c
#define IPEHR		0x068
#define ACTHD		0x074
#define HWS_PGA		0x080
#define MI_MODE		0x09c
#define IMR		0x0a8
#define EIR		0x0b0
#define EMR		0x0b4
#define ESR		0x0b8
#define RESET_CTL	0x0d0
#define ELSP		0x230
#define STATUS_LO	0x234
#define STATUS_HI	0x238
#define GFX_MODE	0x29c
#define TIMESTAMP	0x358
#define TIMESTAMP_UDW	0x35c
#define CSB(n)		(0x370 + 8 * (n))
#define CSB_PTR		0x3a0
#define CTX_TIMESTAMP	0x3a8
#define GPR(n)		(0x600 + 4 * (n))

/* Values in a context image, in dwords of its register page. */
#define IMAGE_CONTROL	0x03
#define IMAGE_HEAD	0x05
#define IMAGE_TAIL	0x07
#define IMAGE_PER_CTX	0x19
#define IMAGE_INDIRECT	0x1b
#define IMAGE_TIMESTAMP	0x23
#define IMAGE_GPR0	0x69

struct fixture {
	_Atomic unsigned int interrupts;
	struct gm_stats stats;
	struct guest_memory memory;
	struct gm_mmio *mmio;
	struct gm_irq *irq;
	struct gm_engine *engine;
	unsigned int number;
	u32 base;
	u8 *ram;
	u32 tail[8];
	unsigned int csb;
};

static inline u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000ull + (u64)ts.tv_nsec;
}

#define WAIT_NS 10000000000ull

/* Waits, up to ten seconds, until the condition holds. */
#define wait_until(condition)						\
	do {								\
		u64 until_ = now_ns() + WAIT_NS;			\
									\
		while (!(condition)) {					\
			if (now_ns() >= until_)				\
				fail_msg("not within ten seconds: %s", #condition); \
			usleep(50);					\
		}							\
	} while (0)

static inline u32 load(struct fixture *f, u32 address)
{
	return atomic_load((_Atomic u32 *)(f->ram + address));
}

static inline void store(struct fixture *f, u32 address, u32 value)
{
	atomic_store((_Atomic u32 *)(f->ram + address), value);
}

static inline u32 rd(struct fixture *f, u32 reg)
{
	return gm_mmio_read(f->mmio, GM_FROM_CPU, f->base + reg);
}

static inline void wr(struct fixture *f, u32 reg, u32 value)
{
	gm_mmio_write(f->mmio, GM_FROM_CPU, f->base + reg, value);
}

static inline u64 misuse(struct fixture *f, enum gm_misuse kind)
{
	return atomic_load(&f->stats.misuse[kind]);
}

static inline u64 counted(struct fixture *f, enum gm_engine_counter which)
{
	return atomic_load(&f->stats.engine[f->number][which]);
}

/* The value at dword @dw of the register page of context @n. */
static inline u32 image(struct fixture *f, unsigned int n, unsigned int dw)
{
	return load(f, CONTEXT(n) + 0x1000 + 4 * dw);
}

static inline void set_image(struct fixture *f, unsigned int n, unsigned int dw, u32 value)
{
	store(f, CONTEXT(n) + 0x1000 + 4 * dw, value);
}

static inline unsigned int put_pair(struct fixture *f, unsigned int n, unsigned int dw, u32 reg,
				    u32 value)
{
	set_image(f, n, dw, f->base + reg);
	set_image(f, n, dw + 1, value);
	return dw + 2;
}

/* A new context's register page, with the offsets that i915 gives it. */
static inline void make_context(struct fixture *f, unsigned int n)
{
	static const u32 ring[] = {
		0x244, 0x034, 0x030, 0x038, 0x03c, 0x168, 0x140, 0x110, 0x11c, 0x114, 0x118,
		0x1c0, 0x1c4, 0x1c8,
	};
	static const u32 ppgtt[] = {
		0x3a8, 0x28c, 0x288, 0x284, 0x280, 0x27c, 0x278, 0x274, 0x270,
	};
	static const u32 state[] = {
		0x028, 0x09c, 0x0c0, 0x178, 0x17c, 0x358, 0x170, 0x150, 0x154, 0x158, 0x41c,
	};
	unsigned int dw, i;

	memset(f->ram + CONTEXT(n), 0, 0x16000);
	memset(f->ram + RING(n), 0, RING_BYTES);
	set_image(f, n, 0x01, 0x1100101b);
	for (dw = 0x02, i = 0; i < 14; i++)
		dw = put_pair(f, n, dw, ring[i], 0);
	set_image(f, n, 0x21, 0x11001011);
	for (dw = 0x22, i = 0; i < 9; i++)
		dw = put_pair(f, n, dw, ppgtt[i], 0);
	set_image(f, n, 0x41, f->number == GM_RCS ? 0x11000001 : 0x11001001);
	put_pair(f, n, 0x42, f->number == GM_RCS ? 0x0c8 : 0x200, 0);
	set_image(f, n, 0x51, 0x11001057);
	for (dw = 0x52, i = 0; i < 11; i++)
		dw = put_pair(f, n, dw, state[i], 0);
	for (i = 0; i < 32; i++)
		dw = put_pair(f, n, dw, 0x600 + 4 * i, 0);
	put_pair(f, n, dw, 0x068, 0);
	set_image(f, n, 0xaa, BATCH_END);

	set_image(f, n, IMAGE_CONTROL, 0x00090008);
	set_image(f, n, 0x55, 0x01000000);
	set_image(f, n, 0x09, RING(n));
	set_image(f, n, 0x0b, (RING_BYTES - 0x1000) | 1);
	f->tail[n] = 0;
}

/* Appends commands to the ring of context @n, padded to a qword; the tail in the image moves. */
static inline void emit(struct fixture *f, unsigned int n, const u32 *cmd, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count + (count & 1); i++) {
		store(f, RING(n) + f->tail[n], i < count ? cmd[i] : NOOP);
		f->tail[n] = (f->tail[n] + 4) % RING_BYTES;
	}
	set_image(f, n, IMAGE_TAIL, f->tail[n]);
}

#define EMIT(f, n, ...)							\
	emit(f, n, (const u32[]) { __VA_ARGS__ },			\
	     sizeof((const u32[]) { __VA_ARGS__ }) / 4)

/* Stores @value at a GGTT address. */
static inline void emit_store(struct fixture *f, unsigned int n, u32 address, u32 value)
{
	EMIT(f, n, 0x10400002, address, 0, value);
}

/* Stores the register at the absolute offset @reg. */
static inline void emit_store_reg(struct fixture *f, unsigned int n, u32 reg, u32 address)
{
	EMIT(f, n, 0x12400002, reg, address, 0);
}

static inline void emit_load_imm(struct fixture *f, unsigned int n, u32 reg, u32 value)
{
	EMIT(f, n, 0x11000001, reg, value);
}

/* Starts a batch in the GGTT. */
static inline void emit_batch(struct fixture *f, unsigned int n, u32 address)
{
	EMIT(f, n, 0x18800001, address, 0);
}

/* Waits, polling, until the dword at @address is not 0. */
static inline void emit_wait(struct fixture *f, unsigned int n, u32 address)
{
	EMIT(f, n, 0x0e40d002, 0, address, 0);
}

/* A batch that spins, where @arb can be NOOP or ARB_CHECK, until stop_batch(). */
static inline void make_spin(struct fixture *f, unsigned int n, u32 arb)
{
	store(f, BATCH(n), arb);
	store(f, BATCH(n) + 4, 0x18800001);
	store(f, BATCH(n) + 8, BATCH(n));
	store(f, BATCH(n) + 12, 0);
}

static inline void stop_batch(struct fixture *f, unsigned int n)
{
	store(f, BATCH(n), BATCH_END);
}

/* Valid, 48-bit addressing, no PPGTT; id 0x100 + n. */
static inline u64 desc(unsigned int n)
{
	return (u64)(0x100 + n) << 32 | CONTEXT(n) | 0x19;
}

static inline void submit(struct fixture *f, u64 first, u64 second)
{
	wr(f, ELSP, second >> 32);
	wr(f, ELSP, (u32)second);
	wr(f, ELSP, first >> 32);
	wr(f, ELSP, (u32)first);
}

/* The next event from the status page, which is then marked as i915 does; false: there is none. */
static inline bool next_event(struct fixture *f, u32 *status, u32 *id)
{
	unsigned int index = (f->csb + 1) % 6;

	if (load(f, HWSP + 4 * 0x1f) == f->csb)
		return false;
	f->csb = index;
	*status = load(f, HWSP + 4 * (0x10 + 2 * index));
	*id = load(f, HWSP + 4 * (0x11 + 2 * index));
	store(f, HWSP + 4 * (0x10 + 2 * index), 0xffffffff);
	store(f, HWSP + 4 * (0x11 + 2 * index), 0xffffffff);
	return true;
}

#define expect_event(f, status, id)					\
	do {								\
		u32 status_ = 0, id_ = 0;				\
									\
		wait_until(next_event(f, &status_, &id_));		\
		assert_int_equal(status_, status);			\
		assert_int_equal(id_, id);				\
	} while (0)

#define wait_idle(f)	wait_until(rd(f, MI_MODE) & 0x200)

static inline void expect_no_event(struct fixture *f)
{
	assert_int_equal(load(f, HWSP + 4 * 0x1f), f->csb);
}

/* What a driver does after it got or reset the engine. */
static inline void enable(struct fixture *f)
{
	unsigned int i;

	wr(f, GFX_MODE, 0x80008000);
	wr(f, HWS_PGA, HWSP);
	wr(f, IMR, 0);
	wr(f, EIR, 0xffffffff);
	wr(f, EMR, 0xfffffffe);
	wr(f, CSB_PTR, 0xffff0505);
	for (i = 0; i < 12; i++)
		store(f, HWSP + 4 * (0x10 + i), 0xffffffff);
	store(f, HWSP + 4 * 0x1f, 5);
	f->csb = 5;
}

static inline void trigger(void *opaque, bool level)
{
	struct fixture *f = opaque;

	if (level)
		atomic_fetch_add(&f->interrupts, 1);
}

/* All signals are for the engine under test. */
static inline void signal_engine(void *opaque, u32 target, u32 context_id)
{
	struct fixture *f = opaque;

	(void)target;
	gm_engine_signal(f->engine, context_id);
}

/* GDRST, without its handshake. */
static inline void write_gdrst(void *opaque, u32 offset, u32 value)
{
	struct fixture *f = opaque;

	(void)offset;
	(void)value;
	gm_engine_reset(f->engine);
}

/* All GT interrupts on, and the master. */
static inline void enable_interrupts(struct fixture *f)
{
	static const u32 banks[] = { 0x44300, 0x44310, 0x44330 };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		gm_mmio_write(f->mmio, GM_FROM_CPU, banks[i] + 4, 0);
		gm_mmio_write(f->mmio, GM_FROM_CPU, banks[i] + 12, 0xffffffff);
	}
	gm_mmio_write(f->mmio, GM_FROM_CPU, 0x44200, 0x80000000);
}

static inline int setup_engine(void **state, unsigned int number)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct gm_engine_config config = {
		.engine = number,
		.timestamp_hz = 12000000,
		.signal = signal_engine,
		.opaque = f,
		.display_events = gm_display_events,
	};
	const struct gm_mmio_range gdrst = {
		.first = 0x941c,
		.last = 0x941c,
		.write = write_gdrst,
		.opaque = f,
	};
	unsigned int n;

	assert_non_null(f);
	f->number = number;
	f->base = gm_engine_base(number);
	guest_memory_create(&f->memory, RAM_SIZE, &f->stats);
	guest_memory_map_one_to_one(&f->memory, RAM_SIZE);
	f->ram = f->memory.bytes;
	f->mmio = gm_mmio_create(&f->stats);
	assert_int_equal(gm_mmio_add(f->mmio, &gdrst), 0);
	assert_int_equal(gm_display_add(f->mmio, true), 0);
	f->irq = gm_irq_create(f->mmio, &f->stats, trigger, f);
	config.dma = f->memory.dma;
	config.ggtt = f->memory.ggtt;
	config.mmio = f->mmio;
	config.irq = f->irq;
	config.stats = &f->stats;
	f->engine = gm_engine_create(&config);
	assert_non_null(f->engine);
	enable(f);
	enable_interrupts(f);
	for (n = 0; n < 8; n++)
		make_context(f, n);
	*state = f;
	return 0;
}

static inline int setup(void **state)
{
	return setup_engine(state, GM_RCS);
}

static inline int setup_blitter(void **state)
{
	return setup_engine(state, GM_BCS);
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	gm_engine_destroy(f->engine);
	gm_irq_destroy(f->irq);
	gm_mmio_destroy(f->mmio);
	guest_memory_destroy(&f->memory);
	free(f);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define BLITTER_TEST(name) cmocka_unit_test_setup_teardown(name, setup_blitter, teardown)
#define assert_no_misuse(f) assert_int_equal(gm_stats_misuse_total(&(f)->stats), 0)

#endif
