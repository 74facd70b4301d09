/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An engine with execlists.
 */
#ifndef VFIO_LIB_ENGINE_H
#define VFIO_LIB_ENGINE_H

#include <linux/types.h>

#include "ggtt.h"
#include "irq.h"
#include "ram.h"

struct ctx;

/* Bound of a wait for something that has to come, also on a kernel full of checks. */
#define PATIENCE_MS	40000
/* How long something is waited for that must not come. */
#define NEVER_MS	60

/**
 * enum engine_id - Engines, in the order of struct irq
 * @RCS: render
 * @BCS: blitter
 * @VCS: video
 * @VECS: video enhancement
 * @ENGINES: how many
 */
enum engine_id {
	RCS,
	BCS,
	VCS,
	VECS,
	ENGINES
};

/**
 * struct event - What an engine says of a context
 * @status: GEN9_CSB_*
 * @id: of the context
 */
struct event {
	u32 status;
	u32 id;
};

/**
 * struct engine - An engine
 * @id: which
 * @name: as users call it
 * @base: offset of its registers
 * @dev: device
 * @ram: guest memory
 * @ggtt: the table
 * @irq: the interrupt
 * @status_gpa: its status page
 * @status_ggtt: address of that
 * @csb_read: last event that was read
 */
struct engine {
	enum engine_id id;
	const char *name;
	u32 base;
	struct vdev *dev;
	struct ram *ram;
	struct ggtt *ggtt;
	struct irq *irq;
	u64 status_gpa;
	u32 status_ggtt;
	unsigned int csb_read;
};

/**
 * engine_init() - Get a status page
 * @engine: gets everything
 * @id: which engine
 * @ggtt: the table
 * @irq: the interrupt
 */
void engine_init(struct engine *engine, enum engine_id id, struct ggtt *ggtt, struct irq *irq);

/**
 * engine_start() - Set the registers up, after a reset
 * @engine: which
 */
void engine_start(struct engine *engine);

/**
 * engine_read() - Read a register
 * @engine: whose
 * @reg: offset in the engine's window
 *
 * Return: the value.
 */
u32 engine_read(struct engine *engine, u32 reg);

/**
 * engine_write() - Write a register
 * @engine: whose
 * @reg: offset in the engine's window
 * @value: what
 */
void engine_write(struct engine *engine, u32 reg, u32 value);

/**
 * engine_submit_raw() - Write the submit port
 * @engine: which
 * @first: descriptor of the first element
 * @second: descriptor of the second, 0: none
 */
void engine_submit_raw(struct engine *engine, u64 first, u64 second);

/**
 * engine_submit() - Publish the tails of contexts and submit them
 * @engine: which
 * @first: first element
 * @second: second element, NULL: none
 */
void engine_submit(struct engine *engine, struct ctx *first, struct ctx *second);

/**
 * engine_event() - The next event, if there is one in time
 * @engine: of which
 * @event: gets it
 * @ms: bound
 *
 * Return: whether there was one.
 */
bool engine_event(struct engine *engine, struct event *event, unsigned int ms);

/**
 * engine_expect() - Expect an event
 * @engine: of which
 * @status: GEN9_CSB_*, all of them
 * @ctx: whose; NULL: any
 */
void engine_expect(struct engine *engine, u32 status, const struct ctx *ctx);

/**
 * engine_expect_quiet() - Expect that there is no event
 * @engine: of which
 */
void engine_expect_quiet(struct engine *engine);

/**
 * engine_drain() - Read events until the engine is idle
 * @engine: which, with work
 * @ms: bound
 *
 * Return: whether it got idle.
 */
bool engine_drain(struct engine *engine, unsigned int ms);

/**
 * engine_reset() - Reset the engine alone, as a driver does when it hangs
 * @engine: which
 */
void engine_reset(struct engine *engine);

/**
 * engine_reset_all() - Reset the whole GPU
 * @engines: all engines
 */
void engine_reset_all(struct engine *engines);

/**
 * engine_describe() - Print what an engine's registers say, for a test that fails
 * @engine: which
 */
void engine_describe(struct engine *engine);

#endif
