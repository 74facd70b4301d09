// SPDX-License-Identifier: GPL-2.0-only
/*
 * The 2D engine: decodes commands into jobs.
 *
 * Nearly all commands are a header, mode, rectangle and destination, followed
 * by the operands of a kind of source, a kind of pattern and a chroma key, in
 * that order (what is immediate comes last). A form says which kinds a command
 * has; one parser reads them all. Addresses take two dwords since Gen8.
 *
 * Sources: Linux i915, gvt/cmd_parser.c (places of the addresses); the programmer's
 * reference manual of the Intel 815 chipset's graphics controller, chapter 12
 * (monochrome operands, transparency, direction of overlapping copies); see also
 * include/gvirt/gen9_blt.h.
 */
#include <string.h>
#include <linux/array_size.h>
#include <gvirt/gen9_blt.h>
#include <gvirt/gen9_cmds.h>
#include "blt.h"
#include "blt_raster.h"
#include "stats.h"

enum pattern_kind {
	PATTERN_NONE,
	PATTERN_SOLID,		/* a color in the command */
	PATTERN_COLOR,		/* 8x8 pixels in memory */
	PATTERN_COLOR_IMM,	/* 8x8 pixels in the command */
	PATTERN_MONO,		/* 8x8 bits in the command, with two colors */
};

enum source_kind {
	SOURCE_NONE,
	SOURCE_COLOR,		/* a surface */
	SOURCE_MONO,		/* bits in memory, with two colors */
	SOURCE_MONO_IMM,	/* bits in the command, with two colors */
};

/**
 * struct form - What a command has beyond rectangle and destination
 * @header: type and opcode
 * @source: its source
 * @pattern: its pattern
 * @key: it has a chroma key
 */
struct form {
	u32 header;
	u8 source;
	u8 pattern;
	bool key;
};

static const struct form forms[] = {
	{ GEN9_XY_COLOR_BLT, SOURCE_NONE, PATTERN_SOLID, false },
	{ GEN9_XY_PAT_BLT, SOURCE_NONE, PATTERN_COLOR, false },
	{ GEN9_XY_MONO_PAT_BLT, SOURCE_NONE, PATTERN_MONO, false },
	{ GEN9_XY_SRC_COPY_BLT, SOURCE_COLOR, PATTERN_NONE, false },
	{ GEN9_XY_MONO_SRC_COPY_BLT, SOURCE_MONO, PATTERN_NONE, false },
	{ GEN9_XY_FULL_BLT, SOURCE_COLOR, PATTERN_COLOR, false },
	{ GEN9_XY_FULL_MONO_SRC_BLT, SOURCE_MONO, PATTERN_COLOR, false },
	{ GEN9_XY_FULL_MONO_PATTERN_BLT, SOURCE_COLOR, PATTERN_MONO, false },
	{ GEN9_XY_FULL_MONO_PATTERN_MONO_SRC_BLT, SOURCE_MONO, PATTERN_MONO, false },
	{ GEN9_XY_MONO_SRC_COPY_IMMEDIATE_BLT, SOURCE_MONO_IMM, PATTERN_NONE, false },
	{ GEN9_XY_PAT_BLT_IMMEDIATE, SOURCE_NONE, PATTERN_COLOR_IMM, false },
	{ GEN9_XY_SRC_COPY_CHROMA_BLT, SOURCE_COLOR, PATTERN_NONE, true },
	{ GEN9_XY_FULL_IMMEDIATE_PATTERN_BLT, SOURCE_COLOR, PATTERN_COLOR_IMM, false },
	{ GEN9_XY_FULL_MONO_SRC_IMMEDIATE_PATTERN_BLT, SOURCE_MONO, PATTERN_COLOR_IMM, false },
	{ GEN9_XY_PAT_CHROMA_BLT, SOURCE_NONE, PATTERN_COLOR, true },
	{ GEN9_XY_PAT_CHROMA_BLT_IMMEDIATE, SOURCE_NONE, PATTERN_COLOR_IMM, true },
};

/**
 * struct request - A command on its way into a job
 * @blt: the engine
 * @memory: how to reach memory
 * @swctrl: BCS_SWCTRL
 * @cmd: the command
 * @dwords: its length
 * @next: operand that is read next
 * @short_of: it was longer than the command
 * @mode: pitch, raster operation and so on: dword 1, or that of the setup
 * @depth: GEN9_BLT_DEPTH_*
 * @job: the result
 */
struct request {
	struct gm_blt *blt;
	struct gm_blt_memory memory;
	u32 swctrl;
	const u32 *cmd;
	unsigned int dwords;
	unsigned int next;
	bool short_of;
	u32 mode;
	u32 depth;
	struct gm_blt_job job;
};

static u32 take(struct request *request)
{
	if (request->next >= request->dwords) {
		request->short_of = true;
		return 0;
	}
	return request->cmd[request->next++];
}

static u64 take_address(struct request *request)
{
	u64 low = take(request);

	return low | (u64)take(request) << 32;
}

/* The rest of the command, which has to have @bytes at least. */
static const u8 *take_rest(struct request *request, u64 bytes)
{
	const u32 *rest = request->cmd + request->next;

	if (request->short_of || bytes > 4ull * (request->dwords - request->next)) {
		request->short_of = true;
		return NULL;
	}
	request->next = request->dwords;
	return (const u8 *)rest;
}

static u32 field(u32 dword, u32 mask, unsigned int shift)
{
	return (dword & mask) >> shift;
}

static enum gm_tiling tiling_of(bool tiled, bool y)
{
	if (!tiled)
		return GM_TILING_LINEAR;
	return y ? GM_TILING_Y : GM_TILING_X;
}

static s32 pitch_of(u32 dword, enum gm_tiling tiling)
{
	s32 pitch = (s16)(dword & GEN9_BLT_PITCH_MASK);

	return tiling == GM_TILING_LINEAR ? pitch : pitch * 4;
}

/* Raster operation, depth and write mask: @mode is dword 1, @header has the mask bits. */
static void set_mode(struct request *request, u32 header, u32 mode)
{
	static const u8 cpp[] = { 1, 2, 2, 4 };
	struct gm_blt_job *job = &request->job;

	request->mode = mode;
	request->depth = field(mode, GEN9_BLT_DEPTH_MASK, GEN9_BLT_DEPTH_SHIFT);
	job->rop = field(mode, GEN9_BLT_ROP_MASK, GEN9_BLT_ROP_SHIFT);
	job->dst.cpp = cpp[request->depth];
	job->write_mask = 0xffffffffu;
	if (request->depth == GEN9_BLT_DEPTH_32)
		job->write_mask = (header & GEN9_BLT_WRITE_ALPHA ? 0xff000000u : 0) |
				  (header & GEN9_BLT_WRITE_RGB ? 0x00ffffffu : 0);
}

static void set_destination(struct request *request, u64 base)
{
	struct gm_blt_surface *dst = &request->job.dst;

	dst->tiling = tiling_of(request->cmd[0] & GEN9_BLT_DST_TILED,
				request->swctrl & GEN9_BCS_SWCTRL_DST_Y);
	dst->pitch = pitch_of(request->mode, dst->tiling);
	dst->base = base;
}

static void set_rectangle(struct request *request, u32 top_left, u32 bottom_right)
{
	request->job.x1 = GEN9_BLT_X(top_left);
	request->job.y1 = GEN9_BLT_Y(top_left);
	request->job.x2 = GEN9_BLT_X(bottom_right);
	request->job.y2 = GEN9_BLT_Y(bottom_right);
}

/* Where surfaces have the same base, the chip goes away from what it still has to read. */
static void set_direction(struct gm_blt_job *job)
{
	if (job->src.base != job->dst.base)
		return;
	job->right_to_left = job->src_x < job->x1;
	job->bottom_up = job->src_y < job->y1;
}

static void parse_color_source(struct request *request)
{
	struct gm_blt_job *job = &request->job;
	u32 corner = take(request);
	u32 pitch = take(request);

	job->source = GM_BLT_SOURCE_COLOR;
	job->src.tiling = tiling_of(request->cmd[0] & GEN9_BLT_SRC_TILED,
				    request->swctrl & GEN9_BCS_SWCTRL_SRC_Y);
	job->src.pitch = pitch_of(pitch, job->src.tiling);
	job->src.cpp = job->dst.cpp;
	job->src.base = take_address(request);
	job->src_x = GEN9_BLT_X(corner);
	job->src_y = GEN9_BLT_Y(corner);
	set_direction(job);
}

static u32 width_of(const struct gm_blt_job *job)
{
	return job->x2 > job->x1 ? job->x2 - job->x1 : 0;
}

static u32 height_of(const struct gm_blt_job *job)
{
	return job->y2 > job->y1 ? job->y2 - job->y1 : 0;
}

/* Bits in the command: there must be enough for the whole rectangle. */
static void take_bits(struct request *request)
{
	struct gm_blt_mono *mono = &request->job.mono;
	u32 height = height_of(&request->job);
	u64 bits = 0;

	if (height)
		bits = (u64)(height - 1) * mono->row_bits + mono->first_bit +
		       width_of(&request->job);
	mono->data = take_rest(request, (bits + 7) / 8);
}

/* Rows of a monochrome source start at words. */
static void parse_mono_source(struct request *request, bool immediate)
{
	struct gm_blt_job *job = &request->job;
	struct gm_blt_mono *mono = &job->mono;

	job->source = GM_BLT_SOURCE_MONO;
	mono->va = immediate ? 0 : take_address(request);
	mono->background = take(request);
	mono->foreground = take(request);
	mono->first_bit = field(request->cmd[0], GEN9_BLT_MONO_BIT_MASK, GEN9_BLT_MONO_BIT_SHIFT);
	mono->row_bits = (mono->first_bit + width_of(job) + 15) & ~15u;
	mono->transparent = request->mode & GEN9_BLT_MONO_SRC_TRANSPARENT;
	if (immediate)
		take_bits(request);
}

static void parse_source(struct request *request, enum source_kind kind)
{
	if (kind == SOURCE_COLOR)
		parse_color_source(request);
	else if (kind != SOURCE_NONE)
		parse_mono_source(request, kind == SOURCE_MONO_IMM);
}

static void set_solid(struct gm_blt_pattern *pattern, u32 color)
{
	unsigned int i;

	for (i = 0; i < GEN9_BLT_PATTERN_SIZE * GEN9_BLT_PATTERN_SIZE; i++)
		pattern->pixel[i / GEN9_BLT_PATTERN_SIZE][i % GEN9_BLT_PATTERN_SIZE] = color;
}

static void set_mono_pattern(struct request *request, u64 bits, u32 background, u32 foreground)
{
	struct gm_blt_pattern *pattern = &request->job.pattern;
	unsigned int row, column;

	for (row = 0; row < GEN9_BLT_PATTERN_SIZE; row++) {
		u8 byte = bits >> (8 * row);

		for (column = 0; column < GEN9_BLT_PATTERN_SIZE; column++) {
			bool one = byte >> (7 - column) & 1;

			pattern->pixel[row][column] = one ? foreground : background;
			if (!one && request->mode & GEN9_BLT_MONO_PATTERN_TRANSPARENT)
				pattern->keep[row] |= 1u << column;
		}
	}
}

static void set_color_pattern(struct request *request, const u8 *raw)
{
	struct gm_blt_pattern *pattern = &request->job.pattern;
	u32 cpp = request->job.dst.cpp;
	unsigned int i;

	for (i = 0; i < GEN9_BLT_PATTERN_SIZE * GEN9_BLT_PATTERN_SIZE; i++)
		memcpy(&pattern->pixel[i / GEN9_BLT_PATTERN_SIZE][i % GEN9_BLT_PATTERN_SIZE],
		       raw + (size_t)i * cpp, cpp);
}

static bool read_color_pattern(struct request *request, u64 va)
{
	u8 raw[GEN9_BLT_PATTERN_SIZE * GEN9_BLT_PATTERN_SIZE * 4];
	u32 len = GEN9_BLT_PATTERN_SIZE * GEN9_BLT_PATTERN_SIZE * request->job.dst.cpp;

	if (!gm_blt_rop_uses_pattern(request->job.rop))
		return true;
	if (!gm_mmu_read(request->memory.mmu, request->memory.space, va, raw, len))
		return false;
	set_color_pattern(request, raw);
	return true;
}

static void set_seeds(struct request *request)
{
	struct gm_blt_pattern *pattern = &request->job.pattern;

	pattern->x = field(request->cmd[0], GEN9_BLT_PATTERN_X_MASK, GEN9_BLT_PATTERN_X_SHIFT);
	pattern->y = field(request->cmd[0], GEN9_BLT_PATTERN_Y_MASK, GEN9_BLT_PATTERN_Y_SHIFT);
}

static void parse_key(struct request *request)
{
	static const u32 masks[][GM_BLT_COMPONENTS] = {
		[GEN9_BLT_DEPTH_8] = { 0xff },
		[GEN9_BLT_DEPTH_565] = { 0xf800, 0x07e0, 0x001f },
		[GEN9_BLT_DEPTH_1555] = { 0x7c00, 0x03e0, 0x001f, 0x8000 },
		[GEN9_BLT_DEPTH_32] = { 0xff0000, 0x00ff00, 0x0000ff, 0xff000000 },
	};
	u32 mode = field(request->cmd[0], GEN9_BLT_CHROMA_MASK, GEN9_BLT_CHROMA_SHIFT);
	struct gm_blt_job *job = &request->job;

	job->key_low = take(request);
	job->key_high = take(request);
	memcpy(job->key_mask, masks[request->depth], sizeof(job->key_mask));
	if (!(mode & GEN9_BLT_CHROMA_ALPHA))
		job->key_mask[GM_BLT_COMPONENTS - 1] = 0;
	if (mode & GEN9_BLT_CHROMA_ON)
		job->key = mode & GEN9_BLT_CHROMA_DESTINATION ? GM_BLT_KEY_DESTINATION :
								GM_BLT_KEY_SOURCE;
}

/* Pattern and chroma key; false on a page fault. */
static bool parse_pattern(struct request *request, const struct form *form)
{
	u32 pixels = GEN9_BLT_PATTERN_SIZE * GEN9_BLT_PATTERN_SIZE;
	u32 background, foreground;
	u64 address = 0;
	const u8 *raw;

	if (form->pattern == PATTERN_SOLID) {
		set_solid(&request->job.pattern, take(request));
	} else if (form->pattern == PATTERN_MONO) {
		background = take(request);
		foreground = take(request);
		set_mono_pattern(request, take_address(request), background, foreground);
	} else if (form->pattern == PATTERN_COLOR) {
		address = take_address(request);
	}
	if (form->key)
		parse_key(request);
	if (form->pattern == PATTERN_COLOR && !request->short_of)
		return read_color_pattern(request, address);
	if (form->pattern == PATTERN_COLOR_IMM) {
		raw = take_rest(request, pixels * request->job.dst.cpp);
		if (raw)
			set_color_pattern(request, raw);
	}
	return true;
}

static void clip(struct request *request)
{
	const u32 *corner = request->blt->setup.clip;

	if (request->mode & GEN9_BLT_CLIP)
		gm_blt_job_clip(&request->job, GEN9_BLT_X(corner[0]), GEN9_BLT_Y(corner[0]),
				GEN9_BLT_X(corner[1]), GEN9_BLT_Y(corner[1]));
}

static bool tiled_below_zero(const struct gm_blt_surface *surface, s32 x, s32 y)
{
	return surface->tiling != GM_TILING_LINEAR && (x < 0 || y < 0 || surface->pitch < 0);
}

static enum gm_blt_status draw(struct request *request)
{
	struct gm_blt_job *job = &request->job;
	struct gm_stats *stats = request->blt->stats;
	u64 bytes;
	bool valid;

	if (request->short_of)
		return GM_BLT_UNDEFINED;
	if (!width_of(job) || !height_of(job) || !job->write_mask)
		return GM_BLT_DONE;
	if (tiled_below_zero(&job->dst, job->x1, job->y1) ||
	    (job->source == GM_BLT_SOURCE_COLOR &&
	     tiled_below_zero(&job->src, job->src_x, job->src_y)))
		return GM_BLT_UNDEFINED;

	job->abort = request->blt->abort;
	valid = gm_blt_job_draw(&request->memory, job, &bytes);
	gm_count(stats, GM_COUNT_BLIT, 1);
	gm_count(stats, GM_COUNT_BLIT_BYTES, bytes);
	return valid ? GM_BLT_DONE : GM_BLT_FAULT;
}

static enum gm_blt_status execute_form(struct request *request, const struct form *form)
{
	u32 top_left, bottom_right;

	set_mode(request, request->cmd[0], take(request));
	top_left = take(request);
	bottom_right = take(request);
	set_rectangle(request, top_left, bottom_right);
	set_destination(request, take_address(request));
	parse_source(request, form->source);
	if (form->pattern != PATTERN_NONE)
		set_seeds(request);
	if (!parse_pattern(request, form))
		return GM_BLT_FAULT;
	clip(request);
	return draw(request);
}

/* Commands without XY: a width in bytes, linear surfaces, no clipping. */
static void parse_plain(struct request *request)
{
	struct gm_blt_job *job = &request->job;
	u32 size;

	set_mode(request, request->cmd[0], take(request));
	size = take(request);
	job->x2 = (size & 0xffff) / job->dst.cpp;
	job->y2 = size >> 16;
	job->dst.pitch = pitch_of(request->mode, GM_TILING_LINEAR);
	job->dst.base = take_address(request);
}

static enum gm_blt_status execute_color(struct request *request)
{
	parse_plain(request);
	set_solid(&request->job.pattern, take(request));
	return draw(request);
}

static enum gm_blt_status execute_src_copy(struct request *request)
{
	struct gm_blt_job *job = &request->job;

	parse_plain(request);
	job->source = GM_BLT_SOURCE_COLOR;
	job->src.cpp = job->dst.cpp;
	job->src.pitch = pitch_of(take(request), GM_TILING_LINEAR);
	job->src.base = take_address(request);
	job->right_to_left = request->mode & GEN9_BLT_RIGHT_TO_LEFT;
	if (job->right_to_left) {
		/* The addresses are those of the last byte of the first row. */
		job->dst.base -= (u64)job->x2 * job->dst.cpp - 1;
		job->src.base -= (u64)job->x2 * job->dst.cpp - 1;
	}
	return draw(request);
}

static enum gm_tiling fast_tiling(u32 tiling, bool yf)
{
	switch (tiling) {
	case GEN9_FAST_COPY_LINEAR:
		return GM_TILING_LINEAR;
	case GEN9_FAST_COPY_X:
		return GM_TILING_X;
	case GEN9_FAST_COPY_Y:
		return yf ? GM_TILING_YF : GM_TILING_Y;
	default:
		return GM_TILING_YS;
	}
}

static enum gm_blt_status execute_fast_copy(struct request *request)
{
	static const u8 cpp[8] = {
		[GEN9_FAST_COPY_DEPTH_8] = 1,
		[GEN9_FAST_COPY_DEPTH_16] = 2,
		[GEN9_FAST_COPY_DEPTH_32] = 4,
		[GEN9_FAST_COPY_DEPTH_64] = 8,
		[GEN9_FAST_COPY_DEPTH_128] = 16,
	};
	struct gm_blt_job *job = &request->job;
	u32 header = request->cmd[0];
	u32 mode = take(request);
	u32 corner = take(request);

	set_rectangle(request, corner, take(request));
	job->rop = GEN9_ROP_SOURCE;
	job->write_mask = 0xffffffffu;
	job->dst.cpp = cpp[field(mode, GEN9_FAST_COPY_DEPTH_MASK, GEN9_FAST_COPY_DEPTH_SHIFT)];
	if (!job->dst.cpp)
		return GM_BLT_UNDEFINED;
	job->dst.tiling = fast_tiling(field(header, GEN9_FAST_COPY_DST_MASK,
					    GEN9_FAST_COPY_DST_SHIFT),
				      mode & GEN9_FAST_COPY_DST_YF);
	job->dst.pitch = pitch_of(mode, job->dst.tiling);
	job->dst.base = take_address(request);

	job->source = GM_BLT_SOURCE_COLOR;
	corner = take(request);
	job->src_x = GEN9_BLT_X(corner);
	job->src_y = GEN9_BLT_Y(corner);
	job->src.cpp = job->dst.cpp;
	job->src.tiling = fast_tiling(field(header, GEN9_FAST_COPY_SRC_MASK,
					    GEN9_FAST_COPY_SRC_SHIFT),
				      mode & GEN9_FAST_COPY_SRC_YF);
	job->src.pitch = pitch_of(take(request), job->src.tiling);
	job->src.base = take_address(request);
	return draw(request);
}

static enum gm_blt_status execute_setup(struct request *request)
{
	struct gm_blt_setup setup = { .header = request->cmd[0] };

	setup.mode = take(request);
	setup.clip[0] = take(request);
	setup.clip[1] = take(request);
	setup.dst = take_address(request);
	setup.background = take(request);
	setup.foreground = take(request);
	setup.pattern = take_address(request);
	if (request->short_of)
		return GM_BLT_UNDEFINED;
	request->blt->setup = setup;
	return GM_BLT_DONE;
}

static enum gm_blt_status execute_setup_clip(struct request *request)
{
	u32 top_left = take(request);
	u32 bottom_right = take(request);

	if (request->short_of)
		return GM_BLT_UNDEFINED;
	request->blt->setup.clip[0] = top_left;
	request->blt->setup.clip[1] = bottom_right;
	return GM_BLT_DONE;
}

/* The pattern that the last setup command named; false on a page fault. */
static bool set_setup_pattern(struct request *request)
{
	const struct gm_blt_setup *setup = &request->blt->setup;
	bool mono = (setup->header & GEN9_2D_OPCODE_MASK) == GEN9_XY_SETUP_MONO_PATTERN_SL_BLT;

	if (!mono)
		return read_color_pattern(request, setup->pattern);
	if (setup->mode & GEN9_BLT_SOLID_PATTERN)
		set_solid(&request->job.pattern, setup->foreground);
	else
		set_mono_pattern(request, setup->pattern, setup->background, setup->foreground);
	return true;
}

/* One pixel, or the rows of a rectangle, in the pattern of the setup. */
static enum gm_blt_status execute_scanlines(struct request *request, bool pixel)
{
	const struct gm_blt_setup *setup = &request->blt->setup;
	u32 top_left = take(request);
	u32 bottom_right = pixel ? top_left : take(request);

	if (!setup->header)
		return GM_BLT_UNDEFINED;
	set_mode(request, setup->header, setup->mode);
	set_rectangle(request, top_left, bottom_right);
	if (pixel) {
		request->job.x2++;
		request->job.y2++;
	}
	set_destination(request, setup->dst);
	set_seeds(request);
	if (!set_setup_pattern(request))
		return GM_BLT_FAULT;
	clip(request);
	return draw(request);
}

static enum gm_blt_status execute_text(struct request *request, bool immediate)
{
	const struct gm_blt_setup *setup = &request->blt->setup;
	struct gm_blt_mono *mono = &request->job.mono;
	u32 top_left = take(request);
	u32 bottom_right = take(request);

	if (!setup->header)
		return GM_BLT_UNDEFINED;
	set_mode(request, setup->header, setup->mode);
	set_rectangle(request, top_left, bottom_right);
	set_destination(request, setup->dst);
	request->job.source = GM_BLT_SOURCE_MONO;
	mono->foreground = setup->foreground;
	mono->background = setup->background;
	mono->transparent = setup->mode & GEN9_BLT_MONO_SRC_TRANSPARENT;
	mono->row_bits = width_of(&request->job);
	if (request->cmd[0] & GEN9_BLT_TEXT_BYTE_PACKED)
		mono->row_bits = (mono->row_bits + 7) & ~7u;
	if (immediate)
		take_bits(request);
	else
		mono->va = take_address(request);
	clip(request);
	return draw(request);
}

static const struct form *find_form(u32 header)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(forms); i++)
		if (forms[i].header == header)
			return &forms[i];
	return NULL;
}

enum gm_blt_status gm_blt_execute(struct gm_blt *blt, enum gm_space space, u32 swctrl,
				  const u32 *cmd, unsigned int dwords)
{
	struct request request = {
		.blt = blt,
		.memory = { blt->mmu, blt->dma, space },
		.swctrl = swctrl,
		.cmd = cmd,
		.dwords = dwords,
		.next = 1,
	};
	u32 header = cmd[0] & GEN9_2D_OPCODE_MASK;
	const struct form *form = find_form(header);

	if (form)
		return execute_form(&request, form);

	switch (header) {
	case GEN9_XY_SETUP_BLT:
	case GEN9_XY_SETUP_MONO_PATTERN_SL_BLT:
		return execute_setup(&request);
	case GEN9_XY_SETUP_CLIP_BLT:
		return execute_setup_clip(&request);
	case GEN9_XY_PIXEL_BLT:
	case GEN9_XY_SCANLINES_BLT:
		return execute_scanlines(&request, header == GEN9_XY_PIXEL_BLT);
	case GEN9_XY_TEXT_BLT:
	case GEN9_XY_TEXT_IMMEDIATE_BLT:
		return execute_text(&request, header == GEN9_XY_TEXT_IMMEDIATE_BLT);
	case GEN9_COLOR_BLT:
		return execute_color(&request);
	case GEN9_SRC_COPY_BLT:
		return execute_src_copy(&request);
	case GEN9_XY_FAST_COPY_BLT:
		return execute_fast_copy(&request);
	default:
		return GM_BLT_UNDEFINED;
	}
}
