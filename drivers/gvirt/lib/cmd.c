// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoding of commands: a search in sorted tables, and the length rule.
 */
#include <linux/bits.h>
#include <linux/types.h>
#include <gvirt/gen9_cmds.h>
#include "cmd.h"

static const struct gvirt_cmd_set *set_of(const struct gvirt_cmd_table *table, u32 header)
{
	switch (GEN9_CMD_TYPE(header)) {
	case GEN9_CMD_TYPE_MI:
		return table->mi;
	case GEN9_CMD_TYPE_2D:
		return table->blt;
	case GEN9_CMD_TYPE_GFX:
		return table->gfx;
	default:
		return NULL;
	}
}

/* The first row whose value is not below @value. */
static u32 lower_bound(const struct gvirt_cmd_set *set, u32 value)
{
	u32 low = 0;
	u32 high = set->count;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (set->rows[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct gvirt_cmd *gvirt_cmd_find(const struct gvirt_cmd_table *table, unsigned int engine,
				       u32 header)
{
	const struct gvirt_cmd_set *set = set_of(table, header);
	u32 value;
	u32 i;

	if (!set)
		return NULL;
	value = header & set->mask;
	for (i = lower_bound(set, value); i < set->count && set->rows[i].value == value; i++) {
		if (set->rows[i].engines & BIT(engine))
			return &set->rows[i];
	}
	return NULL;
}

u32 gvirt_cmd_length(const struct gvirt_cmd *cmd, u32 header)
{
	u32 length;

	if (!cmd->length_mask)
		return cmd->min;
	length = (header & cmd->length_mask) + GEN9_CMD_LENGTH_BIAS;
	return length < cmd->min || length > cmd->max ? 0 : length;
}
