/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sharing a real engine among those that want it.
 *
 * A slot is one user of one engine: it says which list of contexts it wants the
 * engine to run, and is told what became of them, as if it had the engine for
 * itself. Turns, preemption at their end, what is replayed after a reset, and who
 * is to blame for it, stay in here.
 */
#ifndef GVIRT_MODEL_SCHED_H
#define GVIRT_MODEL_SCHED_H

#include <linux/types.h>
#include "hw/engine.h"
#include "lib/sched_policy.h"

struct gvirt_context;
struct gvirt_gpu;
struct gvirt_sched;
struct gvirt_scheds;

/* Users of one engine, at most. */
#define GVIRT_SCHED_SLOTS	256
/*
 * Who does not let go of an engine within this is reset. The chip preempts between
 * draw calls only, so an honest one may take a while. A guest's driver grants its
 * contexts that time, so nothing shorter will do: Linux i915, Kconfig.profile,
 * DRM_I915_PREEMPT_TIMEOUT.
 */
#define GVIRT_SCHED_YIELD_MS	640

/**
 * struct gvirt_sched_ops - What a slot is told
 * @taken: the list that was submitted last is in force: it is with the engine, or
 *	waits for the slot's turn. What was in the list before and is not in this
 *	one has been reported by @left. Another list may be submitted now.
 * @left: a context left the engine for good, and the memory that it wrote shows
 *	it. GVIRT_LEFT_COMPLETE: it ran up to the tail that it was submitted with
 *	(a list that was submitted meanwhile runs it once more). PREEMPTED: the
 *	slot's own newer list does not have it. LOST: the engine was reset because
 *	of this slot, or the whole GT was and the context could not be saved. All
 *	that the slot had submitted is lost then, also a list that was not in force,
 *	in its order, the context that was running first; taken() does not follow.
 *	A slot is never told when it only lost its turn.
 * @user: commands that interrupt were executed while the slot had the engine, or
 *	shortly before or after that: bits of GVIRT_IRQ_COMMANDS
 * @error: the engine reported an error (bits of its EIR) while the slot had it,
 *	and has likely stopped
 * @differs: do registers that no context holds, or GGTT entries that the contexts
 *	use, have to change before this slot runs? @from: data of the slot that they
 *	are loaded for; NULL: of nobody known (start, after a reset, it was removed).
 *	NULL: never.
 * @load: load them; the engine is idle. NULL: nothing to do.
 *
 * Each slot's calls come one after the other, in the order of events. @taken,
 * @left, @user, @error and @load are called without locks, from the engine's
 * worker or from who resets the engine, and may call gvirt_sched_submit(). They
 * hold up everybody on the engine: they must be short, and must not wait for a lock
 * that is held around gvirt_sched_cancel() or gvirt_sched_remove(), nor call
 * these. @differs is called under a spinlock with interrupts off.
 */
struct gvirt_sched_ops {
	void (*taken)(void *data);
	void (*left)(void *data, struct gvirt_context *context, enum gvirt_left why);
	void (*user)(void *data, u32 events);
	void (*error)(void *data, u32 eir);
	bool (*differs)(void *data, void *from);
	void (*load)(void *data);
};

/**
 * struct gvirt_sched_stats - What a slot had
 * @ran_ns: time with the engine
 * @waited_ns: time in which it had work for the engine, and somebody else, or nobody, had that
 * @turns: how often it got the engine after somebody else
 * @preemptions: how often its turn ended before its work did
 * @resets: resets of the engine because it did not let go
 * @lost: contexts reported as lost
 */
struct gvirt_sched_stats {
	u64 ran_ns;
	u64 waited_ns;
	u64 turns;
	u64 preemptions;
	u64 resets;
	u64 lost;
};

/**
 * struct gvirt_sched_slot - One user of one engine
 * @sched: the engine's; NULL: not added
 * @ops: what it is told
 * @data: for @ops
 * @entity: its share; set by gvirt_sched_set_share()
 * @list: what is in force and has not left
 * @next: what was submitted and is not in force yet
 * @has_next: @next holds
 * @cancelled: takes no list until gvirt_sched_cancel() is done
 * @user_due: bits that user() is due for
 * @ran: it had the engine since the last user interrupt
 * @yield_ms: how long it may take to let go when cancelled
 * @left_ns: when it had the engine last
 * @waits_ns: since when it waits for the engine; 0: it does not
 * @stats: counters; ran_ns is in @entity
 *
 * For the scheduler only, under its lock.
 */
struct gvirt_sched_slot {
	struct gvirt_sched *sched;
	const struct gvirt_sched_ops *ops;
	void *data;
	struct gvirt_sched_entity entity;
	struct gvirt_engine_list list;
	struct gvirt_engine_list next;
	bool has_next;
	bool cancelled;
	u32 user_due;
	bool ran;
	unsigned int yield_ms;
	u64 left_ns;
	u64 waits_ns;
	struct gvirt_sched_stats stats;
};

/**
 * gvirt_scheds_create() - Schedulers for all engines of a GPU
 * @gpu: its engines have no owner; they have one from now on
 *
 * Return: the schedulers, or an ERR_PTR.
 */
struct gvirt_scheds *gvirt_scheds_create(struct gvirt_gpu *gpu);

/**
 * gvirt_scheds_destroy() - Give the engines back
 * @scheds: of gvirt_scheds_create(); all slots have been removed
 */
void gvirt_scheds_destroy(struct gvirt_scheds *scheds);

/**
 * gvirt_scheds_users() - How many users are there?
 * @scheds: of the GPU
 *
 * Return: the number of the engine that has most.
 */
unsigned int gvirt_scheds_users(struct gvirt_scheds *scheds);

/**
 * gvirt_scheds_rest() - Wait until the host's own contexts have left the engines
 * @scheds: without users; nobody adds one until gvirt_scheds_wake()
 *
 * Bounded. No timer runs on return.
 */
void gvirt_scheds_rest(struct gvirt_scheds *scheds);

/**
 * gvirt_scheds_wake() - Take the engines over again, which have been started anew
 * @scheds: of gvirt_scheds_rest()
 */
void gvirt_scheds_wake(struct gvirt_scheds *scheds);

/**
 * gvirt_scheds_give_up() - Take everything away from the chip, for good
 * @scheds: of the GPU
 *
 * All contexts are reported as lost.
 */
void gvirt_scheds_give_up(struct gvirt_scheds *scheds);

/**
 * gvirt_scheds_stop() - Take no lists any more
 * @scheds: of the GPU
 *
 * Before the machine goes down: the engines may be halted under the slots' feet.
 */
void gvirt_scheds_stop(struct gvirt_scheds *scheds);

/**
 * gvirt_scheds_engine() - The scheduler of an engine
 * @scheds: of the GPU
 * @engine: which
 *
 * Return: it, or NULL when the chip does not have the engine.
 */
struct gvirt_sched *gvirt_scheds_engine(struct gvirt_scheds *scheds, enum gvirt_engine_id engine);

/**
 * gvirt_scheds_wedged() - Has the GPU been given up?
 * @scheds: of the GPU
 *
 * Return: true when the chip refused its full reset, or after gvirt_scheds_stop():
 * nothing runs any more.
 */
bool gvirt_scheds_wedged(const struct gvirt_scheds *scheds);

/**
 * gvirt_scheds_set_policy() - Choose how all engines are shared; at any time
 * @scheds: of the GPU
 * @policy: which; GVIRT_SCHED_WEIGHTED from the start
 *
 * Sleeps.
 */
void gvirt_scheds_set_policy(struct gvirt_scheds *scheds, enum gvirt_sched_policy policy);

/**
 * gvirt_scheds_policy() - How engines are shared
 * @scheds: of the GPU
 *
 * Return: what was chosen last.
 */
enum gvirt_sched_policy gvirt_scheds_policy(struct gvirt_scheds *scheds);

/**
 * gvirt_scheds_set_slice() - Choose the longest slice on all engines; at any time
 * @scheds: of the GPU
 * @slice_ns: GVIRT_SCHED_SLICE_MIN_NS to GVIRT_SCHED_SLICE_MAX_NS;
 *	GVIRT_SCHED_SLICE_DEFAULT_NS from the start
 *
 * Sleeps.
 */
void gvirt_scheds_set_slice(struct gvirt_scheds *scheds, u64 slice_ns);

/**
 * gvirt_scheds_slice() - The longest slice
 * @scheds: of the GPU
 *
 * Return: what was chosen last, in nanoseconds.
 */
u64 gvirt_scheds_slice(struct gvirt_scheds *scheds);

/**
 * gvirt_sched_set_policy() - Choose how an engine is shared; may be changed at any time
 * @sched: the engine's
 * @policy: which; GVIRT_SCHED_WEIGHTED from the start
 */
void gvirt_sched_set_policy(struct gvirt_sched *sched, enum gvirt_sched_policy policy);

/**
 * gvirt_sched_busy_ns() - For how long an engine had work of its users
 * @sched: the engine's
 *
 * Return: nanoseconds since gvirt_scheds_create().
 */
u64 gvirt_sched_busy_ns(struct gvirt_sched *sched);

/**
 * gvirt_sched_add() - Become a user of an engine
 * @sched: the engine's
 * @slot: to be initialised; belongs to the scheduler until gvirt_sched_remove()
 * @ops: what to call
 * @data: for @ops
 *
 * The share is GVIRT_SCHED_WEIGHT_DEFAULT without cap.
 *
 * Return: 0, or -ENOSPC when there are GVIRT_SCHED_SLOTS already.
 */
int gvirt_sched_add(struct gvirt_sched *sched, struct gvirt_sched_slot *slot,
		    const struct gvirt_sched_ops *ops, void *data);

/**
 * gvirt_sched_remove() - Cancel, and leave for good
 * @slot: of gvirt_sched_add(); one that was never added is fine
 *
 * As gvirt_sched_cancel() with GVIRT_SCHED_YIELD_MS. No call to the slot is under
 * way on return.
 */
void gvirt_sched_remove(struct gvirt_sched_slot *slot);

/**
 * gvirt_sched_set_share() - Change a slot's share; at any time
 * @slot: which
 * @weight: GVIRT_SCHED_WEIGHT_MIN to GVIRT_SCHED_WEIGHT_MAX
 * @cap: percent of the engine's time; 0 or from GVIRT_SCHED_CAP_NONE on: no cap
 */
void gvirt_sched_set_share(struct gvirt_sched_slot *slot, u32 weight, u32 cap);

/**
 * gvirt_sched_submit() - What the slot wants the engine to run from now on
 * @slot: which
 * @first: runs first, up to its tail (struct gvirt_context) as of now
 * @second: runs when @first is complete; NULL: none
 *
 * Takes the place of the slot's list, as a write to the chip's port does: with
 * @first running already, it goes on with its new tail; another one preempts what
 * the slot runs. Any context; allocates nothing. taken() follows, always from
 * another context or later.
 *
 * Return: 0; -EBUSY while taken() has not been told for the list before, or while
 * the slot is being cancelled; -EIO when the GPU has been given up; -EINVAL when
 * both are the same.
 */
int gvirt_sched_submit(struct gvirt_sched_slot *slot, struct gvirt_context *first,
		       struct gvirt_context *second);

/**
 * gvirt_sched_cancel() - Take all of a slot's contexts off the engine and forget its list
 * @slot: which
 * @yield_ms: how long it may take to let go before the engine is reset; at most
 *	GVIRT_SCHED_YIELD_MS
 *
 * On return no context of the slot is with the chip, no call to the slot is under
 * way, and the slot may submit again. Contexts that were preempted are not reported,
 * contexts of a list that was not in force neither; those that a reset took are
 * reported as lost. A user interrupt of before may still be told. Sleeps; bounded by 6 s.
 * One at a time for a slot.
 *
 * Return: 0 when the slot let go by itself or had nothing with the engine; -EIO
 * when that took a reset.
 */
int gvirt_sched_cancel(struct gvirt_sched_slot *slot, unsigned int yield_ms);

/**
 * gvirt_sched_running() - Has the slot the engine now?
 * @slot: which
 *
 * Return: true if so; it may be over when the caller looks.
 */
bool gvirt_sched_running(const struct gvirt_sched_slot *slot);

/**
 * gvirt_sched_read_stats() - What a slot had so far
 * @slot: which
 * @stats: to be filled
 */
void gvirt_sched_read_stats(struct gvirt_sched_slot *slot, struct gvirt_sched_stats *stats);

#endif
