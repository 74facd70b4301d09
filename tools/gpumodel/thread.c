// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the host schedules the model's threads.
 *
 * Source: Linux, include/uapi/linux/sched/types.h and kernel/sched/syscalls.c
 * (__setparam_fair: what sched_runtime is for an ordinary thread).
 */
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/types.h>
#include "thread.h"

/* The shortest that the kernel grants. */
#define SLICE_NS	100000u
/* The clock's slack for pauses, instead of 50 us. */
#define TIMER_SLACK_NS	1000ul

/* The kernel's struct sched_attr in its first version, which glibc has only lately. */
struct attr {
	u32 size;
	u32 policy;
	u64 flags;
	s32 nice;
	u32 priority;
	u64 runtime;
	u64 deadline;
	u64 period;
};

void gm_thread_hurry(void)
{
	struct attr attr = {
		.size = sizeof(attr),
		.policy = SCHED_OTHER,
		.nice = getpriority(PRIO_PROCESS, 0),
		.runtime = SLICE_NS,
	};

	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
	syscall(SYS_sched_setattr, 0, &attr, 0);
}
