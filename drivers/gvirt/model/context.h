/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shadow contexts: what the chip runs in the place of a guest's contexts.
 *
 * A shadow has an image and a ring of the host's. The ring has the size of the
 * guest's, and a command stands in it where it stands in the guest's: heads and
 * tails are the same in both. The image is built from what the guest's register page
 * says and from what the chip saved the last time; its further pages no guest ever
 * wrote.
 *
 * A shadow stays for as long as there is room, so that a context that comes again
 * costs a copy of what is new in its ring. When it has to go, what the chip saved of a
 * render context is stashed away, since the guest has it nowhere; of the other engines'
 * it has all in its register page. It goes with the place of the guest's image in the
 * guest's memory: drivers bind it to different addresses, and the ids in descriptors
 * are different each time. The image may also move in memory, since its guest's kernel
 * swaps or migrates its pages, or be copied: it has a signature, in a page that nobody but
 * the chip would write, which leads to the state that it stands for.
 */
#ifndef GVIRT_MODEL_CONTEXT_H
#define GVIRT_MODEL_CONTEXT_H

#include <linux/list.h>
#include <linux/types.h>
#include "hw/context.h"
#include "lib/elsp.h"
#include "lib/lrc.h"
#include "ppgtt.h"
#include "scan.h"
#include "status.h"
#include "window.h"

struct gvirt_ggtt;
struct gvirt_scratch;

/* Pages of all shadows' images and rings: a share of the host's part of the GGTT. */
#define GVIRT_VCONTEXT_PAGES	512u
/* Stashes of a vGPU, of 88 KiB each, charged to its user. */
#define GVIRT_VCONTEXT_STASHES	256u

/**
 * struct gvirt_vcontext - One shadow context
 * @hw: what the chip runs
 * @link: in the list of shadows
 * @lrca: GGTT address of the guest's image
 * @gpa: where its register page is in guest memory
 * @lists: how many of its engine's lists have it: while any, the chip may run it
 * @saved: the image is one that the chip saved
 * @signature: what the guest's image is signed with; 0: it is not
 * @fresh: the guest asked for a state after reset, so this may become the default one
 * @using: @use holds
 * @interrupts: GVIRT_IRQ_COMMANDS that it may have raised since it was loaded
 * @ring_start: GGTT address of the guest's ring
 * @use: keeps the GGTT ranges that its commands name
 * @own: stores to its status page
 * @ppgtt: its PPGTT, NULL: none yet
 * @copies: batches with privilege that its ring calls
 * @indirect: audited copy of the indirect context buffer
 * @per_ctx: audited copy of the per-context buffer
 * @pdp: root pointers that the image has
 * @regs: the guest's register page as it was read, brought up to date
 */
struct gvirt_vcontext {
	struct gvirt_context hw;
	struct list_head link;
	u32 lrca;
	u64 gpa;
	unsigned int lists;
	bool saved;
	u64 signature;
	bool fresh;
	bool using;
	u32 interrupts;
	u32 ring_start;
	struct gvirt_window_use use;
	struct gvirt_status_page own;
	struct gvirt_ppgtt *ppgtt;
	struct gvirt_scan_copies copies;
	struct gvirt_scan_copy *indirect;
	struct gvirt_scan_copy *per_ctx;
	u64 pdp[GEN9_PPGTT_3LVL_PDPS];
	u32 *regs;
};

/**
 * struct gvirt_vcontext_stash - State of a shadow that had to go
 * @link: in the list of stashes
 * @gpa: where its register page was in guest memory
 * @engine: whose
 * @counter: run-time counter that was left in the guest's image
 * @signature: of the guest's image
 * @image: what the chip saved
 */
struct gvirt_vcontext_stash {
	struct list_head link;
	u64 gpa;
	enum gvirt_engine_id engine;
	u32 counter;
	u64 signature;
	void *image;
};

/**
 * struct gvirt_vcontext_services - What shadows need from the vGPU
 * @read: copy guest memory, by the guest's GGTT: @bytes do not cross a page
 * @write: likewise, to it
 * @locate: where an address of the guest's GGTT is in guest memory; false: nowhere
 */
struct gvirt_vcontext_services {
	int (*read)(void *data, u32 address, void *to, u32 bytes);
	int (*write)(void *data, u32 address, const void *from, u32 bytes);
	bool (*locate)(void *data, u32 address, u64 *gpa);
};

/**
 * struct gvirt_vcontexts - The shadow contexts of a vGPU
 * @services: what they need
 * @data: for @services
 * @ggtt: where they are mapped
 * @scratch: PPGTT of a shadow that has none yet
 * @scan: audits commands
 * @window: GGTT ranges that commands name
 * @vppgtt: page tables
 * @golden: by engine: image that the chip saved for the host; NULL: none
 * @own: by engine: likewise, of the guest's first context, which has what its driver
 *	sets in each; NULL: none yet
 * @list: shadows, most recently used first
 * @stashes: what is left of others, most recently used first
 * @stash_count: how many
 * @pages: pages of their images and rings
 * @before: room for a register page
 * @refusal: what was wrong with the last one that was not loaded
 *
 * All of it is covered by one mutex of the owner's.
 */
struct gvirt_vcontexts {
	const struct gvirt_vcontext_services *services;
	void *data;
	struct gvirt_ggtt *ggtt;
	const struct gvirt_scratch *scratch;
	struct gvirt_scan *scan;
	struct gvirt_window *window;
	struct gvirt_vppgtt *vppgtt;
	const void *golden[GVIRT_ENGINES];
	void *own[GVIRT_ENGINES];
	struct list_head list;
	struct list_head stashes;
	unsigned int stash_count;
	u32 pages;
	u32 *before;
	struct gvirt_refusal refusal;
};

/**
 * gvirt_vcontexts_reset() - Drop all shadows
 * @contexts: none of which the chip has
 */
void gvirt_vcontexts_reset(struct gvirt_vcontexts *contexts);

/**
 * gvirt_vcontext_get() - The shadow of a guest's context
 * @contexts: of the vGPU
 * @engine: where it was submitted
 * @lrca: GGTT address of the image
 *
 * Makes one if there is none yet; others that are not with the chip may go for it.
 *
 * Return: the shadow, or NULL: @contexts->refusal says why.
 */
struct gvirt_vcontext *gvirt_vcontext_get(struct gvirt_vcontexts *contexts,
					  enum gvirt_engine_id engine, u32 lrca);

/**
 * gvirt_vcontext_load() - Make a shadow that the chip does not have ready to run
 * @contexts: of the vGPU
 * @context: which
 * @desc: the guest's descriptor, found good
 * @status: the guest's GGTT address of the engine's status page
 *
 * Sleeps.
 *
 * Return: 0, or -EACCES when it must not run: @contexts->refusal says why.
 */
int gvirt_vcontext_load(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
			const struct gvirt_desc *desc, u32 status);

/**
 * gvirt_vcontext_extend() - Bring over what is new in the ring of a shadow that the chip has
 * @contexts: of the vGPU
 * @context: which
 * @status: the guest's GGTT address of the engine's status page
 *
 * All else of the guest's register page counts when the shadow is loaded the next time.
 *
 * Return: 0; -EACCES; -EAGAIN when it has to be taken off the chip and loaded instead.
 */
int gvirt_vcontext_extend(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context,
			  u32 status);

/**
 * gvirt_vcontext_sync() - Bring the page tables of a shadow that the chip has up to date
 * @contexts: of the vGPU
 * @context: which
 *
 * Where that fails, the tables are those of before.
 */
void gvirt_vcontext_sync(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context);

/**
 * gvirt_vcontext_save() - Let the guest's image show what the chip saved
 * @contexts: of the vGPU
 * @context: one that the chip has let go of
 *
 * What the guest's image cannot take (it is not in memory any more) is lost.
 */
void gvirt_vcontext_save(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context);

/**
 * gvirt_vcontext_lost() - The engine was reset while it had the shadow
 * @contexts: of the vGPU
 * @context: which
 *
 * The guest's register page stays as it was when it was loaded, as on the chip.
 */
void gvirt_vcontext_lost(struct gvirt_vcontexts *contexts, struct gvirt_vcontext *context);

/**
 * gvirt_vcontexts_bytes() - Memory that they take
 * @contexts: of the vGPU
 *
 * Return: bytes, with stashes and default images; without copies of batches.
 */
size_t gvirt_vcontexts_bytes(const struct gvirt_vcontexts *contexts);

/**
 * gvirt_vcontext_head() - Where a shadow's ring stands
 * @context: which
 *
 * Return: byte offset in the ring as the chip saved it last.
 */
u32 gvirt_vcontext_head(const struct gvirt_vcontext *context);

#endif
