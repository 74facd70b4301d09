/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A chip that is nothing but time: engines with the two lists of an execlist port,
 * contexts that have so much work left, and events in the order in which
 * hw/engine reports them. In the place of hw/engine, hw/reset and hw/gpu.
 */
#ifndef GVIRT_TEST_CHIP_H
#define GVIRT_TEST_CHIP_H

#include "hw/gpu.h"
#include "model/sched_private.h"

/* Work that does not end. */
#define CHIP_FOREVER	(~0ull)

/**
 * struct chip_job - A context of the test
 * @hw: what the scheduler sees; its @owner is the job
 * @left_ns: work that it has left
 * @ran_ns: time that it had
 * @stuck: cannot be preempted, and does not end
 */
struct chip_job {
	struct gvirt_context hw;
	u64 left_ns;
	u64 ran_ns;
	bool stuck;
};

/* chip_init() - A new chip, and @gpu with its engines */
void chip_init(struct gvirt_gpu *gpu);

/* chip_schedule() - Whose timers and work items are worked off; NULL: nobody's */
void chip_schedule(struct gvirt_scheds *scheds);

/* chip_run() - Let time go by */
void chip_run(u64 ns);

/* chip_has() - Is the context with an engine? */
bool chip_has(const struct gvirt_context *context);

/* chip_idle() - Has the engine nothing at all? */
bool chip_idle(enum gvirt_engine_id engine);

/* chip_refuse() - The engine refuses its reset; with @for_good a full one as well */
void chip_refuse(enum gvirt_engine_id engine, bool for_good);

/* chip_lose() - The next message of an engine is lost, and so are all after it */
void chip_lose(enum gvirt_engine_id engine);

/* chip_stall() - The engine stands still for so long at its next event, which is found out */
void chip_stall(enum gvirt_engine_id engine, u64 ns);

/* chip_interrupt() - MI_USER_INTERRUPT */
void chip_interrupt(enum gvirt_engine_id engine);

/* chip_resets() - How often the engine was reset */
unsigned int chip_resets(enum gvirt_engine_id engine);

/* chip_random() - A number */
u64 chip_random(void);

/* chip_seed() - Start the numbers anew */
void chip_seed(u64 seed);

#endif
