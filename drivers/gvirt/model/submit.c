// SPDX-License-Identifier: GPL-2.0-only
/*
 * Virtual ports: see submit.h.
 *
 * Three views of a port are kept apart, and moved on in this order:
 *
 *	the guest's	@csb: two lists, entries, status
 *	ours		@force and @next: the shadows of the list that the scheduler has
 *			and of the one that it is to take
 *	the chip's	the scheduler's business
 *
 * The scheduler's calls only note what happened and queue the work item, since the
 * work item, and whoever resets the port, wait for the scheduler. Events are looked
 * at in their order:
 *
 *	a context left, complete	the guest's running element is complete
 *	a context left, preempted	(the list that took its place is in force soon)
 *	a context left, lost		the engine hangs, as its guest sees it
 *	the list is in force		it started, or it took the running one's place
 *
 * A context that is refused gets the engine, as its guest sees it, and hangs there
 * with an error, which is what the chip does with commands that it cannot execute. So
 * the guest's driver finds the guilty one and resets the engine.
 */
#include <linux/cleanup.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_lrc.h>
#include "hw/gpu.h"
#include "submit.h"
#include "submit_private.h"
#include "switch.h"
#include "trace.h"

/* How long contexts may take to leave an engine that their guest resets, since they hang. */
#define RESET_YIELD_MS	10

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

static const struct gvirt_sched_ops sched_ops = {
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

static void list_put(struct gvirt_port_list *list, unsigned int n)
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
			list_put(&port->force, n);
	port->force = port->next;
	port->next = (struct gvirt_port_list) { };
	port->submitted = false;
}

/* Hangs on a context that was refused. */
static bool is_stuck_locked(const struct gvirt_port *port)
{
	const struct gvirt_csb *csb = &port->csb;

	return csb->started && port->refused[csb->current_list][csb->element - 1];
}

/* As the chip tells of a command that it cannot execute. */
static void tell_if_stuck(struct gvirt_port *port)
{
	bool stuck;

	scoped_guard(mutex, port->submit->parts.lock)
		stuck = is_stuck_locked(port);
	if (stuck)
		gvirt_port_show_error(port, GEN9_ERROR_INSTRUCTION);
}

static void started(struct gvirt_port *port)
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
static void settle(struct gvirt_port *port, struct gvirt_vcontext *context, enum gvirt_left why)
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
static void note_lost(struct gvirt_port *port, const struct gvirt_vcontext *context)
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
		list_put(list, n);
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
		note_lost(port, context);
	if (!context->lists)
		settle(port, context, why);
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

static void handle_events(struct gvirt_port *port)
{
	struct gvirt_port_event event;

	while (next_event(port, &event)) {
		if (event.kind == GVIRT_PORT_TAKEN)
			started(port);
		else
			left(port, event.context, event.why);
	}
}

static void handle_reports(struct gvirt_port *port)
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

/* Preparing lists. */

/* Takes what is in force off the engine, although no other list is there for it. */
static void take_off(struct gvirt_port *port)
{
	struct gvirt_vcontext *context;
	unsigned int n;

	gvirt_sched_cancel(&port->slot, GVIRT_SCHED_YIELD_MS);
	/* What was complete before, or lost by it. */
	handle_events(port);
	for (n = 0; n < GVIRT_ELSP_ELEMENTS; n++) {
		context = port->force.context[n];
		if (!context)
			continue;
		list_put(&port->force, n);
		settle(port, context, GVIRT_LEFT_PREEMPTED);
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
			list_put(&port->next, n);
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
		started(port);
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
	else if (csb->waiting && !is_stuck_locked(port))
		*n = !csb->current_list;
	else
		return false;
	*list = csb->list[*n];
	return true;
}

static bool is_idle(const struct gvirt_submit *submit)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (submit->port[i].submitted || submit->port[i].force.context[0] ||
		    submit->port[i].force.context[1])
			return false;
	return true;
}

static void work(struct work_struct *item)
{
	struct gvirt_port *port = container_of(item, struct gvirt_port, work);
	struct gvirt_desc_list list;
	unsigned int n;

	guard(mutex)(port->submit->parts.exec);
	handle_reports(port);
	handle_events(port);
	if (port->added && !port->hung && !port->submitted && find_list(port, &n, &list)) {
		memset(port->refused[n], 0, sizeof(port->refused[n]));
		start_list(port, n, &list);
	}
	if (is_idle(port->submit))
		gvirt_vppgtt_trim(port->submit->parts.vppgtt);
}

u64 gvirt_submit_ran_ns(struct gvirt_submit *submit)
{
	struct gvirt_sched_stats stats;
	u64 most = 0;
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		if (!submit->port[i].added)
			continue;
		gvirt_sched_read_stats(&submit->port[i].slot, &stats);
		most = max(most, stats.ran_ns);
	}
	return most;
}

/* Reset. */

/* The shadows' work is forgotten, wherever it was. */
static void lose_list(struct gvirt_port *port, struct gvirt_port_list *list)
{
	struct gvirt_vcontext *context;
	unsigned int n;

	for (n = 0; n < GVIRT_ELSP_ELEMENTS; n++) {
		context = list->context[n];
		if (!context)
			continue;
		list_put(list, n);
		if (!context->lists)
			gvirt_vcontext_lost(&port->submit->contexts, context);
	}
}

/* The scheduler has nothing of the port's any more. */
static void clear_port(struct gvirt_port *port)
{
	scoped_guard(spinlock, &port->events_lock) {
		port->events = 0;
		port->eir = 0;
	}
	lose_list(port, &port->force);
	lose_list(port, &port->next);
	port->submitted = false;
	port->hung = false;
	memset(port->refused, 0, sizeof(port->refused));
	guard(mutex)(port->submit->parts.lock);
	port->elsp = (struct gvirt_elsp) { };
	gvirt_csb_reset(&port->csb);
}

/* What the scheduler told of, and nobody has looked at yet. */
static const struct gvirt_vcontext *find_lost(struct gvirt_port *port)
{
	unsigned int i;

	guard(spinlock)(&port->events_lock);
	for (i = 0; i < port->events; i++)
		if (port->event[i].kind == GVIRT_PORT_LEFT &&
		    port->event[i].why == GVIRT_LEFT_LOST)
			return port->event[i].context;
	return NULL;
}

static void reset_port(struct gvirt_port *port)
{
	const struct gvirt_vcontext *lost;

	if (port->added && gvirt_sched_cancel(&port->slot, RESET_YIELD_MS)) {
		lost = find_lost(port);
		if (lost)
			note_lost(port, lost);
	}
	port->stats.resets++;
	clear_port(port);
}

void gvirt_submit_reset_locked(struct gvirt_submit *submit, u32 engines)
{
	unsigned int i;

	lockdep_assert_held(submit->parts.exec);
	trace_gvirt_vgpu_reset(submit->parts.name, engines);
	for (i = 0; i < GVIRT_ENGINES; i++)
		if (engines & BIT(i))
			reset_port(&submit->port[i]);
}

/* What it does not find in the tables any more, no context of the guest may reach. */
void gvirt_submit_sync_locked(struct gvirt_submit *submit)
{
	struct gvirt_vcontext *context;

	lockdep_assert_held(submit->parts.exec);
	list_for_each_entry(context, &submit->contexts.list, link)
		if (context->lists)
			gvirt_vcontext_sync(&submit->contexts, context);
	gvirt_vppgtt_trim(submit->parts.vppgtt);
}

void gvirt_submit_drop_locked(struct gvirt_submit *submit)
{
	lockdep_assert_held(submit->parts.exec);
	gvirt_vcontexts_reset(&submit->contexts);
}

/* Life. */

static void init_port(struct gvirt_submit *submit, enum gvirt_engine_id engine)
{
	struct gvirt_port *port = &submit->port[engine];

	port->submit = submit;
	port->engine = engine;
	spin_lock_init(&port->events_lock);
	INIT_WORK(&port->work, work);
	gvirt_csb_reset(&port->csb);
}

static void init_contexts(struct gvirt_submit *submit)
{
	struct gvirt_vcontexts *contexts = &submit->contexts;
	struct gvirt_gpu *gpu = submit->parts.gpu;
	unsigned int i;
	size_t size;

	*contexts = (struct gvirt_vcontexts) {
		.services = &submit->services->contexts,
		.data = submit->data,
		.ggtt = &gpu->ggtt,
		.scratch = &gpu->scratch,
		.scan = &submit->scan,
		.window = submit->parts.window,
		.vppgtt = submit->parts.vppgtt,
	};
	INIT_LIST_HEAD(&contexts->list);
	INIT_LIST_HEAD(&contexts->stashes);
	for (i = 0; i < GVIRT_ENGINES; i++)
		if (gpu->engine[i])
			contexts->golden[i] = gvirt_check_image(&gpu->check[i], &size);
}

int gvirt_submit_init(struct gvirt_submit *submit, const struct gvirt_submit_parts *parts,
		      const struct gvirt_submit_services *services, void *data)
{
	unsigned int i;
	int err;

	submit->parts = *parts;
	submit->services = services;
	submit->data = data;
	gvirt_shares_init(&submit->shares);
	init_contexts(submit);
	err = gvirt_scan_init(&submit->scan, &parts->gpu->ggtt, parts->window,
			      &services->scan, data);
	if (err)
		return err;
	submit->contexts.before = (u32 *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!submit->contexts.before)
		return -ENOMEM;
	for (i = 0; i < GVIRT_ENGINES; i++)
		init_port(submit, i);
	return 0;
}

void gvirt_submit_fini(struct gvirt_submit *submit)
{
	if (!submit->services)
		return;
	gvirt_vcontexts_reset(&submit->contexts);
	free_page((unsigned long)submit->contexts.before);
	gvirt_scan_fini(&submit->scan);
	gvirt_shares_fini(&submit->shares);
	submit->services = NULL;
}

int gvirt_submit_start(struct gvirt_submit *submit)
{
	struct gvirt_sched *sched;
	struct gvirt_port *port;
	unsigned int i;
	int err;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		sched = gvirt_scheds_engine(submit->parts.scheds, i);
		if (!sched)
			continue;
		port = &submit->port[i];
		err = gvirt_shares_add(&submit->shares, i, sched, &port->slot, &sched_ops, port);
		if (err) {
			gvirt_submit_stop(submit);
			return err;
		}
		port->added = true;
	}
	return 0;
}

static void stop_port(struct gvirt_port *port)
{
	guard(mutex)(port->submit->parts.exec);
	if (!port->added)
		return;
	port->added = false;
	gvirt_shares_remove(&port->submit->shares, port->engine);
	clear_port(port);
}

void gvirt_submit_stop(struct gvirt_submit *submit)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		stop_port(&submit->port[i]);
		cancel_work_sync(&submit->port[i].work);
	}
}
