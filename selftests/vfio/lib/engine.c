// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engines: execlists, events, resets.
 *
 * Sources: Linux i915, gt/intel_execlists_submission.c (enabling, submit port, events),
 * gt/intel_engine_cs.c (status page, halting), gt/intel_reset.c (order of a reset).
 */
#include <stdio.h>
#include <unistd.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_reset.h>

#include "../ktap.h"
#include "ctx.h"
#include "engine.h"

#define STOP_MS		20
#define RESET_MS	2000
#define POLL_US		20
/* What an entry holds that was read. */
#define READ		(~0u)

static const struct {
	const char *name;
	u32 base, reset;
} infos[ENGINES] = {
	[RCS] = { "rcs0", GEN9_RCS_BASE, GEN9_GDRST_RENDER },
	[BCS] = { "bcs0", GEN9_BCS_BASE, GEN9_GDRST_BLT },
	[VCS] = { "vcs0", GEN9_VCS_BASE, GEN9_GDRST_MEDIA },
	[VECS] = { "vecs0", GEN9_VECS_BASE, GEN9_GDRST_VECS },
};

void engine_init(struct engine *engine, enum engine_id id, struct ggtt *ggtt, struct irq *irq)
{
	*engine = (struct engine) {
		.id = id,
		.name = infos[id].name,
		.base = infos[id].base,
		.dev = ggtt->ram->dev,
		.ram = ggtt->ram,
		.ggtt = ggtt,
		.irq = irq,
		.status_gpa = ram_page(ggtt->ram),
	};
	engine->status_ggtt = ggtt_bind(ggtt, engine->status_gpa, 1);
}

u32 engine_read(struct engine *engine, u32 reg)
{
	return vdev_read(engine->dev, engine->base + reg);
}

void engine_write(struct engine *engine, u32 reg, u32 value)
{
	vdev_write(engine->dev, engine->base + reg, value);
}

static u64 csb_gpa(struct engine *engine, unsigned int n)
{
	return engine->status_gpa + 4 * GEN9_HWSP_CSB_DW + 8 * n;
}

static u64 pointer_gpa(struct engine *engine)
{
	return engine->status_gpa + 4 * GEN9_HWSP_CSB_WRITE_DW;
}

static void reset_events(struct engine *engine)
{
	unsigned int i;

	engine->csb_read = GEN9_CSB_PTR_RESET;
	for (i = 0; i < GEN9_CSB_ENTRIES; i++)
		ram_write(engine->ram, csb_gpa(engine, i), READ);
	ram_write(engine->ram, pointer_gpa(engine), GEN9_CSB_PTR_RESET);
	engine_write(engine, GEN9_RING_CONTEXT_STATUS_PTR,
		     vdev_clear_bits(0xffff) | GEN9_CSB_PTR_RESET << GEN9_CSB_PTR_READ_SHIFT |
		     GEN9_CSB_PTR_RESET);
}

void engine_start(struct engine *engine)
{
	u32 shift = engine->id == BCS ? 16 : 0;

	engine_write(engine, GEN9_RING_HWSTAM, ~0u);
	engine_write(engine, GEN9_RING_GFX_MODE, vdev_set_bits(GEN9_GFX_RUN_LIST_ENABLE));
	engine_write(engine, GEN9_RING_MI_MODE, vdev_clear_bits(GEN9_MI_MODE_STOP_RING));
	engine_write(engine, GEN9_RING_HWS_PGA, engine->status_ggtt);
	engine_read(engine, GEN9_RING_HWS_PGA);
	reset_events(engine);
	engine_write(engine, GEN9_RING_IMR, ~((IRQ_USER | IRQ_CONTEXT_SWITCH) << shift));
}

void engine_submit_raw(struct engine *engine, u64 first, u64 second)
{
	engine_write(engine, GEN9_RING_ELSP, second >> 32);
	engine_write(engine, GEN9_RING_ELSP, (u32)second);
	engine_write(engine, GEN9_RING_ELSP, first >> 32);
	engine_write(engine, GEN9_RING_ELSP, (u32)first);
}

void engine_submit(struct engine *engine, struct ctx *first, struct ctx *second)
{
	ctx_publish(first);
	if (second)
		ctx_publish(second);
	engine_submit_raw(engine, ctx_descriptor(first), second ? ctx_descriptor(second) : 0);
}

static bool event_ready(struct engine *engine, struct event *event)
{
	u32 written = ram_read(engine->ram, pointer_gpa(engine)) & GEN9_CSB_PTR_WRITE_MASK;
	u64 entry;

	if (written == engine->csb_read)
		return false;
	if (written >= GEN9_CSB_ENTRIES)
		test_fail("%s: write pointer of the events is %u", engine->name, written);
	engine->csb_read = (engine->csb_read + 1) % GEN9_CSB_ENTRIES;
	entry = csb_gpa(engine, engine->csb_read);
	event->status = ram_read(engine->ram, entry);
	event->id = ram_read(engine->ram, entry + 4);
	if (event->status == READ)
		test_fail("%s: event %u was announced, but is not there", engine->name,
			  engine->csb_read);
	ram_write(engine->ram, entry, READ);
	return true;
}

bool engine_event(struct engine *engine, struct event *event, unsigned int ms)
{
	u64 end = vdev_now_ms() + ms;
	bool last;

	do {
		last = vdev_now_ms() > end;
		if (event_ready(engine, event))
			return true;
		usleep(POLL_US);
	} while (!last);
	return false;
}

void engine_expect(struct engine *engine, u32 status, const struct ctx *ctx)
{
	struct event event;

	if (!engine_event(engine, &event, PATIENCE_MS)) {
		engine_describe(engine);
		test_fail("%s: expected an event %#x, there is none", engine->name, status);
	}
	if (event.status != status || (ctx && event.id != ctx->id))
		test_fail("%s: event %#x of context %#x, expected %#x of %#x", engine->name,
			  event.status, event.id, status, ctx ? ctx->id : 0);
}

void engine_expect_quiet(struct engine *engine)
{
	struct event event;

	if (engine_event(engine, &event, NEVER_MS))
		test_fail("%s: unexpected event %#x of context %#x", engine->name, event.status,
			  event.id);
}

bool engine_drain(struct engine *engine, unsigned int ms)
{
	struct event event = { };

	while (!(event.status & GEN9_CSB_ACTIVE_TO_IDLE))
		if (!engine_event(engine, &event, ms))
			return false;
	return true;
}

/* Both halves of the handshake that the chip wants before a reset. */
static void make_ready(struct engine *engine)
{
	u32 mode = engine->base + GEN9_RING_MI_MODE, ctl = engine->base + GEN9_RING_RESET_CTL;

	vdev_write(engine->dev, mode, vdev_set_bits(GEN9_MI_MODE_STOP_RING));
	/* One that hangs does not stop. */
	vdev_wait(engine->dev, mode, GEN9_MI_MODE_IDLE, GEN9_MI_MODE_IDLE, STOP_MS);
	vdev_write(engine->dev, ctl, vdev_set_bits(GEN9_RESET_CTL_REQUEST));
	if (!vdev_wait(engine->dev, ctl, GEN9_RESET_CTL_READY, GEN9_RESET_CTL_READY, RESET_MS))
		test_fail("%s does not get ready for a reset", engine->name);
}

static void pull(struct vdev *dev, u32 bits)
{
	vdev_write(dev, GEN9_GDRST, bits);
	if (!vdev_wait(dev, GEN9_GDRST, bits, 0, RESET_MS))
		test_fail("%s: reset %#x does not end", dev->name, bits);
}

static void cancel(struct engine *engine)
{
	engine_write(engine, GEN9_RING_RESET_CTL, vdev_clear_bits(GEN9_RESET_CTL_REQUEST));
}

void engine_reset(struct engine *engine)
{
	make_ready(engine);
	pull(engine->dev, infos[engine->id].reset);
	cancel(engine);
	engine_start(engine);
}

void engine_reset_all(struct engine *engines)
{
	unsigned int i;

	for (i = 0; i < ENGINES; i++)
		make_ready(&engines[i]);
	pull(engines[0].dev, GEN9_GDRST_FULL);
	for (i = 0; i < ENGINES; i++)
		cancel(&engines[i]);
	for (i = 0; i < ENGINES; i++)
		engine_start(&engines[i]);
}

void engine_describe(struct engine *engine)
{
	static const struct {
		const char *name;
		u32 reg;
	} regs[] = {
		{ "head", GEN9_RING_HEAD },
		{ "tail", GEN9_RING_TAIL },
		{ "acthd", GEN9_RING_ACTHD },
		{ "ipehr", GEN9_RING_IPEHR },
		{ "ipeir", GEN9_RING_IPEIR },
		{ "eir", GEN9_RING_EIR },
		{ "execlist", GEN9_RING_EXECLIST_STATUS_LO },
		{ "csb pointer", GEN9_RING_CONTEXT_STATUS_PTR },
	};
	unsigned int i;

	printf("# %s:", engine->name);
	for (i = 0; i < ARRAY_SIZE(regs); i++)
		printf(" %s %#x", regs[i].name, engine_read(engine, regs[i].reg));
	printf("; csb in memory %u, read %u\n", ram_read(engine->ram, pointer_gpa(engine)),
	       engine->csb_read);
}
