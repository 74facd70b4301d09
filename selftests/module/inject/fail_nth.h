/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One allocation of the kernel fails: the Nth that this process causes in the code of
 * a module. Needs a kernel with CONFIG_FAULT_INJECTION, as the lab's debug kernel.
 */
#ifndef INJECT_FAIL_NTH_H
#define INJECT_FAIL_NTH_H

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

#endif
