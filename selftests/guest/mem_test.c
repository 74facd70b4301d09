// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of this process, and large pages.
 *
 * How the tests know that the driver uses large pages: it fills in a 2 MiB
 * entry where a physically contiguous, 2 MiB aligned run of at least 2 MiB meets
 * a 2 MiB aligned GPU address, and marks a page table for 64 KiB pages where
 * runs aligned to 64 KiB fill it from its first entry to its last. Objects made
 * of this process's own transparent huge pages have exactly such runs, and
 * /proc/self/pagemap shows that the huge pages are really there.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/bits.h>

#include "exec.h"
#include "test.h"

#define KIB 1024ull
#define MIB (KIB * KIB)
#define HUGE_SIZE (2 * MIB)
#define PAGEMAP_PFN (BIT_ULL(55) - 1)
#define PAGEMAP_PRESENT BIT_ULL(63)

static void *map_anonymous(size_t size)
{
	void *mem = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		test_fail("mmap of %zu bytes: %s", size, strerror(errno));
	return mem;
}

static void own_memory(struct bo *bo, struct gpu *gpu, void *mem, u64 size, u32 flags)
{
	int err = bo_create_userptr(bo, gpu, mem, size, flags);

	if (err == -ENODEV)
		test_skip("no userptr%s", flags & I915_USERPTR_READ_ONLY ? ", read-only" : "");
	if (err)
		test_fail("GEM_USERPTR: %s", strerror(-err));
}

static void store(struct gpu *gpu, const struct engine *engine, struct bo *target, u64 offset,
		  u32 value)
{
	struct batch b;

	batch_create(&b, gpu, PAGE_SIZE);
	emit_store(&b, target->addr + offset, value);
	batch_end(&b);
	exec_one(gpu, 0, engine, &b, target);
	bo_finish(&b.bo, "store");
	bo_destroy(&b.bo);
}

static void test_userptr(struct gpu *gpu, const struct testcase *tc)
{
	size_t size = 16 * PAGE_SIZE;
	void *mem = map_anonymous(size);
	struct bo bo;

	(void)tc;
	memset(mem, 0, size);
	own_memory(&bo, gpu, mem, size, 0);
	for (unsigned int e = 0; e < gpu->nengines; e++)
		for (u64 p = e; p < 16; p += gpu->nengines)
			store(gpu, gpu->engine[e], &bo, p * PAGE_SIZE + p * 4, 0x1234 + p);
	for (u64 p = 0; p < 16; p++) {
		bo_expect(&bo, p * (PAGE_SIZE / 4) + p, 0x1234 + p, "store to own memory");
		bo_expect(&bo, p * (PAGE_SIZE / 4) + p + 1, 0, "beside a store to own memory");
	}
}

/* The chip drops writes to pages that are mapped read-only. */
static void test_read_only(struct gpu *gpu, const struct testcase *tc)
{
	void *mem = map_anonymous(PAGE_SIZE);
	struct bo bo, out;
	struct batch b;
	struct exec e;

	(void)tc;
	memset(mem, 0x5a, PAGE_SIZE);
	own_memory(&bo, gpu, mem, PAGE_SIZE, I915_USERPTR_READ_ONLY);
	bo_create(&out, gpu, PAGE_SIZE);
	batch_create(&b, gpu, PAGE_SIZE);
	emit_store(&b, bo.addr, 0xbad);
	emit_lrm(&b, gpu->engine[0]->mmio + 0x600, bo.addr);
	emit_srm(&b, gpu->engine[0]->mmio + 0x600, out.addr);
	batch_end(&b);
	exec_init(&e, gpu, 0, gpu->engine[0]);
	exec_add(&e, &bo, 0);
	exec_add(&e, &out, EXEC_OBJECT_WRITE);
	exec_submit(&e, &b);
	bo_to_cpu(&out);
	bo_expect(&bo, 0, 0x5a5a5a5a, "store to a read-only page");
	bo_expect(&out, 0, 0x5a5a5a5a, "load from a read-only page");
}

static u64 pagemap_pfn(const void *addr)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	u64 entry = 0;

	if (fd < 0 || pread(fd, &entry, 8, (uintptr_t)addr / PAGE_SIZE * 8) != 8)
		test_skip("/proc/self/pagemap cannot be read");
	close(fd);
	return entry & PAGEMAP_PRESENT ? entry & PAGEMAP_PFN : 0;
}

static void need_contiguous(const char *mem)
{
	u64 first = pagemap_pfn(mem);

	if (!first)
		test_skip("/proc/self/pagemap hides page frame numbers: run as root");
	for (u64 p = 0; p < HUGE_SIZE / PAGE_SIZE; p++)
		if (pagemap_pfn(mem + p * PAGE_SIZE) != first + p)
			test_skip("the kernel gave no transparent huge page");
	if (first % (HUGE_SIZE / PAGE_SIZE))
		test_skip("the kernel gave no aligned huge page");
}

/* @count huge pages of zeroes. */
static char *map_huge(unsigned int count)
{
	char *raw = map_anonymous((count + 1) * HUGE_SIZE);
	char *mem = (char *)(((uintptr_t)raw + HUGE_SIZE - 1) & ~(HUGE_SIZE - 1));

	if (madvise(mem, count * HUGE_SIZE, MADV_HUGEPAGE))
		test_skip("no transparent huge pages: %s", strerror(errno));
	memset(mem, 0, count * HUGE_SIZE);
	for (unsigned int i = 0; i < count; i++)
		need_contiguous(mem + i * HUGE_SIZE);
	return mem;
}

/* One dword in each 4 KiB page, each page's at another place and by another engine. */
static void check_pages(struct gpu *gpu, struct bo *bo, const char *what)
{
	u64 pages = bo->size / PAGE_SIZE;
	struct batch b;

	for (unsigned int e = 0; e < gpu->nengines; e++) {
		batch_create(&b, gpu, pages * 16 / gpu->nengines + PAGE_SIZE);
		for (u64 p = e; p < pages; p += gpu->nengines)
			emit_store(&b, bo->addr + p * PAGE_SIZE + p % 1024 * 4, 0x70000000 + p);
		batch_end(&b);
		exec_one(gpu, 0, gpu->engine[e], &b, bo);
		bo_finish(&b.bo, what);
		bo_destroy(&b.bo);
	}
	for (u64 p = 0; p < pages; p++) {
		bo_expect(bo, p * 1024 + p % 1024, 0x70000000 + p, what);
		bo_expect(bo, p * 1024 + (p + 1) % 1024, 0, what);
	}
}

static void test_2m(struct gpu *gpu, const struct testcase *tc)
{
	struct bo bo;

	(void)tc;
	own_memory(&bo, gpu, map_huge(4), 4 * HUGE_SIZE, 0);
	bo.addr = gpu_addr_alloc(gpu, bo.size, HUGE_SIZE);
	check_pages(gpu, &bo, "object of 2 MiB pages");
}

/*
 * Memory that begins 64 KiB into a huge page does not fit a 2 MiB entry, but
 * fills page tables with 64 KiB pages.
 */
static void test_64k(struct gpu *gpu, const struct testcase *tc)
{
	struct bo bo;

	(void)tc;
	own_memory(&bo, gpu, map_huge(3) + 64 * KIB, 2 * HUGE_SIZE, 0);
	bo.addr = gpu_addr_alloc(gpu, bo.size, HUGE_SIZE);
	check_pages(gpu, &bo, "object of 64 KiB pages");
}

/* 2 MiB pages with 4 KiB pages before and behind in the same object. */
static void test_mixed(struct gpu *gpu, const struct testcase *tc)
{
	char *mem = map_anonymous(4 * HUGE_SIZE);
	struct bo bo;

	(void)tc;
	mem = (char *)(((uintptr_t)mem + HUGE_SIZE - 1) & ~(HUGE_SIZE - 1));
	if (madvise(mem, HUGE_SIZE, MADV_NOHUGEPAGE) ||
	    madvise(mem + HUGE_SIZE, HUGE_SIZE, MADV_HUGEPAGE) ||
	    madvise(mem + 2 * HUGE_SIZE, HUGE_SIZE, MADV_NOHUGEPAGE))
		test_skip("no transparent huge pages: %s", strerror(errno));
	memset(mem, 0, 3 * HUGE_SIZE);
	need_contiguous(mem + HUGE_SIZE);
	own_memory(&bo, gpu, mem + HUGE_SIZE - 64 * PAGE_SIZE, HUGE_SIZE + 128 * PAGE_SIZE, 0);
	bo.addr = gpu_addr_alloc(gpu, 3 * HUGE_SIZE, HUGE_SIZE) + HUGE_SIZE - 64 * PAGE_SIZE;
	check_pages(gpu, &bo, "object of mixed page sizes");
}

/* A large object of the driver's own pages, whatever their sizes are. */
static void test_large(struct gpu *gpu, const struct testcase *tc)
{
	struct bo bo;

	(void)tc;
	bo_create(&bo, gpu, 8 * MIB);
	bo.addr = gpu_addr_alloc(gpu, bo.size, HUGE_SIZE) | 0x100000000000ull;
	check_pages(gpu, &bo, "object of 8 MiB");
}

static const struct testcase tests[] = {
	{ "mem-userptr", test_userptr, 0, 20 },
	{ "mem-userptr-read-only", test_read_only, 0, 20 },
	{ "mem-2m", test_2m, 0, 30 },
	{ "mem-64k", test_64k, 0, 30 },
	{ "mem-mixed", test_mixed, 0, 30 },
	{ "mem-large", test_large, 0, 30 },
};

const struct testgroup mem_tests = { tests, ARRAY_SIZE(tests) };
