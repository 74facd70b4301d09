// SPDX-License-Identifier: GPL-2.0-only
/*
 * A virtual GPU: composition, reset, and the accesses of its guest.
 *
 * Two mutexes cover a vGPU, see object.h. An access of the guest takes the inner one
 * only, so it never waits for work that is being prepared; but for a write that
 * resets engines, which has to.
 */
#include <linux/cleanup.h>
#include <linux/pci.h>
#include <linux/vfio.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_pci.h>
#include <gvirt/gen9_pte.h>
#include <gvirt/gen9_reset.h>
#include "lib/reg.h"
#include "mmio_bind.h"
#include "services.h"
#include "vgpu.h"

#define ALL_ENGINES	GENMASK(GVIRT_ENGINES - 1, 0)

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

/* Parts that work needs. */
static int init_work(struct gvirt_vgpu *vgpu, const struct gvirt_vgpu_host *host)
{
	const struct gvirt_submit_parts parts = {
		.name = dev_name(vgpu->dev),
		.gpu = vgpu->gpu,
		.scheds = host->scheds,
		.sw = host->sw,
		.lock = &vgpu->lock,
		.exec = &vgpu->exec,
		.vmmio = &vgpu->mmio,
		.virq = &vgpu->irq,
		.window = &vgpu->window,
		.vppgtt = &vgpu->vppgtt,
	};
	int err;

	err = gvirt_vppgtt_init(&vgpu->vppgtt, &vgpu->guest, &gvirt_services_shadow, vgpu);
	if (!err)
		err = gvirt_shadow_keeper_init(&vgpu->keeper, &vgpu->vppgtt, &vgpu->exec,
					       vgpu->dev);
	if (!err)
		err = gvirt_window_init(&vgpu->window, &vgpu->gpu->ggtt, &vgpu->ggtt, &vgpu->guest);
	if (!err)
		err = gvirt_submit_init(&vgpu->submit, &parts, &gvirt_services_submit, vgpu);
	return err;
}

int gvirt_vgpu_init(struct gvirt_vgpu *vgpu, const struct gvirt_vgpu_services *services)
{
	int err = gvirt_vmmio_init(&vgpu->mmio, &gvirt_regs_gen9, &gvirt_mmio_bind, vgpu);

	if (err)
		return err;
	vgpu->gpu = services->host->gpu;
	vgpu->dev = services->vdev->dev;
	vgpu->revoke = services->revoke;
	vgpu->revoke_data = services->data;
	mutex_init(&vgpu->exec);
	mutex_init(&vgpu->lock);
	gvirt_guest_init(&vgpu->guest, services->vdev, &vgpu->gpu->pci.pdev->dev,
			 &gvirt_services_guest, vgpu);
	gvirt_virq_init(&vgpu->irq, &vgpu->mmio, services->interrupt, services->data);
	gvirt_vggtt_init(&vgpu->ggtt);
	make_cfg(vgpu);
	err = init_work(vgpu, services->host);
	if (err) {
		gvirt_vgpu_fini(vgpu);
		return err;
	}
	vgpu->idle_since = ktime_get();
	return 0;
}

void gvirt_vgpu_fini(struct gvirt_vgpu *vgpu)
{
	if (!vgpu->gpu)
		return;
	gvirt_shadow_keeper_fini(&vgpu->keeper);
	gvirt_submit_fini(&vgpu->submit);
	gvirt_window_fini(&vgpu->window);
	gvirt_vppgtt_fini(&vgpu->vppgtt);
	gvirt_guest_fini(&vgpu->guest);
	gvirt_vggtt_reset(&vgpu->ggtt);
	gvirt_vmmio_fini(&vgpu->mmio);
	mutex_destroy(&vgpu->lock);
	mutex_destroy(&vgpu->exec);
	vgpu->gpu = NULL;
}

static void reset_state_locked(struct gvirt_vgpu *vgpu)
{
	lockdep_assert_held(&vgpu->lock);
	vgpu->reset_due = 0;
	vgpu->full_reset_due = false;
	vgpu->sync_due = false;
	gvirt_vmmio_reset(&vgpu->mmio);
	gvirt_vpcode_reset(&vgpu->pcode);
	gvirt_virq_update(&vgpu->irq);
	gvirt_vggtt_reset(&vgpu->ggtt);
	gvirt_vcfg_reset(&vgpu->cfg);
	vgpu->idle_since = ktime_get();
	vgpu->ran_before_ns = gvirt_submit_ran_ns(&vgpu->submit);
}

/* First what still has effects, then what it refers to. */
void gvirt_vgpu_reset(struct gvirt_vgpu *vgpu)
{
	guard(mutex)(&vgpu->exec);
	gvirt_submit_reset_locked(&vgpu->submit, ALL_ENGINES);
	gvirt_submit_drop_locked(&vgpu->submit);
	gvirt_window_reset(&vgpu->window);
	gvirt_vppgtt_reset(&vgpu->vppgtt);
	guard(mutex)(&vgpu->lock);
	reset_state_locked(vgpu);
}

int gvirt_vgpu_open(struct gvirt_vgpu *vgpu)
{
	int err;

	gvirt_vgpu_reset(vgpu);
	vgpu->ran_before_ns = 0;
	err = gvirt_submit_start(&vgpu->submit);
	if (!err)
		gvirt_shadow_keeper_start(&vgpu->keeper, vgpu->guest.vdev->kvm);
	return err;
}

void gvirt_vgpu_close(struct gvirt_vgpu *vgpu)
{
	gvirt_submit_stop(&vgpu->submit);
	gvirt_vgpu_reset(vgpu);
	gvirt_shadow_keeper_stop(&vgpu->keeper);
	gvirt_guest_release(&vgpu->guest);
}

/* A driver does not set the interrupt mask again after a reset: it stays. */
static void reset_engine_locked(struct gvirt_vgpu *vgpu, unsigned int engine)
{
	u32 imr = vgpu->mmio.table->base[engine] + GEN9_RING_IMR;
	u32 kept = gvirt_vmmio_get(&vgpu->mmio, imr);

	gvirt_vmmio_reset_engine(&vgpu->mmio, engine);
	gvirt_vmmio_set(&vgpu->mmio, imr, kept);
}

static void reset_fences_locked(struct gvirt_vgpu *vgpu)
{
	unsigned int n;

	for (n = 0; n < GEN9_FENCE_COUNT; n++) {
		gvirt_vmmio_set(&vgpu->mmio, GEN9_FENCE_LO(n), 0);
		gvirt_vmmio_set(&vgpu->mmio, GEN9_FENCE_HI(n), 0);
	}
}

static void finish_reset_locked(struct gvirt_vgpu *vgpu, u32 engines, bool full)
{
	unsigned int i;

	lockdep_assert_held(&vgpu->lock);
	for (i = 0; i < GVIRT_ENGINES; i++)
		if (engines & BIT(i))
			reset_engine_locked(vgpu, i);
	if (full)
		reset_fences_locked(vgpu);
	gvirt_vmmio_set(&vgpu->mmio, GEN9_GDRST, 0);
}

/**
 * struct deferred - What a write has asked for that sleeps
 * @reset: bit n: reset of engine n
 * @full: of the whole GT
 * @sync: page tables are to be brought up to date
 */
struct deferred {
	u32 reset;
	bool full;
	bool sync;
};

static struct deferred take_deferred_locked(struct gvirt_vgpu *vgpu)
{
	struct deferred deferred = {
		.reset = vgpu->reset_due,
		.full = vgpu->full_reset_due,
		.sync = vgpu->sync_due,
	};

	lockdep_assert_held(&vgpu->lock);
	vgpu->reset_due = 0;
	vgpu->full_reset_due = false;
	vgpu->sync_due = false;
	return deferred;
}

/* The guest's write ends when it is done. */
static void carry_out(struct gvirt_vgpu *vgpu, const struct deferred *deferred)
{
	guard(mutex)(&vgpu->exec);
	if (deferred->sync)
		gvirt_submit_sync_locked(&vgpu->submit);
	if (!deferred->reset)
		return;
	gvirt_submit_reset_locked(&vgpu->submit, deferred->reset);
	guard(mutex)(&vgpu->lock);
	finish_reset_locked(vgpu, deferred->reset, deferred->full);
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

static int write_bar0_locked(struct gvirt_vgpu *vgpu, u32 offset, unsigned int bytes, u64 value)
{
	lockdep_assert_held(&vgpu->lock);
	if (offset >= GEN9_GTTMMADR_GGTT)
		return gvirt_vggtt_write(&vgpu->ggtt, offset - GEN9_GTTMMADR_GGTT, bytes, value);
	write_registers(vgpu, offset, bytes, value);
	return 0;
}

int gvirt_vgpu_write_bar0(struct gvirt_vgpu *vgpu, u32 offset, unsigned int bytes, u64 value)
{
	struct deferred deferred;
	int err;

	scoped_guard(mutex, &vgpu->lock) {
		err = write_bar0_locked(vgpu, offset, bytes, value);
		deferred = take_deferred_locked(vgpu);
	}
	if (deferred.reset || deferred.sync)
		carry_out(vgpu, &deferred);
	return err;
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

static bool gpa_locked(struct gvirt_vgpu *vgpu, u64 address, u64 *gpa)
{
	u64 entry = gvirt_vggtt_entry(&vgpu->ggtt, address >> GEN9_PAGE_SHIFT_4K);

	lockdep_assert_held(&vgpu->lock);
	*gpa = (entry & GEN9_GGTT_ADDR_MASK) | (address & (GEN9_TABLE_SIZE - 1));
	return entry & GEN9_GGTT_PRESENT;
}

bool gvirt_vgpu_ggtt_gpa(struct gvirt_vgpu *vgpu, u64 address, u64 *gpa)
{
	guard(mutex)(&vgpu->lock);
	return gpa_locked(vgpu, address, gpa);
}

static struct gvirt_fence fence_locked(struct gvirt_vgpu *vgpu, unsigned int n)
{
	u64 lo = gvirt_vmmio_get(&vgpu->mmio, GEN9_FENCE_LO(n));
	u64 hi = gvirt_vmmio_get(&vgpu->mmio, GEN9_FENCE_HI(n));

	lockdep_assert_held(&vgpu->lock);
	return gvirt_fence_decode(hi << 32 | lo);
}

void gvirt_vgpu_fences(struct gvirt_vgpu *vgpu, struct gvirt_fence *fence)
{
	unsigned int n;

	guard(mutex)(&vgpu->lock);
	for (n = 0; n < GEN9_FENCE_COUNT; n++)
		fence[n] = fence_locked(vgpu, n);
}

bool gvirt_vgpu_aperture_gpa(struct gvirt_vgpu *vgpu, u64 offset, u64 *gpa, u32 *run)
{
	struct gvirt_fence fence;
	unsigned int n;

	*run = GEN9_TABLE_SIZE - (offset & (GEN9_TABLE_SIZE - 1));
	guard(mutex)(&vgpu->lock);
	for (n = 0; n < GEN9_FENCE_COUNT; n++) {
		fence = fence_locked(vgpu, n);
		if (gvirt_fence_covers(&fence, offset >> GEN9_PAGE_SHIFT_4K)) {
			offset = gvirt_fence_detile(&fence, offset, run);
			break;
		}
	}
	return gpa_locked(vgpu, offset, gpa);
}
