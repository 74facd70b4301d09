/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of the GPU, and the power wells that they stand in.
 */
#ifndef GVIRT_HW_MMIO_H
#define GVIRT_HW_MMIO_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler_types.h>
#include <linux/io.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>

struct device;

/* Power wells, as bits of a set. */
#define GVIRT_WELL_RENDER	BIT(0)
#define GVIRT_WELL_GT		BIT(1)
#define GVIRT_WELL_MEDIA	BIT(2)
#define GVIRT_WELLS_ALL		(GVIRT_WELL_RENDER | GVIRT_WELL_GT | GVIRT_WELL_MEDIA)
#define GVIRT_WELLS		3

/**
 * struct gvirt_mmio_stats - What the hardware was asked
 * @reads: register reads, without those of the forcewake handshake
 * @writes: register writes, likewise
 * @wakes: handshakes that woke a well
 * @fallbacks: handshakes that needed the fallback bit
 * @timeouts: handshakes and waits that the chip did not answer in time
 */
struct gvirt_mmio_stats {
	atomic64_t reads;
	atomic64_t writes;
	atomic64_t wakes;
	atomic64_t fallbacks;
	atomic64_t timeouts;
};

/**
 * struct gvirt_mmio - The register half of BAR0
 * @dev: for messages
 * @regs: registers, 0 to 8 MiB
 * @lock: of the wells below
 * @users: who needs each well; under @lock
 * @awake: GVIRT_WELL_*, wells that we asked for; under @lock
 * @refused: GVIRT_WELL_*, wells that did not answer the last time; under @lock
 * @release: lets go of wells that nobody has used for a tick
 * @stats: counters
 */
struct gvirt_mmio {
	struct device *dev;
	void __iomem *regs;
	spinlock_t lock; /* the wells */
	unsigned int users[GVIRT_WELLS];
	u32 awake;
	u32 refused;
	struct timer_list release;
	struct gvirt_mmio_stats stats;
};

/**
 * gvirt_masked_set() - What to write to a masked register to set bits
 * @bits: bits of the lower half; the upper half selects those that change
 *
 * Return: the value.
 */
static inline u32 gvirt_masked_set(u16 bits)
{
	return (u32)bits << 16 | bits;
}

/**
 * gvirt_masked_clear() - What to write to a masked register to clear bits
 * @bits: bits of the lower half
 *
 * Return: the value.
 */
static inline u32 gvirt_masked_clear(u16 bits)
{
	return (u32)bits << 16;
}

/**
 * gvirt_mmio_init() - Take over the wells
 * @mmio: to be initialised
 * @dev: for messages
 * @regs: mapping of the registers
 *
 * Return: 0, or -EIO when the device does not answer at all.
 */
int gvirt_mmio_init(struct gvirt_mmio *mmio, struct device *dev, void __iomem *regs);

/**
 * gvirt_mmio_gone() - Has the device left the bus?
 * @mmio: registers
 *
 * Return: true when nobody answers.
 */
bool gvirt_mmio_gone(struct gvirt_mmio *mmio);

/**
 * gvirt_mmio_rest() - Let all wells go at once that nobody holds
 * @mmio: registers; nobody uses them meanwhile
 */
void gvirt_mmio_rest(struct gvirt_mmio *mmio);

/**
 * gvirt_mmio_fini() - Let all wells go
 * @mmio: of gvirt_mmio_init(); nobody holds a well any more
 */
void gvirt_mmio_fini(struct gvirt_mmio *mmio);

/**
 * gvirt_mmio_wells() - Which wells a register needs
 * @reg: offset in BAR0
 *
 * Return: a set of GVIRT_WELL_*; 0 when it is always accessible.
 */
u32 gvirt_mmio_wells(u32 reg);

/**
 * gvirt_mmio_get() - Wake wells and keep them awake
 * @mmio: the registers
 * @wells: set of GVIRT_WELL_*
 *
 * Callable from any context. Waits a few microseconds in practice, and 1.2 s at
 * most, once; a well that has not answered is given 100 us from then on. It is
 * reported once and counted; its reference is held all the same, so that calls
 * stay paired.
 *
 * Return: 0, or -ETIMEDOUT when a well did not wake.
 */
int gvirt_mmio_get(struct gvirt_mmio *mmio, u32 wells);

/**
 * gvirt_mmio_put() - Wells may sleep again; they do a tick later
 * @mmio: the registers
 * @wells: what was given to gvirt_mmio_get()
 */
void gvirt_mmio_put(struct gvirt_mmio *mmio, u32 wells);

/**
 * gvirt_mmio_read() - Read a register, waking its wells
 * @mmio: the registers
 * @reg: offset, a multiple of 4
 *
 * Return: its value.
 */
u32 gvirt_mmio_read(struct gvirt_mmio *mmio, u32 reg);

/**
 * gvirt_mmio_write() - Write a register, waking its wells
 * @mmio: the registers
 * @reg: offset, a multiple of 4
 * @value: what to write
 */
void gvirt_mmio_write(struct gvirt_mmio *mmio, u32 reg, u32 value);

/**
 * gvirt_mmio_update() - Clear and set bits of a register, waking its wells
 * @mmio: the registers
 * @reg: offset, a multiple of 4
 * @clear: bits to clear
 * @set: bits to set after that
 */
void gvirt_mmio_update(struct gvirt_mmio *mmio, u32 reg, u32 clear, u32 set);

/**
 * gvirt_mmio_wait() - Wait until masked bits of a register have a value
 * @mmio: the registers
 * @reg: offset
 * @mask: bits to look at
 * @value: what they shall be
 * @timeout_us: bound; above 1000 it sleeps and must not be called in atomic context
 *
 * Return: 0, or -ETIMEDOUT, which is counted and not reported.
 */
int gvirt_mmio_wait(struct gvirt_mmio *mmio, u32 reg, u32 mask, u32 value,
		    unsigned int timeout_us);

/**
 * gvirt_mmio_read_raw() - Read a register whose wells the caller holds, or that needs none
 * @mmio: the registers
 * @reg: offset, a multiple of 4
 *
 * Return: its value.
 */
static inline u32 gvirt_mmio_read_raw(struct gvirt_mmio *mmio, u32 reg)
{
	atomic64_inc(&mmio->stats.reads);
	return readl(mmio->regs + reg);
}

/**
 * gvirt_mmio_write_raw() - Write a register whose wells the caller holds, or that needs none
 * @mmio: the registers
 * @reg: offset, a multiple of 4
 * @value: what to write
 */
static inline void gvirt_mmio_write_raw(struct gvirt_mmio *mmio, u32 reg, u32 value)
{
	atomic64_inc(&mmio->stats.writes);
	writel(value, mmio->regs + reg);
}

#endif
