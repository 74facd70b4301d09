/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command decoding: how long a command is and what kind it is. Pure.
 */
#ifndef GM_CMD_H
#define GM_CMD_H

#include <linux/types.h>

/**
 * enum gm_cmd_kind - What the streamer does with a command
 * @GM_CMD_MI: carried out by the streamer
 * @GM_CMD_2D: handed to the 2D engine
 * @GM_CMD_PIPE_CONTROL: carried out by the streamer of the render engine
 * @GM_CMD_SKIP: 3D or media state, known length, no effect in the model
 * @GM_CMD_UNDEFINED: hangs the engine
 */
enum gm_cmd_kind {
	GM_CMD_MI,
	GM_CMD_2D,
	GM_CMD_PIPE_CONTROL,
	GM_CMD_SKIP,
	GM_CMD_UNDEFINED,
};

/**
 * struct gm_cmd - A decoded header
 * @kind: what to do with it
 * @dwords: length including the header, 1..GM_CMD_MAX_DWORDS; 0 when undefined
 * @name: for messages; never NULL; also that of a command which is undefined
 *	because its length is below its shortest form
 *
 * So a command that is not undefined has the operands that all its forms have.
 * MI_FLUSH_DW's shortest form has two dwords; it needs its data dwords only
 * when it writes something.
 */
struct gm_cmd {
	enum gm_cmd_kind kind;
	u32 dwords;
	const char *name;
};

/* Longest command: a length field is at most 16 bits wide and counts from two dwords on. */
#define GM_CMD_MAX_DWORDS 65537u

/**
 * gm_cmd_decode() - Decode the first dword of a command
 * @engine: number of the engine that reads it (enum gm_engine_id)
 * @header: the dword, any value
 *
 * Return: what it is; GM_CMD_UNDEFINED when the engine does not know it.
 */
struct gm_cmd gm_cmd_decode(unsigned int engine, u32 header);

#endif
