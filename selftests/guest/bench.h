/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long work takes, for "make bench": the same program on a GPU that is passed through and on
 * virtual ones.
 */
#ifndef I915_TEST_BENCH_H
#define I915_TEST_BENCH_H

/**
 * bench_run() - measure all loads, or those that match
 * @device: node, or NULL for the first that belongs to i915
 * @port: file in which a line stands when the host has taken its counters, or NULL
 * @samples: how often each load is timed
 * @pattern: of the names of loads to measure, or NULL
 *
 * Prints "sample NAME NS", the time of one operation, for each repetition. Then the load is run
 * once more for the host's counters, between the lines "count NAME OPERATIONS" and "counted NAME",
 * after each of which a line is read.
 *
 * Return: 0, or a negative errno when there is no such node. Ends the program when a load fails.
 */
int bench_run(const char *device, const char *port, unsigned int samples, const char *pattern);

#endif
