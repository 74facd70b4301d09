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
 * until the next reset, from all such pages.
 *
 * A page in a fence of the guest's takes a detour. The rows of tiles around it, a chunk
 * (aperture_chunk.c), are pinned; the chunk gets a fence of the chip (hw/fence.c), and
 * the VMM's page table gets the page of the real aperture that shows it. Which fences the guest
 * has set is noted here when it has written one, and all that was mapped where the old or
 * the new one is goes. The chunk loses its fence of the chip when somebody else needs one:
 * then its pages are taken from the page table, and come again by a fault.
 *
 * KVM lets a page fault happen, and looks then; when nothing is there, it ends the VM. For
 * pages of memory gvirt_track_hold() keeps it from looking while one is taken. It waits for
 * the VMM, which who needs a fence for another vGPU must not. But KVM looks again when
 * the fault let go of mmap_lock on its way, so a fault in a fence always does: it comes for
 * nothing first, and maps the page when it comes again.
 *
 * Pinning needs mmap_lock and VFIO's locks. A fault comes with the former, so it is let
 * go of, and the fault comes again when the page is pinned. The latter are held by
 * who accesses guest memory for a device, gvirt included; when that hits the aperture
 * (a GGTT entry that points into the aperture itself), the fault must not pin: it would
 * wait for itself. Such faults come from copies in the kernel, or are marked as remote:
 * they get what is there, or fail, and nothing worse happens to the guest than that its
 * request is refused. KVM and the VMM itself fault otherwise.
 *
 * A call that changes an entry either sees the page that was pinned for the old one, or
 * that somebody is pinning for it; or the fault sees the new entry. Both sides read
 * after they have written, with the vGPU's lock in between. Where the guest's GGTT is memory
 * (ggtt_pages.c), pages of it are synced before their entries are read, and released after
 * all that they map is gone.
 */
#include <linux/cleanup.h>
#include <linux/container_of.h>
#include <linux/delay.h>
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
#include <gvirt/gen9_pte.h>
#include "compat.h"
#include "host/guest.h"
#include "host/track.h"
#include "vgpu/vgpu.h"
#include "aperture.h"
#include "aperture_chunk.h"
#include "region.h"

#define NOBODY		(~0ull)
#define NO_GFN		(~0ull)
#define RETRY_US	500
#define PAGES		(GVIRT_VGPU_APERTURE_SIZE >> PAGE_SHIFT)

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

static void count_locked(struct gvirt_aperture *aperture, ssize_t bytes)
{
	lockdep_assert_held(&aperture->pin_lock);
	WRITE_ONCE(aperture->bytes, aperture->bytes + bytes);
}

static void free_page_locked(struct gvirt_aperture *aperture, struct aperture_page *page)
{
	lockdep_assert_held(&aperture->pin_lock);
	if (page && page->gfn != NO_GFN)
		gvirt_guest_unpin(&aperture->vgpu->guest, page->gfn);
	kfree(page);
}

static bool has_pages_locked(struct gvirt_aperture *aperture, u64 first, u64 last)
{
	unsigned long index = first;

	lockdep_assert_held(&aperture->pin_lock);
	return xa_find(&aperture->pages, &index, last, XA_PRESENT);
}

/*
 * A range at once from the page table; nothing of it is mapped again until all of it is let
 * go of.
 */
static void zap_range_locked(struct gvirt_aperture *aperture, u64 first, u64 last)
{
	struct mm_struct *mm = gvirt_track_hold(aperture->vdev->kvm);

	lockdep_assert_held(&aperture->pin_lock);
	scoped_guard(mutex, &aperture->lock) {
		aperture->gone_first = first;
		aperture->gone_last = last;
		zap_locked(aperture, first << PAGE_SHIFT, (last + 1 - first) << PAGE_SHIFT);
	}
	gvirt_track_release(mm);
}

static void free_pages_locked(struct gvirt_aperture *aperture, u64 first, u64 last)
{
	struct aperture_page *page;
	unsigned long number;

	lockdep_assert_held(&aperture->pin_lock);
	xa_for_each_range(&aperture->pages, number, page, first, last) {
		free_page_locked(aperture, xa_erase(&aperture->pages, number));
		count_locked(aperture, -(ssize_t)sizeof(*page));
	}
	scoped_guard(mutex, &aperture->lock)
		aperture->gone_last = aperture->gone_first = NOBODY;
}

static void drop_pages_locked(struct gvirt_aperture *aperture, u64 first, u64 last)
{
	if (!has_pages_locked(aperture, first, last))
		return;
	zap_range_locked(aperture, first, last);
	free_pages_locked(aperture, first, last);
}

/* Chunks. */

static void zap_chunk_locked(struct gvirt_aperture *aperture, const struct gvirt_chunk *chunk)
{
	zap_locked(aperture, (u64)chunk->place.first << PAGE_SHIFT,
		   (u64)chunk->place.pages << PAGE_SHIFT);
}

static void drop_chunk_locked(struct gvirt_aperture *aperture, struct gvirt_chunk *chunk)
{
	lockdep_assert_held(&aperture->pin_lock);
	scoped_guard(mutex, &aperture->lock) {
		list_del(&chunk->node);
		zap_chunk_locked(aperture, chunk);
	}
	gvirt_fences_release(&aperture->vgpu->gpu->fences, &chunk->hold);
	count_locked(aperture, -(ssize_t)gvirt_chunk_bytes(chunk));
	gvirt_chunk_destroy(chunk, aperture->vgpu);
	WRITE_ONCE(aperture->chunk_count, aperture->chunk_count - 1);
}

/* Called for another vGPU, or the whole GPU: must not wait for this one's VMM. */
static void let_go(struct gvirt_fence_hold *hold)
{
	struct gvirt_chunk *chunk = container_of(hold, struct gvirt_chunk, hold);
	struct gvirt_aperture *aperture = hold->owner;

	guard(mutex)(&aperture->lock);
	WRITE_ONCE(hold->slot, GVIRT_FENCE_NONE);
	zap_chunk_locked(aperture, chunk);
	atomic64_inc(&aperture->fence_losses);
}

static void drop_chunks_locked(struct gvirt_aperture *aperture, u64 first, u64 last)
{
	struct gvirt_chunk *chunk, *next;

	lockdep_assert_held(&aperture->pin_lock);
	list_for_each_entry_safe(chunk, next, &aperture->chunks, node)
		if (chunk->place.first <= last && gvirt_chunk_last(chunk) >= first)
			drop_chunk_locked(aperture, chunk);
}

static void drop_fence_locked(struct gvirt_aperture *aperture, const struct gvirt_fence *fence)
{
	if (!fence->pitch)
		return;
	drop_chunks_locked(aperture, fence->first, fence->last);
	drop_pages_locked(aperture, fence->first, fence->last);
}

/* What counts from now on first, so that what goes does not come back as it was. */
static void change_fence_locked(struct gvirt_aperture *aperture, unsigned int n,
				const struct gvirt_fence *fence)
{
	const struct gvirt_fence old = aperture->fence[n];

	lockdep_assert_held(&aperture->pin_lock);
	if (gvirt_fence_equal(&old, fence))
		return;
	scoped_guard(mutex, &aperture->lock)
		aperture->fence[n] = *fence;
	drop_fence_locked(aperture, &old);
	drop_fence_locked(aperture, fence);
}

static void read_fences_locked(struct gvirt_aperture *aperture)
{
	struct gvirt_fence fence[GEN9_FENCE_COUNT];
	unsigned int n;

	lockdep_assert_held(&aperture->pin_lock);
	gvirt_vgpu_fences(aperture->vgpu, fence);
	for (n = 0; n < GEN9_FENCE_COUNT; n++)
		change_fence_locked(aperture, n, &fence[n]);
}

void gvirt_aperture_fences(struct gvirt_aperture *aperture)
{
	if (!aperture->scratch || !aperture->vgpu->gpu->fences.count)
		return;
	guard(mutex)(&aperture->pin_lock);
	read_fences_locked(aperture);
}

/* Changes. */

void gvirt_aperture_changed(struct gvirt_aperture *aperture, u64 first, u64 last)
{
	u64 number;

	/* Pairs with add_chunk_locked(). */
	if (smp_load_acquire(&aperture->chunk_count)) {
		guard(mutex)(&aperture->pin_lock);
		drop_chunks_locked(aperture, first, last);
	}
	for (number = first; number <= last; number++) {
		/* Pairs with fill_locked(). */
		if (smp_load_acquire(&aperture->pinning) != number &&
		    !xa_load(&aperture->pages, number))
			continue;
		guard(mutex)(&aperture->pin_lock);
		drop_pages_locked(aperture, number, number);
	}
}

void gvirt_aperture_revoke(struct gvirt_aperture *aperture, u64 first_gfn, u64 last_gfn)
{
	struct gvirt_chunk *chunk, *next;
	struct aperture_page *page;
	unsigned long number;

	guard(mutex)(&aperture->pin_lock);
	xa_for_each(&aperture->pages, number, page)
		if (page->gfn != NO_GFN && page->gfn >= first_gfn && page->gfn <= last_gfn)
			drop_pages_locked(aperture, number, number);
	list_for_each_entry_safe(chunk, next, &aperture->chunks, node)
		if (gvirt_chunk_has_gfn(chunk, first_gfn, last_gfn))
			drop_chunk_locked(aperture, chunk);
}

void gvirt_aperture_reset(struct gvirt_aperture *aperture)
{
	if (!aperture->scratch)
		return;
	guard(mutex)(&aperture->pin_lock);
	drop_chunks_locked(aperture, 0, U32_MAX);
	zap_range_locked(aperture, 0, PAGES - 1);
	free_pages_locked(aperture, 0, PAGES - 1);
	read_fences_locked(aperture);
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
	if (!gvirt_vgpu_ggtt_gpa(vgpu, number << PAGE_SHIFT, &gpa))
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
	gvirt_ggtt_pages_sync(aperture->entries, number, number);
	WRITE_ONCE(aperture->pinning, number);
	pin_locked(aperture, number, page);
	if (xa_err(xa_store(&aperture->pages, number, page, GFP_KERNEL)))
		free_page_locked(aperture, page);
	else
		count_locked(aperture, sizeof(*page));
	/* Pairs with gvirt_aperture_changed(): whoever does not see this sees the page. */
	smp_store_release(&aperture->pinning, NOBODY);
}

/* The chunk that shows a page, which the guest's fence @n counts for. */
static struct gvirt_chunk *add_chunk_locked(struct gvirt_aperture *aperture, int n, u64 number)
{
	struct gvirt_fence_chunk place = gvirt_fence_chunk_of(&aperture->fence[n], number);
	struct gvirt_chunk *chunk;

	lockdep_assert_held(&aperture->pin_lock);
	gvirt_ggtt_pages_sync(aperture->entries, place.first, place.first + place.pages - 1);
	/* Pairs with gvirt_aperture_changed(): entries are read after this. */
	WRITE_ONCE(aperture->chunk_count, aperture->chunk_count + 1);
	chunk = gvirt_chunk_create(aperture->vgpu, n, &aperture->fence[n], number);
	if (!chunk) {
		WRITE_ONCE(aperture->chunk_count, aperture->chunk_count - 1);
		return NULL;
	}
	count_locked(aperture, gvirt_chunk_bytes(chunk));
	chunk->hold.owner = aperture;
	chunk->hold.let_go = let_go;
	scoped_guard(mutex, &aperture->lock)
		list_add(&chunk->node, &aperture->chunks);
	return chunk;
}

static int fill_fenced_locked(struct gvirt_aperture *aperture, int n, u64 number)
{
	struct gvirt_chunk *chunk = gvirt_chunk_find(&aperture->chunks, n, number);
	struct gvirt_fence_content content;

	if (!chunk)
		chunk = add_chunk_locked(aperture, n, number);
	if (!chunk)
		return -ENOMEM;
	content.fence = &chunk->fence;
	content.dma = chunk->dma;
	content.pages = chunk->place.pages;
	return gvirt_fences_take(&aperture->vgpu->gpu->fences, &chunk->hold, &content);
}

static int fill_any_locked(struct gvirt_aperture *aperture, u64 number)
{
	int n = gvirt_fence_find(aperture->fence, GEN9_FENCE_COUNT, number);

	lockdep_assert_held(&aperture->pin_lock);
	if (n >= 0)
		return fill_fenced_locked(aperture, n, number);
	if (!xa_load(&aperture->pages, number))
		fill_locked(aperture, number);
	return 0;
}

/* Lets mmap_lock go; the file holds the device. NULL: it may not. */
static struct file *leave(struct vm_fault *vmf)
{
	struct file *file;

	if (!may_pin(vmf) || !(vmf->flags & FAULT_FLAG_ALLOW_RETRY) ||
	    vmf->flags & FAULT_FLAG_RETRY_NOWAIT)
		return NULL;
	file = get_file(vmf->vma->vm_file);
	release_fault_lock(vmf);
	return file;
}

/*
 * Pins the page without mmap_lock; then the fault has to come again. So it does when
 * there was no memory, or no fence, or a fatal signal, which ends that.
 */
static vm_fault_t fill(struct gvirt_aperture *aperture, u64 number, struct vm_fault *vmf)
{
	struct file *file = leave(vmf);
	int err = 0;

	if (!file)
		return VM_FAULT_SIGBUS;
	if (!mutex_lock_killable(&aperture->pin_lock)) {
		err = fill_any_locked(aperture, number);
		mutex_unlock(&aperture->pin_lock);
	}
	if (err)
		usleep_range(RETRY_US, 2 * RETRY_US);
	fput(file);
	return VM_FAULT_RETRY;
}

static vm_fault_t insert_page_locked(struct gvirt_aperture *aperture, u64 number,
				     struct vm_fault *vmf)
{
	const struct aperture_page *page = xa_load(&aperture->pages, number);

	lockdep_assert_held(&aperture->lock);
	if (!page)
		return 0;
	if (page->gfn == NO_GFN)
		atomic64_inc(&aperture->scratched);
	return vmf_insert_pfn(vmf->vma, vmf->address, page->pfn);
}

static vm_fault_t insert_fenced_locked(struct gvirt_aperture *aperture, int n, u64 number,
				       struct vm_fault *vmf)
{
	const struct gvirt_chunk *chunk = gvirt_chunk_find(&aperture->chunks, n, number);
	int slot;

	lockdep_assert_held(&aperture->lock);
	/* Pairs with gvirt_fences_take(): all is in place by then. */
	slot = chunk ? smp_load_acquire(&chunk->hold.slot) : GVIRT_FENCE_NONE;
	if (slot == GVIRT_FENCE_NONE)
		return 0;
	atomic64_inc(&aperture->fenced);
	return vmf_insert_pfn_prot(vmf->vma, vmf->address,
				   gvirt_fences_pfn(&aperture->vgpu->gpu->fences, slot,
						    number - chunk->place.first),
				   pgprot_writecombine(vmf->vma->vm_page_prot));
}

/* 0: there is nothing to insert. */
static vm_fault_t insert(struct gvirt_aperture *aperture, u64 number, struct vm_fault *vmf)
{
	vm_fault_t ret;
	int n;

	guard(mutex)(&aperture->lock);
	if (number >= aperture->gone_first && number <= aperture->gone_last)
		return 0;
	n = gvirt_fence_find(aperture->fence, GEN9_FENCE_COUNT, number);
	if (n < 0)
		ret = insert_page_locked(aperture, number, vmf);
	else
		ret = insert_fenced_locked(aperture, n, number, vmf);
	if (ret)
		atomic64_inc(&aperture->faults);
	return ret;
}

/* See the top of this file. */
static bool comes_too_early(struct gvirt_aperture *aperture, u64 number, const struct vm_fault *vmf)
{
	if (vmf->flags & (FAULT_FLAG_TRIED | FAULT_FLAG_RETRY_NOWAIT) ||
	    !(vmf->flags & FAULT_FLAG_ALLOW_RETRY))
		return false;
	guard(mutex)(&aperture->lock);
	return gvirt_fence_find(aperture->fence, GEN9_FENCE_COUNT, number) >= 0;
}

vm_fault_t gvirt_aperture_fault(struct gvirt_aperture *aperture, u64 number,
				struct vm_fault *vmf)
{
	vm_fault_t ret;

	if (comes_too_early(aperture, number, vmf)) {
		release_fault_lock(vmf);
		return VM_FAULT_RETRY;
	}
	ret = insert(aperture, number, vmf);
	if (ret)
		return ret;
	return fill(aperture, number, vmf);
}

vm_fault_t gvirt_aperture_release(struct gvirt_aperture *aperture, u64 number,
				  struct vm_fault *vmf)
{
	u64 first = number * GEN9_TABLE_ENTRIES, last = first + GEN9_TABLE_ENTRIES - 1;
	struct file *file = leave(vmf);

	if (!file)
		return VM_FAULT_SIGBUS;
	if (!mutex_lock_killable(&aperture->pin_lock)) {
		drop_chunks_locked(aperture, first, last);
		drop_pages_locked(aperture, first, last);
		gvirt_ggtt_pages_release(aperture->entries, number);
		mutex_unlock(&aperture->pin_lock);
	}
	fput(file);
	return VM_FAULT_RETRY;
}

size_t gvirt_aperture_bytes(const struct gvirt_aperture *aperture)
{
	return READ_ONCE(aperture->bytes) + (READ_ONCE(aperture->scratch) ? PAGE_SIZE : 0);
}

/* Life. */

void gvirt_aperture_init(struct gvirt_aperture *aperture, struct vfio_device *vdev,
			 struct gvirt_vgpu *vgpu, struct gvirt_ggtt_pages *entries)
{
	aperture->entries = entries;
	aperture->vdev = vdev;
	aperture->vgpu = vgpu;
	aperture->pinning = NOBODY;
	aperture->gone_first = NOBODY;
	aperture->gone_last = NOBODY;
	INIT_LIST_HEAD(&aperture->chunks);
	mutex_init(&aperture->pin_lock);
	mutex_init(&aperture->lock);
	xa_init_flags(&aperture->pages, XA_FLAGS_ACCOUNT);
}

void gvirt_aperture_open(struct gvirt_aperture *aperture)
{
	if (map_aperture && (GVIRT_COMPAT_KVM_MAPS_ANY_PAGE || !aperture->vdev->kvm))
		aperture->scratch = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
}

void gvirt_aperture_close(struct gvirt_aperture *aperture)
{
	gvirt_aperture_reset(aperture);
	if (aperture->scratch)
		__free_page(aperture->scratch);
	aperture->scratch = NULL;
}
