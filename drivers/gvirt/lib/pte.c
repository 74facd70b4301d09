// SPDX-License-Identifier: GPL-2.0-only
/*
 * Page-table entries of Gen9 (see pte.h).
 */
#include <linux/build_bug.h>

#include <gvirt/gen9_pte.h>

#include "pte.h"

#define TABLE_64K_STRIDE	(1u << (GEN9_PAGE_SHIFT_64K - GEN9_PAGE_SHIFT_4K))
#define EVERY_16TH_BIT		0x0001000100010001ull
#define DIFF_GROUP		8
#define INDEX_MASK		(GEN9_TABLE_ENTRIES - 1)

static_assert(GEN9_TABLE_ENTRIES * GEN9_PTE_SIZE == GEN9_TABLE_SIZE);
static_assert(GEN9_PDE_INDEX_SHIFT - GEN9_PTE_INDEX_SHIFT == 9);
static_assert(GEN9_PDPE_INDEX_SHIFT - GEN9_PDE_INDEX_SHIFT == 9);
static_assert(GEN9_PML4E_INDEX_SHIFT - GEN9_PDPE_INDEX_SHIFT == 9);
static_assert(GEN9_PML4E_INDEX_SHIFT + 9 == GEN9_PPGTT_4LVL_BITS);
static_assert((GEN9_PTE_ADDR_MASK & GEN9_PTE_ADDR_RESERVED) == 0);
static_assert(TABLE_64K_STRIDE == 16);
static_assert(!(GEN9_PDE_PAT_LARGE >> GEN9_PAGE_SHIFT_2M));
static_assert(sizeof(struct gvirt_pte_diff) * 8 == GEN9_TABLE_ENTRIES);

/**
 * struct pte_format - How the entries of one level look
 * @shift: bytes that an entry spans, as a shift
 * @maps: an entry without @size maps a page (a leaf level)
 * @size: bit that makes the entry map a page; 0: no such bit
 * @ips: bit that says that the table below holds 64K pages; 0: no such bit
 */
struct pte_format {
	u8 shift;
	bool maps;
	u64 size;
	u64 ips;
};

static const struct pte_format formats[GVIRT_PTE_LEVELS + 1] = {
	[GVIRT_LEVEL_PTE]   = { .shift = GEN9_PTE_INDEX_SHIFT, .maps = true },
	[GVIRT_LEVEL_PDE]   = { .shift = GEN9_PDE_INDEX_SHIFT, .size = GEN9_PDE_PS,
				.ips = GEN9_PDE_IPS_64K },
	[GVIRT_LEVEL_PDPE]  = { .shift = GEN9_PDPE_INDEX_SHIFT, .size = GEN9_PDE_PS },
	[GVIRT_LEVEL_PML4E] = { .shift = GEN9_PML4E_INDEX_SHIFT },
};

static bool level_exists(unsigned int level)
{
	return level >= GVIRT_LEVEL_PTE && level <= GVIRT_LEVEL_PML4E;
}

static bool large(unsigned int shift)
{
	return shift >= GEN9_PAGE_SHIFT_2M;
}

/* Where bit 2 of the PAT index stands: bit 7 says "large page" where that exists. */
static u64 pat_high(unsigned int shift)
{
	return large(shift) ? GEN9_PDE_PAT_LARGE : GEN9_PTE_PAT;
}

static u8 page_pat(unsigned int shift, u64 entry)
{
	return (entry & GEN9_PTE_PWT ? BIT(0) : 0) | (entry & GEN9_PTE_PCD ? BIT(1) : 0) |
	       (entry & pat_high(shift) ? BIT(2) : 0);
}

static u8 table_pat(u64 entry)
{
	return (entry & GEN9_PTE_PWT ? BIT(0) : 0) | (entry & GEN9_PTE_PCD ? BIT(1) : 0);
}

/* Also the bits of @entry's address that its size leaves no room for. */
static u64 entry_misaligned(const struct gvirt_pte *pte, u64 entry)
{
	u64 below = entry & GEN9_PTE_ADDR_MASK & (BIT_ULL(pte->shift) - 1);

	return large(pte->shift) ? below & ~GEN9_PDE_PAT_LARGE : below;
}

static enum gvirt_pte_fault entry_fault(const struct gvirt_pte_rules *rules,
					const struct gvirt_pte *pte, u64 entry)
{
	if (entry & GEN9_PTE_ADDR_RESERVED)
		return GVIRT_PTE_RESERVED;
	if (entry_misaligned(pte, entry))
		return GVIRT_PTE_MISALIGNED;
	if (pte->gpa >= rules->gpa_end || rules->gpa_end - pte->gpa < BIT_ULL(pte->shift))
		return GVIRT_PTE_RANGE;
	return GVIRT_PTE_OK;
}

static void place(const struct gvirt_pte_rules *rules, struct gvirt_pte *pte, u64 entry)
{
	pte->gpa = entry & GEN9_PTE_ADDR_MASK & ~(BIT_ULL(pte->shift) - 1);
	pte->fault = entry_fault(rules, pte, entry);
}

static struct gvirt_pte decode_page(const struct gvirt_pte_rules *rules, unsigned int shift,
				    u64 entry)
{
	struct gvirt_pte pte = {
		.kind = GVIRT_PTE_PAGE,
		.shift = shift,
		.pat = page_pat(shift, entry),
		.writable = entry & GEN9_PTE_RW,
	};

	place(rules, &pte, entry);
	return pte;
}

static struct gvirt_pte decode_table(const struct gvirt_pte_rules *rules, u64 ips, u64 entry)
{
	struct gvirt_pte pte = {
		.kind = GVIRT_PTE_TABLE,
		.shift = GEN9_PAGE_SHIFT_4K,
		.pat = table_pat(entry),
		.writable = entry & GEN9_PTE_RW,
		.table_64k = rules->ips_64k && (entry & ips),
	};

	place(rules, &pte, entry);
	return pte;
}

struct gvirt_pte gvirt_pte_decode(const struct gvirt_pte_rules *rules, unsigned int level,
				  bool in_64k, unsigned int index, u64 entry)
{
	const struct pte_format *format;

	if (!level_exists(level))
		return (struct gvirt_pte){ .fault = GVIRT_PTE_NO_LEVEL };
	format = &formats[level];
	in_64k = in_64k && format->maps;
	if (!(entry & GEN9_PTE_PRESENT) || (in_64k && index % TABLE_64K_STRIDE))
		return (struct gvirt_pte){ .kind = GVIRT_PTE_NONE };
	if (in_64k)
		return decode_page(rules, GEN9_PAGE_SHIFT_64K, entry);
	if (format->maps || (entry & format->size))
		return decode_page(rules, format->shift, entry);
	return decode_table(rules, format->ips, entry);
}

struct gvirt_pte gvirt_pte_decode_root(const struct gvirt_pte_rules *rules, u64 pointer)
{
	if (!pointer)
		return (struct gvirt_pte){ .kind = GVIRT_PTE_NONE };
	return decode_table(rules, 0, pointer | GEN9_PTE_RW);
}

struct gvirt_pte gvirt_pte_decode_ggtt(const struct gvirt_pte_rules *rules, u64 entry)
{
	struct gvirt_pte pte = {
		.kind = GVIRT_PTE_PAGE,
		.shift = GEN9_PAGE_SHIFT_4K,
		.writable = true,
	};

	if (!(entry & GEN9_GGTT_PRESENT))
		return (struct gvirt_pte){ .kind = GVIRT_PTE_NONE };
	place(rules, &pte, entry);
	return pte;
}

/* Can the chip reach @dma, and is it the start of a page of this size? */
static bool dma_fits(u64 dma, unsigned int shift)
{
	return (dma & (GEN9_PTE_ADDR_MASK & ~(BIT_ULL(shift) - 1))) == dma;
}

static bool page_shift_exists(unsigned int shift)
{
	return shift == GEN9_PAGE_SHIFT_4K || shift == GEN9_PAGE_SHIFT_64K ||
	       shift == GEN9_PAGE_SHIFT_2M || shift == GEN9_PAGE_SHIFT_1G;
}

static u64 low_bits(const struct gvirt_pte *guest)
{
	return GEN9_PTE_PRESENT | (guest->writable ? GEN9_PTE_RW : 0) |
	       (guest->pat & BIT(0) ? GEN9_PTE_PWT : 0) |
	       (guest->pat & BIT(1) ? GEN9_PTE_PCD : 0);
}

u64 gvirt_pte_shadow_page(const struct gvirt_pte *guest, unsigned int shift, u64 dma)
{
	u64 entry;

	if (guest->kind != GVIRT_PTE_PAGE || guest->fault || shift > guest->shift)
		return 0;
	if (!page_shift_exists(shift) || !dma_fits(dma, shift))
		return 0;
	entry = dma | low_bits(guest);
	if (guest->pat & BIT(2))
		entry |= pat_high(shift);
	return large(shift) ? entry | GEN9_PDE_PS : entry;
}

u64 gvirt_pte_shadow_table(const struct gvirt_pte *guest, u64 dma, bool ips_64k)
{
	u64 attributes = GEN9_PTE_PRESENT | GEN9_PTE_RW;

	if (guest->kind == GVIRT_PTE_NONE || guest->fault || !dma_fits(dma, GEN9_PAGE_SHIFT_4K))
		return 0;
	/* A page's PAT index says nothing about a table; its pages keep what it was. */
	if (guest->kind == GVIRT_PTE_TABLE)
		attributes = low_bits(guest);
	return dma | attributes | (ips_64k ? GEN9_PDE_IPS_64K : 0);
}

u64 gvirt_pte_shadow_ggtt(u64 dma)
{
	return dma_fits(dma, GEN9_PAGE_SHIFT_4K) ? dma | GEN9_GGTT_PRESENT : 0;
}

unsigned int gvirt_pte_shift(unsigned int level)
{
	return level_exists(level) ? formats[level].shift : 0;
}

unsigned int gvirt_pte_index(unsigned int level, u64 addr)
{
	return level_exists(level) ? (addr >> formats[level].shift) & INDEX_MASK : 0;
}

bool gvirt_pte_canonical(unsigned int levels, u64 addr)
{
	u64 high;

	if (levels == 3)
		return !(addr >> GEN9_PPGTT_3LVL_BITS);
	high = addr >> (GEN9_PPGTT_4LVL_BITS - 1);
	return levels == 4 && (!high || high == ~0ull >> (GEN9_PPGTT_4LVL_BITS - 1));
}

/* Most of a table is the same most of the time: eight entries cost one branch. */
static bool group_equal(const u64 *a, const u64 *b)
{
	return !((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) |
		 (a[4] ^ b[4]) | (a[5] ^ b[5]) | (a[6] ^ b[6]) | (a[7] ^ b[7]));
}

static unsigned int compare_group(const u64 *table, const u64 *seen, unsigned int first,
				  struct gvirt_pte_diff *diff)
{
	unsigned int count = 0;
	unsigned int i;

	for (i = first; i < first + DIFF_GROUP; i++) {
		if (table[i] == seen[i])
			continue;
		diff->bits[i / 64] |= BIT_ULL(i % 64);
		count++;
	}
	return count;
}

unsigned int gvirt_pte_compare(const u64 *table, const u64 *seen, struct gvirt_pte_diff *diff)
{
	unsigned int count = 0;
	unsigned int i;

	*diff = (struct gvirt_pte_diff){};
	for (i = 0; i < GEN9_TABLE_ENTRIES; i += DIFF_GROUP) {
		if (!group_equal(table + i, seen + i))
			count += compare_group(table, seen, i, diff);
	}
	return count;
}

void gvirt_pte_diff_keep_64k(struct gvirt_pte_diff *diff)
{
	unsigned int i;

	for (i = 0; i < GEN9_TABLE_ENTRIES / 64; i++)
		diff->bits[i] &= EVERY_16TH_BIT;
}

unsigned int gvirt_pte_diff_next(const struct gvirt_pte_diff *diff, unsigned int from)
{
	u64 word;

	while (from < GEN9_TABLE_ENTRIES) {
		word = diff->bits[from / 64] >> (from % 64);
		if (word)
			return from + __builtin_ctzll(word);
		from = (from / 64 + 1) * 64;
	}
	return GEN9_TABLE_ENTRIES;
}
