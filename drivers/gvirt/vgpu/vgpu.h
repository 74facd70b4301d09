/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A virtual GPU: its parts together.
 */
#ifndef GVIRT_VGPU_VGPU_H
#define GVIRT_VGPU_VGPU_H

#include <linux/types.h>
#include "object.h"

#define GVIRT_VGPU_APERTURE_SIZE	0x10000000ull	/* BAR2, in bytes */

/**
 * gvirt_vgpu_init() - Make a vGPU, in the state after reset
 * @vgpu: to be initialised; zeroed
 * @gpu: the chip
 * @interrupt: gets every change of the vGPU's interrupt line; must not sleep
 * @data: for @interrupt
 *
 * Return: 0 or -ENOMEM.
 */
int gvirt_vgpu_init(struct gvirt_vgpu *vgpu, struct gvirt_gpu *gpu,
		    void (*interrupt)(void *data, bool level), void *data);

/**
 * gvirt_vgpu_fini() - Give all memory back
 * @vgpu: of gvirt_vgpu_init(), or one for which that failed or was not called
 *
 * Does not touch the chip, which may be gone.
 */
void gvirt_vgpu_fini(struct gvirt_vgpu *vgpu);

/**
 * gvirt_vgpu_reset() - Back to the state of a new vGPU
 * @vgpu: which
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
 * gvirt_vgpu_aperture_gpa() - What the CPU reaches through the aperture
 * @vgpu: which
 * @offset: in BAR2
 * @gpa: gets the address in the guest's memory
 *
 * Return: true, or false where the guest's GGTT maps nothing.
 */
bool gvirt_vgpu_aperture_gpa(struct gvirt_vgpu *vgpu, u64 offset, u64 *gpa);

#endif
