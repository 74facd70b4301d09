/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame that every test of i915_test runs in: one process per test, so
 * that a test that fails leaves nothing behind and one that is stuck is killed.
 */
#ifndef I915_TEST_TEST_H
#define I915_TEST_TEST_H

#include <linux/array_size.h>
#include <stdbool.h>
#include <stddef.h>

struct gpu;

#define __noreturn __attribute__((__noreturn__))
#define __printf(fmt, args) __attribute__((__format__(printf, fmt, args)))

/**
 * struct testcase - one line of KTAP output
 * @name: what ``--run`` matches; names that begin with "hang" hang the GPU on purpose
 * @run: the test; returns when everything was as expected, else calls test_fail()
 * @arg: for @run, e.g. an index into the engines
 * @timeout_s: seconds after which the test counts as failed and is killed
 */
struct testcase {
	const char *name;
	void (*run)(struct gpu *gpu, const struct testcase *tc);
	int arg;
	unsigned int timeout_s;
};

/**
 * struct testgroup - the tests of one file
 * @tests: table of tests
 * @count: number of rows
 */
struct testgroup {
	const struct testcase *tests;
	size_t count;
};

/**
 * struct test_options - what the command line chose
 * @device: path of a DRM node, or NULL for the first one of i915
 * @patterns: fnmatch() patterns of ``--run``
 * @npatterns: number of them; 0 is every test that does not hang the GPU
 * @quick: for slow guests of a mediated GPU: a tenth of the repetitions, three times the time
 */
struct test_options {
	const char *device;
	const char *patterns[32];
	unsigned int npatterns;
	bool quick;
};

extern const struct testgroup store_tests;
extern const struct testgroup blit_tests;
extern const struct testgroup sync_tests;
extern const struct testgroup ctx_tests;
extern const struct testgroup preempt_tests;
extern const struct testgroup mem_tests;
extern const struct testgroup fence_tests;
extern const struct testgroup priv_tests;
extern const struct testgroup stress_tests;
extern const struct testgroup hang_tests;

/**
 * test_fail() - end the running test as failed
 * @fmt: says what was expected and what was seen
 */
void __noreturn __printf(1, 2) test_fail(const char *fmt, ...);

/**
 * test_skip() - end the running test as skipped
 * @fmt: names the capability that is missing
 */
void __noreturn __printf(1, 2) test_skip(const char *fmt, ...);

/**
 * test_note() - a diagnostic line in the output
 * @fmt: text
 */
void __printf(1, 2) test_note(const char *fmt, ...);

/** test_list() - print the names of all tests, one a line */
void test_list(void);

/**
 * test_run_all() - run the chosen tests and print KTAP
 * @opt: what to run and where
 *
 * Return: number of failed tests, or a negative errno when nothing could run.
 */
int test_run_all(const struct test_options *opt);

/** test_now_ms() - Return: monotonic milliseconds */
long long test_now_ms(void);

/**
 * test_sleep_ms() - sleep
 * @ms: milliseconds
 */
void test_sleep_ms(unsigned int ms);

/**
 * test_rand() - a small repeatable random generator, the same sequence in each test
 *
 * Return: 32 random bits.
 */
unsigned int test_rand(void);

#endif
