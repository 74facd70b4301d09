// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record of privileged commands: see record.h.
 *
 * Each engine gathers a part for each kind, and writes it when it is complete.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <gvirt/gen9_cmds.h>
#include "platform.h"
#include "record.h"
#include "stats.h"

/* What is longer is cut into parts, at a command. */
#define PART_DWORDS	8192u
/* Parts that can be told apart; more are not written. */
#define PARTS_MAX	1024u

/**
 * struct part - What was executed and is not written yet
 * @origin: of it
 * @shape: hash of what makes it look different from others
 * @count: its dwords
 * @dw: the dwords
 */
struct part {
	u64 origin;
	u64 shape;
	u32 count;
	u32 dw[PART_DWORDS];
};

/**
 * struct gm_record - A record
 * @file: where it goes
 * @lock: of all below
 * @shape: of what was written
 * @shapes: how many
 * @part: by engine and kind; of the engine's thread
 */
struct gm_record {
	FILE *file;
	pthread_mutex_t lock;
	u64 shape[PARTS_MAX];
	unsigned int shapes;
	struct part part[GM_ENGINE_COUNT][GM_RECORD_KINDS];
};

static const char *const kind_names[GM_RECORD_KINDS] = {
	"ring", "batch", "second-level", "indirect-context", "per-context",
};

struct gm_record *gm_record_create(const char *path)
{
	struct gm_record *record = calloc(1, sizeof(*record));

	if (!record)
		return NULL;
	record->file = fopen(path, "w");
	if (!record->file) {
		free(record);
		return NULL;
	}
	pthread_mutex_init(&record->lock, NULL);
	return record;
}

void gm_record_destroy(struct gm_record *record)
{
	unsigned int engine, kind;

	if (!record)
		return;
	for (engine = 0; engine < GM_ENGINE_COUNT; engine++)
		for (kind = 0; kind < GM_RECORD_KINDS; kind++)
			gm_record_end(record, engine, kind);
	fclose(record->file);
	pthread_mutex_destroy(&record->lock);
	free(record);
}

static u64 mix(u64 hash, u32 value)
{
	return (hash ^ value) * 0x100000001b3ull;
}

/* Header, flags and registers count; addresses and values do not. */
static u64 mix_command(u64 hash, const u32 *dw, u32 dwords)
{
	u32 i;

	hash = mix(hash, dw[0]);
	switch (dw[0] & GEN9_MI_OPCODE_MASK) {
	case GEN9_MI_LOAD_REGISTER_IMM:
		for (i = 1; i < dwords; i += 2)
			hash = mix(hash, dw[i]);
		break;
	case GEN9_MI_STORE_REGISTER_MEM:
	case GEN9_MI_LOAD_REGISTER_MEM:
	case GEN9_MI_LOAD_REGISTER_REG:
	case GEN9_PIPE_CONTROL:
		if (dwords > 1)
			hash = mix(hash, dw[1]);
		break;
	}
	return hash;
}

static bool is_new_locked(struct gm_record *record, u64 shape)
{
	unsigned int i;

	for (i = 0; i < record->shapes; i++)
		if (record->shape[i] == shape)
			return false;
	if (record->shapes == PARTS_MAX)
		return false;
	record->shape[record->shapes++] = shape;
	return true;
}

static void write_locked(struct gm_record *record, unsigned int engine, unsigned int kind,
			 const struct part *part)
{
	u32 i;

	fprintf(record->file, "%s %s\n", gm_engine_name(engine), kind_names[kind]);
	for (i = 0; i < part->count; i++)
		fprintf(record->file, " %08x%s", part->dw[i],
			i % 8 == 7 || i + 1 == part->count ? "\n" : "");
	fflush(record->file);
}

void gm_record_end(struct gm_record *record, unsigned int engine, enum gm_record_kind kind)
{
	struct part *part = &record->part[engine][kind];

	if (!part->count)
		return;
	pthread_mutex_lock(&record->lock);
	if (is_new_locked(record, mix(mix(part->shape, engine), kind)))
		write_locked(record, engine, kind, part);
	pthread_mutex_unlock(&record->lock);
	part->count = 0;
	part->shape = 0;
}

void gm_record_command(struct gm_record *record, unsigned int engine, enum gm_record_kind kind,
		       u64 origin, const u32 *dw, u32 dwords)
{
	struct part *part = &record->part[engine][kind];
	u32 i;

	if (dwords > PART_DWORDS)
		return;
	if (part->origin != origin || part->count + dwords > PART_DWORDS)
		gm_record_end(record, engine, kind);
	part->origin = origin;
	part->shape = mix_command(part->shape, dw, dwords);
	for (i = 0; i < dwords; i++)
		part->dw[part->count++] = dw[i];
}
