// SPDX-License-Identifier: GPL-2.0-only
/*
 * The register file of BAR0's lower half.
 *
 * Three arrays with one entry per dword: the stored value, the number of the
 * range that hooks it (0: none), and what kind of register it is. Lookup is
 * therefore one load each, whatever the number of ranges. Ranges and kinds are
 * fixed before the first access; only values change, and they are atomic, so
 * that no access takes a lock.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <gvirt/gen9_engine.h>
#include "forcewake.h"
#include "mmio.h"
#include "stats.h"

#define DWORDS (GM_MMIO_SIZE / 4)
#define MAX_RANGES 512

/* Kinds; MASKED and RO are GM_KNOWN_*. */
#define KIND_KNOWN	0x10u
#define KIND_MISSED	0x20u	/* accessed although the chip has no such register */

/* A piece of memory that goes with the register file. */
struct mmio_memory {
	struct mmio_memory *next;
	max_align_t data[];
};

struct gm_mmio {
	struct gm_stats *stats;
	struct gm_forcewake *fw;
	struct gm_irq *irq;
	_Atomic u32 *value;
	u16 *hook;
	_Atomic u8 *kind;
	struct mmio_memory *memory;
	unsigned int ranges;
	struct gm_mmio_range range[MAX_RANGES + 1];	/* 0 is not used */
};

static void mmio_load_known(struct gm_mmio *mmio)
{
	for (size_t i = 0; i < gm_mmio_known_count; i++) {
		const struct gm_mmio_known *row = &gm_mmio_known[i];

		for (u32 offset = row->first; offset <= row->last; offset += 4) {
			atomic_init(&mmio->kind[offset / 4], (u8)(KIND_KNOWN | row->flags));
			atomic_init(&mmio->value[offset / 4], row->reset);
		}
	}
}

/**
 * gm_mmio_create() - A register file with the known registers at reset values
 * @stats: statistics to count into
 *
 * Return: the register file, NULL when memory is short.
 */
struct gm_mmio *gm_mmio_create(struct gm_stats *stats)
{
	struct gm_mmio *mmio = calloc(1, sizeof(*mmio));

	if (!mmio)
		return NULL;
	mmio->stats = stats;
	mmio->value = calloc(DWORDS, sizeof(*mmio->value));
	mmio->hook = calloc(DWORDS, sizeof(*mmio->hook));
	mmio->kind = calloc(DWORDS, sizeof(*mmio->kind));
	if (!mmio->value || !mmio->hook || !mmio->kind) {
		gm_mmio_destroy(mmio);
		return NULL;
	}
	mmio_load_known(mmio);
	return mmio;
}

/* Free a register file; NULL is fine. */
void gm_mmio_destroy(struct gm_mmio *mmio)
{
	struct mmio_memory *memory;

	if (!mmio)
		return;
	while (mmio->memory) {
		memory = mmio->memory;
		mmio->memory = memory->next;
		free(memory);
	}
	free(mmio->value);
	free(mmio->hook);
	free((void *)mmio->kind);
	free(mmio);
}

void *gm_mmio_alloc(struct gm_mmio *mmio, size_t size)
{
	struct mmio_memory *memory = calloc(1, sizeof(*memory) + size);

	if (!memory)
		return NULL;
	memory->next = mmio->memory;
	mmio->memory = memory;
	return memory->data;
}

void gm_mmio_set_forcewake(struct gm_mmio *mmio, struct gm_forcewake *fw)
{
	mmio->fw = fw;
}

struct gm_forcewake *gm_mmio_forcewake(const struct gm_mmio *mmio)
{
	return mmio->fw;
}

void gm_mmio_set_irq(struct gm_mmio *mmio, struct gm_irq *irq)
{
	mmio->irq = irq;
}

struct gm_irq *gm_mmio_irq(const struct gm_mmio *mmio)
{
	return mmio->irq;
}

struct gm_stats *gm_mmio_stats(const struct gm_mmio *mmio)
{
	return mmio->stats;
}

static bool range_is_valid(const struct gm_mmio_range *range)
{
	return range->first % 4 == 0 && range->last % 4 == 0 &&
	       range->first <= range->last && range->last < GM_MMIO_SIZE;
}

int gm_mmio_add(struct gm_mmio *mmio, const struct gm_mmio_range *range)
{
	if (!range_is_valid(range))
		return -EINVAL;
	if (mmio->ranges == MAX_RANGES)
		return -ENOSPC;
	for (u32 i = range->first / 4; i <= range->last / 4; i++)
		if (mmio->hook[i])
			return -EEXIST;
	mmio->range[++mmio->ranges] = *range;
	for (u32 i = range->first / 4; i <= range->last / 4; i++)
		mmio->hook[i] = (u16)mmio->ranges;
	return 0;
}

bool gm_mmio_has_range(const struct gm_mmio *mmio, u32 offset)
{
	return mmio->hook[offset / 4];
}

u32 gm_mmio_peek(const struct gm_mmio *mmio, u32 offset)
{
	return atomic_load_explicit(&mmio->value[offset / 4], memory_order_acquire);
}

void gm_mmio_poke(struct gm_mmio *mmio, u32 offset, u32 value)
{
	atomic_store_explicit(&mmio->value[offset / 4], value, memory_order_release);
}

u32 gm_mmio_update(struct gm_mmio *mmio, u32 offset, u32 clear, u32 set)
{
	_Atomic u32 *value = &mmio->value[offset / 4];
	u32 old = atomic_load(value);

	while (!atomic_compare_exchange_weak(value, &old, (old & ~clear) | set))
		;
	return (old & ~clear) | set;
}

/* Returns false for a register that the chip has not; counts that. */
static bool mmio_exists(struct gm_mmio *mmio, u32 offset, enum gm_counter counter)
{
	if (offset < GM_MMIO_SIZE) {
		if (mmio->hook[offset / 4])
			return true;
		if (atomic_load_explicit(&mmio->kind[offset / 4], memory_order_relaxed) &
		    KIND_KNOWN)
			return true;
		atomic_fetch_or_explicit(&mmio->kind[offset / 4], KIND_MISSED,
					 memory_order_relaxed);
	}
	gm_count(mmio->stats, counter, 1);
	return false;
}

static bool mmio_is_awake(struct gm_mmio *mmio, enum gm_source source, u32 offset, bool write)
{
	return source != GM_FROM_CPU || !mmio->fw ||
	       gm_forcewake_check(mmio->fw, offset, write);
}

/**
 * gm_mmio_read() - Read one register with its side effects
 * @mmio: the register file
 * @source: who reads
 * @offset: any; the lowest two bits do not count
 *
 * Return: its value; 0 for a register that is not there or whose well sleeps.
 */
u32 gm_mmio_read(struct gm_mmio *mmio, enum gm_source source, u32 offset)
{
	const struct gm_mmio_range *range;

	offset &= ~3u;
	if (source == GM_FROM_CPU)
		gm_count(mmio->stats, GM_COUNT_MMIO_READ, 1);
	if (!mmio_exists(mmio, offset, GM_COUNT_MMIO_UNKNOWN_READ) ||
	    !mmio_is_awake(mmio, source, offset, false))
		return 0;
	range = &mmio->range[mmio->hook[offset / 4]];
	if (range->read)
		return range->read(range->opaque, offset);
	return gm_mmio_peek(mmio, offset);
}

static u32 mmio_apply_mask(struct gm_mmio *mmio, u32 offset, u32 value)
{
	return gm_mmio_update(mmio, offset, 0xffff0000u | (value >> 16),
			      value & (value >> 16));
}

/**
 * gm_mmio_write() - Write one register with its side effects
 * @mmio: the register file
 * @source: who writes
 * @offset: any; the lowest two bits do not count
 * @value: the value; lost when the register is not there or its well sleeps
 */
void gm_mmio_write(struct gm_mmio *mmio, enum gm_source source, u32 offset, u32 value)
{
	const struct gm_mmio_range *range;
	u8 kind;

	offset &= ~3u;
	if (source == GM_FROM_CPU)
		gm_count(mmio->stats, GM_COUNT_MMIO_WRITE, 1);
	if (!mmio_exists(mmio, offset, GM_COUNT_MMIO_UNKNOWN_WRITE) ||
	    !mmio_is_awake(mmio, source, offset, true))
		return;
	range = &mmio->range[mmio->hook[offset / 4]];
	kind = atomic_load_explicit(&mmio->kind[offset / 4], memory_order_relaxed);
	if (range->masked || (!range->write && (kind & GM_KNOWN_MASKED)))
		value = mmio_apply_mask(mmio, offset, value);
	else if (!range->write && !(kind & GM_KNOWN_RO))
		gm_mmio_poke(mmio, offset, value);
	if (range->write)
		range->write(range->opaque, offset, value);
}

static void access_part(struct gm_mmio *mmio, u32 offset, void *buf, size_t len, bool write)
{
	u32 reg = offset & ~3u;
	u32 value;

	if (!write) {
		value = gm_mmio_read(mmio, GM_FROM_CPU, reg);
		memcpy(buf, (u8 *)&value + (offset & 3), len);
		return;
	}
	value = gm_mmio_peek(mmio, reg);
	memcpy((u8 *)&value + (offset & 3), buf, len);
	gm_mmio_write(mmio, GM_FROM_CPU, reg, value);
}

static bool access_is_valid(u32 offset, size_t len)
{
	if (len != 1 && len != 2 && len != 4 && len != 8)
		return false;
	return offset % len == 0 && offset <= GM_MMIO_SIZE - len;
}

bool gm_mmio_access(struct gm_mmio *mmio, u32 offset, void *buf, size_t len, bool write)
{
	if (!access_is_valid(offset, len)) {
		gm_misuse(mmio->stats, GM_MISUSE_REG_ACCESS, "%s of %zu bytes at 0x%x",
			  write ? "write" : "read", len, offset);
		if (!write)
			memset(buf, 0xff, len);
		return false;
	}
	for (size_t done = 0; done < len; done += 4)
		access_part(mmio, offset + (u32)done, (u8 *)buf + done, len < 4 ? len : 4,
			    write);
	return true;
}

static u32 known_reset_value(u32 offset)
{
	size_t low = 0;
	size_t high = gm_mmio_known_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct gm_mmio_known *row = &gm_mmio_known[middle];

		if (offset > row->last)
			low = middle + 1;
		else if (offset < row->first)
			high = middle;
		else
			return row->reset;
	}
	return 0;
}

void gm_mmio_reset(struct gm_mmio *mmio, u32 first, u32 last)
{
	for (u32 offset = first & ~3u; offset <= last && offset < GM_MMIO_SIZE; offset += 4)
		gm_mmio_poke(mmio, offset, known_reset_value(offset));
}

u32 gm_mmio_next_unknown(const struct gm_mmio *mmio, u32 offset)
{
	for (offset = (offset + 3) & ~3u; offset < GM_MMIO_SIZE; offset += 4)
		if (atomic_load_explicit(&mmio->kind[offset / 4], memory_order_relaxed) &
		    KIND_MISSED)
			return offset;
	return GM_MMIO_SIZE;
}
