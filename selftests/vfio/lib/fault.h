/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page faults.
 */
#ifndef VFIO_LIB_FAULT_H
#define VFIO_LIB_FAULT_H

#include "work.h"

/**
 * fault_start() - Let the engine stop at a store to an address whose entry is not valid
 * @work: whose context; the batch stores a one to its target first
 * @va: the address
 */
void fault_start(struct work *work, u64 va);

/**
 * fault_expect() - Expect the fault in the guest's registers, and take it out
 * @work: whose
 * @va: where
 */
void fault_expect(struct work *work, u64 va);

#endif
