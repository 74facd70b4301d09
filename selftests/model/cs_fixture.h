/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A command streamer with guest memory and both address spaces, for its tests.
 *
 * The lower half of guest memory is in the global GTT at the same addresses, the
 * upper half in the PPGTT at the addresses of the lower: an access that takes
 * the wrong space lands in the wrong half.
 */
#ifndef CS_FIXTURE_H
#define CS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_pte.h>
#include "blt.h"
#include "cs.h"
#include "guest_memory.h"
#include "irq.h"
#include "platform.h"
#include "stats.h"

#define HALF		(8u << 20)
#define TABLES		0x1000u		/* PML4, PDP, PD: one page each */
#define RING		0x10000u
#define RING_SIZE	0x1000u
#define HWSP		0x20000u
#define LRCA		0x21000u
#define BATCH		0x30000u
#define BATCH2		0x38000u
#define DATA		0x40000u
#define UNMAPPED	0xc00000ull	/* in no address space */
#define TIMESTAMP	0x9876543210ull

/* A register outside the window, and one that user batches may write. */
#define OTHER_REG	0x04098u
#define NOPID		(GEN9_RCS_BASE + GEN9_RING_NOPID)

struct fixture {
	struct gm_stats stats;
	struct guest_memory memory;
	struct gm_blt blt;
	struct gm_cs *cs;
	u8 *ram;
	u32 *registers;
	u32 interrupts;
	unsigned int interrupt_count;
	unsigned int tlb_invalidations;
	unsigned int signals;
	u32 signal_target;
	u32 signal_context;
	unsigned int register_writes;
	u32 events;		/* of the display that have come */
	u64 since;		/* what the streamer asked about last */
	u32 scan_lines[3];
};

static inline bool in_window(const struct fixture *f, u32 offset)
{
	return offset >= f->cs->base && offset - f->cs->base < GEN9_ENGINE_WINDOW_SIZE;
}

static inline u32 fixture_read(void *opaque, u32 offset)
{
	struct fixture *f = opaque;

	assert_true(offset < 0x800000 && !(offset & 3));
	return in_window(f, offset) ? gm_cs_reg(f->cs, offset - f->cs->base) :
				      f->registers[offset / 4];
}

static inline void fixture_write(void *opaque, u32 offset, u32 value)
{
	struct fixture *f = opaque;

	assert_true(offset < 0x800000 && !(offset & 3));
	f->register_writes++;
	if (in_window(f, offset))
		gm_cs_set(f->cs, offset - f->cs->base, value);
	else
		f->registers[offset / 4] = value;
}

static inline void fixture_interrupt(void *opaque, u32 bits)
{
	struct fixture *f = opaque;

	f->interrupts |= bits;
	f->interrupt_count++;
}

static inline u64 fixture_timestamp(void *opaque)
{
	(void)opaque;
	return TIMESTAMP;
}

static inline void fixture_tlb(void *opaque)
{
	struct fixture *f = opaque;

	f->tlb_invalidations++;
	gm_mmu_invalidate(f->cs->mmu);
}

static inline void fixture_signal(void *opaque, u32 target, u32 context_id)
{
	struct fixture *f = opaque;

	f->signals++;
	f->signal_target = target;
	f->signal_context = context_id;
}

static inline void fixture_ggtt(void *opaque, u64 index, u64 entry)
{
	guest_memory_set_entry(&((struct fixture *)opaque)->memory, index, entry);
}

static inline u32 fixture_events(void *opaque, u32 wanted, u64 *since)
{
	struct fixture *f = opaque;

	f->since = *since;
	if (!*since)
		*since = TIMESTAMP;
	return f->events & wanted;
}

static inline void fixture_scan_lines(void *opaque, u32 pipe, u32 window)
{
	struct fixture *f = opaque;

	assert_true(pipe < 3);
	f->scan_lines[pipe] = window;
}

static inline void fixture_display(struct fixture *f)
{
	f->cs->services.display_events = fixture_events;
	f->cs->services.scan_lines = fixture_scan_lines;
}

static inline void fixture_map(struct fixture *f)
{
	const u64 rw = GEN9_PTE_PRESENT | GEN9_PTE_RW;
	u64 *table = (u64 *)(f->ram + TABLES);
	u64 pdp[4] = { TABLES };
	u32 i;

	guest_memory_map_one_to_one(&f->memory, HALF);
	table[0] = (TABLES + 0x1000) | rw;
	table[512] = (TABLES + 0x2000) | rw;
	for (i = 0; i < HALF >> 21; i++)
		table[1024 + i] = (HALF + ((u64)i << 21)) | rw | GEN9_PDE_PS;
	gm_mmu_set_ppgtt(f->cs->mmu, true, pdp);
}

static inline void fixture_start(struct fixture *f)
{
	struct gm_cs *cs = f->cs;

	gm_cs_init(cs);
	gm_cs_set(cs, GEN9_RING_START, RING);
	gm_cs_set(cs, GEN9_RING_CTL, GEN9_RING_CTL_VALID | (RING_SIZE - 4096));
	gm_cs_set(cs, GEN9_RING_HWS_PGA, HWSP);
	gm_cs_set(cs, GEN9_RING_CCID, LRCA | 1);
	gm_cs_set(cs, GEN9_RING_GFX_MODE, GEN9_GFX_RUN_LIST_ENABLE);
	gm_cs_set(cs, GEN9_RING_CONTEXT_CONTROL, GEN9_CTX_CTRL_INHIBIT_SYN_SWITCH);
	cs->ppgtt = true;
}

static inline struct fixture *fixture_create(unsigned int engine)
{
	struct fixture *f = calloc(1, sizeof(*f));

	guest_memory_create(&f->memory, 2 * HALF, &f->stats);
	f->ram = f->memory.bytes;
	f->registers = calloc(1, 0x800000);
	f->cs = calloc(1, sizeof(*f->cs));
	f->cs->engine = engine;
	f->cs->base = gm_engine_base(engine);
	f->cs->mmu = gm_mmu_create(engine, f->memory.dma, f->memory.ggtt, &f->stats);
	f->cs->dma = f->memory.dma;
	f->cs->stats = &f->stats;
	f->blt = (struct gm_blt){ .mmu = f->cs->mmu, .dma = f->memory.dma, .stats = &f->stats };
	f->cs->blt = engine == GM_BCS ? &f->blt : NULL;
	f->cs->services = (struct gm_cs_services){
		.reg_read = fixture_read,
		.reg_write = fixture_write,
		.interrupt = fixture_interrupt,
		.timestamp = fixture_timestamp,
		.tlb_invalidate = fixture_tlb,
		.semaphore_signal = fixture_signal,
		.ggtt_write = fixture_ggtt,
		.opaque = f,
	};
	fixture_map(f);
	fixture_start(f);
	return f;
}

static inline void fixture_destroy(struct fixture *f)
{
	gm_mmu_destroy(f->cs->mmu);
	guest_memory_destroy(&f->memory);
	free(f->registers);
	free(f->cs);
	free(f);
}

static inline int setup_rcs(void **state)
{
	*state = fixture_create(GM_RCS);
	return 0;
}

static inline int setup_bcs(void **state)
{
	*state = fixture_create(GM_BCS);
	return 0;
}

static inline int teardown(void **state)
{
	fixture_destroy(*state);
	return 0;
}

#define RCS_TEST(name)	cmocka_unit_test_setup_teardown(name, setup_rcs, teardown)
#define BCS_TEST(name)	cmocka_unit_test_setup_teardown(name, setup_bcs, teardown)

/* Memory at an address of the global GTT, and of the PPGTT. */
static inline u32 *global(struct fixture *f, u32 va)
{
	return (u32 *)(f->ram + va);
}

static inline u32 *local(struct fixture *f, u32 va)
{
	return (u32 *)(f->ram + HALF + va);
}

static inline u64 qword(const u32 *at)
{
	u64 value;

	memcpy(&value, at, 8);
	return value;
}

/* Append to the ring, which may wrap; its tail counts qwords, so a MI_NOOP may follow. */
static inline void emit(struct fixture *f, const u32 *dw, unsigned int count)
{
	u32 tail = gm_cs_reg(f->cs, GEN9_RING_TAIL);
	unsigned int i;

	for (i = 0; i < ((count + 1) & ~1u); i++, tail = (tail + 4) % RING_SIZE)
		*global(f, RING + tail) = i < count ? dw[i] : GEN9_MI_NOOP;
	gm_cs_set(f->cs, GEN9_RING_TAIL, tail);
}

#define EMIT(f, ...) \
	emit(f, (const u32[]){ __VA_ARGS__ }, sizeof((const u32[]){ __VA_ARGS__ }) / 4)

/* Put a batch at a place in memory, without an end. */
#define PUT(at, ...) \
	memcpy(at, (const u32[]){ __VA_ARGS__ }, sizeof((const u32[]){ __VA_ARGS__ }))

#define LEN(dwords)		((dwords) - 2)
/* Several dwords, to stand in a list of them. */
#define DWORDS(...)		__VA_ARGS__
#define BATCH_START(flags, va) \
	DWORDS(GEN9_MI_BATCH_BUFFER_START | (flags) | LEN(3), (u32)(va), 0)
#define LRI(reg, value)		DWORDS(GEN9_MI_LOAD_REGISTER_IMM | LEN(3), (reg), (value))
#define STORE(flags, va, value) \
	DWORDS(GEN9_MI_STORE_DATA_IMM | (flags) | LEN(4), (u32)(va), 0, (value))
#define SEMAPHORE(flags, va, data) \
	DWORDS(GEN9_MI_SEMAPHORE_WAIT | (flags) | LEN(4), (data), (u32)(va), 0)
#define PIPE(flags, va, low, high) \
	DWORDS(GEN9_PIPE_CONTROL | LEN(6), (flags), (u32)(va), 0, (low), (high))
#define COMPARE(op)		((op) << GEN9_MI_SEMAPHORE_COMPARE_SHIFT)

/* Step until something else than a command happens. */
static inline enum gm_cs_status run(struct fixture *f)
{
	enum gm_cs_status status = GM_CS_RUN;
	unsigned int i;

	for (i = 0; i < 20000 && (status == GM_CS_RUN || status == GM_CS_JUMP_BACK); i++)
		status = gm_cs_step(f->cs);
	return status;
}

/* Run what is in the ring: all of it. */
static inline void run_all(struct fixture *f)
{
	assert_int_equal(run(f), GM_CS_IDLE);
}

/* Run a batch of the PPGTT (non-privileged), or of the GGTT, that stands at BATCH. */
static inline void run_batch(struct fixture *f, u32 flags)
{
	EMIT(f, BATCH_START(flags, BATCH), GEN9_MI_NOOP);
	run_all(f);
}

static inline u32 misuse(struct fixture *f, enum gm_misuse kind)
{
	return f->stats.misuse[kind];
}

static inline u64 gpr(struct fixture *f, unsigned int n)
{
	return (u64)gm_cs_reg(f->cs, GEN9_RING_CS_GPR(n) + 4) << 32 |
	       gm_cs_reg(f->cs, GEN9_RING_CS_GPR(n));
}

static inline void set_gpr(struct fixture *f, unsigned int n, u64 value)
{
	gm_cs_set(f->cs, GEN9_RING_CS_GPR(n), (u32)value);
	gm_cs_set(f->cs, GEN9_RING_CS_GPR(n) + 4, value >> 32);
}

#endif
