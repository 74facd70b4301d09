/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Forced in front of every file of the i915 that check-live builds: fault
 * injection for a kernel that has none. i915's selftests set an attribute by
 * hand and ask should_fail(); that is all that is needed of it. The kernel's own
 * header is kept out by its guard.
 */
#ifndef GVIRT_LIVE_SHIM_H
#define GVIRT_LIVE_SHIM_H

#ifndef __ASSEMBLY__
#define _LINUX_FAULT_INJECT_H

#include <linux/types.h>

/**
 * struct fault_attr - when to fail
 * @probability: 100 and more is always, 0 is never; nothing between is used
 * @interval: every how many calls; 0 and 1 are every call
 * @times: how often in all, -1 for no limit
 * @calls: calls so far
 */
struct fault_attr {
	unsigned long probability;
	unsigned long interval;
	atomic_t times;
	unsigned long calls;
};

bool should_fail(struct fault_attr *attr, ssize_t size);

#endif
#endif
