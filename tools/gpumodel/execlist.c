// SPDX-License-Identifier: GPL-2.0-only
/*
 * The execlist unit: two lists of two contexts, and the context status buffer.
 *
 * Data model: at most one list runs and at most one waits; list[current] runs
 * when active, the other one is what the submit port fills. A list that waits
 * is taken at the engine's next preemption point, or when what runs ends.
 *
 * Invariants: element < 2; starting and pending imply active; the first
 * element of a list that runs or waits is valid.
 *
 * Events, by what happens:
 *
 *	idle, a list is taken			IDLE_TO_ACTIVE, id 0
 *	preempted by another context		PREEMPTED
 *	first element is what runs		PREEMPTED | LITE_RESTORE
 *	element ends, a list waits		PREEMPTED | COMPLETE
 *	element 0 ends, there is element 1	ELEMENT_SWITCH | COMPLETE
 *	last element ends			ACTIVE_TO_IDLE | COMPLETE
 *	element would have to wait		as if it ended, WAIT_* instead of COMPLETE
 *
 * Sources: Linux i915, gt/intel_execlists_submission.c (process_csb: which events
 * promote a pending list), gvt/execlist.h (fields of the status) and
 * gvt/execlist.c (events of an emulated unit). Also in PRM Skylake, volume 2c,
 * EXECLIST_STATUS.
 */
#include <string.h>
#include "execlist.h"

static u32 desc_id(u64 desc)
{
	return desc >> 32;
}

static bool same_context(u64 a, u64 b)
{
	return desc_id(a) == desc_id(b) &&
	       (a & GEN9_CTX_DESC_LRCA_MASK) == (b & GEN9_CTX_DESC_LRCA_MASK);
}

static bool desc_acceptable(u64 desc)
{
	u32 mode = (desc & GEN9_CTX_DESC_ADDRESSING_MASK) >> GEN9_CTX_DESC_ADDRESSING_SHIFT;

	if (!(desc & GEN9_CTX_DESC_VALID))
		return true;
	if (desc & GEN9_CTX_DESC_RESERVED)
		return false;
	return mode == GEN9_CTX_ADDRESSING_32B || mode == GEN9_CTX_ADDRESSING_48B;
}

void gm_execlist_reset(struct gm_execlist *el)
{
	memset(el, 0, sizeof(*el));
}

static unsigned int write_list(const struct gm_execlist *el)
{
	return !el->current;
}

static void promote(struct gm_execlist *el)
{
	memset(el->list[el->current], 0, sizeof(el->list[el->current]));
	el->current = write_list(el);
	el->element = 0;
	el->active = true;
	el->pending = false;
}

static enum gm_execlist_submit submit(struct gm_execlist *el, u64 first, u64 second)
{
	enum gm_execlist_submit result = GM_SUBMIT_OK;
	u64 *list;

	if (el->pending)
		return GM_SUBMIT_FULL;
	if (!(first & GEN9_CTX_DESC_VALID) || !desc_acceptable(first) || !desc_acceptable(second))
		return GM_SUBMIT_INVALID;

	if (!(second & GEN9_CTX_DESC_VALID))
		second = 0;
	if (second && !((first ^ second) & GEN9_CTX_DESC_LRCA_MASK)) {
		second = 0;
		result = GM_SUBMIT_TWICE;
	}
	list = el->list[write_list(el)];
	list[0] = first;
	list[1] = second;
	if (el->active) {
		el->pending = true;
	} else {
		promote(el);
		el->starting = true;
	}
	return result;
}

enum gm_execlist_submit gm_execlist_write(struct gm_execlist *el, u32 value)
{
	const u32 *port = el->port;

	el->port[el->port_count++] = value;
	if (el->port_count < GM_EXECLIST_ELEMENTS * 2)
		return GM_SUBMIT_MORE;
	el->port_count = 0;
	/* The second element comes first, and the upper dword before the lower. */
	return submit(el, (u64)port[2] << 32 | port[3], (u64)port[0] << 32 | port[1]);
}

u64 gm_execlist_running(const struct gm_execlist *el)
{
	return el->active ? el->list[el->current][el->element] : 0;
}

u64 gm_execlist_pending_first(const struct gm_execlist *el)
{
	return el->pending ? el->list[write_list(el)][0] : 0;
}

enum gm_execlist_step gm_execlist_next(const struct gm_execlist *el)
{
	u64 next = gm_execlist_pending_first(el);

	if (el->starting)
		return GM_STEP_START;
	if (!el->pending)
		return GM_STEP_NONE;
	if (same_context(next, gm_execlist_running(el)) && !(next & GEN9_CTX_DESC_FORCE_RESTORE))
		return GM_STEP_LITE;
	return GM_STEP_PREEMPT;
}

static struct gm_csb_event report(struct gm_execlist *el, u32 status, u32 id)
{
	el->last = status;
	return (struct gm_csb_event) { .status = status, .context_id = id };
}

struct gm_csb_event gm_execlist_take(struct gm_execlist *el)
{
	enum gm_execlist_step step = gm_execlist_next(el);
	u32 id = desc_id(gm_execlist_running(el));

	if (step == GM_STEP_START) {
		el->starting = false;
		return report(el, GEN9_CSB_IDLE_TO_ACTIVE, 0);
	}
	promote(el);
	if (step == GM_STEP_LITE)
		return report(el, GEN9_CSB_PREEMPTED | GEN9_CSB_LITE_RESTORE, id);
	return report(el, GEN9_CSB_PREEMPTED, id);
}

struct gm_csb_event gm_execlist_leave(struct gm_execlist *el, u32 reason)
{
	u32 id = desc_id(gm_execlist_running(el));

	if (gm_execlist_next(el) == GM_STEP_LITE)
		return gm_execlist_take(el);
	if (el->pending) {
		promote(el);
		return report(el, GEN9_CSB_PREEMPTED | reason, id);
	}
	if (!el->element && el->list[el->current][1]) {
		el->element = 1;
		return report(el, GEN9_CSB_ELEMENT_SWITCH | reason, id);
	}
	memset(el->list[el->current], 0, sizeof(el->list[el->current]));
	el->active = false;
	el->element = 0;
	return report(el, GEN9_CSB_ACTIVE_TO_IDLE | reason, id);
}

static u32 list_bits(const struct gm_execlist *el, unsigned int list)
{
	u32 valid = list ? GEN9_EL_STATUS_LIST1_VALID : GEN9_EL_STATUS_LIST0_VALID;
	u32 active = list ? GEN9_EL_STATUS_LIST1_ACTIVE : GEN9_EL_STATUS_LIST0_ACTIVE;

	if (list == el->current)
		return el->active ? valid | active : 0;
	return el->pending ? valid : 0;
}

u64 gm_execlist_status(const struct gm_execlist *el)
{
	u32 status = list_bits(el, 0) | list_bits(el, 1);

	status |= el->current ? GEN9_EL_STATUS_CURRENT_LIST : GEN9_EL_STATUS_WRITE_LIST;
	if (el->pending)
		status |= GEN9_EL_STATUS_QUEUE_FULL;
	if (el->active)
		status |= (el->element + 1) << GEN9_EL_STATUS_ELEMENT_SHIFT;
	status |= (el->last << GEN9_EL_STATUS_REASON_SHIFT) & GEN9_EL_STATUS_REASON_MASK;
	return (u64)desc_id(gm_execlist_running(el)) << 32 | status;
}

void gm_csb_reset(struct gm_csb *csb)
{
	memset(csb, 0, sizeof(*csb));
	csb->write = GEN9_CSB_PTR_RESET;
	csb->read = GEN9_CSB_PTR_RESET;
}

unsigned int gm_csb_next(const struct gm_csb *csb)
{
	/* Software may have written 6 or 7, which are no entries. */
	return csb->write >= GEN9_CSB_ENTRIES - 1 ? 0 : csb->write + 1;
}

void gm_csb_store(struct gm_csb *csb, unsigned int index, struct gm_csb_event event)
{
	csb->entry[index] = (u64)event.context_id << 32 | event.status;
	csb->unread[index] = true;
}

void gm_csb_advance(struct gm_csb *csb, unsigned int index)
{
	csb->write = index;
}

u32 gm_csb_pointer(const struct gm_csb *csb)
{
	return csb->read << GEN9_CSB_PTR_READ_SHIFT | csb->write;
}

/* Everything between the old and the new read pointer has been read. */
static void mark_read(struct gm_csb *csb, unsigned int read)
{
	unsigned int i = csb->read;
	unsigned int n;

	/* Software is up to date, perhaps after a whole round. */
	if (read == csb->write)
		memset(csb->unread, 0, sizeof(csb->unread));
	for (n = 0; n < GEN9_CSB_ENTRIES && i != read; n++) {
		i = i >= GEN9_CSB_ENTRIES - 1 ? 0 : i + 1;
		csb->unread[i] = false;
	}
}

void gm_csb_set_pointer(struct gm_csb *csb, u32 value)
{
	unsigned int read = (value & GEN9_CSB_PTR_READ_MASK) >> GEN9_CSB_PTR_READ_SHIFT;
	unsigned int write = value & GEN9_CSB_PTR_WRITE_MASK;

	csb->write = write;
	mark_read(csb, read);
	csb->read = read;
}
