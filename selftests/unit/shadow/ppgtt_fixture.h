/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests of shadow page tables start from: a guest with an address space, whose tables lie
 * next to each other.
 */
#ifndef SHADOW_PPGTT_FIXTURE_H
#define SHADOW_PPGTT_FIXTURE_H

#include <linux/types.h>
#include "fake.h"

struct gvirt_guest;
struct gvirt_ppgtt;
struct gvirt_vppgtt;

#define RW		(GEN9_PTE_PRESENT | GEN9_PTE_RW)
#define PAGE_2M		(RW | GEN9_PDE_PS)
#define GPA(gfn)	((u64)(gfn) << PAGE_SHIFT)

/* Pages of the guest: tables, by their place from the top, and memory that they map. */
#define PML4		16u
#define PDP		17u
#define PD		18u
#define PT		19u
#define DATA		1024u	/* a multiple of 512 */
#define OUTSIDE		GPA(FAKE_PAGES + 7)

/* The vGPU's, and the guest's address space. */
extern struct gvirt_vppgtt vppgtt;
extern struct gvirt_guest guest;
extern struct gvirt_ppgtt *pp;

/** ppgtt_table() - Return: the entries of page @gfn of the guest */
u64 *ppgtt_table(u32 gfn);
/** ppgtt_start() - Make @vppgtt */
void ppgtt_start(void);
/** ppgtt_stop() - Let @pp go and end @vppgtt, with nothing left */
void ppgtt_stop(void);
/** ppgtt_open() - Make @pp, with @levels levels from the root pointers @pdp */
void ppgtt_open(unsigned int levels, const u64 *pdp);
/** ppgtt_setup() - For cmocka: four levels, of which one path leads to an empty page table */
int ppgtt_setup(void **state);
/** ppgtt_teardown() - For cmocka: the end of ppgtt_setup() */
int ppgtt_teardown(void **state);
/** ppgtt_sync() - Sync @pp, and let the chip look at all of it */
void ppgtt_sync(void);
/** ppgtt_expect() - Expect that the shadow of @va in @pp leads to @kind, and to page @gfn */
void ppgtt_expect(u64 va, enum fake_kind kind, u32 gfn);
/** ppgtt_take_away() - The guest's pages @first to @last go, and are unpinned */
void ppgtt_take_away(u32 first, u32 last);
/** ppgtt_give_back() - Pages @first to @last come back */
void ppgtt_give_back(u32 first, u32 last);

#define RULE(test)	cmocka_unit_test_setup_teardown(test, ppgtt_setup, ppgtt_teardown)

#endif
