// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the scan: what runs is what was audited; what did not change is not audited
 * again, and runs from the same copy for as long as its patches come out the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_pte.h>
#include <linux/array_size.h>
#include "scan_world.h"

static struct gvirt_scan scan;
static struct gvirt_scan_copies copies;

static struct gvirt_scan_job job = {
	.engine = GVIRT_RCS, .status = 0x7000, .use = &scan_world_use, .copies = &copies,
};

static int setup(void **state)
{
	(void)state;
	memset(&copies, 0, sizeof(copies));
	scan_world_reset();
	job.engine = GVIRT_RCS;
	return gvirt_scan_init(&scan, NULL, &scan_world_window, &scan_world_services, NULL);
}

static int teardown(void **state)
{
	(void)state;
	gvirt_scan_copies_put(&scan, &copies);
	gvirt_scan_fini(&scan);
	assert_int_equal(world.buffers, 0);
	return 0;
}

/* The guest's buffers. */

#define DWORDS(...)		__VA_ARGS__
#define PUT(address, ...) \
	memcpy(world.memory + (address) / 4, (const u32[]){ __VA_ARGS__ }, \
	       sizeof((const u32[]){ __VA_ARGS__ }))

#define STORE(to, value)	DWORDS(0x10400002, (to), 0, (value))
#define END			0x05000000
#define START(at)		DWORDS(0x18800001, (at), 0)
#define CALL(at)		DWORDS(0x18c00001, (at), 0)

static int take(enum gvirt_audit_kind kind, u32 address, u32 bytes, struct gvirt_scan_copy **copy)
{
	return gvirt_scan_workaround(&scan, &job, kind, address, bytes, copy);
}

static const u32 *runs(const struct gvirt_scan_copy *copy)
{
	return copy->buffer.data;
}

static void put_buffer(u32 address, u32 value)
{
	PUT(address, STORE(0x5000, value), 0, 0, 0, 0, STORE(0x6000, value), 0, 0, END, 0);
}

/* A stock driver's contexts all have the same buffers. */
static void test_unchanged_buffers_are_audited_once(void **state)
{
	struct gvirt_scan_copy *a = NULL, *b = NULL, *c = NULL;
	u64 walks;

	(void)state;
	put_buffer(0x1000, 1);
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &a), 0);
	walks = scan.stats.walks;
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &b), 0);
	assert_ptr_equal(a, b);
	gvirt_scan_copy_put(&scan.pool, &a);
	gvirt_scan_copy_put(&scan.pool, &b);
	/* Nobody has it, and it is still there. */
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &c), 0);
	assert_int_equal(scan.stats.walks, walks);
	assert_int_equal(scan.stats.known, 2);
	assert_int_equal(scan.stats.reused, 2);
	assert_int_equal(world.buffers, 1);
	assert_int_equal(runs(c)[1], SCAN_HOST + 0x5000);
	gvirt_scan_copy_put(&scan.pool, &c);
}

static void test_indirect_buffers_are_audited_once(void **state)
{
	struct gvirt_scan_copy *a = NULL, *longer = NULL;
	u64 walks;

	(void)state;
	PUT(0x1000, STORE(0x5000, 1));
	assert_int_equal(take(GVIRT_AUDIT_INDIRECT_CTX, 0x1000, 64, &a), 0);
	walks = scan.stats.walks;
	assert_int_equal(take(GVIRT_AUDIT_INDIRECT_CTX, 0x1000, 64, &a), 0);
	assert_int_equal(scan.stats.walks, walks);
	/* Another length is another buffer. */
	assert_int_equal(take(GVIRT_AUDIT_INDIRECT_CTX, 0x1000, 128, &longer), 0);
	assert_int_equal(scan.stats.walks, walks + 1);
	gvirt_scan_copy_put(&scan.pool, &a);
	gvirt_scan_copy_put(&scan.pool, &longer);
}

/* Neither another kind nor another engine may run what was good elsewhere. */
static void test_verdicts_hold_for_their_kind_and_engine(void **state)
{
	struct gvirt_scan_copy *a = NULL, *b = NULL;

	(void)state;
	/* A register of the render engine. */
	PUT(0x1000, 0x11000001, 0x2600, 5, END, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &a), 0);
	assert_int_equal(take(GVIRT_AUDIT_INDIRECT_CTX, 0x1000, 64, &b), -EACCES);
	job.engine = GVIRT_BCS;
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &b), -EACCES);
	assert_int_equal(scan.refusal.detail, GVIRT_AUDIT_REG_ENGINE);
	gvirt_scan_copy_put(&scan.pool, &a);
	gvirt_scan_copy_put(&scan.pool, &b);
}

static void test_each_change_is_audited(void **state)
{
	struct gvirt_scan_copy *copy = NULL;
	u64 walks;
	u32 i;

	(void)state;
	put_buffer(0x1000, 0);
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &copy), 0);
	for (i = 0; i < 15; i++) {
		walks = scan.stats.walks;
		world.memory[0x1000 / 4 + i] ^= 0xff000000;
		if (!take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &copy))
			assert_int_equal(runs(copy)[3], world.memory[0x1000 / 4 + 3]);
		else
			assert_null(copy);
		assert_true(scan.stats.walks > walks);
		world.memory[0x1000 / 4 + i] ^= 0xff000000;
		assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &copy), 0);
		assert_int_equal(runs(copy)[3], 0);
	}
	gvirt_scan_copy_put(&scan.pool, &copy);
}

/* The guest moved the memory: the verdict stays, the addresses do not. */
static void test_patches_follow_the_mapping(void **state)
{
	struct gvirt_scan_copy *a = NULL, *b = NULL;
	u64 walks;

	(void)state;
	put_buffer(0x1000, 1);
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &a), 0);
	walks = scan.stats.walks;
	world.moved = 0x100000;
	/* The chip may be running the one that is there. */
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &b), 0);
	assert_ptr_not_equal(a, b);
	assert_int_equal(runs(a)[1], SCAN_HOST + 0x5000);
	assert_int_equal(runs(b)[1], SCAN_HOST + 0x105000);
	gvirt_scan_copy_put(&scan.pool, &a);
	assert_int_equal(world.buffers, 1);
	/* Nobody has it: the copy itself changes. */
	gvirt_scan_copy_put(&scan.pool, &b);
	world.moved = 0x200000;
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &b), 0);
	assert_int_equal(runs(b)[1], SCAN_HOST + 0x205000);
	assert_int_equal(scan.stats.walks, walks);
	assert_int_equal(world.buffers, 1);
	gvirt_scan_copy_put(&scan.pool, &b);
}

/* What patches do besides changing the copy is done each time, also where the copy stays. */
static void follows_each_time(const u32 *dw, size_t bytes, enum scan_effect effect)
{
	struct gvirt_scan_copy *copy = NULL;
	unsigned int before = world.effects[effect];
	u64 reused = scan.stats.reused;

	memcpy(world.memory + 0x1000 / 4, dw, bytes);
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &copy), 0);
	assert_int_equal(world.effects[effect], before + 1);
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &copy), 0);
	assert_int_equal(world.effects[effect], before + 2);
	assert_int_equal(scan.stats.reused, reused + 1);
	gvirt_scan_copy_put(&scan.pool, &copy);
}

/* The vGPU's copy of a register follows; stores to the context's own status page are marked. */
static void test_effects_follow(void **state)
{
	static const u32 load[] = { 0x11000001, 0xb118, 5, END };
	static const u32 store[] = { 0x10a00001, 0x40, 7, END };

	(void)state;
	follows_each_time(load, sizeof(load), SCAN_REGISTER);
	follows_each_time(store, sizeof(store), SCAN_MARK);
}

/* Batches of rings. */

static int run_ring(u32 dwords)
{
	static u32 ring[1024];
	struct gvirt_ring_span span;

	assert_true(gvirt_ring_span(sizeof(ring), 0, dwords * 4, &span));
	return gvirt_scan_ring(&scan, &job, 0x2000, &span, ring);
}

static u32 forget_copies(void)
{
	gvirt_scan_copies_put(&scan, &copies);
	return world.buffers;
}

static void test_batches_are_audited_once(void **state)
{
	u64 walks;

	(void)state;
	PUT(0x2000, START(0x3000), 0);
	put_buffer(0x3000, 3);
	assert_int_equal(run_ring(4), 0);
	assert_int_equal(forget_copies(), 1);
	walks = scan.stats.walks;
	assert_int_equal(run_ring(4), 0);
	/* The ring itself is always new. */
	assert_int_equal(scan.stats.walks, walks + 1);
	assert_int_equal(scan.stats.reused, 1);
}

/* What calls others gets their addresses each time. */
static void test_batches_that_call_batches(void **state)
{
	u32 i, copy;

	(void)state;
	PUT(0x2000, START(0x3000), 0);
	PUT(0x3000, CALL(0x4000), CALL(0x4800), END);
	put_buffer(0x4000, 4);
	put_buffer(0x4800, 5);
	for (i = 0; i < 5; i++) {
		world.memory[0x4000 / 4 + 3] = i;
		assert_int_equal(run_ring(4), 0);
		assert_int_equal(copies.count, 3);
		assert_int_equal(runs(copies.batch[1].copy)[3], i);
		for (copy = 1; copy < 3; copy++)
			assert_int_equal(runs(copies.batch[0].copy)[3 * copy - 2],
					 copies.batch[copy].copy->buffer.address);
		/* Twice at a time, as when a context gets more while it runs. */
		assert_int_equal(run_ring(4), 0);
		assert_int_equal(copies.count, 6);
		assert_ptr_not_equal(copies.batch[0].copy, copies.batch[3].copy);
		forget_copies();
	}
	assert_true(world.buffers <= GVIRT_SCAN_IDLE);
}

/* A batch that starts itself, or two that start each other, are copied once each. */
static void test_batches_that_loop(void **state)
{
	u32 i;

	(void)state;
	PUT(0x2000, START(0x3000), 0);
	PUT(0x3000, START(0x4000));
	PUT(0x4000, START(0x3000));
	for (i = 0; i < 3; i++) {
		assert_int_equal(run_ring(4), 0);
		assert_int_equal(copies.count, 2);
		assert_int_equal(runs(copies.batch[1].copy)[1],
				 copies.batch[0].copy->buffer.address);
		forget_copies();
	}
}

/* Each batch starts the next: the chain is longer than a context's share. */
static void test_chains_have_an_end(void **state)
{
	u32 i;

	(void)state;
	PUT(0x2000, START(0x10000), 0);
	for (i = 0; i < 100; i++)
		PUT(0x10000 + i * 64, START(0x10000 + (i + 1) * 64));
	assert_int_equal(run_ring(4), -EACCES);
	assert_int_equal(scan.refusal.why, GVIRT_REFUSED_BATCHES);
}

/* Races: the guest changes its buffer as soon as it has been read. */

static u32 race_at, race_value;

static void change_after_read(u32 address)
{
	(void)address;
	world.memory[race_at / 4] = race_value;
}

static void test_what_changes_after_the_copy_does_not_run(void **state)
{
	struct gvirt_scan_copy *copy = NULL;
	u32 i;

	(void)state;
	race_at = 0x1000;
	for (i = 0; i < 4; i++) {
		put_buffer(0x1000, 7);
		race_value = i % 2 ? 0xffffffff : 0x11800001;
		world.on_read = change_after_read;
		assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &copy), 0);
		assert_int_equal(runs(copy)[0], 0x10400002);
		/* The next time it is seen. */
		assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &copy), -EACCES);
	}
}

/* One that grows while its end is looked for: all of what runs was audited. */
static void extend_after_read(u32 address)
{
	if (address == race_at)
		world.memory[0x1000 / 4] = 0xffffffff;
}

static void test_what_changes_while_its_end_is_looked_for(void **state)
{
	struct gvirt_scan_copy *copy = NULL;

	(void)state;
	race_at = 0x2000;
	world.memory[0x4000 / 4] = END;
	world.on_read = extend_after_read;
	/* The first page is read again, and now it is another one. */
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &copy), 0);
	assert_int_equal(runs(copy)[0], 0);
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x1000, 0, &copy), -EACCES);
	gvirt_scan_copy_put(&scan.pool, &copy);
}

/* Room. */

static void test_idle_copies_make_room(void **state)
{
	struct gvirt_scan_copy *copy[4 * GVIRT_SCAN_IDLE] = { NULL };
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(copy); i++) {
		put_buffer(0x10000 + i * 4096, i);
		assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x10000 + i * 4096, 0, &copy[i]), 0);
	}
	assert_int_equal(world.buffers, ARRAY_SIZE(copy));
	for (i = 0; i < ARRAY_SIZE(copy); i++)
		gvirt_scan_copy_put(&scan.pool, &copy[i]);
	assert_int_equal(world.buffers, GVIRT_SCAN_IDLE);
	/* A full table: what nobody has goes for what is needed. */
	world.room = 0;
	put_buffer(0x80000, 9);
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x80000, 0, &copy[0]), 0);
	assert_int_equal(world.buffers, GVIRT_SCAN_IDLE);
	gvirt_scan_pool_forget(&scan.pool);
	assert_int_equal(world.buffers, 1);
	world.room = 0;
	assert_int_equal(take(GVIRT_AUDIT_PER_CTX, 0x10000, 0, &copy[1]), -EACCES);
	assert_int_equal(scan.refusal.why, GVIRT_REFUSED_HOST);
	gvirt_scan_copy_put(&scan.pool, &copy[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name)	cmocka_unit_test_setup_teardown(name, setup, teardown)
		TEST(test_unchanged_buffers_are_audited_once),
		TEST(test_indirect_buffers_are_audited_once),
		TEST(test_verdicts_hold_for_their_kind_and_engine),
		TEST(test_each_change_is_audited),
		TEST(test_patches_follow_the_mapping),
		TEST(test_effects_follow),
		TEST(test_batches_are_audited_once),
		TEST(test_batches_that_call_batches),
		TEST(test_batches_that_loop),
		TEST(test_chains_have_an_end),
		TEST(test_what_changes_after_the_copy_does_not_run),
		TEST(test_what_changes_while_its_end_is_looked_for),
		TEST(test_idle_copies_make_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
