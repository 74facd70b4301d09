// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shares of engines in sysfs: see attrs_share.h, and Documentation/sysfs-abi.rst.
 *
 * A value that is refused is an error of the operator, who is told the range in the log:
 * a write has no other way to say it.
 */
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/kstrtox.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include "hw/gpu.h"
#include "model/shares.h"
#include "attrs_share.h"
#include "device.h"

#define US	1000u
/* Of a refused value, the log shows so much. */
#define SHOWN	32

static int shown(const char *text)
{
	return min_t(size_t, strcspn(text, "\n"), SHOWN);
}

/* Writes: a number within a range. */
static int parse(struct device *dev, const char *name, const char *text, u32 least, u32 most,
		 u32 *value)
{
	if (!kstrtou32(text, 10, value) && *value >= least && *value <= most)
		return 0;
	dev_err_ratelimited(dev, "%s is a number from %u to %u, not '%.*s'\n", name, least, most,
			    shown(text), text);
	return -EINVAL;
}

/* vGPUs. */

static struct gvirt_shares *shares_of(struct device *dev)
{
	struct gvirt_vfio_device *device = dev_get_drvdata(dev);

	return &device->vgpu.submit.shares;
}

static ssize_t weight_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(shares_of(dev)->weight));
}

static ssize_t weight_store(struct device *dev, struct device_attribute *attr, const char *buf,
			    size_t count)
{
	u32 weight;
	int err = parse(dev, "weight", buf, GVIRT_SCHED_WEIGHT_MIN, GVIRT_SCHED_WEIGHT_MAX,
			&weight);

	if (err)
		return err;
	gvirt_shares_set(shares_of(dev), &weight, NULL);
	return count;
}

static ssize_t cap_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(shares_of(dev)->cap));
}

static ssize_t cap_store(struct device *dev, struct device_attribute *attr, const char *buf,
			 size_t count)
{
	u32 cap;
	int err = parse(dev, "cap", buf, 0, GVIRT_SCHED_CAP_NONE, &cap);

	if (err)
		return err;
	gvirt_shares_set(shares_of(dev), NULL, &cap);
	return count;
}

/* A line for each engine; @offset is that of a counter in struct gvirt_sched_stats. */
static ssize_t show_engines(struct device *dev, char *buf, size_t offset)
{
	struct gvirt_vfio_device *device = dev_get_drvdata(dev);
	const struct gvirt_gpu *gpu = device->vgpu.gpu;
	struct gvirt_sched_stats stats;
	ssize_t len = 0;
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		if (!gpu->engine[i])
			continue;
		gvirt_shares_read(shares_of(dev), i, &stats);
		len += sysfs_emit_at(buf, len, "%s %llu\n", gpu->engine[i]->name,
				     *(const u64 *)((const void *)&stats + offset));
	}
	return len;
}

static ssize_t busy_ns_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return show_engines(dev, buf, offsetof(struct gvirt_sched_stats, ran_ns));
}

static ssize_t waited_ns_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return show_engines(dev, buf, offsetof(struct gvirt_sched_stats, waited_ns));
}

static ssize_t turns_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return show_engines(dev, buf, offsetof(struct gvirt_sched_stats, turns));
}

static ssize_t preemptions_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return show_engines(dev, buf, offsetof(struct gvirt_sched_stats, preemptions));
}

struct device_attribute gvirt_attr_weight = __ATTR_RW(weight);
struct device_attribute gvirt_attr_cap = __ATTR_RW(cap);
struct device_attribute gvirt_attr_busy_ns = __ATTR_RO(busy_ns);
struct device_attribute gvirt_attr_waited_ns = __ATTR_RO(waited_ns);
struct device_attribute gvirt_attr_turns = __ATTR_RO(turns);
struct device_attribute gvirt_attr_preemptions = __ATTR_RO(preemptions);

/* GPUs. */

static const char * const policies[] = {
	[GVIRT_SCHED_WEIGHTED] = "weighted",
	[GVIRT_SCHED_ROUND_ROBIN] = "round-robin",
	[GVIRT_SCHED_FIXED] = "fixed",
};

static struct gvirt_scheds *scheds_of(struct device *dev)
{
	const struct gvirt_vgpu_host *host = dev_get_drvdata(dev);

	return host->scheds;
}

static ssize_t policy_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	enum gvirt_sched_policy policy = gvirt_scheds_policy(scheds_of(dev));
	ssize_t len = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(policies); i++)
		len += sysfs_emit_at(buf, len, i == policy ? "%s[%s]" : "%s%s", i ? " " : "",
				     policies[i]);
	return len + sysfs_emit_at(buf, len, "\n");
}

static ssize_t policy_store(struct device *dev, struct device_attribute *attr, const char *buf,
			    size_t count)
{
	int policy = sysfs_match_string(policies, buf);

	if (policy < 0) {
		dev_err_ratelimited(dev, "policy is weighted, round-robin or fixed, not '%.*s'\n",
				    shown(buf), buf);
		return policy;
	}
	gvirt_scheds_set_policy(scheds_of(dev), policy);
	return count;
}
static DEVICE_ATTR_RW(policy);

static ssize_t slice_us_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", gvirt_scheds_slice(scheds_of(dev)) / US);
}

static ssize_t slice_us_store(struct device *dev, struct device_attribute *attr,
			      const char *buf, size_t count)
{
	u32 slice_us;
	int err = parse(dev, "slice_us", buf, GVIRT_SCHED_SLICE_MIN_NS / US,
			GVIRT_SCHED_SLICE_MAX_NS / US, &slice_us);

	if (err)
		return err;
	gvirt_scheds_set_slice(scheds_of(dev), (u64)slice_us * US);
	return count;
}
static DEVICE_ATTR_RW(slice_us);

static ssize_t gpu_busy_ns_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct gvirt_vgpu_host *host = dev_get_drvdata(dev);
	struct gvirt_sched *sched;
	ssize_t len = 0;
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		sched = gvirt_scheds_engine(host->scheds, i);
		if (sched)
			len += sysfs_emit_at(buf, len, "%s %llu\n", host->gpu->engine[i]->name,
					     gvirt_sched_busy_ns(sched));
	}
	return len;
}

static struct device_attribute dev_attr_busy_ns = __ATTR(busy_ns, 0444, gpu_busy_ns_show, NULL);

static struct attribute *gpu_attrs[] = {
	&dev_attr_policy.attr,
	&dev_attr_slice_us.attr,
	&dev_attr_busy_ns.attr,
	NULL,
};

static const struct attribute_group gpu_group = {
	.name = "gvirt",
	.attrs = gpu_attrs,
};

const struct attribute_group *gvirt_gpu_groups[] = { &gpu_group, NULL };
