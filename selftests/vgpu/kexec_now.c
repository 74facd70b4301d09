// SPDX-License-Identifier: GPL-2.0-only
/*
 * Starts another kernel in the place of the running one, in a guest:
 *
 *	kexec_now KERNEL INITRD CMDLINE
 *
 * Drivers shut their devices down, as for a reboot, but nobody resets the machine.
 */
#include <fcntl.h>
#include <linux/reboot.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int kernel, initrd;

	if (argc != 4) {
		fprintf(stderr, "usage: %s KERNEL INITRD CMDLINE\n", argv[0]);
		return 64;
	}
	kernel = open(argv[1], O_RDONLY);
	initrd = open(argv[2], O_RDONLY);
	if (kernel < 0 || initrd < 0 ||
	    syscall(SYS_kexec_file_load, kernel, initrd, strlen(argv[3]) + 1, argv[3], 0ul)) {
		perror("kexec_file_load");
		return 1;
	}
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_KEXEC, NULL);
	perror("reboot");
	return 1;
}
