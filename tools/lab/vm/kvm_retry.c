// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded into a guest's QEMU where the host VM's CPU is an emulated one: lets a guest go on
 * that KVM has stopped by a mistake of that CPU.
 *
 * When a guest has taken an exception of its own, QEMU's TCG clears the valid bit of the VMCB's
 * event_inj, but not the type (do_interrupt_all() in target/i386/tcg/seg_helper.c), and copies
 * both to exit_int_info at the next exit (do_vmexit() in svm_helper.c). KVM of 7.3 looks at the
 * type alone (svm_check_emulate_instruction() in arch/x86/kvm/svm/svm.c): a store to a device
 * that comes next is taken for one in the middle of an event's delivery, which cannot be
 * emulated, and QEMU ends the guest with "KVM internal error. Suberror: 3". Nothing has happened
 * to the guest by then. Run again, it does the same store once more, with event_inj as new.
 *
 * A guest that this does not help goes on for ever; tools/lab/guest bounds that.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/kvm.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define MESSAGES	8u
#define VCPUS_MAX	64

/* What is mapped of the files that KVM_RUN is for. */
static struct kvm_run *_Atomic runs[VCPUS_MAX];
static _Atomic int vcpus[VCPUS_MAX];	/* file and 1; 0: free */

static int (*real_ioctl)(int fd, unsigned long request, ...);
static void *(*real_mmap)(void *addr, size_t length, int prot, int flags, int fd, off_t offset);

static void __attribute__((constructor)) find_real(void)
{
	real_ioctl = dlsym(RTLD_NEXT, "ioctl");
	real_mmap = dlsym(RTLD_NEXT, "mmap");
}

static struct kvm_run *run_of(int fd)
{
	unsigned int i;

	for (i = 0; i < VCPUS_MAX; i++)
		if (atomic_load(&vcpus[i]) == fd + 1)
			return atomic_load(&runs[i]);
	return NULL;
}

/* QEMU maps a vCPU's file first of all at 0; other files are never asked to run. */
static void note_mapping(int fd, void *addr)
{
	unsigned int i;
	int none;

	for (i = 0; i < VCPUS_MAX; i++) {
		none = 0;
		if (atomic_load(&vcpus[i]) == fd + 1 ||
		    atomic_compare_exchange_strong(&vcpus[i], &none, fd + 1)) {
			atomic_store(&runs[i], addr);
			return;
		}
	}
}

void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
	void *mapping;

	if (!real_mmap)
		find_real();
	mapping = real_mmap(addr, length, prot, flags, fd, offset);
	if (fd >= 0 && !offset && mapping != MAP_FAILED && prot == (PROT_READ | PROT_WRITE) &&
	    flags == MAP_SHARED)
		note_mapping(fd, mapping);
	return mapping;
}

void *mmap64(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
	__attribute__((alias("mmap")));

static int is_mistake(const struct kvm_run *run)
{
	return run && run->exit_reason == KVM_EXIT_INTERNAL_ERROR &&
	       run->internal.suberror == KVM_INTERNAL_ERROR_DELIVERY_EV;
}

static void tell(void)
{
	static _Atomic unsigned int told;

	if (atomic_fetch_add(&told, 1) < MESSAGES)
		fprintf(stderr, "kvm_retry: a store to a device is done again\n");
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;
	int ret;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (!real_ioctl)
		find_real();
	ret = real_ioctl(fd, request, arg);
	while (request == KVM_RUN && !ret && is_mistake(run_of(fd))) {
		tell();
		ret = real_ioctl(fd, request, arg);
	}
	return ret;
}
