// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of a guest.
 *
 * Data model: one struct for each page that is pinned (guest_page.c), found by gfn, with a
 * count of its users; one for each block that is mapped for DMA as a whole (guest_block.c),
 * which is one more user of all its pages. A page whose last user has gone is kept for a
 * moment (guest_keep.c). What the VMM takes away goes at once (guest_unmap.c).
 */
#include <linux/cleanup.h>
#include <linux/overflow.h>
#include <linux/vfio.h>
#include "guest.h"
#include "guest_internal.h"

/* Copies. */

static int copy(struct gvirt_guest *guest, u64 gpa, void *buf, size_t len, bool write)
{
	u64 end;

	if (!len)
		return 0;
	if (check_add_overflow(gpa, (u64)len, &end) ||
	    (end - 1) >> PAGE_SHIFT >= GVIRT_GUEST_GFN_LIMIT)
		return -EFAULT;
	return gvirt_guest_verdict(vfio_dma_rw(guest->vdev, gpa, buf, len, write));
}

int gvirt_guest_read(struct gvirt_guest *guest, u64 gpa, void *buf, size_t len)
{
	return copy(guest, gpa, buf, len, false);
}

int gvirt_guest_write(struct gvirt_guest *guest, u64 gpa, const void *buf, size_t len)
{
	int err = copy(guest, gpa, (void *)buf, len, true);

	if (!err && len)
		gvirt_guest_disturb(guest, gpa >> PAGE_SHIFT, (gpa + len - 1) >> PAGE_SHIFT);
	return err;
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
	gvirt_guest_init_keep(guest);
	gvirt_guest_init_unmap(guest);
}

void gvirt_guest_release(struct gvirt_guest *guest)
{
	struct guest_block *block;
	struct guest_page *page;
	unsigned long i;

	flush_work(&guest->unmap.work);
	gvirt_guest_release_keep(guest);
	guard(mutex)(&guest->lock);
	WARN_ON_ONCE(!xa_empty(&guest->pages));
	xa_for_each(&guest->blocks, i, block)
		gvirt_guest_remove_block_locked(guest, i, block);
	xa_for_each(&guest->pages, i, page)
		gvirt_guest_remove_page_locked(guest, i, page);
	guest->refused = 0;
}

void gvirt_guest_fini(struct gvirt_guest *guest)
{
	flush_work(&guest->unmap.work);
	gvirt_guest_release_keep(guest);
	xa_destroy(&guest->pages);
	xa_destroy(&guest->blocks);
	mutex_destroy(&guest->lock);
}

size_t gvirt_guest_bytes(const struct gvirt_guest *guest)
{
	return (gvirt_guest_pinned(guest) + gvirt_guest_kept(guest)) * sizeof(struct guest_page);
}

unsigned long gvirt_guest_pinned(const struct gvirt_guest *guest)
{
	return atomic_long_read(&guest->pinned);
}

unsigned long gvirt_guest_kept(const struct gvirt_guest *guest)
{
	return atomic_long_read(&guest->kept);
}

const char *gvirt_guest_name(const struct gvirt_guest *guest)
{
	return dev_name(guest->vdev->dev);
}
