// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers that do something when they are written, or that move by themselves.
 */
#include <unistd.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_reset.h>

#include "groups.h"
#include "vgpu.h"

static const u32 bases[] = { GEN9_RCS_BASE, GEN9_BCS_BASE, GEN9_VCS_BASE, GEN9_VECS_BASE };

static u32 masked(u32 set, u32 clear)
{
	return (set | clear) << 16 | set;
}

/* Each requester has its bit, and its acknowledge. */
static void forcewake(void)
{
	static const u32 well[][2] = {
		{ GEN9_FORCEWAKE_RENDER, GEN9_FORCEWAKE_ACK_RENDER },
		{ GEN9_FORCEWAKE_GT, GEN9_FORCEWAKE_ACK_GT },
		{ GEN9_FORCEWAKE_MEDIA, GEN9_FORCEWAKE_ACK_MEDIA },
	};
	struct vgpu vgpu;
	size_t i;

	vgpu_start(&vgpu);
	for (i = 0; i < ARRAY_SIZE(well); i++) {
		EXPECT_EQ(vgpu_read(&vgpu, well[i][1]), 0);
		vgpu_write(&vgpu, well[i][0], masked(GEN9_FORCEWAKE_KERNEL, 0));
		EXPECT_EQ(vgpu_read(&vgpu, well[i][1]), GEN9_FORCEWAKE_KERNEL);
		vgpu_write(&vgpu, well[i][0], masked(GEN9_FORCEWAKE_KERNEL_FALLBACK, 0));
		EXPECT_EQ(vgpu_read(&vgpu, well[i][1]),
			  GEN9_FORCEWAKE_KERNEL | GEN9_FORCEWAKE_KERNEL_FALLBACK);
		vgpu_write(&vgpu, well[i][0], masked(0, GEN9_FORCEWAKE_KERNEL));
		EXPECT_EQ(vgpu_read(&vgpu, well[i][1]), GEN9_FORCEWAKE_KERNEL_FALLBACK);
	}
	vgpu_stop(&vgpu);
}

/* One engine's reset leaves the others alone, and its interrupt mask. */
static void engine_reset(void)
{
	struct vgpu vgpu;
	size_t i;

	vgpu_start(&vgpu);
	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		vgpu_write(&vgpu, bases[i] + GEN9_RING_HWS_PGA, 0x7000);
		vgpu_write(&vgpu, bases[i] + GEN9_RING_IMR, 0x1234);
	}
	vgpu_write(&vgpu, GEN9_GDRST, GEN9_GDRST_BLT);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_GDRST), 0);
	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		EXPECT_EQ(vgpu_read(&vgpu, bases[i] + GEN9_RING_HWS_PGA),
			  bases[i] == GEN9_BCS_BASE ? 0 : 0x7000);
		EXPECT_EQ(vgpu_read(&vgpu, bases[i] + GEN9_RING_IMR), 0x1234);
	}
	vgpu_stop(&vgpu);
}

static void full_reset(void)
{
	struct vgpu vgpu;
	size_t i;

	vgpu_start(&vgpu);
	vgpu_write64(&vgpu, GEN9_FENCE_LO(3), 0x123000ull << 32 | GEN9_FENCE_VALID);
	vgpu_write(&vgpu, GEN9_PCODE_DATA0, 0x77);
	for (i = 0; i < ARRAY_SIZE(bases); i++)
		vgpu_write(&vgpu, bases[i] + GEN9_RING_HWS_PGA, 0x7000);
	vgpu_write(&vgpu, GEN9_GDRST, GEN9_GDRST_FULL);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_GDRST), 0);
	for (i = 0; i < ARRAY_SIZE(bases); i++)
		EXPECT_EQ(vgpu_read(&vgpu, bases[i] + GEN9_RING_HWS_PGA), 0);
	EXPECT_EQ(vgpu_read64(&vgpu, GEN9_FENCE_LO(3)), 0);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_PCODE_DATA0), 0x77);
	vgpu_stop(&vgpu);
}

static void reset_handshake(void)
{
	struct vgpu vgpu;
	size_t i;

	vgpu_start(&vgpu);
	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		u32 ctl = bases[i] + GEN9_RING_RESET_CTL;

		EXPECT_EQ(vgpu_read(&vgpu, ctl), 0);
		vgpu_write(&vgpu, ctl, masked(GEN9_RESET_CTL_REQUEST, 0));
		EXPECT_EQ(vgpu_read(&vgpu, ctl), GEN9_RESET_CTL_REQUEST | GEN9_RESET_CTL_READY);
		vgpu_write(&vgpu, ctl, masked(0, GEN9_RESET_CTL_REQUEST));
		EXPECT_EQ(vgpu_read(&vgpu, ctl), 0);
	}
	vgpu_stop(&vgpu);
}

static void tlb(void)
{
	struct vgpu vgpu;
	u32 offset;

	vgpu_start(&vgpu);
	for (offset = GEN9_TLB_RENDER; offset <= GEN9_TLB_GUC; offset += 4) {
		vgpu_write(&vgpu, offset, GEN9_TLB_INVALIDATE);
		EXPECT_EQ(vgpu_read(&vgpu, offset), 0);
	}
	vgpu_stop(&vgpu);
}

/* Every fourth write is a submission, by engine; these are bad, and hang the engine. */
static void submission_port(void)
{
	struct vgpu vgpu;
	u64 before;
	size_t i;
	int n;

	vgpu_start(&vgpu);
	before = vgpu_counter(0, "submissions");
	for (i = 0; i < ARRAY_SIZE(bases); i++)
		for (n = 0; n < 7; n++)
			vgpu_write(&vgpu, bases[i] + GEN9_RING_ELSP, 0xffffffff);
	EXPECT_EQ(vgpu_counter(0, "submissions") - before, ARRAY_SIZE(bases));
	/* A reset drops what is not complete. */
	vgpu_write(&vgpu, GEN9_GDRST, GEN9_GDRST_FULL);
	vgpu_write(&vgpu, GEN9_RCS_BASE + GEN9_RING_ELSP, 0);
	EXPECT_EQ(vgpu_counter(0, "submissions") - before, ARRAY_SIZE(bases));
	vgpu_stop(&vgpu);
}

/* The read pointer is the guest's, the write pointer goes to its reset value only. */
static void csb_pointer(void)
{
	const u32 ptr = GEN9_RCS_BASE + GEN9_RING_CONTEXT_STATUS_PTR;
	const u32 reset = GEN9_CSB_PTR_RESET | GEN9_CSB_PTR_RESET << GEN9_CSB_PTR_READ_SHIFT;
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	EXPECT_EQ(vgpu_read(&vgpu, ptr), reset);
	vgpu_write(&vgpu, ptr, 0xffff0000 | 2 << GEN9_CSB_PTR_READ_SHIFT | 1);
	EXPECT_EQ(vgpu_read(&vgpu, ptr), 2 << GEN9_CSB_PTR_READ_SHIFT | GEN9_CSB_PTR_RESET);
	vgpu_write(&vgpu, ptr, 0xffff0000 | reset);
	EXPECT_EQ(vgpu_read(&vgpu, ptr), reset);
	vgpu_stop(&vgpu);
}

/* A slot for non-privileged batches takes what commands may write, else nothing. */
static void nonpriv_slot(void)
{
	const u32 slot = GEN9_RCS_BASE + GEN9_RING_FORCE_TO_NONPRIV(0);
	const u32 gpr = GEN9_RCS_BASE + GEN9_RING_CS_GPR(0);
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	vgpu_write(&vgpu, slot, gpr);
	EXPECT_EQ(vgpu_read(&vgpu, slot), gpr);
	vgpu_write(&vgpu, slot, GEN9_RCS_BASE + GEN9_RING_HWS_PGA);
	EXPECT_EQ(vgpu_read(&vgpu, slot), GEN9_RCS_BASE + GEN9_RING_NOPID);
	vgpu_stop(&vgpu);
}

/* The mailbox's answer to a command; its status is the caller's affair. */
static u32 pcode(struct vgpu *vgpu, u32 command, u32 data)
{
	vgpu_write(vgpu, GEN9_PCODE_DATA0, data);
	vgpu_write(vgpu, GEN9_PCODE_DATA1, 0x55);
	vgpu_write(vgpu, GEN9_PCODE_MAILBOX, GEN9_PCODE_READY | command);
	return vgpu_read(vgpu, GEN9_PCODE_DATA0);
}

/* What a driver stored for each of the GT's ratios it reads again, without that ratio. */
static void pcode_frequencies(void)
{
	struct vgpu vgpu;
	u32 ratio;

	vgpu_start(&vgpu);
	for (ratio = 0; ratio < 256; ratio++) {
		pcode(&vgpu, GEN9_PCODE_WRITE_MIN_FREQ,
		      ratio | (255 - ratio) << GEN9_PCODE_IA_RATIO_SHIFT |
		      (ratio ^ 0x5a) << GEN9_PCODE_RING_RATIO_SHIFT);
		EXPECT_EQ(vgpu_read(&vgpu, GEN9_PCODE_MAILBOX), GEN9_PCODE_SUCCESS);
	}
	for (ratio = 0; ratio < 256; ratio++) {
		EXPECT_EQ(pcode(&vgpu, GEN9_PCODE_READ_MIN_FREQ, ratio),
			  (255 - ratio) | (ratio ^ 0x5a) << 8);
		EXPECT_EQ(vgpu_read(&vgpu, GEN9_PCODE_DATA1), 0);
	}
	EXPECT_EQ(vgpu_ioctl(&vgpu, VFIO_DEVICE_RESET, NULL), 0);
	EXPECT_EQ(pcode(&vgpu, GEN9_PCODE_READ_MIN_FREQ, 7), 0);
	vgpu_stop(&vgpu);
}

/* The efficient frequency is the chip's RP1, which every driver may know. */
static void pcode_efficient(void)
{
	struct vgpu vgpu;
	u32 caps;

	vgpu_start(&vgpu);
	caps = vgpu_read(&vgpu, GEN9_RP_STATE_CAP);
	EXPECT(caps & GEN9_PCODE_EFFICIENT_MASK);
	EXPECT_EQ(pcode(&vgpu, GEN9_PCODE_DUTY_CYCLE, 0), caps & GEN9_PCODE_EFFICIENT_MASK);
	vgpu_stop(&vgpu);
}

static void pcode_mailbox(void)
{
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	vgpu_write(&vgpu, GEN9_PCODE_DATA0, GEN9_CDCLK_PREPARE);
	vgpu_write(&vgpu, GEN9_PCODE_MAILBOX, GEN9_PCODE_READY | GEN9_PCODE_CDCLK_CONTROL);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_PCODE_MAILBOX), GEN9_PCODE_SUCCESS);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_PCODE_DATA0), GEN9_CDCLK_READY);
	vgpu_write(&vgpu, GEN9_PCODE_DATA0, 0x1234);
	vgpu_write(&vgpu, GEN9_PCODE_MAILBOX, GEN9_PCODE_READY | 0x5600 | 0xee);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_PCODE_MAILBOX), 0x5600 | GEN9_PCODE_ILLEGAL_COMMAND);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_PCODE_DATA0), 0x1234);
	vgpu_stop(&vgpu);
}

static void frequency(void)
{
	const u32 wish = 20u << GEN9_FREQUENCY_SHIFT;
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	vgpu_write(&vgpu, GEN9_RPNSWREQ, wish | 0x123);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_RPSTAT1), wish);
	vgpu_write(&vgpu, GEN9_RPSTAT1, ~0u);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_RPSTAT1), wish);
	vgpu_stop(&vgpu);
}

/* The chip's own: batches read that as well. */
static void timestamps(void)
{
	struct vgpu vgpu;
	u32 first, later;
	size_t i;

	vgpu_start(&vgpu);
	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		first = vgpu_read(&vgpu, bases[i] + GEN9_RING_TIMESTAMP);
		usleep(2000);
		later = vgpu_read(&vgpu, bases[i] + GEN9_RING_TIMESTAMP);
		EXPECT((s32)(later - first) > 0);
		vgpu_write(&vgpu, bases[i] + GEN9_RING_TIMESTAMP, 0);
		first = vgpu_read(&vgpu, bases[i] + GEN9_RING_TIMESTAMP);
		EXPECT((s32)(first - later) >= 0);
	}
	vgpu_stop(&vgpu);
}

static void rc6_residency(void)
{
	struct vgpu vgpu;
	u32 first;

	vgpu_start(&vgpu);
	first = vgpu_read(&vgpu, GEN9_GFX_RC6);
	usleep(2000);
	EXPECT(vgpu_read(&vgpu, GEN9_GFX_RC6) - first >= 2000000 / GEN9_RC6_TICK_NS);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_GFX_RC6PP), 0);
	vgpu_stop(&vgpu);
}

/* Nothing is told yet: a driver that looks takes it for a chip of its own. */
static void pvinfo(void)
{
	struct vgpu vgpu;

	vgpu_start(&vgpu);
	vgpu_write(&vgpu, GEN9_PVINFO_FIRST, 0x12345678);
	EXPECT_EQ(vgpu_read64(&vgpu, GEN9_PVINFO_FIRST), 0);
	EXPECT_EQ(vgpu_read(&vgpu, GEN9_PVINFO_LAST), 0);
	vgpu_stop(&vgpu);
}

static const struct testcase tests[] = {
	{ "effects-forcewake", forcewake },
	{ "effects-engine-reset", engine_reset },
	{ "effects-full-reset", full_reset },
	{ "effects-reset-handshake", reset_handshake },
	{ "effects-tlb", tlb },
	{ "effects-submission-port", submission_port },
	{ "effects-csb-pointer", csb_pointer },
	{ "effects-nonpriv-slot", nonpriv_slot },
	{ "effects-pcode-mailbox", pcode_mailbox },
	{ "effects-pcode-frequencies", pcode_frequencies },
	{ "effects-pcode-efficient", pcode_efficient },
	{ "effects-frequency", frequency },
	{ "effects-timestamps", timestamps },
	{ "effects-rc6-residency", rc6_residency },
	{ "effects-pvinfo", pvinfo },
};

const struct testgroup effects_tests = { tests, ARRAY_SIZE(tests) };
