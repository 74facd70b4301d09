/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An engine: submission of contexts, and what becomes of them.
 */
#ifndef GVIRT_HW_ENGINE_H
#define GVIRT_HW_ENGINE_H

#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "lib/events.h"
#include "buffer.h"
#include "platform.h"
#include "state.h"

struct gvirt_context;
struct gvirt_engine;
struct gvirt_ggtt;
struct gvirt_irq;
struct gvirt_mmio;

/* Contexts in one submission. */
#define GVIRT_ENGINE_ELEMENTS	GVIRT_LIST_ELEMENTS

/**
 * enum gvirt_left - Why a context is not with the engine any more
 * @GVIRT_LEFT_COMPLETE: it ran its ring up to the tail that the engine knew; when it
 *	is in the list that was submitted meanwhile, it will run once more
 * @GVIRT_LEFT_PREEMPTED: another one took its place; it can be submitted again
 * @GVIRT_LEFT_LOST: the engine was reset; what it was doing is in its image or not
 */
enum gvirt_left {
	GVIRT_LEFT_COMPLETE,
	GVIRT_LEFT_PREEMPTED,
	GVIRT_LEFT_LOST,
};

/**
 * struct gvirt_engine_ops - What an engine tells its owner
 * @left: a context left the engine, and the memory that it wrote shows it. In the
 *	order in which they left.
 * @ready: a list is free, gvirt_engine_submit() will take one
 * @user: commands were executed that interrupt: bits of GVIRT_IRQ_COMMANDS
 * @error: the engine reported an error (bits of its EIR) and has likely stopped
 * @service: events that were there have been told; also after gvirt_engine_kick()
 *
 * All are called from the engine's worker, one after the other, without locks;
 * @left and @ready also from whoever halts or resets the engine, when the worker does
 * not run. Any may be NULL.
 */
struct gvirt_engine_ops {
	void (*left)(void *owner, struct gvirt_context *context, enum gvirt_left why);
	void (*ready)(void *owner);
	void (*user)(void *owner, u32 events);
	void (*error)(void *owner, u32 eir);
	void (*service)(void *owner);
};

/**
 * struct gvirt_engine_list - One submission
 * @context: in the order in which they run; NULL: none
 * @tail: up to where each runs, see struct gvirt_context
 */
struct gvirt_engine_list {
	struct gvirt_context *context[GVIRT_ENGINE_ELEMENTS];
	u32 tail[GVIRT_ENGINE_ELEMENTS];
};

/**
 * struct gvirt_engine_stats - What it did
 * @submissions: lists written to the port
 * @events: entries of the context status buffer
 * @bad_events: entries that were not what was due, could not be read, or did not come
 * @user_interrupts: reports of commands that interrupt
 * @errors: error reports
 * @resets: resets of this engine
 */
struct gvirt_engine_stats {
	atomic64_t submissions;
	atomic64_t events;
	atomic64_t bad_events;
	atomic64_t user_interrupts;
	atomic64_t errors;
	atomic64_t resets;
};

/**
 * struct gvirt_engine - One engine of one GPU
 * @id: which
 * @name: e.g. "rcs0"
 * @base: its register window
 * @wells: what its registers need
 * @platform: for what has to be set after a reset
 * @mmio: registers
 * @irq: interrupts
 * @status: hardware status page, with the context status buffer
 * @lock: of the fields up to @awake, and of @ops and @owner
 * @active: what runs; element 0 is the one that runs now
 * @pending: what was submitted and not yet taken; all NULL: the port is free
 * @csb_read: last entry of the status buffer that was read
 * @entry: it, if @held
 * @held: its time has not come yet: something before it was missed
 * @owed: the entry of what was found out without it, see gvirt_event_owed(); 0: none
 * @owed_at: CTX_TIMESTAMP at that time
 * @looks: how often it was looked at since it said or was given something
 * @running: started and not halted: submissions are taken
 * @awake: this engine holds its wells, as long as it has anything to do
 * @reports: GVIRT_IRQ_* that the worker has not seen yet
 * @ops: what to tell the owner; changed only while the engine is idle
 * @owner: for @ops
 * @worker: reads the status buffer
 * @queue: where @worker runs
 * @dump: what it was doing when it was reset last, alone or with all; written by who resets it,
 *	and read from there on until the owner has been told what is lost
 * @dumped: @dump is of the reset that is under way, perhaps in more than one try; not of an engine
 *	that was started since
 * @idle: woken when the engine has nothing left to do
 * @stats: counters
 */
struct gvirt_engine {
	enum gvirt_engine_id id;
	const char *name;
	u32 base;
	u32 wells;
	const struct gvirt_platform *platform;
	struct gvirt_mmio *mmio;
	struct gvirt_irq *irq;
	struct gvirt_buffer status;

	spinlock_t lock; /* lists and status buffer */
	struct gvirt_engine_list active;
	struct gvirt_engine_list pending;
	unsigned int csb_read;
	u64 entry;
	bool held;
	u64 owed;
	u32 owed_at;
	unsigned int looks;
	bool running;
	bool awake;

	atomic_t reports;
	const struct gvirt_engine_ops *ops;
	void *owner;
	struct work_struct worker;
	struct workqueue_struct *queue;
	struct gvirt_engine_dump dump;
	bool dumped;
	wait_queue_head_t idle;
	struct gvirt_engine_stats stats;
};

/**
 * struct gvirt_engine_services - What all engines of a GPU share
 * @platform: which chip
 * @mmio: registers
 * @ggtt: where the status page is mapped
 * @irq: interrupts
 * @queue: for the workers
 */
struct gvirt_engine_services {
	const struct gvirt_platform *platform;
	struct gvirt_mmio *mmio;
	struct gvirt_ggtt *ggtt;
	struct gvirt_irq *irq;
	struct workqueue_struct *queue;
};

/**
 * gvirt_engine_init() - Prepare an engine; it does not run yet
 * @engine: to be initialised
 * @id: which
 * @services: what it uses
 *
 * Return: 0, -ENOMEM or -ENOSPC.
 */
int gvirt_engine_init(struct gvirt_engine *engine, enum gvirt_engine_id id,
		      const struct gvirt_engine_services *services);

/**
 * gvirt_engine_fini() - Free it
 * @engine: one that is halted and was reset, or cannot reach memory
 */
void gvirt_engine_fini(struct gvirt_engine *engine);

/**
 * gvirt_engine_start() - Set an engine up that has just been reset
 * @engine: a halted one
 *
 * Everything that a reset loses is set again. Submissions are taken from now on.
 */
void gvirt_engine_start(struct gvirt_engine *engine);

/**
 * gvirt_engine_halt() - Take no more submissions and stop at the next command
 * @engine: which; halting a halted one is fine
 *
 * The worker does not run any more on return, and the owner has been told all that
 * happened until the engine stopped. The contexts stay with the engine until
 * gvirt_engine_drop(). May sleep, 20 ms at most in the chip.
 */
void gvirt_engine_halt(struct gvirt_engine *engine);

/**
 * gvirt_engine_resume() - Go on, after all
 * @engine: one that was halted, and nothing else
 */
void gvirt_engine_resume(struct gvirt_engine *engine);

/**
 * gvirt_engine_drop() - Report every context that a halted engine has as lost
 * @engine: one that was reset, or cannot reach memory
 */
void gvirt_engine_drop(struct gvirt_engine *engine);

/**
 * gvirt_engine_attach() - Set who is told of events
 * @engine: an idle one
 * @ops: what to call, NULL for nobody
 * @owner: for @ops
 *
 * No call to the one before is under way on return.
 */
void gvirt_engine_attach(struct gvirt_engine *engine, const struct gvirt_engine_ops *ops,
			 void *owner);

/**
 * gvirt_engine_submit() - Give the engine one or two contexts to run
 * @engine: which
 * @first: runs first, up to its tail; the engine leaves what it runs now as soon as it
 *	can
 * @second: runs when @first is complete; NULL: none
 *
 * Any context. Allocates nothing; five register accesses at most when the engine
 * was busy. When @first is what runs already, the engine takes its new tail and
 * goes on.
 *
 * Return: 0; -EBUSY while the list before has not been taken (see ready()); -EIO
 * when the engine is halted or its power wells do not wake; -EINVAL when both are
 * the same.
 */
int gvirt_engine_submit(struct gvirt_engine *engine, struct gvirt_context *first,
			struct gvirt_context *second);

/**
 * gvirt_engine_submit_list() - gvirt_engine_submit(), with tails
 * @engine: which
 * @list: what to run; its second one may be NULL
 *
 * For an owner whose contexts may have got newer tails since.
 *
 * Return: as gvirt_engine_submit().
 */
int gvirt_engine_submit_list(struct gvirt_engine *engine, const struct gvirt_engine_list *list);

/**
 * gvirt_engine_kick() - Let the worker run
 * @engine: which
 *
 * It tells events that it finds, and service(). Any context.
 */
void gvirt_engine_kick(struct gvirt_engine *engine);

/**
 * gvirt_engine_poll() - Look for events whose interrupt was lost
 * @engine: which
 *
 * Return: true when an interrupt had been lost.
 */
bool gvirt_engine_poll(struct gvirt_engine *engine);

/**
 * enum gvirt_looked - What a look at an engine shows
 * @GVIRT_LOOKED_NOTHING: nothing that is new
 * @GVIRT_LOOKED_CHANGED: something that it did not say; the owner has been told
 * @GVIRT_LOOKED_GONE: the chip does not answer
 */
enum gvirt_looked {
	GVIRT_LOOKED_NOTHING,
	GVIRT_LOOKED_CHANGED,
	GVIRT_LOOKED_GONE,
};

/**
 * gvirt_engine_look() - Compare what an engine does with what it said
 * @engine: one that said nothing for long
 *
 * From service(). When several looks in a row show the same, the owner is told what the engine
 * did not say. Costs two register accesses.
 *
 * Return: what it shows.
 */
enum gvirt_looked gvirt_engine_look(struct gvirt_engine *engine);

/**
 * gvirt_engine_late() - Is the chip behind with what it has to say?
 * @engine: which
 *
 * Return: true while the event has not come of a step that was found out by a look, and the engine
 * stands. The chip may not have ended that step, so that the context that is next does not run yet.
 */
bool gvirt_engine_late(struct gvirt_engine *engine);

/**
 * gvirt_engine_wait_idle() - Wait until the engine has nothing to do
 * @engine: which
 * @timeout_ms: bound
 *
 * Return: 0, or -ETIMEDOUT.
 */
int gvirt_engine_wait_idle(struct gvirt_engine *engine, unsigned int timeout_ms);

/**
 * gvirt_engine_invalidate_tlb() - Drop all translations that the engine has cached
 * @engine: which
 *
 * Return: 0, or -ETIMEDOUT, which only a reset repairs.
 */
int gvirt_engine_invalidate_tlb(struct gvirt_engine *engine);

#endif
