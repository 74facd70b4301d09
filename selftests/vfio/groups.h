/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The groups of tests, one per file.
 */
#ifndef VFIO_GROUPS_H
#define VFIO_GROUPS_H

#include "ktap.h"

extern const struct testgroup life_tests;
extern const struct testgroup config_tests;
extern const struct testgroup regs_tests;
extern const struct testgroup effects_tests;
extern const struct testgroup memory_tests;
extern const struct testgroup irq_tests;
extern const struct testgroup calls_tests;

#endif
