// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of registers: what they show, and that no store of a guest's is lost.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_reset.h>

#include "map.h"
#include "tinyvm.h"

/* Plain registers on one page: what is stored is read. */
#define SCRATCH_PAGE	(GEN9_FORCEWAKE_RENDER & ~(PAGE - 1))
#define SCRATCH(n)	(0xa0a0u + 4 * (n))
/* On the page of the interrupt registers. */
#define IMR		(GEN9_GT_IRQ(0) + GEN9_IRQ_IMR)

/**
 * struct pages - All areas, mapped and with slots
 * @vm: the VM
 * @areas: where
 * @map: of each
 * @plugged: they have slots
 */
struct pages {
	struct tinyvm vm;
	struct areas areas;
	u8 *map[MOST_AREAS];
	bool plugged;
};

static void plug(struct pages *pages, bool in)
{
	u32 i;

	pages->plugged = in;
	for (i = 0; i < pages->areas.count; i++)
		tinyvm_slot(&pages->vm, 1 + i, TINYVM_BAR0 + pages->areas.offset[i],
			    in ? pages->map[i] : NULL, PAGE);
}

static void start(struct pages *pages)
{
	u32 i;

	map_need_pages();
	pages->plugged = false;
	tinyvm_start(&pages->vm, 0);
	EXPECT(map_areas(&pages->vm.vgpu, BAR0, &pages->areas));
	EXPECT(pages->areas.count);
	for (i = 0; i < pages->areas.count; i++) {
		pages->map[i] = map_region(&pages->vm.vgpu, BAR0, pages->areas.offset[i], PAGE);
		EXPECT(pages->map[i]);
	}
}

static void stop(struct pages *pages)
{
	u32 i;

	if (pages->plugged)
		plug(pages, false);
	for (i = 0; i < pages->areas.count; i++)
		munmap(pages->map[i], PAGE);
	tinyvm_stop(&pages->vm);
}

static u64 lost(const struct pages *pages)
{
	return vgpu_counter(pages->vm.vgpu.id, "lost_writes");
}

/* Engines' clocks and states are as old as the last look. */
static bool is_exact(u32 page)
{
	return page != GEN9_RCS_BASE && page != GEN9_BCS_BASE && page != GEN9_VCS_BASE &&
	       page != GEN9_VECS_BASE;
}

static void expect_equal_pages(const struct pages *pages)
{
	u32 i, at, shown, read;

	for (i = 0; i < pages->areas.count; i++) {
		if (!is_exact(pages->areas.offset[i]))
			continue;
		for (at = 0; at < PAGE; at += 4) {
			shown = *(volatile u32 *)(pages->map[i] + at);
			read = vgpu_read(&pages->vm.vgpu, pages->areas.offset[i] + at);
			if (shown != read)
				test_fail("register %#x shows %#x and reads %#x",
					  pages->areas.offset[i] + at, shown, read);
		}
	}
}

/* A page shows what its registers read: at first, after changes by calls, after a reset. */
static void equal_reads(void)
{
	struct pages pages;
	u32 n;

	start(&pages);
	expect_equal_pages(&pages);
	for (n = 0; n < 8; n++)
		vgpu_write(&pages.vm.vgpu, SCRATCH(n), 0x1000 + n);
	vgpu_write(&pages.vm.vgpu, GEN9_RPNSWREQ, 0x12345678);
	vgpu_write(&pages.vm.vgpu, GEN9_FORCEWAKE_RENDER, 0x00010001);
	EXPECT_EQ(vgpu_read(&pages.vm.vgpu, GEN9_FORCEWAKE_ACK_RENDER), 1);
	expect_equal_pages(&pages);
	EXPECT_EQ(vgpu_ioctl(&pages.vm.vgpu, VFIO_DEVICE_RESET, NULL), 0);
	EXPECT_EQ(vgpu_read(&pages.vm.vgpu, SCRATCH(1)), 0);
	expect_equal_pages(&pages);
	stop(&pages);
}

/* A guest's loads cause no exit, its stores are caught, and take effect at once. */
static void guest_accesses(void)
{
	struct pages pages;
	struct tinyvm *vm = &pages.vm;
	u64 tracked;

	start(&pages);
	plug(&pages, true);
	EXPECT_EQ(tinyvm_read(vm, IMR), ~0u);
	tracked = vgpu_counter(0, "tracked_writes");
	tinyvm_write(vm, IMR, 0x1234);
	EXPECT_EQ(vgpu_counter(0, "tracked_writes"), tracked + 1);
	EXPECT_EQ(tinyvm_read(vm, IMR), 0x1234);
	EXPECT_EQ(vgpu_read(&vm->vgpu, IMR), 0x1234);
	tinyvm_write(vm, GEN9_FORCEWAKE_RENDER, 0x00010001);
	EXPECT_EQ(tinyvm_read(vm, GEN9_FORCEWAKE_ACK_RENDER), 1);
	tinyvm_write(vm, GEN9_FORCEWAKE_RENDER, 0x00010000);
	EXPECT_EQ(tinyvm_read(vm, GEN9_FORCEWAKE_ACK_RENDER), 0);
	tinyvm_write(vm, GEN9_MASTER_IRQ, ~0u);
	EXPECT_EQ(tinyvm_read(vm, GEN9_MASTER_IRQ), 1u << 31);
	tinyvm_write(vm, GEN9_TLB_RENDER, 1);
	EXPECT_EQ(tinyvm_read(vm, GEN9_TLB_RENDER), 0);
	tinyvm_write(vm, GEN9_MASTER_IRQ + 0x80, 0x5555);
	EXPECT_EQ(tinyvm_read(vm, GEN9_MASTER_IRQ + 0x80), 0);
	EXPECT_EQ(vm->exits[0], 0);
	EXPECT_EQ(lost(&pages), 0);
	stop(&pages);
}

/* Parts of registers, two registers at once, reading and writing in one instruction. */
static void sizes(void)
{
	struct pages pages;
	struct tinyvm *vm = &pages.vm;
	const u32 gpa = TINYVM_BAR0 + SCRATCH(0);

	start(&pages);
	plug(&pages, true);
	tinyvm_write(vm, SCRATCH(0), 0x11223344);
	tinyvm_do(vm, 0, TINYVM_WRITE8, gpa + 1, 0xaa, 1);
	EXPECT_EQ(vgpu_read(&vm->vgpu, SCRATCH(0)), 0x1122aa44);
	tinyvm_do(vm, 0, TINYVM_WRITE16, gpa + 2, 0xbbcc, 1);
	EXPECT_EQ(vgpu_read(&vm->vgpu, SCRATCH(0)), 0xbbccaa44);
	tinyvm_do(vm, 0, TINYVM_OR, gpa, 0x11, 1);
	EXPECT_EQ(vgpu_read(&vm->vgpu, SCRATCH(0)), 0xbbccaa55);
	tinyvm_do(vm, 0, TINYVM_CMPXCHG8B, gpa + 16, 0x9876, 1);
	EXPECT_EQ(vgpu_read(&vm->vgpu, SCRATCH(4)), 0x9876);
	EXPECT_EQ(vgpu_read(&vm->vgpu, SCRATCH(5)), 0x9876);
	/* Half in one register, half in the next; and over the end of the page. */
	tinyvm_do(vm, 0, TINYVM_WRITE, gpa + 26, 0x44332211, 1);
	EXPECT_EQ(vgpu_read(&vm->vgpu, SCRATCH(6)), 0x22110000);
	EXPECT_EQ(vgpu_read(&vm->vgpu, SCRATCH(7)), 0x4433);
	tinyvm_do(vm, 0, TINYVM_WRITE16, TINYVM_BAR0 + SCRATCH_PAGE + PAGE - 1, 0x4321, 1);
	EXPECT_EQ(lost(&pages), 0);
	stop(&pages);
}

static u32 pseudo_random(u32 *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8 | *state << 24;
}

/* Stores all over the pages do to registers exactly what calls do to those of another vGPU. */
static void same_as_trapped(void)
{
	static const enum tinyvm_op op[] = { TINYVM_WRITE8, TINYVM_WRITE16, TINYVM_WRITE };
	struct pages pages;
	struct vgpu twin;
	u32 state = 1;
	u32 i, n, at, value;

	start(&pages);
	plug(&pages, true);
	vgpu_remove(1);
	EXPECT_EQ(vgpu_create(1), 0);
	vgpu_open(&twin, 1);
	for (n = 0; n < 3000; n++) {
		u32 size = pseudo_random(&state) % ARRAY_SIZE(op);

		i = pseudo_random(&state) % pages.areas.count;
		value = pseudo_random(&state);
		at = pages.areas.offset[i] + (pseudo_random(&state) % PAGE & -(1u << size));
		if (!is_exact(pages.areas.offset[i]))
			continue;
		tinyvm_do(&pages.vm, 0, op[size], TINYVM_BAR0 + at, value, 1);
		EXPECT_EQ(vgpu_pwrite(&twin, BAR0, at, &value, 1 << size), 1 << size);
	}
	for (i = 0; i < pages.areas.count; i++)
		for (at = pages.areas.offset[i]; at % PAGE || at == pages.areas.offset[i]; at += 4)
			if (is_exact(pages.areas.offset[i]))
				EXPECT_EQ(vgpu_read(&pages.vm.vgpu, at), vgpu_read(&twin, at));
	expect_equal_pages(&pages);
	EXPECT_EQ(lost(&pages), 0);
	vgpu_stop(&twin);
	stop(&pages);
}

/*
 * KVM remembers a touch while there was no slot, and takes the page that comes for a writable
 * one. Whatever the touch, and whatever comes first afterwards, no store is lost.
 */
static void stale_entries(void)
{
	enum { READ = 1, WRITE = 2, OR = 4 };
	static const u8 firsts[][4] = {
		{ WRITE, WRITE, READ, WRITE }, { READ, WRITE, WRITE, READ },
		{ OR, WRITE, READ, WRITE }, { WRITE, READ, WRITE, WRITE },
		{ READ, OR, WRITE, OR }, { OR, OR, READ, OR },
	};
	struct pages pages;
	struct tinyvm *vm = &pages.vm;
	u32 touch, first, n, want = 0;

	start(&pages);
	for (touch = 0; touch < 4 * ARRAY_SIZE(firsts); touch++) {
		first = touch / 4;
		if (touch & READ)
			EXPECT_EQ(tinyvm_read(vm, SCRATCH(0)), want);
		if (touch & WRITE)
			tinyvm_write(vm, SCRATCH(0), want = 0x100 * touch);
		plug(&pages, true);
		for (n = 0; n < 4; n++) {
			if (firsts[first][n] & WRITE)
				tinyvm_write(vm, SCRATCH(0), want = 0x10000 * (touch + 1) + n);
			if (firsts[first][n] & OR)
				tinyvm_do(vm, 0, TINYVM_OR, TINYVM_BAR0 + SCRATCH(0),
					  0x1000000u << n, 1);
			if (firsts[first][n] & OR)
				want |= 0x1000000u << n;
			if (firsts[first][n] & READ)
				EXPECT_EQ(tinyvm_read(vm, SCRATCH(0)), want);
			EXPECT_EQ(vgpu_read(&vm->vgpu, SCRATCH(0)), want);
		}
		plug(&pages, false);
	}
	EXPECT_EQ(lost(&pages), 0);
	stop(&pages);
}

/**
 * struct hammer - A vCPU that stores into a register of its own, and reads it back
 * @pages: the pages
 * @cpu: which vCPU
 * @rounds: how often
 * @late: stores that took effect later
 * @bad: stores that never did, and values that were read back wrong after they had
 */
struct hammer {
	struct pages *pages;
	unsigned int cpu;
	u32 rounds;
	u32 late;
	u32 bad;
};

static bool took_effect(const struct hammer *h, u32 value)
{
	return vgpu_read(&h->pages->vm.vgpu, SCRATCH(h->cpu)) == value;
}

static void *hammer(void *data)
{
	struct hammer *h = data;
	const u32 gpa = TINYVM_BAR0 + SCRATCH(h->cpu);
	u32 n, tries;

	for (n = 1; n <= h->rounds; n++) {
		tinyvm_do(&h->pages->vm, h->cpu, TINYVM_WRITE, gpa, n, 1);
		h->late += !took_effect(h, n);
		for (tries = 0; tries < 100 && !took_effect(h, n); tries++)
			usleep(50000);
		h->bad += !took_effect(h, n);
		h->bad += tinyvm_do(&h->pages->vm, h->cpu, TINYVM_READ, gpa, 0, 1) != n;
	}
	return NULL;
}

/*
 * Two vCPUs at one page, while its slot comes and goes. What one of them can store unseen in the
 * instant in which the other's store is being caught takes effect all the same.
 */
static void two_cpus(void)
{
	struct pages pages;
	struct hammer h[2] = {
		{ .pages = &pages, .cpu = 0, .rounds = 1000 },
		{ .pages = &pages, .cpu = 1, .rounds = 1000 },
	};
	pthread_t thread[2];
	u32 i;

	start(&pages);
	for (i = 0; i < 2; i++)
		EXPECT_EQ(pthread_create(&thread[i], NULL, hammer, &h[i]), 0);
	for (i = 0; i < 60; i++) {
		plug(&pages, true);
		usleep(10000);
		plug(&pages, false);
	}
	for (i = 0; i < 2; i++)
		EXPECT_EQ(pthread_join(thread[i], NULL), 0);
	printf("# late stores: %u, noticed %llu\n", h[0].late + h[1].late,
	       (unsigned long long)lost(&pages));
	EXPECT_EQ(h[0].bad, 0);
	EXPECT_EQ(h[1].bad, 0);
	EXPECT(h[0].late + h[1].late <= 3);
	stop(&pages);
}

/* A VMM that stores by itself, which nobody catches: noticed, and carried out by the rule. */
static void lost_store(void)
{
	struct pages pages;
	u32 tries, i;

	start(&pages);
	for (i = 0; pages.areas.offset[i] != SCRATCH_PAGE;)
		i++;
	*(volatile u32 *)(pages.map[i] + (GEN9_FORCEWAKE_RENDER % PAGE)) = 0x00010001;
	*(volatile u32 *)(pages.map[i] + (SCRATCH(0) % PAGE)) = 0x777;
	for (tries = 0; tries < 100 && lost(&pages) < 2; tries++)
		usleep(50000);
	EXPECT_EQ(lost(&pages), 2);
	EXPECT_EQ(vgpu_read(&pages.vm.vgpu, SCRATCH(0)), 0x777);
	EXPECT_EQ(vgpu_read(&pages.vm.vgpu, GEN9_FORCEWAKE_ACK_RENDER), 1);
	expect_equal_pages(&pages);
	stop(&pages);
}

/* What a store leaves in the page is never more than the register takes. */
static void raw_stores(void)
{
	struct pages pages;
	u32 i, before;

	start(&pages);
	for (i = 0; pages.areas.offset[i] != SCRATCH_PAGE;)
		i++;
	before = vgpu_read(&pages.vm.vgpu, GEN9_PWRGT_DOMAIN_STATUS);
	*(volatile u32 *)(pages.map[i] + (GEN9_PWRGT_DOMAIN_STATUS % PAGE)) = 0x5a5a;
	EXPECT_EQ(vgpu_read(&pages.vm.vgpu, GEN9_PWRGT_DOMAIN_STATUS), before);
	for (i = 0; i < 100 && lost(&pages) < 1; i++)
		usleep(50000);
	EXPECT_EQ(vgpu_read(&pages.vm.vgpu, GEN9_PWRGT_DOMAIN_STATUS), before);
	expect_equal_pages(&pages);
	stop(&pages);
}

static double microseconds(struct tinyvm *vm, enum tinyvm_op op, u32 offset, u32 count)
{
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	tinyvm_do(vm, 0, op, TINYVM_BAR0 + offset, 1, count);
	clock_gettime(CLOCK_MONOTONIC, &b);
	return ((b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3) / count;
}

/* How often the VMM is bothered, with pages and without; and for people, how long it takes. */
static void exits(void)
{
	struct pages pages;
	struct tinyvm *vm = &pages.vm;
	double trapped[2], tracked[2];

	start(&pages);
	trapped[0] = microseconds(vm, TINYVM_READS, SCRATCH(0), 1000);
	trapped[1] = microseconds(vm, TINYVM_WRITES, SCRATCH(0), 1000);
	EXPECT_EQ(vm->exits[0], 2000);
	plug(&pages, true);
	tinyvm_read(vm, SCRATCH(0));
	tinyvm_write(vm, SCRATCH(0), 2);
	tracked[0] = microseconds(vm, TINYVM_READS, SCRATCH(0), 1000);
	tracked[1] = microseconds(vm, TINYVM_WRITES, SCRATCH(0), 1000);
	EXPECT_EQ(vm->exits[0], 2000);
	printf("# read: trapped %.2f us, mapped %.2f us\n", trapped[0], tracked[0]);
	printf("# write: trapped %.2f us, tracked %.2f us (%.2f)\n", trapped[1], tracked[1],
	       tracked[1] / trapped[1]);
	EXPECT_EQ(vgpu_counter(0, "tracked_writes"), 1001);
	EXPECT(vgpu_counter(0, "register_zaps") <= 1);
	stop(&pages);
}

static const struct testcase tests[] = {
	{ "equal-reads", equal_reads },
	{ "guest-accesses", guest_accesses },
	{ "sizes", sizes },
	{ "same-as-trapped", same_as_trapped },
	{ "stale-entries", stale_entries },
	{ "two-cpus", two_cpus },
	{ "lost-store", lost_store },
	{ "raw-stores", raw_stores },
	{ "exits", exits },
};

const struct testgroup map_regs_tests = { tests, ARRAY_SIZE(tests) };
