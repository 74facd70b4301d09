// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lookup in the register tables, and the rules of writes.
 */
#include <linux/bits.h>
#include <gvirt/gen9_engine.h>
#include "reg.h"

#define NONPRIV_READ		BIT(28)
#define NONPRIV_WRITE		BIT(29)

/* Both firsts and lasts are sorted; rows for different engines may be equal in both. */
static const struct gvirt_reg *search(const struct gvirt_reg_rows *rows, u32 offset,
				      u32 engines)
{
	unsigned int low = 0;
	unsigned int high = rows->count;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (rows->row[middle].last < offset)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < rows->count && rows->row[low].first <= offset; low++)
		if (!engines || rows->row[low].engines & engines)
			return &rows->row[low];
	return NULL;
}

static int window_of(const struct gvirt_reg_table *table, u32 offset)
{
	unsigned int engine;

	for (engine = 0; engine < table->engines; engine++)
		if (offset >= table->base[engine] &&
		    offset - table->base[engine] < GEN9_ENGINE_WINDOW_SIZE)
			return (int)engine;
	return -1;
}

struct gvirt_reg_ref gvirt_reg_find(const struct gvirt_reg_table *table, u32 offset)
{
	struct gvirt_reg_ref ref = { .offset = offset & ~3u };

	ref.engine = window_of(table, offset);
	if (ref.engine >= 0) {
		ref.offset -= table->base[ref.engine];
		ref.row = search(table->engine, ref.offset, BIT(ref.engine));
		return ref;
	}
	ref.row = search(table->global, ref.offset, 0);
	if (!ref.row)
		ref.row = search(table->display, ref.offset, 0);
	return ref;
}

u32 gvirt_reg_apply(const struct gvirt_reg *row, u32 old, u32 value)
{
	u32 ones = value;
	u32 new = value;

	if (row->class == GVIRT_REG_HW_READ || row->class == GVIRT_REG_DENY)
		return old;
	if (row->flags & GVIRT_REG_MASKED) {
		new = gen9_masked_write(old, value);
		ones = value & (value >> 16);
	}
	new = (new & ~row->w1c) | (old & ~ones & row->w1c);
	return (new & ~row->ro) | (old & row->ro);
}

bool gvirt_reg_cmd_allowed(const struct gvirt_reg_ref *ref, unsigned int engine, u8 access)
{
	if (!ref->row || !(ref->row->flags & access))
		return false;
	if (ref->row->flags & GVIRT_REG_ENGINE)
		return ref->engine == (int)engine;
	return ref->row->engines & BIT(engine);
}

u32 gvirt_reg_cmd_value(const struct gvirt_reg *row, u32 value)
{
	if (row->flags & GVIRT_REG_MASKED)
		return value & ~(row->ro << 16);
	return value & ~row->ro;
}

/* Whether commands of the engine may read all registers first..last. */
static bool may_read(const struct gvirt_reg_table *table, unsigned int engine, u32 first,
		     u32 last)
{
	struct gvirt_reg_ref ref;
	u32 offset;

	for (offset = first; offset <= last; offset += 4) {
		ref = gvirt_reg_find(table, offset);
		if (!gvirt_reg_cmd_allowed(&ref, engine, GVIRT_REG_CMD_READ))
			return false;
	}
	return true;
}

/*
 * Whether the chip counts a range from the register that is named, or from the
 * multiple of the range below, is not documented: both have to be harmless. A
 * range has at most 64 registers.
 */
static bool range_is_readable(const struct gvirt_reg_table *table, unsigned int engine,
			      u32 value)
{
	u32 first = value & GEN9_FORCE_TO_NONPRIV_MASK;
	u32 bytes = 4u << (2 * (value & GEN9_FORCE_TO_NONPRIV_RANGE_MASK));

	return may_read(table, engine, first & ~(bytes - 1), first + bytes - 4);
}

u32 gvirt_reg_nonpriv_value(const struct gvirt_reg_table *table, unsigned int engine, u32 value)
{
	u32 flags = value & ~GEN9_FORCE_TO_NONPRIV_MASK;
	struct gvirt_reg_ref ref = gvirt_reg_find(table, value & GEN9_FORCE_TO_NONPRIV_MASK);
	u32 access = flags & ~GEN9_FORCE_TO_NONPRIV_RANGE_MASK;

	if (access == NONPRIV_READ && range_is_readable(table, engine, value))
		return value;
	if ((flags == 0 || flags == NONPRIV_WRITE) && ref.row && !ref.row->ro &&
	    gvirt_reg_cmd_allowed(&ref, engine, GVIRT_REG_CMD_WRITE))
		return value;
	return table->base[engine] + GEN9_RING_NOPID;
}
