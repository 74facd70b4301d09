// SPDX-License-Identifier: GPL-2.0-only
/*
 * All of an address space, side by side: see oracle.h.
 *
 * Tables are gone through by what their entries say here; where an address leads then is the
 * matter of the walks in fake.c, which begin at the root.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <gvirt/gen9_pte.h>
#include "host/guest.h"
#include "model/ppgtt.h"
#include "fake.h"
#include "oracle.h"

#define ADDR(entry)	((entry) & GEN9_PTE_ADDR_MASK)
#define PAIRS		2048u	/* a power of 2 */
#define ADDRESSES	16384u

/**
 * struct pair - A table of the guest's, and what stands for it
 * @gfn: the guest's
 * @shadow: bus address of the shadow
 * @level: of both, from 1 for page tables
 * @in_64k: the guest's has 64K pages
 */
struct pair {
	u64 gfn;
	u64 shadow;
	u8 level;
	bool in_64k;
};

/**
 * struct comparison - One under way
 * @pp: of what
 * @scratch: is right as well
 * @seen: hash table of pairs; @level 0: none
 * @count: of them
 * @left: addresses that may still be looked at
 */
struct comparison {
	const struct gvirt_ppgtt *pp;
	bool scratch;
	struct pair seen[PAIRS];
	unsigned int count;
	unsigned int left;
};

static bool is_same(const struct pair *a, const struct pair *b)
{
	return a->gfn == b->gfn && a->shadow == b->shadow && a->level == b->level &&
	       a->in_64k == b->in_64k;
}

/* Half of the places stay free. What there is no place for is left out. */
static bool seen_before(struct comparison *c, const struct pair *pair)
{
	u64 hash = (pair->gfn << 4 ^ pair->shadow ^ pair->level) * 0x9e3779b97f4a7c15ull;
	u32 at = hash >> 32;

	while (c->seen[at % PAIRS].level && !is_same(&c->seen[at % PAIRS], pair))
		at++;
	if (c->seen[at % PAIRS].level || c->count == PAIRS / 2)
		return true;
	c->seen[at % PAIRS] = *pair;
	c->count++;
	return false;
}

static bool is_same_target(const struct fake_target *want, const struct fake_target *got)
{
	if (want->kind != got->kind)
		return false;
	return want->kind != FAKE_PAGE || (want->gfn == got->gfn && want->pat == got->pat &&
					   want->writable == got->writable);
}

static void print_target(const struct fake_target *target)
{
	static const char *const kinds[] = { "a fault", "scratch", "a page" };

	fprintf(stderr, "%s", kinds[target->kind]);
	if (target->kind == FAKE_PAGE)
		fprintf(stderr, " (%#x, writable %d, PAT %u)", target->gfn, target->writable,
			target->pat);
}

static void compare_address(struct comparison *c, u64 va)
{
	const struct fake_target want = fake_guest_walk(c->pp, va);
	const struct fake_target got = fake_shadow_walk(c->pp, va);

	if (is_same_target(&want, &got) || (c->scratch && got.kind == FAKE_SCRATCH))
		return;
	fprintf(stderr, "%#llx: the guest's tables lead to ", (unsigned long long)va);
	print_target(&want);
	fprintf(stderr, ", the shadow's to ");
	print_target(&got);
	fprintf(stderr, "\n");
	abort();
}

/* All pages of 4K of what a guest's entry maps, but some only of 1G and of what is no page. */
static void compare_span(struct comparison *c, u64 va, unsigned int shift, bool all)
{
	const u64 end = 1ull << shift;
	const u64 step = all || shift == 12 ? PAGE_SIZE : end / 16 + PAGE_SIZE;
	u64 offset;

	for (offset = 0; offset < end && c->left; offset += step, c->left--)
		compare_address(c, va + offset);
}

static bool is_table(unsigned int level, u64 entry)
{
	return entry & GEN9_PTE_PRESENT && level > 1 && (level == 4 || !(entry & GEN9_PDE_PS));
}

static bool lead_to_tables(unsigned int level, u64 guest, u64 shadow)
{
	return is_table(level, guest) && !(guest & GEN9_PTE_ADDR_RESERVED) &&
	       fake_is_memory(ADDR(guest)) && is_table(level, shadow);
}

static void compare_tables(struct comparison *c, const struct pair *pair, u64 va);

static void compare_entry(struct comparison *c, const struct pair *pair, u64 guest,
			  u64 shadow, u64 va)
{
	const unsigned int shift = pair->in_64k ? 16 : 3 + 9 * pair->level;
	struct pair below = { .gfn = ADDR(guest) >> 12, .shadow = ADDR(shadow) };

	if (!lead_to_tables(pair->level, guest, shadow)) {
		compare_span(c, va, shift, pair->level <= 2 && !is_table(pair->level, guest) &&
			     guest & GEN9_PTE_PRESENT);
		return;
	}
	below.level = pair->level - 1;
	below.in_64k = pair->level == 2 && c->pp->ips_64k && guest & GEN9_PDE_IPS_64K;
	compare_tables(c, &below, va);
}

/* A page of 64K may be 16 of 4K in the shadow. */
static bool any_present(const u64 *entries, unsigned int count)
{
	u64 any = 0;

	while (count--)
		any |= entries[count];
	return any & GEN9_PTE_PRESENT;
}

static void compare_tables(struct comparison *c, const struct pair *pair, u64 va)
{
	const u64 *guest = fake.memory[pair->gfn];
	const u64 *shadow = fake_table(pair->shadow);
	const unsigned int step = pair->in_64k ? 16 : 1;
	unsigned int i;

	if (seen_before(c, pair))
		return;
	for (i = 0; i < FAKE_ENTRIES; i += step)
		if (guest[i] & GEN9_PTE_PRESENT || any_present(shadow + i, step))
			compare_entry(c, pair, guest[i], shadow[i],
				      va | (u64)i << (3 + 9 * pair->level));
}

void oracle_compare(const struct gvirt_ppgtt *pp, bool scratch)
{
	static struct comparison c;
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	unsigned int i;

	memset(&c, 0, sizeof(c));
	c.pp = pp;
	c.scratch = scratch;
	c.left = ADDRESSES;
	gvirt_ppgtt_root(pp, pdp);
	for (i = 0; i < (pp->levels == 3 ? 4 : 1); i++) {
		struct pair root = {
			.gfn = pp->pdp[i] >> 12, .shadow = pdp[i], .level = pp->levels == 3 ? 2 : 4,
		};

		if (root.gfn && fake_is_memory(pp->pdp[i]))
			compare_tables(&c, &root, (u64)i << 30);
		else
			compare_span(&c, (u64)i << 30, 30, false);
	}
}
