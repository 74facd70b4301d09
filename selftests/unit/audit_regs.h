/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small register table for tests of the audit: one row of each kind that matters
 * there. The real table has its own tests.
 */
#ifndef GVIRT_SELFTESTS_AUDIT_REGS_H
#define GVIRT_SELFTESTS_AUDIT_REGS_H

#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/types.h>
#include "engine.h"
#include "reg.h"

#define COMMAND		(GVIRT_REG_CMD_WRITE | GVIRT_REG_CMD_READ)
#define ON_RENDER	BIT(GVIRT_RCS)
#define ON_ALL		0xfu

/* In the engines' windows. */
#define R_HWS		0x080	/* has a handler, holds a GGTT address; closed */
#define R_SWCTRL	0x200	/* of the blitter: the context's, bits 15:2 read only, masked */
#define R_TIMESTAMP	0x358	/* readable */
#define R_HANDLED	0x4d0	/* has a handler, commands may write it */
#define R_GPR		0x600	/* the context's */
/* Elsewhere. */
#define R_CONTEXT	0x7004	/* the render context's */
#define R_SWITCHED	0xb118	/* the render engine's, not in the context */
#define R_DENIED	0x8000
#define R_CHIP		0x9120	/* the chip's, readable */
#define R_OWN		0xa100	/* the vGPU's, commands may not touch it */
#define R_GGTT		0xd000	/* holds a GGTT address, commands may write it */
#define R_NONE		0xfff0	/* there is none */

static const struct gvirt_reg audit_engine_rows[] = {
	{ .first = R_HWS, .last = R_HWS, .class = GVIRT_REG_TRAP, .engines = ON_ALL,
	  .flags = GVIRT_REG_ENGINE | GVIRT_REG_GGTT, .handler = 1, .name = "HWS" },
	{ .first = R_SWCTRL, .last = R_SWCTRL, .class = GVIRT_REG_RAM,
	  .engines = BIT(GVIRT_BCS), .ro = 0xfffc, .name = "SWCTRL",
	  .flags = GVIRT_REG_ENGINE | GVIRT_REG_CONTEXT | GVIRT_REG_MASKED | COMMAND },
	{ .first = R_TIMESTAMP, .last = R_TIMESTAMP, .class = GVIRT_REG_HW_READ,
	  .engines = ON_ALL, .flags = GVIRT_REG_ENGINE | GVIRT_REG_CMD_READ,
	  .name = "TIMESTAMP" },
	{ .first = R_HANDLED, .last = R_HANDLED, .class = GVIRT_REG_TRAP, .engines = ON_ALL,
	  .flags = GVIRT_REG_ENGINE | GVIRT_REG_CMD_WRITE, .handler = 2, .name = "HANDLED" },
	{ .first = R_GPR, .last = R_GPR + 0x7c, .class = GVIRT_REG_RAM, .engines = ON_ALL,
	  .flags = GVIRT_REG_ENGINE | GVIRT_REG_CONTEXT | COMMAND, .name = "GPR" },
};

static const struct gvirt_reg audit_global_rows[] = {
	{ .first = R_CONTEXT, .last = R_CONTEXT, .class = GVIRT_REG_RAM, .engines = ON_RENDER,
	  .flags = GVIRT_REG_CONTEXT | GVIRT_REG_MASKED | COMMAND, .name = "CONTEXT" },
	{ .first = R_DENIED, .last = R_DENIED, .class = GVIRT_REG_DENY, .engines = ON_RENDER,
	  .flags = GVIRT_REG_CMD_WRITE, .name = "DENIED" },
	{ .first = R_CHIP, .last = R_CHIP, .class = GVIRT_REG_HW_READ, .engines = ON_ALL,
	  .flags = GVIRT_REG_CMD_READ, .name = "CHIP" },
	{ .first = R_OWN, .last = R_OWN, .class = GVIRT_REG_RAM, .name = "OWN" },
	{ .first = R_SWITCHED, .last = R_SWITCHED, .class = GVIRT_REG_RAM,
	  .engines = ON_RENDER, .flags = GVIRT_REG_SWITCH | COMMAND, .name = "SWITCHED" },
	{ .first = R_GGTT, .last = R_GGTT, .class = GVIRT_REG_RAM, .engines = ON_RENDER,
	  .flags = GVIRT_REG_CONTEXT | GVIRT_REG_GGTT | GVIRT_REG_CMD_WRITE, .name = "GGTT" },
};

static const u32 audit_bases[GVIRT_ENGINES] = {
	[GVIRT_RCS] = 0x2000, [GVIRT_BCS] = 0x22000, [GVIRT_VCS] = 0x12000, [GVIRT_VECS] = 0x1a000,
};

static const struct gvirt_reg_rows audit_engine_table = {
	audit_engine_rows, ARRAY_SIZE(audit_engine_rows),
};

static const struct gvirt_reg_rows audit_global_table = {
	audit_global_rows, ARRAY_SIZE(audit_global_rows),
};

static const struct gvirt_reg_rows audit_display_table;

static const struct gvirt_reg_table audit_regs = {
	.global = &audit_global_table,
	.display = &audit_display_table,
	.engine = &audit_engine_table,
	.base = audit_bases,
	.engines = GVIRT_ENGINES,
};

#endif
