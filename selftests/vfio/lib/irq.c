// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts.
 *
 * Source: Linux i915, gt/intel_gt_irq.c and i915_irq.c (order: the master is off while
 * the banks are acknowledged).
 */
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <gvirt/gen9_gt.h>

#include "../ktap.h"
#include "irq.h"

#define QUIET_MS	30
#define SETTLE_US	10000

/* The engines' banks and where their bits are: render, blitter, video, video enhancement. */
static const struct {
	unsigned int bank, shift;
} sources[IRQ_SOURCES] = {
	{ 0, GEN9_GT_IRQ_RCS_SHIFT },
	{ 0, GEN9_GT_IRQ_BCS_SHIFT },
	{ 1, GEN9_GT_IRQ_VCS_SHIFT },
	{ 3, GEN9_GT_IRQ_VECS_SHIFT },
};

static const unsigned int banks[] = { 0, 1, 3 };

static void set_master(struct irq *irq, bool on)
{
	vdev_write(irq->dev, GEN9_MASTER_IRQ, on ? GEN9_MASTER_IRQ_ENABLE : 0);
	/* It is off, or on, when this has come back. */
	vdev_read(irq->dev, GEN9_MASTER_IRQ);
}

static u32 take_bank(struct irq *irq, unsigned int bank)
{
	u32 bits = vdev_read(irq->dev, GEN9_GT_IRQ(bank) + GEN9_IRQ_IIR);

	if (bits)
		vdev_write(irq->dev, GEN9_GT_IRQ(bank) + GEN9_IRQ_IIR, bits);
	return bits;
}

/* The identity register holds a second event behind the first. */
static void reset_bank(struct irq *irq, unsigned int bank)
{
	vdev_write(irq->dev, GEN9_GT_IRQ(bank) + GEN9_IRQ_IMR, ~0u);
	vdev_read(irq->dev, GEN9_GT_IRQ(bank) + GEN9_IRQ_IMR);
	vdev_write(irq->dev, GEN9_GT_IRQ(bank) + GEN9_IRQ_IER, 0);
	take_bank(irq, bank);
	take_bank(irq, bank);
}

static void enable_bank(struct irq *irq, unsigned int bank, u32 bits)
{
	vdev_write(irq->dev, GEN9_GT_IRQ(bank) + GEN9_IRQ_IER, bits);
	vdev_write(irq->dev, GEN9_GT_IRQ(bank) + GEN9_IRQ_IMR, ~bits);
	vdev_read(irq->dev, GEN9_GT_IRQ(bank) + GEN9_IRQ_IMR);
}

void irq_init(struct irq *irq, struct vdev *dev)
{
	u32 bits[4] = { };
	unsigned int i;

	*irq = (struct irq) {
		.dev = dev,
		.eventfd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
	};
	EXPECT(irq->eventfd >= 0);
	set_master(irq, false);
	for (i = 0; i < ARRAY_SIZE(sources); i++)
		bits[sources[i].bank] |= (IRQ_USER | IRQ_CONTEXT_SWITCH) << sources[i].shift;
	for (i = 0; i < ARRAY_SIZE(banks); i++)
		reset_bank(irq, banks[i]);
	EXPECT_EQ(dev->ops->irq(dev, irq->eventfd), 0);
	for (i = 0; i < ARRAY_SIZE(banks); i++)
		enable_bank(irq, banks[i], bits[banks[i]]);
	set_master(irq, true);
}

void irq_fini(struct irq *irq)
{
	/* The chip's last message has to arrive while somebody takes it. A vGPU sends none. */
	if (!irq->dev->virtual) {
		set_master(irq, false);
		usleep(SETTLE_US);
	}
	irq->dev->ops->irq(irq->dev, -1);
	close(irq->eventfd);
}

static void acknowledge(struct irq *irq)
{
	u32 bits[4] = { };
	unsigned int i;

	set_master(irq, false);
	for (i = 0; i < ARRAY_SIZE(banks); i++)
		bits[banks[i]] = take_bank(irq, banks[i]);
	for (i = 0; i < ARRAY_SIZE(sources); i++)
		irq->seen[i] |= bits[sources[i].bank] >> sources[i].shift & 0xffff;
	set_master(irq, true);
}

/* One signal of the eventfd; false when none comes. */
static bool next(struct irq *irq, unsigned int ms)
{
	struct pollfd poll_fd = { .fd = irq->eventfd, .events = POLLIN };
	u64 count = 0;

	if (poll(&poll_fd, 1, ms) != 1 ||
	    read(irq->eventfd, &count, sizeof(count)) != sizeof(count))
		return false;
	irq->count += count;
	acknowledge(irq);
	return true;
}

bool irq_wait(struct irq *irq, unsigned int engine, u32 bits, unsigned int ms)
{
	u64 end = vdev_now_ms() + ms, now = vdev_now_ms();

	while (!(irq->seen[engine] & bits)) {
		if (!next(irq, now < end ? end - now : 0))
			return false;
		now = vdev_now_ms();
	}
	irq->seen[engine] &= ~bits;
	return true;
}

void irq_forget(struct irq *irq)
{
	unsigned int i;

	for (i = 0; i < 100 && next(irq, QUIET_MS); i++)
		;
	for (i = 0; i < IRQ_SOURCES; i++)
		irq->seen[i] = 0;
	irq->count = 0;
}
