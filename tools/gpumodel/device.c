// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device: all parts of one GPU put together.
 *
 * This is the one file that knows every part. What a part cannot do alone,
 * since it reaches several, stands here as well: resets by GDRST, TLB
 * invalidation by register, and the BARs as the vfio-user server sees them.
 *
 * Sources: Linux i915, gt/intel_ggtt.c (BARs), gt/intel_gt_regs.h, gt/intel_reset.c
 * and gt/intel_tlb.c (GDRST and the TLB registers).
 */
#include <stdlib.h>
#include <string.h>
#include <linux/array_size.h>
#include <gvirt/gen9_cmds.h>
#include <gvirt/gen9_engine.h>
#include <gvirt/gen9_fence.h>
#include <gvirt/gen9_gt.h>
#include <gvirt/gen9_reset.h>
#include "aperture.h"
#include "device.h"
#include "dma.h"
#include "forcewake.h"
#include "ggtt.h"
#include "mmio.h"
#include "pci_config.h"
#include "power.h"
#include "vfu_server.h"

/* GTTMMADR: registers in the lower half, the GGTT in the upper. */
#define BAR0_SIZE	(16u << 20)
#define BAR0_GGTT	(8u << 20)
#define BAR4_SIZE	64u

struct gm_device {
	struct gm_device_config config;
	struct gm_stats stats;
	struct gm_dma *dma;
	struct gm_ggtt *ggtt;
	struct gm_mmio *mmio;
	struct gm_forcewake *forcewake;
	struct gm_irq *irq;
	struct gm_aperture *aperture;
	struct gm_pci_config *pci;
	struct gm_vblank *vblank;
	struct gm_engine *engine[GM_ENGINE_COUNT];
	u32 io_index;
	_Atomic bool gone;
};

static void signal_engine(void *opaque, u32 target, u32 context_id)
{
	static const unsigned int targets[] = {
		[GEN9_MI_SEMAPHORE_TARGET_RCS] = GM_RCS,
		[GEN9_MI_SEMAPHORE_TARGET_VCS] = GM_VCS,
		[GEN9_MI_SEMAPHORE_TARGET_BCS] = GM_BCS,
		[GEN9_MI_SEMAPHORE_TARGET_VECS] = GM_VECS,
	};
	struct gm_device *device = opaque;

	if (target < ARRAY_SIZE(targets) && device->engine[targets[target]])
		gm_engine_signal(device->engine[targets[target]], context_id);
}

/* Which engine a bit of GDRST resets. */
static const struct {
	u32 bit;
	unsigned int engine;
} reset_domains[] = {
	{ GEN9_GDRST_RENDER, GM_RCS },
	{ GEN9_GDRST_MEDIA, GM_VCS },
	{ GEN9_GDRST_BLT, GM_BCS },
	{ GEN9_GDRST_VECS, GM_VECS },
};

static void reset_engine(struct gm_device *device, unsigned int number)
{
	struct gm_engine *engine = device->engine[number];

	if (!engine)
		return;
	if (!gm_engine_ready_for_reset(engine))
		gm_misuse(&device->stats, GM_MISUSE_RESET_NOT_READY,
			  "GDRST of %s without the handshake of its RESET_CTL",
			  gm_engine_name(number));
	gm_engine_reset(engine);
}

/*
 * Registers of the GT that a full GT reset brings back: the render and media
 * units' state and workaround registers, L3, MOCS and the fences (i915 writes them
 * again after a full reset). Power management, interrupts and the GGTT stay.
 */
static const struct {
	u32 first;
	u32 last;
} full_reset_ranges[] = {
	{ 0x05200, 0x07ffc },
	{ 0x0b000, 0x0b4fc },
	{ GEN9_GFX_MOCS(0), GEN9_BLT_MOCS(GEN9_MOCS_COUNT - 1) },
	{ 0x0e000, 0x0e7fc },
	{ GEN9_FENCE_LO(0), GEN9_FENCE_HI(GEN9_FENCE_COUNT - 1) },
};

static void reset_gt_registers(struct gm_device *device)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(full_reset_ranges); i++)
		gm_mmio_reset(device->mmio, full_reset_ranges[i].first, full_reset_ranges[i].last);
}

static void write_gdrst(void *opaque, u32 offset, u32 value)
{
	struct gm_device *device = opaque;
	bool full = value & GEN9_GDRST_FULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reset_domains); i++)
		if (full || value & reset_domains[i].bit)
			reset_engine(device, reset_domains[i].engine);
	if (full)
		reset_gt_registers(device);
	gm_count(&device->stats, full ? GM_COUNT_RESET_FULL : GM_COUNT_RESET_ENGINE, 1);

	/* The reset is over at once: its request bits read as zero. */
	gm_mmio_poke(device->mmio, offset, 0);
}

/* The TLB invalidation register of each engine; bit 0 requests and clears itself. */
static void write_tlb_invalidate(void *opaque, u32 offset, u32 value)
{
	static const struct {
		u32 offset;
		unsigned int engine;
	} map[] = {
		{ GEN9_TLB_RENDER, GM_RCS },
		{ GEN9_TLB_VIDEO, GM_VCS },
		{ GEN9_TLB_BLT, GM_BCS },
		{ GEN9_TLB_VEBOX, GM_VECS },
	};
	struct gm_device *device = opaque;
	size_t i;

	gm_mmio_poke(device->mmio, offset, 0);
	if (!(value & GEN9_TLB_INVALIDATE))
		return;
	for (i = 0; i < ARRAY_SIZE(map); i++)
		if (map[i].offset == offset && device->engine[map[i].engine])
			gm_engine_invalidate_tlb(device->engine[map[i].engine]);
}

/* A write flushes the GGTT's writes and drops every cached GGTT entry. */
static void write_gfx_flush(void *opaque, u32 offset, u32 value)
{
	struct gm_device *device = opaque;
	int i;

	gm_mmio_poke(device->mmio, offset, value);
	for (i = 0; i < GM_ENGINE_COUNT; i++)
		if (device->engine[i])
			gm_engine_invalidate_ggtt(device->engine[i]);
	gm_aperture_invalidate(device->aperture);
}

static int add_own_registers(struct gm_device *device)
{
	const struct gm_mmio_range ranges[] = {
		{ .first = GEN9_GDRST, .last = GEN9_GDRST, .write = write_gdrst },
		{ .first = GEN9_TLB_RENDER, .last = GEN9_TLB_GUC, .write = write_tlb_invalidate },
		{
			.first = GEN9_GFX_FLSH_CNTL,
			.last = GEN9_GFX_FLSH_CNTL,
			.write = write_gfx_flush,
		},
	};
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		struct gm_mmio_range range = ranges[i];

		range.opaque = device;
		err = gm_mmio_add(device->mmio, &range);
		if (err)
			return err;
	}
	return 0;
}

static bool create_engines(struct gm_device *device)
{
	const struct gm_platform *platform = device->config.platform;
	unsigned int i;

	for (i = 0; i < GM_ENGINE_COUNT; i++) {
		const struct gm_engine_config config = {
			.engine = i,
			.timestamp_hz = platform->timestamp_hz,
			.dma = device->dma,
			.ggtt = device->ggtt,
			.mmio = device->mmio,
			.irq = device->irq,
			.stats = &device->stats,
			.record = device->config.record,
			.signal = signal_engine,
			.opaque = device,
			.display_events = device->config.display ? gm_display_events : NULL,
		};

		if (!(platform->engine_mask & BIT(i)))
			continue;
		device->engine[i] = gm_engine_create(&config);
		if (!device->engine[i])
			return false;
	}
	return true;
}

static bool create_parts(struct gm_device *device)
{
	const struct gm_device_config *config = &device->config;

	device->dma = gm_dma_create(&device->stats);
	device->ggtt = gm_ggtt_create(config->platform->ggtt_size);
	device->pci = gm_pci_config_create(config->platform);
	device->mmio = gm_mmio_create(&device->stats);
	if (!device->dma || !device->ggtt || !device->pci || !device->mmio)
		return false;

	device->forcewake = gm_forcewake_create(device->mmio, &device->stats);
	device->irq = gm_irq_create(device->mmio, &device->stats, config->interrupt,
				    config->opaque);
	if (!device->forcewake || !device->irq)
		return false;
	gm_mmio_set_forcewake(device->mmio, device->forcewake);

	device->aperture = gm_aperture_create(config->platform->aperture_size, device->dma,
					      device->ggtt, device->mmio, &device->stats);
	if (!device->aperture)
		return false;

	if (gm_pcode_add(device->mmio) || gm_gt_power_add(device->mmio) ||
	    gm_display_add(device->mmio, config->display) || add_own_registers(device))
		return false;

	if (config->display) {
		device->vblank = gm_vblank_create(device->mmio, device->irq);
		if (!device->vblank)
			return false;
	}
	return create_engines(device);
}

struct gm_device *gm_device_create(const struct gm_device_config *config)
{
	struct gm_device *device = calloc(1, sizeof(*device));

	if (!device)
		return NULL;
	device->config = *config;
	if (!create_parts(device)) {
		gm_device_destroy(device);
		return NULL;
	}
	return device;
}

void gm_device_destroy(struct gm_device *device)
{
	int i;

	for (i = 0; i < GM_ENGINE_COUNT; i++)
		if (device->engine[i])
			gm_engine_destroy(device->engine[i]);
	if (device->aperture)
		gm_aperture_destroy(device->aperture);
	if (device->vblank)
		gm_vblank_destroy(device->vblank);
	if (device->irq)
		gm_irq_destroy(device->irq);
	if (device->forcewake)
		gm_forcewake_destroy(device->forcewake);
	if (device->mmio)
		gm_mmio_destroy(device->mmio);
	if (device->pci)
		gm_pci_config_destroy(device->pci);
	if (device->ggtt)
		gm_ggtt_destroy(device->ggtt);
	if (device->dma)
		gm_dma_destroy(device->dma);
	free(device);
}

/* What a function-level reset does. The GGTT is memory: it keeps its entries. */
static void reset_device(void *opaque)
{
	struct gm_device *device = opaque;
	int i;

	for (i = 0; i < GM_ENGINE_COUNT; i++)
		if (device->engine[i])
			gm_engine_reset(device->engine[i]);
	gm_mmio_reset(device->mmio, 0, GM_MMIO_SIZE - 4);
	gm_irq_reset(device->irq);
	gm_forcewake_reset(device->forcewake);
	gm_aperture_invalidate(device->aperture);
	gm_pci_config_reset(device->pci);
}

/* Nobody answers on the bus: reads are all ones, writes go nowhere. */
static bool is_gone(struct gm_device *device, void *buf, size_t len, bool write)
{
	if (!atomic_load(&device->gone))
		return false;
	if (!write)
		memset(buf, 0xff, len);
	return true;
}

void gm_device_set_gone(struct gm_device *device, bool gone)
{
	if (gone)
		atomic_store(&device->gone, true);
	/* All that it did stops; when it comes back it is as after power on. */
	reset_device(device);
	if (!gone)
		atomic_store(&device->gone, false);
}

static bool access_bar0(void *opaque, u64 offset, void *buf, size_t len, bool write)
{
	struct gm_device *device = opaque;

	if (is_gone(device, buf, len, write))
		return true;
	if (offset < GM_MMIO_SIZE && len <= GM_MMIO_SIZE - offset)
		return gm_mmio_access(device->mmio, offset, buf, len, write);
	if (offset < BAR0_GGTT)
		return false;
	gm_count(&device->stats, GM_COUNT_GGTT_ACCESS, 1);
	return gm_ggtt_access(device->ggtt, offset - BAR0_GGTT, buf, len, write);
}

static bool access_bar2(void *opaque, u64 offset, void *buf, size_t len, bool write)
{
	struct gm_device *device = opaque;

	if (is_gone(device, buf, len, write))
		return true;
	gm_count(&device->stats, GM_COUNT_APERTURE_ACCESS, 1);
	return gm_aperture_access(device->aperture, offset, buf, len, write);
}

/* BAR4, the legacy way to the registers: an index at 0, the register's data at 4. */
static bool access_bar4(void *opaque, u64 offset, void *buf, size_t len, bool write)
{
	struct gm_device *device = opaque;

	if (is_gone(device, buf, len, write))
		return true;
	if (len != 4 || offset > 4) {
		if (!write)
			memset(buf, 0, len);
		return true;
	}
	if (offset == 4)
		return gm_mmio_access(device->mmio, device->io_index, buf, len, write);
	if (write) {
		memcpy(&device->io_index, buf, len);
		device->io_index &= (GM_MMIO_SIZE - 1) & ~3u;
	} else {
		memcpy(buf, &device->io_index, len);
	}
	return true;
}

static bool access_config(void *opaque, u64 offset, void *buf, size_t len, bool write)
{
	struct gm_device *device = opaque;

	if (is_gone(device, buf, len, write))
		return true;
	gm_count(&device->stats, GM_COUNT_CONFIG_ACCESS, 1);
	return gm_pci_config_access(device->pci, offset, buf, len, write);
}

void gm_device_describe(struct gm_device *device, struct gm_vfu_device *vfu)
{
	*vfu = (struct gm_vfu_device) {
		.region = {
			[0] = {
				.size = BAR0_SIZE,
				.mmap_offset = BAR0_GGTT,
				.mmap_size = gm_ggtt_size(device->ggtt),
				.mmap_fd = gm_ggtt_fd(device->ggtt),
				.access = access_bar0,
			},
			[2] = {
				.size = device->config.platform->aperture_size,
				.mmap_fd = -1,
				.access = access_bar2,
			},
			[4] = { .size = BAR4_SIZE, .mmap_fd = -1, .access = access_bar4 },
			[7] = {
				.size = GM_PCI_CONFIG_SIZE,
				.mmap_fd = -1,
				.access = access_config,
			},
		},
		.reset = reset_device,
		.dma = device->dma,
		.stats = &device->stats,
		.opaque = device,
	};
}

struct gm_stats *gm_device_stats(struct gm_device *device)
{
	return &device->stats;
}

struct gm_engine *gm_device_engine(struct gm_device *device, unsigned int engine)
{
	return engine < GM_ENGINE_COUNT ? device->engine[engine] : NULL;
}

struct gm_irq *gm_device_irq(struct gm_device *device)
{
	return device->irq;
}

u32 gm_device_peek(struct gm_device *device, u32 offset)
{
	return offset < GM_MMIO_SIZE ? gm_mmio_peek(device->mmio, offset & ~3u) : 0;
}

u32 gm_device_next_unknown(struct gm_device *device, u32 offset)
{
	u32 found = offset < GM_MMIO_SIZE ? gm_mmio_next_unknown(device->mmio, offset) :
					    GM_MMIO_SIZE;

	return found < GM_MMIO_SIZE ? found : UINT32_MAX;
}
