// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of a guest.
 *
 * Data model: one struct for each page that is pinned, found by gfn, with a count of its
 * users; one for each block that is mapped for DMA as a whole, which is one more user of
 * all its pages. Each page goes when its own last user does. Type 1 takes pages back one by
 * one that it pinned with one call, so runs of pages are pinned ahead of their users there.
 * iommufd unpins exactly the ranges that it pinned: with it, pages are pinned one by one.
 *
 * When the VMM takes memory away, VFIO calls gvirt_guest_unmap(), and expects that all
 * of it is unpinned on return. Three things are to be known about that call:
 *
 * - Type1 makes it under its list of devices' lock, and unpinning takes its main lock,
 *   which it also takes in the other order: two unmaps at a time would wait for each other
 *   for ever. So pages are let go of by a work item, without any lock of VFIO's, and the
 *   call waits for that, but not for ever: once it has returned the other one goes on.
 * - A page that is pinned again before the call's caller has looked makes it call again;
 *   type1 stops the kernel after ten times. So the range stays quiet for a while, longer
 *   each time.
 * - It can come after the device was closed. Then there is nothing to be done.
 *
 * Sources: Linux, drivers/vfio/vfio_iommu_type1.c (vfio_notify_dma_unmap),
 * drivers/iommu/iommufd/device.c and io_pagetable.c.
 */
#include <linux/cleanup.h>
#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/iommu.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/page-flags.h>
#include <linux/slab.h>
#include <linux/vfio.h>
#include "guest.h"
#include "trace.h"

#define GFN_LIMIT	BIT_ULL(52 - PAGE_SHIFT)

/* A table to which somebody else may have stored. */
#define DISTURBED	XA_MARK_0

/* VFIO reports each time that the limit is hit: so many attempts per while. */
#define REFUSED_MOST	6
#define REFUSED_WHILE	(5 * HZ)

#define QUIET_MS	10
#define QUIET_DOUBLINGS	7
#define REPEAT_WITHIN	(2 * HZ)
#define ANSWER_WITHIN	HZ
/* So often the wait for an answer is bounded. Type1 gives up after ten calls. */
#define BOUNDED_WAITS	8

/**
 * struct guest_page - A pinned page
 * @page: in the host
 * @dma: its bus address, if @mapped
 * @refs: users; 0: it is pinned ahead of them
 * @tables: of those, the ones that follow the page as a table
 * @mapped: it is mapped for the GPU
 */
struct guest_page {
	struct page *page;
	dma_addr_t dma;
	u32 refs;
	u32 tables;
	bool mapped;
};

/**
 * struct guest_block - Pages that are mapped as one
 * @page: the first one in the host
 * @dma: bus address
 * @refs: users
 */
struct guest_block {
	struct page *page;
	dma_addr_t dma;
	u32 refs;
};

/* Copies. */

/* What both back ends answer where there is no memory, or none of that kind. */
static int verdict(int err)
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

static int copy(struct gvirt_guest *guest, u64 gpa, void *buf, size_t len, bool write)
{
	u64 end;

	if (!len)
		return 0;
	if (check_add_overflow(gpa, (u64)len, &end) || (end - 1) >> PAGE_SHIFT >= GFN_LIMIT)
		return -EFAULT;
	return verdict(vfio_dma_rw(guest->vdev, gpa, buf, len, write));
}

int gvirt_guest_read(struct gvirt_guest *guest, u64 gpa, void *buf, size_t len)
{
	return copy(guest, gpa, buf, len, false);
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

static void disturb(struct gvirt_guest *guest, u64 first, u64 last)
{
	struct guest_page *page;
	unsigned long gfn;

	guard(mutex)(&guest->lock);
	xa_for_each_range(&guest->pages, gfn, page, first, last)
		disturb_locked(guest, gfn, page);
}

int gvirt_guest_write(struct gvirt_guest *guest, u64 gpa, const void *buf, size_t len)
{
	int err = copy(guest, gpa, (void *)buf, len, true);

	if (!err && len)
		disturb(guest, gpa >> PAGE_SHIFT, (gpa + len - 1) >> PAGE_SHIFT);
	return err;
}

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

static void unmap_pages(struct gvirt_guest *guest, dma_addr_t dma, unsigned int order)
{
	dma_unmap_page_attrs(guest->dev, dma, PAGE_SIZE << order, DMA_BIDIRECTIONAL,
			     DMA_ATTR_SKIP_CPU_SYNC);
}

static int map_pages(struct gvirt_guest *guest, struct page *page, unsigned int order,
		     dma_addr_t *dma)
{
	*dma = dma_map_page_attrs(guest->dev, page, 0, PAGE_SIZE << order, DMA_BIDIRECTIONAL,
				  DMA_ATTR_SKIP_CPU_SYNC);
	if (dma_mapping_error(guest->dev, *dma))
		return -ENOMEM;
	if (is_bounced(guest->dev, page, *dma)) {
		unmap_pages(guest, *dma, order);
		dev_warn_once(guest->dev, "guest memory lies where the GPU cannot reach it; enable the host's IOMMU\n");
		return -ENOMEM;
	}
	atomic_long_inc(&guest->maps);
	return 0;
}

/* Pages. */

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

/* Jiffies to wait until pages may be pinned, of which some went away. */
static unsigned long quiet_time(struct gvirt_guest *guest, u64 first, u64 last)
{
	struct gvirt_guest_unmap *unmap = &guest->unmap;

	guard(spinlock)(&unmap->lock);
	if (last < unmap->quiet_first || first > unmap->quiet_last ||
	    time_after_eq(jiffies, unmap->quiet_until))
		return 0;
	return unmap->quiet_until - jiffies;
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
	unsigned long quiet = quiet_time(guest, gfn, gfn + count - 1);
	int err;

	if (is_refused_locked(guest))
		return -ENOMEM;
	if (quiet)
		schedule_timeout_uninterruptible(quiet);
	err = call_vfio(guest, gfn, count, pages);
	trace_gvirt_pinned(gvirt_guest_name(guest), gfn, count, err);
	if (err == -ENOMEM)
		note_refusal_locked(guest);
	return verdict(err);
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

static struct guest_page *get_page_locked(struct gvirt_guest *guest, u64 gfn)
{
	struct guest_page *page;

	lockdep_assert_held(&guest->lock);
	if (gfn >= GFN_LIMIT)
		return ERR_PTR(-EFAULT);
	page = xa_load(&guest->pages, gfn);
	if (!page)
		page = add_page_locked(guest, gfn);
	if (IS_ERR(page))
		return page;
	page->refs++;
	disturb_locked(guest, gfn, page);
	return page;
}

static void remove_page_locked(struct gvirt_guest *guest, u64 gfn, struct guest_page *page)
{
	lockdep_assert_held(&guest->lock);
	xa_erase(&guest->pages, gfn);
	if (page->mapped)
		unmap_pages(guest, page->dma, 0);
	vfio_unpin_pages(guest->vdev, gfn << PAGE_SHIFT, 1);
	trace_gvirt_unpinned(gvirt_guest_name(guest), gfn);
	atomic_long_dec(&guest->pinned);
	kfree(page);
}

static void put_page_locked(struct gvirt_guest *guest, u64 gfn)
{
	struct guest_page *page = xa_load(&guest->pages, gfn);

	if (WARN_ON_ONCE(!page))
		return;
	if (!--page->refs)
		remove_page_locked(guest, gfn, page);
}

static int map_page_locked(struct gvirt_guest *guest, struct guest_page *page)
{
	int err;

	if (page->mapped)
		return 0;
	err = map_pages(guest, page->page, 0, &page->dma);
	page->mapped = !err;
	return err;
}

int gvirt_guest_pin(struct gvirt_guest *guest, u64 gfn, dma_addr_t *dma)
{
	struct guest_page *page;
	int err;

	guard(mutex)(&guest->lock);
	page = get_page_locked(guest, gfn);
	if (IS_ERR(page))
		return PTR_ERR(page);
	err = map_page_locked(guest, page);
	if (err) {
		put_page_locked(guest, gfn);
		return err;
	}
	*dma = page->dma;
	return 0;
}

void *gvirt_guest_pin_cpu(struct gvirt_guest *guest, u64 gfn)
{
	struct guest_page *page;

	guard(mutex)(&guest->lock);
	page = get_page_locked(guest, gfn);
	return IS_ERR(page) ? ERR_CAST(page) : page_address(page->page);
}

const void *gvirt_guest_pin_table(struct gvirt_guest *guest, u64 gfn)
{
	struct guest_page *page;

	guard(mutex)(&guest->lock);
	page = get_page_locked(guest, gfn);
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
	page->tables--;
	put_page_locked(guest, gfn);
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
	put_page_locked(guest, gfn);
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

static void pin_ahead_locked(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	u64 end = gfn + count, first;

	lockdep_assert_held(&guest->lock);
	/* Where memory is short, one by one goes further. */
	if (guest->vdev->iommufd_access || guest->refused || end > GFN_LIMIT)
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

static void end_ahead_locked(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	struct guest_page *page;
	unsigned long i;

	lockdep_assert_held(&guest->lock);
	xa_for_each_range(&guest->pages, i, page, gfn, gfn + count - 1)
		if (!page->refs)
			remove_page_locked(guest, i, page);
}

void gvirt_guest_pin_ahead(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	guard(mutex)(&guest->lock);
	pin_ahead_locked(guest, gfn, count);
}

void gvirt_guest_end_ahead(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	guard(mutex)(&guest->lock);
	end_ahead_locked(guest, gfn, count);
}

/* Blocks. */

/* Blocks are aligned, so the order fits below the gfn. */
static unsigned long block_key(u64 gfn, unsigned int order)
{
	return gfn | order;
}

static void put_pages_locked(struct gvirt_guest *guest, u64 gfn, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		put_page_locked(guest, gfn + i);
}

static bool continues(struct page *first, struct page *page, unsigned int i, unsigned int order)
{
	return IS_ALIGNED(page_to_pfn(first), BIT(order)) &&
	       page_to_pfn(page) == page_to_pfn(first) + i;
}

/* All pages of a block, or none; most that do not continue are not aligned either. */
static int get_pages_locked(struct gvirt_guest *guest, u64 gfn, unsigned int order,
			    struct page **first)
{
	struct guest_page *page;
	unsigned int i;

	for (i = 0; i < BIT(order); i++) {
		if (i == 1)
			pin_ahead_locked(guest, gfn + 1, BIT(order) - 1);
		page = get_page_locked(guest, gfn + i);
		if (IS_ERR(page)) {
			put_pages_locked(guest, gfn, i);
			return PTR_ERR(page);
		}
		if (!i)
			*first = page->page;
		if (!continues(*first, page->page, i, order)) {
			put_pages_locked(guest, gfn, i + 1);
			return -ERANGE;
		}
	}
	return 0;
}

static int map_block(struct gvirt_guest *guest, struct guest_block *block, unsigned int order)
{
	int err = map_pages(guest, block->page, order, &block->dma);

	if (err)
		return err;
	if (IS_ALIGNED(block->dma, PAGE_SIZE << order))
		return 0;
	unmap_pages(guest, block->dma, order);
	return -ERANGE;
}

static struct guest_block *add_block_locked(struct gvirt_guest *guest, u64 gfn, unsigned int order)
{
	struct guest_block *block = kzalloc(sizeof(*block), GFP_KERNEL_ACCOUNT);
	int err;

	if (!block)
		return ERR_PTR(-ENOMEM);
	err = get_pages_locked(guest, gfn, order, &block->page);
	if (err)
		goto err_ahead;
	err = map_block(guest, block, order);
	if (err)
		goto err_put;
	err = xa_err(xa_store(&guest->blocks, block_key(gfn, order), block, GFP_KERNEL_ACCOUNT));
	if (err)
		goto err_unmap;
	return block;

err_unmap:
	unmap_pages(guest, block->dma, order);
err_put:
	put_pages_locked(guest, gfn, BIT(order));
err_ahead:
	end_ahead_locked(guest, gfn, BIT(order));
	kfree(block);
	return ERR_PTR(err);
}

int gvirt_guest_pin_block(struct gvirt_guest *guest, u64 gfn, unsigned int order, dma_addr_t *dma)
{
	struct guest_block *block;

	if (!IS_ALIGNED(gfn, BIT(order)) || gfn >= GFN_LIMIT)
		return -EFAULT;
	guard(mutex)(&guest->lock);
	block = xa_load(&guest->blocks, block_key(gfn, order));
	if (!block)
		block = add_block_locked(guest, gfn, order);
	if (IS_ERR(block))
		return PTR_ERR(block);
	block->refs++;
	*dma = block->dma;
	return 0;
}

static void remove_block_locked(struct gvirt_guest *guest, unsigned long key,
				struct guest_block *block)
{
	unsigned int order = key & (BIT(GVIRT_GUEST_ORDER_64K) - 1);

	lockdep_assert_held(&guest->lock);
	xa_erase(&guest->blocks, key);
	unmap_pages(guest, block->dma, order);
	put_pages_locked(guest, key - order, BIT(order));
	kfree(block);
}

void gvirt_guest_unpin_block(struct gvirt_guest *guest, u64 gfn, unsigned int order)
{
	struct guest_block *block;

	guard(mutex)(&guest->lock);
	block = xa_load(&guest->blocks, block_key(gfn, order));
	if (WARN_ON_ONCE(!block))
		return;
	if (!--block->refs)
		remove_block_locked(guest, block_key(gfn, order), block);
}

/* Memory that goes away. */

static void keep_quiet_locked(struct gvirt_guest_unmap *unmap, u64 first, u64 last)
{
	unsigned int doublings = min(unmap->repeats, QUIET_DOUBLINGS);
	bool is_quiet = time_before(jiffies, unmap->quiet_until);

	lockdep_assert_held(&unmap->lock);
	unmap->quiet_first = is_quiet ? min(first, unmap->quiet_first) : first;
	unmap->quiet_last = is_quiet ? max(last, unmap->quiet_last) : last;
	unmap->quiet_until = jiffies + msecs_to_jiffies(QUIET_MS << doublings);
}

static bool is_repeated_locked(const struct gvirt_guest_unmap *unmap, u64 first, u64 last)
{
	return first >= unmap->quiet_first && last <= unmap->quiet_last && unmap->asked &&
	       time_before(jiffies, unmap->quiet_until + REPEAT_WITHIN);
}

/* Returns the number of the request. */
static u64 ask(struct gvirt_guest_unmap *unmap, u64 first, u64 last, bool *bounded)
{
	guard(spinlock)(&unmap->lock);
	unmap->repeats = is_repeated_locked(unmap, first, last) ? unmap->repeats + 1 : 0;
	*bounded = unmap->repeats < BOUNDED_WAITS;
	unmap->first = unmap->pending ? min(first, unmap->first) : first;
	unmap->last = unmap->pending ? max(last, unmap->last) : last;
	unmap->pending = true;
	keep_quiet_locked(unmap, unmap->first, unmap->last);
	return ++unmap->asked;
}

static u64 take_request(struct gvirt_guest_unmap *unmap, u64 *first, u64 *last)
{
	guard(spinlock)(&unmap->lock);
	*first = unmap->first;
	*last = unmap->last;
	unmap->pending = false;
	return unmap->asked;
}

static void answer(struct gvirt_guest_unmap *unmap, u64 number, u64 first, u64 last)
{
	scoped_guard(spinlock, &unmap->lock) {
		unmap->answered = number;
		keep_quiet_locked(unmap, first, last);
	}
	wake_up_all(&unmap->done);
}

static bool has_pages(struct gvirt_guest *guest, u64 first, u64 last)
{
	unsigned long index = first;

	guard(mutex)(&guest->lock);
	return xa_find(&guest->pages, &index, last, XA_PRESENT);
}

static void let_go(struct work_struct *work)
{
	struct gvirt_guest *guest = container_of(work, struct gvirt_guest, unmap.work);
	u64 first, last;
	u64 number = take_request(&guest->unmap, &first, &last);

	if (has_pages(guest, first, last))
		guest->services->revoke(guest->data, first, last);
	answer(&guest->unmap, number, first, last);
}

static bool is_answered(struct gvirt_guest_unmap *unmap, u64 number)
{
	guard(spinlock)(&unmap->lock);
	return unmap->answered >= number;
}

void gvirt_guest_unmap(struct gvirt_guest *guest, u64 iova, u64 length)
{
	struct gvirt_guest_unmap *unmap = &guest->unmap;
	bool bounded;
	u64 number, last;

	if (!length)
		return;
	if (check_add_overflow(iova, length - 1, &last))
		last = ~0ull;
	number = ask(unmap, iova >> PAGE_SHIFT, last >> PAGE_SHIFT, &bounded);
	queue_work(system_long_wq, &unmap->work);
	if (bounded)
		wait_event_timeout(unmap->done, is_answered(unmap, number), ANSWER_WITHIN);
	else
		wait_event(unmap->done, is_answered(unmap, number));
}

/* Life. */

void gvirt_guest_init(struct gvirt_guest *guest, struct vfio_device *vdev, struct device *dev,
		      const struct gvirt_guest_services *services, void *data)
{
	*guest = (struct gvirt_guest) {
		.vdev = vdev,
		.dev = dev,
		.services = services,
		.data = data,
	};
	mutex_init(&guest->lock);
	xa_init(&guest->pages);
	xa_init(&guest->blocks);
	spin_lock_init(&guest->unmap.lock);
	INIT_WORK(&guest->unmap.work, let_go);
	init_waitqueue_head(&guest->unmap.done);
}

void gvirt_guest_release(struct gvirt_guest *guest)
{
	struct guest_block *block;
	struct guest_page *page;
	unsigned long i;

	flush_work(&guest->unmap.work);
	guard(mutex)(&guest->lock);
	WARN_ON_ONCE(!xa_empty(&guest->pages));
	xa_for_each(&guest->blocks, i, block)
		remove_block_locked(guest, i, block);
	xa_for_each(&guest->pages, i, page)
		remove_page_locked(guest, i, page);
	guest->refused = 0;
}

void gvirt_guest_fini(struct gvirt_guest *guest)
{
	flush_work(&guest->unmap.work);
	xa_destroy(&guest->pages);
	xa_destroy(&guest->blocks);
	mutex_destroy(&guest->lock);
}

size_t gvirt_guest_bytes(const struct gvirt_guest *guest)
{
	return gvirt_guest_pinned(guest) * sizeof(struct guest_page);
}

unsigned long gvirt_guest_pinned(const struct gvirt_guest *guest)
{
	return atomic_long_read(&guest->pinned);
}

const char *gvirt_guest_name(const struct gvirt_guest *guest)
{
	return dev_name(guest->vdev->dev);
}
