// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of surface layouts, against the layouts spelled out bit by bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/array_size.h>
#include "tiling.h"

/**
 * struct tile - A layout: where each bit of the offset in a tile comes from
 * @tiling: the layout
 * @cpp: bytes per pixel
 * @bits: highest bit first, as manuals print it
 */
struct tile {
	enum gm_tiling tiling;
	u32 cpp;
	const char *bits;
};

static const struct tile tiles[] = {
	{ GM_TILING_X, 4, "yyyxxxxxxxxx" },
	{ GM_TILING_Y, 4, "xxxyyyyyxxxx" },
	{ GM_TILING_YF, 1, "xyxyyyyyxxxx" },
	{ GM_TILING_YF, 2, "xyxyxyyyxxxx" },
	{ GM_TILING_YF, 4, "xyxyxyyyxxxx" },
	{ GM_TILING_YF, 8, "xyxyxxyyxxxx" },
	{ GM_TILING_YF, 16, "xyxyxxyyxxxx" },
	{ GM_TILING_YS, 1, "xyxyxyxyyyyyxxxx" },
	{ GM_TILING_YS, 2, "xyxyxyxyxyyyxxxx" },
	{ GM_TILING_YS, 4, "xyxyxyxyxyyyxxxx" },
	{ GM_TILING_YS, 8, "xyxyxyxyxxyyxxxx" },
	{ GM_TILING_YS, 16, "xyxyxyxyxxyyxxxx" },
};

static u32 size_of(const struct tile *tile)
{
	return 1u << strlen(tile->bits);
}

static u32 bits_of(const struct tile *tile, char axis)
{
	u32 count = 0, i;

	for (i = 0; tile->bits[i]; i++)
		count += tile->bits[i] == axis;
	return count;
}

static u64 reference(const struct tile *tile, u32 x, u32 y, u32 pitch)
{
	u32 width = 1u << bits_of(tile, 'x'), height = 1u << bits_of(tile, 'y');
	u64 number = (u64)(y / height) * (pitch / width) + x / width;
	u32 offset = 0;
	size_t i, n = strlen(tile->bits);

	for (i = 0; i < n; i++) {
		u32 *from = tile->bits[n - 1 - i] == 'x' ? &x : &y;

		offset |= (*from & 1) << i;
		*from >>= 1;
	}
	return number * size_of(tile) + offset;
}

static void test_offsets(void **state)
{
	u32 t, i;

	(void)state;
	srand(1);
	for (t = 0; t < ARRAY_SIZE(tiles); t++) {
		u32 width = 1u << bits_of(&tiles[t], 'x');

		assert_int_equal(gm_tiling_width(tiles[t].tiling, tiles[t].cpp), width);
		for (i = 0; i < 20000; i++) {
			u32 pitch = (1 + (u32)rand() % 64) * width;
			u32 x = (u32)rand() % pitch, y = (u32)rand() % 16384;

			assert_int_equal(gm_tiling_offset(tiles[t].tiling, x, y, pitch,
							  tiles[t].cpp),
					 reference(&tiles[t], x, y, pitch));
		}
	}
}

/* Every byte of a tile has one place, and all of them are in the tile. */
static void test_tiles_are_full(void **state)
{
	u32 t, x, y;

	(void)state;
	for (t = 0; t < ARRAY_SIZE(tiles); t++) {
		u32 width = 1u << bits_of(&tiles[t], 'x'), height = 1u << bits_of(&tiles[t], 'y');
		u8 *seen = calloc(1, size_of(&tiles[t]));

		for (y = 0; y < height; y++) {
			for (x = 0; x < width; x++) {
				u64 at = gm_tiling_offset(tiles[t].tiling, x, y, width,
							  tiles[t].cpp);

				assert_true(at < size_of(&tiles[t]));
				assert_int_equal(seen[at], 0);
				seen[at] = 1;
			}
		}
		free(seen);
	}
}

/* A span is contiguous, ends at a boundary, and is as long as it can be. */
static void test_spans(void **state)
{
	u32 t, x, i;

	(void)state;
	for (t = 0; t < ARRAY_SIZE(tiles); t++) {
		const struct tile *tile = &tiles[t];

		for (x = 0; x < 2048; x++) {
			u32 span = gm_tiling_span(tile->tiling, x, tile->cpp);
			u64 first = reference(tile, x, 5, 4096);

			assert_true(span >= 1);
			for (i = 0; i < span; i++)
				assert_int_equal(reference(tile, x + i, 5, 4096), first + i);
			assert_int_not_equal(reference(tile, x + span, 5, 4096), first + span);
		}
	}
}

static void test_linear(void **state)
{
	(void)state;
	assert_int_equal(gm_tiling_offset(GM_TILING_LINEAR, 3, 7, 100, 4), 703);
	assert_int_equal(gm_tiling_offset(GM_TILING_LINEAR, 0, 0xffffffffu, 0xffffffffu, 1),
			 0xffffffffull * 0xffffffffull);
	assert_int_equal(gm_tiling_span(GM_TILING_LINEAR, 12345, 4), GM_TILING_SPAN_ALL);
	assert_int_equal(gm_tiling_width(GM_TILING_LINEAR, 4), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_tiles_are_full),
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_linear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
