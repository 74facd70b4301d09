/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bit macros of the kernel's <linux/bits.h> that include/gvirt uses, for
 * programs in userspace.
 */
#ifndef GVIRT_TOOLS_LINUX_BITS_H
#define GVIRT_TOOLS_LINUX_BITS_H

#define BIT(nr)			(1U << (nr))
#define BIT_ULL(nr)		(1ULL << (nr))
#define GENMASK(high, low)	((~0U << (low)) & (~0U >> (31 - (high))))
#define GENMASK_ULL(high, low)	((~0ULL << (low)) & (~0ULL >> (63 - (high))))

#endif
