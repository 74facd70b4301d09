/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffer objects. All functions end the running test as failed on an error
 * that the test does not ask about.
 */
#ifndef I915_TEST_GEM_H
#define I915_TEST_GEM_H

#include "gpu.h"

#define PAGE_SIZE 4096u

/**
 * struct bo - a buffer object and the GPU address that the tests give it
 * @gpu: its device
 * @handle: GEM handle
 * @size: bytes, whole pages
 * @addr: GPU address in canonical form; free to be changed before the first use
 * @cpu: write-back mapping of its pages (for a userptr object, the memory itself)
 */
struct bo {
	struct gpu *gpu;
	u32 handle;
	u64 size;
	u64 addr;
	void *cpu;
};

/**
 * mem_read32() - one load of memory that the GPU, or a device's BAR, may change
 * @p: where
 *
 * Return: what is there now.
 */
static inline u32 mem_read32(const u32 *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/**
 * mem_write32() - one store to memory that the GPU, or a device's BAR, sees
 * @p: where
 * @value: what
 */
static inline void mem_write32(u32 *p, u32 value)
{
	__atomic_store_n(p, value, __ATOMIC_RELAXED);
}

/**
 * bo_create() - create an object of zeroes and map it for the CPU
 * @bo: filled in
 * @gpu: device
 * @size: bytes, rounded up to pages
 */
void bo_create(struct bo *bo, struct gpu *gpu, u64 size);

/**
 * bo_create_userptr() - make an object of memory of this process
 * @bo: filled in
 * @gpu: device
 * @mem: page aligned memory
 * @size: bytes, whole pages
 * @flags: I915_USERPTR_*
 *
 * Return: 0, or a negative errno: -ENODEV when the driver does not do this.
 */
int bo_create_userptr(struct bo *bo, struct gpu *gpu, void *mem, u64 size, u32 flags);

/**
 * bo_destroy() - unmap and close
 * @bo: object
 */
void bo_destroy(struct bo *bo);

/**
 * bo_wait() - wait for the GPU
 * @bo: object
 * @timeout_ms: bound
 *
 * Return: 0, -ETIME when it is still busy, or another negative errno.
 */
int bo_wait(const struct bo *bo, unsigned int timeout_ms);

/**
 * bo_finish() - wait for the GPU, and fail the test when that takes too long
 * @bo: object
 * @what: names the work in the message
 */
void bo_finish(const struct bo *bo, const char *what);

/**
 * bo_is_busy() - does any engine still use the object
 * @bo: object
 *
 * Return: true when one does.
 */
bool bo_is_busy(const struct bo *bo);

/**
 * bo_set_tiling() - let mappings through the aperture be detiled
 * @bo: object
 * @mode: I915_TILING_*
 * @stride: bytes of one row
 *
 * Return: the I915_BIT_6_SWIZZLE_* that the driver reports.
 */
u32 bo_set_tiling(const struct bo *bo, u32 mode, u32 stride);

/**
 * bo_map_aperture() - map through the aperture, fenced when the object is tiled
 * @bo: object
 *
 * Return: mapping of the whole object.
 */
void *bo_map_aperture(const struct bo *bo);

/**
 * bo_to_cpu() - make the GPU's writes visible in @bo->cpu, after a bounded wait
 * @bo: object
 */
void bo_to_cpu(const struct bo *bo);

/**
 * bo_dword() - one dword of the object as the CPU sees it
 * @bo: object
 * @index: dword
 *
 * Return: its value, read afresh.
 */
static inline u32 bo_dword(const struct bo *bo, u64 index)
{
	return mem_read32((const u32 *)bo->cpu + index);
}

/**
 * bo_set_dword() - write one dword
 * @bo: object
 * @index: dword
 * @value: value
 */
static inline void bo_set_dword(const struct bo *bo, u64 index, u32 value)
{
	mem_write32((u32 *)bo->cpu + index, value);
}

/**
 * bo_expect() - fail the test unless a dword has a value
 * @bo: object
 * @index: dword
 * @value: expected
 * @what: names the place in the message
 */
void bo_expect(const struct bo *bo, u64 index, u32 value, const char *what);

#endif
