// SPDX-License-Identifier: GPL-2.0-only
/*
 * The blitter. Every rectangle is also done by the CPU on a linear image of the
 * surface, and at the end the whole surface is compared, detiled by the CPU; so
 * a blit that writes outside its rectangle is seen as well.
 */
#include <stdlib.h>
#include <string.h>

#include "cmds.h"
#include "exec.h"
#include "test.h"
#include "tile.h"

#define WIDTH 256u
#define HEIGHT 96u
#define STRIDE (WIDTH * 4)
#define RECTS 24u

/**
 * struct image - a surface, and what the CPU expects in it
 * @bo: object
 * @s: surface in it
 * @want: pixels, row after row
 */
struct image {
	struct bo bo;
	struct surface s;
	u32 *want;
};

typedef void (*copy_fn)(struct batch *b, const struct surface *dst, const struct rect *r,
			const struct surface *src, u32 sx, u32 sy);

static const char *tiling_name(u32 tiling)
{
	static const char *const names[] = { "linear", "X", "Y" };

	return names[tiling];
}

static const struct engine *need_blitter(struct gpu *gpu)
{
	for (unsigned int e = 0; e < gpu->nengines; e++)
		if (gpu->engine[e]->class == I915_ENGINE_CLASS_COPY)
			return gpu->engine[e];
	test_skip("no blitter");
}

static u64 pixel_index(const struct image *im, u32 x, u32 y)
{
	return tile_offset(im->s.tiling, STRIDE, x * 4, y) / 4;
}

static void image_create(struct image *im, struct gpu *gpu, u32 tiling)
{
	bo_create(&im->bo, gpu, STRIDE * HEIGHT);
	im->s = (struct surface){ .bo = &im->bo, .stride = STRIDE, .tiling = tiling };
	im->want = malloc(STRIDE * HEIGHT);
	if (!im->want)
		test_fail("out of memory");
	for (u32 y = 0; y < HEIGHT; y++)
		for (u32 x = 0; x < WIDTH; x++) {
			im->want[y * WIDTH + x] = test_rand();
			bo_set_dword(&im->bo, pixel_index(im, x, y), im->want[y * WIDTH + x]);
		}
}

static void image_destroy(struct image *im)
{
	free(im->want);
	bo_destroy(&im->bo);
}

static void image_check(const struct image *im, const char *what)
{
	bo_to_cpu(&im->bo);
	for (u32 y = 0; y < HEIGHT; y++)
		for (u32 x = 0; x < WIDTH; x++) {
			u32 seen = bo_dword(&im->bo, pixel_index(im, x, y));

			if (seen != im->want[y * WIDTH + x])
				test_fail("%s (%s): pixel %u,%u: expected %#x, saw %#x", what,
					  tiling_name(im->s.tiling), x, y,
					  im->want[y * WIDTH + x], seen);
		}
}

static struct rect random_rect(void)
{
	struct rect r = { .x = test_rand() % WIDTH, .y = test_rand() % HEIGHT };

	r.w = 1 + test_rand() % (WIDTH - r.x);
	r.h = 1 + test_rand() % (HEIGHT - r.y);
	return r;
}

static void test_fill(struct gpu *gpu, const struct testcase *tc)
{
	const struct engine *bcs = need_blitter(gpu);
	struct image im;
	struct batch b;

	image_create(&im, gpu, tc->arg);
	batch_create(&b, gpu, PAGE_SIZE);
	for (unsigned int i = 0; i < RECTS; i++) {
		struct rect r = random_rect();
		u32 color = test_rand();

		emit_fill(&b, &im.s, &r, color);
		for (u32 y = r.y; y < r.y + r.h; y++)
			for (u32 x = r.x; x < r.x + r.w; x++)
				im.want[y * WIDTH + x] = color;
	}
	batch_end(&b);
	exec_one(gpu, 0, bcs, &b, &im.bo);
	image_check(&im, "fill");
	image_destroy(&im);
	bo_destroy(&b.bo);
}

static void random_copy(struct batch *b, struct image *dst, const struct image *src, copy_fn copy)
{
	struct rect r = random_rect();
	u32 sx = test_rand() % (WIDTH - r.w + 1), sy = test_rand() % (HEIGHT - r.h + 1);

	copy(b, &dst->s, &r, &src->s, sx, sy);
	for (u32 y = 0; y < r.h; y++)
		memcpy(&dst->want[(r.y + y) * WIDTH + r.x], &src->want[(sy + y) * WIDTH + sx],
		       r.w * 4);
}

static void check_copies(struct gpu *gpu, const struct engine *bcs, u32 to, u32 from,
			 copy_fn copy)
{
	struct image dst, src;
	struct batch b;
	struct exec e;

	image_create(&dst, gpu, to);
	image_create(&src, gpu, from);
	batch_create(&b, gpu, 2 * PAGE_SIZE);
	for (unsigned int i = 0; i < RECTS; i++)
		random_copy(&b, &dst, &src, copy);
	batch_end(&b);
	exec_init(&e, gpu, 0, bcs);
	exec_add(&e, &dst.bo, EXEC_OBJECT_WRITE);
	exec_add(&e, &src.bo, 0);
	exec_submit(&e, &b);
	image_check(&dst, tiling_name(from));
	image_check(&src, "source of a copy");
	image_destroy(&dst);
	image_destroy(&src);
	bo_destroy(&b.bo);
}

static void test_copy(struct gpu *gpu, const struct testcase *tc)
{
	const struct engine *bcs = need_blitter(gpu);

	(void)tc;
	for (u32 to = I915_TILING_NONE; to <= I915_TILING_Y; to++)
		for (u32 from = I915_TILING_NONE; from <= I915_TILING_Y; from++)
			check_copies(gpu, bcs, to, from, emit_copy);
}

static void test_fast_copy(struct gpu *gpu, const struct testcase *tc)
{
	const struct engine *bcs = need_blitter(gpu);

	(void)tc;
	for (u32 to = I915_TILING_NONE; to <= I915_TILING_Y; to++)
		for (u32 from = I915_TILING_NONE; from <= I915_TILING_Y; from++)
			check_copies(gpu, bcs, to, from, emit_fast_copy);
}

/* A copy onto itself, moved by one row and column: the chip copies as memmove() does. */
static void test_overlap(struct gpu *gpu, const struct testcase *tc)
{
	const struct engine *bcs = need_blitter(gpu);
	struct rect r = { .x = 1, .y = 1, .w = WIDTH - 1, .h = HEIGHT - 1 };
	struct image im;
	struct batch b;

	(void)tc;
	image_create(&im, gpu, I915_TILING_NONE);
	batch_create(&b, gpu, PAGE_SIZE);
	emit_copy(&b, &im.s, &r, &im.s, 0, 0);
	batch_end(&b);
	for (u32 y = HEIGHT - 1; y > 0; y--)
		memmove(&im.want[y * WIDTH + 1], &im.want[(y - 1) * WIDTH], (WIDTH - 1) * 4);
	exec_one(gpu, 0, bcs, &b, &im.bo);
	image_check(&im, "overlapping copy");
}

/* Random pixels through the aperture: the blitter's tiling against the fences'. */
static void check_aperture(struct gpu *gpu, const struct engine *bcs, u32 tiling)
{
	u32 swizzle, *map;
	struct image im, src;
	struct batch b;
	struct exec e;
	struct rect r = { .w = WIDTH, .h = HEIGHT };

	image_create(&im, gpu, tiling);
	image_create(&src, gpu, I915_TILING_NONE);
	swizzle = bo_set_tiling(&im.bo, tiling, STRIDE);
	if (swizzle != I915_BIT_6_SWIZZLE_NONE)
		test_fail("tiling %s: Gen9 does not swizzle address bit 6, the driver says mode %u",
			  tiling_name(tiling), swizzle);
	batch_create(&b, gpu, PAGE_SIZE);
	emit_copy(&b, &im.s, &r, &src.s, 0, 0);
	batch_end(&b);
	exec_init(&e, gpu, 0, bcs);
	exec_add(&e, &im.bo, EXEC_OBJECT_WRITE);
	exec_add(&e, &src.bo, 0);
	exec_submit(&e, &b);
	bo_finish(&im.bo, "copy into a tiled object");

	map = bo_map_aperture(&im.bo);
	for (unsigned int i = 0; i < 200; i++) {
		u32 n = test_rand() % (WIDTH * HEIGHT), seen = mem_read32(&map[n]);

		if (seen != src.want[n])
			test_fail("tiling %s through a fence: pixel %u,%u: expected %#x, saw %#x",
				  tiling_name(tiling), n % WIDTH, n / WIDTH, src.want[n], seen);
	}
}

static void test_aperture(struct gpu *gpu, const struct testcase *tc)
{
	const struct engine *bcs = need_blitter(gpu);

	(void)tc;
	for (u32 tiling = I915_TILING_NONE; tiling <= I915_TILING_Y; tiling++)
		check_aperture(gpu, bcs, tiling);
}

static const struct testcase tests[] = {
	{ "blit-fill-linear", test_fill, I915_TILING_NONE, 20 },
	{ "blit-fill-x", test_fill, I915_TILING_X, 20 },
	{ "blit-copy", test_copy, 0, 40 },
	{ "blit-fast-copy", test_fast_copy, 0, 40 },
	{ "blit-overlap", test_overlap, 0, 20 },
	{ "blit-aperture", test_aperture, 0, 30 },
};

const struct testgroup blit_tests = { tests, ARRAY_SIZE(tests) };
