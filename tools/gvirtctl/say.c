// SPDX-License-Identifier: GPL-2.0-only
/*
 * Complaints: see say.h. Documentation/refusals.rst has more on most of them.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "files.h"
#include "say.h"

enum status say(enum status status, const char *format, ...)
{
	va_list args;

	fputs("gvirtctl: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return status;
}

enum status say_no_gvirt(void)
{
	char *modules = files_path("sys/module");

	if (!files_there(modules, "gvirt"))
		say(STATUS_NO_GVIRT,
		    "gvirt is not loaded. Try 'modprobe gvirt'; if that fails, 'dmesg | grep gvirt' says why");
	else
		say(STATUS_NO_GVIRT,
		    "gvirt is loaded but drives no GPU. 'echo ADDRESS > /sys/bus/pci/drivers/gvirt/bind' gives it one (lspci -d 8086::0300 and lspci -d 8086::0380 show addresses)");
	free(modules);
	return STATUS_NO_GVIRT;
}

enum status say_no_vgpu(const struct tree *tree, const char *uuid)
{
	if (!tree->gpu_count)
		return say_no_gvirt();
	return say(STATUS_MISSING, "there is no vGPU %s. 'gvirtctl list' shows those that there are",
		   uuid);
}

enum status say_no_device(const struct tree *tree, const char *name)
{
	if (!tree->gpu_count)
		return say_no_gvirt();
	return say(STATUS_MISSING,
		   "there is no vGPU and no GPU %s. 'gvirtctl list' shows vGPUs, 'gvirtctl types' GPUs",
		   name);
}

enum status say_error(int err, const char *what)
{
	switch (-err) {
	case EACCES:
	case EPERM:
		return say(STATUS_DENIED, "%s: %s. Be root, e.g. by sudo", what, strerror(-err));
	case EROFS:
		return say(STATUS_DENIED, "%s: sysfs is mounted read-only here, as in a container",
			   what);
	case ENOENT:
	case ENODEV:
		return say(STATUS_MISSING, "%s: it has gone away meanwhile", what);
	default:
		return say(STATUS_REFUSED, "%s: %s. 'dmesg | tail' may say more", what,
			   strerror(-err));
	}
}
