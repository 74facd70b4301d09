// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mdev types of a GPU, and the life of a vGPU as an mdev.
 *
 * There is one type so far. How many vGPUs there can be are the operator's limits, a number
 * and host memory: none of the chip's address space is taken by one that does nothing.
 */
#include <linux/mdev.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <gvirt/gen9_fence.h>
#include "hw/gpu.h"
#include "vgpu/memory.h"
#include "attrs_share.h"
#include "device.h"
#include "mdev.h"

#define MOST_VGPUS	256u

static unsigned int max_vgpus = 64;
module_param(max_vgpus, uint, 0444);
MODULE_PARM_DESC(max_vgpus, "vGPUs that can be made on each GPU, 1 to 256 (64)");

static unsigned int max_host_memory;
module_param(max_host_memory, uint, 0444);
MODULE_PARM_DESC(max_host_memory,
		 "MiB of host memory that the vGPUs of a GPU may take: one for each 256, 0: no limit (0)");

/**
 * struct gvirt_mdev - What a GPU has at the mdev core
 * @parent: the GPU as a parent
 * @type: what it offers
 * @types: list of types for the core
 * @name: what people call @type
 * @host: the GPU
 */
struct gvirt_mdev {
	struct mdev_parent parent;
	struct mdev_type type;
	struct mdev_type *types[1];
	char name[64];
	const struct gvirt_vgpu_host *host;
};

static struct gvirt_mdev *owner_of(struct mdev_type *type)
{
	return container_of(type, struct gvirt_mdev, type);
}

/* What a vGPU has below gvirt/: counters here, the rest in files of their own. */

/* All engines together; @offset is that of a counter in struct gvirt_port_stats. */
static u64 sum_of(const struct gvirt_vgpu *vgpu, size_t offset)
{
	const void *stats;
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		stats = &vgpu->submit.port[i].stats;
		sum += READ_ONCE(*(const u64 *)(stats + offset));
	}
	return sum;
}

static u64 refusals_of(const struct gvirt_vgpu *vgpu)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < GVIRT_REFUSED_REASONS; i++)
		sum += vgpu->submit.refusals[i];
	return sum;
}

#define COUNTER(file, value)							\
static ssize_t file##_show(struct device *dev, struct device_attribute *attr,	\
			   char *buf)						\
{										\
	struct gvirt_vfio_device *device = dev_get_drvdata(dev);		\
	struct gvirt_vgpu *vgpu = &device->vgpu;				\
										\
	guard(mutex)(&vgpu->lock);						\
	return sysfs_emit(buf, "%llu\n", (u64)(value));				\
}										\
static DEVICE_ATTR_RO(file)

COUNTER(unknown_accesses, vgpu->mmio.unknown);
COUNTER(denied_writes, vgpu->mmio.denied);
COUNTER(submissions, sum_of(vgpu, offsetof(struct gvirt_port_stats, submissions)));
COUNTER(contexts, sum_of(vgpu, offsetof(struct gvirt_port_stats, contexts)));
COUNTER(switches, sum_of(vgpu, offsetof(struct gvirt_port_stats, switches)));
COUNTER(overruns, sum_of(vgpu, offsetof(struct gvirt_port_stats, overruns)));
COUNTER(lost_contexts, sum_of(vgpu, offsetof(struct gvirt_port_stats, lost)));
COUNTER(engine_resets, sum_of(vgpu, offsetof(struct gvirt_port_stats, resets)));
COUNTER(oddities, sum_of(vgpu, offsetof(struct gvirt_port_stats, oddities)));
COUNTER(refused_requests, refusals_of(vgpu));
COUNTER(audit_walks, READ_ONCE(vgpu->submit.scan.stats.walks));
COUNTER(audit_dwords, READ_ONCE(vgpu->submit.scan.stats.dwords));
COUNTER(audit_unchanged, READ_ONCE(vgpu->submit.scan.stats.known));
COUNTER(audit_reused, READ_ONCE(vgpu->submit.scan.stats.reused));
COUNTER(trapped_reads, atomic64_read(&device->map.trapped_reads));
COUNTER(trapped_writes, atomic64_read(&device->map.trapped_writes));
COUNTER(tracked_writes, atomic64_read(&device->map.regpages.tracked_writes));
COUNTER(lost_writes, atomic64_read(&device->map.regpages.lost_writes));
COUNTER(register_zaps, atomic64_read(&device->map.regpages.zaps));
COUNTER(aperture_faults, atomic64_read(&device->map.aperture.faults));
COUNTER(aperture_scratched, atomic64_read(&device->map.aperture.scratched));
COUNTER(aperture_fenced, atomic64_read(&device->map.aperture.fenced));
COUNTER(aperture_fence_losses, atomic64_read(&device->map.aperture.fence_losses));
COUNTER(aperture_zaps, atomic64_read(&device->map.aperture.zaps));
COUNTER(ggtt_faults, atomic64_read(&device->map.ggtt.faults));
COUNTER(ggtt_zaps, atomic64_read(&device->map.ggtt.zaps));
COUNTER(pinned_pages, gvirt_guest_pinned(&vgpu->guest));
COUNTER(kept_pages, gvirt_guest_kept(&vgpu->guest));
COUNTER(shadow_pages, gvirt_vppgtt_pages(&vgpu->vppgtt));
COUNTER(shadow_exits, atomic64_read(&vgpu->vppgtt.pool.sources.watch.exits));
COUNTER(shadow_compares, READ_ONCE(vgpu->vppgtt.pool.stats.compares));
COUNTER(shadow_changes, READ_ONCE(vgpu->vppgtt.pool.stats.changes));
COUNTER(shadow_entries, READ_ONCE(vgpu->vppgtt.pool.stats.entries));
COUNTER(shadow_invalidations, READ_ONCE(vgpu->vppgtt.pool.stats.invalidations));
COUNTER(shadow_lost, READ_ONCE(vgpu->vppgtt.pool.sources.lost));
COUNTER(shadow_mirrored, READ_ONCE(vgpu->vppgtt.pool.stats.mirrored));
COUNTER(shadow_protected, READ_ONCE(vgpu->vppgtt.pool.sources.guarded));
COUNTER(shadow_reclaims, READ_ONCE(vgpu->vppgtt.pool.stats.reclaims));
COUNTER(shadow_releases, READ_ONCE(vgpu->vppgtt.pool.sources.releases));
COUNTER(shadow_splits, READ_ONCE(vgpu->vppgtt.pool.stats.splits));
COUNTER(shadow_syncs, READ_ONCE(vgpu->vppgtt.syncs));
COUNTER(shadow_tables, READ_ONCE(vgpu->vppgtt.pool.sources.count));
COUNTER(pins, atomic_long_read(&vgpu->guest.pins));
COUNTER(pin_calls, atomic_long_read(&vgpu->guest.pin_calls));
COUNTER(map_calls, atomic_long_read(&vgpu->guest.maps));
COUNTER(window_remaps, READ_ONCE(vgpu->window.stats.remaps));
COUNTER(window_pages, gvirt_window_pages(&vgpu->window));

static ssize_t host_memory_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct gvirt_vfio_device *device = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%llu\n", gvirt_vgpu_memory(&device->vgpu) +
			  gvirt_aperture_bytes(&device->map.aperture));
}
static DEVICE_ATTR_RO(host_memory);

/* How page tables are followed: what was chosen, and whether that is possible. */

static ssize_t shadow_mode_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct gvirt_vfio_device *device = dev_get_drvdata(dev);
	const struct gvirt_sources *sources = &device->vgpu.vppgtt.pool.sources;
	enum gvirt_shadow_mode mode = READ_ONCE(sources->mode);
	const char *name = gvirt_shadow_mode_name(mode);

	if (mode == GVIRT_SHADOW_ASYNC || gvirt_watch_active(&sources->watch))
		return sysfs_emit(buf, "%s\n", name);
	return sysfs_emit(buf, "%s (async: no KVM that tracks writes)\n", name);
}

static ssize_t shadow_mode_store(struct device *dev, struct device_attribute *attr,
				 const char *buf, size_t count)
{
	struct gvirt_vfio_device *device = dev_get_drvdata(dev);
	int mode = gvirt_shadow_mode_parse(buf);

	if (mode < 0)
		return mode;
	gvirt_shadow_keeper_set_mode(&device->vgpu.keeper, mode);
	return count;
}
static DEVICE_ATTR_RW(shadow_mode);

static struct attribute *attrs[] = {
	&gvirt_attr_weight.attr,
	&gvirt_attr_cap.attr,
	&gvirt_attr_busy_ns.attr,
	&gvirt_attr_waited_ns.attr,
	&gvirt_attr_turns.attr,
	&gvirt_attr_preemptions.attr,
	&dev_attr_unknown_accesses.attr,
	&dev_attr_denied_writes.attr,
	&dev_attr_submissions.attr,
	&dev_attr_contexts.attr,
	&dev_attr_switches.attr,
	&dev_attr_overruns.attr,
	&dev_attr_lost_contexts.attr,
	&dev_attr_engine_resets.attr,
	&dev_attr_oddities.attr,
	&dev_attr_refused_requests.attr,
	&dev_attr_audit_walks.attr,
	&dev_attr_audit_dwords.attr,
	&dev_attr_audit_unchanged.attr,
	&dev_attr_audit_reused.attr,
	&dev_attr_ggtt_faults.attr,
	&dev_attr_ggtt_zaps.attr,
	&dev_attr_host_memory.attr,
	&dev_attr_pinned_pages.attr,
	&dev_attr_kept_pages.attr,
	&dev_attr_shadow_pages.attr,
	&dev_attr_window_pages.attr,
	&dev_attr_window_remaps.attr,
	&dev_attr_shadow_mode.attr,
	&dev_attr_shadow_tables.attr,
	&dev_attr_shadow_protected.attr,
	&dev_attr_shadow_syncs.attr,
	&dev_attr_shadow_compares.attr,
	&dev_attr_shadow_entries.attr,
	&dev_attr_shadow_changes.attr,
	&dev_attr_shadow_mirrored.attr,
	&dev_attr_shadow_exits.attr,
	&dev_attr_shadow_releases.attr,
	&dev_attr_shadow_lost.attr,
	&dev_attr_shadow_reclaims.attr,
	&dev_attr_shadow_splits.attr,
	&dev_attr_shadow_invalidations.attr,
	&dev_attr_pins.attr,
	&dev_attr_pin_calls.attr,
	&dev_attr_map_calls.attr,
	&dev_attr_trapped_reads.attr,
	&dev_attr_trapped_writes.attr,
	&dev_attr_tracked_writes.attr,
	&dev_attr_lost_writes.attr,
	&dev_attr_register_zaps.attr,
	&dev_attr_aperture_faults.attr,
	&dev_attr_aperture_scratched.attr,
	&dev_attr_aperture_fenced.attr,
	&dev_attr_aperture_fence_losses.attr,
	&dev_attr_aperture_zaps.attr,
	NULL,
};

static const struct attribute_group group = {
	.name = "gvirt",
	.attrs = attrs,
};

static const struct attribute_group *groups[] = { &group, NULL };

static int mdev_probe(struct mdev_device *mdev)
{
	struct gvirt_vfio_device *device;

	device = gvirt_vfio_device_create(&mdev->dev, owner_of(mdev->type)->host);
	if (IS_ERR(device))
		return PTR_ERR(device);
	dev_set_drvdata(&mdev->dev, device);
	return 0;
}

static void mdev_remove(struct mdev_device *mdev)
{
	gvirt_vfio_device_destroy(dev_get_drvdata(&mdev->dev));
}

/* Lines of "key: value"; sizes in MiB. */
static ssize_t show_description(struct mdev_type *type, char *buf)
{
	const struct gvirt_gpu *gpu = owner_of(type)->host->gpu;
	ssize_t len = sysfs_emit(buf, "gpu: %s\nengines:", gpu->platform->name);
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (gpu->engine[i])
			len += sysfs_emit_at(buf, len, " %s", gpu->engine[i]->name);
	return len + sysfs_emit_at(buf, len,
				   "\naperture: %llu\nggtt: %u\nfences: %u\ndisplay: none\n",
				   GVIRT_VGPU_APERTURE_SIZE >> 20, 4096, GEN9_FENCE_COUNT);
}

static struct mdev_driver driver = {
	.device_api = VFIO_DEVICE_API_PCI_STRING,
	.probe = mdev_probe,
	.remove = mdev_remove,
	.show_description = show_description,
	.driver = {
		.name = "gvirt_mdev",
		.owner = THIS_MODULE,
		.mod_name = KBUILD_MODNAME,
		.dev_groups = groups,
	},
};

int gvirt_mdev_init(void)
{
	max_vgpus = clamp(max_vgpus, 1u, MOST_VGPUS);
	if (max_host_memory)
		max_vgpus = min(max_vgpus, max_host_memory / GVIRT_VGPU_MEMORY_MOST_MIB);
	if (!max_vgpus) {
		pr_err("gvirt: max_host_memory=%u is not enough for one vGPU, which can take %u MiB\n",
		       max_host_memory, GVIRT_VGPU_MEMORY_MOST_MIB);
		return -EINVAL;
	}
	driver.max_instances = max_vgpus;
	return mdev_register_driver(&driver);
}

void gvirt_mdev_exit(void)
{
	mdev_unregister_driver(&driver);
}

struct gvirt_mdev *gvirt_mdev_create(const struct gvirt_vgpu_host *host)
{
	const struct gvirt_gpu *gpu = host->gpu;
	struct pci_dev *pdev = gpu->pci.pdev;
	struct gvirt_mdev *mdev = kzalloc(sizeof(*mdev), GFP_KERNEL);
	int err;

	if (!mdev)
		return ERR_PTR(-ENOMEM);
	mdev->host = host;
	snprintf(mdev->name, sizeof(mdev->name), "%s, %llu MiB aperture, no display",
		 gpu->platform->name, GVIRT_VGPU_APERTURE_SIZE >> 20);
	mdev->type.sysfs_name = "headless-256";
	mdev->type.pretty_name = mdev->name;
	mdev->types[0] = &mdev->type;
	err = mdev_register_parent(&mdev->parent, &pdev->dev, &driver, mdev->types, 1);
	if (err) {
		pci_err(pdev, "cannot offer vGPUs, the mdev core says %d\n", err);
		kfree(mdev);
		return ERR_PTR(err);
	}
	return mdev;
}

void gvirt_mdev_destroy(struct gvirt_mdev *mdev)
{
	mdev_unregister_parent(&mdev->parent);
	kfree(mdev);
}
