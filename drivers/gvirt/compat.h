/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that gvirt builds on. This is the only file
 * of the module that may look at LINUX_VERSION_CODE.
 *
 * Oldest kernel: 6.12 (Debian 13). Newest that is tested: 7.3.
 */
#ifndef GVIRT_COMPAT_H
#define GVIRT_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/version.h>

#if LINUX_VERSION_MAJOR < 6 || (LINUX_VERSION_MAJOR == 6 && LINUX_VERSION_PATCHLEVEL < 12)
#error "gvirt needs Linux 6.12 or newer"
#endif

/*
 * Until 6.12 KVM takes a reference of a page that it finds in a VM_PFNMAP mapping, and
 * ends the VM where the page itself has none: inside a huge page (kvm_try_get_pfn() in
 * virt/kvm/kvm_main.c).
 */
#define GVIRT_COMPAT_KVM_MAPS_ANY_PAGE	\
	(LINUX_VERSION_MAJOR >= 7 || LINUX_VERSION_PATCHLEVEL >= 13)

/* Timers: from 6.13 on set up in one call. */
static inline void gvirt_compat_hrtimer_setup(struct hrtimer *timer,
					      enum hrtimer_restart (*fn)(struct hrtimer *timer))
{
#if LINUX_VERSION_MAJOR >= 7 || LINUX_VERSION_PATCHLEVEL >= 13
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	timer->function = fn;
#endif
}

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
	struct vfio_info_cap __caps = { .size = 0 };					\
	struct vfio_region_info __info = { .cap_offset = 0 };				\
	void __user *__arg = (arg);							\
	long __ret = -EINVAL;								\
											\
	if (copy_from_user(&__info, __arg, __size))					\
		__ret = -EFAULT;							\
	else if (__info.argsz >= __size)						\
		__ret = (fn)(vdev, &__info, &__caps);					\
	__info.cap_offset = 0;								\
	if (!__ret && __caps.size) {							\
		__info.flags |= VFIO_REGION_INFO_FLAG_CAPS;				\
		if (__info.argsz >= sizeof(__info) + __caps.size) {			\
			vfio_info_cap_shift(&__caps, sizeof(__info));			\
			__info.cap_offset = sizeof(__info);				\
			if (copy_to_user(__arg + sizeof(__info), __caps.buf, __caps.size))\
				__ret = -EFAULT;					\
		} else {								\
			__info.argsz = sizeof(__info) + __caps.size;			\
		}									\
	}										\
	kfree(__caps.buf);								\
	if (!__ret && copy_to_user(__arg, &__info, __size))				\
		__ret = -EFAULT;							\
	__ret;										\
})
#endif

#endif
