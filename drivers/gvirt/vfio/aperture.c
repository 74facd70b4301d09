// SPDX-License-Identifier: GPL-2.0-only
/*
 * A vGPU's aperture, mapped page by page to its guest's own memory.
 *
 * A page is mapped when the guest first touches it: the entry of its GGTT is looked up,
 * the memory is pinned, and the VMM's page table gets it. It stays until the entry is
 * written, the VMM takes the memory away, or the vGPU is reset. Then it is taken from
 * the page table (and so from KVM's), and after that it is unpinned.
 *
 * Where the GGTT maps no memory, a scratch page of the vGPU's stands in. Unlike a call,
 * an access through a mapping cannot be dropped: what is stored there is read back
 * until the next reset, from all such pages. Fences do not count: tiled ranges show
 * memory as it is.
 *
 * Pinning needs mmap_lock and VFIO's locks. A fault comes with the former, so it is let
 * go of, and the fault comes again when the page is pinned. The latter are held by
 * who accesses guest memory for a device, gvirt included; when that hits the aperture
 * (a GGTT entry that points into the aperture itself), the fault must not pin: it would
 * wait for itself. Such faults come from copies in the kernel, or are marked as remote:
 * they get what is there, or fail, and nothing worse happens to the guest than that its
 * request is refused. KVM and the VMM itself fault otherwise.
 *
 * A change of an entry either sees the page that was pinned for the old one, or
 * that somebody is pinning for it; or the fault sees the new entry. Both sides read
 * after they have written, with the vGPU's lock in between.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/vfio.h>
#include "host/guest.h"
#include "host/track.h"
#include "vgpu/vgpu.h"
#include "aperture.h"
#include "region.h"

#define NOBODY		(~0ull)
#define NO_GFN		(~0ull)

static bool map_aperture = true;
module_param(map_aperture, bool, 0444);
MODULE_PARM_DESC(map_aperture, "map the aperture to the guest's own memory, else its accesses are calls (Y)");

/**
 * struct aperture_page - A page that can be mapped
 * @gfn: pinned for it; NO_GFN: it is the scratch page
 * @pfn: of the host
 */
struct aperture_page {
	u64 gfn;
	unsigned long pfn;
};

/* Letting go. */

static void zap_locked(struct gvirt_aperture *aperture, u64 offset, u64 bytes)
{
	u64 start = GVIRT_REGION_START(VFIO_PCI_BAR2_REGION_INDEX) + offset;

	lockdep_assert_held(&aperture->lock);
	unmap_mapping_range(aperture->vdev->inode->i_mapping, start, bytes, true);
	atomic64_inc(&aperture->zaps);
}

static void free_page_locked(struct gvirt_aperture *aperture, struct aperture_page *page)
{
	lockdep_assert_held(&aperture->pin_lock);
	if (page && page->gfn != NO_GFN)
		gvirt_guest_unpin(&aperture->vgpu->guest, page->gfn);
	kfree(page);
}

static void drop_locked(struct gvirt_aperture *aperture, u64 number)
{
	struct mm_struct *mm = gvirt_track_hold(aperture->vdev->kvm);
	struct aperture_page *page;

	lockdep_assert_held(&aperture->pin_lock);
	scoped_guard(mutex, &aperture->lock) {
		page = xa_erase(&aperture->pages, number);
		if (page)
			zap_locked(aperture, number << PAGE_SHIFT, PAGE_SIZE);
	}
	gvirt_track_release(mm);
	free_page_locked(aperture, page);
}

/* All at once from the page table; nothing is mapped again until all of it is let go of. */
static void drop_all_locked(struct gvirt_aperture *aperture)
{
	struct mm_struct *mm = gvirt_track_hold(aperture->vdev->kvm);
	struct aperture_page *page;
	unsigned long number;

	lockdep_assert_held(&aperture->pin_lock);
	scoped_guard(mutex, &aperture->lock) {
		aperture->emptying = true;
		zap_locked(aperture, 0, GVIRT_VGPU_APERTURE_SIZE);
	}
	gvirt_track_release(mm);
	xa_for_each(&aperture->pages, number, page)
		free_page_locked(aperture, xa_erase(&aperture->pages, number));
	scoped_guard(mutex, &aperture->lock)
		aperture->emptying = false;
}

void gvirt_aperture_changed(struct gvirt_aperture *aperture, u64 first, u64 last)
{
	u64 number;

	for (number = first; number <= last; number++) {
		/* Pairs with fill_locked(). */
		if (smp_load_acquire(&aperture->pinning) != number &&
		    !xa_load(&aperture->pages, number))
			continue;
		guard(mutex)(&aperture->pin_lock);
		drop_locked(aperture, number);
	}
}

void gvirt_aperture_revoke(struct gvirt_aperture *aperture, u64 first_gfn, u64 last_gfn)
{
	struct aperture_page *page;
	unsigned long number;

	guard(mutex)(&aperture->pin_lock);
	xa_for_each(&aperture->pages, number, page)
		if (page->gfn != NO_GFN && page->gfn >= first_gfn && page->gfn <= last_gfn)
			drop_locked(aperture, number);
}

void gvirt_aperture_reset(struct gvirt_aperture *aperture)
{
	if (!aperture->scratch)
		return;
	guard(mutex)(&aperture->pin_lock);
	drop_all_locked(aperture);
	clear_page(page_address(aperture->scratch));
}

/* Getting a page. */

/* Whether whoever faults may hold locks that pinning needs. */
static bool may_pin(const struct vm_fault *vmf)
{
	if (vmf->flags & FAULT_FLAG_REMOTE || current->flags & PF_KTHREAD)
		return false;
	return vmf->flags & FAULT_FLAG_USER || !(vmf->flags & FAULT_FLAG_INTERRUPTIBLE);
}

/* What is no memory, or cannot be pinned, is the scratch page, until the entry is written. */
static void pin_locked(struct gvirt_aperture *aperture, u64 number, struct aperture_page *page)
{
	struct gvirt_vgpu *vgpu = aperture->vgpu;
	void *memory;
	u64 gpa;

	lockdep_assert_held(&aperture->pin_lock);
	page->gfn = NO_GFN;
	page->pfn = page_to_pfn(aperture->scratch);
	if (!gvirt_vgpu_aperture_gpa(vgpu, number << PAGE_SHIFT, &gpa))
		return;
	memory = gvirt_guest_pin_cpu(&vgpu->guest, gpa >> PAGE_SHIFT);
	if (PTR_ERR_OR_ZERO(memory) == -ENOMEM)
		dev_notice_ratelimited(vgpu->dev, "aperture: cannot pin guest memory, what the guest stores there is lost. Raise the VMM's limit of locked memory (RLIMIT_MEMLOCK)\n");
	if (IS_ERR(memory))
		return;
	page->gfn = gpa >> PAGE_SHIFT;
	page->pfn = virt_to_phys(memory) >> PAGE_SHIFT;
}

static void fill_locked(struct gvirt_aperture *aperture, u64 number)
{
	struct aperture_page *page = kzalloc(sizeof(*page), GFP_KERNEL_ACCOUNT);

	lockdep_assert_held(&aperture->pin_lock);
	if (!page)
		return;
	WRITE_ONCE(aperture->pinning, number);
	pin_locked(aperture, number, page);
	if (xa_err(xa_store(&aperture->pages, number, page, GFP_KERNEL)))
		free_page_locked(aperture, page);
	/* Pairs with gvirt_aperture_changed(): whoever does not see this sees the page. */
	smp_store_release(&aperture->pinning, NOBODY);
}

/*
 * Pins the page without mmap_lock; then the fault has to come again. So it does when
 * there was no memory, or a fatal signal, which ends that.
 */
static vm_fault_t fill(struct gvirt_aperture *aperture, u64 number, struct vm_fault *vmf)
{
	struct file *file;

	if (!(vmf->flags & FAULT_FLAG_ALLOW_RETRY) || vmf->flags & FAULT_FLAG_RETRY_NOWAIT)
		return VM_FAULT_SIGBUS;
	file = get_file(vmf->vma->vm_file);
	release_fault_lock(vmf);
	if (!mutex_lock_killable(&aperture->pin_lock)) {
		if (!xa_load(&aperture->pages, number))
			fill_locked(aperture, number);
		mutex_unlock(&aperture->pin_lock);
	}
	fput(file);
	return VM_FAULT_RETRY;
}

vm_fault_t gvirt_aperture_fault(struct gvirt_aperture *aperture, u64 number,
				struct vm_fault *vmf)
{
	const struct aperture_page *page;

	scoped_guard(mutex, &aperture->lock) {
		page = aperture->emptying ? NULL : xa_load(&aperture->pages, number);
		if (page) {
			atomic64_inc(&aperture->faults);
			if (page->gfn == NO_GFN)
				atomic64_inc(&aperture->scratched);
			return vmf_insert_pfn(vmf->vma, vmf->address, page->pfn);
		}
	}
	return may_pin(vmf) ? fill(aperture, number, vmf) : VM_FAULT_SIGBUS;
}

/* Life. */

void gvirt_aperture_init(struct gvirt_aperture *aperture, struct vfio_device *vdev,
			 struct gvirt_vgpu *vgpu)
{
	aperture->vdev = vdev;
	aperture->vgpu = vgpu;
	aperture->pinning = NOBODY;
	mutex_init(&aperture->pin_lock);
	mutex_init(&aperture->lock);
	xa_init_flags(&aperture->pages, XA_FLAGS_ACCOUNT);
}

void gvirt_aperture_open(struct gvirt_aperture *aperture)
{
	if (map_aperture)
		aperture->scratch = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
}

void gvirt_aperture_close(struct gvirt_aperture *aperture)
{
	gvirt_aperture_reset(aperture);
	if (aperture->scratch)
		__free_page(aperture->scratch);
	aperture->scratch = NULL;
}
