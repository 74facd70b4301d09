// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module and its PCI driver.
 *
 * gvirt is loaded by name, on purpose: it has no module alias, since i915 matches
 * the same PCI ids. So a load that ends up with no GPU is a failed load, and the
 * operator is told for each GPU of the machine why it was not taken and what to
 * do about it.
 */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/pci.h>
#include "compat.h"
#include "hw/gpu.h"
#include "hw/platform.h"
#include "model/sched.h"
#include "model/switch.h"
#include "vfio/attrs_share.h"
#include "vfio/debugfs.h"
#include "vfio/mdev.h"
#include "vgpu/vgpu.h"

/**
 * struct gvirt_card - What belongs to a GPU that gvirt drives
 * @host: what its vGPUs share: hardware, schedulers
 * @mdev: what it offers
 * @debug: its directory in debugfs
 */
struct gvirt_card {
	struct gvirt_vgpu_host host;
	struct gvirt_mdev *mdev;
	struct dentry *debug;
};

/* What stands on the hardware, and all vGPUs use. */
static int make_shared(struct gvirt_vgpu_host *host)
{
	host->sw = gvirt_switch_create(host->gpu);
	if (IS_ERR(host->sw))
		return PTR_ERR(host->sw);
	host->scheds = gvirt_scheds_create(host->gpu);
	if (IS_ERR(host->scheds)) {
		gvirt_switch_destroy(host->sw);
		return PTR_ERR(host->scheds);
	}
	return 0;
}

static void free_shared(struct gvirt_vgpu_host *host)
{
	gvirt_scheds_destroy(host->scheds);
	gvirt_switch_destroy(host->sw);
}

static int gvirt_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct gvirt_card *card = devm_kzalloc(&pdev->dev, sizeof(*card), GFP_KERNEL);
	int err;

	if (!card)
		return -ENOMEM;
	card->host.gpu = gvirt_gpu_create(pdev, gvirt_platform_get(id));
	if (IS_ERR(card->host.gpu))
		return PTR_ERR(card->host.gpu);
	err = make_shared(&card->host);
	if (err)
		goto err_gpu;
	card->mdev = gvirt_mdev_create(&card->host);
	if (IS_ERR(card->mdev)) {
		err = PTR_ERR(card->mdev);
		goto err_shared;
	}
	card->debug = gvirt_debugfs_add_gpu(&card->host);
	pci_set_drvdata(pdev, &card->host);
	return 0;

err_shared:
	free_shared(&card->host);
err_gpu:
	gvirt_gpu_destroy(card->host.gpu);
	return err;
}

/* What sysfs finds as the device's data, too. */
static struct gvirt_card *card_of(struct pci_dev *pdev)
{
	return container_of(pci_get_drvdata(pdev), struct gvirt_card, host);
}

static void gvirt_remove(struct pci_dev *pdev)
{
	struct gvirt_card *card = card_of(pdev);

	gvirt_mdev_destroy(card->mdev);
	gvirt_debugfs_remove(card->debug);
	free_shared(&card->host);
	gvirt_gpu_destroy(card->host.gpu);
}

/* What is started next must not find a GPU that writes to memory. */
static void gvirt_shutdown(struct pci_dev *pdev)
{
	struct gvirt_card *card = card_of(pdev);

	gvirt_scheds_stop(card->host.scheds);
	gvirt_gpu_quiesce(card->host.gpu);
}

/*
 * The state of a GPU that guests work on cannot be taken along into a sleep. Without guests
 * there is none; nobody opens a vGPU meanwhile, since processes are frozen.
 */
static int gvirt_suspend(struct device *dev)
{
	struct gvirt_vgpu_host *host = dev_get_drvdata(dev);
	unsigned int users = gvirt_scheds_users(host->scheds);

	if (users) {
		dev_warn(dev, "this machine does not sleep while vGPUs are in use: %u. Shut their guests down first\n",
			 users);
		return -EBUSY;
	}
	gvirt_scheds_rest(host->scheds);
	return gvirt_gpu_suspend(host->gpu);
}

/* If it does not come back, vGPUs are told so by their first list; the machine goes on. */
static int gvirt_resume(struct device *dev)
{
	struct gvirt_vgpu_host *host = dev_get_drvdata(dev);
	int err = gvirt_gpu_resume(host->gpu);

	gvirt_scheds_wake(host->scheds);
	if (err)
		gvirt_scheds_give_up(host->scheds);
	return err;
}

static DEFINE_SIMPLE_DEV_PM_OPS(gvirt_pm_ops, gvirt_suspend, gvirt_resume);

static struct pci_driver gvirt_driver = {
	.name = KBUILD_MODNAME,
	.id_table = gvirt_platform_ids,
	.probe = gvirt_probe,
	.remove = gvirt_remove,
	.shutdown = gvirt_shutdown,
	.dev_groups = gvirt_gpu_groups,
	.driver = {
		.pm = pm_sleep_ptr(&gvirt_pm_ops),
		/* gvirt_init() looks at the outcome. */
		.probe_type = PROBE_FORCE_SYNCHRONOUS,
	},
};

/* Refusals. */

static bool is_intel_gpu(const struct pci_dev *pdev)
{
	return pdev->vendor == PCI_VENDOR_ID_INTEL &&
	       pdev->class >> 16 == PCI_BASE_CLASS_DISPLAY;
}

/* Says why gvirt does not have this GPU. */
static void explain(struct pci_dev *pdev)
{
	const struct device_driver *driver = READ_ONCE(pdev->dev.driver);

	if (!pci_match_id(gvirt_platform_ids, pdev))
		pci_err(pdev, "gvirt does not know this GPU (%04x:%04x): it drives Gen9, Skylake to Comet Lake, GT1 and GT2\n",
			pdev->vendor, pdev->device);
	else if (driver)
		pci_err(pdev, "gvirt cannot have this GPU: %s drives it. Free it with 'echo %s > /sys/bus/pci/drivers/%s/unbind', or keep %s away by booting with 'modprobe.blacklist=%s', and load gvirt again\n",
			driver->name, pci_name(pdev), driver->name, driver->name, driver->name);
	else
		pci_err(pdev, "gvirt could not bring this GPU up; the reason is in the lines above\n");
}

static unsigned int count_taken(void)
{
	struct pci_dev *pdev = NULL;
	unsigned int taken = 0;

	for_each_pci_dev(pdev)
		if (pci_dev_driver(pdev) == &gvirt_driver)
			taken++;
	return taken;
}

static void explain_all(void)
{
	struct pci_dev *pdev = NULL;
	bool found = false;

	for_each_pci_dev(pdev) {
		if (!is_intel_gpu(pdev))
			continue;
		found = true;
		explain(pdev);
	}
	if (!found)
		pr_err("gvirt: no Intel GPU on the PCI bus. Enable the integrated graphics in the firmware's setup\n");
}

static int __init gvirt_init(void)
{
	int err = gvirt_mdev_init();

	if (err)
		return err;
	gvirt_debugfs_init();
	err = pci_register_driver(&gvirt_driver);
	if (err)
		goto err_mdev;
	if (count_taken())
		return 0;
	explain_all();
	err = -ENODEV;
	pci_unregister_driver(&gvirt_driver);
err_mdev:
	gvirt_debugfs_exit();
	gvirt_mdev_exit();
	return err;
}
module_init(gvirt_init);

static void __exit gvirt_exit(void)
{
	pci_unregister_driver(&gvirt_driver);
	gvirt_debugfs_exit();
	gvirt_mdev_exit();
}
module_exit(gvirt_exit);

MODULE_DESCRIPTION("Virtual GPUs by mediated pass-through of an Intel Gen9 GPU");
MODULE_LICENSE("GPL");
