/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the test module's files share.
 */
#ifndef GVIRT_HWTEST_H
#define GVIRT_HWTEST_H

#include <linux/types.h>
#include "hw/context.h"

struct gvirt_gpu;

#define WAIT_MS		2000
/* Dword of a job's status page that it writes. */
#define RESULT		0x104

/**
 * struct job - A context, and what became of it
 * @context: it
 */
struct job {
	struct gvirt_context context;
};

/**
 * hwtest_expect() - An expectation of the test that runs
 * @holds: whether it is met; if not, the test fails and goes on
 * @what: in words
 * @test: the test's function
 * @line: where
 */
void hwtest_expect(bool holds, const char *what, const char *test, int line);

#define EXPECT(condition) hwtest_expect(condition, #condition, __func__, __LINE__)

/**
 * hwtest_report() - The test is over
 * @name: its name
 * @where: goes on with the name
 */
void hwtest_report(const char *name, const char *where);

/**
 * hwtest_may_ask() - Is there somebody who injects faults?
 *
 * Return: true if hwtest_ask() is of use.
 */
bool hwtest_may_ask(void);

/**
 * hwtest_ask() - Have a fault injected into the model
 * @what: arguments of the model's inject command
 *
 * Asks by a line in the log, and waits for the answer (parameter "done").
 *
 * Return: true when it was injected.
 */
bool hwtest_ask(const char *what);

/**
 * hwtest_fences() - The test of the chip's fences
 * @gpu: nobody uses it
 */
void hwtest_fences(struct gvirt_gpu *gpu);

/**
 * hwtest_sched() - All tests of the scheduler
 * @gpu: nobody uses it
 */
void hwtest_sched(struct gvirt_gpu *gpu);

/**
 * job_init() - Make a job without commands
 * @job: to be initialised
 * @gpu: which
 * @engine: where it will run
 *
 * Return: 0, -ENOMEM or -ENOSPC.
 */
int job_init(struct job *job, struct gvirt_gpu *gpu, enum gvirt_engine_id engine);

/**
 * job_fini() - Free it
 * @job: one that no engine has
 */
void job_fini(struct job *job);

/**
 * job_dword() - A dword of the status page
 * @job: whose
 * @n: which
 *
 * Return: it.
 */
u32 *job_dword(struct job *job, unsigned int n);

/**
 * job_address() - Where that is in the GGTT
 * @job: whose
 * @n: which
 *
 * Return: the address.
 */
u32 job_address(const struct job *job, unsigned int n);

/**
 * job_emit_store() - Write a value, and interrupt
 * @job: which
 * @where: GGTT address
 * @value: what to write
 *
 * Return: 0 or -ENOSPC.
 */
int job_emit_store(struct job *job, u32 where, u32 value);

/**
 * job_emit_count() - Add one to the job's RESULT
 * @job: which
 *
 * Return: 0 or -ENOSPC.
 */
int job_emit_count(struct job *job);

/**
 * job_emit_wait() - Wait for job_release()
 * @job: which
 *
 * Return: 0 or -ENOSPC.
 */
int job_emit_wait(struct job *job);

/**
 * job_emit_arbitration() - Allow to be preempted, or not
 * @job: which
 * @on: allow it
 *
 * Return: 0 or -ENOSPC.
 */
int job_emit_arbitration(struct job *job, bool on);

/**
 * job_release() - Let the job go on
 * @job: which
 */
void job_release(struct job *job);

/**
 * job_result() - What the job has written
 * @job: which
 *
 * Return: its RESULT.
 */
u32 job_result(struct job *job);

#endif
