/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A virtual GPU: its parts together.
 */
#ifndef GVIRT_VGPU_VGPU_H
#define GVIRT_VGPU_VGPU_H

#include <linux/types.h>
#include "lib/fence.h"
#include "object.h"

struct vfio_device;

#define GVIRT_VGPU_APERTURE_SIZE	0x10000000ull	/* BAR2, in bytes */

/**
 * struct gvirt_vgpu_host - What all vGPUs of a GPU share
 * @gpu: the chip
 * @scheds: its schedulers
 * @sw: its switched registers
 */
struct gvirt_vgpu_host {
	struct gvirt_gpu *gpu;
	struct gvirt_scheds *scheds;
	struct gvirt_switch *sw;
};

/**
 * struct gvirt_vgpu_services - What a vGPU is made with
 * @host: what it shares with others
 * @vdev: its VFIO device, through which guest memory is reached
 * @interrupt: gets every change of the vGPU's interrupt line; must not sleep
 * @revoke: lets go of the guest's pages in a range of gfns, inclusive; may sleep
 * @data: for @interrupt and @revoke
 */
struct gvirt_vgpu_services {
	const struct gvirt_vgpu_host *host;
	struct vfio_device *vdev;
	void (*interrupt)(void *data, bool level);
	void (*revoke)(void *data, u64 first_gfn, u64 last_gfn);
	void *data;
};

/**
 * gvirt_vgpu_init() - Make a vGPU, in the state after reset
 * @vgpu: to be initialised; zeroed
 * @services: what it is made with
 *
 * Return: 0 or -ENOMEM.
 */
int gvirt_vgpu_init(struct gvirt_vgpu *vgpu, const struct gvirt_vgpu_services *services);

/**
 * gvirt_vgpu_fini() - Give all memory back
 * @vgpu: of gvirt_vgpu_init(), or one for which that failed or was not called; closed
 *
 * Does not touch the chip, which may be gone.
 */
void gvirt_vgpu_fini(struct gvirt_vgpu *vgpu);

/**
 * gvirt_vgpu_open() - A user comes: from now on work runs
 * @vgpu: a closed one
 *
 * Return: 0, or -ENOSPC when an engine has too many users.
 */
int gvirt_vgpu_open(struct gvirt_vgpu *vgpu);

/**
 * gvirt_vgpu_close() - The user goes: work is dropped, memory unpinned, state reset
 * @vgpu: which
 */
void gvirt_vgpu_close(struct gvirt_vgpu *vgpu);

/**
 * gvirt_vgpu_reset() - Back to the state of a new vGPU; its work is dropped
 * @vgpu: which
 *
 * Sleeps until the engines have let go, which is bounded.
 */
void gvirt_vgpu_reset(struct gvirt_vgpu *vgpu);

/**
 * gvirt_vgpu_read_bar0() - A guest's read of registers or of the GGTT
 * @vgpu: which
 * @offset: in BAR0, a multiple of @bytes
 * @bytes: 1, 2, 4 or 8; 8 bytes of registers are two reads, the lower one first
 *
 * Return: the value.
 */
u64 gvirt_vgpu_read_bar0(struct gvirt_vgpu *vgpu, u32 offset, unsigned int bytes);

/**
 * gvirt_vgpu_write_bar0() - A guest's write to registers or to the GGTT
 * @vgpu: which
 * @offset: in BAR0, a multiple of @bytes
 * @bytes: 1, 2, 4 or 8; 8 bytes of registers are two writes, the lower one first
 * @value: what is written
 *
 * Return: 0, or -ENOMEM for an entry of the GGTT.
 */
int gvirt_vgpu_write_bar0(struct gvirt_vgpu *vgpu, u32 offset, unsigned int bytes, u64 value);

/**
 * gvirt_vgpu_read_cfg() - Read configuration space
 * @vgpu: which
 * @offset: first byte
 * @data: gets the bytes
 * @len: how many; not beyond GVIRT_VCFG_EXTENDED
 */
void gvirt_vgpu_read_cfg(struct gvirt_vgpu *vgpu, u32 offset, u8 *data, u32 len);

/**
 * gvirt_vgpu_write_cfg() - Write configuration space
 * @vgpu: which
 * @offset: first byte
 * @data: the bytes
 * @len: how many; not beyond GVIRT_VCFG_EXTENDED
 */
void gvirt_vgpu_write_cfg(struct gvirt_vgpu *vgpu, u32 offset, const u8 *data, u32 len);

/**
 * gvirt_vgpu_ggtt_gpa() - Where an address of the guest's GGTT leads to
 * @vgpu: which
 * @address: GGTT address
 * @gpa: gets the address in the guest's memory
 *
 * Return: true, or false where the guest's GGTT maps nothing.
 */
bool gvirt_vgpu_ggtt_gpa(struct gvirt_vgpu *vgpu, u64 address, u64 *gpa);

/**
 * gvirt_vgpu_aperture_gpa() - What the CPU reaches through the aperture
 * @vgpu: which
 * @offset: in BAR2
 * @gpa: gets the address in the guest's memory, as the guest's fences have it
 * @run: gets how many bytes from there on are together; to the page's end at most
 *
 * Return: true, or false where the guest's GGTT maps nothing.
 */
bool gvirt_vgpu_aperture_gpa(struct gvirt_vgpu *vgpu, u64 offset, u64 *gpa, u32 *run);

/**
 * gvirt_vgpu_fences() - What the guest's fence registers mean now
 * @vgpu: which
 * @fence: gets GEN9_FENCE_COUNT fences
 */
void gvirt_vgpu_fences(struct gvirt_vgpu *vgpu, struct gvirt_fence *fence);

#endif
