// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bring-up and tear-down of a GPU.
 *
 * Nothing is assumed about what the firmware or a driver before us left: the
 * first thing that the GT gets, once its memory is under our control, is a full
 * reset. The last thing it gets is another one, so that no engine holds an
 * address of ours when the memory goes.
 */
#include <linux/device.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "gpu.h"
#include "tuning.h"

static void report_dead(struct gvirt_gpu *gpu)
{
	if (gvirt_mmio_gone(&gpu->mmio))
		pci_err(gpu->pci.pdev, "the GPU has gone from the bus, all its registers read as ones. Its vGPUs report errors to their guests; close them and remove the device\n");
	else
		pci_err(gpu->pci.pdev, "the GPU cannot be reset and is not used any more. Power cycle the machine\n");
}

static void start_engines(struct gvirt_gpu *gpu)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (gpu->engine[i])
			gvirt_engine_start(gpu->engine[i]);
}

static int check_engines(struct gvirt_gpu *gpu)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < GVIRT_ENGINES && !err; i++)
		if (gpu->engine[i])
			err = gvirt_check_run(&gpu->check[i], &gpu->reset);
	return err;
}

int gvirt_gpu_restart(struct gvirt_gpu *gpu)
{
	int err;

	gvirt_fences_suspend(&gpu->fences);
	err = gvirt_reset_all(&gpu->reset, gpu->engine);
	gvirt_fences_restore(&gpu->fences);
	if (!err)
		start_engines(gpu);
	return err;
}

static int reset_and_check(struct gvirt_gpu *gpu)
{
	int err = gvirt_gpu_restart(gpu);

	return err ?: check_engines(gpu);
}

int gvirt_gpu_recover(struct gvirt_gpu *gpu)
{
	int err = reset_and_check(gpu);

	if (err == -ETIMEDOUT)
		report_dead(gpu);
	return err;
}

/* From reset to working engines. */
static int bring_up(struct gvirt_gpu *gpu)
{
	int err;

	gvirt_tuning_set_power(&gpu->mmio);
	gvirt_irq_enable(&gpu->irq);
	err = reset_and_check(gpu);
	if (err == -ETIMEDOUT) {
		pci_warn(gpu->pci.pdev, "an engine refused its reset; resetting the whole GPU\n");
		err = gvirt_gpu_recover(gpu);
	}
	return err;
}

static void drop_all(struct gvirt_gpu *gpu)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++)
		if (gpu->engine[i])
			gvirt_engine_drop(gpu->engine[i]);
}

void gvirt_gpu_give_up(struct gvirt_gpu *gpu)
{
	unsigned int i;

	report_dead(gpu);
	gvirt_pci_stop_dma(&gpu->pci);
	drop_all(gpu);
	/* Nobody looked. */
	for (i = 0; i < GVIRT_ENGINES; i++)
		if (gpu->engine[i])
			gpu->engine[i]->dump = (struct gvirt_engine_dump) { };
}

void gvirt_gpu_quiesce(struct gvirt_gpu *gpu)
{
	if (gvirt_reset_all(&gpu->reset, gpu->engine))
		gvirt_gpu_give_up(gpu);
	drop_all(gpu);
	gvirt_irq_disable(&gpu->irq);
	gvirt_tuning_restore_power(&gpu->mmio);
}

int gvirt_gpu_suspend(struct gvirt_gpu *gpu)
{
	int err = gvirt_ggtt_save(&gpu->ggtt);

	if (err)
		return err;
	gvirt_gpu_quiesce(gpu);
	gvirt_mmio_rest(&gpu->mmio);
	return 0;
}

int gvirt_gpu_resume(struct gvirt_gpu *gpu)
{
	int err;

	pci_set_master(gpu->pci.pdev);
	gvirt_ggtt_restore(&gpu->ggtt);
	err = bring_up(gpu);
	if (err)
		pci_err(gpu->pci.pdev, "the GPU does not come back from the machine's sleep: %d. Bind it to gvirt anew\n",
			err);
	return err;
}

static void free_engines(struct gvirt_gpu *gpu)
{
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		if (!gpu->engine[i])
			continue;
		gvirt_check_fini(&gpu->check[i]);
		gvirt_engine_fini(gpu->engine[i]);
		gpu->engine[i] = NULL;
	}
}

static int make_engine(struct gvirt_gpu *gpu, enum gvirt_engine_id id)
{
	const struct gvirt_engine_services services = {
		.platform = gpu->platform,
		.mmio = &gpu->mmio,
		.ggtt = &gpu->ggtt,
		.irq = &gpu->irq,
		.queue = gpu->queue,
	};
	struct gvirt_engine *engine = &gpu->storage[id];
	int err = gvirt_engine_init(engine, id, &services);

	if (err)
		return err;
	err = gvirt_check_init(&gpu->check[id], engine, &gpu->ggtt, &gpu->scratch);
	if (err) {
		gvirt_engine_fini(engine);
		return err;
	}
	gpu->engine[id] = engine;
	return 0;
}

static int make_engines(struct gvirt_gpu *gpu)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < GVIRT_ENGINES && !err; i++)
		if (gpu->platform->engine_mask & BIT(i))
			err = make_engine(gpu, i);
	if (err)
		free_engines(gpu);
	return err;
}

/* The parts that stand before the engines. */
static int make_base(struct gvirt_gpu *gpu, struct pci_dev *pdev)
{
	int err;

	err = gvirt_pci_init(&gpu->pci, pdev);
	if (err)
		return err;
	err = gvirt_mmio_init(&gpu->mmio, &pdev->dev, gpu->pci.regs);
	if (err)
		goto err_pci;
	err = gvirt_ggtt_init(&gpu->ggtt, &gpu->mmio, &gpu->pci);
	if (err)
		goto err_mmio;
	err = gvirt_scratch_init(&gpu->scratch, gpu->ggtt.dev);
	if (err)
		goto err_ggtt;
	err = gvirt_irq_init(&gpu->irq, &gpu->mmio, gpu->pci.irq);
	if (err)
		goto err_scratch;
	gvirt_fences_init(&gpu->fences, &gpu->ggtt, &gpu->mmio, &gpu->pci);
	gvirt_reset_init(&gpu->reset, &gpu->mmio, gpu->platform);
	return 0;

err_scratch:
	gvirt_scratch_fini(&gpu->scratch);
err_ggtt:
	gvirt_ggtt_fini(&gpu->ggtt);
err_mmio:
	gvirt_mmio_fini(&gpu->mmio);
err_pci:
	gvirt_pci_fini(&gpu->pci);
	return err;
}

static void free_base(struct gvirt_gpu *gpu)
{
	gvirt_reset_fini(&gpu->reset);
	gvirt_fences_fini(&gpu->fences);
	gvirt_irq_fini(&gpu->irq);
	gvirt_scratch_fini(&gpu->scratch);
	gvirt_ggtt_fini(&gpu->ggtt);
	gvirt_mmio_fini(&gpu->mmio);
	gvirt_pci_fini(&gpu->pci);
}

static void report_up(struct gvirt_gpu *gpu)
{
	const struct pci_dev *pdev = gpu->pci.pdev;
	char engines[GVIRT_ENGINES * 8] = "";
	unsigned int i;

	for (i = 0; i < GVIRT_ENGINES; i++) {
		if (!gpu->engine[i])
			continue;
		strlcat(engines, " ", sizeof(engines));
		strlcat(engines, gpu->engine[i]->name, sizeof(engines));
	}
	pci_info(pdev, "%s (%04x:%04x revision %02x):%s, GGTT %u MiB, aperture %llu MiB\n",
		 gpu->platform->name, pdev->vendor, pdev->device, pdev->revision, engines,
		 gpu->ggtt.entries >> 8, (u64)gpu->pci.aperture_size >> 20);
}

struct gvirt_gpu *gvirt_gpu_create(struct pci_dev *pdev, const struct gvirt_platform *platform)
{
	struct gvirt_gpu *gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
	int err = -ENOMEM;

	if (!gpu)
		return ERR_PTR(err);
	gpu->platform = platform;
	gpu->queue = alloc_workqueue("gvirt-%s", WQ_UNBOUND | WQ_HIGHPRI | WQ_MEM_RECLAIM, 0,
				     pci_name(pdev));
	if (!gpu->queue)
		goto err_free;
	err = make_base(gpu, pdev);
	if (err)
		goto err_queue;
	err = make_engines(gpu);
	if (err)
		goto err_base;
	err = bring_up(gpu);
	if (err)
		goto err_engines;
	report_up(gpu);
	return gpu;

err_engines:
	gvirt_gpu_quiesce(gpu);
	free_engines(gpu);
err_base:
	free_base(gpu);
err_queue:
	destroy_workqueue(gpu->queue);
err_free:
	kfree(gpu);
	return ERR_PTR(err);
}

void gvirt_gpu_destroy(struct gvirt_gpu *gpu)
{
	gvirt_gpu_quiesce(gpu);
	free_engines(gpu);
	free_base(gpu);
	destroy_workqueue(gpu->queue);
	kfree(gpu);
}
