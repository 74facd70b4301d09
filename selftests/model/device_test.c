// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of the whole device through its BARs: what no single part can do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_pte.h>
#include <gvirt/gen9_reset.h>
#include "device.h"
#include "guest_memory.h"
#include "vfu_server.h"

#define GGTT_AT 0x800000u

struct fixture {
	struct gm_device *device;
	struct gm_stats *stats;
	struct gm_vfu_device vfu;
};

static void no_interrupt(void *opaque, bool level)
{
	(void)opaque;
	(void)level;
}

static bool access_region(struct fixture *f, int region, u64 offset, void *buf, size_t len,
			  bool write)
{
	return f->vfu.region[region].access(f->vfu.opaque, offset, buf, len, write);
}

static u32 reg_read(struct fixture *f, u32 offset)
{
	u32 value = 0;

	assert_true(access_region(f, 0, offset, &value, sizeof(value), false));
	return value;
}

static void reg_write(struct fixture *f, u32 offset, u32 value)
{
	assert_true(access_region(f, 0, offset, &value, sizeof(value), true));
}

/* Wake all wells, as a driver does before it touches the GT. */
static void wake(struct fixture *f)
{
	reg_write(f, GEN9_FORCEWAKE_RENDER, 0x00010001);
	reg_write(f, GEN9_FORCEWAKE_GT, 0x00010001);
	reg_write(f, GEN9_FORCEWAKE_MEDIA, 0x00010001);
	assert_int_equal(reg_read(f, GEN9_FORCEWAKE_ACK_RENDER), 1);
}

static int setup(void **state)
{
	const struct gm_device_config config = {
		.platform = gm_platform_find("skl-gt2"),
		.interrupt = no_interrupt,
	};
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	f->device = gm_device_create(&config);
	if (!f->device)
		return -1;
	f->stats = gm_device_stats(f->device);
	gm_device_describe(f->device, &f->vfu);
	wake(f);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	gm_device_destroy(f->device);
	free(f);
	return 0;
}

static void bar0_split_test(void **state)
{
	struct fixture *f = *state;
	u64 entry = 0x1234567001, value = 0;

	/* The last register and the first entry; nothing may straddle them. */
	assert_true(access_region(f, 0, GGTT_AT - 4, &value, 4, false));
	assert_true(access_region(f, 0, GGTT_AT, &entry, 8, true));
	assert_true(access_region(f, 0, GGTT_AT, &value, 8, false));
	assert_int_equal(value, entry);
	assert_false(access_region(f, 0, GGTT_AT - 4, &value, 8, false));
	assert_int_equal(f->stats->counter[GM_COUNT_GGTT_ACCESS], 2);
	assert_int_equal(f->stats->counter[GM_COUNT_MMIO_UNKNOWN_READ], 1);
}

static void bar4_index_test(void **state)
{
	struct fixture *f = *state;
	u32 index = GEN9_FENCE_LO(3), value = 0x12345001;

	assert_true(access_region(f, 4, 0, &index, 4, true));
	assert_true(access_region(f, 4, 4, &value, 4, true));
	assert_int_equal(reg_read(f, GEN9_FENCE_LO(3)), value);

	/* An index beyond the registers wraps; odd accesses read as zero. */
	index = 0xffffffff;
	assert_true(access_region(f, 4, 0, &index, 4, true));
	assert_true(access_region(f, 4, 0, &index, 4, false));
	assert_int_equal(index, 0x7ffffc);
	index = 0xffffffff;
	assert_true(access_region(f, 4, 2, &index, 2, false));
	assert_int_equal(index, 0xffff0000);
}

static void idle_reset_test(void **state)
{
	struct fixture *f = *state;

	/* What runs nothing may be reset without the handshake. */
	reg_write(f, GEN9_GDRST, GEN9_GDRST_FULL);
	assert_int_equal(reg_read(f, GEN9_GDRST), 0);
	reg_write(f, GEN9_GDRST, GEN9_GDRST_BLT | GEN9_GDRST_VECS);
	assert_int_equal(reg_read(f, GEN9_GDRST), 0);
	assert_int_equal(f->stats->counter[GM_COUNT_RESET_FULL], 1);
	assert_int_equal(f->stats->counter[GM_COUNT_RESET_ENGINE], 1);
	assert_int_equal(gm_stats_misuse_total(f->stats), 0);
}

static void reset_scope_test(void **state)
{
	struct fixture *f = *state;
	u64 entry = 0x7000 | GEN9_GGTT_PRESENT, value;

	access_region(f, 0, GGTT_AT + 64, &entry, 8, true);
	reg_write(f, GEN9_BCS_BASE + GEN9_RING_HWS_PGA, 0x5000);
	reg_write(f, GEN9_VCS_BASE + GEN9_RING_HWS_PGA, 0x6000);
	reg_write(f, GEN9_FENCE_LO(0), 0x1001);

	/* One engine: its registers, nobody else's. */
	reg_write(f, GEN9_GDRST, GEN9_GDRST_BLT);
	assert_int_equal(reg_read(f, GEN9_BCS_BASE + GEN9_RING_HWS_PGA), 0);
	assert_int_equal(reg_read(f, GEN9_VCS_BASE + GEN9_RING_HWS_PGA), 0x6000);
	assert_int_equal(reg_read(f, GEN9_FENCE_LO(0)), 0x1001);

	/* Everything: fences too, but the wells stay awake and the GGTT keeps its entries. */
	reg_write(f, GEN9_GDRST, GEN9_GDRST_FULL);
	assert_int_equal(reg_read(f, GEN9_VCS_BASE + GEN9_RING_HWS_PGA), 0);
	assert_int_equal(reg_read(f, GEN9_FENCE_LO(0)), 0);
	assert_int_equal(reg_read(f, GEN9_FORCEWAKE_ACK_RENDER), 1);
	access_region(f, 0, GGTT_AT + 64, &value, 8, false);
	assert_int_equal(value, entry);
	assert_int_equal(gm_stats_misuse_total(f->stats), 0);
}

static void device_reset_test(void **state)
{
	struct fixture *f = *state;

	f->vfu.reset(f->vfu.opaque);
	assert_int_equal(reg_read(f, GEN9_FORCEWAKE_ACK_RENDER), 0);
	/* The well sleeps again, so that the next access is a misuse. */
	assert_int_equal(gm_stats_misuse_total(f->stats), 0);
	reg_write(f, GEN9_RCS_BASE + GEN9_RING_HWS_PGA, 0x5000);
	assert_int_equal(f->stats->misuse[GM_MISUSE_FORCEWAKE], 1);
}

static void tlb_registers_test(void **state)
{
	static const u32 regs[] = {
		GEN9_TLB_RENDER, GEN9_TLB_VIDEO, GEN9_TLB_BLT, GEN9_TLB_VEBOX,
	};
	struct fixture *f = *state;
	u64 before;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(regs); i++) {
		before = f->stats->counter[GM_COUNT_TLB_INVALIDATE];
		reg_write(f, regs[i], 0);
		assert_int_equal(f->stats->counter[GM_COUNT_TLB_INVALIDATE], before);
		reg_write(f, regs[i], GEN9_TLB_INVALIDATE);
		assert_int_equal(f->stats->counter[GM_COUNT_TLB_INVALIDATE], before + 1);
		assert_int_equal(reg_read(f, regs[i]), 0);
	}
	/* The GGTT's flush reaches every engine. */
	before = f->stats->counter[GM_COUNT_TLB_INVALIDATE];
	reg_write(f, GEN9_GFX_FLSH_CNTL, GEN9_GFX_FLSH_CNTL_EN);
	assert_true(f->stats->counter[GM_COUNT_TLB_INVALIDATE] >= before + GM_ENGINE_COUNT);
}

/* A misprogrammed engine that hangs is reset without, then with the handshake. */
static void hung_reset_test(void **state)
{
	struct fixture *f = *state;
	const u32 base = GEN9_BCS_BASE;
	int i;

	reg_write(f, base + GEN9_RING_GFX_MODE, GEN9_GFX_RUN_LIST_ENABLE << 16 |
		  GEN9_GFX_RUN_LIST_ENABLE);
	for (i = 0; i < 2; i++) {
		/* A context whose image no GGTT entry maps. */
		reg_write(f, base + GEN9_RING_ELSP, 0);
		reg_write(f, base + GEN9_RING_ELSP, 0);
		reg_write(f, base + GEN9_RING_ELSP, 1);
		reg_write(f, base + GEN9_RING_ELSP, 0x10000119);
		if (i) {
			reg_write(f, base + GEN9_RING_RESET_CTL, GEN9_RESET_CTL_REQUEST << 16 |
				  GEN9_RESET_CTL_REQUEST);
			while (!(reg_read(f, base + GEN9_RING_RESET_CTL) & GEN9_RESET_CTL_READY))
				nanosleep(&(struct timespec) { .tv_nsec = 100000 }, NULL);
		}
		reg_write(f, GEN9_GDRST, GEN9_GDRST_BLT);
		assert_int_equal(f->stats->misuse[GM_MISUSE_RESET_NOT_READY], 1);
		reg_write(f, base + GEN9_RING_GFX_MODE, GEN9_GFX_RUN_LIST_ENABLE << 16 |
			  GEN9_GFX_RUN_LIST_ENABLE);
	}
}

#define RING(n)		(0x10000u + (n) * 0x1000u)
#define SEMAPHORE	0x20000u

/* Runs commands in an engine's ring, without execlists. */
static void run_ring(struct fixture *f, struct guest_memory *memory, u32 base, u32 ring,
		     const u32 *cmd, u32 dwords)
{
	memcpy(memory->bytes + ring, cmd, 4 * dwords);
	reg_write(f, base + GEN9_RING_CTL, 0);
	reg_write(f, base + GEN9_RING_HEAD, 0);
	reg_write(f, base + GEN9_RING_TAIL, 0);
	reg_write(f, base + GEN9_RING_START, ring);
	reg_write(f, base + GEN9_RING_CTL, GEN9_RING_CTL_VALID);
	reg_write(f, base + GEN9_RING_TAIL, 4 * dwords);
}

/* Waits, up to ten seconds, until bits of a register have a value. */
static void expect_register(struct fixture *f, u32 offset, u32 mask, u32 value)
{
	int i;

	for (i = 0; i < 10000 && (reg_read(f, offset) & mask) != value; i++)
		usleep(1000);
	assert_int_equal(reg_read(f, offset) & mask, value);
}

static void expect_head(struct fixture *f, u32 base, u32 head)
{
	expect_register(f, base + GEN9_RING_HEAD, GEN9_RING_HEAD_MASK, head);
}

/* Each engine waits for a signal; one with another target does not reach it. */
static void semaphore_signal_test(void **state)
{
	static const u32 bases[] = { 0x2000, 0x12000, 0x22000, 0x1a000 };
	const u32 wait[] = { 0x0e404002, 1, SEMAPHORE, 0 };
	struct fixture *f = *state;
	struct guest_memory memory;
	u32 n, sender, page;
	u64 entry;

	guest_memory_create(&memory, 1 << 20, f->stats);
	assert_int_equal(gm_dma_map(f->vfu.dma, 0, memory.size, memory.fd, 0,
				    GM_DMA_READ | GM_DMA_WRITE), 0);
	for (page = 0; page < memory.size / 4096; page++) {
		entry = (u64)page << 12 | 1;
		assert_true(access_region(f, 0, GGTT_AT + 8 * page, &entry, 8, true));
	}
	for (n = 0; n < 4; n++) {
		sender = bases[(n + 1) & 3];
		memset(memory.bytes + SEMAPHORE, 0, 4);
		run_ring(f, &memory, bases[n], RING(0), wait, 4);
		expect_register(f, bases[n] + GEN9_RING_CTL, GEN9_RING_CTL_WAIT_SEMAPHORE,
				GEN9_RING_CTL_WAIT_SEMAPHORE);
		run_ring(f, &memory, sender, RING(1), (const u32[]) {
			 0x10400002, SEMAPHORE, 0, 1, 0x0d800000 | ((n + 1) & 3) << 15, 0, 0, 0
		}, 8);
		expect_head(f, sender, 32);
		usleep(2000);
		expect_head(f, bases[n], 0);
		run_ring(f, &memory, sender, RING(1), (const u32[]) {
			0x0d800000 | n << 15, 0 }, 2);
		expect_head(f, sender, 8);
		expect_head(f, bases[n], 16);
	}
	assert_int_equal(gm_stats_misuse_total(f->stats), 0);
	gm_dma_unmap(f->vfu.dma, 0, memory.size);
	guest_memory_destroy(&memory);
}

/* Gone from the bus, and back as new. */
static void gone_test(void **state)
{
	struct fixture *f = *state;
	u32 value = 0;

	reg_write(f, 0x2600, 0x1234);
	gm_device_set_gone(f->device, true);
	assert_int_equal(reg_read(f, 0x2600), 0xffffffff);
	assert_int_equal(reg_read(f, GEN9_FORCEWAKE_ACK_RENDER), 0xffffffff);
	reg_write(f, 0x2600, 0x5678);
	assert_true(access_region(f, 7, 0, &value, sizeof(value), false));
	assert_int_equal(value, 0xffffffff);
	gm_device_set_gone(f->device, false);
	wake(f);
	assert_int_equal(reg_read(f, 0x2600), 0);
	assert_true(access_region(f, 7, 0, &value, 2, false));
	assert_int_equal(value & 0xffff, 0x8086);
	assert_int_equal(gm_stats_misuse_total(f->stats), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(bar0_split_test, setup, teardown),
		cmocka_unit_test_setup_teardown(bar4_index_test, setup, teardown),
		cmocka_unit_test_setup_teardown(idle_reset_test, setup, teardown),
		cmocka_unit_test_setup_teardown(reset_scope_test, setup, teardown),
		cmocka_unit_test_setup_teardown(device_reset_test, setup, teardown),
		cmocka_unit_test_setup_teardown(tlb_registers_test, setup, teardown),
		cmocka_unit_test_setup_teardown(hung_reset_test, setup, teardown),
		cmocka_unit_test_setup_teardown(semaphore_signal_test, setup, teardown),
		cmocka_unit_test_setup_teardown(gone_test, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
