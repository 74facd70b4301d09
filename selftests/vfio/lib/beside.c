// SPDX-License-Identifier: GPL-2.0-only
/*
 * A round is a list of two contexts for each engine, with a batch each that counts, where
 * it can be preempted at each step. Memory is used up to the first round only.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <gvirt/gen9_lrc.h>

#include "beside.h"
#include "program.h"
#include "work.h"

#define GUESTS		2
#define STEPS		100u
#define POLL_US		5000
/* Rounds that are under way when a fault comes, and one that is not. */
#define ROUNDS		3

/**
 * struct shared - What both sides see
 * @stop: all are to end
 * @rounds: that each has done
 */
struct shared {
	bool stop;
	u32 rounds[GUESTS];
};

/**
 * struct part - What a guest has on an engine
 * @ctx: its contexts
 * @ring: commands of a request of each
 */
struct part {
	struct ctx ctx[2];
	struct cmds ring[2];
};

static struct shared *shared;
static unsigned int guests;
static unsigned int first_device;
static pid_t pids[GUESTS];

static unsigned int dword_of(unsigned int engine, unsigned int n)
{
	return 2 * engine + n;
}

static void make_part(struct work *work, struct part *part, unsigned int engine)
{
	unsigned int n, i;

	for (n = 0; n < 2; n++) {
		struct cmds batch = { };

		ctx_init(&part->ctx[n], &work->guest.engine[engine], &work->pp);
		for (i = 0; i < STEPS; i++) {
			emit_arb_check(&batch);
			emit_increment(&batch, PPGTT, work->target_va + 4 * dword_of(engine, n));
		}
		work_batch(work, &part->ring[n], &batch);
	}
}

static void run_part(struct work *work, struct part *part, unsigned int id, u32 round)
{
	struct engine *engine = &work->guest.engine[id];
	u32 seqno[2];
	unsigned int n;

	for (n = 0; n < 2; n++)
		seqno[n] = ctx_request(&part->ctx[n], &part->ring[n]);
	engine_submit(engine, &part->ctx[0], &part->ctx[1]);
	engine_expect(engine, GEN9_CSB_IDLE_TO_ACTIVE, NULL);
	engine_expect(engine, GEN9_CSB_ELEMENT_SWITCH | GEN9_CSB_COMPLETE, &part->ctx[0]);
	engine_expect(engine, GEN9_CSB_ACTIVE_TO_IDLE | GEN9_CSB_COMPLETE, &part->ctx[1]);
	for (n = 0; n < 2; n++) {
		ctx_wait(&part->ctx[n], seqno[n]);
		guest_expect(&work->guest, work_dword(work, dword_of(id, n)), (round + 1) * STEPS,
			     "what an innocent guest counts");
	}
}

static void __noreturn compute(unsigned int n)
{
	static struct work work;
	static struct part part[ENGINES];
	unsigned int id;
	u32 round;

	/* Should the test end before. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	work_start(&work, target(first_device + n), RCS, 4);
	for (id = 0; id < ENGINES; id++)
		make_part(&work, &part[id], id);
	for (round = 0; !__atomic_load_n(&shared->stop, __ATOMIC_ACQUIRE); round++) {
		for (id = 0; id < ENGINES; id++)
			run_part(&work, &part[id], id, round);
		__atomic_add_fetch(&shared->rounds[n], 1, __ATOMIC_RELEASE);
	}
	work_stop(&work);
	fflush(stdout);
	_exit(EXIT_SUCCESS);
}

static void wait_rounds(unsigned int n, u32 rounds)
{
	u64 end = vdev_now_ms() + 2 * PATIENCE_MS;
	int status;

	while (__atomic_load_n(&shared->rounds[n], __ATOMIC_ACQUIRE) < rounds) {
		if (waitpid(pids[n], &status, WNOHANG) == pids[n])
			test_fail("innocent guest %u has ended, status %#x", n, status);
		if (vdev_now_ms() > end)
			test_fail("innocent guest %u does not get on", n);
		usleep(POLL_US);
	}
}

void beside_check(void)
{
	u32 rounds[GUESTS];
	unsigned int n;

	for (n = 0; n < guests; n++)
		rounds[n] = __atomic_load_n(&shared->rounds[n], __ATOMIC_ACQUIRE);
	for (n = 0; n < guests; n++)
		wait_rounds(n, rounds[n] + ROUNDS);
}

void beside_start(unsigned int first, unsigned int count)
{
	unsigned int n;

	EXPECT(count <= GUESTS);
	target(first + count - 1);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	EXPECT(shared != MAP_FAILED);
	first_device = first;
	guests = count;
	fflush(stdout);
	for (n = 0; n < count; n++) {
		pids[n] = fork();
		EXPECT(pids[n] >= 0);
		if (!pids[n])
			compute(n);
	}
	beside_check();
}

void beside_stop(void)
{
	unsigned int n;
	int status;

	beside_check();
	__atomic_store_n(&shared->stop, true, __ATOMIC_RELEASE);
	for (n = 0; n < guests; n++) {
		EXPECT_EQ(waitpid(pids[n], &status, 0), pids[n]);
		if (status)
			test_fail("innocent guest %u: status %#x", n, status);
	}
}
