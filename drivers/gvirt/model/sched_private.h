/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the scheduler's own files share. Others use sched.h.
 */
#ifndef GVIRT_MODEL_SCHED_PRIVATE_H
#define GVIRT_MODEL_SCHED_PRIVATE_H

#include <linux/hrtimer.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "hw/context.h"
#include "sched.h"

/*
 * An engine that does not do its own part within this is reset: that is to take a list while idle,
 * or to end a switch that it has begun. It does so at once, if it is not dead; but who emulates
 * a chip may be kept waiting.
 */
#define GVIRT_SCHED_CHIP_MS	3000
/* A busy engine that reports nothing for this long is asked. */
#define GVIRT_SCHED_POLL_MS	50
/* How many contexts a slot can have at once: its list, and the next one. */
#define GVIRT_SCHED_CONTEXTS	(2 * GVIRT_ENGINE_ELEMENTS)

/**
 * struct gvirt_sched - The scheduler of one engine
 * @all: those of the GPU
 * @engine: whose owner it is
 * @idle: context of the host that does nothing, to get others off the engine
 * @host: who submits @idle; in no queue
 * @lock: of all up to @failures, and of all slots
 * @queue: for the policy
 * @slots: users, in no order
 * @entities: theirs, by the same index
 * @count: how many
 * @running: whose list the engine has taken; NULL: the engine is idle
 * @pending: whose list waits in the port; NULL: the port is free
 * @pending_next: that list is @pending's next one
 * @chosen: who is next once @load is done; NULL: nobody was chosen
 * @loaded: whose registers are loaded; NULL: unknown
 * @calling: whose ops are being called; it must not go away
 * @busy_ns: time that its users were charged for, all together
 * @since_ns: @running has been charged up to here
 * @slice_ns: slice of @chosen or @pending
 * @slice_end_ns: end of @running's slice
 * @yield: when the port has to be free
 * @wake_ns: when somebody may run again who may not now; 0: nobody waits
 * @poll_ns: when to ask a busy engine, or one that has become idle
 * @asked: it has been asked since its last event
 * @parked: nobody gets the engine, who has it is to go
 * @recovering: halted for a reset; whoever set it is the only one to call ops
 * @stopped: no list is taken any more
 * @loading: load() of @chosen is under way
 * @stale: a slot that does not have the engine may have a next list
 * @missed: a message of the chip was lost: a user interrupt may be anybody's
 * @refused: the engine has refused a submission
 * @failures: recoveries because of that, in a row
 * @gone: the chip does not answer any more
 * @silent: the engine reported nothing until @poll_ns; set by the timer
 * @timer: next time that something is due
 * @recovery: resets the engine
 * @wake: woken when a slot may have let go, or a call is done
 */
struct gvirt_sched {
	struct gvirt_scheds *all;
	struct gvirt_engine *engine;
	struct gvirt_context idle;
	struct gvirt_sched_slot host;

	spinlock_t lock; /* the state of the engine and of its slots */
	struct gvirt_sched_queue queue;
	struct gvirt_sched_slot *slots[GVIRT_SCHED_SLOTS];
	struct gvirt_sched_entity *entities[GVIRT_SCHED_SLOTS];
	unsigned int count;
	struct gvirt_sched_slot *running;
	struct gvirt_sched_slot *pending;
	bool pending_next;
	struct gvirt_sched_slot *chosen;
	struct gvirt_sched_slot *loaded;
	struct gvirt_sched_slot *calling;
	u64 busy_ns;
	u64 since_ns;
	u64 slice_ns;
	u64 slice_end_ns;
	struct gvirt_sched_yield yield;
	u64 wake_ns;
	u64 poll_ns;
	bool asked;
	bool parked;
	bool recovering;
	bool stopped;
	bool loading;
	bool stale;
	bool missed;
	bool refused;
	unsigned int failures;
	bool gone;
	bool silent;

	struct hrtimer timer;
	struct work_struct recovery;
	wait_queue_head_t wake;
};

/**
 * struct gvirt_scheds - The schedulers of a GPU
 * @gpu: which
 * @lock: one recovery at a time
 * @tuning: one change of what follows at a time
 * @policy: of all engines
 * @slice_ns: longest slice on all engines
 * @sched: by engine; @sched[].engine is NULL when there is none
 */
struct gvirt_scheds {
	struct gvirt_gpu *gpu;
	struct mutex lock; /* one recovery at a time */
	struct mutex tuning; /* one change of how engines are shared at a time */
	enum gvirt_sched_policy policy;
	u64 slice_ns;
	struct gvirt_sched sched[GVIRT_ENGINES];
};

/* sched_turn.c */

/**
 * gvirt_sched_decide_locked() - Bring the engine to what it should do now
 * @sched: whose
 *
 * Submits, asks for a recovery, and sets the timer. Calls no ops but differs().
 */
void gvirt_sched_decide_locked(struct gvirt_sched *sched);

/**
 * gvirt_sched_charge_locked() - Charge who has the engine for its time
 * @sched: whose
 * @now_ns: up to now
 */
void gvirt_sched_charge_locked(struct gvirt_sched *sched, u64 now_ns);

/**
 * gvirt_sched_poll_later_locked() - The engine has something to do, or has said something
 * @sched: whose
 * @now_ns: the time
 *
 * It is asked when it says nothing for GVIRT_SCHED_POLL_MS from now on.
 */
void gvirt_sched_poll_later_locked(struct gvirt_sched *sched, u64 now_ns);

/**
 * gvirt_sched_load_due_locked() - Do registers have to be loaded now?
 * @sched: whose
 *
 * Return: true when the engine is idle and waits for load() of the chosen slot.
 */
bool gvirt_sched_load_due_locked(const struct gvirt_sched *sched);

/**
 * gvirt_sched_bound_locked() - The port has to be free in time
 * @sched: whose
 * @now_ns: the time
 *
 * How long that is depends on who has the engine: nobody, or somebody in a hurry.
 */
void gvirt_sched_bound_locked(struct gvirt_sched *sched, u64 now_ns);

/**
 * gvirt_sched_overdue_locked() - Is a reset due?
 * @sched: whose
 *
 * Grants who has the engine more time when it is the chip that is late.
 *
 * Return: true when who has the engine did not let go, or it refused a submission.
 */
bool gvirt_sched_overdue_locked(struct gvirt_sched *sched);

/* sched.c */

/**
 * gvirt_sched_drop_work_locked() - Forget what a slot has for the engine
 * @slot: which; the engine has nothing of it
 */
void gvirt_sched_drop_work_locked(struct gvirt_sched_slot *slot);

/**
 * gvirt_sched_call_begin_locked() - Keep a slot while its ops are called
 * @sched: whose
 * @slot: which
 */
void gvirt_sched_call_begin_locked(struct gvirt_sched *sched, struct gvirt_sched_slot *slot);

/**
 * gvirt_sched_call_end() - The opposite
 * @sched: whose
 */
void gvirt_sched_call_end(struct gvirt_sched *sched);

/* sched_recover.c */

/**
 * gvirt_sched_recover() - Reset an engine that is overdue
 * @work: recovery of struct gvirt_sched
 */
void gvirt_sched_recover(struct work_struct *work);

#endif
