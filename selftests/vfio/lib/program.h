/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame of a program whose tests have GPUs as their targets.
 *
 *   PROGRAM --device NAME [--device NAME]... [--control DIR]	(see vdev_open(), model.h)
 */
#ifndef VFIO_LIB_PROGRAM_H
#define VFIO_LIB_PROGRAM_H

#include "../ktap.h"
#include "guest.h"

/**
 * program_main() - Run tests on the devices of the command line
 * @argc: of main()
 * @argv: of main()
 * @tests: the tests
 * @count: how many
 *
 * Return: exit status.
 */
int program_main(int argc, char **argv, const struct testcase *tests, size_t count);

/**
 * program_groups() - Run groups of tests on the devices of the command line
 * @argc: of main()
 * @argv: of main()
 * @groups: the groups
 * @count: how many
 *
 * Return: exit status.
 */
int program_groups(int argc, char **argv, const struct testgroup *const *groups, size_t count);

/**
 * target() - Name of a device that the tests are for
 * @n: 0 to 2
 *
 * Skips the running test when there are not that many.
 *
 * Return: the name.
 */
const char *target(unsigned int n);

/**
 * control() - Where commands to the model go
 *
 * Skips the running test when nobody carries them out.
 *
 * Return: the directory.
 */
const char *control(void);

/**
 * target_virtual() - Is it a vGPU?
 *
 * Return: whether the first device is one.
 */
bool target_virtual(void);

#endif
