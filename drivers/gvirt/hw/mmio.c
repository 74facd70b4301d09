// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers and forcewake.
 *
 * Most GT registers stand in one of three power wells. A well that sleeps
 * drops writes and reads as zero, so whoever touches such a register first asks
 * for its well and waits for the acknowledgment.
 *
 * Data model: a reference count per well, and the set of wells that we have
 * asked for. A well without users stays awake until the release timer runs, so
 * that a burst of accesses costs one handshake.
 *
 * Invariant, under the lock: users[n] > 0 implies that well n is in awake,
 * unless the chip refused.
 *
 * Handshake: our request bit is set, the well answers with the same bit. An
 * answer may get lost when the chip wakes the well for itself in the same
 * moment; toggling a second request bit makes it answer again.
 *
 * Sources: Intel PRM Skylake, volume 2c; Linux i915, intel_uncore.c (ranges of
 * the wells, bounds, the lost answer: WaRsForcewakeAddDelayForAck).
 */
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/iopoll.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <gvirt/gen9_gt.h>
#include "mmio.h"

#define ACK_TIMEOUT_US		50000
/* For a well that has refused before. */
#define ACK_TIMEOUT_SHORT_US	100
#define FALLBACK_PASSES		10
/* Above this a wait sleeps between reads. */
#define ATOMIC_WAIT_US		1000

static const struct {
	const char *name;
	u32 request;
	u32 ack;
} wells[GVIRT_WELLS] = {
	{ "render", GEN9_FORCEWAKE_RENDER, GEN9_FORCEWAKE_ACK_RENDER },
	{ "GT", GEN9_FORCEWAKE_GT, GEN9_FORCEWAKE_ACK_GT },
	{ "media", GEN9_FORCEWAKE_MEDIA, GEN9_FORCEWAKE_ACK_MEDIA },
};

/* Wells by address: each row reaches from the end of the row before to @last, inclusive. */
static const struct {
	u32 last;
	u32 wells;
} ranges[] = {
	{ 0x00aff, GVIRT_WELL_GT },
	{ 0x01fff, 0 },
	{ 0x026ff, GVIRT_WELL_RENDER },
	{ 0x02fff, GVIRT_WELL_GT },
	{ 0x03fff, GVIRT_WELL_RENDER },
	{ 0x051ff, GVIRT_WELL_GT },
	{ 0x07fff, GVIRT_WELL_RENDER },
	{ 0x0812f, GVIRT_WELL_GT },
	{ 0x0813f, GVIRT_WELL_MEDIA },
	{ 0x0815f, GVIRT_WELL_RENDER },
	{ 0x082ff, GVIRT_WELL_GT },
	{ 0x084ff, GVIRT_WELL_RENDER },
	{ 0x087ff, GVIRT_WELL_GT },
	{ 0x089ff, GVIRT_WELL_MEDIA },
	{ 0x08bff, GVIRT_WELL_GT },
	{ 0x08cff, GVIRT_WELL_RENDER },
	{ 0x093ff, GVIRT_WELL_GT },
	{ 0x097ff, GVIRT_WELL_RENDER | GVIRT_WELL_MEDIA },
	{ 0x0afff, GVIRT_WELL_GT },
	{ 0x0b47f, GVIRT_WELL_RENDER },
	{ 0x0cfff, GVIRT_WELL_GT },
	{ 0x0d7ff, GVIRT_WELL_MEDIA },
	{ 0x0dfff, GVIRT_WELL_GT },
	{ 0x0e8ff, GVIRT_WELL_RENDER },
	{ 0x11fff, GVIRT_WELL_GT },
	{ 0x13fff, GVIRT_WELL_MEDIA },
	{ 0x19fff, GVIRT_WELL_GT },
	{ 0x1e9ff, GVIRT_WELL_MEDIA },
	{ 0x243ff, GVIRT_WELL_GT },
	{ 0x247ff, GVIRT_WELL_RENDER },
	{ 0x2ffff, GVIRT_WELL_GT },
	{ GEN9_FORCEWAKE_LAST, GVIRT_WELL_MEDIA },
};

u32 gvirt_mmio_wells(u32 reg)
{
	unsigned int first = 0, last = ARRAY_SIZE(ranges) - 1;

	if (reg > GEN9_FORCEWAKE_LAST)
		return 0;
	while (first < last) {
		unsigned int middle = (first + last) / 2;

		if (reg > ranges[middle].last)
			first = middle + 1;
		else
			last = middle;
	}
	return ranges[first].wells;
}

/* The handshake; accesses here are not counted as register accesses. */

static void request(struct gvirt_mmio *mmio, unsigned int n, u32 value)
{
	writel(value, mmio->regs + wells[n].request);
}

static bool wait_ack(struct gvirt_mmio *mmio, unsigned int n, u32 bit, bool set)
{
	unsigned int timeout = mmio->refused & BIT(n) ? ACK_TIMEOUT_SHORT_US : ACK_TIMEOUT_US;
	u32 ack;

	/* All ones: the device has gone, and nothing comes of waiting. */
	return !readl_poll_timeout_atomic(mmio->regs + wells[n].ack, ack,
					  !(ack & bit) == !set || ack == ~0u, 1, timeout) &&
	       ack != ~0u;
}

/* Toggles the second request bit until the answer to the first one shows. */
static bool wait_ack_again(struct gvirt_mmio *mmio, unsigned int n, bool set)
{
	unsigned int pass;
	u32 ack = 0;

	if (mmio->refused & BIT(n))
		return false;
	for (pass = 1; pass <= FALLBACK_PASSES; pass++) {
		wait_ack(mmio, n, GEN9_FORCEWAKE_KERNEL_FALLBACK, false);
		request(mmio, n, gvirt_masked_set(GEN9_FORCEWAKE_KERNEL_FALLBACK));
		udelay(10 * pass);
		wait_ack(mmio, n, GEN9_FORCEWAKE_KERNEL_FALLBACK, true);
		ack = readl(mmio->regs + wells[n].ack);
		request(mmio, n, gvirt_masked_clear(GEN9_FORCEWAKE_KERNEL_FALLBACK));
		/* All ones: the device has gone, more passes only take time. */
		if (ack == ~0u || !(ack & GEN9_FORCEWAKE_KERNEL) == !set)
			break;
	}
	atomic64_inc(&mmio->stats.fallbacks);
	return ack != ~0u && !(ack & GEN9_FORCEWAKE_KERNEL) == !set;
}

static void note_refusal(struct gvirt_mmio *mmio, unsigned int n)
{
	mmio->refused |= BIT(n);
	atomic64_inc(&mmio->stats.timeouts);
	dev_err_once(mmio->dev, "the %s power well does not wake; its registers cannot be used. A power cycle of the machine may help\n",
		     wells[n].name);
}

static bool wake_locked(struct gvirt_mmio *mmio, unsigned int n)
{
	lockdep_assert_held(&mmio->lock);
	/* The answer to an earlier release may still be on its way. */
	if (!wait_ack(mmio, n, GEN9_FORCEWAKE_KERNEL, false))
		wait_ack_again(mmio, n, false);
	request(mmio, n, gvirt_masked_set(GEN9_FORCEWAKE_KERNEL));
	atomic64_inc(&mmio->stats.wakes);
	if (!wait_ack(mmio, n, GEN9_FORCEWAKE_KERNEL, true) && !wait_ack_again(mmio, n, true)) {
		request(mmio, n, gvirt_masked_clear(GEN9_FORCEWAKE_KERNEL));
		note_refusal(mmio, n);
		return false;
	}
	mmio->awake |= BIT(n);
	mmio->refused &= ~BIT(n);
	return true;
}

static void release_unused_locked(struct gvirt_mmio *mmio)
{
	unsigned int n;

	lockdep_assert_held(&mmio->lock);
	for (n = 0; n < GVIRT_WELLS; n++) {
		if (mmio->users[n] || !(mmio->awake & BIT(n)))
			continue;
		request(mmio, n, gvirt_masked_clear(GEN9_FORCEWAKE_KERNEL));
		mmio->awake &= ~BIT(n);
	}
}

static void release_timer(struct timer_list *timer)
{
	struct gvirt_mmio *mmio = container_of(timer, struct gvirt_mmio, release);
	unsigned long flags;

	spin_lock_irqsave(&mmio->lock, flags);
	release_unused_locked(mmio);
	spin_unlock_irqrestore(&mmio->lock, flags);
}

static int get_locked(struct gvirt_mmio *mmio, u32 set)
{
	unsigned int n;
	int err = 0;

	lockdep_assert_held(&mmio->lock);
	for (n = 0; n < GVIRT_WELLS; n++) {
		if (!(set & BIT(n)))
			continue;
		mmio->users[n]++;
		if (!(mmio->awake & BIT(n)) && !wake_locked(mmio, n))
			err = -ETIMEDOUT;
	}
	return err;
}

static void put_locked(struct gvirt_mmio *mmio, u32 set)
{
	bool unused = false;
	unsigned int n;

	lockdep_assert_held(&mmio->lock);
	for (n = 0; n < GVIRT_WELLS; n++)
		if (set & BIT(n) && !WARN_ON_ONCE(!mmio->users[n]) && !--mmio->users[n])
			unused = true;
	if (unused && !timer_pending(&mmio->release))
		mod_timer(&mmio->release, jiffies + 1);
}

int gvirt_mmio_get(struct gvirt_mmio *mmio, u32 set)
{
	unsigned long flags;
	int err;

	spin_lock_irqsave(&mmio->lock, flags);
	err = get_locked(mmio, set);
	spin_unlock_irqrestore(&mmio->lock, flags);
	return err;
}

void gvirt_mmio_put(struct gvirt_mmio *mmio, u32 set)
{
	unsigned long flags;

	spin_lock_irqsave(&mmio->lock, flags);
	put_locked(mmio, set);
	spin_unlock_irqrestore(&mmio->lock, flags);
}

u32 gvirt_mmio_read(struct gvirt_mmio *mmio, u32 reg)
{
	u32 set = gvirt_mmio_wells(reg), value;
	unsigned long flags;

	if (!set)
		return gvirt_mmio_read_raw(mmio, reg);
	spin_lock_irqsave(&mmio->lock, flags);
	get_locked(mmio, set);
	value = gvirt_mmio_read_raw(mmio, reg);
	put_locked(mmio, set);
	spin_unlock_irqrestore(&mmio->lock, flags);
	return value;
}

void gvirt_mmio_write(struct gvirt_mmio *mmio, u32 reg, u32 value)
{
	u32 set = gvirt_mmio_wells(reg);
	unsigned long flags;

	if (!set) {
		gvirt_mmio_write_raw(mmio, reg, value);
		return;
	}
	spin_lock_irqsave(&mmio->lock, flags);
	get_locked(mmio, set);
	gvirt_mmio_write_raw(mmio, reg, value);
	put_locked(mmio, set);
	spin_unlock_irqrestore(&mmio->lock, flags);
}

void gvirt_mmio_update(struct gvirt_mmio *mmio, u32 reg, u32 clear, u32 set)
{
	u32 value = gvirt_mmio_read(mmio, reg);

	gvirt_mmio_write(mmio, reg, (value & ~clear) | set);
}

int gvirt_mmio_wait(struct gvirt_mmio *mmio, u32 reg, u32 mask, u32 value,
		    unsigned int timeout_us)
{
	u32 set = gvirt_mmio_wells(reg), seen;
	int err;

	gvirt_mmio_get(mmio, set);
	err = read_poll_timeout_atomic(gvirt_mmio_read_raw, seen, (seen & mask) == value, 1,
				       min(timeout_us, ATOMIC_WAIT_US), false, mmio, reg);
	if (err && timeout_us > ATOMIC_WAIT_US)
		err = read_poll_timeout(gvirt_mmio_read_raw, seen, (seen & mask) == value, 100,
					timeout_us - ATOMIC_WAIT_US, false, mmio, reg);
	gvirt_mmio_put(mmio, set);
	if (err)
		atomic64_inc(&mmio->stats.timeouts);
	return err;
}

/* The upper half of a request register never reads as ones. */
bool gvirt_mmio_gone(struct gvirt_mmio *mmio)
{
	return readl(mmio->regs + GEN9_FORCEWAKE_GT) == ~0u;
}

int gvirt_mmio_init(struct gvirt_mmio *mmio, struct device *dev, void __iomem *regs)
{
	unsigned int n;

	mmio->dev = dev;
	mmio->regs = regs;
	spin_lock_init(&mmio->lock);
	timer_setup(&mmio->release, release_timer, 0);
	if (gvirt_mmio_gone(mmio)) {
		dev_err(dev, "all registers read as ones: the device is switched off or lost. A power cycle of the machine may help\n");
		return -EIO;
	}
	/* Requests that a driver before us left behind. */
	for (n = 0; n < GVIRT_WELLS; n++)
		request(mmio, n, gvirt_masked_clear(0xffff));
	return 0;
}

void gvirt_mmio_rest(struct gvirt_mmio *mmio)
{
	timer_delete_sync(&mmio->release);
	spin_lock_irq(&mmio->lock);
	release_unused_locked(mmio);
	spin_unlock_irq(&mmio->lock);
}

void gvirt_mmio_fini(struct gvirt_mmio *mmio)
{
	gvirt_mmio_rest(mmio);
}
