/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All of an address space by the guest's tables and by the shadow, side by side.
 */
#ifndef SHADOW_ORACLE_H
#define SHADOW_ORACLE_H

#include <linux/types.h>

struct gvirt_ppgtt;

/**
 * oracle_compare() - Each address leads where the guest's tables lead, else this ends the test
 * @pp: address space that was synced
 * @scratch: the sync had more to try than its budget allows: scratch is right as well
 *
 * Each pair of a guest's table and the shadow that stands for it is gone through once,
 * wherever it stands.
 */
void oracle_compare(const struct gvirt_ppgtt *pp, bool scratch);

#endif
