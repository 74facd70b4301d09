// SPDX-License-Identifier: GPL-2.0-only
/*
 * Services of a vGPU: see services.h.
 *
 * Guest memory is reached through the guest's GGTT, as the chip would reach it. The
 * GGTT's table is read without the vGPU's lock: an entry that the guest changes at
 * that moment is the old or the new one.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <gvirt/gen9_pte.h>
#include "lib/lrc.h"
#include "lib/pte.h"
#include "lib/reg.h"
#include "hw/pci.h"
#include "object.h"
#include "services.h"

/* Guest memory. */

static bool translate(struct gvirt_vgpu *vgpu, u32 address, u64 *gpa)
{
	const struct gvirt_pte_rules rules = { .gpa_end = BIT_ULL(GEN9_PHYS_BITS) };
	struct gvirt_pte pte;

	pte = gvirt_pte_decode_ggtt(&rules, gvirt_vggtt_entry(&vgpu->ggtt,
							      address >> GEN9_PAGE_SHIFT_4K));
	*gpa = pte.gpa | (address & (GEN9_TABLE_SIZE - 1));
	return pte.kind == GVIRT_PTE_PAGE && !pte.fault;
}

static int read_ggtt(void *data, u32 address, void *to, u32 bytes)
{
	struct gvirt_vgpu *vgpu = data;
	u64 gpa;

	lockdep_assert_held(&vgpu->exec);
	if (!translate(vgpu, address, &gpa))
		return -EFAULT;
	return gvirt_guest_read(&vgpu->guest, gpa, to, bytes);
}

static int write_ggtt(void *data, u32 address, const void *from, u32 bytes)
{
	struct gvirt_vgpu *vgpu = data;
	u64 gpa;

	lockdep_assert_held(&vgpu->exec);
	if (!translate(vgpu, address, &gpa))
		return -EFAULT;
	return gvirt_guest_write(&vgpu->guest, gpa, from, bytes);
}

static bool locate(void *data, u32 address, u64 *gpa)
{
	return translate(data, address, gpa);
}

/* The VMM takes memory away, for good or to give other memory. */
static void revoke(void *data, u64 first_gfn, u64 last_gfn)
{
	struct gvirt_vgpu *vgpu = data;

	vgpu->revoke(vgpu->revoke_data, first_gfn, last_gfn);
	guard(mutex)(&vgpu->exec);
	gvirt_vppgtt_revoke(&vgpu->vppgtt, first_gfn, last_gfn);
	gvirt_window_revoke(&vgpu->window, first_gfn, last_gfn);
}

const struct gvirt_guest_services gvirt_services_guest = {
	.revoke = revoke,
};

/* An engine that does not answer could still reach what is to be freed. */
static void invalidate(void *data)
{
	struct gvirt_vgpu *vgpu = data;
	struct gvirt_gpu *gpu = vgpu->gpu;
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		if (!gpu->engine[i] || !gvirt_engine_invalidate_tlb(gpu->engine[i]))
			continue;
		/* Who has left the bus reaches nothing. */
		if (gvirt_mmio_gone(&gpu->mmio))
			return;
		dev_err_ratelimited(gpu->mmio.dev, "%s does not forget translations: the GPU is kept from memory. Power cycle the machine\n",
				    gpu->engine[i]->name);
		gvirt_pci_stop_dma(&gpu->pci);
		return;
	}
}

static void stored(void *data, u64 gfn, u32 offset, unsigned int bytes)
{
	struct gvirt_vgpu *vgpu = data;

	guard(mutex)(&vgpu->exec);
	gvirt_vppgtt_mirror(&vgpu->vppgtt, gfn, offset, bytes);
}

const struct gvirt_shadow_services gvirt_services_shadow = {
	.invalidate = invalidate,
	.stored = stored,
};

/* Registers, for commands. */

static u32 read_reg(void *data, u32 offset)
{
	struct gvirt_vgpu *vgpu = data;

	guard(mutex)(&vgpu->lock);
	return gvirt_vmmio_read(&vgpu->mmio, offset, sizeof(u32));
}

static void write_reg(void *data, u32 offset, u32 value)
{
	struct gvirt_vgpu *vgpu = data;
	struct gvirt_reg_ref ref = gvirt_reg_find(vgpu->mmio.table, offset);
	u32 old;

	if (!ref.row)
		return;
	guard(mutex)(&vgpu->lock);
	old = gvirt_vmmio_get(&vgpu->mmio, offset);
	gvirt_vmmio_set(&vgpu->mmio, offset, gvirt_reg_apply(ref.row, old, value));
}

/* Refusals. */

static const char *detail_of(const struct gvirt_refusal *refusal)
{
	if (refusal->why == GVIRT_REFUSED_COMMAND)
		return gvirt_audit_reason_name(refusal->detail);
	return gvirt_refused_name(refusal->why);
}

static void tell_refused(void *data, enum gvirt_engine_id engine,
			 const struct gvirt_refusal *refusal)
{
	struct gvirt_vgpu *vgpu = data;

	dev_notice_ratelimited(vgpu->dev,
			       "%s: request of the guest refused: %s (%u, %08x at %x)\n",
			       vgpu->gpu->engine[engine]->name, detail_of(refusal),
			       refusal->detail, refusal->value, refusal->at);
}

const struct gvirt_submit_services gvirt_services_submit = {
	.scan = {
		.read = read_ggtt,
		.reg_read = read_reg,
		.reg_write = write_reg,
	},
	.contexts = {
		.read = read_ggtt,
		.write = write_ggtt,
		.locate = locate,
	},
	.refused = tell_refused,
};
