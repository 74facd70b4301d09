// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which state belongs to a guest's image: that of render contexts, which has more pages than
 * the one that is given back to the guest.
 *
 * By the place of the image in the guest's memory, as long as it stays there. Else by its
 * signature, together with the run-time counter, which tells whether the image is as it was
 * left last: a copy of it stands for the same state, an older one for none that is still
 * known. A signature leads to contexts of the same vGPU only, so it need not be believed.
 */
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <gvirt/gen9_lrc.h>
#include "context_private.h"

/* The page after the registers. */
#define SIGNATURE_OFFSET	(GEN9_CTX_REGS_OFFSET + GEN9_CTX_REGS_DWORDS * sizeof(u32))

static_assert(SIGNATURE_OFFSET < GEN9_CTX_RCS_SIZE);

static bool has_more(enum gvirt_engine_id engine)
{
	return engine == GVIRT_RCS;
}

static u32 counter_of(const struct gvirt_vcontext *context)
{
	return context->regs[GEN9_CTX_TIMESTAMP + 1];
}

/* Stashes. */

static void free_stash(struct gvirt_vcontexts *contexts, struct gvirt_vcontext_stash *stash)
{
	list_del(&stash->link);
	contexts->stash_count--;
	kvfree(stash->image);
	kfree(stash);
}

static struct gvirt_vcontext_stash *make_stash(u32 bytes)
{
	struct gvirt_vcontext_stash *stash = kzalloc(sizeof(*stash), GFP_KERNEL_ACCOUNT);

	if (!stash)
		return NULL;
	stash->image = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (stash->image)
		return stash;
	kfree(stash);
	return NULL;
}

void gvirt_vcontext_put_away(struct gvirt_vcontexts *contexts,
			     const struct gvirt_vcontext *context)
{
	u32 bytes = gvirt_vcontext_image_size(context->hw.engine);
	struct gvirt_vcontext_stash *stash;

	if (!has_more(context->hw.engine) || !context->saved)
		return;
	if (contexts->stash_count == GVIRT_VCONTEXT_STASHES)
		free_stash(contexts, list_last_entry(&contexts->stashes,
						     struct gvirt_vcontext_stash, link));
	stash = make_stash(bytes);
	if (!stash)
		return;
	stash->gpa = context->gpa;
	stash->engine = context->hw.engine;
	stash->counter = counter_of(context);
	stash->signature = context->signature;
	memcpy(stash->image, context->hw.state.data, bytes);
	list_add(&stash->link, &contexts->stashes);
	contexts->stash_count++;
}

void gvirt_vcontexts_free_stashes(struct gvirt_vcontexts *contexts)
{
	struct gvirt_vcontext_stash *stash, *next;

	list_for_each_entry_safe(stash, next, &contexts->stashes, link)
		free_stash(contexts, stash);
}

/* Finding. */

static void take(struct gvirt_vcontext *context, const void *image, u32 counter)
{
	memcpy(context->hw.state.data, image, gvirt_vcontext_image_size(context->hw.engine));
	context->regs[GEN9_CTX_TIMESTAMP + 1] = counter;
	context->saved = true;
}

static bool fetch_by_place(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	struct gvirt_vcontext_stash *stash;

	list_for_each_entry(stash, &contexts->stashes, link) {
		if (stash->gpa != context->gpa || stash->engine != context->hw.engine)
			continue;
		take(context, stash->image, stash->counter);
		context->signature = stash->signature;
		free_stash(contexts, stash);
		return true;
	}
	return false;
}

static int read_image(struct gvirt_vcontexts *contexts, const struct gvirt_vcontext *context,
		      u32 offset, void *to, u32 bytes)
{
	return contexts->services->read(contexts->data, context->lrca + offset, to, bytes);
}

static void fetch_by_signature(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
			       u64 signature, u32 counter)
{
	const struct gvirt_vcontext_stash *stash;
	const struct gvirt_vcontext *other;

	list_for_each_entry(other, &contexts->list, link)
		if (other->signature == signature && other->saved && !other->lists &&
		    other->hw.engine == context->hw.engine && counter_of(other) == counter &&
		    !gvirt_vcontext_within_copy(other)) {
			take(context, other->hw.state.data, counter);
			return;
		}
	list_for_each_entry(stash, &contexts->stashes, link)
		if (stash->signature == signature && stash->engine == context->hw.engine &&
		    stash->counter == counter) {
			take(context, stash->image, counter);
			return;
		}
}

void gvirt_vcontext_fetch(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	const u32 place = GEN9_CTX_REGS_OFFSET + (GEN9_CTX_TIMESTAMP + 1) * sizeof(u32);
	u64 signature;
	u32 counter;

	if (!has_more(context->hw.engine) || fetch_by_place(contexts, context))
		return;
	if (read_image(contexts, context, SIGNATURE_OFFSET, &signature, sizeof(signature)) ||
	    read_image(contexts, context, place, &counter, sizeof(counter)) || !signature)
		return;
	fetch_by_signature(contexts, context, signature, counter);
}

void gvirt_vcontext_sign(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context)
{
	if (!has_more(context->hw.engine) || context->signature)
		return;
	context->signature = get_random_u64() | 1;
	contexts->services->write(contexts->data, context->lrca + SIGNATURE_OFFSET,
				  &context->signature, sizeof(context->signature));
}
