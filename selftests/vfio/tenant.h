/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One of many guests that do the same on vGPUs of their own: they compute on all engines, with
 * the same addresses and different memory behind them, and with entries that change.
 */
#ifndef VFIO_TENANT_H
#define VFIO_TENANT_H

#include <linux/types.h>
#include <pthread.h>
#include <stdatomic.h>

#include "lib/work.h"

/**
 * struct tenant - A vGPU and its guest
 * @number: of the vGPU
 * @path: of the mdev
 * @work: the guest, with an address space
 * @ctx: a context for each engine, all in that address space
 * @churn: pages that each of the changing entries leads to, in turn
 * @either: likewise, of those that change at any time
 * @rounds: that it has done
 */
struct tenant {
	u32 number;
	char path[128];
	struct work work;
	struct ctx ctx[ENGINES];
	u64 churn[2][2];
	u64 either[2][2];
	u32 rounds;
};

/**
 * tenant_move_in() - Open the vGPU and make everything
 * @tenant: whose number and path are set
 */
void tenant_move_in(struct tenant *tenant);

/**
 * tenant_value() - What a tenant stores in this round
 * @tenant: which
 *
 * Return: what nobody else stores, nor it in another round.
 */
u32 tenant_value(const struct tenant *tenant);

/**
 * tenant_churn() - Have other pages behind the same addresses, as every tenant does
 * @tenant: one that has nothing submitted
 */
void tenant_churn(struct tenant *tenant);

/**
 * tenant_submit() - Have work done on each engine, after tenant_churn()
 * @tenant: whose
 */
void tenant_submit(struct tenant *tenant);

/**
 * tenant_finish_on() - Wait for what one engine has of it
 * @tenant: whose
 * @id: engine
 */
void tenant_finish_on(struct tenant *tenant, unsigned int id);

/**
 * tenant_finish() - Wait for tenant_submit()
 * @tenant: whose
 */
void tenant_finish(struct tenant *tenant);

/**
 * tenant_check() - Expect all that it stored; its next round begins
 * @tenant: whose
 */
void tenant_check(struct tenant *tenant);

/**
 * struct churner - Changes entries of tenants all the time, also while commands name them
 * @tenants: whose
 * @vgpus: how many they are
 * @stop: set when it is enough
 * @changes: how many it has made
 * @thread: does it
 */
struct churner {
	struct tenant *tenants;
	unsigned int vgpus;
	atomic_bool stop;
	unsigned long changes;
	pthread_t thread;
};

/**
 * churner_start() - Begin with it
 * @churner: what
 * @tenants: who stay until churner_stop()
 * @vgpus: how many they are
 */
void churner_start(struct churner *churner, struct tenant *tenants, unsigned int vgpus);

/**
 * churner_stop() - End it, after each entry has changed
 * @churner: of churner_start()
 */
void churner_stop(struct churner *churner);

#endif
