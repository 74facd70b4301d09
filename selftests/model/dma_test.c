// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guest memory: mapping rules, accesses at and across the edges of ranges, and
 * maps that come and go while engines use them.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>
#include <linux/array_size.h>

#include "dma.h"
#include "stats.h"

#define PAGE 4096ULL
#define RW (GM_DMA_READ | GM_DMA_WRITE)

struct fixture {
	struct gm_stats stats;
	struct gm_dma *dma;
	int fd;
	u8 *file;
};

#define FILE_PAGES 64

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->dma = gm_dma_create(&f->stats);
	f->fd = memfd_create("guest", MFD_CLOEXEC);
	assert_int_equal(ftruncate(f->fd, FILE_PAGES * PAGE), 0);
	f->file = mmap(NULL, FILE_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
	assert_ptr_not_equal(f->file, MAP_FAILED);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	gm_dma_destroy(f->dma);
	munmap(f->file, FILE_PAGES * PAGE);
	close(f->fd);
	free(f);
	return 0;
}

static u64 faults(struct fixture *f)
{
	return atomic_load(&f->stats.misuse[GM_MISUSE_DMA_FAULT]);
}

static void map_rules(void **state)
{
	static const struct {
		u64 iova;
		u64 size;
		u64 offset;
		unsigned int prot;
		int result;
	} maps[] = {
		{ 1, PAGE, 0, RW, -EINVAL },
		{ 0, 100, 0, RW, -EINVAL },
		{ 0, 0, 0, RW, -EINVAL },
		{ 0, PAGE, 0, 0, -EINVAL },
		{ 0, PAGE, 0, 4, -EINVAL },
		{ 0, PAGE, 100, RW, -EINVAL },
		{ ~0ULL - PAGE + 1, 2 * PAGE, 0, RW, -EINVAL },
		{ 0, (FILE_PAGES + 1) * PAGE, 0, RW, -EINVAL },
		{ 0, PAGE, FILE_PAGES * PAGE, RW, -EINVAL },
		{ 0, 2 * PAGE, ~0ULL - PAGE + 1, RW, -EINVAL },
		{ ~0ULL - PAGE + 1, PAGE, 0, RW, 0 },
		{ 0x10000, 4 * PAGE, 0, RW, 0 },
		{ 0x10000, 4 * PAGE, 0, RW, -EEXIST },
		{ 0x13000, PAGE, 0, RW, -EEXIST },
		{ 0xf000, 2 * PAGE, 0, RW, -EEXIST },
		{ 0xf000, 8 * PAGE, 0, RW, -EEXIST },
		{ 0x14000, PAGE, 0, RW, 0 },
		{ 0xf000, PAGE, 0, RW, 0 },
	};
	struct fixture *f = *state;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(maps); i++)
		assert_int_equal(gm_dma_map(f->dma, maps[i].iova, maps[i].size, f->fd,
					    maps[i].offset, maps[i].prot), maps[i].result);
	assert_int_equal(f->stats.counter[GM_COUNT_DMA_MAP], 4);
}

/* A pipe has no size that could be checked. */
static void only_files(void **state)
{
	struct fixture *f = *state;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(gm_dma_map(f->dma, 0, PAGE, fds[0], 0, RW), -EINVAL);
	close(fds[0]);
	close(fds[1]);
	assert_int_equal(gm_dma_map(f->dma, 0, PAGE, fds[0], 0, RW), -EINVAL);
}

static void unmap_rules(void **state)
{
	struct fixture *f = *state;
	u64 i;

	for (i = 0; i < 4; i++)
		assert_int_equal(gm_dma_map(f->dma, i * 4 * PAGE, 2 * PAGE, f->fd, 0, RW), 0);
	assert_int_equal(gm_dma_unmap(f->dma, 2 * PAGE, 2 * PAGE), -ENOENT);
	assert_int_equal(gm_dma_unmap(f->dma, 0, PAGE), -EINVAL);
	assert_int_equal(gm_dma_unmap(f->dma, PAGE, PAGE), -EINVAL);
	assert_int_equal(gm_dma_unmap(f->dma, PAGE, 5 * PAGE), -EINVAL);
	assert_int_equal(gm_dma_unmap(f->dma, 0, 5 * PAGE), -EINVAL);
	assert_int_equal(gm_dma_unmap(f->dma, 0, 0), -EINVAL);
	assert_int_equal(gm_dma_unmap(f->dma, 4 * PAGE, 6 * PAGE), 0);
	assert_int_equal(gm_dma_unmap(f->dma, 4 * PAGE, 6 * PAGE), -ENOENT);
	assert_int_equal(f->stats.counter[GM_COUNT_DMA_UNMAP], 2);
	gm_dma_unmap_all(f->dma);
	assert_int_equal(f->stats.counter[GM_COUNT_DMA_UNMAP], 4);
	assert_int_equal(gm_dma_unmap(f->dma, 0, 2 * PAGE), -ENOENT);
}

static void too_many_ranges(void **state)
{
	struct fixture *f = *state;
	u32 value = 0x12345678;
	u64 i;

	/* From the top down, so that each is inserted at the front. */
	for (i = GM_DMA_MAX_RANGES; i > 0; i--)
		assert_int_equal(gm_dma_map(f->dma, i * 2 * PAGE, PAGE, f->fd,
					    (i % FILE_PAGES) * PAGE, RW), 0);
	assert_int_equal(gm_dma_map(f->dma, 0, PAGE, f->fd, 0, RW), -ENOSPC);
	for (i = 1; i <= GM_DMA_MAX_RANGES; i++) {
		assert_true(gm_dma_write(f->dma, i * 2 * PAGE + 8, &value, sizeof(value)));
		assert_memory_equal(f->file + (i % FILE_PAGES) * PAGE + 8, &value, sizeof(value));
	}
	assert_int_equal(gm_dma_unmap(f->dma, 2 * PAGE, PAGE), 0);
	assert_int_equal(gm_dma_map(f->dma, 0, PAGE, f->fd, 0, RW), 0);
}

/* Every length at every place, over the edge of two ranges that are apart in the file. */
static void accesses_cross_ranges(void **state)
{
	struct fixture *f = *state;
	u8 out[64], in[64];
	size_t len, i;
	u64 start;

	assert_int_equal(gm_dma_map(f->dma, 0x10000, PAGE, f->fd, 8 * PAGE, RW), 0);
	assert_int_equal(gm_dma_map(f->dma, 0x11000, PAGE, f->fd, 2 * PAGE, RW), 0);
	for (i = 0; i < sizeof(out); i++)
		out[i] = i * 7 + 1;
	for (start = 0x11000 - 40; start <= 0x11000; start++) {
		for (len = 0; len <= sizeof(out); len++) {
			memset(f->file, 0, FILE_PAGES * PAGE);
			assert_true(gm_dma_write(f->dma, start, out, len));
			for (i = 0; i < len; i++) {
				u64 at = start + i;
				u64 base = at < 0x11000 ? 8 * PAGE - 0x10000 : 2 * PAGE - 0x11000;

				assert_int_equal(f->file[base + at], out[i]);
			}
			assert_true(gm_dma_read(f->dma, start, in, len));
			assert_memory_equal(in, out, len);
		}
	}
	assert_int_equal(faults(f), 0);
}

/* A failed read gives ones, a failed write nothing at all, and each is counted. */
static void unreachable(void **state)
{
	static const u8 ones[16] = { [0 ... 15] = 0xff };
	static const struct {
		u64 iova;
		bool read;
		bool write;
	} accesses[] = {
		{ 0x0fff8, false, false },	/* starts before the first */
		{ 0x10000, true, true },
		{ 0x10ff8, true, false },	/* ends in the read-only one */
		{ 0x11000, true, false },
		{ 0x11ff8, false, false },	/* ends in the one without a file */
		{ 0x12000, false, false },
		{ 0x12ff8, false, false },	/* ends in the write-only one */
		{ 0x13000, false, true },
		{ 0x13ff8, false, false },
		{ ~0ULL - 15, true, true },	/* the very end */
		{ ~0ULL - 7, false, false },	/* wraps */
	};
	struct fixture *f = *state;
	u64 expected = 0;
	u8 buf[16];
	size_t i;

	assert_int_equal(gm_dma_map(f->dma, 0x10000, PAGE, f->fd, 0, RW), 0);
	assert_int_equal(gm_dma_map(f->dma, 0x11000, PAGE, f->fd, PAGE, GM_DMA_READ), 0);
	assert_int_equal(gm_dma_map(f->dma, 0x12000, PAGE, -1, 0, RW), 0);
	assert_int_equal(gm_dma_map(f->dma, 0x13000, PAGE, f->fd, 2 * PAGE, GM_DMA_WRITE), 0);
	assert_int_equal(gm_dma_map(f->dma, ~0ULL - PAGE + 1, PAGE, f->fd, 3 * PAGE, RW), 0);
	assert_int_equal(gm_dma_map(f->dma, 0, PAGE, f->fd, 4 * PAGE, RW), 0);
	for (i = 0; i < ARRAY_SIZE(accesses); i++) {
		memset(buf, 0x55, sizeof(buf));
		assert_int_equal(gm_dma_read(f->dma, accesses[i].iova, buf, sizeof(buf)),
				 accesses[i].read);
		if (!accesses[i].read)
			assert_memory_equal(buf, ones, sizeof(buf));
		memset(f->file, 0, FILE_PAGES * PAGE);
		memset(buf, 0x77, sizeof(buf));
		assert_int_equal(gm_dma_write(f->dma, accesses[i].iova, buf, sizeof(buf)),
				 accesses[i].write);
		if (!accesses[i].write)
			assert_null(memchr(f->file, 0x77, FILE_PAGES * PAGE));
		expected += !accesses[i].read + !accesses[i].write;
		assert_int_equal(faults(f), expected);
	}
}

static void pointers(void **state)
{
	struct fixture *f = *state;
	u8 *ptr;

	assert_int_equal(gm_dma_map(f->dma, 0x10000, PAGE, f->fd, 5 * PAGE, GM_DMA_READ), 0);
	assert_int_equal(gm_dma_map(f->dma, 0x11000, PAGE, f->fd, PAGE, RW), 0);
	f->file[5 * PAGE + 16] = 0xab;
	gm_dma_lock(f->dma);
	ptr = gm_dma_ptr(f->dma, 0x10010, 16, GM_DMA_READ);
	assert_non_null(ptr);
	assert_int_equal(ptr[0], 0xab);
	assert_non_null(gm_dma_ptr(f->dma, 0x10000, PAGE, GM_DMA_READ));
	assert_int_equal(faults(f), 0);
	assert_null(gm_dma_ptr(f->dma, 0x10000, PAGE + 1, GM_DMA_READ));
	assert_null(gm_dma_ptr(f->dma, 0x10000, 16, RW));
	assert_null(gm_dma_ptr(f->dma, 0x12000, 1, GM_DMA_READ));
	assert_null(gm_dma_ptr(f->dma, 0x10000, 0, GM_DMA_READ));
	assert_null(gm_dma_ptr(f->dma, 0x10000, SIZE_MAX, GM_DMA_READ));
	gm_dma_unlock(f->dma);
	assert_int_equal(faults(f), 5);
}

/**
 * struct engine - A thread that uses memory while maps change
 * @f: the map
 * @number: which; its own piece of the pages
 * @stop: end
 * @steady: accesses to the page that stays mapped which went wrong
 * @seen: accesses to the page that comes and goes which found it
 */
struct engine {
	struct fixture *f;
	unsigned int number;
	atomic_bool *stop;
	u64 steady;
	u64 seen;
};

static void *engine_thread(void *arg)
{
	struct engine *engine = arg;
	struct gm_dma *dma = engine->f->dma;
	u64 slot = engine->number * 64;
	u64 value, got, n = 0;
	u8 *ptr;

	while (!atomic_load(engine->stop)) {
		value = ++n << 8 | engine->number;
		if (!gm_dma_write(dma, slot, &value, sizeof(value)) ||
		    !gm_dma_read(dma, slot, &got, sizeof(got)) || got != value)
			engine->steady++;
		gm_dma_lock(dma);
		ptr = gm_dma_ptr(dma, 0x100000 + slot, 64, RW);
		if (ptr) {
			memset(ptr, engine->number, 64);
			engine->seen++;
		}
		gm_dma_unlock(dma);
	}
	return NULL;
}

/* An access after the unmap returned would be a fault of the process, or ASan's to find. */
static void maps_change_under_engines(void **state)
{
	enum { ENGINES = 4, ROUNDS = 2000 };
	struct fixture *f = *state;
	struct engine engines[ENGINES];
	pthread_t threads[ENGINES];
	atomic_bool stop = false;
	u64 seen = 0;
	int i;

	assert_int_equal(gm_dma_map(f->dma, 0, PAGE, f->fd, 0, RW), 0);
	for (i = 0; i < ENGINES; i++) {
		engines[i] = (struct engine){ .f = f, .number = i, .stop = &stop };
		assert_int_equal(pthread_create(&threads[i], NULL, engine_thread, &engines[i]), 0);
	}
	for (i = 0; i < ROUNDS; i++) {
		assert_int_equal(gm_dma_map(f->dma, 0x100000, PAGE, f->fd, PAGE, RW), 0);
		if (i % 16 == 0)
			usleep(100);
		assert_int_equal(gm_dma_unmap(f->dma, 0x100000, PAGE), 0);
	}
	atomic_store(&stop, true);
	for (i = 0; i < ENGINES; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(engines[i].steady, 0);
		seen += engines[i].seen;
	}
	assert_true(seen > 0);
}

/* All accesses of engines that never rest must not keep an unmap waiting. */
static void unmap_is_not_starved(void **state)
{
	enum { ENGINES = 3 };
	struct fixture *f = *state;
	struct engine engines[ENGINES];
	pthread_t threads[ENGINES];
	struct timespec begin, end;
	atomic_bool stop = false;
	int i;

	assert_int_equal(gm_dma_map(f->dma, 0, PAGE, f->fd, 0, RW), 0);
	assert_int_equal(gm_dma_map(f->dma, 0x100000, PAGE, f->fd, PAGE, RW), 0);
	for (i = 0; i < ENGINES; i++) {
		engines[i] = (struct engine){ .f = f, .number = i, .stop = &stop };
		assert_int_equal(pthread_create(&threads[i], NULL, engine_thread, &engines[i]), 0);
	}
	usleep(20000);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	assert_int_equal(gm_dma_unmap(f->dma, 0x100000, PAGE), 0);
	clock_gettime(CLOCK_MONOTONIC, &end);
	atomic_store(&stop, true);
	for (i = 0; i < ENGINES; i++)
		pthread_join(threads[i], NULL);
	assert_true(end.tv_sec - begin.tv_sec < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(map_rules, setup, teardown),
		cmocka_unit_test_setup_teardown(only_files, setup, teardown),
		cmocka_unit_test_setup_teardown(unmap_rules, setup, teardown),
		cmocka_unit_test_setup_teardown(too_many_ranges, setup, teardown),
		cmocka_unit_test_setup_teardown(accesses_cross_ranges, setup, teardown),
		cmocka_unit_test_setup_teardown(unreachable, setup, teardown),
		cmocka_unit_test_setup_teardown(pointers, setup, teardown),
		cmocka_unit_test_setup_teardown(maps_change_under_engines, setup, teardown),
		cmocka_unit_test_setup_teardown(unmap_is_not_starved, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
