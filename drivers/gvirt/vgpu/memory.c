// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host memory that a vGPU takes: see memory.h.
 */
#include <linux/cleanup.h>
#include "memory.h"
#include "object.h"

/* Pages for absent memory: those of the window, and of the shadow tables with its tables. */
#define SCRATCH_PAGES	(1 + 1 + GVIRT_SCRATCH_LEVELS)

/* What only grows and shrinks with work. */
static u64 work_bytes_locked(struct gvirt_vgpu *vgpu)
{
	lockdep_assert_held(&vgpu->exec);
	return gvirt_shadow_pool_bytes(&vgpu->vppgtt.pool) +
	       gvirt_vcontexts_bytes(&vgpu->submit.contexts) +
	       gvirt_scan_bytes(&vgpu->submit.scan) +
	       SCRATCH_PAGES * GEN9_TABLE_SIZE;
}

u64 gvirt_vgpu_memory(struct gvirt_vgpu *vgpu)
{
	guard(mutex)(&vgpu->exec);
	guard(mutex)(&vgpu->lock);
	return sizeof(*vgpu) + work_bytes_locked(vgpu) + gvirt_vmmio_bytes(&vgpu->mmio) +
	       gvirt_vggtt_bytes(&vgpu->ggtt) + gvirt_window_bytes(&vgpu->window) +
	       gvirt_guest_bytes(&vgpu->guest);
}
