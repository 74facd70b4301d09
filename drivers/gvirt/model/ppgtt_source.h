/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guest pages that are page tables: whether they are protected from writes, and which of
 * their shadows have to be compared.
 *
 * Locking: as in ppgtt.h.
 */
#ifndef GVIRT_MODEL_PPGTT_SOURCE_H
#define GVIRT_MODEL_PPGTT_SOURCE_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/xarray.h>
#include "host/watch.h"
#include "lib/pte.h"
#include "lib/shadow_policy.h"

struct gvirt_guest;

/**
 * struct gvirt_source_queue - Shadows that are out of sync
 * @level: by enum gvirt_pte_level; what is above comes first
 */
struct gvirt_source_queue {
	struct list_head level[GVIRT_PTE_LEVELS + 1];
};

/**
 * struct gvirt_source - A guest page that is a table
 * @gfn: the page
 * @guest: its content, pinned; NULL: it was taken away
 * @users: its shadows
 * @refs: how many
 * @temper: how lively it is
 * @since: submissions of the vGPU when it was protected
 * @guarded: it is protected, or was when we last heard
 * @proven: what the guest stores there, KVM sees
 * @compared: it was compared, or its memory went away: what is in it proves nothing
 * @suspect: it was seen to differ without a store
 * @unsafe: a store to it was lost once: never to be protected again
 */
struct gvirt_source {
	u64 gfn;
	const void *guest;
	struct list_head users;
	u32 refs;
	struct gvirt_temper temper;
	u64 since;
	bool guarded;
	bool proven;
	bool compared;
	bool suspect;
	bool unsafe;
};

/**
 * struct gvirt_source_user - A shadow of a guest page
 * @source: the page; NULL: none
 * @node: among the page's users
 * @due: in a queue, when it is out of sync
 * @queue: of the address space that alone has it, or that of all
 * @level: enum gvirt_pte_level
 * @compared: it was, since the page's memory came and since somebody else than the guest's CPUs
 *	could store there
 */
struct gvirt_source_user {
	struct gvirt_source *source;
	struct list_head node;
	struct list_head due;
	struct gvirt_source_queue *queue;
	unsigned int level;
	bool compared;
};

/**
 * struct gvirt_sources - All pages of a vGPU that are tables
 * @guest: the guest's memory
 * @watch: protects pages
 * @all: struct of each, by gfn
 * @shared: queue of shadows that several address spaces have
 * @mode: that was chosen
 * @count: pages
 * @guarded: of those, protected ones
 * @submissions: a clock
 * @disturbances: of the guest's, when they were looked at last
 * @cursor: gfn from which the next look begins
 * @protections: how often a page was protected
 * @releases: how often one went out of sync because it was written
 * @lost: stores that were found by a look only
 */
struct gvirt_sources {
	struct gvirt_guest *guest;
	struct gvirt_watch watch;
	struct xarray all;
	struct gvirt_source_queue shared;
	enum gvirt_shadow_mode mode;
	unsigned int count;
	unsigned int guarded;
	u64 submissions;
	int disturbances;
	u64 cursor;
	u64 protections;
	u64 releases;
	u64 lost;
};

/**
 * gvirt_source_queue_init() - Nothing is out of sync
 * @queue: to be initialised
 */
void gvirt_source_queue_init(struct gvirt_source_queue *queue);

/**
 * gvirt_sources_init() - Prepare, without pages
 * @sources: to be initialised; zeroed
 * @guest: the guest's memory
 * @services: what to do when a guarded page was written
 * @data: for @services
 */
void gvirt_sources_init(struct gvirt_sources *sources, struct gvirt_guest *guest,
			const struct gvirt_watch_services *services, void *data);

/**
 * gvirt_sources_fini() - The end of gvirt_sources_init()
 * @sources: without pages
 */
void gvirt_sources_fini(struct gvirt_sources *sources);

/**
 * gvirt_source_user_init() - A shadow that stands for no page (yet)
 * @user: to be initialised
 * @queue: of its address space
 * @level: enum gvirt_pte_level
 */
void gvirt_source_user_init(struct gvirt_source_user *user, struct gvirt_source_queue *queue,
			    unsigned int level);

/**
 * gvirt_source_join() - A shadow stands for a page
 * @sources: where
 * @user: the shadow
 * @gfn: the page, which is pinned
 *
 * Return: 0, or an error of gvirt_guest_pin_table().
 */
int gvirt_source_join(struct gvirt_sources *sources, struct gvirt_source_user *user, u64 gfn);

/**
 * gvirt_source_leave() - A shadow is not used any more
 * @sources: where
 * @user: the shadow; nothing happens to one without a page
 *
 * A page without shadows is let go: unpinned and not protected.
 */
void gvirt_source_leave(struct gvirt_sources *sources, struct gvirt_source_user *user);

/**
 * gvirt_source_due() - A shadow is to be compared
 * @user: the shadow
 */
void gvirt_source_due(struct gvirt_source_user *user);

/**
 * gvirt_source_is_due() - Is a shadow to be compared?
 * @user: the shadow
 *
 * Return: true if so.
 */
static inline bool gvirt_source_is_due(const struct gvirt_source_user *user)
{
	return !list_empty(&user->due);
}

/**
 * gvirt_source_share() - Several address spaces have a shadow
 * @sources: where
 * @user: the shadow
 */
void gvirt_source_share(struct gvirt_sources *sources, struct gvirt_source_user *user);

/**
 * gvirt_source_begin() - A shadow is about to be compared
 * @sources: where
 * @user: the shadow; nothing happens to one without a page
 *
 * The page is protected now, if it is to be, so that no store is missed after the copy.
 *
 * Return: 0, or an error of gvirt_guest_pin_table() for a page that was taken away.
 */
int gvirt_source_begin(struct gvirt_sources *sources, struct gvirt_source_user *user);

/**
 * gvirt_source_end() - A shadow is as the guest's page was when it was copied
 * @sources: where
 * @user: the shadow
 * @changed: the page had changed
 * @again: it is to be compared again in any case
 */
void gvirt_source_end(struct gvirt_sources *sources, struct gvirt_source_user *user, bool changed,
		      bool again);

/**
 * gvirt_sources_collect() - Find out what was written
 * @sources: where
 *
 * Before a submission. Costs nothing if nothing was.
 */
void gvirt_sources_collect(struct gvirt_sources *sources);

/**
 * gvirt_sources_set_mode() - Choose how tables are followed
 * @sources: where
 * @mode: from now on
 */
void gvirt_sources_set_mode(struct gvirt_sources *sources, enum gvirt_shadow_mode mode);

/**
 * gvirt_sources_find() - Look for a page
 * @sources: where
 * @gfn: the page
 *
 * Return: the page, or NULL when it is no table.
 */
struct gvirt_source *gvirt_sources_find(struct gvirt_sources *sources, u64 gfn);

/**
 * gvirt_sources_revoke() - The VMM takes memory away
 * @sources: where
 * @first: from this gfn
 * @last: to this one, inclusive
 *
 * Tables there are not pinned any more, and due.
 */
void gvirt_sources_revoke(struct gvirt_sources *sources, u64 first, u64 last);

/**
 * gvirt_sources_look() - Go through some protected pages in turn
 * @sources: where
 * @most: pages
 * @differs: does a shadow differ from its page?
 *
 * A page that differs in two looks without a store that KVM told of has lost one. It is
 * not protected again.
 *
 * Return: how many stores were lost.
 */
unsigned int gvirt_sources_look(struct gvirt_sources *sources, unsigned int most,
				bool (*differs)(const struct gvirt_source_user *user));

#endif
