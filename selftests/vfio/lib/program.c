// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line of the programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

#define TARGETS 3

static const char *names[TARGETS];
static unsigned int name_count;
static const char *control_dir;

static void print_usage(const char *program)
{
	fprintf(stderr, "usage: %s --device NAME [--device NAME]... [--control DIR]\n"
		"NAME: an mdev's path, a PCI address bound to vfio-pci, or the model's socket\n"
		"DIR: where somebody carries out commands to the model\n",
		program);
	exit(64);
}

int program_groups(int argc, char **argv, const struct testgroup *const *groups, size_t count)
{
	int i;

	for (i = 1; i < argc; i += 2) {
		if (i + 1 < argc && !strcmp(argv[i], "--device") && name_count < TARGETS)
			names[name_count++] = argv[i + 1];
		else if (i + 1 < argc && !strcmp(argv[i], "--control"))
			control_dir = argv[i + 1];
		else
			print_usage(argv[0]);
	}
	if (!name_count)
		print_usage(argv[0]);
	return test_run_groups(groups, count) != 0;
}

int program_main(int argc, char **argv, const struct testcase *tests, size_t count)
{
	const struct testgroup group = { tests, count };
	const struct testgroup *const groups[] = { &group };

	return program_groups(argc, argv, groups, ARRAY_SIZE(groups));
}

const char *target(unsigned int n)
{
	if (n >= name_count)
		test_skip("this takes %u devices", n + 1);
	return names[n];
}

const char *control(void)
{
	if (!control_dir)
		test_skip("this takes somebody who carries out commands to the model");
	return control_dir;
}

bool target_virtual(void)
{
	return strstr(target(0), "/mdev/");
}
