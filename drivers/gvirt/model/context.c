// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shadow contexts: see context.h.
 *
 * Where the state of a shadow comes from that no guest decides about, by what the
 * guest's register page says:
 *
 *	asks for no restore		the host's golden image: a context after reset
 *	never seen before, or the	the vGPU's own default image, which the guest's first
 *	run-time counter is another	context left; the guest's driver copied its own
 *	than the one left there		default image there
 *	else				what the chip saved in this shadow
 *
 * What a shadow needs only while it may run (page tables, GGTT ranges, copies of
 * batches) it lets go of when it leaves the engine, unless it left within a batch
 * that runs with privilege.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>
#include "context_private.h"

static_assert(GEN9_CTX_REGS_DWORDS * sizeof(u32) <= PAGE_SIZE);

static int refuse(struct gvirt_vcontexts *contexts, enum gvirt_refused why, u32 detail, u32 value)
{
	contexts->refusal = (struct gvirt_refusal) {
		.why = why,
		.detail = detail,
		.value = value,
	};
	return -EACCES;
}

/* What the scan refused. */
static int passed(struct gvirt_vcontexts *contexts, int err)
{
	if (err)
		contexts->refusal = contexts->scan->refusal;
	return err;
}

static struct gvirt_lrc_engine layout_of(enum gvirt_engine_id engine)
{
	static const enum gvirt_lrc_kind kinds[GVIRT_ENGINES] = {
		[GVIRT_RCS] = GVIRT_LRC_RENDER,
		[GVIRT_BCS] = GVIRT_LRC_BLIT,
		[GVIRT_VCS] = GVIRT_LRC_MEDIA,
		[GVIRT_VECS] = GVIRT_LRC_MEDIA,
	};

	return (struct gvirt_lrc_engine) {
		.kind = kinds[engine],
		.base = gvirt_engine_base(engine),
		.ggtt_size = BIT_ULL(GEN9_GGTT_BITS),
	};
}

u32 gvirt_vcontext_image_size(enum gvirt_engine_id engine)
{
	return gvirt_lrc_image_size(layout_of(engine).kind);
}

u32 gvirt_vcontext_head(const struct gvirt_vcontext *context)
{
	const u32 *image = gvirt_context_registers(&context->hw);

	return READ_ONCE(image[GEN9_CTX_RING_HEAD + 1]) & GEN9_RING_HEAD_MASK;
}

bool gvirt_vcontext_within_copy(const struct gvirt_vcontext *context)
{
	const u32 *image = gvirt_context_registers(&context->hw);

	return context->copies.count && image[GEN9_CTX_BB_ADDR + 1] & GEN9_BB_ADDR_VALID;
}

/* Life. */

/* The image must not lead to a copy that is freed. */
static void forget_batch(struct gvirt_vcontext *context)
{
	static const u16 values[] = {
		GEN9_CTX_BB_ADDR, GEN9_CTX_BB_ADDR_UDW, GEN9_CTX_BB_STATE,
		GEN9_CTX_SBB_ADDR, GEN9_CTX_SBB_ADDR_UDW, GEN9_CTX_SBB_STATE,
	};
	u32 *image = gvirt_context_registers(&context->hw);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(values); i++)
		image[values[i] + 1] = 0;
}

static void end_use(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	if (context->copies.count)
		forget_batch(context);
	gvirt_scan_copies_put(contexts->scan, &context->copies);
	gvirt_scan_copy_put(&contexts->scan->pool, &context->indirect);
	gvirt_scan_copy_put(&contexts->scan->pool, &context->per_ctx);
	gvirt_status_page_forget(&context->own);
	if (context->using)
		gvirt_window_end(contexts->window, &context->use);
	context->using = false;
}

static void begin_use(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	gvirt_window_begin(contexts->window, &context->use, context->hw.engine);
	context->using = true;
}

static void put_ppgtt(struct gvirt_vcontext *context)
{
	if (context->ppgtt)
		gvirt_ppgtt_put(context->ppgtt);
	context->ppgtt = NULL;
}

static u32 pages_of(const struct gvirt_vcontext *context)
{
	return context->hw.state.pages + context->hw.ring.pages;
}

static void drop(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	end_use(contexts, context);
	put_ppgtt(context);
	contexts->pages -= pages_of(context);
	gvirt_context_fini(&context->hw);
	gvirt_status_page_fini(&context->own);
	list_del(&context->link);
	free_page((unsigned long)context->regs);
	kfree(context);
}

/* The status page, which stands before the registers. */

static struct gvirt_status_place place_of(const struct gvirt_vcontexts *contexts,
					  const struct gvirt_vcontext *context)
{
	return (struct gvirt_status_place) {
		.read = contexts->services->read,
		.write = contexts->services->write,
		.data = contexts->data,
		.address = context->lrca,
		.shadow = context->hw.state.data,
	};
}

static void bring_status(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	const struct gvirt_status_place place = place_of(contexts, context);

	gvirt_status_page_bring(&context->own, &place);
}

static void give_status(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	const struct gvirt_status_place place = place_of(contexts, context);

	gvirt_status_page_give(&context->own, &place);
}

/* Life of all. */

void gvirt_vcontexts_reset(struct gvirt_vcontexts *contexts)
{
	struct gvirt_vcontext *context, *next;
	unsigned int i;

	gvirt_vcontexts_free_stashes(contexts);
	list_for_each_entry_safe(context, next, &contexts->list, link)
		drop(contexts, context);
	gvirt_scan_pool_forget(&contexts->scan->pool);
	for (i = 0; i < GVIRT_ENGINES; i++) {
		kvfree(contexts->own[i]);
		contexts->own[i] = NULL;
	}
}

/* Drops the one that was used least recently, but for @but and those that the chip may have. */
static bool drop_one(struct gvirt_vcontexts *contexts, const struct gvirt_vcontext *but)
{
	struct gvirt_vcontext *context;

	list_for_each_entry_reverse(context, &contexts->list, link) {
		if (context == but || context->lists || gvirt_vcontext_within_copy(context))
			continue;
		gvirt_vcontext_put_away(contexts, context);
		drop(contexts, context);
		return true;
	}
	return false;
}

static bool make_room(struct gvirt_vcontexts *contexts, const struct gvirt_vcontext *but, u32 pages)
{
	while (contexts->pages + pages > GVIRT_VCONTEXT_PAGES)
		if (!drop_one(contexts, but))
			return false;
	return true;
}

/* The host's GGTT can be full before the vGPU's share is. */
static int make_hw(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
		   enum gvirt_engine_id engine)
{
	int err;

	if (!make_room(contexts, NULL, gvirt_vcontext_image_size(engine) / PAGE_SIZE + 1))
		return -ENOSPC;
	do {
		err = gvirt_context_init(&context->hw, engine, contexts->ggtt, contexts->scratch,
					 PAGE_SIZE);
	} while (err == -ENOSPC && drop_one(contexts, NULL));
	return err;
}

static struct gvirt_vcontext *make(struct gvirt_vcontexts *contexts, enum gvirt_engine_id engine,
				   u32 lrca, u64 gpa)
{
	struct gvirt_vcontext *context = kzalloc(sizeof(*context), GFP_KERNEL_ACCOUNT);

	if (!context)
		return NULL;
	context->lrca = lrca;
	context->gpa = gpa;
	context->regs = (u32 *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!context->regs || make_hw(contexts, context, engine)) {
		free_page((unsigned long)context->regs);
		kfree(context);
		return NULL;
	}
	contexts->pages += pages_of(context);
	list_add(&context->link, &contexts->list);
	gvirt_vcontext_fetch(contexts, context);
	return context;
}

/* One that does not run may have been bound to another address. */
static struct gvirt_vcontext *find(struct gvirt_vcontexts *contexts, enum gvirt_engine_id engine,
				   u32 lrca, u64 gpa)
{
	struct gvirt_vcontext *context;

	list_for_each_entry(context, &contexts->list, link)
		if (context->gpa == gpa && context->hw.engine == engine &&
		    (context->lrca == lrca || !context->lists))
			return context;
	return NULL;
}

struct gvirt_vcontext *gvirt_vcontext_get(struct gvirt_vcontexts *contexts,
					  enum gvirt_engine_id engine, u32 lrca)
{
	struct gvirt_vcontext *context;
	u64 gpa;

	if (!contexts->services->locate(contexts->data, lrca + GEN9_CTX_REGS_OFFSET, &gpa)) {
		refuse(contexts, GVIRT_REFUSED_MEMORY, 0, lrca);
		return NULL;
	}
	context = find(contexts, engine, lrca, gpa);
	if (!context)
		context = make(contexts, engine, lrca, gpa);
	if (!context) {
		refuse(contexts, GVIRT_REFUSED_HOST, 0, lrca);
		return NULL;
	}
	context->lrca = lrca;
	list_move(&context->link, &contexts->list);
	return context;
}

/* Loading. */

static int read_page(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context, u32 *page)
{
	u32 address = context->lrca + GEN9_CTX_REGS_OFFSET;

	if (!contexts->services->read(contexts->data, address, page,
				      GEN9_CTX_REGS_DWORDS * sizeof(u32)))
		return 0;
	return refuse(contexts, GVIRT_REFUSED_MEMORY, 0, address);
}

/* Gives also whether the guest made another context in the place. */
static int read_state(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
		      struct gvirt_lrc_state *state, bool *other)
{
	struct gvirt_lrc_engine layout = layout_of(context->hw.engine);
	u32 counter = context->regs[GEN9_CTX_TIMESTAMP + 1];
	int err = read_page(contexts, context, context->regs);

	if (err)
		return err;
	*other = context->regs[GEN9_CTX_TIMESTAMP + 1] != counter;
	if (!gvirt_lrc_read(&layout, context->regs, state))
		return 0;
	return refuse(contexts, GVIRT_REFUSED_IMAGE, state->fault,
		      context->regs[state->fault_dw]);
}

/* Fills the image with the state that the context starts from, unless it goes on with its own. */
static bool choose_image(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
			 const struct gvirt_lrc_state *state, bool other)
{
	enum gvirt_engine_id engine = context->hw.engine;
	const void *from = contexts->own[engine];

	if (!state->restore_inhibit && context->saved && !other)
		return true;
	context->fresh = state->restore_inhibit;
	context->saved = false;
	context->signature = 0;
	if (!from || state->restore_inhibit)
		from = contexts->golden[engine];
	if (from)
		memcpy(context->hw.state.data, from, gvirt_vcontext_image_size(engine));
	return from;
}

static int refuse_ppgtt(struct gvirt_vcontexts *contexts, int err)
{
	switch (err) {
	case -ENOMEM:
		return refuse(contexts, GVIRT_REFUSED_HOST, -err, 0);
	case -ENOSPC:
		return refuse(contexts, GVIRT_REFUSED_TABLES, GVIRT_SHADOW_TABLES, 0);
	default:
		return refuse(contexts, GVIRT_REFUSED_PPGTT, -err, 0);
	}
}

static int sync_ppgtt(struct gvirt_vcontexts *contexts, struct gvirt_ppgtt *ppgtt, u64 *pdp)
{
	int err = gvirt_ppgtt_sync(ppgtt);

	if (err)
		return refuse_ppgtt(contexts, err);
	gvirt_ppgtt_root(ppgtt, pdp);
	return 0;
}

static int take_ppgtt(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
		      unsigned int levels, const struct gvirt_lrc_state *state)
{
	struct gvirt_ppgtt *ppgtt = gvirt_ppgtt_get(contexts->vppgtt, levels, state->pdp);

	if (IS_ERR(ppgtt))
		return refuse_ppgtt(contexts, PTR_ERR(ppgtt));
	put_ppgtt(context);
	context->ppgtt = ppgtt;
	context->hw.addressing = levels == 3 ? GEN9_CTX_ADDRESSING_32B : GEN9_CTX_ADDRESSING_48B;
	return sync_ppgtt(contexts, ppgtt, context->pdp);
}

/* A ring of the host's with the size of the guest's. */
static int size_ring(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context, u32 size)
{
	struct gvirt_buffer *ring = &context->hw.ring;
	int err;

	if (ring->pages == size / PAGE_SIZE)
		return 0;
	contexts->pages -= ring->pages;
	gvirt_buffer_fini(ring);
	if (!make_room(contexts, context, size / PAGE_SIZE))
		return refuse(contexts, GVIRT_REFUSED_HOST, 0, size);
	do {
		err = gvirt_buffer_init(ring, contexts->ggtt, size);
	} while (err == -ENOSPC && drop_one(contexts, context));
	if (err)
		return refuse(contexts, GVIRT_REFUSED_HOST, -err, size);
	contexts->pages += ring->pages;
	return 0;
}

static struct gvirt_scan_job job_of(struct gvirt_vcontext *context, u32 status)
{
	return (struct gvirt_scan_job) {
		.engine = context->hw.engine,
		.status = status,
		.use = &context->use,
		.own = &context->own,
		.copies = &context->copies,
	};
}

/* Brings over what is between @head and @tail. */
static int take_commands(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
			 u32 status, u32 head, u32 tail)
{
	struct gvirt_buffer *ring = &context->hw.ring;
	struct gvirt_scan_job job = job_of(context, status);
	struct gvirt_ring_span span;
	int err;

	if (!gvirt_ring_span(ring->pages * PAGE_SIZE, head, tail, &span))
		return refuse(contexts, GVIRT_REFUSED_IMAGE, GVIRT_LRC_RING_HEAD, tail);
	err = gvirt_scan_ring(contexts->scan, &job, context->ring_start, &span, ring->data);
	if (!err) {
		context->hw.tail = tail;
		context->interrupts |= contexts->scan->interrupts;
	}
	return passed(contexts, err);
}

static int take_workarounds(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
			    u32 status, const struct gvirt_lrc_state *state,
			    struct gvirt_lrc_host *host)
{
	struct gvirt_scan_job job = job_of(context, status);
	int err = 0;

	if (state->indirect_size) {
		err = gvirt_scan_workaround(contexts->scan, &job, GVIRT_AUDIT_INDIRECT_CTX,
					    state->indirect_start, state->indirect_size,
					    &context->indirect);
		if (!err)
			host->indirect_ctx = context->indirect->buffer.address |
					     state->indirect_size / 64;
	}
	if (!err && state->per_ctx_valid) {
		err = gvirt_scan_workaround(contexts->scan, &job, GVIRT_AUDIT_PER_CTX,
					    state->per_ctx_start, 0, &context->per_ctx);
		if (!err)
			host->bb_per_ctx = context->per_ctx->buffer.address | GEN9_BB_PER_CTX_VALID;
	}
	return passed(contexts, err);
}

static void build(struct gvirt_vcontext *context, const struct gvirt_lrc_state *state,
		  struct gvirt_lrc_host *host)
{
	struct gvirt_lrc_engine layout = layout_of(context->hw.engine);
	struct gvirt_buffer *ring = &context->hw.ring;

	host->ring_start = ring->address;
	host->ring_ctl = (state->ring_size - PAGE_SIZE) | GEN9_RING_CTL_VALID;
	host->ring_head = state->ring_head;
	host->ring_tail = state->ring_tail;
	memcpy(host->pdp, context->pdp, sizeof(host->pdp));
	host->restore = true;
	gvirt_lrc_build(&layout, context->regs, host, gvirt_context_registers(&context->hw));
	context->hw.reload = true;
}

/* What does not depend on commands. */
static int prepare(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
		   unsigned int levels, struct gvirt_lrc_state *state, struct gvirt_lrc_host *host)
{
	const u32 *image = gvirt_context_registers(&context->hw);
	bool other;
	int err;

	err = read_state(contexts, context, state, &other);
	if (err)
		return err;
	host->image = choose_image(contexts, context, state, other) ? image : NULL;
	host->resume = context->saved && gvirt_lrc_batch_unchanged(context->regs, image);
	if (!host->resume || !gvirt_vcontext_within_copy(context))
		end_use(contexts, context);
	gvirt_status_page_renew(&context->own);
	if (!context->using)
		begin_use(contexts, context);
	context->ring_start = state->ring_start;
	err = size_ring(contexts, context, state->ring_size);
	return err ? err : take_ppgtt(contexts, context, levels, state);
}

int gvirt_vcontext_load(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
			const struct gvirt_desc *desc, u32 status)
{
	struct gvirt_lrc_host host = { };
	struct gvirt_lrc_state state;
	int err;

	context->interrupts = 0;
	err = prepare(contexts, context, gvirt_desc_levels(desc), &state, &host);
	if (!err)
		err = take_commands(contexts, context, status, state.ring_head, state.ring_tail);
	if (!err)
		err = take_workarounds(contexts, context, status, &state, &host);
	if (err)
		return err;
	bring_status(contexts, context);
	build(context, &state, &host);
	return 0;
}

/*
 * Whether what is to be added would be written over commands that the chip may be
 * executing: it has got to the head that it saved last, or further.
 */
static bool overtakes(const struct gvirt_vcontext *context, u32 tail)
{
	u32 size = context->hw.ring.pages * PAGE_SIZE;
	u32 old = context->hw.tail;
	u32 left = gvirt_lrc_ring_bytes(gvirt_vcontext_head(context), old, size);

	return left + gvirt_lrc_ring_bytes(old, tail, size) >= size;
}

int gvirt_vcontext_extend(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
			  u32 status)
{
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	u32 address = context->lrca + GEN9_CTX_REGS_OFFSET;
	u32 tail;
	int err;

	address += (GEN9_CTX_RING_TAIL + 1) * sizeof(tail);
	if (contexts->services->read(contexts->data, address, &tail, sizeof(tail)))
		return refuse(contexts, GVIRT_REFUSED_MEMORY, 0, address);
	tail &= GEN9_RING_TAIL_MASK;
	if (overtakes(context, tail))
		return -EAGAIN;
	err = sync_ppgtt(contexts, context->ppgtt, pdp);
	if (err)
		return err;
	/* The chip would not take other ones while it has the context. */
	if (memcmp(pdp, context->pdp, sizeof(pdp)))
		return -EAGAIN;
	err = take_commands(contexts, context, status, context->hw.tail, tail);
	bring_status(contexts, context);
	return err;
}

void gvirt_vcontext_sync(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	if (context->ppgtt)
		gvirt_ppgtt_sync(context->ppgtt);
}

/* Leaving. */

static void keep_default(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	enum gvirt_engine_id engine = context->hw.engine;
	void *own;

	if (!context->fresh || contexts->own[engine])
		return;
	context->fresh = false;
	own = kvmalloc(gvirt_vcontext_image_size(engine), GFP_KERNEL_ACCOUNT);
	if (!own)
		return;
	memcpy(own, context->hw.state.data, gvirt_vcontext_image_size(engine));
	contexts->own[engine] = own;
}

/* What did not change needs no access to guest memory. */
static void write_run(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
		      const struct gvirt_lrc_run *run)
{
	u32 page = context->lrca + GEN9_CTX_REGS_OFFSET;
	unsigned int first = run->first, end = run->first + run->count;
	const u32 *regs = context->regs, *before = contexts->before;

	while (first < end && regs[first] == before[first])
		first++;
	while (end > first && regs[end - 1] == before[end - 1])
		end--;
	if (first < end)
		contexts->services->write(contexts->data, page + first * sizeof(u32),
					  regs + first, (end - first) * sizeof(u32));
}

static void write_back(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	struct gvirt_lrc_engine layout = layout_of(context->hw.engine);
	struct gvirt_lrc_runs runs;
	unsigned int i;

	memcpy(contexts->before, context->regs, GEN9_CTX_REGS_DWORDS * sizeof(u32));
	gvirt_lrc_write_back(&layout, gvirt_context_registers(&context->hw),
			     gvirt_vcontext_head(context), context->regs, &runs);
	for (i = 0; i < runs.count; i++)
		write_run(contexts, context, &runs.run[i]);
}

void gvirt_vcontext_save(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	write_back(contexts, context);
	give_status(contexts, context);
	context->saved = true;
	gvirt_vcontext_sign(contexts, context);
	keep_default(contexts, context);
	put_ppgtt(context);
	if (!gvirt_vcontext_within_copy(context))
		end_use(contexts, context);
}

void gvirt_vcontext_lost(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	context->fresh = false;
	give_status(contexts, context);
	put_ppgtt(context);
	end_use(contexts, context);
}

/* Beside image and ring: its register page, and its status page once that was stored to. */
static size_t beside(const struct gvirt_vcontext *context)
{
	return sizeof(*context) + (context->own.before ? 2 : 1) * PAGE_SIZE;
}

size_t gvirt_vcontexts_bytes(const struct gvirt_vcontexts *contexts)
{
	const struct gvirt_vcontext_stash *stash;
	const struct gvirt_vcontext *context;
	size_t bytes = (size_t)contexts->pages * PAGE_SIZE;
	unsigned int i;

	list_for_each_entry(context, &contexts->list, link)
		bytes += beside(context);
	list_for_each_entry(stash, &contexts->stashes, link)
		bytes += sizeof(*stash) + gvirt_vcontext_image_size(stash->engine);
	for (i = 0; i < GVIRT_ENGINES; i++)
		if (contexts->own[i])
			bytes += gvirt_vcontext_image_size(i);
	return bytes;
}
