// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of a vGPU.
 *
 * The register memory holds what a guest reads, for all registers but those that
 * come from the chip or from a handler. It is allocated when the vGPU is made: no access
 * allocates. A page that is mapped into the guest is a copy: what the guest does to it
 * is never read back. For a shown page, the memory of registers from the chip or from a
 * handler holds what the copy shows.
 */
#include <linux/align.h>
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <gvirt/gen9_pci.h>
#include "lib/reg_handler.h"
#include "mmio.h"

#define PAGES		(GEN9_GTTMMADR_GGTT >> PAGE_SHIFT)

/* What to do with each row, and the absolute offset of its first register. */
typedef int (*row_fn)(struct gvirt_vmmio *vmmio, const struct gvirt_reg *row, u32 first);

/* Denied registers are constant, and the chip's are not stored. */
static bool is_stored(const struct gvirt_reg *row)
{
	return row->class == GVIRT_REG_RAM || row->class == GVIRT_REG_TRAP;
}

static int for_rows(struct gvirt_vmmio *vmmio, const struct gvirt_reg_rows *rows, u32 base,
		    u32 engines, row_fn fn)
{
	const struct gvirt_reg *row;
	int err = 0;

	for (row = rows->row; row < rows->row + rows->count && !err; row++)
		if (is_stored(row) && (!engines || row->engines & engines))
			err = fn(vmmio, row, base + row->first);
	return err;
}

static int for_engine(struct gvirt_vmmio *vmmio, unsigned int engine, row_fn fn)
{
	const struct gvirt_reg_table *table = vmmio->table;

	return for_rows(vmmio, table->engine, table->base[engine], BIT(engine), fn);
}

static int for_all(struct gvirt_vmmio *vmmio, row_fn fn)
{
	unsigned int engine;
	int err;

	err = for_rows(vmmio, vmmio->table->global, 0, 0, fn);
	if (!err)
		err = for_rows(vmmio, vmmio->table->display, 0, 0, fn);
	for (engine = 0; engine < vmmio->table->engines && !err; engine++)
		err = for_engine(vmmio, engine, fn);
	return err;
}

static int allocate_row(struct gvirt_vmmio *vmmio, const struct gvirt_reg *row, u32 first)
{
	u32 last = first + (row->last - row->first);
	u32 page;

	for (page = first >> PAGE_SHIFT; page <= last >> PAGE_SHIFT; page++) {
		if (vmmio->page[page])
			continue;
		vmmio->page[page] = (u32 *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
		if (!vmmio->page[page])
			return -ENOMEM;
	}
	return 0;
}

static int reset_row(struct gvirt_vmmio *vmmio, const struct gvirt_reg *row, u32 first)
{
	u32 i;

	for (i = 0; i <= row->last - row->first; i += 4)
		gvirt_vmmio_set(vmmio, first + i, row->reset);
	return 0;
}

void gvirt_vmmio_reset(struct gvirt_vmmio *vmmio)
{
	for_all(vmmio, reset_row);
}

void gvirt_vmmio_reset_engine(struct gvirt_vmmio *vmmio, unsigned int engine)
{
	for_engine(vmmio, engine, reset_row);
}

int gvirt_vmmio_init(struct gvirt_vmmio *vmmio, const struct gvirt_reg_table *table,
		     const struct gvirt_vmmio_services *services, void *data)
{
	int err;

	*vmmio = (struct gvirt_vmmio) { .table = table, .services = services, .data = data };
	vmmio->page = kvcalloc(2 * PAGES, sizeof(*vmmio->page), GFP_KERNEL_ACCOUNT);
	if (!vmmio->page)
		return -ENOMEM;
	vmmio->shown = vmmio->page + PAGES;
	err = for_all(vmmio, allocate_row);
	if (err) {
		gvirt_vmmio_fini(vmmio);
		return err;
	}
	gvirt_vmmio_reset(vmmio);
	return 0;
}

void gvirt_vmmio_fini(struct gvirt_vmmio *vmmio)
{
	unsigned int i;

	for (i = 0; i < 2 * PAGES; i++)
		free_page((unsigned long)vmmio->page[i]);
	kvfree(vmmio->page);
	vmmio->page = NULL;
	vmmio->shown = NULL;
}

size_t gvirt_vmmio_bytes(const struct gvirt_vmmio *vmmio)
{
	size_t bytes = 2 * PAGES * sizeof(*vmmio->page);
	unsigned int i;

	for (i = 0; i < 2 * PAGES; i++)
		if (vmmio->page[i])
			bytes += PAGE_SIZE;
	return bytes;
}

/* Where a register is kept, or shown; NULL: nowhere. */
static u32 *place_in(u32 *const *pages, u32 offset)
{
	u32 *page = pages[offset >> PAGE_SHIFT];

	return page ? &page[(offset & ~PAGE_MASK) / 4] : NULL;
}

u32 gvirt_vmmio_get(const struct gvirt_vmmio *vmmio, u32 offset)
{
	const u32 *memory = place_in(vmmio->page, offset);

	return memory ? *memory : 0;
}

void gvirt_vmmio_set(struct gvirt_vmmio *vmmio, u32 offset, u32 value)
{
	u32 *memory = place_in(vmmio->page, offset);
	u32 *shown = place_in(vmmio->shown, offset);

	if (memory)
		*memory = value;
	if (shown)
		WRITE_ONCE(*shown, value);
}

static u32 read_dword(struct gvirt_vmmio *vmmio, u32 offset)
{
	struct gvirt_vmmio_trap trap = {
		.ref = gvirt_reg_find(vmmio->table, offset),
		.offset = offset,
	};
	const struct gvirt_reg *row = trap.ref.row;

	if (!row) {
		vmmio->unknown++;
		return 0;
	}
	if (row->class == GVIRT_REG_HW_READ)
		return vmmio->services->hw_read(vmmio->data, offset);
	if (row->class == GVIRT_REG_DENY)
		return row->reset;
	if (gvirt_reg_handler_reads(row->handler))
		return vmmio->services->trap_read(vmmio->data, &trap);
	return gvirt_vmmio_get(vmmio, offset);
}

u32 gvirt_vmmio_read(struct gvirt_vmmio *vmmio, u32 offset, unsigned int bytes)
{
	u32 value = read_dword(vmmio, ALIGN_DOWN(offset, 4));

	return value >> (8 * (offset & 3)) & (~0u >> (32 - 8 * bytes));
}

/*
 * Bytes that are not written: what the register holds, but no ones where a one
 * written does something.
 */
static u32 fill_up(const struct gvirt_reg *row, u32 old, u32 offset, unsigned int bytes,
		   u32 value)
{
	u32 shift = 8 * (offset & 3);
	u32 mask = (~0u >> (32 - 8 * bytes)) << shift;

	old &= ~row->w1c;
	if (row->flags & GVIRT_REG_MASKED)
		old = 0;
	return (old & ~mask) | (value << shift & mask);
}

static void write_stored(struct gvirt_vmmio *vmmio, struct gvirt_vmmio_trap *trap, u32 value)
{
	const struct gvirt_reg *row = trap->ref.row;

	trap->value = gvirt_reg_apply(row, trap->old, value);
	gvirt_vmmio_set(vmmio, trap->offset, trap->value);
	if (row->class == GVIRT_REG_TRAP)
		vmmio->services->trap_write(vmmio->data, trap);
}

void gvirt_vmmio_write(struct gvirt_vmmio *vmmio, u32 offset, unsigned int bytes, u32 value)
{
	struct gvirt_vmmio_trap trap = {
		.ref = gvirt_reg_find(vmmio->table, offset),
		.offset = ALIGN_DOWN(offset, 4),
	};
	const struct gvirt_reg *row = trap.ref.row;

	if (!row) {
		vmmio->unknown++;
	} else if (row->class == GVIRT_REG_DENY) {
		vmmio->denied++;
	} else if (is_stored(row)) {
		trap.old = gvirt_vmmio_get(vmmio, trap.offset);
		write_stored(vmmio, &trap, fill_up(row, trap.old, offset, bytes, value));
	}
}

/* Pages that are mapped into the guest. */

/* What has no row reads zero, and is not an access of the guest here. */
void gvirt_vmmio_refresh(struct gvirt_vmmio *vmmio, u32 offset)
{
	if (gvirt_reg_find(vmmio->table, offset).row)
		gvirt_vmmio_set(vmmio, offset, read_dword(vmmio, offset));
}

u32 *gvirt_vmmio_show(struct gvirt_vmmio *vmmio, u32 number)
{
	u32 *shown = vmmio->shown[number];
	u32 offset = number << PAGE_SHIFT;
	u32 end = offset + PAGE_SIZE;

	if (!shown)
		shown = (u32 *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
	vmmio->shown[number] = shown;
	for (; shown && offset < end; offset += sizeof(u32))
		gvirt_vmmio_refresh(vmmio, offset);
	return shown;
}

void gvirt_vmmio_hide(struct gvirt_vmmio *vmmio, u32 number)
{
	free_page((unsigned long)vmmio->shown[number]);
	vmmio->shown[number] = NULL;
}

void gvirt_vmmio_restore(struct gvirt_vmmio *vmmio, u32 offset, u32 bytes)
{
	u32 at;

	for (at = ALIGN_DOWN(offset, sizeof(u32)); at < offset + bytes; at += sizeof(u32))
		gvirt_vmmio_set(vmmio, at, gvirt_vmmio_get(vmmio, at));
}

bool gvirt_vmmio_differs(const struct gvirt_vmmio *vmmio, u32 number, u32 *offset, u32 *value)
{
	const u32 *memory = vmmio->page[number];
	const u32 *shown = vmmio->shown[number];
	u32 i;

	for (i = 0; i < PAGE_SIZE / sizeof(u32); i++) {
		*value = READ_ONCE(shown[i]);
		if (*value != memory[i]) {
			*offset = (number << PAGE_SHIFT) + i * sizeof(u32);
			return true;
		}
	}
	return false;
}
