// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts of a vGPU by eventfd.
 *
 * Which kind its user has armed decides, as VFIO has it: MSI, else INTx. A message is
 * an edge. INTx is a level: it signals once, masks itself, and signals
 * again when it is unmasked and the line is still high.
 */
#include <linux/eventfd.h>
#include <linux/uaccess.h>
#include <linux/vfio.h>
#include "irq.h"

void gvirt_vfio_irq_init(struct gvirt_vfio_irq *irq)
{
	*irq = (struct gvirt_vfio_irq) { .level = false };
	spin_lock_init(&irq->lock);
}

static void signal_intx_locked(struct gvirt_vfio_irq *irq)
{
	lockdep_assert_held(&irq->lock);
	if (!irq->intx || irq->msi || irq->masked || !irq->level)
		return;
	irq->masked = true;
	eventfd_signal(irq->intx);
}

void gvirt_vfio_irq_line(struct gvirt_vfio_irq *irq, bool level)
{
	guard(spinlock_irqsave)(&irq->lock);
	irq->level = level;
	if (level && irq->msi)
		eventfd_signal(irq->msi);
	signal_intx_locked(irq);
}

bool gvirt_vfio_irq_request(struct gvirt_vfio_irq *irq)
{
	guard(spinlock_irqsave)(&irq->lock);
	irq->requested = true;
	if (!irq->request)
		return false;
	eventfd_signal(irq->request);
	return true;
}

static struct eventfd_ctx **slot_of(struct gvirt_vfio_irq *irq, u32 index)
{
	switch (index) {
	case VFIO_PCI_INTX_IRQ_INDEX:
		return &irq->intx;
	case VFIO_PCI_MSI_IRQ_INDEX:
		return &irq->msi;
	case VFIO_PCI_REQ_IRQ_INDEX:
		return &irq->request;
	default:
		return NULL;
	}
}

static void arm(struct gvirt_vfio_irq *irq, u32 index, struct eventfd_ctx *eventfd)
{
	struct eventfd_ctx *old;

	scoped_guard(spinlock_irqsave, &irq->lock) {
		old = *slot_of(irq, index);
		*slot_of(irq, index) = eventfd;
		if (index == VFIO_PCI_INTX_IRQ_INDEX)
			irq->masked = false;
		signal_intx_locked(irq);
		if (index == VFIO_PCI_REQ_IRQ_INDEX && eventfd && irq->requested)
			eventfd_signal(eventfd);
	}
	if (old)
		eventfd_ctx_put(old);
}

void gvirt_vfio_irq_release(struct gvirt_vfio_irq *irq)
{
	arm(irq, VFIO_PCI_INTX_IRQ_INDEX, NULL);
	arm(irq, VFIO_PCI_MSI_IRQ_INDEX, NULL);
	arm(irq, VFIO_PCI_REQ_IRQ_INDEX, NULL);
}

int gvirt_vfio_irq_info(struct vfio_irq_info *info)
{
	info->flags = 0;
	info->count = 0;
	switch (info->index) {
	case VFIO_PCI_INTX_IRQ_INDEX:
		info->flags = VFIO_IRQ_INFO_MASKABLE | VFIO_IRQ_INFO_AUTOMASKED;
		fallthrough;
	case VFIO_PCI_MSI_IRQ_INDEX:
	case VFIO_PCI_REQ_IRQ_INDEX:
		info->flags |= VFIO_IRQ_INFO_EVENTFD;
		info->count = 1;
		if (info->index != VFIO_PCI_INTX_IRQ_INDEX)
			info->flags |= VFIO_IRQ_INFO_NORESIZE;
		return 0;
	case VFIO_PCI_MSIX_IRQ_INDEX:
	case VFIO_PCI_ERR_IRQ_INDEX:
		return 0;
	default:
		return -EINVAL;
	}
}

/* The user itself causes the interrupt, to test what hears it. */
static void test_signal(struct gvirt_vfio_irq *irq, u32 index)
{
	struct eventfd_ctx *eventfd;

	guard(spinlock_irqsave)(&irq->lock);
	eventfd = *slot_of(irq, index);
	if (eventfd)
		eventfd_signal(eventfd);
}

static void set_mask(struct gvirt_vfio_irq *irq, bool masked)
{
	guard(spinlock_irqsave)(&irq->lock);
	irq->masked = masked;
	signal_intx_locked(irq);
}

static int arm_fd(struct gvirt_vfio_irq *irq, u32 index, int fd)
{
	struct eventfd_ctx *eventfd = NULL;

	if (fd >= 0) {
		eventfd = eventfd_ctx_fdget(fd);
		if (IS_ERR(eventfd))
			return PTR_ERR(eventfd);
	} else if (fd != -1) {
		return -EBADF;
	}
	arm(irq, index, eventfd);
	return 0;
}

static int set_trigger(struct gvirt_vfio_irq *irq, const struct vfio_irq_set *hdr, int value)
{
	switch (hdr->flags & VFIO_IRQ_SET_DATA_TYPE_MASK) {
	case VFIO_IRQ_SET_DATA_NONE:
		if (hdr->count)
			test_signal(irq, hdr->index);
		else
			arm(irq, hdr->index, NULL);
		return 0;
	case VFIO_IRQ_SET_DATA_BOOL:
		if (value)
			test_signal(irq, hdr->index);
		return 0;
	default:
		return arm_fd(irq, hdr->index, value);
	}
}

/* By eventfd would need what only vfio-pci brings along; users fall back to the call. */
static int set_masks(struct gvirt_vfio_irq *irq, const struct vfio_irq_set *hdr, int value,
		     bool masked)
{
	if (hdr->index != VFIO_PCI_INTX_IRQ_INDEX || !hdr->count ||
	    hdr->flags & VFIO_IRQ_SET_DATA_EVENTFD)
		return -EINVAL;
	if (hdr->flags & VFIO_IRQ_SET_DATA_NONE || value)
		set_mask(irq, masked);
	return 0;
}

/* The one element of data that there can be. */
static int get_value(const struct vfio_irq_set *hdr, size_t size, const void __user *data,
		     int *value)
{
	u8 flag;

	*value = 0;
	if (hdr->flags & VFIO_IRQ_SET_DATA_NONE)
		return 0;
	if (!size)
		return -EINVAL;
	if (hdr->flags & VFIO_IRQ_SET_DATA_EVENTFD)
		return copy_from_user(value, data, sizeof(*value)) ? -EFAULT : 0;
	if (copy_from_user(&flag, data, sizeof(flag)))
		return -EFAULT;
	*value = flag;
	return 0;
}

int gvirt_vfio_irq_set(struct gvirt_vfio_irq *irq, struct vfio_irq_set *hdr,
		       const void __user *data)
{
	struct vfio_irq_info info = { .index = hdr->index };
	size_t size;
	int value;
	int err;

	err = gvirt_vfio_irq_info(&info);
	if (!err)
		err = vfio_set_irqs_validate_and_prepare(hdr, info.count, VFIO_PCI_NUM_IRQS, &size);
	if (!err)
		err = get_value(hdr, size, data, &value);
	if (err)
		return err;
	switch (hdr->flags & VFIO_IRQ_SET_ACTION_TYPE_MASK) {
	case VFIO_IRQ_SET_ACTION_TRIGGER:
		return set_trigger(irq, hdr, value);
	case VFIO_IRQ_SET_ACTION_MASK:
		return set_masks(irq, hdr, value, true);
	case VFIO_IRQ_SET_ACTION_UNMASK:
		return set_masks(irq, hdr, value, false);
	default:
		return -EINVAL;
	}
}
