/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interrupts on their way to the VMM: the eventfds that it gave for INTx and MSI.
 *
 * The transport thread configures; any thread raises. While the VMM has MSI
 * enabled, the line's state is kept but sends nothing.
 */
#ifndef GM_VFU_IRQ_H
#define GM_VFU_IRQ_H

#include <linux/types.h>

struct gm_vfu_irq;
struct gm_vfu_irq_set;

/* Interrupts without any eventfd; NULL when memory is short. */
struct gm_vfu_irq *gm_vfu_irq_create(void);
void gm_vfu_irq_destroy(struct gm_vfu_irq *irq);

/**
 * gm_vfu_irq_configure() - Do what a DEVICE_SET_IRQS message asks for
 * @irq: the interrupts
 * @set: the message
 * @fd: the file descriptor that came along, -1: none; taken over on success
 *
 * Return: 0, or -EINVAL when @fd is no eventfd.
 */
int gm_vfu_irq_configure(struct gm_vfu_irq *irq, const struct gm_vfu_irq_set *set, int fd);

/**
 * gm_vfu_irq_raise() - The device's line changes
 * @irq: the interrupts
 * @level: of INTx; MSI is sent on true only
 */
void gm_vfu_irq_raise(struct gm_vfu_irq *irq, bool level);

/**
 * gm_vfu_irq_unmask_fd() - The eventfd by which the VMM unmasks INTx
 * @irq: the interrupts
 *
 * For the transport thread, to wait for it; gm_vfu_irq_unmask_event() handles it.
 *
 * Return: the file descriptor, -1: none.
 */
int gm_vfu_irq_unmask_fd(struct gm_vfu_irq *irq);
void gm_vfu_irq_unmask_event(struct gm_vfu_irq *irq);

/* Close every eventfd, for the client has gone. */
void gm_vfu_irq_release(struct gm_vfu_irq *irq);

#endif
