/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's ARRAY_SIZE() for programs in userspace.
 */
#ifndef GVIRT_TOOLS_LINUX_ARRAY_SIZE_H
#define GVIRT_TOOLS_LINUX_ARRAY_SIZE_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#endif
