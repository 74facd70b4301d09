/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Host memory that a vGPU takes.
 */
#ifndef GVIRT_VGPU_MEMORY_H
#define GVIRT_VGPU_MEMORY_H

#include <linux/types.h>

struct gvirt_vgpu;

/*
 * Whatever its guest does, in MiB: 197 for 16640 shadow tables if all were above level 1, 22 for
 * stashed contexts, 8 for the GGTT, 9 for shadow contexts, copies and work space, 8 for what
 * is known of the guest's tables, of its aperture and of slots in the window, 1 for registers;
 * rounded up. Pages that are pinned come on top: they are the guest's own.
 */
#define GVIRT_VGPU_MEMORY_MOST_MIB	256u

/**
 * gvirt_vgpu_memory() - Host memory that a vGPU takes now
 * @vgpu: an initialised one
 *
 * Counts what is in proportion to what the guest does and what its structures are; not the
 * allocators' own overhead, nor the pages of the guest; nor what is mapped of its aperture, which
 * gvirt_aperture_bytes() says. Sleeps.
 *
 * Return: bytes.
 */
u64 gvirt_vgpu_memory(struct gvirt_vgpu *vgpu);

#endif
