/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The execlist port of a virtual engine: what a guest's driver sees after it
 * has written a submission.
 *
 * A pure state machine. It holds the list that runs (one or two elements), the
 * list that waits, and the context status buffer (CSB). The submission code
 * tells what happens to elements on the real engine; the machine says which CSB
 * entries the guest has to find, what EXECLIST_STATUS reads, and what the
 * submission code is to do next. The guest's driver counts entries: one lost or
 * repeated makes it lose track of what runs (i915 then resets the engine), so
 * each call tells exactly what a single event of the chip would.
 *
 * What i915 makes of an entry (gt/intel_execlists_submission.c, process_csb()):
 * "idle to active" or "preempted" means that the list that waited runs now;
 * anything else means that the oldest running element is finished.
 */
#ifndef GVIRT_LIB_CSB_H
#define GVIRT_LIB_CSB_H

#include <linux/types.h>

#include <gvirt/gen9_lrc.h>

#include "elsp.h"

#define GVIRT_CSB_LISTS		2
/* No event of a port makes more entries than this. */
#define GVIRT_CSB_EVENTS_MAX	1

/**
 * enum gvirt_csb_action - What the submission code has to do after an event
 * @GVIRT_CSB_NONE: nothing
 * @GVIRT_CSB_START: the engine is idle: start the current element, then tell
 *	gvirt_csb_started()
 * @GVIRT_CSB_LITE_RESTORE: let the running element go on with a new tail, then
 *	tell gvirt_csb_preempted(); or gvirt_csb_completed(), if it ends before
 * @GVIRT_CSB_PREEMPT: take the running element off the engine, then tell
 *	gvirt_csb_preempted(); or gvirt_csb_completed(), if it ends before
 * @GVIRT_CSB_CONTINUE: go on with the running list's second element
 * @GVIRT_CSB_FULL: both lists are in use: the submission is lost, as on the chip
 * @GVIRT_CSB_EMPTY: element 0 is not valid: the submission has no effect
 * @GVIRT_CSB_NONSENSE: no such event is possible now; nothing was changed (the
 *	caller's mistake)
 */
enum gvirt_csb_action {
	GVIRT_CSB_NONE,
	GVIRT_CSB_START,
	GVIRT_CSB_LITE_RESTORE,
	GVIRT_CSB_PREEMPT,
	GVIRT_CSB_CONTINUE,
	GVIRT_CSB_FULL,
	GVIRT_CSB_EMPTY,
	GVIRT_CSB_NONSENSE,
};

/**
 * struct gvirt_csb - A virtual port
 * @list: submissions, by number of the chip's two lists
 * @current_list: the list that runs or is to be started, or that ran last: 0 or 1
 * @element: 0: there is no such list; 1, 2: its element that is current
 * @started: the current element runs, as far as the guest knows
 * @waiting: the other list waits
 * @write: CSB entry written last, 0 to 5
 * @read: CSB entry that the guest says it read last, 0 to 7
 * @reason: event bits of the last switch, as EXECLIST_STATUS shows them
 * @entry: the CSB as the MMIO registers show it; upper half: context id
 */
struct gvirt_csb {
	struct gvirt_desc_list list[GVIRT_CSB_LISTS];
	u8 current_list;
	u8 element;
	bool started;
	bool waiting;
	u8 write;
	u8 read;
	u16 reason;
	u64 entry[GEN9_CSB_ENTRIES];
};

/**
 * struct gvirt_csb_out - What follows from an event
 * @action: enum gvirt_csb_action
 * @count: entries of @slot that hold; with any, a context-switch interrupt is due
 *	after they and then the write pointer have reached the guest's status page
 * @slot: CSB entries that were written, in order
 */
struct gvirt_csb_out {
	enum gvirt_csb_action action;
	u8 count;
	u8 slot[GVIRT_CSB_EVENTS_MAX];
};

/**
 * gvirt_csb_reset() - State after a reset of the engine
 * @csb: port; nothing runs or waits, and the first entry will be entry 0
 */
void gvirt_csb_reset(struct gvirt_csb *csb);

/**
 * gvirt_csb_sane() - Can this be the state of a port?
 * @csb: port, of a state that was loaded
 *
 * Return: false if a field is out of range or fields contradict each other.
 */
bool gvirt_csb_sane(const struct gvirt_csb *csb);

/**
 * gvirt_csb_submit() - The guest has submitted a list
 * @csb: port
 * @list: the list
 *
 * Return: what to do; there is no CSB entry yet.
 */
struct gvirt_csb_out gvirt_csb_submit(struct gvirt_csb *csb, const struct gvirt_desc_list *list);

/**
 * gvirt_csb_started() - The current element has got the idle engine
 * @csb: port
 *
 * Return: "idle to active", and what a list that waits asks for.
 */
struct gvirt_csb_out gvirt_csb_started(struct gvirt_csb *csb);

/**
 * gvirt_csb_completed() - The running element has carried out all its commands
 * @csb: port
 *
 * Return: "complete" with "element switch" or "active to idle", and what is next.
 */
struct gvirt_csb_out gvirt_csb_completed(struct gvirt_csb *csb);

/**
 * gvirt_csb_preempted() - The waiting list has taken the place of the running element
 * @csb: port
 *
 * Also for a lite restore, where the same context goes on.
 *
 * Return: "preempted", with "lite restore" if it was one.
 */
struct gvirt_csb_out gvirt_csb_preempted(struct gvirt_csb *csb);

/**
 * gvirt_csb_current() - The element that runs or is to be started
 * @csb: port
 *
 * Return: its descriptor, NULL if there is none.
 */
const struct gvirt_desc *gvirt_csb_current(const struct gvirt_csb *csb);

/**
 * gvirt_csb_waiting() - The list that waits
 * @csb: port
 *
 * Return: the list, NULL if there is none.
 */
const struct gvirt_desc_list *gvirt_csb_waiting(const struct gvirt_csb *csb);

/**
 * gvirt_csb_status() - What EXECLIST_STATUS reads
 * @csb: port
 *
 * Return: lower half: flags; upper half: id of the running context.
 */
u64 gvirt_csb_status(const struct gvirt_csb *csb);

/**
 * gvirt_csb_pointer() - What RING_CONTEXT_STATUS_PTR reads
 * @csb: port
 *
 * Return: read pointer in bits 10:8, write pointer in bits 2:0.
 */
u32 gvirt_csb_pointer(const struct gvirt_csb *csb);

/**
 * gvirt_csb_write_pointer() - The guest writes RING_CONTEXT_STATUS_PTR
 * @csb: port
 * @value: value written; its upper half selects the bits
 *
 * i915 sets both pointers after a reset. A write pointer that no entry has is
 * taken for the last entry, so that the next one is entry 0.
 */
void gvirt_csb_write_pointer(struct gvirt_csb *csb, u32 value);

#endif
