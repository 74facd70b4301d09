// SPDX-License-Identifier: GPL-2.0-only
/*
 * A guest that computes on its vGPU, on all engines, beside whatever others do (lib/beside): as
 * long as nothing comes on standard input. See selftests/vgpu/lives.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "lib/beside.h"
#include "lib/program.h"

static void neighbour(void)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	beside_start(0, 1);
	printf("# computing\n");
	fflush(stdout);
	/* However long that takes. */
	alarm(0);
	EXPECT(read(STDIN_FILENO, &byte, 1) >= 0);
	beside_stop();
}

static const struct testcase tests[] = {
	{ "neighbour", neighbour },
};

int main(int argc, char **argv)
{
	return program_main(argc, argv, tests, ARRAY_SIZE(tests));
}
