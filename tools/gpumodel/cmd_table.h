/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tables of command decoding, for cmd.c and for the test that proves them.
 */
#ifndef GM_CMD_TABLE_H
#define GM_CMD_TABLE_H

#include "cmd.h"

/**
 * struct gm_cmd_row - One command
 * @header: its type and opcode, other bits zero
 * @length_mask: its length field, which starts at bit 0; 0: one dword, no field
 * @least: dwords of its shortest form
 * @kind: what the streamer does with it
 * @engines: bit n: engine n knows it
 * @name: as the manual has it
 */
struct gm_cmd_row {
	u32 header;
	u32 length_mask;
	u16 least;
	u8 kind;
	u8 engines;
	const char *name;
};

/**
 * struct gm_cmd_table - The commands of one type on some engines
 * @rows: sorted by header
 * @count: number of rows
 * @type: bits 31:29 of all rows' headers
 * @mask: bits of a header that identify a command of this table
 * @engines: bit n: valid for engine n
 */
struct gm_cmd_table {
	const struct gm_cmd_row *rows;
	unsigned int count;
	u32 type;
	u32 mask;
	u32 engines;
};

#define GM_CMD_TABLE_COUNT 5

extern const struct gm_cmd_table gm_cmd_tables[GM_CMD_TABLE_COUNT];

#endif
