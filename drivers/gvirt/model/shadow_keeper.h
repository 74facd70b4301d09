/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What becomes of a vGPU's shadow page tables when nothing is submitted: unused address
 * spaces go after a while, or when memory is short, and protected tables are checked.
 */
#ifndef GVIRT_MODEL_SHADOW_KEEPER_H
#define GVIRT_MODEL_SHADOW_KEEPER_H

#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include "lib/shadow_policy.h"

struct device;
struct gvirt_vppgtt;
struct kvm;
struct shrinker;

/**
 * struct gvirt_shadow_keeper - The keeper of a vGPU's shadow page tables
 * @vppgtt: the tables
 * @exec: the mutex that covers them
 * @dev: the vGPU, for messages
 * @work: checks and ages
 * @reclaim: frees tables when memory is short
 * @wanted: tables that are to be freed
 * @shrinker: the kernel asks it to
 */
struct gvirt_shadow_keeper {
	struct gvirt_vppgtt *vppgtt;
	struct mutex *exec; /* the vGPU's, around all work */
	struct device *dev;
	struct delayed_work work;
	struct work_struct reclaim;
	unsigned int wanted;
	struct shrinker *shrinker;
};

/**
 * gvirt_shadow_keeper_init() - Prepare
 * @keeper: to be initialised; zeroed
 * @vppgtt: the tables, initialised; their mode is set to the module's default
 * @exec: the mutex that covers them
 * @dev: the vGPU, for messages
 *
 * Return: 0 or -ENOMEM.
 */
int gvirt_shadow_keeper_init(struct gvirt_shadow_keeper *keeper, struct gvirt_vppgtt *vppgtt,
			     struct mutex *exec, struct device *dev);

/**
 * gvirt_shadow_keeper_fini() - The end of gvirt_shadow_keeper_init()
 * @keeper: a stopped one; or zeroed
 */
void gvirt_shadow_keeper_fini(struct gvirt_shadow_keeper *keeper);

/**
 * gvirt_shadow_keeper_start() - The vGPU has a user
 * @keeper: a stopped one
 * @kvm: the user's VM, NULL: none; called by the user itself
 *
 * Where KVM cannot track writes, all tables are out of sync, whatever the mode is.
 */
void gvirt_shadow_keeper_start(struct gvirt_shadow_keeper *keeper, struct kvm *kvm);

/**
 * gvirt_shadow_keeper_stop() - The user goes
 * @keeper: one that was started; there are no tables any more
 *
 * Takes the mutex.
 */
void gvirt_shadow_keeper_stop(struct gvirt_shadow_keeper *keeper);

/**
 * gvirt_shadow_keeper_set_mode() - Choose how the guest's tables are followed
 * @keeper: whose
 * @mode: from now on
 *
 * Takes the mutex.
 */
void gvirt_shadow_keeper_set_mode(struct gvirt_shadow_keeper *keeper, enum gvirt_shadow_mode mode);

/**
 * gvirt_shadow_mode_parse() - Which mode is meant?
 * @text: its name, with or without a line's end
 *
 * Return: the mode, or -EINVAL.
 */
int gvirt_shadow_mode_parse(const char *text);

#endif
