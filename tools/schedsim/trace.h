/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Traces as text. Lines, in which times are in the unit that the word says, and may have a
 * fraction; # starts a comment:
 *
 *	policy weighted|round-robin|fixed
 *	slice_us N	switch_us N	warmup_ms N	duration_ms N
 *	entity NAME [weight N] [cap N] [count N]
 *	work NAME ever [from MS]
 *	work NAME for MS [every MS] [from MS] [until MS]
 *	at MS share NAME weight N [cap N]
 *	at MS policy NAME
 *	at MS slice_us N
 *
 * With a count there are as many entities, NAME.1 and so on; NAME means each of them. Times
 * of the trace begin with the warm-up. duration_ms and warmup_ms stand before work.
 */
#ifndef SCHEDSIM_TRACE_H
#define SCHEDSIM_TRACE_H

#include <stddef.h>

#include "sim.h"

/**
 * trace_parse() - Read a trace
 * @trace: of sim_trace_init(); sorted on return
 * @text: the lines
 * @problem: gets what is wrong, with the number of the line
 * @size: of @problem
 *
 * Return: whether all was understood.
 */
bool trace_parse(struct sim_trace *trace, const char *text, char *problem, size_t size);

/**
 * trace_policy() - The policy of a name
 * @name: as in a trace
 *
 * Return: enum gvirt_sched_policy, or -1.
 */
int trace_policy(const char *name);

/**
 * trace_policy_name() - The name of a policy
 * @policy: which
 *
 * Return: as in a trace.
 */
const char *trace_policy_name(enum gvirt_sched_policy policy);

#endif
