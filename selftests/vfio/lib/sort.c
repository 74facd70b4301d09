// SPDX-License-Identifier: GPL-2.0-only
/*
 * Figures in order: see sort.h.
 */
#include <stdlib.h>

#include "sort.h"

static int compare(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

double sort_figures(double *figure, unsigned int count)
{
	qsort(figure, count, sizeof(*figure), compare);
	return figure[count / 2];
}
