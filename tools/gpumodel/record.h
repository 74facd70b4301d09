/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record of what engines execute with privilege, for tests of programs that judge such
 * commands: rings, batches in the global GTT, workaround buffers.
 *
 * One text file for all engines. A line "ENGINE KIND", then lines of dwords in hexadecimal,
 * eight in a line, with a blank in front. A part of a ring is what was executed until it was
 * empty, or until another ring's turn. What looks the same as something before (the same commands
 * with the same flags and registers, other addresses and values) is not written again.
 */
#ifndef GM_RECORD_H
#define GM_RECORD_H

#include <linux/types.h>

struct gm_record;

/**
 * enum gm_record_kind - Where commands come from
 * @GM_RECORD_RING: a ring
 * @GM_RECORD_BATCH: a batch
 * @GM_RECORD_SECOND: a second-level batch
 * @GM_RECORD_INDIRECT: an indirect context buffer
 * @GM_RECORD_PER_CONTEXT: a per-context buffer
 * @GM_RECORD_KINDS: how many there are
 */
enum gm_record_kind {
	GM_RECORD_RING,
	GM_RECORD_BATCH,
	GM_RECORD_SECOND,
	GM_RECORD_INDIRECT,
	GM_RECORD_PER_CONTEXT,
	GM_RECORD_KINDS,
};

/**
 * gm_record_create() - Open a file for a record
 * @path: of the file
 *
 * Return: the record; NULL: errno says why.
 */
struct gm_record *gm_record_create(const char *path);

/**
 * gm_record_destroy() - Close it
 * @record: the record, or NULL; no engine uses it any more
 */
void gm_record_destroy(struct gm_record *record);

/**
 * gm_record_command() - A command was executed
 * @record: the record
 * @engine: by which engine, from its thread
 * @kind: where it comes from
 * @origin: tells rings apart
 * @dw: the command
 * @dwords: its length
 */
void gm_record_command(struct gm_record *record, unsigned int engine, enum gm_record_kind kind,
		       u64 origin, const u32 *dw, u32 dwords);

/**
 * gm_record_end() - What was executed last is complete
 * @record: the record
 * @engine: on which engine, from its thread
 * @kind: where it came from
 */
void gm_record_end(struct gm_record *record, unsigned int engine, enum gm_record_kind kind);

#endif
