/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages that nobody accounts for: what was taken from the page allocator directly,
 * which kmemleak does not watch.
 */
#ifndef INJECT_MEMORY_H
#define INJECT_MEMORY_H

/**
 * memory_unaccounted() - Memory in use that has no line of its own in /proc/meminfo
 *
 * Return: KiB.
 */
long memory_unaccounted(void);

#endif
