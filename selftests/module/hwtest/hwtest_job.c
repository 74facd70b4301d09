// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jobs: contexts with a few commands in their rings.
 */
#include <linux/array_size.h>
#include <gvirt/gen9_cmds.h>
#include "hw/gpu.h"
#include "hwtest.h"

/* Dword of a job's status page that it waits for. */
#define FLAG		0x100

u32 *job_dword(struct job *job, unsigned int n)
{
	return (u32 *)job->context.state.data + n;
}

u32 job_address(const struct job *job, unsigned int n)
{
	return job->context.state.address + n * sizeof(u32);
}

int job_emit_store(struct job *job, u32 where, u32 value)
{
	const u32 commands[] = {
		GEN9_MI_STORE_DATA_IMM | GEN9_MI_STORE_GGTT | (4 - GEN9_CMD_LENGTH_BIAS),
		where, 0, value,
		GEN9_MI_USER_INTERRUPT,
		GEN9_MI_NOOP,
	};

	return gvirt_context_emit(&job->context, commands, ARRAY_SIZE(commands));
}

int job_emit_count(struct job *job)
{
	const u32 commands[] = {
		GEN9_MI_ATOMIC | GEN9_MI_ATOMIC_GGTT |
			GEN9_ATOMIC_INC << GEN9_MI_ATOMIC_OP_SHIFT | (3 - GEN9_CMD_LENGTH_BIAS),
		job_address(job, RESULT), 0,
	};

	return gvirt_context_emit(&job->context, commands, ARRAY_SIZE(commands));
}

/* Waits until the CPU sets the job's flag. */
int job_emit_wait(struct job *job)
{
	const u32 commands[] = {
		GEN9_MI_SEMAPHORE_WAIT | GEN9_MI_SEMAPHORE_GGTT | GEN9_MI_SEMAPHORE_POLL |
			GEN9_MI_SEMAPHORE_SAD_EQ_SDD << GEN9_MI_SEMAPHORE_COMPARE_SHIFT |
			(4 - GEN9_CMD_LENGTH_BIAS),
		1, job_address(job, FLAG), 0,
	};

	return gvirt_context_emit(&job->context, commands, ARRAY_SIZE(commands));
}

int job_emit_arbitration(struct job *job, bool on)
{
	const u32 command = GEN9_MI_ARB_ON_OFF | (on ? GEN9_MI_ARB_ENABLE : 0);

	return gvirt_context_emit(&job->context, &command, 1);
}

void job_release(struct job *job)
{
	WRITE_ONCE(*job_dword(job, FLAG), 1);
}

u32 job_result(struct job *job)
{
	return READ_ONCE(*job_dword(job, RESULT));
}

int job_init(struct job *job, struct gvirt_gpu *gpu, enum gvirt_engine_id engine)
{
	return gvirt_context_init(&job->context, engine, &gpu->ggtt, &gpu->scratch, 2 * PAGE_SIZE);
}

void job_fini(struct job *job)
{
	gvirt_context_fini(&job->context);
}
