// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execlist port of a virtual engine (see csb.h).
 */
#include <linux/build_bug.h>

#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_lrc.h>

#include "csb.h"

/* The switch reason of EXECLIST_STATUS has room for the lowest nine event bits. */
#define REASON_BITS	(GEN9_EL_STATUS_REASON_MASK >> GEN9_EL_STATUS_REASON_SHIFT)

static_assert(REASON_BITS == 0x1ff);
static_assert(GEN9_CSB_ENTRIES <= GEN9_CSB_PTR_WRITE_MASK);
static_assert(GEN9_HWSP_CSB_DW + 2 * GEN9_CSB_ENTRIES <= GEN9_HWSP_CSB_WRITE_DW);

void gvirt_csb_reset(struct gvirt_csb *csb)
{
	*csb = (struct gvirt_csb){
		.write = GEN9_CSB_PTR_RESET,
		.read = GEN9_CSB_PTR_RESET,
	};
}

bool gvirt_csb_sane(const struct gvirt_csb *csb)
{
	const struct gvirt_desc_list *list;

	if (csb->current_list >= GVIRT_CSB_LISTS || csb->element > GVIRT_ELSP_ELEMENTS ||
	    csb->write >= GEN9_CSB_ENTRIES || csb->read > GEN9_CSB_PTR_WRITE_MASK ||
	    csb->reason > REASON_BITS)
		return false;
	if (!csb->element)
		return !csb->started && !csb->waiting;
	list = &csb->list[csb->current_list];
	if (!gvirt_desc_valid(&list->element[csb->element - 1]))
		return false;
	list = &csb->list[!csb->current_list];
	return !csb->waiting || gvirt_desc_valid(&list->element[0]);
}

const struct gvirt_desc *gvirt_csb_current(const struct gvirt_csb *csb)
{
	if (!csb->element)
		return NULL;
	return &csb->list[csb->current_list].element[csb->element - 1];
}

const struct gvirt_desc_list *gvirt_csb_waiting(const struct gvirt_csb *csb)
{
	return csb->waiting ? &csb->list[!csb->current_list] : NULL;
}

static struct gvirt_csb_out act(enum gvirt_csb_action action)
{
	return (struct gvirt_csb_out){ .action = action };
}

static void put_entry(struct gvirt_csb *csb, struct gvirt_csb_out *out, u32 events, u32 id)
{
	csb->write = (csb->write + 1) % GEN9_CSB_ENTRIES;
	csb->entry[csb->write] = (u64)id << 32 | events;
	csb->reason = events & REASON_BITS;
	out->slot[out->count++] = csb->write;
}

/* Does the waiting list begin with what runs, without asking for a reload? */
static bool is_lite_restore(const struct gvirt_csb *csb)
{
	const struct gvirt_desc *next = &csb->list[!csb->current_list].element[0];

	return gvirt_desc_same_context(gvirt_csb_current(csb), next) &&
	       !(next->lo & GEN9_CTX_DESC_FORCE_RESTORE);
}

/* What the waiting list, if there is one, asks for while the current one runs. */
static enum gvirt_csb_action waiting_action(const struct gvirt_csb *csb)
{
	if (!csb->waiting)
		return GVIRT_CSB_NONE;
	return is_lite_restore(csb) ? GVIRT_CSB_LITE_RESTORE : GVIRT_CSB_PREEMPT;
}

/* The list that was not current becomes so, with its first element. */
static void switch_list(struct gvirt_csb *csb, bool started)
{
	csb->current_list = !csb->current_list;
	csb->element = 1;
	csb->started = started;
	csb->waiting = false;
}

struct gvirt_csb_out gvirt_csb_submit(struct gvirt_csb *csb, const struct gvirt_desc_list *list)
{
	if (csb->waiting)
		return act(GVIRT_CSB_FULL);
	if (!gvirt_desc_valid(&list->element[0]))
		return act(GVIRT_CSB_EMPTY);
	csb->list[!csb->current_list] = *list;
	if (!csb->element) {
		switch_list(csb, false);
		return act(GVIRT_CSB_START);
	}
	csb->waiting = true;
	/* What was not started yet is started first: the guest waits for both events. */
	return act(csb->started ? waiting_action(csb) : GVIRT_CSB_NONE);
}

struct gvirt_csb_out gvirt_csb_started(struct gvirt_csb *csb)
{
	struct gvirt_csb_out out = act(GVIRT_CSB_NONE);

	if (!csb->element || csb->started)
		return act(GVIRT_CSB_NONSENSE);
	csb->started = true;
	put_entry(csb, &out, GEN9_CSB_IDLE_TO_ACTIVE, 0);
	out.action = waiting_action(csb);
	return out;
}

static bool second_element_left(const struct gvirt_csb *csb)
{
	return csb->element == 1 && gvirt_desc_valid(&csb->list[csb->current_list].element[1]);
}

static enum gvirt_csb_action next_element(struct gvirt_csb *csb)
{
	csb->element = 2;
	return csb->waiting ? waiting_action(csb) : GVIRT_CSB_CONTINUE;
}

static enum gvirt_csb_action next_list(struct gvirt_csb *csb)
{
	csb->element = 0;
	csb->started = false;
	if (!csb->waiting)
		return GVIRT_CSB_NONE;
	switch_list(csb, false);
	return GVIRT_CSB_START;
}

struct gvirt_csb_out gvirt_csb_completed(struct gvirt_csb *csb)
{
	struct gvirt_csb_out out = act(GVIRT_CSB_NONE);
	u32 id;

	if (!csb->started)
		return act(GVIRT_CSB_NONSENSE);
	id = gvirt_csb_current(csb)->hi;
	if (second_element_left(csb)) {
		put_entry(csb, &out, GEN9_CSB_COMPLETE | GEN9_CSB_ELEMENT_SWITCH, id);
		out.action = next_element(csb);
	} else {
		put_entry(csb, &out, GEN9_CSB_COMPLETE | GEN9_CSB_ACTIVE_TO_IDLE, id);
		out.action = next_list(csb);
	}
	return out;
}

struct gvirt_csb_out gvirt_csb_preempted(struct gvirt_csb *csb)
{
	struct gvirt_csb_out out = act(GVIRT_CSB_NONE);
	u32 events = GEN9_CSB_PREEMPTED;

	if (!csb->started || !csb->waiting)
		return act(GVIRT_CSB_NONSENSE);
	if (is_lite_restore(csb))
		events |= GEN9_CSB_LITE_RESTORE;
	put_entry(csb, &out, events, gvirt_csb_current(csb)->hi);
	switch_list(csb, true);
	return out;
}

static u32 list_valid_bit(unsigned int list)
{
	return list ? GEN9_EL_STATUS_LIST1_VALID : GEN9_EL_STATUS_LIST0_VALID;
}

static u32 list_active_bit(unsigned int list)
{
	return list ? GEN9_EL_STATUS_LIST1_ACTIVE : GEN9_EL_STATUS_LIST0_ACTIVE;
}

u64 gvirt_csb_status(const struct gvirt_csb *csb)
{
	u32 status = GEN9_EL_STATUS_ARBITRATION;
	u32 id = 0;

	status |= csb->current_list ? GEN9_EL_STATUS_CURRENT_LIST : GEN9_EL_STATUS_WRITE_LIST;
	status |= (u32)csb->reason << GEN9_EL_STATUS_REASON_SHIFT;
	if (csb->element)
		status |= list_valid_bit(csb->current_list);
	if (csb->started) {
		status |= list_active_bit(csb->current_list);
		status |= (u32)csb->element << GEN9_EL_STATUS_ELEMENT_SHIFT;
		id = gvirt_csb_current(csb)->hi;
	}
	if (csb->waiting)
		status |= list_valid_bit(!csb->current_list) | GEN9_EL_STATUS_QUEUE_FULL;
	return (u64)id << 32 | status;
}

u32 gvirt_csb_pointer(const struct gvirt_csb *csb)
{
	return (u32)csb->read << GEN9_CSB_PTR_READ_SHIFT | csb->write;
}

void gvirt_csb_write_pointer(struct gvirt_csb *csb, u32 value)
{
	u32 pointer = gen9_masked_write(gvirt_csb_pointer(csb), value);

	csb->read = (pointer & GEN9_CSB_PTR_READ_MASK) >> GEN9_CSB_PTR_READ_SHIFT;
	csb->write = pointer & GEN9_CSB_PTR_WRITE_MASK;
	if (csb->write >= GEN9_CSB_ENTRIES)
		csb->write = GEN9_CSB_PTR_RESET;
}
