/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading of recorded streams, see tools/gpumodel/record.h for their format.
 */
#ifndef GVIRT_SELFTESTS_STREAMS_H
#define GVIRT_SELFTESTS_STREAMS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>
#include <linux/types.h>
#include "audit.h"
#include "engine.h"

#define STREAM_DWORDS	8192u

/**
 * struct stream - A part of what an engine executed with privilege
 * @engine: enum gvirt_engine_id
 * @kind: enum gvirt_audit_kind
 * @count: its dwords
 * @dw: the dwords
 */
struct stream {
	unsigned int engine;
	unsigned int kind;
	u32 count;
	u32 dw[STREAM_DWORDS];
};

/* The number of a word in a list; -1: it is not there. */
static inline int stream_word(const char *word, const char *const *list, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (!strcmp(word, list[i]))
			return (int)i;
	return -1;
}

static inline bool stream_begin(struct stream *stream, const char *line)
{
	static const char *const engines[] = { "rcs0", "bcs0", "vcs0", "vecs0" };
	static const char *const kinds[] = {
		[GVIRT_AUDIT_RING] = "ring",
		[GVIRT_AUDIT_BATCH] = "batch",
		[GVIRT_AUDIT_BATCH_SECOND] = "second-level",
		[GVIRT_AUDIT_INDIRECT_CTX] = "indirect-context",
		[GVIRT_AUDIT_PER_CTX] = "per-context",
	};
	char engine[16], kind[32];
	int e, k;

	if (sscanf(line, "%15s %31s", engine, kind) != 2)
		return false;
	e = stream_word(engine, engines, ARRAY_SIZE(engines));
	k = stream_word(kind, kinds, ARRAY_SIZE(kinds));
	if (e < 0 || k < 0)
		return false;
	stream->engine = (unsigned int)e;
	stream->kind = (unsigned int)k;
	stream->count = 0;
	return true;
}

static inline bool stream_add(struct stream *stream, const char *line)
{
	char *end;
	u32 value;

	for (;; line = end) {
		value = (u32)strtoul(line, &end, 16);
		if (end == line)
			return true;
		if (stream->count == STREAM_DWORDS)
			return false;
		stream->dw[stream->count++] = value;
	}
}

/**
 * stream_each() - Go through a file
 * @path: the file
 * @take: gets each part
 * @data: for @take
 *
 * Return: how many there were; -1: it cannot be read, or is no such file.
 */
static inline int stream_each(const char *path,
			      void (*take)(const struct stream *stream, void *data), void *data)
{
	static struct stream stream;
	FILE *file = fopen(path, "r");
	bool good = true;
	char line[256];
	int count = 0;

	if (!file)
		return -1;
	while (good && fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		if (line[0] == ' ') {
			good = count && stream_add(&stream, line);
			continue;
		}
		if (count)
			take(&stream, data);
		good = stream_begin(&stream, line);
		count++;
	}
	if (good && count)
		take(&stream, data);
	fclose(file);
	return good ? count : -1;
}

#endif
