// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command whose processes get the CPU for 100 ms at a time, as far as nobody with shorter
 * slices wants it:
 *
 *	long_slices COMMAND [ARGUMENT]...
 *
 * Many guests on one emulated CPU do hardly more than switch and serve their timers in slices of
 * a few ms. Takes Linux 6.12.
 */
#include <errno.h>
#include <linux/sched/types.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The longest there is. */
#define SLICE_NS 100000000

int main(int argc, char **argv)
{
	struct sched_attr attr = { .size = sizeof(attr), .sched_runtime = SLICE_NS };

	if (argc < 2) {
		fprintf(stderr, "usage: %s COMMAND [ARGUMENT]...\n", argv[0]);
		return 64;
	}
	if (syscall(SYS_sched_setattr, 0, &attr, 0)) {
		fprintf(stderr, "%s: sched_setattr: %s\n", argv[0], strerror(errno));
		return 1;
	}
	execvp(argv[1], argv + 1);
	fprintf(stderr, "%s: %s: %s\n", argv[0], argv[1], strerror(errno));
	return 127;
}
