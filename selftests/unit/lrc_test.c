// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of submission port, context descriptors and register states. The guest
 * pages are made here, register by register, from the order that i915 documents;
 * what a guest can influence in a shadow is found by changing its page dword by
 * dword and looking at what changes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include "elsp.h"
#include "lrc.h"

#define PAGE_DWORDS	1024
#define GGTT_SIZE	(4ull << 30)
#define RING_START	0x00345000u
#define RING_SIZE	0x4000u
#define CONTROL		0x03	/* dwords of values */
#define HEAD		0x05
#define TAIL		0x07
#define START		0x09
#define CTL		0x0b
#define BB_ADDR		0x0f
#define BB_STATE	0x11
#define SBB_ADDR	0x15
#define SBB_STATE	0x17
#define PER_CTX		0x19
#define INDIRECT	0x1b
#define INDIRECT_OFFSET	0x1d
#define TIMESTAMP	0x23
#define PDP0_UDW	0x31
#define PDP0_LDW	0x33
#define ENGINE_VALUE	0x43
#define MI_MODE		0x55
#define BB_OFFSET	0x65
#define GPR0		0x69
#define BBE		0x05000000u

static const u16 ring_regs[] = {
	0x244, 0x34, 0x30, 0x38, 0x3c, 0x168, 0x140, 0x110, 0x11c, 0x114, 0x118, 0x1c0, 0x1c4,
	0x1c8,
};

static const u16 ppgtt_regs[] = {
	0x3a8, 0x28c, 0x288, 0x284, 0x280, 0x27c, 0x278, 0x274, 0x270,
};

static const u16 state_regs[] = {
	0x28, 0x9c, 0xc0, 0x178, 0x17c, 0x358, 0x170, 0x150, 0x154, 0x158, 0x41c,
	0x600, 0x604, 0x608, 0x60c, 0x610, 0x614, 0x618, 0x61c,
	0x620, 0x624, 0x628, 0x62c, 0x630, 0x634, 0x638, 0x63c,
	0x640, 0x644, 0x648, 0x64c, 0x650, 0x654, 0x658, 0x65c,
	0x660, 0x664, 0x668, 0x66c, 0x670, 0x674, 0x678, 0x67c, 0x68,
};

static const struct gvirt_lrc_engine engines[] = {
	{ GVIRT_LRC_RENDER, 0x02000, GGTT_SIZE },
	{ GVIRT_LRC_BLIT, 0x22000, GGTT_SIZE },
	{ GVIRT_LRC_MEDIA, 0x12000, GGTT_SIZE },
	{ GVIRT_LRC_MEDIA, 0x1a000, GGTT_SIZE },
};

#define ENGINES		ARRAY_SIZE(engines)

struct fixture {
	u32 guest[PAGE_DWORDS];
	u32 image[PAGE_DWORDS];
	u32 shadow[PAGE_DWORDS];
	u32 other[PAGE_DWORDS];
	struct gvirt_lrc_host host;
	struct gvirt_lrc_state state;
	struct gvirt_lrc_runs runs;
};

static u64 random_state;

static u64 rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static void put_lri(u32 *page, unsigned int dw, u32 base, const u16 *regs, unsigned int count,
		    bool posted)
{
	unsigned int i;

	page[dw] = 0x11000000 | (2 * count - 1) | (posted ? 0x1000 : 0);
	for (i = 0; i < count; i++)
		page[dw + 1 + 2 * i] = base + regs[i];
}

/* A page as i915 fills it for a context that ran before. */
static void put_page(u32 *page, const struct gvirt_lrc_engine *engine)
{
	const u16 engine_reg = engine->kind == GVIRT_LRC_RENDER ? 0xc8 : 0x200;

	memset(page, 0, PAGE_DWORDS * sizeof(*page));
	put_lri(page, 0x01, engine->base, ring_regs, 14, true);
	put_lri(page, 0x21, engine->base, ppgtt_regs, 9, true);
	put_lri(page, 0x41, engine->base, &engine_reg, 1, engine->kind != GVIRT_LRC_RENDER);
	put_lri(page, 0x51, engine->base, state_regs, 44, true);
	page[0xaa] = BBE;
	page[CONTROL] = 0x000f0008;
	page[HEAD] = 0x100;
	page[TAIL] = 0x280;
	page[START] = RING_START;
	page[CTL] = RING_SIZE - 0x1000 + 1;
	page[PDP0_LDW] = 0x89abc000;
	page[PDP0_UDW] = 0x3;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	unsigned int i;

	if (!f)
		return -1;
	random_state = 0x9e3779b97f4a7c15;
	for (i = 0; i < PAGE_DWORDS; i++)
		f->image[i] = 0xcafe0000 + i;
	f->host = (struct gvirt_lrc_host){
		.ring_start = 0xf0001000,
		.ring_ctl = 0x3001,
		.ring_head = 0x40,
		.ring_tail = 0x90,
		.pdp = { 0x11100001000, 0x11200002000, 0x11300003000, 0x11400004000 },
		.indirect_ctx = 0xf0100003,
		.bb_per_ctx = 0xf0200001,
	};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static void test_elsp_order(void **state)
{
	struct gvirt_elsp elsp = {};
	struct gvirt_desc_list list = {};

	(void)state;
	assert_false(gvirt_elsp_write(&elsp, 0x11, &list));
	assert_false(gvirt_elsp_write(&elsp, 0x12, &list));
	assert_false(gvirt_elsp_write(&elsp, 0x01, &list));
	assert_int_equal(list.element[1].hi, 0);
	assert_true(gvirt_elsp_write(&elsp, 0x02, &list));
	assert_int_equal(list.element[1].hi, 0x11);
	assert_int_equal(list.element[1].lo, 0x12);
	assert_int_equal(list.element[0].hi, 0x01);
	assert_int_equal(list.element[0].lo, 0x02);
	assert_false(gvirt_elsp_write(&elsp, 0x21, &list));
	elsp.count = 200;
	assert_false(gvirt_elsp_write(&elsp, 0x31, &list));
	assert_int_equal(elsp.count, 1);
}

static enum gvirt_desc_fault check(u32 lo)
{
	struct gvirt_desc_list list = { .element = { { .lo = lo, .hi = 7 } } };

	return gvirt_desc_check(&list, 0, 22 * 4096, 0x1000000);
}

static void test_descriptor(void **state)
{
	struct gvirt_desc_list list = { .element = { { 0x5000119, 1 }, { 0x5000119, 2 } } };

	(void)state;
	/* i915: valid, privilege, 48 bits, forced restore; a priority in bits 10:9. */
	assert_int_equal(check(0x0012311d), GVIRT_DESC_OK);
	assert_int_equal(check(0x0012371d), GVIRT_DESC_OK);
	assert_int_equal(check(0x00123109), GVIRT_DESC_OK);
	assert_int_equal(check(0x00123118), GVIRT_DESC_ABSENT);
	assert_int_equal(check(0x00123101), GVIRT_DESC_ADDRESSING);
	assert_int_equal(check(0x00123111), GVIRT_DESC_ADDRESSING);
	assert_int_equal(check(0x00123019), GVIRT_DESC_NO_PPGTT);
	assert_int_equal(check(0x00123919), GVIRT_DESC_RESERVED);
	assert_int_equal(check(0x00fea119), GVIRT_DESC_OK);
	assert_int_equal(check(0x00feb119), GVIRT_DESC_RANGE);
	assert_int_equal(check(0xfffff119), GVIRT_DESC_RANGE);
	assert_int_equal(gvirt_desc_check(&list, 0, 0x2000, GGTT_SIZE), GVIRT_DESC_OK);
	assert_int_equal(gvirt_desc_check(&list, 1, 0x2000, GGTT_SIZE), GVIRT_DESC_TWICE);
	list.element[1].lo += 0x1000;
	assert_int_equal(gvirt_desc_check(&list, 1, 0x2000, GGTT_SIZE), GVIRT_DESC_OK);
	assert_int_equal(gvirt_desc_check(&list, 1, 0x2000, 0x1000), GVIRT_DESC_RANGE);
}

static void test_descriptor_levels_and_shadow(void **state)
{
	struct gvirt_desc desc = { .lo = 0x001237d9, .hi = 5 };
	struct gvirt_desc same = { .lo = 0x0012311d, .hi = 5 };

	(void)state;
	assert_int_equal(gvirt_desc_levels(&desc), 4);
	assert_int_equal(gvirt_desc_lrca(&desc), 0x123000);
	assert_true(gvirt_desc_same_context(&desc, &same));
	/* Neither the guest's reaction to faults nor ignored bits get through. */
	assert_int_equal(gvirt_desc_shadow(&desc, 0xf0000000, false), 0xf0000119);
	assert_int_equal(gvirt_desc_shadow(&desc, 0xf0000000, true), 0xf000011d);
	assert_int_equal(gvirt_desc_shadow(&same, 0xf0000000, false), 0xf000011d);
	same.hi = 6;
	assert_false(gvirt_desc_same_context(&desc, &same));
	desc.lo = 0x00123109;
	assert_int_equal(gvirt_desc_levels(&desc), 3);
}

static void test_read(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < ENGINES; i++) {
		put_page(f->guest, &engines[i]);
		f->guest[INDIRECT] = 0x00200004 | 0x40;
		f->guest[PER_CTX] = 0x00300001;
		f->guest[HEAD] |= 0xffe00000;
		f->guest[TIMESTAMP] = 77;
		assert_int_equal(gvirt_lrc_read(&engines[i], f->guest, &f->state), GVIRT_LRC_OK);
		assert_int_equal(f->state.ring_start, RING_START);
		assert_int_equal(f->state.ring_size, RING_SIZE);
		assert_int_equal(f->state.ring_head, 0x100);
		assert_int_equal(f->state.ring_tail, 0x280);
		assert_false(f->state.restore_inhibit);
		assert_false(f->state.mid_batch);
		assert_int_equal(f->state.indirect_start, 0x00200040);
		assert_int_equal(f->state.indirect_size, 256);
		assert_int_equal(f->state.per_ctx_start, 0x00300000);
		assert_true(f->state.per_ctx_valid);
		assert_int_equal(f->state.timestamp, 77);
		assert_int_equal(f->state.pdp[0], 0x389abc000);
		assert_int_equal(f->state.pdp[1], 0);
	}
}

/* Page, then one dword changed: what must be found, and where. */
struct bad_page {
	unsigned int dw;
	u32 value;
	enum gvirt_lrc_fault fault;
	unsigned int fault_dw;
};

static const struct bad_page bad_pages[] = {
	{ 0x01, 0x11001019, GVIRT_LRC_LAYOUT, 0x01 },
	{ 0x01, 0x1100101d, GVIRT_LRC_LAYOUT, 0x01 },
	{ 0x01, 0x1100111b, GVIRT_LRC_LAYOUT, 0x01 },
	{ 0x01, 0, GVIRT_LRC_LAYOUT, 0x01 },
	{ 0x21, 0x12001011, GVIRT_LRC_LAYOUT, 0x21 },
	{ 0x41, 0x11000003, GVIRT_LRC_LAYOUT, 0x41 },
	{ 0x51, 0x11001055, GVIRT_LRC_LAYOUT, 0x51 },
	{ 0x04, 0x24d0, GVIRT_LRC_LAYOUT, 0x04 },
	{ 0x32, 0x229c, GVIRT_LRC_LAYOUT, 0x32 },
	{ 0x68, 0x24d0, GVIRT_LRC_LAYOUT, 0x68 },
	{ CTL, RING_SIZE - 0x1000, GVIRT_LRC_RING_OFF, 0x0a },
	{ START, 0x00345800, GVIRT_LRC_RING_RANGE, 0x08 },
	{ START, 0xffffe000, GVIRT_LRC_RING_RANGE, 0x08 },
	{ HEAD, RING_SIZE, GVIRT_LRC_RING_HEAD, 0x04 },
	{ TAIL, RING_SIZE, GVIRT_LRC_RING_HEAD, 0x06 },
};

static void test_read_refuses(void **state)
{
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad_pages); i++) {
		put_page(f->guest, &engines[0]);
		f->guest[bad_pages[i].dw] = bad_pages[i].value;
		if (gvirt_lrc_read(&engines[0], f->guest, &f->state) != bad_pages[i].fault ||
		    f->state.fault_dw != bad_pages[i].fault_dw)
			fail_msg("dword %x = %x: fault %d at %x", bad_pages[i].dw,
				 bad_pages[i].value, f->state.fault, f->state.fault_dw);
	}
}

static void test_read_refuses_buffers_beyond_the_gtt(void **state)
{
	struct gvirt_lrc_engine small = engines[0];
	struct fixture *f = *state;

	small.ggtt_size = 0x400000;
	put_page(f->guest, &small);
	f->guest[INDIRECT] = 0x003fffc1;
	f->guest[PER_CTX] = 0x003ff001;
	assert_int_equal(gvirt_lrc_read(&small, f->guest, &f->state), GVIRT_LRC_OK);
	f->guest[INDIRECT] = 0x003fffc2;
	assert_int_equal(gvirt_lrc_read(&small, f->guest, &f->state), GVIRT_LRC_INDIRECT_RANGE);
	f->guest[INDIRECT] = 0xffffffc0;
	f->guest[PER_CTX] = 0x00400001;
	assert_int_equal(gvirt_lrc_read(&small, f->guest, &f->state), GVIRT_LRC_PER_CTX_RANGE);
	f->guest[PER_CTX] = 0x00400000;
	assert_int_equal(gvirt_lrc_read(&small, f->guest, &f->state), GVIRT_LRC_OK);
}

/* A context without a state of its own yet does not need the layout of one. */
static void test_read_of_an_inhibited_context(void **state)
{
	struct fixture *f = *state;

	put_page(f->guest, &engines[0]);
	memset(f->guest + 0x41, 0xff, (PAGE_DWORDS - 0x41) * sizeof(u32));
	assert_int_equal(gvirt_lrc_read(&engines[0], f->guest, &f->state), GVIRT_LRC_LAYOUT);
	f->guest[CONTROL] = 0x00090009;
	assert_int_equal(gvirt_lrc_read(&engines[0], f->guest, &f->state), GVIRT_LRC_OK);
	assert_true(f->state.restore_inhibit);
	/* Saved by the chip, without a mask; and with the bit masked out. */
	f->guest[CONTROL] = 0x00000009;
	assert_int_equal(gvirt_lrc_read(&engines[0], f->guest, &f->state), GVIRT_LRC_OK);
	f->guest[CONTROL] = 0x00080009;
	assert_int_equal(gvirt_lrc_read(&engines[0], f->guest, &f->state), GVIRT_LRC_LAYOUT);
}

/* As an older i915 begins a context of the blitter. */
static void test_read_of_a_short_ring_context(void **state)
{
	struct fixture *f = *state;

	put_page(f->guest, &engines[1]);
	memset(f->guest + 0x18, 0, 9 * sizeof(u32));
	memset(f->guest + 0x41, 0, (PAGE_DWORDS - 0x41) * sizeof(u32));
	f->guest[0x01] = 0x11001015;
	f->guest[INDIRECT] = 0xffffffff;
	f->guest[PER_CTX] = 0xffffffff;
	f->guest[CONTROL] = 0x00090009;
	assert_int_equal(gvirt_lrc_read(&engines[1], f->guest, &f->state), GVIRT_LRC_OK);
	assert_int_equal(f->state.indirect_size, 0);
	assert_false(f->state.per_ctx_valid);
	f->guest[0x16] = 0x24d0;
	assert_int_equal(gvirt_lrc_read(&engines[1], f->guest, &f->state), GVIRT_LRC_LAYOUT);
	assert_int_equal(f->state.fault_dw, 0x16);
	put_page(f->guest, &engines[0]);
	f->guest[0x01] = 0x11001015;
	assert_int_equal(gvirt_lrc_read(&engines[0], f->guest, &f->state), GVIRT_LRC_LAYOUT);
}

static void test_build_takes_the_hosts_values(void **state)
{
	struct fixture *f = *state;
	unsigned int n;

	put_page(f->guest, &engines[0]);
	f->guest[CONTROL] = 0xffff000e;
	f->guest[INDIRECT] = 0x00200041;
	f->guest[INDIRECT_OFFSET] = 0xffff0980;
	f->guest[PER_CTX] = 0x00300001;
	f->guest[TIMESTAMP] = 99;
	f->guest[GPR0] = 0x12345678;
	gvirt_lrc_build(&engines[0], f->guest, &f->host, f->shadow);
	/* Saving is not inhibited, no resource streamer, no switch on a semaphore. */
	assert_int_equal(f->shadow[CONTROL], 0x000f0008);
	assert_int_equal(f->shadow[HEAD], 0x40);
	assert_int_equal(f->shadow[TAIL], 0x90);
	assert_int_equal(f->shadow[START], 0xf0001000);
	assert_int_equal(f->shadow[CTL], 0x3001);
	assert_int_equal(f->shadow[PER_CTX], 0xf0200001);
	assert_int_equal(f->shadow[INDIRECT], 0xf0100003);
	assert_int_equal(f->shadow[INDIRECT_OFFSET], 0x0980);
	assert_int_equal(f->shadow[TIMESTAMP], 99);
	assert_int_equal(f->shadow[GPR0], 0x12345678);
	assert_int_equal(f->shadow[0xaa], BBE);
	for (n = 0; n < 4; n++) {
		assert_int_equal(f->shadow[PDP0_LDW - 4 * n], (u32)f->host.pdp[n]);
		assert_int_equal(f->shadow[PDP0_UDW - 4 * n], f->host.pdp[n] >> 32);
	}
}

static void test_build_lays_out_commands_itself(void **state)
{
	struct fixture *f = *state;
	unsigned int i;
	unsigned int dw;

	for (i = 0; i < ENGINES; i++) {
		memset(f->guest, 0xff, sizeof(f->guest));
		memset(f->shadow, 0xff, sizeof(f->shadow));
		put_page(f->other, &engines[i]);
		gvirt_lrc_build(&engines[i], f->guest, &f->host, f->shadow);
		for (dw = 0; dw <= 0xaa; dw++) {
			/* Headers and offsets stand at the same places, gaps are empty. */
			if (dw < 2 || dw == 0x21 || dw == 0x41 || dw == 0x51 || dw == 0xaa ||
			    !(dw & 1) || (dw > 0x1d && dw < 0x21) ||
			    (dw > 0x33 && dw < 0x41) || (dw > 0x43 && dw < 0x51))
				assert_int_equal(f->shadow[dw], f->other[dw]);
		}
		assert_int_equal(f->shadow[0xab], ~0u);
	}
}

/* Bits of each shadow dword that any guest dword can change, by trying. */
static u32 reach_of(struct fixture *f, const struct gvirt_lrc_engine *engine, unsigned int dw)
{
	u32 reach = 0;
	u32 saved = f->guest[dw];
	unsigned int i;

	for (i = 0; i < 8; i++) {
		f->guest[dw] = i < 2 ? -i : rnd();
		memset(f->other, 0, sizeof(f->other));
		gvirt_lrc_build(engine, f->guest, &f->host, f->other);
		reach |= f->other[dw] ^ f->shadow[dw];
		f->other[dw] = f->shadow[dw];
		/* The control dword decides about the whole engine state. */
		if (dw != CONTROL && dw != BB_STATE && dw != BB_ADDR && dw != SBB_STATE &&
		    dw != SBB_ADDR)
			assert_memory_equal(f->other, f->shadow, sizeof(f->shadow));
	}
	f->guest[dw] = saved;
	return reach;
}

static u32 reach_allowed(const struct gvirt_lrc_engine *engine, unsigned int dw)
{
	switch (dw) {
	case CONTROL:
		return 1;
	case 0x0d:
	case BB_ADDR:
	case 0x13:
	case SBB_ADDR:
	case TIMESTAMP:
	case 0x67:
		return ~0u;
	case BB_STATE:
	case SBB_STATE:
		return 0x20;
	case INDIRECT_OFFSET:
		return 0xffc0;
	case ENGINE_VALUE:
		if (engine->kind == GVIRT_LRC_RENDER)
			return 0x80078fff;
		return engine->kind == GVIRT_LRC_BLIT ? 3 : 0;
	case MI_MODE:
		return 0xf;
	default:
		return dw >= GPR0 && dw < 0xa8 && dw % 2 ? ~0u : 0;
	}
}

static void test_build_what_a_guest_can_reach(void **state)
{
	struct fixture *f = *state;
	unsigned int i;
	unsigned int dw;
	u32 reach;

	for (i = 0; i < ENGINES; i++) {
		put_page(f->guest, &engines[i]);
		f->guest[BB_ADDR] = 0x1001;
		f->guest[BB_STATE] = 0x20;
		f->guest[SBB_ADDR] = 0x2001;
		f->guest[SBB_STATE] = 0x20;
		memset(f->shadow, 0, sizeof(f->shadow));
		gvirt_lrc_build(&engines[i], f->guest, &f->host, f->shadow);
		for (dw = 0; dw < PAGE_DWORDS; dw++) {
			reach = reach_of(f, &engines[i], dw);
			if (reach & ~reach_allowed(&engines[i], dw))
				fail_msg("engine %u, dword %x: reach %08x", i, dw, reach);
			/* What may be taken over has to be, or state would be lost. */
			if (!reach && reach_allowed(&engines[i], dw))
				fail_msg("engine %u, dword %x is not taken over", i, dw);
		}
	}
}

static void test_build_drops_a_privileged_batch(void **state)
{
	struct fixture *f = *state;

	put_page(f->guest, &engines[0]);
	f->guest[BB_ADDR] = 0x1001;
	f->guest[BB_STATE] = 0xffffffdf;
	f->guest[BB_OFFSET] = 0x40;
	gvirt_lrc_build(&engines[0], f->guest, &f->host, f->shadow);
	assert_int_equal(f->shadow[BB_ADDR], 0);
	assert_int_equal(f->shadow[BB_STATE], 0);
	assert_int_equal(f->shadow[BB_OFFSET], 0);
	f->guest[BB_STATE] = 0xffffffff;
	gvirt_lrc_build(&engines[0], f->guest, &f->host, f->shadow);
	assert_int_equal(f->shadow[BB_ADDR], 0x1001);
	assert_int_equal(f->shadow[BB_STATE], 0x20);
	assert_int_equal(f->shadow[BB_OFFSET], 0);
	f->guest[SBB_ADDR] = 0x2001;
	gvirt_lrc_build(&engines[0], f->guest, &f->host, f->shadow);
	assert_int_equal(f->shadow[BB_ADDR], 0);
	assert_int_equal(f->shadow[SBB_ADDR], 0);
}

static void test_build_resumes_from_the_image(void **state)
{
	struct fixture *f = *state;

	put_page(f->guest, &engines[0]);
	f->host.image = f->image;
	f->host.resume = true;
	gvirt_lrc_build(&engines[0], f->guest, &f->host, f->shadow);
	assert_int_equal(f->shadow[BB_ADDR], f->image[BB_ADDR]);
	assert_int_equal(f->shadow[BB_STATE], f->image[BB_STATE]);
	assert_int_equal(f->shadow[BB_OFFSET], f->image[BB_OFFSET]);
	assert_int_equal(f->shadow[GPR0], f->guest[GPR0]);
	assert_memory_equal(f->shadow + 0xaa, f->image + 0xaa, (PAGE_DWORDS - 0xaa) * 4);
}

static void test_build_gives_no_stale_state(void **state)
{
	struct fixture *f = *state;
	unsigned int dw;

	put_page(f->guest, &engines[0]);
	memset(f->guest + 0x41, 0xff, (PAGE_DWORDS - 0x41) * sizeof(u32));
	f->guest[CONTROL] = 0x00090009;
	gvirt_lrc_build(&engines[0], f->guest, &f->host, f->shadow);
	assert_int_equal(f->shadow[CONTROL], 0x000f0009);
	for (dw = ENGINE_VALUE; dw < 0xaa; dw += 2) {
		if (dw == ENGINE_VALUE || dw > 0x51)
			assert_int_equal(f->shadow[dw], 0);
	}
	f->host.image = f->image;
	f->host.restore = true;
	gvirt_lrc_build(&engines[0], f->guest, &f->host, f->shadow);
	assert_int_equal(f->shadow[CONTROL], 0x000f0008);
	for (dw = ENGINE_VALUE; dw < 0xaa; dw += 2) {
		if ((dw == ENGINE_VALUE || dw > 0x51) && dw != BB_OFFSET)
			assert_int_equal(f->shadow[dw], f->image[dw]);
	}
	assert_int_equal(f->shadow[0xaa], f->image[0xaa]);
}

/* The shadow may be its own source. */
static void test_build_in_place(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	for (i = 0; i < ENGINES; i++) {
		put_page(f->guest, &engines[i]);
		f->host.resume = true;
		f->host.image = f->image;
		memcpy(f->shadow, f->image, sizeof(f->shadow));
		memcpy(f->other, f->image, sizeof(f->other));
		gvirt_lrc_build(&engines[i], f->guest, &f->host, f->shadow);
		f->host.image = f->other;
		gvirt_lrc_build(&engines[i], f->guest, &f->host, f->other);
		assert_memory_equal(f->shadow, f->other, sizeof(f->other));
	}
}

static void test_mi_mode(void **state)
{
	struct fixture *f = *state;

	put_page(f->guest, &engines[0]);
	f->guest[MI_MODE] = 0xffffffff;
	gvirt_lrc_build(&engines[0], f->guest, &f->host, f->shadow);
	assert_int_equal(f->shadow[MI_MODE], 0x010f000f);
	f->host.image = f->image;
	f->image[MI_MODE] = 0x00004103;
	f->guest[MI_MODE] = 0x000f0001;
	gvirt_lrc_build(&engines[0], f->guest, &f->host, f->shadow);
	assert_int_equal(f->shadow[MI_MODE], 0xffff4001);
}

static bool in_runs(const struct gvirt_lrc_runs *runs, unsigned int dw)
{
	unsigned int i;

	for (i = 0; i < runs->count; i++) {
		if (dw >= runs->run[i].first && dw < runs->run[i].first + runs->run[i].count)
			return true;
	}
	return false;
}

static bool guests_own(unsigned int dw)
{
	return dw == 0 || dw == TAIL || dw == START || dw == CTL || dw == PER_CTX ||
	       dw == INDIRECT || dw == INDIRECT_OFFSET ||
	       (dw >= 0x25 && dw <= PDP0_LDW && dw % 2);
}

static void test_write_back(void **state)
{
	struct fixture *f = *state;
	unsigned int end;
	unsigned int i;
	unsigned int dw;

	for (i = 0; i < ENGINES; i++) {
		end = engines[i].kind == GVIRT_LRC_RENDER ? PAGE_DWORDS : 0xaa;
		put_page(f->guest, &engines[i]);
		memcpy(f->other, f->guest, sizeof(f->other));
		put_page(f->shadow, &engines[i]);
		for (dw = 1; dw < PAGE_DWORDS; dw += 2)
			f->shadow[dw] = rnd();
		f->shadow[BB_ADDR] |= 1;
		f->shadow[BB_STATE] |= 0x20;
		f->shadow[SBB_ADDR] &= ~1u;
		f->shadow[CONTROL] = 0x8;
		gvirt_lrc_write_back(&engines[i], f->shadow, 0x280, f->guest, &f->runs);
		assert_int_equal(f->guest[HEAD], 0x280);
		assert_int_equal(f->guest[TIMESTAMP], f->shadow[TIMESTAMP]);
		assert_int_equal(f->guest[GPR0], f->shadow[GPR0]);
		assert_int_equal(f->guest[BB_ADDR], f->shadow[BB_ADDR]);
		for (dw = 0; dw < PAGE_DWORDS; dw++) {
			assert_int_equal(in_runs(&f->runs, dw), dw < end && !guests_own(dw));
			if (guests_own(dw) || dw >= end)
				assert_int_equal(f->guest[dw], f->other[dw]);
		}
		assert_int_equal(gvirt_lrc_read(&engines[i], f->guest, &f->state), GVIRT_LRC_OK);
	}
}

static void test_write_back_hides_a_privileged_batch(void **state)
{
	struct fixture *f = *state;

	put_page(f->guest, &engines[0]);
	put_page(f->shadow, &engines[0]);
	f->shadow[BB_ADDR] = 0xf0300001;
	f->shadow[BB_STATE] = 0;
	gvirt_lrc_write_back(&engines[0], f->shadow, 0, f->guest, &f->runs);
	assert_int_equal(f->guest[BB_ADDR], 0);
	assert_true(gvirt_lrc_batch_unchanged(f->guest, f->shadow));
	f->guest[BB_ADDR] = 0x1001;
	assert_false(gvirt_lrc_batch_unchanged(f->guest, f->shadow));
}

static void test_write_back_of_control(void **state)
{
	struct fixture *f = *state;

	put_page(f->guest, &engines[0]);
	put_page(f->shadow, &engines[0]);
	f->guest[CONTROL] = 0x00090009;
	f->shadow[CONTROL] = 0x00000008;
	gvirt_lrc_write_back(&engines[0], f->shadow, 0, f->guest, &f->runs);
	assert_int_equal(f->guest[CONTROL], 0x00090008);
	f->guest[CONTROL] = 0x00090009;
	f->shadow[CONTROL] = 0x000f0009;
	gvirt_lrc_write_back(&engines[0], f->shadow, 0, f->guest, &f->runs);
	assert_int_equal(f->guest[CONTROL], 0x00090009);
}

static void test_ring_bytes(void **state)
{
	(void)state;
	assert_int_equal(gvirt_lrc_ring_bytes(0x100, 0x280, 0x4000), 0x180);
	assert_int_equal(gvirt_lrc_ring_bytes(0x3f00, 0x80, 0x4000), 0x180);
	assert_int_equal(gvirt_lrc_ring_bytes(0x40, 0x40, 0x4000), 0);
	assert_int_equal(gvirt_lrc_ring_bytes(0x4000, 0x40, 0x4000), 0);
	assert_int_equal(gvirt_lrc_ring_bytes(0x40, 0x4000, 0x4000), 0);
	assert_int_equal(gvirt_lrc_image_size(GVIRT_LRC_RENDER), 22 * 4096);
	assert_int_equal(gvirt_lrc_image_size(GVIRT_LRC_BLIT), 2 * 4096);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_elsp_order),
		TEST(test_descriptor),
		TEST(test_descriptor_levels_and_shadow),
		TEST(test_read),
		TEST(test_read_refuses),
		TEST(test_read_refuses_buffers_beyond_the_gtt),
		TEST(test_read_of_an_inhibited_context),
		TEST(test_read_of_a_short_ring_context),
		TEST(test_build_takes_the_hosts_values),
		TEST(test_build_lays_out_commands_itself),
		TEST(test_build_what_a_guest_can_reach),
		TEST(test_build_drops_a_privileged_batch),
		TEST(test_build_resumes_from_the_image),
		TEST(test_build_gives_no_stale_state),
		TEST(test_build_in_place),
		TEST(test_mi_mode),
		TEST(test_write_back),
		TEST(test_write_back_hides_a_privileged_batch),
		TEST(test_write_back_of_control),
		TEST(test_ring_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
