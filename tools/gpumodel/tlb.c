// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cached translations: a set-associative TLB and direct-mapped table caches.
 *
 * A page of any size takes one entry. Its set follows from its address and
 * size, so a lookup tries every size that was filled since the last
 * invalidation; mostly that is one or two. Replacement is round robin, so that
 * a run can be repeated exactly.
 *
 * Sizes and associativity of the chip's TLBs are not documented; what matters to
 * a driver is that they are finite and stay as they are until invalidated.
 */
#include <linux/array_size.h>
#include "tlb.h"

/* Page sizes a TLB knows, the most frequent first; indexes struct gm_tlb.sizes. */
static const u8 page_shifts[] = { 12, 21, 16, 30 };

/* Pages have 12 low bits to spare: 6 for the shift, one for the space. */
static u64 make_tag(enum gm_space space, u64 va, unsigned int shift)
{
	return va >> shift << shift | (u64)space << 6 | shift;
}

static unsigned int set_of(u64 va, unsigned int shift)
{
	u64 page = va >> shift;

	return (page ^ page >> 7 ^ page >> 14 ^ shift) % GM_TLB_SETS;
}

/* What was noted about an address space before its last invalidation does not hold any more. */
static void follow_generation(struct gm_tlb *tlb, enum gm_space space, u64 generation)
{
	if (tlb->generation[space] == generation)
		return;
	tlb->generation[space] = generation;
	tlb->sizes[space] = 0;
	tlb->last[space] = NULL;
}

static const struct gm_tlb_entry *lookup_size(const struct gm_tlb *tlb, enum gm_space space, u64 va,
					      unsigned int shift, u64 generation)
{
	const struct gm_tlb_entry *entry = tlb->entry[set_of(va, shift)];
	u64 tag = make_tag(space, va, shift);
	unsigned int way;

	for (way = 0; way < GM_TLB_WAYS; way++)
		if (entry[way].tag == tag && entry[way].generation == generation)
			return &entry[way];
	return NULL;
}

const struct gm_tlb_entry *gm_tlb_lookup(struct gm_tlb *tlb, enum gm_space space, u64 va,
					 u64 generation)
{
	const struct gm_tlb_entry *entry;
	unsigned int i;

	follow_generation(tlb, space, generation);
	entry = tlb->last[space];
	if (entry && entry->tag >> entry->shift == va >> entry->shift)
		return entry;
	for (i = 0; i < ARRAY_SIZE(page_shifts); i++) {
		if (!(tlb->sizes[space] & 1u << i))
			continue;
		entry = lookup_size(tlb, space, va, page_shifts[i], generation);
		if (entry) {
			tlb->last[space] = entry;
			return entry;
		}
	}
	return NULL;
}

static void note_size(struct gm_tlb *tlb, enum gm_space space, unsigned int shift)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(page_shifts); i++)
		if (page_shifts[i] == shift)
			tlb->sizes[space] |= 1u << i;
}

const struct gm_tlb_entry *gm_tlb_fill(struct gm_tlb *tlb, enum gm_space space, u64 va,
				       const struct gm_tlb_entry *fill)
{
	unsigned int set = set_of(va, fill->shift);
	struct gm_tlb_entry *entry = &tlb->entry[set][tlb->victim[set]];
	unsigned int i;

	follow_generation(tlb, space, fill->generation);
	/* The victim may be what the other address space was hit with last. */
	for (i = 0; i < GM_SPACES; i++)
		if (tlb->last[i] == entry)
			tlb->last[i] = NULL;
	*entry = *fill;
	entry->tag = make_tag(space, va, fill->shift);
	tlb->victim[set] = (tlb->victim[set] + 1) % GM_TLB_WAYS;
	note_size(tlb, space, fill->shift);
	tlb->last[space] = entry;
	return entry;
}

/* An entry of @level spans 2^(12 + 9 * level) bytes; what stands above selects it. */
static u64 table_prefix(unsigned int level, u64 va)
{
	return va >> (12 + 9 * level);
}

const struct gm_tlb_table *gm_tlb_table_lookup(const struct gm_tlb *tlb, unsigned int level, u64 va,
					       u64 generation)
{
	u64 prefix = table_prefix(level, va);
	const struct gm_tlb_table *table = &tlb->table[level - 1][prefix % GM_TLB_TABLES];

	return table->prefix == prefix && table->generation == generation ? table : NULL;
}

void gm_tlb_table_fill(struct gm_tlb *tlb, unsigned int level, u64 va,
		       const struct gm_tlb_table *fill)
{
	u64 prefix = table_prefix(level, va);
	struct gm_tlb_table *table = &tlb->table[level - 1][prefix % GM_TLB_TABLES];

	*table = *fill;
	table->prefix = prefix;
}
