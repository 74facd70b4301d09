/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of allocations that fail have in common.
 */
#ifndef INJECT_ALLOC_H
#define INJECT_ALLOC_H

#include "ktap.h"

/* vGPUs that can be made. */
#define ALLOC_LIMIT	4
/* More allocations than anything here does, and longer than all of that takes. */
#define ALLOC_MOST	2000
#define ALLOC_TIMEOUT_S	5400

/* The allocation to begin with, from 1. */
extern unsigned int alloc_first;

/** alloc_load_anew() - Load gvirt, which a test that failed before may have left */
void alloc_load_anew(void);

/** alloc_unload() - Unload gvirt, or fail the test */
void alloc_unload(void);

/**
 * alloc_progress() - Tell, now and then, how far a test is
 * @nth: number of the allocation that fails
 */
void alloc_progress(unsigned int nth);

extern const struct testgroup alloc_work_tests;

#endif
