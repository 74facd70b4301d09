// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the audit: each rule with what it allows and what it refuses. Commands
 * are written as numbers, from the manual, not from the project's headers, so that a
 * wrong bit there does not hide here. Random and truncated buffers check what must
 * hold of every audit (audit_check.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "audit_check.h"

#define RING		GVIRT_AUDIT_RING
#define BATCH		GVIRT_AUDIT_BATCH
#define SECOND		GVIRT_AUDIT_BATCH_SECOND
#define INDIRECT	GVIRT_AUDIT_INDIRECT_CTX
#define PER_CTX		GVIRT_AUDIT_PER_CTX
#define RCS		GVIRT_RCS
#define BCS		GVIRT_BCS
#define VCS		GVIRT_VCS
#define VECS		GVIRT_VECS

#define GPR_RCS		0x2600
#define GPR_BCS		0x22600
#define END		0x05000000

/* What is expected of one patch: the fields that say what it is. */
struct expected {
	u32 dword;
	u32 low;
	u32 size;
	u32 reg;
	u8 kind;
	u8 flags;
};

struct example {
	const char *name;
	u8 kind;
	u8 engine;
	bool no_ppgtt;
	u8 reason;
	u8 count;
	u8 patches;
	u32 dwords[14];
	struct expected patch[3];
};

#define CMDS(...) \
	.count = sizeof((u32[]){ __VA_ARGS__ }) / sizeof(u32), .dwords = { __VA_ARGS__ }
#define PATCHES(n, ...)		.patches = (n), .patch = { __VA_ARGS__ }
#define REFUSED(why)		.reason = GVIRT_AUDIT_##why
#define P(what, at, address, bytes) \
	{ .kind = GVIRT_PATCH_##what, .dword = (at), .low = (address), .size = (bytes) }
#define P_FLAGS(what, at, address, bytes, f) \
	{ .kind = GVIRT_PATCH_##what, .dword = (at), .low = (address), .size = (bytes), \
	  .flags = GVIRT_PATCH_##f }
#define P_VALUE(at, offset, value) \
	{ .kind = GVIRT_PATCH_REG_WRITE, .dword = (at), .reg = (offset), .low = (value), \
	  .flags = GVIRT_PATCH_VALUE }
#define P_REG(what, at, offset) \
	{ .kind = GVIRT_PATCH_##what, .dword = (at), .reg = (offset) }

static void check_patch(const char *name, const struct gvirt_patch *is,
			const struct expected *expected)
{
	if (is->kind != expected->kind || is->dword != expected->dword ||
	    is->low != expected->low || is->size != expected->size ||
	    is->reg != expected->reg || is->flags != expected->flags)
		fail_msg("%s: kind %u dword %u low %x size %u reg %x flags %x", name, is->kind,
			 is->dword, is->low, is->size, is->reg, is->flags);
}

static void run(const struct example *example)
{
	struct gvirt_audit_request request = {
		.dwords = example->dwords,
		.count = example->count,
		.kind = example->kind,
		.engine = example->engine,
		.ppgtt = !example->no_ppgtt,
		.max_commands = 100,
		.max_dwords = 100,
		.max_patches = 8,
		.cmds = &gvirt_cmds_gen9,
		.regs = &audit_regs,
	};
	struct gvirt_audit_result result;
	struct gvirt_patch *patches;
	u32 i;

	result = audit_checked(&request, &patches);
	if (result.reason != example->reason)
		fail_msg("%s: %s", example->name, gvirt_audit_reason_name(result.reason));
	if (result.reason)
		assert_int_equal(result.header, example->dwords[result.end]);
	else if (result.patch_count != example->patches)
		fail_msg("%s: %u patches", example->name, result.patch_count);
	for (i = 0; !result.reason && i < result.patch_count; i++)
		check_patch(example->name, &patches[i], &example->patch[i]);
	free(patches);
}

static void run_all(const struct example *examples, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		run(&examples[i]);
}

static const struct example ends[] = {
	{ "ring, empty", RING, .count = 0 },
	{ "ring of NOOPs", RING, CMDS(0, 0, 0) },
	{ "ring with an end", RING, CMDS(0, END), REFUSED(MISPLACED) },
	{ "ring with a conditional end", RING, CMDS(0x1b200002, 0, 0x1000, 0),
	  REFUSED(MISPLACED) },
	{ "batch", BATCH, CMDS(0, END, 0xffffffff) },
	{ "batch, empty", BATCH, REFUSED(UNTERMINATED) },
	{ "batch without an end", BATCH, CMDS(0, 0), REFUSED(UNTERMINATED) },
	{ "second-level batch", SECOND, CMDS(0, END) },
	{ "second-level batch without an end", SECOND, CMDS(0), REFUSED(UNTERMINATED) },
	{ "conditional end, then an end", BATCH, CMDS(0x1b200002, 7, 0x1000, 0, END) },
	{ "conditional end in the GGTT", BATCH, CMDS(0x1b600002, 7, 0x1000, 0, END),
	  PATCHES(1, P(READ, 2, 0x1000, 4)) },
	{ "conditional end with a mask", BATCH, CMDS(0x1b680002, 7, 0x1000, 0, END),
	  PATCHES(1, P(READ, 2, 0x1000, 8)) },
	{ "conditional end alone is none", BATCH, CMDS(0x1b200002, 7, 0x1000, 0),
	  REFUSED(UNTERMINATED) },
	{ "indirect context", INDIRECT, CMDS(0, 0) },
	{ "indirect context with an end", INDIRECT, CMDS(0, END), REFUSED(MISPLACED) },
	{ "per context", PER_CTX, CMDS(0, END, 0xffffffff) },
	{ "per context without an end", PER_CTX, CMDS(0, 0), REFUSED(UNTERMINATED) },
	{ "unknown after the end of a ring's command", RING, CMDS(0, 0xffffffff),
	  REFUSED(UNKNOWN) },
	{ "type 1", RING, CMDS(0x20000000), REFUSED(UNKNOWN) },
	{ "a blitter command elsewhere", RING, RCS, CMDS(0x54000005, 0, 0, 0, 0, 0, 0),
	  REFUSED(UNKNOWN) },
};

static void test_each_kind_of_buffer_ends_its_way(void **state)
{
	(void)state;
	run_all(ends, ARRAY_SIZE(ends));
}

static const struct example batches[] = {
	{ "ring starts a PPGTT batch", RING, CMDS(0x18800101, 0x1000, 0x12),
	  PATCHES(1, P_FLAGS(BATCH, 1, 0x1000, 4, PPGTT)) },
	{ "ring starts a GGTT batch", RING, CMDS(0x18800001, 0x1000, 0),
	  PATCHES(1, P(BATCH, 1, 0x1000, 4)) },
	{ "and goes on behind it", RING, CMDS(0x18800001, 0x1000, 0, 0xffffffff),
	  REFUSED(UNKNOWN) },
	{ "no second level from a ring", RING, CMDS(0x18c00101, 0x1000, 0), REFUSED(MISPLACED) },
	{ "no PPGTT batch without a PPGTT", RING, CMDS(0x18800101, 0x1000, 0), .no_ppgtt = true,
	  REFUSED(NO_PPGTT) },
	{ "no 64-bit GGTT", RING, CMDS(0x18800001, 0x1000, 1), REFUSED(ADDRESS) },
	{ "no odd address", RING, CMDS(0x18800001, 0x1002, 0), REFUSED(ADDRESS) },
	{ "no offset from a register", RING, CMDS(0x18810001, 0x1000, 0), REFUSED(OPERAND) },
	{ "an offset in the PPGTT", RING, CMDS(0x18810101, 0x1000, 0),
	  PATCHES(1, P_FLAGS(BATCH, 1, 0x1000, 4, PPGTT)) },
	{ "batch goes on in another", BATCH, CMDS(0x18800001, 0x2000, 0, 0xffffffff),
	  PATCHES(1, P_FLAGS(BATCH, 1, 0x2000, 4, CHAIN)) },
	{ "batch goes on perhaps", BATCH, CMDS(0x18808001, 0x2000, 0, END),
	  PATCHES(1, P(BATCH, 1, 0x2000, 4)) },
	{ "which is no end", BATCH, CMDS(0x18808001, 0x2000, 0), REFUSED(UNTERMINATED) },
	{ "batch calls the second level", BATCH, CMDS(0x18c00001, 0x2000, 0, END),
	  PATCHES(1, P_FLAGS(BATCH, 1, 0x2000, 4, SECOND)) },
	{ "which is no end either", BATCH, CMDS(0x18c00001, 0x2000, 0), REFUSED(UNTERMINATED) },
	{ "batch goes on in the PPGTT", BATCH, CMDS(0x18800101, 0x2000, 3),
	  PATCHES(1, P_FLAGS(BATCH, 1, 0x2000, 4, PPGTT | GVIRT_PATCH_CHAIN)) },
	{ "goes on in what is not there", BATCH, CMDS(0x18800101, 0x2000, 3), .no_ppgtt = true,
	  REFUSED(NO_PPGTT) },
	{ "batch calls the PPGTT", BATCH, CMDS(0x18c00101, 0x2000, 0, END), REFUSED(MISPLACED) },
	{ "second level goes on in the PPGTT", SECOND, CMDS(0x18800101, 0x2000, 0),
	  REFUSED(MISPLACED) },
	{ "second level starts none", SECOND, CMDS(0x18800001, 0x2000, 0), REFUSED(MISPLACED) },
	{ "third level", SECOND, CMDS(0x18c00001, 0x2000, 0, END), REFUSED(MISPLACED) },
	{ "indirect context starts none", INDIRECT, CMDS(0x18800001, 0x2000, 0),
	  REFUSED(MISPLACED) },
	{ "per context starts none", PER_CTX, CMDS(0x18800001, 0x2000, 0, END),
	  REFUSED(MISPLACED) },
};

static void test_batch_starts(void **state)
{
	(void)state;
	run_all(batches, ARRAY_SIZE(batches));
}

static const struct example memory[] = {
	{ "store to the PPGTT", RING, CMDS(0x10000002, 0x1001, 0xffff, 7) },
	{ "but there is none", RING, CMDS(0x10000002, 0x1000, 0, 7), .no_ppgtt = true,
	  REFUSED(NO_PPGTT) },
	{ "store to the GGTT", RING, CMDS(0x10400002, 0xfffffffc, 0, 7),
	  PATCHES(1, P(WRITE, 1, 0xfffffffc, 4)) },
	{ "store of a qword", RING, CMDS(0x10600003, 0x1000, 0, 7, 8),
	  PATCHES(1, P(WRITE, 1, 0x1000, 8)) },
	{ "beyond the GGTT", RING, CMDS(0x10600003, 0xfffffffc, 0, 7, 8), REFUSED(ADDRESS) },
	{ "above the GGTT", RING, CMDS(0x10400002, 0x1000, 1, 7), REFUSED(ADDRESS) },
	{ "store with the core's number", RING, CMDS(0x10400002, 0x1001, 0, 7), REFUSED(ADDRESS) },
	{ "a qword that is too short", RING, CMDS(0x10600002, 0x1000, 0, 7), REFUSED(LENGTH) },
	{ "store of two dwords", RING, CMDS(0x10400003, 0x1000, 0, 7, 8),
	  PATCHES(1, P(WRITE, 1, 0x1000, 8)) },
	{ "store of three qwords", RING, CMDS(0x10600007, 0xffffffe8, 0, 1, 2, 3, 4, 5, 6),
	  PATCHES(1, P(WRITE, 1, 0xffffffe8, 24)) },
	{ "store of one and a half", RING, CMDS(0x10600004, 0x1000, 0, 1, 2, 3), REFUSED(LENGTH) },
	{ "stores beyond the GGTT", RING, CMDS(0x10400004, 0xfffffff8, 0, 1, 2, 3),
	  REFUSED(ADDRESS) },
	{ "copy", RING, CMDS(0x17000003, 0x1000, 0, 0x2000, 0) },
	{ "copy to the GGTT", RING, CMDS(0x17200003, 0x1000, 0, 0x2000, 0),
	  PATCHES(1, P(WRITE, 1, 0x1000, 4)) },
	{ "copy from the GGTT", RING, CMDS(0x17400003, 0x1000, 0, 0x2000, 0),
	  PATCHES(1, P(READ, 3, 0x2000, 4)) },
	{ "copy in the GGTT", RING, CMDS(0x17600003, 0x1000, 0, 0x2000, 0),
	  PATCHES(2, P(WRITE, 1, 0x1000, 4), P(READ, 3, 0x2000, 4)) },
	{ "atomic on a dword", RING, CMDS(0x17c00501, 0x1000, 0),
	  PATCHES(1, P(READ_WRITE, 1, 0x1000, 4)) },
	{ "atomic on a qword", RING, CMDS(0x17c80501, 0x1000, 0),
	  PATCHES(1, P(READ_WRITE, 1, 0x1000, 8)) },
	{ "atomic on an octword, operands inline", RING,
	  CMDS(0x17d40509, 0x1000, 0, 0, 0, 0, 0, 0, 0, 0, 0),
	  PATCHES(1, P(READ_WRITE, 1, 0x1000, 16)) },
	{ "atomic in the PPGTT", RING, CMDS(0x17800501, 0x1000, 0) },
	{ "atomic of no size", RING, CMDS(0x17980501, 0x1000, 0), REFUSED(OPERAND) },
	{ "atomic without its operands", RING, CMDS(0x17840501, 0x1000, 0), REFUSED(LENGTH) },
	{ "atomic with too many", RING, CMDS(0x17800509, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
	  REFUSED(LENGTH) },
	{ "semaphore in the GGTT", RING, CMDS(0x0e40c002, 0, 0x1000, 0),
	  PATCHES(2, P(READ, 2, 0x1000, 4), P(WAIT, 0, 0, 0)) },
	{ "semaphore in the PPGTT", RING, CMDS(0x0e00c002, 0, 0x1000, 0),
	  PATCHES(1, P(WAIT, 0, 0, 0)) },
	{ "semaphore on a register", RING, CMDS(0x0e01c002, 0, GPR_RCS, 0), REFUSED(OPERAND) },
	{ "semaphore while a context is restored", INDIRECT, CMDS(0x0e40c002, 0, 0x1000, 0),
	  REFUSED(MISPLACED) },
	{ "signal", RING, CMDS(0x0d808000, 0x1234), PATCHES(1, P(SIGNAL, 1, 0x1234, 0)) },
	{ "performance report", RING, CMDS(0x14000002, 0x1041, 0, 5),
	  PATCHES(1, P(WRITE, 1, 0x1040, 256)) },
	{ "performance report to the PPGTT", RING, CMDS(0x14000002, 0x1040, 0, 5) },
	{ "performance report, odd bits", RING, CMDS(0x14000002, 0x1011, 0, 5), REFUSED(ADDRESS) },
	{ "flush of lines", RING, CMDS(0x13800001, 0x1000, 0) },
	{ "flush of lines of the GGTT", RING, CMDS(0x13c00001, 0x1000, 0), REFUSED(OPERAND) },
	{ "a blit", RING, BCS, CMDS(0x54000005, 0, 0, 0, 0, 0, 0) },
	{ "a blit without a PPGTT", RING, BCS, CMDS(0x54000005, 0, 0, 0, 0, 0, 0),
	  .no_ppgtt = true, REFUSED(NO_PPGTT) },
	{ "a draw in a workaround buffer", INDIRECT, CMDS(0x7b000005, 0, 0, 0, 0, 0, 0),
	  REFUSED(MISPLACED) },
};

static void test_memory_operands(void **state)
{
	(void)state;
	run_all(memory, ARRAY_SIZE(memory));
}

static const struct example flushes[] = {
	{ "flush", RING, BCS, CMDS(0x13000002, 0xffffffff, 0xffffffff, 0) },
	{ "flush, with an interrupt", RING, BCS, CMDS(0x13000102, 0, 0, 0),
	  PATCHES(1, P(INTERRUPT, 0, 0, 0)) },
	{ "flush, then a store to the GGTT", RING, BCS, CMDS(0x13004002, 0x1004, 0, 1),
	  PATCHES(1, P(WRITE, 1, 0x1000, 8)) },
	{ "flush, then a qword", RING, BCS, CMDS(0x13004003, 0x1004, 0, 1, 2),
	  PATCHES(1, P(WRITE, 1, 0x1000, 8)) },
	{ "flush, then the time", RING, VCS, CMDS(0x1300c002, 0x1004, 0, 1),
	  PATCHES(1, P(WRITE, 1, 0x1000, 8)) },
	{ "flush, then a store to the PPGTT", RING, VECS, CMDS(0x13004002, 0x1000, 0, 1) },
	{ "flush, then what does not exist", RING, BCS, CMDS(0x13008002, 0x1004, 0, 1),
	  REFUSED(OPERAND) },
	{ "flush of a protected session", RING, BCS, CMDS(0x13400002, 0, 0, 0), REFUSED(OPERAND) },
	{ "flush of the render engine", RING, RCS, CMDS(0x13000002, 0, 0, 0), REFUSED(UNKNOWN) },
	{ "flush, into the context's page", RING, VCS, CMDS(0x13204082, 0x0d0, 0, 0),
	  PATCHES(1, P_FLAGS(STATUS, 1, 0x0d0, 8, OWN_PAGE)) },
	{ "flush, into the engine's page", RING, BCS, CMDS(0x13204002, 0xffc, 0, 0),
	  PATCHES(1, P(STATUS, 1, 0xff8, 8)) },
	{ "flush, beyond the page", RING, BCS, CMDS(0x13204002, 0x1004, 0, 0), REFUSED(ADDRESS) },
	{ "flush, index without a store", RING, BCS, CMDS(0x13200002, 0x1004, 0, 0) },
	{ "status dword", RING, CMDS(0x10800001, 0x0c0, 7),
	  PATCHES(1, P(STATUS, 1, 0x0c0, 4)) },
	{ "status qword of the context", RING, CMDS(0x10a00002, 0x0c0, 7, 8),
	  PATCHES(1, P_FLAGS(STATUS, 1, 0x0c0, 8, OWN_PAGE)) },
	{ "status qword beyond the page", RING, CMDS(0x10800002, 0xffc, 7, 8), REFUSED(ADDRESS) },
	{ "status dword beyond the page", RING, CMDS(0x10800001, 0x1000, 7), REFUSED(ADDRESS) },
	{ "pipe control", RING, CMDS(0x7a000004, 0x00101001, 0xffffffff, ~0u, 0, 0) },
	{ "pipe control, store to the GGTT", RING, CMDS(0x7a000004, 0x01004000, 0x1000, 0, 1, 0),
	  PATCHES(1, P(WRITE, 2, 0x1000, 8)) },
	{ "pipe control, depth count", RING, CMDS(0x7a000004, 0x01008000, 0x1000, 0, 1, 0),
	  PATCHES(1, P(WRITE, 2, 0x1000, 8)) },
	{ "pipe control, time", RING, CMDS(0x7a000004, 0x0100c000, 0x1000, 0, 1, 0),
	  PATCHES(1, P(WRITE, 2, 0x1000, 8)) },
	{ "pipe control, store to the PPGTT", RING, CMDS(0x7a000004, 0x00004000, 0x1000, 7, 1, 0) },
	{ "pipe control, above the GGTT", RING, CMDS(0x7a000004, 0x01004000, 0x1000, 7, 1, 0),
	  REFUSED(ADDRESS) },
	{ "pipe control, the context's page", INDIRECT,
	  CMDS(0x7a000004, 0x08304000, 0x0d0, 0, 0, 0),
	  PATCHES(1, P_FLAGS(STATUS, 2, 0x0d0, 8, OWN_PAGE)) },
	{ "pipe control, the engine's page", RING, CMDS(0x7a000004, 0x01204000, 0x0d0, 0, 0, 0),
	  PATCHES(1, P(STATUS, 2, 0x0d0, 8)) },
	{ "pipe control, page crossed", RING, CMDS(0x7a000004, 0x01204000, 0xffc, 0, 0, 0),
	  REFUSED(ADDRESS) },
	{ "pipe control, interrupt", RING, CMDS(0x7a000004, 0x00000100, 0, 0, 0, 0),
	  PATCHES(1, P(INTERRUPT, 0, 0, 0)) },
	{ "pipe control writes a register", RING, CMDS(0x7a000004, 0x00800000, GPR_RCS, 0, 5, 0) },
	{ "one that is switched", RING, CMDS(0x7a000004, 0x00800000, R_SWITCHED, 0, 5, 0),
	  PATCHES(1, P_VALUE(2, R_SWITCHED, 5)) },
	{ "one that is not to be written", RING, CMDS(0x7a000004, 0x00800000, R_OWN, 0, 5, 0),
	  REFUSED(REG_WRITE) },
	{ "a register and memory", RING, CMDS(0x7a000004, 0x01804000, GPR_RCS, 0, 5, 0),
	  REFUSED(OPERAND) },
	{ "pipe control of the blitter", RING, BCS, CMDS(0x7a000004, 0, 0, 0, 0, 0),
	  REFUSED(UNKNOWN) },
	{ "user interrupt", RING, CMDS(0x01000000), PATCHES(1, P(INTERRUPT, 0, 0, 0)) },
};

static void test_flushes_and_status_pages(void **state)
{
	(void)state;
	run_all(flushes, ARRAY_SIZE(flushes));
}

static const struct example registers[] = {
	{ "LRI of the context", RING, CMDS(0x11000001, R_CONTEXT, 5) },
	{ "LRI, posted, of several", RING, CMDS(0x11001003, R_CONTEXT, 5, GPR_RCS, 6) },
	{ "LRI with half a pair", RING, CMDS(0x11000002, R_CONTEXT, 5, GPR_RCS), REFUSED(LENGTH) },
	{ "LRI without a pair", RING, CMDS(0x11000000, R_CONTEXT), REFUSED(LENGTH) },
	{ "LRI, the last is bad", RING, CMDS(0x11000003, R_CONTEXT, 5, R_OWN, 6),
	  REFUSED(REG_WRITE) },
	{ "LRI of what has no row", RING, CMDS(0x11000001, R_NONE, 5), REFUSED(REG_UNKNOWN) },
	{ "LRI of what is denied", RING, CMDS(0x11000001, R_DENIED, 5), REFUSED(REG_WRITE) },
	{ "LRI of the chip's", RING, CMDS(0x11000001, R_CHIP, 5), REFUSED(REG_WRITE) },
	{ "LRI of the status page", RING, CMDS(0x11000001, 0x2000 + R_HWS, 5), REFUSED(REG_WRITE) },
	{ "LRI of a switched one", RING, CMDS(0x11000001, R_SWITCHED, 5),
	  PATCHES(1, P_VALUE(1, R_SWITCHED, 5)) },
	{ "LRI of a handled one", RING, CMDS(0x11000001, 0x2000 + R_HANDLED, 5),
	  PATCHES(1, P_VALUE(1, 0x2000 + R_HANDLED, 5)) },
	{ "LRI of an address", RING, CMDS(0x11000001, R_GGTT, 0x5000),
	  PATCHES(1, P_VALUE(1, R_GGTT, 0x5000)) },
	{ "LRI, odd bits in the offset", RING, CMDS(0x11000001, 0x80000000 | R_CONTEXT, 5),
	  REFUSED(OPERAND) },
	{ "LRI of some bytes", RING, CMDS(0x11000101, R_CONTEXT, 5) },
	{ "LRI of some bytes of a handled one", RING, CMDS(0x11000101, 0x2000 + R_HANDLED, 5),
	  REFUSED(REG_VALUE) },
	{ "LRI of some bytes of a switched one", RING, CMDS(0x11000101, R_SWITCHED, 5),
	  PATCHES(1, P_REG(REG_WRITE, 1, R_SWITCHED)) },
	{ "LRI of another engine's", RING, BCS, CMDS(0x11000001, GPR_RCS, 5), REFUSED(REG_ENGINE) },
	{ "LRI of the render engine's", RING, BCS, CMDS(0x11000001, R_CONTEXT, 5),
	  REFUSED(REG_ENGINE) },
	{ "LRI of its own", RING, BCS, CMDS(0x11000001, GPR_BCS, 5) },
	{ "LRI without the bits it must not set", RING, BCS,
	  CMDS(0x11000001, 0x22000 + R_SWCTRL, 0xffff0007),
	  PATCHES(1, P_VALUE(1, 0x22000 + R_SWCTRL, 0x00030007)) },
	{ "LRM", RING, CMDS(0x14800002, R_CONTEXT, 0x1000, 0) },
	{ "LRM from the GGTT", INDIRECT, CMDS(0x14c00002, R_CONTEXT, 0x1000, 0),
	  PATCHES(1, P(READ, 2, 0x1000, 4)) },
	{ "LRM of a switched one", INDIRECT, CMDS(0x14c00002, R_SWITCHED, 0x1000, 0),
	  PATCHES(2, P(READ, 2, 0x1000, 4), P_REG(REG_WRITE, 1, R_SWITCHED)) },
	{ "LRM of a handled one", RING, CMDS(0x14800002, 0x2000 + R_HANDLED, 0x1000, 0),
	  REFUSED(REG_VALUE) },
	{ "LRM of an address", RING, CMDS(0x14800002, R_GGTT, 0x1000, 0), REFUSED(REG_VALUE) },
	{ "LRM of one with closed bits", RING, BCS,
	  CMDS(0x14800002, 0x22000 + R_SWCTRL, 0x1000, 0), REFUSED(REG_VALUE) },
	{ "SRM", RING, CMDS(0x12000002, 0x2000 + R_TIMESTAMP, 0x1000, 0) },
	{ "SRM to the GGTT", INDIRECT, CMDS(0x12400002, R_SWITCHED, 0x1000, 0),
	  PATCHES(1, P(WRITE, 2, 0x1000, 4)) },
	{ "SRM of the vGPU's", RING, CMDS(0x12000002, R_OWN, 0x1000, 0),
	  PATCHES(1, P_REG(REG_VALUE, 1, R_OWN)) },
	{ "SRM of the vGPU's to the GGTT", RING, CMDS(0x12400002, R_OWN, 0x1000, 0),
	  PATCHES(2, P(WRITE, 2, 0x1000, 4), P_REG(REG_VALUE, 1, R_OWN)) },
	{ "SRM of the vGPU's, predicated", RING, CMDS(0x12200002, R_OWN, 0x1000, 0),
	  REFUSED(REG_READ) },
	{ "SRM of another engine's", RING, BCS, CMDS(0x12000002, GPR_RCS, 0x1000, 0),
	  PATCHES(1, P_REG(REG_VALUE, 1, GPR_RCS)) },
	{ "SRM of what has no row", RING, CMDS(0x12000002, R_NONE, 0x1000, 0),
	  REFUSED(REG_UNKNOWN) },
	{ "LRR", RING, CMDS(0x15000001, 0x2000 + R_TIMESTAMP, GPR_RCS) },
	{ "LRR of the vGPU's", RING, CMDS(0x15000001, R_OWN, GPR_RCS),
	  PATCHES(1, P_REG(REG_VALUE, 1, R_OWN)) },
	{ "LRR to a handled one", RING, CMDS(0x15000001, GPR_RCS, 0x2000 + R_HANDLED),
	  REFUSED(REG_VALUE) },
	{ "LRR to the vGPU's", RING, CMDS(0x15000001, GPR_RCS, R_OWN), REFUSED(REG_WRITE) },
};

static void test_registers(void **state)
{
	(void)state;
	run_all(registers, ARRAY_SIZE(registers));
}

static const struct example display[] = {
	{ "NOOP with an id", RING, CMDS(0x00400001), PATCHES(1, P(NOOP, 0, 0, 0)) },
	{ "wait for a vblank", RING, CMDS(0x01800008), PATCHES(1, P(NOOP, 0, 0, 0)) },
	{ "wait for a vblank, video", RING, VCS, CMDS(0x01800008), REFUSED(UNKNOWN) },
	{ "wait for scan lines", RING, CMDS(0x09000000, 0), PATCHES(1, P(NOOP, 0, 0, 0)) },
	{ "wait outside scan lines", RING, BCS, CMDS(0x09800000, 0), PATCHES(1, P(NOOP, 0, 0, 0)) },
	{ "flip", RING, BCS, CMDS(0x0a000001, 0x40, 0x1000),
	  PATCHES(1, P(FLIP, 1, 0x40, 0)) },
	{ "report of the head", RING, CMDS(0x03800000), PATCHES(1, P(NOOP, 0, 0, 0)) },
	{ "suspend of flushes", RING, CMDS(0x05800001), PATCHES(1, P(NOOP, 0, 0, 0)) },
	{ "forcewake", RING, CMDS(0x0e800000, 0x00030003), PATCHES(1, P(NOOP, 0, 0, 0)) },
	{ "page-table update", RING, CMDS(0x11800001, 0x1000, 0), REFUSED(REJECTED) },
	{ "switch of contexts", RING, CMDS(0x0c000000, 0x1000), REFUSED(REJECTED) },
	{ "protected session", RING, CMDS(0x07000000), REFUSED(REJECTED) },
	{ "key exchange", RING, VCS, CMDS(0x76090000, 0), REFUSED(REJECTED) },
	{ "mailbox semaphore of older chips", RING, CMDS(0x0b000001, 0, 0), REFUSED(UNKNOWN) },
};

static void test_what_must_not_reach_the_chip(void **state)
{
	(void)state;
	run_all(display, ARRAY_SIZE(display));
}

static const struct example alu[] = {
	{ "r2 = r0 + r1", RING, CMDS(0x0d000003, 0x08008000, 0x08008401, 0x10000000, 0x18000831) },
	{ "inverted, constants, flags", RING,
	  CMDS(0x0d000004, 0x4800800f, 0x48108400, 0x08108000, 0x18003c32, 0x58003c33) },
	{ "store beyond the GPRs", RING, CMDS(0x0d000000, 0x18004031), REFUSED(MATH) },
	{ "store to a source", RING, CMDS(0x0d000000, 0x18008031), REFUSED(MATH) },
	{ "store of what is no result", RING, CMDS(0x0d000000, 0x18000805), REFUSED(MATH) },
	{ "load from beyond the GPRs", RING, CMDS(0x0d000000, 0x08008010), REFUSED(MATH) },
	{ "load into a GPR", RING, CMDS(0x0d000000, 0x08000000), REFUSED(MATH) },
	{ "unknown opcode", RING, CMDS(0x0d000000, 0x20000000), REFUSED(MATH) },
};

static void test_math(void **state)
{
	(void)state;
	run_all(alu, ARRAY_SIZE(alu));
}

static const struct example modes[] = {
	{ "off and on", INDIRECT, CMDS(0x04000000, 0x11000001, R_CONTEXT, 5, 0x04000001) },
	{ "off, then the end", RING, CMDS(0, 0x04000000, 0), PATCHES(1, P(NOOP, 1, 0, 0)) },
	{ "off, then a batch's end", BATCH, CMDS(0x04000000, END), PATCHES(1, P(NOOP, 0, 0, 0)) },
	{ "off, then a batch", RING, CMDS(0x04000000, 0x18800101, 0, 0, 0x04000001),
	  PATCHES(2, P(NOOP, 0, 0, 0), P_FLAGS(BATCH, 2, 0, 4, PPGTT)) },
	{ "on, a batch, off, on", RING, CMDS(0x04000001, 0x18800101, 0, 0, 0x04000000, 0x04000001),
	  PATCHES(1, P_FLAGS(BATCH, 2, 0, 4, PPGTT)) },
	{ "off, then a wait", RING, CMDS(0x04000000, 0x0e00c002, 0, 0, 0),
	  PATCHES(2, P(NOOP, 0, 0, 0), P(WAIT, 1, 0, 0)) },
	{ "off, then a draw", RING, CMDS(0x04000000, 0x7b000005, 0, 0, 0, 0, 0, 0, 0x04000001),
	  PATCHES(1, P(NOOP, 0, 0, 0)) },
	{ "off twice", RING, CMDS(0x04000000, 0x04000000, 0),
	  PATCHES(2, P(NOOP, 0, 0, 0), P(NOOP, 1, 0, 0)) },
	{ "predication on and off", RING, CMDS(0x00800003, 0, 0x00800000) },
	{ "predication left on", RING, CMDS(0x0080000f, 0), REFUSED(PREDICATE) },
	{ "predication over an end", BATCH, CMDS(0x0080000f, END), REFUSED(PREDICATE) },
	{ "predication over a batch", RING, CMDS(0x0080000f, 0x18800101, 0, 0, 0x00800000),
	  REFUSED(PREDICATE) },
};

static void test_arbitration_and_predication_do_not_stay(void **state)
{
	(void)state;
	run_all(modes, ARRAY_SIZE(modes));
}

/*
 * F8: what i915 puts into the indirect context buffer of a Gen9 render context, judged
 * by the real registers.
 */
static void test_workaround_buffer_of_a_stock_driver(void **state)
{
	static const u32 dwords[] = {
		0x04000000,					/* arbitration off */
		0x12400002, 0xb118, 0x00fef100, 0,		/* L3SQCREG4 to scratch memory */
		0x11000001, 0xb118, 0x40600000,
		0x7a000004, 0x00100020, 0, 0, 0, 0,
		0x14c00002, 0xb118, 0x00fef100, 0,		/* and back */
		0x7a000004, 0x08304000, 0x000000d0, 0, 0, 0,	/* to the context's page */
		0x11000005, 0x7014, 0x10000000, 0x2088, 0x00020002, 0x2090, 0x10001000,
		0x04000001, 0, 0, 0, 0,
	};
	static const struct expected expected[] = {
		P(WRITE, 3, 0x00fef100, 4),
		P_VALUE(6, 0xb118, 0x40600000),
		P(READ, 16, 0x00fef100, 4),
		P_REG(REG_WRITE, 15, 0xb118),
		P_FLAGS(STATUS, 20, 0x0d0, 8, OWN_PAGE),
		P_VALUE(27, 0x2088, 0x00020002),
		P_VALUE(29, 0x2090, 0x10001000),
	};
	struct gvirt_audit_request request = {
		.dwords = dwords, .count = ARRAY_SIZE(dwords), .kind = INDIRECT, .engine = RCS,
		.ppgtt = true, .max_commands = 100, .max_dwords = 1000, .max_patches = 16,
		.cmds = &gvirt_cmds_gen9, .regs = &gvirt_regs_gen9,
	};
	struct gvirt_audit_result result;
	struct gvirt_patch *patches;
	u32 i;

	(void)state;
	result = audit_checked(&request, &patches);
	assert_int_equal(result.reason, GVIRT_AUDIT_OK);
	assert_int_equal(result.end, ARRAY_SIZE(dwords));
	assert_int_equal(result.patch_count, ARRAY_SIZE(expected));
	for (i = 0; i < result.patch_count; i++)
		check_patch("workaround buffer", &patches[i], &expected[i]);
	free(patches);
}

/* A ring with one of most things: a driver's request, more or less. */
static const u32 request_dwords[] = {
	0x02800000, 0x00000000,
	0x7a000004, 0x00100000, 0, 0, 0, 0,
	0x10400002, 0x00100040, 0, 41,
	0x11000003, R_CONTEXT, 1, R_SWITCHED, 2,
	0x0e40c002, 0, 0x00100080, 0,
	0x04000001, 0x18800101, 0x7000, 1, 0x04000000, 0,
	0x12400002, R_OWN, 0x00200000, 0,
	0x7a000004, 0x01104000, 0x00100040, 0, 42, 0,
	0x01000000, 0x04000001,
};

static struct gvirt_audit_request whole_request(void)
{
	return (struct gvirt_audit_request) {
		.dwords = request_dwords, .count = ARRAY_SIZE(request_dwords), .kind = RING,
		.engine = RCS, .ppgtt = true, .max_commands = 100, .max_dwords = 1000,
		.max_patches = 16, .cmds = &gvirt_cmds_gen9, .regs = &audit_regs,
	};
}

static enum gvirt_audit_reason reason_of(const struct gvirt_audit_request *request,
					 struct gvirt_audit_result *result)
{
	struct gvirt_patch *patches;

	*result = audit_checked(request, &patches);
	free(patches);
	return result->reason;
}

/* Whether a command starts at that dword (or the buffer ends there). */
static bool is_boundary(u32 dword)
{
	const struct gvirt_cmd *row;
	u32 i = 0;

	while (i < dword) {
		row = gvirt_cmd_find(&gvirt_cmds_gen9, RCS, request_dwords[i]);
		i += gvirt_cmd_length(row, request_dwords[i]);
	}
	return i == dword;
}

static void test_truncation_at_each_dword(void **state)
{
	struct gvirt_audit_request request = whole_request();
	struct gvirt_audit_result result;
	u32 whole = request.count;

	(void)state;
	for (request.count = 0; request.count <= whole; request.count++) {
		reason_of(&request, &result);
		if (is_boundary(request.count)) {
			assert_int_equal(result.reason, GVIRT_AUDIT_OK);
		} else {
			assert_int_equal(result.reason, GVIRT_AUDIT_TRUNCATED);
			assert_true(is_boundary(result.end));
		}
	}
}

static void test_budgets_are_exact(void **state)
{
	struct gvirt_audit_request request = whole_request();
	struct gvirt_audit_result whole, result;
	u32 i;

	(void)state;
	assert_int_equal(reason_of(&request, &whole), GVIRT_AUDIT_OK);
	assert_int_equal(whole.patch_count, 9);
	for (i = 0; i <= whole.commands; i++) {
		request.max_commands = i;
		assert_int_equal(reason_of(&request, &result),
				 i < whole.commands ? GVIRT_AUDIT_BUDGET : GVIRT_AUDIT_OK);
		assert_int_equal(result.commands, i);
	}
	for (i = 0; i <= whole.end; i++) {
		request.max_dwords = i;
		assert_int_equal(reason_of(&request, &result),
				 i < whole.end ? GVIRT_AUDIT_BUDGET : GVIRT_AUDIT_OK);
	}
	for (i = 0; i <= whole.patch_count; i++) {
		request.max_patches = i;
		assert_int_equal(reason_of(&request, &result),
				 i < whole.patch_count ? GVIRT_AUDIT_PATCHES : GVIRT_AUDIT_OK);
		assert_int_equal(result.patch_count, i);
	}
}

/* xorshift: the same buffers in every run. */
static u32 next_random(u32 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static u32 audit_random(u32 *seed, bool raw)
{
	static u32 dwords[GENERATED_MAX];
	struct gvirt_audit_request request = whole_request();
	struct gvirt_audit_result result;
	u8 bytes[200];
	u32 i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (u8)(next_random(seed) >> 8);
	request.dwords = dwords;
	request.engine = next_random(seed) % GVIRT_ENGINES;
	request.kind = next_random(seed) % GVIRT_AUDIT_KINDS;
	request.count = audit_generate(bytes, 4 + next_random(seed) % (sizeof(bytes) - 4),
				       request.engine, dwords);
	if (raw)
		for (i = 0; i < request.count; i++)
			dwords[i] ^= BIT(next_random(seed) & 31);
	reason_of(&request, &result);
	return result.reason;
}

static void test_random_buffers(void **state)
{
	u32 seen[GVIRT_AUDIT_REASONS] = { 0 };
	u32 seed = 0x9e3779b9;
	u32 i;

	(void)state;
	for (i = 0; i < 60000; i++)
		seen[audit_random(&seed, i & 1)]++;
	/* The generator reaches nearly all verdicts. */
	assert_true(seen[GVIRT_AUDIT_OK] > 100);
	for (i = 0; i < GVIRT_AUDIT_REASONS; i++)
		if (i != GVIRT_AUDIT_NO_PPGTT && i != GVIRT_AUDIT_BUDGET &&
		    i != GVIRT_AUDIT_PATCHES && i != GVIRT_AUDIT_PREDICATE)
			assert_true(seen[i] > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_kind_of_buffer_ends_its_way),
		cmocka_unit_test(test_batch_starts),
		cmocka_unit_test(test_memory_operands),
		cmocka_unit_test(test_flushes_and_status_pages),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_what_must_not_reach_the_chip),
		cmocka_unit_test(test_math),
		cmocka_unit_test(test_arbitration_and_predication_do_not_stay),
		cmocka_unit_test(test_workaround_buffer_of_a_stock_driver),
		cmocka_unit_test(test_truncation_at_each_dword),
		cmocka_unit_test(test_budgets_are_exact),
		cmocka_unit_test(test_random_buffers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
