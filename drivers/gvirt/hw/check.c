// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engines' check at bring-up: the way that guests' work will go, once.
 */
#include <linux/array_size.h>
#include <linux/device.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <gvirt/gen9_cmds.h>
#include "check.h"
#include "ggtt.h"
#include "mmio.h"
#include "reset.h"

/* What the request writes, and where: a dword of the context's own status page. */
#define CHECK_VALUE		0x67766972u
#define CHECK_DWORD		0x100
#define ANSWER_MS		500
#define TRIES			2

enum outcome {
	WORKS,
	NO_ANSWER,
	NO_INTERRUPT,
	NO_VALUE,
};

static const char *const complaints[] = {
	[NO_ANSWER] = "did not finish its request",
	[NO_INTERRUPT] = "finished its request, but the interrupt did not come",
	[NO_VALUE] = "finished its request, but did not write the value",
};

static void on_left(void *owner, struct gvirt_context *context, enum gvirt_left why)
{
	struct gvirt_check *check = owner;

	check->why = why;
	complete(&check->left);
}

static const struct gvirt_engine_ops check_ops = {
	.left = on_left,
};

static u32 *place(struct gvirt_check *check)
{
	return (u32 *)check->context.state.data + CHECK_DWORD;
}

static int emit_request(struct gvirt_check *check)
{
	const u32 request[] = {
		GEN9_MI_STORE_DATA_IMM | GEN9_MI_STORE_GGTT | (4 - GEN9_CMD_LENGTH_BIAS),
		check->context.state.address + CHECK_DWORD * sizeof(u32),
		0,
		CHECK_VALUE,
		GEN9_MI_USER_INTERRUPT,
		GEN9_MI_NOOP,
	};

	WRITE_ONCE(*place(check), 0);
	gvirt_context_reset(&check->context);
	return gvirt_context_emit(&check->context, request, ARRAY_SIZE(request));
}

static bool answered(struct gvirt_check *check, unsigned int timeout_ms)
{
	return wait_for_completion_timeout(&check->left, msecs_to_jiffies(timeout_ms));
}

static enum outcome judge(struct gvirt_check *check)
{
	bool lost = false;

	if (!answered(check, ANSWER_MS)) {
		lost = gvirt_engine_poll(check->engine);
		if (!answered(check, 0))
			return NO_ANSWER;
	}
	if (READ_ONCE(*place(check)) != CHECK_VALUE || check->why != GVIRT_LEFT_COMPLETE)
		return NO_VALUE;
	return lost ? NO_INTERRUPT : WORKS;
}

/* A request, and when there is no answer, a reset. */
static int run_once(struct gvirt_check *check, struct gvirt_reset *reset, enum outcome *outcome)
{
	int err = emit_request(check);

	if (err)
		return err;
	reinit_completion(&check->left);
	err = gvirt_engine_submit(check->engine, &check->context, NULL);
	if (err)
		return err;
	*outcome = judge(check);
	return *outcome == NO_ANSWER ? gvirt_reset_engine(reset, check->engine) : 0;
}

static size_t image_size(const struct gvirt_check *check)
{
	return (size_t)check->context.state.pages << PAGE_SHIFT;
}

/* The first answer only: what comes after a recovery is no better. */
static int keep_image(struct gvirt_check *check)
{
	if (!check->image)
		check->image = kvmemdup(check->context.state.data, image_size(check), GFP_KERNEL);
	return check->image ? 0 : -ENOMEM;
}

const void *gvirt_check_image(const struct gvirt_check *check, size_t *size)
{
	*size = image_size(check);
	return check->image;
}

static int run(struct gvirt_check *check, struct gvirt_reset *reset)
{
	struct device *dev = check->engine->mmio->dev;
	enum outcome outcome = WORKS;
	unsigned int try;
	int err;

	for (try = 0; try < TRIES; try++) {
		err = run_once(check, reset, &outcome);
		if (!err && outcome == WORKS)
			return keep_image(check);
		dev_warn(dev, "%s %s%s\n", check->engine->name, complaints[outcome],
			 !err && try + 1 < TRIES ? "; trying once more" : "");
		if (err)
			return err;
	}
	return -EIO;
}

int gvirt_check_run(struct gvirt_check *check, struct gvirt_reset *reset)
{
	int err;

	gvirt_engine_attach(check->engine, &check_ops, check);
	err = run(check, reset);
	/* A reset that comes later has to tell us that the engine let go of the request. */
	if (err != -ETIMEDOUT)
		gvirt_engine_attach(check->engine, NULL, NULL);
	return err;
}

int gvirt_check_init(struct gvirt_check *check, struct gvirt_engine *engine,
		     struct gvirt_ggtt *ggtt, const struct gvirt_scratch *scratch)
{
	check->engine = engine;
	check->image = NULL;
	init_completion(&check->left);
	return gvirt_context_init(&check->context, engine->id, ggtt, scratch, PAGE_SIZE);
}

void gvirt_check_fini(struct gvirt_check *check)
{
	gvirt_context_fini(&check->context);
	kvfree(check->image);
}
