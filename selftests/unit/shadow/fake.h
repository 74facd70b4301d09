/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A guest's memory and a chip with TLBs, made up.
 *
 * Whatever the module must never do, ends the test: to unpin a page or free a table that
 * the chip may still know, to let it reach a page that is not pinned, to unpin more
 * often than to pin.
 */
#ifndef SHADOW_FAKE_H
#define SHADOW_FAKE_H

#include <linux/types.h>

struct gvirt_ppgtt;

#define FAKE_PAGES	4096u		/* of the guest */
#define FAKE_HOST_PFN	0x40000u	/* the guest's pages lie from here on, in any order */
#define FAKE_ENTRIES	512u

/**
 * struct fake - All of it
 * @memory: the guest's, as tables
 * @ram: is there memory?
 * @host: pfn of the host behind a page of the guest
 * @guest: the reverse, less FAKE_HOST_PFN
 * @pins: how often a page is pinned
 * @pinned: pages that are pinned
 * @limit: of @pinned
 * @ahead: a page is pinned ahead of its users
 * @pinned_ahead: how many are
 * @pin_calls: calls of VFIO that it took
 * @absent: pages that were asked for, and are no memory
 * @known: pages that a TLB may know
 * @attempts: allocations and pins so far
 * @fail_at: number of the one that fails; 0: none
 * @fail_every: one of so many fails, at random; 0: none
 * @buffers: DMA memory in use
 * @ppgtt: address spaces of contexts, which the chip walks
 * @invalidations: of the TLBs
 * @scratch: bus address of the page that stands for absent memory
 * @tables: how often a page is followed as a table
 * @disturbed: somebody else may have stored to a table
 * @kvm: pages can be watched
 * @watched: a page is
 * @happened: what is to be told of a page, FAKE_WRITTEN and FAKE_GONE
 * @gap: a page was away once
 * @hole: KVM does not see stores to a page until one was done while it was not watched
 * @exits: stores to watched pages
 */
struct fake {
	u64 (*memory)[FAKE_ENTRIES];
	bool ram[FAKE_PAGES];
	u32 host[FAKE_PAGES];
	u32 guest[FAKE_PAGES];
	u32 pins[FAKE_PAGES];
	u32 pinned;
	u32 limit;
	bool ahead[FAKE_PAGES];
	u32 pinned_ahead;
	u64 pin_calls;
	u64 absent;
	bool known[FAKE_PAGES];
	u64 attempts;
	u64 fail_at;
	u32 fail_every;
	u32 buffers;
	struct gvirt_ppgtt *ppgtt[16];
	u64 invalidations;
	u64 scratch;
	u32 tables[FAKE_PAGES];
	bool disturbed[FAKE_PAGES];
	bool kvm;
	bool watched[FAKE_PAGES];
	u8 happened[FAKE_PAGES];
	bool gap[FAKE_PAGES];
	bool hole[FAKE_PAGES];
	u64 exits;
};

#define FAKE_WRITTEN	0x1
#define FAKE_GONE	0x2

extern struct fake fake;

/**
 * fake_store() - A CPU of the guest stores an entry
 * @gfn: to which page
 * @i: which entry
 * @value: what
 */
void fake_store(u32 gfn, u32 i, u64 value);
/**
 * fake_store_part() - A CPU of the guest stores anything
 * @gfn: to which page
 * @offset: where in it
 * @bytes: how many, at most 8; not beyond the page
 * @value: what
 */
void fake_store_part(u32 gfn, u32 offset, u32 bytes, u64 value);
/**
 * fake_unplug() - KVM's memory slot goes away for a moment
 * @first: gfn
 * @last: gfn, inclusive
 */
void fake_unplug(u32 first, u32 last);

/** fake_init() - Fresh memory, contiguous in the host, all of it there */
void fake_init(void);
/** fake_fini() - Everything has been given back, else this ends the test */
void fake_fini(void);

/**
 * fake_random() - Return: a random number below @below
 * @below: not 0
 */
u32 fake_random(u32 below);
/**
 * fake_seed() - Start another sequence
 * @seed: any number
 */
void fake_seed(u64 seed);

/**
 * fake_swap() - Let two pages of the guest change places in the host; none is pinned
 * @a: gfn
 * @b: gfn
 */
void fake_swap(u32 a, u32 b);

/** fake_walk_all() - The chip walks and remembers all that it can reach from @fake.ppgtt */
void fake_walk_all(void);
/** fake_forget() - The chip forgets; contexts run on, so it remembers what it reaches then */
void fake_forget(void);

/**
 * enum fake_kind - Where an address leads
 * @FAKE_FAULT: nowhere
 * @FAKE_SCRATCH: to memory that is not there
 * @FAKE_PAGE: to a page of the guest
 */
enum fake_kind {
	FAKE_FAULT,
	FAKE_SCRATCH,
	FAKE_PAGE,
};

/**
 * struct fake_target - Where an address leads
 * @kind: what it is; else only @gfn, @writable, @pat of FAKE_PAGE hold
 * @gfn: page of the guest
 * @writable: all entries allow it
 * @pat: PAT index of the page
 */
struct fake_target {
	enum fake_kind kind;
	u32 gfn;
	bool writable;
	unsigned int pat;
};

/**
 * fake_guest_walk() - Where the guest's tables lead
 * @pp: root pointers, levels, 64K pages
 * @va: address
 */
struct fake_target fake_guest_walk(const struct gvirt_ppgtt *pp, u64 va);
/**
 * fake_shadow_walk() - Where the shadow leads
 * @pp: address space
 * @va: address
 */
struct fake_target fake_shadow_walk(const struct gvirt_ppgtt *pp, u64 va);
/**
 * fake_table() - Return: the entries of a table that the chip would walk
 * @dma: where it is, as an entry or a root pointer says
 */
const u64 *fake_table(u64 dma);
/**
 * fake_is_memory() - Return: has the guest memory there?
 * @gpa: guest-physical address
 */
bool fake_is_memory(u64 gpa);
/**
 * fake_address() - Return: a random address, rather one that is mapped than not
 * @pp: address space of the guest's
 */
u64 fake_address(const struct gvirt_ppgtt *pp);

#endif
