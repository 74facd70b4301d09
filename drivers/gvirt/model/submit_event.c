// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the scheduler tells of a port's contexts, and what its guest is told then.
 *
 * The scheduler's calls only note what happened and queue the work item, since the
 * work item, and whoever resets the port, wait for the scheduler. Events are looked
 * at in their order:
 *
 *	a context left, complete	the guest's running element is complete
 *	a context left, preempted	(the list that took its place is in force soon)
 *	a context left, lost		the engine hangs, as its guest sees it
 *	the list is in force		it started, or it took the running one's place
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <gvirt/gen9_engine.h>
#include "hw/gpu.h"
#include "submit_private.h"
#include "switch.h"
#include "trace.h"

/* What the scheduler tells: only noted. */

static void note(struct gvirt_port *port, const struct gvirt_port_event *event)
{
	scoped_guard(spinlock, &port->events_lock) {
		/* Two lists cannot have more; our mistake, and no reason to write beyond. */
		if (!WARN_ON_ONCE(port->events == GVIRT_PORT_EVENTS))
			port->event[port->events++] = *event;
	}
	queue_work(port->submit->parts.gpu->queue, &port->work);
}

static void on_taken(void *data)
{
	const struct gvirt_port *port = data;

	trace_gvirt_taken(port->submit->parts.name, port->engine);
	note(data, &(struct gvirt_port_event) { .kind = GVIRT_PORT_TAKEN });
}

static void on_left(void *data, struct gvirt_context *context, enum gvirt_left why)
{
	struct gvirt_vcontext *shadow = container_of(context, struct gvirt_vcontext, hw);
	const struct gvirt_port *port = data;

	trace_gvirt_left(port->submit->parts.name, port->engine, shadow->lrca, why);
	if (why == GVIRT_LEFT_LOST)
		gvirt_port_keep_state(data, context);
	note(data, &(struct gvirt_port_event) {
		.kind = GVIRT_PORT_LEFT,
		.why = why,
		.context = shadow,
	});
}

static void on_user(void *data, u32 events)
{
	struct gvirt_port *port = data;

	scoped_guard(spinlock, &port->events_lock)
		port->user |= events;
	queue_work(port->submit->parts.gpu->queue, &port->work);
}

static void on_error(void *data, u32 eir)
{
	struct gvirt_port *port = data;

	scoped_guard(spinlock, &port->events_lock)
		port->eir |= eir;
	queue_work(port->submit->parts.gpu->queue, &port->work);
}

static bool on_differs(void *data, void *from)
{
	const struct gvirt_port *port = data;
	const struct gvirt_submit_parts *parts = &port->submit->parts;

	if (!from)
		gvirt_switch_forget(parts->sw, port->engine);
	return gvirt_switch_differs(parts->sw, port->engine, parts->vmmio);
}

static void on_load(void *data)
{
	const struct gvirt_port *port = data;
	const struct gvirt_submit_parts *parts = &port->submit->parts;

	gvirt_switch_load(parts->sw, port->engine, parts->vmmio);
}

const struct gvirt_sched_ops gvirt_port_sched_ops = {
	.taken = on_taken,
	.left = on_left,
	.user = on_user,
	.error = on_error,
	.differs = on_differs,
	.load = on_load,
};

static bool next_event(struct gvirt_port *port, struct gvirt_port_event *event)
{
	guard(spinlock)(&port->events_lock);
	if (!port->events)
		return false;
	*event = port->event[0];
	port->events--;
	memmove(&port->event[0], &port->event[1], port->events * sizeof(port->event[0]));
	return true;
}

/* Events. */

void gvirt_port_list_put(struct gvirt_port_list *list, unsigned int n)
{
	list->context[n]->lists--;
	list->context[n] = NULL;
}

/* The list that was submitted takes the place of the one that was in force. */
static void advance_lists(struct gvirt_port *port)
{
	unsigned int n;

	for (n = 0; n < GVIRT_ELSP_ELEMENTS; n++)
		if (port->force.context[n])
			gvirt_port_list_put(&port->force, n);
	port->force = port->next;
	port->next = (struct gvirt_port_list) { };
	port->submitted = false;
}

/* Hangs on a context that was refused. */
bool gvirt_port_stuck_locked(const struct gvirt_port *port)
{
	const struct gvirt_csb *csb = &port->csb;

	return csb->started && port->refused[csb->current_list][csb->element - 1];
}

/* As the chip tells of a command that it cannot execute. */
static void tell_if_stuck(struct gvirt_port *port)
{
	bool stuck;

	scoped_guard(mutex, port->submit->parts.lock)
		stuck = gvirt_port_stuck_locked(port);
	if (stuck)
		gvirt_port_show_error(port, GEN9_ERROR_INSTRUCTION);
}

void gvirt_port_started(struct gvirt_port *port)
{
	struct gvirt_csb_out out;

	advance_lists(port);
	scoped_guard(mutex, port->submit->parts.lock) {
		out = port->csb.started ? gvirt_csb_preempted(&port->csb) :
					  gvirt_csb_started(&port->csb);
		if (port->force.context[0])
			gvirt_port_show_ring_locked(port, port->force.context[0]);
	}
	gvirt_port_publish(port, &out, 0);
	tell_if_stuck(port);
}

static void completed(struct gvirt_port *port, u32 interrupts)
{
	struct gvirt_csb_out out;
	unsigned int list;

	scoped_guard(mutex, port->submit->parts.lock) {
		list = port->csb.current_list;
		out = gvirt_csb_completed(&port->csb);
		/* The list's place is free for another one. */
		if (port->csb.element != 2)
			memset(port->refused[list], 0, sizeof(port->refused[list]));
	}
	gvirt_port_publish(port, &out, interrupts);
	tell_if_stuck(port);
}

/* Nobody has it any more. */
void gvirt_port_settle(struct gvirt_port *port, struct gvirt_vcontext *context, enum gvirt_left why)
{
	struct gvirt_submit *submit = port->submit;

	if (why == GVIRT_LEFT_LOST) {
		gvirt_vcontext_lost(&submit->contexts, context);
		return;
	}
	gvirt_vcontext_save(&submit->contexts, context);
	guard(mutex)(submit->parts.lock);
	gvirt_port_show_ring_locked(port, context);
}

/* For the operator: where it stood. */
void gvirt_port_note_lost(struct gvirt_port *port, const struct gvirt_vcontext *context)
{
	struct gvirt_submit *submit = port->submit;
	struct gvirt_fault_lost *lost = &submit->faults.lost;
	struct gvirt_excerpt batch;
	u64 batch_at;

	batch_at = gvirt_port_quote_batch(port, context, &batch);
	guard(mutex)(submit->parts.lock);
	gvirt_fault_lose(lost, submit->parts.gpu->engine[port->engine], &context->hw,
			 gvirt_vcontext_head(context), context->lrca);
	lost->batch = batch;
	lost->batch_at = batch_at;
}

static bool take_out(struct gvirt_port_list *list, const struct gvirt_vcontext *context)
{
	unsigned int n;

	for (n = 0; n < GVIRT_ELSP_ELEMENTS; n++) {
		if (list->context[n] != context)
			continue;
		gvirt_port_list_put(list, n);
		return true;
	}
	return false;
}

static void left(struct gvirt_port *port, struct gvirt_vcontext *context, enum gvirt_left why)
{
	/* The engine's own report can come too late to tell whose it was. */
	u32 interrupts = context->interrupts;
	bool forced = take_out(&port->force, context);
	bool known = forced;

	/* All that was submitted is lost, also what was not in force yet. */
	if (why == GVIRT_LEFT_LOST)
		known |= take_out(&port->next, context);
	if (!known) {
		port->stats.oddities++;
		return;
	}
	if (why == GVIRT_LEFT_LOST && forced)
		gvirt_port_note_lost(port, context);
	if (!context->lists)
		gvirt_port_settle(port, context, why);
	if (why == GVIRT_LEFT_LOST) {
		gvirt_port_show_lost(port);
		port->stats.lost++;
		port->hung = true;
		gvirt_port_show_error(port, GEN9_ERROR_INSTRUCTION);
	} else if (why == GVIRT_LEFT_COMPLETE) {
		completed(port, interrupts);
	} else if (interrupts) {
		gvirt_port_interrupt(port, interrupts);
	}
}

void gvirt_port_handle_events(struct gvirt_port *port)
{
	struct gvirt_port_event event;

	while (next_event(port, &event)) {
		if (event.kind == GVIRT_PORT_TAKEN)
			gvirt_port_started(port);
		else
			left(port, event.context, event.why);
	}
}

void gvirt_port_handle_reports(struct gvirt_port *port)
{
	u32 user, eir;

	scoped_guard(spinlock, &port->events_lock) {
		user = port->user;
		eir = port->eir;
		port->user = 0;
		port->eir = 0;
	}
	if (user)
		gvirt_port_interrupt(port, user);
	if (eir)
		gvirt_port_show_error(port, eir);
}
