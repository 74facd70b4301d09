// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of a vGPU's GGTT as memory of its guest's.
 *
 * The pages that model/ggtt keeps are what is mapped, so there is nothing to copy or to compare:
 * who looks an entry up reads what the guest has stored. What commands need is looked up
 * again for each request (model/window). What stays is the aperture: its pages are
 * mapped by what the entries were. So a page of the table is in one of two states:
 *
 * - *out of sync*, at first: the guest stores freely, and nothing of the aperture is mapped by
 *   these entries;
 * - *synced*: something is, and the page is in nobody's page table. The next access faults, once
 *   for all that follow: what is mapped by its 512 entries goes, and the page is out of sync.
 *
 * A page that is not in the VMM's page table is not in KVM's, so this needs no write
 * tracking, and works for a VMM without KVM as well. A load faults like a store:
 * drivers hardly ever read the table.
 *
 * KVM lets a fault happen and looks then, see gvirt_track_hold().
 */
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/vfio.h>
#include <gvirt/gen9_pci.h>
#include "host/track.h"
#include "vgpu/vgpu.h"
#include "ggtt_pages.h"
#include "region.h"

static bool map_ggtt = true;
module_param(map_ggtt, bool, 0444);
MODULE_PARM_DESC(map_ggtt, "map the GGTT as memory, else accesses to it are calls (Y)");

static void zap_locked(struct gvirt_ggtt_pages *pages, u64 number)
{
	u64 start = GVIRT_REGION_START(VFIO_PCI_BAR0_REGION_INDEX) + GEN9_GTTMMADR_GGTT +
		    (number << PAGE_SHIFT);

	lockdep_assert_held(&pages->lock);
	unmap_mapping_range(pages->vdev->inode->i_mapping, start, PAGE_SIZE, true);
	atomic64_inc(&pages->zaps);
}

static void sync_page(struct gvirt_ggtt_pages *pages, u64 number)
{
	struct mm_struct *mm;

	if (test_bit(number, pages->synced))
		return;
	mm = gvirt_track_hold(pages->vdev->kvm);
	scoped_guard(mutex, &pages->lock) {
		__set_bit(number, pages->synced);
		if (__test_and_clear_bit(number, pages->shown))
			zap_locked(pages, number);
	}
	gvirt_track_release(mm);
}

void gvirt_ggtt_pages_sync(struct gvirt_ggtt_pages *pages, u64 first, u64 last)
{
	u64 number;

	if (!pages->active)
		return;
	for (number = first / GEN9_TABLE_ENTRIES; number <= last / GEN9_TABLE_ENTRIES; number++)
		sync_page(pages, number);
}

void gvirt_ggtt_pages_release(struct gvirt_ggtt_pages *pages, u64 number)
{
	guard(mutex)(&pages->lock);
	__clear_bit(number, pages->synced);
}

static void *get_page_of(struct gvirt_vgpu *vgpu, u64 number)
{
	guard(mutex)(&vgpu->lock);
	return gvirt_vggtt_map(&vgpu->ggtt, number);
}

vm_fault_t gvirt_ggtt_pages_fault(struct gvirt_ggtt_pages *pages, u64 number,
				  struct vm_fault *vmf)
{
	void *page;

	if (!gvirt_ggtt_pages_has(pages, number, 1))
		return VM_FAULT_SIGBUS;
	page = get_page_of(pages->vgpu, number);
	if (!page)
		return VM_FAULT_OOM;
	guard(mutex)(&pages->lock);
	if (test_bit(number, pages->synced))
		return 0;
	__set_bit(number, pages->shown);
	atomic64_inc(&pages->faults);
	return vmf_insert_pfn(vmf->vma, vmf->address, virt_to_phys(page) >> PAGE_SHIFT);
}

bool gvirt_ggtt_pages_has(const struct gvirt_ggtt_pages *pages, u64 first, u64 count)
{
	return pages->active && first < GVIRT_GGTT_PAGES && count <= GVIRT_GGTT_PAGES - first;
}

void gvirt_ggtt_pages_init(struct gvirt_ggtt_pages *pages, struct vfio_device *vdev,
			   struct gvirt_vgpu *vgpu)
{
	pages->vdev = vdev;
	pages->vgpu = vgpu;
	mutex_init(&pages->lock);
}

void gvirt_ggtt_pages_open(struct gvirt_ggtt_pages *pages)
{
	bitmap_zero(pages->shown, GVIRT_GGTT_PAGES);
	bitmap_zero(pages->synced, GVIRT_GGTT_PAGES);
	pages->active = map_ggtt;
}

void gvirt_ggtt_pages_close(struct gvirt_ggtt_pages *pages)
{
	pages->active = false;
	guard(mutex)(&pages->vgpu->lock);
	gvirt_vggtt_unmap_all(&pages->vgpu->ggtt);
}
