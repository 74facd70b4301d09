/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Submissions of a hostile guest: what all of them start from.
 */
#ifndef VFIO_HOSTILE_H
#define VFIO_HOSTILE_H

#include "ktap.h"
#include "lib/work.h"

#define HOSTILE_PAGE	4096ull
/* Where the neighbour has something, and the vandal has nothing. */
#define HOSTILE_VA	0x0000004567000000ull
#define HOSTILE_GGTT	0x00081000u
/* How long a hostile context is given before its driver loses patience. */
#define HOSTILE_MS	100

extern const struct testgroup hostile_command_tests;
extern const struct testgroup hostile_image_tests;
extern const struct testgroup hostile_table_tests;
extern const struct testgroup hostile_port_tests;
extern const struct testgroup hostile_race_tests;

/* Vandal and neighbour use the same addresses. */
extern struct work vandal, neighbour;

/**
 * hostile_run() - Do something hostile; expect that it does no harm
 * @hostile: what the vandal does, with its engine idle
 * @number: any; chooses the engine, beside the render engine
 */
void hostile_run(void (*hostile)(void), unsigned int number);

/* A test of something hostile, each on another engine than its neighbours. */
#define HOSTILE(name)			\
static void test_##name(void)		\
{					\
	hostile_run(name, __LINE__);	\
}

/**
 * hostile_submit() - Submit commands in the vandal's ring
 * @cmds: the commands
 */
void hostile_submit(const struct cmds *cmds);

/**
 * hostile_batch() - Submit commands as a batch of the vandal's
 * @cmds: the commands; an end is appended
 * @space: PPGTT: without privilege; GGTT: with
 */
void hostile_batch(struct cmds *cmds, enum space space);

/**
 * hostile_loads() - Append loads of registers that belong to the host
 * @cmds: to what
 */
void hostile_loads(struct cmds *cmds);

/**
 * hostile_set() - Write a register in the image of the vandal's context
 * @place: GEN9_CTX_*
 * @value: what
 */
void hostile_set(unsigned int place, u32 value);

/**
 * hostile_go() - Submit the vandal's context with the image as it is
 */
void hostile_go(void);

/**
 * hostile_image() - Submit a request with one register of the image changed
 * @place: GEN9_CTX_*
 * @value: what
 */
void hostile_image(unsigned int place, u32 value);

#endif
