// SPDX-License-Identifier: GPL-2.0-only
/*
 * Guest pages that are page tables.
 *
 * A page is *guarded* (protected: KVM tells of each store) or *out of sync*. Its shadows are
 * in a queue while they have to be compared: always when the page is out of sync, and
 * once when a guarded page was written. lib/shadow_policy decides which it is; here is
 * what has to hold so that a page may be guarded:
 *
 * - KVM sees what the guest's CPUs store. It does not, if the guest touched the page while
 *   there was no memory, until the guest has stored there once (register-pages.rst, "The
 *   hole"). A page that never went away has something in it which the guest has stored.
 *   One that did has to be seen changing first, from one comparison of a shadow to its next
 *   one; not by what came with the memory, nor by others.
 * - Nobody else stores there: not the GPU, nor a CPU by the aperture, nor the module itself.
 *   All of these pin the page, or use gvirt_guest_write(), so host/guest knows and counts
 *   disturbances. A page with other users is out of sync; after any other
 *   disturbance it is compared once.
 *
 * What is left is what the VMM stores by itself into a page that is a table, and what KVM
 * does wrong. So some guarded pages are compared from time to time (gvirt_sources_look()).
 */
#include <linux/err.h>
#include <linux/slab.h>
#include <gvirt/gen9_pte.h>
#include "host/guest.h"
#include "ppgtt_source.h"
#include "shadow_trace.h"

/* Queues. */

void gvirt_source_queue_init(struct gvirt_source_queue *queue)
{
	unsigned int level;

	for (level = 0; level <= GVIRT_PTE_LEVELS; level++)
		INIT_LIST_HEAD(&queue->level[level]);
}

void gvirt_source_due(struct gvirt_source_user *user)
{
	if (list_empty(&user->due))
		list_add_tail(&user->due, &user->queue->level[user->level]);
}

static void all_due(struct gvirt_source *source)
{
	struct gvirt_source_user *user;

	list_for_each_entry(user, &source->users, node)
		gvirt_source_due(user);
}

void gvirt_source_share(struct gvirt_sources *sources, struct gvirt_source_user *user)
{
	user->queue = &sources->shared;
	if (!list_empty(&user->due))
		list_move_tail(&user->due, &user->queue->level[user->level]);
}

/* Protection. */

static void set_guarded(struct gvirt_sources *sources, struct gvirt_source *source, bool guarded)
{
	if (source->guarded == guarded)
		return;
	source->guarded = guarded;
	WRITE_ONCE(sources->guarded, sources->guarded + (guarded ? 1 : -1));
}

/* It is out of sync from now on. */
static void release(struct gvirt_sources *sources, struct gvirt_source *source,
		    enum gvirt_shadow_state why)
{
	if (source->guarded) {
		gvirt_watch_remove(&sources->watch, source->gfn);
		trace_gvirt_shadow_state(sources->guest, source->gfn, why);
	}
	set_guarded(sources, source, false);
	source->suspect = false;
	all_due(source);
}

static bool is_zero(const u64 *content)
{
	unsigned int i;

	for (i = 0; i < GEN9_TABLE_ENTRIES; i++)
		if (READ_ONCE(content[i]))
			return false;
	return true;
}

/* Whatever differs next time may have come in another way than by a store of the guest's. */
static void forget_comparisons(struct gvirt_source *source)
{
	struct gvirt_source_user *user;

	list_for_each_entry(user, &source->users, node)
		user->compared = false;
}

static void forget_proof(struct gvirt_source *source)
{
	source->proven = false;
	source->compared = true;
	forget_comparisons(source);
}

/* By what is in it when it is seen first; later, by a change. */
static void look_for_proof(struct gvirt_sources *sources, struct gvirt_source *source)
{
	if (!source->compared && !gvirt_watch_had_gap(&sources->watch, source->gfn))
		source->proven = !is_zero(source->guest);
}

static void look_for_change(struct gvirt_sources *sources, struct gvirt_source_user *user,
			    bool changed)
{
	user->source->proven = changed && user->compared;
	user->compared = gvirt_guest_is_table_only(sources->guest, user->source->gfn);
}

static bool may_guard(struct gvirt_sources *sources, struct gvirt_source *source)
{
	return source->proven && !source->unsafe &&
	       gvirt_temper_protect(&source->temper, sources->mode) &&
	       gvirt_guest_is_table_only(sources->guest, source->gfn);
}

static void guard_page(struct gvirt_sources *sources, struct gvirt_source *source)
{
	/* What does not work is not tried each time. */
	if (gvirt_watch_add(&sources->watch, source->gfn, source->guest)) {
		gvirt_temper_written(&source->temper, 0);
		return;
	}
	set_guarded(sources, source, true);
	source->since = sources->submissions;
	source->suspect = false;
	trace_gvirt_shadow_state(sources->guest, source->gfn, GVIRT_SHADOW_PROTECTED);
	WRITE_ONCE(sources->protections, sources->protections + 1);
}

/* Pages. */

struct gvirt_source *gvirt_sources_find(struct gvirt_sources *sources, u64 gfn)
{
	return xa_load(&sources->all, gfn);
}

static int pin(struct gvirt_sources *sources, struct gvirt_source *source)
{
	const void *guest;

	if (source->guest)
		return 0;
	guest = gvirt_guest_pin_table(sources->guest, source->gfn);
	if (IS_ERR(guest))
		return PTR_ERR(guest);
	source->guest = guest;
	return 0;
}

static void unpin(struct gvirt_sources *sources, struct gvirt_source *source)
{
	if (source->guest)
		gvirt_guest_unpin_table(sources->guest, source->gfn);
	source->guest = NULL;
}

static struct gvirt_source *add_source(struct gvirt_sources *sources, u64 gfn)
{
	struct gvirt_source *source = kzalloc(sizeof(*source), GFP_KERNEL_ACCOUNT);
	int err;

	if (!source)
		return ERR_PTR(-ENOMEM);
	source->gfn = gfn;
	INIT_LIST_HEAD(&source->users);
	err = pin(sources, source);
	if (!err)
		err = xa_err(xa_store(&sources->all, gfn, source, GFP_KERNEL_ACCOUNT));
	if (err) {
		unpin(sources, source);
		kfree(source);
		return ERR_PTR(err);
	}
	WRITE_ONCE(sources->count, sources->count + 1);
	return source;
}

static void remove_source(struct gvirt_sources *sources, struct gvirt_source *source)
{
	release(sources, source, GVIRT_SHADOW_NO_TABLE);
	unpin(sources, source);
	xa_erase(&sources->all, source->gfn);
	WRITE_ONCE(sources->count, sources->count - 1);
	kfree(source);
}

void gvirt_source_user_init(struct gvirt_source_user *user, struct gvirt_source_queue *queue,
			    unsigned int level)
{
	user->source = NULL;
	INIT_LIST_HEAD(&user->node);
	INIT_LIST_HEAD(&user->due);
	user->queue = queue;
	user->level = level;
	user->compared = false;
}

int gvirt_source_join(struct gvirt_sources *sources, struct gvirt_source_user *user, u64 gfn)
{
	struct gvirt_source *source = gvirt_sources_find(sources, gfn);

	if (!source)
		source = add_source(sources, gfn);
	if (IS_ERR(source))
		return PTR_ERR(source);
	user->source = source;
	source->refs++;
	list_add_tail(&user->node, &source->users);
	return 0;
}

void gvirt_source_leave(struct gvirt_sources *sources, struct gvirt_source_user *user)
{
	struct gvirt_source *source = user->source;

	list_del_init(&user->due);
	user->source = NULL;
	if (!source)
		return;
	list_del_init(&user->node);
	if (!--source->refs)
		remove_source(sources, source);
}

/* Comparing. */

int gvirt_source_begin(struct gvirt_sources *sources, struct gvirt_source_user *user)
{
	struct gvirt_source *source = user->source;
	int err;

	if (!source)
		return 0;
	err = pin(sources, source);
	if (err)
		return err;
	if (source->guarded || !gvirt_watch_active(&sources->watch))
		return 0;
	look_for_proof(sources, source);
	if (may_guard(sources, source))
		guard_page(sources, source);
	return 0;
}

void gvirt_source_end(struct gvirt_sources *sources, struct gvirt_source_user *user, bool changed,
		      bool again)
{
	struct gvirt_source *source = user->source;

	if (source && !source->guarded) {
		gvirt_temper_compared(&source->temper, changed);
		if (!source->proven)
			look_for_change(sources, user, changed);
		source->compared = true;
		again = true;
	}
	if (again)
		gvirt_source_due(user);
	else
		list_del_init(&user->due);
}

/* What happened. */

static void take_event(struct gvirt_sources *sources, const struct gvirt_watch_event *event)
{
	struct gvirt_source *source = gvirt_sources_find(sources, event->gfn);

	if (!source)
		return;
	source->suspect = false;
	all_due(source);
	if (event->watched && !event->gone)
		return;
	if (event->gone) {
		forget_proof(source);
	} else {
		gvirt_temper_written(&source->temper, sources->submissions - source->since);
		WRITE_ONCE(sources->releases, sources->releases + 1);
	}
	release(sources, source, event->gone ? GVIRT_SHADOW_GONE : GVIRT_SHADOW_WRITTEN);
}

/* Somebody else can store to, or has stored to, a page that is a table. */
static void take_disturbance(struct gvirt_sources *sources, struct gvirt_source *source)
{
	if (!source)
		return;
	forget_comparisons(source);
	if (!source->guarded)
		return;
	if (gvirt_guest_is_table_only(sources->guest, source->gfn))
		all_due(source);
	else
		release(sources, source, GVIRT_SHADOW_USED);
}

/* In one pass: what is disturbed meanwhile counts again. */
static void look_for_others(struct gvirt_sources *sources)
{
	int disturbances = atomic_read(&sources->guest->disturbances);
	u64 gfn;

	if (disturbances == sources->disturbances)
		return;
	sources->disturbances = disturbances;
	for (gfn = 0; gvirt_guest_take_disturbed(sources->guest, &gfn); gfn++)
		take_disturbance(sources, gvirt_sources_find(sources, gfn));
}

void gvirt_sources_collect(struct gvirt_sources *sources)
{
	struct gvirt_watch_event event;

	while (gvirt_watch_next(&sources->watch, &event))
		take_event(sources, &event);
	look_for_others(sources);
}

void gvirt_sources_set_mode(struct gvirt_sources *sources, enum gvirt_shadow_mode mode)
{
	struct gvirt_source *source;
	unsigned long gfn;

	WRITE_ONCE(sources->mode, mode);
	trace_gvirt_shadow_mode(sources->guest, gvirt_shadow_mode_name(mode));
	if (mode != GVIRT_SHADOW_ASYNC)
		return;
	xa_for_each(&sources->all, gfn, source)
		release(sources, source, GVIRT_SHADOW_MODE);
}

void gvirt_sources_revoke(struct gvirt_sources *sources, u64 first, u64 last)
{
	struct gvirt_source *source;
	unsigned long gfn;

	xa_for_each_range(&sources->all, gfn, source, first, last) {
		forget_proof(source);
		release(sources, source, GVIRT_SHADOW_TAKEN);
		unpin(sources, source);
	}
}

/* Lost stores. */

static bool any_differs(const struct gvirt_source *source,
			bool (*differs)(const struct gvirt_source_user *user))
{
	const struct gvirt_source_user *user;

	list_for_each_entry(user, &source->users, node)
		if (!gvirt_source_is_due(user) && differs(user))
			return true;
	return false;
}

/* Returns whether a store was lost. */
static bool look_at(struct gvirt_sources *sources, struct gvirt_source *source,
		    bool (*differs)(const struct gvirt_source_user *user))
{
	if (!any_differs(source, differs)) {
		source->suspect = false;
		return false;
	}
	/* What KVM has stored but not told yet looks the same. */
	if (!source->suspect) {
		source->suspect = true;
		return false;
	}
	source->unsafe = true;
	release(sources, source, GVIRT_SHADOW_LOST);
	WRITE_ONCE(sources->lost, sources->lost + 1);
	return true;
}

unsigned int gvirt_sources_look(struct gvirt_sources *sources, unsigned int most,
				bool (*differs)(const struct gvirt_source_user *user))
{
	unsigned int lost = 0;
	unsigned int looked = 0;
	struct gvirt_source *source;
	unsigned long gfn;

	gvirt_sources_collect(sources);
	xa_for_each_range(&sources->all, gfn, source, sources->cursor, ~0ul) {
		if (!source->guarded || !source->guest)
			continue;
		if (looked++ == most) {
			sources->cursor = gfn;
			return lost;
		}
		lost += look_at(sources, source, differs);
		/* To be looked at again first. */
		if (source->suspect) {
			sources->cursor = gfn;
			return lost;
		}
	}
	sources->cursor = 0;
	return lost;
}

/* Life. */

void gvirt_sources_init(struct gvirt_sources *sources, struct gvirt_guest *guest,
			const struct gvirt_watch_services *services, void *data)
{
	sources->guest = guest;
	gvirt_watch_init(&sources->watch, services, data);
	xa_init(&sources->all);
	gvirt_source_queue_init(&sources->shared);
	sources->mode = GVIRT_SHADOW_ADAPTIVE;
}

void gvirt_sources_fini(struct gvirt_sources *sources)
{
	xa_destroy(&sources->all);
}
