// SPDX-License-Identifier: GPL-2.0-only
/*
 * Judging the chip's status entries.
 *
 * Normally the kind of an entry says all, and its name is that of the context that is due.
 * Where it is not so, the chip's memory writes got lost or damaged. Two facts help: an
 * entry that names a context of a later place can only come after the steps in between, so
 * those were missed; and the port cannot have been free for a list that waits in it already.
 * A name that nobody has says nothing: then the kind alone counts.
 *
 * A step that was missed is taken for the harmless one of two: a context that was complete,
 * but is taken for preempted, is submitted once more, finds its ring empty, and leaves at once.
 *
 * Sources: Intel PRM Skylake, volume 3 ("Execlists") and volume 2c, EXECLIST_STATUS; Linux
 * i915, gt/intel_execlists_submission.c (process_csb: what may follow what).
 */
#include <gvirt/gen9_lrc.h>
#include "events.h"

static bool is_one_of(const u32 *list, u32 id)
{
	return id && (list[0] == id || list[1] == id);
}

static struct gvirt_event told(enum gvirt_event_step step, bool odd)
{
	return (struct gvirt_event) { .step = step, .odd = odd };
}

static struct gvirt_event missed(enum gvirt_event_step step)
{
	return (struct gvirt_event) { .step = step, .odd = true, .missed = true };
}

static enum gvirt_event_step way_to_pending(const struct gvirt_event_lists *lists)
{
	return lists->active[0] ? GVIRT_EVENT_PREEMPTED : GVIRT_EVENT_TAKEN;
}

static struct gvirt_event judge_start(const struct gvirt_event_lists *lists)
{
	if (!lists->pending[0])
		return told(GVIRT_EVENT_NOTHING, true);
	/* It became idle, and nobody said so. */
	if (lists->active[0])
		return missed(GVIRT_EVENT_ENDED);
	return told(GVIRT_EVENT_TAKEN, false);
}

static enum gvirt_event_step kind_of(const struct gvirt_event_lists *lists, u32 status)
{
	if (status & GEN9_CSB_PREEMPTED && lists->pending[0]) {
		if (lists->active[0] && status & GEN9_CSB_COMPLETE)
			return GVIRT_EVENT_REPLACED;
		return way_to_pending(lists);
	}
	if (status & GEN9_CSB_PREEMPTED || !(status & GEN9_CSB_COMPLETE) || !lists->active[0])
		return GVIRT_EVENT_NOTHING;
	if (status & GEN9_CSB_ELEMENT_SWITCH && lists->active[1])
		return GVIRT_EVENT_SWITCHED;
	return GVIRT_EVENT_ENDED;
}

struct gvirt_event gvirt_event_judge(const struct gvirt_event_lists *lists, u64 entry)
{
	u32 status = (u32)entry, id = entry >> 32;
	enum gvirt_event_step step;

	if (status & GEN9_CSB_IDLE_TO_ACTIVE)
		return judge_start(lists);
	if (id && lists->active[0] != id) {
		if (lists->active[1] == id)
			return missed(GVIRT_EVENT_SWITCHED);
		if (is_one_of(lists->pending, id))
			return missed(way_to_pending(lists));
	}
	step = kind_of(lists, status);
	return told(step, step == GVIRT_EVENT_NOTHING || lists->active[0] != id);
}

/* The chip has nothing at all: everything is complete, if its images say so. */
static enum gvirt_event_step find_idle(const struct gvirt_event_lists *lists, bool active_done,
				       bool pending_done)
{
	if (lists->active[0])
		return active_done ? GVIRT_EVENT_ENDED : GVIRT_EVENT_NOTHING;
	if (lists->pending[0] && pending_done)
		return GVIRT_EVENT_TAKEN;
	return GVIRT_EVENT_NOTHING;
}

enum gvirt_event_step gvirt_event_find(const struct gvirt_event_lists *lists, u64 status,
				       bool active_done, bool pending_done)
{
	bool full = status & GEN9_EL_STATUS_QUEUE_FULL;
	u32 id = status >> 32;

	if (!(status & (GEN9_EL_STATUS_LIST0_ACTIVE | GEN9_EL_STATUS_LIST1_ACTIVE)))
		return find_idle(lists, active_done, pending_done);
	/* With the same context in front again, the port tells that the chip took the list. */
	if (lists->active[0] == id && (full || lists->pending[0] != id))
		return GVIRT_EVENT_NOTHING;
	if (lists->active[1] == id && id)
		return GVIRT_EVENT_SWITCHED;
	if (!full && is_one_of(lists->pending, id))
		return way_to_pending(lists);
	return GVIRT_EVENT_NOTHING;
}

static u32 status_of(enum gvirt_event_step step)
{
	switch (step) {
	case GVIRT_EVENT_NOTHING:
		break;
	case GVIRT_EVENT_TAKEN:
		return GEN9_CSB_IDLE_TO_ACTIVE;
	case GVIRT_EVENT_PREEMPTED:
	case GVIRT_EVENT_REPLACED:
		return GEN9_CSB_PREEMPTED;
	case GVIRT_EVENT_SWITCHED:
		return GEN9_CSB_ELEMENT_SWITCH;
	case GVIRT_EVENT_ENDED:
		return GEN9_CSB_ACTIVE_TO_IDLE;
	}
	return 0;
}

u64 gvirt_event_owed(const struct gvirt_event_lists *lists, enum gvirt_event_step step)
{
	return (u64)lists->active[0] << 32 | status_of(step);
}

bool gvirt_event_pays(u64 entry, u64 owed)
{
	u32 status = (u32)owed;

	/* A start names nobody. */
	return (u32)entry & status &&
	       (status == GEN9_CSB_IDLE_TO_ACTIVE || entry >> 32 == owed >> 32);
}
