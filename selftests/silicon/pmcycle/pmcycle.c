// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes one PCI device through a system suspend and resume, as the PM core
 * would, while the rest of the machine stays awake. For VMs whose other devices
 * do not survive a suspend. Loading the module does it; the load fails when a
 * callback does.
 */
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/pm.h>
#include <linux/pm_runtime.h>

static char *device;
module_param(device, charp, 0);
MODULE_PARM_DESC(device, "PCI address, such as 0000:00:02.0");

typedef int (*pm_callback)(struct device *dev);

static int pmcycle_call(struct device *dev, const char *name, pm_callback callback)
{
	int err = callback ? callback(dev) : 0;

	if (err < 0)
		dev_err(dev, "pmcycle: %s: %d\n", name, err);
	return err < 0 ? err : 0;
}

/* What was suspended is resumed, also when a later step failed. */
static int pmcycle_late(struct device *dev, const struct dev_pm_ops *pm)
{
	int err, err_resume;

	err = pmcycle_call(dev, "suspend_late", pm->suspend_late);
	if (err)
		return err;
	err = pmcycle_call(dev, "suspend_noirq", pm->suspend_noirq);
	if (!err)
		err = pmcycle_call(dev, "resume_noirq", pm->resume_noirq);
	err_resume = pmcycle_call(dev, "resume_early", pm->resume_early);
	return err ?: err_resume;
}

/*
 * The PM core keeps runtime PM off from the late suspend to the early resume,
 * and marks devices that must not stay in runtime suspend; the PCI core's
 * callbacks skip the resume of others.
 */
static int pmcycle_sleep(struct device *dev, const struct dev_pm_ops *pm)
{
	int err, err_resume;

	err = pmcycle_call(dev, "suspend", pm->suspend);
	if (err)
		return err;
	dev->power.must_resume = true;
	pm_runtime_disable(dev);
	err = pmcycle_late(dev, pm);
	pm_runtime_enable(dev);
	err_resume = pmcycle_call(dev, "resume", pm->resume);
	return err ?: err_resume;
}

static int pmcycle_device(struct device *dev)
{
	const struct dev_pm_ops *pm = pci_bus_type.pm;
	int err;

	if (!dev->driver)
		return -ENODEV;
	pm_runtime_get_sync(dev);
	err = pmcycle_call(dev, "prepare", pm->prepare);
	if (!err) {
		err = pmcycle_sleep(dev, pm);
		if (pm->complete)
			pm->complete(dev);
	}
	pm_runtime_put(dev);
	return err;
}

static int __init pmcycle_init(void)
{
	struct device *dev;
	int err;

	if (!device)
		return -EINVAL;
	dev = bus_find_device_by_name(&pci_bus_type, NULL, device);
	if (!dev)
		return -ENODEV;
	device_lock(dev);
	err = pmcycle_device(dev);
	device_unlock(dev);
	put_device(dev);
	if (!err)
		pr_info("pmcycle: %s suspended and resumed\n", device);
	return err;
}
module_init(pmcycle_init);

static void __exit pmcycle_exit(void)
{
}
module_exit(pmcycle_exit);

MODULE_DESCRIPTION("Suspend and resume of one PCI device");
MODULE_LICENSE("GPL");
