/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What stands in a ring between head and tail, which may wrap.
 *
 * A guest's commands are copied out of its ring into one linear buffer, which is
 * audited, patched and run from there; a command may well cross the ring's end.
 * These are the sums of that copy.
 */
#ifndef GVIRT_LIB_AUDIT_RING_H
#define GVIRT_LIB_AUDIT_RING_H

#include <linux/types.h>

/**
 * struct gvirt_ring_span - Where in a ring the bytes of a linear copy are
 * @size: bytes of the ring
 * @first: offset of the first piece: the head
 * @first_bytes: its length
 * @second_bytes: length of the second piece, which starts at offset 0
 */
struct gvirt_ring_span {
	u32 size;
	u32 first;
	u32 first_bytes;
	u32 second_bytes;
};

/**
 * gvirt_ring_span() - Find what is between head and tail
 * @size: bytes of the ring
 * @head: offset of the first dword that was not executed
 * @tail: offset behind the last one
 * @span: filled in
 *
 * Head and tail are what the guest wrote to its registers or context image.
 *
 * Return: false: the ring has no size that the chip knows, head or tail is outside
 * it or not aligned (head to a dword, tail to two).
 */
bool gvirt_ring_span(u32 size, u32 head, u32 tail, struct gvirt_ring_span *span);

/**
 * gvirt_ring_bytes() - How long the linear copy is
 * @span: the span
 */
static inline u32 gvirt_ring_bytes(const struct gvirt_ring_span *span)
{
	return span->first_bytes + span->second_bytes;
}

/**
 * gvirt_ring_padded() - How long it is in a ring of its own
 * @span: the span
 *
 * A tail is a multiple of 8: a copy of an odd number of dwords gets one
 * MI_NOOP more.
 */
static inline u32 gvirt_ring_padded(const struct gvirt_ring_span *span)
{
	return (gvirt_ring_bytes(span) + 7) & ~7u;
}

/**
 * gvirt_ring_offset() - Where in the ring a dword of the copy came from
 * @span: the span
 * @dword: index in the copy; the copy's length gives the tail
 */
u32 gvirt_ring_offset(const struct gvirt_ring_span *span, u32 dword);

#endif
