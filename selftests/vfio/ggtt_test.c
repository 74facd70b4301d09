// SPDX-License-Identifier: GPL-2.0-only
/*
 * The global GTT as commands and engines see it: mapping, remapping, unmapping of operands,
 * batches, rings, images and status pages.
 */
#include <string.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_render.h>

#include "lib/program.h"
#include "lib/share.h"
#include "lib/work.h"

#define PAGE		4096u
/* An address that the library gives to nobody. */
#define FREE		0x00081000u
#define HIGH		0xf7654000u
#define BURST		256
#define SECRET		0x5ec4e7

static void store(struct work *work, u32 address, u32 value)
{
	struct cmds cmds = { };

	emit_store(&cmds, GGTT, address, value);
	ctx_run(&work->ctx, &cmds);
}

static u32 gpr(const struct work *work, unsigned int n)
{
	return work->engine->base + GEN9_RING_CS_GPR(n);
}

/* What the engine reads at an address, by way of a register. */
static u32 load(struct work *work, u32 address)
{
	struct cmds cmds = { };

	emit_lrm(&cmds, GGTT, gpr(work, 0), address);
	emit_srm(&cmds, GGTT, gpr(work, 0), work->target.ggtt + 256);
	ram_write(&work->guest.ram, work_dword(work, 64), ~0u);
	ctx_run(&work->ctx, &cmds);
	return ram_read(&work->guest.ram, work_dword(work, 64));
}

/* The page behind an operand changes. */
static void check_remap(struct work *work)
{
	u64 first = ram_page(&work->guest.ram), second = ram_page(&work->guest.ram);

	ggtt_map(&work->guest.ggtt, FREE, first, 1);
	store(work, FREE + 4, 1);
	guest_expect(&work->guest, first + 4, 1, "the first page");
	ggtt_map(&work->guest.ggtt, FREE, second, 1);
	store(work, FREE + 4, 2);
	guest_expect(&work->guest, second + 4, 2, "the second page");
	guest_expect(&work->guest, first + 4, 1, "the first page");
	EXPECT_EQ(load(work, FREE + 4), 2);
	ggtt_map(&work->guest.ggtt, FREE, first, 1);
	EXPECT_EQ(load(work, FREE + 4), 1);
}

static void remap(void)
{
	work_on_each_engine(check_remap);
}

/* After an unmap, engines reach the driver's scratch page and not the page that was there. */
static void check_unmap(struct work *work)
{
	u64 page = ram_page(&work->guest.ram);

	ram_write(&work->guest.ram, work->guest.ggtt.scratch + 8, 0x5c4a7c4);
	ram_write(&work->guest.ram, page + 8, SECRET);
	ggtt_map(&work->guest.ggtt, FREE, page, 1);
	EXPECT_EQ(load(work, FREE + 8), SECRET);
	ggtt_unmap(&work->guest.ggtt, FREE, 1);
	EXPECT_EQ(load(work, FREE + 8), 0x5c4a7c4);
	store(work, FREE + 8, 0x77);
	guest_expect(&work->guest, page + 8, SECRET, "an unmapped page");
	guest_expect(&work->guest, work->guest.ggtt.scratch + 8, 0x77, "the scratch page");
}

static void unmap(void)
{
	work_on_each_engine(check_unmap);
}

/* Two addresses of one page; an address that crosses to the next page's memory. */
static void check_alias(struct work *work)
{
	u64 page = ram_page(&work->guest.ram);

	ggtt_map(&work->guest.ggtt, FREE, page, 1);
	ggtt_map(&work->guest.ggtt, FREE + 4 * PAGE, page, 1);
	store(work, FREE + 16, 3);
	EXPECT_EQ(load(work, FREE + 4 * PAGE + 16), 3);
	store(work, FREE + 4 * PAGE + 20, 4);
	EXPECT_EQ(load(work, FREE + 20), 4);
}

static void alias(void)
{
	work_on_each_engine(check_alias);
}

/* Near the end of the 4 GiB, far beyond any aperture. */
static void check_high(struct work *work)
{
	u64 page = ram_page(&work->guest.ram);

	ggtt_map(&work->guest.ggtt, HIGH, page, 1);
	store(work, HIGH + 40, 0x416);
	guest_expect(&work->guest, page + 40, 0x416, "a page at a high address");
	EXPECT_EQ(load(work, HIGH + 40), 0x416);
}

static void high(void)
{
	work_on_each_engine(check_high);
}

static u64 burst_page(u64 pages, unsigned int i, bool reversed)
{
	return pages + (u64)PAGE * (reversed ? BURST - 1 - i : i);
}

static void check_burst(struct work *work, u64 pages, bool reversed)
{
	struct cmds cmds = { };
	unsigned int i;

	for (i = 0; i < BURST; i++)
		ggtt_write(&work->guest.ggtt, FREE + i * PAGE, burst_page(pages, i, reversed) | 1);
	ggtt_flush(&work->guest.ggtt);
	for (i = 0; i < BURST / 2; i++)
		emit_store(&cmds, GGTT, FREE + 2 * i * PAGE, 0xb00 + i + reversed);
	ctx_run(&work->ctx, &cmds);
	for (i = 0; i < BURST / 2; i++)
		guest_expect(&work->guest, burst_page(pages, 2 * i, reversed), 0xb00 + i + reversed,
			     "a page of a burst");
}

/* Many entries change before one submission, all operands of it. */
static void burst(void)
{
	static struct work work;
	u64 pages;

	work_start(&work, target(0), BCS, 4);
	/* Of addresses below those that the library gives out: FREE + BURST pages. */
	pages = ram_alloc(&work.guest.ram, RAM_LOW, BURST * PAGE, PAGE);
	EXPECT(FREE + BURST * PAGE <= GGTT_FIRST);
	check_burst(&work, pages, false);
	check_burst(&work, pages, true);
	work_stop(&work);
}

static void emit_privileged_batch(struct work *work, struct cmds *ring, u32 value)
{
	struct cmds batch = { };
	struct page page;

	emit_store(&batch, GGTT, work->target.ggtt + 4, value);
	emit_lri(&batch, gpr(work, 3), value + 1);
	emit_srm(&batch, GGTT, gpr(work, 3), work->target.ggtt + 8);
	page = guest_batch(&work->guest, NULL, 0, &batch);
	emit_batch(ring, GGTT, page.ggtt);
}

/* A privileged batch, in the GGTT. */
static void check_batch(struct work *work)
{
	struct cmds ring = { };

	emit_privileged_batch(work, &ring, 0x9100);
	emit_store(&ring, GGTT, work->target.ggtt + 12, 0x9102);
	ctx_run(&work->ctx, &ring);
	work_expect(work, 1, 0x9100);
	work_expect(work, 2, 0x9101);
	work_expect(work, 3, 0x9102);
}

static void batch(void)
{
	work_on_each_engine(check_batch);
}

/* Its commands change from one request to the next. */
static void check_batch_changes(struct work *work)
{
	struct cmds batch = { }, ring = { };
	struct page page;
	unsigned int i;

	emit_store(&batch, GGTT, work->target.ggtt, 0);
	page = guest_batch(&work->guest, NULL, 0, &batch);
	emit_batch(&ring, GGTT, page.ggtt);
	for (i = 1; i < 10; i++) {
		ram_write(&work->guest.ram, page.gpa + 12, i);
		ctx_run(&work->ctx, &ring);
		work_expect(work, 0, i);
	}
}

static void batch_changes(void)
{
	work_on_each_engine(check_batch_changes);
}

/* A batch that does not change is audited once, as the counters say. */
static void check_batch_again(struct work *work)
{
	struct cmds batch = { }, ring = { };
	u64 known, dwords;
	struct page page;
	unsigned int i;

	for (i = 0; i < 200; i++)
		emit_store(&batch, GGTT, work->target.ggtt + 4 * i, i);
	page = guest_batch(&work->guest, NULL, 0, &batch);
	emit_batch(&ring, GGTT, page.ggtt);
	ctx_run(&work->ctx, &ring);
	known = share_number(target(0), "audit_unchanged");
	dwords = share_number(target(0), "audit_dwords");
	for (i = 1; i < 10; i++) {
		ram_write(&work->guest.ram, work_dword(work, 0), 0xbad);
		ctx_run(&work->ctx, &ring);
		work_expect(work, 0, 0);
		EXPECT_EQ(share_number(target(0), "audit_unchanged"), known + i);
	}
	/* Those of the rings. */
	EXPECT(share_number(target(0), "audit_dwords") - dwords < batch.count);
	ram_write(&work->guest.ram, page.gpa + 12, 7);
	ctx_run(&work->ctx, &ring);
	work_expect(work, 0, 7);
	EXPECT_EQ(share_number(target(0), "audit_unchanged"), known + 9);
	EXPECT(share_number(target(0), "audit_dwords") - dwords >= batch.count);
}

static void batch_again(void)
{
	if (!target_virtual())
		test_skip("nobody audits what the chip gets");
	work_on_each_engine(check_batch_again);
}

/* The memory behind a ring's address changes while the context is idle. */
static void check_ring_moves(struct work *work)
{
	struct cmds cmds = { };
	u64 ring = ram_alloc(&work->guest.ram, RAM_HIGH, CTX_RING_SIZE, PAGE);

	emit_store(&cmds, GGTT, work->target.ggtt, 1);
	ctx_run(&work->ctx, &cmds);
	memcpy(ram_cpu(&work->guest.ram, ring), ram_cpu(&work->guest.ram, work->ctx.ring),
	       CTX_RING_SIZE);
	/* Nobody may look at the old one any more. */
	memset(ram_cpu(&work->guest.ram, work->ctx.ring), 0xff, CTX_RING_SIZE);
	ggtt_map(&work->guest.ggtt, work->ctx.ring_ggtt, ring, CTX_RING_SIZE / PAGE);
	work->ctx.ring = ring;
	cmds.dw[3] = 2;
	ctx_run(&work->ctx, &cmds);
	work_expect(work, 0, 2);
}

static void ring_moves(void)
{
	work_on_each_engine(check_ring_moves);
}

/* Deep in the image, where it has more than the page that gvirt gives back. */
static u32 deep_reg(const struct work *work)
{
	return work->engine->id == RCS ? GEN9_SO_WRITE_OFFSET(0) : gpr(work, 9);
}

/* The same of a context's image; its registers have to come from the new place. */
static void check_image_moves(struct work *work)
{
	u32 size = work->engine->id == RCS ? GEN9_CTX_RCS_SIZE : GEN9_CTX_XCS_SIZE;
	u64 image = ram_alloc(&work->guest.ram, RAM_LOW, size, PAGE);
	struct cmds set = { }, get = { };
	static struct ctx first;

	/* What the first context leaves in its image is a driver's default for all others. */
	ctx_init(&first, work->engine, &work->pp);
	ctx_run(&first, &get);
	emit_lri(&set, deep_reg(work), 0x10ac);
	ctx_run(&work->ctx, &set);
	memcpy(ram_cpu(&work->guest.ram, image), ram_cpu(&work->guest.ram, work->ctx.image),
	       size);
	memset(ram_cpu(&work->guest.ram, work->ctx.image), 0xff, size);
	ggtt_map(&work->guest.ggtt, work->ctx.lrca, image, size / PAGE);
	work->ctx.image = image;
	emit_srm(&get, GGTT, deep_reg(work), work->target.ggtt);
	ctx_run(&work->ctx, &get);
	work_expect(work, 0, 0x10ac);
}

static void image_moves(void)
{
	work_on_each_engine(check_image_moves);
}

/* All but where the ring is, how far, and the addresses of tables, which are the same. */
static void copy_image(struct ctx *to, const struct ctx *from, u32 size)
{
	struct ram *ram = to->engine->ram;
	u32 ring = ram_read(ram, ctx_reg(to, GEN9_CTX_RING_START));

	memcpy(ram_cpu(ram, to->image), ram_cpu(ram, from->image), size);
	ram_write(ram, ctx_reg(to, GEN9_CTX_RING_START), ring);
	ram_write(ram, ctx_reg(to, GEN9_CTX_RING_HEAD), to->tail);
	ram_write(ram, ctx_reg(to, GEN9_CTX_RING_TAIL), to->tail);
}

/* A context begins with a copy of another one's image, and goes its own way from there. */
static void check_image_copied(struct work *work)
{
	u32 size = work->engine->id == RCS ? GEN9_CTX_RCS_SIZE : GEN9_CTX_XCS_SIZE;
	struct cmds set = { }, change = { }, get = { };
	static struct ctx first, copy;

	ctx_init(&first, work->engine, &work->pp);
	ctx_init(&copy, work->engine, &work->pp);
	ctx_run(&first, &get);
	emit_lri(&set, deep_reg(work), 0xc0b4);
	ctx_run(&work->ctx, &set);
	copy_image(&copy, &work->ctx, size);
	emit_lri(&change, deep_reg(work), 0xd1f8);
	emit_srm(&get, GGTT, deep_reg(work), work->target.ggtt);
	ctx_run(&copy, &get);
	work_expect(work, 0, 0xc0b4);
	ctx_run(&copy, &change);
	ctx_run(&work->ctx, &get);
	work_expect(work, 0, 0xc0b4);
	ctx_run(&copy, &get);
	work_expect(work, 0, 0xd1f8);
}

static void image_copied(void)
{
	work_on_each_engine(check_image_copied);
}

/* A context's image gets another address; what the engine saved there comes along. */
static void check_image_rebinds(struct work *work)
{
	struct cmds set = { }, get = { };
	static struct ctx first;
	unsigned int i;

	/* What the first context leaves in its image is a driver's default for all others. */
	ctx_init(&first, work->engine, &work->pp);
	ctx_run(&first, &get);
	emit_lri(&set, deep_reg(work), 0x4eb14);
	ctx_run(&work->ctx, &set);
	emit_srm(&get, GGTT, deep_reg(work), work->target.ggtt);
	for (i = 0; i < 3; i++) {
		ctx_rebind(&work->ctx);
		ram_write(&work->guest.ram, work_dword(work, 0), 0);
		ctx_run(&work->ctx, &get);
		work_expect(work, 0, 0x4eb14);
	}
}

static void image_rebinds(void)
{
	work_on_each_engine(check_image_rebinds);
}

/* The status page moves, by its register, while the engine is idle. */
static void check_status_moves(struct work *work)
{
	struct engine *engine = work->engine;

	work_prove(work);
	engine->status_gpa = ram_page(&work->guest.ram);
	engine->status_ggtt = ggtt_bind(&work->guest.ggtt, engine->status_gpa, 1);
	engine_reset(engine);
	work_prove(work);
	work_prove(work);
}

static void status_moves(void)
{
	work_on_each_engine(check_status_moves);
}

static u32 aperture(struct work *work, u32 address)
{
	u32 value = 0;

	EXPECT_EQ(work->guest.dev.ops->read(&work->guest.dev, VFIO_PCI_BAR2_REGION_INDEX, address,
					    &value, sizeof(value)), 0);
	return value;
}

/* What an engine wrote is in the aperture, and the other way round. */
static void check_aperture(struct work *work)
{
	u64 page = ram_page(&work->guest.ram);
	u32 value = 0xa9e47;

	ggtt_map(&work->guest.ggtt, FREE, page, 1);
	store(work, FREE + 100, 0x570e);
	EXPECT_EQ(aperture(work, FREE + 100), 0x570e);
	EXPECT_EQ(work->guest.dev.ops->write(&work->guest.dev, VFIO_PCI_BAR2_REGION_INDEX,
					     FREE + 104, &value, sizeof(value)), 0);
	EXPECT_EQ(load(work, FREE + 104), 0xa9e47);
}

static void through_aperture(void)
{
	work_on_each_engine(check_aperture);
}

/* What may be read where there is no memory: nothing, or what this guest wrote there before. */
static void expect_nobody(struct work *work, u32 address)
{
	u32 seen = load(work, address);

	if (seen && seen != 0xbad)
		test_fail("%s: %#x is read where there is no memory", work->engine->name, seen);
}

/* An entry that is not valid: no memory of anybody, and the engine goes on. */
static void check_not_valid(struct work *work)
{
	u64 page = ram_page(&work->guest.ram);

	ram_write(&work->guest.ram, page, SECRET);
	ggtt_map(&work->guest.ggtt, FREE, page, 1);
	EXPECT_EQ(load(work, FREE), SECRET);
	ggtt_write(&work->guest.ggtt, FREE, page);
	ggtt_flush(&work->guest.ggtt);
	expect_nobody(work, FREE);
	store(work, FREE, 0xbad);
	guest_expect(&work->guest, page, SECRET, "a page that is mapped no more");
}

static void not_valid(void)
{
	if (!target_virtual())
		test_skip("drivers of the chip leave no invalid entries");
	work_on_each_engine(check_not_valid);
}

/* An entry that leads to where the guest has no memory. */
static void check_hole(struct work *work)
{
	ggtt_map(&work->guest.ggtt, FREE, RAM_HOLE_GPA, 1);
	expect_nobody(work, FREE);
	store(work, FREE, 0xbad);
	work_prove(work);
}

static void hole(void)
{
	if (!target_virtual())
		test_skip("the chip goes wherever entries lead");
	work_on_each_engine(check_hole);
}

static const struct testcase tests[] = {
	{ "ggtt-remap", remap },
	{ "ggtt-unmap", unmap },
	{ "ggtt-alias", alias },
	{ "ggtt-high", high },
	{ "ggtt-burst", burst },
	{ "ggtt-batch", batch },
	{ "ggtt-batch-changes", batch_changes },
	{ "ggtt-batch-again", batch_again },
	{ "ggtt-ring-moves", ring_moves },
	{ "ggtt-image-moves", image_moves },
	{ "ggtt-image-copied", image_copied },
	{ "ggtt-image-rebinds", image_rebinds },
	{ "ggtt-status-page-moves", status_moves },
	{ "ggtt-aperture", through_aperture },
	{ "ggtt-not-valid", not_valid },
	{ "ggtt-hole", hole },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
