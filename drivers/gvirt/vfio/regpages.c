// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of a vGPU's registers that its guest reads without an exit.
 *
 * Such a page is a copy of register memory (model/mmio.h). The guest reads it; KVM
 * emulates each of its stores, which first go into the copy, and tells us; then the
 * store is carried out like a trapped write, and the copy shows what the register
 * reads. Nothing is ever taken from the copy, so what else is stored there does no harm.
 *
 * Which pages: those with registers that a driver uses while it works, where each
 * register's value is in register memory, or never changes, or follows from others
 * of the same page. The register table decides, see is_exact(). Engines' windows have
 * clocks and what the engine is doing now; they are offered only when asked for.
 *
 * Tracking needs KVM's memory slot, which comes after the guest has set the BAR up. So
 * it starts with the first fault, and ends when KVM says that the slot is gone.
 *
 * A hole to close (arch/x86/kvm/mmu/spte.c, make_spte()): an address that the guest
 * touched while there was no memory slot has a special entry in KVM's page tables, which
 * looks writable. The page that replaces such an entry becomes writable without a look
 * at write tracking, and stores are lost. KVM does not do that when the VMM's own page
 * table does not allow writes. So an entry is put there that does not, always, and
 * KVM's own copy of the stored data makes it writable, in gvirt_regpages_mkwrite(). After
 * that the page is taken from the page table again, and with it from KVM's, until no
 * special entry can be left: a read of the guest's has replaced it with one that
 * forbids writes. That is so when the page was mapped for a read, and the exit in which it
 * was is over: the thread is here with a later store, or all exits since have ended. Then
 * the page stays, and is *settled*, until the memory slot goes away. A read while memory
 * slots change does not count: a vCPU that did not see the new one may yet put a special
 * entry in place of ours.
 *
 * What can still go wrong: KVM has several page tables at a time (SMM, nested guests);
 * two vCPUs in the microseconds of a first write; a VMM that stores by itself. So a
 * worker compares each page with its registers ten times a second. What differs twice
 * is taken for a write that was lost, is counted, carried out, and the page begins anew.
 */
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <linux/vfio.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_reset.h>
#include "lib/reg.h"
#include "lib/reg_handler.h"
#include "vgpu/vgpu.h"
#include "region.h"
#include "regpages.h"

#define WATCH_PERIOD	(HZ / 10)
/* A store that KVM has copied but not told yet looks like a lost one: look again. */
#define WATCH_AGAIN	msecs_to_jiffies(20)

enum level {
	LEVEL_TRAP,
	LEVEL_EXACT,
	LEVEL_ENGINES,
	LEVEL_ALL,
};

static const char *const level_names[] = {
	[LEVEL_TRAP] = "trap",
	[LEVEL_EXACT] = "exact",
	[LEVEL_ENGINES] = "engines",
	[LEVEL_ALL] = "all",
};

static char *register_pages = "exact";
module_param(register_pages, charp, 0444);
MODULE_PARM_DESC(register_pages,
		 "registers that guests read without an exit: trap (none), exact (those whose values are always current), engines (also video and copy engines'), all (also the render engine's) (exact)");

static const struct candidate {
	u32 offset;
	enum level level;
} candidates[] = {
	{ GEN9_FORCEWAKE_ACK_RENDER, LEVEL_EXACT },
	{ GEN9_TLB_RENDER, LEVEL_EXACT },
	{ GEN9_FORCEWAKE_RENDER, LEVEL_EXACT },
	{ GEN9_MASTER_IRQ, LEVEL_EXACT },
	{ GEN9_GFX_FLSH_CNTL, LEVEL_EXACT },
	{ GEN9_FORCEWAKE_ACK_GT, LEVEL_EXACT },
	{ GEN9_BCS_BASE, LEVEL_ENGINES },
	{ GEN9_VCS_BASE, LEVEL_ENGINES },
	{ GEN9_VECS_BASE, LEVEL_ENGINES },
	{ GEN9_RCS_BASE, LEVEL_ALL },
};

static_assert(ARRAY_SIZE(candidates) <= GVIRT_TRACK_PAGES);

static enum level level_wanted(void)
{
	int level = match_string(level_names, ARRAY_SIZE(level_names), register_pages);

	if (level >= 0)
		return level;
	pr_notice_once("gvirt: register_pages=%s is none of trap, exact, engines, all: taken for exact\n",
		       register_pages);
	return LEVEL_EXACT;
}

/* Choice. */

/* Clocks' frequencies: what the chip says never changes. */
static bool is_fixed(u32 offset)
{
	return offset == GEN9_RPM_CONFIG0 || offset == GEN9_CTC_MODE ||
	       offset == GEN9_TIMESTAMP_OVERRIDE;
}

/* Computed, but from registers of the same page, by a store to which it can change only. */
static bool is_followed(u32 offset)
{
	return offset == GEN9_RPSTAT1;
}

static bool is_exact(const struct gvirt_reg *row, u32 offset)
{
	if (row->class == GVIRT_REG_HW_READ)
		return is_fixed(offset);
	return !gvirt_reg_handler_reads(row->handler) || is_followed(offset);
}

/* Registers that are computed, and whether the page may be offered. */
static bool look_at(struct gvirt_regpage *page, const struct gvirt_reg_table *table)
{
	u32 offset = page->number << PAGE_SHIFT;
	u32 end = offset + PAGE_SIZE;
	const struct gvirt_reg *row;

	for (; offset < end; offset += sizeof(u32)) {
		row = gvirt_reg_find(table, offset).row;
		if (!row)
			continue;
		if (page->exact && !is_exact(row, offset))
			return false;
		if (!gvirt_reg_handler_reads(row->handler))
			continue;
		if (page->computed_count == GVIRT_REGPAGE_COMPUTED)
			return false;
		page->computed[page->computed_count++] = offset;
	}
	return true;
}

static void offer(struct gvirt_regpages *pages, const struct candidate *candidate)
{
	struct gvirt_vgpu *vgpu = pages->vgpu;
	struct gvirt_regpage *page = &pages->page[pages->count];

	*page = (struct gvirt_regpage) {
		.number = candidate->offset >> PAGE_SHIFT,
		.exact = candidate->level == LEVEL_EXACT,
	};
	if (!vgpu->mmio.page[page->number] || !look_at(page, vgpu->mmio.table))
		return;
	scoped_guard(mutex, &vgpu->lock)
		page->shown = gvirt_vmmio_show(&vgpu->mmio, page->number);
	if (page->shown)
		pages->count++;
}

static struct gvirt_regpage *find(const struct gvirt_regpages *pages, u64 number)
{
	unsigned int i;

	for (i = 0; i < pages->count; i++)
		if (pages->page[i].number == number)
			return (struct gvirt_regpage *)&pages->page[i];
	return NULL;
}

bool gvirt_regpages_has(const struct gvirt_regpages *pages, u64 number)
{
	return pages->active && find(pages, number);
}

/* Mapping. */

static void unmap_locked(struct gvirt_regpages *pages, struct gvirt_regpage *page)
{
	u64 start = GVIRT_REGION_START(VFIO_PCI_BAR0_REGION_INDEX) +
		    ((u64)page->number << PAGE_SHIFT);

	lockdep_assert_held(&pages->lock);
	if (page->mapped)
		unmap_mapping_range(pages->vdev->inode->i_mapping, start, PAGE_SIZE, true);
	page->mapped = false;
	page->writable = false;
	page->seen = false;
}

/* KVM asks for the page, to put it into its own page table: not a copy, not the VMM. */
static bool is_for_guest(const struct vm_fault *vmf)
{
	return !(vmf->flags & (FAULT_FLAG_USER | FAULT_FLAG_INTERRUPTIBLE | FAULT_FLAG_REMOTE));
}

/* Whoever maps it might be a thread of KVM's that is about to use what it finds there. */
static void note_fault_locked(struct gvirt_regpages *pages, struct gvirt_regpage *page,
			      const struct vm_fault *vmf)
{
	lockdep_assert_held(&pages->lock);
	if (!page->mapped)
		page->reader = current;
	else if (page->reader != current)
		page->reader = NULL;
	page->mapped = true;
	if (is_for_guest(vmf) && !(vmf->flags & FAULT_FLAG_WRITE) &&
	    gvirt_track_steady(&pages->track))
		page->seen = true;
	if (page->seen)
		page->epoch = gvirt_track_epoch(&pages->track);
}

vm_fault_t gvirt_regpages_fault(struct gvirt_regpages *pages, u64 number, struct vm_fault *vmf)
{
	struct gvirt_regpage *page = find(pages, number);
	unsigned int slot;

	if (!page || !pages->active)
		return VM_FAULT_SIGBUS;
	slot = page - pages->page;
	guard(mutex)(&pages->lock);
	/* Fails while KVM has no memory slot: then the VMM itself wants the page. */
	if (!gvirt_track_has(&pages->track, slot))
		gvirt_track_add(&pages->track, slot, vmf->address);
	note_fault_locked(pages, page, vmf);
	return vmf_insert_pfn(vmf->vma, vmf->address, virt_to_phys(page->shown) >> PAGE_SHIFT);
}

void gvirt_regpages_mkwrite(struct gvirt_regpages *pages, u64 number, struct vm_fault *vmf)
{
	struct gvirt_regpage *page = find(pages, number);

	if (!page)
		return;
	guard(mutex)(&pages->lock);
	page->writable = true;
	if (page->seen && gvirt_track_has(&pages->track, page - pages->page) &&
	    (page->reader == current || gvirt_track_passed(&pages->track, page->epoch)))
		page->settled = true;
	page->seen = false;
}

static void begin_anew_locked(struct gvirt_regpages *pages, struct gvirt_regpage *page)
{
	lockdep_assert_held(&pages->lock);
	page->settled = false;
	unmap_locked(pages, page);
}

/* The memory slot is gone, and with it whoever had begun to map its page. */
static void gone(void *data, unsigned int slot)
{
	struct gvirt_regpages *pages = data;

	guard(mutex)(&pages->lock);
	begin_anew_locked(pages, &pages->page[slot]);
}

/* Writes. */

/* What can be carried out at once: aligned, up to 8 bytes. */
static unsigned int piece_of(u32 offset, unsigned int count)
{
	unsigned int bytes = sizeof(u64);

	while (bytes > count || offset & (bytes - 1))
		bytes /= 2;
	return bytes;
}

static void carry_out(struct gvirt_vgpu *vgpu, u32 offset, const u8 *data, unsigned int count)
{
	unsigned int done, bytes;
	u64 value;

	for (done = 0; done < count; done += bytes) {
		bytes = piece_of(offset + done, count - done);
		value = 0;
		memcpy(&value, data + done, bytes);
		gvirt_vgpu_write_bar0(vgpu, offset + done, bytes, value);
	}
}

static void refresh_locked(struct gvirt_vgpu *vgpu, const struct gvirt_regpage *page)
{
	u32 i;

	lockdep_assert_held(&vgpu->lock);
	for (i = 0; i < page->computed_count; i++)
		gvirt_vmmio_refresh(&vgpu->mmio, page->computed[i]);
}

/* The copy shows what the registers read after the write. */
static void settle_copy(struct gvirt_vgpu *vgpu, const struct gvirt_regpage *page, u32 offset,
			u32 count)
{
	guard(mutex)(&vgpu->lock);
	gvirt_vmmio_restore(&vgpu->mmio, offset, count);
	if (page->exact)
		refresh_locked(vgpu, page);
}

/* First of all: the shorter the page can be written to, the better. */
static void zap_unless_settled(struct gvirt_regpages *pages, struct gvirt_regpage *page)
{
	struct mm_struct *mm;

	if (READ_ONCE(page->settled))
		return;
	mm = gvirt_track_hold(pages->vdev->kvm);
	scoped_guard(mutex, &pages->lock) {
		if (!page->settled && page->writable) {
			atomic64_inc(&pages->zaps);
			unmap_locked(pages, page);
		}
	}
	gvirt_track_release(mm);
}

static void stored(void *data, unsigned int slot, u32 offset, const u8 *bytes,
		   unsigned int count)
{
	struct gvirt_regpages *pages = data;
	struct gvirt_regpage *page = &pages->page[slot];
	u32 first = (page->number << PAGE_SHIFT) + offset;

	atomic64_inc(&pages->tracked_writes);
	zap_unless_settled(pages, page);
	WRITE_ONCE(page->suspect, false);
	carry_out(pages->vgpu, first, bytes, count);
	settle_copy(pages->vgpu, page, first, count);
}

void gvirt_regpages_written(struct gvirt_regpages *pages, u64 number)
{
	struct gvirt_regpage *page = pages->active ? find(pages, number) : NULL;

	if (!page || !page->exact || !page->computed_count)
		return;
	guard(mutex)(&pages->vgpu->lock);
	refresh_locked(pages->vgpu, page);
}

static const struct gvirt_track_services track_services = {
	.write = stored,
	.gone = gone,
};

/* Lost writes. */

static bool differs(struct gvirt_vgpu *vgpu, const struct gvirt_regpage *page, u32 *offset,
		    u32 *value)
{
	guard(mutex)(&vgpu->lock);
	if (!page->exact)
		refresh_locked(vgpu, page);
	return gvirt_vmmio_differs(&vgpu->mmio, page->number, offset, value);
}

static void make_up_for(struct gvirt_regpages *pages, struct gvirt_regpage *page, u32 offset,
			u32 value)
{
	struct mm_struct *mm;

	atomic64_inc(&pages->lost_writes);
	dev_notice_ratelimited(pages->vdev->dev, "a store to register %x was not caught, and is carried out late\n",
			       offset);
	mm = gvirt_track_hold(pages->vdev->kvm);
	scoped_guard(mutex, &pages->lock)
		begin_anew_locked(pages, page);
	gvirt_track_release(mm);
	gvirt_vgpu_write_bar0(pages->vgpu, offset, sizeof(value), value);
	settle_copy(pages->vgpu, page, offset, sizeof(value));
}

/* Whether the page has to be looked at again soon. */
static bool look_for_lost(struct gvirt_regpages *pages, struct gvirt_regpage *page)
{
	u32 offset, value;
	bool again;

	if (!differs(pages->vgpu, page, &offset, &value)) {
		WRITE_ONCE(page->suspect, false);
		return false;
	}
	again = READ_ONCE(page->suspect) && page->suspect_offset == offset &&
		page->suspect_value == value;
	page->suspect_offset = offset;
	page->suspect_value = value;
	WRITE_ONCE(page->suspect, !again);
	if (again)
		make_up_for(pages, page, offset, value);
	return true;
}

static void watch(struct work_struct *work)
{
	struct gvirt_regpages *pages = container_of(to_delayed_work(work), struct gvirt_regpages,
						    watch);
	bool soon = false;
	unsigned int i;

	for (i = 0; i < pages->count; i++)
		soon |= look_for_lost(pages, &pages->page[i]);
	schedule_delayed_work(&pages->watch, soon ? WATCH_AGAIN : WATCH_PERIOD);
}

/* Life. */

void gvirt_regpages_init(struct gvirt_regpages *pages, struct vfio_device *vdev,
			 struct gvirt_vgpu *vgpu)
{
	pages->vdev = vdev;
	pages->vgpu = vgpu;
	mutex_init(&pages->lock);
	INIT_DELAYED_WORK(&pages->watch, watch);
}

void gvirt_regpages_open(struct gvirt_regpages *pages)
{
	enum level level = level_wanted();
	unsigned int i;

	if (level == LEVEL_TRAP ||
	    gvirt_track_start(&pages->track, pages->vdev->kvm, &track_services, pages))
		return;
	for (i = 0; i < ARRAY_SIZE(candidates); i++)
		if (candidates[i].level <= level)
			offer(pages, &candidates[i]);
	pages->active = true;
	schedule_delayed_work(&pages->watch, WATCH_PERIOD);
}

void gvirt_regpages_close(struct gvirt_regpages *pages)
{
	unsigned int i;

	if (!pages->active)
		return;
	pages->active = false;
	gvirt_track_stop(&pages->track);
	cancel_delayed_work_sync(&pages->watch);
	guard(mutex)(&pages->vgpu->lock);
	for (i = 0; i < pages->count; i++)
		gvirt_vmmio_hide(&pages->vgpu->mmio, pages->page[i].number);
	pages->count = 0;
}
