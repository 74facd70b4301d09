// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fuzzing guest beside a well-behaved one, for as long as one likes:
 *
 *	vfio_soak_test --device A --device B [--seconds N] [--seed S] [--first ROUND]
 *
 * The guest on A does random things; every so often its device is reset, and has to work then. The
 * one on B computes all the time, on all engines, and every result must be right. Seed and first
 * round give the same rounds again; rounds before a reset are needed for those after it only as far
 * as their multiple of SOAK_ROUNDS.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <gvirt/gen9_engine.h>

#include "ktap.h"
#include "soak.h"

#define REPORT_S	30

/**
 * struct options - Of the command line
 * @device: names of both devices
 * @seconds: how long
 * @seed: of the random numbers
 * @first: number of the first round
 */
struct options {
	const char *device[2];
	unsigned int seconds;
	u64 seed;
	u32 first;
};

/**
 * struct shared - What both processes see
 * @stop: the well-behaved guest shall end
 * @results: how many it had
 */
struct shared {
	bool stop;
	u64 results;
};

static struct shared *shared;

/* The well-behaved guest. */

/* Fibonacci numbers, by the engine's arithmetic. */
static void compute(struct work *work, struct ctx *ctx, u32 round)
{
	u32 gpr = ctx->engine->base + GEN9_RING_CS_GPR(0), a = round, b = 1, sum;
	struct cmds cmds = { }, ring = { };
	unsigned int i;

	emit_lri(&cmds, gpr, a);
	emit_lri(&cmds, gpr + 4, 0);
	emit_lri(&cmds, gpr + 8, b);
	emit_lri(&cmds, gpr + 12, 0);
	for (i = 0; i < 8; i++) {
		emit_add(&cmds, i % 2, 0, 1);
		sum = a + b;
		a = i % 2 ? a : sum;
		b = i % 2 ? sum : b;
	}
	emit_srm(&cmds, PPGTT, gpr, work->target_va + 16 * ctx->engine->id);
	emit_srm(&cmds, PPGTT, gpr + 8, work->target_va + 16 * ctx->engine->id + 4);
	work->batch_va = BATCH_VA;
	work_batch(work, &ring, &cmds);
	ctx_run(ctx, &ring);
	work_expect(work, 4 * ctx->engine->id, a);
	work_expect(work, 4 * ctx->engine->id + 1, b);
}

static void behave(const char *device)
{
	static struct work work;
	static struct ctx ctx[ENGINES];
	unsigned int id;
	u32 round;

	for (;;) {
		work_start(&work, device, RCS, 4);
		for (id = 0; id < ENGINES; id++)
			ctx_init(&ctx[id], &work.guest.engine[id], &work.pp);
		/* Each batch takes a page of the guest's memory. */
		for (round = 0; round < 1000; round++) {
			compute(&work, &ctx[round % ENGINES], round);
			shared->results++;
			if (__atomic_load_n(&shared->stop, __ATOMIC_ACQUIRE))
				break;
		}
		work_stop(&work);
		if (round < 1000)
			exit(EXIT_SUCCESS);
	}
}

/* The other one. */

static void check_neighbour(pid_t pid, u64 *seen, u32 round)
{
	int status;

	if (waitpid(pid, &status, WNOHANG) == pid)
		test_fail("the well-behaved guest ended at round %u, status %#x", round, status);
	if (*seen == shared->results)
		test_fail("the well-behaved guest stands still at round %u", round);
	*seen = shared->results;
}

/* What it left behind, in whatever state, is gone with a reset: everything works. */
static void renew(struct soak *soak)
{
	irq_fini(&soak->work.guest.irq);
	vdev_reset(&soak->work.guest.dev);
	soak_begin(soak);
	work_prove(&soak->work);
}

static u32 misbehave(const struct options *options, pid_t neighbour)
{
	u64 end = vdev_now_ms() + options->seconds * 1000ull, report = vdev_now_ms(), seen = 0;
	static struct soak soak;
	u32 round;

	work_start(&soak.work, options->device[0], RCS, 4);
	for (round = options->first; vdev_now_ms() < end; round++) {
		if (round == options->first || round % SOAK_ROUNDS == 0)
			renew(&soak);
		soak_round(&soak, options->seed, round);
		if (vdev_now_ms() - report < REPORT_S * 1000)
			continue;
		report = vdev_now_ms();
		check_neighbour(neighbour, &seen, round);
		printf("# round %u, %llu results beside it\n", round, (unsigned long long)seen);
		fflush(stdout);
	}
	renew(&soak);
	work_stop(&soak.work);
	return round - options->first;
}

static pid_t start_neighbour(const char *device)
{
	pid_t pid = fork();

	if (pid < 0)
		test_fail("cannot run a process: %s", strerror(errno));
	if (!pid)
		behave(device);
	return pid;
}

static void end_neighbour(pid_t pid)
{
	int status;

	__atomic_store_n(&shared->stop, true, __ATOMIC_RELEASE);
	if (waitpid(pid, &status, 0) != pid || status)
		test_fail("the well-behaved guest failed: status %#x", status);
}

static void parse(int argc, char **argv, struct options *options)
{
	unsigned int devices = 0;
	int i;

	for (i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--device") && devices < ARRAY_SIZE(options->device))
			options->device[devices++] = argv[i + 1];
		else if (!strcmp(argv[i], "--seconds"))
			options->seconds = (unsigned int)strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--seed"))
			options->seed = strtoull(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--first"))
			options->first = (u32)strtoul(argv[i + 1], NULL, 0);
		else
			break;
	}
	if (i == argc && devices == 2 && options->seconds)
		return;
	fprintf(stderr, "usage: %s --device MDEV --device MDEV [--seconds N] [--seed S] [--first ROUND]\n",
		argv[0]);
	exit(64);
}

int main(int argc, char **argv)
{
	struct options options = { .seconds = 600, .seed = (u64)time(NULL) };
	pid_t neighbour;
	u32 rounds;

	parse(argc, argv, &options);
	printf("KTAP version 1\n1..1\n# seed %llu, first round %u\n",
	       (unsigned long long)options.seed, options.first);
	fflush(stdout);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	EXPECT(shared != MAP_FAILED);
	neighbour = start_neighbour(options.device[1]);
	rounds = misbehave(&options, neighbour);
	end_neighbour(neighbour);
	printf("# %u rounds, %llu results beside them\nok 1 soak\n", rounds,
	       (unsigned long long)shared->results);
	return EXIT_SUCCESS;
}
