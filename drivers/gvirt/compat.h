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

/*
 * Region information: from 6.19 on an operation of its own, whose caller copies
 * from and to the user; before, a call like any other.
 */
#if LINUX_VERSION_MAJOR >= 7 || LINUX_VERSION_PATCHLEVEL >= 19
#define GVIRT_COMPAT_REGION_INFO_OP(fn)			.get_region_info_caps = (fn),
#define gvirt_compat_region_info(vdev, arg, fn)						\
	((void)(vdev), (void)(arg), (void)(fn), -ENOTTY)
#else
#define GVIRT_COMPAT_REGION_INFO_OP(fn)
#define gvirt_compat_region_info(vdev, arg, fn)						\
({											\
	const size_t __size = offsetofend(struct vfio_region_info, offset);		\
	struct vfio_region_info __info;							\
	void __user *__arg = (arg);							\
	long __ret = -EINVAL;								\
											\
	if (copy_from_user(&__info, __arg, __size))					\
		__ret = -EFAULT;							\
	else if (__info.argsz >= __size)						\
		__ret = (fn)(vdev, &__info, NULL);					\
	if (!__ret && copy_to_user(__arg, &__info, __size))				\
		__ret = -EFAULT;							\
	__ret;										\
})
#endif

#endif
