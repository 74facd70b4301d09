// SPDX-License-Identifier: GPL-2.0-only
/*
 * A virtual GPU: composition, reset, and the accesses of its guest.
 *
 * One lock covers a vGPU. It is never held while a guest is waited for: guest memory
 * is accessed without it.
 */
#include <linux/pci.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>
#include "lib/reg.h"
#include "mmio_bind.h"
#include "vgpu.h"

static void make_cfg(struct gvirt_vgpu *vgpu)
{
	const struct pci_dev *pdev = vgpu->gpu->pci.pdev;
	const struct gvirt_vcfg_identity identity = {
		.device = pdev->device,
		.revision = pdev->revision,
		.subsystem_vendor = pdev->subsystem_vendor,
		.subsystem_device = pdev->subsystem_device,
		.aperture_size = GVIRT_VGPU_APERTURE_SIZE,
	};

	gvirt_vcfg_init(&vgpu->cfg, &identity);
}

static void start_clocks_locked(struct gvirt_vgpu *vgpu)
{
	lockdep_assert_held(&vgpu->lock);
	vgpu->clock_base = gvirt_mmio_bind_clock(vgpu);
	vgpu->idle_since = ktime_get();
}

int gvirt_vgpu_init(struct gvirt_vgpu *vgpu, struct gvirt_gpu *gpu,
		    void (*interrupt)(void *data, bool level), void *data)
{
	int err = gvirt_vmmio_init(&vgpu->mmio, &gvirt_regs_gen9, &gvirt_mmio_bind, vgpu);

	if (err)
		return err;
	vgpu->gpu = gpu;
	mutex_init(&vgpu->lock);
	gvirt_virq_init(&vgpu->irq, &vgpu->mmio, interrupt, data);
	gvirt_vggtt_init(&vgpu->ggtt);
	make_cfg(vgpu);
	guard(mutex)(&vgpu->lock);
	start_clocks_locked(vgpu);
	return 0;
}

void gvirt_vgpu_fini(struct gvirt_vgpu *vgpu)
{
	if (!vgpu->gpu)
		return;
	gvirt_vggtt_reset(&vgpu->ggtt);
	gvirt_vmmio_fini(&vgpu->mmio);
	mutex_destroy(&vgpu->lock);
	vgpu->gpu = NULL;
}

/* First what could still have effects, then what it refers to. */
void gvirt_vgpu_reset(struct gvirt_vgpu *vgpu)
{
	guard(mutex)(&vgpu->lock);
	memset(vgpu->elsp, 0, sizeof(vgpu->elsp));
	gvirt_vmmio_reset(&vgpu->mmio);
	gvirt_virq_update(&vgpu->irq);
	gvirt_vggtt_reset(&vgpu->ggtt);
	gvirt_vcfg_reset(&vgpu->cfg);
	start_clocks_locked(vgpu);
}

static u64 read_registers(struct gvirt_vgpu *vgpu, u32 offset, unsigned int bytes)
{
	u64 value;

	if (bytes != 8)
		return gvirt_vmmio_read(&vgpu->mmio, offset, bytes);
	value = gvirt_vmmio_read(&vgpu->mmio, offset, 4);
	return value | (u64)gvirt_vmmio_read(&vgpu->mmio, offset + 4, 4) << 32;
}

u64 gvirt_vgpu_read_bar0(struct gvirt_vgpu *vgpu, u32 offset, unsigned int bytes)
{
	guard(mutex)(&vgpu->lock);
	if (offset >= GEN9_GTTMMADR_GGTT)
		return gvirt_vggtt_read(&vgpu->ggtt, offset - GEN9_GTTMMADR_GGTT, bytes);
	return read_registers(vgpu, offset, bytes);
}

static void write_registers(struct gvirt_vgpu *vgpu, u32 offset, unsigned int bytes, u64 value)
{
	if (bytes != 8) {
		gvirt_vmmio_write(&vgpu->mmio, offset, bytes, value);
		return;
	}
	gvirt_vmmio_write(&vgpu->mmio, offset, 4, lower_32_bits(value));
	gvirt_vmmio_write(&vgpu->mmio, offset + 4, 4, upper_32_bits(value));
}

int gvirt_vgpu_write_bar0(struct gvirt_vgpu *vgpu, u32 offset, unsigned int bytes, u64 value)
{
	guard(mutex)(&vgpu->lock);
	if (offset >= GEN9_GTTMMADR_GGTT)
		return gvirt_vggtt_write(&vgpu->ggtt, offset - GEN9_GTTMMADR_GGTT, bytes, value);
	write_registers(vgpu, offset, bytes, value);
	return 0;
}

void gvirt_vgpu_read_cfg(struct gvirt_vgpu *vgpu, u32 offset, u8 *data, u32 len)
{
	guard(mutex)(&vgpu->lock);
	gvirt_vcfg_read(&vgpu->cfg, offset, data, len);
}

void gvirt_vgpu_write_cfg(struct gvirt_vgpu *vgpu, u32 offset, const u8 *data, u32 len)
{
	guard(mutex)(&vgpu->lock);
	gvirt_vcfg_write(&vgpu->cfg, offset, data, len);
}

bool gvirt_vgpu_aperture_gpa(struct gvirt_vgpu *vgpu, u64 offset, u64 *gpa)
{
	u64 entry;

	guard(mutex)(&vgpu->lock);
	entry = gvirt_vggtt_entry(&vgpu->ggtt, offset >> GEN9_PAGE_SHIFT_4K);
	*gpa = (entry & GEN9_GGTT_ADDR_MASK) | (offset & (GEN9_TABLE_SIZE - 1));
	return entry & GEN9_GGTT_PRESENT;
}
