/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work that does not end by itself.
 */
#ifndef VFIO_LIB_SPIN_H
#define VFIO_LIB_SPIN_H

#include "work.h"

/**
 * enum spin_kind - How it does not end
 * @SPIN_WAIT: waits for spin_release(); can be preempted
 * @SPIN_LOOP: a batch that starts itself for ever, counting; can be preempted
 * @SPIN_HOG: the same, and forbids preemption
 * @SPIN_KINDS: how many
 */
enum spin_kind {
	SPIN_WAIT,
	SPIN_LOOP,
	SPIN_HOG,
	SPIN_KINDS
};

/**
 * spin_request() - Append it to a context's ring
 * @work: whose target it uses
 * @ctx: the context
 * @kind: which
 *
 * Return: seqno of its end.
 */
u32 spin_request(struct work *work, struct ctx *ctx, enum spin_kind kind);

/**
 * spin_start() - Submit it and wait until it runs
 * @work: whose context
 * @kind: which
 *
 * Return: seqno of its end.
 */
u32 spin_start(struct work *work, enum spin_kind kind);

/**
 * spin_release() - Let SPIN_WAIT end
 * @work: whose
 */
void spin_release(struct work *work);

/**
 * spin_count() - How often a loop went round
 * @work: whose
 *
 * Return: the number; SPIN_WAIT says 1 as long as it runs.
 */
u32 spin_count(struct work *work);

/**
 * spin_expect_stopped() - Expect that a loop goes round no more
 * @work: whose
 */
void spin_expect_stopped(struct work *work);

#endif
