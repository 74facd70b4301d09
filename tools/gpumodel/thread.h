/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the host schedules the model's threads.
 */
#ifndef GM_THREAD_H
#define GM_THREAD_H

/**
 * gm_thread_hurry() - Ask that the calling thread runs soon after it wakes
 *
 * For threads that others wait for in real time: a chip does not queue for a
 * processor. It asks for a short time slice, by which Linux from 6.12 on lets the
 * thread preempt those with a longer one; its share of the processor stays the
 * same, and no privilege is needed. Older kernels ignore it.
 */
void gm_thread_hurry(void);

#endif
