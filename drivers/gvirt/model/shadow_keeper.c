// SPDX-License-Identifier: GPL-2.0-only
/*
 * The keeper of a vGPU's shadow page tables.
 *
 * The shrinker frees nothing itself: to free tables means to unpin pages, which takes locks
 * of VFIO's that whoever is short of memory may hold. It only tells the keeper, who
 * frees some soon after.
 */
#include <linux/cleanup.h>
#include <linux/device.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/shrinker.h>
#include <linux/string.h>
#include "ppgtt.h"
#include "ppgtt_table.h"
#include "shadow_keeper.h"

#define PERIOD		(HZ / 10)
/* Tables that are checked in a period, at most. */
#define LOOK_AT		64u
/* Reclaim is worth a TLB invalidation from so many tables on. */
#define RECLAIM_LEAST	64u

static char *shadow_mode = "adaptive";
module_param(shadow_mode, charp, 0444);
MODULE_PARM_DESC(shadow_mode,
		 "how guests' page tables are followed, unless chosen for a vGPU: strict (all protected), async (all compared before each submission), adaptive (protected while they do not change) (adaptive)");

int gvirt_shadow_mode_parse(const char *text)
{
	unsigned int mode;

	for (mode = 0; mode < GVIRT_SHADOW_MODES; mode++)
		if (sysfs_streq(text, gvirt_shadow_mode_name(mode)))
			return mode;
	return -EINVAL;
}

static enum gvirt_shadow_mode default_mode(void)
{
	int mode = gvirt_shadow_mode_parse(shadow_mode);

	if (mode >= 0)
		return mode;
	pr_notice_once("gvirt: shadow_mode=%s is none of strict, async, adaptive: taken for adaptive\n",
		       shadow_mode);
	return GVIRT_SHADOW_ADAPTIVE;
}

/* Checks. */

static void look(struct gvirt_shadow_keeper *keeper)
{
	struct gvirt_sources *sources = &keeper->vppgtt->pool.sources;

	if (!sources->guarded)
		return;
	if (gvirt_sources_look(sources, LOOK_AT, gvirt_shadow_differs))
		dev_notice_ratelimited(keeper->dev, "a store to a page table was not caught; the table is compared before each submission from now on\n");
}

static void keep(struct work_struct *work)
{
	struct gvirt_shadow_keeper *keeper = container_of(to_delayed_work(work),
							  struct gvirt_shadow_keeper, work);

	scoped_guard(mutex, keeper->exec) {
		look(keeper);
		gvirt_vppgtt_age(keeper->vppgtt);
	}
	schedule_delayed_work(&keeper->work, PERIOD);
}

/* Reclaim. */

static void reclaim(struct work_struct *work)
{
	struct gvirt_shadow_keeper *keeper = container_of(work, struct gvirt_shadow_keeper,
							  reclaim);

	guard(mutex)(keeper->exec);
	gvirt_vppgtt_reclaim(keeper->vppgtt, xchg(&keeper->wanted, 0));
}

static unsigned long count_tables(struct shrinker *shrinker, struct shrink_control *sc)
{
	const struct gvirt_shadow_keeper *keeper = shrinker->private_data;
	unsigned int tables = gvirt_vppgtt_pages(keeper->vppgtt);

	if (!READ_ONCE(keeper->vppgtt->idle_count) || tables < RECLAIM_LEAST)
		return SHRINK_EMPTY;
	return tables;
}

static unsigned long scan_tables(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct gvirt_shadow_keeper *keeper = shrinker->private_data;

	WRITE_ONCE(keeper->wanted, max_t(unsigned long, sc->nr_to_scan, RECLAIM_LEAST));
	schedule_work(&keeper->reclaim);
	return SHRINK_STOP;
}

/* Life. */

int gvirt_shadow_keeper_init(struct gvirt_shadow_keeper *keeper, struct gvirt_vppgtt *vppgtt,
			     struct mutex *exec, struct device *dev)
{
	keeper->vppgtt = vppgtt;
	keeper->exec = exec;
	keeper->dev = dev;
	gvirt_vppgtt_set_mode(vppgtt, default_mode());
	INIT_DELAYED_WORK(&keeper->work, keep);
	INIT_WORK(&keeper->reclaim, reclaim);
	keeper->shrinker = shrinker_alloc(0, "gvirt-shadow:%s", dev_name(dev));
	if (!keeper->shrinker)
		return -ENOMEM;
	keeper->shrinker->count_objects = count_tables;
	keeper->shrinker->scan_objects = scan_tables;
	keeper->shrinker->private_data = keeper;
	/* A table has pages of its own, and is made again at a price. */
	keeper->shrinker->seeks = 2 * DEFAULT_SEEKS;
	shrinker_register(keeper->shrinker);
	return 0;
}

void gvirt_shadow_keeper_fini(struct gvirt_shadow_keeper *keeper)
{
	if (!keeper->shrinker)
		return;
	shrinker_free(keeper->shrinker);
	keeper->shrinker = NULL;
	cancel_work_sync(&keeper->reclaim);
}

void gvirt_shadow_keeper_start(struct gvirt_shadow_keeper *keeper, struct kvm *kvm)
{
	gvirt_watch_start(&keeper->vppgtt->pool.sources.watch, kvm);
	schedule_delayed_work(&keeper->work, PERIOD);
}

void gvirt_shadow_keeper_stop(struct gvirt_shadow_keeper *keeper)
{
	cancel_delayed_work_sync(&keeper->work);
	gvirt_watch_stop(&keeper->vppgtt->pool.sources.watch);
}

void gvirt_shadow_keeper_set_mode(struct gvirt_shadow_keeper *keeper, enum gvirt_shadow_mode mode)
{
	guard(mutex)(keeper->exec);
	gvirt_vppgtt_set_mode(keeper->vppgtt, mode);
}
