/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Submission: from what a guest writes to an engine's port to what it is told of it.
 *
 * Each engine of a vGPU has a virtual port. A list that the guest submits is noted
 * at once, and all the rest happens in a work item of the port's: the contexts of
 * the list are prepared, the scheduler gets them, and what it tells of them becomes
 * entries in the guest's status page, registers and interrupts.
 */
#ifndef GVIRT_MODEL_SUBMIT_H
#define GVIRT_MODEL_SUBMIT_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include "context.h"
#include "fault.h"
#include "irq.h"
#include "lib/csb.h"
#include "lib/elsp.h"
#include "mmio.h"
#include "scan.h"
#include "sched.h"
#include "shares.h"

struct gvirt_gpu;
struct gvirt_switch;

/* More than the scheduler can tell of the contexts of two lists. */
#define GVIRT_PORT_EVENTS	16u

/**
 * enum gvirt_port_event_kind - What the scheduler told
 * @GVIRT_PORT_TAKEN: the list that was submitted is in force
 * @GVIRT_PORT_LEFT: a context left the engine
 */
enum gvirt_port_event_kind {
	GVIRT_PORT_TAKEN,
	GVIRT_PORT_LEFT,
};

/**
 * struct gvirt_port_event - Something that the scheduler told
 * @kind: enum gvirt_port_event_kind
 * @why: why the context left
 * @context: which
 */
struct gvirt_port_event {
	enum gvirt_port_event_kind kind;
	enum gvirt_left why;
	struct gvirt_vcontext *context;
};

/**
 * struct gvirt_port_list - Shadows of a list
 * @context: in order; NULL: none, or it has left
 */
struct gvirt_port_list {
	struct gvirt_vcontext *context[GVIRT_ELSP_ELEMENTS];
};

/* For all contexts of two lists: ring, two buffers of workarounds, copies of batches. */
#define GVIRT_PORT_RANGES	(2 * GVIRT_ELSP_ELEMENTS * (3 + GVIRT_SCAN_BATCHES))

/**
 * struct gvirt_port_range - GGTT addresses of the host that stand for the guest's
 * @host: the first one
 * @guest: what it stands for
 * @bytes: how many
 */
struct gvirt_port_range {
	u32 host;
	u32 guest;
	u32 bytes;
};

/**
 * struct gvirt_port_stats - What happened at a port
 * @submissions: lists
 * @overruns: lists that were lost, since two were there
 * @contexts: contexts that were brought to the engine
 * @switches: entries of the context status buffer
 * @lost: contexts that the engine was reset under
 * @resets: resets by the guest
 * @oddities: events that made no sense
 */
struct gvirt_port_stats {
	u64 submissions;
	u64 overruns;
	u64 contexts;
	u64 switches;
	u64 lost;
	u64 resets;
	u64 oddities;
};

/**
 * struct gvirt_port - A virtual engine's port
 * @submit: of which vGPU
 * @engine: which engine
 * @added: the scheduler has it
 * @elsp: writes that are no list yet; under the vGPU's lock
 * @csb: state of the port; under the vGPU's lock
 * @slot: place with the scheduler
 * @force: the list that is in force there
 * @next: the list that was submitted to it last, until it is in force
 * @submitted: @next holds
 * @hung: nothing goes on until the guest resets the engine
 * @refused: by list of @csb and element: the guest's context does not run
 * @range: where the commands are that may run; under the vGPU's lock
 * @ranges: how many; under the vGPU's lock
 * @looked: the guest's registers show what the engine was doing at @looked_at; under the
 *	vGPU's lock
 * @looked_at: in jiffies; under the vGPU's lock
 * @events_lock: of @event, @events, @user, @eir, @lost, @lost_state
 * @event: what the scheduler told, in order
 * @events: how many
 * @user: GVIRT_IRQ_COMMANDS that there were
 * @eir: errors that the engine reported
 * @lost: @lost_state holds
 * @lost_state: what the engine was doing when it was reset under the port's work
 * @work: does all that sleeps
 * @stats: counters
 *
 * Where nothing else is said, the vGPU's @exec covers it.
 */
struct gvirt_port {
	struct gvirt_submit *submit;
	enum gvirt_engine_id engine;
	bool added;
	struct gvirt_elsp elsp;
	struct gvirt_csb csb;
	struct gvirt_sched_slot slot;
	struct gvirt_port_list force;
	struct gvirt_port_list next;
	bool submitted;
	bool hung;
	bool refused[GVIRT_CSB_LISTS][GVIRT_ELSP_ELEMENTS];
	struct gvirt_port_range range[GVIRT_PORT_RANGES];
	unsigned int ranges;
	bool looked;
	unsigned long looked_at;
	spinlock_t events_lock; /* what the scheduler told */
	struct gvirt_port_event event[GVIRT_PORT_EVENTS];
	unsigned int events;
	u32 user;
	u32 eir;
	bool lost;
	struct gvirt_engine_dump lost_state;
	struct work_struct work;
	struct gvirt_port_stats stats;
};

/**
 * struct gvirt_submit_services - What submission needs from the vGPU
 * @scan: what the scan of commands needs
 * @contexts: what shadow contexts need
 * @refused: a guest's request does not run; @refusal says why
 *
 * All are called with @exec, without the vGPU's lock.
 */
struct gvirt_submit_services {
	struct gvirt_scan_services scan;
	struct gvirt_vcontext_services contexts;
	void (*refused)(void *data, enum gvirt_engine_id engine,
			const struct gvirt_refusal *refusal);
};

/**
 * struct gvirt_submit_parts - Other parts of the vGPU, and of the host
 * @name: what the vGPU is called; for tracing
 * @gpu: the chip
 * @scheds: its schedulers
 * @sw: its switched registers
 * @lock: the vGPU's, which covers @vmmio and @virq
 * @exec: the vGPU's mutex around all that prepares, finishes or drops work
 * @vmmio: registers
 * @virq: interrupts
 * @window: GGTT ranges that commands name
 * @vppgtt: page tables
 */
struct gvirt_submit_parts {
	const char *name;
	struct gvirt_gpu *gpu;
	struct gvirt_scheds *scheds;
	struct gvirt_switch *sw;
	struct mutex *lock; /* what the guest's accesses need */
	struct mutex *exec; /* work */
	struct gvirt_vmmio *vmmio;
	struct gvirt_virq *virq;
	struct gvirt_window *window;
	struct gvirt_vppgtt *vppgtt;
};

/**
 * struct gvirt_submit - Submission of a vGPU
 * @parts: other parts
 * @services: what it needs
 * @data: for @services
 * @scan: audits commands
 * @contexts: shadow contexts
 * @shares: of the engines
 * @port: by engine
 * @refusals: by reason: contexts that did not run; under the vGPU's lock
 * @faults: what went wrong last; under the vGPU's lock
 */
struct gvirt_submit {
	struct gvirt_submit_parts parts;
	const struct gvirt_submit_services *services;
	void *data;
	struct gvirt_scan scan;
	struct gvirt_vcontexts contexts;
	struct gvirt_shares shares;
	struct gvirt_port port[GVIRT_ENGINES];
	u64 refusals[GVIRT_REFUSED_REASONS];
	struct gvirt_faults faults;
};

/**
 * gvirt_submit_init() - Prepare; no engine takes work yet
 * @submit: to be initialised; zeroed
 * @parts: other parts
 * @services: what it needs
 * @data: for @services
 *
 * Return: 0 or -ENOMEM.
 */
int gvirt_submit_init(struct gvirt_submit *submit, const struct gvirt_submit_parts *parts,
		      const struct gvirt_submit_services *services, void *data);

/**
 * gvirt_submit_fini() - The end of gvirt_submit_init()
 * @submit: a stopped one, or zeroed
 */
void gvirt_submit_fini(struct gvirt_submit *submit);

/**
 * gvirt_submit_start() - Become a user of the engines
 * @submit: a stopped one
 *
 * Return: 0, or -ENOSPC when an engine has too many users.
 */
int gvirt_submit_start(struct gvirt_submit *submit);

/**
 * gvirt_submit_stop() - Take everything off the engines, and leave them
 * @submit: which; stopping a stopped one is fine
 *
 * No work item runs on return. Sleeps; called with none of the vGPU's locks.
 */
void gvirt_submit_stop(struct gvirt_submit *submit);

/**
 * gvirt_submit_reset_locked() - Take the vGPU's work off engines, and reset their ports
 * @submit: which
 * @engines: bit n: engine n
 *
 * Called with @exec, without the vGPU's lock. Sleeps, bounded. The registers of the
 * engines are left to the caller.
 */
void gvirt_submit_reset_locked(struct gvirt_submit *submit, u32 engines);

/**
 * gvirt_submit_sync_locked() - Bring the page tables of what runs up to date
 * @submit: which
 *
 * What the guest has taken out of its tables is not reached any more, not even by TLBs.
 * Called with @exec.
 */
void gvirt_submit_sync_locked(struct gvirt_submit *submit);

/**
 * gvirt_submit_ran_ns() - For how long the vGPU had the engine that it had most
 * @submit: which
 *
 * Return: nanoseconds since gvirt_submit_start().
 */
u64 gvirt_submit_ran_ns(struct gvirt_submit *submit);

/**
 * gvirt_submit_drop_locked() - Drop all shadow contexts
 * @submit: all of whose engines were reset
 *
 * Called with @exec.
 */
void gvirt_submit_drop_locked(struct gvirt_submit *submit);

/**
 * gvirt_port_write() - A write to the submission port
 * @port: which
 * @value: what was written
 *
 * Called with the vGPU's lock. Does not sleep for the guest's work.
 */
void gvirt_port_write(struct gvirt_port *port, u32 value);

/**
 * gvirt_port_write_pointer() - A write to the pointers of the context status buffer
 * @port: which
 * @value: what the register's lower half shall be
 *
 * Called with the vGPU's lock.
 */
void gvirt_port_write_pointer(struct gvirt_port *port, u32 value);

/**
 * gvirt_port_look() - Let the registers show what the engine is doing
 * @port: which
 *
 * Those of ENGINE_STATE's handler, and those of page faults. While the engine does not run
 * the vGPU's work they stay as they are. Called with the vGPU's lock.
 */
void gvirt_port_look(struct gvirt_port *port);

#endif
