// SPDX-License-Identifier: GPL-2.0-only
/*
 * What went wrong last: see fault.h.
 */
#include <linux/mm.h>
#include <linux/timekeeping.h>
#include <gvirt/gen9_engine.h>
#include "hw/context.h"
#include "fault.h"

void gvirt_fault_refuse(struct gvirt_faults *faults, enum gvirt_engine_id engine,
			const struct gvirt_refusal *refusal, const struct gvirt_excerpt *excerpt)
{
	faults->refused = (struct gvirt_fault_refused) {
		.time = ktime_get_real_seconds(),
		.engine = engine,
		.refusal = *refusal,
		.excerpt = *excerpt,
	};
	if (refusal->why == GVIRT_REFUSED_COMMAND)
		faults->command = faults->refused;
}

/*
 * What the chip ran is the host's copy. The engine fetches ahead: it stands at its ring's
 * head or somewhat before that.
 */
static void quote_ring(struct gvirt_excerpt *excerpt, const struct gvirt_context *context,
		       u32 first, u32 head)
{
	u32 size = context->ring.pages * PAGE_SIZE;
	struct gvirt_excerpt_source source = {
		.engine = context->engine,
		.dwords = context->ring.data,
		.size = size / sizeof(u32),
		.first = first / sizeof(u32),
	};

	if (!size || first >= size || head >= size || context->tail >= size)
		return;
	source.count = (context->tail + size - first) % size / sizeof(u32);
	source.bad = (head + size - first) % size / sizeof(u32);
	gvirt_excerpt_take(excerpt, &source);
}

void gvirt_fault_lose(struct gvirt_fault_lost *lost, const struct gvirt_engine *engine,
		      const struct gvirt_context *context, u32 head, u32 lrca)
{
	const struct gvirt_engine_dump *state = &engine->dump;

	*lost = (struct gvirt_fault_lost) {
		.time = ktime_get_real_seconds(),
		.engine = engine->id,
		.lrca = lrca,
		.known = state->context == gvirt_context_id(context),
	};
	if (!lost->known)
		return;
	lost->state = *state;
	quote_ring(&lost->excerpt, context, head, state->head & GEN9_RING_HEAD_MASK);
}
