/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the interrupt line of a vGPU to the eventfds of its user.
 */
#ifndef GVIRT_VFIO_IRQ_H
#define GVIRT_VFIO_IRQ_H

#include <linux/spinlock.h>
#include <linux/types.h>

struct eventfd_ctx;
struct vfio_irq_info;
struct vfio_irq_set;

/**
 * struct gvirt_vfio_irq - Eventfds
 * @lock: covers all below; taken inside the vGPU's
 * @msi: gets a message when the line rises; NULL: not armed
 * @intx: gets one when the line is high, and masks itself; NULL: not armed
 * @request: tells the user to let go of the device; NULL: not armed
 * @requested: it was to be told, for good
 * @masked: INTx waits to be unmasked
 * @level: the line
 */
struct gvirt_vfio_irq {
	spinlock_t lock; /* all of it */
	struct eventfd_ctx *msi;
	struct eventfd_ctx *intx;
	struct eventfd_ctx *request;
	bool requested;
	bool masked;
	bool level;
};

/**
 * gvirt_vfio_irq_init() - Nothing armed, line low
 * @irq: to be initialised
 */
void gvirt_vfio_irq_init(struct gvirt_vfio_irq *irq);

/**
 * gvirt_vfio_irq_release() - Let all eventfds go
 * @irq: of gvirt_vfio_irq_init()
 */
void gvirt_vfio_irq_release(struct gvirt_vfio_irq *irq);

/**
 * gvirt_vfio_irq_line() - The vGPU's line has changed
 * @irq: where to
 * @level: new state
 */
void gvirt_vfio_irq_line(struct gvirt_vfio_irq *irq, bool level);

/**
 * gvirt_vfio_irq_request() - Ask the user to let go of the device
 * @irq: where to
 *
 * Who listens only later is asked then.
 *
 * Return: false when nobody listens.
 */
bool gvirt_vfio_irq_request(struct gvirt_vfio_irq *irq);

/**
 * gvirt_vfio_irq_info() - VFIO_DEVICE_GET_IRQ_INFO
 * @info: index given; gets flags and count
 *
 * Return: 0, or -EINVAL for an index that VFIO does not have.
 */
int gvirt_vfio_irq_info(struct vfio_irq_info *info);

/**
 * gvirt_vfio_irq_set() - VFIO_DEVICE_SET_IRQS
 * @irq: what is set
 * @hdr: what to do
 * @data: what follows @hdr at the user
 *
 * Return: 0, -EINVAL for what is not offered, -EFAULT, -EBADF.
 */
int gvirt_vfio_irq_set(struct gvirt_vfio_irq *irq, struct vfio_irq_set *hdr,
		       const void __user *data);

#endif
