// SPDX-License-Identifier: GPL-2.0-only
/*
 * Excerpts: see excerpt.h.
 */
#include <linux/types.h>
#include "cmd.h"
#include "excerpt.h"

static u32 at(const struct gvirt_excerpt_source *source, u32 n)
{
	return source->dwords[(source->first + n) % source->size];
}

static bool is_sane(const struct gvirt_excerpt_source *source)
{
	/* The sum of two numbers of dwords must not wrap. */
	return source->size && source->size <= 1u << 30 && source->first < source->size &&
	       source->count <= source->size && source->bad <= source->count;
}

/* The first command that is not too far before the one in question. */
static u32 find_start(const struct gvirt_excerpt_source *source)
{
	const struct gvirt_cmd *cmd;
	u32 start = 0, length;

	while (source->bad - start > GVIRT_EXCERPT_BEFORE) {
		cmd = gvirt_cmd_find(&gvirt_cmds_gen9, source->engine, at(source, start));
		length = cmd ? gvirt_cmd_length(cmd, at(source, start)) : 0;
		if (!length)
			length = 1;
		/* It would begin within a command. */
		if (length > source->bad - start)
			return source->bad;
		start += length;
	}
	return start;
}

void gvirt_excerpt_take(struct gvirt_excerpt *excerpt, const struct gvirt_excerpt_source *source)
{
	u32 start, n;

	*excerpt = (struct gvirt_excerpt) { .engine = source->engine };
	if (!is_sane(source))
		return;
	start = find_start(source);
	excerpt->bad = source->bad - start;
	excerpt->count = source->count - start;
	if (excerpt->count > GVIRT_EXCERPT_DWORDS)
		excerpt->count = GVIRT_EXCERPT_DWORDS;
	for (n = 0; n < excerpt->count; n++)
		excerpt->dword[n] = at(source, start + n);
}
