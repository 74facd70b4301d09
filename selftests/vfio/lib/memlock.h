/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The limit of locked memory, against which a VMM's pinned pages count.
 */
#ifndef VFIO_LIB_MEMLOCK_H
#define VFIO_LIB_MEMLOCK_H

#include <stdbool.h>
#include <sys/resource.h>
#include <linux/types.h>

/**
 * memlock_ignore() - Say whether the limit does not count for this process
 * @on: it does not: CAP_IPC_LOCK is in effect
 */
void memlock_ignore(bool on);

/**
 * memlock_limit() - Set the limit, RLIMIT_MEMLOCK
 * @bytes: or RLIM_INFINITY
 */
void memlock_limit(rlim_t bytes);

/**
 * memlock_used() - What counts against the limit now
 *
 * Return: bytes.
 */
u64 memlock_used(void);

#endif
