/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Load for programs that watch the engines.
 */
#ifndef I915_TEST_BUSY_H
#define I915_TEST_BUSY_H

/**
 * busy_run() - keep all engines busy
 * @device: node, or NULL for the first one of i915
 * @seconds: how long
 *
 * Return: 0, or a negative errno when the device cannot be opened.
 */
int busy_run(const char *device, unsigned int seconds);

#endif
