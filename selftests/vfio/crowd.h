/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that do what they like with the same few vGPUs, whenever they like.
 */
#ifndef VFIO_CROWD_H
#define VFIO_CROWD_H

#include <linux/types.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

#include "lib/work.h"

/* They have these numbers. */
#define CROWD_VGPUS	3u
/* Bound of whatever is under way at the end; test_slow() times that. */
#define CROWD_END_MS	20000u

/**
 * crowd_share() - Memory that is shared with children
 * @size: bytes
 *
 * Return: zeros.
 */
void *crowd_share(size_t size);

/**
 * crowd_below() - A random number
 * @limit: it is smaller
 *
 * Return: the number; each process of the crowd has a sequence of its own.
 */
u32 crowd_below(u32 limit);

/**
 * crowd_start() - Start a process of the crowd
 * @be: what it does until it is told to stop
 * @seed: of its random numbers
 *
 * Return: its id; it does not outlive its parent.
 */
pid_t crowd_start(void (*be)(void), unsigned int seed);

/**
 * crowd_wait() - Wait for processes of the crowd
 * @pids: theirs
 * @count: how many
 * @what: are to end within CROWD_END_MS without an error
 */
void crowd_wait(const pid_t *pids, unsigned int count, const char *what);

/**
 * crowd_visits() - Be the user of one vGPU after the other, each time as a new process
 * @use: opens vGPU @id and sets @opened, if that works; ends the process
 * @stop: until this is set
 */
void crowd_visits(void (*use)(unsigned int id, atomic_bool *opened), const atomic_bool *stop);

/**
 * crowd_open() - Open a vGPU, or end this process without a word
 * @dev: gets it
 * @id: its number
 *
 * Who comes too late or is not alone gets nothing, which is no fault.
 */
void crowd_open(struct vdev *dev, unsigned int id);

/**
 * crowd_disturb() - Two threads reset a vGPU while a third one has it work, or tries to
 * @work: whose; it is as new afterwards
 */
void crowd_disturb(struct work *work);

/**
 * crowd_prove_new() - Make a vGPU, have it work, remove it
 * @id: its number
 */
void crowd_prove_new(unsigned int id);

#endif
