/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A few commands out of a buffer, around one that somebody wants to look at.
 *
 * An excerpt begins where a command begins, so that it can be decoded by itself.
 */
#ifndef GVIRT_LIB_EXCERPT_H
#define GVIRT_LIB_EXCERPT_H

#include <linux/types.h>

/* Dwords before the one in question, at most, and altogether. */
#define GVIRT_EXCERPT_BEFORE	40u
#define GVIRT_EXCERPT_DWORDS	64u

/**
 * struct gvirt_excerpt - Commands out of a buffer
 * @engine: enum gvirt_engine_id whose commands they are
 * @count: how many dwords; 0: there is nothing
 * @bad: number of the one in question; @count where it is just behind the last one
 * @dword: they
 */
struct gvirt_excerpt {
	u8 engine;
	u32 count;
	u32 bad;
	u32 dword[GVIRT_EXCERPT_DWORDS];
};

/**
 * struct gvirt_excerpt_source - Where an excerpt comes from
 * @engine: enum gvirt_engine_id whose commands they are
 * @dwords: the buffer
 * @size: dwords of the buffer, which is taken for a ring: after its last dword comes the first
 * @first: number of a dword at which a command begins
 * @count: dwords that hold, from @first on; at most @size
 * @bad: the one in question, counted from @first; at most @count
 */
struct gvirt_excerpt_source {
	u8 engine;
	const u32 *dwords;
	u32 size;
	u32 first;
	u32 count;
	u32 bad;
};

/**
 * gvirt_excerpt_take() - Copy the commands around one
 * @excerpt: filled in
 * @source: where from
 *
 * What is no command counts as one dword. Takes time in proportion to @source->bad.
 * Where @source is not as it should be, the excerpt is empty.
 */
void gvirt_excerpt_take(struct gvirt_excerpt *excerpt, const struct gvirt_excerpt_source *source);

#endif
