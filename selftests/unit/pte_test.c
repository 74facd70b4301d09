// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of page-table entries: literal bit patterns, a reference that works bit
 * by bit, and properties over random entries.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include "pte.h"

#define RANDOM_ROUNDS	200000
#define GUEST_END	(4ull << 30)

static const struct gvirt_pte_rules plain = { .gpa_end = GUEST_END };
static const struct gvirt_pte_rules with_64k = { .gpa_end = GUEST_END, .ips_64k = true };

static u64 random_state;

static u64 rnd(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static int setup(void **state)
{
	(void)state;
	random_state = 0x2545f4914f6cdd1d;
	return 0;
}

/* Literal entries and what they mean. */
struct sample {
	const char *what;
	unsigned int level;
	bool in_64k;
	bool ips_64k;
	unsigned int index;
	u64 entry;
	enum gvirt_pte_kind kind;
	enum gvirt_pte_fault fault;
	unsigned int shift;
	unsigned int pat;
	bool writable;
	bool table_64k;
	u64 gpa;
};

static const struct sample samples[] = {
	{ "absent", 1, false, true, 0, 0x12345ffe, GVIRT_PTE_NONE, 0, 0, 0, false, false, 0 },
	{ "4K, cached by i915", 1, false, true, 3, 0x12345083, GVIRT_PTE_PAGE, 0, 12, 4, true,
	  false, 0x12345000 },
	{ "4K, uncached, read-only", 1, false, true, 3, 0x12345019, GVIRT_PTE_PAGE, 0, 12, 3,
	  false, false, 0x12345000 },
	{ "4K, bit 11 means nothing", 1, false, true, 3, 0x12345803, GVIRT_PTE_PAGE, 0, 12, 0,
	  true, false, 0x12345000 },
	{ "64K, first entry", 1, true, true, 0, 0x12340003, GVIRT_PTE_PAGE, 0, 16, 0, true,
	  false, 0x12340000 },
	{ "64K, entry 16", 1, true, true, 16, 0x12350083, GVIRT_PTE_PAGE, 0, 16, 4, true,
	  false, 0x12350000 },
	{ "64K, entry 17 is not looked at", 1, true, true, 17, 0x12351083, GVIRT_PTE_NONE, 0, 0,
	  0, false, false, 0 },
	{ "64K, misaligned", 1, true, true, 32, 0x12351083, GVIRT_PTE_PAGE, GVIRT_PTE_MISALIGNED,
	  16, 4, true, false, 0x12350000 },
	{ "page table", 2, false, true, 5, 0x00123003, GVIRT_PTE_TABLE, 0, 12, 0, true, false,
	  0x00123000 },
	{ "page table of 64K pages", 2, false, true, 5, 0x00123803, GVIRT_PTE_TABLE, 0, 12, 0,
	  true, true, 0x00123000 },
	{ "64K flag, 64K not enabled", 2, false, false, 5, 0x00123803, GVIRT_PTE_TABLE, 0, 12, 0,
	  true, false, 0x00123000 },
	{ "2M", 2, false, true, 5, 0x00200083, GVIRT_PTE_PAGE, 0, 21, 0, true, false,
	  0x00200000 },
	{ "2M, large PAT bit", 2, false, true, 5, 0x0020109b, GVIRT_PTE_PAGE, 0, 21, 7, true,
	  false, 0x00200000 },
	{ "2M, misaligned", 2, false, true, 5, 0x00202083, GVIRT_PTE_PAGE, GVIRT_PTE_MISALIGNED,
	  21, 0, true, false, 0x00200000 },
	{ "1G", 3, false, true, 5, 0x40000083, GVIRT_PTE_PAGE, 0, 30, 0, true, false,
	  0x40000000 },
	{ "page directory", 3, false, true, 5, 0x0000501b, GVIRT_PTE_TABLE, 0, 12, 3, true,
	  false, 0x00005000 },
	{ "bit 11 of a PDPE", 3, false, true, 5, 0x00005803, GVIRT_PTE_TABLE, 0, 12, 0, true,
	  false, 0x00005000 },
	{ "bit 7 of a PML4E", 4, false, true, 5, 0x00005083, GVIRT_PTE_TABLE, 0, 12, 0, true,
	  false, 0x00005000 },
	{ "address bit 39", 1, false, true, 3, 0x8012345083, GVIRT_PTE_PAGE, GVIRT_PTE_RESERVED,
	  12, 4, true, false, 0x12345000 },
	{ "last page", 1, false, true, 3, 0xfffff003, GVIRT_PTE_PAGE, 0, 12, 0, true, false,
	  0xfffff000 },
	{ "beyond the last page", 1, false, true, 3, 0x100000003, GVIRT_PTE_PAGE,
	  GVIRT_PTE_RANGE, 12, 0, true, false, 0x100000000 },
	{ "no level 0", 0, false, true, 3, 3, GVIRT_PTE_NONE, GVIRT_PTE_NO_LEVEL, 0, 0, false,
	  false, 0 },
	{ "no level 5", 5, false, true, 3, 3, GVIRT_PTE_NONE, GVIRT_PTE_NO_LEVEL, 0, 0, false,
	  false, 0 },
};

static void test_samples(void **state)
{
	const struct sample *s;
	struct gvirt_pte pte;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		s = &samples[i];
		pte = gvirt_pte_decode(s->ips_64k ? &with_64k : &plain, s->level, s->in_64k,
				       s->index, s->entry);
		if (pte.kind != s->kind || pte.fault != s->fault || pte.shift != s->shift ||
		    pte.pat != s->pat || pte.writable != s->writable ||
		    pte.table_64k != s->table_64k || pte.gpa != s->gpa)
			fail_msg("%s: kind %d fault %d shift %u pat %u rw %d 64k %d gpa %llx",
				 s->what, pte.kind, pte.fault, pte.shift, pte.pat, pte.writable,
				 pte.table_64k, (unsigned long long)pte.gpa);
	}
}

static void test_large_page_must_end_inside_the_guest(void **state)
{
	const struct gvirt_pte_rules odd = { .gpa_end = 0x3ff000 };

	(void)state;
	assert_int_equal(gvirt_pte_decode(&odd, 2, false, 0, 0x200083).fault, GVIRT_PTE_RANGE);
	assert_int_equal(gvirt_pte_decode(&odd, 2, false, 0, 0x000083).fault, GVIRT_PTE_OK);
	assert_int_equal(gvirt_pte_decode(&odd, 1, false, 0, 0x3fe003).fault, GVIRT_PTE_OK);
	assert_int_equal(gvirt_pte_decode(&odd, 1, false, 0, 0x3ff003).fault, GVIRT_PTE_RANGE);
}

static void test_root_needs_no_present_bit(void **state)
{
	struct gvirt_pte pte = gvirt_pte_decode_root(&plain, 0x7000);

	(void)state;
	assert_int_equal(pte.kind, GVIRT_PTE_TABLE);
	assert_int_equal(pte.fault, GVIRT_PTE_OK);
	assert_int_equal(pte.gpa, 0x7000);
	assert_true(pte.writable);
	assert_int_equal(gvirt_pte_decode_root(&plain, 0).kind, GVIRT_PTE_NONE);
	assert_int_equal(gvirt_pte_decode_root(&plain, GUEST_END).fault, GVIRT_PTE_RANGE);
	assert_int_equal(gvirt_pte_decode_root(&plain, 1ull << 40).fault, GVIRT_PTE_RESERVED);
}

static void test_ggtt(void **state)
{
	struct gvirt_pte pte = gvirt_pte_decode_ggtt(&plain, 0x00abc00f);

	(void)state;
	assert_int_equal(pte.kind, GVIRT_PTE_PAGE);
	assert_int_equal(pte.fault, GVIRT_PTE_OK);
	assert_int_equal(pte.gpa, 0xabc000);
	assert_int_equal(gvirt_pte_decode_ggtt(&plain, 0xabc00e).kind, GVIRT_PTE_NONE);
	assert_int_equal(gvirt_pte_decode_ggtt(&plain, 0x100000001).fault, GVIRT_PTE_RANGE);
	assert_int_equal(gvirt_pte_decode_ggtt(&plain, 1ull << 50 | 1).fault,
			 GVIRT_PTE_RESERVED);
	assert_int_equal(gvirt_pte_shadow_ggtt(0x7fdeadb000), 0x7fdeadb001);
	assert_int_equal(gvirt_pte_shadow_ggtt(0x8000000000), 0);
	assert_int_equal(gvirt_pte_shadow_ggtt(0x1800), 0);
}

static void test_shadow_page_literals(void **state)
{
	struct gvirt_pte small = gvirt_pte_decode(&with_64k, 1, false, 0, 0x5083);
	struct gvirt_pte large = gvirt_pte_decode(&with_64k, 2, false, 0, 0x20108b);

	(void)state;
	assert_int_equal(gvirt_pte_shadow_page(&small, 12, 0x7fdeadb000), 0x7fdeadb083);
	assert_int_equal(gvirt_pte_shadow_page(&large, 21, 0x40000000), 0x4000108b);
	/* Split: the PAT bit moves from bit 12 to bit 7. */
	assert_int_equal(gvirt_pte_shadow_page(&large, 12, 0x6000), 0x608b);
	assert_int_equal(gvirt_pte_shadow_page(&large, 16, 0x60000), 0x6008b);
}

static void test_shadow_page_refuses(void **state)
{
	struct gvirt_pte small = gvirt_pte_decode(&with_64k, 1, false, 0, 0x5083);
	struct gvirt_pte bad = gvirt_pte_decode(&with_64k, 1, false, 0, 0x8000005083);
	struct gvirt_pte table = gvirt_pte_decode(&with_64k, 2, false, 0, 0x5003);
	struct gvirt_pte none = gvirt_pte_decode(&with_64k, 2, false, 0, 0x5002);

	(void)state;
	assert_int_equal(gvirt_pte_shadow_page(&small, 21, 0x40000000), 0);
	assert_int_equal(gvirt_pte_shadow_page(&small, 12, 0x1001), 0);
	assert_int_equal(gvirt_pte_shadow_page(&small, 12, 1ull << 39), 0);
	assert_int_equal(gvirt_pte_shadow_page(&small, 11, 0x1000), 0);
	assert_int_equal(gvirt_pte_shadow_page(&bad, 12, 0x1000), 0);
	assert_int_equal(gvirt_pte_shadow_page(&table, 12, 0x1000), 0);
	assert_int_equal(gvirt_pte_shadow_table(&none, 0x1000, false), 0);
	assert_int_equal(gvirt_pte_shadow_table(&table, 0x1010, false), 0);
	assert_int_equal(gvirt_pte_shadow_table(&table, 1ull << 39, false), 0);
}

static void test_shadow_table_literals(void **state)
{
	struct gvirt_pte table = gvirt_pte_decode(&with_64k, 2, false, 0, 0x5819);
	struct gvirt_pte large = gvirt_pte_decode(&with_64k, 2, false, 0, 0x200089);

	(void)state;
	assert_int_equal(gvirt_pte_shadow_table(&table, 0x9000, false), 0x9019);
	assert_int_equal(gvirt_pte_shadow_table(&table, 0x9000, true), 0x9819);
	assert_int_equal(gvirt_pte_shadow_table(&large, 0x9000, false), 0x9003);
}

/* The reference asks for each bit by itself what it may be. */
static bool shadow_bit_allowed(unsigned int bit, u64 guest, u64 dma, unsigned int shift)
{
	bool guest_bit = guest >> bit & 1;

	if (bit == 0)
		return true;
	if (bit == 1 || bit == 3 || bit == 4)
		return guest_bit;
	if (bit == 7 && shift == 12)
		return guest_bit;
	if (bit == 7)
		return true;
	if (bit == 12 && shift > 12)
		return guest_bit;
	return bit >= shift && bit < 39 && (dma >> bit & 1);
}

static void test_random_entries_never_leak_bits(void **state)
{
	static const unsigned int shifts[] = { 0, 12, 21, 30, 0 };
	struct gvirt_pte pte;
	unsigned int level;
	unsigned int bit;
	u64 entry;
	u64 shadow;
	u64 dma;
	unsigned int i;
	unsigned int built = 0;

	(void)state;
	for (i = 0; i < RANDOM_ROUNDS; i++) {
		level = 1 + rnd() % 3;
		entry = rnd() & (rnd() % 2 ? ~0ull : 0xffffffffull);
		if (level > 1)
			entry &= rnd() % 2 ? ~0ull : ~(0x3fffe000ull);
		dma = rnd() & 0x7fffffffffull & ~((1ull << shifts[level]) - 1);
		pte = gvirt_pte_decode(&with_64k, level, false, rnd() % 512, entry | 1);
		if (pte.kind != GVIRT_PTE_PAGE || pte.fault)
			continue;
		assert_int_equal(pte.shift, shifts[level]);
		shadow = gvirt_pte_shadow_page(&pte, pte.shift, dma);
		assert_true(shadow & 1);
		built++;
		for (bit = 0; bit < 64; bit++) {
			if (shadow >> bit & 1)
				assert_true(shadow_bit_allowed(bit, entry, dma, pte.shift));
		}
		pte = gvirt_pte_decode(&(struct gvirt_pte_rules){ .gpa_end = ~0ull }, level,
				       false, 0, shadow);
		assert_int_equal(pte.gpa, dma);
		assert_int_equal(pte.writable, entry >> 1 & 1);
	}
	assert_true(built > RANDOM_ROUNDS / 20);
}

static void test_good_pages_lie_inside_the_guest(void **state)
{
	struct gvirt_pte_rules rules = { .ips_64k = true };
	struct gvirt_pte pte;
	unsigned int i;

	(void)state;
	for (i = 0; i < RANDOM_ROUNDS; i++) {
		rules.gpa_end = rnd() >> (rnd() % 64);
		pte = gvirt_pte_decode(&rules, 1 + rnd() % 4, rnd() % 2, rnd() % 512,
				       rnd() >> (rnd() % 64));
		if (pte.kind == GVIRT_PTE_NONE || pte.fault)
			continue;
		assert_true(pte.gpa < rules.gpa_end);
		assert_true((1ull << pte.shift) <= rules.gpa_end - pte.gpa);
		assert_int_equal(pte.gpa & ((1ull << pte.shift) - 1), 0);
		assert_true(pte.gpa < 1ull << 39);
	}
}

static void test_walk(void **state)
{
	const u64 addr = 0x1ffull << 39 | 0x0aaull << 30 | 0x055ull << 21 | 0x123ull << 12 | 0xfff;

	(void)state;
	assert_int_equal(gvirt_pte_index(4, addr), 0x1ff);
	assert_int_equal(gvirt_pte_index(3, addr), 0x0aa);
	assert_int_equal(gvirt_pte_index(2, addr), 0x055);
	assert_int_equal(gvirt_pte_index(1, addr), 0x123);
	assert_int_equal(gvirt_pte_index(0, addr), 0);
	assert_int_equal(gvirt_pte_index(5, addr), 0);
	assert_int_equal(gvirt_pte_shift(1), 12);
	assert_int_equal(gvirt_pte_shift(4), 39);
	assert_int_equal(gvirt_pte_shift(0), 0);
}

static void test_canonical(void **state)
{
	(void)state;
	assert_true(gvirt_pte_canonical(3, 0xffffffff));
	assert_false(gvirt_pte_canonical(3, 0x100000000));
	assert_true(gvirt_pte_canonical(4, 0x00007fffffffffff));
	assert_false(gvirt_pte_canonical(4, 0x0000800000000000));
	assert_true(gvirt_pte_canonical(4, 0xffff800000000000));
	assert_false(gvirt_pte_canonical(4, 0xfffe800000000000));
	assert_false(gvirt_pte_canonical(4, 0xffff7fffffffffff));
	assert_false(gvirt_pte_canonical(2, 0));
}

static void fill(u64 *table)
{
	unsigned int i;

	for (i = 0; i < 512; i++)
		table[i] = rnd();
}

static unsigned int reference_next(const u64 *a, const u64 *b, unsigned int from)
{
	while (from < 512 && a[from] == b[from])
		from++;
	return from;
}

static void test_compare_finds_all_and_only_changes(void **state)
{
	struct gvirt_pte_diff diff;
	unsigned int count;
	unsigned int i, n;
	u64 seen[512];
	u64 table[512];

	(void)state;
	for (n = 0; n <= 512; n += 1 + n / 8) {
		fill(seen);
		memcpy(table, seen, sizeof(table));
		for (i = 0; i < n; i++)
			table[rnd() % 512] ^= 1ull << rnd() % 64;
		count = gvirt_pte_compare(table, seen, &diff);
		for (i = reference_next(table, seen, 0); i < 512;
		     i = reference_next(table, seen, i + 1))
			count--;
		assert_int_equal(count, 0);
		for (i = 0; i <= 512; i++)
			assert_int_equal(gvirt_pte_diff_next(&diff, i),
					 i < 512 ? reference_next(table, seen, i) : 512);
	}
}

static void test_compare_64k_drops_the_rest(void **state)
{
	struct gvirt_pte_diff diff;
	unsigned int i;
	unsigned int n = 0;
	u64 seen[512] = {};
	u64 table[512];

	(void)state;
	memset(table, 0xff, sizeof(table));
	assert_int_equal(gvirt_pte_compare(table, seen, &diff), 512);
	gvirt_pte_diff_keep_64k(&diff);
	for (i = gvirt_pte_diff_next(&diff, 0); i < 512; i = gvirt_pte_diff_next(&diff, i + 1))
		assert_int_equal(i, 16 * n++);
	assert_int_equal(n, 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_large_page_must_end_inside_the_guest),
		cmocka_unit_test(test_root_needs_no_present_bit),
		cmocka_unit_test(test_ggtt),
		cmocka_unit_test(test_shadow_page_literals),
		cmocka_unit_test(test_shadow_page_refuses),
		cmocka_unit_test(test_shadow_table_literals),
		cmocka_unit_test_setup(test_random_entries_never_leak_bits, setup),
		cmocka_unit_test_setup(test_good_pages_lie_inside_the_guest, setup),
		cmocka_unit_test(test_walk),
		cmocka_unit_test(test_canonical),
		cmocka_unit_test_setup(test_compare_finds_all_and_only_changes, setup),
		cmocka_unit_test(test_compare_64k_drops_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
