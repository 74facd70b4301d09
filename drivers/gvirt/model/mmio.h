/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of a vGPU: its register memory, and the classes of the register table.
 */
#ifndef GVIRT_MODEL_MMIO_H
#define GVIRT_MODEL_MMIO_H

#include <linux/types.h>
#include "lib/reg.h"

/**
 * struct gvirt_vmmio_trap - An access that a handler carries out
 * @ref: the register
 * @offset: absolute, a multiple of 4
 * @old: what the register memory held before a write
 * @value: what it holds now, by the row's rule of writes
 */
struct gvirt_vmmio_trap {
	struct gvirt_reg_ref ref;
	u32 offset;
	u32 old;
	u32 value;
};

/**
 * struct gvirt_vmmio_services - What the registers need from outside
 * @hw_read: the chip's value of the register at an absolute offset
 * @trap_read: value of a register whose handler is needed for reads
 * @trap_write: effect of a write, after the register memory has changed
 */
struct gvirt_vmmio_services {
	u32 (*hw_read)(void *data, u32 offset);
	u32 (*trap_read)(void *data, const struct gvirt_vmmio_trap *trap);
	void (*trap_write)(void *data, const struct gvirt_vmmio_trap *trap);
};

/**
 * struct gvirt_vmmio - Registers of a vGPU
 * @table: the platform's registers
 * @services: what is needed from outside
 * @data: for @services
 * @page: register memory by page of BAR0; NULL: no register there needs any
 * @shown: copies of pages of it that are mapped into the guest, which may write to them;
 *	nothing is ever taken from there. NULL: not shown
 * @unknown: accesses to what has no row, which read zero and are dropped
 * @denied: writes to denied registers, which are dropped
 *
 * Has no lock: the vGPU's covers all of it.
 */
struct gvirt_vmmio {
	const struct gvirt_reg_table *table;
	const struct gvirt_vmmio_services *services;
	void *data;
	u32 **page;
	u32 **shown;
	u64 unknown;
	u64 denied;
};

/**
 * gvirt_vmmio_init() - Allocate the register memory, with the values after reset
 * @vmmio: to be initialised
 * @table: the platform's registers
 * @services: what is needed from outside
 * @data: for @services
 *
 * Return: 0 or -ENOMEM.
 */
int gvirt_vmmio_init(struct gvirt_vmmio *vmmio, const struct gvirt_reg_table *table,
		     const struct gvirt_vmmio_services *services, void *data);

/**
 * gvirt_vmmio_fini() - Free the register memory
 * @vmmio: of gvirt_vmmio_init()
 */
void gvirt_vmmio_fini(struct gvirt_vmmio *vmmio);

/**
 * gvirt_vmmio_bytes() - Memory that it takes
 * @vmmio: of gvirt_vmmio_init()
 *
 * Return: bytes.
 */
size_t gvirt_vmmio_bytes(const struct gvirt_vmmio *vmmio);

/**
 * gvirt_vmmio_reset() - All registers to their values after reset
 * @vmmio: the registers
 */
void gvirt_vmmio_reset(struct gvirt_vmmio *vmmio);

/**
 * gvirt_vmmio_reset_engine() - Registers of an engine to their values after reset
 * @vmmio: the registers
 * @engine: number of the engine
 */
void gvirt_vmmio_reset_engine(struct gvirt_vmmio *vmmio, unsigned int engine);

/**
 * gvirt_vmmio_get() - What the register memory holds
 * @vmmio: the registers
 * @offset: absolute, a multiple of 4, of a register in memory
 *
 * Return: the value; 0 where there is no memory.
 */
u32 gvirt_vmmio_get(const struct gvirt_vmmio *vmmio, u32 offset);

/**
 * gvirt_vmmio_set() - Change the register memory, without effects
 * @vmmio: the registers
 * @offset: absolute, a multiple of 4, of a register in memory
 * @value: new value
 */
void gvirt_vmmio_set(struct gvirt_vmmio *vmmio, u32 offset, u32 value);

/**
 * gvirt_vmmio_show() - Make a copy of a page for the guest, and keep it current
 * @vmmio: the registers
 * @number: of the page in BAR0; it holds a register that is in memory
 *
 * What comes from the chip, or from a handler, is as of now: gvirt_vmmio_refresh().
 *
 * Return: the copy, a page; NULL: no memory.
 */
u32 *gvirt_vmmio_show(struct gvirt_vmmio *vmmio, u32 number);

/**
 * gvirt_vmmio_hide() - Free the copy, which is not mapped any more
 * @vmmio: the registers
 * @number: of the page
 */
void gvirt_vmmio_hide(struct gvirt_vmmio *vmmio, u32 number);

/**
 * gvirt_vmmio_refresh() - Show what a register reads now
 * @vmmio: the registers
 * @offset: absolute, a multiple of 4; in a shown page
 */
void gvirt_vmmio_refresh(struct gvirt_vmmio *vmmio, u32 offset);

/**
 * gvirt_vmmio_restore() - Undo what the guest has stored into the copy
 * @vmmio: the registers
 * @offset: absolute; in a shown page
 * @bytes: how many, to the end of the page at most
 */
void gvirt_vmmio_restore(struct gvirt_vmmio *vmmio, u32 offset, u32 bytes);

/**
 * gvirt_vmmio_differs() - Look for what the guest has stored into the copy
 * @vmmio: the registers
 * @number: of a shown page
 * @offset: gets the absolute offset of the first register that differs
 * @value: gets what the copy holds there
 *
 * Return: true when there is one.
 */
bool gvirt_vmmio_differs(const struct gvirt_vmmio *vmmio, u32 number, u32 *offset, u32 *value);

/**
 * gvirt_vmmio_read() - A guest's read
 * @vmmio: the registers
 * @offset: absolute, below the GGTT, a multiple of @bytes
 * @bytes: 1, 2 or 4
 *
 * Return: the value.
 */
u32 gvirt_vmmio_read(struct gvirt_vmmio *vmmio, u32 offset, unsigned int bytes);

/**
 * gvirt_vmmio_write() - A guest's write
 * @vmmio: the registers
 * @offset: absolute, below the GGTT, a multiple of @bytes
 * @bytes: 1, 2 or 4; bytes that are not written keep their value
 * @value: what is written
 */
void gvirt_vmmio_write(struct gvirt_vmmio *vmmio, u32 offset, unsigned int bytes, u32 value);

#endif
