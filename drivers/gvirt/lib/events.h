/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an entry of the chip's context status buffer says, given what was known before;
 * also if it, or one before it, is not what it should be.
 */
#ifndef GVIRT_LIB_EVENTS_H
#define GVIRT_LIB_EVENTS_H

#include <linux/types.h>

/* Contexts in a list. */
#define GVIRT_LIST_ELEMENTS	2

/**
 * struct gvirt_event_lists - The chip's two lists, as far as its entries told
 * @active: ids of the list that runs, element 0 is the one that runs now; 0: none
 * @pending: ids of the list that waits; 0: none
 */
struct gvirt_event_lists {
	u32 active[GVIRT_LIST_ELEMENTS];
	u32 pending[GVIRT_LIST_ELEMENTS];
};

/**
 * enum gvirt_event_step - What happened to the lists
 * @GVIRT_EVENT_NOTHING: nothing that is known
 * @GVIRT_EVENT_TAKEN: the pending list runs, on an engine that was idle
 * @GVIRT_EVENT_PREEMPTED: the active list made way for the pending one
 * @GVIRT_EVENT_REPLACED: its element 0 was complete, and the pending list took its place
 * @GVIRT_EVENT_SWITCHED: its element 0 was complete, the other one runs
 * @GVIRT_EVENT_ENDED: the active list is complete, the engine is idle
 */
enum gvirt_event_step {
	GVIRT_EVENT_NOTHING,
	GVIRT_EVENT_TAKEN,
	GVIRT_EVENT_PREEMPTED,
	GVIRT_EVENT_REPLACED,
	GVIRT_EVENT_SWITCHED,
	GVIRT_EVENT_ENDED,
};

/**
 * struct gvirt_event - A step of the lists
 * @step: which
 * @odd: the entry is not what was due
 * @missed: the step was not told: the entry says something that can only be after it, and
 *	is to be judged again
 */
struct gvirt_event {
	enum gvirt_event_step step;
	bool odd;
	bool missed;
};

/**
 * gvirt_event_judge() - Judge an entry
 * @lists: what was known before it
 * @entry: status in its lower half, id of a context in the upper one
 *
 * After a step that was missed, to be called again with the lists that follow; that happens
 * three times at most.
 *
 * Return: what happened.
 */
struct gvirt_event gvirt_event_judge(const struct gvirt_event_lists *lists, u64 entry);

/**
 * gvirt_event_find() - Find a step that no entry told, when none has come for long
 * @lists: what is known
 * @status: the chip's EXECLIST_STATUS, both halves
 * @active_done: the images of the active list say that it ran to its end
 * @pending_done: likewise of the pending list
 *
 * Return: the step; GVIRT_EVENT_NOTHING when the lists are as the chip says, or when nothing
 * can be said for certain.
 */
enum gvirt_event_step gvirt_event_find(const struct gvirt_event_lists *lists, u64 status,
				       bool active_done, bool pending_done);

/**
 * gvirt_event_owed() - The entry that would have told a step that was found without it
 * @lists: what was known before the step
 * @step: of gvirt_event_find(), not GVIRT_EVENT_NOTHING
 *
 * Return: what it says at least, as far as gvirt_event_pays() needs it; never 0.
 */
u64 gvirt_event_owed(const struct gvirt_event_lists *lists, enum gvirt_event_step step);

/**
 * gvirt_event_pays() - Has an entry that was owed come, so that it tells nothing new?
 * @entry: status in its lower half, id of a context in the upper one
 * @owed: of gvirt_event_owed(); 0: none was
 *
 * Return: true if so.
 */
bool gvirt_event_pays(u64 entry, u64 owed);

#endif
