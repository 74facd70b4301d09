/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does an engine work? A request of our own, from submission to interrupt.
 */
#ifndef GVIRT_HW_CHECK_H
#define GVIRT_HW_CHECK_H

#include <linux/completion.h>
#include "context.h"
#include "engine.h"

struct gvirt_ggtt;
struct gvirt_reset;
struct gvirt_scratch;

/**
 * struct gvirt_check - The request of one engine
 * @engine: whose
 * @context: what is submitted
 * @left: completed when the context has left the engine
 * @why: why it left
 * @image: copy of the image that the chip saved when the request was complete for
 *	the first time; NULL before
 */
struct gvirt_check {
	struct gvirt_engine *engine;
	struct gvirt_context context;
	struct completion left;
	enum gvirt_left why;
	void *image;
};

/**
 * gvirt_check_init() - Get memory for the request
 * @check: to be initialised
 * @engine: whose
 * @ggtt: where to map it
 * @scratch: its PPGTT
 *
 * Return: 0, -ENOMEM or -ENOSPC.
 */
int gvirt_check_init(struct gvirt_check *check, struct gvirt_engine *engine,
		     struct gvirt_ggtt *ggtt, const struct gvirt_scratch *scratch);

/**
 * gvirt_check_fini() - Free the request
 * @check: one that its engine does not have any more
 */
void gvirt_check_fini(struct gvirt_check *check);

/**
 * gvirt_check_run() - Run the request: it writes a value and interrupts
 * @check: of an engine that is started and idle and has no owner
 * @reset: for an engine that does not answer
 *
 * An engine that does not answer is reset and gets a second chance, which is
 * reported. Sleeps, 2 s at most.
 *
 * Return: 0; -ENOMEM; -EIO when the engine does not work, which is reported; -ETIMEDOUT
 * when it hangs and refuses its reset: it is halted and has the request still.
 */
int gvirt_check_run(struct gvirt_check *check, struct gvirt_reset *reset);

/**
 * gvirt_check_image() - State that the chip gave a fresh context
 * @check: one whose request was complete once
 * @size: gets its bytes, with the status page
 *
 * What a context of a user starts from that has no state of its own: the page at
 * GEN9_CTX_REGS_OFFSET, and on the render engine the pages behind it, are as the
 * chip saved them. Ring and page-table roots in it are the check's.
 *
 * Return: the image; it stays as long as @check.
 */
const void *gvirt_check_image(const struct gvirt_check *check, size_t *size);

#endif
