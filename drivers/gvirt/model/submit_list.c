// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preparing what a guest has submitted: from its list to shadows that the scheduler gets.
 *
 * A context that is refused gets the engine, as its guest sees it, and hangs there
 * with an error, which is what the chip does with commands that it cannot execute. So
 * the guest's driver finds the guilty one and resets the engine.
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_lrc.h>
#include "hw/gpu.h"
#include "submit_private.h"
#include "trace.h"

static void refused(struct gvirt_port *port, const struct gvirt_refusal *refusal)
{
	struct gvirt_submit *submit = port->submit;

	trace_gvirt_refused(submit->parts.name, port->engine, gvirt_refused_name(refusal->why),
			    refusal->detail, refusal->value, refusal->at);
	scoped_guard(mutex, submit->parts.lock) {
		submit->refusals[refusal->why]++;
		gvirt_fault_refuse(&submit->faults, port->engine, refusal, &submit->scan.excerpt);
		if (refusal->why == GVIRT_REFUSED_COMMAND)
			gvirt_vmmio_set(submit->parts.vmmio,
					gvirt_engine_base(port->engine) + GEN9_RING_IPEHR,
					refusal->value);
	}
	submit->scan.excerpt.count = 0;
	submit->services->refused(submit->data, port->engine, refusal);
}

/* Preparing lists. */

/* Takes what is in force off the engine, although no other list is there for it. */
static void take_off(struct gvirt_port *port)
{
	struct gvirt_vcontext *context;
	unsigned int n;

	gvirt_sched_cancel(&port->slot, GVIRT_SCHED_YIELD_MS);
	/* What was complete before, or lost by it. */
	gvirt_port_handle_events(port);
	for (n = 0; n < GVIRT_ELSP_ELEMENTS; n++) {
		context = port->force.context[n];
		if (!context)
			continue;
		gvirt_port_list_put(&port->force, n);
		gvirt_port_settle(port, context, GVIRT_LEFT_PREEMPTED);
	}
}

static int check_desc(struct gvirt_port *port, const struct gvirt_desc_list *list, unsigned int n,
		      struct gvirt_refusal *refusal)
{
	enum gvirt_lrc_kind kind = port->engine == GVIRT_RCS ? GVIRT_LRC_RENDER : GVIRT_LRC_MEDIA;
	enum gvirt_desc_fault fault = gvirt_desc_check(list, n, gvirt_lrc_image_size(kind),
						       BIT_ULL(GEN9_GGTT_BITS));

	if (!fault)
		return 0;
	*refusal = (struct gvirt_refusal) {
		.why = GVIRT_REFUSED_DESCRIPTOR,
		.detail = fault,
		.value = list->element[n].lo,
	};
	return -EACCES;
}

static int prepare_context(struct gvirt_port *port, struct gvirt_vcontext *context,
			   const struct gvirt_desc *desc)
{
	struct gvirt_vcontexts *contexts = &port->submit->contexts;
	u32 status, gamw;

	scoped_guard(mutex, port->submit->parts.lock) {
		status = gvirt_vmmio_get(port->submit->parts.vmmio,
					 gvirt_engine_base(port->engine) + GEN9_RING_HWS_PGA);
		gamw = gvirt_vmmio_get(port->submit->parts.vmmio, GEN9_GAMW_ECO_DEV_RW_IA);
	}
	gvirt_vppgtt_set_64k(contexts->vppgtt,
			     (gamw & GEN9_GAMW_IPS_64K) == GEN9_GAMW_IPS_64K);
	if (!context->lists)
		return gvirt_vcontext_load(contexts, context, desc, status);
	if (desc->lo & GEN9_CTX_DESC_FORCE_RESTORE)
		return -EAGAIN;
	return gvirt_vcontext_extend(contexts, context, status);
}

/* Puts the shadow of an element into @next; -EAGAIN: the engine has to let go of it first. */
static int prepare_element(struct gvirt_port *port, const struct gvirt_desc_list *list,
			   unsigned int n, struct gvirt_refusal *refusal)
{
	struct gvirt_vcontexts *contexts = &port->submit->contexts;
	const struct gvirt_desc *desc = &list->element[n];
	struct gvirt_vcontext *context;
	int err;

	err = check_desc(port, list, n, refusal);
	if (err)
		return err;
	context = gvirt_vcontext_get(contexts, port->engine, gvirt_desc_lrca(desc));
	err = context ? prepare_context(port, context, desc) : -EACCES;
	if (err) {
		*refusal = contexts->refusal;
		return err;
	}
	port->next.context[n] = context;
	context->lists++;
	return 0;
}

static void drop_next(struct gvirt_port *port)
{
	unsigned int n;

	for (n = 0; n < GVIRT_ELSP_ELEMENTS; n++)
		if (port->next.context[n])
			gvirt_port_list_put(&port->next, n);
}

/* Gives the first element that is refused, or GVIRT_ELSP_ELEMENTS; -EAGAIN: nothing was done. */
static int try_list(struct gvirt_port *port, const struct gvirt_desc_list *list,
		    struct gvirt_refusal *refusal)
{
	int n, err;

	for (n = 0; n < GVIRT_ELSP_ELEMENTS; n++) {
		if (n && !gvirt_desc_valid(&list->element[n]))
			continue;
		err = prepare_element(port, list, n, refusal);
		if (err == -EAGAIN)
			drop_next(port);
		if (err)
			return err == -EAGAIN ? err : n;
	}
	return n;
}

/* Likewise; -EAGAIN: the engine hangs. */
static int prepare_list(struct gvirt_port *port, const struct gvirt_desc_list *list,
			struct gvirt_refusal *refusal)
{
	int bad = try_list(port, list, refusal);

	if (bad != -EAGAIN)
		return bad;
	take_off(port);
	/* With nothing on the engine there is nothing to wait for. */
	return port->hung ? -EAGAIN : try_list(port, list, refusal);
}

static int give_to_scheduler(struct gvirt_port *port, struct gvirt_refusal *refusal)
{
	struct gvirt_vcontext *first = port->next.context[0], *second = port->next.context[1];
	int err;

	gvirt_port_note_ranges(port);
	/* Before the engine may have it, which is traced too. */
	trace_gvirt_queued(port->submit->parts.name, port->engine, first->lrca,
			   second ? second->lrca : 0);
	err = gvirt_sched_submit(&port->slot, &first->hw, second ? &second->hw : NULL);
	if (!err) {
		port->submitted = true;
		port->stats.contexts += second ? 2 : 1;
		return 0;
	}
	drop_next(port);
	*refusal = (struct gvirt_refusal) { .why = GVIRT_REFUSED_ENGINE, .detail = -err };
	return err;
}

/* It is a list whose first context does not run: it takes the engine, and hangs there. */
static void start_refused(struct gvirt_port *port)
{
	take_off(port);
	if (!port->hung)
		gvirt_port_started(port);
}

static void start_list(struct gvirt_port *port, unsigned int n, const struct gvirt_desc_list *list)
{
	struct gvirt_refusal refusal = { };
	int bad = prepare_list(port, list, &refusal);

	if (bad < 0)
		return;
	if (bad && give_to_scheduler(port, &refusal))
		bad = 0;
	if (bad >= GVIRT_ELSP_ELEMENTS)
		return;
	refused(port, &refusal);
	port->refused[n][bad] = true;
	if (!bad)
		start_refused(port);
}

/* The list that the scheduler is to get next. */
static bool find_list(struct gvirt_port *port, unsigned int *n, struct gvirt_desc_list *list)
{
	const struct gvirt_csb *csb = &port->csb;

	guard(mutex)(port->submit->parts.lock);
	if (csb->element && !csb->started)
		*n = csb->current_list;
	else if (csb->waiting && !gvirt_port_stuck_locked(port))
		*n = !csb->current_list;
	else
		return false;
	*list = csb->list[*n];
	return true;
}

void gvirt_port_next_list(struct gvirt_port *port)
{
	struct gvirt_desc_list list;
	unsigned int n;

	if (!port->added || port->hung || port->submitted || !find_list(port, &n, &list))
		return;
	memset(port->refused[n], 0, sizeof(port->refused[n]));
	start_list(port, n, &list);
}
