// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pinned pages of a guest.
 *
 * Type 1 takes pages back one by one that it pinned with one call, so runs of pages are
 * pinned ahead of their users there. iommufd unpins exactly the ranges that it pinned:
 * with it, pages are pinned one by one.
 *
 * Sources: Linux, drivers/vfio/vfio_iommu_type1.c, drivers/iommu/iommufd/device.c and
 * io_pagetable.c.
 */
#include <linux/cleanup.h>
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/iommu.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/page-flags.h>
#include <linux/slab.h>
#include <linux/vfio.h>
#include "guest.h"
#include "guest_internal.h"
#include "trace.h"

/* A table to which somebody else may have stored. */
#define DISTURBED	XA_MARK_0

/* VFIO reports each time that the limit is hit: so many attempts per while. */
#define REFUSED_MOST	6
#define REFUSED_WHILE	(5 * HZ)

/* Mappings. */

/* A copy, because the GPU does not reach the page: neither would see the other's writes. */
static bool is_bounced(struct device *dev, struct page *page, dma_addr_t dma)
{
	struct iommu_domain *domain;

	if (dma == page_to_phys(page))
		return false;
	domain = iommu_get_domain_for_dev(dev);
	return !domain || domain->type == IOMMU_DOMAIN_IDENTITY;
}

void gvirt_guest_dma_unmap(struct gvirt_guest *guest, dma_addr_t dma, unsigned int order)
{
	dma_unmap_page_attrs(guest->dev, dma, PAGE_SIZE << order, DMA_BIDIRECTIONAL,
			     DMA_ATTR_SKIP_CPU_SYNC);
}

int gvirt_guest_dma_map(struct gvirt_guest *guest, struct page *page, unsigned int order,
			dma_addr_t *dma)
{
	*dma = dma_map_page_attrs(guest->dev, page, 0, PAGE_SIZE << order, DMA_BIDIRECTIONAL,
				  DMA_ATTR_SKIP_CPU_SYNC);
	if (dma_mapping_error(guest->dev, *dma))
		return -ENOMEM;
	if (is_bounced(guest->dev, page, *dma)) {
		gvirt_guest_dma_unmap(guest, *dma, order);
		dev_warn_once(guest->dev, "guest memory lies where the GPU cannot reach it; enable the host's IOMMU\n");
		return -ENOMEM;
	}
	atomic_long_inc(&guest->maps);
	return 0;
}

/* Pages. */

/* What both back ends answer where there is no memory, or none of that kind. */
int gvirt_guest_verdict(int err)
{
	switch (err) {
	case -EACCES:
	case -EINVAL:
	case -ENOENT:
	case -EOVERFLOW:
	case -EPERM:
		return -EFAULT;
	default:
		return err;
	}
}

/* Whoever follows a page as a table does not hear by KVM of what is stored there. */
static void disturb_locked(struct gvirt_guest *guest, u64 gfn, const struct guest_page *page)
{
	lockdep_assert_held(&guest->lock);
	if (!page->tables)
		return;
	xa_set_mark(&guest->pages, gfn, DISTURBED);
	atomic_inc(&guest->disturbances);
}

void gvirt_guest_disturb(struct gvirt_guest *guest, u64 first, u64 last)
{
	struct guest_page *page;
	unsigned long gfn;

	guard(mutex)(&guest->lock);
	xa_for_each_range(&guest->pages, gfn, page, first, last)
		disturb_locked(guest, gfn, page);
}

static bool is_refused_locked(struct gvirt_guest *guest)
{
	if (time_after(jiffies, guest->refused_since + REFUSED_WHILE))
		guest->refused = 0;
	return guest->refused >= REFUSED_MOST;
}

static void note_refusal_locked(struct gvirt_guest *guest)
{
	if (!guest->refused)
		guest->refused_since = jiffies;
	guest->refused++;
}

/* No device's memory, such as the GPU's own aperture that the VMM has mapped. */
static bool are_memory(struct page **pages, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (PageReserved(pages[i]))
			return false;
	return true;
}

/* All of them, or none. */
static int call_vfio(struct gvirt_guest *guest, u64 gfn, unsigned int count, struct page **pages)
{
	int n = vfio_pin_pages(guest->vdev, gfn << PAGE_SHIFT, count, IOMMU_READ | IOMMU_WRITE,
			       pages);

	atomic_long_inc(&guest->pin_calls);
	if (n < 0)
		return n;
	if (n == count && are_memory(pages, count))
		return 0;
	if (n)
		vfio_unpin_pages(guest->vdev, gfn << PAGE_SHIFT, n);
	return -EFAULT;
}

static int pin_pages_locked(struct gvirt_guest *guest, u64 gfn, unsigned int count,
			    struct page **pages)
{
	unsigned long quiet = gvirt_guest_quiet_time(guest, gfn, gfn + count - 1);
	int err;

	if (is_refused_locked(guest))
		return -ENOMEM;
	if (quiet)
		schedule_timeout_uninterruptible(quiet);
	err = call_vfio(guest, gfn, count, pages);
	if (err == -ENOMEM && gvirt_guest_give_kept_locked(guest))
		err = call_vfio(guest, gfn, count, pages);
	trace_gvirt_pinned(gvirt_guest_name(guest), gfn, count, err);
	if (err == -ENOMEM)
		note_refusal_locked(guest);
	return gvirt_guest_verdict(err);
}

/* Takes a pin over, on failure as well. */
static struct guest_page *insert_page_locked(struct gvirt_guest *guest, u64 gfn,
					     struct page *pinned)
{
	struct guest_page *page = kzalloc(sizeof(*page), GFP_KERNEL_ACCOUNT);
	int err = -ENOMEM;

	if (page) {
		page->page = pinned;
		err = xa_err(xa_store(&guest->pages, gfn, page, GFP_KERNEL_ACCOUNT));
	}
	if (!err) {
		atomic_long_inc(&guest->pinned);
		atomic_long_inc(&guest->pins);
		return page;
	}
	vfio_unpin_pages(guest->vdev, gfn << PAGE_SHIFT, 1);
	kfree(page);
	return ERR_PTR(err);
}

static struct guest_page *add_page_locked(struct gvirt_guest *guest, u64 gfn)
{
	struct page *page;
	int err = pin_pages_locked(guest, gfn, 1, &page);

	return err ? ERR_PTR(err) : insert_page_locked(guest, gfn, page);
}

struct guest_page *gvirt_guest_get_page_locked(struct gvirt_guest *guest, u64 gfn)
{
	struct guest_page *page;

	lockdep_assert_held(&guest->lock);
	if (gfn >= GVIRT_GUEST_GFN_LIMIT)
		return ERR_PTR(-EFAULT);
	page = xa_load(&guest->pages, gfn);
	if (!page)
		page = add_page_locked(guest, gfn);
	if (IS_ERR(page))
		return page;
	if (!page->refs)
		gvirt_guest_end_keep_locked(guest, gfn);
	page->refs++;
	disturb_locked(guest, gfn, page);
	return page;
}

void gvirt_guest_remove_page_locked(struct gvirt_guest *guest, u64 gfn, struct guest_page *page)
{
	lockdep_assert_held(&guest->lock);
	gvirt_guest_end_keep_locked(guest, gfn);
	xa_erase(&guest->pages, gfn);
	if (page->mapped)
		gvirt_guest_dma_unmap(guest, page->dma, 0);
	vfio_unpin_pages(guest->vdev, gfn << PAGE_SHIFT, 1);
	trace_gvirt_unpinned(gvirt_guest_name(guest), gfn);
	atomic_long_dec(&guest->pinned);
	kfree(page);
}

void gvirt_guest_put_page_locked(struct gvirt_guest *guest, u64 gfn)
{
	struct guest_page *page = xa_load(&guest->pages, gfn);

	if (WARN_ON_ONCE(!page))
		return;
	if (!--page->refs && !gvirt_guest_keep_page_locked(guest, gfn))
		gvirt_guest_remove_page_locked(guest, gfn, page);
}

static int map_page_locked(struct gvirt_guest *guest, struct guest_page *page)
{
	int err;

	if (page->mapped)
		return 0;
	err = gvirt_guest_dma_map(guest, page->page, 0, &page->dma);
	page->mapped = !err;
	return err;
}

int gvirt_guest_pin(struct gvirt_guest *guest, u64 gfn, dma_addr_t *dma)
{
	struct guest_page *page;
	int err;

	guard(mutex)(&guest->lock);
	page = gvirt_guest_get_page_locked(guest, gfn);
	if (IS_ERR(page))
		return PTR_ERR(page);
	err = map_page_locked(guest, page);
	if (err) {
		gvirt_guest_put_page_locked(guest, gfn);
		return err;
	}
	*dma = page->dma;
	return 0;
}

void *gvirt_guest_pin_cpu(struct gvirt_guest *guest, u64 gfn)
{
	struct guest_page *page;

	guard(mutex)(&guest->lock);
	page = gvirt_guest_get_page_locked(guest, gfn);
	return IS_ERR(page) ? ERR_CAST(page) : page_address(page->page);
}

const void *gvirt_guest_pin_table(struct gvirt_guest *guest, u64 gfn)
{
	struct guest_page *page;

	guard(mutex)(&guest->lock);
	page = gvirt_guest_get_page_locked(guest, gfn);
	if (IS_ERR(page))
		return ERR_CAST(page);
	page->tables++;
	return page_address(page->page);
}

void gvirt_guest_unpin_table(struct gvirt_guest *guest, u64 gfn)
{
	struct guest_page *page;

	guard(mutex)(&guest->lock);
	page = xa_load(&guest->pages, gfn);
	if (WARN_ON_ONCE(!page || !page->tables))
		return;
	if (!--page->tables)
		xa_clear_mark(&guest->pages, gfn, DISTURBED);
	gvirt_guest_put_page_locked(guest, gfn);
}

bool gvirt_guest_is_table_only(struct gvirt_guest *guest, u64 gfn)
{
	struct guest_page *page;

	guard(mutex)(&guest->lock);
	page = xa_load(&guest->pages, gfn);
	return page && page->refs == page->tables;
}

bool gvirt_guest_take_disturbed(struct gvirt_guest *guest, u64 *gfn)
{
	unsigned long index = *gfn;

	guard(mutex)(&guest->lock);
	if (!xa_find(&guest->pages, &index, ULONG_MAX, DISTURBED))
		return false;
	xa_clear_mark(&guest->pages, index, DISTURBED);
	*gfn = index;
	return true;
}

void gvirt_guest_unpin(struct gvirt_guest *guest, u64 gfn)
{
	guard(mutex)(&guest->lock);
	gvirt_guest_put_page_locked(guest, gfn);
}

/* Pages ahead of their users. */

/* What cannot be had with one call is left to who wants it. */
static void pin_run_locked(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	struct page **pages = kmalloc_array(count, sizeof(*pages),
					    GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	unsigned int i;

	if (pages && !pin_pages_locked(guest, gfn, count, pages))
		for (i = 0; i < count; i++)
			insert_page_locked(guest, gfn + i, pages[i]);
	kfree(pages);
}

void gvirt_guest_pin_ahead_locked(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	u64 end = gfn + count, first;

	lockdep_assert_held(&guest->lock);
	/* Where memory is short, one by one goes further. */
	if (guest->vdev->iommufd_access || guest->refused || end > GVIRT_GUEST_GFN_LIMIT)
		return;
	while (gfn < end) {
		while (gfn < end && xa_load(&guest->pages, gfn))
			gfn++;
		first = gfn;
		while (gfn < end && !xa_load(&guest->pages, gfn))
			gfn++;
		if (gfn - first > 1)
			pin_run_locked(guest, first, gfn - first);
	}
}

void gvirt_guest_end_ahead_locked(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	struct guest_page *page;
	unsigned long i;

	lockdep_assert_held(&guest->lock);
	xa_for_each_range(&guest->pages, i, page, gfn, gfn + count - 1)
		if (!page->refs && !gvirt_guest_is_kept_locked(guest, i))
			gvirt_guest_remove_page_locked(guest, i, page);
}

void gvirt_guest_pin_ahead(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	guard(mutex)(&guest->lock);
	gvirt_guest_pin_ahead_locked(guest, gfn, count);
}

void gvirt_guest_end_ahead(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	guard(mutex)(&guest->lock);
	gvirt_guest_end_ahead_locked(guest, gfn, count);
}
