/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In the place of the module's own.
 */
#ifndef GVIRT_SHIM_COMPAT_H
#define GVIRT_SHIM_COMPAT_H

#include "kernel.h"

static inline void gvirt_compat_hrtimer_setup(struct hrtimer *timer,
					      enum hrtimer_restart (*fn)(struct hrtimer *timer))
{
	*timer = (struct hrtimer) { .function = fn };
}

#endif
