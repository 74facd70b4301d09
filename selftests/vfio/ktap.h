/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame of the VFIO tests: one process per test, so that a test that fails
 * leaves no device open, and one that is stuck is killed.
 */
#ifndef VFIO_KTAP_H
#define VFIO_KTAP_H

#include <linux/array_size.h>
#include <stddef.h>

#define __noreturn __attribute__((__noreturn__))
#define __printf(fmt, args) __attribute__((__format__(printf, fmt, args)))

/**
 * struct testcase - One line of KTAP output
 * @name: of the test
 * @run: returns when everything was as expected, else calls test_fail()
 */
struct testcase {
	const char *name;
	void (*run)(void);
};

/**
 * struct testgroup - The tests of one file
 * @tests: table of tests
 * @count: number of rows
 */
struct testgroup {
	const struct testcase *tests;
	size_t count;
};

/**
 * test_fail() - End the running test as failed
 * @fmt: says what was expected and what was seen
 */
void __noreturn __printf(1, 2) test_fail(const char *fmt, ...);

/**
 * test_skip() - End the running test: it does not apply here
 * @fmt: says why
 */
void __noreturn __printf(1, 2) test_skip(const char *fmt, ...);

/** test_slow() - Return: how many times longer than usual everything may take on this kernel */
unsigned int test_slow(void);

/**
 * test_takes_long() - The running test does something many times: it may take longer than others
 */
void test_takes_long(void);

/**
 * test_run_groups() - Run all tests and print KTAP
 * @groups: the groups
 * @count: how many
 *
 * Return: number of failed tests.
 */
int test_run_groups(const struct testgroup *const *groups, size_t count);

/* Fails the test, with the place, unless two integers are equal. */
#define EXPECT_EQ(a, b)								\
do {										\
	long long __a = (long long)(a), __b = (long long)(b);			\
										\
	if (__a != __b)								\
		test_fail("%s:%d: %s is %#llx, expected %#llx (%s)", __FILE__,	\
			  __LINE__, #a, __a, __b, #b);				\
} while (0)

/* Fails the test, with the place, unless a condition holds. */
#define EXPECT(condition)							\
do {										\
	if (!(condition))							\
		test_fail("%s:%d: %s", __FILE__, __LINE__, #condition);		\
} while (0)

#endif
