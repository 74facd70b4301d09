// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shadow page tables of a hostile guest: whatever it has in its tables and stores there, however
 * its memory comes and goes, and whatever fails meanwhile, after a sync each address leads where
 * the guest's tables lead, by a walk of its own (shadow/oracle.c). At no time is there a way for
 * the chip to a page that is not pinned, and in the end nothing is (shadow/fake.c).
 *
 * Input: a byte with flags, then a list of steps, each of a byte that says which, and what the step
 * takes besides.
 */
#include <errno.h>
#include <string.h>
#include <linux/array_size.h>
#include <gvirt/gen9_pte.h>
#include "host/guest.h"
#include "model/ppgtt.h"
#include "model/ppgtt_table.h"
#include "fake.h"
#include "input.h"
#include "must.h"
#include "oracle.h"

#define STEPS_MAX	64u
#define SPACES		4u
#define TABLES		8u	/* of the guest, from here on; most entries lead there, or behind */
#define FIRST_TABLE	16u
#define DATA		512u	/* aligned as a page of 2M */
#define ROW_MAX		64u
#define LARGE_MAX	2u	/* each page of 1G is 513 tables when it is split */
#define KVM		0x1
#define IPS_64K		0x2
#define NO_PAGE		FAKE_PAGES
#define GPA(gfn)	((u64)(gfn) << PAGE_SHIFT)

static struct gvirt_vppgtt vppgtt;
static struct gvirt_guest guest;
static struct gvirt_ppgtt *space[SPACES];
/* A page that something else than page tables has pinned; or NO_PAGE. */
static u32 aperture;
static u32 large;

/* What the shadow needs. */

static void invalidate(void *data)
{
	(void)data;
	fake_forget();
}

/* What is not looked at again is as the guest's table is, at once. */
static void expect_mirrored(u64 gfn)
{
	struct gvirt_source *source = gvirt_sources_find(&vppgtt.pool.sources, gfn);
	struct gvirt_source_user *user;

	if (!source || fake.disturbed[gfn])
		return;
	list_for_each_entry(user, &source->users, node)
		MUST(gvirt_source_is_due(user) || !gvirt_shadow_differs(user));
}

static void stored(void *data, u64 gfn, u32 offset, unsigned int bytes)
{
	gvirt_vppgtt_mirror(data, gfn, offset, bytes);
	expect_mirrored(gfn);
}

static const struct gvirt_shadow_services services = {
	.invalidate = invalidate,
	.stored = stored,
};

/* Entries. */

static u32 take_page(struct input *input)
{
	u32 page = take(input, 1);

	if (page < 0x80)
		return FIRST_TABLE + page % TABLES;
	return page < 0xf0 ? DATA + (page & 0x7f) * 8 : take(input, 2) % FAKE_PAGES;
}

static u64 limit_large(u64 entry)
{
	if (!(entry & GEN9_PDE_PS) || large++ < LARGE_MAX)
		return entry;
	return entry & ~GEN9_PDE_PS;
}

/* Flags: bits of an entry as they are; with bit 2, which has no meaning, all of it. */
static u64 take_entry(struct input *input)
{
	u32 flags = take(input, 1);
	u64 entry = flags;

	if (!(flags & GEN9_PTE_PRESENT))
		return 0;
	if (flags & BIT(2))
		return limit_large(take(input, 8) | GEN9_PTE_PRESENT);
	if (flags & BIT(5))
		entry |= GEN9_PDE_IPS_64K;
	entry |= GPA(take_page(input));
	return limit_large(entry);
}

/* Steps: the guest. */

static void store(struct input *input)
{
	u32 gfn = take_page(input), at = take(input, 1);

	fake_store(gfn, at % 8 * 64 + at / 8, take_entry(input));
}

static void store_row(struct input *input)
{
	u32 gfn = take_page(input), first = take(input, 1), count = take(input, 1) % ROW_MAX;
	u32 step = take(input, 1);
	u64 entry = take_entry(input);
	u32 i;

	entry = count > 1 ? entry & ~GEN9_PDE_PS : entry;
	for (i = 0; i < count; i++)
		fake_store(gfn, (first * 2 + i) % FAKE_ENTRIES, entry + GPA(i * step));
}

/* Any bytes, not beyond the page. A present entry of 1G may come of it. */
static void store_part(struct input *input)
{
	u32 gfn = take_page(input), offset = take(input, 2) % PAGE_SIZE;
	u32 bytes = 1 + take(input, 1) % 8;

	if (bytes > PAGE_SIZE - offset)
		bytes = PAGE_SIZE - offset;
	fake_store_part(gfn, offset, bytes, take(input, bytes));
}

/* The chip can store where a page is mapped, without an exit; the module itself says so. */
static void store_unseen(struct input *input)
{
	u32 gfn = take_page(input), at = take(input, 1) * 2;
	u64 entry = take_entry(input);

	if (!fake.known[gfn] && gfn != aperture) {
		fake.disturbed[gfn] = true;
		atomic_inc(&guest.disturbances);
	}
	fake.memory[gfn][at] = entry;
}

static void leave_aperture(void)
{
	if (aperture != NO_PAGE)
		gvirt_guest_unpin(&guest, aperture);
	aperture = NO_PAGE;
}

static void use_aperture(struct input *input)
{
	u32 gfn = take_page(input);
	dma_addr_t dma;

	leave_aperture();
	if (!gvirt_guest_pin(&guest, gfn, &dma))
		aperture = gfn;
}

/* Steps: its contexts. */

static void drop_space(u32 n)
{
	if (space[n])
		gvirt_ppgtt_put(space[n]);
	space[n] = NULL;
	fake.ppgtt[n] = NULL;
}

static void make_space(struct input *input)
{
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	u32 how = take(input, 1), n = how % SPACES, i;
	struct gvirt_ppgtt *made;

	drop_space(n);
	if (how & 0x80)
		return;
	for (i = 0; i < ARRAY_SIZE(pdp); i++)
		pdp[i] = GPA(how & 0x40 && !i ? take(input, 3) : take_page(input));
	made = gvirt_ppgtt_get(&vppgtt, how & 0x20 ? 3 : 4, pdp);
	MUST(!IS_ERR(made) || PTR_ERR(made) == -ENOMEM);
	if (IS_ERR(made))
		return;
	space[n] = made;
}

/* The chip has it from the first time on that this works. */
static int sync_one(u32 n)
{
	int err = gvirt_ppgtt_sync(space[n]);

	MUST(!fake.pinned_ahead);
	if (!err)
		fake.ppgtt[n] = space[n];
	fake_walk_all();
	if (!err)
		oracle_compare(space[n], !vppgtt.pool.retries);
	return err;
}

/* A failure is over when what had failed is there; that so much is not there is none. */
static void sync(struct input *input)
{
	u32 n = take(input, 1) % SPACES;
	int err = space[n] ? sync_one(n) : 0;

	if (!err || err == -E2BIG)
		return;
	MUST(err == -ENOMEM);
	fake.fail_at = 0;
	fake.limit = ~0u;
	err = sync_one(n);
	MUST(!err || err == -E2BIG);
}

/* Steps: its memory. */

static void take_away(u32 first, u32 last)
{
	u32 i;

	if (aperture >= first && aperture <= last)
		leave_aperture();
	fake_unplug(first, last);
	for (i = first; i <= last; i++)
		fake.ram[i] = false;
	gvirt_vppgtt_revoke(&vppgtt, first, last);
	for (i = first; i <= last; i++)
		MUST(!fake.pins[i] && !fake.watched[i]);
}

static void give_back(u32 first, u32 last)
{
	u32 i;

	for (i = first; i <= last; i++)
		fake.ram[i] = true;
}

/* What is in memory goes along. */
static void swap_pages(u32 a, u32 b)
{
	u64 entries[FAKE_ENTRIES];

	memcpy(entries, fake.memory[a], sizeof(entries));
	memcpy(fake.memory[a], fake.memory[b], sizeof(entries));
	memcpy(fake.memory[b], entries, sizeof(entries));
	fake_swap(a, b);
}

static void move_slot(struct input *input)
{
	u32 how = take(input, 1), count = 1 + how % 64, first = take_page(input);
	u32 to = take_page(input), i;

	if (first + count > FAKE_PAGES || to + count > FAKE_PAGES)
		return;
	take_away(first, first + count - 1);
	fake_walk_all();
	if (how & 0x40) {
		take_away(to, to + count - 1);
		for (i = 0; i < count; i++)
			swap_pages(first + i, to + i);
		give_back(to, to + count - 1);
	}
	if (how & 0x80)
		give_back(first, first + count - 1);
}

/* Steps: the host. */

static void fail(struct input *input)
{
	u32 how = take(input, 1);

	if (how & 0x80)
		fake.limit = fake.pinned + how % 64;
	else
		fake.fail_at = fake.attempts + 1 + how;
}

static void tend(struct input *input)
{
	u32 how = take(input, 1);

	switch (how % 8) {
	case 0:
		MUST(!gvirt_sources_look(&vppgtt.pool.sources, 1 + how / 8, gvirt_shadow_differs));
		break;
	case 1:
		gvirt_vppgtt_reclaim(&vppgtt, how / 8);
		break;
	case 2:
		jiffies += how / 8 * 1000;
		gvirt_vppgtt_age(&vppgtt);
		break;
	case 3:
		gvirt_vppgtt_trim(&vppgtt);
		break;
	case 4:
		gvirt_vppgtt_set_64k(&vppgtt, how & 8);
		break;
	default:
		gvirt_vppgtt_set_mode(&vppgtt, how / 8 % GVIRT_SHADOW_MODES);
		break;
	}
}

static void step(struct input *input)
{
	static void (*const steps[])(struct input *input) = {
		store, store, store_row, store_part, store_unseen, use_aperture, make_space, sync,
		sync, sync, move_slot, fail, tend, tend,
	};

	u32 which = take(input, 1);

	steps[which % 32 % ARRAY_SIZE(steps)](input);
	/* The chip may look at any time. */
	if (which & 0x80)
		fake_walk_all();
}

/* The guest begins with one path to a page table, and with memory that is not contiguous. */
static void start(u32 flags)
{
	u32 i;

	fake_init();
	fake_seed(1);
	jiffies = 0;
	fake.kvm = flags & KVM;
	for (i = FIRST_TABLE; i < FIRST_TABLE + 4; i++)
		fake.memory[i][0] = GPA(i + 1) | GEN9_PTE_PRESENT | GEN9_PTE_RW;
	fake_swap(DATA + 19, DATA + 700);
	fake_swap(DATA + 513, DATA + 701);
	memset(&guest, 0, sizeof(guest));
	MUST(!gvirt_vppgtt_init(&vppgtt, &guest, &services, &vppgtt));
	gvirt_vppgtt_set_64k(&vppgtt, flags & IPS_64K);
	fake.scratch = vppgtt.pool.scratch.page_dma;
	aperture = NO_PAGE;
	large = 0;
}

static void stop(void)
{
	u32 n;

	fake.fail_at = 0;
	for (n = 0; n < SPACES; n++)
		drop_space(n);
	leave_aperture();
	gvirt_vppgtt_reset(&vppgtt);
	MUST(!fake.pinned && !fake.pinned_ahead);
	gvirt_vppgtt_fini(&vppgtt);
	fake_fini();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input input = { data, size };
	unsigned int steps;

	start(take(&input, 1));
	for (steps = 0; input.left && steps < STEPS_MAX; steps++)
		step(&input);
	stop();
	return 0;
}
