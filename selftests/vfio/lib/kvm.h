/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs that bring a VM of their own ask of KVM.
 */
#ifndef VFIO_LIB_KVM_H
#define VFIO_LIB_KVM_H

/**
 * kvm_call() - ioctl() that fails the test when it fails
 * @fd: file of KVM's, of a VM, of a CPU, or of VFIO's
 * @cmd: the call
 * @arg: its argument
 * @what: names it in the message
 *
 * Return: what it returned, 0 or above.
 */
int kvm_call(int fd, unsigned long cmd, void *arg, const char *what);

/**
 * kvm_join_group() - Let KVM know of a VFIO group before its device is opened, as QEMU does
 * @vm: file of the VM
 * @group: file of the group
 *
 * Return: a file, as long as which is open KVM knows of it.
 */
int kvm_join_group(int vm, int group);

#endif
