// SPDX-License-Identifier: GPL-2.0-only
/*
 * Engines and their execlists.
 *
 * Data model: the chip has two lists of two contexts each: one that runs and one
 * that waits to be taken. @active and @pending mirror them. The chip says
 * what it did by entries in a ring in the status page (context status
 * buffer); the worker reads them and moves the mirror on:
 *
 *	entry				active list		pending list
 *	idle to active			becomes the pending one	free
 *	preempted			all of it left		becomes active
 *	preempted, lite restore		its second one left	becomes active
 *	element switch, complete	first one left
 *	active to idle, complete	last one left
 *
 * Entries are consumed by overwriting them in memory, so that reading them
 * costs no register access; the chip's own read pointer is for its information
 * only. An entry that is not what is due is counted, and lib/events says what to
 * make of it. One that does not come at all is found by a look at the engine.
 *
 * Hot path: a submission writes four dwords to the port, an event costs what the
 * interrupt handler reads. The wells of a busy engine are held from its first
 * submission until it is idle.
 *
 * Locks: see Documentation/locking.rst. The owner's callbacks run without locks
 * and may submit.
 *
 * Sources: Intel PRM Skylake, volume 3 ("Execlists") and volume 2c; Linux
 * i915, gt/intel_execlists_submission.c and gt/intel_engine_cs.c.
 */
#include <linux/cleanup.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/iopoll.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include <gvirt/gen9_reset.h>
#include "context.h"
#include "engine.h"
#include "ggtt.h"
#include "irq.h"
#include "mmio.h"
#include "tuning.h"

/* What an entry holds that has been read, or not been written yet. */
#define CSB_CONSUMED		(~0ull)
/* An entry may become visible after the pointer that announces it. */
#define CSB_SETTLE_US		50
#define STOP_TIMEOUT_US		20000
#define TLB_TIMEOUT_US		4000
/* Looks at an engine that says nothing, until what it does not say is believed. */
#define LOOKS			4

static const struct {
	const char *name;
	u32 tlb;
} infos[GVIRT_ENGINES] = {
	[GVIRT_RCS] = { "rcs0", GEN9_TLB_RENDER },
	[GVIRT_BCS] = { "bcs0", GEN9_TLB_BLT },
	[GVIRT_VCS] = { "vcs0", GEN9_TLB_VIDEO },
	[GVIRT_VECS] = { "vecs0", GEN9_TLB_VEBOX },
};

/**
 * struct departures - Contexts that one event made leave
 * @context: in order
 * @why: likewise
 * @count: how many
 * @ready: the port became free
 */
struct departures {
	struct gvirt_context *context[2 * GVIRT_ENGINE_ELEMENTS];
	enum gvirt_left why[2 * GVIRT_ENGINE_ELEMENTS];
	unsigned int count;
	bool ready;
};

static void write_reg(struct gvirt_engine *engine, u32 reg, u32 value)
{
	gvirt_mmio_write_raw(engine->mmio, engine->base + reg, value);
}

static u32 read_reg(struct gvirt_engine *engine, u32 reg)
{
	return gvirt_mmio_read_raw(engine->mmio, engine->base + reg);
}

static bool is_idle_locked(const struct gvirt_engine *engine)
{
	return !engine->active.context[0] && !engine->pending.context[0];
}

/* Wells. */

static bool wake_locked(struct gvirt_engine *engine)
{
	if (engine->awake)
		return true;
	if (gvirt_mmio_get(engine->mmio, engine->wells)) {
		gvirt_mmio_put(engine->mmio, engine->wells);
		return false;
	}
	engine->awake = true;
	return true;
}

static void sleep_locked(struct gvirt_engine *engine)
{
	if (!engine->awake)
		return;
	gvirt_mmio_put(engine->mmio, engine->wells);
	engine->awake = false;
}

/* Context status buffer. */

static u32 *status_dword(struct gvirt_engine *engine, unsigned int dword)
{
	return (u32 *)engine->status.data + dword;
}

static u64 *csb_entry(struct gvirt_engine *engine, unsigned int n)
{
	return (u64 *)status_dword(engine, GEN9_HWSP_CSB_DW) + n;
}

static unsigned int csb_written(struct gvirt_engine *engine)
{
	return READ_ONCE(*status_dword(engine, GEN9_HWSP_CSB_WRITE_DW)) & GEN9_CSB_PTR_WRITE_MASK;
}

static void csb_reset_locked(struct gvirt_engine *engine)
{
	unsigned int n;

	engine->csb_read = GEN9_CSB_PTR_RESET;
	engine->held = false;
	engine->owed = 0;
	engine->looks = 0;
	for (n = 0; n < GEN9_CSB_ENTRIES; n++)
		WRITE_ONCE(*csb_entry(engine, n), CSB_CONSUMED);
	WRITE_ONCE(*status_dword(engine, GEN9_HWSP_CSB_WRITE_DW), GEN9_CSB_PTR_RESET);
	/* The pointer in memory is ours before the engine may move its own. */
	wmb();
	write_reg(engine, GEN9_RING_CONTEXT_STATUS_PTR,
		  gvirt_masked_clear(0xffff) | GEN9_CSB_PTR_RESET << GEN9_CSB_PTR_READ_SHIFT |
		  GEN9_CSB_PTR_RESET);
}

static u64 csb_load(struct gvirt_engine *engine, unsigned int n)
{
	u64 *place = csb_entry(engine, n), entry;

	/* The entry may be read only after the pointer that announced it. */
	dma_rmb();
	if (!read_poll_timeout_atomic(READ_ONCE, entry, entry != CSB_CONSUMED, 1, CSB_SETTLE_US,
				      false, *place)) {
		WRITE_ONCE(*place, CSB_CONSUMED);
		return entry;
	}
	/* It did not come through memory: the engine's registers have it as well. */
	atomic64_inc(&engine->stats.bad_events);
	entry = read_reg(engine, GEN9_RING_CSB_BUF(n));
	return (u64)read_reg(engine, GEN9_RING_CSB_BUF(n) + 4) << 32 | entry;
}

/* Takes the next entry; false when there is none. */
static bool csb_next_locked(struct gvirt_engine *engine, u64 *entry)
{
	unsigned int written = csb_written(engine);

	if (written == engine->csb_read)
		return false;
	if (written >= GEN9_CSB_ENTRIES) {
		atomic64_inc(&engine->stats.bad_events);
		return false;
	}
	engine->csb_read = (engine->csb_read + 1) % GEN9_CSB_ENTRIES;
	*entry = csb_load(engine, engine->csb_read);
	atomic64_inc(&engine->stats.events);
	return true;
}

/* What events do to the lists. */

static void depart(struct departures *out, struct gvirt_context *context, enum gvirt_left why)
{
	if (!context)
		return;
	out->context[out->count] = context;
	out->why[out->count++] = why;
}

static bool list_has(const struct gvirt_engine_list *list, const struct gvirt_context *context)
{
	return list->context[0] == context || list->context[1] == context;
}

static void get_ids(u32 *ids, const struct gvirt_engine_list *list)
{
	unsigned int n;

	for (n = 0; n < GVIRT_ENGINE_ELEMENTS; n++)
		ids[n] = list->context[n] ? gvirt_context_id(list->context[n]) : 0;
}

static struct gvirt_event_lists lists_of_locked(const struct gvirt_engine *engine)
{
	struct gvirt_event_lists lists;

	get_ids(lists.active, &engine->active);
	get_ids(lists.pending, &engine->pending);
	return lists;
}

/* The pending list is what runs now. */
static void promote_locked(struct gvirt_engine *engine, struct departures *out)
{
	engine->active = engine->pending;
	engine->pending = (struct gvirt_engine_list) { };
	out->ready = true;
}

/* The list that runs was left for the pending one; a context of both has not left. */
static void replace_locked(struct gvirt_engine *engine, bool complete, struct departures *out)
{
	const struct gvirt_engine_list *next = &engine->pending;
	struct gvirt_context *running = engine->active.context[0];
	struct gvirt_context *queued = engine->active.context[1];

	if (complete)
		depart(out, running, GVIRT_LEFT_COMPLETE);
	else if (!list_has(next, running))
		depart(out, running, GVIRT_LEFT_PREEMPTED);
	if (!list_has(next, queued))
		depart(out, queued, GVIRT_LEFT_PREEMPTED);
	promote_locked(engine, out);
}

static void apply_step_locked(struct gvirt_engine *engine, enum gvirt_event_step step,
			      struct departures *out)
{
	struct gvirt_engine_list *active = &engine->active;

	lockdep_assert_held(&engine->lock);
	switch (step) {
	case GVIRT_EVENT_NOTHING:
		break;
	case GVIRT_EVENT_TAKEN:
		promote_locked(engine, out);
		break;
	case GVIRT_EVENT_PREEMPTED:
	case GVIRT_EVENT_REPLACED:
		replace_locked(engine, step == GVIRT_EVENT_REPLACED, out);
		break;
	case GVIRT_EVENT_SWITCHED:
		depart(out, active->context[0], GVIRT_LEFT_COMPLETE);
		active->context[0] = active->context[1];
		active->context[1] = NULL;
		break;
	case GVIRT_EVENT_ENDED:
		depart(out, active->context[0], GVIRT_LEFT_COMPLETE);
		depart(out, active->context[1], GVIRT_LEFT_COMPLETE);
		*active = (struct gvirt_engine_list) { };
		break;
	}
	if (is_idle_locked(engine)) {
		sleep_locked(engine);
		wake_up_all(&engine->idle);
	}
}

static void report_odd_locked(struct gvirt_engine *engine, u64 entry,
			      const struct gvirt_event_lists *lists)
{
	atomic64_inc(&engine->stats.bad_events);
	dev_warn_ratelimited(engine->mmio->dev,
			     "%s: status event %04x of context %u, with %u %u running and %u %u waiting\n",
			     engine->name, lower_32_bits(entry), upper_32_bits(entry),
			     lists->active[0], lists->active[1], lists->pending[0],
			     lists->pending[1]);
}

/* What was found out without it has come after all. */
static bool is_late_locked(struct gvirt_engine *engine, u64 entry)
{
	bool late = gvirt_event_pays(entry, engine->owed);

	engine->owed = 0;
	return late;
}

/* Takes the next entry, unless there is one whose time has not come; false: there is none. */
static bool take_entry_locked(struct gvirt_engine *engine)
{
	while (!engine->held) {
		if (!csb_next_locked(engine, &engine->entry))
			return false;
		engine->held = !is_late_locked(engine, engine->entry);
	}
	return true;
}

static bool take_event(struct gvirt_engine *engine, struct departures *out)
{
	struct gvirt_event_lists lists;
	struct gvirt_event event;

	guard(spinlock_irqsave)(&engine->lock);
	if (!take_entry_locked(engine))
		return false;
	lists = lists_of_locked(engine);
	event = gvirt_event_judge(&lists, engine->entry);
	if (event.odd)
		report_odd_locked(engine, engine->entry, &lists);
	engine->held = event.missed;
	engine->looks = 0;
	apply_step_locked(engine, event.step, out);
	return true;
}

/* Ran to the end of its ring, by its image. */
static bool is_done(const struct gvirt_engine_list *list)
{
	unsigned int n;

	for (n = 0; n < GVIRT_ENGINE_ELEMENTS && list->context[n]; n++) {
		u32 head = gvirt_context_registers(list->context[n])[GEN9_CTX_RING_HEAD + 1];

		if ((head & GEN9_RING_HEAD_MASK) != list->tail[n])
			return false;
	}
	return true;
}

static bool find_locked(struct gvirt_engine *engine, u64 status, struct departures *out)
{
	struct gvirt_event_lists lists = lists_of_locked(engine);
	enum gvirt_event_step step;

	step = gvirt_event_find(&lists, status, is_done(&engine->active),
				is_done(&engine->pending));
	if (step == GVIRT_EVENT_NOTHING)
		return false;
	atomic64_inc(&engine->stats.bad_events);
	/* No warning: a chip that is emulated may have been kept from writing it. */
	dev_notice_ratelimited(engine->mmio->dev, "%s: a status event does not come; by its registers the engine runs %u\n",
			       engine->name, upper_32_bits(status));
	engine->owed = gvirt_event_owed(&lists, step);
	engine->owed_at = read_reg(engine, GEN9_RING_CTX_TIMESTAMP);
	apply_step_locked(engine, step, out);
	return true;
}

static u64 read_status(struct gvirt_engine *engine)
{
	return (u64)read_reg(engine, GEN9_RING_EXECLIST_STATUS_HI) << 32 |
	       read_reg(engine, GEN9_RING_EXECLIST_STATUS_LO);
}

/**
 * struct owner - Whom to tell
 * @ops: what to call
 * @data: for @ops
 */
struct owner {
	const struct gvirt_engine_ops *ops;
	void *data;
};

/* Both together: the next owner may just come. */
static struct owner owner_of(struct gvirt_engine *engine)
{
	static const struct gvirt_engine_ops nobody;

	guard(spinlock_irqsave)(&engine->lock);
	return (struct owner) { .ops = engine->ops ?: &nobody, .data = engine->owner };
}

static void tell(struct gvirt_engine *engine, const struct departures *out)
{
	struct owner owner = owner_of(engine);
	unsigned int i;

	for (i = 0; i < out->count && owner.ops->left; i++)
		owner.ops->left(owner.data, out->context[i], out->why[i]);
	if (out->ready && owner.ops->ready)
		owner.ops->ready(owner.data);
}

static void report_error(struct gvirt_engine *engine, const struct owner *owner)
{
	u32 window = engine->base, eir;

	eir = gvirt_mmio_read(engine->mmio, window + GEN9_RING_EIR);
	/* What caused it stands until the engine is reset: one report is enough. */
	gvirt_mmio_write(engine->mmio, window + GEN9_RING_EMR, ~0u);
	gvirt_mmio_write(engine->mmio, window + GEN9_RING_EIR, eir);
	atomic64_inc(&engine->stats.errors);
	if (owner->ops->error)
		owner->ops->error(owner->data, eir);
}

static void tell_events(struct gvirt_engine *engine)
{
	struct departures out = { };

	while (take_event(engine, &out)) {
		tell(engine, &out);
		out = (struct departures) { };
	}
}

static void work(struct work_struct *worker)
{
	struct gvirt_engine *engine = container_of(worker, struct gvirt_engine, worker);
	struct owner owner = owner_of(engine);
	u32 reports;

	/* Whoever halts the engine waits for us and tells the rest. */
	if (!READ_ONCE(engine->running))
		return;
	reports = atomic_xchg(&engine->reports, 0);
	tell_events(engine);
	if (reports & GVIRT_IRQ_COMMANDS) {
		atomic64_inc(&engine->stats.user_interrupts);
		if (owner.ops->user)
			owner.ops->user(owner.data, reports & GVIRT_IRQ_COMMANDS);
	}
	if (reports & GVIRT_IRQ_ERROR)
		report_error(engine, &owner);
	if (owner.ops->service)
		owner.ops->service(owner.data);
}

void gvirt_engine_kick(struct gvirt_engine *engine)
{
	queue_work(engine->queue, &engine->worker);
}

static void handle_irq(void *opaque, u32 bits)
{
	struct gvirt_engine *engine = opaque;

	atomic_or(bits, &engine->reports);
	gvirt_engine_kick(engine);
}

/* Submission. */

static void write_port_locked(struct gvirt_engine *engine, u64 first, u64 second)
{
	/* Rings and images have to be in memory before the engine looks at them. */
	wmb();
	write_reg(engine, GEN9_RING_ELSP, upper_32_bits(second));
	write_reg(engine, GEN9_RING_ELSP, lower_32_bits(second));
	write_reg(engine, GEN9_RING_ELSP, upper_32_bits(first));
	write_reg(engine, GEN9_RING_ELSP, lower_32_bits(first));
}

int gvirt_engine_submit_list(struct gvirt_engine *engine, const struct gvirt_engine_list *list)
{
	struct gvirt_context *first = list->context[0], *second = list->context[1];
	u64 descriptor;

	if (first == second)
		return -EINVAL;
	guard(spinlock_irqsave)(&engine->lock);
	if (!engine->running)
		return -EIO;
	if (engine->pending.context[0])
		return -EBUSY;
	if (!wake_locked(engine))
		return -EIO;
	engine->pending = *list;
	engine->looks = 0;
	descriptor = gvirt_context_arm(first, list->tail[0]);
	write_port_locked(engine, descriptor,
			  second ? gvirt_context_arm(second, list->tail[1]) : 0);
	atomic64_inc(&engine->stats.submissions);
	return 0;
}

int gvirt_engine_submit(struct gvirt_engine *engine, struct gvirt_context *first,
			struct gvirt_context *second)
{
	const struct gvirt_engine_list list = {
		.context = { first, second },
		.tail = { first->tail, second ? second->tail : 0 },
	};

	return gvirt_engine_submit_list(engine, &list);
}

/* One step that was not told, if there is any, once it has been looked for so many times. */
static enum gvirt_looked look(struct gvirt_engine *engine, unsigned int looks,
			      struct departures *out)
{
	u64 status;

	guard(spinlock_irqsave)(&engine->lock);
	if (is_idle_locked(engine))
		return GVIRT_LOOKED_NOTHING;
	status = read_status(engine);
	if (status == ~0ull)
		return GVIRT_LOOKED_GONE;
	/* An entry may be on its way. */
	if (csb_written(engine) != engine->csb_read || ++engine->looks < looks)
		return GVIRT_LOOKED_NOTHING;
	engine->looks = 0;
	return find_locked(engine, status, out) ? GVIRT_LOOKED_CHANGED : GVIRT_LOOKED_NOTHING;
}

enum gvirt_looked gvirt_engine_look(struct gvirt_engine *engine)
{
	struct departures out = { };
	enum gvirt_looked looked;

	if (!READ_ONCE(engine->running))
		return GVIRT_LOOKED_NOTHING;
	looked = look(engine, LOOKS, &out);
	tell(engine, &out);
	return looked;
}

/*
 * A context runs, so the event is not late, but lost: between two of them its timer stands. Not if
 * the event has come just now: it has to be read first.
 */
static bool has_begun_locked(struct gvirt_engine *engine)
{
	return engine->awake && csb_written(engine) == engine->csb_read &&
	       read_reg(engine, GEN9_RING_CTX_TIMESTAMP) != engine->owed_at;
}

bool gvirt_engine_late(struct gvirt_engine *engine)
{
	guard(spinlock_irqsave)(&engine->lock);
	return engine->owed && !has_begun_locked(engine);
}

/* Of an engine that stands: who resets it has to know what it had. */
static void look_at_end(struct gvirt_engine *engine)
{
	struct departures out = { };

	while (look(engine, 1, &out) == GVIRT_LOOKED_CHANGED) {
		tell(engine, &out);
		out = (struct departures) { };
	}
}

bool gvirt_engine_poll(struct gvirt_engine *engine)
{
	bool lost = gvirt_irq_kick(engine->irq);

	gvirt_engine_kick(engine);
	flush_work(&engine->worker);
	return lost;
}

static bool is_idle(struct gvirt_engine *engine)
{
	guard(spinlock_irqsave)(&engine->lock);
	return is_idle_locked(engine);
}

int gvirt_engine_wait_idle(struct gvirt_engine *engine, unsigned int timeout_ms)
{
	if (wait_event_timeout(engine->idle, is_idle(engine), msecs_to_jiffies(timeout_ms)))
		return 0;
	return -ETIMEDOUT;
}

int gvirt_engine_invalidate_tlb(struct gvirt_engine *engine)
{
	u32 reg = infos[engine->id].tlb;

	gvirt_mmio_write(engine->mmio, reg, GEN9_TLB_INVALIDATE);
	return gvirt_mmio_wait(engine->mmio, reg, GEN9_TLB_INVALIDATE, 0, TLB_TIMEOUT_US);
}

/* Life. */

void gvirt_engine_attach(struct gvirt_engine *engine, const struct gvirt_engine_ops *ops,
			 void *owner)
{
	/* The one before hears of what happened until now, and then of nothing. */
	flush_work(&engine->worker);
	scoped_guard(spinlock_irqsave, &engine->lock) {
		engine->ops = ops;
		engine->owner = owner;
	}
	flush_work(&engine->worker);
}

static void setup_locked(struct gvirt_engine *engine)
{
	write_reg(engine, GEN9_RING_HWSTAM, ~0u);
	write_reg(engine, GEN9_RING_IMR, gvirt_irq_mask(engine->id));
	write_reg(engine, GEN9_RING_GFX_MODE, gvirt_masked_set(GEN9_GFX_RUN_LIST_ENABLE));
	write_reg(engine, GEN9_RING_HWS_PGA, engine->status.address);
	csb_reset_locked(engine);
	write_reg(engine, GEN9_RING_EIR, ~0u);
	write_reg(engine, GEN9_RING_EMR, ~(u32)GEN9_ERROR_INSTRUCTION);
	write_reg(engine, GEN9_RING_MI_MODE, gvirt_masked_clear(GEN9_MI_MODE_STOP_RING));
	/* Posting read. */
	read_reg(engine, GEN9_RING_HWS_PGA);
}

void gvirt_engine_start(struct gvirt_engine *engine)
{
	engine->dumped = false;
	gvirt_mmio_get(engine->mmio, engine->wells);
	gvirt_tuning_apply_engine(engine->mmio, engine->platform, engine->id);
	scoped_guard(spinlock_irqsave, &engine->lock) {
		setup_locked(engine);
		engine->running = true;
	}
	gvirt_mmio_put(engine->mmio, engine->wells);
}

void gvirt_engine_halt(struct gvirt_engine *engine)
{
	u32 mode = engine->base + GEN9_RING_MI_MODE;

	scoped_guard(spinlock_irqsave, &engine->lock)
		engine->running = false;
	cancel_work_sync(&engine->worker);
	gvirt_mmio_get(engine->mmio, engine->wells);
	write_reg(engine, GEN9_RING_MI_MODE, gvirt_masked_set(GEN9_MI_MODE_STOP_RING));
	/* A hung engine never gets idle; its reset has a handshake of its own. */
	gvirt_mmio_wait(engine->mmio, mode, GEN9_MI_MODE_IDLE, GEN9_MI_MODE_IDLE, STOP_TIMEOUT_US);
	tell_events(engine);
	look_at_end(engine);
	gvirt_mmio_put(engine->mmio, engine->wells);
}

void gvirt_engine_resume(struct gvirt_engine *engine)
{
	gvirt_mmio_get(engine->mmio, engine->wells);
	write_reg(engine, GEN9_RING_MI_MODE, gvirt_masked_clear(GEN9_MI_MODE_STOP_RING));
	gvirt_mmio_put(engine->mmio, engine->wells);
	scoped_guard(spinlock_irqsave, &engine->lock)
		engine->running = true;
	gvirt_engine_kick(engine);
}

void gvirt_engine_drop(struct gvirt_engine *engine)
{
	struct gvirt_engine_list active, pending;
	struct departures out = { };

	scoped_guard(spinlock_irqsave, &engine->lock) {
		active = engine->active;
		pending = engine->pending;
		engine->active = (struct gvirt_engine_list) { };
		engine->pending = (struct gvirt_engine_list) { };
		sleep_locked(engine);
	}
	wake_up_all(&engine->idle);
	depart(&out, active.context[0], GVIRT_LEFT_LOST);
	depart(&out, active.context[1], GVIRT_LEFT_LOST);
	if (!list_has(&active, pending.context[0]))
		depart(&out, pending.context[0], GVIRT_LEFT_LOST);
	if (!list_has(&active, pending.context[1]))
		depart(&out, pending.context[1], GVIRT_LEFT_LOST);
	tell(engine, &out);
}

int gvirt_engine_init(struct gvirt_engine *engine, enum gvirt_engine_id id,
		      const struct gvirt_engine_services *services)
{
	int err;

	*engine = (struct gvirt_engine) {
		.id = id,
		.name = infos[id].name,
		.base = gvirt_engine_base(id),
		/* An engine's own memory accesses go through the GT well. */
		.wells = gvirt_mmio_wells(gvirt_engine_base(id)) | GVIRT_WELL_GT,
		.platform = services->platform,
		.mmio = services->mmio,
		.irq = services->irq,
		.queue = services->queue,
	};
	spin_lock_init(&engine->lock);
	INIT_WORK(&engine->worker, work);
	init_waitqueue_head(&engine->idle);
	err = gvirt_buffer_init(&engine->status, services->ggtt, PAGE_SIZE);
	if (err)
		return err;
	gvirt_irq_attach(engine->irq, id, handle_irq, engine);
	return 0;
}

void gvirt_engine_fini(struct gvirt_engine *engine)
{
	gvirt_irq_attach(engine->irq, engine->id, NULL, NULL);
	cancel_work_sync(&engine->worker);
	gvirt_buffer_fini(&engine->status);
}
