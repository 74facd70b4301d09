// SPDX-License-Identifier: GPL-2.0-only
/*
 * The 2D engine's pixel work.
 *
 * A rectangle is drawn in chunks of a row through buffers: operands are read
 * into them, combined, and the result is written, so within a chunk the source
 * is always what it was before. Plain copies and fills, where no pixel depends
 * on the destination, go by bytes; everything else as pixels of 32 bits.
 */
#include <string.h>
#include "blt_raster.h"

#define CHUNK_BYTES	4096u
#define CHUNK_PIXELS	1024u

/**
 * struct chunk - Part of a row on its way
 * @x: first pixel, in the destination
 * @y: row
 * @count: pixels
 * @raw: bytes of one operand, or of the result
 * @src: source pixels
 * @dst: destination pixels, then the result
 * @keep: not 0: the pixel stays as it is
 */
struct chunk {
	s32 x;
	s32 y;
	u32 count;
	u8 raw[CHUNK_BYTES];
	u32 src[CHUNK_PIXELS];
	u32 dst[CHUNK_PIXELS];
	u8 keep[CHUNK_PIXELS];
};

static void load(u32 *pixel, const u8 *raw, u32 cpp, u32 count)
{
	u32 i;

	if (cpp == sizeof(*pixel)) {
		memcpy(pixel, raw, (size_t)count * cpp);
		return;
	}
	for (i = 0; i < count; i++)
		pixel[i] = cpp == 1 ? raw[i] : raw[2 * i] | raw[2 * i + 1] << 8;
}

static void store(u8 *raw, const u32 *pixel, u32 cpp, u32 count)
{
	u32 i;

	if (cpp == sizeof(*pixel)) {
		memcpy(raw, pixel, (size_t)count * cpp);
		return;
	}
	for (i = 0; i < count; i++) {
		raw[cpp * i] = pixel[i];
		if (cpp == 2)
			raw[2 * i + 1] = pixel[i] >> 8;
	}
}

static bool read_color(const struct gm_blt_memory *memory, const struct gm_blt_job *job,
		       struct chunk *chunk)
{
	u32 cpp = job->src.cpp;
	s32 x = job->src_x + chunk->x - job->x1;
	s32 y = job->src_y + chunk->y - job->y1;

	return gm_blt_surface_read(memory, &job->src, x * (s32)cpp, y, chunk->raw,
				   chunk->count * cpp);
}

static void expand_bits(const struct gm_blt_mono *mono, const u8 *bytes, u32 bit,
			struct chunk *chunk)
{
	u32 i;

	for (i = 0; i < chunk->count; i++, bit++) {
		bool one = bytes[bit / 8] >> (7 - bit % 8) & 1;

		chunk->src[i] = one ? mono->foreground : mono->background;
		if (!one && mono->transparent)
			chunk->keep[i] = 1;
	}
}

static bool read_mono(const struct gm_blt_memory *memory, const struct gm_blt_job *job,
		      struct chunk *chunk)
{
	const struct gm_blt_mono *mono = &job->mono;
	struct gm_blt_surface bits = { .base = mono->va, .cpp = 1 };
	u64 first = mono->first_bit + (u64)(job->src_x + chunk->x - job->x1) +
		    (u64)(job->src_y + chunk->y - job->y1) * mono->row_bits;
	u32 len = (first % 8 + chunk->count + 7) / 8;

	if (mono->data) {
		expand_bits(mono, mono->data + first / 8, first % 8, chunk);
		return true;
	}
	bits.base += first / 8;
	if (!gm_blt_surface_read(memory, &bits, 0, 0, chunk->raw, len))
		return false;
	expand_bits(mono, chunk->raw, first % 8, chunk);
	return true;
}

static bool needs_source(const struct gm_blt_job *job)
{
	return gm_blt_rop_uses_source(job->rop) || job->key == GM_BLT_KEY_SOURCE ||
	       (job->source == GM_BLT_SOURCE_MONO && job->mono.transparent);
}

static bool read_source(const struct gm_blt_memory *memory, const struct gm_blt_job *job,
			struct chunk *chunk)
{
	if (job->source == GM_BLT_SOURCE_NONE || !needs_source(job)) {
		memset(chunk->src, 0, chunk->count * sizeof(chunk->src[0]));
		return true;
	}
	if (job->source == GM_BLT_SOURCE_MONO)
		return read_mono(memory, job, chunk);
	if (!read_color(memory, job, chunk))
		return false;
	load(chunk->src, chunk->raw, job->src.cpp, chunk->count);
	return true;
}

static bool read_destination(const struct gm_blt_memory *memory, const struct gm_blt_job *job,
			     struct chunk *chunk)
{
	u32 cpp = job->dst.cpp;

	if (!gm_blt_surface_read(memory, &job->dst, chunk->x * (s32)cpp, chunk->y, chunk->raw,
				 chunk->count * cpp))
		return false;
	load(chunk->dst, chunk->raw, cpp, chunk->count);
	return true;
}

static bool write_raw(const struct gm_blt_memory *memory, const struct gm_blt_job *job,
		      const struct chunk *chunk)
{
	u32 cpp = job->dst.cpp;

	return gm_blt_surface_write(memory, &job->dst, chunk->x * (s32)cpp, chunk->y, chunk->raw,
				    chunk->count * cpp);
}

/**
 * struct rop - A raster operation, unfolded
 * @result: all bits of the result where pattern, source and destination bits are n
 */
struct rop {
	u32 result[8];
};

static struct rop unfold(u8 code)
{
	struct rop rop;
	unsigned int i;

	for (i = 0; i < 8; i++)
		rop.result[i] = code >> i & 1 ? 0xffffffffu : 0;
	return rop;
}

/* Bits of @one where @select is set, else of @zero. */
static inline u32 mux(u32 select, u32 one, u32 zero)
{
	return zero ^ (select & (one ^ zero));
}

static inline u32 rop3(const struct rop *rop, u32 p, u32 s, u32 d)
{
	const u32 *r = rop->result;

	return mux(p, mux(s, mux(d, r[7], r[6]), mux(d, r[5], r[4])),
		   mux(s, mux(d, r[3], r[2]), mux(d, r[1], r[0])));
}

static bool in_range(const struct gm_blt_job *job, u32 pixel)
{
	unsigned int i;

	for (i = 0; i < GM_BLT_COMPONENTS; i++) {
		u32 mask = job->key_mask[i];

		if ((pixel & mask) < (job->key_low & mask) ||
		    (pixel & mask) > (job->key_high & mask))
			return false;
	}
	return true;
}

static bool keyed_out(const struct gm_blt_job *job, u32 src, u32 dst)
{
	if (job->key == GM_BLT_KEY_NONE)
		return false;
	if (job->key == GM_BLT_KEY_SOURCE)
		return in_range(job, src);
	return !in_range(job, dst);
}

/* Mark the pixels that stay, for whatever reason. */
static void mark(const struct gm_blt_job *job, struct chunk *chunk)
{
	const struct gm_blt_pattern *pattern = &job->pattern;
	u8 keep = pattern->keep[(chunk->y + pattern->y) % GEN9_BLT_PATTERN_SIZE];
	u32 i;

	if (!keep && job->key == GM_BLT_KEY_NONE)
		return;
	for (i = 0; i < chunk->count; i++) {
		u32 column = (chunk->x + i + pattern->x) % GEN9_BLT_PATTERN_SIZE;

		if (keep >> column & 1 || keyed_out(job, chunk->src[i], chunk->dst[i]))
			chunk->keep[i] = 1;
	}
}

static void combine(const struct gm_blt_job *job, struct chunk *chunk)
{
	const struct gm_blt_pattern *pattern = &job->pattern;
	const u32 *row = pattern->pixel[(chunk->y + pattern->y) % GEN9_BLT_PATTERN_SIZE];
	struct rop rop = unfold(job->rop);
	u32 first = chunk->x + pattern->x;
	u32 i;

	for (i = 0; i < chunk->count; i++) {
		u32 dst = chunk->dst[i];
		u32 result = rop3(&rop, row[(first + i) % GEN9_BLT_PATTERN_SIZE], chunk->src[i],
				  dst);

		chunk->dst[i] = chunk->keep[i] ? dst : mux(job->write_mask, result, dst);
	}
}

/* The general way: any operands, any raster operation. */
static bool draw_pixels(const struct gm_blt_memory *memory, const struct gm_blt_job *job,
			struct chunk *chunk)
{
	memset(chunk->keep, 0, chunk->count);
	if (!read_source(memory, job, chunk) || !read_destination(memory, job, chunk))
		return false;
	mark(job, chunk);
	combine(job, chunk);
	store(chunk->raw, chunk->dst, job->dst.cpp, chunk->count);
	return write_raw(memory, job, chunk);
}

static bool draw_copy(const struct gm_blt_memory *memory, const struct gm_blt_job *job,
		      struct chunk *chunk)
{
	return read_color(memory, job, chunk) && write_raw(memory, job, chunk);
}

/* Pattern only. A row of it repeats every eight pixels: double what is there until it is enough. */
static bool draw_fill(const struct gm_blt_memory *memory, const struct gm_blt_job *job,
		      struct chunk *chunk)
{
	const struct gm_blt_pattern *pattern = &job->pattern;
	u32 row = (chunk->y + pattern->y) % GEN9_BLT_PATTERN_SIZE;
	struct rop rop = unfold(job->rop);
	u32 cpp = job->dst.cpp;
	u32 total = chunk->count * cpp;
	u32 i, done, step;

	for (i = 0; i < GEN9_BLT_PATTERN_SIZE && i < chunk->count; i++) {
		u32 column = (chunk->x + i + pattern->x) % GEN9_BLT_PATTERN_SIZE;
		u32 pixel = rop3(&rop, pattern->pixel[row][column], 0, 0);

		memcpy(chunk->raw + i * cpp, &pixel, cpp);
	}
	for (done = i * cpp; done < total; done += step) {
		step = done < total - done ? done : total - done;
		memcpy(chunk->raw + done, chunk->raw, step);
	}
	return write_raw(memory, job, chunk);
}

static bool keeps_pixels(const struct gm_blt_job *job)
{
	static const u8 none[GEN9_BLT_PATTERN_SIZE];
	u32 all = job->dst.cpp < 4 ? (1u << 8 * job->dst.cpp) - 1 : 0xffffffffu;

	return job->key != GM_BLT_KEY_NONE || (job->write_mask & all) != all ||
	       (job->source == GM_BLT_SOURCE_MONO && job->mono.transparent) ||
	       memcmp(job->pattern.keep, none, sizeof(none));
}

typedef bool (*draw_fn)(const struct gm_blt_memory *memory, const struct gm_blt_job *job,
			struct chunk *chunk);

static draw_fn choose(const struct gm_blt_job *job)
{
	if (keeps_pixels(job) || gm_blt_rop_uses_destination(job->rop))
		return draw_pixels;
	if (!gm_blt_rop_uses_source(job->rop))
		return draw_fill;
	if (job->source == GM_BLT_SOURCE_COLOR && job->rop == GEN9_ROP_SOURCE)
		return draw_copy;
	return draw_pixels;
}

static bool draw_row(const struct gm_blt_memory *memory, const struct gm_blt_job *job, draw_fn draw,
		     struct chunk *chunk, u64 *bytes)
{
	u32 most = draw == draw_pixels ? CHUNK_PIXELS : CHUNK_BYTES / job->dst.cpp;
	u32 left = job->x2 - job->x1;

	for (; left; left -= chunk->count) {
		if (job->abort && atomic_load_explicit(job->abort, memory_order_relaxed))
			return true;
		chunk->count = left < most ? left : most;
		chunk->x = job->right_to_left ? job->x1 + (s32)(left - chunk->count) :
						job->x2 - (s32)left;
		if (!draw(memory, job, chunk))
			return false;
		*bytes += (u64)chunk->count * job->dst.cpp;
	}
	return true;
}

bool gm_blt_job_draw(const struct gm_blt_memory *memory, const struct gm_blt_job *job, u64 *bytes)
{
	draw_fn draw = choose(job);
	struct chunk chunk;
	s32 i;

	*bytes = 0;
	if (job->x1 >= job->x2)
		return true;
	for (i = job->y1; i < job->y2; i++) {
		chunk.y = job->bottom_up ? job->y2 - 1 - (i - job->y1) : i;
		if (job->abort && atomic_load_explicit(job->abort, memory_order_relaxed))
			return true;
		if (!draw_row(memory, job, draw, &chunk, bytes))
			return false;
	}
	return true;
}

void gm_blt_job_clip(struct gm_blt_job *job, s32 x1, s32 y1, s32 x2, s32 y2)
{
	if (x1 > job->x1) {
		job->src_x += x1 - job->x1;
		job->x1 = x1;
	}
	if (y1 > job->y1) {
		job->src_y += y1 - job->y1;
		job->y1 = y1;
	}
	if (x2 < job->x2)
		job->x2 = x2;
	if (y2 < job->y2)
		job->y2 = y2;
}
