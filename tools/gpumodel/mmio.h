/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The register file: 32-bit registers of the lower half of BAR0, as data plus hooks.
 *
 * Every register has storage (gm_mmio_peek/poke). A part of the device adds
 * ranges with hooks for registers that behave differently from storage.
 * Registers that no range or rule names read and write as storage where the chip has a
 * register (the known list), else read 0, and are counted as unknown.
 * All functions may be called from any thread; no lock is held when a hook is called.
 */
#ifndef GM_MMIO_H
#define GM_MMIO_H

#include <linux/types.h>

struct gm_forcewake;
struct gm_irq;
struct gm_mmio;
struct gm_stats;

/* Bytes of register space: the lower half of the 16 MiB BAR0. */
#define GM_MMIO_SIZE 0x800000u

/**
 * enum gm_source - Who accesses a register
 * @GM_FROM_CPU: over BAR0; needs forcewake, is counted as MMIO
 * @GM_FROM_COMMAND: a command of an engine (LRI, SRM, context restore): wells are awake then
 */
enum gm_source {
	GM_FROM_CPU,
	GM_FROM_COMMAND,
};

/**
 * struct gm_mmio_range - Hooks for the registers first..last
 * @first: offset of the first register, a multiple of 4
 * @last: offset of the last one, inclusive
 * @read: value of a read; NULL: storage
 * @write: carry out a write; NULL: storage takes the value
 * @masked: @write (or storage) gets the value after the masked-write rule was
 *	applied (upper half selects bits); storage then holds the lower half only.
 *	The old value is the stored one, and storage takes the new one before
 *	@write is called
 * @opaque: passed to the hooks
 */
struct gm_mmio_range {
	u32 first;
	u32 last;
	u32 (*read)(void *opaque, u32 offset);
	void (*write)(void *opaque, u32 offset, u32 value);
	bool masked;
	void *opaque;
};

struct gm_mmio *gm_mmio_create(struct gm_stats *stats);
void gm_mmio_destroy(struct gm_mmio *mmio);

/**
 * gm_mmio_add() - Add a range
 * @mmio: the register file
 * @range: the range, copied
 *
 * Only before the first access.
 *
 * Return: 0, -EEXIST on overlap with another range, -ENOSPC when there are too many.
 */
int gm_mmio_add(struct gm_mmio *mmio, const struct gm_mmio_range *range);

/* Whether a range was added that covers @offset (below GM_MMIO_SIZE). */
bool gm_mmio_has_range(const struct gm_mmio *mmio, u32 offset);

/* The stored value, without side effects; @offset is below GM_MMIO_SIZE and aligned. */
u32 gm_mmio_peek(const struct gm_mmio *mmio, u32 offset);
/* Set the stored value, without side effects; @offset as above. */
void gm_mmio_poke(struct gm_mmio *mmio, u32 offset, u32 value);

/**
 * gm_mmio_update() - Change bits of the stored value in one step, without side effects
 * @mmio: the register file
 * @offset: of the register, below GM_MMIO_SIZE, a multiple of 4
 * @clear: bits to clear
 * @set: bits to set afterwards
 *
 * Return: the new value.
 */
u32 gm_mmio_update(struct gm_mmio *mmio, u32 offset, u32 clear, u32 set);

u32 gm_mmio_read(struct gm_mmio *mmio, enum gm_source source, u32 offset);
void gm_mmio_write(struct gm_mmio *mmio, enum gm_source source, u32 offset, u32 value);

/**
 * gm_mmio_access() - One access over BAR0
 * @mmio: the register file
 * @offset: a multiple of @len
 * @buf: what is written, or where to what is read goes
 * @len: 1, 2, 4 or 8 bytes
 * @write: a write, else a read
 *
 * 8 bytes are two of 4, the lower first; 1 and 2 bytes read a part of the
 * register, and write it by read-modify-write of the storage-level register.
 *
 * Return: false when @len or alignment is not that: GM_MISUSE_REG_ACCESS is
 * counted, and a read gives all ones.
 */
bool gm_mmio_access(struct gm_mmio *mmio, u32 offset, void *buf, size_t len, bool write);

/**
 * gm_mmio_reset() - Bring storage back to reset values
 * @mmio: the register file
 * @first: offset of the first register
 * @last: offset of the last one, inclusive
 */
void gm_mmio_reset(struct gm_mmio *mmio, u32 first, u32 last);

/* Check the CPU's accesses with @fw (NULL: do not); before the first access. */
void gm_mmio_set_forcewake(struct gm_mmio *mmio, struct gm_forcewake *fw);
/* What gm_mmio_set_forcewake() set, or NULL. */
struct gm_forcewake *gm_mmio_forcewake(const struct gm_mmio *mmio);

/* Called by gm_irq_create(): where hooks of other parts raise interrupts. */
void gm_mmio_set_irq(struct gm_mmio *mmio, struct gm_irq *irq);
/* The interrupt logic, NULL when there is none. */
struct gm_irq *gm_mmio_irq(const struct gm_mmio *mmio);

/* The statistics it counts into. */
struct gm_stats *gm_mmio_stats(const struct gm_mmio *mmio);

/**
 * gm_mmio_alloc() - Zeroed memory for the state behind a range
 * @mmio: the register file
 * @size: bytes
 *
 * Return: memory that lives as long as the register file, NULL when it is short.
 */
void *gm_mmio_alloc(struct gm_mmio *mmio, size_t size);

/**
 * gm_mmio_next_unknown() - Which registers were accessed that the chip has not
 * @mmio: the register file
 * @offset: where to start looking
 *
 * Return: offset of the first one at or above @offset, GM_MMIO_SIZE: none.
 */
u32 gm_mmio_next_unknown(const struct gm_mmio *mmio, u32 offset);

/**
 * struct gm_mmio_known - Registers that the chip has and that hold what is written
 * @first: offset of the first register
 * @last: offset of the last one, inclusive
 * @flags: GM_KNOWN_*
 * @reset: value of each after a reset
 * @name: what they are
 */
struct gm_mmio_known {
	u32 first;
	u32 last;
	u32 flags;
	u32 reset;
	const char *name;
};

#define GM_KNOWN_MASKED		1u	/* the upper half of a write selects bits */
#define GM_KNOWN_RO		2u	/* writes are ignored */

/* Sorted by offset, without overlap; gm_mmio_known_count rows. */
extern const struct gm_mmio_known gm_mmio_known[];
extern const size_t gm_mmio_known_count;

#endif
