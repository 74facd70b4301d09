/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A guest that throws random things at its GPU.
 */
#ifndef VFIO_SOAK_H
#define VFIO_SOAK_H

#include "lib/work.h"

/* After so many rounds the device is reset, and has to work again. */
#define SOAK_ROUNDS	24u
#define SOAK_LEVELS	4u
/* For batches: more than the rounds between two resets take. */
#define SOAK_PAGES	128u

/**
 * struct soak - The guest
 * @work: its GPU and memory
 * @ctx: a context for each engine
 * @table: the tables on the way to the target, by level
 * @page: pages for batches, mapped in both spaces
 * @pages: how many are used
 * @random: state of the random numbers
 *
 * Tables are not walked once they may be bad.
 */
struct soak {
	struct work work;
	struct ctx ctx[ENGINES];
	u64 *table[SOAK_LEVELS];
	struct page page[SOAK_PAGES];
	u32 pages;
	u64 random;
};

/**
 * soak_begin() - Make everything anew
 * @soak: the guest, whose device is open and reset
 */
void soak_begin(struct soak *soak);

/**
 * soak_round() - Do something at random
 * @soak: the guest
 * @seed: of this run
 * @round: number of the round: the same seed and number give the same round
 */
void soak_round(struct soak *soak, u64 seed, u32 round);

#endif
