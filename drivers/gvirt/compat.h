/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that gvirt builds on. This is the only file
 * of the module that may look at LINUX_VERSION_CODE.
 *
 * Oldest kernel: 6.12 (Debian 13). Newest that is tested: 7.3.
 */
#ifndef GVIRT_COMPAT_H
#define GVIRT_COMPAT_H

#include <linux/version.h>

#if LINUX_VERSION_MAJOR < 6 || (LINUX_VERSION_MAJOR == 6 && LINUX_VERSION_PATCHLEVEL < 12)
#error "gvirt needs Linux 6.12 or newer"
#endif

#endif
