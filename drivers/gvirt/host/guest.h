/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory of a guest: copied from and to, pinned, and mapped for the GPU's DMA.
 *
 * Guest-physical addresses are IOVAs to VFIO, whichever of its back ends the VMM uses.
 * A page is pinned and mapped once however many users it has, and stays so
 * while it has any, and up to two seconds longer.
 */
#ifndef GVIRT_HOST_GUEST_H
#define GVIRT_HOST_GUEST_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

struct device;
struct vfio_device;

/* Blocks of pages: 64K and 2M, as orders of 4K pages. */
#define GVIRT_GUEST_ORDER_64K	4
#define GVIRT_GUEST_ORDER_2M	9

/**
 * struct gvirt_guest_services - What the owner of a guest's memory does
 * @revoke: the VMM takes the guest's pages from @first_gfn to @last_gfn away: let go of
 *	every reference into that range, whoever has it. On return nothing that the
 *	GPU can do reaches those pages. Sleeps; called from a work item without
 *	locks, so it may take the lock under which pages are pinned.
 */
struct gvirt_guest_services {
	void (*revoke)(void *data, u64 first_gfn, u64 last_gfn);
};

/**
 * struct gvirt_guest_unmap - Ranges that the VMM takes away
 * @lock: of all of this
 * @work: lets go of them
 * @done: woken when it has
 * @pending: from @first to @last is to be let go of
 * @first: gfn
 * @last: gfn, inclusive
 * @asked: number of the latest request
 * @answered: all up to this one are done
 * @repeats: how often the last range came in a row
 * @quiet_first: nothing is pinned from here, a gfn,
 * @quiet_last: to here, inclusive,
 * @quiet_until: until then, in jiffies
 */
struct gvirt_guest_unmap {
	spinlock_t lock; /* all of this */
	struct work_struct work;
	wait_queue_head_t done;
	bool pending;
	u64 first;
	u64 last;
	u64 asked;
	u64 answered;
	unsigned int repeats;
	u64 quiet_first;
	u64 quiet_last;
	unsigned long quiet_until;
};

/**
 * struct gvirt_guest - A guest's memory
 * @vdev: through which VFIO knows it
 * @dev: the GPU, for DMA
 * @services: of the owner
 * @data: for @services
 * @lock: of the fields up to @refused_since, and of @scarce_until
 * @pages: struct of each page that is pinned, by gfn
 * @blocks: struct of each block that is mapped as one, by gfn and order
 * @refused: how often the limit of locked memory was hit in the last while
 * @refused_since: when that while began, in jiffies
 * @unmap: ranges that go away
 * @keep_work: unpins what has been kept long enough
 * @scarce_until: nothing is kept until then, in jiffies
 * @pinned: pages that are pinned now and have users, or are about to
 * @kept: pages that are pinned now and have none any more
 * @pins: pages that were ever pinned
 * @pin_calls: calls of VFIO that pinned, or tried to
 * @maps: DMA mappings that were ever made
 * @disturbances: how often a page that is followed as a table got another user, or was
 *	stored to by this host
 */
struct gvirt_guest {
	struct vfio_device *vdev;
	struct device *dev;
	const struct gvirt_guest_services *services;
	void *data;
	struct mutex lock; /* pages and blocks */
	struct xarray pages;
	struct xarray blocks;
	unsigned int refused;
	unsigned long refused_since;
	struct gvirt_guest_unmap unmap;
	struct delayed_work keep_work;
	unsigned long scarce_until;
	atomic_long_t pinned;
	atomic_long_t kept;
	atomic_long_t pins;
	atomic_long_t pin_calls;
	atomic_long_t maps;
	atomic_t disturbances;
};

/**
 * gvirt_guest_init() - Prepare, with nothing pinned
 * @guest: to be initialised
 * @vdev: its VFIO device, whose dma_unmap operation calls gvirt_guest_unmap()
 * @dev: the GPU
 * @services: of the owner
 * @data: for @services
 */
void gvirt_guest_init(struct gvirt_guest *guest, struct vfio_device *vdev, struct device *dev,
		      const struct gvirt_guest_services *services, void *data);

/**
 * gvirt_guest_release() - Unpin whatever is left; to be called when the device is closed
 * @guest: of gvirt_guest_init(); all users have let go, and it can be used again after
 *	the next open
 */
void gvirt_guest_release(struct gvirt_guest *guest);

/**
 * gvirt_guest_fini() - The end of gvirt_guest_init()
 * @guest: a released one
 */
void gvirt_guest_fini(struct gvirt_guest *guest);

/**
 * gvirt_guest_read() - Copy from guest memory
 * @guest: whose; its device is open
 * @gpa: guest-physical address
 * @buf: gets the data, parts of it perhaps also on error
 * @len: bytes; may cross pages
 *
 * Sleeps. From a kernel thread, or in the VMM's own context; not with a lock that the
 * VMM's page faults could need.
 *
 * Return: 0; -EFAULT where there is no memory; another error of VFIO's.
 */
int gvirt_guest_read(struct gvirt_guest *guest, u64 gpa, void *buf, size_t len);

/**
 * gvirt_guest_write() - Copy to guest memory
 * @guest: whose; its device is open
 * @gpa: guest-physical address
 * @buf: the data
 * @len: bytes; may cross pages
 *
 * Like gvirt_guest_read().
 *
 * Return: 0; -EFAULT where there is no memory that can be written; another error of VFIO's.
 */
int gvirt_guest_write(struct gvirt_guest *guest, u64 gpa, const void *buf, size_t len);

/**
 * gvirt_guest_pin() - Pin a page and map it for the GPU
 * @guest: whose; its device is open
 * @gfn: guest frame number
 * @dma: gets the bus address
 *
 * Adds a reference, for gvirt_guest_unpin(). Sleeps. All pins may be released by the
 * VMM at any time: see struct gvirt_guest_services.
 *
 * Return: 0; -EFAULT where there is no memory that can be written; -ENOMEM when the limit
 * of locked memory (RLIMIT_MEMLOCK of the VMM) or memory itself is exhausted, and for
 * a short while after; another error of VFIO's. Nothing has changed then.
 */
int gvirt_guest_pin(struct gvirt_guest *guest, u64 gfn, dma_addr_t *dma);

/**
 * gvirt_guest_pin_ahead() - Some pages in a row are about to be pinned
 * @guest: whose; its device is open
 * @gfn: guest frame number of the first; any number
 * @count: pages, 1 to 512
 *
 * Pins with few calls of VFIO what is not pinned yet, as far as that works. gvirt_guest_pin()
 * and its like find these pages pinned until gvirt_guest_end_ahead() is called for the same
 * ones, which must not be left out.
 */
void gvirt_guest_pin_ahead(struct gvirt_guest *guest, u64 gfn, unsigned int count);

/**
 * gvirt_guest_end_ahead() - Unpin what was pinned ahead and has got no user
 * @guest: whose
 * @gfn: of gvirt_guest_pin_ahead()
 * @count: of gvirt_guest_pin_ahead()
 */
void gvirt_guest_end_ahead(struct gvirt_guest *guest, u64 gfn, unsigned int count);

/**
 * gvirt_guest_pin_cpu() - Pin a page for the CPU to look at
 * @guest: whose; its device is open
 * @gfn: guest frame number
 *
 * Like gvirt_guest_pin(), but not mapped for the GPU. The guest may write to it at any
 * time: copy, then judge.
 *
 * Return: its address in the kernel, or an ERR_PTR as of gvirt_guest_pin().
 */
void *gvirt_guest_pin_cpu(struct gvirt_guest *guest, u64 gfn);

/**
 * gvirt_guest_pin_table() - Pin a page to follow it as a table
 * @guest: whose; its device is open
 * @gfn: guest frame number
 *
 * Like gvirt_guest_pin_cpu(), for gvirt_guest_unpin_table(). As long as the page has no
 * other users, nobody but the guest's CPUs and the VMM stores to it; when it gets one, or
 * gvirt_guest_write() does, &struct gvirt_guest.disturbances counts.
 *
 * Return: its address in the kernel, or an ERR_PTR as of gvirt_guest_pin().
 */
const void *gvirt_guest_pin_table(struct gvirt_guest *guest, u64 gfn);

/**
 * gvirt_guest_unpin_table() - Let go of a table
 * @guest: whose
 * @gfn: of gvirt_guest_pin_table()
 */
void gvirt_guest_unpin_table(struct gvirt_guest *guest, u64 gfn);

/**
 * gvirt_guest_is_table_only() - Has a table other users?
 * @guest: whose
 * @gfn: of gvirt_guest_pin_table()
 *
 * Return: true if all users of the page follow it as a table.
 */
bool gvirt_guest_is_table_only(struct gvirt_guest *guest, u64 gfn);

/**
 * gvirt_guest_take_disturbed() - Find a table to which somebody else may have stored
 * @guest: whose
 * @gfn: from where on; gets where it is
 *
 * Such a page got another user, or gvirt_guest_write() stored there. Each is found once.
 *
 * Return: false if there is none from there on.
 */
bool gvirt_guest_take_disturbed(struct gvirt_guest *guest, u64 *gfn);

/**
 * gvirt_guest_unpin() - Let go of a page
 * @guest: whose
 * @gfn: of gvirt_guest_pin() or gvirt_guest_pin_cpu()
 *
 * The GPU does not reach it by this reference any more, not even by a TLB.
 */
void gvirt_guest_unpin(struct gvirt_guest *guest, u64 gfn);

/**
 * gvirt_guest_pin_block() - Pin many pages and map them as one
 * @guest: whose; its device is open
 * @gfn: guest frame number of the first; a multiple of 1 << @order
 * @order: GVIRT_GUEST_ORDER_*
 * @dma: gets the bus address, aligned to the block's size
 *
 * Return: 0; -ERANGE when host memory is not contiguous or not aligned there; otherwise as
 * gvirt_guest_pin(). Nothing has changed on error.
 */
int gvirt_guest_pin_block(struct gvirt_guest *guest, u64 gfn, unsigned int order, dma_addr_t *dma);

/**
 * gvirt_guest_unpin_block() - Let go of a block
 * @guest: whose
 * @gfn: of gvirt_guest_pin_block()
 * @order: of gvirt_guest_pin_block()
 */
void gvirt_guest_unpin_block(struct gvirt_guest *guest, u64 gfn, unsigned int order);

/**
 * gvirt_guest_unmap() - The VMM takes a range of guest memory away
 * @guest: whose
 * @iova: guest-physical address
 * @length: bytes
 *
 * For the dma_unmap operation of a VFIO device. Nothing in the range is pinned on
 * return, and for 10 ms nothing there is pinned again.
 */
void gvirt_guest_unmap(struct gvirt_guest *guest, u64 iova, u64 length);

/**
 * gvirt_guest_bytes() - Memory that what is known of pinned pages takes
 * @guest: which
 *
 * Return: bytes, without a lock; not those of the pages, nor of blocks.
 */
size_t gvirt_guest_bytes(const struct gvirt_guest *guest);

/**
 * gvirt_guest_pinned() - How many pages are pinned and in use
 * @guest: whose
 *
 * Return: pages, without a lock.
 */
unsigned long gvirt_guest_pinned(const struct gvirt_guest *guest);

/**
 * gvirt_guest_kept() - How many pages are pinned because they were in use a moment ago
 * @guest: whose
 *
 * Return: pages, 8192 at most, without a lock.
 */
unsigned long gvirt_guest_kept(const struct gvirt_guest *guest);

/**
 * gvirt_guest_name() - What people call the vGPU
 * @guest: whose
 *
 * Return: the name of its device, the mdev's UUID.
 */
const char *gvirt_guest_name(const struct gvirt_guest *guest);

#endif
