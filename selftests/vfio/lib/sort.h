/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Figures in order, for medians and the like.
 */
#ifndef VFIO_LIB_SORT_H
#define VFIO_LIB_SORT_H

/**
 * sort_figures() - Put figures in ascending order
 * @figure: they
 * @count: how many; not 0
 *
 * Return: their median, of two in the middle the upper one.
 */
double sort_figures(double *figure, unsigned int count);

#endif
