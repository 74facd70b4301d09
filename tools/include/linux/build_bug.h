/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's static_assert() for programs in userspace: the message may be
 * left out.
 */
#ifndef GVIRT_TOOLS_LINUX_BUILD_BUG_H
#define GVIRT_TOOLS_LINUX_BUILD_BUG_H

#undef static_assert
#define static_assert(condition, ...)	GVIRT_STATIC_ASSERT(condition, ##__VA_ARGS__, #condition)
#define GVIRT_STATIC_ASSERT(condition, message, ...) _Static_assert(condition, message)

#endif
