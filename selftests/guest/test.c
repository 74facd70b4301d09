// SPDX-License-Identifier: GPL-2.0-only
/*
 * The KTAP runner. A test's process tells its result by its exit status and,
 * for a skipped test, writes the reason into a pipe.
 */
#include <errno.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpu.h"
#include "test.h"

/* A quick run is for slow guests: fewer repetitions, but more time for each. */
#define QUICK_PATIENCE 3

enum { EXIT_PASS = 0, EXIT_FAIL = 1, EXIT_SKIP = 4 };

static const struct testgroup *const groups[] = {
	&store_tests, &blit_tests, &sync_tests, &ctx_tests, &preempt_tests,
	&mem_tests, &fence_tests, &priv_tests, &stress_tests, &hang_tests,
};

static int skip_pipe = -1;
static unsigned int rand_state = 0x2545f491;

void test_note(const char *fmt, ...)
{
	va_list ap;

	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
}

void test_fail(const char *fmt, ...)
{
	va_list ap;

	printf("# failed: ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	_exit(EXIT_FAIL);
}

void test_skip(const char *fmt, ...)
{
	char why[256];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	if (len >= (int)sizeof(why))
		len = sizeof(why) - 1;
	if (write(skip_pipe, why, len) != len)
		_exit(EXIT_FAIL);
	_exit(EXIT_SKIP);
}

long long test_now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

void test_sleep_ms(unsigned int ms)
{
	struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}

unsigned int test_rand(void)
{
	rand_state ^= rand_state << 13;
	rand_state ^= rand_state >> 17;
	rand_state ^= rand_state << 5;
	return rand_state;
}

static bool is_chosen(const struct testcase *tc, const struct test_options *opt)
{
	if (!opt->npatterns)
		return strncmp(tc->name, "hang", 4) != 0;
	for (unsigned int i = 0; i < opt->npatterns; i++)
		if (!fnmatch(opt->patterns[i], tc->name, 0))
			return true;
	return false;
}

static void __noreturn run_child(const struct testcase *tc, const struct test_options *opt,
				 int pipe_fd)
{
	struct gpu gpu;
	int err;

	skip_pipe = pipe_fd;
	err = gpu_open(&gpu, opt->device);
	if (err)
		test_fail("cannot open %s: %s", opt->device ?: "an i915 node", strerror(-err));
	gpu.quick = opt->quick;
	tc->run(&gpu, tc);
	fflush(stdout);
	_exit(EXIT_PASS);
}

/* The child holds the pipe's other end: when that closes, it has ended. */
static bool wait_child(int fd, pid_t pid, unsigned int timeout_s, char *why, size_t size, int *st)
{
	long long end = test_now_ms() + timeout_s * 1000LL;
	size_t len = 0;

	for (;;) {
		struct pollfd pfd = { .fd = fd, .events = POLLIN };
		long long left = end - test_now_ms();
		ssize_t n;

		if (left <= 0 || poll(&pfd, 1, (int)left) == 0) {
			kill(pid, SIGKILL);
			waitpid(pid, st, 0);
			return false;
		}
		n = read(fd, why + len, size - 1 - len);
		if (n <= 0)
			break;
		len += n;
	}
	why[len] = '\0';
	waitpid(pid, st, 0);
	return true;
}

static bool run_one(unsigned int nr, const struct testcase *tc, const struct test_options *opt)
{
	unsigned int timeout_s = tc->timeout_s * (opt->quick ? QUICK_PATIENCE : 1);
	char why[256] = "";
	int pipes[2], st = 0;
	long long start = test_now_ms();
	bool ended;
	pid_t pid;

	fflush(stdout);
	if (pipe(pipes))
		return false;
	pid = fork();
	if (pid == 0) {
		close(pipes[0]);
		run_child(tc, opt, pipes[1]);
	}
	close(pipes[1]);
	if (pid < 0) {
		close(pipes[0]);
		printf("# cannot fork: %s\nnot ok %u %s\n", strerror(errno), nr, tc->name);
		return false;
	}
	ended = wait_child(pipes[0], pid, timeout_s, why, sizeof(why), &st);
	close(pipes[0]);
	if (!ended)
		test_note("failed: not finished after %u s", timeout_s);
	else if (WIFSIGNALED(st))
		test_note("failed: died of signal %d", WTERMSIG(st));
	if (ended && WIFEXITED(st) && WEXITSTATUS(st) == EXIT_SKIP) {
		printf("ok %u %s # SKIP %s\n", nr, tc->name, why);
		return true;
	}
	ended = ended && WIFEXITED(st) && WEXITSTATUS(st) == EXIT_PASS;
	test_note("%s: %lld ms", tc->name, test_now_ms() - start);
	printf("%s %u %s\n", ended ? "ok" : "not ok", nr, tc->name);
	return ended;
}

/*
 * Tests that hang the GPU shorten the driver's timeouts. It is done around the
 * test and not in it, so that they are put back when the test gets killed.
 */
static bool run_guarded(unsigned int nr, const struct testcase *tc, const struct test_options *opt,
			struct gpu *gpu)
{
	struct gpu_timeouts saved;
	bool ok;

	if (strncmp(tc->name, "hang", 4))
		return run_one(nr, tc, opt);
	gpu_timeouts_shorten(gpu, &saved);
	ok = run_one(nr, tc, opt);
	gpu_timeouts_restore(gpu, &saved);
	return ok;
}

void test_list(void)
{
	for (size_t g = 0; g < ARRAY_SIZE(groups); g++)
		for (size_t i = 0; i < groups[g]->count; i++)
			printf("%s\n", groups[g]->tests[i].name);
}

static unsigned int count_chosen(const struct test_options *opt)
{
	unsigned int n = 0;

	for (size_t g = 0; g < ARRAY_SIZE(groups); g++)
		for (size_t i = 0; i < groups[g]->count; i++)
			n += is_chosen(&groups[g]->tests[i], opt);
	return n;
}

int test_run_all(const struct test_options *opt)
{
	unsigned int nr = 0, failed = 0, total = count_chosen(opt);
	struct gpu gpu;
	int err;

	if (!total) {
		fprintf(stderr, "i915_test: no test matches --run; see --list\n");
		return -ENOENT;
	}
	err = gpu_open(&gpu, opt->device);
	if (err)
		return err;

	printf("KTAP version 1\n1..%u\n", total);
	for (size_t g = 0; g < ARRAY_SIZE(groups); g++)
		for (size_t i = 0; i < groups[g]->count; i++) {
			const struct testcase *tc = &groups[g]->tests[i];

			if (is_chosen(tc, opt))
				failed += !run_guarded(++nr, tc, opt, &gpu);
		}
	printf("# passed: %u of %u\n", total - failed, total);
	fflush(stdout);
	gpu_close(&gpu);
	return (int)failed;
}
