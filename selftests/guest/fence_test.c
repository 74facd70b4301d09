// SPDX-License-Identifier: GPL-2.0-only
/*
 * The aperture: CPU accesses through the global table, detiled by fences. Each
 * access may be slow, so only some pixels of each surface are touched.
 */
#include <string.h>
#include <sys/mman.h>

#include "gem.h"
#include "test.h"
#include "tile.h"

#define ROWS 64u
#define STRIDE 2048u
#define SAMPLES 24u

static u32 pixel(unsigned int object, unsigned int n)
{
	return 0x11000000 + object * 0x10000 + n;
}

/* Different places for each object, the same ones at each call. */
static void place(unsigned int object, unsigned int i, u32 *x, u32 *y)
{
	u32 n = (object * 7919 + i * 104729) * 2654435761u;

	*x = (n >> 20) % (STRIDE / 4) * 4;
	*y = (n >> 8) % ROWS;
}

static void write_samples(u32 *map, unsigned int object)
{
	u32 x, y;

	for (unsigned int i = 0; i < SAMPLES; i++) {
		place(object, i, &x, &y);
		mem_write32(&map[(y * STRIDE + x) / 4], pixel(object, y * STRIDE + x));
	}
	__sync_synchronize();
}

static void check_pages(const struct bo *bo, u32 tiling, unsigned int object)
{
	u32 x, y;

	bo_to_cpu(bo);
	for (unsigned int i = 0; i < SAMPLES; i++) {
		place(object, i, &x, &y);
		bo_expect(bo, tile_offset(tiling, STRIDE, x, y) / 4,
			  pixel(object, y * STRIDE + x), "write through the aperture");
	}
}

static void check_map(const u32 *map, u32 tiling, unsigned int object)
{
	u32 x, y, seen;

	for (unsigned int i = 0; i < SAMPLES; i++) {
		place(object, i, &x, &y);
		seen = mem_read32(&map[(y * STRIDE + x) / 4]);
		if (seen != pixel(object, y * STRIDE + x))
			test_fail("object %u, tiling %u, aperture at %u,%u: expected %#x, saw %#x",
				  object, tiling, x, y, pixel(object, y * STRIDE + x), seen);
	}
}

/*
 * The driver drops a mapping's fence when the object goes to the CPU domain, and
 * faults it in again: writes, looks at the pages, and reads back.
 */
static void test_tiled(struct gpu *gpu, const struct testcase *tc)
{
	u32 tiling = tc->arg;
	struct bo bo;
	u32 *map;

	bo_create(&bo, gpu, STRIDE * ROWS);
	if (bo_set_tiling(&bo, tiling, STRIDE) != I915_BIT_6_SWIZZLE_NONE)
		test_fail("Gen9 does not swizzle address bit 6, the driver says it does");
	map = bo_map_aperture(&bo);
	write_samples(map, 1);
	check_map(map, tiling, 1);
	check_pages(&bo, tiling, 1);
	check_map(map, tiling, 1);
}

/* More tiled objects in use than there are fences, so that fences are stolen. */
static void test_many(struct gpu *gpu, const struct testcase *tc)
{
	enum { OBJECTS = 40 };
	static struct bo bo[OBJECTS];
	static u32 *map[OBJECTS];
	int fences = gpu_param(gpu, I915_PARAM_NUM_FENCES_AVAIL);

	(void)tc;
	if (fences <= 0 || fences >= OBJECTS)
		test_fail("expected 1 to %d fences, the driver has %d", OBJECTS - 1, fences);
	for (unsigned int i = 0; i < OBJECTS; i++) {
		bo_create(&bo[i], gpu, STRIDE * ROWS);
		bo_set_tiling(&bo[i], i % 2 ? I915_TILING_X : I915_TILING_Y, STRIDE);
		map[i] = bo_map_aperture(&bo[i]);
		write_samples(map[i], i);
	}
	for (unsigned int i = 0; i < OBJECTS; i++)
		check_map(map[i], i % 2 ? I915_TILING_X : I915_TILING_Y, i);
	for (unsigned int i = 0; i < OBJECTS; i++)
		check_pages(&bo[i], i % 2 ? I915_TILING_X : I915_TILING_Y, i);
}

/* The same object under another tiling: the fence has to follow. */
static void test_retile(struct gpu *gpu, const struct testcase *tc)
{
	struct bo bo;
	u32 *map;

	(void)tc;
	bo_create(&bo, gpu, STRIDE * ROWS);
	map = bo_map_aperture(&bo);
	for (u32 tiling = I915_TILING_NONE; tiling <= I915_TILING_Y; tiling++) {
		bo_set_tiling(&bo, tiling, STRIDE);
		memset(bo.cpu, 0, bo.size);
		write_samples(map, tiling + 2);
		check_pages(&bo, tiling, tiling + 2);
	}
}

/* Accesses of 1, 2 and 8 bytes through the aperture. */
static void test_widths(struct gpu *gpu, const struct testcase *tc)
{
	struct bo bo;
	char *map;
	u16 half;

	(void)tc;
	bo_create(&bo, gpu, PAGE_SIZE);
	map = bo_map_aperture(&bo);
	for (unsigned int i = 0; i < 8; i++)
		__atomic_store_n((u8 *)map + i, 0xa0 + i, __ATOMIC_RELAXED);
	__atomic_store_n((u16 *)(map + 16), 0xbeef, __ATOMIC_RELAXED);
	__atomic_store_n((u64 *)(map + 24), 0x1122334455667788ull, __ATOMIC_RELAXED);
	__sync_synchronize();
	half = __atomic_load_n((u16 *)(map + 6), __ATOMIC_RELAXED);
	if (half != 0xa7a6)
		test_fail("16-bit read: expected 0xa7a6, saw %#x", half);
	bo_to_cpu(&bo);
	bo_expect(&bo, 0, 0xa3a2a1a0, "bytes");
	bo_expect(&bo, 1, 0xa7a6a5a4, "bytes");
	bo_expect(&bo, 4, 0xbeef, "a 16-bit write");
	bo_expect(&bo, 6, 0x55667788, "a 64-bit write");
	bo_expect(&bo, 7, 0x11223344, "a 64-bit write");
}

static const struct testcase tests[] = {
	{ "fence-linear", test_tiled, I915_TILING_NONE, 20 },
	{ "fence-x", test_tiled, I915_TILING_X, 20 },
	{ "fence-y", test_tiled, I915_TILING_Y, 20 },
	{ "fence-many", test_many, 0, 40 },
	{ "fence-retile", test_retile, 0, 20 },
	{ "fence-widths", test_widths, 0, 20 },
};

const struct testgroup fence_tests = { tests, ARRAY_SIZE(tests) };
