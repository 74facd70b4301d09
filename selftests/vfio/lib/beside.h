/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guests that compute beside a test, each in a process of its own, on all engines of its
 * vGPU. Every dword of what they compute is looked at, so that work that is lost, or carried
 * out twice, in part or as a whole, or told of in another order, does not go unnoticed.
 */
#ifndef VFIO_LIB_BESIDE_H
#define VFIO_LIB_BESIDE_H

/**
 * beside_start() - Start them
 * @first: number of the first device, see target()
 * @count: how many
 *
 * Returns when each has a result.
 */
void beside_start(unsigned int first, unsigned int count);

/**
 * beside_check() - Expect that each goes on: another result of each engine
 */
void beside_check(void);

/**
 * beside_stop() - Expect that each goes on, then end them
 */
void beside_stop(void);

#endif
