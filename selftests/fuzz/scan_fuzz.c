// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scan of hostile commands, with what it keeps of earlier ones: whatever a guest has in its
 * memory, changes there, and submits in which order, the outcome is that of a scan that has kept
 * nothing: same verdict, same commands for the chip, same effects on the rest of the vGPU. And when
 * the guest changes its memory meanwhile, what runs is what was audited.
 *
 * Input: a list of steps, each of a byte that says which, one for the page, one more, and what the
 * step takes besides.
 */
#include <errno.h>
#include "../unit/audit_check.h"
#include "../unit/shadow/scan_world.h"
#include "input.h"

#define MEMORY		0x4000u
#define PAGES		(MEMORY / 4096)
#define RING_DWORDS	1024u
#define STEPS_MAX	48u
#define EFFECTS		4096u
#define HELD_MAX	4u
#define BATCH_START	0x18800000u
#define BATCH_PPGTT	0x100u
#define END		0x05000000u

/**
 * struct effects - What a scan did, each thing once
 * @count: how many
 * @full: there was no room for all
 * @entry: a hash table of them; 0: none
 */
struct effects {
	u32 count;
	bool full;
	u64 entry[EFFECTS];
};

/**
 * struct side - A scan
 * @scan: it
 * @copies: the batches of the last ring
 * @workaround: the last workaround buffer
 * @ring: what the chip would have
 * @err: how it ended
 * @effects: what it did
 */
struct side {
	struct gvirt_scan scan;
	struct gvirt_scan_copies copies;
	struct gvirt_scan_copy *workaround;
	u32 ring[RING_DWORDS];
	int err;
	struct effects effects;
};

/**
 * struct held - A workaround buffer that a context of the first side has, and the chip may run
 * @copy: it; NULL: none
 * @seen: what it was
 */
struct held {
	struct gvirt_scan_copy *copy;
	u32 *seen;
};

/* One that keeps, and one that forgets after each step. */
static struct side kept, fresh;
static struct held held[HELD_MAX];
static u32 held_count;
static struct side *acting;
static unsigned int engine;
/* The guest's own change at the next read. */
static u32 race_at, race_value;

/* Effects. */

static u64 *find(struct effects *effects, u64 entry)
{
	u64 at = (entry * 0x9e3779b97f4a7c15ull) >> 52;

	while (effects->entry[at] && effects->entry[at] != entry)
		at = (at + 1) % EFFECTS;
	return &effects->entry[at];
}

static void note(enum scan_effect effect, u32 a, u32 b)
{
	u64 entry = ((u64)a << 32 | b) * 4 + effect + 1;
	struct effects *effects = &acting->effects;
	u64 *place;

	effects->full = effects->full || effects->count > EFFECTS / 2;
	if (effects->full)
		return;
	place = find(effects, entry ? entry : 1);
	effects->count += !*place;
	*place = entry ? entry : 1;
}

static void forget_effects(struct effects *effects)
{
	if (effects->count)
		memset(effects, 0, sizeof(*effects));
}

static void expect_same_effects(void)
{
	u32 i;

	if (kept.effects.full || fresh.effects.full)
		return;
	MUST(kept.effects.count == fresh.effects.count);
	for (i = 0; i < EFFECTS && kept.effects.count; i++)
		MUST(!kept.effects.entry[i] || *find(&fresh.effects, kept.effects.entry[i]));
}

/* Scans. */

static void start(struct side *side)
{
	MUST(!gvirt_scan_init(&side->scan, NULL, &scan_world_window, &scan_world_services, NULL));
}

static void let_go(struct side *side)
{
	gvirt_scan_copies_put(&side->scan, &side->copies);
	gvirt_scan_copy_put(&side->scan.pool, &side->workaround);
}

static void stop(struct side *side)
{
	let_go(side);
	gvirt_scan_fini(&side->scan);
}

/**
 * struct request - What a guest submits
 * @ring: a ring; else a workaround buffer
 * @hold: and its context has it, while others come
 * @kind: of the workaround buffer
 * @address: where it is
 * @bytes: of the ring, or of an indirect buffer
 */
struct request {
	bool ring;
	bool hold;
	enum gvirt_audit_kind kind;
	u32 address;
	u32 bytes;
};

static void run(struct side *side, const struct request *request)
{
	const struct gvirt_scan_job job = {
		.engine = engine, .status = 0x7000, .use = &scan_world_use,
		.copies = &side->copies,
	};
	struct gvirt_ring_span span;

	acting = side;
	side->scan.interrupts = 0;
	if (!request->ring) {
		side->err = gvirt_scan_workaround(&side->scan, &job, request->kind,
						  request->address, request->bytes,
						  &side->workaround);
		return;
	}
	MUST(gvirt_ring_span(sizeof(side->ring), 0, request->bytes, &span));
	side->err = gvirt_scan_ring(&side->scan, &job, request->address, &span, side->ring);
}

/* What must hold of what is kept, also when the guest interferes. */

/* What no patch is for runs as the guest wrote it. */
static void check_unpatched(const struct gvirt_scan_copy *copy)
{
	static bool patched[MEMORY / sizeof(u32)];
	const u32 *runs = copy->buffer.data;
	u32 i;

	memset(patched, 0, sizeof(patched));
	for (i = 0; i < copy->patch_count; i++)
		memset(patched + copy->patches[i].command, true, copy->patches[i].length);
	for (i = 0; i < copy->bytes / sizeof(u32); i++)
		MUST(patched[i] || runs[i] == copy->raw[i]);
}

static void check_kept(const struct gvirt_scan_copy *copy)
{
	struct gvirt_audit_request request = {
		.dwords = copy->raw, .count = copy->bytes / sizeof(u32), .kind = copy->key.kind,
		.engine = copy->key.engine, .ppgtt = true, .max_commands = ~0u, .max_dwords = ~0u,
		.max_patches = GVIRT_SCAN_PATCHES_KEPT, .cmds = &gvirt_cmds_gen9,
		.regs = &gvirt_regs_gen9,
	};
	static struct gvirt_patch patches[GVIRT_SCAN_PATCHES_KEPT];
	struct gvirt_audit_result result;
	u32 i;

	request.patches = patches;
	result = gvirt_audit(&request);
	MUST(!result.reason && result.end == request.count);
	MUST(result.patch_count == copy->patch_count);
	for (i = 0; i < result.patch_count; i++)
		audit_check_same(&patches[i], &copy->patches[i]);
	MUST(copy->buffer.pages * 4096u > copy->bytes);
	check_unpatched(copy);
}

static void check_pool(const struct gvirt_scan_pool *pool)
{
	struct gvirt_scan_copy *copy;
	u32 pages = 0, idle = 0;

	list_for_each_entry(copy, &pool->list, link) {
		pages += copy->buffer.pages;
		idle += !copy->users;
		if (copy->bytes)
			check_kept(copy);
	}
	MUST(pages == pool->pages && pages <= GVIRT_SCAN_PAGES);
	MUST(idle == pool->idle && idle <= GVIRT_SCAN_IDLE);
}

/* What the chip may run does not change. */

static void check_held(void)
{
	u32 i;

	for (i = 0; i < HELD_MAX; i++)
		MUST(!held[i].copy || !memcmp(held[i].seen, held[i].copy->buffer.data,
					      held[i].copy->buffer.pages * 4096u));
}

static void release(struct held *one)
{
	gvirt_scan_copy_put(&kept.scan.pool, &one->copy);
	free(one->seen);
	one->seen = NULL;
}

/* The context with the new one keeps it, and the oldest one lets go. */
static void hold(void)
{
	struct held *one = &held[held_count++ % HELD_MAX];

	if (!kept.workaround)
		return;
	release(one);
	one->copy = kept.workaround;
	one->seen = audit_copy(one->copy->buffer.data, one->copy->buffer.pages * 4096u);
	kept.workaround = NULL;
}

/* Both sides are alike. */

static void expect_same_buffer(const struct gvirt_scan_copy *a, const struct gvirt_scan_copy *b)
{
	MUST(a && b && a->buffer.pages == b->buffer.pages);
	MUST(!memcmp(a->buffer.data, b->buffer.data, a->buffer.pages * 4096u));
}

/* The addresses of batches differ: each calls its own copies, and is compared without. */
static void blank_starts(struct side *side)
{
	u32 i;

	for (i = 0; i < side->scan.starts; i++) {
		const struct gvirt_scan_start *start = &side->scan.start[i];
		u32 *address = &start->dwords[start->patch.dword];
		const struct gvirt_scan_copy *copy = side->copies.batch[start->batch].copy;

		MUST(!*address || *address == copy->buffer.address);
		*address = 0;
	}
}

static void expect_same_ring(const struct request *request)
{
	u32 first = kept.copies.fresh, i;

	MUST(!memcmp(kept.ring, kept.scan.ring.dwords, request->bytes));
	MUST(!memcmp(fresh.ring, fresh.scan.ring.dwords, request->bytes));
	MUST(kept.scan.starts == fresh.scan.starts);
	MUST(kept.copies.count - first == fresh.copies.count);
	blank_starts(&kept);
	blank_starts(&fresh);
	MUST(!memcmp(kept.scan.ring.dwords, fresh.scan.ring.dwords, request->bytes));
	for (i = 0; i < fresh.copies.count; i++) {
		const struct gvirt_scan_batch *a = &kept.copies.batch[first + i];
		const struct gvirt_scan_batch *b = &fresh.copies.batch[i];

		MUST(a->address == b->address && a->kind == b->kind);
		expect_same_buffer(a->copy, b->copy);
	}
}

static void expect_same_refusal(void)
{
	const struct gvirt_refusal *a = &kept.scan.refusal, *b = &fresh.scan.refusal;

	MUST(a->why == b->why && a->detail == b->detail && a->value == b->value && a->at == b->at);
}

/* The room for copies is another one where some are kept, or a context has some. */
static bool no_room(const struct side *side)
{
	return side->err && (side->scan.refusal.why == GVIRT_REFUSED_HOST ||
			     side->scan.refusal.why == GVIRT_REFUSED_BATCHES);
}

static void expect_same(const struct request *request, u64 walks)
{
	if (no_room(&kept) || no_room(&fresh))
		return;
	MUST(kept.err == fresh.err);
	MUST(kept.scan.stats.walks - walks <= fresh.scan.stats.walks);
	if (kept.err) {
		expect_same_refusal();
		return;
	}
	expect_same_effects();
	MUST(kept.scan.interrupts == fresh.scan.interrupts);
	if (request->ring)
		expect_same_ring(request);
	else
		expect_same_buffer(kept.workaround, fresh.workaround);
}

/* A context that gets more while it runs has its batches still. */
static void finish(const struct request *request)
{
	check_pool(&kept.scan.pool);
	check_held();
	if (request->hold && !kept.err)
		hold();
	else
		let_go(&kept);
	forget_effects(&kept.effects);
}

static void run_both(const struct request *request)
{
	u64 walks = kept.scan.stats.walks;

	run(&kept, request);
	fresh.scan.stats.walks = 0;
	run(&fresh, request);
	expect_same(request, walks);
	let_go(&fresh);
	gvirt_scan_pool_forget(&fresh.scan.pool);
	forget_effects(&fresh.effects);
	finish(request);
}

static void change_memory(u32 address)
{
	(void)address;
	world.memory[race_at] ^= race_value;
	race_value = 0;
}

static void run_in_race(const struct request *request)
{
	world.on_read = change_memory;
	run(&kept, request);
	world.on_read = NULL;
	finish(request);
}

/* Steps. */

/* Batches that are started are in the memory that there is, most of them with privilege. */
static void aim(u32 *dwords, u32 count, bool privileged)
{
	u32 i;

	for (i = 0; i + 2 < count; i++) {
		if ((dwords[i] & 0xff800000u) != BATCH_START)
			continue;
		if (privileged)
			dwords[i] &= ~BATCH_PPGTT;
		dwords[i + 1] = dwords[i + 1] % MEMORY & ~3u;
		dwords[i + 2] = 0;
	}
}

static void write_commands(struct input *input, u32 page, u32 how)
{
	static u32 dwords[GENERATED_MAX + 1];
	size_t bytes = take(input, 1);
	u32 count, room;

	bytes = bytes < input->left ? bytes : input->left;
	count = audit_generate(input->data, bytes, engine, dwords);
	input->data += bytes;
	input->left -= bytes;
	aim(dwords, count, how & 2);
	if (how & 1)
		dwords[count++] = END;
	room = (MEMORY - page * 4096) / sizeof(u32);
	memcpy(world.memory + page * 1024, dwords, sizeof(u32) * (count < room ? count : room));
}

static void submit(struct input *input, u32 page, u32 how)
{
	struct request request = {
		.ring = !(how & 3), .hold = how & 0x80, .address = page * 4096,
		.kind = how & 1 ? GVIRT_AUDIT_PER_CTX : GVIRT_AUDIT_INDIRECT_CTX,
		.bytes = 64 * (1 + (how >> 3) % 8),
	};

	race_value = 0;
	if (how & 4) {
		race_at = take(input, 2) % (MEMORY / 4);
		race_value = take(input, 4);
		run_in_race(&request);
	} else {
		run_both(&request);
	}
}

static void step(struct input *input)
{
	u32 what = take(input, 1), page = take(input, 1) % PAGES, how = take(input, 1);

	switch (what % 8) {
	case 0:
		write_commands(input, page, how);
		break;
	case 1:
		world.memory[page * 1024 + how] ^= take(input, 4);
		break;
	case 2:
		world.moved = how * 0x10000;
		break;
	case 3:
		world.bad_page = how % 4 ? 0 : take(input, 2) << 4;
		break;
	case 4:
		engine = how % GVIRT_ENGINES;
		break;
	default:
		submit(input, page, how);
		break;
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input input = { data, size };
	unsigned int steps;

	scan_world_reset();
	world.limit = MEMORY;
	world.on_effect = note;
	engine = GVIRT_RCS;
	start(&kept);
	start(&fresh);
	for (steps = 0; input.left && steps < STEPS_MAX; steps++)
		step(&input);
	for (steps = 0; steps < HELD_MAX; steps++)
		release(&held[steps]);
	stop(&kept);
	stop(&fresh);
	MUST(!world.buffers);
	return 0;
}
