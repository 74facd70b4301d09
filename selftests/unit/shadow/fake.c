// SPDX-License-Identifier: GPL-2.0-only
/*
 * A guest's memory and a chip: see fake.h.
 *
 * The walks are written from the chip's rules, without the module's code for entries.
 */
#include <linux/array_size.h>
#include <linux/dma-mapping.h>
#include <sys/mman.h>
#include <gvirt/gen9_pte.h>
#include "host/guest.h"
#include "host/watch.h"
#include "model/ppgtt.h"
#include "fake.h"

#define BUFFERS		32768u
#define BUFFER_DMA	0x2000000000ull
#define ADDR(entry)	((entry) & GEN9_PTE_ADDR_MASK)

/**
 * struct buffer - DMA memory
 * @data: it; NULL: free
 * @known: a TLB may know it as a table
 * @walked: levels as which it has been walked already
 */
struct buffer {
	u64 *data;
	bool known;
	u8 walked;
};

struct fake fake;
unsigned long jiffies;
static struct buffer buffers[BUFFERS];
static u32 next_buffer, end_buffer;
static u64 random_state;

static void die(const char *what, u64 value)
{
	fprintf(stderr, "%s: %#llx\n", what, (unsigned long long)value);
	abort();
}

void fake_seed(u64 seed)
{
	random_state = (seed + 1) * 0x9e3779b97f4a7c15ull;
}

u32 fake_random(u32 below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 16) % below;
}

/* Memory of the host. */

static bool fails(void)
{
	if (++fake.attempts == fake.fail_at)
		return true;
	return fake.fail_every && !fake_random(fake.fail_every);
}

void *shadow_alloc(size_t bytes)
{
	return fails() ? NULL : calloc(1, bytes);
}

void *dma_alloc_coherent(struct device *dev, size_t bytes, dma_addr_t *dma, unsigned int gfp)
{
	u32 i;

	(void)dev;
	(void)gfp;
	if (bytes != PAGE_SIZE)
		die("buffer of another size than a page", bytes);
	if (fails())
		return NULL;
	for (i = 0; i < BUFFERS && buffers[next_buffer % BUFFERS].data; i++)
		next_buffer++;
	if (i == BUFFERS)
		die("too many buffers", i);
	i = next_buffer++ % BUFFERS;
	buffers[i] = (struct buffer) { .data = calloc(1, bytes) };
	*dma = BUFFER_DMA + ((u64)i << PAGE_SHIFT);
	if (i >= end_buffer)
		end_buffer = i + 1;
	fake.buffers++;
	return buffers[i].data;
}

static struct buffer *buffer_at(u64 dma)
{
	u64 i = (dma - BUFFER_DMA) >> PAGE_SHIFT;

	if (dma < BUFFER_DMA || i >= BUFFERS || !buffers[i].data)
		die("no buffer at bus address", dma);
	return &buffers[i];
}

void dma_free_coherent(struct device *dev, size_t bytes, void *data, dma_addr_t dma)
{
	struct buffer *buffer = buffer_at(dma);

	(void)dev;
	(void)bytes;
	if (buffer->data != data)
		die("freed at another bus address", dma);
	if (buffer->known)
		die("freed a table that a TLB may know", dma);
	free(data);
	buffer->data = NULL;
	fake.buffers--;
}

/* Memory of the guest, as host/guest.h has it. */

static int pin(u64 gfn)
{
	if (gfn >= FAKE_PAGES || !fake.ram[gfn]) {
		fake.absent++;
		return -EFAULT;
	}
	if (fails() || (!fake.pins[gfn] && fake.pinned >= fake.limit))
		return -ENOMEM;
	fake.pin_calls += !fake.pins[gfn] && !fake.ahead[gfn];
	if (!fake.pins[gfn]++)
		fake.pinned++;
	return 0;
}

static void unpin(u64 gfn)
{
	if (gfn >= FAKE_PAGES || !fake.pins[gfn])
		die("unpinned a page that is not pinned", gfn);
	if (--fake.pins[gfn])
		return;
	fake.pinned--;
	if (fake.known[gfn])
		die("unpinned a page that a TLB may know", gfn);
}

/* Somebody else has a page that is followed as a table. */
static void disturb(struct gvirt_guest *guest, u64 gfn)
{
	if (!fake.tables[gfn])
		return;
	fake.disturbed[gfn] = true;
	atomic_inc(&guest->disturbances);
}

int gvirt_guest_pin(struct gvirt_guest *guest, u64 gfn, dma_addr_t *dma)
{
	int err = pin(gfn);

	if (!err)
		disturb(guest, gfn);
	if (!err)
		*dma = (u64)fake.host[gfn] << PAGE_SHIFT;
	return err;
}

/* Works for all that is there, or not at all. */
void gvirt_guest_pin_ahead(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	u64 i;

	(void)guest;
	if (!count || count > FAKE_ENTRIES)
		die("pages pinned ahead", count);
	if (fails())
		return;
	fake.pin_calls++;
	for (i = gfn; i < gfn + count; i++) {
		if (i >= FAKE_PAGES || !fake.ram[i] || fake.pins[i] || fake.ahead[i])
			continue;
		fake.ahead[i] = true;
		fake.pinned_ahead++;
	}
}

void gvirt_guest_end_ahead(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	u64 i;

	(void)guest;
	for (i = gfn; i < gfn + count && i < FAKE_PAGES; i++) {
		fake.pinned_ahead -= fake.ahead[i];
		fake.ahead[i] = false;
	}
}

void *gvirt_guest_pin_cpu(struct gvirt_guest *guest, u64 gfn)
{
	int err = pin(gfn);

	(void)guest;
	return err ? ERR_PTR(err) : fake.memory[gfn];
}

const void *gvirt_guest_pin_table(struct gvirt_guest *guest, u64 gfn)
{
	int err = pin(gfn);

	if (err)
		return ERR_PTR(err);
	disturb(guest, gfn);
	fake.tables[gfn]++;
	return fake.memory[gfn];
}

void gvirt_guest_unpin_table(struct gvirt_guest *guest, u64 gfn)
{
	(void)guest;
	if (!fake.tables[gfn])
		die("unpinned a table that is none", gfn);
	fake.tables[gfn]--;
	if (!fake.tables[gfn] && fake.watched[gfn])
		die("let go of a table that is protected", gfn);
	unpin(gfn);
}

bool gvirt_guest_take_disturbed(struct gvirt_guest *guest, u64 *gfn)
{
	(void)guest;
	for (; *gfn < FAKE_PAGES; (*gfn)++) {
		if (!fake.disturbed[*gfn])
			continue;
		fake.disturbed[*gfn] = false;
		return true;
	}
	return false;
}

bool gvirt_guest_is_table_only(struct gvirt_guest *guest, u64 gfn)
{
	(void)guest;
	return fake.pins[gfn] == fake.tables[gfn];
}

void gvirt_guest_unpin(struct gvirt_guest *guest, u64 gfn)
{
	(void)guest;
	unpin(gfn);
}

void gvirt_guest_unpin_block(struct gvirt_guest *guest, u64 gfn, unsigned int order)
{
	unsigned int i;

	(void)guest;
	for (i = 0; i < BIT(order); i++)
		unpin(gfn + i);
}

static int pin_in_block(u64 gfn, unsigned int i, unsigned int order)
{
	int err = pin(gfn + i);

	if (err)
		return err;
	if (fake.host[gfn] % BIT(order) == 0 && fake.host[gfn + i] == fake.host[gfn] + i)
		return 0;
	unpin(gfn + i);
	return -ERANGE;
}

int gvirt_guest_pin_block(struct gvirt_guest *guest, u64 gfn, unsigned int order, dma_addr_t *dma)
{
	unsigned int i;
	int err;

	for (i = 0; i < BIT(order); i++) {
		err = pin_in_block(gfn, i, order);
		if (err) {
			while (i--)
				unpin(gfn + i);
			return err;
		}
	}
	for (i = 0; i < BIT(order); i++)
		disturb(guest, gfn + i);
	*dma = (u64)fake.host[gfn] << PAGE_SHIFT;
	return 0;
}

/* KVM, as host/watch.h has it. */

static struct gvirt_watch *the_watch;

void gvirt_watch_init(struct gvirt_watch *watch, const struct gvirt_watch_services *services,
		      void *data)
{
	static int kvm;

	*watch = (struct gvirt_watch) { .services = services, .data = data };
	if (fake.kvm)
		watch->kvm = (struct kvm *)&kvm;
	the_watch = watch;
}

int gvirt_watch_add(struct gvirt_watch *watch, u64 gfn, const void *page)
{
	if (page != fake.memory[gfn] || !gvirt_watch_active(watch))
		die("cannot watch", gfn);
	if (fake.hole[gfn])
		die("protected though stores are not seen", gfn);
	if (fails())
		return -ENOMEM;
	fake.watched[gfn] = true;
	return 0;
}

void gvirt_watch_remove(struct gvirt_watch *watch, u64 gfn)
{
	(void)watch;
	fake.watched[gfn] = false;
	fake.happened[gfn] = 0;
}

bool gvirt_watch_had_gap(struct gvirt_watch *watch, u64 gfn)
{
	(void)watch;
	return fake.gap[gfn];
}

bool gvirt_watch_next(struct gvirt_watch *watch, struct gvirt_watch_event *event)
{
	u32 gfn;

	for (gfn = 0; gfn < FAKE_PAGES && !fake.happened[gfn]; gfn++)
		;
	if (gfn == FAKE_PAGES)
		return false;
	(void)watch;
	*event = (struct gvirt_watch_event) {
		.gfn = gfn,
		.watched = fake.watched[gfn],
		.gone = fake.happened[gfn] & FAKE_GONE,
	};
	fake.happened[gfn] = 0;
	return true;
}

void fake_store(u32 gfn, u32 i, u64 value)
{
	fake_store_part(gfn, i * sizeof(u64), sizeof(u64), value);
}

void fake_store_part(u32 gfn, u32 offset, u32 bytes, u64 value)
{
	memcpy((u8 *)fake.memory[gfn] + offset, &value, bytes);
	if (!fake.watched[gfn])
		fake.hole[gfn] = false;
	if (!fake.watched[gfn])
		return;
	fake.exits++;
	fake.happened[gfn] |= FAKE_WRITTEN;
	if (the_watch->services->keep(the_watch->data, gfn, offset, bytes))
		the_watch->services->stored(the_watch->data, gfn, offset, bytes);
	else
		fake.watched[gfn] = false;
}

void fake_unplug(u32 first, u32 last)
{
	u32 gfn;

	for (gfn = first; gfn <= last; gfn++) {
		fake.gap[gfn] = true;
		fake.hole[gfn] = true;
		if (fake.watched[gfn] || fake.happened[gfn])
			fake.happened[gfn] = FAKE_GONE;
		fake.watched[gfn] = false;
	}
}

void fake_swap(u32 a, u32 b)
{
	u32 host = fake.host[a];

	fake.host[a] = fake.host[b];
	fake.host[b] = host;
	fake.guest[fake.host[a] - FAKE_HOST_PFN] = a;
	fake.guest[fake.host[b] - FAKE_HOST_PFN] = b;
}

/* The chip. */

static u32 guest_page_at(u64 dma)
{
	u64 pfn = dma >> PAGE_SHIFT;

	if (pfn < FAKE_HOST_PFN || pfn >= FAKE_HOST_PFN + FAKE_PAGES)
		die("an entry leads to a foreign page", dma);
	if (!fake.pins[fake.guest[pfn - FAKE_HOST_PFN]])
		die("an entry leads to a page that is not pinned", dma);
	return fake.guest[pfn - FAKE_HOST_PFN];
}

static bool is_page(unsigned int level, u64 entry)
{
	return level == 1 || (level < 4 && entry & GEN9_PDE_PS);
}

static unsigned int page_shift(unsigned int level, bool in_64k)
{
	return level == 1 && in_64k ? 16 : 3 + 9 * level;
}

static u64 page_address(unsigned int shift, u64 entry)
{
	return ADDR(entry) & ~((1ull << shift) - 1);
}

static void know_page(u64 address, unsigned int shift)
{
	u64 i;

	if (address == fake.scratch) {
		if (shift != 12)
			die("a large page leads to the scratch page", shift);
		return;
	}
	for (i = 0; i < 1ull << (shift - 12); i++)
		fake.known[guest_page_at(address + (i << 12))] = true;
}

static void know_table(u64 dma, unsigned int level, bool in_64k)
{
	struct buffer *buffer = buffer_at(dma);
	u8 as = BIT(level) | (in_64k ? BIT(0) : 0);
	unsigned int i;
	u64 entry;

	buffer->known = true;
	if ((buffer->walked & as) == as)
		return;
	buffer->walked |= as;
	for (i = 0; i < FAKE_ENTRIES; i += level == 1 && in_64k ? 16 : 1) {
		entry = buffer->data[i];
		if (!(entry & GEN9_PTE_PRESENT))
			continue;
		if (is_page(level, entry))
			know_page(page_address(page_shift(level, in_64k), entry),
				  page_shift(level, in_64k));
		else
			know_table(ADDR(entry), level - 1,
				   level == 2 && entry & GEN9_PDE_IPS_64K);
	}
}

static unsigned int roots(const struct gvirt_ppgtt *pp)
{
	return pp->levels == 3 ? 4 : 1;
}

static unsigned int top_level(const struct gvirt_ppgtt *pp)
{
	return pp->levels == 3 ? 2 : 4;
}

void fake_walk_all(void)
{
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	unsigned int i, n;

	for (i = 0; i < end_buffer; i++)
		buffers[i].walked = 0;
	for (n = 0; n < ARRAY_SIZE(fake.ppgtt); n++) {
		if (!fake.ppgtt[n])
			continue;
		gvirt_ppgtt_root(fake.ppgtt[n], pdp);
		for (i = 0; i < roots(fake.ppgtt[n]); i++)
			know_table(pdp[i], top_level(fake.ppgtt[n]), false);
	}
}

void fake_forget(void)
{
	unsigned int i;

	fake.invalidations++;
	memset(fake.known, 0, sizeof(fake.known));
	for (i = 0; i < end_buffer; i++)
		buffers[i].known = false;
	fake_walk_all();
}

/* Walks. */

static unsigned int index_of(unsigned int level, u64 va)
{
	return va >> (3 + 9 * level) & (FAKE_ENTRIES - 1);
}

bool fake_is_memory(u64 gpa)
{
	return gpa >> 12 < FAKE_PAGES && fake.ram[gpa >> 12];
}

const u64 *fake_table(u64 dma)
{
	return buffer_at(dma)->data;
}

static unsigned int pat_of(unsigned int level, u64 entry)
{
	u64 high = level == 1 ? GEN9_PTE_PAT : GEN9_PDE_PAT_LARGE;

	return (entry & GEN9_PTE_PWT ? 1 : 0) | (entry & GEN9_PTE_PCD ? 2 : 0) |
	       (entry & high ? 4 : 0);
}

static bool is_misaligned(unsigned int level, unsigned int shift, u64 entry)
{
	u64 below = ADDR(entry) & ((1ull << shift) - 1);

	return level > 1 ? below & ~GEN9_PDE_PAT_LARGE : below;
}

static void set_page(struct fake_target *to, unsigned int level, unsigned int shift, u64 entry,
		     u64 va)
{
	u64 address = page_address(shift, entry) + (va & ((1ull << shift) - 1));

	to->kind = fake_is_memory(address) ? FAKE_PAGE : FAKE_SCRATCH;
	to->gfn = address >> 12;
	to->pat = pat_of(level, entry);
}

struct fake_target fake_guest_walk(const struct gvirt_ppgtt *pp, u64 va)
{
	struct fake_target to = { .kind = FAKE_SCRATCH, .writable = true };
	u64 table = ADDR(pp->pdp[pp->levels == 3 ? va >> 30 : 0]);
	unsigned int level, shift, index;
	bool in_64k = false;
	u64 entry;

	/* A root pointer has no present bit. */
	for (level = top_level(pp);
	     fake_is_memory(table) && (table || level < top_level(pp)); level--) {
		index = index_of(level, va) & (in_64k ? ~15u : ~0u);
		entry = fake.memory[table >> 12][index];
		shift = page_shift(level, in_64k);
		to.writable = to.writable && entry & GEN9_PTE_RW;
		if (!(entry & GEN9_PTE_PRESENT) || entry & GEN9_PTE_ADDR_RESERVED ||
		    (is_page(level, entry) && is_misaligned(level, shift, entry))) {
			to.kind = FAKE_FAULT;
			return to;
		}
		if (is_page(level, entry)) {
			set_page(&to, level, shift, entry, va);
			return to;
		}
		in_64k = level == 2 && pp->ips_64k && entry & GEN9_PDE_IPS_64K;
		table = ADDR(entry);
	}
	return to;
}

struct fake_target fake_shadow_walk(const struct gvirt_ppgtt *pp, u64 va)
{
	struct fake_target to = { .kind = FAKE_FAULT, .writable = true };
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	unsigned int level, shift;
	bool in_64k = false;
	u64 entry, address;
	const u64 *table;

	gvirt_ppgtt_root(pp, pdp);
	table = fake_table(pdp[pp->levels == 3 ? va >> 30 : 0]);
	for (level = top_level(pp);; level--) {
		entry = table[index_of(level, va) & (in_64k ? ~15u : ~0u)];
		shift = page_shift(level, in_64k);
		to.writable = to.writable && entry & GEN9_PTE_RW;
		if (!(entry & GEN9_PTE_PRESENT))
			return to;
		if (is_page(level, entry))
			break;
		in_64k = level == 2 && entry & GEN9_PDE_IPS_64K;
		table = fake_table(ADDR(entry));
	}
	to.kind = FAKE_SCRATCH;
	to.pat = pat_of(level, entry);
	address = page_address(shift, entry) + (va & ((1ull << shift) - 1));
	if (address >> 12 == fake.scratch >> 12)
		return to;
	to.kind = FAKE_PAGE;
	to.gfn = guest_page_at(address);
	return to;
}

/* Some index, of an entry that is there if one is near. */
static unsigned int some_index(const u64 *table)
{
	unsigned int i = fake_random(FAKE_ENTRIES);
	unsigned int n;

	for (n = 0; n < 64 && !(table[(i + n) % FAKE_ENTRIES] & GEN9_PTE_PRESENT); n++)
		;
	return (i + n) % FAKE_ENTRIES;
}

u64 fake_address(const struct gvirt_ppgtt *pp)
{
	unsigned int root = fake_random(roots(pp));
	u64 table = ADDR(pp->pdp[root]);
	unsigned int level, index;
	u64 va = (u64)root << 30;

	for (level = top_level(pp); level; level--) {
		index = fake_random(FAKE_ENTRIES);
		if (fake_is_memory(table)) {
			index = some_index(fake.memory[table >> 12]);
			table = ADDR(fake.memory[table >> 12][index]);
		}
		va |= (u64)index << (3 + 9 * level);
	}
	return va;
}

/* Life. */

void fake_init(void)
{
	u32 i;

	fake = (struct fake) { .limit = ~0u };
	next_buffer = 0;
	end_buffer = 0;
	/* Little of it is touched; this costs nothing else. */
	fake.memory = mmap(NULL, FAKE_PAGES * PAGE_SIZE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (fake.memory == MAP_FAILED)
		die("no memory", FAKE_PAGES);
	for (i = 0; i < FAKE_PAGES; i++) {
		fake.ram[i] = true;
		fake.host[i] = FAKE_HOST_PFN + i;
		fake.guest[i] = i;
	}
}

void fake_fini(void)
{
	if (fake.pinned)
		die("pages are left pinned", fake.pinned);
	if (fake.buffers)
		die("DMA memory is left", fake.buffers);
	munmap(fake.memory, FAKE_PAGES * PAGE_SIZE);
	fake.memory = NULL;
}
