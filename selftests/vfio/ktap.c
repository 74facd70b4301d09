// SPDX-License-Identifier: GPL-2.0-only
/*
 * The KTAP runner. A test's process tells its result by its exit status.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

/* Longer than any test takes on a busy machine; SLOW times that on a kernel full of checks. */
#define TIMEOUT_S 60
/* Times that for one that does many things. */
#define LONG 5
/* Who takes longer is told of: it comes near to its bound. */
#define LONG_S 20
#define EXIT_SKIP 77

static void __noreturn __printf(3, 0) end_test(int status, const char *kind, const char *fmt,
					       va_list ap)
{
	printf("# %s: ", kind);
	vprintf(fmt, ap);
	printf("\n");
	fflush(stdout);
	_exit(status);
}

void test_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	end_test(EXIT_FAILURE, "failed", fmt, ap);
}

void test_skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	end_test(EXIT_SKIP, "skipped", fmt, ap);
}

unsigned int test_slow(void)
{
	const char *slow = getenv("SLOW");

	return slow && atoi(slow) > 1 ? atoi(slow) : 1;
}

static time_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

void test_takes_long(void)
{
	alarm(LONG * TIMEOUT_S * test_slow());
}

static bool run_one(unsigned int nr, const struct testcase *test)
{
	time_t start = now_s(), took;
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		alarm(TIMEOUT_S * test_slow());
		test->run();
		fflush(stdout);
		_exit(EXIT_SUCCESS);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		printf("# cannot run a process\nnot ok %u %s\n", nr, test->name);
		return false;
	}
	took = now_s() - start;
	if (took >= LONG_S)
		printf("# took %lld s\n", (long long)took);
	if (WIFSIGNALED(status))
		printf("# failed: died of signal %d\n", WTERMSIG(status));
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SKIP) {
		printf("ok %u %s # SKIP\n", nr, test->name);
		return true;
	}
	printf("%s %u %s\n", status ? "not ok" : "ok", nr, test->name);
	return !status;
}

int test_run_groups(const struct testgroup *const *groups, size_t count)
{
	unsigned int total = 0, nr = 0;
	int failed = 0;
	size_t g, i;

	for (g = 0; g < count; g++)
		total += groups[g]->count;
	printf("KTAP version 1\n1..%u\n", total);
	for (g = 0; g < count; g++)
		for (i = 0; i < groups[g]->count; i++)
			failed += !run_one(++nr, &groups[g]->tests[i]);
	fflush(stdout);
	return failed;
}
