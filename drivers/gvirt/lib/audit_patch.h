/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Applying the patches of an audit to the copy that was audited.
 *
 * All take the whole copy, which must be the one (or a copy of the one) that the
 * patch was reported for, and a patch of a good verdict. Each patch is applied
 * once, those of one command in the list's order. None changes a command's place or
 * length.
 */
#ifndef GVIRT_LIB_AUDIT_PATCH_H
#define GVIRT_LIB_AUDIT_PATCH_H

#include <linux/types.h>
#include "audit.h"

/**
 * gvirt_patch_address() - Put another address into a command
 * @dwords: the copy
 * @patch: of kind READ, WRITE, READ_WRITE or BATCH
 * @address: GGTT address, aligned as the one that was there
 */
void gvirt_patch_address(u32 *dwords, const struct gvirt_patch *patch, u32 address);

/**
 * gvirt_patch_status() - Let a write to a status page go to a page in the GGTT
 * @dwords: the copy
 * @patch: of kind STATUS
 * @page: GGTT address of the page
 *
 * Return: false: the command (MI_STORE_DATA_INDEX) has no room for an address, and
 * nothing was changed. The engine's page is the host's, so unless the patch has
 * GVIRT_PATCH_OWN_PAGE a caller then refuses the buffer, or makes the command NOOPs.
 */
bool gvirt_patch_status(u32 *dwords, const struct gvirt_patch *patch, u32 page);

/**
 * gvirt_patch_value() - Let a command write another value to its register
 * @dwords: the copy
 * @patch: of kind REG_WRITE with GVIRT_PATCH_VALUE
 * @value: the value
 */
void gvirt_patch_value(u32 *dwords, const struct gvirt_patch *patch, u32 value);

/**
 * gvirt_patch_reg_value() - Let a command have a value of ours, not the register's
 * @dwords: the copy
 * @patch: of kind REG_VALUE
 * @value: the value
 *
 * MI_STORE_REGISTER_MEM becomes MI_STORE_DATA_IMM, MI_LOAD_REGISTER_REG becomes
 * MI_LOAD_REGISTER_IMM.
 */
void gvirt_patch_reg_value(u32 *dwords, const struct gvirt_patch *patch, u32 value);

/**
 * gvirt_patch_noop() - Replace a command by NOOPs
 * @dwords: the copy
 * @patch: of any kind
 */
void gvirt_patch_noop(u32 *dwords, const struct gvirt_patch *patch);

#endif
