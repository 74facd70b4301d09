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
 * Here are a port's life and its work item; submit_list.c brings a list from the guest to
 * the scheduler, submit_event.c brings back what becomes of it, submit_guest.c and
 * submit_state.c are what the guest finds of both.
 */
#include <linux/cleanup.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "hw/gpu.h"
#include "submit.h"
#include "submit_private.h"
#include "trace.h"

/* How long contexts may take to leave an engine that their guest resets, since they hang. */
#define RESET_YIELD_MS	10

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

	guard(mutex)(port->submit->parts.exec);
	gvirt_port_handle_reports(port);
	gvirt_port_handle_events(port);
	gvirt_port_next_list(port);
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
		gvirt_port_list_put(list, n);
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
			gvirt_port_note_lost(port, lost);
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
		err = gvirt_shares_add(&submit->shares, i, sched, &port->slot,
				       &gvirt_port_sched_ops, port);
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
