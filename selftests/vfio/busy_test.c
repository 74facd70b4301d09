// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two guests whose work never ends, each on an engine of its own: until somebody kills them, or
 * the host below them starts another kernel, see selftests/vfio/kexec.
 */
#include <stdio.h>
#include <unistd.h>

#include "lib/program.h"
#include "lib/spin.h"

#define GUESTS 2

static struct work guests[GUESTS];

static void busy(void)
{
	static const enum engine_id engines[GUESTS] = { RCS, BCS };
	unsigned int n;

	for (n = 0; n < GUESTS; n++) {
		work_start(&guests[n], target(n), engines[n], 4);
		spin_start(&guests[n], SPIN_LOOP);
	}
	printf("# at work\n");
	fflush(stdout);
	/* However long that takes. */
	alarm(0);
	pause();
}

static const struct testcase tests[] = {
	{ "busy", busy },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
