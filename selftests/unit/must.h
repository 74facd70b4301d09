/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What must hold, else the program ends: for what runs in unit tests and in fuzzers.
 */
#ifndef GVIRT_SELFTESTS_MUST_H
#define GVIRT_SELFTESTS_MUST_H

#include <stdio.h>
#include <stdlib.h>

#define MUST(condition)							\
	do {								\
		if (!(condition)) {					\
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort();					\
		}							\
	} while (0)

#endif
