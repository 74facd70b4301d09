/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of submission share. Others use submit.h.
 */
#ifndef GVIRT_MODEL_SUBMIT_PRIVATE_H
#define GVIRT_MODEL_SUBMIT_PRIVATE_H

#include "submit.h"

/* submit_event.c */

/* What the scheduler calls, with a port. */
extern const struct gvirt_sched_ops gvirt_port_sched_ops;

/**
 * gvirt_port_handle_reports() - Tell the guest of interrupts and errors that the engine reported
 * @port: which
 *
 * Called with @exec, without the vGPU's lock.
 */
void gvirt_port_handle_reports(struct gvirt_port *port);

/**
 * gvirt_port_handle_events() - Look at what the scheduler told since the last time
 * @port: which
 *
 * Called with @exec, without the vGPU's lock.
 */
void gvirt_port_handle_events(struct gvirt_port *port);

/**
 * gvirt_port_started() - The list that comes next is in force
 * @port: which
 *
 * Called with @exec, without the vGPU's lock.
 */
void gvirt_port_started(struct gvirt_port *port);

/**
 * gvirt_port_stuck_locked() - Does the engine, as its guest sees it, hang on a refused context?
 * @port: which
 *
 * Called with the vGPU's lock.
 *
 * Return: true if so.
 */
bool gvirt_port_stuck_locked(const struct gvirt_port *port);

/**
 * gvirt_port_list_put() - A list does not have an element any more
 * @list: which
 * @n: of the element, which is there
 *
 * Called with @exec.
 */
void gvirt_port_list_put(struct gvirt_port_list *list, unsigned int n);

/**
 * gvirt_port_settle() - No list has a context any more: bring its state to its guest
 * @port: where it was
 * @context: which
 * @why: why it left
 *
 * Called with @exec, without the vGPU's lock.
 */
void gvirt_port_settle(struct gvirt_port *port, struct gvirt_vcontext *context,
		       enum gvirt_left why);

/**
 * gvirt_port_note_lost() - Note for the operator where a context stood that is lost
 * @port: where it was
 * @context: which
 *
 * Called with @exec, without the vGPU's lock.
 */
void gvirt_port_note_lost(struct gvirt_port *port, const struct gvirt_vcontext *context);

/* submit_list.c */

/**
 * gvirt_port_next_list() - Give the scheduler the guest's next list, if it can take one
 * @port: which
 *
 * Called with @exec, without the vGPU's lock. Sleeps, when contexts have to leave the engine first.
 */
void gvirt_port_next_list(struct gvirt_port *port);

/* submit_guest.c */

/**
 * gvirt_port_publish() - Tell the guest of an event of its port
 * @port: which
 * @out: what follows from the event
 * @more: GVIRT_IRQ_*, interrupts besides that of a context switch
 *
 * Called with @exec, without the vGPU's lock.
 */
void gvirt_port_publish(struct gvirt_port *port, const struct gvirt_csb_out *out, u32 more);

/**
 * gvirt_port_interrupt() - Events of the engine, as far as the guest wants to know
 * @port: which
 * @events: GVIRT_IRQ_*
 *
 * Called without the vGPU's lock.
 */
void gvirt_port_interrupt(struct gvirt_port *port, u32 events);

/**
 * gvirt_port_show_error() - The engine reported errors
 * @port: which
 * @eir: bits of its EIR
 *
 * Called without the vGPU's lock.
 */
void gvirt_port_show_error(struct gvirt_port *port, u32 eir);

/**
 * gvirt_port_show_ring_locked() - Ring registers show a context
 * @port: which
 * @context: the one that has the engine, or had it last
 *
 * Called with @exec and the vGPU's lock.
 */
void gvirt_port_show_ring_locked(struct gvirt_port *port, const struct gvirt_vcontext *context);

/* submit_state.c */

/**
 * gvirt_port_note_ranges() - The contexts that may run have changed
 * @port: which
 *
 * Called with @exec, without the vGPU's lock.
 */
void gvirt_port_note_ranges(struct gvirt_port *port);

/**
 * gvirt_port_keep_state() - An engine was reset while it had a context
 * @port: of which
 * @context: which
 *
 * Called by who reset it, before the engine does anything else; without locks.
 */
void gvirt_port_keep_state(struct gvirt_port *port, const struct gvirt_context *context);

/**
 * gvirt_port_quote_batch() - Copy the commands of the guest's batch that an engine hung in
 * @port: of which, before gvirt_port_show_lost()
 * @context: which the engine does not have any more
 * @excerpt: gets them; none, if it did not stand in a batch without privilege
 *
 * Called with @exec, without the vGPU's lock. What the guest has written there meanwhile is not
 * what the engine found.
 *
 * Return: graphics address of the first one.
 */
u64 gvirt_port_quote_batch(struct gvirt_port *port, const struct gvirt_vcontext *context,
			   struct gvirt_excerpt *excerpt);

/**
 * gvirt_port_show_lost() - Registers show what the engine was doing when it was reset
 * @port: which
 *
 * Called with @exec, without the vGPU's lock.
 */
void gvirt_port_show_lost(struct gvirt_port *port);

#endif
