/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much memory the kernel has taken.
 */
#ifndef VFIO_LIB_KMEM_H
#define VFIO_LIB_KMEM_H

/**
 * kmem_reclaim() - Have the kernel drop what can be reclaimed
 */
void kmem_reclaim(void);

/**
 * kmem_kb() - Kernel memory that does not come back by itself
 *
 * What can be reclaimed is dropped first.
 *
 * Return: KiB.
 */
long kmem_kb(void);

/**
 * kmem_all_kb() - The same with pages that no line of /proc/meminfo is about
 *
 * Good to some MiB only: pages that a processor keeps for itself are taken for used.
 *
 * Return: KiB.
 */
long kmem_all_kb(void);

#endif
