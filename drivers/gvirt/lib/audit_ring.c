// SPDX-License-Identifier: GPL-2.0-only
/*
 * What stands in a ring between head and tail: see audit_ring.h.
 */
#include <linux/bits.h>
#include <linux/types.h>
#include <gvirt/gen9_engine.h>
#include "audit_ring.h"

#define PAGE		4096u
#define TAIL_ALIGN	8u

static bool size_is_good(u32 size)
{
	return size >= PAGE && !((size - PAGE) & ~(u32)GEN9_RING_CTL_PAGES_MASK);
}

bool gvirt_ring_span(u32 size, u32 head, u32 tail, struct gvirt_ring_span *span)
{
	if (!size_is_good(size) || head >= size || tail >= size)
		return false;
	if (head % (u32)sizeof(u32) || tail % TAIL_ALIGN)
		return false;
	span->size = size;
	span->first = head;
	span->first_bytes = (tail < head ? size : tail) - head;
	span->second_bytes = tail < head ? tail : 0;
	return true;
}

u32 gvirt_ring_offset(const struct gvirt_ring_span *span, u32 dword)
{
	u32 bytes = dword * (u32)sizeof(u32);

	return span->first + bytes < span->size ? span->first + bytes :
						  span->first + bytes - span->size;
}
