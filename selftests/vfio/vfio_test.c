// SPDX-License-Identifier: GPL-2.0-only
/*
 * A guest's driver in user space, to test the vGPUs of gvirt.ko: vm/vfio loads the module and
 * starts it.
 *
 *   vfio_test		runs all tests, prints KTAP
 *   vfio_test --hold ID	makes vGPU ID, says so, and keeps it open until it is killed
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "groups.h"
#include "vgpu.h"

static int hold(unsigned int id)
{
	struct vgpu vgpu;

	if (vgpu_create(id))
		return EXIT_FAILURE;
	vgpu_open(&vgpu, id);
	printf("open\n");
	fflush(stdout);
	pause();
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	static const struct testgroup *const groups[] = {
		&life_tests, &config_tests, &regs_tests, &effects_tests, &memory_tests,
		&irq_tests, &calls_tests,
	};

	if (argc == 3 && !strcmp(argv[1], "--hold"))
		return hold(strtoul(argv[2], NULL, 0));
	return test_run_groups(groups, ARRAY_SIZE(groups)) != 0;
}
