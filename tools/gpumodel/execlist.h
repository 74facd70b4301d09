/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The execlist unit: two lists of two contexts, and the context status buffer.
 *
 * Pure: no time, locks or memory of others. The engine asks what to do next,
 * does it, and writes the events it is given where software sees them.
 */
#ifndef GM_EXECLIST_H
#define GM_EXECLIST_H

#include <linux/types.h>
#include <gvirt/gen9_lrc.h>

#define GM_EXECLIST_LISTS	2
#define GM_EXECLIST_ELEMENTS	2

/**
 * struct gm_csb_event - One context status event
 * @status: GEN9_CSB_* bits
 * @context_id: of the context that left the engine, 0 where none did
 */
struct gm_csb_event {
	u32 status;
	u32 context_id;
};

/**
 * struct gm_execlist - State of the unit
 * @list: descriptors of the two lists; 0 where there is no element
 * @current: the list that runs, when @active
 * @element: the element of @current that runs
 * @active: a list runs
 * @starting: it was submitted to an idle unit, and the engine has not yet got to it
 * @pending: the other list waits; only when @active
 * @last: status of the last event
 * @port: dwords written to the submit port so far
 * @port_count: how many of them
 */
struct gm_execlist {
	u64 list[GM_EXECLIST_LISTS][GM_EXECLIST_ELEMENTS];
	unsigned int current;
	unsigned int element;
	bool active;
	bool starting;
	bool pending;
	u32 last;
	u32 port[GM_EXECLIST_ELEMENTS * 2];
	unsigned int port_count;
};

/**
 * enum gm_execlist_submit - How a submission was taken
 * @GM_SUBMIT_OK: it runs or waits
 * @GM_SUBMIT_MORE: not all dwords have been written yet
 * @GM_SUBMIT_FULL: both lists are taken; dropped
 * @GM_SUBMIT_INVALID: the first element is not valid, or a descriptor has
 *	reserved bits or an address mode that the chip does not run; dropped
 * @GM_SUBMIT_TWICE: both elements are one context; the second was dropped
 */
enum gm_execlist_submit {
	GM_SUBMIT_OK,
	GM_SUBMIT_MORE,
	GM_SUBMIT_FULL,
	GM_SUBMIT_INVALID,
	GM_SUBMIT_TWICE,
};

/**
 * enum gm_execlist_step - What the engine has to do for a submission
 * @GM_STEP_NONE: nothing
 * @GM_STEP_START: start the first element of a list that came to an idle unit
 * @GM_STEP_LITE: take the list that waits; its first element is what runs:
 *	only the tail is read again
 * @GM_STEP_PREEMPT: take the list that waits; what runs has to leave
 */
enum gm_execlist_step {
	GM_STEP_NONE,
	GM_STEP_START,
	GM_STEP_LITE,
	GM_STEP_PREEMPT,
};

void gm_execlist_reset(struct gm_execlist *el);

/**
 * gm_execlist_write() - One dword is written to the submit port; the fourth submits
 * @el: the unit
 * @value: the dword: upper half of element 1, lower half, the same of element 0
 *
 * Return: how it was taken.
 */
enum gm_execlist_submit gm_execlist_write(struct gm_execlist *el, u32 value);

/* Descriptor of the element that runs or starts; 0: none. */
u64 gm_execlist_running(const struct gm_execlist *el);
/* Descriptor of the first element of the list that waits; 0: none. */
u64 gm_execlist_pending_first(const struct gm_execlist *el);
/* What the engine has to do for a submission. */
enum gm_execlist_step gm_execlist_next(const struct gm_execlist *el);

/**
 * gm_execlist_take() - The engine does what gm_execlist_next() says
 * @el: the unit; the step is not GM_STEP_NONE
 *
 * Return: the event that goes with it.
 */
struct gm_csb_event gm_execlist_take(struct gm_execlist *el);

/**
 * gm_execlist_leave() - What runs leaves by itself; the next element runs, if any
 * @el: the unit, active
 * @reason: GEN9_CSB_COMPLETE, or GEN9_CSB_WAIT_* where it would have to wait
 *
 * Return: the event that goes with it.
 */
struct gm_csb_event gm_execlist_leave(struct gm_execlist *el, u32 reason);

/* EXECLIST_STATUS: id in the upper dword; without the arbitration bit. */
u64 gm_execlist_status(const struct gm_execlist *el);

/**
 * struct gm_csb - The context status buffer's registers
 * @entry: the entries, id in the upper dword
 * @unread: it was written, and software has not been seen to read it
 * @write: the last entry written
 * @read: the last entry read, as software wrote it
 */
struct gm_csb {
	u64 entry[GEN9_CSB_ENTRIES];
	bool unread[GEN9_CSB_ENTRIES];
	unsigned int write;
	unsigned int read;
};

void gm_csb_reset(struct gm_csb *csb);
/* Index of the entry that the next event goes to. */
unsigned int gm_csb_next(const struct gm_csb *csb);
/* Fill in entry @index, below GEN9_CSB_ENTRIES; gm_csb_advance() publishes it. */
void gm_csb_store(struct gm_csb *csb, unsigned int index, struct gm_csb_event event);
/* Entry @index is the last one written now. */
void gm_csb_advance(struct gm_csb *csb, unsigned int index);
/* RING_CONTEXT_STATUS_PTR. */
u32 gm_csb_pointer(const struct gm_csb *csb);
/* Software wrote RING_CONTEXT_STATUS_PTR; @value has the write mask applied. */
void gm_csb_set_pointer(struct gm_csb *csb, u32 value);

#endif
