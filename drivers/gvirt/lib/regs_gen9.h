/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words of the Gen9 register tables, and the tables themselves. For
 * regs_gen9*.c only.
 *
 * Order of a row: where, what class and flags, for which engines, ro, w1c,
 * reset, name.
 */
#ifndef GVIRT_LIB_REGS_GEN9_H
#define GVIRT_LIB_REGS_GEN9_H

#include <linux/bits.h>
#include "engine.h"
#include "reg.h"
#include "reg_handler.h"

/* Where. */
#define REG_AT(offset...)	.first = (offset), .last = (offset)
#define REG_RANGE(from, to)	.first = (from), .last = (to)

/* Class. What a guest can change is part of its saved state. */
#define REG_RAM(f)		.class = GVIRT_REG_RAM, .flags = (f) | GVIRT_REG_MIGRATED
#define REG_CONSTANT(value)	.class = GVIRT_REG_RAM, .ro = ~0u, .reset = (value)
#define REG_HW_READ		.class = GVIRT_REG_HW_READ
#define REG_TRAP(id, f)		.class = GVIRT_REG_TRAP, .handler = GVIRT_HANDLER_##id, .flags = (f)
#define REG_DENY(f)		.class = GVIRT_REG_DENY, .flags = (f)

/* Flags. */
#define CONTEXT			GVIRT_REG_CONTEXT
#define COMMAND			(GVIRT_REG_CMD_WRITE | GVIRT_REG_CMD_READ)
#define READABLE		GVIRT_REG_CMD_READ
#define SAVED			GVIRT_REG_MIGRATED
#define ENGINE			GVIRT_REG_ENGINE
#define MASKED			GVIRT_REG_MASKED
#define GGTT			GVIRT_REG_GGTT
#define SWITCH			GVIRT_REG_SWITCH

/* Engines. */
#define RCS			BIT(GVIRT_RCS)
#define BCS			BIT(GVIRT_BCS)
#define VCS			BIT(GVIRT_VCS)
#define VECS			BIT(GVIRT_VECS)
#define XCS			(BCS | VCS | VECS)
#define ALL			(RCS | XCS)

/* The registers of an interrupt bank. */
#define REG_ISR			REG_TRAP(IRQ_ISR, SAVED), .ro = ~0u
#define REG_IMR			REG_TRAP(IRQ_IMR, SAVED), .reset = ~0u
#define REG_IIR			REG_TRAP(IRQ_IIR, SAVED), .w1c = ~0u
#define REG_IER			REG_TRAP(IRQ_IER, SAVED)

extern const struct gvirt_reg_rows gvirt_regs_gen9_gt;
extern const struct gvirt_reg_rows gvirt_regs_gen9_display;
extern const struct gvirt_reg_rows gvirt_regs_gen9_engine;

#endif
