// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of KVM.
 */
#include <errno.h>
#include <linux/kvm.h>
#include <linux/types.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../ktap.h"
#include "kvm.h"

int kvm_call(int fd, unsigned long cmd, void *arg, const char *what)
{
	int ret = ioctl(fd, cmd, arg);

	if (ret < 0)
		test_fail("%s: %s", what, strerror(errno));
	return ret;
}

int kvm_join_group(int vm, int group)
{
	struct kvm_create_device device = { .type = KVM_DEV_TYPE_VFIO };
	struct kvm_device_attr attr = {
		.group = KVM_DEV_VFIO_GROUP,
		.attr = KVM_DEV_VFIO_GROUP_ADD,
		.addr = (uintptr_t)&group,
	};

	kvm_call(vm, KVM_CREATE_DEVICE, &device, "KVM_CREATE_DEVICE");
	kvm_call(device.fd, KVM_SET_DEVICE_ATTR, &attr, "KVM_DEV_VFIO_GROUP_ADD");
	return device.fd;
}
