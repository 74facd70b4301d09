// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzer of page-table entries: whatever a guest writes, a shadow entry points
 * nowhere but to the page or table that the host named.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pte.h"

#define HOST_DMA	0x40000000ull

static void must(bool condition)
{
	if (!condition)
		abort();
}

static u64 address_of(u64 entry, unsigned int shift)
{
	return entry & 0x7fffffffffull & ~((1ull << shift) - 1);
}

static void check_page(const struct gvirt_pte *pte, u64 gpa_end)
{
	u64 entry = gvirt_pte_shadow_page(pte, pte->shift, HOST_DMA);
	u64 small = gvirt_pte_shadow_page(pte, 12, HOST_DMA + 0x5000);

	must(entry && small);
	must(pte->gpa < gpa_end && gpa_end - pte->gpa >= 1ull << pte->shift);
	must(address_of(entry, pte->shift) == HOST_DMA);
	must(address_of(small, 12) == HOST_DMA + 0x5000);
	must(!!(entry & 2) == pte->writable && !!(small & 2) == pte->writable);
	must(!(entry >> 39) && !(small >> 39) && !(small & 0xf64));
}

static void check_table(const struct gvirt_pte *pte, u64 gpa_end)
{
	u64 entry = gvirt_pte_shadow_table(pte, HOST_DMA, pte->table_64k);

	must(pte->gpa < gpa_end && gpa_end - pte->gpa >= 4096);
	must(address_of(entry, 12) == HOST_DMA);
	must((entry & 1) && !(entry >> 39) && !(entry & 0x7e4));
}

static void check_entry(const struct gvirt_pte_rules *rules, unsigned int level, bool in_64k,
			unsigned int index, u64 entry)
{
	struct gvirt_pte pte = gvirt_pte_decode(rules, level, in_64k, index, entry);

	if (pte.kind == GVIRT_PTE_NONE || pte.fault) {
		must(!gvirt_pte_shadow_page(&pte, 12, HOST_DMA));
		must(!gvirt_pte_shadow_table(&pte, HOST_DMA, false));
	} else if (pte.kind == GVIRT_PTE_PAGE) {
		check_page(&pte, rules->gpa_end);
	} else {
		check_table(&pte, rules->gpa_end);
	}
}

static void check_compare(const u8 *data, size_t size)
{
	struct gvirt_pte_diff diff;
	unsigned int found = 0;
	unsigned int i;
	u64 seen[512] = {};
	u64 table[512] = {};

	memcpy(table, data, size < sizeof(table) ? size : sizeof(table));
	found = gvirt_pte_compare(table, seen, &diff);
	for (i = gvirt_pte_diff_next(&diff, 0); i < 512; i = gvirt_pte_diff_next(&diff, i + 1)) {
		must(table[i] != seen[i]);
		found--;
	}
	must(!found);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct gvirt_pte_rules rules;
	struct gvirt_pte pte;
	u64 entry;
	u64 end;

	if (size < 20)
		return 0;
	memcpy(&end, data, sizeof(end));
	memcpy(&entry, data + 8, sizeof(entry));
	rules = (struct gvirt_pte_rules){ .gpa_end = end, .ips_64k = data[16] & 1 };
	check_entry(&rules, data[17], data[16] & 2, data[18] * 2, entry);
	check_entry(&rules, data[17] % 6, data[16] & 2, data[18] * 2, entry);
	pte = gvirt_pte_decode_root(&rules, entry);
	if (pte.kind == GVIRT_PTE_TABLE && !pte.fault)
		check_table(&pte, end);
	pte = gvirt_pte_decode_ggtt(&rules, entry);
	if (pte.kind == GVIRT_PTE_PAGE && !pte.fault)
		check_page(&pte, end);
	gvirt_pte_canonical(data[17], entry);
	gvirt_pte_index(data[17], entry);
	check_compare(data + 19, size - 19);
	return 0;
}
