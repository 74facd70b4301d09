// SPDX-License-Identifier: GPL-2.0-only
/*
 * Submission port and context descriptors (see elsp.h).
 */
#include <linux/build_bug.h>

#include <gvirt/gen9_lrc.h>

#include "elsp.h"

/* Carried over from a guest's descriptor. */
#define DESC_KEEP	(GEN9_CTX_DESC_FORCE_PD_RESTORE | GEN9_CTX_DESC_FORCE_RESTORE | \
			 GEN9_CTX_DESC_ADDRESSING_MASK | GEN9_CTX_DESC_L3LLC_COHERENT)

/* Every bit of the lower dword has one meaning. */
static_assert((DESC_KEEP ^ GEN9_CTX_DESC_VALID ^ GEN9_CTX_DESC_FAULT_MASK ^
	       GEN9_CTX_DESC_PRIVILEGE ^ GEN9_CTX_DESC_IGNORED ^ GEN9_CTX_DESC_RESERVED ^
	       GEN9_CTX_DESC_LRCA_MASK) == 0xffffffffu);

bool gvirt_elsp_write(struct gvirt_elsp *elsp, u32 value, struct gvirt_desc_list *list)
{
	/* A count out of range can only come from a loaded state: start anew. */
	if (elsp->count >= GVIRT_ELSP_DWORDS)
		elsp->count = 0;
	elsp->dw[elsp->count++] = value;
	if (elsp->count < GVIRT_ELSP_DWORDS)
		return false;
	elsp->count = 0;
	list->element[1] = (struct gvirt_desc){ .hi = elsp->dw[0], .lo = elsp->dw[1] };
	list->element[0] = (struct gvirt_desc){ .hi = elsp->dw[2], .lo = elsp->dw[3] };
	return true;
}

bool gvirt_desc_valid(const struct gvirt_desc *desc)
{
	return desc->lo & GEN9_CTX_DESC_VALID;
}

u32 gvirt_desc_lrca(const struct gvirt_desc *desc)
{
	return desc->lo & GEN9_CTX_DESC_LRCA_MASK;
}

unsigned int gvirt_desc_levels(const struct gvirt_desc *desc)
{
	switch ((desc->lo & GEN9_CTX_DESC_ADDRESSING_MASK) >> GEN9_CTX_DESC_ADDRESSING_SHIFT) {
	case GEN9_CTX_ADDRESSING_32B:
		return 3;
	case GEN9_CTX_ADDRESSING_48B:
		return 4;
	default:
		return 0;
	}
}

bool gvirt_desc_same_context(const struct gvirt_desc *a, const struct gvirt_desc *b)
{
	return gvirt_desc_lrca(a) == gvirt_desc_lrca(b) && a->hi == b->hi;
}

static bool in_ggtt(u32 lrca, u32 image_size, u64 ggtt_size)
{
	return image_size <= ggtt_size && lrca <= ggtt_size - image_size;
}

enum gvirt_desc_fault gvirt_desc_check(const struct gvirt_desc_list *list, unsigned int n,
				       u32 image_size, u64 ggtt_size)
{
	const struct gvirt_desc *desc = &list->element[n & 1];
	const struct gvirt_desc *other = &list->element[0];

	if (!gvirt_desc_valid(desc))
		return GVIRT_DESC_ABSENT;
	if (desc->lo & GEN9_CTX_DESC_RESERVED)
		return GVIRT_DESC_RESERVED;
	if (!gvirt_desc_levels(desc))
		return GVIRT_DESC_ADDRESSING;
	if (!(desc->lo & GEN9_CTX_DESC_PRIVILEGE))
		return GVIRT_DESC_NO_PPGTT;
	if (!in_ggtt(gvirt_desc_lrca(desc), image_size, ggtt_size))
		return GVIRT_DESC_RANGE;
	if (desc != other && gvirt_desc_valid(other) &&
	    gvirt_desc_lrca(desc) == gvirt_desc_lrca(other))
		return GVIRT_DESC_TWICE;
	return GVIRT_DESC_OK;
}

u32 gvirt_desc_shadow(const struct gvirt_desc *guest, u32 lrca, bool force_restore)
{
	return (lrca & GEN9_CTX_DESC_LRCA_MASK) | (guest->lo & DESC_KEEP) |
	       (force_restore ? GEN9_CTX_DESC_FORCE_RESTORE : 0) |
	       GEN9_CTX_DESC_PRIVILEGE | GEN9_CTX_DESC_VALID;
}
