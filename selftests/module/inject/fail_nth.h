/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One allocation of the kernel fails: the Nth that this process, or anybody, causes in
 * the code of a module. Needs a kernel with CONFIG_FAULT_INJECTION, as the lab's debug kernel.
 */
#ifndef INJECT_FAIL_NTH_H
#define INJECT_FAIL_NTH_H

#include <stdbool.h>

/**
 * fail_setup() - Prepare the kernel: all allocations can fail that a module is part of
 *
 * Fails the running test when the kernel cannot do that.
 */
void fail_setup(void);

/**
 * fail_nth() - Let one allocation of this process fail
 * @nth: which, from 1; 0: none any more
 */
void fail_nth(unsigned int nth);

/**
 * fail_left() - End it
 *
 * Return: how many more allocations would have had to come; 0: it has failed.
 */
unsigned int fail_left(void);

/**
 * struct fail_any - Allocations of all processes and of the kernel's own work
 * @injector: "failslab" or "fail_page_alloc"; once per boot, nobody else may have counted
 * @seen: what it has counted
 */
struct fail_any {
	const char *injector;
	unsigned int seen;
};

/**
 * fail_any_nth() - Let one allocation fail
 * @any: where
 * @nth: which, from 1
 */
void fail_any_nth(struct fail_any *any, unsigned int nth);

/**
 * fail_any_end() - End it
 * @any: where
 *
 * Return: whether it has failed. If not, @any cannot be used any more.
 */
bool fail_any_end(struct fail_any *any);

#endif
