/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a guest's page table is protected from writes, or out of sync: the decisions.
 *
 * Pure: what was seen of a page goes in, a decision comes out.
 *
 * Data model. A protected page costs an exit for each of the guest's stores, and nothing
 * for a submission; one that is out of sync costs a comparison for each submission, and
 * nothing for a store. Adaptively, the first store to a protected page lets it go out of
 * sync, and after some comparisons without a change it is protected again: its patience.
 * A page that was written soon after it was protected gets twice as much of it, so
 * a page that changes all the time is not protected at all in the end.
 */
#ifndef GVIRT_LIB_SHADOW_POLICY_H
#define GVIRT_LIB_SHADOW_POLICY_H

#include <linux/types.h>

/* Comparisons without a change after which a page is protected: at first, and at most. */
#define GVIRT_TEMPER_PATIENCE_MIN	2u
#define GVIRT_TEMPER_PATIENCE_MAX	128u
/* So many submissions for each one of patience make up for an exit. */
#define GVIRT_TEMPER_WORTH		4u

/**
 * enum gvirt_shadow_mode - How guests' page tables are followed
 * @GVIRT_SHADOW_STRICT: all are protected; each store is mirrored at once
 * @GVIRT_SHADOW_ASYNC: none is; all are compared before a submission
 * @GVIRT_SHADOW_ADAPTIVE: those that do not change are protected
 * @GVIRT_SHADOW_MODES: how many
 */
enum gvirt_shadow_mode {
	GVIRT_SHADOW_STRICT,
	GVIRT_SHADOW_ASYNC,
	GVIRT_SHADOW_ADAPTIVE,
	GVIRT_SHADOW_MODES
};

/**
 * struct gvirt_temper - How lively a page is; starts zeroed
 * @clean: comparisons in a row without a change
 * @doublings: of its patience
 */
struct gvirt_temper {
	u8 clean;
	u8 doublings;
};

/**
 * gvirt_shadow_mode_name() - What a mode is called
 * @mode: the mode
 *
 * Return: its name, or "?".
 */
const char *gvirt_shadow_mode_name(enum gvirt_shadow_mode mode);

/**
 * gvirt_temper_patience() - Comparisons that have to be clean before a page is protected
 * @temper: of the page
 *
 * Return: GVIRT_TEMPER_PATIENCE_MIN to GVIRT_TEMPER_PATIENCE_MAX.
 */
unsigned int gvirt_temper_patience(const struct gvirt_temper *temper);

/**
 * gvirt_temper_compared() - A page that is out of sync was compared
 * @temper: of the page
 * @changed: it had changed
 */
void gvirt_temper_compared(struct gvirt_temper *temper, bool changed);

/**
 * gvirt_temper_written() - A protected page was written, and goes out of sync
 * @temper: of the page
 * @submissions: how many it was protected for
 */
void gvirt_temper_written(struct gvirt_temper *temper, u64 submissions);

/**
 * gvirt_temper_protect() - Is a page to be protected?
 * @temper: of the page
 * @mode: in force
 *
 * Return: true if so.
 */
bool gvirt_temper_protect(const struct gvirt_temper *temper, enum gvirt_shadow_mode mode);

/**
 * gvirt_temper_mirror() - Does a page stay protected when it is written?
 * @mode: in force
 * @offset: of the store in the page
 * @bytes: that were stored
 *
 * Strictly, yes; but stores that are no part of an entry show that the page is no table any
 * more, and its user is not to be slowed down.
 *
 * Return: true if so, and the store is to be mirrored.
 */
bool gvirt_temper_mirror(enum gvirt_shadow_mode mode, u32 offset, unsigned int bytes);

#endif
