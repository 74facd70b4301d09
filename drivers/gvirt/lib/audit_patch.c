// SPDX-License-Identifier: GPL-2.0-only
/*
 * Applying patches: the other half of the audit, which knows how the commands
 * that were reported have to look.
 */
#include <linux/bits.h>
#include <linux/types.h>
#include <gvirt/gen9_cmds.h>
#include "audit_patch.h"

#define LENGTH(dwords)	((dwords) - GEN9_CMD_LENGTH_BIAS)

/* The flag bits beside the address stay. */
void gvirt_patch_address(u32 *dwords, const struct gvirt_patch *patch, u32 address)
{
	dwords[patch->dword] = (dwords[patch->dword] & ~patch->low) | address;
	dwords[patch->dword + 1] = 0;
}

bool gvirt_patch_status(u32 *dwords, const struct gvirt_patch *patch, u32 page)
{
	u32 *command = dwords + patch->command;
	u32 *operand = dwords + patch->dword;

	if ((command[0] & GEN9_MI_OPCODE_MASK) == GEN9_MI_STORE_DATA_INDEX)
		return false;
	if ((command[0] & GEN9_MI_OPCODE_MASK) == GEN9_MI_FLUSH_DW) {
		command[0] &= ~GEN9_MI_FLUSH_DW_INDEX;
		operand[0] = (page + patch->low) | GEN9_MI_FLUSH_DW_ADDR_GGTT;
	} else {
		command[1] = (command[1] & ~GEN9_PC_STORE_INDEX) | GEN9_PC_GGTT;
		operand[0] = page + patch->low;
	}
	operand[1] = 0;
	return true;
}

void gvirt_patch_value(u32 *dwords, const struct gvirt_patch *patch, u32 value)
{
	dwords[patch->value_dword] = value;
}

static void store_value(u32 *command, u32 value)
{
	u32 ggtt = command[0] & GEN9_MI_SRM_GGTT ? GEN9_MI_STORE_GGTT : 0;

	command[0] = GEN9_MI_STORE_DATA_IMM | ggtt | LENGTH(4);
	command[1] = command[2];
	command[2] = command[3];
	command[3] = value;
}

static void load_value(u32 *command, u32 value)
{
	command[0] = GEN9_MI_LOAD_REGISTER_IMM | LENGTH(3);
	command[1] = command[2];
	command[2] = value;
}

void gvirt_patch_reg_value(u32 *dwords, const struct gvirt_patch *patch, u32 value)
{
	u32 *command = dwords + patch->command;

	if ((command[0] & GEN9_MI_OPCODE_MASK) == GEN9_MI_STORE_REGISTER_MEM)
		store_value(command, value);
	else
		load_value(command, value);
}

void gvirt_patch_noop(u32 *dwords, const struct gvirt_patch *patch)
{
	u32 i;

	for (i = 0; i < patch->length; i++)
		dwords[patch->command + i] = GEN9_MI_NOOP;
}
