/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A look through a guest's page tables, for what only people want to know: it takes the
 * tables as they stand in the guest's memory now, and keeps nothing.
 */
#ifndef GVIRT_MODEL_WALK_H
#define GVIRT_MODEL_WALK_H

#include <linux/types.h>

struct gvirt_guest;

/**
 * struct gvirt_walk - An address space of a guest's
 * @guest: whose
 * @levels: 3 or 4
 * @pdp: its root pointers, 4 or 1
 */
struct gvirt_walk {
	struct gvirt_guest *guest;
	unsigned int levels;
	const u64 *pdp;
};

/**
 * gvirt_walk_read() - Copy from an address space
 * @walk: which
 * @va: graphics address
 * @buf: gets the data
 * @len: bytes; may cross pages
 *
 * Sleeps, as gvirt_guest_read(). Tables of 64K pages are taken for what they are with the
 * flag of their PDE only.
 *
 * Return: 0, or -EFAULT where nothing is mapped.
 */
int gvirt_walk_read(const struct gvirt_walk *walk, u64 va, void *buf, size_t len);

#endif
